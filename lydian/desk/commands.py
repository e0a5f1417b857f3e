"""What the user can do: each command by its name, whether it can be used now, and if not, why."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lydian.desk.signal import Signal

__all__ = ["Commands"]


class Commands:
    """The commands of the program; menus, keys and buttons follow.

    Attributes:
        changed: tells the name of a command that can be used now, or no longer.
        checked: tells the name of a command that is on or off, and which.
        called: tells the name of a command that is called otherwise now, and how.
        done: tells the name of a command after it was done.
    """

    def __init__(self, acts: Mapping[str, Callable[..., object]] | None = None) -> None:
        self.changed, self.checked, self.called, self.done = Signal(), Signal(), Signal(), Signal()
        self._acts = dict(acts or {})
        self._reasons: dict[str, dict[str, str]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(self._acts)

    def add(self, acts: Mapping[str, Callable[..., object]]) -> None:
        """Have further commands; one that is on or off is given which."""
        self._acts |= acts

    def do(self, name: str, *on: bool) -> bool:
        """Do something, if it can be done now; whether it could.

        Raises:
            KeyError: there is no such command.
        """
        act = self._acts[name]
        if self.why_not(name):
            return False
        act(*on)
        self.done.emit(name)
        return True

    def why_not(self, name: str) -> str:
        """Why a command cannot be used now; empty if nothing hinders it."""
        return next((why for why in self._reasons.get(name, {}).values() if why), "")

    def hinder(self, name: str, by: str, why: str) -> None:
        """Let a command not be used for a reason; an empty one takes back what was said under the same name."""
        reasons = self._reasons.setdefault(name, {})
        if reasons.get(by, "") != why:
            reasons[by] = why
            self.changed.emit(name)

    def check(self, name: str, on: bool) -> None:
        """Say that something is on, or off."""
        self.checked.emit(name, on)

    def call(self, name: str, words: str) -> None:
        """Call a command otherwise."""
        self.called.emit(name, words)
