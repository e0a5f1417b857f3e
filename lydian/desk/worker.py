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

from lydian.desk.loop import Child, Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.failure import gone

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


class _Job:
    """A child and the run that it was asked for."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.number = 0
        self.trace: Path | None = None
        self.answer: wire.Result | wire.Error | None = None
        self.live: Path | None = None
        self.stopped = False


class Worker:
    """Runs one experiment at a time; a new request replaces the one under way.

    Attributes:
        progress: tells the number of the request, events so far, simulated time so far, the growing file or ``None``.
        silent: tells whether the run under way has said nothing for :data:`SILENCE` milliseconds, where that changes.
        finished: tells an :class:`Outcome`.
    """

    def __init__(self, loop: Loop) -> None:
        self.progress, self.silent, self.finished = Signal(), Signal(), Signal()
        self._loop = loop
        self._folder = Path(tempfile.mkdtemp(prefix="lydian-"))
        self._removed = weakref.finalize(self, shutil.rmtree, self._folder, True)  # at the latest when Python ends
        self._number = 0
        self._busy: _Job | None = None
        self._spare: _Job | None = None
        self._leaving: list[_Job] = []
        self._closed = False
        self._patience = loop.timer(self._kill)
        self._silence = loop.timer(self._fall_silent)
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
        job = self._spare if self._spare is not None else self._made()
        self._spare = None
        self.prepare()
        return job.child

    def run(self, experiment: Mapping[str, Any], folder: Path | None, bounds: Mapping[str, Any] | None = None) -> int:
        """Run an experiment (as a dict); files it names are looked for in ``folder``.  Returns the request's number.

        ``bounds`` says how many ``seconds`` an action and how much ``memory`` the simulator may take.
        """
        self._drop_busy()
        self._number += 1
        job = self._spare if self._spare is not None else self._made()
        self._spare = None
        job.number = self._number
        job.trace = self._folder / f"run-{self._number}.parquet"
        self._busy = job
        where = None if folder is None else str(folder)
        request = wire.Request(dict(experiment), where, str(job.trace), to=None, told=False, **(bounds or {}))
        job.child.write(wire.encode(request))
        self._quiet(False)
        self._silence.start(max(STARTING, SILENCE))
        return self._number

    def _listen(self) -> None:
        """From now on count how long the run says nothing."""
        self._quiet(False)
        self._silence.start(SILENCE)

    def _fall_silent(self) -> None:
        self._quiet(True)

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
            self._busy.child.write(wire.encode(wire.Stop()))
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
            self._busy.child.kill()

    def close(self) -> None:
        """End all children and remove the session's traces."""
        self._closed = True
        self._patience.stop()
        self._silence.stop()
        self._drop_busy()
        for job in [*self._leaving, *([self._spare] if self._spare else [])]:
            job.child.discard(5 * PATIENCE / 1000)
        self._leaving.clear()
        self._spare = None
        self._removed()

    def _made(self) -> _Job:
        job = _Job(self._loop.child())
        job.child.attach(lambda: self._read(job), lambda: self._ended(job))
        return job

    def _drop_busy(self) -> None:
        job, self._busy = self._busy, None
        if job is not None:
            self._leaving.append(job)
            job.child.kill()

    def _read(self, job: _Job) -> None:
        for line in job.child.lines():
            self._heard(job, line)

    def _heard(self, job: _Job, line: bytes) -> None:
        try:
            said = wire.decode(line)
        except wire.Refused:
            return  # a protocol printed something
        if isinstance(said, wire.Progress):
            if said.done.get("live"):
                job.live = Path(str(said.done["live"]))
            if job is self._busy:
                self._listen()
                events, time = int(said.done.get("events", 0)), float(said.done.get("time", 0.0))
                if events:
                    self.progress.emit(job.number, events, time, job.live)
        elif isinstance(said, wire.Result | wire.Error):
            job.answer = said
            if job is self._busy and not job.stopped:  # its trace is whole: no need to wait until it is gone
                self._leaving.append(job)
                self._done(job)

    def _ended(self, job: _Job) -> None:
        self._read(job)
        if job.child.unread:
            self._heard(job, job.child.unread)
        if job is self._spare:
            self._spare = None
        elif job in self._leaving:
            self._leaving.remove(job)
        elif job is self._busy:
            self._done(job)
        job.child.discard()

    def _done(self, job: _Job) -> None:
        """The run under way has come to its end."""
        self._busy = None
        self._patience.stop()
        self._silence.stop()
        self._quiet(False)
        outcome = _outcome(job)
        self.prepare()
        self.finished.emit(outcome)


def _outcome(job: _Job) -> Outcome:
    """What to make of a child that ended."""
    trace = next((file for file in (job.trace, job.live) if file is not None and file.exists()), None)
    answer = job.answer
    result = answer.result if isinstance(answer, wire.Result) else {}
    if job.stopped:
        shown = "; what happened until then is shown" if trace is not None else ""
        return Outcome(job.number, result, trace, f"The run was stopped{shown}.", True)
    if answer is None:
        return Outcome(job.number, {}, trace, gone(*job.child.ending()))
    problem = answer.text if isinstance(answer, wire.Error) else result.get("error")
    return Outcome(job.number, result, trace, None if problem is None else str(problem))
