"""Snapping and the geometry of drawings: laws that hold at every position of the pointer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.delays import parse
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network
from lydian.views.network.drawing import (
    ahead,
    alike,
    between,
    chip_places,
    contained,
    legend_of,
    link_at,
    looks_of,
    process_at,
    travelling,
)
from lydian.views.network.snapping import GRID, Guide, Snapped, on_grid, snapped

numbers = st.floats(-2_000, 2_000, allow_nan=False)
places = st.lists(st.tuples(numbers, numbers), max_size=12).map(lambda rows: np.array(rows).reshape(-1, 2))


def test_alignment_with_another_process_takes_precedence_over_the_grid() -> None:
    others = np.array([[100.0, 0.0], [100.0, 300.0]])
    assert snapped(103, 130, others, near=5) == Snapped(100.0, 120.0, (Guide(0, 100.0, 0.0, 300.0),))
    assert snapped(103, 130, others, near=2) == Snapped(96.0, 120.0)


def test_grid_alignment_shows_a_guide() -> None:
    assert snapped(50, 130, np.array([[48.0, 24.0]]), near=0).guides == (Guide(0, 48.0, 24.0, 120.0),)


@given(numbers, numbers, places, st.floats(0, 30))
def test_snapping_stays_near_and_on_a_line(x: float, y: float, others: np.ndarray, near: float) -> None:
    free = snapped(x, y, others, near=near, grid=None, guides=False)
    assert free == Snapped(x, y)
    found = snapped(x, y, others, near=near)
    for axis, (before, after) in enumerate(((x, found.x), (y, found.y))):
        assert abs(after - before) <= max(near, GRID / 2) + 1e-9
        aligned = len(others) > 0 and np.isclose(others[:, axis], after, atol=1e-6).any()
        assert aligned or after == on_grid(after)
        assert bool(aligned) == any(guide.axis == axis for guide in found.guides)


@given(numbers, numbers, places)
def test_snapping_twice_changes_nothing(x: float, y: float, others: np.ndarray) -> None:
    once = snapped(x, y, others, near=0)
    assert snapped(once.x, once.y, others, near=0) == once


def test_objects_under_a_point() -> None:
    points = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 100.0]])
    ends = np.array([[0, 1], [1, 2]], dtype=np.int32)
    assert process_at(points, 97, 2, 5) == 1
    assert process_at(points, 50, 2, 5) is None
    assert link_at(points, ends, 50, 2, 5) == 0
    assert link_at(points, ends, 98, 50, 5) == 1
    assert link_at(points, ends, 50, 50, 5) is None
    assert link_at(points, ends[:0], 0, 0, 5) is None


@given(places)
def test_a_lasso_around_everything_selects_everything(points: np.ndarray) -> None:
    square = np.array([[-3e3, -3e3], [3e3, -3e3], [3e3, 3e3], [-3e3, 3e3]])
    assert contained(points, square).all()
    assert not contained(points, square + 1e4).any()


def test_a_concave_lasso_excludes_its_bay() -> None:
    loop = np.array([[0, 0], [10, 0], [10, 10], [5, 2], [0, 10]], dtype=float)
    assert contained(np.array([[5.0, 1.0], [5.0, 6.0], [1.0, 5.0]]), loop).tolist() == [True, False, True]


@given(places, st.floats(-0.5, 1.5))
def test_gliding_begins_and_ends_at_the_right_places(points: np.ndarray, alpha: float) -> None:
    goal = points[::-1] + 7.0
    assert np.array_equal(between(points, goal, 0.0), points)
    assert np.array_equal(between(points, goal, 1.0), goal)
    inside = between(points, goal, alpha)
    low, high = np.minimum(points, goal) - 1e-6, np.maximum(points, goal) + 1e-6
    assert ((inside >= low) & (inside <= high)).all()


def test_messages_leave_one_after_the_other() -> None:
    assert travelling([2.0, 1.0], 0.5, 1.0).tolist() == [0.25]
    assert travelling([2.0, 1.0], 1.5, 1.0).tolist() == [0.75, 0.5]
    assert travelling([2.0, 1.0], 3.0, 1.0).tolist() == []


def test_the_process_ahead() -> None:
    points = np.array([[0.0, 0.0], [50.0, 5.0], [20.0, 90.0]])
    assert ahead(points, 0, 1, 0) == 1
    assert ahead(points, 0, 0, 1) == 2
    assert ahead(points, 0, -1, 0) is None
    assert ahead(points, 0, 1, 0, [1]) == 2


@pytest.fixture
def timed() -> Network:
    links = (
        Link("0", "1"),
        Link("1", "2", klass="long"),
        Link("2", "3", delay=parse("constant(4)"), outages=((1.0, 2.0),)),
        Link("3", "0", directed=True, loss=0.1, order="fifo"),
        Link("0", "3", directed=True),
    )
    return Network(
        "timed", ("0", "1", "2", "3"), links, delay=parse("constant(1)"), classes={"long": parse("constant(2)")}
    )


def test_links_that_differ_look_and_read_differently(timed: Network) -> None:
    looks = looks_of(timed)
    assert looks.chips == {1: "2", 2: "4"}
    assert looks.directed.tolist() == looks.twin.tolist() == [False, False, False, True, True]
    assert looks.down.tolist() == [2]
    widths = [looks.kinds[kind].width for kind in looks.of]
    assert widths[0] < widths[1] < widths[2]
    assert legend_of(looks, "delay")[0] == "Links by mean delay"
    assert [kind.text for kind in legend_of(looks, "delay")[1]] == ["1 default", "2 class “long”", "4 this link only"]
    assert looks_of(timed, "loss").chips == {3: "10 %"}
    lying = timed.replace(links=tuple(replace(link, corruption=0.02) for link in timed.links[:2]), corruption=0.01)
    looks = looks_of(lying, "corruption")
    assert looks.chips == {0: "2 %", 1: "2 %"}
    assert [kind.text for kind in looks.kinds] == ["1 % corrupted", "2 % corrupted"]
    assert looks_of(timed, "order").chips == {3: "in order"}
    assert [kind.text for kind in legend_of(looks_of(timed, "class"), "class")[1]] == ["no class", "long"]
    assert legend_of(looks_of(timed, "nothing"), "nothing") == ("", ())


def test_many_individual_delays_are_one_legend_entry() -> None:
    ring = from_spec("ring:6")
    links = tuple(
        Link(link.a, link.b, delay=parse(f"constant({i + 2})")) if i else link for i, link in enumerate(ring.links)
    )
    entries = legend_of(looks_of(ring.replace(links=links)), "delay")[1]
    assert [entry.text for entry in entries] == [f"{ring.delay.mean:g} default", "3 to 7 individual links"]


def test_similar_objects(timed: Network) -> None:
    assert alike(timed, (), [("0", "1")])[1] == {("0", "1")}
    assert alike(from_spec("ring:6").replace(initiators=("0",)), ["3"], ())[0] == {"1", "2", "3", "4", "5"}


@given(places)
def test_labels_hide_neither_processes_nor_each_other(points: np.ndarray) -> None:
    if len(points) < 2:
        return
    a, b = points[:-1], points[1:]
    sizes = np.tile([40.0, 20.0], (len(a), 1))
    boxes = [place for place in chip_places(a, b, sizes, points, 18) if place is not None]
    for i, (x, y) in enumerate(boxes):
        aside = np.maximum(np.abs(points - (x, y)) - (20, 10), 0)
        assert (np.hypot(aside[:, 0], aside[:, 1]) >= 18).all()
        assert all(abs(x - u) >= 40 or abs(y - v) >= 20 for u, v in boxes[:i])
