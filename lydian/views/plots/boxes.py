"""Rectangles and labels of a plot, and labels that avoid each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Box", "Label", "Measure", "elided", "spread_apart"]

#: A function for the width and height of a text in a font role.
Measure = Callable[[str, str], tuple[float, float]]


@dataclass(frozen=True)
class Box:
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.h

    def meets(self, other: Box, room: float = 0.0) -> bool:
        """Return whether two rectangles overlap, or are nearer than ``room`` to each other."""
        return (
            self.x < other.right + room and other.x < self.right + room
            and self.y < other.bottom + room and other.y < self.bottom + room
        )  # fmt: skip


@dataclass(frozen=True)
class Label:
    """A label: its box, its text, its font role, its colour in the tokens, and the look of its key or -1."""

    box: Box
    text: str
    role: str = "small"
    color: str = "text.secondary"
    look: int = -1
    strong: bool = False


def spread_apart(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Return positions close to the wanted ones, at least ``least`` apart, between ``low`` and ``high``, in the same
    order.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    least = min(least, (high - low) / max(len(wanted) - 1, 1))
    groups: list[list[float]] = []  # The pairs are middle and size.
    for i in order:
        groups.append([min(max(wanted[i], low), high), 1])
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < (groups[-1][1] + groups[-2][1]) / 2 * least - 1e-9:
            middle, size = groups.pop()
            before = groups[-1]
            both = before[1] + size
            reach = (both - 1) / 2 * least
            mean = (before[0] * before[1] + middle * size) / both
            groups[-1] = [min(max(mean, low + reach), max(high - reach, low + reach)), both]
    placed = [middle + (j - (size - 1) / 2) * least for middle, size in groups for j in range(int(size))]
    found = [0.0] * len(wanted)
    for i, at in zip(order, placed, strict=True):
        found[i] = at
    return found


def elided(text: str, room: float, measure: Measure) -> str:
    """Return the text, or the part of its beginning that fits."""
    if measure(text, "small")[0] <= room:
        return text
    while len(text) > 1 and measure(text + "…", "small")[0] > room:
        text = text[:-1]
    return text + "…"
