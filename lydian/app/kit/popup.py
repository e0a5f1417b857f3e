"""A temporary panel: a small window below a widget, or a frame over a part of the window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from lydian.app.kit.layout import down

__all__ = ["Popup"]


class Popup(QFrame):
    """A frame with parts below each other; Esc closes it, and so does a click beside it if it is a window.

    Args:
        window: whether it is a small window of its own, or a part of its parent.

    Attributes:
        column: the layout of its parts.
    """

    def __init__(
        self, parent: QWidget, *, window: bool = True, margins: int | tuple[int, int, int, int] = 10, spacing: int = 6
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup if window else Qt.WindowType.Widget)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.column = down(on=self, margins=margins, spacing=spacing)

    def open_below(self, widget: QWidget, least: int = 300) -> None:
        """Show the popup below a widget, at least as wide as that and ``least``, and inside the screen."""
        self.setMinimumWidth(max(widget.width(), least))
        self.adjustSize()
        place = widget.mapToGlobal(QPoint(0, widget.height() + 2))
        screen = widget.screen().availableGeometry()
        self.move(min(place.x(), max(screen.left(), screen.right() - self.width())), place.y())
        self.stay_inside(widget)
        self.show()

    def stay_inside(self, widget: QWidget) -> None:
        """Limit the height to the screen of a widget."""
        screen = widget.screen().availableGeometry()
        if self.y() + self.height() > screen.bottom():
            self.move(self.x(), max(screen.top(), screen.bottom() - self.height()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
