"""The curve that replaces the columns of very many processes, sorted from the highest to the lowest."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from lydian.app.look.shapes import draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.hatches import draw_rects
from lydian.app.painters.ink import LEFT, RIGHT, Ink
from lydian.app.painters.layers import Layers
from lydian.language import tr
from lydian.views.others.communication import CommunicationFrame
from lydian.views.words.words import plural

__all__ = ["CurvePart", "Plot", "curve_order"]


@dataclass(frozen=True)
class Plot:
    """The plan of a plot: ``area`` holds the columns, ``pitch`` is the width of one, ``top`` the value at the top."""

    rect: QRectF
    area: QRectF
    pitch: float
    top: float
    step: int
    k: float
    curve: bool
    legend: bool = True

    def x(self, column: float) -> float:
        return self.area.left() + (column + 0.5) * self.pitch

    def y(self, value: float) -> float:
        return self.area.bottom() - value / self.top * self.area.height()

    def column(self, x: float, n: int) -> int:
        c = math.floor((x - self.area.left()) / self.pitch) if self.pitch > 0 else -1
        return c if 0 <= c < n else -1


class CurvePart:
    """The painter of a :class:`CommunicationFrame` as a curve."""

    def __init__(self, theme: Theme, ink: Ink) -> None:
        self.theme, self.ink = theme, ink
        self._layers = Layers()

    def paint(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        """Draw all processes from the highest to the lowest as a filled curve, with its final height dashed above."""
        order = curve_order(frame)
        width = max(int(plot.area.width()), 1)
        at = np.minimum((np.arange(width) + 0.5) * len(order) / width, len(order) - 1).astype(np.intp)
        stacks = np.cumsum(frame.so_far[order][at], axis=1)
        colors = [QColor(self.theme.message(kind).color) for kind in frame.kinds]
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.setPen(Qt.PenStyle.NoPen)
        starts, stops = (np.array(each, dtype=np.intp) for each in zip(*_runs(stacks), strict=True))
        lower = np.full(len(starts), plot.area.bottom())
        for values, color in zip(stacks[starts].T, colors, strict=True):
            upper = plot.area.bottom() - values / plot.top * plot.area.height()
            some = upper < lower
            p.setBrush(color)
            draw_rects(
                p, plot.area.left() + starts[some], upper[some], (stops - starts)[some], lower[some] - upper[some]
            )
            lower = upper
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        if frame.to_come.any():
            final = np.sort(frame.heights + frame.to_come.sum(axis=1))[::-1][at]
            key = (final.tobytes(), plot.top)
            room = plot.area.adjusted(0, -1, 0, 1).toAlignedRect().toRectF()
            self._layers.draw(p, "final", key, room, room, lambda q, _: self._final(q, plot, final))
        self._middle(p, plot, frame)
        self._chosen(p, plot, frame, order)
        self._ranks(p, plot, len(order))
        self._highest(p, plot, frame)

    def _final(self, p: QPainter, plot: Plot, final: NDArray[Any]) -> None:
        """Draw the heights at the end of the execution as dashed steps."""
        points = []
        for start, stop in _runs(final[:, None]):
            y = round(plot.y(float(final[start]))) + 0.5
            points += [QPointF(plot.area.left() + start, y), QPointF(plot.area.left() + stop, y)]
        pen = QPen(self.theme.color("link.base"), 1)
        pen.setDashPattern([2.5, 2.5])
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawPolyline(QPolygonF(points))

    def _middle(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        """Draw the mean and the median as lines with their values, whose labels never touch."""
        if not frame.heights.any():
            return
        back = self.theme.color("surface.panel")
        metrics = QFontMetricsF(self.theme.font("small", semibold=True))
        upper, lower = sorted([("mean", frame.mean), ("median", frame.median)], key=lambda pair: -pair[1])
        for (name, value), down in ((upper, False), (lower, True)):
            y = plot.y(value)
            pen = QPen(self.theme.color("text.primary"), 1.4)
            pen.setDashPattern([4.5, 2.6] if name == "mean" else [1.5, 2.5])
            p.setPen(pen)
            p.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y))
            text = tr("mean {mean:,.2f}", mean=value) if name == "mean" else tr("median {median:,.4g}", median=value)
            at = QPointF(plot.area.right() - metrics.horizontalAdvance(text) / 2, y + (15 if down else -5) * plot.k)
            self.ink.halo(p, at, text, "small", "text.primary", back)

    def _chosen(self, p: QPainter, plot: Plot, frame: CommunicationFrame, order: NDArray[Any]) -> None:
        """Draw selected processes as lines at their rank, with their ids."""
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        for c in [*np.flatnonzero(frame.selected)[:20], *([frame.hover] if frame.hover >= 0 else [])]:
            x = plot.x(float(rank[c]))
            p.setPen(QPen(self.theme.color("selection"), 2 if frame.selected[c] else 1.3))
            p.drawLine(QPointF(x, plot.area.top()), QPointF(x, plot.area.bottom()))
            self.ink.halo(
                p,
                QPointF(x, plot.area.top() - 4),
                frame.names[c],
                "small",
                "selection",
                self.theme.color("surface.panel"),
            )

    def _ranks(self, p: QPainter, plot: Plot, n: int) -> None:
        k = plot.k
        box = QRectF(plot.area.left(), plot.area.bottom() + 5 * k, plot.area.width(), 20 * k)
        self.ink.text(p, box, tr("most first"), "caption", "text.hint", LEFT)
        self.ink.text(p, box, plural(n, "process"), "caption", "text.hint", RIGHT)

    def _highest(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        """Draw the names of the ten highest in two columns of five at the upper right, where the curve is low."""
        heights = frame.heights
        named = [c for c in frame.highest if heights[c] > 0]
        if not named or plot.area.height() < 150 * plot.k or plot.area.width() < 320 * plot.k:
            return
        k, line = plot.k, 17 * plot.k
        wide = 104 * k
        box = QRectF(
            plot.area.right() - 2 * wide - 20 * k, plot.area.top() + 6 * k, 2 * wide + 20 * k, 6 * line + 12 * k
        )
        key = tuple((frame.names[c], int(heights[c]), int(frame.slots[c])) for c in named)
        room = box.adjusted(-1, -1, 1, 1).toAlignedRect().toRectF()
        self._layers.draw(p, "highest", key, room, room, lambda q, _: self._named(q, k, line, wide, box, frame, named))

    def _named(
        self, p: QPainter, k: float, line: float, wide: float, box: QRectF, frame: CommunicationFrame, named: list[int]
    ) -> None:
        p.setPen(QPen(self.theme.color("border.subtle"), 1))
        p.setBrush(self.theme.color("surface.overlay"))
        p.drawRoundedRect(box, 7, 7)
        first = QRectF(box.left() + 10 * k, box.top() + 5 * k, box.width() - 20 * k, line)
        title = tr("the {count} highest", count=len(named)) if len(named) > 1 else tr("the highest")
        self.ink.text(p, first, title, "caption", "text.hint", LEFT)
        for i, c in enumerate(named):
            cell = QRectF(first.left() + (i // 5) * wide, first.top() + (1 + i % 5) * line, wide - 10 * k, line)
            draw_process(p, self.theme, cell.left() + 6 * k, cell.center().y(), 10 * k, int(frame.slots[c]))
            cell.setLeft(cell.left() + 16 * k)
            self.ink.text(p, cell, frame.names[c], "small", "text.primary", LEFT)
            value = tr("{number:,}", number=int(frame.heights[c]))
            self.ink.text(p, cell, value, "small", "text.primary", RIGHT, semibold=True)


def curve_order(frame: CommunicationFrame) -> NDArray[Any]:
    """Return the columns from the highest to the lowest; of equal ones, those with more of the first kind go first."""
    if not frame.so_far.shape[1]:
        return np.arange(len(frame.columns))
    return np.lexsort((-frame.so_far[:, 0], -frame.heights))


def _runs(rows: NDArray[Any]) -> list[tuple[int, int]]:
    """Return the stretches of equal rows: (first, one after the last) of each."""
    ends = np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1
    return list(itertools.pairwise([0, *ends.tolist(), len(rows)]))
