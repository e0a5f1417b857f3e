"""A class in processes of its own: the host, its simulator, and phones; for measurements and faults."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.classroom import frames
from lydian.engine import wire
from lydian.model.childprocess import environment
from lydian.model.experiment.experiment import Experiment

__all__ = [
    "CODE", "Hosted", "Phones", "children", "hosted", "memory", "phones", "processor", "two_processors", "until",
]  # fmt: skip

CODE = "load-4127"
#: What is kept of the frames that the host's own program is sent.
KEPT = ("welcome", "room", "people", "answer", "error", "bye")


@contextmanager
def two_processors() -> Iterator[None]:
    """Keep this process and those that it starts on two processors."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(before)[:2]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


async def until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def processor(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Return the children of a process."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def memory(pid: int) -> float:
    """Return the megabytes of memory that a process has in use."""
    text = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:")) / 1024


class Hosted:
    """The host's process, led through its standard input as the window does."""

    def __init__(self, child: Process, times: Path) -> None:
        self.child = child
        self.latest: dict[str, dict[str, Any]] = {}
        self.answers: dict[int, dict[str, Any]] = {}
        self.rounds = self.bytes = self.events = 0
        self.longest = 0.0
        self.record = bytearray()
        self._times = times
        self._number = 0
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.child.stdout is not None
        while line := await self.child.stdout.readline():
            if line.startswith((b'{"kind":"round"', b'{"kind":"begun"', b'{"kind":"dropped"')):
                self._grow(line)
                continue
            if line.startswith(tuple(b'{"kind":"%s"' % each.encode() for each in KEPT)):
                frame = json.loads(line)
                self.latest[frame["kind"]] = frame
                if frame["kind"] == "answer":
                    self.answers[frame["id"]] = frame

    def _grow(self, line: bytes) -> None:
        self.rounds += 1
        self.bytes += len(line)
        frame = json.loads(line)
        if frame["kind"] == "round":
            self.events += frame["count"]
            self.record += base64.b64decode(frame["rows"])
            self.longest = max(self.longest, frame["time"])

    @property
    def pid(self) -> int:
        return self.child.pid

    @property
    def url(self) -> str:
        return f"http://{self.latest['welcome']['address']}/"

    def send(self, frame: wire.Frame) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(wire.encode(frame))

    async def lead(self, do: str, **what: Any) -> dict[str, Any]:
        """Decide something as the host, and return the answer."""
        self._number += 1
        number = self._number
        self.send(frames.Lead(number, do, what))
        await until(lambda: number in self.answers or self.child.returncode is not None)
        return self.answers.pop(number)

    async def times(self) -> NDArray[np.float64]:
        """Return when the log got each frame."""
        self._times.unlink(missing_ok=True)
        self.child.send_signal(signal.SIGUSR1)
        await until(self._times.exists)
        return np.fromfile(self._times)

    async def kill(self) -> None:
        """End the process as a loss of power would."""
        with suppress(ProcessLookupError):
            self.child.kill()
        await self.child.wait()
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def close(self) -> None:
        if self.child.returncode is None:
            assert self.child.stdin is not None
            self.child.stdin.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.child.wait(), 20)
        await self.kill()


class Phones:
    """A process of phones."""

    def __init__(self, child: Process, count: int) -> None:
        self.child, self.count = child, count

    async def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Give an order, and return the answer."""
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        self.child.stdin.write(json.dumps({"do": do, **more}).encode() + b"\n")
        answer: dict[str, Any] = json.loads(await asyncio.wait_for(self.child.stdout.readline(), 60))
        return answer

    async def until(self, condition: Callable[[dict[str, Any]], object], seconds: float = 60.0) -> None:
        """Wait until a condition holds for where the phones are."""
        async with asyncio.timeout(seconds):
            while not condition(await self.ask("at")):
                await asyncio.sleep(0.1)

    async def close(self) -> None:
        with suppress(ProcessLookupError):
            self.child.kill()
        await self.child.wait()


@asynccontextmanager
async def hosted(
    experiment: Experiment | None, folder: Path, *, file: Path | None = None, port: int = 0, **more: str
) -> AsyncIterator[Hosted]:
    """Host a class in a process of its own; without an experiment, go on with the class in the file.

    Args:
        more: variables for :mod:`tests.classroom.timedhost`.
    """
    times = folder / "times"
    env = {**environment(), "TIMES": str(times), **more}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.classroom.timedhost", stdin=PIPE, stdout=PIPE, env=env, limit=wire.MOST_BYTES
    )
    host = Hosted(child, times)
    try:
        where = "" if file is None else str(file)
        given = {} if experiment is None else experiment.to_dict()
        host.send(frames.Host(given, code=CODE, file=where, port=port, resume=experiment is None))
        await until(lambda: "welcome" in host.latest or child.returncode is not None)
        yield host
    finally:
        await host.close()


@asynccontextmanager
async def phones(url: str, count: int, first: int = 1, pause: float = 1.0) -> AsyncIterator[Phones]:
    """Let phones take part."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.classroom.phones", f"{url.replace('http', 'ws', 1)}ws", CODE,
        str(count), str(first), str(pause), stdin=PIPE, stdout=PIPE, limit=64_000_000,
    )  # fmt: skip
    it = Phones(child, count)
    try:
        yield it
    finally:
        await it.close()
