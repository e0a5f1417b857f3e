"""Draws what an animation declares: pointers, sets, directions of links, groups, values, tokens, pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from lydian.app.look.fragments import draw_lines
from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.arcs import arc_pen, draw_arc, draw_glyph, draw_hull, draw_middle_head, draw_sign, ring_pen
from lydian.app.painters.bands import draw_band
from lydian.app.painters.netmap import Floats, Map
from lydian.app.painters.piece import PiecePainter
from lydian.app.painters.tags import Places, bar_width, token_size
from lydian.pieces.declared import Glyph, Group, Marks, Pointer, Token, Value
from lydian.pieces.overlays import Band
from lydian.pieces.piece import LegendItem
from lydian.views.network.basic import BasicFrame
from lydian.views.network.taken import taken_at

__all__ = [
    "OverlayLayer", "draw_bar", "draw_struck", "draw_thick", "draw_token", "group_colors", "paint_hands", "scale_color",
]  # fmt: skip


def paint_hands(p: QPainter, theme: Theme, m: Map, frame: BasicFrame) -> None:
    """A hand at the upper left of each process that was taken over and not given back."""
    if m.level == "dense":
        return
    size = max(11.0, m.d * 0.56)
    renumber = frame.scene.renumber
    for process in sorted(taken_at(frame.timeline, frame.k)):
        process = process if renumber is None else int(renumber[process])
        if process < len(m.points) and m.visible[process]:
            x, y = m.points[process].tolist()
            draw_hand(p, theme, x - m.d * 0.48, y - m.d * 0.42, size)


def draw_hand(p: QPainter, theme: Theme, x: float, y: float, size: float) -> None:
    """A disc with a hand in it, around a point."""
    p.setPen(QPen(theme.color("surface.canvas"), max(1.2, size * 0.1)))
    p.setBrush(theme.color("accent.base"))
    p.drawEllipse(QPointF(x, y), size / 2, size / 2)
    p.setBrush(Qt.BrushStyle.NoBrush)
    side = size * 0.72
    picture = pixmap("hand", theme.color("text.onAccent"), max(round(side), 1), 3.0)
    p.drawPixmap(QRectF(x - side / 2, y - side / 2, side, side), picture, QRectF(picture.rect()))


#: What a crashed process held is drawn as pale as this.
FADED = 0.3
#: A half of a line that is no link, against a thick one.
HALF = 0.6
#: The dashes of what rests on something that is not so, in widths of the line.
WRONG = (2.5, 2.0)


class OverlayLayer:
    """Draws the overlays of a frame, below the processes and above them."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    # ------------------------------------------------------------------ below the processes

    def paint_groups(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """An area round the processes of each group; under everything else."""
        if not frame.groups:
            return
        colors = group_colors(self.theme, frame.groups)
        names = np.array(frame.groups)
        for name, color in colors.items():
            points = m.points[names == name]
            if len(points):
                draw_hull(p, points, m.d * 0.5 + (9 if m.level == "full" else 5), color)

    def paint_halves(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Links in sets."""
        for marks in frame.marks:
            if marks.style in ("thick", "struck", "half"):
                for part in self._parts(p, frame, marks):
                    self._halves(p, m, frame, part)

    def paint_lines(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """Directions, then pointers: the thin ones first, the longest waiting chain last."""
        self._directions(p, m, frame)
        for band in sorted(frame.bands, key=lambda band: band.style == "waiting"):
            for part in self._parts(p, frame, band):
                if m.level in ("small", "dense"):
                    self._thin(p, m, part)
                else:
                    self._band(p, m, frame, part)
        for index, marks in enumerate(frame.marks):
            if marks.style in ("arrow", "arc"):
                levels = frame.animation.marks[index].levels if index < len(frame.animation.marks) else False
                for part in self._parts(p, frame, marks):
                    self._arcs(p, m, frame, part, levels)

    def _parts(self, p: QPainter, frame: BasicFrame, band: Band) -> Iterator[Band]:
        """The lines that crashed processes hold, to be painted pale, then the others."""
        down = frame.crashed[band.holder]
        if not down.any():
            yield band
            return
        for opacity, own in ((FADED, down), (1.0, ~down)):
            p.setOpacity(opacity)
            yield band.only(own)
        p.setOpacity(1.0)

    def _band(self, p: QPainter, m: Map, frame: BasicFrame, band: Band) -> None:
        index = frame.scene.link_index
        for on_longest in (False, True):
            chosen = band.longest == on_longest
            for a, b in zip(band.source[chosen].tolist(), band.target[chosen].tolist(), strict=True):
                if not m.visible[a] and not m.visible[b]:
                    continue
                ends = tuple(m.points[a].tolist()), tuple(m.points[b].tolist())
                apart = (min(a, b), max(a, b)) not in index
                if band.style == "arc" or (band.style == "arrow" and apart):
                    draw_arc(p, arc_pen(self.theme), *ends, m.rim)
                elif band.style == "ring":
                    pen = ring_pen(self.theme)
                    p.setPen(pen)
                    p.drawLine(QPointF(*ends[0]), QPointF(*ends[1]))
                    ground = self.theme.color("surface.canvas")
                    draw_middle_head(p, pen.color(), ground, *ends, 4.0 * pen.widthF())
                else:
                    draw_band(p, self.theme, band.style, *ends, longest=on_longest, inset=m.rim)

    def _thin(self, p: QPainter, m: Map, band: Band) -> None:
        """The lines of a pointer where processes are small."""
        if band.style == "tree":
            color = self.theme.state(3).outline
        elif band.style in ("waiting", "waited"):
            color = self.theme.color("chain.waiting")
        else:
            color = ring_pen(self.theme).color() if band.style == "ring" else self.theme.color("border.strong")
        for on_longest in (False, True):
            chosen = (band.longest == on_longest) & (m.visible[band.source] | m.visible[band.target])
            p.setPen(QPen(color, 3.0 if on_longest else 2.2 if band.style == "waiting" else 1.2))
            draw_lines(p, m.points[band.source[chosen]], m.points[band.target[chosen]])

    def _halves(self, p: QPainter, m: Map, frame: BasicFrame, marks: Band) -> None:
        """The holder's half of each line to a member; of thick and struck ones only where there is a link."""
        index = frame.scene.link_index
        pairs = zip(marks.source.tolist(), marks.target.tolist(), strict=True)
        anybody = marks.style == "half"
        there = np.array([anybody or (min(a, b), max(a, b)) in index for a, b in pairs], dtype=bool)
        there &= m.visible[marks.source] | m.visible[marks.target]
        a, b = m.points[marks.source[there]], m.points[marks.target[there]]
        if marks.style == "struck":
            draw_struck(p, self.theme, a, (a + b) / 2)
        else:
            # Over the middle by a pixel: two halves leave no seam.
            length = np.maximum(np.hypot(b[:, 0] - a[:, 0], b[:, 1] - a[:, 1]), 1e-9)[:, None]
            width = self.theme.line("treeEdge") if m.level in ("full", "medium") else 2.2
            width *= HALF if anybody else 1.0
            stop = (a + b) / 2 + (b - a) / length * 0.5
            wrong = marks.wrong[there] if len(marks.wrong) else np.zeros(len(a), dtype=bool)
            draw_thick(p, self.theme, marks.number, a[~wrong], stop[~wrong], width)
            if wrong.any():
                draw_thick(p, self.theme, marks.number, a[wrong], stop[wrong], width, WRONG)

    def _arcs(self, p: QPainter, m: Map, frame: BasicFrame, marks: Band, levels: bool) -> None:
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
                pen.setColor(self.theme.state(marks.number).outline)
            if dashed:
                pen.setDashPattern(WRONG)
            near = (min(a, b), max(a, b)) in frame.scene.link_index
            draw_arc(p, pen, *ends, m.rim, 0.1 if near and marks.style == "arrow" else 0.2)

    def _directions(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """A head on each link that has a direction; two where both ends claim it."""
        if not len(frame.orientation) or m.level == "dense":
            return
        color, ground = self.theme.color("text.secondary"), self.theme.color("surface.canvas")
        size = max(5.0, min(m.d * 0.34, 3.2 * self.theme.line("treeEdge") + 2))
        ends = frame.link_ends
        for link in np.flatnonzero((frame.orientation != 0) & ~frame.links_down & (frame.ways_down == 0)).tolist():
            a, b = (tuple(m.points[end].tolist()) for end in ends[link].tolist())
            way = int(frame.orientation[link])
            if way in (1, 2):
                draw_middle_head(p, color, ground, a, b, size)
            if way in (-1, 2):
                draw_middle_head(p, color, ground, b, a, size)

    def paint_dots(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """A dot at the holder's end of a link for each member of a set; beside the holder where there is no link."""
        if m.level not in ("full", "medium"):
            return
        for band in frame.marks:
            if band.style != "mark":
                continue
            for part in self._parts(p, frame, band):
                start, stop, _ = m.ways(part.source, part.target)
                at = start + (stop - start) * 0.04
                p.setPen(QPen(self.theme.color("surface.canvas"), 1.2))
                p.setBrush(self.theme.state(part.number).fill)
                for x, y in at.tolist():
                    p.drawEllipse(QPointF(x, y), m.d * 0.12, m.d * 0.12)

    def paint_rings(self, p: QPainter, m: Map, frame: BasicFrame) -> None:
        """A ring in the colour of a scale round each process that has the value."""
        if m.level == "dense":
            return
        wide = max(2.5, m.d * 0.12)
        for level in frame.levels:
            if level.style != "colour":
                continue
            share = level.share
            p.setBrush(Qt.BrushStyle.NoBrush)
            for process in np.flatnonzero(m.visible & np.isfinite(share)).tolist():
                x, y = m.points[process].tolist()
                r = m.d * 0.64 + wide / 2
                p.setPen(QPen(scale_color(self.theme, float(share[process])), wide))
                p.drawEllipse(QPointF(x, y), r, r)

    # ------------------------------------------------------------------ above the processes

    def paint_above(self, p: QPainter, m: Map, frame: BasicFrame, places: Places) -> None:
        """Bars and tokens at processes, tokens on messages."""
        bars = [level for level in frame.levels if level.style == "bar"]
        if m.level in ("full", "medium"):
            for number, level in enumerate(bars):
                share = level.share
                for process in np.flatnonzero(np.isfinite(share)).tolist():
                    box = places.get(("bar", process))
                    if box is not None:
                        wide = bar_width(m)
                        one = QRectF(box.left() + number * wide, box.top(), wide - 1.5, box.height())
                        draw_bar(p, self.theme, one, float(share[process]))
        self._tokens(p, m, frame, places)

    def _tokens(self, p: QPainter, m: Map, frame: BasicFrame, places: Places) -> None:
        if m.level == "dense":
            return
        size = token_size(m)
        taken: dict[int, int] = {}
        for spots in frame.tokens:
            token = frame.animation.tokens[spots.number]
            for process in spots.holder.tolist():
                if not m.visible[process]:
                    continue
                box = places.get(("token", process))
                place = taken.get(process, 0)
                taken[process] = place + 1
                x, y = m.points[process].tolist()
                if box is None:  # no room beside it: on its rim
                    x, y = x - m.d * 0.5 + place * size, y - m.d * 0.5
                else:
                    x, y = box.left() + (place + 0.5) * size, box.center().y()
                draw_token(p, self.theme, x, y, size, token.slot, token.letter)
        flights = frame.flights
        for number, riders in enumerate(frame.riders):
            if not len(riders):
                continue
            token = frame.animation.tokens[number]
            at, _, _ = m.heads(
                flights.source[riders], flights.target[riders], flights.fraction[riders], flights.place[riders]
            )
            for x, y in at.tolist():
                draw_token(p, self.theme, x, y, max(size, m.head * 1.3), token.slot, token.letter)

    def paint_glyph(self, p: QPainter, m: Map, frame: BasicFrame, process: int) -> bool:
        """The picture of a process in the upper part of its shape; whether there is one."""
        if not frame.glyphs or not frame.glyphs[process] or m.level not in ("full", "medium"):
            return False
        x, y = m.points[process].tolist()
        ink = self.theme.state(int(frame.slots[process])).label
        if frame.crashed[process]:
            ink = self.theme.color("text.primary")
        draw_glyph(p, self.theme, x, y - m.d * 0.12, m.d * 0.19, frame.glyphs[process], ink)
        font = self.theme.font("caption", semibold=True)
        font.setPixelSize(max(6, round(m.d * 0.25)))
        p.setFont(font)
        p.setPen(ink)
        name = QFontMetricsF(font).elidedText(frame.names[process], Qt.TextElideMode.ElideRight, m.d * 0.8)
        p.drawText(QRectF(x - m.d * 0.45, y + m.d * 0.08, m.d * 0.9, m.d * 0.3), Qt.AlignmentFlag.AlignCenter, name)
        return True


def draw_thick(
    p: QPainter, theme: Theme, slot: int, a: Floats, b: Floats, width: float, dash: Sequence[float] = ()
) -> None:
    """Lines in the colour of a state."""
    pen = QPen(theme.state(slot).outline, width)
    if dash:
        pen.setDashPattern(list(dash))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    p.setPen(pen)
    draw_lines(p, a, b)


def draw_struck(p: QPainter, theme: Theme, a: Floats, b: Floats) -> None:
    """Links that were given up: the line is taken away but for short pale dashes."""
    wide = theme.line("link")
    for color, width, dash in (("surface.canvas", wide + 1.5, ()), ("link.base", wide * 0.8, (2.0, 3.5))):
        pen = QPen(theme.color(color), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if dash:
            pen.setDashPattern([part * 1.6 for part in dash])
        p.setPen(pen)
        draw_lines(p, a, b)


def draw_token(p: QPainter, theme: Theme, x: float, y: float, size: float, slot: int, letter: str = "") -> None:
    """A coin with a rim in the colour of the ground."""
    style = theme.state(slot)
    p.setPen(QPen(theme.color("surface.canvas"), max(1.2, size * 0.1)))
    p.setBrush(style.fill)
    p.drawEllipse(QPointF(x, y), size / 2, size / 2)
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(QPen(style.label, max(0.8, size * 0.06)))
    p.drawEllipse(QPointF(x, y), size * 0.36, size * 0.36)
    if letter and size >= 9:
        half = size * 0.34
        draw_sign(p, theme, QRectF(x - half, y - half, 2 * half, 2 * half), letter, style.label)


def draw_bar(p: QPainter, theme: Theme, box: QRectF, share: float) -> None:
    """A bar that is filled from below."""
    p.fillRect(box, theme.color("surface.canvas"))
    high = max(box.height() * share, 1.0 if share > 0 else 0.0)
    p.fillRect(QRectF(box.left(), box.bottom() - high, box.width(), high), theme.color("chain.future"))
    p.setPen(QPen(theme.color("border.strong"), 1.0))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRect(box)


def scale_color(theme: Theme, share: float) -> QColor:
    """The colour of a place on a scale, 0..1: from the colour of the ground's hints to a strong one."""
    weak = mixed(theme.color("surface.canvas"), theme.color("chain.past"), 0.18)
    return mixed(weak, theme.color("chain.past"), share if math.isfinite(share) else 0.0)


def group_colors(theme: Theme, groups: tuple[str, ...]) -> dict[str, QColor]:
    """A colour for each group that there is, by the order of their names."""
    names = sorted({name for name in groups if name}, key=lambda name: (len(name), name))
    return {name: theme.message(place).color for place, name in enumerate(names)}


# ---------------------------------------------------------------------- signs of the legend


def _ends(box: QRectF) -> tuple[tuple[float, float], tuple[float, float]]:
    return (box.left(), box.center().y()), (box.right(), box.center().y())


class PointerSign(PiecePainter):
    """A pointer in the legend."""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Pointer, k: float) -> None:
        a, b = _ends(box)
        if declared.style == "arc":
            draw_arc(p, arc_pen(self.theme), (a[0], a[1] + 3 * k), (b[0], b[1] + 3 * k), 0.0, -0.3)
        elif declared.style == "ring":
            p.setPen(ring_pen(self.theme))
            p.drawLine(QPointF(*a), QPointF(*b))
            draw_middle_head(p, self.theme.color("chain.future"), self.theme.color("surface.canvas"), a, b, 9 * k)
        else:
            draw_band(p, self.theme, declared.style, a, b, short=True)


class MarkSign(PiecePainter):
    """A set of processes in the legend."""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Marks, k: float) -> None:
        theme, (a, b) = self.theme, _ends(box)
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


class TokenSign(PiecePainter):
    """A token in the legend."""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Token, k: float) -> None:
        draw_token(p, self.theme, box.center().x(), box.center().y(), 13 * k, declared.slot, declared.letter)


class ValueSign(PiecePainter):
    """A number in the legend."""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Value, k: float) -> None:
        x, y = box.center().x(), box.center().y()
        if declared.style == "bar":
            draw_bar(p, self.theme, QRectF(x - 3 * k, y - 6 * k, 6 * k, 12 * k), 0.6)
            return
        for part in range(5):
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(scale_color(self.theme, part / 4))
            p.drawRect(QRectF(box.left() + part * box.width() / 5, y - 4 * k, box.width() / 5 + 0.3, 8 * k))


class GroupSign(PiecePainter):
    """A group in the legend."""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Group, k: float) -> None:
        x, y = box.center().x(), box.center().y()
        color = next(iter(group_colors(self.theme, ("a",)).values()))
        draw_hull(p, np.array([[x - 3 * k, y], [x + 3 * k, y]]), 4.5 * k, color)


class GlyphSign(PiecePainter):
    """A picture in the legend."""

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Glyph, k: float) -> None:
        at = box.center()
        draw_glyph(p, self.theme, at.x(), at.y(), 6 * k, declared.drawing, self.theme.color("text.primary"))
