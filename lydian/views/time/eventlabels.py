"""The places of short texts at the events of the space-time diagram, so that they hide nothing and are crossed by
nothing.

As in :mod:`lydian.views.network.labels`, all of it is arithmetic on arrays in pixels: boxes are rows left, top, right,
bottom, and segments rows x1, y1, x2, y2. An event of a space-time diagram has only six places for its text, and no line
leads to one that is farther away, so that the texts of a window are placed at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.views.network.fit import crossed, overlapped

__all__ = ["SIDES", "candidates", "chosen"]

Floats = NDArray[np.float64]

#: The places of a text at its event: the share of its width to the left of the event, and whether it is below. The
#: first three are above.
SIDES = ((1.0, False), (0.0, False), (0.5, False), (1.0, True), (0.0, True), (0.5, True))
#: The distance of a text from the time of its event if it is at one side; from lines; and from another text.
ASIDE, CLEAR, APART = 2.0, 1.0, 3.0
#: The number of events whose places are examined at once.
BLOCK = 64


def candidates(x: Floats, y: Floats, wide: Floats, high: float, away: float) -> Floats:
    """Return the boxes of texts at events, (events, places, 4), in the order of :data:`SIDES`.

    Args:
        x, y: the events.
        wide: the widths of the texts.
        high: their height.
        away: their vertical distance from the events.
    """
    found = np.empty((len(x), len(SIDES), 4))
    for place, (share, below) in enumerate(SIDES):
        aside = ASIDE * (1 - 2 * share)  # to the left if all of it is on the left
        found[:, place, 0] = x - share * wide + aside
        found[:, place, 1] = y + away if below else y - away - high
        found[:, place, 2] = found[:, place, 0] + wide
        found[:, place, 3] = found[:, place, 1] + high
    return found


def chosen(
    boxes: Floats,
    cost: Floats,
    room: tuple[float, float],
    shapes: Floats,
    segments: Floats,
    taken: Floats,
) -> NDArray[np.int64]:
    """Return the place of each text among its boxes, or -1 if there is none in which it hides nothing.

    The first texts come first. No text overlaps another one, one of the boxes ``shapes`` or ``taken``, or a segment.

    Args:
        boxes: the places of each text, (texts, places, 4).
        cost: the cost of each place, (texts, places); infinite for one that must not be taken.
        room: the least and the greatest horizontal position.
    """
    found = np.full(len(boxes), -1, dtype=np.int64)
    placed = np.empty((len(taken) + len(boxes), 4))
    placed[: len(taken)], count = taken, len(taken)
    margin = np.array([-APART, -1.0, APART, 1.0])
    for first in range(0, len(boxes), BLOCK):
        some = boxes[first : first + BLOCK]
        flat = some.reshape(-1, 4)
        hides = overlapped(flat, _near(shapes, flat)).any(axis=1)
        hides |= crossed(flat + np.array([-CLEAR, -CLEAR, CLEAR, CLEAR]), segments).any(axis=1)
        hides |= (flat[:, 0] < room[0]) | (flat[:, 2] > room[1])
        costs = np.where(hides.reshape(some.shape[:2]), np.inf, cost[first : first + BLOCK])
        for number in np.flatnonzero(np.isfinite(costs).any(axis=1)).tolist():
            left = np.where(overlapped(some[number] + margin, placed[:count]).any(axis=1), np.inf, costs[number])
            best = int(np.argmin(left))
            if np.isfinite(left[best]):
                found[first + number] = best
                placed[count] = some[number, best]
                count += 1
    return found


def _near(shapes: Floats, boxes: Floats) -> Floats:
    """Return the shapes that may overlap one of the boxes."""
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    near: Floats = shapes[(shapes[:, 2:] >= low).all(axis=1) & (shapes[:, :2] <= high).all(axis=1)]
    return near
