"""The processes that the user controls: taken over at one event of a run, released at another."""

from __future__ import annotations

import numpy as np

from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember

__all__ = ["taken_at"]


def taken_at(timeline: Timeline | None, k: int) -> frozenset[int]:
    """Return the processes that the user controls after the first ``k`` events."""
    if timeline is None:
        return frozenset()
    changes: tuple[tuple[int, int, bool], ...] = remember(timeline, "taken", lambda: _changes(timeline))
    now: set[int] = set()
    for seq, process, on in changes:
        if seq >= k:
            break
        (now.add if on else now.discard)(process)
    return frozenset(now)


def _changes(timeline: Timeline) -> tuple[tuple[int, int, bool], ...]:
    """Return the changes (event, process, whether it is taken over) by ascending event."""
    found = []
    for seq in np.flatnonzero(np.asarray(timeline.kind) == Kind.INTERVENE).tolist():
        do = (timeline.trace.detail(seq) or {}).get("do")
        if do in ("take_over", "release"):
            found.append((seq, int(timeline.process[seq]), do == "take_over"))
    return tuple(found)
