"""The panel beside the views that asks questions about the run on the screen, one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.paintedcard import PaintedCard
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput
from lydian.views.questions.question import CHOICE, NUMBER, SEVERAL, Question, Verdict, check

__all__ = ["AnswerCard", "QuizPanel"]

#: The width of the panel.
WIDE = 400
#: The number of processes in a row.
ACROSS = 4
#: The room around the text of an answer, and for its number.
_AIR, _NUMBER = 9, 22


class AnswerCard(PaintedCard):
    """A possible answer with its number, which is also its key; it wraps.

    Attributes:
        verdict: ``None`` while the question is open, then whether this answer is right.
        given: whether it was chosen.
    """

    def __init__(self, number: int, text: str, theme: Theme) -> None:
        super().__init__()
        self.number, self.theme = number, theme
        self.verdict: bool | None = None
        self.given = False
        self.setText(text)
        self.setAccessibleName(tr("Answer {number}: {text}", number=number, text=text))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(self.width(), 120)))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        inner = width - 2 * _AIR - self.theme.stretched(_NUMBER) - 22
        box = QFontMetrics(self.theme.font("body")).boundingRect(0, 0, max(inner, 40), 10_000, _WRAPS, self.text())
        return box.height() + 2 * _AIR

    def judge(self, right: bool, given: bool) -> None:
        """Show whether the answer is right, and whether it was chosen."""
        self.verdict, self.given = right, given
        self.setCursor(Qt.CursorShape.ArrowCursor)
        told = tr("right answer") if right else tr("wrong answer") if given else ""
        self.setAccessibleDescription(told)
        self.update()

    @property
    def lit(self) -> bool:
        return self.verdict is None and super().lit

    @property
    def rim(self) -> str:
        if self.verdict:
            return "check.holds"
        return "check.violated" if self.given and self.verdict is False else super().rim

    def paint_inside(self, p: QPainter) -> None:
        theme, box = self.theme, self.rect().toRectF()
        side = theme.stretched(_NUMBER)
        pale = self.verdict is False and not self.given
        p.setFont(theme.font("body", semibold=True))
        p.setPen(theme.color("text.hint" if pale else "text.secondary"))
        p.drawText(QRectF(_AIR, _AIR, side, box.height() - 2 * _AIR), Qt.AlignmentFlag.AlignTop, str(self.number))
        p.setFont(theme.font("body"))
        p.setPen(theme.color("text.hint" if pale else "text.primary"))
        p.drawText(QRectF(_AIR + side, _AIR, box.width() - 2 * _AIR - side - 22, box.height() - 2 * _AIR), _WRAPS,
                   self.text())  # fmt: skip
        if self.verdict or self.given:
            name, ink = ("tick", "check.holds") if self.verdict else ("cross", "check.violated")
            sign = icon(name, theme, ink).pixmap(16, 16)
            p.drawPixmap(int(box.width()) - _AIR - 16, int(box.center().y()) - 8, sign)


_WRAPS = int(Qt.TextFlag.TextWordWrap)


class QuizPanel(QFrame):
    """The panel with a question, its possible answers, and after an answer the verdict and the explanation.

    Attributes:
        question: the question that is shown, ``None`` if there is none.
        verdict: the verdict on the answer, ``None`` while the question is open.
        cards: the cards of the choices, in their order.
        field: the field for a number.
        right, asked: the numbers of right answers and of answers.
    """

    #: Emitted with the verdict after an answer.
    answered = Signal(object)
    #: Emitted for the next question.
    next_wanted = Signal()
    #: Emitted when the quiz is to end.
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.question: Question | None = None
        self.verdict: Verdict | None = None
        self.cards: list[AnswerCard] = []
        self.marked: list[QPushButton] = []
        self.field: QLineEdit | None = None
        self.right = self.asked = 0
        self.announcer = Announcer(self)
        self.setObjectName("quiz")
        self.setAccessibleName(tr("Quiz on this run"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.sign, self.title = QLabel(), set_up(QLabel(tr("Quiz on this run")), look="dockName")
        self.score = set_up(QLabel(), look="dockNote", name=tr("Score"))
        self.cross = set_up(
            QToolButton(), name=tr("Leave the quiz"), tip=tr("Leave the quiz (Esc)"), clicked=self.leave
        )
        head = held(across(self.sign, self.title, ..., self.score, self.cross, margins=(12, 6, 8, 6), spacing=8),
                    "lessonHead")  # fmt: skip
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hint = set_up(QLabel(), look="lessonPale", wraps=True)
        self.next = set_up(QPushButton(tr("Next question")), look="primary", tip=tr("Ask the next question (Enter)"),
                           clicked=lambda _checked=False: self.next_wanted.emit())  # fmt: skip
        self.commit = set_up(QPushButton(trc("a question", "Answer")), look="primary",
                             clicked=lambda _checked=False: self._commit())  # fmt: skip
        foot = held(across((self.hint, 1), self.commit, self.next, margins=(14, 8, 12, 8), spacing=8), "lessonFoot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        down(head, (self.area, 1), foot, on=self, margins=1, spacing=0)
        set_look(self.cross, theme, icon="close", ink="text.secondary")
        self.set_theme(theme)
        self.hide()

    # ------------------------------------------------------------------ a question

    def begin(self, *, single: bool = False) -> None:
        """Begin with no answers; ``single`` if a lesson asks only one question."""
        self.right = self.asked = 0
        self.next.setText(tr("Back to the lesson") if single else tr("Next question"))

    def show_question(self, question: Question, title: str) -> None:
        """Ask a question; ``title`` says what its kind asks."""
        self.question, self.verdict = question, None
        self._show(title)
        self.announcer.assertive(question.text)

    def _show(self, title: str = "") -> None:
        question = self.question
        assert question is not None
        self.kind = set_up(QLabel(title), look="lessonKind", plain=True)
        self.text = set_up(QLabel(question.text), look="lessonAsked", name=tr("Question"), wraps=True, plain=True)
        self.text.setText(question.text)
        self.told = set_up(QLabel(), wraps=True)
        self.why = set_up(QLabel(), look="lessonText", name=tr("Explanation"), wraps=True, plain=True)
        for label in (self.told, self.why):
            label.hide()
        self.cards, self.marked, self.field = [], [], None
        inner = QWidget()
        inner.setObjectName("endingBody")
        parts = (self.kind, self.text, self._answers(question), self.told, self.why, ...)
        down(*parts, on=inner, margins=(14, 12, 12, 12), spacing=10)
        self.area.setWidget(inner)
        self._say()
        self.show()
        self.focus()

    def _answers(self, question: Question) -> QWidget:
        if question.form == NUMBER:
            self.field = set_up(QLineEdit(), name=tr("Your answer, a whole number"), empty=tr("a whole number"))
            self.field.setMaximumWidth(self.theme.stretched(140))
            self.field.textChanged.connect(lambda _text: self._say())
            self.field.returnPressed.connect(self._commit)
            return held(across(self.field, ...))
        if question.form == SEVERAL:
            grid = QGridLayout()
            grid.setSpacing(6)
            for place, choice in enumerate(question.choices):
                button = set_up(QPushButton(choice.text), checkable=True,
                                name=tr("Process {process}", process=choice.text))  # fmt: skip
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
                button.toggled.connect(lambda _on: self._say())
                self.marked.append(button)
                grid.addWidget(button, place // ACROSS, place % ACROSS)
            return held(grid)
        for place, choice in enumerate(question.choices, 1):
            card = AnswerCard(place, choice.text, self.theme)
            card.clicked.connect(lambda _checked=False, place=place: self.answer(place))
            self.cards.append(card)
        return held(down(*self.cards, spacing=6))

    def focus(self) -> None:
        """Take the keys."""
        (self if self.field is None or self.verdict is not None else self.field).setFocus()

    def pick(self, *, event: int | None, processes: Sequence[int]) -> bool:
        """Take a click on an event or a process in a view as an answer; return True if it is one."""
        question = self.question
        if question is None or self.verdict is not None or question.form == NUMBER:
            return False
        for place, choice in enumerate(question.choices):
            if event is not None and choice.event == event:
                self.answer(place + 1)
                return True
            if choice.event < 0 and choice.process in processes:
                if question.form == SEVERAL:
                    self.marked[place].toggle()
                else:
                    self.answer(place + 1)
                return True
        return False

    def answer(self, answer: object) -> None:
        """Judge an answer, and explain it."""
        question = self.question
        if question is None or self.verdict is not None:
            return
        try:
            verdict = self.verdict = check(question, answer)
        except BadInput:  # the button is available only for a number
            return
        self.asked += 1
        self.right += verdict.right
        for place, card in enumerate(self.cards):
            card.judge(place in question.right, place + 1 == answer)
        for place, button in enumerate(self.marked):
            mark(button, right=place in question.right)
            button.setEnabled(False)
        if self.field is not None:
            self.field.setEnabled(False)
        self.told.setText(verdict.sentence)
        mark(self.told, "lessonGood" if verdict.right else "lessonBad")
        self.why.setText(question.why)
        for label in (self.told, self.why):
            label.show()
        self._say()
        self.focus()
        self.announcer.assertive(f"{verdict.sentence} {question.why}")
        QTimer.singleShot(0, self, self._show_why)  # when the explanation has its place
        self.answered.emit(verdict)

    def _show_why(self) -> None:
        """Scroll to the verdict and the explanation."""
        if self.verdict is not None:
            self.area.ensureWidgetVisible(self.told, 0, 8)
            self.area.ensureWidgetVisible(self.why, 0, 8)

    def _commit(self) -> None:
        if self.field is not None:
            self.answer(self.field.text())
        elif self.marked:
            self.answer([place + 1 for place, button in enumerate(self.marked) if button.isChecked()])

    def end(self) -> None:
        """Say that there are no more questions about this run."""
        self.question, self.verdict = None, None
        self.cards, self.marked, self.field = [], [], None
        inner = QWidget()
        inner.setObjectName("endingBody")
        words = set_up(QLabel(tr("There are no more questions about this run.")), look="lessonText", wraps=True)
        down(words, ..., on=inner, margins=(14, 12, 12, 12))
        self.area.setWidget(inner)
        self._say()
        self.show()
        self.setFocus()

    def _say(self) -> None:
        """Show the score, the buttons and the hint that belong to the state of the question."""
        question, judged = self.question, self.verdict is not None
        self.score.setText(
            trn("{right} of {count} right", "{right} of {count} right", self.asked, right=self.right)
            if self.asked
            else ""
        )
        self.next.setVisible(judged and question is not None)
        self.commit.setVisible(not judged and question is not None and question.form != CHOICE)
        filled = any(button.isChecked() for button in self.marked)
        if self.field is not None:
            filled = self.field.text().strip().isdigit()
        self.commit.setEnabled(filled)
        if judged or question is None:
            hint = tr("The run is complete again. Esc ends the quiz.")
        elif question.form == NUMBER:
            hint = tr("Type a number, then press Enter.")
        elif question.form == SEVERAL:
            hint = tr("Choose processes here or in a view, then press Enter.")
        elif any(choice.event >= 0 for choice in question.choices):
            hint = tr("Press a number key, or click the event in a view.")
        elif any(choice.process >= 0 for choice in question.choices):
            hint = tr("Press a number key, or click the process in a view.")
        else:
            hint = tr("Press a number key, or click an answer.")
        self.hint.setText(hint)

    def leave(self) -> None:
        """End the quiz."""
        self.hide()
        self.closed.emit()

    # ------------------------------------------------------------------ keys

    def _does(self, event: QKeyEvent) -> bool:
        """Return True for a key that the panel uses now."""
        key = event.key()
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if key in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return True
        return self.field is None and Qt.Key.Key_1 <= key <= Qt.Key.Key_9

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._does(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, place = event.key(), event.key() - Qt.Key.Key_1
        if not self._does(event):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.verdict is not None:
                self.next_wanted.emit()
            elif self.commit.isEnabled():
                self._commit()
        elif self.verdict is None and place < len(self.cards):
            self.cards[place].click()
        elif self.verdict is None and place < len(self.marked):
            self.marked[place].click()

    def set_theme(self, theme: Theme) -> None:
        self.setFixedWidth(theme.stretched(WIDE))
        self.sign.setPixmap(icon("help", theme, "text.secondary").pixmap(16, 16))
        for card in self.cards:
            card.updateGeometry()
