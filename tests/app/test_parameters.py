"""The parameters of a protocol: read from its text and changed in the window, which never runs the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from lydian.app.panels.experiment.parameters import ParametersPopup
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.declared import card_text, declared, kept, limits_text
from lydian.model.archive.archive import archive
from lydian.model.protocol.process import Parameter
from tests.app.conftest import whole

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

COUNT = '''"""Count: passes a number on until it is used up.

It writes down that it was loaded, so that a test sees where."""
import os
from pathlib import Path

from lydian import INIT, Message, Process, on, parameter, states

with (Path(__file__).parent / "loaded.txt").open("a") as stream:
    stream.write(os.path.basename(os.path.realpath("/proc/self")) + "\\n")  # os.getpid() is refused

MOST = 9
IDLE, DONE = states("idle", "done")


class News(Message):
    left: int


class Count(Process):
    state = IDLE
    retries = parameter(5, minimum=1, maximum=MOST, help="how often it is passed on")
    patience = parameter(1.5, minimum=0)
    mode = parameter("fast", choices=("fast", "careful"), help="how it goes about it")
    answers: bool = parameter(True, help="whether it answers at all")
    greeting = parameter("hello")

    @on(IDLE, INIT)
    def start(self):
        self.state = DONE
        self.send(News(left=self.retries), to=self.neighbours[0])

    @on((IDLE, DONE), News)
    def hear(self, m, q):
        self.state = DONE
        if m.left > 1:
            self.send(News(left=m.left - 1), to=q)
'''


def messages(window: MainWindow) -> int:
    return int(window.session.shown.result["messages"])


def ran(qtbot: QtBot, window: MainWindow, count: int) -> None:
    qtbot.waitUntil(lambda: len(window.session.runs) >= count and whole(window), timeout=20_000)


# ---------------------------------------------------------------------- reading


def test_declared_parameters_are_read_from_the_text() -> None:
    found = declared(COUNT)
    assert list(found) == ["retries", "patience", "mode", "answers", "greeting"]
    assert found["retries"] == Parameter(5, 1, 9, None, "how often it is passed on", "retries")
    assert found["mode"].choices == ("fast", "careful")
    assert found["answers"].default is True


@pytest.mark.parametrize("name", ["echo", "flooding"])
def test_reading_the_text_agrees_with_loading_it(name: str) -> None:
    shelf = archive()
    real = shelf.protocol(name).parameters
    read = declared(shelf.find("protocols", name).read_text(encoding="utf-8"))
    assert set(read) == set(real)
    for each, one in real.items():
        got = read[each]
        assert (got.default, got.minimum, got.maximum, got.choices, got.help) == (
            one.default, one.minimum, one.maximum, one.choices, one.help,
        )  # fmt: skip


@pytest.mark.parametrize("text", ["", "class (", "x = 1", "class A:\n    k = parameter()\n", "\0"])
def test_a_text_without_declarations_has_no_parameters(text: str) -> None:
    assert not any(one.default is not None for one in declared(text).values())


def test_a_computed_default_accepts_any_value() -> None:
    one = declared("class A:\n    k = parameter(len('abc'), minimum=1)\n")["k"]
    assert one.default is None and one.checked("anything") == "anything"


def test_only_parameters_common_to_both_protocols_are_kept() -> None:
    other = "class A:\n    retries = parameter(2, maximum=4)\n    mode = parameter('x', choices=('x', 'fast'))\n"
    assert kept({"retries": 9, "mode": "fast", "greeting": "hi"}, other) == {"mode": "fast"}
    assert kept({"retries": 3}, other) == {"retries": 3}
    assert kept({"retries": 3}, "") == {}


def test_the_card_lists_changed_parameters() -> None:
    known = declared(COUNT)
    assert card_text({}, known)[0] == "Protocol defaults"
    assert card_text({"retries": 3, "answers": False}, known)[0] == "retries = 3, answers = no"
    assert card_text({"retries": 5}, known)[0] == "Protocol defaults"
    assert card_text({"foo": 1}, {})[0] == "foo = 1"


def test_the_limits_are_shown() -> None:
    known = declared(COUNT)
    assert limits_text(known["retries"]) == "How often it is passed on. From 1 to 9. Default: 5."
    assert limits_text(known["patience"]) == "At least 0. Default: 1.5."


# ---------------------------------------------------------------------- in the window


def test_parameters_are_changed_and_undone_without_running_the_protocol_in_the_window(
    qtbot: QtBot, open_window, tmp_path: Path
) -> None:
    import os

    (tmp_path / "count.py").write_text(COUNT, encoding="utf-8")
    window = open_window(tmp_path / "count.py", (1600, 900), "study")
    assert messages(window) == 5
    card, popup = window.panel.parameters, window.panel.parameter_list
    assert card.isVisible() and card.value.text() == "Protocol defaults"
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert popup.isVisible() and list(popup.rows) == ["retries", "patience", "mode", "answers", "greeting"]
    row = popup.rows["retries"]
    row.field.selectAll()
    qtbot.keyClicks(row.field, "12")
    assert "at most 9" in row.problem.text() and row.problem.isVisible()
    qtbot.keyClick(row.field, Qt.Key.Key_Return)
    assert window.session.experiment.parameters == {}
    row.field.selectAll()
    qtbot.keyClicks(row.field, "3")
    assert not row.problem.isVisible()
    qtbot.keyClick(row.field, Qt.Key.Key_Return)
    ran(qtbot, window, 2)
    assert messages(window) == 3 and window.session.experiment.parameters == {"retries": 3}
    assert card.value.text() == "retries = 3"
    mode = popup.rows["mode"].field
    assert isinstance(mode, QComboBox)
    mode.setCurrentIndex(1)
    mode.activated.emit(1)
    ran(qtbot, window, 3)
    assert window.session.experiment.parameters == {"retries": 3, "mode": "careful"}
    for each in popup.rows.values():
        for label in (each.help, each.problem):
            assert label.isHidden() or label.height() >= label.heightForWidth(label.width()), label.text()
    popup.close()
    assert window.session.undo.undo_text == "parameter mode"
    window.actions_by_name["undo"].trigger()
    ran(qtbot, window, 4)
    window.actions_by_name["undo"].trigger()
    ran(qtbot, window, 5)
    assert messages(window) == 5 and window.session.experiment.parameters == {}
    loaded = {int(line) for line in (tmp_path / "loaded.txt").read_text().split()}
    assert loaded and os.getpid() not in loaded


def test_an_empty_field_and_the_button_mean_the_default(qtbot: QtBot, tmp_path: Path) -> None:
    popup = ParametersPopup(None)  # type: ignore[arg-type]
    qtbot.addWidget(popup)
    told: list[object] = []
    popup.changed.connect(told.append)
    popup.open(popup, declared(COUNT), {"retries": 3, "greeting": "hi", "foo": 7})
    popup.rows["retries"].field.clear()
    popup.rows["retries"].field.editingFinished.emit()
    assert told[-1] == {"greeting": "hi", "foo": 7}
    assert "foo" in popup.drop.text() and not popup.drop.isHidden()
    popup.drop.click()
    assert told[-1] == {"greeting": "hi"}
    popup.reset.click()
    assert told[-1] == {} and not popup.reset.isEnabled()
    popup.close()


def test_another_protocol_keeps_only_the_parameters_it_declares(qtbot: QtBot, open_window, tmp_path: Path) -> None:
    (tmp_path / "count.py").write_text(COUNT, encoding="utf-8")
    (tmp_path / "less.py").write_text(COUNT.replace("    patience = parameter(1.5, minimum=0)\n", ""), encoding="utf-8")
    window = open_window(tmp_path / "count.py", (1600, 900), "study")
    window.panel.set_parameters({"retries": 2, "patience": 4.0})
    ran(qtbot, window, 2)
    window.panel.set_protocol(str(tmp_path / "less.py"))
    ran(qtbot, window, 3)
    assert window.session.experiment.parameters == {"retries": 2} and messages(window) == 2
    window.panel.set_protocol("echo")
    ran(qtbot, window, 4)
    assert window.session.experiment.parameters == {}
    assert window.session.shown.problem is None
