"""Queries of properties about a configuration, which agree in a run, in a search of all schedules, and in a trace."""

from __future__ import annotations

from pathlib import Path

from lydian.batch.replay import judge_trace
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention

SAYING = '''"""Two processes tell each other what they think."""

from lydian import ANY, INIT, Message, Process, always, at_end, on, states

(HERE,) = states("here")


class Word(Message):
    text: str


class Saying(Process):
    state = HERE

    @on(HERE, INIT)
    def begin(self):
        self.deliver("first")
        self.decide(self.me)
        for q in self.neighbours:
            self.send(Word("second"), to=q)

    @on(HERE, Word)
    def hear(self, m, q):
        self.deliver(m.text)
        self.decide(q)


@always("a process that has delivered twice has decided for the other")
def changed(c):
    return all(len(c.delivered[p]) < 2 or c.decided[p] != p.me for p in c.processes)


@always("nobody has delivered anything")
def silent(c):
    return not any(c.delivered.values()) and not c.decided


@at_end("both have delivered both in order, and decided for the other")
def done(c):
    return {p.me: value for p, value in c.decided.items()} == {"0": "1", "1": "0"} and all(
        said == ("first", "second") for said in c.delivered.values()
    ) and c.decided["0"] == "1" and c.decided.get("2") is None
'''


def experiment(tmp_path: Path) -> Experiment:
    path = tmp_path / "saying.py"
    path.write_text(SAYING, encoding="utf-8")
    network = from_spec("line:2")
    return Experiment("t", protocol=str(path), network=network.replace(initiators=network.processes))


EXPECTED = {
    "a process that has delivered twice has decided for the other": True,
    "nobody has delivered anything": False,
    "both have delivered both in order, and decided for the other": True,
}


def test_decisions_and_deliveries_are_seen_by_a_run_a_search_and_a_trace(tmp_path: Path) -> None:
    simulator = Simulator(experiment(tmp_path))
    result = simulator.run()
    assert {check.name: check.holds for check in result.checks} == EXPECTED
    assert {check["name"]: check["holds"] for check in judge_trace(result.trace)} == EXPECTED
    found = Explorer(experiment(tmp_path)).run()
    assert {each.name: each.holds for each in found.findings} == EXPECTED


def test_a_decision_outlives_a_crash_and_liars_are_not_honest(tmp_path: Path) -> None:
    faults = (Intervention(0.1, "crash", process="0"), Intervention(0.1, "byzantine", process="1"))
    simulator = Simulator(experiment(tmp_path).with_(faults=faults))
    simulator.run()
    c = simulator.configuration
    assert {p.me: value for p, value in c.decided.items()} == {"0": "0", "1": "0"}
    assert [p.me for p in c.honest] == ["0"]
    assert c.correct == []
