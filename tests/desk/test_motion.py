"""Loops that are never left, breakpoints that are never skipped, playing by events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.desk.motion import SPEEDS, Place, onwards
from lydian.desk.playhead import Playhead
from lydian.trace.timeline import Timeline
from lydian.views.playback.bookmarks import Bookmarks
from lydian.views.playback.stops import Condition, StopCondition, Stopped, each, first_of, last_of
from lydian.views.playback.until import Breakpoint
from tests.desk.test_playhead import echo_run, run

TIMES = st.lists(st.floats(0, 100), min_size=1, max_size=30).map(sorted)
TICKS = st.lists(st.floats(0.001, 40), min_size=1, max_size=40)
WAYS = st.sampled_from((1, -1))
PACE = st.sampled_from(("time", "events"))


def at(*events: int) -> Condition:
    """Return a timeline with exactly these events."""
    return lambda timeline, k0, k1: next((e for e in sorted(events) if k0 <= e < k1), None)


# ---------------------------------------------------------------------- loops


@given(times=TIMES, a=st.floats(0, 100), b=st.floats(0, 100), t=st.floats(0, 100), ticks=TICKS, way=WAYS, pace=PACE)
def test_a_loop_never_leaves_its_span(
    times: list[float], a: float, b: float, t: float, ticks: list[float], way: int, pace: str
) -> None:
    head = Playhead(run(*times))
    head.set_loop_from(a)
    head.set_loop_to(b)
    head.set_loop(True)
    head.set_pace(pace)
    low, high = head.span
    assert head.start <= low <= high <= head.end
    head.seek(t)
    head.play(way)
    for tick in ticks:
        head.advance(tick)
        assert low <= head.t <= high
        assert head.playing == (head.end > head.start)


def test_an_end_before_the_beginning_moves_the_beginning() -> None:
    head = Playhead(run(0.0, 10.0))
    head.set_loop_from(4.0)
    head.set_loop_to(6.0)
    head.set_loop(True)
    assert head.span == (4.0, 6.0)
    head.set_loop_to(2.0)
    assert (head.loop_from, head.loop_to) == (None, 2.0)
    assert head.span == (head.start, 2.0)
    head.set_loop_from(5.0)
    assert (head.loop_from, head.loop_to) == (5.0, None)
    head.set_loop(False)
    assert head.span == (head.start, head.end)


def test_a_loop_that_is_entered_from_outside_begins_at_its_near_end() -> None:
    head = Playhead(run(0.0, 10.0))
    head.set_loop_from(4.0)
    head.set_loop_to(6.0)
    head.play()
    head.advance(1.0)
    head.set_loop(True)
    head.advance(0.1)
    assert head.t == 4.0
    head.advance(1.5)
    assert head.t == 5.5
    head.advance(0.5)
    assert head.t == 4.0
    head.play(-1)
    head.advance(0.5)
    assert head.t == 5.5  # it was at the near end, so it continued from the far one


def test_another_run_has_its_own_span_and_only_the_bookmarks_within_it() -> None:
    head = Playhead(run(0.0, 10.0))
    head.set_loop_from(4.0)
    head.set_bookmarks(Bookmarks().add(3.0))
    head.load(run(0.0, 1.0))
    assert (head.loop_from, len(head.bookmarks), head.marks) == (None, 1, ())


# ---------------------------------------------------------------------- breakpoints


@given(
    times=TIMES,
    wanted=st.sets(st.integers(0, 29), max_size=6),
    ticks=TICKS,
    way=WAYS,
    pace=PACE,
    speed=st.floats(0.1, 999),
)
def test_breakpoints_are_never_jumped_over(
    times: list[float], wanted: set[int], ticks: list[float], way: int, pace: str, speed: float
) -> None:
    head = Playhead(run(*times))
    head.set_stops((StopCondition(at(*wanted), "here"),))
    head.set_speed(speed)
    head.set_pace(pace, speed)
    if way < 0:
        head.seek(head.end)
    expected = sorted({times[e] for e in wanted if e < len(times)}, reverse=way < 0)
    expected = [t for t in expected if (t - head.t) * way > 0]
    seen = []
    for tick in [*ticks, *(1e9 for _ in range(8))]:
        if not head.playing:
            if (head.at_end if way > 0 else head.at_start) or head.end == head.start:
                break
            head.play(way)
        head.advance(tick)
        if head.stopped is not None and not head.playing:
            event = head.stopped.event
            assert event in wanted and times[event] == head.t and head.stopped.words == "here"
            seen.append(head.t)
    assert seen == expected


def test_the_nearer_breakpoint_stops_and_a_disabled_one_does_not() -> None:
    head = Playhead(run(1.0, 2.0, 3.0, 4.0))
    head.set_stops(
        (StopCondition(at(3), "late"), StopCondition(at(1), "off", enabled=False), StopCondition(at(2), "soon"))
    )
    head.play()
    head.advance(100.0)
    assert (head.t, head.playing, head.stopped) == (3.0, False, Stopped(2, "soon"))
    head.play()
    assert head.stopped is None
    head.advance(100.0)
    assert head.stopped == Stopped(3, "late")


def test_a_loop_stops_at_the_event_it_lands_on() -> None:
    head = Playhead(run(1.0, 2.0, 3.0, 4.0))
    head.set_loop_from(2.0)
    head.set_loop_to(3.5)
    head.set_loop(True)
    head.set_stops((StopCondition(at(1), "in"),))
    head.seek(2.5)
    head.play()
    head.advance(100.0)
    assert (head.t, head.stopped) == (2.0, Stopped(1, "in"))


def test_a_breakpoint_with_a_failing_condition_is_disabled_and_playing_continues() -> None:
    head = Playhead(run(1.0, 2.0))
    head.set_stops(
        (
            StopCondition(each(lambda timeline, seq: bool(1 // 0)), "broken"),
            StopCondition(lambda timeline, k0, k1: k1, "off"),
        )
    )
    head.play()
    head.advance(1.5)
    assert head.playing and head.t == 1.5
    assert [stop.enabled for stop in head.stops] == [False, False]
    assert head.stops[0].error.startswith("ZeroDivisionError")
    assert head.stops[1].error == "ValueError: asked for an event from 0 to 0, the condition named 1"


@given(wanted=st.sets(st.integers(0, 199)), k0=st.integers(0, 200), k1=st.integers(0, 200))
def test_the_last_match_is_found_by_forward_searches(wanted: set[int], k0: int, k1: int) -> None:
    asked = 0

    def condition(timeline: Timeline, a: int, b: int) -> int | None:
        nonlocal asked
        asked += 1
        return at(*wanted)(timeline, a, b)

    inside = [e for e in wanted if k0 <= e < k1]
    assert first_of(condition, run(1.0), k0, k1) == (min(inside) if inside else None)
    asked = 0
    assert last_of(condition, run(1.0), k0, k1) == (max(inside) if inside else None)
    assert asked <= 18


# ---------------------------------------------------------------------- run until


def test_run_until_a_time_stops_exactly_there() -> None:
    head = Playhead(run(1.0, 2.0, 8.0))
    assert head.run_until(5.0)
    head.advance(4.9)
    assert head.playing
    head.advance(7.0)
    assert (head.t, head.playing, head.stopped) == (5.0, False, Stopped(None, "time 5"))
    assert not head.run_until(4.0)
    assert head.run_until(4.0, direction=-1)
    head.advance(9.0)
    assert head.t == 4.0


def test_run_until_an_event_a_message_a_state_or_a_filter() -> None:
    timeline = echo_run()
    for goal, matches in (
        (Breakpoint("event", 20).hit, lambda e: e == 20),
        (Breakpoint("message", "Ack", kind="receive").hit, lambda e: timeline.labels[timeline.label[e]] == "Ack"),
        (Breakpoint("state", "finished").hit, lambda e: timeline.states[timeline.state[e]] == "finished"),
        (each(lambda timeline, e: bool(timeline.process[e] == 7)), lambda e: timeline.process[e] == 7),
    ):
        head = Playhead(timeline)
        assert head.run_until(goal, "goal")
        head.advance(1e6)
        assert head.stopped is not None and head.stopped.event is not None
        assert matches(head.stopped.event) and head.t == timeline.time[head.stopped.event]
        assert Playhead(timeline).jump_until(goal) == head.stopped.event
        head.play()
        head.advance(1e6)
        assert head.at_end  # the target is cleared


def test_a_pause_cancels_the_target_and_a_target_precedes_a_loop() -> None:
    head = Playhead(run(1.0, 2.0, 3.0))
    head.set_loop(True)
    head.run_until(at(99))
    head.advance(100.0)
    assert (head.t, head.playing, head.stopped) == (3.0, False, None)
    head.seek(0.0)
    head.run_until(2.5)
    head.pause()
    head.play()
    head.advance(2.7)
    assert head.t == 2.7


def test_jumping_backwards_goes_to_the_previous_match() -> None:
    head = Playhead(run(1.0, 2.0, 3.0, 4.0))
    head.seek(4.0)
    assert head.jump_until(at(0, 1, 3), -1) == 1
    assert head.t == 2.0
    assert head.jump_until(at(3), -1) is None
    assert head.t == 2.0


# ---------------------------------------------------------------------- by events


def test_by_events_every_gap_takes_the_same_time() -> None:
    head = Playhead(run(0.0, 0.0, 1.0, 1.5, 100.0))
    head.set_pace("events", 2.0)
    head.play()
    seen = []
    for _ in range(8):
        head.advance(0.25)
        seen.append(head.t)
    assert seen == pytest.approx([0.0, 0.0, 0.5, 1.0, 1.25, 1.5, 50.75, 100.0], abs=1e-300)
    assert not Playhead(run(1.0)).playing


def test_by_events_a_run_ends_after_its_last_event() -> None:
    timeline = run(0.0, 1.0)
    timeline.end = 30.0  # the time that a live run has reached
    head = Playhead(timeline)
    head.set_pace("events", 2.0)
    head.play()
    for _ in range(6):
        head.advance(0.25)
    assert (head.t, head.playing) == (30.0, False)
    head.seek(20.0)
    head.play()
    head.advance(0.25)
    assert head.t == 30.0


def test_by_events_speed_changes_the_rate() -> None:
    head = Playhead(run(1.0))
    head.set_pace("events", 4.0)
    head.faster()
    assert (head.rate, head.speed) == (8.0, 1.0)
    head.slower()
    head.slower()
    assert head.rate == 2.0
    head.set_pace("events", 1e9)
    assert head.rate == SPEEDS[-1]
    with pytest.raises(ValueError, match="choose from time, events"):
        head.set_pace("rounds")


@given(times=TIMES, n=st.integers(0, 40), parts=st.integers(1, 7), way=WAYS)
def test_n_events_per_second(times: list[float], n: int, parts: int, way: int) -> None:
    timeline = run(*times)
    head = Playhead(timeline)
    moments = [head.start, *sorted(set(times))]
    if way < 0:
        moments.reverse()
    place = Place(moments[0])
    for _ in range(n * 8):
        place = onwards(timeline.time, head.start, place, way * 0.125)
        assert head.start <= place.t <= head.end
    assert place.t == moments[min(n, len(moments) - 1)]


@given(times=TIMES, t=st.floats(0, 100), amount=st.floats(0, 30))
def test_by_events_forward_and_back_returns_to_the_same_place(times: list[float], t: float, amount: float) -> None:
    timeline = run(*times)
    head = Playhead(timeline)
    head.seek(t)
    there = onwards(timeline.time, head.start, Place(head.t), amount)
    if there.t < head.end:
        back = onwards(timeline.time, head.start, there, -amount)
        assert back.t == pytest.approx(head.t, abs=1e-6)
