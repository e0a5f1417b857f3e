"""The shapes of the visual language: processes by state, heads of messages, text with a halo.

All eight shapes of states have the area of the circle of the given diameter, so that none looks more important. All
shapes are drawn around the given point in logical pixels.
"""

from __future__ import annotations

import functools
import math
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QPixmap,
    QPolygonF,
)

from lydian.app.look.theme import SLOTS, Theme

__all__ = [
    "SHAPES",
    "draw_change",
    "draw_crash",
    "draw_cross",
    "draw_head",
    "draw_process",
    "draw_text",
    "head_icon",
    "process_path",
    "state_icon",
]

#: The shape of each slot, as in the tokens.
SHAPES = ("circle", "hexagon", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "plus")

Align = Qt.AlignmentFlag
_ALIGN = {"left": Align.AlignLeft, "center": Align.AlignHCenter, "right": Align.AlignRight}


def process_path(slot: int, d: float) -> QPainterPath:
    """Return the outline of a process in a state of a slot, around (0, 0), with the area of a circle of diameter d."""
    return QPainterPath(_path(slot % SLOTS, round(d, 3)))


@functools.lru_cache(maxsize=512)
def _path(slot: int, d: float) -> QPainterPath:
    shape, area = SHAPES[slot], math.pi * d * d / 4
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(QPointF(0, 0), d / 2, d / 2)
    elif shape == "square":
        s = math.sqrt(area)
        path.addRoundedRect(QRectF(-s / 2, -s / 2, s, s), d * 0.08, d * 0.08)
    elif shape == "diamond":
        _polygon(path, _regular(4, area, -math.pi / 2))
    elif shape == "hexagon":
        _polygon(path, _regular(6, area, 0.0))
    elif shape == "pentagon":
        _polygon(path, _regular(5, area, -math.pi / 2))
    elif shape == "triangle-up":
        _polygon(path, _regular(3, area, -math.pi / 2))
    elif shape == "triangle-down":
        _polygon(path, _regular(3, area, math.pi / 2))
    else:
        t = math.sqrt(area / 5)
        q, h = 1.5 * t, t / 2
        quarter = [(-h, -q), (h, -q), (h, -h)]
        _polygon(path, [turned for k in range(4) for x, y in quarter for turned in [_turned(x, y, k)]])
    return path


def _regular(corners: int, area: float, first: float) -> list[tuple[float, float]]:
    """Return the corners of a regular polygon with the area of the circle."""
    r = math.sqrt(2 * area / (corners * math.sin(2 * math.pi / corners)))
    turn = 2 * math.pi / corners
    return [(r * math.cos(first + turn * i), r * math.sin(first + turn * i)) for i in range(corners)]


def _turned(x: float, y: float, quarters: int) -> tuple[float, float]:
    for _ in range(quarters):
        x, y = -y, x
    return x, y


def _polygon(path: QPainterPath, corners: list[tuple[float, float]]) -> None:
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    path.closeSubpath()


def draw_process(
    p: QPainter,
    theme: Theme,
    x: float,
    y: float,
    d: float,
    slot: int,
    label: str = "",
    *,
    initiator: bool = False,
    selected: bool = False,
    hover: bool = False,
    crashed: bool = False,
    busy: float | None = None,
) -> None:
    """Draw a process with the shape and colours of its state, and its name inside.

    Args:
        d: diameter of the circle of the same area.
        initiator: whether to draw the outline twice.
        selected, hover: whether to draw the ring for it.
        crashed: whether to draw a dashed outline and a cross in the colour of faults; shape and name stay.
        busy: the share of its step that is done, 0..1, drawn as an arc around it; None if it is idle.
    """
    style = theme.state(slot)
    p.save()
    p.translate(x, y)
    thick = theme.line("selectionRing") if selected else 1.3
    if selected or hover:
        gap = theme.size("line.selectionGap")
        ring = QPen(theme.color("selection"), thick)
        ring.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        p.strokePath(_path(slot % SLOTS, round(grown(slot, d, gap + thick / 2 + 1.2), 3)), ring)
    if busy is not None:
        _draw_busy(p, style.outline, d, busy, theme.size("node.busyArc"))
    width = theme.size("node.outline") if d >= 20 else 1.2
    if crashed:
        draw_crash(p, theme, slot, d)
    else:
        pen = QPen(style.outline, width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        p.setPen(pen)
        p.setBrush(style.fill)
        p.drawPath(_path(slot % SLOTS, round(d, 3)))
        if (initiator or style.double) and d >= 10:
            inner = QColor(style.label)
            inner.setAlphaF(0.85)
            pen = QPen(inner, theme.size("node.initiatorRing") * 0.8 if d >= 20 else 1)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            p.strokePath(_path(slot % SLOTS, round(grown(slot, d, -max(3.4, d * 0.1)), 3)), pen)
    if label:
        _draw_label(p, theme, slot, d, label, crashed)
    p.restore()


def draw_change(
    p: QPainter, theme: Theme, x: float, y: float, d: float, before: int, slot: int, share: float, label: str = ""
) -> None:
    """Draw the fading look of a state that has just ended over the new one, and the pulse of the new outline.

    Args:
        before, slot: the slots of the previous state and of the new one.
        share: the share of the change that has been shown, 0..1.
    """
    whole = p.opacity()
    p.save()
    p.setOpacity(whole * (1.0 - share))
    draw_process(p, theme, x, y, d, before, label)
    p.translate(x, y)
    pulse = QPen(theme.state(slot).outline, max(1.2, d * 0.06))
    pulse.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    p.strokePath(_path(slot % SLOTS, round(grown(slot, d, 1.0 + d * 0.14 * share), 3)), pulse)
    p.restore()


def grown(slot: int, d: float, by: float) -> float:
    """Return the diameter whose shape is ``by`` pixels larger (negative: smaller) than that of d along its sides."""
    corners = {1: 6, 2: 4, 3: 4, 4: 3, 5: 3, 6: 5}.get(slot % SLOTS)
    if corners is None:
        return max(d + 2 * by, 1.0)
    # The distance from the middle to a side, as a share of d, for a regular polygon with the area of the circle.
    apothem = math.sqrt(math.pi / 4 / (corners * math.tan(math.pi / corners)))
    return max(d + by / apothem, 1.0)


def _draw_busy(p: QPainter, color: QColor, d: float, share: float, width: float) -> None:
    r = d / 2 + 7
    box = QRectF(-r, -r, 2 * r, 2 * r)
    pale = QColor(color)
    pale.setAlphaF(0.22)
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(QPen(pale, width))
    p.drawEllipse(box)
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    p.setPen(pen)
    p.drawArc(box, 90 * 16, -round(360 * 16 * min(max(share, 0.02), 1.0)))


def draw_crash(p: QPainter, theme: Theme, slot: int, d: float) -> None:
    """Draw a crashed process around (0, 0): its last shape, empty and dashed, with a cross."""
    fault = theme.color("fault.base")
    small = d < 20
    pen = QPen(fault, 1.4 if small else 2.2)
    pen.setDashPattern([2.4, 1.6])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    p.setPen(pen)
    p.setBrush(theme.color("surface.canvas"))
    p.drawPath(_path(slot % SLOTS, round(d, 3)))
    draw_cross(p, fault, 0, 0, d * 0.62, 2.0 if small else 3.4)


def draw_cross(p: QPainter, color: QColor, x: float, y: float, half: float, width: float) -> None:
    """Draw a cross of two strokes that extend ``half`` pixels to every side."""
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    p.setPen(pen)
    p.drawLine(QPointF(x - half, y - half), QPointF(x + half, y + half))
    p.drawLine(QPointF(x + half, y - half), QPointF(x - half, y + half))


def _draw_label(p: QPainter, theme: Theme, slot: int, d: float, label: str, crashed: bool) -> None:
    font = theme.font("label", semibold=True)
    size = theme.size("node.label") / theme.size("node.diameter.l") * d
    font.setPixelSize(max(7, round(size)))
    room = d * (0.58 if slot % SLOTS in (4, 5, 7) else 0.78)
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(label)
    if width > room:
        font.setPixelSize(max(7, int(font.pixelSize() * room / width)))
        metrics = QFontMetricsF(font)
        label = metrics.elidedText(label, Qt.TextElideMode.ElideRight, d * 1.05)
        width = metrics.horizontalAdvance(label)
    style = theme.state(slot)
    base = metrics.capHeight() / 2 + {4: d * 0.05, 5: -d * 0.05}.get(slot % SLOTS, 0.0)
    if crashed:
        _halo_text(p, -width / 2, base, label, font, theme.color("text.primary"), theme.color("surface.canvas"))
        return
    p.setFont(font)
    p.setPen(style.label)
    p.drawText(QPointF(-width / 2, base), label)


@functools.lru_cache(maxsize=512)
def head_path(shape: str, size: float) -> QPainterPath:
    """Return the head of a message around (0, 0), pointing to the right; the hole of a circle is left out."""
    r = size / 2
    path = QPainterPath()
    if shape == "triangle":
        _polygon(path, [(r * 1.25, 0), (-r * 0.85, r * 0.95), (-r * 0.85, -r * 0.95)])
    elif shape == "circle":
        path.addEllipse(QPointF(0, 0), r * 0.92, r * 0.92)
    elif shape == "square":
        path.addRect(QRectF(-r * 0.82, -r * 0.82, r * 1.64, r * 1.64))
    elif shape == "diamond":
        _polygon(path, [(r * 1.2, 0), (0, r), (-r * 1.2, 0), (0, -r)])
    elif shape == "chevron":
        w = r * 0.62
        _polygon(path, [(-r * 0.9, -r), (-r * 0.9 + w, -r), (r, 0), (-r * 0.9 + w, r), (-r * 0.9, r), (r - w, 0)])
    else:
        path.addRect(QRectF(-r * 0.32, -r, r * 0.64, 2 * r))
    return path


def draw_head(
    p: QPainter, theme: Theme, x: float, y: float, angle: float, kind: int, size: float, color: QColor | None = None
) -> None:
    """Draw the head of a message.

    Args:
        angle: direction of flight in radians, 0 to the right, clockwise.
        size: its diameter in pixels.
        color: by default that of its kind.
    """
    style = theme.message(kind)
    ground = theme.color("surface.canvas")
    p.save()
    p.translate(x, y)
    p.rotate(math.degrees(angle))
    casing = QPen(ground, 1.6 if size >= 9 else 0.8)
    casing.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    path = head_path(style.head, round(size, 2))
    p.strokePath(path, casing)
    p.fillPath(path, color or style.color)
    if style.head == "circle":
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ground)
        p.drawEllipse(QPointF(0, 0), size * 0.17, size * 0.17)
    p.restore()


def state_icon(theme: Theme, slot: int, size: int, *, crashed: bool = False, ratio: float = 2.0) -> QPixmap:
    """Return the shape of a state as a picture of ``size`` logical pixels square."""
    return _icon(theme, "state", slot, size, crashed, ratio)


def head_icon(theme: Theme, kind: int, size: int, *, ratio: float = 2.0) -> QPixmap:
    """Return the head of a message as a picture of ``size`` logical pixels square."""
    return _icon(theme, "head", kind, size, False, ratio)


@functools.lru_cache(maxsize=512)
def _icon(theme: Theme, what: str, number: int, size: int, crashed: bool, ratio: float) -> QPixmap:
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    p = QPainter(picture)
    try:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        if what == "state":
            draw_process(p, theme, size / 2, size / 2, size * 0.72, number, crashed=crashed)
        else:
            draw_head(p, theme, size / 2, size / 2, 0.0, number, size * 0.78)
    finally:
        p.end()
    return picture


def draw_text(
    p: QPainter,
    theme: Theme,
    x: float,
    y: float,
    text: str,
    role: str,
    color: QColor | str,
    halo: bool = False,
    align: Qt.AlignmentFlag | Literal["left", "center", "right"] = "left",
    *,
    semibold: bool = False,
    mono: bool = False,
) -> QRectF:
    """Draw one line of text, and return the box it takes.

    Args:
        x, y: the anchor; by default the left end and the vertical middle of the text.
        role: size of type, as in the tokens.
        color: a colour or its name in the tokens.
        halo: whether to draw a rim in the colour of the canvas, so that lines behind the text do not disturb it.
        align: the part of the text at x: its left end, its middle or its right end. Or Qt's flags: AlignLeft,
            AlignHCenter or AlignRight, together with AlignTop, AlignVCenter (the default), AlignBottom or
            AlignBaseline.
    """
    flags = _ALIGN[align] if isinstance(align, str) else align
    font = theme.font(role, semibold=semibold, mono=mono)
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(text)
    if flags & Align.AlignHCenter:
        x -= width / 2
    elif flags & Align.AlignRight:
        x -= width
    if flags & Align.AlignTop:
        base = y + metrics.ascent()
    elif flags & Align.AlignBottom:
        base = y - metrics.descent()
    elif flags & Align.AlignBaseline:
        base = y
    else:
        base = y + metrics.capHeight() / 2
    ink = theme.color(color) if isinstance(color, str) else color
    if halo:
        _halo_text(p, x, base, text, font, ink, theme.color("surface.canvas"))
    else:
        p.setFont(font)
        p.setPen(ink)
        p.drawText(QPointF(x, base), text)
    return QRectF(x, base - metrics.ascent(), width, metrics.height())


def _halo_text(p: QPainter, x: float, base: float, text: str, font: QFont, ink: QColor, ground: QColor) -> None:
    p.save()
    p.translate(x, base)
    p.fillPath(_rim(text, font.key(), font), ground)
    p.restore()
    p.setFont(font)
    p.setPen(ink)
    p.drawText(QPointF(x, base), text)


_paths: dict[tuple[str, str], QPainterPath] = {}


def _rim(text: str, key: str, font: QFont) -> QPainterPath:
    """Return the area around a text; cached, because it takes longer than the rest of a small picture."""
    if (text, key) not in _paths:
        if len(_paths) > 2000:
            _paths.clear()
        path = QPainterPath()
        path.addText(QPointF(0, 0), font, text)
        stroker = QPainterPathStroker()
        stroker.setWidth(3.6)
        stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        _paths[text, key] = stroker.createStroke(path).simplified()
    return _paths[text, key]
