"""The dragging of a receipt in a causality view: the places to which it can be moved, and what a release would do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.canvas import Canvas
from lydian.app.painters.time.axis import Geometry, alpha
from lydian.language import tr
from lydian.views.playback.receives import Place, Receipt, receipt_of

__all__ = ["PlacesLayer", "ReceiveDrag", "Sight"]

#: The distance in pixels from a place within which a release moves the receipt there.
NEAR = 24.0
#: The radius of the ring at a place, and of the ghost at the current place.
RING, GHOST = 9.0, 6.5


@dataclass(frozen=True, eq=False)
class Sight:
    """The contents of the layer: a receipt, the pointer, the place where a release would move it, and two sentences."""

    receipt: Receipt
    at: QPointF
    place: Place | None
    head: str
    more: str


class ReceiveDrag:
    """The gesture in one causality view.

    Args:
        canvas: the view.
        read: returns the receipt of an event, the reason why it cannot be moved, or ``None`` if nothing can be moved in
            this run.
        move: moves a receipt to a place.
        refuse: reports why a receipt cannot be moved.
    """

    def __init__(
        self,
        canvas: Canvas,
        read: Callable[[int], Receipt | str | None],
        move: Callable[[Receipt, Place], object],
        refuse: Callable[[str], object],
    ) -> None:
        self.canvas, self._read, self._move, self._refuse = canvas, read, move, refuse
        self.layer = PlacesLayer(canvas)
        self._held: Receipt | None = None

    # ------------------------------------------------------------------ the mouse

    def pressed(self, event: QMouseEvent) -> bool:
        return False

    def moved(self, event: QMouseEvent) -> bool:
        return False

    def released(self, event: QMouseEvent) -> bool:
        return False

    def left(self) -> None:
        """Do nothing: a drag may leave the view and return."""

    def lost(self) -> None:
        """Let the receipt go where it was."""
        if self._held is not None:
            self._held = None
            self.canvas.setCursor(Qt.CursorShape.ArrowCursor)
        self.layer.show_sight(None)

    def takes(self, start: QPointF) -> bool:
        """Pick up the receipt at a point; return False if there is none that can be moved."""
        hit, timeline = self.canvas.hit(start), self.canvas.playhead.timeline
        if hit is None or hit.kind != "event" or not isinstance(hit.id, int) or timeline is None:
            return False
        event = receipt_of(timeline, hit.id)  # the messages sent on receipt are drawn over it
        found = None if event < 0 else self._read(event)
        if isinstance(found, str):
            self._refuse(found)
        if not isinstance(found, Receipt):
            return False
        self.canvas.playhead.pause()
        self._held = found
        self.canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.drag(start)
        return True

    def drag(self, at: QPointF) -> None:
        """Show what a release at a point would do."""
        if self._held is not None:
            self.layer.show_sight(self.sight(self._held, at))

    def let_fall(self, at: QPointF) -> None:
        """Move the receipt to the place at a point, if there is one."""
        held = self._held
        self.lost()
        if held is None:
            return
        sight = self.sight(held, at)
        if sight is not None and sight.place is not None:
            self._move(held, sight.place)

    def sight(self, held: Receipt, at: QPointF) -> Sight | None:
        """Return what a release at a point would do."""
        g = geometry_of(self.canvas)
        if g is None:
            return None
        found = place_at(g, held, at.x())
        if found is not None:
            return Sight(held, at, found, held.order(found), held.consequence(found))
        reason = ""
        for bar in held.bars:
            if edge(g, bar.start) <= at.x() <= edge(g, bar.stop):
                reason = f"{bar.reason}."
        more = tr("Drag it to a place that lights up; Esc cancels.")
        if not held.places:
            reason = reason or f"{held.why_not(-1 if at.x() < g.x(held.now) else 1)}."
            more = tr("There is no other place for it.")
        return Sight(held, at, None, reason or tr("This is where it is received now."), more)


def geometry_of(canvas: Canvas) -> Geometry | None:
    """Return the positions of times and rows in a view; ``None`` before it has been drawn."""
    if canvas.frame is None or canvas.painter is None or canvas.trouble is not None:
        return None
    found: Geometry = canvas.painter.geometry(QRectF(canvas.rect()), canvas.frame, canvas.camera)
    return found


def edge(g: Geometry, time: float) -> float:
    """Return the position of a time, which may be infinite, within the view."""
    if time == -math.inf:
        return g.left
    return g.rect.right() if time == math.inf else min(max(float(g.x(time)), g.left), g.rect.right())


def spot(g: Geometry, place: Place) -> float | None:
    """Return the position of a place; ``None`` if it is out of view."""
    if g.scale is None or g.scale.straight:
        x = float(g.x(place.time))
    else:  # times between two events have no positions of their own
        x = (float(g.x(place.start)) + (edge(g, place.stop) if place.stop < math.inf else g.x(place.start) + 60)) / 2
    if place.stop == math.inf and g.x(place.start) < g.rect.right() - 2 * RING:
        x = min(x, g.rect.right() - RING - 6)  # any later time would do as well
    return x if g.left - 2 <= x <= g.rect.right() else None


def place_at(g: Geometry, receipt: Receipt, x: float) -> Place | None:
    """Return the place to which a receipt is moved when it is released at ``x``."""
    near: tuple[float, Place] | None = None
    for place in receipt.places:
        there = spot(g, place)
        if there is None:
            continue
        inside = edge(g, place.start) <= x <= edge(g, place.stop)
        away = abs(there - x)
        if (inside or away <= NEAR) and (near is None or away < near[0]):
            near = away, place
    return None if near is None else near[1]


class PlacesLayer(QWidget):
    """The layer over a causality view that shows the legal places while a receipt is dragged; otherwise hidden."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self.sight: Sight | None = None
        self.setObjectName("placesLayer")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Places to which the message can be moved"))
        self.hide()

    def show_sight(self, sight: Sight | None) -> None:
        """Show different contents, or hide the layer."""
        self.sight = sight
        self.setAccessibleDescription("" if sight is None else f"{sight.head} {sight.more}")
        if sight is None:
            self.hide()
            return
        self.setGeometry(self.canvas.rect())
        self.show()
        self.raise_()
        self.update()

    # ------------------------------------------------------------------ painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        sight, g = self.sight, geometry_of(self.canvas)
        if sight is None or g is None:
            return
        rows = self.canvas.frame.scene.rows.row
        if int(rows[sight.receipt.process]) < 0:
            return
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            y = float(g.y(int(rows[sight.receipt.process])))
            p.save()
            p.setClipRect(g.plot.adjusted(-RING, 0, 0, 0))
            self._bars(p, g, sight, y)
            self._places(p, g, sight, y)
            self._line(p, g, sight, y)
            p.restore()
            self._words(p, sight)
        finally:
            p.end()

    def _bars(self, p: QPainter, g: Geometry, sight: Sight, y: float) -> None:
        """Hatch the periods in which the message cannot arrive."""
        theme, half = self.canvas.theme, min(max(g.pitch * 0.22, 5.0), 13.0)
        ink = alpha(theme.color("text.secondary"), 0.5)
        for number, bar in enumerate(sight.receipt.bars):
            left, right = edge(g, bar.start), edge(g, bar.stop)
            if right - left < 2:
                continue
            box = QRectF(left, y - half, right - left, 2 * half)
            p.fillRect(box, alpha(theme.color("surface.panel"), 0.55))
            p.fillRect(box, QBrush(ink, Qt.BrushStyle.BDiagPattern))
            if number == 0 and bar.start == -math.inf:
                self._caption(p, tr("not yet sent"), "text.secondary", (left + right) / 2, y + half, right - left)

    def _caption(self, p: QPainter, text: str, ink: str, x: float, y: float, room: float) -> None:
        theme = self.canvas.theme
        p.setFont(theme.font("small"))
        metrics = QFontMetricsF(p.font())
        width = metrics.horizontalAdvance(text)
        if width + 8 > room:
            return
        box = QRectF(x - width / 2 - 4, y + 3, width + 8, metrics.height() + 2)
        p.fillRect(box, alpha(theme.color("surface.panel"), 0.85))
        p.setPen(theme.color(ink))
        p.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)

    def _places(self, p: QPainter, g: Geometry, sight: Sight, y: float) -> None:
        theme = self.canvas.theme
        teal, soft, ground = (theme.color(name) for name in ("chain.future", "chain.futureSoft", "surface.panel"))
        half = min(max(g.pitch * 0.12, 3.0), 6.0)
        p.setPen(Qt.PenStyle.NoPen)
        for place in sight.receipt.places:
            left, right = edge(g, place.start), edge(g, place.stop)
            if right - left > 3:
                p.setBrush(soft)
                p.drawRoundedRect(QRectF(left + 1.5, y - half, right - left - 3, 2 * half), half, half)
        for place in sight.receipt.places:
            x = spot(g, place)
            if x is None:
                continue
            chosen = place is sight.place
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(soft)
            p.drawEllipse(QPointF(x, y), RING + 4, RING + 4)
            p.setPen(QPen(teal, 3.0))
            p.setBrush(teal if chosen else ground)
            p.drawEllipse(QPointF(x, y), RING if chosen else RING - 1.5, RING if chosen else RING - 1.5)
            if place.stop == math.inf:
                text = tr("or at any later time")
                width = QFontMetricsF(theme.font("small")).horizontalAdvance(text) + 8
                middle = min(x, g.rect.right() - width / 2 - 2)
                self._caption(p, text, "chain.future", middle, y + RING, width + 1)

    def _line(self, p: QPainter, g: Geometry, sight: Sight, y: float) -> None:
        """Draw the ghost of the current place, and the message as it would travel."""
        theme, receipt = self.canvas.theme, sight.receipt
        timeline, message = receipt.situation.timeline, receipt.message
        here = QPointF(float(g.x(receipt.now)), y)
        p.setBrush(alpha(theme.color("surface.panel"), 0.8))
        pen = QPen(theme.color("text.secondary"), 1.6)
        pen.setDashPattern([2.0, 1.8])
        p.setPen(pen)
        p.drawEllipse(here, GHOST, GHOST)
        x = spot(g, sight.place) if sight.place is not None else None
        to = QPointF(min(max(sight.at.x(), g.left), g.rect.right() - 4), y) if x is None else QPointF(x, y)
        row = int(self.canvas.frame.scene.rows.row[int(timeline.message_source[message])])
        accent = theme.color("chain.future" if sight.place is not None else "text.secondary")
        if row >= 0:
            pen = QPen(accent, 2.2)
            pen.setDashPattern([3.5, 2.0])
            p.setPen(pen)
            start = QPointF(float(g.x(float(timeline.message_sent[message]))), float(g.y(row)))
            p.drawLine(start, to)
        p.setPen(QPen(theme.color("surface.panel"), 1.5))
        p.setBrush(accent)
        p.drawEllipse(to, 5.0, 5.0)

    def _words(self, p: QPainter, sight: Sight) -> None:
        """Draw the two sentences beside the pointer and inside the view."""
        theme = self.canvas.theme
        bold, plain = theme.font("small", semibold=True), theme.font("small")
        room = min(max(self.width() - 40.0, 80.0), 330.0)
        wrap = int(Qt.TextFlag.TextWordWrap)
        first = QFontMetricsF(bold).boundingRect(QRectF(0, 0, room, 400), wrap, sight.head)
        second = QFontMetricsF(plain).boundingRect(QRectF(0, 0, room, 400), wrap, sight.more)
        width, high = max(first.width(), second.width()) + 2, first.height() + second.height() + 2
        below = 22 if sight.place is None or sight.place.stop < math.inf else 22 + first.height() / 2 + RING
        box = QRectF(sight.at.x() + 14, sight.at.y() + below, width + 20, high + 14)
        if box.right() > self.width() - 6:
            box.moveRight(self.width() - 6.0)
        if box.bottom() > self.height() - 6:
            box.moveBottom(sight.at.y() - 20)
        box.moveTo(max(box.left(), 6.0), max(box.top(), 6.0))
        shadow = QColor(0, 0, 0, 70)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(shadow)
        p.drawRoundedRect(box.translated(0, 2), 6, 6)
        p.setBrush(theme.color("surface.tooltip"))
        p.drawRoundedRect(box, 6, 6)
        p.setPen(theme.color("text.onTooltip"))
        inner = box.adjusted(10, 7, -10, -7)
        p.setFont(bold)
        p.drawText(QRectF(inner.left(), inner.top(), inner.width() + 2, first.height()), wrap, sight.head)
        p.setFont(plain)
        top = inner.top() + first.height() + 2
        p.drawText(QRectF(inner.left(), top, inner.width() + 2, second.height() + 2), wrap, sight.more)
