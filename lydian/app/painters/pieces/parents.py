"""The painter of the tree that processes form by their parents, with the messages that pass along its links."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from lydian.app.look.shapes import draw_head, draw_process
from lydian.app.look.theme import Theme
from lydian.app.painters.ink import LEFT, MIDDLE, RIGHT, Ink
from lydian.app.painters.pieces.panelink import draw_reason
from lydian.app.painters.pieces.piece import PanelPainter
from lydian.language import tr, trn
from lydian.pieces.parents import ParentsFrame
from lydian.views.network.basic import BasicFrame
from lydian.views.network.scene import Floats
from lydian.views.selection import Hit

__all__ = ["ParentsPainter"]

#: The maximum size of a process and distance of levels, and the minimum size of a process with a name.
LARGEST, APART, NAMED = 26.0, 84.0, 9.0


@dataclass(frozen=True, eq=False)
class _Plan:
    """The plan of the tree: the centres of the nodes, their size, and whether all names are below them."""

    k: float
    x: Floats
    y: Floats
    d: float
    below: bool


class ParentsPainter(PanelPainter):
    """The painter of a :class:`~lydian.pieces.parents.ParentsFrame`, which also describes what is at a point of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.ink = Ink(theme)

    # ------------------------------------------------------------------ places

    def _plan(self, box: QRectF, tree: ParentsFrame) -> _Plan:
        k, laid = self.theme.px("small") / 12, tree.laid
        room = box.adjusted(14 * k, 40 * k, -14 * k, -40 * k)
        names = max((self.ink.width(name, "small") for name in laid.names), default=0.0)
        slot = room.width() / max(laid.wide, 1.0)
        down = min(room.height() / max(laid.high - 0.4, 1.0), APART * k)
        d = min(LARGEST * k, slot * 0.8, down * 0.5)
        below = slot < d + names + 12 * k
        x = room.left() + (laid.x + 0.5) * slot - (0.0 if below else (names + 4 * k) / 2)
        y = room.top() + d / 2 + laid.depth * down
        return _Plan(k, np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64), d, below)

    # ------------------------------------------------------------------ painting

    def paint(self, p: QPainter, box: QRectF, frame: BasicFrame, tree: ParentsFrame) -> None:
        """Draw the tree."""
        k = self.theme.px("small") / 12
        p.save()
        p.setClipRect(box, Qt.ClipOperation.IntersectClip)
        line = QRectF(box.left() + 12 * k, box.top() + 6 * k, box.width() - 24 * k, 20 * k)
        if tree.topic:
            words = tr("topic {topic}", topic=tree.topic)
            self.ink.text(p, line, words, "small", "text.secondary", RIGHT)
            line.setRight(line.right() - self.ink.width(words, "small") - 10 * k)
        self.ink.text(p, line, tree.declared.title or tr("Tree"), "small", "text.primary", semibold=True)
        if tree.problem or not tree.laid.names:
            why = tree.problem or tr("No process is in the tree now.")
            draw_reason(p, self.theme, box.adjusted(20 * k, 30 * k, -20 * k, -10 * k), why)
        else:
            plan = self._plan(box, tree)
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._links(p, plan, tree)
            self._messages(p, plan, frame, tree)
            self._nodes(p, plan, frame, tree)
            deep = tree.laid.high - 1
            members = trn("{count:,} process", "{count:,} processes", len(tree.laid.names))
            levels = trn("{count:,} link deep", "{count:,} links deep", deep)
            foot = QRectF(box.left() + 12 * k, box.bottom() - 26 * k, box.width() - 24 * k, 20 * k)
            self.ink.text(p, foot, f"{members}, {levels}", "small", "text.secondary")
        p.restore()

    def _links(self, p: QPainter, plan: _Plan, tree: ParentsFrame) -> None:
        """Draw the links as curves that leave a parent downwards."""
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.theme.state(tree.declared.slot).outline, 2.2 * plan.k))
        for above, below in tree.laid.links.tolist():
            a, b = (QPointF(plan.x[i], plan.y[i]) for i in (above, below))
            middle = (a.y() + b.y()) / 2
            path = QPainterPath(a)
            path.cubicTo(QPointF(a.x(), middle), QPointF(b.x(), middle), b)
            p.drawPath(path)

    def _messages(self, p: QPainter, plan: _Plan, frame: BasicFrame, tree: ParentsFrame) -> None:
        """Draw the messages between a parent and a child at the same part of their way as in the network."""
        node = {process: i for i, process in enumerate(tree.processes.tolist())}
        links = {(above, below) for above, below in tree.laid.links.tolist()}
        flights = frame.flights
        for source, target, fraction, kind in zip(
            flights.source.tolist(), flights.target.tolist(), flights.fraction.tolist(), flights.kind.tolist(),
            strict=True,
        ):  # fmt: skip
            a, b = node.get(source, -1), node.get(target, -1)
            if (a, b) in links or (b, a) in links:
                x, y, angle = _on_curve(plan, a, b, fraction)
                draw_head(p, self.theme, x, y, angle, kind, 11 * plan.k)

    def _nodes(self, p: QPainter, plan: _Plan, frame: BasicFrame, tree: ParentsFrame) -> None:
        k, named = plan.k, plan.d >= NAMED * plan.k
        hover = frame.hover.id if frame.hover is not None and frame.hover.kind == "process" else None
        for i, process in enumerate(tree.processes.tolist()):
            x, y = float(plan.x[i]), float(plan.y[i])
            draw_process(p, self.theme, x, y, plan.d, int(frame.slots[process]),
                         selected=process in frame.selection.processes, hover=process == hover,
                         crashed=bool(frame.crashed[process]))  # fmt: skip
            if not named:
                continue
            name, half = tree.laid.names[i], self.ink.width(tree.laid.names[i], "small") / 2 + 2
            box = QRectF(x - half, y + plan.d * 0.62, 2 * half, 15 * k) if plan.below else QRectF(
                x + plan.d * 0.68 + 3 * k, y - 8 * k, 2 * half, 16 * k
            )  # fmt: skip
            p.fillRect(box.adjusted(-1, 1, 1, -1), self.theme.color("surface.panel"))
            ink = "fault.base" if frame.crashed[process] else "text.primary"
            self.ink.text(p, box, name, "small", ink, MIDDLE if plan.below else LEFT)

    # ------------------------------------------------------------------ pointing

    def _node_at(self, pos: QPointF, box: QRectF, tree: ParentsFrame) -> int:
        if tree.problem or not tree.laid.names:
            return -1
        plan = self._plan(box, tree)
        away = np.hypot(plan.x - pos.x(), plan.y - pos.y())
        return int(np.argmin(away)) if float(away.min()) <= max(plan.d * 0.6, 8 * plan.k) else -1

    def hit(self, pos: QPointF, box: QRectF, frame: BasicFrame, tree: ParentsFrame) -> Hit | None:
        """Return the process at a point."""
        node = self._node_at(pos, box, tree)
        return Hit("process", int(tree.processes[node])) if node >= 0 else None

    def told(self, pos: QPointF, box: QRectF, frame: BasicFrame, tree: ParentsFrame) -> str:
        """Describe the process at a point, as rich text."""
        node = self._node_at(pos, box, tree)
        return escape(tree.words(node)) if node >= 0 else ""


def _on_curve(plan: _Plan, a: int, b: int, share: float) -> tuple[float, float, float]:
    """Return a point of the curve between two nodes, and its direction there."""
    start, end = (plan.x[a], plan.y[a]), (plan.x[b], plan.y[b])
    middle = (start[1] + end[1]) / 2
    xs, ys = np.array([start[0], start[0], end[0], end[0]]), np.array([start[1], middle, middle, end[1]])
    s, r = share, 1 - share
    weight = np.array([r**3, 3 * r * r * s, 3 * r * s * s, s**3])
    slope = np.array([-3 * r * r, 3 * r * r - 6 * r * s, 6 * r * s - 3 * s * s, 3 * s * s])
    return float(weight @ xs), float(weight @ ys), math.atan2(float(slope @ ys), float(slope @ xs))
