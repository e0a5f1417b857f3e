"""A message at the foot of a picture: an action just taken, with a button to undo it, or a refusal without one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimerEvent, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.language import tr

__all__ = ["PROJECTED", "STAY", "Toast"]

#: Milliseconds until the toast disappears, and the longer time for a projector.
STAY, PROJECTED = 8_000, 12_000
#: The distance to the edges of the widget below.
GAP = 12


class Toast(QFrame):
    """A message over the foot of a widget, until some time has passed or its button is pressed.

    Args:
        theme: the look.
        over: the widget below.
        foot: returns the bottom of the free part of that widget, in pixels from its top.
        covered: returns how much a rectangle of that widget would cover; nothing counts if it is not given.
        about: the accessible name.
        tip: the effect of the button, with its key.
    """

    #: Emitted when the button is pressed.
    pressed = Signal()

    def __init__(
        self, theme: Theme, over: QWidget, foot: Callable[[], float] | None = None, about: str = tr("Last action"),
        tip: str = tr("Undo (Ctrl+Z)"), covered: Callable[[QRect], int] = lambda _box: 0,
    ) -> None:  # fmt: skip
        super().__init__(over)
        self.setObjectName("toast")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(about)
        self.over = over
        self._foot = foot if foot is not None else lambda: float(self.over.height())
        self._covered = covered
        self.announcer = Announcer(self)
        self._timer = 0  # a timer of the widget itself, so that it ends with the widget
        self.label = QLabel()
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.button = set_up(QPushButton(tr("Undo")), name=tr("Undo"), tip=tip, clicked=self._press)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        across((self.label, 1), self.button, on=self, margins=(14, 8, 10, 8), spacing=12)
        over.installEventFilter(self)
        self.theme = theme
        set_look(self.label, theme, font="body")
        set_look(self.button, theme, font="body semibold")
        self.place()
        self.hide()

    def say(self, words: str, *, undo: bool = True) -> None:
        """Show a message for a while, with the button if the action can be undone."""
        self.label.setText(words)
        self.setAccessibleDescription(words)
        self.button.setVisible(undo)
        self.show()
        self.place()
        self.raise_()
        self.announcer.polite(words) if undo else self.announcer.assertive(words)
        if self._timer:
            self.killTimer(self._timer)
        self._timer = self.startTimer(PROJECTED if self.theme.projector else STAY)

    def put_away(self) -> None:
        """Hide the message."""
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        if self.button.hasFocus():
            self.over.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def move_over(self, over: QWidget) -> None:
        """Move to another widget."""
        if over is not self.over:
            self.put_away()
            self.over.removeEventFilter(self)
            self.over = over
            self.setParent(over)
            over.installEventFilter(self)

    def _press(self) -> None:
        self.pressed.emit()
        self.over.setFocus(Qt.FocusReason.OtherFocusReason)

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._timer:
            super().timerEvent(event)
        elif not self.button.hasFocus() and not self.underMouse():  # The user is not about to use it.
            self.put_away()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)

    def place(self) -> None:
        """Move to where it covers least, to the bottom right if it can; wrap a text that is too long for one line."""
        self.label.setWordWrap(False)
        self.label.setMinimumWidth(0)
        room = self.over.width() - 2 * GAP
        if self.sizeHint().width() > room:
            beside = self.sizeHint().width() - self.label.sizeHint().width()
            self.label.setWordWrap(True)
            self.label.setMinimumWidth(max(room - beside, 80))
        self.adjustSize()
        right, bottom = self.over.width() - self.width() - GAP, round(self._foot()) - self.height() - GAP
        places = [QRect(max(x, 0), max(y, 0), self.width(), self.height())
                  for y in (bottom, GAP) for x in (right, right // 2, GAP)]  # fmt: skip
        self.setGeometry(min(places, key=self._covered))

    def set_theme(self, theme: Theme) -> None:
        self.place()
