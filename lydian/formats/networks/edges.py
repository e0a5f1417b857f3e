"""Edge lists: a link in every line, such as ``0 1`` or ``0 -> 1`` or ``0,1``, optionally followed by attributes in the
notation of networkx (``{'delay': 'constant(2)'}``). A line with one name is a process without links; text after ``#``
is a comment. Names that contain spaces are quoted.

An adjacency list of networkx has a process and all its neighbours in every line (``0 1 2``); it differs from an edge
list in that every process has its own line.
"""

from __future__ import annotations

import ast
import re

from lydian.formats.networks.format import FORMATS, Format
from lydian.formats.networks.raw import NOTHING, Raw, share, watched
from lydian.language import later
from lydian.model.errors import BadInput, shown
from lydian.model.network import Network
from lydian.model.reading import Problem, Watch

__all__ = ["dumps", "is_number", "read"]

_ARROWS = {"->": True, "--": False, "-": False, "→": True}
_WORD = re.compile(r"""(?P<quoted>"(?:[^"\\]|\\.)*"|'[^']*')|(?P<bare>[^\s,;]+)""")
_SIMPLE = re.compile(r"([^\s,;\"'{}#]+)(?:[ \t]+|[ \t]*[,;][ \t]*)([^\s,;\"'{}#]+)$")


def read(text: str, watch: Watch | None = None) -> Raw:
    """Return what an edge list describes; lines that cannot be used are problems of the result.

    Raises:
        Cancelled: raised by ``watch``.
    """
    lines = text.splitlines()
    adjacent = _adjacency(lines, share(watch, 0.0, 0.2))
    if adjacent is not None:
        return adjacent
    raw = Raw(listed=False)
    known: dict[str, str] = {}  # a name that occurs in a thousand lines is stored once
    for number, line in enumerate(watched(lines, share(watch, 0.2, 1.0)), 1):
        plain = _SIMPLE.match(line)
        if plain and plain[2] not in _ARROWS:
            a, b = plain[1], plain[2]
            raw.links.append((known.setdefault(a, a), known.setdefault(b, b), None, NOTHING, number))
            continue
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        try:
            _edge(raw, bare, number)
        except BadInput as error:
            raw.problems.append(Problem(number, error.what))
    return raw


def _adjacency(lines: list[str], watch: Watch | None) -> Raw | None:
    """Return what an adjacency list describes; ``None`` if the text is not an adjacency list.

    Every line begins with another process, all processes have a line, and at least one line names three. A list of
    links with weights meets these conditions only if its weights are names of processes.
    """
    first: dict[str, int] = {}
    rows: list[tuple[list[str], int]] = []
    longest = 0
    for number, line in enumerate(watched(lines, watch), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0] in first:
            return None  # in most edge lists, after a few lines
        first[words[0]] = number
        longest = max(longest, len(words))
        rows.append((words, number))
    if longest < 3 or not all(word in first for words, _ in rows for word in words):
        return None
    raw = Raw(processes={name: (NOTHING, number) for name, number in first.items()})
    raw.notes.append("read as an adjacency list: every line is a process and its neighbours")
    seen: set[tuple[str, str]] = set()
    for words, number in rows:
        for other in words[1:]:
            if (other, words[0]) not in seen:  # the same link, from its other end
                seen.add((words[0], other))
                raw.links.append((words[0], other, None, NOTHING, number))
    return raw


def _edge(raw: Raw, line: str, number: int) -> None:
    attributes = {}
    words = list(_WORD.finditer(line))
    brace = next((i for i, word in enumerate(words) if word["bare"] and word["bare"].startswith("{")), None)
    if brace is not None:
        tail = line[words[brace].start() + 1 :]
        end = tail.rfind("}")
        try:
            attributes = ast.literal_eval("{" + tail[: end + 1])
            if not isinstance(attributes, dict):
                raise ValueError
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise BadInput(f"attributes must be written {{'delay': 'constant(2)'}}, not {shown('{' + tail)}") from None
    words = words[:brace]
    if any(word["bare"] and ('"' in word["bare"] or "'" in word["bare"]) for word in words):
        raise BadInput(f"a quotation mark is not closed: {shown(line)}")
    way = next((word["bare"] for word in words if word["bare"] in _ARROWS), None)
    names = [
        word["bare"] or re.sub(r"\\(.)", r"\1", word["quoted"][1:-1]) for word in words if word["bare"] not in _ARROWS
    ]
    if len(names) == 1 and way is None and not attributes:
        raw.processes.setdefault(names[0], (NOTHING, number))
    elif len(names) == 2 or (len(names) == 3 and brace is None and is_number(names[2])):
        own = {str(key): value for key, value in attributes.items()}
        if len(names) == 3:
            own["weight"] = names[2]
        directed = _ARROWS[way] if way else own.pop("directed", None)
        raw.links.append((names[0], names[1], directed, own or NOTHING, number))
    else:
        raise BadInput(f"a line must name the two processes of a link, as in '0 1', not {shown(line)}")


def is_number(text: str) -> bool:
    """Return True if a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def dumps(network: Network) -> str:
    """Return a network as an edge list: links with their own settings, and processes without links."""
    from lydian.formats.networks.attributes import of_link

    joined = {name for link in network.links for name in (link.a, link.b)}
    lines = [f"# {network.name}".replace("\n", " ")]
    lines += [_named(name) for name in network.processes if name not in joined]
    for link in network.links:
        own = of_link(link)
        between = " -> " if link.directed else " "
        lines.append(f"{_named(link.a)}{between}{_named(link.b)}{f' {own!r}' if own else ''}")
    return "\n".join([*lines, ""])


def _named(name: str) -> str:
    plain = re.fullmatch(r"[^\s,;\"'{}#\\]+", name) and name not in _ARROWS
    return name if plain else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


FORMATS.register(
    Format(
        "edges", later("Edge list"), (".edges", ".edgelist", ".ncol", ".adjlist", ".txt"), read, dumps, "links",
        words=later("edge list"),
    )
)  # fmt: skip
