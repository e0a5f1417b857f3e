"""The tables of the network editor: typing, pasting, sorting and selecting, in step with the board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen
from lydian.app.network.panes.tablepane import TablePane
from lydian.app.network.panes.tables import TableModel
from lydian.model.editing.rows import COLUMNS, edit_link, edit_process
from lydian.model.errors import LydianError
from lydian.model.generators import generate
from lydian.model.network import Link, Network

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

KEY = Qt.Key


@pytest.fixture
def pane(qtbot: QtBot) -> Iterator[TablePane]:
    board = Board(generate("ring", 5))
    made = TablePane(board, Theme("light"))
    qtbot.addWidget(made)
    made.resize(560, 640)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    board.deleteLater()


def cells(pane: TablePane, column: str) -> list[object]:
    rows = pane.table.rows
    at = rows.columns.index(column)
    return [rows.index(row, at).data() for row in range(rows.rowCount())]


def place(pane: TablePane, row: int, column: str) -> QPoint:
    rows = pane.table.rows
    return pane.table.visualRect(rows.index(row, rows.columns.index(column))).center()


def click(qtbot: QtBot, pane: TablePane, row: int, column: str, twice: bool = False) -> None:
    act = qtbot.mouseDClick if twice else qtbot.mouseClick
    act(pane.table.viewport(), Qt.MouseButton.LeftButton, pos=place(pane, row, column))


def type_into(qtbot: QtBot, pane: TablePane, row: int, column: str, text: str) -> None:
    click(qtbot, pane, row, column)
    click(qtbot, pane, row, column, twice=True)
    field = pane.table.findChild(QLineEdit, "cellField")
    assert field is not None
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, KEY.Key_Return)
    qtbot.waitUntil(lambda: pane.table.findChild(QLineEdit, "cellField") is None)


# ---------------------------------------------------------------------- typing


def test_typing_into_a_cell_is_one_step(pane: TablePane, qtbot: QtBot) -> None:
    board = pane.board
    type_into(qtbot, pane, 1, "name", "hub")
    assert board.network.processes == ("0", "hub", "2", "3", "4")
    assert board.document.undo_text == "Rename 1 to hub"
    assert board.chosen.processes == {"hub"}
    type_into(qtbot, pane, 2, "x", "12.5")
    assert board.network.positions["2"][0] == 12.5
    assert len(board.document.steps) == 3
    board.document.undo()
    board.document.undo()
    assert cells(pane, "name") == ["0", "1", "2", "3", "4"]


def test_errors_are_shown_in_place(pane: TablePane, qtbot: QtBot) -> None:
    said: list[tuple[str, bool]] = []
    pane.board.said.connect(lambda *words: said.append(words))
    type_into(qtbot, pane, 2, "x", "far")
    assert pane.problem.isVisible()
    assert pane.problem.text() == "Process 2: x of a process must be a number such as 120, not 'far'."
    assert cells(pane, "x")[2] == "far"
    assert not said
    assert len(pane.board.document.steps) == 1
    qtbot.keyClick(pane.table, KEY.Key_Escape)
    assert not pane.problem.isVisible()
    assert cells(pane, "x")[2] != "far"
    type_into(qtbot, pane, 2, "name", "4")
    assert "the name '4' already belongs to another process" in pane.problem.text()
    type_into(qtbot, pane, 2, "name", "five")
    assert not pane.problem.isVisible()
    assert pane.board.network.processes[2] == "five"


def test_a_tick_makes_a_process_an_initiator(pane: TablePane, qtbot: QtBot) -> None:
    table = pane.table
    index = table.rows.index(3, 1)
    box = table.visualRect(index)
    click(qtbot, pane, 3, "name")
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.left() + 10, box.center().y()))
    assert pane.board.network.initiators == ("0", "3")
    assert pane.board.document.undo_text == "Make process 3 an initiator"
    table.setCurrentIndex(index)
    qtbot.keyClick(table, KEY.Key_Space)
    assert pane.board.network.initiators == ("0",)


def test_links_can_be_reversed_and_given_delays(pane: TablePane, qtbot: QtBot) -> None:
    qtbot.mouseClick(pane.which.buttons["links"], Qt.MouseButton.LeftButton)
    assert cells(pane, "delay")[0] == "uniform(0.5, 1.5)"  # inherited from the network
    assert pane.table.rows.index(0, 4).data(Qt.ItemDataRole.EditRole) == ""
    type_into(qtbot, pane, 0, "delay", "constant(2)")
    assert str(pane.board.network.links[0].delay) == "constant(2)"
    type_into(qtbot, pane, 0, "loss", "5 %")
    assert pane.board.network.links[0].loss == 0.05
    assert cells(pane, "loss")[:2] == ["5 %", "0 %"]
    type_into(qtbot, pane, 0, "corruption", "2 %")
    assert pane.board.network.links[0].corruption == 0.02 and cells(pane, "corruption")[:2] == ["2 %", "0 %"]
    click(qtbot, pane, 0, "way")
    click(qtbot, pane, 0, "way", twice=True)
    box = pane.table.findChild(QComboBox)
    assert box is not None
    box.setCurrentIndex(1)
    box.activated.emit(1)
    assert pane.board.network.links[0].directed


# ---------------------------------------------------------------------- rows


def test_rows_are_added_from_the_line_below_the_table(pane: TablePane, qtbot: QtBot) -> None:
    board = pane.board
    qtbot.keyClick(pane.name, KEY.Key_Return)
    qtbot.keyClicks(pane.name, "hub")
    qtbot.keyClick(pane.name, KEY.Key_Return)
    assert board.network.processes[5:] == ("5", "hub")
    assert board.chosen.processes == {"hub"}
    assert len(set(board.network.positions.values())) == 7
    qtbot.mouseClick(pane.which.buttons["links"], Qt.MouseButton.LeftButton)
    qtbot.keyClicks(pane.a, "hub")
    qtbot.keyClick(pane.a, KEY.Key_Return)
    assert pane.problem.text() == "A link must have two processes: fill in From and To."
    qtbot.keyClicks(pane.b, "9")
    qtbot.mouseClick(pane.add, Qt.MouseButton.LeftButton)
    assert "unknown process '9'" in pane.problem.text().lower()
    pane.b.clear()
    qtbot.keyClicks(pane.b, "2")
    qtbot.keyClick(pane.b, KEY.Key_Return)
    assert board.network.links[-1] == Link("hub", "2")
    assert board.document.undo_text == "Add link hub-2"
    assert pane.a.text() == pane.b.text() == ""


def test_selected_rows_are_deleted(pane: TablePane, qtbot: QtBot) -> None:
    assert not pane.delete.isEnabled()
    click(qtbot, pane, 1, "name")
    qtbot.mouseClick(
        pane.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place(pane, 3, "name")
    )
    assert pane.board.chosen.processes == {"1", "3"}
    qtbot.keyClick(pane.table, KEY.Key_Delete)
    assert pane.board.network.processes == ("0", "2", "4")
    assert pane.board.document.undo_text == "Delete 2 processes"
    click(qtbot, pane, 0, "name")
    qtbot.mouseClick(pane.delete, Qt.MouseButton.LeftButton)
    assert pane.board.network.processes == ("2", "4")


def test_copy_and_paste_work_with_a_spreadsheet(pane: TablePane, qtbot: QtBot) -> None:
    click(qtbot, pane, 2, "name")
    qtbot.keyClick(pane.table, KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == list(COLUMNS["processes"])
    assert [line.split("\t")[0] for line in lines] == ["name", "2"]
    pane.show_table("links")
    QGuiApplication.clipboard().setText("from,to,delay\n0,9,constant(3)\n9,8,\n")
    qtbot.keyClick(pane.table, KEY.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert pane.board.network.processes[5:] == ("9", "8")
    assert pane.board.document.undo_text == "Paste 2 links"
    assert pane.board.chosen.links == {("0", "9"), ("9", "8")}
    assert len(pane.board.document.steps) == 2
    pane.board.document.undo()
    assert pane.board.network.n == 5


def test_bad_cells_are_reported_before_pasting(pane: TablePane, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("a\tyes\tabc\nb\tperhaps\t10\n")
    qtbot.mouseClick(pane.paste_button, Qt.MouseButton.LeftButton)
    assert pane.problem.text().splitlines() == [
        "Nothing was pasted yet.",
        "Row 1, x: x of a process must be a number such as 120, not 'abc'.",
        "Row 2, starts: starts must be yes or no, not 'perhaps'.",
    ]
    assert pane.board.network.n == 5
    qtbot.mouseClick(pane.anyway, Qt.MouseButton.LeftButton)
    assert pane.board.network.processes[5:] == ("a", "b")
    assert pane.board.network.initiators == ("0", "a")
    assert pane.board.network.positions["b"][0] == 10
    assert not pane.problem.isVisible()
    QGuiApplication.clipboard().setText("a\t\tx\n")
    qtbot.mouseClick(pane.paste_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(pane.dismiss, Qt.MouseButton.LeftButton)
    assert not pane.problem.isVisible()
    assert len(pane.board.document.steps) == 2


# ---------------------------------------------------------------------- order, filter, selection


def test_rows_can_be_sorted_and_filtered(pane: TablePane, qtbot: QtBot) -> None:
    header = pane.table.horizontalHeader()
    at = pane.table.rows.columns.index("x")
    spot = QPoint(header.sectionViewportPosition(at) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    values = [float(str(value)) for value in cells(pane, "x")]
    assert values in (sorted(values), sorted(values, reverse=True))
    pane.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert cells(pane, "name") == ["4", "3", "2", "1", "0"]
    qtbot.keyClicks(pane.filter, "starts")
    assert cells(pane, "name") == ["0"]
    pane.filter.clear()
    pane.show_table("links")
    qtbot.keyClicks(pane.filter, "4 0")
    assert [cells(pane, "from"), cells(pane, "to")] == [["4"], ["0"]]


def test_table_and_drawing_share_the_selection(pane: TablePane, qtbot: QtBot) -> None:
    board, table = pane.board, pane.table
    board.choose_processes(["1", "2", "4"])
    assert sorted(index.row() for index in table.selectionModel().selectedRows()) == [1, 2, 4]
    table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert sorted(index.row() for index in table.selectionModel().selectedRows()) == [0, 2, 3]
    qtbot.keyClick(table, KEY.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(board.chosen.processes) == 5
    pane.show_table("links")
    click(qtbot, pane, 1, "from")
    assert board.chosen == Chosen(links=frozenset({("1", "2")}))
    assert not pane.tables["processes"].selectionModel().selectedRows()


def test_the_row_under_the_pointer_is_highlighted(pane: TablePane, qtbot: QtBot) -> None:
    background = Qt.ItemDataRole.BackgroundRole
    qtbot.mouseMove(pane.table.viewport(), place(pane, 0, "name"))
    qtbot.mouseMove(pane.table.viewport(), place(pane, 2, "name"))
    assert pane.board.hovered == "2"
    assert pane.table.rows.index(2, 0).data(background) is not None
    pane.board.hover("4")
    assert pane.table.rows.index(2, 0).data(background) is None
    assert pane.table.rows.index(4, 0).data(background) is not None
    pane.board.hover(("0", "1"))
    assert pane.tables["links"].rows.index(0, 0).data(background) is not None


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_shown(pane: TablePane, qtbot: QtBot) -> None:
    n = 50_000
    names = tuple(map(str, range(n)))
    links = tuple(Link(names[i], names[(i + step) % n]) for step in (1, 2) for i in range(n))
    pane.board.open(Network("large", names, links, ("0",)))
    pane.show_table("links")
    assert pane.table.rows.rowCount() == 100_000
    qtbot.keyClicks(pane.filter, "49999")
    assert 1 < pane.table.rows.rowCount() < 10
    pane.filter.clear()
    pane.board.choose_all()
    assert sum(part.height() for part in pane.table.selectionModel().selection()) == 100_000
    type_into(qtbot, pane, 1, "delay", "constant(1)")
    assert str(pane.board.network.links[1].delay) == "constant(1)"


# ---------------------------------------------------------------------- equivalence with the edit functions

texts = st.sampled_from(
    ["", "yes", "no", "1", "3", "0.5", "-20", "5 %", "one way", "both ways", "back", "fifo", "fito", "a", "far", "4",
     "x", "constant(2)", "uniform(1, 2)", "uniform(2, 1)", "1e9", "nan"]
)  # fmt: skip
edits = st.tuples(st.sampled_from(["processes", "links"]), st.integers(0, 6), st.integers(0, 6), texts)


@given(st.lists(edits, max_size=8))
def test_editing_a_cell_equals_the_edit_functions(qapp: object, some: list) -> None:
    board = Board(generate("ring", 5))
    tables = {kind: TableModel(board, kind, Theme("light")) for kind in ("processes", "links")}
    for kind, row, column, text in some:
        model, before = tables[kind], board.network
        at = column % model.columnCount()
        number = int(model.order[row % model.rowCount()])
        index = model.index(row % model.rowCount(), at)
        link = before.links[number]
        problem = ""
        try:
            if kind == "processes":
                meant = edit_process(before, before.processes[number], model.columns[at], text)[0]
            else:
                meant = edit_link(before, (link.a, link.b), model.columns[at], text)[0]
        except LydianError as error:
            meant, problem = before, str(error)
        at_step = board.document.at
        model.setData(index, text)
        assert board.network == meant
        assert (model.bad is not None) == bool(problem)
        if problem:
            assert model.bad is not None
            assert problem.rstrip(".") in model.bad[3]
            assert index.data() == text
        if meant != before:
            assert board.document.at == at_step + 1
            board.document.undo()
            assert board.network == before
            board.document.redo()
            assert board.network == meant
    board.document.go(0)
    assert board.network == generate("ring", 5)
