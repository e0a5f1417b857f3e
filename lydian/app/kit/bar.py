"""A bar inside the window with a sentence and buttons that act on it; it never blocks the user."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.language import tr

__all__ = ["OfferBar"]


class OfferBar(QFrame):
    """A bar with a symbol, a sentence, some buttons, and optionally a button to close it."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAccessibleName(name)
        self.announcer = Announcer(self)
        self.theme = theme
        self.buttons: list[QPushButton] = []
        self._sign = QLabel()
        self.label = set_up(QLabel(), look="noticeText", name=name, wraps=True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.close_button = set_up(QToolButton(), name=tr("Close the message"), tip=tr("Close"))
        self.close_button.clicked.connect(self.hide)
        self._row = across(self._sign, (self.label, 1), self.close_button, on=self, margins=(12, 5, 8, 5), spacing=8)
        self.hide()
        set_look(self._sign, theme, icon="info", ink="accent.base", icon_size=18)
        set_look(self.close_button, theme, icon="close", ink="text.secondary")

    @property
    def text(self) -> str:
        """The sentence shown; empty if the bar is closed."""
        return "" if self.isHidden() else self.label.text()

    def say(
        self, sentence: str, *offers: tuple[str, Callable[[], object]], problem: bool = False, closes: bool = True
    ) -> None:
        """Show a sentence with a button for each offer; an empty sentence closes the bar.

        Args:
            closes: whether pressing a button closes the bar, and a separate button closes it without effect.
        """
        for old in self.buttons:
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.buttons = []
        for number, (words, act) in enumerate(offers):
            button = set_up(QPushButton(words), look="offer", name=words)
            button.clicked.connect(self._acting(act, closes))
            self._row.insertWidget(2 + number, button)
            self.buttons.append(button)
        self.label.setText(sentence)
        self.close_button.setVisible(closes)
        mark(self, problem=problem)
        self.setVisible(bool(sentence))
        name, ink = ("warning", "check.warn") if problem else ("info", "accent.base")
        set_look(self._sign, self.theme, icon=name, ink=ink, icon_size=18)
        (self.announcer.assertive if problem else self.announcer.polite)(sentence)

    def done(self, words: str) -> None:
        """Close the bar if it offers an action that has been carried out in another way."""
        if any(button.text() == words for button in self.buttons):
            self.hide()

    def _acting(self, act: Callable[[], object], closes: bool) -> Callable[[], None]:
        def do() -> None:
            if closes:
                self.hide()
            act()

        return do
