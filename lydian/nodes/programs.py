"""The programs of a run: they are started, heard and ended."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from lydian.model.errors import shown
from lydian.nodes.course import Process
from lydian.nodes.network import Network, decode, written
from lydian.nodes.program import Program, leftovers
from lydian.nodes.services import SERVICES

__all__ = ["MOST_PRINTED", "Programs"]

#: The lines on standard error that are recorded of each process, and the length to which they are cut.
MOST_PRINTED, LONGEST_PRINTED = 2000, 500
#: The seconds between two looks at the number of processes, and those that programs have to end by themselves.
_LOOK, _PATIENCE = 0.25, 0.5
#: The seconds in which processes that were left behind are ended, and between two looks at them.
LAST_PATIENCE, _TURN = 5.0, 0.01


class Programs(Network):
    """A run whose processes are programs."""

    async def _launch(self, process: Process) -> None:
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
        program.write(written("c0", process.name, body))

    async def _ready(self, processes: Sequence[Process]) -> None:
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
            message = decode(line.decode())
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

    def _problem(self, process: Process, message: Any) -> str:
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

    def _look(self) -> None:
        """End the run if a program has started too many processes."""
        running = [each.program for each in self._processes if each.program is not None and each.program.code is None]
        greedy = self._census.excess(running)
        if greedy is not None:
            greedy.kill()
            self.fail(f"{greedy.name} started too many processes and was ended", greedy.name)
            return
        self._at(self._loop.time() + _LOOK, self._look)

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
        ends = self._loop.time() + LAST_PATIENCE
        while (left := leftovers(self._mark)) and self._loop.time() < ends:
            for number in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal.SIGKILL)
            await asyncio.sleep(_TURN)
