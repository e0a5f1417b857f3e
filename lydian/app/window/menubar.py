"""The menus of the workspace in front: a bar, or one button that holds them where there is no room for a bar."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolButton, QWidget

from lydian.app.commands.command import workspaces_of
from lydian.app.commands.table import ON_PROCESSES, READY, RECENT, CommandAction, fill_menus, where
from lydian.app.kit.choice import opens
from lydian.app.kit.theming import set_look, set_up, token
from lydian.app.look.theme import Theme
from lydian.language import tr

__all__ = ["MenuBar"]


class MenuBar(QMenuBar):
    """The menu bar, which is in the window's tool bar unless the desktop provides a place for it.

    Attributes:
        menus: the menus and submenus by their paths in the table of commands.
        button: the button that holds the menus while the bar is hidden; Alt opens it.
    """

    def __init__(self, actions: Mapping[str, CommandAction], theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("menus")
        self.setAccessibleName(tr("Menus"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._commands = actions
        self.menus: dict[str, QMenu] = fill_menus(self, actions)
        self.button = set_up(QToolButton(window), name=tr("Menus"), tip=tr("Menus (Alt)"))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        held = QMenu(self.button)
        held.addActions(self.actions())
        opens(self.button, held)
        set_look(
            self.button, theme, icon="menu", square=token("space.toolButton"),
            icon_size=lambda theme: theme.stretched(24 if theme.projector else 18),
        )  # fmt: skip
        self._letters = {path: self._letter(menu, window) for path, menu in self.menus.items() if "/" not in path}
        self._alone = False  # whether Alt was pressed, and nothing else since
        window.installEventFilter(self)
        self.fold(False)

    def _letter(self, menu: QMenu, window: QWidget) -> QShortcut:
        """Return the key that opens a menu from the button, as it does from the bar."""
        key = QShortcut(QKeySequence.mnemonic(menu.title()), window)
        key.activated.connect(partial(self._open, menu))
        return key

    def _open(self, menu: QMenu) -> None:
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height())))

    def fold(self, on: bool) -> None:
        """Show the button in place of the bar, or the bar in place of the button."""
        self.button.setVisible(on)
        self.setVisible(not on)
        for path, key in self._letters.items():
            key.setEnabled(on and self.menus[path].menuAction().isVisible())

    def show_for(self, workspace: str) -> None:
        """Show the menus of a workspace. What is not in them has no effect by its keys either."""
        for name, action in self._commands.items():
            action.stand(name not in where() or workspace in where()[name])
        for path in sorted(self.menus, key=lambda path: -path.count("/")):  # the submenus first
            menu = self.menus[path]
            if path in (RECENT, ON_PROCESSES, READY):  # filled when they open
                shown = workspace in workspaces_of(path)
            else:
                shown = any(action.isVisible() for action in menu.actions() if not action.isSeparator())
            menu.menuAction().setVisible(shown)
        for path, key in self._letters.items():
            key.setEnabled(not self.button.isHidden() and self.menus[path].menuAction().isVisible())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the button's menu when Alt is pressed alone and released, as the bar does itself."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            self._alone = event.key() == Qt.Key.Key_Alt and event.modifiers() in (
                Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier,
            )  # fmt: skip
        elif isinstance(event, QMouseEvent) or kind == QEvent.Type.WindowDeactivate:
            self._alone = False
        elif isinstance(event, QKeyEvent) and kind == QEvent.Type.KeyRelease and event.key() == Qt.Key.Key_Alt:
            alone, self._alone = self._alone, False
            if alone and self.button.isVisible():
                self.button.setFocus(Qt.FocusReason.MenuBarFocusReason)
                self.button.click()
                return True
        return bool(super().eventFilter(watched, event))
