"""The density of events over time: the columns behind the time line, stacked by kind of message."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from lydian.trace.timeline import Timeline
from lydian.views.playback.bookmarks import FAULTS

__all__ = ["density", "stacks"]

#: The number of events in a column above which heights are logarithmic.
LOGARITHMIC = 1000
#: The layers of a column from the bottom up.
_LAYERS = [7, 6, 0, 1, 2, 3, 4, 5]


def stacks(timeline: Timeline, kinds: NDArray[np.integer], bins: int, start: float, stop: float) -> NDArray[np.int64]:
    """Return the number of events in each column and layer, with shape (bins, 8).

    Layers 0 to 5 are the kinds of message, by ``kinds`` (the kind of each label), 6 is every other event and 7 faults.
    """
    out = np.zeros((bins, 8), dtype=np.int64)
    if stop <= start or bins <= 0:
        return out
    bounds = np.searchsorted(timeline.time, start + (stop - start) * np.arange(bins + 1) / bins)
    bounds[-1] = timeline.count(stop)
    counts = timeline.sorts_between(bounds)
    out[:, 7] = counts[:, list(FAULTS)].sum(axis=(1, 2))
    counts[:, list(FAULTS)] = 0
    for label, number in enumerate(counts.sum(axis=1).T):
        out[:, int(kinds[label]) % 6 if label < len(timeline.labels) else 6] += number
    return out


def density(counts: NDArray[np.int64], inks: list[QColor], area: QRectF, ratio: float) -> QPixmap:
    """Return the columns of :func:`stacks` as a picture of the size of ``area``."""
    picture = QPixmap(max(1, round(area.width() * ratio)), max(1, round(area.height() * ratio)))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    total = counts.sum(axis=1)
    most = int(total.max(initial=0))
    if not most:
        return picture
    height, pitch = area.height() - 4, area.width() / len(counts)
    tall = height * (np.log1p(total) / np.log1p(most) if most > LOGARITHMIC else total / max(most, 5))
    parts = (tall / np.maximum(total, 1))[:, None] * counts[:, _LAYERS]
    tops = area.height() - np.cumsum(parts, axis=1)
    painter = QPainter(picture)
    try:
        for place, layer in enumerate(_LAYERS):
            for column in np.flatnonzero(parts[:, place]).tolist():
                box = QRectF(column * pitch, tops[column, place], max(pitch - 1, 1), parts[column, place])
                painter.fillRect(box, inks[layer])
    finally:
        painter.end()
    return picture
