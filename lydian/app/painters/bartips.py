"""What the pointer is over among the bars, in words (rich text)."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from lydian.app.painters.axis import number_of
from lydian.views.frame import Hit
from lydian.views.time.occupation import CRASHED, OccupationFrame, parts
from lydian.views.words.words import brief

__all__ = ["BarHit", "bar_words"]

#: Parts told one by one.
_TOLD = 6


@dataclass(frozen=True)
class BarHit(Hit):
    """A process, and the part it plays at the place that was hit: its number among :func:`parts`, -1 for none."""

    part: int = -1


def bar_words(hit: Hit, frame: OccupationFrame) -> str:
    """What a process did when, in words (rich text)."""
    process = number_of(hit, "process")
    if process is None:
        return ""
    timeline, table = frame.timeline, parts(frame.timeline)
    if isinstance(hit, BarHit) and (frame.future or table.start[hit.part] <= frame.t):
        return _one(frame, hit.part)
    place = slice(int(table.first[process]), int(table.first[process + 1]))
    start, stop, state = table.start[place], table.stop[place], table.state[place]
    head = f"<b>Process {escape(timeline.processes[process])}</b>"
    if not len(start) or (start[0] > frame.t and not frame.future):
        return f"{head}<br>nothing has happened to it"
    last = len(start) if frame.future else int(np.searchsorted(start, frame.t, side="right"))
    current = int(np.searchsorted(start, frame.t, side="right")) - 1
    first = max(0, min(current - _TOLD // 2, last - _TOLD))
    told = [
        _told(frame, float(start[i]), float(stop[i]), int(state[i]), i == current)
        for i in range(first, min(last, first + _TOLD))
    ]
    if first:
        told.insert(0, f"… {first} before")
    if last > first + _TOLD:
        told.append(f"… {last - first - _TOLD} more")
    return "<br>".join([head, *told, *_totals(frame, process)])


def _one(frame: OccupationFrame, part: int) -> str:
    """One part of a bar: state, from, to, length, the event it began with, and the totals if they are shown."""
    timeline, table = frame.timeline, parts(frame.timeline)
    process, event = int(table.process[part]), int(table.event[part])
    state = int(table.state[part])
    kind = "crashed" if state == CRASHED else "waits for others" if frame.scene.blocked[state] else ""
    lines = [
        f"<b>Process {escape(timeline.processes[process])}</b>" + (f", {kind}" if kind else ""),
        _told(frame, float(table.start[part]), float(table.stop[part]), state, True),
        f"since it {escape(brief(timeline, event, frame.scene.animation))}",
    ]
    return "<br>".join([*lines, *_totals(frame, process)])


def _totals(frame: OccupationFrame, process: int) -> list[str]:
    """Time and share of each state so far, and of work, if the column is shown."""
    if not frame.column or frame.totals is None:
        return []
    spent = frame.totals[process]
    whole = float(spent.sum())
    if whole <= 0:
        return []
    told = [
        f"{escape(frame.words[state])} {spent[state]:.2f} in all, {100 * spent[state] / whole:.0f} %"
        for state in np.argsort(-spent).tolist()
        if spent[state] > 0
    ]
    if frame.busy is not None:
        told.append(f"at work {frame.busy[process]:.2f} in all, {100 * min(1.0, frame.busy[process] / whole):.0f} %")
    return told


def _told(frame: OccupationFrame, start: float, stop: float, state: int, now: bool) -> str:
    word = escape("crashed" if state == CRASHED else frame.words[state])
    text = f"{word} {start:.2f} to {stop:.2f} ({stop - start:.2f})" if stop > start else f"{word} at {start:.2f}"
    return f"<b>{text}</b>" if now else text
