"""The cards of a step: the actions that the program waits for, and the questions before a run."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from lydian.app.kit.layout import across, down, fill
from lydian.app.kit.theming import mark, set_up
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.language import tr, trc
from lydian.model.lesson.blocks import Action, Drawn, Expectation, Graded, Question
from lydian.views.questions.ask import kinds

__all__ = ["ActionCard", "Card", "DrawnCard", "ExpectationRow", "QuestionCard", "words_of"]


def words_of(action: Action) -> str:
    """Return the description of an action, generated if the lesson has none of its own."""
    if action.say:
        return action.say
    wait = action.wait
    if wait is None:
        whom = action.process or ("-".join(action.link) if action.link else "") or action.variable or action.label or ""
        faults = tr(" or ").join(kind.replace("_", " ") for kind in action.kinds)
        if not whom:
            return tr("Do this: {faults}.", faults=faults)
        return tr("Do this: {faults} {target}.", faults=faults, target=whom)
    return {
        "end": tr("Watch the run to its end."),
        "time": tr("Play until time {time}.", time=wait.of),
        "violated": tr("Play until this property is violated: {property}.", property=wait.of),
        "selected": tr("Click process {process}.", process=wait.of),
    }[wait.what]


class Card(QFrame):
    """A frame with a small title and room for parts below each other."""

    def __init__(self, kind: str, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("lessonCard")
        self.theme = theme
        self.kind = QLabel(kind)
        self.kind.setObjectName("lessonKind")
        self.column = down(self.kind, on=self, margins=(12, 8, 12, 10), spacing=6)

    def mark(self, now: bool) -> None:
        """Highlight the card as the next thing to do, or remove the highlight."""
        mark(self, now="true" if now else "false")

    def words(self, text: str, name: str, add: bool = True) -> QLabel:
        """Return a label that wraps its text."""
        label = set_up(QLabel(text), look=name, wraps=True, plain=True)
        if add:
            self.column.addWidget(label)
        return label


class ActionCard(Card):
    """An action or a moment that the program waits for, with a button that shows an example.

    Attributes:
        done: whether it was done, now or when the step was shown before.
        now: whether it was done to the run on the screen.
    """

    #: Emitted when the program is to carry out the action or to go to the moment.
    shown_wanted = Signal(object)

    def __init__(self, action: Action, theme: Theme) -> None:
        self._title = tr("Your turn") if action.kinds else tr("Watch")
        super().__init__(self._title, theme)
        self.action, self.done, self.now = action, False, False
        self.sign = QLabel()
        self.sign.setFixedWidth(theme.stretched(18))
        self.said = self.words(words_of(action), "lessonAsked", add=False)
        row = across((self.sign, Qt.AlignmentFlag.AlignTop), (self.said, 1), spacing=8)
        self.column.addLayout(row)
        self.button = QPushButton(tr("Show me") if action.kinds else tr("Go there"))
        self.button.setObjectName("offer")
        self.button.setToolTip(
            tr("Carry out this action as an example") if action.kinds else tr("Go to that moment at once")
        )
        self.button.setAccessibleName(f"{self.button.text()}: {self.said.text()}")
        self.button.clicked.connect(lambda: self.shown_wanted.emit(self.action))
        self.column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setAccessibleName(self.said.text())
        self.say(False)

    def say(self, done: bool, *, before: bool = False) -> None:
        """Show whether it is done; ``before`` means that it was done to a run other than the one on the screen."""
        self.done, self.now = done, done and not before
        color = self.theme.color("check.holds" if self.now else "text.hint" if done else "accent.base")
        name = "tick" if done else "hand" if self.action.kinds else "eye"
        self.sign.setPixmap(pixmap(name, color, self.theme.stretched(16), 2.0))
        self.sign.setAccessibleName(tr("Done") if self.now else tr("Done before") if done else tr("To do"))
        self.kind.setText(tr("{title} · done before", title=self._title) if done and before else self._title)
        self.button.setVisible(not self.now)
        self.mark(not done)


class DrawnCard(Card):
    """A question that is generated from the run, with a button that asks it beside the views.

    Attributes:
        right: whether its first answer was right; ``None`` if it was not answered.
    """

    #: Emitted with the question when it is to be asked.
    wanted = Signal(object)

    def __init__(self, drawn: Drawn, theme: Theme) -> None:
        super().__init__(tr("Question about this run"), theme)
        self.drawn = drawn
        known = kinds().get(drawn.kind)
        self.words(drawn.kind if known is None else known.title, "lessonAsked")
        self.verdict = QLabel()
        self.button = set_up(
            QPushButton(), look="offer", tip=tr("Hide the rest of the run, and answer the question beside the views"),
            clicked=lambda _checked=False: self.wanted.emit(self.drawn),
        )  # fmt: skip
        fill(self.column, self.verdict, (self.button, Qt.AlignmentFlag.AlignLeft))
        self.say(None)

    def say(self, right: bool | None) -> None:
        """Show whether the answer was right."""
        self.right: bool | None = right
        self.verdict.setVisible(right is not None)
        self.verdict.setText(tr("Right.") if right else tr("Not quite."))
        mark(self.verdict, "lessonGood" if right else "lessonBad")
        self.button.setText(trc("a question", "Answer") if right is None else tr("Look at it again"))
        self.mark(right is None)


class ExpectationRow(QWidget):
    """An expected outcome: still open, met, or not met."""

    def __init__(self, expectation: Expectation, theme: Theme) -> None:
        super().__init__()
        self.expectation, self.theme = expectation, theme
        words = expectation.say or expectation.property or expectation.that
        if expectation.property and not expectation.say and not expectation.holds:
            words = tr("violated: {property}", property=words)
        self.sign, self.label = QLabel(), QLabel(words)
        self.sign.setFixedWidth(theme.stretched(18))
        self.label.setObjectName("lessonPale")
        self.label.setWordWrap(True)
        across((self.sign, Qt.AlignmentFlag.AlignTop), (self.label, 1), on=self, margins=(12, 0, 12, 0))
        self.say(None)

    def say(self, good: bool | None) -> None:
        """Show whether the outcome was as expected."""
        name, color = {
            True: ("tick", "check.holds"), False: ("cross", "check.violated"), None: ("clock", "text.hint"),
        }[good]  # fmt: skip
        self.sign.setPixmap(pixmap(name, self.theme.color(color), self.theme.stretched(14), 2.0))
        word = {True: tr("as expected"), False: tr("not as expected"), None: trc("expected outcome", "open")}[good]
        self.sign.setAccessibleName(word)
        self.setAccessibleName(f"{self.label.text()}: {word}")


class _Words(QLabel):
    """The words of a button, which Qt does not wrap if the button has them itself; a click is one on the button."""

    def __init__(self, text: str, button: QRadioButton) -> None:
        super().__init__(text)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.button = button

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.button.click()


class QuestionCard(Card):
    """A question with its field; after the run, the prediction and the outcome side by side.

    Attributes:
        given: the prediction, empty until one is made.
    """

    #: Emitted with the text of a prediction.
    predicted = Signal(object, str)
    #: Emitted when the user asks to go to the end of the run, and to the moment that explains the outcome.
    compare_wanted = Signal()
    why_wanted = Signal(object)

    def __init__(self, question: Question, theme: Theme) -> None:
        super().__init__(tr("Your thoughts") if question.kind == "text" else tr("Predict"), theme)
        self.question, self.given, self._first = question, "", ""
        self.asked = self.words(question.question, "lessonAsked")
        self.setAccessibleName(question.question)
        self.field: QLineEdit | None = None
        self.text: QPlainTextEdit | None = None
        self.choices = QButtonGroup(self)
        self.box = QWidget()
        inner = down(on=self.box, spacing=4)
        self._build_field(inner)
        self.column.addWidget(self.box)
        self.button = QPushButton(tr("Keep answer") if question.kind == "text" else tr("Predict"))
        self.button.clicked.connect(self.commit)
        self.column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.note = self.words("", "lessonPale")
        self.compare = QPushButton(tr("Compare now"))
        self.compare.setToolTip(tr("Go to the end of the run, and show the outcome"))
        self.compare.clicked.connect(self.compare_wanted)
        self.column.addWidget(self.compare, 0, Qt.AlignmentFlag.AlignLeft)
        self._build_outcome()
        self._show(None)

    def _build_field(self, inner: QVBoxLayout) -> None:
        question = self.question
        if question.kind == "choice":
            for number, choice in enumerate(question.choices):
                button = QRadioButton()
                button.setAccessibleName(choice)
                self.choices.addButton(button, number)
                inner.addLayout(across(button, (_Words(choice, button), 1), spacing=0))
            self.choices.idClicked.connect(lambda _id: self._say_button())
        elif question.kind == "text":
            self.text = QPlainTextEdit()
            self.text.setAccessibleName(question.question)
            self.text.setTabChangesFocus(True)
            self.text.setFixedHeight(self.theme.stretched(76))
            self.text.textChanged.connect(self._say_button)
            inner.addWidget(self.text)
        else:
            self.field = QLineEdit()
            self.field.setAccessibleName(question.question)
            self.field.setPlaceholderText(
                tr("a number") if question.kind == "number" else tr("click a process or type a name")
            )
            self.field.setMaximumWidth(self.theme.stretched(210))
            self.field.textChanged.connect(lambda _text: self._say_button())
            self.field.returnPressed.connect(self.commit)
            row = across(self.field)
            if question.unit:
                unit = QLabel(question.unit)
                unit.setObjectName("lessonPale")
                row.addWidget(unit)
            row.addStretch(1)
            inner.addLayout(row)

    def _build_outcome(self) -> None:
        self.sides = QWidget()
        grid = QGridLayout(self.sides)
        grid.setContentsMargins(0, 2, 0, 0)
        grid.setSpacing(8)
        self.values: list[QLabel] = []
        for column, title in enumerate((tr("Your prediction"), tr("Outcome"))):
            side = QFrame()
            side.setObjectName("lessonSide")
            head, value = QLabel(title), QLabel()
            head.setObjectName("lessonKind")
            value.setObjectName("lessonValue")
            value.setWordWrap(True)
            down(head, value, ..., on=side, margins=(10, 6, 10, 8), spacing=2)
            self.values.append(value)
            grid.addWidget(side, 0, column)
            grid.setColumnStretch(column, 1)
        self.verdict = QLabel()
        self.why = self.words(self.question.why, "lessonText", add=False)
        self.show_why = QPushButton(tr("Show why"))
        self.show_why.setObjectName("offer")
        self.show_why.setToolTip(tr("Go to the moment of the run that shows the reason"))
        self.show_why.clicked.connect(lambda: self.why_wanted.emit(self.question))
        self.again = set_up(QPushButton(tr("Try again")), look="offer", clicked=self.ask_again)
        fill(self.column, self.sides, self.verdict, self.why, across(self.show_why, self.again, ...))

    # ------------------------------------------------------------------ answering

    @property
    def waits_for_process(self) -> bool:
        """Whether a click on a process in a view counts as an answer now."""
        return self.question.kind == "process" and not self.given

    def answer(self) -> str:
        """Return the contents of the field."""
        if self.field is not None:
            return self.field.text().strip()
        if self.text is not None:
            return self.text.toPlainText().strip()
        chosen = self.choices.checkedButton()
        return "" if chosen is None else self.question.choices[self.choices.checkedId()]

    def fill(self, answer: str) -> None:
        """Put an answer into the field."""
        if self.field is not None:
            self.field.setText(answer)
        elif self.text is not None:
            self.text.setPlainText(answer)
        elif answer in self.question.choices:
            self.choices.button(self.question.choices.index(answer)).setChecked(True)
        self._say_button()

    def commit(self) -> None:
        """Make the contents of the field the prediction."""
        answer = self.answer()
        if not self._good(answer):
            return
        self.given = answer
        self._show(None)
        self.predicted.emit(self.question, answer)

    def ask_again(self) -> None:
        """Withdraw the prediction."""
        self.given = ""
        self._show(None)
        self.predicted.emit(self.question, "")
        first = self.field or self.text or self.choices.buttons()[0]
        first.setFocus()

    def _good(self, answer: str) -> bool:
        if not answer:
            return False
        if self.question.kind != "number":
            return True
        try:
            float(answer.replace(",", "."))
        except ValueError:
            return False
        return True

    def _say_button(self) -> None:
        answer = self.answer()
        good = self._good(answer)
        self.button.setEnabled(good)
        if self.question.kind == "number" and not self.given:
            self.note.setText("" if good or not answer else tr("This is not a number. Type a number, such as 12."))
            self.note.setVisible(bool(self.note.text()))

    # ------------------------------------------------------------------ outcome

    def show_given(self, given: str) -> None:
        """Show a prediction that was made before."""
        self.fill(given)
        self.given = given
        self._show(None)

    def show_outcome(self, outcome: Graded) -> None:
        """Show the prediction and the outcome side by side."""
        self.given = outcome.answer or self.given
        self.values[0].setText(outcome.answer or trc("prediction", "nothing"))
        self.values[1].setText(outcome.came or tr("your judgement"))
        named = {True: (tr("Right."), "lessonGood"), False: (tr("Not quite."), "lessonBad"), None: ("", "lessonPale")}
        words, name = named[outcome.good]
        self.verdict.setText(words)
        mark(self.verdict, name)
        self._show(outcome)

    def say_next(self, first: str) -> None:
        """Show what to do after a prediction; ``first`` is an action needed before the outcome can be compared."""
        if first != self._first:
            self._first = first
            if not self.compare.isHidden() or self.waiting:
                self._say_waiting()

    @property
    def waiting(self) -> bool:
        """Whether a prediction was made that has not been compared."""
        return bool(self.given) and self.sides.isHidden() and self.question.kind != "text"

    def _say_waiting(self) -> None:
        then = tr("Now do this first: {action}", action=self._first) if self._first else tr("Press Play and watch.")
        self.say(tr("Your prediction: {prediction}. {then}", prediction=self.given, then=then))
        self.compare.setVisible(not self._first)

    def say(self, sentence: str) -> None:
        """Show a sentence below the question."""
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def _show(self, outcome: Graded | None) -> None:
        committed, judged = bool(self.given), outcome is not None
        text = self.question.kind == "text"
        self.box.setVisible(not committed or (text and not judged))
        self.box.setEnabled(not committed)
        self.button.setVisible(not committed)
        waits = committed and not judged and not text
        self.sides.setVisible(judged and not (text and not self.question.expect))
        if waits:
            self._say_waiting()
        else:
            self.say("")
            self.compare.hide()
        self.verdict.setVisible(judged and bool(self.verdict.text()))
        self.why.setVisible(judged and bool(self.question.why))
        self.show_why.setVisible(judged and not text)
        self.again.setVisible(judged)
        self.mark(not judged)
        self._say_button()
