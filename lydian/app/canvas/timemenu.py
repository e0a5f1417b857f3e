"""What the menus of the views along time have beside the others': rows, and what an event is connected with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from lydian.views.selection import Hit

if TYPE_CHECKING:
    from lydian.app.canvas.canvas import Canvas

__all__ = ["add_causes", "add_rows", "choose_highlight", "toggle_longest"]

#: What can be shown of an event, and its words.
SHOWN: tuple[tuple[str | None, str], ...] = (
    ("past", "What &led to this"),
    ("future", "What came o&f it"),
    ("both", "Bot&h"),
    ("longest", "Longest chain so far"),
)


def choose_highlight(canvas: Canvas, mode: str | None) -> None:
    """Show another part of what led to the selected event and what came of it."""
    for choice in canvas.spec.choices:
        if choice.name == "highlighted":
            canvas.asked.emit(choice, mode)


def add_causes(menu: QMenu, canvas: Canvas, event: int) -> None:
    """What led to an event and what came of it; how it stands to the selected one.  Nothing in other views."""
    hand, head = canvas.hand, canvas.playhead
    if hand is None or canvas.spec.name != "causality":
        return
    selected = head.selection.event

    def chooser(mode: str | None) -> Callable[[], None]:
        def choose() -> None:
            if mode != "longest" and head.selection.event != event:
                hand.pick(Hit("event", event), add=False)
            choose_highlight(canvas, mode)

        return choose

    for mode, words in SHOWN:
        action = _add(menu, words, chooser(mode))
        action.setCheckable(True)
        action.setChecked(canvas.options.get("highlighted", "both") == mode and event == selected)
    if selected is not None and selected != event:
        _add(menu, "Compare &with the selected event", lambda: hand.pick(Hit("event", event), add=True))
    menu.addSeparator()


def add_rows(menu: QMenu, canvas: Canvas, process: int | None) -> None:
    """Hide rows, show some alone, move them; of all selected ones if the process is one of them."""
    hand, timeline = canvas.hand, canvas.playhead.timeline
    rows = None if hand is None else hand.rows
    if hand is None or timeline is None or rows is None:
        return
    camera = hand.camera
    chosen = hand.chosen()
    if process is not None and rows.row[process] >= 0:
        which = chosen if process in chosen and len(chosen) > 1 else [process]
        name = f"the {len(which)} selected" if len(which) > 1 else timeline.processes[process]
        _add(menu, f"&Hide {name}", lambda: hand.hide(which), len(rows) > len(which))
        neighbours = "their neighbours" if len(which) > 1 else "its neighbours"
        _add(menu, f"Show &only {name} and {neighbours}", lambda: hand.show_only(which))
    hidden = timeline.n - len(rows)
    _add(menu, f"Show &all ({hidden:,} hidden)" if hidden else "Show &all", hand.unfold, hidden > 0)
    if process is not None and rows.row[process] >= 0:
        row = int(rows.row[process])
        _add(menu, "Move &up", lambda: camera.move_row(rows, process, row - 1), row > 0)
        _add(menu, "Move &down", lambda: camera.move_row(rows, process, row + 1), row < len(rows) - 1)
    _add(menu, "&Reset order", camera.reset_order, camera.order is not None)
    _add(menu, "&Take back\tCtrl+Z", camera.take_back, camera.can_take_back)
    menu.addSeparator()


def _add(menu: QMenu, words: str, what: Callable[[], object], on: bool = True) -> QAction:
    action = menu.addAction(words)
    action.triggered.connect(lambda _checked=False: what())
    action.setEnabled(on)
    return action


def toggle_longest(canvas: Canvas) -> None:
    """Show the longest chain so far, or no longer."""
    choose_highlight(canvas, "both" if canvas.options.get("highlighted", "both") == "longest" else "longest")
