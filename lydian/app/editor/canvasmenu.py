"""The menu of what is chosen on the drawing board."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from lydian.app.editor.board import Chosen
from lydian.app.editor.gestures import clicks
from lydian.app.editor.gestures.base import Touch
from lydian.model.editing.alignment import ALIGN, SPREAD, align, spread
from lydian.model.editing.links import Pair, Way, direct
from lydian.views.network.drawing import alike
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.app.editor.board import Board
    from lydian.app.editor.canvas import EditorCanvas

__all__ = ["menu_for", "turn"]

_ALIGNED = {
    "left": "&Left edges", "centre": "&Centres, one below the other", "right": "&Right edges",
    "top": "&Top edges", "middle": "&Middles, side by side", "bottom": "&Bottom edges",
}  # fmt: skip
_SPREAD = {"across": "&Across", "down": "&Down"}
_WAYS: dict[Way, str] = {"both": "&Both ways", "forward": "&One way", "backward": "&Turn round"}


def menu_for(canvas: EditorCanvas, touch: Touch) -> QMenu:
    """What can be done with what is chosen, and at a place; the menu deletes itself when it is closed."""
    menu = QMenu(canvas)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setAccessibleName("What can be done here")
    board = canvas.board
    processes, links = board.chosen_processes(), sorted(board.chosen.links)

    def entry(text: str, do: Callable[[], object], key: str = "", on: bool = True, to: QMenu = menu) -> None:
        action = to.addAction(f"{text}\t{key}" if key else text)
        action.triggered.connect(lambda _checked=False: do())
        action.setEnabled(on)

    if processes:
        if len(processes) == 1:
            entry("&Rename", lambda: canvas.start_text_edit(processes[0]), "F2")
        starting = set(board.network.initiators).issuperset(processes)
        initiators = "initiator" if len(processes) == 1 else "initiators"
        verb = "No longer" if starting else "Make"
        entry(f"{verb} &{initiators}", lambda: board.toggle_initiators(processes))
        if len(processes) == 1:
            entry("&Link from here", lambda: canvas.begin_link(processes[0]), "L")
        if len(processes) > 1:
            lining = menu.addMenu("&Align")
            for how in ALIGN:
                entry(_ALIGNED[how], partial(_align, board, processes, how), to=lining)
            spreading = menu.addMenu("S&pread")
            spreading.setEnabled(len(processes) > 2)
            for how in SPREAD:
                entry(_SPREAD[how], partial(_spread, board, processes, how), to=spreading)
        menu.addSeparator()
    if links:
        for way, text in _WAYS.items():
            entry(text, partial(turn, board, links, way))
        if len(links) == 1:
            entry("Add a &failure", lambda: _fail(canvas, links[0]), "X")
        menu.addSeparator()
    if processes or links:
        entry("&Select like this", lambda: board.choose(Chosen(*alike(board.network, processes, links))))
        menu.addSeparator()
        entry("Cu&t", board.cut, "Ctrl+X", bool(processes))
        entry("&Copy", board.copy, "Ctrl+C", bool(processes))
    else:
        entry("Put a &process here", lambda: clicks.put_process(canvas, touch))
    entry("&Paste here", lambda: board.paste((touch.x, touch.y)), "Ctrl+V")
    if processes or links:
        entry("D&uplicate", board.duplicate, "Ctrl+D", bool(processes))
        entry("&Delete", board.delete_chosen, "Del")
    else:
        entry("Select &all", board.choose_all, "Ctrl+A", bool(board.network.n))
    menu.addSeparator()
    entry("&Fit", canvas.fit_chosen if processes or links else canvas.fit, "F")
    return menu


def turn(board: Board, links: list[Pair], way: Way) -> bool:
    """Let links carry messages both ways, one way, or the other way; they stay chosen."""
    text = f"link {links[0][0]}-{links[0][1]}" if len(links) == 1 else plural(len(links), "link")
    verb = {"both": f"Make {text} two-way", "forward": f"Make {text} one-way", "backward": f"Turn {text} round"}[way]
    after = frozenset((b, a) if way == "backward" else (a, b) for a, b in links)
    done = board.do(verb, lambda network: direct(network, links, way))
    if done:
        board.choose(Chosen(board.chosen.processes, after))
    return done


def _align(board: Board, names: list[str], how: str) -> None:
    board.do(f"Align {plural(len(names), 'process')}", lambda network: align(network, names, how))


def _spread(board: Board, names: list[str], how: str) -> None:
    board.do(f"Spread {plural(len(names), 'process')}", lambda network: spread(network, names, how))


def _fail(canvas: EditorCanvas, pair: Pair) -> None:
    clicks.fail(canvas.board, pair)
    canvas.failure_wanted.emit(pair)
