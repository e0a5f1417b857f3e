"""The painter of sectors and flags on the circle (or line) on which processes are placed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.network.netmap import Floats, Map
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.app.painters.time.axis import alpha
from lydian.language import tr, trc
from lydian.pieces.piece import LegendItem
from lydian.pieces.sectors import Flags, Sector
from lydian.views.network.basic import BasicFrame

__all__ = ["FlagPainter", "SectorPainter"]

#: Half the thickness of a ring segment and of a band, as shares of the diameter of a process.
THICK, BAND = 0.42, 0.14
#: The number of pixels between two lines of a hatch.
HATCH = 6.0
#: The reach of a cross beyond the segment, so that it is visible beside a process on it.
CROSS = 1.7
#: The number of steps that a flag moves outwards, and then inwards, to find a place.
OUT, IN = 8, 6
#: The distance of the pointer within which it hits the point of a flag.
NEAR = 8.0


@dataclass(frozen=True)
class _Ring:
    """A part of a ring or of a straight strip: ``at(s, q)`` is the point s along it (0..1) and q across it (-1..1)."""

    x: float
    y: float
    radius: float  # the radius of the circle; 0 for a straight strip
    start: float  # its start on the circle, 0..1; for a strip, its left end in pixels
    long: float  # its share of the circle; for a strip, its width in pixels
    half: float

    def at(self, s: float, q: float) -> QPointF:
        if not self.radius:
            return QPointF(self.start + s * self.long, self.y - q * self.half)
        angle, r = 2 * math.pi * (self.start + s * self.long), self.radius + q * self.half
        return QPointF(self.x + r * math.sin(angle), self.y - r * math.cos(angle))

    @property
    def pixels(self) -> float:
        """The length in pixels."""
        return 2 * math.pi * self.radius * self.long if self.radius else self.long

    def path(self) -> QPainterPath:
        """The outline."""
        path = QPainterPath()
        if not self.radius:
            path.addRect(QRectF(self.at(0, 1), self.at(1, -1)))
            return path
        outer, inner = (self._box(q) for q in (1, -1))
        if self.long >= 1.0:
            path.addEllipse(outer)
            path.addEllipse(inner)  # even-odd filling makes the inner outline a hole
            return path
        first, sweep = 90 - 360 * self.start, 360 * self.long
        path.arcMoveTo(outer, first)
        path.arcTo(outer, first, -sweep)
        path.arcTo(inner, first - sweep, sweep)
        path.closeSubpath()
        return path

    def middle(self) -> QPainterPath:
        """The centre line."""
        path = QPainterPath(self.at(0, 0))
        if self.radius:
            path.arcTo(self._box(0), 90 - 360 * self.start, -360 * self.long)
        else:
            path.lineTo(self.at(1, 0))
        return path

    def _box(self, q: float) -> QRectF:
        r = max(self.radius + q * self.half, 0.0)
        return QRectF(self.x - r, self.y - r, 2 * r, 2 * r)


class SectorPainter(PiecePainter):
    """The painter of the sectors of a frame."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._kept: tuple[object, list[tuple[Sector, int, _Ring, QPainterPath]]] | None = None

    def under(self, d: Drawing) -> None:
        """Draw all sectors, those of the first declaration at the bottom."""
        for sector, process, ring, path in self._rings(d.m, d.frame):
            slot = int(d.frame.slots[process]) if sector.slot is None else sector.slot
            _draw(d.p, self.theme, sector.style, slot, ring, path)

    def _rings(self, m: Map, frame: BasicFrame) -> list[tuple[Sector, int, _Ring, QPainterPath]]:
        """Return the sectors as shapes, cached until they or their places on the screen change."""
        if not frame.sectors or frame.standing is None:
            return []
        key = (frame.sectors, m.scale, m.dx, m.dy, m.d)
        if self._kept is None or self._kept[0] != key:
            shapes = []
            for each in frame.sectors:
                rows = zip(each.process.tolist(), each.start.tolist(), each.length.tolist(), strict=True)
                for process, start, long in rows:
                    rings = self._shapes(m, frame, start, long, each.declared.style)
                    shapes += [(each.declared, process, ring, ring.path()) for ring in rings]
            self._kept = key, shapes
        return self._kept[1]

    def _shapes(self, m: Map, frame: BasicFrame, start: float, long: float, style: str) -> Iterable[_Ring]:
        assert frame.standing is not None
        track = frame.standing.track
        x, y, wide = track.x * m.scale + m.dx, track.y * m.scale + m.dy, track.wide * m.scale
        half = max(m.d * BAND, 2.0) if style == "arc" else max(m.d * THICK, 4.0)
        if track.shape != "line":
            yield _Ring(x, y, wide, start, long, min(half, wide * 0.8))
            return
        for first, last in ((start, min(start + long, 1.0)), (0.0, start + long - 1.0)):
            if last > first:  # a sector beyond the right end continues at the left end
                yield _Ring(x, y, 0.0, x - wide + 2 * wide * first, 2 * wide * (last - first), half)

    def note(self, pos: QPointF, m: Map, frame: BasicFrame) -> str:
        """Describe the sectors at a point."""
        word = escape(frame.animation.places.word or tr("place"))
        lines = []
        for sector, process, ring, path in self._rings(m, frame):
            if path.contains(pos):
                ends = (
                    ""
                    if not ring.radius
                    else tr(
                        ", {place} {start:.3g} to {end:.3g}",
                        place=word,
                        start=ring.start,
                        end=(ring.start + ring.long) % 1.0,
                    )
                )
                lines.append(
                    f"<b>{escape(frame.names[process])}</b> {escape(sector.word or tr('responsible for'))}{ends}"
                )
        return "<br>".join(lines[:6])

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Sector, k: float) -> None:
        """Draw a straight sector in the colour of informed or waiting states."""
        half = box.height() * {"arc": 0.16, "struck": 0.26}.get(declared.style, 0.4)
        ring = _Ring(0.0, box.center().y(), 0.0, box.left() + 1, box.width() - 2, half)
        _draw(p, self.theme, declared.style, 2 if declared.slot is None else declared.slot, ring, ring.path())


class FlagPainter(PiecePainter):
    """The painter of the flags of a frame."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._flags: tuple[object, list[tuple[Flags, float, str, QPointF, QRectF | None]]] | None = None

    def points(self, d: Drawing) -> None:
        """Draw all flags, each at a place of its own, or only the point of a flag without room."""
        if not d.frame.flags:
            return
        p, placed = d.p, self._placed(d.m, d.frame, [*d.taken, *d.labels.values()])
        for flags, _at, _text, point, box in placed:
            _draw_pole(p, self.theme, flags.slot, point, box)
        for flags, _at, text, _point, box in placed:
            if box is not None:
                _draw_cloth(p, self.theme, flags.slot, text, box)

    def _placed(
        self, m: Map, frame: BasicFrame, taken: Iterable[QRectF] = ()
    ) -> list[tuple[Flags, float, str, QPointF, QRectF | None]]:
        if not frame.flags or frame.standing is None:
            return []
        key = (frame.flags, m.scale, m.dx, m.dy, m.d, m.level, frame.standing.settled)
        if self._flags is None or self._flags[0] != key:
            self._flags = key, self._places(m.rest or m, frame, taken)
        return self._flags[1]

    def _places(
        self, m: Map, frame: BasicFrame, taken: Iterable[QRectF]
    ) -> list[tuple[Flags, float, str, QPointF, QRectF | None]]:
        """Return the places of flags; each moves outwards from the circle, or else inwards, until it hides nothing."""
        assert frame.standing is not None
        track, half = frame.standing.track, m.d * 0.5
        used = [(x - half, y - half, x + half, y + half) for x, y in m.points.tolist()]
        used += [_edges(box) for box in taken if not box.isEmpty()]
        many = len(used)
        edges = np.full((many + sum(len(each.at) for each in frame.flags), 4), np.nan)  # NaN: not used yet
        edges[:many] = np.array(used, dtype=np.float64).reshape(-1, 4)
        found: list[tuple[Flags, float, str, QPointF, QRectF | None]] = []
        for each in frame.flags:
            for at, text in zip(each.at, each.texts, strict=True):
                px, py = track.point(at, 0.0)
                point = QPointF(px * m.scale + m.dx, py * m.scale + m.dy)
                angle = 2 * math.pi * at
                way = (math.sin(angle), -math.cos(angle)) if track.shape != "line" else (0.0, -1.0)
                box = None
                if m.level in ("full", "medium"):
                    box = self._free(m, text, point, way, edges)
                if box is not None:
                    edges[many], many = _edges(box), many + 1
                found.append((each.declared, at, text, point, box))
        return found

    def _free(self, m: Map, text: str, point: QPointF, way: tuple[float, float], edges: Floats) -> QRectF | None:
        wide, tall = flag_size(self.theme, text)
        reach = abs(way[0]) * wide / 2 + abs(way[1]) * tall / 2
        room = m.rect.adjusted(1, 1, -1, -1)
        for step in (*range(OUT), *range(-1, -IN - 1, -1)):
            near = m.d * 0.5 + 5 + reach + (step if step >= 0 else -step - 1) * (tall * 0.5 + 2)
            far = near if step >= 0 else -near
            box = QRectF(point.x() + way[0] * far - wide / 2, point.y() + way[1] * far - tall / 2, wide, tall)
            if room.contains(box):
                left, top, right, bottom = _edges(box)
                over = (edges[:, 0] < right) & (edges[:, 2] > left) & (edges[:, 1] < bottom) & (edges[:, 3] > top)
                if not over.any():
                    return box
        return None

    def note(self, pos: QPointF, m: Map, frame: BasicFrame) -> str:
        """Describe the flag at a point."""
        word = escape(frame.animation.places.word or tr("place"))
        for flags, at, text, point, box in self._placed(m, frame):
            away = math.hypot(pos.x() - point.x(), pos.y() - point.y())
            if (box is not None and box.contains(pos)) or away <= NEAR:
                name = f"<b>{escape(text)}</b> " if text else ""
                return f"{name}{escape(flags.word or trc('of a hash table', 'key'))}<br>{word} {at:.4g}"
        return ""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Flags, k: float) -> None:
        """Draw a flag without text."""
        x, y = box.center().x(), box.center().y()
        flag = QRectF(x - 4 * k, y - 6 * k, 9 * k, 7 * k)
        _draw_pole(p, self.theme, declared.slot, QPointF(x - 4 * k, y + 5 * k), flag)
        _draw_cloth(p, self.theme, declared.slot, "", flag)


def _edges(box: QRectF) -> tuple[float, float, float, float]:
    return box.left(), box.top(), box.right(), box.bottom()


def flag_size(theme: Theme, text: str) -> tuple[float, float]:
    """Return the width and height of a flag with the given text."""
    k = theme.px("caption") / 11
    if not text:
        return 9 * k, 8 * k
    wide = QFontMetricsF(theme.font("caption", semibold=True)).horizontalAdvance(text) + 7 * k
    return min(math.ceil(wide), 54 * k), 14 * k


def _draw_pole(p: QPainter, theme: Theme, slot: int, point: QPointF, box: QRectF | None) -> None:
    if box is not None:
        p.setPen(QPen(theme.color("border.strong"), 1.2))
        p.drawLine(point, box.center())
    p.setPen(QPen(theme.color("surface.canvas"), 1.0))
    p.setBrush(theme.state(slot).outline)
    p.drawEllipse(point, 3.0, 3.0)


def _draw_cloth(p: QPainter, theme: Theme, slot: int, text: str, box: QRectF) -> None:
    style = theme.state(slot)
    p.setPen(QPen(style.outline, 1.0))
    p.setBrush(style.fill)
    p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2.0, 2.0)
    if text:
        font = theme.font("caption", semibold=True)
        words = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width() - 3)
        p.setFont(font)
        p.setPen(style.label)
        p.drawText(box, int(Qt.AlignmentFlag.AlignCenter), words)


def _draw(p: QPainter, theme: Theme, style: str, slot: int, ring: _Ring, path: QPainterPath) -> None:
    ink: QColor = theme.state(slot).outline
    if style == "arc":
        p.fillPath(path, ink)
        return
    p.fillPath(path, alpha(ink, {"shaded": 0.26, "hatched": 0.12, "struck": 0.07}[style]))
    edge = QPen(alpha(ink, 0.75 if style == "hatched" else 0.5), 1.0)
    if style == "struck":
        edge.setDashPattern([3.0, 3.0])
    p.strokePath(path, edge)
    if style == "hatched":
        p.setPen(QPen(alpha(ink, 0.8), 1.2))
        slope = 2 * ring.half / max(ring.pixels, 1e-9)  # 45 degrees
        many = max(int(ring.pixels / HATCH), 1)
        for number in range(-math.ceil(slope * many), many):
            first, last = number / many, number / many + slope
            low, high = max(first, 0.0), min(last, 1.0)
            if high > low:
                across = [2 * (s - first) / slope - 1 for s in (low, high)]
                p.drawLine(ring.at(low, across[0]), ring.at(high, across[1]))
    elif style == "struck":
        p.setPen(QPen(ink, 2.0))
        reach = min(0.5, CROSS * ring.half / max(ring.pixels, 1e-9))
        for q in (-CROSS, CROSS):
            p.drawLine(ring.at(0.5 - reach, -q), ring.at(0.5 + reach, q))
