"""How a view is divided between the network and what an animation puts beside it: a grid, a chart."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from lydian.app.look.theme import Theme
from lydian.views.basic import BasicFrame

__all__ = ["Parts", "parted"]

#: The network keeps at least this much, at the usual size of text; in a view with less room it stands alone.
LEAST = (260.0, 190.0)
#: A grid or a chart that would be narrower or lower than this is not shown.
GRID, CHART = (200.0, 130.0), (200.0, 92.0)


@dataclass(frozen=True)
class Parts:
    """Where the network, the grid and the chart are; empty for what is not shown."""

    network: QRectF
    grid: QRectF
    chart: QRectF


def parted(theme: Theme, rect: QRectF, frame: BasicFrame) -> Parts:
    """Divide a view; what has no room is left out, the chart first."""
    grid, chart = frame.grid, frame.chart
    none = QRectF()
    if grid is None and chart is None:
        return Parts(rect, none, none)
    k = theme.px("small") / 12
    network, grid_box, chart_box = QRectF(rect), none, none
    wide, tall = rect.width(), rect.height()
    aside = chart is not None and chart.declared.side == "beside"
    if grid is not None:
        share = grid.declared.share * wide
        if share >= GRID[0] * k and wide - share >= LEAST[0] * k and tall >= GRID[1] * k:
            grid_box = QRectF(rect.right() - share, rect.top(), share, tall)
    if chart is not None and aside:
        share = grid_box.width() or chart.declared.share * wide
        high = tall if grid_box.isEmpty() else tall * 0.36
        if share >= CHART[0] * k and wide - share >= LEAST[0] * k and high >= CHART[1] * k:
            chart_box = QRectF(rect.right() - share, rect.bottom() - high, share, high)
            if not grid_box.isEmpty():
                grid_box.setBottom(chart_box.top())
    for box in (grid_box, chart_box):
        if not box.isEmpty():
            network.setRight(min(network.right(), box.left()))
    if chart is not None and not aside:
        high = chart.declared.share * tall
        if high >= CHART[1] * k and tall - high >= LEAST[1] * k and network.width() >= CHART[0] * k:
            chart_box = QRectF(network.left(), network.bottom() - high, network.width(), high)
            network.setBottom(chart_box.top())
    return Parts(network, grid_box, chart_box)
