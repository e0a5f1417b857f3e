"""Steps that can be undone and redone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lydian.desk.signal import Signal

__all__ = ["Step", "Undo"]


@dataclass
class Step:
    """One change: ``put`` is called with the new value to make it, and with the old one to undo it.

    Attributes:
        text: the words in the Edit menu: "delays", "crash of 3".
        key: consecutive steps with the same key are merged; a step without a key is never merged.
    """

    text: str
    put: Callable[[Any], object]
    old: Any
    new: Any
    key: str = ""


class Undo:
    """The steps in the order in which they were done; those from :attr:`index` on have been undone.

    Attributes:
        moved: emitted with the index after each step forwards or backwards.
        clean_changed: emitted with the new value of :attr:`clean` when that changes.
    """

    def __init__(self) -> None:
        self.moved, self.clean_changed = Signal(), Signal()
        self._steps: list[Step] = []
        self._index = 0
        self._saved: int | None = 0  # the index at which everything was saved

    @property
    def index(self) -> int:
        """The number of steps that have been done and not undone."""
        return self._index

    @property
    def count(self) -> int:
        """The number of all steps, including those that have been undone."""
        return len(self._steps)

    @property
    def clean(self) -> bool:
        """Whether everything is as it was when it was last saved."""
        return self._index == self._saved

    @property
    def undo_text(self) -> str:
        """The description of the step that :meth:`undo` would undo; empty if there is none."""
        return self._steps[self._index - 1].text if self._index else ""

    @property
    def redo_text(self) -> str:
        """The description of the step that :meth:`redo` would redo; empty if there is none."""
        return self._steps[self._index].text if self._index < len(self._steps) else ""

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self._index > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return self._index < len(self._steps)

    def text(self, index: int) -> str:
        """Return the description of a step; return an empty string if the index is out of range."""
        return self._steps[index].text if 0 <= index < len(self._steps) else ""

    def push(self, step: Step, *, done: bool = False) -> None:
        """Do a step, unless it is already ``done``, and append it; remove the steps that have been undone."""
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
        """Undo the last step, if there is one."""
        self.go(self._index - 1)

    def redo(self) -> None:
        """Redo the step that was last undone, if there is one."""
        self.go(self._index + 1)

    def go(self, index: int) -> None:
        """Undo or redo steps until :attr:`index` has the given value."""
        index, clean = min(max(index, 0), len(self._steps)), self.clean
        if index == self._index:
            return
        for step in reversed(self._steps[index : self._index]):
            step.put(step.old)
        for step in self._steps[self._index : index]:
            step.put(step.new)
        self._tell(index, clean)

    def seal(self) -> None:
        """Prevent further steps from being merged with the last one."""
        if self._steps and self._index == len(self._steps):
            self._steps[-1].key = ""

    def clear(self) -> None:
        """Remove all steps and treat the current state as saved."""
        clean, self._saved = self.clean, 0
        self._steps.clear()
        self._tell(0, clean)

    def set_clean(self, clean: bool = True) -> None:
        """Record that the current state has just been saved, or, with False, that no state here has been saved."""
        before, self._saved = self.clean, self._index if clean else None
        if self.clean != before:
            self.clean_changed.emit(self.clean)

    def close(self) -> None:
        """Disconnect all signals."""
        self.moved.clear()
        self.clean_changed.clear()

    def _tell(self, index: int, clean: bool) -> None:
        self._index = index
        self.moved.emit(index)
        if self.clean != clean:
            self.clean_changed.emit(self.clean)
