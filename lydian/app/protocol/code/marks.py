"""The text of a protocol with its marks: the current line, indentation guides, pairs of brackets, wavy underlines.

Only visible lines are painted, whatever the length of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from lydian.app.look.theme import Theme, mixed
from lydian.app.protocol.code.highlighter import BlockCode, Highlighter, role_spans
from lydian.app.protocol.code.remarks import Rooms
from lydian.authoring.codenames import places_of, word_at
from lydian.authoring.codetyping import guides, partner, shifted, units, without_units
from lydian.language import tr
from lydian.model.source.text import Problem

if TYPE_CHECKING:
    from lydian.app.protocol.document import ProtocolDocument

__all__ = ["LineMarks", "MarkedText", "paint_over", "paint_under", "seen"]

#: The opacity of a flash at its beginning.
FLASH = 0.75
#: How long a line glows after a jump to it, in milliseconds.
GLOW = 900


@dataclass
class LineMarks:
    """The marks of lines, by block number (from 0); they move with their lines during typing.

    Attributes:
        problems: line -> its problems, errors first.
        counts: first line of a function -> how often it ran.
        failing: the line at which the run stopped.
        earlier: the lines of the events that led to the stop.
        breaks: the lines with a breakpoint.
        states: line of an ``@on`` -> the states to which it applies.
    """

    problems: dict[int, tuple[Problem, ...]] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)
    failing: dict[int, bool] = field(default_factory=dict)
    earlier: dict[int, str] = field(default_factory=dict)
    breaks: dict[int, bool] = field(default_factory=dict)
    states: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def shift(self, at: int, delta: int) -> None:
        """Move the marks after lines were inserted (or removed) from ``at`` on."""
        for name in ("problems", "counts", "failing", "earlier", "breaks", "states"):
            old: Mapping[int, object] = getattr(self, name)
            moved = ((shifted(line, at, delta), value) for line, value in old.items())
            setattr(self, name, {line: value for line, value in moved if line is not None})

    def worst(self, line: int) -> str:
        """Return the worst kind of problem in a line: ``error``, ``warning`` or ""."""
        found = self.problems.get(line, ())
        return "" if not found else "error" if any(each.kind == "error" for each in found) else "warning"


class MarkedText(QPlainTextEdit):
    """The text edit of a protocol, with its cursor and its marks of lines and places.

    Attributes:
        protocol: the document.
        marks: the marks of lines.
        code: the lines with their spans.
        finds: line (from 0) -> start and end of the matches of the search.
        swatches: state -> the slot in which the margin shows it.
        flash, flashed: the strength of the glow after a jump, 0..1, and its line.
    """

    help_wanted = Signal(str)
    break_wanted = Signal(int)
    copy_wanted = Signal()
    zoom_wanted = Signal(int)
    fixes_wanted = Signal(int)

    protocol: ProtocolDocument
    code: BlockCode
    lighter: Highlighter
    rooms: Rooms

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.marks = LineMarks()
        self.finds: Mapping[int, Sequence[tuple[int, int]]] = {}
        self.swatches: Mapping[str, int] = {}
        self.flash, self.flashed = 0.0, -1
        self._pair: tuple[tuple[int, int], list[tuple[int, int]]] = ((-1, -1), [])
        self._glow = QVariantAnimation(self)
        self._glow.setStartValue(1.0)
        self._glow.setEndValue(0.0)
        self._glow.setDuration(GLOW)
        self._glow.valueChanged.connect(self._glowed)

    def place(self, cursor: QTextCursor | None = None) -> tuple[int, int]:
        """Return the line (from 1) and column (in letters) of a cursor."""
        cursor = cursor or self.textCursor()
        block = cursor.block()
        return block.blockNumber() + 1, without_units(block.text(), cursor.position() - block.position())

    def position(self, line: int, column: int = 0) -> int:
        """Return Qt's position of a line (from 1) and column."""
        block = self.document().findBlockByNumber(max(0, min(line - 1, self.blockCount() - 1)))
        text = block.text()
        return block.position() + units(text, min(column, len(text)))

    def go(self, line: int, column: int | None = None, *, end: int | None = None) -> None:
        """Put the cursor into a line (from 1), and centre the line in the view if it was not visible."""
        text = self.document().findBlockByNumber(max(0, line - 1)).text()
        start = len(text) - len(text.lstrip()) if column is None else column
        cursor = self.textCursor()
        cursor.setPosition(self.position(line, start if end is None else end))
        if end is not None:
            cursor.setPosition(self.position(line, start))
            cursor.setPosition(self.position(line, end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        rect = self.cursorRect()
        if rect.top() < 0 or rect.bottom() > self.viewport().height() - 2 * rect.height():
            self.centerCursor()

    def choose_line(self, line: int, *, more: bool = False) -> None:
        """Select a whole line (from 0), or extend the selection to it."""
        if line < 0:
            return
        cursor = self.textCursor()
        block = self.document().findBlockByNumber(line)
        if more:
            cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        else:
            cursor.setPosition(block.position())
            cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    # ------------------------------------------------------------------ places

    def glow(self, line: int) -> None:
        """Let a line (from 1) glow briefly."""
        self._glow.stop()
        self.flash, self.flashed = 1.0, line - 1
        self._glow.setKeyValueAt(0.98, 1.0 if self.theme.still else 0.02)
        self._glow.start()

    def _glowed(self, value: object) -> None:
        self.flash = float(value) if isinstance(value, float) else 0.0
        self.viewport().update()

    def own(self) -> None:
        """Prepare a change: if the text belongs to the library, make a copy first."""
        if self.protocol.read_only:
            self.copy_wanted.emit()

    def word_here(self) -> str:
        """Return the name under the cursor, or "" for words of Python, comments and strings."""
        cursor = self.textCursor()
        if cursor.hasSelection():
            return ""
        line, column = self.place(cursor)
        found = word_at(cursor.block().text(), column)
        if found is None:
            return ""
        kind = next((s.kind for s in self.code.spans(line - 1) if s.start <= found[1] < s.end), "")
        return found[0] if kind in ("name", "called", "defined", "decorator") else ""

    def pair(self) -> list[tuple[int, int]]:
        """Return the bracket at the cursor and its partner, with lines from 0."""
        line, column = self.place()
        if self._pair[0] != (line, column):
            found: list[tuple[int, int]] = []
            for at in (column - 1, column):
                other = partner(self.code, line - 1, at) if at >= 0 else None
                if other is not None:
                    found = [(line - 1, at), other]
                    break
            self._pair = ((line, column), found)
        return self._pair[1]

    def finds_in(self, block: QTextBlock) -> Sequence[tuple[int, int]]:
        return self.finds.get(block.blockNumber(), ()) if self.finds else ()

    def chosen_here(self, block: QTextBlock, line: str, start: int, end: int) -> bool:
        """Return True if exactly this part of a line is selected."""
        cursor, at = self.textCursor(), block.position()
        first, last = at + units(line, start), at + units(line, end)
        return cursor.selectionStart() == first and cursor.selectionEnd() == last


def seen(edit: MarkedText) -> Iterator[tuple[QTextBlock, QRectF]]:
    """Return the visible blocks with their boxes, without the space for widgets below them."""
    block = edit.firstVisibleBlock()
    layout = edit.rooms.layout_
    bottom = edit.viewport().height()
    box = edit.blockBoundingGeometry(block).translated(edit.contentOffset())
    while block.isValid() and box.top() <= bottom:
        if block.isVisible():
            text = QRectF(box)
            text.setHeight(box.height() - layout.rooms.get(block.blockNumber(), 0.0))
            yield block, text
        block = block.next()
        below = layout.blockBoundingRect(block)  # the text edit would count from the top every time
        box = QRectF(box.left(), box.bottom(), below.width(), below.height())


def x_of(edit: MarkedText, block: QTextBlock, letters: int, line: str) -> float:
    """Return the position at which a column begins, from the left of the view."""
    place = block.layout().lineAt(0).cursorToX(units(line, min(letters, len(line))))
    x: float = place[0] if isinstance(place, tuple) else place  # type: ignore[assignment]
    return x + edit.contentOffset().x()


def _box(edit: MarkedText, block: QTextBlock, box: QRectF, line: str, start: int, end: int) -> QRectF:
    left, right = x_of(edit, block, start, line), x_of(edit, block, end, line)
    return QRectF(left, box.top(), max(right - left, 3.0), box.height())


# ---------------------------------------------------------------------- under the text


def paint_under(edit: MarkedText, p: QPainter, area: QRectF) -> None:
    """Paint everything below the letters within ``area``."""
    theme, marks = edit.theme, edit.marks
    wide = edit.viewport().width()
    current = edit.textCursor().block().blockNumber()
    blocks = [(block, box, block.text()) for block, box in seen(edit)]
    space = edit.fontMetrics().horizontalAdvance(" ")
    left = edit.contentOffset().x() + edit.document().documentMargin()
    quiet = QPen(theme.color("border.subtle"), 1)
    here = edit.word_here()
    levels = guides([line for _, _, line in blocks])
    for (block, box, line), level in zip(blocks, levels, strict=True):
        if box.bottom() < area.top() or box.top() > area.bottom():
            continue
        number = block.blockNumber()
        row = QRectF(0, box.top(), wide, box.height())
        if number in marks.failing:
            p.fillRect(row, theme.color("check.violatedSoft"))
        elif number in marks.earlier:
            p.fillRect(row, theme.color("check.warnSoft"))
        elif number == current and not edit.textCursor().hasSelection():
            p.fillRect(row, theme.color("surface.panelAlt"))
        if edit.flash > 0 and number == edit.flashed:
            glow = theme.color("accent.base")
            glow.setAlphaF(glow.alphaF() * FLASH * edit.flash * 0.5)
            p.fillRect(row, glow)
        p.setPen(quiet)
        for step in range(1, level):
            x = round(left + step * 4 * space) + 0.5
            p.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        if here:
            _occurrences(edit, p, block, box, line, here)
        for start, end in edit.finds_in(block):
            _found(p, theme, _box(edit, block, box, line, start, end), edit.chosen_here(block, line, start, end))
    _pair(edit, p)


def _occurrences(edit: MarkedText, p: QPainter, block: QTextBlock, box: QRectF, line: str, word: str) -> None:
    if word not in line:
        return
    spans = edit.code.spans(block.blockNumber())
    soft = mixed(edit.theme.color("accent.soft"), edit.theme.color("accent.base"), 0.12)
    for _, start, end in places_of(word, iter([(0, line)])):
        kind = next((s.kind for s in spans if s.start <= start < s.end), "")
        if kind in ("name", "called", "defined", "decorator"):
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(soft)
            p.drawRoundedRect(_box(edit, block, box, line, start, end).adjusted(-1, 1, 1, -1), 3, 3)


def _found(p: QPainter, theme: Theme, box: QRectF, chosen: bool) -> None:
    p.setBrush(theme.color("check.warnSoft"))
    p.setPen(QPen(theme.color("accent.base"), 3) if chosen else QPen(theme.color("check.warn"), 1))
    p.drawRoundedRect(box.adjusted(-0.5, 1.5, 0.5, -1.5), 3, 3)


def _pair(edit: MarkedText, p: QPainter) -> None:
    for number, column in edit.pair():
        block = edit.document().findBlockByNumber(number)
        box = edit.blockBoundingGeometry(block).translated(edit.contentOffset())
        box.setHeight(box.height() - edit.rooms.layout_.rooms.get(number, 0.0))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(edit.theme.color("accent.base"), 1.4))
        p.drawRoundedRect(_box(edit, block, box, block.text(), column, column + 1).adjusted(0, 1, 0, -1), 2, 2)


# ---------------------------------------------------------------------- over the text


def paint_over(edit: MarkedText, p: QPainter, area: QRectF) -> None:
    """Paint everything above the letters within ``area``."""
    theme, marks = edit.theme, edit.marks
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    for block, box in seen(edit):
        if box.bottom() < area.top() or box.top() > area.bottom():
            continue
        number, line = block.blockNumber(), block.text()
        for problem in reversed(marks.problems.get(number, ())):
            start = min(problem.column, max(0, len(line) - 1))
            part = _box(edit, block, box, line, start, max(start + 1, min(problem.end_column, len(line))))
            part.setWidth(max(part.width(), edit.fontMetrics().horizontalAdvance(" ")))
            _wave(p, part, theme.color("check.violated" if problem.kind == "error" else "check.warn"))
        for start, end, role in role_spans(line, edit.code.spans(number), edit.lighter.roles, edit.lighter.texts):
            if not any(each.column < end and start < each.end_column for each in marks.problems.get(number, ())):
                part = _box(edit, block, box, line, start, end)
                if role.kind == "state":
                    _under(p, part, theme.state(role.slot).outline, [])
                elif role.kind == "message":
                    style = theme.message(role.slot)
                    _under(p, part, style.color, style.dash)
        if number in marks.counts:
            _count(edit, p, block, box, line, marks.counts[number])


def _wave(p: QPainter, box: QRectF, color: QColor) -> None:
    path = QPainterPath(QPointF(box.left(), box.bottom() - 1.5))
    step, up = 2.5, True
    x = box.left()
    while x < box.right():
        x = min(x + step, box.right())
        path.lineTo(x, box.bottom() - (4.0 if up else 1.5))
        up = not up
    p.setPen(QPen(color, 1.4))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawPath(path)


def _under(p: QPainter, box: QRectF, color: QColor, dash: list[float]) -> None:
    pen = QPen(color, 2)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        pen.setDashPattern([part / 2 for part in dash])
    p.setPen(pen)
    y = round(box.bottom()) - 1.0
    p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))


def _count(edit: MarkedText, p: QPainter, block: QTextBlock, box: QRectF, line: str, count: int) -> None:
    """Paint how often a function ran, on the right, unless it would cover the code."""
    text = tr("ran {count:,}×", count=count) if count else tr("never ran")
    font = edit.theme.font("small", mono=True)
    p.setFont(font)
    metrics = p.fontMetrics()
    left = edit.viewport().width() - metrics.horizontalAdvance(text) - 14
    if left < x_of(edit, block, len(line), line) + 12:
        return
    p.setPen(edit.theme.color("text.secondary" if count else "check.warn"))
    p.drawText(QPointF(left, box.center().y() + metrics.ascent() / 2 - 1), text)
