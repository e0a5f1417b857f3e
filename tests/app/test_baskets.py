"""Baskets in the window: how they are painted, and clicks that add or remove an apple."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.painters.pieces.baskets import basket_at
from lydian.app.window.mainwindow import MainWindow
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.pieces.baskets import places, round_of
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from tests.app.conftest import Open

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
RECT = QRectF(0, 0, 900, 640)


def drawn(name: str, t: float, theme: str = "light") -> tuple[QImage, basic.BasicFrame, BasicPainter]:
    shelf = archive()
    line = Timeline(Simulator(shelf.experiment(name).resolve(shelf)).run().trace)
    frame, painter = basic.frame(line, t), BasicPainter(Theme(theme))
    image = QImage(RECT.size().toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    p = QPainter(image)
    painter.paint(p, RECT, frame)
    p.end()
    return image, frame, painter


def count(image: QImage, color: str, theme: str = "light") -> int:
    wanted = Theme(theme).color(color).rgb()
    return sum(image.pixel(x, y) == wanted for x in range(0, image.width(), 2) for y in range(0, image.height(), 2))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_apples_are_in_baskets_and_two_speakers_are_framed(theme: str) -> None:
    image, frame, _ = drawn("apples", 2.0, theme)
    assert frame.baskets.speaking.sum() == 2
    several = Theme(theme).color("check.pending").rgb()
    assert image.pixel(450, 638) == several
    calm, later, _ = drawn("apples", 50.0, theme)
    assert later.baskets.speaking.sum() == 1 and calm.pixel(450, 638) != several
    assert count(image, "play.basket", theme) > 200
    assert count(image, "play.apple", theme) > 100


def test_more_apples_are_redder_until_only_the_number_differs() -> None:
    few, many, most = (count(drawn("apples-act-3-stuck", t)[0], "play.apple") for t in (1.0, 6.0, 30.0))
    assert few < many <= most


def test_a_basket_is_hit_only_where_it_is_drawn() -> None:
    _, frame, painter = drawn("apples", 5.0)
    m = painter.map(RECT, frame)
    assert frame.animation.baskets is not None
    for process, (x, y) in enumerate(places(frame.animation.baskets, round_of(frame.scene), m.points).tolist()):
        assert basket_at(m, frame, QPointF(x, y)) == process
    assert basket_at(m, frame, m.rect.center()) is None
    assert all(basket_at(m, frame, QPointF(x, y)) is None for x, y in m.points.tolist())


def test_a_click_adds_an_apple_and_shift_click_removes_one(qtbot: QtBot, open_window: Open) -> None:
    window: MainWindow = open_window("apples")
    qtbot.waitUntil(lambda: window.playhead.timeline is not None and not window.playhead.playing, timeout=20_000)
    window.playhead.seek(20.0)
    hand = next(hand for hand in window.interference.aim.hands if hand.canvas.isVisible())
    canvas = hand.canvas
    qtbot.waitUntil(lambda: canvas.frame is not None and canvas.frame.t == 20.0 and hand.map is not None)

    def middle(process: int) -> QPointF:
        frame, m = canvas.frame, hand.map
        assert m is not None
        return QPointF(*places(frame.animation.baskets, round_of(frame.scene), m.points)[process].tolist())

    live = window.session.live
    before = float(canvas.frame.baskets.value[3])

    spot: list[int] = []

    def told() -> bool:
        """Hover over the basket at its current position, and return whether its words appear."""
        spot.append(len(spot) % 2)  # a pointer that does not move sends no event
        at = QPointF(middle(3).toPoint() + QPoint(spot[-1], 0))
        none, bare = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
        moved = QMouseEvent(QEvent.Type.MouseMove, at, canvas.mapToGlobal(at), none, none, bare)
        QApplication.sendEvent(canvas, moved)  # not through the desktop, where other windows may cover it
        sight = hand.overlay.sight
        return sight is not None and "apples of Carl" in sight.words

    qtbot.waitUntil(told)
    for step, keys in enumerate((Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)):
        now = float(canvas.frame.baskets.value[3])
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, keys, middle(3).toPoint())
        qtbot.waitUntil(lambda step=step: len(live.done) == step + 1, timeout=20_000)
        done = live.done[-1]
        assert (done.do, done.process, done.variable) == ("corrupt", "Carl", "apples")
        assert (done.by, done.value) == (1 if step == 0 else -1, None)
        qtbot.waitUntil(lambda value=now + done.by: float(canvas.frame.baskets.value[3]) == value, timeout=20_000)
    assert float(canvas.frame.baskets.value[3]) == before


def test_an_empty_basket_stays_empty(qtbot: QtBot, open_window: Open) -> None:
    window: MainWindow = open_window("apples-act-3-stuck")
    qtbot.waitUntil(lambda: window.playhead.timeline is not None and not window.playhead.playing, timeout=20_000)
    window.playhead.seek(5.0)
    hand = next(hand for hand in window.interference.aim.hands if hand.canvas.isVisible())
    qtbot.waitUntil(lambda: hand.canvas.frame is not None and hand.canvas.frame.t == 5.0)
    names = list(hand.canvas.frame.names)
    empty = hand.baskets.offer(names.index("Lea"), out=True)
    assert "empty" in empty.reason and not empty.what
    full = hand.baskets.offer(names.index("Ben"), out=True)
    assert full.what[0]["by"] == -1
