"""The text of the code: a plain text edit that shows the marks of a protocol and handles the keyboard commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, QRectF, Qt
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
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from lydian.app.look.theme import Theme
from lydian.app.protocol.code.codekeys import Keys
from lydian.app.protocol.code.codestyle import text_style
from lydian.app.protocol.code.completer import Completer
from lydian.app.protocol.code.gutter import Gutter
from lydian.app.protocol.code.highlighter import BlockCode, Highlighter
from lydian.app.protocol.code.hovers import Hovers
from lydian.app.protocol.code.marks import LineMarks, MarkedText, paint_over, paint_under
from lydian.app.protocol.code.remarks import RoomLayout, Rooms
from lydian.app.protocol.problems import Problems
from lydian.authoring.celltable import looks_for
from lydian.authoring.codenames import action_marks, roles_of, state_texts
from lydian.language import tr

if TYPE_CHECKING:
    from lydian.app.protocol.document import ProtocolDocument

__all__ = ["CodeText"]


class CodeText(MarkedText):
    """The code of one protocol, with its margin, hovers, completions and keyboard commands."""

    def __init__(self, protocol: ProtocolDocument, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.looks: tuple[Mapping[str, int], Mapping[str, int]] | None = None
        self.setObjectName("codeText")
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setCursorWidth(2)
        self.setAccessibleDescription(
            tr(
                "Tab indents; Ctrl+M lets Tab leave the code. F8 goes to the next problem, Ctrl+Space completes, and "
                "F1 explains the word under the cursor"
            )
        )
        self.gutter = Gutter(self)
        self.rooms = Rooms(self)
        self.protocol = protocol
        self._take(protocol)
        self.completer_ = Completer(self)
        self.hovers = Hovers(self, self.gutter, self.completer_)
        self.problems = Problems(self, self.completer_)
        self.keys = Keys(self, self.completer_, self.hovers, self.problems)
        self.completer_.taken.connect(self.hovers.hint)
        self.fixes_wanted.connect(self._offer_fixes)
        self.updateRequest.connect(self._updated)
        self.blockCountChanged.connect(lambda _count: self._widen())
        self.cursorPositionChanged.connect(self._moved)
        self.set_theme(theme)
        self._read()

    # ------------------------------------------------------------------ document and appearance

    def set_document(self, protocol: ProtocolDocument) -> None:
        """Show another document."""
        if protocol is self.protocol:
            return
        old = self.protocol
        old.read.disconnect(self._read)
        old.moved.disconnect(self._renamed)
        old.text.contentsChange.disconnect(self._shifted)
        self.rooms.clear()
        self.marks = LineMarks()
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
        self.setAccessibleName(tr("Code of {file}", file=protocol.name))

    def set_theme(self, theme: Theme) -> None:
        """Set the colours and the size of the text."""
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
        """Update the marks after the document was read again."""
        draft, looks = self.protocol.draft, self.looks
        if looks is None:  # the same as in the table, the diagram and the views
            path, outline = self.protocol.path, self.protocol.outline
            labels = tuple(each.name for each in (*outline.messages, *outline.timers, *outline.commands))
            drawn = looks_for(path.stem if path is not None else "", outline.state_names, labels)
            looks = (drawn.states, drawn.messages)
        roles, texts = roles_of(draft, looks), state_texts(draft, looks)
        self.lighter.set_roles(roles, texts)
        self.swatches = {name: role.slot for name, role in texts.items()}
        self.marks.states = {line - 1: states for line, states in action_marks(draft).items()}
        self.setAccessibleName(tr("Code of {file}", file=self.protocol.name))
        self.problems.refresh()
        self.viewport().update()
        self.gutter.update()

    def _renamed(self) -> None:
        """Update the name, and the appearance that depends on it."""
        if self.protocol.path != self._path:
            self._path = self.protocol.path
            self._read()

    def _shifted(self, position: int, _removed: int, _added: int) -> None:
        """Move the marks with their lines after lines were inserted or removed."""
        count = self.document().blockCount()
        delta, self._blocks = count - self._blocks, count
        self._pair = ((-1, -1), [])
        if delta:
            block = self.document().findBlock(position)
            at = block.blockNumber() + (position != block.position())
            self.marks.shift(at, delta)
            self.rooms.shift(at, delta)

    def _offer_fixes(self, line: int) -> None:
        """Show the fixes for the problems of a line (from 0)."""
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
        paint_under(self, p, area)
        p.end()
        super().paintEvent(event)
        p = QPainter(self.viewport())
        paint_over(self, p, area)
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
        """Refuse files, which the window opens instead of inserting them into the code."""
        return source.hasText() and not any(url.isLocalFile() for url in source.urls())

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():  # without formatting, and without tabs, which must not be mixed with spaces
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
