"""What moves by itself on the drawing board: processes that glide to other places, messages on a link."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QVariantAnimation

from lydian.model.editing.links import Pair
from lydian.views.network.drawing import between, travelling

__all__ = ["Glide", "Sending"]

Floats = NDArray[np.float64]

#: A message whose delay is the mean takes so many milliseconds over a link; they leave at so many of these apart.
MEAN_MS, GAP = 1100.0, 0.18
#: Everything that is sent is shown within this time, in milliseconds.
LONGEST_MS = 9000.0


class Glide(QVariantAnimation):
    """Processes on the way from one place to another; where they are is a function of how far it is."""

    def __init__(
        self, before: Floats, after: Floats, milliseconds: int, tell: Callable[[], None], over: QObject
    ) -> None:
        super().__init__(over)
        self.before, self.after = before, after
        self._tell = tell
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(milliseconds)

    def points(self) -> Floats:
        """Where they are now, (n, 2)."""
        value = self.currentValue()
        return between(self.before, self.after, 0.0 if value is None else float(value))

    def updateCurrentValue(self, value: object) -> None:
        self._tell()


class Sending(QVariantAnimation):
    """Messages on the way over a link."""

    def __init__(
        self, pair: Pair, delays: Sequence[float], tell: Callable[[], None], over: QObject, *, steps: bool = False
    ) -> None:
        super().__init__(over)
        self.pair, self.delays, self.steps = pair, [float(delay) for delay in delays], steps
        self._tell = tell
        mean = max(float(np.mean(self.delays)), 1e-9) if self.delays else 1.0
        self.gap = mean * GAP
        end = max((delay + self.gap * i for i, delay in enumerate(self.delays)), default=0.0)
        self.end = end
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(max(1, round(min(end / mean * MEAN_MS, LONGEST_MS))))

    def shares(self) -> Floats:
        """How far the messages under way are."""
        value = self.currentValue()
        found = travelling(self.delays, self.end * (0.0 if value is None else float(value)), self.gap)
        return np.floor(found * 3) / 3 if self.steps else found

    def updateCurrentValue(self, value: object) -> None:
        self._tell()
