"""The painter of the tree beside the network: the root at the top, chips where names fit, and dots elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.ink import RIGHT, Ink
from lydian.app.painters.pieces.panelink import draw_reason
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.language import tr
from lydian.pieces.tree import Laid, TreeFrame
from lydian.views.network.basic import BasicFrame
from lydian.views.network.scene import Floats

__all__ = ["TreePainter"]

#: The maximum distance of levels and height of chips, and the minimum width of a name.
APART, CHIP, NAMED = 64.0, 18.0, 26.0
#: The radius of a dot.
DOT = 3.5
#: The slot of red tree nodes.
RED = 1


@dataclass(frozen=True, eq=False)
class _Plan:
    """The plan of the tree: the centres of the tree nodes, and the maximum width of a chip, 0 for a dot."""

    k: float
    x: Floats
    y: Floats
    chips: Floats
    dot: float
    foot: float


class TreePainter(PanelPainter):
    """The painter of a :class:`~lydian.pieces.tree.TreeFrame`, which also describes what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)
        self._last: tuple[Laid, QRectF, _Plan] | None = None

    # ------------------------------------------------------------------ places

    def _plan(self, box: QRectF, tree: TreeFrame) -> _Plan:
        if self._last is None or self._last[0] is not tree.laid or self._last[1] != box:
            self._last = tree.laid, QRectF(box), self._planned(box, tree)
        return self._last[2]

    def _planned(self, box: QRectF, tree: TreeFrame) -> _Plan:
        k, laid = self.theme.px("small") / 12, tree.laid
        room = box.adjusted(12 * k, 36 * k, -12 * k, -34 * k)
        slot = room.width() / laid.wide
        x = room.left() + np.asarray((laid.x + 0.5) * slot, dtype=np.float64)
        down = min((room.height() - CHIP * k) / max(laid.high - 1, 1), APART * k)
        y = room.top() + CHIP * k / 2 + laid.depth.astype(np.float64) * max(down, 1.0)
        chips = np.zeros(len(laid.names))
        metrics = QFontMetricsF(self.theme.font("small"))
        for level in range(laid.high if down >= (CHIP + 4) * k else 0):
            mine = np.flatnonzero(laid.depth == level)
            mine = mine[np.argsort(x[mine])]
            gaps = np.diff(x[mine])
            edge = np.array([2 * (x[mine[0]] - box.left()), 2 * (box.right() - x[mine[-1]])])
            limit = np.minimum(np.append(edge[0], gaps), np.append(gaps, edge[1])) - 4 * k
            words = np.array([metrics.horizontalAdvance(laid.labels[node]) + 10 * k for node in mine.tolist()])
            if (np.minimum(words, NAMED * k) <= limit).all():
                chips[mine] = np.minimum(np.maximum(words, CHIP * k), limit)
        under = float(y.max()) + CHIP * k if len(y) else room.top()
        dot = min(DOT * k, max(slot * 0.4, 1.0), max(down * 0.3, 1.0))
        return _Plan(k, x, y, chips, dot, min(under + 6 * k, box.bottom() - 26 * k))

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, tree: TreeFrame) -> None:
        """Draw the tree."""
        k = self.theme.px("small") / 12
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        line = QRectF(box.left() + 12 * k, box.top() + 6 * k, box.width() - 24 * k, 20 * k)
        whose = tr("of {process}", process=frame.names[tree.whose]) if tree.whose >= 0 else ""
        self.ink.text(p, line, whose, "small", "text.secondary", RIGHT)
        line.setRight(line.right() - self.ink.width(whose, "small") - 10 * k)
        self.ink.text(p, line, tree.declared.title or tree.declared.variable, "small", "text.primary", semibold=True)
        if tree.problem or not tree.laid.names:
            why = tree.problem or (tr("It has no tree now.") if tree.whose >= 0 else tr("No process has a tree now."))
            draw_reason(p, self.theme, box.adjusted(20 * k, 30 * k, -20 * k, -10 * k), why)
        else:
            plan = self._plan(box, tree)
            self._links(p, plan, tree)
            self._nodes(p, plan, tree)
            self._legend(p, box, plan, tree)
        p.restore()

    def _links(self, p: QPainter, plan: _Plan, tree: TreeFrame) -> None:
        above, below = tree.laid.links[:, 0], tree.laid.links[:, 1]
        both = tree.red[above] & tree.red[below]
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for red in (False, True):
            some = np.flatnonzero(both == red)
            color = self.theme.color("fault.base" if red else "link.base")
            p.setPen(QPen(color, 1.8 if red else 1.2))
            ends = np.column_stack((plan.x[above], plan.y[above], plan.x[below], plan.y[below]))[some]
            p.drawLines([QLineF(*each) for each in ends.tolist()])

    def _nodes(self, p: QPainter, plan: _Plan, tree: TreeFrame) -> None:
        theme, k = self.theme, plan.k
        metrics = QFontMetricsF(theme.font("small"))
        red = theme.state(RED)
        for node, (x, y, wide) in enumerate(
            zip(plan.x.tolist(), plan.y.tolist(), plan.chips.tolist(), strict=True)
        ):  # fmt: skip
            odd = bool(tree.red[node])
            if not wide:
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(red.fill if odd else theme.color("text.secondary"))
                r = plan.dot * (1.3 if odd else 1.0)
                p.drawEllipse(QPointF(x, y), r, r)
                continue
            chip = QRectF(x - wide / 2, y - CHIP * k / 2, wide, CHIP * k)
            p.setPen(QPen(red.outline, 2.0) if odd else QPen(theme.color("border.control"), 1))
            p.setBrush(red.fill if odd else theme.color("surface.canvas"))
            p.drawRoundedRect(chip, 4 * k, 4 * k)
            label = metrics.elidedText(tree.laid.labels[node], Qt.TextElideMode.ElideLeft, wide - 6 * k)
            p.setFont(theme.font("small"))
            p.setPen(red.label if odd else theme.color("text.primary"))
            across = metrics.horizontalAdvance(label)
            p.drawText(QPointF(x - across / 2, y + (metrics.ascent() - metrics.descent()) / 2), label)

    def _legend(self, p: QPainter, box: QRectF, plan: _Plan, tree: TreeFrame) -> None:
        """Draw the number of tree nodes, and the meaning of red ones."""
        k, theme = plan.k, self.theme
        if not tree.declared.compare and not tree.declared.marked:
            return
        line = QRectF(box.left() + 12 * k, plan.foot, box.width() - 24 * k, 18 * k)
        side = 11 * k
        p.setPen(QPen(theme.state(RED).outline, 2.0))
        p.setBrush(theme.state(RED).fill)
        p.drawRoundedRect(QRectF(line.left() + 1, line.center().y() - side / 2, side, side), 3 * k, 3 * k)
        count = tr("{count:,} of {total:,}", count=int(tree.red.sum()), total=len(tree.red))
        words = f"{tree.declared.word or tr('red')} {count}"
        self.ink.text(p, line.adjusted(side + 7 * k, 0, 0, 0), words, "small", "text.secondary")

    # ------------------------------------------------------------------ pointing

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, tree: TreeFrame) -> str:
        """Describe the tree node at a point, as rich text."""
        if tree.problem or not tree.laid.names:
            return ""
        plan = self._plan(box, tree)
        across = np.maximum(np.abs(plan.x - pos.x()) - plan.chips / 2, 0.0)
        away = np.hypot(across, plan.y - pos.y())
        node = int(np.argmin(away))
        if not math.isfinite(float(away[node])) or away[node] > max(CHIP * plan.k / 2, plan.dot + 3):
            return ""
        return escape(tree.words(node))
