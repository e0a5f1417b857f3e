"""The widget that shows the network of a :class:`Board` and edits it by mouse and keyboard."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
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
from PySide6.QtWidgets import QMenu, QWidget

from lydian.app.look.theme import Theme
from lydian.app.network.board.board import TOOLS, Board, Chosen
from lydian.app.network.board.boardview import BoardView
from lydian.app.network.board.nameedit import NameEdit
from lydian.app.network.gestures import clicks
from lydian.app.network.gestures.base import Gesture, Hit, Touch
from lydian.app.network.gestures.brush import Brush
from lydian.app.network.gestures.choose import Band, Lasso
from lydian.app.network.gestures.link import DrawLink
from lydian.app.network.gestures.move import Move, Pan
from lydian.language import tr, trc, trn
from lydian.model.editing.alignment import ALIGN, SPREAD, align, spread
from lydian.model.editing.links import Pair, Way, direct
from lydian.model.editing.processes import move
from lydian.views.network.drawing import ahead, alike
from lydian.views.network.snapping import GRID

__all__ = ["EditorCanvas", "turn"]

Floats = NDArray[np.float64]
#: The number of pixels that the pointer may move between the press and the release of a click.
SLACK = 4


class EditorCanvas(BoardView):
    """The widget that paints ``board.network`` and edits it.

    Attributes:
        snap_grid, snap_guides: whether dragged processes snap to the grid, and into line with others.
    """

    #: Emitted when the user wants to set the failures of a link (its pair) or a process (its name).
    failure_wanted = Signal(object)
    #: Emitted when the user wants the properties of a process (its name) or a link (its pair).
    opened = Signal(object)

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(board, theme, parent)
        self.snap_grid = self.snap_guides = True
        self.keys = _Keys(self)
        self._press: tuple[Touch, Hit | None] | None = None
        self._burst = 0  # a timer of the widget, which ends with the widget
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    # ------------------------------------------------------------------ mouse

    def touch(self, event: QMouseEvent | QPointF) -> Touch:
        """Return the place of a mouse event or a pixel, with the modifier keys of the event."""
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
        """Whether the mouse button is pressed and the pointer has not moved yet."""
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
                self.drop()  # another button cancels the gesture
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
        """End a gesture whose release went to a menu or another window; keep a moved view, but cancel an edit."""
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
        """Begin to draw a link from a process; the next click, or Enter, ends it."""
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
        """Open the menu for the process or link at a pixel, or for the selection."""
        touch = self.touch(at)
        hit = self.hit(touch.sx, touch.sy)
        if hit is not None and not chosen:
            there = self.board.chosen.links if hit.pair is not None else self.board.chosen.processes
            if hit.what not in there:
                clicks.choose(self.board, hit, touch)
        elif not chosen:
            clicks.choose(self.board, None, touch)
        menu = _menu_for(self, touch)
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
        """Merge the edits of one group within the given time into one step; 0 ends the burst."""
        if self._burst:
            self.killTimer(self._burst)
        self._burst = self.startTimer(milliseconds) if milliseconds else 0

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._burst:
            self.keys.settle()
        else:
            super().timerEvent(event)

    def start_text_edit(self, name: str) -> None:
        """Open a field at a process to edit its name."""
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


Key = Qt.Key
Standard = QKeySequence.StandardKey
#: Presses of arrow keys less than this many milliseconds apart are one step of the history.
BURST = 700
#: The distance of a new process from the selected one.
BESIDE = 4 * GRID
_ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}
_TOOLS = {getattr(Key, f"Key_{letter}"): tool for tool, letter in TOOLS.items()}
_SHIFT, _CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
_ALT, _META = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.MetaModifier


class _Keys:
    """The keyboard commands of a canvas."""

    def __init__(self, canvas: EditorCanvas) -> None:
        self.canvas = canvas

    def wants(self, event: QKeyEvent) -> bool:
        """Return True if the canvas handles a key, even if the key also has a meaning in the window."""
        return self._meaning(event) is not None

    def press(self, event: QKeyEvent) -> bool:
        """Carry out the command of a key; return False if it has none here."""
        meaning = self._meaning(event)
        if meaning is None:
            return False
        self.canvas.setProperty("keyboard", True)
        meaning()
        self.canvas.update()
        event.accept()
        return True

    def release(self, event: QKeyEvent) -> bool:
        """Handle the release of a key; return True if it ends panning."""
        if event.key() != Key.Key_Space or event.isAutoRepeat():
            return False
        self.canvas.panning = False
        self.canvas.show_pointer()
        return True

    def settle(self) -> None:
        """Let the next arrow key begin a new step of the history."""
        self.canvas.burst(0)
        self.canvas.board.document.settle()

    # ------------------------------------------------------------------ meanings

    def _meaning(self, event: QKeyEvent) -> Callable[[], object] | None:
        canvas, board = self.canvas, self.canvas.board
        key = Key(event.key())
        held = event.modifiers() & (_SHIFT | _CTRL | _ALT | _META)
        shift = bool(held & _SHIFT)
        if key in _ARROWS and not held & (_CTRL | _META):
            dx, dy = _ARROWS[key]
            if held & _ALT:
                return lambda: self._walk(dx, dy, directed=shift)
            return (lambda: self._nudge(dx, dy, 1.0 if shift else GRID)) if board.chosen.processes else None
        standard = self._standard(event)
        if standard is not None:
            return standard
        if held & _CTRL and not held & (_ALT | _META):
            if key == Key.Key_D:
                return board.duplicate
            if key == Key.Key_0:
                return canvas.fit
        if held & ~_SHIFT:
            return None
        if key == Key.Key_Escape:
            return self._escape()
        if key in (Key.Key_Return, Key.Key_Enter):
            return self._enter(directed=shift)
        if shift:
            return None
        if key in _TOOLS:
            return lambda: self._take(_TOOLS[key])
        return {
            Key.Key_F: canvas.fit_chosen,
            Key.Key_F2: self._rename if len(board.chosen.processes) == 1 else None,
            Key.Key_Space: self._pan,
            Key.Key_Plus: lambda: canvas.zoom(1.25),
            Key.Key_Minus: lambda: canvas.zoom(0.8),
            Key.Key_Backspace: board.delete_chosen,
        }.get(key)

    def _standard(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return the command of a key that the system defines, such as copy or undo."""
        board = self.canvas.board
        table: tuple[tuple[Standard, Callable[[], object]], ...] = (
            (Standard.Delete, board.delete_chosen),
            (Standard.SelectAll, board.choose_all),
            (Standard.Copy, board.copy),
            (Standard.Cut, board.cut),
            (Standard.Paste, self._paste),
            (Standard.Undo, board.document.undo),
            (Standard.Redo, board.document.redo),
        )
        return next((meaning for standard, meaning in table if event.matches(standard)), None)

    def _paste(self) -> None:
        self.canvas.board.paste()

    def _escape(self) -> Callable[[], object] | None:
        """Return a command that leaves the gesture, the tool or the selection, or ``None`` if there is none."""
        canvas, board = self.canvas, self.canvas.board
        if canvas.gesture is not None or canvas.pressed:
            return canvas.drop
        if board.tool != "select":
            return lambda: board.take("select")
        if board.chosen:
            return lambda: board.choose(Chosen())
        return None

    def _enter(self, *, directed: bool) -> Callable[[], object] | None:
        canvas, board = self.canvas, self.canvas.board
        gesture = canvas.gesture
        if isinstance(gesture, DrawLink):
            return lambda: self._join(gesture, directed=directed or gesture.overlay.directed)
        if board.tool == "process":
            return self._put
        if board.tool == "initiator" and board.chosen.processes:
            return self._start
        if board.tool == "brush" and board.chosen.links and board.brush is not None:
            return self._brush
        if board.tool == "failure" and len(board.chosen.links) == 1:
            return self._fail
        chosen = [*board.chosen.processes, *board.chosen.links]
        return (lambda: canvas.opened.emit(chosen[0])) if len(chosen) == 1 else None

    def _start(self) -> None:
        board = self.canvas.board
        board.toggle_initiators(board.chosen_processes())

    def _brush(self) -> None:
        board = self.canvas.board
        brush, pairs = board.brush, sorted(board.chosen.links)
        if brush is not None:
            board.do(
                board.brush_text or trn("Brush {count:,} link", "Brush {count:,} links", len(pairs)),
                lambda network: brush(network, pairs),
            )

    def _fail(self) -> None:
        canvas, board = self.canvas, self.canvas.board
        pair = next(iter(board.chosen.links))
        clicks.fail(board, pair)
        canvas.failure_wanted.emit(pair)

    def _join(self, gesture: DrawLink, *, directed: bool) -> None:
        if gesture.target is None:
            return
        self.canvas.gesture = None
        gesture.join(gesture.target, directed=directed)

    def _take(self, tool: str) -> None:
        """Choose a tool; P adds a process beside the selected one if the pointer is not over the board."""
        canvas, board = self.canvas, self.canvas.board
        if tool == "process" and canvas.pointer is None and (len(board.chosen.processes) == 1 or board.tool == tool):
            self._put()
            return
        board.take(tool)

    def _put(self) -> None:
        """Add a process where there is room, beside the selected one or else in the middle of the view."""
        canvas, board = self.canvas, self.canvas.board
        names, points = board.chosen_processes(), canvas.scene.points
        if len(names) == 1:
            x, y = points[board.network.index[names[0]]].tolist()
            turns = [(r, k) for r in range(1, 12) for k in (0, 2, 6, 4, 1, 7, 3, 5)]
        else:
            middle = canvas.free().center()
            x, y = canvas.view.place(middle.x(), middle.y())
            turns = [(0, 0), *((r, k) for r in range(1, 12) for k in range(8))]
        for ring, turn in turns:
            angle = turn * math.pi / 4
            at = (x + BESIDE * ring * math.cos(angle), y + BESIDE * ring * math.sin(angle))
            if not len(points) or float(np.hypot(points[:, 0] - at[0], points[:, 1] - at[1]).min()) > BESIDE / 2:
                break
        clicks.put_process(canvas, Touch(*at))

    def _rename(self) -> None:
        self.canvas.start_text_edit(next(iter(self.canvas.board.chosen.processes)))

    def _pan(self) -> None:
        self.canvas.panning = True
        self.canvas.show_pointer()

    def _nudge(self, dx: int, dy: int, step: float) -> None:
        canvas, board = self.canvas, self.canvas.board
        names = board.chosen_processes()
        network = board.network
        points = network.coordinates[[network.index[name] for name in names]] + (dx * step, dy * step)
        positions = dict(zip(names, map(tuple, points.tolist()), strict=True))
        text = trn("Move process {process}", "Move {count:,} processes", len(names), process=names[0])
        canvas.own_move = True
        board.do(text, lambda drawn: move(drawn, positions), group=f"nudge {hash(tuple(names))}")
        canvas.own_move = False
        canvas.burst(BURST)

    # ------------------------------------------------------------------ moving between processes

    def _walk(self, dx: int, dy: int, *, directed: bool) -> None:
        """Select the nearest process in a direction; with the link tool, aim the new link at it."""
        canvas, board = self.canvas, self.canvas.board
        network, points = board.network, canvas.scene.points
        names = board.chosen_processes()
        gesture = canvas.gesture
        if isinstance(gesture, DrawLink) or (board.tool == "link" and len(names) == 1):
            if not isinstance(gesture, DrawLink):
                gesture = canvas.begin_link(names[0])
            at = network.index[gesture.target or gesture.name]
            found = ahead(points, at, dx, dy, [network.index[gesture.name]])
            if found is not None:
                gesture.aim(network.processes[found], directed=directed)
            return
        if not network.n:
            return
        found = ahead(points, network.index[names[0]], dx, dy) if names else 0
        if found is not None:
            self._choose(network.processes[found])

    def walk_all(self, step: int) -> bool:
        """Select the next process (1) or the previous one (-1); return False if there is none."""
        board = self.canvas.board
        network = board.network
        names = board.chosen_processes()
        if not network.n:
            return False
        number = (network.index[names[-1 if step > 0 else 0]] + step) if names else (0 if step > 0 else network.n - 1)
        if not 0 <= number < network.n:
            return False
        self.canvas.setProperty("keyboard", True)
        self._choose(network.processes[number])
        return True

    def _choose(self, name: str) -> None:
        canvas = self.canvas
        canvas.board.choose_processes([name])
        at = canvas.pixel_of(name)
        if not canvas.rect().adjusted(20, 20, -20, -20).contains(at.toPoint()):
            canvas.centre_on(name)


_ALIGNED = {
    "left": tr("&Left edges"), "centre": tr("&Centres, in a column"), "right": tr("&Right edges"),
    "top": tr("&Top edges"), "middle": tr("&Middles, in a row"), "bottom": tr("&Bottom edges"),
}  # fmt: skip
_SPREAD = {"across": trc("spread processes", "&Across"), "down": trc("spread processes", "&Down")}
_WAYS: dict[Way, str] = {"both": tr("&Both ways"), "forward": tr("&One way"), "backward": tr("&Reverse")}


def _menu_for(canvas: EditorCanvas, touch: Touch) -> QMenu:
    """Return the menu for the selection and a place; the menu deletes itself when it is closed."""
    menu = QMenu(canvas)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setAccessibleName(tr("Commands for this place"))
    board = canvas.board
    processes, links = board.chosen_processes(), sorted(board.chosen.links)

    def entry(text: str, do: Callable[[], object], key: str = "", on: bool = True, to: QMenu = menu) -> None:
        action = to.addAction(f"{text}\t{key}" if key else text)
        action.triggered.connect(lambda _checked=False: do())
        action.setEnabled(on)

    if processes:
        if len(processes) == 1:
            entry(tr("&Rename"), lambda: canvas.start_text_edit(processes[0]), "F2")
        starting = set(board.network.initiators).issuperset(processes)
        text = (
            trn("Remove as &initiator", "Remove as &initiators", len(processes))
            if starting
            else trn("Make &initiator", "Make &initiators", len(processes))
        )
        entry(text, lambda: board.toggle_initiators(processes))
        if len(processes) == 1:
            entry(tr("&Link from here"), lambda: canvas.begin_link(processes[0]), "L")
        if len(processes) > 1:
            lining = menu.addMenu(trc("menu of a drawing", "&Align"))
            for how in ALIGN:
                entry(_ALIGNED[how], partial(_align, board, processes, how), to=lining)
            spreading = menu.addMenu(trc("menu of a drawing", "S&pread"))
            spreading.setEnabled(len(processes) > 2)
            for how in SPREAD:
                entry(_SPREAD[how], partial(_spread, board, processes, how), to=spreading)
        menu.addSeparator()
    if links:
        for way, text in _WAYS.items():
            entry(text, partial(turn, board, links, way))
        if len(links) == 1:
            entry(tr("Add an &outage"), lambda: _fail(canvas, links[0]), "X")
        menu.addSeparator()
    if processes or links:
        entry(tr("&Select like this"), lambda: board.choose(Chosen(*alike(board.network, processes, links))))
        menu.addSeparator()
        entry(tr("Cu&t"), board.cut, "Ctrl+X", bool(processes))
        entry(tr("&Copy"), board.copy, "Ctrl+C", bool(processes))
    else:
        entry(tr("Add a &process here"), lambda: clicks.put_process(canvas, touch))
    entry(tr("&Paste here"), lambda: board.paste((touch.x, touch.y)), "Ctrl+V")
    if processes or links:
        entry(tr("D&uplicate"), board.duplicate, "Ctrl+D", bool(processes))
        entry(tr("&Delete"), board.delete_chosen, "Del")
    else:
        entry(tr("Select &all"), board.choose_all, "Ctrl+A", bool(board.network.n))
    menu.addSeparator()
    entry(trc("menu of a drawing", "&Fit"), canvas.fit_chosen if processes or links else canvas.fit, "F")
    return menu


def turn(board: Board, links: list[Pair], way: Way) -> bool:
    """Make links two-way or one-way, or reverse them; they stay selected."""
    a, b = links[0]
    if way == "both":
        text = trn(
            "Make link {process}-{neighbour} two-way",
            "Make {count:,} links two-way",
            len(links),
            process=a,
            neighbour=b,
        )
    elif way == "forward":
        text = trn(
            "Make link {process}-{neighbour} one-way",
            "Make {count:,} links one-way",
            len(links),
            process=a,
            neighbour=b,
        )
    else:
        text = trn("Reverse link {process}-{neighbour}", "Reverse {count:,} links", len(links), process=a, neighbour=b)
    after = frozenset((b, a) if way == "backward" else (a, b) for a, b in links)
    done = board.do(text, lambda network: direct(network, links, way))
    if done:
        board.choose(Chosen(board.chosen.processes, after))
    return done


def _align(board: Board, names: list[str], how: str) -> None:
    text = trn("Align {count:,} process", "Align {count:,} processes", len(names))
    board.do(text, lambda network: align(network, names, how))


def _spread(board: Board, names: list[str], how: str) -> None:
    text = trn("Spread {count:,} process", "Spread {count:,} processes", len(names))
    board.do(text, lambda network: spread(network, names, how))


def _fail(canvas: EditorCanvas, pair: Pair) -> None:
    clicks.fail(canvas.board, pair)
    canvas.failure_wanted.emit(pair)
