"""The scale of shades below the knowledge view, and the marks that occur in it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.axis import alpha
from lydian.app.painters.ink import Ink
from lydian.views.others.knowledge import KnowledgeFrame

__all__ = ["contrast", "legend"]


def legend(
    p: QPainter, theme: Theme, strip: QRectF, frame: KnowledgeFrame, ramp: Sequence[QColor], *, cells: bool
) -> None:
    """The scale of shades, marks that occur now (if there are ``cells``), a tick when everybody knows of everybody.

    ``ramp`` holds the colours from the weakest shade to the strongest.
    """
    ink, k = Ink(theme), theme.px("small") / 12
    words = {
        "recent": ("known up to: start", "now"),
        "lamport": ("known up to: Lamport time 0", f"{int(frame.lamport.max(initial=0)):,}"),
        "first": ("first heard: start", "now"),
    }[frame.shade]
    y = strip.center().y()
    x = strip.left() + 12 * k
    line = QRectF(x, strip.top(), strip.right() - x - 12 * k, strip.height())
    x += ink.text(p, line, words[0], "small", "text.secondary") + 7 * k
    bar = QRectF(x, y - 5.5 * k, 66 * k, 11 * k)
    p.setPen(Qt.PenStyle.NoPen)
    for step in range(22):
        p.setBrush(ramp[round(step * (len(ramp) - 1) / 21)])
        p.drawRect(QRectF(bar.left() + step * bar.width() / 22, bar.top(), bar.width() / 22 + 0.3, bar.height()))
    p.setPen(QPen(theme.color("chain.past"), 1))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRect(bar)
    x = bar.right() + 7 * k
    line.setLeft(x)
    x += ink.text(p, line, words[1], "small", "text.secondary") + 20 * k
    there = {"on its way": cells and frame.coming is not None, "just heard": cells and frame.fresh is not None}
    entries = [name for name, occurs in there.items() if occurs]
    if frame.everybody is not None:
        entries.append("everybody knows of everybody")
    for entry in entries:
        if x + ink.width(entry, "small") + 30 * k > strip.right():
            break
        x = _entry(p, theme, QRectF(x, y - 6 * k, 12 * k, 12 * k), entry, k) + 18 * k


def _entry(p: QPainter, theme: Theme, box: QRectF, entry: str, k: float) -> float:
    """One mark and its words; returns where they end."""
    past = theme.color("chain.past")
    p.setBrush(Qt.BrushStyle.NoBrush)
    if entry == "on its way":
        p.setPen(QPen(theme.color("border.control"), 1))
        p.drawRect(box)
        p.fillRect(box.adjusted(0.5, box.height() * 0.45, -0.5, -0.5), alpha(past, 0.35))
    elif entry == "just heard":
        p.setPen(QPen(theme.color("text.primary"), 2))
        p.setBrush(past)
        p.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        pen = QPen(theme.color("check.holds"), 2.2)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        p.setPen(pen)
        tick = QPainterPath(QPointF(box.left() + 1, box.center().y()))
        tick.lineTo(box.left() + box.width() * 0.4, box.bottom() - 2)
        tick.lineTo(box.right() - 0.5, box.top() + 1.5)
        p.drawPath(tick)
    place = QRectF(box.right() + 7 * k, box.top() - 6 * k, 400 * k, box.height() + 12 * k)
    color = "check.holds" if entry.startswith("everybody") else "text.secondary"
    return place.left() + Ink(theme).text(p, place, entry, "small", color)


def contrast(a: QColor, b: QColor) -> float:
    """Contrast of two colours as WCAG 2 defines it."""

    def luminance(color: QColor) -> float:
        parts = (color.redF(), color.greenF(), color.blueF())
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
