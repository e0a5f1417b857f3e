"""A network in the editor, with the history of its edits."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lydian.language import trc
from lydian.model.network import Network

__all__ = ["OPENED", "Document", "Step"]

#: The name of the first step of a history.
OPENED = trc("first step in the history of a network", "Open")


@dataclass(frozen=True)
class Step:
    """One edit: its name in the history ("Delete link 4-9"), and the resulting network.

    Consecutive steps of the same ``group`` form one step, for example while a slider is dragged or a key is held down.
    """

    text: str
    network: Network
    group: str | None = None


class Document:
    """An edited network, with an unlimited number of edits to undo and redo.

    Each step keeps its complete network, but networks share what an edit left unchanged, so a step takes only the
    memory for what it changed (a move: the positions).

    Args:
        network: the initial network.
        path: its file, if it has one.
        text: the name of the initial state in the history.
    """

    def __init__(self, network: Network, path: Path | None = None, text: str = OPENED) -> None:
        self.path = path
        self._steps = [Step(text, network)]
        self._at = 0
        self._saved: int | None = 0
        self._open = False  # whether the last step may absorb further ones of its group
        self._listeners: list[Callable[[], None]] = []

    @property
    def network(self) -> Network:
        """The current network."""
        return self._steps[self._at].network

    @property
    def steps(self) -> tuple[Step, ...]:
        """The history from the beginning, with undone steps at its end."""
        return tuple(self._steps)

    @property
    def at(self) -> int:
        """The number of the step that led to the current network; 0 is the beginning."""
        return self._at

    @property
    def modified(self) -> bool:
        """Whether the network differs from the one that was opened or saved."""
        return self._at != self._saved

    @property
    def undo_text(self) -> str:
        """The name of the step that would be undone; empty if there is none."""
        return self._steps[self._at].text if self._at else ""

    @property
    def redo_text(self) -> str:
        """The name of the step that would be redone; empty if there is none."""
        return self._steps[self._at + 1].text if self._at + 1 < len(self._steps) else ""

    def do(self, text: str, network: Network, group: str | None = None) -> bool:
        """Add an edit to the history; undone steps are discarded.

        Args:
            text: its name.
            network: the resulting network.
            group: merges it with the previous step if that has the same group and nothing happened in between.

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
                self._saved = None  # the saved step is discarded
            del self._steps[self._at + 1 :]
            self._steps.append(Step(text, network, group))
            self._at += 1
        self._open = True
        self._tell()
        return True

    def undo(self) -> bool:
        """Undo the last edit; return False if there is none."""
        return self.go(self._at - 1)

    def redo(self) -> bool:
        """Redo the edit that was undone last; return False if there is none."""
        return self.go(self._at + 1)

    def go(self, step: int) -> bool:
        """Go to a step of the history; return False if it does not exist or is the current one."""
        if not 0 <= step < len(self._steps) or step == self._at:
            return False
        _light(self.network)
        self._at, self._open = step, False
        self._tell()
        return True

    def cancel(self, group: str) -> bool:
        """Undo the last step and discard it, if it belongs to this group and is not settled yet.

        This is for Esc while something is dragged or typed. Return False if there is no such step.
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
        """Make the next edit a step of its own, whatever its group, for example after a slider has been released."""
        self._open = False

    def saved(self, path: Path | None = None) -> None:
        """Record that the current network has been saved to a file."""
        self._saved, self._open = self._at, False
        if path is not None:
            self.path = path
        self._tell()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call a function after every change; return a function that ends this."""
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback)

    def _tell(self) -> None:
        for callback in tuple(self._listeners):
            callback()


_FIELDS = frozenset(field.name for field in dataclasses.fields(Network))


def _light(network: Network) -> None:
    """Discard derived data of a network that is not current; they can be derived again."""
    for name in [name for name in network.__dict__ if name not in _FIELDS]:
        del network.__dict__[name]
