"""The links of the network. They do not move with the messages, so a large number of them is kept as a picture."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPixmap

from lydian.app.look.fragments import draw_lines
from lydian.app.look.shapes import draw_cross, draw_text
from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.network.netmap import Floats, Map
from lydian.app.painters.pieces.bands import draw_arrow
from lydian.views.network.basic import BasicFrame

__all__ = ["LinkLayer", "chip_text", "draw_chip", "segments_of"]

#: The number of links from which the layer is kept as a picture, and from which it is drawn without smoothing.
KEPT, ROUGH = 300, 4_000
#: The number of pixels of the gap, with a cross in it, of a cut link.
GAP = 22.0


class LinkLayer:
    """The painter of links, which reuses their picture while it is valid."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._key: Hashable = None
        self._of: tuple[object, object] = (None, None)
        self._pixmap = QPixmap()

    def paint(self, p: QPainter, m: Map, frame: BasicFrame, *, picture: bool) -> None:
        """Draw all links; ``picture`` says whether pixels are acceptable (not for a vector file)."""
        if frame.animation.places is not None and not frame.animation.places.links:
            return
        if not picture or len(frame.link_ends) < KEPT or m.rest is not None:  # gliding links cannot be cached
            self._draw(p, m, frame)
            return
        ratio = p.device().devicePixelRatioF()
        key = (
            m.level, m.d, m.rect.getRect(), ratio, self.theme, frame.scene.paths is None,
            m.stand, frame.links_down.tobytes() if frame.links_down.any() else b"",
            frame.ways_down.tobytes() if frame.ways_down.any() else b"",
        )  # fmt: skip
        of = (m, frame.scene.directed)  # both are the same objects while a run grows
        if key != self._key or any(a is not b for a, b in zip(self._of, of, strict=True)):
            pixmap = QPixmap(max(1, round(m.rect.width() * ratio)), max(1, round(m.rect.height() * ratio)))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            inner = QPainter(pixmap)
            try:
                inner.setRenderHint(QPainter.RenderHint.Antialiasing, len(frame.link_ends) < ROUGH)
                inner.translate(-m.rect.topLeft())
                self._draw(inner, m, frame)
            finally:
                inner.end()
            self._pixmap, self._key, self._of = pixmap, key, of
        p.drawPixmap(m.rect.topLeft(), self._pixmap)

    def _draw(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        ends = frame.link_ends
        if not len(ends):
            return
        theme, down, ways = self.theme, frame.links_down, frame.ways_down
        a, b = m.points[ends[:, 0]], m.points[ends[:, 1]]
        seen = _in_view(a, b, m.rect)
        color, width = theme.color("link.base"), theme.line("link")
        if m.level in ("small", "dense"):
            # The design tokens require links at 40 % opacity. Translucent links would look darker where they overlap,
            # so they get an opaque mixed colour instead.
            color = mixed(theme.color("surface.canvas"), color, 0.4 if m.level == "small" else 0.28)
            width = 1.0
        arrows = frame.scene.directed & seen & ~down if m.level in ("full", "medium") else np.zeros(len(ends), bool)
        half = seen & (ways != 0) if frame.scene.paths is None else np.zeros(len(ends), bool)
        p.setPen(_pen(color, width))
        plain = seen & ~down & ~arrows & ~half
        draw_lines(p, a[plain], b[plain])
        for link in np.flatnonzero(arrows).tolist():
            draw_arrow(p, color, tuple(a[link]), tuple(b[link]), width, m.rim)
        if (down & seen).any() and frame.scene.paths is None:  # a link out of reach is not cut
            self._cuts(p, m, a[down & seen], b[down & seen])
        for link in np.flatnonzero(half).tolist():
            self._half(p, m, (color, width), *((a[link], b[link]) if ways[link] > 0 else (b[link], a[link])))

    def _half(self, p: QPainter, m: Map, look: tuple[QColor, float], a: Floats, b: Floats) -> None:
        """Draw a link that is cut from a to b only: an arrow the other way, and a cross where the messages end."""
        color, width = look
        large = m.level in ("full", "medium")
        if large:
            draw_arrow(p, color, tuple(b), tuple(a), width, m.rim)
        else:
            draw_lines(p, a[None], b[None])
        k = self.theme.line("link") / self.theme.size("line.link")
        size = 4.5 * k if large else 2.5
        away = (m.rim + 2 * size if large else 0.0) / max(float(np.hypot(*(a - b))), 1e-9)
        x, y = (b + (a - b) * min(max(away, 0.2), 0.4)).tolist()
        draw_cross(p, self.theme.color("fault.base"), x, y, size, 2.4 if large else 1.4)

    def weight_boxes(self, m: Map, frame: BasicFrame) -> dict[int, QRectF]:
        """Return the place of each link's weight: its middle, unless the link is too short to be visible beside it."""
        texts = frame.scene.weights
        hidden = frame.animation.places is not None and not frame.animation.places.links
        if not texts or hidden or m.level not in ("full", "medium"):
            return {}
        metrics = QFontMetricsF(self.theme.font("small", semibold=True))
        high, found = metrics.height() * 1.1, {}
        segments = segments_of(m, frame)
        room = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1]) - 2 * m.rim
        for link in np.flatnonzero(room > metrics.height() * 1.5).tolist():
            if texts[link]:
                wide = max(high, metrics.horizontalAdvance(texts[link]) + metrics.height() * 0.5)
                x, y = float(segments[link, 0::2].mean()), float(segments[link, 1::2].mean())
                found[link] = QRectF(x - wide / 2, y - high / 2, wide, high)
        return found

    def paint_weights(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Draw the weights with backgrounds over anything drawn along the links, except on cut links."""
        for link, box in self.weight_boxes(m, frame).items():
            if frame.links_down[link]:
                continue
            p.setPen(QPen(self.theme.color("link.base"), 1.0))
            p.setBrush(self.theme.color("surface.canvas"))
            p.drawRoundedRect(box, box.height() / 2, box.height() / 2)
            x, y, words = box.center().x(), box.center().y(), frame.scene.weights[link]
            draw_text(p, self.theme, x, y, words, "small", "text.primary", align="center", semibold=True)

    def _cuts(self, p: QPainter, m: Map, a: Floats, b: Floats) -> None:
        """Draw the links that are down: paler, with a gap and a cross."""
        theme = self.theme
        k = theme.line("link") / theme.size("line.link")
        middle, way = (a + b) / 2, b - a
        length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
        gap = np.minimum(GAP * k, length * 0.5)
        p.setPen(_pen(theme.color("link.down"), theme.line("link") if m.level in ("full", "medium") else 1.0))
        draw_lines(p, a, middle - way / length * gap / 2)
        draw_lines(p, middle + way / length * gap / 2, b)
        size = 5.5 * k if m.level in ("full", "medium") else 3.0
        for x, y in middle.tolist():
            draw_cross(p, theme.color("fault.base"), x, y, size, 2.6 if size > 4 else 1.6)


def segments_of(m: Map, frame: BasicFrame) -> Floats:
    """Return all links as rows x1 y1 x2 y2 on the screen."""
    ends = frame.link_ends
    return np.hstack((m.points[ends[:, 0]], m.points[ends[:, 1]])) if len(ends) else np.empty((0, 4))


def _in_view(a: Floats, b: Floats, rect: QRectF) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which lines may touch the widget, that is, do not have both ends beyond the same side."""
    x1, y1, x2, y2 = a[:, 0], a[:, 1], b[:, 0], b[:, 1]
    beyond = (np.maximum(x1, x2) < rect.left()) | (np.minimum(x1, x2) > rect.right())
    beyond |= (np.maximum(y1, y2) < rect.top()) | (np.minimum(y1, y2) > rect.bottom())
    return ~beyond


def _pen(color: QColor, width: float) -> QPen:
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def chip_text(factor: float) -> str:
    """Return the text of a chip: ``×2.6``."""
    return f"×{factor:.0f}" if factor >= 9.95 else f"×{factor:.1f}" if factor >= 0.095 else f"×{factor:.2g}"


def chip_size(theme: Theme, text: str) -> tuple[float, float]:
    """Return the width and height of the chip with the given text."""
    k = theme.px("small") / 12
    return QFontMetricsF(theme.font("small", semibold=True)).horizontalAdvance(text) + 31 * k, 20 * k


def draw_chip(p: QPainter, theme: Theme, box: QRectF, text: str, link: tuple[float, float, float, float]) -> None:
    """Draw a pill with a clock, tied to its link (x1, y1, x2, y2), for a link with a delay of its own."""
    k = theme.px("small") / 12
    ink = theme.color("link.override")
    x1, y1, x2, y2 = link
    square = max((x2 - x1) ** 2 + (y2 - y1) ** 2, 1e-9)
    along = ((box.center().x() - x1) * (x2 - x1) + (box.center().y() - y1) * (y2 - y1)) / square
    p.setPen(QPen(ink, 1.2))
    p.drawLine(box.center(), QPointF(x1 + (x2 - x1) * along, y1 + (y2 - y1) * along))
    p.setPen(QPen(ink, 1.2))
    p.setBrush(theme.color("link.overrideSoft"))
    p.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    x, y, r = box.left() + 12 * k, box.center().y(), 4.6 * k
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(QPen(ink, 1.3 * k))
    p.drawEllipse(QPointF(x, y), r, r)
    p.drawPolyline([QPointF(x, y - r * 0.6), QPointF(x, y), QPointF(x + r * 0.5, y + r * 0.3)])
    draw_text(p, theme, x + r + 5 * k, y, text, "small", ink, semibold=True)
