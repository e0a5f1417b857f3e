"""A simulator in a process of its own beside the window: started ready, and heard line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment

from lydian.engine.client import ENTRY, READY, environment
from lydian.engine.failure import gone

__all__ = ["Child"]


class Child(QProcess):
    """A process that has its modules loaded and waits for a request; see :mod:`lydian.engine.serve` for what it reads.

    Args:
        entry: what Python runs, if not the simulator.

    Attributes:
        unread: the beginning of a line whose end has not come yet.
    """

    def __init__(self, parent: QObject, entry: Sequence[str] = ENTRY) -> None:
        super().__init__(parent)
        self.unread = b""
        around = QProcessEnvironment()
        for name, value in environment().items():
            around.insert(name, value)
        around.insert(READY, "1")
        self.setProcessEnvironment(around)
        self.start(sys.executable, list(entry))

    def lines(self) -> Iterator[bytes]:
        """The lines that came since the last time."""
        self.unread += bytes(self.readAllStandardOutput().data())
        *whole, self.unread = self.unread.split(b"\n")
        yield from whole

    def last_words(self) -> str:
        """Why it is gone, in a sentence, as far as what it printed on standard error and how it ended tell."""
        said = bytes(self.readAllStandardError().data()).decode("utf-8", "replace")
        killed = self.exitStatus() == QProcess.ExitStatus.CrashExit
        return gone(said, -self.exitCode() if killed else self.exitCode())
