"""One dock alone: it has all the room of the window, and everything is put back exactly as it was afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QApplication, QWidget

from lydian.app.panels.dock import Dock
from lydian.app.window import arrangement

if TYPE_CHECKING:
    from lydian.app.window.stage import Stage

__all__ = ["Alone"]


class Alone:
    """Maximises one dock of a stage at a time.

    Attributes:
        name: the dock that has all the room, or nothing.
        before: where the docks were before, if one has.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.name = ""
        self.before: QByteArray | None = None

    def toggle(self, name: str = "") -> None:
        """Give one dock all the room (the one under focus if none is named), or put it back.

        A dock in a window of its own fills the screen instead.
        """
        name = name or self.name or self.under_focus
        dock = self.stage.docks[name]
        if dock.isFloating():
            dock.showNormal() if dock.isMaximized() else dock.showMaximized()
            return
        again = self.name == name
        self.put_back()
        if again:
            return
        self.before, self.name = self.stage.state(), name
        dock.content.setFocus(Qt.FocusReason.OtherFocusReason)  # first, as hiding what has it would send it elsewhere
        for other in self.stage.docks.values():
            if other is not dock and not other.isFloating():
                other.hide()
        dock.show()
        dock.set_maximised(True)
        arrangement.settle(self.stage)

    def put_back(self) -> bool:
        """Every dock back to where it was; false if none has all the room."""
        if not self.name:
            return False
        dock, before = self.stage.docks.get(self.name), self.before
        self.name, self.before = "", None
        if dock is not None:
            dock.set_maximised(False)
        if before is not None:
            self.stage.put(before)
        return True

    @property
    def under_focus(self) -> str:
        """The name of the dock that has the focus; the network if none has."""
        widget: QWidget | None = QApplication.focusWidget() or self.stage.focusWidget()
        while widget is not None and not isinstance(widget, Dock):
            widget = widget.parentWidget()
        return widget.name if isinstance(widget, Dock) and widget.name in self.stage.docks else "basic"
