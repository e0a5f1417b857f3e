"""The checks of the run: which hold, are violated or are still open at the play head's moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.terms import TERM
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme, mixed
from lydian.app.panels.timeline.transport import time_text
from lydian.desk.guide.glossary import explained
from lydian.desk.playhead import Playhead
from lydian.language import tr, trc
from lydian.views.selection import Selection
from lydian.views.words.ends import nothing_happened
from lydian.views.words.verdicts import Stretch, concerned, decided_at, stretches, verdict

__all__ = ["ChecksList", "verdict"]

REMARK = Qt.ItemDataRole.UserRole + 1
#: The number of the check whose strip a row shows.
STRIP = Qt.ItemDataRole.UserRole + 2
#: The width of a check's strip, the width of the list that has room for it, and its height.
STRIP_WIDTH, STRIP_ROOM, STRIP_HEIGHT = 64, 220, 8
_WRAPPED = int(Qt.TextFlag.TextWordWrap)

#: The glossary's words for the kinds of check; every other kind is simply a property.
_TERMS = {"always": "safety", "eventually": "liveness"}
_LOOKS = {True: ("tick", "check.holds"), False: ("cross", "check.violated"), None: ("clock", "check.pending")}


class _TwoLines(QStyledItemDelegate):
    """A delegate that draws a check: sign, name, a remark in smaller type, and its strip over time on the right."""

    def __init__(self, theme: Theme, playhead: Playhead, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme, self.playhead = theme, playhead
        self.strips: list[tuple[Stretch, ...]] = []

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        body, small = (QFontMetrics(self.theme.font(role)) for role in ("body", "small"))
        view = self.parent()
        wide = view.viewport().width() if isinstance(view, QAbstractItemView) else 120
        left, right = self._sides(QRect(0, 0, wide, 0), index)
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        high = body.boundingRect(QRect(0, 0, max(right - left, 60), 10_000), _WRAPPED, text).height()
        return QSize(120, max(high, body.height()) + small.height() + 13)

    def _sides(self, box: QRect, index: QModelIndex | QPersistentModelIndex) -> tuple[int, int]:
        """Return where the texts of a row begin and end, between the sign and the strip."""
        left, right = box.left() + 10, box.right() - 10
        if isinstance(index.data(Qt.ItemDataRole.DecorationRole), QIcon):
            left += 27
        if self._stretches(index) and box.width() >= self.theme.stretched(STRIP_ROOM):
            right -= self.theme.stretched(STRIP_WIDTH) + 12
        return left, right

    def _stretches(self, index: QModelIndex | QPersistentModelIndex) -> tuple[Stretch, ...]:
        """Return the intervals of the check in a row; a remark in place of the checks has none."""
        row = index.data(STRIP)
        return self.strips[row] if isinstance(row, int) and row < len(self.strips) else ()

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        p.save()
        try:
            box: QRect = option.rect
            state: QStyle.StateFlag = option.state
            if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
                ground = "accent.soft" if state & QStyle.StateFlag.State_Selected else "surface.panelAlt"
                p.fillRect(box, self.theme.color(ground))
            sign = index.data(Qt.ItemDataRole.DecorationRole)
            left, right = self._sides(box, index)
            if isinstance(sign, QIcon):
                sign.paint(p, QRect(box.left() + 10, box.top() + 5, 18, 18))
            strip = self._stretches(index)
            if right < box.right() - 10:
                length, high = self.theme.stretched(STRIP_WIDTH), self.theme.stretched(STRIP_HEIGHT)
                self._strip(p, QRect(right + 12, box.center().y() - high // 2, length, high), strip)
            wide = right - left
            top = box.top() + 5
            for role, text, ink in (
                ("body", str(index.data(Qt.ItemDataRole.DisplayRole) or ""), "text.primary"),
                ("small", str(index.data(REMARK) or ""), "text.hint"),
            ):
                p.setFont(self.theme.font(role))
                p.setPen(self.theme.color(ink))
                room = QRect(left, top, wide, box.bottom() - top)
                top = p.drawText(room, _WRAPPED, text).bottom() + 2
            p.setPen(self.theme.color("border.subtle"))
            p.drawLine(box.bottomLeft(), box.bottomRight())
        finally:
            p.restore()

    def _strip(self, p: QPainter, box: QRect, strip: tuple[Stretch, ...]) -> None:
        """Draw when a check holds, is violated or is open: up to the play head in full, the rest pale."""
        theme, end = self.theme, max(self.playhead.end, 1e-9)
        ground = theme.color("border.subtle")
        now = box.left() + round(box.width() * min(max(self.playhead.t, 0.0) / end, 1.0))
        over = bool(self.playhead.timeline is not None and self.playhead.position >= self.playhead.events)
        p.fillRect(box, ground)
        for stretch in strip:
            if stretch.state is None:
                continue
            color = theme.color(_LOOKS[stretch.state][1])
            # The checks of the last run remain here until the next run has its own, whatever its length is by then.
            left = box.left() + round(box.width() * _share(stretch.start, end))
            right = box.left() + round(box.width() * _share(stretch.end, end))
            left = min(left, box.right() - 3) if right - left < 4 else left  # keep a final verdict visible
            right = max(right, left + 4)
            played = right if over else min(max(now, left), right)
            whole = QRect(left, box.top(), right - left, box.height())
            p.fillRect(whole, mixed(theme.color("surface.panel"), color, 0.28))
            p.fillRect(QRect(left, box.top(), played - left, box.height()), color)
            if stretch.state is False:  # so that it differs from holding in more than its colour
                p.fillRect(QRect(left, box.top() - 2, 2, box.height() + 4), color)
        p.fillRect(QRect(min(now, box.right()), box.top() - 2, 1, box.height() + 4), theme.color("text.secondary"))


def _share(time: float, end: float) -> float:
    """Return the position of a time in a run, from 0 to 1."""
    return min(max(time / end, 0.0), 1.0)


class ChecksList(QListWidget):
    """The list of checks; a click goes to the event that decided a check and selects the processes concerned."""

    def __init__(self, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playhead, self.theme = playhead, theme
        self.checks: list[Mapping[str, Any]] = []
        self._shown: object = None
        self.setAccessibleName(tr("Checks"))
        self.setIconSize(QSize(18, 18))
        self.setMouseTracking(True)
        self._lines = _TwoLines(theme, playhead, self)
        self.announcer = Announcer(self)
        self._moment: object = None
        self.setItemDelegate(self._lines)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)  # the rows wrap anew
        self.itemClicked.connect(self._go)
        self.itemActivated.connect(self._go)

    def load(self, checks: Sequence[Mapping[str, Any]]) -> None:
        """Show other checks, or the same ones with other verdicts."""
        fresh: list[Mapping[str, Any]] = [dict(check) for check in checks]
        if fresh != self.checks or not fresh:
            self._shown = None
        self.checks = fresh
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        self._shown = None
        self.doItemsLayout()
        self.refresh()

    def states(self) -> list[bool | None]:
        """Return the verdict of each check at this moment."""
        head, still = self.playhead, self._still
        return [
            None if still and check.get("holds") is None else verdict(check, head.position, head.events)
            for check in self.checks
        ]

    @property
    def _still(self) -> bool:
        """Return whether the run has no event by which a check could be judged."""
        timeline = self.playhead.timeline
        return timeline is not None and bool(nothing_happened(timeline.trace.summary))

    def refresh(self) -> None:
        """Show the verdicts at this moment if one of them has changed."""
        states = self.states()
        remarks = [self._remark(check, state) for check, state in zip(self.checks, states, strict=True)]
        self._move_strips()
        if self._shown == (states, remarks):
            return
        self._announce(states)
        self._shown = (states, remarks)
        if self.count() != max(1, len(self.checks)) or not self.checks:
            self.clear()
            for _check in self.checks:
                self.addItem(QListWidgetItem())
        if not self.checks:
            item = QListWidgetItem(tr("No checks"))
            item.setData(REMARK, tr("the protocol declares no properties"))
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)
        for row, (check, state, remark) in enumerate(zip(self.checks, states, remarks, strict=True)):
            item = self.item(row)
            sign, color = _LOOKS[state]
            item.setIcon(icon(sign, self.theme, color))
            name = str(check.get("name", ""))
            item.setText(name[:1].upper() + name[1:])
            item.setData(REMARK, remark)
            item.setData(STRIP, row)
            term = _TERMS.get(str(check.get("kind")), "property")
            item.setToolTip(explained(f"{name}: {remark}", term))
            item.setData(TERM, term)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{check.get('name')}: {remark}")

    def _move_strips(self) -> None:
        """Draw the strips anew if one of them has changed by a pixel; those of a run that grows rarely do."""
        head = self.playhead
        timeline, end, wide = head.timeline, max(head.end, 1e-9), self.theme.stretched(STRIP_WIDTH)
        strips: list[tuple[Stretch, ...]] = []
        if timeline is not None:
            strips += [stretches(check, timeline) for check in self.checks]
        self._lines.strips = strips
        ends = [[(each.state, _share(each.start, end), _share(each.end, end)) for each in strip] for strip in strips]
        pixels = [[(state, round(wide * a), round(wide * b)) for state, a, b in strip] for strip in ends]
        moment = (round(wide * _share(max(head.t, 0.0), end)), head.position >= head.events, pixels)
        if moment != self._moment:
            self._moment = moment
            self.viewport().update()

    def _announce(self, states: list[bool | None]) -> None:
        """Announce at once the checks that have just become violated."""
        before = self._shown[0] if isinstance(self._shown, tuple) else []
        if not self.announcer.active or len(before) != len(states):
            return
        broken = [
            str(check.get("name"))
            for check, was, now in zip(self.checks, before, states, strict=True)
            if now is False and was is not False
        ]
        if broken:
            self.announcer.assertive(tr("Violated: {properties}", properties=", ".join(broken)))

    def _remark(self, check: Mapping[str, Any], state: bool | None) -> str:
        at, timeline = check.get("at"), self.playhead.timeline
        time = ""
        if isinstance(at, int) and timeline is not None and 0 <= at < len(timeline.time):
            time = time_text(float(timeline.time[at]), self.playhead.end)
        words = {
            "always": trc("property", "always"),
            "eventually": trc("property", "at some time"),
            "at_end": trc("property", "at the end"),
        }
        kind = words.get(str(check.get("kind")), trc("property", "counted at the end"))
        if state is False:
            return tr("violated at {time}", time=time) if time else trc("property", "violated")
        if state is None and timeline is not None and (self._still or not len(timeline.time)):
            return tr("not judged, as no event has happened; {kind}", kind=kind)
        if state is None:
            return tr("open; {kind}", kind=kind)
        if check.get("kind") == "always":
            return tr("holds so far; {kind}", kind=kind)
        return tr("holds at {time}", time=time) if time else trc("property", "holds")

    def _go(self, item: QListWidgetItem) -> None:
        """Go to the event that decided a check, and select it with the processes at which the check was violated."""
        row = self.row(item)
        timeline = self.playhead.timeline
        if timeline is None or row >= len(self.checks):
            return
        check = self.checks[row]
        event = decided_at(check, timeline)
        if event < 0 and check.get("holds") is not False:
            return
        self.playhead.pause()
        self.playhead.seek(float(timeline.time[event]) if event >= 0 else self.playhead.end)
        whom = concerned(check, timeline)
        if event >= 0:
            acting = int(timeline.process[event])
            self.playhead.select(Selection(whom or frozenset({acting} if acting >= 0 else ()), event=event))
        elif whom:
            self.playhead.select(Selection(whom))
        self.item(row).setSelected(True)
