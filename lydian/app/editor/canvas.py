"""The drawing board as a widget: shows the network of a :class:`Board` and edits it by mouse and keyboard."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from lydian.app.editor import canvasmenu
from lydian.app.editor.board import Board
from lydian.app.editor.boardview import BoardView
from lydian.app.editor.canvaskeys import Keys
from lydian.app.editor.gestures import clicks
from lydian.app.editor.gestures.base import Gesture, Hit, Touch
from lydian.app.editor.gestures.brush import Brush
from lydian.app.editor.gestures.choose import Band, Lasso
from lydian.app.editor.gestures.link import DrawLink
from lydian.app.editor.gestures.move import Move, Pan
from lydian.app.editor.nameedit import NameEdit
from lydian.app.look.theme import Theme

__all__ = ["EditorCanvas"]

Floats = NDArray[np.float64]
#: Pixels the pointer may move between press and release of a click.
SLACK = 4


class EditorCanvas(BoardView):
    """Paints ``board.network`` and edits it.

    Attributes:
        snap_grid, snap_guides: whether what is dragged comes to rest on the grid, and in line with others.
    """

    #: Somebody wants to say when a link (a pair) or a process (its name) fails.
    failure_wanted = Signal(object)
    #: Somebody wants the properties of a process (its name) or a link (a pair).
    opened = Signal(object)

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(board, theme, parent)
        self.snap_grid = self.snap_guides = True
        self.keys = Keys(self)
        self._press: tuple[Touch, Hit | None] | None = None
        self._burst = 0  # a timer of the widget itself: it ends with it
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    # ------------------------------------------------------------------ mouse

    def touch(self, event: QMouseEvent | QPointF) -> Touch:
        """Where an event is, or a pixel."""
        position = event if isinstance(event, QPointF) else event.position()
        held = Qt.KeyboardModifier.NoModifier if isinstance(event, QPointF) else event.modifiers()
        x, y = self.view.place(position.x(), position.y())
        return Touch(
            x, y, position.x(), position.y(),
            shift=bool(held & Qt.KeyboardModifier.ShiftModifier),
            ctrl=bool(held & Qt.KeyboardModifier.ControlModifier),
            alt=bool(held & Qt.KeyboardModifier.AltModifier),
        )  # fmt: skip

    def drop(self) -> None:
        self._press = None
        super().drop()

    @property
    def pressed(self) -> bool:
        """Whether the button is down and the pointer has not moved yet."""
        return self._press is not None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.setProperty("keyboard", False)
        if self.name_edit is not None and not self.name_edit.commit():
            self.name_edit.setFocus()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._stop_glide()
        touch, button = self.touch(event), event.button()
        if self.gesture is not None:
            if self.gesture.lasting and button == Qt.MouseButton.LeftButton:
                self._finish(touch)
            else:
                self.drop()  # another button lets go of it
            self._press = None
            return
        if button == Qt.MouseButton.MiddleButton or (button == Qt.MouseButton.LeftButton and self._pans()):
            self._begin(Pan(self), touch)
        elif button == Qt.MouseButton.LeftButton:
            self._press = touch, self.hit(touch.sx, touch.sy)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.pointer = event.position()
        if not event.buttons() and (self.pressed or (self.gesture is not None and not self.gesture.lasting)):
            self._lost(self.touch(event))
        touch = self.touch(event)
        if self._press is not None:
            begin, hit = self._press
            if math.hypot(touch.sx - begin.sx, touch.sy - begin.sy) > SLACK:
                self._press = None
                self._begin(self._gesture_for(hit, begin), begin)
        if self.gesture is not None:
            self.gesture.move(touch)
            self.update()
        elif self._press is None:
            self._hover(touch)

    def _gesture_for(self, hit: Hit | None, touch: Touch) -> Gesture:
        tool = self.board.tool
        if tool == "brush":
            return Brush(self)
        if hit is not None and hit.name:
            if tool == "link" or (hit.kind == "rim" and self.linkable):
                return DrawLink(self, hit.name)
            return Move(self, hit.name)
        return Lasso(self) if touch.alt else Band(self)

    def _begin(self, gesture: Gesture, touch: Touch) -> None:
        self.gesture = gesture
        self.board.hover(None)
        gesture.start(touch)
        self.show_pointer()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        touch = self.touch(event)
        press, self._press = self._press, None
        if self.gesture is not None and not self.gesture.lasting:
            self._finish(touch)
        elif press is not None:
            self._clicked(press[1], touch)
        if self.gesture is None:
            self._hover(touch)

    def _lost(self, touch: Touch) -> None:
        """The release went to a menu or to another window: the view stays where it is, an edit is cancelled."""
        if isinstance(self.gesture, Pan):
            self._finish(touch)
        else:
            self.drop()

    def _finish(self, touch: Touch) -> None:
        gesture = self.gesture
        assert gesture is not None
        self.own_move = isinstance(gesture, Move)
        self.keys.settle()
        gesture.finish(touch)
        self.gesture, self.own_move = None, False
        self.show_pointer()
        self.update()

    def begin_link(self, name: str) -> DrawLink:
        """Draw a link from a process until the next click, or Enter."""
        gesture = DrawLink(self, name, lasting=True)
        self._begin(gesture, self.touch(self.pixel_of(name)))
        return gesture

    def _clicked(self, hit: Hit | None, touch: Touch) -> None:
        board, tool = self.board, self.board.tool
        name = hit.name if hit is not None else ""
        if tool == "process" and hit is None:
            clicks.put_process(self, touch)
        elif tool == "link" and name:
            self.begin_link(name)
        elif tool == "initiator" and name:
            board.toggle_initiators([name])
        elif tool == "failure" and hit is not None:
            if hit.pair is not None:
                clicks.fail(board, hit.pair)
            else:
                board.choose_processes([name])
            self.failure_wanted.emit(hit.what)
        elif tool == "brush":
            self._begin(Brush(self), touch)
            self._finish(touch)
        else:
            clicks.choose(board, hit, touch)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton or self._pans() or self.board.tool not in ("select", "process"):
            self.mousePressEvent(event)
            return
        if self.name_edit is not None and not self.name_edit.commit():
            return
        touch = self.touch(event)
        hit = self.hit(touch.sx, touch.sy)
        if hit is None:
            name = clicks.put_process(self, touch)
            if name is not None:
                self.start_text_edit(name)
        elif hit.pair is not None:
            self.opened.emit(hit.pair)
        else:
            self.start_text_edit(hit.name)

    def _hover(self, touch: Touch) -> None:
        hit = self.hit(touch.sx, touch.sy) if QRectF(self.rect()).contains(touch.sx, touch.sy) else None
        rim = hit is not None and hit.kind == "rim"
        if rim != self.on_rim:
            self.on_rim = rim
            self.update()
        self.board.hover(None if hit is None else hit.what)
        self.show_pointer(hit)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointer = None
        self.board.hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        turned = event.angleDelta().y() or event.angleDelta().x()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan_by(turned / 2, 0)
        elif turned:
            self.zoom(1.0015**turned, event.position())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.accept()
        if self.gesture is not None:
            self.drop()
            return
        self._press = None
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            names = self.board.chosen_processes()
            at = self.pixel_of(names[0]) if names else QRectF(self.rect()).center()
            self.open_menu(at, chosen=True)
        else:
            self.open_menu(QPointF(event.pos()))

    def open_menu(self, at: QPointF, *, chosen: bool = False) -> None:
        """The menu of what is at a pixel, or of what is chosen."""
        touch = self.touch(at)
        hit = self.hit(touch.sx, touch.sy)
        if hit is not None and not chosen:
            there = self.board.chosen.links if hit.pair is not None else self.board.chosen.processes
            if hit.what not in there:
                clicks.choose(self.board, hit, touch)
        elif not chosen:
            clicks.choose(self.board, None, touch)
        menu = canvasmenu.menu_for(self, touch)
        menu.popup(self.mapToGlobal(at.toPoint()) if chosen else self.mapToGlobal(QPoint(round(at.x()), round(at.y()))))

    # ------------------------------------------------------------------ keys, focus, events

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.keys.wants(event):
            event.accept()
            return True
        pinch = event.type() == QEvent.Type.NativeGesture and isinstance(event, QNativeGestureEvent)
        if pinch and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:  # type: ignore[attr-defined]
            self.zoom(1.0 + event.value(), event.position())  # type: ignore[attr-defined]
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.keys.press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self.keys.release(event):
            super().keyReleaseEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        return self.keys.walk_all(1 if next else -1) or super().focusNextPrevChild(next)

    def focusInEvent(self, event: QFocusEvent) -> None:
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
        self.setProperty("keyboard", event.reason() in reasons)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.panning = False
        self.keys.settle()
        self.show_pointer()
        self.update()

    def burst(self, milliseconds: int) -> None:
        """Edits of one group within that time are one step; 0 ends the burst."""
        if self._burst:
            self.killTimer(self._burst)
        self._burst = self.startTimer(milliseconds) if milliseconds else 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._burst:
            self.keys.settle()
        else:
            super().timerEvent(event)

    def start_text_edit(self, name: str) -> None:
        """Have the name of a process typed where it stands."""
        self.board.network.number(name)
        if self.name_edit is not None:
            self.name_edit.cancel()
        edit = NameEdit(self.board, self.theme, name, self)
        self.name_edit = edit
        edit.ended.connect(self._named)
        edit.place(self.pixel_of(name))
        edit.show()
        edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _named(self, _name: str) -> None:
        had = self.name_edit is not None and self.name_edit.hasFocus()
        self.name_edit = None
        if had or self.focusWidget() is None:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.update()
