"""The network editor with thousands of processes: dragging and zooming at 30 frames per second, 100,000 links."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from lydian.model.generators import from_spec
from lydian.model.network import Network
from tests.benchmarks.conftest import Report

SIZE = (1600, 1000)
FRAMES = 30
#: The most time for a frame, in yardsticks of painting. The same program took 0.50 on one processor and 0.66 to 0.99 on
#: two others, where the yardstick's discs are cheaper relative to the editor's lines.
FRAME = 1.3


@pytest.fixture(scope="module")
def medium() -> Network:
    network = from_spec("gnm:2000,10000,seed=1")
    assert (network.n, network.m) == (2_000, 10_000)
    return network


@pytest.fixture(scope="module")
def large() -> Network:
    network = from_spec("gnm:20000,100000,seed=1")
    assert (network.n, network.m) == (20_000, 100_000)
    return network


@pytest.fixture
def board(qapp: Any) -> Iterator[Any]:
    from lydian.app.look.theme import Theme
    from lydian.app.network.board.board import Board
    from lydian.app.network.board.canvas import EditorCanvas

    board = Board()
    canvas = EditorCanvas(board, Theme("light", still=True))
    canvas.resize(*SIZE)
    canvas.show()
    yield canvas
    canvas.close()
    canvas.deleteLater()


def median_ms(canvas: Any, act: Callable[[int], Any]) -> float:
    """Return the median CPU time of a user action and the next frame, because machines are shared."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    image = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    found = []
    for number in range(FRAMES):
        start = time.process_time()
        act(number)
        p = QPainter(image)
        try:
            canvas._easel.paint(p, QRectF(0, 0, *SIZE))
        finally:
            p.end()
        found.append(time.process_time() - start)
    return statistics.median(found[3:]) * 1000


def dragging(canvas: Any, names: list[str]) -> Callable[[int], Any]:
    from lydian.app.network.gestures.base import Touch
    from lydian.app.network.gestures.move import Move

    canvas.board.choose_processes(names)
    x, y = canvas.scene.points[canvas.board.network.index[names[0]]].tolist()
    canvas.gesture = Move(canvas, names[0])
    canvas.gesture.start(Touch(x, y))
    return lambda number: canvas.gesture.move(Touch(x + 3 * number, y + 2 * number))


def test_two_thousand_processes(board: Any, medium: Network, report: Report) -> None:
    canvas = board
    canvas.board.open(medium)
    drawing = canvas._easel.drawing
    size = "editor, 2,000 processes, 10,000 links"
    figures = {}

    drawn = drawing.drawn
    figures["drag of one"] = median_ms(canvas, dragging(canvas, ["7"]))
    assert drawing.drawn == drawn + 1  # static parts were drawn once, not for each frame
    moved = canvas.gesture.overlay
    assert moved.moving.sum() == 1
    canvas.drop()

    figures["drag of all"] = median_ms(canvas, dragging(canvas, list(medium.processes)))
    assert canvas.gesture.overlay.moving.sum() == 2_000
    canvas.drop()

    drawn = drawing.drawn
    figures["zoom"] = median_ms(canvas, lambda number: canvas.zoom(1.03))
    assert drawing.drawn == drawn + FRAMES
    figures["pan"] = median_ms(canvas, lambda number: canvas.pan_by(5, 3))
    for name, value in figures.items():
        report.within(f"{size}: {name}", value / 1000, "painting", FRAME, clock=time.process_time)
    assert len(drawing.links.seen(canvas.plan(), canvas.scene)) > 1_000


def test_a_hundred_thousand_links(board: Any, large: Network, report: Report) -> None:
    canvas = board
    fresh = Network(large.name, large.processes, large.links, positions=large.positions)
    start = time.process_time()
    canvas.board.open(fresh)
    canvas.grab()
    opening = time.process_time() - start
    assert not canvas._easel.drawing.each  # the banner is visible
    assert len(canvas.scene.ends) == 100_000
    figures = {
        "zoom": median_ms(canvas, lambda number: canvas.zoom(1.03)),
        "pan": median_ms(canvas, lambda number: canvas.pan_by(5, 3)),
        "drag of one": median_ms(canvas, dragging(canvas, ["7"])),
    }
    canvas.drop()
    report.within("editor, 100,000 links: open and draw", opening, "painting", 30, clock=time.process_time)
    for name, value in figures.items():
        report.within(f"editor, 100,000 links: {name}", value / 1000, "painting", FRAME, clock=time.process_time)
    canvas.zoom(60, None)
    plan = canvas.plan()
    assert np.count_nonzero(plan.visible) < 2_000
