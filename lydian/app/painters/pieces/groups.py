"""The painter of the areas of groups."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.pieces.arcs import draw_hull
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.groups import Group
from lydian.pieces.piece import LegendItem

__all__ = ["GroupPainter"]


class GroupPainter(PiecePainter):
    """The painter of groups."""

    def areas(self, d: Drawing) -> None:
        """Draw an area around the processes of each group."""
        p, m, frame = d.p, d.m, d.frame
        colors = group_colors(self.theme, frame.groups)
        names = np.array(frame.groups)
        for name, color in colors.items():
            points = m.points[names == name]
            if len(points):
                draw_hull(p, points, m.d * 0.5 + (9 if m.level == "full" else 5), color)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Group, k: float) -> None:
        """Draw a small area."""
        x, y = box.center().x(), box.center().y()
        color = next(iter(group_colors(self.theme, ("a",)).values()))
        draw_hull(p, np.array([[x - 3 * k, y], [x + 3 * k, y]]), 4.5 * k, color)


def group_colors(theme: Theme, groups: tuple[str, ...]) -> dict[str, QColor]:
    """Return a colour for each existing group, in the order of their names."""
    names = sorted({name for name in groups if name}, key=lambda name: (len(name), name))
    return {name: theme.message(place).color for place, name in enumerate(names)}
