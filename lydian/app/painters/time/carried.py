"""The values that messages carry, on the arrows of the space-time diagram where there is room."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.pieces.carries import chip_size, draw_chip
from lydian.app.painters.time.axis import Geometry
from lydian.views.time.causality import CausalityFrame
from lydian.views.time.spacetime import ArrowScene

__all__ = ["ValueTags"]

#: The largest number of messages in view, and the smallest height of a row, with which values are drawn.
MOST, LEAST_PITCH = 120, 22.0
#: The height of a value as a share of that of a row, and its largest height.
SHARE, TALLEST = 0.5, 15.0
#: The length of an arrow beyond the width of its value, so that both ends are seen.
ENDS = 22.0
#: The places for a value on an arrow between two neighbouring rows.
NEAR_MIDDLE = (0.5, 0.4, 0.6)


class ValueTags:
    """The values on the arrows of one painter. While only the window moves, those in view stay where they are."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._key: tuple[Any, ...] | None = None
        self._places: dict[int, float | None] = {}

    def paint(
        self, p: QPainter, g: Geometry, frame: CausalityFrame, strong: NDArray[np.bool_], taken: list[QRectF]
    ) -> None:
        """Draw the values that the play head has passed, of arrows at full strength; ``taken`` is where texts are."""
        scene = frame.scene
        if not len(scene.sign) or len(scene.message) > MOST or g.pitch < LEAST_PITCH:
            return
        high = min(TALLEST, g.pitch * SHARE)
        shown = self._placed(g, scene, high, taken)
        now, by_rows = float(g.x(frame.t)), frame.front is not None
        there = (scene.sign >= 0) & np.isfinite(scene.finish) & strong
        for arrow in np.flatnonzero(there & (scene.arrived <= frame.t) if by_rows else there).tolist():
            share = shown.get(int(scene.message[arrow]))
            if share is None:
                continue
            box = self._box(g, scene, arrow, share, high)
            if box.right() > g.plot.left() and (by_rows or box.right() <= now):
                middle = box.center()
                draw_chip(p, self.theme, middle.x(), middle.y(), high, scene.signs[int(scene.sign[arrow])])

    def boxes(self, g: Geometry, scene: ArrowScene) -> list[QRectF]:
        """Return where the values of the scene are drawn, as far as they have been placed for it."""
        if self._places_key(g, scene) != self._key or len(scene.message) > MOST:
            return []
        high = min(TALLEST, g.pitch * SHARE)
        shares = [self._places.get(number) for number in scene.message.tolist()]
        return [self._box(g, scene, arrow, share, high) for arrow, share in enumerate(shares) if share is not None]

    def _places_key(self, g: Geometry, scene: ArrowScene) -> tuple[Any, ...]:
        return (scene.look, g.unit, g.pitch, self.theme.name, self.theme.projector)

    def _placed(self, g: Geometry, scene: ArrowScene, high: float, taken: list[QRectF]) -> dict[int, float | None]:
        """Return the place of each value on its arrow, as a share of its length; None if there is no room."""
        key = self._places_key(g, scene)
        if key != self._key or not scene.scale.by_time or len(self._places) > 20 * MOST:
            self._key, self._places = key, {}
        arrows = np.flatnonzero((scene.sign >= 0) & np.isfinite(scene.finish))
        message = scene.message[arrows].tolist()
        fresh = [arrow for arrow, number in zip(arrows.tolist(), message, strict=True) if number not in self._places]
        if not fresh:
            return self._places
        boxes = list(taken)
        for arrow, number in zip(arrows.tolist(), message, strict=True):
            share = self._places.get(number)
            if share is not None:
                boxes.append(self._box(g, scene, arrow, share, high))
        for arrow in sorted(fresh, key=lambda arrow: not scene.signs[int(scene.sign[arrow])].false):  # lies first
            self._places[int(scene.message[arrow])] = self._free(g, scene, arrow, high, boxes)
        return self._places

    def _free(self, g: Geometry, scene: ArrowScene, arrow: int, high: float, boxes: list[QRectF]) -> float | None:
        """Return a free place on an arrow, and note that it is taken."""
        (x0, y0), (x1, y1) = _point(g, scene, arrow, 0.0), _point(g, scene, arrow, 1.0)
        wide = chip_size(self.theme, scene.signs[int(scene.sign[arrow])], high)[0]
        if float(np.hypot(x1 - x0, y1 - y0)) < wide + ENDS:
            return None
        rows = round(abs(float(scene.end_row[arrow]) - float(scene.source_row[arrow])))
        between = sorted(((i + 0.5) / rows for i in range(rows)), key=lambda share: abs(share - 0.5))[:5]
        for share in between if rows > 1 else NEAR_MIDDLE:
            box = self._box(g, scene, arrow, share, high)
            if not any(box.intersects(other) for other in boxes):
                boxes.append(box)
                return share
        return None

    def _box(self, g: Geometry, scene: ArrowScene, arrow: int, share: float, high: float) -> QRectF:
        wide, tall = chip_size(self.theme, scene.signs[int(scene.sign[arrow])], high)
        x, y = _point(g, scene, arrow, share)
        return QRectF(x - wide / 2 - 2, y - tall / 2 - 1, wide + 4, tall + 2)


def _point(g: Geometry, scene: ArrowScene, arrow: int, share: float) -> tuple[float, float]:
    """Return a point of an arrow, in pixels from the beginning of the axis."""
    x0, y0 = float(g.at(scene.begin[arrow])), float(g.y(scene.source_row[arrow]))
    x1, y1 = float(g.at(scene.finish[arrow])), float(g.y(scene.end_row[arrow]))
    return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
