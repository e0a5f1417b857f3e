"""A plot with its title and its note, by a painter of any kind."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.plots.plots import PlotPainter
from lydian.views.plots.plots import Plot
from lydian.views.words.words import plural

__all__ = ["paint_plot"]


def paint_plot(
    p: QPainter, plot: Plot, look: Theme, size: tuple[int, int], numbered: Mapping[int, int] | None = None
) -> None:
    """Paint a plot at (0, 0), with the numbers of some runs."""
    painter = PlotPainter(look)
    p.fillRect(QRectF(0, 0, *size), look.color("surface.panel"))
    top = _heading(p, plot, look, size[0])
    p.translate(0, top)
    painter.paint(p, painter.layout(plot, size[0], size[1] - top), numbered=numbered)


def _heading(p: QPainter, plot: Plot, theme: Theme, width: int) -> float:
    """Draw the title and the note; return their height."""
    strong, plain = theme.font("title", semibold=True), theme.font("small")
    high, x = QFontMetricsF(strong).height(), 12.0
    p.setFont(strong)
    p.setPen(theme.color("text.primary"))
    base = 10 + QFontMetricsF(strong).ascent()
    p.drawText(QPointF(x, base), plot.title)
    x += QFontMetricsF(strong).horizontalAdvance(plot.title) + 12
    metrics = QFontMetricsF(plain)
    p.setFont(plain)
    p.setPen(theme.color("text.hint"))
    note = f"{plot.note}  ·  {plot.results.name}, {plural(len(plot.results), 'run')}"
    p.drawText(QPointF(x, base), metrics.elidedText(note, Qt.TextElideMode.ElideRight, max(width - x - 12, 0)))
    return 10 + high + 2
