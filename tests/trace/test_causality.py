"""Happened-before compared with its definition: the transitive closure of process order and messages."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from lydian.trace import causality
from lydian.trace.events import Kind, Trace
from lydian.trace.timeline import Timeline
from tests.trace.sample import Rows, echo, grid, traces

OFF_LINE = (Kind.DROP, Kind.LINK_DOWN, Kind.LINK_UP)


def definition(trace: Trace) -> nx.DiGraph:
    """Return the events and their direct predecessors, straight from the definition."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(trace)))
    latest: dict[int, int] = {}
    for seq, row in enumerate(trace.rows):
        if row["cause"] >= 0:
            graph.add_edge(int(row["cause"]), seq)
        if row["kind"] not in OFF_LINE:
            if int(row["process"]) in latest:
                graph.add_edge(latest[int(row["process"])], seq)
            latest[int(row["process"])] = seq
    return graph


@given(traces(most=40))
def test_past_future_and_concurrent_events_match_the_definition(trace: Trace) -> None:
    timeline, graph = Timeline(trace), definition(trace)
    for seq in range(len(trace)):
        past, future = nx.ancestors(graph, seq), nx.descendants(graph, seq)
        assert set(np.flatnonzero(causality.past(timeline, seq))) == past
        assert set(np.flatnonzero(causality.future(timeline, seq))) == future
        assert set(np.flatnonzero(causality.concurrent(timeline, seq))) == set(range(len(trace))) - past - future - {
            seq
        }
        assert causality.predecessors(timeline, seq) == tuple(sorted(graph.predecessors(seq)))
        for other in range(0, len(trace), 5):
            assert causality.happened_before(timeline, other, seq) == (other in past)


@given(traces(most=40))
def test_the_previous_event_on_a_time_line(trace: Trace) -> None:
    timeline = Timeline(trace)
    latest: dict[int, int] = {}
    expected = []
    for seq, row in enumerate(trace.rows):
        off = row["kind"] in OFF_LINE
        expected.append(-1 if off else latest.get(int(row["process"]), -1))
        if not off:
            latest[int(row["process"])] = seq
    assert causality.previous_on_line(timeline).tolist() == expected


@given(traces(most=80))
def test_the_longest_chain_has_the_length_recorded_at_its_end(trace: Trace) -> None:
    timeline = Timeline(trace)
    check_chain(timeline, causality.longest_chain(timeline))
    half = len(trace) // 2
    chain = causality.longest_chain(timeline, half)
    assert (chain < half).all()
    check_chain(timeline, chain, half)


def check_chain(timeline: Timeline, chain: np.ndarray, k: int | None = None) -> None:
    rows = timeline.trace.rows[:k]
    line = rows["chain"][~np.isin(rows["kind"], OFF_LINE)]
    if not len(line):
        assert not len(chain)
        return
    assert rows["chain"][chain[-1]] == line.max()
    graph = definition(timeline.trace)
    messages = 0
    for a, b in zip(chain[:-1].tolist(), chain[1:].tolist(), strict=True):
        assert nx.has_path(graph, a, b)
        messages += rows["kind"][b] == Kind.RECEIVE and rows["cause"][b] == a
    assert messages == line.max()


@pytest.mark.parametrize("seed", range(5))
def test_the_longest_chain_of_echo_is_a_path_of_events_and_messages(seed: int) -> None:
    trace = echo(12, grid(4, 3), seed=seed)
    timeline = Timeline(trace)
    chain = causality.longest_chain(timeline)
    check_chain(timeline, chain)
    assert trace.event(int(chain[0])).kind == "init"
    last = trace.event(int(chain[-1]))
    assert (last.chain, last.kind) == (trace.rows["chain"].max(), "receive")


def test_lamport_clocks_respect_happened_before() -> None:
    timeline = Timeline(echo(9, grid(3, 3), seed=1, step=0.2))
    for seq in range(0, timeline.length, 7):
        assert (timeline.lamport[causality.past(timeline, seq)] < timeline.lamport[seq]).all()
        assert (timeline.lamport[causality.future(timeline, seq)] > timeline.lamport[seq]).all()


def test_an_unknown_event() -> None:
    timeline = Timeline(Rows(1).trace(1))
    for ask in (causality.past, causality.future, causality.concurrent, causality.predecessors):
        with pytest.raises(IndexError, match="unknown event 0 in a trace of 0 events"):
            ask(timeline, 0)
    assert causality.longest_chain(timeline).tolist() == []
