"""graph6 (McKay, "Description of graph6, sparse6 and digraph6 encodings"), which contains only the pairs that are
linked."""

from __future__ import annotations

from lydian.formats.networks.format import FORMATS, Format
from lydian.formats.networks.raw import NOTHING, Raw
from lydian.model.errors import BadInput
from lydian.model.network import Network
from lydian.model.reading import Problem, Watch

__all__ = ["dumps", "read"]


def read(text: str, watch: Watch | None = None) -> Raw:
    """Return what a graph6 text describes; the first graph if there are several.

    Raises:
        BadInput: it is not graph6; ``place`` names the line.
    """
    import networkx as nx

    found = [(i, line.strip()) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not found:
        raise BadInput("this file contains no network")
    number, line = found[0]
    try:
        graph = nx.from_graph6_bytes(line.encode("ascii"))
    except (nx.NetworkXError, UnicodeEncodeError, ValueError, IndexError):
        raise BadInput("this is not graph6", place=f"line {number}") from None
    raw = Raw(processes={str(name): (NOTHING, number) for name in graph.nodes})
    raw.links = [(str(a), str(b), None, NOTHING, number) for a, b in graph.edges]
    if len(found) > 1:
        raw.problems = [Problem(i, "this line contains another network; only the first is read") for i, _ in found[1:]]
    return raw


def dumps(network: Network) -> str:
    """Return a network as graph6, which has no directions, names or delays."""
    import networkx as nx

    if network.directed:
        raise BadInput("graph6 stores only two-way links; write GraphML or JSON instead")
    graph = nx.Graph()
    graph.add_nodes_from(range(network.n))
    graph.add_edges_from(network.ends.tolist())
    return str(nx.to_graph6_bytes(graph, header=False), "ascii")


FORMATS.register(Format("graph6", "graph6", (".g6", ".graph6"), read, dumps, "shape"))
