"""The painter of the knowledge view: drawing, hits and tooltips."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.others.knowledge import KnowledgePainter, contrast
from lydian.trace.timeline import Timeline
from lydian.views.others.knowledge import KnowledgeFrame, PairHit, frame
from lydian.views.selection import Hit, Selection
from tests.desk.test_playhead import echo_run
from tests.views.others.test_clocks import chatter

pytestmark = pytest.mark.usefixtures("qapp")

RECT = QRectF(0, 0, 724, 386)


def draw(seen: KnowledgeFrame, painter: KnowledgePainter, rect: QRectF = RECT) -> QImage:
    assert QGuiApplication.instance() is not None
    image = QImage(int(rect.width()), int(rect.height()), QImage.Format.Format_RGB32)
    p = QPainter(image)
    try:
        painter.paint(p, rect, seen)
    finally:
        p.end()
    return image


def gossip(n: int, count: int) -> Timeline:
    return chatter(n, [(i * 31 % n, (i * 31 + 1 + i % 5) % n, i % 7) for i in range(count)])


def ground(theme: Theme, pos: QPointF, image: QImage) -> bool:
    return QColor(image.pixel(pos.toPoint())).rgb() == theme.color("surface.panel").rgb()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_known_cells_are_filled_and_the_others_are_not(name: str) -> None:
    theme = Theme(name)
    painter, seen = KnowledgePainter(theme), frame(echo_run(), 99.0)
    image = draw(seen, painter)
    plan = painter._plan(RECT, seen)
    for row in range(12):
        for column in range(12):
            if row != column:
                assert ground(theme, plan.box(row, column).center(), image) != seen.known[row, column]


def test_hits_are_pairs_rows_and_columns() -> None:
    painter, seen = KnowledgePainter(Theme()), frame(echo_run(), 5.0, sort="knows")
    plan = painter._plan(RECT, seen)
    at = [int(p) for p in seen.processes]
    assert painter.hit(plan.box(3, 5).center(), RECT, seen) == PairHit("process", at[3], at[5])
    assert painter.hit(plan.box(4, 4).center(), RECT, seen) == Hit("process", at[4])
    assert painter.hit(QPointF(12, plan.box(7, 0).center().y()), RECT, seen) == Hit("process", at[7])
    assert painter.hit(QPointF(plan.bars.right() - 1, plan.box(7, 0).center().y()), RECT, seen) == Hit("process", at[7])
    assert painter.hit(QPointF(plan.box(0, 6).center().x(), 8), RECT, seen) == Hit("process", at[6])
    assert painter.hit(QPointF(5, 5), RECT, seen) is None
    assert painter.hit(QPointF(-5, 5), RECT, seen) is None
    assert painter.hit(QPointF(60, 385), RECT, seen) is None


def test_tooltips_show_knowledge_and_escape_names() -> None:
    timeline = chatter(3, [(0, 1, 0), (1, 2, 0)])
    timeline.processes = ("<a>", "b", "c")
    painter, seen = KnowledgePainter(Theme()), frame(timeline, 9.0)
    assert painter.tooltip(PairHit("process", 2, 0), seen) == (
        "<b>c knows of &lt;a&gt; since 1.50, through b</b><br>"
        "the path was &lt;a&gt; → b → c<br>it knows what &lt;a&gt; did up to 0.00 (Lamport time 0)"
    )
    assert painter.tooltip(Hit("process", 1), seen).startswith("<b>b knows of 2 of 3 processes")
    assert painter.tooltip(None, seen).startswith("Row by row")
    assert painter.tooltip(Hit("process", 77), seen).startswith("Row by row")


@pytest.mark.parametrize("size", [(16, 16), (200, 120), (330, 260), (1280, 800), (80, 900)])
@pytest.mark.parametrize("n", [1, 2, 12, 60, 300])
def test_every_size_shows_something(size: tuple[int, int], n: int) -> None:
    timeline = gossip(n, 4 * n) if n > 1 else chatter(1, [])
    rect = QRectF(0, 0, *size)
    seen = frame(timeline, timeline.end / 2, Selection(processes=frozenset((0, n - 1))), hover=PairHit("process", 0, 0))
    image = draw(seen, KnowledgePainter(Theme(projector=n == 12)), rect)
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32)
    assert len(np.unique(pixels)) > 1


def test_many_processes_are_pixels_in_the_same_colours() -> None:
    theme, timeline = Theme(), gossip(150, 4_000)
    painter, seen = KnowledgePainter(theme), frame(timeline, timeline.end)
    rect = QRectF(0, 0, 1000, 400)
    image = draw(seen, painter, rect)
    plan = painter._plan(rect, seen)
    assert 2 < plan.cell < 5
    cells = [(r, c) for r in range(0, 150, 7) for c in range(3, 150, 11) if abs(r - c) > 3]
    empty = theme.color("surface.panelAlt").rgb()
    assert 0.1 < np.mean([seen.known[cell] for cell in cells]) < 0.9
    for r, c in cells:
        at = plan.box(r, c).center()
        pixel = image.pixel(int(at.x()), int(at.y()))
        assert (pixel == empty) != bool(seen.known[r, c])


def test_selection_tints_the_row_and_the_column() -> None:
    theme, timeline = Theme(), echo_run()
    painter = KnowledgePainter(theme)
    seen = frame(timeline, 0.0, Selection(processes=frozenset((3,))))
    image, plan = draw(seen, painter), painter._plan(RECT, seen)
    soft = theme.color("accent.soft").rgb()
    assert image.pixel(plan.box(3, 8).center().toPoint()) == soft
    assert image.pixel(plan.box(8, 3).center().toPoint()) == soft
    assert image.pixel(plan.box(8, 4).center().toPoint()) != soft


def test_complete_knowledge_is_framed() -> None:
    theme = Theme()
    timeline = chatter(3, [(0, 1, 0), (1, 2, 0), (2, 0, 0), (2, 1, 0)])
    painter = KnowledgePainter(theme)
    for t, framed in ((2.6, False), (9.0, True)):
        seen = frame(timeline, t)
        image, plan = draw(seen, painter), painter._plan(RECT, seen)
        edge = QPointF(plan.matrix.right() + 2.5, plan.matrix.center().y() + 0.25 * plan.cell)
        found = QColor(image.pixel(edge.toPoint()))
        assert (contrast(found, theme.color("surface.panel")) > 3) == framed


def test_a_missing_matrix_is_explained_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.views.others.knowledge.LIMIT", 1)
    painter, seen = KnowledgePainter(Theme()), frame(chatter(2, []), 0.0)
    assert painter.hit(QPointF(50, 50), RECT, seen) is None
    assert painter.tooltip(None, seen).startswith("This view is shown for up to 1 process")
    assert len(np.unique(np.frombuffer(draw(seen, painter).constBits(), dtype=np.uint32))) > 1


def test_text_contrast_is_that_of_black_on_white() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#777777")) == 1
