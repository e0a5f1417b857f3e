"""A field over the name of a run in which it gets another one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from lydian.app.look.theme import Theme
from lydian.app.panels.announcer import Announcer
from lydian.app.panels.goto import Field
from lydian.model.errors import LydianError

__all__ = ["NameField"]


class NameField(Field):
    """Enter, or leaving the field, renames; Esc leaves the name.  A sentence below says what cannot be.

    Args:
        name: the name it has now.
        rename: takes the new name, or raises why not.
        rect: where it stands in its parent.
    """

    def __init__(self, name: str, rename: Callable[[str], object], rect: QRect, theme: Theme, parent: QWidget) -> None:
        super().__init__(name, parent)
        self._name, self._rename, self._over, self._in = name, rename, False, parent
        self.setAccessibleName(f"Name of {name}")
        self.setMaxLength(200)
        self.setFont(theme.font("body"))
        high = self.sizeHint().height()
        self.setGeometry(rect.left() - 4, rect.center().y() - high // 2, max(rect.width(), 140), high)
        self.trouble = QLabel(parent)
        self.trouble.setObjectName("nameTrouble")
        self.trouble.setTextFormat(Qt.TextFormat.PlainText)
        self.trouble.setWordWrap(True)
        self.trouble.setFont(theme.font("small"))
        bad, soft = theme.color("check.violated").name(), theme.color("check.violatedSoft").name()
        self.trouble.setStyleSheet(
            f"background: {soft}; color: {bad}; border: 1px solid {bad}; border-radius: 4px; padding: 4px 7px;"
        )
        self.trouble.hide()
        self._announcer = Announcer(self)
        self.textChanged.connect(self.trouble.hide)
        self.show()
        self.selectAll()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def commit(self) -> bool:
        """Rename; false, with a sentence below the field, if it cannot have that name."""
        new = " ".join(self.text().split())
        if self._over or not new or new == self._name:
            self.finish()
            return True
        self._over = True  # renaming may take the keyboard away
        try:
            self._rename(new)
        except LydianError as error:
            self._over = False
            sentence = str(error)
            self._say(f"{sentence[:1].upper()}{sentence[1:]}, or Esc.")
            return False
        self.finish()
        return True

    def finish(self) -> None:
        """Go, whatever is typed."""
        self._over = True
        self.hide()
        self.trouble.hide()
        self.trouble.deleteLater()
        self.deleteLater()

    def _say(self, sentence: str) -> None:
        over = self._in
        self.trouble.setText(sentence)
        self.trouble.setAccessibleName(sentence)
        wide = max(min(over.width() - 12, 420), 120)
        self.trouble.setFixedWidth(min(wide, self.trouble.fontMetrics().horizontalAdvance(sentence) + 24))
        self.trouble.setFixedHeight(self.trouble.heightForWidth(self.trouble.width()))
        below = self.geometry().bottom() + 3
        above = self.geometry().top() - self.trouble.height() - 3
        fits = below + self.trouble.height() <= over.height() or above < 0
        self.trouble.move(min(self.x(), max(over.width() - self.trouble.width() - 6, 0)), below if fits else above)
        self.trouble.show()
        self.trouble.raise_()
        self._announcer.assertive(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.commit():
                self._in.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() == Qt.Key.Key_Escape:
            self.finish()
            self._in.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self._over and event.reason() != Qt.FocusReason.ActiveWindowFocusReason and not self.commit():
            self.finish()  # a name that cannot be does not hold anybody up who goes elsewhere
