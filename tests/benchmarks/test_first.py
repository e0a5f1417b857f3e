"""The first picture of a run with long details: gossip with a buffer, whose grid and bars depend on every event."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Timing
from lydian.trace.parquet.file import save
from lydian.trace.parquet.reader import load
from lydian.trace.timeline import Timeline
from tests.benchmarks.conftest import Report

EVENTS = 153_899
GOSSIP = {"algorithm": "ETTB", "b": 8, "r": 5, "K": 3, "p": 0.08, "size": 6, "rounds": 120}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    experiment = Experiment(
        name="gossip", protocol="gossip-buffer", network="complete:100", seed=1, parameters=GOSSIP,
        timing=Timing(initiators="all"),
    )  # fmt: skip
    simulator = Simulator(experiment)
    simulator.run()
    assert len(simulator.trace) == EVENTS
    path = tmp_path_factory.mktemp("first") / "gossip.parquet"
    save(simulator.trace, path)
    return path


def test_the_first_picture_of_gossip_with_a_buffer(file: Path, report: Report) -> None:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    from lydian.app.look.theme import Theme
    from lydian.app.pictures.render import ensure_application
    from lydian.pieces.animation import animation_for
    from lydian.views.registry import view

    ensure_application()
    trace = load(file)
    assert len(trace) == EVENTS
    animation, basic = animation_for(trace, None), view("basic")
    painter = basic.painter_class()(Theme("light"))
    image = QImage(900, 600, QImage.Format.Format_ARGB32_Premultiplied)
    timeline = Timeline(trace)
    start = time.process_time()
    frame = basic.frame(timeline, timeline.end / 2, animation=animation)
    p = QPainter(image)
    try:
        painter.paint(p, QRectF(0, 0, 900, 600), frame, None)
    finally:
        p.end()
    spent = time.process_time() - start
    assert frame.grid.cells.shape[0] == 100 and (frame.grid.cells >= 0).any()
    name = f"gossip with a buffer, {EVENTS:,} events: first picture"
    report.within(name, spent, "loop", 200, clock=time.process_time)
