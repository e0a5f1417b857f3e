"""Problems, completion, help, navigation and renaming in the code editor with keys and mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip
from pytestqt.qtbot import QtBot

from lydian.app.kit.theming import set_theme_of
from lydian.app.look.theme import Theme
from tests.app.codedesk import SOURCE, WRONG, Key, Mod, Open, desks

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Open]:
    yield from desks(qtbot)


def test_a_problem_is_marked_explained_and_fixed(desk: Open) -> None:
    d = desk()
    assert [each.line for each in d.document.problems] == [WRONG]
    assert d.text.marks.worst(WRONG - 1) == "error"
    d.key(Key.Key_F8)
    assert d.text.place() == (WRONG, 8)
    band = d.text.problems.band
    assert band is not None and band.isVisible()
    assert band.labels[0].text() == "Tell has no variable 'herd' (did you mean 'heard'?)"
    below, here = d.pixel(WRONG + 1, 0).y(), d.pixel(WRONG, 0).y()
    assert below - here >= band.height() + d.text.fontMetrics().height(), "the lines below make room"
    assert here < band.geometry().top() and band.geometry().bottom() < below
    d.key(Key.Key_Return, Mod.AltModifier)
    assert d.line(WRONG) == "        self.heard.add(q)"
    assert d.document.problems == () and d.text.problems.band is None
    assert d.pixel(WRONG + 1, 0).y() - d.pixel(WRONG, 0).y() < 40, "the room has closed"
    d.key(Key.Key_F8)
    assert d.said[-1] == "no problems: the protocol can be run"
    d.key(Key.Key_Z, Mod.ControlModifier)
    assert d.line(WRONG) == "        self.herd.add(q)"


@pytest.mark.slow
def test_the_sentence_appears_when_the_cursor_rests(desk: Open) -> None:
    d = desk()
    d.at(WRONG, 3)
    assert d.text.problems.band is None
    d.qtbot.waitUntil(lambda: d.text.problems.band is not None)
    band = d.text.problems.band
    button = band.findChild(QPushButton) if band is not None else None
    assert button is not None and button.accessibleName() == "Write heard"
    d.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "heard.add" in d.line(WRONG)
    assert d.text.hasFocus()
    d.at(3)
    assert d.text.problems.band is None


def test_the_sentence_waits_while_a_line_is_incomplete(desk: Open) -> None:
    d = desk()
    d.at(25)
    d.key(Key.Key_Return)
    d.type("if self.state == ")
    d.document.reread()
    assert d.text.completer_.open and d.text.marks.worst(25) == "error"
    d.text.problems.show_band()
    assert d.text.problems.band is None, "not while something is offered"
    d.key(Key.Key_Escape)
    d.text.problems.show_band()
    assert d.text.problems.band is not None


def test_the_lamp_in_the_margin_fixes_a_problem(desk: Open) -> None:
    d = desk()
    y = d.pixel(WRONG, 0).y()
    d.qtbot.mouseClick(d.text.gutter, Qt.MouseButton.LeftButton, pos=QPoint(6, y))
    assert "heard.add" in d.line(WRONG)
    assert "herd" not in d.text.gutter.tip(WRONG - 1, 2)


def test_marks_move_with_their_lines_while_typing(desk: Open) -> None:
    d = desk()
    d.editor.set_breaks([20])
    d.at(2)
    d.key(Key.Key_Return)
    assert d.text.marks.worst(WRONG) == "error", "before the text is read again"
    assert d.editor.breaks == (21,)
    d.key(Key.Key_Z, Mod.ControlModifier)
    assert d.editor.breaks == (20,) and d.text.marks.worst(WRONG - 1) == "error"


def test_new_problems_appear_after_a_pause_in_typing(desk: Open) -> None:
    d = desk()
    d.at(25)
    d.type("x")
    assert [each.line for each in d.document.problems] == [WRONG]
    d.qtbot.waitUntil(lambda: [each.line for each in d.document.problems] == [25])
    assert d.text.marks.worst(24) == "error"


def test_completion_follows_self_and_a_dot(desk: Open) -> None:
    d = desk()
    d.at(25)
    d.key(Key.Key_Return)
    d.type("self.")
    offers = d.text.completer_
    assert offers.open and {"heard", "tell", "send", "neighbours"} <= set(offers.words())
    assert offers.help.text()
    d.type("se")
    assert offers.words() == ["send", "set_timer"] or "send" in offers.words()
    d.key(Key.Key_Return)
    assert d.line(26) == "        self.send()" and not offers.open
    assert d.text.place() == (26, 18)
    assert d.text.hovers.label.isVisible() and "<b><u>" in d.text.hovers.label.text()
    d.type("News(")
    assert "text" in d.text.hovers.label.text()
    d.key(Key.Key_Escape)
    assert not d.text.hovers.label.isVisible()


def test_completion_never_intercepts_enter(desk: Open) -> None:
    d = desk()
    d.at(25)
    d.key(Key.Key_Return)
    d.type("self.tell")
    assert not d.text.completer_.open, "only what stands there already would fit"
    d.key(Key.Key_Return)
    assert d.line(26) == "        self.tell" and d.line(27).strip() == ""
    d.type("self.")
    d.key(Key.Key_Escape)
    assert not d.text.completer_.open
    d.key(Key.Key_Return)
    assert d.line(27).strip() == "self."
    d.put('"""A text.|\n"""\n')
    d.type(" It ends self.")
    assert not d.text.completer_.open


def test_an_action_can_be_completed(desk: Open) -> None:
    d = desk()
    d.at(26, 0)
    d.key(Key.Key_Return)
    d.type("    @")
    assert d.text.completer_.words()[0] == "on"
    d.key(Key.Key_Tab)
    assert d.line(27) == "    @on()"
    assert {"IDLE", "DONE", "ANY"} <= set(d.text.completer_.words())
    d.type("DO")
    d.key(Key.Key_Tab)
    d.type(", ")
    assert d.text.completer_.words()[:1] == ["News"]
    d.qtbot.mouseClick(
        d.text.completer_.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=d.text.completer_.list.visualItemRect(d.text.completer_.list.item(0)).center(),
    )
    assert d.line(27) == "    @on(DONE, News)"


def test_ctrl_space_offers_all_completions(desk: Open) -> None:
    d = desk()
    d.at(25)
    d.key(Key.Key_Return)
    d.key(Key.Key_Space, Mod.ControlModifier)
    offers = d.text.completer_
    assert {"News", "IDLE", "m", "q"} <= set(offers.words())
    first = offers.list.currentRow()
    d.key(Key.Key_Down)
    assert offers.list.currentRow() == first + 1
    d.key(Key.Key_Up)
    d.key(Key.Key_Left)
    assert not offers.open


def test_hovering_shows_help(desk: Open) -> None:
    d = desk()
    d.text.go(30, 0)
    line, column = d.find("self.send(m, to=q)")
    d.qtbot.mouseMove(d.text.viewport(), d.pixel(line, column + 7))
    d.qtbot.waitUntil(lambda: "self.send(" in QToolTip.text())
    line, column = d.find("herd")
    assert "did you mean" in d.text.hovers.said(line, column + 1)
    assert d.text.hovers.said(1, 5) == ""


def test_f1_requests_the_page_of_a_word(desk: Open) -> None:
    d = desk()
    d.at(*d.find("neighbours"))
    with d.qtbot.waitSignal(d.editor.help_wanted) as asked:
        d.key(Key.Key_F1)
    assert asked.args == ["neighbours"]


def test_ctrl_click_and_f12_go_to_the_declaration(desk: Open) -> None:
    d = desk()
    line, column = d.find("self.tell(News())")
    d.qtbot.mouseClick(d.text.viewport(), Qt.MouseButton.LeftButton, Mod.ControlModifier, d.pixel(line, column + 7))
    assert d.text.place() == (27, 8)
    d.at(line, column + 11)
    d.key(Key.Key_F12)
    assert d.text.place() == (8, 6)
    d.at(*d.find("neighbours"))
    d.key(Key.Key_F12)
    assert "F1 explains it" in d.said[-1]


def test_a_state_and_a_function_can_be_renamed(desk: Open) -> None:
    d = desk()
    d.at(*d.find("DONE), News"))
    d.key(Key.Key_F2)
    field = d.text.keys.renaming
    assert field is not None and field.field.text() == "done" and field.field.hasFocus()
    d.qtbot.keyClicks(field.field, "idle")
    d.key(Key.Key_Return)
    assert field.isVisible() and "The state 'idle' already exists" in field.problem.text()
    field.field.selectAll()
    d.qtbot.keyClicks(field.field, "informed")
    d.key(Key.Key_Return)
    assert not field.isVisible() and d.text.hasFocus()
    assert 'IDLE, INFORMED = states("idle", "informed")' in d.document.source and "DONE" not in d.document.source
    d.key(Key.Key_Z, Mod.ControlModifier)
    assert d.document.source == SOURCE
    d.at(*d.find("tell(News"))
    d.key(Key.Key_F2)
    d.qtbot.keyClicks(field.field, "spread")
    d.key(Key.Key_Return)
    assert d.document.source.count("spread") == 3
    d.at(*d.find("neighbours"))
    d.key(Key.Key_F2)
    assert not field.isVisible() and "F2 renames states and functions" in d.said[-1]


def test_breakpoints_are_set_by_key_and_by_click(desk: Open) -> None:
    d = desk()
    asked: list[int] = []
    d.editor.break_wanted.connect(asked.append)
    d.at(20)
    d.key(Key.Key_F9)
    d.qtbot.mouseClick(d.text.gutter, Qt.MouseButton.LeftButton, pos=QPoint(6, d.pixel(21, 0).y()))
    assert asked == [20, 21]
    d.editor.set_breaks([20])
    assert "breakpoint" in d.text.gutter.tip(19, 2)


def test_the_word_at_the_cursor_and_matching_brackets_are_highlighted(desk: Open) -> None:
    d = desk()
    d.at(*d.find("News())"))
    assert d.text.word_here() == "News"
    d.at(*d.find("(News())"))
    line, column = d.find("(News())")
    assert d.text.pair() == [(line - 1, column), (line - 1, column + 7)]
    d.at(*d.find("A small"))
    assert d.text.word_here() == ""


@pytest.mark.slow
def test_a_jump_highlights_the_target_line(desk: Open) -> None:
    d = desk()
    d.editor.go_to_line(19)
    assert d.text.flash > 0 and d.text.flashed == 18 and d.editor.line == 19
    d.qtbot.waitUntil(lambda: d.text.flash == 0)


def test_ctrl_wheel_requests_another_text_size(desk: Open, qtbot: QtBot) -> None:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QWheelEvent

    d = desk()
    asked: list[int] = []
    d.editor.zoom_wanted.connect(asked.append)
    for turn in (120, -120):
        event = QWheelEvent(
            QPointF(50, 50), QPointF(50, 50), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton, Mod.ControlModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(d.text.viewport(), event)
    assert asked == [1, -1]
    small = d.text.fontMetrics().height()
    set_theme_of(d.editor, Theme("light", scale=2.0))
    assert d.text.fontMetrics().height() > 1.7 * small


def test_the_menu_lists_every_shortcut(desk: Open) -> None:
    d = desk()
    d.at(WRONG, 14)
    menu = d.text.keys.menu(QPoint(-1, -1))
    texts = {action.text(): action for action in menu.actions()}
    assert {"Find and replace", "Rename state or function", "Set or clear a breakpoint"} <= set(texts)
    texts["Fix the problem here"].trigger()
    assert "heard.add" in d.line(WRONG)
    menu.deleteLater()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, d.pixel(20, 6), d.text.mapToGlobal(QPoint(9, 9)))
    QApplication.sendEvent(d.text.viewport(), event)
    popup = QApplication.activePopupWidget()
    assert popup is not None and d.editor.line == 20
    popup.close()
