"""Selection by a rubber band or a loop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.app.network.board.board import Chosen
from lydian.app.network.gestures.base import Gesture, Overlay, Touch
from lydian.views.network.drawing import contained

__all__ = ["Band", "Lasso"]

#: The loop consists of straight lines between points at least this many pixels apart.
STEP = 4.0


class Band(Gesture):
    """A gesture that selects the processes in a rectangle and the links between them; Shift or Ctrl adds them."""

    def start(self, touch: Touch) -> None:
        self._begin = touch
        self.move(touch)

    def move(self, touch: Touch) -> None:
        left, right = sorted((self._begin.x, touch.x))
        top, bottom = sorted((self._begin.y, touch.y))
        points = self.board.network.coordinates
        x, y = points[:, 0], points[:, 1]
        names, links = self._caught((x >= left) & (x <= right) & (y >= top) & (y <= bottom))
        self.overlay = Overlay(band=(left, top, right, bottom), caught=names, caught_links=links)

    def finish(self, touch: Touch) -> None:
        self.move(touch)
        chosen = Chosen(self.overlay.caught, self.overlay.caught_links)
        self.board.choose(chosen, add=self._begin.shift or self._begin.ctrl)

    def _caught(self, inside: NDArray[np.bool_]) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        network = self.board.network
        names = frozenset(network.processes[i] for i in np.flatnonzero(inside).tolist())
        ends = network.ends
        both = np.flatnonzero(inside[ends[:, 0]] & inside[ends[:, 1]]).tolist() if len(ends) else []
        return names, frozenset((network.links[i].a, network.links[i].b) for i in both)


class Lasso(Band):
    """A gesture that selects the processes in a loop and the links between them; Shift or Ctrl adds them."""

    cursor = "cross"

    def start(self, touch: Touch) -> None:
        self._corners = [(touch.x, touch.y)]
        super().start(touch)

    def move(self, touch: Touch) -> None:
        x, y = self._corners[-1]
        if np.hypot(touch.x - x, touch.y - y) * self.surface.scale >= STEP:
            self._corners.append((touch.x, touch.y))
        names, links = self._caught(contained(self.board.network.coordinates, np.array(self._corners)))
        self.overlay = Overlay(lasso=tuple(self._corners), caught=names, caught_links=links)
