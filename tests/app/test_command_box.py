"""Ctrl+K: everything with a name can be found, previewed and used by keys alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.panels.box import entries, preview, results
from lydian.app.panels.box.box import CommandBox
from lydian.app.panels.box.entries import Sources
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.playhead import Playhead
from lydian.desk.things import Thing, Things
from lydian.model.finding import Document

Open = Callable[..., MainWindow]
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
CTRL = Qt.KeyboardModifier.ControlModifier


def asked(qtbot: QtBot, window: MainWindow, text: str) -> CommandBox:
    """Open the box with Ctrl+K, wait for the archive, type a text, and return the box."""
    qtbot.keyClick(window.stage.canvases["basic"], Qt.Key.Key_K, CTRL)
    box = window.finder.box
    assert box.isVisible()
    qtbot.waitUntil(lambda: not window.finder.reading.busy, timeout=20_000)
    qtbot.keyClicks(box.field, text)
    return box


def test_everything_can_be_found_and_run_by_keys_alone(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1280, 720))
    head = window.playhead
    timeline = head.timeline
    assert timeline is not None

    box = asked(qtbot, window, "5")
    assert box.texts[0] == "Process 5"
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert not box.isVisible() and head.selection.processes == {5}
    assert window.stage.canvases["basic"].hasFocus()  # the focus returns

    box = asked(qtbot, window, "#40")
    assert len(box.texts) == 1
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert head.selection.event == 40 and head.t == float(timeline.time[40])

    box = asked(qtbot, window, "7 receives broadcast")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    event = head.selection.event
    assert event is not None and timeline.processes[timeline.process[event]] == "7"
    assert timeline.labels[timeline.label[event]] == "Broadcast"

    box = asked(qtbot, window, "pending of 3")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert head.selection.processes == {3} and not window.stage.docks["step"].isHidden()

    before = window.actions_by_name["loop"].isChecked()
    box = asked(qtbot, window, ">loop")
    assert box.texts[0] == "Loop"
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert window.actions_by_name["loop"].isChecked() != before
    box = asked(qtbot, window, "")
    assert box.texts[0] == "Loop"  # the most recently used command is first
    qtbot.keyClick(box.field, Qt.Key.Key_Escape)
    assert not box.isVisible()

    box = asked(qtbot, window, "?look")
    assert {each.kind for each in box.list.entries} == {"page"}
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert not window.stage.docks["help"].isHidden()

    box = asked(qtbot, window, "echo crash")
    assert (box.texts[0], box.preview.title.text()) == ("Echo: crash", "Echo: crash")
    qtbot.keyClick(box.field, Qt.Key.Key_Return, CTRL)  # opened without running at once
    experiment = window.session.experiment
    assert experiment is not None and experiment.name == "echo-crash"
    qtbot.keyClick(window.stage.canvases["basic"], Qt.Key.Key_K, CTRL)
    assert box.texts[0] == "Echo: crash"
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))  # beside the box
    assert not box.isVisible()


THINGS = Things(
    tuple(
        (
            Thing(kind, name, name.capitalize(), f"About {name}.", facts=(("Network", "ring"),)),
            Document(((name, 100.0), (f"About {name}.", 20.0))),
        )
        for kind, name in (
            ("protocol", "raft"),
            ("experiment", "raft partition"),
            ("experiment", "raft crash"),
            ("lesson", "majority"),
            ("network", "ring:8"),
        )
    )
)


@pytest.fixture
def box(qtbot: QtBot) -> Iterator[CommandBox]:
    undo, loop = QAction("&Undo"), QAction("&Loop")
    undo.setEnabled(False)
    undo.setStatusTip("Undo the last change")
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1100, 700)
    window.show()
    made: list[tuple[str, str]] = []
    sources = Sources(
        Playhead(), {"undo": undo, "loop": loop}, lambda thing: made.append(("run", thing.key)),
        lambda thing: made.append(("look", thing.key)), lambda: None, things=THINGS,
        suggested=(("experiment", "raft crash"),),
    )  # fmt: skip
    box = CommandBox(sources, Theme("light"), window)
    box.made = made  # type: ignore[attr-defined]
    undo.setParent(box)
    loop.setParent(box)
    box.open()
    yield box
    window.close()


def headings(box: CommandBox) -> list[str]:
    return [group.heading for group in box.sources.groups(box.field.text(), box.only)[0]]


def test_the_best_comes_first_and_then_the_kinds(box: CommandBox, qtbot: QtBot) -> None:
    box.field.setText("raft")
    assert box.texts == ["Raft", "Raft partition", "Raft crash"]
    assert headings(box) == ["Best", "Experiments"] and box.count.text() == "3 found"
    assert box.preview.run.text().startswith("Run it")
    box.field.setText("raft partiton")
    assert box.texts[0] == "Raft partition" and box.hint.text() == "Taken for “partition”"
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert box.made == [("run", "raft partition")]
    box.open()
    assert box.texts[0] == "Raft partition" and headings(box)[0] == "Recent"


def test_tab_limits_the_kind_and_the_arrows_skip_headings(box: CommandBox, qtbot: QtBot) -> None:
    box.field.setText("raft")
    qtbot.keyClick(box.field, Qt.Key.Key_Tab)
    qtbot.keyClick(box.field, Qt.Key.Key_Tab)
    assert box.only == "experiment" and box.texts == ["Raft partition", "Raft crash"]
    assert box.kind.text() == "Experiments" and not box.kind.isHidden()
    qtbot.keyClick(box.field, Qt.Key.Key_Up)
    assert box.list.entry.text == "Raft crash"
    qtbot.keyClick(box.field, Qt.Key.Key_Down)
    assert box.list.entry.text == "Raft partition"
    box.field.clear()
    qtbot.keyClick(box.field, Qt.Key.Key_Backspace)
    assert box.only == ""


def test_nothing_found_is_said_and_three_similar_ones_are_offered(box: CommandBox, qtbot: QtBot) -> None:
    box.field.setText("rfat crsh majorty")
    assert box.count.text() == "No results for “rfat crsh majorty”"
    assert len(box.texts) == 3 and headings(box) == ["Nothing found; these are similar"]
    box.field.setText("xyzzyx")
    assert len(box.texts) == 3
    box.field.clear()
    assert headings(box) == ["To begin with", "Commands"] and box.texts[0] == "Raft crash"


def test_an_unavailable_command_says_why_and_does_nothing(box: CommandBox, qtbot: QtBot) -> None:
    box.field.setText("undo")
    assert box.list.entry.why == "no change to undo" and not box.preview.run.isEnabled()
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert box.isVisible()
    box.field.setText("ring")
    assert box.list.entry.look is None and box.preview.look.isHidden()  # ring:8 is in no file


def test_the_preview_gives_way_in_a_narrow_window(box: CommandBox) -> None:
    assert box.preview.isVisible()
    box.parentWidget().resize(640, 500)
    assert not box.preview.isVisible() and box.rect() == box.parentWidget().rect()


def test_every_kind_of_result_has_a_heading_an_icon_and_a_word_for_enter() -> None:
    assert set(entries.KINDS) == set(entries.HEADINGS) == set(results.ICONS) == set(preview.ENTER)
