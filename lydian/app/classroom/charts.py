"""The small pictures beside a class: the answers to a question, and the curve of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lydian.app.look.theme import Theme
from lydian.language import tr, trn

__all__ = ["Curve", "Histogram", "binned"]

#: The most bars beside each other.
MOST_BARS = 14
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
        theme = self.theme
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = theme.font("caption")
        p.setFont(font)
        line = p.fontMetrics().height()
        base = self.height() - line - 4
        p.setPen(QPen(theme.color("border.control"), 1))
        p.drawLine(QPointF(0, base + 0.5), QPointF(self.width(), base + 0.5))
        if not self.bars:
            p.setPen(theme.color("text.hint"))
            p.drawText(QRectF(0, 0, self.width(), base), _MIDDLE, tr("no answers yet"))
            p.end()
            return
        most = max(1, *(count for _label, count, _values in self.bars))
        slot = self.width() / len(self.bars)
        wide = min(30.0, slot * 0.72)
        for number, (label, count, values) in enumerate(self.bars):
            middle = slot * (number + 0.5)
            high = (base - line - 4) * count / most
            box = QRectF(middle - wide / 2, base - high, wide, high)
            right = self.right is not None and self.right in values
            if count:
                p.setPen(QPen(theme.color("check.holds"), 3) if right else Qt.PenStyle.NoPen)
                p.setBrush(theme.color("accent.base"))
                p.drawRoundedRect(box, 2, 2)
                p.setPen(theme.color("text.primary"))
                words = f"✓ {count}" if right else str(count)
                p.drawText(QRectF(middle - slot, base - high - line - 2, 2 * slot, line), _MIDDLE, words)
            p.setPen(theme.color("check.holds" if right else "text.secondary"))
            shown = p.fontMetrics().elidedText(label, Qt.TextElideMode.ElideRight, int(slot))
            p.drawText(QRectF(middle - slot / 2, base + 3, slot, line), _MIDDLE, shown)
        p.end()


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
        theme = self.theme
        points = [(float(each[0]), float(each[1])) for each in self.figure.get("points") or []]
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setFont(theme.font("caption"))
        line = p.fontMetrics().height()
        goal = self.figure.get("goal")
        goal = float(goal) if isinstance(goal, int | float) else None
        top = max([2.0, *(each[1] for each in points), goal or 0.0])
        last = max(6.0, float(self.round) + 1, *(each[0] + 1 for each in points)) if points else 6.0
        left = p.fontMetrics().horizontalAdvance(f"{top:g}") + 8
        area = QRectF(left, 8, self.width() - left - 8, self.height() - line - 14)

        def at(x: float, y: float) -> QPointF:
            return QPointF(area.left() + area.width() * x / last, area.bottom() - area.height() * y / top)

        p.setPen(QPen(theme.color("border.subtle"), 1))
        for value in (0.0, top / 2, top):
            p.drawLine(at(0, value), at(last, value))
        p.setPen(theme.color("text.secondary"))
        for value in (0.0, top):
            where = QRectF(0, at(0, value).y() - line / 2, left - 5, line)
            p.drawText(where, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), f"{value:g}")
        step = max(1, round(last / 8))
        for number in range(0, int(last) + 1, step):
            p.drawText(QRectF(at(number, 0).x() - 14, area.bottom() + 3, 28, line), _MIDDLE, str(number))
        if goal is not None:
            band = theme.color("check.holdsSoft")
            p.fillRect(QRectF(at(0, goal).x(), at(0, goal).y() - 4, area.width(), 8), band)
        if points:
            pen = QPen(theme.color("accent.base"), 2.4)
            p.setPen(pen)
            steps = QPolygonF()
            for number, (x, y) in enumerate(points):
                if number:
                    steps.append(at(x, points[number - 1][1]))
                steps.append(at(x, y))
            p.drawPolyline(steps)
            p.setBrush(theme.color("accent.base"))
            for x, y in points:
                p.drawEllipse(at(x, y), 3.2, 3.2)
        p.end()
