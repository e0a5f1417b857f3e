"""The list of goals: the thirty ready ones with the stars earned, and those made for the current protocol."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lydian.app.look.theme import Theme
from lydian.app.play.marks import draw_stars
from lydian.language import tr, trn
from lydian.model.goal.goal import LEVELS, MOST_STARS, Goal

__all__ = ["GoalList", "Listed"]

_LISTED = Qt.ItemDataRole.UserRole
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight) | _MIDDLE


@dataclass(frozen=True)
class Listed:
    """A goal in the list: its place among the ready ones (0 for none), its title, where it is played, and its stars."""

    goal: Goal
    number: int
    title: str
    where: str
    stars: int


class GoalList(QListWidget):
    """The goals under headings; a click or Enter begins one."""

    #: Emitted with the goal to begin.
    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("playGoals")
        self.setAccessibleName(tr("Goals"))
        self.setItemDelegate(_Drawn(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.itemClicked.connect(self._take)

    def show_goals(self, parts: list[tuple[str, list[Listed]]], current: str = "") -> None:
        """List goals under headings; the goal of this name is current."""
        self.clear()
        for heading, goals in parts:
            item = QListWidgetItem(heading, self)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            for each in goals:
                item = QListWidgetItem(each.title, self)
                item.setData(_LISTED, each)
                stars = trn("{count} star", "{count} stars", each.stars)
                told = (str(each.number or ""), each.title, each.where, stars)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, told)))
                item.setToolTip(f"{each.goal.title}. {each.goal.sentence}" if each.number else each.goal.title)
                if each.goal.name == current:
                    self.setCurrentItem(item)
        if self.currentItem() is None and self.count() > 1:
            self.setCurrentRow(1)

    def _take(self, item: QListWidgetItem) -> None:
        listed = item.data(_LISTED)
        if listed is not None:
            self.chosen.emit(listed.goal)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentItem() is not None:
            self._take(self.currentItem())
        else:
            super().keyPressEvent(event)


class _Drawn(QStyledItemDelegate):
    """A delegate that draws headings, and goals on two lines."""

    def __init__(self, view: GoalList) -> None:
        super().__init__(view)
        self.view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        theme = self.view.theme
        body, small = (QFontMetrics(theme.font(role)).height() for role in ("body", "small"))
        return QSize(120, small + 16 if index.data(_LISTED) is None else body + small + 15)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        theme, box = self.view.theme, option.rect
        listed: Listed | None = index.data(_LISTED)
        p.save()
        try:
            if listed is None:
                p.fillRect(box, theme.color("surface.header"))
                p.setFont(theme.font("small", semibold=True))
                p.setPen(theme.color("text.secondary"))
                line = box.adjusted(14, 0, -10, 0)
                text = str(index.data())
                p.drawText(line, _MIDDLE, p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width()))
            else:
                self._goal(p, box, option.state, listed)
        finally:
            p.restore()

    def _goal(self, p: QPainter, box: QRect, state: QStyle.StateFlag, listed: Listed) -> None:
        theme = self.view.theme
        now = bool(state & QStyle.StateFlag.State_Selected)
        if now:
            p.fillRect(box, theme.color("accent.soft"))
            p.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        elif state & QStyle.StateFlag.State_MouseOver:
            p.fillRect(box, theme.color("surface.panelAlt"))
        if now and self.view.hasFocus():
            p.setPen(QPen(theme.color("accent.ring"), 2))
            p.drawRect(box.adjusted(1, 1, -1, -1))
        p.setPen(theme.color("border.subtle"))
        p.drawLine(box.bottomLeft(), box.bottomRight())
        body, small = (QFontMetrics(theme.font(role)).height() for role in ("body", "small"))
        top = box.top() + (box.height() - body - small - 2) // 2
        x = box.left() + 14
        if listed.number:
            p.setFont(theme.font("small"))
            p.setPen(theme.color("text.hint"))
            wide = p.fontMetrics().horizontalAdvance("30")
            p.drawText(QRect(x, top, wide, body), _RIGHT, str(listed.number))
            x += wide + 10
        size = theme.grown(12)
        room = round(MOST_STARS * size * 1.18)
        right = box.right() - 12 - room
        draw_stars(p, theme, right, top + body / 2, size, listed.stars)
        self._level(p, box.right() - 12, top + body + 2 + small / 2, listed.goal.level)
        for role, strong, ink, text, y, high in (
            ("body", True, "text.primary", listed.title, top, body),
            ("small", False, "text.secondary", listed.where, top + body + 2, small),
        ):
            p.setFont(theme.font(role, semibold=strong))
            p.setPen(theme.color(ink))
            line = QRect(x, y, right - 10 - x, high)
            p.drawText(line, _MIDDLE, p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width()))

    def _level(self, p: QPainter, right: float, y: float, level: int) -> None:
        """Draw the level as dots, of which as many are filled."""
        theme = self.view.theme
        size = theme.grown(5)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number in range(LEVELS[1]):
            x = right - (LEVELS[1] - number) * size * 1.9 + size * 0.5
            p.setPen(QPen(theme.color("text.hint"), 1))
            p.setBrush(theme.color("text.hint") if number < level else Qt.BrushStyle.NoBrush)
            p.drawEllipse(int(x), int(y - size / 2), size, size)
