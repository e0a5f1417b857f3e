"""Qt's event loop, timers and processes, with the interface of the desk (:mod:`lydian.desk.loop`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, QTimer, Signal
from shiboken6 import isValid

from lydian.engine.client import ENTRY, READY
from lydian.language import tr
from lydian.model.childprocess import command, environment

__all__ = ["Child", "Loop"]

#: The number of bytes that are kept of a child's standard error.
MOST_SAID = 65_536


class Child(QProcess):
    """A child process that has loaded its modules and waits for a request."""

    def __init__(self, parent: QObject, entry: Sequence[str]) -> None:
        super().__init__(parent)
        self.unread = self._said = b""
        self.attach(_nothing, _nothing)
        self.readyReadStandardOutput.connect(lambda: self._heard())
        self.readyReadStandardError.connect(self._overhear)
        self.finished.connect(lambda _code, _status: self._end())
        self.errorOccurred.connect(self._fail)
        around = QProcessEnvironment()
        for name, value in {**environment(), READY: "1"}.items():
            around.insert(name, value)
        self.setProcessEnvironment(around)
        program, *words = command(*entry)
        self.start(program, words)

    def attach(self, heard: Callable[[], object], gone: Callable[[], object]) -> None:
        self._heard, self._gone = heard, gone

    def lines(self) -> Iterator[bytes]:
        self.unread += bytes(self.readAllStandardOutput().data())
        *whole, self.unread = self.unread.split(b"\n")
        yield from whole

    def listen(self, seconds: float) -> bool:
        return self.waitForReadyRead(max(1, round(1000 * seconds)))

    def wait(self, seconds: float) -> bool:
        return self.state() == QProcess.ProcessState.NotRunning or self.waitForFinished(round(1000 * seconds))

    def finish(self) -> None:
        self.closeWriteChannel()

    def discard(self, seconds: float = 0.0) -> None:
        self.attach(_nothing, _nothing)
        self.kill()
        if seconds:
            self.wait(seconds)
        self.deleteLater()

    def ending(self) -> tuple[str, int]:
        if self.error() == QProcess.ProcessError.FailedToStart:
            return tr("Python cannot be started: {program}", program=self.program()), 0
        self._overhear()
        killed = self.exitStatus() == QProcess.ExitStatus.CrashExit
        return self._said.decode("utf-8", "replace"), -self.exitCode() if killed else self.exitCode()

    def _overhear(self) -> None:
        self._said = (self._said + bytes(self.readAllStandardError().data()))[-MOST_SAID:]

    def _fail(self, error: QProcess.ProcessError) -> None:
        """Report the end of a child that could not be started; one that no longer reads may still have output."""
        if error == QProcess.ProcessError.FailedToStart:
            self._end()

    def _end(self) -> None:
        if isValid(self):  # otherwise the window was destroyed without being closed, and its child ends with it
            self._gone()


def _nothing() -> None:
    """Ignore the arguments."""


class _Timer:
    """A timer that fires once."""

    def __init__(self, parent: QObject, act: Callable[[], object]) -> None:
        self._timer = QTimer(parent)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(act)

    @property
    def active(self) -> bool:
        return self._timer.isActive()

    def start(self, milliseconds: int) -> None:
        self._timer.start(milliseconds)

    def stop(self) -> None:
        self._timer.stop()


class Loop(QObject):
    """The event loop of the window's thread; children and timers end with this object."""

    _soon = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._soon.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def soon(self, act: Callable[[], object]) -> None:
        self._soon.emit(act)

    def timer(self, act: Callable[[], object]) -> _Timer:
        return _Timer(self, act)

    def child(self, entry: Sequence[str] = ENTRY) -> Child:
        return Child(self, entry)

    def _call(self, act: Callable[[], object]) -> None:
        act()
