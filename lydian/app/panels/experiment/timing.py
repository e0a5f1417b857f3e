"""The popup of the card Timing: the distribution of delays as text, checked while it is typed, and its meaning."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from lydian.app.kit.form import BoundForm, choice, number
from lydian.app.kit.layout import fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_up
from lydian.language import tr, trc
from lydian.model.delays import parse
from lydian.model.delays.distribution import Distribution
from lydian.model.errors import BadInput
from lydian.model.network import RATES, Timing
from lydian.model.network.stabilisation import Stabilisation

__all__ = ["LAWS", "TimingPopup", "law_explained", "law_text"]

#: The distributions of delay to choose from; the first field of the timing takes any other.
LAWS = (
    "constant(1)",
    "uniform(0.5, 1.5)",
    "exponential(mean=1)",
    "lognormal(mean=1, sd=0.6)",
    "gamma(mean=1, k=4)",
    "pareto(mean=1, a=2.5)",
)


#: The delay before a global stabilisation time, if none is given.
_EARLY = "exponential(mean=10)"


def law_text(law: Distribution) -> str:
    """Return a distribution in words: ``Log-normal, mean 1``."""
    if law.kind == "constant":
        return tr("{distribution}, always {time:.3g}", distribution=law.title, time=law.mean)
    return tr("{distribution}, mean {time:.3g}", distribution=law.title, time=law.mean)


def law_explained(law: Distribution) -> str:
    """Explain in one sentence what a distribution means for a message."""
    if law.kind == "constant":
        return tr("Every message takes {time:.4g} time units.", time=law.mean)
    half, most = (float(np.ravel(law.quantile(share))[0]) for share in (0.5, 0.9))
    return tr(
        "Half of the messages take at most {half:.3g}, nine in ten at most {most:.3g} time units.", half=half, most=most
    )


class TimingPopup(Popup):
    """The popup for delay, step, order and message faults; invalid distributions are explained and not used."""

    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._timing = Timing()
        self.form = form = BoundForm(lambda _key: self.commit(), lambda _key: self.check())
        as_usual = tr("as in the network")
        self.delay = form.add("delay", tr("Delay"), QLineEdit(), live=False, empty=as_usual, terms=("delay",))
        self.laws = set_up(
            choice((tr("Choose a distribution…"), None), *((law, law) for law in LAWS)),
            name=tr("Distributions of delay"),
        )
        form.row("laws", "", self.laws)
        self.step = form.add("step", trc("time for a step", "Step"), QLineEdit(), live=False, empty=as_usual)
        self.order = form.add(
            "order",
            tr("Order"),
            choice((as_usual, None), (tr("any order"), "unordered"), (tr("in order of sending (FIFO)"), "fifo")),
            terms=("FIFO",),
        )
        never = tr("never")
        self.stable = form.add(
            "gst", tr("Stabilises at"), number(-1, 1_000_000, never=never), live=False, terms=("GST",)
        )
        self.stable.setToolTip(tr("The global stabilisation time: before it, messages take other delays"))
        self.early = form.add("before", tr("Delay before it"), QLineEdit(), live=False, empty=_EARLY)
        titles = {"loss": tr("Loss"), "duplication": tr("Duplication"), "corruption": tr("Corruption")}
        self.rates = {
            rate: form.add(rate, titles[rate], number(0, 100, unit=" %", never=as_usual), live=False, terms=(rate,))
            for rate in RATES
        }
        self.loss = self.rates["loss"]
        self.explained = set_up(QLabel(), look="explained", wraps=True)
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        form.rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.rows.setVerticalSpacing(6)
        fill(self.column, form.rows, self.explained, self.problem)
        self.laws.activated.connect(self._law)

    def open(self, below: QWidget, timing: Timing) -> None:
        """Show a timing below a card."""
        self.load(timing)
        self.open_below(below)
        self.delay.setFocus()

    def load(self, timing: Timing) -> None:
        """Fill the fields."""
        gst = timing.gst
        if gst is not None and gst.after is not None:  # the delay after that time stands in the first field
            timing = replace(timing, delay=gst.after, gst=replace(gst, after=None))
        self._timing, gst = timing, timing.gst
        shares = {rate: 100 * (getattr(timing, rate) or 0) for rate in RATES}
        self.form.say({"delay": timing.delay, "step": timing.step, "order": timing.order, **shares})
        self.form.say({"gst": -1 if gst is None else gst.at, "before": None if gst is None else gst.before})
        self.check()

    def check(self) -> tuple[Distribution | None, Distribution | None, Stabilisation | None] | None:
        """Return the delay, the step and the stabilisation time in the fields, or ``None`` if one is invalid, with an
        explanation below."""
        found: list[Distribution | None] = []
        for name, field in (
            (tr("Delay"), self.delay), (trc("time for a step", "Step"), self.step), (tr("Delay before it"), self.early)
        ):  # fmt: skip
            text = field.text().strip()
            try:
                found.append(parse(text) if text else None)
            except BadInput as error:
                self._wrong(f"{name}: {error}")
                return None
        delay, step, early = found
        gst = None
        if self.stable.value() >= 0:
            if delay is not None and math.isinf(delay.maximum):
                self._wrong(
                    tr("{delay} has no upper bound; after the global stabilisation time one is needed.", delay=delay)
                )
                return None
            gst = Stabilisation(self.stable.value(), early or parse(_EARLY))
        self.early.setEnabled(gst is not None)
        self.problem.hide()
        self.explained.setVisible(delay is not None)
        if delay is not None:
            self.explained.setText(law_explained(delay))
        return delay, step, gst

    def _wrong(self, why: str) -> None:
        """Explain what is wrong."""
        self.problem.setText(why)
        self.problem.show()
        self.explained.hide()

    def commit(self) -> None:
        """Emit the timing in the fields if it is valid and has changed."""
        laws = self.check()
        if laws is None:
            return
        shares = {rate: box.value() / 100 for rate, box in self.rates.items()}
        rates: dict[str, Any] = {rate: share if share > 0 else None for rate, share in shares.items()}
        timing = replace(self._timing, delay=laws[0], step=laws[1], order=self.order.currentData(), gst=laws[2],
                         **rates)  # fmt: skip
        if timing != self._timing:
            self._timing = timing
            self.changed.emit(timing)

    def _law(self, index: int) -> None:
        if index > 0:
            self.delay.setText(self.laws.itemText(index))
            self.laws.setCurrentIndex(0)
            self.commit()
