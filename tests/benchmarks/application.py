"""The real window with a long trace, measured from inside; prints one JSON object.

``test_application.py`` runs it in a separate process, so that its memory is that of the window alone:
``python -m tests.benchmarks.application FILE``. The memory is what the process uses beyond an open window with the
example; a *gap* is a time in which the window's thread does not process events.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

SIZE = (1920, 1080)
SEEKS, SCROLLS = 60, 60


def resident() -> int:
    """Return the bytes of memory that belong to this process alone."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))


def until(done: Callable[[], object], seconds: float = 120.0) -> None:
    """Let the window work until a condition holds."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("the window did not come so far")
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)


def a_while(seconds: float) -> None:
    end = time.monotonic() + seconds
    until(lambda: time.monotonic() > end)


class Heart:
    """A timer on the window's thread that records how long the thread was blocked."""

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setInterval(2)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gaps.append(now - self._last)
        self._last = now

    def longest(self) -> float:
        """Return the longest gap since the last call, in milliseconds."""
        self._beat()
        found, self.gaps = max(self.gaps), []
        return found * 1000


def quantiles(found: list[float]) -> dict[str, float]:
    ranked = sorted(found)
    return {"p50": statistics.median(ranked), "p95": ranked[int(0.95 * (len(ranked) - 1))]}


def measure(file: Path) -> dict[str, Any]:
    from lydian.app.main import application, make_window
    from lydian.views.selection import Selection

    application(["lydian"])
    window = make_window()
    window.resize(*SIZE)
    window.show()
    window.looks.arrange("study")
    until(lambda: window.session.shown is not None)
    a_while(0.5)
    window.playhead.pause()
    example = window.playhead.timeline
    gc.collect()
    before, heart = resident(), Heart()
    start, began = time.perf_counter(), time.process_time()
    shares: list[float] = []
    window.session.reading.progress.connect(lambda _words, share: shares.append(share))
    window.documents.open(file)
    asked = (time.perf_counter() - start) * 1000
    until(lambda: window.playhead.timeline is not example)
    shown = [canvas for canvas in window.stage.canvases.values() if canvas.isVisible()]
    for canvas in shown:
        canvas.repaint()
    first, cpu = time.perf_counter() - start, time.process_time() - began
    beginning = window.playhead.timeline.length
    until(lambda: not window.session.reading.going_on)
    for canvas in shown:
        canvas.repaint()
    whole = time.perf_counter() - start
    a_while(0.3)
    timeline = window.playhead.timeline
    assert timeline is not None
    opening = heart.longest()
    gc.collect()
    opened = resident() - before

    def picture(act: Callable[[], object]) -> float:
        """Return the milliseconds until all views show the result; the first repaint may bring others with it."""
        begin = time.perf_counter()
        act()
        for canvas in shown:
            if not canvas.current:
                canvas.repaint()
        return (time.perf_counter() - begin) * 1000

    chance = random.Random(7)
    picture(lambda: window.playhead.seek(timeline.end / 3))
    seeks = [picture(lambda: window.playhead.seek(chance.uniform(0, timeline.end))) for _ in range(SEEKS)]
    length = timeline.end * 1_000 / max(timeline.m_messages, 1)
    window.camera.show(timeline.end / 2, timeline.end / 2 + length)
    picture(lambda: None)
    scrolls = [picture(lambda: window.camera.move(0.01)) for _ in range(SCROLLS)]
    window.camera.fit()
    picture(lambda: None)
    selected = picture(lambda: window.playhead.select(Selection(event=timeline.length // 2)))
    a_while(0.3)
    gc.collect()
    used = resident() - before
    result = {
        "events": timeline.length,
        "messages": timeline.m_messages,
        "views": len(shown),
        "progress": len(shares),
        "asked": asked,
        "first": first,
        "beginning": beginning,
        "whole": whole,
        "cpu": cpu,
        "gap": opening,
        "opened": opened / timeline.length,
        "used": used / timeline.length,
        "seek": quantiles(seeks),
        "scroll": quantiles(scrolls),
        "selected": selected,
    }
    window.close()
    a_while(0.05)
    return result


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
