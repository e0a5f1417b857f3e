"""Networks in the files of other programs: GraphML, GML, DOT, edge lists, adjacency matrices, graph6; TikZ to write.

Our own JSON (:mod:`lydian.model.netfile`) holds everything.  GraphML, GML and DOT hold all we know as attributes, an
edge list what links have of their own, a matrix and graph6 only who is joined with whom.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lydian.model import netfile
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.formats import dot, gml, graphml, lines, tikz
from lydian.model.formats.decoding import text_of
from lydian.model.formats.making import assembled
from lydian.model.formats.raw import NOTHING, Raw, Reading, share, unpaused
from lydian.model.network import Network
from lydian.model.reading import BadLines, Cancelled, Problem, Watch, at, write_text

__all__ = [
    "FORMATS", "BadLines", "Cancelled", "Format", "Problem", "Reading", "dumps", "format_of", "loads", "read", "save",
]  # fmt: skip

#: Bytes of the largest file that is read.
LARGEST = 256_000_000
#: The share of the time that reading takes; making the network takes the rest.
_READING = 0.7
#: Characters from which on the search for garbage would be felt.
_LARGE = 1_000_000


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes:
        name: short: ``"graphml"``.
        title: for a menu: "GraphML".
        suffixes: how its files end, the usual one first.
        reads: from text to what it says, ``None`` if it cannot be read.
        writes: from a network to text, ``None`` if it cannot be written.
        keeps: what a file of this kind holds of a network: ``"everything"``, ``"links"`` or ``"shape"``.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: Callable[[str, Watch | None], Raw] | None
    writes: Callable[[Network], str] | None
    keeps: str = "everything"


def _read_graph6(text: str, watch: Watch | None = None) -> Raw:
    """graph6 (McKay, "Description of graph6, sparse6 and digraph6 encodings"): who is joined with whom."""
    import networkx as nx

    found = [(i, line.strip()) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not found:
        raise BadInput("there is no network in this file")
    number, line = found[0]
    try:
        graph = nx.from_graph6_bytes(line.encode("ascii"))
    except (nx.NetworkXError, UnicodeEncodeError, ValueError, IndexError):
        raise BadInput("this is no graph6", place=f"line {number}") from None
    raw = Raw(processes={str(name): (NOTHING, number) for name in graph.nodes})
    raw.links = [(str(a), str(b), None, NOTHING, number) for a, b in graph.edges]
    if len(found) > 1:
        raw.problems = [
            Problem(i, "there is another network in this line; only the first is read") for i, _ in found[1:]
        ]
    return raw


def _write_graph6(network: Network) -> str:
    import networkx as nx

    if network.directed:
        raise BadInput("graph6 holds only links both ways; write GraphML or JSON instead")
    graph = nx.Graph()
    graph.add_nodes_from(range(network.n))
    graph.add_edges_from(network.ends.tolist())
    return str(nx.to_graph6_bytes(graph, header=False), "ascii")


_EDGE_LISTS = (".edges", ".edgelist", ".ncol", ".adjlist", ".txt")
#: The kinds of files, by name; our own JSON first.
FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("json", "LYDIAN network", (".json",), None, netfile.dumps),
        Format("graphml", "GraphML", (".graphml", ".xml"), graphml.read, graphml.dumps),
        Format("gml", "GML", (".gml",), gml.read, gml.dumps),
        Format("dot", "DOT (Graphviz)", (".dot", ".gv"), dot.read, dot.dumps),
        Format("edges", "Edge list", _EDGE_LISTS, lines.read_edges, lines.dump_edges, "links"),
        Format("matrix", "Adjacency matrix", (".csv", ".tsv", ".adj"), lines.read_matrix, lines.dump_matrix, "shape"),
        Format("graph6", "graph6", (".g6", ".graph6"), _read_graph6, _write_graph6, "shape"),
        Format("tikz", "TikZ (LaTeX)", (".tex", ".tikz"), None, tikz.dumps, "drawing"),
    )
}


def format_of(path: Path | str, text: str = "") -> Format:
    """The kind of a file, by how it ends and, if that says nothing, by how it begins.

    Raises:
        BadInput: it is none of them.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    for each in FORMATS.values():
        if suffix in each.suffixes:
            return each
    start = text.lstrip()[:4000]
    if start.startswith("{"):
        return FORMATS["json"]
    if start.startswith("<") and "<graphml" in start:
        return FORMATS["graphml"]
    if re.match(r"(strict\s+)?(di)?graph\b[^\[]*\{", start, re.IGNORECASE):
        return FORMATS["dot"]
    if re.search(r"^\s*graph\s*\[", start, re.MULTILINE):
        return FORMATS["gml"]
    known = [end for each in FORMATS.values() for end in each.suffixes]
    wrong = f", not {shown(suffix)}{did_you_mean(suffix, known)}" if suffix else ""
    raise BadInput(f"a network's file ends in {', '.join(known)}{wrong}", file=path)


def read(path: Path | str, kind: str | None = None, *, skip: bool = False, watch: Watch | None = None) -> Reading:
    """The network in a file of any kind.

    Args:
        path: the file.
        kind: a key of :data:`FORMATS`, if the file's name does not say it.
        skip: leave out lines that cannot be used; they are ``problems`` of the result.
        watch: told how far it is, 0 to 1, every few milliseconds.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: the file cannot be read, or is not of this kind.
        Cancelled: by ``watch``.
    """
    text = text_of(path, LARGEST)
    return loads(text, kind or format_of(path, text).name, file=path, skip=skip, watch=watch)


def loads(
    text: str, kind: str, *, file: Path | str | None = None, skip: bool = False, watch: Watch | None = None
) -> Reading:
    """The network in a text of a kind; see :func:`read`."""
    if len(text) > _LARGE:
        with unpaused():
            return _loads(text, kind, file, skip, watch)
    return _loads(text, kind, file, skip, watch)


def _loads(text: str, kind: str, file: Path | str | None, skip: bool, watch: Watch | None) -> Reading:
    if kind == "json":
        notes: list[str] = []
        network = netfile.loads(text, file, watch=watch, notes=notes)
        if watch is not None:
            watch(1.0)
        return Reading(network, tuple(notes))
    reads = _known(kind).reads
    if reads is None:
        raise BadInput(f"{FORMATS[kind].title} can be written, but not read", file=file)
    name = Path(file).stem if file is not None else "network"
    with at(file):
        raw = reads(text.removeprefix("\ufeff"), share(watch, 0.0, _READING))
        reading = assembled(raw, name, file, skip=skip, watch=share(watch, _READING, 1.0))
    if watch is not None:
        watch(1.0)
    return reading


def dumps(network: Network, kind: str) -> str:
    """A network as a text of a kind.

    Raises:
        BadInput: the kind is unknown or cannot hold this network.
    """
    writes = _known(kind).writes
    assert writes is not None
    return writes(network)


def save(network: Network, path: Path | str, kind: str | None = None) -> None:
    """Write a network to a file, whole or not at all; the kind follows from the file's name.

    Raises:
        BadInput: the kind is unknown or cannot hold this network, or the file cannot be written.
    """
    kind = kind or format_of(path).name
    with at(path):
        text = dumps(network, kind)
    write_text(path, text)


def _known(kind: str) -> Format:
    if kind not in FORMATS:
        raise BadInput(
            f"unknown kind of file {shown(kind)}{did_you_mean(kind, FORMATS)}; there are {', '.join(FORMATS)}"
        )
    return FORMATS[kind]
