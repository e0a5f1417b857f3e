"""The simulator of a class: a child process that is asked and answers while the class's other business goes on."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from typing import Any

from lydian.classroom.present import Present
from lydian.engine import wire
from lydian.engine.client import ENTRY, READY
from lydian.engine.end.failure import gone
from lydian.model.childprocess import command, environment
from lydian.model.errors import LydianError

__all__ = ["Lost", "Running"]

#: The enabled events that the simulator lists.
PENDING = 5000
#: The seconds that a simulator gets to end by itself.
PATIENCE = 2.0
_KEPT = 65_536


class Lost(LydianError):
    """An error raised when the simulator has ended unexpectedly; the text says why."""


class Running:
    """A run in a process of its own.

    Attributes:
        present: the configuration that has been reached.
        pending: the enabled events at the end of the last round.
        checks: the results for the properties so far.
        waiting: whether the simulator waits.
        rest: what can be said at the end if nothing further can happen by itself, otherwise ``None``.
        result, experiment: of the run, once it has ended.
    """

    def __init__(self, hear: Callable[[wire.Frame], None]) -> None:
        """Create a run that is not started; ``hear`` is called with ``begun`` and each ``round``."""
        self._hear = hear
        self.present = Present()
        self.pending: tuple[dict[str, Any], ...] = ()
        self.checks: list[Any] = []
        self.waiting = False
        self.rest: dict[str, Any] | None = None
        self.result: dict[str, Any] | None = None
        self.experiment: dict[str, Any] | None = None
        self.problem = ""
        self.round = 0
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[wire.Answered]] = {}
        self._still = asyncio.Event()  # set while the simulator waits, or has ended
        self._child: asyncio.subprocess.Process | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._said = b""

    async def start(self, experiment: Mapping[str, Any], **wanted: Any) -> None:
        """Start the simulator, and wait until it waits.

        Args:
            wanted: the other fields of :class:`~lydian.engine.wire.Request`.

        Raises:
            Lost: the run cannot be started.
        """
        self.present = Present()
        words = command(*ENTRY)
        pipe = asyncio.subprocess.PIPE
        self._child = await asyncio.create_subprocess_exec(
            *words, stdin=pipe, stdout=pipe, stderr=pipe, env={**environment(), READY: "1"}, limit=wire.MOST_BYTES
        )
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._overhear())]
        self._send(wire.Hello(wire.VERSION, "class"))
        request = {"pending": PENDING, "linger": True, "round_events": 1, "to": None, "steps": 0, **wanted}
        self._send(wire.Request(experiment=dict(experiment), **request))
        await self.still()

    async def still(self) -> None:
        """Wait until the simulator waits or has ended.

        Raises:
            Lost: it has ended without a result.
        """
        await self._still.wait()
        if self.problem:
            raise Lost(self.problem)

    def interact(self, what: Mapping[str, Any], seen: int | None = None) -> asyncio.Future[wire.Answered]:
        """Make an intervention, and return the answer to come; several are made in the order of the calls."""
        future: asyncio.Future[wire.Answered] = asyncio.get_running_loop().create_future()
        if self.result is not None or self.problem:
            future.set_result(wire.Answered(0, False, "the run has ended", self.round))
            return future
        number = next(self._numbers)
        self._answers[number] = future
        self._send(wire.Interact(number, self.round if seen is None else seen, dict(what)))
        return future

    async def advance(self, until: float) -> None:
        """Execute everything up to a simulated time, and wait until the simulator waits again."""
        if self.result is None:
            self._still.clear()
            self._send(wire.Pace(until=until))
            await self.still()

    async def end(self) -> None:
        """End the run here; :attr:`result` and :attr:`experiment` are there afterwards."""
        if self.result is None and not self.problem:
            self._send(wire.Stop())
            while self.result is None and not self.problem:  # what was asked before may still be answered
                self._still.clear()
                await self._still.wait()

    async def close(self) -> None:
        """End the process."""
        child = self._child
        if child is None:
            return
        if child.stdin is not None:
            child.stdin.close()
        try:
            await asyncio.wait_for(child.wait(), 0.05 if self.result is not None else PATIENCE)
        except TimeoutError:
            child.kill()
            await child.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._child = None

    def _send(self, frame: wire.Frame) -> None:
        if self._child is not None and self._child.stdin is not None and not self._child.stdin.is_closing():
            self._child.stdin.write(wire.encode(frame))

    async def _listen(self) -> None:
        assert self._child is not None
        assert self._child.stdout is not None
        while line := await self._child.stdout.readline():
            try:
                self._take(wire.decode(line))
            except wire.Refused:
                continue  # something else was printed
        if self.result is None and not self.problem:
            code = await self._child.wait()
            self.problem = gone(self._said.decode("utf-8", "replace"), code)
        self._over()

    async def _overhear(self) -> None:
        assert self._child is not None
        assert self._child.stderr is not None
        while data := await self._child.stderr.read(_KEPT):
            self._said = (self._said + data)[-_KEPT:]

    def _over(self) -> None:
        for future in self._answers.values():
            if not future.done():
                future.set_result(wire.Answered(0, False, "the run has ended", self.round))
        self._answers.clear()
        self._still.set()

    def _take(self, frame: wire.Frame) -> None:
        if isinstance(frame, wire.Begun):
            self.present.start(frame)
            self._hear(frame)
        elif isinstance(frame, wire.Round):
            self.present.take(frame)
            self.round, self.waiting = frame.round, frame.waiting
            self.rest = frame.rest
            if frame.checks is not None:
                self.checks = frame.checks
            self._hear(frame)
        elif isinstance(frame, wire.Pending):
            self.pending = tuple(frame.events)
            self._still.set()
        elif isinstance(frame, wire.Answered):
            if frame.accepted:
                self._still.clear()  # the enabled events follow
            future = self._answers.pop(frame.id, None)
            if future is not None and not future.done():
                future.set_result(frame)
        elif isinstance(frame, wire.Result):
            self.result, self.experiment = frame.result, frame.experiment
            self.checks = list(frame.result.get("checks") or self.checks)
            self.pending = ()
            self._over()
        elif isinstance(frame, wire.Error) and frame.exit_code is not None:
            self.problem = frame.text
            self._over()
