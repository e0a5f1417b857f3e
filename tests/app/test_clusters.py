"""Large networks: sprites, discs for clusters of processes, and the overview map in the corner."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.look.theme import Theme
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.painters.network.overview import overview_box
from lydian.desk.playhead import Playhead
from lydian.model.network import Link, Network
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.clusters import clusters_of
from lydian.views.registry import view
from lydian.views.selection import Hit, Selection
from tests.app.test_basic_painter import BUSY, ECHO, LIGHT, RECT, Lens, circle, color, colors_near, painted
from tests.views.book import Book

pytestmark = pytest.mark.usefixtures("qapp")


def many(n: int) -> basic.BasicFrame:
    """Return a frame of a circle with a crash, an initiator and messages of two kinds."""
    names = tuple(str(i) for i in range(n))
    b = Book(names, links=[])
    for i in range(n - 1):
        b.send(1.0, names[i], names[i + 1], "Ack" if i % 2 else "Broadcast")
    b.write(1.0, "init", names[0], state="initiating")
    b.write(1.0, "crash", names[1])
    return basic.frame(Timeline(b.trace()), 1.2, network=circle(n))


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_many_processes_are_drawn_as_identical_sprites(ratio: float) -> None:
    """Sprites, cached links and dots for messages are used at every pixel ratio."""
    frame, rect = many(240), QRectF(0, 0, 900, 900)
    image, painter = painted(frame, rect, ratio=ratio)
    m = painter.map(rect, frame)
    assert m.level == "small"
    for process in (0, 2, 150, 239):
        x, y = (m.points[process] * ratio).tolist()
        assert LIGHT.state(int(frame.slots[process])).fill.name() in colors_near(image, x, y, 4)


@pytest.mark.parametrize("n", [30, 320, 1200])
def test_a_run_that_has_grown_is_drawn_like_a_new_one(n: int) -> None:
    """What was kept of the shorter run is still right, at every level of detail: links, bundles, discs and labels."""
    names, network = tuple(str(i) for i in range(n)), circle(n)
    links = [(names[i], names[i + 1]) for i in range(n - 1)]
    network = network.replace(links=tuple(Link(a, b) for a, b in links))
    rect, grown, run = QRectF(0, 0, 900, 700), BasicPainter(LIGHT), None
    for events in (2, n // 2, n - 1):
        b = Book(names, links=links)
        for i in range(events):
            b.send(1.0 + i / n, names[i], names[i + 1], "Ack" if i % 3 else "Broadcast")
        if events > n // 2:
            b.write(3.0, "crash", names[1])
            b.write(3.0, "link_down", names[4], peer=names[5])
        run = Timeline(b.trace(), run)
        frame = basic.frame(run, run.end, network=network)
        pictures = []
        for painter in (grown, BasicPainter(LIGHT)):
            pictures.append(QImage(900, 700, QImage.Format.Format_ARGB32_Premultiplied))
            p = QPainter(pictures[-1])
            painter.paint(p, rect, frame)
            p.end()
        assert pictures[0] == pictures[1]


@pytest.mark.parametrize("theme", [LIGHT, Theme("dark")], ids=repr)
def test_very_many_processes_are_discs_in_state_colours(theme: Theme) -> None:
    frame, rect = many(1200), QRectF(0, 0, 1000, 1000)
    image, painter = painted(frame, rect, theme)
    m = painter.map(rect, frame)
    assert m.level == "dense"
    at, radius, _ = painter._clusters.discs(m, frame)
    clusters = painter._clusters.clusters(m, frame)
    assert int(clusters.count.sum()) == 1200
    away = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + np.eye(len(at)) * 1e9
    assert (away >= radius[:, None] + radius[None] - 0.1).all()
    first = int(clusters.of[0])
    x, y = at[first].tolist()
    around = {
        color(image, x + 0.85 * radius[first] * math.cos(a), y + 0.85 * radius[first] * math.sin(a))
        for a in np.linspace(0, 2 * math.pi, 720)
    }
    assert {theme.state(0).fill.name(), theme.state(1).fill.name(), theme.color("fault.soft").name()} <= around
    note = painter.note_at(QPointF(x, y), rect, frame)
    assert note.startswith(f"<b>{clusters.count[first]} processes</b><br>")
    assert "1 crashed" in note
    assert "1 initiating" in note
    assert painter.hit(QPointF(x, y), rect, frame) is None
    selected = painted(replace(frame, selection=Selection(frozenset({0}))), rect, theme)[0]
    assert selected != image


def test_panning_keeps_the_discs() -> None:
    frame, rect, painter = many(1200), QRectF(0, 0, 1000, 1000), BasicPainter(LIGHT)
    fit = painter.fitted(rect, frame)
    scale, dx, dy = fit.scale, fit.dx, fit.dy
    first = painter._clusters.clusters(painter.map(rect, frame, Lens(scale, dx, dy)), frame)
    assert painter._clusters.clusters(painter.map(rect, frame, Lens(scale, dx + 40, dy - 3)), frame) is first
    assert painter._clusters.clusters(painter.map(rect, frame, Lens(scale * 4, dx, dy)), frame) is first


@pytest.mark.parametrize("n", [2, 400, 1500])
def test_zooming_in_always_ends_at_the_full_drawing(n: int) -> None:
    same = Network("same", tuple(map(str, range(n))), (), positions={str(i): (5, 5) for i in range(n)})
    for network in (circle(n), same) if n <= 60 else (circle(n),):
        frame = basic.frame(None, 0.0, network=network)
        painter = BasicPainter(LIGHT)
        fit = painter.fitted(RECT, frame)
        scale = fit.scale
        x, y = frame.positions[0]
        levels = []
        for _ in range(14):
            levels.append(painter.map(RECT, frame, Lens(scale, 362 - x * scale, 225 - y * scale, fit.aspect)).level)
            scale *= 2
        assert levels[-1] == "full"
        order = ["dense", "small", "medium", "full"]
        assert levels == sorted(levels, key=order.index)


def test_the_overview_shows_the_visible_part() -> None:
    frame, rect, painter = basic.frame(ECHO, BUSY), QRectF(0, 0, 800, 600), BasicPainter(LIGHT)
    assert painter.overview_at(QPointF(780, 20), rect, frame) is None
    scale = painter.fitted(rect, frame).scale
    x, y = frame.positions[5]
    lens = Lens(scale * 4, 400 - x * scale * 4, 300 - y * scale * 4)
    box = overview_box(painter.map(rect, frame, lens))
    assert rect.contains(box)
    place = painter.overview_at(box.center(), rect, frame, lens)
    low, high = frame.positions.min(axis=0), frame.positions.max(axis=0)
    assert place == pytest.approx(tuple((low + high) / 2))
    assert painter.hit(box.center(), rect, frame, lens) is None
    assert "drag" in painter.note_at(box.center(), rect, frame, lens)
    image, _ = painted(frame, rect, camera=lens)
    assert LIGHT.color("accent.base").name() in {
        color(image, i, j)
        for i in range(int(box.left()), int(box.right()))
        for j in range(int(box.top()), int(box.bottom()))
    }
    outside = painter.overview_at(QPointF(-50, -50), rect, frame, lens, inside=False)
    assert outside is not None
    assert outside[0] < low[0]


@given(st.lists(st.tuples(st.floats(-500, 500), st.floats(-500, 500)), min_size=2, max_size=30), st.floats(1, 300))
def test_every_process_and_every_link_is_counted_once(points: list[tuple[float, float]], cell: float) -> None:
    at = np.array(points)
    ends = np.array([(i, j) for i in range(len(points)) for j in range(i)], dtype=np.int32)
    found = clusters_of(at, ends, cell)
    assert int(found.count.sum()) == len(points)
    inside = found.of[ends[:, 0]] == found.of[ends[:, 1]]
    assert int(found.links.sum()) == int((~inside).sum())
    assert ((found.link_bundle < 0) == inside).all()
    assert (found.bundle_of(found.of[ends[:, 0]], found.of[ends[:, 1]]) == found.link_bundle).all()
    for number in range(len(found.count)):
        assert np.ptp(at[found.of == number], axis=0).max() <= cell + 1e-6


def test_dragging_on_the_overview_moves_the_view(qtbot) -> None:
    playhead = Playhead(ECHO)
    playhead.seek(BUSY)
    spec = view("basic")
    canvas = Canvas(spec, playhead, LIGHT, TimeCamera())
    qtbot.addWidget(canvas)
    canvas.resize(800, 600)
    canvas.show()
    canvas.grab()
    canvas.zoom(5.0, QPointF(10, 10))
    canvas.grab()
    box = overview_box(canvas._painter.map(QRectF(canvas.rect()), canvas.frame, canvas.camera))
    assert not box.isEmpty()
    before = canvas.camera.key
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    middle = (canvas.frame.positions.min(axis=0) + canvas.frame.positions.max(axis=0)) / 2
    scale, dx, _, _ = canvas.camera.key
    assert scale == before[0]
    assert (400 - dx) / scale == pytest.approx(middle[0], abs=1 / scale * 20)
    qtbot.mouseMove(canvas, (box.center() + QPointF(20, 0)).toPoint())
    assert canvas.camera.dx < dx
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    assert not playhead.selection


def test_a_disc_unfolds_where_there_is_room_for_its_processes() -> None:
    frame, rect, painter = many(1200), QRectF(0, 0, 1000, 700), BasicPainter(LIGHT)
    assert frame.discs is not None
    scale = painter.fitted(rect, frame).scale
    x, y = frame.discs.centre[3].tolist()
    shares, drawn = [], []
    for factor in (1.0, 1.5, 2.0, 2.6, 3.4, 5.0):
        near = scale * factor
        lens = Lens(near, 500 - x * near, 350 - y * near)
        m = painter.map(rect, frame, lens)
        shares.append(round(float(m.folds.open[3]), 3))
        image, _ = painted(frame, rect, camera=lens)
        drawn.append(image)
        process = int(np.flatnonzero(frame.discs.clusters.of == 3)[0])
        at = QPointF(*m.points[process].tolist())
        assert (painter.hit(at, rect, frame, lens) == Hit("process", process)) == (m.folds.open[3] > 0)
        assert (len(painter.disc_at(QPointF(500, 350), rect, frame, lens)) > 0) == (m.folds.open[3] <= 0.5)
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1
    assert len({image.cacheKey() for image in drawn}) == len(drawn)


def test_a_click_unfolds_one_disc_and_escape_folds_it(qtbot) -> None:
    playhead = Playhead(many(1200).timeline)
    canvas = Canvas(view("basic"), playhead, Theme("light", still=True), TimeCamera())
    canvas.options["network"] = circle(1200)
    qtbot.addWidget(canvas)
    canvas.resize(800, 600)
    canvas.show()
    canvas.grab()
    rect, painter = QRectF(canvas.rect()), canvas.painter
    folded = canvas.frame.discs
    at = QPointF(*painter.map(rect, canvas.frame).folds.at[0].tolist())
    inside = painter.disc_at(at, rect, canvas.frame, canvas.camera)
    assert len(inside) > 1
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at.toPoint())
    canvas.grab()
    assert not playhead.selection
    opened = canvas.frame.discs
    assert opened.unfolded == folded.clusters.of[inside[0]]
    m = painter.map(rect, canvas.frame, canvas.camera)
    assert m.folds.open.tolist() == [float(c == opened.unfolded) for c in range(len(opened.radius))]
    assert painter._clusters.pill(m, canvas.frame).width() > 60
    process = int(inside[1])
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPointF(*m.points[process].tolist()).toPoint())
    assert playhead.selection.processes == {process}
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    canvas.grab()
    assert canvas.frame.discs is folded and playhead.selection.processes == {process}
    qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=QPointF(400, 10).toPoint())  # empty space: show everything
    assert canvas.camera.scale is None


def test_an_unfolded_cluster_is_forgotten_with_its_network(qtbot) -> None:
    playhead = Playhead(many(600).timeline)
    canvas = Canvas(view("basic"), playhead, Theme("light", still=True), TimeCamera())
    canvas.options["network"] = circle(600)
    qtbot.addWidget(canvas)
    canvas.resize(800, 600)
    canvas.show()
    canvas.grab()
    at = QPointF(*canvas.painter.map(QRectF(canvas.rect()), canvas.frame).folds.at[0].tolist())
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at.toPoint())
    canvas.grab()
    assert canvas.frame.discs.unfolded >= 0
    canvas.set_option("network", circle(500))
    playhead.load(many(500).timeline)
    canvas.grab()
    assert canvas.frame.discs.unfolded < 0 and "unfolded" not in canvas.options
