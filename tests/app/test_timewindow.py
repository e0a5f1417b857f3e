"""The time window in the main window: one for all views along time, with its buttons, keys and following."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.windowbar import WindowBar
from lydian.app.pictures.movieoptions import MovieWish
from lydian.app.window.mainwindow import MainWindow
from lydian.app.work.player import Player

Open = Callable[..., MainWindow]
LEFT = Qt.MouseButton.LeftButton


def wheel(canvas: Canvas, at: QPointF, turned: int, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    over = canvas.mapToGlobal(at.toPoint()).toPointF()
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(canvas, QWheelEvent(at, over, QPoint(), QPoint(0, turned), none, held, phase, False))


@pytest.fixture
def window(open_window: Open) -> MainWindow:
    """Return a window with a run of 438 events."""
    return open_window("chandy-misra", size=(1920, 1080), layout="study")


def test_a_long_run_opens_with_a_part_that_buttons_keys_and_the_wheel_change(window: MainWindow) -> None:
    camera, head = window.camera, window.playhead
    causality, occupation = (window.stage.canvases[name] for name in ("causality", "occupation"))
    bar = window.stage.docks["causality"].bar.findChild(WindowBar)
    assert bar is not None and bar.isVisible()
    assert not camera.fits and camera.window[0] == 0 and 60 <= camera.events <= 120
    head.seek(40.0)
    for canvas in (causality, occupation):
        canvas.repaint()
        assert canvas.frame.scene.window == camera.window
    assert camera.window[0] < 40 < camera.window[1]
    assert bar.count.text() == f"{camera.events} events" and not bar.whole.isChecked()
    few = camera.events
    QTest.mouseClick(bar.more, LEFT)
    assert few < camera.events and bar.count.text() == f"{camera.events} events"
    QTest.mouseClick(bar.whole, LEFT)
    assert camera.fits and bar.whole.isChecked() and bar.count.text() == "438 events" and not bar.more.isEnabled()
    window.actions_by_name["whole_run"].trigger()
    assert not camera.fits and not bar.whole.isChecked()
    at = QPointF(200.0, 60.0)
    causality.repaint()
    t, length = causality.time_at(200.0), camera.window[1] - camera.window[0]
    wheel(causality, at, 240)
    causality.repaint()
    assert camera.window[1] - camera.window[0] < 0.8 * length and causality.time_at(200.0) == pytest.approx(t, abs=0.05)
    start = camera.window[0]
    wheel(causality, at, -240, Qt.KeyboardModifier.ShiftModifier)
    assert camera.window[0] > start and not camera.following
    window.actions_by_name["window_earlier"].trigger()
    assert camera.window[0] < start
    line = window.bottom.scrubber
    line.setFocus()
    count = camera.events
    window.actions_by_name["zoom_out"].trigger()
    assert camera.events > count


def test_while_playing_the_window_follows_in_steps(window: MainWindow) -> None:
    head, player, seen = window.playhead, window.player, []
    head.seek(20.0)
    _rest(player)
    window.camera.listen(lambda: seen.append((window.camera.window, head.t)))
    head.play()
    player.timer.stop()
    frames = 0
    while head.t < 30.0 and frames < 2000:
        player.tick(1 / 60)
        frames += 1
        start, stop = window.camera.window
        assert start <= head.t <= stop
    head.pause()
    moves = {round(t, 1) for _window, t in seen}
    assert 1 <= len(moves) < 0.5 * frames  # it stands still most of the time
    window.camera.move(-0.5)
    here = window.camera.window
    head.seek(31.0)
    assert window.camera.window == here
    head.play()
    head.pause()
    head.seek(31.5)
    _rest(player)
    assert window.camera.window[0] <= 31.5 <= window.camera.window[1]


def test_a_movie_shows_the_whole_run_unless_the_user_has_chosen_a_part(window: MainWindow) -> None:
    films, wish = window.exports.films, MovieWish(views=("causality",))
    (shot,) = films.shots(wish)
    assert shot.options["window"] == window.camera.whole
    window.camera.more(-1)
    (shot,) = films.shots(wish)
    assert shot.options["window"] == window.camera.window


def test_a_short_run_is_whole_without_a_bar(open_window: Open) -> None:
    window = open_window(size=(1920, 1080), layout="study")
    bar = window.stage.docks["causality"].bar.findChild(WindowBar)
    assert bar is not None
    assert window.camera.fits and bar.isHidden() and window.bottom.scrubber.bracket().isEmpty()
    window.camera.more(-1)
    assert not window.camera.fits and bar.isVisible() and not window.bottom.scrubber.bracket().isEmpty()


def _rest(player: Player) -> None:
    """Let the window come to rest."""
    for _ in range(100):
        if not any(camera.moving for camera in player.others()):
            return
        player.tick(0.1)
