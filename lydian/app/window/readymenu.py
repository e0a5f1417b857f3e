"""File > Assignments: the ready assignments, each of which opens as a copy of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu

from lydian.assignment.ready import ready
from lydian.language import tr

__all__ = ["ReadyAssignments"]


class ReadyAssignments:
    """The submenu, filled when it opens.

    Args:
        menu: the submenu.
        open_copy: opens the user's copy of the assignment in a folder.
    """

    def __init__(self, menu: QMenu, open_copy: Callable[[Path], object]) -> None:
        self.menu, self._open = menu, open_copy
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Rebuild the entries."""
        self.menu.clear()
        for each in ready():
            title = each.title.replace("&", "&&")
            words = title if each.number is None else f"{each.number}  {title}"
            action = self.menu.addAction(words, partial(self._open, each.folder))
            action.setToolTip(each.about)
        if self.menu.isEmpty():
            self.menu.addAction(tr("No assignment comes with this installation")).setEnabled(False)
