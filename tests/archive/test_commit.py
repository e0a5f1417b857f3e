"""Atomic commitment compared with the literature: counts, crashes at every moment, every schedule, planted bugs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
few = settings(max_examples=25)
TWO, THREE = "two-phase-commit", "three-phase-commit"
BOTH = st.sampled_from([TWO, THREE])


def run(experiment: Experiment) -> tuple[Simulator, Result]:
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def complete(n: int) -> Network:
    return from_spec(f"complete:{n}").replace(delay=parse("uniform(0.5, 1.5)"))


def crash(time: float, process: int) -> Intervention:
    return Intervention(time, "crash", process=str(process))


def broken(result: Result) -> list[str]:
    """Return the properties that do not hold."""
    return [check.name for check in result.checks if check.holds is False]


# ---------------------------------------------------------------------- without failures


@few
@given(BOTH, st.integers(2, 8), st.integers(0, 99), st.data())
def test_the_outcome_is_commit_if_and_only_if_all_vote_for_it(
    protocol: str, n: int, seed: int, data: st.DataObject
) -> None:
    against = data.draw(st.sets(st.integers(0, n - 1), max_size=2))
    parameters = {"refuses": ", ".join(map(str, sorted(against)))}
    _, result = run(Experiment("t", protocol=protocol, network=complete(n), parameters=parameters, seed=seed))
    assert set(result.decided.values()) == {"abort" if against else "commit"}
    assert len(result.decided) == n
    assert [check.name for check in result.checks if check.holds is not True] == []
    assert result.messages == (3 if protocol == TWO or against else 5) * (n - 1)


# ---------------------------------------------------------------------- crashes


@few
@given(st.integers(0, 99), st.floats(0, 12), st.floats(0.5, 60), st.integers(0, 3), st.sampled_from(["", "2"]))
def test_2pc_agrees_after_crashes_and_recoveries_with_the_log(
    seed: int, time: float, down: float, process: int, refuses: str
) -> None:
    faults = (crash(time, process), Intervention(time + down, "recover", process=str(process)))
    parameters = {"refuses": refuses, "asks": 20}
    experiment = Experiment(
        "t", protocol=TWO, network=complete(4), parameters=parameters, seed=seed, faults=faults, breaks=("all",)
    )
    _, result = run(experiment)
    assert (result.stopped, broken(result)) == ("quiescent", [])


@few
@given(st.integers(0, 99), st.floats(0.01, 8), st.sets(st.integers(1, 4)), st.sampled_from(["Commit", "PreCommit"]))
def test_3pc_is_not_blocked_by_a_coordinator_that_crashes_while_sending(
    seed: int, time: float, unheard: set[int], label: str
) -> None:
    _, plain = run(Experiment("t", protocol=THREE, network=complete(5), seed=seed))
    sent = next(e.time for e in plain.trace.events() if e.kind == "send" and e.label == label)
    faults = [Intervention(0.0, "drop", link=("0", str(q)), label=label) for q in sorted(unheard)]
    faults.append(crash(sent + 1e-6, 0) if unheard else crash(time, 0))
    _, result = run(
        Experiment("t", protocol=THREE, network=complete(5), seed=seed, faults=tuple(faults), breaks=("all",))
    )
    assert (result.stopped, broken(result)) == ("quiescent", [])
    assert {"1", "2", "3", "4"} <= set(result.decided)


@few
@given(st.integers(0, 99), st.lists(st.tuples(st.floats(0.01, 30), st.integers(0, 4)), max_size=3))
def test_3pc_survives_three_crashes_of_five_at_any_time(seed: int, crashes: list[tuple[float, int]]) -> None:
    faults = tuple(crash(time, process) for time, process in crashes)
    _, result = run(Experiment("t", protocol=THREE, network=complete(5), seed=seed, faults=faults, breaks=("all",)))
    assert (result.stopped, broken(result)) == ("quiescent", [])


def states(name: str) -> tuple[dict[str, str], Result]:
    simulator, result = run(ARCHIVE.experiment(name))
    return {p._name: p.state for p in simulator.processes}, result


def test_the_experiments_match_their_descriptions() -> None:
    end, result = states("two-phase-commit-crash")
    assert [end[q] for q in "1234"] == ["uncertain"] * 4
    assert broken(result) == ["no live process waits for the decision"]
    blocked = [e for e in run(ARCHIVE.experiment("two-phase-commit-blocked"))[1].trace.events() if e.kind == "decide"]
    assert min(e.time for e in blocked) == 30.0
    assert set(states("two-phase-commit-blocked")[0].values()) == {"aborted"}
    assert states("two-phase-commit-helped")[0]["2"] == "committed"
    assert [states("three-phase-commit-uncertain")[0][q] for q in "1234"] == ["aborted"] * 4
    assert [states("three-phase-commit-prepared")[0][q] for q in "1234"] == ["committed"] * 4
    end, result = states("three-phase-commit-partition")
    assert [end[q] for q in "01234"] == ["committed", "aborted", "aborted", "committed", "committed"]
    assert "no process commits while another aborts" in broken(result)


# ---------------------------------------------------------------------- every schedule


@pytest.mark.parametrize(("n", "refuses", "count"), [(2, "", 3), (3, "", 6), (3, "2", 6)])
def test_2pc_agrees_in_every_schedule_with_timeouts_and_crashes(n: int, refuses: str, count: int) -> None:
    parameters = {"refuses": refuses, "asks": 1}
    experiment = Experiment("t", protocol=TWO, network=complete(n), parameters=parameters)
    patient = Explorer(experiment, patient=True).run()
    assert patient.complete
    assert patient.messages == (count, count)
    assert [each.name for each in patient.findings if each.holds is not True] == []
    hurried = Explorer(experiment, crashes=1 if n == 2 else 0, states=150_000).run()
    assert hurried.complete
    assert not [f for f in hurried.findings if f.kind == "always" and f.holds is not True]


@pytest.mark.slow
def test_3pc_needs_reliable_timeouts() -> None:
    experiment = Experiment("t", protocol=THREE, network=complete(3))
    patient = Explorer(experiment, patient=True).run()
    assert patient.complete
    assert patient.messages == (10, 10)
    assert [each.name for each in patient.findings if each.holds is not True] == []
    hurried = Explorer(experiment, states=150_000).run()
    assert "no process commits while another aborts" in [f.name for f in hurried.findings if f.holds is False]


# ---------------------------------------------------------------------- planted bugs

#: Description: protocol, the original text, its replacement, faults.
BUGS: dict[str, tuple[str, str, str, tuple[Intervention, ...]]] = {
    "a majority is enough": (
        TWO, "if self.yes >= set(self.neighbours):", "if 2 * len(self.yes) > len(self.neighbours):", (),
    ),
    "the own vote does not count": (TWO, "            if self.me in self.yes:\n", "            if True:\n", ()),
    "uncertain processes abort when nothing is heard": (
        TWO, "        if self.asked < self.asks:\n",
        "        if True:\n            self.abort()\n        elif False:\n",
        (Intervention(0.0, "drop", link=("0", "2"), label="Commit"),),
    ),
    "who recovers forgets to tell": (
        TWO, "        self.abort()\n        self.tell_all(Abort())\n", "        self.abort()\n",
        (crash(1.6, 0), Intervention(60.0, "recover", process="0")),
    ),
    "who knows the decision says nothing": (
        TWO, "self.send(Commit() if self.state == COMMITTED else Abort(), to=q)", "pass",
        (Intervention(0.0, "drop", link=("0", "2"), label="Commit"),),
    ),
    "it commits without asking whether all know": (
        THREE, "                self.prepare(self.neighbours)\n", "                self.close()\n", (),
    ),
    "T3 commits": (
        THREE, "if ABORTED in known or known == {UNCERTAIN}:", "if ABORTED in known:",
        (crash(1.6, 0), crash(1.7, 3)),
    ),
    "T4 aborts": (
        THREE, "            self.prepare([q for q in self.neighbours if self.far.get(q) == UNCERTAIN])",
        "            self.call_off()",
        (*(Intervention(0.0, "drop", link=("0", q), label="Commit") for q in "123"), crash(8.0, 0)),
    ),
    "nobody takes over": (
        THREE,
        "        self.tell(StateReq(), self.neighbours)\n        self.set_timer(Timeout(), after=self.timeout)\n", "",
        (crash(1.6, 0),),
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, faults = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    codes = []
    for seed in range(20):
        refuses = {"the own vote does not count": "0", "T3 commits": "3"}.get(
            bug, "3" if seed % 2 and not faults else ""
        )
        results = [
            run(Experiment("t", protocol=str(each), network=complete(4), seed=seed, faults=faults, breaks=("all",),
                           parameters={"refuses": refuses}))[1]
            for each in (name, path)
        ]  # fmt: skip
        assert results[0].exit_code == 0
        codes.append(results[1].exit_code)
        if codes[-1] == 1:
            break
    assert 1 in codes
