"""The painters of the time views: pixels, hits, tooltips and cached pictures."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from lydian.app.look.theme import Theme
from lydian.app.painters.time import axis
from lydian.app.painters.time.causality import CausalityPainter
from lydian.app.painters.time.occupation import BarHit, OccupationPainter
from lydian.pieces.animation import Animation
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.selection import Hit, Selection
from lydian.views.time import causality, occupation
from lydian.views.time.causality import CausalityFrame
from lydian.views.time.occupation import OccupationFrame
from tests.views.book import Book, echo

pytestmark = pytest.mark.usefixtures("qapp")

LOOK = Animation(
    states={"sleeping": 0, "waiting": 2, "acked": 3, "initiating": 1, "finished": 3},
    messages={"Broadcast": 0, "Ack": 1},
    words={"waiting": "informed"},
)
SIZE = (579, 390)
RECT = QRectF(0, 0, *SIZE)
THEMES = [("light", False), ("dark", False), ("dark", True)]


@cache
def run() -> Timeline:
    return Timeline(echo())


@cache
def faulty() -> Timeline:
    """Return a run: a sends to b, b crashes at 2, the message is lost at 4, and another to c stays in transit."""
    book = Book(("a", "b", "c"))
    start = book.write(0.0, "init", "a", state="waiting")
    m0, s0 = book.send(1.0, "a", "b", "Broadcast", start)
    book.write(2.0, "crash", "b")
    book.write(4.0, "drop", "b", "a", label="Broadcast", message=m0, cause=s0, reason="crash")
    book.send(5.0, "a", "c", "Ack", start)
    book.write(8.0, "timer", "a")
    return Timeline(book.trace(stopped="quiescent"))


def lines(t: float, of: Timeline | None = None, selection: Selection | None = None, **options: Any) -> CausalityFrame:
    return causality.frame(of or run(), t, selection or Selection(), animation=LOOK, **options)


def bars(t: float, of: Timeline | None = None, selection: Selection | None = None, **options: Any) -> OccupationFrame:
    return occupation.frame(of or run(), t, selection or Selection(), animation=LOOK, **options)


def painted(painter: Any, frame: Any, size: tuple[int, int] = SIZE, camera: Any = None) -> np.ndarray:
    """Return the picture as an array (height, width, 3) of red, green and blue."""
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor("magenta"))
    p = QPainter(image)
    try:
        painter.paint(p, QRectF(0, 0, *size), frame, camera)
    finally:
        p.end()
    pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(size[1], size[0], 4)
    return pixels[..., 2::-1].astype(int)


def colours(picture: np.ndarray) -> int:
    """Return the number of colours in a picture."""
    return len(np.unique(picture @ (65536, 256, 1)))


def near(picture: np.ndarray, x: float, y: float, color: QColor, around: int = 1, tolerance: int = 24) -> bool:
    """Return whether a pixel at or beside a point has a colour."""
    column, row = int(x), int(y)
    box = picture[max(0, row - around) : row + around + 1, max(0, column - around) : column + around + 1]
    return bool((np.abs(box - [color.red(), color.green(), color.blue()]).max(axis=-1) <= tolerance).any())


@pytest.mark.parametrize(("name", "projector"), THEMES)
@pytest.mark.parametrize("t", [-1.0, 0.0, 5.31, 99.0])
def test_every_moment_can_be_painted_over_the_whole_area(name: str, projector: bool, t: float) -> None:
    theme = Theme(name, projector)
    for painter, frame in ((CausalityPainter(theme), lines(t)), (OccupationPainter(theme), bars(t))):
        picture = painted(painter, frame)
        assert not (picture == [255, 0, 255]).all(axis=-1).any()
        assert colours(picture) > 20


@pytest.mark.parametrize(("name", "projector"), THEMES)
def test_the_play_head_is_one_line_through_both_views(name: str, projector: bool) -> None:
    theme, color = Theme(name, projector), Theme(name).color("playhead")
    frames = lines(5.31, window=(0.0, 8.4)), bars(5.31, window=(0.0, 8.4))
    places = []
    for painter, frame, height in zip(
        (CausalityPainter(theme), OccupationPainter(theme)), frames, (390, 320), strict=True
    ):
        rect = QRectF(0, 0, 579, height)
        places.append(painter.geometry(rect, frame).x(5.31))
        picture = painted(painter, frame, (579, height))
        assert near(picture, places[-1], height - 2, color)
        assert near(picture, places[-1], 7, color)
    assert places[0] == places[1]


def test_dots_are_full_for_receives_and_hollow_for_sends() -> None:
    theme, frame = Theme("light"), lines(99.0)
    painter = CausalityPainter(theme)
    g, scene, picture = painter.geometry(RECT, frame), frame.scene, painted(painter, frame)
    receive = int(np.flatnonzero(run().kind[scene.event] == Kind.RECEIVE)[0])
    assert near(picture, g.x(scene.time[receive]), g.y(scene.row[receive]), theme.color("text.primary"))
    send = int(np.flatnonzero(run().kind[scene.event] == Kind.SEND)[-1])
    assert near(picture, g.x(scene.time[send]), g.y(scene.row[send]), theme.color("surface.panel"), tolerance=60)


def test_future_events_are_pale_and_can_be_hidden() -> None:
    painter = CausalityPainter(Theme("light"))
    shown, hidden = painted(painter, lines(5.0)), painted(painter, lines(5.0, future=False))
    now = int(painter.geometry(RECT, lines(5.0)).x(5.0))
    assert (shown[:, : now - 30] == hidden[:, : now - 30]).all()
    coming = shown[30:, now + 12 :] - hidden[30:, now + 12 :]
    assert (coming != 0).any()
    assert np.abs(coming).max() < 60  # a sixth of black on white, slightly more where two dots overlap


def test_items_at_the_play_head_look_as_in_the_cached_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    event = int(run().receives[3])
    frame = lines(run().end * 0.7, selection=Selection(event=event))
    kept = painted(CausalityPainter(Theme("light")), frame)
    monkeypatch.setattr("lydian.app.painters.time.dots.DotPainter.reach", lambda *_: 1e4)  # now every dot is redrawn
    anew = painted(CausalityPainter(Theme("light")), frame)
    assert np.abs(kept - anew).max() <= 40  # rounding of blended edges
    assert (np.abs(kept - anew).max(axis=-1) > 4).mean() < 0.002


def test_long_lamport_times_are_drawn_as_far_as_they_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    painter, scene = CausalityPainter(Theme("light")), lines(run().end).scene
    short = painter._still.reach(scene)
    long = painter._still.reach(replace(scene, lamport=scene.lamport + 1_000_000))
    assert short == 30 < 45 < long < 100
    assert painter._still.reach(replace(scene, lamport=scene.lamport + 1_000_000, numbered=False)) == short


def test_lost_messages_and_crashes_have_the_colour_of_faults() -> None:
    theme, frame = Theme("light"), lines(6.0, faulty(), window=(0.0, 8.0))
    painter = CausalityPainter(theme)
    g, picture = painter.geometry(RECT, frame), painted(painter, frame)
    fault, soft = theme.color("fault.base"), theme.color("fault.soft")
    assert near(picture, g.x(4.0), g.y(1), fault)
    assert near(picture, g.x(2.0), g.y(1), fault)
    assert near(picture, g.x(3.0), g.y(1) + g.pitch * 0.3, soft, tolerance=4)
    assert not near(picture, g.x(7.0), g.y(1) + g.pitch * 0.3, soft, tolerance=4)


def test_a_message_that_never_arrives_is_drawn_up_to_the_play_head() -> None:
    theme, frame = Theme("light"), lines(7.0, faulty(), window=(0.0, 8.0))
    painter = CausalityPainter(theme)
    g, picture = painter.geometry(RECT, frame), painted(painter, frame)
    part = float(frame.fraction[-1])
    y = g.y(0) + (g.y(2) - g.y(0)) * part
    assert near(picture, g.x(7.0) - 4, y, theme.message(1).color, around=5)
    assert painter.hit(QPointF((g.x(5.0) + g.x(7.0)) / 2, (g.y(0) + y) / 2), RECT, frame) == Hit("message", 1)


def test_the_causal_past_has_a_violet_outline() -> None:
    event = int(run().receives[run().m_messages - 1])
    painter = CausalityPainter(Theme("light"))
    frame = lines(99.0, selection=Selection(event=event))
    g, scene, picture = painter.geometry(RECT, frame), frame.scene, painted(painter, frame)
    plain = painted(painter, lines(99.0, selection=Selection(event=event), highlighted=None))
    long = int(np.argmax(scene.span_to - scene.span_from))
    row = scene.span_row[long]
    times = np.unique(np.concatenate([scene.time[scene.row == row], scene.arrived[scene.target_row == row]]))
    times = times[(times >= scene.span_from[long]) & (times <= scene.span_to[long])]
    widest = int(np.argmax(np.diff(times)))
    x, y = int(g.x((times[widest] + times[widest + 1]) / 2)), int(g.y(row))

    def violet(pixels: np.ndarray) -> bool:
        """Return whether blue clearly exceeds green somewhere on the line of the process."""
        spot = pixels[y - 2 : y + 3, x - 2 : x + 3]
        return bool((spot[..., 2] - spot[..., 1] > 60).any())

    assert violet(picture)
    assert not violet(plain)


def test_lamport_times_never_overlap() -> None:
    painter = CausalityPainter(Theme("light"))
    for size in ((579, 390), (300, 390), (1200, 700)):
        frame = lines(99.0)
        painted(painter, frame, size)
        kept = painter._still.labels.shown
        by_lane: dict[tuple[int, bool], list[tuple[float, float]]] = {}
        for seq, label in sorted(kept.items()):
            assert label.text == str(run().lamport[seq])
            by_lane.setdefault((int(run().process[seq]), label.below), []).append((label.left, label.right))
        assert kept
        for lane in by_lane.values():
            assert lane == sorted(lane)
            assert all(b[0] > a[1] for a, b in itertools.pairwise(lane))
    assert not _labels((579, 120))


def _labels(size: tuple[int, int]) -> list[Any]:
    painter = CausalityPainter(Theme("light"))
    painted(painter, lines(99.0), size)
    return list(painter._still.labels.shown)


def test_bars_are_filled_by_state_and_pale_in_the_future() -> None:
    theme, frame = Theme("light"), bars(5.31, window=(0.0, 8.4))
    painter = OccupationPainter(theme)
    g, scene, picture = painter.geometry(RECT, frame), frame.scene, painted(painter, frame)
    part = int(np.flatnonzero((scene.start < 5.0) & (scene.stop > 6.5) & (scene.slot == 2))[0])
    y, fill = g.y(scene.row[part]), theme.state(2).fill
    assert near(picture, g.x(5.1), y - 5, fill, tolerance=6)
    assert not near(picture, g.x(6.3), y - 5, fill, tolerance=6)
    pale = axis.alpha(fill, theme.number("chain.ghostOpacity"))
    mixed = QColor(*(round(255 + (c - 255) * pale.alphaF()) for c in (fill.red(), fill.green(), fill.blue())))
    assert near(picture, g.x(6.3), y - 5, mixed, tolerance=6)
    step = int(np.argmax(scene.step_to - scene.step_from))
    assert scene.step_to[step] > scene.step_from[step]


def test_selected_rows_are_tinted_in_both_views() -> None:
    chosen = Selection(processes=frozenset({11}))
    theme = Theme("light")
    for painter, frame in (
        (CausalityPainter(theme), lines(1.0, selection=chosen)),
        (OccupationPainter(theme), bars(1.0, selection=chosen)),
    ):
        g = painter.geometry(RECT, frame)
        assert near(painted(painter, frame), 3, g.y(11), theme.color("accent.soft"), tolerance=2)


def test_the_pointer_finds_events_messages_and_rows() -> None:
    frame = lines(99.0)
    painter = CausalityPainter(Theme("light"))
    g, scene = painter.geometry(RECT, frame), frame.scene
    for place in range(len(scene.event)):
        hit = painter.hit(QPointF(g.x(scene.time[place]), g.y(scene.row[place])), RECT, frame)
        assert hit is not None
        assert hit.kind == "event"
        assert run().process[hit.id] == run().process[scene.event[place]]
    steep = int(np.argmax(np.abs(scene.target_row - scene.source_row)))
    middle = g.y((scene.source_row[steep] + scene.target_row[steep]) / 2)
    at = QPointF(g.x((scene.sent[steep] + scene.arrived[steep]) / 2), middle)
    hit = painter.hit(at, RECT, frame)
    assert hit is not None
    assert hit.kind in ("message", "event")
    assert painter.hit(QPointF(15, g.y(7)), RECT, frame) == Hit("process", 7)
    assert painter.hit(QPointF(15, 2), RECT, frame) is None
    shown = bars(5.0)
    part = int(np.flatnonzero(shown.scene.row == 7)[0])
    middle = g.x((shown.scene.start[part] + shown.scene.stop[part]) / 2)
    bar = OccupationPainter(Theme("light")).hit(QPointF(middle, g.y(7)), RECT, shown)
    assert isinstance(bar, BarHit)
    assert (bar.kind, bar.id) == ("process", 7)
    assert occupation.parts(run()).process[bar.part] == 7
    assert OccupationPainter(Theme("light")).hit(QPointF(15, g.y(7)), RECT, bars(5.0)) == Hit("process", 7)


def test_hidden_items_cannot_be_hit() -> None:
    shown, hidden = lines(1.0), lines(1.0, future=False)
    painter = CausalityPainter(Theme("light"))
    g = painter.geometry(RECT, shown)
    place = QPointF(g.x(run().end), g.y(int(run().process[-1])))
    assert painter.hit(place, RECT, shown).kind == "event"  # type: ignore[union-attr]
    assert painter.hit(place, RECT, hidden) == Hit("process", int(run().process[-1]))


def test_positions_convert_back_to_times() -> None:
    for painter, frame in (
        (CausalityPainter(Theme("light")), lines(3.0)),
        (OccupationPainter(Theme("light")), bars(3.0)),
    ):
        x = painter.geometry(RECT, frame).x(4.5)
        assert painter.time_at(QPointF(x, 50), RECT, frame, None) == pytest.approx(4.5)


def test_tooltips_are_in_words() -> None:
    painter, frame = CausalityPainter(Theme("light")), lines(2.0, faulty(), window=(0.0, 8.0))
    assert painter.tooltip(Hit("message", 0), frame) == "<b>Broadcast</b> a → b, 33 %<br>sent 1.00<br>lost 4.00"
    assert "not delivered" in painter.tooltip(Hit("message", 1), frame)
    assert painter.tooltip(Hit("event", 1), frame).startswith("<b>a</b> sends Broadcast to b<br>time 1.00")
    assert (
        painter.tooltip(Hit("process", 1), frame) == "<b>Process b</b>, crashed (was sleeping)<br>1 of 2 events so far"
    )
    assert painter.tooltip(Hit("link", (0, 1)), frame) == ""
    words = OccupationPainter(Theme("light")).tooltip(Hit("process", 0), bars(2.0, faulty()))
    assert words == "<b>Process a</b><br><b>informed 0.00 to 8.00 (8.00)</b>"
    assert "crashed 2.00" in OccupationPainter(Theme("light")).tooltip(Hit("process", 1), bars(2.0, faulty()))
    assert "no event so far" in OccupationPainter(Theme("light")).tooltip(Hit("process", 2), bars(2.0, faulty()))


def test_names_are_escaped_in_tooltips() -> None:
    book = Book(("<i>", "b"))
    book.write(0.0, "init", "<i>")
    frame = lines(1.0, Timeline(book.trace()))
    assert "&lt;i&gt;" in CausalityPainter(Theme("light")).tooltip(Hit("process", 0), frame)


def test_a_margin_moves_the_right_end_of_both_axes_equally() -> None:
    camera = SimpleNamespace(window=(0.0, 8.0), margin=axis.COLUMN)
    one = CausalityPainter(Theme("light")).geometry(RECT, lines(1.0), camera)
    other = OccupationPainter(Theme("light")).geometry(RECT, bars(1.0, column=True), camera)
    assert (one.left, one.right) == (other.left, other.right)
    assert one.right == pytest.approx(579 - 12 - axis.COLUMN)


def test_the_cached_picture_is_drawn_once_per_visible_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    painter, drawn = CausalityPainter(Theme("light")), []
    still = painter._still.lines
    monkeypatch.setattr(painter._still, "lines", lambda *a: (drawn.append(1), still(*a)))
    for t in (1.0, 2.0, 3.0):
        painted(painter, lines(t))
    assert len(drawn) == 1
    painted(painter, lines(3.0, window=(0.0, 5.0)))
    assert len(drawn) == 2
    painted(painter, lines(3.0, window=(0.0, 5.0)), (400, 300))
    assert len(drawn) == 3


def test_density_and_image_are_painted() -> None:
    for t in (0.0, 5.0, 99.0):
        frame = lines(t, limit=5)
        assert frame.scene.density is not None
        assert colours(painted(CausalityPainter(Theme("dark")), frame)) > 20


def test_a_thousand_rows_are_a_strip_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occupation, "MOST_ROWS", 5)
    names = tuple(str(i) for i in range(400))
    timeline = Timeline(echo(names, [(str(i), str(i + 1)) for i in range(399)]))
    theme = Theme("light")
    middle = timeline.end / 2
    frame = bars(middle, timeline)
    assert frame.scene.image is not None
    picture = painted(OccupationPainter(theme), frame)
    g = OccupationPainter(theme).geometry(RECT, frame)
    asleep = int(np.flatnonzero(frame.slots == 0)[-1])
    assert near(picture, 20, g.y(asleep), theme.state(0).fill, tolerance=6)
    assert len(painted(CausalityPainter(theme), lines(middle, timeline))) == SIZE[1]


@pytest.mark.parametrize("view", ["causality", "occupation"])
def test_the_same_painter_draws_to_svg(view: str) -> None:
    painter: Any = CausalityPainter(Theme("light")) if view == "causality" else OccupationPainter(Theme("light"))
    frame: Any = lines(5.0) if view == "causality" else bars(5.0)
    out = QBuffer()
    picture = QSvgGenerator()
    picture.setOutputDevice(out)
    picture.setSize(QSize(*SIZE))
    picture.setViewBox(RECT)
    p = QPainter(picture)
    try:
        painter.paint(p, RECT, frame)
    finally:
        p.end()
    text = bytes(out.data()).decode()
    assert text.count("<path") + text.count("<polyline") + text.count("<rect") > 40
    if view == "causality":
        assert "<image" not in text  # lines and dots remain vectors


SCALES = ("time", "events", "squashed", "lamport")


@pytest.mark.parametrize("scale", SCALES)
def test_play_head_hits_and_times_are_consistent_on_every_axis(scale: str) -> None:
    frame, bar_frame = lines(5.31, axis=scale, window=(0.0, 8.4)), bars(5.31, axis=scale, window=(0.0, 8.4))
    painter, other = CausalityPainter(Theme("light")), OccupationPainter(Theme("light"))
    g, h = painter.geometry(RECT, frame), other.geometry(RECT, bar_frame)
    assert (g.left, g.right, g.unit, g.origin) == (h.left, h.right, h.unit, h.origin)
    color = Theme("light").color("playhead")
    for picture in (painted(painter, frame), painted(other, bar_frame)):
        assert near(picture, g.x(5.31), 7, color)
    scene = frame.scene
    for place in range(0, len(scene.event), 5):
        hit = painter.hit(QPointF(g.at(scene.place[place]), g.y(scene.row[place])), RECT, frame)
        assert hit is not None and hit.kind == "event"
        assert run().process[hit.id] == run().process[scene.event[place]]
    for x in (100.0, 300.0, 500.0):
        t = painter.time_at(QPointF(x, 50), RECT, frame, None)
        assert t == other.time_at(QPointF(x, 50), RECT, bar_frame, None)
        assert abs(g.x(t) - x) <= (1e-6 if scale in ("time", "squashed") else 3.5 * g.unit)


def scrolled(
    painter: Any, make: Any, scale: Any, start: float, steps: int, pixels: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the last picture of an interval that moves by whole pixels, and the same drawn directly."""
    g = painter.geometry(RECT, make((start, start + 4.0)))
    window = (start, start + 4.0)
    for _ in range(steps):
        picture = painted(painter, make(window))
        window = (window[0] + pixels / g.unit, window[1] + pixels / g.unit)
    assert painter.layers.moved > 0
    final = (window[0] - pixels / g.unit, window[1] - pixels / g.unit)
    return picture, painted(type(painter)(Theme("light")), make(final))


@pytest.mark.parametrize("pixels", [3, 40, -7])
@pytest.mark.parametrize("limit", [3000, 5])
def test_a_shifted_picture_equals_a_new_one(pixels: int, limit: int) -> None:
    start = 0.5 if pixels > 0 else 5.0
    seen, anew = scrolled(
        CausalityPainter(Theme("light")), lambda w: lines(5.0, window=w, limit=limit), None, start, 6, pixels
    )
    inner = (slice(30, None), slice(70, -40))  # labels at the edges may differ
    assert (np.abs(seen - anew)[inner].max(axis=-1) > 40).mean() < 0.006
    seen, anew = scrolled(OccupationPainter(Theme("light")), lambda w: bars(5.0, window=w), None, start, 6, pixels)
    assert (np.abs(seen - anew)[inner].max(axis=-1) > 40).mean() < 0.006


def test_three_tones_can_be_shown_at_once() -> None:
    event = int(run().receives[20])
    theme = Theme("light")
    painter, frame = CausalityPainter(theme), lines(99.0, selection=Selection(event=event))
    g, scene, picture = painter.geometry(RECT, frame), frame.scene, painted(painter, frame)
    seen = {"chain.past": 0, "chain.future": 0}
    for place in np.flatnonzero(scene.glyph == 1).tolist():
        for bit, name in ((1, "chain.past"), (2, "chain.future")):
            if scene.event_bits[place] == bit:
                seen[name] += near(picture, g.at(scene.place[place]), g.y(scene.row[place]), theme.color(name))
    assert min(seen.values()) >= 3
    apart = [i for i in np.flatnonzero(scene.glyph == 1).tolist() if scene.event_bits[i] == 0]
    ink = theme.color("text.primary")
    dark = [near(picture, g.at(scene.place[i]), g.y(scene.row[i]), ink, 0, 60) for i in apart]
    assert sum(dark) <= len(dark) / 5  # where two pale dots overlap


def test_rows_scroll_with_their_names_and_hits() -> None:
    camera = SimpleNamespace(window=(0.0, 8.0), rows=(3.0, 7.0))
    frame = lines(99.0)
    for painter, shown in ((CausalityPainter(Theme("light")), frame), (OccupationPainter(Theme("light")), bars(99.0))):
        g = painter.geometry(RECT, shown, camera)
        assert g.pitch == pytest.approx((g.bottom - g.top) / 4)
        assert list(g.visible) == [3, 4, 5, 6]
        assert painter.hit(QPointF(15, g.y(5)), RECT, shown, camera) == Hit("process", 5)
        assert painter.hit(QPointF(15, g.top - 5), RECT, shown, camera) is None
        picture = painted(painter, shown, camera=camera)
        top = painted(painter, shown, camera=SimpleNamespace(window=(0.0, 8.0), rows=(0.0, 4.0)))
        assert (picture[: int(g.top) - 4] == top[: int(g.top) - 4]).mean() > 0.98  # the ruler does not scroll


def test_tooltips_show_vector_clocks_and_the_order_of_events() -> None:
    frame = lines(2.0, faulty(), selection=Selection(event=1))
    painter = CausalityPainter(Theme("light"))
    assert "vector clock (2, 0, 0)" in painter.tooltip(Hit("event", 1), frame)
    assert painter.tooltip(Hit("event", 0), frame).endswith("before the selected event")
    assert painter.tooltip(Hit("event", 2), frame).endswith("neither could influence the other")


def test_a_bar_reports_its_duration_and_totals() -> None:
    painter, frame = OccupationPainter(Theme("light")), bars(9.0, faulty(), column=True)
    g = painter.geometry(RECT, frame)
    hit = painter.hit(QPointF(g.x(3.0), g.y(0)), RECT, frame)
    words = painter.tooltip(hit, frame)
    assert words.startswith("<b>Process a</b>")
    assert "since it starts" in words
    assert "in all, 100 %" in words
    assert colours(painted(painter, frame)) > 20


@pytest.mark.parametrize(
    "options", [{"color": "depth"}, {"color": "chain"}, {"color": "sender"}, {"hidden": (3, 6)}, {"limit": 5}]
)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_option_can_be_painted_on_every_axis(name: str, options: dict[str, Any]) -> None:
    for scale in SCALES:
        for chosen in (Selection(), Selection(event=30, processes=frozenset({5}))):
            picture = painted(CausalityPainter(Theme(name)), lines(5.0, axis=scale, selection=chosen, **options))
            assert not (picture == [255, 0, 255]).all(axis=-1).any()
    for show in ("states", "activity"):
        assert not (painted(OccupationPainter(Theme(name)), bars(5.0, show=show)) == [255, 0, 255]).all(axis=-1).any()
