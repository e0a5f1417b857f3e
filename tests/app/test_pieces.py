"""Painting discs, grid and chart: on moved discs, beside the network, in pictures and in the window."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from lydian.app.access.still import in_steps
from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.look.theme import Theme
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.painters.network.nettips import tooltip
from lydian.app.painters.network.tags import TagLayer
from lydian.app.painters.pieces.beside import parted
from lydian.app.painters.pieces.chart import steps_of
from lydian.app.painters.time.causality import message_words
from lydian.app.pictures.render import render
from lydian.desk.playhead import Playhead
from lydian.model.network import Link, Network
from lydian.pieces.animation import (
    Animation,
    Cell,
    Chart,
    Dress,
    Grid,
    Line,
    Marks,
    Orientation,
    Places,
    Pointer,
    Queue,
    Watch,
)
from lydian.pieces.chart import Curve
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.registry import view
from lydian.views.selection import Hit, Selection
from lydian.views.time import causality
from tests.views.book import Book

pytestmark = pytest.mark.usefixtures("qapp")
RECT = QRectF(0, 0, 1000, 700)
NAMES = tuple("abcdefgh")
NETWORK = Network(
    "ring", NAMES, tuple(Link(a, b) for a, b in pairwise(NAMES)),
    positions={name: (300 * np.sin(i), 300 * np.cos(i)) for i, name in enumerate(NAMES)},
)  # fmt: skip
DRAWN = Animation(
    states={"waiting": 2, "sleeping": 0},
    watch=Watch("at {label}"),
    places=Places("binary(label)"),
    grid=Grid(
        (Cell("held", slot=2, word="held"), Cell("seen", slot=7, word="forgotten")), title="Events", word="event"
    ),
    chart=Chart((Line("seen", of="sum", word="seen"), Line('state == "waiting"')), title="Knowledge", axis="events"),
)


def run() -> Timeline:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for i, name in enumerate(NAMES):
        changed = {"label": format(i, "03b"), "held": [f"e{i}"], "seen": [f"e{j}" for j in range(i + 1)]}
        book.write(1.0 + 2 * i, "init", name, state="waiting", changed=changed)
    number, seq = book.send(16.0, "a", "b", "Ack")
    book.write(17.0, "receive", "b", "a", label="Ack", message=number, cause=seq)
    return Timeline(book.trace(initial={"label": None, "held": [], "seen": []}))


RUN = run()


def see(t: float, drawn: Animation = DRAWN, **more: Any) -> basic.BasicFrame:
    return basic.frame(RUN, t, network=NETWORK, animation=drawn, **more)


def painted(frame: basic.BasicFrame, theme: str = "light", painter: BasicPainter | None = None) -> QImage:
    image = QImage(RECT.size().toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    p = QPainter(image)
    try:
        (painter or BasicPainter(Theme(theme))).paint(p, RECT, frame)
    finally:
        p.end()
    return image


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_discs_are_drawn_and_hit_at_their_numbers(theme: str) -> None:
    frame, painter = see(17.0), BasicPainter(Theme(theme))
    image, m = painted(frame, theme, painter), painter.map(RECT, frame)
    assert frame.standing is not None
    for p, (x, y) in enumerate(m.points.tolist()):
        found = image.pixelColor(round(x), round(y - m.d * 0.36))
        assert found.name() == Theme(theme).state(2).fill.name()
        assert painter.hit(QPointF(x, y), RECT, frame) == Hit("process", p)
    middle = m.points.mean(axis=0)
    assert np.allclose(np.hypot(*(m.points - middle).T), np.hypot(*(m.points[0] - middle)), rtol=0.01)
    assert m.rect.right() < RECT.right() and m.rect.bottom() < RECT.bottom()


def test_labels_stay_with_their_discs() -> None:
    painter = BasicPainter(Theme("light"))
    during, after = see(3.3), see(4.9)
    assert during.standing is not None and during.standing.gliding.any()
    moving, still = painter.labels(RECT, during), painter.labels(RECT, after)
    a, b = painter.map(RECT, during).points, painter.map(RECT, after).points
    assert moving.keys() == still.keys()
    for key, box in moving.items():
        if key[0] == "line":
            away = still[key].topLeft() - box.topLeft()
            assert (away.x(), away.y()) == pytest.approx(tuple(b[key[1]] - a[key[1]]), abs=1e-6)


def test_a_map_is_kept_while_nothing_moves() -> None:
    painter = BasicPainter(Theme("light"))
    assert painter.map(RECT, see(4.9)) is painter.map(RECT, see(4.95))
    assert painter.map(RECT, see(3.2)) is not painter.map(RECT, see(3.25))
    assert painter.map(RECT, see(3.2)).rest is painter.map(RECT, see(3.25)).rest
    calm = in_steps(see(3.2))
    assert not calm.standing.gliding.any() and painter.map(RECT, calm).rest is None


def test_links_can_be_omitted() -> None:
    hidden = Animation(states=DRAWN.states, places=Places("binary(label)", links=False, track=False))
    shown = Animation(states=DRAWN.states, places=Places("binary(label)", track=False))
    painter = BasicPainter(Theme("light"))
    m = painter.map(RECT, see(17.5, shown))
    at = QPointF(*(m.points[0] * 0.5 + m.points[1] * 0.5).tolist())
    assert painter.hit(at, RECT, see(17.5, shown)) == Hit("link", (0, 1))
    assert painter.hit(at, RECT, see(17.5, hidden)) is None
    link = Theme("light").color("link.base").name()
    pixels = [painted(see(17.5, drawn)).pixelColor(at.toPoint()).name() for drawn in (shown, hidden)]
    assert pixels[1] != link and pixels[0] != pixels[1]


def test_panels_beside_the_network_have_tooltips() -> None:
    frame, painter = see(17.0), BasicPainter(Theme("light"))
    parts = parted(painter.theme, RECT, frame)
    plan = painter.panels.painters.named("grid")._plan(parts.of("grid")[0], frame.grid)  # type: ignore[arg-type]
    cell = QPointF(plan.x + 0.5 * plan.wide, plan.y + 2.5 * plan.tall)
    assert painter.note_at(cell, RECT, frame) == "c, event e0: forgotten"
    own = QPointF(plan.x + 2.5 * plan.wide, plan.y + 2.5 * plan.tall)
    assert painter.note_at(own, RECT, frame) == "c, event e2: held" and painter.hit(own, RECT, frame) is None
    assert painter.hit(QPointF(plan.x - 5, cell.y()), RECT, frame) == Hit("process", 2)
    assert "<b>event e0</b><br>1 held<br>7 forgotten" in painter.note_at(QPointF(cell.x(), plan.y - 5), RECT, frame)
    plot, _ = painter.panels.painters.named("chart")._plot(parts.of("chart")[0], frame.chart[0])  # type: ignore[arg-type]
    assert painter.note_at(plot.center(), RECT, frame).startswith("<b>time 8.5</b><br>seen: 10")
    assert painter.hit(plot.center(), RECT, frame) is None


def test_cells_use_the_colours_of_their_classes() -> None:
    frame, painter = see(17.0), BasicPainter(Theme("light"))
    image = painted(frame, painter=painter)
    plan = painter.panels.painters.named("grid")._plan(parted(painter.theme, RECT, frame).of("grid")[0], frame.grid)  # type: ignore[arg-type]

    def color(row: int, column: int) -> str:
        at = QPointF(plan.x + (column + 0.5) * plan.wide, plan.y + (row + 0.5) * plan.tall)
        return image.pixelColor(at.toPoint()).name()

    assert color(3, 3) == Theme("light").state(2).fill.name()
    assert len({color(3, 3), color(3, 0), color(3, 5)}) == 3
    chosen = painted(see(17.0, selection=Selection(processes=frozenset({3}))), painter=painter)
    beside = QPointF(plan.x + 8.4 * plan.wide, plan.y + 3.5 * plan.tall).toPoint()
    assert chosen.pixelColor(beside) != image.pixelColor(beside)


@pytest.mark.parametrize(("wide", "tall", "grid", "chart"), [
    (1000, 700, True, True), (440, 700, False, True), (1000, 260, True, True), (1000, 220, True, False),
    (300, 240, False, False),
])  # fmt: skip
def test_a_narrow_view_shows_only_the_network(wide: int, tall: int, grid: bool, chart: bool) -> None:
    rect, frame = QRectF(0, 0, wide, tall), see(17.0)
    parts = parted(Theme("light"), rect, frame)
    assert (not parts.of("grid")[0].isEmpty(), not parts.of("chart")[0].isEmpty()) == (grid, chart)
    assert rect.contains(parts.network) and not parts.network.intersects(parts.of("grid")[0])
    assert not parts.network.intersects(parts.of("chart")[0]) and not parts.of("grid")[0].intersects(
        parts.of("chart")[0]
    )
    assert (not grid and not chart) or parts.network != rect
    aside = Animation(grid=DRAWN.grid, chart=Chart(Line("seen"), side="beside"))
    parts = parted(Theme("light"), rect, see(17.0, aside))
    assert not parts.of("chart")[0].intersects(parts.of("grid")[0]) and not parts.network.intersects(
        parts.of("chart")[0]
    )


def test_a_sentence_replaces_a_missing_drawing() -> None:
    wrong = Animation(grid=Grid(Cell("hold")), chart=Chart(Line("sen")))
    frame, painter = see(3.0, wrong), BasicPainter(Theme("dark"))
    painted(frame, painter=painter)
    assert painter.note_at(QPointF(990, 300), RECT, frame) == "" and painter.hit(QPointF(990, 300), RECT, frame) is None


def test_lines_are_drawn_once_and_only_the_current_time_moves() -> None:
    painter = BasicPainter(Theme("light"))
    images = [painted(see(t), painter=painter) for t in (4.9, 14.0)]
    assert painter.panels.painters.named("chart").layers.drawn == 2  # axes and lines
    box = parted(painter.theme, RECT, see(4.9)).of("chart")[0]
    plot, _ = painter.panels.painters.named("chart")._plot(box, see(4.9).chart[0])  # type: ignore[arg-type]
    red = Theme("light").color("playhead").name()
    for image, t in zip(images, (4.9, 14.0), strict=True):
        x, y = plot.left() + plot.width() * t / RUN.end, plot.top() - 1
        around = {image.pixelColor(round(x) + i, round(y)).name() for i in (-1, 0, 1)}
        assert any(_near(name, red) for name in around)


def _near(one: str, other: str) -> bool:
    parts = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return all(abs(a - b) < 60 for a, b in parts)


def test_a_line_of_a_million_changes_is_reduced_to_its_extremes() -> None:
    rng = np.random.default_rng(1)
    times, values = np.sort(rng.random(200_000)) * 10, rng.random(200_000)
    values[[77_000, 120_000]] = (9.0, -9.0)
    ((x, y),) = steps_of(Curve(times, values), 10.0, 400.0)
    assert len(x) < 4_000 and y.max() == 9.0 and y.min() == -9.0 and x[0] == 0 and x[-1] == 400
    gaps = steps_of(Curve(np.array([0.0, 2.0, 4.0]), np.array([np.nan, 1.0, np.nan])), 10.0, 100.0)
    assert [(a.tolist(), b.tolist()) for a, b in gaps] == [([20.0, 40.0], [1.0, 1.0])]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_contain_every_part(tmp_path: Path, ending: str) -> None:
    plain, full = tmp_path / f"plain.{ending}", tmp_path / f"full.{ending}"
    render(RUN, Animation(states=DRAWN.states), "basic", 3.3, plain)
    render(RUN, DRAWN, "basic", 3.3, full)
    assert full.read_bytes() != plain.read_bytes()
    if ending == "svg":
        text = full.read_text(encoding="utf-8")
        assert "Knowledge" in text and "Events" in text and "forgotten" in text and "<image" not in text


def test_a_vector_device_gets_no_bitmaps() -> None:
    buffer, painter = QBuffer(), BasicPainter(Theme("light"))
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    device = QSvgGenerator()
    device.setOutputDevice(buffer)
    device.setViewBox(RECT)
    p = QPainter(device)
    painter.paint(p, RECT, see(3.3))
    p.end()
    assert painter.panels.painters.named("chart").layers.drawn == 0 and b"<image" not in bytes(buffer.data())


@pytest.mark.parametrize("style", ["row", "stack"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cards_are_beside_their_processes_and_hide_nothing(style: str, theme: str) -> None:
    drawn = Animation(states=DRAWN.states, queues=(Queue("seen", style=style, most=3, slot=1, word="seen"),))
    frame, painter = see(17.0, drawn), BasicPainter(Theme(theme))
    image, m = painted(frame, theme, painter), painter.map(RECT, frame)
    boxes = {key[1]: box for key, box in painter.labels(RECT, frame).items() if key[0] == "queue"}
    assert len(boxes) >= 6
    for process, box in boxes.items():
        assert not any(box.contains(QPointF(x, y)) for x, y in m.points.tolist())
        color = Theme(theme).state(1).fill.name()
        inside = box.toAlignedRect().intersected(image.rect())
        there = {image.pixelColor(x, y).name() for x in range(inside.left(), inside.right(), 2)
                 for y in range(inside.top(), inside.bottom(), 2)}  # fmt: skip
        assert color in there, process
    assert any(item.sort == "queue" for item in frame.legend)


def test_a_search_centres_its_result_in_the_network(qtbot: QtBot) -> None:
    head = Playhead()
    head.load(RUN, DRAWN)
    canvas = Canvas(view("basic"), head, Theme("light"), TimeCamera())
    qtbot.addWidget(canvas)
    canvas.resize(1000, 700)
    with qtbot.waitExposed(canvas):
        canvas.show()
    head.seek(17.0)
    canvas.refresh()
    qtbot.waitUntil(lambda: canvas.frame is not None and canvas.frame.t == 17.0)
    room = canvas.painter.room(QRectF(canvas.rect()), canvas.frame)
    assert room.width() < 700 and room.height() < 600
    canvas.fit_processes([2])
    qtbot.waitUntil(lambda: canvas.process_rect(2) is not None)
    at = canvas.process_rect(2).center()
    assert (at.x(), at.y()) == pytest.approx((room.center().x(), room.center().y()), abs=0.5)
    assert canvas.hit(at) == Hit("process", 2)


def test_before_a_run_nothing_is_missing() -> None:
    empty = Timeline(Book(NAMES, links=list(pairwise(NAMES))).trace(initial={}))
    frame = basic.frame(empty, 0.0, animation=DRAWN)
    assert frame.grid is not None and len(frame.chart) == 1
    assert (frame.grid.problem, frame.chart[0].problem) == ("", "")
    assert painted(frame).size() == RECT.size().toSize()


def test_a_message_has_the_colour_of_its_content() -> None:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for i, news in enumerate(("yes", "no")):
        number, seq = book.send(1.0, "a", "b", "Ack", fields={"news": news})
        book.write(9.0 + i, "receive", "b", "a", label="Ack", message=number, cause=seq)
    run = Timeline(book.trace())
    drawn = Animation(
        messages={"Ack": 5},
        dresses=(
            Dress("Ack", 'news == "yes"', kind=4, word="Good news"),
            Dress("Ack", "len(news) < 3", letter="{news}"),
        ),
    )
    theme, painter = Theme("light"), BasicPainter(Theme("light"))
    for t, message, kind, word in ((7.0, 0, 4, "Good news"), (9.5, 1, 5, "Ack")):
        frame = basic.frame(run, t, network=NETWORK, animation=drawn)
        image, flights = painted(frame, painter=painter), frame.flights
        assert message in flights.id and f"<b>{word}</b>" in tooltip(Hit("message", message), frame)
        m = painter.map(RECT, frame)
        at, *_ = m.heads(flights.source, flights.target, flights.fraction, flights.place)
        x, y = at[flights.id == message][0].tolist()
        near = {image.pixelColor(round(x) + i, round(y) + j).name() for i in range(-9, 10) for j in range(-9, 10)}
        assert theme.message(kind).color.name() in near
    along = causality.frame(run, 7.0, animation=drawn)
    assert "<b>Good news(news=yes)</b>" in message_words(0, along) and "<b>Ack(news=no)</b>" in message_words(1, along)


@pytest.mark.parametrize(
    "drawn",
    [
        Animation(pointers=(Pointer("to", style="tree"),)),
        Animation(pointers=(Pointer("to", style="ring"),)),
        Animation(marks=(Marks("all", style="thick"),)),
        Animation(marks=(Marks("all", style="arc"),)),
        Animation(marks=(Marks("all", style="half"),)),
        Animation(marks=(Marks("all", style="dot"),)),
    ],
    ids=["tree", "ring", "thick", "arc", "half", "dot"],
)
def test_items_held_by_a_crashed_process_are_pale(drawn: Animation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TagLayer, "places", lambda *_: {})  # labels make way for the line
    book = Book(NAMES, links=list(pairwise(NAMES)))
    book.write(1.0, "init", "a", state="waiting", changed={"to": "b", "all": ["b"]})
    book.write(2.0, "crash", "a")
    book.write(3.0, "recover", "a", state="waiting")
    run = Timeline(book.trace(initial={"to": None, "all": []}))
    empty = replace(drawn, pointers=(), marks=())

    def strongest(t: float) -> int:
        """Return the largest difference between the picture and the same one without the line."""
        frames = (basic.frame(run, t, network=NETWORK, animation=each) for each in (drawn, empty))
        pictures = [painted(replace(frame, legend=())) for frame in frames]
        a, b = (np.frombuffer(bytes(i.constBits()), dtype=np.uint8).astype(int) for i in pictures)
        return int(np.abs(a - b).max())

    alive, down, again = strongest(1.5), strongest(2.5), strongest(3.5)
    assert 0 < down < 0.51 * alive and again == alive


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_cycle_of_links_is_red_and_a_triangle_warns_of_it(theme: str) -> None:
    ring = Network("ring", NAMES, (*NETWORK.links, Link("h", "a")), positions=NETWORK.positions)
    book = Book(NAMES, links=[*pairwise(NAMES), ("h", "a")])
    for i, name in enumerate(NAMES):
        after = NAMES[(i + 1) % len(NAMES)]
        book.write(1.0, "init", name, state="waiting", changed={"out": [after], "val": i % 3})
    book.write(2.0, "init", "h", state="waiting", changed={"out": []})
    book.write(2.0, "init", "a", state="waiting", changed={"out": ["b", "h"]})
    book.write(3.0, "init", "h", state="waiting", changed={"val": 2})
    run = Timeline(book.trace(initial={"out": [], "val": 0}))
    drawn = Animation(orientation=Orientation("out", cycles=True, winding="val"))
    red, painter = Theme(theme).color("chain.waiting").name(), BasicPainter(Theme(theme))

    def colours(t: float) -> tuple[bool, bool]:
        """Return whether there is red on a link, and in the middle of the circle."""
        frame = basic.frame(run, t, network=ring, animation=drawn)
        image, m = painted(frame, theme, painter), painter.map(RECT, frame)
        (x1, y1), (x2, y2) = m.points[2].tolist(), m.points[3].tolist()
        on_link = [(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part) for part in np.linspace(0.2, 0.8, 60)]
        x, y = m.points.mean(axis=0).tolist()
        inside = [(x + i, y + j) for i in range(-9, 10) for j in range(-9, 10)]
        return tuple(
            any(image.pixelColor(round(a), round(b)).name() == red for a, b in where) for where in (on_link, inside)
        )

    assert colours(1.5) == (True, False), "a circle"
    assert colours(2.5) == (True, True), "no circle any more, but 0 1 2 0 1 2 0 1 winds"
    legend = {item.sort: item.count for item in basic.frame(run, 2.5, network=ring, animation=drawn).legend}
    assert legend["cycle"] == 0 and legend["winding"] == 1
