"""Paints the space-time diagram.

Lines, dots and what is still to come are kept as pictures of the window; a frame shows the part of each that has
happened, or has not, and draws by itself only what touches the play head.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.painters.axis import (
    Geometry,
    Layers,
    alpha,
    draw_ground,
    draw_gutter,
    draw_playhead,
    geometry,
    number_of,
)
from lydian.app.painters.spacetime import NEAR, StillPainter
from lydian.app.shapes import draw_head
from lydian.app.theme import Theme
from lydian.views.causality import CausalityFrame
from lydian.views.frame import Hit
from lydian.views.words import brief, plural

__all__ = ["CausalityPainter"]

#: How strong what is marked and still to come is.
_MARKED = 0.5
_REACH_EVENT, _REACH_ARROW = 9.0, 5.0


class CausalityPainter:
    """Paints :class:`~lydian.views.causality.CausalityFrame` on anything Qt can paint on."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._layers = Layers()
        self._still = StillPainter(theme)

    # -- painting ----------------------------------------------------------------------------------------------

    def geometry(self, rect: QRectF, frame: CausalityFrame, camera: Any = None) -> Geometry:
        """Where times and rows lie in ``rect``."""
        scene = frame.scene
        margin = float(getattr(camera, "margin", 0.0) or 0.0)
        return geometry(self.theme, rect, scene.window, len(scene.rows), frame.timeline.processes, margin)

    def paint(self, p: QPainter, rect: QRectF, frame: CausalityFrame, camera: Any = None) -> None:
        """Paint the frame into ``rect``, its ground included."""
        g = self.geometry(rect, frame, camera)
        scene, theme = frame.scene, self.theme
        p.save()
        p.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.fillRect(rect, theme.color("surface.panel"))
        tinted = [int(scene.rows.row[q]) for q in frame.selected if scene.rows.row[q] >= 0]
        draw_ground(p, theme, g, tinted, row_lines=scene.density is None)
        now = min(max(g.x(frame.t), g.plot.left()), g.plot.right())
        done = QRectF(g.plot.left(), g.rect.top(), now - g.plot.left(), g.rect.height())
        coming = QRectF(now, g.rect.top(), g.plot.right() - now, g.rect.height())
        whole = QRectF(g.plot.left(), g.rect.top(), g.plot.width(), g.rect.height())
        key = (theme.name, theme.projector, g.left, g.right, g.top, g.bottom)
        ghost = self._still.number("chain.ghostOpacity")
        if scene.density is not None:
            self._layers.draw(p, "density", key, scene.density, whole, done, lambda q: self._still.density(q, g, scene))
            if frame.future:
                self._layers.draw(
                    p,
                    "density",
                    key,
                    scene.density,
                    whole,
                    coming,
                    lambda q: self._still.density(q, g, scene),
                    2 * ghost,
                )
        self._layers.draw(p, "lines", key, scene, whole, done, lambda q: self._still.lines(q, g, scene))
        if frame.future:
            self._layers.draw(p, "ghost", key, scene, whole, coming, lambda q: self._still.ghost(q, g, scene), ghost)
            if scene.dimmed or scene.chosen.any():
                self._layers.draw(
                    p, "marked", key, scene, whole, coming, lambda q: self._still.marked(q, g, scene), _MARKED
                )
        self._open(p, g, frame)
        # Dots, heads and labels reach to the left of their time: the kept picture ends a little before the play head,
        # from there on everything that has happened is drawn anew.
        edge = max(whole.left(), now - NEAR)
        before = QRectF(whole.left(), whole.top(), edge - whole.left(), whole.height())
        self._layers.draw(p, "dots", key, scene, whole, before, lambda q: self._still.dots(q, g, scene, None, key))
        p.save()
        p.setClipRect(QRectF(edge, whole.top(), whole.right() - edge, whole.height()), Qt.ClipOperation.IntersectClip)
        self._still.dots(p, g, scene, (g.time(edge - NEAR), frame.t), key)
        p.restore()
        p.save()
        p.setClipRect(whole, Qt.ClipOperation.IntersectClip)
        self._flying(p, g, frame)
        self._rings(p, g, frame)
        p.restore()
        hover = number_of(frame.hover, "process")
        names, rows = frame.timeline.processes, scene.rows.processes
        draw_gutter(p, theme, g, rows, names, frame.slots, frame.crashed, frame.selected, hover)
        draw_playhead(p, theme, g, frame.t)
        p.restore()

    def _open(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """Arrows of messages that have no arrival, up to where they are now."""
        scene = frame.scene
        never = ~np.isfinite(scene.arrived[frame.flying])
        if not never.any():
            return
        x, y, _ = self._positions(g, frame)
        strong = self._still.strong(scene)
        for index in np.flatnonzero(never).tolist():
            arrow = int(frame.flying[index])
            style = self.theme.message(int(scene.kind[arrow]))
            color = alpha(style.color, 1.0 if strong[arrow] else self._still.number("chain.dimOpacity"))
            pen = QPen(color, self._still.width(g.pitch))
            if style.dash:
                pen.setDashPattern([part / pen.widthF() for part in style.dash])
            p.setPen(pen)
            p.drawLine(QPointF(g.x(scene.sent[arrow]), g.y(scene.source_row[arrow])), QPointF(x[index], y[index]))

    def _positions(
        self, g: Geometry, frame: CausalityFrame
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Where the messages in flight are, and the direction in which they go."""
        scene, flying = frame.scene, frame.flying
        y0, y1 = g.y(scene.source_row[flying]), g.y(scene.end_row[flying])
        x0 = g.x(scene.sent[flying])
        x = np.full(len(flying), float(g.x(frame.t)))
        y = y0 + (y1 - y0) * frame.fraction
        known = np.isfinite(scene.arrived[flying])
        ahead = np.where(known, g.x(np.where(known, scene.arrived[flying], frame.t)), x)
        angle = np.where(known, np.arctan2(y1 - y0, ahead - x0), np.arctan2(y - y0, x - x0))
        return x, y, angle

    def _flying(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """Heads of the messages in flight, at the exact part of their way."""
        if not g.window[0] <= frame.t <= g.window[1] or len(frame.flying) > 400:
            return
        x, y, angle = self._positions(g, frame)
        size = self._still.head(g) * 1.15
        kinds = frame.scene.kind[frame.flying]
        for a, b, turn, kind in zip(x.tolist(), y.tolist(), angle.tolist(), kinds.tolist(), strict=True):
            draw_head(p, self.theme, a, b, turn, kind, size)

    def _rings(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """Rings round the selected event and what the pointer is over, and round both ends of selected messages."""
        scene = frame.scene
        color = self.theme.color("selection")
        rings: list[tuple[int, float, float]] = []
        if frame.selected_event is not None:
            rings.append((frame.selected_event, 7.5, self.theme.line("selectionRing")))
        event, message = number_of(frame.hover, "event"), number_of(frame.hover, "message")
        if event is not None:
            rings.append((event, 7.0, self.theme.line("focusRing") * 0.65))
        p.setBrush(Qt.BrushStyle.NoBrush)
        for seq, size, width in rings:
            place = int(np.searchsorted(scene.event, seq))
            if place < len(scene.event) and scene.event[place] == seq:
                p.setPen(QPen(color, width))
                size *= 1 + (g.factor - 1) * 0.6
                p.drawEllipse(QPointF(g.x(scene.time[place]), g.y(scene.row[place])), size, size)
        if message is not None:
            for arrow in np.flatnonzero(scene.message == message).tolist():
                self._hovered(p, g, frame, arrow)

    def _hovered(self, p: QPainter, g: Geometry, frame: CausalityFrame, place: int) -> None:
        end = _end(g, frame, place)
        start = QPointF(g.x(frame.scene.sent[place]), g.y(frame.scene.source_row[place]))
        p.setPen(QPen(self.theme.message(int(frame.scene.kind[place])).color, self.theme.line("linkHover")))
        p.drawLine(start, end)

    # -- pointing ----------------------------------------------------------------------------------------------

    def hit(self, pos: QPointF, rect: QRectF, frame: CausalityFrame, camera: Any = None) -> Hit | None:
        """The event, message or process at a point: dots before lines before rows."""
        g = self.geometry(rect, frame, camera)
        scene = frame.scene
        x, y = pos.x(), pos.y()
        if x >= g.plot.left():
            events = np.ones(len(scene.event), bool) if frame.future else scene.time <= frame.t
            arrows = np.isfinite(scene.arrived) | (scene.sent <= frame.t)
            if not frame.future:
                arrows &= scene.sent <= frame.t
            gap = np.hypot(g.x(scene.time) - x, g.y(scene.row) - y)
            gap[~events] = np.inf
            near = int(np.argmin(gap)) if len(gap) else -1
            if near >= 0 and gap[near] <= min(_REACH_EVENT, max(4.0, g.pitch * 0.6)):
                # Events of one moment lie on each other: the last of them is on top.
                return Hit("event", int(scene.event[len(gap) - 1 - int(np.argmin(gap[::-1]))]))
            distance = _distances(g, frame, x, y)
            distance[~arrows] = np.inf
            near = int(np.argmin(distance)) if len(distance) else -1
            if near >= 0 and distance[near] <= _REACH_ARROW:
                return Hit("message", int(scene.message[near]))
        row = g.row(y)
        return None if row < 0 else Hit("process", int(scene.rows.processes[row]))

    def time_at(self, pos: QPointF, rect: QRectF, frame: CausalityFrame, camera: Any = None) -> float:
        """The simulated time at a point."""
        return self.geometry(rect, frame, camera).time(pos.x())

    def tooltip(self, hit: Hit, frame: CausalityFrame) -> str:
        """What is under the pointer, in words (rich text)."""
        if not isinstance(hit.id, int):
            return ""
        words = {"event": _event_words, "message": _message_words, "process": _process_words}.get(hit.kind)
        return "" if words is None else words(hit.id, frame)


def _event_words(seq: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    process, chain = int(timeline.process[seq]), int(timeline.chain[seq])
    name = timeline.processes[process] if process >= 0 else ""
    ending = f", end of a chain of {plural(chain, 'message')}" if chain else ""
    return (
        f"<b>{escape(name)}</b> {escape(brief(timeline, seq, frame.scene.animation))}<br>"
        f"time {timeline.time[seq]:.2f}<br>Lamport time {timeline.lamport[seq]}{ending}"
    )


def _process_words(process: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    k = timeline.count(frame.t)
    code = int(timeline.states_at(k)[process])
    state = frame.scene.animation.word(timeline.states[code]) if code < len(timeline.states) else "no state"
    if frame.crashed[process]:
        state = f"crashed (was {state})"
    events = timeline.events_of(process)
    past, name = int(np.searchsorted(events, k)), escape(timeline.processes[process])
    return f"<b>Process {name}</b>, {escape(state)}<br>{past} of {plural(len(events), 'event')} so far"


def _message_words(message: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    code = int(timeline.message_label[message])
    label = frame.scene.animation.label(timeline.labels[code]) if code >= 0 else "message"
    source, target = (
        timeline.processes[code] if code >= 0 else "?"
        for code in (timeline.message_source[message], timeline.message_target[message])
    )
    sent, arrived = float(timeline.message_sent[message]), float(timeline.message_arrived[message])
    share = ""
    if sent <= frame.t < arrived < math.inf and arrived > sent:
        share = f", {100 * (frame.t - sent) / (arrived - sent):.0f} %"
    ending = (
        "has not arrived when the recording ends"
        if arrived == math.inf
        else f"{'lost' if timeline.lost[message] else 'arrives' if arrived > frame.t else 'arrived'} {arrived:.2f}"
    )
    return f"<b>{escape(label)}</b> {escape(source)} → {escape(target)}{share}<br>sent {sent:.2f}<br>{ending}"


def _end(g: Geometry, frame: CausalityFrame, place: int) -> QPointF:
    """Where an arrow ends: at its arrival, or where the message is if it has none."""
    scene = frame.scene
    arrived = float(scene.arrived[place])
    if math.isfinite(arrived):
        return QPointF(g.x(arrived), g.y(scene.end_row[place]))
    part = frame.fraction[frame.flying == place]
    y0, y1 = g.y(scene.source_row[place]), g.y(scene.end_row[place])
    return QPointF(g.x(frame.t), y0 + (y1 - y0) * (float(part[0]) if len(part) else 0.0))


def _distances(g: Geometry, frame: CausalityFrame, x: float, y: float) -> NDArray[np.float64]:
    """How far a point is from each arrow, in pixels."""
    scene = frame.scene
    x0, y0 = g.x(scene.sent), g.y(scene.source_row)
    known = np.isfinite(scene.arrived)
    x1 = np.where(known, g.x(np.where(known, scene.arrived, 0.0)), x0)
    y1 = np.where(known, g.y(scene.end_row), y0)
    for place in np.flatnonzero(~known & (scene.sent <= frame.t)).tolist():
        end = _end(g, frame, place)
        x1[place], y1[place] = end.x(), end.y()
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    along = np.divide((x - x0) * dx + (y - y0) * dy, length, out=np.zeros_like(length), where=length > 0)
    along = np.clip(along, 0.0, 1.0)
    return np.hypot(x0 + along * dx - x, y0 + along * dy - y)
