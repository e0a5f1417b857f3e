"""Waves and traversals in every schedule: all connected networks of at most four processes, all initiators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import pytest
from networkx.generators.atlas import graph_atlas_g

from lydian.engine.explorer.result import Exploration
from lydian.engine.explorer.search import Explorer
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Link, Network

#: protocol -> the links of the largest networks that are searched, and the unreachable cells for broken assumptions.
UNREACHED = {
    "dfs": (6, {("done", "Token"), ("finished", "Token")}),
    "tarry": (6, {("done", "Token"), ("finished", "Token")}),
    "dfs-awerbuch": (6, {("sleeping", "Ack"), ("done", "Ack"), ("finished", "Ack"), ("done", "Token")}),
    "dfs-cidon": (6, set()),
    "bfs-layered": (5, {("leading", "Explore"), ("done", "Explore"), ("outside", "Forward"), ("done", "Reverse"),
                        ("inside", "Reverse"), ("asking", "Forward")}),
    "bfs-async": (5, set()),
    "spanning-tree": (4, {("terminated", "Parent"), ("terminated", "Already"), ("sleeping", "Parent")}),
    "tree": (3, {("decided", "Token")}),
    "polling": (6, {("finished", "Token"), ("answered", "Token")}),
}  # fmt: skip


def networks(name: str) -> Iterator[Network]:
    """Return the small networks that suit a protocol, up to renaming."""
    for graph in graph_atlas_g():
        if not 0 < len(graph) <= 4 or not nx.is_connected(graph) or graph.number_of_edges() > UNREACHED[name][0]:
            continue
        names = tuple(map(str, graph.nodes))
        links = tuple(Link(str(a), str(b)) for a, b in graph.edges)
        leaves = tuple(p for p in names if graph.degree(int(p)) <= 1)
        if name == "tree":
            if nx.is_tree(graph):
                yield Network("net", names, links, leaves)
            continue
        for start in names:
            if name != "polling" or graph.degree(int(start)) == len(graph) - 1:
                yield Network("net", names, links, (start,))


def explored(name: str, net: Network, **parameters: Any) -> Exploration:
    return Explorer(Experiment("t", protocol=name, network=net, parameters=parameters)).run()


@pytest.mark.parametrize("name", UNREACHED)
def test_properties_hold_in_every_schedule(name: str) -> None:
    for net in networks(name):
        result = explored(name, net)
        assert result.complete
        assert [each for each in result.findings if each.holds is not True] == []
        assert UNREACHED[name][1] <= set(result.unreachable)


def test_a_depth_first_search_has_one_result_and_a_flooded_tree_any() -> None:
    """The traversal does not depend on the delays; but every spanning tree can result from flooding."""
    for net in networks("spanning-tree"):
        for name in ("dfs", "dfs-awerbuch"):
            assert explored(name, net).ends == 1
        assert explored("spanning-tree", net).ends == round(nx.number_of_spanning_trees(net.graph()))


def test_any_two_neighbours_of_a_tree_may_decide() -> None:
    for net in networks("tree"):
        assert explored("tree", net).ends == max(net.m, 1)
        assert explored("tree", net, inform=True).messages == (2 * net.n - 2, 2 * net.n - 2)


def test_on_a_triangle_at_most_one_distance_is_corrected() -> None:
    """The two other processes may learn of the initiator from each other first, but not both of them."""
    triangle = Network("net", ("0", "1", "2"), (Link("0", "1"), Link("0", "2"), Link("1", "2")), ("0",))
    assert explored("bfs-async", triangle).messages == (4, 5)
