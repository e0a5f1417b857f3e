"""All labels are placed in one step: none overlaps another, a process, a link or the legend, or crosses the edge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.views.network.fit import crossed, overlapped
from lydian.views.network.labels import (
    CLEAR,
    Floats,
    Ground,
    around_process,
    bent,
    beside_link,
    corner_of,
    leader,
    place,
)

ROOM = (0.0, 0.0, 500.0, 400.0)
PLACES = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 400)), min_size=1, max_size=12)


def ground_with(points: list[tuple[int, int]], half: float, *lines: tuple[float, float, float, float]) -> Ground:
    return Ground(ROOM, np.array(points, dtype=np.float64), half, np.array(lines, dtype=np.float64).reshape(-1, 4))


@given(PLACES, st.sampled_from([20.0, 36.0, 52.0]), st.integers(10, 240), st.integers(8, 60), st.booleans())
def test_no_label_hides_anything(
    points: list[tuple[int, int]], d: float, width: int, height: int, legend: bool
) -> None:
    half = d * 0.63
    at = np.array(points, dtype=np.float64)
    segments = np.hstack((at[:-1], at[1:]))
    ground = Ground(ROOM, at, half, segments, lane=13.0)
    taken = np.array([(12.0, 350.0, 312.0, 388.0)]) if legend else np.empty((0, 4))
    wanted = [corner_of(at[p], p, d * 0.46, d * 0.5, d * 0.5, ("corner", p)) for p in range(len(points))]
    wanted += [around_process(ground, p, width, height, ("line", p)) for p in range(len(points))]
    wanted += [beside_link(segments[i], 60.0, 20.0, i, ("chip", i), 13.0) for i in range(len(segments))]
    found = place(ground, wanted, taken)
    boxes = np.array(list(found.values())).reshape(-1, 4)
    shapes = np.hstack((at - half, at + half))
    assert not np.triu(overlapped(boxes, boxes), 1).any()
    assert not overlapped(boxes, taken).any()
    assert (boxes[:, :2] >= 0).all() and (boxes[:, 2:] <= ROOM[2:]).all()
    for (what, number), box in found.items():
        others = np.delete(shapes, number, axis=0) if what == "corner" else shapes
        assert not overlapped(box[None], others).any()
        if what != "corner":
            near = crossed(box[None] + np.array([-CLEAR, -CLEAR, CLEAR, CLEAR]), segments)[0]
            assert set(np.flatnonzero(near).tolist()) <= ({number} if what == "chip" else set())
        line = leader(at[number], half, box) if what == "line" else None
        if line is not None:
            assert not crossed(np.delete(shapes, number, axis=0), line[None]).any()
            assert crossed(boxes, line[None]).sum() == 1  # its own
    again = place(ground, wanted, taken)
    assert {key: box.tolist() for key, box in again.items()} == {key: box.tolist() for key, box in found.items()}


def line_of(ground: Ground, width: float = 80.0) -> Floats:
    """Return the place of the text of process 0."""
    return place(ground, [around_process(ground, 0, width, 16, ("line", 0))])["line", 0]


def test_a_text_is_below_its_process_else_above_else_beside_it() -> None:
    below = line_of(ground_with([(250, 200)], 18.0))
    assert below.tolist() == [210, 221, 290, 237]
    spokes = (250.0, 200.0, 250.0, 399.0), (250.0, 200.0, 250.0, 0.0)
    assert line_of(ground_with([(250, 200)], 18.0, *spokes)).tolist() == [255, 221, 335, 237]  # beside the link
    fan = [(250.0, 200.0, 250.0 + x, 399.0) for x in (-300.0, -150.0, 0.0, 150.0, 300.0)]
    assert line_of(ground_with([(250, 200)], 18.0, *fan))[3] == 179  # above
    right = line_of(ground_with([(250, 200), (250, 240), (250, 160)], 18.0))
    assert right[0] > 268 and right[1] < 200 < right[3]


def test_a_text_that_must_stand_apart_is_tied_to_its_process_by_a_line() -> None:
    star = [(250.0, 200.0, 250.0 + 60 * np.cos(a), 200.0 + 60 * np.sin(a)) for a in np.arange(0, 2 * np.pi, 0.2)]
    ground = ground_with([(250, 200)], 18.0, *star)
    box = line_of(ground, 40.0)
    tie = leader(ground.points[0], ground.half, box)
    assert tie is not None and np.hypot(*(tie[:2] - ground.points[0])) == pytest.approx(18)
    assert not crossed(box[None], ground.segments).any()
    assert leader(ground.points[0], 18.0, np.array([210.0, 221.0, 290.0, 237.0])) is None


def test_a_text_without_a_place_is_left_out() -> None:
    mesh = [(float(x), 0.0, float(x), 400.0) for x in range(0, 501, 20)]
    ground = ground_with([(250, 200)], 18.0, *mesh)
    assert place(ground, [around_process(ground, 0, 80, 16, ("line", 0))]) == {}


def test_of_two_labels_with_one_key_the_smaller_gets_the_free_space() -> None:
    ground = ground_with([(40, 200)], 23.0)
    wanted = [around_process(ground, 0, 900, 16, ("line", 0)), around_process(ground, 0, 60, 16, ("line", 0))]
    box = place(ground, wanted)["line", 0]
    assert box[2] - box[0] == 60


def test_labels_with_few_places_come_before_those_with_many() -> None:
    ground = ground_with([(250, 200), (100, 100)], 18.0)
    free, bound = (around_process(ground, p, 80, 16, ("line", p)) for p in (0, 1))
    bound = type(bound)(bound.key, free.boxes[:1], free.bias[:1], own=1)  # only where the other would be best
    found = place(ground, [free, bound])
    assert set(found) == {("line", 0), ("line", 1)} and found["line", 1].tolist() == free.boxes[0].tolist()


def test_a_thing_at_a_corner_turns_away_from_links_but_may_cross_them() -> None:
    at = np.array([250.0, 200.0])

    def corner(*lines: tuple[float, float, float, float], crosses: float = 0.12) -> Floats:
        ground = ground_with([(250, 200)], 18.0, *lines)
        return place(ground, [corner_of(at, 0, 17.0, 12, 12, ("corner", 0), crosses=crosses)])["corner", 0]

    assert corner().tolist() == [267, 171, 279, 183]  # at the upper right
    spoke = (250.0, 200.0, 400.0, 50.0)
    assert not crossed(corner(spoke)[None], np.array([spoke])).any()
    assert corner(spoke, crosses=0.0).tolist() == corner().tolist()
    star = [(250.0, 200.0, 250 + 200 * np.cos(a), 200 + 200 * np.sin(a)) for a in np.arange(0, 2 * np.pi, 0.1)]
    assert len(corner(*star)) == 4


def test_bent_arrows_bend_to_the_right_and_stop_before_the_processes() -> None:
    arrow = bent(np.array([(0.0, 0.0)]), np.array([(100.0, 0.0)]), np.array([0.2]), 10.0)
    assert arrow.shape == (8, 4) and (arrow[1:, :2] == arrow[:-1, 2:]).all()
    assert np.hypot(*arrow[0, :2]) == pytest.approx(10) and np.hypot(*(arrow[-1, 2:] - (100, 0))) == pytest.approx(10)
    assert arrow[:, 1].min() > 0 and arrow[:, 3].max() == pytest.approx(arrow[3, 3]) and 15 < arrow[3, 3] < 25
    straight = bent(np.array([(0.0, 0.0)]), np.array([(100.0, 0.0)]), np.array([0.0]), 10.0)
    assert np.allclose(straight[:, 1::2], 0) and bent(arrow[:0, :2], arrow[:0, :2], np.empty(0), 1.0).shape == (0, 4)
