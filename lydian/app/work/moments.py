"""Where somebody stood in the tree of runs, and what he asked for there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtGui import QUndoCommand

from lydian.engine import wire
from lydian.model.intervention import Intervention

__all__ = ["Acted", "Deed", "Gesture", "Moment"]


@dataclass(frozen=True)
class Moment:
    """A place in the tree of runs where somebody stood.

    Attributes:
        branch: the run, as far as it has a place in the tree.
        done: what had been done to it.
        time: simulated time.
        steps: steps taken, ``None`` where nobody counted.
    """

    branch: int
    done: tuple[Intervention, ...]
    time: float
    steps: int | None = None


@dataclass(frozen=True)
class Acted:
    """What became of a gesture.

    Attributes:
        what: the interventions that it asked for.
        text: what undo calls it.
        accepted: whether at least one was carried out.
        reason: why one was not, in a sentence, "" if all were.
        interventions: those that were carried out, with their times.
    """

    what: tuple[Mapping[str, Any], ...]
    text: str
    accepted: bool
    reason: str
    interventions: tuple[Intervention, ...]


@dataclass
class Gesture:
    """Something that was asked for and is not answered yet; ``before`` is where it was asked."""

    what: tuple[Mapping[str, Any], ...]
    text: str
    open: set[int] = field(default_factory=set)
    done: list[Intervention] = field(default_factory=list)
    reason: str = ""
    before: Moment | None = None

    def frames(self, numbers: Iterator[int], round_: int) -> Iterator[wire.Interact]:
        """What to send for it, to a simulator that has done so many rounds."""
        for each in self.what:
            number = next(numbers)
            self.open.add(number)
            yield wire.Interact(number, round_, dict(each))

    def heard(self, frame: wire.Answered) -> bool:
        """Take note of an answer to it; whether it was the last."""
        self.open.discard(frame.id)
        if frame.accepted and frame.intervention is not None:
            self.done.append(Intervention.from_dict(frame.intervention))
        else:
            self.reason = self.reason or frame.reason
        return not self.open


class Deed(QUndoCommand):
    """Something that was done to a run; undoing it goes back to the moment before."""

    def __init__(self, rewind: Callable[[Moment], object], text: str, before: Moment, after: Moment) -> None:
        super().__init__(text)
        self._rewind, self._before, self._after = rewind, before, after
        self._new = True

    def redo(self) -> None:
        if not self._new:
            self._rewind(self._after)
        self._new = False

    def undo(self) -> None:
        self._rewind(self._before)
