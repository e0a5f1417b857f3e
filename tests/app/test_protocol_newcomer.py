"""A newcomer writes a protocol: the steps of "Your own protocols", followed literally with mouse and keys.

The steps are those in ``resources/guide/own-protocols.md``; the page and this test must be changed together.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.protocol.workspace import ProtocolWorkspace
from lydian.app.window.mainwindow import MainWindow
from lydian.cli import main
from lydian.desk.guide.pages import guide
from tests.app.test_newcomer import Hand, menu, tab

Open = Callable[..., MainWindow]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

#: The code written by hand: a line of the text, whether it is replaced or followed, and the new code.
WRITTEN = (
    ("    state = IDLE", "after", "distance: int = 0"),
    ("        self.state = INFORMED", "after", "self.distance = m.hops"),
    ("                self.send(News(hops=0), to=r)", "instead", "self.send(News(hops=m.hops + 1), to=r)"),
)


def type_text(hand: Hand, text: str) -> None:
    """Type letters into the focused widget."""
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, text)
    hand.keys += len(text)


def button(where: QWidget, words: str) -> QPushButton:
    (found,) = [each for each in where.findChildren(QPushButton) if each.text() == words and each.isVisible()]
    return found


def write_line(w: ProtocolWorkspace, hand: Hand, line: str, how: str, text: str, *, within: str = "") -> None:
    """Click a line of the code and type after it, or replace it."""
    edit = w.code.text
    at = w.document.source.index(within) if within else 0
    block = edit.document().findBlock(w.document.position(w.document.source.index(line, at)))
    edit.setTextCursor(QTextCursor(block))
    edit.centerCursor()
    box = edit.cursorRect(edit.textCursor())
    hand.click(edit.viewport(), QPoint(edit.viewport().width() // 2, box.center().y()))
    assert edit.textCursor().block().text() == line
    hand.press("End")
    if how == "after":
        hand.press("Return")
    else:
        hand.press("Shift+Home")
    type_text(hand, text)
    assert edit.textCursor().block().text().strip() == text, edit.textCursor().block().text()


@pytest.mark.slow
def test_a_newcomer_writes_a_protocol(open_window: Open, qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> None:
    window = open_window(size=(1280, 800))
    hand = Hand(window, qtbot)

    # steps 1 to 4: the page
    tab(window, hand, "Protocol")
    menu(window, hand, "Protocol", "New protocol…")
    w = window.workspaces.protocols.workspace
    assert w is not None and w.page is not None and window.workspaces.current == "protocol"
    assert w.page.name.line.hasFocus()
    type_text(hand, "Gossip")
    hand.click(w.page.events["message"].line)
    hand.press("End")
    type_text(hand, "(hops: int)")
    grid = w.page.table.grid
    hand.click(grid.viewport(), grid.visualRect(grid.model().index(1, 1)).center())
    type_text(hand, "choose later")
    hand.press("Return")
    hand.click(w.page.create_button)
    assert w.document.path is not None and w.document.path.name == "gossip.py" and w.code.isVisible()
    assert w.document.outline.cell("informed", "News").kind == "impossible" and w.top.chips["open"].isVisible()

    # step 5: the run stops at the open cell
    hand.press("F5")
    qtbot.waitUntil(lambda: w.runs.failure is not None, timeout=20_000)
    assert window.workspaces.current == "protocol" and w.moment.isVisible()
    assert "no action is declared for News in the state informed" in w.failed_bar.text
    hand.click(w.moment.buttons["keep"])
    assert [test.name.split(" from ")[0] for test in w.kept.tests] == ["News"]

    # step 6: the cell is filled in place
    hand.click(button(w.failed_bar, "Ignore it"))
    assert w.document.outline.cell("informed", "News").kind == "ignore"
    hand.press("F5")
    qtbot.waitUntil(lambda: window.workspaces.current == "run" and window.playhead.playing, timeout=20_000)
    hand.press("End")
    shown = window.session.shown
    assert shown is not None and shown.problem is None
    assert all(check["holds"] for check in shown.result["checks"])

    # step 7: three lines by hand
    hand.press("Ctrl+Alt+3")
    assert window.workspaces.current == "protocol"
    for line, how, text in WRITTEN:
        write_line(w, hand, line, how, text, within="def hear" if "distance" not in text or "m." in text else "")
    w.document.reread()
    assert w.document.problems == () and [v.name for v in w.document.outline.variables] == ["distance"]

    # step 8: three networks
    hand.press("Ctrl+Alt+W")
    qtbot.waitUntil(lambda: w.results.isVisible() and not w.results.runs.busy, timeout=60_000)
    assert [attempt.good for attempt in w.results.runs.attempts] == [True] * 3
    assert w.steps.done["runs"] and w.document.counts is not None and w.document.counts["informed", "News"] > 0

    # step 9: the failed run is checked again
    hand.press("Ctrl+Alt+R")
    qtbot.waitUntil(lambda: w.kept.all_good is not None, timeout=60_000)
    assert w.kept.all_good
    assert main(["check", str(w.document.path)]) == 0
    assert "1 kept run, all as expected" in capsys.readouterr().out

    page = (guide() / "own-protocols.md").read_text(encoding="utf-8")
    for _line, _how, text in WRITTEN:
        assert text in page
    own = len(WRITTEN)  # one click for each line written
    assert f"{hand.mouse - own} clicks and three lines typed by hand" in page, vars(hand)


def test_the_page_uses_the_names_of_the_menu_commands() -> None:
    from lydian.app.commands.table import commands, key_text
    from lydian.app.protocol.checking.failing import BUTTONS

    page = (guide() / "own-protocols.md").read_text(encoding="utf-8")
    mine = [command for command in commands() if command.menu == "&Protocol"]
    for command in mine:
        words = command.text.replace("&", "").rstrip("…")
        assert words in page, words
        assert not command.keys or f"`{key_text(command)}`" in page, command.keys
    for words, _icon, _tip in BUTTONS.values():
        assert f"*{words}*" in page, words
