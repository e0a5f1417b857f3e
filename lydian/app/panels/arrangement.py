"""The arrangement of the docks: Study shows all views, Watch the network (wide windows also causality), Debug a
process.

Each view declares its place and the layouts that show it (:class:`lydian.views.registry.View`). Below :data:`WIDE`
pixels, only the views that Study shows there are columns; the others are tabs over these, or below them if the window
is high enough, and appear on request. The process covers causality while one is selected. A further view of a kind is
placed beside the first if there is room for both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from lydian.app.panels.dock import Dock

__all__ = [
    "LAYOUTS", "arrange", "effective", "place", "place_copy", "places_for", "put", "settle",
    "shown_in",
]  # fmt: skip

#: The layouts, as views and docks name them.
LAYOUTS = ("watch", "watch-wide", "study", "study-narrow", "debug", "debug-wide", "projector")
#: The order in which docks are placed: columns, then docks below them, then tabs; docks before another come last.
_ORDER = ("right", "below", "tab", "left", "above")
#: Widths and heights at 1920 x 1080, as shares of the available room.
WIDTHS = {"experiment": 262, "basic": 724, "causality": 579, "step": 330}
HEIGHTS = {"basic": 446, "communication": 357, "causality": 418, "occupation": 385, "step": 456, "checks": 347}
#: The same for single layouts: shares of the columns, and of docks above one another.
COLUMNS: Mapping[str, Mapping[str, int]] = {
    "watch-wide": {"basic": 65, "causality": 35},
    "projector": {"basic": 65, "causality": 35},
    "study-narrow": {"basic": 55, "causality": 45},
    "debug": {"basic": 40, "step": 28, "trace": 32},
    "debug-wide": {"basic": 35, "causality": 45, "step": 20},
}
#: The minimum width at which Study is the layout at the first start and Watch also shows causality.
WIDE = 1600
#: The minimum height of the docks at which a narrow window has room for two of them above one another.
HIGH = 560
#: The room that a further view of a kind needs beside the first, as a column of its own, and below the first.
BESIDE, COLUMN, BELOW = 360, 300, 240

_HORIZONTAL, _VERTICAL = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


def effective(layout: str, width: int) -> str:
    """Return the key of :data:`LAYOUTS` for a layout in a window (not only its docks) of the given width."""
    if layout in ("watch", "debug"):
        return f"{layout}-wide" if width >= WIDE else layout
    return "study-narrow" if layout == "study" and width < WIDE else layout


def places_for(width: int, height: int, layout: str = "study") -> str:
    """Return how docks of the given height are combined in a window of the given width.

    Returns:
        ``wide``, ``stacked`` or ``tabbed``; with ``debug-`` before it in that layout.
    """
    size = "wide" if width >= WIDE else "stacked" if height >= HIGH else "tabbed"
    return f"debug-{size}" if layout == "debug" else size


def place(inner: QMainWindow, docks: Mapping[str, Dock], places: str = "wide") -> None:
    """Put every dock into its place; :func:`arrange` decides which of them are visible.

    Further views of a kind (whose spot is beside nothing) get no place, because they would become tabs behind others.
    """
    for dock in docks.values():
        if not (_is_copy(dock) and dock.isFloating()):
            dock.setFloating(False)
            inner.removeDockWidget(dock)
    inner.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["experiment"])
    inner.splitDockWidget(docks["experiment"], docks["basic"], _HORIZONTAL)
    rest = [dock for name, dock in docks.items() if name not in ("experiment", "basic") and not _is_copy(dock)]
    rest.sort(key=lambda dock: _ORDER.index(dock.spot.how))
    if places.startswith("debug-"):
        _place_debug(inner, docks, rest, places)
    elif places == "wide":
        for dock in rest:
            put(inner, docks, dock, places)
    else:
        _place_narrow(inner, docks, rest, places)


def _place_narrow(inner: QMainWindow, docks: Mapping[str, Dock], rest: list[Dock], places: str) -> None:
    """Place the columns of a narrow Study, the docks below one of them, and all others as tabs."""
    columns = shown_in(docks, "study-narrow")
    split = [dock for dock in rest if dock.name in columns]
    below = [dock for dock in rest if dock.spot.how == "below" and dock.spot.beside in columns]
    for dock in split:
        inner.splitDockWidget(docks[dock.spot.beside], dock, _HORIZONTAL)
    for dock in below:
        if places == "stacked":
            inner.splitDockWidget(docks[dock.spot.beside], dock, _VERTICAL)
        else:
            inner.tabifyDockWidget(docks[dock.spot.beside], dock)
    for dock in rest:
        if dock not in split and dock not in below:
            put(inner, docks, dock, places)


def _place_debug(inner: QMainWindow, docks: Mapping[str, Dock], rest: list[Dock], places: str) -> None:
    """Place the network and the trace with the process beside them, and causality separately if there is room."""
    columns = shown_in(docks, "debug-wide" if places == "debug-wide" else "debug")
    trace = docks["trace"]
    split = [dock for dock in rest if dock.name in columns and dock.spot.how == "right"]
    for dock in reversed(split):
        inner.splitDockWidget(docks["basic"], dock, _HORIZONTAL)
    if places == "debug-tabbed":
        inner.splitDockWidget(split[-1], trace, _HORIZONTAL)
    else:
        inner.splitDockWidget(docks["basic"], trace, _VERTICAL)
    for dock in docks.values():
        if dock not in rest or dock in split or dock is trace:
            continue
        if dock.spot.how in ("right", "below"):
            inner.tabifyDockWidget(trace, dock)
        else:
            put(inner, docks, dock, places)


def put(inner: QMainWindow, docks: Mapping[str, Dock], dock: Dock, places: str) -> None:
    """Put another dock into its spot without showing or hiding it."""
    spot = dock.spot
    wide = places.endswith("wide")
    other = docks.get(spot.beside if wide or not spot.narrow else spot.narrow) or docks["causality"]
    how = spot.how if wide else "tab"
    seen = not dock.isHidden()
    if how == "tab" or other.isFloating():
        inner.tabifyDockWidget(other if not other.isFloating() else docks["basic"], dock)
    else:
        inner.splitDockWidget(other, dock, _VERTICAL if how in ("above", "below") else _HORIZONTAL)
        if how in ("above", "left"):  # a dock before another is always placed last
            inner.splitDockWidget(dock, other, _VERTICAL if how == "above" else _HORIZONTAL)
    dock.setVisible(seen)


def place_copy(inner: QMainWindow, docks: Mapping[str, Dock], first: Dock, copy: Dock, places: str) -> None:
    """Show a further view of a kind beside the first one, as a column of its own, below it, or as a tab over it.

    In a wide Debug, pinned processes are placed side by side below causality.
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
    """Return whether a dock is a further view of a kind, which has no place in an arrangement."""
    return not dock.spot.beside


def shown_in(docks: Mapping[str, Dock], layout: str) -> list[str]:
    """Return the names of the docks that a layout shows."""
    return [name for name, dock in docks.items() if layout in dock.spot.layouts]


def _seen(dock: Dock) -> bool:
    """Return whether a dock is open in the window, and in front."""
    return dock.isVisible() and not dock.isFloating() and not dock.visibleRegion().isEmpty()


def _split(inner: QMainWindow, row: list[Dock], copy: Dock, way: Qt.Orientation) -> None:
    """Put a dock after the last of a row (or column) of docks of equal size."""
    whole = sum(dock.width() if way == _HORIZONTAL else dock.height() for dock in row)
    inner.splitDockWidget(row[-1], copy, way)
    copy.show()
    settle(inner)
    inner.resizeDocks([*row, copy], [whole // (len(row) + 1)] * (len(row) + 1), way)


def settle(inner: QMainWindow) -> None:
    """Make Qt lay the docks out now, so that they have sizes before they are resized."""
    layout = inner.layout()
    if layout is not None:
        layout.activate()


def arrange(inner: QMainWindow, docks: Mapping[str, Dock], layout: str, kept: Collection[str] = ()) -> str:
    """Show the docks of a layout and those ``kept``, and set their proportions.

    Returns:
        The key of :data:`LAYOUTS` that the layout became.
    """
    layout = effective(layout, inner.window().width())
    wanted = shown_in(docks, layout)
    for name, dock in docks.items():
        if dock.isFloating() and not _is_copy(dock):
            dock.setFloating(False)
        dock.setVisible(name in wanted or name in kept)
    _resize(inner, docks, layout)
    return layout


def _resize(inner: QMainWindow, docks: Mapping[str, Dock], layout: str) -> None:
    """Set the proportions of the docks of a layout."""
    settle(inner)
    wanted = shown_in(docks, layout)
    widths = COLUMNS.get(layout, WIDTHS)
    columns = [name for name in widths if name in wanted]
    room = inner.width() / sum(widths[name] for name in columns)
    inner.resizeDocks([docks[name] for name in columns], [round(widths[name] * room) for name in columns], _HORIZONTAL)
    high = HEIGHTS.keys() & set(wanted)
    for name, dock in docks.items():
        pair = [docks[each] for each in (dock.spot.beside, name) if each in high]
        if dock.spot.how == "below" and len(pair) == 2 and not any(map(inner.tabifiedDockWidgets, pair)):
            share = inner.height() / sum(HEIGHTS[each.name] for each in pair)
            inner.resizeDocks(pair, [round(HEIGHTS[each.name] * share) for each in pair], _VERTICAL)
    settle(inner)
