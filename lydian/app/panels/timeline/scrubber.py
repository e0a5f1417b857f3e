"""The time line: the density of events over time, stacked by kind of message; dragging on it moves through the run."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.look.theme import Theme
from lydian.app.panels.timeline import scrubmarks
from lydian.app.panels.timeline.scrubdensity import stacks
from lydian.app.panels.timeline.scrubmarks import TRACK, Mark
from lydian.app.panels.timeline.scrubpicture import MARGIN, RULER, ScrubPicture, outlook_words
from lydian.app.panels.timeline.transport import time_text
from lydian.desk.playhead import Playhead
from lydian.language import tr, trn

__all__ = ["MARGIN", "RULER", "Mark", "Scrubber", "stacks"]

#: The distance at which the pointer grabs a thing, and that which it may move during a click.
NEAR, SLACK = 6, 3
#: The maximum number of lines of a tooltip.
MOST_SAID = 4


class Scrubber(ScrubPicture):
    """The time line with its mouse and key handling.

    A drag moves what is under the pointer: a bookmark on the track, an end of the loop, the bracket of the stretch
    in view or one of its handles; anywhere else it moves the play head, as does a click on the bracket. A double click
    on the bracket shows the whole run, and another one returns to the stretch around the play head. When the time line
    has the focus, the arrows step from event to event, and Home and End go to the ends; + and - zoom; F2, Del and
    Ctrl+Z act on the bookmark that was clicked, and Up and Down go from bookmark to bookmark.
    """

    #: The user wants to go to this time.
    sought = Signal(float)
    #: A bookmark is to be moved, renamed or deleted; the last change of marks is to be undone.
    bookmark_moved = Signal(str, float)
    bookmark_renaming = Signal(str)
    bookmark_deleted = Signal(str)
    undo_wanted = Signal()
    #: The ids of the runs that branch off where the user clicked, and the point of the screen.
    fork_wanted = Signal(list, QPoint)

    def __init__(self, playhead: Playhead, theme: Theme, camera: TimeCamera, parent: QWidget | None = None) -> None:
        super().__init__(playhead, theme, camera, parent)
        self._pressed = QPointF()
        self._fine: tuple[float, float] | None = None
        self._grabbed = self._before = 0.0  # the time at which a drag began, and that of the play head then
        self._dragged = False  # the bracket has been moved or stretched since the button was pressed
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    # ------------------------------------------------------------------ the mouse

    def held_at(self, x: float, y: float) -> tuple[str, object] | None:
        """Return what a drag from there moves: ``("own", name)``, ``("loop" or "window", which end)``, or nothing."""
        area, head = self._area(), self.playhead
        if head.timeline is None:
            return None
        if y < TRACK:
            near = [mark for mark in self.marks if mark.sign == "own" and -NEAR < x - self.place(mark.time) < NEAR + 3]
            near.sort(key=lambda mark: abs(x - self.place(mark.time) - 2))
            if near:
                return "own", near[0].text
            places = zip(self.marks, scrubmarks.places(self.marks, self.place), strict=True)
            forks = tuple(mark.branch for mark, at in places if mark.sign == "fork" and abs(x - at) < NEAR)
            return ("fork", forks) if forks else None
        box = self.bracket()
        on_bracket = not box.isEmpty() and box.top() <= y <= box.bottom() + 2
        for end, grip in zip(("from", "to"), self.grips(), strict=True) if on_bracket else ():
            tall = not self.camera.fits or grip.top() <= y <= grip.bottom()
            if tall and grip.left() - 2 <= x <= grip.right() + 2:
                return "window", end
        for end, time in (("from", head.loop_from), ("to", head.loop_to)):
            if time is not None and y < area.bottom() and abs(x - self.place(time)) < NEAR:
                return "loop", end
        return ("window", "all") if on_bracket and not self.camera.fits and box.left() <= x <= box.right() else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed, self._moved, self._dragged = event.position(), None, False
        self._before = self.playhead.t
        self._held = self.held_at(event.position().x(), event.position().y())
        self._grabbed = self.time_at(event.position().x())
        self.chosen = str(self._held[1]) if self._held is not None and self._held[0] == "own" else ""
        if self._held is None:
            self._seek(event)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x, y = event.position().x(), event.position().y()
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self._held = self._moved = self._fine = None
            self._hover(x, y)
        elif self._held is None:
            self._seek(event)
        else:
            self._drag(*self._held, self._snapped(event), x)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        held, moved = self._held, self._moved
        self._held = self._moved = self._fine = None
        if held is not None and held[0] == "own" and event.button() == Qt.MouseButton.LeftButton:
            if moved is not None:
                self.bookmark_moved.emit(str(held[1]), moved)
            elif str(held[1]) in self.playhead.bookmarks:
                self.sought.emit(self.playhead.bookmarks.get(str(held[1])).time)
        elif held is not None and held[0] == "window" and not self._dragged:
            self.sought.emit(self._grabbed)
        elif held is not None and held[0] == "fork" and held == self.held_at(*event.position().toTuple()):
            self.fork_wanted.emit(list(held[1]), event.globalPosition().toPoint())  # type: ignore[call-overload]
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        held = self.held_at(event.position().x(), event.position().y())
        if held is not None and held[0] == "own":
            self._held = None
            self.bookmark_renaming.emit(str(held[1]))
        elif (held is not None and held[0] == "window") or (held is None and self._at_all(event.position().y())):
            self._held = None
            self.sought.emit(self._before)  # the first click moved the play head
            self.camera.toggle()
        else:
            self.mousePressEvent(event)

    def _at_all(self, y: float) -> bool:
        """Return whether a height is within the bracket while that is around the whole run."""
        return self.camera.fits and self.bracket().top() < y < self.bracket().bottom()

    def _drag(self, what: str, which: object, t: float, x: float) -> None:
        head = self.playhead
        t = min(max(t, max(head.start, 0.0)), head.end)
        if what == "own":
            if self._moved is not None or abs(x - self._pressed.x()) >= 3:
                self._moved = t
        elif what == "loop":
            # an end is never drawn over the other one
            low, high = head.loop_from, head.loop_to
            if which == "from" and (high is None or t < high):
                head.set_loop_from(t)
            elif which == "to" and (low is None or t > low):
                head.set_loop_to(t)
        elif what == "window" and (self._dragged or abs(x - self._pressed.x()) >= SLACK):
            self._dragged = True
            self._drag_window(str(which), self.time_at(x))
        self.update()

    def _drag_window(self, which: str, here: float) -> None:
        """Move the stretch in view, or one of its ends, to where the pointer is."""
        camera, (low, high), (start, stop) = self.camera, self.span, self.camera.window
        by, self._grabbed = here - self._grabbed, here
        least = min((high - low) / 500, stop - start)
        if which == "all":
            camera.drag(here, here - by)
            return
        camera.following = False
        if which == "from":
            camera.show(min(max(start + by, low), stop - least), stop)
        else:
            camera.show(start, max(min(stop + by, high), start + least))

    def _hover(self, x: float, y: float) -> None:
        """Describe what is under the pointer, and show whether it can be dragged."""
        held, end = self.held_at(x, y), self.playhead.end
        places = scrubmarks.places(self.marks, self.place) if y < TRACK else []
        near = [mark for mark, at in zip(self.marks, places, strict=False) if abs(at - x) < NEAR]
        said = [scrubmarks.about(mark, end) for mark in near]
        if held is not None and held[0] == "loop":
            time = self.playhead.loop_from if held[1] == "from" else self.playhead.loop_to
            begins = tr("The loop begins at {time}; drag to move it")
            words = begins if held[1] == "from" else tr("The loop ends at {time}; drag to move it")
            said = [words.format(time=time_text(time or 0.0, end))]
        elif held is not None and held[0] == "window":
            low, high = (time_text(t, end) for t in self.camera.window)
            said = [
                tr(
                    "In view: {start} to {end}; drag the bracket, stretch its ends, double-click for the whole run",
                    start=low,
                    end=high,
                )
            ]
        elif held is None and self.outlook is not None and self.outlook_box().contains(x, y):
            words = outlook_words(time_text(self.outlook, self.outlook))[0]
            said = [words[:1].upper() + words[1:]]
        if len(said) > MOST_SAID:
            more = len(said) - MOST_SAID + 1
            said = [*said[: MOST_SAID - 1], trn("and {count} more", "and {count} more", more)]
        text = "\n".join(said)
        if text != self.toolTip():
            self.setToolTip(text)
        points = held is None or held[0] == "fork"
        shape = Qt.CursorShape.PointingHandCursor if points else Qt.CursorShape.SizeHorCursor
        if shape != self.cursor().shape():
            self.setCursor(shape)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring if the focus came by a key."""
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
        self.setProperty("keyboard", event.reason() in reasons)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def event(self, event: QEvent) -> bool:
        """Keep Del, F2 and Ctrl+Z for a bookmark that was clicked, and zoom by pinching."""
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self._zoom(max(1.0 + event.value(), 0.1), event.position().x())
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = (Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_Z)
            plain = event.key() != Qt.Key.Key_Z or event.modifiers() == Qt.KeyboardModifier.ControlModifier
            if self.chosen and event.key() in keys and plain:
                event.accept()
                return True
        return super().event(event)

    def zoom(self, factor: float) -> None:
        """Zoom the stretch in view around the play head, or around its nearest end."""
        self._zoom(factor, self.place(self.playhead.t))

    def _zoom(self, factor: float, x: float) -> None:
        """Zoom the stretch in view around a point of it, or around its nearest end."""
        start, stop = self.camera.window
        if self.playhead.timeline is not None:
            self.camera.zoom(factor, min(max(self.time_at(x), start), stop))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.chosen and event.key() == Qt.Key.Key_Z:
            self.undo_wanted.emit()
        elif self.chosen in self.playhead.bookmarks and event.key() == Qt.Key.Key_Delete:
            self.bookmark_deleted.emit(self.chosen)
        elif self.chosen in self.playhead.bookmarks and event.key() == Qt.Key.Key_F2:
            self.bookmark_renaming.emit(self.chosen)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._choose(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def _choose(self, direction: int) -> None:
        """Select the next bookmark and go there, starting from the selected one or else from the play head."""
        own = [mark for mark in self.marks if mark.sign == "own"]
        names = [mark.text for mark in own]
        if self.chosen in names:
            place = names.index(self.chosen) + direction
        else:
            before = sum(mark.time <= self.playhead.t for mark in own)
            place = before if direction > 0 else before - 1
        if 0 <= place < len(own):
            self.chosen = names[place]
            self.sought.emit(own[place].time)
            self.update()

    def _snapped(self, event: QMouseEvent) -> float:
        """Return the time under the pointer, or that of the nearest event while Ctrl is held."""
        t, timeline = self.time_at(event.position().x()), self.playhead.timeline
        held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if held and timeline is not None and len(timeline.time):
            return float(timeline.time[int(np.abs(timeline.time - t).argmin())])
        return t

    def _seek(self, event: QMouseEvent) -> None:
        """Go to the pointer; with Shift to the nearest tenth, with Ctrl to the nearest event."""
        t = self._snapped(event)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if self._fine is None:
                self._fine = (self.playhead.t, t)
            t = self._fine[0] + (t - self._fine[1]) / 10
        else:
            self._fine = None
        self.sought.emit(t)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer; with Shift, or sideways, move the stretch in view."""
        up, sideways = event.angleDelta().y(), event.angleDelta().x()
        if self.playhead.timeline is not None and (sideways or event.modifiers() & Qt.KeyboardModifier.ShiftModifier):
            self.camera.move(-(up or sideways) / 1200)
        elif up:
            self._zoom(1.0015**up, event.position().x())
        event.accept()
