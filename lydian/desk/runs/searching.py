"""A search through every schedule in the background, in a child process that ends with the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.desk.conversation import Conversation
from lydian.desk.loop import Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment, from_dict

__all__ = ["Search", "Searched"]

#: The entry point of the child.
ENTRY = ("-m", "lydian.engine.explorer.serve")


@dataclass(frozen=True)
class Searched:
    """The outcome of a search.

    Attributes:
        result: what ``lydian explore --json`` prints; empty if there is no result.
        examples: for each finding, the experiment that reproduces its counterexample, or ``None``.
        problem: a sentence that says why there is no result.
    """

    result: Mapping[str, Any]
    examples: tuple[Experiment | None, ...] = ()
    problem: str | None = None


class Search:
    """A runner of one search at a time; a new search replaces the one in progress.

    Attributes:
        progress: emitted with the numbers of configurations found, of those still to be examined, and of moves, and
            the depth.
        walked: emitted with the numbers of random schedules followed so far and wanted, and of moves.
        finished: emitted with a :class:`Searched`.
    """

    def __init__(self, loop: Loop) -> None:
        self.progress, self.walked, self.finished = Signal(), Signal(), Signal()
        self._path: Path | None = None
        self.conversation = Conversation(loop, ENTRY)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)

    @property
    def busy(self) -> bool:
        """Whether a search is in progress."""
        return self.conversation.alive

    @property
    def stopping(self) -> bool:
        """Whether the search has been told to stop."""
        return self.conversation.stopping

    def start(self, experiment: Experiment, **bounds: Any) -> None:
        """Start a search; ``bounds`` are the other fields of a :class:`~lydian.engine.wire.Search`."""
        self._path = experiment.path
        try:
            record = experiment.to_dict()
        except LydianError as error:
            self._over(Searched({}, problem=str(error)))
            return
        folder = None if experiment.path is None else str(experiment.path.parent)
        self.conversation.start(wire.Search(record, folder, **bounds))

    def stop(self) -> None:
        """Stop the search and report its findings so far; at the second call, kill it at once."""
        if self.stopping:
            self.conversation.kill()
        else:
            self.conversation.stop()

    def close(self) -> None:
        """End the search in progress, if any, without emitting any further signal."""
        self.conversation.close()

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress):
            done = said.done
            if "schedules" in done:
                self.walked.emit(*(int(done.get(name, 0)) for name in ("schedules", "wanted", "moves")))
                return
            self.progress.emit(*(int(done.get(name, 0)) for name in ("configurations", "waiting", "edges", "depth")))
        elif isinstance(said, wire.Error):
            self._over(Searched({}, problem=said.text))
        elif isinstance(said, wire.Result):
            examples = (None if each is None else from_dict(each) for each in said.examples)
            placed = tuple(None if each is None else each.with_(path=self._path) for each in examples)
            self._over(Searched(said.result, placed))

    def _gone(self, why: str) -> None:
        self._over(Searched({}, problem=why or tr("The search was stopped at once; its findings are lost.")))

    def _over(self, outcome: Searched) -> None:
        self.conversation.drop()
        self.finished.emit(outcome)
