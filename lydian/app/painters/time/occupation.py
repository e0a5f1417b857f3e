"""The painter of the bars of Occupation: the past in full, the rest pale, both from cached pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QRegion

from lydian.app.look.shapes import process_path
from lydian.app.look.theme import Theme
from lydian.app.painters.hatches import draw_rects, hatch
from lydian.app.painters.time.axis import COLUMN, Geometry, alpha, front_region, number_of
from lydian.app.painters.time.timeview import TimePainter
from lydian.language import tr, trc
from lydian.views.selection import Hit
from lydian.views.time.occupation import CRASHED, EMPTY, BarScene, OccupationFrame, parts
from lydian.views.time.parts import part_at
from lydian.views.words.words import brief

__all__ = ["BarHit", "OccupationPainter"]

#: The maximum number of parts described one by one.
_TOLD = 6


@dataclass(frozen=True)
class BarHit(Hit):
    """A process and the part of its bar that was hit: its number among :func:`parts`, or -1 for none."""

    part: int = -1


def bar_words(hit: Hit, frame: OccupationFrame) -> str:
    """Describe the activities of a process over time, as rich text."""
    process = number_of(hit, "process")
    if process is None:
        return ""
    timeline, table = frame.timeline, parts(frame.timeline)
    if isinstance(hit, BarHit) and (frame.future or table.start[hit.part] <= frame.t):
        return _one(frame, hit.part)
    place = slice(int(table.first[process]), int(table.first[process + 1]))
    start, stop, state = table.start[place], table.stop[place], table.state[place]
    head = f"<b>{tr('Process {process}', process=escape(timeline.processes[process]))}</b>"
    if not len(start) or (start[0] > frame.t and not frame.future):
        return f"{head}<br>{tr('no event so far')}"
    last = len(start) if frame.future else int(np.searchsorted(start, frame.t, side="right"))
    current = int(np.searchsorted(start, frame.t, side="right")) - 1
    first = max(0, min(current - _TOLD // 2, last - _TOLD))
    told = [
        _told(frame, float(start[i]), float(stop[i]), int(state[i]), i == current)
        for i in range(first, min(last, first + _TOLD))
    ]
    if first:
        told.insert(0, tr("… {count} before", count=first))
    if last > first + _TOLD:
        told.append(tr("… {count} more", count=last - first - _TOLD))
    return "<br>".join([head, *told, *_totals(frame, process)])


def _one(frame: OccupationFrame, part: int) -> str:
    """Describe one part of a bar: state, start, end, length, its first event, and the totals if they are shown."""
    timeline, table = frame.timeline, parts(frame.timeline)
    process, event = int(table.process[part]), int(table.event[part])
    state = int(table.state[part])
    kind = tr("waits for others") if state != CRASHED and frame.scene.blocked[state] else ""
    kind = trc("a process", "crashed") if state == CRASHED else kind
    name = tr("Process {process}", process=escape(timeline.processes[process]))
    lines = [
        f"<b>{name}</b>" + (f", {kind}" if kind else ""),
        _told(frame, float(table.start[part]), float(table.stop[part]), state, True),
        tr("since it {does}", does=escape(brief(timeline, event, frame.scene.animation))),
    ]
    return "<br>".join([*lines, *_totals(frame, process)])


def _totals(frame: OccupationFrame, process: int) -> list[str]:
    """Describe the time and share of each state so far, and of work, if the column is shown."""
    if not frame.column or frame.totals is None:
        return []
    spent = frame.totals[process]
    whole = float(spent.sum())
    if whole <= 0:
        return []
    told = [
        tr(
            "{state} {time:.2f} in all, {share:.0f} %",
            state=escape(frame.words[state]),
            time=spent[state],
            share=100 * spent[state] / whole,
        )
        for state in np.argsort(-spent).tolist()
        if spent[state] > 0
    ]
    if frame.busy is not None:
        told.append(
            tr(
                "at work {time:.2f} in all, {share:.0f} %",
                time=frame.busy[process],
                share=100 * min(1.0, frame.busy[process] / whole),
            )
        )
    return told


def _told(frame: OccupationFrame, start: float, stop: float, state: int, now: bool) -> str:
    word = escape(trc("a process", "crashed") if state == CRASHED else frame.words[state])
    text = (
        tr("{state} {start:.2f} to {end:.2f} ({length:.2f})", state=word, start=start, end=stop, length=stop - start)
        if stop > start
        else tr("{state} at {time:.2f}", state=word, time=start)
    )
    return f"<b>{text}</b>" if now else text


def activity(theme: Theme, blocked: bool) -> QColor:
    """Return the colour of a process that waits for others, or of one that is idle."""
    return alpha(theme.color("chain.waiting"), 0.55) if blocked else theme.color("border.subtle")


def draw_image(p: QPainter, theme: Theme, g: Geometry, scene: BarScene, strip: tuple[float, float] | None) -> None:
    """Draw many rows as an image with one colour for each state."""
    codes = scene.image
    if codes is None or not codes.size or not len(g.visible):
        return
    width, first = scene.image_width, round(scene.image_start / scene.image_width)
    low, high = strip or (g.left, g.right)
    a = max(math.floor(g.place(low) / width) - 1 - first, 0)
    b = min(math.ceil(g.place(high) / width) + 1 - first, codes.shape[1])
    a += (first + a) % 2 if a else 0
    if b <= a:
        return
    codes = codes[g.visible.start : g.visible.stop, a:b]
    left = scene.image_start + a * width
    if width * g.unit < 1 and codes.shape[1] > 1:  # of two pieces on a pixel, the later non-empty one is shown
        start = (first + a) % 2
        left -= start * width
        later = codes[:, 1 - start :: 2]
        early = codes[:, start::2] if not start else np.insert(codes[:, 1::2], 0, EMPTY, axis=1)
        wide = min(later.shape[1], early.shape[1])
        codes, width = later[:, :wide].copy(), 2 * width
        np.copyto(codes, early[:, :wide], where=codes == EMPTY)
    image = _image(codes, _colors(theme, scene), max(1, math.ceil(len(codes) * min(g.pitch, 1.0))))
    top = g.top + (g.visible.start - g.first) * g.pitch
    p.save()
    p.setClipRect(QRectF(g.left, g.top, g.right - g.left, g.bottom - g.top), Qt.ClipOperation.IntersectClip)
    p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    p.drawImage(QRectF(g.at(left), top, codes.shape[1] * width * g.unit, len(g.visible) * g.pitch), image)
    p.restore()


def _colors(theme: Theme, scene: BarScene) -> list[int]:
    """Return the colour of each code of a state, (256,)."""
    table = [0] * 256
    for code, slot in enumerate(scene.state_slots.tolist()):
        color = theme.state(slot).fill
        if scene.show == "activity":
            color = activity(theme, bool(scene.blocked[code]))
        table[code] = color.rgba()
    table[CRASHED] = theme.color("fault.base").rgba()
    return table


def _image(codes: NDArray[np.uint8], table: list[int], tall: int) -> QImage:
    """Return an image of codes with at most ``tall`` rows; they are averaged if they are more, so that none is left
    out.

    A column that is like the one before is not coloured anew: most are, if few things happen in the window.
    """
    fresh = np.ones(codes.shape[1], dtype=bool)
    fresh[1:] = (codes[:, 1:] != codes[:, :-1]).any(axis=0)
    some = np.ascontiguousarray(codes if fresh.all() else codes[:, fresh])
    image = QImage(some.data, some.shape[1], some.shape[0], some.strides[0], QImage.Format.Format_Indexed8)
    image.setColorTable(table)
    image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)  # faster than numpy finds the colours
    if tall < image.height():
        smooth = Qt.TransformationMode.SmoothTransformation
        image = image.scaled(image.width(), tall, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    if fresh.all():
        return image
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), -1)
    pixels = np.ascontiguousarray(pixels[:, np.cumsum(fresh) - 1])
    high, wide = pixels.shape
    return QImage(pixels.view(np.uint8).data, wide, high, 4 * wide, image.format()).copy()


#: The minimum width of a bar that contains the name of its state.
_NAMED = 74.0


def _inset(g: Geometry) -> float:
    """Return the margin above and below a bar; larger text reduces it, so that the words in the bars can grow, too."""
    return min(3.5, g.pitch * 0.15) / (1 + max(0.0, g.factor - 1) * 1.5)


class OccupationPainter(TimePainter):
    """The painter of :class:`~lydian.views.time.occupation.OccupationFrame`."""

    # -- painting ----------------------------------------------------------------------------------------------

    def margin(self, frame: OccupationFrame) -> float:
        return COLUMN if frame.column else 0.0

    def content(self, p: QPainter, g: Geometry, frame: OccupationFrame) -> None:
        scene, theme = frame.scene, self.theme
        body = g.body
        whole = QRectF(g.left, body.top(), g.right - g.left, body.height())
        done, coming = self._times(g, frame, whole)
        key = (*scene.look, theme.name, theme.projector, g.left, g.right, g.top, g.bottom, g.unit, g.first, g.seen)
        ghost = theme.number("chain.ghostOpacity")

        def layer(name: str, clip: QRectF | QRegion, draw: Any, opacity: float = 1.0) -> None:
            self.layers.draw(p, name, key, whole, clip, draw, opacity, origin=g.offset, reach=(8.0, 16.0))

        if scene.image is not None:
            layer("image", done, lambda q, s: draw_image(q, theme, g, scene, s))
            if frame.future:
                layer("image", coming, lambda q, s: draw_image(q, theme, g, scene, s), ghost)
            return
        if frame.future:
            layer("ghost", coming, lambda q, s: self._bars(q, g, scene, ghost, s))
        layer("bars", done, lambda q, s: self._bars(q, g, scene, 1.0, s))
        p.save()
        p.setClipRect(QRectF(body.left(), body.top(), g.rect.width(), body.height()), Qt.ClipOperation.IntersectClip)
        if scene.show == "states":
            self._names(p, g, frame)
        self._done(p, g, frame, ghost)
        p.restore()

    def beside(self, p: QPainter, g: Geometry, frame: OccupationFrame) -> None:
        if frame.column:
            self._column(p, g, frame)

    def _times(self, g: Geometry, frame: OccupationFrame, whole: QRectF) -> tuple[QRectF | QRegion, QRectF | QRegion]:
        """Return the past and the future as parts of the plot."""
        if frame.front is None:
            now = min(max(float(g.x(frame.t)), g.left), g.right)
            done = QRectF(g.left, whole.top(), now - g.left, whole.height())
            return done, QRectF(now, whole.top(), g.right - now, whole.height())
        past = front_region(g, frame.front)
        return past, QRegion(whole.toAlignedRect()) - past

    def _bars(
        self, p: QPainter, g: Geometry, scene: BarScene, opacity: float, strip: tuple[float, float] | None = None
    ) -> None:
        """Draw bars with their steps, plain and pale for the future."""
        inset = _inset(g)
        tall = g.pitch - 2 * inset
        low, high = strip or (g.left, g.right)
        near = (scene.begin <= g.place(high + 8)) & (scene.end >= g.place(low - 8))
        x0 = np.maximum(g.at(scene.begin), g.left - 8)
        x1 = np.minimum(g.at(scene.end), g.right + 8)
        top = g.y(scene.row) - g.pitch / 2 + inset
        wide = np.maximum(x1 - x0, 0.0)
        alive = near & (scene.state != CRASHED)
        looks = scene.slot if scene.show == "states" else np.where(scene.blocked[scene.state], 1, 0)
        for look in np.unique(looks[alive]).tolist():
            some = np.flatnonzero((looks == look) & alive & (x1 - x0 > 0.5))
            if scene.show == "activity":
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(alpha(activity(self.theme, bool(look)), opacity))
            elif opacity < 1:
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(alpha(self.theme.state(look).fill, opacity))
            else:
                style = self.theme.state(look)
                p.setPen(QPen(style.outline, 1) if g.pitch >= 6 else Qt.PenStyle.NoPen)
                p.setBrush(hatch(self.theme, look) if tall >= 7 else style.fill)
                p.setBrushOrigin(QPointF(g.left - g.offset % 8, 0))
            draw_rects(p, x0[some], top[some], wide[some], tall)
        fault = self.theme.color("fault.base")
        for index in np.flatnonzero(near & (scene.state == CRASHED)).tolist():
            pen = QPen(alpha(fault, opacity), 1.4)
            pen.setDashPattern([5.0, 3.4])
            p.setPen(pen)
            p.setBrush(alpha(self.theme.color("fault.soft"), opacity))
            p.drawRect(QRectF(x0[index], top[index], wide[index], tall))
            if opacity == 1.0 and g.pitch >= 6:
                half, middle = min(4.5, tall * 0.35), QPointF(g.at(scene.begin[index]), g.y(scene.row[index]))
                p.setPen(QPen(fault, 2.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                for sign in (-1, 1):
                    p.drawLine(middle + QPointF(-half, -half * sign), middle + QPointF(half, half * sign))
        if (opacity == 1.0 and g.pitch >= 5) or scene.show == "activity":
            self._steps(p, g, scene, inset, opacity, strip)

    def _steps(
        self, p: QPainter, g: Geometry, scene: BarScene, inset: float, opacity: float, strip: tuple[float, float] | None
    ) -> None:
        """Draw steps of processes as ticks along the lower edge of the bars, or as whole bars if activity is shown."""
        high = min(2.6, max(1.0, g.pitch * 0.12)) * (1 + (g.factor - 1) * 0.6)
        color = alpha(self.theme.color("text.primary"), 0.88)
        if scene.show == "activity":
            high = g.pitch - 2 * inset
            color = alpha(self.theme.color("accent.base"), opacity)
        low, far = strip or (g.left, g.right)
        near = (scene.step_begin <= g.place(far + 8)) & (scene.step_end >= g.place(low - 8))
        x0, x1 = g.at(scene.step_begin[near]), g.at(scene.step_end[near])
        x0 = np.maximum(x0, g.left - 8)
        y = g.y(scene.step_row[near]) + g.pitch / 2 - inset - high + (0.6 if scene.show == "states" else 0.0)
        width = np.maximum(x1 - x0, 1.0)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(color)
        draw_rects(p, x0, y, width, high)

    def _names(self, p: QPainter, g: Geometry, frame: OccupationFrame) -> None:
        """Draw the state's name in each bar whose past is wide enough."""
        scene, theme = frame.scene, self.theme
        size = min(theme.px("caption"), int((g.pitch - 2 * _inset(g)) * 0.87))  # including what extends below the line
        if size < 8:
            return
        font = theme.font("caption", semibold=True)
        font.setPixelSize(size)
        metrics = QFontMetricsF(font)
        x0 = np.maximum(g.at(scene.begin), g.left)
        now = np.asarray(g.x(frame.t)) if frame.front is None else g.at(frame.front[scene.row] + 0.5)
        x1 = np.minimum(np.minimum(g.at(scene.end), now), g.right)
        wide = np.flatnonzero((x1 - x0 > _NAMED * (1 + (g.factor - 1) * 0.5)) & (scene.state != CRASHED))
        p.setFont(font)
        for index in wide.tolist():
            style = theme.state(int(scene.slot[index]))
            text = frame.words[scene.state[index]]
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, float(x1[index] - x0[index]) - 14)
            at = QPointF(x0[index] + 7, g.y(scene.row[index]) + metrics.capHeight() / 2)
            if style.hatch != "none":
                halo = QPainterPath()
                halo.addText(at, font, text)
                pen = QPen(style.fill, 3.0)
                pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
                p.strokePath(halo, pen)
            p.setPen(style.label)
            p.drawText(at, text)

    def _done(self, p: QPainter, g: Geometry, frame: OccupationFrame, ghost: float) -> None:
        """Draw the last state of a process, at the time when it is reached, in the state's own shape."""
        scene = frame.scene
        if g.pitch < 5:
            return
        size = min(11.0 * (1 + (g.factor - 1) * 0.8), g.pitch * 0.72)
        paper = self.theme.color("surface.panel")
        marks = zip(
            scene.done_row.tolist(), scene.done_time.tolist(), scene.done_place.tolist(), scene.done_slot.tolist(),
            strict=True,
        )  # fmt: skip
        for row, time, place, slot in marks:
            if time > frame.t and not frame.future:
                continue
            p.save()
            p.translate(g.at(place), g.y(row))
            if time > frame.t:
                p.setOpacity(1.6 * ghost)
            p.setPen(QPen(paper, 1.2))
            p.setBrush(self.theme.state(slot).fill)
            p.drawPath(process_path(slot, size))
            p.restore()

    def _column(self, p: QPainter, g: Geometry, frame: OccupationFrame) -> None:
        """Draw the shares of the states and of work beside the bars."""
        theme, totals = self.theme, frame.totals
        if totals is None:
            return
        left, width = g.right + 10, COLUMN - 46
        font = theme.font("caption")
        metrics = QFontMetricsF(font)
        p.setFont(font)
        p.setPen(theme.color("text.hint"))
        p.drawText(QPointF(left, g.top - 7), "shares")
        p.drawText(QPointF(g.rect.right() - 6 - metrics.horizontalAdvance("busy"), g.top - 7), "busy")
        if g.pitch < 4:
            return
        high = min(8.0, g.pitch * 0.5)
        for row in g.visible:
            process = int(frame.scene.rows.processes[row])
            spent = totals[process]
            whole = float(spent.sum())
            if whole <= 0:
                continue
            x, y = left, g.y(row)
            for state in np.flatnonzero(spent).tolist():
                part = float(spent[state]) / whole * width
                p.fillRect(QRectF(x, y - high / 2, part, high), theme.state(int(frame.scene.state_slots[state])).fill)
                x += part
            if frame.busy is not None and g.pitch >= 9:
                text = f"{100 * min(1.0, frame.busy[process] / whole):.0f} %"
                p.setPen(theme.color("text.secondary"))
                x = g.rect.right() - 6 - metrics.horizontalAdvance(text)
                p.drawText(QPointF(x, y + metrics.capHeight() / 2), text)

    # -- pointing ----------------------------------------------------------------------------------------------

    def hit(self, pos: QPointF, rect: QRectF, frame: OccupationFrame, camera: Any = None) -> Hit | None:
        """Return the process whose row is at a point, and the part of its bar there."""
        g = self.geometry(rect, frame, camera)
        row = -1 if self.fold(g, frame).contains(pos) else g.row(pos.y())
        if row < 0:
            return None
        process = int(frame.scene.rows.processes[row])
        part = part_at(frame.timeline, frame.scene.scale, process, g.place(pos.x())) if pos.x() >= g.left else -1
        return Hit("process", process) if part < 0 else BarHit("process", process, part)

    def tooltip(self, hit: Hit, frame: OccupationFrame) -> str:
        """Describe the activities of a process over time, as rich text."""
        return bar_words(hit, frame)
