"""The strangest runs without Spark: the ranking of :mod:`lydian.batch.spark.surprise`, applied to a table in memory.

The window uses it while a sweep runs and when a folder is opened; neither can wait for Java.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.batch.folder import Folder
from lydian.batch.spark import surprise
from lydian.batch.spark.surprise import FEWEST, LEAST_SCORE, Strange

__all__ = ["oddest"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


def oddest(folder: Folder, table: Any, most: int = 10) -> list[Strange]:
    """Return the strangest runs in an Arrow table with the columns of a batch's parts, the strangest first."""
    if not table.num_rows:
        return []
    found = _wrong(folder, table, most)
    taken = {each.run for each in found}
    scores = _Scores(folder, table)
    numbers: dict[int, tuple[str, float, float, float]] = {}
    for run, measure, value, median, top in scores.rows(100 * most + 100):
        if run not in taken:
            known = numbers.setdefault(run, (measure, value, median, top))
            if surprise._telling(measure) < surprise._telling(known[0]):
                numbers[run] = (measure, value, median, top)
    rows = _rows_of(table, list(numbers))
    orders = scores.places([rows[run] for run in numbers if numbers[run][0] == surprise._ORDER][:most])
    for run, (measure, value, median, top) in numbers.items():
        why = surprise._why(measure, value, median, rows[run], orders)
        found.append(surprise._strange(folder, rows[run], why, measure, top, value, median))
    return surprise._mixed(found, most)


class _Scores:
    """The robust z-scores of every run in every measure, relative to its group."""

    def __init__(self, folder: Folder, table: Any) -> None:
        import pyarrow.compute as pc

        good = table.filter(pc.is_null(table.column("failure")))
        self.run = good.column("run").to_numpy()
        self.groups, self.group = np.unique(good.column("group").to_numpy(), return_inverse=True)
        self.order = _Order(good.column("order"), self.group)
        skipped = ("seconds", "processes", "links", "expected", "violated", "corrupted", "tree_depth", "least_depth")
        wanted = [*surprise._MEASURES, *(each.name for each in folder.sweep.measure)]
        columns = {name: _numbers(good, name) for name in dict.fromkeys(wanted) if name not in skipped}
        columns[surprise._EXCESS] = _numbers(good, "tree_depth") - _numbers(good, "least_depth")
        columns[surprise._ORDER] = self.order.distance()
        self.columns = columns

    def rows(self, most: int) -> list[tuple[int, str, float, float, float]]:
        """Return run, measure, value, median of the group and best score for each run that stands out, best first."""
        count = len(self.run)
        names = sorted(self.columns)
        scores = np.zeros((len(names), count))
        medians = np.zeros((len(names), count))
        for i, name in enumerate(names):
            scores[i], medians[i] = _scored(self.columns[name], self.group, len(self.groups))
        top = scores.max(axis=0) if len(names) else np.zeros(count)
        some = np.flatnonzero(top >= LEAST_SCORE)
        some = some[np.lexsort((self.run[some], -top[some]))][:most]
        found = []
        for at in some.tolist():
            for i in np.flatnonzero(scores[:, at] >= top[at] / 2).tolist():
                name = names[i]
                found.append((int(self.run[at]), name, float(self.columns[name][at]), float(medians[i, at]),
                              float(top[at])))  # fmt: skip
        return found[:most]

    def places(self, rows: Sequence[Mapping[str, Any]]) -> dict[tuple[int, str], float]:
        """Map group and process to the mean place in the order of decisions, for the groups of these runs."""
        groups = {row["group"]: int(np.searchsorted(self.groups, row["group"])) for row in rows}
        return {(group, p): mean for group, at in groups.items() for p, mean in self.order.means(at).items()}


class _Order:
    """The orders of decisions of all runs, with one entry for each decision."""

    def __init__(self, column: Any, group: Whole) -> None:
        import pyarrow.compute as pc

        lists = column.combine_chunks()
        lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False).astype(np.int64)
        coded = pc.list_flatten(lists).dictionary_encode()
        self.names: list[str] = coded.dictionary.to_pylist()
        process = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        row = np.repeat(np.arange(len(lengths)), lengths)
        place = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        several = lengths[row] > 1
        self.count = len(lengths)
        self.row, self.place = row[several], place[several].astype(np.float64)
        self.key = group[self.row] * max(len(self.names), 1) + process[several]
        self.keys, self.inverse = np.unique(self.key, return_inverse=True)
        hits = np.bincount(self.inverse, minlength=len(self.keys))
        self.mean = np.bincount(self.inverse, self.place, len(self.keys)) / np.maximum(hits, 1)

    def distance(self) -> Floats:
        """Return each run's average distance of processes from their mean places; NaN where no process decides."""
        far = np.abs(self.place - self.mean[self.inverse]) if len(self.row) else np.zeros(0)
        hits = np.bincount(self.row, minlength=self.count)
        total = np.bincount(self.row, far, self.count)
        return np.where(hits > 0, total / np.maximum(hits, 1), np.nan)

    def means(self, group: int) -> dict[str, float]:
        """Return the mean places in one group, by process."""
        width = max(len(self.names), 1)
        mine = np.flatnonzero(self.keys // width == group)
        return {self.names[int(self.keys[i]) % width]: float(self.mean[i]) for i in mine.tolist()}


def _scored(values: Floats, group: Whole, groups: int) -> tuple[Floats, Floats]:
    """Return each value's score within its group (0 if it does not stand out) and the median of the group."""
    scores, medians = np.zeros(len(values)), np.full(len(values), np.nan)
    known = np.flatnonzero(np.isfinite(values))
    known = known[np.argsort(group[known], kind="stable")]
    bounds = np.searchsorted(group[known], np.arange(groups + 1))
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        if stop - start < FEWEST:
            continue
        mine = known[start:stop]
        median = float(np.median(values[mine]))
        distance = np.abs(values[mine] - median)
        spread = 1.4826 * float(np.median(distance)) or 1.2533 * float(distance.mean())
        medians[mine] = median
        if spread > 1e-12:
            scores[mine] = np.where(distance > 1e-9, distance / spread, 0.0)
    return scores, medians


def _wrong(folder: Folder, table: Any, most: int) -> list[Strange]:
    """Return runs that violate a property or whose protocol failed: the earliest of each kind and group, rare kinds
    first.
    """
    import pyarrow as pa

    violated = np.nan_to_num(_numbers(table, "violated")) > 0
    failure = np.array(table.column("failure").to_pylist(), dtype=object)
    some = np.flatnonzero(violated | (failure == "protocol"))
    if not len(some):
        return []
    broken: dict[int, list[str]] = {}
    for at, checks in zip(some.tolist(), table.column("checks").take(pa.array(some)).to_pylist(), strict=True):
        broken[at] = [check["name"] for check in checks or () if check["holds"] is False]
    kinds = {at: failure[at] or "; ".join(broken[at]) for at in broken}
    group, run = table.column("group").to_numpy(), table.column("run").to_numpy()
    common: dict[str, int] = {}
    for kind in kinds.values():
        common[kind] = common.get(kind, 0) + 1
    seen: dict[tuple[str, int], int] = {}
    ranked = []
    for at in sorted(kinds, key=lambda each: int(run[each])):
        key = (kinds[at], int(group[at]))
        seen[key] = seen.get(key, 0) + 1
        ranked.append((seen[key], common[kinds[at]], int(run[at])))
    first = [number for *_, number in sorted(ranked)[:most]]
    rows = _rows_of(table, first)
    return [surprise._wrong(folder, rows[number]) for number in first]


def _numbers(table: Any, name: str) -> Floats:
    import pyarrow as pa

    column = table.column(name).combine_chunks().cast(pa.float64())
    found: Floats = column.to_numpy(zero_copy_only=False)
    return found


def _rows_of(table: Any, runs: Sequence[int]) -> dict[int, dict[str, Any]]:
    import pyarrow as pa

    if not runs:
        return {}
    numbers = table.column("run").to_numpy()
    at = np.searchsorted(numbers, np.array(runs))
    return {row["run"]: row for row in table.take(pa.array(at)).to_pylist()}
