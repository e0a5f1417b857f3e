"""How the window looks: theme, layout, projector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from lydian.app import arrangement
from lydian.app.actions import paint_icons
from lydian.app.style import window_style
from lydian.app.theme import Theme

if TYPE_CHECKING:
    from lydian.app.window import MainWindow

__all__ = ["Looks"]


class Looks(QObject):
    """Changes the look of all parts of a window at once.

    Attributes:
        theme: colours and sizes.
        layout: ``watch``, ``study`` or ``projector``.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.layout = "watch"
        self._before = "watch"
        self.theme = Theme(self.wanted())

    def wanted(self) -> str:
        """``light`` or ``dark``, as the settings or the desktop say."""
        chosen = self.window.settings.theme
        if chosen != "system":
            return chosen
        hints = QGuiApplication.styleHints()
        return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"

    def system_changed(self, _scheme: object = None) -> None:
        """The desktop changed between light and dark."""
        if self.window.settings.theme == "system":
            self.apply(Theme(self.wanted(), self.theme.projector))

    def choose(self, name: str) -> None:
        """``system``, ``light`` or ``dark`` from now on."""
        self.window.settings.theme = name
        self.window.actions_by_name[f"theme_{name}"].setChecked(True)
        self.apply(Theme(self.wanted(), self.theme.projector))

    def apply(self, theme: Theme) -> None:
        """Draw everything in another look."""
        self.theme, window = theme, self.window
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setPalette(theme.palette())
            application.setFont(theme.font("body"))
            application.setStyleSheet(window_style(theme))
        paint_icons(window.actions_by_name, theme)
        for part in (window.toolbar, window.notice, window.stage, window.bottom, window.status):
            part.set_theme(theme)

    def arrange(self, name: str) -> None:
        """Arrange the docks as Watch, Study or for a projector."""
        self.layout = name
        if f"layout_{name}" in self.window.actions_by_name:
            self.window.actions_by_name[f"layout_{name}"].setChecked(True)
            self.window.settings.layout = name
        arrangement.arrange(self.window.stage, self.window.stage.docks, name)

    def project(self, on: bool) -> None:
        """Large type and lines, the network and causality alone, the whole screen; or back."""
        if on == self.theme.projector:
            return
        window = self.window
        window.actions_by_name["projector"].setChecked(on)
        if on:
            self._before = self.layout
        window.menuBar().setVisible(not on)
        window.statusBar().setVisible(not on)
        full = Qt.WindowState.WindowFullScreen
        window.setWindowState(window.windowState() | full if on else window.windowState() & ~full)
        self.apply(Theme(self.theme.name, on))
        self.arrange("projector" if on else self._before)
