"""At the foot of the drawing: what was just deleted, with a button that brings it back."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimerEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from lydian.app.editor.board import Board
from lydian.app.editor.boardview import BoardView
from lydian.app.look.theme import Theme
from lydian.app.panels.announcer import Announcer

__all__ = ["Toast"]

#: It goes by itself after so many milliseconds.
STAY = 8_000
#: Room to the edges of the drawing.
GAP = 12
#: What the steps that it tells of begin with -> what it says instead.
_TOLD = {"Delete ": "Deleted ", "Cut ": "Cut "}


class Toast(QFrame):
    """Says "Deleted link 4-9" over the foot of the drawing; the next edit, a while, or Undo takes it away."""

    def __init__(self, board: Board, theme: Theme, over: BoardView) -> None:
        super().__init__(over)
        self.setObjectName("toast")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("What was deleted")
        self.board, self.over = board, over
        self.announcer = Announcer(self)
        self._timer = 0  # a timer of the widget itself: it ends with it
        self._seen: tuple[object, int] = (board.document, board.document.at)
        self.label = QLabel()
        self.button = QPushButton("Undo")
        self.button.setAccessibleName("Undo")
        self.button.setToolTip("Bring it back (Ctrl+Z)")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._undo)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 10, 8)
        row.setSpacing(12)
        row.addWidget(self.label)
        row.addWidget(self.button)
        board.changed.connect(self._changed)
        over.installEventFilter(self)
        self.set_theme(theme)
        self.hide()

    def _changed(self) -> None:
        document = self.board.document
        before, self._seen = self._seen, (document, document.at)
        text = document.undo_text
        told = next((said + text[len(verb) :] for verb, said in _TOLD.items() if text.startswith(verb)), "")
        if told and before[0] is document and document.at > before[1] and not document.redo_text:
            self.say(told)
        else:
            self.put_away()

    def say(self, words: str) -> None:
        """Come up for a while."""
        self.label.setText(words)
        self.setAccessibleDescription(words)
        self.show()
        self._place()
        self.raise_()
        self.announcer.polite(words)
        if self._timer:
            self.killTimer(self._timer)
        self._timer = self.startTimer(STAY)

    def put_away(self) -> None:
        """Go."""
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        if self.button.hasFocus():
            self.over.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def _undo(self) -> None:
        self.board.document.undo()
        self.over.setFocus(Qt.FocusReason.OtherFocusReason)

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._timer:
            super().timerEvent(event)
        elif not self.button.hasFocus() and not self.underMouse():  # nobody is about to use it
            self.put_away()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        self.adjustSize()
        foot = round(self.over.free().bottom())
        self.move(self.over.width() - self.width() - GAP, foot - self.height() - GAP)

    def set_theme(self, theme: Theme) -> None:
        tip, on_tip = theme.color("surface.tooltip").name(), theme.color("text.onTooltip").name()
        radius = int(theme.size("radius.control"))
        self.setStyleSheet(
            f"#toast {{ background: {tip}; border-radius: {radius + 2}px; }}"
            f"QLabel {{ color: {on_tip}; background: transparent; }}"
            f"QPushButton {{ color: {on_tip}; background: transparent; border: 1px solid {on_tip};"
            f" border-radius: {radius}px; padding: 3px 10px; }}"
            f"QPushButton:focus {{ border: 2px solid {theme.color('accent.ring').name()}; padding: 2px 9px; }}"
        )
        self.label.setFont(theme.font("body"))
        self.button.setFont(theme.font("body", semibold=True))
        self._place()
