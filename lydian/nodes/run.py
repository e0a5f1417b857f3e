"""A run of programs: the network between them in real time, their clients, faults, and the record of it all.

Everything happens in one event loop; a moment is the number of milliseconds since all programs were ready. What is
drawn (delays, losses, the requests of clients) comes from the named random streams of the seed. The programs take
their own time, so a run cannot be repeated; its trace can be replayed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import signal
import sys
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import numpy as np

from lydian.engine.checks import Judgement
from lydian.engine.end.result import Result, network_dict, versions
from lydian.model.delays import Distribution
from lydian.model.errors import LydianError, shown
from lydian.model.interventions.kind import Intervention
from lydian.model.streams import stream_key
from lydian.nodes.faults import told
from lydian.nodes.history import History, Operation
from lydian.nodes.lines import Lines, Wall
from lydian.nodes.plan import Plan, with_others
from lydian.nodes.program import Census, Program, leftovers, limits
from lydian.nodes.recording import IDLE, PAUSED, RUNNING, SERVING, STATES, WAITING, Recording, contents
from lydian.nodes.services import SERVICES, Service
from lydian.trace.events import Kind, Trace

__all__ = ["MOST_PRINTED", "ProgramError", "Run"]

#: The lines on standard error that are recorded of each process, and the length to which they are cut.
MOST_PRINTED, LONGEST_PRINTED = 2000, 500
#: The largest number of messages in transit.
MOST_FLYING = 200_000
#: The seconds between two looks at the number of processes, and those that programs have to end by themselves.
_LOOK, _PATIENCE = 0.25, 0.5
#: The seconds in which processes that were left behind are ended, and between two looks at them.
_LAST_PATIENCE, _TURN = 5.0, 0.01


class ProgramError(LydianError):
    """A program that cannot be used in a run."""

    exit_code = 1


@dataclass(eq=False, slots=True)
class _Message:
    """A message in transit."""

    number: int
    source: int
    target: int
    line: bytes
    body: Mapping[str, Any]
    label: int
    bits: int
    sent: int
    lamport: int
    chain: int


class _Process:
    """A process: the program that it runs now, and what waits for it."""

    def __init__(self, name: str, code: int) -> None:
        self.name, self.code = name, code
        self.program: Program | None = None
        self.ready: asyncio.Future[None] | None = None
        self.paused = self.crashed = self.restarting = False
        self.held: list[_Message] = []
        self.asked: dict[Any, int] = {}  # the number of a request to it -> the event at which it received it
        self.printed = 0


class Run:
    """One run.

    Attributes:
        recording: the rows so far.
        history: the operations of the clients so far.
        stopped: how it ended: ``until``, ``limit``, ``error``, ``cancelled``; ``None`` before the end.
        error: a sentence if a program cannot be used.
        done: the faults that were carried out, with their actual times.
        phase: what happens now, for the user.
        judging: whether the history is checked at the end.
    """

    def __init__(self, plan: Plan, printed: Callable[[float, str, str], None] | None = None) -> None:
        self.plan = plan
        self.recording = Recording()
        self.recording.printed = printed
        self.history = History()
        self.stopped: str | None = None
        self.error: str | None = None
        self.done: list[Intervention] = []
        self.checks: list[Judgement] = []
        self.phase = "starting"
        self.judging = True
        self.workload = plan.kind(plan.client_names)
        names = plan.network.processes
        self._processes = [_Process(name, self.recording.add(name)) for name in names]
        self._by_name = {each.name: each for each in self._processes}
        #: client -> the process that it asks
        self.clients = {name: names[i % len(names)] for i, name in enumerate(plan.client_names)}
        if plan.drawn:
            for name in self.clients:
                self.recording.add(name, IDLE)
        self.services: dict[str, set[str]] = {}  # service -> the processes that asked it
        self._serving: dict[str, Service] = {}
        self._lines = Lines(plan.network, plan.seed, self.now)
        self._flying: dict[int, tuple[asyncio.TimerHandle, _Message, str]] = {}
        self._early: list[_Message] = []  # sent before all programs are ready
        self._numbers = 0
        self._requests = 0
        self._replies: dict[int, tuple[str, asyncio.Future[tuple[Mapping[str, Any], int]]]] = {}
        self._start = math.inf
        self._mark = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._timers: set[asyncio.TimerHandle] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None

    # ------------------------------------------------------------------ the course of the run

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

    def _bug(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End the run with an exception that a callback raised, which is a bug of LYDIAN."""
        self._failure = self._failure or context.get("exception") or RuntimeError(context.get("message"))
        if not self._over.done():
            self._over.set_result(None)

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

    def _stop(self, how: str, error: str | None = None) -> None:
        """End the run."""
        if self.stopped is None:
            self.stopped, self.error = how, error
            if not self._over.done():
                self._over.set_result(None)

    def stop(self) -> None:
        """End the run now, as its user wants it."""
        self._stop("cancelled")

    def fail(self, sentence: str, process: str | None = None) -> None:
        """End the run because a program cannot be used."""
        if self.stopped is None:
            if process is not None:
                self.recording.row(
                    self.now(), Kind.ERROR, self._by_name[process].code, detail=contents({"text": sentence}, None)
                )
            self._stop("error", sentence)

    async def _end(self) -> None:
        """End all programs, timers and tasks, and remove what programs left behind."""
        self.stopped = self.stopped or "cancelled"
        for timer in self._timers:
            timer.cancel()
        for handle, _, _ in self._flying.values():
            handle.cancel()
        for task in self._tasks:
            task.cancel()
        programs = [each.program for each in self._processes if each.program is not None]
        await asyncio.gather(*(program.close(_PATIENCE) for program in programs))
        await self._clear()

    async def _clear(self) -> None:
        """End the processes that programs started and left behind."""
        if sys.platform == "win32":
            return
        ends = self._loop.time() + _LAST_PATIENCE
        while (left := leftovers(self._mark)) and self._loop.time() < ends:
            for number in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal.SIGKILL)
            await asyncio.sleep(_TURN)

    def now(self) -> float:
        """Return the moment in milliseconds; 0 before all programs are ready, and that of the last event at the end."""
        if self.phase == "over":
            return self.recording.time
        return max(0.0, (self._loop.time() - self._start) * 1000) if self._start < math.inf else 0.0

    def _later(self, time: float, action: Callable[[], None]) -> None:
        """Do something at a moment."""
        self._at(self._start + time / 1000, action)

    def _at(self, time: float, action: Callable[[], None]) -> None:
        """Do something at a time of the event loop, unless the run has ended."""

        def act() -> None:
            self._timers.discard(timer)
            if self.stopped is None:
                action()

        timer = self._loop.call_at(time, act)
        self._timers.add(timer)

    def _look(self) -> None:
        """End the run if a program has started too many processes."""
        running = [each.program for each in self._processes if each.program is not None and each.program.code is None]
        greedy = self._census.excess(running)
        if greedy is not None:
            greedy.kill()
            self.fail(f"{greedy.name} started too many processes and was ended", greedy.name)
            return
        self._at(self._loop.time() + _LOOK, self._look)

    # ------------------------------------------------------------------ programs

    async def _launch(self, process: _Process) -> None:
        """Start the program of a process and ask it to initialise itself."""
        program = process.program = Program(process.name, self)
        process.ready = self._loop.create_future()
        try:
            await program.start(self.plan.command, self._mark, self.plan.memory, self._most)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            self.fail(f"{self.plan.command[0]} cannot be started: {reason}", process.name)
            return
        self._requests += 1
        body = {
            "type": "init", "msg_id": self._requests, "node_id": process.name,
            "node_ids": list(self.plan.network.processes),
        }  # fmt: skip
        program.write(_written("c0", process.name, body))

    async def _ready(self, processes: Sequence[_Process]) -> None:
        """Wait until the programs of some processes have answered ``init``."""
        waiting = [each.ready for each in processes if each.ready is not None]
        if waiting:
            await asyncio.wait(waiting, timeout=self.plan.startup / 1000)
        for process in processes:
            if process.ready is not None and not process.ready.done() and not process.crashed:
                said = process.program.saying() if process.program is not None else ""
                self.fail(
                    f"{process.name} did not answer init with init_ok within {self.plan.startup:g} ms{said} "
                    "(does the program flush its output after each line?)",
                    process.name,
                )

    def heard(self, program: Program, line: bytes) -> None:
        """Take a line of a program's standard output."""
        process = self._by_name[program.name]
        if self.stopped is not None or process.program is not program or process.crashed:
            return
        try:
            message = _decode(line.decode())
        except (ValueError, RecursionError):
            text = shown(line.decode("utf-8", "replace"))
            self.fail(
                f"{program.name} printed {text} on standard output, which is not a message; print one JSON object "
                "per line there, and everything else on standard error",
                program.name,
            )
            return
        problem = self._problem(process, message)
        if problem:
            self.fail(f"{program.name} sent {shown(line.decode('utf-8', 'replace'))}, but {problem}", program.name)
            return
        target, body = message["dest"], message["body"]
        starting = process.ready is not None and not process.ready.done()
        if starting and (body.get("in_reply_to") is not None or body.get("type") == "init_ok"):
            if body.get("type") == "init_ok" and body.get("in_reply_to") is None:
                self.fail(f"{program.name} answered init without in_reply_to, which must be the msg_id of init",
                          program.name)  # fmt: skip
            elif body.get("type") == "init_ok":
                process.ready.set_result(None)  # type: ignore[union-attr]  # it is starting
            else:
                kind = body.get("type")
                given = f"the error {shown(body.get('code'))}" if kind == "error" else shown(kind)
                text = f" ({body['text']})" if isinstance(body.get("text"), str) else ""
                self.fail(f"{program.name} answered init with {given}{text}; must be init_ok", program.name)
            return
        self._send(process, target, body, line)

    def _problem(self, process: _Process, message: Any) -> str:
        """Return what is wrong with a message, as the end of a sentence."""
        if not isinstance(message, dict):
            return 'a message must be an object such as {"src": "n0", "dest": "n1", "body": {...}}'
        for name, kind, word in (("src", str, "text"), ("dest", str, "text"), ("body", dict, "object")):
            if not isinstance(message.get(name), kind):
                return f"{name} of a message must be {'an' if word == 'object' else 'a'} {word}"
        if message["src"] != process.name:
            return f"its src must be {process.name}"
        target = message["dest"]
        if target not in self._by_name and target not in self.clients and target not in SERVICES:
            names = ", ".join(self.plan.network.processes[:8])
            more = " ..." if self.plan.network.n > 8 else ""
            return f"there is no process {shown(target)}; choose from {names}{more}, {', '.join(SERVICES)} and clients"
        return ""

    def said(self, program: Program, line: str) -> None:
        """Take a line of a program's standard error."""
        process = self._by_name[program.name]
        if self.stopped is not None or self._start == math.inf:
            return
        process.printed += 1
        if process.printed <= MOST_PRINTED:
            cut = line if len(line) <= LONGEST_PRINTED else line[: LONGEST_PRINTED - 1] + "…"
            last = "; further lines are not recorded" if process.printed == MOST_PRINTED else ""
            self.recording.print(self.now(), process.code, cut + last)

    def ended(self, program: Program) -> None:
        """Take the end of a program."""
        process = self._by_name[program.name]
        if not program.killed and process.program is program and self.stopped is None:
            ready = process.ready is not None and process.ready.done()
            when = f"after {self.now():.0f} ms" if ready else "before it answered init"
            self.fail(f"{program.name} {program.ending().replace(';', f' {when};', 1)}"
                      if program.last else f"{program.name} {program.ending()} {when}", program.name)  # fmt: skip

    def broke(self, program: Program, why: str) -> None:
        """Take a reason why a program cannot go on."""
        program.kill()
        self.fail(f"{program.name} {why}", program.name)

    # ------------------------------------------------------------------ messages

    def _send(self, process: _Process, target: str, body: Mapping[str, Any], line: bytes) -> None:
        """Take a message that a process sends."""
        recording = self.recording
        label = recording.label(body.get("type"))
        reply_to = body.get("in_reply_to")
        cause = process.asked.get(reply_to, -1) if isinstance(reply_to, int) and target in self.clients else -1
        cause = recording.acted[process.code] if cause < 0 else cause
        bits = min(8 * len(line), 2**31 - 1)
        if target in self.clients and not self.plan.drawn:
            detail = contents({"text": f"answers {target}: {recording.labels[label]}"}, _fields(body))
            seq = recording.row(self.now(), Kind.NOTE, process.code, label=label, cause=cause, detail=detail)
            self._reply(target, body, seq)
            return
        if target in SERVICES and target not in self.services:
            recording.add(target, SERVING)
        if target in SERVICES:
            self.services.setdefault(target, set()).add(process.name)
        message = self._message(process.code, recording.codes[target], body, line, label, cause, bits)
        if self._start == math.inf:
            self._early.append(message)
        else:
            self._carry(message)
        if recording.events >= self.plan.events:
            self._stop("limit")

    def _message(
        self, source: int, target: int, body: Mapping[str, Any], line: bytes, label: int, cause: int, bits: int
    ) -> _Message:
        """Record that a message is sent."""
        recording, number = self.recording, self._numbers
        self._numbers += 1
        detail = contents({}, _fields(body))
        seq = recording.row(self.now(), Kind.SEND, source, target, number, label, cause, bits, detail)
        return _Message(
            number, source, target, line, body, label, bits, seq, recording.lamport[source], recording.chains[source]
        )

    def _carry(self, message: _Message) -> None:
        """Send a message on its way."""
        names = self.recording.processes
        if names[message.source] in self.clients or names[message.target] in self.clients:
            self._arrive(message)
            return
        line = self._lines.between(names[message.source], names[message.target])
        arrival = line.arrival(self.now())
        if line.down:
            self._drop(message, "link down")
            return
        reason = "loss" if line.lose is not None and line.lose() else ""
        handle = self._loop.call_at(self._start + arrival / 1000, self._landed, message.number)
        self._flying[message.number] = handle, message, reason
        if len(self._flying) > MOST_FLYING:
            sender = names[message.source]
            self.fail(f"{sender} sent a message while {MOST_FLYING:,} others were in transit; programs must not send "
                      "more than they can receive")  # fmt: skip

    def _landed(self, number: int) -> None:
        _, message, reason = self._flying.pop(number)
        if self.stopped is None:
            if reason:
                self._drop(message, reason)
            else:
                self._arrive(message)

    def _drop(self, message: _Message, reason: str) -> None:
        m = message
        self.recording.drop(
            self.now(), m.target, m.source, m.number, m.label, m.sent, m.lamport, m.chain, m.bits, reason
        )

    def _arrive(self, message: _Message) -> None:
        """Deliver a message to a program, a client or a service."""
        recording, m = self.recording, message
        name = recording.processes[m.target]
        process = self._by_name.get(name)
        if process is not None:
            if process.crashed or process.program is None:
                self._drop(message, "crash")
                return
            if process.paused:
                process.held.append(message)
                return
        if name in self.clients:
            recording.states[m.target] = IDLE
        seq = recording.receive(self.now(), m.target, m.source, m.number, m.label, m.sent, m.lamport, m.chain, m.bits)
        if process is not None:
            sender = recording.processes[m.source]
            if sender in self.clients:
                process.asked[m.body.get("msg_id")] = seq
            process.program.write(m.line if m.line.endswith(b"\n") else m.line + b"\n")  # type: ignore[union-attr]  # it has one
        elif name in self.clients:
            self._reply(name, m.body, seq)
        else:
            self._serve(name, message, seq)

    def _serve(self, name: str, message: _Message, seq: int) -> None:
        """Answer a request to a service."""
        service = self._serving.get(name)
        if service is None:
            service = self._serving[name] = SERVICES[name](Random(stream_key(self.plan.seed, "service", name)))
        client = self.recording.processes[message.source]
        reply = service.answer(client, message.body)
        if "msg_id" in message.body:
            reply["in_reply_to"] = message.body["msg_id"]
        line = _written(name, client, reply)
        label = self.recording.label(reply["type"])
        self._carry(self._message(message.target, message.source, reply, line, label, seq, 8 * len(line)))

    # ------------------------------------------------------------------ clients

    def _reply(self, client: str, body: Mapping[str, Any], seq: int) -> None:
        """Give a reply to the client that waits for it; a late one is ignored."""
        number = body.get("in_reply_to")
        waiting = self._replies.pop(number, None) if isinstance(number, int) else None
        if waiting is not None and waiting[0] == client and not waiting[1].done():
            waiting[1].set_result((body, seq))

    async def _ask(self, client: str, process: _Process, body: Mapping[str, Any], *, last: bool = False) -> Operation:
        """Make a request, wait for the reply, and check its form."""
        recording = self.recording
        self._requests += 1
        number = self._requests
        whole = {**body, "msg_id": number}
        operation = Operation(client, process.name, dict(body), self.now(), last=last)
        self.history.append(operation)
        future: asyncio.Future[tuple[Mapping[str, Any], int]] = self._loop.create_future()
        self._replies[number] = client, future
        line = _written(client, process.name, whole)
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

    def _command(self, process: _Process, body: Mapping[str, Any], line: bytes, label: int) -> int:
        """Give a request to a process as a command, if clients are not processes of the trace."""
        if process.crashed or process.paused or process.program is None:
            if process.paused:
                process.held.append(_Message(-1, -1, process.code, line, body, label, 0, -1, 0, 0))
            return -1
        seq = self.recording.row(
            self.now(), Kind.COMMAND, process.code, label=label, detail=contents({}, _fields(body))
        )
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

    def _asker(self, process: _Process) -> str:
        """Return the client that asks a process, or the first client if none does."""
        mine = (client for client, name in self.clients.items() if name == process.name)
        return next(mine, next(iter(self.clients)))

    async def _last(self, process: _Process) -> None:
        """Make the last requests of one process."""
        requests, client = self.workload.last(), self._asker(process)
        try:
            body = next(requests)
            while True:
                body = requests.send(await self._ask(client, process, body, last=True))
        except StopIteration:
            return

    # ------------------------------------------------------------------ faults

    @property
    def late(self) -> list[Intervention]:
        """The planned faults that the end of the run came before."""
        return [each for each in self.plan.faults if self.stopped is not None and each.time > self.recording.time]

    def _scheduled(self, what: Intervention) -> None:
        """Carry out a planned fault, or remark why it is impossible."""
        reason = self.interfere(what)
        if reason is not None:
            process = self._by_name.get(what.process or "", self._processes[0])
            self.recording.note(self.now(), process.code, f'"{told(what)}" was left out: {reason}')

    def interfere(self, what: Intervention) -> str | None:
        """Carry out a fault now; return the reason if it is impossible."""
        if self.stopped is not None or self._start == math.inf:
            return "the programs are not running"
        reason = None
        if what.kind.living and self.crashed(what.process):
            reason = f"process {what.process} has crashed"
        if what.message is not None and what.message not in self._flying:
            reason = f"message {what.message} is no longer in transit"
        reason = reason or what.kind.objection(what, self)  # type: ignore[arg-type]  # it has what these kinds need
        if reason is not None:
            return reason.replace("taken over", "paused")
        what.kind.apply(what, self)  # type: ignore[arg-type]
        self.done.append(Intervention(self.now(), what.do, keys=what.keys))
        return None

    def crashed(self, process: str) -> bool:
        return self._by_name[process].crashed and not self._by_name[process].restarting

    def taken(self, process: str) -> bool:
        return self._by_name[process].paused

    def down(self, link: tuple[str, str], one_way: bool) -> bool:
        return all(line.cut for line in self._lines.of(link, one_way=one_way))

    def separates(self, groups: tuple[tuple[str, ...], ...]) -> bool:
        wall = self._lines.wall(groups)
        return len(set(wall.values())) > 1 and wall not in self._lines.walls

    def parted(self) -> bool:
        return bool(self._lines.walls)

    def crash(self, process: str) -> None:
        """Kill the program of a process."""
        each = self._by_name[process]
        each.crashed, each.paused = True, False
        each.asked.clear()
        self.recording.states[each.code] = RUNNING
        self.recording.row(self.now(), Kind.CRASH, each.code)
        held, each.held = each.held, []
        for message in held:
            if message.number >= 0:
                self._drop(message, "crash")
        if each.program is not None:
            each.program.kill()

    def recover(self, process: str, keep: bool) -> None:
        """Start the program of a process anew; it has recovered when it has answered ``init``."""
        self._by_name[process].restarting = True
        task = self._loop.create_task(self._restart(self._by_name[process]))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _restart(self, process: _Process) -> None:
        if process.program is not None:
            await asyncio.wait([process.program.gone])
        process.crashed = process.restarting = False
        await self._launch(process)
        self.recording.row(self.now(), Kind.RECOVER, process.code, detail='{"kept":false}')
        await self._ready([process])

    def take_over(self, process: str) -> None:
        """Pause the program of a process."""
        each = self._by_name[process]
        each.paused = True
        if each.program is not None and sys.platform != "win32":
            each.program.signal(signal.SIGSTOP)
        self.recording.states[each.code] = PAUSED

    def release(self, process: str) -> None:
        """Resume the program of a process, and give it the messages that have arrived in the meantime."""
        each = self._by_name[process]
        each.paused = False
        self.recording.states[each.code] = RUNNING
        if each.program is not None and sys.platform != "win32":
            each.program.signal(signal.SIGCONT)
        held, each.held = each.held, []
        for message in held:
            if message.number >= 0:
                self._arrive(message)
            else:
                self._command(each, message.body, message.line, message.label)

    def record(self, what: Intervention) -> None:
        """Write a remark at the process that is paused or resumed; other changes have rows of their own."""
        if what.do == "retime":
            return
        text = "paused" if what.do == "take_over" else "resumed"
        self.recording.note(self.now(), self._by_name[what.process].code, text)

    def cut(self, link: tuple[str, str], one_way: bool) -> None:
        lines = [line for line in self._lines.of(link, one_way=one_way) if not line.cut]
        visible = any(not line.down for line in lines)
        for line in lines:
            line.cut = True
        if visible:
            self._show_link(Kind.LINK_DOWN, link, {"one_way": True} if one_way else {})
        self._lose()

    def restore(self, link: tuple[str, str], one_way: bool) -> None:
        lines = [line for line in self._lines.of(link, one_way=one_way) if line.cut]
        for line in lines:
            line.cut = False
        if any(not line.down for line in lines):
            self._show_link(Kind.LINK_UP, link, {"one_way": True} if one_way else {})

    def partition(self, groups: tuple[tuple[str, ...], ...], until: float | None) -> None:
        wall = self._lines.wall(groups)
        self._separate([*self._lines.walls, wall])
        if until is not None:
            self._later(until, lambda: self._separate([each for each in self._lines.walls if each is not wall]))
        self._lose()

    def heal(self) -> None:
        self._separate([])

    def _separate(self, walls: Sequence[Wall]) -> None:
        """Put partitions into force instead of those so far."""
        for link, down in self._lines.separate(walls):
            self._show_link(Kind.LINK_DOWN if down else Kind.LINK_UP, link, {"partition": True})

    def retime_link(self, link: tuple[str, str], law: Distribution) -> None:
        """Change the delay of a link."""
        self._lines.retime(link, law)
        self._show_link(Kind.INTERVENE, link, {"do": "retime", "link": list(link), "distribution": str(law)})

    def drop(self, aim: Intervention) -> None:
        """Lose a message in transit."""
        self._drop(self._taken_from(aim.message), "dropped")

    def delay(self, aim: Intervention, by: float) -> None:
        """Let a message in transit arrive later or, if ``by`` is negative, earlier, but not before now."""
        handle, message, reason = self._flying[aim.message]
        handle.cancel()
        arrival = max(handle.when() + by / 1000, self._loop.time())
        self._flying[aim.message] = self._loop.call_at(arrival, self._landed, aim.message), message, reason
        source, target = message.source, message.target
        line = self._lines.between(self.recording.processes[source], self.recording.processes[target])
        line.last = max(line.last, (arrival - self._start) * 1000)
        detail = contents({"do": "delay", "message": aim.message, "delay": by, "later": by}, None)
        self.recording.row(self.now(), Kind.INTERVENE, source, target, label=message.label, detail=detail)

    def _taken_from(self, number: int) -> _Message:
        """Take a message out of the network."""
        handle, message, _ = self._flying.pop(number)
        handle.cancel()
        return message

    def _show_link(self, kind: int, link: Sequence[str], detail: Mapping[str, Any]) -> None:
        a, b = (self._by_name[end].code for end in link)
        self.recording.row(self.now(), kind, a, b, detail=contents(detail, None) if detail else None)

    def _lose(self) -> None:
        """Lose the messages in transit between processes that are cut off from each other."""
        names = self.recording.processes
        for number, (_, message, _) in list(self._flying.items()):
            if self._lines.between(names[message.source], names[message.target]).down:
                self._drop(self._taken_from(number), "link down")

    # ------------------------------------------------------------------ the result

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states of processes."""
        return STATES

    def flying(self) -> list[tuple[int, float]]:
        """Return the messages in transit with the times at which they arrive."""
        return [(number, (handle.when() - self._start) * 1000) for number, (handle, _, _) in self._flying.items()]

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


def _written(source: str, target: str, body: Mapping[str, Any]) -> bytes:
    """Return a message as a program reads it."""
    return _encode({"src": source, "dest": target, "body": body}).encode() + b"\n"


def _fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contents of a message apart from its type."""
    return {name: value for name, value in body.items() if name != "type"}


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON number")


_decode = json.JSONDecoder(parse_constant=_no_number).decode
_encode = json.JSONEncoder(separators=(",", ":")).encode
