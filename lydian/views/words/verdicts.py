"""Verdicts on checks (satisfied, violated or open): at one moment, and as intervals of the whole execution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["Stretch", "concerned", "decided_at", "stretches", "verdict"]


@dataclass(frozen=True)
class Stretch:
    """An interval of time in which a check is satisfied (True), violated (False) or open (``None``)."""

    start: float
    end: float
    state: bool | None


def verdict(check: Mapping[str, Any], position: int, events: int) -> bool | None:
    """Return True if a check is satisfied, False if violated, None if open, after ``position`` of ``events`` events.

    ``at`` is the deciding event: the first violation of ``always``, or the event since which ``eventually`` is
    satisfied. ``at_end`` is decided at the end.
    """
    holds, at, kind = check.get("holds"), check.get("at"), check.get("kind")
    decided = position > at if isinstance(at, int) else position >= events
    if kind == "always":
        return False if holds is False and decided else (True if position > 0 else None)
    if kind == "at_end" and position < events:
        return None
    return holds if decided and isinstance(holds, bool) else None


def decided_at(check: Mapping[str, Any], timeline: Timeline) -> int:
    """Return the event that decided a check, or -1 if it is decided at the end or not at all."""
    at = check.get("at")
    return at if isinstance(at, int) and 0 <= at < timeline.length else -1


def stretches(check: Mapping[str, Any], timeline: Timeline) -> tuple[Stretch, ...]:
    """Return the intervals of a check from the start to the end of an execution; the last may have no length.

    A check that is decided at the end is open until then. For ``always`` only the first violation is recorded, so it
    counts as violated from then on.
    """
    end, events = timeline.end, timeline.length
    event = decided_at(check, timeline)
    when = float(timeline.time[event]) if event >= 0 and check.get("kind") != "at_end" else end
    before = True if check.get("kind") == "always" and events else None
    return (Stretch(0.0, when, before), Stretch(when, end, verdict(check, events, events)))


def concerned(check: Mapping[str, Any], timeline: Timeline) -> frozenset[int]:
    """Return the processes at which a check was first violated: that of the event, and its peer if it takes part."""
    event = decided_at(check, timeline)
    if check.get("holds") is not False or event < 0 or check.get("kind") != "always":
        return frozenset()
    found = {int(timeline.process[event]), int(timeline.peer[event])}
    return frozenset(process for process in found if process >= 0)
