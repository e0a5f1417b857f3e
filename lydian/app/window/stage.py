"""The middle of the window: a dock for each view, for the experiment, for the checks and for the text trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.viewspec import VIEWS, Choice
from lydian.app.look.theme import Theme
from lydian.app.painters.axis import COLUMN
from lydian.app.panels.checks import ChecksList
from lydian.app.panels.dock import Dock
from lydian.app.panels.experiment import ExperimentPanel
from lydian.app.panels.overlay import PlayButton
from lydian.app.panels.tracepane import TracePane
from lydian.app.window import arrangement
from lydian.app.window.documents import Documents
from lydian.app.window.player import Player

__all__ = ["Stage"]

#: Version of the saved places of docks; another one is not restored.
STATE = 2


class Stage(QMainWindow):
    """A window inside the window, all docks and no centre.

    Attributes:
        canvases: the views by name.
        docks: all docks by name.
    """

    def __init__(
        self,
        player: Player,
        theme: Theme,
        camera: TimeCamera,
        panel: ExperimentPanel,
        documents: Documents,
        actions: Mapping[str, QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("inner")
        self.player, self.theme, self.camera, self.documents = player, theme, camera, documents
        self.setDockNestingEnabled(True)
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        playhead = player.playhead
        self.panel, self._actions = panel, actions
        self.checks = ChecksList(playhead, theme)
        self.pane = TracePane(playhead, theme)
        self.trace = self.pane.list
        self.canvases: dict[str, Canvas] = {}
        self._choices: dict[tuple[str, str], dict[Any, QAction]] = {}
        self.docks: dict[str, Dock] = {"experiment": Dock("experiment", "Experiment", "flag", panel, theme)}
        for spec in VIEWS:
            canvas = Canvas(spec, playhead, theme, camera)
            dock = Dock(spec.name, spec.title, spec.icon, canvas, theme, spec.about)
            canvas.titled.connect(dock.say)
            canvas.scrubbed.connect(self._scrub)
            canvas.opened.connect(self._open_process)
            self._fill_menu(dock, canvas, spec.choices)
            self.canvases[spec.name], self.docks[spec.name] = canvas, dock
            player.show_on(canvas)
        self.docks["checks"] = Dock("checks", "Checks", "checks", self.checks, theme)
        self.docks["trace"] = Dock("trace", "Text trace", "trace", self.pane, theme, "Every event as a line of text.")
        self.pane.titled.connect(self.docks["trace"].say)
        player.show_on(self.checks)
        player.show_on(self.trace)
        self._places = self._layout = ""
        self._opened = False  # the process was opened by a selection, and closes with it
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        arrangement.place(self, self.docks)
        for name, dock in self.docks.items():
            action = actions[f"view_{name}"]
            dock.visibilityChanged.connect(lambda _on, d=dock, a=action: a.setChecked(not d.isHidden()))
        self.big_play = PlayButton(theme, self.canvases["basic"])
        self.big_play.clicked.connect(actions["play"].trigger)

    def show_view(self, name: str, on: bool) -> None:
        """Show or hide a dock; one that lies behind another as a tab comes to the front first."""
        dock = self.docks[name]
        if not on and self._behind(dock):
            on = True
        dock.setVisible(on)
        self._opened = self._opened and name != "step"
        if on:
            dock.raise_()
            self._say_views()

    def arrange(self, layout: str, *, afresh: bool = False) -> None:
        """Show the docks of a layout where they belong, ``afresh`` even where the user has put them elsewhere."""
        places = arrangement.places_for(self.window().width(), self.height())
        if afresh or places != self._places:
            self._places = places
            arrangement.place(self, self.docks, places)
        self._opened = False
        self._layout = arrangement.arrange(self, self.docks, layout)
        self.selected(bool(self.player.playhead.selection.processes))
        self._say_views()

    def state(self) -> QByteArray:
        """Where the docks are."""
        return self.saveState(STATE)

    def restore(self, layout: str, state: QByteArray) -> bool:
        """Put the docks where they were in a layout; false if that cannot be."""
        self._layout = arrangement.effective(layout, self.window().width())
        self._places = arrangement.places_for(self.window().width(), self.height())
        good = bool(self.restoreState(state, STATE))
        self._say_views()
        return good

    def selected(self, on: bool) -> None:
        """A process is selected, or none any more: in a narrow Study the process comes over causality and goes."""
        step, causality = self.docks["step"], self.docks["causality"]
        if on and self._layout == "study-narrow" and step.isHidden() and not self.canvases["causality"].hasFocus():
            if causality in self._tabs_of(step):
                self._opened = True
                step.show()
                step.raise_()
        elif not on and self._opened:
            self._opened = False
            step.hide()
            if not causality.isHidden():
                causality.raise_()

    def _tabs_of(self, dock: Dock) -> list[QDockWidget]:
        """The docks a hidden dock will lie over as a tab."""
        was = dock.isHidden()
        if was:
            dock.show()
        tabs = self.tabifiedDockWidgets(dock)
        dock.setVisible(not was)
        return tabs

    def _behind(self, dock: Dock) -> bool:
        """Whether a dock is open, but behind another one."""
        return not dock.isHidden() and not dock.isFloating() and dock.visibleRegion().isEmpty() and self.isVisible()

    def _say_views(self) -> None:
        for name, dock in self.docks.items():
            self._actions[f"view_{name}"].setChecked(not dock.isHidden())

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        for canvas in self.canvases.values():
            canvas.set_theme(theme)
        for dock in self.docks.values():
            dock.set_theme(theme)
        for part in (self.panel, self.checks, self.pane, self.big_play):
            part.set_theme(theme)

    @property
    def focused(self) -> Canvas:
        """The view under focus; the network if none is."""
        return next((c for c in self.canvases.values() if c.hasFocus()), self.canvases["basic"])

    def fit_all(self) -> None:
        for canvas in self.canvases.values():
            canvas.fit()

    # ------------------------------------------------------------------ menus of the views

    def _fill_menu(self, dock: Dock, canvas: Canvas, choices: tuple[Choice, ...]) -> None:
        for choice in choices:
            menu = dock.menu.addMenu(choice.title)
            group = QActionGroup(menu)
            for number, (value, words) in enumerate(choice.values.items()):
                action = menu.addAction(words)
                action.setCheckable(True)
                action.setChecked(number == 0)
                group.addAction(action)
                self._choices.setdefault((canvas.spec.name, choice.name), {})[value] = action
                action.triggered.connect(self._chooser(canvas, choice, value))
        if choices:
            dock.menu.addSeparator()
        if canvas.camera is not None:
            dock.menu.addAction("Fit all", canvas.fit)
        dock.menu.addAction("Save picture…", lambda: self.save_picture(canvas))
        dock.menu.addAction("Copy picture", lambda: QGuiApplication.clipboard().setPixmap(canvas.grab()))
        dock.set_theme(self.theme)

    def _chooser(self, canvas: Canvas, choice: Choice, value: Any) -> Callable[..., None]:
        return lambda _checked=False: self.choose(canvas.spec.name, choice, value)

    def choose(self, view: str, choice: Choice, value: Any) -> None:
        """Set an option of a view, or of all views that share it."""
        for name, canvas in self.canvases.items():
            if name == view or (choice.shared and choice in canvas.spec.choices):
                self._choices[name, choice.name][value].setChecked(True)
                canvas.set_option(choice.name, value)
        if choice.name == "axis":
            self.camera.set_axis(str(value))
        elif choice.name == "column":
            self.camera.set_margin(COLUMN if value else 0.0)

    def save_picture(self, canvas: Canvas) -> None:
        """Ask where, and save a view as PNG, SVG or PDF."""
        if self.player.playhead.timeline is not None:
            self.documents.save_picture(canvas.spec.title, lambda path: self.write_picture(canvas, path))

    def write_picture(self, canvas: Canvas, path: Path) -> None:
        """The view as it is shown, as a picture file."""
        from lydian.app.pictures.render import render

        head = self.player.playhead
        assert head.timeline is not None
        options: dict[str, Any] = dict(canvas.options)
        if isinstance(canvas.camera, TimeCamera):
            options["window"] = canvas.camera.window
        render(
            head.timeline, head.animation, canvas.spec.name, head.t, path, size=(canvas.width(), canvas.height() + 34),
            theme=self.theme, scale=2.0, selection=head.selection, **options,
        )  # fmt: skip

    # ------------------------------------------------------------------ the mouse

    def _scrub(self, t: float) -> None:
        self.player.playhead.pause()
        self.player.playhead.seek(t)

    def _open_process(self, _process: int) -> None:
        self.show_view("step", True)
