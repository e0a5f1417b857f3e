"""The workspaces of the window as tabs: Run, Network, Protocol, Sweep and Archive."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics
from PySide6.QtWidgets import QMenuBar, QTabBar, QWidget

from lydian.app.window.offers import Offers
from lydian.app.window.playback import Playback
from lydian.app.window.workspaces.archive import ArchivePlace
from lydian.app.window.workspaces.assignment import AssignmentPlace
from lydian.app.window.workspaces.network import NetworkPlace
from lydian.app.window.workspaces.place import Front, RunPlace
from lydian.app.window.workspaces.protocol import ProtocolPlace
from lydian.app.window.workspaces.sweep import SweepPlace
from lydian.desk.guide.pages import Place as GuidePlace
from lydian.language import tr

if TYPE_CHECKING:
    from lydian.app.network.workspace import EditorWorkspace

__all__ = ["Workspaces"]


class WorkspaceTabs(QTabBar):
    """Tabs that each keep room for their words in bold, which Qt forgets when another tab is selected."""

    def tabSizeHint(self, index: int) -> QSize:
        hint, bold = super().tabSizeHint(index), QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        words = self.tabText(index)
        usual, most = (QFontMetrics(font).horizontalAdvance(words) for font in (self.font(), bold))
        return QSize(hint.width() + max(0, most - usual), hint.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)


class Workspaces(QObject):
    """The tabs that show which workspace is in front.

    Attributes:
        run, network, protocols, sweeps, archive, assignment: the workspaces.
    """

    def __init__(
        self, front: Front, run: RunPlace, menus: QMenuBar, actions: Mapping[str, QAction], offers: Offers,
        playback: Playback, network: Callable[[str], object], asked: Callable[[str, str], object],
        help: Callable[[GuidePlace], object],
    ) -> None:  # fmt: skip
        """Make the workspaces.

        Args:
            front: the part of the window that shows them.
            run: the workspace in which a run is watched.
            menus: the menu bar.
            actions: the actions of the menus.
            offers: opens examples.
            playback: sets breakpoints.
            network: runs the experiment on a network.
            asked: follows a ``lydian:`` link.
            help: shows a page of the guide.
        """
        super().__init__(front)
        self.front, self.run, self.desk = front, run, front.desk
        places, desk = self.desk.workspaces, self.desk
        self._new = offers.show_row
        self.network = NetworkPlace(front, actions, menus)
        self.protocols = ProtocolPlace(front, actions, playback, network, help)
        self.sweeps = SweepPlace(front, (self.network, self.protocols))
        self.archive = ArchivePlace(front, offers, self.protocols, asked)
        self.assignment = AssignmentPlace(front, asked, help)
        self.tabs = WorkspaceTabs()
        self.tabs.setObjectName("workspaceTabs")
        self.tabs.setAccessibleName(tr("Workspaces"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for place in (self.run, self.network, self.protocols, self.sweeps, self.archive, self.assignment):
            places.add(place)
            self.tabs.setTabToolTip(self.tabs.addTab(place.word), place.about)
        self._show_assignment()
        self.assignment.solving.opened.connect(self._show_assignment)
        self.tabs.currentChanged.connect(lambda index: places.show(places.names[index]))
        places.changed.connect(self._came)
        places.stayed.connect(self._show_tab)
        desk.session.undo.moved.connect(lambda _index: front.say_undo())
        desk.session.undo.clean_changed.connect(lambda _clean: front.say_title())
        desk.session.experiment_changed.connect(front.say_title)
        desk.session.held.connect(lambda _strange: front.say_title())
        front.say_undo()

    @property
    def current(self) -> str:
        """The name of the workspace in front."""
        return self.desk.workspaces.current

    @property
    def editor(self) -> EditorWorkspace | None:
        """The editor of the network, or ``None`` before its first use."""
        return self.network.workspace

    def show(self, name: str) -> bool:
        """Bring a workspace to the front; return False if the drawing cannot be run and stays in front."""
        return self.desk.workspaces.show(name)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
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
            **self.assignment.handlers(),
        }

    def _act(self, name: str) -> None:
        """Carry out a command in the workspace in front, or by its default function."""
        acts = self.desk.workspaces.here.acts()
        acts.get(name, self.run.acts()[name])()

    def _run(self) -> None:
        """Run the drawn network or the written protocol, and watch it."""
        act = self.desk.workspaces.here.acts().get("run")
        if act is not None:
            act()
        elif self.desk.workspaces.show("run"):
            self.desk.session.run(play=True)

    # ------------------------------------------------------------------ the workspace in front

    def _show_assignment(self) -> None:
        """Show the tab of the assignment if there is one."""
        index = self.desk.workspaces.names.index("assignment")
        self.tabs.setTabVisible(index, self.assignment.solving.assignment is not None)
        self.tabs.updateGeometry()

    def _show_tab(self) -> None:
        self.tabs.setCurrentIndex(self.desk.workspaces.names.index(self.current))

    def _came(self, name: str) -> None:
        self._show_tab()
        self.network.hint.setVisible(name == "network")
        self.protocols.show_strip(name == "protocol")
        self.front.status.selected.setVisible(name == "run")
        for command in self.desk.commands.names:  # the keys of the others must not act on the workspace in front
            self.desk.commands.hinder(command, "workspace", self.desk.workspaces.here.why_not(command))
        self.front.say_undo()
        self.front.say_title()
        self.network.refresh()

    # ------------------------------------------------------------------ all of them

    def offer_kept(self) -> None:
        """Offer to continue work that was neither run nor saved before the program ended."""
        self.protocols.offer_kept()
        self.sweeps.offer_rest()
        self.network.offer_kept()

    def look_at(self, protocol: Path) -> None:
        """Show the text of a protocol without running it."""
        w = self.protocols.made()
        if self.desk.workspaces.show("protocol"):
            w.files.open(protocol)

    @property
    def panes(self) -> list[QWidget]:
        """Return the parts of the workspace in front that F6 moves through."""
        here = self.desk.workspaces.here
        return [] if here is self.run else here.panes  # type: ignore[attr-defined]

    def close(self) -> None:
        """Keep unfinished work for the next start, and end everything under way."""
        for place in (self.protocols, self.sweeps, self.archive, self.network, self.assignment):
            place.close()
