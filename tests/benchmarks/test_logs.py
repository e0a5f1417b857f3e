"""Large logs: on Spark compared with one process, and a log that grows compared with reading it anew.

The log is that of :mod:`tests.benchmarks.biglog`. ``LYDIAN_LOG_EVENTS`` sets its number of events, such as ten million,
and ``LYDIAN_CORES`` the number of Spark's cores. On an idle machine::

    make bench ARGS="-k test_logs"
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from lydian.formats.logs.growing import Growing
from lydian.formats.logs.importer import import_text
from lydian.model.childprocess import environment
from lydian.trace.parquet.file import load
from tests.benchmarks.biglog import write
from tests.benchmarks.conftest import Report
from tests.classroom.crowd import children, memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

EVENTS = int(os.environ.get("LYDIAN_LOG_EVENTS", "200_000"))
CORES = int(os.environ.get("LYDIAN_CORES", "2"))
#: The lines of the log that grows, and of each addition to it.
LINES, MORE = 100_000, 1_000
#: The programs that import a log and print the seconds, without the time until Python and Spark have started.
ONE = """
import sys, time
from pathlib import Path
from lydian.formats.logs.importer import import_log
from lydian.trace.parquet.file import save
since = time.perf_counter()
(found,) = import_log(Path(sys.argv[1]))
save(found.trace, Path(sys.argv[2]))
print(time.perf_counter() - since)
"""
SPARK = """
import sys, time
from pathlib import Path
from lydian.batch.spark.logs import import_logs
moments = []
import_logs([Path(sys.argv[1])], Path(sys.argv[2]), sys.argv[3], tell=lambda _: moments.append(time.perf_counter()))
print(time.perf_counter() - moments[0])
"""


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    try:
        return [pid, *(each for child in children(pid) for each in family(child))]
    except FileNotFoundError:
        return []


class Peak:
    """The largest memory that a process and its descendants had together, in megabytes."""

    def __init__(self) -> None:
        self.most = 0.0


@contextmanager
def watched(pid: int) -> Iterator[Peak]:
    """Look at the memory of a process and its descendants while the block runs."""
    peak, over = Peak(), threading.Event()

    def look() -> None:
        while not over.wait(0.05):
            total = 0.0
            for each in family(pid):
                try:
                    total += memory(each)
                except (FileNotFoundError, ProcessLookupError, StopIteration):  # it has just ended
                    continue
            peak.most = max(peak.most, total)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def measured_import(code: str, *words: str) -> tuple[float, float]:
    """Return the seconds that an import takes, and its memory in megabytes."""
    child = subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, env=environment())
    with watched(child.pid) as peak:
        out, _ = child.communicate()
    assert child.returncode == 0
    return float(out.split()[-1]), peak.most


def test_a_large_log_on_spark_is_the_same_as_in_one_process(report: Report, tmp_path: Path) -> None:
    """The counts and the rows are equal; the ratio and the memory are reported, and memory is bounded by the log."""
    pytest.importorskip("pyspark", reason="pyspark is missing; the extra spark brings it")
    log, one, many = tmp_path / "big.log", tmp_path / "one.parquet", tmp_path / "spark.parquet"
    write(log, EVENTS)
    size = log.stat().st_size / 2**20
    alone, alone_memory = measured_import(ONE, str(log), str(one)) if size < 240 else (0.0, 0.0)
    seconds, used = measured_import(SPARK, str(log), str(many), f"local[{CORES}]")
    trace = load(many)
    assert len(np.unique(trace.rows["round"])) == EVENTS
    assert len(trace.processes) == 12
    name = f"log of {EVENTS:,} events ({size:.0f} MB)"
    if alone:
        expected = load(one)
        for column in ("time", "process", "kind", "peer", "message", "cause", "lamport", "chain"):
            assert np.array_equal(trace.rows[column], expected.rows[column]), column
        report.add(f"{name}: one process", alone, "s")
        report.add(f"{name}: one process, memory", alone_memory, "MB")
        report.add(f"{name}: Spark on {CORES} cores to one process", seconds / alone, "", "at most 1.5")
        assert seconds <= 1.5 * alone
    report.add(f"{name}: Spark on {CORES} cores, without its start", seconds, "s")
    report.add(f"{name}: events a second on Spark", EVENTS / seconds)
    report.add(f"{name}: Spark on {CORES} cores, memory", used, "MB", "at most 1,000 and 2 for each MB of the log")
    assert used <= 1000 + 2 * size


def test_a_growing_log_costs_what_is_new(report: Report, tmp_path: Path) -> None:
    """Another thousand lines of a hundred thousand are read in a fraction of the time that the whole log takes."""
    log = tmp_path / "growing.log"
    write(log, LINES // 2)
    lines = log.read_text().splitlines(keepends=True)
    since = time.process_time()
    (whole,) = import_text("".join(lines), log, skip=True)
    anew = time.process_time() - since
    growing = Growing("growing", most=LINES)
    growing.add("".join(lines[: -20 * MORE]))
    assert growing.imported(over=False) is not None
    taken = []
    for at in range(len(lines) - 20 * MORE, len(lines), MORE):
        growing.add("".join(lines[at : at + MORE]))
        since = time.process_time()
        found = growing.imported(over=False)
        taken.append(time.process_time() - since)
    assert found is not None and np.array_equal(found.trace.rows, whole.trace.rows)
    middle = float(np.median(taken))
    report.add(f"growing log of {LINES:,} lines: read as a whole", anew * 1000, "ms")
    report.add(f"growing log of {LINES:,} lines: another {MORE:,} lines", middle * 1000, "ms")
    report.add(f"growing log of {LINES:,} lines: another {MORE:,} lines to the whole", middle / anew, "", "at most 0.1")
    assert middle <= 0.1 * anew
