"""Above the columns of the communication view: the kinds of message, and what theory says."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from lydian.app.look.shapes import draw_head
from lydian.app.look.theme import Theme
from lydian.app.painters.curve import Plot
from lydian.app.painters.ink import LEFT, Ink
from lydian.views.others.communication import CommunicationFrame

__all__ = ["CommunicationKey"]


class CommunicationKey:
    """Draws what stands above the columns."""

    def __init__(self, theme: Theme, ink: Ink) -> None:
        self.theme, self.ink = theme, ink

    def paint(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        """The legend at the right, and beside it as many words of the theory as there is room for."""
        edge = self._entries(p, plot, frame)
        k = plot.k
        room = QRectF(plot.rect.left() + 14 * k, plot.rect.top() + 7 * k, 0, 28 * k)
        room.setRight(edge - 12 * k)
        for words in frame.expects:
            if self.ink.width(words, "small") <= room.width():
                self.ink.text(p, room, words, "small", "text.secondary", LEFT)
                return

    def _entries(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> float:
        """At the top right: the kinds that occur, and the outline if something is still to come; where it begins."""
        k = plot.k
        font = self.theme.font("small")
        metrics = QFontMetricsF(font)
        entries: list[tuple[int, str]] = [(kind, label) for kind, label in zip(frame.kinds, frame.labels, strict=True)]
        if frame.to_come.any():
            entries.append((-1, "still to come"))
        if frame.show_degree:
            entries.append((-2, "links"))
        room = plot.rect.width() - 40 * k
        widths = [metrics.horizontalAdvance(text) + 38 * k for _, text in entries]
        while entries and sum(widths) > room:
            entries, widths = entries[1:], widths[1:]
        if not entries:
            return plot.rect.right() - 12 * k
        box = QRectF(0, 0, sum(widths) + 6 * k, 28 * k)
        box.moveTopRight(QPointF(plot.rect.right() - 12 * k, plot.rect.top() + 7 * k))
        p.setPen(QPen(self.theme.color("border.subtle"), 1))
        p.setBrush(self.theme.color("surface.overlay"))
        p.drawRoundedRect(box, 7, 7)
        x = box.left() + 12 * k
        for (kind, text), width in zip(entries, widths, strict=True):
            mark = QRectF(x, box.center().y() - 5.5 * k, 13 * k, 11 * k)
            if kind >= 0:
                draw_head(p, self.theme, mark.center().x(), mark.center().y(), 0.0, kind, 12 * k)
            elif kind == -1:
                pen = QPen(self.theme.color("link.base"), 1)
                pen.setDashPattern([2.5, 2.5])
                p.setPen(pen)
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRect(mark)
            else:
                p.setPen(QPen(self.theme.color("text.primary"), 1.4))
                p.setBrush(self.theme.color("surface.panel"))
                p.drawEllipse(mark.center(), 4 * k, 4 * k)
            place = QRectF(mark.right() + 7 * k, box.top(), width, box.height())
            self.ink.text(p, place, text, "small", "text.secondary", LEFT)
            x += width
        return box.left()
