"""The painter of what messages carry: the value on each arrow, lies in two colours, and what was said last."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from lydian.app.look.theme import Theme, mixed
from lydian.app.look.vision import contrast
from lydian.app.painters.network.netmap import Floats, Map
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.carries import Carries, Sign
from lydian.pieces.piece import LegendItem

__all__ = ["LISTED", "CarriesPainter", "chip_size", "draw_chip", "tag_height"]

#: The number of messages in transit above which they have colours but no letters.
MOST = 250
#: The opacity of what was said and has been received.
PALE = 0.5
#: The smallest size of a letter in pixels, and the height of a value in the legend.
LEAST, LISTED = 9, 14.0
#: The size of one, two and three letters as a share of the height of a value.
SIZES = (0.7, 0.62, 0.56)
#: How far the edge of a lie is outside its halves, as a share of their height, and the slant between them.
EDGE, SLANT = 0.17, 0.2


class CarriesPainter(PiecePainter):
    """The painter of what messages carry."""

    def inner(self, d: Drawing) -> None:
        """Draw what was said last on each lane, pale: the arrow, and the value in the middle."""
        p, m = d.p, d.m
        if m.level != "full" or not d.frame.carries or not len(d.frame.carries[0].source):
            return
        said = d.frame.carries[0]
        start, stop, u = m.ways(said.source, said.target)
        high, width = tag_height(m) * 0.9, self.theme.line("messageTrail") * 0.7
        p.save()
        p.setOpacity(p.opacity() * PALE)
        for (x1, y1), (x2, y2), code in zip(start.tolist(), stop.tolist(), said.sign.tolist(), strict=True):
            p.setPen(QPen(self.theme.message(said.signs[code].colour).color, width))
            p.drawLine(QPointF(x1, y1), QPointF(x2, y2))
        p.restore()
        # not in the middle of the link, where the values of both directions would touch
        places = start + (stop - start) * 0.42
        looks = zip(stop.tolist(), u.tolist(), places.tolist(), said.sign.tolist(), strict=True)
        for (x2, y2), (ux, uy), (x, y), code in looks:
            sign = said.signs[code]
            p.save()
            p.setOpacity(p.opacity() * PALE)
            _tip(p, self.theme.message(sign.colour).color, (x2, y2), (ux, uy), m.head * 0.8)
            p.restore()
            draw_chip(p, self.theme, x, y, high, sign, opacity=PALE)

    def rings(self, d: Drawing) -> None:
        """Draw the value of each message behind its head."""
        p, m, frame = d.p, d.m, d.frame
        if m.level != "full" or not frame.carries or len(frame.flights) > MOST:
            return
        flights, said = frame.flights, frame.carries[0]
        shown = np.flatnonzero(said.flying >= 0)
        if not len(shown):
            return
        false = np.array([sign.false for sign in said.signs])[said.flying[shown]]
        shown = shown[np.lexsort((-flights.place[shown], false))]  # lies are on top, and then the first at a door
        one = flights.source[shown], flights.target[shown], flights.fraction[shown], flights.place[shown]
        high = tag_height(m)
        signs = [said.signs[code] for code in said.flying[shown].tolist()]
        places = _behind(self.theme, m, signs, high, *m.heads(*one)[::2])
        for (x, y), sign in zip(places.tolist(), signs, strict=True):
            draw_chip(p, self.theme, x, y, high, sign)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Carries, k: float) -> None:
        """Draw a value, or a lie."""
        if isinstance(item.look, Sign):
            draw_chip(p, self.theme, box.center().x(), box.center().y(), LISTED * k, item.look)


def tag_height(m: Map) -> float:
    """Return the height of the value on an arrow."""
    return min(max(m.head * 1.5, 0.46 * m.d), 2.0 * m.head)


def _behind(theme: Theme, m: Map, signs: list[Sign], high: float, at: Floats, u: Floats) -> Floats:
    """Return the middles of the values, so that each touches the head of its message from behind."""
    size = np.array([chip_size(theme, sign, high) for sign in signs]) / 2
    reach = np.min(size / np.maximum(np.abs(u), 1e-6), axis=1) + m.head * 0.45
    places: Floats = at - u * reach[:, None]
    return places


def _tip(p: QPainter, color: QColor, at: tuple[float, float], u: tuple[float, float], size: float) -> None:
    """Draw the tip of a pale arrow."""
    (x, y), (ux, uy) = at, u
    path = QPainterPath(QPointF(x + ux * size * 0.4, y + uy * size * 0.4))
    for side in (0.45, -0.45):
        path.lineTo(x - ux * size * 0.6 - uy * size * side, y - uy * size * 0.6 + ux * size * side)
    path.closeSubpath()
    p.fillPath(path, color)


@functools.lru_cache(maxsize=1024)
def _half(theme: Theme, letter: str, high: float) -> tuple[QFont, float]:
    """Return the font of a letter, and the width of the box around it."""
    font = theme.font("caption", semibold=True)
    font.setPixelSize(max(LEAST, round(high * SIZES[min(len(letter), len(SIZES)) - 1])))
    return font, max(high, QFontMetricsF(font).horizontalAdvance(letter) + 0.5 * high)


def chip_size(theme: Theme, sign: Sign, high: float) -> tuple[float, float]:
    """Return the width and height of the sign of a value."""
    wide = _half(theme, sign.letter, high)[1]
    if sign.true_letter:
        wide += _half(theme, sign.true_letter, high)[1]
    edge = 2 * EDGE * high if sign.false else 0.0
    return wide + edge, high + edge


def draw_chip(p: QPainter, theme: Theme, x: float, y: float, high: float, sign: Sign, *, opacity: float = 1.0) -> None:
    """Draw the sign of a value: a letter on its colour; of a lie, what is said is filled and what is true is outlined.

    Args:
        high: the height of the value in pixels.
        opacity: of everything except the ground and the letters, which stay readable.
    """
    ground, said = theme.color("surface.canvas"), theme.message(sign.colour).color
    wide, tall = chip_size(theme, sign, high)
    edge = (tall - high) / 2
    radius = high * 0.24
    box = QRectF(x - wide / 2, y - tall / 2, wide, tall)
    inner = box.adjusted(edge, edge, -edge, -edge)
    p.save()
    ink, full = ground, p.opacity()
    if opacity < 1.0:
        fill = mixed(ground, said, opacity)
        ink = max((ground, theme.color("text.primary")), key=lambda each: contrast(each, fill))
    p.setPen(QPen(ground, 2.4))
    p.setBrush(ground)
    p.drawRoundedRect(box, radius + edge, radius + edge)
    p.setOpacity(full * opacity)
    if sign.false:
        pen = QPen(theme.color("fault.base"), max(1.2, high * 0.09))
        pen.setDashPattern([2.6, 1.6])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawRoundedRect(box, radius + edge, radius + edge)
    font, left = _half(theme, sign.letter, high)
    if not sign.true_letter:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(said)
        p.drawRoundedRect(inner, radius, radius)
        p.setOpacity(full)
        _write(p, inner, sign.letter, font, ink)
        p.restore()
        return
    other, _ = _half(theme, sign.true_letter, high)
    true = theme.message(sign.true_colour).color
    middle, lean, thin = inner.left() + left, SLANT * high / 2, max(1.0, high * 0.09)
    p.fillPath(_side(inner, middle - thin / 2, lean, radius, -1), said)
    p.setPen(QPen(true, thin, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap, Qt.PenJoinStyle.RoundJoin))
    outline = inner.adjusted(0, thin / 2, -thin / 2, -thin / 2)
    p.drawPath(_side(outline, middle + thin, lean * outline.height() / high, radius, 1))
    p.setOpacity(full)
    _write(p, QRectF(inner.left(), inner.top(), left - lean / 2, high), sign.letter, font, ink)
    right = QRectF(middle + lean / 2, inner.top(), inner.right() - middle - lean / 2, high)
    _write(p, right, sign.true_letter, other, true)
    p.restore()


def _side(box: QRectF, middle: float, lean: float, radius: float, side: int) -> QPainterPath:
    """Return the left (-1) or right (1) half of a rounded box, with a slanted edge through its middle."""
    edge, r = (box.left(), radius) if side < 0 else (box.right(), -radius)
    path = QPainterPath(QPointF(middle + lean, box.top()))
    path.lineTo(edge + r, box.top())
    path.quadTo(edge, box.top(), edge, box.top() + radius)
    path.lineTo(edge, box.bottom() - radius)
    path.quadTo(edge, box.bottom(), edge + r, box.bottom())
    path.lineTo(middle - lean, box.bottom())
    path.closeSubpath()
    return path


def _write(p: QPainter, box: QRectF, text: str, font: QFont, ink: Any) -> None:
    """Write a letter in the middle of a box, by the height of its capitals."""
    metrics = QFontMetricsF(font)
    p.setFont(font)
    p.setPen(ink)
    wide = metrics.horizontalAdvance(text)
    p.drawText(QPointF(box.center().x() - wide / 2, box.center().y() + metrics.capHeight() / 2), text)
