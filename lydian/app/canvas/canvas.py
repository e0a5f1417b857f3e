"""A canvas, which shows one view and turns mouse and keys into selection, zoom and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from lydian.app.access.words import thing_of
from lydian.app.canvas.cameras import NetworkCamera, SpaceCamera, TimeCamera
from lydian.app.canvas.folding import Folding
from lydian.app.canvas.movable import MovablePicture
from lydian.app.canvas.pilot import Pilot
from lydian.app.canvas.spacebar import SpaceBar
from lydian.app.look.theme import Theme
from lydian.desk.playhead import Playhead
from lydian.model.viewnames import SPACES
from lydian.views.registry import View
from lydian.views.selection import Hit, Selection
from lydian.views.time.axis import Rows
from lydian.views.time.ordering import arranged, near

__all__ = ["TOOLTIP_DELAY", "Canvas", "TimeHand"]

#: The number of milliseconds for which the pointer rests before the tooltip appears.
TOOLTIP_DELAY = 350
#: The number of pixels that the pointer may move between press and release of a click.
SLACK = 4


class Aide(Protocol):
    """An object that handles mouse events in a view first: a tool, or a thing that is being dragged.

    If a method returns True, nothing else handles the event.
    """

    def pressed(self, event: QMouseEvent) -> bool:
        """Handle the press of a button."""

    def moved(self, event: QMouseEvent) -> bool:
        """Handle a movement of the pointer."""

    def released(self, event: QMouseEvent) -> bool:
        """Handle the release of a button."""

    def lost(self) -> None:
        """Leave everything as it is, because no button is down although no release was seen."""

    def left(self) -> None:
        """Handle the pointer leaving the view."""

    def takes(self, start: QPointF) -> bool:
        """Return whether to handle a drag with the left button that began at a point."""

    def drag(self, at: QPointF) -> None:
        """Continue a drag at a point."""

    def let_fall(self, at: QPointF) -> None:
        """End a drag at a point."""


class Canvas(MovablePicture):
    """A view with its mouse and key handling."""

    #: A process was double-clicked.
    opened = Signal(int)
    #: The user began to move time by dragging the picture.
    scrubbed = Signal(float)
    #: The user wants to set an option of the view: its name and value.
    asked = Signal(object, object)
    #: The user requests the menu of a thing at a point (a hit or ``None``); the point is one of the screen.
    menu_wanted = Signal(object, QPoint)

    def __init__(
        self, spec: View, playhead: Playhead, theme: Theme, time_camera: TimeCamera, parent: QWidget | None = None
    ) -> None:
        super().__init__(spec, playhead, theme, time_camera, parent)
        self._press: QPointF | None = None
        self._last = QPointF()
        self._drag = ""
        self._hit: Hit | None = None
        self._note = ""
        self._before: frozenset[int] = frozenset()  # the selection at the start of a drag across the view
        self.aide: Aide | None = None
        self.hand = TimeHand(self, self.camera) if isinstance(self.camera, TimeCamera) else None
        self.folding = Folding(self) if spec.mouse == "map" else None
        self.pilot = Pilot(self, self.camera) if isinstance(self.camera, SpaceCamera) else None
        if self.pilot is not None:
            self.bar = SpaceBar(self, self.pilot, theme, lambda depth: self.set_option("depth", depth))
        self._tip = 0  # a timer of the widget itself, which ends with it
        self.setMouseTracking(True)

    def compute(self) -> Any:
        """Return the view's frame at this moment; a cluster of another network is no longer unfolded."""
        frame = super().compute()
        if self.pilot is not None:
            self.pilot.follow(frame)
        return super().compute() if self.folding is not None and self.folding.forget(frame) else frame

    # ------------------------------------------------------------------ pointing

    def hit(self, position: QPointF) -> Hit | None:
        """Return what is drawn at a point of the widget."""
        if self._painter is None or self.frame is None or self.trouble is not None:
            return None
        try:
            hit: Hit | None = self._painter.hit(position, QRectF(self.rect()), self.frame, self.camera)
        except Exception as error:  # noqa: BLE001  whatever a view does, the window lives
            self._failed(error)
            self.update()
            return None
        return hit

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position()
        if not event.buttons():
            self.end_gesture()
        if self._press is None and self.aide is not None and self.aide.moved(event):
            self._rest(0)
        elif self._press is not None:
            self._dragged(position, event.buttons())
        else:
            hit = self.hit(position)
            self.playhead.point_at(hit)
            self.setCursor(self._cursor_at(position, hit))
            if hit != self._hit or hit is None:
                QToolTip.hideText()
            self._hit = hit
            self._note = self._note_at(position) if hit is None else ""
            if hit is not None or self._note:
                self._rest(TOOLTIP_DELAY)
            else:
                self._rest(0)
        self._last = position
        event.accept()

    def _cursor_at(self, position: QPointF, hit: Hit | None) -> Qt.CursorShape:
        if self.hand is not None and self.hand.head_at(position) is not None:
            return Qt.CursorShape.OpenHandCursor
        folded = (self.hand is not None and self.hand.on_fold(position)) or self._legend_at(position) is not None
        folded = folded or (self.pilot is not None and self.pilot.on_map(position))
        folded = folded or (self.folding is not None and hit is None and self.folding.wants(position))
        return Qt.CursorShape.PointingHandCursor if hit is not None or folded else Qt.CursorShape.ArrowCursor

    def _note_at(self, position: QPointF) -> str:
        """Return the view's note on a place where nothing can be hit, such as its legend."""
        note = getattr(self._painter, "note_at", None)
        if note is None or self.frame is None or self.trouble is not None:
            return ""
        return str(note(position, QRectF(self.rect()), self.frame, self.camera))

    def _legend_at(self, position: QPointF) -> bool | None:
        """Return whether the legend at a point is folded, or None if there is no legend that can fold."""
        asked = getattr(self._painter, "legend_at", None)
        if asked is None or self.frame is None or self.trouble is not None:
            return None
        folded: bool | None = asked(position, QRectF(self.rect()), self.frame, self.camera)
        return folded

    def _disc_at(self, position: QPointF) -> Sequence[int]:
        """Return the processes that are drawn as one disc at a point, or none if there is no disc."""
        inside = getattr(self._painter, "disc_at", None)
        if inside is None or self.frame is None or self.trouble is not None:
            return ()
        processes: Sequence[int] = inside(position, QRectF(self.rect()), self.frame, self.camera)
        return processes

    def _rest(self, milliseconds: int) -> None:
        """Wait for the pointer to rest for the given time; 0 stops waiting."""
        if self._tip:
            self.killTimer(self._tip)
        self._tip = self.startTimer(milliseconds) if milliseconds else 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._tip:
            super().timerEvent(event)
            return
        self._rest(0)
        self.show_tooltip()

    def show_tooltip(self) -> None:
        """Explain what is under the pointer."""
        if self.frame is None or self._painter is None:
            return
        try:
            text = self._note if self._hit is None else str(self._painter.tooltip(self._hit, self.frame) or "")
        except Exception as error:  # noqa: BLE001  whatever a view does, the window lives
            self._failed(error)
            self.update()
            return
        if text:
            QToolTip.showText(self.mapToGlobal(self._last.toPoint()) + QPoint(12, 12), text, self)

    def leaveEvent(self, event: QEvent) -> None:
        self._rest(0)
        self._hit = None
        self.playhead.point_at(None)
        if self.aide is not None:
            self.aide.left()

    def end_gesture(self) -> None:
        """End a gesture whose release a menu or another window may have received."""
        drag, self._drag, self._press = self._drag, "", None
        if drag == "row" and self.hand is not None:
            self.hand.cancel()
        if self.aide is not None:
            self.aide.lost()
        if drag:
            self.setCursor(Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.aide is not None and self.aide.pressed(event):
            self._rest(0)
            QToolTip.hideText()
            event.accept()
            return
        self.end_gesture()  # another button ends the gesture of the first
        event.accept()
        self._rest(0)
        QToolTip.hideText()
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            return  # it opens a menu and begins no drag
        self._press = self._last = event.position()
        add = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self._before = self.playhead.selection.processes if add else frozenset()
        if event.button() == Qt.MouseButton.MiddleButton and self.spec.mouse in ("map", "time", "space"):
            self._drag = "pan"
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton and self._overview_at(event.position(), inside=True):
            self._drag = "overview"
            self._centre(event.position())

    def _overview_at(self, position: QPointF, *, inside: bool) -> tuple[float, float] | None:
        """Return the point of the network that a point of the overview map means, if the view shows a map."""
        asked = getattr(self._painter, "overview_at", None)
        if asked is None or self.frame is None or self.trouble is not None:
            return None
        place: tuple[float, float] | None = asked(position, QRectF(self.rect()), self.frame, self.camera, inside=inside)
        return place

    def _centre(self, position: QPointF) -> None:
        """Move the view to a point of the overview map."""
        place = self._overview_at(position, inside=False)
        if place is None or not isinstance(self.camera, NetworkCamera) or self.camera.scale is None:
            return
        scale = self.camera.scale
        middle = self._room().center()
        self.camera.set(scale, middle.x() - place[0] * scale, middle.y() - place[1] * scale * self.camera.aspect)
        self.refresh()

    def _dragged(self, position: QPointF, buttons: Qt.MouseButton) -> None:
        assert self._press is not None
        if not self._drag and (position - self._press).manhattanLength() > SLACK:
            self._begin_drag(self._press, buttons)
        moved = position - self._last
        if self._drag in ("pan", "turn") and self.pilot is not None:
            self.pilot.dragged(moved.x(), moved.y(), sideways=self._drag == "pan")
        elif self._drag == "pan" and isinstance(self.camera, NetworkCamera):
            self._need_scale()
            self.camera.pan(moved.x(), moved.y())
            self.refresh()
        elif self._drag == "pan" and isinstance(self.camera, TimeCamera):
            self.camera.drag(self.time_at(self._last.x()), self.time_at(position.x()))
        elif self._drag == "overview":
            self._centre(position)
        elif self._drag == "scrub":
            self.scrubbed.emit(self.time_at(position.x()))
        elif self._drag == "row" and self.hand is not None:
            self.hand.drag(position)
        elif self._drag == "aide" and self.aide is not None:
            self.aide.drag(position)
        elif self._drag == "sweep":
            found = self._painter.swept(self._press, position, QRectF(self.rect()), self.frame)
            self.playhead.select(Selection(processes=self._before | frozenset(found)))

    def _begin_drag(self, start: QPointF, buttons: Qt.MouseButton) -> None:
        """Begin the drag that belongs to a place."""
        self._drag = {"time": "scrub", "map": "pan", "space": "turn"}.get(self.spec.mouse, "none")
        if not buttons & Qt.MouseButton.LeftButton:
            return
        if self.hand is not None and self.hand.take(start):
            self._drag = "row"
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self.aide is not None and self.aide.takes(start):
            self._drag = "aide"
        elif hasattr(self._painter, "swept") and self.frame is not None and self.trouble is None:
            self._drag = "sweep"

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.aide is not None and self.aide.released(event):
            event.accept()
            return
        pressed, dragged, self._drag, self._press = self._press, self._drag, "", None
        self.setCursor(Qt.CursorShape.ArrowCursor)
        event.accept()
        if dragged == "row" and self.hand is not None:
            self.hand.let_go(event.position())
        if dragged == "aide" and self.aide is not None:
            self.aide.let_fall(event.position())
        if pressed is None or dragged or event.button() != Qt.MouseButton.LeftButton:
            return
        add = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        folded = self._legend_at(event.position())
        if folded is not None and isinstance(self.camera, NetworkCamera | SpaceCamera):
            self.camera.folded = not folded
            self.refresh()
        elif self.pilot is not None and self.pilot.follow_map(event.position()):
            return
        elif self.hand is None:
            hit = self.hit(event.position())
            if hit is None and self.folding is not None and self.folding.click(event.position()):
                return
            self.playhead.pick(hit, add=add)
        elif self.hand.on_fold(event.position()):
            self.hand.unfold()
        else:
            self.hand.pick(self.hit(event.position()), add=add)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.aide is not None and self.aide.pressed(event):
            event.accept()
            return
        hit = self.hit(event.position())
        event.accept()
        if self.pilot is not None:
            if self._legend_at(event.position()) is None and not self.pilot.on_map(event.position()):
                self.pilot.clicked_twice(hit)
        elif hit is None:
            disc = self._disc_at(event.position())
            folds = self.folding is not None and self.folding.wants(event.position())
            if isinstance(self.camera, TimeCamera):
                self.camera.toggle() if self.camera.rows is None else self.camera.fit()
            elif not folds:
                self.close_up(disc) if len(disc) else self.fit()
        elif hit.kind == "event" and self.playhead.timeline is not None:
            self.playhead.pause()
            self.playhead.seek(float(self.playhead.timeline.time[int(hit.id)]))  # type: ignore[arg-type]
        elif hit.kind == "process":
            self.opened.emit(int(hit.id))  # type: ignore[arg-type]

    # ------------------------------------------------------------------ moving

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        position = event.position()
        event.accept()
        if not turned or (self.hand is not None and self.hand.wheel(event, turned)):
            return
        sideways = event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not event.angleDelta().y()
        if isinstance(self.camera, TimeCamera) and sideways:
            self.camera.move(-turned / 1200)
        elif self.spec.mouse == "list":
            self._scroll(-1 if turned > 0 else 1)
        else:
            self.zoom(1.0015**turned, position)

    def set_option(self, name: str, value: Any) -> None:
        if name == "sort" and self.hand is not None:
            self.hand.camera.reset_order()
        before = self.options.get(name, next(iter(SPACES)))
        super().set_option(name, value)
        if name == "layout" and self.pilot is not None and before != value and self.isVisible():
            self.pilot.rearrange(str(before))

    def _scroll(self, rows: int) -> None:
        scroll = getattr(self._painter, "scrolled", None)
        if scroll is not None and self.frame is not None:
            self.set_option("offset", scroll(self.frame, rows * 3, QRectF(self.rect())))

    # ------------------------------------------------------------------ keys and focus

    def event(self, event: QEvent) -> bool:
        """Keep keys for the rows that are also keys of the window, and zoom by pinching."""
        if isinstance(event, QNativeGestureEvent):
            return self._pinched(event)
        override = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if override and self.pilot is not None and self.pilot.wants(event):  # type: ignore[arg-type]
            event.accept()
            return True
        rows = override and self.hand is not None and self.hand.wants(event)  # type: ignore[arg-type]
        if rows or (override and (self._folds(event) or self._lets_go(event))):  # type: ignore[arg-type]
            event.accept()
            return True
        return super().event(event)

    def _pinched(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture or self.spec.mouse == "list":
            return False
        self.zoom(max(1.0 + event.value(), 0.1), event.position())
        return True

    def _folds(self, event: QKeyEvent) -> bool:
        """Return whether a key folds the cluster that is unfolded."""
        return self.folding is not None and self.folding.is_open and event.key() == Qt.Key.Key_Escape

    def _lets_go(self, event: QKeyEvent) -> bool:
        """Return whether a key cancels the dragging of a thing."""
        return self._drag == "aide" and event.key() == Qt.Key.Key_Escape

    def focusInEvent(self, event: QFocusEvent) -> None:
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
        self.setProperty("keyboard", event.reason() in reasons)
        self._drawn = None
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self.pilot is not None:
            self.pilot.rest()
        self._drawn = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        arrows = {
            Qt.Key.Key_Left: (-1.0, 0.0),
            Qt.Key.Key_Right: (1.0, 0.0),
            Qt.Key.Key_Up: (0.0, -1.0),
            Qt.Key.Key_Down: (0.0, 1.0),
        }
        if self.pilot is not None and self.pilot.key(event):
            return
        if self.hand is not None and self.hand.key(event):
            self._drag = "none" if self._drag == "row" else self._drag
        elif self._folds(event) and self.folding is not None:
            self.folding.fold()
        elif self._lets_go(event):
            self.end_gesture()
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in arrows:
            self._walk(*arrows[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self.pilot is None or not self.pilot.released(event):
            super().keyReleaseEvent(event)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge around a point; in space, come nearer."""
        if self.pilot is not None:
            self.pilot.nearer(factor)
        else:
            super().zoom(factor, at)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.accept()
        if event.reason() != QContextMenuEvent.Reason.Keyboard:
            self.menu_wanted.emit(self.hit(QPointF(event.pos())), event.globalPos())
        else:
            self.ask_for_menu()

    def ask_for_menu(self) -> None:
        """Request the menu of the selection at its place in the view."""
        chosen = thing_of(self.playhead.selection)
        place = self.process_rect(int(chosen.id)) if chosen is not None and chosen.kind == "process" else None  # type: ignore[arg-type]
        at = self.rect().center() if place is None else place.center().toPoint()
        self.menu_wanted.emit(chosen, self.mapToGlobal(at))

    def _walk(self, dx: float, dy: float) -> None:
        """Select the nearest process in a direction, or the first one if none is selected."""
        timeline, chosen = self.playhead.timeline, sorted(self.playhead.selection.processes)
        if timeline is None or not timeline.n:
            return
        places = getattr(self.frame, "positions", None)
        if not chosen:
            self.playhead.pick(Hit("process", 0))
        elif places is None or len(places) != timeline.n:
            self.playhead.pick(Hit("process", min(max(chosen[0] + int(dx + dy), 0), timeline.n - 1)))
        else:
            x, y = places[chosen[0]]
            ahead = [
                ((px - x) ** 2 + (py - y) ** 2 + 3 * ((px - x) * dy - (py - y) * dx) ** 2, index)
                for index, (px, py) in enumerate(places)
                if (px - x) * dx + (py - y) * dy > 1e-9
            ]
            if ahead:
                self.playhead.pick(Hit("process", min(ahead)[1]))


#: The number of rows that a notch of the wheel scrolls, and the factor by which it enlarges them.
NOTCH, GROWTH = 3.0, 1.25


class TimeHand:
    """The handling of mouse and keys for the rows of one canvas; it has no effect while the view is empty."""

    def __init__(self, canvas: Canvas, camera: TimeCamera) -> None:
        self.canvas, self.camera = canvas, camera
        self._held: int | None = None

    # ------------------------------------------------------------------ positions

    @property
    def rows(self) -> Rows | None:
        """Return the current arrangement of rows, or ``None`` before anything was drawn."""
        canvas, head = self.canvas, self.canvas.playhead
        if canvas.frame is None or canvas.trouble is not None or head.timeline is None:
            return None
        sort = str(canvas.options.get("sort", "id"))
        return arranged(
            head.timeline, sort, selected=head.selection.processes, hidden=self.camera.hidden, order=self.camera.order
        )

    @property
    def n(self) -> int:
        """The number of processes."""
        timeline = self.canvas.playhead.timeline
        return 0 if timeline is None else timeline.n

    def _ask(self, name: str, position: QPointF) -> Any:
        """Return the painter's answer about a point."""
        if self.rows is None or self.canvas.painter is None:
            return None
        rect = QRectF(self.canvas.rect())
        return getattr(self.canvas.painter, name)(position, rect, self.canvas.frame, self.camera)

    def head_at(self, position: QPointF) -> int | None:
        """Return the process whose head is at a point."""
        found: int | None = self._ask("head_at", position)
        return found

    def on_fold(self, position: QPointF) -> bool:
        """Return whether the row that represents hidden processes is at a point."""
        return bool(self._ask("fold_at", position))

    # ------------------------------------------------------------------ dragging a row

    @property
    def holding(self) -> bool:
        """Whether a row is being dragged."""
        return self._held is not None

    def take(self, position: QPointF) -> bool:
        """Start dragging the row whose head is at a point; return False if there is none."""
        self._held = self.head_at(position)
        return self._held is not None

    def drag(self, position: QPointF) -> None:
        """Move the dragged row; at the edges, the others scroll."""
        rows = self.rows
        if self._held is None or rows is None:
            return
        g = self.canvas.painter.geometry(QRectF(self.canvas.rect()), self.canvas.frame, self.camera)
        if g.scrolled and not g.top <= position.y() <= g.bottom:
            self.camera.scroll_rows(-1.0 if position.y() < g.top else 1.0, len(rows))
        self.camera.lift((self._held, position.y()))

    def let_go(self, position: QPointF) -> None:
        """Drop the dragged row at its current place."""
        process, rows = self._held, self.rows
        self.cancel()
        if process is None or rows is None:
            return
        g = self.canvas.painter.geometry(QRectF(self.canvas.rect()), self.canvas.frame, self.camera)
        gap, now = self.canvas.painter.gap(g, position.y()), int(rows.row[process])
        self.camera.move_row(rows, process, gap - (gap > now))

    def cancel(self) -> None:
        """Cancel the drag and leave the row where it was."""
        self._held = None
        self.camera.lift(None)

    # ------------------------------------------------------------------ rows

    def chosen(self) -> list[int]:
        """Return the selected processes that have rows, from top to bottom."""
        rows = self.rows
        if rows is None:
            return []
        chosen = [p for p in self.canvas.playhead.selection.processes if 0 <= p < self.n and rows.row[p] >= 0]
        return sorted(chosen, key=lambda p: int(rows.row[p]))

    def shift(self, by: int) -> bool:
        """Move the row of the selected process up (-1) or down (1); return True unless none is selected."""
        rows, chosen = self.rows, self.chosen()
        if rows is None or len(chosen) != 1:
            return False
        row = min(max(int(rows.row[chosen[0]]) + by, 0), len(rows) - 1)
        self.camera.move_row(rows, chosen[0], row)
        self.camera.see_row(row, len(rows))
        return True

    def hide(self, processes: list[int]) -> None:
        """Hide the rows of some processes."""
        self.camera.hide(processes, self.n)

    def show_only(self, processes: list[int]) -> None:
        """Show only some processes and their neighbours."""
        timeline = self.canvas.playhead.timeline
        if timeline is not None and processes:
            self.camera.show_only(near(timeline, processes), timeline.n)

    def unfold(self) -> None:
        """Show the row of every process again."""
        if self.canvas.options.get("sort") == "near":
            choice = next(c for c in self.canvas.spec.choices if c.name == "sort")
            self.canvas.asked.emit(choice, "id")
        self.camera.show_all()

    # ------------------------------------------------------------------ events

    def pick(self, hit: Hit | None, *, add: bool) -> None:
        """Select what was clicked; adding a second event compares the two."""
        head = self.canvas.playhead
        event = head.selection.event
        if not add or hit is None or hit.kind != "event" or event is None or hit.id == event:
            self.camera.compare(None)
            head.pick(hit, add=add)
            return
        if self.canvas.compared == hit.id:
            self.camera.compare(None)
            return
        assert isinstance(hit.id, int) and head.timeline is not None
        self.camera.compare((event, hit.id))
        process = int(head.timeline.process[hit.id])
        if process >= 0:
            head.select(replace(head.selection, processes=head.selection.processes | {process}))

    # ------------------------------------------------------------------ wheel and keys

    def wheel(self, event: QWheelEvent, turned: float) -> bool:
        """Enlarge rows with Ctrl+Shift, or else scroll them if not all fit; return whether the event was used."""
        rows = self.rows
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if rows is None or control != shift:
            return False
        if control:
            g = self.canvas.painter.geometry(QRectF(self.canvas.rect()), self.canvas.frame, self.camera)
            at = g.first + (min(max(event.position().y(), g.top), g.bottom) - g.top) / g.pitch
            self.camera.zoom_rows(GROWTH ** (turned / 120), len(rows), at)
            return True
        first, last = self.camera.rows or (0.0, float(len(rows)))
        step = min(NOTCH, max((last - first) / 4, 0.5))
        return self.camera.rows is not None and (
            self.camera.scroll_rows(-turned / 120 * step, len(rows)) or self.camera.rows is not None
        )

    def wants(self, event: QKeyEvent) -> bool:
        """Return whether a key that is also a key of the window is for the rows at the moment."""
        if event.key() == Qt.Key.Key_Escape:
            return self.holding
        return event.matches(QKeySequence.StandardKey.Undo) and self.camera.can_take_back

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key; return True if it was for the rows."""
        if not self.wants(event):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
        else:
            self.camera.take_back()
        return True
