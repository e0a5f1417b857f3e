"""A loop for the desk in pure Python: the simulator and the marks of an assignment run in threads of this process."""

from __future__ import annotations

import io
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from lydian.assignment import serve as marking
from lydian.desk.playing import playing
from lydian.engine import serve, wire
from lydian.engine.adversary import serve as games
from lydian.engine.client import ENTRY

__all__ = ["InProcess"]


def _mark(source: BinaryIO, out: BinaryIO) -> int:
    """Answer a request for marks. The program's own function ends its process with its input."""

    def say(frame: wire.Frame) -> None:
        out.write(wire.encode(frame))

    for frame in wire.frames(source):
        if isinstance(frame, wire.Mark):
            marking.answer(frame, say, lambda _cancel: None)
            break
    return 0


#: Entry point of a child -> its function.
MAINS: dict[tuple[str, ...], Callable[[BinaryIO, BinaryIO], int]] = {
    ENTRY: serve.main, playing.ENTRY: games.main, marking.ENTRY: _mark,
}  # fmt: skip


class InProcess:
    """A loop that calls requested functions only while a test waits in :meth:`until`."""

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._timers: list[Clock] = []
        self.children: list[Simulated] = []

    def soon(self, act: Callable[[], object]) -> None:
        self._asked.put(act)

    def timer(self, act: Callable[[], object]) -> Clock:
        self._timers.append(Clock(act))
        return self._timers[-1]

    def child(self, entry: Sequence[str] = ENTRY) -> Simulated:
        assert tuple(entry) in MAINS, "only the simulator, the games and the marks run in this process"
        self.children.append(Simulated(self, MAINS[tuple(entry)]))
        return self.children[-1]

    def until(self, condition: Callable[[], object], seconds: float = 20.0) -> None:
        """Call requested functions until a condition holds."""
        end = time.monotonic() + seconds
        self.turn()
        while not condition():
            assert time.monotonic() < end, "it did not come to that"
            self.turn()

    def turn(self) -> None:
        """Call the functions that are due now, and one that was requested."""
        for timer in self._timers:
            timer.ring()
        try:
            self._asked.get(timeout=0.005)()
        except queue.Empty:
            pass

    def close(self) -> None:
        """End all threads."""
        for child in self.children:
            child.discard(10.0)


class Clock:
    """A timer (:class:`lydian.desk.loop.Timer`)."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act, self._due = act, float("inf")

    @property
    def active(self) -> bool:
        return self._due < float("inf")

    def start(self, milliseconds: int) -> None:
        self._due = time.monotonic() + milliseconds / 1000

    def stop(self) -> None:
        self._due = float("inf")

    def ring(self) -> None:
        """Call the function if its time has come."""
        if time.monotonic() >= self._due:
            self.stop()
            self._act()


class Simulated(io.RawIOBase):
    """A simulator behind the interface of a child (:class:`lydian.desk.loop.Child`); its messages are recorded here."""

    def __init__(self, loop: InProcess, main: Callable[[BinaryIO, BinaryIO], int]) -> None:
        super().__init__()
        self._main = main
        self.unread = b""
        self.attach(lambda: None, lambda: None)
        self._loop = loop
        self._said: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._spoke = threading.Event()
        self._dead = False
        source, target = os.pipe()
        self._source, self._target = os.fdopen(source, "rb"), os.fdopen(target, "wb", 0)
        self._thread = threading.Thread(target=self._run, name="lydian-simulator", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._main(self._source, self)  # type: ignore[arg-type]
        except BrokenPipeError:
            pass
        self._loop.soon(lambda: self._gone())
        self._source.close()  # when the connection has ended

    # the simulator's end

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:
        """Send a frame, for either side: from the simulator or to it."""
        if threading.current_thread() is not self._thread:
            return 0 if self._dead else self._target.write(data) or 0
        if self._dead:
            raise BrokenPipeError
        self._said.put(bytes(data))
        self._spoke.set()
        self._loop.soon(lambda: self._heard())
        return len(data)

    # the desk's end

    def attach(self, heard: Callable[[], object], gone: Callable[[], object]) -> None:
        self._heard, self._gone = heard, gone

    def lines(self) -> Iterator[bytes]:
        self._spoke.clear()
        while not self._said.empty():
            self.unread += self._said.get()
        *whole, self.unread = self.unread.split(b"\n")
        yield from whole

    def listen(self, seconds: float) -> bool:
        if not self._spoke.wait(seconds):
            return False
        self._heard()
        return True

    def wait(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def kill(self) -> None:
        self._dead = True
        self._target.close()

    def discard(self, seconds: float = 0.0) -> None:
        self.attach(lambda: None, lambda: None)
        self.kill()
        self.wait(seconds)

    def ending(self) -> tuple[str, int]:
        return "", 0
