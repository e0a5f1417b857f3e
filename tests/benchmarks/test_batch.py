"""Batches on Spark compared with a simple pool of two processes and with one process; the start of Spark is separate.

All of them do the same work: the row of each run, as :class:`lydian.batch.child.Executor` creates it.
On an idle machine::

    make bench ARGS="-k test_batch"
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lydian.batch.child import Executor
from lydian.batch.packed import Packed, pack
from lydian.batch.spark.job import Job, Progress
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.batch.sweep.sweep import Sweep
from lydian.model.childprocess import environment
from tests.batch.processes import family
from tests.benchmarks.conftest import Report

_executor: Executor | None = None


def _begin(text: str) -> None:
    global _executor
    _executor = Executor(Packed.from_json(text))


def _one(index: int) -> dict[str, Any]:
    assert _executor is not None
    return _executor.run(index)


def sweep(spec: str, count: int, check: bool) -> Sweep:
    base = {"protocol": "echo", "network": spec, "timing": {"delay": "exponential(mean=1)"}}
    if not check:
        base["check"] = {"while_running": False}
    return sweep_from({"name": "bench", "experiment": base, "seeds": count})


@pytest.fixture(scope="module")
def spark() -> Any:
    pytest.importorskip("pyspark", reason="pyspark is missing; the extra spark brings it")
    from lydian.batch.spark.session import Spark

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
def test_comparison_with_a_pool(
    name: str, spec: str, count: int, check: bool, least: float, spark: Any, tmp_path: Path, report: Report
) -> None:
    wanted = sweep(spec, count, check)
    on_spark(sweep(spec, 100, check), tmp_path / "warm", spark)
    times: dict[str, list[float]] = {"one": [], "pool": [], "spark": []}
    for turn in range(2):  # they take turns, so that a busy moment affects all of them
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
    assert pool / batch > least / 2  # the machine is shared; the numbers show the rest


#: Seconds for runs of about 100 ms each on the cores of the master, after everything has been loaded.
ON_ITS_OWN = """\
import sys
from pathlib import Path
from tests.benchmarks.test_batch import on_spark, sweep
from lydian.batch.spark.session import Spark
with Spark(sys.argv[1]) as spark:
    folder = Path(sys.argv[2])
    on_spark(sweep("gnm:200,2000,seed=1", 40, False), folder / "warm", spark)
    print(on_spark(sweep("gnm:200,2000,seed=1", 200, False), folder / "long", spark))
"""


def test_scaling_from_one_core_to_two(tmp_path: Path, report: Report) -> None:
    pytest.importorskip("pyspark", reason="pyspark is missing; the extra spark brings it")
    times: dict[int, list[float]] = {1: [], 2: []}
    for turn in range(2):
        for cores, found in times.items():
            words = [sys.executable, "-c", ON_ITS_OWN, f"local[{cores}]", str(tmp_path / f"{turn}-{cores}")]
            done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=True)
            found.append(float(done.stdout))
    ratio = min(times[1]) / min(times[2])
    report.add("batch: long runs, two cores to one", ratio, "", "at least 1.8")
    assert ratio > 1.0  # the machine is shared; the number shows the rest


def resident() -> dict[str, float]:
    """Return the megabytes in memory: of this process, Java, Spark's Python processes and the simulators."""
    found = dict.fromkeys(("driver", "Java", "workers", "simulators"), 0.0)
    for pid in family(os.getpid()):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except (OSError, IndexError, ValueError):
            continue
        kinds = (("lydian.batch.child", "simulators"), ("bin/java", "Java"), ("pyspark", "workers"))
        kind = next((kind for word, kind in kinds if word.encode() in words), "")
        kind = "driver" if pid == os.getpid() else kind
        if kind:
            found[kind] += pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_memory_does_not_grow(spark: Any, tmp_path: Path, report: Report) -> None:
    """Ten thousand runs of Echo on 30 processes need no more memory at the end than after a quarter."""
    count = 10_000
    wanted = sweep("gnm:30,60,seed=1", count, False)
    marks = [count // 4, count // 2, count]
    seen: list[dict[str, float]] = []

    def look(progress: Progress) -> None:
        while progress.done and len(seen) < len(marks) and progress.done >= marks[len(seen)]:
            seen.append(resident())

    start = time.perf_counter()
    ended = Job(wanted, tmp_path / "many", spark=spark, part=1250, tell=look).run()
    report.add("batch: ten thousand runs", time.perf_counter() - start, "s")
    for kind in seen[0]:
        told = ", ".join(f"{each[kind]:.0f}" for each in seen)
        report.add(f"batch: {kind} after all runs", seen[-1][kind], "MB", f"1/4, 1/2, 1: {told}")
    table = ended.folder.table(["run", "failure", "messages", "seed"])
    assert table.column("run").to_pylist() == list(range(count))
    assert table.column("seed").to_pylist() == list(range(count))
    assert table.column("failure").null_count == count
    assert set(table.column("messages").to_pylist()) == {4 * 60 - 2 * (30 - 1)}
    assert (ended.state, ended.progress.done, ended.progress.failed) == ("done", count, 0)
    assert len(seen) == 3
    first, last = seen[0], seen[-1]
    for kind in ("driver", "workers", "simulators"):
        assert first[kind] > 0
        assert last[kind] < 1.2 * first[kind] + 30, kind
    assert last["Java"] < 1_600  # its heap is bounded by one gigabyte, which it may fill slowly
