"""The painter of a state diagram: states as in the views, arrows with labels, and the numbers of processes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from lydian.app.look.shapes import draw_process, draw_text, grown, process_path
from lydian.app.look.theme import Theme
from lydian.authoring.statediagram import LabelLine, Layout, PlacedArrow, PlacedState, Point, Sizes
from lydian.language import tr

__all__ = ["DiagramMarks", "DiagramPainter"]

#: The two ends and the size of the head of an arrow.
HEAD = 9.0


@dataclass(frozen=True)
class DiagramMarks:
    """The highlights of a diagram.

    Attributes:
        counts: the number of processes in each state.
        failing: the (state, event) at which the run stopped.
        hot: the (state, event) under the pointer, here or in the table; event "" for the state itself.
        focus: the one that was selected with the keys.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    failing: tuple[str, str] | None = None
    hot: tuple[str, str] | None = None
    focus: tuple[str, str] | None = None

    def of(self, arrow: PlacedArrow, which: tuple[str, str] | None) -> bool:
        return which is not None and which[0] == arrow.source and any(which[1] in line.events for line in arrow.lines)


class DiagramPainter:
    """The painter of a :class:`Layout` on any device of a QPainter."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.d = 34.0 * max(1.0, theme.px("small") / 12)

    def sizes(self) -> Sizes:
        """Return the sizes of things for the layout."""
        small = QFontMetricsF(self.theme.font("small"))
        name = QFontMetricsF(self.theme.font("body", semibold=True))
        return Sizes(
            self.d, math.ceil(small.height()) + 1, lambda t: math.ceil(small.horizontalAdvance(t)) + 2,
            lambda t: math.ceil(name.horizontalAdvance(t)) + 2,
        )  # fmt: skip

    def paint(self, p: QPainter, layout: Layout, slots: Mapping[str, int], marks: DiagramMarks) -> None:
        """Draw the whole diagram in the layout's own coordinates."""
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = {state.name: state for state in layout.states}
        loud = [arrow for arrow in layout.arrows if self._loud(arrow, marks)]
        for arrow in [*(a for a in layout.arrows if a not in loud), *loud]:
            self._arrow(p, arrow, places, slots, marks)
        if layout.entry is not None and layout.states:
            self._entry(p, layout, slots)
        for state in layout.states:
            self._state(p, state, slots.get(state.name, 0), marks)
        for arrow in layout.arrows:
            self._label(p, arrow, marks)

    def line_boxes(self, arrow: PlacedArrow) -> list[tuple[QRectF, LabelLine]]:
        """Return the lines of a label with their boxes."""
        left, top, right, bottom = arrow.label
        high = (bottom - top) / max(sum(map(len, arrow.rows)), 1)
        boxes = []
        for line, rows in zip(arrow.shown, arrow.rows, strict=True):
            boxes.append((QRectF(left, top, right - left, high * len(rows)), line))
            top += high * len(rows)
        return boxes

    def found(self, layout: Layout, at: QPointF, near: float) -> PlacedState | LabelLine | None:
        """Return what is at a point: a state, or the line of a label of an arrow that passes near it."""
        for state in layout.states:
            left, top, right, bottom = state.name_box
            off = at - QPointF(state.x, state.y)
            name = QRectF(left, top, right - left, bottom - top)
            if math.hypot(off.x(), off.y()) < self.d * 0.6 or name.contains(at):
                return state
        for arrow in layout.arrows:
            for box, line in self.line_boxes(arrow):
                if box.adjusted(-2, 0, 2, 0).contains(at):
                    return line
        around = QRectF(at.x() - near, at.y() - near, 2 * near, 2 * near)
        for arrow in layout.arrows:
            path = _path(arrow.points)
            path.connectPath(path.toReversed())  # there and back: a path without an inside
            if path.intersects(around):
                return arrow.lines[0]
        return None

    # ------------------------------------------------------------------ parts

    def _loud(self, arrow: PlacedArrow, marks: DiagramMarks) -> bool:
        return any(marks.of(arrow, which) for which in (marks.failing, marks.hot, marks.focus))

    def _ink(self, arrow: PlacedArrow, marks: DiagramMarks) -> QColor:
        if marks.of(arrow, marks.failing):
            return self.theme.color("fault.base")
        if marks.of(arrow, marks.hot) or marks.of(arrow, marks.focus):
            return self.theme.color("accent.base")
        quiet = all(line.kind == "ignore" for line in arrow.lines)
        return self.theme.color("border.control" if quiet else "text.secondary")

    def _arrow(
        self, p: QPainter, arrow: PlacedArrow, places: Mapping[str, PlacedState], slots: Mapping[str, int],
        marks: DiagramMarks,
    ) -> None:  # fmt: skip
        ink = self._ink(arrow, marks)
        width = 2.6 if self._loud(arrow, marks) else 1.4
        if self.theme.projector:
            width *= 1.5
        source, target = places[arrow.source], places[arrow.target]
        first = self._touch(arrow.points[0], source, slots.get(source.name, 0), 1.0)
        last = self._touch(arrow.points[-1], target, slots.get(target.name, 0), 2.5)
        points = list(arrow.points)
        before = _before_tip(points, last)
        angle = math.atan2(last[1] - before[1], last[0] - before[0])
        head = HEAD + width
        base = (last[0] - math.cos(angle) * head * 0.8, last[1] - math.sin(angle) * head * 0.8)
        points[0], points[-1] = first, base
        pen = QPen(ink, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        p.strokePath(_path(points), pen)
        self._head(p, last, angle, head, ink)

    def _head(self, p: QPainter, tip: Point, angle: float, size: float, ink: QColor) -> None:
        p.save()
        p.translate(*tip)
        p.rotate(math.degrees(angle))
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink)
        half = size * 0.42
        p.drawPolygon(QPolygonF([QPointF(0, 0), QPointF(-size, half), QPointF(-size * 0.8, 0), QPointF(-size, -half)]))
        p.restore()

    def _touch(self, point: Point, state: PlacedState, slot: int, gap: float) -> Point:
        """Move a point near a state onto its outline, towards its centre."""
        outline = process_path(slot, grown(slot, self.d, gap + 1.0))
        dx, dy = state.x - point[0], state.y - point[1]
        far = math.hypot(dx, dy) or 1.0
        ux, uy = dx / far, dy / far
        x, y = point
        if outline.contains(QPointF(x - state.x, y - state.y)):
            ux, uy = -ux, -uy
            while outline.contains(QPointF(x - state.x, y - state.y)):
                x, y = x + ux, y + uy
            return x, y
        for _ in range(int(far)):
            if outline.contains(QPointF(x + ux - state.x, y + uy - state.y)):
                break
            x, y = x + ux, y + uy
        return x, y

    def _entry(self, p: QPainter, layout: Layout, slots: Mapping[str, int]) -> None:
        """Draw the short arrow that leads to the initial state."""
        assert layout.entry is not None
        state = next((each for each in layout.states if each.start), layout.states[0])
        begin, end = layout.entry
        tip = self._touch(end, state, slots.get(state.name, 0), 2.5)
        ink = self.theme.color("text.secondary")
        angle = math.atan2(tip[1] - begin[1], tip[0] - begin[0])
        head = HEAD + 1.4
        base = QPointF(tip[0] - math.cos(angle) * head * 0.8, tip[1] - math.sin(angle) * head * 0.8)
        p.setPen(QPen(ink, 1.4))
        p.drawLine(QPointF(*begin), base)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(ink)
        p.drawEllipse(QPointF(*begin), 3.4, 3.4)
        self._head(p, tip, angle, head, ink)

    def _state(self, p: QPainter, state: PlacedState, slot: int, marks: DiagramMarks) -> None:
        count = marks.counts.get(state.name, 0)
        p.save()
        if not state.reachable and not count:
            p.setOpacity(p.opacity() * 0.5)
        here = count > 0
        hot = any(which is not None and which == (state.name, "") for which in (marks.hot, marks.focus))
        draw_process(
            p,
            self.theme,
            state.x,
            state.y,
            self.d,
            slot,
            tr("{number:,}", number=count) if count > 1 else "",
            selected=here,
            hover=hot,
        )
        left, top, _right, bottom = state.name_box
        draw_text(
            p, self.theme, left, (top + bottom) / 2, state.name, "body", "text.primary", semibold=True
        )  # fmt: skip
        p.restore()

    def _label(self, p: QPainter, arrow: PlacedArrow, marks: DiagramMarks) -> None:
        for (box, line), rows in zip(self.line_boxes(arrow), arrow.rows, strict=True):
            mine = {(line.state, event) for event in line.events}
            role = "text.primary"
            if marks.failing in mine:
                role = "fault.base"
            elif marks.hot in mine or marks.focus in mine:
                role = "accent.base"
            elif line.kind in ("ignore", ""):
                role = "text.hint"
            high = box.height() / len(rows)
            for at, row in enumerate(rows):
                draw_text(p, self.theme, box.left() + 1, box.top() + (at + 0.5) * high, row, "small", role)


def _path(points: tuple[Point, ...] | list[Point]) -> QPainterPath:
    path = QPainterPath(QPointF(*points[0]))
    for at in range(1, len(points), 3):
        a, b, c = points[at : at + 3]
        path.cubicTo(QPointF(*a), QPointF(*b), QPointF(*c))
    return path


def _before_tip(points: list[Point], tip: Point) -> Point:
    """Return a point of the line a little before its end, which determines the direction of the head."""
    for point in reversed(points[:-1]):
        if math.hypot(point[0] - tip[0], point[1] - tip[1]) > 2.0:
            return point
    return points[0]
