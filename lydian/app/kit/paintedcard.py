"""A card that is a button and draws itself: it reacts to a click or to Enter, and shows that the pointer is over it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from lydian.app.look.theme import Theme

__all__ = ["PaintedCard"]


class PaintedCard(QAbstractButton):
    """A button with the outline of a card; a subclass draws what is inside in :meth:`paint_inside`."""

    theme: Theme

    def paint_inside(self, p: QPainter) -> None:
        """Draw the contents over the card."""
        raise NotImplementedError

    @property
    def lit(self) -> bool:
        """Whether the card has the colour of the accent as its ground."""
        return self.underMouse() or self.isDown()

    @property
    def rim(self) -> str:
        """The token of the outline while the card has no focus."""
        return "border.control"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            theme, ring = self.theme, self.hasFocus()
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setBrush(theme.color("accent.soft" if self.lit else "surface.panel"))
            p.setPen(QPen(theme.color("accent.ring" if ring else self.rim), 2 if ring else 1))
            radius = theme.size("radius.card")
            p.drawRoundedRect(self.rect().toRectF().adjusted(1, 1, -1, -1), radius, radius)
            self.paint_inside(p)
        finally:
            p.end()
