"""The numbers of a run that a lesson may ask for, under the names of :mod:`lydian.model.lesson.values`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from lydian.model.errors import BadInput, did_you_mean
from lydian.trace.events import Kind, Trace
from lydian.trace.measures import measures
from lydian.trace.timeline import Timeline

__all__ = ["facts"]

#: Kinds of event in which a process itself acts; a fault that affects it is not one of them.
_OWN = (Kind.INIT, Kind.SEND, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE, Kind.DELIVER, Kind.DECIDE, Kind.NOTE)


def facts(run: Trace | Timeline, told: Sequence[Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Return the value of each name, including the protocol's parameters; it is ``None`` if the run has no such value.

    ``processes`` is a list of names; a value that is a function takes a text.

    Args:
        run: the run.
        told: the verdicts on its properties, for an unfinished run, whose record does not contain them.
    """
    timeline = run if isinstance(run, Timeline) else Timeline(run)
    trace = timeline.trace
    summary, numbers = trace.summary, measures(timeline)
    each: Mapping[str, Any] = numbers["per_process"]
    known = {name: numbers[name] for name in ("messages", "events", "time", "chain", "bits", "dropped", "received")}
    n, m = _size(trace)
    own = np.flatnonzero(np.isin(timeline.kind, _OWN) & (timeline.process >= 0))
    decisions = np.flatnonzero((timeline.kind == Kind.DECIDE) & (timeline.process >= 0))
    decided: Mapping[str, Any] = summary.get("decided") or {}
    most = max((one["sent"] for one in each.values()), default=0)
    result = dict(summary.get("parameters") or {}) | known
    result |= {
        "n": n, "m": m, "processes": timeline.processes, "stopped": summary.get("stopped"),
        "expected": summary.get("expected_messages"), "decided": len(set(timeline.process[decisions].tolist())),
        "last": _at(timeline, own, latest=True), "first": _at(timeline, own, latest=False),
        "last_decided": _at(timeline, decisions, latest=True), "first_decided": _at(timeline, decisions, latest=False),
        "busiest": tuple(name for name, one in each.items() if most and one["sent"] == most) or None,
    }  # fmt: skip
    labels: Mapping[str, Any] = numbers["by_kind"]
    checks = {str(one["name"]): one.get("holds") for one in told or summary.get("checks") or ()}
    result |= {
        "sent": lambda name: labels[name]["sent"] if name in labels else _none(name, timeline.labels, "message"),
        "sent_by": _of(each, "sent"),
        "received_by": _of(each, "received"),
        "finished": _of(each, "last"),
        "waited": _of(each, "waiting"),
        "decision": lambda name: decided[name] if name in decided else _none(name, each, "process", None),
        "holds": lambda name: checks[name] if name in checks else _none(name, checks, "check", ...),
    }  # fmt: skip
    return result


def _of(each: Mapping[str, Any], key: str) -> Callable[[str], Any]:
    return lambda name: each[name][key] if name in each else _none(name, each, "process", ...)


def _none(name: str, known: Any, word: str, value: Any = 0) -> Any:
    """Return ``value`` for a known name without an entry of its own; raise if ``value`` is ``...``."""
    if value is ... or name not in known:
        some = ", ".join(str(one) for one in list(known)[:8])
        raise BadInput(f"unknown {word} '{name}'{did_you_mean(name, known) or f'; choose from {some}'}")
    return value


def _at(timeline: Timeline, rows: Any, *, latest: bool) -> tuple[str, ...] | None:
    """Return the process of the last or the first of these events; several processes if they acted at the same time."""
    if not len(rows):
        return None
    times = timeline.time[rows]
    there = rows[times == (times.max() if latest else times.min())]
    return tuple(timeline.processes[p] for p in dict.fromkeys(timeline.process[there].tolist()))


def _size(trace: Trace) -> tuple[int, int | None]:
    from lydian.model.network.netfile import from_dict

    try:
        network = from_dict(dict(trace.network))
    except (BadInput, TypeError):  # an imported trace contains the processes but no network
        return len(trace.processes), None
    return network.n, network.m
