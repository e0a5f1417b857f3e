"""A distribution: ``triangular(low, peak, high)``."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lydian.model.delays import Argument, Distribution
from lydian.model.errors import BadInput


@dataclass(frozen=True)
class Triangular(Distribution):
    """Delays between two times, most of them near a third time."""

    kind = "triangular"
    sentence = "Between two times, most often near a third"
    arguments = (
        Argument("low", "Shortest", 0.5),
        Argument("peak", "Most often", 0.8),
        Argument("high", "Longest", 2.0, open=True),
    )
    named = False
    low: float
    peak: float
    high: float

    def __post_init__(self):
        super().__post_init__()
        if not self.low <= self.peak <= self.high or self.low == self.high:
            raise BadInput("triangular needs low <= peak <= high, and low < high")

    @property
    def mean(self):
        return (self.low + self.peak + self.high) / 3

    @property
    def sd(self):
        a, b, c = self.low, self.peak, self.high
        return math.sqrt((a * a + b * b + c * c - a * b - a * c - b * c) / 18)

    def density(self, x):
        height = 2 / (self.high - self.low)
        return np.interp(x, (self.low, self.peak, self.high), (0, height, 0), left=0, right=0)

    def cdf(self, x):
        x = np.clip(x, self.low, self.high)
        width = self.high - self.low
        rising = (x - self.low) ** 2 / (width * max(self.peak - self.low, 1e-300))
        falling = 1 - (self.high - x) ** 2 / (width * max(self.high - self.peak, 1e-300))
        return np.where(x < self.peak, rising, falling)
