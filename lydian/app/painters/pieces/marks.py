"""The painter of sets of processes: dots on links, arrows, arcs, and links that are thick or struck out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.fragments import draw_lines
from lydian.app.look.theme import Theme
from lydian.app.painters.network.netmap import Floats, Map
from lydian.app.painters.pieces.arcs import arc_pen, draw_arc
from lydian.app.painters.pieces.bands import held_apart
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.bands import Band
from lydian.pieces.marks import Marks
from lydian.pieces.piece import LegendItem
from lydian.views.network.arrows import BEND, bend_of
from lydian.views.network.basic import BasicFrame

__all__ = ["MarkPainter"]

#: The width of half a line that is not a link, relative to a thick one.
HALF = 0.6
#: The dashes, in widths of the line, of a member that is marked as wrong.
WRONG = (2.5, 2.0)


class MarkPainter(PiecePainter):
    """The painter of sets of processes."""

    def lines(self, d: Drawing) -> None:
        """Draw the links in sets."""
        for marks in d.frame.marks:
            if marks.declared.style in ("thick", "struck", "half"):
                for part in held_apart(d.p, d.frame, marks):
                    self._halves(d.p, d.m, d.frame, part)

    def arrows(self, d: Drawing) -> None:
        """Draw arrows and arcs, then dots."""
        for marks in d.frame.marks:
            if marks.declared.style in ("arrow", "arc"):
                for part in held_apart(d.p, d.frame, marks):
                    self._arcs(d.p, d.m, d.frame, part)
        self._dots(d)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Marks, k: float) -> None:
        """Draw a sample of the line, or a dot."""
        theme, a, b = self.theme, (box.left(), box.center().y()), (box.right(), box.center().y())
        width = min(theme.line("treeEdge"), 4 * k)
        if declared.style == "dot":
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.state(declared.slot).outline)
            p.drawEllipse(box.center(), 3.5 * k, 3.5 * k)
        elif declared.style in ("thick", "half"):
            width *= HALF if declared.style == "half" else 1.0
            draw_thick(p, theme, declared.slot, np.array([a]), np.array([b]), width)
        elif declared.style == "struck":
            draw_struck(p, theme, np.array([a]), np.array([b]))
        else:
            pen = arc_pen(theme, 1, declared.levels)
            if not declared.levels:
                pen.setColor(theme.state(declared.slot).outline)
            draw_arc(p, pen, (a[0], a[1] + 3 * k), (b[0], b[1] + 3 * k), 0.0, -0.3)

    def _halves(self, p: QPainter, m: Map, frame: BasicFrame, marks: Band) -> None:
        """Draw the holder's half of each line to a member, but thick and struck lines only where there is a link."""
        index = frame.scene.link_index
        pairs = zip(marks.source.tolist(), marks.target.tolist(), strict=True)
        anybody = marks.declared.style == "half"
        there = np.array([anybody or (min(a, b), max(a, b)) in index for a, b in pairs], dtype=bool)
        there &= m.visible[marks.source] | m.visible[marks.target]
        a, b = m.points[marks.source[there]], m.points[marks.target[there]]
        if marks.declared.style == "struck":
            draw_struck(p, self.theme, a, (a + b) / 2)
        else:
            # Extend by a pixel beyond the middle, so that two halves leave no seam.
            length = np.maximum(np.hypot(b[:, 0] - a[:, 0], b[:, 1] - a[:, 1]), 1e-9)[:, None]
            width = self.theme.line("treeEdge") if m.level in ("full", "medium") else 2.2
            width *= HALF if anybody else 1.0
            stop = (a + b) / 2 + (b - a) / length * 0.5
            wrong = marks.wrong[there] if len(marks.wrong) else np.zeros(len(a), dtype=bool)
            draw_thick(p, self.theme, marks.declared.slot, a[~wrong], stop[~wrong], width)
            if wrong.any():
                draw_thick(p, self.theme, marks.declared.slot, a[wrong], stop[wrong], width, WRONG)

    def _arcs(self, p: QPainter, m: Map, frame: BasicFrame, marks: Band) -> None:
        levels = marks.declared.levels
        seen = m.visible[marks.source] | m.visible[marks.target]
        rows = zip(marks.source[seen].tolist(), marks.target[seen].tolist(), marks.level[seen].tolist(), strict=True)
        if m.level in ("small", "dense"):
            p.setPen(QPen(self.theme.color("border.strong"), 1.0))
            draw_lines(p, m.points[marks.source[seen]], m.points[marks.target[seen]])
            return
        wrong = marks.wrong[seen].tolist() if len(marks.wrong) else [False] * len(marks.level[seen])
        for (a, b, level), dashed in zip(rows, wrong, strict=True):
            ends = tuple(m.points[a].tolist()), tuple(m.points[b].tolist())
            pen = arc_pen(self.theme, level, levels)
            if not levels:
                pen.setColor(self.theme.state(marks.declared.slot).outline)
            if dashed:
                pen.setDashPattern(WRONG)
            bend = bend_of(marks.declared, (min(a, b), max(a, b)) in frame.scene.link_index)
            draw_arc(p, pen, *ends, m.rim, bend or BEND)

    def _dots(self, d: Drawing) -> None:
        """Draw a dot at the holder's end of a link for each member of a set, or beside the holder without a link."""
        p, m, frame = d.p, d.m, d.frame
        if m.level not in ("full", "medium"):
            return
        for band in frame.marks:
            if band.declared.style != "dot":
                continue
            for part in held_apart(p, frame, band):
                start, stop, _ = m.ways(part.source, part.target)
                at = start + (stop - start) * 0.04
                p.setPen(QPen(self.theme.color("surface.canvas"), 1.2))
                p.setBrush(self.theme.state(part.declared.slot).fill)
                for x, y in at.tolist():
                    p.drawEllipse(QPointF(x, y), m.d * 0.12, m.d * 0.12)


def draw_thick(
    p: QPainter, theme: Theme, slot: int, a: Floats, b: Floats, width: float, dash: Sequence[float] = ()
) -> None:
    """Draw lines in the colour of a state."""
    pen = QPen(theme.state(slot).outline, width)
    if dash:
        pen.setDashPattern(list(dash))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    p.setPen(pen)
    draw_lines(p, a, b)


def draw_struck(p: QPainter, theme: Theme, a: Floats, b: Floats) -> None:
    """Draw links that were given up: the line is removed except for short pale dashes."""
    wide = theme.line("link")
    for color, width, dash in (("surface.canvas", wide + 1.5, ()), ("link.base", wide * 0.8, (2.0, 3.5))):
        pen = QPen(theme.color(color), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if dash:
            pen.setDashPattern([part * 1.6 for part in dash])
        p.setPen(pen)
        draw_lines(p, a, b)
