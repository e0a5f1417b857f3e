"""Synchronous rounds: all that was sent in one round arrives in the next, and every process acts once on all of it.

A round begins at every whole number of time.  What is sent before it, whenever that was, lies in the kernel's queue as
any delivery does, so that messages are lost, dropped, repeated and looked at as always; the round takes all of them
out at once and hands each process its own as a list.  Delays play no part.  Rows of the trace: those messages that a
process receives, then its row ``ROUND``, then what its action has asked for.

The model is that of Lynch, Distributed Algorithms, 1996, chapter 2.
"""

from __future__ import annotations

import gc
import math
from collections import defaultdict, deque
from functools import partial
from heapq import heapify
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from lydian.engine.kernel import NONE
from lydian.engine.overlay import Way
from lydian.model.names import natural
from lydian.model.process import Process
from lydian.model.rounds import ROUND
from lydian.trace.events import Kind

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["Rounds", "rounds_of"]

#: A round comes after what was done to the execution at its time, and before everything else of it.
_PRIORITY = 0.5
_BY_SENDING = itemgetter(2)
_WAY = partial(tuple.__new__, Way)


class Rounds:
    """Keeps the rounds of one run.

    Attributes:
        number: of the round that is under way, or was last; 0 before the first.
    """

    def __init__(self, simulator: Simulator) -> None:
        self.number = 0
        self._kernel = simulator.kernel
        self._execution = simulator.execution
        self._processes = simulator.processes
        names = sorted((p._name for p in simulator.processes), key=natural)
        place = {name: i for i, name in enumerate(names)}
        self._place = [place[p._name] for p in simulator.processes]
        self._armed = False
        self._wanting: dict[int, int] = {}
        self._coming: list[Any] = []  # what is sent in the round that is under way
        self._overlay = None if simulator.network.m or simulator.overlay is None else simulator.overlay
        self._plain_apply = simulator.kernel.apply
        self._event = ROUND()
        execution = simulator.execution
        execution.rounds = self
        execution.closely = True
        for p in simulator.processes:
            p._slow = True
            execution.doors.setdefault(p._i, deque())
        for channel in simulator.channels:
            channel.draw = self.wait
        if simulator.overlay is not None:
            simulator.overlay.wait = self.wait

    def wait(self) -> float:
        """The time until the next round: what a message takes that is sent now."""
        self._arm()
        return self._next - self._kernel._now

    def _arm(self) -> None:
        """There will be a next round."""
        if not self._armed:
            self._armed = True
            self._next = math.floor(self._kernel._now) + 1.0
            self._kernel.at(self._next, self.tick, int(self._next), _PRIORITY)  # type: ignore[arg-type]

    def want(self, p: Process, cause: int) -> None:
        """A process wants the next round although nothing may arrive."""
        self._arm()
        self._wanting[p._i] = cause

    def collect(self, p: Process, entry: Any) -> None:
        """A message arrives between two rounds, because somebody has delayed or forged it: it waits for the next."""
        self._arm()
        self._execution.doors[p._i].append((entry, Kind.RECEIVE, (entry[5], entry[4]), (entry[5], entry[4].name)))

    def tick(self, number: int) -> None:
        """The round of this number: every process receives what was sent to it, and acts."""
        collecting = gc.isenabled()
        gc.disable()  # what a round makes stays until the next, and looking through all of it takes a third of the time
        try:
            self._tick(number)
        finally:
            if collecting:
                gc.enable()

    def _tick(self, number: int) -> None:
        execution, place = self._execution, self._place
        arrived = self._arrived()
        wanting, self._wanting = self._wanting, {}
        self._armed, self.number = False, number
        last = NONE
        plain = (
            self._overlay is not None and self._overlay.plain and self._kernel.apply is self._plain_apply
        )  # nothing stands between two processes: no link, no loss, no planned fault, no liar
        try:
            for i in sorted(arrived.keys() | wanting.keys(), key=place.__getitem__):
                p = self._processes[i]
                entries = arrived.get(i, [])
                if p._crashed:
                    for entry in entries:
                        execution.drop(entry, "crash")
                else:
                    last = self._act(p, entries, wanting.get(i, NONE), plain)
        finally:
            self._leave()
        if execution.check is not None and last != NONE:
            execution.check(last)

    def _arrived(self) -> dict[int, list[Any]]:
        """Takes the messages of this round from the queue and the doors: index of the receiver -> its deliveries, by
        sender, and as sent."""
        place = self._place
        queue: list[Any] = self._kernel._queue
        end = self._kernel._now + 0.5
        mine = [entry for entry in queue if len(entry) == 12 and entry[0] < end]
        found: dict[int, list[Any]] = defaultdict(list)
        if mine:
            queue[:] = [entry for entry in queue if len(entry) != 12 or entry[0] >= end]
            heapify(queue)
        for door in self._execution.doors.values():
            if door:
                mine += [item[0] for item in door]
                door.clear()
        mine.sort(key=_BY_SENDING)
        mine.sort(key=lambda entry: place[entry[4].source_i])  # mostly in order already, which takes no time
        for entry in mine:
            found[entry[4].target._i].append(entry)
        return found

    def _leave(self) -> None:
        """What was sent is under way."""
        if self._coming:
            self._arm()
            queue: list[Any] = self._kernel._queue
            queue += self._coming
            heapify(queue)
            self._coming = []

    def _act(self, p: Process, entries: list[Any], cause: int, plain: bool) -> int:
        """The round of one process; gives the ``seq`` of its row."""
        kernel, execution = self._kernel, self._execution
        if entries:
            cause = kernel.gather(p, entries)
            if execution.overhear is not None:
                for entry in entries:
                    execution.overhear(p, entry[5])
        action = p._cells.get(p.state, {}).get(ROUND)
        if action is None:
            execution.failed(p, self._event, KeyError(ROUND))
            return NONE
        changed = kernel.act(p, action, self._event, [(entry[5], entry[4].name) for entry in entries])
        p._lamport += 1
        label, state = execution.kinds[ROUND][0], execution.state_codes[p.state]
        detail = None if changed is None else "{" + changed + "}"
        seq = kernel.row(
            Kind.TIMER, p._i, NONE, NONE, label, state, p._lamport, p._chain, cause, NONE, detail
        )
        if plain:
            assert self._overlay is not None
            kernel.spread(p, seq, kernel._now + 1.0, self._overlay.named, _WAY, self._coming)
        else:
            kernel.apply(p, seq)
        return seq


def rounds_of(simulator: Simulator) -> Rounds | None:
    """The rounds of a run, if its protocol works in rounds."""
    return Rounds(simulator) if simulator.protocol.rounds else None
