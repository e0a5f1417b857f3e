"""What the desk needs of the program that it is part of: a thread to be called in, clocks and child processes.

The window has these from Qt (:class:`lydian.app.work.loop.Loop`); a test has them from nowhere but itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from lydian.engine.client import ENTRY

__all__ = ["Child", "Loop", "Timer"]


class Timer(Protocol):
    """Calls its function once, some time after it was started."""

    @property
    def active(self) -> bool:
        """Whether it was started and has not called yet."""

    def start(self, milliseconds: int) -> None:
        """Call in so long; an earlier start does not count any more."""

    def stop(self) -> None:
        """Do not call."""


class Child(Protocol):
    """A process that has its modules loaded and waits for a request; see :mod:`lydian.engine.wire` for what it reads.

    Attributes:
        unread: the beginning of a line whose end has not come yet.
    """

    unread: bytes

    def attach(self, heard: Callable[[], object], gone: Callable[[], object]) -> None:
        """Call ``heard`` when there are lines to read and ``gone`` once it has ended; nobody else is called then."""

    def write(self, data: bytes, /) -> object:
        """Say something."""

    def lines(self) -> Iterator[bytes]:
        """The lines that came since the last time."""

    def listen(self, seconds: float) -> bool:
        """Wait for what it says next, at most so long; whether it said something."""

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, at most so long; whether it has."""

    def kill(self) -> None:
        """End it at once."""

    def discard(self, seconds: float = 0.0) -> None:
        """End it and call nobody any more; wait at most so long until it is gone."""

    def ending(self) -> tuple[str, int]:
        """What it printed on standard error, and its exit code; a signal that ended it is negative."""


class Loop(Protocol):
    """The thread of the program, in which everything of the desk is called."""

    def soon(self, act: Callable[[], object]) -> None:
        """Call a function in that thread, once what goes on there is over; asked for from any thread."""

    def timer(self, act: Callable[[], object]) -> Timer:
        """A timer that is not started yet."""

    def child(self, entry: Sequence[str] = ENTRY) -> Child:
        """Start a child, by default a simulator."""
