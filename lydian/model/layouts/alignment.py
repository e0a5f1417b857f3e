"""Turning a drawing so that it lies near another one: who knows the old one finds their way in the new one."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Turn", "aligned"]

#: ``any``: turned and mirrored; ``mirror``: only left and right exchanged; ``shift``: neither.
Turn = Literal["any", "mirror", "shift"]


def aligned(new: NDArray[np.float64], old: NDArray[np.float64], turn: Turn = "any") -> NDArray[np.float64]:
    """The new drawing turned, mirrored and shifted so that the squares of the ways from old to new are least.

    The best turn is the orthogonal Procrustes solution (Schönemann, 1966); nothing is scaled, so distances within the
    drawing stay.

    Args:
        new, old: float64 (n, 2), the same n.
        turn: what is allowed beside shifting.

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
