"""Which part of a drawing is seen, and how large."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

__all__ = ["LARGEST", "SMALLEST", "View"]

Floats = NDArray[np.float64]

#: Smallest and largest scale: pixels for a unit of the drawing.
SMALLEST, LARGEST = 0.005, 20.0
#: A fitted drawing is not enlarged beyond this.
FITTED = 1.5
#: ... unless its processes would stand closer together than so many pixels.
APART = 110.0


class View:
    """A point (x, y) of the drawing lies at ``x*scale + dx``, ``y*scale + dy`` of the widget.

    Attributes:
        own: whether somebody has moved it; a view that nobody moved shows everything, whatever the widget's size.
    """

    def __init__(self) -> None:
        self.scale, self.dx, self.dy = 1.0, 0.0, 0.0
        self.own = False

    @property
    def key(self) -> tuple[float, float, float]:
        return self.scale, self.dx, self.dy

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The point of the drawing at a pixel of the widget."""
        return (x - self.dx) / self.scale, (y - self.dy) / self.scale

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of the widget at a point of the drawing."""
        return x * self.scale + self.dx, y * self.scale + self.dy

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Enlarge around a pixel of the widget."""
        least, most = min(SMALLEST, self.scale), max(LARGEST, self.scale)
        scale = min(max(self.scale * factor, least), most)
        px, py = self.place(x, y)
        self.scale, self.dx, self.dy = scale, x - px * scale, y - py * scale
        self.own = True

    def pan(self, dx: float, dy: float) -> None:
        """Move by pixels."""
        self.dx, self.dy = self.dx + dx, self.dy + dy
        self.own = True

    def centre(self, rect: QRectF, x: float, y: float) -> None:
        """Bring a point of the drawing to the middle of the rectangle."""
        self.dx, self.dy = rect.center().x() - x * self.scale, rect.center().y() - y * self.scale
        self.own = True

    def fit(self, points: Floats, rect: QRectF, margin: float = 56.0, gap: float = np.inf) -> None:
        """Show all of the points in the rectangle; ``gap`` is how far they usually are apart."""
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
