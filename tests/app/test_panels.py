"""Charts, bars and a tree beside the network: their layout, painting and tooltips."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.look.theme import Theme
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.painters.pieces.beside import parted
from lydian.app.pictures.render import render
from lydian.desk.playhead import Playhead
from lydian.pieces.animation import (
    Animation,
    Cell,
    Chart,
    Column,
    Grid,
    Histogram,
    Line,
    Logs,
    Reach,
    Table,
    Tree,
    Wall,
)
from lydian.pieces.bars import BarsFrame
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.registry import view
from lydian.views.selection import Selection
from tests.views.book import Book

pytestmark = pytest.mark.usefixtures("qapp")
RECT = QRectF(0, 0, 1200, 800)
NAMES = tuple("abcdef")
FULL = Animation(
    grid=Grid(
        (Cell("T", slot=2), Cell("lost", slot=1, style="dotted"), Cell("old", slot=4, style="hollow")), title="G"
    ),
    tree=Tree("T", form="trie", compare=True, title="Trie", word="differs"),
    chart=(Chart(Line("T", of="sum"), title="Keys"), Histogram("len(T)", title="Held", axis="processes", word="keys")),
)


def run(keys: int = 6) -> Timeline:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for i in range(keys):
        held = {format(j * 37 % 1024, "010b"): "x" for j in range(i + 1)}
        book.write(1.0 + i, "init", NAMES[i % 6], changed={"T": held, "lost": ["gone"], "old": ["aged"]})
    return Timeline(book.trace(initial={"T": {}, "lost": [], "old": []}))


RUN = run()


def see(t: float, drawn: Animation = FULL, source: Timeline = RUN, **more: Any) -> basic.BasicFrame:
    return basic.frame(source, t, animation=drawn, **more)


def painted(frame: basic.BasicFrame, painter: BasicPainter, rect: QRectF = RECT) -> QImage:
    image = QImage(rect.size().toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    p = QPainter(image)
    try:
        painter.paint(p, rect, frame)
    finally:
        p.end()
    return image


def shown(wide: int, tall: int, drawn: Animation) -> tuple[list[QRectF], QRectF]:
    parts = parted(Theme("light"), QRectF(0, 0, wide, tall), see(6.0, drawn))
    boxes = [parts.network, *parts.boxes]
    some = [box for box in boxes if not box.isEmpty()]
    for i, one in enumerate(some):
        assert QRectF(0, 0, wide, tall).contains(one) and not any(one.intersects(other) for other in some[i + 1 :])
    return list(parts.of("chart")), parts.network


def test_charts_below_are_side_by_side_and_the_last_are_dropped_first() -> None:
    three = Animation(chart=tuple(Chart(Line("T"), share=0.2 + 0.02 * i) for i in range(3)))
    charts, network = shown(1200, 800, three)
    assert len({(box.top(), box.height(), box.width()) for box in charts}) == 1 and network.width() == 1200
    assert charts[0].height() == pytest.approx(0.24 * 800) and charts[1].left() == charts[0].right()
    assert [not box.isEmpty() for box in shown(500, 800, three)[0]] == [True, True, False]
    assert [not box.isEmpty() for box in shown(300, 800, three)[0]] == [True, False, False]
    assert all(box.isEmpty() for box in shown(400, 220, three)[0])


def test_charts_beside_are_stacked_and_the_last_are_dropped_first() -> None:
    three = Animation(chart=tuple(Chart(Line("T"), side="beside", share=0.3) for _ in range(3)))
    charts, network = shown(1200, 800, three)
    assert len({(box.left(), box.width()) for box in charts}) == 1 and network.right() == charts[0].left()
    assert [round(box.height()) for box in charts] == [267, 267, 267]
    assert [not box.isEmpty() for box in shown(1200, 200, three)[0]] == [True, True, False]
    assert all(box.isEmpty() for box in shown(600, 800, three)[0])


def test_a_column_contains_the_grid_the_tree_and_a_chart() -> None:
    aside = Animation(grid=FULL.grid, tree=FULL.tree, chart=(Histogram("len(T)", side="beside"), Chart(Line("T"))))
    parts = parted(Theme("light"), RECT, see(6.0, aside))
    assert (
        parts.of("grid")[0].bottom() == parts.of("tree")[0].top()
        and parts.of("tree")[0].bottom() == parts.of("chart")[0].top()
    )
    assert parts.of("chart")[0].height() == pytest.approx(0.5625 * parts.of("tree")[0].height())
    assert parts.of("chart")[1].right() == parts.network.right() == parts.of("grid")[0].left()
    low = parted(Theme("light"), QRectF(0, 0, 560, 281), see(6.0, aside))
    assert low.of("chart")[0].isEmpty() and not low.of("grid")[0].isEmpty() and not low.of("tree")[0].isEmpty()


def test_in_a_wide_view_the_panels_and_the_curves_are_columns_of_their_own() -> None:
    curves = tuple(Chart(Line("T"), share=0.2) for _ in range(3))
    aside = Animation(grid=FULL.grid, chart=curves)
    charts, network = shown(1268, 410, aside)
    grid = parted(Theme("light"), QRectF(0, 0, 1268, 410), see(6.0, aside)).of("grid")[0]
    assert network.height() == grid.height() == 410 and network.width() >= 0.4 * 1268
    assert network.right() == pytest.approx(grid.left()) and grid.right() == pytest.approx(charts[0].left())
    assert [round(box.height()) for box in charts] == [137, 137, 137] and len({box.left() for box in charts}) == 1
    assert [not box.isEmpty() for box in shown(1268, 250, aside)[0]] == [True, True, False]


def test_in_a_wide_view_a_single_chart_is_below_the_grid() -> None:
    aside = Animation(grid=FULL.grid, chart=Chart(Line("T"), share=0.2))
    charts, network = shown(1268, 410, aside)
    grid = parted(Theme("light"), QRectF(0, 0, 1268, 410), see(6.0, aside)).of("grid")[0]
    assert charts[0].left() == grid.left() == network.right() and charts[0].top() == pytest.approx(grid.bottom())
    alone, network = shown(1268, 410, Animation(chart=Chart(Line("T"), share=0.2)))
    assert alone[0].left() == network.right()  # below the network there is too little room


def test_panels_of_a_wide_view_that_do_not_fit_side_by_side_are_stacked() -> None:
    narrow = parted(Theme("light"), QRectF(0, 0, 640, 300), see(6.0, Animation(grid=FULL.grid, tree=FULL.tree)))
    assert narrow.of("grid")[0].bottom() == narrow.of("tree")[0].top()
    tiny, network = shown(430, 200, FULL)
    assert network.width() == 430 and all(box.isEmpty() for box in tiny)


SAYING = Animation(
    logs=Logs("log", commit="done", item=1, tint=0, now="term", word="term"),
    table=Table((Column("term", word="t", style="tint", agree=True), Column("done > 0", word="d", style="tick"))),
    reach=Reach("plan", "held", levels={"ring": "on the ring"}, extra="too many", title="Links by reach"),
    wall=Wall(),
)


def saying() -> Timeline:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for i, name in enumerate(NAMES):
        log = [[1, "x"], [1 + i % 2, "uv"[i % 2]]]
        book.write(1.0 + i, "init", name, changed={"log": log, "term": 1 + i % 2, "done": 1 + (i == 5)})
    book.write(7.0, "init", "a", changed={"plan": {"ring": ["b>c", "c>b"]}})
    book.write(8.0, "link_down", "b", "c")
    return Timeline(book.trace(initial={"log": [], "term": 0, "done": 0, "plan": None, "held": []}))


def test_logs_and_tables_describe_their_entries_and_select_their_processes() -> None:
    source, painter, rect = saying(), BasicPainter(Theme("light")), QRectF(0, 0, 1268, 410)
    frame = see(9.0, SAYING, source)
    image = painted(frame, painter, rect)
    parts = parted(painter.theme, rect, frame)
    notes, hits = {}, {}
    for x in range(int(parts.network.right()), 1268, 14):
        for y in range(0, 410, 12):
            note = painter.note_at(QPointF(x, y), rect, frame)
            notes.setdefault(note, QPointF(x, y))
            hits.setdefault(painter.hit(QPointF(x, y), rect, frame), QPointF(x, y))
    assert {"entry 2 of a: u, term 1, will be lost", "entry 1 of b: x, term 1, committed", "f, t: 2", "a, d: yes"} <= {
        *notes
    }
    assert {"on the ring: 0 of 1", "too many: 0"} <= {*notes}
    assert {hit.id for hit in hits if hit is not None} == set(range(6))
    lost = notes["entry 2 of a: u, term 1, will be lost"]
    colours = {image.pixelColor(int(lost.x()) + dx, int(lost.y()) + dy).name() for dx in range(60) for dy in range(20)}
    assert painter.theme.color("tint.0.soft").name() in colours


def test_logs_shrink_to_tinted_cells() -> None:
    frame, rect = see(9.0, SAYING, saying()), QRectF(0, 0, 560, 281)
    image = painted(frame, BasicPainter(Theme("light")), rect)
    assert not parted(Theme("light"), rect, frame).of("logs")[0].isEmpty() and not image.isNull()


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_heights_of_bars_are_proportional_to_their_numbers(theme: str) -> None:
    frame, painter = see(3.0), BasicPainter(Theme(theme))
    image, bars = painted(frame, painter), frame.chart[1]
    assert isinstance(bars, BarsFrame) and bars.now == (3, 1, 1, 1, 0, 0, 0)
    box = parted(painter.theme, RECT, frame).of("chart")[1]
    plot = painter.panels.painters.named("bars", 1).plot(box, bars)
    slot, fill = plot.width() / 7, Theme(theme).state(2).fill.name()
    for place, count in enumerate(bars.now):
        inside = plot.bottom() - plot.height() * (count - 0.15) / bars.classes.most
        across = range(round(plot.left() + (place + 0.3) * slot), round(plot.left() + (place + 0.7) * slot))
        assert (fill in {image.pixelColor(x, round(inside)).name() for x in across}) == (count > 0)
        assert fill not in {image.pixelColor(x, round(inside - 0.3 * plot.height() / 6)).name() for x in across}
    at = QPointF(plot.left() + 0.5 * slot, plot.bottom() - 3)
    assert painter.note_at(at, RECT, frame) == "<b>keys 0</b><br>3 processes" and painter.hit(at, RECT, frame) is None


def test_the_tree_describes_its_nodes_and_shrinks_to_dots() -> None:
    painter, frame = BasicPainter(Theme("light")), see(4.0, selection=Selection(processes=frozenset({3})))
    image, tree = painted(frame, painter), frame.tree
    assert tree is not None and tree.whose == 3 and len(tree.laid.names) == 7
    box = parted(painter.theme, RECT, frame).of("tree")[0]
    plan = painter.panels.painters.named("tree")._plan(box, tree)
    assert (plan.chips > 0).all()
    for node, (x, y) in enumerate(zip(plan.x.tolist(), plan.y.tolist(), strict=True)):
        assert box.contains(QPointF(x, y))
        words = painter.note_at(QPointF(x, y), RECT, frame)
        assert words == tree.words(node) and (", differs" in words) == bool(tree.red[node])
        corner = image.pixelColor(round(x - plan.chips[node] / 2 + 3), round(y + 5)).name()
        assert (corner == Theme("light").state(1).fill.name()) == bool(tree.red[node])
    large = run(200)
    frame = see(200.0, source=large, selection=Selection(processes=frozenset({199 % 6})))
    assert frame.tree is not None and len(frame.tree.laid.names) == 399
    painted(frame, painter)
    plan = painter.panels.painters.named("tree")._plan(box, frame.tree)
    assert not (plan.chips[frame.tree.laid.depth == frame.tree.laid.high - 2] > 0).any() and plan.dot < 3.5
    assert (plan.x - plan.dot >= box.left()).all() and (plan.x + plan.dot <= box.right()).all()
    assert (plan.y <= box.bottom() - 26).all()


def test_chips_of_one_level_do_not_touch() -> None:
    painter = BasicPainter(Theme("light"))
    for keys in (2, 5, 9, 14, 30, 60):
        frame = see(float(keys), source=run(keys), selection=Selection(processes=frozenset({(keys - 1) % 6})))
        assert frame.tree is not None
        plan = painter.panels.painters.named("tree")._plan(parted(painter.theme, RECT, frame).of("tree")[0], frame.tree)
        for level in range(frame.tree.laid.high):
            mine = np.flatnonzero(frame.tree.laid.depth == level)
            mine = mine[np.argsort(plan.x[mine])]
            gaps = np.diff(plan.x[mine]) - (plan.chips[mine][1:] + plan.chips[mine][:-1]) / 2
            assert (gaps >= 0).all()


def test_hollow_and_dotted_cells_are_outlines() -> None:
    frame, painter = see(6.0), BasicPainter(Theme("light"))
    image = painted(frame, painter)
    assert frame.grid is not None
    plan = painter.panels.painters.named("grid")._plan(parted(painter.theme, RECT, frame).of("grid")[0], frame.grid)
    ground = Theme("light").color("surface.panel").name()
    for key, slot in (("gone", 1), ("aged", 4)):
        column = frame.grid.keys.index(key)
        left, top = plan.x + column * plan.wide, plan.y + 2 * plan.tall
        assert image.pixelColor(round(left + plan.wide / 2), round(top + plan.tall / 2)).name() == ground
        rim = {
            image.pixelColor(round(left) + i, round(top + plan.tall / 2) + j).name() for i in range(4) for j in range(4)
        }
        outline = Theme("light").state(slot).outline.getRgb()  # nearly, since the grid begins between two pixels
        away = [sum(abs(a - b) for a, b in zip(QColor(ink).getRgb(), outline, strict=True)) for ink in rim]
        assert min(away) < 80


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_contain_all_panels(tmp_path: Path, ending: str) -> None:
    plain, full = tmp_path / f"plain.{ending}", tmp_path / f"full.{ending}"
    render(RUN, Animation(), "basic", 6.0, plain)
    render(RUN, FULL, "basic", 6.0, full)
    assert full.read_bytes() != plain.read_bytes()
    if ending == "svg":
        text = full.read_text(encoding="utf-8")
        assert "Trie" in text and "of a" in text and "Held" in text and "<image" not in text


def test_in_the_window_the_tree_follows_the_selection_and_the_run(qtbot: QtBot) -> None:
    head = Playhead()
    short = run(3)
    head.load(short, FULL)
    canvas = Canvas(view("basic"), head, Theme("light"), TimeCamera())
    qtbot.addWidget(canvas)
    canvas.resize(1200, 800)
    with qtbot.waitExposed(canvas):
        canvas.show()
    head.seek(3.0)
    canvas.refresh()
    qtbot.waitUntil(lambda: canvas.frame is not None and canvas.frame.t == 3.0)

    def whose() -> int:
        canvas.refresh()
        return canvas.frame.tree.whose

    qtbot.waitUntil(lambda: whose() == 0)
    head.select(Selection(processes=frozenset({2})))
    qtbot.waitUntil(lambda: whose() == 2)
    assert len(canvas.frame.tree.laid.names) == 5
    head.extend(Timeline(run(6).trace, short))
    head.select(Selection(processes=frozenset({5})))
    head.seek(6.0)
    qtbot.waitUntil(lambda: whose() == 5 and len(canvas.frame.tree.laid.names) == 11)
    assert canvas.frame.chart[1].now == (0, 1, 1, 1, 1, 1, 1)
    head.seek(1.0)
    qtbot.waitUntil(lambda: whose() == 5 and canvas.frame.tree.laid.names == ())
    assert canvas.frame.chart[1].now == (5, 1, 0, 0, 0, 0, 0)


def test_a_sentence_replaces_a_missing_drawing() -> None:
    wrong = Animation(tree=Tree("TT"), chart=(Histogram("xx"), Histogram("None", title="Empty")))
    frame, painter = see(3.0, wrong), BasicPainter(Theme("dark"))
    painted(frame, painter)
    boxes = parted(painter.theme, RECT, frame)
    for box in (boxes.of("tree")[0], *boxes.of("chart")):
        assert not box.isEmpty() and painter.note_at(box.center(), RECT, frame) == ""
    nobody = see(0.5)
    assert nobody.tree is not None and nobody.tree.whose == -1
    painted(nobody, painter)


BALLOTS = Animation(
    table=Table(
        (
            Column("[3, text]", word="promised", style="tint"),
            Column("[3, text]", word="accepted in", style="tint", agree=True),
            Column("term", word="value"),
            Column("term", word="learned", agree=True),
        )
    )
)


@pytest.mark.parametrize(
    ("texts", "width"), [(("1 of 0", "12 of 31"), 320.0), (("a ballot of many words",) * 2, 230.0)]
)
def test_columns_of_a_table_have_the_widths_of_their_texts_and_keep_them(texts: tuple[str, str], width: float) -> None:
    book = Book(NAMES, links=list(pairwise(NAMES)))
    for t, text in enumerate(texts, 1):
        book.write(float(t), "init", "a", changed={"text": text})
    source = Timeline(book.trace(initial={"text": "", "term": 0}))
    painter, box = BasicPainter(Theme("light")).panels.painters.named("table"), QRectF(0, 0, width, 300)
    first, last = (see(t, BALLOTS, source).table for t in (0.5, 9.0))
    plan = painter._plan(box, last)
    assert painter._plan(box, first).columns == plan.columns and len(plan.columns) == 4
    assert plan.columns[-1][0] + plan.columns[-1][1] <= box.right()
    words = [max(painter.ink.width(line, "small") for line in painter._head(word)) for word in ("promised", "value")]
    if len(texts[0]) < 10:
        chip = painter.ink.width("12 of 31", "small", semibold=True)
        assert plan.columns[0][1] > max(chip + 14, words[0]) and plan.columns[0][1] > plan.columns[2][1] > words[1]
        assert painter._head("accepted in") == ("accepted", "in")
    else:  # what is too wide shares the room that the narrow columns leave
        assert plan.columns[0][1] == plan.columns[1][1] > plan.columns[2][1] > words[1]
