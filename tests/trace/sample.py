"""Executions for tests, created without the engine: a small ECHO simulation, and random rows.

The simulation is written independently, from the specification of the rows, so that readers of traces are not tested
against their own writer.
"""

from __future__ import annotations

import heapq
import json
import random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from lydian.trace.events import NO_STATE, ROW, Kind, Trace

STATES = ("sleeping", "waiting", "acked", "initiating", "finished")
LABELS = ("Broadcast", "Ack")
SLEEPING, WAITING, ACKED, INITIATING, FINISHED = range(5)
BROADCAST, ACK = range(2)

Links = list[tuple[int, int]]

HAPPENINGS = [*["send"] * 3, *["receive"] * 3, "drop", "init", "timer", "note", "crash", "link"]


def grid(width: int, height: int) -> Links:
    """Return the links of a grid of processes."""
    right = [(y * width + x, y * width + x + 1) for y in range(height) for x in range(width - 1)]
    return right + [(y * width + x, y * width + x + width) for y in range(height - 1) for x in range(width)]


class Rows:
    """Collects rows, and maintains Lamport clocks and chain lengths."""

    def __init__(self, n: int) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.details: dict[int, str] = {}
        self.lamport, self.chain = [0] * n, [0] * n
        self.messages: list[tuple[int, int, int, int, int, int]] = []  # source, target, label, seq, lamport, chain

    def add(self, time: float, kind: int, process: int, state: int = NO_STATE, **more: Any) -> int:
        detail = more.pop("detail", None)
        seq = len(self.rows)
        if detail:
            self.details[seq] = json.dumps(detail)
        values = {"peer": -1, "message": -1, "cause": -1, "bits": -1, "label": -1} | more
        if "lamport" not in values:
            self.lamport[process] += 1
            values |= {"lamport": self.lamport[process], "chain": self.chain[process]}
        values |= {"time": time, "kind": kind, "process": process, "state": state, "round": int(time)}
        self.rows.append(tuple(values[name] for name in ROW.names or ()))
        return seq

    def send(self, time: float, p: int, q: int, label: int, state: int, cause: int, bits: int = 8) -> int:
        message = len(self.messages)
        seq = self.add(time, Kind.SEND, p, state, peer=q, message=message, label=label, cause=cause, bits=bits)
        self.messages.append((p, q, label, seq, self.lamport[p], self.chain[p]))
        return message

    def receive(self, time: float, message: int, state: int, **more: Any) -> int:
        p, q, label, sent, lamport, chain = self.messages[message]
        self.lamport[q] = max(self.lamport[q], lamport)
        self.chain[q] = max(self.chain[q], chain + 1)
        return self.add(
            time, Kind.RECEIVE, q, state, peer=p, message=message, label=label, cause=sent, bits=8, **more
        )  # fmt: skip

    def drop(self, time: float, message: int, reason: str) -> int:
        p, q, label, sent, lamport, chain = self.messages[message]
        more = {"peer": p, "message": message, "label": label, "cause": sent, "bits": 8}
        return self.add(time, Kind.DROP, q, lamport=lamport, chain=chain, detail={"reason": reason}, **more)

    def trace(self, n: int, **more: Any) -> Trace:
        return Trace(
            rows=np.array(self.rows, dtype=ROW),
            processes=tuple(str(i) for i in range(n)),
            labels=LABELS,
            states=STATES,
            detail_of=self.details.get,
            **more,
        )


def echo(n: int, links: Links, seed: int = 0, loss: float = 0.0, step: float = 0.0, initiator: int = 0) -> Trace:  # noqa: C901 - a whole execution in one place
    """Return an execution of ECHO; with ``step``, each step takes this long and messages wait for the process."""
    draw = random.Random(seed)
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for a, b in links:
        neighbours[a].append(b)
        neighbours[b].append(a)
    out = Rows(n)
    state, parent, pending = [SLEEPING] * n, [None] * n, [set() for _ in range(n)]  # type: ignore[var-annotated]
    door: list[list[tuple[float, int]]] = [[] for _ in range(n)]
    busy = [False] * n
    queue: list[tuple[float, int, str, Any]] = []
    count = 0

    def later(time: float, what: str, argument: Any) -> None:
        nonlocal count
        heapq.heappush(queue, (time, count, what, argument))
        count += 1

    def act(time: float, q: int, message: int | None, waited: float) -> None:
        sends: list[tuple[int, int]] = []
        before = (parent[q], sorted(pending[q]))
        p, label = (None, None) if message is None else (out.messages[message][0], out.messages[message][2])
        if state[q] == SLEEPING:
            state[q] = INITIATING if message is None else WAITING
            parent[q] = None if p is None else str(p)
            pending[q] = set(neighbours[q]) - {p}
            sends += [(r, BROADCAST) for r in sorted(pending[q])]
        elif label == BROADCAST:
            sends.append((p, ACK))
        else:
            pending[q].discard(p)
        decided = False
        if not pending[q] and state[q] in (INITIATING, WAITING) and (label != BROADCAST or not sends):
            decided = state[q] == INITIATING
            state[q] = FINISHED if decided else ACKED
            if not decided:
                sends.append((int(parent[q]), ACK))
        after = (parent[q], sorted(pending[q]))
        changed = {k: v for k, v, w in zip(("parent", "pending"), after, before, strict=True) if v != w}
        detail = {"changed": changed} if changed else {}
        if step:
            detail["busy"] = step
        if waited:
            detail["waited"] = waited
        if message is None:
            seq = out.add(time, Kind.INIT, q, state[q], detail=detail)
        else:
            seq = out.receive(time, message, state[q], detail=detail)
        if step:
            busy[q] = True
            later(time + step, "done", (q, seq, state[q], sends, decided))
        else:
            effects(time, q, seq, state[q], sends, decided)

    def effects(time: float, q: int, seq: int, code: int, sends: list[tuple[int, int]], decided: bool) -> None:
        for r, label in sends:
            message = out.send(time, q, r, label, code, seq)
            later(time + draw.uniform(0.5, 1.5), "arrive", message)
        if decided:
            out.add(time, Kind.DECIDE, q, code, cause=seq, detail={"value": True})

    later(0.0, "init", None)
    while queue:
        time, _, what, argument = heapq.heappop(queue)
        if what == "init":
            act(time, initiator, None, 0.0)
        elif what == "arrive":
            q = out.messages[argument][1]
            if draw.random() < loss:
                out.drop(time, argument, "loss")
            elif busy[q]:
                door[q].append((time, argument))
            else:
                act(time, q, argument, 0.0)
        else:
            q, seq, code, sends, decided = argument
            effects(time, q, seq, code, sends, decided)
            busy[q] = False
            if door[q]:
                arrived, message = door[q].pop(0)
                act(time, q, message, time - arrived)
    return out.trace(
        n,
        experiment={"name": "sample", "protocol": "echo", "seed": seed},
        network={"graph": {"name": "sample"}, "links": [{"source": str(a), "target": str(b)} for a, b in links]},
        source='"""Echo."""\n',
        versions={"lydian": "0"},
        summary={"stopped": "quiescent", "start": "sleeping", "initial": {"parent": None, "pending": []}},
    )


@st.composite
def traces(draw: st.DrawFn, most: int = 60, processes: int = 5) -> Trace:
    """Generate random executions: messages received, lost or left in transit, timers, faults of processes and links."""
    n = draw(st.integers(1, processes))
    out = Rows(n)
    state = [SLEEPING] * n
    trigger: list[int] = [-1] * n  # the last event of each process that began a step
    flying: list[int] = []
    time = 0.0
    someone = st.integers(0, n - 1)
    for _ in range(draw(st.integers(0, most))):
        time += draw(st.sampled_from([0.0, 0.25, 1.0]))
        what = draw(st.sampled_from(HAPPENINGS))
        p = draw(someone)
        if what == "send" and trigger[p] >= 0 and n > 1:
            q = draw(someone.filter(lambda q, p=p: q != p))
            flying.append(out.send(time, p, q, draw(st.integers(0, 1)), state[p], trigger[p]))
        elif what in ("receive", "drop") and flying:
            message = flying.pop(draw(st.integers(0, len(flying) - 1)))
            q = out.messages[message][1]
            if what == "drop":
                out.drop(time, message, "loss")
                continue
            state[q] = draw(st.integers(0, 4))
            busy = draw(st.sampled_from([None, 0.5]))
            changed = draw(st.dictionaries(st.sampled_from(["x", "y"]), st.integers(0, 3), max_size=2))
            detail = {"changed": changed} if changed else {}
            trigger[q] = out.receive(time, message, state[q], detail=detail | ({"busy": busy} if busy else {}))
        elif what in ("init", "timer"):
            trigger[p] = out.add(time, Kind.INIT if what == "init" else Kind.TIMER, p, state[p], cause=trigger[p])
        elif what == "note" and trigger[p] >= 0:
            out.add(time, Kind.NOTE, p, state[p], cause=trigger[p], detail={"text": "ä\n,\"'"})
        elif what == "crash":
            out.add(time, draw(st.sampled_from([Kind.CRASH, Kind.RECOVER])), p, state[p])
        elif what == "link" and n > 1:
            q = draw(someone.filter(lambda q, p=p: q != p))
            kind = draw(st.sampled_from([Kind.LINK_DOWN, Kind.LINK_UP]))
            out.add(time, kind, p, peer=q, lamport=0, chain=0)
    return out.trace(n, summary={"start": "sleeping", "initial": {"x": 0}})


def same(a: Trace, b: Trace) -> None:
    """Assert that two traces are equal, details and metadata included."""
    assert a.rows.dtype == b.rows.dtype
    assert a.rows.tolist() == b.rows.tolist()
    assert (a.processes, a.labels, a.states) == (b.processes, b.labels, b.states)
    assert [a.detail(i) for i in range(len(a))] == [b.detail(i) for i in range(len(b))]
    assert (a.experiment, a.network, a.source) == (b.experiment, b.network, b.source)
    assert (a.versions, a.summary) == (b.versions, b.summary)
