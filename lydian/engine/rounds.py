"""Synchronous rounds: all messages sent in one round arrive in the next, and each process acts once on all of them.

A round begins at every integral time. Messages sent before it are kept in the kernel's queue like any delivery, so
that they can be lost, dropped, duplicated and inspected as usual. The round removes all of them at once and gives each
process its messages as a list; delays have no effect. The rows in the trace are, for each process, the messages that
it receives, then its row ``ROUND``, then the effects of its action.

The model is that of Lynch, Distributed Algorithms, 1996, chapter 2.
"""

from __future__ import annotations

import gc
import math
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Any

from lydian.engine.channel import Channel
from lydian.engine.execution import Execution
from lydian.engine.kernel import NONE
from lydian.engine.overlay import Overlay, Way
from lydian.engine.queue import Delivery, Waiting
from lydian.model.names import natural
from lydian.model.protocol.process import Process
from lydian.model.protocol.rounds import ROUND
from lydian.trace.events import Kind

__all__ = ["Rounds"]

#: A round comes after the interventions at its time, and before all other events at that time.
_PRIORITY = 0.5
_WAY = partial(tuple.__new__, Way)


class Rounds:
    """The rounds of one run.

    Attributes:
        number: the number of the current or last round; 0 before the first.
    """

    def __init__(self, execution: Execution, channels: Sequence[Channel], overlay: Overlay | None) -> None:
        self.number = 0
        self._kernel = execution.kernel
        self._execution = execution
        self._processes = execution.processes
        names = sorted((p._name for p in execution.processes), key=natural)
        place = {name: i for i, name in enumerate(names)}
        self._place = [place[p._name] for p in execution.processes]
        self._armed = False
        self._wanting: dict[int, int] = {}
        self._coming: list[Any] = []  # messages sent in the current round
        self._overlay = None if channels else overlay
        self._plain_apply = execution.kernel.apply
        self._event = ROUND()
        execution.collect, execution.want = self.collect, self.want
        execution.closely = True
        for p in execution.processes:
            p._slow = True
            execution.doors.setdefault(p._i, deque())
        for channel in channels:
            channel.draw = self.wait
        if overlay is not None:
            overlay.wait = self.wait

    def wait(self) -> float:
        """Return the time until the next round, which is the delay of a message that is sent now."""
        self._arm()
        return self._next - self._kernel._now

    def _arm(self) -> None:
        """Schedule the next round, unless it has already been scheduled."""
        if not self._armed:
            self._armed = True
            self._next = math.floor(self._kernel._now) + 1.0
            self._kernel.at(self._next, self.tick, int(self._next), _PRIORITY)  # type: ignore[arg-type]

    def want(self, p: Process, cause: int) -> None:
        """Schedule the next round for a process, even if no message arrives."""
        self._arm()
        self._wanting[p._i] = cause

    def collect(self, p: Process, delivery: Delivery) -> None:
        """Keep a message that arrives between two rounds, having been delayed or forged, until the next round."""
        self._arm()
        self._execution.doors[p._i].append(
            Waiting(Kind.RECEIVE, delivery.message, delivery.time, delivery, delivery.sent)
        )

    def tick(self, number: int) -> None:
        """Execute a round: each process receives the messages that were sent to it, and acts."""
        collecting = gc.isenabled()
        gc.disable()  # a round's objects live until the next one; collecting garbage would take a third of the time
        try:
            self._tick(number)
        finally:
            if collecting:
                gc.enable()

    def _tick(self, number: int) -> None:
        execution, place = self._execution, self._place
        arrived = self._kernel.queue.arrived(self._kernel._now + 0.5, place)
        wanting, self._wanting = self._wanting, {}
        self._armed, self.number = False, number
        last = NONE
        plain = (
            self._overlay is not None and self._overlay.plain and self._kernel.apply is self._plain_apply
        )  # sending is direct: no links, no loss, no planned faults, no liars
        try:
            for i in sorted(arrived.keys() | wanting.keys(), key=place.__getitem__):
                p = self._processes[i]
                mine = arrived.get(i, [])
                if p._crashed:
                    for entry in mine:
                        execution.drop(Delivery._make(entry), "crash")
                else:
                    last = self._act(p, mine, wanting.get(i, NONE), plain)
        finally:
            self._leave()
        if execution.check is not None and last != NONE:
            execution.check(last)

    def _leave(self) -> None:
        """Add the messages sent in this round to the queue."""
        if self._coming:
            self._arm()
            self._kernel.queue.push_all(self._coming)
            self._coming = []

    def _act(self, p: Process, arrived: list[Any], cause: int, plain: bool) -> int:
        """Execute the round of one process; return the ``seq`` of its row."""
        kernel, execution = self._kernel, self._execution
        mail: list[tuple[Any, Any]] = []
        if arrived:
            cause, mail = kernel.gather(p, arrived)
            if execution.overhear is not None:
                for m, _ in mail:
                    execution.overhear(p, m)
        action = p._cells.get(p.state, {}).get(ROUND)
        if action is None:
            execution.failed(p, self._event, KeyError(ROUND))
            return NONE
        changed = kernel.act(p, action, self._event, mail)
        detail = None if changed is None else "{" + changed + "}"
        seq = kernel.row(Kind.TIMER, p, cause, detail, label=execution.kinds[ROUND][0], ticks=True)
        if plain:
            assert self._overlay is not None
            kernel.spread(p, seq, kernel._now + 1.0, self._overlay.named, _WAY, self._coming)
        else:
            kernel.apply(p, seq)
        return seq
