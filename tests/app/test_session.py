"""Changing, running, opening and saving experiments: effects, notices, and no loss of data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.app.window.mainwindow import MainWindow
from lydian.model.archive.archive import archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, read
from lydian.model.generators import from_spec
from lydian.model.network.netfile import save as save_network
from lydian.trace.parquet.file import load as load_trace
from tests.app.conftest import whole

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

LOOP = '''"""Loop: never ends."""
from lydian import INIT, Process, on, states

START, DONE = states("start", "done")


class Loop(Process):
    state = START

    @on(START, INIT)
    def go(self):
        while True:
            pass
'''


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    made = make_window()
    qtbot.addWidget(made)
    made.resize(1600, 900)
    with qtbot.waitExposed(made):
        made.show()
    made.looks.arrange("study")
    ran(qtbot, made, 1)
    yield made
    made.close()


def ran(qtbot: QtBot, window: MainWindow, count: int) -> None:
    """Wait until a given number of runs have been made."""
    qtbot.waitUntil(lambda: len(window.session.runs) >= count and whole(window), timeout=20_000)


def said(qtbot: QtBot, window: MainWindow) -> str:
    """Wait for a notice in the bar and return its text."""
    qtbot.waitUntil(lambda: bool(window.notice.text), timeout=20_000)
    return window.notice.text


def test_the_window_and_the_command_line_give_the_same_run(window: MainWindow) -> None:
    from lydian.engine.simulator import Simulator

    plain = Simulator(archive().experiment("two-wings"))
    plain.run()
    assert window.session.shown.trace.fingerprint() == plain.trace.fingerprint()


@pytest.mark.slow
def test_another_seed_runs_at_once_and_undo_restores_the_old_run(qtbot: QtBot, window: MainWindow) -> None:
    first = window.session.shown.trace.fingerprint()
    window.playhead.seek(5.0)
    window.panel.seed.field.setValue(290)
    ran(qtbot, window, 2)
    assert window.playhead.position == 0
    second = window.session.shown.trace.fingerprint()
    assert first != second
    assert window.session.undo.undo_text == "seed 290"
    window.actions_by_name["undo"].trigger()
    ran(qtbot, window, 3)
    assert window.panel.seed.field.value() == 291
    assert window.session.shown.trace.fingerprint() == first
    window.actions_by_name["redo"].trigger()
    ran(qtbot, window, 4)
    assert window.session.shown.trace.fingerprint() == second


def test_a_change_keeps_playback_and_the_selected_process(qtbot: QtBot, window: MainWindow) -> None:
    from lydian.views.selection import Hit

    window.playhead.pick(Hit("process", 6))
    window.playhead.play()
    window.panel.set_seed(7)
    ran(qtbot, window, 2)
    assert window.playhead.playing
    assert window.playhead.selection.processes == {6}


def test_the_dice_button_gives_another_seed(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.mouseClick(window.panel.seed.dice, Qt.MouseButton.LeftButton)
    ran(qtbot, window, 2)
    assert window.session.experiment.seed != 291


def test_an_earlier_run_is_restored_with_its_experiment(qtbot: QtBot, window: MainWindow) -> None:
    window.panel.set_seed(5)
    ran(qtbot, window, 2)
    rows = window.panel.runs
    assert [rows.topLevelItem(i).text(0) for i in range(2)] == ["seed 5", "seed 291"]
    assert rows.topLevelItem(0).text(1) == "46 msg"
    rows.itemClicked.emit(rows.topLevelItem(1), 0)
    assert window.session.experiment.seed == 291
    assert window.playhead.timeline.trace is window.session.runs[1].trace


def test_a_generator_may_be_typed_as_the_network(qtbot: QtBot, window: MainWindow) -> None:
    popup = window.panel.networks
    qtbot.mouseClick(window.panel.network, Qt.MouseButton.LeftButton)
    assert popup.isVisible() and popup.list.count() > 12
    qtbot.keyClicks(popup.field, "ring:6")
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    ran(qtbot, window, 2)
    assert not popup.isVisible()
    assert window.playhead.timeline.n == 6
    assert window.panel.network.hint.text() == "6 processes, 6 links"


def test_the_list_of_networks_filters_and_enter_chooses_the_first(qtbot: QtBot, window: MainWindow) -> None:
    popup = window.panel.networks
    popup.open(window.panel.network, "")
    qtbot.keyClicks(popup.field, "petersen")
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    ran(qtbot, window, 2)
    assert window.session.experiment.network == "petersen"


def test_a_network_that_does_not_exist_changes_nothing(qtbot: QtBot, window: MainWindow) -> None:
    before = window.session.experiment
    window.panel.set_network("ring:minus")
    assert "ring" in said(qtbot, window)
    assert window.session.experiment is before and len(window.session.runs) == 1


def test_another_protocol_can_be_chosen(qtbot: QtBot, window: MainWindow) -> None:
    window.panel.set_protocol("flooding")
    ran(qtbot, window, 2)
    assert window.session.shown.result["protocol"] == "flooding"
    for canvas in window.stage.canvases.values():
        canvas.repaint()
        assert canvas.trouble is None


def test_a_delay_distribution_is_checked_while_typing(qtbot: QtBot, window: MainWindow) -> None:
    popup = window.panel.timings
    qtbot.mouseClick(window.panel.timing, Qt.MouseButton.LeftButton)
    popup.delay.clear()
    qtbot.keyClicks(popup.delay, "exponental(mean=2)")
    assert "exponential" in popup.problem.text() and popup.problem.isVisible()
    assert window.session.experiment.timing.delay is None
    popup.delay.clear()
    qtbot.keyClicks(popup.delay, "exponential(mean=2)")
    assert not popup.problem.isVisible() and "nine in ten" in popup.explained.text()
    qtbot.keyClick(popup.delay, Qt.Key.Key_Return)
    ran(qtbot, window, 2)
    assert window.session.experiment.timing.delay == parse("exponential(mean=2)")
    assert window.panel.timing.value.text() == "Exponential, mean 2"
    popup.close()


def test_a_fault_is_added_and_removed(qtbot: QtBot, window: MainWindow) -> None:
    popup = window.panel.fault_list
    window.playhead.seek(5.0)
    qtbot.mouseClick(window.panel.faults, Qt.MouseButton.LeftButton)
    assert popup.when.value() == 5.0
    popup.where.setText("9")
    popup.add.click()
    ran(qtbot, window, 2)
    assert window.panel.faults.value.text() == "process 9 crashes at 5"
    assert [mark.text for mark in window.bottom.scrubber.marks if mark.sign == "fault"] == ["process 9 crashes"]
    popup.remove.click()
    ran(qtbot, window, 3)
    assert window.panel.faults.value.text() == "None" and not window.session.experiment.faults
    popup.close()


def test_a_fault_at_an_unknown_process_is_reported_in_one_sentence(qtbot: QtBot, window: MainWindow) -> None:
    from lydian.model.interventions import Intervention

    window.session.change("faults", faults=(Intervention(1.0, "crash", process="99"),))
    assert "99" in said(qtbot, window)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: not window.notice.text, timeout=20_000)


def test_a_stop_time_ends_the_run_earlier(qtbot: QtBot, window: MainWindow) -> None:
    popup = window.panel.stop_list
    popup.open(window.panel.stops, window.session.experiment.stop)
    popup.until.setValue(4.0)
    popup.until.editingFinished.emit()
    ran(qtbot, window, 2)
    assert window.session.shown.result["stopped"] == "until"
    assert window.playhead.end <= 4.0
    popup.close()


def test_run_starts_playback(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_name["run"].trigger()
    ran(qtbot, window, 2)
    assert window.playhead.playing


@pytest.mark.slow
def test_a_protocol_that_never_ends_is_stopped_and_the_window_responds(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "loop.py").write_text(LOOP, encoding="utf-8")
    window.documents.open(tmp_path / "loop.py")
    qtbot.waitUntil(lambda: window.session.worker.busy)
    qtbot.wait(100)
    assert window.status.stop.isVisible()
    window.actions_by_name["stop"].trigger()
    assert "stopped" in said(qtbot, window)
    assert not window.session.worker.busy
    window.actions_by_name["undo"].trigger()
    ran(qtbot, window, 2)
    assert window.session.shown.result["messages"] == 46


def test_a_simulator_crash_leaves_the_window_running(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    text = LOOP.replace("while True:\n            pass", "import ctypes; ctypes.CDLL(None)._exit(3)")
    (tmp_path / "dies.py").write_text(text, encoding="utf-8")
    window.documents.open(tmp_path / "dies.py")
    assert "your work is safe" in said(qtbot, window)


def test_an_action_that_fails_shows_the_run_up_to_there(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    text = LOOP.replace("while True:\n            pass", "self.note('here'); 1 / 0")
    (tmp_path / "fails.py").write_text(text, encoding="utf-8")
    window.documents.open(tmp_path / "fails.py")
    sentence = said(qtbot, window)
    assert "fails.py" in sentence and "line" in sentence and "Traceback" not in sentence
    ran(qtbot, window, 2)
    assert window.session.shown.problem


BAD_FILES = {
    "broken.toml": b"protocol = ",
    "empty.toml": b"",
    "binary.json": bytes(range(256)) * 20,
    "links.json": b'{"nodes": [{"id": "a"}], "links": [{"source": "a", "target": "z"}]}',
    "cut.parquet": b"PAR1" + b"\0" * 40,
    "unknown.toml": b'protocol = "echo"\nnetwork = "nowhere"\nsede = 3\n',
    "text.dat": b"hello",
}


def test_bad_files_are_reported_and_nothing_is_lost(window: MainWindow, tmp_path: Path) -> None:
    before, shown = window.session.experiment, window.session.shown
    window.playhead.seek(3.0)
    for name, content in BAD_FILES.items():
        (tmp_path / name).write_bytes(content)
        assert not window.documents.open(tmp_path / name)
        assert name in window.notice.text and "\n" not in window.notice.text
        assert window.session.experiment is before and window.session.shown is shown
        assert window.playhead.t == 3.0
        assert (tmp_path / name).read_bytes() == content


def test_a_missing_file_is_reported_in_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    assert not window.documents.open(tmp_path / "nowhere.toml")
    assert "nowhere.toml" in window.notice.text


def test_dropping_a_network_file_changes_the_network(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    save_network(from_spec("star:5"), tmp_path / "mine.json")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "mine.json"))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(50, 50), copy, data, left, none))
    ran(qtbot, window, 2)
    assert window.playhead.timeline.n == 5
    assert window.session.experiment.protocol == "echo"


def test_an_experiment_is_saved_and_reopened(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.panel.set_seed(17)
    ran(qtbot, window, 2)
    assert window.isWindowModified()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(tmp_path / "mine"), ""))
    window.actions_by_name["save"].trigger()
    assert read(tmp_path / "mine.toml").seed == 17
    assert not window.isWindowModified()
    window.panel.set_seed(18)
    window.actions_by_name["save"].trigger()
    assert read(tmp_path / "mine.toml").seed == 18
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(tmp_path / "mine.toml"), ""))
    window.actions_by_name["open"].trigger()
    assert window.session.path == tmp_path / "mine.toml"
    ran(qtbot, window, 1)


def test_a_failed_save_is_reported_in_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    assert not window.documents.save_to(tmp_path / "no" / "folder" / "x.toml")
    assert "x.toml" in window.notice.text


def test_a_trace_is_saved_and_reopened(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(tmp_path / "run"), ""))
    window.actions_by_name["save_trace"].trigger()
    fingerprint = window.session.shown.trace.fingerprint()
    assert load_trace(tmp_path / "run.parquet").fingerprint() == fingerprint
    assert window.documents.open(tmp_path / "run.parquet")
    assert window.session.shown.trace.fingerprint() == fingerprint
    assert window.session.experiment.seed == 291
    window.panel.set_seed(4)
    ran(qtbot, window, 2)
    assert window.session.shown.trace.fingerprint() != fingerprint


def test_damage_to_a_trace_is_reported(window: MainWindow, tmp_path: Path) -> None:
    whole = window.session.shown.file.read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    window.documents.open(tmp_path / "cut.parquet")
    assert window.notice.text


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_view_can_be_saved_as_a_picture(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    window.playhead.seek(4.0)
    for canvas in window.stage.canvases.values():
        path = tmp_path / f"{canvas.spec.name}{ending}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, path=path: (str(path), ending))
        window.stage.save_picture(canvas)
        assert path.stat().st_size > 2000, window.notice.text


def test_an_experiment_with_its_own_network_runs_unsaved(qtbot: QtBot) -> None:
    made = make_window(Experiment("mine", protocol="echo", network=from_spec("tree:7"), seed=3))
    qtbot.addWidget(made)
    made.show()
    ran(qtbot, made, 1)
    assert made.playhead.timeline.n == 7
    made.close()


def test_an_unreadable_file_at_the_start_leaves_the_example(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("protocol = ", encoding="utf-8")
    made = make_window(tmp_path / "bad.toml")
    qtbot.addWidget(made)
    made.show()
    ran(qtbot, made, 1)
    assert "bad.toml" in made.notice.text
    assert made.session.experiment.name == "two-wings"
    made.close()


def test_a_protocol_failing_at_the_start_never_runs_in_the_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "odd.py").write_text("from lydian import Process\nraise SystemExit\n", encoding="utf-8")
    window.documents.open(tmp_path / "odd.py")
    assert "odd.py" in said(qtbot, window) or "your work is safe" in window.notice.text
