"""The components on the network: an area in a colour of its own around each, with its letter."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from lydian.app.canvas.canvas import Canvas
from lydian.app.live.runs.comparing import ApartMarks
from lydian.app.look.theme import Theme
from lydian.app.painters.hues import palette
from lydian.app.painters.pieces.arcs import hull
from lydian.language import tr

__all__ = ["Area", "Areas", "Chip", "colour"]

#: The least distance of an area's edge from a process, in pixels, and the width of the edge.
AIR, EDGE = 11.0, 1.8
#: The share of the colour inside an area.
SOFT = 0.13


def colour(theme: Theme, number: int) -> QColor:
    """Return the colour of a component."""
    colours = palette(theme, "sender", False)
    return colours[number % len(colours)]


@dataclass(frozen=True)
class Area:
    """One component as it is drawn.

    Attributes:
        name: its letter.
        processes: its processes.
        words: what is written beside the letter.
        faint: whether it is drawn faintly, as its events are not shown.
        warn: whether it has changed hands, or cannot go on.
        chosen: whether it is the one to which processes are moved.
    """

    name: str
    processes: tuple[str, ...]
    words: str = ""
    faint: bool = False
    warn: bool = False
    chosen: bool = False


@dataclass(frozen=True)
class Chip:
    """What is written at the border between two components.

    Attributes:
        a, b: the components.
        words: what is written, such as the delay there.
        cut: whether all links between the components are down.
    """

    a: str
    b: str
    words: str
    cut: bool = False


class Areas(ApartMarks):
    """A layer over the network.

    Args:
        areas: returns the components; none while there are none.
        chips: returns what is written at their borders.

    Attributes:
        lasso: the corners of the loop that is being drawn.
        dragged: a process that is being dragged, and the place of the pointer.
    """

    def __init__(
        self, canvas: Canvas, areas: Callable[[], Sequence[Area]], chips: Callable[[], Sequence[Chip]] = tuple
    ) -> None:
        self.areas, self.chips = areas, chips
        self.lasso: list[QPointF] = []
        self.dragged: tuple[str, QPointF] | None = None
        self._sheet: tuple[Hashable, QImage] | None = None
        super().__init__(canvas, lambda: self.every() if self.areas() else None)
        self.setObjectName("componentAreas")
        self.setAccessibleName(tr("The components on the network"))

    def places(self) -> dict[str, tuple[float, float]]:
        """Return the places of all processes in view."""
        canvas, timeline = self.canvas, self.canvas.playhead.timeline
        frame = canvas.frame
        if timeline is None or frame is None or canvas.painter is None or canvas.trouble is not None:
            return {}
        where = canvas.painter.map(QRectF(canvas.rect()), frame, canvas.camera)
        return {name: (float(x), float(y)) for name, (x, y) in zip(frame.names, where.points.tolist(), strict=True)}

    def inside(self, corners: Iterable[QPointF]) -> list[str]:
        """Return the processes inside a loop."""
        loop = QPolygonF(list(corners))
        return [name for name, (x, y) in self.places().items()
                if loop.containsPoint(QPointF(x, y), Qt.FillRule.OddEvenFill)]  # fmt: skip

    def at(self, place: QPointF, besides: str = "") -> str:
        """Return the component whose process is nearest to a point, apart from one process; "" if there is none."""
        best, nearest = "", float("inf")
        places = self.places()
        for area in self.areas():
            for process in area.processes:
                if process in places and process != besides:
                    x, y = places[process]
                    away = (x - place.x()) ** 2 + (y - place.y()) ** 2
                    if away < nearest:
                        best, nearest = area.name, away
        return best

    # ------------------------------------------------------------------ painting

    def _paint(self, p: QPainter, processes: NDArray[np.int64]) -> None:
        areas, places = self.areas(), self.places()
        where, _points = self.placed(processes[:0])
        told = [f"{each.name}: {', '.join(each.processes)}" for each in areas]
        told += [f"{each.a}–{each.b}: {each.words}" for each in self.chips()]
        self.setAccessibleDescription("; ".join(told))
        ratio = self.devicePixelRatioF()
        theme = self.canvas.theme
        key = (tuple(areas), tuple(places.items()), where.d, self.width(), self.height(), ratio, theme.name, id(theme))
        if self._sheet is None or self._sheet[0] != key:
            self._sheet = key, self._drawn(areas, places, float(where.d), ratio)
        p.drawImage(QPointF(0, 0), self._sheet[1])
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        taken = [
            self._plate(p, area, colour(theme, number), places, float(where.d)) for number, area in enumerate(areas)
        ]
        self._draw_chips(p, areas, places, float(where.d), taken)
        pen = QPen(theme.color("accent.base"), 1.6)
        pen.setDashPattern([4, 3])
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        if len(self.lasso) > 1:
            p.drawPolygon(QPolygonF(self.lasso))
        if self.dragged is not None and self.dragged[0] in places:
            p.drawLine(QPointF(*places[self.dragged[0]]), self.dragged[1])
            p.drawEllipse(self.dragged[1], where.d / 2, where.d / 2)

    def _drawn(
        self, areas: Sequence[Area], places: Mapping[str, tuple[float, float]], d: float, ratio: float
    ) -> QImage:
        """Return the picture of the areas: the processes and the links of each with some air around them."""
        image = QImage(self.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        p = QPainter(image)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        theme, links = self.canvas.theme, self._links()
        wide = d + 2 * AIR
        for number, area in enumerate(areas):
            path, filled = self._outline(area, places, links)
            ink = colour(theme, number)
            soft = QColor(ink)
            soft.setAlphaF(SOFT / 2 if area.faint else SOFT)
            edge = QColor(ink)
            edge.setAlphaF(0.45 if area.faint else 0.95)
            thick = 2 * EDGE if area.chosen else EDGE
            for color, width in ((edge, wide + 2 * thick), (soft, wide)):
                p.setPen(QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
                              Qt.PenJoinStyle.RoundJoin))  # fmt: skip
                p.setBrush(color if filled else Qt.BrushStyle.NoBrush)
                p.drawPath(path)
        p.end()
        return image

    @staticmethod
    def _outline(
        area: Area, places: Mapping[str, tuple[float, float]], links: Sequence[tuple[str, str]]
    ) -> tuple[QPainterPath, bool]:
        """Return what is drawn widely for a component, and whether it is filled.

        That is the convex hull of its processes if it contains no others, and otherwise its processes and links.
        """
        path, members = QPainterPath(), set(area.processes)
        points = [places[process] for process in area.processes if process in places]
        corners = hull(np.array(points)) if points else []
        if len(corners) > 2:
            loop = QPolygonF([QPointF(*corner) for corner in [*corners, corners[0]]])
            if not any(loop.containsPoint(QPointF(*at), Qt.FillRule.OddEvenFill)
                       for name, at in places.items() if name not in members):  # fmt: skip
                path.addPolygon(loop)
                return path, True
        for x, y in points:
            path.moveTo(x, y)
            path.lineTo(x + 0.01, y)
        for a, b in links:
            if a in members and b in members and a in places and b in places:
                path.moveTo(*places[a])
                path.lineTo(*places[b])
        return path, False

    def _links(self) -> list[tuple[str, str]]:
        frame = self.canvas.frame
        return [(frame.names[a], frame.names[b]) for a, b in frame.link_ends.tolist()]

    def _draw_chips(
        self,
        p: QPainter,
        areas: Sequence[Area],
        places: Mapping[str, tuple[float, float]],
        d: float,
        taken: list[QRectF],
    ) -> None:
        """Draw what is written at each border on the middle of one of its links, where it covers nothing.

        A chip for which there is no free place is left out; the panel lists all of them.
        """
        theme, home = self.canvas.theme, {each: area.name for area in areas for each in area.processes}
        p.setFont(theme.font("small", semibold=True))
        metrics = p.fontMetrics()
        high = metrics.height() + 6.0
        taken = [each for each in taken if not each.isEmpty()]
        taken += [QRectF(x - d / 2, y - d / 2, d, d) for x, y in places.values()]
        inside = QRectF(self.rect()).adjusted(4, 4, -4, -4)
        links = [(a, b) for a, b in self._links() if a in places and b in places]
        for chip in self.chips():
            wide = metrics.horizontalAdvance(chip.words) + 18.0
            across = [(a, b) for a, b in links if {home.get(a), home.get(b)} == {chip.a, chip.b}]
            for a, b in across:
                (x1, y1), (x2, y2) = places[a], places[b]
                plate = QRectF((x1 + x2 - wide) / 2, (y1 + y2 - high) / 2, wide, high)
                if inside.contains(plate) and not any(plate.intersects(each) for each in taken):
                    break
            else:
                continue
            taken.append(plate)
            kind = "violated" if chip.cut else "warn"
            pen = QPen(theme.color(f"check.{kind}"), 1.4)
            if chip.cut:
                pen.setDashPattern([3, 2])
            p.setPen(pen)
            p.setBrush(theme.color(f"check.{kind}Soft"))
            p.drawRoundedRect(plate, high / 2, high / 2)
            p.setPen(theme.color("text.primary"))
            p.drawText(plate, int(Qt.AlignmentFlag.AlignCenter), chip.words)

    def _plate(
        self, p: QPainter, area: Area, ink: QColor, places: Mapping[str, tuple[float, float]], d: float
    ) -> QRectF:
        """Draw the letter of a component, and what is said about it, at its upper or its lower edge; return where."""
        points = [places[each] for each in area.processes if each in places]
        if not points:
            return QRectF()
        theme = self.canvas.theme
        letter, words = theme.font("body", semibold=True), theme.font("small")
        p.setFont(letter)
        first = p.fontMetrics().horizontalAdvance(area.name)
        high = p.fontMetrics().height() + 6.0
        p.setFont(words)
        second = p.fontMetrics().horizontalAdvance(area.words) + (7 if area.words else 0)
        wide = first + second + 18.0
        middle = self.height() / 2
        upper = sum(y for _x, y in points) / len(points) <= middle
        extreme = (min if upper else max)(y for _x, y in points)
        near = [x for x, y in points if abs(y - extreme) < d]
        x = sum(near) / len(near)
        y = extreme + (-1 if upper else 1) * (d / 2 + AIR + 2)
        left = min(max(x - wide / 2, 4.0), max(4.0, self.width() - wide - 4.0))
        top = min(max(y - high / 2, 4.0), max(4.0, self.height() - high - 4.0))
        plate = QRectF(left, top, wide, high)
        p.setPen(QPen(theme.color("check.warn") if area.warn else ink, 2.4 if area.chosen else 1.6))
        p.setBrush(theme.color("check.warnSoft" if area.warn else "surface.panel"))
        p.drawRoundedRect(plate, high / 2, high / 2)
        p.setPen(theme.color("text.primary"))
        p.setFont(letter)
        p.drawText(plate.adjusted(9, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), area.name)
        p.setFont(words)
        p.setPen(theme.color("text.secondary"))
        p.drawText(plate.adjusted(9 + first + 7, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), area.words)
        return plate
