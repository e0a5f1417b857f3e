"""The layout of a widget as one list of parts: below each other, or side by side."""

from __future__ import annotations

from types import EllipsisType
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget

__all__ = ["Part", "Steady", "across", "down", "fill", "held"]

_Box = TypeVar("_Box", bound=QBoxLayout)
_Thing = QWidget | QLayout | str | EllipsisType
#: A widget, a layout, a text, or dots for the remaining room; optionally with its stretch factor, its alignment, or
#: both. A number is a gap in pixels.
Part = _Thing | int | tuple[_Thing, int | Qt.AlignmentFlag] | tuple[_Thing, int, Qt.AlignmentFlag]
_Margins = int | tuple[int, int, int, int] | None


def down(*parts: Part, on: QWidget | None = None, margins: _Margins = 0, spacing: int | None = None) -> QVBoxLayout:
    """Lay out parts below each other.

    Args:
        on: the widget that gets the layout; None for parts inside another layout.
        margins: one for all sides, or left, top, right and bottom; ``None`` for those of the style.
        spacing: the distance between two parts; ``None`` for that of the style.
    """
    return _filled(QVBoxLayout(), parts, on, margins, spacing)


def across(*parts: Part, on: QWidget | None = None, margins: _Margins = 0, spacing: int | None = None) -> QHBoxLayout:
    """Lay out parts side by side, from left to right; see :func:`down`."""
    return _filled(QHBoxLayout(), parts, on, margins, spacing)


def fill(box: QBoxLayout, *parts: Part) -> None:
    """Add parts to a layout; see :func:`down`."""
    for part in parts:
        if isinstance(part, int):
            box.addSpacing(part)
            continue
        thing, *how = part if isinstance(part, tuple) else (part,)
        where = next((each for each in how if isinstance(each, Qt.AlignmentFlag)), Qt.AlignmentFlag(0))
        stretch = next((each for each in how if not isinstance(each, Qt.AlignmentFlag)), int(thing is ...))
        if isinstance(thing, EllipsisType):
            box.addStretch(stretch)
        elif isinstance(thing, QLayout):
            box.addLayout(thing, stretch)
        else:
            box.addWidget(QLabel(thing) if isinstance(thing, str) else thing, stretch, where)


def held(layout: QLayout, name: str = "") -> QWidget:
    """Return a widget that contains a layout, for example to hide it; ``name`` is for the style sheet."""
    holder = QWidget()
    holder.setObjectName(name)
    holder.setLayout(layout)
    return holder


class Steady(QWidget):
    """A place for one widget, of the same size whatever the widget shows: its new text lays out nothing else."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.inside = inside
        self.setSizePolicy(inside.sizePolicy())
        inside.setParent(self)

    def sizeHint(self) -> QSize:
        return self.inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.inside.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.inside.setGeometry(self.rect())


def _filled(box: _Box, parts: tuple[Part, ...], on: QWidget | None, margins: _Margins, spacing: int | None) -> _Box:
    if on is not None:
        on.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    fill(box, *parts)
    return box
