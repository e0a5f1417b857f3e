"""The minimum that draws a space-time diagram: plain pyqtgraph items for all messages and events.

It has one :class:`PlotCurveItem` with a pair of points per message and one :class:`ScatterPlotItem` for the events, as
a ten-line program would; pyqtgraph clips them to the view, and scrolling sets the range of the axis.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from lydian.trace.timeline import Timeline

__all__ = ["Plot"]


class Plot:
    """The space-time diagram of a timeline; ``events`` and ``messages`` are the numbers passed to pyqtgraph."""

    def __init__(self, timeline: Timeline, size: tuple[int, int], first: int | None = None) -> None:
        """Create the plot; ``first`` limits the messages, with twice as many events, to show how the cost grows."""
        messages = timeline.m_messages if first is None else min(first, timeline.m_messages)
        events = timeline.length if first is None else min(2 * first, timeline.length)
        self.widget = pg.PlotWidget()
        self.widget.resize(*size)
        item = self.widget.getPlotItem()
        x, y = np.empty(2 * messages), np.empty(2 * messages)
        x[::2], x[1::2] = timeline.message_sent[:messages], timeline.message_arrived[:messages]
        y[::2], y[1::2] = timeline.message_source[:messages], timeline.message_target[:messages]
        item.addItem(pg.PlotCurveItem(x, y, connect="pairs", pen="k"))
        item.addItem(
            pg.ScatterPlotItem(timeline.time[:events], timeline.process[:events].astype(float), size=4, pen=None)
        )
        item.disableAutoRange()
        item.setYRange(-1, timeline.n)
        self.messages, self.events = messages, events
        self.image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)

    def show(self, start: float, stop: float) -> None:
        """Draw the interval from ``start`` to ``stop``."""
        self.widget.getPlotItem().setXRange(start, stop, padding=0)
        p = QPainter(self.image)
        try:
            self.widget.render(p, QRectF(self.image.rect()))
        finally:
            p.end()
