"""The stars of a user: for each goal the most that were earned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from lydian.model.goal.goal import MOST_STARS

__all__ = ["HINTS", "Stars"]

#: The levels of hints; each level that was used costs a star.
HINTS = ("none", "possible", "far")
_KEY = "goals"


class Records(Protocol):
    """A store of tables by name."""

    def record(self, key: str) -> dict[str, Any]: ...

    def set_record(self, key: str, record: dict[str, Any]) -> None: ...


class Stars:
    """The stars, which are kept in the settings."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def of(self, name: str) -> int:
        """Return the stars of a goal; 0 if it has not been reached."""
        stars = self._records.record(_KEY).get(name, 0)
        return min(max(stars, 0), MOST_STARS) if isinstance(stars, int) else 0

    def sum(self, names: Iterable[str]) -> int:
        """Return the stars of several goals together."""
        return sum(map(self.of, names))

    def earn(self, name: str, hints: str) -> int:
        """Record that a goal was reached with this level of hints; return the stars for that."""
        stars = MOST_STARS - HINTS.index(hints)
        if stars > self.of(name):
            self._records.set_record(_KEY, {**self._records.record(_KEY), name: stars})
        return stars
