"""The keys of the drawing board: everything the mouse does can be done by them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from lydian.app.editor.board import TOOLS, Chosen
from lydian.app.editor.gestures import clicks
from lydian.app.editor.gestures.base import Touch
from lydian.app.editor.gestures.link import DrawLink
from lydian.model.editing.processes import move
from lydian.views.network.drawing import ahead
from lydian.views.network.snapping import GRID
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.app.editor.canvas import EditorCanvas

__all__ = ["Keys"]

Key = Qt.Key
Standard = QKeySequence.StandardKey
#: Arrows closer together than this, in milliseconds, are one step of the history.
BURST = 700
#: A new process stands so far beside the chosen one.
BESIDE = 4 * GRID
_ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, -1), Key.Key_Down: (0, 1)}
_TOOLS = {getattr(Key, f"Key_{letter}"): tool for tool, letter in TOOLS.items()}
_SHIFT, _CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
_ALT, _META = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.MetaModifier


class Keys:
    """What keys do on a canvas."""

    def __init__(self, canvas: EditorCanvas) -> None:
        self.canvas = canvas

    def wants(self, event: QKeyEvent) -> bool:
        """Whether the canvas does something at a key, whatever it means in the window."""
        return self._meaning(event) is not None

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key means; false if it means nothing here."""
        meaning = self._meaning(event)
        if meaning is None:
            return False
        self.canvas.setProperty("keyboard", True)
        meaning()
        self.canvas.update()
        event.accept()
        return True

    def release(self, event: QKeyEvent) -> bool:
        """Let go of a key."""
        if event.key() != Key.Key_Space or event.isAutoRepeat():
            return False
        self.canvas.panning = False
        self.canvas.show_pointer()
        return True

    def settle(self) -> None:
        """The next arrow begins a new step of the history."""
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
        """Keys that mean the same everywhere on a system."""
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
        """The nearest thing to leave: a gesture, a tool, what is chosen; nothing if there is none."""
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
            board.do(board.brush_text or f"Brush {plural(len(pairs), 'link')}", lambda network: brush(network, pairs))

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
        """A tool is taken in hand; P puts a process beside the chosen one if no pointer is over the board."""
        canvas, board = self.canvas, self.canvas.board
        if tool == "process" and canvas.pointer is None and (len(board.chosen.processes) == 1 or board.tool == tool):
            self._put()
            return
        board.take(tool)

    def _put(self) -> None:
        """A process beside the chosen one, where there is room; else in the middle of the view."""
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
        what = f"process {names[0]}" if len(names) == 1 else plural(len(names), "process")
        canvas.own_move = True
        board.do(f"Move {what}", lambda drawn: move(drawn, positions), group=f"nudge {hash(tuple(names))}")
        canvas.own_move = False
        canvas.burst(BURST)

    # ------------------------------------------------------------------ walking

    def _walk(self, dx: int, dy: int, *, directed: bool) -> None:
        """The nearest process in a direction is chosen; with the link tool it is where the link would go."""
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
        """The next process (1) or the one before (-1) is chosen; false beyond the last one."""
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
