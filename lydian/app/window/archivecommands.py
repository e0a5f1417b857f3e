"""The commands about the archive, and what the workspace Archive asks of the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from lydian.app.look.theme import Theme
from lydian.desk.records import experiment_of

if TYPE_CHECKING:
    from lydian.app.archive.workspace import ArchiveWorkspace
    from lydian.app.window.workspaces import Workspaces
    from lydian.trace.events import Trace

__all__ = ["ArchiveCommands"]


class ArchiveCommands(QObject):
    """What the commands do; the workspace is made when it is first wanted.

    Attributes:
        workspace: ``None`` before that.
    """

    def __init__(self, workspaces: Workspaces) -> None:
        super().__init__(workspaces)
        self.workspaces, self.window = workspaces, workspaces.window
        self.workspace: ArchiveWorkspace | None = None
        self._before = "run"  # the workspace one came from

    def made(self) -> ArchiveWorkspace:
        """The workspace; made at the first call."""
        if self.workspace is None:
            from lydian.app.archive.workspace import ArchiveWorkspace

            w = self.workspace = ArchiveWorkspace(self.window.shelf, self.window.theme)
            self.workspaces.stack.addWidget(w)
            w.said.connect(self.workspaces.say)
            w.experiment_wanted.connect(self.open_experiment)
            w.run_wanted.connect(self.open_run)
            w.copy_wanted.connect(self.copy)
            w.line_wanted.connect(self.show_line)
            w.asked.connect(lambda verb, what: self.window.helping.do(verb, what))
            w.left.connect(lambda: self.workspaces.show(self._before))
        return self.workspace

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Name of the command -> what it does."""
        return {
            "workspace_archive": lambda: self.workspaces.show("archive"),
            "archive_search": self.search,
        }

    def came_from(self, name: str) -> None:
        """Remember where Esc leads back to."""
        if name != "archive":
            self._before = name

    def search(self) -> None:
        """The archive with its field ready for words."""
        if self.workspaces.show("archive") and self.workspace is not None:
            self.workspace.to_field()

    def show_protocol(self, name: str) -> bool:
        """The page of a protocol; false if there is none."""
        return self.workspaces.show("archive") and self.made().show_protocol(name)

    # ------------------------------------------------------------------ what the pages ask for

    def open_experiment(self, name: str) -> None:
        """Run an experiment of the archive, and watch it."""
        if self.workspaces.show("run"):
            self.window.offers.example(name)

    def open_run(self, trace: Trace) -> None:
        """Run what a small picture shows, and watch it."""
        experiment = experiment_of(trace)
        if experiment is None:
            self.window.say("The run of this picture does not say how it was made; run the protocol from its page.")
        elif self.workspaces.show("run"):
            self.window.stage.checks.load([])
            self.window.session.start(experiment.with_(check=True), None, play=True)

    def copy(self, path: Path) -> None:
        """A protocol of ours as a copy of the user's own on the desk; his own as it is."""
        w = self.workspaces.protocols.made()
        if not self.workspaces.show("protocol") or not w.files.open(path):
            return
        if w.document.read_only:
            w.files.make_copy()
            if w.document.path is not None and not w.document.read_only:
                self.window.say(
                    f"{w.document.path.name} in {w.document.path.parent} is your copy of {path.stem}.", False
                )

    def show_line(self, path: Path, line: int) -> None:
        """The text of a protocol at a line."""
        w = self.workspaces.protocols.made()
        if self.workspaces.show("protocol") and w.files.open(path):
            w.go_to(line)

    # ------------------------------------------------------------------ looks, the end

    def set_theme(self, theme: Theme) -> None:
        if self.workspace is not None:
            self.workspace.set_theme(theme)

    def close(self) -> None:
        """Leave nothing behind."""
        if self.workspace is not None:
            self.workspace.close_all()
