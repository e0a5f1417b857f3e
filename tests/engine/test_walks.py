"""Random schedules: their moves, their findings, and that they depend only on the seed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from lydian.engine.explorer.priorities import Priorities, odds
from lydian.engine.explorer.search import Explorer
from lydian.engine.explorer.steps import Steps
from lydian.engine.explorer.walk import BLOCK, Block, Tally, Walk
from lydian.engine.explorer.walks import Walked, WalkProgress, Walks
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Network
from tests.engine.test_choices import COIN, resolved
from tests.engine.test_explorer import network, written


def made(protocol: str, network: str | Network, **more: Any) -> Experiment:
    return Experiment("walked", network=network, protocol=protocol, **more)


def walked(experiment: Experiment, count: int = 100, **settings: Any) -> Walked:
    return Walks(experiment, count, Walk(**settings)).run()


def told(result: Walked) -> dict[str, Any]:
    return {name: value for name, value in result.to_dict().items() if name != "seconds"}


TIMED = """
    @on(A, INIT)
    def go(self):
        self.set_timer(T(), 5)
        for q in self.neighbours:
            self.send(M(1), to=q)
    @on(A, M)
    def got(self, m, q):
        if m.k:
            self.send(M(0), to=q)
    @on(A, T)
    def late(self):
        self.state = B
        self.cancel_timer(T)
    @on(B, M)
    def more(self, m, q): ...
    @on(A, C)
    def told(self, c):
        self.set_timer(T(), 1)
    @on(B, C)
    def toldb(self, c):
        self.state = A
"""


def cases(tmp_path: Path) -> list[tuple[Experiment, dict[str, Any]]]:
    timed = written(tmp_path, TIMED)
    load = tuple(Intervention(float(t), "command", process="1", label="C") for t in (1, 2))
    both = network("0-1", "1-2", initiators=("0", "2"))
    unordered = network("0-1", initiators=("0", "1"), order="unordered")
    return [
        (made("echo", "complete:3"), {"crashes": 1, "losses": 1}),
        (made(timed, both, workload=load), {}),
        (made(timed, both, workload=load), {"patient": True, "late_starts": True}),
        (made(timed, unordered, workload=load), {"crashes": 1, "losses": 1}),
        (made("dijkstra-k-state", "ring:3", parameters={"k": 3}, start=Start(any=True)), {}),
        (made("dijkstra-k-state", "ring:3", parameters={"k": 3}, start=Start(any=True),
                    daemon=Daemon("synchronous")), {}),
    ]  # fmt: skip


def test_the_moves_are_those_of_the_exhaustive_search(tmp_path: Path) -> None:
    for experiment, bounds in cases(tmp_path):
        steps = Steps(experiment.resolve(), **bounds, states=3000)
        with steps.guarded(Block(experiment.resolve(), Walk(), 0).judge):
            steps.walk()
            for key in steps.keys[:400]:
                wanted = {(*steps.labels.things[label],): new for label, new, _ in steps.moves(key)}
                possible = [*steps.possible(key), *steps.choices(steps.rules(key))]
                assert {each.event: steps.take(key, each)[1] for each in possible} == wanted, experiment.name
                harms = {steps.labels.things[label]: new for label, new, _ in steps.harms(key)}
                assert {each.event: steps.take(key, each)[1] for each in steps.faults(key)} == harms
                for each in (*possible, *steps.faults(key)):
                    again = steps.again(key, each.what)
                    assert again is not None and steps.take(key, again)[1] == steps.take(key, each)[1]


def test_the_ends_are_those_of_the_exhaustive_search(tmp_path: Path) -> None:
    experiment = made("echo", "complete:4")
    whole = Explorer(experiment).run()
    found = walked(experiment, 300)
    assert [states for states, _ in found.outcomes] == [states for states, _ in whole.outcomes]
    assert (found.messages, found.ends, found.depth) == (whole.messages, 300, whole.depth)
    assert set(found.reachable) <= set(whole.reachable) and not found.failed and found.exit_code == 0
    assert all(each.holds is None for each in found.findings), "random schedules prove nothing"
    assert (found.stopped, found.complete, found.wanted) == ("walk", False, 300)


@pytest.mark.parametrize("priorities", [None, 1, 3])
def test_a_distributed_daemon_and_priorities(priorities: int | None) -> None:
    experiment = made("dijkstra-k-state", "ring:4", parameters={"k": 4}, start=Start(any=True),
                            daemon=Daemon("distributed"))  # fmt: skip
    if priorities is not None:
        with pytest.raises(BadInput, match="a distributed daemon chooses several processes at a time"):
            walked(experiment, 10, priorities=priorities)
        return
    found = walked(experiment, 10, depth=30)
    assert (found.schedules, found.cut, found.ends, found.depth) == (10, 10, 0, 30)


@pytest.mark.parametrize("priorities", [None, 2])
def test_a_violation_plays_and_is_short(priorities: int | None) -> None:
    experiment = made("echo", "line:5")
    found = walked(experiment, 60, losses=1, priorities=priorities)
    (bad,) = found.failed
    assert bad.kind == "eventually" and bad.counterexample is not None and bad.counterexample.replayed
    result = Simulator(bad.counterexample.experiment.resolve()).run()
    assert [each.name for each in result.violated] == [bad.name]
    first, count = found.violating[found.findings.index(bad)]
    assert 1 <= first <= 60 and 1 <= count <= 60 and found.exit_code == 1
    told = found.to_dict()["findings"][found.findings.index(bad)]
    assert (told["first"], told["schedules"]) == (first, count)


GREEDY = """
    held: int = 0
    @on(A, C)
    def ask(self, c):
        for q in self.neighbours:
            self.send(M(0), to=q)
    @on((A, B), M)
    def got(self, m, q):
        if m.k == 0:
            self.send(M(1), to=q)
        elif self.state is A:
            self.state = B

@always("at most one process is in b")
def one(c):
    return sum(p.state == B for p in c.processes) <= 1

@always("no time passes")
def timeless(c):
    return c.time == 0

@at_end("some process is in a")
def some(c):
    return c.processes[9].state == A
"""


def test_needless_steps_are_left_out_and_unjudged_properties_are_open(tmp_path: Path) -> None:
    load = tuple(Intervention(float(t), "command", process=p, label="C") for t, p in enumerate("0123"))
    experiment = made(written(tmp_path, GREEDY), "complete:4", workload=load)
    found = walked(experiment, 30)
    one, time, some = found.findings
    assert one.counterexample is not None and len(one.counterexample.steps) == 6, "ask, request, answer, twice"
    assert len(one.counterexample.steps) == len(Explorer(experiment, depth=6).run().findings[0].counterexample.steps)  # type: ignore[union-attr]
    assert time.holds is None and "refers to time" in time.why
    assert some.holds is None and some.counterexample is not None and "out of range" in some.why
    assert found.exit_code == 1


def test_an_action_that_fails_ends_the_schedule(tmp_path: Path) -> None:
    body = "    @on(A, INIT)\n    def go(self):\n        self.send(M(1), to=self.neighbours[0])\n"
    found = walked(made(written(tmp_path, body), network("0-1")), 20)
    (bad,) = found.findings
    assert bad.kind == "error" and bad.name == "nothing fails when a process is a and gets M"
    assert bad.counterexample is not None and bad.counterexample.replayed and len(bad.counterexample.steps) == 2
    assert (found.ends, found.cut, found.violating) == (0, 0, ((1, 20),))


def test_a_wrong_formula_is_refuted(tmp_path: Path) -> None:
    body = "    messages = '2'\n    @on(A, INIT)\n    def go(self):\n        self.send(M(1), to=self.neighbours[0])\n"
    body += "    @on(A, M)\n    def got(self): ...\n"
    found = walked(made(written(tmp_path, body), network("0-1")), 3)
    (bad,) = found.findings
    assert (bad.kind, bad.holds, bad.why) == ("messages", False, "1 messages are possible")
    assert bad.counterexample is not None and bad.counterexample.replayed


def test_nothing_happens(tmp_path: Path) -> None:
    found = walked(made(written(tmp_path, GREEDY), "complete:4"), 3)
    assert found.nothing is not None and all(each.holds is None for each in found.findings)


def test_the_same_seed_gives_the_same_result() -> None:
    experiment = made("echo", "grid:2x3")
    for settings in ({"losses": 1}, {"losses": 1, "priorities": 3}):
        first = told(walked(experiment, 2 * BLOCK + 7, **settings, seed=4))
        assert first == told(walked(experiment, 2 * BLOCK + 7, **settings, seed=4))
        assert first != told(walked(experiment, 2 * BLOCK + 7, **settings, seed=5))


def test_tallies_can_be_sent_and_added_in_any_order() -> None:
    resolved = made("echo", "line:4").resolve()
    walk = Walk(losses=1, crashes=1, priorities=2, length=9)
    parts = [Block(resolved, walk, number).tally(20) for number in range(3)]
    there, back = Tally(), Tally()
    for each in parts:
        there.add(Tally.from_dict(each.to_dict()))
    for each in reversed(parts):
        back.add(each)
    assert there == back and there.schedules == 60 and there.found


def test_progress_cancelling_and_the_time_limit() -> None:
    experiment = made("echo", "complete:4")
    seen: list[WalkProgress] = []
    walks = Walks(experiment, 10**6, Walk())
    walks._progress = lambda at: (seen.append(at), walks.cancel())[0]
    found = walks.run()
    assert found.stopped == "cancelled" and 0 < found.schedules < 10**6 and seen[0].schedules <= found.schedules
    none = Walks(experiment, 100, Walk(), seconds=0.0).run()
    assert (none.stopped, none.schedules, none.exit_code) == ("seconds", 0, 0)


# ---------------------------------------------------------------------- priorities


def test_the_guarantee_of_the_papers() -> None:
    assert odds(4, 10, 1) == 0.25 and odds(4, 10, 3) == pytest.approx(1 / 400)
    found = walked(made("echo", "line:3"), 50, priorities=2)
    assert found.odds is not None and (found.odds.depth, found.odds.chains, found.odds.events) == (2, 1, 5)
    assert found.odds.one == pytest.approx(1 / 5) and found.odds.all == pytest.approx(1 - 0.8**50)


def test_chains_are_chains_of_the_causal_order() -> None:
    """Every event of a chain precedes the next one causally, or on a FIFO channel; no two are enabled at once."""
    for links in ("complete:4", "grid:2x3"):
        resolved = made("echo", links).resolve()
        for seed in range(5):
            steps = Steps(resolved)
            draw = Random(seed)
            key = steps.first(draw)
            order = Priorities(steps, 1, 1, draw, key)
            with steps.guarded(Block(resolved, Walk(), 0).judge):
                while possible := steps.possible(key):
                    chains = [id(order._chain(each.event)) for each in possible]
                    assert len(set(chains)) == len(chains), "two enabled events in one chain"
                    chosen = order.next(possible)
                    _, new, outcome = steps.take(key, chosen)
                    assert new is not None
                    order.happened(chosen, new, outcome.sends)
                    key = new
            assert len(order.chains) <= len(steps.channels) + 1


LAST = """
    got: int = 0
    @on(A, INIT)
    def go(self):
        for q in self.neighbours:
            self.send(M(int(self.me)), to=q)
    @on(A, M)
    def hear(self, m, q):
        self.got = self.got * 10 + m.k

@at_end("process 0 does not hear the others in descending order")
def order(c):
    return c.processes[0].got != 4321
"""


def test_priorities_find_a_bug_of_depth_as_often_as_guaranteed(tmp_path: Path) -> None:
    names = tuple("01234")
    star = Network("star", names, network(*(f"0-{p}" for p in names[1:])).links, names)
    found = walked(made(written(tmp_path, LAST), star), 1000, priorities=4)
    assert found.odds is not None
    (bad,) = found.failed
    assert found.violating[0][1] >= 1000 / 48 > 1000 * found.odds.one and bad.counterexample is not None


def test_what_actions_choose_is_drawn_and_can_be_repeated() -> None:
    experiment = resolved(COIN)
    steps = Steps(experiment, states=3000)
    with steps.guarded(Block(experiment, Walk(), 0).judge):
        steps.walk()
        for key in steps.keys:
            moves = [each for possible in steps.possible(key) for each in steps.outcomes(key, possible)]
            assert {each.what: steps.take(key, each)[1] for each in moves} == {
                (*steps.labels.things[label], steps.chosen.get(label, ())): new for label, new, _ in steps.moves(key)
            }
            for each in moves:
                again = steps.again(key, each.what)
                assert again is not None and steps.take(key, again)[1] == steps.take(key, each)[1]
    for priorities in (None, 2):
        found = Walks(experiment, 60, Walk(priorities=priorities)).run()
        rare = next(each for each in found.findings if each.name == "the coins differ from 2, 2")
        assert rare.counterexample is not None
        assert sorted(rare.counterexample.steps) == [f"process {p} starts and chooses 2" for p in (0, 1)]
        assert rare.counterexample.replayed


TWO = '''
"""Two: a process has two rules that are enabled together."""
from lydian import Process, always, states, when

IDLE, BUSY = states("idle", "busy")

def small(p):
    return p.k < 2

class Two(Process):
    state = IDLE
    k: int = 0

    @when(small)
    def one(self):
        self.k += 1

    @when(small)
    def two(self):
        self.k += 2

@always("k is small")
def bounded(c):
    return all(p.k < 4 for p in c.processes)
'''


@pytest.mark.parametrize("daemon", ["synchronous", "central", "distributed"])
def test_one_of_several_rules_of_a_process_can_be_repeated(daemon: str) -> None:
    experiment = resolved(TWO, "line:2", daemon=daemon)
    steps, tried = Steps(experiment), 0
    with steps.guarded(Block(experiment, Walk(), 0).judge):
        steps.walk()
        for key in steps.keys:
            for each in steps.choices(steps.rules(key)):
                again, tried = steps.again(key, each.what), tried + 1
                assert again is not None and again.what == each.what
                assert steps.take(key, again)[1] == steps.take(key, each)[1]
    assert tried
