"""Keys that belong to what has the focus rather than to a command of the window."""

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

#: What needs arrows and Enter for itself, and what needs Enter alone.
_LISTS = (QAbstractItemView, QComboBox, QSlider, QRadioButton)
_ENTERED = (QAbstractButton, QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Keys(QObject):
    """Looks at the keys of a window before its commands do.

    Args:
        window: whose keys.
        keeps: whether a key is for the control under focus for another reason.
    """

    def __init__(self, window: QWidget, keeps: Callable[[QKeyEvent], bool]) -> None:
        super().__init__(window)
        self._keeps = keeps
        self._pressed_in: QWidget | None = None  # had the focus when the key went down that is handled now
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                return self._kept(event)
            if event.type() == QEvent.Type.KeyPress:
                return self._pressed(event)
        return False

    def _kept(self, event: QKeyEvent) -> bool:
        """A list, a drop-down or a text field under focus keeps the plain keys it needs, a button keeps Enter.

        Space is no such key: it plays and pauses wherever nobody types.
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
        """Enter presses the button under focus and opens the drop-down, as Space is for playing."""
        focus = QApplication.focusWidget()
        here = focus is self._pressed_in  # a field that took the Enter may have passed the focus on
        if here and event.key() in _ENTER and not event.modifiers() & _HELD:
            if isinstance(focus, QAbstractButton):
                focus.click()
                return True
            if isinstance(focus, QComboBox):
                focus.showPopup()
                return True
        return False
