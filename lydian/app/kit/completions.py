"""The list below a field of texts that may be typed into it."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QListView, QWidget

from lydian.language import tr

__all__ = ["CompletionList"]


class CompletionList(QListView):
    """The list of a ``QCompleter``, which Qt makes a window without a parent; it copies its field's style sheet."""

    def __init__(self, field: QWidget) -> None:
        super().__init__()
        self.field = field
        self.setAccessibleName(tr("Possible entries"))

    def showEvent(self, event: QShowEvent) -> None:
        """Take over the current style sheet of the field's window."""
        above = self.field
        while (parent := above.parentWidget()) is not None:
            above = parent
        if self.styleSheet() != above.styleSheet():
            self.setStyleSheet(above.styleSheet())
        super().showEvent(event)
