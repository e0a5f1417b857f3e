"""The small pictures beside a class: the answers to a question, and the curve of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lydian.app.look.theme import Theme
from lydian.language import tr, trn

__all__ = ["Curve", "Histogram", "binned", "paint_answers", "paint_curve"]

#: The most bars beside each other.
MOST_BARS = 14
#: The longest answer, in letters, below a bar.
SHORT = 6
_MIDDLE = int(Qt.AlignmentFlag.AlignCenter)


def binned(bars: Sequence[Sequence[Any]], most: int = MOST_BARS) -> list[tuple[str, int, set[Any]]]:
    """Return the label, the count and the values of each bar; whole numbers in between get bars too, if they fit."""
    counts = {each[0]: int(each[1]) for each in bars}
    values = list(counts)
    whole = bool(values) and all(isinstance(each, int) and not isinstance(each, bool) for each in values)
    if not whole:
        return [(str(each), counts[each], {each}) for each in values[:most]]
    low, high = min(values), max(values)
    span = high - low + 1
    if span <= most:
        return [(str(each), counts.get(each, 0), {each}) for each in range(low, high + 1)]
    if len(values) <= most:
        return [(str(each), counts[each], {each}) for each in values]
    step = -(-span // most)
    found = []
    for first in range(low, high + 1, step):
        inside = {each for each in values if first <= each < first + step}
        found.append((f"{first}–{first + step - 1}", sum(counts[each] for each in inside), inside))
    return found


class Histogram(QWidget):
    """The answers to a question, with a tick at the right one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.bars: list[tuple[str, int, set[Any]]] = []
        self.right: Any = None
        self.setMinimumHeight(96)

    def say(self, bars: Sequence[Sequence[Any]], right: Any = None) -> None:
        """Show other answers."""
        self.bars, self.right = binned(bars), right
        told = [trn("{value}: {count} answer", "{value}: {count} answers", count, value=label)
                for label, count, _values in self.bars if count]  # fmt: skip
        self.setAccessibleName(tr("Answers"))
        self.setAccessibleDescription("; ".join(told) or tr("no answers yet"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setFont(self.theme.font("caption"))
        paint_answers(p, self.theme, QRectF(self.rect()), self.bars, self.right)
        p.end()


def paint_answers(
    p: QPainter, theme: Theme, where: QRectF, bars: Sequence[tuple[str, int, set[Any]]], right: Any = None
) -> None:
    """Draw the bars of :func:`binned` with the painter's font; answers in words become rows."""
    if any(len(label) > SHORT for label, _count, _values in bars):
        _paint_rows(p, theme, where, bars, right)
        return
    line = p.fontMetrics().height()
    base = where.bottom() - line - 4
    p.setPen(QPen(theme.color("border.control"), 1))
    p.drawLine(QPointF(where.left(), base + 0.5), QPointF(where.right(), base + 0.5))
    if not bars:
        p.setPen(theme.color("text.hint"))
        p.drawText(where.adjusted(0, 0, 0, -line - 4), _MIDDLE, tr("no answers yet"))
        return
    most = max(1, *(count for _label, count, _values in bars))
    slot = where.width() / len(bars)
    wide = min(line * 3.0, slot * 0.72)
    for number, (label, count, values) in enumerate(bars):
        middle = where.left() + slot * (number + 0.5)
        high = (base - where.top() - line - 4) * count / most
        box = QRectF(middle - wide / 2, base - high, wide, high)
        good = right is not None and right in values
        if count:
            p.setPen(QPen(theme.color("check.holds"), 3) if good else Qt.PenStyle.NoPen)
            p.setBrush(theme.color("accent.base"))
            p.drawRoundedRect(box, 2, 2)
            p.setPen(theme.color("text.primary"))
            words = f"✓ {count}" if good else str(count)
            p.drawText(QRectF(middle - slot, base - high - line - 2, 2 * slot, line), _MIDDLE, words)
        p.setPen(theme.color("check.holds" if good else "text.secondary"))
        shown = p.fontMetrics().elidedText(label, Qt.TextElideMode.ElideRight, int(slot))
        p.drawText(QRectF(middle - slot / 2, base + 3, slot, line), _MIDDLE, shown)


def _paint_rows(
    p: QPainter, theme: Theme, where: QRectF, bars: Sequence[tuple[str, int, set[Any]]], right: Any
) -> None:
    """Draw answers in words below each other."""
    line = p.fontMetrics().height()
    pitch = min(line * 2.1, where.height() / len(bars))
    thick = max(4.0, min(line * 0.6, pitch - line - 4))
    most = max(1, *(count for _label, count, _values in bars))
    for number, (label, count, values) in enumerate(bars):
        top = where.top() + pitch * number
        good = right is not None and right in values
        p.setPen(theme.color("check.holds" if good else "text.primary"))
        row = QRectF(where.left(), top, where.width(), line)
        room = int(where.width() - p.fontMetrics().horizontalAdvance("9999"))
        words = p.fontMetrics().elidedText(f"✓ {label}" if good else label, Qt.TextElideMode.ElideRight, room)
        p.drawText(row, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)
        p.drawText(row, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), str(count))
        p.setPen(QPen(theme.color("check.holds"), 3) if good else Qt.PenStyle.NoPen)
        p.setBrush(theme.color("accent.base"))
        p.drawRoundedRect(QRectF(where.left(), top + line + 1, max(2.0, where.width() * count / most), thick), 3, 3)


class Curve(QWidget):
    """The figure of a game by rounds, with the value that it should have."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.figure: Mapping[str, Any] = {}
        self.round = 0
        self.setMinimumHeight(84)

    def say(self, figure: Mapping[str, Any], round_: int) -> None:
        """Show another curve."""
        self.figure, self.round = figure, round_
        points = figure.get("points") or []
        self.setAccessibleName(str(figure.get("title", "")))
        if points:
            last = tr("after round {round}: {value}", round=points[-1][0], value=f"{points[-1][1]:g}")
            self.setAccessibleDescription(last)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setFont(self.theme.font("caption"))
        paint_curve(p, self.theme, QRectF(self.rect()), self.figure, self.round)
        p.end()


def paint_curve(p: QPainter, theme: Theme, where: QRectF, figure: Mapping[str, Any], round_: int) -> None:
    """Draw the curve of a game with the painter's font."""
    points = [(float(each[0]), float(each[1])) for each in figure.get("points") or []]
    line = p.fontMetrics().height()
    goal = figure.get("goal")
    goal = float(goal) if isinstance(goal, int | float) else None
    top = max([2.0, *(each[1] for each in points), goal or 0.0])
    last = max(6.0, float(round_) + 1, *(each[0] + 1 for each in points)) if points else 6.0
    left = p.fontMetrics().horizontalAdvance(f"{top:g}") + 8
    area = where.adjusted(left, line / 2 + 2, -8, -line - 6)

    def at(x: float, y: float) -> QPointF:
        return QPointF(area.left() + area.width() * x / last, area.bottom() - area.height() * y / top)

    p.setPen(QPen(theme.color("border.subtle"), 1))
    for value in (0.0, top / 2, top):
        p.drawLine(at(0, value), at(last, value))
    p.setPen(theme.color("text.secondary"))
    for value in (0.0, top):
        label = QRectF(where.left(), at(0, value).y() - line / 2, left - 5, line)
        p.drawText(label, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), f"{value:g}")
    step = max(1, round(last / 8))
    for number in range(0, int(last) + 1, step):
        p.drawText(QRectF(at(number, 0).x() - line, area.bottom() + 3, 2 * line, line), _MIDDLE, str(number))
    thick = line / 6
    if goal is not None:
        band = theme.color("check.holdsSoft")
        p.fillRect(QRectF(at(0, goal).x(), at(0, goal).y() - line / 3.5, area.width(), line / 1.75), band)
    if points:
        p.setPen(QPen(theme.color("accent.base"), thick))
        steps = QPolygonF()
        for number, (x, y) in enumerate(points):
            if number:
                steps.append(at(x, points[number - 1][1]))
            steps.append(at(x, y))
        p.drawPolyline(steps)
        p.setBrush(theme.color("accent.base"))
        for x, y in points:
            p.drawEllipse(at(x, y), 1.3 * thick, 1.3 * thick)
