"""The places of texts at events: none hides anything, and the best free one is taken."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from lydian.views.network.fit import crossed, overlapped
from lydian.views.time.eventlabels import SIDES, candidates, chosen

NONE = np.empty((0, 4))
COST = np.arange(len(SIDES), dtype=np.float64)


def at(*points: tuple[float, float]) -> NDArray[np.float64]:
    x, y = np.array(points, dtype=np.float64).T
    return candidates(x, y, np.full(len(points), 20.0), 8.0, 6.0)


def test_the_first_free_place_is_taken() -> None:
    boxes = at((100, 50))
    assert boxes[0, 0].tolist() == [78, 36, 98, 44] and boxes[0, 4].tolist() == [102, 56, 122, 64]
    cost, room = COST[None], (0.0, 200.0)
    assert chosen(boxes, cost, room, NONE, NONE, NONE).tolist() == [0]
    assert chosen(boxes, cost, room, np.array([[80.0, 30, 90, 40]]), NONE, NONE).tolist() == [1]
    assert chosen(boxes, cost, room, NONE, np.array([[60.0, 20, 100, 50]]), NONE).tolist() == [1]
    assert chosen(boxes, cost, (90.0, 115.0), NONE, NONE, NONE).tolist() == [2]
    assert chosen(boxes, cost, room, NONE, NONE, np.array([[0.0, 30, 200, 45]])).tolist() == [3]
    assert chosen(boxes, cost, room, np.array([[0.0, 0, 200, 100]]), NONE, NONE).tolist() == [-1]
    barred = np.where(np.arange(len(SIDES)) < 3, np.inf, cost)
    assert chosen(boxes, barred, room, NONE, NONE, NONE).tolist() == [3]


def test_two_events_close_together_share_the_room() -> None:
    found = chosen(at((100, 50), (104, 50)), np.tile(COST, (2, 1)), (0.0, 200.0), NONE, NONE, NONE)
    assert found.tolist() == [0, 1]


points = st.lists(st.tuples(st.integers(30, 170), st.sampled_from([20, 50, 80])), min_size=1, max_size=90)
lines = st.lists(st.tuples(*[st.integers(0, 200), st.integers(0, 100)] * 2), max_size=12)


@given(points, lines)
def test_no_text_overlaps_or_is_crossed(events: list[tuple[int, int]], arrows: list[tuple[int, ...]]) -> None:
    boxes = at(*events)
    segments = np.array(arrows, dtype=np.float64).reshape(-1, 4)
    dots = np.array([(x - 3, y - 3, x + 3, y + 3) for x, y in events], dtype=np.float64)
    found = chosen(boxes, np.tile(COST, (len(events), 1)), (0.0, 200.0), dots, segments, NONE)
    placed = boxes[np.flatnonzero(found >= 0), found[found >= 0]]
    assert not overlapped(placed, placed)[~np.eye(len(placed), dtype=bool)].any()
    assert not overlapped(placed, dots).any() and not crossed(placed, segments).any()
    assert ((placed[:, 0] >= 0) & (placed[:, 2] <= 200)).all()
