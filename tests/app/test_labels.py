"""All labels are placed in one step: none overlaps another, a process or the legend, or crosses the edge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from lydian.app.painters.network.labels import around_process, beside_link, corner_of, place
from lydian.app.painters.network.netmap import Map

pytestmark = pytest.mark.usefixtures("qapp")

RECT = QRectF(0, 0, 500, 400)
PLACES = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 400)), min_size=1, max_size=12)


def the_map(points: list[tuple[int, int]], d: float) -> Map:
    at = np.array(points, dtype=np.float64)
    return Map(RECT, 1.0, 0.0, 0.0, at, np.ones(len(at), dtype=bool), "full", d, 7.0, 12.0, d * 0.63)


def overlap(a: QRectF, b: QRectF) -> bool:
    common = a.intersected(b)
    return common.width() > 1e-6 and common.height() > 1e-6


@given(PLACES, st.sampled_from([20.0, 36.0, 52.0]), st.integers(10, 240), st.integers(8, 60), st.booleans())
def test_no_two_labels_overlap_and_none_overlaps_a_process(
    points: list[tuple[int, int]], d: float, width: int, height: int, legend: bool
) -> None:
    m = the_map(points, d)
    ends = np.array([(i, i + 1) for i in range(len(points) - 1)]).reshape(-1, 2)
    segments = np.hstack((m.points[ends[:, 0]], m.points[ends[:, 1]])) if len(ends) else np.empty((0, 4))
    taken = [QRectF(12, 350, 300, 38)] if legend else []
    wanted = [corner_of(m, p, d * 0.5, d * 0.5, ("corner", p)) for p in range(len(points))]
    wanted += [around_process(m, p, width, height, ("line", p)) for p in range(len(points))]
    wanted += [beside_link(m, segments[i], 60.0, 20.0, i, ("chip", i)) for i in range(len(segments))]
    found = place(m, segments, wanted, taken)
    boxes = list(found.items())
    shapes = [QRectF(x - m.half, y - m.half, 2 * m.half, 2 * m.half) for x, y in m.points.tolist()]
    for number, (key, box) in enumerate(boxes):
        assert not any(overlap(box, other) for _, other in boxes[:number])
        assert not any(overlap(box, other) for other in taken)
        for process, shape in enumerate(shapes):
            assert key == ("corner", process) or not overlap(box, shape)
        assert RECT.adjusted(-1, -1, 1, 1).contains(box) or box.width() > RECT.width() - 6
    assert place(m, segments, wanted, taken) == found, "the same places at every call"


def test_a_single_process_has_its_line_below_it() -> None:
    m = the_map([(250, 200)], 36.0)
    found = place(m, np.empty((0, 4)), [around_process(m, 0, 80, 16, ("line", 0))])
    assert found["line", 0].center().x() == pytest.approx(250)
    assert found["line", 0].top() > 200 + m.half


def test_of_two_labels_with_one_key_the_smaller_gets_the_free_space() -> None:
    m = the_map([(40, 200)], 36.0)
    wanted = [around_process(m, 0, 900, 16, ("line", 0)), around_process(m, 0, 60, 16, ("line", 0))]
    assert place(m, np.empty((0, 4)), wanted)["line", 0].width() == 60
