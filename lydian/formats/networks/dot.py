"""DOT, the language of Graphviz: graphs, subgraphs, chains of edges, defaults, quoted and HTML text, comments."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from lydian.formats.networks.format import FORMATS, Format
from lydian.formats.networks.making import renamed
from lydian.formats.networks.raw import NOTHING, Raw, share
from lydian.model.errors import BadInput, shown
from lydian.model.network import Network
from lydian.model.reading import Watch

__all__ = ["dumps", "read"]

_TOKEN = re.compile(
    r"\s*(?:(?P<comment>/\*.*?\*/|//[^\n]*|^\#[^\n]*)"
    r'|(?P<text>"(?:[^"\\]|\\.)*")|(?P<edge>->|--)|(?P<mark>[{}\[\];,=:+])'
    r"|(?P<word>[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*|-?(?:\.\d+|\d+(?:\.\d*)?))|(?P<html><))",
    re.DOTALL | re.MULTILINE,
)
#: The rest of a statement with one plain edge, and such a statement as a whole, which makes up most of a large file.
_ID = r'(?:[A-Za-z_][\w\x80-\U0010ffff]*+|-?\d++(?:\.\d*+)?|"[^"\\\n]*+")'
_STOP = r'[ \t]*+(?:;|\r?\n(?=\s*+[\w"}]))'
_FIELD = r'([A-Za-z_]\w*+)\s*+=\s*+("[^"\\]*+"|-?[\w.]++)'
_LIST = rf"(?:[ \t]*+\[((?:[\s,;]*+{_FIELD.replace('(', '(?:')})*+)[\s,;]*+\])?"
_FIELDS = re.compile(_FIELD)
_REST = re.compile(rf"[ \t]*+(->|--)[ \t]*+({_ID}){_LIST}{_STOP}")
_EDGE = re.compile(rf"\s*+({_ID})[ \t]*+(->|--)[ \t]*+({_ID}){_LIST}{_STOP}")
_WORDS = frozenset(("node", "edge", "graph", "digraph", "subgraph", "strict"))
#: Generated ids that are not meant for readers, and labels that are drawings rather than names.
_GIVEN = re.compile(r"[A-Za-z]{0,4}_?\d+")
_DRAWN_LABEL = re.compile(r"[<>{}|\\\n]")
_EVERY = 2_000  # tokens or edges between two calls of the watch
_DEEPEST = 50
#: Attributes of Graphviz that only affect the drawing.
_DRAWN_WORDS = """
color fillcolor fontcolor fontname fontsize height width shape style penwidth arrowhead arrowtail arrowsize
label lp bb pos rank rankdir layout overlap splines margin pad ratio size nodesep ranksep bgcolor len weight
peripheries tooltip URL href rects xdotversion ordering samehead sametail decorate fontpath
lwidth lheight charset xlabel constraint headport tailport fixedsize
labelloc labeljust _draw_ _ldraw_ _hdraw_ _tdraw_ node edge start mode model K
dpi outputorder compound concentrate center sep esep normalize
"""
_DRAWN = frozenset(_DRAWN_WORDS.split())
_POSITION = re.compile(r"\s*(-?[\d.eE+-]+)\s*,\s*(-?[\d.eE+-]+)\s*(?:,\s*-?[\d.eE+-]+\s*)?!?\s*$")


def read(text: str, watch: Watch | None = None) -> Raw:
    """Return what a DOT text describes; the first graph if there are several.

    Raises:
        BadInput: it is not DOT; ``place`` names the line.
        Cancelled: raised by ``watch``.
    """
    parser = _Parser(text, share(watch, 0.0, 0.9))
    raw = parser.whole()
    names = parser.labels or parser.names
    if all(map(_GIVEN.fullmatch, raw.processes)) and not any(map(_DRAWN_LABEL.search, names.values())):
        renamed(raw, names, share(watch, 0.9, 1.0))
    return raw


class _Parser:
    def __init__(self, text: str, watch: Watch | None) -> None:
        self.text, self.watch = text, watch
        self.at = 0
        self.line = self.counted = 0  # the line at position ``counted``
        self.stream = self._tokens()
        self.raw = Raw(flip=True)
        self.number = 0
        self.labels: dict[str, str] = {}
        self.names: dict[str, str] = {}  # the name of labels in igraph
        self.depth = 0
        self.token: tuple[str, str, int] = ("", "", 0)
        self.advance()

    # ------------------------------------------------------------------ tokens

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        text = self.text
        while True:
            found = _TOKEN.match(text, self.at)
            if found is None:
                if not text[self.at :].strip():
                    return
                rest = text[self.at :].lstrip()
                start = len(text) - len(rest)
                what = "a text has no closing quotation mark" if rest[0] == '"' else "a comment is not closed"
                if not rest.startswith(('"', "/*")):
                    what = f"cannot be understood: {shown(rest.splitlines()[0])}"
                raise BadInput(what, place=f"line {self._line(start)}")
            kind = str(found.lastgroup)
            start = found.start(kind)
            self.at = found.end()
            self._look()
            if kind == "html":
                yield "text", self._html(start), self._line(start)
            elif kind != "comment":
                yield kind, found[kind], self._line(start)

    def _look(self) -> None:
        self.number += 1
        if self.watch is not None and self.number % _EVERY == 0:
            self.watch(self.at / len(self.text))

    def _line(self, position: int) -> int:
        self.line += self.text.count("\n", self.counted, position)
        self.counted = position
        return self.line + 1

    def _html(self, start: int) -> str:
        """Return the text between matching angle brackets."""
        depth = 0
        for found in re.compile("[<>]").finditer(self.text, start):
            depth += 1 if found[0] == "<" else -1
            if not depth:
                self.at = found.end()
                return self.text[start + 1 : found.start()]
        raise BadInput("a text in < > is not closed", place=f"line {self._line(start)}")

    def advance(self) -> tuple[str, str, int]:
        before = self.token
        token = next(self.stream, None)
        self.token = ("end", "the end of the file", self._line(len(self.text))) if token is None else token
        return before

    def wrong(self, expected: str) -> BadInput:
        kind, text, line = self.token
        got = text if kind == "end" else shown(text)
        return BadInput(f"{expected} was expected, not {got}", place=f"line {line}")

    def take(self, mark: str) -> bool:
        if self.token[0] in ("mark", "edge") and self.token[1] == mark:
            self.advance()
            return True
        return False

    def is_word(self, *words: str) -> bool:
        return self.token[0] == "word" and self.token[1].lower() in words

    def name(self, what: str) -> str:
        if self.token[0] not in ("word", "text"):
            raise self.wrong(what)
        kind, text, _ = self.advance()
        text = _unquoted(text) if kind == "text" and text.startswith('"') else text
        while self.take("+"):
            text += self.name("a text")
        return text

    # ------------------------------------------------------------------ grammar

    def whole(self) -> Raw:
        if self.is_word("strict"):
            self.advance()
        if not self.is_word("graph", "digraph"):
            raise self.wrong("graph or digraph")
        self.raw.directed = self.advance()[1].lower() == "digraph"
        if self.token[0] in ("word", "text"):
            self.raw.graph["name"] = self.name("a name")
        if not self.take("{"):
            raise self.wrong("{")
        self.statements({}, {})
        return self.raw

    def statements(self, nodes: dict[str, Any], edges: dict[str, Any]) -> list[str]:
        """Read up to the closing brace; return the processes named there."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise BadInput("too many nested braces", place=f"line {self.token[2]}")
        inside: dict[str, None] = {}
        while not self.take("}"):
            if self.token[0] == "end":
                raise BadInput("a brace { is not closed", place=f"line {self.token[2]}")
            if self.token[0] in ("word", "text") and self._plain(nodes, edges, inside):
                continue
            if not self.take(";"):
                inside.update(dict.fromkeys(self.statement(nodes, edges)))
        self.depth -= 1
        return list(inside)

    def _plain(self, nodes: dict[str, Any], edges: dict[str, Any], inside: dict[str, None]) -> bool:
        """Read as many plain edges as follow; reading a million of them token by token would take a minute."""
        found = _REST.match(self.text, self.at)
        kind, first, line = self.token
        if found is None or (kind == "text" and (not first.startswith('"') or "\\" in first)):
            return False
        arrow = "->" if self.raw.directed else "--"
        if found[1] != arrow or found[2].lower() in _WORDS or edges.get("dir"):
            return False
        if kind == "word" and first.lower() in _WORDS:
            return False
        own, there = _kept(edges) or NOTHING, _kept(nodes)
        processes, links = self.raw.processes, self.raw.links
        left, right, given = first, found[2], found[3]
        while True:
            a, b = left.strip('"'), right.strip('"')
            for name in (a, b):
                if name not in processes:
                    processes[name] = (dict(there), line)
                inside[name] = None
            if given:
                more = {key: value.strip('"') for key, value in _FIELDS.findall(given)}
                self.link(a, b, {**edges, **more}, nodes, line)
            else:
                links.append((a, b, None, own, line))
            self.at = found.end()
            self._look()
            found = _EDGE.match(self.text, self.at)
            if found is None or found[2] != arrow or found[1].lower() in _WORDS or found[3].lower() in _WORDS:
                break
            left, right, given = found[1], found[3], found[4]
            line = self._line(found.start(1))
        self.advance()
        return True

    def statement(self, nodes: dict[str, Any], edges: dict[str, Any]) -> list[str]:
        if self.is_word("node", "edge", "graph"):
            which = self.advance()[1].lower()
            given = self.attributes()
            if which == "graph" and self.depth == 1:
                self.raw.graph.update({key: value for key, value in given.items() if key not in _DRAWN})
            elif which != "graph":
                (nodes if which == "node" else edges).update(given)
            return []
        line = self.token[2]
        group = self.group(nodes, edges)
        if isinstance(group, str) and self.take("="):
            value = self.name("a value")
            if self.depth == 1 and group not in _DRAWN:
                self.raw.graph[group] = value
            return []
        groups = [[group] if isinstance(group, str) else group]
        while self.token[0] == "edge":
            directed = self.advance()[1] == "->"
            if directed != self.raw.directed:
                right = "->" if self.raw.directed else "--"
                kind = "digraph" if self.raw.directed else "graph"
                raise BadInput(f"an edge in a {kind} must be written {right}", place=f"line {line}")
            following = self.group(nodes, edges)
            groups.append([following] if isinstance(following, str) else following)
        own = self.attributes()
        if len(groups) == 1 and isinstance(group, str):
            before, first = self.raw.processes.get(group) or (_kept(nodes), line)
            self.raw.processes[group] = ({**before, **_kept(own)}, first)
            for key, into in (("label", self.labels), ("name", self.names)):
                if own.get(key, "\\N") != "\\N":
                    into[group] = own[key]
        for left, right_ in itertools.pairwise(groups):
            for a in left:
                for b in right_:
                    self.link(a, b, {**edges, **own}, nodes, line)
        return [name for each in groups for name in each]

    def link(self, a: str, b: str, own: dict[str, Any], nodes: dict[str, Any], line: int) -> None:
        for name in (a, b):
            self.raw.processes.setdefault(name, (_kept(nodes), line))
        way = own.pop("dir", None) if self.raw.directed else None
        if way == "back":
            a, b = b, a
        directed = False if way in ("both", "none") else None
        own.pop("pos", None)
        self.raw.links.append((a, b, directed, _kept(own) or NOTHING, line))

    def group(self, nodes: dict[str, Any], edges: dict[str, Any]) -> str | list[str]:
        """Read a process, or the processes of a subgraph."""
        if self.is_word("subgraph"):
            self.advance()
            if self.token[0] in ("word", "text"):
                self.name("a name")
            if not (self.token[0] == "mark" and self.token[1] == "{"):
                raise self.wrong("{")
        if self.take("{"):
            return self.statements(dict(nodes), dict(edges))
        name = self.name("a process")
        while self.take(":"):
            self.name("a port")
        return name

    def attributes(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self.take("["):
            while not self.take("]"):
                key = self.name("an attribute or ]")
                found[key] = self.name("a value") if self.take("=") else "true"
                while self.take(",") or self.take(";"):
                    pass
        return found


def _unquoted(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        return {'"': '"', "\n": "", "\\": "\\"}.get(found[1], found[0])

    return re.sub(r"\\(.|\n)", plain, text[1:-1], flags=re.DOTALL)


def _kept(attributes: dict[str, Any]) -> dict[str, Any]:
    """Return attributes without those that only affect the drawing; ``pos`` becomes x and y."""
    found = {key: value for key, value in attributes.items() if key not in _DRAWN}
    if "pos" not in attributes:
        return found
    position = _POSITION.match(str(attributes.get("pos", "")))
    if position:
        found.setdefault("x", position[1])
        found.setdefault("y", position[2])
    return found


def dumps(network: Network) -> str:
    """Return a network as DOT, with all its settings as attributes; ``neato -n`` draws it without changes."""
    from lydian.formats.networks.attributes import of_link, of_network, of_process

    directed = network.directed
    whole = of_network(network)
    lines = [f"{'digraph' if directed else 'graph'} {_quoted(whole.pop('name'))} {{"]
    lines += [f"  {key}={_quoted(value)};" for key, value in whole.items()]
    lines.append("  node [shape=circle];")
    for name in network.processes:
        own = of_process(network, name)
        if "x" in own:
            own["pos"] = f"{_short(own.pop('x'))},{_short(-own.pop('y'))}"
        lines.append(f"  {_quoted(name)}{_list(own)};")
    for link in network.links:
        own = of_link(link)
        if directed and not link.directed:
            own["dir"] = "both"
        lines.append(f"  {_quoted(link.a)} {'->' if directed else '--'} {_quoted(link.b)}{_list(own)};")
    return "\n".join([*lines, "}", ""])


def _list(own: dict[str, Any]) -> str:
    return f" [{', '.join(f'{key}={_quoted(value)}' for key, value in own.items())}]" if own else ""


def _short(value: float) -> str:
    return repr(value + 0.0).removesuffix(".0")


def _quoted(value: Any) -> str:
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


_BEGINS = r"""(?i)\A(strict\s+)?(di)?graph\b\s*("[^"]*"|[\w.-]*)\s*\{"""
FORMATS.register(Format("dot", "DOT (Graphviz)", (".dot", ".gv"), read, dumps, begins=_BEGINS))
