"""The reading of a long trace in the background: the window shows the progress, responds, and can cancel it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lydian.desk.loop import Loop
from lydian.desk.signal import Signal
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.reading import Cancelled
from lydian.pieces.animation import animation_for
from lydian.trace.timeline import Timeline
from lydian.views.registry import usual, view
from lydian.views.time.axis import remember

__all__ = ["SMALL", "Reading", "prepare"]

#: The size in bytes up to which a file is read while the window waits, which takes less than a tenth of a second.
SMALL = 1_000_000
#: The size in bytes from which the beginning of a trace is shown while the rest is read, and its number of events.
LONG, FIRST = 4_000_000, 200_000
#: The share of the work that is spent on reading the file; the rest is spent on indexes for the views.
FILE = 0.5
#: The seconds after which a computing thread yields to the window; Python's default is five thousandths.
TURN = 0.0005


class Reading:
    """A reader of one trace at a time in a thread of its own; a new request replaces the one in progress.

    Attributes:
        progress: emitted with a description of the work and the share that is done; an empty one means it is over.
        began: emitted with the timeline of the beginning of a long trace, and the file that it came from.
        read: emitted with the timeline of the trace, its indexes computed, and the file that it came from.
        failed: emitted with a sentence that says why a file cannot be read.
        cancelled: emitted when the reading is cancelled.
    """

    def __init__(self, loop: Loop) -> None:
        self.progress, self.began, self.read, self.failed, self.cancelled = (Signal() for _ in range(5))
        self._loop = loop
        self._number = 0
        self._path: Path | None = None
        self._threads: list[threading.Thread] = []

    @property
    def going_on(self) -> bool:
        """Whether a trace is being read."""
        return self._path is not None

    def begin(self, path: Path) -> None:
        """Read a trace; :attr:`read` or :attr:`failed` is emitted afterwards, unless it is cancelled."""
        self._stop()
        self._path = path
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=self._work, args=(self._number, path), name="lydian-reading", daemon=True)
        self._threads.append(thread)
        self.progress.emit(tr("Reading {file}", file=path.name), 0.0)
        thread.start()

    def cancel(self) -> None:
        """Cancel the reading in progress, if any."""
        if self.going_on:
            self._stop()
            self.progress.emit("", 1.0)
            self.cancelled.emit()

    def close(self) -> None:
        """Wait until all readings have ended; emit no further signal."""
        self._stop()
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _stop(self) -> None:
        self._number += 1
        self._path = None

    def _work(self, number: int, path: Path) -> None:
        from lydian.trace.parquet.reader import load

        told = -1.0

        def at(share: float) -> None:
            nonlocal told
            if number != self._number:
                raise Cancelled
            if share >= told + 0.01:
                told = share
                self._loop.soon(lambda: self._at(number, share))

        timeline, why, before = None, "", sys.getswitchinterval()
        sys.setswitchinterval(TURN)
        try:
            if path.stat().st_size > LONG:
                beginning = load(path, most=FIRST)
                if "stopped" not in beginning.summary and len(beginning) and beginning.damage is None:
                    self._begin(number, Timeline(beginning), path, at)
            timeline = Timeline(load(path, lambda share: at(FILE * share)))
            prepare(timeline, lambda share: at(FILE + (1 - FILE) * share))
        except Cancelled:
            return
        except (LydianError, OSError, MemoryError) as error:
            timeline, why = None, str(error) or tr("{file}: not enough memory to show this trace", file=path)
        except Exception as error:  # noqa: BLE001  whatever it is, the window does not wait for ever
            timeline, why = (
                None,
                tr(
                    "{file}: this trace cannot be shown ({kind}: {error})",
                    file=path,
                    kind=type(error).__name__,
                    error=error,
                ),
            )
        finally:
            sys.setswitchinterval(before)
        self._loop.soon(lambda: self._end(number, timeline, why))

    def _begin(self, number: int, beginning: Timeline, path: Path, at: Callable[[float], object]) -> None:
        """Pass on the beginning of a trace, its indexes computed."""
        prepare(beginning, lambda _share: at(0.0))
        self._loop.soon(lambda: self.began.emit(beginning, path) if number == self._number else None)

    def _at(self, number: int, share: float) -> None:
        if number == self._number and self._path is not None:
            self.progress.emit(tr("Reading {file}", file=self._path.name), share)

    def _end(self, number: int, timeline: Timeline | None, why: str) -> None:
        if number != self._number or self._path is None:
            return
        path, self._path = self._path, None
        self.progress.emit("", 1.0)
        if timeline is None:
            self.failed.emit(why)
        else:
            self.read.emit(timeline, path)


def prepare(timeline: Timeline, progress: Callable[[float], object] | None = None) -> None:
    """Compute what the views keep of a timeline, by computing one frame of each; further frames take milliseconds.

    A view that cannot be computed is skipped; the window reports the reason later.

    Args:
        progress: called after each view with the share of views done; an exception that it raises ends the work.
    """
    wanted = [view(name) for name in usual()]
    animation = remember(timeline, "animation", lambda: animation_for(timeline.trace))
    _ = timeline.message_reached
    timeline.sorts_between(np.array([0, timeline.length]))
    for done, each in enumerate(wanted, 1):
        try:
            each.frame(timeline, 0.0, animation=animation)
        except Exception:  # noqa: BLE001  the same happens in the window, which tells the user
            pass
        if progress is not None:
            progress(done / len(wanted))
