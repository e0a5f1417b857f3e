"""The simulator in the background: a child process runs the experiment and writes its trace to a file.

If a protocol loops endlessly or crashes the interpreter, only the child is affected; the window continues to respond
and reports the problem. A spare child with its modules loaded is kept ready, so that a change to the experiment takes
effect at once.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.desk.conversation import Conversation
from lydian.desk.loop import Child, Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.language import tr

__all__ = ["WatchedRun", "Worker"]

#: The milliseconds that a child has to end after it is told to stop, before it is killed.
PATIENCE = 200
#: The milliseconds without output after which a run is reported as not responding.
SILENCE = 3000
#: The same for a child that has just been started and has to load Python first.
STARTING = 30_000


@dataclass(frozen=True)
class WatchedRun:
    """The outcome of a run in a child process.

    Attributes:
        number: the number of the request.
        result: what ``lydian run --json`` would print; empty if there is no result.
        trace: the file with the trace, or ``None`` if no part of it was written.
        problem: a sentence if the run failed or broke off, else ``None``.
        stopped: whether the user stopped the run.
    """

    number: int
    result: Mapping[str, Any]
    trace: Path | None
    problem: str | None = None
    stopped: bool = False


class Worker:
    """A runner of one experiment at a time; a new request replaces the one in progress.

    Attributes:
        progress: emitted with the number of the request, the events and the simulated time so far, and the growing
            file or ``None``.
        silent: emitted with True when the run in progress has sent nothing for :data:`SILENCE` milliseconds, and
            with False when it responds again.
        finished: emitted with a :class:`WatchedRun`.
    """

    def __init__(self, loop: Loop) -> None:
        self.progress, self.silent, self.finished = Signal(), Signal(), Signal()
        self._folder = Path(tempfile.mkdtemp(prefix="lydian-"))
        self._removed = weakref.finalize(self, shutil.rmtree, self._folder, True)  # when Python ends, at the latest
        self._number = 0
        self._trace: Path | None = None
        self._live: Path | None = None
        self._closed = False
        self.conversation = Conversation(loop, patience=PATIENCE)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)
        self._silence = loop.timer(lambda: self._quiet(True))
        self._is_quiet = False

    @property
    def busy(self) -> bool:
        """Whether a run is in progress."""
        return self.conversation.alive

    @property
    def folder(self) -> Path:
        """The folder that contains the traces of this session until the program closes."""
        return self._folder

    def prepare(self) -> None:
        """Start a waiting child, so that the next run begins at once."""
        if not self._closed:
            self.conversation.prepare()

    def hand_over(self) -> Child:
        """Give the waiting child to the caller, and start another one in its place."""
        child = self.conversation.hand_over()
        self.prepare()
        return child

    def run(self, experiment: Mapping[str, Any], folder: Path | None, bounds: Mapping[str, Any] | None = None) -> int:
        """Run an experiment (a dict), and return the number of the request.

        Files that the experiment names are looked for in ``folder``. ``bounds`` limits the ``seconds`` that an action
        and the ``memory`` that the simulator may use.
        """
        self._number += 1
        self._trace, self._live = self._folder / f"run-{self._number}.parquet", None
        where = None if folder is None else str(folder)
        request = wire.Request(dict(experiment), where, str(self._trace), to=None, told=False, **(bounds or {}))
        self.conversation.start(request)
        self._listen(max(STARTING, SILENCE))
        return self._number

    def _listen(self, milliseconds: int) -> None:
        """Restart the timer that detects a run without output."""
        self._quiet(False)
        self._silence.start(milliseconds)

    def _quiet(self, quiet: bool) -> None:
        if quiet != self._is_quiet:
            self._is_quiet = quiet
            self.silent.emit(quiet)

    def stop(self) -> None:
        """Stop the run in progress and deliver the trace so far.

        The child is first told to stop. If it does not respond, because of an action that never ends, it is killed.
        """
        self.conversation.stop()

    def drop(self) -> None:
        """End the run in progress, if any, without emitting any further signal."""
        self.conversation.drop()
        self._silence.stop()
        self._quiet(False)
        self.prepare()

    def close(self) -> None:
        """End all children and delete the session's traces."""
        self._closed = True
        self._silence.stop()
        self.conversation.close()
        self._removed()

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress):
            if said.done.get("live"):
                self._live = Path(str(said.done["live"]))
            self._listen(SILENCE)
            events, time = int(said.done.get("events", 0)), float(said.done.get("time", 0.0))
            if events:
                self.progress.emit(self._number, events, time, self._live)
        elif isinstance(said, wire.Result):
            problem = said.result.get("error")
            self._done(said.result, None if problem is None else str(problem))
        elif isinstance(said, wire.Error):
            self._done({}, said.text)

    def _gone(self, why: str) -> None:
        self._done({}, why)

    def _done(self, result: Mapping[str, Any], problem: str | None) -> None:
        """Deliver the outcome of the run in progress; its trace is complete, even if the child has not ended yet."""
        trace = next((file for file in (self._trace, self._live) if file is not None and file.exists()), None)
        stopped = self.conversation.stopping
        if stopped:
            problem = tr("The run was stopped.")
            if trace is not None:
                problem = tr("The run was stopped; its events up to then are shown.")
        self.drop()
        self.finished.emit(WatchedRun(self._number, result, trace, problem, stopped))
