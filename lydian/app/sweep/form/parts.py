"""Small parts of the form: a labelled field, a row of exclusive choices, a sentence below a field."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)

from lydian.app.kit.theming import mark, set_up
from lydian.app.panels.experiment.popups import ChoicePopup

__all__ = ["Lines", "Said", "WidePopup", "field", "put_text"]


def field(name: str, hint: str = "") -> QLineEdit:
    """Return a field of one line, whose edits belong to the undo history of the whole form."""
    made = set_up(_Line(), name=name, empty=hint)
    made.setMinimumWidth(40)
    return made


def put_text(made: QLineEdit | Lines, text: str) -> None:
    """Show a text that was changed elsewhere; the cursor stays in place if the text is the same."""
    if made.text() != text:
        made.setText(text)


def _steps(event: QEvent) -> bool:
    """Return True if a key means undo or redo, for which the whole form has one history."""
    keys = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
    wanted = event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
    return wanted and isinstance(event, QKeyEvent) and any(event.matches(key) for key in keys)


class _Line(QLineEdit):
    def event(self, event: QEvent) -> bool:
        if _steps(event):
            event.ignore()
            return False
        return super().event(event)


class Lines(QPlainTextEdit):
    """A field that grows with its text, up to some lines; Tab leaves it."""

    #: Emitted when the user types.
    textEdited = Signal(str)  # noqa: N815 - as that of a field of one line is called
    MOST = 6

    def __init__(self, name: str, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up(self, name=name, empty=hint)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(1)
        self.setUndoRedoEnabled(False)  # The whole form has one history.
        self._mine = False
        self.textChanged.connect(self._changed)
        self._fit()

    def text(self) -> str:
        return self.toPlainText()

    def setText(self, text: str) -> None:
        self._mine = True
        self.setPlainText(text)
        self._mine = False

    def event(self, event: QEvent) -> bool:
        if _steps(event):
            event.ignore()
            return False
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _changed(self) -> None:
        self._fit()
        if not self._mine:
            self.textEdited.emit(self.toPlainText())

    def _fit(self) -> None:
        lines = round(self.document().size().height()) if self.viewport().width() > 20 else 1
        high = min(max(lines, 1), self.MOST) * self.fontMetrics().lineSpacing() + 12
        if self.height() != high:
            self.setFixedHeight(high)


class WidePopup(ChoicePopup):
    """A list to choose from, with room for the explanations behind the names."""

    def open_below(self, widget: QWidget, least: int = 460) -> None:
        super().open_below(widget, least)


class Said(QLabel):
    """A sentence below a field, an error or a remark; without a sentence it takes no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.hide()

    def say(self, sentence: str, *, problem: bool = True) -> None:
        """Show a sentence; an empty one hides the widget."""
        mark(self, "problem" if problem else "explained")
        self.setText(sentence)
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))
