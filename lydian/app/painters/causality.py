"""Paints the space-time diagram.

Lines, dots and what is still to come are kept as pictures of the window; a frame shows the part of each that has
happened, or has not, and draws by itself only what touches the play head.  If the window moved, so do the pictures.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QRegion

from lydian.app.look.shapes import draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.axis import (
    Geometry,
    alpha,
    draw_ground,
    draw_playhead,
    front_region,
    geometry,
    number_of,
    seen_rows,
)
from lydian.app.painters.densities import darkest, draw_density
from lydian.app.painters.gutter import keep_gutter
from lydian.app.painters.key import depth_key, shade_key
from lydian.app.painters.layers import Layers
from lydian.app.painters.spacetime import DETAILED, NEAR, StillPainter
from lydian.app.painters.timetips import event_words, message_words, process_words
from lydian.views.causality import CausalityFrame
from lydian.views.frame import Hit
from lydian.views.spacetime import Scene

__all__ = ["CausalityPainter"]

#: How strong what is marked and still to come is.
_MARKED = 0.5
_REACH_EVENT, _REACH_ARROW = 9.0, 5.0
#: More messages in flight have no heads.
_HEADS = 2000


class CausalityPainter:
    """Paints :class:`~lydian.views.causality.CausalityFrame` on anything Qt can paint on.

    ``camera.rows``, if it is there, says which rows are seen (from, to); ``camera.margin`` keeps room at the right.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._layers = Layers()
        self._still = StillPainter(theme)

    # -- painting ----------------------------------------------------------------------------------------------

    def geometry(self, rect: QRectF, frame: CausalityFrame, camera: Any = None) -> Geometry:
        """Where times and rows lie in ``rect``."""
        scene = frame.scene
        margin = float(getattr(camera, "margin", 0.0) or 0.0)
        return geometry(
            self.theme, rect, scene.window, len(scene.rows), frame.timeline.processes, margin,
            scale=scene.scale, seen=seen_rows(camera),
        )  # fmt: skip

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
        if frame.front is None:
            self._by_time(p, g, frame)
        else:
            self._by_rows(p, g, frame, frame.front)
        p.save()
        p.setClipRect(g.body, Qt.ClipOperation.IntersectClip)
        self._flying(p, g, frame)
        self._rings(p, g, frame)
        self._length(p, g, frame)
        p.restore()
        hover = number_of(frame.hover, "process")
        badges = self._still.hues(scene) if scene.color == "sender" else None
        keep_gutter(
            self._layers, p, theme, g, scene.rows.processes, frame.timeline.processes, frame.slots, frame.crashed,
            frame.selected, hover, badges,
        )  # fmt: skip
        draw_playhead(p, theme, g, frame.t, frame.front)
        if scene.density is not None:
            shade_key(p, theme, g, darkest(g, scene))
        elif scene.color == "depth":
            depth_key(p, theme, g, self._still.hues(scene), scene.deepest)
        p.restore()

    def _by_time(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """What lies before the play head in full, what lies behind it pale."""
        scene, still = frame.scene, self._still
        whole = g.body
        now = min(max(float(g.x(frame.t)), whole.left()), whole.right())
        done = QRectF(whole.left(), whole.top(), now - whole.left(), whole.height())
        coming = QRectF(now, whole.top(), whole.right() - now, whole.height())
        ghost = still.number("chain.ghostOpacity")
        many = len(scene.message) > DETAILED

        def layer(name: str, clip: QRectF, paint: Any, opacity: float = 1.0) -> None:
            self._moving(p, g, scene, name, clip, lambda q, s: paint(q, g, scene, s), opacity)

        if scene.density is not None:
            self._shades(p, g, scene, done)
            if frame.future:
                self._shades(p, g, scene, coming, 2 * ghost)
        layer("lines", done, still.lines)
        if frame.future:
            if many:
                layer("lines", coming, still.lines, ghost)
                layer("dots", coming, still.dots, ghost)
            else:
                layer("ghost", coming, self._ghost, ghost)
            if scene.dimmed or scene.chosen.any():
                layer("marked", coming, still.marked, _MARKED)
        self._open(p, g, frame)
        # Dots, heads and labels reach to the left of their time: the kept picture ends a little before the play head,
        # from there on everything that has happened is drawn anew.
        edge = max(whole.left(), now - NEAR)
        layer("dots", QRectF(whole.left(), whole.top(), edge - whole.left(), whole.height()), still.dots)
        p.save()
        p.setClipRect(QRectF(edge, whole.top(), whole.right() - edge, whole.height()), Qt.ClipOperation.IntersectClip)
        still.dots(
            p, g, scene, (edge - NEAR, now + NEAR), arrows=scene.arrived <= frame.t, events=scene.event < frame.happened
        )
        p.restore()

    def _by_rows(self, p: QPainter, g: Geometry, frame: CausalityFrame, front: NDArray[np.float64]) -> None:
        """The same where each row has come to a place of its own: what has happened is asked of each arrow."""
        scene, still = frame.scene, self._still
        whole = g.body
        ghost = still.number("chain.ghostOpacity")
        view = (
            *scene.look,
            scene.window,
            self.theme.name,
            self.theme.projector,
            g.left,
            g.right,
            g.top,
            g.bottom,
            g.first,
            g.seen,
        )
        arrived, past = scene.arrived <= frame.t, scene.event < frame.happened

        def layer(name: str, key: tuple[Any, ...], clip: QRectF | QRegion, paint: Any, opacity: float = 1.0) -> None:
            self._layers.draw(p, name, key, whole, clip, paint, opacity)

        if scene.density is not None:
            done = front_region(g, front)
            self._shades(p, g, scene, done)
            if frame.future:
                self._shades(p, g, scene, QRegion(whole.toAlignedRect()) - done, 2 * ghost)
        if not len(scene.message) and not len(scene.event):
            return
        if frame.future:
            soon = (*view, frame.happened)
            layer("ghost", soon, whole, lambda q, s: self._ghost(q, g, scene, s, ~arrived, ~past), ghost)
        now = (*view, frame.happened)
        layer("lines", now, whole, lambda q, s: still.lines(q, g, scene, s, arrived))
        heard = np.isin(scene.through_to, scene.event[past]) if len(scene.through) else np.zeros(0, dtype=bool)
        still.through(p, g, scene, heard)
        layer("dots", now, whole, lambda q, s: still.dots(q, g, scene, s, arrows=arrived, events=past))
        x, y, _ = self._positions(g, frame)
        for index, arrow in enumerate(frame.flying[:_HEADS].tolist()):
            color = still.color(scene, int(scene.kind[arrow]), int(scene.hue[arrow]))
            p.setPen(QPen(color, still.width(g.pitch)))
            p.drawLine(QPointF(g.at(scene.begin[arrow]), g.y(scene.source_row[arrow])), QPointF(x[index], y[index]))

    def _moving(
        self,
        p: QPainter,
        g: Geometry,
        scene: Scene,
        name: str,
        clip: QRectF | QRegion,
        paint: Any,
        opacity: float = 1.0,
    ) -> None:
        """A layer that is moved when the window is."""
        key = (
            *scene.look,
            self.theme.name,
            self.theme.projector,
            g.left,
            g.right,
            g.top,
            g.bottom,
            g.unit,
            g.first,
            g.seen,
        )
        reach = (NEAR + 4, g.body.right() - g.right + NEAR)
        self._layers.draw(p, name, key, g.body, clip, paint, opacity, origin=g.offset, reach=reach)

    def _shades(self, p: QPainter, g: Geometry, scene: Scene, clip: QRectF | QRegion, opacity: float = 1.0) -> None:
        self._moving(p, g, scene, "density", clip, lambda q, s: draw_density(q, self.theme, g, scene, s), opacity)

    def _ghost(
        self,
        p: QPainter,
        g: Geometry,
        scene: Any,
        strip: tuple[float, float] | None,
        arrows: Any = None,
        events: Any = None,
    ) -> None:
        self._still.ghost(p, g, scene, strip, arrows)
        self._still.dots(p, g, scene, strip, events=events, plain=True)

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
            kind = int(scene.kind[arrow])
            color = self._still.color(scene, kind, int(scene.hue[arrow]))
            pen = QPen(
                alpha(color, 1.0 if strong[arrow] else self._still.number("chain.dimOpacity")),
                self._still.width(g.pitch),
            )
            if self.theme.message(kind).dash:
                pen.setDashPattern([part / pen.widthF() for part in self.theme.message(kind).dash])
            p.setPen(pen)
            p.drawLine(QPointF(g.at(scene.begin[arrow]), g.y(scene.source_row[arrow])), QPointF(x[index], y[index]))

    def _positions(
        self, g: Geometry, frame: CausalityFrame
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Where the messages in flight are, and the direction in which they go."""
        scene, flying = frame.scene, frame.flying
        y0, y1 = g.y(scene.source_row[flying]), g.y(scene.end_row[flying])
        x0 = g.at(scene.begin[flying])
        now = np.full(len(flying), float(g.x(frame.t)))
        finish = scene.finish[flying]
        known = np.isfinite(finish)
        x1 = np.where(known, g.at(np.where(known, finish, 0.0)), now)
        y = y0 + (y1 - y0) * frame.along
        if scene.scale.straight:
            return now, y, np.where(known, np.arctan2(y1 - y0, x1 - x0), np.arctan2(y - y0, now - x0))
        x = np.where(known, x0 + (x1 - x0) * frame.along, np.maximum(now, x0))
        return x, y, np.where(known, np.arctan2(y1 - y0, x1 - x0), np.arctan2(y - y0, x - x0))

    def _flying(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """Heads of the messages in flight, at the exact part of their way."""
        if not g.window[0] <= frame.t <= g.window[1] or len(frame.flying) > _HEADS:
            return
        x, y, angle = self._positions(g, frame)
        opacity = np.ones(len(x))
        self._still.heads(p, g, frame.scene, frame.flying, x, y, angle, opacity, 1.15)

    def _rings(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """Rings round the selected events and what the pointer is over."""
        scene = frame.scene
        color = self.theme.color("selection")
        rings: list[tuple[int, float, float]] = []
        chosen = (frame.selected_event, frame.other)
        rings += [(seq, 7.5, self.theme.line("selectionRing")) for seq in chosen if seq is not None]
        event, message = number_of(frame.hover, "event"), number_of(frame.hover, "message")
        if event is not None:
            rings.append((event, 7.0, self.theme.line("focusRing") * 0.65))
        p.setBrush(Qt.BrushStyle.NoBrush)
        for seq, size, width in rings:
            place = int(np.searchsorted(scene.event, seq))
            if place < len(scene.event) and scene.event[place] == seq:
                p.setPen(QPen(color, width))
                size *= 1 + (g.factor - 1) * 0.6
                p.drawEllipse(QPointF(g.at(scene.place[place]), g.y(scene.row[place])), size, size)
        if message is not None:
            for arrow in np.flatnonzero(scene.message == message).tolist():
                self._hovered(p, g, frame, arrow)

    def _hovered(self, p: QPainter, g: Geometry, frame: CausalityFrame, place: int) -> None:
        end = _end(g, frame, place)
        scene = frame.scene
        start = QPointF(g.at(scene.begin[place]), g.y(scene.source_row[place]))
        color = self._still.color(scene, int(scene.kind[place]), int(scene.hue[place]))
        p.setPen(QPen(color, self.theme.line("linkHover")))
        p.drawLine(start, end)

    def _length(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """The length of the longest chain, at its end."""
        scene = frame.scene
        place = int(np.searchsorted(scene.event, scene.chain))
        if scene.chain < 0 or place >= len(scene.event) or scene.event[place] != scene.chain:
            return
        x, y = float(g.at(scene.place[place])), float(g.y(scene.row[place]))
        text = f"{frame.longest:,} message{'' if frame.longest == 1 else 's'} long"
        align: Any = "right" if x > (g.left + g.right) / 2 else "left"
        below = y + max(12.0, self._still.radius(g) + 9.0)
        if below > g.bottom - 2:
            below = y - max(14.0, self._still.radius(g) + 11.0)
        draw_text(p, self.theme, x, below, text, "small", "chain.longestInk", True, align, semibold=True)

    # -- pointing ----------------------------------------------------------------------------------------------

    def hit(self, pos: QPointF, rect: QRectF, frame: CausalityFrame, camera: Any = None) -> Hit | None:
        """The event, message or process at a point: dots before lines before rows."""
        g = self.geometry(rect, frame, camera)
        scene = frame.scene
        x, y = pos.x(), pos.y()
        if x >= g.plot.left():
            events = np.ones(len(scene.event), bool) if frame.future else scene.event < frame.happened
            arrows = np.isfinite(scene.arrived) | (scene.sent <= frame.t)
            if not frame.future:
                arrows &= scene.sent <= frame.t
            gap = np.hypot(g.at(scene.place) - x, g.y(scene.row) - y)
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
        words = {"event": event_words, "message": message_words, "process": process_words}.get(hit.kind)
        return "" if words is None else words(hit.id, frame)


def _end(g: Geometry, frame: CausalityFrame, place: int) -> QPointF:
    """Where an arrow ends: at its arrival, or where the message is if it has none."""
    scene = frame.scene
    finish = float(scene.finish[place])
    if math.isfinite(finish):
        return QPointF(g.at(finish), g.y(scene.end_row[place]))
    part = frame.fraction[frame.flying == place]
    y0, y1 = g.y(scene.source_row[place]), g.y(scene.end_row[place])
    return QPointF(g.x(frame.t), y0 + (y1 - y0) * (float(part[0]) if len(part) else 0.0))


def _distances(g: Geometry, frame: CausalityFrame, x: float, y: float) -> NDArray[np.float64]:
    """How far a point is from each arrow, in pixels."""
    scene = frame.scene
    x0, y0 = g.at(scene.begin), g.y(scene.source_row)
    known = np.isfinite(scene.finish)
    x1 = np.where(known, g.at(np.where(known, scene.finish, 0.0)), x0)
    y1 = np.where(known, g.y(scene.end_row), y0)
    for place in np.flatnonzero(~known & (scene.sent <= frame.t)).tolist():
        end = _end(g, frame, place)
        x1[place], y1[place] = end.x(), end.y()
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    along = np.divide((x - x0) * dx + (y - y0) * dy, length, out=np.zeros_like(length), where=length > 0)
    along = np.clip(along, 0.0, 1.0)
    return np.hypot(x0 + along * dx - x, y0 + along * dy - y)
