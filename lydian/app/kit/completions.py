"""The list below a field of what may be typed into it."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QListView, QWidget

__all__ = ["CompletionList"]


class CompletionList(QListView):
    """The list of a ``QCompleter``: Qt makes it a window of nobody's, so it takes the style sheet of its field's."""

    def __init__(self, field: QWidget) -> None:
        super().__init__()
        self.field = field
        self.setAccessibleName("What may stand here")

    def showEvent(self, event: QShowEvent) -> None:
        """It looks as the window of the field does now."""
        above = self.field
        while (parent := above.parentWidget()) is not None:
            above = parent
        if self.styleSheet() != above.styleSheet():
            self.setStyleSheet(above.styleSheet())
        super().showEvent(event)
