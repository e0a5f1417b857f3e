"""The wall of a partition: when there is one, until when it stands, and where it passes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.pieces.animation import Animation, Wall
from lydian.pieces.wall import WallFrame, separating
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from tests.views.book import Book

DRAWN = Animation(wall=Wall("cut"))


def see(t: float, *, mended: bool = True) -> WallFrame | None:
    book = Book(("a", "b", "c"), links=[("a", "b"), ("b", "c"), ("a", "c")])
    for t_, kind, p, q in (
        (2.0, "link_down", "a", "b"), (3.0, "link_down", "a", "c"), (5.0, "link_up", "a", "b"),
    ):  # fmt: skip
        if kind == "link_down" or mended:
            book.write(t_, kind, p, q)
    book.write(9.0, "init", "a")
    found = basic.frame(Timeline(book.trace()), t, animation=DRAWN).pieces.get("wall")
    assert found is None or isinstance(found, WallFrame)
    return found


def test_there_is_a_wall_while_two_parts_are_apart() -> None:
    assert see(1.0) is None and see(2.5) is None and see(5.5) is None
    wall = see(4.0)
    assert wall is not None and wall.other.tolist() == [False, True, True]
    assert (wall.since, wall.until, wall.words) == (3.0, 5.0, "cut from 3 to 5")
    lasting = see(4.0, mended=False)
    assert lasting is not None and lasting.until == math.inf and lasting.words == "cut since 3"


def test_it_passes_in_the_middle_of_the_widest_gap() -> None:
    found = separating(np.array([[0.0, 0.0], [0.0, 4.0]]), np.array([[3.0, 1.0], [9.0, 9.0]]))
    assert found is not None
    middle, normal, width = found
    assert normal.tolist() == pytest.approx([1.0, 0.0]) and width == pytest.approx(3.0)
    assert float(middle @ normal) == pytest.approx(1.5)


def test_no_line_passes_between_sides_that_surround_each_other() -> None:
    square = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [4.0, 4.0]])
    assert separating(square, np.array([[2.0, 2.0]])) is None
    assert separating(square[:1], square[:1]) is None


points = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=8)


@given(points, points)
def test_what_it_separates_is_on_different_sides(here: list[tuple[int, int]], there: list[tuple[int, int]]) -> None:
    a, b = np.array(here, dtype=float), np.array(there, dtype=float) + np.array([0.5, 0.0])
    found = separating(a, b)
    if found is not None:
        middle, normal, width = found
        level = float(middle @ normal)
        assert np.hypot(*normal) == pytest.approx(1.0) and width > 0
        assert (a @ normal < level).all() and (b @ normal > level).all()
    elif len(a) == len(b) == 1:
        pytest.fail("a line passes between two different points")
