"""The trace of a run that is not on the screen: from its file, or made by a simulator of its own beside the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lydian.app.work.background import Background, Report
from lydian.app.work.reading import prepare
from lydian.app.work.worker import Outcome, Worker
from lydian.model.errors import LydianError
from lydian.trace.timeline import Timeline
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.model.experiment import Experiment

__all__ = ["Fetching"]

#: From so many events on the views are prepared aside, too.
LONG = 20_000


class _Lone(Worker):
    """A worker that keeps no child ready: what it is for happens now and then."""

    def prepare(self) -> None:
        """Nothing waits."""


class Fetching(QObject):
    """Gets one trace at a time; a new one takes the place of the one under way.  Nothing waits for it."""

    #: The :class:`~lydian.trace.timeline.Timeline`.
    found = Signal(object)
    #: Why there is none, in a sentence.
    failed = Signal(str)
    #: What goes on, and which share of it is done, -1 if nobody knows; without words it is over.
    progress = Signal(str, float)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker: _Lone | None = None  # made when it is needed first
        self._name = ""
        self.reading = Background(self)
        self.reading.done.connect(self._done)
        self.reading.failed.connect(self._failed)
        self.reading.progress.connect(lambda share: self.progress.emit(f"Reading {self._name}", share))

    @property
    def busy(self) -> bool:
        """Whether a trace is on its way."""
        return self.reading.busy or (self._worker is not None and self._worker.busy)

    def run(self, experiment: Experiment, folder: Path | None, name: str) -> None:
        """Run an experiment beside the window; ``name`` is what the user calls the run."""
        self.cancel()
        self._name = name
        try:
            request = experiment.to_dict()
        except LydianError as error:
            self.failed.emit(str(error))
            return
        if self._worker is None:
            self._worker = _Lone(self)
            self._worker.finished.connect(self._ran)
            self._worker.progress.connect(self._runs)
        self.progress.emit(f"Running {name}", -1.0)
        self._worker.run(request, folder)

    def open(self, file: Path) -> None:
        """Read a trace from a file."""
        self.cancel()
        self._name = file.name
        self._read(file)

    def cancel(self) -> None:
        """Nobody wants the trace any more; nothing is told of it."""
        if not self.busy:
            return
        self.reading.cancel()
        if self._worker is not None:
            self._worker.drop()
        self.progress.emit("", 1.0)

    def close(self) -> None:
        """Leave no child, no thread and no file."""
        self.blockSignals(True)
        self.reading.close()
        if self._worker is not None:
            self._worker.close()

    def _runs(self, _number: int, events: int, time: float, _live: Path | None) -> None:
        self.progress.emit(f"Running {self._name}: {plural(events, 'event')}, time {time:.1f}", -1.0)

    def _ran(self, outcome: Outcome) -> None:
        if outcome.trace is None:
            self._failed(outcome.problem or "The run left no trace.")
        else:
            self._read(outcome.trace)

    def _read(self, file: Path) -> None:
        def work(report: Report) -> Timeline:
            from lydian.trace.reader import load

            timeline = Timeline(load(file, lambda share: report(share / 2)))
            if timeline.length > LONG:
                prepare(timeline, lambda share: report(0.5 + share / 2))
            return timeline

        self.reading.start(work)

    def _done(self, timeline: Timeline) -> None:
        self.progress.emit("", 1.0)
        self.found.emit(timeline)

    def _failed(self, why: str) -> None:
        self.progress.emit("", 1.0)
        self.failed.emit(why)
