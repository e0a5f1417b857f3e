"""The strangest runs of a batch: those that violate a property, then those farthest from their own group, with reasons.

The distance of a run from its group is the largest of its robust z-scores over the measures: the distance from the
group's median in units of the median absolute deviation (Iglewicz and Hoaglin, How to Detect and Handle Outliers,
1993), or of the mean absolute deviation if more than half of the group are equal. The order of decisions is a further
measure: the average distance of the processes from their mean places in the group's orders (Spearman's footrule).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lydian.batch.folder import Folder, read_folder
from lydian.batch.packed import PackedArchive
from lydian.batch.spark.session import Spark
from lydian.batch.spark.summary import view
from lydian.batch.sweep.measure import USUAL
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput, shown
from lydian.model.experiment.experiment import Experiment
from lydian.model.protocol.folder import read_source
from lydian.model.reading import read_text, write_text

__all__ = ["FEWEST", "Strange", "experiment_of", "named_run", "remember", "strangest"]

#: Groups with fewer runs than this have no outliers.
FEWEST = 5
#: A run closer to its group than this is not strange.
LEAST_SCORE = 3.0
_MEASURES = (
    "messages", "time", "chain", "busiest", "dropped", "last_decision", "stabilised", "delay_longest", "decided",
)  # fmt: skip
_EXCESS, _ORDER = "excess depth", "order of decisions"
#: The measures that are easiest to understand come first.
_TELLING = (_EXCESS, "time", "chain", "messages", "stabilised", _ORDER, "dropped", "decided", "busiest")


@dataclass(frozen=True)
class Strange:
    """A run that stands out.

    Args:
        rank: 1 for the strangest.
        run, group, seed: the numbers that identify it.
        why: the reason, in words.
        measure: the measure that stands out; empty for a violated property or a failure.
        score: its robust z-score in this measure; infinite for a violated property or a failure.
        value, median: the run's number, and its group's.
        values: the varied settings, as in the columns.
        fingerprint: the fingerprint of the execution.
    """

    rank: int
    run: int
    group: int
    seed: int
    why: str
    measure: str
    score: float
    value: float | None
    median: float | None
    values: Mapping[str, Any]
    fingerprint: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def strangest(spark: Spark, folder: Folder, most: int = 10) -> list[Strange]:
    """Return the strangest of the finished runs, the strangest first.

    Runs that stand out for the same reason in the same group fill at most half of the places if there are others.
    """
    view(spark, folder)
    wanted = [*_MEASURES, *(each.name for each in folder.sweep.measure if each.name not in (*_MEASURES, "seconds"))]
    names = [name for name in wanted if name not in ("processes", "links", "expected", "violated", "corrupted")]
    names = [name for name in names if name not in ("tree_depth", "least_depth")]
    stacked = ", ".join(f"'{name}', CAST(`{name}` AS DOUBLE)" for name in names)
    session = spark.session
    session.sql(
        f"""SELECT run, `group`, measure, value FROM (
                SELECT run, `group`, stack({len(names) + 1}, {stacked},
                       '{_EXCESS}', CAST(tree_depth - least_depth AS DOUBLE)) AS (measure, value)
                FROM runs WHERE failure IS NULL)
            WHERE value IS NOT NULL
            UNION ALL
            SELECT run, `group`, '{_ORDER}' AS measure, avg(abs(place - mean)) AS value
            FROM (SELECT run, `group`, place, avg(place) OVER (PARTITION BY `group`, process) AS mean
                  FROM (SELECT run, `group`, posexplode(`order`) AS (place, process)
                        FROM runs WHERE failure IS NULL AND size(`order`) > 1))
            GROUP BY run, `group`"""
    ).createOrReplaceTempView("told")
    rows = session.sql(
        f"""WITH middle AS (SELECT `group`, measure, percentile(value, 0.5) AS median, count(*) AS size
                            FROM told GROUP BY `group`, measure),
                 apart AS (SELECT told.*, median, size, abs(value - median) AS distance
                           FROM told JOIN middle USING (`group`, measure)),
                 spread AS (SELECT `group`, measure, 1.4826 * percentile(distance, 0.5) AS mad,
                                   1.2533 * avg(distance) AS mean
                            FROM apart GROUP BY `group`, measure),
                 scored AS (SELECT apart.*, distance / IF(mad > 0, mad, mean) AS score
                            FROM apart JOIN spread USING (`group`, measure)
                            WHERE size >= {FEWEST} AND distance > 1e-9 AND IF(mad > 0, mad, mean) > 1e-12),
                 best AS (SELECT *, max(score) OVER (PARTITION BY run) AS top FROM scored)
            SELECT run, measure, score, value, median, top FROM best
            WHERE top >= {LEAST_SCORE} AND score >= top / 2 ORDER BY top DESC, run, measure LIMIT {100 * most + 100}"""
    ).collect()
    found = [_wrong(folder, row.asDict(True)) for row in _violations(session, most)]
    taken = {each.run for each in found}
    numbers: dict[int, Any] = {}
    # Among the measures that stand out at least half as much as the first, choose the one that is easiest to
    # understand.
    for row in rows:
        if row["run"] not in taken:
            known_row = numbers.setdefault(row["run"], row)
            if _telling(row["measure"]) < _telling(known_row["measure"]):
                numbers[row["run"]] = row
    known = _rows(session, list(numbers))
    orders = _orders(session, [known[run] for run in numbers if numbers[run]["measure"] == _ORDER][:most])
    for run, row in numbers.items():
        why = _why(row["measure"], row["value"], row["median"], known[run], orders)
        found.append(_strange(folder, known[run], why, row["measure"], row["top"], row["value"], row["median"]))
    return _mixed(found, most)


def remember(folder: Folder, found: Sequence[Strange]) -> None:
    """Write the strangest runs beside the results, so that ``DIR#1`` names the first of them from now on.

    A folder that is read-only keeps those that it has.
    """
    text = json.dumps([each.to_dict() for each in found], indent=1, default=str)
    with contextlib.suppress(BadInput):
        write_text(folder.path / "strangest.json", text.replace("Infinity", "1e999"))


def experiment_of(folder: Folder, run: int) -> Experiment:
    """Return an experiment that repeats the execution on its own, with nothing but this folder and LYDIAN.

    Raises:
        BadInput: there is no such run, or its values do not fit the experiment.
    """
    if not 0 <= run < folder.sweep.count:
        raise BadInput(f"unknown run {run}; choose from 0 to {folder.sweep.count - 1}", file=folder.path)

    carried = PackedArchive(folder.luggage)
    experiment = folder.sweep.experiment(run, carried)
    stem, source = folder.luggage.protocols[Path(experiment.protocol).as_posix()]
    protocol = f"./{experiment.protocol}"
    shelves = archive()
    known = shelves.find("protocols", stem) if stem in shelves.names("protocols") else None
    if known is not None and read_source(known).replace("\r\n", "\n") == source:
        protocol = stem
    else:
        file = folder.path / experiment.protocol
        if not file.is_file():
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                why = (error.strerror or str(error)).lower()
                raise BadInput(f"cannot be written ({why})", file=file) from None
            write_text(file, source)
    network = experiment.network
    if isinstance(network, str) and network in folder.luggage.networks:
        network = carried.network(network)
    name = f"{folder.sweep.name}-{run}"
    about = ", ".join(f"{key} {value}" for key, value in folder.sweep.run(run).shown.items())
    about = f"Run {run} of the sweep {folder.sweep.name}{': ' + about if about else ''}."
    path = (folder.path / f"{name}.toml").absolute()
    return experiment.with_(name=name, about=about, protocol=protocol, network=network, path=path)


def named_run(ref: str) -> tuple[Folder, int] | None:
    """Return the folder and run named by ``DIR#3`` (the third strangest) or ``DIR#run=17``; ``None`` for other text.

    Raises:
        BadInput: the folder is a batch, but there is no such run.
    """
    path, mark, which = ref.rpartition("#")
    if not mark or not Path(path).is_dir() or Path(ref).exists():
        return None
    folder = read_folder(path)
    key, equals, number = which.partition("=")
    if not (number if equals else which).isdecimal() or (equals and key != "run"):
        raise BadInput(f"{shown(which)} does not name a run; write {path}#1 for the strangest, or {path}#run=17")
    if equals:
        return folder, int(number)
    file = folder.path / "strangest.json"
    if not file.is_file():
        raise BadInput(f"the strangest runs have not been found yet; run lydian batch show {path} first", file=path)
    known = json.loads(read_text(file, "the strangest runs"))
    if not 1 <= int(which) <= len(known):
        there = f"choose from 1 to {len(known)}" if known else "the list is empty"
        raise BadInput(f"unknown number {which} among the strangest runs; {there}", file=path)
    return folder, int(known[int(which) - 1]["run"])


# ---------------------------------------------------------------------------------------------------- helpers


def _violations(session: Any, most: int) -> list[Any]:
    """Return runs that violate a property or whose protocol failed: the earliest of each kind and group, rare kinds
    first.
    """
    rows: list[Any] = session.sql(
        f"""WITH wrong AS (SELECT *, coalesce(failure, concat_ws('; ', transform(
                               filter(checks, c -> c.holds = false), c -> c.name))) AS _kind
                           FROM runs WHERE violated > 0 OR failure = 'protocol'),
                 counted AS (SELECT *, row_number() OVER (PARTITION BY _kind, `group` ORDER BY run) AS _place,
                                    count(*) OVER (PARTITION BY _kind) AS _common FROM wrong)
            SELECT * FROM counted ORDER BY _place, _common, run LIMIT {most}"""
    ).collect()
    return rows


def _wrong(folder: Folder, row: Mapping[str, Any]) -> Strange:
    if row["failure"] is not None:
        why = f"the protocol failed: {row['error']}"
    else:
        broken = [check["name"] for check in row["checks"] if check["holds"] is False]
        formula = [check["name"] for check in row["checks"] if check["holds"] is False and check["kind"] == "messages"]
        others = [name for name in broken if name not in formula]
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        due = f"{row['messages']} messages instead of the expected {row['expected'] or 0:g}"
        why = f'violates "{others[0]}"{more}' if others else due
    return _strange(folder, row, why, "", float("inf"), None, None)


def _strange(
    folder: Folder, row: Mapping[str, Any], why: str, measure: str, score: float, value: Any, median: Any
) -> Strange:
    values = {axis.name: row[axis.name] for axis in folder.sweep.vary}
    return Strange(
        0, row["run"], row["group"], row["seed"], why, measure, score, value, median, values, row["fingerprint"]
    )


def _rows(session: Any, runs: Sequence[int]) -> dict[int, dict[str, Any]]:
    if not runs:
        return {}
    chosen = ", ".join(map(str, runs))
    found = session.sql(f"SELECT * FROM runs WHERE run IN ({chosen})").collect()
    return {row["run"]: row.asDict(True) for row in found}


def _orders(session: Any, rows: Sequence[Mapping[str, Any]]) -> dict[tuple[int, str], float]:
    """Map group and process to the mean place in the order of decisions, for the groups of these runs."""
    groups = ", ".join(str(group) for group in sorted({row["group"] for row in rows}))
    if not groups:
        return {}
    found = session.sql(
        f"""SELECT `group`, process, avg(place) AS mean
            FROM (SELECT `group`, posexplode(`order`) AS (place, process) FROM runs WHERE `group` IN ({groups}))
            GROUP BY `group`, process"""
    ).collect()
    return {(row["group"], row["process"]): row["mean"] for row in found}


def _telling(measure: str) -> int:
    """Return the rank of a measure by how easy it is to understand, the easiest first."""
    return _TELLING.index(measure) if measure in _TELLING else len(_TELLING)


def _why(
    measure: str, value: float, median: float, row: Mapping[str, Any], orders: Mapping[tuple[int, str], float]
) -> str:
    """Return the reason in words."""
    times = value / median if median > 0 else 0.0
    if measure == _EXCESS:
        return f"tree {row['tree_depth']} deep where {row['least_depth']} would do"
    if measure == _ORDER:
        places = {p: (i, orders.get((row["group"], p), float(i))) for i, p in enumerate(row["order"])}
        if not places:
            return "decides in a different order from its group"
        far = max(places, key=lambda p: abs(places[p][0] - places[p][1]))
        place, usual = places[far]
        return f"process {far} is {_th(place + 1)} to decide, usually {_th(round(usual) + 1)}"
    if measure == "time":
        return f"takes {_times(times)} as long as its group" if times >= 2 else _plainly("ends at", value, median)
    if measure == "chain":
        return _plainly("longest chain", value, median)
    if measure == "stabilised":
        said = f"takes {_times(times)} as long to stabilise as its group"
        return said if times >= 2 else _plainly("stabilises at", value, median)
    if measure == "messages":
        return f"{_number(value)} messages; median {_number(median)}"
    if measure == "busiest":
        return f"the busiest process handles {_number(value)} messages; median {_number(median)}"
    if measure == "dropped":
        return f"{_number(value)} messages lost; median {_number(median)}"
    return _plainly(USUAL.get(measure, measure.replace("_", " ")), value, median)


def _plainly(what: str, value: float, median: float) -> str:
    return f"{what} {_number(value)}; median {_number(median)}"


def _times(ratio: float) -> str:
    return f"{ratio:.3g}×" if ratio < 1000 else f"{ratio:,.0f}×"


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}"


def _th(place: int) -> str:
    if place == 1:
        return "first"
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def _mixed(found: Sequence[Strange], most: int) -> list[Strange]:
    """Return the first runs, but at most half for any one reason, and at most a quarter for one reason in one group."""
    from collections import Counter
    from dataclasses import replace

    seen: Counter[Any] = Counter()
    first: list[Strange] = []
    later: list[Strange] = []
    for each in found:
        reason = each.measure or each.why.split(":")[0]
        seen.update([reason, (reason, each.group)])
        few = seen[reason] <= max(1, most // 2) and seen[reason, each.group] <= max(1, most // 4)
        (first if few else later).append(each)
    return [replace(each, rank=rank) for rank, each in enumerate([*first, *later][:most], 1)]
