"""A simulator in a process of its own beside the window: started ready, and heard line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment

from lydian.engine.client import ENTRY, READY
from lydian.engine.failure import gone
from lydian.model.childprocess import command, environment

__all__ = ["Child", "begin"]


def begin(process: QProcess, entry: Sequence[str], more: Mapping[str, str] | None = None) -> None:
    """Start a Python beside the window, as every child process is started.

    Args:
        entry: what it runs, such as ``("-m", "lydian.engine.serve")``.
        more: variables beside the usual ones.
    """
    around = QProcessEnvironment()
    for name, value in {**environment(), **(more or {})}.items():
        around.insert(name, value)
    process.setProcessEnvironment(around)
    program, *words = command(*entry)
    process.start(program, words)


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
        begin(self, entry, {READY: "1"})

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
