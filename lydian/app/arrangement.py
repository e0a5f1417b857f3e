"""Where the docks stand: Study shows all, Watch the network alone (and causality where there is room)."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from lydian.app.dock import Dock

__all__ = ["LAYOUTS", "arrange", "default_layout", "place", "resize"]

#: Docks that each layout shows.
LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "watch": ("basic",),
    "watch-wide": ("basic", "causality"),
    "study": ("experiment", "basic", "communication", "causality", "occupation", "step", "checks"),
    "projector": ("basic", "causality"),
}
#: Widths and heights at 1920 x 1080, as shares of what there is.
WIDTHS = {"experiment": 262, "basic": 724, "causality": 579, "step": 330}
HEIGHTS = {"basic": 446, "communication": 357, "causality": 418, "occupation": 385, "step": 456, "checks": 347}
#: From this width on Study is the layout at the first start and Watch shows causality too.
WIDE = 1600


def default_layout(width: int) -> str:
    """The layout for a window of that width when none was chosen."""
    return "study" if width >= WIDE else "watch"


def place(inner: QMainWindow, docks: Mapping[str, Dock]) -> None:
    """Put every dock into its place; which of them are seen says :func:`arrange`."""
    horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    for dock in docks.values():
        dock.setFloating(False)
        inner.removeDockWidget(dock)
    inner.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["experiment"])
    inner.splitDockWidget(docks["experiment"], docks["basic"], horizontal)
    inner.splitDockWidget(docks["basic"], docks["causality"], horizontal)
    inner.splitDockWidget(docks["causality"], docks["step"], horizontal)
    inner.splitDockWidget(docks["basic"], docks["communication"], vertical)
    inner.splitDockWidget(docks["causality"], docks["occupation"], vertical)
    inner.splitDockWidget(docks["step"], docks["checks"], vertical)
    inner.splitDockWidget(docks["communication"], docks["trace"], vertical)


def arrange(inner: QMainWindow, docks: Mapping[str, Dock], layout: str) -> None:
    """Show the docks of a layout and give them their proportions."""
    if layout == "watch" and inner.width() >= WIDE:
        layout = "watch-wide"
    wanted = LAYOUTS[layout]
    for name, dock in docks.items():
        if dock.isFloating():
            dock.setFloating(False)
        dock.setVisible(name in wanted)
    resize(inner, docks, layout)


def resize(inner: QMainWindow, docks: Mapping[str, Dock], layout: str) -> None:
    """Give the docks of a layout their proportions."""
    wanted = LAYOUTS[layout]
    widths = dict(WIDTHS)
    if layout in ("watch-wide", "projector"):
        widths = {"basic": 65, "causality": 35}
    elif inner.width() < WIDE:
        widths["experiment"], widths["step"] = 290, 380
    columns = [name for name in widths if name in wanted]
    room = inner.width() / sum(widths[name] for name in columns)
    inner.resizeDocks(
        [docks[name] for name in columns], [round(widths[name] * room) for name in columns], Qt.Orientation.Horizontal
    )
    for pair in (("basic", "communication"), ("causality", "occupation"), ("step", "checks")):
        if all(name in wanted for name in pair):
            share = inner.height() / sum(HEIGHTS[name] for name in pair)
            heights = [round(HEIGHTS[name] * share) for name in pair]
            inner.resizeDocks([docks[name] for name in pair], heights, Qt.Orientation.Vertical)
