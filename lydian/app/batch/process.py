"""The process that makes the runs of a sweep, or tries some of them: it is given one request and says how it goes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from PySide6.QtCore import QObject, QProcess, Signal

from lydian.app.work.loop import begin
from lydian.engine import wire

__all__ = ["SweepProcess"]

#: What is run; see :mod:`lydian.batch.drive` for what it reads and writes.
ENTRY: Sequence[str] = ("-m", "lydian.batch.drive")
#: Milliseconds that closing waits for the process to stop by itself, and then for the system to end it.
PATIENCE, LAST_PATIENCE = 6_000, 3_000
#: Characters that are kept of what it prints on standard error.
_MOST_SAID = 4_000


class SweepProcess(QObject):
    """One request at a time.

    It ends with everything it started when :meth:`stop` is called, when this program ends in whatever way (it reads
    the end of its standard input), and when it is done.
    """

    #: A frame of :mod:`lydian.engine.wire`.
    said = Signal(object)
    #: It is gone: why, if it had not said that it is done.
    gone = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._leaving: list[QProcess] = []  # those that were told to stop, and nobody listens to
        self._unread = b""
        self._said = ""
        self._over = False
        self._stopping = False

    @property
    def alive(self) -> bool:
        """Whether a request is under way."""
        return self._process is not None

    def start(self, request: wire.Batch) -> None:
        """Begin; what was under way stops, and is not heard any more."""
        self._let_go()
        self._unread, self._said, self._over, self._stopping = b"", "", False, False
        process = QProcess(self)
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._overhear)
        process.finished.connect(lambda code, status: self._finished(process, code, status))
        process.errorOccurred.connect(lambda error: self._failed(process, error))
        self._process = process
        begin(process, ENTRY)
        process.write(wire.encode(request))

    def stop(self) -> None:
        """Ask it to stop and to keep what is done; :attr:`said` and :attr:`gone` still come."""
        if self._process is not None and not self._stopping:
            self._stopping = True
            self._process.closeWriteChannel()

    def close(self) -> None:
        """Stop it, and wait until it is gone; nothing is said any more."""
        self._let_go()
        for process in self._leaving:
            process.blockSignals(True)
        for process in self._leaving:
            if process.state() != QProcess.ProcessState.NotRunning and not process.waitForFinished(PATIENCE):
                process.kill()
                process.waitForFinished(LAST_PATIENCE)
            process.deleteLater()
        self._leaving.clear()

    def _let_go(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._leaving.append(process)
            process.closeWriteChannel()
            if process.state() == QProcess.ProcessState.NotRunning:
                self._left(process)

    def _left(self, process: QProcess) -> None:
        if process in self._leaving:
            self._leaving.remove(process)
            process.deleteLater()

    # ------------------------------------------------------------------ news

    def _read(self) -> None:
        process = self._process
        if process is None:
            return
        self._unread += bytes(process.readAllStandardOutput().data())
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            try:
                told = wire.decode(line)
            except wire.Refused:
                continue
            if process is self._process:
                self._over = self._over or isinstance(told, wire.Result | wire.Error)
                self.said.emit(told)

    def _overhear(self) -> None:
        if self._process is not None:
            text = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
            self._said = (self._said + text)[-_MOST_SAID:]

    def _failed(self, process: QProcess, error: QProcess.ProcessError) -> None:
        if error != QProcess.ProcessError.FailedToStart:
            return
        if process is not self._process:
            self._left(process)
        else:
            self._end(f"Python cannot be started ({sys.executable}).")

    def _finished(self, process: QProcess, code: int, status: QProcess.ExitStatus) -> None:
        if process is not self._process:
            self._left(process)
            return
        self._read()
        self._overhear()
        if self._over or self._stopping:
            self._end("")
            return
        lines = [line.strip() for line in self._said.splitlines() if line.strip()]
        why = "it was ended by the system" if status == QProcess.ExitStatus.CrashExit else f"exit code {code}"
        self._end(f"The process that makes the runs ended ({lines[-1] if lines else why}); what was done is kept.")

    def _end(self, why: str) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.deleteLater()
            self.gone.emit(why)
