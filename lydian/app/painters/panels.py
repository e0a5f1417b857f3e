"""What stands beside the network: the grid, the tree and the charts, each in its part of the view."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.barslayer import BarsLayer
from lydian.app.painters.beside import Parts
from lydian.app.painters.chartlayer import ChartLayer
from lydian.app.painters.gridlayer import GridLayer
from lydian.app.painters.panelink import draw_ground
from lydian.app.painters.treelayer import TreeLayer
from lydian.pieces.chart import ChartFrame
from lydian.pieces.panellooks import CHARTS
from lydian.views.frame import Hit
from lydian.views.network.basic import BasicFrame

__all__ = ["Panels"]


class Panels:
    """Draws what a frame has beside the network, and tells what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.grid, self.tree, self.bars = GridLayer(theme), TreeLayer(theme), BarsLayer(theme)
        self.charts = tuple(ChartLayer(theme) for _ in range(CHARTS))  # each keeps a picture of its lines

    def paint(self, p: QPainter, rect: QRectF, parts: Parts, frame: BasicFrame) -> None:
        """Draw all that has room."""
        for box in (parts.grid, parts.tree, *parts.charts):
            if not box.isEmpty():
                draw_ground(p, self.theme, box, rect)
        self.grid.paint(p, parts.grid, frame)
        self.tree.paint(p, parts.tree, frame)
        for layer, box, chart in zip(self.charts, parts.charts, frame.charts, strict=False):
            if not box.isEmpty() and isinstance(chart, ChartFrame):
                layer.paint(p, box, frame, chart)
            elif not box.isEmpty():
                self.bars.paint(p, box, chart)  # type: ignore[arg-type]

    def hit(self, pos: QPointF, parts: Parts, frame: BasicFrame) -> Hit | None:
        """The process whose name is at a point."""
        return self.grid.hit(pos, parts.grid, frame) if parts.grid.contains(pos) else None

    def note(self, pos: QPointF, parts: Parts, frame: BasicFrame) -> str:
        """What is at a point, as rich text."""
        if parts.grid.contains(pos):
            return self.grid.note(pos, parts.grid, frame)
        if parts.tree.contains(pos):
            return self.tree.note(pos, parts.tree, frame)
        for layer, box, chart in zip(self.charts, parts.charts, frame.charts, strict=False):
            if box.contains(pos):
                if isinstance(chart, ChartFrame):
                    return layer.note(pos, box, chart)
                return self.bars.note(pos, box, chart)
        return ""
