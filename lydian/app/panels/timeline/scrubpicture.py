"""The picture of the time line: density, marks, play head, ruler, the loop and the stretch in view."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.look.theme import Theme
from lydian.app.panels.timeline import scrubmarks
from lydian.app.panels.timeline.scrubdensity import density, stacks
from lydian.app.panels.timeline.scrubmarks import TRACK, Mark
from lydian.app.panels.timeline.transport import time_text
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.views.others.branchtree import Fork, fork_words
from lydian.views.time.axis import tick_text, ticks

__all__ = ["COLUMN", "MARGIN", "RULER", "ScrubPicture", "outlook_words"]

#: The width of a column of the density, and the margin at both ends, in pixels.
COLUMN, MARGIN = 8, 14
#: The height of the ruler.
RULER = 17
#: The minimum width of the bracket of the stretch in view; below the other width, its handles are outside it.
THIN, NARROW = 6.0, 40.0
#: The width and the height of a handle.
GRIP = (8.0, 18.0)
#: The opacity of the density after the play head.
_TO_COME = 0.34


def outlook_words(time: str) -> tuple[str, ...]:
    """Return what is said of the time at which a run would have ended without its faults, the longest text first."""
    return (
        tr("without the faults it would have finished at {time}", time=time),
        tr("would have finished at {time}", time=time),
        time,
    )


class ScrubPicture(QWidget):
    """Density, marks, play head, ruler and the stretch that the views along time show.

    Attributes:
        chosen: the name of the bookmark to which F2 and Del apply.
        outlook: the time at which the run would have ended well without its faults, ``None`` if that is unknown.
    """

    def __init__(self, playhead: Playhead, theme: Theme, camera: TimeCamera, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playhead, self.theme, self.camera = playhead, theme, camera
        self.painted = 0
        self.chosen = ""
        self._held: tuple[str, object] | None = None
        self._moved: float | None = None  # the current time of the bookmark that is being dragged
        self._kept: tuple[object, list[Mark]] | None = None
        self.forks: tuple[Mark, ...] = ()
        self.outlook: float | None = None
        self._density: tuple[object, QPixmap] | None = None
        self._drawn: object = None
        self._told: object = None  # the stretch in view as a screen reader describes it
        self.setObjectName("scrubber")
        self.setAccessibleName(tr("Time line"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        camera.listen(self._window_moved)

    def sizeHint(self) -> QSize:
        return QSize(600, TRACK + 34 + RULER)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, TRACK + 22 + RULER)

    def set_theme(self, theme: Theme) -> None:
        self._density = None

    def _window_moved(self) -> None:
        if not self.playhead.moving:  # otherwise, the next frame shows it
            self.refresh()

    def refresh(self) -> None:
        """Redraw if the play head or the stretch in view has moved."""
        if self.camera.window != self._told:
            self._told = self.camera.window
            start, stop = (time_text(t, self.playhead.end) for t in self._told)
            self.setAccessibleDescription(tr("In view: {start} to {end}", start=start, end=stop))
        if self.isVisible() and self._key() != self._drawn:
            self.update()

    def _key(self) -> object:
        head = self.playhead
        span = (head.loop, head.loop_from, head.loop_to)
        return (
            id(head.timeline), head.t, head.bookmarks, head.stops, span, self.camera.window, self.camera.whole,
            self.chosen, self._moved, self._held, self.forks, self.outlook,
            self.width(), self.height(),
        )  # fmt: skip

    @property
    def marks(self) -> list[Mark]:
        """Faults, violations, bookmarks, breakpoints and forks, by rising time."""
        head = self.playhead
        key = (head.timeline, head.animation, head.bookmarks, head.stops, self.forks)
        if self._kept is None or self._kept[0] != key:
            forks = [mark for mark in self.forks if mark.time <= self.span[1]]
            self._kept = (key, sorted([*scrubmarks.marks_of(head), *forks], key=lambda mark: mark.time))
        return self._kept[1]

    def set_forks(self, forks: Sequence[Fork], lineage: Sequence[int]) -> None:
        """Mark where other runs branch off from the current one; ``lineage`` are the runs from which it descends."""
        found = tuple(Mark(each.time, "fork", fork_words(each, lineage), each.branch) for each in forks)
        if found != self.forks:
            self.forks = found
            self.refresh()

    def set_outlook(self, time: float | None) -> None:
        """Show how far the run would have gone without its faults; ``None`` if that is unknown."""
        if time != self.outlook:
            self.outlook = time
            self.refresh()

    def _seen(self) -> list[Mark]:
        """Return the marks as drawn: a bookmark that is being dragged is at the pointer."""
        if self._moved is None or self._held is None:
            return self.marks
        others = [mark for mark in self.marks if (mark.sign, mark.text) != self._held]
        return [*others, Mark(self._moved, "own", str(self._held[1]))]

    # ------------------------------------------------------------------ positions

    @property
    def span(self) -> tuple[float, float]:
        """Return the times at both ends: the whole run with a small margin, as in the views along time, and what would
        have followed it without its faults.
        """
        start, stop = self.camera.whole
        return start, stop if self.outlook is None else max(stop, self.outlook * 1.02)

    def place(self, time: float) -> float:
        start, stop = self.span
        return MARGIN + (time - start) / (stop - start) * (self.width() - 2 * MARGIN)

    def time_at(self, x: float) -> float:
        """Return the time at a horizontal position."""
        start, stop = self.span
        return start + (x - MARGIN) / max(1, self.width() - 2 * MARGIN) * (stop - start)

    def _area(self) -> QRectF:
        high = self.height() - TRACK - self.theme.grown(RULER)
        return QRectF(MARGIN, TRACK, max(1, self.width() - 2 * MARGIN), max(1, high))

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted += 1
        painter = QPainter(self)
        try:
            self._paint(painter)
            if self.hasFocus() and self.property("keyboard"):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
                painter.setPen(QPen(self.theme.color("accent.ring"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
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
            full = self._picture(area)
            ratio = full.devicePixelRatio()
            split = here - area.left()
            done = QRectF(0, 0, split * ratio, full.height())
            rest = QRectF(split * ratio, 0, full.width() - split * ratio, full.height())
            p.drawPixmap(QRectF(area.left(), area.top(), split, area.height()), full, done)
            p.setOpacity(_TO_COME)
            p.drawPixmap(QRectF(here, area.top(), area.width() - split, area.height()), full, rest)
            p.setOpacity(1.0)
            self._outlook(p)
            self._window(p)
            self._ruler(p, area)
            scrubmarks.draw_all(p, self.theme, self._seen(), self.place, self.label_places(here), self.chosen)
            self._handle(p, area, here)
        else:
            self._ruler(p, area)

    def _picture(self, area: QRectF) -> QPixmap:
        """Return the picture of the density, cached until the run, the size or the theme changes."""
        timeline, animation, ratio = self.playhead.timeline, self.playhead.animation, self.devicePixelRatioF()
        assert timeline is not None
        key = (id(timeline), area.width(), area.height(), ratio, self.theme, self.span)
        if self._density is None or self._density[0] != key:
            kinds = [0 if animation is None else animation.kind(label) for label in timeline.labels]
            bins = max(1, int(area.width() // COLUMN))
            counts = stacks(timeline, np.array(kinds or [0]), bins, *self.span)
            color = self.theme.color
            inks = [QColor(self.theme.message(kind).color) for kind in range(6)]
            inks += [QColor(self.theme.state(1).fill), color("fault.base")]
            self._density = (key, density(counts, inks, area, ratio))
        return self._density[1]

    def _loop(self, p: QPainter, area: QRectF) -> None:
        """Draw the span of the loop if it is not the whole run, dashed while looping is off."""
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

    def outlook_box(self) -> QRectF:
        """Return where the time is that the run would have gone on without its faults; empty if it is not known, or if
        the run with them took longer.
        """
        end = self.playhead.end
        if self.playhead.timeline is None or self.outlook is None or self.outlook <= end:
            return QRectF()
        area, left = self._area(), self.place(end)
        return QRectF(left, area.top() + 1, self.place(self.outlook) - left, area.height() - 1)

    def _outlook(self, p: QPainter) -> None:
        """Draw how far the run would have gone without its faults, with as many words as there is room for."""
        box = self.outlook_box()
        if box.isEmpty() or self.outlook is None:
            return
        color = self.theme.color
        p.fillRect(box, color("fault.soft"))
        p.setPen(QPen(color("fault.base"), 2))
        p.drawLine(box.topRight(), box.bottomRight())
        time = time_text(self.outlook, self.outlook)
        font = self.theme.font("small", semibold=True)
        metrics, room = QFontMetrics(font), box.width() - 20
        words = next((each for each in outlook_words(time) if metrics.horizontalAdvance(each) <= room), "")
        p.setFont(font)
        p.setPen(color("fault.base"))
        where = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        p.drawText(box.adjusted(12, 0, -8, 0), where, words)

    def bracket(self) -> QRectF:
        """Return where the stretch in view is on the density; empty if that is the whole of a short run."""
        camera, area = self.camera, self._area()
        if self.playhead.timeline is None or (camera.fits and camera.short):
            return QRectF()
        start, stop = (min(max(self.place(t), area.left()), area.right()) for t in camera.window)
        if stop - start < THIN:
            start = min(max((start + stop - THIN) / 2, area.left()), area.right() - THIN)
            stop = start + THIN
        return QRectF(start, area.top() - 2, stop - start, area.height() + 3)

    def grips(self) -> tuple[QRectF, QRectF]:
        """Return the handles at the ends of the bracket, outside it if it is narrow; empty if there is no bracket."""
        box = self.bracket()
        if box.isEmpty():
            return QRectF(), QRectF()
        wide, high = GRIP
        high = min(high, box.height() - 6)
        out = wide if box.width() < NARROW else wide / 2
        top = box.center().y() - high / 2
        return QRectF(box.left() - out, top, wide, high), QRectF(box.right() - wide + out, top, wide, high)

    def _window(self, p: QPainter) -> None:
        """Draw the stretch in view as a bracket with a handle at each end."""
        box = self.bracket()
        if box.isEmpty():
            return
        color = self.theme.color
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = color("border.strong" if self.camera.fits else "accent.base")
        if not self.camera.fits:
            tint = QColor(color("accent.base"))
            tint.setAlphaF(0.09)
            p.setBrush(tint)
            p.setPen(QPen(ink, 2))
            p.drawRoundedRect(box.adjusted(0.0, 1.0, 0.0, -1.0), 3, 3)
        held = self._held[1] if self._held is not None and self._held[0] == "window" else ""
        for end, grip in zip(("from", "to"), self.grips(), strict=True):
            p.setBrush(color("accent.base" if held == end else "surface.panel"))
            p.setPen(QPen(ink, 1.6))
            p.drawRoundedRect(grip.adjusted(0.8, 0.8, -0.8, -0.8), 2.5, 2.5)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)

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
            box = QRectF(x - 40, area.bottom() + 2, 80, self.theme.grown(RULER) - 2)
            if box.center().x() < 30:
                box.moveLeft(max(box.left(), -30))
            p.drawText(box, int(Qt.AlignmentFlag.AlignCenter), tick_text(float(value), step))

    def label_places(self, here: float) -> list[tuple[int, float, float]]:
        """Return which of the marks have labels, with their left ends and widths, for a play head at ``here``."""
        metrics = QFontMetrics(self.theme.font("caption", semibold=True))
        return scrubmarks.labels(self._seen(), self.place, self.width(), metrics.horizontalAdvance, here)

    def _handle(self, p: QPainter, area: QRectF, x: float) -> None:
        ink = self.theme.color("playhead")
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(ink, 2))
        p.drawLine(QPointF(x, 8), QPointF(x, area.bottom() + 3))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink)
        shape = [QPointF(x - 6.5, 1), QPointF(x + 6.5, 1), QPointF(x + 6.5, 9), QPointF(x, 15.5), QPointF(x - 6.5, 9)]
        p.drawPolygon(QPolygonF(shape))
