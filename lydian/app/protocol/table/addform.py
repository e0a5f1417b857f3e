"""The form below the table that adds a state, message, timer or command with its name and fields."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QWidget

from lydian.app.kit.fields import label
from lydian.app.kit.layout import across
from lydian.app.kit.theming import grown, set_look
from lydian.app.look.theme import Theme

__all__ = ["AddForm"]

_EXAMPLES = {"state": "waiting", "message": "Ack", "timer": "Retry", "command": "Publish"}
_FIELDS = {"message": "hops: int", "timer": "attempt: int", "command": 'topic: str = ""'}


class AddForm(QFrame):
    """The form with a name and fields; Enter adds the new item, Esc closes the form."""

    #: Emitted with the kind, the name and the fields as typed.
    wanted = Signal(str, str, str)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = ""
        self.title = label()
        self.name, self.fields = QLineEdit(), QLineEdit()
        self.add = QPushButton("Add")
        self.cancel = QPushButton("Cancel")
        across(self.title, (self.name, 2), (self.fields, 3), self.add, self.cancel, on=self, spacing=6)
        for line in (self.name, self.fields):
            line.returnPressed.connect(self._done)
            line.setMinimumWidth(60)
        self.add.clicked.connect(self._done)
        self.cancel.clicked.connect(self.put_away)
        for part in (self.name, self.fields, self.add, self.cancel):
            set_look(part, theme, height=grown(28))
        for line in (self.name, self.fields):
            line.setObjectName("codeLine")
        self.hide()

    def open(self, kind: str) -> None:
        """Open the form for a new item of a kind."""
        self.kind = kind
        self.title.setText(f"New {kind}")
        self.name.clear()
        self.fields.clear()
        self.name.setPlaceholderText(f"name, such as {_EXAMPLES[kind]}")
        self.name.setAccessibleName(f"Name of the new {kind}")
        self.fields.setVisible(kind in _FIELDS)
        self.fields.setPlaceholderText(f"fields, such as {_FIELDS.get(kind, '')}")
        self.fields.setAccessibleName(f"Fields of the new {kind}")
        self.show()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def put_away(self) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def _done(self) -> None:
        self.wanted.emit(self.kind, self.name.text().strip(), self.fields.text().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_away()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
