"""Renaming a state or a function in place: a field over the word, and a sentence if the name is not allowed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit

from lydian.app.kit.layout import fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_up
from lydian.app.protocol.code.marks import MarkedText
from lydian.authoring.codenames import Renamed, renamable, word_at
from lydian.authoring.edits import rename_function, rename_state
from lydian.language import tr
from lydian.model.errors import BadInput

__all__ = ["Renaming"]


class _Line(QLineEdit):
    def __init__(self, owner: Renaming) -> None:
        super().__init__()
        self.owner = owner

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.owner.end()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.owner.commit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()


class Renaming(Popup):
    """The field for renaming in one editor."""

    def __init__(self, edit: MarkedText) -> None:
        super().__init__(edit, window=False, margins=(8, 8, 8, 6), spacing=4)
        self.edit = edit
        self.what: Renamed | None = None
        self.field = _Line(self)
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        self.hint = set_up(QLabel(), look="explained", wraps=True)
        fill(self.column, self.field, self.problem, self.hint)
        self.field.textEdited.connect(lambda _text: self._complain(""))
        self.hide()

    def begin(self) -> bool:
        """Open the field for the word under the cursor, or report that the word cannot be renamed here."""
        edit = self.edit
        edit.protocol.reread()
        line, column = edit.place()
        self.what = renamable(edit.protocol.draft, line, column)
        if self.what is None:
            word = word_at(edit.code.line(line - 1), column)
            said = tr("F2 renames states and functions; use find and replace (Ctrl+H) for this")
            if word is not None:
                said = tr("F2 renames states and functions; use find and replace (Ctrl+H) for '{name}'", name=word[0])
            edit.protocol.say(said, True)
            return False
        self.field.setText(self.what.name)
        if self.what.kind == "state":
            name = tr("New name of the state {name}", name=self.what.name)
            hint = tr("New name of the state everywhere in the file; Enter renames, Esc cancels")
        else:
            name = tr("New name of the function {name}", name=self.what.name)
            hint = tr("New name of the function everywhere in the file; Enter renames, Esc cancels")
        self.field.setAccessibleName(name)
        self.hint.setText(hint)
        self._complain("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.field.selectAll()
        return True

    def _complain(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        self.setFixedWidth(min(self.edit.theme.grown(340), self.edit.width() - 20))
        self.column.activate()
        tall = self.column.totalHeightForWidth(self.width())
        self.setFixedHeight(tall if tall > 0 else self.column.totalSizeHint().height())
        box = self.edit.cursorRect().translated(self.edit.viewport().pos())
        x = max(4, min(box.left() - 20, self.edit.width() - self.width() - 8))
        y = box.bottom() + 4
        if y + self.height() > self.edit.height():
            y = max(0, box.top() - self.height() - 4)
        self.move(QPoint(x, y))

    def commit(self) -> None:
        """Rename the word everywhere, as one step of the history."""
        if self.what is None:
            return
        edit, what, new = self.edit, self.what, self.field.text().strip()
        change = rename_state if what.kind == "state" else rename_function
        try:
            change(edit.protocol.source, what.name, new)
        except BadInput as error:
            self._complain(str(error)[:1].upper() + str(error)[1:])
            return
        if new != what.name:
            edit.own()
            source = change(edit.protocol.source, what.name, new)
            place = edit.place()
            names = {"old": what.name, "new": new}
            edit.protocol.replace(
                source,
                tr("renamed state {old} to {new}", **names)
                if what.kind == "state"
                else tr("renamed function {old} to {new}", **names),
            )
            edit.go(*place)
        self.end()

    def end(self) -> None:
        self.what = None
        self.hide()
        self.edit.setFocus(Qt.FocusReason.PopupFocusReason)
