"""The painter of the drawing board: grid, links and processes of a network.

The static parts are kept as two pictures, one below and one above the moving parts, so that a drag paints only the
dragged things.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import draw_process, draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.drawing.links import DrawnNetwork, LinkPainter, ScreenPlan, draw_clock
from lydian.model.network import RATES, Network
from lydian.views.network.drawing import gap_of, looks_of
from lydian.views.network.snapping import GRID

__all__ = ["DrawingPainter", "draw_banner", "scene_of"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Key = tuple[float, float, float]

#: The number of processes in view up to which each is drawn by itself, with its name; above it, they are sprites.
SINGLE = 300
#: The diameter below which a process has no name.
NAMED = 17.0
#: ... and below which it is a dot without a shape.
DOT = 5.0
#: The number of processes below which they are drawn in full size even if two of them are close.
FEW = 12


def scene_of(
    network: Network,
    show: str = "delay",
    processes: frozenset[str] = frozenset(),
    links: frozenset[tuple[str, str]] = frozenset(),
    *,
    diameter: float = 36.0,
    before: DrawnNetwork | None = None,
) -> DrawnNetwork:
    """Return the drawing of a network, reusing the parts that are the same as in the previous one.

    Args:
        show: the property that links show.
        processes, links: the selection.
        diameter: the diameter of a process in full size, in pixels.
    """
    old = before.network if before is not None else None
    same_links = old is not None and before is not None and before.show == show and old.links is network.links and (
        old.processes is network.processes and old.delay == network.delay and old.classes == network.classes
        and all(getattr(old, name) == getattr(network, name) for name in ("order", *RATES))
    )  # fmt: skip
    points = network.coordinates
    same_places = before is not None and np.array_equal(before.points, points)
    gap = before.gap if before is not None and same_places else gap_of(points)
    size = diameter if not np.isfinite(gap) else max(diameter, 0.5 * gap) if network.n < FEW else 0.62 * gap
    chosen = _mask(network, processes)
    chosen_links = np.zeros(network.m, dtype=np.bool_)
    if links:
        chosen_links[:] = [(link.a, link.b) in links for link in network.links]
    return DrawnNetwork(
        network=network,
        points=points,
        ends=before.ends if same_links and before is not None else network.ends,
        looks=before.looks if same_links and before is not None else looks_of(network, show),
        show=show,
        chosen=chosen,
        chosen_links=chosen_links,
        starts=_mask(network, network.initiators),
        timed=_mask(network, {*network.steps, *network.drifts}),
        size=size,
        gap=gap,
    )


def _mask(network: Network, names: frozenset[str] | set[str] | tuple[str, ...]) -> Bools:
    mask = np.zeros(network.n, dtype=np.bool_)
    mask[[network.index[name] for name in names if name in network.index]] = True
    return mask


class DrawingPainter:
    """The painter of scenes, one for each widget because it caches what it has drawn.

    Args:
        ground: whether it draws the ground with its dots or leaves the background unchanged.
    """

    def __init__(self, theme: Theme, *, ground: bool = True) -> None:
        self.theme = theme
        self.ground = ground
        self.links = LinkPainter(theme)
        self._atlases: dict[tuple[float, float], Atlas] = {}
        self._key: Hashable = None
        self._kept: tuple[DrawnNetwork, Bools | None] | None = None  # keeps objects alive that the key names by id
        self._back, self._front = QPixmap(), QPixmap()
        #: Whether the last picture showed each link in view, or only a sample of them.
        self.each = True
        #: The number of times that the picture of the static parts was drawn.
        self.drawn = 0

    # ------------------------------------------------------------------ positions

    def plan(self, rect: QRectF, scene: DrawnNetwork, key: Key) -> ScreenPlan:
        """Return the positions for a view with the given scale and offsets."""
        scale, dx, dy = key
        points = scene.points * scale + (dx, dy)
        d = min(self.theme.diameter, max(2.5, scene.size * scale))
        x, y, r = points[:, 0], points[:, 1], d
        visible = (x >= rect.left() - r) & (x <= rect.right() + r) & (y >= rect.top() - r) & (y <= rect.bottom() + r)
        return ScreenPlan(QRectF(rect), key, points, d, visible)

    # ------------------------------------------------------------------ static parts

    def paint(
        self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, *, grid: bool = True, picture: bool = False
    ) -> None:
        """Draw everything directly; ``picture`` says whether pixels are acceptable (not for a vector file)."""
        self._ground(p, plan, grid)
        self.part(p, plan, scene, self.links.seen(plan, scene), np.flatnonzero(plan.visible), picture=picture)

    def part(
        self,
        p: QPainter,
        plan: ScreenPlan,
        scene: DrawnNetwork,
        links: NDArray[np.int64],
        processes: NDArray[np.int64],
        *,
        picture: bool = True,
    ) -> None:
        """Draw some links and processes directly."""
        self.each = self.links.paint(p, plan, scene, links, picture=picture)
        self.processes(p, plan, scene, processes, picture=picture)
        self.links.paint_marks(p, plan, scene, links)

    def still(
        self,
        p: QPainter,
        plan: ScreenPlan,
        scene: DrawnNetwork,
        moving: Bools | None,
        *,
        grid: bool,
        quick: bool = False,
    ) -> None:
        """Draw the static parts below what moves from the kept pictures; :meth:`above` draws the rest.

        Args:
            moving: the processes that move and are left out with their links; None if nothing moves.
            quick: the view moves, so only some of very many links are drawn.
        """
        ratio = p.device().devicePixelRatioF()
        key = (id(scene), id(moving), plan.rect.getRect(), plan.key, ratio, self.theme, grid, quick)
        if key != self._key:
            self._draw(plan, scene, moving, ratio, grid, quick)
            self._key, self._kept = key, (scene, moving)
        p.drawPixmap(plan.rect.topLeft(), self._back)

    def above(self, p: QPainter, plan: ScreenPlan) -> None:
        """Draw the static parts above what moves."""
        p.drawPixmap(plan.rect.topLeft(), self._front)

    def _draw(
        self, plan: ScreenPlan, scene: DrawnNetwork, moving: Bools | None, ratio: float, grid: bool, quick: bool
    ) -> None:
        self.drawn += 1
        links = shown = None
        if moving is not None:
            links = ~(moving[scene.ends[:, 0]] | moving[scene.ends[:, 1]]) if len(scene.ends) else None
            shown = plan.visible & ~moving
        numbers = self.links.seen(plan, scene, links)
        self._back, p = self._blank(plan, ratio)
        try:
            self._ground(p, plan, grid)
            self.each = self.links.paint(p, plan, scene, numbers, picture=True, quick=quick)
        finally:
            p.end()
        self._front, p = self._blank(plan, ratio)
        try:
            self.processes(p, plan, scene, np.flatnonzero(plan.visible if shown is None else shown), picture=True)
            self.links.paint_marks(p, plan, scene, numbers)
        finally:
            p.end()

    def _blank(self, plan: ScreenPlan, ratio: float) -> tuple[QPixmap, QPainter]:
        rect = plan.rect
        pixmap = QPixmap(max(1, round(rect.width() * ratio)), max(1, round(rect.height() * ratio)))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        p = QPainter(pixmap)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        p.translate(-rect.topLeft())
        return pixmap, p

    def _ground(self, p: QPainter, plan: ScreenPlan, grid: bool) -> None:
        """Draw the background with its dots."""
        if not self.ground:
            return
        p.fillRect(plan.rect, self.theme.color("surface.canvas"))
        scale, dx, dy = plan.key
        step = GRID * scale
        if not grid or self.theme.projector or step <= 0 or not np.isfinite(step):
            return
        while step < 20:
            step *= 2
        while step > 64:
            step /= 2
        left, top, right, bottom = plan.box
        columns = np.arange(np.ceil((left - dx) / step), np.floor((right - dx) / step) + 1) * step + dx
        rows = np.arange(np.ceil((top - dy) / step), np.floor((bottom - dy) / step) + 1) * step + dy
        pen = QPen(self.theme.color("border.subtle"), 1.6)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        p.setPen(pen)
        dots = np.column_stack((np.tile(columns, len(rows)), np.repeat(rows, len(columns))))
        draw_lines(p, dots, dots + np.array([0.01, 0.0]))

    # ------------------------------------------------------------------ processes

    def processes(
        self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, numbers: NDArray[np.int64], *, picture: bool
    ) -> None:
        """Draw these processes, with names and badges if they are large enough."""
        d, theme = plan.d, self.theme
        if d >= NAMED and (len(numbers) <= SINGLE or not picture):
            names = scene.network.processes
            for i, (x, y) in zip(numbers.tolist(), plan.points[numbers].tolist(), strict=True):
                draw_process(p, theme, x, y, d, 0, names[i], selected=bool(scene.chosen[i]))
        elif picture:
            self._sprites(p, plan, scene, numbers)
        else:
            for i, (x, y) in zip(numbers.tolist(), plan.points[numbers].tolist(), strict=True):
                draw_process(p, theme, x, y, d, 0, selected=bool(scene.chosen[i]))
        badged = numbers[(scene.starts | scene.timed)[numbers]]
        if d >= 12 and len(badged) <= SINGLE:
            for i in badged.tolist():
                self._badges(p, plan, scene, i)
        elif len(badged) and scene.starts[badged].any():
            self._dots(p, plan, badged[scene.starts[badged]])

    def _sprites(self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, numbers: NDArray[np.int64]) -> None:
        theme, d, ratio = self.theme, round(plan.d, 2), p.device().devicePixelRatioF()
        key = (d, ratio)
        if key not in self._atlases:

            def draw(inner: QPainter, look: Hashable) -> None:
                if d >= DOT:
                    draw_process(inner, theme, 0, 0, d, 0, selected=look == 1)
                    return
                inner.setPen(Qt.PenStyle.NoPen)
                inner.setBrush(theme.color("selection") if look == 1 else theme.state(0).outline)
                inner.drawEllipse(QPointF(0, 0), d / 2, d / 2)

            self._atlases = {key: Atlas(d + 14, ratio, draw)}
        atlas = self._atlases[key]
        place = atlas.prepare([0, 1])
        atlas.paint(p, plan.points[numbers, 0], plan.points[numbers, 1], place[scene.chosen[numbers].astype(np.int64)])

    def _dots(self, p: QPainter, plan: ScreenPlan, numbers: NDArray[np.int64]) -> None:
        """Mark the initiators that are too small, or too many, for flags."""
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(self.theme.state(1).fill)
        r = max(1.6, plan.d * 0.24)
        for x, y in plan.points[numbers].tolist():
            p.drawEllipse(QPointF(x, y), r, r)

    def _badges(self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, i: int) -> None:
        """Draw a flag for an initiator, and a clock for a timing of its own."""
        theme = self.theme
        x, y = plan.points[i].tolist()
        r = max(5.0, plan.d * 0.27)
        away = plan.d / 2 * 0.92 + r * 0.25
        corner = away * 0.7071
        if scene.starts[i]:
            style = theme.state(1)
            cx, cy = x + corner, y - corner
            p.setPen(QPen(theme.color("surface.canvas"), 1.2))
            p.setBrush(style.fill)
            p.drawEllipse(QPointF(cx, cy), r, r)
            s = r / 10
            path = QPainterPath(QPointF(cx - 3 * s, cy + 5.5 * s))
            for px, py in ((-3, -4.5), (4.5, -4.5), (2.4, -1.8), (4.5, 0.9), (-3, 0.9)):
                path.lineTo(cx + px * s, cy + py * s)
            pen = QPen(style.label, max(1.0, 1.7 * s))
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            p.strokePath(path, pen)
        if scene.timed[i]:
            cx, cy = x + corner, y + (corner if scene.starts[i] else -corner)
            p.setPen(QPen(theme.color("link.override"), 1.1))
            p.setBrush(theme.color("link.overrideSoft"))
            p.drawEllipse(QPointF(cx, cy), r * 0.95, r * 0.95)
            draw_clock(p, theme.color("link.override"), cx, cy, r * 0.55)


def draw_banner(p: QPainter, theme: Theme, rect: QRectF, text: str) -> None:
    """Draw a sentence in a strip at the top of the drawing."""
    font = theme.font("small")
    p.setFont(font)
    wide = p.fontMetrics().horizontalAdvance(text) + 24
    high = theme.grown(26)
    box = QRectF(rect.center().x() - wide / 2, rect.top() + 12, wide, high)
    p.setPen(QPen(theme.color("check.warn"), 1))
    p.setBrush(theme.color("check.warnSoft"))
    p.drawRoundedRect(box, theme.size("radius.card"), theme.size("radius.card"))
    draw_text(p, theme, box.center().x(), box.center().y(), text, "small", "check.warn", align="center")
