"""The box below the goal: how far it is, that it was reached, or that it cannot be reached."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.desk.playing.verdict import Verdict
from lydian.language import tr

__all__ = ["HintBox"]

#: The kind of a verdict -> its icon and the colour of its heading.
LOOKS = {
    "good": ("tick", "check.holds"), "bad": ("cross", "check.violated"), "won": ("star", "check.holds"),
    "proof": ("info", "accent.base"), "search": ("clock", "text.secondary"), "advice": ("info", "text.secondary"),
}  # fmt: skip


class HintBox(QFrame):
    """A heading, a few sentences, and perhaps one thing to do."""

    #: The button was pressed; emitted with the name of what it does.
    pressed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.verdict: Verdict | None = None
        self.setObjectName("playHint")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sign = QLabel()
        self.title = set_up(QLabel(), look="playHintTitle", wraps=True, plain=True)
        self.text = set_up(QLabel(), look="playHintText", wraps=True, plain=True)
        self.button = set_up(
            QPushButton(), look="playHintButton", name=tr("Continue"), clicked=lambda _on=False: self._press()
        )
        top = Qt.AlignmentFlag.AlignTop
        down(
            across((self.sign, top), (self.title, 1), spacing=8), self.text,
            across(self.button, ...), on=self, margins=(13, 10, 12, 11), spacing=5,
        )  # fmt: skip
        set_look(self.title, theme, font="title semibold")
        self.hide()

    def say(self, verdict: Verdict | None) -> None:
        """Show a verdict, or nothing."""
        self.verdict = verdict
        self.setVisible(verdict is not None)
        if verdict is None:
            return
        self.title.setText(verdict.title)
        self.text.setText(verdict.text)
        self.text.setVisible(bool(verdict.text))
        self.button.setText(verdict.button)
        self.button.setAccessibleName(verdict.button or tr("Continue"))
        self.button.setVisible(bool(verdict.button))
        mark(self, kind=verdict.kind)
        for part in (self.title, self.text):
            mark(part, kind=verdict.kind)
        mark(self.button, primary=verdict.kind in ("won", "proof"))
        self.setAccessibleName(f"{verdict.title} {verdict.text}")
        self.set_theme(self.theme)

    def fit(self, width: int) -> None:
        """Give the sentences the height that they need in a box of this width."""
        inner = width - 13 - 12 - 2
        self.text.setMinimumHeight(max(0, self.text.heightForWidth(inner)) if not self.text.isHidden() else 0)
        self.title.setMinimumHeight(max(0, self.title.heightForWidth(inner - 8 - self.theme.stretched(18))))

    def _press(self) -> None:
        if self.verdict is not None:
            self.pressed.emit(self.verdict.act)

    def set_theme(self, theme: Theme) -> None:
        if self.verdict is not None:
            sign, ink = LOOKS[self.verdict.kind]
            set_look(self.sign, theme, icon=sign, ink=ink, icon_size=theme.stretched(18))
