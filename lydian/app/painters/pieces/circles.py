"""The painter of circles of links: red where directions form a cycle, with a triangle where a cycle may arise."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from lydian.app.look.fragments import draw_lines
from lydian.app.look.theme import Theme
from lydian.app.painters.network.netmap import Map
from lydian.app.painters.pieces.arcs import draw_middle_head
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.circles import Orientation
from lydian.pieces.piece import LegendItem
from lydian.views.network.basic import BasicFrame

__all__ = ["CirclePainter"]


class CirclePainter(PiecePainter):
    """The painter of circles of links, and of their directions if these are declared."""

    def lines(self, d: Drawing) -> None:
        """Draw the links of a directed cycle in red, dashed lines around a circle that winds, and directions."""
        p, m, frame, theme = d.p, d.m, d.frame, self.theme
        detailed = m.level in ("full", "medium")
        for links, ring in zip(frame.orientation.circles.parts, frame.orientation.circles.rings, strict=True):
            if ring:
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(theme.color("chain.waitingSoft"))
                p.drawPolygon(QPolygonF([QPointF(*m.points[q].tolist()) for q in ring]))
            ends = frame.link_ends[list(links)]
            for color, width in (("surface.canvas", 3.0), ("chain.waiting", 0.0)):
                pen = QPen(theme.color(color), (theme.line("treeEdge") * 1.5 if detailed else 2.6) + width)
                pen.setCapStyle(Qt.PenCapStyle.RoundCap)
                p.setPen(pen)
                draw_lines(p, m.points[ends[:, 0]], m.points[ends[:, 1]])
        for way in frame.orientation.circles.wound:
            pen = QPen(theme.color("chain.waiting"), theme.line("link") * 1.6)
            pen.setDashPattern([3.0, 2.5])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            p.setPen(pen)
            points = m.points[list(way)]
            draw_lines(p, points, np.roll(points, -1, axis=0))
        self._directions(p, m, frame)

    def _directions(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Draw a head on each link that has a direction, or two where both ends claim it."""
        if not len(frame.orientation.ways) or m.level == "dense":
            return
        color, ground = self.theme.color("text.secondary"), self.theme.color("surface.canvas")
        size = max(5.0, min(m.d * 0.34, 3.2 * self.theme.line("treeEdge") + 2))
        ends = frame.link_ends
        for link in np.flatnonzero((frame.orientation.ways != 0) & ~frame.links_down & (frame.ways_down == 0)).tolist():
            a, b = (tuple(m.points[end].tolist()) for end in ends[link].tolist())
            way = int(frame.orientation.ways[link])
            if way in (1, 2):
                draw_middle_head(p, color, ground, a, b, size)
            if way in (-1, 2):
                draw_middle_head(p, color, ground, b, a, size)

    def over(self, d: Drawing) -> None:
        """Draw a triangle in the middle of each circle that winds."""
        p, m, frame, theme = d.p, d.m, d.frame, self.theme
        for way in frame.orientation.circles.wound:
            x, y = m.points[list(way)].mean(axis=0).tolist()
            _warning(p, theme, x, y, max(9.0, m.d * 0.34))

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Orientation, k: float) -> None:
        """Draw a link with a direction, a closed red line, or a triangle."""
        theme, x, y = self.theme, box.center().x(), box.center().y()
        if item.sort == "cycle":
            _circle_sign(p, theme, x, y, 6 * k)
        elif item.sort == "winding":
            _warning(p, theme, x, y, 6.5 * k)
        else:
            a, b = (box.left(), y), (box.right(), y)
            p.setPen(QPen(theme.color("link.base"), theme.line("link")))
            p.drawLine(QPointF(*a), QPointF(*b))
            draw_middle_head(p, theme.color("text.secondary"), theme.color("surface.canvas"), a, b, 9 * k)


def _warning(p: QPainter, theme: Theme, x: float, y: float, half: float) -> None:
    """Draw a triangle with an exclamation mark, with ``half`` its height on each side of its centre."""
    ink, ground = theme.color("chain.waiting"), theme.color("surface.canvas")
    corners = [QPointF(x, y - half), QPointF(x + half, y + half * 0.8), QPointF(x - half, y + half * 0.8)]
    pen = QPen(ink, max(1.4, half * 0.18))
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    p.setPen(pen)
    p.setBrush(ground)
    p.drawPolygon(QPolygonF(corners))
    _stroke(p, ink, x, y - half * 0.38, y + half * 0.2, half * 0.2)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(ink)
    p.drawEllipse(QPointF(x, y + half * 0.5), half * 0.12, half * 0.12)


def _stroke(p: QPainter, ink: QColor, x: float, top: float, bottom: float, width: float) -> None:
    pen = QPen(ink, max(1.2, width))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    p.setPen(pen)
    p.drawLine(QPointF(x, top), QPointF(x, bottom))


def _circle_sign(p: QPainter, theme: Theme, x: float, y: float, half: float) -> None:
    """Draw a closed red line for the legend."""
    p.setPen(QPen(theme.color("chain.waiting"), max(2.0, half * 0.4)))
    p.setBrush(theme.color("chain.waitingSoft"))
    corners = ((0, -1), (1, -0.2), (0.6, 0.9), (-0.6, 0.9), (-1, -0.2))
    p.drawPolygon(QPolygonF([QPointF(x + half * a, y + half * b) for a, b in corners]))
