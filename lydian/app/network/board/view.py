"""The visible part of a drawing and its scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

__all__ = ["LARGEST", "SMALLEST", "View"]

Floats = NDArray[np.float64]

#: The smallest and the largest scale, in pixels for one unit of the drawing.
SMALLEST, LARGEST = 0.005, 20.0
#: A fitted drawing is not enlarged beyond this scale ...
FITTED = 1.5
#: ... unless its processes would be closer together than this many pixels.
APART = 110.0


class View:
    """A view that maps a point (x, y) of the drawing to ``x*scale + dx``, ``y*scale + dy`` in the widget.

    Attributes:
        own: whether the user has moved the view; until then it fits the drawing, whatever the size of the widget.
    """

    def __init__(self) -> None:
        self.scale, self.dx, self.dy = 1.0, 0.0, 0.0
        self.own = False

    @property
    def key(self) -> tuple[float, float, float]:
        return self.scale, self.dx, self.dy

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the drawing at a pixel of the widget."""
        return (x - self.dx) / self.scale, (y - self.dy) / self.scale

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of the widget at a point of the drawing."""
        return x * self.scale + self.dx, y * self.scale + self.dy

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Zoom in around a pixel of the widget."""
        least, most = min(SMALLEST, self.scale), max(LARGEST, self.scale)
        scale = min(max(self.scale * factor, least), most)
        px, py = self.place(x, y)
        self.scale, self.dx, self.dy = scale, x - px * scale, y - py * scale
        self.own = True

    def pan(self, dx: float, dy: float) -> None:
        """Move the view by pixels."""
        self.dx, self.dy = self.dx + dx, self.dy + dy
        self.own = True

    def centre(self, rect: QRectF, x: float, y: float) -> None:
        """Centre a point of the drawing in the rectangle."""
        self.dx, self.dy = rect.center().x() - x * self.scale, rect.center().y() - y * self.scale
        self.own = True

    def fit(self, points: Floats, rect: QRectF, margin: float = 56.0, gap: float = np.inf) -> None:
        """Fit all points into the rectangle; ``gap`` is the usual distance between them."""
        self.own = False
        if not len(points):
            self.scale, self.dx, self.dy = 1.0, rect.left(), rect.top()
            return
        margin = min(margin, 0.2 * rect.width(), 0.2 * rect.height())
        low, high = points.min(axis=0), points.max(axis=0)
        wide, tall = (float(side) for side in high - low)
        most = max(FITTED, APART / gap)
        scale = min(
            (rect.width() - 2 * margin) / wide if wide > 0 else most,
            (rect.height() - 2 * margin) / tall if tall > 0 else most,
            most if wide > 0 or tall > 0 else 1.0,
        )
        self.scale = max(scale, 1e-6)
        middle = (low + high) / 2
        self.dx = rect.center().x() - float(middle[0]) * self.scale
        self.dy = rect.center().y() - float(middle[1]) * self.scale
