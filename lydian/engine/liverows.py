"""The events that a live simulator has sent so far, as a growing trace."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from lydian.engine.wire import FLYING, Begun, Round
from lydian.trace.events import ROW, Trace
from lydian.trace.timeline import Timeline

__all__ = ["LiveRows"]

#: The initial capacity in rows.
ROOM = 4096


class _Texts:
    """The details of events by number, in order, with the interface that a trace expects."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._places: list[int] = []

    def __call__(self, seq: int) -> str | None:
        return self._texts.get(seq)

    def texts(self, start: int = 0) -> Iterator[tuple[int, str]]:
        """Yield the details from event ``start`` on, in order."""
        for at in range(bisect.bisect_left(self._places, start), len(self._places)):
            yield self._places[at], self._texts[self._places[at]]

    def cut(self, first: int) -> _Texts:
        """Return the details of the events before ``first``."""
        kept = _Texts()
        kept.add((place, self._texts[place]) for place in self._places if place < first)
        return kept

    def add(self, pairs: Any) -> None:
        """Add the details of further events, which must be in order."""
        for seq, text in pairs:
            self._texts[int(seq)] = str(text)
            self._places.append(int(seq))


class LiveRows:
    """The events of one run as they arrive.

    Attributes:
        begun: the frame that announced the run.
        count: the number of events.
        time: the simulated time reached.
        steps: the number of steps taken.
        rest: the final state that the run would have, if no further event can happen by itself.
    """

    def __init__(self, experiment: Mapping[str, Any]) -> None:
        self.experiment = experiment
        self.begun: Begun | None = None
        self.count = self.steps = 0
        self.rest: dict[str, Any] | None = None
        self.time = 0.0
        self.processes: tuple[str, ...] = ()
        self.labels: tuple[str, ...] = ()
        self.states: tuple[str, ...] = ()
        self._rows = np.zeros(ROOM, dtype=ROW)
        self._texts = _Texts()
        self._flying = np.zeros(0, dtype=FLYING)
        self._timeline: Timeline | None = None

    def take(self, round_: Round) -> None:
        """Add a round."""
        self.time, self.steps = round_.time, round_.steps
        self.labels = self.labels if round_.labels is None else tuple(round_.labels)
        self.states = self.states if round_.states is None else tuple(round_.states)
        self.processes = self.processes if round_.processes is None else tuple(round_.processes)
        if round_.flying is not None:
            self._flying = round_.arrivals()
        self.rest = round_.rest
        if round_.count:
            needed = self.count + round_.count
            if needed > len(self._rows):  # traces already returned keep the old array
                rows = np.zeros(max(2 * len(self._rows), needed), dtype=ROW)
                rows[: self.count] = self._rows[: self.count]
                self._rows = rows
            self._rows[self.count : needed] = round_.events()
            self.count = needed
            self._texts.add(round_.details)

    def cut(self, first: int) -> None:
        """Forget the events from ``first`` on; timelines already returned keep theirs."""
        if first >= self.count:
            return
        rows = np.zeros(max(ROOM, first), dtype=ROW)
        rows[:first] = self._rows[:first]
        self._rows, self._texts = rows, self._texts.cut(first)
        self.count, self.rest, self._timeline = first, None, None
        self._flying = np.zeros(0, dtype=FLYING)
        self.time = float(rows["time"][first - 1]) if first else 0.0

    def trace(self, summary: Mapping[str, Any] | None = None, experiment: Mapping[str, Any] | None = None) -> Trace:
        """Return the trace of all events so far."""
        about = self.begun
        known: Mapping[str, Any] = {} if about is None else about.summary
        if summary is None and self.rest is not None:
            summary = {"rest": self.rest}
        return Trace(
            self._rows[: self.count], self.processes, self.labels, self.states, self._texts,
            experiment=self.experiment if experiment is None else experiment,
            network={} if about is None else about.network,
            source="" if about is None else about.source,
            versions={} if about is None else about.versions,
            summary=known if summary is None else {**known, **summary},
        )  # fmt: skip

    def timeline(self, trace: Trace | None = None) -> Timeline:
        """Return the timeline of all events so far; it ends at the time reached."""
        found = Timeline(self.trace() if trace is None else trace, self._timeline)
        found.end = max(found.end, self.time)
        found.expect(self._flying["message"].astype(np.int64), self._flying["time"])
        self._timeline = found
        return found
