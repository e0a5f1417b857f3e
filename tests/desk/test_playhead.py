"""The playhead: how time moves, and that it never leaves the run."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.desk.playhead import CHANGES, SPEEDS, Playhead
from lydian.trace.events import ROW, Kind, Trace
from lydian.trace.timeline import Timeline
from lydian.views.playback.bookmarks import Bookmarks
from lydian.views.playback.stops import StopCondition
from lydian.views.selection import NOTHING, Hit, Selection
from tests.views.book import echo


def run(*times: float) -> Timeline:
    """Return notes of two processes in turn, at these times."""
    rows = np.zeros(len(times), dtype=ROW)
    for name in ("peer", "message", "cause", "bits", "label"):
        rows[name] = -1
    rows["time"], rows["process"] = times, np.arange(len(times)) % 2
    rows["kind"], rows["lamport"] = Kind.NOTE, np.arange(len(times))
    return Timeline(Trace(rows, ("a", "b"), (), ("s",)))


@cache
def echo_run() -> Timeline:
    return Timeline(echo())


def test_the_start_is_before_the_first_event_and_the_end_at_the_last() -> None:
    head = Playhead(run(0.0, 0.0, 1.0, 2.5))
    assert head.start < 0.0 and head.start > -1e-300
    assert (head.t, head.position) == (head.start, 0)
    head.seek(9.0)
    assert (head.t, head.position, head.at_end) == (2.5, 4, True)
    assert Playhead(run(0.5, 1.0)).start == 0.0


def test_without_a_run_nothing_moves() -> None:
    head = Playhead()
    head.play()
    head.advance(1.0)
    head.step(1)
    head.seek(3.0)
    assert (head.t, head.playing, head.position, head.events) == (0.0, False, 0, 0)


def test_a_run_without_events_stays_at_rest() -> None:
    head = Playhead(run())
    head.play()
    assert (head.t, head.playing, head.end) == (0.0, False, 0.0)


def test_one_time_unit_per_second() -> None:
    head = Playhead(run(0.5, 1.0, 8.0))
    head.play()
    head.advance(0.75)
    assert head.t == 0.75 and head.position == 1
    head.set_speed(4.0)
    head.advance(0.5)
    assert head.t == 2.75
    head.pause()
    head.advance(5.0)
    assert head.t == 2.75


def test_playing_ends_at_the_end_and_play_then_starts_again() -> None:
    head = Playhead(run(0.5, 1.0))
    head.play()
    head.advance(3.0)
    assert (head.t, head.playing) == (1.0, False)
    head.play()
    assert (head.t, head.playing) == (head.start, True)


def test_backwards_ends_at_the_start_and_then_goes_to_the_end() -> None:
    head = Playhead(run(0.5, 2.0), None)
    head.seek(1.5)
    head.play(-1)
    head.advance(0.5)
    assert head.t == 1.0
    head.advance(5.0)
    assert (head.t, head.playing) == (0.0, False)
    head.play(-1)
    assert (head.t, head.playing) == (2.0, True)


def test_a_loop_continues_at_the_other_end() -> None:
    head = Playhead(run(0.5, 2.0))
    head.set_loop(True)
    head.play()
    head.advance(2.5)
    assert (head.t, head.playing) == (head.start, True)


def test_steps_stop_at_every_time_with_an_event() -> None:
    head = Playhead(run(0.0, 0.0, 1.0, 2.5))
    seen = [head.position]
    for _ in range(4):
        head.step(1)
        seen.append(head.position)
    assert seen == [0, 2, 3, 4, 4]
    back = []
    for _ in range(4):
        head.step(-1)
        back.append(head.position)
    assert back == [3, 2, 0, 0]


def test_a_step_back_between_events_goes_to_the_previous_one() -> None:
    head = Playhead(run(0.5, 1.0, 2.0))
    head.seek(1.7)
    head.step(-1)
    assert head.t == 1.0


def test_steps_of_one_process_skip_the_others() -> None:
    head = Playhead(run(0.0, 1.0, 2.0, 3.0, 4.0))
    times = []
    for _ in range(3):
        head.step(1, process=1)
        times.append(head.t)
    assert times == [1.0, 3.0, 4.0]
    head.step(-1, process=1)
    assert head.t == 3.0


def test_a_step_may_glide_and_the_next_one_finishes_it() -> None:
    head = Playhead(run(0.0, 1.0, 2.0))
    head.seek(1.0)
    head.step(1, seconds=0.4)
    assert (head.t, head.moving, head.playing) == (1.0, True, False)
    head.advance(0.2)
    assert head.t == pytest.approx(1.5)
    head.step(-1, seconds=0.4)
    head.advance(1.0)
    assert (head.t, head.moving) == (1.0, False)


def test_leaps_go_to_whole_time_units() -> None:
    head = Playhead(run(0.5, 3.2))
    head.seek(1.3)
    head.leap(1)
    assert head.t == 2.0
    head.leap(1)
    head.leap(1)
    assert head.t == 3.2
    head.leap(-1)
    assert head.t == 3.0


def test_speeds_are_powers_of_two_within_bounds() -> None:
    head = Playhead()
    for _ in range(30):
        head.slower()
    assert head.speed == 1 / 16
    seen = [head.speed]
    for _ in range(30):
        head.faster()
        seen.append(head.speed)
    assert tuple(dict.fromkeys(seen)) == SPEEDS and head.speed == 1000
    head.set_speed(1e9)
    assert head.speed == 1000
    head.set_speed(float("nan"))
    assert head.speed == 1000


def test_repeated_shuttling_in_one_direction_is_faster() -> None:
    head = Playhead(run(0.0, 9.0))
    head.shuttle(1)
    head.shuttle(1)
    assert (head.playing, head.direction, head.speed) == (True, 1, 2.0)
    head.shuttle(-1)
    assert (head.direction, head.speed) == (-1, 2.0)


def test_listeners_are_notified_until_they_unsubscribe() -> None:
    head = Playhead(run(0.5, 1.0))
    heard: list[str] = []
    leave = head.changed.connect(heard.append)
    head.seek(0.7)
    head.seek(0.7)
    head.select(Selection(processes=frozenset((1,))))
    head.point_at(Hit("process", 0))
    head.play()
    head.set_speed(2.0)
    head.set_loop(True)
    head.load(run(0.1))
    assert heard == ["time", "selection", "hover", "playing", "speed", "loop", "timeline", "playing", "selection",
                     "hover", "time"]  # fmt: skip
    head.set_stops((StopCondition(lambda timeline, k0, k1: k0),))
    head.set_bookmarks(Bookmarks().add(0.05))
    head.play()
    head.advance(1.0)
    assert heard[11:] == ["stops", "bookmarks", "playing", "time", "playing", "stopped"]
    assert set(heard) == set(CHANGES)
    leave()
    leave()
    head.seek(0.1)
    assert len(heard) == 17


def test_clicking_selects_and_control_clicking_toggles() -> None:
    head = Playhead(echo_run())
    head.pick(Hit("process", 3))
    head.pick(Hit("process", 5), add=True)
    assert head.selection.processes == {3, 5}
    head.pick(Hit("process", 3), add=True)
    assert head.selection.processes == {5}
    head.pick(None, add=True)
    assert head.selection.processes == {5}
    head.pick(Hit("link", (7, 3)))
    assert head.selection == Selection(links=frozenset(((3, 7),)))
    head.pick(None)
    assert head.selection == NOTHING


def test_selecting_an_event_selects_its_process_and_message() -> None:
    head = Playhead(echo_run())
    seq = int(echo_run().sends[4])
    head.pick(Hit("event", seq))
    assert head.selection.event == seq
    assert head.selection.messages == {4}
    assert head.selection.processes == {int(echo_run().process[seq])}
    head.pick(Hit("event", 10**9))
    assert head.selection == NOTHING


def test_another_run_starts_paused_with_nothing_selected() -> None:
    head = Playhead(run(0.5, 1.0))
    head.play()
    head.pick(Hit("process", 1))
    head.load(run(0.25, 4.0), t=2.0)
    assert (head.t, head.playing, head.selection, head.hover) == (2.0, False, NOTHING, None)


TIMES = st.lists(st.floats(0, 1e6), min_size=1, max_size=30).map(sorted)
MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("seek"), st.floats(allow_nan=True, allow_infinity=True)),
        st.tuples(st.just("advance"), st.floats(0, 100)),
        st.tuples(st.sampled_from(("step", "play", "leap", "shuttle")), st.sampled_from((1, -1))),
        st.tuples(st.sampled_from(("pause", "toggle", "faster", "slower")), st.none()),
        st.tuples(st.just("set_loop"), st.booleans()),
    ),
    max_size=40,
)


@given(times=TIMES, moves=MOVES)
def test_the_playhead_never_leaves_the_run(times: list[float], moves: list[tuple[str, object]]) -> None:
    head = Playhead(run(*times))
    for name, argument in moves:
        method = getattr(head, name)
        method() if argument is None else method(argument)
        assert head.start <= head.t <= head.end
        assert head.position == sum(time <= head.t for time in times)
        assert SPEEDS[0] <= head.speed <= SPEEDS[-1]


@given(times=TIMES, at=st.integers(0, 29))
def test_a_step_forward_and_back_returns_to_the_same_time(times: list[float], at: int) -> None:
    head = Playhead(run(*times))
    head.seek(times[at % len(times)])
    here = head.t
    head.step(1)
    if head.t != here:
        head.step(-1)
    assert head.t == here


@given(times=TIMES, parts=st.lists(st.floats(0.001, 0.5), max_size=20))
def test_many_short_frames_equal_one_long_frame(times: list[float], parts: list[float]) -> None:
    many, one = Playhead(run(*times, 1e7)), Playhead(run(*times, 1e7))
    many.play()
    one.play()
    for part in parts:
        many.advance(part)
    one.advance(sum(parts))
    assert many.t == pytest.approx(one.t)


def test_a_longer_record_of_the_same_run_changes_only_its_end() -> None:
    """Time, selection and playing are unchanged; listeners are notified of a new timeline."""
    whole = Timeline(echo())
    head = Playhead(whole)
    head.seek(3.0)
    head.pick(Hit("event", 4))
    head.play()
    told: list[str] = []
    head.changed.connect(told.append)
    before = (head.t, head.selection, head.playing, head.direction)
    again = Timeline(echo())
    head.extend(again)
    assert head.timeline is again
    assert (head.t, head.selection, head.playing, head.direction) == before
    assert told == ["timeline"]
