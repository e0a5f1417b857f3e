"""The painter of the baskets of a ring: table, apples, speakers, and a frame unless exactly one process may speak."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from lydian.app.look.shapes import draw_process, draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.network.netmap import Floats, Map
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.language import tr, trn
from lydian.pieces.baskets import places, round_of, told_over_time
from lydian.pieces.piece import LegendItem
from lydian.views.network.basic import BasicFrame

__all__ = ["BasketPainter", "basket_at", "draw_apple", "draw_basket"]

#: The number of apples above which only the number is shown.
DRAWN = 12
#: The size of the table above which processes have no bubbles.
BUBBLES = 16
#: The reach of the table towards the processes.
TABLE = 0.84
#: The maximum ratio of the width of a basket to that of a process.
LARGEST = 2.3
#: The number of apples in each row, the lowest row first.
ROWS = (5, 4, 3)
#: The roundness of a ring with a table: the farthest process may be farther from the centre by this share.
ROUND = 0.3
#: Half the minimum width of a ring with a table.
SMALLEST = 40.0


class BasketPainter(PiecePainter):
    """The painter of an animation's baskets."""

    def under(self, d: Drawing) -> None:
        """Draw the table around which the processes are placed, and the pile in its middle, under everything else."""
        p, m, frame = d.p, d.m, d.frame
        declared = frame.animation.baskets
        if declared is None or not len(frame.baskets.value) or not round_of(frame.scene) or m.level == "dense":
            return
        centre, half = (m.points.max(axis=0) + m.points.min(axis=0)) / 2, np.ptp(m.points, axis=0) / 2
        if len(m.points) < 3 or min(half) < SMALLEST:
            return
        if len(m.points) == 3:  # a triangle's bounding box is not that of its circle
            centre = m.points.mean(axis=0)
            half = np.full(2, np.hypot(*(m.points - centre).T).min())
        away = np.hypot(*((m.points - centre) / half).T)
        if len(m.points) > 3 and np.ptp(away) > ROUND:
            return
        rx, ry = (half * TABLE).tolist()
        at = QPointF(*centre.tolist())
        p.setPen(QPen(self.theme.color("play.edge"), 2.0))
        p.setBrush(self.theme.color("play.table"))
        p.drawEllipse(at, rx, ry)
        size = _size(m, frame)
        self._sense(p, m, frame, at, (rx * 0.36, ry * 0.36))
        if declared.pile and min(rx, ry) > 2.2 * size and len(m.points) > 3:
            r = size * 0.15
            for dx, dy in ((-2, 1), (0, 1), (2, 1), (-1, -0.5), (1, -0.5), (0, -2)):
                draw_apple(p, self.theme, at.x() + dx * r * 0.9, at.y() + dy * r * 0.8, r)
            ink = self.theme.color("text.secondary")
            draw_text(p, self.theme, at.x(), at.y() + 2.9 * r, tr("the pile"), "small", ink, align="center")

    def _sense(self, p: QPainter, m: Map, frame: BasicFrame, at: QPointF, half: tuple[float, float]) -> None:
        """Draw an arrow below the middle that shows the direction in which the token travels."""
        (rx, ry), ring = half, round_of(frame.scene)
        a = m.points - m.points.mean(axis=0)
        b = a[ring.right]
        clockwise = float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()) > 0  # y grows downwards
        if rx < 20:
            return
        color = self.theme.color("play.edge")
        path = QPainterPath()
        box = QRectF(at.x() - rx, at.y() - ry, 2 * rx, 2 * ry)
        path.arcMoveTo(box, 235 if not clockwise else 305)
        path.arcTo(box, 235 if not clockwise else 305, 70 if not clockwise else -70)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(color, 2.0))
        p.drawPath(path)
        tip, angle, size = path.currentPosition(), math.radians(-path.angleAtPercent(1.0)), 7.0
        sides = [tip + QPointF(math.cos(angle + turn), math.sin(angle + turn)) * size for turn in (2.6, -2.6)]
        p.setBrush(color)
        p.drawPolygon(QPolygonF([tip, *sides]))

    def inner(self, d: Drawing) -> None:
        """Draw a basket between each two neighbours, with its apples and its number."""
        p, m, frame = d.p, d.m, d.frame
        declared, ring = frame.animation.baskets, round_of(frame.scene)
        if declared is None or not len(frame.baskets.value) or not ring or m.level not in ("full", "medium"):
            return
        size = _size(m, frame)
        for process, (x, y) in enumerate(places(declared, ring, m.points).tolist()):
            number = float(frame.baskets.value[process])
            if math.isfinite(number):
                draw_basket(p, self.theme, x, y, size, number, apples=declared.style == "apples")

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Any, k: float) -> None:
        """Draw a process that may speak, or an apple."""
        x, y = box.center().x(), box.center().y()
        if item.sort == "speaker":
            draw_process(p, self.theme, x, y, 11.5 * k, item.number)
        else:
            draw_apple(p, self.theme, x, y, 5.5 * k)

    def last(self, d: Drawing) -> None:
        """Draw bubbles and the crown beside processes, and the frame and the curve at the edge of the view."""
        p, m, frame = d.p, d.m, d.frame
        declared = frame.animation.baskets
        if declared is None or not len(frame.baskets.value) or not round_of(frame.scene) or m.level == "dense":
            return
        if declared.hat and m.level == "full":
            for process in np.flatnonzero(frame.initiators & m.visible).tolist():
                x, y = m.points[process].tolist()
                draw_crown(p, self.theme, x, y - m.d * 0.5, m.d * 0.56)
        if not (declared.leader or declared.others):
            return
        if m.level == "full" and len(m.points) <= BUBBLES:
            centre = m.points.mean(axis=0)
            for process in np.flatnonzero(frame.baskets.speaking & m.visible).tolist():
                self._bubble(p, m, m.points[process], centre, declared.says)
        count = int(frame.baskets.speaking.sum())
        if count != 1:
            words = trn("{count:,} token at once", "{count:,} tokens at once", count) if count else tr("no token")
            self._frame(p, m, words)
        self._curve(p, m, frame)

    def _bubble(self, p: QPainter, m: Map, at: Floats, centre: Floats, words: str) -> None:
        font = self.theme.font("small", semibold=True)
        metrics = QFontMetricsF(font)
        wide, tall = metrics.horizontalAdvance(words) + 18, metrics.height() + 6
        x, y = at.tolist()
        right = x >= centre[0] - 1
        left = x + m.d * 0.72 if right else x - m.d * 0.72 - wide
        box = QRectF(left, y - m.d * 0.55 - tall, wide, tall)
        room = m.rect.adjusted(6, 6, -6, -6)
        box.moveLeft(min(max(box.left(), room.left()), room.right() - wide))
        box.moveTop(max(box.top(), room.top()))
        path = QPainterPath()
        path.addRoundedRect(box, tall / 2, tall / 2)
        tail = QPainterPath()
        foot = box.left() + tall * 0.6 if right else box.right() - tall * 0.6
        way = 1 if right else -1
        corners = (
            (x + way * m.d * 0.48, y - m.d * 0.36), (foot - way * tall * 0.3, box.bottom() - 2),
            (foot + way * tall * 0.4, box.bottom() - 2),
        )  # fmt: skip
        tail.addPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
        tail.closeSubpath()
        look = self.theme.state(6)
        p.setPen(QPen(self.theme.color("surface.canvas"), 1.5))
        p.setBrush(look.fill)
        p.drawPath(path.united(tail))
        p.setFont(font)
        p.setPen(look.label)
        p.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _frame(self, p: QPainter, m: Map, words: str) -> None:
        """Draw a frame around the view, as not exactly one process may speak; whether that is wrong the checks say."""
        color = self.theme.color("check.pending")
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(color, 3.0))
        p.drawRect(m.rect.adjusted(1.5, 1.5, -1.5, -1.5))
        font = self.theme.font("small", semibold=True)
        metrics = QFontMetricsF(font)
        wide, tall = metrics.horizontalAdvance(words) + 20, metrics.height() + 8
        box = QRectF(m.rect.left() + 1.5, m.rect.top() + 1.5, wide, tall)
        p.fillRect(box, color)
        p.setFont(font)
        p.setPen(self.theme.color("surface.canvas"))
        p.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _curve(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Draw the number of tokens over the time of the run, in a corner where there is room for it."""
        times, counts = told_over_time(frame.scene)
        run = frame.timeline
        if run is None or not len(times) or m.rect.width() < 480 or m.rect.height() < 300 or run.end <= 0:
            return
        k = self.theme.px("small") / 12
        box = QRectF(m.rect.right() - 12 - 168 * k, m.rect.top() + 12, 168 * k, 58 * k)
        corner = box.adjusted(-8, -8, 8, 8)
        if any(corner.contains(QPointF(*at)) for at in m.points.tolist()):
            return
        p.setPen(QPen(self.theme.color("border.subtle"), 1.0))
        p.setBrush(self.theme.color("surface.overlay"))
        radius = self.theme.size("radius.card")
        p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        ink = self.theme.color("text.secondary")
        draw_text(p, self.theme, box.left() + 8 * k, box.top() + 11 * k, tr("tokens"), "small", ink)
        now = int(frame.baskets.speaking.sum())
        draw_text(p, self.theme, box.right() - 8 * k, box.top() + 11 * k, f"{now}", "small",
                  self.theme.color("text.primary"), align="right", semibold=True)  # fmt: skip
        plot = box.adjusted(8 * k, 22 * k, -8 * k, -8 * k)
        top = max(2, int(counts.max()))

        def at(t: float, count: float) -> QPointF:
            return QPointF(plot.left() + plot.width() * t / run.end, plot.bottom() - plot.height() * count / top)

        p.setPen(QPen(self.theme.color("check.holds"), 1.0, Qt.PenStyle.DashLine))
        p.drawLine(at(0, 1), at(run.end, 1))
        path = QPainterPath(at(0, float(counts[0])))
        for t, before, count in zip(times[1:].tolist(), counts[:-1].tolist(), counts[1:].tolist(), strict=True):
            path.lineTo(at(t, before))
            path.lineTo(at(t, count))
        path.lineTo(at(run.end, float(counts[-1])))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.theme.state(6).outline, 1.6))
        p.drawPath(path)
        p.setPen(QPen(self.theme.color("playhead"), 1.2))
        head = at(min(max(frame.t, 0.0), run.end), 0.0).x()
        p.drawLine(QPointF(head, plot.top() - 2), QPointF(head, plot.bottom() + 2))


def _size(m: Map, frame: BasicFrame) -> float:
    """Return the width of a basket: that of the processes, or less where they are close together."""
    ring = round_of(frame.scene)
    away = np.hypot(*(m.points - m.points[ring.right]).T)
    return float(min(m.d * LARGEST, max(float(np.median(away)) * 0.34, 6.0)))


def basket_at(m: Map, frame: BasicFrame, at: QPointF) -> int | None:
    """Return the process whose basket is at a point."""
    declared, ring = frame.animation.baskets, round_of(frame.scene)
    if declared is None or not len(frame.baskets.value) or not ring or m.level not in ("full", "medium"):
        return None
    found = places(declared, ring, m.points)
    away = np.hypot(found[:, 0] - at.x(), found[:, 1] - at.y())
    nearest = int(np.argmin(away))
    return nearest if away[nearest] <= max(_size(m, frame) * 0.6, 12.0) else None


def draw_basket(
    p: QPainter, theme: Theme, x: float, y: float, size: float, number: float, *, apples: bool = True
) -> None:
    """Draw a basket around a point with its apples, ``size`` wide, and their number below."""
    high = size * 0.36
    if apples:
        r = size * 0.105
        row, left, base = 0, int(min(number, DRAWN)), y - high * 0.5 - r * 0.45
        while left > 0 and row < len(ROWS):
            here = min(left, ROWS[row])
            for i in range(here):
                draw_apple(p, theme, x + (i - (here - 1) / 2) * r * 1.75, base - row * r * 1.45, r)
            left, row = left - here, row + 1
        body = QPainterPath()
        corners = ((-0.5, -0.5), (0.5, -0.5), (0.38, 0.5), (-0.38, 0.5))
        body.addPolygon(QPolygonF([QPointF(x + size * a, y + high * b) for a, b in corners]))
        body.closeSubpath()
        rim = theme.color("play.rim")
        p.setPen(QPen(rim, max(1.0, size * 0.03)))
        p.setBrush(theme.color("play.basket"))
        p.drawPath(body)
        for share in (0.0, 0.4):
            p.drawLine(QPointF(x - size * (0.47 - share * 0.1), y - high * 0.17 + share * high),
                       QPointF(x + size * (0.47 - share * 0.1), y - high * 0.17 + share * high))  # fmt: skip
    words = f"{number:g}"
    font = theme.font("small", semibold=True)
    metrics = QFontMetricsF(font)
    tall = metrics.height() + 1
    wide = max(metrics.horizontalAdvance(words) + 12, tall)
    top = y + high * 0.62 if apples else y - tall / 2
    box = QRectF(x - wide / 2, top, wide, tall)
    p.setPen(QPen(theme.color("border.strong"), 1.0))
    p.setBrush(theme.color("surface.canvas"))
    p.drawRoundedRect(box, tall / 2, tall / 2)
    p.setFont(font)
    p.setPen(theme.color("text.primary"))
    p.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def draw_apple(p: QPainter, theme: Theme, x: float, y: float, r: float) -> None:
    """Draw an apple of the given radius, with a leaf, a highlight, and an edge that separates it from the next one."""
    p.setPen(QPen(QColor(theme.color("surface.canvas")), max(0.6, r * 0.12)))
    p.setBrush(theme.color("play.apple"))
    p.drawEllipse(QPointF(x, y), r, r * 0.94)
    if r < 3:
        return
    p.setPen(QPen(theme.color("play.leaf"), max(1.0, r * 0.26), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    p.drawLine(QPointF(x, y - r * 0.8), QPointF(x + r * 0.4, y - r * 1.2))
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(theme.color("play.shine"))
    p.drawEllipse(QPointF(x - r * 0.38, y - r * 0.32), r * 0.18, r * 0.26)


def draw_crown(p: QPainter, theme: Theme, x: float, base: float, wide: float) -> None:
    """Draw a crown with its base at a point."""
    w, h = wide / 2, wide * 0.62
    points = ((-w, 0), (-w, -h), (-w * 0.45, -h * 0.45), (0, -h), (w * 0.45, -h * 0.45), (w, -h), (w, 0))
    p.setPen(QPen(theme.color("surface.canvas"), 1.2))
    p.setBrush(theme.color("play.crown"))
    p.drawPolygon(QPolygonF([QPointF(x + dx, base + dy) for dx, dy in points]))
