"""How well values were disseminated: who delivered them (``self.deliver(x)``), how often, how soon, at whose cost.

The measures of dissemination in the papers on gossip and publish/subscribe, over all values that anybody delivered;
two values are the same if they are written the same.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.details import as_object, detail_texts
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

__all__ = ["WORDS", "deliveries", "fairness"]

#: The measures -> in words.
WORDS = {
    "delivered": "deliveries, of the same value too",
    "distinct": "different values that were delivered",
    "duplicates": "deliveries of what the process had delivered before",
    "reliability": "share of processes that delivered a value, on average",
    "informed_all": "share of values that all processes delivered",
    "latency_mean": "mean time from publishing to delivering",
    "latency_max": "longest time from publishing to delivering",
    "fairness": "Jain's index of the messages that the processes sent",
}

_VALUE, _END = '{"value":', "}"
#: Where the way back from a delivery ends: there the value was published.
_PUBLISHES = (Kind.INIT, Kind.COMMAND)


def deliveries(timeline: Timeline) -> dict[str, Any]:
    """The measures of dissemination; empty if nothing was delivered.

    Returns:
        A dict with

        * ``delivered``: deliveries; ``distinct``: values; ``duplicates``: deliveries of a value by a process that had
          delivered it before;
        * ``reliability``: the share of all processes that delivered a value, the mean over values; ``informed_all``:
          the share of values that all processes delivered;
        * ``latency_mean``, ``latency_max``: time from publishing a value to its first delivery at each process but
          the one that published it, ``None`` if no other delivered any.  A value is published by the command (or
          ``INIT``) to which its first delivery goes back through messages alone; if it goes back to a timer, nobody
          knows when it was, and its first delivery counts;
        * ``fairness``: Jain's index of the messages sent per process, 1 if all sent the same, 1/n if one sent all
          (Jain, Chiu and Hawe, 1984); ``None`` if nobody sent any.
    """
    rows = np.flatnonzero((timeline.kind == Kind.DELIVER) & (timeline.process >= 0))
    if not len(rows):
        return {}
    codes, distinct = _values(timeline, rows)
    n = timeline.n
    pairs, first = np.unique(codes * n + timeline.process[rows], return_index=True)
    value = pairs // n
    reached = np.bincount(value, minlength=distinct)
    begins = _published(timeline, rows[np.unique(codes, return_index=True)[1]])
    elsewhere = timeline.process[begins[value]] != pairs % n
    latency = (timeline.time[rows[first]] - timeline.time[begins[value]])[elsewhere]
    return {
        "delivered": len(rows),
        "distinct": distinct,
        "duplicates": len(rows) - len(pairs),
        "reliability": float(reached.mean() / n),
        "informed_all": float((reached == n).mean()),
        "latency_mean": float(latency.mean()) if len(latency) else None,
        "latency_max": float(latency.max()) if len(latency) else None,
        "fairness": fairness(timeline),
    }


def fairness(timeline: Timeline) -> float | None:
    """Jain's index of the messages sent per process; ``None`` if nobody sent any."""
    sends = timeline.process[(timeline.kind == Kind.SEND) & (timeline.process >= 0)]
    sent = np.bincount(sends, minlength=timeline.n).astype(np.float64)
    return float(sent.sum() ** 2 / (len(sent) * (sent**2).sum())) if len(sends) else None


def _values(timeline: Timeline, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """For each of these deliveries the number of its value, in order of first appearance; how many there are."""
    wanted = np.zeros(timeline.length, dtype=bool)
    wanted[rows] = True
    asked = wanted.tolist()
    known: dict[str, int] = {}
    found = {
        seq: known.setdefault(_value(text), len(known))
        for seq, text in detail_texts(timeline.trace, int(rows[0]))
        if asked[seq]
    }
    unknown = len(known)  # a delivery of which a trace from elsewhere does not tell the value
    codes = np.array([found.get(seq, unknown) for seq in rows.tolist()], dtype=np.int64)
    return codes, unknown + (len(found) < len(rows))


def _value(text: str) -> str:
    """The value in the detail of a delivery, in JSON."""
    if text.startswith(_VALUE):
        return text[len(_VALUE) : -len(_END)]
    return json.dumps(as_object(text).get("value"), sort_keys=True)


def _published(timeline: Timeline, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each of these deliveries the event that published what it delivers; itself if nobody knows."""
    begins, at, who = rows.copy(), rows.copy(), np.arange(len(rows))
    while len(at):
        before = timeline.cause[at].astype(np.int64)
        on = (before >= 0) & (before < at)
        at, who = before[on], who[on]
        kind = timeline.kind[at]
        there = np.isin(kind, _PUBLISHES)
        begins[who[there]] = at[there]
        on = (kind == Kind.SEND) | (kind == Kind.RECEIVE)
        at, who = at[on], who[on]
    return begins
