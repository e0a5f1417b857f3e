"""Steps by event, round, unit, cause and effect, and along the longest chain, in both directions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lydian.desk.playhead import Playhead
from lydian.trace.events import ROW, Kind, Trace
from lydian.trace.timeline import Timeline
from lydian.views.playback import steps
from lydian.views.selection import Hit, Selection
from tests.desk.test_playhead import echo_run, run

TIMES = st.lists(st.floats(0, 50), min_size=1, max_size=30).map(sorted)


def in_rounds(*times: float) -> Timeline:
    """Return notes with rounds of length 1, as the engine assigns them."""
    rows = np.zeros(len(times), dtype=ROW)
    for name in ("peer", "message", "cause", "bits", "label"):
        rows[name] = -1
    rows["time"], rows["round"], rows["kind"] = times, np.floor(times), Kind.NOTE
    return Timeline(Trace(rows, ("a",), (), ("s",)))


def test_rounds_end_with_their_last_event_and_empty_ones_have_no_end() -> None:
    head = Playhead(in_rounds(0.0, 0.5, 1.2, 1.9, 5.0))
    seen = []
    for _ in range(4):
        head.step_round(1)
        seen.append(head.t)
    assert seen == [0.5, 1.9, 5.0, 5.0]
    head.seek(1.5)
    head.step_round(-1)
    assert head.t == 0.5
    head.step_round(-1)
    assert head.t == head.start


@given(times=TIMES, at=st.integers(0, 30))
def test_a_round_forward_and_back_returns_to_the_same_moment(times: list[float], at: int) -> None:
    head = Playhead(in_rounds(*times))
    for _ in range(at):
        head.step_round(1)
    here = head.t
    head.step_round(1)
    if head.t != here:
        head.step_round(-1)
    assert head.t == here


@given(times=TIMES, process=st.sampled_from((None, 0, 1)), count=st.integers(0, 40))
def test_as_many_steps_back_as_forward(times: list[float], process: int | None, count: int) -> None:
    head = Playhead(run(*times))
    seen = [head.t]
    for _ in range(count):
        head.step(1, process=process)
        if head.t == seen[-1]:
            break
        seen.append(head.t)
    for t in reversed(seen[:-1]):
        head.step(-1, process=process)
        assert head.t == t


@given(seq=st.integers(0, 200))
def test_the_cause_of_the_first_effect_is_the_event_itself(seq: int) -> None:
    timeline = echo_run()
    seq %= timeline.length
    head = Playhead(timeline)
    head.pick(Hit("event", seq))
    head.seek(float(timeline.time[seq]))
    if head.step_cause(1):
        assert head.selection.event is not None and timeline.cause[head.selection.event] == seq
        assert head.t == timeline.time[head.selection.event]
        assert head.step_cause(-1)
    else:
        assert not (timeline.cause == seq).any()
    assert head.selection.event == seq and head.t == timeline.time[seq]


def test_without_a_selected_event_the_last_one_is_current() -> None:
    timeline = echo_run()
    head = Playhead(timeline)
    assert not head.step_cause(-1)
    head.seek(4.0)
    last = int(timeline.count(4.0)) - 1
    assert steps.current(timeline, 4.0) == last
    head.select(Selection(processes=frozenset((3,))))
    seq = timeline.last_event(3, last + 1)
    assert steps.current(timeline, 4.0, head.selection.processes) == seq
    moved = head.step_cause(-1)
    assert moved == (timeline.cause[seq] >= 0)
    assert not moved or head.selection.event == timeline.cause[seq]


def relay(hops: int) -> Timeline:
    """Process 0 sends to 1, which sends to 2 and so on, each as soon as it receives; meanwhile process 0 adds notes."""
    rows = np.zeros(3 * hops, dtype=ROW)
    for name in ("peer", "message", "cause", "bits"):
        rows[name] = -1
    for i in range(hops):
        send, note, receive = rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]
        send["kind"], send["process"], send["peer"], send["time"], send["chain"] = Kind.SEND, i, i + 1, i, i
        send["cause"] = 3 * i - 1
        note["kind"], note["time"] = Kind.NOTE, i + 0.5
        receive["kind"], receive["process"], receive["peer"], receive["time"] = Kind.RECEIVE, i + 1, i, i + 1
        receive["chain"], receive["cause"] = i + 1, 3 * i
        send["message"] = receive["message"] = i
    return Timeline(Trace(rows, tuple(map(str, range(hops + 1))), ("M",), ("s",)))


def test_the_longest_chain_can_be_traversed_in_both_directions() -> None:
    timeline = relay(6)
    head = Playhead(timeline)
    walked = []
    while head.step_longest(1):
        walked.append(head.selection.event)
        assert head.t == timeline.time[walked[-1]]
    assert walked == [e for e in range(18) if e % 3 != 1]
    back = [walked[-1]]
    while head.step_longest(-1):
        back.append(head.selection.event)
    assert back == walked[::-1]
    head.pick(Hit("event", 7))  # not part of the chain: from the time of the play head
    head.seek(2.5)
    assert head.step_longest(1)
    assert head.selection.event == 8
    head.select(Selection())
    head.seek(2.5)
    assert head.step_longest(-1)
    assert head.selection.event == 6


@given(t=st.floats(0, 1e4), length=st.sampled_from((0.5, 1.0, 3.0)), direction=st.sampled_from((1, -1)))
def test_a_step_of_a_unit_ends_at_a_multiple_less_than_two_away(t: float, length: float, direction: int) -> None:
    there = steps.unit(t, direction, length)
    assert 0 < (there - t) * direction <= length * 1.001
    assert abs(there / length - round(there / length)) < 1e-9


def test_without_a_run_steps_do_nothing() -> None:
    head = Playhead()
    head.step_round(1)
    assert (head.step_cause(1), head.step_longest(1), head.step_mark(1), head.jump_until(lambda *_: 0)) == (
        False, False, None, None,
    )  # fmt: skip
    assert head.t == 0.0
