"""The sentence that an empty panel shows, with the button that changes that."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_up
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme

__all__ = ["Empty"]


class Empty(QWidget):
    """A pale symbol, a sentence in the middle, and a button below it."""

    #: Emitted when the button is pressed.
    pressed = Signal()

    def __init__(self, theme: Theme, icon_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        # The size policy keeps the sentence from enlarging its panel.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.sign = QLabel()
        self.sign.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sentence = set_up(QLabel(), look="dockObstacle", wraps=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton()
        self.button.clicked.connect(self.pressed)
        down(
            (..., 2), self.sign, self.sentence, (self.button, Qt.AlignmentFlag.AlignHCenter), (..., 3),
            on=self, margins=(24, 16, 24, 16), spacing=12,
        )  # fmt: skip
        self.set_theme(theme)

    def say(self, sentence: str, button: str = "", *, enabled: bool = True) -> None:
        """Show a sentence, and a button if ``button`` has a text."""
        self.sentence.setText(sentence)
        self.button.setText(button)
        self.button.setAccessibleName(button)
        self.button.setEnabled(enabled)
        self.button.setVisible(bool(button))

    def set_theme(self, theme: Theme) -> None:
        self.sign.setPixmap(pixmap(self._icon_name, theme.color("text.hint"), theme.stretched(26), 2.0))
        self.sentence.setFont(theme.font("body"))
