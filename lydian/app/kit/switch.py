"""A switch: on with the knob at the right in the accent colour, off with the knob at the left."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from lydian.app.look.theme import Theme

__all__ = ["Switch"]

#: Its width and height in pixels.
WIDE, HIGH = 36, 20


class Switch(QCheckBox):
    """A check box that looks like a switch; its name for a screen reader is beside it as a label of its own.

    Args:
        off: the theme's name for the colour of the knob while it is off.
    """

    def __init__(self, theme: Theme, off: str = "fault.base", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme, self._off = theme, off
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(self.theme.stretched(WIDE) + 4, self.theme.stretched(HIGH) + 4)

    def hitButton(self, pos: object) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, on = self.theme, self.isChecked()
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            if not self.isEnabled():
                p.setOpacity(0.45)
            high = theme.stretched(HIGH)
            box = QRectF(2.5, (self.height() - high) / 2 + 0.5, theme.stretched(WIDE) - 1, high - 1)
            radius = box.height() / 2
            ground = theme.color("accent.base" if on else "surface.panel")
            edge = theme.color("accent.base" if on else "border.control")
            p.setPen(QPen(edge, 1.2))
            p.setBrush(ground)
            p.drawRoundedRect(box, radius, radius)
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.color("text.onAccent" if on else self._off))
            middle = QPointF(box.right() - radius if on else box.left() + radius, box.center().y())
            p.drawEllipse(middle, radius - 3.2, radius - 3.2)
            if self.hasFocus():
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.setPen(QPen(theme.color("accent.ring"), 2))
                p.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), radius + 1.5, radius + 1.5)
        finally:
            p.end()
