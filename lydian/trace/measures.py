"""The measures of an execution: its costs, in total and per process and label, and waiting times.

Times are simulated times, and sizes are in bits. Everything in the result can be written as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.causality import longest_chain
from lydian.trace.deliveries import deliveries
from lydian.trace.events import ATTACHED, KINDS, NO_STATE, Kind, Trace
from lydian.trace.timeline import STEPS, Timeline

__all__ = ["measures", "state_times"]


def measures(trace: Trace | Timeline) -> dict[str, Any]:
    """Return the measures of an execution.

    Returns:
        A dict with

        * ``events``, ``time`` (of the last event), ``messages`` (sent or injected), ``bits`` (their total size);
        * ``sent``, ``received``, ``dropped``, ``in_transit`` (at the end), ``injected``: numbers of messages, where
          sent + injected = received + dropped + in_transit;
        * ``by_kind``: label -> ``sent``, ``received``, ``dropped``, ``bits`` (of those sent);
        * ``per_process``: name -> ``sent``, ``received``, ``dropped`` (on the way to it), ``bits_sent``,
          ``bits_received``, ``events``, ``first`` and ``last`` (times of its first and last event, ``None`` if it
          had none), ``busy`` (time spent in steps), ``waiting`` (the rest, from its first event to the end) and
          ``states``: state -> ``time`` spent in it from the first event to the end, the part of that ``busy`` with
          the steps that led to it and the part spent ``waiting``, and ``periods``, the number of times it was entered;
        * ``busy_share``: the time spent in steps, as a share of the time in which processes took part; ``delay``: the
          ``mean`` and ``longest`` time from send to receive (``None`` if no message was received);
        * ``chain``: the number of messages on the longest causal chain; ``chain_events``: the events on it;
        * ``kinds``: kind of event -> number of events;
        * the measures of :func:`~lydian.trace.deliveries.deliveries` if any value was delivered;
        * ``own``: name -> number, if the protocol has measures of its own (``@measure``).
    """
    timeline = trace if isinstance(trace, Timeline) else Timeline(trace)
    n = timeline.n
    sent, received, dropped = (_table(timeline, kind) for kind in (Kind.SEND, Kind.RECEIVE, Kind.DROP))
    bits = np.maximum(timeline.bits, 0).astype(np.float64)
    bits_sent = _table(timeline, Kind.SEND, bits)
    bits_received = _table(timeline, Kind.RECEIVE, bits)
    times, busy, periods = state_times(timeline)
    first, last, events = _extent(timeline)
    steps = _steps(timeline)
    taking_part = np.where(events > 0, timeline.end - first, 0.0)
    chain = longest_chain(timeline)
    kinds = np.bincount(timeline.kind, minlength=len(KINDS))
    arrived = (timeline.receives >= 0) & (timeline.sends >= 0) & ~timeline.lost
    delay = timeline.message_arrived[arrived] - timeline.message_sent[arrived]
    return {
        "events": timeline.events,
        "time": timeline.end,
        "messages": timeline.m_messages,
        "bits": int(np.maximum(timeline.message_bits, 0).sum(dtype=np.int64)),
        "sent": int(kinds[Kind.SEND]),
        "received": int(np.count_nonzero((timeline.receives >= 0) & ~timeline.lost)),
        "dropped": int(np.count_nonzero(timeline.lost)),
        "in_transit": int(np.count_nonzero((timeline.receives < 0) & (timeline.sends >= 0))),
        "injected": timeline.m_messages - int(kinds[Kind.SEND]),
        "by_kind": {
            name: {
                "sent": int(sent[:, i].sum()),
                "received": int(received[:, i].sum()),
                "dropped": int(dropped[:, i].sum()),
                "bits": int(bits_sent[:, i].sum()),
            }
            for i, name in enumerate(timeline.labels)
            if sent[:, i].any() or received[:, i].any() or dropped[:, i].any()
        },
        "per_process": {
            timeline.processes[p]: {
                "sent": int(sent[p].sum()),
                "received": int(received[p].sum()),
                "dropped": int(dropped[p].sum()),
                "bits_sent": int(bits_sent[p].sum()),
                "bits_received": int(bits_received[p].sum()),
                "events": int(events[p]),
                "first": float(first[p]) if events[p] else None,
                "last": float(last[p]) if events[p] else None,
                "busy": float(steps[p]),
                "waiting": float(max(taking_part[p] - steps[p], 0.0)),
                "states": {
                    timeline.states[s]: {
                        "time": float(times[p, s]),
                        "busy": float(busy[p, s]),
                        "waiting": float(max(times[p, s] - busy[p, s], 0.0)),
                        "periods": int(periods[p, s]),
                    }
                    for s in np.flatnonzero(periods[p]).tolist()
                },
            }
            for p in range(n)
        },
        "busy_share": float(min(steps.sum() / taking_part.sum(), 1.0)) if taking_part.sum() > 0 else 0.0,
        "delay": {
            "mean": float(delay.mean()) if len(delay) else None,
            "longest": float(delay.max()) if len(delay) else None,
        },
        "chain": int(timeline.chain[chain[-1]]) if len(chain) else 0,
        "chain_events": chain.tolist(),
        "kinds": {name: int(kinds[code]) for code, name in enumerate(KINDS) if kinds[code]},
        **deliveries(timeline),
        **_own(timeline),
    }


def _own(timeline: Timeline) -> dict[str, Any]:
    """Return the protocol's own measures at the end of the run."""
    own = timeline.trace.summary.get("own")
    return {"own": dict(own)} if isinstance(own, Mapping) and own else {}


def state_times(timeline: Timeline) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return the times that each process spent in each state, from its first event to the end of the trace.

    Returns:
        Three arrays (n, states): the time spent in the state; the part of it spent in the steps that led to it; the
        number of periods.
    """
    shape = timeline.n, len(timeline.states)
    rows = np.flatnonzero((timeline.state != NO_STATE) & (timeline.process >= 0))
    rows = rows[np.argsort(timeline.process[rows], kind="stable")]
    process, start = timeline.process[rows], timeline.time[rows]
    cells = process.astype(np.int64) * shape[1] + timeline.state[rows]
    last = np.append(process[1:] != process[:-1], True)[: len(rows)]
    end = np.append(start[1:], timeline.end)[: len(rows)]
    end[last] = timeline.end
    steps = np.where(np.isin(timeline.kind[rows], STEPS), timeline.step_lengths[rows], 0.0)
    fresh = np.append(True, cells[1:] != cells[:-1])[: len(rows)]
    size = shape[0] * shape[1]
    times = np.bincount(cells, weights=end - start, minlength=size)
    busy = np.bincount(cells, weights=np.minimum(steps, timeline.end - start), minlength=size)
    periods = np.bincount(cells[fresh], minlength=size)
    return times.reshape(shape).astype(np.float64), busy.reshape(shape).astype(np.float64), periods.reshape(shape)


def _table(timeline: Timeline, kind: int, weights: NDArray[np.float64] | None = None) -> NDArray[Any]:
    """Return the number of rows of a kind, or the sum of their weights, per process and label, (n, labels)."""
    width = len(timeline.labels)
    rows = np.flatnonzero((timeline.kind == kind) & (timeline.process >= 0) & (timeline.label >= 0))
    cells = timeline.process[rows].astype(np.int64) * width + timeline.label[rows]
    weighed = None if weights is None else weights[rows]
    return np.bincount(cells, weights=weighed, minlength=timeline.n * width).reshape(timeline.n, width)


def _extent(timeline: Timeline) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return the times of the first and the last event of each process, and its number of events."""
    first, last = np.full(timeline.n, timeline.end), np.zeros(timeline.n)
    rows = np.flatnonzero(timeline.process >= 0)
    process = timeline.process[rows]
    first[process[::-1]] = timeline.time[rows[::-1]]
    last[process] = timeline.time[rows]
    own = process[~np.isin(timeline.kind[rows], ATTACHED)]
    return first, last, np.bincount(own, minlength=timeline.n)


def _steps(timeline: Timeline) -> NDArray[np.float64]:
    """Return the time that each process spent in steps; a step counts only up to the end of the trace."""
    rows = np.flatnonzero(np.isin(timeline.kind, STEPS) & (timeline.process >= 0))
    lengths = np.minimum(timeline.step_lengths[rows], timeline.end - timeline.time[rows])
    return np.bincount(timeline.process[rows], weights=lengths, minlength=timeline.n).astype(np.float64)
