"""The end of a run: the processes that still wait, and the bounds that were reached."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention

ARCHIVE = Archive(None, Path(__file__).resolve().parents[3])

#: experiment -> what is left at its end.
ENDS = {
    "two-wings": {},
    "echo-crash": {"waiting": ["0", "3", "6", "8", "11"]},
    "flooding-lost": {"waiting": ["7"]},
    "ricart-agrawala": {"reached": {"entries": ["0", "1", "2", "3", "4", "5"]}},
    "raft": {"reached": {"beats": ["0"]}},
    "dijkstra-scholten-lost": {"waiting": ["0", "3", "7", "9"]},
    "paxos-duel": {},  # it was stopped at the given time
}


@pytest.mark.parametrize("name", ENDS)
def test_a_run_reports_what_is_left_when_it_ends(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert result.rest == ENDS[name]
    assert result.to_dict().get("rest", {}) == ENDS[name]


def test_a_raft_leader_notes_that_it_has_sent_its_last_heartbeat() -> None:
    """Without a bound it would continue to send heartbeats."""
    network = from_spec("complete:3")
    network = network.replace(initiators=network.processes)
    bounded = Simulator(Experiment("t", protocol="raft", network=network, seed=1, parameters={"beats": 2})).run()
    notes = [(e.detail or {}).get("text") for e in bounded.trace.events() if e.kind == "note"]
    assert "it has beaten as often as it may: beats = 2" in notes
    assert bounded.rest["reached"] == {"beats": ["0"]} or len(bounded.rest["reached"]["beats"]) == 1
    endless = Experiment("t", protocol="raft", network=network, seed=1, parameters={"beats": 0})
    assert Simulator(endless, limit=3000).run().stopped == "limit"


def test_a_bound_that_cannot_be_evaluated_is_omitted(tmp_path: Path) -> None:
    path = tmp_path / "once.py"
    path.write_text(
        '"""One asks."""\n\nfrom lydian import INIT, Process, on, parameter, states\n\n(HERE,) = states("here")\n\n\n'
        "class Once(Process):\n    state = HERE\n    asked: int = 0\n"
        "    often = parameter(1, reached=lambda p: p.asked >= p.often)\n"
        "    odd = parameter(1, reached=lambda p: p.nobody)\n\n"
        "    @on(HERE, INIT)\n    def begin(self):\n        self.asked += 1\n"
    )
    result = Simulator(Experiment("t", protocol=str(path), network=from_spec("line:2"))).run()
    assert result.rest == {"reached": {"often": ["0"]}}


def test_crashed_processes_do_not_wait() -> None:
    network = from_spec("line:4").replace(initiators=("0",))
    crash = (Intervention(0.0, "crash", process="3"),)
    result = Simulator(Experiment("t", protocol="echo", network=network, faults=crash, breaks=("no crashes",))).run()
    assert result.rest == {"waiting": ["0", "1", "2"]}


@pytest.mark.parametrize("name", ["raft", "raft-crash", "maekawa"])
def test_a_live_run_ends_like_its_record(name: str) -> None:
    """Cancelled timers would otherwise expire later, for no process."""
    experiment = ARCHIVE.experiment(name)
    record = Simulator(experiment.resolve(ARCHIVE)).run()
    live = Simulator(experiment, round_events=1)
    live.lingers = True
    live.round()
    while live.kernel.queue:
        live.round()
    assert len(live.trace) == len(record.trace)
    assert float(live.kernel.now) == record.time


def test_a_time_limit_after_the_last_event_did_not_end_the_run() -> None:
    experiment = ARCHIVE.experiment("raft")
    until = Simulator(dataclasses.replace(experiment, stop=dataclasses.replace(experiment.stop, until=65.0))).run()
    assert until.stopped == "quiescent"
