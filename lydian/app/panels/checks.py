"""The checks of the run: what holds, what is broken, what is still open, at the play head's moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.transport import time_text
from lydian.views.playhead import Playhead

__all__ = ["ChecksList", "verdict"]

REMARK = Qt.ItemDataRole.UserRole + 1

_LOOKS = {True: ("tick", "check.holds"), False: ("cross", "check.violated"), None: ("clock", "check.pending")}


def verdict(check: Mapping[str, Any], position: int, events: int) -> bool | None:
    """Whether a check holds (True), is violated (False) or is open (None) after ``position`` of ``events`` events.

    ``at`` is the event that decided: the first violation of ``always``, the event since which ``eventually`` holds;
    ``at_end`` is decided at the end.
    """
    holds, at, kind = check.get("holds"), check.get("at"), check.get("kind")
    decided = position > at if isinstance(at, int) else position >= events
    if kind == "always":
        return False if holds is False and decided else (True if position > 0 else None)
    if kind == "at_end" and position < events:
        return None
    return holds if decided and isinstance(holds, bool) else None


class _TwoLines(QStyledItemDelegate):
    """Draws a check: sign, name, and below it a remark in smaller type; what does not fit ends in "…"."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        body, small = (QFontMetrics(self.theme.font(role)).height() for role in ("body", "small"))
        return QSize(120, body + small + 13)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        p.save()
        try:
            box: QRect = option.rect
            state: QStyle.StateFlag = option.state
            if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
                ground = "accent.soft" if state & QStyle.StateFlag.State_Selected else "surface.panelAlt"
                p.fillRect(box, self.theme.color(ground))
            sign = index.data(Qt.ItemDataRole.DecorationRole)
            left = box.left() + 10
            if isinstance(sign, QIcon):
                sign.paint(p, QRect(left, box.top() + 5, 18, 18))
                left += 27
            wide = box.right() - left - 8
            top = box.top() + 5
            for role, text, ink in (
                ("body", str(index.data(Qt.ItemDataRole.DisplayRole) or ""), "text.primary"),
                ("small", str(index.data(REMARK) or ""), "text.hint"),
            ):
                p.setFont(self.theme.font(role))
                p.setPen(self.theme.color(ink))
                high = p.fontMetrics().height()
                shown = p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, wide)
                p.drawText(QRect(left, top, wide, high), int(Qt.AlignmentFlag.AlignVCenter), shown)
                top += high + 1
            p.setPen(self.theme.color("border.subtle"))
            p.drawLine(box.bottomLeft(), box.bottomRight())
        finally:
            p.restore()


class ChecksList(QListWidget):
    """One line a check; a click goes to the event that decided it."""

    def __init__(self, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playhead, self.theme = playhead, theme
        self.checks: list[Mapping[str, Any]] = []
        self._shown: object = None
        self.setAccessibleName("Checks")
        self.setIconSize(QSize(18, 18))
        self.setMouseTracking(True)
        self._lines = _TwoLines(theme, self)
        self.setItemDelegate(self._lines)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._go)
        self.itemActivated.connect(self._go)

    def load(self, checks: Sequence[Mapping[str, Any]]) -> None:
        """Show other checks."""
        self.checks = [dict(check) for check in checks]
        self._shown = None
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        self.theme = self._lines.theme = theme
        self._shown = None
        self.doItemsLayout()
        self.refresh()

    def states(self) -> list[bool | None]:
        """The verdict of each check at this moment."""
        head = self.playhead
        return [verdict(check, head.position, head.events) for check in self.checks]

    def refresh(self) -> None:
        """Show the verdicts at this moment, if one of them changed."""
        states = self.states()
        if self._shown == (states, len(self.checks)):
            return
        self._shown = (states, len(self.checks))
        if self.count() != max(1, len(self.checks)) or not self.checks:
            self.clear()
            for _check in self.checks:
                self.addItem(QListWidgetItem())
        if not self.checks:
            item = QListWidgetItem("Nothing is checked")
            item.setData(REMARK, "the protocol states no property")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)
        for row, (check, state) in enumerate(zip(self.checks, states, strict=True)):
            item = self.item(row)
            sign, color = _LOOKS[state]
            item.setIcon(icon(sign, self.theme, color))
            name = str(check.get("name", ""))
            item.setText(name[:1].upper() + name[1:])
            item.setData(REMARK, self._remark(check, state))
            item.setToolTip(f"{name}: {self._remark(check, state)}")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{check.get('name')}: {self._remark(check, state)}")

    def _remark(self, check: Mapping[str, Any], state: bool | None) -> str:
        at, timeline = check.get("at"), self.playhead.timeline
        when = ""
        if isinstance(at, int) and timeline is not None and 0 <= at < len(timeline.time):
            when = f" at {time_text(float(timeline.time[at]), self.playhead.end)}"
        words = {"always": "in every configuration", "eventually": "at some time", "at_end": "at the end"}
        kind = words.get(str(check.get("kind")), "counted at the end")
        if state is False:
            return f"violated{when}"
        if state is None:
            return f"open; {kind}"
        return f"holds so far; {kind}" if check.get("kind") == "always" else f"holds{when}"

    def _go(self, item: QListWidgetItem) -> None:
        row = self.row(item)
        at = self.checks[row].get("at") if row < len(self.checks) else None
        timeline = self.playhead.timeline
        if isinstance(at, int) and timeline is not None and 0 <= at < len(timeline.time):
            self.playhead.pause()
            self.playhead.seek(float(timeline.time[at]))
            self.item(row).setSelected(True)
