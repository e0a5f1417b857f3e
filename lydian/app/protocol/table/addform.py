"""The form below the table that adds a state, message, timer or command with its name and fields."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QWidget

from lydian.app.kit.fields import label
from lydian.app.kit.layout import across
from lydian.app.kit.theming import grown, set_look
from lydian.app.look.theme import Theme
from lydian.language import tr

__all__ = ["AddForm"]

_EXAMPLES = {"state": "waiting", "message": "Ack", "timer": "Retry", "command": "Publish"}
_FIELDS = {"message": "hops: int", "timer": "attempt: int", "command": 'topic: str = ""'}
#: Kind -> the title of the form, and the names of its two fields for a screen reader.
_WORDS = {
    "state": (tr("New state"), tr("Name of the new state"), ""),
    "message": (tr("New message"), tr("Name of the new message"), tr("Fields of the new message")),
    "timer": (tr("New timer"), tr("Name of the new timer"), tr("Fields of the new timer")),
    "command": (tr("New command"), tr("Name of the new command"), tr("Fields of the new command")),
}


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
        self.add = QPushButton(tr("Add"))
        self.cancel = QPushButton(tr("Cancel"))
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
        title, name, fields = _WORDS[kind]
        self.title.setText(title)
        self.name.clear()
        self.fields.clear()
        self.name.setPlaceholderText(tr("name, such as {example}", example=_EXAMPLES[kind]))
        self.name.setAccessibleName(name)
        self.fields.setVisible(kind in _FIELDS)
        self.fields.setPlaceholderText(tr("fields, such as {example}", example=_FIELDS.get(kind, "")))
        self.fields.setAccessibleName(fields)
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
