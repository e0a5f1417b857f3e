"""A phrase in the title of a view that can be clicked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel

__all__ = ["TitleLink"]


class TitleLink(QObject):
    """A link in a label: a phrase, up to the next separator or the end.

    Args:
        label: the label that shows the title, on one line from its left edge.
        phrase: the start of the link's text.
        what: called when the link is clicked.
        hint: the tooltip of the link.
    """

    def __init__(self, label: QLabel, phrase: str, what: Callable[[], object], hint: str) -> None:
        super().__init__(label)
        self.label, self.phrase, self.what, self.hint = label, phrase, what, hint
        self._own = ""
        label.setMouseTracking(True)
        label.installEventFilter(self)

    def place(self) -> QRectF:
        """Return the box of the link in the label, empty if it is not there."""
        text = self.label.text()
        start = text.find(self.phrase)
        if start < 0:
            return QRectF()
        stop = text.find(" · ", start)
        metrics = self.label.fontMetrics()
        left = metrics.horizontalAdvance(text[:start]) + self.label.contentsRect().left() + self.label.margin()
        width = metrics.horizontalAdvance(text[start:] if stop < 0 else text[start:stop])
        return QRectF(left, 0, width, self.label.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QMouseEvent):
            over = self.place().contains(QPointF(event.position()))
            if kind == QEvent.Type.MouseMove:
                self.label.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
                if over and self.label.toolTip() != self.hint:
                    self._own = self.label.toolTip()
                    self.label.setToolTip(self.hint)
                elif not over and self.label.toolTip() == self.hint:
                    self.label.setToolTip(self._own)
            elif over and event.button() == Qt.MouseButton.LeftButton:
                if kind == QEvent.Type.MouseButtonRelease:
                    self.what()
                return kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease)
        return False
