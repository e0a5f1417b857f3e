"""Moments in a run to which a lesson refers: "the end", "process 9", "the first Ack", "when it is violated"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.model.lesson.blocks import Moment
from lydian.trace.timeline import Timeline

__all__ = ["LessonMoment", "place", "reached"]

Checks = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class LessonMoment:
    """A time, and the process or the event to select there, if any."""

    time: float
    process: int | None = None
    event: int | None = None


def place(moments: Sequence[Moment], timeline: Timeline, checks: Checks, right: Sequence[str] = ()) -> LessonMoment:
    """Return the moment that several references denote together: ``time 6, process 9``.

    Args:
        moments: the words; none means what is ``right``, or the end.
        checks: what became of the properties, as in ``lydian run --json``.
        right: names of the processes that are the answer.
    """
    time: float | None = None
    process = event = None
    for each in moments or [Moment("process", name) for name in right[:1]]:
        if each.what == "process" and each.of in timeline.processes:
            process = timeline.processes.index(each.of)
        elif each.what in ("first", "violated"):
            event = _event(each, timeline, checks)
            time = timeline.end if event is None else float(timeline.time[event])
        elif each.what == "time":
            time = min(float(each.of), timeline.end)
        else:
            time = 0.0 if each.what == "start" else timeline.end
    if time is None and process is not None:
        events = timeline.events_of(process)
        time = float(timeline.time[events[-1]]) if len(events) else timeline.end
    return LessonMoment(timeline.end if time is None else time, process, event)


def reached(moment: Moment, timeline: Timeline, checks: Checks, t: float, *, over: bool, selected: object = ()) -> bool:
    """Return True if the expected moment has been reached.

    Args:
        t: the moment that is shown.
        over: whether the run has come to its end, and its end is shown.
        selected: numbers of the selected processes.
    """
    if moment.what == "end":
        return over
    if moment.what == "time":
        return t >= float(moment.of) - 1e-9 or over
    if moment.what == "selected":
        return moment.of in timeline.processes and timeline.processes.index(moment.of) in frozenset(selected)  # type: ignore[call-overload]
    event = _event(moment, timeline, checks)
    return event is not None and t >= float(timeline.time[event]) - 1e-9


def _event(moment: Moment, timeline: Timeline, checks: Checks) -> int | None:
    """Return the first event of a label or a state, or the one that violated a property."""
    if moment.what == "violated":
        found = next((each for each in checks if each.get("name") == moment.of and each.get("holds") is False), None)
        if found is None:
            return None
        at = found.get("at")
        return timeline.length - 1 if at is None else min(int(at), timeline.length - 1)
    for names, column in ((timeline.labels, timeline.label), (timeline.states, timeline.state)):
        if moment.of in names:
            there = np.flatnonzero(column == names.index(moment.of))
            if len(there):
                return int(there[0])
    return None
