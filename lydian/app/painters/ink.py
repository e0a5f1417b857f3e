"""Text for painters: in a box, elided, with a halo; in SVG it remains text."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.layers import is_raster

__all__ = ["LEFT", "MIDDLE", "RIGHT", "Ink"]

LEFT, MIDDLE, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight

#: The width of a halo around a text.
HALO = 1.75
#: The number of texts of a font whose widths are kept.
WIDTHS = 2_000


class Ink:
    """A writer with a theme's fonts and colours; roles and colours are names in the theme."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._fonts: dict[tuple[str, bool, bool], tuple[QFont, QFontMetricsF, dict[str, float]]] = {}

    def _font(self, role: str, semibold: bool, mono: bool) -> tuple[QFont, QFontMetricsF, dict[str, float]]:
        """Return a font, its metrics, and the widths of texts that are known: most are the same in the next frame."""
        key = (role, semibold, mono)
        if key not in self._fonts:
            font = self.theme.font(role, semibold=semibold, mono=mono)
            self._fonts[key] = font, QFontMetricsF(font), {}
        return self._fonts[key]

    def width(self, text: str, role: str = "body", *, semibold: bool = False, mono: bool = False) -> float:
        """Return the width of a text in pixels."""
        _, metrics, widths = self._font(role, semibold, mono)
        wide = widths.get(text)
        if wide is None:
            if len(widths) > WIDTHS:
                widths.clear()
            wide = widths[text] = metrics.horizontalAdvance(text)
        return wide

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
        """Write one line, vertically centred in ``box`` and elided if it is wider, and return its width."""
        font, metrics, _ = self._font(role, semibold, mono)
        wide = self.width(text, role, semibold=semibold, mono=mono)
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
        """Write semibold text centred on ``at`` on its base line, with a halo in the colour behind it."""
        font = self.theme.font(role, semibold=True)
        at = QPointF(at.x() - QFontMetricsF(font).horizontalAdvance(text) / 2, at.y())
        p.setFont(font)
        if is_raster(p):  # the text around itself, which takes a fifteenth of the time of a stroke
            p.setPen(back)
            for turn in range(8):
                angle = turn * math.pi / 4
                p.drawText(at + QPointF(math.cos(angle), math.sin(angle)) * HALO, text)
        else:
            path = QPainterPath()
            path.addText(at, font, text)
            pen = QPen(back, 2 * HALO)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            p.strokePath(path, pen)
        p.setPen(self.theme.color(color))
        p.drawText(at, text)
