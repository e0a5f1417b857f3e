"""Painting sectors and flags: on the circle, below the processes, without overlap."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.look.theme import Theme
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.pictures.render import render
from lydian.desk.playhead import Playhead
from lydian.model.network import Link, Network
from lydian.pieces.animation import Animation, Flags, Marks, Places, Sector
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.registry import view
from lydian.views.selection import Selection
from tests.views.book import Book

pytestmark = pytest.mark.usefixtures("qapp")
RECT = QRectF(0, 0, 900, 700)
NAMES = tuple("abcdef")
NETWORK = Network(
    "ring", NAMES, tuple(Link(p, q) for p, q in pairwise(NAMES)),
    positions={name: (300 * math.sin(i), 300 * math.cos(i)) for i, name in enumerate(NAMES)},
)  # fmt: skip
FLAGGED = [[0.3, "x"], [0.3, "y"], [0.305, "z"], [0.31, "longer text"], [0.0, "a"], [0.7, ""]]


def run(**changed: Any) -> Timeline:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for i, name in enumerate(NAMES):
        more = changed if i == 0 else {"own": None}
        book.write(1.0 + i, "init", name, state="waiting", changed={"at": i / 6, **more})
    return Timeline(book.trace(initial={"at": None, "own": None, "keys": [], "peers": []}))


def drawn(style: str = "shaded", shape: str = "circle", **more: Any) -> Animation:
    places = Places("at", links=False, shape=shape, word="place")
    return Animation(
        states={"waiting": 2}, places=places, sectors=(Sector("own", style=style, slot=4, word="answers"),),
        flags=(Flags("keys", slot=1, word="key"),), **more,
    )  # fmt: skip


def painted(painter: BasicPainter, frame: basic.BasicFrame, rect: QRectF = RECT) -> QImage:
    image = QImage(rect.size().toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    p = QPainter(image)
    try:
        painter.paint(p, rect, frame)
    finally:
        p.end()
    return image


def on_circle(painter: BasicPainter, frame: basic.BasicFrame, at: float, beside: float = 0.0) -> QPointF:
    """Return a point a given number of pixels outside the circle."""
    m, track = painter.map(RECT, frame), frame.standing.track  # type: ignore[union-attr]
    x, y = track.point(at, beside / (track.wide * m.scale))
    return QPointF(x * m.scale + m.dx, y * m.scale + m.dy)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
@pytest.mark.parametrize("style", ["shaded", "arc", "hatched", "struck"])
def test_a_sector_is_drawn_only_in_its_place(style: str, theme: str) -> None:
    painter = BasicPainter(Theme(theme))
    frame = basic.frame(run(own=[0.9, 0.3]), 9.0, network=NETWORK, animation=drawn(style))
    without = basic.frame(run(own=None), 9.0, network=NETWORK, animation=drawn(style))
    with_it, plain = painted(painter, frame), painted(BasicPainter(Theme(theme)), without)

    def different(at: float) -> bool:
        """Return whether the pictures differ anywhere across the circle at this point."""
        m = painter.map(RECT, frame)
        points = [on_circle(painter, frame, at + i / 2000, m.d * q) for q in np.linspace(-0.4, 0.4, 17)
                  for i in range(-6, 7)]  # fmt: skip
        return any(with_it.pixel(x.toPoint()) != plain.pixel(x.toPoint()) for x in points)

    assert all(different(at) for at in (0.92, 0.99, 0.08, 0.25))
    assert not any(different(at) for at in (0.36, 0.42, 0.6, 0.75, 0.87))
    if style == "arc":
        here = with_it.pixelColor(on_circle(painter, frame, 0.08, 2.0).toPoint())
        assert here.name() == Theme(theme).state(4).outline.name()


def test_sectors_cover_the_full_circle_and_the_ends_of_a_line() -> None:
    painter = BasicPainter(Theme("light"))
    whole = basic.frame(run(own=[0, 1]), 9.0, network=NETWORK, animation=drawn())
    ground = painted(painter, whole).pixelColor(5, 5)
    for at in np.arange(0.08, 1.0, 1 / 6):
        m = painter.map(RECT, whole)
        color = painted(painter, whole).pixelColor(on_circle(painter, whole, float(at), m.d * 0.3).toPoint())
        assert color != ground
    line = basic.frame(run(own=[0.95, 0.1]), 9.0, network=NETWORK, animation=drawn(shape="line"))
    painted(painter, line)
    for at, there in ((0.02, True), (0.08, True), (0.5, False), (0.97, True)):
        assert bool(painter.note_at(on_circle(painter, line, at), RECT, line)) == there


def test_a_sector_without_a_slot_uses_the_colour_of_its_process() -> None:
    looks = Animation(states={"waiting": 2}, places=Places("at", links=False), sectors=(Sector("own", style="arc"),))
    painter, frame = BasicPainter(Theme("light")), basic.frame(run(own=[0.02, 0.1]), 9.0, network=NETWORK,
                                                               animation=looks)  # fmt: skip
    image = painted(painter, frame)
    here = image.pixelColor(on_circle(painter, frame, 0.08, 2.0).toPoint()).name()
    assert here == Theme("light").state(2).outline.name()


def boxes(painter: BasicPainter, frame: basic.BasicFrame) -> list[tuple[str, QRectF | None]]:
    painted(painter, frame)
    return [
        (text, box) for _, _, text, _, box in painter._pieces.named("flag")._placed(painter.map(RECT, frame), frame)
    ]


@pytest.mark.parametrize("shape", ["circle", "line"])
def test_flags_overlap_neither_each_other_nor_processes(shape: str) -> None:
    painter = BasicPainter(Theme("light"))
    frame = basic.frame(run(keys=FLAGGED), 9.0, network=NETWORK, animation=drawn(shape=shape))
    found = boxes(painter, frame)
    assert [text for text, _ in found] == ["a", "x", "y", "z", "longer ", ""]
    assert all(box is not None and RECT.contains(box) for _, box in found)
    for (_, one), (_, other) in combinations(found, 2):
        assert one is not None and other is not None and not one.intersects(other)
    m = painter.map(RECT, frame)
    for _, box in found:
        assert box is not None
        assert not any(box.adjusted(-2, -2, 2, 2).contains(QPointF(x, y)) for x, y in m.points.tolist())
    assert any(item.sort == "flag" for item in frame.legend)


def test_points_remain_where_flags_have_no_room() -> None:
    painter = BasicPainter(Theme("dark"))
    keys = [[0.3 + i / 4000, f"key {i}"] for i in range(80)]
    found = boxes(painter, basic.frame(run(keys=keys), 9.0, network=NETWORK, animation=drawn()))
    placed = [box for _, box in found if box is not None]
    assert len(found) == 80 and 5 < len(placed) < 80
    assert not any(a.intersects(b) for a, b in combinations(placed, 2))


def test_flags_keep_their_places_while_nothing_changes() -> None:
    painter, looks, timeline = BasicPainter(Theme("light")), drawn(), run(keys=FLAGGED, own=[0.1, 0.4])
    first, later = (basic.frame(timeline, t, network=NETWORK, animation=looks) for t in (8.0, 9.0))
    painted(painter, first)
    flags, sectors = painter._pieces.named("flag"), painter._pieces.named("sector")
    kept = flags._flags, sectors._kept
    painted(painter, later)
    assert flags._flags is kept[0] and sectors._kept is kept[1]


def test_tooltips_name_the_owner_and_the_key() -> None:
    painter = BasicPainter(Theme("light"))
    frame = basic.frame(run(own=[0.2, 0.3], keys=FLAGGED), 9.0, network=NETWORK, animation=drawn())
    found = dict(boxes(painter, frame))
    assert found["x"] is not None
    assert painter.note_at(found["x"].center(), RECT, frame) == "<b>x</b> key<br>place 0.3"
    inside = on_circle(painter, frame, 0.22, -4)
    assert painter.note_at(inside, RECT, frame) == "<b>a</b> answers, place 0.2 to 0.3"
    assert painter.note_at(on_circle(painter, frame, 0.6), RECT, frame) == ""


def test_fingers_appear_with_the_selection() -> None:
    looks = Animation(
        places=Places("at", links=False), marks=(Marks("peers", slot=1, style="arc", selected=True, word="finger"),)
    )
    timeline, painter = run(peers=["c", "d", "e"]), BasicPainter(Theme("light"))

    def inked(*chosen: int) -> int:
        frame = basic.frame(timeline, 9.0, Selection(processes=frozenset(chosen)), network=NETWORK, animation=looks)
        image, color = painted(painter, frame), Theme("light").state(1).outline.name()
        low, high = painter.map(RECT, frame).points.min(axis=0), painter.map(RECT, frame).points.max(axis=0)
        return sum(image.pixelColor(x, y).name() == color for x in range(int(low[0]), int(high[0]), 2)
                   for y in range(int(low[1]), int(high[1]), 2))  # fmt: skip

    assert inked(0) > 40 and inked() == inked(1) == 0


def test_in_the_window_a_click_shows_fingers(qtbot: QtBot) -> None:
    looks = drawn(marks=(Marks("peers", slot=1, style="arc", selected=True),))
    head = Playhead()
    head.load(run(peers=["c", "d", "e"], own=[0.2, 0.3], keys=FLAGGED), looks)
    canvas = Canvas(view("basic"), head, Theme("light"), TimeCamera())
    qtbot.addWidget(canvas)
    canvas.resize(900, 700)
    with qtbot.waitExposed(canvas):
        canvas.show()
    head.seek(6.0)
    canvas.refresh()
    qtbot.waitUntil(lambda: canvas.frame.t == 6.0)
    assert len(canvas.frame.marks[0].source) == 0 and len(canvas.frame.sectors[0].process) == 1
    at = canvas.process_rect(0)
    assert at is not None
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at.center().toPoint())
    canvas.refresh()
    qtbot.waitUntil(lambda: canvas.frame.marks[0].target.tolist() == [2, 3, 4])
    head.select(Selection())
    canvas.refresh()
    qtbot.waitUntil(lambda: len(canvas.frame.marks[0].source) == 0)


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_contain_sectors(tmp_path: Path, ending: str) -> None:
    timeline = run(own=[0.9, 0.3], keys=FLAGGED)
    plain, full = tmp_path / f"plain.{ending}", tmp_path / f"full.{ending}"
    render(timeline, Animation(places=Places("at")), "basic", 9.0, plain)
    render(timeline, drawn("hatched"), "basic", 9.0, full)
    assert full.read_bytes() != plain.read_bytes()
    if ending == "svg":
        text = full.read_text(encoding="utf-8")
        assert "longer" in text and "answers" in text and "<image" not in text


def test_a_hundred_processes_have_a_sector_each() -> None:
    names = tuple(str(i) for i in range(100))
    book = Book(names, links=list(pairwise(names)))
    for i, name in enumerate(names):
        book.write(1.0 + i, "init", name, changed={"at": i / 100, "own": [i / 100, (i + 0.9) / 100]})
    timeline = Timeline(book.trace(initial={"at": None, "own": None, "keys": []}))
    painter, frame = BasicPainter(Theme("light")), basic.frame(timeline, 200.0, animation=drawn())
    painted(painter, frame)
    kept = painter._pieces.named("sector")._kept
    assert kept is not None and len(kept[1]) == 100
    assert np.allclose(frame.sectors[0].length, 0.009)
