"""Sectors and flags of the circle of processes: intervals for which processes are responsible, and points such as keys.

They change only with events. They are computed once for a run, shared among equal values, and grow with the run; an end
that is the name of a process is looked up among the positions of processes.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.language import tr, trc
from lydian.model.lang.expression import Expression, expression
from lydian.pieces.checks import expression_is_right, one_of, share_is_right, slot_is_right
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.pieces.places import Standing, moves_of
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Floats, Ints, Scene
from lydian.views.time.axis import remember
from lydian.views.words.expressions import History, grown, missing_in

__all__ = [
    "FlagFrame", "Flags", "Sector", "SectorFrame", "Told", "flags_in", "flags_told", "sectors_told", "span_of",
    "spans_in",
]  # fmt: skip

#: An end of a sector: a number, or the name of a process whose position it is.
End = float | str
#: Sectors shorter than this are left out.
LEAST = 1e-9
#: The largest number of flags of one kind that are drawn at a moment.
MOST_FLAGS = 200
#: The number of characters for which a flag has room.
LONGEST_TEXT = 7

_LISTS = (list, tuple, set, frozenset, range)

#: How a sector is drawn: a pale segment of the ring, a band on the circle, a hatched segment, a pale one that is
#: crossed out.
SECTORS = ("shaded", "arc", "hatched", "struck")


@dataclass(frozen=True)
class Sector:
    """A part of the circle of :class:`Places` for which a process is responsible: an interval of identifiers, an arc of
    keys.

    Args:
        at: an expression over the variables of a process, its parameters, ``state`` and ``me``: a pair of ends,
            clockwise from the first to the second, or a list of such pairs, or, with a width, a number or a list of
            numbers, the middles of the sectors. An end is a number as in :class:`Places`, or the name of a process,
            which means where that one stands. A pair of equal ends is nothing, ``[0, 1]`` the whole circle. Where it
            is None or cannot be worked out, and while the process is crashed, there is no sector.
        style: one of :data:`SECTORS`; ``"struck"`` is for what was given up.
        slot: the state whose colour the sector has; None: that of the state of its process.
        width: how wide the sectors around single numbers are, as a number or an expression such as ``"1 / entries"``.
        word: what the legend calls it.
    """

    at: str
    style: str = "shaded"
    slot: int | None = None
    width: float | str = 0
    word: str = ""

    def __post_init__(self) -> None:
        one_of("a sector", "style", self.style, SECTORS)
        expression_is_right("at", self.at)
        if self.slot is not None:
            slot_is_right("a sector", self.slot)
        if isinstance(self.width, str):
            expression_is_right("width", self.width)
        else:
            share_is_right("width", self.width, 0, 1)
        expression_is_right("at with its width", self.asked)

    @property
    def asked(self) -> str:
        """The expression for both, ``(at, width)``; each is on lines of its own, for it may end with a comment."""
        return f"((\n{self.at}\n), (\n{self.width or 0}\n))"


@dataclass(frozen=True)
class Flags:
    """Small flags at points of the circle of :class:`Places`, such as keys; equal flags of several processes are drawn
    once.

    Args:
        at: an expression as in :class:`Sector`: a number or a list of numbers from 0 to 1, or of pairs
            ``[number, text]``, or a table from texts to numbers; a flag has room for about six
            characters. Crashed processes have none.
        slot: the state whose colour the flags have.
        word: what the legend calls them.
    """

    at: str
    slot: int = 5
    word: str = ""

    def __post_init__(self) -> None:
        expression_is_right("at", self.at)
        slot_is_right("flags", self.slot)


@dataclass(frozen=True, eq=False)
class SectorFrame:
    """The sectors of one declaration at a moment, by process: where each begins (0 to 1) and its length (to 1)."""

    declared: Sector
    number: int
    process: Ints
    start: Floats
    length: Floats

    def around(self, at: float) -> list[int]:
        """Return which sectors contain a number, as indices of the arrays."""
        return np.flatnonzero((at - self.start) % 1.0 <= self.length).tolist()


@dataclass(frozen=True, eq=False)
class FlagFrame:
    """The flags of one declaration at a moment, clockwise, each once; ``more`` of them are not drawn."""

    declared: Flags
    number: int
    at: tuple[float, ...]
    texts: tuple[str, ...]
    more: int = 0


# ---------------------------------------------------------------------- what a value means


def _end(value: Any) -> bool:
    if isinstance(value, str):
        return bool(value)
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _number(value: Any) -> bool:
    return _end(value) and not isinstance(value, str)


def _pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_end, value))


def spans_in(value: Any) -> tuple[tuple[End, End, float], ...]:
    """Return the sectors in the value of an expression with its width, ``(what, width)``: from, to, and how far beyond
    both.
    """
    if not isinstance(value, tuple):
        return ()
    what: Any = value[0]
    wide: Any = value[1]
    half: float = wide / 2 if _number(wide) and wide > 0 else 0.0
    if (_pair(what) and not half) or _end(what):
        what = [what]
    found: set[tuple[End, End, float]] = set()
    some: Any = what if isinstance(what, _LISTS) else ()
    for each in some:
        if _pair(each):
            found.add((each[0], each[1], 0.0))
        elif half and _end(each):
            found.add((each, each, half))
    return tuple(sorted(found, key=repr))


def span_of(start: float, stop: float) -> tuple[float, float]:
    """Return where a sector begins, from 0 to 1, and how long it is: clockwise from the first number to the second.

    Equal numbers are nothing, and numbers a whole turn apart or more are the whole circle.
    """
    if not (math.isfinite(start) and math.isfinite(stop)):
        return 0.0, 0.0
    way = stop - start
    long = 1.0 if way >= 1.0 - LEAST else way % 1.0
    return start % 1.0 % 1.0, 0.0 if long < LEAST or (way < 0 and 1.0 - long < LEAST) else long


def flags_in(value: Any) -> tuple[tuple[float, str], ...]:
    """Return the flags in the value of an expression: number and text, "" for none."""
    if isinstance(value, dict):
        value = [(number, text) for text, number in value.items()]
    elif _number(value) or (_pair(value) and isinstance(value[1], str)):
        value = [value]
    found: set[tuple[float, str]] = set()
    for each in value if isinstance(value, _LISTS) else ():
        if _number(each):
            found.add((each % 1.0 % 1.0, ""))
        elif isinstance(each, list | tuple) and len(each) == 2 and _number(each[0]):
            found.add((each[0] % 1.0 % 1.0, "" if each[1] is None else str(each[1])[:LONGEST_TEXT]))
    return tuple(sorted(found))


# ---------------------------------------------------------------------- what is told in a run


class Told:
    """The values of an expression at the processes of a run: equal values are kept once, changes by process.

    Attributes:
        length: the number of events that have been read.
        things: all that is ever told; the first is nothing.
    """

    def __init__(self, run: Timeline, wanted: Expression, meaning: Callable[[Any], tuple[Any, ...]]) -> None:
        self.things: list[tuple[Any, ...]] = [()]
        self._codes: dict[tuple[Any, ...], int] = {(): 0}
        self._meaning = meaning
        self._history = History(run, wanted, self._code, dead=False)
        self._seqs: list[list[int]] = [[] for _ in range(run.n)]
        self._told: list[list[int]] = [[int(code)] for code in self._history.start.tolist()]
        self._rows: list[tuple[int, int, int]] = []

    @property
    def length(self) -> int:
        return self._history.length

    def _code(self, value: Any) -> float:
        try:
            thing = self._meaning(value)
        except (TypeError, ValueError, OverflowError):  # A value may be of any type.
            thing = ()
        if thing not in self._codes:
            self._codes[thing] = len(self.things)
            self.things.append(thing)
        return float(self._codes[thing])

    def grow(self, run: Timeline) -> None:
        """Read the events since the last call."""
        if self.length == run.length:
            return
        for seq, p, code in zip(*(column.tolist() for column in self._history.more(run)), strict=True):
            thing = 0 if code != code else int(code)  # NaN means that it is crashed.
            if thing != self._told[p][-1]:
                self._seqs[p].append(seq)
                self._told[p].append(thing)
                self._rows.append((seq, p, thing))

    def at(self, k: int) -> tuple[int, ...]:
        """Return the values of the processes of the run after ``k`` events, as indices of :attr:`things`."""
        return tuple(told[bisect_left(seqs, k)] for seqs, told in zip(self._seqs, self._told, strict=True))

    def changes(self) -> Iterator[tuple[int, int, tuple[Any, ...]]]:
        """Yield all changes in order: event (-1 for the start), process, value from then on."""
        for p, told in enumerate(self._told):
            if told[0]:
                yield -1, p, self.things[told[0]]
        for seq, p, thing in self._rows:
            yield seq, p, self.things[thing]


def sectors_told(scene: Scene, sector: Sector) -> Told | None:
    """Return the sectors of the processes of a run, or None if it lacks a variable of the expression."""
    return _told(scene, sector, sector.asked, spans_in)


def flags_told(scene: Scene, flags: Flags) -> Told | None:
    """Return the flags of the processes of a run, or None as for :func:`sectors_told`."""
    return _told(scene, flags, flags.at, flags_in)


def _told(scene: Scene, declared: Any, text: str, meaning: Callable[[Any], tuple[Any, ...]]) -> Told | None:
    run, wanted = scene.run, expression(text)
    if missing_in(run, wanted):
        return None
    told = grown(run, ("told", declared), lambda: Told(run, wanted, meaning))
    told.grow(run)
    return told


# ---------------------------------------------------------------------- a moment


def _at(now: Moment, declared: Any, told: Told | None, make: Any) -> Any:
    """Return the sectors or flags of one declaration; the same object as long as they and the places stay the same."""
    scene, standing = now.scene, now.standing
    if told is None or standing is None:
        return None
    last: list[Any] = remember(scene.run, ("told at", declared, id(scene)), lambda: ([None, None, None], scene))[0]
    if last[0] != (now.k, standing.settled):
        key = standing.settled, told.at(now.k)
        if last[1] != key:
            last[1:] = key, make(scene, declared, told.things, key[1], standing)
        last[0] = now.k, standing.settled
    return last[2]


def _sectors_at(now: Moment, declared: Sector) -> SectorFrame | None:
    return _at(now, declared, sectors_told(now.scene, declared), _sectors)  # type: ignore[no-any-return]


def _flags_at(now: Moment, declared: Flags) -> FlagFrame | None:
    return _at(now, declared, flags_told(now.scene, declared), _flags)  # type: ignore[no-any-return]


def _sectors(
    scene: Scene, declared: Sector, things: list[Any], codes: tuple[int, ...], standing: Standing
) -> SectorFrame:
    place = range(scene.run.n) if scene.renumber is None else scene.renumber.tolist()
    index, at = scene.network.index, standing.at.tolist()

    def where(end: End) -> float:
        return at[index[end]] if isinstance(end, str) and end in index else math.nan if isinstance(end, str) else end

    rows = []
    for p, code in enumerate(codes):
        for first, last, half in things[code] if code and place[p] >= 0 else ():
            start, long = span_of(where(first) - half, where(last) + half)
            if long > 0:
                rows.append((place[p], start, long))
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    number = scene.animation.sectors.index(declared)
    return SectorFrame(declared, number, table[:, 0].astype(np.int32), table[:, 1], table[:, 2])


def _flags(scene: Scene, declared: Flags, things: list[Any], codes: tuple[int, ...], standing: Standing) -> FlagFrame:
    found = sorted({flag for code in set(codes) for flag in things[code]})
    shown = found[:MOST_FLAGS]
    number = scene.animation.flags.index(declared)
    return FlagFrame(declared, number, tuple(x for x, _ in shown), tuple(t for _, t in shown), len(found) - len(shown))


# ---------------------------------------------------------------------- legend and page


def _legend(told: Told | None, sign: str, number: int, word: str) -> Iterator[LegendItem]:
    if told is not None and len(told.things) > 1:
        yield LegendItem.plain(sign, number, word)


def _sector_legend(seen: Occurring, number: int, declared: Sector) -> Iterator[LegendItem]:
    return _legend(sectors_told(seen.scene, declared), "sector", number, declared.word or tr("is responsible for"))


def _flag_legend(seen: Occurring, number: int, declared: Flags) -> Iterator[LegendItem]:
    return _legend(flags_told(seen.scene, declared), "flag", number, declared.word or trc("of a table", "key"))


def _changes(tell: Teller, told: Told | None) -> dict[str, Any]:
    """Return the values as texts of JSON, change by change; nothing in a run that lacks a variable."""
    if told is None:
        return {"at": [], "process": [], "text": []}
    scene, codes = tell.scene, tell.codes
    place = range(scene.run.n) if scene.renumber is None else scene.renumber.tolist()
    rows = [(at, codes[place[p]], tell.text(json.dumps(thing))) for at, p, thing in told.changes() if place[p] >= 0]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return {name: tell.column(table[:, i]) for i, name in enumerate(("at", "process", "text"))}


def sector_page(tell: Teller, declared: Sector) -> dict[str, Any] | None:
    """Return the changes of the sectors of processes."""
    if moves_of(tell.scene) is None:
        return None
    told = sectors_told(tell.scene, declared)
    return {"style": declared.style, "slot": declared.slot, **_changes(tell, told)}


def flag_page(tell: Teller, declared: Flags) -> dict[str, Any] | None:
    """Return the changes of the flags of processes."""
    if moves_of(tell.scene) is None:
        return None
    return {"slot": declared.slot, **_changes(tell, flags_told(tell.scene, declared))}


_NEEDS = ("places", "sectors and flags are drawn on the circle of places")
register(Piece("sector", Sector, "sectors", None, needs=_NEEDS, at=_sectors_at, nothing=(), legend=_sector_legend,
               wide=("sector",), page=sector_page, order=40,
               painter="lydian.app.painters.pieces.sectors.SectorPainter", script="player.sectors.js"))  # fmt: skip
register(Piece("flag", Flags, "flags", None, needs=_NEEDS, at=_flags_at, nothing=(), legend=_flag_legend,
               page=flag_page, order=50,
               painter="lydian.app.painters.pieces.sectors.FlagPainter", script="player.flags.js"))  # fmt: skip
