"""The painters of the communication and the step view: pixels, hits and tooltips."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.others.communication import CommunicationPainter
from lydian.app.painters.others.curve import curve_order
from lydian.app.painters.others.step import StepPainter
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views.others import communication, step
from lydian.views.others.communication import CommunicationFrame
from lydian.views.others.step import StepFrame
from lydian.views.selection import Hit, Selection
from tests.views.book import Book, echo

pytestmark = pytest.mark.usefixtures("qapp")

LOOK = Animation(
    states={"sleeping": 0, "waiting": 2, "acked": 3, "initiating": 1, "finished": 1},
    messages={"Broadcast": 0, "Ack": 1},
)
FIVE = Selection(processes=frozenset({5}))
SIZE = (724, 286)
THEMES = ("light", "dark")


@cache
def timeline() -> Timeline:
    return Timeline(echo())


@cache
def crowd(n: int) -> Timeline:
    """Return a ring of many processes with chords."""
    names = tuple(str(i) for i in range(n))
    links = {tuple(sorted((i, (i + d) % n))) for i in range(n) for d in (1, 7)}
    return Timeline(echo(names, [(str(a), str(b)) for a, b in sorted(links)], bits=(72, 8)))


def columns(t: float, of: Timeline | None = None, **options: Any) -> CommunicationFrame:
    return communication.frame(of or timeline(), t, options.pop("selection", FIVE), animation=LOOK, **options)


def steps(t: float, process: int | None = 5, of: Timeline | None = None, **options: Any) -> StepFrame:
    chosen = Selection() if process is None else Selection(processes=frozenset({process}))
    return step.frame(of or timeline(), t, chosen, animation=LOOK, **options)


def painted(painter: Any, frame: Any, size: tuple[int, int] = SIZE) -> np.ndarray:
    """Return the picture as an array (height, width, 3)."""
    image = QImage(*size, QImage.Format.Format_RGB888)
    image.fill(QColor("magenta"))
    p = QPainter(image)
    try:
        painter.paint(p, QRectF(0, 0, *size), frame)
    finally:
        p.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(size[1], image.bytesPerLine())
    return rows[:, : size[0] * 3].reshape(size[1], size[0], 3).copy()


def share(picture: np.ndarray, color: QColor) -> float:
    """Return the share of the picture that has a colour."""
    return float((picture == (color.red(), color.green(), color.blue())).all(axis=2).mean())


def has(picture: np.ndarray, color: QColor) -> bool:
    return share(picture, color) > 0


@pytest.mark.parametrize("theme", THEMES)
def test_columns_have_the_colours_of_their_kinds(theme: str) -> None:
    look = Theme(theme)
    first, second = look.message(0).color, look.message(1).color
    start, middle, end = (painted(CommunicationPainter(look), columns(t)) for t in (0.0, 2.0, 99.0))
    # even when nothing is sent the legend shows each kind once
    assert share(start, first) < share(middle, first) < share(end, first)
    assert share(start, second) < share(end, second)
    assert share(end, first) == pytest.approx(share(end, second), rel=0.4), "23 messages of each kind"
    assert not has(end, QColor("magenta")), "the whole ground is painted"


@pytest.mark.parametrize("theme", THEMES)
def test_the_selected_column_is_tinted(theme: str) -> None:
    look = Theme(theme)
    soft = look.color("accent.soft")
    picture = painted(CommunicationPainter(look), columns(3.0))
    where = np.flatnonzero((picture == (soft.red(), soft.green(), soft.blue())).all(axis=2).any(axis=0))
    painter = CommunicationPainter(look)
    hits = {painter.hit(QPointF(float(x), 150.0), QRectF(0, 0, *SIZE), columns(3.0)) for x in where}
    assert hits == {Hit("process", 5)}
    assert not has(painted(painter, columns(3.0, selection=Selection())), soft)


def test_the_height_of_a_column_is_its_number_of_messages() -> None:
    look = Theme("light")
    frame = columns(99.0, selection=Selection())
    picture = painted(CommunicationPainter(look), frame)
    painter = CommunicationPainter(look)
    plot = painter._plot(QRectF(0, 0, *SIZE), frame)
    kinds = [look.message(kind).color for kind in frame.kinds]
    for c in range(12):
        # left of the middle, away from the number
        line = picture[:, int(plot.x(c) - plot.pitch * 0.22)]
        coloured = sum((line == (q.red(), q.green(), q.blue())).all(axis=1).sum() for q in kinds)
        expected = frame.heights[c] / plot.top * plot.area.height()
        assert coloured == pytest.approx(expected, abs=8), "but for the gap and the line of the mean"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("n", [40, 150, 400])
@pytest.mark.parametrize("what", ["sent", "bits"])
def test_many_processes_can_be_painted(theme: str, n: int, what: str) -> None:
    of = crowd(n)
    for t in (0.0, of.end * 0.4, of.end):
        frame = columns(t, of, what=what, sort="degree", degree=True)
        picture = painted(CommunicationPainter(Theme(theme)), frame)
        assert not has(picture, QColor("magenta"))
        assert has(picture, Theme(theme).message(0).color)


def test_a_thousand_columns_become_a_curve_with_tooltips() -> None:
    of = crowd(400)
    frame = columns(of.end * 0.5, of)
    rect = QRectF(0, 0, *SIZE)
    painter = CommunicationPainter(Theme("light"))
    assert painter._plot(rect, frame).curve
    order = curve_order(frame)
    assert (np.diff(frame.heights[order]) <= 0).all()
    hit = painter.hit(QPointF(60.0, 200.0), rect, frame)
    assert hit is not None
    assert frame.heights[hit.id] >= frame.heights[order[40]]
    assert not painter._plot(QRectF(0, 0, 4000, 600), frame).curve


def test_only_columns_are_hit() -> None:
    painter, rect, frame = CommunicationPainter(Theme("light")), QRectF(10, 20, *SIZE), columns(3.0, sort="value")
    plot = painter._plot(rect, frame)
    for c in range(12):
        assert painter.hit(QPointF(plot.x(c), 100.0), rect, frame) == Hit("process", int(frame.columns[c]))
    assert painter.hit(QPointF(12.0, 100.0), rect, frame) is None
    assert painter.hit(QPointF(plot.x(3), 5.0), rect, frame) is None


def test_tooltips_count_exactly() -> None:
    painter = CommunicationPainter(Theme("light"))
    frame = columns(99.0)
    assert painter.tooltip(Hit("process", 3), frame) == (
        "<b>Process 3</b>, sent so far: 6<br>Broadcast: 4<br>Ack: 2<br>largest message sent: 8 bits<br>5 links"
    )
    assert ", 4 to come" in painter.tooltip(Hit("process", 3), columns(0.0))
    assert "1 link" in painter.tooltip(Hit("process", 2), frame)
    assert painter.tooltip(None, frame).startswith("The formula 4m − 2n + 2 expects 46 messages")


@pytest.mark.parametrize("size", [(60, 40), (200, 90), (330, 160), (2000, 1200)])
@pytest.mark.parametrize("make", [columns, steps])
def test_every_size_can_be_painted(make: Callable[..., Any], size: tuple[int, int]) -> None:
    painter = CommunicationPainter if make is columns else StepPainter
    picture = painted(painter(Theme("dark", projector=size[0] > 1000)), make(4.0), size)
    assert not has(picture, QColor("magenta"))


def test_an_empty_network_and_an_empty_run_can_be_painted() -> None:
    nobody = Timeline(Book((), links=[]).trace(stopped="quiescent"))
    for painter, frame in (
        (CommunicationPainter(Theme("light")), columns(0.0, nobody)),
        (StepPainter(Theme("light")), steps(0.0, None, nobody)),
    ):
        assert not has(painted(painter, frame), QColor("magenta"))
        assert painter.hit(QPointF(100, 100), QRectF(0, 0, *SIZE), frame) is None


# the step view

STEP = (330, 430)
RECT = QRectF(0, 0, *STEP)


@pytest.mark.parametrize("theme", THEMES)
def test_the_step_view_shows_the_state_and_marks_the_current_event(theme: str) -> None:
    look = Theme(theme)
    painter = StepPainter(look)
    asleep, awake = painted(painter, steps(0.0), STEP), painted(painter, steps(3.0), STEP)
    assert has(asleep, look.state(0).fill)
    assert not has(asleep, look.state(2).fill)
    assert has(awake, look.state(2).fill)
    assert not has(asleep, look.color("accent.soft")), "no event is the current one yet"
    frame = steps(3.0)
    soft = look.color("accent.soft")
    rows = np.flatnonzero((awake == (soft.red(), soft.green(), soft.blue())).all(axis=2).any(axis=1))
    current = next(row for row in frame.rows if row.current)
    hits = {painter.hit(QPointF(150.0, y + 0.5), RECT, frame) for y in rows}
    assert Hit("event", current.seq) in hits
    assert hits <= {Hit("event", row.seq) for row in frame.rows}, "besides it, the line of code that ran is marked"


@pytest.mark.parametrize("theme", THEMES)
def test_a_changed_variable_has_a_dot(theme: str) -> None:
    look = Theme(theme)
    first = float(timeline().time[timeline().events_of(5)[0]])
    ink = look.color("chain.past")
    assert has(painted(StepPainter(look), steps(first), STEP), ink)
    assert not has(painted(StepPainter(look), steps(99.0), STEP), ink)


def test_the_step_view_reports_hits() -> None:
    painter, frame = StepPainter(Theme("light")), steps(5.0)
    places = painter._places(RECT, frame)
    for row in frame.rows:
        if places.first <= row.place < places.first + places.shown_events:
            assert painter.hit(places.event_box(row.place).center(), RECT, frame) == Hit("event", row.seq)
    assert painter.hit(places.head.center(), RECT, frame) == Hit("process", 5)
    assert painter.hit(places.button(False).center(), RECT, frame) == Hit("event", frame.previous)
    assert painter.hit(places.button(True).center(), RECT, frame) == Hit("event", frame.following)
    changed = QPointF(40.0, places.variables.top() + places.line * 1.5)
    assert painter.hit(changed, RECT, frame) == Hit("event", frame.variables[0].seq)
    heading = QPointF(40.0, places.variables.top() + places.line * 0.5)
    assert painter.hit(heading, RECT, frame) is None
    assert painter.hit(painter._last_box(places, 0).center(), RECT, frame) == Hit("event", frame.lasts[0].seq)
    assert painter.hit(QPointF(-5, 50), RECT, frame) is None


def test_the_step_view_has_tooltips() -> None:
    painter, frame = StepPainter(Theme("light")), steps(5.0)
    row = frame.rows[0]
    assert painter.tooltip(Hit("event", row.seq), frame).startswith("<b>receives Broadcast from 3 → waiting</b>")
    assert painter.tooltip(Hit("process", 5), frame).startswith("<b>Process 5</b>: waiting")
    assert painter.tooltip(Hit("event", 99_999), frame) == ""
    assert painter.tooltip(None, frame) == ""


def long_life() -> Timeline:
    b = Book(("0", "1"), links=[("0", "1")])
    b.write(0, "init", "0", state="initiating", changed={f"variable{i}": i for i in range(12)})
    for i in range(300):
        b.send(float(i), "0", "1", "Ack")
    b.write(300, "crash", "0")
    return Timeline(b.trace())


def test_the_current_event_is_in_view_and_scrolling_is_free() -> None:
    of = long_life()
    painter = StepPainter(Theme("light"))
    for t in (0.0, 5.0, 150.0, 290.0, 300.0):
        frame = steps(t, 0, of)
        first, shown = painter.first(RECT, frame), painter.rows(RECT, frame)
        assert shown >= 4
        assert first <= frame.current < first + shown
        painted(painter, frame, STEP)
    frame = steps(150.0, 0, of)
    down = painter.scrolled(frame, 3, RECT)
    assert down == painter.first(RECT, frame) + 3
    moved = steps(150.0, 0, of, offset=down)
    assert painter.first(RECT, moved) == down
    assert painter.scrolled(moved, -3, RECT) is None, "back where it stands by itself"
    last = painter.scrolled(frame, 10_000, RECT)
    assert last == frame.count - painter.rows(RECT, frame)
    assert painter.scrolled(frame, -10_000, RECT) == 0


def test_many_variables_leave_space_for_events() -> None:
    frame = steps(150.0, 0, long_life())
    painter = StepPainter(Theme("light"))
    assert len(frame.variables) == 15
    places = painter._places(RECT, frame)
    assert 1 <= places.shown_variables < 15
    assert painter._places(QRectF(0, 0, 330, 900), frame).shown_variables == 15


@pytest.mark.parametrize("theme", THEMES)
def test_a_crash_is_shown(theme: str) -> None:
    look = Theme(theme)
    fault = look.color("fault.base")
    of = long_life()
    assert has(painted(StepPainter(look), steps(300.0, 0, of), STEP), fault)
    assert not has(painted(StepPainter(look), steps(100.0, 0, of), STEP), fault)
