"""Seeking in a long trace: the five frames at a random time, computed and painted."""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.trace.events import Trace
from lydian.trace.parquet.reader import load
from lydian.trace.timeline import Timeline
from tests.benchmarks.conftest import Report

EVENTS = 1_000_000
CHATTER = """
from lydian import ANY, INIT, Message, Process, on, states

CALM, EXCITED = states("calm", "excited")

class Ping(Message):
    pass

class Pong(Message):
    pass

class Chatter(Process):
    state = CALM
    heard: int = 0
    last: str | None = None

    @on(ANY, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(Ping(), to=q)

    @on(ANY, Ping)
    def ping(self, m, q):
        self.heard += 1
        self.last = q
        self.state = EXCITED
        self.send(Pong(), to=q)

    @on(ANY, Pong)
    def pong(self, m, q):
        self.state = CALM
        for r in self.neighbours[self.heard % len(self.neighbours):][:1]:
            self.send(Ping(), to=r)
"""


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    folder = tmp_path_factory.mktemp("chatter")
    (folder / "chatter.py").write_text(CHATTER)
    experiment = Experiment(
        name="chatter",
        protocol=str(folder / "chatter.py"),
        network="gnm:1000,5000,seed=1",
        stop=Stop(events=EVENTS),
        check=False,
    )
    from lydian.model.network import Timing

    experiment = experiment.with_(timing=Timing(initiators=tuple(str(i) for i in range(200))))
    simulator = Simulator(experiment)
    simulator.run()
    trace = simulator.trace
    assert len(trace) >= EVENTS
    path = folder / "chatter.parquet"
    from lydian.trace.parquet.file import save

    save(trace, path)
    start = time.perf_counter()
    loaded = load(path)
    Report().add("1,000,000 events: load the file", time.perf_counter() - start, "s")
    Report().add("1,000,000 events: size of the file", Path(path).stat().st_size / len(trace), "bytes each")
    assert len(loaded) == len(trace)
    return loaded


def test_seek(trace: Trace, report: Report) -> None:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    from lydian.app.look.theme import Theme
    from lydian.app.pictures.render import ensure_application
    from lydian.pieces.animation import animation_for
    from lydian.views import registry
    from lydian.views.selection import Selection

    ensure_application()
    views = {name: registry.view(name) for name in registry.usual()}
    start = time.perf_counter()
    timeline = Timeline(trace)
    report.add("1,000,000 events: build the timeline", time.perf_counter() - start, "s")
    animation = animation_for(trace, None)
    theme = Theme("light")
    painters = {name: view.painter_class()(theme) for name, view in views.items()}
    images = {name: QImage(720, 420, QImage.Format.Format_ARGB32_Premultiplied) for name in views}
    chance = random.Random(7)
    selection = Selection(processes=frozenset({17}))
    computed: list[float] = []
    painted: list[float] = []
    each: dict[str, list[float]] = {name: [] for name in views}
    for number in range(41):
        t = chance.uniform(0, timeline.end)
        span = timeline.end / 2000
        options = {name: {"animation": animation} for name in views}
        options["causality"]["window"] = options["occupation"]["window"] = (t - span, t + span)
        start = time.perf_counter()
        frames = {}
        for name, view in views.items():
            before = time.perf_counter()
            frames[name] = view.frame(timeline, t, selection, **options[name])
            each[name].append(time.perf_counter() - before)
        middle = time.perf_counter()
        for name in views:
            painter = QPainter(images[name])
            try:
                painters[name].paint(painter, QRectF(0, 0, 720, 420), frames[name], None)
            finally:
                painter.end()
        end = time.perf_counter()
        if number == 0:
            report.add("first seek: five frames", (middle - start) * 1000, "ms")
            report.add("first seek: painted", (end - middle) * 1000, "ms")
            continue
        computed.append(middle - start)
        painted.append(end - middle)
    for name, found in each.items():
        report.add(f"seek: frame of {name}", statistics.median(found) * 1000, "ms")
    report.within("seek: five frames, median", statistics.median(computed), "arrays", 0.5)
    report.within("seek: five frames painted, median", statistics.median(painted), "painting", 1)
