"""All schedules of small experiments: properties, numbers of messages, and that every simulated run is among them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.result import Exploration, Progress, doubt
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.errors import BadInput, PropertyError
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from tests.strategies import connected_networks

HEAD = """
from lydian import *
A, B = states("a", "b")
class M(Message):
    k: int = 0
class T(Timer):
    pass
class C(Command):
    k: int = 0
class P(Process):
    state = A
"""


def network(*links: str, initiators: tuple[str, ...] = ("0",), **more: Any) -> Network:
    pairs = [tuple(link.split("-")) for link in links]
    names = sorted({name for pair in pairs for name in pair}) or ["0"]
    return Network("net", tuple(names), tuple(Link(a, b) for a, b in pairs), initiators, **more)


def small_networks() -> Iterator[Network]:
    """Yield every connected network of at most four processes, up to renaming, with every initiator (one of equivalent
    ones).
    """
    from networkx.generators.atlas import graph_atlas_g

    for graph in graph_atlas_g():
        if 0 < len(graph) <= 4 and nx.is_connected(graph):
            links = [f"{a}-{b}" for a, b in graph.edges]
            alike = len(graph) * (len(graph) - 1) == 2 * len(graph.edges)
            for start in [0] if alike else graph.nodes:
                yield network(*links, initiators=(str(start),))


def written(tmp_path: Path, body: str) -> str:
    path = tmp_path / "mine.py"
    path.write_text(HEAD + body, encoding="utf-8")
    return str(path)


def explored(protocol: str, net: Network | str, **more: Any) -> Exploration:
    fields = {key: more.pop(key) for key in ("workload", "faults", "interventions", "parameters") if key in more}
    return Explorer(Experiment("t", protocol=protocol, network=net, **fields), **more).run()


@pytest.mark.parametrize("net", list(small_networks()), ids=lambda net: f"{net.n}-{net.m}-{net.initiators[0]}")
def test_echo_and_flooding_hold_in_every_schedule(net: Network) -> None:
    for protocol, messages in (("echo", 4 * net.m - 2 * net.n + 2), ("flooding", 2 * net.m - net.n + 1)):
        result = explored(protocol, net)
        assert result.complete and not result.rounds
        assert [each for each in result.findings if each.holds is not True] == []
        assert result.messages == (messages, messages)
        assert [count for _, count in result.outcomes] == [result.ends]
    trees = round(nx.number_of_spanning_trees(net.graph()))
    assert explored("echo", net).ends == trees  # the parents can form each of them


def test_a_complete_search_proves_cells_unreachable() -> None:
    result = explored("echo", network("0-1", "1-2"))
    assert ("initiating", "Broadcast") in result.unreachable
    assert ("waiting", "Ack") in result.reachable
    assert not set(result.reachable) & set(result.unreachable)


def brute(explorer: Explorer) -> tuple[set[int], set[int]]:
    """Compute numbers of messages and longest chains of all runs by following each schedule separately."""
    found: tuple[set[int], set[int]] = set(), set()
    n = explorer.network.n

    def follow(key: Any, chains: tuple[int, ...], flying: tuple[tuple[int, int, int], ...], sent: int) -> None:
        steps = explorer.moves(key)
        if not steps:
            found[0].add(sent)
            found[1].add(max(chains))
        for label, new, outcome in steps:
            kind, place, m = explorer.labels.things[label]
            choices = [(i, each) for i, each in enumerate(flying) if each[:2] == (place, m)]
            if kind != "deliver":
                choices = [(-1, (0, 0, 0))]
            elif explorer.contents[place].fifo:
                choices = choices[:1]
            for number, (_, _, chain) in choices:
                i = explorer.channels[place].target._i if kind == "deliver" else place
                own = max(chains[i], chain)
                rest = (*flying[:number], *flying[number + 1 :]) if number >= 0 else flying
                more = tuple((channel, m2, own + 1) for channel, m2 in outcome.sends)
                then = tuple(own if j == i else chains[j] for j in range(n))
                follow(new, then, (*rest, *more), sent + len(more))

    follow(next(iter(explorer.firsts())), (0,) * n, (), 0)
    return found


CHATTER = """
    n: int = 0
    @on(A, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(M(1), to=q)
            self.send(M(2), to=q)
    @on(A, M)
    def got(self, m, q):
        self.n += 1
        if m.k >= self.n:
            for r in self.neighbours:
                if r != q or m.k == 2:
                    self.send(M(1), to=r)
"""


@pytest.mark.parametrize("order", ["fifo", "unordered"])
def test_extremes_match_an_enumeration_of_all_schedules(order: str, tmp_path: Path) -> None:
    """The number of messages depends on the schedule here, and equal messages have different chains."""
    experiment = Experiment("t", protocol=written(tmp_path, CHATTER), network=network("0-1", "1-2", order=order))
    explorer = Explorer(experiment)
    result = explorer.run()
    messages, chains = brute(explorer)
    assert result.messages == (min(messages), max(messages))
    assert result.chain == max(chains)
    assert min(messages) < max(messages) or order == "fifo"
    dearest = explorer.dearest()
    assert dearest is not None and dearest.replayed
    assert Simulator(dearest.experiment).run().messages == max(messages)


def test_the_chain_of_echo_matches_an_enumeration() -> None:
    for net in (network("0-1", "1-2", "0-2"), network("0-1", "1-2", "2-3")):
        explorer = Explorer(Experiment("t", protocol="echo", network=net))
        result = explorer.run()
        assert ({result.messages[0]}, result.chain) == (brute(explorer)[0], max(brute(explorer)[1]))


TIMERS = """
    left: int = 2
    @on(A, INIT)
    def start(self):
        self.set_timer(T(), after=1.0)
    @on(A, T)
    def again(self):
        self.left -= 1
        for q in self.neighbours:
            self.send(M(self.left), to=q)
        if self.left:
            self.set_timer(T(), after=1.5)
    @on(A, M)
    def got(self, m, q):
        if m.k == 0:
            self.state = B
            self.cancel_timer(T)
    @on(B, (M, T))
    def over(self): pass
    @on((A, B), C)
    def asked(self, c):
        for q in self.neighbours:
            self.send(M(c.k), to=q)
"""


def inside(experiment: Experiment, **more: Any) -> None:
    """Require that every configuration of a simulated run is among those that the search has found."""
    resolved = experiment.resolve()
    explorer = Explorer(resolved, **more)
    result = explorer.run()
    assert result.complete
    known = set()
    for key in explorer.keys:
        explorer.seen.show(key)
        known.add(explorer.visible(explorer.seen.processes, explorer.seen.in_transit))
    simulator = Simulator(resolved, round_events=1, check=False)
    going = True
    while going:
        here = explorer.visible(simulator.processes, simulator.configuration.in_transit)
        assert here in known
        going = simulator.round()
    assert explorer.visible(simulator.processes, simulator.configuration.in_transit) in known


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_the_simulated_run_is_among_all_schedules(data: st.DataObject) -> None:
    net = data.draw(connected_networks(most=4, anonymous=data.draw(st.booleans()))).replace(step=None)
    protocol = data.draw(st.sampled_from(["echo", "flooding"] if net.m <= 4 else ["flooding"]))
    crashes, losses = (), ()
    if net.n <= 3 and data.draw(st.booleans()):
        name = data.draw(st.sampled_from(net.processes))
        crashes = (Intervention(data.draw(st.floats(0, 4)), "crash", process=name),)
    if net.m and net.n <= 3 and data.draw(st.booleans()):
        link = net.links[0]
        losses = (Intervention(data.draw(st.floats(0, 4)), "drop", link=(link.a, link.b)),)
    inside(
        Experiment(
            "t",
            protocol=protocol,
            network=net,
            seed=data.draw(st.integers(0, 99)),
            faults=crashes + losses,
            breaks=("all",),
        )
    )


@pytest.mark.parametrize("order", ["fifo", "unordered"])
def test_simulated_timers_and_commands_are_among_all_schedules(order: str, tmp_path: Path) -> None:
    protocol = written(tmp_path, TIMERS)
    net = network("0-1", "1-2", order=order, delay=parse("exponential(mean=1)"))
    work = tuple(Intervention(t, "command", process="2", label="C", fields={"k": k}) for t, k in ((0.5, 1), (2.0, 0)))
    for seed in range(6):
        inside(Experiment("t", protocol=protocol, network=net, seed=seed, workload=work))


def test_fifo_links_have_fewer_schedules(tmp_path: Path) -> None:
    body = """
    got: tuple[int, ...] = ()
    @on(A, INIT)
    def start(self):
        for k in range(3):
            self.send(M(k), to=self.neighbours[0])
    @on(A, M)
    def get(self, m):
        self.got += (m.k,)
@always("in the order of sending")
def ordered(c):
    return all(list(p.got) == sorted(p.got) for p in c.processes)
"""
    protocol = written(tmp_path, body)
    fifo = explored(protocol, network("0-1", order="fifo"))
    assert fifo.exit_code == 0 and fifo.configurations == 5
    loose = explored(protocol, network("0-1"))
    assert (loose.exit_code, loose.configurations, loose.ends) == (1, 1 + 1 + 3 + 6 + 6, 6)
    shown = loose.finding("in the order of sending").counterexample
    assert shown is not None and shown.replayed
    assert shown.steps == ("process 0 starts", "process 1 receives M(k=1) from 0", "process 1 receives M from 0")


def test_timers_may_expire_at_any_time_or_only_at_quiescence(tmp_path: Path) -> None:
    body = """
    @on(A, INIT)
    def start(self):
        self.send(M(), to=self.neighbours[0])
        self.set_timer(T(), after=100.0)
    @on(A, M)
    def answer(self, m, q):
        if self.me == "1":
            self.send(M(), to=q)
        else:
            self.state = B
            self.cancel_timer(T)
    @on(A, T)
    def late(self): pass
    @on(B, T)
    def never(self): pass
"""
    protocol = written(tmp_path, body)
    assert ("a", "T") in explored(protocol, network("0-1")).reachable
    patient = explored(protocol, network("0-1"), patient=True)
    assert ("a", "T") in patient.unreachable
    assert ("a", "T") in explored(protocol, network("0-1"), patient=True, losses=1).reachable
    assert any("a timer expires only when" in note for note in patient.notes)


def test_limits_on_crashes_and_losses_are_respected() -> None:
    net = network("0-1", "1-2")
    for crashes in (0, 1, 2, 3):
        explorer = Explorer(Experiment("t", protocol="flooding", network=net), crashes=crashes)
        explorer.run()
        counts = set()
        for key in explorer.keys:
            explorer.seen.show(key)
            counts.add(sum(map(explorer.seen.crashed, explorer.seen.processes)))
        assert counts == set(range(crashes + 1))
    lost = [explored("flooding", net, losses=losses) for losses in (0, 1, 2)]
    assert [each.messages[0] for each in lost] == [2, 1, 1]
    assert [each.exit_code for each in lost] == [0, 1, 1]
    assert len({tuple(states.items()) for states, _ in lost[1].outcomes}) == 3


def test_planned_faults_determine_the_limits_and_the_rest_is_reported() -> None:
    faults = (
        Intervention(1.0, "crash", process="1"),
        Intervention(2.0, "drop", label="Broadcast"),
        Intervention(3.0, "corrupt", process="1", variable="parent"),
    )
    explorer = Explorer(Experiment("t", protocol="echo", network=network("0-1"), faults=faults, breaks=("all",)))
    assert (explorer.crashes, explorer.losses) == (1, 1)
    assert any("left out: corrupt" in note for note in explorer.run().notes)


def test_initiators_start_first_unless_late_starts_are_requested(tmp_path: Path) -> None:
    body = """
    @on(A, INIT)
    def start(self):
        self.send(M(), to=self.neighbours[0])
    @on(A, M)
    def got(self): self.state = B
    @on(B, M)
    def more(self): pass
"""
    protocol = written(tmp_path, body)
    net = network("0-1", initiators=("0", "1"))
    assert explored(protocol, net).exit_code == 0
    late = explored(protocol, net, late_starts=True)
    (failed,) = late.failed
    assert "no @on(B, INIT)" in failed.why and failed.counterexample is not None and failed.counterexample.replayed


def test_random_choices_follow_the_seed_and_are_reported(tmp_path: Path) -> None:
    body = """
    n: int = 0
    @on(A, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(M(self.random.randrange(1000)), to=q)
    @on(A, M)
    def got(self, m, q):
        self.n = m.k + self.random.randrange(1000)
"""
    protocol = written(tmp_path, body)
    experiment = Experiment("t", protocol=protocol, network=network("0-1", "0-2"), seed=7)
    inside(experiment)
    assert any("seed 7" in note for note in Explorer(experiment).run().notes)


REFUSED = {
    "self.n = int(self.clock)": "reads self.clock",
    "SEEN.append(1); self.n = len(SEEN)": "does not always act in the same way",
}


@pytest.mark.parametrize("line", REFUSED)
def test_an_unsearchable_experiment_is_refused_with_its_place(line: str, tmp_path: Path) -> None:
    protocol = written(tmp_path, f"    n: int = 0\n    @on(A, INIT)\n    def start(self):\n        {line}\nSEEN = []\n")
    with pytest.raises(BadInput, match=REFUSED[line]) as refused:
        explored(protocol, network("0-1"))
    assert refused.value.file == Path(protocol)


def test_properties_of_time_are_open_and_raising_ones_are_reported(tmp_path: Path) -> None:
    body = """
    @on(A, INIT)
    def start(self): self.state = B
@always("soon")
def soon(c): return c.time < 5
@eventually("in time", within=3.0)
def within(c): return True
@at_end("strange")
def strange(c): return c.nobody
"""
    result = explored(written(tmp_path, body), network("0-1"))
    assert [(each.holds, "time" in each.why) for each in result.findings[:2]] == [(None, True), (None, True)]
    strange = result.finding("strange")
    assert strange.holds is None and "cannot be judged" in strange.why and result.exit_code == 1
    assert strange.counterexample is not None and strange.counterexample.replayed and result.shown == (strange,)
    apart = {**strange.to_dict(), "counterexample": {"steps": [], "loop": None, "replayed": False}}
    assert doubt(apart) == "" and doubt({**apart, "holds": False}).startswith("The simulator takes a different path")


def test_a_property_with_side_effects_is_detected(tmp_path: Path) -> None:
    body = """
    seen: list[int] = []
    @on(A, INIT)
    def start(self): self.state = B
@always("only looks")
def looks(c):
    c.processes[0].seen.append(1)
    return True
"""
    with pytest.raises(PropertyError, match="changes 'seen' of process 0"):
        explored(written(tmp_path, body), network("0-1"))


def test_bounds_leave_the_unknown_open() -> None:
    net = "complete:4"
    for bounds, stopped in (
        ({"depth": 6}, "depth"), ({"states": 500}, "states"), ({"seconds": 0.0}, "seconds"), ({"memory": 1}, "memory"),
    ):  # fmt: skip
        result = explored("echo", net, **bounds)
        assert (result.stopped, result.complete, result.exit_code) == (stopped, False, 0)
        assert {each.holds for each in result.findings} == {None}
        assert result.messages == (None, None) and result.rounds is None
    assert explored("echo", net, depth=6).depth == 6
    assert explored("echo", net, states=500).configurations == 500
    assert explored("echo", net, depth=100).complete


def test_progress_is_reported_and_a_search_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.engine.explorer.search._TELL", -1.0)
    told: list[Progress] = []

    def tell(progress: Progress) -> None:
        told.append(progress)
        if len(told) == 3:
            explorer.cancel()

    explorer = Explorer(Experiment("t", protocol="echo", network="complete:4"), progress=tell)
    result = explorer.run()
    assert result.stopped == "cancelled" and len(told) == 3
    assert told[0].configurations < told[2].configurations <= result.configurations and told[2].waiting > 0
    assert [each.edges for each in told] == sorted(each.edges for each in told)


def test_the_result_as_data() -> None:
    data = explored("flooding", network("0-1"), losses=1).to_dict()
    assert data["complete"] is True and data["messages"] == [1, 1]
    (bad,) = [each for each in data["findings"] if not each["holds"]]
    assert bad["counterexample"] == {
        "steps": ["process 0 starts", "Broadcast from 0 to 1 is lost"], "loop": None, "replayed": True,
    }  # fmt: skip


ENDLESS = {
    "an action": ("        while True: pass", "True", "error", "is there an endless loop?"),
    "a property": ("        self.state = B", "[1 for _ in iter(int, 1)]", "always", "it did not finish"),
}


@pytest.mark.slow
@pytest.mark.parametrize("which", ENDLESS)
def test_endless_actions_are_interrupted_and_reported(
    which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    action, judged, kind, why = ENDLESS[which]
    for module in ("explorer.search", "simulator"):
        monkeypatch.setattr(f"lydian.engine.{module}.ACTION_SECONDS", 0.3)
    body = f"    @on(A, INIT)\n    def start(self):\n{action}\n@always('fine')\ndef fine(c): return {judged}\n"
    (failed,) = explored(written(tmp_path, body), network("0-1")).shown
    assert failed.kind == kind and why in failed.why
    assert failed.counterexample is not None and failed.counterexample.replayed


BREAKS_ON_THE_WAY = '''
"""Swings: it moves for ever, and a property cannot be judged in one of its states."""

from lydian import Process, eventually, states, when

A, B = states("a", "b")


class Swings(Process):
    needs = ()
    state = A

    def here(self):
        return self.state == A

    def there(self):
        return self.state == B

    @when(here)
    def go(self):
        self.state = B

    @when(there)
    def back(self):
        self.state = A


@eventually("it rests")
def rests(c):
    return {"a": False}[str(c.processes[0].state)]
'''


def test_a_property_that_cannot_be_judged_in_a_run_without_an_end_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "swings.py"
    file.write_text(BREAKS_ON_THE_WAY, encoding="utf-8")
    finding = Explorer(Experiment("t", protocol=str(file), network="line:2")).run().findings[0]
    assert finding.holds is None and "cannot be judged" in finding.why
    assert finding.counterexample is not None
