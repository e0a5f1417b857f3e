"""A line of text in which some words are marked, for lists of results."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout

__all__ = ["draw_marked"]


def draw_marked(
    p: QPainter, box: QRect, text: str, marks: Sequence[tuple[int, int]], font: QFont, ink: QColor,
    marked: QColor, line: QColor | None = None,
) -> None:  # fmt: skip
    """Draw one line of text, shortened at the right.

    Args:
        marks: the marked parts, as (start, end).
        marked: the colour of the marked parts, which are bold.
        line: the colour of the line below the marked parts, if there is one.
    """
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.Bold)
    look.setForeground(marked)
    if line is not None:
        look.setFontUnderline(True)
        look.setUnderlineColor(line)
    metrics = QFontMetrics(font)
    room = box.width()
    short = text
    while True:
        layout = QTextLayout(short, font)
        ranges = []
        for start, end in marks:
            piece = QTextLayout.FormatRange()
            piece.start, piece.length, piece.format = start, min(end, len(short)) - start, look
            if piece.length > 0:
                ranges.append(piece)
        layout.setFormats(ranges)
        layout.beginLayout()
        row = layout.createLine()
        row.setLineWidth(100_000)
        layout.endLayout()
        if row.naturalTextWidth() <= room or len(short) < 3:
            break
        fits = row.xToCursor(max(room - metrics.horizontalAdvance("…") - 1, 0))
        fits = fits[0] if isinstance(fits, tuple) else fits
        short = short[: max(min(fits, len(short) - 2), 1)].rstrip() + "…"
    p.setPen(ink)
    layout.draw(p, QPointF(box.left(), box.top() + (box.height() - row.height()) / 2))
