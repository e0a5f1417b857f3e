"""The basic view with thousands of processes, compared with one graphics item per message and pyqtgraph's GraphItem."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.trace.timeline import Timeline
from tests.benchmarks.conftest import Report

SIZE = (1920, 1000)
FRAMES = 60


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    """Flooding on G(5000, 20000): 35,001 messages."""
    network = from_spec("gnm:5000,20000,seed=1").replace(delay=parse("uniform(0.5, 1.5)"))
    experiment = Experiment(name="large", protocol="flooding", network=network, seed=1, check=False)
    simulator = Simulator(experiment, variables=False)
    simulator.run()
    assert simulator.kernel.counts()[1] == 2 * 20_000 - 5_000 + 1
    return Timeline(simulator.trace)


def crowded(timeline: Timeline) -> float:
    """Return the first time at which 5,000 messages are in transit."""
    times = np.linspace(0, timeline.end, 2_000)
    return float(next(t for t in times if len(timeline.in_flight(timeline.count(t), t)) >= 5_000))


def median_ms(paint: Callable[[int], Any]) -> float:
    found = []
    for number in range(FRAMES):
        start = time.perf_counter()
        paint(number)
        found.append(time.perf_counter() - start)
    return statistics.median(found[5:]) * 1000


def test_basic_view(qapp: Any, timeline: Timeline, report: Report) -> None:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    from lydian.app.look.theme import Theme
    from lydian.app.painters.network.basic import BasicPainter
    from lydian.pieces.animation import animation_for
    from lydian.views.network import basic

    t = crowded(timeline)
    flying = len(timeline.in_flight(timeline.count(t), t))
    assert flying >= 5_000
    animation = animation_for(timeline.trace, None)
    painter = BasicPainter(Theme("light"))
    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)

    def paint(number: int) -> None:
        frame = basic.frame(timeline, t + number / 6000, animation=animation)
        p = QPainter(image)
        try:
            painter.paint(p, QRectF(0, 0, *SIZE), frame, None)
        finally:
            p.end()

    ours = median_ms(paint)
    items = median_ms(_items(timeline, t))
    graph = median_ms(_graph_item(timeline, t))
    name = f"basic, 5,000 processes, 20,000 links, {flying:,} in flight"
    report.add(f"{name}: one graphics item a message", items, "ms")
    report.add(f"{name}: pyqtgraph's GraphItem", graph, "ms")
    report.add(f"{name}: times as fast as items", items / ours, "", "at least 3")
    report.add(f"{name}: times as fast as GraphItem", graph / ours, "", "at least 2")
    report.within(f"{name}: frame and paint", ours / 1000, "painting", 0.13)
    assert items / ours >= 3
    assert graph / ours >= 2


def _flights(timeline: Timeline, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of processes and of messages in transit at t."""
    nodes = {node["id"]: (node["x"], node["y"]) for node in timeline.trace.network["nodes"]}
    places = np.array([nodes[name] for name in timeline.processes])
    ids = timeline.in_flight(timeline.count(t), t)
    a, b = places[timeline.message_source[ids]], places[timeline.message_target[ids]]
    sent, arrives = timeline.message_sent[ids], timeline.message_arrived[ids]
    share = np.clip((t - sent) / np.maximum(arrives - sent, 1e-9), 0, 1)
    return places, a + (b - a) * share[:, None]


def _links(timeline: Timeline) -> np.ndarray:
    index = {name: i for i, name in enumerate(timeline.processes)}
    return np.array([(index[x["source"]], index[x["target"]]) for x in timeline.trace.network["links"]])


def _items(timeline: Timeline, t: float) -> Callable[[int], Any]:
    """Return a scene with the links as one cached picture and an item for each process and message."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPixmap
    from PySide6.QtWidgets import QGraphicsEllipseItem, QGraphicsScene

    places, flights = _flights(timeline, t)
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    scale = np.array(SIZE) / span
    scene = QGraphicsScene(QRectF(0, 0, *SIZE))
    background = QPixmap(*SIZE)
    background.fill(QColor("white"))
    p = QPainter(background)
    at = (places - low) * scale
    for i, j in _links(timeline):
        p.drawLine(int(at[i, 0]), int(at[i, 1]), int(at[j, 0]), int(at[j, 1]))
    p.end()
    scene.addPixmap(background)
    brush, pen = QBrush(QColor("#63AC83")), QPen(QColor("#497F61"))
    for x, y in at:
        scene.addEllipse(x - 3, y - 3, 6, 6, pen, brush)
    items: list[QGraphicsEllipseItem] = [scene.addEllipse(-2, -2, 4, 4, pen, brush) for _ in flights]
    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)

    def paint(number: int) -> None:
        _, now = _flights(timeline, t + number / 6000)
        for item, (x, y) in zip(items, (now - low) * scale, strict=False):
            item.setPos(x, y)
        painter = QPainter(image)
        scene.render(painter)
        painter.end()

    return paint


def _graph_item(timeline: Timeline, t: float) -> Callable[[int], Any]:
    """Return pyqtgraph's GraphItem for the network and a ScatterPlotItem for the messages."""
    import pyqtgraph as pg

    places, _ = _flights(timeline, t)
    widget = pg.PlotWidget()
    widget.resize(*SIZE)
    graph = pg.GraphItem(pos=places, adj=_links(timeline), size=6, pxMode=True)
    widget.addItem(graph)
    scatter = pg.ScatterPlotItem(size=5)
    widget.addItem(scatter)

    def paint(number: int) -> None:
        _, now = _flights(timeline, t + number / 6000)
        scatter.setData(pos=now)
        widget.grab()

    return paint
