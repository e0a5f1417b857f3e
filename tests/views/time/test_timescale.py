"""Positions of moments on each axis: positions and times agree, however dense the events are."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.trace.timeline import Timeline
from lydian.views.time.timescale import SCALES, follow, scale_of
from tests.views.book import Book, echo
from tests.views.time.test_causality import executions


@cache
def run() -> Timeline:
    return Timeline(echo())


def lazy() -> Timeline:
    """Return ten quick events, an idle interval of 100, and ten more."""
    book = Book(("a", "b"))
    for i in range(10):
        book.write(0.1 * i, "timer", "ab"[i % 2])
    for i in range(10):
        book.write(100.0 + 0.1 * i, "timer", "ab"[i % 2])
    return Timeline(book.trace())


@given(executions(), st.sampled_from(list(SCALES)), st.lists(st.floats(-5, 60), min_size=2, max_size=8))
def test_positions_and_times_increase_together(timeline: Timeline, name: str, moments: list[float]) -> None:
    scale = scale_of(timeline, name)
    times = np.sort(np.array(moments))
    places = scale.place(times)
    assert (np.diff(places) >= 0).all()
    assert [scale.place(t) for t in times.tolist()] == pytest.approx(places.tolist())
    back = scale.time(np.linspace(-3, float(timeline.length) + 3, 20))
    assert (np.diff(back) >= -1e-9).all()


@given(executions(), st.sampled_from(["time", "events", "squashed"]), st.floats(-5, 60))
def test_a_position_is_converted_back_to_its_time(timeline: Timeline, name: str, t: float) -> None:
    scale = scale_of(timeline, name)
    assert scale.time(scale.place(t)) == pytest.approx(t, abs=1e-6)


@given(executions(), st.sampled_from(list(SCALES)), st.floats(-1, 30))
def test_past_events_are_not_beyond_the_play_head(timeline: Timeline, name: str, t: float) -> None:
    scale, k = scale_of(timeline, name), timeline.count(t)
    places = scale.events(np.arange(timeline.length))
    assert (places[:k] <= scale.place(t) + 1e-9).all()
    if scale.by_time:
        assert (places[k:] >= scale.place(t) - 1e-9).all()


@given(executions(), st.sampled_from(["events", "squashed"]), st.floats(-1, 20), st.floats(0.1, 20))
def test_the_events_in_a_window_are_those_between_its_positions(
    timeline: Timeline, name: str, start: float, length: float
) -> None:
    scale, window = scale_of(timeline, name), (start, start + length)
    low, high = scale.span(window)
    places = scale.events(np.arange(timeline.length))
    inside = (timeline.time >= window[0]) & (timeline.time <= window[1])
    tolerance = 1e-9
    assert (places[inside] >= low - tolerance).all()
    assert (places[inside] <= high + tolerance).all()
    assert not ((places > low + tolerance) & (places < high - tolerance) & ~inside).any()


def test_one_step_per_event() -> None:
    scale = scale_of(run(), "events")
    assert np.diff(scale.events(np.arange(run().length))).tolist() == [1.0] * (run().length - 1)


def test_idle_time_is_compressed_and_marked() -> None:
    scale = scale_of(lazy(), "squashed")
    assert scale.squashed.tolist() == [[pytest.approx(0.9), 100.0]]
    assert scale.place(100.0) - scale.place(0.9) < 6.0  # of 99
    assert scale.place(0.5) - scale.place(0.2) == pytest.approx(0.3)
    assert scale.place(100.7) - scale.place(100.2) == pytest.approx(0.5)
    texts = [text for _, text in scale.ruler(scale.span((0.0, 101.0)), 8)]
    assert any(100 <= float(text) <= 101 for text in texts)  # the ruler shows real times


def test_lamport_time_is_the_position_of_an_event() -> None:
    scale = scale_of(run(), "lamport")
    assert scale.events(np.arange(run().length)).tolist() == run().lamport.tolist()
    assert scale.place(run().end) == run().lamport.max()
    assert [text for _, text in scale.ruler((0.0, 20.0), 5)] == ["0", "5", "10", "15", "20"]


@pytest.mark.parametrize("name", list(SCALES))
def test_ruler_marks_increase_and_show_their_times(name: str) -> None:
    scale = scale_of(run(), name)
    span = scale.span((0.0, run().end))
    marks = scale.ruler(span, 10)
    places = [place for place, _ in marks]
    assert 2 <= len(marks) <= 12
    assert places == sorted(places)
    if scale.by_time:
        assert [scale.place(float(text)) for _, text in marks] == pytest.approx(places, abs=0.51)


@given(st.sampled_from(list(SCALES)), st.floats(0.0, 12.0), st.floats(0.5, 5.0), st.floats(1.1, 4.0))
def test_zooming_keeps_the_moment_under_the_pointer(name: str, start: float, length: float, factor: float) -> None:
    scale = scale_of(run(), name)
    window = (start, start + length)
    at = start + length / 3
    low, high = scale.span(window)
    zoomed = scale.zoom(window, factor, at)
    assert zoomed[0] <= zoomed[1]
    a, b = scale.place(zoomed[0]), scale.place(zoomed[1])
    assert b - a == pytest.approx((high - low) / factor, abs=3.0 if name in ("events", "lamport") else 1e-6)


@given(st.sampled_from(list(SCALES)), st.floats(0.0, 6.0), st.floats(0.5, 3.0), st.floats(0.0, 16.0))
def test_while_following_the_play_head_stays_in_the_middle_on_every_axis(
    name: str, start: float, length: float, t: float
) -> None:
    scale = scale_of(run(), name)
    window = follow((start, start + length), t, scale)
    assert window[0] <= window[1]
    low, high = scale.span(window)
    part = (scale.place(t) - low) / (high - low)
    slack = 1e-6 if name in ("time", "squashed") else 3.0 / (high - low)  # several events at one time
    assert part <= 0.8 + slack
    assert part >= 0.2 - slack or low <= slack * (high - low)
