"""A search of all schedules beside the window, in a child process that ends with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.desk.loop import Child, Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.failure import ALARMS
from lydian.model.errors import LydianError
from lydian.model.experiment import Experiment
from lydian.model.experimentfile import from_dict

__all__ = ["Search", "Searched"]

#: What the child runs.
ENTRY = ("-m", "lydian.engine.explorer.serve")


@dataclass(frozen=True)
class Searched:
    """How a search ended.

    Attributes:
        result: what ``lydian explore --json`` prints; empty if there is none.
        examples: for each finding the experiment that takes its counterexample's steps, or ``None``.
        problem: a sentence if there is no result.
    """

    result: Mapping[str, Any]
    examples: tuple[Experiment | None, ...] = ()
    problem: str | None = None


class Search:
    """One search at a time; a new one takes the place of the one under way.

    Attributes:
        progress: tells how many configurations were found, how many wait to be looked at, how many moves, the depth.
        finished: tells a :class:`Searched`.
    """

    def __init__(self, loop: Loop) -> None:
        self.progress, self.finished = Signal(), Signal()
        self._loop = loop
        self._child: Child | None = None
        self._path: Path | None = None
        self.stopping = False

    @property
    def busy(self) -> bool:
        """Whether a search is under way."""
        return self._child is not None

    def start(self, experiment: Experiment, **bounds: Any) -> None:
        """Search; ``bounds`` are the other fields of a :class:`~lydian.engine.wire.Search`."""
        self.close()
        self._path, self.stopping = experiment.path, False
        try:
            record = experiment.to_dict()
        except LydianError as error:
            self.finished.emit(Searched({}, problem=str(error)))
            return
        folder = None if experiment.path is None else str(experiment.path.parent)
        child = self._child = self._loop.child(ENTRY)
        child.attach(lambda: self._read(child), lambda: self._ended(child))
        child.write(wire.encode(wire.Search(record, folder, **bounds)))

    def stop(self) -> None:
        """End the search and have told what it found so far; the second time end it at once."""
        child = self._child
        if child is None:
            return
        if self.stopping:
            child.kill()
        else:
            self.stopping = True
            child.write(wire.encode(wire.Stop()))

    def close(self) -> None:
        """End the search under way, if there is one; nothing is told of it."""
        child, self._child = self._child, None
        if child is not None:
            child.discard(1.0)

    def _read(self, child: Child) -> None:
        for line in child.lines():
            self._heard(child, line)

    def _heard(self, child: Child, line: bytes) -> None:
        try:
            said = wire.decode(line)
        except wire.Refused:
            return
        if child is not self._child:
            return
        if isinstance(said, wire.Progress):
            done = said.done
            self.progress.emit(*(int(done.get(name, 0)) for name in ("configurations", "waiting", "edges", "depth")))
        elif isinstance(said, wire.Error):
            self._over(Searched({}, problem=said.text))
        elif isinstance(said, wire.Result):
            examples = (None if each is None else from_dict(each) for each in said.examples)
            placed = tuple(None if each is None else each.with_(path=self._path) for each in examples)
            self._over(Searched(said.result, placed))

    def _over(self, outcome: Searched) -> None:
        self.close()
        self.finished.emit(outcome)

    def _ended(self, child: Child) -> None:
        if child is not self._child:
            return
        self._read(child)
        if child is not self._child:  # its last line was the result
            return
        if child.unread:
            self._heard(child, child.unread)
            if child is not self._child:
                return
        printed, code = child.ending()
        said = printed.strip().splitlines()
        if self.stopping:
            why = "The search was ended; what it had found is gone."
        elif code in ALARMS:
            why = "The search was ended: an action did not come to an end and could not be interrupted."
        elif code < 0:
            why = "The search was ended from outside, perhaps for want of memory; nothing of yours is lost."
        else:
            why = f"The search broke off{f' ({said[-1]})' if said else ''}; nothing of yours is lost."
        self._over(Searched({}, problem=why))
