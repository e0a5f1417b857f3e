"""What a file of another program says of a network, and how it becomes one of ours.

The readers of :mod:`lydian.model.formats` collect processes, links and attributes with the lines they stand in;
:func:`assembled` keeps what we have a word for, notes what it left out, and makes the network.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lydian.model.delays import as_distribution
from lydian.model.errors import BadInput, shown
from lydian.model.network import Link, Network
from lydian.model.network.links import need_drift, need_order, need_share

__all__ = ["BadLines", "Cancelled", "Problem", "Raw", "Reading", "Watch", "assembled"]

#: Told now and then how much of the file is read, 0 to 1; it may raise :class:`Cancelled`.
Watch = Callable[[float], None]
#: Attributes that are known to mean nothing for a network here; the rest that is left out is named.
_SILENT = {"id", "label", "name", "key", "directed", "type", "graphics", "labelgraphics"}
#: Most names of attributes that a note lists.
_SOME = 5


class Cancelled(Exception):
    """Whoever watched the reading did not want it any more."""


@dataclass(frozen=True)
class Problem:
    """A line that cannot be used, and why."""

    line: int
    why: str


class BadLines(BadInput):
    """Lines that cannot be used; ``problems`` are all of them."""

    def __init__(self, problems: tuple[Problem, ...], file: Path | str | None) -> None:
        many = len(problems) - 1
        more = f" (and {many:,} more {'line' if many == 1 else 'lines'})" if many else ""
        super().__init__(problems[0].why + more, file=file, place=f"line {problems[0].line}")
        self.problems = problems


@dataclass(frozen=True)
class Reading:
    """A network from a file.

    Attributes:
        network: what was understood.
        notes: sentences on what was left out or changed ("3 links from a process to itself are left out").
        problems: lines that cannot be used and were skipped, if that was asked for.
    """

    network: Network
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass
class Raw:
    """A network as it stands in a file.

    Attributes:
        directed: whether links are directed that do not say otherwise.
        graph: attributes of the whole.
        processes: name -> (attributes, line).
        links: (from, to, directed or ``None``, attributes, line).
        flip: y grows upwards in this format.
        problems: lines that were no processes and no links.
        listed: whether all processes are listed, so that a link to another one is a mistake.
    """

    directed: bool = False
    graph: dict[str, Any] = field(default_factory=dict)
    processes: dict[str, tuple[dict[str, Any], int]] = field(default_factory=dict)
    links: list[tuple[str, str, bool | None, dict[str, Any], int]] = field(default_factory=list)
    flip: bool = False
    problems: list[Problem] = field(default_factory=list)
    listed: bool = True


def assembled(raw: Raw, name: str, file: Path | str | None = None, *, skip: bool = False) -> Reading:
    """The network that a file describes.

    Links from a process to itself and second links between the same two are left out and noted, and so are attributes
    that mean nothing here.

    Args:
        raw: what the file says.
        name: the network's name if the file says none.
        file: the file, for sentences.
        skip: leave lines out that cannot be used.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: there is no process.
    """
    made = _Maker(raw, file)
    problems = tuple(sorted((*raw.problems, *made.problems), key=lambda problem: problem.line))
    if problems and not skip:
        raise BadLines(problems, file)
    if not made.names:
        raise BadInput("there is no process in this file", file=file)
    network = Network(name=str(made.graph.pop("name", None) or name), processes=tuple(made.names), **made.parts())
    return Reading(network, tuple(made.notes()), problems)


class _Maker:
    """One reading: what became of everything."""

    def __init__(self, raw: Raw, file: Path | str | None) -> None:
        self.raw, self.file = raw, file
        self.problems: list[Problem] = []
        self.unknown: Counter[str] = Counter()
        self.selves = self.doubles = 0
        self.graph = {key: raw.graph[key] for key in ("name", "about") if isinstance(raw.graph.get(key), str)}
        self.fields: dict[str, Any] = {}
        self.points: dict[str, tuple[float, float]] = {}
        self.steps: dict[str, Any] = {}
        self.drifts: dict[str, float] = {}
        self.starting: list[str] = []
        self.names = dict.fromkeys(raw.processes)
        self._whole()
        for process, (attributes, line) in raw.processes.items():
            try:
                self._process(process, attributes)
            except BadInput as error:
                self.problems.append(Problem(line, error.what))
        self.links = self._links()

    def _whole(self) -> None:
        for key, value in self.raw.graph.items():
            try:
                if key in ("delay", "step"):
                    self.fields[key] = as_distribution(_number(value))
                elif key == "order":
                    need_order(value, "the order of a network")
                    self.fields[key] = value
                elif key == "loss":
                    need_share(_number(value), "the loss of a network")
                    self.fields[key] = float(_number(value))
                elif key == "classes":
                    classes = _literal(value)
                    self.fields[key] = {str(name): as_distribution(delay) for name, delay in dict(classes).items()}
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
            elif key == "initiator":
                if _true(value):
                    self.starting.append(name)
            elif key not in ("x", "y"):
                self._left(key)

    def _links(self) -> list[Link]:
        made: dict[tuple[str, str], Link] = {}
        for a, b, directed, attributes, line in self.raw.links:
            missing = next((name for name in (a, b) if name not in self.names), None)
            if missing is not None and self.raw.listed:
                self.problems.append(
                    Problem(line, f"the link {a}-{b} names process {shown(missing)}, which is not there")
                )
                continue
            self.names.setdefault(a)
            self.names.setdefault(b)
            if a == b:
                self.selves += 1
                continue
            one_way = self.raw.directed if directed is None else directed
            if _true(attributes.get("both", "")):  # a link both ways, written as two
                one_way = False
                if (b, a) in made:
                    continue
            try:
                link = self._link(a, b, one_way, attributes)
            except BadInput as error:
                self.problems.append(Problem(line, error.what))
                continue
            back = made.get((b, a))
            if (a, b) in made or (back is not None and not (one_way and back.directed)):
                self.doubles += 1
            else:
                made[a, b] = link
        return list(made.values())

    def _link(self, a: str, b: str, directed: bool, attributes: Mapping[str, Any]) -> Link:
        own: dict[str, Any] = {}
        for key, value in attributes.items():
            if key == "delay":
                own[key] = as_distribution(_number(value))
            elif key == "class":
                own["klass"] = str(value)
            elif key == "order":
                own[key] = value
            elif key == "loss":
                own[key] = _number(value)
            elif key == "outages":
                try:
                    own[key] = tuple(tuple(pair) for pair in _literal(value))
                except TypeError:
                    raise BadInput(f"outages are pairs of times such as [[2, 5]], not {shown(value)}") from None
            elif key != "both":
                self._left(key)
        return Link(a, b, directed=directed, **own)

    def _left(self, key: str) -> None:
        if key.lower() not in _SILENT:
            self.unknown[key] += 1

    def parts(self) -> dict[str, Any]:
        """The fields of the network."""
        starting = [name for name in dict.fromkeys(self.starting) if name in self.names]
        return {
            **self.graph,
            **self.fields,
            "links": tuple(self.links),
            "initiators": tuple(starting),
            "positions": self.points,
            "steps": self.steps,
            "drifts": self.drifts,
        }

    def notes(self) -> list[str]:
        notes = []
        if self.selves:
            what = "a link" if self.selves == 1 else f"{self.selves:,} links"
            notes.append(f"{what} from a process to itself {'is' if self.selves == 1 else 'are'} left out")
        if self.doubles:
            what = "a further link" if self.doubles == 1 else f"{self.doubles:,} further links"
            notes.append(f"{what} between the same two processes {'is' if self.doubles == 1 else 'are'} left out")
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
        raise BadInput(f"{what} is a number, not {shown(value)}") from None
    if not math.isfinite(number):
        raise BadInput(f"{what} is a finite number, not {shown(value)}")
    return number


def _number(value: Any) -> Any:
    """A number where a text holds one; anything else as it is."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value.strip()
    return value


def _literal(value: Any) -> Any:
    """A list or a dictionary that was written as text."""
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise BadInput(f"cannot be understood: {shown(value)}") from None


def _true(value: Any) -> bool:
    return str(value).strip().lower() in ("true", "1", "yes")
