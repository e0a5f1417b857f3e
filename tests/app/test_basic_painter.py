"""The painter of the network: colours and positions, levels of detail, hits and tooltips."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass, replace

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from lydian.app.look.theme import Theme
from lydian.app.painters.network import netmap
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.painters.network.legend import layout_legend
from lydian.app.painters.network.linklayer import segments_of
from lydian.model.delays import parse
from lydian.model.network import Link, Network
from lydian.pieces.animation import Animation, Marks, Pointer
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.network.basicwords import LegendItem
from lydian.views.network.fit import crossed, overlapped
from lydian.views.selection import Hit, Selection
from tests.views.book import Book, echo

LIGHT = Theme("light")
RECT = QRectF(0, 0, 724, 450)
ECHO = Timeline(echo())
#: A time at which messages are in transit and processes wait.
BUSY = 5.0


pytestmark = pytest.mark.usefixtures("qapp")


@dataclass
class Lens:
    scale: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    aspect: float = 1.0
    folded: bool | None = False


def painted(
    frame: basic.BasicFrame, rect: QRectF = RECT, theme: Theme = LIGHT, camera: Lens | None = None, ratio: float = 1.0
) -> tuple[QImage, BasicPainter]:
    image = QImage(round(rect.width() * ratio), round(rect.height() * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    painter = BasicPainter(theme)
    p = QPainter(image)
    try:
        painter.paint(p, rect, frame, camera)
    finally:
        p.end()
    return image, painter


def color(image: QImage, x: float, y: float) -> str:
    return image.pixelColor(round(x), round(y)).name()


def colors_near(image: QImage, x: float, y: float, r: int) -> set[str]:
    return {color(image, x + i, y + j) for i in range(-r, r + 1) for j in range(-r, r + 1)}


def circle(n: int, m: int = 0) -> Network:
    angle = [2 * math.pi * i / max(n, 1) for i in range(n)]
    names = tuple(str(i) for i in range(n))
    links = tuple(Link(str(i), str((i + 1) % n)) for i in range(n if n > 2 else n - 1))
    return Network("circle", names, links, positions={
        name: (400 * math.cos(a), 400 * math.sin(a)) for name, a in zip(names, angle, strict=True)
    })  # fmt: skip


@pytest.mark.parametrize("theme", [Theme("light"), Theme("dark"), Theme("dark", True)], ids=repr)
def test_processes_have_the_colour_of_their_state(theme: Theme) -> None:
    frame = basic.frame(ECHO, BUSY)
    image, painter = painted(frame, theme=theme)
    m = painter.map(RECT, frame)
    for (x, y), slot in zip(m.points.tolist(), frame.slots.tolist(), strict=True):
        # A point beside the name: above the middle but inside every shape.
        assert color(image, x, y - m.d * 0.32) == theme.state(slot).fill.name()


def test_a_message_head_is_at_its_fraction_of_the_right_hand_lane() -> None:
    frame = basic.frame(ECHO, BUSY)
    image, painter = painted(frame)
    m = painter.map(RECT, frame)
    flights = frame.flights
    assert len(flights) >= 3
    for i in range(len(flights)):
        a, b = m.points[flights.source[i]], m.points[flights.target[i]]
        way = (b - a) / np.hypot(*(b - a))
        right = np.array([-way[1], way[0]])
        first, last = a + way * m.rim, b - way * (m.rim + m.head * 0.6)
        expected = first + (last - first) * flights.fraction[i] + right * m.lane
        one = slice(i, i + 1)
        at, _, _ = m.heads(flights.source[one], flights.target[one], flights.fraction[one])
        assert at[0] == pytest.approx(expected)
        if not flights.waiting[i]:
            kind = int(flights.kind[i])
            assert LIGHT.message(kind).color.name() in colors_near(image, *expected, 5)


def test_waiting_chains_are_red_and_so_is_the_tree() -> None:
    red = LIGHT.color("chain.waiting").name()
    for t, style in ((BUSY, "waiting"), (ECHO.end, "waited")):
        frame = basic.frame(ECHO, t)
        image, painter = painted(frame)
        m = painter.map(RECT, frame)
        (band,) = [band for band in frame.pointers if band.declared.style == style]
        assert len(band.source)
        for a, b in zip(band.source.tolist(), band.target.tolist(), strict=True):
            x, y = (m.points[a] * 0.72 + m.points[b] * 0.28).tolist()
            assert red in colors_near(image, x, y, 4)


def faulty() -> Timeline:
    b = Book(("0", "1", "2"), links=[("0", "1"), ("1", "2"), ("0", "2")])
    number, seq = b.send(1.0, "0", "1", "Broadcast")
    b.write(1.5, "crash", "1")
    b.write(2.0, "drop", "1", "0", label="Broadcast", message=number, cause=seq, reason="crash")
    b.write(2.0, "link_down", "0", "2")
    return Timeline(b.trace())


def test_faults_are_crosses() -> None:
    frame = basic.frame(faulty(), 2.0, network=circle(3))
    image, painter = painted(frame)
    m = painter.map(RECT, frame)
    fault = LIGHT.color("fault.base").name()
    assert fault in colors_near(image, *m.points[1].tolist(), round(m.d))
    assert fault in colors_near(image, *((m.points[0] + m.points[2]) / 2).tolist(), 3)
    losses = frame.losses
    at, _, _ = m.heads(losses.source, losses.target, losses.fraction)
    assert fault in colors_near(image, *at[0].tolist(), 4)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 60, 61, 250, 251, 1000, 1001])
def test_any_number_of_processes_can_be_drawn_at_rest(n: int) -> None:
    frame = basic.frame(None, 0.0, network=circle(n) if n else None)
    image, painter = painted(frame, QRectF(0, 0, 1600, 1600))
    m = painter.map(QRectF(0, 0, 1600, 1600), frame)
    assert len(m.points) == n
    if n:
        x, y = m.points[0].tolist()
        if m.level == "dense":
            (x, y), r, _ = (rows[0] for rows in painter._clusters.discs(m, frame))
            y += r * 0.7
        assert LIGHT.state(0).fill.name() in colors_near(image, x, y, 5)


def test_levels_of_detail_follow_the_tokens() -> None:
    assert [netmap.level_of(n, 36) for n in (60, 61, 250, 251, 1000, 1001)] == [
        "full", "medium", "medium", "small", "small", "dense",
    ]  # fmt: skip
    assert netmap.level_of(10, 20) == "medium"
    assert netmap.level_of(10, 14) == "small"
    assert netmap.level_of(10, 6) == "small"
    assert netmap.level_of(10, 5.9) == "dense"


def test_zooming_in_ends_at_the_full_drawing() -> None:
    frame = basic.frame(None, 0.0, network=circle(400))
    painter = BasicPainter(LIGHT)
    assert painter.map(RECT, frame).level in ("small", "dense")
    scale = 30.0
    x, y = frame.positions[0].tolist()
    m = painter.map(RECT, frame, Lens(scale, 362 - x * scale, 225 - y * scale))
    assert m.level == "full"
    assert 0 < m.visible.sum() < 60


def test_the_fitting_camera_equals_the_fit() -> None:
    frame = basic.frame(ECHO, BUSY)
    painter = BasicPainter(LIGHT)
    fit = painter.map(RECT, frame)
    same = painter.map(RECT, frame, Lens(*astuple(painter.fitted(RECT, frame))))
    assert same.points == pytest.approx(fit.points)
    assert BasicPainter(LIGHT).map(RECT, frame, Lens(None)).points == pytest.approx(fit.points)


@pytest.mark.parametrize("size", [(724, 450), (1240, 560), (1266, 356), (420, 300), (360, 520)])
@pytest.mark.parametrize("projector", [False, True])
def test_the_legend_covers_no_process_and_no_link(size: tuple[int, int], projector: bool) -> None:
    theme, rect = Theme("light", projector), QRectF(0, 0, *size)
    frame = basic.frame(ECHO, BUSY)
    m, legend = BasicPainter(theme)._placed(rect, frame, None)
    if projector and size == (420, 300):
        assert not legend.cells  # with large type in a small view the drawing takes all the space
        return
    assert legend.cells and m.visible.all()
    assert legend.corner or legend.height <= 0.33 * rect.height()
    assert rect.contains(legend.card)
    assert all(legend.card.contains(cell) for _, cell in legend.cells)
    cells = [cell for _, cell in legend.cells]
    assert not any(one.intersects(two) for i, one in enumerate(cells) for two in cells[:i])
    card = np.array([(legend.card.left(), legend.card.top(), legend.card.right(), legend.card.bottom())])
    assert not overlapped(card, np.hstack((m.points - m.d / 2, m.points + m.d / 2))).any()
    assert not crossed(card, segments_of(m, frame)).any()


def test_the_legend_takes_an_empty_corner_of_a_wide_view_and_a_strip_of_a_full_one() -> None:
    frame = basic.frame(ECHO, BUSY)
    _, wide = BasicPainter(LIGHT)._placed(QRectF(0, 0, 1266, 405), frame, None)
    assert wide.corner and wide.height == 0 and len(wide.cells) == len(frame.legend)
    square = {str(i): (i % 6 * 80.0, i // 6 * 80.0) for i in range(36)}
    full = basic.frame(None, 0.0, network=Network("square", tuple(square), (), positions=square))
    m, strip = BasicPainter(LIGHT)._placed(QRectF(0, 0, 500, 560), replace(full, legend=frame.legend), None)
    assert not strip.corner and float(m.points[:, 1].max()) + m.d / 2 < strip.card.top()


def test_a_click_folds_the_legend_and_a_small_view_begins_with_a_folded_one() -> None:
    frame, painter, rect = basic.frame(ECHO, BUSY), BasicPainter(LIGHT), QRectF(0, 0, 700, 420)
    folded = painter._placed(rect, frame, Lens(folded=None))[1]
    assert folded.folded and not folded.cells and rect.contains(folded.card)
    assert painter.legend_at(folded.card.center(), rect, frame, Lens(folded=None)) is True
    note = painter.note_at(folded.card.center(), rect, frame, Lens(folded=None))
    assert all(item.word in note for item in frame.legend)
    unfolded = painter._placed(rect, frame, Lens(folded=False))[1]
    assert painter.legend_at(unfolded.card.center(), rect, frame, Lens(folded=False)) is False
    assert painter.legend_at(QPointF(2, 2), rect, frame, Lens(folded=False)) is None
    assert not painter._placed(QRectF(0, 0, 1266, 405), frame, Lens(folded=None))[1].folded


def test_the_legend_does_not_move_as_time_passes() -> None:
    cards = {layout_legend(LIGHT, RECT, basic.frame(ECHO, t).legend).card.getRect() for t in (-1.0, 2.0, 5.0, 99.0)}
    assert len(cards) == 1


def test_without_room_the_legend_drops_messages_before_declared_entries() -> None:
    states = (LegendItem("state", 0, "waits", 3, 9, "waits"),)
    messages = tuple(LegendItem("message", 0, f"one of very many messages {i}", 0, 99) for i in range(30))
    declared = (LegendItem("mark", 0, "leads there"),)
    rect = QRectF(0, 0, 800, 500)
    legend = layout_legend(LIGHT, rect, (*states, *messages, *declared))
    assert legend.words and [number for number, _ in legend.cells] == [0, 31]
    assert not layout_legend(LIGHT, rect, (*states, *messages)).words
    assert len(layout_legend(LIGHT, rect, (*states, *messages[:6], *declared)).cells) == 8


def test_with_little_room_the_legend_keeps_counted_entries_in_words() -> None:
    counted = tuple(LegendItem("message", kind, "Something", 0, 9, "Something") for kind in range(6))
    lines = tuple(LegendItem("mark", 0, "a long word for lines", None, 0, "a long word for lines") for _ in range(9))
    sizes = (QRectF(0, 0, 900, 600), QRectF(0, 0, 900, 330), QRectF(0, 0, 300, 330))
    cards = [layout_legend(LIGHT, rect, counted + lines) for rect in sizes]
    assert [(len(card.cells), card.words) for card in cards] == [(15, True), (9, True), (6, False)]


def test_a_legend_in_a_small_view_loses_its_words_and_then_disappears() -> None:
    frame = basic.frame(ECHO, BUSY)
    cards = [layout_legend(LIGHT, QRectF(0, 0, 640, height), frame.legend) for height in (700, 260, 190)]
    assert [(bool(card.cells), card.words) for card in cards] == [(True, True), (True, False), (False, True)]
    assert {item.sort for item in (frame.legend[number] for number, _ in cards[1].cells)} <= {
        "state", "message", "crashed", "lost",
    }  # fmt: skip
    painter, rect = BasicPainter(LIGHT), QRectF(0, 0, 640, 260)
    note = painter.note_at(cards[1].card.center(), rect, frame)
    assert all(item.word in note for item in frame.legend)
    assert painter.note_at(QPointF(2, 2), rect, frame) == ""


SIZES = [(820, 400), (640, 360), (640, 270), (400, 380), (724, 450), (1240, 560)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("projector", [False, True])
def test_no_text_or_chip_is_clipped_or_covers_a_process(size: tuple[int, int], projector: bool) -> None:
    rect, frame = QRectF(0, 0, *size), basic.frame(ECHO, BUSY)
    _, painter = painted(frame, rect, Theme("light", projector))
    m = painter.map(rect, frame)
    places = painter.labels(rect, frame)
    shapes = [QRectF(x - m.d / 2, y - m.d / 2, m.d, m.d) for x, y in m.points.tolist()]
    legend = painter._placed(rect, frame, None)[1]
    for (what, _), box in places.items():
        assert rect.contains(box)
        assert what == "corner" or not any(box.intersects(shape) for shape in shapes)
    boxes = list(places.values())
    for i, box in enumerate(boxes):
        assert not any(box.intersects(other) for other in boxes[:i])
        assert not (legend.cells and box.intersects(legend.card)), "the legend hides it"


def test_no_waiting_chain_and_no_link_crosses_a_text() -> None:
    frame = basic.frame(ECHO, BUSY)
    for size in SIZES:
        rect = QRectF(0, 0, *size)
        painter = BasicPainter(LIGHT)
        segments = segments_of(painter.map(rect, frame), frame)
        lines = [box for (what, _), box in painter.labels(rect, frame).items() if what == "line"]
        assert lines
        rows = np.array([(box.left(), box.top(), box.right(), box.bottom()) for box in lines])
        assert not crossed(rows, segments).any()


def test_watch_lines_never_cover_their_process() -> None:
    frame = basic.frame(ECHO, BUSY)
    _, painter = painted(frame)
    m = painter.map(RECT, frame)
    lines = {process: box for (what, process), box in painter.labels(RECT, frame).items() if what == "line"}
    assert lines
    for process, box in lines.items():
        x, y = m.points[process].tolist()
        half = m.d / 2
        assert not box.intersects(QRectF(x - half, y - half, m.d, m.d))


def test_the_pointer_hits_the_nearest_item() -> None:
    frame = basic.frame(ECHO, BUSY)
    painter = BasicPainter(LIGHT)
    m = painter.map(RECT, frame)
    for process, (x, y) in enumerate(m.points.tolist()):
        assert painter.hit(QPointF(x, y), RECT, frame) == Hit("process", process)
    flights = frame.flights
    at, _, _ = m.heads(flights.source, flights.target, flights.fraction, flights.place)
    for number, (x, y) in zip(flights.id.tolist(), at.tolist(), strict=True):
        found = painter.hit(QPointF(x, y), RECT, frame)
        assert found is not None
        assert found.kind == "message"
        other = at[flights.id.tolist().index(found.id)]  # type: ignore[arg-type]
        assert found.id == number or np.hypot(*(other - (x, y))) < 1e-6
    legend = layout_legend(LIGHT, RECT, frame.legend)
    assert painter.hit(legend.card.center(), RECT, frame) is None
    rest = basic.frame(ECHO, -1.0)
    x, y = ((m.points[5] + m.points[8]) / 2).tolist()
    assert painter.hit(QPointF(x, y + 13), RECT, rest) == Hit("link", (5, 8))
    assert painter.hit(QPointF(1, 1), RECT, rest) is None
    assert painter.hit(QPointF(5, 5), RECT, basic.frame(None, 0.0)) is None


def test_a_message_has_a_tooltip() -> None:
    b = Book(("0", "1", "2"), links=[("0", "1")])
    number, seq = b.send(4.52, "0", "1", "Broadcast", fields={"payload": "<hi>"})
    b.write(6.52, "receive", "1", "0", label="Broadcast", message=number, cause=seq)
    own = Network("n", ("0", "1", "2"), (Link("0", "1", delay=parse("constant(2)")),), positions={})
    text = BasicPainter(LIGHT).tooltip(Hit("message", 0), basic.frame(Timeline(b.trace()), 5.6, network=own))
    assert text.split("<br>") == [
        "<b>Broadcast</b> 0 → 1, 54 %",
        "payload = &lt;hi&gt;, 8 bits",
        "sent 4.52",
        "arrives 6.52",
        "own delay, mean 2: constant(2)",
    ]


def test_a_process_and_a_link_have_tooltips() -> None:
    painter = BasicPainter(LIGHT)
    frame = basic.frame(ECHO, ECHO.end)
    process = painter.tooltip(Hit("process", 3), frame)
    assert process.startswith("<b>3</b> acknowledged<br>parent = ")
    assert "pending = empty" in process
    assert "since" in process
    link = painter.tooltip(Hit("link", (0, 3)), frame)
    assert "<b>link 0 – 3</b>" in link
    assert "0 → 3: " in link
    assert "3 → 0: " in link
    assert "default delay" in link
    assert painter.tooltip(Hit("link", (0, 11)), frame) == ""
    assert painter.tooltip(Hit("message", 999), frame) == ""
    assert painter.tooltip(None, frame) == ""
    crashed = painter.tooltip(Hit("process", 1), basic.frame(faulty(), 2.0, network=circle(3)))
    assert "crashed at 1.50" in crashed
    assert "at rest" in painter.tooltip(Hit("process", 0), basic.frame(None, 0.0, network=circle(3)))


@pytest.mark.slow
def test_selection_and_hover_draw_a_ring() -> None:
    ring = LIGHT.color("selection").name()
    plain, _ = painted(basic.frame(ECHO, BUSY))
    message = int(basic.frame(ECHO, BUSY).flights.id[0])
    for chosen in (
        Selection(processes=frozenset({2})),
        Selection(links=frozenset({(0, 3)})),
        Selection(messages=frozenset({message})),
    ):
        image, _ = painted(basic.frame(ECHO, BUSY, chosen))
        assert image != plain
        pixels = {image.pixelColor(x, y).name() for x in range(724) for y in range(450)}
        assert ring in pixels
    for hover in (Hit("process", 2), Hit("link", (0, 3)), Hit("message", message)):
        assert painted(basic.frame(ECHO, BUSY, hover=hover))[0] != plain


def test_crashed_processes_are_drawn_at_every_size() -> None:
    b = Book(("0", "1", "2"), links=[])
    for name in ("0", "1", "2"):
        b.write(1.0, "crash", name)
    frame = basic.frame(Timeline(b.trace()), 2.0, network=circle(3))
    image, painter = painted(frame)
    for x, y in painter.map(RECT, frame).points.tolist():
        assert LIGHT.color("fault.base").name() in colors_near(image, x, y, 20)


def test_arrows_marks_and_directed_links_are_drawn() -> None:
    net = Network("n", ("0", "1", "2"), (Link("0", "1", directed=True), Link("1", "2")), positions={})
    b = Book(("0", "1", "2"), links=[])
    b.write(1.0, "init", "0", changed={"parent": "1", "pending": ["1", "2"]})
    run = Timeline(b.trace())
    drawn = Animation(pointers=(Pointer("parent"), Pointer("parent", style="tree")), marks=(Marks("pending"),))
    with_all, _ = painted(basic.frame(run, 1.0, network=net, animation=drawn))
    without, _ = painted(basic.frame(run, 1.0, network=net, animation=Animation()))
    assert with_all != without


def between(painter: BasicPainter, frame: basic.BasicFrame, a: int, b: int, share: float) -> tuple[float, float]:
    points = painter.map(RECT, frame).points
    x, y = (points[a] + (points[b] - points[a]) * share).tolist()
    return x, y


def test_a_link_in_a_set_is_thick_at_the_end_that_holds_it() -> None:
    """Process 0 keeps 1 and 2 as branches, 1 keeps 0, and 2 excludes 1: whole links, half links and dashes."""
    net = circle(3)
    b = Book(("0", "1", "2"), links=[])
    b.write(1.0, "init", "0", changed={"branch": ["1", "2"], "out": []})
    b.write(1.0, "init", "1", changed={"branch": ["0"], "out": []})
    b.write(1.0, "init", "2", changed={"branch": [], "out": ["1"]})
    drawn = Animation(marks=(Marks("branch", slot=3, style="thick"), Marks("out", style="struck")))
    frame = basic.frame(Timeline(b.trace()), 1.0, network=net, animation=drawn)
    image, painter = painted(frame)
    thick = LIGHT.state(3).outline.name()

    def is_thick(a: int, b: int, share: float) -> bool:
        x, y = between(painter, frame, a, b, share)
        return thick in colors_near(image, x, y, 1)

    assert all(is_thick(0, 1, share) for share in (0.3, 0.5, 0.7))
    assert is_thick(0, 2, 0.35) and not is_thick(0, 2, 0.65)
    assert not is_thick(1, 2, 0.3) and not is_thick(1, 2, 0.7)
    x, y = between(painter, frame, 1, 2, 0.75)
    plain, _ = painted(basic.frame(Timeline(b.trace()), 1.0, network=net, animation=Animation()))
    assert colors_near(image, x, y, 4) != colors_near(plain, x, y, 4)


def test_half_lines_are_drawn_and_two_make_a_whole_one() -> None:
    """Of three processes without links, 0 and 1 refer to each other, and 2 refers to 1."""
    net = circle(3).replace(links=())
    b = Book(("0", "1", "2"), links=[])
    for p, q in (("0", "1"), ("1", "0"), ("2", "1")):
        b.write(1.0, "init", p, changed={"near": [q]})
    drawn = Animation(marks=(Marks("near", slot=3, style="half"),))
    frame = basic.frame(Timeline(b.trace()), 1.0, network=net, animation=drawn)
    image, painter = painted(frame)
    ink = LIGHT.state(3).outline.name()
    there = [ink in colors_near(image, *between(painter, frame, a, b, share), 2)
             for a, b, share in ((0, 1, 0.3), (0, 1, 0.5), (0, 1, 0.7), (2, 1, 0.35), (2, 1, 0.65))]  # fmt: skip
    assert there == [True, True, True, True, False]


@pytest.mark.parametrize("style", ["half", "arc"])
def test_items_based_on_a_wrong_belief_are_dashed(style: str) -> None:
    net = circle(3).replace(links=())
    b = Book(("0", "1", "2"), links=[])
    b.write(1.0, "init", "0", changed={"held": {"1": "7"}, "label": "7"})
    b.write(2.0, "init", "1", changed={"held": {}, "label": "7"})
    drawn = Animation(marks=(Marks("held", slot=3, style=style, truth="label"),))
    timeline = Timeline(b.trace(initial={"held": {}, "label": ""}))
    ink = LIGHT.state(3).outline.name()

    def drawn_at(t: float) -> int:
        image, _ = painted(replace(basic.frame(timeline, t, network=net, animation=drawn), legend=()))
        pixels = (image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height()))
        return sum(color == ink for color in pixels)

    assert 0 < drawn_at(1.0) < 0.8 * drawn_at(2.0)


def test_the_weight_of_a_link_is_at_its_middle() -> None:
    light = circle(3)
    heavy = light.replace(links=(replace(light.links[0], weight=7), *light.links[1:]))
    without, _ = painted(basic.frame(None, 0.0, network=light))
    frame = basic.frame(None, 0.0, network=heavy)
    image, painter = painted(frame)
    first, second = (between(painter, frame, *frame.link_ends[i].tolist(), 0.5) for i in (0, 1))
    assert LIGHT.color("text.primary").name() in colors_near(image, *first, 6)
    assert colors_near(image, *second, 6) == colors_near(without, *second, 6)


def test_labels_do_not_move_as_time_passes() -> None:
    painter = BasicPainter(LIGHT)
    places = [painter.labels(RECT, basic.frame(ECHO, t)) for t in np.linspace(-1.0, ECHO.end, 12).tolist()]
    with_lines = [place for place in places if any(key[0] == "line" for key in place)]
    assert len(with_lines) > 5
    assert all(place == with_lines[0] for place in with_lines)


def test_a_change_of_state_fades() -> None:
    """Half-way, both appearances are visible; the picture depends only on the time."""
    seq = next(s for s in range(ECHO.length) if ECHO.states[ECHO.state[s]] == "acked")
    process, at = int(ECHO.process[seq]), float(ECHO.time[seq])
    exact, half = basic.frame(ECHO, at + 0.05), basic.frame(ECHO, at + 0.05, fade=0.1)
    assert exact.changed[process] == 1.0
    assert 0 < half.changed[process] < 1
    first, painter = painted(half)
    x, y = painter.map(RECT, half).points[process].tolist()
    seen = {color(first, x, y - 0.3 * 36), LIGHT.state(2).fill.name(), LIGHT.state(3).fill.name()}
    assert len(seen) == 3, "a mixture of both"
    painted(basic.frame(ECHO, at + 3.0, fade=0.1))
    assert painted(basic.frame(ECHO, at + 0.05, fade=0.1))[0] == first


def test_the_vector_picture_is_the_same() -> None:
    frame = basic.frame(ECHO, BUSY, Selection(processes=frozenset({5})))
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setViewBox(RECT)
    p = QPainter(generator)
    try:
        BasicPainter(LIGHT).paint(p, RECT, frame)
    finally:
        p.end()
    text = bytes(buffer.data().data()).decode()
    assert "<image" not in text
    assert "waits for" in text
    big = basic.frame(None, 0.0, network=circle(1200))
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    p = QPainter(generator)
    try:
        BasicPainter(LIGHT).paint(p, RECT, big)
    finally:
        p.end()
    assert b"<image" not in bytes(buffer.data().data())


def test_a_picture_does_not_depend_on_earlier_ones() -> None:
    """The caches of a painter must not leak from one moment, size or network into another."""
    painter = BasicPainter(LIGHT)
    jobs = [
        (basic.frame(ECHO, 2.0), RECT), (basic.frame(ECHO, BUSY), RECT),
        (basic.frame(ECHO, BUSY), QRectF(0, 0, 500, 400)),
        (basic.frame(None, 0.0, network=circle(400)), RECT), (basic.frame(None, 0.0, network=circle(401)), RECT),
    ]  # fmt: skip
    for frame, rect in [*jobs, *reversed(jobs)]:
        image = QImage(rect.size().toSize(), QImage.Format.Format_ARGB32_Premultiplied)
        p = QPainter(image)
        try:
            painter.paint(p, rect, frame)
        finally:
            p.end()
        assert image == painted(frame, rect)[0]


@pytest.mark.parametrize("scale", [1.0, 1.4, 2.0, 2.5])
@pytest.mark.parametrize("size", [(760, 250), (400, 180), (160, 420), (1280, 720)])
def test_margins_take_a_limited_share_of_a_small_pane(scale: float, size: tuple[int, int]) -> None:
    theme, rect = Theme("light", scale=scale), QRectF(0, 0, *size)
    frame = basic.frame(ECHO, BUSY)
    painter = BasicPainter(theme)
    m = painter.map(rect, frame)
    below = layout_legend(theme, rect, frame.legend).height
    wide, tall = np.ptp(m.points, axis=0).tolist()
    room = max(tall / (rect.height() - below), wide / rect.width())
    assert room >= 0.5 or rect.height() - below < 60
    low, high = m.points.min(axis=0), m.points.max(axis=0)
    assert low.min() >= 0 and high[0] <= rect.right() and high[1] <= rect.bottom() - below
