"""Arrange: six layouts, turned to lie as near as can be to the drawing as it is; long ones beside the window."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QPushButton, QWidget

from lydian.app.kit.fields import heading
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.app.network.board.board import Board
from lydian.app.network.busy import Busy
from lydian.app.work.background import Background
from lydian.model.editing.processes import move
from lydian.model.layouts import rearranged
from lydian.model.network import Network
from lydian.views.words.words import plural

__all__ = ["LAYOUTS", "ArrangePane"]

#: Layout -> title, what it shows.
LAYOUTS = {
    "spring": ("Spring", "Links pull, processes push: links of even length"),
    "circle": ("Circle", "All on one circle, in the order of the table"),
    "layers": ("Layers", "Rows by the distance from the initiators"),
    "grid": ("Grid", "Rows and columns, in the order of the table"),
    "radial": ("Radial", "Rings by the distance from the initiators"),
    "stress": ("Stress", "Distances in the drawing like distances in links"),
}
#: Up to so many processes a layout is made at once.
QUICK = 100

#: Nobody moves for so little.
NEAR = 0.25

Points = dict[str, tuple[float, float]]


class ArrangePane(QWidget):
    """Gives the processes, or the chosen ones if there are some, new places, as one step of the history."""

    #: Where processes go, by name; told just before the step is done, so that the drawing can glide there.
    arranged = Signal(object)
    #: All have new places: all of the drawing should be seen.
    fit_wanted = Signal()
    snap_changed = Signal(bool)
    guides_changed = Signal(bool)

    def __init__(self, board: Board, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = board
        self.work = Background(self)
        self._kind, self._chosen = "", frozenset[str]()
        self._begun: Network | None = None
        self.busy = Busy()
        self.buttons: dict[str, QPushButton] = {}
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(5)
        for number, (kind, (title, tip)) in enumerate(LAYOUTS.items()):
            button = self.buttons[kind] = set_up(QPushButton(title), look="compact", name=f"Arrange: {title}", tip=tip)
            button.setMinimumWidth(40)
            grid.addWidget(button, number // 3, number % 3)
            button.clicked.connect(lambda _checked=False, kind=kind: self.arrange(kind))
        self.snap, self.guides = QCheckBox("Snap to grid"), QCheckBox("Guides")
        self.snap.setToolTip("What is moved stops on a grid; Alt while dragging: not")
        self.guides.setToolTip("What is moved stops in line with other processes; Alt while dragging: not")
        for box in (self.snap, self.guides):
            box.setChecked(True)
        self.title = heading("Arrange")
        down(self.title, grid, self.busy, across(self.snap, self.guides, ..., spacing=8), on=self, spacing=6)
        self.snap.toggled.connect(self.snap_changed)
        self.guides.toggled.connect(self.guides_changed)
        self.work.progress.connect(self.busy.say)
        self.work.done.connect(self._made)
        self.work.failed.connect(lambda why: board.said.emit(why, True))
        self.work.ended.connect(self._ended)
        self.busy.stopped.connect(self.stop)
        board.changed.connect(self._changed)
        board.chosen_changed.connect(self._fill)
        self._fill()

    @property
    def only(self) -> frozenset[str]:
        """The processes that will be arranged if not all: two or more are chosen."""
        chosen = self.board.chosen.processes
        return chosen if 1 < len(chosen) < self.board.network.n else frozenset()

    def arrange(self, kind: str) -> None:
        """Lay out, at once or beside the window; another layout under way is given up."""
        self.work.cancel()
        network = self.board.network
        if network.n < 2:
            return
        self._kind, self._chosen, self._begun = kind, self.only, network
        only, size = self._chosen, len(self._chosen) or network.n
        if size <= QUICK:
            self._made(rearranged(network, kind, only))
            return
        self.busy.begin(f"Arranging {plural(size, 'process')} ...")
        self.work.start(lambda report: rearranged(network, kind, only, report))

    def stop(self) -> None:
        """Give up; everything stays where it is."""
        self._begun = None
        self.work.cancel()

    def _made(self, positions: Points) -> None:
        self._begun = None
        of = f" {plural(len(self._chosen), 'process')}" if self._chosen else ""
        now = self.board.network
        was = now.coordinates[[now.index[name] for name in positions]]
        if (np.abs(was - list(positions.values())) < NEAR).all():
            self.board.said.emit(f"It is arranged like this already: {LAYOUTS[self._kind][0].lower()}.", False)
            return
        self.arranged.emit(positions)
        self.board.do(f"Arrange{of}: {LAYOUTS[self._kind][0].lower()}", lambda network: move(network, positions))
        if not self._chosen:
            self.fit_wanted.emit()

    def _ended(self) -> None:
        self.busy.end()

    def _changed(self) -> None:
        if self._begun is not None and self.work.busy and self.board.network is not self._begun:
            self.stop()
            self.board.said.emit("The drawing changed, so arranging it was given up.", False)
        self._fill()

    def _fill(self) -> None:
        for button in self.buttons.values():
            button.setEnabled(self.board.network.n > 1)
        self.title.setText(f"Arrange {plural(len(self.only), 'chosen process')}" if self.only else "Arrange")

    def close_all(self) -> None:
        """Leave no thread."""
        self.work.close()
