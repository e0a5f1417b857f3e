"""A run of programs: the network between them in real time, their clients, faults, and the record of it all.

Everything happens in one event loop; a moment is the number of milliseconds since all programs were ready. What is
drawn (delays, losses, the requests of clients) comes from the named random streams of the seed. The programs take
their own time, so a run cannot be repeated; its trace can be replayed.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from functools import partial
from typing import Any

import numpy as np

from lydian.engine.end.result import Result, network_dict, versions
from lydian.model.errors import LydianError
from lydian.nodes.faults import told
from lydian.nodes.interference import Interference
from lydian.nodes.plan import with_others
from lydian.nodes.program import Census, limits
from lydian.nodes.programs import MOST_PRINTED
from lydian.nodes.recording import RUNNING, STATES
from lydian.trace.events import Kind, Trace

__all__ = ["MOST_PRINTED", "ProgramError", "Run"]


class ProgramError(LydianError):
    """A program that cannot be used in a run."""

    exit_code = 1


class Run(Interference):
    """One run."""

    def run(self) -> Result:
        """Carry out the run, and return its result; the programs have ended then.

        An interruption (Ctrl+C) ends the run, and its result is that up to this moment.
        """
        try:
            asyncio.run(self.main())
        except KeyboardInterrupt:
            self.stopped = "cancelled"
        return self.result()

    async def main(self) -> None:
        """Carry out the run."""
        loop = self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] = loop.create_future()
        loop.set_exception_handler(self._bug)
        self._census = Census()
        self._most = limits(len(self._processes))
        work = loop.create_task(self._work())
        try:
            await asyncio.wait({work, self._over}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
            if self._failure is not None:
                raise self._failure
        finally:
            self.phase = "ending"
            work.cancel()
            await self._end()
            with contextlib.suppress(asyncio.CancelledError):
                await work
            self.phase = "over"

    async def _work(self) -> None:
        self._look()
        for process in self._processes:
            await self._launch(process)
        await self._ready(self._processes)
        self._start = self._loop.time()
        for process in self._processes:
            self.recording.acted[process.code] = self.recording.row(0.0, Kind.INIT, process.code)
        for client in self.clients if self.plan.drawn else ():
            self.recording.row(0.0, Kind.INIT, self.recording.codes[client])  # which shows that it is idle
        for message in self._early:
            self._carry(message)
        self._early.clear()
        for fault in self.plan.faults:
            self._later(fault.time, partial(self._scheduled, fault))
        self.phase = "running"
        if self.workload.topology:
            await self._tell_topology()
        await asyncio.gather(*(self._client(name) for name in self.clients))
        self.phase = "settling"
        await asyncio.sleep(self.plan.settle / 1000)
        if self._tasks:  # programs that have just been started anew
            await asyncio.wait(self._tasks)
        self.phase = "last requests"
        await asyncio.gather(*(self._last(each) for each in self._processes if not each.crashed and not each.paused))
        self._stop("until")

    def trace(self) -> Trace:
        """Return the trace so far."""
        recording, plan = self.recording, self.plan
        clients = self.clients if plan.drawn else {}
        where = f"{plan.title} on {plan.network.name}"
        return Trace(
            rows=recording.recorder.rows(recording.used),
            processes=tuple(recording.processes),
            labels=tuple(recording.labels),
            states=STATES,
            detail_of=recording.recorder.detail_of,
            experiment={"name": where, "about": f"A run of programs: {' '.join(plan.command)}, {plan.workload}."},
            network=network_dict(with_others(plan.network, clients, self.services)),
            versions=versions(),
            summary=self.summary(),
        )

    def summary(self) -> dict[str, Any]:
        """Return the summary of the trace so far."""
        plan = self.plan
        return {
            "protocol": plan.title,
            "protocol_title": plan.title,
            "start": STATES[RUNNING],
            "stopped": self.stopped,
            "error": self.error,
            "checks": [each.to_dict() for each in self.checks] if self.stopped else [],
            "own": self.measures() if self.stopped else {},
            "programs": {
                "command": list(plan.command),
                "workload": plan.workload,
                "clients": list(self.clients) if plan.drawn else [],
                "services": list(self.services),
                "faults": [told(each) for each in plan.faults],
                "done": [each.to_dict() for each in self.done],
            },
        }

    def judge(self) -> None:
        """Check the history; after an error nothing is checked."""
        if self.judging and self.stopped in ("until", "limit", "cancelled"):
            self.checks = list(self.workload.check(self.history))

    def measures(self) -> dict[str, float]:
        """Return the measures of the clients' operations."""
        asked = [each for each in self.history if each.type != "topology"]
        latencies = sorted(each.latency for each in asked if each.ok)
        own: dict[str, float] = {
            "operations": len(asked),
            "succeeded": sum(each.outcome == "ok" for each in asked),
            "failed": sum(each.outcome == "fail" for each in asked),
            "unknown outcome": sum(each.outcome == "unknown" for each in asked),
        }
        if asked:
            rows = self.recording.recorder.rows(self.recording.used)
            clients = [self.recording.codes[name] for name in self.clients if self.plan.drawn]
            sent = rows[rows["kind"] == Kind.SEND]
            outside = np.isin(sent["process"], clients) | np.isin(sent["peer"], clients)
            own["messages between programs"] = between = int((~outside).sum())
            own["messages per operation"] = round(between / len(asked), 2)
        for name, share in (("median", 0.5), ("95 %", 0.95), ("longest", 1.0)):
            if latencies:
                place = min(len(latencies) - 1, math.ceil(share * len(latencies)) - 1)
                own[f"latency, {name} (ms)"] = round(latencies[max(place, 0)], 3)
        return own | self.workload.measure(self.history)

    def result(self) -> Result:
        """Check the history, and return the result."""
        from lydian.trace.measures import measures

        self.judge()
        record = self.trace()
        return Result(
            protocol=self.plan.title,
            network=self.plan.network.name,
            seed=self.plan.seed,
            events=self.recording.events,
            messages=self.recording.messages,
            time=self.recording.time,
            chain=self.recording.chain,
            stopped=self.stopped or "cancelled",
            fingerprint=record.fingerprint(),
            checks=tuple(self.checks),
            measures=measures(record),
            decided={},
            judged_every=1,
            error=self.error,
            trace=record,
        )
