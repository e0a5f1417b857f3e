"""What opens below the card Timing: the law of delay as a text, checked while it is typed, and what it means."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QFormLayout, QLabel, QLineEdit, QWidget

from lydian.app.panels.card import Popup
from lydian.model.delays import parse
from lydian.model.delays.distribution import Distribution
from lydian.model.errors import BadInput
from lydian.model.network import RATES, Timing

__all__ = ["LAWS", "TimingPopup", "law_explained", "law_text"]

#: Laws of delay to choose from; the first field of the timing takes any other.
LAWS = (
    "constant(1)",
    "uniform(0.5, 1.5)",
    "exponential(mean=1)",
    "lognormal(mean=1, sd=0.6)",
    "gamma(mean=1, k=4)",
    "pareto(mean=1, a=2.5)",
)


def law_text(law: Distribution) -> str:
    """A distribution in words: ``Log-normal, mean 1``."""
    return f"{law.title}, {'always' if law.kind == 'constant' else 'mean'} {law.mean:.3g}"


def law_explained(law: Distribution) -> str:
    """What a distribution means for a message, in one sentence."""
    if law.kind == "constant":
        return f"Every message takes {law.mean:.4g} time units."
    half, most = (float(np.ravel(law.quantile(share))[0]) for share in (0.5, 0.9))
    return f"Half of the messages take at most {half:.3g}, nine in ten at most {most:.3g} time units."


class TimingPopup(Popup):
    """Delay, step, order and what goes wrong with messages; a text that is no distribution is explained."""

    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._timing = Timing()
        self.delay, self.step = QLineEdit(), QLineEdit()
        self.laws = QComboBox()
        self.laws.setAccessibleName("Laws of delay to choose from")
        self.laws.addItem("Choose a law…")
        self.laws.addItems(LAWS)
        self.order = QComboBox()
        self.order.addItem("as the network says", None)
        self.order.addItem("any order", "unordered")
        self.order.addItem("in order of sending (FIFO)", "fifo")
        self.rates = {rate: QDoubleSpinBox() for rate in RATES}
        for box in self.rates.values():
            box.setRange(0, 100)
            box.setSuffix(" %")
            box.lineEdit().setTextMargins(4, 0, 0, 0)
            box.setSpecialValueText("as the network says")
        self.loss = self.rates["loss"]
        self.explained, self.problem = QLabel(), QLabel()
        for label, name in ((self.explained, "explained"), (self.problem, "problem")):
            label.setObjectName(name)
            label.setWordWrap(True)
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.setVerticalSpacing(6)
        for title, widget in (
            ("Delay", self.delay),
            ("", self.laws),
            ("Step", self.step),
            ("Order", self.order),
            *((rate.capitalize(), box) for rate, box in self.rates.items()),
        ):
            form.addRow(title, widget)
            if title:
                widget.setAccessibleName(title)
        self.delay.setPlaceholderText("as the network says")
        self.step.setPlaceholderText("as the network says")
        self.column.addLayout(form)
        self.column.addWidget(self.explained)
        self.column.addWidget(self.problem)
        for field in (self.delay, self.step):
            field.textEdited.connect(lambda _text: self.check())
            field.editingFinished.connect(self.commit)
        self.laws.activated.connect(self._law)
        self.order.activated.connect(lambda _index: self.commit())
        for box in self.rates.values():
            box.editingFinished.connect(self.commit)

    def open(self, below: QWidget, timing: Timing) -> None:
        """Show a timing."""
        self._timing = timing
        self.delay.setText("" if timing.delay is None else str(timing.delay))
        self.step.setText("" if timing.step is None else str(timing.step))
        self.order.setCurrentIndex(max(0, self.order.findData(timing.order)))
        for rate, box in self.rates.items():
            box.setValue(100 * (getattr(timing, rate) or 0))
        self.check()
        self.open_below(below)
        self.delay.setFocus()

    def check(self) -> tuple[Distribution | None, Distribution | None] | None:
        """Delay and step as they stand in the fields; ``None``, and a sentence below, if one is none."""
        found: list[Distribution | None] = []
        for name, field in (("Delay", self.delay), ("Step", self.step)):
            text = field.text().strip()
            try:
                found.append(parse(text) if text else None)
            except BadInput as error:
                self.problem.setText(f"{name}: {error}")
                self.problem.show()
                self.explained.hide()
                return None
        self.problem.hide()
        self.explained.setVisible(found[0] is not None)
        if found[0] is not None:
            self.explained.setText(law_explained(found[0]))
        return found[0], found[1]

    def commit(self) -> None:
        """Hand on what the fields say, if it can be used and is something new."""
        laws = self.check()
        if laws is None:
            return
        shares = {rate: box.value() / 100 for rate, box in self.rates.items()}
        rates: dict[str, Any] = {rate: share if share > 0 else None for rate, share in shares.items()}
        timing = replace(self._timing, delay=laws[0], step=laws[1], order=self.order.currentData(), **rates)
        if timing != self._timing:
            self._timing = timing
            self.changed.emit(timing)

    def _law(self, index: int) -> None:
        if index > 0:
            self.delay.setText(self.laws.itemText(index))
            self.laws.setCurrentIndex(0)
            self.commit()
