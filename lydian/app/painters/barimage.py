"""Paints very many bars as an image: a row a process, a colour a state."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.axis import Geometry, alpha
from lydian.views.time.occupation import CRASHED, EMPTY, Scene

__all__ = ["activity", "draw_image"]


def activity(theme: Theme, blocked: bool) -> QColor:
    """The colour of a process that waits for others, or of one that rests."""
    return alpha(theme.color("chain.waiting"), 0.55) if blocked else theme.color("border.subtle")


#: Where the pixels of an image are while it is drawn: new memory for each would cost more than drawing it.
_scratch = np.empty(0, dtype=np.uint32)


def _room(shape: tuple[int, ...]) -> NDArray[np.uint32]:
    """An array of that shape, the same memory each time."""
    global _scratch
    size = math.prod(shape)
    if not size <= len(_scratch) <= 4 * max(size, 1 << 16):
        _scratch = np.empty(size, dtype=np.uint32)
    return _scratch[:size].reshape(shape)


def draw_image(p: QPainter, theme: Theme, g: Geometry, scene: Scene, strip: tuple[float, float] | None) -> None:
    """Many rows as an image: a colour a state."""
    codes = scene.image
    if codes is None or not codes.size or not len(g.visible):
        return
    width, first = scene.image_width, round(scene.image_start / scene.image_width)
    low, high = strip or (g.left, g.right)
    a = max(math.floor(g.place(low) / width) - 1 - first, 0)
    b = min(math.ceil(g.place(high) / width) + 1 - first, codes.shape[1])
    a += (first + a) % 2 if a else 0
    if b <= a:
        return
    codes = codes[g.visible.start : g.visible.stop, a:b]
    left = scene.image_start + a * width
    if width * g.unit < 1 and codes.shape[1] > 1:  # of two pieces on a pixel the later one, if anything is there
        start = (first + a) % 2
        left -= start * width
        later = codes[:, 1 - start :: 2]
        early = codes[:, start::2] if not start else np.insert(codes[:, 1::2], 0, EMPTY, axis=1)
        wide = min(later.shape[1], early.shape[1])
        codes, width = np.where(later[:, :wide] != EMPTY, later[:, :wide], early[:, :wide]), 2 * width
    table = np.zeros(256, dtype=np.uint32)
    for code, slot in enumerate(scene.state_slots.tolist()):
        color = theme.state(slot).fill
        if scene.show == "activity":
            color = activity(theme, bool(scene.blocked[code]))
            part = color.alphaF()
            color = QColor.fromRgbF(
                color.redF() * part, color.greenF() * part, color.blueF() * part, part
            )  # premultiplied
        table[code] = color.rgba()
    table[CRASHED] = theme.color("fault.base").rgba()
    pixels = _room(codes.shape)
    table.take(codes, out=pixels, mode="clip")
    image = QImage(
        pixels.view(np.uint8).data, pixels.shape[1], pixels.shape[0], pixels.strides[0],
        QImage.Format.Format_ARGB32_Premultiplied,
    )  # fmt: skip
    top = g.top + (g.visible.start - g.first) * g.pitch
    p.save()
    p.setClipRect(QRectF(g.left, g.top, g.right - g.left, g.bottom - g.top), Qt.ClipOperation.IntersectClip)
    p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    if g.pitch < 1:  # rows are averaged, so that none is left out
        tall = max(1, math.ceil(len(g.visible) * g.pitch))
        image = image.scaled(
            image.width(), tall, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    p.drawImage(QRectF(g.at(left), top, pixels.shape[1] * width * g.unit, len(g.visible) * g.pitch), image)
    p.restore()
