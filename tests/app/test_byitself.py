"""The card Users and churn: entries are added, changed, removed, undone, saved, and run offline and live."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.app.panels.experiment.byitself import ByItselfPopup, commands_of
from lydian.app.window.mainwindow import MainWindow
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop, read
from lydian.model.experiment.traffic import Churn, Traffic
from tests.app.conftest import rest

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
    pytest.mark.leaves_behind,  # the ready simulator belongs to the shared window, which ends it
]

#: Users publish numbers of topics; a process that receives one forwards it to its neighbours.
NEWS = '''"""News: Topics and their readers.

Users publish, and who gets something tells the others."""
from lydian import Command, Message, Process, on, states

(READING,) = states("reading")

class Publish(Command):
    """Say something about a topic."""
    topic: int
    text: str = "news"

class Rest(Command):
    """Say nothing."""

class News(Message):
    topic: int

class Reader(Process):
    state = READING
    known: int = 0

    @on(READING, Publish)
    def tell(self, c):
        for q in self.neighbours:
            self.send(News(c.topic), to=q)

    @on(READING, Rest)
    def rest(self, c):
        pass

    @on(READING, News)
    def hear(self, m, q):
        self.known += 1
'''
EXPERIMENT = 'protocol = "./news.py"\nnetwork = "complete:4"\nseed = 3\n[stop]\nuntil = 60.0\n'
FILES: dict[str, Path] = {}
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(scope="module")
def window(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window for all tests of this file."""
    folder = tmp_path_factory.mktemp("news")
    (folder / "news.py").write_text(NEWS, encoding="utf-8")
    (folder / "news.toml").write_text(EXPERIMENT, encoding="utf-8")
    FILES["news"] = folder / "news.toml"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LYDIAN_HOME", str(folder / "home"))
        made = make_window(folder / "news.toml")
        made.player.step_seconds = 0.0
        made.resize(1600, 900)
        made.show()
        made.looks.arrange("study")
        yield made
        made.close()
        made.deleteLater()


@pytest.fixture
def popup(qtbot: QtBot, window: MainWindow) -> Iterator[ByItselfPopup]:
    """Provide the popup, open on the experiment as saved."""
    panel = window.panel
    window.session.start(read(FILES["news"]))
    ran(qtbot, window)
    qtbot.mouseClick(panel.by_itself, LEFT)
    assert panel.by_itself_list.isVisible()
    yield panel.by_itself_list
    panel.by_itself_list.close()
    ran(qtbot, window)


def ran(qtbot: QtBot, window: MainWindow) -> None:
    rest(window, qtbot)


def now(window: MainWindow) -> Experiment:
    assert window.session.experiment is not None
    return window.session.experiment


def type_into(popup: ByItselfPopup, key: str, text: str) -> None:
    line = popup.lines[key]
    assert isinstance(line, QLineEdit)
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClick(line, Qt.Key.Key_Return)


def choose(popup: ByItselfPopup, key: str, text: str) -> None:
    line = popup.lines[key]
    assert isinstance(line, QComboBox)
    line.setCurrentText(text)
    line.activated.emit(line.currentIndex())


def test_commands_are_read_without_running_the_file() -> None:
    assert [command.name for command in commands_of(NEWS)] == ["Publish", "Rest"]
    assert commands_of("class (") == () == commands_of("")


def test_adding_changing_and_removing_commands_are_single_undo_steps(
    qtbot: QtBot, window: MainWindow, popup: ByItselfPopup
) -> None:
    panel, undo = window.panel, window.session.undo
    assert (panel.by_itself.value.text(), panel.by_itself.hint.text()) == (
        "None", "Publish and Rest, or crashes: click to add",
    )  # fmt: skip
    assert not popup.list.isVisible() and not popup.why.isVisible() and popup.add_traffic.isEnabled()
    qtbot.mouseClick(popup.add_traffic, LEFT)
    (first,) = now(window).traffic
    constant = Traffic("Publish", parse("constant(2)"), ("0", "2"), until=60.0, fields={"topic": "zipf(20, 1.0)"})
    assert (first.label, first.until, first.fields) == ("Publish", 60.0, {"topic": "number"})
    assert popup.list.item(0).text() == "About 6 Publish commands until 60"
    assert (panel.by_itself.value.text(), panel.by_itself.hint.text()) == ("About 6 Publish", "until 60")
    assert popup.lines["arrivals"].hasFocus()
    type_into(popup, "arrivals", "constant(2)")
    type_into(popup, "processes", "0, 2")
    type_into(popup, "field:topic", "zipf(20, 1.0)")
    assert now(window).traffic == (constant,)
    assert popup.list.item(0).text() == "29 Publish commands to 0 and 2 until 60"
    assert (panel.by_itself.value.text(), panel.by_itself.hint.text()) == ("29 Publish", "to 0 and 2 until 60")
    assert popup.explained.text().endswith("One arrives every 2 time units and goes to one of 0 and 2.")
    assert undo.count == 4 and undo.undo_text == "commands"
    undo.undo()
    assert now(window).traffic[0].fields == {"topic": "number"}
    undo.redo()
    qtbot.mouseClick(popup.remove, LEFT)
    assert now(window).traffic == () and panel.by_itself.value.text() == "None" and not popup.list.isVisible()
    undo.undo()
    assert len(now(window).traffic) == 1


def test_delete_removes_an_entry_from_the_list(qtbot: QtBot, window: MainWindow, popup: ByItselfPopup) -> None:
    qtbot.mouseClick(popup.add_traffic, LEFT)
    qtbot.mouseClick(popup.add_churn, LEFT)
    popup.list.setFocus()
    popup.list.setCurrentRow(0)
    QTest.keyClick(popup.list, Qt.Key.Key_Delete)
    assert (now(window).traffic, len(now(window).churn), popup.list.count()) == ((), 1, 1)
    QTest.keyClick(popup.list, Qt.Key.Key_Delete)
    assert now(window).churn == () and popup.add_churn.hasFocus() and window.session.undo.count == 4


def test_another_command_has_its_own_fields(qtbot: QtBot, window: MainWindow, popup: ByItselfPopup) -> None:
    qtbot.mouseClick(popup.add_traffic, LEFT)
    assert {"field:topic", "field:text"} <= set(popup.lines)
    choose(popup, "label", "Rest")
    qtbot.waitUntil(lambda: "field:topic" not in popup.lines)
    assert now(window).traffic[0].label == "Rest" and now(window).traffic[0].fields == {}
    choose(popup, "label", "Publish")
    qtbot.waitUntil(lambda: "field:topic" in popup.lines)
    assert now(window).traffic[0].fields == {"topic": "number"}


def test_churn_is_added_after_the_commands_with_chosen_distributions(
    qtbot: QtBot, window: MainWindow, popup: ByItselfPopup
) -> None:
    qtbot.mouseClick(popup.add_churn, LEFT)
    qtbot.mouseClick(popup.add_traffic, LEFT)
    assert [popup.list.item(row).text() for row in range(2)] == [
        "About 6 Publish commands until 60", "All 4 processes crash and recover until 60",
    ]  # fmt: skip
    popup.list.setCurrentRow(1)
    laws = [box for box in popup.area.widget().findChildren(QComboBox) if "Crashes after" in box.accessibleName()]
    laws[0].setCurrentText("uniform(5, 15)")
    laws[0].activated.emit(laws[0].currentIndex())
    choose(popup, "keep", "with its variables kept")
    type_into(popup, "processes", "3")
    (churn,) = now(window).churn
    assert (str(churn.lifetime), churn.keep, churn.processes) == ("uniform(5, 15)", True, ("3",))
    type_into(popup, "downtime", "")
    assert now(window).churn[0].downtime is None
    assert window.panel.by_itself.hint.text() == "until 60; 3 crashes for good before 60"
    assert len(now(window).traffic) == 1


def test_errors_are_shown_and_invalid_values_refused(qtbot: QtBot, window: MainWindow, popup: ByItselfPopup) -> None:
    qtbot.mouseClick(popup.add_traffic, LEFT)
    before = now(window)
    for key, wrong, words in (
        ("arrivals", "expnential(mean=3)", "One every: "),
        ("until", "soon", "Until: must be a number such as 200, not 'soon'"),
        ("processes", "0, 77", "Sent to: there is no process '77'"),
        ("field:topic", "zipf(0)", "topic: values cannot be chosen at random from 'zipf(0)'"),
    ):
        right = popup.form.read()[key]
        type_into(popup, key, wrong)
        assert popup.problem.isVisible() and popup.problem.text().startswith(words) and not popup.explained.isVisible()
        assert now(window) is before
        type_into(popup, key, right)
        assert not popup.problem.isVisible() and popup.explained.isVisible()
    assert now(window) == before


def test_chosen_entries_are_saved_and_used_in_both_kinds_of_run(
    qtbot: QtBot, window: MainWindow, popup: ByItselfPopup, tmp_path: Path
) -> None:
    qtbot.mouseClick(popup.add_traffic, LEFT)
    type_into(popup, "arrivals", "uniform(2, 6)")
    qtbot.mouseClick(popup.add_churn, LEFT)
    type_into(popup, "lifetime", "exponential(mean=20)")
    popup.close()
    session = window.session
    session.change("when to stop", stop=Stop())
    ran(qtbot, window)
    experiment = now(window)
    window.documents.save_to(tmp_path / "saved.toml")
    saved = read(tmp_path / "saved.toml")
    assert (saved.traffic, saved.churn) == (experiment.traffic, experiment.churn)
    plain = Simulator(saved).run()
    assert session.shown is not None and session.shown.trace.fingerprint() == plain.fingerprint
    kinds = [each.do for each in saved.resolve().drawn]
    assert kinds.count("command") >= 10 and "crash" in kinds and "recover" in kinds
    session.live.run()
    qtbot.waitUntil(lambda: window.playhead.playing, timeout=20_000)
    window.playhead.set_speed(1000.0)
    window.playhead.play()
    qtbot.waitUntil(lambda: session.live.quiet, timeout=20_000)
    timeline = window.playhead.timeline
    assert timeline is not None and timeline.trace.fingerprint() == plain.fingerprint
    session.live.switch(False)
    qtbot.waitUntil(lambda: not session.live.on, timeout=20_000)


def test_a_protocol_without_commands_can_have_churn(qtbot: QtBot, window: MainWindow, popup: ByItselfPopup) -> None:
    qtbot.mouseClick(popup.add_traffic, LEFT)
    popup.close()
    window.panel.set_protocol("echo")
    assert now(window).traffic == ()
    assert window.panel.by_itself.hint.text() == "processes that crash and recover: click to add"
    qtbot.mouseClick(window.panel.by_itself, LEFT)
    assert not popup.add_traffic.isEnabled() and popup.add_churn.hasFocus()
    assert popup.why.text() == "Echo has no commands for users, but its processes can crash and recover."
    qtbot.mouseClick(popup.add_churn, LEFT)
    assert isinstance(now(window).churn[0], Churn)
