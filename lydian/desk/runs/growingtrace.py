"""The display of a long run while it continues: its growing file is read repeatedly in a thread of its own."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from lydian.desk.loop import Loop
from lydian.desk.runs.reading import prepare
from lydian.desk.signal import Signal
from lydian.model.errors import LydianError
from lydian.trace.timeline import Timeline

__all__ = ["GrowingTrace"]

#: The seconds after which an unfinished run is first shown; also the least interval between two readings.
PATIENCE = 1.0
#: The greatest share of the time that is spent on reading.
SHARE = 0.25


class GrowingTrace:
    """A reader of the growing file of a run, and finally of the complete file, in a thread of its own.

    Attributes:
        patience: the seconds before the first reading, and the least interval between two.
        shown: whether a part of the run in progress has been passed on.
        grown: emitted with the run so far, as a :class:`~lydian.trace.timeline.Timeline`.
        whole: emitted with the complete run (or ``None``) and a sentence that says why it cannot be read.
    """

    def __init__(self, loop: Loop) -> None:
        self.grown, self.whole = Signal(), Signal()
        self._loop = loop
        self.patience = PATIENCE
        self.shown = False
        self._number = 0
        self._next = 0.0
        self._going_on = self._last = False
        self._threads: list[threading.Thread] = []

    @property
    def going_on(self) -> bool:
        """Whether a run is in progress."""
        return self._going_on

    def begin(self) -> None:
        """Begin with a new run; discard the result of a reading that is still in progress."""
        self._number += 1
        self._going_on, self.shown, self._last = True, False, False
        self._next = time.monotonic() + self.patience

    def end(self) -> None:
        """Stop reading, as the run is over or is no longer needed."""
        self._number += 1
        self._going_on = False

    def look(self, live: Path | None) -> None:
        """Read the run's file, whose path has been reported, if the next reading is due."""
        if live is not None and self._going_on and not self._alive() and time.monotonic() >= self._next:
            self._start(live)

    def finish(self, file: Path) -> None:
        """Read the complete run, because it is over; :attr:`whole` is emitted afterwards."""
        self.end()
        self._last = True
        self._start(file)

    def close(self) -> None:
        """Wait until all readings have ended."""
        self.end()
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _alive(self) -> bool:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        return bool(self._threads)

    def _start(self, file: Path) -> None:
        self._alive()
        thread = threading.Thread(target=self._load, args=(self._number, file), name="lydian-growth", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _load(self, number: int, file: Path) -> None:
        from lydian.trace.parquet.file import load

        began, timeline, why = time.monotonic(), None, ""
        try:
            timeline = Timeline(load(file))
            prepare(timeline)
        except (LydianError, OSError) as error:  # the run has just ended and its growing file was renamed
            why = str(error)
        took = time.monotonic() - began
        self._loop.soon(lambda: self._got(number, timeline, why, took))

    def _got(self, number: int, timeline: Timeline | None, why: str, seconds: float) -> None:
        self._next = time.monotonic() + max(self.patience, seconds / SHARE)
        if number != self._number:
            return
        if self._last:
            self._last = False
            self.whole.emit(timeline, why)
        elif timeline is not None and self._going_on:
            timeline.trace.damage = None  # the file is not damaged, only incomplete
            self.shown = True
            self.grown.emit(timeline)
