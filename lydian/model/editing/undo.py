"""A network on the drawing board, with the history of its edits."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lydian.model.network import Network

__all__ = ["Document", "Step"]


@dataclass(frozen=True)
class Step:
    """One edit: what it is called in the history ("Delete link 4-9"), and the network it led to.

    Steps of the same ``group`` that follow each other are one step: a slider that is dragged, a key held down.
    """

    text: str
    network: Network
    group: str | None = None


class Document:
    """The network that is drawn on; edits can be taken back and done again, any number of them.

    A step keeps its network whole, but networks share what an edit left alone, so a step costs what it changed (a
    move: the positions).

    Args:
        network: to begin with.
        path: its file, if it has one.
        text: what the beginning is called in the history.
    """

    def __init__(self, network: Network, path: Path | None = None, text: str = "Open") -> None:
        self.path = path
        self._steps = [Step(text, network)]
        self._at = 0
        self._saved: int | None = 0
        self._open = False  # whether the last step may take up further ones of its group
        self._listeners: list[Callable[[], None]] = []

    @property
    def network(self) -> Network:
        """As it is now."""
        return self._steps[self._at].network

    @property
    def steps(self) -> tuple[Step, ...]:
        """The history from the beginning, with those taken back at its end."""
        return tuple(self._steps)

    @property
    def at(self) -> int:
        """Number of the step that led to the present network; 0 is the beginning."""
        return self._at

    @property
    def modified(self) -> bool:
        """Whether the network differs from the one that was opened or saved."""
        return self._at != self._saved

    @property
    def undo_text(self) -> str:
        """What would be taken back; empty if nothing."""
        return self._steps[self._at].text if self._at else ""

    @property
    def redo_text(self) -> str:
        """What would be done again; empty if nothing."""
        return self._steps[self._at + 1].text if self._at + 1 < len(self._steps) else ""

    def do(self, text: str, network: Network, group: str | None = None) -> bool:
        """Take an edit into the history; what was taken back before is forgotten.

        Args:
            text: its name.
            network: what it led to.
            group: joins it with the step before if that has the same group and nothing came between.

        Returns:
            whether anything changed.
        """
        now = self.network
        if network is now or network == now:
            return False
        _light(now)
        joins = self._open and group is not None and self._at > 0 and self._steps[self._at].group == group
        if joins and self._at != self._saved:
            del self._steps[self._at + 1 :]
            self._steps[self._at] = Step(text, network, group)
        else:
            if self._saved is not None and self._saved > self._at:
                self._saved = None  # what was saved is forgotten
            del self._steps[self._at + 1 :]
            self._steps.append(Step(text, network, group))
            self._at += 1
        self._open = True
        self._tell()
        return True

    def undo(self) -> bool:
        """Take the last edit back; false if there is none."""
        return self.go(self._at - 1)

    def redo(self) -> bool:
        """Do again what was taken back last; false if there is nothing."""
        return self.go(self._at + 1)

    def go(self, step: int) -> bool:
        """Jump to a step of the history; false if there is none of that number, or it is the present one."""
        if not 0 <= step < len(self._steps) or step == self._at:
            return False
        _light(self.network)
        self._at, self._open = step, False
        self._tell()
        return True

    def cancel(self, group: str) -> bool:
        """Take the last step back as if it had never been, if it is one of that group that is not settled yet.

        Esc while something is dragged or typed.  False if there is no such step.
        """
        if not (self._open and self._at > 0 and self._steps[self._at].group == group):
            return False
        self.go(self._at - 1)
        if self._saved is not None and self._saved > self._at:
            self._saved = None
        del self._steps[self._at + 1 :]
        self._tell()
        return True

    def settle(self) -> None:
        """The next edit is a step of its own, whatever its group: a slider was let go."""
        self._open = False

    def saved(self, path: Path | None = None) -> None:
        """The present network is in a file now."""
        self._saved, self._open = self._at, False
        if path is not None:
            self.path = path
        self._tell()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after every change; returns what ends that."""
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback)

    def _tell(self) -> None:
        for callback in tuple(self._listeners):
            callback()


_FIELDS = frozenset(field.name for field in dataclasses.fields(Network))


def _light(network: Network) -> None:
    """Forget what was derived from a network that is put aside; it would be derived again."""
    for name in [name for name in network.__dict__ if name not in _FIELDS]:
        del network.__dict__[name]
