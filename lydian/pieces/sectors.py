"""Sectors and flags of the circle on which processes stand: what processes answer for, and points such as keys.

What the processes tell changes with events only.  It is found once for a run, kept once for equal values, and grows
with the run; an end that is the name of a process is looked up where the processes stand.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.model.lang.expression import Expression, expression
from lydian.pieces.looks import Flags, Sector
from lydian.pieces.placing import Standing
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Floats, Ints, Scene
from lydian.views.time.axis import remember
from lydian.views.words.expressions import History, grown, missing_in

__all__ = [
    "FlagFrame", "SectorFrame", "Told", "flags_at", "flags_in", "flags_told", "occurring_pieces", "sectors_at",
    "sectors_told", "span_of", "spans_in",
]  # fmt: skip

#: An end of a sector: a number, or the name of a process that stands there.
End = float | str
#: Sectors shorter than this are nothing.
LEAST = 1e-9
#: So many flags of one kind are drawn at a moment.
MOST_FLAGS = 200
#: On a flag is room for so many characters.
LONGEST_TEXT = 7

_LISTS = (list, tuple, set, frozenset, range)


@dataclass(frozen=True, eq=False)
class SectorFrame:
    """The sectors of one declaration at a moment, by process: where each begins (0 to 1) and how long it is (to 1)."""

    declared: Sector
    number: int
    process: Ints
    start: Floats
    length: Floats

    def around(self, at: float) -> list[int]:
        """Which of them contain a number, as places in the arrays."""
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
    """The sectors in what an expression gives with its width, ``(what, width)``: from, to, and how far beyond both."""
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
    """Where a sector begins, from 0 to 1, and how long it is: clockwise from the first number to the second.

    Equal numbers are nothing, and numbers a whole turn apart or more are the whole circle.
    """
    if not (math.isfinite(start) and math.isfinite(stop)):
        return 0.0, 0.0
    way = stop - start
    long = 1.0 if way >= 1.0 - LEAST else way % 1.0
    return start % 1.0 % 1.0, 0.0 if long < LEAST or (way < 0 and 1.0 - long < LEAST) else long


def flags_in(value: Any) -> tuple[tuple[float, str], ...]:
    """The flags in what an expression gives: number and text, empty for none."""
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
    """What an expression gives at the processes of a run: equal things are kept once, changes by process.

    Attributes:
        length: so many events have been looked at.
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
        except (TypeError, ValueError, OverflowError):  # a value may be of any type
            thing = ()
        if thing not in self._codes:
            self._codes[thing] = len(self.things)
            self.things.append(thing)
        return float(self._codes[thing])

    def grow(self, run: Timeline) -> None:
        """Look at the events that came since the last time."""
        if self.length == run.length:
            return
        for seq, p, code in zip(*(column.tolist() for column in self._history.more(run)), strict=True):
            thing = 0 if code != code else int(code)  # NaN: it is crashed
            if thing != self._told[p][-1]:
                self._seqs[p].append(seq)
                self._told[p].append(thing)
                self._rows.append((seq, p, thing))

    def at(self, k: int) -> tuple[int, ...]:
        """What each process of the run tells after ``k`` events, as numbers of :attr:`things`."""
        return tuple(told[bisect_left(seqs, k)] for seqs, told in zip(self._seqs, self._told, strict=True))

    def changes(self) -> Iterator[tuple[int, int, tuple[Any, ...]]]:
        """All changes in order: event (-1 for the beginning), process, what is told from then on."""
        for p, told in enumerate(self._told):
            if told[0]:
                yield -1, p, self.things[told[0]]
        for seq, p, thing in self._rows:
            yield seq, p, self.things[thing]


def sectors_told(scene: Scene, sector: Sector) -> Told | None:
    """What the processes of a run tell of sectors; None if it lacks what the expression asks for."""
    return _told(scene, sector, sector.asked, spans_in)


def flags_told(scene: Scene, flags: Flags) -> Told | None:
    """What they tell of flags; None as for :func:`sectors_told`."""
    return _told(scene, flags, flags.at, flags_in)


def _told(scene: Scene, declared: Any, text: str, meaning: Callable[[Any], tuple[Any, ...]]) -> Told | None:
    run, wanted = scene.run, expression(text)
    if missing_in(run, wanted):
        return None
    told = grown(run, ("told", declared), lambda: Told(run, wanted, meaning))
    told.grow(run)
    return told


# ---------------------------------------------------------------------- a moment


def sectors_at(scene: Scene, k: int, standing: Standing | None) -> tuple[SectorFrame, ...]:
    """The sectors after ``k`` events; the same object as long as they and the places of processes stay the same."""
    return _at(scene, k, standing, "sectors", _sectors)


def flags_at(scene: Scene, k: int, standing: Standing | None) -> tuple[FlagFrame, ...]:
    """The flags after ``k`` events; the same object as long as they stay the same."""
    return _at(scene, k, standing, "flags", _flags)


def _asked(scene: Scene, part: str) -> tuple[list[Told | None], dict[str, Any]]:
    """What the processes tell for each declaration, asked once for a run; and the last answer for a moment."""
    ask: Any = sectors_told if part == "sectors" else flags_told
    declared = getattr(scene.animation, part)

    def make() -> tuple[list[Told | None], dict[str, Any], Scene]:  # it is kept, so that its id stays its own
        return [ask(scene, each) for each in declared], {}, scene

    told, last, _ = remember(scene.run, (part, id(scene)), make)
    return told, last


def _at(scene: Scene, k: int, standing: Standing | None, part: str, make: Any) -> tuple[Any, ...]:
    declared = getattr(scene.animation, part)
    if not declared or standing is None or scene.timeline is None:
        return ()
    told, last = _asked(scene, part)
    if last.get("moment") != (k, standing.settled):
        key = standing.settled, *(() if each is None else each.at(k) for each in told)
        if last.get("key") != key:
            found: list[Any] = [
                make(scene, number, each, each_told.things, codes, standing)
                for number, (each, each_told, codes) in enumerate(zip(declared, told, key[1:], strict=True))
                if each_told is not None
            ]
            last.update(key=key, found=tuple(found))
        last["moment"] = k, standing.settled
    return last["found"]  # type: ignore[no-any-return]


def _sectors(
    scene: Scene, number: int, declared: Sector, things: list[Any], codes: tuple[int, ...], standing: Standing
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
    return SectorFrame(declared, number, table[:, 0].astype(np.int32), table[:, 1], table[:, 2])


def _flags(
    scene: Scene, number: int, declared: Flags, things: list[Any], codes: tuple[int, ...], standing: Standing
) -> FlagFrame:
    found = sorted({flag for code in set(codes) for flag in things[code]})
    shown = found[:MOST_FLAGS]
    return FlagFrame(declared, number, tuple(x for x, _ in shown), tuple(t for _, t in shown), len(found) - len(shown))


def occurring_pieces(scene: Scene, part: str) -> list[int]:
    """Which of the declared ``"sectors"`` or ``"flags"`` there ever are in the run, by their numbers."""
    if not getattr(scene.animation, part):
        return []
    told, _ = _asked(scene, part)
    return [number for number, each in enumerate(told) if each is not None and len(each.things) > 1]
