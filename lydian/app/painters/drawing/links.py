"""The links of a drawing: their looks, arrows, chips, and bolts for failures."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import draw_text
from lydian.app.look.theme import Theme, mixed, parsed, tokens
from lydian.model.network import Network
from lydian.views.network.drawing import LinkLook, Looks, chip_places, in_view

__all__ = ["CHIPS", "EACH", "QUICK", "DrawnNetwork", "LinkPainter", "ScreenPlan", "draw_chip", "link_color"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Key = tuple[float, float, float]

#: The number of links in view up to which each is drawn; of more, only a sample of this size is drawn.
EACH, SAMPLE = 15_000, 5_000
#: The maximum number of links drawn while the view moves.
QUICK = 2_000
#: The minimum number of lines that are drawn without smoothing.
ROUGH = 3_000
#: The opacity of lines where they cover everything.
LEAST = 0.2
#: The maximum number of chips and bolts drawn.
CHIPS = 250
#: Half the distance between links of opposite directions.
ASIDE = 3.5


@dataclass(frozen=True, eq=False)
class DrawnNetwork:
    """A network with everything about it that is drawn.

    Attributes:
        points: the processes in coordinates of the drawing, (n, 2); ``ends`` the links, (m, 2).
        looks: the looks of the links; ``show`` is the property of links that they show.
        chosen: which processes are selected, (n,); ``chosen_links`` which links, (m,).
        starts: which processes are initiators; ``timed`` which have a clock or a step of their own.
        size: the diameter of a process in coordinates of the drawing.
    """

    network: Network
    points: Floats
    ends: NDArray[np.int32]
    looks: Looks
    show: str
    chosen: Bools
    chosen_links: Bools
    starts: Bools
    timed: Bools
    size: float
    gap: float

    @property
    def n(self) -> int:
        return len(self.points)

    def moved(self, points: Floats) -> DrawnNetwork:
        """Return the same drawing with the processes at other points."""
        return replace(self, points=points)


@dataclass(frozen=True, eq=False)
class ScreenPlan:
    """The positions of the processes on the screen, (n, 2), their diameter, and which of them are in view."""

    rect: QRectF
    key: Key
    points: Floats
    d: float
    visible: Bools

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The left, top, right and bottom of the visible part."""
        return self.rect.left(), self.rect.top(), self.rect.right(), self.rect.bottom()


def link_color(theme: Theme, look: LinkLook) -> QColor:
    """Return the colour of a look, which may be one of the looks of levels."""
    if look.color.startswith("reach."):
        return parsed(tokens()["reach"][theme.name][int(look.color[6:])]["color"])
    return theme.color(look.color)


class LinkPainter:
    """The painter of links for a plan; it caches the pictures of arrow heads."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._heads: dict[tuple[int, float, float], Atlas] = {}

    def seen(self, plan: ScreenPlan, scene: DrawnNetwork, mask: Bools | None = None) -> NDArray[np.int64]:
        """Return the numbers of those links of the mask that may be in view."""
        ends = scene.ends
        if not len(ends):
            return np.zeros(0, dtype=np.int64)
        seen = in_view(plan.points[ends[:, 0]], plan.points[ends[:, 1]], plan.box)
        return np.flatnonzero(seen if mask is None else seen & mask)

    def paint(
        self,
        p: QPainter,
        plan: ScreenPlan,
        scene: DrawnNetwork,
        numbers: NDArray[np.int64],
        *,
        picture: bool,
        quick: bool = False,
    ) -> bool:
        """Draw these links; return whether all of them, rather than a sample, are drawn when the view is at rest."""
        theme, looks = self.theme, scene.looks
        each = len(numbers) <= EACH or not picture
        thinned = quick and len(numbers) > QUICK
        if thinned:
            numbers = _sample(numbers, QUICK)
        elif not each:
            numbers = _sample(numbers, SAMPLE)
        p.setRenderHint(QPainter.RenderHint.Antialiasing, not picture or (len(numbers) < ROUGH and not thinned))
        a, b = self.segments(plan, scene, numbers)
        of, arrows = looks.of[numbers], looks.directed[numbers] & (plan.d >= 8)
        thin = plan.d < 17
        crowd = _crowd(plan, a, b)
        ground = theme.color("surface.canvas")
        chosen = scene.chosen_links[numbers]
        few = int(chosen.sum()) <= 400
        if chosen.any() and few:
            self._chosen(p, a[chosen], b[chosen], few)
        for kind, look in enumerate(looks.kinds):
            mine = of == kind
            if not mine.any():
                continue
            color, width = link_color(theme, look), look.width * theme.line("link") / theme.size("line.link")
            if thin or crowd > 0.3:
                width = max(1.0, min(width * 0.5, 2.0)) if look.own else 1.0
            if not look.own:
                color = mixed(ground, color, max(LEAST, 1 / (1 + 2.2 * crowd)))
            pen = QPen(color, width)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            if look.dash and not thin:
                pen.setDashPattern([part / width for part in look.dash])
            p.setPen(pen)
            plain = mine & ~arrows
            draw_lines(p, a[plain], b[plain])
            if (mine & arrows).any():
                self._arrows(p, plan, color, width, pen, a[mine & arrows], b[mine & arrows], picture)
        if not few:
            self._chosen(p, a[chosen], b[chosen], few)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        return each

    def segments(self, plan: ScreenPlan, scene: DrawnNetwork, numbers: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return the ends of links on the screen; links of opposite directions are side by side."""
        ends = scene.ends[numbers]
        a, b = plan.points[ends[:, 0]], plan.points[ends[:, 1]]
        twin = scene.looks.twin[numbers]
        if twin.any() and plan.d >= 8:
            way = b - a
            side = np.column_stack((-way[:, 1], way[:, 0])) / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
            shift = np.where(twin[:, None], side * ASIDE, 0.0)
            a, b = a + shift, b + shift
        return a, b

    def _chosen(self, p: QPainter, a: Floats, b: Floats, few: bool) -> None:
        """Draw a soft band below selected links, or, if there are many, a line in the accent colour over them."""
        color = self.theme.color("selection")
        if few:
            color.setAlphaF(0.36)
        pen = QPen(color, 12.0 if few else 1.6)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        p.setPen(pen)
        draw_lines(p, a, b)

    def _arrows(
        self, p: QPainter, plan: ScreenPlan, color: QColor, width: float, pen: QPen, a: Floats, b: Floats, picture: bool
    ) -> None:
        """Draw lines with a head that ends at the edge of the process."""
        way = b - a
        length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
        u = way / length[:, None]
        size = min(3.2 * width + 3, 5 + plan.d * 0.25)
        inset = np.minimum(plan.d / 2 + 2, length * 0.45)[:, None]
        tip = b - u * inset
        p.setPen(pen)
        draw_lines(p, a, tip - u * np.minimum(size * 0.8, length[:, None] * 0.3))
        if not picture or len(a) <= 60:
            for (x, y), (ux, uy) in zip(tip.tolist(), u.tolist(), strict=True):
                path = QPainterPath(QPointF(x, y))
                path.lineTo(x - ux * size - uy * size * 0.5, y - uy * size + ux * size * 0.5)
                path.lineTo(x - ux * size + uy * size * 0.5, y - uy * size - ux * size * 0.5)
                path.closeSubpath()
                p.fillPath(path, color)
            return
        ratio = p.device().devicePixelRatioF()
        key = (color.rgba(), round(size, 2), ratio)
        if key not in self._heads:
            if len(self._heads) > 20:
                self._heads.clear()

            def draw(inner: QPainter, _key: Hashable) -> None:
                path = QPainterPath(QPointF(size / 2, 0))
                path.lineTo(-size / 2, size * 0.5)
                path.lineTo(-size / 2, -size * 0.5)
                path.closeSubpath()
                inner.fillPath(path, color)

            self._heads[key] = Atlas(size + 4, ratio, draw)
        atlas = self._heads[key]
        place = atlas.prepare([0])
        middle = tip - u * size / 2
        turn = np.degrees(np.arctan2(u[:, 1], u[:, 0]))
        atlas.paint(p, middle[:, 0], middle[:, 1], np.repeat(place, len(a)), rotation=turn)

    # ------------------------------------------------------------------ chips and bolts

    def paint_marks(self, p: QPainter, plan: ScreenPlan, scene: DrawnNetwork, numbers: NDArray[np.int64]) -> None:
        """Draw chips with the links' own settings, and bolts where links fail, if there is room."""
        looks, theme = scene.looks, self.theme
        if plan.d < 17 or not (looks.chips or len(looks.down)):
            return
        there = set(numbers.tolist())
        chips = [i for i in looks.chips if i in there]
        bolts = [i for i in looks.down.tolist() if i in there]
        if not chips and not bolts:
            return
        clock = scene.show == "delay"
        texts = [looks.chips[i] for i in chips[:CHIPS]]
        wanted = [*((i, text) for i, text in zip(chips, texts, strict=False)), *((i, "") for i in bolts[:CHIPS])]
        k = theme.px("small") / 12
        sizes = np.array([chip_size(theme, text, clock) if text else (20 * k, 20 * k) for _, text in wanted])
        rows = np.array([i for i, _ in wanted], dtype=np.int64)
        a, b = self.segments(plan, scene, rows)
        room = np.hypot(*(b - a).T) - plan.d
        places = chip_places(a, b, sizes, plan.points[plan.visible], plan.d / 2 + 2)
        for (number, text), place, size, free in zip(wanted, places, sizes.tolist(), room.tolist(), strict=True):
            if place is None or free < size[1]:
                continue
            x, y = place
            box = QRectF(x - size[0] / 2, y - size[1] / 2, size[0], size[1])
            if text:
                draw_chip(p, theme, box, text, clock=clock, chosen=bool(scene.chosen_links[number]))
            else:
                draw_bolt(p, theme, x, y, 9.5 * k)


def chip_size(theme: Theme, text: str, clock: bool) -> tuple[float, float]:
    """Return the width and height of a chip with the given text, with or without a clock."""
    k = theme.px("small") / 12
    wide = QFontMetricsF(theme.font("small", semibold=True)).horizontalAdvance(text)
    return wide + (33 if clock else 18) * k, 21 * k


def draw_chip(p: QPainter, theme: Theme, box: QRectF, text: str, *, clock: bool, chosen: bool = False) -> None:
    """Draw a pill on a link with the link's own settings."""
    k = theme.px("small") / 12
    ink = theme.color("link.override")
    p.setPen(QPen(theme.color("selection"), 2.0) if chosen else QPen(ink, 1.2))
    p.setBrush(theme.color("link.overrideSoft"))
    p.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    x, y = box.left() + 9 * k, box.center().y()
    if clock:
        draw_clock(p, ink, x + 4 * k, y, 4.6 * k)
        x += 14 * k
    draw_text(p, theme, x, y, text, "small", ink, semibold=True)


def draw_clock(p: QPainter, ink: QColor, x: float, y: float, r: float) -> None:
    """Draw a clock face."""
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(QPen(ink, max(1.0, r * 0.28)))
    p.drawEllipse(QPointF(x, y), r, r)
    p.drawPolyline([QPointF(x, y - r * 0.6), QPointF(x, y), QPointF(x + r * 0.5, y + r * 0.3)])


def draw_bolt(p: QPainter, theme: Theme, x: float, y: float, r: float) -> None:
    """Draw a bolt in a disc: the link goes down at some time."""
    ink = theme.color("fault.base")
    p.setPen(QPen(ink, 1.4))
    p.setBrush(theme.color("fault.soft"))
    p.drawEllipse(QPointF(x, y), r, r)
    s = r / 12 * 1.05
    path = QPainterPath(QPointF(x + 1.5 * s, y - 9 * s))
    for px, py in ((-6.5, 1.5), (0, 1.5), (-1.5, 9), (6.5, -1.5), (0, -1.5)):
        path.lineTo(x + px * s, y + py * s)
    path.closeSubpath()
    pen = QPen(ink, max(1.0, 1.5 * s))
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    p.strokePath(path, pen)


def _crowd(plan: ScreenPlan, a: Floats, b: Floats) -> float:
    """Return the share of the view that thin lines cover, counting the parts of lines that may be in view."""
    wide, tall = max(plan.rect.width(), 1.0), max(plan.rect.height(), 1.0)
    length = np.minimum(np.hypot(b[:, 0] - a[:, 0], b[:, 1] - a[:, 1]), 0.5 * (wide + tall))
    return float(length.sum()) / (wide * tall)


def _sample(numbers: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return a sample of links that is nearly the same at every position and scale: those with the smallest hashes."""
    mixed_up = (numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    share = most / max(len(numbers), 1)
    return numbers[mixed_up <= np.uint64(math.floor(share * 0xFFFFFFFF))]
