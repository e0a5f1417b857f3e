"""The field in which a filter of events is written."""

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
    """A line of text, a part of which can be underlined as wrong; below it what may stand next, while one types.

    Attributes:
        offers: what may stand where the cursor is, set by whoever knows.
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
        """Offer what may stand next, if there is something."""
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
        """Return and Tab take what is marked in the list below; without a mark Tab takes the first."""
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
        """Return is the field's own, wherever the window has a use for it."""
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        asked = event.type() == QEvent.Type.ShortcutOverride
        if asked and isinstance(event, QKeyEvent) and event.key() in keys:
            event.accept()
            return True
        # Qt takes Tab for itself before it is a key press
        pressed = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab and self.popup.isVisible():
            self.keyPressEvent(event)
            return True
        return super().event(event)

    def underline(self, start: int, end: int, theme: Theme) -> None:
        """Underline from character to character; nothing if they are the same."""
        marks = []
        if end > start:
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(theme.color("check.violated"))
            kind = QInputMethodEvent.AttributeType.TextFormat
            marks = [QInputMethodEvent.Attribute(kind, start - self.cursorPosition(), end - start, look)]
        QCoreApplication.sendEvent(self, QInputMethodEvent("", marks))
