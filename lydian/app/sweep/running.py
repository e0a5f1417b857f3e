"""The state of a running sweep in the window: its folder, its progress, its failed runs, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from lydian.app.sweep.form.check import Shape
from lydian.app.work.loop import Loop
from lydian.desk.conversation import Conversation
from lydian.engine import wire
from lydian.language import tr, trn
from lydian.views.words.words import plural

__all__ = ["Failed", "SweepRun", "conversation"]

#: The module that executes the runs of a sweep, or tries some of them (:mod:`lydian.batch.drive`).
ENTRY = ("-m", "lydian.batch.drive")

#: State -> its description.
STATES = {
    "": tr("No run yet"),
    "beginning": tr("Reading the sweep…"),
    "trying": tr("Trying a few runs…"),
    "starting": tr("Starting Spark and Java, which takes some seconds…"),
    "running": tr("Running"),
    "stopping": tr("Stopping; finished runs are kept…"),
    "done": tr("Done"),
    "cancelled": tr("Stopped; finished runs are kept"),
    "failed": tr("Stopped by an error; finished runs are kept"),
}


def conversation(parent: QObject) -> Conversation:
    """Return a conversation with the process that executes runs; when stopped, it keeps results and ends Java."""
    return Conversation(Loop(parent), ENTRY, gentle=True)


@dataclass(frozen=True)
class Failed:
    """A run without a result."""

    run: int
    group: int
    failure: str
    error: str
    seed: int = 0


class SweepRun(QObject):
    """The sweep that is running, ran last, or was opened.

    Attributes:
        state: a key of :data:`STATES`.
        name, folder, shape: of the sweep.
        total, done, before, bad, violated: numbers of runs; ``before``: done by an earlier job, ``bad``: without a
            result.
        rate, left: runs a second, and remaining seconds if known.
        groups: int32, for each group the number of its finished runs.
        failures: the failures that were reported, and how many ``more`` there are.
        problem: why it stopped, in a sentence.
    """

    #: Emitted when the state has changed.
    changed = Signal()
    #: Emitted when the numbers of some groups have changed.
    filled = Signal()
    #: Emitted when further runs have failed.
    failing = Signal()
    #: Emitted when results were written to the folder.
    written = Signal()
    #: Emitted at the end with ``done``, ``cancelled`` or ``failed``.
    ended = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.conversation = conversation(self)
        self.conversation.heard.connect(self._said)
        self.conversation.gone.connect(self._gone)
        self.state, self.name, self.problem = "", "", ""
        self.folder: Path | None = None
        self.master = "local[*]"
        self.shape = Shape()
        self._request: wire.Batch | None = None  # from the start, unless the folder was opened
        self._clear(0, 0)

    def _clear(self, total: int, groups: int) -> None:
        self.total, self.done, self.before, self.bad, self.violated, self.under_way = total, 0, 0, 0, 0, 0
        self.rate, self.left = 0.0, None
        self.groups: NDArray[np.int32] = np.zeros(max(groups, 1), np.int32)
        self.failures: list[Failed] = []
        self.more = 0
        self.problem = ""

    @property
    def busy(self) -> bool:
        """Whether the sweep is running."""
        return self.conversation.alive

    @property
    def unfinished(self) -> bool:
        """Whether the folder contains a part of the sweep, and the rest is not being executed."""
        return not self.busy and self.folder is not None and self.done < self.total

    @property
    def words(self) -> str:
        """The present state in words."""
        return STATES[self.state]

    # ------------------------------------------------------------------ commands

    def start(
        self, sweep: Mapping[str, Any], file: Path | None, folder: Path, shape: Shape, total: int, groups: int, *,
        master: str, traces: bool, plan: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Execute all runs of a sweep into a new folder."""
        self._begin(str(sweep["name"]), folder, shape, total, groups, master)
        where = None if file is None else str(file)
        told = None if plan is None else dict(plan)
        self._request = wire.Batch("run", dict(sweep), where, str(folder), master, traces, plan=told)
        self.conversation.start(self._request)
        self.changed.emit()

    def resume(self) -> None:
        """Execute the remaining runs."""
        if self.folder is None or self.busy:
            return
        groups, failures, more = self.groups, self.failures, self.more
        done, bad, violated = self.done, self.bad, self.violated
        self._begin(self.name, self.folder, self.shape, self.total, len(self.groups), self.master)
        self.groups, self.failures, self.more = groups, failures, more
        self.done = self.before = done
        self.bad, self.violated = bad, violated
        there = (self.folder / "sweep.json").is_file() or self._request is None
        rest = wire.Batch("run", folder=str(self.folder), master=self.master, resume=True)
        self.conversation.start(rest if there or self._request is None else self._request)
        self.changed.emit()

    def show(self, name: str, folder: Path, shape: Shape, total: int, groups: NDArray[np.int32],
             failures: list[Failed], more: int, violated: int) -> None:  # fmt: skip
        """Show a folder of an earlier sweep."""
        self._begin(name, folder, shape, total, len(groups), self.master)
        self._request = None
        self.groups = groups
        self.done = int(groups.sum())
        self.failures, self.more, self.bad, self.violated = failures, more, len(failures) + more, violated
        self.state = "done" if self.done >= total else "cancelled"
        self.changed.emit()
        self.filled.emit()
        self.failing.emit()

    def stop(self) -> None:
        """Stop the sweep, and keep finished runs."""
        if self.busy and self.state != "stopping":
            self.state = "stopping"
            self.conversation.stop()
            self.changed.emit()

    def close(self) -> None:
        """Stop the sweep, and wait for its process."""
        self.conversation.close()

    def _begin(self, name: str, folder: Path, shape: Shape, total: int, groups: int, master: str) -> None:
        self._clear(total, groups)
        self.state, self.name, self.folder, self.shape, self.master = "beginning", name, folder, shape, master
        self.filled.emit()
        self.failing.emit()

    # ------------------------------------------------------------------ reports of the process

    def _said(self, told: wire.Frame) -> None:
        if isinstance(told, wire.Progress):
            self._progress(told.done)
        elif isinstance(told, wire.Partial):
            self.failures += [
                Failed(int(row["run"]), int(row["group"]), str(row["failure"]), str(row["error"]), int(row["seed"]))
                for row in told.found["failures"]
            ]
            self.failures = list({each.run: each for each in self.failures}.values())
            self.more = int(told.found["more"])
            self.failing.emit()
        elif isinstance(told, wire.Result):
            self._count(told.result["progress"])
            self._end(str(told.result["state"]))
        elif isinstance(told, wire.Error):
            from lydian.batch.folder import RESUME

            place = ": ".join(part for part in (told.file, told.place) if part)
            what = told.text.replace(RESUME, "press Resume to continue").replace("--master: ", "")
            self.problem = f"{place}: {what}" if place else what[:1].upper() + what[1:]
            self.problem += "" if self.problem.endswith(".") else "."
            self._end("failed")

    def _progress(self, told: Mapping[str, Any]) -> None:
        before = self.done
        self._count(told)
        if self.state != "stopping" and told["state"] in ("trying", "starting", "running"):
            self.state = str(told["state"])
        fresh = told.get("groups") or {}
        if fresh:
            numbers = np.fromiter((int(key) for key in fresh), np.int64, len(fresh))
            counts = np.fromiter(fresh.values(), np.int64, len(fresh))
            there = numbers < len(self.groups)
            self.groups[numbers[there]] = counts[there]
            self.filled.emit()
        self.changed.emit()
        if self.done > before:
            self.written.emit()

    def _count(self, told: Mapping[str, Any]) -> None:
        self.total = int(told["total"])
        # A resumed job counts the runs of earlier jobs first, so its numbers are too small for a while.
        if int(told["done"]) >= self.done:
            self.done, self.bad, self.violated = int(told["done"]), int(told["failed"]), int(told["violated"])
        self.before, self.under_way = int(told["before"]), int(told["under_way"])
        self.rate, self.left = float(told["rate"]), told["left"]

    def _end(self, state: str) -> None:
        if self.state in ("done", "failed") or (self.state == "cancelled" and state != "failed"):
            return
        self.state, self.under_way, self.left = state, 0, None
        self.changed.emit()
        self.ended.emit(state)

    def _gone(self, why: str) -> None:
        if why and self.state not in ("done", "cancelled", "failed"):
            self.problem = why
            self._end("failed")
        elif self.state not in ("done", "failed"):
            self._end("cancelled")
        self.changed.emit()

    def summary(self) -> str:
        """Return the progress in a sentence."""
        parts = [
            trn("{done:,} of {count:,} run", "{done:,} of {count:,} runs", self.total, done=self.done)
            if self.done < self.total
            else plural(self.done, "run")
        ]
        parts += [tr("{count:,} failed", count=self.bad)] if self.bad else []
        parts += (
            [trn("{count:,} run violated a property", "{count:,} runs violated a property", self.violated)]
            if self.violated
            else []
        )
        return ", ".join(parts)
