"""Paxos, Raft and failure detectors: crashes, losses, partitions, every schedule, planted bugs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network
from tests.strategies import connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
few = settings(max_examples=25)
fewer = settings(max_examples=8)


def run(experiment: Experiment) -> tuple[Any, Result]:
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def show(name: str) -> tuple[dict[str, Any], Result]:
    """Return the processes by name at the end of an archive experiment, and the result."""
    simulator, result = run(ARCHIVE.experiment(name))
    return {p._name: p for p in simulator.processes}, result


def complete(n: int, starts: str = "", delay: str = "uniform(0.5, 1.5)", loss: float = 0.0) -> Network:
    network = from_spec(f"complete:{n}")
    initiators = tuple(starts) or network.processes
    return network.replace(initiators=initiators, delay=parse(delay), order="unordered", loss=loss)


def broken(result: Result) -> list[str]:
    """Return the properties that do not hold."""
    return [check.name for check in result.checks if check.holds is False]


def unsafe(result: Result) -> list[str]:
    """Return the safety violations."""
    return [check.name for check in result.checks if check.kind == "always" and check.holds is not True]


def crash(time: float, process: object, *, keep: bool = True, again: float | None = None) -> tuple[Intervention, ...]:
    down = Intervention(time, "crash", process=str(process))
    return (down,) if again is None else (down, Intervention(again, "recover", process=str(process), keep=keep))


def cut(time: float, until: float, one: str, other: str) -> tuple[Intervention, ...]:
    """Return a partition between two sets of processes, and its end."""
    pairs = [(a, b) for a in one for b in other]
    return tuple(
        Intervention(at, do, link=pair) for at, do in ((time, "link_down"), (until, "link_up")) for pair in pairs
    )


#: Crashes with recovery of some of five processes: (time, process, duration).
OUTAGES = st.lists(st.tuples(st.floats(0, 60), st.integers(0, 4), st.floats(0.1, 40)), max_size=6)
#: Safety does not depend on the number of crashes.
BREAKS = ("few down",)
ROUGH = st.sampled_from(["uniform(0.5, 1.5)", "exponential(mean=1)", "pareto(mean=1, a=2.5)"])


def outages(rows: list[tuple[float, int, float]]) -> tuple[Intervention, ...]:
    return tuple(each for time, p, down in rows for each in crash(time, p, again=time + down))


def planted(name: str, right: str, wrong: str, tmp_path: Path) -> str:
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    return str(path)


# ---------------------------------------------------------------------- Paxos


@few
@given(st.integers(2, 8), st.integers(0, 99))
def test_one_proposer_costs_what_the_guide_states(n: int, seed: int) -> None:
    _, result = run(Experiment("t", protocol="paxos", network=complete(n, "0"), seed=seed))
    assert result.messages == (n - 1) * (n + 3)
    assert set(result.decided.values()) == {"v0"}
    assert len(result.decided) == n


@few
@given(st.integers(2, 6), st.integers(0, 99), st.sets(st.integers(0, 5), min_size=1), st.integers(0, 4))
def test_many_proposers_agree_eventually(n: int, seed: int, starts: set[int], acceptors: int) -> None:
    starting = "".join(str(p) for p in starts if p < n) or "1"
    parameters = {"acceptors": min(acceptors, n)}
    network = complete(n, starting)
    _, result = run(Experiment("t", protocol="paxos", network=network, seed=seed, parameters=parameters))
    assert result.stopped == "quiescent"
    assert [check.name for check in result.checks if check.holds is not True] == []


@few
@given(st.integers(0, 99), OUTAGES, st.sampled_from([0.0, 0.2, 0.5]), ROUGH)
def test_paxos_is_safe_despite_losses_and_temporary_crashes(
    seed: int, rows: list[tuple[float, int, float]], loss: float, delay: str
) -> None:
    network = complete(5, "024", delay, loss)
    _, result = run(Experiment("t", protocol="paxos", network=network, seed=seed, faults=outages(rows), breaks=BREAKS))
    assert result.error is None
    assert unsafe(result) == []


def test_the_experiments_with_paxos_match_their_descriptions() -> None:
    end, result = show("paxos-crash")
    assert {p.learned for q, p in end.items() if q != "0"} == {"v0"}
    assert (end["4"].tried, end["4"].proposal, broken(result)) == (1, "v0", [])
    assert [end[q].ballot[1] for q in "1234"] == ["4"] * 4
    end, result = show("paxos-duel")
    assert {p.learned for p in end.values()} == {None}
    assert min(end["0"].tried, end["4"].tried) >= 15
    end, result = show("paxos-two")
    assert end["0"].tried + end["4"].tried >= 4
    assert result.exit_code == 0
    end, result = show("paxos-amnesia")
    assert (end["0"].learned, end["1"].learned, end["2"].learned) == ("v0", "v2", "v2")
    assert "at most one value is chosen" in broken(result)


ONCE = {"attempts": 1, "backoff": 0.0}


@pytest.mark.parametrize(
    ("n", "starts", "parameters", "losses"),
    [(2, "01", ONCE, 1), (3, "0", ONCE, 0), (3, "01", ONCE | {"acceptors": 1}, 0)],
)
def test_paxos_is_safe_in_every_schedule(n: int, starts: str, parameters: dict[str, Any], losses: int) -> None:
    experiment = Experiment("t", protocol="paxos", network=complete(n, starts), parameters=parameters)
    result = Explorer(experiment, losses=losses).run()
    assert result.complete
    assert [f.name for f in result.findings if f.holds is not True and f.kind == "always"] == []
    assert result.messages[1] is not None and result.messages[1] <= 2 * (n - 1) * (n + 3)


HIGHEST = "if order(m.ballot) > order(self.highest):"
#: Description: the original text, its replacement.
PAXOS_BUGS = {
    "an acceptor forgets its promise": (
        "            self.promised = m.b\n            self.send(Promise", "            self.send(Promise",
    ),
    "an acceptor accepts whatever it is asked to": ("if order(m.b) >= order(self.promised):", "if True:"),
    "an acceptor does not tell what it accepted": (
        "Promise(m.b, self.ballot, self.value)", "Promise(m.b, NEVER, None)",
    ),
    "a proposer insists on its own value": (HIGHEST, "if False:"),
    "a proposer takes the value of any promise": (HIGHEST, "if m.value is not None:"),
    "a proposer does not keep the highest ballot": ("self.highest, self.proposal = m.ballot,", "self.proposal ="),
    "an acceptor accepts without a promise": ("self.promised = self.ballot = m.b", "self.ballot = m.b"),
    "a minority is enough": ("return 2 * len(some) > len(", "return 3 * len(some) > len("),
    "it counts acceptances of all ballots together": (
        "self.seen.setdefault(m.b, set()).add(q)\n",
        "self.seen.setdefault(m.b, set()).add(q)\n        self.seen[m.b] |= set().union(*self.seen.values())\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", PAXOS_BUGS)
def test_a_bug_in_paxos_is_caught(bug: str, tmp_path: Path) -> None:
    path = planted("paxos", *PAXOS_BUGS[bug], tmp_path)
    parameters = {"timeout": 2.0, "backoff": 3.0}
    for seed in range(150):
        network = complete(5, "014", "exponential(mean=1)", 0.2)
        caught = run(Experiment("t", protocol=path, network=network, seed=seed, parameters=parameters))[1]
        if unsafe(caught):
            return
    raise AssertionError("nobody noticed")


@pytest.mark.slow
def test_a_forgotten_promise_is_found_by_searching_all_schedules(tmp_path: Path) -> None:
    path = planted("paxos", *PAXOS_BUGS["an acceptor forgets its promise"], tmp_path)
    experiment = Experiment("t", protocol=path, network=complete(3, "01"), parameters=ONCE)
    result = Explorer(experiment, patient=True, states=60_000).run()
    assert [f.name for f in result.findings if f.holds is False and f.kind == "always"] != []


# ---------------------------------------------------------------------- Raft

#: Users send requests to all processes all the time; the current leader records them.
BUSY = tuple(
    Intervention(3.0 + 4 * k + 0.7 * p, "command", process=str(p), label="Write", fields={"x": f"{p}{k}"})
    for k in range(20)
    for p in range(5)
)


@fewer
@given(st.integers(2, 6), st.integers(0, 99), st.sets(st.integers(0, 5), min_size=1))
def test_a_leader_is_elected_and_its_log_is_copied_by_all(n: int, seed: int, starts: set[int]) -> None:
    starting = "".join(str(p) for p in starts if p < n) or "1"
    work = tuple(each for each in BUSY if int(str(each.process)) < n and each.time < 40)
    network = complete(n, starting)
    simulator, result = run(Experiment("t", protocol="raft", network=network, seed=seed, workload=work))
    assert result.stopped == "quiescent"
    assert [check.name for check in result.checks if check.holds is not True] == []
    written = {tuple(p.log) for p in simulator.processes}
    assert len(written) == 1
    entries = written.pop()
    assert [term for term, _ in entries] == sorted(term for term, _ in entries)
    assert {x for _, x in entries} <= {each.fields["x"] for each in work}
    delivered = [(e.detail or {})["value"] for e in result.trace.events() if e.kind == "deliver" and e.process == "0"]
    assert delivered == [x for _, x in entries]


@fewer
@given(st.integers(0, 999), OUTAGES, st.sampled_from([0.0, 0.2]), ROUGH, st.sampled_from(["", "0", "01", "13"]))
def test_raft_is_safe_despite_losses_cuts_and_crashes(
    seed: int, rows: list[tuple[float, int, float]], loss: float, delay: str, side: str
) -> None:
    faults = (*outages(rows), *cut(15.0, 45.0, side, "".join(sorted(set("01234") - set(side)))))
    experiment = Experiment("t", protocol="raft", network=complete(5, "01234", delay, loss), seed=seed, workload=BUSY)
    _, result = run(experiment.with_(faults=faults, breaks=BREAKS))
    assert result.error is None
    assert unsafe(result) == []


def test_the_experiments_with_raft_match_their_descriptions() -> None:
    end, result = show("raft")
    assert [x for _, x in end["3"].log] == ["x", "y", "z"]
    assert {p.commit for p in end.values()} == {3}
    end, _ = show("raft-split-vote")
    assert {p.term for p in end.values()} == {2}
    for name, log in (
        ("raft-crash", [(1, "x"), (2, "z")]),
        ("raft-partition", [(1, "x"), (3, "y"), (3, "z")]),
    ):
        end, result = show(name)
        assert [p.log for p in end.values()] == [log] * 5
        assert {p.leader for p in end.values()} == {"4"}
        assert any("deletes" in str(e.detail) for e in result.trace.events() if e.kind == "note")
        assert broken(result) == []
    end, result = show("raft-amnesia")
    assert (end["0"].state, end["0"].term, end["2"].state, end["2"].term) == ("leader", 1, "leader", 1)
    laws = ["election safety", "log matching", "leader completeness", "state machine safety"]
    assert [name.split(":")[0] for name in unsafe(result)] == laws


SHORT = {"timeout": 0.0, "beats": 1, "campaigns": 1}


@pytest.mark.parametrize(("starts", "losses", "writes"), [("0", 1, 0), ("0", 0, 1), ("01", 1, 0), ("01", 0, 1)])
def test_raft_is_safe_in_every_schedule(starts: str, losses: int, writes: int) -> None:
    work = tuple(Intervention(9.0, "command", process=p, label="Write", fields={"x": p}) for p in starts) * writes
    experiment = Experiment("t", protocol="raft", network=complete(2, starts), parameters=SHORT, workload=work)
    result = Explorer(experiment, losses=losses).run()
    assert result.complete
    assert [f.name for f in result.findings if f.holds is not True and f.kind == "always"] == []


#: Description: the original text, its replacement.
RAFT_BUGS = {
    "logs are not compared in an election": (" and up_to_date\n", "\n"),
    "logs are compared the wrong way round": ("m.last_index) >= mine", "m.last_index) <= mine"),
    "only lengths are compared": ("(m.last_term, m.last_index) >= mine", "m.last_index >= mine[1]"),
    "it votes twice in a term": ("self.voted_for in (None, q) and", ""),
    "it believes an old leader": ("if m.term < self.term:", "if False:"),
    "it appends without looking at what stands before": (
        "m.prev_index > len(self.log) or self.term_of(m.prev_index) != m.prev_term", "m.prev_index > len(self.log)",
    ),
    "conflicts are kept": ("                del self.log[i:]\n", ""),
    "what one process has is committed": ("if self.majority(have) and", "if"),
    "a third of the votes is enough": ("return 2 * count > len(", "return 3 * count > len("),
}  # fmt: skip


@pytest.mark.parametrize("bug", RAFT_BUGS)
def test_a_bug_in_raft_is_caught(bug: str, tmp_path: Path) -> None:
    path = planted("raft", *RAFT_BUGS[bug], tmp_path)
    parameters = {"timeout": 4.0}
    for seed in range(30, 110):
        rows = [(10.0 + 9 * k, (seed + 3 * k) % 5, 6.0 + seed % 7) for k in range(6)]
        faults = (*outages(rows), *cut(18.0, 32.0, "01", "234"), *cut(45.0, 60.0, "03", "124"))
        network = complete(5, "01234", "exponential(mean=1)", 0.1)
        experiment = Experiment("t", protocol=path, network=network, seed=seed, parameters=parameters, workload=BUSY)
        caught = run(experiment.with_(faults=faults))[1]
        if unsafe(caught) or caught.error is not None:
            return
    raise AssertionError("nobody noticed")


def test_a_majority_does_not_commit_an_entry_of_an_older_term(tmp_path: Path) -> None:
    half_way, _ = run(ARCHIVE.experiment("raft-figure-8").with_(stop=Stop(until=27.0)))
    assert [(p.log, p.commit) for p in half_way.processes[:3]] == [([(1, "a")], 0)] * 3
    end, result = show("raft-figure-8")
    assert [p.log for p in end.values()] == [[(1, "a")]] + [[(2, "b")]] * 4
    assert unsafe(result) == []
    path = planted("raft", " and self.term_of(i) == self.term:", ":", tmp_path)
    _, result = run(ARCHIVE.experiment("raft-figure-8").with_(protocol=path))
    assert [name.split(":")[0] for name in unsafe(result)] == ["leader completeness", "state machine safety"]


def test_a_vote_of_an_older_term_does_not_count(tmp_path: Path) -> None:
    """The vote for 0 in term 1 is in transit until 0 is in term 2, which 2 wins in the meantime."""
    faults = (
        Intervention(1.0, "hurry", process="0", label="Election"),
        Intervention(2.0, "delay", link=("1", "0"), label="Vote", delay=7.5),
        Intervention(2.0, "drop", link=("2", "0"), label="Vote"),
        Intervention(5.9, "drop", link=("0", "1"), label="RequestVote"),
        Intervention(5.9, "drop", link=("0", "2"), label="RequestVote"),
        Intervention(6.0, "hurry", process="0", label="Election"),
        Intervention(8.0, "hurry", process="2", label="Election"),
    )
    experiment = Experiment(
        "t", protocol="raft", network=complete(3, "012", "constant(1)"), parameters={"timeout": 1000.0}, faults=faults,
        stop=Stop(until=20.0),
    )  # fmt: skip
    simulator, result = run(experiment)
    assert [(p.term, p.leader) for p in simulator.processes] == [(2, "2")] * 3
    assert unsafe(result) == []
    path = planted("raft", "if m.granted and m.term == self.term:", "if m.granted:", tmp_path)
    _, result = run(experiment.with_(protocol=path))
    assert unsafe(result) == ["election safety: a term has at most one leader"]


# ---------------------------------------------------------------------- failure detector


@fewer
@given(connected_networks(8), st.integers(0, 99), st.integers(1, 15), st.sampled_from([0.0, 1.0, 3.0]))
def test_each_process_sends_as_many_heartbeats_as_requested(
    network: Network, seed: int, beats: int, increase: float
) -> None:
    parameters = {"beats": beats, "increase": increase, "forgiven": 100}
    experiment = Experiment("t", protocol="heartbeat", network=network, seed=seed, parameters=parameters)
    _, result = run(experiment.with_(breaks=("bounded delay",)))  # the number of messages does not depend on it
    assert [check.name for check in result.checks if check.holds is not True] == []
    assert result.messages == 2 * network.m * beats


@few
@given(st.integers(0, 99), st.dictionaries(st.integers(0, 4), st.floats(0.01, 35), max_size=4), ROUGH)
def test_eventually_exactly_the_crashed_processes_are_suspected(
    seed: int, crashes: dict[int, float], delay: str
) -> None:
    faults = tuple(each for p, time in crashes.items() for each in crash(time, p))
    network = complete(5, "01234", delay)
    experiment = Experiment("t", protocol="heartbeat", network=network, seed=seed, parameters={"forgiven": 100})
    simulator, result = run(experiment.with_(faults=faults, breaks=("bounded delay",)))  # it is forgiving enough
    assert (result.stopped, broken(result)) == ("quiescent", [])
    for p in simulator.processes:
        if int(p._name) not in crashes:
            assert p.suspected == {str(q) for q in crashes}


@fewer
@given(st.integers(0, 99), st.floats(5, 12))
def test_the_longest_silence_bounds_the_number_of_mistakes(seed: int, slowest: float) -> None:
    """The longest silence is a period plus the difference of two delays; each mistake raises the timeout towards it."""
    network = complete(3, "012", f"uniform(0.5, {slowest})")
    experiment = Experiment("t", protocol="heartbeat", network=network, seed=seed, parameters={"beats": 60})
    simulator, _ = run(experiment)
    bound = max(0, -(-(2.0 + slowest - 0.5 - 4.0) // 2.0))
    assert all(count <= bound for p in simulator.processes for count in p.mistakes.values())


def test_the_experiments_with_heartbeats_match_their_descriptions() -> None:
    end, _ = show("heartbeat")
    assert {q for q, p in end.items() if p.suspected} == {q for q in end if "2" in end[q].suspected}
    assert sum("2" in p.suspected for p in end.values()) == 3
    end, result = show("heartbeat-slow")
    assert 1 <= end["0"].mistakes["1"] <= 4
    assert result.exit_code == 0
    end, result = show("heartbeat-fixed")
    assert max(end["0"].mistakes["1"], end["1"].mistakes["0"]) > 4
    assert broken(result) == ["no process suspects the same neighbour wrongly again and again"]
    end, result = show("heartbeat-partition")
    assert [end[q].suspected for q in "01234"] == [{"3", "4"}] * 3 + [{"0", "1", "2"}] * 2
    assert broken(result) == ["no live process is suspected"]
    end, result = show("heartbeat-recover")
    assert [p.suspected for p in end.values()] == [set()] * 5
    assert set(end["2"].mistakes) == set("0134")


#: Description: the original text, its replacement.
HEARTBEAT_BUGS = {
    "nobody is ever suspected": ("        self.suspected.add(m.q)\n", ""),
    "a mistake is never taken back": ("            self.suspected.remove(q)\n", ""),
    "it does not learn from mistakes": ("            self.timeout[q] += self.increase\n", ""),
    "it expects nobody a second time": (
        "            self.set_timer(Silence(q), after=self.timeout[q])\n        self.state",
        "            pass\n        self.state",
    ),
    "the last heartbeat looks like the others": ("Heartbeat(self.left == 0)", "Heartbeat()"),
    "it beats once too often": ("        self.left = self.beats\n", "        self.left = self.beats + 1\n"),
}  # fmt: skip


@pytest.mark.parametrize("bug", HEARTBEAT_BUGS)
def test_a_bug_in_the_detector_is_caught(bug: str, tmp_path: Path) -> None:
    path = planted("heartbeat", *HEARTBEAT_BUGS[bug], tmp_path)
    slow = complete(3, "012", "uniform(0.5, 9)")
    crashed = Experiment("t", protocol=path, network=complete(4, "0"), faults=crash(12.0, 2), breaks=("all",), seed=1)
    long = Experiment("t", protocol=path, network=slow, parameters={"beats": 60}, seed=1)
    plain = Experiment("t", protocol=path, network=complete(3, "0"), seed=1)
    assert 1 in [run(each)[1].exit_code for each in (crashed, long, plain)]
