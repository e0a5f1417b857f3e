"""The field over a process in which its name is edited."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.language import tr
from lydian.model.editing.processes import rename
from lydian.model.errors import LydianError

__all__ = ["NameEdit"]


class NameEdit(QLineEdit):
    """The field for the name of a process: Enter, or losing the focus, renames the process; Esc cancels.

    An invalid name is refused with a sentence below the field, which stays open.
    """

    #: Emitted when editing has ended, with the name of the process.
    ended = Signal(str)

    def __init__(self, board: Board, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self.board, self.name = board, name
        self._over, self._over_what = False, parent
        self.setAccessibleName(tr("Name of process {process}", process=name))
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.setMaxLength(100)
        self.trouble = set_up(QLabel(parent), look="nameTrouble", plain=True)
        self.trouble.hide()
        self.textChanged.connect(self._typed)
        set_look(self, theme, font="label semibold")
        set_look(self.trouble, theme, font="small")
        self.setObjectName("nameEdit")
        self.selectAll()

    def place(self, at: QPointF) -> None:
        """Centre the field on a point of the parent, as wide as the name needs."""
        wide = max(84.0, QFontMetricsF(self.font()).horizontalAdvance(self.text()) + 34)
        size = self.sizeHint()
        inside = self._over_what.rect()
        x = min(max(at.x() - wide / 2, 4), max(inside.width() - wide - 4, 4))
        y = min(max(at.y() - size.height() / 2, 4), max(inside.height() - size.height() - 4, 4))
        self.setGeometry(round(x), round(y), round(wide), size.height())
        self.trouble.adjustSize()
        left = min(max(round(at.x() - self.trouble.width() / 2), 4), max(inside.width() - self.trouble.width() - 4, 4))
        below = self.geometry().bottom() + 6
        above = below + self.trouble.height() > inside.height()
        self.trouble.move(left, self.y() - 6 - self.trouble.height() if above else below)

    def _typed(self) -> None:
        self.trouble.hide()
        self.place(QPointF(self.geometry().center()))

    def commit(self) -> bool:
        """Rename the process; show a sentence and return False if the name is not allowed."""
        if self._over:
            return True
        new = self.text().strip()
        if not new or new == self.name or self.name not in self.board.network.index:
            self._end(self.name)
            return True
        try:
            rename(self.board.network, self.name, new)
        except LydianError as error:
            sentence = str(error)
            self.trouble.setText(
                tr("{reason}. Type another name or press Esc.", reason=sentence[:1].upper() + sentence[1:])
            )
            self.trouble.setAccessibleName(self.trouble.text())
            self.place(QPointF(self.geometry().center()))
            self.trouble.show()
            self.trouble.raise_()
            return False
        old, self._over = self.name, True
        chosen = old in self.board.chosen.processes
        self.board.do(tr("Rename {old} to {new}", old=old, new=new), lambda network: rename(network, old, new))
        if chosen:
            self.board.choose_processes([new])
        self._end(new)
        return True

    def cancel(self) -> None:
        """End editing without a change."""
        self._end(self.name)

    def _end(self, name: str) -> None:
        self._over = True
        self.hide()
        self.trouble.hide()
        self.trouble.deleteLater()
        self.deleteLater()
        self.ended.emit(name)

    def event(self, event: QEvent) -> bool:
        # If nothing was typed, Undo and Redo apply to the drawing, because the history of the field is empty.
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and not self.isModified()
            and (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo))
        ):
            undo = event.matches(QKeySequence.StandardKey.Undo)
            document = self.board.document
            self.cancel()
            _ = document.undo() if undo else document.redo()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if (
            not self._over
            and event.reason()
            not in (
                Qt.FocusReason.PopupFocusReason,
                Qt.FocusReason.ActiveWindowFocusReason,
            )
            and not self.commit()
        ):
            self.cancel()  # the sentence would not be seen
