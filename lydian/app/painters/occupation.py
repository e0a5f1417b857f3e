"""Paints the bars of Occupation: what has happened in full, the rest pale, both from kept pictures."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from lydian.app.painters.axis import (
    COLUMN,
    Geometry,
    Layers,
    alpha,
    draw_ground,
    draw_gutter,
    draw_playhead,
    geometry,
    hatch,
    number_of,
)
from lydian.app.shapes import process_path
from lydian.app.theme import Theme
from lydian.views.frame import Hit
from lydian.views.occupation import CRASHED, OccupationFrame, Scene, parts

__all__ = ["OccupationPainter"]

#: A state is named in its bar from this width on.
_NAMED = 74.0
#: Parts told one by one in a tooltip.
_TOLD = 6


class OccupationPainter:
    """Paints :class:`~lydian.views.occupation.OccupationFrame` on anything Qt can paint on."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._layers = Layers()

    # -- painting ----------------------------------------------------------------------------------------------

    def geometry(self, rect: QRectF, frame: OccupationFrame, camera: Any = None) -> Geometry:
        """Where times and rows lie in ``rect``."""
        margin = float(getattr(camera, "margin", 0.0) or 0.0)
        if frame.column:
            margin = max(margin, COLUMN)
        scene = frame.scene
        return geometry(self.theme, rect, scene.window, len(scene.rows), frame.timeline.processes, margin)

    def paint(self, p: QPainter, rect: QRectF, frame: OccupationFrame, camera: Any = None) -> None:
        """Paint the frame into ``rect``, its ground included."""
        g = self.geometry(rect, frame, camera)
        scene, theme = frame.scene, self.theme
        p.save()
        p.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.fillRect(rect, theme.color("surface.panel"))
        tinted = [int(scene.rows.row[q]) for q in frame.selected if scene.rows.row[q] >= 0]
        draw_ground(p, theme, g, tinted, row_lines=False)
        whole = QRectF(g.left, rect.top(), g.right - g.left, rect.height())
        now = min(max(g.x(frame.t), g.left), g.right)
        done = QRectF(g.left, rect.top(), now - g.left, rect.height())
        coming = QRectF(now, rect.top(), g.right - now, rect.height())
        key = (theme.name, theme.projector, g.left, g.right, g.top, g.bottom)
        ghost = theme.number("chain.ghostOpacity")
        if scene.image is not None:
            self._layers.draw(p, "image", key, scene, whole, done, lambda q: self._image(q, g, scene))
            if frame.future:
                self._layers.draw(p, "image", key, scene, whole, coming, lambda q: self._image(q, g, scene), ghost)
        else:
            if frame.future:
                self._layers.draw(p, "ghost", key, scene, whole, coming, lambda q: self._bars(q, g, scene, ghost))
            self._layers.draw(p, "bars", key, scene, whole, done, lambda q: self._bars(q, g, scene, 1.0))
            self._names(p, g, frame)
            self._done(p, g, frame, ghost)
        hover = number_of(frame.hover, "process")
        names, rows = frame.timeline.processes, scene.rows.processes
        draw_gutter(p, theme, g, rows, names, frame.slots, frame.crashed, frame.selected, hover)
        if frame.column:
            self._column(p, g, frame)
        draw_playhead(p, theme, g, frame.t)
        p.restore()

    def _bars(self, p: QPainter, g: Geometry, scene: Scene, opacity: float) -> None:
        """Bars with their steps; plain and pale if they are still to come."""
        inset = min(3.5, g.pitch * 0.15)
        tall = g.pitch - 2 * inset
        x0 = np.maximum(g.x(scene.start), g.left - 4)
        x1 = np.minimum(g.x(scene.stop), g.right + 4)
        top = g.y(scene.row) - g.pitch / 2 + inset
        wide = np.maximum(x1 - x0, 0.0)
        rects = [QRectF(a, b, c, tall) for a, b, c in zip(x0.tolist(), top.tolist(), wide.tolist(), strict=True)]
        for slot in np.unique(scene.slot[scene.state != CRASHED]).tolist():
            style = self.theme.state(slot)
            some = np.flatnonzero((scene.slot == slot) & (scene.state != CRASHED) & (x1 - x0 > 0.5))
            group = [rects[i] for i in some.tolist()]
            if opacity < 1:
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(alpha(style.fill, opacity))
            else:
                p.setPen(QPen(style.outline, 1) if g.pitch >= 6 else Qt.PenStyle.NoPen)
                p.setBrush(hatch(self.theme, slot) if tall >= 7 else style.fill)
            p.drawRects(group)
        fault = self.theme.color("fault.base")
        for index in np.flatnonzero(scene.state == CRASHED).tolist():
            pen = QPen(alpha(fault, opacity), 1.4)
            pen.setDashPattern([5.0, 3.4])
            p.setPen(pen)
            p.setBrush(alpha(self.theme.color("fault.soft"), opacity))
            p.drawRect(rects[index])
            if opacity == 1.0 and g.pitch >= 6:
                half, middle = min(4.5, tall * 0.35), QPointF(g.x(scene.start[index]), g.y(scene.row[index]))
                p.setPen(QPen(fault, 2.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                for sign in (-1, 1):
                    p.drawLine(middle + QPointF(-half, -half * sign), middle + QPointF(half, half * sign))
        if opacity == 1.0 and g.pitch >= 5:
            self._steps(p, g, scene, inset)

    def _steps(self, p: QPainter, g: Geometry, scene: Scene, inset: float) -> None:
        """Ticks along the lower edge of the bars: the process works on a step."""
        high = min(2.6, max(1.0, g.pitch * 0.12)) * (1 + (g.factor - 1) * 0.6)
        x0, x1 = g.x(scene.step_from), g.x(scene.step_to)
        y = g.y(scene.step_row) + g.pitch / 2 - inset - high + 0.6
        width = np.maximum(x1 - x0, 1.0)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(alpha(self.theme.color("text.primary"), 0.88))
        p.drawRects([QRectF(a, b, c, high) for a, b, c in zip(x0.tolist(), y.tolist(), width.tolist(), strict=True)])

    def _names(self, p: QPainter, g: Geometry, frame: OccupationFrame) -> None:
        """The state's name in each bar that is wide enough so far."""
        scene, theme = frame.scene, self.theme
        size = min(theme.px("caption"), int(g.pitch - 2 * min(3.5, g.pitch * 0.15)) - 2)
        if size < 8:
            return
        font = theme.font("caption", semibold=True)
        font.setPixelSize(size)
        metrics = QFontMetricsF(font)
        x0 = np.maximum(g.x(scene.start), g.left)
        x1 = g.x(np.minimum(np.minimum(scene.stop, frame.t), g.window[1]))
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
        """The last state of a process, where it is reached, in the state's own shape."""
        scene = frame.scene
        if g.pitch < 5:
            return
        size = min(11.0 * (1 + (g.factor - 1) * 0.8), g.pitch * 0.72)
        paper = self.theme.color("surface.panel")
        marks = zip(scene.done_row.tolist(), scene.done_time.tolist(), scene.done_slot.tolist(), strict=True)
        for row, time, slot in marks:
            if time > frame.t and not frame.future:
                continue
            p.save()
            p.translate(g.x(time), g.y(row))
            if time > frame.t:
                p.setOpacity(1.6 * ghost)
            p.setPen(QPen(paper, 1.2))
            p.setBrush(self.theme.state(slot).fill)
            p.drawPath(process_path(slot, size))
            p.restore()

    def _image(self, p: QPainter, g: Geometry, scene: Scene) -> None:
        """Many rows as an image: a colour a state."""
        codes = scene.image
        assert codes is not None
        if not codes.size:
            return
        table = np.zeros((256, 4), dtype=np.uint8)
        for code, slot in enumerate(scene.state_slots.tolist()):
            fill = self.theme.state(slot).fill
            table[code] = fill.blue(), fill.green(), fill.red(), 255
        fault = self.theme.color("fault.base")
        table[CRASHED] = fault.blue(), fault.green(), fault.red(), 255
        pixels = np.ascontiguousarray(table[codes])
        image = QImage(
            pixels.data, pixels.shape[1], pixels.shape[0], pixels.strides[0], QImage.Format.Format_ARGB32_Premultiplied
        )
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, codes.shape[0] > g.bottom - g.top)
        p.drawImage(QRectF(g.left, g.top, g.right - g.left, g.bottom - g.top), image)

    def _column(self, p: QPainter, g: Geometry, frame: OccupationFrame) -> None:
        """Shares of the states and of work, beside the bars."""
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
        for row, process in enumerate(frame.scene.rows.processes.tolist()):
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
        """The process whose row is at a point."""
        row = self.geometry(rect, frame, camera).row(pos.y())
        return None if row < 0 else Hit("process", int(frame.scene.rows.processes[row]))

    def time_at(self, pos: QPointF, rect: QRectF, frame: OccupationFrame, camera: Any = None) -> float:
        """The simulated time at a point."""
        return self.geometry(rect, frame, camera).time(pos.x())

    def tooltip(self, hit: Hit, frame: OccupationFrame) -> str:
        """What a process did when, in words (rich text)."""
        process = number_of(hit, "process")
        if process is None:
            return ""
        timeline, table = frame.timeline, parts(frame.timeline)
        place = slice(int(table.first[process]), int(table.first[process + 1]))
        start, stop, state = table.start[place], table.stop[place], table.state[place]
        head = f"<b>Process {escape(timeline.processes[process])}</b>"
        if not len(start) or (start[0] > frame.t and not frame.future):
            return f"{head}<br>nothing has happened to it"
        last = len(start) if frame.future else int(np.searchsorted(start, frame.t, side="right"))
        current = int(np.searchsorted(start, frame.t, side="right")) - 1
        first = max(0, min(current - _TOLD // 2, last - _TOLD))
        told = [
            self._told(frame, float(start[i]), float(stop[i]), int(state[i]), i == current)
            for i in range(first, min(last, first + _TOLD))
        ]
        if first:
            told.insert(0, f"… {first} before")
        if last > first + _TOLD:
            told.append(f"… {last - first - _TOLD} more")
        return "<br>".join([head, *told])

    def _told(self, frame: OccupationFrame, start: float, stop: float, state: int, now: bool) -> str:
        word = escape("crashed" if state == CRASHED else frame.words[state])
        text = f"{word} {start:.2f} to {stop:.2f} ({stop - start:.2f})" if stop > start else f"{word} at {start:.2f}"
        return f"<b>{text}</b>" if now else text
