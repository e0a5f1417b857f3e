"""All events as text, read on demand, so that a million lines scroll as ten do."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from lydian.app.theme import Theme
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
        self.theme = theme
        self.position = 0

    def load(self, timeline: Timeline | None) -> None:
        self.beginResetModel()
        self.timeline = timeline
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if self.timeline is None or parent.isValid() else len(self.timeline.time)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.timeline is None or not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return line(self.timeline, index.row())
        if role == Qt.ItemDataRole.ForegroundRole:
            return self.theme.color("text.hint" if index.row() >= self.position else "text.primary")
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
        self.clicked.connect(lambda index: playhead.pick(Hit("event", index.row())))
        self.doubleClicked.connect(self._go)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.rows.theme = theme
        self.setFont(theme.font("small", mono=True))

    def load(self) -> None:
        """Show the play head's run."""
        self.rows.load(self.playhead.timeline)
        self.rows.position = 0
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
        index = self.rows.index(max(k - 1, 0), 0)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        self.viewport().update()

    def _go(self, index: QModelIndex) -> None:
        if self.rows.timeline is not None:
            self.playhead.pause()
            self.playhead.seek(float(self.rows.timeline.time[index.row()]))
