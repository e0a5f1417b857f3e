"""Where the docks stand: Study shows all, Watch the network alone (and causality where there is room).

Below :data:`WIDE` pixels Study is the network and causality; the others lie over these two as tabs, or below them
where the window is high enough, and come when they are asked for.  The process comes over causality when one is
selected.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from lydian.app.panels.dock import Dock

__all__ = ["LAYOUTS", "arrange", "default_layout", "effective", "place", "places_for"]

#: Docks that each layout shows.
LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "watch": ("basic",),
    "watch-wide": ("basic", "causality"),
    "study": ("experiment", "basic", "communication", "causality", "occupation", "step", "checks"),
    "study-narrow": ("basic", "causality"),
    "projector": ("basic", "causality"),
}
#: Widths and heights at 1920 x 1080, as shares of what there is.
WIDTHS = {"experiment": 262, "basic": 724, "causality": 579, "step": 330}
HEIGHTS = {"basic": 446, "communication": 357, "causality": 418, "occupation": 385, "step": 456, "checks": 347}
#: From this width on Study is the layout at the first start and Watch shows causality too.
WIDE = 1600
#: From this height of the docks on, a narrow window has room for two of them one above the other.
HIGH = 560


def default_layout(width: int) -> str:
    """The layout for a window of that width when none was chosen."""
    return "study" if width >= WIDE else "watch"


def effective(layout: str, width: int) -> str:
    """The key of :data:`LAYOUTS` for a layout in a window (not only its docks) of that width."""
    if layout == "watch":
        return "watch-wide" if width >= WIDE else "watch"
    return "study-narrow" if layout == "study" and width < WIDE else layout


def places_for(width: int, height: int) -> str:
    """How docks of that height are put together in a window of that width: ``wide``, ``stacked`` or ``tabbed``."""
    return "wide" if width >= WIDE else "stacked" if height >= HIGH else "tabbed"


def place(inner: QMainWindow, docks: Mapping[str, Dock], places: str = "wide") -> None:
    """Put every dock into its place; which of them are seen says :func:`arrange`."""
    horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    for dock in docks.values():
        dock.setFloating(False)
        inner.removeDockWidget(dock)
    inner.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["experiment"])
    inner.splitDockWidget(docks["experiment"], docks["basic"], horizontal)
    inner.splitDockWidget(docks["basic"], docks["causality"], horizontal)
    if places == "wide":
        inner.splitDockWidget(docks["causality"], docks["step"], horizontal)
        inner.splitDockWidget(docks["basic"], docks["communication"], vertical)
        inner.splitDockWidget(docks["causality"], docks["occupation"], vertical)
        inner.splitDockWidget(docks["step"], docks["checks"], vertical)
        inner.splitDockWidget(docks["communication"], docks["trace"], vertical)
        inner.tabifyDockWidget(docks["communication"], docks["knowledge"])
        return
    if places == "stacked":
        inner.splitDockWidget(docks["basic"], docks["communication"], vertical)
        inner.splitDockWidget(docks["causality"], docks["occupation"], vertical)
    else:
        inner.tabifyDockWidget(docks["basic"], docks["communication"])
        inner.tabifyDockWidget(docks["causality"], docks["occupation"])
    for name in ("step", "checks", "trace", "knowledge"):
        inner.tabifyDockWidget(docks["causality"], docks[name])


def arrange(inner: QMainWindow, docks: Mapping[str, Dock], layout: str) -> str:
    """Show the docks of a layout and give them their proportions; returns which key of :data:`LAYOUTS` it became."""
    layout = effective(layout, inner.window().width())
    wanted = LAYOUTS[layout]
    for name, dock in docks.items():
        if dock.isFloating():
            dock.setFloating(False)
        dock.setVisible(name in wanted)
    _resize(inner, docks, layout)
    return layout


def _resize(inner: QMainWindow, docks: Mapping[str, Dock], layout: str) -> None:
    """Give the docks of a layout their proportions."""
    wanted = LAYOUTS[layout]
    widths = dict(WIDTHS)
    if layout in ("watch-wide", "projector"):
        widths = {"basic": 65, "causality": 35}
    elif layout == "study-narrow":
        widths = {"basic": 55, "causality": 45}
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
