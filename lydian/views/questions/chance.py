"""Random choices that are the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lydian.model.streams import stream_key, uniforms_at

__all__ = ["Chance"]

T = TypeVar("T")


class Chance:
    """A random stream: the same seed and names give the same choices."""

    def __init__(self, seed: int, *names: str) -> None:
        self._key = np.array([stream_key(seed, "question", *names)], dtype=np.uint64)
        self._drawn = 0

    def below(self, count: int) -> int:
        """Return a number from 0 to ``count`` - 1."""
        self._drawn += 1
        return int(uniforms_at(self._key, np.array([self._drawn], dtype=np.uint64))[0] * count)

    def coin(self) -> bool:
        """Return True in half of all cases."""
        return self.below(2) == 0

    def pick(self, things: Sequence[T] | NDArray[Any]) -> Any:
        """Return one of the things; there must be one."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return the things in a random order."""
        left, found = list(things), []
        while left:
            found.append(left.pop(self.below(len(left))))
        return found

    def some(self, things: Sequence[T], count: int) -> list[T]:
        """Return at most ``count`` of the things, in a random order."""
        return self.shuffled(things)[:count]
