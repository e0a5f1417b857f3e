"""The present of a run is the end of its timeline, whatever has happened before."""

from __future__ import annotations

import pytest

from lydian.classroom.present import Present
from lydian.engine.client import Client
from lydian.engine.liverows import LiveRows
from lydian.engine.wire import Begun, Result, Round
from lydian.model.archive.archive import archive

#: Experiments whose variables grow, whose processes crash and recover, and whose rows belong to no process.
NAMES = ("class-generals", "class-gossip", "raft-crash", "heartbeat-recover", "mutex-ring-lost", "paxos-amnesia",
         "chord-scribe", "class-apples", "causal-broadcast-lost", "voting-majority-partition")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_present_is_the_end_of_the_timeline(name: str) -> None:
    experiment = archive().experiment(name)
    present, rows = Present(), LiveRows(experiment.to_dict())
    compared = 0
    with Client.start(experiment, to=None, round_events=25, pending=0) as client:
        while not isinstance(frame := client.next(60), Result):
            if isinstance(frame, Begun):
                present.start(frame)
                rows.begun = frame
            elif isinstance(frame, Round):
                present.take(frame)
                rows.take(frame)
                compared += compared < 30 and _compared(present, rows)
    _compared(present, rows)
    assert compared


def _compared(present: Present, rows: LiveRows) -> bool:
    timeline = rows.timeline()
    k = timeline.length
    codes, crashed, last = timeline.states_at(k), timeline.crashed_at(k), timeline.last_events(k)
    variables = present.variables_now()
    for p, process in enumerate(timeline.processes):
        assert present.state_of(process) == timeline.states[codes[p]]
        assert (process in present.crashed) == crashed[p]
        assert (process in present.been_down) == (len(timeline.down(p)[0]) > 0)
        assert present.last.get(process, -1) == last[p]
        assert variables[process] == {name: value for name, (value, _) in timeline.variables(p, k).items()}
    assert (present.count, present.time, present.steps) == (rows.count, rows.time, rows.steps)
    return k > 0
