"""The live table of a protocol: it follows the text, and each choice is one step of the text's history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.table.cellmenu import choices
from lydian.app.protocol.table.cells import CellTable
from lydian.authoring.failing import Failure

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

KEY = Qt.Key
ECHO = (Path(__file__).resolve().parents[2] / "protocols" / "echo.py").read_text(encoding="utf-8")
FLOODING = (Path(__file__).resolve().parents[2] / "protocols" / "flooding.py").read_text(encoding="utf-8")


@pytest.fixture
def table(qtbot: QtBot) -> Iterator[CellTable]:
    document = ProtocolDocument(FLOODING)
    window = QWidget()
    made = CellTable(document, Theme("light"))
    column = QVBoxLayout(window)
    column.addWidget(made)
    qtbot.addWidget(window)
    window.resize(760, 460)
    with qtbot.waitActive(window):
        window.show()
    yield made
    document.close()
    document.deleteLater()


def shown(table: CellTable) -> dict[tuple[str, str], str]:
    rows = table.grid.rows
    return {
        (state.name, event.name): rows.index(r, c).data()
        for r, state in enumerate(rows.look.states)
        for c, event in enumerate(rows.look.events)
    }


def place(table: CellTable, state: str, event: str) -> QPoint:
    return table.grid.visualRect(table.grid.index_of((state, event))).center()


def click(qtbot: QtBot, table: CellTable, state: str, event: str) -> None:
    qtbot.mouseClick(table.grid.viewport(), Qt.MouseButton.LeftButton, pos=place(table, state, event))


def line(table: CellTable) -> QLineEdit:
    assert table.grid.chooser is not None
    return table.grid.chooser.line


def test_the_table_shows_the_text(table: CellTable) -> None:
    assert shown(table) == {
        ("sleeping", "INIT"): "start",
        ("sleeping", "Broadcast"): "pass_on",
        ("received", "INIT"): "cannot happen",
        ("received", "Broadcast"): "ignore",
    }
    assert table.sentence.whole == "No open cells"


def test_the_table_follows_typing_and_keeps_the_cell(table: CellTable, qtbot: QtBot) -> None:
    table.select("received", "Broadcast")
    cursor = QTextCursor(table.document.text)
    cursor.setPosition(table.document.source.index("pass_on("))
    cursor.insertText("then_")
    qtbot.waitUntil(lambda: shown(table)["sleeping", "Broadcast"] == "then_pass_on")
    assert table.grid.key(table.grid.currentIndex()) == ("received", "Broadcast")
    at = table.document.source.index("class Broadcast")
    cursor.setPosition(at)
    cursor.insertText('class Early(Message):\n    """First."""\n\n\n')
    qtbot.waitUntil(lambda: ("sleeping", "Early") in shown(table))
    assert table.grid.key(table.grid.currentIndex()) == ("received", "Broadcast")
    assert shown(table)["received", "Early"] == "choose…"
    assert table.sentence.whole == "2 open cells; they stop the run when reached"


def test_an_unreadable_text_keeps_the_table_with_a_notice(table: CellTable, qtbot: QtBot) -> None:
    before = shown(table)
    cursor = QTextCursor(table.document.text)
    cursor.setPosition(table.document.source.index("def pass_on"))
    cursor.insertText("if (:\n    ")
    qtbot.waitUntil(lambda: bool(table.stale))
    assert shown(table) == before
    assert "cannot be read at the moment" in table.sentence.whole
    click(qtbot, table, "received", "Broadcast")
    qtbot.keyClicks(line(table), "hear_again")
    qtbot.keyClick(line(table), KEY.Key_Return)
    assert "cannot be changed while Python cannot read it" in table.sentence.whole
    table.document.text.undo()
    qtbot.waitUntil(lambda: not table.stale)


def test_a_click_a_name_and_enter_add_a_function_in_one_step(table: CellTable, qtbot: QtBot) -> None:
    before = table.document.source
    click(qtbot, table, "received", "Broadcast")
    qtbot.keyClicks(line(table), "hear_again")
    qtbot.keyClick(line(table), KEY.Key_Return)
    assert table.grid.chooser is None
    assert shown(table)["received", "Broadcast"] == "hear_again"
    assert "def hear_again(self, m, q):" in table.document.source
    assert table.grid.hasFocus()
    table.document.text.undo()
    assert table.document.source == before
    assert not table.document.text.isUndoAvailable()


def test_letters_open_a_cell_and_arrows_choose(table: CellTable, qtbot: QtBot) -> None:
    table.select("received", "Broadcast")
    table.grid.setFocus()
    qtbot.keyClick(table.grid, "s")
    assert line(table).text() == "s"
    chooser = table.grid.chooser
    assert chooser is not None
    rows = [chooser.list.item(at).text() for at in range(chooser.list.count())]
    assert rows[0] == "New function s"
    assert "spread" in rows
    qtbot.keyClick(line(table), KEY.Key_Escape)
    assert table.grid.chooser is None
    qtbot.keyClick(table.grid, KEY.Key_Return)
    assert chooser.list.currentItem().text() == "Ignore: do nothing"
    qtbot.keyClick(line(table), KEY.Key_Down)
    qtbot.keyClick(line(table), KEY.Key_Return)
    assert shown(table)["received", "Broadcast"] == "cannot happen"
    assert "# cannot happen: (RECEIVED, Broadcast)" in table.document.source
    assert table.sentence.whole == "No open cells"


def test_a_row_of_the_list_is_chosen_by_the_mouse(table: CellTable, qtbot: QtBot) -> None:
    click(qtbot, table, "received", "Broadcast")
    chooser = table.grid.chooser
    assert chooser is not None
    item = next(
        chooser.list.item(at) for at in range(chooser.list.count()) if chooser.list.item(at).text() == "pass_on"
    )
    qtbot.mouseClick(chooser.list.viewport(), Qt.MouseButton.LeftButton, pos=chooser.list.visualItemRect(item).center())
    assert shown(table)["received", "Broadcast"] == "pass_on"
    assert "@on((SLEEPING, RECEIVED), Broadcast)" in table.document.source


def test_delete_clears_the_choice_of_a_cell(table: CellTable, qtbot: QtBot) -> None:
    with qtbot.waitSignal(table.open_changed) as told:
        table.select("received", "Broadcast")
        table.grid.setFocus()
        qtbot.keyClick(table.grid, KEY.Key_Delete)
    assert told.args == [1]
    assert shown(table)["received", "Broadcast"] == "choose…"
    assert table.sentence.whole == "1 open cell; it stops the run when reached"


def test_f2_renames_a_function_and_shift_f2_its_state(table: CellTable, qtbot: QtBot) -> None:
    table.select("sleeping", "Broadcast")
    table.grid.setFocus()
    qtbot.keyClick(table.grid, KEY.Key_F2)
    field = table.grid.viewport().findChild(QLineEdit, "cellField")
    assert field is not None and field.text() == "pass_on"
    qtbot.keyClicks(field, "forward")
    qtbot.keyClick(field, KEY.Key_Return)
    assert shown(table)["sleeping", "Broadcast"] == "forward"
    qtbot.keyClick(table.grid, KEY.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    name = next(f for f in table.grid.verticalHeader().viewport().findChildren(QLineEdit) if f.isVisible())
    qtbot.keyClicks(name, "asleep")
    qtbot.keyClick(name, KEY.Key_Return)
    assert [state.name for state in table.look.states] == ["asleep", "received"]
    assert "ASLEEP, RECEIVED = states(" in table.document.source and '"asleep"' in table.document.source


def test_an_invalid_name_is_explained_below_the_table(table: CellTable, qtbot: QtBot) -> None:
    before = table.document.source
    click(qtbot, table, "received", "Broadcast")
    qtbot.keyClicks(line(table), "neighbours")
    qtbot.keyClick(line(table), KEY.Key_Return)
    assert "cannot be called 'neighbours'" in table.sentence.whole
    assert table.document.source == before
    assert line(table).text() == "neighbours"
    qtbot.keyClick(line(table), KEY.Key_Escape)
    click(qtbot, table, "sleeping", "INIT")
    assert "neighbours" not in table.sentence.whole


def test_a_double_click_and_ctrl_enter_open_the_line(table: CellTable, qtbot: QtBot) -> None:
    lines: list[int] = []
    table.jump_wanted.connect(lines.append)
    place_ = place(table, "sleeping", "Broadcast")
    viewport = table.grid.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place_)
    qtbot.mouseDClick(line(table), Qt.MouseButton.LeftButton)
    assert lines == [table.document.outline.functions["pass_on"]]
    assert table.grid.chooser is None
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=place_)
    assert len(lines) == 2
    assert table.grid.chooser is None
    table.grid.setFocus()
    qtbot.keyClick(table.grid, KEY.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(lines) == 3


def test_buttons_add_a_state_a_message_with_fields_and_a_timer(table: CellTable, qtbot: QtBot) -> None:
    for kind, name, fields in (("state", "done", ""), ("message", "Ack", "hops: int"), ("timer", "Retry", "")):
        before = table.document.source
        qtbot.mouseClick(table.buttons[kind], Qt.MouseButton.LeftButton)
        assert table.form.name.hasFocus()
        qtbot.keyClicks(table.form.name, name)
        if fields:
            qtbot.keyClicks(table.form.fields, fields)
        qtbot.keyClick(table.form.name, KEY.Key_Return)
        assert table.form.isHidden(), table.sentence.whole
        table.document.text.undo()
        assert table.document.source == before
        table.document.text.redo()
        table.document.reread()
    assert [state.name for state in table.look.states] == ["sleeping", "received", "done"]
    assert [event.kind for event in table.look.events] == ["init", "message", "message", "timer"]
    assert "class Ack(Message):" in table.document.source and "    hops: int\n" in table.document.source
    assert table.grid.key(table.grid.currentIndex()) == ("sleeping", "Retry")


def test_a_form_with_a_mistake_stays_open_and_escape_closes_it(table: CellTable, qtbot: QtBot) -> None:
    qtbot.mouseClick(table.buttons["message"], Qt.MouseButton.LeftButton)
    qtbot.keyClick(table.form.name, KEY.Key_Return)
    assert table.sentence.whole == "The name of the new message must not be empty."
    qtbot.keyClicks(table.form.name, "Ack")
    qtbot.keyClicks(table.form.fields, "hops int")
    qtbot.keyClick(table.form.fields, KEY.Key_Return)
    assert "Fields: write fields as name: type" in table.sentence.whole
    assert table.form.isVisible() and table.form.name.text() == "Ack"
    qtbot.keyClick(table.form.name, KEY.Key_Escape)
    assert table.form.isHidden() and table.buttons["message"].hasFocus()


def test_counts_of_the_latest_run_and_the_failed_cell_are_shown(table: CellTable) -> None:
    failure = Failure(3, 1.5, "2", "received", "Broadcast", "message", "Broadcast", "1", "it fails")
    table.document.show_run({("sleeping", "INIT"): 1, ("sleeping", "Broadcast"): 0}, None, failure)
    cells = table.look.cells
    assert cells["sleeping", "INIT"].count == 1
    assert "try another network" in cells["sleeping", "Broadcast"].tip
    assert cells["received", "Broadcast"].failing
    said = table.grid.rows.index(1, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "received, Broadcast: ignore, the run stopped here"


def test_rules_for_every_state_are_shown_as_inherited(table: CellTable) -> None:
    table.document.load(ECHO, None)
    assert table.look.cells["acked", "Ack"].inherited
    assert not table.look.cells["waiting", "Ack"].inherited
    assert shown(table)["acked", "Ack"] == "unexpected"


def test_hovering_over_a_cell_is_reported(table: CellTable, qtbot: QtBot) -> None:
    cells: list[object] = []
    table.cell_hovered.connect(cells.append)
    qtbot.mouseMove(table.grid.viewport(), place(table, "sleeping", "Broadcast"))
    qtbot.waitUntil(lambda: cells[-1:] == [("sleeping", "Broadcast")])


def test_an_empty_text_has_an_empty_table_to_extend(qtbot: QtBot) -> None:
    document = ProtocolDocument("")
    table = CellTable(document, Theme("dark"))
    qtbot.addWidget(table)
    table.show()
    assert table.empty.isVisible() and not table.grid.isVisible()
    document.replace(FLOODING, "")
    assert table.grid.isVisible() and not table.empty.isVisible()
    document.close()


def test_typed_text_takes_precedence_over_suggestions() -> None:
    typed = [choice.text for choice in choices("pass", "a", "M", ["pass_on", "start"])]
    assert typed == ["New function pass", "pass_on"]
    assert choices("start", "a", "M", ["start"])[0].text == "start"
    assert choices("ignore", "a", "M", [])[0].kind == "ignore"
    assert [choice.kind for choice in choices("", "a", "Ack", ["x"])] == [
        "action",
        "ignore",
        "impossible",
        "open",
        "action",
    ]
    assert choices("", "in section", "AckAgain", [])[0].function == "ack_again_when_in_section"
