"""Where the docks stand: Study shows all, Watch the network (and causality where there is room), Debug one process.

Below :data:`WIDE` pixels Study is the network and causality; the others lie over these two as tabs, or below them
where the window is high enough, and come when they are asked for.  The process comes over causality when one is
selected.  A further view of a kind stands beside the first where there is room for both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from lydian.app.panels.dock import Dock

__all__ = [
    "LAYOUTS", "arrange", "default_layout", "effective", "place", "place_copy", "places_for", "put", "settle",
]  # fmt: skip

#: Docks that each layout shows.
LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "watch": ("basic",),
    "watch-wide": ("basic", "causality"),
    "study": ("experiment", "basic", "communication", "causality", "occupation", "step", "checks"),
    "study-narrow": ("basic", "causality"),
    "debug": ("basic", "step", "trace"),
    "debug-wide": ("basic", "causality", "step", "trace"),
    "projector": ("basic", "causality"),
}
#: Docks that :func:`place` knows by name; all others have a spot.
KNOWN = (
    "experiment", "basic", "communication", "causality", "step", "occupation", "knowledge", "checks", "trace",
)  # fmt: skip
#: Widths and heights at 1920 x 1080, as shares of what there is.
WIDTHS = {"experiment": 262, "basic": 724, "causality": 579, "step": 330}
HEIGHTS = {"basic": 446, "communication": 357, "causality": 418, "occupation": 385, "step": 456, "checks": 347}
#: The same for single layouts: shares of the columns, and of docks one above the other.
COLUMNS: Mapping[str, Mapping[str, int]] = {
    "watch-wide": {"basic": 65, "causality": 35},
    "projector": {"basic": 65, "causality": 35},
    "study-narrow": {"basic": 55, "causality": 45},
    "debug": {"basic": 40, "step": 28, "trace": 32},
    "debug-wide": {"basic": 35, "causality": 45, "step": 20},
}
PAIRS = (("basic", "communication"), ("causality", "occupation"), ("step", "checks"))
#: From this width on Study is the layout at the first start and Watch shows causality too.
WIDE = 1600
#: From this height of the docks on, a narrow window has room for two of them one above the other.
HIGH = 560
#: What a further view of a kind needs beside the first, as a column of its own, and below the first.
BESIDE, COLUMN, BELOW = 360, 300, 240

_HORIZONTAL, _VERTICAL = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


def default_layout(width: int) -> str:
    """The layout for a window of that width when none was chosen."""
    return "study" if width >= WIDE else "watch"


def effective(layout: str, width: int) -> str:
    """The key of :data:`LAYOUTS` for a layout in a window (not only its docks) of that width."""
    if layout in ("watch", "debug"):
        return f"{layout}-wide" if width >= WIDE else layout
    return "study-narrow" if layout == "study" and width < WIDE else layout


def places_for(width: int, height: int, layout: str = "study") -> str:
    """How docks of that height are put together in a window of that width.

    Returns:
        ``wide``, ``stacked`` or ``tabbed``; with ``debug-`` before it in that layout.
    """
    size = "wide" if width >= WIDE else "stacked" if height >= HIGH else "tabbed"
    return f"debug-{size}" if layout == "debug" else size


def place(inner: QMainWindow, docks: Mapping[str, Dock], places: str = "wide") -> None:
    """Put every dock into its place; which of them are seen says :func:`arrange`.

    Further views of a kind (whose spot is beside nothing) get none: behind others they would make tabs of them.
    """
    for dock in docks.values():
        if not (_is_copy(dock) and dock.isFloating()):
            dock.setFloating(False)
            inner.removeDockWidget(dock)
    inner.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["experiment"])
    inner.splitDockWidget(docks["experiment"], docks["basic"], _HORIZONTAL)
    if places.startswith("debug-"):
        _place_debug(inner, docks, places)
    else:
        _place_views(inner, docks, places)
    for dock in docks.values():
        if dock.name not in KNOWN and not _is_copy(dock):
            put(inner, docks, dock, places)


def _place_views(inner: QMainWindow, docks: Mapping[str, Dock], places: str) -> None:
    inner.splitDockWidget(docks["basic"], docks["causality"], _HORIZONTAL)
    if places == "wide":
        inner.splitDockWidget(docks["causality"], docks["step"], _HORIZONTAL)
        inner.splitDockWidget(docks["basic"], docks["communication"], _VERTICAL)
        inner.splitDockWidget(docks["causality"], docks["occupation"], _VERTICAL)
        inner.splitDockWidget(docks["step"], docks["checks"], _VERTICAL)
        inner.splitDockWidget(docks["communication"], docks["trace"], _VERTICAL)
        inner.tabifyDockWidget(docks["communication"], docks["knowledge"])
        return
    if places == "stacked":
        inner.splitDockWidget(docks["basic"], docks["communication"], _VERTICAL)
        inner.splitDockWidget(docks["causality"], docks["occupation"], _VERTICAL)
    else:
        inner.tabifyDockWidget(docks["basic"], docks["communication"])
        inner.tabifyDockWidget(docks["causality"], docks["occupation"])
    for name in ("step", "checks", "trace", "knowledge"):
        inner.tabifyDockWidget(docks["causality"], docks[name])


def _place_debug(inner: QMainWindow, docks: Mapping[str, Dock], places: str) -> None:
    """The network and the trace with the process beside them; causality of its own where there is room."""
    wide = places == "debug-wide"
    inner.splitDockWidget(docks["basic"], docks["step"], _HORIZONTAL)
    if wide:
        inner.splitDockWidget(docks["basic"], docks["causality"], _HORIZONTAL)
    if places == "debug-tabbed":
        inner.splitDockWidget(docks["step"], docks["trace"], _HORIZONTAL)
    else:
        inner.splitDockWidget(docks["basic"], docks["trace"], _VERTICAL)
    for name in KNOWN:
        if name not in ("experiment", "basic", "step", "trace") and not (wide and name == "causality"):
            inner.tabifyDockWidget(docks["trace"], docks[name])


def put(inner: QMainWindow, docks: Mapping[str, Dock], dock: Dock, places: str) -> None:
    """Put one more dock to its spot; it stays as seen or unseen as it was."""
    spot = dock.spot
    other = docks.get(spot.beside if spot else "") or docks["causality"]
    how = spot.how if spot is not None and places.endswith("wide") else "tab"
    seen = not dock.isHidden()
    if how == "tab" or other.isFloating():
        inner.tabifyDockWidget(other if not other.isFloating() else docks["basic"], dock)
    else:
        inner.splitDockWidget(other, dock, _VERTICAL if how in ("above", "below") else _HORIZONTAL)
        if how in ("above", "left"):  # it always comes after
            inner.splitDockWidget(dock, other, _VERTICAL if how == "above" else _HORIZONTAL)
    dock.setVisible(seen)


def place_copy(inner: QMainWindow, docks: Mapping[str, Dock], first: Dock, copy: Dock, places: str) -> None:
    """Show a further view of a kind beside one of its kind, as a column of its own, below it, or as a tab over it.

    In a wide Debug, processes that are pinned stand side by side below causality.
    """
    settle(inner)
    kind = copy.name.rpartition("-")[0]
    seen = [dock for dock in docks.values() if dock is not copy and _seen(dock)]
    alike = [dock for dock in seen if dock.name.split("-")[0] == kind and not inner.tabifiedDockWidgets(dock)]
    wide = max(alike, key=lambda dock: dock.width(), default=None)
    high = max(alike, key=lambda dock: dock.height(), default=None)
    columns = sorted({dock.x(): dock for dock in seen}.values(), key=lambda dock: dock.x())
    room = inner.width() // (len(columns) + 1)
    pinned = [dock for dock in alike if dock.name != "step"]
    if places == "debug-wide" and kind == "step" and (pinned or docks["causality"] in seen):
        if pinned:
            _split(inner, pinned, copy, _HORIZONTAL)
        else:
            _split(inner, [docks["causality"]], copy, _VERTICAL)
    elif wide is not None and wide.width() >= 2 * BESIDE:
        _split(inner, [wide], copy, _HORIZONTAL)
    elif high is not None and high.height() >= HIGH:
        _split(inner, [high], copy, _VERTICAL)
    elif columns and room >= COLUMN:
        widths = [dock.width() for dock in columns]
        inner.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, copy, _HORIZONTAL)
        copy.show()
        settle(inner)
        share = 1 - room / inner.width()
        inner.resizeDocks([*columns, copy], [*(round(width * share) for width in widths), room], _HORIZONTAL)
    elif high is not None and high.height() >= 2 * BELOW:
        _split(inner, [high], copy, _VERTICAL)
    else:
        inner.tabifyDockWidget(first if not first.isFloating() else docks["basic"], copy)
    copy.show()
    copy.raise_()
    copy.set_theme(copy.theme)
    settle(inner)


def _is_copy(dock: Dock) -> bool:
    """Whether it is a further view of a kind, which no arrangement gives a place."""
    return dock.spot is not None and not dock.spot.beside


def _seen(dock: Dock) -> bool:
    """Whether a dock is open in the window, and in front."""
    return dock.isVisible() and not dock.isFloating() and not dock.visibleRegion().isEmpty()


def _split(inner: QMainWindow, row: list[Dock], copy: Dock, way: Qt.Orientation) -> None:
    """Put a dock behind the last of a row (or column) of docks, all of one size then."""
    whole = sum(dock.width() if way == _HORIZONTAL else dock.height() for dock in row)
    inner.splitDockWidget(row[-1], copy, way)
    copy.show()
    settle(inner)
    inner.resizeDocks([*row, copy], [whole // (len(row) + 1)] * (len(row) + 1), way)


def settle(inner: QMainWindow) -> None:
    """Have Qt lay the docks out now, so that what is resized next has a size."""
    layout = inner.layout()
    if layout is not None:
        layout.activate()


def arrange(inner: QMainWindow, docks: Mapping[str, Dock], layout: str, kept: Collection[str] = ()) -> str:
    """Show the docks of a layout, and those ``kept``, and give them their proportions.

    Returns:
        Which key of :data:`LAYOUTS` the layout became.
    """
    layout = effective(layout, inner.window().width())
    wanted = LAYOUTS[layout]
    for name, dock in docks.items():
        if dock.isFloating() and not _is_copy(dock):
            dock.setFloating(False)
        extra = dock.spot is not None and name not in KNOWN and layout in dock.spot.layouts
        dock.setVisible(name in wanted or name in kept or extra)
    _resize(inner, docks, layout)
    return layout


def _resize(inner: QMainWindow, docks: Mapping[str, Dock], layout: str) -> None:
    """Give the docks of a layout their proportions."""
    settle(inner)
    wanted = LAYOUTS[layout]
    widths = COLUMNS.get(layout, WIDTHS)
    columns = [name for name in widths if name in wanted]
    room = inner.width() / sum(widths[name] for name in columns)
    inner.resizeDocks([docks[name] for name in columns], [round(widths[name] * room) for name in columns], _HORIZONTAL)
    for pair in PAIRS:
        if all(name in wanted and not inner.tabifiedDockWidgets(docks[name]) for name in pair):
            share = inner.height() / sum(HEIGHTS[name] for name in pair)
            heights = [round(HEIGHTS[name] * share) for name in pair]
            inner.resizeDocks([docks[name] for name in pair], heights, _VERTICAL)
    settle(inner)
