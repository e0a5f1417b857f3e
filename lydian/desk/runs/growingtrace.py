"""A run that takes long is shown while it goes on: what its file holds so far is read again and again, aside."""

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

#: Seconds after which a run is shown before it is over, and at least so many between two readings.
PATIENCE = 1.0
#: Reading takes at most this share of the time.
SHARE = 0.25


class GrowingTrace:
    """Reads the growing file of a run, and at last the whole of it, in a thread of its own.

    Attributes:
        patience: seconds before the first reading, and the least between two.
        shown: whether a part of the run under way has been handed out.
        grown: tells the run so far, as a :class:`~lydian.trace.timeline.Timeline`.
        whole: tells the whole run, or ``None``, and a sentence why not.
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
        """Whether a run is under way."""
        return self._going_on

    def begin(self) -> None:
        """A run begins; what is still being read belongs to an older one."""
        self._number += 1
        self._going_on, self.shown, self._last = True, False, False
        self._next = time.monotonic() + self.patience

    def end(self) -> None:
        """The run is over, or of no interest any more."""
        self._number += 1
        self._going_on = False

    def look(self, live: Path | None) -> None:
        """The run told where its file is; read it if it is time to."""
        if live is not None and self._going_on and not self._alive() and time.monotonic() >= self._next:
            self._start(live)

    def finish(self, file: Path) -> None:
        """The run is over: read the whole of it; :attr:`whole` follows."""
        self.end()
        self._last = True
        self._start(file)

    def close(self) -> None:
        """Wait until nothing is read any more."""
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
        except (LydianError, OSError) as error:  # a growing file: the run is over in this moment, and it has its name
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
            timeline.trace.damage = None  # it is not cut, there is only more to come
            self.shown = True
            self.grown.emit(timeline)
