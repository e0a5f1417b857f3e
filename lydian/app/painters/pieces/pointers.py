"""The painter of pointers: bands and chevrons, arrows, rings and arcs; the longest waiting chain is drawn last."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.fragments import draw_lines
from lydian.app.painters.network.netmap import Map
from lydian.app.painters.pieces.arcs import arc_pen, draw_arc, draw_middle_head, ring_pen
from lydian.app.painters.pieces.bands import draw_band, held_apart
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.bands import Band
from lydian.pieces.piece import LegendItem
from lydian.pieces.pointers import Pointer
from lydian.views.network.arrows import bend_of
from lydian.views.network.basic import BasicFrame

__all__ = ["PointerPainter"]


class PointerPainter(PiecePainter):
    """The painter of pointers."""

    def arrows(self, d: Drawing) -> None:
        """Draw all pointers, with waiting chains over the others."""
        for band in sorted(d.frame.pointers, key=lambda band: band.declared.style == "waiting"):
            for part in held_apart(d.p, d.frame, band):
                if d.m.level in ("small", "dense"):
                    self._thin(d.p, d.m, part)
                else:
                    self._band(d.p, d.m, d.frame, part)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Pointer, k: float) -> None:
        """Draw a sample of the line."""
        a, b = (box.left(), box.center().y()), (box.right(), box.center().y())
        if declared.style == "arc":
            draw_arc(p, arc_pen(self.theme), (a[0], a[1] + 3 * k), (b[0], b[1] + 3 * k), 0.0, -0.3)
        elif declared.style == "ring":
            p.setPen(ring_pen(self.theme))
            p.drawLine(QPointF(*a), QPointF(*b))
            draw_middle_head(p, self.theme.color("chain.future"), self.theme.color("surface.canvas"), a, b, 9 * k)
        else:
            draw_band(p, self.theme, declared.style, a, b, short=True)

    def _band(self, p: QPainter, m: Map, frame: BasicFrame, band: Band) -> None:
        index = frame.scene.link_index
        for on_longest in (False, True):
            chosen = band.longest == on_longest
            for a, b in zip(band.source[chosen].tolist(), band.target[chosen].tolist(), strict=True):
                if not m.visible[a] and not m.visible[b]:
                    continue
                ends = tuple(m.points[a].tolist()), tuple(m.points[b].tolist())
                bend = bend_of(band.declared, (min(a, b), max(a, b)) in index)
                if bend:
                    draw_arc(p, arc_pen(self.theme), *ends, m.rim, bend)
                elif band.declared.style == "ring":
                    pen = ring_pen(self.theme)
                    p.setPen(pen)
                    p.drawLine(QPointF(*ends[0]), QPointF(*ends[1]))
                    ground = self.theme.color("surface.canvas")
                    draw_middle_head(p, pen.color(), ground, *ends, 4.0 * pen.widthF())
                else:
                    draw_band(p, self.theme, band.declared.style, *ends, longest=on_longest, inset=m.rim)

    def _thin(self, p: QPainter, m: Map, band: Band) -> None:
        """Draw the lines of a pointer where processes are small."""
        if band.declared.style == "tree":
            color = self.theme.state(3).outline
        elif band.declared.style in ("waiting", "waited"):
            color = self.theme.color("chain.waiting")
        else:
            color = ring_pen(self.theme).color() if band.declared.style == "ring" else self.theme.color("border.strong")
        for on_longest in (False, True):
            chosen = (band.longest == on_longest) & (m.visible[band.source] | m.visible[band.target])
            p.setPen(QPen(color, 3.0 if on_longest else 2.2 if band.declared.style == "waiting" else 1.2))
            draw_lines(p, m.points[band.source[chosen]], m.points[band.target[chosen]])
