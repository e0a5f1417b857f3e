"""The fit of a network into its view, and the search for empty places, on arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.views.network.fit import Fit, crossed, fit_of, free_corner, nearest, open_point, overlapped

ROOM = (60.0, 50.0, 1200.0, 350.0)
SQUARE = np.array([(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)])
NO_BOXES, NO_LINES = np.empty((0, 4)), np.empty((0, 4))

points = st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500)), min_size=1, max_size=20)


@given(points, st.floats(1, 3))
def test_a_fit_stays_inside_and_fills_one_axis(found: list[tuple[int, int]], stretch: float) -> None:
    at = np.array(found, dtype=float)
    fit = fit_of(at, ROOM, stretch)
    low, high = fit.place(at).min(axis=0), fit.place(at).max(axis=0)
    assert (low >= np.array(ROOM[:2]) - 1e-6).all() and (high <= np.array(ROOM[2:]) + 1e-6).all()
    assert (low + high) / 2 == pytest.approx(((ROOM[0] + ROOM[2]) / 2, (ROOM[1] + ROOM[3]) / 2))
    assert 1 / stretch - 1e-9 <= fit.aspect <= stretch + 1e-9
    if len(set(found)) > 1:
        assert np.isclose((high - low) / (ROOM[2] - ROOM[0], ROOM[3] - ROOM[1]), 1.0).any()


def test_a_square_in_a_wide_room_is_stretched_to_the_limit_and_no_farther() -> None:
    wide, tall = np.ptp(fit_of(SQUARE, ROOM, 1.8).place(SQUARE), axis=0)
    assert (wide, tall) == pytest.approx((1.8 * 300, 300))
    wide, tall = np.ptp(fit_of(SQUARE, (0, 0, 400, 300), 1.8).place(SQUARE), axis=0)
    assert (wide, tall) == pytest.approx((400, 300))


def test_a_typical_link_has_a_maximum_length() -> None:
    pair = np.array([(0.0, 0.0), (10.0, 0.0)])
    assert np.ptp(fit_of(pair, ROOM, longest=500.0, typical=10.0).place(pair), axis=0) == pytest.approx((500, 0))


def test_a_fit_can_be_moved_to_the_side() -> None:
    fit = Fit(2.0, 10.0, 20.0, 1.5)
    assert fit.moved(5.0).place(SQUARE) - fit.place(SQUARE) == pytest.approx(np.tile((5.0, 0.0), (4, 1)))
    assert fit.place(SQUARE)[2] == pytest.approx((210, 320))


def test_the_nearest_neighbours() -> None:
    assert nearest(np.array([(0.0, 0.0), (30.0, 40.0), (200.0, 0.0)])) == 50
    assert nearest(SQUARE[:1]) == np.inf


def test_boxes_overlap_and_are_crossed() -> None:
    boxes = np.array([(0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0)])
    assert overlapped(boxes, np.array([(5.0, 5.0, 15.0, 15.0), (10.0, 0.0, 20.0, 10.0)])).tolist() == [
        [True, False], [False, False],
    ]  # fmt: skip
    lines = np.array([(-5.0, 5.0, 50.0, 5.0), (15.0, -5.0, 15.0, 50.0), (25.0, 5.0, 25.0, 5.0)])
    assert crossed(boxes, lines).tolist() == [[True, False, False], [True, False, True]]


@given(
    st.lists(st.tuples(*[st.integers(0, 20)] * 2, *[st.integers(1, 9)] * 2), min_size=1, max_size=4),
    st.lists(st.tuples(*[st.integers(-5, 30)] * 4), min_size=1, max_size=6),
)
def test_a_box_is_crossed_by_a_segment_unless_a_line_parts_them(
    placed: list[tuple[int, int, int, int]], lines: list[tuple[int, int, int, int]]
) -> None:
    boxes = np.array([(x, y, x + wide, y + tall) for x, y, wide, tall in placed], dtype=float)
    found = crossed(boxes, np.array(lines, dtype=float))
    for number, (x1, y1, x2, y2) in enumerate(lines):
        for box, (left, top, right, bottom) in enumerate(boxes.tolist()):
            parted = max(x1, x2) < left or min(x1, x2) > right or max(y1, y2) < top or min(y1, y2) > bottom
            corners = [(x, y) for x in (left, right) for y in (top, bottom)]
            sides = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in corners]
            if 0 not in sides or parted:  # a segment that touches a corner is rounded to either side
                assert found[box, number] == (not parted and min(sides) < 0 < max(sides))


def test_a_card_lies_in_the_first_empty_corner() -> None:
    room, sizes = (0.0, 0.0, 400.0, 300.0), [(100.0, 80.0)]
    assert free_corner(sizes, room, NO_BOXES, NO_LINES) == (0, (0, 220, 100, 300))
    low = np.array([(50.0, 250.0, 60.0, 260.0)])
    assert free_corner(sizes, room, low, NO_LINES) == (0, (0, 0, 100, 80))
    line = np.array([(0.0, 0.0, 90.0, 300.0)])
    assert free_corner(sizes, room, NO_BOXES, line) == (0, (300, 220, 400, 300))
    assert free_corner([(500.0, 20.0), *sizes], room, NO_BOXES, NO_LINES) == (1, (0, 220, 100, 300))
    assert free_corner(sizes, room, np.array([room]), NO_LINES) is None


@given(points, st.floats(20, 60))
def test_the_place_for_play_is_away_from_processes_and_links(found: list[tuple[int, int]], least: float) -> None:
    at = np.array(found, dtype=float) + np.array((600, 200))
    boxes = np.hstack((at - 20, at + 20))
    lines = np.hstack((at[:-1], at[1:]))
    place = open_point((0.0, 0.0, 1200.0, 400.0), (-40.0, -40.0, 150.0, 40.0), boxes, lines, least, (45, -12, 150, 12))
    if place is None:
        return
    x, y = place
    assert 40 <= x <= 1050 and 40 <= y <= 360
    aside = np.maximum(np.maximum(boxes[:, :2] - place, place - boxes[:, 2:]), 0)
    assert (np.hypot(*aside.T) >= least - 1e-9).all()
    disc = np.array([(x - least / 2, y - least / 2, x + least / 2, y + least / 2)])
    assert not crossed(disc, lines).any()
    assert not overlapped(np.array([(x + 45, y - 12, x + 150, y + 12)]), boxes).any()


def test_the_place_for_play_is_in_the_middle_if_that_is_empty_and_nowhere_among_too_many_links() -> None:
    room, body = (0.0, 0.0, 800.0, 400.0), (-40.0, -40.0, 40.0, 40.0)
    assert open_point(room, body, NO_BOXES, NO_LINES, 50.0) == (400.0, 200.0)
    beam = np.array([(0.0, 200.0, 800.0, 200.0)])
    x, y = open_point(room, body, NO_BOXES, beam, 50.0) or (0.0, 0.0)
    assert abs(x - 400) <= 8 and 50 <= abs(y - 200) <= 80
    label = np.array([(380.0, 190.0, 420.0, 210.0)])
    x, y = open_point(room, body, label, NO_LINES, 50.0, soft=1) or (0.0, 0.0)
    assert abs(x - 400) > 70 or abs(y - 200) > 60  # beside the label
    assert open_point((320.0, 120.0, 480.0, 280.0), body, label, NO_LINES, 50.0, soft=1) is not None  # or over it
    fence = np.array([(x, 0.0, x, 400.0) for x in range(0, 801, 80)], dtype=float)
    assert open_point(room, body, NO_BOXES, fence, 50.0) is None
    assert open_point(room, body, NO_BOXES, np.repeat(beam, 401, axis=0), 50.0) is None
    assert open_point((0.0, 0.0, 50.0, 50.0), body, NO_BOXES, NO_LINES, 50.0) is None
