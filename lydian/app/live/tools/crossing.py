"""The links that a line crosses, and the parts into which a network falls without them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF

from lydian.model.network.shape import joined

__all__ = ["crossed_by", "parts_after"]


def crossed_by(segments: NDArray[np.float64], p: QPointF, q: QPointF) -> set[int]:
    """Return the numbers of the segments (rows x1 y1 x2 y2) that the line from ``p`` to ``q`` crosses."""
    if not len(segments):
        return set()
    x1, y1, x2, y2 = segments.T
    px, py, qx, qy = p.x(), p.y(), q.x(), q.y()
    side_p = (x2 - x1) * (py - y1) - (y2 - y1) * (px - x1)
    side_q = (x2 - x1) * (qy - y1) - (y2 - y1) * (qx - x1)
    side_1 = (qx - px) * (y1 - py) - (qy - py) * (x1 - px)
    side_2 = (qx - px) * (y2 - py) - (qy - py) * (x2 - px)
    # A point on the other line counts as on one side of it, so that a polyline too crosses each link only once.
    crossed = ((side_p >= 0) != (side_q >= 0)) & ((side_1 >= 0) != (side_2 >= 0))
    return set(np.flatnonzero(crossed).tolist())


def parts_after(n: int, links: Sequence[Sequence[int]]) -> list[int]:
    """Return the sizes of the parts of ``n`` processes that these links join, the smallest first."""
    parts, _ = joined(n, [(a, b) for a, b in links])
    return sorted(map(len, parts))
