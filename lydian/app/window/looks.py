"""How the window looks: theme, layout, projector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from lydian.app.look.style import window_style
from lydian.app.look.theme import Theme
from lydian.app.window import arrangement
from lydian.app.window.actions import paint_icons

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow

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
        self._docks: QByteArray | None = None
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
            sheet = window_style(theme)
            if application.styleSheet() != sheet:  # every widget of every window is styled anew
                application.setPalette(theme.palette())
                application.setFont(theme.font("body"))
                application.setStyleSheet(sheet)
        paint_icons(window.actions_by_name, theme)
        for part in (window.toolbar, window.notice, window.stage, window.bottom, window.status):
            part.set_theme(theme)

    def arrange(self, name: str, *, afresh: bool = False) -> None:
        """Arrange the docks as Watch, Study or for a projector."""
        self._choose(name)
        self.window.stage.arrange(name, afresh=afresh)

    def restore(self) -> None:
        """The layout of the last time with the docks where they were on this screen, else where they belong."""
        window = self.window
        self.arrange(window.settings.layout or arrangement.default_layout(window.width()))
        state = window.settings.bytes(self._key())
        if state is not None and not window.stage.restore(self.layout, state):
            window.settings.forget(self._key())
            self.arrange(self.layout, afresh=True)

    def remember(self) -> None:
        """Keep where the docks are, for this layout and this screen."""
        if not self.theme.projector:
            self.window.settings.set_bytes(self._key(), self.window.stage.state())

    def reset(self) -> None:
        """Every dock back to where it belongs."""
        self.window.settings.forget(self._key())
        self.arrange(arrangement.default_layout(self.window.width()), afresh=True)

    def _key(self) -> str:
        size = self.window.screen().size()
        return f"docks-{self.layout}-{size.width()}x{size.height()}"

    def _choose(self, name: str) -> None:
        self.layout = name
        if f"layout_{name}" in self.window.actions_by_name:
            self.window.actions_by_name[f"layout_{name}"].setChecked(True)
            self.window.settings.layout = name

    def project(self, on: bool) -> None:
        """Large type and lines, the network and causality alone, the whole screen; or back."""
        if on == self.theme.projector:
            return
        window = self.window
        window.actions_by_name["projector"].setChecked(on)
        if on:
            self._before, self._docks = self.layout, window.stage.state()
        window.menuBar().setVisible(not on)
        window.statusBar().setVisible(not on)
        full = Qt.WindowState.WindowFullScreen
        window.setWindowState(window.windowState() | full if on else window.windowState() & ~full)
        self.apply(Theme(self.theme.name, on))
        self.arrange("projector" if on else self._before)
        if not on and self._docks is not None:
            window.stage.restore(self.layout, self._docks)
