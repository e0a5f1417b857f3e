"""Executions written by hand, and ECHO runs of a small simulator: traces for tests that need no engine.

They contain everything that views read from a trace: rows, details with changed variables, network, source, summary.
"""

from __future__ import annotations

import heapq
import json
import math
import random
from typing import Any

import numpy as np

from lydian.trace.events import KINDS, NO_STATE, ROW, Trace

SOURCE = '''"""Echo: broadcast with acknowledgements."""
from lydian import INIT, ANY, Message, Process, on, states

SLEEPING, WAITING, ACKED, INITIATING, FINISHED = states("sleeping", "waiting", "acked", "initiating", "finished",
                                                        reads={"sleeping": "is asleep", "acked": "has acknowledged"})
AWAKE = (WAITING, ACKED, INITIATING, FINISHED)

class Broadcast(Message):
    """The news, on its way out."""
    payload: str = ""


class Ack(Message):
    """All whom I told have heard it."""


class Echo(Process):
    messages = "4*m - 2*n + 2"

    state = SLEEPING
    parent: str | None = None
    pending: frozenset[str] = frozenset()

    @on(SLEEPING, INIT)
    def start(self):
        pass

    @on(SLEEPING, Broadcast)
    def forward(self, m, q):
        pass

    @on(AWAKE, Broadcast)
    def again(self, m, q):
        pass

    @on(ANY, Ack)
    def collect(self, m, q):
        pass
'''
STATES = ("sleeping", "waiting", "acked", "initiating", "finished")
LABELS = ("Broadcast", "Ack")
POSITIONS = {
    "0": (90, 250), "1": (225, 105), "2": (238, 385), "3": (395, 235), "4": (400, 70), "5": (420, 440),
    "6": (560, 340), "7": (575, 150), "8": (725, 425), "9": (745, 250), "10": (735, 75), "11": (880, 330),
}  # fmt: skip
LINKS = [
    ("0", "1"), ("0", "2"), ("0", "3"), ("1", "3"), ("1", "4"), ("3", "5"), ("3", "6"), ("3", "7"), ("4", "7"),
    ("5", "6"), ("5", "8"), ("6", "8"), ("6", "9"), ("7", "9"), ("7", "10"), ("8", "11"), ("9", "11"),
]  # fmt: skip


class Book:
    """A recorder of events that produces a trace; clocks and causes are maintained as in the engine."""

    def __init__(
        self,
        processes: tuple[str, ...],
        *,
        labels: tuple[str, ...] = LABELS,
        states: tuple[str, ...] = STATES,
        links: list[tuple[str, str]] | None = None,
        source: str = SOURCE,
    ) -> None:
        self.processes, self.labels, self.states = processes, labels, states
        self.links = LINKS if links is None else links
        self.source = source
        self.rows: list[tuple[Any, ...]] = []
        self.details: dict[int, str] = {}
        self.lamport = dict.fromkeys(processes, 0)
        self.state = dict.fromkeys(processes, states[0])
        self.sent = 0

    def write(
        self,
        time: float,
        kind: str,
        process: str | None = None,
        peer: str | None = None,
        /,
        *,
        label: str | None = None,
        message: int = -1,
        state: str | None = None,
        cause: int = -1,
        bits: int = -1,
        lamport: int | None = None,
        **detail: Any,
    ) -> int:
        """Record an event; return its ``seq``."""
        seq = len(self.rows)
        if process is not None:
            if state is not None:
                self.state[process] = state
            if lamport is None:
                seen = self.rows[cause][4] if kind == "receive" and cause >= 0 else 0
                lamport = max(self.lamport[process], seen) + 1
            self.lamport[process] = lamport
        code = NO_STATE if process is None else self.states.index(self.state[process])
        self.rows.append(
            (
                time,
                -1 if process is None else self.processes.index(process),
                -1 if peer is None else self.processes.index(peer),
                message,
                lamport or 0,
                0,
                cause,
                bits,
                seq,
                -1 if label is None else self.labels.index(label),
                KINDS.index(kind),
                code,
            )
        )
        if detail:
            self.details[seq] = json.dumps(detail)
        return seq

    def send(
        self, time: float, process: str, peer: str, label: str, cause: int = -1, bits: int = 8, **detail: Any
    ) -> tuple[int, int]:
        """Record a send row; return the number of the message and the ``seq``."""
        number, self.sent = self.sent, self.sent + 1
        seq = self.write(time, "send", process, peer, label=label, message=number, cause=cause, bits=bits, **detail)
        return number, seq

    def trace(self, **summary: Any) -> Trace:
        """Return the trace recorded so far."""
        return Trace(
            rows=np.array(self.rows, dtype=ROW),
            processes=self.processes,
            labels=self.labels,
            states=self.states,
            detail_of=self.details.get,
            experiment={"name": "two-wings", "protocol": "echo", "network": "two-wings", "seed": 291},
            network={
                "directed": False,
                "multigraph": False,
                "graph": {"name": "two-wings", "initiators": list(self.processes[:1])},
                "nodes": [
                    {"id": name, "x": POSITIONS.get(name, (0, 0))[0], "y": POSITIONS.get(name, (0, 0))[1]}
                    for name in self.processes
                ],
                "links": [{"source": a, "target": b} for a, b in self.links],
            },
            source=self.source,
            summary={
                "start": self.states[0],
                "initial": {"parent": None, "pending": []},
                "protocol_title": "Echo",
                **summary,
            },
        )


def echo(
    processes: tuple[str, ...] = tuple(POSITIONS),
    links: list[tuple[str, str]] | None = None,
    seed: int = 291,
    *,
    step: tuple[float, float] = (0.12, 0.30),
    bits: tuple[int, int] = (8, 8),
) -> Trace:
    """Return a whole ECHO run by a simple event loop: log-normal delays, and processes that handle one message at a
    time.
    """
    book = Book(processes, links=links)
    rng = random.Random(seed)
    near: dict[str, list[str]] = {name: [] for name in processes}
    for a, b in book.links:
        near[a].append(b)
        near[b].append(a)
    parent: dict[str, str] = {}
    pending = {name: set[str]() for name in processes}
    free = dict.fromkeys(processes, 0.0)
    queue: list[tuple[float, int, str, str | None, str, int, int]] = [(0.35, 0, processes[0], None, "", -1, -1)]
    ticket = 1

    def push(*entry: Any) -> None:
        nonlocal ticket
        heapq.heappush(queue, (entry[0], ticket, *entry[1:]))
        ticket += 1

    def effects(row: int, time: float, who: str, out: list[tuple[str, str]]) -> None:
        for to, label in out:
            number, seq = book.send(time, who, to, label, row, bits[LABELS.index(label)])
            push(time + math.exp(rng.gauss(-0.09, 0.43)), to, who, label, number, seq)

    later: list[tuple[float, int, str, list[tuple[str, str]]]] = []
    while queue or later:
        if later and (not queue or later[0][0] <= queue[0][0]):
            time, row, who, out = heapq.heappop(later)
            effects(row, time, who, out)
            continue
        time, _, who, peer, label, number, cause = heapq.heappop(queue)
        if time < free[who]:
            push(free[who], who, peer, label, number, cause)
            continue
        busy = rng.uniform(*step)
        free[who] = time + busy
        state, changed, out = _react(book.state[who], who, peer, label, near, parent, pending)
        kind = "init" if peer is None else "receive"
        row = book.write(
            time, kind, who, peer, label=label or None, message=number, state=state, cause=cause,
            **({"changed": changed} if changed else {}), busy=busy,
        )  # fmt: skip
        if state == "finished":
            book.write(time, "decide", who, cause=row, value="done")
        heapq.heappush(later, (time + busy, row, who, out))
    checks = [{"name": "everybody has heard", "kind": "at_end", "holds": True, "at": len(book.rows)}]
    return book.trace(stopped="quiescent", checks=checks, error=None, decided={processes[0]: "done"})


def _react(
    state: str,
    who: str,
    peer: str | None,
    label: str,
    near: dict[str, list[str]],
    parent: dict[str, str],
    pending: dict[str, set[str]],
) -> tuple[str, dict[str, Any], list[tuple[str, str]]]:
    """Apply ECHO's table: the next state, the changed variables, the messages to send."""
    out: list[tuple[str, str]] = []
    if label == "Broadcast" and state != "sleeping":
        assert peer is not None
        return state, {}, [(peer, "Ack")]
    changed: dict[str, Any] = {}
    if label == "Ack":
        assert peer is not None
        pending[who].discard(peer)
    else:
        if peer is not None:
            parent[who] = changed["parent"] = peer
        state = "initiating" if peer is None else "waiting"
        pending[who] = {name for name in near[who] if name != peer}
        out = [(name, "Broadcast") for name in near[who] if name != peer]
    changed["pending"] = sorted(pending[who], key=int)
    if not pending[who]:
        if state == "initiating":
            state = "finished"
        else:
            out.append((parent[who], "Ack"))
            state = "acked"
    return state, changed, out
