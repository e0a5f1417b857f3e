"""Labels in space: those that would cover a nearer one are left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["kept"]

#: The side of the squares in which labels that may overlap are looked for.
SQUARE = 64.0


def kept(boxes: NDArray[np.float64], most: int = 10**9) -> NDArray[np.int64]:
    """Return which boxes remain if each box that overlaps an earlier one is dropped.

    Args:
        boxes: rows left, top, right, bottom, the nearest label first.
        most: how many boxes may remain.
    """
    taken: dict[tuple[int, int], list[tuple[float, float, float, float]]] = {}
    found = []
    for number, (left, top, right, bottom) in enumerate(boxes.tolist()):
        squares = [
            (column, row)
            for column in range(int(left // SQUARE), int(right // SQUARE) + 1)
            for row in range(int(top // SQUARE), int(bottom // SQUARE) + 1)
        ]
        covers = any(
            left < r and l < right and top < b and t < bottom
            for square in squares
            for l, t, r, b in taken.get(square, ())  # noqa: E741
        )
        if covers:
            continue
        for square in squares:
            taken.setdefault(square, []).append((left, top, right, bottom))
        found.append(number)
        if len(found) >= most:
            break
    return np.array(found, dtype=np.int64)
