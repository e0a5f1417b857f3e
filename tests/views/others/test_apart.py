"""Two executions side by side: differing states at a time, interesting moments, and descriptions."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.pieces.animation import animation_for
from lydian.trace.difference import difference
from lydian.trace.events import Kind, Trace
from lydian.trace.timeline import Timeline
from lydian.views.others.apart import Apart, Pair, now_words, outcome, stop_beside, stops_of, summary

BASE = Experiment("echo", protocol="echo", network="ring:5", seed=3)
TIMES = st.floats(0, 12)


def run(*done: Intervention) -> Trace:
    return Simulator(BASE.with_(interventions=done).resolve()).run().trace


PLAIN = run()
CRASHED = run(Intervention(2.0, "crash", process="1"))


def states(timeline: Timeline, t: float) -> dict[str, str]:
    """Return the state of every process, by reading the rows from the first."""
    found = dict.fromkeys(timeline.processes, timeline.states[timeline.start_state])
    down = set()
    for seq in range(timeline.count(t)):
        process, code = int(timeline.process[seq]), int(timeline.state[seq])
        if process < 0:
            continue
        name = timeline.processes[process]
        if timeline.kind[seq] == Kind.CRASH:
            down.add(name)
        if timeline.kind[seq] == Kind.RECOVER:
            down.discard(name)
        if code < len(timeline.states):
            found[name] = timeline.states[code]
    return {name: "down" if name in down else state for name, state in found.items()}


@given(TIMES, st.sampled_from([PLAIN, CRASHED]), st.sampled_from([PLAIN, CRASHED]))
def test_differing_states_match_a_scan(t, one, other):
    a, b = Timeline(one), Timeline(other)
    found = Pair(a, b).at(t)
    mine, theirs = states(a, t), states(b, t)
    assert found.names == tuple(name for name in sorted(mine) if mine[name] != theirs[name])
    assert [a.processes[i] for i in np.flatnonzero(found.here)] == list(found.names)
    back = Pair(b, a).at(t)
    assert back.names == found.names
    assert (back.here == found.there).all()
    assert not found.names or t >= 2.0


def test_processes_and_states_are_matched_by_name():
    renamed = replace(
        PLAIN,
        processes=("x", *PLAIN.processes[1:]),
        states=("other", *PLAIN.states[1:]),
    )
    found = Pair(Timeline(PLAIN), Timeline(renamed)).at(0.0)
    assert {PLAIN.processes[0], "x"} <= set(found.names)
    assert found.here[0]
    assert found.there[0]


def test_stops_are_where_processes_begin_to_differ():
    found = difference(PLAIN, CRASHED)
    assert found is not None
    stops = stops_of(found)
    assert stops[0].time == found.time == 2.0
    assert stops[0].here == stops[0].there == found.seq
    assert stops[0].processes == ("1",)
    assert [stop.time for stop in stops] == sorted({stop.time for stop in stops})
    assert sorted(name for stop in stops for name in stop.processes) == sorted(each.process for each in found.processes)
    assert stop_beside(stops, 0.0, 1) == stops[0]
    assert stop_beside(stops, 2.0, 1) == stops[1]
    assert stop_beside(stops, 2.0, -1) is None
    assert stop_beside(stops, 99.0, -1) == stops[-1]
    assert stops_of(None) == ()


def test_the_description_from_either_side():
    a, b, words = Timeline(PLAIN), Timeline(CRASHED), animation_for(PLAIN)
    there, here = difference(PLAIN, CRASHED), difference(CRASHED, PLAIN)
    assert there is not None
    assert here is not None
    one, other = summary(there, a, b, words), summary(here, b, a, words)
    assert one.startswith("The same until 2.0; then there process 1 crashes. There: ")
    assert other.startswith("The same until 2.0; then here process 1 crashes. There: ")
    sent = abs(int(there.numbers["messages"][0] - there.numbers["messages"][1]))
    if sent:
        assert re.search(rf"There: {sent} (more|fewer) messages?\b", one)
    assert ("ended at" in one) == (a.end != b.end)
    assert summary(None, a, a, words) == f"Both runs are the same: {a.length} events."


def test_an_intervention_is_the_reason_despite_other_simultaneous_events():
    seq = next(seq for seq in range(len(PLAIN)) if PLAIN.event(seq).kind == "receive")
    rows = np.array(PLAIN.rows)
    rows["kind"][seq], rows["peer"][seq], rows["message"][seq] = Kind.CRASH, -1, -1
    other = replace(PLAIN, rows=rows)
    found = difference(PLAIN, other)
    assert found is not None
    assert found.a is not None
    assert found.b is not None
    assert found.a.time == found.b.time
    text = summary(found, Timeline(PLAIN), Timeline(other), animation_for(PLAIN))
    assert f"then there process {found.b.process} crashes" in text


def test_an_unfinished_run_has_no_end():
    rows = PLAIN.rows
    assert isinstance(rows, np.ndarray)
    part = replace(PLAIN, rows=rows[:12])
    a, b = Timeline(part), Timeline(PLAIN)
    found = difference(part, PLAIN)
    assert found is not None
    assert found.kind == "ended"
    assert summary(found, a, b, animation_for(PLAIN), growing=True) == f"The same so far, up to {a.end:.1f}."
    assert "then the run ends here, and there " in summary(found, a, b, animation_for(PLAIN))


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (
            {"messages": (46, 50), "lost": (0, 0), "time": (15.2, 13.1)},
            "There: 4 more messages, ended at 13.1 instead of 15.2.",
        ),
        ({"messages": (46, 45), "lost": (1, 3), "time": (1.0, 1.0)}, "There: 1 fewer message, 2 more lost."),
        ({"messages": (46, 46), "lost": (0, 0), "time": (1.0, 1.0)},
         "There: the same number of messages and the same end."),
        ({"messages": (1, 1), "lost": (0, 0), "time": (15.21, 15.22)}, "There: ended at 15.22 instead of 15.21."),
    ],
)  # fmt: skip
def test_the_outcome_of_a_difference(numbers, said):
    assert outcome(numbers) == said


def test_the_current_difference():
    found = difference(PLAIN, CRASHED)
    none = np.zeros(5, dtype=bool)
    assert now_words(Apart(none, none, ()), 1.0, found) == "At 1.0, both runs are the same."
    assert now_words(Apart(none, none, ()), 3.0, None) == "At 3.0, both runs are the same."
    assert now_words(Apart(none, none, ()), 3.0, found) == "At 3.0, every process is in the same state."
    assert now_words(Apart(none, none, ("4",)), 3.0, found) == "At 3.0, one process is in another state: 4."
    assert now_words(Apart(none, none, tuple("1234567")), 3.0, found) == (
        "At 3.0, 7 processes are in another state: 1, 2, 3, 4, 5 and 2 more."
    )
