"""The facilities that the desk requires of its program: a main thread, timers and child processes.

The window takes them from Qt (:class:`lydian.app.work.loop.Loop`); a test provides its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from lydian.engine.client import ENTRY

__all__ = ["Child", "Loop", "Timer"]


class Timer(Protocol):
    """A timer that calls its function once, some time after it was started."""

    @property
    def active(self) -> bool:
        """Whether the timer has been started and has not expired yet."""

    def start(self, milliseconds: int) -> None:
        """Call the function after ``milliseconds``; cancel any earlier start."""

    def stop(self) -> None:
        """Cancel the call."""


class Child(Protocol):
    """A child process that has loaded its modules and waits for a request (see :mod:`lydian.engine.wire`).

    Attributes:
        unread: the beginning of a line whose end has not arrived yet.
    """

    unread: bytes

    def attach(self, heard: Callable[[], object], gone: Callable[[], object]) -> None:
        """Call ``heard`` when there are lines to read and ``gone`` once the child has ended, in place of any others."""

    def write(self, data: bytes, /) -> object:
        """Write to the child's standard input."""

    def lines(self) -> Iterator[bytes]:
        """Yield the lines that have arrived since the last call."""

    def listen(self, seconds: float) -> bool:
        """Wait at most ``seconds`` for the child's next output; return True if there was any."""

    def wait(self, seconds: float) -> bool:
        """Wait at most ``seconds`` for the child to end; return True if it has ended."""

    def finish(self) -> None:
        """Close the child's standard input, after which it ends by itself."""

    def kill(self) -> None:
        """Kill the child at once."""

    def discard(self, seconds: float = 0.0) -> None:
        """Kill the child and make no further calls; wait at most ``seconds`` until it has ended."""

    def ending(self) -> tuple[str, int]:
        """Return the child's output on standard error and its exit code; the number of a fatal signal is negative."""


class Loop(Protocol):
    """The main thread of the program, in which all calls to the desk are made."""

    def soon(self, act: Callable[[], object]) -> None:
        """Call a function in the main thread as soon as it is idle; may be called from any thread."""

    def timer(self, act: Callable[[], object]) -> Timer:
        """Return a timer that has not been started yet."""

    def child(self, entry: Sequence[str] = ENTRY) -> Child:
        """Start a child process, by default a simulator."""
