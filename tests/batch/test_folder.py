"""The folder of a batch: its parts are complete or absent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.batch.child import Executor
from lydian.batch.estimate import LONGEST, Estimate, estimate, part_size, slices, trial_runs
from lydian.batch.folder import Claim, Folder, Order, read_folder
from lydian.batch.packed import pack
from lydian.batch.rows import schema
from lydian.batch.spark.summary import export_csv
from lydian.batch.spark.surprise import experiment_of, named_run
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput
from tests.batch.conftest import sweep_of


@given(st.integers(1, 5000))
def test_the_order_visits_each_run_once(count):
    order = Order(count)
    assert sorted(order.runs(0, count)) == list(range(count))
    assert order.runs(3, 7) == [order.run(i) for i in range(3, min(7, count))]


@pytest.fixture(scope="module")
def rows():
    import pyarrow as pa

    executor = Executor(pack(sweep_of()))

    def make(runs):
        return pa.Table.from_pylist([executor.run(run) for run in runs], schema=schema(sweep_of().measure, False))

    return make


@pytest.fixture
def folder(tmp_path):
    return Folder.create(tmp_path / "out", pack(sweep_of()), 20, False)


def test_a_part_is_written_and_read_back(folder, rows):
    folder.write(0, rows(folder.members(0)))
    assert (folder.parts, folder.done()) == (2, [0])
    again = read_folder(folder.path)
    table = again.table()
    assert table.num_rows == 20
    assert table.column("run").to_pylist() == sorted(folder.members(0))
    first = {name: table.column(name)[0].as_py() for name in ("seed", "n", "kind", "delay", "group")}
    run = folder.sweep.run(table.column("run")[0].as_py())
    assert first == {"seed": run.seed, "group": run.group, **run.shown}
    assert export_csv(again, folder.path.parent / "x.csv") == 20
    lines = (folder.path.parent / "x.csv").read_text().splitlines()
    assert len(lines) == 21
    assert lines[0].startswith('"run","group","seed","n","kind","delay"')


def test_half_written_parts_are_ignored(folder, rows):
    (folder.runs / ".part-000001.parquet.part").write_bytes(b"PAR1 and no more")
    assert folder.done() == []
    assert folder.table().num_rows == 0
    folder.tidy()
    assert list(folder.runs.iterdir()) == []


def test_unexpected_runs_are_refused(folder, rows):
    with pytest.raises(BadInput, match="runs other than"):
        folder.write(0, rows([1, 2, 3]))
    assert folder.done() == []


def test_a_folder_with_other_content_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BadInput, match="this folder contains other files"):
        Folder.create(tmp_path, pack(sweep_of()), 10, False)
    with pytest.raises(BadInput, match=r"no sweep\.json"):
        read_folder(tmp_path)
    (tmp_path / "sweep.json").write_text("{")
    with pytest.raises(BadInput, match="cannot be read"):
        read_folder(tmp_path)


def test_one_job_at_a_time(folder):
    claim = Claim(folder.path)
    with pytest.raises(BadInput, match="another job"):
        Claim(folder.path)
    claim.release()
    Claim(folder.path).release()


def test_a_run_is_reconstructed_from_the_folder_alone(folder):
    found, run = named_run(f"{folder.path}#run=17")
    experiment = experiment_of(found, run)
    row = Executor(folder.luggage).run(17)
    assert Simulator(experiment).run().fingerprint == row["fingerprint"]
    assert named_run(str(folder.path)) is None
    with pytest.raises(BadInput, match="the strangest runs have not been found yet"):
        named_run(f"{folder.path}#1")
    with pytest.raises(BadInput, match="unknown run 99"):
        experiment_of(folder, 99)
    with pytest.raises(BadInput, match="does not name a run"):
        named_run(f"{folder.path}#first")


def test_a_trial_that_is_cut_short_is_not_a_failure_of_the_sweep():
    class Slow:
        def run(self, index, trace=False):
            return {"run": index, "failure": "time", "error": "took longer", "seconds": seconds}

    sweep = sweep_of()
    for seconds, fails in ((LONGEST + 0.1, sweep.limits.seconds <= LONGEST + 0.1), (1.0, True)):
        plan = estimate(pack(sweep), runner=Slow())
        assert [bool(row["failure"]) for row in plan.trials] == [fails] * len(plan.trials), seconds
    assert sweep.limits.seconds > LONGEST + 0.1, "else nothing was tried"


def test_the_estimate():
    sweep = sweep_of()
    plan = estimate(pack(sweep))
    assert (plan.runs, plan.groups) == (32, 8)
    assert plan.quickest <= plan.seconds / 32 <= plan.slowest
    assert plan.bytes > 0
    assert {0, 28} <= set(trial_runs(sweep))  # both ends of the grid
    assert 1 <= part_size(plan, 2, False) <= 32
    even = Estimate(300, 1, 30.0, 1, 0.1, 0.1, ())
    assert part_size(even, 2, False) == 120
    assert slices(even, 120, 2, False) == slices(None, 120, 2, True) == 4
    assert slices(even, 120, 2, True) == 16  # 0.75 s of work each
    assert slices(even, 60, 2, True) == 8
    assert slices(even, 3, 2, False) == 3
    with pytest.raises(BadInput, match=r"no run is possible.*cannot run here"):
        estimate(pack(sweep_of(vary=[{"field": "network", "values": ["one-way-ring-5"]}])))
