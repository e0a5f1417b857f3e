"""The painter of logs side by side: columns of entries, a line below what is committed, and a cut between the sides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from lydian.app.look.shapes import draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.ink import MIDDLE, RIGHT, Ink
from lydian.app.painters.pieces.panelink import draw_reason, legend_places
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.app.painters.pieces.tints import draw_chip, tint_of
from lydian.language import tr, trn
from lydian.pieces.logs import COMMITTED, LOST, Entry, LogsFrame
from lydian.views.network.basic import BasicFrame
from lydian.views.selection import Hit

__all__ = ["LogsPainter"]

#: The maximum size of an entry, and the minimum widths of an entry with all its words, with its text, and of a column.
LARGEST, WORDS, TEXT, LEAST = (132.0, 52.0), 88.0, 22.0, 7.0
#: The minimum height of an entry with two lines, and of one with a text.
TWO, ONE = 33.0, 13.0
#: The gap between columns, the further gap at a cut, and the part of a row between entries.
GAP, CUT, BETWEEN = 8.0, 14.0, 0.12


@dataclass(frozen=True)
class _Plan:
    """The plan of the logs: the left edges of the columns, the size of an entry, and the rows that are shown."""

    k: float
    left: tuple[float, ...]
    top: float
    wide: float
    high: float
    first: int
    rows: int
    foot: tuple[QRectF, ...]

    def cell(self, column: int, row: int) -> QRectF:
        air = min(self.high * BETWEEN, 5 * self.k)
        return QRectF(self.left[column], self.top + (row - self.first) * self.high + air / 2, self.wide,
                      self.high - air)  # fmt: skip


class LogsPainter(PanelPainter):
    """The painter of a :class:`~lydian.pieces.logs.LogsFrame`, which also describes what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)

    # ------------------------------------------------------------------ places

    def _entries(self, logs: LogsFrame) -> list[str]:
        """Return the entries of the legend."""
        words = [tr("above the line: committed")] if logs.declared.commit else []
        lost = any(entry.standing == LOST for column in logs.columns for entry in column)
        why = tr("another entry is committed in its place") if words else tr("not the same everywhere")
        return [*words, why] if lost else words

    def _plan(self, box: QRectF, logs: LogsFrame) -> _Plan:
        k = self.theme.px("small") / 12
        n = len(logs.names)
        places = [f"{logs.first + max(map(len, logs.columns), default=0)}"]
        gutter = max(self.ink.width(text, "small") for text in places) + 10 * k
        inner = QRectF(box.left() + 10 * k + gutter, box.top() + 30 * k, box.width() - 22 * k - gutter, 0)
        chips = 20 * k if any(now is not None for now in logs.now) else 0.0
        head = 28 * k + chips + 8 * k
        entries, foot = legend_places(self.theme, QRectF(inner.left(), 0, inner.width(), 0), self._entries(logs), 20.0)
        bottom = box.bottom() - (foot if entries else 0.0) - 14 * k
        shown = min(n, max(int(inner.width() / ((LEAST + 2) * k)), 1))
        gap = min(GAP * k, inner.width() / max(shown, 1) * 0.12)
        cuts = [a != b for a, b in pairwise(logs.sides[:shown])]
        extra = min(CUT * k, inner.width() * 0.2 / max(sum(cuts), 1))
        wide = (inner.width() - gap * (shown - 1) - extra * sum(cuts)) / shown
        wide = min(wide, LARGEST[0] * k)
        left = [inner.left()]
        for cut in cuts:
            left.append(left[-1] + wide + gap + (extra if cut else 0.0))
        top = inner.top() + head
        high = min(max((bottom - top) / max(logs.rows, 3), ONE * k), LARGEST[1] * k)
        rows = max(int((bottom - top) / high + 1e-6), 1)
        ends = logs.first + max(map(len, logs.columns), default=0)
        first = max(ends - rows, logs.first)
        under = min(top + min(rows, max(logs.rows - first, 1)) * high + 10 * k, bottom + 6 * k)
        return _Plan(k, tuple(left), top, wide, high, first, rows,
                     tuple(each.translated(0, under) for each in entries))  # fmt: skip

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, logs: LogsFrame) -> None:
        """Draw the logs."""
        k = self.theme.px("small") / 12
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        line = QRectF(box.left() + 12 * k, box.top() + 6 * k, box.width() - 24 * k, 20 * k)
        if logs.problem or not logs.names:
            self.ink.text(p, line, logs.declared.title or tr("Logs"), "small", "text.primary", semibold=True)
            draw_reason(p, self.theme, box.adjusted(20 * k, 30 * k, -20 * k, -10 * k), logs.problem)
            p.restore()
            return
        plan = self._plan(box, logs)
        notes = [tr("{count:,} older", count=plan.first)] if plan.first else []
        rest = len(logs.names) - len(plan.left)
        if rest:
            notes.append(trn("and {count:,} more process", "and {count:,} more processes", rest))
        for note in notes:
            self.ink.text(p, line, note, "small", "text.hint", RIGHT)
            line.setRight(line.right() - self.ink.width(note, "small") - 12 * k)
        self.ink.text(p, line, logs.declared.title or tr("Logs"), "small", "text.primary", semibold=True)
        self._heads(p, plan, frame, logs)
        self._numbers(p, box, plan, logs)
        for column in range(len(plan.left)):
            self._column(p, plan, logs, column)
        self._cuts(p, plan, logs)
        if logs.declared.commit:
            self._line(p, plan, logs)
        if any(logs.columns):
            self._legend(p, plan, logs)
        else:
            self._nothing(p, plan, box)
        p.restore()

    def _nothing(self, p: QPainter, plan: _Plan, box: QRectF) -> None:
        """Write across the empty cells that there are no entries yet."""
        text, k = tr("no entries yet"), self.theme.px("small") / 12
        wide = self.ink.width(text, "small") + 20 * k
        middle = (plan.left[0] + box.right() - 12 * k) / 2
        under = QRectF(middle - wide / 2, plan.top + 1.5 * plan.high - 11 * k, wide, 22 * k)
        p.setPen(QPen(self.theme.color("border.subtle"), 1))
        p.setBrush(self.theme.color("surface.panel"))
        p.drawRoundedRect(under, 11 * k, 11 * k)
        self.ink.text(p, under, text, "small", "text.secondary", MIDDLE)

    def _heads(self, p: QPainter, plan: _Plan, frame: BasicFrame, logs: LogsFrame) -> None:
        """Draw the state and the name of each process above its column, and below them its tint."""
        k, y = plan.k, plan.top - 8 * plan.k
        chip = any(now is not None for now in logs.now)
        hover = frame.hover.id if frame.hover is not None and frame.hover.kind == "process" else None
        for column, left in enumerate(plan.left):
            middle = left + plan.wide / 2
            process, name = logs.processes[column], logs.names[column]
            room = QRectF(left - 3 * k, y - (48 if chip else 28) * k, plan.wide + 6 * k, 26 * k)
            side = min(17 * k, plan.wide * 0.8)
            words = self.ink.width(name, "body", semibold=True) if plan.wide >= TEXT * k * 1.6 else 0.0
            start = middle - (side + (6 * k + words if words else 0.0)) / 2
            draw_process(p, self.theme, start + side / 2, room.center().y(), side, logs.slots[column],
                         selected=process in frame.selection.processes, hover=process == hover,
                         crashed=logs.crashed[column])  # fmt: skip
            if words:
                ink = "fault.base" if logs.crashed[column] else "text.primary"
                line = QRectF(start + side + 6 * k, room.top(), room.right() - start - side - 6 * k, room.height())
                self.ink.text(p, line, name, "body", ink, semibold=True)
            now = logs.now[column]
            if now is None or plan.wide < TEXT * k:
                continue
            text = f"{logs.declared.word} {now}".strip()
            if self.ink.width(text, "small") + 12 * k > plan.wide + 4 * k:
                text = str(now)
            draw_chip(p, self.theme, QRectF(left - 2 * k, y - 20 * k, plan.wide + 4 * k, 17 * k), text, now)

    def _numbers(self, p: QPainter, box: QRectF, plan: _Plan, logs: LogsFrame) -> None:
        """Draw the numbers of the rows."""
        step = max(1, math.ceil(ONE * plan.k / plan.high))
        for row in range(plan.first, min(plan.first + plan.rows, max(logs.rows, plan.first + 1)), step):
            line = plan.cell(0, row)
            line.setLeft(box.left() + 4 * plan.k)
            line.setRight(plan.left[0] - 8 * plan.k)
            self.ink.text(p, line, str(row + 1), "small", "text.hint", RIGHT)

    def _column(self, p: QPainter, plan: _Plan, logs: LogsFrame, column: int) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        entries = logs.columns[column]
        for row in range(plan.first, min(plan.first + plan.rows, max(logs.rows, plan.first + 1))):
            cell = plan.cell(column, row)
            at = row - logs.first
            radius = min(5 * plan.k, cell.height() * 0.25)
            if at < len(entries):
                self._entry(p, plan, logs, cell, entries[at], radius)
            else:
                p.setPen(QPen(self.theme.color("border.subtle"), 1))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRoundedRect(cell, radius, radius)

    def _entry(self, p: QPainter, plan: _Plan, logs: LogsFrame, cell: QRectF, entry: Entry, radius: float) -> None:
        k, theme = plan.k, self.theme
        soft, ink = tint_of(theme, entry.tint)
        pen = QPen(ink if entry.standing != LOST else theme.color("fault.base"), 1.6 if cell.width() > 14 * k else 1.0)
        if entry.standing != COMMITTED:
            pen.setDashPattern([3, 2.2])
        p.setPen(pen)
        p.setBrush(soft)
        p.drawRoundedRect(cell.adjusted(0.8, 0.8, -0.8, -0.8), radius, radius)
        if cell.width() < TEXT * k or cell.height() < ONE * k * 0.85:
            return
        inner = cell.adjusted(8 * k, 0, -7 * k, 0) if cell.width() >= WORDS * k else cell.adjusted(3 * k, 0, -3 * k, 0)
        if cell.width() < WORDS * k:
            self.ink.text(p, inner, entry.text, "body", "text.primary", MIDDLE, semibold=True)
            return
        two = cell.height() >= TWO * k and entry.tint is not None
        known, role = logs.known(entry), "title" if two else "body"
        color = "fault.base" if entry.standing == LOST else "text.secondary"
        own = self.ink.width(entry.text, role, semibold=True)
        beside = inner.adjusted(min(own, inner.width() * 0.5) + 5 * k, 0, 0, 0)
        apart = two and self.ink.width(known, "small") > beside.width()  # then it has the second line for itself
        if two:
            term = f"{logs.declared.word} {entry.tint}".strip()
            p.setFont(theme.font("small", semibold=True))
            p.setPen(ink)
            upper = QRectF(beside.left(), cell.center().y() - 15 * k, beside.width(), 15 * k)
            p.drawText(upper, int(RIGHT | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), term)
            lower = upper.translated(0, 15 * k)
            lower.setLeft(inner.left() if apart else beside.left())
            self.ink.text(p, lower, known, "small", color, RIGHT)
        elif self.ink.width(known, "small") <= beside.width():
            self.ink.text(p, beside, known, "small", color, RIGHT)
        else:
            beside.setLeft(inner.right())
        inner.setRight(beside.left())
        if apart:
            inner = QRectF(inner.left(), cell.center().y() - 15 * k, inner.width(), 15 * k)
            role = "body"
        self.ink.text(p, inner, entry.text, role, "text.primary", semibold=True)

    def _cuts(self, p: QPainter, plan: _Plan, logs: LogsFrame) -> None:
        """Draw a dashed line between the sides of a partition."""
        pen = QPen(self.theme.color("fault.base"), 2, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 2.5])
        p.setPen(pen)
        bottom = plan.top + min(plan.rows, max(logs.rows - plan.first, 1)) * plan.high
        for column, (left, right) in enumerate(pairwise(plan.left)):
            if logs.sides[column] != logs.sides[column + 1]:
                x = (left + plan.wide + right) / 2
                p.drawLine(QPointF(x, plan.top - 52 * plan.k), QPointF(x, bottom + 4 * plan.k))

    def _line(self, p: QPainter, plan: _Plan, logs: LogsFrame) -> None:
        """Draw one stepped line over all columns, below the entries that are committed."""
        path, k = QPainterPath(), plan.k
        gap = min((b - a - plan.wide for a, b in pairwise(plan.left)), default=GAP * k)
        for column, left in enumerate(plan.left):
            y = plan.top + min(max(logs.commits[column] - plan.first, 0), plan.rows) * plan.high
            reach = min(4 * k, gap / 2)
            start, end = QPointF(left - reach, y), QPointF(left + plan.wide + reach, y)
            path.moveTo(start) if column == 0 else path.lineTo(start)
            path.lineTo(end)
        for color, width in (("surface.panel", 6.0), ("check.holds", 3.0)):
            pen = QPen(self.theme.color(color), width * max(k, 0.8), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            p.strokePath(path, pen)

    def _legend(self, p: QPainter, plan: _Plan, logs: LogsFrame) -> None:
        k = plan.k
        for place, words in zip(plan.foot, self._entries(logs), strict=True):
            y = place.center().y()
            if words == tr("above the line: committed"):
                p.setPen(QPen(self.theme.color("check.holds"), 3 * k))
                p.drawLine(QPointF(place.left(), y), QPointF(place.left() + 18 * k, y))
            else:
                pen = QPen(self.theme.color("fault.base"), 1.6)
                pen.setDashPattern([3, 2.2])
                p.setPen(pen)
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRoundedRect(QRectF(place.left() + 1, y - 6 * k, 16 * k, 12 * k), 3 * k, 3 * k)
            self.ink.text(p, place.adjusted(26 * k, 0, 0, 0), words, "small", "text.secondary")

    # ------------------------------------------------------------------ pointing

    def _column_at(self, pos: QPointF, plan: _Plan) -> int:
        return next((i for i, left in enumerate(plan.left) if left <= pos.x() <= left + plan.wide), -1)

    def hit(self, pos: QPointF, box: QRectF, frame: BasicFrame, logs: LogsFrame) -> Hit | None:
        """Return the process whose head is at a point."""
        if logs.problem or not logs.names:
            return None
        plan = self._plan(box, logs)
        column = self._column_at(pos, plan)
        above = box.top() + 26 * plan.k < pos.y() < plan.top
        return Hit("process", logs.processes[column]) if column >= 0 and above else None

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, logs: LogsFrame) -> str:
        """Describe an entry, as rich text."""
        if logs.problem or not logs.names:
            return ""
        plan = self._plan(box, logs)
        column, row = self._column_at(pos, plan), plan.first + math.floor((pos.y() - plan.top) / plan.high)
        end = min(logs.first + len(logs.columns[column]), plan.first + plan.rows)
        if column < 0 or not plan.first <= row < end:
            return ""
        return escape(logs.words(column, row))
