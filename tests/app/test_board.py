"""The drawing board: named edits, the selection that follows them, and the clipboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from lydian.app.network.board.board import Board, Chosen
from lydian.model.editing.links import add_link
from lydian.model.editing.processes import add_process
from lydian.model.generators import from_spec
from lydian.views.words.words import plural


@pytest.fixture
def board(qtbot: QtBot) -> Iterator[Board]:
    board = Board(from_spec("ring:5"))
    yield board
    board.deleteLater()


def texts(board: Board) -> list[str]:
    return [step.text for step in board.document.steps]


def test_impossible_edits_are_explained_and_change_nothing(board: Board) -> None:
    said: list[tuple[str, bool]] = []
    board.said.connect(lambda sentence, problem: said.append((sentence, problem)))
    before = board.network
    assert not board.do("Link 1-9", lambda network: add_link(network, "1", "9"))
    assert board.network is before
    assert texts(board) == ["Open"]
    assert said[0][1] and "unknown process '9'" in said[0][0]


def test_deleting_trims_the_selection_and_undo_restores_the_network(board: Board) -> None:
    board.choose(Chosen(frozenset({"1", "2"}), frozenset({("3", "4")})))
    board.delete_chosen()
    assert board.network.processes == ("0", "3", "4")
    assert not board.chosen
    assert texts(board)[-1] == "Delete 2 processes and 1 link"
    board.document.undo()
    assert board.network == from_spec("ring:5")


def test_a_second_paste_is_beside_the_first(board: Board) -> None:
    board.choose_processes(["0", "1"])
    assert board.copy()
    board.paste()
    assert board.chosen.processes == {"5", "6"}
    board.paste()
    x0, x1, x2 = (board.network.positions[name][0] for name in ("0", "5", "7"))
    assert (x1 - x0, x2 - x0) == (24, 48)
    assert texts(board)[1:] == ["Paste 2 processes", "Paste 2 processes"]
    assert board.network.m == 5 + 2


def test_cut_and_paste_at_a_point_keeps_names(board: Board) -> None:
    board.choose_processes(["2"])
    board.cut()
    assert "2" not in board.network.index
    board.paste((10, 20))
    assert board.network.positions["2"] == (10, 20)
    assert texts(board)[1:] == ["Cut process 2", "Paste 1 process"]


def test_a_foreign_clipboard_is_reported_in_one_sentence(board: Board) -> None:
    said: list[str] = []
    board.said.connect(lambda sentence, _problem: said.append(sentence))
    data = QMimeData()
    data.setText("a letter to somebody")
    QGuiApplication.clipboard().setMimeData(data)
    board.paste()
    assert said[0].startswith("The clipboard contains no network: ")
    assert texts(board) == ["Open"]


def test_initiators_can_be_toggled(board: Board) -> None:
    board.toggle_initiators(["3"])
    board.toggle_initiators(["0", "3"])
    board.toggle_initiators(["1", "2"])
    assert board.network.initiators == ("1", "2")
    assert texts(board)[1:] == [
        "Make process 3 an initiator", "Remove 2 processes as initiators", "Make 2 processes initiators",
    ]  # fmt: skip


def test_opening_another_network_notifies_all_listeners(board: Board, qtbot: QtBot) -> None:
    board.choose_processes(["1"])
    with qtbot.waitSignals([board.opened, board.changed, board.chosen_changed]):
        board.open(from_spec("line:3"))
    assert not board.chosen
    assert board.network.n == 3
    board.do("Add process 3", lambda network: add_process(network, (0, 0))[0])
    assert texts(board) == ["Open", "Add process 3"]


@pytest.mark.parametrize(
    ("number", "noun", "words"),
    [(1, "process", "1 process"), (2, "process", "2 processes"), (1200, "link", "1,200 links")],
)
def test_counted_nouns_have_the_right_form(number: int, noun: str, words: str) -> None:
    assert plural(number, noun) == words
