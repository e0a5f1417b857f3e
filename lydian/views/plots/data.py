"""The results of a sweep as columns for plots: numbers, or texts with their values in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.batch.rows import COLUMNS
from lydian.batch.sweep.measure import DELIVERIES, USUAL, columns_of
from lydian.batch.sweep.published import Mark
from lydian.language import tr, trc
from lydian.model.errors import BadInput, did_you_mean, shown

if TYPE_CHECKING:
    from lydian.batch.sweep.sweep import Sweep

__all__ = ["NO", "PROCESSES", "YES", "Failure", "Results", "Variable", "results_of"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: The word for the number of processes on an axis.
PROCESSES = tr("processes")
#: Boolean values of a column.
YES, NO = tr("yes"), tr("no")
#: Columns other than the varied ones that can form groups, with their words.
_GROUPABLE = {
    "processes": PROCESSES,
    "links": tr("links"),
    "corrupted": tr("corrupted processes"),
    "network": tr("network"),
    "protocol": tr("protocol"),
    "stopped": tr("how it ended"),
    "seed": tr("seed"),
}
_FAILURES = {
    "input": trc("kind of failure", "input"),
    "time": trc("kind of failure", "time"),
    "memory": trc("kind of failure", "memory"),
    "crash": trc("kind of failure", "crash"),
    "protocol": trc("kind of failure", "protocol"),
}
#: Short words for axes and tables.
_SHORT = {
    "time": tr("time"),
    "chain": tr("longest chain"),
    "events": tr("events"),
    "busiest": tr("messages of the busiest process"),
    "delay_mean": tr("mean delay"),
    "delay_longest": tr("longest delay"),
    "tree_depth": tr("depth of the tree"),
    "least_depth": tr("least possible depth"),
    "stabilised": tr("time to stabilise"),
    "expected": tr("messages by the formula"),
    "decided": tr("processes that decided"),
    "seconds": tr("seconds of computing"),
}


@dataclass(frozen=True)
class Variable:
    """A column of results.

    Args:
        name: of the column.
        words: what it is called on an axis.
        numeric: whether it holds numbers.
        varied: whether the sweep varies it.
        values: of a text, all its values in order.
        field: the field of the experiment that it sets, if it sets one.
        drawn: whether each run draws its own value.
        unit: the unit of its numbers, if the sweep gives one.
    """

    name: str
    words: str
    numeric: bool
    varied: bool = False
    values: tuple[str, ...] = ()
    field: str | None = None
    drawn: bool = False
    unit: str = ""

    @property
    def title(self) -> str:
        """Its words with their unit, for an axis and the head of a table."""
        return f"{self.words} ({self.unit})" if self.unit else self.words

    @property
    def head(self) -> str:
        """Its title with a capital letter, for the head of a column."""
        return self.title[:1].upper() + self.title[1:]

    def with_value(self, value: str) -> str:
        """Its words with one of its values, such as ``loss 20 %``."""
        return f"{self.words} {value} {self.unit}" if self.unit and self.numeric else f"{self.words} {value}"


@dataclass(frozen=True)
class Failure:
    """Runs without a result: the reason, how many, and the first of them."""

    failure: str
    error: str
    count: int
    run: int

    @property
    def words(self) -> str:
        """The kind of failure, for a table."""
        return _FAILURES.get(self.failure, self.failure)


@dataclass(frozen=True, eq=False)
class Results:
    """The results of a sweep so far.

    Args:
        name: of the sweep; ``about`` is its sentence.
        total: runs of the whole sweep.
        run, seed: (k,) of each row, by rising runs.
        failed: (k,) whether the run gave no result.
        numbers: numeric column -> (k,), NaN where there is no number.
        codes: column of texts -> (k,), index into the values of its variable, -1 where there is none.
        variables: all columns; those that are varied first, in the order of the sweep.
        measures: names of those that are measured, the sweep's own first.
        failures: those that failed, by kind.
        formula: the protocol's formula for its messages; empty if it has none.
        judged, kept: runs whose messages can be held against the formula, and those that sent as many.
        violated: runs that violate a property.
        published: what a source says should come out.
        columns: how the sweep's file writes a measure -> its name here.
    """

    name: str
    about: str
    total: int
    run: Codes
    seed: Codes
    failed: NDArray[np.bool_]
    numbers: Mapping[str, Floats]
    codes: Mapping[str, Codes]
    variables: Mapping[str, Variable]
    measures: tuple[str, ...]
    failures: tuple[Failure, ...] = ()
    formula: str = ""
    judged: int = 0
    kept: int = 0
    violated: int = 0
    published: tuple[Mark, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.run)

    def variable(self, name: str) -> Variable:
        """Return the variable of that name.

        Raises:
            BadInput: there is none.
        """
        if name not in self.variables:
            hint = did_you_mean(name, self.variables) or tr("; choose from {names}", names=", ".join(self.variables))
            raise BadInput(tr("{name} is not a column of these results{hint}", name=shown(name), hint=hint))
        return self.variables[name]

    def measure(self, name: str) -> Variable:
        """Return the variable of that name if it was measured.

        Raises:
            BadInput: it was not.
        """
        if name not in self.measures:
            hint = did_you_mean(name, self.measures) or tr("; choose from {names}", names=", ".join(self.measures))
            raise BadInput(tr("{name} was not measured{hint}", name=shown(name), hint=hint))
        return self.variables[name]

    def levels(self, name: str) -> tuple[tuple[Any, ...], Codes]:
        """Return the values that occur in a column, in order, and for each row the index of its value, or -1."""
        variable = self.variable(name)
        if not variable.numeric:
            codes = self.codes[name]
            seen = np.unique(codes[codes >= 0])
            place = np.full(len(variable.values) + 1, -1, dtype=np.int64)
            place[seen] = np.arange(len(seen))
            return tuple(variable.values[i] for i in seen.tolist()), place[codes]
        values = self.numbers[name]
        known = np.isfinite(values)
        found, inverse = np.unique(values[known], return_inverse=True)
        codes = np.full(len(values), -1, dtype=np.int64)
        codes[known] = inverse
        return tuple(int(v) if float(v).is_integer() else float(v) for v in found.tolist()), codes

    def told(self, name: str, row: int) -> Any:
        """Return the entry of a column, as a number or a text; ``None`` if it has none."""
        variable = self.variable(name)
        if variable.numeric:
            value = float(self.numbers[name][row])
            return None if not np.isfinite(value) else int(value) if value.is_integer() else value
        code = int(self.codes[name][row])
        return None if code < 0 else variable.values[code]

    @property
    def varied(self) -> list[Variable]:
        """The varied columns."""
        return [each for each in self.variables.values() if each.varied]

    def row(self, run: int) -> int:
        """Return the row of a run, or -1 if it is missing."""
        at = int(np.searchsorted(self.run, run))
        return at if at < len(self.run) and int(self.run[at]) == run else -1


def results_of(table: Any, sweep: Sweep, formula: str = "") -> Results:
    """Return the results in an Arrow table of a sweep, in ascending order of run.

    Args:
        table: with the columns of the parts of a batch.
        formula: for the number of messages, as the protocol gives it.
    """
    numbers: dict[str, Floats] = {}
    codes: dict[str, Codes] = {}
    variables: dict[str, Variable] = {}
    for axis in sweep.vary:
        order = axis.labels or (axis.values if axis.type == "str" else ())
        listed = [axis.shown(i, 0) for i in range(len(order))] if axis.sample is None else []
        _take(table, axis.name, axis.name.rstrip("_"), numbers, codes, variables, listed)
        variables[axis.name] = Variable(
            axis.name, axis.label or _words(axis.name, axis.field), axis.name in numbers, True,
            variables[axis.name].values, axis.field, axis.sample is not None, axis.unit,
        )  # fmt: skip
    own = [each.name for each in sweep.measure]
    told = [each for each in sweep.measure if each.path.startswith("own.") and not each.fold]
    of_protocol = {each.name: each.path[4:].replace("_", " ") for each in told}
    measures = list(dict.fromkeys([*own, *(name for name in USUAL if name not in ("processes", "links", "corrupted"))]))
    for name in dict.fromkeys([*measures, *_GROUPABLE]):
        if name not in variables:
            words = _GROUPABLE.get(name) or _SHORT.get(name) or USUAL.get(name) or DELIVERIES.get(name)
            words = words or of_protocol.get(name) or name.replace("_", " ")
            _take(table, name, words, numbers, codes, variables, [])
    failed = np.asarray(table.column("failure").is_valid())
    there = [name for name in measures if name in own or bool(np.isfinite(numbers[name]).any())]
    return Results(
        sweep.name, sweep.about, sweep.count, _whole(table, "run"), _whole(table, "seed"), failed, numbers, codes,
        variables, tuple(there), _failures(table, failed), formula,
        len(table) - table.column("as_expected").null_count, _true(table.column("as_expected")),
        int(np.count_nonzero(np.nan_to_num(numbers["violated"]) > 0)), sweep.marks, columns_of(sweep.measure),
    )  # fmt: skip


def _true(column: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.sum(column).as_py() or 0)


def _words(name: str, field: str | None) -> str:
    """Return the word for a varied column on an axis: that of the column, or ``processes`` for ``n``."""
    if name in ("n", "size") and field in (None, "network"):
        return PROCESSES
    return name.rstrip("_").replace("_", " ")


def _take(
    table: Any, name: str, words: str, numbers: dict[str, Floats], codes: dict[str, Codes],
    variables: dict[str, Variable], listed: Sequence[Any],
) -> None:  # fmt: skip
    """Read one column into the tables."""
    import pyarrow.compute as pc

    from lydian.trace.parquet.arrow import pa

    column = table.column(name).combine_chunks()
    if pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
        numbers[name] = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
        variables[name] = Variable(name, words, True)
        return
    if pa.types.is_boolean(column.type):
        column = pc.if_else(column, YES, NO)
    coded = column.dictionary_encode()
    known = [str(value) for value in coded.dictionary.to_pylist()]
    values = [value for value in dict.fromkeys(map(str, listed)) if value in known]
    values += sorted(value for value in known if value not in set(values))
    place = {value: i for i, value in enumerate(values)}
    index = np.array([*(place[value] for value in known), -1], dtype=np.int64)
    codes[name] = index[coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)]
    variables[name] = Variable(name, words, False, values=tuple(values))


def _whole(table: Any, name: str) -> Codes:
    return np.asarray(table.column(name).to_numpy(), dtype=np.int64)


def _failures(table: Any, failed: NDArray[np.bool_]) -> tuple[Failure, ...]:
    """Return the failed runs by kind and error, the most frequent first."""
    from lydian.trace.parquet.arrow import pa

    some = table.select(["failure", "error", "run"]).filter(pa.array(failed))
    found: dict[tuple[str, str], list[int]] = {}
    for row in some.to_pylist():
        found.setdefault((row["failure"], row["error"] or ""), []).append(row["run"])
    made = [Failure(kind, error, len(runs), min(runs)) for (kind, error), runs in found.items()]
    return tuple(sorted(made, key=lambda each: (-each.count, each.run)))


assert set(_SHORT) <= set(COLUMNS), "every usual measure is a column"
