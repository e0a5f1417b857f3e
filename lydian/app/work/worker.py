"""The simulator beside the window: a child process runs the experiment and writes its trace into a file.

Whatever a protocol does, an endless loop or a crash of the interpreter, it does there; the window stays alive and
says so in a sentence.  One child waits ready, its modules loaded, so that a change of the experiment is seen at once.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QTimer, Signal
from shiboken6 import isValid

from lydian.app.work.child import Child
from lydian.engine import wire

__all__ = ["Outcome", "Worker"]

#: Milliseconds a child gets to end when it is told to, before it is killed.
PATIENCE = 200
#: Milliseconds without a word after which a run is said to hang.
SILENCE = 3000
#: Milliseconds after which the same is said of one that has not even started: Python has to load it first.
STARTING = 30_000


@dataclass(frozen=True)
class Outcome:
    """What a child delivered.

    Attributes:
        number: which request it answers.
        result: what ``lydian run --json`` would print, empty if there is none.
        trace: the file with the trace, or ``None`` if not even a part of it was written.
        problem: a sentence if the run could not be made or broke off, else ``None``.
        stopped: the user stopped it.
    """

    number: int
    result: Mapping[str, Any]
    trace: Path | None
    problem: str | None = None
    stopped: bool = False


class _Child(Child):
    """A child and the run that it was asked for."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.number = 0
        self.trace: Path | None = None
        self.answer: wire.Result | wire.Error | None = None
        self.live: Path | None = None
        self.stopped = False


class Worker(QObject):
    """Runs one experiment at a time; a new request replaces the one under way."""

    #: Number of the request, events so far, simulated time so far, the growing file or ``None``.
    progress = Signal(int, int, float, object)
    #: The run under way has said nothing for :data:`SILENCE` milliseconds (true), or has spoken again (false).
    silent = Signal(bool)
    #: An :class:`Outcome`.
    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = Path(tempfile.mkdtemp(prefix="lydian-"))
        self._removed = weakref.finalize(self, shutil.rmtree, self._folder, True)  # at the latest when Python ends
        self._number = 0
        self._busy: _Child | None = None
        self._spare: _Child | None = None
        self._leaving: list[_Child] = []
        self._closed = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._kill)
        self._silence = QTimer(self)
        self._silence.setSingleShot(True)
        self._silence.timeout.connect(lambda: self._quiet(True))
        self._is_quiet = False

    @property
    def busy(self) -> bool:
        """Whether a run is under way."""
        return self._busy is not None

    @property
    def folder(self) -> Path:
        """Where the traces of this session stand until the program closes."""
        return self._folder

    def prepare(self) -> None:
        """Start a child that waits, so that the next run begins at once."""
        if self._spare is None and not self._closed:
            self._spare = self._made()

    def hand_over(self) -> Child:
        """The child that waits, for somebody else to talk to; another one takes its place."""
        child = self._spare if self._spare is not None else self._made()
        self._spare = None
        for signal in (child.readyReadStandardOutput, child.finished, child.errorOccurred):
            signal.disconnect()
        self.prepare()
        return child

    def run(self, experiment: Mapping[str, Any], folder: Path | None, bounds: Mapping[str, Any] | None = None) -> int:
        """Run an experiment (as a dict); files it names are looked for in ``folder``.  Returns the request's number.

        ``bounds`` says how many ``seconds`` an action and how much ``memory`` the simulator may take.
        """
        self._drop_busy()
        self._number += 1
        child = self._spare if self._spare is not None else self._made()
        self._spare = None
        child.number = self._number
        child.trace = self._folder / f"run-{self._number}.parquet"
        self._busy = child
        where = None if folder is None else str(folder)
        request = wire.Request(dict(experiment), where, str(child.trace), to=None, told=False, **(bounds or {}))
        child.write(wire.encode(request))
        self._quiet(False)
        self._silence.start(max(STARTING, SILENCE))
        return self._number

    def _listen(self) -> None:
        """From now on count how long the run says nothing."""
        self._quiet(False)
        self._silence.start(SILENCE)

    def _quiet(self, quiet: bool) -> None:
        if quiet != self._is_quiet:
            self._is_quiet = quiet
            self.silent.emit(quiet)

    def stop(self) -> None:
        """Stop the run under way; what it wrote so far is delivered.

        It is asked first.  If it does not answer (an action that never ends), it is killed.
        """
        if self._busy is not None and not self._busy.stopped:
            self._busy.stopped = True
            self._busy.write(wire.encode(wire.Stop()))
            self._patience.start(PATIENCE)

    def drop(self) -> None:
        """End the run under way, if there is one; nothing is told of it."""
        self._drop_busy()
        self._patience.stop()
        self._silence.stop()
        self._quiet(False)
        self.prepare()

    def _kill(self) -> None:
        if self._busy is not None and self._busy.stopped:
            self._busy.kill()

    def close(self) -> None:
        """End all children and remove the session's traces."""
        self._closed = True
        self._patience.stop()
        self._silence.stop()
        self._drop_busy()
        for child in [*self._leaving, *([self._spare] if self._spare else [])]:
            child.finished.disconnect()
            child.errorOccurred.disconnect()
            child.kill()
            child.waitForFinished(5 * PATIENCE)
        self._leaving.clear()
        self._spare = None
        self._removed()

    def _made(self) -> _Child:
        child = _Child(self)
        child.readyReadStandardOutput.connect(lambda: self._read(child))
        child.finished.connect(lambda _code, _status: self._ended(child))
        child.errorOccurred.connect(lambda error: self._failed(child, error))
        return child

    def _drop_busy(self) -> None:
        child, self._busy = self._busy, None
        if child is not None:
            self._leaving.append(child)
            child.kill()

    def _read(self, child: _Child) -> None:
        for line in child.lines():
            self._heard(child, line)

    def _heard(self, child: _Child, line: bytes) -> None:
        try:
            said = wire.decode(line)
        except wire.Refused:
            return  # a protocol printed something
        if isinstance(said, wire.Progress):
            if said.done.get("live"):
                child.live = Path(str(said.done["live"]))
            if child is self._busy:
                self._listen()
                events, time = int(said.done.get("events", 0)), float(said.done.get("time", 0.0))
                if events:
                    self.progress.emit(child.number, events, time, child.live)
        elif isinstance(said, wire.Result | wire.Error):
            child.answer = said
            if child is self._busy and not child.stopped:  # its trace is whole: no need to wait until it is gone
                self._leaving.append(child)
                self._done(child)

    def _failed(self, child: _Child, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._ended(child)

    def _ended(self, child: _Child) -> None:
        if not isValid(child):  # the window went without being closed, and its child ends as it is taken apart
            return
        self._read(child)
        if child.unread:
            self._heard(child, child.unread)
        if child is self._spare:
            self._spare = None
        elif child in self._leaving:
            self._leaving.remove(child)
        elif child is self._busy:
            self._done(child)
        child.deleteLater()

    def _done(self, child: _Child) -> None:
        """The run under way has come to its end."""
        self._busy = None
        self._patience.stop()
        self._silence.stop()
        self._quiet(False)
        outcome = _outcome(child)
        self.prepare()
        self.finished.emit(outcome)


def _outcome(child: _Child) -> Outcome:
    """What to make of a child that ended."""
    trace = next((file for file in (child.trace, child.live) if file is not None and file.exists()), None)
    answer = child.answer
    result = answer.result if isinstance(answer, wire.Result) else {}
    if child.stopped:
        shown = "; what happened until then is shown" if trace is not None else ""
        return Outcome(child.number, result, trace, f"The run was stopped{shown}.", True)
    if answer is None:
        return Outcome(child.number, {}, trace, child.last_words())
    problem = answer.text if isinstance(answer, wire.Error) else result.get("error")
    return Outcome(child.number, result, trace, None if problem is None else str(problem))
