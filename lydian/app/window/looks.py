"""The look of the window: theme, layout, projector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QApplication, QLayout, QMainWindow

from lydian.app.commands.table import paint_icons
from lydian.app.kit.theming import set_theme_of
from lydian.app.look.style import window_style
from lydian.app.look.theme import Theme
from lydian.app.panels import arrangement
from lydian.app.stage import remembered as keeping
from lydian.app.work import system
from lydian.app.work.settings import Settings, wanted_language
from lydian.language import language, languages, tr

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["Looks", "use_font"]

#: The minimum width and height of the window.
MINIMUM = (1024, 640)


class Looks(QObject):
    """The look that all parts of a window share.

    Attributes:
        theme: colours and sizes.
        layout: ``watch``, ``study``, ``debug`` or ``projector``.
    """

    def __init__(self, desk: Desk, settings: Settings, window: QMainWindow) -> None:
        super().__init__(window)
        self.desk, self.settings, self.window = desk, settings, window
        self.stage: Stage
        self.layout = "watch"
        self._before = "watch"
        self._kept = ""  # the settings key of the current arrangement of docks
        self._docks: QByteArray | None = None
        self.theme = Theme(self.wanted(), scale=settings.text_scale, still=not settings.motion)
        self._columns: Sequence[QLayout | None] = ()
        self._arranged = False

    def dress(self, stage: Stage, actions: Mapping[str, QAction], columns: Sequence[QLayout | None]) -> None:
        """Set the look of a finished window's parts from now on, and the window's size.

        Args:
            stage: the views.
            actions: the actions of the menus.
            columns: the widgets around the views, from the outside in.
        """
        self.stage, self._actions, self._columns = stage, actions, columns
        self.desk.commands.check(f"theme_{self.settings.theme}", True)
        known = self.settings.language in languages()
        self.desk.commands.check(f"language_{self.settings.language if known else 'system'}", True)
        self.apply(self.theme)
        window = self.window
        window.setMinimumSize(*MINIMUM)
        geometry = self.settings.bytes("geometry")
        if geometry is None or not window.restoreGeometry(geometry):
            screen = QGuiApplication.primaryScreen().availableGeometry()
            width, height = min(1920, round(screen.width() * 0.94)), min(1080, round(screen.height() * 0.92))
            window.resize(max(width, MINIMUM[0]), max(height, MINIMUM[1]))
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Arrange the views when the window is first shown, and when it becomes wide or narrow."""
        if event.type() == QEvent.Type.Show and not self._arranged:
            self._arranged = True
            for layout in self._columns:  # so that the docks are arranged for the final size
                if layout is not None:
                    layout.activate()
            self.stage.canvases["basic"].setFocus(Qt.FocusReason.OtherFocusReason)
            self.restore()
        elif isinstance(event, QResizeEvent) and self._arranged:
            wide = [size.width() >= arrangement.WIDE for size in (event.size(), event.oldSize())]
            if wide[0] != wide[1] and self.layout != "projector" and self.stage.isVisible():
                self.arrange(self.layout)
        return False

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        layouts = {f"layout_{name}": lambda on, name=name: self.arrange(name) for name in ("watch", "study", "debug")}
        themes = {f"theme_{name}": lambda on, name=name: self.choose(name)
                  for name in ("system", "light", "dark", "contrast")}  # fmt: skip
        spoken = {f"language_{code or 'system'}": lambda on, code=code: self.speak(code) for code in ("", *languages())}
        return {**layouts, **themes, **spoken, "projector": self.project, "layout_reset": self.reset}

    def speak(self, code: str) -> None:
        """Use a language from the next start on; the desktop's if the code is empty."""
        self.settings.language = code
        self.desk.commands.check(f"language_{code or 'system'}", True)
        if wanted_language() != language():
            self.desk.notices.say(tr("The language will change when LYDIAN starts again."), False)

    def toggle(self) -> None:
        """Switch between the light and the dark theme."""
        self.choose("light" if self.theme.dark else "dark")

    def suggest(self, layout: str) -> None:
        """Arrange the docks in the given layout, except in projector mode."""
        if layout != self.layout and not self.theme.projector:
            self.arrange(layout)

    def wanted(self) -> str:
        """Return ``light``, ``dark`` or ``contrast`` according to the settings or the desktop."""
        chosen = self.settings.theme
        return system.scheme() if chosen == "system" else chosen

    def system_changed(self, _scheme: object = None) -> None:
        """Follow the desktop's change between light, dark and high contrast."""
        if self.settings.theme == "system" and self.theme.name != self.wanted():
            self.apply(self.theme.but(name=self.wanted()))

    def choose(self, name: str) -> None:
        """Use the theme ``system``, ``light``, ``dark`` or ``contrast`` from now on."""
        self.settings.theme = name
        system.request(name)
        self.desk.commands.check(f"theme_{name}", True)
        self.apply(self.theme.but(name=self.wanted()))

    def apply(self, theme: Theme) -> None:
        """Redraw everything in another look."""
        self.theme, window = theme, self.window
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setPalette(theme.palette())
        use_font(theme)
        sheet = window_style(theme)
        if window.styleSheet() != sheet:  # restyles every widget of the window
            window.setStyleSheet(sheet)
        paint_icons(self._actions, theme)
        set_theme_of(window, theme)

    def arrange(self, name: str, *, afresh: bool = False) -> None:
        """Arrange the docks as Watch, Study, Debug or for a projector.

        A different layout is restored as it was last on this screen; the current one is reset.
        """
        focus = QApplication.focusWidget()
        if name != self.layout and self._kept:
            self.remember()
        before, stage = self._kept, self.stage
        opened = [copy for copy in stage.copies.names if name == self.layout and not stage.docks[copy].isHidden()]
        self._choose(name)
        stage.arrange(name, afresh=afresh)
        self._kept = self._key() if name != "projector" else ""
        if not afresh and self._kept and self._kept != before:
            self._give_back()
            for copy in opened:  # the window became wider or narrower; open docks stay open
                if stage.docks[copy].isHidden():
                    stage.show_view(copy, True)
        stage.hold_focus(focus)

    def restore(self) -> None:
        """Restore the views, layout and docks of the last session on this screen, or the defaults."""
        window = self.window
        keeping.give_back(self.stage, self.settings.record("views"))
        handle = window.windowHandle()
        if handle is not None:
            handle.screenChanged.connect(self.screen_changed)
        self._kept = ""
        self.arrange(self.settings.layout or "watch")

    def _give_back(self) -> None:
        """Restore the docks of this layout on this screen; return False if they were not kept or are unusable."""
        key = self._kept
        state = self.settings.bytes(key)
        if state is not None and not self.stage.restore(self.layout, state):
            self.settings.forget(key)
            self.stage.arrange(self.layout, afresh=True)
        elif self.stage.empty:  # a window without any view is of no use at the start
            self.stage.arrange(self.layout)

    def remember(self) -> None:
        """Keep the arrangement of the docks for this layout and this screen, and the options of the views."""
        if self._kept:
            self.settings.set_bytes(self._kept, self.stage.state())
        self.settings.set_record("views", keeping.describe(self.stage))

    def close(self) -> None:
        """Keep the geometry of the window and its docks, and close views in windows of their own."""
        self.project(False)
        self.settings.set_bytes("geometry", self.window.saveGeometry())
        self.remember()
        self.stage.close_windows()

    def screen_changed(self, _screen: object = None) -> None:
        """Restore the layout that the window last had on its new screen."""
        if self._kept and self._key() != self._kept:
            self.remember()
            self._kept = self._key()
            self._give_back()

    def reset(self) -> None:
        """Return every dock of the layout to its place, and close additional views of a kind."""
        self.stage.reset_zoom()
        self.stage.copies.close_all(seen=True)
        self.settings.forget(self._key())
        self.arrange(self.layout, afresh=True)

    def _key(self) -> str:
        size = self.window.screen().size()
        return f"docks-{self.stage.layout_key}-{size.width()}x{size.height()}"

    def _choose(self, name: str) -> None:
        self.layout = name
        if name != "projector":
            self.desk.commands.check(f"layout_{name}", True)
            self.settings.layout = name

    def project(self, on: bool) -> None:
        """Enter or leave projector mode: large type and lines, only network and causality, full screen."""
        if on == self.theme.projector:
            return
        window = self.window
        self.desk.commands.check("projector", on)
        if on:
            self.remember()
            self._before, self._docks = self.layout, self.stage.state()
        window.statusBar().setVisible(not on)
        full = Qt.WindowState.WindowFullScreen
        window.setWindowState(window.windowState() | full if on else window.windowState() & ~full)
        self.apply(self.theme.but(projector=on))
        self.arrange("projector" if on else self._before)
        if not on and self._docks is not None:
            self.stage.restore(self.layout, self._docks)


def use_font(theme: Theme) -> None:
    """Make the font of a theme that of all widgets.

    It is called before the window is made too, because the style sheet would replace the font by the system's in parts
    of which it sets only the size.
    """
    application = QApplication.instance()
    if isinstance(application, QApplication):
        application.setFont(theme.font("body"))
