"""The painter of the grid beside the network: processes and the keys that they hold, with its legend."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.hatches import draw_rects, hatch
from lydian.app.painters.ink import MIDDLE, RIGHT, Ink
from lydian.app.painters.layers import is_raster
from lydian.app.painters.pieces.panelink import draw_reason, legend_places
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.language import tr, trn
from lydian.pieces.grid import Cell, GridFrame, class_word
from lydian.views.network.basic import BasicFrame
from lydian.views.selection import Hit

__all__ = ["GridPainter"]

_Places = NDArray[np.signedinteger[Any]]
#: The maximum size of cells and height of rows, and the minimum height of rows with names.
LARGEST, LOWEST, NAMED = 32.0, 3.5, 12.0
#: The minimum size of cells with gaps between them, and with hatches.
HATCHED = 8.0
#: The maximum height of the keys above the columns.
HEAD = 54.0


@dataclass(frozen=True)
class _Plan:
    """The plan of the grid: the cells from ``x``, ``y`` on, each ``wide`` by ``tall``, and the number of rows shown."""

    k: float
    x: float
    y: float
    wide: float
    tall: float
    rows: int
    head: float
    foot: QRectF
    legend: tuple[QRectF, ...]

    def row(self, y: float) -> int:
        """Return the row at a height, or -1 for none."""
        row = math.floor((y - self.y) / self.tall)
        return row if 0 <= row < self.rows else -1


class GridPainter(PanelPainter):
    """The painter of a :class:`~lydian.pieces.grid.GridFrame`, which also describes what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)

    # ------------------------------------------------------------------ places

    def _plan(self, box: QRectF, grid: GridFrame) -> _Plan:
        theme = self.theme
        k = theme.px("small") / 12
        pad = 12 * k
        small = QFontMetricsF(theme.font("small"))
        words = [self._entry(grid, number, widest=True) for number in range(len(grid.declared.cells))]
        entries, tall = legend_places(theme, box.adjusted(pad, 0, -pad, 0), words)
        foot = QRectF(box.left() + pad, box.bottom() - tall - 8 * k, box.width() - 2 * pad, tall)
        title = 30 * k
        head = min(max((small.horizontalAdvance(key) for key in grid.keys), default=0.0) + 6 * k, HEAD * k)
        names = max((small.horizontalAdvance(name) for name in grid.names), default=0.0)
        gutter = min(names + 10 * k, box.width() * 0.3)
        left, top = box.left() + pad + gutter, box.top() + title + head
        wide = min((box.right() - pad - left) / grid.columns, LARGEST * k)
        room = max(foot.top() - 8 * k - top, 1.0)
        n = max(len(grid.names), 1)
        high = min(room / n, 28 * k)
        rows = n
        if high < LOWEST:
            rows = max(int((room - 16 * k) / LOWEST), 1)
            high = LOWEST
        under = top + rows * high + (22 * k if rows < n else 10 * k)
        foot.moveTop(min(foot.top(), under))
        moved = tuple(entry.translated(0, foot.top()) for entry in entries)
        return _Plan(k, left, top, max(wide, 0.5), high, rows, head, foot, moved)

    def _entry(self, grid: GridFrame, number: int, *, widest: bool = False) -> str:
        count = (
            "8" * max(len(f"{len(grid.names) * grid.columns:,}"), 1)
            if widest
            else tr("{number:,}", number=grid.counts[number])
        )
        return f"{class_word(grid.declared.cells[number])} {count}"

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, grid: GridFrame) -> None:
        """Draw the grid."""
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        k = self.theme.px("small") / 12
        line = QRectF(box.left() + 12 * k, box.top() + 6 * k, box.width() - 24 * k, 20 * k)
        older = tr("{count:,} older", count=grid.older) if grid.older else ""
        if older:
            self.ink.text(p, line, older, "small", "text.hint", RIGHT)
            line.setRight(line.right() - self.ink.width(older, "small") - 10 * k)
        title = grid.declared.title or tr("Processes by {key}", key=grid.declared.word)
        self.ink.text(p, line, title, "small", "text.primary", semibold=True)
        if grid.problem:
            draw_reason(p, self.theme, box.adjusted(20 * k, 30 * k, -20 * k, -10 * k), grid.problem)
        else:
            plan = self._plan(box, grid)
            self._tints(p, box, plan, frame)
            self._heads(p, plan, grid)
            self._names(p, box, plan, grid)
            self._cells(p, plan, grid)
            self._legend(p, plan, grid)
            if not grid.keys:
                room = QRectF(plan.x, plan.y, box.right() - 12 * k - plan.x, plan.rows * plan.tall)
                self.ink.text(p, room, tr("nothing yet"), "small", "text.hint", MIDDLE)
        p.restore()

    def _tints(self, p: QPainter, box: QRectF, plan: _Plan, frame: BasicFrame) -> None:
        """Tint the rows of selected and hovered processes."""
        hover = frame.hover.id if frame.hover is not None and frame.hover.kind == "process" else None
        for process in {*frame.selection.processes, *([hover] if isinstance(hover, int) else [])}:
            if process < plan.rows:
                row = QRectF(box.left() + 4, plan.y + process * plan.tall, box.width() - 8, plan.tall)
                p.fillRect(row, self.theme.color("accent.soft"))
                if process in frame.selection.processes:
                    p.fillRect(QRectF(row.left(), row.top(), 3, row.height()), self.theme.color("selection"))

    def _heads(self, p: QPainter, plan: _Plan, grid: GridFrame) -> None:
        """Draw the keys upright above their columns, as many as there is room for."""
        font = self.theme.font("small")
        metrics = QFontMetricsF(font)
        step = max(1, math.ceil(metrics.capHeight() * 1.3 / plan.wide))
        p.setFont(font)
        p.setPen(self.theme.color("text.secondary"))
        last = len(grid.keys) - 1
        for column in range(last, -1, -step):  # the newest key always has its name
            text = metrics.elidedText(grid.keys[column], Qt.TextElideMode.ElideRight, plan.head - 4 * plan.k)
            p.save()
            p.translate(plan.x + (column + 0.5) * plan.wide + metrics.capHeight() / 2, plan.y - 4 * plan.k)
            p.rotate(-90)
            p.drawText(QPointF(0, 0), text)
            p.restore()

    def _names(self, p: QPainter, box: QRectF, plan: _Plan, grid: GridFrame) -> None:
        k = plan.k
        step = 1 if plan.tall >= NAMED * k else math.ceil(NAMED * 1.3 * k / plan.tall)
        left = box.left() + 10 * k
        for row in range(0, plan.rows, step):
            line = QRectF(left, plan.y + row * plan.tall, plan.x - 6 * k - left, plan.tall)
            ink = "fault.base" if grid.crashed[row] else "text.primary"
            self.ink.text(p, line, grid.names[row], "small", ink, RIGHT)
        if plan.rows < len(grid.names):
            line = QRectF(left, plan.y + plan.rows * plan.tall + 2 * k, box.width() - 20 * k, 14 * k)
            rest = len(grid.names) - plan.rows
            left_out = trn("and {count:,} more process", "and {count:,} more processes", rest)
            self.ink.text(p, line, left_out, "small", "text.hint")

    def _cells(self, p: QPainter, plan: _Plan, grid: GridFrame) -> None:
        gap = 0.0 if plan.tall < 5 or plan.wide < 5 else 1.0 if plan.tall < 14 else 1.6
        cells = grid.cells[: plan.rows]
        p.setRenderHint(QPainter.RenderHint.Antialiasing, plan.tall >= 5)
        p.setPen(Qt.PenStyle.NoPen)
        hatched = min(plan.tall, plan.wide) >= HATCHED and is_raster(p)
        for number in range(-1, len(grid.declared.cells)):
            rows, columns = np.nonzero(cells == number)
            if not len(rows):
                continue
            if number < 0:
                p.setBrush(mixed(self.theme.color("surface.panel"), self.theme.color("border.subtle"), 0.45))
            elif grid.declared.cells[number].style != "full":
                self._rims(p, plan, grid.declared.cells[number], rows, columns, gap)
                continue
            else:
                slot = grid.declared.cells[number].slot
                p.setBrush(hatch(self.theme, slot) if hatched else self.theme.state(slot).fill)
            x, y = plan.x + columns * plan.wide + gap / 2, plan.y + rows * plan.tall + gap / 2
            draw_rects(p, x, y, np.full(len(x), max(plan.wide - gap, 0.5)), max(plan.tall - gap, 0.5))
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        if grid.keys:
            rim = QRectF(plan.x, plan.y, len(grid.keys) * plan.wide, plan.rows * plan.tall)
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.setPen(QPen(self.theme.color("border.subtle"), 1))
            p.drawRect(rim.adjusted(-1.5, -1.5, 1.5, 1.5))

    def _rims(self, p: QPainter, plan: _Plan, cell: Cell, rows: _Places, columns: _Places, gap: float) -> None:
        """Draw the cells that are only outlined; those too small for a broken outline have a solid one."""
        self._rim(p, cell, min(plan.tall, plan.wide))
        inset = p.pen().widthF() / 2 + gap / 2
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            box = QRectF(plan.x + column * plan.wide, plan.y + row * plan.tall, plan.wide, plan.tall)
            p.drawRect(box.adjusted(inset, inset, -inset, -inset))
        p.setPen(Qt.PenStyle.NoPen)

    def _rim(self, p: QPainter, cell: Cell, side: float) -> None:
        """Return the pen and the background of cells of a given size that are only outlined."""
        large = side >= HATCHED * 0.75
        pen = QPen(self.theme.state(cell.slot).outline, 1.6 if large else 1.0)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if cell.style == "dotted" and large:
            pen.setDashPattern([1.2, 1.2])
        p.setPen(pen)
        p.setBrush(self.theme.color("surface.panel"))

    def _legend(self, p: QPainter, plan: _Plan, grid: GridFrame) -> None:
        for number, place in enumerate(plan.legend):
            cell = grid.declared.cells[number]
            side = 11 * plan.k
            sign = QRectF(place.left(), place.center().y() - side / 2, side, side)
            if cell.style == "full":
                p.setPen(QPen(self.theme.state(cell.slot).outline, 1))
                p.setBrush(hatch(self.theme, cell.slot) if is_raster(p) else self.theme.state(cell.slot).fill)
            else:
                self._rim(p, cell, side)
            p.drawRect(sign)
            words = place.adjusted(side + 6 * plan.k, 0, 0, 0)
            self.ink.text(p, words, self._entry(grid, number), "small", "text.secondary")

    # ------------------------------------------------------------------ pointing

    def hit(self, pos: QPointF, box: QRectF, frame: BasicFrame, grid: GridFrame) -> Hit | None:
        """Return the process whose name is at a point."""
        if grid.problem:
            return None
        plan = self._plan(box, grid)
        row = plan.row(pos.y()) if pos.x() < plan.x else -1
        return Hit("process", row) if row >= 0 else None

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, grid: GridFrame) -> str:
        """Describe a cell or a key, as rich text."""
        if grid.problem:
            return ""
        plan = self._plan(box, grid)
        row, column = plan.row(pos.y()), math.floor((pos.x() - plan.x) / plan.wide)
        if not 0 <= column < len(grid.keys):
            return ""
        if row >= 0:
            return escape(grid.words(row, column))
        if plan.y - plan.head <= pos.y() < plan.y:
            held = np.bincount(grid.cells[:, column][grid.cells[:, column] >= 0], minlength=len(grid.declared.cells))
            counted = zip(held.tolist(), grid.declared.cells, strict=True)
            lines = [f"{tr('{number:,}', number=count)} {escape(class_word(cell))}" for count, cell in counted]
            return "<br>".join([f"<b>{escape(grid.declared.word)} {escape(grid.keys[column])}</b>", *lines])
        return ""
