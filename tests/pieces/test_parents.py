"""The tree of parents: its members at each moment, the topic shown, and the page's data."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Parents
from lydian.pieces.parents import ParentsFrame, tree_of
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.page.page import run_data
from tests.views.book import Book
from tests.views.page.test_page import numbers

NAMES = tuple("abcde")
DRAWN = Animation(parents=Parents("up", title="Tree"))


def told(*rows: tuple[float, str, Any], first: Any = None) -> Timeline:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for time, name, value in rows:
        book.write(time, "init", name, changed={"up": value})
    return Timeline(book.trace(initial={"up": first}))


def see(run: Timeline, t: float) -> ParentsFrame | None:
    found = basic.frame(run, t, animation=DRAWN).pieces.get("parents")
    assert found is None or isinstance(found, ParentsFrame)
    return found


def drawn(tree: ParentsFrame | None) -> dict[str, int]:
    assert tree is not None
    return dict(zip(tree.laid.names, tree.laid.depth.tolist(), strict=True))


PLAIN = told((1.0, "b", "a"), (2.0, "c", "a"), (3.0, "d", "c"), (4.0, "c", "b"))


def test_processes_are_below_their_parents() -> None:
    assert drawn(see(PLAIN, 0.5)) == {} and drawn(see(PLAIN, 1.5)) == {"a": 0, "b": 1}
    assert drawn(see(PLAIN, 3.5)) == {"a": 0, "b": 1, "c": 1, "d": 2}
    assert drawn(see(PLAIN, 4.5)) == {"a": 0, "b": 1, "c": 2, "d": 3}
    tree = see(PLAIN, 4.5)
    assert tree is not None and tree.words(0) == "a, 1 below it" and tree.topic == ""
    assert [NAMES[p] for p in tree.processes.tolist()] == list(tree.laid.names)


def test_the_topic_with_the_most_members_is_shown() -> None:
    run = told(
        (1.0, "a", {"x": None}), (2.0, "b", {"x": "a", "y": None}), (3.0, "c", {"y": "b"}), (4.0, "d", {"y": "b"})
    )
    tree = see(run, 5.0)
    assert drawn(tree) == {"b": 0, "c": 1, "d": 1} and tree is not None and tree.topic == "y"


def test_parents_in_a_circle_and_missing_variables_are_reported() -> None:
    circle = see(told((1.0, "a", "b"), (2.0, "b", "a")), 3.0)
    assert circle is not None and circle.problem == "Some nodes are below themselves."
    assert see(told((1.0, "a", None)), 2.0) is None  # nobody ever has a parent
    found = basic.frame(PLAIN, 1.0, animation=Animation(parents=Parents("ups"))).pieces["parents"]
    assert "did you mean 'up'" in found.problem
    with pytest.raises(BadInput, match="variable must be the name"):
        Parents("")


def test_a_process_alone_is_in_no_tree() -> None:
    assert tree_of({"a": {"x": None}, "b": {}}, "x") == {}
    assert tree_of({"a": {"x": None}, "b": {"x": "a"}}, "x") == {"a": ["b"], "b": []}


def test_the_page_has_the_tree_of_every_moment() -> None:
    data = run_data(PLAIN, DRAWN)
    part = data["pieces"]["parents"]
    rows = list(zip(numbers(part["at"]).tolist(), numbers(part["text"]).tolist(), strict=True))
    for t in (0.5, 1.5, 3.5, 4.5):
        known = [json.loads(data["texts"][text]) for at, text in rows if at < PLAIN.count(t)]
        nodes = known[-1][0]
        assert {NAMES[p]: depth for p, _, depth in nodes} == drawn(see(PLAIN, t))
