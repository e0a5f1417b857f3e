"""A measure of a run beside the usual columns: a number somewhere in its measures."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.trace.deliveries import WORDS as DELIVERIES

__all__ = ["DELIVERIES", "USUAL", "Measure", "columns_of", "measures_from"]

#: Numbers that every result contains -> their description.
USUAL = {
    "messages": tr("messages"),
    "events": tr("events"),
    "time": tr("time of the last event"),
    "chain": tr("messages on the longest causal chain"),
    "bits": tr("bits sent"),
    "dropped": tr("messages lost"),
    "in_transit": tr("messages in transit at the end"),
    "busiest": tr("messages of the busiest process, sent and received"),
    "delay_mean": tr("mean time from send to receive"),
    "delay_longest": tr("longest time from send to receive"),
    "tree_depth": tr("depth of the tree of parents"),
    "least_depth": tr("least depth a tree can have"),
    "decided": tr("processes that decided"),
    "first_decision": tr("time of the first decision"),
    "last_decision": tr("time of the last decision"),
    "corrupted": tr("processes that were corrupted"),
    "stabilised": tr("time since which every eventual property holds"),
    "processes": tr("processes"),
    "links": tr("links"),
    "expected": tr("messages that the formula expects"),
    "violated": tr("violated properties"),
    "seconds": tr("seconds of real time"),
}
_FOLDS: dict[str, Callable[[Sequence[float]], float]] = {
    "max": max, "min": min, "sum": math.fsum, "mean": lambda values: math.fsum(values) / len(values),
}  # fmt: skip
#: The entries of :func:`lydian.trace.measures.measures` with which a path can begin.
_ROOTS = (
    "by_kind", "per_process", "kinds", "delay", "busy_share", "sent", "received", "injected", "events", "time",
    "messages", "bits", "dropped", "in_transit", "chain", "own", *DELIVERIES,
)  # fmt: skip


@dataclass(frozen=True)
class Measure:
    """A column of the result.

    Args:
        name: the name of the column.
        path: its path in the measures, such as ``by_kind.Ack.sent``; empty for a usual column. ``*`` matches every key.
        fold: how several numbers are combined: ``max``, ``min``, ``mean`` or ``sum``; empty for one number.
    """

    name: str
    path: str = ""
    fold: str = ""

    @property
    def usual(self) -> bool:
        """Whether every result has this column."""
        return not self.path

    def of(self, measures: Mapping[str, Any]) -> float | None:
        """Return the number for a run with these measures; ``None`` if there is none."""
        found = [value for value in _walk(measures, self.path.split(".")) if value is not None]
        numbers = [float(value) for value in found if isinstance(value, int | float) and math.isfinite(value)]
        if not numbers:
            return 0.0 if not found and self.path.startswith(("by_kind.", "kinds.")) else None
        return _FOLDS[self.fold](numbers) if self.fold else numbers[0]

    def to_plain(self) -> str:
        """Return the measure as written in the file."""
        return self.name if self.usual else f"{self.fold}({self.path})" if self.fold else self.path

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read ``messages``, ``by_kind.Ack.sent`` or ``max(per_process.*.waiting)``.

        Raises:
            BadInput: the text is none of these.
        """
        text = text.strip()
        if text in USUAL:
            return cls(text)
        match = re.fullmatch(r"(?:(\w+)\()?([^()]*?)\)?", text)
        fold, path = (match[1] or "", match[2].strip()) if match and text.count("(") == text.count(")") else ("", "")
        root = path.split(".")[0]
        if (fold and fold not in _FOLDS) or root not in _ROOTS or (("*" in path) != bool(fold)):
            known = [*USUAL, *_ROOTS]
            example = "by_kind.Ack.sent or max(per_process.*.waiting)"
            hint = did_you_mean(text, known) or f"; choose from {', '.join(USUAL)}, or a path such as {example}"
            raise BadInput(f"unknown measure {shown(text)}{hint}")
        name = re.sub(r"\W+", "_", f"{fold}_{path}" if fold else path).strip("_")
        return cls(name if name not in USUAL else f"{name}_", path, fold)


def columns_of(measures: Iterable[Measure]) -> dict[str, str]:
    """Map each measure as the sweep's file writes it (``own.rounds``) to its column; users may write either name."""
    return {each.to_plain(): each.name for each in measures}


def measures_from(data: Sequence[Any], file: Path | str | None = None) -> tuple[Measure, ...]:
    """Return the measures in a list of texts, without repetition.

    Raises:
        BadInput: with the file and the place.
    """
    found: dict[str, Measure] = {}
    for i, text in enumerate(data):
        try:
            if not isinstance(text, str):
                raise BadInput(f'must be text such as "messages", not {shown(text)}')
            measure = Measure.parse(text)
        except BadInput as error:
            raise BadInput(error.what, file=file, place=f"measure[{i}]") from None
        found.setdefault(measure.name, measure)
    return tuple(found.values())


def _walk(value: Any, path: Sequence[str]) -> list[Any]:
    if not path:
        return [value]
    if not isinstance(value, Mapping):
        return []
    if path[0] == "*":
        return [found for item in value.values() for found in _walk(item, path[1:])]
    # A label or a name of a process may contain a dot, so the longest matching key is used.
    for size in range(len(path), 0, -1):
        key = ".".join(path[:size])
        if key in value:
            return _walk(value[key], path[size:])
    return []
