"""The action of a command: menus, keys and buttons share it, and it says why it cannot be used."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

__all__ = ["CommandAction"]


class CommandAction(QAction):
    """An action that several parts of the window may grey, each for a reason of its own.

    While any of them hinders it, it cannot be used, its keys do nothing, and its status tip is the reason.
    """

    def __init__(self, text: str, parent: QObject | None = None) -> None:
        super().__init__(text, parent)
        self._able, self._tip = True, ""
        self._hindrances: dict[str, str] = {}

    @property
    def hindrance(self) -> str:
        """Why it cannot be used now; empty if nothing hinders it."""
        return next((why for why in self._hindrances.values() if why), "")

    def hinder(self, by: str, why: str) -> None:
        """Grey it for a reason; an empty one takes back what was said under the same name."""
        if self._hindrances.get(by, "") != why:
            self._hindrances[by] = why
            self._settle()

    def setEnabled(self, on: bool) -> None:
        """Let it be used, as far as nothing hinders it."""
        self._able = on
        self._settle()

    def setStatusTip(self, tip: str) -> None:
        """What it does; shown while nothing hinders it."""
        self._tip = tip
        self._settle()

    def _settle(self) -> None:
        why = self.hindrance
        super().setEnabled(self._able and not why)
        super().setStatusTip(why or self._tip)
