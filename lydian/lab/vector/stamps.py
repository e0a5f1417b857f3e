"""Many equal pictures or lines, in place of ``lydian.app.look.fragments``: each picture is defined once and used."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.lab.vector.core import QLineF
from lydian.lab.vector.gui import QPainter, QPixmap

__all__ = ["Atlas", "draw_lines"]


class Atlas:
    """Pictures that are drawn when first needed, around (0, 0)."""

    def __init__(self, size: float, ratio: float, draw: Callable[[QPainter, Hashable], None]) -> None:
        self._draw = draw
        self._keys: list[Hashable] = []

    def prepare(self, keys: list[Hashable]) -> NDArray[np.int64]:
        """Return the place of each key."""
        self._keys += [key for key in dict.fromkeys(keys) if key not in self._keys]
        return np.array([self._keys.index(key) for key in keys], dtype=np.int64)

    def paint(
        self, p: QPainter, x: NDArray[np.float64], y: NDArray[np.float64], place: NDArray[np.int64], *,
        rotation: NDArray[np.float64] | float = 0.0, opacity: NDArray[np.float64] | float = 1.0,
    ) -> None:  # fmt: skip
        """Draw pictures centred at (x, y)."""
        turns, faints = np.broadcast_to(rotation, len(x)), np.broadcast_to(opacity, len(x))
        names: dict[int, str] = {}
        for at in np.unique(place).tolist():
            picture = QPixmap(1, 1)
            inner = QPainter(picture)
            self._draw(inner, self._keys[at])
            names[at] = p.sheet.define(f'<g id="{{id}}">{"".join(picture.elements)}</g>')
        rows: list[Any] = np.column_stack((x, y, turns, faints)).tolist()
        for at, row in zip(place.tolist(), rows, strict=True):
            p.drawUse(names[at], *row)


def draw_lines(p: QPainter, a: NDArray[np.float64], b: NDArray[np.float64]) -> None:
    """Draw a line from each row of ``a`` to the same row of ``b``."""
    p.drawLines([QLineF(*row) for row in np.hstack((a, b)).tolist()])
