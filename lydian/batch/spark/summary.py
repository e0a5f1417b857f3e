"""Summaries of a batch's runs in Spark SQL: statistics, scaling, distributions and the bound of the formula."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lydian.batch.folder import Folder
from lydian.batch.spark.session import Spark
from lydian.batch.stats import student
from lydian.batch.sweep.measure import USUAL, columns_of
from lydian.model.cell import as_text
from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = [
    "Bound", "Distribution", "Fit", "Statistics", "axes_of", "bounds", "distribution", "export_csv", "failures", "fit",
    "measures_of", "multiples", "statistics", "view",
]  # fmt: skip

#: Columns other than the varied settings by which results can be grouped.
_GROUPABLE = ("protocol", "network", "processes", "links", "corrupted", "stopped", "failure", "group", "seed")
_QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


@dataclass(frozen=True)
class Statistics:
    """A measure over the runs that share some values.

    Args:
        values: the values that they share.
        measure: the column.
        count: the number of runs with a number in this column; failed runs have none.
        mean, sd: mean and standard deviation; ``low`` and ``high`` are the ends of the 95 % confidence interval of the
            mean (Student's t).
        least, q025, q25, median, q75, q975, most: minimum, quantiles, maximum.
    """

    values: Mapping[str, Any]
    measure: str
    count: int
    mean: float
    sd: float
    low: float
    high: float
    least: float
    q025: float
    q25: float
    median: float
    q75: float
    q975: float
    most: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Fit:
    """A power law y = factor * x ** exponent, fitted by least squares to the logarithms.

    Args:
        values: the values that the runs share.
        measure, against: y and x.
        error: the standard error of the exponent; ``low`` and ``high`` are the ends of its 95 % confidence interval.
        r2: the share of the variance of log y that the fit explains.
        count: the number of runs.
    """

    values: Mapping[str, Any]
    measure: str
    against: str
    exponent: float
    error: float
    low: float
    high: float
    factor: float
    r2: float
    count: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Bound:
    """The number of messages that the protocol's formula expects, compared with those that were sent.

    Args:
        values: the values that the runs share.
        count: the number of runs with a formula; ``judged`` of them ended undisturbed, ``kept`` of these as expected.
        expected, messages: the means.
        most: the largest share of the expected number that was sent.
    """

    values: Mapping[str, Any]
    count: int
    judged: int
    kept: int
    expected: float
    messages: float
    most: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Distribution:
    """The frequency of each value of a measure.

    Args:
        values: the values that the runs share.
        edges: the edges of the bins, one more than counts; the last bin includes its upper edge.
        counts: the number of runs in each bin.
    """

    values: Mapping[str, Any]
    measure: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]


def view(spark: Spark, folder: Folder, name: str = "runs") -> str:
    """Register the finished results in Spark SQL as a view, and return its name.

    A Spark on this machine reads the files; any other receives the rows.
    """
    session = spark.session
    if spark.master.startswith("local") and folder.done():
        frame = session.read.parquet(folder.runs.absolute().as_uri())
    else:
        frame = session.createDataFrame(folder.table())
    frame.createOrReplaceTempView(name)
    return name


def axes_of(folder: Folder) -> list[str]:
    """Return the columns that make up a group, in the order of the sweep."""
    return [axis.name for axis in folder.sweep.vary if axis.grouped]


def measures_of(folder: Folder) -> list[str]:
    """Return the measures of the sweep; messages, time and chain if it names none."""
    return [each.name for each in folder.sweep.measure] or ["messages", "time", "chain"]


def statistics(
    spark: Spark, folder: Folder, measures: Sequence[str] | None = None, by: Sequence[str] | None = None
) -> list[Statistics]:
    """Return mean, spread and quantiles of measures for every combination of values.

    Args:
        measures: the columns; by default those of the sweep.
        by: the columns that make up the combinations; by default the varied settings.

    Raises:
        BadInput: there is no such column.
    """
    chosen = _measures(folder, measures_of(folder) if measures is None else measures)
    keys = _keys(folder, axes_of(folder) if by is None else by)
    stacked = ", ".join(f"'{name}', CAST(`{name}` AS DOUBLE)" for name in chosen)
    wanted = ", ".join(map(str, _QUANTILES))
    rows = _sql(
        spark, folder,
        f"""SELECT {_list(keys)} _measure, count(_value) AS _count, avg(_value) AS _mean, stddev_samp(_value) AS _sd,
                   min(_value) AS _least, max(_value) AS _most, percentile(_value, array({wanted})) AS _q
            FROM (SELECT {_list(keys)} stack({len(chosen)}, {stacked}) AS (_measure, _value)
                  FROM runs WHERE failure IS NULL)
            WHERE _value IS NOT NULL
            GROUP BY {_list(keys)} _measure""",
    )  # fmt: skip
    found = []
    for row in rows:
        sd = row["_sd"] if row["_sd"] is not None and math.isfinite(row["_sd"]) else 0.0
        half = student(row["_count"] - 1) * sd / math.sqrt(row["_count"]) if row["_count"] > 1 else 0.0
        q025, q25, median, q75, q975 = row["_q"]
        found.append(
            Statistics(
                {key: row[key] for key in keys}, row["_measure"], row["_count"], row["_mean"], sd, row["_mean"] - half,
                row["_mean"] + half, row["_least"], q025, q25, median, q75, q975, row["_most"],
            )
        )  # fmt: skip
    return sorted(found, key=lambda each: (_rank(folder, each.values), chosen.index(each.measure)))


def fit(
    spark: Spark, folder: Folder, measure: str, against: str = "processes", by: Sequence[str] | None = None
) -> list[Fit]:
    """Fit a power law of a measure in another measure, or in a varied setting, for every combination.

    Runs in which one of the two is not positive are left out; combinations with fewer than three different values of
    ``against`` have no fit.

    Raises:
        BadInput: there is no such column.
    """
    keys = _keys(folder, [key for key in axes_of(folder) if key != against] if by is None else by)
    (y,) = _measures(folder, [measure])
    x = _number(folder, against)
    if by is None:  # a column that determines x does not form groups
        keys = [key for key in keys if not _decides(spark, folder, key, x)]
    rows = _sql(
        spark, folder,
        f"""SELECT {_list(keys)} regr_slope(_y, _x) AS _slope, regr_intercept(_y, _x) AS _start, regr_r2(_y, _x) AS _r2,
                   regr_sxx(_y, _x) AS _sxx, regr_syy(_y, _x) AS _syy, regr_sxy(_y, _x) AS _sxy, count(*) AS _count
            FROM (SELECT {_list(keys)} ln(CAST(`{y}` AS DOUBLE)) AS _y, ln(CAST(`{x}` AS DOUBLE)) AS _x
                  FROM runs WHERE failure IS NULL AND `{y}` > 0 AND `{x}` > 0)
            {_group_by(keys)} HAVING count(DISTINCT _x) >= 3""",
    )  # fmt: skip
    found = []
    for row in rows:
        left = max(0.0, row["_syy"] - row["_slope"] * row["_sxy"])
        error = math.sqrt(left / (row["_count"] - 2) / row["_sxx"])
        half = student(row["_count"] - 2) * error
        found.append(
            Fit(
                {key: row[key] for key in keys}, y, x, row["_slope"], error, row["_slope"] - half, row["_slope"] + half,
                math.exp(min(max(row["_start"], -700.0), 700.0)),
                1.0 if row["_r2"] is None else row["_r2"], row["_count"],
            )
        )  # fmt: skip
    return sorted(found, key=lambda each: _rank(folder, each.values))


def bounds(spark: Spark, folder: Folder, by: Sequence[str] | None = None) -> list[Bound]:
    """Compare the formula with the messages sent, for every combination in which the protocol has a formula."""
    keys = _keys(folder, axes_of(folder) if by is None else by)
    rows = _sql(
        spark, folder,
        f"""SELECT {_list(keys)} count(*) AS _count, count(as_expected) AS _judged,
                   count_if(as_expected) AS _kept, avg(expected) AS _expected, avg(messages) AS _messages,
                   max(IF(expected > 0, messages / expected, NULL)) AS _most
            FROM runs WHERE failure IS NULL AND expected IS NOT NULL {_group_by(keys)}""",
    )  # fmt: skip
    found = [
        Bound(
            {key: row[key] for key in keys}, row["_count"], row["_judged"], row["_kept"], row["_expected"],
            row["_messages"], row["_most"] if row["_most"] is not None else math.nan,
        )
        for row in rows if row["_count"]
    ]  # fmt: skip
    return sorted(found, key=lambda each: _rank(folder, each.values))


def failures(spark: Spark, folder: Folder, most: int = 20) -> list[dict[str, Any]]:
    """Return the failures of runs without a result: ``failure``, ``error``, ``count`` and the first ``run``."""
    return _sql(
        spark, folder,
        f"""SELECT failure, error, count(*) AS count, min(run) AS run FROM runs WHERE failure IS NOT NULL
            GROUP BY failure, error ORDER BY count DESC, run LIMIT {most}""",
    )  # fmt: skip


def distribution(
    spark: Spark, folder: Folder, measure: str, by: Sequence[str] = (), bins: int = 20
) -> list[Distribution]:
    """Return how often a measure has each value, in bins that all combinations share."""
    keys, (column,) = _keys(folder, by), _measures(folder, [measure])
    known = f"FROM runs WHERE failure IS NULL AND `{column}` IS NOT NULL"
    (span,) = _sql(spark, folder, f"SELECT min(`{column}`) AS least, max(`{column}`) AS most {known}")
    if span["least"] is None:
        return []
    least, most = float(span["least"]), float(span["most"])
    width = (most - least) / bins or 1.0
    rows = _sql(
        spark, folder,
        f"""SELECT {_list(keys)} least({bins - 1}, CAST(floor((`{column}` - {least!r}D) / {width!r}D) AS INT)) AS _bin,
                   count(*) AS _count {known} GROUP BY {_list(keys)} _bin""",
    )  # fmt: skip
    found: dict[tuple[Any, ...], list[int]] = {}
    for row in rows:
        found.setdefault(tuple(row[key] for key in keys), [0] * bins)[row["_bin"]] += row["_count"]
    edges = tuple(least + width * i for i in range(bins + 1))
    made = [Distribution(dict(zip(keys, k, strict=True)), column, edges, tuple(n)) for k, n in found.items()]
    return sorted(made, key=lambda each: _rank(folder, each.values))


def multiples(
    spark: Spark, folder: Folder, measure: str, against: str, *, panel: str | None = None, series: str | None = None
) -> dict[Any, dict[Any, list[Statistics]]]:
    """Return data for small multiples: panel -> series -> points in the order of ``against``; ``None`` for a single
    panel.
    """
    keys = [each for each in (panel, series, against) if each is not None]
    found: dict[Any, dict[Any, list[Statistics]]] = {}
    for each in statistics(spark, folder, [measure], keys):
        at_panel = each.values[panel] if panel is not None else None
        at_series = each.values[series] if series is not None else None
        found.setdefault(at_panel, {}).setdefault(at_series, []).append(each)
    for lines in found.values():
        for points in lines.values():
            points.sort(key=lambda each: _rank(folder, {against: each.values[against]}))
    return found


def export_csv(folder: Folder, path: Path | str) -> int:
    """Write all finished results as CSV, completely or not at all; return the number of runs.

    A list is written in one cell with spaces between its entries; checks are reduced to the names of the violated ones.

    Raises:
        BadInput: the file cannot be written.
    """
    import pyarrow.csv

    path = Path(path)
    table = folder.table()
    for name in table.column_names:
        column = table.column(name)
        if name == "checks":
            texts = ["; ".join(c["name"] for c in row or () if c["holds"] is False) for row in column.to_pylist()]
            table = table.set_column(table.column_names.index(name), name, [texts])
        elif name == "order":
            texts = [" ".join(row or ()) for row in column.to_pylist()]
            table = table.set_column(table.column_names.index(name), name, [texts])
        elif pyarrow.types.is_string(column.type):
            texts = [as_text(text) for text in column.to_pylist()]
            table = table.set_column(table.column_names.index(name), name, [pyarrow.array(texts, pyarrow.string())])
    new = path.with_name(f".{path.name}.part")
    try:
        pyarrow.csv.write_csv(table, new)
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        why = (error.strerror or str(error)).lower()
        raise BadInput(f"cannot be written ({why}); choose another folder", file=path) from None
    return int(table.num_rows)


# ---------------------------------------------------------------------------------------------------- helpers


def _sql(spark: Spark, folder: Folder, query: str) -> list[dict[str, Any]]:
    view(spark, folder)
    return [row.asDict() for row in spark.session.sql(query).collect()]


def _list(keys: Sequence[str]) -> str:
    return "".join(f"`{key}`, " for key in keys)


def _group_by(keys: Sequence[str]) -> str:
    return "GROUP BY " + ", ".join(f"`{key}`" for key in keys) if keys else ""


def _keys(folder: Folder, names: Sequence[str]) -> list[str]:
    known = [*(axis.name for axis in folder.sweep.vary), *_GROUPABLE]
    return [_known(name, known, "setting") for name in dict.fromkeys(names)]


def _measures(folder: Folder, names: Sequence[str]) -> list[str]:
    known = [*USUAL, *(each.name for each in folder.sweep.measure)]
    return [_known(_column(folder, name), known, "measure") for name in dict.fromkeys(names)]


def _column(folder: Folder, name: str) -> str:
    """Return the column of a measure, whose name may also be written as in the sweep's file."""
    return columns_of(folder.sweep.measure).get(name, name)


def _number(folder: Folder, name: str) -> str:
    numbers = [axis.name for axis in folder.sweep.vary if axis.type in ("int", "float")]
    known = [*numbers, *USUAL, *(each.name for each in folder.sweep.measure)]
    return _known(_column(folder, name), known, "number")


def _known(name: str, known: Sequence[str], what: str) -> str:
    if name not in known:
        hint = did_you_mean(name, known) or f"; choose from {', '.join(dict.fromkeys(known))}"
        raise BadInput(f"unknown {what} {shown(name)}{hint}")
    return name


def _decides(spark: Spark, folder: Folder, key: str, x: str) -> bool:
    """Return whether every value of a key occurs with only one value of x, as the size of a ring determines its
    processes.
    """
    rows = _sql(spark, folder, f"SELECT count(DISTINCT `{x}`) AS n FROM runs WHERE failure IS NULL GROUP BY `{key}`")
    return len(rows) > 1 and max(row["n"] for row in rows) == 1


def _rank(folder: Folder, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """Rank varied settings as the sweep does, other numbers by value, and everything else as text."""
    listed = {axis.name: axis.labels or axis.values for axis in folder.sweep.vary if axis.type == "str"}
    found: list[Any] = []
    for name, value in values.items():
        if value in listed.get(name, ()):
            found.append((0, listed[name].index(value), ""))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.append((0, value, ""))
        else:
            found.append((1, 0, str(value)))
    return tuple(found)
