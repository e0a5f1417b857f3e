"""The parts that the painters of Causality and Occupation share: ground, row heads, hidden rows, play head."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.layers import Layers
from lydian.app.painters.time.axis import (
    Geometry,
    alpha,
    draw_ground,
    draw_playhead,
    geometry,
    number_of,
    seen_rows,
)
from lydian.app.painters.time.gutter import keep_gutter
from lydian.app.painters.time.key import Key, draw_key, key_width
from lydian.language import tr, trn
from lydian.views.network.liars import liars_at
from lydian.views.time.alongtime import TimeFrame

__all__ = ["TimePainter"]

#: The width of the mark that shows which rows are in view.
_SCROLLER = 4.0


class TimePainter:
    """The painter of a :class:`~lydian.views.time.alongtime.TimeFrame` on any paint device of Qt.

    ``camera.rows``, if present, gives the rows in view (from, to); ``camera.margin`` keeps room on the right;
    ``camera.lifted`` is the process whose row is being dragged and the height to which it is dragged, or ``None``.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.layers = Layers()

    # -- what each view does its own way -----------------------------------------------------------------------

    def margin(self, frame: Any) -> float:
        """Return the room on the right that the frame itself needs."""
        return 0.0

    def key(self, frame: Any, g: Geometry | None = None) -> Key | None:
        """Return the key to the colours below the rows, if there is one; its width is approximate without ``g``."""
        return None

    def row_lines(self, frame: Any) -> bool:
        """Return whether each row has a line."""
        return False

    def badges(self, frame: Any) -> Sequence[QColor] | None:
        """Return colours that identify processes in turn."""
        return None

    def content(self, p: QPainter, g: Geometry, frame: Any) -> None:
        """Draw the contents of the plot."""
        raise NotImplementedError

    def beside(self, p: QPainter, g: Geometry, frame: Any) -> None:
        """Draw the parts beside the plot."""

    # -- painting ----------------------------------------------------------------------------------------------

    def geometry(self, rect: QRectF, frame: TimeFrame, camera: Any = None) -> Geometry:
        """Return the positions of times and rows in ``rect``."""
        scene = frame.scene
        margin = max(float(getattr(camera, "margin", 0.0) or 0.0), self.margin(frame))
        below = self._band() if self._folded(frame) or self.key(frame) is not None else 0.0
        return geometry(
            self.theme, rect, scene.window, len(scene.rows), frame.timeline.processes, margin,
            scale=scene.scale, seen=seen_rows(camera), below=below,
        )  # fmt: skip

    def paint(self, p: QPainter, rect: QRectF, frame: TimeFrame, camera: Any = None) -> None:
        """Paint the frame into ``rect``, including its ground."""
        g = self.geometry(rect, frame, camera)
        scene, theme = frame.scene, self.theme
        p.save()
        p.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.fillRect(rect, theme.color("surface.panel"))
        tinted = [int(scene.rows.row[q]) for q in frame.selected if scene.rows.row[q] >= 0]
        draw_ground(p, theme, g, tinted, row_lines=self.row_lines(frame))
        self.content(p, g, frame)
        keep_gutter(
            self.layers, p, theme, g, scene.rows.processes, frame.timeline.processes, frame.slots, frame.crashed,
            frame.selected, number_of(frame.hover, "process"), self.badges(frame),
            liars_at(frame.timeline, frame.timeline.count(frame.t)),
        )  # fmt: skip
        if g.bottom + 8 < rect.bottom():
            p.fillRect(QRectF(rect.left(), g.bottom + 3, rect.width(), rect.bottom()), theme.color("surface.panel"))
        self._fold(p, g, frame)
        self._scroller(p, g)
        draw_playhead(p, theme, g, frame.t, frame.front)
        self.beside(p, g, frame)
        key = self.key(frame, g)
        if key is not None:
            draw_key(p, theme, g, key)
        lifted = getattr(camera, "lifted", None)
        if lifted is not None:
            self._lift(p, g, frame, *lifted)
        p.restore()

    def _band(self) -> float:
        """Return the height of the parts below the rows."""
        return 10.0 + 1.4 * self.theme.px("caption")

    def _folded(self, frame: TimeFrame) -> int:
        return len(frame.scene.rows.row) - len(frame.scene.rows)

    def fold(self, g: Geometry, frame: TimeFrame) -> QRectF:
        """Return the row that represents all hidden processes, empty if there are none."""
        if not self._folded(frame):
            return QRectF()
        band = self._band() - 4
        return QRectF(g.rect.left() + 6, g.rect.bottom() - 4 - band, g.rect.width() - 12, band)

    def _fold(self, p: QPainter, g: Geometry, frame: TimeFrame) -> None:
        """Draw one grey row for the hidden processes, with a chevron that shows that it can be opened."""
        box = self.fold(g, frame)
        if box.isEmpty():
            return
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(alpha(self.theme.color("border.subtle"), 0.75))
        p.drawRoundedRect(box, 4, 4)
        font = self.theme.font("caption")
        metrics = QFontMetricsF(font)
        ink = self.theme.color("text.secondary")
        size, middle = metrics.capHeight() * 0.5, box.center().y()
        x = box.left() + 6 + size
        pen = QPen(ink, 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        chevron = QPainterPath(QPointF(x - size / 2, middle - size))
        chevron.lineTo(x + size / 2, middle)
        chevron.lineTo(x - size / 2, middle + size)
        p.strokePath(chevron, pen)
        names = [frame.timeline.processes[q] for q in frame.hidden[:40]]
        text = trn(
            "{count:,} process hidden: {processes}",
            "{count:,} processes hidden: {processes}",
            len(frame.hidden),
            processes=", ".join(names),
        )
        left = x + size + 6
        p.setFont(font)
        p.setPen(ink)
        key = self.key(frame)
        room = box.right() - 8 - left - (0.0 if key is None else key_width(self.theme, key))
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        p.drawText(QPointF(left, middle + metrics.capHeight() / 2), text)

    def _scroller(self, p: QPainter, g: Geometry) -> None:
        """Show at the right edge which of the rows are in view."""
        if not g.scrolled:
            return
        track = QRectF(g.rect.right() - _SCROLLER - 2, g.top, _SCROLLER, g.bottom - g.top)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(self.theme.color("border.subtle"))
        p.drawRoundedRect(track, 2, 2)
        high = max(track.height() * g.seen / g.rows, 14.0)
        top = track.top() + (track.height() - high) * g.first / max(g.rows - g.seen, 1e-9)
        p.setBrush(self.theme.color("border.strong"))
        p.drawRoundedRect(QRectF(track.left(), top, track.width(), high), 2, 2)

    def _lift(self, p: QPainter, g: Geometry, frame: TimeFrame, process: int, y: float) -> None:
        """Draw the row that is being dragged, and the line where it would go."""
        accent = self.theme.color("accent.base")
        row = float(frame.scene.rows.row[process])
        p.fillRect(QRectF(g.rect.left(), g.y(row) - g.pitch / 2, g.rect.width(), g.pitch), alpha(accent, 0.12))
        place = g.top + (self.gap(g, y) - g.first) * g.pitch
        place = min(max(place, g.top), g.bottom)
        p.setPen(QPen(accent, 2))
        p.drawLine(QPointF(g.rect.left() + 2, place), QPointF(g.right, place))
        font = self.theme.font("small", semibold=True)
        metrics = QFontMetricsF(font)
        name = frame.timeline.processes[process]
        chip = QRectF(0, 0, metrics.horizontalAdvance(name) + 14, metrics.height() + 6)
        chip.moveCenter(QPointF(max(g.left - 8 - chip.width() / 2, g.rect.left() + chip.width() / 2 + 2), y))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(accent)
        p.drawRoundedRect(chip, 4, 4)
        p.setFont(font)
        p.setPen(self.theme.color("surface.panel"))
        p.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), name)

    # -- pointing ----------------------------------------------------------------------------------------------

    @staticmethod
    def gap(g: Geometry, y: float) -> int:
        """Return the row before which something dropped at ``y`` would be placed, or the number of rows for the end."""
        return min(max(math.floor((y - g.top) / g.pitch + g.first + 0.5), 0), g.rows)

    def head_at(self, pos: QPointF, rect: QRectF, frame: TimeFrame, camera: Any = None) -> int | None:
        """Return the process whose head, left of the plot, is at a point."""
        g = self.geometry(rect, frame, camera)
        row = g.row(pos.y())
        return int(frame.scene.rows.processes[row]) if row >= 0 and pos.x() < g.left - 4 else None

    def place_of(self, process: int, rect: QRectF, frame: TimeFrame, camera: Any = None) -> QRectF | None:
        """Return the row of a process, or that of all hidden ones if it is among them."""
        g = self.geometry(rect, frame, camera)
        row = int(frame.scene.rows.row[process])
        if row < 0:
            return self.fold(g, frame)
        return QRectF(g.rect.left(), g.y(row) - g.pitch / 2, g.rect.width(), g.pitch)

    def fold_at(self, pos: QPointF, rect: QRectF, frame: TimeFrame, camera: Any = None) -> bool:
        """Return whether the row of hidden processes is at a point."""
        return self.fold(self.geometry(rect, frame, camera), frame).contains(pos)

    def note_at(self, pos: QPointF, rect: QRectF, frame: TimeFrame, camera: Any = None) -> str:
        """Return the note on the row of hidden processes."""
        return tr("Click to show all processes again") if self.fold_at(pos, rect, frame, camera) else ""

    def time_at(self, pos: QPointF, rect: QRectF, frame: TimeFrame, camera: Any = None) -> float:
        """Return the simulated time at a point."""
        return self.geometry(rect, frame, camera).time(pos.x())
