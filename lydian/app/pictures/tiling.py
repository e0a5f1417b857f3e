"""How several views share a picture: tiles in rows, each of a shape in which a view looks its best."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF

__all__ = ["tiles"]

#: Between two tiles.
GAP = 6.0
#: Width to height of a tile in which every view looks its best.
SHAPE = 1.5


def tiles(rect: QRectF, count: int) -> list[QRectF]:
    """``count`` tiles in rows that fill ``rect``, about 3:2 each; an upper row never holds more than a lower one."""

    def misfit(rows: int) -> float:
        columns = count / rows
        return abs(math.log((rect.width() / columns) / (rect.height() / rows) / SHAPE))

    rows = min(range(1, count + 1), key=misfit)
    few, more = divmod(count, rows)
    found = []
    height = (rect.height() - GAP * (rows - 1)) / rows
    for row in range(rows):
        columns = few + (row >= rows - more)
        width = (rect.width() - GAP * (columns - 1)) / columns
        top = rect.top() + row * (height + GAP)
        found += [QRectF(rect.left() + i * (width + GAP), top, width, height) for i in range(columns)]
    return [_whole(tile) for tile in found]


def _whole(rect: QRectF) -> QRectF:
    """The rectangle with its edges on whole units, where lines are sharp."""
    left, top, right, bottom = (round(edge) for edge in (rect.left(), rect.top(), rect.right(), rect.bottom()))
    return QRectF(left, top, right - left, bottom - top)
