"""The editor of a distribution: pictures of the families, fields for the parameters, a formula, and the curve."""

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
from lydian.app.network.edits import NETWORK
from lydian.language import tr, trn
from lydian.model.delays import FAMILIES, Distribution, Empirical, number, parse
from lydian.model.errors import BadInput
from lydian.views.network.curves import numbers, sample
from lydian.views.network.delays import built, in_family, number_in, shown_number, tidy, with_mean

__all__ = ["VARIOUSLY", "LawEditor", "law_in", "measured"]

#: Shown in place of a property that differs between the selected objects.
VARIOUSLY = tr("various")
#: Quantity -> the accessible name of its curve.
_CURVES = {
    "delay": tr("Curve of the delay; Left and Right move its mean"),
    "delay of the class": tr("Curve of the delay of the class; Left and Right move its mean"),
    "time for a step": tr("Curve of the time for a step; Left and Right move its mean"),
}
#: Quantity -> how it is inherited from the network, and from another source.
_INHERITS = {
    "delay": (tr("Inherit the delay from network"), tr("Inherit the delay from {source}")),
    "delay of the class": (
        tr("Inherit the delay of the class from network"),
        tr("Inherit the delay of the class from {source}"),
    ),
    "time for a step": (
        tr("Inherit the time for a step from network"),
        tr("Inherit the time for a step from {source}"),
    ),
}

#: The number of messages that are sent to show their delays.
SENT = 20
#: The largest number of characters of a formula, as in the model.
LONGEST = 300_000


class LawEditor(QWidget):
    """A form that shows and edits a distribution.

    Args:
        theme: the theme.
        what: the quantity, for the accessible names: "delay", "delay of the class" or "time for a step".
        sends: whether messages can be sent to try the distribution.
    """

    #: Emitted with the new distribution, repeatedly while the user drags or types.
    changed = Signal(object)
    #: Emitted when later changes belong to another step.
    settled = Signal()
    #: Emitted when the changes since the last :attr:`settled` should be undone.
    cancelled = Signal()
    #: Emitted when the distribution should be removed in favour of the inherited one.
    inherit_wanted = Signal()
    #: Emitted with the delays of messages that should travel in the drawing.
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
        self.text = Field(tr("Formula"), law_in, str)
        self.text.line.setMaxLength(LONGEST)
        self.text.line.setPlaceholderText("lognormal(mean=3.5, sd=2.1)")
        self.file = QPushButton(tr("From a file…"))
        self.curve = CurveView(theme)
        self.curve.setAccessibleName(_CURVES[what])
        self.stats = [
            (QLabel(words), QLabel())
            for words in (tr("half below"), tr("90 % below"), tr("99 % below"), tr("longest of 200"))
        ]
        self.again, self.send = QPushButton(tr("Draw again"), self), QPushButton(tr("Send {count}", count=SENT), self)
        self.inherit = QPushButton(tr("Inherit"))
        self.again.setToolTip(tr("Draw another 200 numbers"))
        self.send.setToolTip(
            tr("Let {count} messages travel along the link in the drawing, with these delays", count=SENT)
        )
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

    # ------------------------------------------------------------------ display

    def show_law(
        self,
        law: Distribution | None,
        inherited: Distribution | None = None,
        words: str = "",
        *,
        own: bool = False,
        fresh: bool = False,
        empty: str = VARIOUSLY,
    ) -> None:
        """Show a distribution without emitting a change.

        Args:
            law: the distribution; ``None`` if the selected objects have different ones.
            inherited: the distribution that would be inherited.
            words: the source of the inherited one: :data:`~lydian.app.network.edits.NETWORK`, "long-haul".
            own: whether the distribution can be removed in favour of the inherited one.
            fresh: whether another object is shown than before, so that unfinished input is discarded.
            empty: the sentence in place of the curve if there is no distribution.
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
            self.text.line.setPlaceholderText(tr("various; a formula typed here applies to all"))
        self.file.setVisible(kind == "empirical")
        self._explain(law)
        self.curve.show_law(law, inherited if own else None, words, None if law is None else self.draws(), empty)
        self._tell_numbers()
        self.inherit.setVisible(own)
        if words == NETWORK:
            self.inherit.setText(tr("Inherit network"))
            self.inherit.setToolTip(_INHERITS[self.what][0])
        else:
            short = words and len(words) < 14
            self.inherit.setText(tr("Inherit {link_class}", link_class=words) if short else tr("Inherit"))
            self.inherit.setToolTip(_INHERITS[self.what][1].format(source=words or tr("the network or class")))
        for button in (self.again, self.send):
            button.setEnabled(law is not None)

    def draws(self) -> NDArray[np.float64]:
        """Return the draws that are shown below the curve."""
        return sample(self.law, self._number) if self.law is not None else np.empty(0)

    def _explain(self, law: Distribution | None) -> None:
        if isinstance(law, Empirical):
            many = len(law.values)
            given = (
                trn(
                    "{count:,} number from {file}, all equally likely.",
                    "{count:,} numbers from {file}, all equally likely.",
                    many,
                    file=Path(law.source).name,
                )
                if law.source
                else trn("{count:,} number, all equally likely.", "{count:,} numbers, all equally likely.", many)
            )
            how = tr("Paste your own into the formula, or read them from a file with one number on each line.")
            self.about.setText(f"{given} {how}")
        elif law is not None and law.kind == "mix":
            self.about.setText(
                tr("Edit the weights and parts in the formula: mix(0.9: constant(1), 0.1: uniform(2, 4)).")
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

    # ------------------------------------------------------------------ edits

    def _took(self, law: Distribution) -> None:
        """Adopt another distribution and emit it."""
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
        """Set a parameter that was typed; if the family does not allow it, keep the last valid curve."""
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
        """Return the number in a field, even if it was refused before, or else the current parameter."""
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
            self, tr("Measured numbers, one on each line"), "", tr("Numbers (*.txt *.csv *.dat);;All files (*)")
        )
        if name:
            self.read(Path(name))

    def read(self, path: Path) -> None:
        """Read measured numbers from a file, one on each line; show an error below the formula."""
        try:
            law = measured(path)
        except BadInput as error:
            self.text.complain(str(error))
            return
        self.settled.emit()
        self._took(law)
        self.settled.emit()


def measured(path: Path) -> Distribution:
    """Return the numbers in a file, one on each line, as a distribution.

    Raises:
        BadInput: the file cannot be read, or a line, which the error names, is not a number.
    """
    if '"' in str(path):
        raise BadInput(tr("the name of a file of numbers must not contain a quotation mark"), file=path)
    return parse(f'empirical("{path}")')


def _short_share(value: float) -> str:
    """Return a spread with four digits; a computed spread has more than a reader needs."""
    return number(tidy(value, 4))


def law_in(text: str) -> Distribution:
    """Parse a distribution; several numbers, as pasted from a table, become an empirical one.

    Raises:
        BadInput: the text is not a distribution.
    """
    words = text.replace(";", " ").replace(",", " ").split()
    if len(words) > 1 and all(word[:1].isdigit() or word[:1] == "." for word in words):
        return parse(f"empirical({', '.join(words)})")
    return parse(text)
