"""What somebody waits for: the command line, an import, the window's first frame."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks.conftest import Report

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}


def wall(*command: str, times: int = 7) -> float:
    """Median seconds of a whole process."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=ROOT, env=ENVIRONMENT)
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def test_run_of_a_small_experiment(report: Report) -> None:
    seconds = wall("-m", "lydian", "run", "two-wings")
    report.within("lydian run two-wings, whole process", seconds, "process", 8)


def test_import_in_a_protocol_file(report: Report) -> None:
    code = "import time; t = time.perf_counter(); import lydian; print(time.perf_counter() - t)"
    found = []
    for _ in range(7):
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT
        )
        found.append(float(done.stdout))
    seconds = statistics.median(found)
    report.within("import lydian", seconds, "process", 1)


FIRST_FRAME = """
import sys, time
start = float(sys.argv[1])
from lydian.app.main import application, make_window
app = application(["lydian"])
window = make_window()
window.show()
app.processEvents()
window.grab()
print(time.time() - start)
window.close()
app.processEvents()
"""


def test_first_frame_of_the_window(report: Report) -> None:
    found = []
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", FIRST_FRAME, str(time.time())],
            check=True, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT,
        )  # fmt: skip
        found.append(float(done.stdout))
    seconds = statistics.median(found)
    report.within("window with its first frame, from the start of Python", seconds, "process", 25)
