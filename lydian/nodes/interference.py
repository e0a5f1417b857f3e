"""The faults of a run of programs, carried out when they are planned or when its user wants them.

Pausing stops a program (SIGSTOP), a crash kills it, and a recovery starts it anew.
"""

from __future__ import annotations

import asyncio
import math
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from lydian.model.delays import Distribution
from lydian.model.interventions.kind import Intervention
from lydian.nodes.clients import Clients
from lydian.nodes.course import Message, Process
from lydian.nodes.faults import told
from lydian.nodes.lines import Wall
from lydian.nodes.recording import PAUSED, RUNNING, STATES, contents
from lydian.trace.events import Kind

__all__ = ["Interference"]


class Interference(Clients):
    """A run with faults."""

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

    async def _restart(self, process: Process) -> None:
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

    def _taken_from(self, number: int) -> Message:
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

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states of processes."""
        return STATES
