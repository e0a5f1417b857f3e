"""The field for a filter of events."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QStandardItem, QStandardItemModel, QTextCharFormat
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from lydian.app.kit.completions import CompletionList
from lydian.app.look.theme import Theme
from lydian.views.words.suggest import Suggestion

__all__ = ["FilterField"]


class FilterField(QLineEdit):
    """A line of text, part of which can be underlined as wrong, with a list of completions below it.

    Attributes:
        offers: the completions at the cursor, set from outside.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers: Callable[[str, int], list[Suggestion]] = lambda _text, _cursor: []
        self._offered: list[Suggestion] = []
        self._items = QStandardItemModel(self)
        self.completions = QCompleter(self._items, self)
        self.completions.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.completions.setWidget(self)
        self.completions.setMaxVisibleItems(9)
        self.popup = CompletionList(self)
        self.completions.setPopup(self.popup)
        self.popup.clicked.connect(self._clicked)
        self.textEdited.connect(lambda _text: self.suggest())

    def suggest(self) -> None:
        """Show the completions, if there are any."""
        self._offered = self.offers(self.text(), self.cursorPosition())
        self._items.clear()
        for each in self._offered:
            item = QStandardItem(f"{each.text.strip()}    {each.about}" if each.about else each.text.strip())
            item.setEditable(False)
            self._items.appendRow(item)
        if not self._offered or not self.isVisible():
            self.popup.hide()
            return
        here = self.cursorRect()
        here.setWidth(max(self.popup.sizeHintForColumn(0) + 30, 180))
        self.completions.complete(here)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept the highlighted completion on Return or Tab; without a highlight, Tab accepts the first."""
        popup, key = self.popup, event.key()
        if popup.isVisible() and self._offered:
            index = popup.currentIndex()
            if key == Qt.Key.Key_Tab and not index.isValid():
                index = self._items.index(0, 0)
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab) and index.isValid():
                popup.hide()
                self._take(index)
                event.accept()
                return
        super().keyPressEvent(event)

    def _clicked(self, index: QModelIndex) -> None:
        self.popup.hide()
        self._take(index)

    def _take(self, index: QModelIndex) -> None:
        if 0 <= index.row() < len(self._offered):
            each = self._offered[index.row()]
            self.setText(each.into(self.text()))
            self.setCursorPosition(each.start + len(each.text))
            if each.text.endswith(("=", ">", " ")):
                self.suggest()

    def event(self, event: QEvent) -> bool:
        """Keep Return for the field, even if the window has a command with this key."""
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        asked = event.type() == QEvent.Type.ShortcutOverride
        if asked and isinstance(event, QKeyEvent) and event.key() in keys:
            event.accept()
            return True
        # Qt handles Tab itself before it is a key press
        pressed = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab and self.popup.isVisible():
            self.keyPressEvent(event)
            return True
        return super().event(event)

    def underline(self, start: int, end: int, theme: Theme) -> None:
        """Underline from one character to another, or nothing if they are the same."""
        marks = []
        if end > start:
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(theme.color("check.violated"))
            kind = QInputMethodEvent.AttributeType.TextFormat
            marks = [QInputMethodEvent.Attribute(kind, start - self.cursorPosition(), end - start, look)]
        QCoreApplication.sendEvent(self, QInputMethodEvent("", marks))
