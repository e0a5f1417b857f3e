"""Icons: simple strokes in SVG files, drawn in a colour of the theme at any size."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from lydian.app.look.theme import Theme
from lydian.model.archive.shelves import our_folder

__all__ = ["icon", "icon_names", "pixmap", "resources"]

#: The sizes in pixels in which an icon is kept; Qt takes the nearest.
SIZES = (16, 18, 20, 24, 32, 48, 64)


@cache
def resources() -> Path:
    """Return the folder of the program's resources: inside the wheel, or beside the package."""
    return our_folder() / "resources"


def icon_names() -> tuple[str, ...]:
    """Return the names of all icons."""
    return tuple(sorted(path.stem for path in (resources() / "icons").glob("*.svg")))


@cache
def _source(name: str) -> str:
    return (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def pixmap(name: str, color: QColor, size: int, ratio: float = 1.0) -> QPixmap:
    """Return an icon in one colour, ``size`` logical pixels square, for a screen of the given device pixel ratio."""
    return QPixmap(_drawn(name, color.rgba(), size, ratio))  # a copy, because the caller may draw on it


@lru_cache(maxsize=1024)
def _drawn(name: str, rgba: int, size: int, ratio: float) -> QPixmap:
    color = QColor.fromRgba(rgba)
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    try:
        if color.alpha() == 255:
            _renderer(name, color.name(QColor.NameFormat.HexRgb)).render(painter, QRectF(picture.rect()))
        else:
            opaque = _drawn(name, QColor(color.rgb()).rgba(), size, ratio)
            painter.setOpacity(color.alphaF())
            painter.drawPixmap(picture.rect(), opaque, opaque.rect())
    finally:
        painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


@lru_cache(maxsize=256)
def _renderer(name: str, ink: str) -> QSvgRenderer:
    """Return what draws an icon in an opaque colour at any size; reading the file takes longer than drawing it."""
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", ink).encode()))


_kept: dict[tuple[str, int, int, int], QIcon] = {}


def icon(name: str, theme: Theme, color: str = "text.primary", on: str | None = None) -> QIcon:
    """Return an icon in a colour of the theme; grey where it is disabled, in the colour ``on`` where it is checked."""
    base, off = theme.color(color), theme.color(color)
    off.setAlphaF(0.38)
    checked = base if on is None else theme.color(on)
    key = (name, base.rgba(), off.rgba(), checked.rgba())
    if key not in _kept:
        made = QIcon()
        looks = [(QIcon.Mode.Normal, QIcon.State.Off, base), (QIcon.Mode.Disabled, QIcon.State.Off, off)]
        if checked != base:  # without them Qt uses the unchecked pictures
            looks += [(QIcon.Mode.Normal, QIcon.State.On, checked), (QIcon.Mode.Disabled, QIcon.State.On, off)]
        for size in SIZES:
            for mode, state, ink in looks:
                made.addPixmap(pixmap(name, ink, size), mode, state)
        _kept[key] = made
    return _kept[key]
