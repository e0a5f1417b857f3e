"""The painter of the wall between the two sides of a partition."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.ink import MIDDLE, Ink
from lydian.app.painters.network.netmap import Floats
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.piece import LegendItem
from lydian.pieces.wall import Wall, separating

__all__ = ["WallPainter"]

#: The maximum width of the wall, and how far it reaches beyond the processes.
THICK, BEYOND = 22.0, 34.0


class WallPainter(PiecePainter):
    """The painter of a wall: a soft band with a dashed line in it, and the time since which it has been there."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)

    def under(self, d: Drawing) -> None:
        """Draw the wall where a line passes between the processes of the two sides."""
        wall, points = d.frame.wall, d.m.points
        if wall is None or d.m.level == "dense":
            return
        found = separating(points[~wall.other], points[wall.other])
        if found is None:
            return
        middle, normal, gap = found
        along = np.array([-normal[1], normal[0]])
        reach = points @ along
        ends = [middle + along * (float(end) - float(middle @ along))
                for end in (reach.min() - BEYOND, reach.max() + BEYOND)]  # fmt: skip
        ends = [_inside(end, middle, d.m.rect) for end in ends]
        p, theme = d.p, self.theme
        width = min(THICK, max(gap - d.m.d * 1.3, 6.0))
        p.setPen(QPen(theme.color("fault.soft"), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        p.drawLine(QPointF(*ends[0].tolist()), QPointF(*ends[1].tolist()))
        pen = QPen(theme.color("fault.base"), 2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([3, 2.5])
        p.setPen(pen)
        p.drawLine(QPointF(*ends[0].tolist()), QPointF(*ends[1].tolist()))
        self._say(d, wall.words, ends)

    def _say(self, d: Drawing, words: str, ends: list[Floats]) -> None:
        """Draw a pill with the time beyond an end of the wall, where it is farthest from processes and labels."""
        p, theme = d.p, self.theme
        k = theme.px("small") / 12
        wide, high = self.ink.width(words, "small", semibold=True) + 20 * k, 20 * k
        room = d.m.rect.adjusted(4, 4, -4, -4)
        boxes = []
        for end, other in (ends, ends[::-1]):
            out = (end - other) / max(float(np.hypot(*(end - other))), 1e-9)
            beyond = end + out * (abs(out) @ np.array([wide, high]) / 2)
            for aside in (0.0, -high, high):
                x = min(max(float(beyond[0]) - out[1] * aside, room.left() + wide / 2), room.right() - wide / 2)
                y = min(max(float(beyond[1]) + out[0] * aside, room.top() + high / 2), room.bottom() - high / 2)
                boxes.append((QRectF(x - wide / 2, y - high / 2, wide, high), not aside))
        box, _ = max(boxes, key=lambda each: (min(_clear(each[0], d), d.m.d * 0.75), each[1]))
        p.setPen(QPen(theme.color("fault.base"), 1.4))
        p.setBrush(theme.color("surface.canvas"))
        p.drawRoundedRect(box, high / 2, high / 2)
        self.ink.text(p, box, words, "small", "fault.base", MIDDLE, semibold=True)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Wall, k: float) -> None:
        """Draw a piece of the wall."""
        x = box.center().x()
        p.setPen(QPen(self.theme.color("fault.soft"), 8 * k))
        p.drawLine(QPointF(x, box.center().y() - 7 * k), QPointF(x, box.center().y() + 7 * k))
        pen = QPen(self.theme.color("fault.base"), 1.6)
        pen.setDashPattern([3, 2])
        p.setPen(pen)
        p.drawLine(QPointF(x, box.center().y() - 7 * k), QPointF(x, box.center().y() + 7 * k))


def _inside(end: Floats, middle: Floats, rect: QRectF) -> Floats:
    """Return the point nearest to an end of a line that is still in a rectangle."""
    low, high = np.array([rect.left(), rect.top()]) + 14, np.array([rect.right(), rect.bottom()]) - 14
    way, share = end - middle, 1.0
    for axis in (0, 1):
        if abs(way[axis]) > 1e-9:
            limit = (high if way[axis] > 0 else low)[axis] - middle[axis]
            share = min(share, max(float(limit / way[axis]), 0.0))
    return np.asarray(middle + way * share, dtype=np.float64)


def _clear(box: QRectF, d: Drawing) -> float:
    """Return how far a box is from the nearest process, and less if it touches a label or what is taken."""
    x, y = d.m.points[:, 0], d.m.points[:, 1]
    across = np.maximum(np.maximum(box.left() - x, x - box.right()), 0.0)
    down = np.maximum(np.maximum(box.top() - y, y - box.bottom()), 0.0)
    away = float(np.hypot(across, down).min(initial=1e6))
    return away - 1e3 * sum(box.intersects(other) for other in (*d.taken, *d.labels.values()))
