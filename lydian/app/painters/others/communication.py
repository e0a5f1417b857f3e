"""The painter of the communication view, whose columns become a sorted curve when there are a thousand of them."""

from __future__ import annotations

import html
import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from lydian.app.look.shapes import draw_head, draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.ink import LEFT, MIDDLE, RIGHT, Ink
from lydian.app.painters.others.curve import CurvePart, Plot, curve_order
from lydian.app.painters.pieces.masks import draw_mask
from lydian.language import tr
from lydian.views.others.communication import CommunicationFrame
from lydian.views.selection import Hit
from lydian.views.words.words import plural

__all__ = ["CommunicationPainter"]


class CommunicationKey:
    """The painter of the area above the columns."""

    def __init__(self, theme: Theme, ink: Ink) -> None:
        self.theme, self.ink = theme, ink

    def paint(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        """Draw the legend on the right, and beside it as many words of the theory as there is room for."""
        edge = self._entries(p, plot, frame)
        k = plot.k
        room = QRectF(plot.rect.left() + 14 * k, plot.rect.top() + 7 * k, 0, 28 * k)
        room.setRight(edge - 12 * k)
        for words in frame.expects:
            if self.ink.width(words, "small") <= room.width():
                self.ink.text(p, room, words, "small", "text.secondary", LEFT)
                return

    def _entries(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> float:
        """Draw the kinds that occur, and the outline of messages to come, at the top right; return the left edge."""
        k = plot.k
        font = self.theme.font("small")
        metrics = QFontMetricsF(font)
        entries: list[tuple[int, str]] = [(kind, label) for kind, label in zip(frame.kinds, frame.labels, strict=True)]
        if frame.to_come.any():
            entries.append((-1, tr("still to come")))
        if frame.show_degree:
            entries.append((-2, tr("links")))
        room = plot.rect.width() - 40 * k
        widths = [metrics.horizontalAdvance(text) + 38 * k for _, text in entries]
        while entries and sum(widths) > room:
            entries, widths = entries[1:], widths[1:]
        if not entries:
            return plot.rect.right() - 12 * k
        box = QRectF(0, 0, sum(widths) + 6 * k, 28 * k)
        box.moveTopRight(QPointF(plot.rect.right() - 12 * k, plot.rect.top() + 7 * k))
        p.setPen(QPen(self.theme.color("border.subtle"), 1))
        p.setBrush(self.theme.color("surface.overlay"))
        p.drawRoundedRect(box, 7, 7)
        x = box.left() + 12 * k
        for (kind, text), width in zip(entries, widths, strict=True):
            mark = QRectF(x, box.center().y() - 5.5 * k, 13 * k, 11 * k)
            if kind >= 0 and frame.what == "accesses":
                p.fillRect(mark, self.theme.message(kind).color)
            elif kind >= 0:
                draw_head(p, self.theme, mark.center().x(), mark.center().y(), 0.0, kind, 12 * k)
            elif kind == -1:
                pen = QPen(self.theme.color("link.base"), 1)
                pen.setDashPattern([2.5, 2.5])
                p.setPen(pen)
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRect(mark)
            else:
                p.setPen(QPen(self.theme.color("text.primary"), 1.4))
                p.setBrush(self.theme.color("surface.panel"))
                p.drawEllipse(mark.center(), 4 * k, 4 * k)
            place = QRectF(mark.right() + 7 * k, box.top(), width, box.height())
            self.ink.text(p, place, text, "small", "text.secondary", LEFT)
            x += width
        return box.left()


#: The width in pixels below which columns become a curve.
CURVE_BELOW = 4.0


class CommunicationPainter:
    """The painter of a :class:`CommunicationFrame` on any device of a QPainter."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.ink = Ink(theme)
        self._curve = CurvePart(theme, self.ink)
        self._key = CommunicationKey(theme, self.ink)

    # the plan of the areas

    def _plot(self, rect: QRectF, frame: CommunicationFrame) -> Plot:
        k = self.theme.px("small") / 12
        n = max(len(frame.columns), 1)
        digits = len(f"{frame.top:,}")
        left = rect.left() + (18 + max(digits, 3) * 7) * k
        right = rect.right() - 14 * k
        pitch = (right - left) / n
        curve = pitch < CURVE_BELOW
        legend = rect.height() >= 190 * k
        above = (52 if legend else 24) * k
        below = 30 * k if curve else 62 * k if pitch >= 15 * k else 40 * k
        area = QRectF(left, rect.top() + above, max(right - left, 1), max(rect.height() - above - below, 1))
        step = _step(frame.top, area.height() / (30 * k))
        top = max(frame.top, 1) * 1.0 + (0.0 if curve else 0.25)
        return Plot(rect, area, pitch, top, step, k, curve, legend)

    def paint(self, p: QPainter, rect: QRectF, frame: CommunicationFrame, camera: object = None) -> None:
        """Draw the frame into ``rect``; there is no camera, because every column is always in view."""
        p.save()
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setClipRect(rect)
            p.fillRect(rect, self.theme.color("surface.panel"))
            plot = self._plot(rect, frame)
            if not len(frame.columns):
                self.ink.text(p, QRectF(rect), tr("There are no processes."), "body", "text.hint", MIDDLE)
                return
            if plot.curve:
                self._axis(p, plot)
                self._curve.paint(p, plot, frame)
            else:
                self._tints(p, plot, frame)
                self._axis(p, plot)
                self._columns(p, plot, frame)
                self._below(p, plot, frame)
            if plot.legend:
                self._key.paint(p, plot, frame)
        finally:
            p.restore()

    # parts of the picture

    def _tints(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        """Tint the columns of selected processes, and the hovered one."""
        edge = 6 * plot.k
        for c in np.flatnonzero(frame.selected).tolist():
            strip = QRectF(
                plot.x(c) - plot.pitch / 2, plot.rect.top() + edge, plot.pitch, plot.rect.height() - 2 * edge
            )
            p.fillRect(strip, self.theme.color("accent.soft"))
        if frame.hover >= 0:
            strip = QRectF(plot.x(frame.hover) - plot.pitch / 2, plot.rect.top() + edge, plot.pitch, 1)
            strip.setBottom(plot.rect.bottom() - edge)
            p.setPen(QPen(self.theme.color("selection"), 1.3))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawRoundedRect(strip, 4, 4)

    def _axis(self, p: QPainter, plot: Plot) -> None:
        grid, strong = self.theme.color("border.subtle"), self.theme.color("border.control")
        left, right = plot.area.left(), plot.area.right()
        for value in range(0, int(plot.top) + 1, plot.step):
            y = round(plot.y(value)) + 0.5
            p.setPen(QPen(strong if value == 0 else grid, 1))
            p.drawLine(QPointF(left, y), QPointF(right, y))
            box = QRectF(plot.rect.left(), y - 10 * plot.k, left - plot.rect.left() - 8 * plot.k, 20 * plot.k)
            self.ink.text(p, box, tr("{number:,}", number=value), "caption", "text.hint", RIGHT)

    def _columns(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        width = max(1.0, min(plot.pitch * (0.54 if plot.pitch > 20 else 0.72), 54 * plot.k))
        heights = frame.heights
        final = heights + frame.to_come.sum(axis=1)
        outline = QPen(self.theme.color("link.base"), 1)
        outline.setDashPattern([2.5, 2.5])
        outline.setCapStyle(Qt.PenCapStyle.FlatCap)
        colors = [QColor(self.theme.message(kind).color) for kind in frame.kinds]
        for c in range(len(frame.columns)):
            x = plot.x(c) - width / 2
            if final[c] > heights[c]:
                p.setPen(outline)
                p.setBrush(Qt.BrushStyle.NoBrush)
                top = QRectF(x, plot.y(float(final[c])), width, plot.y(float(heights[c])) - plot.y(float(final[c])))
                p.drawPolyline(QPolygonF([top.bottomLeft(), top.topLeft(), top.topRight(), top.bottomRight()]))
            below = 0
            for count, color in zip(frame.so_far[c], colors, strict=True):
                if count:
                    lower, upper = plot.y(below), plot.y(float(below + count))
                    gap = 1.0 if below and lower - upper > 3 else 0.0
                    p.fillRect(QRectF(x, upper, width, lower - upper - gap), color)
                    below += int(count)
        if frame.show_degree:
            self._degrees(p, plot, frame, width)
        self._mean(p, plot, frame)
        if self._numbered(plot):
            for c in range(len(frame.columns)):
                if heights[c]:
                    self._number(p, plot, frame, c, int(heights[c]))

    def _number(self, p: QPainter, plot: Plot, frame: CommunicationFrame, c: int, value: int) -> None:
        """Draw the number on a column, above any mark there, unless it is wider than its place."""
        text = tr("{number:,}", number=value)
        font = self.theme.font("small", semibold=True)
        if QFontMetricsF(font).horizontalAdvance(text) > plot.pitch - 2:
            return
        back = self.theme.color("accent.soft" if frame.selected[c] else "surface.panel")
        y = plot.y(value)
        mark = plot.y(min(float(frame.degree[c]), plot.top)) if frame.show_degree else math.inf
        if y - 17 * plot.k < mark < y + 5 * plot.k:
            y = mark - 5 * plot.k
        self.ink.halo(p, QPointF(plot.x(c), y - 4 * plot.k), text, "small", "text.primary", back)

    def _degrees(self, p: QPainter, plot: Plot, frame: CommunicationFrame, width: float) -> None:
        """Draw hollow marks at the number of links."""
        p.setPen(QPen(self.theme.color("text.primary"), 1.4))
        p.setBrush(self.theme.color("surface.panel"))
        r = min(4.0 * plot.k, width / 2)
        for c, degree in enumerate(frame.degree):
            p.drawEllipse(QPointF(plot.x(c), plot.y(min(float(degree), plot.top))), r, r)

    def _mean(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        if not frame.heights.any():
            return
        y = plot.y(frame.mean)
        pen = QPen(self.theme.color("text.primary"), 1.6)
        pen.setDashPattern([4.5, 2.6])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        p.setPen(pen)
        p.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y))
        text = tr("mean {mean:,.2f}", mean=frame.mean) if frame.mean < 1000 else tr("mean {mean:,.0f}", mean=frame.mean)
        k, wide = plot.k, self.ink.width(text, "small", semibold=True) + 8 * plot.k
        chip = self._free(plot, frame, QRectF(plot.area.right() - wide, y - 19 * k, wide, 17 * k), 21 * k)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(self.theme.color("surface.overlay"))
        p.drawRoundedRect(chip, 3, 3)
        self.ink.text(p, chip, text, "small", "text.primary", MIDDLE, semibold=True)

    def _free(self, plot: Plot, frame: CommunicationFrame, chip: QRectF, down: float) -> QRectF:
        """Return a place for the mean's label, above or below its line, where it hides no number; prefer the right."""
        if not self._numbered(plot):
            return chip
        k = plot.k
        numbers = [
            QRectF(plot.x(c) - 7 * k, plot.y(float(h)) - 16 * k, 14 * k, 15 * k) for c, h in enumerate(frame.heights)
        ]
        for step in range(len(frame.columns) // 2):
            for dy in (0.0, down):
                place = chip.translated(-step * plot.pitch, dy)
                if not any(place.intersects(box) for box in numbers):
                    return place
        return chip

    def _numbered(self, plot: Plot) -> bool:
        """Return whether columns are wide enough for their numbers."""
        return plot.pitch >= 17 * plot.k

    def _below(self, p: QPainter, plot: Plot, frame: CommunicationFrame) -> None:
        """Draw state shapes, ids, and circles that show the size of the largest message."""
        k, base = plot.k, plot.area.bottom()
        small = plot.pitch < 15 * k
        d = max(4.0, min(13 * k, plot.pitch - 3))
        metrics = QFontMetricsF(self.theme.font("small", semibold=True))
        widest = max(metrics.horizontalAdvance(name) for name in frame.names)
        beside = plot.pitch >= d + widest + 12 * k
        every = 1 if beside else max(1, math.ceil((widest + 6 * k) / plot.pitch))
        for c, name in enumerate(frame.names):
            x = plot.x(c)
            weight = bool(frame.selected[c])
            if beside:
                wide = d + 5 * k + metrics.horizontalAdvance(name)
                at, y = x - wide / 2 + d / 2, base + 17 * k
                box = QRectF(at + d / 2 + 5 * k, y - 10 * k, widest + 4 * k, 20 * k)
                self.ink.text(p, box, name, "small", "text.primary", LEFT, semibold=weight)
            else:
                at, y = x, base + 10 * k
                crowded = bool(frame.selected[max(0, c - every + 1) : c + every].any())
                if weight or (c % every == 0 and not crowded):
                    box = QRectF(x - widest, base + 17 * k, 2 * widest, 18 * k)
                    self.ink.text(p, box, name, "caption", "text.primary", MIDDLE, semibold=weight)
            slot, crashed = int(frame.slots[c]), bool(frame.crashed[c])
            draw_process(p, self.theme, at, y, d, slot, crashed=crashed)
            if c in frame.liars:
                draw_mask(p, self.theme, at - d * 0.5, y - d * 0.35, max(d * 0.8, 7.0))
        if small or not frame.scale_bits:
            return
        y = base + (41 if beside else 46) * k
        box = QRectF(plot.rect.left(), y - 10 * k, plot.area.left() - plot.rect.left() - 8 * k, 20 * k)
        self.ink.text(p, box, tr("bits"), "caption", "text.hint", RIGHT)
        constant = frame.constant_bits is not None
        p.setPen(QPen(self.theme.color("link.base" if constant else "border.strong"), 1))
        p.setBrush(self.theme.color("link.dim"))
        most = min(9.0 * k, plot.pitch / 2 - 1)
        for c, bits in enumerate(frame.largest):
            if bits:
                share = 0.5 if constant else float(bits) / frame.scale_bits
                r = max(1.5, most * math.sqrt(share))
                p.drawEllipse(QPointF(plot.x(c), y), r, r)

    # pointer

    def hit(self, pos: QPointF, rect: QRectF, frame: CommunicationFrame, camera: object = None) -> Hit | None:
        """Return the process whose column is at ``pos``."""
        plot = self._plot(rect, frame)
        c = plot.column(pos.x(), len(frame.columns))
        if c < 0 or not rect.contains(pos):
            return None
        if plot.curve:
            c = int(curve_order(frame)[c])
        return Hit("process", int(frame.columns[c]))

    def place_of(self, process: int, rect: QRectF, frame: CommunicationFrame, camera: object = None) -> QRectF | None:
        """Return the column of a process, from the upper edge of the plot to the lower edge of the view."""
        plot = self._plot(rect, frame)
        shown = frame.columns[curve_order(frame)] if plot.curve else frame.columns
        found = np.flatnonzero(shown == process)
        if not len(found):
            return None
        left = plot.area.left() + int(found[0]) * plot.pitch
        return QRectF(left, plot.area.top(), plot.pitch, rect.bottom() - plot.area.top())

    def swept(self, start: QPointF, end: QPointF, rect: QRectF, frame: CommunicationFrame) -> set[int]:
        """Return the processes whose columns are between two points."""
        plot = self._plot(rect, frame)
        n = len(frame.columns)
        edges = [(x - plot.area.left()) / plot.pitch for x in sorted((start.x(), end.x()))]
        first, last = max(math.floor(edges[0]), 0), min(math.floor(edges[1]), n - 1)
        order = curve_order(frame) if plot.curve else np.arange(n)
        return set(frame.columns[order[first : last + 1]].tolist())

    def tooltip(self, hit: Hit | None, frame: CommunicationFrame) -> str:
        """Describe the exact counts of a column by kind, as rich text, or without a column the theory of the whole."""
        if hit is None or hit.kind != "process" or hit.id not in frame.columns:
            return html.escape(frame.about)
        c = int(np.flatnonzero(frame.columns == hit.id)[0])
        name = tr("Process {process}", process=html.escape(frame.names[c]))
        height = int(frame.heights[c])
        so_far = {
            "sent": tr("sent so far: {count:,}", count=height),
            "received": tr("received so far: {count:,}", count=height),
            "bits": tr("bits sent so far: {count:,}", count=height),
            "accesses": tr("accesses so far: {count:,}", count=height),
        }[frame.what]
        lines = [f"<b>{name}</b>, {so_far}"]
        for label, now, more in zip(frame.labels, frame.so_far[c], frame.to_come[c], strict=True):
            rest = tr(", {count:,} to come", count=int(more)) if more else ""
            lines.append(f"{html.escape(label)}: {tr('{number:,}', number=int(now))}{rest}")
        if frame.largest[c]:
            lines.append(tr("largest message sent: {bits}", bits=plural(int(frame.largest[c]), "bit")))
        lines.append(plural(int(frame.degree[c]), "link"))
        return "<br>".join(lines)


def _step(top: int, most: float) -> int:
    """Return the distance of the ticks: 1, 2 or 5 times a power of ten, with at most ``most`` ticks."""
    wanted = max(top, 1) / max(most, 1.0)
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power >= wanted:
                return factor * power
        power *= 10
