"""The painter of values: bars beside processes, and rings in the colours of a scale or in tints."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.network.tags import bar_width
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.app.painters.pieces.tints import tint_of
from lydian.pieces.piece import LegendItem
from lydian.pieces.values import Value

__all__ = ["ValuePainter"]


class ValuePainter(PiecePainter):
    """The painter of values, except texts, which are in the line below their process."""

    def rings(self, d: Drawing) -> None:
        """Draw a ring in the colour of a scale around each process that has the value."""
        p, m, frame = d.p, d.m, d.frame
        if m.level == "dense":
            return
        wide = max(2.5, m.d * 0.12)
        for level in frame.values:
            if level.declared.style not in ("colour", "tint"):
                continue
            share, tinted = level.share, level.declared.style == "tint"
            p.setBrush(Qt.BrushStyle.NoBrush)
            for process in np.flatnonzero(m.visible & np.isfinite(share)).tolist():
                x, y = m.points[process].tolist()
                r = m.d * 0.64 + wide / 2
                color = scale_color(self.theme, float(share[process]))
                if tinted:
                    color = tint_of(self.theme, int(level.value[process]))[1]
                p.setPen(QPen(color, wide))
                p.drawEllipse(QPointF(x, y), r, r)

    def beside(self, d: Drawing) -> None:
        """Draw bars at processes."""
        p, m = d.p, d.m
        if m.level not in ("full", "medium"):
            return
        bars = [level for level in d.frame.values if level.declared.style == "bar"]
        places = d.labels if bars else {}
        for number, level in enumerate(bars):
            share = level.share
            for process in np.flatnonzero(np.isfinite(share)).tolist():
                box = places.get(("bar", process))
                if box is not None:
                    wide = bar_width(m)
                    one = QRectF(box.left() + number * wide, box.top(), wide - 1.5, box.height())
                    draw_bar(p, self.theme, one, float(share[process]))

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Value, k: float) -> None:
        """Draw a bar, or the colours of the scale."""
        x, y = box.center().x(), box.center().y()
        if declared.style == "bar":
            draw_bar(p, self.theme, QRectF(x - 3 * k, y - 6 * k, 6 * k, 12 * k), 0.6)
            return
        if declared.style == "tint":
            for part in range(4):
                p.setPen(QPen(tint_of(self.theme, part + 1)[1], 2.5 * k))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawEllipse(QPointF(box.left() + (part + 0.5) * box.width() / 4, y), 3.2 * k, 3.2 * k)
            return
        for part in range(5):
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(scale_color(self.theme, part / 4))
            p.drawRect(QRectF(box.left() + part * box.width() / 5, y - 4 * k, box.width() / 5 + 0.3, 8 * k))


def draw_bar(p: QPainter, theme: Theme, box: QRectF, share: float) -> None:
    """Draw a bar that is filled from below."""
    p.fillRect(box, theme.color("surface.canvas"))
    high = max(box.height() * share, 1.0 if share > 0 else 0.0)
    p.fillRect(QRectF(box.left(), box.bottom() - high, box.width(), high), theme.color("chain.future"))
    p.setPen(QPen(theme.color("border.strong"), 1.0))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRect(box)


def scale_color(theme: Theme, share: float) -> QColor:
    """Return the colour at a point of a scale, 0..1: from the colour of hints to a strong one."""
    weak = mixed(theme.color("surface.canvas"), theme.color("chain.past"), 0.18)
    return mixed(weak, theme.color("chain.past"), share if math.isfinite(share) else 0.0)
