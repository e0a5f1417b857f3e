"""Channels: the values that an animation reads from the variables of each process, defined once for all readers.

A piece names its channels (``channels`` of :class:`~lydian.pieces.piece.Piece`). :class:`Asked` asks all processes at
one moment, :mod:`lydian.pieces.channelchanges` one process after every event; both get the same answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.animation import Animation
from lydian.pieces.piece import every
from lydian.pieces.watch import Watch
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Bools, Scene
from lydian.views.time.axis import remember
from lydian.views.words.expressions import grown, parameters_of
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text

__all__ = [
    "TEXTS_SHOWN",
    "Asked",
    "Channel",
    "Known",
    "Lookup",
    "asked_at",
    "measure",
    "occurring",
    "sample_lines",
    "sample_texts",
    "says_nothing",
    "scene_channels",
    "size_text",
    "used_variables",
]  # fmt: skip

T = TypeVar("T")

#: Up to this number of events from one moment to the next, only their processes are asked again.
NEAR = 1_024
#: With more processes than this there is no room for a text at each.
TEXTS_SHOWN = 250
#: The number of moments of a run at which its lines of text are measured.
SAMPLES = 33
_NOTHING: tuple[Any, ...] = (None, "", 0, False, [], {}, ())


class Lookup:
    """The processes that a value of a variable denotes.

    Args:
        codes: name of a process -> its number.
        ports: number of a process -> the numbers of its neighbours by port; empty unless the network is anonymous.
    """

    def __init__(self, codes: Mapping[str, int], ports: Mapping[int, Sequence[int]] | None = None) -> None:
        self.codes = codes
        self.ports = ports or {}

    def number(self, holder: int, value: Any) -> int:
        """Return the process that a value of ``holder`` names, or -1."""
        if isinstance(value, str):
            return self.codes.get(value, -1)
        if value is None or isinstance(value, bool | list | dict):
            return -1
        if self.ports and isinstance(value, int):
            ports = self.ports.get(holder, ())
            return ports[value] if 0 <= value < len(ports) else -1
        return self.codes.get(str(value), -1)

    def members(self, holder: int, value: Any) -> list[int]:
        """Return the processes that a set, a list or the values of a table name, in order, each once."""
        entries = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        found = dict.fromkeys(self.number(holder, entry) for entry in entries)
        found.pop(-1, None)
        return list(found)

    def chosen(self, holder: int, value: Any) -> list[int]:
        """Return the same, but for a table the keys whose value is true."""
        if not isinstance(value, dict):
            return self.members(holder, value)
        keys = [int(key) if self.ports and key.isdigit() else key for key, on in value.items() if on]
        return self.members(holder, keys)


@dataclass(frozen=True)
class Channel:
    """One value that is drawn for each process.

    Args:
        sort: what an answer is: a ``"process"`` (-1 for none), a ``"text"``, a ``"number"`` (NaN for none), or a
            ``"set"`` of processes as a tuple in order.
        part, index: which declaration it comes from: a field of the animation and the place in it.
        variables: what it reads.
        read: from the holder, the values of these variables, its state and whether it is crashed, to the answer.
        without: whether it says something though it reads no variable.
    """

    sort: Literal["process", "text", "number", "set"]
    part: str
    index: int
    variables: tuple[str, ...]
    read: Callable[[Lookup, int, Sequence[Any], str, bool], Any]
    without: bool = False

    @property
    def heard(self) -> bool:
        """True if the channel can give an answer."""
        return bool(self.variables) or self.without

    @property
    def rest(self) -> Any:
        """The answer for which nothing is drawn."""
        return {"process": -1, "text": "", "number": math.nan, "set": ()}[self.sort]


@dataclass(frozen=True)
class Known:
    """The data of a run that can be read.

    Args:
        animation: the animation that reads them.
        variables: the names of those that were recorded.
        parameters: of the run.
        types: variable -> its declared type, where the protocol says one.
    """

    animation: Animation
    variables: Collection[str]
    parameters: Mapping[str, Any]
    types: Mapping[str, str]


def _channels_of(known: Known, n: int) -> tuple[Channel, ...]:
    """Return the channels of an animation: the watched line, the badge, then those of its pieces in order.

    A channel that needs a variable which the run does not have, or a text where there are too many processes, stays
    silent but is included, so that indices do not change.
    """
    animation = known.animation
    watch = animation.watch if isinstance(animation.watch, Watch) else None
    texts = [value.variable for value in animation.values if value.style == "text"]
    words = tuple(dict.fromkeys([*(watch.variables if watch else ()), *texts]))
    there = tuple(word for word in words if word in known.variables)
    found = [
        Channel("text", "watch", 0, there, partial(_line, watch, texts, there, known.types)),
        Channel("text", "badge", 0, (animation.badge,) if animation.badge else (), _badge),
    ]
    for piece, number, declared in every(animation.pieces):
        found += piece.channels(known, number, declared) if piece.channels is not None else ()
    return tuple(_possible(channel, known.variables, n) for channel in found)


def _possible(channel: Channel, known: Collection[str], n: int) -> Channel:
    """Return the channel, or a silent one in its place."""
    crowded = channel.part in ("watch", "badge") and n > TEXTS_SHOWN
    empty = channel.part == "badge" and not channel.variables
    if crowded or empty or any(name not in known for name in channel.variables):
        rest = channel.rest
        return Channel(channel.sort, channel.part, channel.index, (), lambda *_asked: rest)
    return channel


def _line(
    watch: Watch | None, texts: list[str], words: tuple[str, ...], types: Mapping[str, str],
    look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool,
) -> str:  # fmt: skip
    if crashed:
        return ""
    table = {name: typed(value, types.get(name, "")) for name, value in zip(words, values, strict=False)}
    parts = [value_text(table[name]) for name in texts if table.get(name) not in (None, "", [], {}, ())]
    shown = watch is not None and all(name in table for name in watch.variables)
    if shown and watch is not None and (not watch.while_states or state in watch.while_states):
        parts.append(watch.line(table))
    return " · ".join(part for part in parts if part)


def _badge(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> str:
    return size_text(values[0])


def says_nothing(value: Any) -> bool:
    """Return True if a value is None, empty, 0 or false."""
    return value in _NOTHING


def measure(value: Any) -> float:
    """Return a number, or the size of a list or a table; NaN for anything else."""
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e300 else math.nan
    return float(len(value)) if isinstance(value, list | dict) else math.nan


def size_text(value: Any) -> str:
    """Return the size of a variable, or its number, for a badge; "" if it is empty."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return value_text(value) if abs(value) >= 1e300 else f"{value:g}" if value else ""
    return str(len(value)) if hasattr(value, "__len__") and len(value) else ""


def scene_channels(scene: Scene) -> tuple[Channel, ...]:
    """Return the channels of a run, or none if the animation draws none of its variables."""
    if not scene.animation_needs_variables:
        return ()
    run = scene.run
    types = read(run.trace.source).types
    return _channels_of(Known(scene.animation, frozenset(run.variable_names), parameters_of(run), types), run.n)


# ---------------------------------------------------------------------- one moment


@dataclass(frozen=True)
class Answered:
    """The answers at a moment of a run, also if it has grown since.

    Args:
        k: the number of events.
        n: the number of processes of the trace.
        names: the variables of the run.
        columns: the values of variables, for each process of the trace.
        given: the answers of channels, for each process of the trace.
    """

    k: int
    n: int
    names: tuple[str, ...]
    columns: dict[str, list[Any]]
    given: dict[tuple[str, int], list[Any]]


class Asked:
    """The channels of all processes after ``k`` events; a process is identified by its number in the network.

    Args:
        crashed: which processes of the trace are crashed.
        before: the answers at another moment, which stay for processes of which nothing has changed.
    """

    def __init__(
        self, scene: Scene, k: int, states: NDArray[np.int16], crashed: Bools, before: Answered | None = None
    ) -> None:
        run = scene.run
        self.scene, self.k = scene, k
        self.channels = scene_channels(scene)
        self._heard = {(each.part, each.index): each for each in self.channels if each.heard}
        self._look = Lookup(scene.network.index, scene.ports)
        self._run, self._k, self._n = run, k, scene.network.n
        self._states, self._crashed = states, crashed
        self._holders = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
        self._kept: dict[Hashable, Any] = {}
        #: The values of variables and the answers given, for each process of the trace.
        self._columns: dict[str, list[Any]] = {}
        self._given: dict[tuple[str, int], list[Any]] = {}
        #: The same at the moment before, and the processes for which they may differ now.
        self._known: tuple[dict[str, list[Any]], dict[tuple[str, int], list[Any]]] = {}, {}
        self._moved: list[int] = []
        same = before is not None and (before.n, before.names) == (run.n, run.variable_names)
        if before is not None and same and before.k <= run.length and abs(k - before.k) <= NEAR:
            rows = run.process[min(k, before.k) : max(k, before.k)]
            self._known, self._moved = (before.columns, before.given), np.unique(rows[rows >= 0]).tolist()

    def answered(self) -> Answered:
        """Return what is known at this moment."""
        return Answered(self.k, self._run.n, self._run.variable_names, self._columns, self._given)

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return a value that is constant between two events, computed on first use."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    def channel(self, part: str, index: int = 0) -> Channel | None:
        """Return the channel of a part, or None if there is none that can give an answer."""
        return self._heard.get((part, index))

    def _values(self, name: str) -> list[Any]:
        """Return the value of a variable at every process of the trace."""
        if name not in self._columns:
            known = self._known[0].get(name)
            if known is None:
                self._columns[name] = self._run.variable_at(name, self._k)
            else:
                self._columns[name] = known = known.copy()
                for p in self._moved:
                    known[p] = self._run.details.at(name, p, self._k)
        return self._columns[name]

    def answers(self, channel: Channel) -> dict[int, Any]:
        """Return the answer for each process that the network contains."""
        columns = [self._values(name) for name in channel.variables]
        key = channel.part, channel.index
        known = self._known[1].get(key)
        found: list[Any] = [None] * len(self._holders) if known is None else known.copy()
        for i in range(len(found)) if known is None else self._moved:
            if self._holders[i] >= 0:
                row, code = [column[i] for column in columns], int(self._states[i])
                state = self._run.states[code] if 0 <= code < len(self._run.states) else ""
                found[i] = channel.read(self._look, self._holders[i], row, state, bool(self._crashed[i]))
        self._given[key] = found
        return {p: answer for p, answer in zip(self._holders, found, strict=True) if p >= 0}

    def column(self, channel: Channel) -> list[Any]:
        """Return the answer for every process of the network."""
        answers = self.answers(channel)
        return [answers.get(p, channel.rest) for p in range(self._n)]

    def numbers(self, part: str, index: int = 0) -> NDArray[np.float64]:
        """Return the answers of a channel of numbers, or nothing if it is silent."""
        channel = self.channel(part, index)
        return np.array([] if channel is None else self.column(channel), dtype=np.float64)

    def texts(self, part: str) -> tuple[str, ...]:
        """Return the answers of a channel of texts, or nothing if it is silent."""
        channel = self.channel(part)
        return () if channel is None else tuple(self.column(channel))


def asked_at(scene: Scene, k: int, states: NDArray[np.int16], crashed: Bools) -> Asked:
    """Return the channels after ``k`` events; the same object until another moment is requested."""
    last: list[Asked] = remember(scene.run, ("channels", id(scene)), lambda: ([], scene))[0]
    if not last or last[0].k != k:
        kept = scene.run.handed_on
        network, animation, before = kept.get("channels", (None, None, None))
        same = network is scene.network and animation is scene.animation
        asked = Asked(scene, k, states, crashed, before if same else None)
        last[:] = [asked]
        if asked.channels:
            kept["channels"] = scene.network, scene.animation, asked.answered()
    return last[0]


# ---------------------------------------------------------------------- what the whole run says


def used_variables(scene: Scene) -> frozenset[str]:
    """Return the variables that are not empty at some time in the run, computed once."""
    return remember(scene.run, ("basic variables", id(scene)), lambda: (occurring(scene), scene))[0]


def sample_texts(scene: Scene) -> tuple[str, ...]:
    """Return the longest few lines of text below processes in the run, which determine the room that they need."""
    return tuple(sorted({"", *sample_lines(scene)}, key=len)[-8:])


def sample_lines(scene: Scene) -> tuple[str, ...]:
    """Return for each process the longest line of text below it at some moments of the run."""
    found: tuple[str, ...] = remember(scene.run, ("basic texts", id(scene)), lambda: (_sampled(scene), scene))[0]
    return found


def _sampled(scene: Scene) -> tuple[str, ...]:
    run = scene.run
    longest = [""] * scene.network.n
    for k in np.unique(np.linspace(0, run.length, SAMPLES).astype(int)).tolist():
        asked = Asked(scene, k, run.states_at(k), np.zeros(run.n, dtype=bool))
        for channel in asked.channels:
            if channel.part == "watch" and channel.variables:
                for process, text in asked.answers(channel).items():
                    longest[process] = max(longest[process], text, key=len)
    return tuple(longest)


def occurring(scene: Scene) -> frozenset[str]:
    """Return the variables that are not None, 0, false or empty at some time in the run."""
    run = scene.run
    wanted = frozenset(name for channel in scene_channels(scene) for name in channel.variables)
    seen = grown(run, ("occurring", wanted), lambda: _Occurring(run, wanted))
    return seen.grow(run)


class _Occurring:
    """The subset of some variables that are not empty at some time in a run that may continue."""

    def __init__(self, run: Timeline, wanted: frozenset[str]) -> None:
        self.length = 0
        self._found = {name for first in run.details.first for name, value in first.items() if value not in _NOTHING}
        self._wanted = {*wanted} - self._found

    def grow(self, run: Timeline) -> frozenset[str]:
        """Read the events since the last call, if any variable is still empty."""
        start, self.length = self.length, run.length
        for _, changed in run.details.walk(start, tuple(self._wanted)) if self._wanted and start < run.length else ():
            said = {name for name, value in changed.items() if value not in _NOTHING} & self._wanted
            self._found |= said
            self._wanted -= said
            if not self._wanted:
                break
        return frozenset(self._found)
