"""A painter that writes SVG, under the names of ``PySide6.QtGui``, as far as the painters of views use them.

A painter collects elements; a pixmap is a group of elements. Lengths have two decimals.
"""

from __future__ import annotations

import base64
import enum
import html
import math
import struct
import zlib
from collections.abc import Sequence
from typing import Any

from lydian.lab.vector.core import QPointF, QPolygonF, QRect, QRectF, QRegion, Qt, numbers_at
from lydian.lab.vector.fonts import Face, face

__all__ = [
    "QBrush", "QColor", "QFont", "QFontDatabase", "QFontMetricsF", "QImage", "QPaintEngine", "QPainter", "QPainterPath",
    "QPainterPathStroker", "QPalette", "QPen", "QPixmap", "QPolygonF", "QRadialGradient", "QRegion", "QTransform",
    "Sheet",
]  # fmt: skip


def num(value: float) -> str:
    """Return a length as short as possible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


# ---------------------------------------------------------------------- colours, pens, brushes


class QColor:
    def __init__(self, *given: Any) -> None:
        first = given[0] if given else "#000000"
        if isinstance(first, QColor):
            self._rgba: list[float] = list(first._rgba)
        elif isinstance(first, Qt.GlobalColor | str):
            text = str(first.value if isinstance(first, Qt.GlobalColor) else first)
            parts = [int(text[i : i + 2], 16) for i in range(1, len(text), 2)]
            self._rgba = [*parts[:3], (parts[3] if len(parts) > 3 else 255) / 255]
        else:
            self._rgba = [*map(float, given[:3]), (given[3] if len(given) > 3 else 255) / 255]

    @staticmethod
    def fromRgbF(r: float, g: float, b: float, a: float = 1.0) -> QColor:
        found = QColor()
        found._rgba = [255 * r, 255 * g, 255 * b, a]
        return found

    @staticmethod
    def fromRgba(rgba: int) -> QColor:
        return QColor(rgba >> 16 & 255, rgba >> 8 & 255, rgba & 255, rgba >> 24 & 255)

    def red(self) -> int:
        return round(self._rgba[0])

    def green(self) -> int:
        return round(self._rgba[1])

    def blue(self) -> int:
        return round(self._rgba[2])

    def alpha(self) -> int:
        return round(255 * self._rgba[3])

    def redF(self) -> float:
        return self._rgba[0] / 255

    def greenF(self) -> float:
        return self._rgba[1] / 255

    def blueF(self) -> float:
        return self._rgba[2] / 255

    def alphaF(self) -> float:
        return self._rgba[3]

    def setAlphaF(self, a: float) -> None:
        self._rgba[3] = min(max(float(a), 0.0), 1.0)

    def setAlpha(self, a: int) -> None:
        self._rgba[3] = a / 255

    def name(self) -> str:
        return f"#{self.red():02x}{self.green():02x}{self.blue():02x}"

    def rgba(self) -> int:
        return self.alpha() << 24 | self.red() << 16 | self.green() << 8 | self.blue()

    def rgb(self) -> int:
        return 255 << 24 | self.red() << 16 | self.green() << 8 | self.blue()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QColor) and self.rgba() == other.rgba()

    def __hash__(self) -> int:
        return hash(self.rgba())


class QRadialGradient:
    def __init__(self, middle: QPointF, radius: float) -> None:
        self._middle, self._radius = QPointF(middle), float(radius)
        self._stops: list[tuple[float, QColor]] = []

    def setColorAt(self, at: float, color: Any) -> None:
        self._stops.append((float(at), QColor(color)))

    def svg(self) -> str:
        """Return the definition, with a place for its name."""
        x, y, r = (num(each) for each in (self._middle.x(), self._middle.y(), self._radius))
        stops = "".join(
            f'<stop offset="{num(at)}" stop-color="{color.name()}" stop-opacity="{num(color.alphaF())}"/>'
            for at, color in self._stops
        )
        units = 'gradientUnits="userSpaceOnUse"'
        return f'<radialGradient id="{{id}}" cx="{x}" cy="{y}" r="{r}" {units}>{stops}</radialGradient>'


class QBrush:
    def __init__(self, of: Any = None) -> None:
        self.pixmap: QPixmap | None = of if isinstance(of, QPixmap) else None
        self.gradient: QRadialGradient | None = of if isinstance(of, QRadialGradient) else None
        self._color: QColor | None = QColor(of) if isinstance(of, QColor | Qt.GlobalColor) else None
        if isinstance(of, QBrush):
            self.pixmap, self.gradient, self._color = of.pixmap, of.gradient, of._color

    def color(self) -> QColor:
        return QColor(self._color or "#000000")


class QPen:
    def __init__(
        self, color: Any = None, width: float = 1.0, style: Any = Qt.PenStyle.SolidLine,
        cap: Qt.PenCapStyle = Qt.PenCapStyle.SquareCap, join: Qt.PenJoinStyle = Qt.PenJoinStyle.BevelJoin,
    ) -> None:  # fmt: skip
        if isinstance(color, QPen):
            self.__dict__.update(color.__dict__)
            return
        if isinstance(color, Qt.PenStyle):
            color, style = None, color
        self._color = color.color() if isinstance(color, QBrush) else QColor("#000000" if color is None else color)
        self._width, self._style, self._cap, self._join = float(width), style, cap, join
        self._dash: list[float] = [4, 2] if style == Qt.PenStyle.DashLine else []
        self._offset = 0.0

    def color(self) -> QColor:
        return QColor(self._color)

    def setColor(self, color: Any) -> None:
        self._color = QColor(color)

    def widthF(self) -> float:
        return self._width

    def style(self) -> Qt.PenStyle:
        return self._style  # type: ignore[no-any-return]

    def setStyle(self, style: Qt.PenStyle) -> None:
        self._style = style

    def setDashPattern(self, dash: Sequence[float]) -> None:
        self._dash, self._style = [float(each) for each in dash], Qt.PenStyle.CustomDashLine

    def setDashOffset(self, offset: float) -> None:
        self._offset = float(offset)

    def setCapStyle(self, cap: Qt.PenCapStyle) -> None:
        self._cap = cap

    def setJoinStyle(self, join: Qt.PenJoinStyle) -> None:
        self._join = join

    def svg(self) -> str:
        """Return the attributes of a stroke; empty if there is none."""
        if self._style == Qt.PenStyle.NoPen or self._color.alphaF() == 0:
            return ""
        wide = self._width or 1.0
        found = f' stroke="{self._color.name()}"'
        if self._color.alphaF() < 1:
            found += f' stroke-opacity="{num(self._color.alphaF())}"'
        if wide != 1:
            found += f' stroke-width="{num(wide)}"'
        if self._dash:
            found += f' stroke-dasharray="{" ".join(num(each * wide) for each in self._dash)}"'
            if self._offset:
                found += f' stroke-dashoffset="{num(self._offset * wide)}"'
        if self._cap != Qt.PenCapStyle.FlatCap:
            found += f' stroke-linecap="{self._cap.value}"'
        return found + f' stroke-linejoin="{self._join.value}"'


# ---------------------------------------------------------------------- text


class QFont:
    class StyleHint(enum.Enum):
        Monospace = 7

    class Weight(enum.IntEnum):
        Normal = 400
        Medium = 500
        DemiBold = 600
        Bold = 700

    def __init__(self, family: Any = "Inter") -> None:
        if isinstance(family, QFont):
            self.__dict__.update(family.__dict__)
            return
        self._family, self._px, self._weight = str(family), 12, 400

    def family(self) -> str:
        return self._family

    def setStyleHint(self, hint: object) -> None:
        """Do nothing: the families are known."""

    def pixelSize(self) -> int:
        return self._px

    def setPixelSize(self, px: float) -> None:
        self._px = max(1, int(px))

    def setWeight(self, weight: int) -> None:
        self._weight = int(weight)

    def key(self) -> str:
        return f"{self._family},{self._px},{self._weight}"

    @property
    def face(self) -> Face:
        return face(self._family.startswith("JetBrains"), self._weight)

    def svg(self) -> str:
        mono = self._family.startswith("JetBrains")
        found = f' class="{"m" if mono else "t"}" font-size="{self._px}"'
        if self._weight != 400:
            found += f' font-weight="{self._weight}"'
        return found


class QFontMetricsF:
    def __init__(self, font: QFont) -> None:
        self._face, self._px = font.face, font.pixelSize()

    def horizontalAdvance(self, text: str) -> float:
        return self._face.width(text) * self._px

    def ascent(self) -> float:
        return self._face.ascent * self._px

    def descent(self) -> float:
        return self._face.descent * self._px

    def height(self) -> float:
        return self.ascent() + self.descent()

    def capHeight(self) -> float:
        return self._face.cap * self._px

    def elidedText(self, text: str, mode: Qt.TextElideMode, width: float) -> str:
        if self.horizontalAdvance(text) <= width:
            return text
        for keep in range(len(text) - 1, 0, -1):
            left = mode == Qt.TextElideMode.ElideLeft
            short = f"…{text[len(text) - keep :]}" if left else f"{text[:keep].rstrip()}…"
            if self.horizontalAdvance(short) <= width:
                return short
        return "…" if self.horizontalAdvance("…") <= width else ""


class QFontDatabase:
    class SystemFont(enum.Enum):
        GeneralFont = 0
        FixedFont = 1

    _files: tuple[str, ...] = ()

    @classmethod
    def addApplicationFont(cls, file: str) -> int:
        cls._files = (*cls._files, file)
        return len(cls._files) - 1

    @classmethod
    def applicationFontFamilies(cls, number: int) -> list[str]:
        return ["JetBrains Mono" if "JetBrains" in cls._files[number] else "Inter"]

    @classmethod
    def systemFont(cls, usual: object) -> QFont:
        return QFont("Inter")


# ---------------------------------------------------------------------- paths


class QPainterPath:
    def __init__(self, at: Any = None) -> None:
        self.parts: list[str] = []
        self.texts: list[tuple[QPointF, QFont, str]] = []
        self.rim = 0.0
        self.rule, self.joined = "evenodd", False
        self._at, self._first, self._way, self._open = QPointF(), QPointF(), QPointF(1, 0), False
        self._moved = False
        if isinstance(at, QPainterPath):
            self.__dict__.update(at.__dict__ | {"parts": list(at.parts), "texts": list(at.texts)})
        elif at is not None:
            self.moveTo(at)

    def isEmpty(self) -> bool:
        return not self.parts and not self.texts

    def moveTo(self, *at: Any) -> None:
        self._at = self._first = QPointF(*at)
        self._open, self._moved = False, True

    def _begin(self) -> None:
        if not self._open:
            self.parts.append(f"M{num(self._at.x())} {num(self._at.y())}")
            self._open = True

    def lineTo(self, *to: Any) -> None:
        self._begin()
        there = QPointF(*to)
        self._way, self._at = there - self._at, there
        self.parts.append(f"L{num(there.x())} {num(there.y())}")

    def quadTo(self, *given: Any) -> None:
        self._begin()
        by, there = _points(given)
        self._way, self._at = there - by, there
        self.parts.append(f"Q{num(by.x())} {num(by.y())} {num(there.x())} {num(there.y())}")

    def cubicTo(self, *given: Any) -> None:
        self._begin()
        one, two, there = _points(given)
        self._way, self._at = there - two, there
        self.parts.append("C" + " ".join(f"{num(p.x())} {num(p.y())}" for p in (one, two, there)))

    def arcMoveTo(self, box: QRectF, angle: float) -> None:
        self.moveTo(_on(box, angle))

    def arcTo(self, *given: Any) -> None:
        box, first, sweep = given if len(given) == 3 else (QRectF(*given[:4]), given[4], given[5])
        start = _on(box, first)
        if self._moved or self.parts:
            self.lineTo(start)
        else:
            self.moveTo(start)
            self._begin()
        steps = max(1, math.ceil(abs(sweep) / 120))
        for i in range(1, steps + 1):
            there = _on(box, first + sweep * i / steps)
            turn = 0 if sweep > 0 else 1
            radii = f"{num(box.width() / 2)} {num(box.height() / 2)}"
            self.parts.append(f"A{radii} 0 0 {turn} {num(there.x())} {num(there.y())}")
            self._at = there
        angle = math.radians(first + sweep)
        sign = 1 if sweep > 0 else -1
        self._way = QPointF(-sign * math.sin(angle) * box.width() / 2, -sign * math.cos(angle) * box.height() / 2)

    def closeSubpath(self) -> None:
        if self._open:
            self.parts.append("Z")
            self._at, self._open = self._first, False

    def addRect(self, *given: Any) -> None:
        self.parts.append(_rect(QRectF(*given)))

    def addEllipse(self, *given: Any) -> None:
        self.parts.append(_ellipse(_box(given)))

    def addRoundedRect(self, *given: Any) -> None:
        box, rx, ry = given[:3] if isinstance(given[0], QRectF) else (QRectF(*given[:4]), given[4], given[5])
        self.parts.append(_rounded(box, rx, ry))

    def addPolygon(self, polygon: Sequence[QPointF]) -> None:
        for i, each in enumerate(polygon):
            if i:
                self.lineTo(each)
            else:
                self.moveTo(each)

    def addPath(self, other: QPainterPath) -> None:
        self.parts += other.parts
        self.texts += other.texts

    def addText(self, *given: Any) -> None:
        at, font, text = given if len(given) == 3 else (QPointF(*given[:2]), given[2], given[3])
        self.texts.append((QPointF(at), QFont(font), text))

    def united(self, other: QPainterPath) -> QPainterPath:
        found = QPainterPath(self)
        found.addPath(other)
        found.rule, found.joined = "nonzero", True
        return found

    def simplified(self) -> QPainterPath:
        return self

    def currentPosition(self) -> QPointF:
        return QPointF(self._at)

    def angleAtPercent(self, share: float) -> float:
        """Return the direction at the end, in degrees, counter-clockwise; the only place that painters ask for."""
        return math.degrees(math.atan2(-self._way.y(), self._way.x())) % 360

    @property
    def d(self) -> str:
        return "".join(self.parts)


class QPainterPathStroker:
    def __init__(self) -> None:
        self._width = 1.0

    def setWidth(self, width: float) -> None:
        self._width = width

    def setJoinStyle(self, join: object) -> None:
        """Do nothing: a rim has round corners."""

    setCapStyle = setJoinStyle

    def createStroke(self, path: QPainterPath) -> QPainterPath:
        """Return the path with the width of its rim, which is filled with it."""
        found = QPainterPath(path)
        found.rim = self._width
        return found


def _points(given: Sequence[Any]) -> list[QPointF]:
    if isinstance(given[0], QPointF):
        return list(given)
    return [QPointF(given[i], given[i + 1]) for i in range(0, len(given), 2)]


def _on(box: QRectF, angle: float) -> QPointF:
    turn, middle = math.radians(angle), box.center()
    return QPointF(middle.x() + math.cos(turn) * box.width() / 2, middle.y() - math.sin(turn) * box.height() / 2)


def _box(given: Sequence[Any]) -> QRectF:
    """Return the box of an ellipse, which is given by itself or by its middle and its radii."""
    if isinstance(given[0], QPointF):
        at, rx, ry = given
        return QRectF(at.x() - rx, at.y() - ry, 2 * rx, 2 * ry)
    return QRectF(*given)


def _rect(box: QRectF) -> str:
    x, y, w, h = box.getRect()
    return f"M{num(x)} {num(y)}h{num(w)}v{num(h)}h{num(-w)}z"


def _ellipse(box: QRectF) -> str:
    x, y, w, h = box.getRect()
    rx, ry = num(w / 2), num(h / 2)
    return f"M{num(x)} {num(y + h / 2)}a{rx} {ry} 0 1 0 {num(w)} 0a{rx} {ry} 0 1 0 {num(-w)} 0z"


def _rounded(box: QRectF, rx: float, ry: float) -> str:
    x, y, w, h = box.getRect()
    rx, ry = min(rx, abs(w) / 2), min(ry, abs(h) / 2)
    a, b = f"a{num(rx)} {num(ry)} 0 0 1 ", (num(rx), num(ry))
    return (
        f"M{num(x + rx)} {num(y)}h{num(w - 2 * rx)}{a}{b[0]} {b[1]}v{num(h - 2 * ry)}{a}-{b[0]} {b[1]}"
        f"h{num(2 * rx - w)}{a}-{b[0]} -{b[1]}v{num(2 * ry - h)}{a}{b[0]} -{b[1]}z"
    )


# ---------------------------------------------------------------------- pictures


class QTransform:
    """The matrix (a, b, c, d, e, f) of SVG."""

    def __init__(self, *matrix: float) -> None:
        self.matrix = tuple(map(float, matrix)) if matrix else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

    def m11(self) -> float:
        return self.matrix[0]

    def m22(self) -> float:
        return self.matrix[3]

    def times(self, *inner: float) -> QTransform:
        """Return the transform that first does ``inner``."""
        a, b, c, d, e, f = self.matrix
        g, h, i, j, k, m = inner
        turned = (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j)
        return QTransform(*turned, a * k + c * m + e, b * k + d * m + f)

    def map(self, at: QPointF) -> QPointF:
        a, b, c, d, e, f = self.matrix
        return QPointF(a * at.x() + c * at.y() + e, b * at.x() + d * at.y() + f)

    def mapRect(self, rect: QRectF) -> QRectF:
        corners = [self.map(each) for each in (rect.topLeft(), rect.topRight(), rect.bottomLeft(), rect.bottomRight())]
        return QPolygonF(corners).boundingRect()

    def svg(self) -> str:
        a, b, c, d, e, f = self.matrix
        if (a, b, c, d) == (1, 0, 0, 1):
            return "" if (e, f) == (0, 0) else f' transform="translate({num(e)} {num(f)})"'
        parts = " ".join(f"{each:.4f}".rstrip("0").rstrip(".") for each in (a, b, c, d))
        return f' transform="matrix({parts} {num(e)} {num(f)})"'


class QPaintEngine:
    class Type(enum.Enum):
        Raster = 0
        OpenGL2 = 1
        SVG = 2

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.SVG


class Sheet:
    """What a painter draws on: elements, and the definitions that they refer to.

    Args:
        prefix: the beginning of the names of definitions, which must differ between pictures on one page.
    """

    ratio = 1.0

    def __init__(self, prefix: str = "") -> None:
        self.elements: list[str] = []
        self.prefix = prefix
        self.defs: dict[str, str] = {}

    def devicePixelRatioF(self) -> float:
        return self.ratio

    def define(self, body: str) -> str:
        """Return the name of a definition, whose text has ``{id}`` in place of it."""
        if body not in self.defs:
            self.defs[body] = f"{self.prefix}{len(self.defs)}"
        return self.defs[body]

    def definitions(self) -> str:
        return "".join(body.replace("{id}", name, 1) for body, name in self.defs.items())


class QPixmap:
    """A group of elements; painters draw on it as on a sheet."""

    def __init__(self, *given: Any) -> None:
        if given and isinstance(given[0], QPixmap):
            self.__dict__.update(given[0].__dict__ | {"elements": list(given[0].elements)})
            return
        self._w, self._h = given if given else (0, 0)
        self.elements: list[str] = []
        self.ratio = 1.0

    def width(self) -> int:
        return int(self._w)

    def height(self) -> int:
        return int(self._h)

    def rect(self) -> QRect:
        return QRect(0, 0, self._w, self._h)

    def setDevicePixelRatio(self, ratio: float) -> None:
        self.ratio = float(ratio)

    def devicePixelRatioF(self) -> float:
        return self.ratio

    def fill(self, color: Any) -> None:
        ink = QColor(color)
        box = QRectF(0, 0, self._w / self.ratio, self._h / self.ratio)
        self.elements = [] if ink.alphaF() == 0 else [f'<path d="{_rect(box)}"{_filled(ink)}/>']


class QImage:
    class Format(enum.Enum):
        Format_RGB32 = 4
        Format_ARGB32 = 5
        Format_ARGB32_Premultiplied = 6
        Format_Indexed8 = 3

    def __init__(self, *given: Any) -> None:
        self._table: list[int] = []
        if len(given) == 3:
            self._w, self._h, self._format = given
            self._data, self._wide = bytes(4 * self._w * self._h), 4 * self._w
            return
        data, self._w, self._h, self._wide, self._format = given
        self._data = bytes(data)

    def width(self) -> int:
        return int(self._w)

    def height(self) -> int:
        return int(self._h)

    def constBits(self) -> bytes:
        return self._data

    def fill(self, color: object) -> None:
        """Do nothing: an image without data is transparent."""

    def setColorTable(self, table: list[int]) -> None:
        self._table = table

    def convertToFormat(self, form: object) -> QImage:
        return self

    def scaled(self, *size: object) -> QImage:
        """Return the image as it is: the program that shows the picture scales it."""
        return self

    def uri(self) -> str:
        """Return the image as the address of a PNG file that contains it."""
        import numpy as np

        flat = np.frombuffer(self._data, dtype=np.uint8)[: self._h * self._wide].reshape(self._h, self._wide)
        if self._format == QImage.Format.Format_Indexed8:
            table = np.array([*self._table, *[0] * (256 - len(self._table))], dtype=np.uint32)
            packed = table[flat[:, : self._w]]
        else:
            packed = np.ascontiguousarray(flat[:, : 4 * self._w]).view("<u4")
        pixels = np.stack([packed >> shift & 255 for shift in (16, 8, 0, 24)], axis=-1).astype(np.uint8)
        if self._format == QImage.Format.Format_RGB32:
            pixels[..., 3] = 255
        elif self._format == QImage.Format.Format_ARGB32_Premultiplied:
            share = np.maximum(pixels[..., 3:].astype(np.float64), 1.0) / 255
            pixels[..., :3] = np.minimum(pixels[..., :3] / share + 0.5, 255).astype(np.uint8)
        rows = b"".join(b"\0" + row.tobytes() for row in pixels)

        def chunk(kind: bytes, body: bytes) -> bytes:
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        head = struct.pack(">IIBBBBB", self._w, self._h, 8, 6, 0, 0, 0)
        png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b"")
        return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _filled(color: QColor) -> str:
    """Return the attributes of a filling."""
    found = f' fill="{color.name()}"'
    return found if color.alphaF() == 1 else found + f' fill-opacity="{num(color.alphaF())}"'


# ---------------------------------------------------------------------- the painter


class _State:
    def __init__(self) -> None:
        self.pen, self.brush, self.font = QPen(), QBrush(), QFont()
        self.opacity, self.clip, self.smooth = 1.0, "", False
        self.transform = QTransform()
        self.origin = QPointF()

    def copy(self) -> _State:
        other = _State()
        other.__dict__.update(self.__dict__)
        return other


class QPainter:
    class RenderHint(enum.IntFlag):
        Antialiasing = 1
        SmoothPixmapTransform = 4

    class CompositionMode(enum.Enum):
        CompositionMode_SourceOver = 0
        CompositionMode_Source = 1

    #: The sheet of the picture that is being drawn; pixmaps put their definitions there.
    sheet = Sheet()

    def __init__(self, on: Any = None) -> None:
        self._on: Any = on
        if isinstance(on, Sheet):
            QPainter.sheet = on
        self._state = _State()
        self._states: list[_State] = []

    def end(self) -> None:
        """Do nothing: what was drawn is there already."""

    def device(self) -> Any:
        return self._on

    def paintEngine(self) -> QPaintEngine:
        return QPaintEngine()

    # ------------------------------------------------------------------ state

    def save(self) -> None:
        self._states.append(self._state.copy())

    def restore(self) -> None:
        self._state = self._states.pop()

    def setPen(self, pen: Any) -> None:
        self._state.pen = pen if isinstance(pen, QPen) else QPen(pen)

    def setBrush(self, brush: Any) -> None:
        self._state.brush = brush if isinstance(brush, QBrush) else QBrush(brush)

    def setFont(self, font: QFont) -> None:
        self._state.font = QFont(font)

    def pen(self) -> QPen:
        return QPen(self._state.pen)

    def font(self) -> QFont:
        return QFont(self._state.font)

    def fontMetrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._state.font)

    def opacity(self) -> float:
        return self._state.opacity

    def setOpacity(self, opacity: float) -> None:
        self._state.opacity = min(max(float(opacity), 0.0), 1.0)

    def setRenderHint(self, hint: QPainter.RenderHint, on: bool = True) -> None:
        if hint & QPainter.RenderHint.SmoothPixmapTransform:
            self._state.smooth = on

    def renderHints(self) -> QPainter.RenderHint:
        return QPainter.RenderHint.Antialiasing

    def setCompositionMode(self, mode: object) -> None:
        """Do nothing: everything is drawn over what is there."""

    def setBrushOrigin(self, *at: Any) -> None:
        self._state.origin = QPointF(*at)

    def translate(self, *by: Any) -> None:
        way = QPointF(*by)
        self._state.transform = self._state.transform.times(1, 0, 0, 1, way.x(), way.y())

    def rotate(self, degrees: float) -> None:
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        self._state.transform = self._state.transform.times(c, s, -s, c, 0, 0)

    def scale(self, x: float, y: float) -> None:
        self._state.transform = self._state.transform.times(x, 0, 0, y, 0, 0)

    def worldTransform(self) -> QTransform:
        return self._state.transform

    deviceTransform = worldTransform

    def setClipRect(self, *given: Any) -> None:
        operation = given[-1] if isinstance(given[-1], Qt.ClipOperation) else Qt.ClipOperation.ReplaceClip
        self._clip(_rect(QRectF(*(each for each in given if each is not operation))), operation)

    def setClipRegion(self, region: QRegion, operation: Qt.ClipOperation = Qt.ClipOperation.ReplaceClip) -> None:
        self._clip("".join(map(_rect, region)), operation)

    def setClipPath(self, path: QPainterPath, operation: Qt.ClipOperation = Qt.ClipOperation.ReplaceClip) -> None:
        self._clip(path.d, operation)

    def _clip(self, d: str, operation: Qt.ClipOperation) -> None:
        inner = self._state.clip if operation == Qt.ClipOperation.IntersectClip else ""
        shape = f'<path d="{d}" clip-rule="evenodd"{self._state.transform.svg()}/>'
        self._state.clip = self.sheet.define(f'<clipPath id="{{id}}"{_clipped(inner)}>{shape}</clipPath>')

    # ------------------------------------------------------------------ elements

    def _put(
        self, tag: str, attributes: str, inner: str = "", at: QTransform | None = None, opacity: float = 1.0
    ) -> None:
        state = self._state
        opacity *= state.opacity
        if opacity <= 0:
            return
        faint = "" if opacity >= 1 else f' opacity="{num(opacity)}"'
        close = f">{inner}</{tag}>" if inner else "/>"
        made = f"<{tag}{attributes}{faint}{(at or state.transform).svg()}{close}"
        elements, clip = self._on.elements, _clipped(state.clip)
        if not clip:
            elements.append(made)
        elif elements and elements[-1].startswith(f"<g{clip}>"):
            elements[-1] = elements[-1][:-4] + made + "</g>"
        else:
            elements.append(f"<g{clip}>{made}</g>")

    def _fill(self, brush: Any = None) -> str:
        """Return the attributes of the filling."""
        given = self._state.brush if brush is None else brush if isinstance(brush, QBrush) else QBrush(brush)
        if given.pixmap is not None:
            side = num(given.pixmap.width() / given.pixmap.ratio)
            inner, at = "".join(given.pixmap.elements), self._state.origin
            name = self.sheet.define(
                f'<pattern id="{{id}}" x="{num(at.x())}" y="{num(at.y())}" width="{side}" height="{side}" '
                f'patternUnits="userSpaceOnUse">{inner}</pattern>'
            )
            return f' fill="url(#{name})"'
        if given.gradient is not None:
            return f' fill="url(#{self.sheet.define(given.gradient.svg())})"'
        if given._color is None or given._color.alphaF() == 0:
            return ' fill="none"'
        return _filled(given._color)

    def _draw(self, d: str, *, filled: bool = True, rule: str = "evenodd") -> None:
        fill, stroke = self._fill() if filled else ' fill="none"', self._state.pen.svg()
        if d and (stroke or fill != ' fill="none"'):
            self._put("path", f' d="{d}"{fill}{stroke}' + (f' fill-rule="{rule}"' if d.count("M") > 1 else ""))

    def drawLine(self, *given: Any) -> None:
        if len(given) == 1:
            given = (given[0].p1(), given[0].p2())
        a, b = _points(given)
        self._draw(_line(a.x(), a.y(), b.x(), b.y()), filled=False)

    def drawLines(self, lines: Any, count: int | None = None) -> None:
        if count is not None:
            ends = numbers_at(lines, count, 4)
        else:
            ends = [[each.p1().x(), each.p1().y(), each.p2().x(), each.p2().y()] for each in lines]
        self._draw("".join(_line(*each) for each in ends), filled=False)

    def drawRect(self, *given: Any) -> None:
        self._draw(_rect(QRectF(*given)))

    def drawRects(self, rects: Any, count: int | None = None) -> None:
        boxes = rects if count is None else [QRectF(*each) for each in numbers_at(rects, count, 4)]
        self._draw("".join(map(_rect, boxes)), rule="nonzero")

    def drawRoundedRect(self, *given: Any) -> None:
        box, rx, ry = given if len(given) == 3 else (QRectF(*given[:4]), given[4], given[5])
        self._draw(_rounded(box, rx, ry))

    def drawEllipse(self, *given: Any) -> None:
        self._draw(_ellipse(_box(given)))

    def drawPolygon(self, points: Sequence[QPointF], *_: Any) -> None:
        self._draw(_joined(points) + "z" if points else "")

    def drawPolyline(self, points: Sequence[QPointF]) -> None:
        self._draw(_joined(points), filled=False)

    def drawPoints(self, points: Sequence[QPointF]) -> None:
        self._draw("".join(f"M{num(each.x())} {num(each.y())}h0" for each in points), filled=False)

    def drawPoint(self, *at: Any) -> None:
        self.drawPoints([QPointF(*at)])

    def drawArc(self, box: QRectF, first: int, sweep: int) -> None:
        self._draw(_arc(box, first / 16, sweep / 16).d, filled=False)

    def drawPie(self, box: QRectF, first: int, sweep: int) -> None:
        if abs(sweep) >= 360 * 16:
            self.drawEllipse(box)
            return
        path = QPainterPath(box.center())
        path.lineTo(_on(box, first / 16))
        path.addPath(_arc(box, first / 16, sweep / 16, begun=True))
        self._draw(path.d + "Z")

    def drawPath(self, path: QPainterPath) -> None:
        self._draw(path.d, rule=path.rule)
        if path.joined:  # the outlines of the parts inside the whole are covered
            self.fillPath(path, self._state.brush)

    def strokePath(self, path: QPainterPath, pen: QPen) -> None:
        stroke = pen.svg()
        if path.parts and stroke:
            self._put("path", f' d="{path.d}" fill="none"{stroke}')
        for at, font, text in path.texts:
            if stroke:
                self._text(at, text, font, f' fill="none"{stroke}')

    def fillPath(self, path: QPainterPath, brush: Any) -> None:
        fill = self._fill(brush)
        if path.rim and fill != ' fill="none"':
            pen = QPen(brush, path.rim)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            fill += pen.svg()
        if path.parts:
            self._put("path", f' d="{path.d}"{fill} fill-rule="{path.rule}"')
        for at, font, text in path.texts:
            self._text(at, text, font, fill)

    def fillRect(self, *given: Any) -> None:
        self._put("path", f' d="{_rect(QRectF(*given[:-1]))}"{self._fill(given[-1])}')

    # ------------------------------------------------------------------ text

    def _text(self, at: QPointF, text: str, font: QFont, fill: str) -> None:
        if not text.strip():
            return
        wide = font.face.width(text) * font.pixelSize()
        exact = f' textLength="{num(wide)}"' if len(text) > 1 else ""
        shown = html.escape("".join(c if c.isprintable() else " " for c in text), quote=False)
        self._put("text", f' x="{num(at.x())}" y="{num(at.y())}"{font.svg()}{fill}{exact}', shown)

    def drawText(self, *given: Any) -> None:
        """Write a line at a point on its base line, or lines in a box with flags."""
        font, fill = self._state.font, _filled(self._state.pen.color())
        if self._state.pen.style() == Qt.PenStyle.NoPen:
            return
        if isinstance(given[0], QRectF):
            self._lines(given[0], int(given[1]), str(given[2]), font, fill)
            return
        at, text = given if len(given) == 2 else (QPointF(*given[:2]), given[2])
        self._text(at, str(text), font, fill)

    def _lines(self, box: QRectF, flags: int, text: str, font: QFont, fill: str) -> None:
        metrics = QFontMetricsF(font)
        lines = [text]
        if flags & Qt.TextFlag.TextWordWrap:
            lines = [line for part in text.split("\n") for line in _wrapped(part, metrics, box.width())]
        tall = metrics.height() * len(lines)
        top = box.top()
        if flags & Qt.AlignmentFlag.AlignVCenter:
            top += (box.height() - tall) / 2
        elif flags & Qt.AlignmentFlag.AlignBottom:
            top += box.height() - tall
        for i, line in enumerate(lines):
            wide, x = metrics.horizontalAdvance(line), box.left()
            if flags & Qt.AlignmentFlag.AlignHCenter:
                x += (box.width() - wide) / 2
            elif flags & Qt.AlignmentFlag.AlignRight:
                x += box.width() - wide
            self._text(QPointF(x, top + i * metrics.height() + metrics.ascent()), line, font, fill)

    # ------------------------------------------------------------------ pictures

    def drawPixmap(self, *given: Any) -> None:
        if isinstance(given[0], QRectF):  # the whole picture in a box
            box, pixmap = given[0], given[1]
        else:
            at, pixmap = given if len(given) == 2 else (QPointF(*given[:2]), given[2])
            box = QRectF(at.x(), at.y(), pixmap.width() / pixmap.ratio, pixmap.height() / pixmap.ratio)
        inner = "".join(pixmap.elements)
        if inner and pixmap.width():
            x, y = (side * pixmap.ratio / size for side, size in (
                (box.width(), pixmap.width()), (box.height(), pixmap.height())
            ))  # fmt: skip
            self._put("g", "", inner, self._state.transform.times(x, 0, 0, y, box.x(), box.y()))

    def drawImage(self, box: QRectF, image: QImage) -> None:
        x, y, w, h = map(num, box.getRect())
        sharp = "" if self._state.smooth else ' style="image-rendering:pixelated"'
        self._put(
            "image", f' x="{x}" y="{y}" width="{w}" height="{h}" preserveAspectRatio="none" href="{image.uri()}"{sharp}'
        )

    def drawUse(self, name: str, x: float, y: float, turn: float, opacity: float) -> None:
        """Draw a definition at a place, turned by degrees, with an opacity."""
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        at = self._state.transform.times(1, 0, 0, 1, x, y).times(c, s, -s, c, 0, 0)
        self._put("use", f' href="#{name}"', at=at, opacity=opacity)


def _clipped(name: str) -> str:
    return f' clip-path="url(#{name})"' if name else ""


def _line(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"M{num(x0)} {num(y0)}L{num(x1)} {num(y1)}"


def _joined(points: Sequence[QPointF]) -> str:
    return "M" + "L".join(f"{num(each.x())} {num(each.y())}" for each in points) if points else ""


def _arc(box: QRectF, first: float, sweep: float, *, begun: bool = False) -> QPainterPath:
    path = QPainterPath(_on(box, first))
    if begun:
        path._open = True
        path.arcTo(box, first, sweep)
        path.parts = path.parts[1:]  # the line to its first point
    else:
        path.arcTo(box, first, sweep)
    return path


def _wrapped(text: str, metrics: QFontMetricsF, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]


# ---------------------------------------------------------------------- what only windows use


class QPalette:
    """There is none."""
