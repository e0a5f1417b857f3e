"""The legend of the network: a card at the bottom left that lists what occurs in this run."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

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

__all__ = ["Legend", "layout_legend", "legend_tip", "paint_legend"]

#: The glossary's words for the sorts of entry that are named otherwise.
_TERMS = {"crashed": "crash", "lost": "loss", "liar": "Byzantine"}
#: The size of the widget below which there is no legend.
SMALLEST = (240.0, 200.0)
#: The maximum share of the widget's height for a legend with words, in one row, in two, and in more.
ONE_ROW, TWO_ROWS, ROWS = 0.16, 0.24, 0.21


@dataclass(frozen=True)
class Legend:
    """A legend laid out: the card, and the start and width of each of its entries.

    If there is little room, it contains only the counted entries; if there is still less, signs and counts but no
    ``words``.
    """

    card: QRectF
    cells: tuple[tuple[int, QRectF], ...]
    words: bool = True

    @property
    def height(self) -> float:
        """The height that it takes, including its distance from the edge."""
        return self.card.height() + 12 if self.cells else 0.0


NONE = Legend(QRectF(), ())


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
            continue  # a sign alone has no meaning
        word = 6 * k + small.horizontalAdvance(item.widest or item.word) if words else 0.0
        count = 0.0 if item.count is None else 5 * k + bold.horizontalAdvance("8" * len(f"{item.most:,}"))
        width = min(_sign_width(theme, item, k) + word + count + 2, most)
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
    card = QRectF(rect.left() + 12, rect.bottom() - 12 - tall - 8 * k, wide + 2 * pad, tall + 8 * k)
    inner = card.topLeft() + QPointF(pad, 4 * k)
    return Legend(card, tuple((number, cell.translated(inner)) for number, cell in cells), words), round(tall / row)


def paint_legend(
    p: QPainter, theme: Theme, legend: Legend, items: tuple[LegendItem, ...], animation: Animation
) -> None:
    """Draw the legend."""
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
    p: QPainter, theme: Theme, cell: QRectF, item: LegendItem, animation: Animation, k: float, *, words: bool
) -> None:
    y, wide = cell.center().y(), _sign_width(theme, item, k)
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
        _paint_sign(p, theme, QRectF(cell.left(), y - 7 * k, wide, 14 * k), item, animation, k)
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
