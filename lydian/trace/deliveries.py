"""Measures of dissemination: which processes delivered values (``self.deliver(x)``), how often, how soon, at what cost.

These are the measures used in papers on gossip and publish/subscribe, taken over all values that some process
delivered. Two values are the same if their JSON texts are the same.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.trace.details import as_object, detail_texts
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

__all__ = ["WORDS", "deliveries", "fairness"]

#: Measure -> its description.
WORDS = {
    "delivered": tr("deliveries, including those of the same value"),
    "distinct": tr("distinct values that were delivered"),
    "duplicates": tr("deliveries of a value that the process had already delivered"),
    "reliability": tr("share of processes that delivered a value, on average"),
    "informed_all": tr("share of values that all processes delivered"),
    "latency_mean": tr("mean time from publication to delivery"),
    "latency_max": tr("longest time from publication to delivery"),
    "fairness": tr("Jain's index of the messages that the processes sent"),
}

_VALUE, _END = '{"value":', "}"
#: Kinds of event at which a value is published; a search back along the causes of a delivery ends there.
_PUBLISHES = (Kind.INIT, Kind.COMMAND)


def deliveries(timeline: Timeline) -> dict[str, Any]:
    """Return the measures of dissemination; the dict is empty if nothing was delivered.

    Returns:
        A dict with

        * ``delivered``: the number of deliveries; ``distinct``: the number of values; ``duplicates``: the number of
          deliveries of a value by a process that had already delivered it;
        * ``reliability``: the share of all processes that delivered a value, averaged over the values;
          ``informed_all``: the share of values that all processes delivered;
        * ``latency_mean``, ``latency_max``: the time from the publication of a value to its first delivery at each
          process other than its publisher, ``None`` if no other process delivered any value. A value is published by
          the command (or ``INIT``) from which its first delivery follows through messages alone; if it follows from a
          timer, the time of publication is unknown and that of the first delivery is used instead;
        * ``fairness``: Jain's index of the messages sent per process, 1 if all sent the same number, 1/n if one
          process sent them all (Jain, Chiu and Hawe, 1984); ``None`` if no message was sent.
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
    """Return Jain's index of the messages sent per process; ``None`` if no message was sent."""
    sends = timeline.process[(timeline.kind == Kind.SEND) & (timeline.process >= 0)]
    sent = np.bincount(sends, minlength=timeline.n).astype(np.float64)
    return float(sent.sum() ** 2 / (len(sent) * (sent**2).sum())) if len(sends) else None


def _values(timeline: Timeline, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Number the values of these deliveries by first appearance; return the number for each, and how many there are."""
    wanted = np.zeros(timeline.length, dtype=bool)
    wanted[rows] = True
    asked = wanted.tolist()
    known: dict[str, int] = {}
    found = {
        seq: known.setdefault(_value(text), len(known))
        for seq, text in detail_texts(timeline.trace, int(rows[0]))
        if asked[seq]
    }
    unknown = len(known)  # for deliveries whose value is missing from an imported trace
    codes = np.array([found.get(seq, unknown) for seq in rows.tolist()], dtype=np.int64)
    return codes, unknown + (len(found) < len(rows))


def _value(text: str) -> str:
    """Return the JSON text of the value in the detail of a delivery."""
    if text.startswith(_VALUE):
        return text[len(_VALUE) : -len(_END)]
    return json.dumps(as_object(text).get("value"), sort_keys=True)


def _published(timeline: Timeline, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the event that published the value of each delivery, or the delivery itself if that event is unknown."""
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
