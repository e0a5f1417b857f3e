"""The editor of a distribution: its family in pictures, its numbers, its own writing, and the curve with its mean."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QLabel, QPushButton, QWidget

from lydian.app.kit.fields import VARIOUS, Field, hint
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look
from lydian.app.look.theme import Theme
from lydian.app.network.delays.curve import CurveView
from lydian.app.network.delays.families import Families
from lydian.model.delays import FAMILIES, Distribution, Empirical, number, parse
from lydian.model.errors import BadInput
from lydian.views.network.curves import numbers, sample
from lydian.views.network.delays import built, in_family, number_in, shown_number, tidy, with_mean

__all__ = ["LawEditor", "law_in", "measured"]

#: How many messages are sent to see how long they take.
SENT = 20
#: The most characters of a text, as in the model.
LONGEST = 300_000


class LawEditor(QWidget):
    """Shows a distribution and changes it.

    Args:
        theme: the looks.
        what: what it is of, for the accessible names: "delay", "time for a step".
        sends: whether messages can be sent to try it.
    """

    #: Another distribution; steps follow each other while something is dragged or typed.
    changed = Signal(object)
    #: What follows is another step.
    settled = Signal()
    #: What was changed since the last :attr:`settled` is to be taken back.
    cancelled = Signal()
    #: The own distribution is to go.
    inherit_wanted = Signal()
    #: Messages are to travel with these delays.
    send_wanted = Signal(object)

    def __init__(
        self, theme: Theme, what: str = "delay", *, sends: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.theme, self.what = theme, what
        self.law: Distribution | None = None
        self._number = 0
        self._spread = 0.6
        self.families = Families(theme)
        most = max(len(family.asked) for family in FAMILIES.values())
        self.fields = [Field("", number_in, number) for _ in range(most)]
        self.text = Field("In its own writing", law_in, str)
        self.text.line.setMaxLength(LONGEST)
        self.text.line.setPlaceholderText("lognormal(mean=3.5, sd=2.1)")
        self.file = QPushButton("From a file…")
        self.curve = CurveView(theme)
        self.curve.setAccessibleName(f"Curve of the {what}; left and right move its mean")
        self.stats = [
            (QLabel(words), QLabel()) for words in ("half under", "90 % under", "99 % under", "longest of 200")
        ]
        self.again, self.send = QPushButton("Draw again", self), QPushButton(f"Send {SENT}", self)
        self.inherit = QPushButton("Inherit")
        self.again.setToolTip("Two hundred other draws")
        self.send.setToolTip(f"{SENT} messages travel the link on the drawing, with these delays")
        self.send.setVisible(sends)
        self._sends = sends
        self.about = hint()
        self._lay_out()
        self.families.chosen.connect(self._family)
        for place, field in enumerate(self.fields):
            field.entered.connect(lambda value, place=place: self._numbered(place, value))
        self.text.entered.connect(self._took)
        sources: tuple[Field | CurveView, ...] = (*self.fields, self.text, self.curve)
        for source in sources:
            source.settled.connect(self.settled)
            source.cancelled.connect(self.cancelled)
        QWidget.setTabOrder(self.curve, self.again)
        QWidget.setTabOrder(self.again, self.send)
        self.curve.mean_moved.connect(self._moved)
        self.again.clicked.connect(self._again)
        self.send.clicked.connect(lambda: self.send_wanted.emit(self.draws()[:SENT]))
        self.inherit.clicked.connect(self.inherit_wanted)
        self.file.clicked.connect(self._choose_file)
        for button, name in ((self.again, "dice"), (self.send, "play"), (self.inherit, "undo"), (self.file, "open")):
            set_look(button, theme, icon=name, icon_size=14)
        for _words, value in self.stats:
            set_look(value, theme, font="body semibold mono")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(0)
        for place, (words, value) in enumerate(self.stats):
            words.setObjectName("statLabel")
            value.setObjectName("statValue")
            value.setAccessibleName(words.text())
            for line, label in enumerate((words, value)):
                grid.addWidget(label, line, place, Qt.AlignmentFlag.AlignHCenter)
            grid.setColumnStretch(place, 1)
        for button in (self.again, self.send, self.inherit, self.file):
            button.setObjectName("small")
        down(
            self.families,
            across(*((field, 1) for field in self.fields), spacing=8),
            self.about, (self.file, Qt.AlignmentFlag.AlignLeft), self.curve, grid,
            across(self.again, self.send, ..., self.inherit, spacing=6),
            self.text, on=self, spacing=8,
        )  # fmt: skip

    # ------------------------------------------------------------------ what is shown

    def show_law(
        self,
        law: Distribution | None,
        inherited: Distribution | None = None,
        words: str = "",
        *,
        own: bool = False,
        fresh: bool = False,
        empty: str = "various",
    ) -> None:
        """Show a distribution without telling it as a change.

        Args:
            law: it; ``None`` if several things have different ones.
            inherited: what holds without it.
            words: where the inherited one comes from: "network", "long-haul".
            own: whether there is one that can be taken away.
            fresh: something else is shown than before: what is half typed goes.
            empty: the sentence in place of the curve if there is none.
        """
        self.law = law
        if law is not None and 0 < law.sd < float("inf") and law.mean > 0:
            self._spread = tidy(law.sd / law.mean)
        self._inherited = inherited
        self._words = words
        kind = None if law is None else law.kind
        self.families.say(kind)
        asked = () if law is None else law.asked
        known = {} if law is None else law.answers
        for place, field in enumerate(self.fields):
            field.setVisible(place < len(asked))
            if place < len(asked):
                slot = asked[place]
                if field.label.text() != slot.label:
                    field.name(slot.label, slot.unit, slot.help)
                    fresh_field = True
                else:
                    fresh_field = fresh
                field.write(_short_share if slot.name == "spread" else number)
                field.say(known[slot.name], fresh=fresh_field)
        self.text.say(VARIOUS if law is None else law, fresh=fresh)
        if law is None:
            self.text.line.setPlaceholderText("various: what is typed here holds for all")
        self.file.setVisible(kind == "empirical")
        self._explain(law)
        self.curve.show_law(law, inherited if own else None, words, None if law is None else self.draws(), empty)
        self._tell_numbers()
        self.inherit.setVisible(own)
        self.inherit.setText(f"Inherit {words}" if words and len(words) < 14 else "Inherit")
        self.inherit.setToolTip(f"Take the {self.what} of {words or 'what it belongs to'} instead of an own one")
        for button in (self.again, self.send):
            button.setEnabled(law is not None)

    def draws(self) -> NDArray[np.float64]:
        """The draws that are shown below the curve."""
        return sample(self.law, self._number) if self.law is not None else np.empty(0)

    def _explain(self, law: Distribution | None) -> None:
        if isinstance(law, Empirical):
            source = f" from {Path(law.source).name}" if law.source else ""
            many = len(law.values)
            self.about.setText(
                f"{many:,} number{'s'[: many != 1]}{source}, each as likely."
                " Paste yours into the line at the end, or take them from a file, one a line."
            )
        elif law is not None and law.kind == "mix":
            self.about.setText(
                "Weights and parts stand in the line at the end: mix(0.9: constant(1), 0.1: uniform(2, 4))."
            )
        else:
            self.about.setText("")
        self.about.setVisible(bool(self.about.text()))

    def _tell_numbers(self) -> None:
        told = None if self.law is None else numbers(self.law, sample(self.law, self._number))
        found = (
            ("–",) * 4 if told is None else [shown_number(v) for v in (told.half, told.most, told.nearly, told.longest)]
        )
        for (_words, label), text in zip(self.stats, found, strict=True):
            label.setText(text)

    # ------------------------------------------------------------------ what is changed

    def _took(self, law: Distribution) -> None:
        """Somebody gave another distribution: show it at once, and tell it."""
        self.law = law
        self.changed.emit(law)

    def _family(self, kind: str) -> None:
        if self.law is not None:
            law = in_family(self.law, kind, self._spread)
        else:
            law = in_family(parse("lognormal(mean=1, sd=0.6)"), kind)
        self.settled.emit()
        self._took(law)
        self.settled.emit()

    def _numbered(self, place: int, value: float) -> None:
        """A number was typed: the family may still refuse it; the last good curve stays then."""
        if self.law is None:
            return
        asked = self.law.asked
        field = self.fields[place]
        try:
            given = {slot.name: self._given(other, slot.name) for other, slot in enumerate(asked)}
            given[asked[place].name] = value
            law = built(self.law.kind, given)
        except BadInput as error:
            field.value = self.law.answers[asked[place].name]
            field.complain(error.what)
            return
        for other in self.fields:
            if other is not field and other.bad:
                other.complain("")
        self._took(law)

    def _given(self, place: int, name: str) -> float:
        """What stands in a field if it is a number (though maybe refused until now), else what holds."""
        field = self.fields[place]
        if field.bad:
            try:
                return number_in(field.line.text())
            except BadInput:
                pass
        assert self.law is not None
        return self.law.answers[name]

    def _moved(self, mean: float) -> None:
        if self.law is None:
            return
        try:
            law = with_mean(self.law, mean)
        except BadInput:
            return
        self._took(law)

    def _again(self) -> None:
        self._number += 1
        if self.law is not None:
            self.curve.draws = sample(self.law, self._number)
            self.curve.update()
            self._tell_numbers()

    def _choose_file(self) -> None:
        name, _kind = QFileDialog.getOpenFileName(
            self, "Measured numbers, one a line", "", "Numbers (*.txt *.csv *.dat);;All files (*)"
        )
        if name:
            self.read(Path(name))

    def read(self, path: Path) -> None:
        """Take measured numbers from a file, one a line; a sentence below the text says what is wrong with it."""
        try:
            law = measured(path)
        except BadInput as error:
            self.text.complain(str(error))
            return
        self.settled.emit()
        self._took(law)
        self.settled.emit()


def measured(path: Path) -> Distribution:
    """The numbers of a file, one a line, as a distribution.

    Raises:
        BadInput: it cannot be read, or a line is no number; the sentence names the line.
    """
    if '"' in str(path):
        raise BadInput("a file of numbers has no quotation mark in its name", file=path)
    return parse(f'empirical("{path}")')


def _short_share(value: float) -> str:
    """A spread that was computed has many digits; four are enough to read."""
    return number(tidy(value, 4))


def law_in(text: str) -> Distribution:
    """The distribution that somebody wrote; several numbers, as pasted from a table, are measured ones.

    Raises:
        BadInput: it is none.
    """
    words = text.replace(";", " ").replace(",", " ").split()
    if len(words) > 1 and all(word[:1].isdigit() or word[:1] == "." for word in words):
        return parse(f"empirical({', '.join(words)})")
    return parse(text)
