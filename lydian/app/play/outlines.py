"""The outline of the processes that show that a goal has been reached."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.canvas.canvas import Canvas
from lydian.app.live.runs.comparing import AWAY, ApartMarks
from lydian.language import tr

__all__ = ["Outlines"]


class Outlines(ApartMarks):
    """A layer over the network that draws a ring with a glow round some processes."""

    def __init__(self, canvas: Canvas, which: Callable[[], NDArray[np.bool_] | None]) -> None:
        super().__init__(canvas, which)
        self.setObjectName("playMarks")
        self.setAccessibleName(tr("Processes that show that the goal has been reached"))

    def _paint(self, p: QPainter, processes: NDArray[np.int64]) -> None:
        where, points = self.placed(processes)
        theme = self.canvas.theme
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setBrush(Qt.BrushStyle.NoBrush)
        radius = where.d / 2 + AWAY
        for color, width in ((theme.color("chain.waitingSoft"), 9.0), (theme.color("chain.waiting"), 2.5)):
            p.setPen(QPen(color, width))
            for x, y in points.tolist():
                p.drawEllipse(QPointF(x, y), radius, radius)
