"""The popup of the card Daemon: which processes act in a step, how long a step takes, and the initial configuration."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from lydian.app.kit.form import BoundForm, choice, number, whole
from lydian.app.kit.layout import across, fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_up
from lydian.language import tr, translated, trc, trn
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.daemon import DAEMONS, Daemon, Start
from lydian.views.playback.interfering import outline_from

__all__ = ["NAMES", "DaemonPopup", "card_text", "has_rules"]

#: Kind of daemon -> its name.
NAMES = {
    "central": trc("daemon", "central"),
    "round-robin": trc("daemon", "round-robin"),
    "distributed": trc("daemon", "distributed"),
    "synchronous": trc("daemon", "synchronous"),
    "adversarial": trc("daemon", "adversarial"),
    "user": trc("daemon", "user"),
}


def has_rules(source: str) -> bool:
    """Return whether a protocol's text has guarded actions; the text is parsed, never run."""
    found = outline_from(source)
    return found is not None and bool(found.rules)


def card_text(daemon: Daemon, start: Start) -> tuple[str, str]:
    """Return the value and the remark of the card."""
    title = NAMES[daemon.kind][:1].upper() + NAMES[daemon.kind][1:]
    if start.any:
        begins = tr("arbitrary start")
    elif start.processes:
        count = len(start.processes)
        begins = trn("{count:,} process begins differently", "{count:,} processes begin differently", count)
    else:
        begins = translated(DAEMONS[daemon.kind])
    return title, begins


class DaemonPopup(Popup):
    """The popup for the daemon of an experiment and its start. Invalid distributions are explained and not used."""

    #: The new daemon and start.
    changed = Signal(object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._daemon, self._start = Daemon(), Start()
        self.form = form = BoundForm(lambda _key: self.commit(), lambda _key: self._check())
        self.kind = form.add(
            "kind", tr("Daemon"), choice(*((NAMES[kind], kind) for kind in DAEMONS)), terms=("daemon",)
        )
        self.share = form.add("p", tr("Each with probability"), number(0.01, 1.0, step=0.1))
        self.step = form.add("step", tr("Duration of a step"), QLineEdit(), live=False)
        begins = choice((tr("as defined by the protocol"), False), (tr("arbitrary: any states, any values"), True))
        self.begins = form.bind("any", begins, name=tr("Initial configuration"), terms=("configuration",))
        self.draw = form.bind(
            "seed", whole(0, 9999, before=f"{tr('no.')} "), name=tr("Seed of the initial configuration"),
            tip=tr("Each number gives another initial configuration"),
        )  # fmt: skip
        form.row("begins", tr("Begins"), across((self.begins, 1), self.draw))
        self.own = set_up(
            QPushButton(), look="offer", name=tr("Begin as defined by the protocol"),
            clicked=lambda _on: self._forget(),
        )  # fmt: skip
        self.explained = set_up(QLabel(), look="explained", wraps=True)
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        form.rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.rows.setVerticalSpacing(6)
        fill(self.column, self.explained, form.rows, self.problem, (self.own, Qt.AlignmentFlag.AlignLeft))

    def open(self, below: QWidget, daemon: Daemon, start: Start) -> None:
        """Show a daemon and a start."""
        self._daemon, self._start = daemon, start
        self.form.say({"kind": daemon.kind, "p": daemon.p, "step": daemon.step, "any": start.any, "seed": start.seed})
        self._fill()
        self.open_below(below, 380)
        self.kind.setFocus()

    def _fill(self) -> None:
        """Show only the fields that matter for this daemon and this start."""
        processes = translated(DAEMONS[self._daemon.kind])
        self.explained.setText(tr("In each step: {processes}.", processes=processes))
        self.form.show(p=self._daemon.kind == "distributed")
        self.draw.setVisible(self._start.any)
        count = len(self._start.processes)
        self.own.setText(
            trn(
                "Remove the initial values of {count:,} process",
                "Remove the initial values of {count:,} processes",
                count,
            )
        )
        self.own.setVisible(count > 0)
        self.problem.hide()
        self.adjustSize()

    def _check(self) -> Daemon | None:
        """Return the daemon of the fields, or ``None`` if it is invalid, with an explanation below."""
        try:
            shown = round(self.share.value(), 2)
            p = self._daemon.p if shown == round(self._daemon.p, 2) else shown  # the file may contain more digits
            found = Daemon(self.kind.currentData(), parse(self.step.text().strip() or "1"), p)
        except BadInput as error:
            self.problem.setText(tr("Duration of a step: {reason}", reason=error.what))
            self.problem.show()
            self.adjustSize()
            return None
        self.problem.hide()
        return found

    def commit(self) -> None:
        """Emit the daemon and the start in the fields if they are valid and have changed."""
        daemon = self._check()
        if daemon is None:
            return
        anywhere = bool(self.begins.currentData())
        start = replace(self._start, any=anywhere, seed=self.draw.value() if anywhere else self._start.seed)
        self._tell(daemon, start)

    def _forget(self) -> None:
        self._tell(self._daemon, replace(self._start, processes={}))

    def _tell(self, daemon: Daemon, start: Start) -> None:
        if (daemon, start) != (self._daemon, self._start):
            self._daemon, self._start = daemon, start
            self._fill()
            self.changed.emit(daemon, start)
