"""The text itself: a plain text edit that knows the protocol in it, paints its marks, and does what keys ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from lydian.app.look.theme import Theme
from lydian.app.protocol import marks as painting
from lydian.app.protocol.codekeys import Keys
from lydian.app.protocol.codestyle import text_style
from lydian.app.protocol.completer import Completer
from lydian.app.protocol.gutter import Gutter
from lydian.app.protocol.highlighter import BlockCode, Highlighter
from lydian.app.protocol.hovers import Hovers
from lydian.app.protocol.problems import Problems
from lydian.app.protocol.rooms import RoomLayout, Rooms
from lydian.authoring.celltable import looks_for
from lydian.authoring.codenames import action_marks, roles_of, state_texts, word_at
from lydian.authoring.codetyping import partner, units, without_units

if TYPE_CHECKING:
    from lydian.app.protocol.document import ProtocolDocument

__all__ = ["CodeText"]


class PlacedText(QPlainTextEdit):
    """Where the cursor is, and how it is put somewhere."""

    def place(self, cursor: QTextCursor | None = None) -> tuple[int, int]:
        """Line (from 1) and column (letters) of a cursor."""
        cursor = cursor or self.textCursor()
        block = cursor.block()
        return block.blockNumber() + 1, without_units(block.text(), cursor.position() - block.position())

    def position(self, line: int, column: int = 0) -> int:
        """Qt's place of a line (from 1) and column."""
        block = self.document().findBlockByNumber(max(0, min(line - 1, self.blockCount() - 1)))
        text = block.text()
        return block.position() + units(text, min(column, len(text)))

    def go(self, line: int, column: int | None = None, *, end: int | None = None) -> None:
        """Put the cursor to a line (from 1), in the middle of the view if it was not seen."""
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
        """Select a whole line (from 0), or up to it."""
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


#: How long the line that was jumped to glows, in milliseconds.
GLOW = 900


class CodeText(PlacedText):
    """The code of one protocol.

    Attributes:
        protocol: the document.
        marks: what belongs to lines.
        code: the lines with their spans.
        finds: line (from 0) -> places that are looked for, start and end.
        swatches: state -> the slot in which the margin shows it.
        flash, flashed: how strongly the line that was jumped to glows, 0..1, and which it is.
    """

    help_wanted = Signal(str)
    break_wanted = Signal(int)
    copy_wanted = Signal()
    zoom_wanted = Signal(int)

    def __init__(self, protocol: ProtocolDocument, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.marks = painting.LineMarks()
        self.finds: Mapping[int, Sequence[tuple[int, int]]] = {}
        self.swatches: Mapping[str, int] = {}
        self.looks: tuple[Mapping[str, int], Mapping[str, int]] | None = None
        self.flash, self.flashed = 0.0, -1
        self._pair: tuple[tuple[int, int], list[tuple[int, int]]] = ((-1, -1), [])
        self.setObjectName("codeText")
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setCursorWidth(2)
        self.setAccessibleDescription(
            "Tab indents; Ctrl+M lets Tab leave the code. F8 goes to the next problem, Ctrl+Space shows what fits, "
            "F1 explains the word under the cursor"
        )
        self.gutter = Gutter(self)
        self.rooms = Rooms(self)
        self._glow = QVariantAnimation(self)
        self._glow.setStartValue(1.0)
        self._glow.setEndValue(0.0)
        self._glow.setDuration(GLOW)
        self._glow.valueChanged.connect(self._glowed)
        self.protocol = protocol
        self._take(protocol)
        self.completer_ = Completer(self)
        self.hovers = Hovers(self)
        self.problems = Problems(self)
        self.keys = Keys(self)
        self.updateRequest.connect(self._updated)
        self.blockCountChanged.connect(lambda _count: self._widen())
        self.cursorPositionChanged.connect(self._moved)
        self.set_theme(theme)
        self._read()

    # ------------------------------------------------------------------ document and looks

    def set_document(self, protocol: ProtocolDocument) -> None:
        """Show another document."""
        if protocol is self.protocol:
            return
        old = self.protocol
        old.read.disconnect(self._read)
        old.moved.disconnect(self._renamed)
        old.text.contentsChange.disconnect(self._shifted)
        self.rooms.clear()
        self.marks = painting.LineMarks()
        self.finds = {}
        self.completer_.close()
        self._take(protocol)
        self.set_theme(self.theme)
        self._read()

    def _take(self, protocol: ProtocolDocument) -> None:
        self.protocol = protocol
        RoomLayout.of(protocol.text)
        self.setDocument(protocol.text)
        self._blocks = protocol.text.blockCount()
        self._path = protocol.path
        self.code = BlockCode(protocol.text)
        lighter = next((each for each in protocol.text.children() if isinstance(each, Highlighter)), None)
        self.lighter = lighter or Highlighter(protocol.text, self.theme)
        protocol.read.connect(self._read)
        protocol.moved.connect(self._renamed)
        protocol.text.contentsChange.connect(self._shifted)
        self.setAccessibleName(f"Code of {protocol.name}")

    def set_theme(self, theme: Theme) -> None:
        """Other colours, or text of another size."""
        self.lighter.set_theme(theme)
        font = theme.font("body", mono=True)
        self.setFont(font)
        self.setStyleSheet(text_style(theme, font.family()))
        self.ensurePolished()
        self.document().setDocumentMargin(4)
        self.document().setDefaultFont(self.font())
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self._widen()
        self.rooms.refresh()
        self.viewport().update()
        self.gutter.update()

    def _read(self) -> None:
        """The document was read again."""
        draft, looks = self.protocol.draft, self.looks
        if looks is None:  # as table, diagram and views draw them
            path, outline = self.protocol.path, self.protocol.outline
            labels = tuple(each.name for each in (*outline.messages, *outline.timers, *outline.commands))
            drawn = looks_for(path.stem if path is not None else "", outline.state_names, labels)
            looks = (drawn.states, drawn.messages)
        roles, texts = roles_of(draft, looks), state_texts(draft, looks)
        self.lighter.set_roles(roles, texts)
        self.swatches = {name: role.slot for name, role in texts.items()}
        self.marks.states = {line - 1: states for line, states in action_marks(draft).items()}
        self.setAccessibleName(f"Code of {self.protocol.name}")
        self.problems.refresh()
        self.viewport().update()
        self.gutter.update()

    def _renamed(self) -> None:
        """The document may have another name, and with it other looks."""
        if self.protocol.path != self._path:
            self._path = self.protocol.path
            self._read()

    def _shifted(self, position: int, _removed: int, _added: int) -> None:
        """Lines were put in or taken out: what belongs to lines moves with them."""
        count = self.document().blockCount()
        delta, self._blocks = count - self._blocks, count
        self._pair = ((-1, -1), [])
        if delta:
            block = self.document().findBlock(position)
            at = block.blockNumber() + (position != block.position())
            self.marks.shift(at, delta)
            self.rooms.shift(at, delta)

    # ------------------------------------------------------------------ places

    def glow(self, line: int) -> None:
        """Let a line (from 1) glow softly for a moment."""
        self._glow.stop()
        self.flash, self.flashed = 1.0, line - 1
        self._glow.setKeyValueAt(0.98, 1.0 if self.theme.still else 0.02)
        self._glow.start()

    def _glowed(self, value: object) -> None:
        self.flash = float(value) if isinstance(value, float) else 0.0
        self.viewport().update()

    def own(self) -> None:
        """Something is about to be changed: what belongs to the library becomes a copy first."""
        if self.protocol.read_only:
            self.copy_wanted.emit()

    def word_here(self) -> str:
        """The name under the cursor; "" for words of Python, remarks and texts."""
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
        """The bracket at the cursor and its partner; line from 0."""
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
        """Whether exactly this part of a line is selected."""
        cursor, at = self.textCursor(), block.position()
        first, last = at + units(line, start), at + units(line, end)
        return cursor.selectionStart() == first and cursor.selectionEnd() == last

    def offer_fixes(self, line: int) -> None:
        """Show what can be done about the problems of a line (from 0)."""
        self.go(line + 1, None)
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.problems.fix()

    # ------------------------------------------------------------------ Qt's events

    def _moved(self) -> None:
        self.hovers.hide_card()
        self.hovers.hint()
        self.problems.moved()
        self.viewport().update()
        self.gutter.update()

    def _widen(self) -> None:
        self.setViewportMargins(self.gutter.wanted(), 0, 0, 0)
        self._lay()

    def _lay(self) -> None:
        box = self.contentsRect()
        self.gutter.setGeometry(QRect(box.left(), box.top(), self.gutter.wanted(), self.viewport().height()))

    def _updated(self, rect: QRect, dy: int) -> None:
        if dy or rect.height() >= self.viewport().height():
            self.gutter.update()
            self.rooms.place()
        else:
            self.gutter.update(0, rect.y(), self.gutter.width(), rect.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay()
        self.rooms.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        area = QRectF(event.rect())
        p = QPainter(self.viewport())
        painting.paint_under(self, p, area)
        p.end()
        super().paintEvent(event)
        p = QPainter(self.viewport())
        painting.paint_over(self, p, area)
        p.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            wanted = self.keys.wants(event)
            if wanted is not None:
                event.setAccepted(wanted)
                return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.keys.press(event):
            event.accept()
            return
        if self.keys.changes(event):
            self.own()
        super().keyPressEvent(event)
        self.keys.after(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if event.commitString() or event.preeditString():
            self.own()
        super().inputMethodEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """A file that is dropped here is opened by the window, not written into the code."""
        return source.hasText() and not any(url.isLocalFile() for url in source.urls())

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():  # what is pasted or dropped comes without its looks, and tabs would mix with blanks
            self.own()
            self.textCursor().insertText(source.text().replace("\r\n", "\n").replace("\t", "    "))
            self.ensureCursorVisible()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if turned:
                self.zoom_wanted.emit(1 if turned > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.completer_.close()
        self.hovers.hide_card()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        plain = event.modifiers() == Qt.KeyboardModifier.ControlModifier and not self.textCursor().hasSelection()
        super().mouseReleaseEvent(event)
        if plain and event.button() == Qt.MouseButton.LeftButton:
            self.keys.define()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.hovers.pointed(event.position().toPoint(), event.modifiers())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.keys.menu(event.pos() if event.reason() == QContextMenuEvent.Reason.Mouse else QPoint(-1, -1))
        menu.popup(event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        self.hovers.left()
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.completer_.close()
            self.hovers.hide_hint()

    def hideEvent(self, event: QHideEvent) -> None:
        self.completer_.close()
        self.hovers.stop()
        self.problems.stop()
        self._glow.stop()
        super().hideEvent(event)
