"""The links of an overlay by reach: which are there, which are too many, and the page's data."""

from __future__ import annotations

import pytest

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Marks, Reach
from lydian.pieces.reach import Level, ReachFrame
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from tests.views.book import Book

NAMES = ("a", "b", "c", "d")
DRAWN = Animation(
    reach=Reach("plan", "held", levels={"ring": "on the ring", "far": "across"}, extra="too many"),
    marks=Marks("far", slot=3, style="half"),
)


def told() -> Timeline:
    book = Book(NAMES, links=[])
    plan = {"ring": ["b>c", "c>b", "c>d", "d>c"], "far": ["b>d", "d>b"]}
    book.write(1.0, "init", "a", changed={"plan": plan})
    book.write(2.0, "init", "b", changed={"held": ["b>c"]})
    book.write(3.0, "init", "c", changed={"held": ["c>b", "c>d"]})
    book.write(4.0, "init", "d", changed={"held": ["d>a", "d>b"]})
    book.write(5.0, "init", "a", changed={"held": ["b>d"]})
    return Timeline(book.trace(initial={"plan": None, "held": [], "far": {}}))


RUN = told()


def see(t: float, drawn: Animation = DRAWN) -> ReachFrame:
    found = basic.frame(RUN, t, animation=drawn).reach
    assert isinstance(found, ReachFrame)
    return found


def counts(t: float) -> list[tuple[int, int]]:
    return [(level.there, level.of) for level in see(t).levels]


def test_a_link_is_there_if_both_its_ends_know_it() -> None:
    assert counts(0.5) == [(0, 0), (0, 0), (0, 0)] and counts(1.5) == [(0, 2), (0, 1), (0, 0)]
    assert counts(2.5) == [(0, 2), (0, 1), (0, 0)] and counts(3.5) == [(1, 2), (0, 1), (0, 0)]
    assert counts(4.5) == [(1, 2), (0, 1), (1, 0)]


def test_what_the_process_with_the_plan_holds_does_not_count() -> None:
    assert counts(5.5) == counts(4.5)


def test_levels_have_the_colours_of_their_marks() -> None:
    assert see(4.5).levels == (
        Level("on the ring", -1, 1, 2), Level("across", 3, 0, 1), Level("too many", -1, 1, 0),
    )  # fmt: skip
    assert see(4.1) is see(4.9)  # between two events nothing is recomputed


def test_wrong_declarations_and_missing_variables_are_reported() -> None:
    with pytest.raises(BadInput, match="levels must be a table"):
        Reach("plan", "held")
    with pytest.raises(BadInput, match="share must be a number"):
        Reach("plan", "held", levels={"a": "a"}, share=2)
    assert "did you mean 'plan'" in see(1.0, Animation(reach=Reach("plans", "held", levels={"a": "a"}))).problem
