"""The legend of the network: a card at the bottom left that lists what occurs in this run."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from lydian.app.look.shapes import draw_cross, draw_head, draw_process, draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.arcs import arc_pen, draw_arc, draw_glyph, draw_hull, draw_middle_head, ring_pen
from lydian.app.painters.bands import draw_band
from lydian.app.painters.basketlayer import draw_apple
from lydian.app.painters.circlelayer import draw_circle_sign, draw_warning
from lydian.app.painters.masks import draw_mask
from lydian.app.painters.overlaylayer import (
    HALF,
    draw_bar,
    draw_struck,
    draw_thick,
    draw_token,
    group_colors,
    scale_color,
)
from lydian.app.painters.pies import draw_pie
from lydian.app.painters.queuelayer import draw_card
from lydian.app.painters.sectorlayer import draw_flag, draw_sector_sign
from lydian.pieces.animation import Animation
from lydian.views.network.basic import LegendItem

__all__ = ["Legend", "layout_legend", "legend_tip", "paint_legend"]

#: In a widget smaller than this there is no room for a legend.
SMALLEST = (240.0, 200.0)
#: With words it takes no larger share of the widget's height than this, in one row, in two, and in more.
ONE_ROW, TWO_ROWS, ROWS = 0.16, 0.24, 0.21


@dataclass(frozen=True)
class Legend:
    """A legend laid out: the card, and where each of its entries begins and how wide it is.

    Where room is short it has only what is counted, and where it is shorter signs and counts, but no ``words``.
    """

    card: QRectF
    cells: tuple[tuple[int, QRectF], ...]
    words: bool = True

    @property
    def height(self) -> float:
        """What it takes of the widget's height, its distance from the rim included."""
        return self.card.height() + 12 if self.cells else 0.0


NONE = Legend(QRectF(), ())


def layout_legend(theme: Theme, rect: QRectF, items: tuple[LegendItem, ...]) -> Legend:
    """Place the entries, in rows if need be; if that is too much some of them, or what is counted without words.

    What an animation declares nobody can guess, so its words come before messages: these are left out first.  Places
    depend on the largest counts, so they do not move in a run.
    """
    if not items or rect.width() < SMALLEST[0] or rect.height() < SMALLEST[1]:
        return NONE
    declares = any(_group(item) == "declared" for item in items)
    told = tuple(None if _group(item) == "message" else item for item in items)
    counted = tuple(item if item.count is not None else None for item in items)
    for some in (items, told, counted) if declares else (items, counted):
        legend, rows = _laid_out(theme, rect, some, words=True)
        if 0 < legend.height <= rect.height() * {1: ONE_ROW, 2: TWO_ROWS}.get(rows, ROWS):
            return legend
    legend, rows = _laid_out(theme, rect, items, words=False)
    return legend if legend.height <= rect.height() * (2 * ONE_ROW if rows == 1 else 1.25 * ROWS) else NONE


def _laid_out(theme: Theme, rect: QRectF, items: tuple[LegendItem | None, ...], *, words: bool) -> tuple[Legend, int]:
    """The legend in the bottom left corner, and how many rows it has."""
    small = QFontMetricsF(theme.font("small"))
    bold = QFontMetricsF(theme.font("small", semibold=True))
    k = theme.px("small") / 12
    row, gap, pad = 22 * k, (14 if words else 9) * k, 10 * k
    most = rect.width() - 24 - 2 * pad
    x = y = wide = 0.0
    cells = []
    before = ""
    for number, item in enumerate(items):
        if item is None or (not words and item.count is None):
            continue  # a sign alone says nothing
        word = 6 * k + small.horizontalAdvance(item.widest or item.word) if words else 0.0
        count = 0.0 if item.count is None else 5 * k + bold.horizontalAdvance("8" * len(f"{item.most:,}"))
        width = min(_sign_width(item, k) + word + count + 2, most)
        if before and _group(item) != before and x:
            x += gap  # room for the stroke between groups
        if x and x + width > most:
            x, y = 0.0, y + row
        cells.append((number, QRectF(x, y, width, row)))
        wide = max(wide, x + width)
        x += width + gap
        before = _group(item)
    if not cells:
        return NONE, 0
    tall = y + row
    card = QRectF(rect.left() + 12, rect.bottom() - 12 - tall - 8 * k, wide + 2 * pad, tall + 8 * k)
    inner = card.topLeft() + QPointF(pad, 4 * k)
    return Legend(card, tuple((number, cell.translated(inner)) for number, cell in cells), words), round(tall / row)


def paint_legend(
    p: QPainter, theme: Theme, legend: Legend, items: tuple[LegendItem, ...], animation: Animation
) -> None:
    """Draw it."""
    if not legend.cells:
        return
    k = theme.px("small") / 12
    p.setPen(QPen(theme.color("border.subtle"), 1))
    p.setBrush(theme.color("surface.overlay"))
    radius = theme.size("radius.card")
    p.drawRoundedRect(legend.card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    before: tuple[str, float] | None = None
    for number, cell in legend.cells:
        item = items[number]
        if before is not None and before[0] != _group(item) and before[1] == cell.top():
            p.setPen(QPen(theme.color("border.subtle"), 1))
            x = cell.left() - (14 if legend.words else 9) * k
            p.drawLine(QPointF(x, cell.top() + 3 * k), QPointF(x, cell.bottom() - 3 * k))
        before = (_group(item), cell.top())
        _paint_item(p, theme, cell, item, animation, k, words=legend.words)


def legend_tip(items: tuple[LegendItem, ...]) -> str:
    """All of the legend in words, as rich text, whether it has room for them or not."""
    lines = []
    for item in items:
        count = "" if item.count is None else f" <b>{item.count:,}</b>"
        lines.append(f"{escape(item.word)}{count}")
    return "<br>".join(lines)


def _paint_item(
    p: QPainter, theme: Theme, cell: QRectF, item: LegendItem, animation: Animation, k: float, *, words: bool
) -> None:
    y, wide = cell.center().y(), _sign_width(item, k)
    x = cell.left() + wide / 2
    if item.sort in ("state", "speaker"):
        draw_process(p, theme, x, y, 11.5 * k, item.number)
    elif item.sort == "basket":
        draw_apple(p, theme, x, y, 5.5 * k)
    elif item.sort == "crashed":
        draw_process(p, theme, x, y, 11.5 * k, 2, crashed=True)
    elif item.sort == "liar":
        draw_mask(p, theme, x, y, 12 * k)
    elif item.sort == "message":
        draw_head(p, theme, x, y, 0.0, item.number, 11 * k)
    elif item.sort == "lost":
        draw_cross(p, theme.color("fault.base"), x, y, 4 * k, 2.2 * k)
    else:
        _paint_sign(p, theme, QRectF(cell.left(), y - 7 * k, wide, 14 * k), item, animation, k)
    left = cell.left() + wide
    if not words:
        text = f"{item.count:,}" if item.count is not None else ""
        draw_text(p, theme, left + 5 * k, y, text, "small", theme.color("text.primary"), semibold=True)
        return
    left += 6 * k
    metrics = QFontMetricsF(theme.font("small"))
    count = "" if item.count is None else f"{item.count:,}"
    bold = QFontMetricsF(theme.font("small", semibold=True)).horizontalAdvance(count) + 5 * k if count else 0.0
    word = metrics.elidedText(item.word, Qt.TextElideMode.ElideRight, max(cell.right() - left - bold + 1, 8.0))
    ink: QColor = theme.color("text.primary")
    box = draw_text(p, theme, left, y, word, "small", theme.color("text.secondary"))
    if count:
        draw_text(p, theme, box.right() + 5 * k, y, count, "small", ink, semibold=True)


def _paint_sign(p: QPainter, theme: Theme, box: QRectF, item: LegendItem, animation: Animation, k: float) -> None:  # noqa: C901 - one branch a kind of sign
    """How something that the animation declares looks."""
    a, b = (box.left(), box.center().y()), (box.right(), box.center().y())
    x, y, ground = box.center().x(), box.center().y(), theme.color("surface.canvas")
    if item.sort == "queue":
        for place in (0, 1):
            card = QRectF(box.left() + place * 13.5 * k, y - 5.5 * k, 11.5 * k, 11 * k)
            draw_card(p, theme, card, "", animation.queues[item.number].slot)
    elif item.sort == "sector":
        draw_sector_sign(p, theme, box, animation.sectors[item.number])
    elif item.sort == "flag":
        flag = QRectF(x - 4 * k, y - 6 * k, 9 * k, 7 * k)
        draw_flag(p, theme, animation.flags[item.number].slot, QPointF(x - 4 * k, y + 5 * k), flag)
    elif item.sort == "countdown":
        draw_pie(p, theme, x, y, 5.5 * k, 0.65)
    elif item.sort == "pointer":
        style = animation.pointers[item.number].style
        if style == "arc":
            draw_arc(p, arc_pen(theme), (a[0], a[1] + 3 * k), (b[0], b[1] + 3 * k), 0.0, -0.3)
        elif style == "ring":
            p.setPen(ring_pen(theme))
            p.drawLine(QPointF(*a), QPointF(*b))
            draw_middle_head(p, theme.color("chain.future"), ground, a, b, 9 * k)
        else:
            draw_band(p, theme, style, a, b, short=True)
    elif item.sort == "mark":
        marks = animation.marks[item.number]
        if marks.style == "dot":
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.state(marks.slot).outline)
            p.drawEllipse(QPointF(x, y), 3.5 * k, 3.5 * k)
        elif marks.style == "thick":
            draw_thick(p, theme, marks.slot, np.array([a]), np.array([b]), min(theme.line("treeEdge"), 4 * k))
        elif marks.style == "half":
            draw_thick(p, theme, marks.slot, np.array([a]), np.array([b]), min(theme.line("treeEdge"), 4 * k) * HALF)
        elif marks.style == "struck":
            draw_struck(p, theme, np.array([a]), np.array([b]))
        else:
            pen = arc_pen(theme, 1, marks.levels)
            if not marks.levels:
                pen.setColor(theme.state(marks.slot).outline)
            draw_arc(p, pen, (a[0], a[1] + 3 * k), (b[0], b[1] + 3 * k), 0.0, -0.3)
    elif item.sort == "orientation":
        p.setPen(QPen(theme.color("link.base"), theme.line("link")))
        p.drawLine(QPointF(*a), QPointF(*b))
        draw_middle_head(p, theme.color("text.secondary"), ground, a, b, 9 * k)
    elif item.sort == "cycle":
        draw_circle_sign(p, theme, x, y, 6 * k)
    elif item.sort == "winding":
        draw_warning(p, theme, x, y, 6.5 * k)
    elif item.sort == "token":
        token = animation.tokens[item.number]
        draw_token(p, theme, x, y, 13 * k, token.slot, token.letter)
    elif item.sort == "value" and animation.values[item.number].style == "bar":
        draw_bar(p, theme, QRectF(x - 3 * k, y - 6 * k, 6 * k, 12 * k), 0.6)
    elif item.sort == "value":
        for part in range(5):
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(scale_color(theme, part / 4))
            p.drawRect(QRectF(box.left() + part * box.width() / 5, y - 4 * k, box.width() / 5 + 0.3, 8 * k))
    elif item.sort == "group":
        draw_hull(
            p, np.array([[x - 3 * k, y], [x + 3 * k, y]]), 4.5 * k, next(iter(group_colors(theme, ("a",)).values()))
        )
    else:
        draw_glyph(p, theme, x, y, 6 * k, animation.glyphs[item.number].drawing, theme.color("text.primary"))


def _group(item: LegendItem) -> str:
    known = {"state": "state", "crashed": "state", "liar": "state", "message": "message", "lost": "message"}
    return known.get(item.sort, "declared")


def _sign_width(item: LegendItem, k: float) -> float:
    wide = ("pointer", "mark", "orientation", "value", "queue", "sector")
    return 26 * k if item.sort in wide else 15 * k
