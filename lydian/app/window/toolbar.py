"""The one row above the views: menus, undo, Run, replay or live, faults, search, layout, workspaces, projector, theme.

Nothing in it is clipped: what does not fit becomes a menu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QTabBar, QToolBar, QToolButton, QWidget

from lydian.app.commands.table import CommandAction
from lydian.app.kit.choice import Choice, MenuButton
from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up, token
from lydian.app.live.tools.faultbar import FaultBar
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.window.findfield import NARROWEST, FindField
from lydian.app.window.menubar import MenuBar
from lydian.language import tr, trc

__all__ = ["ToolBar"]

#: The commands for watching a finished run or interfering with a live one, and the layouts.
MODES = ("mode_replay", "mode_live")
LAYOUTS = ("layout_watch", "layout_study", "layout_debug")
#: The widths in pixels from which the menus and the layouts, and the tools for faults, are side by side if they fit.
BAR, TOOLS = 1600, 1900
#: The distance between two parts, and at either end.
GAP, MARGIN = 4, 8


class ToolBar(QToolBar):
    """The row; only Run is a filled button. Projecting makes it larger.

    Attributes:
        menu_bar: the menus.
        run: the button that runs the experiment.
        find_field: the field that opens the search.
        theme_button: the button that switches between light and dark.
    """

    def __init__(self, actions: Mapping[str, CommandAction], theme: Theme, window: QWidget) -> None:
        super().__init__(tr("Tools"), window)
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._run_action = actions["run"]
        self._of_run: list[QWidget] = []  # hidden in the other workspaces
        self._theme = theme
        self.menu_bar = MenuBar(actions, theme, window)
        self._steps = [self._icon(actions[name]) for name in ("undo", "redo")]
        self.run = set_up(QToolButton(), look="runButton", name=trc("command", "Run"))
        self.run.setDefaultAction(actions["run"])
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.run.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.modes = Choice(tr("Replay or live"), [actions[name] for name in MODES], theme)
        self.faults: FaultBar | None = None
        self.tabs: QTabBar | None = None
        self._tabs_button: MenuButton
        self.find_field = FindField(theme, actions["palette"].shortcut().toString())
        self.find_field.clicked.connect(actions["palette"].trigger)
        self.layouts = Choice(tr("Layout"), [actions[name] for name in LAYOUTS], theme)
        self._ends = [self._icon(actions["projector"]), QToolButton()]
        self.theme_button = self._ends[1]
        self._square(self.theme_button)
        lines = [_Line() for _ in range(5)]
        self._line = lines[3]  # in front of the workspaces
        self._of_run += [lines[1], self.run, self.modes, lines[2], self.layouts]
        row = QWidget()
        row.setMinimumWidth(1)  # or the tool bar would hide the whole row where it does not fit
        row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = across(
            self.menu_bar.button, self.menu_bar, lines[0], *self._steps, lines[1], self.run, self.modes, lines[2],
            ..., self.find_field, self.layouts, lines[3], lines[4], *self._ends,
            on=row, margins=(MARGIN, 0, MARGIN, 0), spacing=GAP,
        )  # fmt: skip
        self._lines = lines
        self._inside, self._fitted = row, 0
        row.installEventFilter(self)
        self.addWidget(row)
        actions["run"].setIconText(tr("Run  F5"))
        self.set_theme(theme)

    # ------------------------------------------------------------------ parts

    def _icon(self, action: CommandAction) -> QToolButton:
        """Return a button with the icon of a command."""
        button = set_up(QToolButton(), name=action.text().replace("&", "").rstrip("…"))
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        return self._square(button)

    def _square(self, button: QToolButton) -> QToolButton:
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return set_look(
            button, self._theme, square=token("space.toolButton"),
            icon_size=lambda theme: theme.stretched(24 if theme.projector else 18),
        )  # fmt: skip

    def hold_faults(self, faults: FaultBar) -> None:
        """Insert the tools for faults after the modes."""
        self.faults = faults
        self._of_run.append(faults)
        self._row.insertWidget(self._row.indexOf(self._lines[2]) + 1, faults)
        self.setTabOrder(self.modes.button, faults)
        self.fit()

    def hold_tabs(self, tabs: QTabBar) -> None:
        """Insert the tabs of the workspaces before the last buttons; a menu replaces them where they do not fit."""
        self.tabs = tabs
        menu = QMenu(self)
        for number in range(tabs.count()):
            menu.addAction(tabs.tabText(number), partial(tabs.setCurrentIndex, number))
        menu.aboutToShow.connect(lambda: _show_visible(menu, tabs))
        self._tabs_button = MenuButton(tr("Workspace"), menu, self._theme)
        at = self._row.indexOf(self._line) + 1
        self._row.insertWidget(at, tabs)
        self._row.insertWidget(at + 1, self._tabs_button)
        self.setTabOrder(self.layouts.button, tabs)
        self.setTabOrder(tabs, self._tabs_button)
        self.set_workspace("run")

    def set_workspace(self, name: str) -> None:
        """Show the parts for a workspace: its menus; the run, its faults and layouts only for the run."""
        self.menu_bar.show_for(name)
        for part in self._of_run:
            part.setVisible(name == "run")
        if self.tabs is not None:
            self._tabs_button.say(self.tabs.tabText(self.tabs.currentIndex()))
        self.fit()

    # ------------------------------------------------------------------ fitting

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the row again when its parts need more or less room, as with larger text."""
        if event.type() == QEvent.Type.LayoutRequest and self._needs() != self._fitted:
            self.fit()
        return bool(super().eventFilter(watched, event))

    def fit(self) -> None:
        """Show as much of the row as fits, and the rest as menus."""
        if self.faults is None or self.tabs is None:
            return
        wide, projector, native = self.width(), self._theme.projector, self.menu_bar.isNativeMenuBar()
        run, find = self.run.isVisibleTo(self), self.find_field
        least = self._theme.stretched(NARROWEST)
        self.menu_bar.fold((wide < BAR or projector) and not native)
        self.layouts.fold(wide < BAR or projector)
        self.faults.fold(wide < TOOLS or projector)
        self.modes.fold(False)
        self._fold_tabs(False)
        self._run_action.setIconText(tr("Run  F5"))
        for part in (*self._steps, *self._ends, *self._lines):
            part.setVisible(run or part not in self._of_run)
        given_up: tuple[tuple[int, Callable[[], object]], ...] = (  # the room that the search needs, or else what to do
            (least, partial(self.faults.fold, True)),
            (least, partial(self.layouts.fold, True)),
            (least, partial(self.menu_bar.fold, not native)),
            (least, partial(self._fold_tabs, True)),
            (find.side, partial(self.modes.fold, True)),
            (find.side, partial(self._run_action.setIconText, trc("command", "Run"))),
            (find.side, partial(_hide, self._steps)),
            (find.side, partial(_hide, (*self._ends, *self._lines))),
        )
        for needed, give_up in given_up:
            if self._room() >= needed:
                break
            give_up()
        self._fitted = self._needs()
        find.fit(self._room())

    def _room(self) -> int:
        """Return the number of pixels that the other parts leave for the search."""
        return self.width() - self._needs()

    def _needs(self) -> int:
        """Return the width of the row without the search."""
        items = [self._row.itemAt(at) for at in range(self._row.count())]
        parts = [item.widget() for item in items if item is not None]
        shown = [part for part in parts if part is not None and part is not self.find_field and not part.isHidden()]
        hints = [part.sizeHint().expandedTo(part.minimumSize()).boundedTo(part.maximumSize()) for part in shown]
        return 2 * MARGIN + sum(hint.width() + GAP for hint in hints) + GAP

    def _fold_tabs(self, on: bool) -> None:
        if self.tabs is not None:
            self.tabs.setVisible(not on)
            self._tabs_button.setVisible(on)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        side, size = int(theme.size("space.toolButton")), theme.stretched(24 if theme.projector else 18)
        self._inside.setFixedHeight(side + 13)  # 46 with the line below
        for line in self._lines:
            line.setFixedSize(9, side - 8)
        self.run.setFixedHeight(side)
        self.run.setIcon(icon("play", theme, "text.onAccent"))
        self.run.setIconSize(QSize(size - 3, size - 3))
        switch = tr("Switch to the light theme") if theme.dark else tr("Switch to the dark theme")
        self.theme_button.setIcon(icon("sun" if theme.dark else "moon", theme))
        self.theme_button.setToolTip(switch)
        self.theme_button.setAccessibleName(switch)
        self.fit()


class _Line(QFrame):
    """A line between two groups of parts."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rowLine")

    def sizeHint(self) -> QSize:
        return self.minimumSize()


def _hide(parts: Iterable[QWidget]) -> None:
    for part in parts:
        part.hide()


def _show_visible(menu: QMenu, tabs: QTabBar) -> None:
    """Show the entries of those tabs that are visible."""
    for number, action in enumerate(menu.actions()):
        action.setVisible(tabs.isTabVisible(number))
