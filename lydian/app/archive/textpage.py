"""A page of text that is given to it: the description, the page of the guide, what should hold."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QKeyEvent, QTextDocument
from PySide6.QtWidgets import QWidget

from lydian.app.look.theme import Theme
from lydian.app.panels.guidetext import for_theme
from lydian.app.panels.helppage import Page

__all__ = ["TextPage"]


class TextPage(Page):
    """Markdown in the theme's colours; links of the program's own are asked for as on any page of the guide."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(name)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.text = ""

    def show_text(self, text: str, file: Path | None = None) -> None:
        """Show a text; relative links and pictures count from a file."""
        if text == self.text and file == self.file:
            return
        self.text, self.file = text, file
        self._draw()
        self.verticalScrollBar().setValue(0)

    def _draw(self) -> None:
        document = self.document()
        document.setBaseUrl(QUrl() if self.file is None else QUrl.fromLocalFile(str(self.file)))
        document.setMarkdown(for_theme(self.text, self.theme.dark), QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        self._dress()
        self._fit(force=True)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        place = self.verticalScrollBar().value()
        self._draw()
        self.verticalScrollBar().setValue(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() == "/" or event.key() == Qt.Key.Key_Escape:
            event.ignore()  # the workspace's own
        else:
            super().keyPressEvent(event)
