"""Going back: the dock Branches, the forks on the time line and the comparison, connected to the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from lydian.app.live.runs.branches import BranchesPanel
from lydian.app.live.runs.comparing import Comparing, Other
from lydian.app.panels.runs import RunsList, recorded_name
from lydian.desk.runs.run import Run
from lydian.desk.undo import Step
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.experiment.branches import ROOT, Branches, note, rename
from lydian.model.experiment.experiment import Experiment
from lydian.views.others.branchtree import command_line, forks_of

if TYPE_CHECKING:
    from lydian.app.panels.timeline.scrubber import Scrubber
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["GoingBack"]

_COMMANDS = ("compare_first", "compare_next", "compare_previous", "compare_swap", "compare_end")


class GoingBack(QObject):
    """The controller that shows the tree of the live runs and carries out its commands.

    Attributes:
        comparing: the comparison of two runs.
    """

    def __init__(self, desk: Desk, stage: Stage, scrubber: Scrubber, runs: RunsList, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage, self.scrubber, self.live = desk, stage, scrubber, desk.session.live
        self._ends: dict[int, float] = {}
        self._of: Experiment | None = None  # the experiment that the ends belong to
        # the tree as it was drawn last, the run shown, and whether it is live
        self._shown: tuple[Branches, int, bool] | None = None
        self.dock = stage.add_dock(
            "branches", tr("Branches"), "branch", lambda: self.panel,
            tr("Every run that you have made by going back and choosing differently. All runs are kept."),
            beside="occupation",
        )  # fmt: skip
        self.comparing = Comparing(desk, stage, self)
        runs.compare_wanted.connect(self.compare_run)
        self._connect()
        self.refresh()
        self._enable()

    def _connect(self) -> None:
        session = self.desk.session
        self.live.changed.connect(self.refresh)
        session.experiment_changed.connect(self.refresh)
        session.run_ready.connect(lambda run, _play: self._ran(run))
        session.run_grown.connect(lambda run, _first, _play: self._ran(run))
        self.stage.player.changed.connect(self._moved)
        self.scrubber.fork_wanted.connect(self.offer_forks)
        self.comparing.changed.connect(self._enable)
        self.dock.visibilityChanged.connect(lambda on: self.refresh() if on else None)

    @cached_property
    def panel(self) -> BranchesPanel:
        """The contents of the dock Branches."""
        panel = BranchesPanel(self.stage.theme, self.rename)
        panel.wanted.connect(self.show)
        panel.fork_wanted.connect(self.show_fork)
        panel.live_wanted.connect(self.go_live)
        panel.compare_wanted.connect(self.comparing.compare_branch)
        panel.copy_wanted.connect(self.copy_command)
        panel.noted.connect(self.note)
        panel.sought.connect(self.desk.jump)
        panel.show_runs(self.live, self.desk.playhead.t, self._known_ends())
        return panel

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the name of each command with its handler."""
        return {
            "compare_trace": self.compare_trace,
            "compare_first": self.comparing.go_first,
            "compare_next": lambda: self.comparing.go_beside(1),
            "compare_previous": lambda: self.comparing.go_beside(-1),
            "compare_swap": self.comparing.swap,
            "compare_end": self.comparing.end,
        }

    # ------------------------------------------------------------------ contents

    def refresh(self) -> None:
        """Show the current tree in the dock and on the time line."""
        if self.desk.session.experiment is None:
            self.dock.unavailable(tr("A trace that was opened without its experiment has only one run."))
            self.scrubber.set_forks((), ())
            self._shown = None
            return
        self.dock.unavailable("")
        tree = self.live.tree
        root = tree.root
        if root is not self._of:  # Comparing two trees takes a while.
            if root != self._of:
                self._ends.clear()
            self._of = root
        shown = self.live.branch
        seen = self.dock.made and self.panel.isVisible()
        if not seen and self._shown is not None and self._shown[0] is tree and self._shown[1:] == (shown, self.live.on):
            return  # Only the time has advanced, and the dock is hidden.
        self._shown = tree, shown, self.live.on
        if self.dock.made:
            self.panel.show_runs(self.live, self.desk.playhead.t, self._known_ends())
        self.scrubber.set_forks(forks_of(tree, shown), tree.lineage(shown) if shown in tree else ())

    def _known_ends(self) -> dict[int, float]:
        """Return the end of each run, where it is known and may be shown."""
        ends = {} if self.desk.session.withholding or self.desk.session.hiding else dict(self._ends)
        if self.live.on:
            ends[self.live.branch] = max(ends.get(self.live.branch, 0.0), self.live.time)
        return ends

    def _ran(self, run: Run | None) -> None:
        """Record the end of a complete run that is now on the screen."""
        if run is not None and run.timeline is not None and self.desk.session.experiment is not None:
            if run.result.get("events") is not None:
                self._ends[run.branch] = run.timeline.end
            if run.result.get("events") is not None or run.beginning is not None:
                self._shown = None
            self.refresh()

    def _moved(self, what: str) -> None:
        if what == "time" and self.dock.made:
            self.panel.move_head(self.desk.playhead.t)

    # ------------------------------------------------------------------ commands

    def show(self, branch: int) -> None:
        """Show a run at the moment of the play head, or at its fork from the run shown if that is earlier."""
        tree = self.live.tree
        if branch not in tree or (branch == self.live.branch and not self.live.on):
            return
        shared = tree.shared_until(branch, self.live.branch)
        t = max(self.desk.playhead.t, 0.0)
        self.live.go(branch, t if shared is None else min(t, shared))

    def show_fork(self, branch: int) -> None:
        """Show the moment at which a run leaves its parent: in the run on the screen if it can, else in the parent."""
        tree = self.live.tree
        parent = tree.parent(branch)
        if parent is None:
            return
        at = tree[branch].at
        shared = tree.shared_until(branch, self.live.branch)
        if shared is None or shared >= at:  # the run on the screen contains this moment
            self.desk.jump(at)
        else:
            self.live.go(parent, at)

    def go_live(self, branch: int) -> None:
        """Continue a run live from the moment of the play head."""
        if branch in self.live.tree:
            self.live.go(branch, max(self.desk.playhead.t, 0.0), live=True)

    def rename(self, branch: int, name: str) -> None:
        """Rename a branch as one undoable step.

        Raises:
            BadInput: the name is not allowed.
        """
        old = self.live.tree.name(branch)
        rename(self.live.tree, branch, name)
        self.desk.session.undo.push(
            Step(tr("rename {run}", run=old), lambda words: self.live.rename(branch, words), old, name)
        )

    def note(self, branch: int, text: str) -> None:
        """Change the notes on a branch as one undoable step."""
        tree = self.live.tree
        if branch in tree and branch != ROOT and tree[branch].notes != text:
            words = tr("notes on {run}", run=tree.name(branch))
            self.desk.session.undo.push(Step(words, lambda text: self._write(branch, text), tree[branch].notes, text))

    def _write(self, branch: int, text: str) -> None:
        self.desk.session.keep(note(self.live.tree, branch, text).experiment)
        self.live.changed.emit()

    def copy_command(self, branch: int) -> None:
        """Copy to the clipboard the command line that repeats a run in a terminal."""
        session, tree = self.desk.session, self.live.tree
        experiment = session.experiment
        assert experiment is not None
        path = session.path or experiment.path
        name = tree.name(branch) if branch != ROOT else ""
        QGuiApplication.clipboard().setText(command_line(str(path) if path else experiment.name, name))
        saved = path is not None and not session.modified
        words = tr("Copied.") if saved else tr("Copied. Save the experiment first, so that its file contains this run.")
        self.desk.notices.say(words, False)

    # ------------------------------------------------------------------ comparing

    def compare_run(self, run: Run) -> None:
        """Compare a run of the list with the one that is shown."""
        session, experiment = self.desk.session, run.experiment
        tree = None if session.experiment is None else self.live.tree
        if experiment is None:
            name = recorded_name(run)
        elif tree is not None and Branches.of(experiment).root.alone == tree.root.alone and run.branch in tree:
            self.comparing.compare_run(run, Other(tree.name(run.branch), run.branch, lambda: session.show(run)))
            return
        else:
            name = tr(
                "{experiment}, seed {seed}", experiment=experiment.name or experiment.protocol, seed=experiment.seed
            )
        self.comparing.compare_run(run, Other(name, -1, lambda: session.show(run)))

    def compare_trace(self) -> None:
        """Ask for a trace, and compare it with the run that is shown."""
        folder = self.desk.settings.folder
        name, _kind = QFileDialog.getOpenFileName(self.stage, tr("Compare with"), folder, tr("Traces (*.parquet)"))
        if name:
            self.comparing.compare_file(Path(name))

    def _enable(self) -> None:
        for name in _COMMANDS:
            goes = bool(self.comparing.stops) or name in ("compare_swap", "compare_end")
            why = "" if self.comparing.on else tr("This run is not compared with another one")
            self.desk.commands.hinder(name, "comparing", why or ("" if goes else tr("The two runs do not differ")))

    # ------------------------------------------------------------------ the time line

    def offer_forks(self, branches: list[int], at: QPoint) -> None:
        """Open a menu for the runs that branch off at a place of the time line."""
        tree = self.live.tree
        menu = QMenu(self.stage)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.setToolTipsVisible(True)
        menu.setAccessibleName(tr("Runs that branch off here"))
        self.menu = menu
        for number, branch in enumerate([each for each in branches if each in tree][:12]):
            if number:
                menu.addSeparator()
            name = tree.name(branch).replace("&", "&&")
            menu.addAction(tr("Show {run}", run=name), lambda branch=branch: self.show(branch))  # type: ignore[misc]
            menu.addAction(
                tr("Compare with {run}", run=name),
                lambda branch=branch: self.comparing.compare_branch(branch),  # type: ignore[misc]
            )
        menu.popup(at)

    def close(self) -> None:
        """Stop all workers, threads and listeners; saves in progress are finished."""
        if self.dock.made:
            try:
                self.panel.keep_notes()
            except BadInput:
                pass
        self.comparing.close()
