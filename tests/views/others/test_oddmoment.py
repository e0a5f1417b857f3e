"""The moment at which a strange run departs from its group."""

from __future__ import annotations

import numpy as np
import pytest

from lydian.batch.spark.surprise import Strange
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.others.oddmoment import odd_moment


@pytest.fixture(scope="module")
def timeline():
    simulator = Simulator(archive().experiment("two-wings"))
    simulator.run()
    return Timeline(simulator.trace)


def strange(measure, median, value, why="it is strange"):
    return Strange(1, 0, 0, 0, why, measure, 9.0, value, median, {}, None)


def test_the_moment_is_the_event_that_passes_the_median(timeline):
    found = odd_moment(timeline, strange("messages", 10, 46))
    sends = np.flatnonzero(np.asarray(timeline.kind) == Kind.SEND)
    assert found.seq == sends[10]  # the eleventh message
    assert found.words == "it is strange — here it passes the median"
    found = odd_moment(timeline, strange("time", 5.0, 13.0))
    assert timeline.time[found.seq] > 5.0 >= timeline.time[found.seq - 1]
    found = odd_moment(timeline, strange("chain", 3, 9))
    assert timeline.chain[found.seq] == 4 and max(timeline.chain[: found.seq]) == 3
    found = odd_moment(timeline, strange("busiest", 4, 9))
    process = timeline.process[found.seq]
    handled = [s for s in range(found.seq + 1)
               if timeline.process[s] == process and timeline.kind[s] in (Kind.SEND, Kind.RECEIVE)]  # fmt: skip
    assert len(handled) == 5
    found = odd_moment(timeline, strange("delay_longest", 0.5, 2.0))
    assert timeline.kind[found.seq] == Kind.RECEIVE


def test_a_run_with_fewer_events_departs_by_ending(timeline):
    found = odd_moment(timeline, strange("messages", 99, 46))
    assert found.seq == timeline.length - 1 and found.words.endswith("here it ends")
    assert odd_moment(timeline, strange("by_kind_Ack_sent", 1, 9)).seq == timeline.length - 1


def test_a_tree_becomes_too_deep_at_an_event(timeline):
    found = odd_moment(timeline, strange("excess depth", 0, 1, "tree 3 deep where 1 would do"))
    assert found.words.endswith("from here on")
    text = timeline.trace.detail_of(found.seq)
    assert '"parent"' in text
    assert odd_moment(timeline, strange("excess depth", 0, 1, "tree 99 deep where 98 would do")).seq == (
        timeline.length - 1
    )


def test_the_misplaced_decision(timeline):
    decides = np.flatnonzero(np.isin(timeline.kind, (Kind.DECIDE, Kind.DELIVER)))
    who = timeline.processes[timeline.process[decides[-1]]]
    found = odd_moment(timeline, strange("order of decisions", 1, 3, f"process {who} is 2nd to decide, usually 9th"))
    assert timeline.processes[timeline.process[found.seq]] == who and found.seq in decides


def test_a_violated_property_has_its_event():
    simulator = Simulator(archive().experiment("echo-crash"))
    simulator.run()
    timeline = Timeline(simulator.trace)
    broken = [check for check in timeline.trace.summary["checks"] if check["holds"] is False]
    assert broken
    found = odd_moment(timeline, strange("", None, None, f'violates "{broken[0]["name"]}"'))
    assert found.seq == min(broken[0]["at"], timeline.length - 1)
