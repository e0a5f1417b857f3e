"""GraphML, as written by networkx, yEd, Gephi and igraph.

It is read with expat, which reports the line of each element. A document type, and with it every custom entity, is
refused: an entity that refers to entities can fill the memory, and one that refers to a file can read it.

yEd keeps positions, labels and arrows in its own elements (``y:Geometry``, ``y:NodeLabel``, ``y:Arrows``); its groups
are nodes that contain a graph. Gephi's y grows upwards; it is recognised by a key that only Gephi declares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from lydian.formats.networks.format import FORMATS, Format
from lydian.formats.networks.making import renamed
from lydian.formats.networks.raw import NOTHING, Raw, share
from lydian.model.errors import BadInput
from lydian.model.network import Network
from lydian.model.reading import Problem, Watch

__all__ = ["dumps", "read"]

_BLOCK = 1 << 14
#: The largest number of characters of one tag, because expat scans an unclosed tag again and again.
_LONGEST = 1 << 20
_DEEPEST = 200
_MOST_KEYS = 1_000
_TYPES = {"boolean": lambda text: text.strip().lower() in ("true", "1")}
#: Generated ids that are not meant for readers.
_GIVEN = re.compile(r"n\d+")


def read(text: str, watch: Watch | None = None) -> Raw:
    """Return what a GraphML text describes; the first graph if there are several.

    Raises:
        BadInput: it is not XML, has a document type, or is not GraphML; ``place`` names the line.
        Cancelled: raised by ``watch``.
    """
    reader = _Reader()
    parser = reader.parser
    reading = share(watch, 0.0, 0.8)
    fed = 0
    try:
        for start in range(0, len(text), _BLOCK):
            block = text[start : start + _BLOCK].encode("utf-8", "replace")
            parser.Parse(block, False)
            fed += len(block)
            if fed - parser.CurrentByteIndex > _LONGEST:
                what = "a tag or a remark is longer than a million characters, which no program would write"
                raise BadInput(what, place=f"line {parser.CurrentLineNumber}")
            if reading is not None:
                reading(start / len(text))
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        why = expat.errors.messages[error.code]
        raise BadInput(f"this is not XML: {why}", place=f"line {error.lineno}") from None
    if not reader.graphs:
        raise BadInput("this file contains no <graph>", place="line 1")
    return reader.done(share(watch, 0.8, 1.0))


class _Open:
    """A node or an edge that has not ended yet."""

    __slots__ = ("arrows", "attributes", "directed", "ends", "group", "line", "name")

    def __init__(self, name: str | None, line: int) -> None:
        self.name, self.line = name, line
        self.attributes: dict[str, Any] = {}
        self.group = False
        self.ends: tuple[str, str] | None = None
        self.directed: bool | None = None
        self.arrows: tuple[bool, bool] | None = None


class _Reader:
    """A reader that collects processes and links while expat parses the text."""

    def __init__(self) -> None:
        self.raw = Raw()
        self.graphs = 0  # at the top level
        self.keys: dict[str, tuple[str, str, str]] = {}  # id -> what it belongs to, name, type
        self.defaults: dict[str, str] = {}
        self.filled: dict[str, dict[str, Any]] = {}  # "node" or "edge" -> default attributes
        self.path: list[str] = []
        self.open: list[_Open] = []
        self.key: str | None = None
        self.words: list[str] = []
        self.label = ""
        self.labels: dict[str, str] = {}  # as shown by yEd
        self.titles: dict[str, dict[str, str]] = {"label": {}, "name": {}}
        self.seen: set[str] = set()
        self.ports = False
        self.starts: dict[str, Callable[[dict[str, str]], None]] = {
            "key": self._declare, "graph": self._graph, "node": self._node, "edge": self._edge, "data": self._data,
            "hyperedge": self._hyperedge, "Geometry": self._geometry, "Arrows": self._arrows,
        }  # fmt: skip
        self.parser = parser = expat.ParserCreate("utf-8")  # the text is already decoded, whatever its encoding was
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.words.append
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._doctype
        parser.buffer_text = True

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def _doctype(self, *_: Any) -> None:
        raise BadInput(
            "the file has a document type (<!DOCTYPE ...>), which may hide entities; remove that line",
            place=f"line {self.line}",
        )

    # ------------------------------------------------------------------ beginnings

    def _start(self, tag: str, given: dict[str, str]) -> None:
        name = tag.rpartition(":")[2] if ":" in tag else tag
        path = self.path
        if path and path[-1] in ("NodeLabel", "EdgeLabel"):  # in yEd, the placement of the label follows
            self.label += "".join(self.words)
        path.append(name)
        self.words.clear()
        if len(path) == 1 and name != "graphml":
            raise BadInput(f"this is <{name}>, not <graphml>", place=f"line {self.line}")
        if len(path) > _DEEPEST:
            raise BadInput("too many nested elements", place=f"line {self.line}")
        start = self.starts.get(name)
        if start is not None and (self.graphs < 2 or name == "graph"):
            start(given)
        elif name == "port":
            self.ports = True

    def _declare(self, given: dict[str, str]) -> None:
        key = given.get("id", "")
        if len(self.keys) == _MOST_KEYS:
            raise BadInput(f"the file has more than {_MOST_KEYS:,} kinds of attributes", place=f"line {self.line}")
        self.keys[key] = (given.get("for", "all"), given.get("attr.name", ""), given.get("attr.type", "string"))
        self.key = key
        if given.get("attr.name") == "Edge Label":
            self.raw.flip = True  # Gephi wrote the file

    def _graph(self, given: dict[str, str]) -> None:
        if self.open:
            self.open[-1].group = True
        else:
            self.graphs += 1
            if self.graphs == 1:
                self.raw.directed = given.get("edgedefault") == "directed"

    def _node(self, given: dict[str, str]) -> None:
        name = given.get("id")
        if name is None:
            self.raw.problems.append(Problem(self.line, "a node has no id"))
        elif name in self.seen:
            self.raw.problems.append(Problem(self.line, f"two processes have the name {name!r}"))
            name = None
        else:
            self.seen.add(name)
        node = _Open(name, self.line)
        node.group = "yfiles.foldertype" in given
        self.open.append(node)
        if name is not None:
            self.raw.processes[name] = (node.attributes, node.line)

    def _edge(self, given: dict[str, str]) -> None:
        edge = _Open(None, self.line)
        self.open.append(edge)
        source, target = given.get("source"), given.get("target")
        if source is None or target is None:
            self.raw.problems.append(Problem(self.line, "an edge must have a source and a target"))
            return
        edge.ends = (source, target)
        edge.directed = {"true": True, "false": False}.get(given.get("directed", ""))

    def _hyperedge(self, _given: dict[str, str]) -> None:
        self.raw.problems.append(Problem(self.line, "a hyperedge joins more than two processes; a link must join two"))

    def _data(self, given: dict[str, str]) -> None:
        self.key = given.get("key")

    def _geometry(self, given: dict[str, str]) -> None:
        if not self.open or self.open[-1].ends is not None:
            return
        x, y, width, height = (_coordinate(given, key) for key in ("x", "y", "width", "height"))
        if x is not None and y is not None:
            self.open[-1].attributes["x"] = x + (width or 0.0) / 2
            self.open[-1].attributes["y"] = y + (height or 0.0) / 2

    def _arrows(self, given: dict[str, str]) -> None:
        if self.open:
            self.open[-1].arrows = given.get("source", "none") != "none", given.get("target", "none") != "none"

    # ------------------------------------------------------------------ ends

    def _end(self, _tag: str) -> None:
        name = self.path.pop()
        if name == "node" and self.open:
            self._end_node()
        elif name == "edge" and self.open:
            self._end_edge()
        elif name == "data" and self.key is not None:
            self._end_data("".join(self.words))
        elif name == "default" and self.key is not None:
            text = "".join(self.words)
            if text.strip():
                self.defaults[self.key] = text
                self.filled.clear()
        elif name in ("NodeLabel", "EdgeLabel"):
            text = self.label + "".join(self.words)
            self.label = ""
            if name == "EdgeLabel":
                if text.strip():
                    self.raw.ignored.add("labels of links")
            elif self.open and self.open[-1].name is not None and text.strip():
                self.labels.setdefault(self.open[-1].name, text)
        self.words.clear()

    def _end_data(self, text: str) -> None:
        _, word, kind = self.keys.get(str(self.key), ("all", str(self.key), "string"))
        self.key = None
        if not word or not text.strip() or self.graphs > 1:
            return
        owner = self.path[-1] if self.path else ""
        value = _TYPES.get(kind, str)(text)
        if owner in ("node", "edge") and self.open:
            here = self.open[-1]
            here.attributes[word] = value
            if owner == "node" and word in self.titles and here.name is not None:
                self.titles[word][here.name] = text
        elif owner in ("graph", "graphml") and not self.open:
            self.raw.graph[word] = value

    def _end_node(self) -> None:
        node = self.open.pop()
        if node.name is None:
            return
        if node.group:
            del self.raw.processes[node.name]
            self.raw.groups.add(node.name)
            for names in (self.labels, *self.titles.values()):
                names.pop(node.name, None)
            return
        if self.defaults:
            node.attributes.update({**self._fill("node"), **node.attributes})
        if not node.attributes:
            self.raw.processes[node.name] = (NOTHING, node.line)

    def _end_edge(self) -> None:
        edge = self.open.pop()
        if edge.ends is None:
            return
        own = {**self._fill("edge"), **edge.attributes} if self.defaults else edge.attributes
        a, b = edge.ends
        directed = edge.directed
        if edge.arrows is not None:  # yEd calls every graph directed, and shows the direction by arrows
            back, forth = edge.arrows
            directed = back != forth
            if back and not forth:
                a, b = b, a
        self.raw.links.append((a, b, directed, own or NOTHING, edge.line))

    def _fill(self, what: str) -> dict[str, Any]:
        """Add default attributes to an element."""
        found = self.filled.get(what)
        if found is None:
            found = self.filled[what] = {}
            for key, text in self.defaults.items():
                belongs, word, kind = self.keys[key]
                if belongs in (what, "all") and word:
                    found[word] = _TYPES.get(kind, str)(text)
        return found

    def done(self, watch: Watch | None) -> Raw:
        """Return what was read, with the names that users see, and notes on what a network cannot contain."""
        raw = self.raw
        if raw.groups:
            many = len(raw.groups)
            what = "a group is left out; the processes in it are kept"
            raw.notes.append(what if many == 1 else f"{many:,} groups are left out; the processes in them are kept")
        if self.ports:
            raw.notes.append("ports are left out; links join the processes themselves")
        if self.graphs > 1:
            raw.notes.append(f"only the first of {self.graphs:,} graphs is read")
        labels = self.labels or self.titles["label"]
        if not labels and all(map(_GIVEN.fullmatch, raw.processes)):
            labels = self.titles["name"]
        renamed(raw, labels, watch)
        return raw


def _coordinate(given: dict[str, str], key: str) -> float | None:
    try:
        return float(given[key])
    except (KeyError, ValueError):
        return None


def dumps(network: Network) -> str:
    """Return a network as GraphML, with all its settings as attributes; it is written by networkx."""
    import networkx as nx

    from lydian.formats.networks.attributes import graph_of

    lines = nx.generate_graphml(graph_of(network), named_key_ids=True)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + "\n".join(lines) + "\n"


FORMATS.register(Format("graphml", "GraphML", (".graphml", ".xml"), read, dumps, begins=r"(?s)\A<.*<graphml"))
