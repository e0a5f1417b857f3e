"""The marks on the network during a class: who plays a process, and whether they have chosen; never what."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.canvas.canvas import Canvas
from lydian.app.live.runs.comparing import ApartMarks
from lydian.app.look.icons import pixmap
from lydian.desk.hosting import Hosting
from lydian.language import tr

__all__ = ["SeatMarks"]

#: The side of a mark, and the least diameter of a process with a name below it.
SIDE, NAMED = 22, 26


class SeatMarks(ApartMarks):
    """A layer over the network.

    Args:
        on: returns whether the run of the class that this window hosts is on the screen.
    """

    def __init__(self, canvas: Canvas, hosting: Hosting, on: Callable[[], bool]) -> None:
        self.hosting, self._on = hosting, on
        super().__init__(canvas, lambda: self.every() if self._on() else None)
        self.setObjectName("classMarks")
        self.setAccessibleName(tr("Who plays each process, and who has chosen"))

    def _paint(self, p: QPainter, processes: NDArray[np.int64]) -> None:
        theme, players, room = self.canvas.theme, self.hosting.players, self.hosting.room
        timeline = self.canvas.playhead.timeline
        if timeline is None or room is None:
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        open_ = room.phase == "open" and room.mode == "sealed"
        side = float(theme.stretched(SIDE))
        font = theme.font("small", semibold=True)
        for number in processes.tolist():
            where, points = self.placed(np.array([number]))
            if not len(points) or where.d < 12:
                continue
            (x, y), d = points[0].tolist(), where.d
            person = players.get(timeline.processes[number])
            corner = QPointF(x + d * 0.42, y - d * 0.42)
            box = QRectF(corner.x() - side / 2, corner.y() - side / 2, side, side)
            if person is None:
                self._badge(p, box, "surface.panel", "text.hint", "chip")
            elif person.due is not None:
                self._badge(p, box, "check.warnSoft", "check.warn", "warning")
            elif open_ and person.status == "chosen":
                self._badge(p, box, "accent.base", "text.onAccent", "lock")
            elif open_ and person.status == "choosing":
                self._dots(p, box)
            if person is not None and where.d >= NAMED:
                p.setFont(font)
                name = p.fontMetrics().elidedText(person.name, Qt.TextElideMode.ElideRight, 130)
                wide, high = p.fontMetrics().horizontalAdvance(name) + 12.0, p.fontMetrics().height() + 2.0
                plate = QRectF(x - wide / 2, y + d / 2 + 5, wide, high)
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(theme.color("surface.overlay"))
                p.drawRoundedRect(plate, 4, 4)
                p.setPen(theme.color("text.primary"))
                p.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), name)

    def _badge(self, p: QPainter, box: QRectF, ground: str, ink: str, icon: str) -> None:
        theme = self.canvas.theme
        p.setPen(QPen(theme.color("surface.panel" if ground == "accent.base" else ink), 1.4))
        p.setBrush(theme.color(ground))
        p.drawEllipse(box)
        side = round(box.width() * 0.62)
        picture = pixmap(icon, theme.color(ink), side, self.devicePixelRatioF())
        p.drawPixmap(QPointF(box.center().x() - side / 2, box.center().y() - side / 2), picture)

    def _dots(self, p: QPainter, box: QRectF) -> None:
        theme = self.canvas.theme
        pen = QPen(theme.color("text.hint"), 1.2)
        pen.setDashPattern([2.5, 2])
        p.setPen(pen)
        p.setBrush(theme.color("surface.panel"))
        p.drawEllipse(box)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(theme.color("text.secondary"))
        for step in (-1, 0, 1):
            p.drawEllipse(QPointF(box.center().x() + step * box.width() * 0.2, box.center().y()), 1.6, 1.6)
