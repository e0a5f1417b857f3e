"""The painter of the space-time diagram.

Lines, dots and the future are kept as pictures of the window; a frame shows the past or the future part of each, and
only what touches the play head is drawn directly. If the window has moved, the pictures are shifted.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QRegion

from lydian.app.look.fragments import draw_lines
from lydian.app.look.theme import Theme
from lydian.app.painters.time.axis import Geometry, alpha, front_region, number_of
from lydian.app.painters.time.densities import darkest, draw_density
from lydian.app.painters.time.key import Key, chain_key, depth_key, shade_key
from lydian.app.painters.time.spacetime import DETAILED, StillPainter
from lydian.app.painters.time.timeview import TimePainter
from lydian.language import tr, trn
from lydian.pieces.messagelooks import word_of
from lydian.trace.timeline import Timeline
from lydian.views.network.liars import liars_at, way_word
from lydian.views.selection import Hit
from lydian.views.time.causality import CausalityFrame
from lydian.views.time.cones import relation, vector_clock
from lydian.views.time.spacetime import ArrowScene
from lydian.views.words.contents import contents, falsehood, with_contents
from lydian.views.words.words import brief

__all__ = ["CausalityPainter", "message_words"]

#: The maximum number of entries of a vector clock in a tooltip.
SHOWN = 12
#: The descriptions of an event's relation to the selected one.
SHORT = {
    "before": tr("before the selected event"),
    "after": tr("after the selected event"),
    "concurrent": tr("concurrent with the selected event: neither could influence the other"),
    "same": tr("the selected event"),
}


def event_words(seq: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    process, chain = int(timeline.process[seq]), int(timeline.chain[seq])
    name = timeline.processes[process] if process >= 0 else ""
    lamport = (
        trn(
            "Lamport time {time}, end of a chain of {count:,} message",
            "Lamport time {time}, end of a chain of {count:,} messages",
            chain,
            time=timeline.lamport[seq],
        )
        if chain
        else tr("Lamport time {time}", time=timeline.lamport[seq])
    )
    lines = [
        f"<b>{escape(name)}</b> {escape(brief(timeline, seq, frame.scene.animation))}",
        tr("time {time:.2f}", time=timeline.time[seq]),
    ]
    if not timeline.trace.summary.get("asked"):  # clocks and chains would answer the question
        lines += [lamport, tr("vector clock {clock}", clock=escape(clock_words(timeline, seq)))]
    if frame.selected_event not in (None, seq):
        lines.append(SHORT[relation(timeline, int(frame.selected_event or 0), seq)])
    return "<br>".join(lines)


def clock_words(timeline: Timeline, seq: int) -> str:
    """Return the vector clock of an event in words: its known events of each process, without zeros.

    If there are few processes, all are named in order, else only the first ones.
    """
    clock = vector_clock(timeline, seq)
    if timeline.n <= SHOWN:
        return "(" + ", ".join(str(count) for count in clock.tolist()) + ")"
    known = np.flatnonzero(clock)
    told = ", ".join(f"{timeline.processes[p]}: {clock[p]}" for p in known[:SHOWN].tolist())
    rest = len(known) - SHOWN
    if rest > 0:
        return trn("{clock} and {count:,} other", "{clock} and {count:,} others", rest, clock=told)
    return told if len(known) else tr("of no event")


def process_words(process: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    k = timeline.count(frame.t)
    code = int(timeline.states_at(k)[process])
    state = frame.scene.animation.word(timeline.states[code]) if code < len(timeline.states) else tr("no state")
    if frame.crashed[process]:
        state = tr("crashed (was {state})", state=state)
    lies = liars_at(timeline, k).get(process)
    state = f"{state}, {way_word(lies)}" if lies else state
    events = timeline.events_of(process)
    past, name = int(np.searchsorted(events, k)), escape(timeline.processes[process])
    so_far = trn("{past} of {count:,} event so far", "{past} of {count:,} events so far", len(events), past=past)
    return f"<b>{tr('Process {process}', process=name)}</b>, {escape(state)}<br>{so_far}"


def message_words(message: int, frame: CausalityFrame) -> str:
    timeline = frame.timeline
    code = int(timeline.message_label[message])
    label = word_of(timeline, message, frame.scene.animation)
    label = label or (frame.scene.animation.label(timeline.labels[code]) if code >= 0 else tr("message"))
    sent_at, ended = int(timeline.sends[message]), int(timeline.receives[message])
    label = with_contents(label, contents(timeline, sent_at if ended < 0 else ended))
    false = falsehood(timeline, sent_at if ended < 0 else ended)
    source, target = (
        timeline.processes[code] if code >= 0 else "?"
        for code in (timeline.message_source[message], timeline.message_target[message])
    )
    sent, arrived = float(timeline.message_sent[message]), float(timeline.message_arrived[message])
    share = ""
    if sent <= frame.t < arrived < math.inf and arrived > sent:
        share = f", {100 * (frame.t - sent) / (arrived - sent):.0f} %"
    if arrived == math.inf and timeline.trace.summary.get("asked"):
        ending = tr("in transit")
    elif arrived == math.inf:
        ending = tr("not delivered before the recording ends")
    elif timeline.lost[message]:
        ending = tr("lost {time:.2f}", time=arrived)
    elif arrived > frame.t:
        ending = tr("arrives {time:.2f}", time=arrived)
    else:
        ending = tr("arrived {time:.2f}", time=arrived)
    head = f"<b>{escape(label)}</b> {escape(source)} → {escape(target)}{share}"
    lines = [head, tr("sent {time:.2f}", time=sent), ending, *([escape(false)] if false else [])]
    return "<br>".join(lines)


_REACH_EVENT, _REACH_ARROW = 9.0, 5.0


def thing_at(g: Geometry, frame: CausalityFrame, x: float, y: float) -> Hit | None:
    """Return the event or the message at a point, if one is near enough."""
    scene = frame.scene
    events = np.ones(len(scene.event), bool) if frame.future else scene.event < frame.happened
    arrows = np.isfinite(scene.arrived) | (scene.sent <= frame.t)
    if not frame.future:
        arrows &= scene.sent <= frame.t
    gap = np.hypot(g.at(scene.place) - x, g.y(scene.row) - y)
    gap[~events] = np.inf
    near = int(np.argmin(gap)) if len(gap) else -1
    if near >= 0 and gap[near] <= min(_REACH_EVENT, max(4.0, g.pitch * 0.6)):
        # Events of one moment overlap, and the last of them is on top.
        return Hit("event", int(scene.event[len(gap) - 1 - int(np.argmin(gap[::-1]))]))
    distance = _distances(g, frame, x, y)
    distance[~arrows] = np.inf
    near = int(np.argmin(distance)) if len(distance) else -1
    return Hit("message", int(scene.message[near])) if near >= 0 and distance[near] <= _REACH_ARROW else None


def arrow_end(g: Geometry, frame: CausalityFrame, place: int) -> QPointF:
    """Return the end of an arrow: at its arrival, or at the current position of a message without one."""
    scene = frame.scene
    finish = float(scene.finish[place])
    if math.isfinite(finish):
        return QPointF(g.at(finish), g.y(scene.end_row[place]))
    part = frame.fraction[frame.flying == place]
    y0, y1 = g.y(scene.source_row[place]), g.y(scene.end_row[place])
    return QPointF(g.x(frame.t), y0 + (y1 - y0) * (float(part[0]) if len(part) else 0.0))


def _distances(g: Geometry, frame: CausalityFrame, x: float, y: float) -> NDArray[np.float64]:
    """Return the distances of a point from the arrows, in pixels."""
    scene = frame.scene
    x0, y0 = g.at(scene.begin), g.y(scene.source_row)
    known = np.isfinite(scene.finish)
    x1 = np.where(known, g.at(np.where(known, scene.finish, 0.0)), x0)
    y1 = np.where(known, g.y(scene.end_row), y0)
    for place in np.flatnonzero(~known & (scene.sent <= frame.t)).tolist():
        end = arrow_end(g, frame, place)
        x1[place], y1[place] = end.x(), end.y()
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    along = np.divide((x - x0) * dx + (y - y0) * dy, length, out=np.zeros_like(length), where=length > 0)
    along = np.clip(along, 0.0, 1.0)
    return np.hypot(x0 + along * dx - x, y0 + along * dy - y)


#: The opacity of marked things in the future.
_MARKED = 0.5
#: The number of messages in transit above which they have no heads.
_HEADS = 2000


class CausalityPainter(TimePainter):
    """The painter of :class:`~lydian.views.time.causality.CausalityFrame`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._still = StillPainter(theme)

    # -- painting ----------------------------------------------------------------------------------------------

    def key(self, frame: CausalityFrame, g: Geometry | None = None) -> Key | None:
        scene = frame.scene
        if scene.density is not None:
            return shade_key(self.theme, 999_999 if g is None else darkest(g, scene))
        if scene.color == "depth":
            return depth_key(self._still.hues(scene), scene.deepest)
        return chain_key(self._still.hues(scene)) if scene.color == "chain" else None

    def row_lines(self, frame: CausalityFrame) -> bool:
        return frame.scene.density is None

    def badges(self, frame: CausalityFrame) -> list[QColor] | None:
        return self._still.hues(frame.scene) if frame.scene.color == "sender" else None

    def content(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        if frame.front is None:
            self._by_time(p, g, frame)
        else:
            self._by_rows(p, g, frame, frame.front)
        p.save()
        p.setClipRect(g.body, Qt.ClipOperation.IntersectClip)
        still = self._still
        texts = still.labels.boxes(g, frame.scene, still.radius(g)) if frame.scene.numbered else []
        still.values.paint(p, g, frame, still.strong(frame.scene), texts)
        self._flying(p, g, frame)
        self._rings(p, g, frame)
        self._still.length(p, g, frame.scene, frame.longest)
        if frame.cut is not None:
            self._cut(p, g, frame.cut)
        p.restore()

    def _by_time(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """Draw the past in full and the future pale."""
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
        # Dots, heads and labels extend to the left of their time, so the kept picture ends a little before the play
        # head, and the past from there on is redrawn.
        near = still.reach(scene)
        edge = max(whole.left(), now - near)
        layer("dots", QRectF(whole.left(), whole.top(), edge - whole.left(), whole.height()), still.dots)
        p.save()
        p.setClipRect(QRectF(edge, whole.top(), whole.right() - edge, whole.height()), Qt.ClipOperation.IntersectClip)
        still.dots(
            p, g, scene, (edge - near, now + near), arrows=scene.arrived <= frame.t, events=scene.event < frame.happened
        )
        p.restore()

    def _by_rows(self, p: QPainter, g: Geometry, frame: CausalityFrame, front: NDArray[np.float64]) -> None:
        """Draw past and future where each row has reached a place of its own, deciding for each arrow."""
        scene, still = frame.scene, self._still
        whole = g.body
        ghost = still.number("chain.ghostOpacity")
        theme = self.theme
        view = (
            *scene.look, scene.window, theme.name, theme.projector, g.left, g.right, g.top, g.bottom, g.first, g.seen,
        )  # fmt: skip
        arrived, past = scene.arrived <= frame.t, scene.event < frame.happened

        def layer(name: str, key: tuple[Any, ...], clip: QRectF | QRegion, paint: Any, opacity: float = 1.0) -> None:
            self.layers.draw(p, name, key, whole, clip, paint, opacity)

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
        scene: ArrowScene,
        name: str,
        clip: QRectF | QRegion,
        paint: Any,
        opacity: float = 1.0,
    ) -> None:
        """Draw a layer that is shifted with the window."""
        theme = self.theme
        key = (
            *scene.look, theme.name, theme.projector, g.left, g.right, g.top, g.bottom, g.unit, g.first, g.seen,
        )  # fmt: skip
        near = self._still.reach(scene)
        reach = (near + 4, g.body.right() - g.right + near)
        self.layers.draw(p, name, key, g.body, clip, paint, opacity, origin=g.offset, reach=reach)

    def _shades(
        self, p: QPainter, g: Geometry, scene: ArrowScene, clip: QRectF | QRegion, opacity: float = 1.0
    ) -> None:
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
        """Draw the arrows of messages without an arrival up to their present positions."""
        scene = frame.scene
        never = ~np.isfinite(scene.arrived[frame.flying])
        if not never.any():
            return
        x, y, _ = self._positions(g, frame)
        arrows = frame.flying[never]
        start = np.stack((g.at(scene.begin[arrows]), g.y(scene.source_row[arrows])), axis=1)
        now = np.stack((x[never], y[never]), axis=1)
        kinds, hues, strong = scene.kind[arrows], scene.hue[arrows], self._still.strong(scene)[arrows]
        looks = (kinds.astype(np.int64) * 64 + hues + 1) * 2 + strong
        detailed = len(scene.message) <= DETAILED
        p.setRenderHint(QPainter.RenderHint.Antialiasing, detailed)
        for look in np.unique(looks).tolist():
            some = np.flatnonzero(looks == look)
            kind, full = int(kinds[some[0]]), bool(strong[some[0]])
            color = self._still.color(scene, kind, int(hues[some[0]]))
            opacity = 1.0 if full else self._still.number("chain.dimOpacity")
            pen = QPen(alpha(color, opacity), self._still.width(g.pitch) if detailed else 1.0)
            if detailed and self.theme.message(kind).dash:
                pen.setDashPattern([part / pen.widthF() for part in self.theme.message(kind).dash])
            p.setPen(pen)
            draw_lines(p, start[some], now[some])
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _positions(
        self, g: Geometry, frame: CausalityFrame
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the positions of the messages in transit, and their directions."""
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
        """Draw the heads of the messages in transit at their exact positions."""
        if not g.window[0] <= frame.t <= g.window[1] or len(frame.flying) > _HEADS:
            return
        x, y, angle = self._positions(g, frame)
        opacity = np.ones(len(x))
        self._still.heads(p, g, frame.scene, frame.flying, x, y, angle, opacity, 1.15)

    def _cut(self, p: QPainter, g: Geometry, cut: NDArray[np.float64]) -> None:
        """Draw a cut as a line from the top to the bottom, across each row where it passes."""
        path, half = QPainterPath(), 0.3 * g.pitch
        for row, x in enumerate(np.clip(g.at(cut), -1e6, 1e6).tolist()):
            y = float(g.y(row))
            (path.lineTo if row else path.moveTo)(x, y - half)
            path.lineTo(x, y + half)
        p.setBrush(Qt.BrushStyle.NoBrush)
        width = self.theme.line("selectionRing")
        for color, wide in (("surface.canvas", width + 3.0), ("accent.base", width)):
            pen = QPen(self.theme.color(color), wide)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            p.setPen(pen)
            p.drawPath(path)

    def _rings(self, p: QPainter, g: Geometry, frame: CausalityFrame) -> None:
        """Draw rings around the selected and the hovered events."""
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
            at = self._event_at(g, frame, seq)
            if at is not None:
                p.setPen(QPen(color, width))
                size *= 1 + (g.factor - 1) * 0.6
                p.drawEllipse(at, size, size)
        if message is not None:
            for arrow in np.flatnonzero(scene.message == message).tolist():
                self._hovered(p, g, frame, arrow)

    def _event_at(self, g: Geometry, frame: CausalityFrame, seq: int) -> QPointF | None:
        """Return the position of an event, drawn or not, or ``None`` if its process has no row."""
        scene = frame.scene
        place = int(np.searchsorted(scene.event, seq))
        if place < len(scene.event) and scene.event[place] == seq:
            return QPointF(g.at(scene.place[place]), g.y(scene.row[place]))
        process = int(frame.timeline.process[seq])
        row = int(scene.rows.row[process]) if process >= 0 else -1
        return QPointF(g.at(float(scene.scale.events(np.array([seq]))[0])), g.y(row)) if row >= 0 else None

    def _hovered(self, p: QPainter, g: Geometry, frame: CausalityFrame, place: int) -> None:
        end = arrow_end(g, frame, place)
        scene = frame.scene
        start = QPointF(g.at(scene.begin[place]), g.y(scene.source_row[place]))
        color = self._still.color(scene, int(scene.kind[place]), int(scene.hue[place]))
        p.setPen(QPen(color, self.theme.line("linkHover")))
        p.drawLine(start, end)

    # -- pointing ----------------------------------------------------------------------------------------------

    def hit(self, pos: QPointF, rect: QRectF, frame: CausalityFrame, camera: Any = None) -> Hit | None:
        """Return the event, message or process at a point: dots before lines before rows."""
        g = self.geometry(rect, frame, camera)
        if self.fold(g, frame).contains(pos):
            return None
        found = thing_at(g, frame, pos.x(), pos.y()) if pos.x() >= g.plot.left() else None
        row = g.row(pos.y())
        return found or (None if row < 0 else Hit("process", int(frame.scene.rows.processes[row])))

    def tooltip(self, hit: Hit, frame: CausalityFrame) -> str:
        """Describe what is under the pointer, as rich text."""
        if not isinstance(hit.id, int):
            return ""
        words = {"event": event_words, "message": message_words, "process": process_words}.get(hit.kind)
        return "" if words is None else words(hit.id, frame)
