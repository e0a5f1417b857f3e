"""Batches on a real Spark: the same rows as without it, stopping and resuming, statistics, the strangest runs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lydian.batch.child import Executor
from lydian.batch.packed import pack
from lydian.batch.replay import replay
from lydian.batch.rows import schema
from lydian.batch.spark import summary
from lydian.batch.spark.job import Job
from lydian.batch.spark.surprise import experiment_of, named_run, remember, strangest
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput
from lydian.trace.parquet.file import load
from tests.batch.conftest import comparable, sweep_of
from tests.batchfolder import folder_of

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def directly(luggage):
    """Return the rows of a loop in this process, with the columns that the folder adds."""
    executor, sweep = Executor(luggage), luggage.sweep
    rows = []
    for run in sweep.runs:
        row = dict.fromkeys(schema(sweep.measure, False).names) | executor.run(run.index)
        rows.append({**row, "group": run.group, "seed": run.seed, **run.shown})
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


@pytest.fixture(scope="module")
def small(spark, tmp_path_factory):
    """Run the small sweep to the end, with traces."""
    told = []
    job = Job(
        sweep_of(seeds=8), tmp_path_factory.mktemp("small") / "out", spark=spark, traces=True, tell=told.append, part=20
    )
    ended = job.run()
    assert (ended.state, ended.exit_code) == ("done", 0)
    assert [p.state for p in told][:1] == ["trying"]
    assert told[-1].done == told[-1].total == 64
    assert told[-1].groups == dict.fromkeys(range(8), 8)
    assert [p.done for p in told] == sorted(p.done for p in told)
    return ended.folder


def test_the_rows_equal_those_of_a_simple_loop(small):
    assert comparable(small.table()) == directly(small.luggage)


def test_traces_are_read_by_lydian_and_by_spark(small, spark):
    row = small.table().slice(17, 1).to_pylist()[0]
    trace = load(small.trace_file(17))
    assert trace.fingerprint() == row["fingerprint"]
    frame = spark.session.read.parquet(str(small.path / "traces"))
    counted = {r["run"]: r["count"] for r in frame.groupBy("run").count().collect()}
    assert counted == {row["run"]: row["events"] for row in small.table().to_pylist()}
    assert frame.where("run = 17").agg({"time": "max"}).collect()[0][0] == trace.rows["time"].max()


def test_traces_are_judged_again(small, spark, tmp_path):
    found = replay(spark, small.path)
    assert [each.run for each in found] == list(range(64))
    assert not any(each.error or each.violated for each in found)
    assert [each.fingerprint for each in found] == small.table().column("fingerprint").to_pylist()
    source = load(small.trace_file(0)).source
    (tmp_path / "echo.py").write_text(
        source + '\n\n@always("at most four messages in transit")\ndef four(c):\n    return len(c.in_transit) <= 4\n'
    )
    again = replay(spark, small.path, str(tmp_path / "echo.py"))
    assert {name for each in again for name in each.violated} == {"at most four messages in transit"}


def test_statistics_match_numpy(small, spark):
    rows = [row for row in small.table().to_pylist() if row["kind"] == "random" and row["n"] == 9]
    times = np.array([row["time"] for row in rows if row["delay"].startswith("exp")])
    found = summary.statistics(spark, small)
    assert [each.values["n"] for each in found[::3]] == [5, 5, 5, 5, 9, 9, 9, 9]
    (one,) = [
        each for each in found
        if each.measure == "time" and each.values == {"n": 9, "kind": "random", "delay": "exponential(mean=1)"}
    ]  # fmt: skip
    assert (one.count, one.least, one.most) == (8, times.min(), times.max())
    assert one.mean == pytest.approx(times.mean())
    assert one.sd == pytest.approx(times.std(ddof=1))
    assert (one.q25, one.median, one.q975) == pytest.approx(tuple(np.quantile(times, (0.25, 0.5, 0.975))))
    assert one.high - one.mean == pytest.approx(2.3646 * one.sd / math.sqrt(8), rel=1e-4)
    panels = summary.multiples(spark, small, "time", "n", panel="kind", series="delay")
    assert list(panels) == ["ring", "random"]
    assert [point.values["n"] for point in panels["ring"]["constant(1)"]] == [5, 9]


def test_distributions_count_every_run(small, spark):
    found = summary.distribution(spark, small, "time", ["kind"], bins=5)
    assert [each.values for each in found] == [{"kind": "ring"}, {"kind": "random"}]
    times = [row["time"] for row in small.table().to_pylist() if row["kind"] == "ring"]
    assert list(found[0].counts) == np.histogram(times, np.array(found[0].edges))[0].tolist()


def test_the_formula(small, spark):
    found = summary.bounds(spark, small, ["kind"])
    assert [(each.values["kind"], each.judged, each.kept, each.most) for each in found] == [
        ("ring", 32, 32, 1.0), ("random", 32, 32, 1.0),
    ]  # fmt: skip


def test_a_power_law(spark, tmp_path):
    vary = [{"name": "n", "values": [4, 8, 16, 32]}, {"field": "network", "values": ["complete:{n}"]}]
    folder = folder_of(tmp_path / "out", vary=vary, seeds=1)
    (found,) = summary.fit(spark, folder, "messages", "n")
    x, y = np.log([4, 8, 16, 32]), np.log([2.0 * (n - 1) ** 2 for n in (4, 8, 16, 32)])
    slope, start = np.polyfit(x, y, 1)
    assert (found.exponent, found.factor, found.count) == (pytest.approx(slope), pytest.approx(math.exp(start)), 4)
    left = y - slope * x - start
    error = math.sqrt(left @ left / 2 / ((x - x.mean()) @ (x - x.mean())))
    assert found.error == pytest.approx(error)
    assert summary.fit(spark, folder, "messages")[0].values == {}  # each network has a single n
    with pytest.raises(BadInput, match=r"unknown measure 'mesages' \(did you mean 'messages'"):
        summary.fit(spark, folder, "mesages")


def test_the_manipulated_run_is_the_strangest(spark, tmp_path):
    """One link in one run of forty takes ninety units; another run violates a property."""
    slow = ["constant(1)"] * 39 + ["constant(90)"]
    base = {"protocol": "echo", "network": "two-wings", "timing": {"delay": "uniform(0.9, 1.1)"}}
    vary = [
        {"name": "slow", "field": "timing.links.0-1", "values": slow, "labels": [f"s{i}" for i in range(40)],
         "grouped": False},
        {"name": "k", "values": [0] * 39 + [1], "grouped": False},
    ]  # fmt: skip
    zipped = [["slow", "k"]]
    folder = folder_of(tmp_path / "out", experiment=base, vary=vary, zip=zipped, seeds=1, measure=["time"])
    first, *others = strangest(spark, folder, 5)
    assert (first.run, first.rank, first.group) == (39, 1, 0)
    assert first.why.startswith(("takes", "tree"))
    assert first.score > 10
    assert all(each.score < first.score for each in others)
    remember(folder, [first, *others])
    assert named_run(f"{folder.path}#1")[1] == 39
    assert Simulator(experiment_of(folder, 39)).run().fingerprint == first.fingerprint
    with pytest.raises(BadInput, match="unknown number 99 among the strangest runs"):
        named_run(f"{folder.path}#99")


def test_violations_come_first(spark, tmp_path):
    base = {"protocol": "echo", "network": "two-wings"}
    vary = [{"name": "k", "values": [0, 1]}]
    faults = [{"do": "crash", "count": "{k}", "among": "others", "time": 0.5}]
    folder = folder_of(tmp_path / "o", experiment=base, vary=vary, faults=faults, seeds=6, breaks=["all"])
    found = strangest(spark, folder, 3)
    assert found[0].values == {"k": 1}
    assert found[0].why == 'violates "the initiator learns that every process has the news"'


def test_a_crashing_run_is_a_row(spark, tmp_path):
    (tmp_path / "bad.py").write_text(
        "import ctypes\nfrom lydian import INIT, Process, on, parameter, states\n(A,) = states('a')\n"
        "class Bad(Process):\n    state = A\n    how = parameter(0)\n    @on(A, INIT)\n    def start(self):\n"
        "        if self.how == 1:\n            ctypes.string_at(0)\n"
    )
    base = {"protocol": str(tmp_path / "bad.py"), "network": "ring:4"}
    sweep = sweep_of(
        experiment=base, vary=[{"name": "how", "field": "parameters.how", "values": [0, 1, 0]}], seeds=2, measure=[]
    )
    ended = Job(sweep, tmp_path / "out", spark=spark).run()
    assert ended.folder.table().column("failure").to_pylist() == [None, None, "crash", "crash", None, None]
    assert (ended.progress.failed, ended.exit_code) == (2, 1)
    (failure,) = summary.failures(spark, ended.folder)
    assert (failure["failure"], failure["count"], failure["run"]) == ("crash", 2, 2)


def test_a_stopped_batch_is_resumed(spark, tmp_path):
    sweep = sweep_of(seeds=8)
    jobs = []

    def stop(progress):
        if progress.done >= 16:
            jobs[0].cancel()

    jobs.append(Job(sweep, tmp_path / "out", spark=spark, tell=stop, part=16))
    stopped = jobs[0].run()
    kept = {file.name: file.read_bytes() for file in stopped.folder.runs.iterdir()}
    assert (stopped.state, stopped.exit_code) == ("cancelled", 130)
    assert 16 <= stopped.progress.done < 64
    assert len(kept) * 16 == stopped.progress.done
    with pytest.raises(BadInput, match="already contains the results of a batch"):
        Job(sweep, tmp_path / "out", spark=spark)
    with pytest.raises(BadInput, match="another sweep"):
        Job(sweep_of(seeds=9), tmp_path / "out", spark=spark, resume=True)
    ended = Job(sweep, tmp_path / "out", spark=spark, resume=True).run()
    assert (ended.state, ended.progress.before, ended.progress.done) == ("done", len(kept) * 16, 64)
    assert {name: (ended.folder.runs / name).read_bytes() for name in kept} == kept
    assert comparable(ended.folder.table()) == directly(pack(sweep))


def test_a_batch_cancelled_during_its_trials(spark, tmp_path):
    jobs = []
    jobs.append(Job(sweep_of(), tmp_path / "out", spark=spark, tell=lambda progress: jobs[0].cancel()))
    jobs[0].start()
    ended = jobs[0].wait()
    assert (ended.state, ended.progress.done) == ("cancelled", 0)
