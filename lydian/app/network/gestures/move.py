"""The gestures that move processes and the view."""

from __future__ import annotations

import numpy as np

from lydian.app.network.gestures.base import Gesture, Overlay, Surface, Touch, snap
from lydian.language import trn
from lydian.model.editing.processes import move

__all__ = ["Move", "Pan"]


class Move(Gesture):
    """A gesture that drags a process and all selected ones; the process snaps and the others move along with it.

    Args:
        name: the process under the pointer.
    """

    cursor = "move"

    def __init__(self, surface: Surface, name: str) -> None:
        super().__init__(surface)
        self.name = name
        self._names: list[str] = []
        self._delta = (0.0, 0.0)

    def start(self, touch: Touch) -> None:
        board = self.board
        if self.name not in board.chosen.processes:
            board.choose_processes([self.name])
        network = board.network
        self._names = board.chosen_processes()
        numbers = [network.index[name] for name in self._names]
        self._moving = np.zeros(network.n, dtype=np.bool_)
        self._moving[numbers] = True
        self._from = network.coordinates[numbers]
        self._anchor = network.coordinates[network.index[self.name]]
        self._begin = touch
        self.move(touch)

    def move(self, touch: Touch) -> None:
        x, y = self._anchor.tolist()
        place = snap(self.surface, touch, x + touch.x - self._begin.x, y + touch.y - self._begin.y, self._moving)
        self._delta = (place.x - x, place.y - y)
        self.overlay = Overlay(moving=self._moving, points=self._from + self._delta, guides=place.guides)

    def finish(self, touch: Touch) -> None:
        self.move(touch)
        if self._delta == (0.0, 0.0):
            return
        positions = dict(zip(self._names, map(tuple, (self._from + self._delta).tolist()), strict=True))
        text = trn("Move process {process}", "Move {count:,} processes", len(positions), process=self.name)
        self.board.do(text, lambda network: move(network, positions))


class Pan(Gesture):
    """A gesture that drags the view."""

    cursor = "hand"

    def start(self, touch: Touch) -> None:
        self._begin = self._last = touch

    def move(self, touch: Touch) -> None:
        self.surface.pan_by(touch.sx - self._last.sx, touch.sy - self._last.sy)
        self._last = touch

    def cancel(self) -> None:
        self.surface.pan_by(self._begin.sx - self._last.sx, self._begin.sy - self._last.sy)
        self._last = self._begin
