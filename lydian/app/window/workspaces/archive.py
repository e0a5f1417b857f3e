"""The Archive workspace: its commands, and its connections to the rest of the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.app.window.offers import Offers
from lydian.app.window.workspaces.place import Front, QtWorkspace
from lydian.app.window.workspaces.protocol import ProtocolPlace
from lydian.desk.runs.records import experiment_of
from lydian.language import tr, trc
from lydian.trace.events import Trace

if TYPE_CHECKING:
    from lydian.app.archive.workspace import ArchiveWorkspace

__all__ = ["ArchivePlace"]


class ArchivePlace(QtWorkspace):
    """The workspace of all protocols, with its commands.

    Args:
        front: the part of the window that shows it.
        offers: opens experiments.
        protocols: the workspace in which copies are edited.
        asked: follows a ``lydian:`` link.
    """

    name, word, about = "archive", trc("workspace", "Archive"), tr("Browse, open and copy protocols (Ctrl+Tab)")
    workspace: ArchiveWorkspace | None

    def __init__(
        self, front: Front, offers: Offers, protocols: ProtocolPlace, asked: Callable[[str, str], object]
    ) -> None:
        super().__init__(front)
        self._offers, self._protocols, self._asked = offers, protocols, asked
        self._before = self._last = "run"  # the workspace that was in front before
        self.desk.workspaces.changed.connect(self._came)

    def made(self) -> ArchiveWorkspace:
        """Return the workspace; make it at the first call."""
        if self.workspace is None:
            from lydian.app.archive.workspace import ArchiveWorkspace

            w = self.workspace = ArchiveWorkspace(self.desk.shelf, self.stage.theme)
            self.front.stack.addWidget(w)
            w.said.connect(self.front.say)
            w.experiment_wanted.connect(self.open_experiment)
            w.run_wanted.connect(self.open_run)
            w.copy_wanted.connect(self.copy)
            w.line_wanted.connect(self.show_line)
            w.asked.connect(lambda verb, what: self._asked(verb, what))
            w.left.connect(lambda: self.desk.workspaces.show(self._before))
        return self.workspace

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {
            "workspace_archive": lambda: self.desk.workspaces.show("archive"),
            "archive_search": self.search,
        }

    def _came(self, name: str) -> None:
        """Remember the workspace to which Esc returns."""
        if name == self.name:
            self._before = self._last
        self._last = name

    def search(self) -> None:
        """Show the archive with the focus in its search field."""
        if self.desk.workspaces.show("archive") and self.workspace is not None:
            self.workspace.to_field()

    def show_protocol(self, name: str) -> bool:
        """Show the page of a protocol; return False if there is none."""
        return self.desk.workspaces.show("archive") and self.made().show_protocol(name)

    # ------------------------------------------------------------------ requests of the pages

    def open_experiment(self, name: str) -> None:
        """Run an experiment from the archive and watch it."""
        if self.desk.workspaces.show("run"):
            self._offers.example(name)

    def open_run(self, trace: Trace) -> None:
        """Run the experiment of a small picture and watch it."""
        experiment = experiment_of(trace)
        if experiment is None:
            words = tr("This picture has no experiment; run the protocol from its page instead.")
            self.desk.notices.say(words)
        elif self.desk.workspaces.show("run"):
            self.stage.checks.load([])
            self.desk.session.start(experiment.with_(check=True), None, play=True)

    def copy(self, path: Path) -> None:
        """Open a copy of a protocol from the library for editing; open the user's own protocols directly."""
        w = self._protocols.made()
        if not self.desk.workspaces.show("protocol") or not w.files.open(path):
            return
        if w.document.read_only:
            w.files.make_copy()
            if w.document.path is not None and not w.document.read_only:
                self.desk.notices.say(
                    tr(
                        "{file} in {folder} is your copy of {protocol}.",
                        file=w.document.path.name,
                        folder=w.document.path.parent,
                        protocol=path.stem,
                    ),
                    False,
                )

    def show_line(self, path: Path, line: int) -> None:
        """Show the text of a protocol at a line."""
        w = self._protocols.made()
        if self.desk.workspaces.show("protocol") and w.files.open(path):
            w.go_to(line)

    # ------------------------------------------------------------------ as a workspace

    @property
    def title(self) -> str:
        return tr("Archive — LYDIAN")

    def acts(self) -> dict[str, Callable[[], object]]:
        return {"run": self.made().open}

    def come(self) -> None:
        w = self.made()
        self.bring(w)
        w.sync()
        w.to_cards()
