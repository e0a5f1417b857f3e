"""The panel of a lesson: one step at a time, with its tasks and its questions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from lydian.app.kit.layout import across, down, fill
from lydian.app.kit.theming import set_up
from lydian.app.lessons.cards import ActionCard, Card, DrawnCard, ExpectationRow, QuestionCard
from lydian.app.lessons.progress import Progress
from lydian.app.lessons.shelf import ShelfPage, Shelved
from lydian.app.look.theme import Theme
from lydian.language import tr, trc, trn
from lydian.model.lesson.lesson import Lesson
from lydian.model.reading import Problem

__all__ = ["LessonPanel"]


class Dots(QWidget):
    """One dot for each step; a click or an arrow key goes to a step."""

    #: Emitted with the number of the step to go to.
    wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.titles: list[str] = []
        self.now = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Steps of the lesson"))

    def show_steps(self, titles: list[str], now: int) -> None:
        """Show dots for steps with these titles, one of them current."""
        self.titles, self.now = titles, now
        here = (
            tr("Step {step} of {count}: {title}", step=now + 1, count=len(titles), title=titles[now])
            if now < len(titles)
            else tr("The end of the lesson")
        )
        self.setAccessibleDescription(here if titles else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.stretched(16) * max(len(self.titles), 1), self.theme.stretched(20))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def centre(self, step: int) -> QPointF:
        """Return the centre of the dot of a step."""
        wide = self.theme.stretched(16)
        return QPointF(wide * (step + 0.5), self.height() / 2)

    def at(self, x: float) -> int | None:
        """Return the step whose dot is at a point."""
        step = int(x // self.theme.stretched(16))
        return step if 0 <= step < len(self.titles) else None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            accent, pale = self.theme.color("accent.base"), self.theme.color("border.control")
            for step in range(len(self.titles)):
                radius = self.theme.stretched(9 if step == self.now else 7) / 2
                painter.setPen(QPen(accent if step <= self.now else pale, 1.5))
                painter.setBrush(accent if step <= self.now else Qt.BrushStyle.NoBrush)
                painter.setOpacity(0.55 if step < self.now else 1.0)
                painter.drawEllipse(self.centre(step), radius, radius)
            painter.setOpacity(1.0)
            if self.hasFocus() and self.now < len(self.titles):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self.theme.color("accent.ring"), 2))
                ring = self.theme.stretched(15)
                c = self.centre(self.now)
                painter.drawEllipse(QRectF(c.x() - ring / 2, c.y() - ring / 2, ring, ring))
        finally:
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        step = self.at(event.position().x())
        if step is not None and event.button() == Qt.MouseButton.LeftButton:
            self.wanted.emit(step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if way and 0 <= self.now + way < len(self.titles):
            self.wanted.emit(self.now + way)
        elif not way:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if asked and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.setAccepted(not event.modifiers())
            return True
        if isinstance(event, QHelpEvent):
            step = self.at(event.pos().x())
            QToolTip.showText(event.globalPos(), "" if step is None else f"{step + 1}. {self.titles[step]}", self)
            return True
        return bool(super().event(event))


class LessonPanel(QWidget):
    """The list of lessons, or a step of one with its buttons.

    Attributes:
        lesson: the lesson that is shown, ``None`` for the list.
        step: the number of the step that is shown; the number of steps means the closing page.
        questions, actions_, drawn, expectations: the cards of the step.
        ready: whether the run that predictions are compared with is complete.
    """

    #: Emitted with the text beside the title of the dock.
    titled = Signal(str)
    #: Emitted to go to a step, by its number; to list the lessons; to open a lesson, by its name; to write one.
    step_wanted = Signal(int)
    list_wanted = Signal()
    lesson_wanted = Signal(str)
    writing_wanted = Signal()
    #: Emitted to carry out an example; after a prediction; to compare with the outcome; to go to its moment.
    example_wanted = Signal(object)
    predicted = Signal(object, str)
    #: Emitted with the number of a question about the run that is to be asked.
    drawn_wanted = Signal(int)
    compare_wanted = Signal()
    why_wanted = Signal(object)
    #: Emitted to copy the answers; to restart the lesson; to show its run again.
    copy_wanted = Signal()
    again_wanted = Signal()
    return_wanted = Signal()
    #: Emitted with the verb and the object of a link in the text.
    asked = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson")
        self.setAccessibleName(tr("Lesson"))
        self.theme = theme
        self.lesson: Lesson | None = None
        self.step = 0
        self.progress = Progress()
        self.problems: tuple[Problem, ...] = ()
        self.questions: list[QuestionCard] = []
        self.actions_: list[ActionCard] = []
        self.drawn: list[DrawnCard] = []
        self.expectations: list[ExpectationRow] = []
        self.ready = True
        self.shelf = ShelfPage(theme)
        self.shelf.wanted.connect(self.lesson_wanted)
        self.shelf.writing_wanted.connect(self.writing_wanted)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.shelf)
        self.pages.addWidget(self._build())
        down(self.pages, on=self)
        self.next.setProperty("primary", True)

    def sizeHint(self) -> QSize:
        return QSize(self.theme.stretched(340), 520)

    def minimumSizeHint(self) -> QSize:
        """The same for all steps, so that the views beside the panel keep their places."""
        return QSize(self.theme.stretched(340), 200)

    # ------------------------------------------------------------------ building

    def _build(self) -> QWidget:
        self.title, self.all = QLabel(), QPushButton(tr("All lessons"))
        self.title.setObjectName("lessonTitle")
        self.title.setWordWrap(True)
        self.all.setObjectName("offer")
        self.all.clicked.connect(self.list_wanted)
        self.dots = Dots(self.theme)
        self.dots.wanted.connect(self.step_wanted)
        head = QFrame()
        head.setObjectName("lessonHead")
        down(
            across((self.title, 1), (self.all, Qt.AlignmentFlag.AlignTop)),
            (self.dots, Qt.AlignmentFlag.AlignLeft), on=head, margins=(12, 8, 8, 6), spacing=4,
        )  # fmt: skip
        self.elsewhere = QFrame()
        self.elsewhere.setObjectName("lessonElsewhere")
        words = QLabel(tr("Another run is shown."))
        words.setWordWrap(True)
        self.back_to_it = set_up(QPushButton(tr("Show the lesson's run")), look="offer", clicked=self.return_wanted)
        across((words, 1), self.back_to_it, on=self.elsewhere, margins=(12, 6, 8, 6))
        self.elsewhere.hide()
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.back, self.skip, self.next = QPushButton(tr("Back")), QPushButton(tr("Skip")), QPushButton(tr("Next"))
        self.back.setToolTip(tr("Go to the previous step"))
        self.skip.setToolTip(tr("Go to the next step without doing the tasks of this one"))
        self.back.clicked.connect(lambda: self.step_wanted.emit(self.step - 1))
        self.skip.clicked.connect(lambda: self.step_wanted.emit(self.step + 1))
        self.next.clicked.connect(lambda: self.step_wanted.emit(self.step + 1))
        foot = QFrame()
        foot.setObjectName("lessonFoot")
        across(self.back, ..., self.skip, self.next, on=foot, margins=(12, 8, 12, 8))
        page = QWidget()
        down(head, self.elsewhere, (self.area, 1), foot, on=page, spacing=0)
        return page

    # ------------------------------------------------------------------ contents

    def show_list(self, chapters: Sequence[Shelved]) -> None:
        """Show the list of lessons."""
        self.lesson = None
        self._forget()
        self.shelf.show_lessons(chapters, self.theme)
        self.pages.setCurrentIndex(0)
        self.titled.emit("")

    def show_step(self, lesson: Lesson, step: int, progress: Progress, problems: tuple[Problem, ...] = ()) -> None:
        """Show a step of a lesson, or its closing page; ``problems`` are shown above it."""
        self.lesson, self.step, self.progress, self.problems = lesson, step, progress, problems
        self._forget()
        inside = QWidget()
        inside.setObjectName("panel")
        column = down(on=inside, margins=(12, 10, 12, 12), spacing=10)
        if problems:
            column.addWidget(self._mistakes())
        if step < len(lesson.steps):
            self._fill(column)
        else:
            self._fill_end(column)
        column.addStretch(1)
        self.area.setWidget(inside)
        self.title.setText(lesson.title)
        self.dots.show_steps([each.title for each in lesson.steps], step)
        many = len(lesson.steps)
        self.titled.emit(
            tr("step {step} of {count}", step=step + 1, count=many) if step < many else trc("lesson", "done")
        )
        self.pages.setCurrentIndex(1)
        self.updateGeometry()
        self.say_buttons()

    def _forget(self) -> None:
        self.questions, self.actions_, self.expectations, self.drawn = [], [], [], []

    def _words(self, text: str, name: str, *, markdown: bool = False) -> QLabel:
        label = set_up(QLabel(), look=name, wraps=True)
        label.setTextFormat(Qt.TextFormat.MarkdownText if markdown else Qt.TextFormat.PlainText)
        label.setText(text)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        if markdown:
            label.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
            label.linkActivated.connect(self._follow)
        return label

    def _fill(self, column: QVBoxLayout) -> None:
        assert self.lesson is not None
        step = self.lesson.steps[self.step]
        if self.step == 0 and self.lesson.about:
            column.addWidget(self._words(self.lesson.about, "lessonPale", markdown=True))
        column.addWidget(self._words(step.title, "lessonStep"))
        if step.text:
            column.addWidget(self._words(step.text, "lessonText", markdown=True))
        for number, action in enumerate(step.actions):
            card = ActionCard(action, self.theme)
            card.say(f"{self.step}.{number}" in self.progress.done, before=True)
            card.shown_wanted.connect(self.example_wanted)
            self.actions_.append(card)
        for question in step.questions:
            asked = QuestionCard(question, self.theme)
            given, outcome = self.progress.answers.get(question.question), self.progress.outcomes.get(question.question)
            if given:
                asked.show_given(given)
            if outcome is not None:
                asked.show_outcome(outcome)
            asked.predicted.connect(self.predicted)
            asked.compare_wanted.connect(self.compare_wanted)
            asked.why_wanted.connect(self.why_wanted)
            self.questions.append(asked)
        for number, drawn in enumerate(step.drawn):
            card_ = DrawnCard(drawn, self.theme)
            card_.say(self.progress.drawn(self.step, number))
            card_.wanted.connect(lambda _drawn, number=number: self.drawn_wanted.emit(number))
            self.drawn.append(card_)
        first: list[Card] = [*self.questions, *self.actions_, *self.drawn]
        fill(column, *sorted(first, key=_line))
        self.expectations = [ExpectationRow(each, self.theme) for each in step.expectations]
        for row in self.expectations:
            row.hide()  # Expected outcomes are shown only after the run.
        fill(column, *self.expectations)

    def _fill_end(self, column: QVBoxLayout) -> None:
        assert self.lesson is not None
        column.addWidget(self._words(tr("Lesson complete"), "lessonStep"))
        column.addWidget(self._words(self.progress.told(self.lesson) or tr("You have seen all steps."), "lessonText"))
        self.copy = QPushButton(tr("Copy my answers"))
        self.copy.setToolTip(tr("Copy all questions and answers as text, for handing in"))
        self.copy.clicked.connect(self.copy_wanted)
        again = QPushButton(tr("Restart"))
        again.setToolTip(tr("Delete the answers and start from the first step"))
        again.clicked.connect(self.again_wanted)
        row = across(self.copy, again, ...)
        column.addLayout(row)

    def _mistakes(self) -> QWidget:
        card = Card(tr("Problems: {count}", count=len(self.problems)), self.theme)
        for each in self.problems[:6]:
            card.words(tr("Line {line}: {reason}", line=each.line, reason=each.why), "problem")
        if len(self.problems) > 6:
            card.words(trn("and {count} more", "and {count} more", len(self.problems) - 6), "lessonPale")
        return card

    def say_buttons(self) -> None:
        """Enable the buttons that can be pressed now, with the reason in their tooltips."""
        if self.lesson is None:
            return
        many = len(self.lesson.steps)
        open_ = sum(1 for card in self.actions_ if not card.done)
        open_ += sum(1 for card in self.questions if not card.given)
        open_ += sum(1 for card in self.drawn if card.right is None)
        uncompared = not self.ready and any(card.waiting for card in self.questions)
        self.back.setEnabled(self.step > 0)
        self.next.setVisible(self.step < many)
        self.skip.setVisible(self.step < many and (open_ > 0 or uncompared))
        self.next.setText(tr("Finish") if self.step == many - 1 else tr("Next"))
        self.next.setEnabled(open_ == 0 and not uncompared)
        what = tr("Go to the next step")
        if uncompared:
            what = tr("Your prediction has not been compared with a run yet")
        elif open_:
            what = trn(
                "One task is not done yet; choose Skip to continue anyway",
                "{count} tasks are not done yet; choose Skip to continue anyway",
                open_,
            )
        self.next.setToolTip(what)

    def _follow(self, link: str) -> None:
        if link.startswith("lydian:"):
            verb, _, what = link.removeprefix("lydian:").strip("/").partition("/")
            self.asked.emit(verb, what)

    def set_theme(self, theme: Theme) -> None:
        if self.lesson is not None:
            done = [card.now for card in self.actions_]
            self.show_step(self.lesson, self.step, self.progress, self.problems)
            for card, now in zip(self.actions_, done, strict=True):
                card.say(card.done, before=not now)


def _line(card: Card) -> int:
    """Return the line of the file in which the block of a card begins."""
    block = card.action if isinstance(card, ActionCard) else card.drawn if isinstance(card, DrawnCard) else None
    return card.question.line if block is None else block.line  # type: ignore[attr-defined]
