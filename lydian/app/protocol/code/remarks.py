"""Widgets below lines of the code, which push the rest of the text down."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QRectF
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit, QWidget

from lydian.authoring.codetyping import shifted

__all__ = ["RoomLayout", "Rooms"]


class RoomLayout(QPlainTextDocumentLayout):
    """The usual layout with space below some blocks; ``rooms`` maps block numbers to heights in pixels."""

    def __init__(self, text: QTextDocument) -> None:
        super().__init__(text)
        self.rooms: dict[int, float] = {}

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        box = super().blockBoundingRect(block)
        if self.rooms:
            room = self.rooms.get(block.blockNumber(), 0.0)
            if room:
                box.setHeight(box.height() + room)
        return box

    @staticmethod
    def of(text: QTextDocument) -> RoomLayout:
        """Return the layout of a text, and install it if the text still has Qt's own."""
        layout = text.documentLayout()
        if not isinstance(layout, RoomLayout):
            layout = RoomLayout(text)
            text.setDocumentLayout(layout)
        return layout


class Rooms(QObject):
    """The widgets below the lines of one editor; they move with their lines."""

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self.edit = edit
        self.placed: dict[QWidget, int] = {}  # widget -> block number
        self._busy = False

    @property
    def layout_(self) -> RoomLayout:
        return RoomLayout.of(self.edit.document())

    def put(self, line: int, widget: QWidget) -> None:
        """Put a widget below a line (from 1); it moves with the line until it is removed."""
        if self.placed.get(widget) == line - 1:
            self.refresh()
            return
        self.placed[widget] = line - 1
        widget.setParent(self.edit.viewport())
        widget.show()
        self.refresh()

    def take(self, widget: QWidget) -> None:
        """Remove a widget and close its space."""
        if self.placed.pop(widget, None) is not None:
            widget.hide()
            self.refresh()

    def clear(self) -> None:
        for widget in list(self.placed):
            self.take(widget)

    def shift(self, at: int, delta: int) -> None:
        """Move the widgets after lines were inserted or removed."""
        moved = {widget: shifted(number, at, delta) for widget, number in self.placed.items()}
        for widget in [widget for widget, number in moved.items() if number is None]:
            widget.hide()
        self.placed = {widget: number for widget, number in moved.items() if number is not None}
        self.refresh()

    def refresh(self) -> None:
        """Measure the widgets, make space for them and place them."""
        if self._busy:
            return
        self._busy = True
        try:
            wide = self._span()[1]
            rooms: dict[int, float] = {}
            for widget, number in self.placed.items():
                tall = widget.heightForWidth(wide) if widget.hasHeightForWidth() else widget.sizeHint().height()
                rooms[number] = rooms.get(number, 0.0) + tall + 2 * self._gap()
            layout = self.layout_
            if rooms != layout.rooms:
                layout.rooms = rooms
                layout.documentSizeChanged.emit(layout.documentSize())  # updates the range of the scroll bar
                self.edit.viewport().update()
                self.edit.updateRequest.emit(self.edit.viewport().rect(), 0)
            self.place()
        finally:
            self._busy = False

    def place(self) -> None:
        """Place the widgets below the current positions of their lines."""
        left, wide = self._span()
        used: dict[int, float] = {}
        for widget, number in self.placed.items():
            block = self.edit.document().findBlockByNumber(number)
            box = self.edit.blockBoundingGeometry(block).translated(self.edit.contentOffset())
            tall = widget.heightForWidth(wide) if widget.hasHeightForWidth() else widget.sizeHint().height()
            top = box.bottom() - self.layout_.rooms.get(number, 0.0) + self._gap() + used.get(number, 0.0)
            used[number] = used.get(number, 0.0) + tall + 2 * self._gap()
            widget.setGeometry(QRect(left, round(top), wide, tall))

    def _gap(self) -> int:
        return 3

    def _span(self) -> tuple[int, int]:
        space = self.edit.fontMetrics().horizontalAdvance(" ")
        left = 4 * space
        return left, max(160, min(self.edit.viewport().width() - left - 12, 100 * space))
