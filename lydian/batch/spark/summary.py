"""What the runs of a batch say together, in Spark SQL: statistics, scaling, distributions, the formula's bound."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lydian.batch.folder import Folder
from lydian.batch.spark.session import Spark
from lydian.batch.sweep.measure import USUAL, columns_of
from lydian.model.cell import as_text
from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = [
    "Bound", "Distribution", "Fit", "Statistics", "axes_of", "bounds", "distribution", "export_csv", "failures", "fit",
    "measures_of", "multiples", "statistics", "view",
]  # fmt: skip

#: Columns beside what is varied by which results can be grouped.
_GROUPABLE = ("protocol", "network", "processes", "links", "corrupted", "stopped", "failure", "group", "seed")
_QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


@dataclass(frozen=True)
class Statistics:
    """A measure over the runs that have some values in common.

    Args:
        values: what they have in common.
        measure: the column.
        count: runs with a number there; failed runs have none.
        mean, sd: ``low`` and ``high`` are the ends of the 95 % confidence interval of the mean (Student's t).
        least, q025, q25, median, q75, q975, most: least, quantiles, most.
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
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Fit:
    """A power law y = factor * x ** exponent, fitted by least squares on the logarithms.

    Args:
        values: what the runs have in common.
        measure, against: y and x.
        error: standard error of the exponent; ``low`` and ``high`` are the ends of its 95 % confidence interval.
        r2: share of the variance of log y that it explains.
        count: number of runs.
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
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Bound:
    """The messages that the protocol's formula expects against those that were sent.

    Args:
        values: what the runs have in common.
        count: runs with a formula; ``judged`` of them came to rest undisturbed, ``kept`` of these as expected.
        expected, messages: means.
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
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Distribution:
    """How often a measure has which value.

    Args:
        values: what the runs have in common.
        edges: of the bins, one more than counts; the last bin includes its upper edge.
        counts: runs in each bin.
    """

    values: Mapping[str, Any]
    measure: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]


def view(spark: Spark, folder: Folder, name: str = "runs") -> str:
    """Make the results that are there known to Spark SQL under this name, and give the name.

    A Spark on this machine reads the files; another one is handed the rows.
    """
    session = spark.session
    if spark.master.startswith("local") and folder.done():
        frame = session.read.parquet(folder.runs.absolute().as_uri())
    else:
        frame = session.createDataFrame(folder.table())
    frame.createOrReplaceTempView(name)
    return name


def axes_of(folder: Folder) -> list[str]:
    """The columns that make up a group, in the order of the sweep."""
    return [axis.name for axis in folder.sweep.vary if axis.grouped]


def measures_of(folder: Folder) -> list[str]:
    """What the sweep measures; messages, time and chain if it does not say."""
    return [each.name for each in folder.sweep.measure] or ["messages", "time", "chain"]


def statistics(
    spark: Spark, folder: Folder, measures: Sequence[str] | None = None, by: Sequence[str] | None = None
) -> list[Statistics]:
    """Mean, spread and quantiles of measures for every combination of values.

    Args:
        measures: columns; those of the sweep by default.
        by: columns that make up the combinations; what is varied by default.

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
        half = _student(row["_count"] - 1) * sd / math.sqrt(row["_count"]) if row["_count"] > 1 else 0.0
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
    """How a measure grows with another one, or with something that is varied: a power law for every combination.

    Runs in which one of the two is not positive are left out; combinations with fewer than three different values of
    ``against`` have no fit.

    Raises:
        BadInput: there is no such column.
    """
    keys = _keys(folder, [key for key in axes_of(folder) if key != against] if by is None else by)
    (y,) = _measures(folder, [measure])
    x = _number(folder, against)
    if by is None:  # what decides about it is no group of its own
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
        half = _student(row["_count"] - 2) * error
        found.append(
            Fit(
                {key: row[key] for key in keys}, y, x, row["_slope"], error, row["_slope"] - half, row["_slope"] + half,
                math.exp(min(max(row["_start"], -700.0), 700.0)),
                1.0 if row["_r2"] is None else row["_r2"], row["_count"],
            )
        )  # fmt: skip
    return sorted(found, key=lambda each: _rank(folder, each.values))


def bounds(spark: Spark, folder: Folder, by: Sequence[str] | None = None) -> list[Bound]:
    """The formula against what was sent, for every combination in which the protocol has one."""
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
    """What went wrong with runs that gave no result: ``failure``, ``error``, ``count`` and the first ``run``."""
    return _sql(
        spark, folder,
        f"""SELECT failure, error, count(*) AS count, min(run) AS run FROM runs WHERE failure IS NOT NULL
            GROUP BY failure, error ORDER BY count DESC, run LIMIT {most}""",
    )  # fmt: skip


def distribution(
    spark: Spark, folder: Folder, measure: str, by: Sequence[str] = (), bins: int = 20
) -> list[Distribution]:
    """How often a measure has which value, in bins that all combinations share."""
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
    """Data of small multiples: panel -> series -> points in the order of ``against``; ``None`` if there is only one."""
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
    """Write all results that are there as CSV, whole or not at all; gives the number of runs.

    Lists stand in one cell, their entries separated by spaces; of the checks only the names of violated ones.

    Raises:
        BadInput: it cannot be written.
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
        raise BadInput(f"cannot be written ({why}); choose a folder that you may write to", file=path) from None
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
    """The column of a measure, which may also be named as the sweep's file writes it."""
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
    """Whether every value of a key goes with one value of x only, as the size of a ring with its processes."""
    rows = _sql(spark, folder, f"SELECT count(DISTINCT `{x}`) AS n FROM runs WHERE failure IS NULL GROUP BY `{key}`")
    return len(rows) > 1 and max(row["n"] for row in rows) == 1


def _rank(folder: Folder, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """Orders what is varied as the sweep does, other numbers as numbers, and everything else as text."""
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


def _student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975)) if freedom > 0 else 0.0
