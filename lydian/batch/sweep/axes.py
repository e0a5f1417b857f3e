"""The axes of a sweep: each is a name with its values, which are listed, given by a range, or drawn by a sampler.

A drawn value depends only on the sampler's own seed, the axis's name and the value's number, so that run i of a sweep
can be created without creating the others.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.batch.sweep.fields import spoken
from lydian.model.errors import BadInput, shown
from lydian.model.reading import Table
from lydian.model.streams import stream_key, uniforms

__all__ = ["MOST_VALUES", "RESERVED", "Axis", "Sample"]

#: The largest number of values of one axis.
MOST_VALUES = 100_000
_KEYS = (
    "name", "field", "values", "labels", "from", "to", "step", "count", "scale", "sample", "low", "high", "whole",
    "seed", "grouped", "label", "unit",
)  # fmt: skip
#: Characters of a label and of a unit: they must fit on the axis of a plot.
_MOST_LETTERS = 60
_SAMPLES = ("uniform", "log-uniform", "choice")
#: Columns that every result has, so no axis may use their names.
RESERVED = frozenset(
    (
        "run", "group", "seed", "protocol", "network", "processes", "links", "events", "messages", "bits", "dropped",
        "in_transit", "time", "chain", "busiest", "delay_mean", "delay_longest", "tree_depth", "least_depth", "decided",
        "first_decision", "last_decision", "corrupted", "stabilised", "expected", "as_expected", "violated", "checks",
        "order", "stopped", "fingerprint", "failure", "error", "seconds", "trace", "score", "why",
    )
)  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """The source from which the values of an axis are drawn.

    Args:
        kind: ``uniform``, ``log-uniform`` or ``choice``.
        low, high: its bounds (not for a choice); positive for ``log-uniform``.
        whole: whether whole numbers are drawn, including ``low`` and ``high``.
        choices: the values to choose from.
        seed: the sampler's own seed, which is independent of a run's seed.
    """

    kind: str
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    choices: tuple[Any, ...] = ()
    seed: int = 0

    def value(self, name: str, number: int) -> Any:
        """Return value ``number`` for the axis ``name``, with at most nine significant digits."""
        u = float(uniforms(stream_key(self.seed, "sweep", name), number, 1)[0, 0])
        if self.kind == "choice":
            return self.choices[int(u * len(self.choices))]
        if self.whole:
            top = self.high + 1
            drawn = self.low + (top - self.low) * u if self.kind == "uniform" else self.low * (top / self.low) ** u
            return min(max(math.floor(drawn), int(self.low)), int(self.high))
        drawn = self.low + (self.high - self.low) * u
        if self.kind == "log-uniform":
            drawn = self.low * (self.high / self.low) ** u
        return min(max(float(f"{drawn:.9g}"), self.low), self.high)


@dataclass(frozen=True)
class Axis:
    """A setting that differs from run to run.

    Args:
        name: the column of the results; other values may refer to it in braces.
        field: the field of the experiment that it sets (``network``, ``timing.delay``, ``faults[0].process``); ``None``
            if other values merely refer to it.
        values: all values in order; empty if each run draws its own.
        labels: short names, one for each value; may be empty.
        sample: the source of the values, if each run draws its own.
        grouped: whether runs with different values here belong to different groups.
        label: the words for it on an axis and at the head of a table; empty for its name.
        unit: the unit of its values, such as ``ms``; empty if it has none.
    """

    name: str
    field: str | None = None
    values: tuple[Any, ...] = ()
    labels: tuple[str, ...] = ()
    sample: Sample | None = None
    grouped: bool = True
    place: str = dataclasses.field(default="", compare=False)
    label: str = ""
    unit: str = ""

    @property
    def title(self) -> str:
        """The head of its column in a table: its label, or its name, with its unit."""
        words = self.label or self.name
        return f"{words} ({self.unit})" if self.unit else words

    def __len__(self) -> int:
        """Return the number of values to go through; 1 for an axis from which each run draws."""
        return len(self.values) if self.sample is None else 1

    def value(self, number: int, run: int) -> Any:
        """Return the value with this number, or the one that this run draws."""
        return self.values[number] if self.sample is None else self.sample.value(self.name, run)

    def shown(self, number: int, run: int) -> Any:
        """Return the value as shown in a column: its label if it has one; a table or list as JSON."""
        if self.labels:
            return self.labels[number]
        value = self.value(number, run)
        if isinstance(value, Mapping | list | tuple):
            import json

            return json.dumps(value, sort_keys=True)
        return value

    @property
    def type(self) -> str:
        """Return the type of its column: ``bool``, ``int``, ``float`` or ``str``."""
        if self.labels:
            return "str"
        if self.sample is not None and self.sample.kind != "choice":
            return "int" if self.sample.whole else "float"
        if any(spoken(value) for value in self.values):
            return "str"
        kinds = {type(value) for value in (self.values if self.sample is None else self.sample.choices)}
        if kinds <= {bool}:
            return "bool"
        if kinds <= {int}:
            return "int"
        return "float" if kinds <= {int, float} else "str"

    def to_dict(self) -> dict[str, Any]:
        """Return the table of the file, with the values of a range or of a sampler with a count written out."""
        result: dict[str, Any] = {"name": self.name}
        if self.field is not None:
            result["field"] = self.field
        result |= {key: text for key, text in (("label", self.label), ("unit", self.unit)) if text}
        if self.sample is None:
            result["values"] = list(self.values)
        else:
            result["sample"] = self.sample.kind
            if self.sample.kind == "choice":
                result["values"] = list(self.sample.choices)
            else:
                result |= {"low": self.sample.low, "high": self.sample.high, "whole": self.sample.whole}
            result["seed"] = self.sample.seed
        if self.labels:
            result["labels"] = list(self.labels)
        if self.grouped != (self.sample is None):
            result["grouped"] = self.grouped
        return result

    @classmethod
    def from_dict(cls, data: Any, file: Path | str | None = None, place: str = "vary[0]") -> Axis:
        """Read one table of ``vary``.

        Raises:
            BadInput: with the file and the place.
        """
        table = Table(data, _KEYS, file=file, place=place)
        target = table.get("field", str)
        if target is not None and not target.strip():
            raise table.bad("field", 'must not be empty; write, for example, field = "network"')
        name = table.get("name", str, None if target is None else _last(target))
        if name is None:
            raise BadInput('name or field is missing; write, for example, field = "network"', file=file, place=place)
        if not name.isidentifier() or name.startswith("_"):
            what = f"must be one word such as size, to be a column of the results, not {shown(name)}"
            raise BadInput(f"name {what}", file=file, place=place)
        if name.lower() in RESERVED and "name" in table:
            raise table.bad("name", f"{name} is a column of every result; choose another name")
        if name.lower() in RESERVED:
            name = f"{name}_"
        sample = _sample(table)
        count = table.whole("count", 0, 1) if "count" in table else None
        values: tuple[Any, ...] = ()
        if sample is None:
            values = _listed(table) if "values" in table else _range(table, count)
        elif count is not None:
            if count > MOST_VALUES:
                raise table.bad("count", f"there are {count} values; there must be at most {MOST_VALUES}")
            values = tuple(sample.value(name, number) for number in range(count))
        drawn = None if values else sample
        labels = tuple(table.get("labels", list, []))
        if not all(isinstance(label, str) and label for label in labels):
            raise table.bad("labels", 'must be texts such as ["ring", "grid"]')
        if labels and len(labels) != len(values):
            raise table.bad("labels", f"{len(labels)} labels are given for {len(values)} values; give one for each")
        if len(set(labels)) < len(labels):
            raise table.bad("labels", "two labels are the same; rename one of them")
        label, unit = _words(table, "label", "probability of loss"), _words(table, "unit", "ms")
        grouped = table.get("grouped", bool, sample is None)
        return cls(name, target, values, labels, drawn, grouped, place, label, unit)


def _last(path: str) -> str:
    """Return the last word of a field, such as ``delay`` of ``timing.delay``."""
    word = path.split(".")[-1].split("[")[0].strip()
    return "".join(mark if mark.isalnum() else "_" for mark in word) or "value"


def _words(table: Table, key: str, example: str) -> str:
    """A label or a unit: a short text on one line; empty if the key is not there."""
    text: str = table.get(key, str, "")
    if key in table and (not text.strip() or not text.isprintable() or len(text) > _MOST_LETTERS):
        what = f"must be one line of 1 to {_MOST_LETTERS} characters, such as {example!r}, not {shown(text)}"
        raise table.bad(key, what)
    return text.strip()


def _listed(table: Table) -> tuple[Any, ...]:
    for key in ("from", "to", "step", "count", "scale"):
        if key in table:
            raise table.bad(key, "must be either values or a range from ... to, not both")
    values = tuple(table.get("values", list))
    if not values:
        raise table.bad("values", "is empty; give at least one value")
    if len(values) > MOST_VALUES:
        raise table.bad("values", f"there are {len(values)} values; there must be at most {MOST_VALUES}")
    for number, value in enumerate(values):
        if isinstance(value, float) and not math.isfinite(value):
            raise BadInput(f"must be finite, not {value}", file=table.file, place=f"{table.where('values')}[{number}]")
        if not isinstance(value, bool | int | float | str | list | Mapping):
            raise BadInput(
                f"must be a number, text, true, false, a list or a table, not {shown(value)}",
                file=table.file, place=f"{table.where('values')}[{number}]",
            )  # fmt: skip
    return values


def _range(table: Table, count: int | None) -> tuple[Any, ...]:
    if "from" not in table or "to" not in table:
        example = 'values = [8, 16, 32], or from = 8 with to = 64, or sample = "uniform"'
        what = f"there are no values; write, for example, {example}"
        raise BadInput(what, file=table.file, place=table.place or None)
    first, last = table.get("from", float), table.get("to", float)
    scale = table.get("scale", str, "linear")
    if not (math.isfinite(first) and math.isfinite(last)):
        raise table.bad("from", "the ends of a range must be finite")
    if scale not in ("linear", "log"):
        raise table.bad("scale", f'must be "linear" or "log", not {shown(scale)}')
    if scale == "log" and min(first, last) <= 0:
        raise table.bad("from", "a logarithmic range must begin above 0")
    if ("step" in table) == (count is not None):
        raise BadInput("a range must have a step or a count, not both", file=table.file, place=table.place or None)
    whole = all(isinstance(table.data[key], int) for key in ("from", "to", "step") if key in table)
    if count is not None:
        if count > MOST_VALUES:
            raise table.bad("count", f"there are {count} values; there must be at most {MOST_VALUES}")
        shares = [number / max(count - 1, 1) for number in range(count)]
        if scale == "log":
            found = [first * (last / first) ** share for share in shares]
        else:
            found = [first + (last - first) * share for share in shares]
        if whole:  # 8, 16, 32 rather than 8.0, 15.99, 32.0, without repetition
            return tuple(dict.fromkeys(round(value) for value in found))
        return tuple(float(f"{value:.9g}") for value in found)
    step = table.get("step", float)
    factor = scale == "log"
    if not math.isfinite(step) or (step <= 1 if factor else step == 0 or (last - first) * step < 0):
        raise table.bad("step", f"{table.data['step']} never leads from {table.data['from']} to {table.data['to']}")
    if factor:
        number = math.floor(math.log(last / first) / math.log(step) + 1e-9) if last >= first else -1
    else:
        number = math.floor((last - first) / step + 1e-9)
    if not 0 <= number < MOST_VALUES:
        raise table.bad("step", f"{table.data['step']} gives no values, or more than {MOST_VALUES}")
    found = [first * step**i if factor else first + step * i for i in range(number + 1)]
    return tuple(round(value) if whole else float(f"{value:.9g}") for value in found)


def _sample(table: Table) -> Sample | None:
    kind = table.get("sample", str)
    if kind is None:
        for key in ("low", "high", "whole", "seed"):
            if key in table:
                raise table.bad(key, f'belongs to a sampler; write sample = "uniform" or remove {key}')
        return None
    if kind not in _SAMPLES:
        raise table.bad("sample", f'must be "uniform", "log-uniform" or "choice", not {shown(kind)}')
    for key in ("from", "to", "step", "scale"):
        if key in table:
            raise table.bad(key, "belongs to a range; a sampler must have low, high and count")
    seed = table.whole("seed", 0)
    if kind == "choice":
        if "values" not in table:
            raise BadInput("a choice must have values to choose from", file=table.file, place=table.place or None)
        return Sample(kind, choices=tuple(_chosen(table)), seed=seed)
    low, high = (float(table.need(key, float, f"{key} = 1.0")) for key in ("low", "high"))
    whole = table.get("whole", bool, False)
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise table.bad("high", f"must be finite and at least low, not {table.data['high']}")
    if kind == "log-uniform" and low <= 0:
        raise table.bad("low", f"must be above 0 for log-uniform, not {table.data['low']}")
    if whole and not (low.is_integer() and high.is_integer()):
        raise table.bad("whole", "the ends must be whole numbers, like the values between them")
    return Sample(kind, low, high, whole, seed=seed)


def _chosen(table: Table) -> list[Any]:
    values: list[Any] = table.get("values", list)
    if not values:
        raise table.bad("values", "is empty; give at least one value")
    return values
