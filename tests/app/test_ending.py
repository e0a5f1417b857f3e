"""The end of a run in the window: why it failed beside the views, and what to try next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.panels.ending.ending import EndingPanel
from lydian.app.window.mainwindow import MainWindow
from lydian.authoring.ending import Ending, Line, Moment
from lydian.desk.runs.whatnext import Suggestion

Open = Callable[..., MainWindow]
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

STUCK = Ending(
    "stuck", "Stuck: 0 waits for 9.", "So nothing is ever true.", (9,), (0, 9), 20,
    (Moment(3, 1.0, "0 asks 9", "ask"), Moment(7, 2.0, "9 crashes", "fault", "fault")),
    Line(12, "ask", ((12, "def ask(self):"), (13, "    pass")), "0 waits for Ack"),
)  # fmt: skip


def played(qtbot: QtBot, window: MainWindow) -> None:
    """Play the last moment of the run."""
    head = window.playhead
    head.seek(head.end - 0.05)
    head.play()
    qtbot.waitUntil(lambda: not head.playing, timeout=20_000)


def test_the_panel_reads_downwards_and_every_line_leads_somewhere(qtbot: QtBot) -> None:
    panel = EndingPanel(Theme("light"))
    qtbot.addWidget(panel)
    panel.show_ending(
        STUCK, [("0", 1, False), ("9", 2, True)], "A red chain.", "echo.py",
        [Suggestion("No faults", "The same seed.", command="without_faults")], 20.0,
    )  # fmt: skip
    assert (panel.sentence.text(), panel.why.text()) == (STUCK.sentence, STUCK.why)
    assert panel.seen.text() == "A red chain." and panel.line_title.text() == "echo.py, ask()"
    with qtbot.waitSignal(panel.moment_wanted) as moment:
        panel.way.itemActivated.emit(panel.way.item(1))
    assert moment.args == [7]
    with qtbot.waitSignal(panel.line_wanted) as line:
        panel.open_line.click()
    assert line.args == [12]
    with qtbot.waitSignal(panel.shorten_wanted):
        panel.shorten.click()
    card = panel.findChild(type(panel._cards.itemAt(0).widget()))
    with qtbot.waitSignal(panel.chosen) as chosen:
        qtbot.keyClick(card, Qt.Key.Key_Return)
    assert chosen.args[0].command == "without_faults"
    with qtbot.waitSignal(panel.closed):
        qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert panel.isHidden()


def test_a_stuck_run_explains_itself_and_can_be_repeated_without_faults(qtbot: QtBot, open_window: Open) -> None:
    window = open_window("echo-crash", size=(1280, 720))
    head, panel = window.playhead, window.ending
    assert not panel.isVisible()
    played(qtbot, window)
    assert panel.isVisible() and not window.seen.isVisible()
    assert panel.sentence.text().startswith("Stuck: ")
    assert head.selection.processes == {9} and head.at_end
    scrubber, whole = window.bottom.scrubber, window.camera.whole
    qtbot.waitUntil(lambda: scrubber.outlook is not None, timeout=20_000)
    assert scrubber.outlook is not None and scrubber.outlook > head.end
    assert scrubber.span[1] > scrubber.outlook > whole[1] and window.camera.whole == whole
    box = scrubber.outlook_box()
    assert (box.left(), box.right()) == (scrubber.place(head.end), scrubber.place(scrubber.outlook))
    scrubber._hover(box.center().x(), box.center().y())
    assert scrubber.toolTip() == f"Without the faults it would have finished at {scrubber.outlook:.2f}"
    panel.way.itemClicked.emit(panel.way.item(2))
    assert head.t == 6.0 and panel.isVisible()
    panel.dismiss()
    window.actions_by_name["ending"].trigger()  # again, by keys alone
    assert panel.isVisible() and panel.way.hasFocus()
    window.desk.commands.do("without_faults")
    experiment = window.session.experiment
    assert experiment is not None and experiment.faults == () and experiment.seed == 291
    qtbot.waitUntil(lambda: not panel.isVisible(), timeout=20_000)


def test_a_good_end_says_what_one_should_have_seen(qtbot: QtBot, open_window: Open) -> None:
    window = open_window("two-wings", size=(1280, 720))
    window.actions_by_name["ending"].trigger()
    assert window.seen.isVisible() and not window.ending.isVisible()
    assert window.seen.seen.text().startswith("In the network view, thick red links")
    window.seen.dismiss()
    assert not window.seen.isVisible()
