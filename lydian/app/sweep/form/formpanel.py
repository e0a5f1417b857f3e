"""The form of a sweep: the varied values, repetitions, measures and place of execution, with a cost estimate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from lydian.app.kit.fields import heading
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Card, scrolled
from lydian.app.sweep.document import SweepDocument
from lydian.app.sweep.form.check import Checked, check
from lydian.app.sweep.form.choices import Choice
from lydian.app.sweep.form.drawncard import DrawnCard
from lydian.app.sweep.form.form import Drawn, Form, Row, axis_name
from lydian.app.sweep.form.measures import MeasureBox
from lydian.app.sweep.form.parts import Said, WidePopup, field, put_text
from lydian.app.sweep.form.rowcard import RowCard
from lydian.app.sweep.form.wherebox import WhereBox
from lydian.batch.sweep.fields import parts
from lydian.desk.settings import Settings
from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput
from lydian.views.words.phrases import lowered

__all__ = ["FormPanel"]

AT_HAND = tr("The current experiment")


class FormPanel(QWidget):
    """The fields, and below them the number of runs, the estimate and Start.

    Attributes:
        checked: the result of checking the current form.
        trouble: problems found by trial runs or by reading the values, by place in the form.
        rows, drawn: the cards.
    """

    #: Emitted to start, or to stop the running sweep.
    start_wanted = Signal()
    #: Emitted with the name of another base experiment, ``""`` for the current one.
    base_wanted = Signal(str)
    #: Emitted when the estimate is wanted, or no longer.
    estimate_wanted = Signal(bool)
    said = Signal(str, bool)

    def __init__(
        self, document: SweepDocument, settings: Settings, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document, self.theme = document, theme
        self.checked: Checked = check(document.form)
        self.trouble: dict[str, str] = {}
        self.choices: Callable[[], list[Choice]] = list
        self.bases: Callable[[], list[tuple[str, str]]] = list
        self.rows: list[RowCard] = []
        self.drawn: list[DrawnCard] = []
        self._opened = -1
        self._make(settings)
        document.changed.connect(self.refresh)
        set_look(self.vary, theme, icon="plus", ink="text.secondary")
        set_look(self.start, theme, icon="play", ink="text.onAccent")
        self.start.setProperty("primary", True)
        self.refresh()

    def _make(self, settings: Settings) -> None:
        theme, document = self.theme, self.document
        self.name = field(tr("Name of the sweep"), "sweep")
        self.name.textEdited.connect(lambda text: document.change(tr("name"), key="name", name=text))
        self.base = Card("flag", tr("Base experiment"), theme)
        self.base_popup = WidePopup(self, tr("Search for an experiment, or type a path"), lambda: self.bases())
        self.base_popup.chosen.connect(lambda ref: self.base_wanted.emit("" if ref == AT_HAND else ref))
        self.base.clicked.connect(lambda: self.base_popup.open(self.base, ""))
        self.about_rows = Said()
        self.vary = set_up(QPushButton(tr("Vary something…")), name=tr("Vary something"), clicked=self.choose)
        self.popup = WidePopup(self, tr("Search, or type a field such as timing.loss"), self._offers)
        self.popup.chosen.connect(self.take)
        self._row_column, self._drawn_column = QVBoxLayout(), QVBoxLayout()
        for column in (self._row_column, self._drawn_column):
            column.setSpacing(6)
        self.drawn_heading = heading(tr("Faults drawn for each run"))
        self.seeds = field(tr("Runs of each combination"), "20")
        self.seeds.textEdited.connect(lambda text: document.change(tr("seeds"), key="seeds", seeds=text))
        self.seeds.setToolTip(tr('The number of runs, such as 20, or their seeds: "100 to 119", "1, 5, 9"'))
        self.seeds_said = Said()
        self.measures = MeasureBox(theme)
        self.measures.edited.connect(lambda text, key, new: document.change(text, key=key, **new))
        self.where = WhereBox(settings, theme)
        body = QWidget()
        body.setObjectName("sweepBody")
        # As wide as the room allows: longer texts are cut, and there is no horizontal scrolling.
        body.setMinimumWidth(1)
        down(
            heading(tr("Name")), self.name, self.base, heading(tr("Vary")), self.about_rows, self._row_column,
            self.drawn_heading, self._drawn_column, self.vary, 6,
            heading(tr("Runs of each combination")), self.seeds, self.seeds_said, 6, self.measures, 6, self.where, ...,
            on=body, margins=(12, 10, 12, 12), spacing=6,
        )  # fmt: skip
        self.area = scrolled(body)
        down((self.area, 1), self._foot(), on=self, spacing=0)

    def _foot(self) -> QFrame:
        self.total, self.costs = QLabel(), QLabel()
        self.total.setObjectName("total")
        self.total.setAccessibleName(tr("Number of runs"))
        self.costs.setObjectName("explained")
        self.costs.setAccessibleName(tr("Estimated cost"))
        for label in (self.total, self.costs):
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.problem = Said()
        self.trying = set_up(QProgressBar(), look="sweepBar", name=tr("Trial runs"))
        self.trying.setTextVisible(False)
        self.trying.setFixedHeight(6)
        self.start = set_up(QPushButton(trc("button", "Start")), name=tr("Start the sweep"), clicked=self.start_wanted)
        foot = QFrame()
        foot.setObjectName("sweepFoot")
        down(
            across((self.total, 1), self.start), self.costs, self.trying, self.problem,
            on=foot, margins=(12, 8, 12, 10), spacing=4,
        )  # fmt: skip
        self.trying.hide()
        return foot

    # ------------------------------------------------------------------ choices

    def _offers(self) -> list[tuple[str, str]]:
        found = []
        for each in self.choices():
            field_words = "" if each.field in ("n", "seeds", "n, network") or each.drawn else f"{each.field}: "
            found.append((each.title, f"{field_words}{each.about}"))
        return found

    def choose(self) -> None:
        """Show the list of values that can be varied."""
        self.area.ensureWidgetVisible(self.vary)
        self.popup.open(self.vary, "")

    def take(self, title: str) -> None:
        """Vary a value, given by its title or its field."""
        found = next((each for each in self.choices() if title in (each.title, each.field)), None)
        form = self.document.form
        if found is not None and found.field == "seeds":
            self.seeds.setFocus(Qt.FocusReason.OtherFocusReason)
            self.seeds.selectAll()
            return
        if found is None:
            try:
                parts(title)
            except BadInput as error:
                self.said.emit(error.remark, True)
                return
            found = Choice(title, title, rows=(Row(field=title),))
        there = next((i for i, row in enumerate(form.rows) for new in found.rows if row.field == new.field != ""), None)
        if there is not None and len(found.rows) == 1:
            self.open(there)
            return
        taken = {axis_name(row) for row in form.rows}
        drawn, fresh = found.drawn, []
        for row in found.rows:
            name = axis_name(row)
            free = next(each for each in (name, *(f"{name}{i}" for i in range(2, 999))) if each not in taken)
            taken.add(free)
            if free != name:
                drawn = tuple(replace(each, count=each.count.replace(f"{{{name}}}", f"{{{free}}}")) for each in drawn)
                row = replace(row, name=free)
            fresh.append(row)
        rows = tuple(row for row in form.rows if not any(row.field == new.field != "" for new in fresh))
        self._opened = len(rows)
        words = tr("vary {field}", field=lowered(found.title))
        self.document.change(words, rows=(*rows, *fresh), drawn=(*form.drawn, *drawn))
        self.open(len(rows))

    # ------------------------------------------------------------------ edits

    def _row_edited(self, number: int, row: Row, text: str, key: str) -> None:
        self.document.change(text, self.document.form.with_row(number, row), key=f"row {number} {key}" if key else "")

    def _row_wanted(self, number: int, what: str) -> None:
        form = self.document.form
        if what == "open":
            self.open(-1 if self._opened == number else number)
        elif what == "remove":
            self._opened = -1
            self.document.change(tr("remove {axis}", axis=axis_name(form.rows[number])), form.without_row(number))
        else:
            by = -1 if what == "up" else 1
            self._opened = number + by if self._opened == number else self._opened
            self.document.change(trc("of rows", "order"), form.moved(number, by))

    def open(self, number: int) -> None:
        """Open the fields of one card, and close the others."""
        self._opened = number if 0 <= number < len(self.rows) else -1
        for at, card in enumerate(self.rows):
            card.open(at == self._opened, focus=True)
        if self._opened >= 0:
            QTimer.singleShot(0, self, self._show_opened)

    def _show_opened(self) -> None:
        """Scroll to the fields once they have their place."""
        if self._opened >= 0:
            card = self.rows[self._opened]
            self.area.ensureWidgetVisible(card, 0, min(card.height() // 2 + 8, self.area.viewport().height() // 2))

    def _drawn_edited(self, number: int, each: Drawn, text: str, key: str) -> None:
        drawn = list(self.document.form.drawn)
        drawn[number] = each
        self.document.change(text, key=f"drawn {number} {key}" if key else "", drawn=tuple(drawn))

    def _drawn_removed(self, number: int) -> None:
        drawn = self.document.form.drawn
        self.document.change(tr("remove faults"), drawn=drawn[:number] + drawn[number + 1 :])

    # ------------------------------------------------------------------ showing

    def refresh(self) -> None:
        """Show the current form."""
        form = self.document.form
        self.checked = check(form)
        self.trouble = {}
        self._fit(form)
        put_text(self.name, form.name)
        put_text(self.seeds, form.seeds)
        self.about_rows.say("" if form.rows else tr("No value is varied yet: the runs differ only in their seeds."),
                            problem=False)  # fmt: skip
        self.drawn_heading.setVisible(bool(form.drawn))
        self.show_problems()

    def show_problems(self) -> None:
        """Show each problem below the part that it is about."""
        form, problems = self.document.form, {**self.trouble, **self.checked.problems}
        names = [axis_name(row) for row in form.rows]
        axes = self.checked.axes
        for number, (card, row) in enumerate(zip(self.rows, form.rows, strict=True)):
            others = [name for i, name in enumerate(names) if i != number and form.rows[i].along != names[number]]
            place = f"vary[{number}]"
            axis = axes[number] if number < len(axes) else None
            card.show_row(
                row, axis, problems.get(place, ""), others, first=number == 0, last=number == len(self.rows) - 1
            )
        for number, (drawn, each) in enumerate(zip(self.drawn, form.drawn, strict=True)):
            drawn.show_drawn(each, problems.get(f"faults[{number}]", ""))
        self.seeds_said.say(problems.get("seeds", ""))
        mark(self.seeds, bad="seeds" in problems)
        self.measures.show_form(form, problems)
        here = ("vary", "faults", "seeds", "measure", "limits")
        rest = [text for place, text in problems.items() if not place.startswith(here)]
        self.problem.say(rest[0] if rest else "")
        count = len(problems)
        words = self.checked.words or trn("Correct one problem first", "Correct {count} problems first", count)
        self.total.setText(words)

    def _fit(self, form: Form) -> None:
        """Adapt the number of cards to that of rows and kinds of faults."""
        while len(self.rows) < len(form.rows):
            number, card = len(self.rows), RowCard(self.theme)
            card.edited.connect(lambda row, text, key, n=number: self._row_edited(n, row, text, key))
            card.wanted.connect(lambda what, n=number: self._row_wanted(n, what))
            self.rows.append(card)
            self._row_column.addWidget(card)
        while len(self.drawn) < len(form.drawn):
            number, drawn = len(self.drawn), DrawnCard(self.theme)
            drawn.edited.connect(lambda each, text, key, n=number: self._drawn_edited(n, each, text, key))
            drawn.removed.connect(lambda n=number: self._drawn_removed(n))
            self.drawn.append(drawn)
            self._drawn_column.addWidget(drawn)
        for cards, wanted in ((self.rows, len(form.rows)), (self.drawn, len(form.drawn))):
            while len(cards) > wanted:
                gone = cards.pop()
                gone.hide()
                gone.deleteLater()
        for at, each in enumerate(self.rows):
            if each.opened != (at == self._opened):
                each.open(at == self._opened)
