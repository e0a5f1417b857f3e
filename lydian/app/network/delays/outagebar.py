"""A time bar on which outages are added and changed by dragging, and removed by Delete."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from lydian.app.look.theme import Theme
from lydian.app.network.edits import Outages
from lydian.language import tr, trc
from lydian.views.network.curves import ticks

__all__ = ["OutageBar"]

#: The least time that the bar shows; it shows more if an outage needs it.
LEAST = 20.0
#: The distance in pixels within which the mouse grips an end.
NEAR = 6.0

Span = tuple[float, float]


class OutageBar(QWidget):
    """A bar that shows the outages of all selected links in a solid colour, and those of only some in a pale one.

    During a drag, :attr:`edited` carries the outage at the start (``None`` for a new one) and the current one, so that
    receivers can apply the change to the network as it was when the drag began.
    """

    #: Emitted when an edit by mouse or keys begins; all changes until ``settled`` are one step.
    began = Signal()
    #: Emitted with the outage at the start of the edit (``None``: new) and the current one (``None``: removed).
    edited = Signal(object, object)
    settled = Signal()
    cancelled = Signal()
    #: Emitted on a double-click, when the user wants to type the times.
    type_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.shown: Outages = ()
        self.some: Outages = ()
        self.chosen: Span | None = None
        self.upto = LEAST
        self._drag: tuple[str, float, Span | None] | None = None  # the part that is dragged, its start, the old outage
        self._keyed = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Outages on a time bar"))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(320, 30 + round(1.7 * self.theme.px("small")))

    def say(self, outages: Outages, some: Outages = ()) -> None:
        """Show the outages that all links have and those that only some of them have."""
        self.shown, self.some = outages, some
        if self.chosen not in outages and self._drag is None:
            self.chosen = None
        if self._drag is None:
            self._stretch()
        words = ", ".join(tr("from {start:g} to {end:g}", start=start, end=end) for start, end in outages)
        words = words or trc("no outages", "none")
        self.setAccessibleDescription(
            tr(
                "Outages: {outages}. Insert adds one, Up and Down select one, Left and Right move it, with "
                "Shift its end; Delete removes it",
                outages=words,
            )
        )
        self.update()

    def _stretch(self) -> None:
        last = max((end for _, end in (*self.shown, *self.some)), default=0.0)
        self.upto = LEAST
        if last * 1.25 > LEAST:
            steps = ticks(last * 1.25, 5)
            self.upto = steps[-1] + steps[1]

    # ------------------------------------------------------------------ places

    @property
    def bar(self) -> QRectF:
        return QRectF(8, 3, max(self.width() - 16, 10), 20)

    def x_of(self, time: float) -> float:
        """Return the horizontal position of a time, in pixels."""
        return self.bar.left() + time / self.upto * self.bar.width()

    @property
    def step(self) -> float:
        """The step to which times are rounded."""
        tick = ticks(self.upto, 5)[1]
        return tick / 10 if tick / 10 >= self.upto / self.bar.width() else tick / 5

    def _time(self, x: float) -> float:
        time = (x - self.bar.left()) / self.bar.width() * self.upto
        return self._whole(min(max(time, 0.0), self.upto * 2))

    def _whole(self, time: float) -> float:
        return round(round(time / self.step) * self.step, 9)

    def _at(self, x: float) -> tuple[str, Span] | None:
        """Return the part of an outage at a position: its start, its end, or all of it."""
        best: tuple[float, str, Span] | None = None
        for span in self.shown:
            for what, time in (("start", span[0]), ("end", span[1])):
                distance = abs(x - self.x_of(time))
                inside = self.x_of(span[0]) <= x <= self.x_of(span[1])
                near = min(NEAR, (self.x_of(span[1]) - self.x_of(span[0])) / 3) if inside else NEAR
                if distance <= near and (best is None or distance < best[0]):
                    best = distance, what, span
        if best is not None:
            return best[1], best[2]
        return next((("all", s) for s in self.shown if self.x_of(s[0]) <= x <= self.x_of(s[1])), None)

    # ------------------------------------------------------------------ mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        found = self._at(x)
        self.began.emit()
        if found is None:
            self.chosen = None
            self._drag = "new", self._time(x), None
        else:
            self.chosen = found[1]
            self._drag = found[0], self._time(x), found[1]
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._drag is not None and not event.buttons():
            self._end()  # the release went to a menu or to another window
        if self._drag is None:
            found = self._at(x)
            shapes = {"start": Qt.CursorShape.SizeHorCursor, "end": Qt.CursorShape.SizeHorCursor}
            usual = Qt.CursorShape.CrossCursor if found is None else Qt.CursorShape.OpenHandCursor
            self.setCursor(shapes.get("" if found is None else found[0], usual))
            return
        what, start, before = self._drag
        now = self._time(x)
        if what == "new" or before is None:
            span = (min(start, now), max(start, now))
        elif what == "all":
            by = max(now - start, -before[0])
            span = (self._whole(before[0] + by), self._whole(before[0] + by + before[1] - before[0]))
        elif what == "start":
            span = (min(now, before[1]), max(now, before[1]))
        else:
            span = (min(now, before[0]), max(now, before[0]))
        if span[1] > span[0]:
            self.chosen = span
            self.edited.emit(before, span)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None and event.button() == Qt.MouseButton.LeftButton:
            self._end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._drag = None
        self.type_wanted.emit()

    def _end(self) -> None:
        self._drag = None
        self.settled.emit()
        self._after()

    def _after(self) -> None:
        """Select the outage that contains the dragged one, which may have been merged with others."""
        chosen = self.chosen
        if chosen is not None:
            self.chosen = next((s for s in self.shown if s[0] <= chosen[0] and chosen[1] <= s[1]), None)
        self._stretch()
        self.update()

    # ------------------------------------------------------------------ keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Qt.Key.Key_Escape and self._drag is not None:
            self._drag = None
            self.cancelled.emit()
            self._after()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.shown:
            at = self.shown.index(self.chosen) if self.chosen in self.shown else None
            way = 1 if key == Qt.Key.Key_Down else -1
            self.chosen = self.shown[0 if at is None else (at + way) % len(self.shown)]
            self.update()
        elif key == Qt.Key.Key_Insert:
            start = self._whole(max((end for _, end in self.shown), default=0.0) + self.upto / 20)
            self.chosen = (start, self._whole(start + self.upto / 10))
            self._once(None, self.chosen)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.chosen is not None:
            gone, self.chosen = self.chosen, None
            self._once(gone, None)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.chosen is not None:
            self._nudge(self.step if key == Qt.Key.Key_Right else -self.step, shift)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.type_wanted.emit()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._keyed and not event.isAutoRepeat() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._keyed = False
            self.settled.emit()
            self._after()
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._keyed or self._drag is not None:
            self._keyed = False
            self._end()
        super().focusOutEvent(event)

    def _once(self, before: Span | None, now: Span | None) -> None:
        self.began.emit()
        self.edited.emit(before, now)
        self.settled.emit()
        self._after()

    def _nudge(self, by: float, end_only: bool) -> None:
        assert self.chosen is not None
        start, end = self.chosen
        moved = (start if end_only else self._whole(start + by), self._whole(end + by))
        if moved[0] < 0 or moved[0] >= moved[1]:
            return
        self.began.emit()
        before, self.chosen, self._keyed = self.chosen, moved, True
        self.edited.emit(before, moved)

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(p)
        finally:
            p.end()

    def _paint(self, p: QPainter) -> None:
        theme, bar = self.theme, self.bar
        focus = self.hasFocus()
        p.setPen(QPen(theme.color("accent.ring" if focus else "border.subtle"), 2 if focus else 1))
        p.setBrush(theme.color("check.holdsSoft"))
        p.drawRoundedRect(bar, 4, 4)
        p.setFont(theme.font("small", semibold=True))
        metrics = QFontMetricsF(p.font())
        for span in self.some:
            self._span(p, span, pale=True)
        for span in self.shown:
            self._span(p, span, pale=False)
        if not self.shown and not self.some:
            p.setPen(theme.color("check.holds"))
            p.drawText(bar, Qt.AlignmentFlag.AlignCenter, trc("a link", "up all the time"))
        p.setFont(theme.font("small"))
        metrics = QFontMetricsF(p.font())
        p.setPen(theme.color("text.secondary"))
        for time in ticks(self.upto, 5):
            text = f"{time:.6g}"
            wide = metrics.horizontalAdvance(text)
            x = min(max(self.x_of(time) - wide / 2, 2), self.width() - wide - 2)
            p.drawText(QPointF(x, bar.bottom() + metrics.ascent() + 4), text)

    def _span(self, p: QPainter, span: Span, *, pale: bool) -> None:
        theme, bar = self.theme, self.bar
        left, right = self.x_of(span[0]), self.x_of(span[1])
        left, right = min(left, bar.right() - 2), min(max(right, left + 2), bar.right() + 6)
        box = QRectF(left, bar.top() - 1, right - left, bar.height() + 2)
        base = theme.color("fault.base")
        pen = QPen(base, 2.4 if span == self.chosen else 1.4)
        if pale:
            pen.setDashPattern([3, 2])
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush if pale else theme.color("fault.soft"))
        p.drawRoundedRect(box, 3, 3)
        words = "some" if pale else "down"
        if box.width() > QFontMetricsF(p.font()).horizontalAdvance(words) + 8:
            p.setPen(base)
            p.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
