"""A line about long work: its description, its progress, and a button that stops it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.language import tr

__all__ = ["Busy"]


class Busy(QWidget):
    """The line about work in progress, hidden at other times."""

    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = set_up(QLabel(), look="explained", wraps=True)
        self.bar = QProgressBar()
        self.bar.setObjectName("thinBar")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setRange(0, 100)
        self.stop = set_up(QPushButton(tr("Stop")), look="offer", clicked=self.stopped)
        down(
            across((self.words, 1), self.stop, spacing=6),
            self.bar, on=self, margins=(0, 2, 0, 2), spacing=4,
        )  # fmt: skip
        self.hide()

    def begin(self, words: str, *, share: bool = True) -> None:
        """Show the line; ``share`` is whether the work reports its progress."""
        self.words.setText(words)
        self.bar.setAccessibleName(words)
        self.stop.setAccessibleName(tr("Stop: {work}", work=words))
        self.bar.setValue(0)
        self.bar.setVisible(share)
        self.show()

    def say(self, share: float) -> None:
        self.bar.setValue(int(100 * share))

    def end(self) -> None:
        self.hide()
