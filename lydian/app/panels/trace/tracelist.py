"""All events as text, read on demand, so that a million lines scroll as smoothly as ten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from lydian.app.kit.theming import set_look
from lydian.app.look.shapes import head_icon, state_icon
from lydian.app.look.theme import Theme
from lydian.desk.guide.glossary import explained
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.pieces.animation import Animation, generic
from lydian.pieces.messagelooks import kind_at
from lydian.trace.events import FAULTS, NO_STATE, Kind
from lydian.trace.timeline import Timeline
from lydian.views.selection import Hit
from lydian.views.words.sentence import explain, line
from lydian.views.words.words import brief

__all__ = ["CLOCKS", "TraceList", "TraceModel"]

_ROOT = QModelIndex()
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
#: The tooltips of the columns.
CLOCKS: Mapping[str, Callable[[], str]] = {
    "time": lambda: tr("The simulated time of the event"),
    "lamport": lambda: explained(tr("The Lamport time of the event"), "Lamport clock"),
}
#: The maximum number of lines that are copied at once.
MOST_COPIED = 200_000


class TraceModel(QAbstractListModel):
    """A model with one row for each event."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.timeline: Timeline | None = None
        self.animation: Animation = generic()
        self.events: NDArray[np.int64] | None = None
        self.theme = theme
        self.position = 0

    def load(
        self, timeline: Timeline | None, events: NDArray[np.int64] | None = None, animation: Animation | None = None
    ) -> None:
        """Show a row for each of these events, by rising number, or for all events by default."""
        self.beginResetModel()
        self.timeline, self.events = timeline, events
        self.animation = animation or generic()
        self.endResetModel()

    def event_at(self, row: int) -> int:
        """Return the event in a row."""
        return row if self.events is None else int(self.events[row])

    def row(self, event: int) -> int:
        """Return the row of an event, or of the last one before it that has a row; -1 if there is none."""
        return event if self.events is None else int(np.searchsorted(self.events, event, side="right")) - 1

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        if self.timeline is None or parent.isValid():
            return 0
        return len(self.timeline.time) if self.events is None else len(self.events)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.timeline is None or not index.isValid():
            return None
        event = self.event_at(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return line(self.timeline, event)
        if role == Qt.ItemDataRole.ToolTipRole:
            return explain(self.timeline, event, self.animation, rich=True)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self.theme.color("text.hint" if event >= self.position else "text.primary")
        return None


class TraceList(QListView):
    """The list of events; the latest event is marked and kept in view.

    A click selects the event in all views; a click on its time, a double click or Return also goes there. Further lines
    are selected with Shift and Ctrl, to be copied.

    Attributes:
        clock: ``time`` or ``lamport``, the contents of the first column.
    """

    #: The contents of the clock column have changed.
    clock_changed = Signal(str)

    def __init__(self, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playhead = playhead
        self.clock = "time"
        self.rows = TraceModel(theme, self)
        self.setModel(self.rows)
        self._lines = _Line(self, theme)
        self.setItemDelegate(self._lines)
        self.setAccessibleName(tr("Events as text"))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.clicked.connect(lambda index: playhead.pick(Hit("event", self.rows.event_at(index.row()))))
        self.doubleClicked.connect(self._go)
        self.activated.connect(self._go)
        set_look(self, theme, font="small")
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._lines.measure()
        self.doItemsLayout()

    def load(self, events: NDArray[np.int64] | None = None) -> None:
        """Show the play head's run, or only these events of it."""
        self.rows.load(self.playhead.timeline, events, self.playhead.animation)
        self.rows.position = -1
        self._lines.measure()
        self.refresh()

    def show_clock(self, clock: str) -> None:
        """Show simulated time or Lamport time in the first column."""
        if clock != self.clock:
            self.clock = clock
            self._lines.measure()
            self.viewport().update()
            self.clock_changed.emit(clock)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Mark the latest event."""
        if not self.isVisible() or self.rows.timeline is not self.playhead.timeline:
            return
        k = self.playhead.position
        if k == self.rows.position:
            return
        self.rows.position = k
        index = self.rows.index(max(self.rows.row(k - 1), 0), 0)
        model = self.selectionModel()
        if not self.hasFocus() or len(model.selectedIndexes()) < 2:  # a selection in progress is kept
            self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the latest event in view when the height is reduced."""
        super().resizeEvent(event)
        if self.now >= 0:
            self.scrollTo(self.rows.index(self.now, 0), QAbstractItemView.ScrollHint.EnsureVisible)

    @property
    def now(self) -> int:
        """The row of the latest event, or -1 before the first."""
        return self.rows.row(self.rows.position - 1) if self.rows.position > 0 else -1

    def _go(self, index: QModelIndex) -> None:
        if self.rows.timeline is not None and index.isValid():
            event = self.rows.event_at(index.row())
            self.playhead.pause()
            self.playhead.seek(float(self.rows.timeline.time[event]))
            self.playhead.pick(Hit("event", event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if plain and event.button() == Qt.MouseButton.LeftButton and event.position().x() < self._lines.clock_right:
            self._go(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go(self.currentIndex())
            return
        super().keyPressEvent(event)
        if event.key() in _MOVES and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            index = self.currentIndex()
            if index.isValid():
                self.playhead.pick(Hit("event", self.rows.event_at(index.row())))

    # ------------------------------------------------------------------ copying

    def lines(self, rows: Any = None) -> list[str]:
        """Return the text of these rows, or of all rows."""
        timeline = self.rows.timeline
        if timeline is None:
            return []
        rows = range(self.rows.rowCount()) if rows is None else rows
        return [line(timeline, self.rows.event_at(row)) for row in rows]

    def copy(self, *, everything: bool = False) -> int:
        """Copy the selected lines, or all lines, to the clipboard, and return their number."""
        marked = None if everything else sorted(index.row() for index in self.selectionModel().selectedIndexes())
        count = self.rows.rowCount() if marked is None else len(marked)
        found = self.lines(range(min(count, MOST_COPIED)) if marked is None else marked[:MOST_COPIED])
        if found:
            QGuiApplication.clipboard().setText("\n".join(found) + "\n")
        return len(found)


class _Line(QStyledItemDelegate):
    """A delegate that draws an event: its clock, the state and name of its process, its message, its text."""

    def __init__(self, view: TraceList, theme: Theme) -> None:
        super().__init__(view)
        self.view, self.theme = view, theme
        self.clock_right = self._name = self._other = 0
        self._measured: object = None

    @property
    def other(self) -> str:
        """The clock of the last column."""
        return "time" if self.view.clock == "lamport" else "lamport"

    def clock_at(self, x: float) -> str:
        """Return the clock whose column is at a place of a row, or ""."""
        if x < self.clock_right:
            return self.view.clock
        return self.other if x > self.view.viewport().width() - self._other else ""

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:  # fmt: skip
        """Explain the clocks at the two ends of a row; the tooltip of the rest explains the event."""
        clock = self.clock_at(event.pos().x()) if event.type() == QEvent.Type.ToolTip else ""
        if clock:
            QToolTip.showText(event.globalPos(), CLOCKS[clock](), view)
            return True
        return bool(super().helpEvent(event, view, option, index))

    def measure(self) -> None:
        """Measure the widths of the columns."""
        timeline = self.view.rows.timeline
        mono = QFontMetrics(self.theme.font("small", mono=True))
        names = ("00",) if timeline is None else timeline.processes[:500]
        font = self.theme.font("small", semibold=True)
        if (names, font) != self._measured:  # a run that grows has the same processes
            self._measured = names, font
            bold = QFontMetrics(font)
            self._name = min(max(bold.horizontalAdvance(name) for name in names or ("0",)), 90)
        self.clock_right = 10 + mono.horizontalAdvance(self.widest(self.view.clock))
        self._other = 18 + QFontMetrics(self.theme.font("small")).horizontalAdvance(self.widest(self.other))

    def widest(self, clock: str) -> str:
        """Return the longest text of a column."""
        timeline = self.view.rows.timeline
        if timeline is None or not timeline.length:
            return "88.88"
        if clock == "lamport":
            return str(int(timeline.lamport.max(initial=0))) + "8"
        return f"{timeline.end:.2f}"

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, QFontMetrics(self.theme.font("small")).height() + 6)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        timeline = self.view.rows.timeline
        if timeline is None:
            return
        p.save()
        try:
            self._paint(p, option.rect, option.state, index.row(), timeline)
        finally:
            p.restore()

    def _paint(self, p: QPainter, box: QRect, state: QStyle.StateFlag, row: int, timeline: Timeline) -> None:
        view, theme, model = self.view, self.theme, self.view.rows
        event = model.event_at(row)
        now, chosen = row == view.now, event == view.playhead.selection.event
        marked = bool(state & QStyle.StateFlag.State_Selected)
        if now or marked or chosen:
            p.fillRect(box, theme.color("accent.soft"))
        elif state & QStyle.StateFlag.State_MouseOver:
            p.fillRect(box, theme.color("surface.panelAlt"))
        if now:
            p.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        if chosen:
            p.setPen(theme.color("selection"))
            p.drawRect(box.adjusted(4, 0, -5, -1))
        future = event >= model.position
        kind = int(timeline.kind[event])
        fault = kind == Kind.DROP or kind in FAULTS
        ink = theme.color("text.hint" if future else "text.primary")
        p.setPen(ink)
        p.setFont(theme.font("small", mono=True))
        first = f"{float(timeline.time[event]):.2f}" if view.clock == "time" else str(int(timeline.lamport[event]))
        middle, right = int(Qt.AlignmentFlag.AlignVCenter), int(Qt.AlignmentFlag.AlignRight)
        p.drawText(QRect(box.left(), box.top(), self.clock_right - box.left(), box.height()), middle | right, first)
        x, size = self.clock_right + 12, max(QFontMetrics(theme.font("small")).height() - 3, 10)
        p.setOpacity(0.55 if future else 1.0)
        self._chip(p, x, box, size, event, timeline)
        x += size + 6
        p.setOpacity(1.0)
        process = int(timeline.process[event])
        p.setFont(theme.font("small", semibold=True))
        name = timeline.processes[process] if process >= 0 else ""
        name = p.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, self._name)
        p.drawText(QRect(x, box.top(), self._name, box.height()), middle, name)
        x += self._name + 8
        label = int(timeline.label[event])
        if kind in (Kind.SEND, Kind.RECEIVE, Kind.DROP, Kind.INJECT) and label >= 0:
            p.setOpacity(0.55 if future else 1.0)
            mark = size - (3 if kind == Kind.SEND else -3)
            head = head_icon(theme, kind_at(timeline, event, model.animation), mark)
            p.drawPixmap(x + (size - mark) // 2, box.center().y() - mark // 2 + 1, head)
            p.setOpacity(1.0)
        x += size + 6
        p.setFont(theme.font("small"))
        other = f"{int(timeline.lamport[event])}" if view.clock == "time" else f"{float(timeline.time[event]):.2f}"
        p.setPen(theme.color("text.hint"))
        inner = box.adjusted(0, 0, -10, 0)
        p.drawText(inner, middle | right, other)
        inner.setRight(inner.right() - p.fontMetrics().horizontalAdvance(other) - 8)
        inner.setLeft(x)
        p.setPen(theme.color("fault.base") if fault and not future else ink)
        text = brief(timeline, event, model.animation)
        p.drawText(inner, middle, p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width()))

    def _chip(self, p: QPainter, x: int, box: QRect, size: int, event: int, timeline: Timeline) -> None:
        """Draw the sign of the state after the event."""
        code = int(timeline.state[event])
        if code == NO_STATE or not 0 <= code < len(timeline.states):
            return
        slot = self.view.rows.animation.slot(timeline.states[code])
        crashed = int(timeline.kind[event]) == Kind.CRASH
        p.drawPixmap(x, box.center().y() - size // 2 + 1, state_icon(self.theme, slot, size, crashed=crashed))
