"""Waiting times at the start: the command line, an import, the window's first frame."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks.conftest import Report
from tests.benchmarks.yardstick import KINDS, of_children

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}


def spent(report: Report, name: str, kind: str, most: float, *command: str) -> None:
    """Require that a process takes at most a multiple of a yardstick in CPU time; report its real time.

    The process and the yardstick take turns.
    """
    cpu, yardstick, wall = [], [], []
    for _ in range(7):
        before, start = of_children(), time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=ROOT, env=ENVIRONMENT)
        wall.append(time.perf_counter() - start)
        between = of_children()
        KINDS[kind]()
        cpu.append(between - before)
        yardstick.append(of_children() - between)
    ratio = statistics.median(cpu) / statistics.median(yardstick)
    report.add(f"{name}: by the clock on the wall", statistics.median(wall) * 1000, "ms")
    report.add(f"{name}: CPU", statistics.median(cpu) * 1000, "ms")
    report.add(f"{name}: CPU, to the yardstick '{kind}'", ratio, "", f"at most {most:g}")
    assert ratio <= most


def test_run_of_a_small_experiment(report: Report) -> None:
    spent(report, "lydian run two-wings", "numbers", 7, "-m", "lydian", "run", "two-wings")


def test_import_in_a_protocol_file(report: Report) -> None:
    spent(report, "import lydian, whole process", "process", 2.5, "-c", "import lydian")


FIRST_FRAME = """
import os
from lydian.app.main import application, make_window
app = application(["lydian"])
window = make_window()
window.show()
app.processEvents()
window.grab()
os._exit(0)
"""


def test_first_frame_of_the_window(report: Report) -> None:
    spent(report, "window with its first frame", "window", 10, "-c", FIRST_FRAME)
