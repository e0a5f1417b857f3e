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
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.daemon import DAEMONS, Daemon, Start
from lydian.views.playback.interfering import outline_from
from lydian.views.words.words import plural

__all__ = ["DaemonPopup", "card_text", "has_rules"]


def has_rules(source: str) -> bool:
    """Return whether a protocol's text has guarded actions; the text is parsed, never run."""
    found = outline_from(source)
    return found is not None and bool(found.rules)


def card_text(daemon: Daemon, start: Start) -> tuple[str, str]:
    """Return the value and the remark of the card."""
    title = daemon.kind.capitalize()
    if start.any:
        begins = "arbitrary start"
    elif start.processes:
        begins = f"{plural(len(start.processes), 'process', 'processes')} begin{_s(len(start.processes))} differently"
    else:
        begins = DAEMONS[daemon.kind]
    return title, begins


def _s(count: int) -> str:
    return "s" if count == 1 else ""


class DaemonPopup(Popup):
    """The popup for the daemon of an experiment and its start. Invalid distributions are explained and not used."""

    #: The new daemon and start.
    changed = Signal(object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._daemon, self._start = Daemon(), Start()
        self.form = form = BoundForm(lambda _key: self.commit(), lambda _key: self._check())
        self.kind = form.add("kind", "Daemon", choice(*((name, name) for name in DAEMONS)), terms=("daemon",))
        self.share = form.add("p", "Each with probability", number(0.01, 1.0, step=0.1))
        self.step = form.add("step", "Duration of a step", QLineEdit(), live=False)
        begins = choice(("as defined by the protocol", False), ("arbitrary: any states, any values", True))
        self.begins = form.bind("any", begins, name="Initial configuration", terms=("configuration",))
        self.draw = form.bind(
            "seed", whole(0, 9999, before="no. "), name="Seed of the initial configuration",
            tip="Each number gives another initial configuration",
        )  # fmt: skip
        form.row("begins", "Begins", across((self.begins, 1), self.draw))
        self.own = set_up(
            QPushButton(), look="offer", name="Begin as defined by the protocol", clicked=lambda _on: self._forget()
        )
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
        moves = DAEMONS[self._daemon.kind]
        self.explained.setText(f"In each step, the daemon chooses {moves}.")
        self.form.show(p=self._daemon.kind == "distributed")
        self.draw.setVisible(self._start.any)
        count = len(self._start.processes)
        self.own.setText(f"Remove the values with which {plural(count, 'process', 'processes')} begin{_s(count)}")
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
            self.problem.setText(f"Duration of a step: {error.what}")
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
