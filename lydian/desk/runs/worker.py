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

from lydian.desk.conversation import Conversation
from lydian.desk.loop import Child, Loop
from lydian.desk.signal import Signal
from lydian.engine import wire

__all__ = ["WatchedRun", "Worker"]

#: Milliseconds a child gets to end when it is told to, before it is killed.
PATIENCE = 200
#: Milliseconds without a word after which a run is said to hang.
SILENCE = 3000
#: Milliseconds after which the same is said of one that has not even started: Python has to load it first.
STARTING = 30_000


@dataclass(frozen=True)
class WatchedRun:
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


class Worker:
    """Runs one experiment at a time; a new request replaces the one under way.

    Attributes:
        progress: tells the number of the request, events so far, simulated time so far, the growing file or ``None``.
        silent: tells whether the run under way has said nothing for :data:`SILENCE` milliseconds, where that changes.
        finished: tells an :class:`WatchedRun`.
    """

    def __init__(self, loop: Loop) -> None:
        self.progress, self.silent, self.finished = Signal(), Signal(), Signal()
        self._folder = Path(tempfile.mkdtemp(prefix="lydian-"))
        self._removed = weakref.finalize(self, shutil.rmtree, self._folder, True)  # at the latest when Python ends
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
        """Whether a run is under way."""
        return self.conversation.alive

    @property
    def folder(self) -> Path:
        """Where the traces of this session stand until the program closes."""
        return self._folder

    def prepare(self) -> None:
        """Start a child that waits, so that the next run begins at once."""
        if not self._closed:
            self.conversation.prepare()

    def hand_over(self) -> Child:
        """The child that waits, for somebody else to talk to; another one takes its place."""
        child = self.conversation.hand_over()
        self.prepare()
        return child

    def run(self, experiment: Mapping[str, Any], folder: Path | None, bounds: Mapping[str, Any] | None = None) -> int:
        """Run an experiment (as a dict); files it names are looked for in ``folder``.  Returns the request's number.

        ``bounds`` says how many ``seconds`` an action and how much ``memory`` the simulator may take.
        """
        self._number += 1
        self._trace, self._live = self._folder / f"run-{self._number}.parquet", None
        where = None if folder is None else str(folder)
        request = wire.Request(dict(experiment), where, str(self._trace), to=None, told=False, **(bounds or {}))
        self.conversation.start(request)
        self._listen(max(STARTING, SILENCE))
        return self._number

    def _listen(self, milliseconds: int) -> None:
        """From now on count how long the run says nothing."""
        self._quiet(False)
        self._silence.start(milliseconds)

    def _quiet(self, quiet: bool) -> None:
        if quiet != self._is_quiet:
            self._is_quiet = quiet
            self.silent.emit(quiet)

    def stop(self) -> None:
        """Stop the run under way; what it wrote so far is delivered.

        It is asked first.  If it does not answer (an action that never ends), it is killed.
        """
        self.conversation.stop()

    def drop(self) -> None:
        """End the run under way, if there is one; nothing is told of it."""
        self.conversation.drop()
        self._silence.stop()
        self._quiet(False)
        self.prepare()

    def close(self) -> None:
        """End all children and remove the session's traces."""
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
        """The run under way has come to its end: its trace is whole, no need to wait until the child is gone."""
        trace = next((file for file in (self._trace, self._live) if file is not None and file.exists()), None)
        stopped = self.conversation.stopping
        if stopped:
            problem = f"The run was stopped{'; what happened until then is shown' if trace is not None else ''}."
        self.drop()
        self.finished.emit(WatchedRun(self._number, result, trace, problem, stopped))
