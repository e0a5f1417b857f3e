"""The Arrange pane: six layouts, each turned to be as close as possible to the current drawing."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QPushButton, QWidget

from lydian.app.kit.fields import heading
from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_up
from lydian.app.network.board.board import Board
from lydian.app.network.busy import Busy
from lydian.app.work.background import Background
from lydian.language import tr, trc, trn
from lydian.model.editing.processes import move
from lydian.model.layouts import rearranged
from lydian.model.network import Network

__all__ = ["LAYOUTS", "ArrangePane"]

#: Layout -> title, description.
LAYOUTS = {
    "spring": (
        trc("layout of a network", "Spring"),
        tr("Links attract and processes repel each other, so that links have similar lengths"),
    ),
    "circle": (
        trc("layout of a network", "Circle"),
        tr("All processes on one circle, in the order of the table"),
    ),
    "layers": (trc("layout of a network", "Layers"), tr("Rows by distance from the initiators")),
    "grid": (trc("layout of a network", "Grid"), tr("Rows and columns, in the order of the table")),
    "radial": (trc("layout of a network", "Radial"), tr("Rings by distance from the initiators")),
    "stress": (
        trc("layout of a network", "Stress"),
        tr("Distances in the drawing are proportional to distances in the network"),
    ),
}
#: Layout -> its name after a colon.
_NAMES = {
    "spring": trc("layout of a network", "spring"),
    "circle": trc("layout of a network", "circle"),
    "layers": trc("layout of a network", "layers"),
    "grid": trc("layout of a network", "grid"),
    "radial": trc("layout of a network", "radial"),
    "stress": trc("layout of a network", "stress"),
}
#: The largest number of processes that are laid out at once; more are laid out in a thread.
QUICK = 100

#: Distances below this do not count as a move.
NEAR = 0.25

Points = dict[str, tuple[float, float]]


class ArrangePane(QWidget):
    """The pane that lays out the processes, or the selected ones if there are several, as one step of the history."""

    #: Emitted just before processes move, with their new places by name, so that the drawing can glide.
    arranged = Signal(object)
    #: Emitted when all processes have moved, so that the view can fit the drawing.
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
            name = tr("Arrange: {layout}", layout=title)
            button = self.buttons[kind] = set_up(QPushButton(title), look="compact", name=name, tip=tip)
            button.setMinimumWidth(40)
            grid.addWidget(button, number // 3, number % 3)
            button.clicked.connect(lambda _checked=False, kind=kind: self.arrange(kind))
        self.snap, self.guides = QCheckBox(tr("Snap to grid")), QCheckBox(tr("Guides"))
        self.snap.setToolTip(tr("Snap moved processes to a grid; hold Alt while dragging to ignore it"))
        self.guides.setToolTip(tr("Align moved processes with others; hold Alt while dragging to ignore them"))
        for box in (self.snap, self.guides):
            box.setChecked(True)
        self.title, options = heading(tr("Arrange")), FlowRow(gap=8)
        options.addWidget(self.snap)
        options.addWidget(self.guides)
        down(self.title, grid, self.busy, options, on=self, spacing=6)
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
        """The selected processes, if two or more but not all are selected; only these will be arranged."""
        chosen = self.board.chosen.processes
        return chosen if 1 < len(chosen) < self.board.network.n else frozenset()

    def arrange(self, kind: str) -> None:
        """Lay out the processes, at once or in a thread; cancel another layout in progress."""
        self.work.cancel()
        network = self.board.network
        if network.n < 2:
            return
        self._kind, self._chosen, self._begun = kind, self.only, network
        only, size = self._chosen, len(self._chosen) or network.n
        if size <= QUICK:
            self._made(rearranged(network, kind, only))
            return
        self.busy.begin(trn("Arranging {count:,} process ...", "Arranging {count:,} processes ...", size))
        self.work.start(lambda report: rearranged(network, kind, only, report))

    def stop(self) -> None:
        """Cancel the layout; no process moves."""
        self._begun = None
        self.work.cancel()

    def _made(self, positions: Points) -> None:
        self._begun = None
        now = self.board.network
        was = now.coordinates[[now.index[name] for name in positions]]
        if (np.abs(was - list(positions.values())) < NEAR).all():
            self.board.said.emit(tr("The drawing already has this layout: {layout}.", layout=_NAMES[self._kind]), False)
            return
        self.arranged.emit(positions)
        text = (
            trn(
                "Arrange {count:,} process: {layout}",
                "Arrange {count:,} processes: {layout}",
                len(self._chosen),
                layout=_NAMES[self._kind],
            )
            if self._chosen
            else tr("Arrange: {layout}", layout=_NAMES[self._kind])
        )
        self.board.do(text, lambda network: move(network, positions))
        if not self._chosen:
            self.fit_wanted.emit()

    def _ended(self) -> None:
        self.busy.end()

    def _changed(self) -> None:
        if self._begun is not None and self.work.busy and self.board.network is not self._begun:
            self.stop()
            self.board.said.emit(tr("The layout was cancelled because the drawing changed."), False)
        self._fill()

    def _fill(self) -> None:
        for button in self.buttons.values():
            button.setEnabled(self.board.network.n > 1)
        self.title.setText(
            trn("Arrange {count:,} selected process", "Arrange {count:,} selected processes", len(self.only))
            if self.only
            else tr("Arrange")
        )

    def close_all(self) -> None:
        """End the thread."""
        self.work.close()
