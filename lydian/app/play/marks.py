"""Small pictures of a game: stars, and the steps of the budget."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from lydian.app.look.theme import Theme
from lydian.language import tr, trn
from lydian.model.goal.goal import MOST_STARS

__all__ = ["Pips", "StarRow", "draw_stars", "star_path"]

#: The number of steps up to which each has a pip of its own.
MOST_PIPS = 30


def star_path(x: float, y: float, radius: float) -> QPainterPath:
    """Return a star with five points around a centre."""
    path = QPainterPath()
    for corner in range(10):
        angle = math.pi * corner / 5 - math.pi / 2
        long = radius if corner % 2 == 0 else radius * 0.46
        point = QPointF(x + long * math.cos(angle), y + long * math.sin(angle))
        path.lineTo(point) if corner else path.moveTo(point)
    path.closeSubpath()
    return path


def draw_stars(p: QPainter, theme: Theme, x: float, y: float, size: float, stars: int, of: int = MOST_STARS) -> None:
    """Draw a row of stars from a point on its left, of which the first are filled."""
    color = theme.color("chain.longest" if theme.dark else "check.warn")
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    for number in range(of):
        path = star_path(x + (number + 0.5) * size * 1.18, y, size * 0.5)
        p.setPen(QPen(color, 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        p.setBrush(color if number < stars else Qt.BrushStyle.NoBrush)
        p.drawPath(path)


class StarRow(QWidget):
    """The stars that can still be earned, or that were earned."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme, self.stars = theme, MOST_STARS
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_stars(self, stars: int, about: str) -> None:
        """Show a number of stars; ``about`` says what they are."""
        self.stars = stars
        self.setToolTip(about)
        self.setAccessibleName(about)
        self.update()

    def sizeHint(self) -> QSize:
        size = self.theme.grown(16)
        return QSize(round(MOST_STARS * size * 1.18) + 2, size + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            draw_stars(p, self.theme, 1, self.height() / 2, self.theme.grown(16), self.stars)
        finally:
            p.end()


class Pips(QWidget):
    """The steps of the budget: used, those that would still do (dashed), and spare ones.

    Attributes:
        used, needed, of: the numbers of steps; ``needed`` is 0 if it is not to be shown.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.used = self.needed = self.of = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_steps(self, used: int, needed: int, of: int) -> None:
        """Show these numbers."""
        self.used, self.needed, self.of = used, needed, of
        told = tr("{used} of {all} steps used", used=used, all=of)
        more = trn("{count} more step would do", "{count} more steps would do", needed) if needed else ""
        self.setAccessibleName(", ".join(filter(None, (told, more))))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self.theme.stretched(14))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, of = self.theme, self.of
        if not of:
            return
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            gap = 5.0 if of <= 14 else 2.5
            wide = (self.width() - 1 - gap * (of - 1)) / of
            for number in range(of):
                box = QRectF(0.5 + number * (wide + gap), 0.5, wide, self.height() - 1)
                if number < self.used:
                    p.setPen(Qt.PenStyle.NoPen)
                    p.setBrush(theme.color("accent.base"))
                elif number < self.used + self.needed:
                    pen = QPen(theme.color("check.holds"), 1.2)
                    pen.setDashPattern([2.4, 1.8])
                    p.setPen(pen)
                    p.setBrush(theme.color("check.holdsSoft"))
                else:
                    p.setPen(QPen(theme.color("border.subtle"), 1))
                    p.setBrush(theme.color("surface.raised"))
                p.drawRoundedRect(box, 2.5, 2.5)
        finally:
            p.end()
