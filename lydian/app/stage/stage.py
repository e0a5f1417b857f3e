"""The middle of the window: a dock for each view, for the experiment, for the checks and for the text trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from PySide6.QtCore import QByteArray, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabWidget, QWidget

from lydian.app.canvas.cameras import NetworkCamera, SpaceCamera, TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.pilot import Pilot
from lydian.app.canvas.timemenu import toggle_longest
from lydian.app.canvas.titlelink import TitleLink
from lydian.app.canvas.windowbar import WindowBar
from lydian.app.look.theme import Theme
from lydian.app.panels import arrangement
from lydian.app.panels.checks import ChecksList
from lydian.app.panels.dock import Dock, Spot
from lydian.app.panels.experiment.experiment import ExperimentPanel
from lydian.app.panels.overlay import PlayButton
from lydian.app.panels.trace.tracepane import TracePane
from lydian.app.stage.options import Options
from lydian.app.work.documents import Documents
from lydian.app.work.player import Player
from lydian.desk.guide.glossary import explained
from lydian.language import tr
from lydian.trace.timeline import Timeline
from lydian.views.registry import names, view, views

__all__ = ["MOST", "PINS", "Copies", "Stage", "kinds"]


class Alone:
    """The maximised dock of a stage, one at a time.

    Attributes:
        name: the maximised dock, or nothing.
        before: the arrangement of the docks before, if one is maximised.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.name = ""
        self.before: QByteArray | None = None

    def toggle(self, name: str = "") -> None:
        """Maximise one dock (the one with the focus if none is named), or restore it.

        A dock in a separate window fills the screen instead.
        """
        name = name or self.name or self.under_focus
        dock = self.stage.docks[name]
        if dock.isFloating():
            dock.showNormal() if dock.isMaximized() else dock.showMaximized()
            return
        again = self.name == name
        self.put_back()
        if again:
            return
        self.before, self.name = self.stage.state(), name
        dock.content.setFocus(Qt.FocusReason.OtherFocusReason)  # first, since hiding moves the focus
        for other in self.stage.docks.values():
            if other is not dock and not other.isFloating():
                other.hide()
        dock.show()
        dock.set_maximised(True)
        arrangement.settle(self.stage)

    def put_back(self) -> bool:
        """Return every dock to its place; return False if none is maximised."""
        if not self.name:
            return False
        dock, before = self.stage.docks.get(self.name), self.before
        self.name, self.before = "", None
        if dock is not None:
            dock.set_maximised(False)
        if before is not None:
            self.stage.put(before)
        return True

    @property
    def under_focus(self) -> str:
        """Return the name of the dock that has the focus, or of the network if none has."""
        widget: QWidget | None = QApplication.focusWidget() or self.stage.focusWidget()
        while widget is not None and not isinstance(widget, Dock):
            widget = widget.parentWidget()
        return widget.name if isinstance(widget, Dock) and widget.name in self.stage.docks else "basic"


#: The maximum number of views of one kind, and of pinned processes.
MOST, PINS = 9, 3


def kinds() -> tuple[str, ...]:
    """Return the kinds of dock that may have several views: the views and the text trace."""
    return (*names(), "trace")


class Copies:
    """The further views of each kind, by the names of their docks: ``causality-2``.

    Attributes:
        canvases: the views that draw.
        panes: further text traces.
        pins: the name of the process to which a process view is pinned.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.canvases: dict[str, Canvas] = {}
        self.panes: dict[str, TracePane] = {}
        self.pins: dict[str, str] = {}
        self._pin_actions: dict[str, QAction] = {}

    def __contains__(self, name: object) -> bool:
        return name in self.canvases or name in self.panes

    @property
    def names(self) -> list[str]:
        """Return the docks of all further views."""
        return [*self.canvases, *self.panes]

    def refresh(self) -> None:
        """Redraw the further views whose contents have changed."""
        for canvas in self.canvases.values():
            canvas.refresh()
        for pane in self.panes.values():
            pane.list.refresh()

    # ------------------------------------------------------------------ opening and closing

    def fill_menu(self, dock: Dock, kind: str) -> None:
        """Add the part of a dock's menu that concerns several views of its kind."""
        another = QAction(tr("New view of this kind"), dock)
        another.triggered.connect(lambda: self.open(kind, dock.name))
        dock.add_to_menu(another)
        if kind != "step":
            return
        pin = QAction(tr("Pin"), dock)
        if dock.name == "step":
            pin.setText(tr("Pin this process in a new view"))
            pin.setToolTip(tr("Show this process in a view of its own, regardless of the selection"))
            pin.triggered.connect(lambda: self.open("step", "step"))
        else:
            pin.setCheckable(True)
            pin.setToolTip(tr("Keep showing this process, regardless of the selection"))
            pin.triggered.connect(lambda on: self.pin(dock.name) if on else self.unpin(dock.name))
            self._pin_actions[dock.name] = pin
        dock.add_to_menu(pin)
        dock.add_button(pin, "pin")

    def open(self, kind: str, origin: str = "") -> str:
        """Open another view of a kind with the options of an existing one; return its name, or nothing if there are
        enough.

        It belongs to the layout in which it is opened, and is restored with it.
        """
        origin = origin or kind
        if kind == "step" and self._enough():
            return ""
        number = next((n for n in range(2, MOST + 1) if f"{kind}-{n}" not in self), 0)
        hidden = None if number else self._hidden(kind)
        if hidden is None and not number:
            self._say(tr("{count} views of one kind are already open; close one of them to open another.", count=MOST))
            return ""
        self.stage.put_back()
        process = self._shown(origin) if kind == "step" else None
        name = hidden or self._make(kind, number)
        dock = self.stage.docks[name]
        self._begin_like(name, origin)
        self.stage.place_copy(dock, origin)
        if process is not None:
            self.pin(name, process)
        dock.content.setFocus(Qt.FocusReason.OtherFocusReason)
        return name

    def _enough(self) -> bool:
        """Return whether the maximum number of processes is pinned in this layout; report it if so."""
        enough = sum(not self.stage.docks[name].isHidden() for name in self.pins) >= PINS
        if enough:
            self._say(tr("Three processes are already pinned; close or unpin one of them to pin another."))
        return enough

    def _hidden(self, kind: str) -> str | None:
        """Return a view of this kind that belongs to another layout."""
        return next((n for n in self.names if n.startswith(f"{kind}-") and self.stage.docks[n].isHidden()), None)

    def _make(self, kind: str, number: int) -> str:
        """Make a further view of a kind without showing it."""
        stage, playhead = self.stage, self.stage.player.playhead
        name = f"{kind}-{number}"
        first = stage.docks[kind]
        # "Process 2" would be mistaken for a process
        title = f"{tr('Process view') if kind == 'step' else first.windowTitle().split(' — ')[0]} {number}"
        widget: QWidget
        if kind == "trace":
            widget = self.panes[name] = TracePane(playhead, stage.theme)
            widget.field.setAccessibleName(tr("Filter of {view}", view=title))
            widget.save_wanted.connect(lambda: stage.save_text(self.panes[name]))
        else:
            camera = TimeCamera()
            widget = self.canvases[name] = Canvas(view(kind), playhead, stage.theme, camera)
            widget.setObjectName(f"canvas-{name}")
            widget.setAccessibleName(tr("{view} view", view=title))
            if playhead.timeline is not None:
                camera.load(playhead.timeline)
        dock = stage.add_dock(name, title, first.icon_name, widget, first.bar.toolTip(), beside="")
        dock.hide()
        if isinstance(widget, Canvas):
            stage.connect_canvas(dock, widget)
        else:
            self.fill_menu(dock, kind)
            self.panes[name].load()
        dock.set_theme(stage.theme)
        return name

    def _begin_like(self, name: str, origin: str) -> None:
        """Copy the options, zoom and filter of the view from which a further view was opened."""
        stage = self.stage
        if name in self.panes:
            pane = stage.pane if origin == "trace" else self.panes[origin]
            self.panes[name].field.setText(pane.field.text())
            return
        stage.options.give_back(name, stage.options.chosen(origin))
        mine = self.canvases[name].camera
        other = (stage.canvases.get(origin) or self.canvases[origin]).camera
        if isinstance(mine, TimeCamera) and isinstance(other, TimeCamera):
            mine.show(*other.window)
            mine.following = other.following
        elif isinstance(mine, NetworkCamera) and other.scale is not None:
            mine.set(other.scale, other.dx, other.dy, other.aspect)
        elif isinstance(mine, SpaceCamera) and isinstance(other, SpaceCamera):
            mine.view = other.view

    def close(self, name: str) -> None:
        """Close a further view for good."""
        for table in (self.canvases, self.panes, self.pins, self._pin_actions):
            table.pop(name, None)
        self.stage.options.forget(name)
        self.stage.remove_dock(name)

    def close_all(self, *, seen: bool = False) -> None:
        """Close all further views for good, or only those ``seen`` in this layout."""
        for name in self.names:
            if not seen or not self.stage.docks[name].isHidden():
                self.close(name)

    # ------------------------------------------------------------------ pinned processes

    def pin(self, name: str, process: str | None = None) -> None:
        """Pin a process view to a process, by default to the one that it shows."""
        if name not in self.pins and self._enough():
            self._pin_actions[name].setChecked(False)
            return
        process = self._shown(name) if process is None else process
        if process is None:
            self._pin_actions[name].setChecked(False)
            return
        self.pins[name] = process
        self._follow_pin(name, self.stage.player.playhead.timeline)

    def unpin(self, name: str) -> None:
        """Make a process view follow the selection again."""
        self.pins.pop(name, None)
        self._follow_pin(name, self.stage.player.playhead.timeline)

    def _shown(self, name: str) -> str | None:
        """Return the process that a process view shows at the moment."""
        timeline = self.stage.player.playhead.timeline
        canvas = self.stage.canvases.get(name) or self.canvases[name]
        if timeline is None:
            return None
        frame = canvas.compute()  # the last painted frame may be of another moment
        return timeline.processes[frame.process] if frame.process >= 0 else None

    def _follow_pin(self, name: str, timeline: Timeline | None) -> None:
        canvas, dock, process = self.canvases[name], self.stage.docks[name], self.pins.get(name)
        self._pin_actions[name].setChecked(process is not None)
        self._pin_actions[name].setText(
            tr("Pin") if process is None else tr("Pinned to process {process}", process=process)
        )
        processes = () if timeline is None else timeline.processes
        index = processes.index(process) if process in processes else None
        sentence = ""
        if process is not None and index is None and timeline is not None:
            sentence = tr(
                "There is no process {process} in this run; unpin the view to see another process.", process=process
            )
        dock.unavailable(sentence)
        canvas.options.pop("offset", None)
        canvas.set_option("process", index)

    def load(self, timeline: Timeline) -> None:
        """Find the pinned processes by their names in another run."""
        for name in self._pin_actions:
            self._follow_pin(name, timeline)

    # ------------------------------------------------------------------ memory

    def describe(self) -> list[dict[str, Any]]:
        """Return a description of all further views, for :meth:`give_back`."""
        records: list[dict[str, Any]] = []
        for name in self.names:
            kind, _, number = name.rpartition("-")
            record: dict[str, Any] = {"kind": kind, "number": int(number)}
            if name in self.panes:
                record["filter"] = self.panes[name].field.text()
            else:
                record["options"] = self.stage.options.chosen(name)
            if name in self.pins:
                record["pin"] = self.pins[name]
            records.append(record)
        return records

    def give_back(self, records: object) -> None:
        """Reopen, hidden, the views that :meth:`describe` described; unreadable entries are left out."""
        for record in records if isinstance(records, Iterable) else ():
            if not isinstance(record, Mapping):
                continue
            kind, number, pin = record.get("kind"), record.get("number"), record.get("pin")
            good = kind in kinds() and type(number) is int and 2 <= number <= MOST
            if not good or f"{kind}-{number}" in self:
                continue
            name = self._make(str(kind), int(number))  # type: ignore[arg-type]
            if name in self.panes:
                self.panes[name].field.setText(str(record.get("filter") or ""))
            else:
                self.stage.options.give_back(name, record.get("options"))
            if kind == "step" and isinstance(pin, str):
                self.pin(name, pin)

    def _say(self, sentence: str) -> None:
        self.stage.documents.said.emit(sentence, False)


#: The version of saved arrangements of docks; other versions are not restored.
STATE = 3


class Stage(QMainWindow):
    """A window inside the main window with only docks and no central widget.

    Attributes:
        canvases: the views by name, one of each kind.
        docks: all docks by name, including further views of a kind.
        copies: the further views of a kind.
        options: the options of each view.
        places: the combination of the docks, as returned by :func:`arrangement.places_for`.
    """

    #: The user requests the menu of a thing: the canvas, the hit or ``None``, the point of the screen.
    menu_wanted = Signal(object, object, QPoint)
    #: A view was made: its canvas.
    canvas_made = Signal(object)

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
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        playhead = player.playhead
        self.panel, self._actions = panel, actions
        self.places = self._layout = self._base = ""
        self._alone = Alone(self)
        self.usual: QByteArray | None = None  # the arrangement of docks while two runs are compared
        self._opened = False  # the process dock was opened by a selection and closes with it
        self.checks = ChecksList(playhead, theme)
        self.pane = TracePane(playhead, theme)
        self.trace = self.pane.list
        self.pane.save_wanted.connect(lambda: self.save_text(self.pane))
        self.canvases: dict[str, Canvas] = {}
        self.docks: dict[str, Dock] = {}
        self.options = Options(playhead, camera, documents)
        self.copies = Copies(self)
        player.others = self._movers
        self.add_dock(
            "experiment", tr("Experiment"), "flag", panel, tr("The settings of the experiment."), layouts=("study",)
        )
        for spec in views():
            canvas = self.canvases[spec.name] = Canvas(spec, playhead, theme, camera)
            dock = self.add_dock(
                spec.name, spec.title, spec.icon, canvas, spec.about,
                beside=spec.beside, how=spec.how, narrow=spec.narrow, layouts=spec.layouts,
            )  # fmt: skip
            self.connect_canvas(dock, canvas)
            player.show_on(canvas)
        self.add_dock(
            "checks", tr("Checks"), "checks", self.checks,
            tr("The protocol's properties, and whether they are satisfied."),
            beside="step", how="below", layouts=("study",),
        )  # fmt: skip
        trace = self.add_dock(
            "trace", tr("Text trace"), "trace", self.pane, tr("Every event as a line of text."),
            beside="communication", how="below", narrow="causality", layouts=("debug", "debug-wide"),
        )  # fmt: skip
        self.copies.fill_menu(trace, "trace")
        player.show_on(self.checks)
        player.show_on(self.trace)
        player.show_on(self.copies)
        arrangement.place(self, self.docks)
        for name, action in actions.items():
            if name.startswith("view_") and name[5:] not in self.docks:
                action.setEnabled(False)  # until its dock is added
        self.big_play = PlayButton(theme, self.canvases["basic"], self.canvases["basic"].occupied)
        self.big_play.clicked.connect(actions["play"].trigger)

    # ------------------------------------------------------------------ docks

    def add_dock(
        self,
        name: str,
        title: str,
        icon: str,
        widget: QWidget | Callable[[], QWidget],
        about: str = "",
        *,
        beside: str = "checks",
        how: str = "tab",
        narrow: str = "",
        layouts: tuple[str, ...] = (),
    ) -> Dock:
        """Add a dock for a widget; the command ``view_NAME``, if there is one, shows and hides it.

        Args:
            name: its name in the program, in :attr:`docks` and in the settings.
            title: the title in its bar.
            icon: the icon in its bar.
            widget: the content, or a function that makes it at the first use. If the content has ``set_theme``, this is
                called at each change of look; if it has a signal ``titled``, its text is shown beside the title.
            about: one or two sentences that explain the content.
            beside: the dock beside which it is placed, or nothing if it is placed later.
            how: ``tab``, ``below``, ``above``, ``right`` or ``left`` of that dock; in a narrow window always a tab.
            narrow: the dock over which it is a tab in a narrow window, if that is another one.
            layouts: the names in :data:`arrangement.LAYOUTS` of the layouts that show it; in others it is closed.

        Raises:
            ValueError: a dock with this name already exists.
        """
        if name in self.docks:
            raise ValueError(f"a dock named {name!r} already exists")
        dock = Dock(name, title, icon, widget, self.theme, about, self, spot=Spot(beside, how, layouts, narrow))
        dock.commands = lambda: list(self._actions.values())
        dock.maximise_wanted.connect(lambda: self.maximise(name))
        dock.closed.connect(lambda: self._closed(name))
        self.docks[name] = dock
        action = self._actions.get(f"view_{name}")
        if action is not None:
            action.setEnabled(True)
            dock.visibilityChanged.connect(lambda _on: action.setChecked(not dock.isHidden()))
        if self.places and beside:
            arrangement.put(self, self.docks, dock, self.places)
            dock.setVisible(self._layout in layouts)
        else:
            dock.hide()  # until it is placed
        return dock

    def remove_dock(self, name: str) -> None:
        """Remove a dock and its content for good."""
        dock = self.docks.pop(name)
        self.removeDockWidget(dock)
        dock.hide()
        dock.deleteLater()

    def connect_canvas(self, dock: Dock, canvas: Canvas) -> None:
        """Connect the menu and the mouse actions of a view."""
        canvas.scrubbed.connect(self._scrub)
        canvas.opened.connect(self._open_process)
        canvas.menu_wanted.connect(lambda hit, at: self.menu_wanted.emit(canvas, hit, at))
        if canvas.pilot is not None:
            canvas.pilot.wake = self.player.wake
        canvas.asked.connect(lambda choice, value: self.options.choose(dock.name, choice, value))
        if canvas.spec.name == "causality":
            hint = explained(tr("Show or hide this chain"), "causal chain")
            TitleLink(dock.note, "longest", lambda: toggle_longest(canvas), hint)
            dock.add_to_bar(WindowBar(canvas.camera, self.theme))
        self.options.fill_menu(dock, canvas)
        self.copies.fill_menu(dock, canvas.spec.name)
        self.canvas_made.emit(canvas)

    def pictures(self) -> Iterator[Canvas]:
        """Return all views, including further ones of a kind."""
        yield from self.canvases.values()
        yield from self.copies.canvases.values()

    def views_shown(self) -> list[Canvas]:
        """Return the visible views in the order in which they are arranged in the window, row by row."""
        seen = [canvas for canvas in self.pictures() if canvas.isVisible() and not canvas.visibleRegion().isEmpty()]
        if not seen:
            return [self.canvases["basic"]]
        places = {id(canvas): canvas.mapToGlobal(QPoint(0, 0)) for canvas in seen}
        return sorted(seen, key=lambda canvas: (places[id(canvas)].y() // 40, places[id(canvas)].x()))

    def cameras(self) -> Iterator[TimeCamera]:
        """Return every camera along time that some view uses."""
        yield self.camera
        yield from (c.camera for c in self.copies.canvases.values() if isinstance(c.camera, TimeCamera))

    def _movers(self) -> Iterator[TimeCamera | Pilot]:
        """Return everything that may move besides the play head."""
        yield from self.cameras()
        yield from (canvas.pilot for canvas in self.pictures() if canvas.pilot is not None)

    def panes(self) -> Iterator[TracePane]:
        """Return all text traces."""
        yield self.pane
        yield from self.copies.panes.values()

    def save_text(self, pane: TracePane) -> None:
        """Ask for a file and save the listed lines of a text trace."""
        path = self.documents.place_for_run(tr("Save listed lines as text"), tr("Text (*.txt)"), ".txt")
        if path is not None:
            self.documents.written(lambda: pane.write_text(path), path)

    def place_copy(self, dock: Dock, origin: str = "") -> None:
        """Show a further view of a kind near another one of its kind."""
        first = self.docks[origin or dock.name.rpartition("-")[0]]
        arrangement.place_copy(self, self.docks, first, dock, self.places)

    def _placed(self, name: str) -> bool:
        """Return whether a dock has a place in the window or is a window itself."""
        dock = self.docks[name]
        return dock.isFloating() or self.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea

    def show_view(self, name: str, on: bool) -> None:
        """Show or hide a dock; showing a hidden tab brings it to the front."""
        dock = self.docks[name]
        if not on and self._behind(dock):
            on = True
        if self.maximised and not dock.isFloating() and not (on and self.maximised == name):
            self.put_back()
        if on and not self._placed(name):
            self.place_copy(dock)
        before = QApplication.focusWidget()
        dock.setVisible(on)
        self.hold_focus(before)
        self._opened = self._opened and name != "step"
        if on:
            dock.raise_()
            self._say_views()

    def hold_focus(self, before: QWidget | None) -> None:
        """Leave the focus with the widget that had it ``before``, or give it to a view if that is hidden now.

        Qt would otherwise move it to any other widget, such as the button of a panel, when something is hidden.
        """
        if before is None or not self.isAncestorOf(before) or before.hasFocus():
            return
        views = [canvas for canvas in (self.canvases["basic"], *self.pictures()) if canvas.isVisible()]
        held = next((each for each in ([before] if before.isVisible() else views)), None)
        if held is not None:
            held.setFocus(Qt.FocusReason.OtherFocusReason)

    def _closed(self, name: str) -> None:
        """Handle the closing of a dock by the user; a further view of a kind is removed for good."""
        if self.maximised == name:
            self.put_back()
            self.docks[name].hide()
        if name in self.copies:
            self.copies.close(name)
        self._say_views()

    # ------------------------------------------------------------------ maximising

    @property
    def maximised(self) -> str:
        """The maximised dock, if there is one."""
        return self._alone.name

    def maximise(self, name: str = "") -> None:
        """Maximise one dock (the one with the focus if none is named), or restore it exactly."""
        self._alone.toggle(name)
        self._say_views()

    def put_back(self) -> bool:
        """Return every dock to its place before one was maximised; return False if none is."""
        done = self._alone.put_back()
        self._say_views()
        return done

    # ------------------------------------------------------------------ layouts

    def arrange(self, layout: str, *, afresh: bool = False) -> None:
        """Show the docks of a layout in their places; with ``afresh``, even if the user has moved them."""
        self.put_back()
        same = not afresh and layout == self._base
        kept = [name for name in self.copies.names if same and not self.docks[name].isHidden()]
        places = arrangement.places_for(self.window().width(), self.height(), layout)
        if afresh or places != self.places:
            self.places = places
            arrangement.place(self, self.docks, places)
        self._opened, self._base = False, layout
        self._layout = arrangement.arrange(self, self.docks, layout, [name for name in kept if self._placed(name)])
        for name in kept:
            if not self._placed(name):
                self.place_copy(self.docks[name])
        self.selected(bool(self.player.playhead.selection.processes))
        self._say_views()

    @property
    def layout_key(self) -> str:
        """The key of :data:`arrangement.LAYOUTS` for the current arrangement."""
        return self._layout

    def state(self) -> QByteArray:
        """Return the arrangement of the docks, or the one before a dock was maximised or two runs were compared."""
        if self.usual is not None:
            return self.usual
        return self.saveState(STATE) if self._alone.before is None else self._alone.before

    def restore(self, layout: str, state: QByteArray) -> bool:
        """Restore the arrangement of the docks in a layout; return False if that is impossible."""
        self.put_back()
        self._base, self._layout = layout, arrangement.effective(layout, self.window().width())
        self.places = arrangement.places_for(self.window().width(), self.height(), layout)
        good = self.put(state)
        self._say_views()
        return good

    def put(self, state: QByteArray) -> bool:
        """Restore only the arrangement of the docks; return False if that is impossible."""
        good = bool(self.restoreState(state, STATE))
        for dock in self.docks.values():
            dock.check_frame()
        return good

    def close_windows(self) -> None:
        """Close the views that have windows of their own when the main window closes."""
        for dock in self.docks.values():
            if dock.isFloating():
                dock.hide()

    def selected(self, on: bool) -> None:
        """In a narrow Study, show the process over causality when one is selected, and hide it when none is."""
        if self.maximised:
            return
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
        """Return the docks over which a hidden dock will be a tab."""
        was = dock.isHidden()
        if was:
            dock.show()
        tabs = self.tabifiedDockWidgets(dock)
        dock.setVisible(not was)
        return tabs

    def _behind(self, dock: Dock) -> bool:
        """Return whether a dock is open, but behind another one."""
        return not dock.isHidden() and not dock.isFloating() and dock.visibleRegion().isEmpty() and self.isVisible()

    def _say_views(self) -> None:
        for name, dock in self.docks.items():
            if f"view_{name}" in self._actions:
                self._actions[f"view_{name}"].setChecked(not dock.isHidden())
        self._actions["maximise"].setChecked(bool(self.maximised))
        self.update()

    @property
    def empty(self) -> bool:
        """Whether every view in the window is closed."""
        return all(dock.isHidden() or dock.isFloating() for dock in self.docks.values())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Explain how to reopen views if all of them are closed."""
        super().paintEvent(event)
        if not self.empty:
            return
        painter = QPainter(self)
        try:
            painter.setPen(self.theme.color("text.secondary"))
            painter.setFont(self.theme.font("body"))
            key = self._actions["layout_reset"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            sentence = tr(
                "All views are closed. {key} restores those of the layout; the View menu opens single ones.", key=key
            )
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), sentence)
        finally:
            painter.end()

    # ------------------------------------------------------------------ all of them

    @property
    def focused(self) -> Canvas:
        """The view that has the focus; if none has, the maximised one, else the network."""
        alone = {canvas for canvas in self.pictures() if self.maximised and canvas.isVisible()}
        return next((c for c in self.pictures() if c.hasFocus()), alone.pop() if alone else self.canvases["basic"])

    def fit_all(self) -> None:
        """Show everything in every view."""
        for canvas in self.pictures():
            canvas.fit()

    def reset_zoom(self) -> None:
        """Show the whole network in every view, and the usual part of the run."""
        self.fit_drawings()
        for camera in self.cameras():
            camera.reset()

    def fit_drawings(self) -> None:
        """Show the whole network in every view that draws one."""
        for canvas in self.pictures():
            if isinstance(canvas.camera, NetworkCamera | SpaceCamera):
                canvas.fit()

    def save_picture(self, canvas: Canvas) -> None:
        """Ask for a file and save a view as PNG, SVG or PDF."""
        self.options.save_picture(canvas)

    # ------------------------------------------------------------------ the mouse

    def _scrub(self, t: float) -> None:
        self.player.playhead.pause()
        self.player.playhead.seek(t)

    def _open_process(self, _process: int) -> None:
        self.show_view("step", True)
