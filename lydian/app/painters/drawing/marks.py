"""Temporary marks over a drawing: guides, a new link, rubber bands, hovered things, messages, the empty board."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from lydian.app.look.fragments import draw_lines
from lydian.app.look.shapes import draw_head, draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.drawing.links import DrawnNetwork, ScreenPlan
from lydian.app.painters.pieces.bands import draw_arrow
from lydian.language import tr
from lydian.views.network.snapping import Guide

__all__ = ["MarkPainter"]

Floats = NDArray[np.float64]
Place = tuple[float, float]
#: The text on an empty board.
EMPTY = (tr("Double-click here to add a process,"), tr("or choose a picture on the left"))


class MarkPainter:
    """The painter of marks in a theme; positions are in pixels of the widget."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def guides(self, p: QPainter, plan: ScreenPlan, guides: Sequence[Guide]) -> None:
        """Draw thin lines in the accent colour through aligned things."""
        scale, dx, dy = plan.key
        pen = QPen(self.theme.color("accent.base"), 1.0)
        pen.setDashPattern([5, 3])
        p.setPen(pen)
        for guide in guides:
            off, other = (dx, dy) if guide.axis == 0 else (dy, dx)
            value = round(guide.value * scale + off) + 0.5
            start, stop = guide.start * scale + other - 26, guide.stop * scale + other + 26
            a, b = (value, start), (value, stop)
            p.drawLine(QPointF(*(a if guide.axis == 0 else a[::-1])), QPointF(*(b if guide.axis == 0 else b[::-1])))

    def new_link(
        self, p: QPainter, plan: ScreenPlan, a: Place, b: Place, *, directed: bool, process: bool, target: bool
    ) -> None:
        """Draw a dashed line in the accent colour; its end is a new process (``process``) or an existing one
        (``target``).
        """
        color, width, rim = self.theme.color("accent.base"), 2.0, process or target
        length = math.hypot(b[0] - a[0], b[1] - a[1])
        if length < 1:
            return
        u, v = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        first, last = min(plan.d / 2 + 1, length), plan.d / 2 + 3
        start = (a[0] + u * first, a[1] + v * first)
        pen = QPen(color, width)
        pen.setDashPattern([4, 3])
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        if directed and length > first + last + 12:
            stop = (b[0] - u * (last + 9), b[1] - v * (last + 9))
            p.drawLine(QPointF(*start), QPointF(*stop))
            draw_arrow(p, color, stop, (b[0] - u * last, b[1] - v * last), width)
        elif length > first:
            stop = (b[0] - u * last, b[1] - v * last) if rim and length > first + last else b
            p.drawLine(QPointF(*start), QPointF(*stop))
        if process:
            soft = self.theme.color("accent.base")
            soft.setAlphaF(0.12)
            p.setPen(pen)
            p.setBrush(soft)
            p.drawEllipse(QPointF(*b), plan.d / 2, plan.d / 2)

    def target(self, p: QPainter, plan: ScreenPlan, at: Place) -> None:
        """Draw two rings around the process that would be linked."""
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.theme.color("accent.base"), 2.5))
        p.drawEllipse(QPointF(*at), plan.d / 2 + 4, plan.d / 2 + 4)
        p.setPen(QPen(self.theme.color("accent.base"), 1.2))
        p.drawEllipse(QPointF(*at), plan.d / 2 + 7.5, plan.d / 2 + 7.5)

    def rim(self, p: QPainter, plan: ScreenPlan, at: Place, *, strong: bool) -> None:
        """Draw the ring with a plus from which links are drawn."""
        theme, r = self.theme, plan.d / 2 + 5
        color = theme.color("accent.base")
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(color, 2.5 if strong else 1.3))
        p.drawEllipse(QPointF(*at), r, r)
        x, y = at[0] + r * 0.7071, at[1] + r * 0.7071
        p.setPen(QPen(theme.color("surface.canvas"), 1.2))
        p.setBrush(color)
        p.drawEllipse(QPointF(x, y), 7, 7)
        p.setPen(QPen(theme.color("text.onAccent"), 1.6))
        p.drawLine(QPointF(x - 3.4, y), QPointF(x + 3.4, y))
        p.drawLine(QPointF(x, y - 3.4), QPointF(x, y + 3.4))

    def rings(self, p: QPainter, plan: ScreenPlan, numbers: Iterable[int], color: str = "selection") -> None:
        """Draw rings around processes."""
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.theme.color(color), self.theme.line("selectionRing") if plan.d >= 8 else 1.4))
        r = plan.d / 2 + (4 if plan.d >= 8 else 2)
        for i in numbers:
            x, y = plan.points[i].tolist()
            p.drawEllipse(QPointF(x, y), r, r)

    def along(self, p: QPainter, a: Floats, b: Floats, color: str = "selection", width: float = 9.0) -> None:
        """Draw soft bands along links."""
        ink = self.theme.color(color)
        ink.setAlphaF(0.3)
        pen = QPen(ink, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        p.setPen(pen)
        draw_lines(p, a, b)

    def band(self, p: QPainter, corners: Sequence[Place], *, loop: bool = False) -> None:
        """Draw a rubber band or a lasso."""
        color = self.theme.color("accent.base")
        soft = QColor(color)
        soft.setAlphaF(0.1)
        p.setBrush(soft)
        pen = QPen(color, 1.2)
        if loop:
            pen.setDashPattern([4, 3])
        p.setPen(pen)
        p.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))

    def tip(self, p: QPainter, rect: QRectF, at: Place, title: str, text: str) -> QRectF:
        """Draw a dark card beside the pointer, inside the widget, and return its box."""
        theme = self.theme
        bold, small = theme.font("small", semibold=True), theme.font("small")
        wide = max(QFontMetricsF(bold).horizontalAdvance(title), QFontMetricsF(small).horizontalAdvance(text))
        line = theme.px("small") * 1.45
        box = QRectF(at[0] + 18, at[1] + 20, wide + 20, line * (2 if text else 1) + 12)
        if box.right() > rect.right() - 6:
            box.moveRight(at[0] - 14 if at[0] - 14 - box.width() > 6 else rect.right() - 6)
        if box.bottom() > rect.bottom() - 6:
            box.moveBottom(at[1] - 14)
        box.moveLeft(max(box.left(), rect.left() + 6))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(theme.color("surface.tooltip"))
        p.drawRoundedRect(box, theme.size("radius.control"), theme.size("radius.control"))
        x, y = box.left() + 10, box.top() + 6 + line / 2
        draw_text(p, theme, x, y, title, "small", "text.onTooltip", semibold=True)
        if text:
            draw_text(p, theme, x, y + line, text, "small", "text.onTooltip")
        return box

    def messages(self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, a: Place, b: Place, shares: Floats) -> None:
        """Draw messages in transit on a link."""
        way = (b[0] - a[0], b[1] - a[1])
        length = math.hypot(*way)
        if length <= 0:
            return
        edge = min(plan.d * 0.5 + 4, 0.4 * length) / length
        turn = math.atan2(way[1], way[0])
        size = min(self.theme.head, max(6.0, plan.d * 0.5))
        for share in shares.tolist():
            at = edge + (1 - 2 * edge) * share
            draw_head(p, self.theme, a[0] + way[0] * at, a[1] + way[1] * at, turn, 0, size)

    def empty(self, p: QPainter, rect: QRectF) -> None:
        """Draw a pale ring of dots, and a hint about how to begin."""
        theme = self.theme
        middle = rect.center()
        r = max(30.0, min(rect.width() * 0.3, rect.height() * 0.32, 150.0))
        count = 12
        turn = np.arange(count) * 2 * np.pi / count
        points = np.column_stack((middle.x() + r * np.sin(turn), middle.y() - r * np.cos(turn)))
        p.setPen(QPen(theme.color("border.subtle"), 1.4))
        draw_lines(p, points, np.roll(points, -1, axis=0))
        p.setPen(QPen(theme.color("link.dim"), 1.4))
        p.setBrush(theme.color("surface.panelAlt"))
        for x, y in points.tolist():
            p.drawEllipse(QPointF(x, y), 11, 11)
        line = theme.px("body") * 1.5
        for row, text in enumerate(EMPTY):
            y = middle.y() + (row - 0.5) * line
            draw_text(p, theme, middle.x(), y, text, "body", "text.secondary", halo=True, align="center")

    def focus(self, p: QPainter, rect: QRectF) -> None:
        """Draw the frame of a board that has the keyboard focus."""
        width = self.theme.line("focusRing")
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.theme.color("accent.ring"), width))
        half = width / 2
        p.drawRect(rect.adjusted(half, half, -half, -half))
