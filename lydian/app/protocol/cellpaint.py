"""How a cell of the table looks."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.ink import LEFT, Ink
from lydian.authoring.celltable import CellLook

__all__ = ["CellPaint"]

Index = QModelIndex | QPersistentModelIndex


class CellPaint(QStyledItemDelegate):
    """How a cell looks."""

    def __init__(self, grid: Any) -> None:
        super().__init__(grid)
        self.grid = grid

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        grid, theme = self.grid, self.grid.theme
        cell = grid.rows.cell(index)
        box = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        key = grid.key(index)
        p.save()
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setClipRect(box)
            if cell.failing:
                p.fillRect(box, mixed(theme.color("surface.panel"), theme.color("fault.base"), 0.28))
            elif cell.kind == "open":
                p.fillRect(box, theme.color("check.warnSoft"))
            elif cell.kind == "impossible":
                _hatched(p, box, theme)
            if key == grid.hot:
                p.fillRect(box, _pale(theme.color("accent.base"), 0.13))
            self._words(p, box, cell)
            p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            p.setPen(QPen(theme.color("border.subtle"), 1))
            rim = box.adjusted(0, 0, -1, -1)
            p.drawLine(rim.bottomLeft(), rim.bottomRight())
            p.drawLine(rim.topRight(), rim.bottomRight())
            if cell.failing:
                p.setPen(QPen(theme.color("fault.base"), 2))
                p.drawRect(box.adjusted(1, 1, -2, -2))
            if state & QStyle.StateFlag.State_HasFocus or (index == grid.currentIndex() and grid.marked):
                strong = grid.hasFocus()
                p.setPen(QPen(theme.color("accent.ring" if strong else "border.control"), 2))
                p.drawRect(box.adjusted(1, 1, -2, -2))
        finally:
            p.restore()

    def _words(self, p: QPainter, box: QRectF, cell: CellLook) -> None:
        theme = self.grid.theme
        ink = Ink(theme)
        inside = box.adjusted(9, 0, -8, 0)
        if cell.kind in ("action", "ignore") and cell.count is not None:
            said = f"{cell.count:,}×"
            role = "check.warn" if cell.unused else "text.hint"
            wide = ink.width(said, "caption")
            ink.text(p, QRectF(inside.right() - wide, box.top(), wide, box.height()), said, "caption", role)
            inside.setRight(inside.right() - wide - 6)
        role = "text.primary"
        if cell.failing:
            role = "text.primary"
        elif cell.kind == "open":
            role = "check.warn"
        elif cell.kind in ("impossible", "ignore") or cell.inherited:
            role = "text.hint"
        p.save()
        if not self.grid.isEnabled():
            p.setOpacity(0.6)
        ink.text(p, inside, cell.words, "small", role, LEFT, mono=cell.kind == "action", semibold=cell.failing)
        p.restore()


def _pale(color: QColor, share: float) -> QColor:
    color.setAlphaF(share)
    return color


def _hatched(p: QPainter, box: QRectF, theme: Theme) -> None:
    p.setPen(QPen(_pale(theme.color("text.hint"), 0.16), 1))
    step, high = 7.0, box.height()
    # the stripes of neighbouring cells continue each other
    x = box.left() - high - ((box.left() - high + box.bottom()) % step)
    while x < box.right():
        p.drawLine(QPointF(x, box.bottom()), QPointF(x + high, box.top()))
        x += step
