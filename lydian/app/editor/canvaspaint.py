"""What the drawing board looks like: the drawing, and over it what a gesture, the pointer and the keyboard add."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from lydian.app.editor.gestures.base import NO_OVERLAY, Overlay
from lydian.app.look.theme import Theme
from lydian.app.painters.drawing import DrawingPainter, Plan, Scene, draw_banner
from lydian.app.painters.drawinglegend import draw_legend, legend_width
from lydian.app.painters.drawingmarks import MarkPainter
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.app.editor.boardview import BoardView
    from lydian.model.editing.links import Pair

__all__ = ["Easel"]

#: How much of a ghost is seen.
PALE = 0.34


class Easel:
    """Paints the board of a canvas; one for each theme."""

    def __init__(self, canvas: BoardView, theme: Theme) -> None:
        self.canvas, self.theme = canvas, theme
        self.drawing = DrawingPainter(theme)
        self.ghosts = DrawingPainter(theme, ground=False)
        self.marks = MarkPainter(theme)

    def paint(self, p: QPainter, rect: QRectF) -> None:
        """Everything."""
        canvas, scene = self.canvas, self.canvas.scene
        overlay = canvas.gesture.overlay if canvas.gesture is not None else NO_OVERLAY
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        glide = canvas.glide
        if glide is not None and len(glide.after) == scene.n:
            scene = scene.moved(glide.points())
            plan = self.drawing.plan(rect, scene, canvas.view.key)
            self.drawing.paint(p, plan, scene, grid=canvas.grid, picture=True)
        else:
            plan = self.drawing.plan(rect, scene, canvas.view.key)
            self._still_and_moving(p, plan, scene, overlay)
        self._ghost(p, rect)
        if not scene.n and canvas.ghost_scene is None:
            self.marks.empty(p, rect)
        if glide is None:
            self._pointed(p, plan, scene, overlay)
        self._messages(p, plan, scene)
        self._legend(p, rect)
        if not self.drawing.each:
            links = plural(scene.network.m, "link")
            draw_banner(p, self.theme, canvas.free(), f"Drawn simplified: {links}; zoom in to see each")
        if overlay.tip is not None:
            self.marks.tip(p, rect, canvas.view.pixel(*overlay.tip.at), overlay.tip.title, overlay.tip.text)
        if canvas.hasFocus() and canvas.property("keyboard"):
            self.marks.focus(p, rect)

    def _still_and_moving(self, p: QPainter, plan: Plan, scene: Scene, overlay: Overlay) -> None:
        drawing, canvas = self.drawing, self.canvas
        moving = overlay.moving if overlay.moving is not None and len(overlay.moving) == scene.n else None
        drawing.still(p, plan, scene, moving, grid=canvas.grid, quick=canvas.quick)
        if moving is None or overlay.points is None:
            self._touched(p, plan, scene, overlay)
            drawing.above(p, plan)
            return
        points = scene.points.copy()
        points[moving] = overlay.points
        moved = scene.moved(points)
        now = drawing.plan(plan.rect, moved, plan.key)
        each = drawing.each
        touching = moving[scene.ends[:, 0]] | moving[scene.ends[:, 1]] if len(scene.ends) else None
        numbers = drawing.links.seen(now, moved, touching)
        drawing.links.paint(p, now, moved, numbers, picture=True)
        self.marks.guides(p, plan, overlay.guides)
        drawing.above(p, plan)
        drawing.processes(p, now, moved, np.flatnonzero(now.visible & moving), picture=True)
        drawing.links.paint_marks(p, now, moved, numbers)
        drawing.each = each

    def _touched(self, p: QPainter, plan: Plan, scene: Scene, overlay: Overlay) -> None:
        """Links that are lit: under the brush, caught by a band, hovered, or shown by a panel."""
        canvas = self.canvas
        pair = canvas.board.hovered
        hovered: frozenset[Pair] = frozenset({pair}) if isinstance(pair, tuple) else frozenset()
        for pairs, color in (
            (overlay.touched, "link.override"),
            (overlay.caught_links, "selection"),
            (canvas.shown_links, "check.warn"),
            (hovered, "selection"),
        ):
            rows = self._rows(scene, pairs)
            if len(rows):
                a, b = self.drawing.links.segments(plan, scene, rows)
                width = 8.0 if color == "selection" and pairs is not overlay.caught_links else 9.0
                self.marks.along(p, a, b, color, width)

    def _rows(self, scene: Scene, pairs: frozenset[Pair]) -> np.ndarray:
        """Numbers of links."""
        if not pairs:
            return np.zeros(0, dtype=np.int64)
        table = self.canvas.link_numbers
        return np.array([table[pair] for pair in pairs if pair in table], dtype=np.int64)

    def _pointed(self, p: QPainter, plan: Plan, scene: Scene, overlay: Overlay) -> None:
        """What the pointer is at, and what a gesture would do."""
        canvas, marks, index = self.canvas, self.marks, scene.network.index
        gesture = canvas.gesture

        def place(name: str) -> tuple[float, float]:
            x, y = plan.points[index[name]].tolist()
            return x, y

        marks.rings(p, plan, (index[name] for name in overlay.caught if name in index))
        marks.rings(p, plan, (index[name] for name in canvas.shown_processes if name in index), "check.warn")
        hovered = canvas.board.hovered
        if gesture is None and isinstance(hovered, str) and hovered in index:
            if canvas.linkable and plan.d >= 17:
                marks.rim(p, plan, place(hovered), strong=canvas.on_rim)
            elif not scene.chosen[index[hovered]]:
                marks.rings(p, plan, [index[hovered]])
        if overlay.line is not None:
            marks.guides(p, plan, overlay.guides)
            if overlay.target is not None and overlay.target in index:
                marks.target(p, plan, place(overlay.target))
            a, b = (canvas.view.pixel(*end) for end in overlay.line)
            new, target = overlay.new is not None, overlay.target is not None
            marks.new_link(p, plan, a, b, directed=overlay.directed, process=new, target=target)
        if overlay.band is not None:
            left, top, right, bottom = overlay.band
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            marks.band(p, [canvas.view.pixel(*corner) for corner in corners])
        if len(overlay.lasso) > 1:
            marks.band(p, [canvas.view.pixel(*corner) for corner in overlay.lasso], loop=True)

    def _ghost(self, p: QPainter, rect: QRectF) -> None:
        ghost = self.canvas.ghost_scene
        if ghost is None:
            return
        plan = self.ghosts.plan(rect, ghost, self.canvas.view.key)
        p.save()
        p.setOpacity(PALE)
        self.ghosts.still(p, plan, ghost, None, grid=False)
        self.ghosts.above(p, plan)
        p.restore()

    def _legend(self, p: QPainter, rect: QRectF) -> None:
        """A card at the lower left, if links look different from each other."""
        title, entries = self.canvas.legend()
        if len(entries) < 2:
            return
        theme, left, bottom = self.theme, self.canvas.margins[0], self.canvas.margins[3]
        high = theme.grown(30)
        room = rect.width() - left - self.canvas.margins[2] - 24
        wide = min(legend_width(theme, title, entries) + 24, room)
        box = QRectF(rect.left() + left + 12, rect.bottom() - bottom - high - 10, wide, high)
        p.setPen(QPen(theme.color("border.subtle"), 1))
        p.setBrush(theme.color("surface.overlay"))
        p.drawRoundedRect(box, theme.size("radius.card"), theme.size("radius.card"))
        draw_legend(p, theme, box.adjusted(12, 0, -10, 0), title, entries)

    def _messages(self, p: QPainter, plan: Plan, scene: Scene) -> None:
        sending = self.canvas.sending
        index = scene.network.index
        if sending is None or any(name not in index for name in sending.pair):
            return
        a, b = (tuple(plan.points[index[name]].tolist()) for name in sending.pair)
        self.marks.messages(p, plan, scene, a, b, sending.shares())
