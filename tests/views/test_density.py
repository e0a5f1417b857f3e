"""Density by counting: no event is left out and none counted twice, however the picture is cut."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.trace.timeline import Timeline
from lydian.views import density as module
from lydian.views.axis import remember, rows_of
from lydian.views.density import Counter, density
from lydian.views.ordering import SORTS, arranged, moved, rows_seen
from lydian.views.timescale import SCALES, scale_of
from tests.views.test_causality import executions, frame, run


@given(executions(), st.sampled_from(list(SCALES)), st.floats(-2, 30), st.floats(0.01, 40), st.integers(1, 60))
def test_all_counts_together_are_the_events_in_the_window(
    timeline: Timeline, name: str, start: float, length: float, bins: int
) -> None:
    scale = scale_of(timeline, name)
    span = scale.span((start, start + length))
    found = density(timeline, scale, rows_of(timeline), span, bins)
    places = scale.events(np.arange(timeline.length))
    inside = (places >= span[0]) & (places <= span[1])
    if name == "squashed":  # places are computed, times are compared
        inside = (timeline.time >= scale.time(span[0])) & (timeline.time <= scale.time(span[1]))
    assert int(found.counts.sum()) == int(np.count_nonzero(inside))
    per_process = np.bincount(timeline.process[inside], minlength=timeline.n)
    assert found.counts.sum(axis=1).tolist() == per_process.tolist()
    assert found.counts.max(initial=0) <= found.full


@given(st.lists(st.integers(-1, 4), max_size=200), st.data())
def test_any_stretch_is_counted_exactly(processes: list[int], data: st.DataObject) -> None:
    process = np.array(processes, dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FEWEST", 4)
        patch.setattr(module, "CELLS", 40)
        counter = Counter(process, 5)
    bounds = sorted(data.draw(st.lists(st.integers(0, len(processes)), min_size=2, max_size=12)))
    found = counter.between(np.array(bounds, dtype=np.int64))
    for place, (a, b) in enumerate(itertools.pairwise(bounds)):
        assert found[:, place].tolist() == [processes[a:b].count(p) for p in range(5)]


def test_a_scrolling_window_meets_the_same_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PART", 8)
    timeline, scale = run(), scale_of(run())
    seen: dict[int, list[int]] = {}
    for step in range(40):
        start = 0.01 * step
        found = density(timeline, scale, rows_of(timeline), (start, start + 4.0), 50)
        first = round(found.start / found.width)
        for column in range(1, found.counts.shape[1] - 1):  # the pieces at the edges are cut
            counts = found.counts[:, column].tolist()
            assert seen.setdefault(first + column, counts) == counts


def test_rows_in_another_order_take_their_counts_along() -> None:
    timeline = run()
    plain = frame(timeline, 5.0, limit=1).scene.density
    turned = frame(timeline, 5.0, limit=1, order=range(timeline.n - 1, -1, -1)).scene.density
    some = frame(timeline, 5.0, limit=1, hidden=(0, 1)).scene.density
    assert plain is not None and turned is not None and some is not None
    assert (plain[::-1] == turned).all()
    assert (plain[2:] == some).all()


def test_the_orders_of_rows() -> None:
    timeline = run()
    for sort in SORTS:
        assert sorted(arranged(timeline, sort).processes.tolist()) == list(range(timeline.n))
    first = [int(np.flatnonzero(timeline.process == p)[0]) for p in arranged(timeline, "first").processes]
    assert first == sorted(first)
    near = arranged(timeline, "near", selected={5}).processes.tolist()
    assert near == [3, 5, 6, 8]  # its neighbours by the links
    assert arranged(timeline, "id") is rows_of(timeline)
    assert moved(arranged(timeline, "id"), 11, 0)[:3] == (11, 0, 1)
    assert moved(arranged(timeline, "id"), 0, 99)[-1] == 0
    cluster = arranged(timeline, "cluster").row
    ends = [(int(a), int(b)) for a, b in zip(timeline.message_source, timeline.message_target, strict=True)]
    assert sum(abs(int(cluster[a]) - int(cluster[b])) for a, b in ends) <= sum(abs(a - b) for a, b in ends)


def test_scrolling_rows_stays_inside() -> None:
    assert rows_seen(None, 100) == (0.0, 100.0)
    assert rows_seen(None, 100, factor=0.2) == (40.0, 60.0)
    assert rows_seen((40.0, 60.0), 100, by=1000) == (80.0, 100.0)
    assert rows_seen((40.0, 60.0), 100, by=-1000) == (0.0, 20.0)
    assert rows_seen((40.0, 60.0), 100, factor=99) == (0.0, 100.0)


def test_of_one_kind_of_thing_only_the_latest_are_remembered() -> None:
    timeline = run()
    for i in range(10):
        remember(timeline, ("thing", i), lambda i=i: i, of_kind=3)
    made = []
    for i in range(10):
        remember(timeline, ("thing", i), lambda i=i: made.append(i), of_kind=20)
    assert made == [0, 1, 2, 3, 4, 5, 6]
