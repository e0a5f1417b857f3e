"""GML (Himsolt, "GML: A portable Graph File Format", 1996): what networkx, yEd, Gephi and igraph write."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from lydian.model.errors import BadInput, shown
from lydian.model.formats.raw import Problem, Raw, Watch
from lydian.model.network import Network

__all__ = ["dumps", "read"]

_TOKEN = re.compile(
    r'[ \t\r]*(?:(?P<text>"[^"]*")|(?P<open>\[)|(?P<close>\])|(?P<comment>#[^\n]*)|(?P<line>\n)'
    r'|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[\s\]\["]|$)|[+-]?(?:INF|NAN)\b)|(?P<word>[^\s\[\]"]+))'
)
_DEEPEST = 50
_EVERY = 20_000  # tokens between two looks at the watch


class _Pair(NamedTuple):
    key: str
    value: Any
    line: int


class _Tokens:
    """The text as (kind, token, line), one after the other."""

    def __init__(self, text: str, watch: Watch | None) -> None:
        self.text, self.watch, self.line = text, watch, 1

    def __iter__(self) -> Iterator[tuple[str, str, int]]:
        text, position, number = self.text, 0, 0
        while position < len(text):
            found = _TOKEN.match(text, position)
            if found is None:
                rest = text[position:].strip()
                if not rest:
                    return
                if rest.startswith('"'):
                    raise BadInput("this text has no closing quotation mark", place=f"line {self.line}")
                raise BadInput(f"cannot be understood: {shown(rest.splitlines()[0])}", place=f"line {self.line}")
            position, kind = found.end(), str(found.lastgroup)
            if kind == "line":
                self.line += 1
                continue
            number += 1
            if self.watch is not None and number % _EVERY == 0:
                self.watch(position / len(text))
            if kind != "comment":
                yield kind, found[kind], self.line
                self.line += found[kind].count("\n")


def read(text: str, watch: Watch | None = None) -> Raw:
    """What a GML text says.

    Raises:
        BadInput: it is no GML; ``place`` names the line.
        Cancelled: by ``watch``.
    """
    tokens = _Tokens(text, watch)
    pairs = _list(iter(tokens), tokens, 0)
    graph = next((pair for pair in pairs if pair.key == "graph" and isinstance(pair.value, list)), None)
    if graph is None:
        raise BadInput("there is no 'graph [ ... ]' in this file", place="line 1")
    creator = next((str(pair.value) for pair in pairs if pair.key.lower() == "creator"), "")
    raw = Raw(flip="gephi" in creator.lower())
    names = _names(graph.value)
    for key, value, line in graph.value:
        if key == "directed":
            raw.directed = value == 1
        elif key == "node" and isinstance(value, list):
            own = {pair.key: pair.value for pair in value}
            name = names.get(own.get("id"))
            if name is None:
                raw.problems.append(Problem(line, "a node has no id"))
            elif name in raw.processes:
                raw.problems.append(Problem(line, f"two processes have the name {name!r}"))
            else:
                raw.processes[name] = (_drawn(own), line)
        elif key == "edge" and isinstance(value, list):
            own = {pair.key: pair.value for pair in value}
            ends = own.pop("source", None), own.pop("target", None)
            if None in ends:
                raw.problems.append(Problem(line, "an edge needs a source and a target"))
            else:
                a, b = (names.get(end, str(end)) for end in ends)
                raw.links.append((a, b, None, _drawn(own), line))
        elif not isinstance(value, list):
            raw.graph[key] = value
    return raw


def _names(graph: list[_Pair]) -> dict[Any, str]:
    """Id of a node -> name of the process: the labels if each node has one of its own, else the ids."""
    nodes = [{pair.key: pair.value for pair in node.value} for node in graph if node.key == "node" and _is_list(node)]
    labels = [str(node["label"]) for node in nodes if str(node.get("label", "")).strip()]
    by_label = len(labels) == len(nodes) and len(set(labels)) == len(labels)
    return {node["id"]: str(node["label"] if by_label else node["id"]) for node in nodes if _plain(node.get("id"))}


def _is_list(pair: _Pair) -> bool:
    return isinstance(pair.value, list)


def _plain(value: Any) -> bool:
    return value is not None and not isinstance(value, list)


def _drawn(own: dict[str, Any]) -> dict[str, Any]:
    """The attributes, with x and y from ``graphics``; other lists are left out."""
    graphics = own.get("graphics")
    inner = {pair.key: pair.value for pair in graphics} if isinstance(graphics, list) else {}
    found = {key: value for key, value in own.items() if not isinstance(value, list) and key not in ("id", "label")}
    for key in ("x", "y"):
        if key in inner and key not in found:
            found[key] = inner[key]
    return found


def _list(stream: Iterator[tuple[str, str, int]], tokens: _Tokens, depth: int) -> list[_Pair]:
    """Pairs up to the closing bracket, or to the end at the top."""
    if depth > _DEEPEST:
        raise BadInput("too many brackets inside each other", place=f"line {tokens.line}")
    pairs: list[_Pair] = []
    while True:
        token = next(stream, None)
        if token is None:
            if depth:
                raise BadInput("a bracket [ is not closed", place=f"line {tokens.line}")
            return pairs
        kind, key, line = token
        if kind == "close" and depth:
            return pairs
        if kind != "word":
            raise BadInput(f"a word such as node or edge was expected, not {shown(key)}", place=f"line {line}")
        token = next(stream, None)
        if token is None or token[0] == "close":
            raise BadInput(f"{key} has no value", place=f"line {line}")
        pairs.append(_Pair(key, _value(token, stream, tokens, depth), line))


def _value(token: tuple[str, str, int], stream: Iterator[tuple[str, str, int]], tokens: _Tokens, depth: int) -> Any:
    kind, text, _ = token
    if kind == "open":
        return _list(stream, tokens, depth + 1)
    if kind == "text":
        return html.unescape(text[1:-1])
    if kind == "number":
        return float(text) if any(mark in text for mark in ".eEIN") else int(text)
    return text


def dumps(network: Network) -> str:
    """A network as GML, with everything we know of it as attributes; written by networkx."""
    import networkx as nx

    from lydian.model.formats.attributes import graph_of

    graph = graph_of(network)
    return "\n".join(nx.generate_gml(graph)) + "\n"
