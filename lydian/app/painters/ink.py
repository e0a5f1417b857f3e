"""Text for painters: in a box, elided, with a halo; in pictures and in SVG it stays text."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.theme import Theme

__all__ = ["LEFT", "MIDDLE", "RIGHT", "Ink"]

LEFT, MIDDLE, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight


class Ink:
    """Writes with a theme's fonts and colours; roles and colours are names of the theme."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def width(self, text: str, role: str = "body", *, semibold: bool = False, mono: bool = False) -> float:
        """How wide a text is, in pixels."""
        return QFontMetricsF(self.theme.font(role, semibold=semibold, mono=mono)).horizontalAdvance(text)

    def text(
        self,
        p: QPainter,
        box: QRectF,
        text: str,
        role: str = "body",
        color: str = "text.primary",
        align: Qt.AlignmentFlag = LEFT,
        *,
        semibold: bool = False,
        mono: bool = False,
    ) -> float:
        """One line, vertically centred in ``box``, elided if it is wider; returns how wide it is."""
        font = self.theme.font(role, semibold=semibold, mono=mono)
        metrics = QFontMetricsF(font)
        wide = metrics.horizontalAdvance(text)
        if wide > box.width() + 0.5:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(box.width(), 0.0))
            wide = metrics.horizontalAdvance(text)
        if align == LEFT:
            x = box.left()
        else:
            x = box.right() - wide if align == RIGHT else box.center().x() - wide / 2
        p.setFont(font)
        p.setPen(self.theme.color(color))
        p.drawText(QPointF(x, box.center().y() + (metrics.ascent() - metrics.descent()) / 2), text)
        return wide

    def halo(self, p: QPainter, at: QPointF, text: str, role: str, color: str, back: QColor) -> None:
        """Semibold text centred on ``at`` with its base line there, bounded by the colour behind it."""
        font = self.theme.font(role, semibold=True)
        at = QPointF(at.x() - QFontMetricsF(font).horizontalAdvance(text) / 2, at.y())
        path = QPainterPath()
        path.addText(at, font, text)
        pen = QPen(back, 3.5)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        p.strokePath(path, pen)
        p.setFont(font)
        p.setPen(self.theme.color(color))
        p.drawText(at, text)
