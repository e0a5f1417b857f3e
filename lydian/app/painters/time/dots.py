"""The painter of the dots of the space-time diagram: events, heads of arrows, crosses, Lamport times."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import draw_text, head_path
from lydian.app.look.theme import Theme
from lydian.app.painters.hues import palette
from lydian.app.painters.layers import is_raster
from lydian.app.painters.time.axis import Geometry, alpha
from lydian.app.painters.time.carried import ValueTags
from lydian.app.painters.time.clocklabels import GAP, ClockLabels
from lydian.views.time.highlight import FUTURE, PAST
from lydian.views.time.spacetime import CRASH, FAULT, FULL, HOLLOW, HUES, LOST, ArrowScene

__all__ = ["DETAILED", "NEAR", "DotPainter", "Mask", "Strip"]

#: The number of arrows in view up to which they have heads, dashes and smooth edges; more are plain one-pixel lines.
DETAILED = 500
#: The number of dots, and of heads, above which they are stamped rather than drawn.
STAMPED, STAMPED_HEADS = 60, 16
#: The maximum reach in pixels of a dot or a head to the left and to the right of its time.
NEAR = 30.0
_BASE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBaseline

Strip = tuple[float, float] | None
Mask = NDArray[np.bool_]


class DotPainter:
    """The painter of the events of a :class:`~lydian.views.time.spacetime.ArrowScene` and the heads of its arrows."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._atlases: dict[tuple[float, float], Atlas] = {}
        self.labels = ClockLabels(theme)
        self.values = ValueTags(theme)

    def number(self, name: str) -> float:
        return self.theme.number(name)

    def reach(self, scene: ArrowScene) -> float:
        """Return how far a dot, a head or a label extends to the left of its time."""
        if not scene.numbered or not len(scene.lamport):
            return NEAR
        metrics = QFontMetricsF(self.theme.font("caption", semibold=True))
        return max(NEAR, metrics.horizontalAdvance(str(int(scene.lamport.max()))) + 6.0)

    def width(self, pitch: float) -> float:
        return self.theme.line("event") * min(1.0, max(0.5, pitch / 14))

    def radius(self, g: Geometry) -> float:
        return max(0.8, min(self.theme.dot() / 2 * (0.75 if self.theme.projector else 0.95), g.pitch * 0.36))

    def head(self, g: Geometry) -> float:
        return min(6.4 * (1.0 + (g.factor - 1.0) * 0.8), max(3.0, g.pitch * 0.5))

    def color(self, scene: ArrowScene, kind: int, hue: int) -> QColor:
        """Return the colour of an arrow."""
        return self.theme.message(kind).color if hue < 0 else self.hues(scene)[hue]

    def hues(self, scene: ArrowScene) -> list[QColor]:
        """Return the colours of depths or senders."""
        return palette(self.theme, scene.color, scene.deepest >= HUES)

    def strong(self, scene: ArrowScene) -> Mask:
        """Return which arrows are at full strength."""
        if scene.dimmed:
            return (scene.bits > 0) | scene.chosen
        return np.ones(len(scene.message), dtype=bool)

    def dots(
        self,
        p: QPainter,
        g: Geometry,
        scene: ArrowScene,
        strip: Strip = None,
        *,
        arrows: Mask | None = None,
        events: Mask | None = None,
        plain: bool = False,
    ) -> None:
        """Draw heads, dots, crosses and Lamport times, or with ``plain`` only dots and crosses."""
        some = np.ones(len(scene.event), dtype=bool) if events is None else events.copy()
        heads = np.isfinite(scene.finish) & ~scene.lost
        if arrows is not None:
            heads &= arrows
        if plain or len(scene.message) > DETAILED:
            heads[:] = False
        if strip is not None:
            low, high = g.place(strip[0] - self.reach(scene)), g.place(strip[1] + self.reach(scene))
            heads &= (scene.finish >= low) & (scene.finish <= high)
            some &= (scene.place >= low) & (scene.place <= high)
        self._heads(p, g, scene, np.flatnonzero(heads))
        self._points(p, g, scene, np.flatnonzero(some), scene.dimmed and not plain)
        if plain or not scene.numbered:
            return
        radius, head = self.radius(g), self.head(g)
        labels = self.labels.place(g, scene, radius, head, self.values.boxes(g, scene))
        high = self.labels.high
        for index in np.flatnonzero(some & scene.step).tolist():
            label = labels.get(int(scene.event[index]))
            if label is not None:
                x, y = g.left + label.right - g.offset, float(g.y(scene.row[index]))
                y += radius + GAP + high if label.below else -radius - GAP
                draw_text(p, self.theme, x, y, label.text, "caption", "text.primary", True, _BASE, semibold=True)

    def _heads(self, p: QPainter, g: Geometry, scene: ArrowScene, arrows: NDArray[np.int64]) -> None:
        x0, y0 = g.at(scene.begin[arrows]), g.y(scene.source_row[arrows])
        x1, y1 = g.at(scene.finish[arrows]), g.y(scene.end_row[arrows])
        angle = np.arctan2(y1 - y0, x1 - x0)
        back = self.radius(g) + self.head(g) * 0.45
        opacity = np.where(self.strong(scene)[arrows], 1.0, self.number("chain.dimOpacity"))
        self.heads(p, g, scene, arrows, x1 - np.cos(angle) * back, y1 - np.sin(angle) * back, angle, opacity)

    def heads(
        self,
        p: QPainter,
        g: Geometry,
        scene: ArrowScene,
        arrows: NDArray[np.int64],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        angle: NDArray[np.float64],
        opacity: NDArray[np.float64],
        larger: float = 1.0,
    ) -> None:
        """Draw the heads of some arrows at (x, y)."""
        if not len(arrows):
            return
        size = self.head(g) * larger
        keys = list(zip(scene.kind[arrows].tolist(), scene.hue[arrows].tolist(), strict=True))
        if len(arrows) > STAMPED_HEADS and is_raster(p):
            places = {key: i for i, key in enumerate(dict.fromkeys(keys))}
            atlas = self._atlas(p, size * 1.5 + 4)
            named: list[Any] = [("head", scene.color, scene.deepest >= HUES, size, *key) for key in places]
            at = atlas.prepare(named)[np.array([places[key] for key in keys])]
            p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
            atlas.paint(p, x, y, at, rotation=np.degrees(angle), opacity=opacity)
            return
        rows = zip(keys, x.tolist(), y.tolist(), angle.tolist(), opacity.tolist(), strict=True)
        for (kind, hue), a, b, turn, strength in rows:
            p.save()
            p.setOpacity(p.opacity() * strength)
            p.translate(a, b)
            p.rotate(math.degrees(turn))
            self._head(p, kind, self.color(scene, kind, hue), size)
            p.restore()

    def _head(self, p: QPainter, kind: int, color: QColor, size: float) -> None:
        """Draw one head at (0, 0), pointing to the right, with an edge in the colour of the background."""
        ground = self.theme.color("surface.canvas")
        casing = QPen(ground, 1.6 if size >= 9 else 0.8)
        casing.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        shape = self.theme.message(kind).head
        path = head_path(shape, round(size, 2))
        p.strokePath(path, casing)
        p.fillPath(path, color)
        if shape == "circle":
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(ground)
            p.drawEllipse(QPointF(0, 0), size * 0.17, size * 0.17)

    def _atlas(self, p: QPainter, size: float) -> Atlas:
        """Return the stamps of a size for heads and dots."""
        ratio = p.device().devicePixelRatioF()
        key = (round(size, 1), ratio)
        if key not in self._atlases:
            if len(self._atlases) > 8:
                self._atlases.clear()
            self._atlases[key] = Atlas(size, ratio, self._stamp)
        return self._atlases[key]

    def _stamp(self, p: QPainter, key: Any) -> None:
        if key[0] == "head":
            _, color, round_about, size, kind, hue = key
            own = self.theme.message(kind).color if hue < 0 else palette(self.theme, color, round_about)[hue]
            self._head(p, kind, own, size)
            return
        for rgba, diameter in key[1]:
            p.setPen(QPen(QColor.fromRgba(rgba), diameter, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            p.drawPoint(QPointF(0, 0))

    def _points(self, p: QPainter, g: Geometry, scene: ArrowScene, some: NDArray[np.int64], dimmed: bool) -> None:
        """Draw dots and crosses of events; those without a mark are pale if ``dimmed``."""
        radius = self.radius(g)
        ink, fault = self.theme.color("text.primary"), self.theme.color("fault.base")
        paper = self.theme.color("surface.panel")
        dim = self.number("chain.dimOpacity") + 0.2
        hues = self.hues(scene) if scene.color in ("depth", "chain") else []
        tones = {PAST: self.theme.color("chain.past"), FUTURE: self.theme.color("chain.future")}
        for pale in (True, False):
            weak = (scene.event_bits[some] == 0) if dimmed else np.zeros(len(some), dtype=bool)
            group = some[weak == pale]
            # an event in both past and future is the selected event itself
            tone = np.where(scene.event_bits[group] < PAST | FUTURE, scene.event_bits[group], 0).astype(np.int64)
            glyphs = (scene.glyph[group].astype(np.int64) * 8 + tone) * 64
            glyphs += scene.event_hue[group] + 1 if hues else 0
            for code in np.unique(glyphs).tolist():
                glyph, mark, hue = code // 512, code // 64 % 8, code % 64 - 1
                if glyph not in (HOLLOW, FULL, FAULT):
                    continue
                color = fault if glyph == FAULT else hues[hue] if hues and hue >= 0 else tones.get(mark, ink)
                outer = 2 * radius * (0.78 if glyph == HOLLOW else 1.0)
                discs = [(alpha(color, dim if pale else 1.0).rgba(), outer)]
                if glyph == HOLLOW:
                    # A disc of paper under the ring prevents a pale ring from showing what is below it.
                    discs.insert(0, (paper.rgba(), outer))
                    if outer > 2.6:
                        discs.append((paper.rgba(), outer * 0.5))
                mine = group[glyphs == code]
                self._discs(p, g.at(scene.place[mine]), g.y(scene.row[mine]), discs)
        self._crosses(p, g, scene, some)

    def _discs(
        self, p: QPainter, x: NDArray[np.float64], y: NDArray[np.float64], discs: list[tuple[int, float]]
    ) -> None:
        """Draw overlapping discs around points; very many of them are aligned to whole pixels."""
        if len(x) > STAMPED and is_raster(p):
            atlas = self._atlas(p, math.ceil(discs[0][1]) + 2)
            place = atlas.prepare([("dot", tuple(discs))])
            p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            atlas.paint(p, x, y, np.repeat(place, len(x)))
            return
        dots = list(map(QPointF, x.tolist(), y.tolist()))
        for rgba, diameter in discs:
            p.setPen(QPen(QColor.fromRgba(rgba), diameter, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            p.drawPoints(dots)

    def _crosses(self, p: QPainter, g: Geometry, scene: ArrowScene, some: NDArray[np.int64]) -> None:
        fault = self.theme.color("fault.base")
        for glyph, size, width in ((LOST, 4.5, 2.4), (CRASH, 6.5, 3.2)):
            mine = some[scene.glyph[some] == glyph]
            if not len(mine):
                continue
            half = min(size * (1 + (g.factor - 1) * 0.6), g.pitch * 0.42)
            p.setPen(QPen(fault, min(width, half * 0.6), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            x, y = g.at(scene.place[mine]), g.y(scene.row[mine])
            draw_lines(p, np.stack((x - half, y - half), axis=1), np.stack((x + half, y + half), axis=1))
            draw_lines(p, np.stack((x - half, y + half), axis=1), np.stack((x + half, y - half), axis=1))
