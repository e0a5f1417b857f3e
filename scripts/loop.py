"""The loop at the head of the README: a process is crashed, others wait, the crash is undone, and both futures stay.

``make pictures ARGS=loop`` drives a real window with the mouse and the keyboard, and films it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtTest import QTest

from lydian.app.pictures.reel import Gif
from lydian.app.window.mainwindow import MainWindow
from scripts.waiting import until, wait

__all__ = ["film"]

#: Frames per second.
FPS = 10
#: The process that is crashed, and when.
VICTIM, WHEN = "9", 5.3
#: The speed of the playback, as in the window.
SPEED = 4.0
#: The outline of the pointer, from its tip.
_POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))


class Camera:
    """Films a window, with a pointer and a caption for the keys that are pressed."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.frames: list[np.ndarray] = []
        self.at = QPointF(window.width() * 0.62, window.height() * 0.9)
        self.keys = ""

    def shoot(self, count: int = 1) -> None:
        """Add frames, with the time in between that the window would have."""
        for _ in range(count):
            wait(1000 // FPS)
            self.frames.append(self._picture())

    def move(self, to: QPoint, frames: int = 5) -> None:
        """Move the pointer to a place in the window."""
        start = QPointF(self.at)
        for step in range(1, frames + 1):
            share = step / frames
            share = share * share * (3 - 2 * share)
            self.at = start + (QPointF(to) - start) * share
            self.shoot()

    def press(self, keys: str, act: Callable[[], object], frames: int = 6) -> None:
        """Press keys, and show which."""
        self.keys = keys
        act()
        self.shoot(frames)
        self.keys = ""

    def _picture(self) -> np.ndarray:
        image = self.window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        p = QPainter(image)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._pointer(p)
            if self.keys:
                self._caption(p)
        finally:
            p.end()
        return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()

    def _pointer(self, p: QPainter) -> None:
        shape = QPainterPath()
        shape.addPolygon(QPolygonF([self.at + QPointF(x, y) for x, y in _POINTER]))
        shape.closeSubpath()
        p.setPen(QPen(QColor("white"), 1.5))
        p.setBrush(QColor("#101418"))
        p.drawPath(shape)

    def _caption(self, p: QPainter) -> None:
        font = QFont(self.window.font())
        font.setPixelSize(20)
        font.setBold(True)
        p.setFont(font)
        wide = p.fontMetrics().horizontalAdvance(self.keys) + 28
        box = QRectF(self.at.x() + 18, self.at.y() + 18, wide, 38)
        box.moveRight(min(box.right(), self.window.width() - 10))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(QColor("#101418"))
        p.drawRoundedRect(box, 7, 7)
        p.setPen(QColor("white"))
        p.drawText(box, Qt.AlignmentFlag.AlignCenter, self.keys)


def film(window: MainWindow, path: Path) -> None:
    """Film the story in a window that shows ECHO on twelve processes, and write it as an animated GIF."""
    camera, head, live = Camera(window), window.playhead, window.session.live
    canvas = window.stage.canvases["basic"]
    live.switch(True)
    until(lambda: live.alive and live.waiting)
    head.set_speed(SPEED)
    head.play()
    while head.t < WHEN:
        camera.shoot()
    head.pause()
    until(lambda: live.waiting)
    timeline = head.timeline
    assert timeline is not None
    box = canvas.process_rect(timeline.processes.index(VICTIM))
    assert box is not None
    spot = box.center().toPoint()
    camera.move(canvas.mapTo(window, spot))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    camera.shoot(3)
    camera.press("X", lambda: QTest.keyClick(canvas, Qt.Key.Key_X))
    to_the_end(camera, window)
    camera.press("Ctrl+Z", lambda: window.actions_by_name["undo"].trigger(), 12)
    to_the_end(camera, window)
    camera.press("Ctrl+Shift+B", lambda: window.actions_by_name["view_branches"].trigger(), 2 * FPS)
    write(camera.frames, path)


def to_the_end(camera: Camera, window: MainWindow) -> None:
    """Play until nothing more can happen, and look at it for a moment."""
    head, live = window.playhead, window.session.live
    head.play()
    for _ in range(60 * FPS):
        camera.shoot()
        if live.quiet and head.t >= min(live.time, head.end) - 1e-9:
            break
    head.pause()
    camera.shoot(FPS)


def write(frames: list[np.ndarray], path: Path) -> None:
    """Write frames as an animated GIF."""
    height, width, _four = frames[0].shape
    gif = Gif(path, (width, height), FPS, "LYDIAN")
    for frame in frames[:: max(len(frames) // 12, 1)]:
        gif.sample(frame)
    for number, frame in enumerate(frames):
        gif.add(frame, number)
    gif.finish()
