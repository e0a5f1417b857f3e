"""Alignment of a drawing with an earlier one, so that users still find their way in it."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Turn", "aligned"]

#: ``any``: rotation and reflection; ``mirror``: only horizontal reflection; ``shift``: neither.
Turn = Literal["any", "mirror", "shift"]


def aligned(new: NDArray[np.float64], old: NDArray[np.float64], turn: Turn = "any") -> NDArray[np.float64]:
    """Return the new drawing, turned, mirrored and shifted so that the sum of squared distances from old to new is
    minimal.

    The best rotation is the orthogonal Procrustes solution (Schönemann, 1966); nothing is scaled, so distances within
    the drawing are kept.

    Args:
        new, old: float64 (n, 2), with the same n.
        turn: the permitted transformations in addition to shifts.

    Returns:
        float64 (n, 2).
    """
    if not len(new):
        return np.array(new, dtype=np.float64)
    middle = new.mean(axis=0)
    flat, goal = new - middle, old - old.mean(axis=0)
    if turn == "any":
        u, _, v = np.linalg.svd(flat.T @ goal)
        flat = flat @ (u @ v)
    elif turn == "mirror" and float((flat[:, 0] * goal[:, 0]).sum()) < 0:
        flat = flat * (-1.0, 1.0)
    return np.asarray(flat + old.mean(axis=0))
