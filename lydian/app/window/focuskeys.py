"""Keys that belong to the focused widget rather than to a command of the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QSlider,
    QTextEdit,
    QWidget,
)

from lydian.app.commands.table import KEPT

__all__ = ["Keys"]

#: Widgets that need the arrow keys and Enter, and widgets that need only Enter.
_LISTS = (QAbstractItemView, QComboBox, QSlider, QRadioButton)
_ENTERED = (QAbstractButton, QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Keys(QObject):
    """An event filter that sees the keys of a window before its commands do.

    Args:
        window: the window.
        keeps: returns whether the focused control keeps a key for another reason.
    """

    def __init__(self, window: QWidget, keeps: Callable[[QKeyEvent], bool]) -> None:
        super().__init__(window)
        self._keeps = keeps
        self._pressed_in: QWidget | None = None  # the widget that had the focus when the current key was pressed
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                return self._kept(event)
            if event.type() == QEvent.Type.KeyPress:
                return self._pressed(event)
        return False

    def _kept(self, event: QKeyEvent) -> bool:
        """Return whether the focused widget keeps a key: a list, drop-down or field the keys it needs, a button Enter.

        Space is not such a key: except in text fields, it plays and pauses.
        """
        focus = self._pressed_in = QApplication.focusWidget()
        plain = not event.modifiers() & _HELD
        kept = event.key() in KEPT and isinstance(focus, _LISTS)
        entered = event.key() in _ENTER and isinstance(focus, _ENTERED)
        if self._keeps(event) or (plain and (kept or entered)):
            event.accept()
            return True
        return False

    def _pressed(self, event: QKeyEvent) -> bool:
        """Let Enter press the focused button or open the drop-down, since Space plays and pauses."""
        focus = QApplication.focusWidget()
        here = focus is self._pressed_in  # a field that handled Enter may have moved the focus
        if here and event.key() in _ENTER and not event.modifiers() & _HELD:
            if isinstance(focus, QAbstractButton):
                focus.click()
                return True
            if isinstance(focus, QComboBox):
                focus.showPopup()
                return True
        return False
