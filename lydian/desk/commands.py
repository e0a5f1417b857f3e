"""The commands that a user can give: each has a name and, while it is unavailable, a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lydian.desk.signal import Signal

__all__ = ["Commands"]


class Commands:
    """The commands of the program, which menus, keys and buttons reflect.

    Attributes:
        changed: emitted with a command's name when the command becomes available or unavailable.
        checked: emitted with a command's name and its new setting when the command is switched on or off.
        called: emitted with a command's name and its new label when the label changes.
        done: emitted with a command's name after the command has been carried out.
    """

    def __init__(self, acts: Mapping[str, Callable[..., object]] | None = None) -> None:
        self.changed, self.checked, self.called, self.done = Signal(), Signal(), Signal(), Signal()
        self._acts = dict(acts or {})
        self._reasons: dict[str, dict[str, str]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all commands."""
        return tuple(self._acts)

    def add(self, acts: Mapping[str, Callable[..., object]]) -> None:
        """Add commands; the function of a command that is switched on or off takes the new setting."""
        self._acts |= acts

    def do(self, name: str, *on: bool) -> bool:
        """Carry out a command if it is available; return True if it was.

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
        """Return the reason why a command is unavailable; return an empty string if it is available."""
        return next((why for why in self._reasons.get(name, {}).values() if why), "")

    def hinder(self, name: str, by: str, why: str) -> None:
        """Make a command unavailable and give the reason; an empty reason withdraws the one given under ``by``."""
        reasons = self._reasons.setdefault(name, {})
        if reasons.get(by, "") != why:
            reasons[by] = why
            self.changed.emit(name)

    def check(self, name: str, on: bool) -> None:
        """Mark a command as switched on or off."""
        self.checked.emit(name, on)

    def call(self, name: str, words: str) -> None:
        """Change the label of a command."""
        self.called.emit(name, words)
