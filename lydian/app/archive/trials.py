"""The experiments of a protocol: what each shows, and what the broken ones break."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from lydian.app.look.theme import Theme
from lydian.model.catalogue import Entry, Trial

__all__ = ["TrialList"]


class TrialRow(QFrame):
    """An experiment: its name, its network, what it shows, a button that opens it."""

    def __init__(self, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trial = trial
        self.setObjectName("trialRow")
        self.setProperty("broken", trial.broken)
        name = QLabel(trial.name)
        name.setObjectName("trialName")
        where = QLabel(f"on {trial.network}")
        where.setObjectName("explained")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(name)
        if trial.broken:
            sign = QLabel("breaks")
            sign.setObjectName("breaksChip")
            head.addWidget(sign)
        head.addWidget(where, 1)
        about = QLabel(trial.about or "It says nothing about itself.")
        about.setWordWrap(True)
        about.setTextFormat(Qt.TextFormat.PlainText)
        about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.button = QPushButton("Open")
        self.button.setObjectName("compact")
        self.button.setAccessibleName(f"Open {trial.name}" + (", which breaks something" if trial.broken else ""))
        self.button.setToolTip(f"Run {trial.name} and watch it")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addLayout(head)
        words.addWidget(about)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 10, 8)
        row.setSpacing(12)
        row.addLayout(words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)


class TrialList(QScrollArea):
    """The rows, those that break something last."""

    #: Name of the experiment that is to be run and watched.
    wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Experiments of this protocol")
        self.rows: list[TrialRow] = []
        self._shown: tuple[Trial, ...] | None = None

    def fill(self, entry: Entry) -> None:
        """Show the experiments of a protocol."""
        if self._shown == entry.experiments and self.rows:
            return
        self._shown = entry.experiments
        inside = QWidget()
        inside.setObjectName("panel")
        column = QVBoxLayout(inside)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(6)
        self.rows = [TrialRow(trial) for trial in entry.experiments]
        for row in self.rows:
            row.button.clicked.connect(lambda _checked=False, name=row.trial.name: self.wanted.emit(name))
            column.addWidget(row)
        if not self.rows:
            empty = QLabel(
                "No experiment of the archive is about this protocol yet. Open runs it on a network that suits it;"
                " what you save in your folder of experiments appears here."
            )
            empty.setObjectName("explained")
            empty.setWordWrap(True)
            column.addWidget(empty)
        column.addStretch(1)
        self.setWidget(inside)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as its words are at this width: a layout asks for what they would need at the least width."""
        inside = self.widget()
        column = None if inside is None else inside.layout()
        if inside is not None and column is not None:
            inside.setMinimumHeight(max(column.heightForWidth(self.viewport().width()), 1))
