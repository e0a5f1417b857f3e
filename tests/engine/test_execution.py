"""The same experiment gives the same execution, and every execution obeys the rules of message passing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.trace.events import ATTACHED, Kind, Trace
from tests.strategies import connected_networks, faults

LABELS = ("Broadcast", "Ack")


def run(network: Network, protocol: str = "echo", **more: object) -> tuple[Simulator, Trace]:
    simulator = Simulator(Experiment(name="test", protocol=protocol, network=network, **more))  # type: ignore[arg-type]
    simulator.run()
    return simulator, simulator.trace


@given(st.data())
def test_echo_on_any_network_with_any_delays(data: st.DataObject) -> None:
    network = data.draw(connected_networks(anonymous=data.draw(st.booleans())))
    simulator, trace = run(network, seed=data.draw(st.integers(0, 2**40)))
    assert simulator.error is None
    assert simulator.stopped == "quiescent"
    assert [(c.name, c.holds) for c in simulator.checks() if not c.holds] == []
    sends = trace.column("kind") == Kind.SEND
    assert sends.sum() == 4 * network.m - 2 * network.n + 2
    by_label = np.bincount(trace.column("label")[sends], minlength=2)
    assert list(by_label) == [2 * network.m - network.n + 1] * 2


@given(st.data())
def test_messages_per_process_and_per_link(data: st.DataObject) -> None:
    """Assignment sheet, section 7: with c children the initiator sends 2 deg - c, any other 2 deg - 1 - c; tree links
    carry 2.
    """
    network = data.draw(connected_networks(most=9))
    simulator, trace = run(network, seed=data.draw(st.integers(0, 99)))
    children: dict[str, int] = defaultdict(int)
    tree = set()
    for p in simulator.processes:
        if p.parent is not None:
            children[p.parent] += 1
            tree.add(frozenset((p._name, p.parent)))
    sent: dict[str | None, int] = defaultdict(int)
    carried: dict[frozenset[str | None], int] = defaultdict(int)
    for event in trace.events():
        if event.kind == "send":
            sent[event.process] += 1
            carried[frozenset((event.process, event.peer))] += 1
    for name in network.processes:
        expected = 2 * len(network.neighbours(name)) - children[name] - (name not in network.initiators)
        assert sent[name] == expected
    for link in network.links:
        ends: frozenset[str | None] = frozenset((link.a, link.b))
        assert carried[ends] == (2 if ends in tree else 4)


@given(st.data())
def test_other_variants_and_flooding_obey_their_formulas(data: st.DataObject) -> None:
    network = data.draw(connected_networks())
    protocol, parameters, formula = data.draw(
        st.sampled_from(
            [
                ("echo-crossing", {}, lambda n, m: 2 * m),
                ("flooding", {}, lambda n, m: 2 * m - n + 1),
                ("flooding", {"forward_to": "all"}, lambda n, m: 2 * m),
            ]
        )
    )
    simulator, trace = run(network, protocol, parameters=parameters)
    assert (trace.column("kind") == Kind.SEND).sum() == formula(network.n, network.m)
    assert all(check.holds for check in simulator.checks())


def test_unit_delays_give_the_time_on_the_assignment_sheet() -> None:
    """The finish time is the maximum over v of 2 dist(v) + 2 [v has a link outside the tree] when all delays are 1."""
    import networkx as nx

    for seed in range(12):
        graph = nx.gnm_random_graph(12, 18, seed=seed)
        if not nx.is_connected(graph):
            continue
        links = tuple(Link(str(a), str(b)) for a, b in graph.edges)
        network = Network("g", tuple(map(str, range(12))), links, ("0",), delay=parse("constant(1)"))
        simulator, trace = run(network, seed=seed)
        tree = {frozenset((p._name, p.parent)) for p in simulator.processes if p.parent is not None}
        outside = {v for link in links if frozenset((link.a, link.b)) not in tree for v in (link.a, link.b)}
        far = nx.single_source_shortest_path_length(graph, 0)
        expected = max(2 * d + 2 * (str(v) in outside) for v, d in far.items())
        assert trace.column("time")[-1] == expected


@given(st.data())
def test_the_rules_of_message_passing(data: st.DataObject) -> None:
    """They hold under faults too: receives follow their sends, every message is accounted for, clocks respect
    causality.
    """
    network = data.draw(connected_networks(most=8, losses=(0.0, 0.0, 0.3)))
    done = data.draw(faults(network, LABELS))
    stop = Stop(events=5000, until=data.draw(st.sampled_from([None, 1.0, 2.5, 4.0])))
    simulator, trace = run(network, faults=done, breaks=("all",), seed=data.draw(st.integers(0, 99)), stop=stop)
    rows = trace.rows
    kind, message, seqs = rows["kind"], rows["message"], np.arange(len(rows))
    assert (np.diff(rows["time"]) >= 0).all()
    origin = (kind == Kind.SEND) | (kind == Kind.INJECT)
    end = (kind == Kind.RECEIVE) | (kind == Kind.DROP)
    assert sorted(message[origin]) == list(range(origin.sum()))
    assert len(set(message[end])) == end.sum()
    sent_at = dict(zip(message[origin], seqs[origin], strict=True))
    for m, s in zip(message[end], seqs[end], strict=True):
        assert sent_at[m] < s
        assert rows["cause"][s] == sent_at[m]
        assert rows["process"][s] == rows["peer"][sent_at[m]]
        assert rows["peer"][s] == rows["process"][sent_at[m]]
    assert origin.sum() == end.sum() + len(simulator.configuration.in_transit)
    last: dict[int, int] = {}
    for s in range(len(rows)):
        if kind[s] in (Kind.DROP, *ATTACHED):  # these advance no clock
            continue
        p = int(rows["process"][s])
        if p in last:
            assert rows["lamport"][s] > rows["lamport"][last[p]]
            assert rows["chain"][s] >= rows["chain"][last[p]]
        if kind[s] == Kind.RECEIVE:
            assert rows["lamport"][s] > rows["lamport"][sent_at[message[s]]]
            assert rows["chain"][s] >= rows["chain"][sent_at[message[s]]] + 1
        last[p] = s


@given(st.data())
def test_fifo_links_keep_the_order(data: st.DataObject) -> None:
    network = data.draw(connected_networks(orders=("fifo",)))
    _, trace = run(network, seed=data.draw(st.integers(0, 99)))
    received: dict[tuple[str | None, str | None], int] = {}
    for event in trace.events():
        if event.kind == "receive":
            way = (event.peer, event.process)
            assert event.message is not None
            assert received.get(way, -1) < event.message
            received[way] = event.message


@given(st.data())
def test_an_intervention_does_not_change_earlier_events(data: st.DataObject) -> None:
    network = data.draw(connected_networks(most=8))
    seed = data.draw(st.integers(0, 99))
    before = data.draw(faults(network, LABELS, most=2))
    more = data.draw(faults(network, LABELS, most=1))
    _, first = run(network, seed=seed, faults=before, breaks=("all",))
    _, second = run(network, seed=seed, faults=before, breaks=("all",), interventions=more)
    if more:
        t = more[0].time
        a, b = first.rows[first.rows["time"] < t], second.rows[second.rows["time"] < t]
        assert len(a) == len(b)
        assert (a == b).all()
    else:
        assert first.fingerprint() == second.fingerprint()


@given(st.data())
def test_rounds_give_the_same_execution_as_one_run(data: st.DataObject) -> None:
    network = data.draw(connected_networks(most=8))
    done = data.draw(faults(network, LABELS, most=2))
    _, trace = run(network, faults=done, breaks=("all",))
    simulator = Simulator(Experiment(name="test", protocol="echo", network=network, faults=done, breaks=("all",)))
    while simulator.round():
        assert len(simulator.trace) <= len(trace)
    assert simulator.trace.fingerprint() == trace.fingerprint()
    assert (simulator.trace.rows["round"] == np.floor(trace.rows["time"])).all()


def test_processes_with_different_hash_seeds_agree(tmp_path: Path) -> None:
    program = (
        "import json\n"
        "from lydian.engine.simulator import Simulator\n"
        "from lydian.model.experiment.experiment import Experiment\n"
        "from lydian.model.interventions import Intervention\n"
        "faults = (Intervention(time=2.0, do='crash', process='3'), Intervention(time=1.0, do='drop', label='Ack'))\n"
        "found = []\n"
        "for protocol in ('echo', 'flooding'):\n"
        "    for spec in ('gnm:30,60,seed=1', 'grid:5x5', 'complete:7'):\n"
        "        done = tuple(f for f in faults if protocol == 'echo' or f.label is None)\n"
        "        e = Experiment(name='x', protocol=protocol, network=spec, seed=5, faults=done, breaks=('all',))\n"
        "        found.append(Simulator(e).run().fingerprint)\n"
        "print(json.dumps(found))\n"
    )
    root = Path(__file__).resolve().parents[2]
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hashing, "PYTHONPATH": str(root), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashing in ("1", "4711")
    ]
    assert outputs[0] == outputs[1]
    assert len(set(json.loads(outputs[0]))) == 6


def test_changing_one_delay_does_not_change_the_draws_of_other_links() -> None:
    """Every link draws from its own stream: what 0 sends to 2 does not depend on the delay from 0 to 1."""
    links = (Link("0", "1"), Link("0", "2"))
    slow = (Link("0", "1", delay=parse("constant(9)")), Link("0", "2"))
    arrivals = []
    for some in (links, slow):
        _, trace = run(Network("v", ("0", "1", "2"), some, ("0",)), "flooding", seed=3)
        arrivals.append([e.time for e in trace.events() if e.kind == "receive" and e.process == "2"])
    assert arrivals[0] == arrivals[1] != []


def test_a_saved_and_loaded_experiment_runs_the_same(tmp_path: Path) -> None:
    from lydian.model.experiment.experiment import read, save

    network = Network("v", ("0", "1", "2"), (Link("0", "1"), Link("1", "2"), Link("0", "2")), ("1",))
    done = (Intervention(time=0.7, do="drop", link=("1", "2")),)
    experiment = Experiment(name="x", protocol="echo", network=network, seed=8, faults=done, breaks=("all",))
    save(experiment, tmp_path / "x.toml")
    again = read(tmp_path / "x.toml")
    assert Simulator(again).run().fingerprint == Simulator(experiment).run().fingerprint


@pytest.mark.parametrize(
    ("parts", "stopped"), [({"until": 2.0}, "until"), ({"events": 10}, "limit"), ({}, "quiescent")]
)
def test_how_a_run_stops(parts: dict[str, float], stopped: str) -> None:
    links = tuple(Link(str(i), str((i + 1) % 6)) for i in range(6))
    network = Network("ring", tuple(map(str, range(6))), links, ("0",))
    simulator, trace = run(network, stop=Stop(**parts), seed=1)  # type: ignore[arg-type]
    assert simulator.stopped == stopped
    if stopped == "until":
        assert trace.column("time")[-1] <= 2.0
        assert simulator.configuration.in_transit
    if stopped == "limit":
        assert 10 <= len(trace) < 20
