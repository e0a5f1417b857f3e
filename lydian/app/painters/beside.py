"""How a view is divided between the network and what an animation puts beside it: a grid, a tree, charts."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from lydian.app.look.theme import Theme
from lydian.views.network.basic import BasicFrame

__all__ = ["Parts", "parted"]

#: The network keeps at least this much, at the usual size of text; in a view with less room it stands alone.
LEAST = (260.0, 190.0)
#: What would be narrower or lower than this is not shown.
GRID, CHART = (200.0, 130.0), (200.0, 92.0)
#: How high a chart is beside the network, compared to a grid or a tree.
LOW = 0.5625


@dataclass(frozen=True)
class Parts:
    """Where the network, the grid, the tree and each chart are; empty for what is not shown."""

    network: QRectF
    grid: QRectF
    tree: QRectF
    charts: tuple[QRectF, ...] = ()


def parted(theme: Theme, rect: QRectF, frame: BasicFrame) -> Parts:
    """Divide a view; what has no room is left out, the last charts first."""
    if not frame.beside:
        return Parts(rect, QRectF(), QRectF())
    k = theme.px("small") / 12
    network, boxes = QRectF(rect), {}
    places = list(enumerate(frame.charts))
    column: list[tuple[int, float, float, float]] = []  # what, its share of the width, its height, the least of it
    column += [(-2, frame.grid.declared.share, 1.0, GRID[1])] if frame.grid is not None else []
    column += [(-1, frame.tree.declared.share, 1.0, GRID[1])] if frame.tree is not None else []
    column += [(i, each.declared.share, LOW, CHART[1]) for i, each in places if each.declared.side == "beside"]
    while column:
        panels = [share for what, share, _, _ in column if what < 0]  # a chart is as wide as what it stands with
        wide = rect.width() * max(panels or [share for _, share, _, _ in column])
        unit = rect.height() / sum(high for _, _, high, _ in column)
        enough = GRID[0] * k <= wide <= rect.width() - LEAST[0] * k
        if enough and all(unit * high >= least * k for _, _, high, least in column):
            top = rect.top()
            for what, _, high, _ in column:
                boxes[what] = QRectF(rect.right() - wide, top, wide, unit * high)
                top += unit * high
            network.setRight(rect.right() - wide)
            break
        column.pop()
    below = [(i, each.declared.share) for i, each in places if each.declared.side == "below"]
    below = below[: max(int(network.width() / (CHART[0] * k)), 0)]
    if below:
        high = rect.height() * max(share for _, share in below)
        if high >= CHART[1] * k and rect.height() - high >= LEAST[1] * k:
            network.setBottom(rect.bottom() - high)
            wide = network.width() / len(below)
            for place, (what, _) in enumerate(below):
                boxes[what] = QRectF(network.left() + place * wide, network.bottom(), wide, high)
    none = QRectF()
    return Parts(network, boxes.get(-2, none), boxes.get(-1, none), tuple(boxes.get(i, none) for i, _ in places))
