"""Whether a check holds, is violated or is open: at one moment, and as stretches of the whole execution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["Stretch", "concerned", "decided_at", "stretches", "verdict"]


@dataclass(frozen=True)
class Stretch:
    """From ``start`` to ``end`` a check holds (True), is violated (False) or is open (``None``)."""

    start: float
    end: float
    state: bool | None


def verdict(check: Mapping[str, Any], position: int, events: int) -> bool | None:
    """Return whether a check holds (True), is violated (False) or is open (None) after ``position`` of ``events``
    events.

    ``at`` is the event that decided: the first violation of ``always``, the event since which ``eventually`` holds;
    ``at_end`` is decided at the end.
    """
    holds, at, kind = check.get("holds"), check.get("at"), check.get("kind")
    decided = position > at if isinstance(at, int) else position >= events
    if kind == "always":
        return False if holds is False and decided else (True if position > 0 else None)
    if kind == "at_end" and position < events:
        return None
    return holds if decided and isinstance(holds, bool) else None


def decided_at(check: Mapping[str, Any], timeline: Timeline) -> int:
    """Return the event that decided a check; -1 if it is decided at the end, or not at all."""
    at = check.get("at")
    return at if isinstance(at, int) and 0 <= at < timeline.length else -1


def stretches(check: Mapping[str, Any], timeline: Timeline) -> tuple[Stretch, ...]:
    """What is known of a check from the start to the end of an execution; the last stretch may have no length.

    A check that is decided at the end is open up to there. Of ``always`` only the first violation is known, so it
    counts as violated from then on.
    """
    end, events = timeline.end, timeline.length
    event = decided_at(check, timeline)
    when = float(timeline.time[event]) if event >= 0 and check.get("kind") != "at_end" else end
    before = True if check.get("kind") == "always" and events else None
    return (Stretch(0.0, when, before), Stretch(when, end, verdict(check, events, events)))


def concerned(check: Mapping[str, Any], timeline: Timeline) -> frozenset[int]:
    """Return the processes at which a check was first violated: that of the event, and its peer if that has a part in
    it.
    """
    event = decided_at(check, timeline)
    if check.get("holds") is not False or event < 0 or check.get("kind") != "always":
        return frozenset()
    found = {int(timeline.process[event]), int(timeline.peer[event])}
    return frozenset(process for process in found if process >= 0)
