"""Shapes of communication in a trace (request and reply, broadcast, gather, concurrent writes), the longest waits, and
the causal path between two events.

Each function returns :class:`Found`, the best first; all of them together are :data:`SHAPES`.
"""

from __future__ import annotations

import heapq
import json
import re
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lydian.language import later
from lydian.trace import causality
from lydian.trace.cones import arrows, frontiers
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

__all__ = ["MOST_WRITES", "SHAPES", "WAITS", "WRITES", "Found", "Shape", "find", "path_between"]

#: The least number of processes in a broadcast or a gather.
LEAST = 3
#: The writes that are compared with each other.
MOST_WRITES = 400
#: The names of events that write.
WRITES = r"(?:^|[^a-z])(?:write|put|set|update|store|cas|append|add|publish)"
WAITS = "longest-waits"


@dataclass(frozen=True)
class Found:
    """One place in a trace.

    Attributes:
        shape: a key of :data:`SHAPES`.
        events: the numbers of the events, in their order; the first is the moment to open.
        start, length: the time of the first event, and the time to the last.
        processes: the names of the processes, in the order in which they take part.
        label: the message or operation, or "".
        score: the rank; more is better.
    """

    shape: str
    events: tuple[int, ...]
    start: float
    length: float
    processes: tuple[str, ...]
    label: str
    score: float


@dataclass(frozen=True)
class Shape:
    """A shape that can be found: its title, and the function that finds it."""

    title: str
    find: Callable[[Timeline], list[Found]]


def find(timeline: Timeline, shape: str, most: int = 20) -> list[Found]:
    """Return the best places of a shape in a trace, the best first."""
    return heapq.nsmallest(most, SHAPES[shape].find(timeline), key=lambda each: (-each.score, each.events))


def _made(timeline: Timeline, shape: str, events: list[int], who: list[int], label: str, score: float) -> Found:
    start, end = float(timeline.time[events[0]]), float(timeline.time[events[-1]])
    return Found(
        shape, tuple(events), start, end - start, tuple(timeline.processes[p] for p in who), label, float(score)
    )  # fmt: skip


def _label(timeline: Timeline, seq: int) -> str:
    code = int(timeline.label[seq])
    return timeline.labels[code] if code >= 0 else ""


def requests(timeline: Timeline) -> list[Found]:
    """Return requests and their replies, the slowest first: a message, and the next message back after its receipt.

    A reply that the receipt itself caused belongs to it; any other reply answers the oldest request.
    """
    arrived = np.flatnonzero((timeline.sends >= 0) & (timeline.receives >= 0) & ~timeline.lost)
    source = np.asarray(timeline.message_source[arrived]).tolist()
    target = np.asarray(timeline.message_target[arrived]).tolist()
    sent, heard = timeline.sends[arrived].tolist(), timeline.receives[arrived].tolist()
    happened = [(seq, 1, k) for k, seq in enumerate(heard)] + [(seq, 0, k) for k, seq in enumerate(sent)]
    happened.sort()
    cause = timeline.cause
    waiting: dict[tuple[int, int], deque[int]] = defaultdict(deque)
    replies: set[int] = set()
    found = []
    for seq, receipt, k in happened:
        a, b = source[k], target[k]
        if receipt:
            if k not in replies and a != b:
                waiting[a, b].append(k)
            continue
        queue = waiting.get((b, a))
        if not queue:
            continue
        why = int(cause[seq])
        request = next((each for each in queue if heard[each] == why), queue[0])
        queue.remove(request)
        replies.add(k)
        events = [sent[request], heard[request], seq, heard[k]]
        took = float(timeline.time[heard[k]] - timeline.time[sent[request]])
        found.append(_made(timeline, "request-reply", events, [b, a], _label(timeline, sent[request]), took))
    return found


def broadcasts(timeline: Timeline) -> list[Found]:
    """Return steps that send to at least :data:`LEAST` processes, those with the most receivers first."""
    rows = np.flatnonzero((timeline.kind == Kind.SEND) & (timeline.process >= 0) & (timeline.peer >= 0))
    groups: dict[tuple[int, int, float], list[int]] = defaultdict(list)
    cause, process, time = timeline.cause, timeline.process, timeline.time
    for seq in rows.tolist():
        why = int(cause[seq])
        groups[int(process[seq]), why, 0.0 if why >= 0 else float(time[seq])].append(seq)
    found = []
    for (p, _, _), sends in groups.items():
        to = list(dict.fromkeys(timeline.peer[sends].tolist()))
        if len(to) < LEAST:
            continue
        ends = [int(timeline.receives[m]) for m in timeline.message[sends].tolist() if m >= 0]
        events = sorted({*sends, *(end for end in ends if end >= 0)})
        found.append(_made(timeline, "broadcast", events, [p, *to], _label(timeline, sends[0]), len(to)))
    return found


def gathers(timeline: Timeline) -> list[Found]:
    """Return receipts from at least :data:`LEAST` processes before the receiver sends again, the most senders first."""
    found = []
    for p in range(timeline.n):
        heard: dict[int, int] = {}
        for seq in timeline.events_of(p).tolist():
            kind = int(timeline.kind[seq])
            if kind == Kind.RECEIVE:
                heard.setdefault(int(timeline.peer[seq]), seq)
            elif kind in (Kind.SEND, Kind.DECIDE, Kind.DELIVER):
                if len(heard) >= LEAST:
                    events = [*sorted(heard.values()), seq]
                    label = _label(timeline, events[0])
                    found.append(_made(timeline, "gather", events, [*heard, p], label, len(heard)))
                heard = {}
    return found


def writes(timeline: Timeline) -> list[Found]:
    """Return pairs of writes at different processes of which neither happened before the other, the closest first.

    In a history, operations without messages between them are concurrent if they overlap in time. If the operations
    name a key, it must be the same.
    """
    known = np.array([bool(re.search(WRITES, label, re.IGNORECASE)) for label in timeline.labels] or [False])
    begins = np.isin(timeline.kind, (Kind.COMMAND, Kind.TIMER, Kind.RULE, Kind.NOTE, Kind.RECEIVE))
    commands = np.flatnonzero(timeline.kind == Kind.COMMAND)
    named = (timeline.label >= 0) & known[np.maximum(timeline.label, 0)] & (timeline.process >= 0)
    rows = np.flatnonzero(named & ((timeline.kind == Kind.COMMAND) if len(commands) else begins))[:MOST_WRITES]
    overlap = not timeline.m_messages
    ends = {seq: _end_of(timeline, seq) for seq in rows.tolist()} if overlap else {}
    keys = {seq: _key(timeline, seq) for seq in rows.tolist()}
    heads = None if overlap else arrows(timeline)
    found = []
    for k, b in enumerate(rows.tolist()):
        before = [] if overlap else frontiers(timeline, b, heads).past(timeline, rows[:k]).tolist()
        for at, a in enumerate(rows[:k].tolist()):
            if timeline.process[a] == timeline.process[b] or keys[a] != keys[b]:
                continue
            apart = float(timeline.time[b] - timeline.time[a])
            if ends[a] < timeline.time[b] if overlap else before[at]:
                continue
            who = [int(timeline.process[a]), int(timeline.process[b])]
            found.append(_made(timeline, "concurrent-writes", [a, b], who, _label(timeline, a), -apart))
    return found


def _end_of(timeline: Timeline, seq: int) -> float:
    after = timeline.next_event(seq + 1, int(timeline.process[seq]))
    return float(timeline.time[after]) if after >= 0 else timeline.end


def _key(timeline: Timeline, seq: int) -> str:
    fields = (timeline.trace.detail(seq) or {}).get("fields")
    return json.dumps(fields.get("key"), sort_keys=True) if isinstance(fields, dict) else "null"


def waits(timeline: Timeline) -> list[Found]:
    """Return the receipts before which a process did nothing for the longest time."""
    before = causality.previous_on_line(timeline)
    rows = np.flatnonzero((timeline.kind == Kind.RECEIVE) & (before >= 0))
    gaps = timeline.time[rows] - timeline.time[before[rows]]
    best = rows[np.argsort(-gaps, kind="stable")[:1000]].tolist()
    found = []
    for seq in best:
        since, who = int(before[seq]), [int(timeline.process[seq]), int(timeline.peer[seq])]
        waited = float(timeline.time[seq] - timeline.time[since])
        if waited > 0:
            found.append(_made(timeline, WAITS, [since, seq], who, _label(timeline, seq), waited))
    return found


#: The shapes by their names on the command line.
SHAPES = {
    "request-reply": Shape(later("Requests and replies, the slowest first"), requests),
    "broadcast": Shape(later("Broadcasts, the widest first"), broadcasts),
    "gather": Shape(later("Gathers, those from the most processes first"), gathers),
    "concurrent-writes": Shape(later("Concurrent writes, the closest first"), writes),
    WAITS: Shape(later("The longest waits"), waits),
}


def path_between(timeline: Timeline, a: int, b: int) -> tuple[int, ...]:
    """Return a causal path from event a to event b with as few messages as possible; empty if there is none.

    The path contains a, b, and the two ends of each message.
    """
    if a == b:
        return (a,)
    past = causality.past(timeline, b)
    if not past[a]:
        return ()
    allowed = past & causality.future(timeline, a)
    allowed[[a, b]] = True
    line = causality.previous_on_line(timeline)
    after = {b: -1}
    cost = {b: 0}
    queue = deque([b])
    while queue:
        seq = queue.popleft()
        if seq == a:
            break
        for before in sorted({int(line[seq]), int(timeline.cause[seq])}):
            if not 0 <= before < seq:
                continue
            hop = int(timeline.process[before] != timeline.process[seq])
            if allowed[before] and cost[seq] + hop < cost.get(before, 1 << 60):
                cost[before], after[before] = cost[seq] + hop, seq
                (queue.append if hop else queue.appendleft)(before)
    way = [a]
    while way[-1] != b:
        way.append(after[way[-1]])
    ends = {a, b}
    for one, other in pairwise(way):
        if timeline.process[one] != timeline.process[other]:
            ends |= {one, other}
    return tuple(seq for seq in way if seq in ends)
