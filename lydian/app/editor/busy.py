"""A line about long work: what it is, how far it is, and a button that stops it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

__all__ = ["Busy"]


class Busy(QWidget):
    """Hidden unless there is work under way."""

    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLabel()
        self.words.setObjectName("explained")
        self.words.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setObjectName("thinBar")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setRange(0, 100)
        self.stop = QPushButton("Stop")
        self.stop.setObjectName("offer")
        self.stop.clicked.connect(self.stopped)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.words, 1)
        row.addWidget(self.stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.bar)
        self.hide()

    def begin(self, words: str, *, share: bool = True) -> None:
        """Show it; ``share``: whether the work says how far it is."""
        self.words.setText(words)
        self.bar.setAccessibleName(words)
        self.stop.setAccessibleName(f"Stop: {words}")
        self.bar.setValue(0)
        self.bar.setVisible(share)
        self.show()

    def say(self, share: float) -> None:
        self.bar.setValue(int(100 * share))

    def end(self) -> None:
        self.hide()
