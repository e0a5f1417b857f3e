"""The additional menu entries of the views along time: rows, and the causal past and future of an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from lydian.language import tr, trc, trn
from lydian.views.selection import Hit

if TYPE_CHECKING:
    from lydian.app.canvas.canvas import Canvas

__all__ = ["add_causes", "add_rows", "choose_highlight", "toggle_longest"]

#: The modes of causality and their labels.
SHOWN: tuple[tuple[str | None, str], ...] = (
    ("past", tr("Causal &past")),
    ("future", tr("Causal f&uture")),
    ("both", trc("causal past and future", "Bot&h")),
    ("longest", tr("Longest chain so far")),
)


def choose_highlight(canvas: Canvas, mode: str | None) -> None:
    """Show another mode of causality for the selected event."""
    for choice in canvas.spec.choices:
        if choice.name == "highlighted":
            canvas.asked.emit(choice, mode)


def add_causes(menu: QMenu, canvas: Canvas, event: int) -> None:
    """Add, in Causality only, the entries for the causal past and future of an event and for comparing it."""
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
        _add(menu, tr("Compare &with the selected event"), lambda: hand.pick(Hit("event", event), add=True))
    menu.addSeparator()


def add_rows(menu: QMenu, canvas: Canvas, process: int | None) -> None:
    """Add the entries that hide and move rows, for all selected ones if the process is one of them."""
    hand, timeline = canvas.hand, canvas.playhead.timeline
    rows = None if hand is None else hand.rows
    if hand is None or timeline is None or rows is None:
        return
    camera = hand.camera
    chosen = hand.chosen()
    if process is not None and rows.row[process] >= 0:
        which = chosen if process in chosen and len(chosen) > 1 else [process]
        hide = tr("&Hide {process}", process=timeline.processes[process])
        only = tr("Show &only {process} and its neighbours", process=timeline.processes[process])
        if len(which) > 1:
            hide = trn("&Hide the {count} selected", "&Hide the {count} selected", len(which))
            only = trn(
                "Show &only the {count} selected and their neighbours",
                "Show &only the {count} selected and their neighbours",
                len(which),
            )
        _add(menu, hide, lambda: hand.hide(which), len(rows) > len(which))
        _add(menu, only, lambda: hand.show_only(which))
    hidden = timeline.n - len(rows)
    words = trn("Show &all ({count:,} hidden)", "Show &all ({count:,} hidden)", hidden) if hidden else tr("Show &all")
    _add(menu, words, hand.unfold, hidden > 0)
    if process is not None and rows.row[process] >= 0:
        row = int(rows.row[process])
        _add(menu, tr("Move &up"), lambda: camera.move_row(rows, process, row - 1), row > 0)
        _add(menu, tr("Move &down"), lambda: camera.move_row(rows, process, row + 1), row < len(rows) - 1)
    _add(menu, tr("&Reset order"), camera.reset_order, camera.order is not None)
    _add(menu, tr("&Undo") + "\tCtrl+Z", camera.take_back, camera.can_take_back)
    menu.addSeparator()


def _add(menu: QMenu, words: str, what: Callable[[], object], on: bool = True) -> QAction:
    action = menu.addAction(words)
    action.triggered.connect(lambda _checked=False: what())
    action.setEnabled(on)
    return action


def toggle_longest(canvas: Canvas) -> None:
    """Show or hide the longest chain so far."""
    choose_highlight(canvas, "both" if canvas.options.get("highlighted", "both") == "longest" else "longest")
