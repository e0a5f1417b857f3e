"""Steps that can be undone and done again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lydian.desk.signal import Signal

__all__ = ["Step", "Undo"]


@dataclass
class Step:
    """One change: ``put`` is given the new value to do it, and the old one to undo it.

    Attributes:
        text: what the Edit menu says: "delays", "crash of 3".
        key: steps with the same key that follow each other are one; a step without a key stays alone.
    """

    text: str
    put: Callable[[Any], object]
    old: Any
    new: Any
    key: str = ""


class Undo:
    """The steps in the order in which they were done; those from :attr:`index` on have been undone.

    Attributes:
        moved: tells the index after each step, forwards or backwards.
        clean_changed: tells whether everything is as it was saved, where that changes.
    """

    def __init__(self) -> None:
        self.moved, self.clean_changed = Signal(), Signal()
        self._steps: list[Step] = []
        self._index = 0
        self._saved: int | None = 0  # the index at which everything was saved

    @property
    def index(self) -> int:
        """How many steps are in force."""
        return self._index

    @property
    def count(self) -> int:
        """How many steps there are, those that were undone included."""
        return len(self._steps)

    @property
    def clean(self) -> bool:
        """Whether everything is as it was saved."""
        return self._index == self._saved

    @property
    def undo_text(self) -> str:
        """What :meth:`undo` would undo; empty if there is nothing."""
        return self._steps[self._index - 1].text if self._index else ""

    @property
    def redo_text(self) -> str:
        """What :meth:`redo` would do again; empty if there is nothing."""
        return self._steps[self._index].text if self._index < len(self._steps) else ""

    @property
    def can_undo(self) -> bool:
        """Whether a step is in force."""
        return self._index > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step has been undone."""
        return self._index < len(self._steps)

    def text(self, index: int) -> str:
        """What a step is called; empty if there is none of that number."""
        return self._steps[index].text if 0 <= index < len(self._steps) else ""

    def push(self, step: Step, *, done: bool = False) -> None:
        """Do a step, unless it is ``done`` already, and remember it; steps that have been undone are forgotten."""
        if not done:
            step.put(step.new)
        clean = self.clean
        if self._saved is not None and self._saved > self._index:
            self._saved = None
        del self._steps[self._index :]
        last = self._steps[-1] if self._steps else None
        if last is not None and step.key and step.key == last.key and not self.clean:
            last.new = step.new
            if last.new == last.old:
                self._steps.pop()
        else:
            self._steps.append(step)
        self._tell(len(self._steps), clean)

    def undo(self) -> None:
        """Undo the last step that is in force, if there is one."""
        self.go(self._index - 1)

    def redo(self) -> None:
        """Do the step again that was undone last, if there is one."""
        self.go(self._index + 1)

    def go(self, index: int) -> None:
        """Undo steps, or do them again, until so many are in force."""
        index, clean = min(max(index, 0), len(self._steps)), self.clean
        if index == self._index:
            return
        for step in reversed(self._steps[index : self._index]):
            step.put(step.old)
        for step in self._steps[self._index : index]:
            step.put(step.new)
        self._tell(index, clean)

    def seal(self) -> None:
        """Let no further step become one with the last."""
        if self._steps and self._index == len(self._steps):
            self._steps[-1].key = ""

    def clear(self) -> None:
        """Forget all steps; everything counts as saved."""
        clean, self._saved = self.clean, 0
        self._steps.clear()
        self._tell(0, clean)

    def set_clean(self, clean: bool = True) -> None:
        """Everything was saved just now; or nothing that was saved is like what is here."""
        before, self._saved = self.clean, self._index if clean else None
        if self.clean != before:
            self.clean_changed.emit(self.clean)

    def close(self) -> None:
        """Tell nothing any more."""
        self.moved.clear()
        self.clean_changed.clear()

    def _tell(self, index: int, clean: bool) -> None:
        self._index = index
        self.moved.emit(index)
        if self.clean != clean:
            self.clean_changed.emit(self.clean)
