"""What the painters along time share: the place of times and rows, the ground, the play head, kept layers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPaintEngine, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from lydian.app.shapes import process_path
from lydian.app.theme import Theme
from lydian.views.axis import Window, tick_text, ticks
from lydian.views.frame import Hit, HitKind

__all__ = [
    "COLUMN",
    "Geometry",
    "Layers",
    "alpha",
    "draw_ground",
    "draw_gutter",
    "draw_playhead",
    "geometry",
    "hatch",
    "is_raster",
    "lines",
    "number_of",
]

#: Room beside the plot for a column of figures; pass it as ``camera.margin`` to every view that shares the axis.
COLUMN = 96.0
_RIGHT, _BOTTOM = 12.0, 6.0
_SMALLEST_LABEL, _SMALLEST_ICON = 9.0, 3.5


@dataclass(frozen=True)
class Geometry:
    """Where times and rows lie, in the painter's coordinates.

    The plot is ``left`` to ``right`` for the window and ``top`` to ``bottom`` for the rows, ``pitch`` each.
    """

    rect: QRectF
    left: float
    right: float
    top: float
    bottom: float
    window: Window
    rows: int
    factor: float

    @property
    def pitch(self) -> float:
        """Height of a row."""
        return (self.bottom - self.top) / max(1, self.rows)

    @property
    def scale(self) -> float:
        """Pixels for a unit of time."""
        return (self.right - self.left) / (self.window[1] - self.window[0])

    def x(self, time: Any) -> Any:
        """Where a time lies, or an array of times."""
        return self.left + (time - self.window[0]) * self.scale

    def y(self, row: Any) -> Any:
        """The middle of a row, or of an array of rows."""
        return self.top + (row + 0.5) * self.pitch

    def time(self, x: float) -> float:
        """The time that lies at ``x``."""
        return self.window[0] + (x - self.left) / self.scale

    def row(self, y: float) -> int:
        """The row at ``y``, -1 above the first and below the last."""
        row = math.floor((y - self.top) / self.pitch) if self.bottom > self.top else -1
        return row if 0 <= row < self.rows else -1

    @property
    def plot(self) -> QRectF:
        """The plot with a little room at its left for dots on the edge, up to the right edge of the view."""
        return QRectF(self.left - 4, self.top - 2, self.rect.right() - self.left + 4, self.rect.bottom() - self.top + 2)


def geometry(
    theme: Theme, rect: QRectF, window: Window, rows: int, names: Sequence[str], margin: float = 0.0
) -> Geometry:
    """The geometry of a view along time.

    It depends on the height of the view only vertically, so two views of equal width and equal processes have
    their play heads in one line.  ``margin`` keeps room free at the right.
    """
    factor = theme.px("small") / 12.0
    longest = max(names, key=len, default="")
    width = QFontMetricsF(theme.font("small", semibold=True)).horizontalAdvance(longest)
    gutter = min(max(36 + 18 * factor, 36 * factor + width), 132 * factor)
    gutter = min(gutter, rect.width() * 0.4)
    top = rect.top() + 6 + 18 * factor
    right = max(rect.right() - _RIGHT - margin, rect.left() + gutter + 1)
    return Geometry(rect, rect.left() + gutter, right, top, max(rect.bottom() - _BOTTOM, top + 1), window, rows, factor)


def alpha(color: QColor, opacity: float) -> QColor:
    """The colour at a part of its opacity."""
    faded = QColor(color)
    faded.setAlphaF(color.alphaF() * opacity)
    return faded


def lines(x0: NDArray[Any], y0: NDArray[Any], x1: NDArray[Any], y1: NDArray[Any]) -> list[QLineF]:
    """Lines for ``QPainter.drawLines``."""
    return list(map(QLineF, x0.tolist(), y0.tolist(), x1.tolist(), y1.tolist()))


def number_of(hit: Hit | None, kind: HitKind) -> int | None:
    """The number of the thing hit, if it is of that kind."""
    return hit.id if hit is not None and hit.kind == kind and isinstance(hit.id, int) else None


def is_raster(p: QPainter) -> bool:
    """Whether the painter draws pixels, not a vector picture."""
    engine = p.paintEngine()
    return engine is None or engine.type() == QPaintEngine.Type.Raster


class Layers:
    """Pictures that were drawn once and stay until what they show changes.

    A vector device gets no pictures: there the layer is drawn anew.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[Any, ...], Any, QPixmap]] = {}

    def draw(
        self,
        p: QPainter,
        name: str,
        key: tuple[Any, ...],
        content: object,
        area: QRectF,
        clip: QRectF,
        paint: Callable[[QPainter], None],
        opacity: float = 1.0,
    ) -> None:
        """Show the part of a layer that lies in ``clip``.

        The layer is drawn by ``paint`` in the coordinates of ``p`` over ``area`` if ``key`` or the identity of
        ``content`` changed since the last time.
        """
        clip = clip.intersected(area)
        if clip.width() <= 0 or clip.height() <= 0:
            return
        p.save()
        p.setClipRect(clip, Qt.ClipOperation.IntersectClip)
        if opacity < 1:
            p.setOpacity(p.opacity() * opacity)
        if is_raster(p):
            p.drawPixmap(area.topLeft(), self._picture(p, name, key, content, area, paint))
        else:
            paint(p)
        p.restore()

    def _picture(
        self,
        p: QPainter,
        name: str,
        key: tuple[Any, ...],
        content: object,
        area: QRectF,
        paint: Callable[[QPainter], None],
    ) -> QPixmap:
        ratio = p.device().devicePixelRatioF() * max(1.0, abs(p.worldTransform().m11()))
        full = (*key, area.x(), area.y(), area.width(), area.height(), ratio)
        kept = self._kept.get(name)
        if kept is not None and kept[0] == full and kept[1] is content:
            return kept[2]
        picture = QPixmap(math.ceil(area.width() * ratio), math.ceil(area.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        inner = QPainter(picture)
        try:
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            inner.translate(-area.topLeft())
            paint(inner)
        finally:
            inner.end()
        self._kept[name] = (full, content, picture)
        return picture


def draw_ground(p: QPainter, theme: Theme, g: Geometry, tinted: Sequence[int], *, row_lines: bool) -> None:
    """Tinted rows, the ruler with its grid, and a line for each row if there is room."""
    soft = theme.color("accent.soft")
    for row in tinted:
        p.fillRect(QRectF(g.rect.left(), g.top + row * g.pitch, g.rect.width(), max(g.pitch, 1.0)), soft)
    font = theme.font("caption")
    metrics = QFontMetricsF(font)
    times, step = ticks(g.window, max(2, int((g.right - g.left) / (46 * g.factor))))
    p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    p.setPen(QPen(theme.color("border.subtle"), 1))
    xs = [float(x) for x in np.atleast_1d(g.x(times))]
    p.drawLines([QLineF(x, g.top - 2, x, g.rect.bottom()) for x in xs])
    if row_lines and g.pitch >= 4 and g.rows:
        p.setPen(QPen(theme.color("link.dim"), 1))
        p.drawLines([QLineF(g.left, y, g.right, y) for y in (g.y(row) for row in range(g.rows))])
    p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    p.setFont(font)
    p.setPen(theme.color("text.secondary" if theme.projector else "text.hint"))
    for x, time in zip(xs, times.tolist(), strict=True):
        text = tick_text(time, step)
        half = metrics.horizontalAdvance(text) / 2
        p.drawText(QPointF(min(max(x - half, g.rect.left()), g.rect.right() - 2 * half), g.top - 7), text)


def draw_gutter(
    p: QPainter,
    theme: Theme,
    g: Geometry,
    processes: NDArray[np.int32],
    names: Sequence[str],
    slots: NDArray[np.int16],
    crashed: NDArray[np.bool_],
    selected: Sequence[int],
    hover: int | None = None,
) -> None:
    """State and name of each row's process; small rows lose names, then shapes."""
    if g.pitch < _SMALLEST_ICON:
        _draw_strip(p, theme, g, processes, slots, crashed)
        return
    size = min(13 * (theme.px("small") / 12) ** 0.75, g.pitch * 0.78)
    x = g.rect.left() + 15 * (g.factor * 0.4 + 0.6)
    paths = {slot: process_path(slot, size) for slot in set(slots[processes].tolist())}
    named = g.pitch >= _SMALLEST_LABEL
    bold = theme.font("small", semibold=True)
    font = bold if theme.projector else theme.font("small")
    if g.pitch < theme.px("small") + 2:
        for f in (bold, font):
            f.setPixelSize(max(7, int(g.pitch) - 2))
    metrics = QFontMetricsF(bold)
    room = g.left - 8 - (x + size / 2 + 3)
    chosen = set(selected)
    for row, process in enumerate(processes.tolist()):
        y = g.y(row)
        p.save()
        p.translate(x, y)
        if crashed[process]:
            _draw_crashed(p, theme, size)
        else:
            style = theme.state(int(slots[process]))
            p.setPen(QPen(style.outline, 1.3 if size > 9 else 0.6))
            p.setBrush(style.fill)
            p.drawPath(paths[int(slots[process])])
        p.restore()
        if named:
            lit = process in chosen or process == hover
            p.setFont(bold if lit else font)
            p.setPen(theme.color("text.primary"))
            text = metrics.elidedText(names[process], Qt.TextElideMode.ElideRight, room)
            width = QFontMetricsF(p.font()).horizontalAdvance(text)
            p.drawText(QPointF(g.left - 8 - width, y + metrics.capHeight() / 2), text)


def _draw_crashed(p: QPainter, theme: Theme, size: float) -> None:
    half = size / 2
    pen = QPen(theme.color("fault.base"), max(1.0, size / 8))
    pen.setDashPattern([2.0, 1.4])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(pen)
    p.drawRect(QRectF(-half, -half, size, size))
    p.setPen(QPen(theme.color("fault.base"), max(1.2, size / 7)))
    p.drawLines([QLineF(-half, -half, half, half), QLineF(half, -half, -half, half)])


def _draw_strip(
    p: QPainter,
    theme: Theme,
    g: Geometry,
    processes: NDArray[np.int32],
    slots: NDArray[np.int16],
    crashed: NDArray[np.bool_],
) -> None:
    """States as a strip of colour, for rows too low for shapes."""
    p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    width = g.left - 8 - (g.rect.left() + 8)
    for slot in np.unique(slots[processes]).tolist():
        rows = np.flatnonzero((slots[processes] == slot) & ~crashed[processes])
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(theme.state(slot).fill)
        p.drawRects([QRectF(g.rect.left() + 8, g.top + r * g.pitch, width, max(1.0, g.pitch)) for r in rows.tolist()])
    p.setBrush(theme.color("fault.base"))
    down = np.flatnonzero(crashed[processes]).tolist()
    if down:
        p.drawRects([QRectF(g.rect.left() + 8, g.top + r * g.pitch, width, max(1.0, g.pitch)) for r in down])
    p.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def draw_playhead(p: QPainter, theme: Theme, g: Geometry, t: float) -> None:
    """The play head: a line through all rows with a handle on top; nothing if ``t`` is not in the window."""
    if not g.window[0] <= t <= g.window[1]:
        return
    x = g.x(t)
    color = theme.color("playhead")
    p.setPen(QPen(color, theme.line("playhead"), Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    p.drawLine(QPointF(x, g.rect.top() + 10), QPointF(x, g.rect.bottom()))
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


_hatches: dict[tuple[Any, ...], QBrush] = {}


def hatch(theme: Theme, slot: int) -> QBrush:
    """The filling of a state: its colour with its hatch in its label's colour."""
    style = theme.state(slot)
    key = (style.fill.rgba(), style.label.rgba(), style.hatch)
    if key not in _hatches:
        tile = QPixmap(16, 16)
        tile.setDevicePixelRatio(2.0)
        tile.fill(style.fill)
        p = QPainter(tile)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = alpha(style.label, 0.42)
            p.setPen(QPen(ink, 1.1))
            p.setBrush(Qt.BrushStyle.NoBrush)
            for a, b, c, d in _HATCH.get(style.hatch, ()):
                p.drawLine(QPointF(a, b), QPointF(c, d))
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(ink)
            for a, b in {"dots": ((2, 2), (6, 6)), "dots-sparse": ((4, 4),)}.get(style.hatch, ()):
                p.drawEllipse(QPointF(a, b), 0.9, 0.9)
        finally:
            p.end()
        _hatches[key] = QBrush(tile)
    return _hatches[key]


#: Lines of an 8 x 8 tile, from and to; they go over the edge so that tiles join.
_HATCH: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "lines-45": ((-1, 9, 9, -1), (-1, 1, 1, -1), (7, 9, 9, 7)),
    "lines-135": ((-1, -1, 9, 9), (7, -1, 9, 1), (-1, 7, 1, 9)),
    "lines-0": ((0, 4, 8, 4),),
    "lines-90": ((4, 0, 4, 8),),
    "cross": ((-1, 9, 9, -1), (-1, -1, 9, 9)),
}
