"""The view World with thousands of processes, drawn by raster at the size of a screen."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.trace.timeline import Timeline
from tests.benchmarks.conftest import Report

SIZE = (1920, 1080)
FRAMES = 40


def flooding(n: int, m: int) -> Timeline:
    """Return flooding on a random network, which sends 2m - n + 1 messages."""
    network = from_spec(f"gnm:{n},{m},seed=1").replace(delay=parse("uniform(0.5, 1.5)"))
    simulator = Simulator(Experiment(name="large", protocol="flooding", network=network, seed=1, check=False),
                          variables=False)  # fmt: skip
    simulator.run()
    assert simulator.kernel.counts()[1] == 2 * m - n + 1
    return Timeline(simulator.trace)


def with_in_transit(timeline: Timeline, least: int) -> float:
    """Return the first time at which so many messages are in transit."""
    times = np.linspace(0, timeline.end, 2_000)
    return float(next(t for t in times if len(timeline.in_flight(timeline.count(t), t)) >= least))


@pytest.mark.parametrize(("n", "m", "flying", "most"), [(1_000, 5_000, 1_000, 0.53), (5_000, 20_000, 5_000, 1.4)])
def test_world(qapp: Any, report: Report, n: int, m: int, flying: int, most: float) -> None:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    from lydian.app.look.theme import Theme
    from lydian.app.painters.world.world import WorldPainter
    from lydian.pieces.animation import animation_for
    from lydian.views.world.world import frame, home, seen_from, sight

    timeline = flooding(n, m)
    t = with_in_transit(timeline, flying)
    animation = animation_for(timeline.trace, None)
    painter = WorldPainter(Theme("dark"))
    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    first = home(frame(timeline, t, animation=animation), *map(float, SIZE))
    seen = sight(frame(timeline, t, animation=animation), seen_from(frame(timeline, t), first, *map(float, SIZE)))
    assert len(seen.process) == n and len(seen.link) == m and len(seen.entry) >= flying
    times = []
    for number in range(FRAMES):  # the run plays, and the camera turns
        start = time.process_time()
        drawn = frame(timeline, t + number / 6000, animation=animation)
        p = QPainter(image)
        try:
            painter.paint(p, QRectF(0, 0, *SIZE), drawn, first.orbit(0.01 * number, 0.0))
        finally:
            p.end()
        times.append(time.process_time() - start)
    name = f"world, {n:,} processes, {m:,} links, {len(seen.entry):,} in transit"
    report.within(f"{name}: frame and paint", statistics.median(times[10:]), "painting", most,
                  clock=time.process_time)  # fmt: skip


@pytest.mark.parametrize(("stereo", "most"), [(False, 0.6), (True, 1.0)])
def test_world_on_a_flight(qapp: Any, report: Report, stereo: bool, most: float) -> None:
    """1,000 processes move to another layout while the camera glides between two views of everything."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    from lydian.app.look.theme import Theme
    from lydian.app.painters.world.world import WorldPainter
    from lydian.model.experiment.flight import FlightStop
    from lydian.pieces.animation import animation_for
    from lydian.views.world.flights import Aloft, Flight
    from lydian.views.world.world import frame

    n, m, flying = 1_000, 5_000, 1_000
    timeline = flooding(n, m)
    t = with_in_transit(timeline, flying)
    animation = animation_for(timeline.trace, None)
    painter = WorldPainter(Theme("dark"))
    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    stops = (
        FlightStop(t, seconds=4.0),
        FlightStop(t, layout="sphere", yaw=40.0, seconds=4.0, say="Everything on a sphere."),
        FlightStop(t, layout="spring", yaw=90.0),
    )  # fmt: skip
    flight = Flight(stops)
    times, seen = [], []
    for number in range(FRAMES):
        seconds = 2.0 + number / 20
        start = time.process_time()
        drawn = frame(timeline, t, animation=animation, stereo=stereo, **flight.pose(seconds).options)
        p = QPainter(image)
        try:
            painter.paint(p, QRectF(0, 0, *SIZE), drawn, Aloft(flight, seconds))
        finally:
            p.end()
        times.append(time.process_time() - start)
        part, side = painter.halves(QRectF(0, 0, *SIZE), drawn)[-1]
        seen.append(len(painter.sight(part, drawn, Aloft(flight, seconds), side).process))
    assert seen == [n] * FRAMES
    name = f"world on a flight{' for two eyes' if stereo else ''}, {n:,} processes, {m:,} links, {flying:,} in transit"
    report.within(f"{name}: frame and paint", statistics.median(times[10:]), "painting", most,
                  clock=time.process_time)  # fmt: skip
