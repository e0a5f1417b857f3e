"""The row of the table for the state of a process: one chip for each event, lit if the event could happen now."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from lydian.app.look.theme import Theme
from lydian.language import tr, trn
from lydian.views.playback.dealing import TableCell

__all__ = ["TableRow"]

#: The distance between two chips, and from a chip's edge to its text.
GAP, AIR = 5, 8


class TableRow(QWidget):
    """Chips that wrap into as many lines as they need. A click on a lit chip takes its first event."""

    #: Emitted with a cell when the user clicks its chip to take its first event.
    wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.cells: tuple[TableCell, ...] = ()
        self._over = -1
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Row of the table for this state"))

    def show_cells(self, cells: Sequence[TableCell]) -> None:
        """Show these chips."""
        if tuple(cells) != self.cells:
            self.cells = tuple(cells)
            self.setAccessibleDescription("; ".join(words(cell) for cell in self.cells))
            self.setVisible(bool(self.cells))
            self.updateGeometry()
            self.update()

    # ------------------------------------------------------------------ places

    def _chips(self, width: int) -> list[QRect]:
        metrics = QFontMetrics(self.theme.font("small"))
        high = metrics.height() + 7
        x = y = 0
        found = []
        for cell in self.cells:
            wide = min(metrics.horizontalAdvance(_text(cell)) + 2 * AIR, width)
            if x and x + wide > width:
                x, y = 0, y + high + GAP
            found.append(QRect(x, y, wide, high))
            x += wide + GAP
        return found

    def heightForWidth(self, width: int) -> int:
        chips = self._chips(max(width, 40))
        return chips[-1].bottom() + 2 if chips else 0

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.heightForWidth(max(self.width(), 80)))

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            for number, (cell, box) in enumerate(zip(self.cells, self._chips(self.width()), strict=True)):
                self._chip(p, box, cell, over=number == self._over)
        finally:
            p.end()

    def _chip(self, p: QPainter, box: QRect, cell: TableCell, *, over: bool) -> None:
        theme, lit = self.theme, bool(cell.cards)
        pen = QPen(theme.color("accent.base" if lit else "border.subtle"), 1.5 if lit and over else 1.0)
        if not cell.action:
            pen.setStyle(Qt.PenStyle.DashLine)
        p.setPen(pen)
        p.setBrush(theme.color("accent.soft" if lit else "surface.panel"))
        p.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
        p.setFont(theme.font("small"))
        p.setPen(theme.color("text.primary" if lit else "text.hint"))
        inner = box.adjusted(AIR - 2, 0, 2 - AIR, 0)
        text = p.fontMetrics().elidedText(_text(cell), Qt.TextElideMode.ElideRight, inner.width())
        p.drawText(inner, int(Qt.AlignmentFlag.AlignCenter), text)

    # ------------------------------------------------------------------ the mouse

    def _at(self, x: int, y: int) -> int:
        return next((i for i, box in enumerate(self._chips(self.width())) if box.contains(x, y)), -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        self._over = self._at(at.x(), at.y())
        lit = self._over >= 0 and bool(self.cells[self._over].cards)
        self.setCursor(Qt.CursorShape.PointingHandCursor if lit else Qt.CursorShape.ArrowCursor)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        number = self._at(at.x(), at.y())
        if event.button() == Qt.MouseButton.LeftButton and number >= 0 and self.cells[number].cards:
            self.wanted.emit(self.cells[number])

    def leaveEvent(self, event: QEvent) -> None:
        self._over = -1
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            number = self._at(event.pos().x(), event.pos().y())
            if number >= 0:
                cell = self.cells[number]
                lines = [f"<b>{escape(_text(cell))}</b>", escape(cell.meaning), escape(_possible(cell))]
                QToolTip.showText(event.globalPos(), "<br>".join(line for line in lines if line), self)
            return True
        return bool(super().event(event))


def _text(cell: TableCell) -> str:
    text = f"{cell.label}: {cell.action or tr('cannot happen')}"
    return f"{text} ×{len(cell.cards)}" if len(cell.cards) > 1 else text


def _possible(cell: TableCell) -> str:
    if not cell.action:
        return tr("The table has no action for this event in this state.")
    count = len(cell.cards)
    if not count:
        return tr("No such event is enabled now.")
    return trn("{count:,} event can be chosen now.", "{count:,} events can be chosen now.", count)


def words(cell: TableCell) -> str:
    """Return the text of a cell for a screen reader."""
    return tr("{event}, possible now", event=_text(cell)) if cell.cards else _text(cell)
