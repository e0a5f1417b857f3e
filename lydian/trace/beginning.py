"""The beginning of an execution: the part that may be shown before its outcome is revealed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lydian.trace.details import detail_texts
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline

__all__ = ["Beginning", "without_outcome"]

#: Entries of a summary that are known before the first event; the others reveal how the run ended or what theory
#: predicts.
_KNOWN = ("protocol", "protocol_title", "start", "initial", "first", "roles", "starts", "shared", "parameters")
#: Entries of an experiment that describe it, and so may reveal its outcome.
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
        """Yield the details from event ``start`` on, in order: ``seq`` and text."""
        for at in range(bisect_left(self._places, start), bisect_left(self._places, self._stop)):
            yield self._places[at], self._texts[at]


def without_outcome(trace: Trace) -> Trace:
    """Return a trace with the same rows, but without entries that reveal the outcome of the run or predict it."""
    summary = {key: trace.summary[key] for key in _KNOWN if key in trace.summary}
    experiment = {key: value for key, value in trace.experiment.items() if key not in _SPOKEN}
    return replace(trace, summary={**summary, "beginning": True}, experiment=experiment, damage=None)


class Beginning:
    """A source of timelines of a run up to a given time, which contain nothing that depends on later events.

    Such a timeline is like that of an unfinished run: its end is the given time, messages in transit have no arrival
    (only their speed is known), and there are no verdicts, totals or formulas. The experiment in its trace has neither
    a name nor a description, as these often reveal the outcome.

    Attributes:
        whole: the timeline of the whole run.
        seen: the latest time requested so far; minus infinity if none was.
    """

    def __init__(self, whole: Timeline) -> None:
        self.whole = whole
        self.seen = float("-inf")
        pairs = list(detail_texts(whole.trace))
        self._places, self._texts = [seq for seq, _ in pairs], [text for _, text in pairs]
        self._trace = without_outcome(whole.trace)
        self._last: Timeline | None = None

    def upto(self, t: float) -> Timeline:
        """Return the timeline up to time ``t``, or that of the whole run if ``t`` is not before its last event.

        If ``t`` is later than :attr:`seen`, the timelines returned earlier become invalid.
        """
        if t >= self.whole.end:
            self.seen = self.whole.end
            return self.whole
        if self._last is not None and t <= self.seen:
            return self._last
        self.seen = t
        found = self._last = self._part(t, self._trace, self._last)
        flying = self.whole.in_flight(found.length)
        found.expect(flying, np.asarray(self.whole.message_reached)[flying])
        return found

    def alone(self, t: float) -> Timeline:
        """Return the timeline up to time ``t`` of which no continuation may be seen.

        Not even the speed of messages in transit is known, as it tells when they arrive. Other timelines stay valid.
        The summary says ``asked``, so that views leave out what would answer a question about causal order.
        """
        summary = {**self._trace.summary, "asked": True}
        return self._part(t, replace(self._trace, summary=summary), None)

    def _part(self, t: float, trace: Trace, earlier: Timeline | None) -> Timeline:
        k = self.whole.count(t)
        trace = replace(trace, rows=trace.rows[:k], detail_of=_Texts(self._places, self._texts, k))
        found = Timeline(trace, earlier)
        found.end = max(t, 0.0)
        return found
