"""The legend of the network: a card in an empty corner, or a strip at the bottom, with what occurs in this run."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from lydian.app.look.shapes import draw_cross, draw_head, draw_process, draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.pieces.carries import LISTED, chip_size
from lydian.app.painters.pieces.masks import draw_mask
from lydian.app.painters.pieces.piece import painter_of
from lydian.desk.guide.glossary import explained, terms_in
from lydian.language import tr
from lydian.pieces.animation import Animation
from lydian.pieces.carries import Sign
from lydian.pieces.piece import is_wide, piece_with
from lydian.views.network.basic import LegendItem
from lydian.views.network.fit import Floats, free_corner

__all__ = ["Legend", "corner_legend", "folded_legend", "folds", "layout_legend", "legend_tip", "paint_legend"]

#: The glossary's words for the sorts of entry that are named otherwise.
_TERMS = {"crashed": "crash", "lost": "loss", "liar": "Byzantine"}
#: The size of the widget below which there is no legend.
SMALLEST = (240.0, 200.0)
#: The maximum share of the widget's height for a legend with words, in one row, in two, and in more.
ONE_ROW, TWO_ROWS, ROWS = 0.16, 0.24, 0.21
#: The maximum share of the widget for a card in a corner, and the distance of every card from the edges.
CORNER, EDGE = (0.42, 0.62), 12.0
#: The size of a view below which the legend is folded until it is clicked.
FOLDED = (900.0, 500.0)


@dataclass(frozen=True)
class Legend:
    """A legend laid out: the card, and the start and width of each of its entries.

    If there is little room, it contains only the counted entries; if there is still less, signs and counts but no
    ``words``. A legend in a ``corner`` covers an empty part of the drawing. One that is ``folded`` is a button.
    """

    card: QRectF
    cells: tuple[tuple[int, QRectF], ...]
    words: bool = True
    corner: bool = False
    folded: bool = False

    @property
    def height(self) -> float:
        """The height of the strip that the drawing must leave free for it."""
        return self.card.height() + EDGE if self.cells and not self.corner else 0.0

    @property
    def shown(self) -> bool:
        """Whether anything is drawn."""
        return bool(self.cells) or self.folded


NONE = Legend(QRectF(), ())


def folds(rect: QRectF) -> bool:
    """Return whether a view is so small that its legend is folded until it is clicked."""
    return rect.width() < FOLDED[0] and rect.height() < FOLDED[1]


def folded_legend(theme: Theme, rect: QRectF, items: tuple[LegendItem, ...]) -> Legend:
    """Return the legend as a button in the lower left corner."""
    if not items or rect.width() < SMALLEST[0] or rect.height() < SMALLEST[1]:
        return NONE
    k = theme.px("small") / 12
    wide = QFontMetricsF(theme.font("small")).horizontalAdvance(tr("Legend")) + 34 * k
    return Legend(QRectF(rect.left() + EDGE, rect.bottom() - EDGE - 24 * k, wide, 24 * k), (), folded=True)


def corner_legend(
    theme: Theme, rect: QRectF, items: tuple[LegendItem, ...], boxes: Floats, segments: Floats
) -> Legend | None:
    """Return the legend as a card in an empty corner of the drawing, or None if it fits into none.

    Args:
        boxes: what the drawing contains, rows left, top, right, bottom.
        segments: its links, rows x1, y1, x2, y2.
    """
    if not items or rect.width() < SMALLEST[0] or rect.height() < SMALLEST[1]:
        return None
    cards = [_card(theme, items, columns) for columns in (2, 3, 1, 4)]
    fits = [
        card for card in cards
        if card.card.width() <= CORNER[0] * rect.width() and card.card.height() <= CORNER[1] * rect.height()
    ]  # fmt: skip
    room = rect.adjusted(EDGE, EDGE, -EDGE, -EDGE)
    edges = room.left(), room.top(), room.right(), room.bottom()
    found = free_corner([(card.card.width(), card.card.height()) for card in fits], edges, boxes, segments)
    if found is None:
        return None
    number, (left, top, _, _) = found
    cells = tuple((item, cell.translated(left, top)) for item, cell in fits[number].cells)
    return Legend(fits[number].card.translated(left, top), cells, corner=True)


def _card(theme: Theme, items: tuple[LegendItem, ...], columns: int) -> Legend:
    """Return the legend at the origin in columns; with two or more, what the animation declares and messages follow
    states in columns of their own if the columns are then no longer than otherwise.
    """
    k = theme.px("small") / 12
    row, gap, pad = 22 * k, 18 * k, 10 * k
    groups = [[number for number, _ in group] for _, group in groupby(enumerate(items), lambda each: _group(each[1]))]
    split = [groups[0], [number for group in groups[1:] for number in group]] if len(groups) > 1 else []
    longest = -(-len(items) // columns)
    if columns != 2 or not split or max(map(len, split)) > longest + 1:
        split = [list(range(start, min(start + longest, len(items)))) for start in range(0, len(items), longest)]
    cells, x, tall = [], 0.0, 0
    for column in split:
        sign = max(_sign_width(theme, items[number], k) for number in column)
        wide = sign + max(_width(theme, items[number], k) - _sign_width(theme, items[number], k) for number in column)
        cells += [(number, QRectF(pad + x, 5 * k + row * line, wide, row)) for line, number in enumerate(column)]
        x, tall = x + wide + gap, max(tall, len(column))
    return Legend(QRectF(0, 0, x - gap + 2 * pad, tall * row + 10 * k), tuple(cells), corner=True)


def _width(theme: Theme, item: LegendItem, k: float, *, words: bool = True) -> float:
    """Return the width of an entry, with its largest count."""
    word = QFontMetricsF(theme.font("small")).horizontalAdvance(item.widest or item.word) + 6 * k if words else 0.0
    bold = QFontMetricsF(theme.font("small", semibold=True))
    count = 0.0 if item.count is None else 5 * k + bold.horizontalAdvance("8" * len(f"{item.most:,}"))
    return _sign_width(theme, item, k) + word + count + 2


def layout_legend(theme: Theme, rect: QRectF, items: tuple[LegendItem, ...]) -> Legend:
    """Place the entries, in rows if necessary; if they do not fit, only some of them, or only the counts without words.

    The words that an animation declares cannot be guessed, so messages are left out before them. Places depend on the
    largest counts, so they do not move during a run.
    """
    if not items or rect.width() < SMALLEST[0] or rect.height() < SMALLEST[1]:
        return NONE
    declares = any(_group(item) == "declared" for item in items)
    told = tuple(None if _group(item) == "message" else item for item in items)
    brief = tuple(None if item is None or item.sort == "lie" else item for item in told)  # a lie explains itself
    counted = tuple(item if item.count is not None else None for item in items)
    for some in (items, told, brief, counted) if declares else (items, counted):
        legend, rows = _laid_out(theme, rect, some, words=True)
        if 0 < legend.height <= rect.height() * {1: ONE_ROW, 2: TWO_ROWS}.get(rows, ROWS):
            return legend
    legend, rows = _laid_out(theme, rect, items, words=False)
    return legend if legend.height <= rect.height() * (2 * ONE_ROW if rows == 1 else 1.25 * ROWS) else NONE


def _laid_out(theme: Theme, rect: QRectF, items: tuple[LegendItem | None, ...], *, words: bool) -> tuple[Legend, int]:
    """Return the legend in the bottom left corner, and its number of rows."""
    k = theme.px("small") / 12
    row, gap, pad = 22 * k, (14 if words else 9) * k, 10 * k
    most = rect.width() - 24 - 2 * pad
    x = y = wide = 0.0
    cells = []
    before = ""
    for number, item in enumerate(items):
        if item is None or (not words and item.count is None):
            continue  # a sign alone has no meaning
        width = min(_width(theme, item, k, words=words), most)
        if before and _group(item) != before and x:
            x += gap  # room for the line between groups
        if x and x + width > most:
            x, y = 0.0, y + row
        cells.append((number, QRectF(x, y, width, row)))
        wide = max(wide, x + width)
        x += width + gap
        before = _group(item)
    if not cells:
        return NONE, 0
    tall = y + row
    card = QRectF(rect.left() + EDGE, rect.bottom() - EDGE - tall - 8 * k, wide + 2 * pad, tall + 8 * k)
    inner = card.topLeft() + QPointF(pad, 4 * k)
    return Legend(card, tuple((number, cell.translated(inner)) for number, cell in cells), words), round(tall / row)


def paint_legend(
    p: QPainter, theme: Theme, legend: Legend, items: tuple[LegendItem, ...], animation: Animation
) -> None:
    """Draw the legend."""
    if not legend.shown:
        return
    k = theme.px("small") / 12
    p.setPen(QPen(theme.color("border.subtle"), 1))
    p.setBrush(theme.color("surface.overlay"))
    radius = theme.size("radius.card")
    p.drawRoundedRect(legend.card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    if legend.folded:
        _paint_button(p, theme, legend.card, k)
    before: tuple[str, float] | None = None
    for number, cell in legend.cells:
        item = items[number]
        if not legend.corner and before is not None and before[0] != _group(item) and before[1] == cell.top():
            p.setPen(QPen(theme.color("border.subtle"), 1))
            x = cell.left() - (14 if legend.words else 9) * k
            p.drawLine(QPointF(x, cell.top() + 3 * k), QPointF(x, cell.bottom() - 3 * k))
        before = (_group(item), cell.top())
        column = [items[n] for n, near in legend.cells if near.left() == cell.left()] if legend.corner else [item]
        wide = max(_sign_width(theme, each, k) for each in column)
        _paint_item(p, theme, cell, item, animation, k, wide, words=legend.words)


def _paint_button(p: QPainter, theme: Theme, box: QRectF, k: float) -> None:
    """Draw the words of a folded legend, with a triangle that points to where it unfolds."""
    x, y, r = box.left() + 13 * k, box.center().y(), 3.5 * k
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(theme.color("text.secondary"))
    p.drawPolygon([QPointF(x - r, y + r * 0.6), QPointF(x + r, y + r * 0.6), QPointF(x, y - r * 0.8)])
    draw_text(p, theme, x + 11 * k, y, tr("Legend"), "small", theme.color("text.primary"))


def legend_tip(items: tuple[LegendItem, ...]) -> str:
    """Return the whole legend in words, as rich text, even if there is no room for the words in it.

    It ends with the meanings of the terms of the glossary among its words.
    """
    lines, names = [], []
    for item in items:
        count = "" if item.count is None else f" <b>{tr('{number:,}', number=item.count)}</b>"
        lines.append(f"{escape(item.word)}{count}")
        if item.sort not in ("state", "message"):  # the protocol's own words, whatever they mean elsewhere
            names += [_TERMS[item.sort]] if item.sort in _TERMS else terms_in(item.word)
    meanings = [" ".join(explained("", name).split()) for name in dict.fromkeys(names)]  # rich text wraps itself
    return "<br>".join([*lines, *(f"<br>{escape(each)}" for each in meanings)])


def _paint_item(
    p: QPainter,
    theme: Theme,
    cell: QRectF,
    item: LegendItem,
    animation: Animation,
    k: float,
    wide: float,
    *,
    words: bool,
) -> None:
    """Draw an entry: its sign in the middle of the given width, then its words and its count."""
    y = cell.center().y()
    x = cell.left() + wide / 2
    if item.sort == "state":
        draw_process(p, theme, x, y, 11.5 * k, item.number)
    elif item.sort == "crashed":
        draw_process(p, theme, x, y, 11.5 * k, 2, crashed=True)
    elif item.sort == "liar":
        draw_mask(p, theme, x, y, 12 * k)
    elif item.sort == "message":
        draw_head(p, theme, x, y, 0.0, item.number, 11 * k, theme.color("text.secondary") if item.look else None)
    elif item.sort == "lost":
        draw_cross(p, theme.color("fault.base"), x, y, 4 * k, 2.2 * k)
    else:
        own = _sign_width(theme, item, k)
        _paint_sign(p, theme, QRectF(x - own / 2, y - 7 * k, own, 14 * k), item, animation, k)
    left = cell.left() + wide
    if not words:
        text = tr("{number:,}", number=item.count) if item.count is not None else ""
        draw_text(p, theme, left + 5 * k, y, text, "small", theme.color("text.primary"), semibold=True)
        return
    left += 6 * k
    metrics = QFontMetricsF(theme.font("small"))
    count = "" if item.count is None else tr("{number:,}", number=item.count)
    bold = QFontMetricsF(theme.font("small", semibold=True)).horizontalAdvance(count) + 5 * k if count else 0.0
    word = metrics.elidedText(item.word, Qt.TextElideMode.ElideRight, max(cell.right() - left - bold + 1, 8.0))
    ink: QColor = theme.color("text.primary")
    box = draw_text(p, theme, left, y, word, "small", theme.color("text.secondary"))
    if count:
        draw_text(p, theme, box.right() + 5 * k, y, count, "small", ink, semibold=True)


def _paint_sign(p: QPainter, theme: Theme, box: QRectF, item: LegendItem, animation: Animation, k: float) -> None:
    """Draw the look of something that the animation declares."""
    piece = piece_with(item.sort)
    if piece is not None:
        declared = getattr(animation, piece.field)
        declared = declared[item.number] if isinstance(declared, tuple) else declared
        painter_of(piece, theme).sign(p, box, item, declared, k)


def _group(item: LegendItem) -> str:
    known = {"state": "state", "crashed": "state", "liar": "state", "message": "message", "lost": "message"}
    return known.get(item.sort, "declared")


def _sign_width(theme: Theme, item: LegendItem, k: float) -> float:
    if isinstance(item.look, Sign):
        return max(15 * k, chip_size(theme, item.look, LISTED * k)[0])
    return 26 * k if is_wide(item.sort) else 15 * k
