"""The painter of pictures inside processes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from lydian.app.painters.network.netmap import Map
from lydian.app.painters.pieces.arcs import draw_glyph
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.glyphs import Glyph
from lydian.pieces.piece import LegendItem
from lydian.views.network.basic import BasicFrame

__all__ = ["GlyphPainter"]


class GlyphPainter(PiecePainter):
    """The painter of pictures inside processes."""

    def fills(self, m: Map, frame: BasicFrame, process: int) -> bool:
        """Return whether the process has a picture."""
        return m.level in ("full", "medium") and any(texts and texts[process] for texts in frame.glyphs)

    def inside(self, d: Drawing, process: int) -> None:
        """Draw the picture in the upper part of the process's shape, and the name below it."""
        p, m, frame = d.p, d.m, d.frame
        x, y = m.points[process].tolist()
        ink = self.theme.state(int(frame.slots[process])).label
        if frame.crashed[process]:
            ink = self.theme.color("text.primary")
        draw_glyph(p, self.theme, x, y - m.d * 0.12, m.d * 0.19, frame.glyphs[0][process], ink)
        font = self.theme.font("caption", semibold=True)
        font.setPixelSize(max(6, round(m.d * 0.25)))
        p.setFont(font)
        p.setPen(ink)
        name = QFontMetricsF(font).elidedText(frame.names[process], Qt.TextElideMode.ElideRight, m.d * 0.8)
        p.drawText(QRectF(x - m.d * 0.45, y + m.d * 0.08, m.d * 0.9, m.d * 0.3), Qt.AlignmentFlag.AlignCenter, name)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Glyph, k: float) -> None:
        """Draw the picture."""
        at = box.center()
        draw_glyph(p, self.theme, at.x(), at.y(), 6 * k, declared.drawing, self.theme.color("text.primary"))
