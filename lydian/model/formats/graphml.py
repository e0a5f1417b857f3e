"""GraphML: what networkx, yEd and Gephi write.

Read with expat, which knows the line of everything.  A document type, and with it every entity of one's own, is
refused: an entity that names entities can fill the memory, and one that names a file can read it.
yEd keeps positions and labels in elements of its own (``y:Geometry``, ``y:NodeLabel``).
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from lydian.model.errors import BadInput
from lydian.model.formats.raw import Problem, Raw, Watch
from lydian.model.network import Network

__all__ = ["dumps", "read"]

_BLOCK = 1 << 16
_TYPES = {"boolean": lambda text: text.strip().lower() in ("true", "1")}


def read(text: str, watch: Watch | None = None) -> Raw:
    """What a GraphML text says.

    Raises:
        BadInput: it is no XML, has a document type, or is no GraphML; ``place`` names the line.
        Cancelled: by ``watch``.
    """
    reader = _Reader()
    parser = reader.parser
    try:
        for start in range(0, len(text), _BLOCK):
            parser.Parse(text[start : start + _BLOCK], False)
            if watch is not None:
                watch(start / len(text))
        parser.Parse("", True)
    except expat.ExpatError as error:
        why = expat.errors.messages[error.code]
        raise BadInput(f"this is no XML: {why}", place=f"line {error.lineno}") from None
    if not reader.seen:
        raise BadInput("there is no <graph> in this file", place="line 1")
    return reader.raw


class _Reader:
    """Collects processes and links while expat walks through the text."""

    def __init__(self) -> None:
        self.raw = Raw()
        self.seen = False
        self.keys: dict[str, tuple[str, str, str]] = {}  # id -> what it belongs to, name, type
        self.defaults: dict[str, str] = {}
        self.path: list[str] = []
        self.node: str | None = None
        self.attributes: dict[str, Any] = self.raw.graph
        self.key: str | None = None
        self.words: list[str] = []
        self.labels: dict[str, str] = {}
        self.parser = parser = expat.ParserCreate()
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
            "the file has a document type (<!DOCTYPE ...>), which may hide entities; take that line out",
            place=f"line {self.line}",
        )

    def _start(self, tag: str, given: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        self.path.append(name)
        self.words.clear()
        if len(self.path) == 1 and name != "graphml":
            raise BadInput(f"this is <{name}>, and no <graphml>", place=f"line {self.line}")
        if name == "key":
            self._declare(given)
        elif name == "graph":
            self.seen = True
            if len([each for each in self.path if each == "graph"]) == 1:
                self.raw.directed = given.get("edgedefault") == "directed"
        elif name == "node":
            self._node(given)
        elif name == "edge":
            self._edge(given)
        elif name == "hyperedge":
            self.raw.problems.append(Problem(self.line, "a hyperedge joins more than two processes; a link joins two"))
        elif name == "data":
            self.key = given.get("key")
        elif name == "Geometry" and self.node is not None:
            x, y, width, height = (_coordinate(given, key) for key in ("x", "y", "width", "height"))
            if x is not None and y is not None:
                self.attributes["x"] = x + (width or 0.0) / 2
                self.attributes["y"] = y + (height or 0.0) / 2

    def _declare(self, given: dict[str, str]) -> None:
        key = given.get("id", "")
        self.keys[key] = (given.get("for", "all"), given.get("attr.name", ""), given.get("attr.type", "string"))
        self.key = key

    def _node(self, given: dict[str, str]) -> None:
        name = given.get("id")
        if name is None:
            self.raw.problems.append(Problem(self.line, "a node has no id"))
            return
        if name in self.raw.processes:
            self.raw.problems.append(Problem(self.line, f"two processes have the name {name!r}"))
            return
        self.node, self.attributes = name, {}
        self.raw.processes[name] = (self.attributes, self.line)

    def _edge(self, given: dict[str, str]) -> None:
        self.attributes = {}
        source, target = given.get("source"), given.get("target")
        if source is None or target is None:
            self.raw.problems.append(Problem(self.line, "an edge needs a source and a target"))
            return
        directed = {"true": True, "false": False}.get(given.get("directed", ""))
        self.raw.links.append((source, target, directed, self.attributes, self.line))

    def _end(self, tag: str) -> None:
        name = self.path.pop()
        text = "".join(self.words)
        self.words.clear()
        if name == "default" and self.key is not None:
            self.defaults[self.key] = text
        elif name == "data" and self.key is not None:
            _, word, kind = self.keys.get(self.key, ("all", self.key, "string"))
            if word and text.strip():
                self.attributes[word] = _TYPES.get(kind, str)(text)
            self.key = None
        elif name == "NodeLabel" and self.node is not None and text.strip():
            self.labels.setdefault(self.node, text.strip())
        elif name in ("node", "edge"):
            self._fill(name)
            if name == "node":
                self.node = None
            self.attributes = self.raw.graph
        elif name == "graphml":
            self._rename()

    def _fill(self, what: str) -> None:
        """Attributes that an element does not give have their default."""
        for key, text in self.defaults.items():
            belongs, word, kind = self.keys[key]
            if belongs in (what, "all") and word and word not in self.attributes:
                self.attributes[word] = _TYPES.get(kind, str)(text)

    def _rename(self) -> None:
        """The labels yEd shows are better names than its own ``n0``, if each process has one of its own."""
        names = self.labels
        if len(names) < len(self.raw.processes) or len(set(names.values())) < len(names):
            return
        self.raw.processes = {names[old]: entry for old, entry in self.raw.processes.items()}
        self.raw.links = [
            (names.get(a, a), names.get(b, b), directed, own, line) for a, b, directed, own, line in self.raw.links
        ]


def _coordinate(given: dict[str, str], key: str) -> float | None:
    try:
        return float(given[key])
    except (KeyError, ValueError):
        return None


def dumps(network: Network) -> str:
    """A network as GraphML, with everything we know of it as attributes; written by networkx."""
    import networkx as nx

    from lydian.model.formats.attributes import graph_of

    lines = nx.generate_graphml(graph_of(network), named_key_ids=True)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + "\n".join(lines) + "\n"
