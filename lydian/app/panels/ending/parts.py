"""The parts of the panel about the end of a run: the chain of waiting processes, lines of code, cards to go on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from lydian.app.kit.paintedcard import PaintedCard
from lydian.app.look.shapes import draw_process
from lydian.app.look.theme import Theme
from lydian.authoring.ending import Line
from lydian.desk.runs.whatnext import Suggestion
from lydian.language import tr
from lydian.model.source.lex import lex

__all__ = ["ChainPicture", "CodeLines", "NextCard"]

#: The inks of the parts of a line of code; all others have the colour of text.
_INKS = {"keyword": "syntax.keyword", "string": "syntax.string", "comment": "syntax.comment", "number": "syntax.number"}


class ChainPicture(QWidget):
    """Processes of which each waits for the next, with the cause of their waiting at the end."""

    #: The diameter of a process, and the greatest length of an arrow.
    SIZE, ARROW = 30, 64

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self._links: tuple[tuple[str, int, bool], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_chain(self, links: Sequence[tuple[str, int, bool]]) -> None:
        """Show processes: their names, the slots of their states, and whether they have crashed."""
        self._links = tuple(links)
        names = [name for name, _slot, _crashed in links]
        self.setAccessibleName(tr("Each waits for the next: {processes}", processes=", ".join(names)) if names else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.theme.stretched(self.SIZE) + 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        links = self._links
        if not links:
            return
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            d = self.theme.stretched(self.SIZE)
            room = self.width() - d * 1.3
            if (len(links) - 1) * d * 1.9 > room:  # the middle of a long chain is left out
                fits = max(int(room // (d * 1.9)), 2)
                links = (*links[: fits // 2], ("…", -1, False), *links[-(fits - fits // 2) :])
            step = min(room / max(len(links) - 1, 1), d + self.theme.stretched(self.ARROW))
            y = self.height() / 2
            places = [d * 0.65 + step * number for number in range(len(links))]
            for left, right in pairwise(places):
                self._arrow(p, left + d * 0.68, right - d * 0.68, y)
            for x, (name, slot, crashed) in zip(places, links, strict=True):
                if slot < 0 and not crashed:
                    p.setPen(self.theme.color("text.primary"))
                    p.setFont(self.theme.font("body", semibold=True))
                    p.drawText(QRectF(x - d / 2, y - d / 2, d, d), int(Qt.AlignmentFlag.AlignCenter), name)
                else:
                    draw_process(p, self.theme, x, y, d * 0.86, max(slot, 0), name, crashed=crashed)
        finally:
            p.end()

    def _arrow(self, p: QPainter, left: float, right: float, y: float) -> None:
        if right - left < 4:
            return
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(self.theme.color("chain.waiting"))
        p.drawRect(QRectF(left, y - 5, right - left, 10))
        pen = QPen(self.theme.color("surface.panel"), 1.6)
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        middle = (left + right) / 2
        for shift in (-6, 0, 6):
            x = middle + shift
            if left + 4 < x < right - 4:
                p.drawPolyline(QPolygonF([QPointF(x - 2, y - 3), QPointF(x + 1, y), QPointF(x - 2, y + 3)]))


class CodeLines(QWidget):
    """A few lines of a protocol, with one of them marked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.line: Line | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_line(self, line: Line | None) -> None:
        """Show a line with those around it."""
        self.line = line
        if line is not None:
            code = "\n".join(text for _number, text in line.lines)
            self.setAccessibleName(tr("Line {number}: {note}", number=line.number, note=line.note))
            self.setAccessibleDescription(code)
        self.updateGeometry()
        self.update()

    def _row(self) -> int:
        return QFontMetrics(self.theme.font("small", mono=True)).height() + 5

    def sizeHint(self) -> QSize:
        count = 0 if self.line is None else len(self.line.lines) + bool(self.line.note)
        return QSize(200, count * self._row() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.line is None:
            return
        p = QPainter(self)
        try:
            theme, row, y = self.theme, self._row(), 4
            font = theme.font("small", mono=True)
            for number, text in self.line.lines:
                box = QRectF(0, y, self.width(), row)
                marked = number == self.line.number
                if marked:
                    p.fillRect(box, theme.color("check.violatedSoft"))
                    p.fillRect(QRectF(0, y, 4, row), theme.color("chain.waiting"))
                p.setFont(font)
                p.setPen(theme.color("text.hint"))
                right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
                p.drawText(QRectF(8, y, 34, row), int(right), str(number))
                self._code(p, text, QRectF(54, y, self.width() - 60, row))
                y += row
                if marked and self.line.note:
                    p.fillRect(QRectF(0, y, self.width(), row), theme.color("check.violatedSoft"))
                    p.fillRect(QRectF(0, y, 4, row), theme.color("chain.waiting"))
                    p.setFont(theme.font("small"))
                    p.setPen(theme.color("check.violated"))
                    note = p.fontMetrics().elidedText(self.line.note, Qt.TextElideMode.ElideRight, self.width() - 64)
                    p.drawText(QRectF(54, y, self.width() - 60, row), int(Qt.AlignmentFlag.AlignVCenter), note)
                    y += row
        finally:
            p.end()

    def _code(self, p: QPainter, text: str, box: QRectF) -> None:
        metrics = QFontMetrics(p.font())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        x, place = box.left(), int(Qt.AlignmentFlag.AlignVCenter)
        spans, _state = lex(shown)
        for span in spans:
            part = shown[span.start : span.end]
            p.setPen(self.theme.color(_INKS.get(span.kind, "text.primary")))
            p.drawText(QRectF(x, box.top(), box.width(), box.height()), place, part)
            x += metrics.horizontalAdvance(part)


class NextCard(PaintedCard):
    """A card with something to try: its title, and one or two lines about it."""

    def __init__(self, what: Suggestion, theme: Theme, *, best: bool = False) -> None:
        super().__init__()
        self.what, self.theme, self._best = what, theme, best
        self.setText(what.title)
        self.setAccessibleName(what.title)
        self.setAccessibleDescription(what.text)
        self.setToolTip(what.text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        title, text = (QFontMetrics(self.theme.font(role)).height() for role in ("body", "small"))
        return QSize(140, title + 2 * text + 22)

    def minimumSizeHint(self) -> QSize:
        return QSize(96, self.sizeHint().height())

    @property
    def lit(self) -> bool:
        return self._best or super().lit

    @property
    def rim(self) -> str:
        return "accent.base" if self._best else super().rim

    def paint_inside(self, p: QPainter) -> None:
        theme, box = self.theme, self.rect().toRectF().adjusted(1, 1, -1, -1)
        inner = box.adjusted(11, 8, -9, -6)
        p.setFont(theme.font("body", semibold=True))
        p.setPen(theme.color("text.primary"))
        high = p.fontMetrics().height()
        title = p.fontMetrics().elidedText(self.what.title, Qt.TextElideMode.ElideRight, int(inner.width()))
        p.drawText(QRectF(inner.left(), inner.top(), inner.width(), high), title)
        p.setPen(theme.color("text.secondary"))
        self._two_lines(p, QRectF(inner.left(), inner.top() + high + 3, inner.width(), inner.height() - high - 3))

    def _two_lines(self, p: QPainter, box: QRectF) -> None:
        """Draw the text in at most two lines; the second is shortened."""
        font = self.theme.font("small")
        metrics = QFontMetrics(font)
        layout = QTextLayout(self.what.text, font)
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.beginLayout()
        p.setFont(font)
        for number in range(2):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(box.width())
            start = line.textStart()
            last = number == 1
            part = self.what.text[start:] if last else self.what.text[start : start + line.textLength()]
            shown = metrics.elidedText(part.strip(), Qt.TextElideMode.ElideRight, int(box.width()))
            p.drawText(QPointF(box.left(), box.top() + number * metrics.height() + metrics.ascent()), shown)
        layout.endLayout()
