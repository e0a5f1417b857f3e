"""The page that lists the lessons, with the progress in each."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.look.theme import Theme
from lydian.language import tr, trc, trn
from lydian.views.words.words import plural

__all__ = ["Listed", "ShelfPage"]


@dataclass(frozen=True)
class Listed:
    """A lesson of the list: ``step`` is the step reached, ``problem`` the reason why it cannot be opened."""

    name: str
    title: str
    about: str
    steps: int
    step: int = 0
    problem: str = ""


class ShelfPage(QWidget):
    """A page with a card for each lesson, and a button to write one."""

    #: Emitted with the name of the lesson to open.
    wanted = Signal(str)
    #: Emitted when the user wants to write a lesson.
    writing_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.buttons: dict[str, QPushButton] = {}
        self.inside = QWidget()
        self.column = down(on=self.inside, margins=12, spacing=8)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self.inside)
        self.inside.setObjectName("panel")
        self.write = QPushButton(tr("Write a lesson…"))
        self.write.clicked.connect(self.writing_wanted)
        foot = QFrame()
        foot.setObjectName("lessonFoot")
        across(self.write, ..., on=foot, margins=(12, 8, 12, 8))
        down((area, 1), foot, on=self, spacing=0)

    def show_lessons(self, listed: list[Listed], theme: Theme) -> None:
        """Show these lessons."""
        self.theme = theme
        while self.column.count():
            item = self.column.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.buttons.clear()
        for each in listed:
            self.column.addWidget(self._card(each))
        if not listed:
            nothing = QLabel(tr("There are no lessons yet. A lesson is a few steps in Markdown."))
            nothing.setWordWrap(True)
            self.column.addWidget(nothing)
        self.column.addStretch(1)

    def _card(self, each: Listed) -> QFrame:
        card = QFrame()
        card.setObjectName("lessonCard")
        title, about = QLabel(each.title), QLabel(each.problem or each.about)
        title.setObjectName("lessonAsked")
        about.setObjectName("problem" if each.problem else "lessonPale")
        for label in (title, about):
            label.setWordWrap(True)
        begun = 0 < each.step < each.steps
        over = each.step >= each.steps > 0
        button = QPushButton(
            trc("command", "Open")
            if each.problem
            else tr("Continue")
            if begun
            else tr("Restart")
            if over
            else tr("Begin")
        )
        button.setObjectName("offer")
        button.setAccessibleName(f"{button.text()}: {each.title}")
        button.clicked.connect(lambda _checked=False, name=each.name: self.wanted.emit(name))
        self.buttons[each.name] = button
        if begun:
            size = tr("at step {step} of {count}", step=each.step + 1, count=each.steps)
        elif over:
            size = trn("{count:,} step, done", "{count:,} steps, done", each.steps)
        else:
            size = plural(each.steps, "step")
        told = QLabel(size)
        told.setObjectName("lessonPale")
        down(title, about, across(button, told, ...), on=card, margins=(12, 10, 12, 10), spacing=4)
        return card
