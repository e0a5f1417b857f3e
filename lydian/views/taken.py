"""Which processes somebody plays: taken over at one moment of a run, given back at another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lydian.trace.events import Kind
from lydian.views.axis import remember

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["from_outside", "taken_at"]

#: How the notes begin that the simulator writes when somebody takes a process over and gives it back.
_TAKEN, _GIVEN = "taken over: ", "released: "


def taken_at(timeline: Timeline | None, k: int) -> frozenset[int]:
    """The processes that somebody plays after the first ``k`` events."""
    if timeline is None:
        return frozenset()
    changes: tuple[tuple[int, int, bool], ...] = remember(timeline, "taken", lambda: _changes(timeline))
    now: set[int] = set()
    for seq, process, on in changes:
        if seq >= k:
            break
        (now.add if on else now.discard)(process)
    return frozenset(now)


def from_outside(text: str) -> str:
    """What somebody's gesture wrote beside a process, behind the process's name: ``is taken over: ...``."""
    return f" is {text}" if text.startswith((_TAKEN, _GIVEN)) else f": {text}"


def _changes(timeline: Timeline) -> tuple[tuple[int, int, bool], ...]:
    """(event, process, whether it is taken over), by rising event.

    A process's own notes have a cause, the event whose action wrote them; these come from outside and have none.
    """
    notes = np.flatnonzero((np.asarray(timeline.kind) == Kind.NOTE) & (np.asarray(timeline.cause) < 0))
    found = []
    for seq in notes.tolist():
        text = str((timeline.trace.detail(seq) or {}).get("text", ""))
        if text.startswith((_TAKEN, _GIVEN)):
            found.append((seq, int(timeline.process[seq]), text.startswith(_TAKEN)))
    return tuple(found)
