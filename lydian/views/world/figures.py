"""The other people in the world: where each stands, and where they look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["SIZE", "TINTS", "Figure", "figures_of"]

#: The height of a person in units of space, and the number of colours in which people are told apart.
SIZE, TINTS = 0.11, 6


@dataclass(frozen=True)
class Figure:
    """Somebody else in the world.

    Attributes:
        name: what the person is called.
        tint: the number of their colour, from 0 to :data:`TINTS` - 1.
        at: x, y and z of their eyes.
        yaw: the direction in which they look, as in :class:`~lydian.views.world.camera.Camera`.
    """

    name: str
    tint: int
    at: tuple[float, float, float]
    yaw: float


def figures_of(people: Iterable[Mapping[str, Any]], me: int) -> tuple[Figure, ...]:
    """Return the figures of the people in a frame ``figures`` of a class, without the person ``me``."""
    found = []
    for each in people:
        if each["person"] != me:
            x, y, z = (float(part) for part in each["at"])
            found.append(Figure(str(each["name"]), int(each["person"]) % TINTS, (x, y, z), float(each["look"][0])))
    return tuple(found)
