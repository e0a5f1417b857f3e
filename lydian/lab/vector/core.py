"""Points, rectangles and flags under the names of ``PySide6.QtCore``, as far as the painters of views use them."""

from __future__ import annotations

import ctypes
import enum
import math
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = [
    "QLineF", "QPointF", "QPolygonF", "QRect", "QRectF", "QRegion", "QSizeF", "Qt", "Shiboken", "numbers_at",
]  # fmt: skip


class Qt:
    """The namespace of flags."""

    class AlignmentFlag(enum.IntFlag):
        AlignLeft = 0x1
        AlignRight = 0x2
        AlignHCenter = 0x4
        AlignTop = 0x20
        AlignBottom = 0x40
        AlignVCenter = 0x80
        AlignCenter = 0x84
        AlignBaseline = 0x100

    class TextFlag(enum.IntFlag):
        TextSingleLine = 0x100
        TextWordWrap = 0x1000

    class TextElideMode(enum.Enum):
        ElideLeft = 0
        ElideRight = 1

    class PenStyle(enum.Enum):
        NoPen = 0
        SolidLine = 1
        DashLine = 2
        CustomDashLine = 6

    class PenCapStyle(enum.Enum):
        FlatCap = "butt"
        SquareCap = "square"
        RoundCap = "round"

    class PenJoinStyle(enum.Enum):
        MiterJoin = "miter"
        BevelJoin = "bevel"
        RoundJoin = "round"

    class BrushStyle(enum.Enum):
        NoBrush = 0

    class GlobalColor(enum.Enum):
        black = "#000000"
        transparent = "#00000000"

    class ClipOperation(enum.Enum):
        ReplaceClip = 1
        IntersectClip = 2

    class AspectRatioMode(enum.Enum):
        IgnoreAspectRatio = 0

    class TransformationMode(enum.Enum):
        SmoothTransformation = 1


class QPointF:
    __slots__ = ("_x", "_y")

    def __init__(self, x: Any = 0.0, y: float = 0.0) -> None:
        if isinstance(x, QPointF):
            x, y = x.x(), x.y()
        self._x: float = float(x)
        self._y: float = float(y)

    def x(self) -> float:
        return self._x

    def y(self) -> float:
        return self._y

    def __add__(self, other: QPointF) -> QPointF:
        return QPointF(self._x + other._x, self._y + other._y)

    def __sub__(self, other: QPointF) -> QPointF:
        return QPointF(self._x - other._x, self._y - other._y)

    def __mul__(self, by: float) -> QPointF:
        return QPointF(self._x * by, self._y * by)

    __rmul__ = __mul__

    def __truediv__(self, by: float) -> QPointF:
        return QPointF(self._x / by, self._y / by)

    def __neg__(self) -> QPointF:
        return QPointF(-self._x, -self._y)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QPointF) and (self._x, self._y) == (other._x, other._y)

    def __hash__(self) -> int:
        return hash((self._x, self._y))


class QSizeF:
    __slots__ = ("_h", "_w")

    def __init__(self, w: float = 0.0, h: float = 0.0) -> None:
        self._w, self._h = float(w), float(h)

    def width(self) -> float:
        return self._w

    def height(self) -> float:
        return self._h


class QRectF:
    __slots__ = ("_h", "_w", "_x", "_y")

    def __init__(self, *given: Any) -> None:
        if len(given) == 1:
            given = given[0].getRect()
        elif len(given) == 2:
            at, other = given
            corner = isinstance(other, QPointF)
            size = (other.x() - at.x(), other.y() - at.y()) if corner else (other.width(), other.height())
            given = (at.x(), at.y(), *size)
        elif not given:
            given = (0.0, 0.0, 0.0, 0.0)
        self._x, self._y, self._w, self._h = map(float, given)

    def x(self) -> float:
        return self._x

    def y(self) -> float:
        return self._y

    def width(self) -> float:
        return self._w

    def height(self) -> float:
        return self._h

    left, top = x, y

    def right(self) -> float:
        return self._x + self._w

    def bottom(self) -> float:
        return self._y + self._h

    def getRect(self) -> tuple[float, float, float, float]:
        return self._x, self._y, self._w, self._h

    def center(self) -> QPointF:
        return QPointF(self._x + self._w / 2, self._y + self._h / 2)

    def topLeft(self) -> QPointF:
        return QPointF(self._x, self._y)

    def topRight(self) -> QPointF:
        return QPointF(self.right(), self._y)

    def bottomLeft(self) -> QPointF:
        return QPointF(self._x, self.bottom())

    def bottomRight(self) -> QPointF:
        return QPointF(self.right(), self.bottom())

    def size(self) -> QSizeF:
        return QSizeF(self._w, self._h)

    def setLeft(self, x: float) -> None:
        self._w, self._x = self.right() - x, float(x)

    def setTop(self, y: float) -> None:
        self._h, self._y = self.bottom() - y, float(y)

    def setRight(self, x: float) -> None:
        self._w = x - self._x

    def setBottom(self, y: float) -> None:
        self._h = y - self._y

    def setWidth(self, w: float) -> None:
        self._w = float(w)

    def moveLeft(self, x: float) -> None:
        self._x = float(x)

    def moveTop(self, y: float) -> None:
        self._y = float(y)

    def moveRight(self, x: float) -> None:
        self._x = x - self._w

    def moveBottom(self, y: float) -> None:
        self._y = y - self._h

    def moveTo(self, *at: Any) -> None:
        place = QPointF(*at)
        self._x, self._y = place.x(), place.y()

    def moveTopRight(self, at: QPointF) -> None:
        self._x, self._y = at.x() - self._w, at.y()

    def moveBottomRight(self, at: QPointF) -> None:
        self._x, self._y = at.x() - self._w, at.y() - self._h

    def moveCenter(self, at: QPointF) -> None:
        self._x, self._y = at.x() - self._w / 2, at.y() - self._h / 2

    def adjusted(self, left: float, top: float, right: float, bottom: float) -> QRectF:
        return QRectF(self._x + left, self._y + top, self._w - left + right, self._h - top + bottom)

    def translated(self, *by: Any) -> QRectF:
        way = QPointF(*by)
        return QRectF(self._x + way.x(), self._y + way.y(), self._w, self._h)

    def isEmpty(self) -> bool:
        return self._w <= 0 or self._h <= 0

    def isNull(self) -> bool:
        return self._w == 0 and self._h == 0

    def contains(self, what: Any, y: float | None = None) -> bool:
        if isinstance(what, QRectF):
            return (
                self._x <= what._x and self._y <= what._y and what.right() <= self.right()
                and what.bottom() <= self.bottom()
            )  # fmt: skip
        x, y = (what, y) if y is not None else (what.x(), what.y())
        return bool(self._x <= x <= self.right() and self._y <= y <= self.bottom())

    def intersects(self, other: QRectF) -> bool:
        return not self.intersected(other).isEmpty()

    def intersected(self, other: QRectF) -> QRectF:
        left, top = max(self._x, other._x), max(self._y, other._y)
        right, bottom = min(self.right(), other.right()), min(self.bottom(), other.bottom())
        return QRectF(left, top, right - left, bottom - top) if right > left and bottom > top else QRectF()

    def united(self, other: QRectF) -> QRectF:
        if self.isNull() or other.isNull():
            return QRectF(other if self.isNull() else self)
        left, top = min(self._x, other._x), min(self._y, other._y)
        return QRectF(left, top, max(self.right(), other.right()) - left, max(self.bottom(), other.bottom()) - top)

    __and__, __or__ = intersected, united

    def toRect(self) -> QRect:
        left, top = round(self._x), round(self._y)
        return QRect(left, top, round(self.right()) - left, round(self.bottom()) - top)

    def toAlignedRect(self) -> QRect:
        left, top = math.floor(self._x), math.floor(self._y)
        return QRect(left, top, math.ceil(self.right()) - left, math.ceil(self.bottom()) - top)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QRectF) and self.getRect() == other.getRect()

    def __hash__(self) -> int:
        return hash(self.getRect())

    def __repr__(self) -> str:
        return f"QRectF{self.getRect()}"


class QRect(QRectF):
    """A rectangle of whole numbers; unlike Qt's, its right edge is ``x + width``."""

    __slots__ = ()

    def toRectF(self) -> QRectF:
        return QRectF(self)


class QLineF:
    __slots__ = ("_a", "_b")

    def __init__(self, *given: Any) -> None:
        points = [(each.x(), each.y()) for each in given] if len(given) == 2 else [given[:2], given[2:]]
        self._a, self._b = (QPointF(*each) for each in points)

    def p1(self) -> QPointF:
        return self._a

    def p2(self) -> QPointF:
        return self._b

    def dx(self) -> float:
        return self._b.x() - self._a.x()

    def dy(self) -> float:
        return self._b.y() - self._a.y()

    def length(self) -> float:
        return math.hypot(self.dx(), self.dy())


class QPolygonF(list[QPointF]):
    """The corners of a polygon."""

    def boundingRect(self) -> QRectF:
        xs, ys = [each.x() for each in self], [each.y() for each in self]
        return QRectF(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)) if self else QRectF()


class QRegion:
    """An area of rectangles that do not overlap."""

    def __init__(self, rect: QRectF | QRegion | None = None) -> None:
        self.rects: list[QRectF] = list(rect.rects) if isinstance(rect, QRegion) else [] if rect is None else [rect]

    def __iter__(self) -> Iterator[QRectF]:
        return iter(self.rects)

    def __add__(self, other: QRegion) -> QRegion:
        found = self - other
        found.rects += other.rects
        return found

    def __sub__(self, other: QRegion) -> QRegion:
        found = QRegion(self)
        for hole in other.rects:
            found.rects = [part for rect in found.rects for part in _without(rect, hole)]
        return found

    def isEmpty(self) -> bool:
        return not self.rects


def _without(rect: QRectF, hole: QRectF) -> Iterable[QRectF]:
    """Return the parts of a rectangle outside another one."""
    cut = rect.intersected(hole)
    if cut.isEmpty():
        return [rect]
    x, y, w, _ = rect.getRect()
    parts = (
        QRectF(x, y, w, cut.top() - y),
        QRectF(x, cut.bottom(), w, rect.bottom() - cut.bottom()),
        QRectF(x, cut.top(), cut.left() - x, cut.height()),
        QRectF(cut.right(), cut.top(), rect.right() - cut.right(), cut.height()),
    )
    return [each for each in parts if not each.isEmpty()]


class _Rows:
    """Rows of numbers in the memory of an array, which a call is about to read."""

    def __init__(self, address: int) -> None:
        self.address = address


class Shiboken:
    """The door through which painters hand arrays to the drawing calls."""

    @staticmethod
    def wrapInstance(address: int, kind: type[Any]) -> _Rows:
        return _Rows(address)


def numbers_at(rows: _Rows, count: int, width: int) -> list[list[float]]:
    """Return the rows that a wrapped address means."""
    flat = (ctypes.c_double * (count * width)).from_address(rows.address)
    return [list(flat[i * width : (i + 1) * width]) for i in range(count)]
