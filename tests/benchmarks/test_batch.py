"""Batches on Spark against a plain pool of two processes and against one process; the start of Spark apart.

The same work in all of them: the row of each run, as :class:`lydian.batch.child.Executor` makes it.
"""

from __future__ import annotations

import multiprocessing
import resource
import time
from pathlib import Path
from typing import Any

import pytest

from lydian.batch.child import Executor
from lydian.batch.job import Job
from lydian.batch.luggage import Luggage, pack
from lydian.batch.sweep import Sweep
from tests.benchmarks.conftest import Report

_executor: Executor | None = None


def _begin(text: str) -> None:
    global _executor
    _executor = Executor(Luggage.from_json(text))


def _one(index: int) -> dict[str, Any]:
    assert _executor is not None
    return _executor.run(index)


def sweep(spec: str, count: int, check: bool) -> Sweep:
    base = {"protocol": "echo", "network": spec, "timing": {"delay": "exponential(mean=1)"}}
    if not check:
        base["check"] = {"while_running": False}
    return Sweep.from_dict({"name": "bench", "experiment": base, "seeds": count})


@pytest.fixture(scope="module")
def spark() -> Any:
    pytest.importorskip("pyspark", reason="pyspark is missing; the extra spark brings it")
    from lydian.batch.session import Spark

    start = time.perf_counter()
    with Spark("local[2]") as found:
        found.started = time.perf_counter() - start  # type: ignore[attr-defined]
        yield found


def one_process(wanted: Sweep) -> float:
    executor = Executor(pack(wanted))
    executor.run(0)
    start = time.perf_counter()
    for index in range(wanted.count):
        executor.run(index)
    return time.perf_counter() - start


def pool_of_two(wanted: Sweep) -> float:
    context = multiprocessing.get_context("spawn")
    with context.Pool(2, _begin, (pack(wanted).to_json(),)) as pool:
        pool.map(_one, [0, 0], chunksize=1)
        start = time.perf_counter()
        pool.map(_one, range(wanted.count), chunksize=max(1, wanted.count // 64))
        return time.perf_counter() - start


def on_spark(wanted: Sweep, folder: Path, spark: Any) -> float:
    ended = Job(wanted, folder, spark=spark).run()
    assert ended.progress.done == wanted.count
    assert ended.progress.failed == 0
    return ended.progress.seconds


@pytest.mark.parametrize(
    ("name", "spec", "count", "check", "least"),
    [("short", "gnm:30,60,seed=1", 2000, False, 0.7), ("long", "gnm:200,2000,seed=1", 300, False, 0.9)],
)
def test_against_a_pool(
    name: str, spec: str, count: int, check: bool, least: float, spark: Any, tmp_path: Path, report: Report
) -> None:
    wanted = sweep(spec, count, check)
    on_spark(sweep(spec, 100, check), tmp_path / "warm", spark)
    times: dict[str, list[float]] = {"one": [], "pool": [], "spark": []}
    for turn in range(2):  # they take turns, so that a busy moment hits all of them
        times["one"].append(one_process(wanted))
        times["pool"].append(pool_of_two(wanted))
        times["spark"].append(on_spark(wanted, tmp_path / f"{name}{turn}", spark))
    one, pool, batch = (min(found) for found in times.values())
    report.add(f"batch: {name} runs, one process", count / one, "runs/s")
    report.add(f"batch: {name} runs, pool of two", count / pool, "runs/s")
    report.add(f"batch: {name} runs, Spark", count / batch, "runs/s")
    report.add(f"batch: {name} runs, Spark to pool", pool / batch, "", f"at least {least}")
    report.add(f"batch: {name} runs, Spark to one process", one / batch, "")
    report.add("batch: start of Spark", spark.started, "s")
    assert pool / batch > least / 2  # the machine is shared; the figures say the rest


def test_memory_does_not_grow(spark: Any, tmp_path: Path, report: Report) -> None:
    """Ten thousand runs of Echo on 30 processes, and what this process takes for it."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    on_spark(sweep("gnm:30,60,seed=1", 10_000, False), tmp_path / "many", spark)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    report.add("batch: ten thousand runs", time.perf_counter() - start, "s")
    report.add("batch: memory for ten thousand runs", grown, "MB", "below 300")
    assert grown < 300
