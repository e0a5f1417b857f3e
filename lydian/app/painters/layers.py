"""Pictures that are drawn once and kept; when their contents scroll sideways, the pictures are shifted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPaintEngine, QPainter, QPixmap, QRegion

__all__ = ["Layers", "is_raster"]


def is_raster(p: QPainter) -> bool:
    """Return whether the painter draws pixels rather than a vector picture."""
    engine = p.paintEngine()
    return engine is None or engine.type() == QPaintEngine.Type.Raster


class Layers:
    """Pictures that are kept until their contents change.

    For a vector device, the layer is drawn directly instead. ``drawn`` counts the pictures drawn from scratch, and
    ``moved`` those that were shifted.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[Any, ...], float | None, QPixmap]] = {}
        self.drawn = self.moved = 0

    def draw(
        self,
        p: QPainter,
        name: str,
        key: tuple[Any, ...],
        area: QRectF,
        clip: QRectF | QRegion,
        paint: Callable[[QPainter, tuple[float, float] | None], None],
        opacity: float = 1.0,
        *,
        origin: float | None = None,
        reach: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Show the part of a layer inside ``clip``.

        ``paint(painter, strip)`` draws in the coordinates of ``p`` over ``area``, or only what touches the strip from x
        to x; it is called if ``key`` has changed since the last time. ``origin`` is the number of pixels of the whole
        picture to the left of the area: if only that has changed, by whole pixels, the kept picture is shifted and
        ``paint`` draws the strip that came into view, with ``reach`` more pixels at its left and its right, which is as
        far as anything cut off at the old edge may reach.
        """
        if isinstance(clip, QRectF):
            clip = clip.intersected(area)
            if clip.width() <= 0 or clip.height() <= 0:
                return
        p.save()
        if isinstance(clip, QRectF):
            p.setClipRect(clip, Qt.ClipOperation.IntersectClip)
        else:
            p.setClipRegion(clip, Qt.ClipOperation.IntersectClip)
        if opacity < 1:
            p.setOpacity(p.opacity() * opacity)
        if is_raster(p):
            p.drawPixmap(area.topLeft(), self._picture(p, name, key, area, paint, origin, reach))
        else:
            paint(p, None)
        p.restore()

    def _picture(
        self,
        p: QPainter,
        name: str,
        key: tuple[Any, ...],
        area: QRectF,
        paint: Callable[[QPainter, tuple[float, float] | None], None],
        origin: float | None,
        reach: tuple[float, float],
    ) -> QPixmap:
        ratio = p.device().devicePixelRatioF() * max(1.0, abs(p.worldTransform().m11()))
        full = (*key, area.x(), area.y(), area.width(), area.height(), ratio)
        kept = self._kept.get(name)
        if kept is not None and kept[0] == full:
            if kept[1] == origin:
                return kept[2]
            if origin is not None and kept[1] is not None:
                by = (kept[1] - origin) * ratio
                if abs(by) < 0.75 * area.width() * ratio and abs(by - round(by)) < 1e-3 and ratio == round(ratio):
                    picture = self._kept.pop(name)[2]
                    del kept  # the picture is shifted in place only if it has no other reference
                    _move(picture, area, round(by), reach, paint)
                    self._kept[name] = (full, origin, picture)
                    self.moved += 1
                    return picture
        picture = QPixmap(math.ceil(area.width() * ratio), math.ceil(area.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        inner = QPainter(picture)
        try:
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            inner.translate(-area.topLeft())
            paint(inner, None)
        finally:
            inner.end()
        self._kept[name] = (full, origin, picture)
        self.drawn += 1
        return picture


def _move(
    picture: QPixmap,
    area: QRectF,
    by: int,
    reach: tuple[float, float],
    paint: Callable[[QPainter, tuple[float, float] | None], None],
) -> None:
    """Shift a picture by a number of its pixels, to the right if positive, and draw the strip that came into view."""
    ratio = picture.devicePixelRatioF()
    picture.scroll(by, 0, QRect(0, 0, picture.width(), picture.height()))
    if by < 0:
        left, right = area.right() + by / ratio - reach[1], area.right() + 1
    else:
        left, right = area.left() - 1, area.left() + by / ratio + reach[0]
    left, right = math.floor(left), math.ceil(right)
    strip = QRectF(left, area.top() - 1, right - left, area.height() + 2)
    inner = QPainter(picture)
    try:
        inner.translate(-area.topLeft())
        inner.setClipRect(strip)
        inner.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        inner.fillRect(strip, Qt.GlobalColor.transparent)
        inner.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        inner.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(inner, (left, right))
    finally:
        inner.end()
