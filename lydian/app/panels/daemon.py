"""What opens below the card Daemon: who moves in a step, how long a step takes, and where the run begins."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from lydian.app.kit.layout import across
from lydian.app.panels.card import Popup
from lydian.model.daemon import DAEMONS, Daemon, Start
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.views.playback.interfering import outline_from
from lydian.views.words.words import plural

__all__ = ["DaemonPopup", "card_text", "has_rules"]


def has_rules(source: str) -> bool:
    """Whether a protocol's text has guarded actions; it is parsed only, never run."""
    found = outline_from(source)
    return found is not None and bool(found.rules)


def card_text(daemon: Daemon, start: Start) -> tuple[str, str]:
    """Value and remark of the card."""
    title = daemon.kind.capitalize()
    if start.any:
        begins = "begins anywhere"
    elif start.processes:
        begins = f"{plural(len(start.processes), 'process', 'processes')} begin{_s(len(start.processes))} otherwise"
    else:
        begins = DAEMONS[daemon.kind]
    return title, begins


def _s(count: int) -> str:
    return "s" if count == 1 else ""


class DaemonPopup(Popup):
    """The daemon of an experiment and its start.  A text that is no distribution is explained and not taken."""

    #: The daemon and the start as they are now.
    changed = Signal(object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._daemon, self._start = Daemon(), Start()
        self.kind = QComboBox()
        for name in DAEMONS:
            self.kind.addItem(name, name)
        self.share = QDoubleSpinBox()
        self.share.setRange(0.01, 1.0)
        self.share.setSingleStep(0.1)
        self.step = QLineEdit()
        self.begins = QComboBox()
        self.begins.addItem("as the protocol says", False)
        self.begins.addItem("anywhere: any states, any values", True)
        self.draw = QSpinBox()
        self.draw.setRange(0, 9999)
        self.draw.setPrefix("no. ")
        self.draw.setToolTip("Another number is another configuration to begin in")
        self.own = QPushButton()
        self.own.setObjectName("offer")
        self.own.setAccessibleName("Begin as the protocol says")
        self.explained, self.problem = QLabel(), QLabel()
        for label, name in ((self.explained, "explained"), (self.problem, "problem")):
            label.setObjectName(name)
            label.setWordWrap(True)
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.setVerticalSpacing(6)
        anywhere = across((self.begins, 1), self.draw)
        titled = (("Who moves", self.kind), ("Each with probability", self.share), ("A step takes", self.step))
        for title, widget in titled:
            form.addRow(title, widget)
            widget.setAccessibleName(title)
        form.addRow("Begins", anywhere)
        self.begins.setAccessibleName("Where the run begins")
        self.draw.setAccessibleName("Which configuration it begins in")
        self.form = form
        self.column.addWidget(self.explained)
        self.column.addLayout(form)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.own, 0, Qt.AlignmentFlag.AlignLeft)
        self.kind.activated.connect(lambda _index: self.commit())
        self.begins.activated.connect(lambda _index: self.commit())
        self.share.valueChanged.connect(lambda _value: self.commit())
        self.draw.valueChanged.connect(lambda _value: self.commit())
        self.step.textEdited.connect(lambda _text: self._check())
        self.step.editingFinished.connect(self.commit)
        self.own.clicked.connect(self._forget)

    def open(self, below: QWidget, daemon: Daemon, start: Start) -> None:
        """Show a daemon and a start."""
        self._daemon, self._start = daemon, start
        for field in (self.share, self.draw):
            field.blockSignals(True)
        self.kind.setCurrentIndex(self.kind.findData(daemon.kind))
        self.share.setValue(daemon.p)
        self.step.setText(str(daemon.step))
        self.begins.setCurrentIndex(self.begins.findData(start.any))
        self.draw.setValue(start.seed)
        for field in (self.share, self.draw):
            field.blockSignals(False)
        self._fill()
        self.open_below(below, 380)
        self.kind.setFocus()

    def _fill(self) -> None:
        """Only what matters for this daemon and this start is shown."""
        moves = DAEMONS[self._daemon.kind]
        self.explained.setText(f"In each step moves: {moves}.")
        self.form.setRowVisible(self.share, self._daemon.kind == "distributed")
        self.draw.setVisible(self._start.any)
        count = len(self._start.processes)
        self.own.setText(f"Take away the values with which {plural(count, 'process', 'processes')} begin{_s(count)}")
        self.own.setVisible(count > 0)
        self.problem.hide()
        self.adjustSize()

    def _check(self) -> Daemon | None:
        """The daemon of the fields; ``None``, and a sentence below, if there is none."""
        try:
            shown = round(self.share.value(), 2)
            p = self._daemon.p if shown == round(self._daemon.p, 2) else shown  # the file may say more digits
            found = Daemon(self.kind.currentData(), parse(self.step.text().strip() or "1"), p)
        except BadInput as error:
            self.problem.setText(f"A step takes: {error.what}")
            self.problem.show()
            self.adjustSize()
            return None
        self.problem.hide()
        return found

    def commit(self) -> None:
        """Hand on what the fields say, if it can be used and is something new."""
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
