"""The beginning of an execution: what may be shown of it while nobody is to know how it goes on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lydian.trace.details import detail_texts
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline

__all__ = ["Beginning", "without_outcome"]

#: What a summary knows before the first event; the rest of it tells how the run ended or what theory expects.
_KNOWN = ("protocol", "protocol_title", "start", "initial", "first", "parameters")
#: What an experiment says about itself, which tells what will come out of it.
_SPOKEN = ("name", "about")


class _Texts:
    """The details of the first events of a trace."""

    def __init__(self, places: list[int], texts: list[str], stop: int) -> None:
        self._places, self._texts, self._stop = places, texts, stop

    def __call__(self, seq: int) -> str | None:
        at = bisect_left(self._places, seq)
        there = seq < self._stop and at < len(self._places) and self._places[at] == seq
        return self._texts[at] if there else None

    def texts(self, start: int = 0) -> Iterator[tuple[int, str]]:
        """Those from an event on, in order."""
        for at in range(bisect_left(self._places, start), bisect_left(self._places, self._stop)):
            yield self._places[at], self._texts[at]


def without_outcome(trace: Trace) -> Trace:
    """A trace that tells neither how the run ends nor what theory or its experiment say of that; its rows stay."""
    summary = {key: trace.summary[key] for key in _KNOWN if key in trace.summary}
    experiment = {key: value for key, value in trace.experiment.items() if key not in _SPOKEN}
    return replace(trace, summary={**summary, "beginning": True}, experiment=experiment, damage=None)


class Beginning:
    """Gives the timeline of a run up to a time, which holds nothing that follows from what comes later.

    Such a timeline is one of a run that goes on: its end is the time asked for, messages in transit have no arrival
    (only their speed is known), and there is no verdict, no total and no formula.  The experiment in its trace has
    neither a name nor a description, as these often tell how it ends.

    Attributes:
        whole: the timeline of the whole run.
        seen: the latest time that was asked for; minus infinity before.
    """

    def __init__(self, whole: Timeline) -> None:
        self.whole = whole
        self.seen = float("-inf")
        pairs = list(detail_texts(whole.trace))
        self._places, self._texts = [seq for seq, _ in pairs], [text for _, text in pairs]
        self._trace = without_outcome(whole.trace)
        self._last: Timeline | None = None

    def upto(self, t: float) -> Timeline:
        """The timeline up to a time; the whole one from the time of the last event on.

        The timelines that were given before can be used no longer if this time is later.
        """
        if t >= self.whole.end:
            self.seen = self.whole.end
            return self.whole
        if self._last is not None and t <= self.seen:
            return self._last
        self.seen = t
        k = self.whole.count(t)
        found = self._last = Timeline(
            replace(self._trace, rows=self._trace.rows[:k], detail_of=_Texts(self._places, self._texts, k)), self._last
        )
        found.end = max(t, 0.0)
        flying = self.whole.in_flight(k)
        found.expect(flying, np.asarray(self.whole.message_reached)[flying])
        return found
