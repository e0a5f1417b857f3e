"""Construction of a network from the content of another program's file.

:func:`assembled` keeps what LYDIAN can express, notes what is left out, and builds the network; :func:`renamed` gives
processes the names that users see in the other program.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lydian.formats.networks.raw import Raw, Reading, share, watched
from lydian.model.delays import as_distribution
from lydian.model.errors import BadInput, shown
from lydian.model.network import LONGEST_NAME, Link, Network
from lydian.model.network.links import RATES, need_drift, need_order, need_share
from lydian.model.network.netfile import left_out
from lydian.model.network.stabilisation import Stabilisation
from lydian.model.reading import BadLines, Problem, Watch

__all__ = ["assembled", "renamed"]

#: Attributes that are known to have no meaning for a network in LYDIAN; other attributes that are left out are listed.
_SILENT = frozenset(
    ("id", "label", "name", "key", "directed", "type", "graphics", "labelgraphics", "creator", "version", "comment",
     "multigraph", "hierarchic")
)  # fmt: skip
#: The largest number of attributes that a note lists.
_SOME = 5


def renamed(raw: Raw, labels: Mapping[str, str], watch: Watch | None = None) -> None:
    """Use the labels of processes as their names, if each has a unique one; otherwise note why the ids are kept.

    Args:
        raw: the content of the file, which is changed.
        labels: id of a process -> its label; labels may be missing.
        watch: a function that is called with the progress.
    """
    short = {old: " ".join(label.split()) for old, label in watched(list(labels.items()), share(watch, 0.0, 0.3))}
    short = {old: label for old, label in short.items() if label and old in raw.processes}
    if not short or all(old == label for old, label in short.items()):
        return
    why = ""
    if len(short) < len(raw.processes):
        why = "some have no label"
    elif len(set(short.values())) < len(short):
        twice = next(label for label, many in Counter(short.values()).most_common(1) if many > 1)
        why = f"two of them have the label {shown(twice)}"
    elif not all(label.isprintable() and len(label) <= LONGEST_NAME for label in short.values()):
        why = f"a label is longer than {LONGEST_NAME} characters or cannot be shown"
    if why:
        raw.notes.append(f"the processes are named by their ids in the file, since {why}")
        return
    raw.processes = {short[old]: entry for old, entry in raw.processes.items()}
    links = watched(raw.links, share(watch, 0.3, 1.0))
    raw.links = [(short.get(a, a), short.get(b, b), directed, own, line) for a, b, directed, own, line in links]


def assembled(
    raw: Raw, name: str, file: Path | str | None = None, *, skip: bool = False, watch: Watch | None = None
) -> Reading:
    """Return the network that a file describes.

    Links from a process to itself and second links between the same two processes are left out and noted, and so are
    attributes that have no meaning in LYDIAN.

    Args:
        raw: the content of the file.
        name: the network's name if the file does not give one.
        file: the file, for errors.
        skip: leave out lines that cannot be used.
        watch: a function that is called with the progress, every few milliseconds.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: there are no processes.
        Cancelled: raised by ``watch``.
    """
    made = _Maker(raw, watch)
    problems = tuple(sorted((*raw.problems, *made.problems), key=lambda problem: problem.line))
    if problems and not skip:
        raise BadLines(problems, file)
    if not made.names:
        raise BadInput("this file contains no processes", file=file)
    network = Network(name=str(made.graph.pop("name", None) or name), processes=tuple(made.names), **made.parts())
    # The links have been checked one by one as they were created; the network would check a million of them without a
    # break.
    network.__dict__["links"] = tuple(made.links)
    return Reading(network, tuple(made.notes()), problems)


class _Maker:
    """The construction of one network, with counts of what was left out."""

    def __init__(self, raw: Raw, watch: Watch | None) -> None:
        self.raw = raw
        self.problems: list[Problem] = []
        self.unknown: Counter[str] = Counter()
        self.selves = self.doubles = self.grouped = 0
        self.graph = {key: raw.graph[key] for key in ("name", "about") if isinstance(raw.graph.get(key), str)}
        self.fields: dict[str, Any] = {}
        self.points: dict[str, tuple[float, float]] = {}
        self.steps: dict[str, Any] = {}
        self.drifts: dict[str, float] = {}
        self.roles: dict[str, str] = {}
        self.starting: list[str] = []
        self.names = {process: i for i, process in enumerate(raw.processes)}
        self._whole()
        for process, (attributes, line) in watched(list(raw.processes.items()), share(watch, 0.0, 0.2)):
            if not attributes:
                continue
            try:
                self._process(process, attributes)
            except BadInput as error:
                self.problems.append(Problem(line, error.what))
        self.links = self._links(share(watch, 0.2, 1.0))
        self.raw.links = []  # a million of them take 100 MB

    def _whole(self) -> None:
        for key, value in self.raw.graph.items():
            try:
                if key in ("delay", "step"):
                    self.fields[key] = as_distribution(_number(value))
                elif key == "order":
                    need_order(value, "the order of a network")
                    self.fields[key] = value
                elif key in RATES:
                    need_share(_number(value), f"the {key} of a network")
                    self.fields[key] = float(_number(value))
                elif key == "classes":
                    classes = _literal(value)
                    self.fields[key] = {str(name): as_distribution(delay) for name, delay in dict(classes).items()}
                elif key == "gst":
                    self.fields[key] = Stabilisation.from_data(_literal(value))
                elif key == "anonymous":
                    self.fields[key] = _true(value)
                elif key == "initiators":
                    self.starting += [str(name) for name in _literal(value)]
                elif key not in ("name", "about"):
                    self._left(key)
            except (BadInput, TypeError, ValueError) as error:
                what = error.what if isinstance(error, BadInput) else f"{key} cannot be {shown(value)}"
                self.problems.append(Problem(1, what))

    def _process(self, name: str, attributes: Mapping[str, Any]) -> None:
        x, y = attributes.get("x"), attributes.get("y")
        if x is not None and y is not None:
            self.points[name] = (_float(x, "x"), _float(y, "y") * (-1 if self.raw.flip else 1))
        for key, value in attributes.items():
            if key == "step":
                self.steps[name] = as_distribution(_number(value))
            elif key == "drift":
                need_drift(_number(value), f"the drift of the clock of process {name}")
                self.drifts[name] = float(_number(value))
            elif key == "role":
                self.roles[name] = str(value)
            elif key == "initiator":
                if _true(value):
                    self.starting.append(name)
            elif key not in ("x", "y"):
                self._left(key)

    def _links(self, watch: Watch | None) -> list[Link]:
        raw, names = self.raw, self.names
        links: list[Link] = []
        # Combined numbers of both ends -> whether the link is directed; in parts, because growing a dictionary of a
        # million is slow.
        made: list[dict[int, bool]] = [{} for _ in range(64)]
        for a, b, directed, attributes, line in watched(raw.links, watch):
            i, j = names.get(a), names.get(b)
            if i is None or j is None:
                if a in raw.groups or b in raw.groups:
                    self.grouped += 1
                    continue
                if raw.listed:
                    missing = shown(a if i is None else b)
                    self.problems.append(Problem(line, f"the link {a}-{b} names the unknown process {missing}"))
                    continue
                i = names.setdefault(a, len(names))
                j = names.setdefault(b, len(names))
            if i == j:
                self.selves += 1
                continue
            one_way = raw.directed if directed is None else directed
            if attributes and _true(attributes.get("both", "")):  # a two-way link, written as two links
                one_way = False
                if j << 32 | i in made[j & 63]:
                    continue
            try:
                link = self._link(a, b, one_way, attributes) if attributes else Link(a, b, one_way)
            except BadInput as error:
                self.problems.append(Problem(line, error.what))
                continue
            back = made[j & 63].get(j << 32 | i)
            if i << 32 | j in made[i & 63] or (back is not None and not (one_way and back)):
                self.doubles += 1
            else:
                made[i & 63][i << 32 | j] = one_way
                links.append(link)
        return links

    def _link(self, a: str, b: str, directed: bool, attributes: Mapping[str, Any]) -> Link:
        own: dict[str, Any] = {}
        for key, value in attributes.items():
            if key == "delay":
                own[key] = as_distribution(_number(value))
            elif key == "class":
                own["klass"] = str(value)
            elif key == "order":
                own[key] = value
            elif key in RATES:
                own[key] = _number(value)
            elif key == "weight" and isinstance(_number(value), int | float) and not isinstance(value, bool):
                own[key] = _number(value)  # other programs also write words here
            elif key == "outages":
                try:
                    own[key] = tuple(tuple(pair) for pair in _literal(value))
                except TypeError:
                    raise BadInput(f"outages must be pairs of times such as [[2, 5]], not {shown(value)}") from None
            elif key != "both":
                self._left(key)
        return Link(a, b, directed=directed, **own)

    def _left(self, key: str) -> None:
        if key.lower() not in _SILENT:
            self.unknown[key] += 1

    def parts(self) -> dict[str, Any]:
        """Return the fields of the network."""
        starting = [name for name in dict.fromkeys(self.starting) if name in self.names]
        return {
            **self.graph,
            **self.fields,
            "links": (),
            "initiators": tuple(starting),
            "positions": self.points,
            "steps": self.steps,
            "drifts": self.drifts,
            "roles": self.roles,
        }

    def notes(self) -> list[str]:
        notes = list(self.raw.notes)
        if self.grouped:
            what = "a link" if self.grouped == 1 else f"{self.grouped:,} links"
            notes.append(f"{what} to a group {'is' if self.grouped == 1 else 'are'} left out; links join processes")
        notes += left_out(self.selves, self.doubles)
        self.unknown.update(self.raw.ignored)
        if self.unknown:
            names = [key for key, _ in self.unknown.most_common(_SOME)]
            more = f" and {len(self.unknown) - _SOME} more" if len(self.unknown) > _SOME else ""
            what = "attribute" if len(self.unknown) == 1 else "attributes"
            notes.append(f"{what} without a meaning here: {', '.join(names)}{more}")
        return notes


def _float(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise BadInput(f"{what} must be a number, not {shown(value)}") from None
    if not math.isfinite(number):
        raise BadInput(f"{what} must be a finite number, not {shown(value)}")
    return number


def _number(value: Any) -> Any:
    """Convert a text that contains a number; return any other value unchanged."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value.strip()
    return value


def _literal(value: Any) -> Any:
    """Return a list or a dictionary that was written as text."""
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise BadInput(f"cannot be understood: {shown(value)}") from None


def _true(value: Any) -> bool:
    return str(value).strip().lower() in ("true", "1", "yes")
