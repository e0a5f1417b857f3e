"""The row above the drawing: the display of the links, the check of the protocol, and the Run button."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QPushButton, QWidget

from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up, token
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.chip import Chip
from lydian.app.panels.experiment.card import Parts
from lydian.language import tr, trc
from lydian.views.network.drawing import SHORTLY
from lydian.views.words.words import joined, plural

__all__ = ["SHOW", "TopRow", "summary"]

#: Property that links can show -> its words in the list.
SHOW = SHORTLY
#: With more processes than this, the diameter is not computed at every edit.
MOST = 300


def summary(board: Board) -> str:
    """Return the size of the network in words: "14 processes, 20 links, diameter 5"."""
    network = board.network
    words = [plural(network.n, "process"), plural(network.m, "link")]
    if 1 < network.n <= MOST and network.connected:
        words.append(tr("diameter {diameter}", diameter=network.diameter))
    chosen = [plural(len(some), noun) for some, noun in
              ((board.chosen.processes, "process"), (board.chosen.links, "link")) if some]  # fmt: skip
    return ", ".join(words) + (tr("  ·  {selection} selected", selection=joined(chosen)) if chosen else "")


class TopRow(QFrame):
    """The row with the network's name and size, the display of the links, the chip and the Run button."""

    run_wanted = Signal()

    def __init__(self, board: Board, canvas: Any, chip: Chip, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dockTitle")
        self.board, self.canvas, self.chip = board, canvas, chip
        self.title = QLabel()
        self.title.setObjectName("dockName")
        self.numbers = set_up(Parts(), look="dockNote")
        self.show_label = QLabel(trc("before a list of properties of links", "Show"))
        self.show_label.setObjectName("hint")
        self.shown = set_up(QComboBox(), name=tr("Property shown on the links"), tip=tr("Property shown on the links"))
        for key, words in SHOW.items():
            self.shown.addItem(words, key)
        self.show_label.setBuddy(self.shown)
        self.shown.currentIndexChanged.connect(self._choose)
        self.run = set_up(
            QPushButton(tr("Run on this network  F5")), look="runButton", name=tr("Run on this network"),
            tip=tr("Run the protocol on this network (F5)"), clicked=self.run_wanted,
        )  # fmt: skip
        across(
            self.title, (self.numbers, 1),
            *((widget, Qt.AlignmentFlag.AlignVCenter) for widget in (self.show_label, self.shown, chip, self.run)),
            on=self, margins=(12, 5, 8, 5), spacing=8,
        )  # fmt: skip
        for signal in (board.changed, board.chosen_changed, board.opened):
            signal.connect(self._say)
        chip.changed.connect(self._able)
        set_look(self.title, theme, font="body semibold")
        set_look(self.run, theme, icon="play", ink="text.onAccent", height=token("space.toolButton"))
        self._say()

    def _choose(self) -> None:
        self.canvas.show_on_links(str(self.shown.currentData()))

    def _say(self) -> None:
        star = " •" if self.board.document.modified else ""
        self.title.setText(f"{self.board.network.name}{star}")
        self.title.setToolTip(tr("Changed since the network was opened or saved") if star else "")
        self.numbers.say(summary(self.board))

    def _able(self) -> None:
        self.run.setEnabled(self.board.network.n > 0)
