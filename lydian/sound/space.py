"""Where a tone is heard: louder when near, first and louder in the ear that is turned towards it.

Positions are (x, y, z) in the units of the network: x to the right, y down the screen and z into it, so that a position
of the plane is (x, y, 0). A listener has a position, a direction and a measure, so that a view of the plane and one of
space use the same rules:

* The delay between the ears is that of a spherical head (Woodworth, "Experimental Psychology", 1938): a (θ + sin θ) / c
  for a radius a and a speed of sound c, where θ is the angle between the source and the middle of the head.
* The head shadows high tones in the far ear; this is a low-pass filter whose limit falls with the angle.
* The amplitude falls with the distance, as 1 / (1 + distance / measure).
* Behind the listener, everything is duller and a little softer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lydian.sound.voices import RATE, Samples

__all__ = ["Ears", "Listener", "Point", "in_space"]

Point = tuple[float, float, float]

#: The radius of the head in metres and the speed of sound in metres per second.
HEAD, SPEED = 0.0875, 343.0
#: The limits in hertz above which the far ear hears less, from the front and from the side, and those behind.
_FRONT, _SIDE, _BEHIND = 14_000.0, 1_200.0, 3_000.0
#: The number of samples of a filter, after which nothing audible remains.
_TAPS = 48


@dataclass(frozen=True)
class Ears:
    """How a position is heard: the angle to the right (from -π/2 to π/2), whether it is behind, and the amplitude."""

    angle: float
    behind: bool
    loud: float

    @property
    def delay(self) -> float:
        """How much later the left ear hears it than the right one, in seconds; negative on the left."""
        return HEAD / SPEED * (self.angle + math.sin(self.angle))

    @property
    def gains(self) -> tuple[float, float]:
        """The amplitudes in the left and the right ear, whose power is that of ``loud`` in both."""
        side = math.sin(self.angle)
        left, right = 1 - 0.62 * max(side, 0.0), 1 - 0.62 * max(-side, 0.0)
        scale = self.loud * math.sqrt(2 / (left * left + right * right)) * (0.8 if self.behind else 1.0)
        return left * scale, right * scale


@dataclass(frozen=True)
class Listener:
    """Someone who hears a run: where, looking which way, and the distance at which everything is half as loud."""

    position: Point
    facing: Point
    up: Point
    measure: float

    @classmethod
    def before(cls, left: float, top: float, width: float, height: float) -> Listener:
        """Return a listener in front of a rectangle of the plane, as somebody sits in front of a screen."""
        wide = max(width, height, 1e-9)
        place = (left + width / 2, top + height / 2, -0.5 * wide)
        return cls(place, (0.0, 0.0, 1.0), (0.0, -1.0, 0.0), wide)

    @classmethod
    def within(cls, x: float, y: float, measure: float) -> Listener:
        """Return a listener at a position of the plane, who looks up the screen."""
        return cls((x, y, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), max(measure, 1e-9))

    def hears(self, point: Point | None) -> Ears:
        """Return how a position is heard; ``None`` is in the middle and near, wherever the listener is."""
        if point is None:
            return Ears(0.0, False, 1.0)
        way = np.subtract(point, self.position)
        distance = float(np.linalg.norm(way))
        loud = 1 / (1 + distance / self.measure)
        if distance < 1e-9 * self.measure:
            return Ears(0.0, False, loud)
        facing = np.asarray(self.facing, dtype=float)
        right = np.cross(facing, np.asarray(self.up, dtype=float))
        side = float(way @ right) / (distance * max(float(np.linalg.norm(right)), 1e-12))
        ahead = float(way @ facing) / distance
        return Ears(math.asin(min(max(side, -1.0), 1.0)), ahead < -1e-6, loud)

    def direction(self, point: Point) -> float:
        """Return the direction of a position in degrees clockwise from straight ahead, from 0 to 360."""
        way, facing = np.subtract(point, self.position), np.asarray(self.facing, dtype=float)
        right = np.cross(facing, np.asarray(self.up, dtype=float))
        return math.degrees(math.atan2(float(way @ right), float(way @ facing))) % 360.0


def in_space(mono: Samples, ears: Ears) -> Samples:
    """Return a tone as heard by two ears, (samples, 2): left and right."""
    late = min(round(abs(ears.delay) * RATE), _TAPS)
    near = _filtered(mono, _BEHIND) if ears.behind else mono
    side = abs(math.sin(ears.angle))
    far = near if side < 0.02 else _filtered(near, _FRONT * (_SIDE / _FRONT) ** side)
    found = np.zeros((len(mono) + late, 2), dtype=np.float32)
    left, right = ears.gains
    of_left, of_right = (far, near) if ears.angle > 0 else (near, far)
    from_left, from_right = (late, 0) if ears.angle > 0 else (0, late)
    found[from_left : from_left + len(mono), 0] = of_left * np.float32(left)
    found[from_right : from_right + len(mono), 1] = of_right * np.float32(right)
    return found


def _filtered(mono: Samples, limit: float) -> Samples:
    """Return a tone through a low-pass filter of the first order."""
    found = np.convolve(mono, _kernel(round(limit, -2)))[: len(mono)]
    return found.astype(np.float32)


@lru_cache(maxsize=256)
def _kernel(limit: float) -> NDArray[np.float32]:
    """Return the response of the filter to one sample, cut off where nothing audible remains; its sum is 1."""
    keep = math.exp(-2 * math.pi * limit / RATE)
    taps = keep ** np.arange(_TAPS)
    kernel: NDArray[np.float32] = (taps / taps.sum()).astype(np.float32)
    return kernel
