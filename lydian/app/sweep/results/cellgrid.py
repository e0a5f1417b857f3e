"""A grid with a cell for each combination of values, which fills as runs finish; thousands of cells are one image."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from lydian.app.look.theme import Theme, mixed
from lydian.app.sweep.form.check import Shape
from lydian.language import tr, trn

__all__ = ["CellGrid"]

GAP = 3
#: The least width of a cell with its number in it; the width of a name beside the rows, as a share of the whole.
NUMBER, NAMES = 46, 0.4


class CellGrid(QWidget):
    """The progress of each group as a cell.

    With enough room it is a table with names; with less room the names disappear; many groups are wrapped into lines,
    with cells as large as the room allows.
    """

    #: Emitted with the group that the user has clicked.
    picked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.shape = Shape()
        self.done: NDArray[np.int32] = np.zeros(1, np.int32)
        self.failed: Mapping[int, int] = {}
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 60)
        self._say()

    def show_shape(self, shape: Shape, done: NDArray[np.int32]) -> None:
        """Show the cells of another sweep."""
        self.shape = shape
        self.show_done(done)

    def show_done(self, done: NDArray[np.int32]) -> None:
        """Show the number of finished runs of each group."""
        self.done = done
        self._say()
        self.update()

    def show_failed(self, failed: Mapping[int, int]) -> None:
        """Show the failed runs, given by group."""
        self.failed = dict(failed)
        self.update()

    def sizeHint(self) -> QSize:
        line = self.theme.grown(24)
        return QSize(480, max(90, min((len(self.shape.rows) + 1) * line, 120)))

    def _say(self) -> None:
        whole = int((self.done >= self.shape.each).sum())
        self.setAccessibleName(tr("Finished runs of each combination"))
        self.setAccessibleDescription(
            trn(
                "{whole:,} of {count:,} combination complete",
                "{whole:,} of {count:,} combinations complete",
                len(self.done),
                whole=whole,
            )
        )

    # ------------------------------------------------------------------ places

    @property
    def cells(self) -> int:
        """The number of groups."""
        return len(self.shape.columns) * len(self.shape.rows)

    def _names(self) -> tuple[float, float]:
        """Return the width of the row names and the height of the column names; both 0 if there is no room for them."""
        columns, rows = len(self.shape.columns), len(self.shape.rows)
        metrics = QFontMetricsF(self.theme.font("small"))
        high = metrics.height() + 4
        longest = max((metrics.horizontalAdvance(row) for row in self.shape.rows[:60]), default=0.0) + 10
        left = min(longest if any(self.shape.rows[:1]) else 0.0, self.width() * NAMES)
        top = high if any(self.shape.columns[:1]) else 0.0
        fits = (
            rows * high + top <= self.height() + 1 and left + columns * (self.theme.grown(NUMBER) + GAP) <= self.width()
        )
        return (left, top) if fits else (0.0, 0.0)

    @property
    def named(self) -> bool:
        """Whether the table has its names."""
        columns, rows = len(self.shape.columns), len(self.shape.rows)
        high = QFontMetricsF(self.theme.font("small")).height() + 4
        left, top = self._names()
        return left + top > 0 or (
            rows * high <= self.height() and columns * (self.theme.grown(NUMBER) + GAP) <= self.width()
        )

    def _packed(self) -> tuple[int, float]:
        """Return the number of cells in a line, and the side of a cell, if the cells are wrapped."""
        wide, high, count = max(self.width(), 1), max(self.height(), 1), max(self.cells, 1)
        side = math.sqrt(wide * high / count)
        if side < 2:  # There are several cells to a pixel, or nearly so.
            line = max(1, math.ceil(wide / side))
            return line, min(wide / line, high / -(-count // line))
        side = math.floor(side)
        while side > 1 and math.floor(wide / side) * math.floor(high / side) < count:
            side -= 1
        return max(1, math.floor(wide / side)), min(float(side), 26.0)

    def box(self, group: int) -> QRectF:
        """Return the rectangle of the cell of a group."""
        columns = len(self.shape.columns)
        if not self.named:
            line, side = self._packed()
            row, column = divmod(group, line)
            gap = 1.0 if side >= 4 else 0.0  # the gap between two cells
            return QRectF(column * side, row * side, side - gap, side - gap)
        left, top = self._names()
        row, column = divmod(group, columns)
        wide = min((self.width() - left) / columns, 150.0)
        high = min((self.height() - top) / max(len(self.shape.rows), 1), self.theme.grown(26))
        return QRectF(left + column * wide, top + row * high, wide - GAP, high - GAP)

    def group_at(self, point: QPointF) -> int | None:
        """Return the group whose cell is at a point."""
        if not self.named:
            line, side = self._packed()
            column, row = int(point.x() // side), int(point.y() // side)
            found = row * line + column
            return found if 0 <= column < line and 0 <= found < self.cells else None
        first, columns = self.box(0), len(self.shape.columns)
        column = int((point.x() - first.left()) // (first.width() + GAP))
        row = int((point.y() - first.top()) // (first.height() + GAP))
        inside = 0 <= column < columns and 0 <= row < len(self.shape.rows)
        return row * columns + column if inside else None

    def words(self, group: int) -> str:
        """Return a group in words: its values, and the number of its finished runs."""
        row, column = divmod(group, len(self.shape.columns))
        values = ", ".join(part for part in (self.shape.rows[row], self.shape.columns[column]) if part)
        done = int(self.done[group]) if group < len(self.done) else 0
        bad = self.failed.get(group, 0)
        told = trn("{done:,} of {count:,} run done", "{done:,} of {count:,} runs done", self.shape.each, done=done) + (
            tr(", {count:,} failed", count=bad) if bad else ""
        )
        return f"{values}: {told}" if values else told

    # ------------------------------------------------------------------ the mouse

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            group = self.group_at(QPointF(event.pos()))
            if group is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self.words(group), self, self.box(group).toAlignedRect())
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        group = self.group_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and group is not None:
            self.picked.emit(group)

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.named:
                self._table(p)
            else:
                self._image(p)
        finally:
            p.end()

    def _table(self, p: QPainter) -> None:
        theme, (left, top) = self.theme, self._names()
        columns = len(self.shape.columns)
        p.setFont(theme.font("small"))
        metrics = QFontMetricsF(theme.font("small"))
        p.setPen(theme.color("text.secondary"))
        middle, right = (
            int(Qt.AlignmentFlag.AlignCenter),
            int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
        )
        for column, name in enumerate(self.shape.columns if top else ()):
            box = self.box(column)
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, box.width())
            p.drawText(QRectF(box.left(), 0, box.width(), top), middle, shown)
        for row, name in enumerate(self.shape.rows if left else ()):
            box = self.box(row * columns)
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, left - 8)
            p.drawText(QRectF(0, box.top(), left - 8, box.height()), right, shown)
        each = max(self.shape.each, 1)
        for group in range(self.cells):
            done = int(self.done[group]) if group < len(self.done) else 0
            self._cell(p, self.box(group), done, each, self.failed.get(group, 0))

    def _cell(self, p: QPainter, box: QRectF, done: int, each: int, failed: int) -> None:
        theme = self.theme
        box = box.adjusted(0.5, 0.5, -0.5, -0.5)
        whole = done >= each
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(theme.color("surface.window"))
        p.drawRoundedRect(box, 4, 4)
        if done:
            part = QRectF(box.left(), box.top(), max(box.width() * min(done / each, 1.0), 4.0), box.height())
            p.setPen(QPen(theme.color("check.holds" if whole else "accent.base"), 1))
            p.setBrush(theme.color("check.holdsSoft" if whole else "accent.soft"))
            p.drawRoundedRect(part, 4, 4)
        p.setPen(theme.color("text.primary" if done else "text.hint"))
        wide = QFontMetricsF(theme.font("small")).horizontalAdvance(f"✓ {done:,}") + 8
        p.drawText(
            box, int(Qt.AlignmentFlag.AlignCenter), f"✓ {done:,}" if whole and box.width() >= wide else f"{done:,}"
        )
        if failed:
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.color("fault.base"))
            p.drawEllipse(QPointF(box.right() - 7, box.center().y()), 3, 3)

    def _image(self, p: QPainter) -> None:
        """Return all cells as an image: pale, then in the colour of finished runs."""
        line, side = self._packed()
        share = np.zeros(self.cells)
        known = min(len(self.done), self.cells)
        share[:known] = np.clip(self.done[:known] / max(self.shape.each, 1), 0.0, 1.0)
        table = self._colours()
        level = np.where(share >= 1, 255, np.ceil(share * 254)).astype(np.intp)
        pixels = table[level]
        for group in self.failed:
            if 0 <= group < self.cells:
                pixels[group] = _pixel(self.theme.color("fault.base"))
        rows = -(-self.cells // line)
        whole = np.zeros(rows * line, np.uint32)
        whole[: self.cells] = pixels
        data = np.ascontiguousarray(whole.reshape(rows, line))
        image = QImage(data.data, line, rows, line * 4, QImage.Format.Format_ARGB32)
        target = QRect(0, 0, round(line * side), round(rows * side))
        p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, side < 1)
        p.drawImage(target, image)
        if side >= 4:  # Narrow gaps separate the cells.
            p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            p.setPen(QPen(self.theme.color("surface.panel"), 1))
            for column in range(1, line + 1):
                p.drawLine(QPointF(column * side - 1, 0), QPointF(column * side - 1, rows * side))
            for row in range(1, rows + 1):
                p.drawLine(QPointF(0, row * side - 1), QPointF(line * side, row * side - 1))

    def _colours(self) -> NDArray[np.uint32]:
        theme = self.theme
        empty, soft = theme.color("border.subtle"), theme.color("accent.base")
        steps = [mixed(empty, soft, 0.25 + 0.6 * step / 254) if step else empty for step in range(255)]
        return np.array([*map(_pixel, steps), _pixel(theme.color("check.holds"))], np.uint32)


def _pixel(color: QColor) -> int:
    return int(color.rgba())
