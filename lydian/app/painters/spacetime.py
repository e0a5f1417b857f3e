"""Paints what is still in the space-time diagram: lines, dots, marks, the picture of density."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen, QPixmap

from lydian.app.painters.axis import Geometry, alpha, is_raster, lines
from lydian.app.shapes import draw_head, draw_text
from lydian.app.theme import Theme
from lydian.views.highlight import FUTURE, LONGEST, PAST
from lydian.views.spacetime import CRASH, FAULT, FULL, HOLLOW, LOST, Scene

__all__ = ["NEAR", "StillPainter"]

#: Up to so many arrows in view they have heads, dashes and smooth edges; more are plain lines of one pixel.
_DETAILED = 500
#: More dots than this are stamped, not drawn.
_STAMPED = 300
#: No dot, head or label reaches farther to the left of its time, in pixels.
NEAR = 30.0
_BASE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBaseline


class StillPainter:
    """Paints the parts of a :class:`~lydian.views.spacetime.Scene`, each as if everything had happened."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._labels: tuple[tuple[Any, ...], object, list[tuple[int, str, float, float]]] | None = None

    def number(self, name: str) -> float:
        return self.theme.number(name)

    def width(self, pitch: float) -> float:
        return self.theme.line("event") * min(1.0, max(0.5, pitch / 14))

    def radius(self, g: Geometry) -> float:
        return max(0.8, min(self.theme.dot() / 2 * (0.75 if self.theme.projector else 0.95), g.pitch * 0.36))

    def lines(self, p: QPainter, g: Geometry, scene: Scene) -> None:
        """Everything below the dots: crashed spans, marks, arrows."""
        self._crashes(p, g, scene)
        self._halos(p, g, scene)
        order = np.isfinite(scene.arrived)
        arrived = np.where(order, scene.arrived, scene.sent)
        ends = g.x(scene.sent), g.y(scene.source_row), g.x(arrived), g.y(scene.end_row)
        detailed = len(scene.message) <= _DETAILED
        p.setRenderHint(QPainter.RenderHint.Antialiasing, len(scene.message) <= _DETAILED)
        dim = self.number("chain.dimOpacity")
        width = self.width(g.pitch) if detailed else 1.0
        for kind in np.unique(scene.kind).tolist():
            style = self.theme.message(kind)
            for strong in (False, True):
                some = order & (scene.kind == kind) & (self.strong(scene) == strong)
                if not some.any():
                    continue
                wide = width + (0.4 if scene.dimmed and strong else 0.0)
                pen = QPen(alpha(style.color, 1.0 if strong else dim), wide)
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                if detailed and style.dash:
                    pen.setDashPattern([part / pen.widthF() for part in style.dash])
                p.setPen(pen)
                p.drawLines(lines(*(end[some] for end in ends)))
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def strong(self, scene: Scene) -> NDArray[np.bool_]:
        """Which arrows are at full strength."""
        if scene.dimmed:
            return (scene.bits > 0) | scene.chosen
        return np.ones(len(scene.message), dtype=bool)

    def ghost(self, p: QPainter, g: Geometry, scene: Scene) -> None:
        """What is still to come, at full strength: thin lines without heads, and dots."""
        known = np.isfinite(scene.arrived)
        self._thin(p, g, scene, known)
        x, y = g.x(scene.time), g.y(scene.row)
        self._points(p, g, scene, x, y, np.ones(len(x), dtype=bool), False)

    def marked(self, p: QPainter, g: Geometry, scene: Scene) -> None:
        """Marked and selected arrows alone, with their under-strokes."""
        self._halos(p, g, scene)
        self._thin(p, g, scene, np.isfinite(scene.arrived) & ((scene.bits > 0) | scene.chosen))

    def _thin(self, p: QPainter, g: Geometry, scene: Scene, among: NDArray[np.bool_]) -> None:
        ends = g.x(scene.sent), g.y(scene.source_row), g.x(scene.arrived), g.y(scene.end_row)
        few = np.count_nonzero(among) <= _DETAILED
        p.setRenderHint(QPainter.RenderHint.Antialiasing, bool(few))
        for kind in np.unique(scene.kind[among]).tolist():
            some = among & (scene.kind == kind)
            p.setPen(QPen(self.theme.message(kind).color, 0.8 * self.theme.line("event") if few else 1.0))
            p.drawLines(lines(*(end[some] for end in ends)))
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _halos(self, p: QPainter, g: Geometry, scene: Scene) -> None:
        """Under-strokes of the causal past and future and of the longest chain, and of selected messages."""
        x0, y0, x1, y1 = g.x(scene.sent), g.y(scene.source_row), g.x(scene.arrived), g.y(scene.end_row)
        known = np.isfinite(scene.arrived)
        flat = Qt.PenCapStyle.RoundCap
        for bit, name, soft, width in (
            (PAST, "chain.past", "chain.pastSoft", "causalHalo"),
            (FUTURE, "chain.future", "chain.futureSoft", "causalHalo"),
            (LONGEST, "chain.longest", "chain.longest", "longestHalo"),
        ):
            arrows = known & ((scene.bits & bit) > 0)
            spans = scene.span_bit == bit
            if not (arrows.any() or spans.any()):
                continue
            color = self.theme.color(soft)
            under = alpha(color, 0.55 if bit == LONGEST else 1.0)
            p.setPen(QPen(under, self.theme.line(width), Qt.PenStyle.SolidLine, flat))
            p.drawLines(lines(x0[arrows], y0[arrows], x1[arrows], y1[arrows]))
            rows = g.y(scene.span_row[spans])
            pieces = lines(g.x(scene.span_from[spans]), rows, g.x(scene.span_to[spans]), rows)
            p.drawLines(pieces)
            p.setPen(QPen(self.theme.color(name), self.theme.line("event") + 0.2))
            p.drawLines(pieces)
        chosen = known & scene.chosen
        if chosen.any():
            color = alpha(self.theme.color("selection"), 0.35)
            p.setPen(QPen(color, self.theme.line("causalHalo"), Qt.PenStyle.SolidLine, flat))
            p.drawLines(lines(x0[chosen], y0[chosen], x1[chosen], y1[chosen]))

    def _crashes(self, p: QPainter, g: Geometry, scene: Scene) -> None:
        """Rows of crashed processes, from the crash on."""
        far = g.plot.right() + 10
        for row, start, stop in zip(
            scene.crash_row.tolist(), scene.crash_from.tolist(), scene.crash_to.tolist(), strict=True
        ):
            x0, x1, y = g.x(start), min(g.x(stop), far), g.y(row)
            inset = min(2.0, g.pitch * 0.1)
            box = QRectF(x0, y - g.pitch / 2 + inset, x1 - x0, g.pitch - 2 * inset)
            p.fillRect(box, self.theme.color("fault.soft"))
            pen = QPen(alpha(self.theme.color("fault.base"), 0.7), self.theme.line("event"))
            pen.setDashPattern([5.0, 3.4])
            p.setPen(pen)
            p.drawLine(QPointF(x0, y), QPointF(x1, y))

    def dots(
        self, p: QPainter, g: Geometry, scene: Scene, span: tuple[float, float] | None, key: tuple[Any, ...]
    ) -> None:
        """Heads, dots, crosses and Lamport times; only those in a span of time, if one is given."""
        heads = np.isfinite(scene.arrived) & ~scene.lost
        if len(scene.message) > _DETAILED:
            heads[:] = False
        events = np.ones(len(scene.event), dtype=bool)
        if span is not None:
            heads &= (scene.arrived >= span[0]) & (scene.arrived <= span[1])
            events &= (scene.time >= span[0]) & (scene.time <= span[1])
        self._heads(p, g, scene, np.flatnonzero(heads))
        self._points(p, g, scene, g.x(scene.time), g.y(scene.row), events, scene.dimmed)
        for index, text, x, y in self._placed(p, g, scene, key):
            if events[index]:
                draw_text(p, self.theme, x, y, text, "caption", "text.primary", True, _BASE, semibold=True)

    def _heads(self, p: QPainter, g: Geometry, scene: Scene, arrows: NDArray[np.int64]) -> None:
        if not len(arrows):
            return
        x0, y0 = g.x(scene.sent[arrows]), g.y(scene.source_row[arrows])
        x1, y1 = g.x(scene.arrived[arrows]), g.y(scene.end_row[arrows])
        angle = np.arctan2(y1 - y0, x1 - x0)
        size = self.head(g)
        back = self.radius(g) + size * 0.45
        strong = self.strong(scene)[arrows]
        dim = self.number("chain.dimOpacity")
        for x, y, a, kind, full in zip(
            (x1 - np.cos(angle) * back).tolist(),
            (y1 - np.sin(angle) * back).tolist(),
            angle.tolist(),
            scene.kind[arrows].tolist(),
            strong.tolist(),
            strict=True,
        ):
            p.setOpacity(1.0 if full else dim)
            draw_head(p, self.theme, x, y, a, kind, size)
        p.setOpacity(1.0)

    def head(self, g: Geometry) -> float:
        return min(6.4 * (1.0 + (g.factor - 1.0) * 0.8), max(3.0, g.pitch * 0.5))

    def _points(
        self,
        p: QPainter,
        g: Geometry,
        scene: Scene,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        among: NDArray[np.bool_],
        dimmed: bool,
    ) -> None:
        """Dots and crosses of events; those without a mark are pale if ``dimmed``."""
        radius = self.radius(g)
        ink, fault = self.theme.color("text.primary"), self.theme.color("fault.base")
        paper = self.theme.color("surface.panel")
        dim = self.number("chain.dimOpacity") + 0.2
        for pale in (True, False):
            weak = (scene.event_bits == 0) if dimmed else np.zeros(len(x), dtype=bool)
            group = among & (weak == pale)
            if not group.any():
                continue
            for glyph, color in ((FULL, ink), (HOLLOW, ink), (FAULT, fault)):
                some = group & (scene.glyph == glyph)
                if not some.any():
                    continue
                dots = list(map(QPointF, x[some].tolist(), y[some].tolist()))
                outer = 2 * radius * (0.78 if glyph == HOLLOW else 1.0)
                if glyph == HOLLOW:
                    # A whole disc of paper under the ring, so that a pale ring does not show what is below it.
                    _discs(p, dots, paper, outer)
                _discs(p, dots, alpha(color, dim if pale else 1.0), outer)
                if glyph == HOLLOW and outer > 2.6:
                    _discs(p, dots, paper, outer * 0.5)
        self._crosses(p, g, scene, x, y, among)

    def _crosses(
        self,
        p: QPainter,
        g: Geometry,
        scene: Scene,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        among: NDArray[np.bool_],
    ) -> None:
        fault = self.theme.color("fault.base")
        for glyph, size, width in ((LOST, 4.5, 2.4), (CRASH, 6.5, 3.2)):
            some = among & (scene.glyph == glyph)
            if not some.any():
                continue
            half = min(size * (1 + (g.factor - 1) * 0.6), g.pitch * 0.42)
            p.setPen(QPen(fault, min(width, half * 0.6), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            a, b = x[some], y[some]
            p.drawLines(lines(a - half, b - half, a + half, b + half))
            p.drawLines(lines(a - half, b + half, a + half, b - half))

    def _placed(
        self, p: QPainter, g: Geometry, scene: Scene, key: tuple[Any, ...]
    ) -> list[tuple[int, str, float, float]]:
        """Lamport times that have room: index of the event, text, right end and baseline."""
        if self._labels is not None and self._labels[0] == key and self._labels[1] is scene:
            return self._labels[2]
        metrics = QFontMetricsF(self.theme.font("caption", semibold=True))
        placed: list[tuple[int, str, float, float]] = []
        if g.pitch >= metrics.capHeight() + 11:
            full = scene.step.copy()
            if scene.dimmed:
                full &= scene.event_bits > 0
            taken: dict[int, float] = {}
            raised = self.radius(g) + 2.5
            for index in np.flatnonzero(full).tolist():
                text = str(scene.lamport[index])
                right, row = float(g.x(scene.time[index])) - 2.0, int(scene.row[index])
                left = right - metrics.horizontalAdvance(text)
                if left > taken.get(row, g.plot.left() - 3.0) + 3.0:
                    placed.append((index, text, right, float(g.y(row)) - raised))
                    taken[row] = right
        self._labels = (key, scene, placed)
        return placed

    def density(self, p: QPainter, g: Geometry, scene: Scene) -> None:
        """Events per row and piece of time as shades of ink, on a logarithmic scale."""
        counts = scene.density
        assert counts is not None
        if not counts.size or not counts.max():
            return
        height = max(1, min(counts.shape[0], math.ceil(g.bottom - g.top)))
        if height < counts.shape[0]:
            counts = np.add.reduceat(counts, np.arange(height) * counts.shape[0] // height, axis=0)
        strength = np.log1p(counts) / math.log1p(int(counts.max()))
        ink = self.theme.color("text.secondary")
        pixels = np.empty((*counts.shape, 4), dtype=np.uint8)
        share = np.where(counts > 0, 0.12 + 0.88 * strength, 0.0)
        for channel, value in enumerate((ink.blue(), ink.green(), ink.red(), 255)):
            pixels[..., channel] = share * value
        image = QImage(
            pixels.data, pixels.shape[1], pixels.shape[0], pixels.strides[0], QImage.Format.Format_ARGB32_Premultiplied
        )
        p.drawImage(QRectF(g.left, g.top, g.right - g.left, g.bottom - g.top), image)


def _discs(p: QPainter, dots: list[QPointF], color: QColor, diameter: float) -> None:
    """Discs around points; very many of them stand on whole pixels."""
    if len(dots) <= _STAMPED or not is_raster(p):
        p.setPen(QPen(color, diameter, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        p.drawPoints(dots)
        return
    ratio, side = p.device().devicePixelRatioF(), math.ceil(diameter) + 2
    stamp = QPixmap(math.ceil(side * ratio), math.ceil(side * ratio))
    stamp.setDevicePixelRatio(ratio)
    stamp.fill(Qt.GlobalColor.transparent)
    inner = QPainter(stamp)
    try:
        inner.setRenderHint(QPainter.RenderHint.Antialiasing)
        _discs(inner, [QPointF(side / 2, side / 2)], color, diameter)
    finally:
        inner.end()
    corner = QPointF(side / 2, side / 2)
    for dot in dots:
        p.drawPixmap(dot - corner, stamp)
