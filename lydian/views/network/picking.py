"""The effect of a click on the selection."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from lydian.views.selection import NOTHING, Hit, Selection

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["picked"]

Thing = TypeVar("Thing")


def picked(timeline: Timeline | None, now: Selection, hit: Hit | None, *, add: bool = False) -> Selection:
    """Return the selection after a click on ``hit`` when the selection was ``now``.

    ``add`` adds to the selection, or removes what is already in it. An event also selects its process and its message;
    a click on nothing clears the selection, unless adding.
    """
    if hit is None:
        return now if add else NOTHING
    wanted = _selection_of(timeline, hit)
    if not add:
        return wanted
    return replace(
        now,
        processes=_toggled(now.processes, wanted.processes),
        links=_toggled(now.links, wanted.links),
        messages=_toggled(now.messages, wanted.messages),
        event=None if wanted.event == now.event else (now.event if wanted.event is None else wanted.event),
    )


def _selection_of(timeline: Timeline | None, hit: Hit) -> Selection:
    if hit.kind == "process":
        return Selection(processes=frozenset((int(hit.id),)))  # type: ignore[arg-type]
    if hit.kind == "link":
        a, b = hit.id  # type: ignore[misc]
        return Selection(links=frozenset(((min(a, b), max(a, b)),)))
    if hit.kind == "message":
        return Selection(messages=frozenset((int(hit.id),)))  # type: ignore[arg-type]
    seq = int(hit.id)  # type: ignore[arg-type]
    if timeline is None or not 0 <= seq < len(timeline.time):
        return NOTHING
    process, message = int(timeline.process[seq]), int(timeline.message[seq])
    return Selection(
        processes=frozenset((process,)) if process >= 0 else frozenset(),
        messages=frozenset((message,)) if message >= 0 else frozenset(),
        event=seq,
    )


def _toggled(now: frozenset[Thing], clicked: frozenset[Thing]) -> frozenset[Thing]:
    return now - clicked if clicked and clicked <= now else now | clicked
