"""Marks over a network view: which processes are in another state in the run beside."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.canvas import Canvas

__all__ = ["ApartMarks"]

#: The radius of a badge, and how far the dashed ring is from its process.
BADGE, AWAY = 7.0, 7.0


class ApartMarks(QWidget):
    """Lies over a canvas and lets everything through but what it draws: a dashed ring and a badge with a sign.

    Args:
        canvas: the network view.
        which: which processes of its run are to be marked now, ``None`` if nothing is known yet.
    """

    def __init__(self, canvas: Canvas, which: Callable[[], NDArray[np.bool_] | None]) -> None:
        super().__init__(canvas)
        self.canvas, self._which = canvas, which
        self.setObjectName("apartMarks")
        self.setAccessibleName("Processes that are in another state in the other run")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(canvas.rect())
        canvas.installEventFilter(self)
        self.lower()  # below the big button to play, above the picture
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.canvas and event.type() == QEvent.Type.Resize:
            self.setGeometry(self.canvas.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        marked, canvas = self._which(), self.canvas
        timeline, frame = canvas.playhead.timeline, canvas.frame
        if marked is None or timeline is None or frame is None or canvas.painter is None or canvas.trouble is not None:
            return
        if len(marked) != timeline.n or not marked.any() or getattr(frame, "timeline", None) is not timeline:
            return
        painter = QPainter(self)
        try:
            self._paint(painter, np.flatnonzero(marked))
        finally:
            painter.end()

    def _paint(self, p: QPainter, processes: NDArray[np.int64]) -> None:
        canvas, theme = self.canvas, self.canvas.theme
        where = canvas.painter.map(QRectF(canvas.rect()), canvas.frame, canvas.camera)
        of_run, shown = canvas.frame.timeline.processes, canvas.frame.names
        numbers = processes
        if of_run != shown:
            numbers = np.array([shown.index(of_run[i]) for i in processes if of_run[i] in shown], dtype=np.int64)
        points = where.points[numbers[where.visible[numbers]]] if len(numbers) else np.empty((0, 2))
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, ground = theme.color("compare.base"), theme.color("compare.onBase")
        radius = where.d / 2 + (AWAY if where.d >= 17 else 3)
        ring = QPen(ink, theme.line("selectionRing") if where.d >= 17 else 1.5)
        ring.setDashPattern([2.5, 1.8])
        badge = theme.grown(BADGE) if where.level in ("full", "medium") else 0
        for x, y in points.tolist():
            p.setPen(ring)
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawEllipse(QPointF(x, y), radius, radius)
            if badge:
                cx, cy = x - radius * 0.75, y - radius * 0.75
                p.setPen(QPen(theme.color("surface.canvas"), 1.5))
                p.setBrush(ink)
                p.drawEllipse(QPointF(cx, cy), badge, badge)
                part = badge * 0.52  # an equals sign that is crossed out
                p.setPen(QPen(ground, 1.4))
                for dy in (-0.22, 0.22):
                    p.drawLine(QPointF(cx - part, cy + dy * badge), QPointF(cx + part, cy + dy * badge))
                p.drawLine(QPointF(cx - part * 0.55, cy + part), QPointF(cx + part * 0.55, cy - part))
