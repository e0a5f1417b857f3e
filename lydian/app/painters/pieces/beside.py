"""The division of a view between the network and the panels that an animation puts beside it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from lydian.app.look.theme import Theme
from lydian.views.network.basic import BasicFrame

__all__ = ["Parts", "parted"]

#: The minimum size of the network at the default size of text; a smaller view has no panels.
LEAST = (260.0, 190.0)
#: The minimum width and height of a panel.
GRID, CHART = (200.0, 130.0), (200.0, 92.0)
#: The height of a chart beside the network, compared with a grid or a tree.
LOW = 0.5625


@dataclass(frozen=True)
class Parts:
    """The areas of the network and of each panel of a frame, in the order of the panels; empty for a hidden panel."""

    network: QRectF
    boxes: tuple[QRectF, ...] = ()
    fields: tuple[str, ...] = ()

    def of(self, field: str) -> tuple[QRectF, ...]:
        """Return the areas of the panels of a field of the animation."""
        return tuple(box for box, each in zip(self.boxes, self.fields, strict=True) if each == field)


def parted(theme: Theme, rect: QRectF, frame: BasicFrame) -> Parts:
    """Divide a view; panels without room are left out, the last ones first."""
    panels = frame.panels
    if not panels:
        return Parts(rect)
    k = theme.px("small") / 12
    network, boxes = QRectF(rect), {}
    high_ones = [(i, state.declared) for i, (piece, _, state) in enumerate(panels) if piece.panel == "tall"]
    low = [(i, state.declared) for i, (piece, _, state) in enumerate(panels) if piece.panel == "low"]
    # panel, its share of the width, its height, its minimum
    column = [(i, each.share, 1.0, GRID[1]) for i, each in high_ones]
    column += [(i, each.share, LOW, CHART[1]) for i, each in low if each.side == "beside"]
    large = {i for i, _ in high_ones}
    while column:
        wider = [share for i, share, _, _ in column if i in large]  # a chart is as wide as the panel above or below it
        wide = rect.width() * max(wider or [share for _, share, _, _ in column])
        unit = rect.height() / sum(high for _, _, high, _ in column)
        enough = GRID[0] * k <= wide <= rect.width() - LEAST[0] * k
        if enough and all(unit * high >= least * k for _, _, high, least in column):
            top = rect.top()
            for i, _, high, _ in column:
                boxes[i] = QRectF(rect.right() - wide, top, wide, unit * high)
                top += unit * high
            network.setRight(rect.right() - wide)
            break
        column.pop()
    below = [(i, each.share) for i, each in low if each.side == "below"]
    below = below[: max(int(network.width() / (CHART[0] * k)), 0)]
    if below:
        high = rect.height() * max(share for _, share in below)
        if high >= CHART[1] * k and rect.height() - high >= LEAST[1] * k:
            network.setBottom(rect.bottom() - high)
            wide = network.width() / len(below)
            for place, (i, _) in enumerate(below):
                boxes[i] = QRectF(network.left() + place * wide, network.bottom(), wide, high)
    found = tuple(boxes.get(i, QRectF()) for i in range(len(panels)))
    return Parts(network, found, tuple(piece.field for piece, _, _ in panels))
