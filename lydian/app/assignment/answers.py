"""The questions of an assignment, each with a field for its answer."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPlainTextEdit, QScrollArea, QWidget

from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.assignment.assignment import Check
from lydian.desk.solving import Solving
from lydian.language import tr

__all__ = ["AnswersForm", "number_or_text"]


def number_or_text(text: str) -> Any:
    """Return an answer as it is saved: a number if it is one, otherwise the text; ``None`` for an empty field."""
    plain = text.strip()
    for kind in (int, float):
        try:
            return kind(plain)
        except ValueError:
            continue
    return plain or None


class AnswersForm(QScrollArea):
    """The questions, one below another; an answer is saved when the user leaves its field or presses Enter."""

    #: Emitted with a check and its new answer.
    answered = Signal(str, object)

    def __init__(self, solving: Solving, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.solving, self.theme = solving, theme
        self.setObjectName("answersForm")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("Answers"))
        self.fields: dict[str, QLineEdit | QPlainTextEdit] = {}

    @property
    def questions(self) -> list[Check]:
        """The public checks that are questions."""
        assignment = self.solving.assignment
        public = () if assignment is None else assignment.public
        return [each for each in public if each.kind.name in ("question", "written")]

    @property
    def title(self) -> str:
        """The label of its tab, with the number of answers."""
        given = sum(1 for each in self.questions if self.solving.answers.get(each.id) not in (None, ""))
        return tr("Answers {given} of {all}", given=given, all=len(self.questions))

    def show_assignment(self) -> None:
        """Show the questions of another assignment."""
        self.fields.clear()
        body = set_up(QWidget(), look="answersBody")
        column = down(on=body, margins=(24, 18, 24, 18), spacing=8)
        for check in self.questions:
            title = set_up(QLabel(check.title), wraps=True)
            text = set_up(QLabel(getattr(check.kind, "text", "")), wraps=True, look="explained")
            set_look(title, self.theme, font="body semibold")
            set_look(text, self.theme, font="body")
            value = self.solving.answers.get(check.id)
            shown = "" if value is None else str(value)
            field: QLineEdit | QPlainTextEdit
            if check.kind.name == "written":
                field = set_up(QPlainTextEdit(shown), look="answerField", name=check.title, empty=tr("Your answer"))
                field.setMinimumHeight(120)
                field.setTabChangesFocus(True)
                field.textChanged.connect(lambda id=check.id: self._give(id))
            else:
                field = set_up(QLineEdit(shown), name=check.title, empty=tr("Your answer"))
                field.setMaximumWidth(320)
                field.textChanged.connect(lambda _text, id=check.id: self._give(id))
            title.setBuddy(field)
            self.fields[check.id] = field
            for part in (title, text):
                column.addWidget(part)
            column.addWidget(field)
            column.addSpacing(14)
        if not self.fields:
            empty = set_up(QLabel(tr("This assignment has no questions.")), look="hint")
            column.addWidget(empty, 0, Qt.AlignmentFlag.AlignTop)
        column.addStretch(1)
        self.setWidget(body)

    def _give(self, id: str) -> None:
        field = self.fields[id]
        text = field.toPlainText() if isinstance(field, QPlainTextEdit) else field.text()
        value = (text.strip() or None) if isinstance(field, QPlainTextEdit) else number_or_text(text)
        self.answered.emit(id, value)
