"""One trace from what several components have published, and the same run in one simulator."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.classroom.components.frames import Publish
from lydian.classroom.components.system import System
from lydian.engine.channel import Channel
from lydian.engine.kernel import NONE, StopRun
from lydian.engine.queue import Alarm, Delivery, Loss
from lydian.engine.simulator import Simulator
from lydian.model.interventions import Intervention
from lydian.trace.events import ROW, Kind, Trace

__all__ = ["merged", "own_trace", "whole"]

#: The priority of an intervention that was made between two batches: after the events at its time.
_BETWEEN = 5
_NAMING = (Kind.CORRUPT, Kind.INJECT, Kind.INTERVENE)


class _Column:
    """What one component has published, as far as it is wanted."""

    def __init__(self, log: Sequence[Publish], wanted: int | None) -> None:
        rows = [each.events() for each in log]
        self.rows: NDArray[np.void] = (np.concatenate(rows) if rows else np.zeros(0, dtype=ROW))[:wanted]
        self.details: dict[int, str] = {int(seq): str(text) for each in log for seq, text in each.details}
        self.labels: list[str] = next((list(each.labels) for each in reversed(log) if each.labels is not None), [])
        self.foreign: dict[int, tuple[str, int, int]] = {
            int(mid): (str(there), int(number), int(sent)) for each in log for mid, there, number, sent in each.foreign
        }


def merged(system: System, logs: Mapping[str, Sequence[Publish]], wanted: Mapping[str, int] | None = None) -> Trace:
    """Return the events of several components as one trace, in the order of time; no effect precedes its cause.

    Args:
        system: the system.
        logs: component -> what it has published.
        wanted: component -> the number of its events to take; ``None`` for all.
    """
    here = [name for name in system.names if name in logs]
    columns = {name: _Column(logs[name], None if wanted is None else wanted[name]) for name in here}
    order = _order(columns)
    base = Simulator(system.resolved, check=False).trace
    labels = list(base.labels)
    codes = {label: code for code, label in enumerate(labels)}
    rows = np.zeros(len(order), dtype=ROW)
    details: dict[int, str] = {}
    messages: dict[tuple[str, int], int] = {}
    at: dict[tuple[str, int], int] = {}
    for seq, (name, number) in enumerate(order):
        column = columns[name]
        row = column.rows[number]
        at[name, number] = seq
        rows[seq] = row
        mid, cause, label = int(row["message"]), int(row["cause"]), int(row["label"])
        foreign = column.foreign.get(mid)
        if mid >= 0:
            key = (name, mid) if foreign is None else foreign[:2]
            rows[seq]["message"] = messages.setdefault(key, len(messages))
        if cause >= 0:
            rows[seq]["cause"] = at[name, cause]
        elif foreign is not None and row["kind"] in (Kind.RECEIVE, Kind.DROP):
            rows[seq]["cause"] = at.get((foreign[0], foreign[2]), -1)
        if label >= 0:
            word = column.labels[label]
            if word not in codes:
                codes[word] = len(labels)
                labels.append(word)
            rows[seq]["label"] = codes[word]
        text = column.details.get(number)
        if text is not None:
            details[seq] = _renumbered(text, name, column, messages) if row["kind"] in _NAMING else text
    rows["round"] = np.minimum(np.floor(rows["time"]), 2**31 - 1).astype(np.int32)
    return replace(
        base, rows=rows, labels=tuple(labels), detail_of=details.get,
        summary={**base.summary, "components": {name: list(members) for name, members in system.groups.items()}},
    )  # fmt: skip


def _order(columns: Mapping[str, _Column]) -> list[tuple[str, int]]:
    """Return the events by component and number in the order of time, and causes before their effects.

    No event happens before its causes, so whenever the earliest of the next events has to wait, its cause is one of
    those with the same time.
    """
    place = dict.fromkeys(columns, 0)
    times = {name: column.rows["time"].tolist() for name, column in columns.items()}
    mids = {name: column.rows["message"].tolist() for name, column in columns.items()}
    order: list[tuple[str, int]] = []

    def ready(name: str) -> bool:
        foreign = columns[name].foreign.get(mids[name][place[name]])
        return foreign is None or foreign[0] not in columns or place[foreign[0]] > foreign[2]

    while True:
        left = [(name, at) for name, at in place.items() if at < len(times[name])]
        heads = sorted((times[name][at], k, name) for k, (name, at) in enumerate(left))
        if not heads:
            return order
        name = next((name for _, _, name in heads if ready(name)), "")
        if not name:  # the causes of all that is left are missing: what was published is incomplete
            return order
        limit = min((time for time, _, other in heads if other != name), default=float("inf"))
        while True:  # all rows of one component that certainly come next
            order.append((name, place[name]))
            place[name] += 1
            if place[name] >= len(times[name]) or times[name][place[name]] >= limit or not ready(name):
                break


def _renumbered(text: str, name: str, column: _Column, messages: dict[tuple[str, int], int]) -> str:
    """Return a detail in which messages have their numbers in the merged trace."""
    detail = json.loads(text)
    changed = False
    for key in ("message", "copy_of"):
        if isinstance(detail.get(key), int):
            foreign = column.foreign.get(detail[key])
            found = messages.get((name, detail[key]) if foreign is None else foreign[:2])
            if found is not None and found != detail[key]:
                detail[key], changed = found, True
    return json.dumps(detail, separators=(",", ":")) if changed else text


def own_trace(system: System, name: str, log: Sequence[Publish]) -> Trace:
    """Return what one component has published as a trace of its own."""
    return merged(system, {name: log})


# ---------------------------------------------------------------------- the same run in one simulator


class _Roads(list[Any]):
    """The way of messages between components in one simulator: each arrives when it arrived in the components.

    The argument gives, by sender and rank, the time of arrival, and the time until which it was in the sender's
    component.
    """

    def __init__(self, simulator: Simulator, arrivals: Mapping[tuple[int, int], tuple[float, float]]) -> None:
        super().__init__()
        self._simulator, self._arrivals = simulator, arrivals
        self._ranks: dict[int, tuple[int, int]] = {}
        self._counts: dict[int, int] = {}
        self._gone: set[int] = set()
        self._seen = 0

    def append(self, entry: Delivery) -> None:
        kernel = self._simulator.kernel
        count, _, offset = kernel.counts()
        if count > self._seen:
            _rank(self._simulator.recorder.rows(offset, self._seen), self._counts, self._ranks)
            self._seen = count
        known = self._arrivals.get(self._ranks[entry.id])
        if known is None:
            super().append(entry)  # it was still on its way at the end
            return
        arrival, left = known
        if entry.id not in self._gone or kernel.now <= left:  # else an intervention where it arrives has changed it
            entry = entry._replace(time=arrival)
        self._gone.add(entry.id)
        heappush(kernel.queue, entry)


def _rank(rows: NDArray[np.void], counts: dict[int, int], ranks: dict[int, tuple[int, int]]) -> None:
    """Note of each message its sender, and how many that process had sent before."""
    kinds = rows["kind"]
    for row in rows[(kinds == Kind.SEND) | (kinds == Kind.INJECT)]:
        process = int(row["process"])
        counts[process] = counts.get(process, -1) + 1
        ranks.setdefault(int(row["message"]), (process, counts[process]))


def whole(system: System, logs: Mapping[str, Sequence[Publish]]) -> Simulator:
    """Run in one simulator what happened in the components, so that properties can be judged.

    Messages between components arrive when they did there, interventions happen when they did, and of several events at
    the same time that one comes first which does so in :func:`merged`; so the trace is the same. If the components were
    interrupted, each of them ends when it did there, and the run is ``cancelled``.

    Return the simulator, whose run has ended.
    """
    ranks: dict[str, dict[int, tuple[int, int]]] = {}
    for name in system.names:
        ranks[name] = {}
        _rank(_Column(logs[name], None).rows, {}, ranks[name])
    arrivals: dict[tuple[int, int], tuple[float, float]] = {}
    steered: list[tuple[float, int, Intervention]] = []
    numbers = _numbers(system, logs)
    for place, name in enumerate(system.names):
        for batch in logs[name]:
            for each in batch.inputs:
                if "envelope" in each:
                    letter = each["envelope"]
                    left = logs[letter["component"]][letter["batch"]].time
                    arrivals[ranks[letter["component"]][letter["message"]]] = (each["arrival"], left)
                elif each["accepted"]:
                    told = {**each["what"], "time": each["time"]}
                    if isinstance(told.get("message"), int):
                        told["message"] = numbers[name].get(told["message"], told["message"])
                    what = Intervention.from_dict(told, None, "what")
                    steered.append((each["time"], place, what))
    simulator = Simulator(system.resolved)
    queue = simulator.kernel.queue
    queue.away = _Roads(simulator, arrivals)
    apart = set(system.between)
    for channel in simulator.channels:
        if (channel.source._name, channel.target._name) in apart:
            channel.away = True
            channel.look_closer()
    if simulator.overlay is not None:
        _overlay_apart(simulator, system)
    for time, _, what in sorted(steered, key=lambda each: each[:2]):
        simulator.kernel.at(time, simulator.faults.apply, what, _BETWEEN)
        simulator.accepted.append(what)
    order = merged(system, logs)
    ends = _ends(system, logs)
    simulator._carry_out(lambda: _in_order(simulator, order, ends))
    return simulator


def _ends(system: System, logs: Mapping[str, Sequence[Publish]]) -> dict[int, float]:
    """Return up to which time the component of each process has run; nothing if the components came to rest."""
    if all(log and (log[-1].idle or log[-1].stopped) for log in logs.values()):
        return {}
    times = {name: logs[name][-1].time if logs[name] else -1.0 for name in system.names}
    return {system.network.index[process]: times[name] for process, name in system.home.items()}


def _in_order(simulator: Simulator, order: Trace, ends: Mapping[int, float]) -> None:
    """Execute all events; of those at the same time, the next one of a trace comes first.

    An intervention that follows a certain step, which only a system of one component can contain, happens there.

    Args:
        simulator: the simulator.
        order: the trace.
        ends: the time after which a process has no events; empty if the run is not cut off.

    Raises:
        StopRun: the run is cut off.
    """
    kernel, queue, faults = simulator.kernel, simulator.kernel.queue, simulator.faults
    rows, last = order.rows, max(ends.values(), default=0.0)
    end = math.nextafter(last, math.inf) if ends else math.inf
    faults.apply_due(end)
    while queue:
        first = queue[0]
        if ends and first[0] > ends.get(_at(simulator, first), last):
            heappop(queue)
            continue
        if len(queue) > 1 and any(each[:2] == first[:2] for each in queue[1:3]):
            at = kernel.counts()[0]
            wanted = _cause(rows[at], order) if at < len(rows) else None
            ties = [each for each in queue if each[:2] == first[:2]]
            chosen = next((each for each in ties if wanted is not None and _effect(simulator, each) == wanted), None)
            if chosen is not None and chosen is not min(ties):
                queue[:] = [each for each in queue if each is not chosen]
                heapify(queue)
                heappush(queue, (*chosen[:2], -1, *chosen[3:]))
        kernel.step()
        simulator.steps += 1
        faults.apply_due(end)
    if ends:
        raise StopRun("cancelled")


def _at(simulator: Simulator, entry: Any) -> int:
    """Return the process at which an entry of the queue happens; NONE if it is not at one process."""
    call, argument = entry[3], entry[4]
    if call is None:
        return int(argument.target._i)
    if isinstance(argument, Loss):
        return int(argument.delivery.channel.source._i)
    if call == simulator.execution.wake:
        return int(argument._i)
    if call == simulator.execution._step_ends:
        return int(argument[0]._i)
    process = getattr(argument, "process", None)
    name = getattr(process, "_name", process)
    return simulator.network.index.get(name, NONE) if isinstance(name, str) else NONE


def _cause(row: Any, order: Trace) -> tuple[Any, ...]:
    """Return what an entry of the queue must be so that the next row of a trace follows from it."""
    kind, process = int(row["kind"]), int(row["process"])
    if kind in (Kind.RECEIVE, Kind.DROP):
        return "message", int(row["message"])
    if kind in (Kind.TIMER, Kind.COMMAND):
        return kind, process, order.labels[int(row["label"])]
    return (kind, process) if kind == Kind.INIT else ("step", process)


def _effect(simulator: Simulator, entry: Any) -> tuple[Any, ...] | None:
    """Return what an entry of the queue is, in the same form; ``None`` for what no row follows from."""
    if entry[3] is None:
        return "message", entry[6]
    call, argument = entry[3], entry[4]
    if isinstance(argument, Alarm):
        return (Kind.TIMER, argument.process._i, type(argument.timer).__name__) if argument.pending else None
    if isinstance(argument, Loss):
        return "message", argument.delivery.id
    if call == simulator.execution.wake:
        return Kind.INIT, argument._i
    if call == simulator.execution._step_ends:
        return "step", argument[0]._i
    process = getattr(argument, "process", None)
    if process is None:
        return None
    at = simulator.network.index[process]
    return (Kind.INIT, at) if argument.do == "wake" else (Kind.COMMAND, at, argument.label)


def _overlay_apart(simulator: Simulator, system: System) -> None:
    """Let messages without a link take the roads if they lead to another component."""

    for p in simulator.processes:
        ways: Any = p._links
        find = ways.get
        home = system.home[p._name]

        def get(to: Any, find: Any = find, home: str = home) -> Any:
            channel = find(to)
            if channel is not None and system.home[channel.target._name] != home and not channel.away:
                far = Channel(channel.source, channel.target, channel.name, channel.draw)
                far.away = far.special = True
                return far
            return channel

        ways.get = get


def _numbers(system: System, logs: Mapping[str, Sequence[Publish]]) -> dict[str, dict[int, int]]:
    """Return, for each component, its numbers of messages and those in the merged trace."""
    columns = {name: _Column(logs[name], None) for name in system.names}
    messages: dict[tuple[str, int], int] = {}
    found: dict[str, dict[int, int]] = {name: {} for name in system.names}
    for name, number in _order(columns):
        mid = int(columns[name].rows[number]["message"])
        if mid >= 0:
            foreign = columns[name].foreign.get(mid)
            key = (name, mid) if foreign is None else foreign[:2]
            found[name][mid] = messages.setdefault(key, len(messages))
    return found
