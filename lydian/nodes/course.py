"""The course of a run of programs: its processes, its moments in real time, and its end."""

from __future__ import annotations

import asyncio
import math
import os
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lydian.engine.checks import Judgement
from lydian.model.interventions.kind import Intervention
from lydian.nodes.history import History
from lydian.nodes.lines import Lines
from lydian.nodes.plan import Plan
from lydian.nodes.program import Census, Program
from lydian.nodes.recording import IDLE, Recording, contents
from lydian.nodes.services import Service
from lydian.trace.events import Kind

__all__ = ["Course", "Message", "Process"]


@dataclass(eq=False, slots=True)
class Message:
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


class Process:
    """A process: the program that it runs now, and what waits for it."""

    def __init__(self, name: str, code: int) -> None:
        self.name, self.code = name, code
        self.program: Program | None = None
        self.ready: asyncio.Future[None] | None = None
        self.paused = self.crashed = self.restarting = False
        self.held: list[Message] = []
        self.asked: dict[Any, int] = {}  # the number of a request to it -> the event at which it received it
        self.printed = 0


class Course:
    """What is known of one run now.

    Attributes:
        recording: the rows so far.
        history: the operations of the clients so far.
        stopped: how it ended: ``until``, ``limit``, ``error``, ``cancelled``; ``None`` before the end.
        error: a sentence if a program cannot be used.
        done: the faults that were carried out, with their actual times.
        phase: what happens now, for the user.
        judging: whether the history is checked at the end.
    """

    _loop: asyncio.AbstractEventLoop
    _over: asyncio.Future[None]  # done when the run is to end
    _census: Census
    _most: int

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
        self._processes = [Process(name, self.recording.add(name)) for name in names]
        self._by_name = {each.name: each for each in self._processes}
        #: client -> the process that it asks
        self.clients = {name: names[i % len(names)] for i, name in enumerate(plan.client_names)}
        if plan.drawn:
            for name in self.clients:
                self.recording.add(name, IDLE)
        self.services: dict[str, set[str]] = {}  # service -> the processes that asked it
        self._serving: dict[str, Service] = {}
        self._lines = Lines(plan.network, plan.seed, self.now)
        self._flying: dict[int, tuple[asyncio.TimerHandle, Message, str]] = {}
        self._early: list[Message] = []  # sent before all programs are ready
        self._numbers = 0
        self._requests = 0
        self._replies: dict[int, tuple[str, asyncio.Future[tuple[Mapping[str, Any], int]]]] = {}
        self._start = math.inf
        self._mark = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._timers: set[asyncio.TimerHandle] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None

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

    def _bug(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End the run with an exception that a callback raised, which is a bug of LYDIAN."""
        self._failure = self._failure or context.get("exception") or RuntimeError(context.get("message"))
        if not self._over.done():
            self._over.set_result(None)
