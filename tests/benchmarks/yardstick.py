"""Fixed pieces of work that measure a machine's speed, so that requirements are equally strict on all machines.

A benchmark without a competitor requires at most a multiple of the yardstick of its own kind, measured in the same
run, and reports its milliseconds beside it.
"""

from __future__ import annotations

import heapq
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["KINDS", "Clock", "measured", "of_children"]


def loop() -> int:
    """The Python of a simulator: 20,000 tuples through a heap, a dictionary and a method call each."""
    queue: list[tuple[float, int]] = []
    seen: dict[int, float] = {}
    x = 1
    for number in range(20_000):
        x = x * 1_103_515_245 + 12_345 & 0x7FFFFFFF
        heapq.heappush(queue, (x / 2**31, number))
        if len(queue) > 100:
            when, which = heapq.heappop(queue)
            seen[which % 1_000] = when
    return len(seen)


def arrays() -> int:
    """The numpy of a frame: look up, gather, mask and count among a million numbers."""
    found = 0
    for _ in range(4):
        places = np.searchsorted(_TIMES, _ASKED)
        found += int(np.bincount(_SORTS[places], minlength=8)[0])
        found += int(((_TIMES[places] - _ASKED) > 0).sum())
    return found


def painting() -> None:
    """The painting of a view: 2,000 smooth lines and 1,000 discs on a picture of 1200 x 800."""
    from PySide6.QtCore import QLineF, QPointF
    from PySide6.QtGui import QColor, QImage, QPainter, QPen

    image = QImage(1200, 800, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    p = QPainter(image)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    p.setPen(QPen(QColor("#336699"), 1.2))
    x, y = (_ASKED[:4_000] * 1200).tolist(), (_ASKED[4_000:8_000] * 800).tolist()
    p.drawLines([QLineF(x[i], y[i], x[i + 1], y[i + 1]) for i in range(0, 4_000, 2)])
    for i in range(1_000):
        p.drawEllipse(QPointF(x[i], y[i]), 5.0, 5.0)
    p.end()


def _python(code: str) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment)


def process() -> None:
    """The start of a program: a Python that imports a few of its own modules."""
    _python("import argparse, email, json, tomllib")


def numbers() -> None:
    """The start of a program that calculates: a Python that imports numpy."""
    _python("import argparse, json, numpy")


def window() -> None:
    """The start of a program with a window: an empty one, shown and painted once."""
    _python(
        "import numpy\nfrom PySide6.QtWidgets import QApplication, QMainWindow\n"
        "app, window = QApplication(['x']), QMainWindow()\nwindow.menuBar().addMenu('File').addAction('Open')\n"
        "window.resize(1280, 720)\nwindow.show()\napp.processEvents()\nwindow.grab()"
    )


def of_children() -> float:
    """A clock: the CPU seconds of the finished child processes, which other programs hardly affect."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


_CHANCE = np.random.default_rng(1)
_TIMES = np.sort(_CHANCE.random(1_000_000))
_SORTS = _CHANCE.integers(0, 8, 1_000_001).astype(np.int64)
_ASKED = _CHANCE.random(20_000)
Clock = Callable[[], float]
#: Name -> the work.
KINDS: dict[str, Callable[[], Any]] = {
    each.__name__: each for each in (loop, arrays, painting, process, numbers, window)
}


def measured(kind: str, clock: Clock = time.perf_counter, times: int = 7) -> float:
    """Return the median seconds that a piece of work takes on this machine, by a clock."""
    work = KINDS[kind]
    work()
    found = []
    for _ in range(times):
        start = clock()
        work()
        found.append(clock() - start)
    return statistics.median(found)
