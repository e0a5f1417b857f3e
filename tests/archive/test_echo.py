"""Echo and simple broadcast compared with their specification: the table cell by cell, the time bound, the lessons."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from tests.strategies import connected_networks

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
STATES = ("sleeping", "waiting", "acked", "initiating", "finished")


def run(experiment: Experiment) -> tuple[Simulator, Result]:
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def tree_of(simulator: Simulator) -> dict[str, str]:
    """Map each process that has a parent to it."""
    return {p._name: p.parent for p in simulator.processes if p.parent is not None}  # type: ignore[attr-defined]


@given(st.data())
def test_echo_finishes_within_the_bound_when_every_delay_is_at_most_d(data: st.DataObject) -> None:
    """Finish time <= D (ecc + 2 + h): ecc is the initiator's eccentricity, h the height of the resulting tree."""
    longest = data.draw(st.sampled_from([0.25, 1.0, 3.0]))
    own = st.sampled_from([None, f"constant({longest})", "constant(0)", f"uniform(0, {longest / 10})"])
    drawn = data.draw(connected_networks(most=10))
    links = tuple(
        Link(link.a, link.b, delay=None if text is None else parse(text))
        for link in drawn.links
        for text in [data.draw(own)]
    )
    network = drawn.replace(links=links, delay=parse(f"uniform(0, {longest})"), step=None)
    simulator, result = run(Experiment("t", protocol="echo", network=network, seed=data.draw(st.integers(0, 999))))
    root = network.initiators[0]
    far = nx.single_source_shortest_path_length(network.graph(), root)
    tree = nx.Graph(list(tree_of(simulator).items()))
    tree.add_node(root)
    height = max(nx.single_source_shortest_path_length(tree, root).values())
    assert nx.is_tree(tree) and set(tree) == set(network.processes)
    assert result.time <= longest * (max(far.values()) + 2 + height) + 1e-6
    assert [check for check in result.checks if not check.holds] == []


#: (state, event) -> (state after it, kinds of message it sends); None where the event is illegal. "last Ack" is the
#: only one missing, "other Ack" any earlier one.
CELLS: dict[tuple[str, str], tuple[str, list[str]] | None] = {
    ("sleeping", "INIT"): ("initiating", ["Broadcast", "Broadcast"]),
    ("sleeping", "Broadcast"): ("waiting", ["Broadcast"]),
    ("sleeping", "Ack"): ("sleeping", []),
    **{(state, "INIT"): None for state in STATES[1:]},
    **{(state, "Broadcast"): (state, ["Ack"]) for state in STATES[1:]},
    ("waiting", "Ack"): ("waiting", []),
    ("waiting", "last Ack"): ("acked", ["Ack"]),
    ("initiating", "Ack"): ("initiating", []),
    ("initiating", "last Ack"): ("finished", []),
    ("waiting", "other Ack"): ("waiting", []),
    ("initiating", "other Ack"): ("initiating", []),
    ("acked", "Ack"): ("acked", []),
    ("finished", "Ack"): ("finished", []),
}
PENDING = {"Ack": ["a", "c"], "last Ack": ["a"], "other Ack": ["c"]}


@pytest.mark.parametrize(("state", "event"), CELLS)
def test_the_transition_table(state: str, event: str) -> None:
    network = Network("abc", ("a", "b", "c"), (Link("a", "b"), Link("b", "c")), ("a",), delay=parse("constant(5)"))
    pending = PENDING.get(event, []) if state in ("waiting", "initiating") else []
    faults = [
        Intervention(5.5, "corrupt", process="b", variable="state", value=state),
        Intervention(5.5, "corrupt", process="b", variable="parent", value="c" if state in STATES[1:3] else None),
        Intervention(5.5, "corrupt", process="b", variable="pending", value=pending),
        Intervention(5.75, "wake", process="b")
        if event == "INIT"
        else Intervention(5.75, "inject", link=("a", "b"), label=event.split()[-1]),
    ]
    stop = Stop(until=11.0)
    _, result = run(
        Experiment("t", protocol="echo", network=network, faults=tuple(faults), breaks=("all",), check=False, stop=stop)
    )
    kind, time = ("init", 5.75) if event == "INIT" else ("receive", 10.75)
    events = [e for e in result.trace.events() if e.process == "b" and e.kind == kind and e.time == time]
    expected = CELLS[state, event]
    if expected is None:
        assert result.error is not None and f"Echo has no @on({state.upper()}, INIT)" in result.error
        return
    after, sent = expected
    assert events[0].state == after
    assert [e.label for e in result.trace.events() if e.kind == "send" and e.cause == events[0].seq] == sent
    unexpected = event.endswith("Ack") and "a" not in pending
    notes = [str(e.detail) for e in result.trace.events() if e.kind == "note" and e.cause == events[0].seq]
    assert ["unexpected acknowledgement" in note for note in notes] == ([True] if unexpected else [])


def test_a_slow_link_changes_the_tree_but_not_the_count() -> None:
    before, plain = run(ARCHIVE.experiment("two-wings"))
    after, slow = run(ARCHIVE.experiment("echo-slow-link"))
    assert plain.messages == slow.messages == 46
    assert tree_of(before)["1"] == "0" != tree_of(after)["1"]
    assert slow.time > plain.time


@pytest.mark.parametrize("name", ["echo-crash", "echo-lost-ack"])
def test_the_waiting_chain_leads_from_the_initiator_to_the_fault(name: str) -> None:
    experiment = ARCHIVE.experiment(name)
    simulator, result = run(experiment)
    fault = experiment.faults[0]
    at = fault.process if fault.link is None else fault.link[1]
    by_name = {p._name: p for p in simulator.processes}
    chain = [at]
    while by_name[str(chain[-1])].state == "waiting":
        chain.append(by_name[str(chain[-1])].parent)  # type: ignore[attr-defined]
    assert by_name[str(chain[-1])].state == "initiating"
    assert len(chain) > 2
    assert {c.name for c in result.checks if not c.holds} == {"the initiator learns that every process has the news"}


def test_a_crash_does_not_stop_simple_broadcast_if_the_rest_is_connected() -> None:
    crash = ARCHIVE.experiment("echo-crash").faults[0]
    simulator, _ = run(
        Experiment("t", protocol="flooding", network="two-wings", seed=291, faults=(crash,), breaks=("all",))
    )
    assert {p.state for p in simulator.processes if not simulator.configuration.crashed(p)} == {"received"}


def test_a_lost_broadcast_off_the_tree_blocks_echo_only_and_one_to_a_leaf_harms_both() -> None:
    whole, _ = run(Experiment("t", protocol="echo", network="two-wings", seed=291))
    tree = tree_of(whole)
    network = whole.network
    beside = next(
        (link.a, link.b) for link in network.links if tree.get(link.a) != link.b and tree.get(link.b) != link.a
    )
    for link, reached in ((beside, True), (("3", "7"), False)):
        drop = Intervention(0.0, "drop", link=link, label="Broadcast")
        where = "two-wings" if reached else "tree:15"
        echo, _ = run(Experiment("t", protocol="echo", network=where, seed=291, faults=(drop,), breaks=("all",)))
        assert "finished" not in {p.state for p in echo.processes}
        flooding, _ = run(
            Experiment("t", protocol="flooding", network=where, seed=291, faults=(drop,), breaks=("all",))
        )
        assert all(p.state == "received" for p in flooding.processes) is reached


@pytest.mark.parametrize("value", ["6", "9", "nobody"])
def test_a_corrupted_parent_is_reported_and_does_not_stop_judging(value: str) -> None:
    """A descendant that is a neighbour closes a cycle; another process is not a possible receiver."""
    corrupt = Intervention(6.0, "corrupt", process="3", variable="parent", value=value)
    _, result = run(ARCHIVE.experiment("two-wings").with_(faults=(corrupt,)))
    if value == "6":
        assert result.error is None
        assert next(c for c in result.checks if c.name == "parents form a forest").holds is False
    else:
        assert result.error is not None and f"sends Ack() to '{value}', which is not a neighbour" in result.error
        assert "process 3 is waiting and got Ack from" in result.error
        assert "echo.py, line " in result.error


def test_the_initiator_and_unreached_processes_are_the_only_roots() -> None:
    corrupt = Intervention(15.0, "corrupt", process="3", variable="parent", value=None)
    _, result = run(ARCHIVE.experiment("two-wings").with_(faults=(corrupt,)))
    found = next(c for c in result.checks if c.name == "parents form a forest")
    event = next(e for e in result.trace.events() if e.kind == "corrupt")
    assert (found.holds, found.at) == (False, event.seq)
