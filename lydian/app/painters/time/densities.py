"""Shades for very many events, which show their number in each row and piece of the axis without omissions."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.time.axis import Geometry
from lydian.views.time.spacetime import ArrowScene

__all__ = ["darkest", "draw_density"]

#: The maximum size of the table of shades; for greater counts, the last bits make no difference.
_SHADES = 1 << 14
#: The palest shade, at which one event is visible.
_PALEST = 0.16


def _merged(g: Geometry, scene: ArrowScene) -> int:
    """Return the number of pieces drawn as one so that none is narrower than a pixel; it is a power of two."""
    assert scene.grid is not None
    return 1 << max(0, math.ceil(-math.log2(max(scene.grid.width * g.unit, 1e-12)) - 1e-9))


def darkest(g: Geometry, scene: ArrowScene) -> int:
    """Return the number of events that is drawn darkest, which is the maximum of all places."""
    assert scene.grid is not None
    rows = max(1, math.ceil(len(g.visible) / max(1, math.floor(len(g.visible) * g.pitch))))
    return scene.grid.full * _merged(g, scene) * rows


def draw_density(p: QPainter, theme: Theme, g: Geometry, scene: ArrowScene, strip: tuple[float, float] | None) -> None:
    """Draw the events of each row and piece of the axis as shades of ink, on a logarithmic scale.

    If the past and the future of an event are shown, each has its colour and the rest is pale.
    """
    grid = scene.grid
    if grid is None or not grid.counts.size or not len(g.visible):
        return
    merge = _merged(g, scene)
    width = grid.width * merge
    first = round(grid.start / grid.width)
    low, high = strip or (g.left - 4.0, g.right + 4.0)
    a = max(math.floor(g.place(low) / width) * merge - first, 0)
    b = min(math.ceil(g.place(high) / width) * merge - first, grid.counts.shape[1])
    if b <= a:
        return
    counts = grid.counts[g.visible.start : g.visible.stop, a:b]
    ink = theme.color("text.secondary")
    most = darkest(g, scene)
    if scene.cuts is None:
        pixels = _shades(_together(counts, first + a, merge, g), ink, most, 1.0)
    else:
        place = grid.start + (np.arange(a, b) + 0.5) * grid.width
        cuts = scene.cuts[g.visible.start : g.visible.stop]
        past, future = place[None, :] <= cuts[:, :1], place[None, :] >= cuts[:, 1:]
        parts = [
            _together(np.where(among, counts, 0), first + a, merge, g) for among in (past, future, ~(past | future))
        ]
        whole, which = np.sum(parts, axis=0), np.argmax(parts, axis=0)
        tones = (
            (theme.color("chain.past"), 1.0),
            (theme.color("chain.future"), 1.0),
            (ink, theme.number("chain.dimOpacity")),
        )
        pixels = np.choose(which, [_shades(whole, color, most, strength) for color, strength in tones])
    pixels = np.ascontiguousarray(pixels)
    image = QImage(
        pixels.view(np.uint8).data, pixels.shape[1], pixels.shape[0], pixels.strides[0],
        QImage.Format.Format_ARGB32_Premultiplied,
    )  # fmt: skip
    left = g.at((first + a) // merge * width)
    top = g.top + (g.visible.start - g.first) * g.pitch
    p.save()
    p.setClipRect(QRectF(g.left - 4, g.top, g.right - g.left + 8, g.bottom - g.top), Qt.ClipOperation.IntersectClip)
    p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    p.drawImage(QRectF(left, top, pixels.shape[1] * width * g.unit, len(g.visible) * g.pitch), image)
    p.restore()


def _together(counts: NDArray[np.int32], start: int, merge: int, g: Geometry) -> NDArray[np.int32]:
    """Add up counts until neither rows nor pieces are smaller than a pixel; piece 0 is ``start`` on the grid."""
    tall = max(1, math.floor(len(counts) * g.pitch))
    return _fewer_columns(_fewer_rows(counts, tall) if tall < len(counts) else counts, start, merge)


def _fewer_rows(counts: NDArray[np.int32], tall: int) -> NDArray[np.int32]:
    """Add up neighbouring rows to ``tall`` rows (ten times as fast as ``np.add.reduceat``)."""
    bounds = (np.arange(tall + 1) * len(counts) // tall).tolist()
    total = np.empty((tall, counts.shape[1]), dtype=np.int32)
    for place, (low, high) in enumerate(itertools.pairwise(bounds)):
        np.add.reduce(counts[low:high], axis=0, dtype=np.int32, out=total[place])
    return total


def _fewer_columns(counts: NDArray[np.int32], start: int, merge: int) -> NDArray[np.int32]:
    """Add up pieces to parts of ``merge``, aligned to the grid; the parts at both ends may be smaller."""
    if merge == 1:
        return counts
    low = min(-start % merge, counts.shape[1])
    high = low + (counts.shape[1] - low) // merge * merge
    total = counts[:, low:high:merge].copy()
    for more in range(1, merge):
        total += counts[:, low + more : high : merge]
    ends = (counts[:, :low], counts[:, high:])
    before, after = (end.sum(axis=1, keepdims=True, dtype=np.int32)[:, : end.shape[1]] for end in ends)
    return np.concatenate((before, total, after), axis=1)


def _shades(counts: NDArray[np.int32], ink: QColor, most: int, strength: float) -> NDArray[np.uint32]:
    """Return pixels (premultiplied ARGB) for counts up to ``most``."""
    shift = max(0, most.bit_length() - _SHADES.bit_length())
    levels = (np.arange((most >> shift) + 2) << shift).astype(np.float64)
    share = np.minimum(_PALEST + (1 - _PALEST) * np.log1p(levels) / math.log1p(max(most, 1)), 1.0) * strength
    share[0] = 0.0
    table = np.zeros(len(levels), dtype=np.uint32)
    for value, bits in ((255, 24), (ink.red(), 16), (ink.green(), 8), (ink.blue(), 0)):
        table |= np.round(share * value).astype(np.uint32) << np.uint32(bits)
    places = counts if not shift else np.maximum(counts >> shift, counts > 0)
    return table.take(np.minimum(places, len(table) - 1))
