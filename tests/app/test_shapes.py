"""Areas and positions of shapes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import SHAPES, draw_head, draw_process, draw_text, head_icon, process_path, state_icon
from lydian.app.look.theme import SLOTS, Theme, tokens

THEME = Theme("light")


pytestmark = pytest.mark.usefixtures("qapp")


class Sheet:
    """A white image to draw on."""

    def __init__(self, width: int = 100, height: int = 100) -> None:
        self.image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        self.image.fill(QColor("white"))
        self.painter = QPainter(self.image)

    def __enter__(self) -> QPainter:
        return self.painter

    def __exit__(self, *_: object) -> None:
        self.painter.end()

    def color(self, x: float, y: float) -> str:
        return self.image.pixelColor(round(x), round(y)).name()


def area(path: QPainterPath) -> float:
    total = 0.0
    for polygon in path.toFillPolygons():
        points = [(polygon.at(i).x(), polygon.at(i).y()) for i in range(polygon.count())]
        pairs = zip(points, points[1:] + points[:1], strict=True)
        total += abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2
    return total


@pytest.mark.parametrize("slot", range(SLOTS))
def test_all_shapes_have_the_area_of_a_circle(slot: int) -> None:
    assert area(process_path(slot, 100)) == pytest.approx(math.pi * 50 * 50, rel=0.01)
    assert process_path(slot, 100).contains(QPointF(0, 0))
    assert tokens()["color"]["light"]["state"][slot]["shape"] == SHAPES[slot]


@pytest.mark.parametrize("slot", range(SLOTS))
def test_a_process_has_its_fill_and_position(slot: int) -> None:
    sheet = Sheet()
    with sheet as p:
        draw_process(p, THEME, 60, 40, 36, slot)
    assert sheet.color(60, 40) == THEME.state(slot).fill.name()
    assert sheet.color(5, 90) == "#ffffff"


def test_a_crashed_process_is_hollow_with_a_cross() -> None:
    sheet = Sheet()
    with sheet as p:
        draw_process(p, THEME, 50, 50, 36, 0, crashed=True)
    assert sheet.color(50, 50) == THEME.color("fault.base").name()
    assert sheet.color(50, 42) == THEME.color("surface.canvas").name()


@pytest.mark.parametrize("slot", range(SLOTS))
def test_the_selection_ring_keeps_its_distance(slot: int) -> None:
    sheet = Sheet()
    with sheet as p:
        draw_process(p, THEME, 50, 50, 36, slot, selected=True)
    colors = {sheet.color(x, y) for x in range(100) for y in range(100)}
    assert THEME.color("selection").name() in colors


def test_the_arc_of_a_step_grows_clockwise_from_the_top() -> None:
    sheet = Sheet()
    with sheet as p:
        draw_process(p, THEME, 50, 50, 36, 3, busy=0.5)
    ink = THEME.state(3).outline.name()
    assert sheet.color(50 + 25, 50) == ink
    assert sheet.color(50 - 25, 50) != ink


@pytest.mark.parametrize("kind", range(6))
def test_a_message_head_has_its_colour_and_direction(kind: int) -> None:
    sheet = Sheet()
    with sheet as p:
        draw_head(p, THEME, 50, 50, math.pi / 2, kind, 40)
    colors = {sheet.color(x, y) for x in range(100) for y in range(100)}
    assert THEME.message(kind).color.name() in colors
    if kind == 0:  # a triangle pointing down: its tip is below, and nothing is above its base
        assert sheet.color(50, 72) == THEME.message(0).color.name()
        assert sheet.color(50, 28) == "#ffffff"


def test_text_fills_its_reported_box() -> None:
    sheet = Sheet(200, 60)
    with sheet as p:
        left = draw_text(p, THEME, 100, 30, "waits for 2", "body", "text.primary", halo=True)
        right = draw_text(p, THEME, 100, 30, "waits for 2", "body", "text.primary", align="right")
        middle = draw_text(p, THEME, 100, 30, "x", "body", QColor("red"), align=Qt.AlignmentFlag.AlignHCenter)
    assert left.left() == 100
    assert right.right() == pytest.approx(100)
    assert middle.center().x() == pytest.approx(100)
    assert left.contains(QPointF(left.center().x(), 30))


def test_icons_have_their_size() -> None:
    for picture in (state_icon(THEME, 2, 16), head_icon(THEME, 1, 16), state_icon(THEME, 2, 16, crashed=True)):
        assert picture.deviceIndependentSize().width() == 16
        assert not picture.isNull()


def test_sprites_are_drawn_at_the_positions_in_the_array() -> None:
    """Check that numpy rows are passed correctly as PixmapFragments and QLineFs."""
    sheet = Sheet()

    def draw(p: QPainter, key: object) -> None:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(QColor(str(key)))
        p.drawRect(QRectF(-5, -5, 10, 5))

    atlas = Atlas(14, 2.0, draw)
    with sheet as p:
        places = atlas.prepare(["red", "blue"])
        x, y = np.array([20.0, 80.0]), np.array([20.0, 80.0])
        atlas.paint(p, x, y, places, rotation=np.array([0.0, 180.0]))
        draw_lines(p, np.array([[0.0, 50.0]]), np.array([[99.0, 50.0]]))
        atlas.paint(p, np.empty(0), np.empty(0), np.empty(0, dtype=np.int64))
    assert (sheet.color(20, 17), sheet.color(20, 23)) == ("#ff0000", "#ffffff")
    assert (sheet.color(80, 83), sheet.color(80, 77)) == ("#0000ff", "#ffffff")
    assert sheet.color(50, 50) == "#000000"


def test_an_atlas_grows_by_rows_keeps_its_pictures_and_begins_anew_when_it_is_full(qapp, monkeypatch) -> None:
    from lydian.app.look import fragments

    monkeypatch.setattr(fragments, "WIDE", 40)  # four pictures in a row
    monkeypatch.setattr(fragments, "MOST", 10)
    drawn: list[object] = []

    def draw(p: QPainter, key: object) -> None:
        drawn.append(key)
        p.fillRect(-2, -2, 4, 4, QColor(key))

    atlas = fragments.Atlas(10, 1.0, draw)
    colours = ["red", "lime", "blue", "black", "white", "cyan"]
    assert atlas.prepare(["red"]).tolist() == [0]
    assert atlas.prepare(colours).tolist() == [0, 1, 2, 3, 4, 5]
    assert drawn == colours  # each once
    image = QImage(60, 10, QImage.Format.Format_RGB32)
    image.fill(QColor("gray"))
    p = QPainter(image)
    atlas.paint(p, 5.0 + 10 * np.arange(6), np.full(6, 5.0), np.arange(6))
    p.end()
    assert [image.pixelColor(5 + 10 * i, 5).name() for i in range(6)] == [QColor(each).name() for each in colours]
    more = ["magenta", "yellow", "gray", "darkred", "darkblue"]
    assert atlas.prepare(more).tolist() == [0, 1, 2, 3, 4]
    assert drawn[-5:] == more
