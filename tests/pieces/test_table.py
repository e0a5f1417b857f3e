"""A table beside the network: cells at each moment, how many agree, and the whole run for pages."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Column, Table
from lydian.pieces.table import TableFrame, cell_of, rows_over_time
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.scene import scene_for
from tests.views.book import Book

NAMES = ("a", "b", "c")
DRAWN = Animation(
    table=Table(
        (
            Column("ballot", word="promised", style="tint", agree=True),
            Column('True if state == "acked" else None', word="acked", style="tick"),
            Column("len(held) + n", word="items"),
        ),
    )
)


def told() -> Timeline:
    book = Book(NAMES, links=[("a", "b"), ("b", "c")])
    book.write(1.0, "init", "a", changed={"ballot": [3, "3 of a"]})
    book.write(2.0, "init", "b", changed={"ballot": [3, "3 of a"], "held": ["x", "y"]})
    book.write(3.0, "init", "c", state="acked")
    book.write(4.0, "crash", "a")
    book.write(5.0, "init", "b", changed={"ballot": [4, "4 of b"]})
    return Timeline(book.trace(initial={"ballot": None, "held": []}))


RUN = told()


def see(t: float, drawn: Animation = DRAWN) -> TableFrame:
    found = basic.frame(RUN, t, animation=drawn).table
    assert isinstance(found, TableFrame)
    return found


def test_cells_are_what_the_variables_say_now() -> None:
    assert [row.cells for row in see(0.5).rows] == [(("", None), ("", None), ("3", None))] * 3
    table = see(3.5)
    assert [row.cells for row in table.rows] == [
        (("3 of a", 3), ("", None), ("3", None)),
        (("3 of a", 3), ("", None), ("5", None)),
        (("", None), ("", 1), ("3", None)),
    ]
    assert table.agreeing == (2, 1, 2) and see(5.5).agreeing[0] == 1
    assert [row.crashed for row in see(4.5).rows] == [True, False, False]
    assert table.words(0, 0) == "a, promised: 3 of a" and table.words(2, 1) == "c, acked: yes"
    assert see(3.2) is see(3.9)  # between two events nothing is recomputed


def test_a_cell_depends_on_the_style_of_its_column() -> None:
    text, tint, tick = (Column("v", style=style) for style in ("text", "tint", "tick"))
    values: list[Any] = [None, "", [], 0, 7, True, ["x", "y", "z"]]
    assert [cell_of(tick, value)[1] for value in values] == [None, 0, 0, 0, 1, 1, 1]
    assert [cell_of(tint, value) for value in values[:5]] == [("", None), ("", None), ("", None), ("0", 0), ("7", 7)]
    assert cell_of(text, [2, "two"])[1] is None and cell_of(tint, [2, "two"]) == ("two", 2)


def test_replaying_the_changes_gives_the_table_of_every_moment() -> None:
    rows = list(rows_over_time(scene_for(RUN, None, DRAWN), DRAWN.table))
    for t in (0.5, 1.5, 3.5, 5.5):
        now = {process: cells for seq, process, cells in rows if seq < RUN.count(t)}
        assert [now[row.process] for row in see(t).rows] == [row.cells for row in see(t).rows]


def test_wrong_declarations_and_missing_variables_are_reported() -> None:
    with pytest.raises(BadInput, match=r"columns must be a list of Column\(...\)"):
        Table(())
    with pytest.raises(BadInput, match="at most 6 columns, not 7"):
        Table((Column("v"),) * 7)
    with pytest.raises(BadInput, match="a column has no style 'chip'"):
        Column("v", style="chip")
    assert "did you mean 'ballot'" in see(1.0, Animation(table=Table(Column("balot")))).problem
