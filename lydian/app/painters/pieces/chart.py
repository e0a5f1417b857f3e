"""The painter of the chart below or beside the network: its lines as a cached picture, and the moment as a line."""

from __future__ import annotations

import math
from html import escape

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from lydian.app.look.theme import Theme
from lydian.app.painters.ink import MIDDLE, RIGHT, Ink
from lydian.app.painters.layers import Layers, is_raster
from lydian.app.painters.network.netmap import Floats
from lydian.app.painters.pieces.panelink import draw_reason, legend_places
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.app.painters.plots.plots import pen_of
from lydian.language import tr, trc
from lydian.pieces.chart import ChartFrame, Curve, line_word
from lydian.views.network.basic import BasicFrame
from lydian.views.time.axis import nice_step, tick_text, ticks

__all__ = ["ChartPainter", "levels_between", "number_text", "steps_of"]

#: The opacity of the future.
COMING = 0.3
#: The minimum height that a legend must leave for the lines.
LEAST = 44.0
#: The number of pixels between two numbers at the side.
APART = 26.0


class ChartPainter(PanelPainter):
    """The painter of a :class:`~lydian.pieces.chart.ChartFrame`, which also describes what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)
        self.layers = Layers()

    # ------------------------------------------------------------------ places

    def _words(self, chart: ChartFrame, *, widest: bool = False) -> list[str]:
        """Return the entries of the legend with the numbers of this moment."""
        found = []
        for line, value, curve in zip(chart.declared.lines, chart.now, chart.curves, strict=False):
            number = "" if not math.isfinite(value) else number_text(value)
            if widest:
                most = max(len(number_text(end)) for end in curve.ends)
                number = "8" * max(most, 0 if line.of == "count" else 4)
            found.append(f"{line_word(line)} {number}".rstrip())
        return found

    def _plot(self, box: QRectF, chart: ChartFrame) -> tuple[QRectF, list[QRectF]]:
        """Return the area of the lines and the entries of the legend."""
        k = self.theme.px("small") / 12
        small = QFontMetricsF(self.theme.font("small"))
        inner = box.adjusted(12 * k, 5 * k, -14 * k, 0)
        title = chart.declared.title
        entries, tall = legend_places(self.theme, inner, self._words(chart, widest=True), 22.0)
        start = small.horizontalAdvance(title) * 1.12 + 22 * k if title else 0.0
        one_row = entries[-1].right() + start <= inner.right() and tall <= 18 * k + 1 if entries else True
        down = 0.0 if one_row else 18 * k if title else 0.0
        along = inner.right() - entries[-1].right() if entries and one_row and title else 0.0
        moved = [entry.translated(along, inner.top() + down) for entry in entries]
        top = inner.top() + down + tall + 8 * k
        if box.bottom() - 24 * k - top < LEAST * k:  # in a low view, the lines are more important than the legend
            moved, top = [], inner.top() + (22 * k if title else 4 * k)
        numbers = max(small.horizontalAdvance(text) for _, text in self._levels(box, chart))
        left = inner.left() + numbers + 8 * k + (16 * k if chart.declared.axis else 0.0)
        return QRectF(left, top, inner.right() - left, box.bottom() - 24 * k - top), moved

    def _levels(self, box: QRectF, chart: ChartFrame) -> list[tuple[float, str]]:
        """Return the numbers at the side."""
        k = self.theme.px("small") / 12
        count = min(max(int((box.height() - 60 * k) / (APART * k)), 2), 6)
        found = levels_between(chart.low, chart.high, count)
        whole = all(curve.whole for curve in chart.curves)
        return [each for each in found if each[0].is_integer()] if whole else found

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, chart: ChartFrame) -> None:
        """Draw the chart."""
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        k = self.theme.px("small") / 12
        if chart.problem:
            draw_reason(p, self.theme, box.adjusted(20 * k, 8 * k, -20 * k, -8 * k), chart.problem)
            p.restore()
            return
        plot, entries = self._plot(box, chart)
        line = QRectF(box.left() + 12 * k, box.top() + 5 * k, box.width() - 24 * k, 18 * k)
        if entries and entries[0].top() < line.bottom() - 1:
            line.setRight(entries[0].left() - 8 * k)
        self.ink.text(p, line, chart.declared.title, "small", "text.primary", semibold=True)
        self._legend(p, entries, chart, k)
        self._lines(p, box, plot, frame, chart)
        now = self._x(plot, chart, chart.t)
        p.setPen(QPen(self.theme.color("playhead"), 1.4))
        p.drawLine(QPointF(now, plot.top() - 3 * k), QPointF(now, plot.bottom() + 3 * k))
        for number, value in enumerate(chart.now):
            if math.isfinite(value):
                p.setPen(QPen(self.theme.color("surface.panel"), 1.2))
                p.setBrush(pen_of(self.theme, number, 1.0).color())
                p.drawEllipse(QPointF(now, self._y(plot, chart, value)), 3.2 * k, 3.2 * k)
        p.restore()

    def _legend(self, p: QPainter, entries: list[QRectF], chart: ChartFrame, k: float) -> None:
        for number, (place, words) in enumerate(zip(entries, self._words(chart), strict=False)):
            p.setPen(pen_of(self.theme, number, 2.0 * k))
            y = place.center().y()
            p.drawLine(QPointF(place.left(), y), QPointF(place.left() + 20 * k, y))
            self.ink.text(p, place.adjusted(26 * k, 0, 0, 0), words, "small", "text.secondary")

    def _x(self, plot: QRectF, chart: ChartFrame, t: float) -> float:
        return plot.left() + plot.width() * min(max(t / chart.end if chart.end > 0 else 0.0, 0.0), 1.0)

    def _y(self, plot: QRectF, chart: ChartFrame, value: float) -> float:
        share = (value - chart.low) / (chart.high - chart.low)
        return plot.bottom() - plot.height() * min(max(share, 0.0), 1.0)

    def _lines(self, p: QPainter, box: QRectF, plot: QRectF, frame: BasicFrame, chart: ChartFrame) -> None:
        """Draw the axes and the lines, from pictures that are kept until the run or the place changes."""
        key = (
            id(frame.scene), chart.declared, tuple(len(curve.times) for curve in chart.curves), chart.end, chart.low,
            chart.high, chart.until, plot.getRect(), len(chart.faults), chart.bounds,
        )  # fmt: skip
        self.layers.draw(p, "axes", key, box, box, lambda q, _: self._axes(q, box, plot, chart))
        air = plot.adjusted(-4, -4, 4, 4)
        now = self._x(plot, chart, chart.t)
        past, coming = QRectF(air), QRectF(air)
        past.setRight(now)
        coming.setLeft(now)
        self.layers.draw(p, "lines", key, air, past, lambda q, _: self._curves(q, plot, chart))
        if is_raster(p):
            self.layers.draw(p, "lines", key, air, coming, lambda q, _: self._curves(q, plot, chart), COMING)
        elif chart.t < chart.end:
            self.layers.draw(p, "coming", key, air, coming, lambda q, _: self._curves(q, plot, chart), COMING)

    def _axes(self, p: QPainter, box: QRectF, plot: QRectF, chart: ChartFrame) -> None:
        k = self.theme.px("small") / 12
        for value, text in self._levels(box, chart):
            y = self._y(plot, chart, value)
            p.setPen(QPen(self.theme.color("surface.grid"), 1))
            p.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            self.ink.text(p, QRectF(box.left(), y - 8 * k, plot.left() - 6 * k - box.left(), 16 * k), text, "small",
                          "text.secondary", RIGHT)  # fmt: skip
        p.setPen(QPen(self.theme.color("border.control"), 1))
        p.drawLine(plot.bottomLeft(), plot.bottomRight())
        self._times(p, plot, chart, k)
        self._faults(p, plot, chart, k)
        if chart.declared.axis and self.ink.width(chart.declared.axis, "small") <= plot.height() + 20 * k:
            p.save()
            p.translate(box.left() + 14 * k, plot.center().y())
            p.rotate(-90)
            long = plot.height() + 24 * k
            self.ink.text(p, QRectF(-long / 2, -8 * k, long, 16 * k), chart.declared.axis, "small", "text.hint", MIDDLE)
            p.restore()

    def _times(self, p: QPainter, plot: QRectF, chart: ChartFrame, k: float) -> None:
        if chart.end <= 0:
            return
        line = QRectF(plot.left(), plot.bottom() + 4 * k, plot.width(), 16 * k)
        time = trc("axis of a chart", "time")
        word = self.ink.width(time, "small")
        self.ink.text(p, line, time, "small", "text.hint", RIGHT)
        found, step = ticks((0.0, chart.end), max(int(plot.width() / (70 * k)), 2))
        for t in found.tolist():
            x = self._x(plot, chart, t)
            text = tick_text(t, step)
            wide = self.ink.width(text, "small")
            if x + wide / 2 < line.right() - word - 8 * k:
                p.setPen(QPen(self.theme.color("border.control"), 1))
                p.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3 * k))
                self.ink.text(p, QRectF(x - wide, line.top(), 2 * wide, line.height()), text, "small",
                              "text.secondary", MIDDLE)  # fmt: skip

    def _faults(self, p: QPainter, plot: QRectF, chart: ChartFrame, k: float) -> None:
        """Draw faults as marks on the time axis, and bounds as dashed lines."""
        ink = self.theme.color("fault.base")
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink)
        places = np.unique(np.round([self._x(plot, chart, t) for t in chart.faults.tolist()]))
        for x in places.tolist():
            foot, high, wide = plot.bottom() - 1, 7 * k, 3.5 * k
            p.drawPolygon(QPolygonF([QPointF(x, foot), QPointF(x - wide, foot - high), QPointF(x + wide, foot - high)]))
        for t in chart.bounds:
            if t <= chart.end:
                x = self._x(plot, chart, t)
                pen = QPen(self.theme.color("text.secondary"), 1.2)
                pen.setDashPattern([4.0, 3.0])
                p.setPen(pen)
                p.drawLine(QPointF(x, plot.top() - 3 * k), QPointF(x, plot.bottom()))
                word = QRectF(x + 4 * k, plot.top() - 6 * k, 60 * k, 14 * k)
                text = trc("a time in a chart", "bound")
                if word.left() + self.ink.width(text, "small") <= plot.right():
                    self.ink.text(p, word, text, "small", "text.hint")

    def _curves(self, p: QPainter, plot: QRectF, chart: ChartFrame) -> None:
        width = 1.8 * self.theme.px("small") / 12
        p.setBrush(Qt.BrushStyle.NoBrush)
        for number in range(len(chart.curves) - 1, -1, -1):
            p.setPen(pen_of(self.theme, number, width))
            for x, y in steps_of(chart.curves[number], chart.end, plot.width(), chart.until):
                share = (y - chart.low) / (chart.high - chart.low)
                ys = plot.bottom() - plot.height() * np.clip(share, 0.0, 1.0)
                path = QPainterPath()
                path.addPolygon(QPolygonF([QPointF(a, b) for a, b in zip((plot.left() + x).tolist(), ys.tolist(),
                                                                        strict=True)]))  # fmt: skip
                p.drawPath(path)

    # ------------------------------------------------------------------ pointing

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, chart: ChartFrame) -> str:
        """Describe the numbers at the time of a point, as rich text."""
        if chart.problem or chart.end <= 0:
            return ""
        plot, _ = self._plot(box, chart)
        if not plot.adjusted(-3, -6, 3, 6).contains(pos):
            return ""
        t = min(max((pos.x() - plot.left()) / plot.width(), 0.0), 1.0) * chart.end
        lines = [f"<b>{tr('time {time:.4g}', time=t)}</b>"]
        for line, curve in zip(chart.declared.lines, chart.curves, strict=True):
            value = curve.at(t)
            number = number_text(value) if math.isfinite(value) else trc("no number", "none")
            lines.append(f"{escape(line_word(line))}: {number}")
        return "<br>".join(lines)


def levels_between(low: float, high: float, count: int) -> list[tuple[float, str]]:
    """Return about ``count`` round numbers on a scale, with their texts."""
    step = nice_step(high - low, count)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(i * step, number_text(i * step)) for i in range(first, last + 1)] or [(low, number_text(low))]


def number_text(value: float) -> str:
    """Return a number with few digits as text."""
    if value != round(value) and abs(value) < 1000:
        return f"{value:.3g}"
    return tr("{number:,.0f}", number=value)


def steps_of(curve: Curve, end: float, wide: float, until: float = math.inf) -> list[tuple[Floats, Floats]]:
    """Return a step line for a picture of the given width: pieces of positions (pixels) and values, without gaps.

    The picture ends at the time ``end``, the line at ``until`` if that is earlier.

    Where many changes fall on one pixel, there is a stroke from the smallest to the largest of them.
    """
    if not len(curve.times):
        return []
    x = np.clip(curve.times / end, 0.0, 1.0) * wide if end > 0 else np.zeros(len(curve.times))
    y = curve.values
    if len(x) > 4 * max(wide, 1.0):
        x, y = _thinned(x, y)
    # A step: along at the old value, then up or down to the new one.
    last = wide * min(until / end, 1.0) if end > 0 else wide
    px, py = np.repeat(np.append(x, last), 2)[1:-1], np.repeat(y, 2)
    known = np.isfinite(py)
    edges = np.flatnonzero(np.diff(known.astype(np.int8)) != 0) + 1
    pieces = zip(np.split(px, edges), np.split(py, edges), strict=True)
    return [(a, b) for a, b in pieces if len(a) and np.isfinite(b[0])]


def _thinned(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the first, smallest, largest and last value at every pixel."""
    pixel = np.floor(x).astype(np.int64)
    starts = np.flatnonzero(np.append(True, pixel[1:] != pixel[:-1]))
    stops = np.append(starts[1:], len(x)) - 1
    gaps = np.isnan(y)
    low, high = np.where(gaps, np.inf, y), np.where(gaps, -np.inf, y)
    rows = np.column_stack((y[starts], np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts), y[stops]))
    rows = np.where(np.isinf(rows), np.nan, rows)
    at = np.repeat(pixel[starts].astype(np.float64), 4)
    return at, rows.ravel()
