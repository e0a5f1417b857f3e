"""All events as text, read on demand, so that a million lines scroll as ten do."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from lydian.app.look.theme import Theme
from lydian.trace.timeline import Timeline
from lydian.views.frame import Hit
from lydian.views.playhead import Playhead
from lydian.views.sentence import line

__all__ = ["TraceList", "TraceModel"]

_ROOT = QModelIndex()


class TraceModel(QAbstractListModel):
    """One line an event."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.timeline: Timeline | None = None
        self.events: NDArray[np.int64] | None = None
        self.theme = theme
        self.position = 0

    def load(self, timeline: Timeline | None, events: NDArray[np.int64] | None = None) -> None:
        """Have a line for each of these events, by rising number; for all of them by default."""
        self.beginResetModel()
        self.timeline, self.events = timeline, events
        self.endResetModel()

    def event_at(self, row: int) -> int:
        """The event in a row."""
        return row if self.events is None else int(self.events[row])

    def row(self, event: int) -> int:
        """The row of an event, or of the last one before it that has a row; -1 if there is none."""
        return event if self.events is None else int(np.searchsorted(self.events, event, side="right")) - 1

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        if self.timeline is None or parent.isValid():
            return 0
        return len(self.timeline.time) if self.events is None else len(self.events)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.timeline is None or not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return line(self.timeline, self.event_at(index.row()))
        if role == Qt.ItemDataRole.ForegroundRole:
            return self.theme.color("text.hint" if self.event_at(index.row()) >= self.position else "text.primary")
        return None


class TraceList(QListView):
    """The list; the latest event is marked and kept in view, a click selects, a double click goes there."""

    def __init__(self, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playhead = playhead
        self.rows = TraceModel(theme)
        self.setModel(self.rows)
        self.setAccessibleName("Events as text")
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.clicked.connect(lambda index: playhead.pick(Hit("event", self.rows.event_at(index.row()))))
        self.doubleClicked.connect(self._go)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.rows.theme = theme
        self.setFont(theme.font("small", mono=True))

    def load(self, events: NDArray[np.int64] | None = None) -> None:
        """Show the play head's run, or these events of it."""
        self.rows.load(self.playhead.timeline, events)
        self.rows.position = -1
        self.refresh()

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
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        self.viewport().update()

    def _go(self, index: QModelIndex) -> None:
        if self.rows.timeline is not None:
            self.playhead.pause()
            self.playhead.seek(float(self.rows.timeline.time[self.rows.event_at(index.row())]))
