"""The workspaces of the window as tabs: the run that is watched, the network that is drawn, the protocol, the sweep."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QTabBar, QWidget

from lydian.app.look.theme import Theme
from lydian.app.window.archiveplace import ArchivePlace
from lydian.app.window.networkplace import NetworkPlace
from lydian.app.window.protocolplace import ProtocolPlace
from lydian.app.window.sweepplace import SweepPlace
from lydian.desk.workspaces import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lydian.app.editor.workspace import EditorWorkspace
    from lydian.app.panels.guidetext import Place as GuidePlace
    from lydian.app.panels.statusline import StatusLine
    from lydian.app.stage.stage import Stage
    from lydian.app.window.offers import Offers
    from lydian.app.window.playback import Playback
    from lydian.app.work.documents import Documents
    from lydian.desk.desk import Desk
    from lydian.desk.undo import Undo

__all__ = ["Workspaces"]


class RunPlace(Workspace):
    """The run that is watched."""

    name, word, about = "run", "Run", "Watch the run (Ctrl+Tab)"

    def __init__(self, rooms: Workspaces, widget: QWidget, documents: Documents) -> None:
        self._rooms, self._widget, self._documents = rooms, widget, documents

    @property
    def title(self) -> str:
        return self._rooms.desk.run_title

    @property
    def modified(self) -> bool:
        return self._rooms.desk.session.modified

    @property
    def steps(self) -> Undo:
        return self._rooms.desk.session.undo

    def acts(self) -> dict[str, Callable[[], object]]:
        files = self._documents
        return {"open": files.choose, "save": files.save, "save_as": files.save_as}

    def why_not(self, command: str) -> str:
        return ""

    def come(self) -> None:
        self._rooms.stack.setCurrentWidget(self._widget)
        self._rooms.stage.canvases["basic"].setFocus(Qt.FocusReason.OtherFocusReason)


class Workspaces(QObject):
    """Shows which workspace is in front.

    Attributes:
        run, network, protocols, sweeps, archive: the workspaces.
    """

    #: Another workspace is in front.
    changed = Signal(str)

    def __init__(
        self, desk: Desk, stage: Stage, run: QWidget, status: StatusLine, documents: Documents, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self.desk, self.stage, self.status = desk, stage, status
        self._window = window
        self.stack = QStackedWidget()
        self.stack.setObjectName("workspaces")
        self.stack.addWidget(run)
        self.run = RunPlace(self, run, documents)
        self.network: NetworkPlace
        self.protocols: ProtocolPlace
        self.sweeps: SweepPlace
        self.archive: ArchivePlace
        self.tabs = QTabBar()
        self.tabs.setObjectName("workspaceTabs")
        self.tabs.setAccessibleName("Workspaces")
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def fill(
        self, actions: Mapping[str, QAction], offers: Offers, playback: Playback, network: Callable[[str], object],
        asked: Callable[[str, str], object], help: Callable[[GuidePlace], object],
    ) -> None:  # fmt: skip
        """Make the workspaces.

        Args:
            actions: those of the menus.
            offers: opens examples.
            playback: sets breakpoints.
            network: has the experiment run on a network.
            asked: follows a link of the program's own.
            help: shows a page of the guide.
        """
        places, desk = self.desk.workspaces, self.desk
        self._new = offers.show_row
        self.network = NetworkPlace(self, actions, self._window.menuBar())
        self.protocols = ProtocolPlace(self, actions, playback, network, help)
        self.sweeps = SweepPlace(self)
        self.archive = ArchivePlace(self, offers, asked)
        for place in (self.run, self.network, self.protocols, self.sweeps, self.archive):
            places.add(place)
            self.tabs.setTabToolTip(self.tabs.addTab(place.word), place.about)
        self._widen()
        self._window.menuBar().setCornerWidget(self.tabs, Qt.Corner.TopRightCorner)
        self.tabs.currentChanged.connect(lambda index: places.show(places.names[index]))
        places.changed.connect(self._came)
        places.stayed.connect(self._show_tab)
        desk.session.undo.moved.connect(lambda _index: self.say_undo())
        desk.session.undo.clean_changed.connect(lambda _clean: self.say_title())
        desk.session.experiment_changed.connect(self.say_title)
        desk.session.held.connect(lambda _strange: self.say_title())
        self.say_undo()

    def _widen(self) -> None:
        """The corner of a menu bar is as wide as it was first; the chosen tab is bold and needs more."""
        words = [place.word for place in self.desk.workspaces]
        wide = sum(self.tabs.fontMetrics().horizontalAdvance(word) for word in words)
        self.tabs.setMinimumWidth(round(1.15 * wide) + 44 * len(words))

    @property
    def current(self) -> str:
        """The name of the workspace in front."""
        return self.desk.workspaces.current

    @property
    def editor(self) -> EditorWorkspace | None:
        """The editor of the network, once it was wanted."""
        return self.network.workspace

    def show(self, name: str) -> bool:
        """Bring a workspace to the front; false if the drawing cannot be run and stays in front."""
        return self.desk.workspaces.show(name)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Name of the command -> what it does."""
        places = self.desk.workspaces
        return {
            "workspace_run": lambda: places.show("run"),
            "workspace_network": lambda: places.show("network"),
            "workspace_next": places.next,
            "undo": lambda: None if places.here.steps is None else places.here.steps.undo(),
            "redo": lambda: None if places.here.steps is None else places.here.steps.redo(),
            **{name: lambda name=name: self._act(name) for name in ("open", "save", "save_as")},
            "new": lambda: places.here.acts().get("new", self._new)(),
            "run": self._run,
            **self.network.handlers(),
            **self.protocols.handlers(),
            **self.sweeps.handlers(),
            **self.archive.handlers(),
        }

    def _act(self, name: str) -> None:
        """What a command does in front, or what it does usually."""
        acts = self.desk.workspaces.here.acts()
        acts.get(name, self.run.acts()[name])()

    def _run(self) -> None:
        """Run what is drawn or written, and watch it."""
        act = self.desk.workspaces.here.acts().get("run")
        if act is not None:
            act()
        elif self.desk.workspaces.show("run"):
            self.desk.session.run(play=True)

    # ------------------------------------------------------------------ what is said of the one in front

    def say_undo(self) -> None:
        """Name what undo and redo would do in front."""
        steps, commands = self.desk.workspaces.here.steps, self.desk.commands
        texts = ("", "") if steps is None else (steps.undo_text, steps.redo_text)
        for name, word, text in zip(("undo", "redo"), ("&Undo", "&Redo"), texts, strict=True):
            commands.call(name, f"{word}: {text}" if text else word)
            commands.hinder(name, "nothing", "" if text else f"There is nothing to {name} here")

    def say_title(self) -> None:
        """Name what is in front, with a star if it differs from its file."""
        here = self.desk.workspaces.here
        self._window.setWindowTitle(f"{here.title}[*]")
        self._window.setWindowModified(here.modified)

    def say(self, sentence: str, problem: bool, button: str, act: object) -> None:
        """Say something, with a button if there is something to do."""
        if button and callable(act):
            self.desk.notices.show(sentence, problem=problem, button=button, act=act)
        else:
            self.desk.notices.say(sentence, problem)

    def _show_tab(self) -> None:
        self.tabs.setCurrentIndex(self.desk.workspaces.names.index(self.current))

    def _came(self, name: str) -> None:
        self._show_tab()
        self.network.hint.setVisible(name == "network")
        self.protocols.show_strip(name == "protocol")
        self.status.selected.setVisible(name == "run")
        for command in self.desk.commands.names:  # the keys of the others are for what is in front
            self.desk.commands.hinder(command, "workspace", self.desk.workspaces.here.why_not(command))
        self.say_undo()
        self.say_title()
        self.network.refresh()
        self.changed.emit(name)

    # ------------------------------------------------------------------ all of them

    def offer_kept(self) -> None:
        """Offer what was kept when the program ended before it was run or saved."""
        self.protocols.offer_kept()
        self.sweeps.offer_rest()
        self.network.offer_kept()

    def look_at(self, protocol: Path) -> None:
        """Show the text of a protocol; nothing of it runs."""
        w = self.protocols.made()
        if self.desk.workspaces.show("protocol"):
            w.files.open(protocol)

    @property
    def panes(self) -> list[QWidget]:
        """The parts of what is in front that F6 goes through."""
        here = self.desk.workspaces.here
        return [] if here is self.run else here.panes  # type: ignore[attr-defined]

    def set_theme(self, theme: Theme) -> None:
        self._widen()

    def close(self) -> None:
        """Keep what is drawn for the next start, and leave nothing behind."""
        for place in (self.protocols, self.sweeps, self.archive, self.network):
            place.close()
