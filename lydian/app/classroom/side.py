"""The column on the right of a class: the acts of a game, the question to all, the figure, and the checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QSizePolicy, QWidget

from lydian.app.classroom.cards import Card, button
from lydian.app.classroom.charts import Curve, Histogram
from lydian.app.kit.form import choice, number
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.checks import ChecksList
from lydian.desk.hosting import Attending, Hosting, Joining
from lydian.desk.playhead import Playhead
from lydian.language import tr, trn

__all__ = ["Side"]

#: The width of the column, in a narrow window and in a wide one.
NARROW, WIDE = 282, 372


class Side(QWidget):
    """The column.

    Attributes:
        acts, question, figure, checks: its cards.
    """

    #: Emitted when the host wants to put a question.
    ask_wanted = Signal()

    def __init__(self, theme: Theme, playhead: Playhead) -> None:
        super().__init__()
        self.theme = theme
        self.setObjectName("classSide")
        self.setAccessibleName(tr("The class"))
        self.part: Attending | None = None
        self.acts = _Acts(theme)
        self.question = _QuestionCard(theme)
        self.figure = Card(theme, "chart", "")
        self.curve = Curve(theme)
        self.words = set_up(QLabel(), look="dockNote", wraps=True, plain=True)
        self.figure.add(self.curve)
        self.figure.add(self.words)
        self.list = ChecksList(playhead, theme)
        self.list.setObjectName("classChecks")
        self.checks = Card(theme, "checks", tr("Checks"), (self.list, 1), margins=0)
        inside = QWidget()
        self._cards = down(self.acts, self.question, self.figure, (self.checks, 1), (_Rest(), 0), on=inside, spacing=5)
        area = _Column()
        area.setAccessibleName(tr("The cards of the class"))
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        down((area, 1), on=self)
        self.acts.chosen.connect(lambda number: self._lead("act", act=number))
        self.question.asked.connect(self.ask_wanted)
        self.settle(1280)

    def _lead(self, do: str, **what: Any) -> None:
        if isinstance(self.part, Hosting):
            self.part.lead(do, **what)

    def settle(self, width: int, low: bool = False) -> None:
        """Fit the width to that of the window; ``low`` if there is little room above each other."""
        self.setFixedWidth(self.theme.grown(WIDE if width >= 1600 else NARROW))
        self.acts.fold(low)

    def set_theme(self, theme: Theme) -> None:
        self.settle(self.window().width())

    def judge(self, checks: Sequence[Mapping[str, Any]]) -> None:
        """Show the results for the properties."""
        self.list.load(checks)
        self.checks.setVisible(bool(checks))

    def refresh(self, part: Attending) -> None:
        """Show the state of the class."""
        self.part = part
        room, welcome = part.room, part.welcome
        acts = [] if welcome is None else welcome.acts
        self.acts.say(acts, -1 if room is None else room.act, isinstance(part, Hosting))
        self.acts.setVisible(bool(acts))
        self.question.refresh(part)
        waits = part.question is not None and (part.histogram is None or not part.histogram.shown)
        self._cards.removeWidget(self.question)
        self._cards.insertWidget(0 if waits else 1, self.question)
        if not part.seen:
            self.checks.hide()
        figure = {} if room is None else room.figure
        self.figure.setVisible(bool(figure))
        if figure:
            title = str(figure.get("title", ""))
            points = figure.get("points") or []
            self.figure.title.setText(title)
            self.figure.note.setText(f"{points[-1][1]:g}" if points else "")
            self.figure.setAccessibleName(title)
            assert room is not None
            self.curve.say(figure, room.round)
            self.words.setText(str(figure.get("words", "")))
            self.words.setVisible(bool(figure.get("words")))


class _Column(QScrollArea):
    """The cards, which are as wide as the column and scroll if they are higher."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.widget()
        if inside is not None:
            inside.setFixedWidth(self.viewport().width())


class _Rest(QWidget):
    """Room below the cards."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)


class _Acts(Card):
    """The acts of a game; the host begins one with a click."""

    #: Emitted with the number of an act, from 0 on.
    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "book", tr("The acts"), margins=0)
        self.inside.setSpacing(0)
        self.rows: list[QPushButton] = []
        self._told: object = None
        self._low = self._all = False
        self._now = -1
        self.more = self.tool("chevron-down", tr("Show all acts"), lambda _on=False: self._turn())

    def fold(self, low: bool) -> None:
        """Show only the present act and the next one if there is little room, until all are asked for."""
        self._low = low
        few = low and not self._all
        for at, row in enumerate(self.rows):
            row.setVisible(not few or max(self._now, 0) <= at <= max(self._now, 0) + 1)
        self.more.setVisible(low)
        words = tr("Show all acts") if few else tr("Show fewer acts")
        self.more.setToolTip(words)
        self.more.setAccessibleName(words)
        set_look(self.more, self.theme, icon="chevron-down" if few else "chevron-up")

    def _turn(self) -> None:
        self._all = not self._all
        self.fold(self._low)

    def say(self, acts: Sequence[Sequence[Any]], now: int, hosts: bool) -> None:
        """Show the acts, of which one is on."""
        told = ([tuple(each) for each in acts], now, hosts)
        if told == self._told:
            return
        self._told = told
        for old in self.rows:
            self.inside.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.rows = []
        for at, each in enumerate(acts):
            title, text = str(each[0]), str(each[1]) if len(each) > 1 else ""
            row = _Act(self.theme, at, title, text, now)
            row.setEnabled(hosts)
            row.clicked.connect(partial(self.chosen.emit, at))
            self.inside.addWidget(row)
            self.rows.append(row)
        self._now, self._all = now, False
        self.note.setText(tr("{number} of {count}", number=max(now, 0) + 1, count=len(acts)))
        self.fold(self._low)


class _Act(QPushButton):
    """One act: its number, its title, and a sentence."""

    def __init__(self, theme: Theme, at: int, title: str, text: str, now: int) -> None:
        super().__init__()
        self.setObjectName("classAct")
        state = "now" if at == now else "done" if at < now else "later"
        words = {"now": tr("now"), "done": tr("done"), "later": tr("later")}[state]
        self.setAccessibleName(f"{at + 1}. {title}, {words}")
        self.setToolTip(tr("Begin act {number}: {title}", number=at + 1, title=title))
        mark(self, state=state)
        sign = set_up(QLabel("✓" if state == "done" else str(at + 1)), look="classActNumber", plain=True)
        sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        sign.setFixedSize(22, 22)
        mark(sign, state=state)
        name = set_up(QLabel(title), look="cardValue", wraps=True, plain=True)
        about = set_up(QLabel(text), look="dockNote", wraps=True, plain=True)
        across((sign, Qt.AlignmentFlag.AlignTop), (down(name, about, spacing=1), 1), on=self, margins=(10, 7, 10, 7),
               spacing=9)  # fmt: skip
        for each in (sign, name, about):
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        about.setVisible(bool(text))
        self.labels = (name, about)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return 40 if layout is None else layout.heightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for label in self.labels:
            label.setFixedHeight(label.heightForWidth(label.width()))

    def sizeHint(self) -> Any:
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()


class _QuestionCard(Card):
    """The question to all: for the host with the answers so far, for others with the fields of an answer."""

    #: Emitted when the host wants to put a question.
    asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "chart", tr("Prediction"))
        self.part: Attending | None = None
        self.text = set_up(QLabel(), look="cardValue", wraps=True, plain=True)
        self.chip = set_up(QLabel(), look="classSealed", plain=True)
        self.count = set_up(QLabel(), look="dockNote", wraps=True, plain=True)
        self.histogram = Histogram(theme)
        self.show_all = button(
            theme, tr("Show to all"), "projector", lambda _on=False: self._tell(),
            tip=tr("Show the answers to everybody, and take no more"),
        )  # fmt: skip
        self.lock = button(
            theme, tr("No more answers"), "lock", lambda _on=False: self._lock(), tip=tr("Take no more answers")
        )
        self.ask = button(theme, tr("Ask a prediction…"), "chart", lambda _on=False: self.asked.emit())
        self.number = number(-1e9, 1e9)
        self.number.setDecimals(0)
        self.number.setAccessibleName(tr("Your answer"))
        self.choices = choice(short=6)
        self.choices.setAccessibleName(tr("Your answer"))
        self.reply = button(theme, tr("Answer"), "lock", lambda _on=False: self._reply(), filled=True)
        self.mine = across((self.number, 1), (self.choices, 1), self.reply, spacing=8)
        self.row = across((self.show_all, 1), (self.lock, 1), spacing=8)
        told = across((self.chip, Qt.AlignmentFlag.AlignTop), (self.count, 1), spacing=8)
        for each in (self.text, told, self.histogram, self.row, self.ask, self.mine):
            self.add(each)
        self._about: object = None

    def _tell(self) -> None:
        if isinstance(self.part, Hosting) and self.part.question is not None:
            self.part.lead("tell", question=self.part.question.number)

    def _lock(self) -> None:
        if isinstance(self.part, Hosting) and self.part.question is not None:
            self.part.lead("lock", question=self.part.question.number)

    def _reply(self) -> None:
        part = self.part
        if isinstance(part, Joining) and part.question is not None:
            value = self.number.value() if part.question.form == "number" else self.choices.currentData()
            part.reply(int(value) if isinstance(value, float) and value.is_integer() else value)

    def refresh(self, part: Attending) -> None:
        """Show the question as it stands."""
        self.part = part
        hosts, question, answers = isinstance(part, Hosting), part.question, part.histogram
        open_ = part.room is not None and part.room.question is not None
        shown = answers is not None and answers.shown
        self.setVisible(hosts or question is not None)
        self.ask.setVisible(hosts and not open_)
        self.text.setVisible(question is not None)
        for each in (self.show_all, self.lock):
            each.setVisible(hosts and question is not None and not shown)
        self.lock.setEnabled(open_)
        self.histogram.setVisible(question is not None and (hosts or shown))
        self.chip.setVisible(question is not None)
        self.count.setVisible(question is not None)
        mine = not hosts and question is not None and open_ and (answers is None or answers.mine is None)
        self.reply.setVisible(mine)
        self.number.setVisible(mine and question is not None and question.form == "number")
        self.choices.setVisible(mine and question is not None and question.form != "number")
        if question is None:
            return
        self.text.setText(question.text)
        if self._about != question and question.form != "number":
            self.choices.clear()
            for value, words in question.choices:
                self.choices.addItem(str(words), value)
        self._about = question
        self.chip.setText(tr("shown to all") if shown else tr("sealed") if open_ else tr("closed"))
        mark(self.chip, shown=shown)
        told = 0 if answers is None else answers.answered
        of = 0 if answers is None else answers.people
        if hosts and answers is not None:
            words = trn("{count} of {all} answered", "{count} of {all} answered", told, all=of)
            words = words if shown else tr("{answers}; only you see this", answers=words)
        elif hosts:
            words = tr("no answers yet")
        elif answers is not None and answers.mine is not None:
            words = tr("your answer: {value}", value=answers.mine)
        else:
            words = tr("nobody sees it before all do") if open_ else ""
        self.count.setText(words)
        self.histogram.say([] if answers is None else answers.bars, None if answers is None else answers.right)
