"""GML (Himsolt, "GML: A portable Graph File Format", 1996), as written by networkx, yEd, Gephi and igraph.

yEd indicates the direction of a link by arrows (``graphics [ targetArrow "standard" ]``), and marks groups (``isGroup
1``); Gephi's y grows upwards; igraph calls the label ``name``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from lydian.formats.networks.format import FORMATS, Format
from lydian.formats.networks.making import renamed
from lydian.formats.networks.raw import NOTHING, Raw, share
from lydian.model.errors import BadInput, shown
from lydian.model.network import Network
from lydian.model.reading import Problem, Watch

__all__ = ["dumps", "read"]

_NUMBER = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"
_TOKEN = re.compile(
    r'[ \t\r]*(?:(?P<text>"[^"]*")|(?P<open>\[)|(?P<close>\])|(?P<comment>#[^\n]*)|(?P<line>\n)'
    rf'|(?P<number>{_NUMBER}(?=[\s\]\["]|$)|[+-]?(?:INF|NAN)\b)|(?P<word>[^\s\[\]"]+))'
)
#: A whole node or edge without lists inside, which makes up most of a large file.
_ELEMENT = re.compile(
    rf'\s*(node|edge)\s*\[((?:\s*[A-Za-z_]\w*[ \t]+(?:{_NUMBER}(?=[\s\]])|"[^"\n]*"(?=[\s\]])))*)\s*\]'
)
_FIELD = re.compile(r'([A-Za-z_]\w*)[ \t]+([^\s"\]]+|"[^"\n]*")')
_DEEPEST = 50
_EVERY = 2_000  # tokens or elements between two calls of the watch
_LONGEST = 300  # digits of a number


def read(text: str, watch: Watch | None = None) -> Raw:
    """Return what a GML text describes; the first graph if there are several.

    Raises:
        BadInput: it is not GML; ``place`` names the line.
        Cancelled: raised by ``watch``.
    """
    parser = _Parser(text, share(watch, 0.0, 0.8))
    raw = parser.whole()
    renamed(raw, parser.labels or parser.names, share(watch, 0.8, 1.0))
    return raw


class _Parser:
    def __init__(self, text: str, watch: Watch | None) -> None:
        self.text, self.watch = text, watch
        self.at, self.line, self.number = 0, 1, 0
        self.stream = self._tokens()
        self.raw = Raw()
        self.creator = ""
        self.labels: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.edges: list[tuple[Mapping[str, Any], int]] = []

    # ------------------------------------------------------------------ tokens

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        """Yield the text as (kind, token, line), one after the other, starting from ``at``."""
        text = self.text
        while self.at < len(text):
            found = _TOKEN.match(text, self.at)
            if found is None:
                rest = text[self.at :].strip()
                if not rest:
                    return
                if rest.startswith('"'):
                    raise BadInput("this text has no closing quotation mark", place=f"line {self.line}")
                raise BadInput(f"cannot be understood: {shown(rest.splitlines()[0])}", place=f"line {self.line}")
            self.at, kind = found.end(), str(found.lastgroup)
            self._look()
            if kind == "line":
                self.line += 1
            elif kind != "comment":
                yield kind, found[kind], self.line
                self.line += found[kind].count("\n")

    def _look(self) -> None:
        self.number += 1
        if self.watch is not None and self.number % _EVERY == 0:
            self.watch(0.9 * self.at / len(self.text))

    # ------------------------------------------------------------------ grammar

    def whole(self) -> Raw:
        raw, seen = self.raw, 0
        for key, kind, value, line in self._pairs(0):
            if key == "graph" and kind == "open":
                seen += 1
                if seen == 1:
                    self._graph()
                else:
                    self._list(1)
            elif kind == "open":
                self._list(1)
            elif key.lower() == "creator":
                self.creator = str(value)
            del line
        if not seen:
            raise BadInput("this file contains no 'graph [ ... ]'", place="line 1")
        if seen > 1:
            raw.notes.append(f"only the first of {seen:,} graphs is read")
        raw.flip = "gephi" in self.creator.lower()
        yed = "yfiles" in self.creator.lower()
        self._links(yed)
        return raw

    def _graph(self) -> None:
        """Read the content of ``graph [ ... ]``."""
        text = self.text
        pairs = self._pairs(1)
        while True:
            while (found := _ELEMENT.match(text, self.at)) is not None:  # without tokens, as far as possible
                own = _fields(found[2])
                self.line += text.count("\n", self.at, found.start(1))
                self._element(found[1], own, self.line)
                self.line += text.count("\n", found.start(1), found.end())
                self.at = found.end()
                self._look()
            pair = next(pairs, None)
            if pair is None:
                return
            key, kind, value, line = pair
            if key in ("node", "edge") and kind == "open":
                self._element(key, self._list(2), line)
            elif kind == "open":
                self._list(2)
            elif key == "directed":
                self.raw.directed = value == 1
            elif key.lower() == "creator":
                self.creator = str(value)
            else:
                self.raw.graph[key] = value

    def _element(self, what: str, own: dict[str, Any], line: int) -> None:
        if what == "edge":
            self.edges.append((own, line))
            return
        name = own.pop("id", None)
        if name is None or isinstance(name, dict):
            self.raw.problems.append(Problem(line, "a node has no id"))
            return
        name = str(name)
        if name in self.raw.processes or name in self.raw.groups:
            self.raw.problems.append(Problem(line, f"two processes have the name {name!r}"))
        elif own.get("isGroup") == 1:
            self.raw.groups.add(name)
        else:
            for key, into in (("label", self.labels), ("name", self.names)):
                label = own.get(key)
                if label is not None and not isinstance(label, dict):
                    into[name] = str(label)
            own.pop("gid", None)  # the group that contains it
            self.raw.processes[name] = (_drawn(own), line)

    def _links(self, yed: bool) -> None:
        many = len(self.edges)
        for i, (given, line) in enumerate(self.edges):
            if self.watch is not None and i % _EVERY == 0:
                self.watch(0.9 + 0.1 * i / many)
            own = dict(given)
            ends = own.pop("source", None), own.pop("target", None)
            if any(end is None or isinstance(end, dict) for end in ends):
                self.raw.problems.append(Problem(line, "an edge must have a source and a target"))
                continue
            a, b = (str(end) for end in ends)
            directed = own.pop("directed", None)
            way = None if directed is None or isinstance(directed, dict) else directed == 1
            if yed:
                graphics = own.get("graphics")
                graphics = graphics if isinstance(graphics, dict) else {}
                back, forth = "sourceArrow" in graphics, "targetArrow" in graphics
                way = back != forth
                if back and not forth:
                    a, b = b, a
            if str(own.get("label", "")).strip():
                self.raw.ignored.add("labels of links")
            self.raw.links.append((a, b, way, _drawn(own) if own else NOTHING, line))
        self.edges = []
        if self.raw.groups:
            many = len(self.raw.groups)
            what = "a group is left out; the processes in it are kept"
            self.raw.notes.append(
                what if many == 1 else f"{many:,} groups are left out; the processes in them are kept"
            )

    def _pairs(self, depth: int) -> Iterator[tuple[str, str, Any, int]]:
        """Yield (key, kind of the value, value, line) up to the closing bracket, or to the end at the top level. If the
        kind is ``open``, the caller must read that list before it continues."""
        if depth > _DEEPEST:
            raise BadInput("too many nested brackets", place=f"line {self.line}")
        while True:
            token = next(self.stream, None)
            if token is None:
                if depth:
                    raise BadInput("a bracket [ is not closed", place=f"line {self.line}")
                return
            kind, key, line = token
            if kind == "close" and depth:
                return
            if kind != "word":
                raise BadInput(f"a word such as node or edge was expected, not {shown(key)}", place=f"line {line}")
            token = next(self.stream, None)
            if token is None or token[0] == "close":
                raise BadInput(f"{key} has no value", place=f"line {line}")
            yield key, token[0], _value(token[0], token[1]), line

    def _list(self, depth: int) -> dict[str, Any]:
        return {key: self._list(depth + 1) if kind == "open" else value for key, kind, value, _ in self._pairs(depth)}


def _fields(text: str) -> dict[str, Any]:
    return {key: _value("text" if value[0] == '"' else "number", value) for key, value in _FIELD.findall(text)}


def _value(kind: str, text: str) -> Any:
    if kind == "text":
        return html.unescape(text[1:-1]) if "&" in text else text[1:-1]
    if kind == "number" and len(text) < _LONGEST:
        try:
            return int(text)
        except ValueError:
            return float(text)
    return text


def _drawn(own: dict[str, Any]) -> Mapping[str, Any]:
    """Return the attributes, with x and y from ``graphics``; other lists are omitted."""
    graphics = own.get("graphics")
    found = {key: value for key, value in own.items() if not isinstance(value, dict) and key not in ("id", "label")}
    if isinstance(graphics, dict):
        for key in ("x", "y"):
            if key in graphics:
                found.setdefault(key, graphics[key])
    return found or NOTHING


def dumps(network: Network) -> str:
    """Return a network as GML, with all its settings as attributes; it is written by networkx."""
    import networkx as nx

    from lydian.formats.networks.attributes import graph_of

    graph = graph_of(network)
    return "\n".join(nx.generate_gml(graph)) + "\n"


FORMATS.register(Format("gml", "GML", (".gml",), read, dumps, begins=r"(?m)^\s*graph\s*\["))
