"""The layer over the network while the user aims: targets lit, the rest dimmed, a line, and the effect in words.

The network below is drawn as usual; only this layer changes with the pointer.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.canvas import Canvas
from lydian.app.look.fragments import draw_lines
from lydian.app.look.shapes import draw_cross
from lydian.app.painters.network.linklayer import segments_of
from lydian.app.painters.network.netmap import Map
from lydian.language import tr
from lydian.views.network.basic import BasicFrame
from lydian.views.selection import Hit

__all__ = ["Overlay", "Sight"]

#: The opacity of the background colour over everything that is not a target.
DIM = 0.62
#: With more targets than this in view the rest is not dimmed: it would slow down drawing and be hard to see.
MOST = 1_500


@dataclass(frozen=True)
class Sight:
    """The contents of the layer while a tool is chosen or a message is dragged.

    Attributes:
        lit: kinds of things that light up.
        dead: whether crashed processes light up, too.
        at: the place of the pointer, if it is over the view.
        words: the effect of a click; ``can`` is true if it is possible.
        hit: the target.
        line: the line drawn so far; ``crossed`` are the numbers of the links that it crosses.
        way: for a dragged message, the ends of its way, and its head.
        off: whether the message is off its way and would be dropped.
    """

    lit: tuple[str, ...] = ()
    dead: bool = True
    at: QPointF | None = None
    words: str = ""
    can: bool = False
    hit: Hit | None = None
    line: tuple[QPointF, ...] = ()
    crossed: tuple[int, ...] = ()
    way: tuple[QPointF, QPointF, QPointF] | None = None
    off: bool = False


class Overlay(QWidget):
    """The layer over one network; invisible and without cost while the user does not aim."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self.sight: Sight | None = None
        self._sheet: tuple[Hashable, QImage] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Effect of the tool here"))
        self.hide()

    def show_sight(self, sight: Sight | None) -> None:
        """Show different contents, or none."""
        if sight == self.sight and self.isVisible() == (sight is not None):
            return
        self.sight = sight
        self.setAccessibleDescription("" if sight is None else sight.words)
        if sight is None:
            self._sheet = None
            self.hide()
            return
        if self.size() != self.canvas.size():
            self.resize(self.canvas.size())
        if not self.isVisible():
            self.show()
            self.raise_()
        self.update()

    # ------------------------------------------------------------------ painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        sight, frame, painter = self.sight, self.canvas.frame, self.canvas.painter
        if sight is None or frame is None or painter is None or self.canvas.trouble is not None:
            return
        if self.size() != self.canvas.size():
            self.resize(self.canvas.size())
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            m: Map = painter.map(QRectF(self.canvas.rect()), frame, self.canvas.camera)
            self._dim(p, m, frame, sight)
            self._line(p, m, frame, sight)
            if sight.can and sight.hit is not None:
                self._target(p, m, frame, sight.hit)
            self._way(p, m, sight)
            if sight.at is not None and sight.words:
                self._words(p, sight)
        finally:
            p.end()

    def _dim(self, p: QPainter, m: Map, frame: BasicFrame, sight: Sight) -> None:
        """Draw a sheet with holes over the targets; it is reused as long as nothing moves."""
        moving = "message" in sight.lit
        count = (len(m.points) if "process" in sight.lit else 0) + (len(frame.link_ends) if "link" in sight.lit else 0)
        count += len(frame.flights) if moving else 0
        if m.level == "dense" or not sight.lit or count > MOST:
            return
        if moving and self.canvas.playhead.playing:  # Computing a sheet for every frame would be too slow.
            self._rims(p, m, frame)
            return
        ratio = self.devicePixelRatioF()
        key = (
            id(frame.scene), m.stand, m.fit, m.rect.getRect(), ratio, sight.lit, sight.dead,
            frame.t if moving else None, frame.crashed.tobytes(), self.canvas.theme,
        )  # fmt: skip
        if self._sheet is None or self._sheet[0] != key:
            self._sheet = key, self._sheet_for(m, frame, sight, ratio)
        p.drawImage(0, 0, self._sheet[1])

    def _rims(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Draw rings round moving messages, without dimming the rest."""
        f, r = frame.flights, m.head * 0.6 + 5
        at, _, _ = m.heads(f.source, f.target, f.fraction, f.place)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.canvas.theme.color("fault.base"), 1.5))
        for x, y in at.tolist():
            p.drawEllipse(QPointF(x, y), r, r)

    def _sheet_for(self, m: Map, frame: BasicFrame, sight: Sight, ratio: float) -> QImage:
        theme = self.canvas.theme
        image = QImage(self.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        ground = theme.color("surface.canvas")
        ground.setAlphaF(DIM)
        image.fill(ground)
        rim = QColor(theme.color("fault.base"))
        rim.setAlphaF(0.75)
        p = QPainter(image)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            mode = QPainter.CompositionMode
            clear, over = mode.CompositionMode_Clear, mode.CompositionMode_Source
            if "link" in sight.lit and len(frame.link_ends):
                ends = frame.link_ends
                p.setCompositionMode(clear)
                p.setPen(QPen(Qt.GlobalColor.black, 11, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
                draw_lines(p, m.points[ends[:, 0]], m.points[ends[:, 1]])
                if "process" not in sight.lit:
                    p.setCompositionMode(over)
                    _discs(p, m.points, 2 * m.half, ground)
            if "process" in sight.lit:
                alive = np.ones(len(m.points), dtype=bool) if sight.dead else ~frame.crashed
                p.setCompositionMode(over)
                _discs(p, m.points[alive], 2 * m.half + 9, rim)
                p.setCompositionMode(clear)
                _discs(p, m.points[alive], 2 * m.half + 6, QColor(Qt.GlobalColor.black))
            if "message" in sight.lit and len(frame.flights):
                f = frame.flights
                at, _, _ = m.heads(f.source, f.target, f.fraction, f.place)
                p.setCompositionMode(over)
                _discs(p, at, 1.2 * m.head + 11, rim)
                p.setCompositionMode(clear)
                _discs(p, at, 1.2 * m.head + 8, QColor(Qt.GlobalColor.black))
        finally:
            p.end()
        return image

    def _line(self, p: QPainter, m: Map, frame: BasicFrame, sight: Sight) -> None:
        """Draw the line of a partition and the links that it cuts."""
        if len(sight.line) < 2:
            return
        fault = self.canvas.theme.color("fault.base")
        if sight.crossed:
            some = segments_of(m, frame)[list(sight.crossed)]
            way = some[:, 2:] - some[:, :2]
            inset = way * np.minimum(m.half / np.maximum(np.hypot(*way.T), 1e-9), 0.45)[:, None]
            p.setPen(QPen(fault, 3.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            draw_lines(p, some[:, :2] + inset, some[:, 2:] - inset)
        path = QPolygonF(list(sight.line))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.canvas.theme.color("surface.canvas"), 6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        p.drawPolyline(path)
        pen = QPen(fault, 2.4, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        pen.setDashPattern([3.2, 2.6])
        p.setPen(pen)
        p.drawPolyline(path)

    def _target(self, p: QPainter, m: Map, frame: BasicFrame, hit: Hit) -> None:
        """Draw the target of the intervention."""
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.canvas.theme.color("fault.base"), 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        if hit.kind == "process" and isinstance(hit.id, int) and hit.id < len(m.points):
            r = m.half + 6
            p.drawEllipse(QPointF(*m.points[hit.id].tolist()), r, r)
        elif hit.kind == "link" and isinstance(hit.id, tuple) and max(hit.id) < len(m.points):
            a, b = (QPointF(*m.points[end].tolist()) for end in hit.id)
            way = b - a
            long = max((way.x() ** 2 + way.y() ** 2) ** 0.5, 1.0)
            inset = min(m.rim / long, 0.45)
            p.drawLine(a + way * inset, b - way * inset)
        elif hit.kind == "message":
            head = head_of(m, frame, int(hit.id))  # type: ignore[arg-type]
            if head is not None:
                p.drawEllipse(head, m.head * 0.6 + 6, m.head * 0.6 + 6)

    def _way(self, p: QPainter, m: Map, sight: Sight) -> None:
        """Draw the path of a dragged message, and its head where it is now."""
        if sight.way is None:
            return
        fault = self.canvas.theme.color("fault.base")
        start, stop, head = sight.way
        p.setPen(QPen(fault, 2.0, Qt.PenStyle.DotLine if sight.off else Qt.PenStyle.SolidLine))
        p.drawLine(start, stop)
        if sight.off:
            draw_cross(p, fault, head.x(), head.y(), 8.0, 3.2)
            return
        r = m.head * 0.6 + 4
        p.setPen(QPen(self.canvas.theme.color("surface.canvas"), 2.0))
        p.setBrush(fault)
        p.drawEllipse(head, r * 0.8, r * 0.8)

    def _words(self, p: QPainter, sight: Sight) -> None:
        """Draw the effect in words, beside the pointer and inside the view."""
        theme = self.canvas.theme
        assert sight.at is not None
        p.setFont(theme.font("small", semibold=sight.can))
        metrics = QFontMetricsF(p.font())
        room = max(self.width() - 16.0, 60.0)
        wrap = int(Qt.TextFlag.TextWordWrap)
        inside = metrics.boundingRect(QRectF(0, 0, min(room - 18, 320.0), 400), wrap, sight.words)
        box = QRectF(sight.at.x() + 14, sight.at.y() + 18, inside.width() + 18, inside.height() + 10)
        if box.right() > self.width() - 4:
            box.moveRight(self.width() - 4 if sight.at.y() + 18 + box.height() < self.height() else sight.at.x() - 8)
        if box.bottom() > self.height() - 4:
            box.moveBottom(sight.at.y() - 8)
        box.moveLeft(max(box.left(), 4.0))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(theme.color("fault.base") if sight.can else theme.color("surface.tooltip"))
        p.drawRoundedRect(box, 5, 5)
        p.setPen(theme.color("fault.onBase") if sight.can else theme.color("text.onTooltip"))
        p.drawText(box.adjusted(9, 5, -9, -5), wrap, sight.words)


def head_of(m: Map, frame: BasicFrame, message: int) -> QPointF | None:
    """Return the place of a message's head on the screen."""
    found = np.flatnonzero(frame.flights.id == message)
    if not len(found):
        return None
    f, one = frame.flights, slice(int(found[0]), int(found[0]) + 1)
    at, _, _ = m.heads(f.source[one], f.target[one], f.fraction[one], f.place[one])
    return QPointF(*at[0].tolist())


def _discs(p: QPainter, points: Any, diameter: float, color: QColor) -> None:
    """Draw many discs of one size by a single call."""
    p.setPen(QPen(color, diameter, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    p.drawPoints([QPointF(x, y) for x, y in points.tolist()])
