"""The left edge of the views along time: state and name of the process of each row."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from lydian.app.look.shapes import process_path
from lydian.app.look.theme import Theme
from lydian.app.painters.layers import Layers
from lydian.app.painters.pieces.masks import draw_mask
from lydian.app.painters.time.axis import Geometry

__all__ = ["draw_gutter", "keep_gutter"]

_SMALLEST_LABEL, _SMALLEST_ICON = 9.0, 3.5
_CUT = Qt.ClipOperation.IntersectClip


def keep_gutter(
    layers: Layers,
    p: QPainter,
    theme: Theme,
    g: Geometry,
    processes: NDArray[np.int32],
    names: Sequence[str],
    slots: NDArray[np.int16],
    crashed: NDArray[np.bool_],
    selected: Sequence[int],
    hover: int | None = None,
    badges: Sequence[QColor] | None = None,
    liars: Collection[int] = (),
) -> None:
    """Draw the gutter with :func:`draw_gutter`, from a cached picture while it is valid."""
    area = QRectF(g.rect.left(), g.rect.top(), g.left - g.rect.left(), g.rect.height())
    shown = processes[g.visible.start : g.visible.stop]
    key = (
        theme.name, theme.projector, g.top, g.bottom, g.first, g.seen, shown.tobytes(), slots[shown].tobytes(),
        crashed[shown].tobytes(), tuple(selected), hover, badges is not None, tuple(liars),
    )  # fmt: skip

    def paint(q: QPainter, strip: tuple[float, float] | None) -> None:
        draw_gutter(q, theme, g, processes, names, slots, crashed, selected, hover, badges, liars)

    layers.draw(p, "gutter", key, area, area, paint)


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
    badges: Sequence[QColor] | None = None,
    liars: Collection[int] = (),
) -> None:
    """Draw the state and name of each row's process; small rows lose names, then shapes.

    ``badges`` are colours that processes have as senders, in turn; ``liars`` are Byzantine.
    """
    if g.pitch < _SMALLEST_ICON:
        _draw_strip(p, theme, g, processes, slots, crashed)
        return
    size = min(13 * (theme.px("small") / 12) ** 0.75, g.pitch * 0.78)
    x = g.rect.left() + 15 * (g.factor * 0.4 + 0.6)
    paths = {slot: process_path(slot, size) for slot in set(slots[processes].tolist())}
    named = g.pitch >= _SMALLEST_LABEL
    p.save()
    p.setClipRect(QRectF(g.rect.left(), g.top - 2, g.left - g.rect.left(), g.rect.bottom() - g.top + 2), _CUT)
    bold = theme.font("small", semibold=True)
    font = bold if theme.projector else theme.font("small")
    if g.pitch < theme.px("small") + 2:
        for f in (bold, font):
            f.setPixelSize(max(7, int(g.pitch) - 2))
    metrics = QFontMetricsF(bold)
    room = g.left - 8 - (x + size / 2 + 3)
    chosen = set(selected)
    for row in g.visible:
        process, y = int(processes[row]), g.y(row)
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
        if process in liars:
            draw_mask(p, theme, x - size * 0.5, y - size * 0.3, max(size * 0.8, 7.0))
        if named:
            lit = process in chosen or process == hover
            p.setFont(bold if lit else font)
            p.setPen(theme.color("text.primary"))
            text = metrics.elidedText(names[process], Qt.TextElideMode.ElideRight, room)
            width = QFontMetricsF(p.font()).horizontalAdvance(text)
            p.drawText(QPointF(g.left - 8 - width, y + metrics.capHeight() / 2), text)
        if badges is not None:
            p.fillRect(QRectF(g.left - 6, y - g.pitch * 0.32, 3, g.pitch * 0.64), badges[process % len(badges)])
    p.restore()


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
    """Draw states as a strip of colour, for rows too low for shapes."""
    width = g.left - 8 - (g.rect.left() + 8)
    rows = np.arange(g.visible.start, g.visible.stop)
    process = processes[rows]
    tall = min(len(rows), max(1, math.floor(g.bottom - g.top)))
    pick = np.arange(tall) * len(rows) // max(tall, 1)  # of several rows on one pixel, the first is shown
    colors = np.zeros(257, dtype=np.uint32)
    for slot in np.unique(slots[process]).tolist():
        colors[min(slot, 255)] = theme.state(slot).fill.rgba()
    colors[256] = theme.color("fault.base").rgba()
    codes = np.where(crashed[process], 256, np.minimum(slots[process], 255))
    if tall < len(rows):
        down = np.maximum.reduceat(crashed[process], pick) if tall else crashed[:0]
        codes = np.where(down, 256, codes[pick])
    pixels = np.ascontiguousarray(colors[codes])
    if len(pixels):
        image = QImage(pixels.view(np.uint8).data, 1, len(pixels), 4, QImage.Format.Format_ARGB32)
        top = g.top + (g.visible.start - g.first) * g.pitch
        p.save()
        p.setClipRect(QRectF(g.rect.left(), g.top, g.left - g.rect.left(), g.bottom - g.top), _CUT)
        p.drawImage(QRectF(g.rect.left() + 8, top, width, len(rows) * g.pitch), image)
        p.restore()
