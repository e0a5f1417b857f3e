"""The grid beside the network: the keys of each process, newest on the right, old ones removed; wrong declarations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Cell, Grid
from lydian.pieces.grid import GridFrame, held_in
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from tests.views.book import Book

NAMES = ("a", "b", "c")
CELLS = (Cell("times", slot=1, word="again", above=1), Cell("held", slot=2), Cell("seen", slot=7, word="forgotten"))
DRAWN = Animation(grid=Grid(CELLS, word="event"))


def told(*rows: tuple[float, str, dict[str, Any]], **more: Any) -> Timeline:
    book = Book(NAMES, links=[("a", "b"), ("b", "c")])
    for time, name, changed in rows:
        book.write(time, "init", name, changed=changed)
    return Timeline(book.trace(initial={"held": [], "seen": [], "times": {}, **more}))


def see(timeline: Timeline, t: float, drawn: Animation = DRAWN) -> GridFrame:
    found = basic.frame(timeline, t, animation=drawn).grid
    assert found is not None
    return found


RUN = told(
    (1.0, "a", {"held": ["e2"], "seen": ["e2"], "times": {"e2": 1}}),
    (2.0, "b", {"held": ["e1"], "seen": ["e1"], "times": {"e1": 1}}),
    (3.0, "a", {"held": ["e1"], "seen": ["e1", "e2"], "times": {"e1": 1, "e2": 1}}),
    (4.0, "b", {"times": {"e1": 2}}),
)


def test_a_cell_belongs_to_the_first_matching_class() -> None:
    assert see(RUN, 0.5).keys == () and see(RUN, 0.5).cells.shape == (3, 0)
    grid = see(RUN, 3.5)
    assert grid.keys == ("e2", "e1")  # in order of appearance, not by name
    assert grid.cells.tolist() == [[2, 1], [-1, 1], [-1, -1]]
    assert see(RUN, 9.0).cells.tolist() == [[2, 1], [-1, 0], [-1, -1]]
    assert see(RUN, 9.0).counts == (1, 1, 1)
    assert see(RUN, 9.0).words(1, 1) == "b, event e1: again" and see(RUN, 9.0).words(2, 0) == "c, event e2: empty"
    assert see(RUN, 9.0).words(0, 1) == "a, event e1: held"


def test_going_back_shows_the_earlier_knowledge() -> None:
    assert see(RUN, 9.0).keys == ("e2", "e1") and see(RUN, 1.5).keys == ("e2",)
    assert see(RUN, 1.5).cells.tolist() == [[1], [-1], [-1]]
    assert see(RUN, 1.5) is see(RUN, 1.9)  # between two events nothing is recomputed


def test_old_columns_are_removed_when_there_are_too_many() -> None:
    rows = [(float(i), "a", {"held": [f"e{j}" for j in range(i + 1)]}) for i in range(30)]
    grid = see(told(*rows), 29.0, Animation(grid=Grid(Cell("held"), most=5)))
    assert grid.keys == ("e25", "e26", "e27", "e28", "e29") and grid.older == 25 and grid.columns == 5
    assert grid.cells[0].tolist() == [0] * 5 and grid.counts == (5,)


def test_long_lists_and_growing_runs_are_searched() -> None:
    rows = [(float(i), NAMES[i % 3], {"held": [[i, j] for j in range(i)]}) for i in range(1, 26)]
    whole = told(*rows)
    trace = whole.trace
    part = Trace(trace.rows[:7], trace.processes, trace.labels, trace.states, trace.detail_of, network=trace.network,
                 summary=trace.summary, source=trace.source)  # fmt: skip
    drawn = Animation(grid=Grid(Cell("held"), most=200))
    short = Timeline(part)
    assert len(see(short, 30.0, drawn).keys) == sum(range(1, 8))
    grown = see(Timeline(trace, short), 30.0, drawn)
    assert grown.keys == see(whole, 30.0, drawn).keys
    assert np.array_equal(grown.cells, see(whole, 30.0, drawn).cells)
    assert "(25, 24)" in grown.keys[-1] or "25" in grown.keys[-1]


@pytest.mark.parametrize(("value", "keys"), [
    (["x", "y", "x"], {"x": 2.0, "y": 1.0}), ({"x": 3, "y": False, "z": "w"}, {"x": 3.0, "y": 0.0, "z": 1.0}),
    (None, {}), ("", {}), ("x", {"x": 1.0}), (7, {"7": 1.0}), ([], {}),
])  # fmt: skip
def test_elements_of_a_value(value: Any, keys: dict[str, float]) -> None:
    assert held_in(value) == keys


def test_an_unknown_variable_is_reported() -> None:
    grid = see(RUN, 2.0, Animation(grid=Grid(Cell("hold"))))
    assert grid.problem == "No process has a variable 'hold' (did you mean 'held'?)." and not grid.keys
    assert basic.frame(RUN, 2.0, animation=Animation()).grid is None


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Grid(()), "cells must be a list of Cell"),
    (lambda: Grid(tuple(Cell("x") for _ in range(6))), "at most 5 classes"),
    (lambda: Grid(Cell("x"), most=0), "most must be a number of columns"),
    (lambda: Grid(Cell("x"), share=1.0), "share must be a number from 0.1 to 0.8"),
    (lambda: Cell("x", slot=16), "the slot of a cell"),
    (lambda: Cell("x", above="1"), "above must be a number"),
    (lambda: Animation(grid=Cell("x")), r"grid must be Grid\(...\)"),
])  # fmt: skip
def test_wrong_declarations_are_reported(make: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()
