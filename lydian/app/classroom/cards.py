"""The frame of a card beside the views of a class: a head with a title, and a body."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from lydian.app.kit.layout import Part, across, down, held
from lydian.app.kit.theming import grown, set_look, set_up
from lydian.app.look.theme import Theme

__all__ = ["Card", "button", "caption"]


class Card(QFrame):
    """A card with a head.

    Attributes:
        title, note: the words of the head.
        inside: the layout of the body.
    """

    def __init__(self, theme: Theme, icon: str, title: str, *parts: Part, note: str = "", margins: int = 10) -> None:
        super().__init__()
        self.theme = theme
        self.setObjectName("classCard")
        self.setAccessibleName(title)
        self.title = set_up(QLabel(title), look="dockName", plain=True)
        self.note = set_up(QLabel(note), look="dockNote", plain=True)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sign = set_look(QLabel(), theme, icon=icon, ink="text.secondary", icon_size=16)
        self.head = across(self.sign, self.title, (self.note, 1), margins=(10, 5, 8, 5), spacing=7)
        top = held(self.head, "classHead")
        top.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_look(top, theme, min_height=grown(30))
        self.inside = down(margins=margins, spacing=8)
        for part in parts:
            self.add(part)
        down(top, (self.inside, 1), on=self, margins=1)

    def add(self, part: Part) -> None:
        """Add a part to the body."""
        thing, *how = part if isinstance(part, tuple) else (part,)
        stretch = next((each for each in how if isinstance(each, int)), 0)
        if isinstance(thing, QWidget):
            self.inside.addWidget(thing, stretch)
        elif isinstance(thing, QLayout):
            self.inside.addLayout(thing, stretch)

    def tool(self, icon: str, tip: str, act: object) -> QToolButton:
        """Add a button to the head."""
        made = set_up(QToolButton(), name=tip, tip=tip, clicked=act)
        set_look(made, self.theme, icon=icon, ink="text.secondary", icon_size=16, square=24)
        self.head.addWidget(made)
        return made


def button(theme: Theme, words: str, icon: str, act: object, *, tip: str = "", filled: bool = False) -> QPushButton:
    """Return a button of a card."""
    made = set_up(QPushButton(), look="classMain" if filled else "classButton", tip=tip, clicked=act)
    caption(made, words)
    ink = "text.onAccent" if filled else "text.primary"
    set_look(made, theme, icon=icon, ink=ink, icon_size=16, min_height=grown(30))
    return made


def caption(made: QAbstractButton, words: str) -> None:
    """Set the words of a button beside its icon."""
    made.setText(f" {words}" if words else "")
    made.setAccessibleName(words)
