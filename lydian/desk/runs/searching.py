"""A search of all schedules beside the window, in a child process that ends with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.desk.conversation import Conversation
from lydian.desk.loop import Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment, from_dict

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
        self._path: Path | None = None
        self.conversation = Conversation(loop, ENTRY)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)

    @property
    def busy(self) -> bool:
        """Whether a search is under way."""
        return self.conversation.alive

    @property
    def stopping(self) -> bool:
        """Whether it was told to end."""
        return self.conversation.stopping

    def start(self, experiment: Experiment, **bounds: Any) -> None:
        """Search; ``bounds`` are the other fields of a :class:`~lydian.engine.wire.Search`."""
        self._path = experiment.path
        try:
            record = experiment.to_dict()
        except LydianError as error:
            self._over(Searched({}, problem=str(error)))
            return
        folder = None if experiment.path is None else str(experiment.path.parent)
        self.conversation.start(wire.Search(record, folder, **bounds))

    def stop(self) -> None:
        """End the search and have told what it found so far; the second time end it at once."""
        if self.stopping:
            self.conversation.kill()
        else:
            self.conversation.stop()

    def close(self) -> None:
        """End the search under way, if there is one; nothing is told of it."""
        self.conversation.close()

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress):
            done = said.done
            self.progress.emit(*(int(done.get(name, 0)) for name in ("configurations", "waiting", "edges", "depth")))
        elif isinstance(said, wire.Error):
            self._over(Searched({}, problem=said.text))
        elif isinstance(said, wire.Result):
            examples = (None if each is None else from_dict(each) for each in said.examples)
            placed = tuple(None if each is None else each.with_(path=self._path) for each in examples)
            self._over(Searched(said.result, placed))

    def _gone(self, why: str) -> None:
        self._over(Searched({}, problem=why or "The search was ended; what it had found is gone."))

    def _over(self, outcome: Searched) -> None:
        self.conversation.drop()
        self.finished.emit(outcome)
