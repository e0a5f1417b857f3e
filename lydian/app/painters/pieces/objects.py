"""The painter of the shared objects beside the network: the value of each in a square, and who reads and writes it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.ink import MIDDLE, RIGHT, Ink
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.app.painters.pieces.tints import tint_of
from lydian.language import tr, trn
from lydian.pieces.objects import ObjectRow, ObjectsFrame, words_of
from lydian.views.network.basic import BasicFrame
from lydian.views.selection import Hit

__all__ = ["ObjectsPainter"]

#: The maximum and the minimum height of a row.
HIGHEST, LOWEST = 44.0, 18.0


@dataclass(frozen=True)
class _Plan:
    """The plan of the list: the ends of the columns, and the rows that are shown."""

    k: float
    names: float
    square: float
    top: float
    high: float
    rows: int


class ObjectsPainter(PanelPainter):
    """The painter of an :class:`~lydian.pieces.objects.ObjectsFrame`, which also describes what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)

    def _plan(self, box: QRectF, state: ObjectsFrame) -> _Plan:
        k = self.theme.px("small") / 12
        names = max((self.ink.width(row.name, "body", semibold=True) for row in state.rows), default=0.0)
        wide = max((self.ink.width(row.value, "body", semibold=True) for row in state.rows), default=0.0)
        left = box.left() + 14 * k + min(names, box.width() * 0.34) + 10 * k
        square = min(max(wide + 14 * k, 30 * k), box.width() * 0.34)
        top = box.top() + 32 * k
        room = box.bottom() - 6 * k - top
        high = min(max(room / max(len(state.rows), 1), LOWEST * k), HIGHEST * k)
        return _Plan(k, left, square, top, high, min(len(state.rows), max(int(room / high + 1e-6), 0)))

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, state: ObjectsFrame) -> None:
        """Draw the list."""
        plan, k = self._plan(box, state), self.theme.px("small") / 12
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        line = QRectF(box.left() + 12 * k, box.top() + 6 * k, box.width() - 24 * k, 20 * k)
        rest = len(state.rows) - plan.rows
        if rest:
            note = trn("and {count:,} more object", "and {count:,} more objects", rest)
            self.ink.text(p, line, note, "small", "text.hint", RIGHT)
            line.setRight(line.right() - self.ink.width(note, "small") - 10 * k)
        title = state.declared.title or tr("Shared objects")
        self.ink.text(p, line, title, "small", "text.primary", semibold=True)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number in range(plan.rows):
            self._row(p, box, plan, frame, state, number)
        p.restore()

    def _row(self, p: QPainter, box: QRectF, plan: _Plan, frame: BasicFrame, state: ObjectsFrame, number: int) -> None:
        k, theme, row = plan.k, self.theme, state.rows[number]
        band = QRectF(box.left() + 4 * k, plan.top + number * plan.high, box.width() - 8 * k, plan.high)
        just = row.seq == state.latest and row.seq >= 0
        place = state.places[row.last] if row.last >= 0 else -1
        hover = frame.hover.id if frame.hover is not None and frame.hover.kind == "process" else None
        if just or (place >= 0 and (place in frame.selection.processes or place == hover)):
            p.fillRect(band, theme.color("accent.soft"))
        p.setPen(QPen(theme.color("border.subtle"), 1))
        p.drawLine(QPointF(box.left() + 10 * k, band.top()), QPointF(box.right() - 10 * k, band.top()))
        name = QRectF(box.left() + 14 * k, band.top(), plan.names - box.left() - 20 * k, band.height())
        self.ink.text(p, name, row.name, "body", "text.primary", semibold=True)
        self._square(
            p, QRectF(plan.names, band.center().y() - self._side(plan) / 2, plan.square, self._side(plan)), row
        )
        left = plan.names + plan.square + 10 * k
        words = QRectF(left, band.top(), box.right() - 10 * k - left, band.height())
        busy = bool(row.reading or row.writing)
        ink = "accent.base" if busy or just else "text.secondary"
        self.ink.text(p, words, words_of(row, state.names), "small", ink, semibold=busy or just)

    def _side(self, plan: _Plan) -> float:
        return min(26 * plan.k, plan.high - 4)

    def _square(self, p: QPainter, box: QRectF, row: ObjectRow) -> None:
        """Draw the value in a square, with a thick border while an operation is in progress."""
        soft, ink = tint_of(self.theme, row.tint)
        busy = bool(row.reading or row.writing)
        p.setPen(QPen(self.theme.color("accent.base") if busy else ink, 2 if busy else 1))
        p.setBrush(soft)
        p.drawRoundedRect(box, 3, 3)
        self.ink.text(p, box.adjusted(3, 0, -3, 0), row.value or "–", "body", "text.primary", MIDDLE, semibold=True)

    # ------------------------------------------------------------------ pointing

    def _at(self, pos: QPointF, box: QRectF, state: ObjectsFrame) -> int:
        plan = self._plan(box, state)
        row = math.floor((pos.y() - plan.top) / plan.high)
        return row if 0 <= row < plan.rows else -1

    def hit(self, pos: QPointF, box: QRectF, frame: BasicFrame, state: ObjectsFrame) -> Hit | None:
        """Return the process of the latest access to the object at a point."""
        row = self._at(pos, box, state)
        place = state.places[state.rows[row].last] if row >= 0 and state.rows[row].last >= 0 else -1
        return Hit("process", place) if place >= 0 else None

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, state: ObjectsFrame) -> str:
        """Describe an object, as rich text."""
        number = self._at(pos, box, state)
        if number < 0:
            return ""
        row = state.rows[number]
        words = words_of(row, state.names)
        value = row.value or tr("empty")
        if not words:
            return escape(tr("{object} is {value}", object=row.name, value=value))
        return escape(tr("{object} is {value}; {accesses}", object=row.name, value=value, accesses=words))
