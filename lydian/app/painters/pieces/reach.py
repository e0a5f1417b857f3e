"""The painter of the links of an overlay by reach: a row for each level with a bar that is full when all are there."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.ink import RIGHT, Ink
from lydian.app.painters.pieces.panelink import draw_reason
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.language import tr
from lydian.pieces.reach import Level, ReachFrame
from lydian.views.network.basic import BasicFrame

__all__ = ["ReachPainter"]

#: The maximum height of a row, and the minimum height with a bar.
HIGHEST, BARRED = 36.0, 24.0


class ReachPainter(PanelPainter):
    """The painter of a :class:`~lydian.pieces.reach.ReachFrame`, which also describes its rows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)

    def _rows(self, box: QRectF, reach: ReachFrame) -> list[QRectF]:
        k = self.theme.px("small") / 12
        top = box.top() + (28 if reach.declared.title else 8) * k
        high = min((box.bottom() - 6 * k - top) / max(len(reach.levels), 1), HIGHEST * k)
        left, wide = box.left() + 12 * k, box.width() - 26 * k
        return [QRectF(left, top + i * high, wide, high) for i in range(len(reach.levels))]

    def _count(self, level: Level) -> str:
        if not level.of:
            return tr("{number:,}", number=level.there)
        return tr("{count:,} of {total:,}", count=level.there, total=level.of)

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, reach: ReachFrame) -> None:
        """Draw the rows."""
        k = self.theme.px("small") / 12
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        line = QRectF(box.left() + 12 * k, box.top() + 6 * k, box.width() - 26 * k, 20 * k)
        self.ink.text(p, line, reach.declared.title, "small", "text.primary", semibold=True)
        if reach.problem:
            draw_reason(p, self.theme, box.adjusted(20 * k, 26 * k, -20 * k, -8 * k), reach.problem)
        else:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            for row, level in zip(self._rows(box, reach), reach.levels, strict=True):
                self._row(p, row, level, k)
        p.restore()

    def _row(self, p: QPainter, row: QRectF, level: Level, k: float) -> None:
        theme, plan = self.theme, level.of > 0
        whole = level.there == level.of
        ink = "text.hint" if whole and not plan else "check.holds" if whole else "fault.base"
        barred = plan and row.height() >= BARRED * k
        words = QRectF(row.left(), row.top(), row.width(), row.height() - (7 * k if barred else 0))
        color = theme.state(level.slot).outline if level.slot >= 0 else theme.color("fault.base")
        y = words.center().y()
        pen = QPen(color, 2.4 * k, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        if level.slot < 0:
            pen.setDashPattern([2, 1.5])
        p.setPen(pen)
        p.drawLine(QPointF(row.left(), y), QPointF(row.left() + 20 * k, y))
        told = self._count(level)
        self.ink.text(p, words, told, "small", ink, RIGHT, semibold=True)
        room = words.adjusted(27 * k, 0, -self.ink.width(told, "small", semibold=True) - 8 * k, 0)
        self.ink.text(p, room, level.word, "small", "text.primary")
        if barred:
            bar = QRectF(row.left() + 27 * k, row.bottom() - 7 * k, row.width() - 27 * k, 4 * k)
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.color("border.subtle"))
            p.drawRoundedRect(bar, 2 * k, 2 * k)
            bar.setWidth(bar.width() * level.there / level.of)
            p.setBrush(color)
            p.drawRoundedRect(bar, 2 * k, 2 * k)

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, reach: ReachFrame) -> str:
        """Describe a row, as rich text."""
        for row, level in zip(self._rows(box, reach), reach.levels, strict=True):
            if row.contains(pos):
                return escape(f"{level.word}: {self._count(level)}")
        return ""
