"""The overview map in the corner, which shows the position of the view when most of the network is out of view."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from lydian.app.look.fragments import draw_lines
from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.network.netmap import Map
from lydian.views.network.basic import BasicFrame

__all__ = ["Overview", "overview_box"]

#: The share of processes in view below which it is shown, and the minimum size of the widget.
SHARE, SMALLEST = 0.5, (360.0, 240.0)
#: The margin between its frame and its contents.
AIR = 6.0
#: The maximum number of links drawn in it.
LINKS = 3_000


def overview_box(m: Map) -> QRectF:
    """Return the box of the map, empty if it is not shown."""
    n = len(m.points)
    small = m.rect.width() < SMALLEST[0] or m.rect.height() < SMALLEST[1]
    if n < 2 or small or float(m.visible.sum()) >= SHARE * n:
        return QRectF()
    low, high = m.points.min(axis=0), m.points.max(axis=0)
    wide, tall = max(float(high[0] - low[0]), 1e-9), max(float(high[1] - low[1]), 1e-9)
    most = QRectF(0, 0, min(max(m.rect.width() * 0.2, 120.0), 220.0), min(max(m.rect.height() * 0.28, 80.0), 160.0))
    scale = min((most.width() - 2 * AIR) / wide, (most.height() - 2 * AIR) / tall)
    w, h = max(wide * scale + 2 * AIR, 40.0), max(tall * scale + 2 * AIR, 30.0)
    return QRectF(m.rect.right() - w - 12, m.rect.top() + 12, w, h)


class Overview:
    """The painter of the map, which also converts points in it."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._kept: tuple[Hashable, QPixmap] = (None, QPixmap())

    def _place(self, m: Map, box: QRectF) -> tuple[float, float, float]:
        """Return the scale and offsets that take a point of the widget's drawing into the map."""
        low, high = m.points.min(axis=0), m.points.max(axis=0)
        wide, tall = max(float(high[0] - low[0]), 1e-9), max(float(high[1] - low[1]), 1e-9)
        scale = min((box.width() - 2 * AIR) / wide, (box.height() - 2 * AIR) / tall)
        middle = (low + high) / 2
        return scale, box.center().x() - float(middle[0]) * scale, box.center().y() - float(middle[1]) * scale

    def paint(self, p: QPainter, m: Map, frame: BasicFrame) -> QRectF:
        """Draw the map if it is needed, and return its box."""
        box = overview_box(m)
        if box.isEmpty():
            return box
        scale, dx, dy = self._place(m, box)
        theme = self.theme
        ratio = p.device().devicePixelRatioF()
        radius = theme.size("radius.card")
        p.setPen(QPen(theme.color("border.control"), 1))
        p.setBrush(theme.color("surface.overlay"))
        p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        looks = np.where(frame.crashed, -1, frame.slots)
        size = (round(box.width(), 3), round(box.height(), 3))
        key = (id(frame.scene), m.stand, size, round(scale * m.scale, 9), m.aspect, ratio, theme, looks.tobytes())
        if self._kept[0] != key:
            pixmap = QPixmap(max(1, round(box.width() * ratio)), max(1, round(box.height() * ratio)))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            inner = QPainter(pixmap)
            try:
                self._draw(inner, frame, m.points * scale + (dx - box.left(), dy - box.top()), looks)
            finally:
                inner.end()
            self._kept = key, pixmap
        p.drawPixmap(box.topLeft(), self._kept[1])
        seen = QRectF(
            m.rect.left() * scale + dx, m.rect.top() * scale + dy, m.rect.width() * scale, m.rect.height() * scale
        )
        seen = seen.intersected(box.adjusted(2, 2, -2, -2))
        accent = theme.color("accent.base")
        p.setPen(QPen(accent, 1.8))
        accent.setAlphaF(0.12)
        p.setBrush(accent)
        p.drawRect(seen)
        return box

    def _draw(self, p: QPainter, frame: BasicFrame, points: np.ndarray, looks: np.ndarray) -> None:
        theme = self.theme
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        ends = frame.link_ends
        if len(ends) <= LINKS:
            p.setPen(QPen(mixed(theme.color("surface.canvas"), theme.color("link.base"), 0.5), 0.7))
            draw_lines(p, points[ends[:, 0]], points[ends[:, 1]])
        for look in np.unique(looks).tolist():
            color = theme.color("fault.base") if look < 0 else theme.state(look).fill
            p.setPen(QPen(color, 4.0 if len(points) <= 300 else 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            mine = points[looks == look]
            p.drawPoints([QPointF(x, y) for x, y in mine.tolist()])

    def at(self, m: Map, pos: QPointF, *, inside: bool = True) -> tuple[float, float] | None:
        """Return the point of the network that a point of the map means, or None if the map is not there.

        Args:
            inside: whether the point must be on the map.
        """
        box = overview_box(m)
        if box.isEmpty() or (inside and not box.contains(pos)):
            return None
        scale, dx, dy = self._place(m, box)
        x, y = (pos.x() - dx) / scale, (pos.y() - dy) / scale
        return (x - m.dx) / m.scale, (y - m.dy) / (m.scale * m.aspect)
