"""Bookmarks: times chosen by the user, and the faults and violations of a run."""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember
from lydian.views.words.words import Words, brief

__all__ = ["FAULTS", "Bookmark", "Bookmarks", "marks_of", "nearest"]

#: Kinds of event that are interventions from outside.
FAULTS = (Kind.CRASH, Kind.RECOVER, Kind.LINK_DOWN, Kind.LINK_UP, Kind.CORRUPT, Kind.INJECT)


@dataclass(frozen=True, order=True)
class Bookmark:
    """A named time: a bookmark of the user, a fault, a violated property, or the error that ended the run.

    ``broken`` is the name of the violated property.
    """

    time: float
    name: str
    kind: Literal["own", "fault", "violation", "error"] = "own"
    broken: str = ""


@dataclass(frozen=True)
class Bookmarks:
    """The user's bookmarks in ascending order of time, with distinct names. Each change returns a new object, so
    undoing is easy.

    Args:
        marks: in any order.

    Raises:
        BadInput: for two of one name, a name without letters, or a time that is not a number.
    """

    marks: tuple[Bookmark, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "marks", tuple(sorted(self.marks)))
        seen: set[str] = set()
        for mark in self.marks:
            if not math.isfinite(mark.time):
                raise BadInput(
                    tr(
                        "bookmark '{bookmark}' must be at a finite time from 0, not {time}",
                        bookmark=mark.name,
                        time=mark.time,
                    )
                )
            if not mark.name.strip():
                raise BadInput(tr("a bookmark must have a name"))
            if mark.name in seen:
                raise BadInput(tr("two bookmarks have the name '{bookmark}'", bookmark=mark.name))
            seen.add(mark.name)

    def __len__(self) -> int:
        return len(self.marks)

    def __contains__(self, name: object) -> bool:
        return any(mark.name == name for mark in self.marks)

    def get(self, name: str) -> Bookmark:
        """Return the bookmark of that name.

        Raises:
            BadInput: if there is none.
        """
        for mark in self.marks:
            if mark.name == name:
                return mark
        raise BadInput(tr("there is no bookmark '{bookmark}'", bookmark=name))

    def add(self, time: float, name: str | None = None) -> Bookmarks:
        """Return the bookmarks with one more; without a name it is called by the next free number."""
        if name is None:
            before, _, after = tr("Bookmark {number}", number="\0").partition("\0")
            pattern = re.escape(before) + r"(\d{1,9})" + re.escape(after)
            numbers = [int(m[1]) for mark in self.marks if (m := re.fullmatch(pattern, mark.name))]
            name = f"{before}{max(numbers, default=0) + 1}{after}"
        return Bookmarks((*self.marks, Bookmark(float(time), name.strip())))

    def move(self, name: str, time: float) -> Bookmarks:
        """Return the bookmarks with one at another time."""
        return self._with(name, replace(self.get(name), time=float(time)))

    def rename(self, name: str, new: str) -> Bookmarks:
        """Return the bookmarks with one renamed."""
        return self._with(name, replace(self.get(name), name=new.strip()))

    def delete(self, name: str) -> Bookmarks:
        """Return the bookmarks without one."""
        self.get(name)
        return Bookmarks(tuple(mark for mark in self.marks if mark.name != name))

    def _with(self, name: str, mark: Bookmark) -> Bookmarks:
        return Bookmarks(tuple(mark if old.name == name else old for old in self.marks))

    def to_list(self) -> list[dict[str, Any]]:
        """Return the bookmarks as plain values for a file."""
        return [{"time": mark.time, "name": mark.name} for mark in self.marks]

    @classmethod
    def from_list(cls, entries: Iterable[Any], file: str | None = None) -> Bookmarks:
        """Return the bookmarks from the values of :meth:`to_list`.

        Raises:
            BadInput: if it is not of that form.
        """
        marks = []
        for entry in entries:
            time, name = (entry.get("time"), entry.get("name")) if isinstance(entry, Mapping) else (None, None)
            if isinstance(time, bool) or not isinstance(time, int | float) or not isinstance(name, str):
                raise BadInput(tr("a bookmark must have a time and a name"), file=file)
            marks.append(Bookmark(float(time), name))
        return cls(tuple(marks))


def marks_of(timeline: Timeline, animation: Words | None = None) -> tuple[Bookmark, ...]:
    """Return the faults of a run, the first violation of each property, and the error that ended it, by time."""

    def make() -> tuple[tuple[Bookmark, ...], Words | None]:
        found = []
        # With mobility, links come and go all the time, which is not a fault.
        links = (Kind.LINK_DOWN, Kind.LINK_UP) if timeline.trace.experiment.get("mobility") else ()
        wanted = [kind for kind in (*FAULTS, Kind.ERROR) if kind not in links]
        for seq in np.flatnonzero(np.isin(timeline.kind, wanted)).tolist():
            process = int(timeline.process[seq])
            name = timeline.processes[process] if process >= 0 else ""
            kind: Literal["fault", "error"] = "error" if timeline.kind[seq] == Kind.ERROR else "fault"
            if timeline.kind[seq] in (Kind.LINK_DOWN, Kind.LINK_UP):
                what = _link(timeline, seq)
            else:
                what = brief(timeline, seq, animation)
                if name:  # A name is often a number and must not look like a count.
                    what = tr("process {process} {does}", process=name, does=what)
            found.append(Bookmark(float(timeline.time[seq]), what, kind))
        for check in timeline.trace.summary.get("checks") or ():
            at = check.get("at")
            if check.get("holds") is False:
                inside = isinstance(at, int) and 0 <= at < timeline.length
                when = float(timeline.time[at]) if inside else timeline.end
                broken = str(check.get("name", tr("a property")))
                found.append(Bookmark(when, tr("violated: {property}", property=broken), "violation", broken))
        return tuple(sorted(found)), animation

    return remember(timeline, ("marks", id(animation)), make)[0]


def _link(timeline: Timeline, seq: int) -> str:
    """Return the cut or the restoration of a link in words: ``link a to b goes down``."""
    first, second = (timeline.processes[int(ends[seq])] for ends in (timeline.process, timeline.peer))
    if timeline.kind[seq] == Kind.LINK_DOWN:
        text = tr("link {first} to {second} goes down", first=first, second=second)
    else:
        text = tr("link {first} to {second} comes up", first=first, second=second)
    one_way = (timeline.trace.detail(seq) or {}).get("one_way")
    return text + tr(", in this direction only") if one_way else text


def nearest(marks: tuple[Bookmark, ...], t: float, direction: int) -> Bookmark | None:
    """Return the first mark after t (1), or the last one before it (-1); ``marks`` are in ascending order."""
    if direction > 0:
        at = bisect.bisect_right(marks, t, key=_time)
        return marks[at] if at < len(marks) else None
    at = bisect.bisect_left(marks, t, key=_time)
    return marks[at - 1] if at else None


def _time(mark: Bookmark) -> float:
    return mark.time
