"""The painter of the table beside the network: a row for each process, with texts, tinted chips, ticks and crosses."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from lydian.app.look.shapes import draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.ink import MIDDLE, RIGHT, Ink
from lydian.app.painters.pieces.panelink import draw_reason
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.app.painters.pieces.tints import draw_chip
from lydian.language import tr, trn
from lydian.pieces.table import Cell, TableFrame, column_word
from lydian.views.network.basic import BasicFrame
from lydian.views.selection import Hit

__all__ = ["TablePainter"]

#: The maximum and the minimum height of a row, and the minimum width of a column.
HIGHEST, LOWEST, NARROWEST = 40.0, 16.0, 34.0
#: The word for a column is written in two lines if it is longer.
LONGEST = 64.0

#: The left edge and the width of each column, from left to right.
Columns = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class _Plan:
    """The plan of the table: the columns from left to right, and the rows that are shown."""

    k: float
    names: QRectF
    columns: Columns
    top: float
    high: float
    rows: int

    def cell(self, row: int, column: int) -> QRectF:
        left, wide = self.columns[column]
        return QRectF(left, self.top + row * self.high, wide, self.high)


class TablePainter(PanelPainter):
    """The painter of a :class:`~lydian.pieces.table.TableFrame`, which also describes what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)

    # ------------------------------------------------------------------ places

    def _plan(self, box: QRectF, table: TableFrame) -> _Plan:
        k = self.theme.px("small") / 12
        names = max((self.ink.width(name, "body", semibold=True) for name in table.names), default=0.0)
        head = QRectF(box.left() + 12 * k, box.top() + 32 * k, min(names + 34 * k, box.width() * 0.35), 22 * k)
        left, end = head.right() + 4 * k, box.right() - 10 * k
        shown = min(len(table.declared.columns), max(int((end - left) / (NARROWEST * k)), 1))
        heads = [self._head(column_word(column)) for column in table.declared.columns[:shown]]
        if any(len(lines) > 1 for lines in heads):
            head.setBottom(head.top() + 36 * k)
        foot = 26 * k if any(column.agree for column in table.declared.columns) else 6 * k
        room = box.bottom() - foot - head.bottom()
        high = min(max(room / max(len(table.rows), 1), LOWEST * k), HIGHEST * k)
        columns = self._columns(left, end, heads, table)
        return _Plan(k, head, columns, head.bottom(), high, min(len(table.rows), max(int(room / high + 1e-6), 0)))

    def _head(self, word: str) -> tuple[str, ...]:
        """Return the word for a column in one line, or in two of them, as equal as they can be, if it is longer than
        :data:`LONGEST`.
        """
        parts = word.split()
        if len(parts) < 2 or self.ink.width(word, "small") <= LONGEST * self.theme.px("small") / 12:
            return (word,)
        halves = [(" ".join(parts[:i]), " ".join(parts[i:])) for i in range(1, len(parts))]
        return min(halves, key=lambda two: max(self.ink.width(line, "small") for line in two))

    def _columns(self, left: float, end: float, heads: Sequence[tuple[str, ...]], table: TableFrame) -> Columns:
        """Return the left edge and the width of each column: what its texts need, and an equal share of the rest."""
        k = self.theme.px("small") / 12
        needed = []
        for i, lines in enumerate(heads):
            style, text = table.declared.columns[i].style, table.longest[i] if table.longest else ""
            bold = style == "tint"
            cell = self.ink.width(text, "small" if bold else "body", semibold=bold) + (16 if bold else 6) * k
            needed.append(max(NARROWEST * k, cell, *(self.ink.width(line, "small") + 5 * k for line in lines)))
        spare = end - left - sum(needed)
        if spare < 0:  # the narrow columns keep their widths, and the wide ones share what is left
            cap = _cap(needed, end - left)
            needed, spare = [min(wide, cap) for wide in needed], 0.0
        edges = itertools.accumulate((wide + spare / len(needed) for wide in needed), initial=left)
        return tuple((edge, right - edge) for edge, right in itertools.pairwise(edges))

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, table: TableFrame) -> None:
        """Draw the table."""
        k = self.theme.px("small") / 12
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        line = QRectF(box.left() + 12 * k, box.top() + 6 * k, box.width() - 24 * k, 20 * k)
        plan = self._plan(box, table)
        rest = len(table.rows) - plan.rows
        if rest:
            note = trn("and {count:,} more process", "and {count:,} more processes", rest)
            self.ink.text(p, line, note, "small", "text.hint", RIGHT)
            line.setRight(line.right() - self.ink.width(note, "small") - 10 * k)
        self.ink.text(p, line, table.declared.title, "small", "text.primary", semibold=True)
        if table.problem or not table.rows:
            draw_reason(p, self.theme, box.adjusted(20 * k, 30 * k, -20 * k, -10 * k), table.problem)
            p.restore()
            return
        for column, (left, wide) in enumerate(plan.columns):
            lines = self._head(column_word(table.declared.columns[column]))
            for i, text in enumerate(lines):
                head = QRectF(left + 1 * k, plan.top - (len(lines) - i) * 15 * k - 4 * k, wide - 2 * k, 15 * k)
                self.ink.text(p, head, text, "small", "text.secondary", MIDDLE)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row in range(plan.rows):
            self._row(p, box, plan, frame, table, row)
        p.setPen(QPen(self.theme.color("border.control"), 1))
        p.drawLine(QPointF(box.left() + 10 * k, plan.top), QPointF(box.right() - 10 * k, plan.top))
        self._agreeing(p, box, plan, table)
        p.restore()

    def _row(self, p: QPainter, box: QRectF, plan: _Plan, frame: BasicFrame, table: TableFrame, row: int) -> None:
        k, theme, each = plan.k, self.theme, table.rows[row]
        band = QRectF(box.left() + 4 * k, plan.top + row * plan.high, box.width() - 8 * k, plan.high)
        hover = frame.hover.id if frame.hover is not None and frame.hover.kind == "process" else None
        if each.process in frame.selection.processes or each.process == hover:
            p.fillRect(band, theme.color("accent.soft"))
        if row:
            p.setPen(QPen(theme.color("border.subtle"), 1))
            p.drawLine(QPointF(box.left() + 10 * k, band.top()), QPointF(box.right() - 10 * k, band.top()))
        side = min(17 * k, plan.high * 0.7)
        left = plan.names.left() + side / 2 + 2 * k
        draw_process(p, theme, left, band.center().y(), side, each.slot, crashed=each.crashed)
        line = QRectF(left + side / 2 + 7 * k, band.top(), plan.names.right() - left - side / 2 - 7 * k, band.height())
        self.ink.text(p, line, table.names[row], "body", "fault.base" if each.crashed else "text.primary",
                      semibold=True)  # fmt: skip
        p.setOpacity(0.45 if each.crashed else 1.0)
        for column in range(len(plan.columns)):
            self._cell(p, plan.cell(row, column), table.declared.columns[column].style, each.cells[column], k)
        p.setOpacity(1.0)

    def _cell(self, p: QPainter, box: QRectF, style: str, cell: Cell, k: float) -> None:
        text, number = cell
        inner = box.adjusted(2 * k, 0, -2 * k, 0)
        if style == "tick":
            if number is not None:
                draw_tick(p, self.theme, box.center(), min(7 * k, box.height() * 0.3), right=bool(number))
        elif style == "tint" and number is not None:
            draw_chip(p, self.theme, inner, text, number)
        elif text:
            self.ink.text(p, inner, text, "body", "text.primary", MIDDLE)

    def _agreeing(self, p: QPainter, box: QRectF, plan: _Plan, table: TableFrame) -> None:
        """Draw below the columns how many processes agree."""
        k, total = plan.k, len(table.rows)
        top = plan.top + plan.rows * plan.high
        for column, (left, wide) in enumerate(plan.columns):
            if not table.declared.columns[column].agree:
                continue
            many = table.agreeing[column]
            text = tr("{count:,} of {total:,} agree", count=many, total=total)
            half = max(wide, self.ink.width(text, "small", semibold=True)) / 2
            middle = min(left + wide / 2, box.right() - 8 * k - half)
            line = QRectF(middle - half, top + 4 * k, 2 * half, 18 * k)
            ink = "check.holds" if 2 * many > total else "text.secondary"
            self.ink.text(p, line, text, "small", ink, MIDDLE, semibold=2 * many > total)

    # ------------------------------------------------------------------ pointing

    def hit(self, pos: QPointF, box: QRectF, frame: BasicFrame, table: TableFrame) -> Hit | None:
        """Return the process whose name is at a point."""
        plan = self._plan(box, table)
        row = math.floor((pos.y() - plan.top) / plan.high)
        inside = 0 <= row < plan.rows and pos.x() < plan.names.right()
        return Hit("process", table.rows[row].process) if inside else None

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, table: TableFrame) -> str:
        """Describe a cell, as rich text."""
        plan = self._plan(box, table)
        row = math.floor((pos.y() - plan.top) / plan.high)
        column = next((i for i, (left, wide) in enumerate(plan.columns) if left <= pos.x() < left + wide), -1)
        return escape(table.words(row, column)) if 0 <= row < plan.rows and column >= 0 else ""


def draw_tick(p: QPainter, theme: Theme, at: QPointF, r: float, *, right: bool) -> None:
    """Draw a green tick, or a red cross."""
    path = QPainterPath()
    for i, (x, y) in enumerate(((-1.0, 0.1), (-0.3, 0.8), (1.0, -0.8)) if right else ((-0.75, -0.75), (0.75, 0.75))):
        point = at + QPointF(x, y) * r
        path.lineTo(point) if i else path.moveTo(point)
    if not right:
        path.moveTo(at + QPointF(0.75, -0.75) * r)
        path.lineTo(at + QPointF(-0.75, 0.75) * r)
    pen = QPen(theme.color("check.holds" if right else "check.violated"), max(r * 0.36, 1.6), Qt.PenStyle.SolidLine,
               Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)  # fmt: skip
    p.strokePath(path, pen)


def _cap(needed: Sequence[float], room: float) -> float:
    """Return the largest width that a column may have so that all columns fit into a room."""
    rest, left = room, len(needed)
    for wide in sorted(needed):
        if wide * left > rest:
            break
        rest, left = rest - wide, left - 1
    return rest / max(left, 1)
