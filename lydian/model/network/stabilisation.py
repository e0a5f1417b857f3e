"""The global stabilisation time (GST), from which on the delays of a partially synchronous system are bounded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.model.delays import Distribution, parse
from lydian.model.errors import BadInput, shown
from lydian.model.reading import Table

__all__ = ["Stabilisation"]

_KEYS = ("at", "before", "after")


@dataclass(frozen=True)
class Stabilisation:
    """A global stabilisation time, as in Dwork, Lynch and Stockmeyer (1988).

    A message that is sent before this time may take any time, but arrives within the bound after it. No process knows
    this time.

    Args:
        at: the global stabilisation time.
        before: the delay of a message that is sent before it.
        after: the delay of a message that is sent after it; it must have an upper bound. ``None``: the delay of its
            link.
    """

    at: float
    before: Distribution
    after: Distribution | None = None

    def __post_init__(self) -> None:
        number = isinstance(self.at, int | float) and not isinstance(self.at, bool)
        if not (number and math.isfinite(self.at) and self.at >= 0):
            raise BadInput(f"must be a finite time that is not negative, not {shown(self.at)}", place="gst.at")
        object.__setattr__(self, "at", float(self.at))
        if self.after is not None:
            need_bound(self.after, "gst.after")

    @classmethod
    def from_data(cls, data: Any, file: Path | str | None = None, place: str = "gst") -> Stabilisation:
        """Return the time that a table of a file describes.

        Raises:
            BadInput: names the place in the file.
        """
        if not isinstance(data, Mapping):
            what = f'must be a table such as {{ at = 20, before = "exponential(mean=10)" }}, not {shown(data)}'
            raise BadInput(what, file=file, place=place)
        table = Table(data, _KEYS, file=file, place=place)
        laws: dict[str, Distribution] = {}
        for key in ("before", "after"):
            if key in table:
                value = table.data[key]
                if isinstance(value, bool) or not isinstance(value, str | int | float):
                    raise table.bad(key, f'must be a distribution such as "uniform(0.5, 1.5)", not {shown(value)}')
                laws[key] = parse(value if isinstance(value, str) else repr(value), file=file, place=table.where(key))
        for key in ("at", "before"):
            if key not in table:
                raise table.bad(key, 'is missing; write, for example, at = 20 and before = "exponential(mean=10)"')
        return cls(table.number("at", what="a finite time that is not negative"), **laws)

    def to_data(self) -> dict[str, Any]:
        """Return the table of a file."""
        laws = {"before": str(self.before), **({} if self.after is None else {"after": str(self.after)})}
        return {"at": self.at, **laws}


def need_bound(delay: Distribution, place: str) -> None:
    """Refuse a delay without an upper bound.

    Raises:
        BadInput: it has none.
    """
    if math.isinf(delay.maximum):
        what = f"{delay} has no upper bound; after the global stabilisation time delays need one: uniform(0.5, 1.5)"
        raise BadInput(what, place=place)
