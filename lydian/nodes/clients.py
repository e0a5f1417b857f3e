"""The clients of a run: they make the requests of its workload."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from random import Random
from typing import Any

from lydian.model.errors import shown
from lydian.model.streams import stream_key
from lydian.nodes.course import Message, Process
from lydian.nodes.history import Operation
from lydian.nodes.network import fields, written
from lydian.nodes.programs import Programs
from lydian.nodes.recording import IDLE, WAITING, contents
from lydian.trace.events import Kind

__all__ = ["Clients"]


class Clients(Programs):
    """A run whose clients ask its programs."""

    async def _ask(self, client: str, process: Process, body: Mapping[str, Any], *, last: bool = False) -> Operation:
        """Make a request, wait for the reply, and check its form."""
        recording = self.recording
        self._requests += 1
        number = self._requests
        whole = {**body, "msg_id": number}
        operation = Operation(client, process.name, dict(body), self.now(), last=last)
        self.history.append(operation)
        future: asyncio.Future[tuple[Mapping[str, Any], int]] = self._loop.create_future()
        self._replies[number] = client, future
        line = written(client, process.name, whole)
        label = recording.label(body["type"])
        if self.plan.drawn:
            code = recording.codes[client]
            recording.states[code] = WAITING
            message = self._message(code, process.code, whole, line, label, -1, 8 * len(line))
            operation.asked = message.sent
            self._arrive(message)
        else:
            operation.asked = self._command(process, whole, line, label)
        try:
            reply, seq = await asyncio.wait_for(future, self.plan.timeout / 1000)
        except TimeoutError:
            self._replies.pop(number, None)
            return operation
        finally:
            if self.plan.drawn:
                recording.states[recording.codes[client]] = IDLE
        operation.answered(reply, self.now(), seq)
        if operation.ok:
            problem = self.workload.replies[operation.type].problem(reply)
            if problem:
                self.fail(f"{process.name} answered {operation.type} with {shown(dict(reply))}: the reply {problem}",
                          process.name)  # fmt: skip
        self.workload.taken(operation)
        return operation

    def _command(self, process: Process, body: Mapping[str, Any], line: bytes, label: int) -> int:
        """Give a request to a process as a command, if clients are not processes of the trace."""
        if process.crashed or process.paused or process.program is None:
            if process.paused:
                process.held.append(Message(-1, -1, process.code, line, body, label, 0, -1, 0, 0))
            return -1
        seq = self.recording.row(self.now(), Kind.COMMAND, process.code, label=label, detail=contents({}, fields(body)))
        self.recording.acted[process.code] = process.asked[body["msg_id"]] = seq
        process.program.write(line)
        return seq

    async def _tell_topology(self) -> None:
        """Tell each process its neighbours, before any other request."""
        network = self.plan.network
        topology = {name: list(network.neighbours(name)) for name in network.processes}
        found = await asyncio.gather(*(
            self._ask(self._asker(each), each, {"type": "topology", "topology": topology})
            for each in self._processes if not each.crashed
        ))  # fmt: skip
        for each in found:
            if not each.ok and not self._by_name[each.process].crashed:
                had = "an error" if each.reply is not None else "nothing"
                self.fail(f"{each.process} answered topology with {had} within {self.plan.timeout:g} ms; must be "
                          "topology_ok", each.process)  # fmt: skip

    async def _client(self, name: str) -> None:
        """Make requests until the time is up."""
        plan = self.plan
        draw = Random(stream_key(plan.seed, "client", name))
        process = self._by_name[self.clients[name]]
        mean = 1000 * len(self.clients) / plan.rate
        next_ = draw.uniform(0, mean)
        began = self.now()
        while max(began + next_, self.now()) < plan.duration:
            await asyncio.sleep(max(began + next_ - self.now(), 0.0) / 1000)
            body = self.workload.request(name, draw)
            await self._ask(name, process, body)
            next_ = max(next_ + draw.uniform(0, 2 * mean), self.now() - began - 2 * mean)

    def _asker(self, process: Process) -> str:
        """Return the client that asks a process, or the first client if none does."""
        mine = (client for client, name in self.clients.items() if name == process.name)
        return next(mine, next(iter(self.clients)))

    async def _last(self, process: Process) -> None:
        """Make the last requests of one process."""
        requests, client = self.workload.last(), self._asker(process)
        try:
            body = next(requests)
            while True:
                body = requests.send(await self._ask(client, process, body, last=True))
        except StopIteration:
            return
