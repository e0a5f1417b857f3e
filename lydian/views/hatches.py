"""The hatches that distinguish states without colour, for whoever draws them: what is in a tile of 8 x 8."""

from __future__ import annotations

__all__ = ["DOTS", "LINES"]

#: Hatch -> its lines, from and to; they cross the edges so that tiles join.
LINES: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "lines-45": ((-1, 9, 9, -1), (-1, 1, 1, -1), (7, 9, 9, 7)),
    "lines-135": ((-1, -1, 9, 9), (7, -1, 9, 1), (-1, 7, 1, 9)),
    "lines-0": ((0, 4, 8, 4),),
    "lines-90": ((4, 0, 4, 8),),
    "cross": ((-1, 9, 9, -1), (-1, -1, 9, 9)),
}
#: Hatch -> the centres of its dots.
DOTS: dict[str, tuple[tuple[float, float], ...]] = {"dots": ((2, 2), (6, 6)), "dots-sparse": ((4, 4),)}
