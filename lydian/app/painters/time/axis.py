"""The parts that the painters along time share: positions of times and rows, ground, gutter and play head."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF, QRegion

from lydian.app.look.theme import Theme
from lydian.views.selection import Hit, HitKind
from lydian.views.time.axis import Window, tick_text, ticks
from lydian.views.time.timescale import Scale

__all__ = [
    "COLUMN",
    "Geometry",
    "alpha",
    "draw_ground",
    "draw_playhead",
    "front_region",
    "geometry",
    "number_of",
    "seen_rows",
]

#: The room beside the plot for a column of figures, passed as ``camera.margin`` to every view that shares the axis.
COLUMN = 96.0
_RIGHT, _BOTTOM = 12.0, 6.0


@dataclass(frozen=True)
class Geometry:
    """The positions of times, places of the scale and rows, in the painter's coordinates.

    The plot is ``left`` to ``right`` for the window and ``top`` to ``bottom`` for the rows in view: ``seen`` of all
    ``rows``, from row ``first`` on. ``origin`` is the place at ``left``, a whole number of pixels from place 0, so
    that pictures of neighbouring windows fit together; ``unit`` is the number of pixels for one place. ``scale`` is
    ``None`` where places are times.
    """

    rect: QRectF
    left: float
    right: float
    top: float
    bottom: float
    window: Window
    scale: Scale | None
    origin: float
    unit: float
    rows: int
    first: float
    seen: float
    factor: float

    @property
    def pitch(self) -> float:
        """The height of a row."""
        return (self.bottom - self.top) / max(1.0, self.seen)

    @property
    def scrolled(self) -> bool:
        """Whether some rows are out of view."""
        return self.seen < self.rows

    def at(self, place: Any) -> Any:
        """Return the position of a place, or of an array of places."""
        return self.left + (place - self.origin) * self.unit

    def x(self, time: Any) -> Any:
        """Return the position of a time, or of an array of times."""
        return self.at(time if self.scale is None else self.scale.place(time))

    def y(self, row: Any) -> Any:
        """Return the middle of a row, or of an array of rows."""
        return self.top + (row - self.first + 0.5) * self.pitch

    def place(self, x: float) -> float:
        """Return the place at ``x``."""
        return self.origin + (x - self.left) / self.unit

    def time(self, x: float) -> float:
        """Return the time at ``x``."""
        place = self.place(x)
        return place if self.scale is None else self.scale.time(place)

    def row(self, y: float) -> int:
        """Return the row at ``y``, or -1 above the first and below the last."""
        if not self.top <= y <= self.bottom and self.scrolled:
            return -1
        row = math.floor((y - self.top) / self.pitch + self.first) if self.bottom > self.top else -1
        return row if 0 <= row < self.rows else -1

    @property
    def visible(self) -> range:
        """Return the rows that are at least partly in view."""
        return range(max(0, math.floor(self.first)), min(self.rows, math.ceil(self.first + self.seen)))

    @property
    def offset(self) -> float:
        """The number of pixels of the whole axis to the left of the plot; a whole number, unless it is huge."""
        return round(self.origin * self.unit)

    @property
    def plot(self) -> QRectF:
        """The plot with a margin at its left for dots on the edge, up to the right edge of the view."""
        return QRectF(self.left - 4, self.top - 2, self.rect.right() - self.left + 4, self.rect.bottom() - self.top + 2)

    @property
    def body(self) -> QRectF:
        """The area of the kept pictures: the plot with its ruler, or without it if rows are scrolled below it."""
        top = self.top - 2 if self.scrolled else self.rect.top()
        return QRectF(self.plot.left(), top, self.plot.width(), self.rect.bottom() - top)


def geometry(
    theme: Theme,
    rect: QRectF,
    window: Window,
    rows: int,
    names: Sequence[str],
    margin: float = 0.0,
    *,
    scale: Scale | None = None,
    seen: tuple[float, float] | None = None,
    below: float = 0.0,
) -> Geometry:
    """Return the geometry of a view along time.

    The height of the view has only vertical effects, so the play heads of two views of equal width and equal processes
    are in line. ``margin`` keeps room free on the right. ``seen`` are the rows in view, from and to; all by default.
    ``below`` keeps room under the rows.
    """
    factor = theme.px("small") / 12.0
    longest = max(names, key=len, default="")
    width = QFontMetricsF(theme.font("small", semibold=True)).horizontalAdvance(longest)
    gutter = min(max(36 + 18 * factor, 36 * factor + width), 132 * factor)
    gutter = min(gutter, rect.width() * 0.4)
    top = rect.top() + 6 + 18 * factor
    right = max(rect.right() - _RIGHT - margin, rect.left() + gutter + 1)
    left = math.floor(rect.left() + gutter)
    if scale is not None and scale.straight:
        scale = None
    start, stop = window if scale is None else scale.span(window)
    # Nine digits: a window that only moved, with rounding in its last bits, keeps its scale.
    unit = float(f"{(right - left) / (stop - start):.9g}")
    origin = round(start * unit) / unit if abs(start) * unit < 2**52 else start
    first, last = seen or (0.0, float(max(rows, 1)))
    bottom = max(rect.bottom() - _BOTTOM - below, top + 1)
    count = min(max(last - first, 1.0), float(max(rows, 1)))
    first = min(max(0.0, first), max(rows, 1) - count)
    return Geometry(rect, left, right, top, bottom, window, scale, origin, unit, rows, first, count, factor)


def seen_rows(camera: Any) -> tuple[float, float] | None:
    """Return the rows that a camera shows, from and to, if it restricts them (``camera.rows``)."""
    rows = getattr(camera, "rows", None)
    return None if rows is None else (float(rows[0]), float(rows[1]))


def alpha(color: QColor, opacity: float) -> QColor:
    """Return the colour at a share of its opacity."""
    faded = QColor(color)
    faded.setAlphaF(color.alphaF() * opacity)
    return faded


def front_region(g: Geometry, front: NDArray[np.float64]) -> QRegion:
    """Return the region of the past if rows have reached different places; on each pixel, the farthest row counts."""
    rows = np.arange(g.visible.start, g.visible.stop)
    right = np.clip(g.at(front[rows] + 0.5), g.left, g.right)
    top = np.round(g.y(rows) - g.pitch / 2)
    tops, first = np.unique(top, return_index=True)
    if not len(rows):
        return QRegion()
    far = np.maximum.reduceat(right, first)
    ends = np.append(tops[1:], round(g.y(int(rows[-1])) + g.pitch / 2))
    left = math.floor(g.left) - 4
    region = QRegion()
    for a, b, x in zip(tops.tolist(), ends.tolist(), far.tolist(), strict=True):
        region += QRegion(QRect(left, int(a), max(1, int(x) - left), max(1, int(b - a))))
    return region


def number_of(hit: Hit | None, kind: HitKind) -> int | None:
    """Return the number of the thing hit, if it is of the given kind."""
    return hit.id if hit is not None and hit.kind == kind and isinstance(hit.id, int) else None


def draw_ground(p: QPainter, theme: Theme, g: Geometry, tinted: Sequence[int], *, row_lines: bool) -> None:
    """Draw tinted rows, the ruler with its grid, marks where time is squashed, and a line for each row with room."""
    soft = theme.color("accent.soft")
    p.save()
    p.setClipRect(QRectF(g.rect.left(), g.top - 2, g.rect.width(), g.rect.bottom() - g.top + 2), _CUT)
    for row in tinted:
        p.fillRect(QRectF(g.rect.left(), g.y(row) - g.pitch / 2, g.rect.width(), max(g.pitch, 1.0)), soft)
    p.restore()
    font = theme.font("caption")
    metrics = QFontMetricsF(font)
    marks = _marks(g)
    p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    p.setPen(QPen(theme.color("border.subtle"), 1))
    xs = [float(g.at(place)) for place, _ in marks]
    p.drawLines([QLineF(x, g.top - 2, x, g.rect.bottom()) for x in xs])
    if row_lines and g.pitch >= 4 and g.rows:
        p.setPen(QPen(theme.color("link.dim"), 1))
        p.drawLines([QLineF(g.left, y, g.right, y) for y in (g.y(row) for row in g.visible) if y >= g.top])
    p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if g.scale is not None:
        _draw_squashed(p, theme, g)
    p.setFont(font)
    p.setPen(theme.color("text.secondary" if theme.projector else "text.hint"))
    free = g.rect.left()
    for x, (_, text) in zip(xs, marks, strict=True):
        width = metrics.horizontalAdvance(text)
        left = min(max(x - width / 2, g.rect.left()), g.rect.right() - width)
        if left >= free:
            p.drawText(QPointF(left, g.top - 7), text)
            free = left + width + 4


_CUT = Qt.ClipOperation.IntersectClip


def _marks(g: Geometry) -> list[tuple[float, str]]:
    """Return the marks of the ruler: place and text."""
    count = max(2, int((g.right - g.left) / (46 * g.factor)))
    if g.scale is not None:
        return g.scale.ruler(g.scale.span(g.window), count)
    times, step = ticks(g.window, count)
    return [(time, tick_text(time, step)) for time in times.tolist()]


def _draw_squashed(p: QPainter, theme: Theme, g: Geometry) -> None:
    """Draw a pale band where time is squashed, and two strokes through the ruler."""
    assert g.scale is not None
    spans = g.scale.squashed
    first, last = np.searchsorted(spans[:, 1], g.window[0]), np.searchsorted(spans[:, 0], g.window[1])
    band, ink = theme.color("surface.grid"), theme.color("text.hint")
    done = -math.inf
    for start, stop in spans[first:last].tolist():
        x0, x1 = max(g.x(start), g.left), min(g.x(stop), g.right)
        if x1 - x0 > 2:
            p.fillRect(QRectF(x0, g.top - 2, x1 - x0, g.rect.bottom() - g.top + 2), band)
        middle = (x0 + x1) / 2
        if middle - done > 12:
            done = middle
            p.setPen(QPen(ink, 1.2))
            p.drawLines([QLineF(middle + d - 2, g.top + 3, middle + d + 2, g.top - 5) for d in (-2.0, 2.0)])


def draw_playhead(p: QPainter, theme: Theme, g: Geometry, t: float, front: NDArray[np.float64] | None = None) -> None:
    """Draw the play head, a line through all rows with a handle at the top, unless ``t`` is outside the window.

    ``front`` is the place that each row has reached, if this is not the same for all: then the line is a cut
    from row to row, and the handle is at the farthest place.
    """
    if not g.window[0] <= t <= g.window[1]:
        return
    x = g.x(t)
    color = theme.color("playhead")
    p.setPen(QPen(color, theme.line("playhead"), Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    if front is None:
        p.drawLine(QPointF(x, g.rect.top() + 10), QPointF(x, g.rect.bottom()))
    else:
        cut = QPolygonF([QPointF(x, g.rect.top() + 10), QPointF(x, g.top - 2)])
        half = g.pitch / 2
        for row in g.visible:
            a, b = min(max(g.at(front[row] + 0.5), g.left - 2), g.right + 2), g.y(row)
            cut.append(QPointF(a, b - half))
            cut.append(QPointF(a, b + half))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawPolyline(cut)
    k = 1.0 + (g.factor - 1.0) * 0.6
    top = g.rect.top() + 4
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(color)
    handle = QPainterPath()
    handle.addPolygon(
        QPolygonF([QPointF(x + dx * k, top + dy * k) for dx, dy in ((-5, 0), (5, 0), (5, 4), (0, 9), (-5, 4))])
    )
    handle.closeSubpath()
    p.drawPath(handle)
