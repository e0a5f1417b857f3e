"""Networks with all their settings as plain attributes, for the formats of other programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lydian.model.network import RATES, Link, Network

if TYPE_CHECKING:
    from networkx import DiGraph, Graph

__all__ = ["graph_of", "of_link", "of_network", "of_process"]


def of_network(network: Network) -> dict[str, Any]:
    """Return the attributes of the network as a whole, named as in LYDIAN's files, without default values."""
    plain = Network("", (), ())
    found: dict[str, Any] = {"name": network.name, "delay": str(network.delay)}
    for key in ("about", "order", *RATES):
        if getattr(network, key) != getattr(plain, key):
            found[key] = getattr(network, key)
    if network.step is not None:
        found["step"] = str(network.step)
    if network.anonymous:
        found["anonymous"] = "true"
    if network.classes:
        found["classes"] = json.dumps({name: str(delay) for name, delay in network.classes.items()})
    if network.gst is not None:
        found["gst"] = json.dumps(network.gst.to_data())
    return found


def of_process(network: Network, name: str) -> dict[str, Any]:
    """Return the attributes of a process: x, y, step, drift, role, initiator."""
    found: dict[str, Any] = {}
    if name in network.positions:
        found["x"], found["y"] = network.positions[name]
    if name in network.steps:
        found["step"] = str(network.steps[name])
    if name in network.drifts:
        found["drift"] = network.drifts[name]
    if name in network.roles:
        found["role"] = network.roles[name]
    if name in network.initiators:
        found["initiator"] = "true"
    return found


def of_link(link: Link) -> dict[str, Any]:
    """Return the attributes of a link: delay, class, order, loss, weight, outages."""
    found: dict[str, Any] = {}
    if link.delay is not None:
        found["delay"] = str(link.delay)
    if link.klass is not None:
        found["class"] = link.klass
    if link.order is not None:
        found["order"] = link.order
    found |= {rate: getattr(link, rate) for rate in RATES if getattr(link, rate) is not None}
    if link.weight is not None:
        found["weight"] = link.weight
    if link.outages:
        found["outages"] = json.dumps([list(outage) for outage in link.outages])
    return found


def graph_of(network: Network) -> Graph | DiGraph:
    """Return a graph of networkx with plain attributes; in a directed one, a two-way link is two edges with the
    attribute ``both``."""
    import networkx as nx

    graph = nx.DiGraph() if network.directed else nx.Graph()
    graph.graph.update(of_network(network))
    for name in network.processes:
        graph.add_node(name, **of_process(network, name))
    for link in network.links:
        own = of_link(link)
        if network.directed and not link.directed:
            own["both"] = "true"
            graph.add_edge(link.b, link.a, **own)
        graph.add_edge(link.a, link.b, **own)
    return graph
