"""The ranking in memory, which equals the one from Spark."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lydian.batch.oddest import oddest
from lydian.views.plots.options import Wish
from lydian.views.plots.plots import plot_of
from lydian.views.plots.read import Reader
from tests.batchfolder import folder_of

CRASHING = {
    "name": "crashing",
    "vary": [{"name": "crashes", "values": [0, 2]}],
    "faults": [{"do": "crash", "count": "{crashes}", "among": "others", "time": "uniform(0, 6)"}],
    "measure": ["messages", "by_kind.Ack.sent"],
}


@pytest.fixture(scope="module", params=["delays", "crashes"])
def folder(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("odd") / request.param
    changes = CRASHING if request.param == "crashes" else {}
    return folder_of(path, seeds=12, part=30, failing=(3,), **changes)


def test_the_strangest_runs_are_farthest_from_their_groups(folder):
    table = folder.table()
    found = oddest(folder, table, 6)
    assert [each.rank for each in found] == list(range(1, len(found) + 1)) and found
    if any(each.score == float("inf") for each in found):
        assert found[0].score == float("inf") and "violates" in found[0].why  # violated properties first
    assert 3 not in [each.run for each in found]  # a run without a result is not among them
    rows = {row["run"]: row for row in table.to_pylist()}
    for each in found:
        row = rows[each.run]
        assert (each.group, each.seed, each.fingerprint) == (row["group"], row["seed"], row["fingerprint"])
        if each.measure in row:
            mine = [r[each.measure] for r in rows.values() if r["group"] == each.group and r[each.measure] is not None]
            assert each.value == row[each.measure] and each.median == np.median(mine)


def test_an_empty_table_has_no_strange_runs(folder):
    assert oddest(folder, folder.table().slice(0, 0)) == []


@pytest.mark.slow
@pytest.mark.spark
def test_spark_finds_the_same_runs(folder, spark):
    from lydian.batch.spark.summary import fit, statistics
    from lydian.batch.spark.surprise import strangest

    here, there = oddest(folder, folder.table(), 10), strangest(spark, folder, 10)
    assert [replace(each, score=0, value=0) for each in here] == [replace(each, score=0, value=0) for each in there]
    assert [each.score for each in here] == pytest.approx([each.score for each in there])
    (axis, *_rest) = [axis.name for axis in folder.sweep.vary]
    results = Reader(folder.path).read().results
    plot = plot_of(results, Wish("messages", axis, kind="mean"))
    mine = [point.summary for point in plot.panels[0].series[0].points]
    theirs = statistics(spark, folder, ["messages"], [axis])
    for name in ("count", "mean", "low", "high", "least", "q025", "q25", "median", "q75", "q975", "most"):
        assert [getattr(s, name) for s in mine] == pytest.approx([getattr(s, name) for s in theirs]), name
    if axis == "n":
        (power,) = fit(spark, folder, "messages", "n", [])
        law = plot_of(results, Wish("messages", "n", fit=True)).panels[0].series[0].fit
        assert (law.exponent, law.error, law.factor, law.r2) == pytest.approx(
            (power.exponent, power.error, power.factor, power.r2)
        )
