"""A system of components on this computer: a meeting point, and a process for each replica."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import IO

from lydian.classroom.components.meeting import Meeting
from lydian.classroom.components.record import Record
from lydian.classroom.components.system import System
from lydian.model.childprocess import start
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.experiment import Experiment

__all__ = ["ENTRY", "Crew", "Failed", "run"]

#: The entry point of a replica's process.
ENTRY = ("-m", "lydian.classroom.components.take")
#: The seconds that a process has to end by itself.
_PATIENCE = 3.0


class Failed(LydianError):
    """An error raised when a system of components cannot go on."""

    exit_code = 1


class Crew:
    """The processes of the replicas on this computer.

    Args:
        meeting: the meeting point, which has started.

    Attributes:
        children: the name of a replica -> its process.
    """

    def __init__(self, meeting: Meeting) -> None:
        self._meeting = meeting
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self._said: dict[str, deque[str]] = {}
        self._threads: list[threading.Thread] = []

    def hire(self, component: str, name: str) -> None:
        """Start a replica of a component."""
        child = start(*ENTRY)
        assert child.stdin is not None
        assert child.stderr is not None
        wanted = {"url": self._meeting.url, "secret": self._meeting.secret, "component": component, "name": name}
        child.stdin.write(json.dumps(wanted).encode() + b"\n")
        child.stdin.flush()
        self.children[name] = child
        said = self._said[name] = deque(maxlen=50)
        thread = threading.Thread(target=self._listen, args=(child.stderr, said), name=f"lydian-{name}", daemon=True)
        thread.start()
        self._threads.append(thread)

    @staticmethod
    def _listen(stream: IO[bytes], said: deque[str]) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in stream:
                said.append(line.decode("utf-8", "replace").rstrip())

    def said(self, name: str) -> str:
        """Return the last lines that a replica wrote on its standard error."""
        return "\n".join(self._said[name])

    def gone(self) -> list[str]:
        """Return the replicas whose process has ended."""
        return [name for name, child in self.children.items() if child.poll() is not None]

    def close(self) -> None:
        """End all processes."""
        for child in self.children.values():
            with contextlib.suppress(OSError):
                child.stdin.close()  # type: ignore[union-attr]
        for child in self.children.values():
            try:
                child.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        for thread in self._threads:
            thread.join(_PATIENCE)
        for child in self.children.values():
            for stream in (child.stdout, child.stderr):
                if stream is not None:
                    stream.close()


def run(
    experiment: Experiment,
    groups: int | Sequence[Sequence[str]] | Mapping[str, Sequence[str]],
    *,
    barrier: bool = False,
    pace: float = 5.0,
    replicas: int = 1,
    local: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
    secret: str | None = None,
    timeout: float | None = None,
    told: Callable[[Meeting], None] = lambda meeting: None,
) -> Record:
    """Run an experiment in components, each in a process of its own, and return the record.

    Args:
        experiment, groups, barrier, pace: as in :meth:`System.of`.
        replicas: the number of replicas of each component.
        local: whether the replicas are started on this computer; otherwise others join.
        host, port, secret: as in :class:`Meeting`.
        timeout: the seconds after which the run is ended as it is; ``None`` for no limit.
        told: called with the meeting point when others can join.

    Raises:
        BadInput: the experiment cannot be split in this way.
        Failed: a component has lost all its replicas.
    """
    if replicas < 1:
        raise BadInput(f"a component must have at least 1 replica, not {replicas}")
    system = System.of(experiment, groups, barrier=barrier, pace=pace)
    return asyncio.run(_run(system, replicas, local, host, port, secret, timeout, told))


async def _run(
    system: System, replicas: int, local: bool, host: str, port: int, secret: str | None, timeout: float | None,
    told: Callable[[Meeting], None],
) -> Record:  # fmt: skip
    meeting = Meeting(system, replicas=replicas, secret=secret, host=host, port=port)
    await meeting.start()
    crew = Crew(meeting)
    try:
        told(meeting)
        if local:
            for name in system.names:
                for number in range(replicas):
                    crew.hire(name, f"{name.lower()}-{number + 1}")
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # as Ctrl+C does
            task = asyncio.current_task()
            assert task is not None
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        with contextlib.suppress(TimeoutError, asyncio.CancelledError):  # interrupted: what happened is kept
            await meeting.until(lambda: meeting.hub.over or (local and _lost(meeting, crew)), timeout or 1e9)
        lost = "" if meeting.hub.over or not local else _lost(meeting, crew)
        if lost:
            raise Failed(lost)
    finally:
        await meeting.close()
        await asyncio.to_thread(crew.close)
    return Record.of(meeting.hub)


def _lost(meeting: Meeting, crew: Crew) -> str:
    """Return a sentence about a component that lacks replicas; "" if there is none."""
    gone = crew.gone()
    if gone and not meeting.hub.begun:
        words = crew.said(gone[0])
        return f"replica {gone[0]} ended before the run began" + (f": {words.splitlines()[-1]}" if words else "")
    for name, seat in meeting.hub.seats.items():
        mine = [each for each in crew.children if each.startswith(f"{name.lower()}-")]
        if mine and set(gone).issuperset(mine) and not seat.replicas:
            words = crew.said(mine[-1])
            return f"component {name} has no replica left" + (f": {words.splitlines()[-1]}" if words else "")
    return ""
