"""The public checks of an assignment: a tick, a bar and the points of each, shown as the results arrive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.assignment.assignment import Check
from lydian.desk.solving import Solving
from lydian.language import tr, trn

__all__ = ["ChecksPanel"]

_RESULT, _FRESH, _NOTE = (Qt.ItemDataRole.UserRole + number for number in (1, 2, 3))
#: The state of a result -> its icon and its colour.
_SIGNS = {
    "full": ("tick", "check.holds"), "partly": ("warning", "check.warn"), "failed": ("cross", "check.violated"),
    "stopped": ("warning", "check.violated"), "open": ("clock", "check.pending"),
}  # fmt: skip
_BAR, _POINTS = 92, 92


class _Row(QStyledItemDelegate):
    """A row: sign, title, words in smaller type; a bar and the points at the right. Old results are pale.

    Attributes:
        low: whether the words are beside the title, because two lines for each check would not fit.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme, self.low = theme, False

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        body, small = (QFontMetrics(self.theme.font(role)) for role in ("body", "small"))
        return QSize(200, body.height() + 12 if self.low else body.height() + small.height() + 17)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, rect = self.theme, option.rect
        result: Mapping[str, Any] | None = index.data(_RESULT)
        state = "open" if result is None else str(result["state"])
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(
                rect, theme.color("check.violatedSoft" if state in ("failed", "partly") else "accent.soft")
            )
        painter.setOpacity(1.0 if index.data(_FRESH) or result is None else 0.45)
        sign, ink = _SIGNS[state]
        icon(sign, theme, ink).paint(painter, QRect(rect.left() + 12, rect.top() + (6 if self.low else 9), 16, 16))
        wide = _BAR if rect.width() > (620 if self.low else 380) and result is not None and result["of"] > 1 else 0
        right = rect.right() - 12
        wanted = right - _POINTS - wide - rect.left() - 52
        text = QRect(rect.left() + 40, rect.top() + (5 if self.low else 7), wanted, rect.height())
        title, small = theme.font("body", semibold=True), theme.font("small")
        name, metrics = str(index.data(Qt.ItemDataRole.DisplayRole)), QFontMetrics(title)
        beside = metrics.horizontalAdvance(name) + 10 if self.low else 0
        base = metrics.ascent()
        for font, role, words, left, top in (
            (title, "text.primary", name, 0, base),
            (small, "text.secondary", str(index.data(_NOTE)), beside,
             base if self.low else metrics.height() + 2 + QFontMetrics(small).ascent()),
        ):  # fmt: skip
            painter.setFont(font)
            painter.setPen(theme.color(role))
            room = text.width() - left
            if not left or room > 40:
                fitted = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, room)
                painter.drawText(text.left() + left, text.top() + top, fitted)
        middle = rect.center().y()
        if wide and result is not None:
            share = min(1.0, result["good"] / max(1, result["of"]))
            bar = QRectF(right - _POINTS - wide + 8, middle - 2, wide - 16, 5)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(theme.color("check.violated" if share < 1 else "check.holds"))
            painter.drawRoundedRect(bar, 2.5, 2.5)
            painter.setBrush(theme.color("check.holds"))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), 2.5, 2.5)
        most = float(index.data(Qt.ItemDataRole.UserRole))
        got = "–" if result is None or state == "open" else f"{result['points']:g}"
        rest = tr(" of {most:g}", most=most)
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text.secondary"))
        left = right - QFontMetrics(painter.font()).horizontalAdvance(rest)
        base = middle + QFontMetrics(painter.font()).ascent() // 2 - 1
        painter.drawText(left, base, rest)
        painter.setFont(theme.font("body", semibold=True))
        painter.setPen(theme.color("text.primary"))
        painter.drawText(left - QFontMetrics(painter.font()).horizontalAdvance(got), base, got)
        painter.setOpacity(1.0)
        painter.setPen(theme.color("border.subtle"))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()


class ChecksPanel(QWidget):
    """The list of the public checks, with the points in its head and the number of hidden ones at its foot."""

    #: Emitted with the result of the check that is chosen.
    chosen = Signal(object)

    def __init__(self, solving: Solving, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.solving, self.theme = solving, theme
        self.setObjectName("assignmentChecks")
        self.state = set_up(Elided(), look="dockNote")
        self.points = set_up(QLabel(), look="checksPoints")
        self.list = set_up(QListWidget(), look="assignmentChecksList", name=tr("Public checks"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._rows = _Row(theme, self.list)
        self.list.setItemDelegate(self._rows)
        self.list.currentRowChanged.connect(self._chose)
        self.lock = set_up(QLabel(), look="hint", wraps=True)
        title = set_up(QLabel(tr("Public checks")), look="dockName")
        head = self._head = across(title, (self.state, 1), self.points, margins=(12, 6, 12, 6), spacing=8)
        self.lock.setContentsMargins(12, 6, 12, 6)
        down(head, (self.list, 1), self.lock, on=self, spacing=0)
        set_look(self.state, theme, font="small")
        set_look(self.points, theme, font="body semibold")
        set_look(self.lock, theme, font="small")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay()

    @property
    def heights(self) -> tuple[int, int]:
        """The heights at which each check has two lines, and one."""
        body, small = (QFontMetrics(self.theme.font(role)).height() for role in ("body", "small"))
        lock = self.lock.sizeHint().height() if self.lock.isVisibleTo(self) else 0
        rest = int(self._head.sizeHint().height() + lock + 4)
        return rest + self.list.count() * (body + small + 17), rest + self.list.count() * (body + 12)

    def _lay(self) -> None:
        """Give each check one line where two would not fit."""
        low = self.heights[0] > self.height() + 4
        if low != self._rows.low:
            self._rows.low = low
            self.list.doItemsLayout()

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that are listed."""
        return () if self.solving.assignment is None else self.solving.assignment.public

    def show_assignment(self) -> None:
        """List the checks of another assignment."""
        self.list.clear()
        for check in self.checks:
            row = QListWidgetItem(check.title)
            row.setData(Qt.ItemDataRole.UserRole, check.points)
            self.list.addItem(row)
        assignment = self.solving.assignment
        count, points = (0, 0.0) if assignment is None else assignment.hidden
        self.lock.setVisible(bool(count))
        self.lock.setText(
            trn("One hidden check with {points:g} points: you see it with your feedback.",
                "{count} hidden checks with {points:g} points: you see them with your feedback.", count, points=points)
        )  # fmt: skip
        self._lay()
        self.refresh()

    def refresh(self) -> None:
        """Show the results as they are now."""
        solving = self.solving
        for number, check in enumerate(self.checks):
            row, result = self.list.item(number), solving.of(check)
            fresh = check.id in solving.fresh
            at, done, of = solving.now
            note = "" if result is None else str(result["words"])
            if result is not None and result["failure"]:
                sentence = str(result["failure"]["sentence"])
                note = f"{note}; {sentence.removeprefix('Violated: ').removeprefix('Failed: ')}"
            if at == check.id and of:
                note = tr("{done} of {of} runs done", done=done, of=of)
            elif result is None:
                note = tr("not run yet") if check.kind.name not in ("question", "written") else tr("not answered yet")
            row.setData(_RESULT, result)
            row.setData(_FRESH, fresh)
            row.setData(_NOTE, note)
            state = tr("not run yet") if result is None else f"{result['points']:g} / {check.points:g}"
            row.setData(Qt.ItemDataRole.AccessibleTextRole, f"{check.title}: {state}. {note}")
            row.setToolTip(note if result is None or not result["hint"] else f"{note}\n{result['hint']}")
        points, most = solving.points
        self.points.setText(tr("{points:g} of {most:g}", points=points, most=most))
        idle = solving.problem or tr("they run automatically as you type")
        self.state.say(tr("running…") if solving.busy else idle)

    def _chose(self, number: int) -> None:
        if 0 <= number < len(self.checks):
            self.chosen.emit(self.solving.of(self.checks[number]))

    def choose(self, id: str) -> None:
        """Choose a check."""
        for number, check in enumerate(self.checks):
            if check.id == id:
                self.list.setCurrentRow(number)

    def set_theme(self, theme: Theme) -> None:
        self.theme = self._rows.theme = theme
        self._lay()
        self.list.doItemsLayout()
