"""The painter of the knowledge view: a matrix of cells, or of pixels for many processes, with a bar for each row."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from lydian.app.look.shapes import draw_process
from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.ink import LEFT, MIDDLE, RIGHT, Ink
from lydian.app.painters.layers import is_raster
from lydian.app.painters.pieces.masks import draw_mask
from lydian.app.painters.time.axis import Geometry, alpha, geometry
from lydian.app.painters.time.gutter import draw_gutter
from lydian.language import tr, trc
from lydian.views.others.knowledge import KnowledgeFrame, PairHit, explain
from lydian.views.selection import Hit

__all__ = ["KnowledgePainter", "contrast"]


def legend(
    p: QPainter, theme: Theme, strip: QRectF, frame: KnowledgeFrame, ramp: Sequence[QColor], *, cells: bool
) -> None:
    """Draw the scale of shades, the current marks (if there are ``cells``), and a tick when all processes know of all.

    ``ramp`` holds the colours from the weakest shade to the strongest.
    """
    ink, k = Ink(theme), theme.px("small") / 12
    words = {
        "recent": (tr("known up to: start"), trc("end of a scale", "now")),
        "lamport": (tr("known up to: Lamport time 0"), tr("{number:,}", number=int(frame.lamport.max(initial=0)))),
        "first": (tr("first heard: start"), trc("end of a scale", "now")),
    }[frame.shade]
    y = strip.center().y()
    x = strip.left() + 12 * k
    line = QRectF(x, strip.top(), strip.right() - x - 12 * k, strip.height())
    x += ink.text(p, line, words[0], "small", "text.secondary") + 7 * k
    bar = QRectF(x, y - 5.5 * k, 66 * k, 11 * k)
    p.setPen(Qt.PenStyle.NoPen)
    for step in range(22):
        p.setBrush(ramp[round(step * (len(ramp) - 1) / 21)])
        p.drawRect(QRectF(bar.left() + step * bar.width() / 22, bar.top(), bar.width() / 22 + 0.3, bar.height()))
    p.setPen(QPen(theme.color("chain.past"), 1))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRect(bar)
    x = bar.right() + 7 * k
    line.setLeft(x)
    x += ink.text(p, line, words[1], "small", "text.secondary") + 20 * k
    entries = {
        "coming": (tr("in transit"), cells and frame.coming is not None),
        "fresh": (tr("just heard"), cells and frame.fresh is not None),
        "everybody": (tr("all processes know of all"), frame.everybody is not None),
    }
    for mark, (text, occurs) in entries.items():
        if not occurs:
            continue
        if x + ink.width(text, "small") + 30 * k > strip.right():
            break
        x = _entry(p, theme, QRectF(x, y - 6 * k, 12 * k, 12 * k), mark, text, k) + 18 * k


def _entry(p: QPainter, theme: Theme, box: QRectF, mark: str, words: str, k: float) -> float:
    """Draw one mark and its words, and return where they end."""
    past = theme.color("chain.past")
    p.setBrush(Qt.BrushStyle.NoBrush)
    if mark == "coming":
        p.setPen(QPen(theme.color("border.control"), 1))
        p.drawRect(box)
        p.fillRect(box.adjusted(0.5, box.height() * 0.45, -0.5, -0.5), alpha(past, 0.35))
    elif mark == "fresh":
        p.setPen(QPen(theme.color("text.primary"), 2))
        p.setBrush(past)
        p.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        pen = QPen(theme.color("check.holds"), 2.2)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        p.setPen(pen)
        tick = QPainterPath(QPointF(box.left() + 1, box.center().y()))
        tick.lineTo(box.left() + box.width() * 0.4, box.bottom() - 2)
        tick.lineTo(box.right() - 0.5, box.top() + 1.5)
        p.drawPath(tick)
    place = QRectF(box.right() + 7 * k, box.top() - 6 * k, 400 * k, box.height() + 12 * k)
    return place.left() + Ink(theme).text(p, place, words, "small", "text.secondary")


def contrast(a: QColor, b: QColor) -> float:
    """Return the contrast of two colours as defined by WCAG 2."""

    def luminance(color: QColor) -> float:
        parts = (color.redF(), color.greenF(), color.blueF())
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


#: The size below which cells are pixels of a picture.
RIMMED = 11.0
#: The size below which cells have no gaps between them, and processes no shapes.
SHAPED = 5.0
#: The number of shades of cells that are drawn one by one.
LEVELS = 16
#: The share of the colour in the weakest known cell.
WEAKEST = 0.2


@dataclass(frozen=True)
class _Plan:
    """The plan of the view: the rows (``g``), square cells of ``cell`` pixels, the bars, the legend."""

    rect: QRectF
    g: Geometry
    cell: float
    bars: QRectF
    legend: QRectF | None
    k: float

    @property
    def matrix(self) -> QRectF:
        side = self.cell * self.g.rows
        return QRectF(self.g.left, self.g.top, side, side)

    def box(self, row: int, column: int) -> QRectF:
        """Return a cell without the gap to the next one."""
        gap = 0.0 if self.cell < SHAPED else 1.0 if self.cell < 16 else 2.0
        x, y = self.g.left + column * self.cell, self.g.top + row * self.cell
        return QRectF(x + gap / 2, y + gap / 2, self.cell - gap, self.cell - gap)

    def column(self, x: float) -> int:
        column = math.floor((x - self.g.left) / self.cell)
        return column if 0 <= column < self.g.rows else -1


class KnowledgePainter:
    """The painter of a :class:`KnowledgeFrame` on any device of a QPainter."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.ink = Ink(theme)
        past, ground = theme.color("chain.past"), theme.color("surface.panel")
        shares = [WEAKEST + (1 - WEAKEST) * level / 255 for level in range(256)]
        self._ramp = [mixed(ground, past, share) for share in shares]
        self._pixels = np.array([color.rgb() for color in self._ramp], dtype=np.uint32)

    def _plan(self, rect: QRectF, frame: KnowledgeFrame) -> _Plan:
        k, n = self.theme.px("small") / 12, max(len(frame.names), 1)
        g = geometry(self.theme, rect, (0.0, 1.0), n, frame.names)
        low = rect.height() >= 190 * k and rect.width() >= 260 * k
        foot = 34 * k if low else 6.0
        room = max(rect.right() - 14 * k - g.left, 1.0)
        least = min(96 * k, room * 0.3)
        cell = max(min((room - least) / n, (rect.bottom() - foot - g.top) / n, 58 * k), 1e-3)
        if cell >= SHAPED:
            cell = math.floor(cell * 2) / 2
        bottom = g.top + n * cell
        left = g.left + n * cell + 14 * k
        wide = rect.right() - 14 * k - left
        legend = QRectF(rect.left(), rect.bottom() - foot, rect.width(), foot) if low else None
        legend = None if legend is None else legend.translated(0, min(0.0, bottom + 8 * k - legend.top()))
        g = replace(g, right=g.left + n * cell, bottom=bottom)
        return _Plan(rect, g, cell, QRectF(left, g.top, max(wide, 1.0), n * cell), legend, k)

    def paint(self, p: QPainter, rect: QRectF, frame: KnowledgeFrame, camera: object = None) -> None:
        """Draw the frame into ``rect``; there is no camera, because every process is always in view."""
        p.save()
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setClipRect(rect)
            p.fillRect(rect, self.theme.color("surface.panel"))
            if not frame.names:
                text = frame.missing or tr("There are no processes.")
                self.ink.text(p, rect.adjusted(12, 0, -12, 0), text, "body", "text.hint", MIDDLE)
                return
            plan = self._plan(rect, frame)
            self._tints(p, plan, frame)
            if plan.cell >= RIMMED:
                self._cells(p, plan, frame)
            else:
                self._image(p, plan, frame)
            if plan.cell >= SHAPED:
                self._shapes(p, plan, frame)
            self._heads(p, plan, frame)
            self._gutter(p, plan, frame)
            self._bars(p, plan, frame)
            self._marks(p, plan, frame)
            if plan.legend is not None:
                legend(p, self.theme, plan.legend, frame, self._ramp, cells=plan.cell >= RIMMED)
        finally:
            p.restore()

    # ------------------------------------------------------------------ the matrix

    def _strips(self, plan: _Plan, row: int, column: int) -> list[QRectF]:
        """Return the whole row and the whole column of a cell; a number below 0 leaves one out."""
        strips = []
        thick = max(plan.cell, 1.0)
        if row >= 0:
            strips.append(QRectF(plan.rect.left() + 2, plan.g.top + row * plan.cell, plan.rect.width() - 4, thick))
        if column >= 0:
            x = plan.g.left + column * plan.cell
            strips.append(QRectF(x, plan.rect.top() + 2, thick, plan.g.bottom - plan.rect.top() - 2))
        return strips

    def _tints(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame) -> None:
        for r in np.flatnonzero(frame.selected).tolist():
            for strip in self._strips(plan, r, r):
                p.fillRect(strip, self.theme.color("accent.soft"))

    def _cells(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame) -> None:
        off = ~np.eye(len(frame.names), dtype=bool)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.theme.color("border.subtle"), 1))
        empty = np.argwhere(~frame.known & off).tolist()
        p.drawRects([plan.box(r, c).adjusted(0.5, 0.5, -0.5, -0.5) for r, c in empty])
        if frame.coming is not None:
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(self.theme.color("chain.pastSoft"))
            for r, c in np.argwhere(frame.coming > 0).tolist():
                box = plan.box(r, c)
                p.drawRect(QRectF(box.left(), box.bottom(), box.width(), -box.height() * float(frame.coming[r, c])))
        level = np.where(frame.known & off, np.rint(frame.strength * LEVELS), -1).astype(np.int64)
        edge = self.theme.color("chain.past")
        for value in np.unique(level[level >= 0]).tolist():
            cells = np.argwhere(level == value).tolist()
            boxes = [plan.box(r, c).adjusted(0.5, 0.5, -0.5, -0.5) for r, c in cells]
            p.setPen(QPen(edge, 1))
            p.setBrush(self._ramp[round(value * 255 / LEVELS)])
            p.drawRects(boxes)
        if frame.shade == "lamport" and plan.cell >= 20 * plan.k:
            self._numbers(p, plan, frame, level)
        if frame.fresh is not None:
            p.setBrush(Qt.BrushStyle.NoBrush)
            ink = self.theme.color("text.primary")
            for r, c in np.argwhere(frame.fresh > 0).tolist():
                share = float(frame.fresh[r, c])
                pen = QPen(alpha(ink, min(1.0, 0.25 + share)), min(2.2, plan.cell / 7))
                pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
                p.setPen(pen)
                grown = share * min(1.5, plan.cell / 12) - 0.5
                p.drawRect(plan.box(r, c).adjusted(-grown, -grown, grown, grown))

    def _shapes(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame) -> None:
        """Draw the processes on the diagonal."""
        n = len(frame.names)
        d = min(plan.cell * 0.66, 30 * plan.k)
        named = plan.cell >= 30 * plan.k
        for r in range(n):
            at = plan.box(r, r).center()
            draw_process(
                p, self.theme, at.x(), at.y(), d, int(frame.slots[r]), frame.names[r] if named else "",
                crashed=bool(frame.crashed[r]),
            )  # fmt: skip
            if r in frame.liars and d >= 10:
                draw_mask(p, self.theme, at.x() - d * 0.48, at.y() - d * 0.42, max(d * 0.54, 9.0))

    def _numbers(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame, level: np.ndarray) -> None:
        """Draw the entries of the vector clocks as Lamport times."""
        for r, c in np.argwhere(level >= 0).tolist():
            ground = self._ramp[round(int(level[r, c]) * 255 / LEVELS)]
            text = f"{int(frame.lamport[r, c])}"
            color = max(("text.primary", "surface.panel"), key=lambda name: contrast(self.theme.color(name), ground))
            self.ink.text(p, plan.box(r, c), text, "caption", color, MIDDLE, semibold=True)

    def _image(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame) -> None:
        """Return all cells as one picture, with the colours of the states on the diagonal."""
        n = len(frame.names)
        levels = (frame.strength * 255).astype(np.uint8)
        pixels = np.where(frame.known, self._pixels[levels], np.uint32(self.theme.color("surface.panelAlt").rgb()))
        own = [self.theme.color("fault.base") if c else self.theme.state(int(s)).fill
               for s, c in zip(frame.slots, frame.crashed, strict=True)]  # fmt: skip
        np.fill_diagonal(pixels, np.array([color.rgb() for color in own], dtype=np.uint32))
        pixels = np.ascontiguousarray(pixels, dtype=np.uint32)
        image = QImage(pixels.data, n, n, 4 * n, QImage.Format.Format_RGB32)
        ratio = p.device().devicePixelRatioF() * max(1.0, abs(p.worldTransform().m11()))
        side = max(1, round(plan.cell * n * ratio))
        smooth = side < n
        if smooth and is_raster(p):
            image = image.scaled(
                side, side, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
        p.save()
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        p.drawImage(plan.matrix, image)
        p.restore()
        if plan.cell >= SHAPED:
            p.setPen(QPen(self.theme.color("surface.panel"), 1))
            places = (plan.g.left + np.arange(1, n) * plan.cell).tolist()
            p.drawLines([QLineF(x, plan.g.top, x, plan.g.bottom) for x in places])
            places = (plan.g.top + np.arange(1, n) * plan.cell).tolist()
            p.drawLines([QLineF(plan.g.left, y, plan.g.right, y) for y in places])
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.theme.color("border.control"), 1))
        p.drawRect(plan.matrix.adjusted(-0.5, -0.5, 0.5, 0.5))
        ring = self.theme.color("selection")
        for r in np.flatnonzero(frame.selected).tolist():
            for strip in self._strips(plan, r, r):
                p.fillRect(strip.intersected(plan.matrix), alpha(ring, 0.28))

    def _marks(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame) -> None:
        """Draw the marks: what the selected event taught, the pointer, and the frame when all processes know of all."""
        p.setBrush(Qt.BrushStyle.NoBrush)
        ring = self.theme.color("selection")
        if frame.taught is not None:
            p.setPen(QPen(ring, min(2.5, max(1.2, plan.cell / 5))))
            for r, c in np.argwhere(frame.taught).tolist():
                p.drawRect(plan.box(r, c))
        if frame.everybody is not None:
            p.setPen(QPen(self.theme.color("check.holds"), 2.0))
            p.drawRoundedRect(plan.matrix.adjusted(-3, -3, 3, 3), 3, 3)
        row, column = frame.hover
        p.setPen(QPen(ring, 1.3))
        for strip in self._strips(plan, row, column):
            p.drawRoundedRect(strip.adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4)
        if row >= 0 and column >= 0 and row != column and plan.cell >= 4:
            p.setPen(QPen(ring, 2.0))
            p.drawRect(plan.box(row, column))

    # ------------------------------------------------------------------ beside the matrix

    def _heads(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame) -> None:
        """Draw as many names of columns as there is room for, and the meaning of the columns."""
        k, top = plan.k, plan.g.top
        corner = QRectF(plan.rect.left() + 6 * k, top - 20 * k, plan.g.left - plan.rect.left() - 12 * k, 18 * k)
        self.ink.text(
            p,
            corner,
            trc("head of the rows of processes", "knows"),
            "caption",
            "text.hint",
            RIGHT if plan.cell >= 12 * k else LEFT,
        )
        font = self.theme.font("caption", semibold=True)
        widest = max(QFontMetricsF(font).horizontalAdvance(name) for name in frame.names)
        every = max(1, math.ceil((widest + 5 * k) / plan.cell))
        lit = set(np.flatnonzero(frame.selected).tolist()) | {c for c in frame.hover[1:] if c >= 0}
        shown = sorted(lit) if len(lit) * every <= len(frame.names) else []
        for c in [*shown, *(c for c in range(0, len(frame.names), every) if all(abs(c - s) >= every for s in shown))]:
            x = plan.g.left + (c + 0.5) * plan.cell
            wide = min(widest + 8 * k, max(132 * k, plan.cell))
            box = QRectF(x - wide / 2, top - 20 * k, wide, 18 * k)
            self.ink.text(p, box, frame.names[c], "caption", "text.secondary", MIDDLE, semibold=c in lit)

    def _gutter(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame) -> None:
        rows = np.arange(len(frame.names), dtype=np.int32)
        selected = np.flatnonzero(frame.selected).tolist()
        row = frame.hover[0]
        slots, crashed = frame.slots.astype(np.int16), frame.crashed
        draw_gutter(
            p, self.theme, plan.g, rows, frame.names, slots, crashed, selected, row if row >= 0 else None,
            liars=frame.liars,
        )  # fmt: skip
        if plan.g.pitch < 9:  # too low for all names: show those of the selected rows that do not collide
            last = -math.inf
            back = self.theme.color("surface.panel")
            for r in sorted({*selected, *([row] if row >= 0 else [])}):
                y = plan.g.y(r)
                if y - last >= 16 * plan.k:
                    at = QPointF((plan.rect.left() + plan.g.left) / 2, y + 4 * plan.k)
                    self.ink.halo(p, at, frame.names[r], "small", "text.primary", back)
                    last = y

    def _bars(self, p: QPainter, plan: _Plan, frame: KnowledgeFrame) -> None:
        """Draw the number of processes of which each process knows."""
        k, n = plan.k, len(frame.names)
        numbered = plan.cell >= 12 * k
        wide = self.ink.width(tr("all {count:,}", count=n), "small", semibold=True) + 10 * k if numbered else 0.0
        area = QRectF(plan.bars.left(), plan.bars.top(), max(plan.bars.width() - wide, 4.0), plan.bars.height())
        title = QRectF(area.left(), plan.g.top - 20 * k, plan.rect.right() - area.left() - 4 * k, 18 * k)
        self.ink.text(p, title, tr("of how many of {count:,}", count=n), "caption", "text.hint", LEFT)
        thick = min(plan.cell * 0.5, 16 * k) if numbered else plan.cell * (0.7 if plan.cell >= 3 else 1.0)
        scale = area.width() / n
        past = self.theme.color("chain.past")
        p.setPen(QPen(self.theme.color("border.control"), 1))
        p.drawLine(QPointF(area.left(), area.top()), QPointF(area.left(), area.bottom()))
        p.setPen(QPen(self.theme.color("border.subtle"), 1))
        p.drawLine(QPointF(area.right(), area.top()), QPointF(area.right(), area.bottom()))
        tops = plan.g.top + (np.arange(n) + 0.5) * plan.cell - thick / 2
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(past)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, plan.cell >= SHAPED)
        lengths = (frame.counts * scale).tolist()
        p.drawRects([QRectF(area.left(), y, w, thick) for y, w in zip(tops.tolist(), lengths, strict=True)])
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        if not numbered:
            return
        outline = QPen(self.theme.color("link.base"), 1)
        outline.setDashPattern([2.5, 2.5])
        outline.setCapStyle(Qt.PenCapStyle.FlatCap)
        for r, (y, w) in enumerate(zip(tops.tolist(), lengths, strict=True)):
            if frame.finally_ is not None and frame.finally_[r] > frame.counts[r]:
                end = area.left() + float(frame.finally_[r]) * scale
                corners = [QPointF(x, z) for x, z in ((area.left() + w, y + 0.5), (end, y + 0.5),
                           (end, y + thick - 0.5), (area.left() + w, y + thick - 0.5))]  # fmt: skip
                p.setPen(outline)
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawPolyline(corners)
            full = int(frame.counts[r]) == n
            text = tr("all {count:,}", count=n) if full else tr("{number:,}", number=int(frame.counts[r]))
            box = QRectF(area.right() + 8 * k, y + thick / 2 - 10 * k, wide, 20 * k)
            color = "check.holds" if full else "text.primary"
            self.ink.text(p, box, text, "small", color, LEFT, semibold=True)

    # ------------------------------------------------------------------ pointer

    def hit(self, pos: QPointF, rect: QRectF, frame: KnowledgeFrame, camera: object = None) -> Hit | None:
        """Return the pair whose cell is at ``pos``, or the process whose row or column name is there."""
        if not frame.names or not rect.contains(pos):
            return None
        plan = self._plan(rect, frame)
        row, column = plan.g.row(pos.y()), plan.column(pos.x())
        if row >= 0 and column >= 0 and row != column:
            return PairHit("process", int(frame.processes[row]), int(frame.processes[column]))
        if row >= 0:
            return Hit("process", int(frame.processes[row]))
        if column >= 0 and pos.y() < plan.g.top:
            return Hit("process", int(frame.processes[column]))
        return None

    def tooltip(self, hit: Hit | None, frame: KnowledgeFrame) -> str:
        """Describe what a process knows of another, or of how many it knows, as rich text; without a hit, the view."""
        rows = [] if hit is None or hit.kind != "process" else np.flatnonzero(frame.processes == hit.id).tolist()
        if not rows:
            return html.escape(frame.about)
        row = column = int(rows[0])
        if isinstance(hit, PairHit):
            columns = np.flatnonzero(frame.processes == hit.of)
            column = int(columns[0]) if len(columns) else row
        first, *more = (html.escape(line) for line in explain(frame, row, column))
        return "<br>".join([f"<b>{first}</b>", *more])
