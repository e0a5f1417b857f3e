"""The time line: how much happens when, stacked by kind of message; drag anywhere on it to move through the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.look.theme import Theme
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.axis import tick_text, ticks
from lydian.views.playhead import Playhead

__all__ = ["Mark", "Scrubber", "marks_of", "stacks"]

#: Pixels of a column of the density, and of the air at both ends.
COLUMN, MARGIN = 8, 14
#: Height of the track of marks, of the ruler.
TRACK, RULER = 17, 17
#: More events than this in one column and the columns grow with the logarithm.
LOGARITHMIC = 1000
#: Kinds of event that are faults.
FAULTS = (Kind.CRASH, Kind.RECOVER, Kind.LINK_DOWN, Kind.LINK_UP, Kind.CORRUPT, Kind.INJECT)


@dataclass(frozen=True)
class Mark:
    """Something to find again on the time line; ``sign`` is ``"fault"``, ``"check"`` or ``"own"`` for a bookmark."""

    time: float
    sign: str
    text: str


def stacks(timeline: Timeline, kinds: NDArray[np.integer], bins: int, start: float, stop: float) -> NDArray[np.int64]:
    """Events per column and layer, (bins, 8).

    Layers 0 to 5 are the kinds of message, by ``kinds`` (the kind of each label), 6 is every other event and 7 faults.
    """
    layer = np.full(len(timeline.time), 6, dtype=np.int64)
    labelled = timeline.label >= 0
    layer[labelled] = np.asarray(kinds, dtype=np.int64)[timeline.label[labelled]] % 6
    layer[np.isin(timeline.kind, FAULTS)] = 7
    out = np.zeros((bins, 8), dtype=np.int64)
    inside = (timeline.time >= start) & (timeline.time <= stop)
    if stop > start and bins > 0 and inside.any():
        place = ((timeline.time[inside] - start) / (stop - start) * bins).astype(np.int64)
        np.add.at(out, (np.minimum(place, bins - 1), layer[inside]), 1)
    return out


def marks_of(timeline: Timeline, checks: Sequence[dict[str, object]]) -> list[Mark]:
    """Faults, the error that ended the run, and the first violation of each check; at most 200 faults."""
    words = {Kind.CRASH: "crashed", Kind.RECOVER: "recovered", Kind.CORRUPT: "corrupted", Kind.INJECT: "injected"}
    found = []
    for seq in np.flatnonzero(np.isin(timeline.kind, (*FAULTS, Kind.ERROR)))[:200]:
        kind, a, b = int(timeline.kind[seq]), int(timeline.process[seq]), int(timeline.peer[seq])
        who = timeline.processes[a] if a >= 0 else ""
        if kind in (Kind.LINK_DOWN, Kind.LINK_UP) and b >= 0:
            text = f"{who}-{timeline.processes[b]} {'down' if kind == Kind.LINK_DOWN else 'up'}"
        else:
            text = f"{who} {words.get(kind, 'failed')}".strip()
        found.append(Mark(float(timeline.time[seq]), "check" if kind == Kind.ERROR else "fault", text))
    for check in checks:
        at = check.get("at")
        if check.get("holds") is False and isinstance(at, int | float):
            seq = int(at)
            when = float(timeline.time[seq]) if 0 <= seq < len(timeline.time) else timeline.end
            found.append(Mark(when, "check", str(check.get("name", "a check is violated"))))
    return sorted(found, key=lambda mark: mark.time)


class Scrubber(QWidget):
    """Density, marks, play head, ruler and the stretch that the views along time show."""

    #: The user wants to be at this time.
    sought = Signal(float)

    def __init__(self, playhead: Playhead, theme: Theme, camera: TimeCamera, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playhead, self.theme, self.camera = playhead, theme, camera
        self.marks: list[Mark] = []
        self.painted = 0
        self._density: tuple[object, QPixmap, QPixmap] | None = None
        self._drawn: object = None
        self._fine: tuple[float, float] | None = None
        self.setObjectName("scrubber")
        self.setAccessibleName("Time line")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        camera.listen(self.refresh)

    def sizeHint(self) -> QSize:
        return QSize(600, TRACK + 34 + RULER)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, TRACK + 22 + RULER)

    def set_theme(self, theme: Theme) -> None:
        self.theme, self._density = theme, None
        self.update()

    def set_marks(self, marks: Sequence[Mark]) -> None:
        self.marks, self._drawn = list(marks), None
        self.update()

    def refresh(self) -> None:
        """Draw anew if the play head or the window in view moved."""
        if self.isVisible() and self._key() != self._drawn:
            self.update()

    def _key(self) -> object:
        head = self.playhead
        span = (head.loop, head.loop_from, head.loop_to)
        return id(head.timeline), head.t, head.bookmarks, span, self.camera.window, self.width(), self.height()

    @property
    def all_marks(self) -> list[Mark]:
        """Faults, violations and the user's bookmarks, by rising time."""
        own = [Mark(mark.time, "own", mark.name) for mark in self.playhead.bookmarks.marks]
        return sorted([*self.marks, *own], key=lambda mark: mark.time)

    # ------------------------------------------------------------------ places

    @property
    def span(self) -> tuple[float, float]:
        """The times at both ends: the whole run with a little air, as in the views along time."""
        return self.camera.whole

    def place(self, time: float) -> float:
        start, stop = self.span
        return MARGIN + (time - start) / (stop - start) * (self.width() - 2 * MARGIN)

    def time_at(self, x: float) -> float:
        """The time at a horizontal place."""
        start, stop = self.span
        return start + (x - MARGIN) / max(1, self.width() - 2 * MARGIN) * (stop - start)

    def _area(self) -> QRectF:
        return QRectF(MARGIN, TRACK, max(1, self.width() - 2 * MARGIN), max(1, self.height() - TRACK - RULER))

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted += 1
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()
        self._drawn = self._key()

    def _paint(self, p: QPainter) -> None:
        area, color = self._area(), self.theme.color
        p.fillRect(area, color("surface.panelAlt"))
        p.setPen(QPen(color("border.subtle"), 1))
        p.drawLine(area.topLeft(), area.topRight())
        if self.playhead.timeline is not None:
            self._loop(p, area)
            here = min(max(self.place(max(self.playhead.t, 0.0)), area.left()), area.right())
            full, pale = self._pictures(area)
            ratio = full.devicePixelRatio()
            split = here - area.left()
            done = QRectF(0, 0, split * ratio, full.height())
            rest = QRectF(split * ratio, 0, full.width() - split * ratio, full.height())
            p.drawPixmap(QRectF(area.left(), area.top(), split, area.height()), full, done)
            p.drawPixmap(QRectF(here, area.top(), area.width() - split, area.height()), pale, rest)
            self._window(p, area)
            self._ruler(p, area)
            self._marks(p, area)
            self._handle(p, area, here)
        else:
            self._ruler(p, area)

    def _pictures(self, area: QRectF) -> tuple[QPixmap, QPixmap]:
        """The density in full and in pale colours, kept until the run, the size or the theme changes."""
        timeline, animation, ratio = self.playhead.timeline, self.playhead.animation, self.devicePixelRatioF()
        assert timeline is not None
        key = (id(timeline), area.width(), area.height(), ratio, self.theme)
        if self._density is None or self._density[0] != key:
            kinds = [0 if animation is None else animation.kind(label) for label in timeline.labels]
            bins = max(1, int(area.width() // COLUMN))
            counts = stacks(timeline, np.array(kinds or [0]), bins, *self.span)
            color = self.theme.color
            inks = [QColor(self.theme.message(kind).color) for kind in range(6)]
            inks += [QColor(self.theme.state(1).fill), color("fault.base")]
            full = self._picture(counts, inks, area, ratio, 1.0)
            pale = self._picture(counts, inks, area, ratio, 0.34)
            self._density = (key, full, pale)
        return self._density[1], self._density[2]

    def _picture(
        self, counts: NDArray[np.int64], inks: list[QColor], area: QRectF, ratio: float, opacity: float
    ) -> QPixmap:
        picture = QPixmap(max(1, round(area.width() * ratio)), max(1, round(area.height() * ratio)))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        most = int(counts.sum(axis=1).max(initial=0))
        if not most:
            return picture
        height, pitch = area.height() - 4, area.width() / len(counts)
        painter = QPainter(picture)
        try:
            painter.setOpacity(opacity)
            for column in np.flatnonzero(counts.sum(axis=1)):
                row = counts[column]
                total = int(row.sum())
                tall = height * (np.log1p(total) / np.log1p(most) if most > LOGARITHMIC else total / max(most, 5))
                y = area.height()
                for layer in (7, 6, 0, 1, 2, 3, 4, 5):
                    part = tall * row[layer] / total
                    if part > 0:
                        painter.fillRect(QRectF(column * pitch, y - part, max(pitch - 1, 1), part), inks[layer])
                        y -= part
        finally:
            painter.end()
        return picture

    def _loop(self, p: QPainter, area: QRectF) -> None:
        """The span that a loop plays, if it is not the whole run; dashed while nothing loops."""
        head = self.playhead
        if head.loop_from is None and head.loop_to is None:
            return
        low = self.place(max(head.start if head.loop_from is None else head.loop_from, 0.0))
        high = self.place(head.end if head.loop_to is None else head.loop_to)
        color = self.theme.color
        if head.loop:
            p.fillRect(QRectF(low, area.top(), high - low, area.height()), color("accent.soft"))
        line = Qt.PenStyle.SolidLine if head.loop else Qt.PenStyle.DashLine
        p.setPen(QPen(color("accent.base"), 2, line))
        for x, inward in ((low, 5), (high, -5)):
            p.drawPolyline(
                [QPointF(x + inward, area.top() + 1), QPointF(x, area.top() + 1), QPointF(x, area.bottom() - 1),
                 QPointF(x + inward, area.bottom() - 1)]
            )  # fmt: skip

    def _window(self, p: QPainter, area: QRectF) -> None:
        """What the views along time show, as a bracket."""
        start, stop = (self.place(t) for t in self.camera.window)
        color = self.theme.color
        p.setPen(QPen(color("border.strong"), 2))
        p.drawLine(QPointF(start, area.bottom()), QPointF(stop, area.bottom()))
        if not self.camera.fits:
            p.setPen(QPen(color("border.strong"), 1, Qt.PenStyle.DashLine))
            for x in (start, stop):
                p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))

    def _ruler(self, p: QPainter, area: QRectF) -> None:
        p.setFont(self.theme.font("caption"))
        span = self.span
        values, step = ticks(span, max(2, int(area.width() // 84)))
        ink, line = self.theme.color("text.hint"), self.theme.color("border.control")
        for value in values:
            x = self.place(float(value))
            p.setPen(QPen(line, 1))
            p.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3))
            p.setPen(ink)
            box = QRectF(x - 40, area.bottom() + 2, 80, RULER - 2)
            if box.center().x() < 30:
                box.moveLeft(max(box.left(), -30))
            p.drawText(box, int(Qt.AlignmentFlag.AlignCenter), tick_text(float(value), step))

    def _marks(self, p: QPainter, area: QRectF) -> None:
        """Faults, violations and bookmarks, with their words where these do not touch."""
        p.setFont(self.theme.font("caption", semibold=True))
        free = -1e9
        inks = {"fault": "fault.base", "own": "accent.base"}
        for mark in self.all_marks:
            x = self.place(mark.time)
            ink = self.theme.color(inks.get(mark.sign, "check.violated"))
            p.setPen(QPen(ink, 1.4, Qt.PenStyle.DashLine))
            p.drawLine(QPointF(x, TRACK - 2), QPointF(x, area.bottom()))
            p.setPen(QPen(ink, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
            y = TRACK / 2 - 1
            if mark.sign == "fault":
                p.drawPolyline(
                    [QPointF(x + 1.5, y - 5), QPointF(x - 2.5, y + 1), QPointF(x + 2.5, y), QPointF(x - 1.5, y + 6)]
                )
            elif mark.sign == "own":
                p.setBrush(ink)
                p.drawPolygon(QPolygonF([QPointF(x, y - 5), QPointF(x + 7, y - 1.5), QPointF(x, y + 2)]))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawLine(QPointF(x, y - 5), QPointF(x, TRACK - 2))
            else:
                p.drawLine(QPointF(x - 3.5, y - 3.5), QPointF(x + 3.5, y + 3.5))
                p.drawLine(QPointF(x - 3.5, y + 3.5), QPointF(x + 3.5, y - 3.5))
            wide = p.fontMetrics().horizontalAdvance(mark.text)
            left = x + (11 if mark.sign == "own" else 8)
            if left > free and left + 2 + wide < self.width():
                p.drawText(QPointF(left, y + 4.5), mark.text)
                free = left + 6 + wide

    def _handle(self, p: QPainter, area: QRectF, x: float) -> None:
        ink = self.theme.color("playhead")
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(ink, 2))
        p.drawLine(QPointF(x, 8), QPointF(x, area.bottom() + 3))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink)
        shape = [QPointF(x - 6.5, 1), QPointF(x + 6.5, 1), QPointF(x + 6.5, 9), QPointF(x, 15.5), QPointF(x - 6.5, 9)]
        p.drawPolygon(QPolygonF(shape))

    # ------------------------------------------------------------------ the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._seek(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._seek(event)
        else:
            near = [mark.text for mark in self.all_marks if abs(self.place(mark.time) - event.position().x()) < 6]
            self.setToolTip("; ".join(near[:4]))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._fine = None

    def _seek(self, event: QMouseEvent) -> None:
        """To the pointer; with Shift in tenths, with Ctrl to the nearest event."""
        t, timeline = self.time_at(event.position().x()), self.playhead.timeline
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if self._fine is None:
                self._fine = (self.playhead.t, t)
            t = self._fine[0] + (t - self._fine[1]) / 10
        else:
            self._fine = None
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and timeline is not None and len(timeline.time):
            t = float(timeline.time[int(np.abs(timeline.time - t).argmin())])
        self.sought.emit(t)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if turned and self.playhead.timeline is not None:
            self.camera.zoom(1.0015**turned, min(max(self.time_at(event.position().x()), self.span[0]), self.span[1]))
        event.accept()
