"""The marks on the time line: what they mark, where their labels fit, how they are drawn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from lydian.app.look.theme import Theme
from lydian.app.panels.timeline.transport import time_text
from lydian.desk.playhead import Playhead
from lydian.language import tr, trn
from lydian.views.playback.until import Watch

__all__ = ["TRACK", "Mark", "about", "draw", "draw_all", "labels", "marks_of", "places", "words_of"]

#: The height of the track of marks, and half the width of a sign on it.
TRACK, HALF = 17, 5.0
#: Half the width of the play head's handle; the maximum and minimum width of a label in pixels.
HANDLE, LONGEST, SHORTEST = 8.0, 190.0, 40.0
#: The maximum number of marks drawn for one breakpoint, and for all faults.
MOST = 200
_INKS = {
    "fault": "fault.base", "check": "check.violated", "own": "accent.base", "stop": "fault.base",
    "fork": "compare.base",
}  # fmt: skip
#: The kinds in the order in which their labels get the available room.
ORDER = {"check": 0, "own": 1, "fault": 2, "stop": 3, "fork": 4}


@dataclass(frozen=True)
class Mark:
    """A mark on the time line.

    ``sign`` is ``"fault"``, ``"check"`` (violated, or an error), ``"own"`` for a bookmark, ``"stop"`` for a breakpoint,
    or ``"fork"`` where another run (``branch``) branches off. ``more`` counts the others with this sign at this moment,
    which share its label; these have -1.
    """

    time: float
    sign: str
    text: str
    branch: int = -1
    more: int = 0


def marks_of(head: Playhead) -> list[Mark]:
    """Return the marks of the play head's run and its enabled breakpoints, by rising time."""
    signs = {"own": "own", "fault": "fault", "violation": "check", "error": "check"}
    found = [Mark(mark.time, signs[mark.kind], mark.broken or mark.name) for mark in head.marks]
    faults = [mark for mark in found if mark.sign == "fault"]
    kept = set(faults[:MOST])
    found = [mark for mark in found if mark.sign != "fault" or mark in kept]
    for stop in head.stops:
        if not stop.enabled or head.timeline is None:
            continue
        if stop.time is not None:
            times = [stop.time] if stop.time <= head.end else []
        elif isinstance(stop.condition, Watch):
            hits = stop.condition.breakpoint.hits(head.timeline, stop.condition.animation)
            times = head.timeline.time[hits[:MOST]].tolist()
        else:
            times = []
        found += [Mark(time, "stop", stop.words) for time in times]
    return _together(sorted(found, key=lambda mark: (mark.time, mark.sign, mark.text)))


def _together(marks: Sequence[Mark]) -> list[Mark]:
    """Return sorted marks, of which those with the same sign at the same moment share one label."""
    found: list[Mark] = []
    for _, several in groupby(marks, key=lambda mark: (mark.time, mark.sign)):
        first, *others = several
        found += [replace(first, more=len(others)), *(replace(other, more=-1) for other in others)]
    return found


def labels(
    marks: Sequence[Mark], place: Callable[[float], float], width: float, wide: Callable[[str], float], handle: float
) -> list[tuple[int, float, float]]:
    """Return which marks have a label: index, left end, width.

    No label touches another label, a sign or the play head's handle at ``handle``, or exceeds the width. A label is to
    the right of its sign, or else to its left; it may be shortened.
    """
    taken = [(x - HALF - 1, x + HALF + 3) for x in places(marks, place)]
    taken.append((handle - HANDLE, handle + HANDLE))
    found = []
    said: set[tuple[str, str]] = set()
    for index in sorted(range(len(marks)), key=lambda i: (ORDER[marks[i].sign], marks[i].time)):
        mark, x = marks[index], place(marks[index].time)
        named = mark.more < 0 or (mark.sign == "stop" and (mark.sign, mark.text) in said)
        if not mark.text or mark.sign == "fork" or named:
            continue
        need = min(wide(words_of(mark)), LONGEST)
        least = min(need, max(SHORTEST, need * 0.5))
        right = x + HALF + 4
        ends = [low for low, high in taken if high > right]
        room = min([width, *(low - 3 for low in ends)]) - right
        if any(low < right < high for low, high in taken):
            room = 0.0
        left = x - HALF - 3
        before = [high for low, high in taken if low < left]
        space = left - max([0.0, *(high + 3 for high in before)])
        if room >= least:
            start, room = right, min(room, need)
        elif space >= least:
            room = min(space, need)
            start = left - room
        else:
            continue
        found.append((index, start, room))
        taken.append((start, start + room))
        said.add((mark.sign, mark.text))
    return found


def words_of(mark: Mark) -> str:
    """Return the label of a mark, with the time of a fault; the label of several marks begins with their number."""
    if mark.more > 0:
        several = _several(mark.sign, mark.more + 1)
        if mark.sign == "fault":
            return tr("{faults} at {time:.4g}: {fault}", faults=several, time=mark.time, fault=mark.text)
        return f"{several}: {mark.text}"
    return tr("{fault} at {time:.4g}", fault=mark.text, time=mark.time) if mark.sign == "fault" else mark.text


def _several(sign: str, count: int) -> str:
    """Return the number and the name of several marks with the same sign."""
    match sign:
        case "check":
            return trn("{count} failure", "{count} failures", count)
        case "own":
            return trn("{count} bookmark", "{count} bookmarks", count)
        case "fault":
            return trn("{count} fault", "{count} faults", count)
        case "stop":
            return trn("{count} breakpoint", "{count} breakpoints", count)
        case _:
            return trn("{count} run", "{count} runs", count)


def places(marks: Sequence[Mark], place: Callable[[float], float]) -> list[float]:
    """Return the place of each mark's sign; a fork makes room for the event at its moment that caused it."""
    found = [place(mark.time) for mark in marks]
    others = sorted(x for mark, x in zip(marks, found, strict=True) if mark.sign != "fork")
    for index, mark in enumerate(marks):
        if mark.sign == "fork":
            near = bisect_left(others, found[index] - 2 * HALF)
            if near < len(others) and others[near] < found[index] + 2 * HALF:
                found[index] = others[near] - 2 * HALF - 4
    return found


def about(mark: Mark, end: float) -> str:
    """Return the tooltip of a mark."""
    when = time_text(mark.time, end)
    if mark.sign == "own":
        return tr(
            "Bookmark {name!r} at {time}: drag moves it, double click or F2 renames it, Del deletes it",
            name=mark.text,
            time=when,
        )
    if mark.sign == "stop":
        return tr("Breakpoint at {time}: {condition}", time=when, condition=mark.text)
    if mark.sign == "fork":
        return tr("{run}, at {time}; click to go there", run=mark.text, time=when)
    if mark.sign == "check":
        return tr("Violated or failed at {time}: {property}", time=when, property=mark.text)
    return tr("Fault at {time}: {fault}", time=when, fault=mark.text)


def draw_all(
    p: QPainter,
    theme: Theme,
    marks: Sequence[Mark],
    place: Callable[[float], float],
    words: Sequence[tuple[int, float, float]],
    chosen: str = "",
) -> None:
    """Draw the signs of all marks, and the labels in ``words`` for which :func:`labels` found room."""
    p.setFont(theme.font("caption", semibold=True))
    for mark, x in zip(marks, places(marks, place), strict=True):
        draw(p, theme, mark, x, mark.sign == "own" and mark.text == chosen)
    for index, left, room in words:
        p.setPen(theme.color(_INKS[marks[index].sign]))
        text = p.fontMetrics().elidedText(words_of(marks[index]), Qt.TextElideMode.ElideRight, int(room) + 1)
        p.drawText(QPointF(left, TRACK / 2 + 4.5), text)


def draw(p: QPainter, theme: Theme, mark: Mark, x: float, chosen: bool = False) -> None:
    """Draw the sign of a mark at a horizontal position."""
    ink, y = theme.color(_INKS[mark.sign]), TRACK / 2
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    p.setPen(QPen(ink, 2))
    p.setBrush(Qt.BrushStyle.NoBrush)
    if mark.sign == "fault":
        bolt = ((1.5, -6.0), (-3.0, 1.0), (2.0, 0.5), (-1.5, 6.0))
        p.drawPolyline([QPointF(x + dx, y + dy) for dx, dy in bolt])
    elif mark.sign == "own":
        p.setBrush(ink)
        p.drawPolygon(QPolygonF([QPointF(x, y - 5), QPointF(x + 7, y - 1.5), QPointF(x, y + 2)]))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawLine(QPointF(x, y - 5), QPointF(x, TRACK - 2))
        if chosen:
            p.setPen(QPen(theme.color("accent.ring"), 1.5))
            p.drawRoundedRect(QRectF(x - 4, 0.75, 14, TRACK - 1.5), 3, 3)
    elif mark.sign == "stop":
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink)
        p.drawEllipse(QPointF(x, y), HALF, HALF)
        p.fillRect(QRectF(x - 3, y - 1, 6, 2), theme.color("surface.panel"))
        p.setBrush(Qt.BrushStyle.NoBrush)
    elif mark.sign == "fork":
        p.drawLine(QPointF(x - 6, y - 3), QPointF(x + 6, y - 3))
        p.drawPolyline([QPointF(x - 4, y - 3), QPointF(x, y - 1), QPointF(x + 2, y + 4), QPointF(x + 6, y + 4)])
    else:
        p.drawLine(QPointF(x - 3.5, y - 3.5), QPointF(x + 3.5, y + 3.5))
        p.drawLine(QPointF(x - 3.5, y + 3.5), QPointF(x + 3.5, y - 3.5))
    p.setPen(QPen(ink, 1))
