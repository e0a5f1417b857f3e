"""The Byzantine processes of a run, which send other messages than their protocol demands."""

from __future__ import annotations

from typing import Any

import numpy as np

from lydian.language import tr
from lydian.model.interventions import HOWS
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember

__all__ = ["ever_liars", "falsely", "liars_at", "way_word"]


def way_word(how: str) -> str:
    """Return what a Byzantine process does: ``tells two stories``."""
    return HOWS[how].seen if how in HOWS else tr("is Byzantine")


def liars_at(timeline: Timeline | None, k: int) -> dict[int, str]:
    """Return the processes that are Byzantine after the first ``k`` events, and how."""
    now: dict[int, str] = {}
    for seq, process, how in _changes(timeline) if timeline is not None else ():
        if seq >= k:
            break
        if how is None:
            now.pop(process, None)
        else:
            now[process] = how
    return now


def ever_liars(timeline: Timeline) -> bool:
    """Return True if any process is Byzantine at any time."""
    return bool(_changes(timeline))


def falsely(timeline: Timeline, seq: int) -> dict[str, Any]:
    """Return the detail of an event in which a Byzantine process acts; empty for any other event."""
    process = int(timeline.process[seq])
    if not any(first <= seq and who == process for first, who, _ in _changes(timeline)):
        return {}
    detail = timeline.trace.detail(seq) or {}
    return detail if any(word in detail for word in ("byzantine", "lied", "babbled", "mute", "shown")) else {}


def _changes(timeline: Timeline) -> tuple[tuple[int, int, str | None], ...]:
    """Return the changes of behaviour (event, process, kind of Byzantine behaviour or ``None``) by ascending event."""
    found: tuple[tuple[int, int, str | None], ...] = remember(timeline, "liars", lambda: _read(timeline))
    return found


def _read(timeline: Timeline) -> tuple[tuple[int, int, str | None], ...]:
    found = []
    for seq in np.flatnonzero(np.asarray(timeline.kind) == Kind.CORRUPT).tolist():
        detail = timeline.trace.detail(seq) or {}
        if "byzantine" in detail and int(timeline.process[seq]) >= 0:
            how = detail["byzantine"]
            found.append((seq, int(timeline.process[seq]), how if isinstance(how, str) else None))
    return tuple(found)
