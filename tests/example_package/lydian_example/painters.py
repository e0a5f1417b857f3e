from __future__ import annotations

from PySide6.QtCore import QRectF

from lydian.app.painters.pieces.piece import PiecePainter


class StarPainter(PiecePainter):
    """Draw the squares, and one of them in the legend."""

    def over(self, d):
        for _star, processes in d.frame.stars:
            for number in processes:
                x, y = d.m.points[number].tolist()
                d.p.fillRect(QRectF(x + 18, y - 26, 9, 9), self.theme.color("playhead"))

    def sign(self, p, box, item, declared, k):
        p.fillRect(box, self.theme.color("playhead"))


class FairnessPainter:
    """Draw a bar for each process."""

    def __init__(self, theme):
        self.theme = theme

    def paint(self, p, rect, frame, camera=None):
        p.fillRect(rect, self.theme.color("surface.canvas"))
        inner = rect.adjusted(24, 24, -24, -24)
        wide = inner.width() / len(frame.counts)
        for number, count in enumerate(frame.counts):
            high = inner.height() * count / max(max(frame.counts), 1)
            bar = QRectF(inner.left() + number * wide, inner.bottom() - high, 0.8 * wide, high)
            p.fillRect(bar, self.theme.color("accent.base"))

    def hit(self, position, rect, frame, camera=None):
        return None
