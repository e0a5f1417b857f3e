"""The time window: how many events it shows, where the play head is in it, and when it moves."""

from __future__ import annotations

import itertools
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.trace.timeline import Timeline
from lydian.views.time.axis import fit
from lydian.views.time.timescale import SCALES, scale_of
from lydian.views.time.timewindow import around, between, eased, events_in, following_count, place_in, stepped, usual
from tests.views.book import Book
from tests.views.time.test_causality import executions


@cache
def steady(stopped: str | None = "quiescent") -> Timeline:
    """Return 1,000 events of four processes, one for each unit of time."""
    book = Book("abcd")
    for number in range(1000):
        book.write(float(number), "timer", "abcd"[number % 4])
    return Timeline(book.trace(stopped=stopped))


@cache
def bursts() -> Timeline:
    """Return 20 moments at which 30 events happen, with long breaks."""
    book = Book("abcd")
    for number in range(600):
        book.write(100.0 * (number // 30), "timer", "abcd"[number % 4])
    return Timeline(book.trace(stopped="quiescent"))


@pytest.mark.parametrize(("width", "count"), [(0, 60), (540, 60), (720, 80), (900, 100), (1080, 120), (4000, 120)])
def test_the_usual_number_of_events_gives_each_of_them_nine_pixels(width: float, count: int) -> None:
    assert usual(width) == count


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_window_has_the_wanted_number_of_events_around_the_play_head(share: float) -> None:
    timeline = steady()
    scale = scale_of(timeline)
    window = around(timeline, scale, 500.0, 80, share)
    assert place_in(scale, window, 500.0) == pytest.approx(share)
    assert 80 <= events_in(timeline, scale, window) <= 82
    assert window[1] - window[0] == pytest.approx(80, abs=2)


def test_at_both_ends_a_window_stays_within_the_run() -> None:
    timeline = steady()
    scale = scale_of(timeline)
    assert around(timeline, scale, -1e-9, 80, 0.8) == pytest.approx((0.0, 79.0), abs=0.5)
    start, stop = around(timeline, scale, 999.0, 80, 0.2)
    assert between(timeline, (start, stop)) == (920, 1000)
    assert stop == pytest.approx(999 + 0.03 * (stop - start))


def test_a_window_has_events_of_several_moments_even_if_one_moment_has_more_than_enough() -> None:
    timeline = bursts()
    scale = scale_of(timeline)
    window = around(timeline, scale, 1000.0, 20)
    assert events_in(timeline, scale, window) >= 4 * 30
    assert window[1] - window[0] == pytest.approx(400, abs=100)


def test_a_short_run_is_the_window() -> None:
    timeline = steady()
    assert around(timeline, scale_of(timeline), 10.0, 1000) == fit(timeline)


def test_the_window_moves_in_steps_and_backwards_as_in_a_mirror() -> None:
    timeline = steady()
    scale = scale_of(timeline)
    window = around(timeline, scale, 500.0, 100)
    steps, places = [], []
    for t in range(500, 700):
        fresh = stepped(timeline, scale, window, float(t), 100, forwards=True)
        if fresh != window:
            steps.append(t)
            places.append((place_in(scale, window, t), place_in(scale, fresh, t)))
        window = fresh
    assert steps == [531, 592, 653]
    assert all(before > 0.8 and after == pytest.approx(0.2) for before, after in places)
    steps.clear()
    for t in range(660, 500, -1):
        fresh = stepped(timeline, scale, window, float(t), 100, forwards=False)
        if fresh != window:
            steps.append(t)
            assert place_in(scale, window, t) < 0.2 and place_in(scale, fresh, t) == pytest.approx(0.8)
        window = fresh
    assert steps == [652, 591, 530]


def test_after_a_jump_the_play_head_is_in_the_middle() -> None:
    timeline = steady()
    scale = scale_of(timeline)
    window = around(timeline, scale, 100.0, 80)
    for forwards, t in ((True, 700.0), (False, 50.0)):
        assert place_in(scale, stepped(timeline, scale, window, t, 80, forwards=forwards), t) == pytest.approx(0.5)


def test_at_the_front_of_a_run_that_goes_on_the_play_head_reaches_the_right_edge() -> None:
    timeline = steady(None)
    scale = scale_of(timeline)
    window = (920.0, 1000.0)
    assert stepped(timeline, scale, window, 999.0, 80, forwards=True) == window
    start, stop = stepped(timeline, scale, (900.0, 990.0), 999.0, 80, forwards=True)
    assert place_in(scale, (start, stop), 999.0) == pytest.approx(0.75)
    assert between(timeline, (start, stop)) == (920, 1000)


@given(
    executions(), st.sampled_from(list(SCALES)), st.floats(-2, 60), st.integers(1, 40), st.sampled_from((0.2, 0.5, 0.8))
)
def test_a_window_contains_the_play_head_and_enough_events(
    timeline: Timeline, name: str, t: float, count: int, share: float
) -> None:
    scale, whole = scale_of(timeline, name), fit(timeline)
    window = around(timeline, scale, t, count, share)
    assert window[0] < window[1]
    assert whole[0] - 1e-9 <= window[0] and window[1] <= whole[1] + 1e-9 * max(1.0, whole[1])
    inside = min(max(t, whole[0]), timeline.end)
    if timeline.length and inside >= timeline.time[0]:  # before its first event, the Lamport scale has no places
        assert -1e-3 <= place_in(scale, window, inside) <= 1 + 1e-3
    assert events_in(timeline, scale, window) >= min(count, timeline.length) or window == whole


@given(st.integers(0, 10**7))
def test_the_numbers_of_events_to_choose_from_are_round(count: int) -> None:
    more, fewer = following_count(count, 1), following_count(count, -1)
    assert more > count and (fewer < count or fewer == 10)
    assert {str(more).rstrip("0"), str(fewer).rstrip("0")} <= {"1", "15", "2", "3", "4", "6", "8"}


def test_a_step_is_fast_at_first_and_ends_exactly() -> None:
    scale = scale_of(steady())
    before, after = (0.0, 10.0), (6.0, 26.0)
    ways = [eased(scale, before, after, part) for part in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert ways[0] == before and ways[-1] == after
    moves = [b[0] - a[0] for a, b in itertools.pairwise(ways)]
    assert moves == sorted(moves, reverse=True)
