"""Events and pictures per second beside their baselines, measured in turns on one execution.

Events: the simulator, and a bare ``heapq`` loop that calls the same actions and writes the same rows. Pictures of the
network during the run: the basic view with frame and painting, pyqtgraph's ``GraphItem``, and one graphics item per
message.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from lydian.engine.simulator import Simulator
from lydian.trace.timeline import Timeline
from tests.benchmarks import test_basic
from tests.benchmarks.baseline import Baseline
from tests.benchmarks.conftest import Report
from tests.benchmarks.test_engine import echo_on

ROUNDS, FRAMES = 7, 12


def test_events_and_pictures_per_second(qapp: Any, report: Report) -> None:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    from lydian.app.look.theme import Theme
    from lydian.app.painters.network.basic import BasicPainter
    from lydian.pieces.animation import animation_for
    from lydian.views.network import basic

    resolved = echo_on("gnm:1000,5000,seed=1")
    expected = 4 * resolved.network.m - 2 * resolved.network.n + 2
    recorded = Simulator(resolved, variables=False, check=False)
    recorded._advance(None)
    timeline = Timeline(recorded.trace)
    assert timeline.m_messages == expected
    times = [timeline.end * i / 200 for i in range(200)]
    t = max(times, key=lambda time: len(timeline.in_flight(timeline.count(time), time)))
    flying = len(timeline.in_flight(timeline.count(t), t))
    assert flying > 100
    animation, painter = animation_for(timeline.trace, None), BasicPainter(Theme("light"))
    image = QImage(*test_basic.SIZE, QImage.Format.Format_ARGB32_Premultiplied)

    def view(number: int) -> None:
        frame = basic.frame(timeline, t + number / 6000, animation=animation)
        p = QPainter(image)
        try:
            painter.paint(p, QRectF(0, 0, *test_basic.SIZE), frame, None)
        finally:
            p.end()

    def simulate() -> int:
        simulator = Simulator(resolved, variables=False, check=False)
        simulator._advance(None)
        assert simulator.kernel.counts()[1] == expected
        return len(timeline.time)

    def loop() -> int:
        assert Baseline(resolved).run() == expected
        return len(timeline.time)

    def pictures(paint: Callable[[int], Any]) -> Callable[[], int]:
        def run() -> int:
            for number in range(FRAMES):
                paint(number)
            return FRAMES

        run()  # computed once
        return run

    variants: dict[str, Callable[[], int]] = {
        "events/s": simulate,
        "events/s of the bare loop": loop,
        "pictures/s": pictures(view),
        "pictures/s of GraphItem": pictures(test_basic._graph_item(timeline, t)),
        "pictures/s of one item a message": pictures(test_basic._items(timeline, t)),
    }
    rates: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(ROUNDS):
        for name, run in variants.items():
            start = time.perf_counter()
            done = run()
            rates[name].append(done / (time.perf_counter() - start))
    found = {name: statistics.median(rate) for name, rate in rates.items()}
    where = f"side by side, 1,000 processes, 5,000 links, {flying:,} in flight"
    for name, rate in found.items():
        report.add(f"{where}: {name}", rate, "1/s")
    events = found["events/s"] / found["events/s of the bare loop"]
    graph = found["pictures/s"] / found["pictures/s of GraphItem"]
    items = found["pictures/s"] / found["pictures/s of one item a message"]
    report.add(f"{where}: events, ratio to the bare loop", events, "", "at least 0.4")
    report.add(f"{where}: pictures, ratio to GraphItem", graph, "", "at least 2")
    report.add(f"{where}: pictures, ratio to items", items, "", "at least 1.5")
    assert events >= 0.4
    assert graph >= 2
    assert items >= 1.5
