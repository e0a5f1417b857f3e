"""The painters of the time views: space for labels, legends and folded rows; the chain between two events."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from lydian.app.canvas.viewpicture import DRAWN, NUMBERED
from lydian.app.look.theme import Theme
from lydian.app.painters.time.axis import Geometry
from lydian.app.painters.time.causality import CausalityPainter
from lydian.app.painters.time.occupation import OccupationPainter
from lydian.app.painters.time.spacetime import StillPainter
from lydian.pieces.animation import animation_for
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.fit import crossed, overlapped
from lydian.views.selection import Selection
from lydian.views.time import causality
from lydian.views.time.spacetime import ArrowScene
from lydian.views.time.timescale import scale_of
from lydian.views.time.timewindow import around, usual
from tests.app.test_painters_time import RECT, bars, lines, painted, run
from tests.archive.ran import ARCHIVE, once
from tests.some import some

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("size", [(579, 385), (579, 418), (724, 357), (465, 440), (900, 700)])
def test_lamport_times_cover_neither_dots_nor_heads_nor_each_other(size: tuple[int, int], projector: bool) -> None:
    painter, frame = CausalityPainter(Theme("light", projector)), lines(99.0, window=(0.0, 6.0))
    painted(painter, frame, size)
    g, scene, still = painter.geometry(QRectF(0, 0, *size), frame), frame.scene, painter._still
    boxes = still.labels.boxes(g, scene, still.radius(g))
    assert len(boxes) == len(still.labels.shown)
    assert len(boxes) >= 5 or g.pitch < 20
    for a, b in itertools.combinations(boxes, 2):
        assert not a.intersects(b)
    for row, place in zip(scene.row.tolist(), scene.place.tolist(), strict=True):
        r = still.radius(g) - 0.1
        dot = QRectF(g.at(place) - r, g.y(row) - r, 2 * r, 2 * r)
        assert not any(dot.intersects(box) for box in boxes)
    size_of_head = still.head(g)
    for arrow in np.flatnonzero(np.isfinite(scene.finish) & ~scene.lost).tolist():
        x1, y1 = g.at(scene.finish[arrow]), g.y(scene.end_row[arrow])
        angle = np.arctan2(y1 - g.y(scene.source_row[arrow]), x1 - g.at(scene.begin[arrow]))
        back = still.radius(g) + size_of_head * 0.45
        core = QRectF(0, 0, size_of_head * 0.6, size_of_head * 0.6)
        core.moveCenter(QPointF(x1 - np.cos(angle) * back, y1 - np.sin(angle) * back))
        assert not any(core.intersects(box) for box in boxes)


def test_the_legend_of_depths_is_below_the_last_row() -> None:
    for height in (120, 200, 390):
        rect, frame = QRectF(0, 0, 579, height), lines(99.0, color="depth")
        painter = CausalityPainter(Theme("light"))
        g, plain = painter.geometry(rect, frame), painter.geometry(rect, lines(99.0))
        assert g.y(g.rows - 1) + g.pitch / 2 <= height - QFontMetricsF(painter.theme.font("caption")).height() - 10
        assert plain.bottom > g.bottom
        below = painted(painter, frame, (579, height))[int(g.bottom) + 4 :]
        assert len(np.unique(below.reshape(-1, 3), axis=0)) > 8


def test_hidden_processes_share_one_row() -> None:
    for painter, frame, whole in (
        (CausalityPainter(Theme("light")), lines(5.0, hidden=(2, 5)), lines(5.0)),
        (OccupationPainter(Theme("light")), bars(5.0, hidden=(2, 5)), bars(5.0)),
    ):
        g = painter.geometry(RECT, frame)
        fold = painter.fold(g, frame)
        assert fold.top() >= g.bottom
        assert painter.fold_at(fold.center(), RECT, frame)
        assert painter.hit(fold.center(), RECT, frame) is None
        assert painter.note_at(fold.center(), RECT, frame).startswith("Click")
        assert painter.fold(painter.geometry(RECT, whole), whole).isEmpty()
        assert not painter.fold_at(fold.center(), RECT, whole)


def test_the_chain_between_two_events_is_highlighted() -> None:
    event = int(run().receives[20])
    first = int(np.flatnonzero(run().kind == Kind.INIT)[0])
    painter, frame = CausalityPainter(Theme("light")), lines(99.0, selection=Selection(event=event), other=first)
    assert " precedes " in frame.title and "a chain of" in frame.title
    assert frame.scene.dimmed and frame.longest == int((frame.scene.bits > 0).sum()) > 0
    g, picture = painter.geometry(RECT, frame), painted(painter, frame)
    arrow = int(np.flatnonzero(frame.scene.bits > 0)[0])
    x = (g.at(frame.scene.begin[arrow]) + g.at(frame.scene.finish[arrow])) / 2
    y = (g.y(frame.scene.source_row[arrow]) + g.y(frame.scene.end_row[arrow])) / 2
    box = picture[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7]
    assert ((box[..., 0] - box[..., 2]) > 40).any()  # amber


# -- texts of all experiments of the archive -------------------------------------------------------------------


def texts_of(name: str, size: tuple[int, int]) -> tuple[Geometry, ArrowScene, StillPainter, NDArray[np.float64]]:
    """Return the middle of a run as drawn at its end, and the boxes of its Lamport times and of its values."""
    simulator, _ = once(ARCHIVE.experiment(name))
    timeline = Timeline(simulator.trace)
    scale = scale_of(timeline, "time")
    window = around(timeline, scale, timeline.end / 2, usual(size[0]))
    options = {"limit": DRAWN, "numbers": NUMBERED}
    at = causality.frame(timeline, timeline.end, animation=animation_for(timeline.trace), window=window, **options)
    painter = CausalityPainter(Theme("light"))
    painted(painter, at, size)
    g, still = painter.geometry(QRectF(0, 0, *size), at), painter._still
    boxes = [*still.labels.boxes(g, at.scene, still.radius(g)), *still.values.boxes(g, at.scene)]
    return g, at.scene, still, np.array([box.getCoords() for box in boxes]).reshape(-1, 4)


@pytest.mark.parametrize("name", some(ARCHIVE.names("experiments"), 12))
def test_no_text_hides_a_text_a_dot_or_a_head_and_no_arrow_crosses_a_lamport_time(name: str) -> None:
    for size in ((478, 390), (1160, 560)):
        g, scene, still, boxes = texts_of(name, size)
        assert not overlapped(boxes, boxes)[~np.eye(len(boxes), dtype=bool)].any()
        times = boxes[: len(still.labels.boxes(g, scene, still.radius(g)))]
        x, y, r = g.at(scene.place), g.y(scene.row), still.radius(g) - 0.1
        assert not overlapped(times, np.stack((x - r, y - r, x + r, y + r), axis=1)).any()
        known = np.isfinite(scene.finish)
        x0, y0 = g.at(scene.begin[known]), g.y(scene.source_row[known])
        x1, y1 = g.at(scene.finish[known]), g.y(scene.end_row[known])
        assert not crossed(times, np.stack((x0, y0, x1, y1), axis=1)).any()
        whole = ~scene.lost[known]
        angle, back, half = np.arctan2(y1 - y0, x1 - x0), still.radius(g) + still.head(g) * 0.45, still.head(g) * 0.3
        x, y = (x1 - np.cos(angle) * back)[whole], (y1 - np.sin(angle) * back)[whole]
        assert not overlapped(times, np.stack((x - half, y - half, x + half, y + half), axis=1)).any()
        assert not len(times) or times[:, 0].min() >= g.left - 3 - 1e-6
