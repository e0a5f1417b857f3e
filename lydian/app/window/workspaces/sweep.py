"""The Sweep workspace: the commands about many runs, and its connections to the rest of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QToolButton

from lydian.app.kit.theming import set_look, set_up
from lydian.app.window.workspaces.oddruns import OddRuns
from lydian.app.window.workspaces.place import Front, QtWorkspace
from lydian.language import tr, trc

if TYPE_CHECKING:
    from lydian.app.sweep.workspace import SweepWorkspace
    from lydian.desk.undo import Undo

__all__ = ["SweepPlace"]


class SweepPlace(QtWorkspace):
    """The workspace of sweeps, with its commands.

    Attributes:
        sign: the progress, in the status line, of a sweep that runs while another workspace is in front.
    """

    name, word, about = "sweep", trc("workspace", "Sweep"), tr("Run the experiment with many values (Ctrl+Tab)")
    workspace: SweepWorkspace | None

    def __init__(self, front: Front, others: Iterable[QtWorkspace]) -> None:
        """Begin without a sweep; sweep files can be dropped on the ``others``."""
        super().__init__(front)
        self._others = tuple(others)
        self.sign: QToolButton | None = None
        self.odd_runs = OddRuns(self.desk, self)
        self.desk.workspaces.changed.connect(self._changed)

    def _changed(self, _name: str) -> None:
        self._show_sign()
        for widget in (each.workspace for each in self._others):
            if widget is not None:
                widget.installEventFilter(self)  # a sweep may be dropped anywhere; a second call has no effect

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            from lydian.batch.folder import is_batch
            from lydian.batch.sweep.file import is_sweep

            paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
            if paths and (is_batch(paths[0]) or is_sweep(paths[0])):
                event.acceptProposedAction()
                self.open_file(paths[0])
                return True
        return super().eventFilter(watched, event)

    def open_file(self, path: Path) -> None:
        """Open a sweep, or the folder of its results, and bring it to the front."""
        self.swept(lambda w: w.open_folder(path) if path.is_dir() else w.files.open(path))

    def made(self) -> SweepWorkspace:
        """Return the workspace; make it at the first call."""
        if self.workspace is None:
            from lydian.app.sweep.workspace import SweepWorkspace

            desk = self.desk
            w = self.workspace = SweepWorkspace(desk.session, desk.shelf, desk.settings, self.stage.theme)
            self.front.stack.addWidget(w)
            w.said.connect(self.front.say)
            w.watch_wanted.connect(self.watch)
            w.ended.connect(self._ended)
            w.run.changed.connect(self._show_sign)
            w.document.changed.connect(self.front.say_undo)
            w.document.moved.connect(self.front.say_title)
            w.document.undo.moved.connect(self._stepped)
            desk.session.experiment_changed.connect(self._experiment_changed)
            w.run.changed.connect(self.refresh)
            w.run.changed.connect(self.front.say_title)
            self.refresh()
        return self.workspace

    def _stepped(self, _at: int) -> None:
        self.front.say_undo()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        table: dict[str, Callable[[SweepWorkspace], object]] = {
            "sweep_vary": lambda w: w.form.choose(),
            "sweep_new": lambda w: w.files.new(),
            "sweep_open": lambda w: w.files.choose(),
            "sweep_save": lambda w: w.files.save(),
            "sweep_save_as": lambda w: w.files.save_as(),
            "sweep_start": lambda w: w.start(),
            "sweep_stop": lambda w: w.stop(),
            "sweep_resume": lambda w: w.resume(),
            "sweep_results": lambda w: w.choose_folder(),
            "sweep_report": lambda w: w.results.save_report(),
        }
        return {
            **{name: partial(self.swept, what) for name, what in table.items()},
            "workspace_sweep": lambda: self.desk.workspaces.show("sweep"),
            "sweep_begin": lambda: self.begin_with(""),
        }

    def swept(self, what: Callable[[SweepWorkspace], object]) -> None:
        """Bring the sweep to the front and call a function with its workspace."""
        if self.desk.workspaces.show("sweep") and self.workspace is not None:
            what(self.workspace)

    def begin_with(self, title: str) -> None:
        """Begin a sweep of the current experiment, optionally with one of its settings varied."""
        self.swept(lambda w: w.begin(title))

    def refresh(self) -> None:
        """Enable and disable the commands."""
        w = self.workspace
        if w is not None:
            commands = self.desk.commands
            busy, unfinished = w.run.busy, w.run.unfinished
            commands.hinder("sweep_stop", "sweep", "" if busy else tr("No sweep is running"))
            commands.hinder("sweep_resume", "sweep", "" if unfinished else tr("No sweep was stopped before its end"))
            commands.hinder("sweep_start", "sweep", tr("A sweep is running") if busy else "")
            if self.desk.workspaces.current == "sweep":
                self.desk.say_what_stops(busy)

    def stops(self) -> bool:
        """Stop the sweep if it is in front and running; return True if it was stopped."""
        w = self.workspace
        if self.desk.workspaces.current != "sweep" or w is None or not w.run.busy:
            return False
        w.stop()
        return True

    # ------------------------------------------------------------------ runs

    def watch(self, folder: Path, number: int) -> None:
        """Repeat one of the runs and watch it at the moment where it departs from its group."""
        results = None if self.workspace is None else self.workspace.results
        strange = results.strange_of(number) if results is not None and results.folder == folder else None
        self.odd_runs.open(folder, number, strange)

    def _experiment_changed(self) -> None:
        if self.desk.workspaces.current == "sweep" and self.workspace is not None:
            self.workspace.sync()

    # ------------------------------------------------------------------ in other workspaces

    def _show_sign(self) -> None:
        """Show the progress in the status line of the other workspaces."""
        w = self.workspace
        if w is None:
            return
        if self.sign is None:
            self.sign = set_up(
                QToolButton(), tip=tr("Go to the sweep"), clicked=lambda: self.desk.workspaces.show("sweep")
            )
            self.sign.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            self.front.status.addPermanentWidget(self.sign)
            set_look(self.sign, self.stage.theme, icon="clock", ink="text.secondary")
        run = w.run
        words = (
            tr("Sweep: {done:,} of {total:,}", done=run.done + run.under_way, total=run.total)
            if run.state == "running"
            else tr("Sweep: {state}", state=run.words)
        )
        self.sign.setText(words)
        self.sign.setAccessibleName(words)
        self.sign.setVisible(run.busy and self.desk.workspaces.current != "sweep")

    def _ended(self, state: str) -> None:
        w = self.workspace
        if w is None:
            return
        run = w.run
        sentence = {
            "done": tr("The sweep {sweep} is done: {summary}."),
            "cancelled": tr("The sweep {sweep} was stopped: {summary}."),
            "failed": tr("The sweep {sweep} was stopped by a problem: {summary}."),
        }[state].format(sweep=run.name, summary=run.summary())
        sentence += f" {run.problem}" if state == "failed" else ""
        self.refresh()
        if self.desk.workspaces.current != "sweep":
            self.desk.notices.show(
                sentence,
                problem=state == "failed",
                button=trc("command", "Show"),
                act=lambda: self.desk.workspaces.show("sweep"),
            )
        else:
            self.desk.notices.say(sentence, state == "failed")
        if state != "failed":
            self.desk.notices.told.emit(sentence)

    def offer_rest(self) -> None:
        """Offer to resume the sweep that was under way when the program ended."""
        from lydian.app.sweep.results.earlier import unfinished

        folder = unfinished(self.desk.settings)
        if folder is None:
            return
        words = tr("The sweep in {folder} was stopped before its end; its finished runs are kept.", folder=folder.name)
        self.desk.notices.offer(words, tr("Resume"), lambda: self.swept(lambda w: self._go_on(w, folder)))

    def _go_on(self, w: SweepWorkspace, folder: Path) -> None:
        w.open_folder(folder, go_on=True)

    # ------------------------------------------------------------------ the end

    def close(self) -> None:
        """Stop the sweep and keep its runs."""
        self.odd_runs.close()
        super().close()

    # ------------------------------------------------------------------ as a workspace

    @property
    def title(self) -> str:
        return tr("{sweep} — Sweep — LYDIAN", sweep=self.made().title)

    @property
    def modified(self) -> bool:
        return self.made().document.modified

    @property
    def steps(self) -> Undo:
        return self.made().document.undo

    def acts(self) -> dict[str, Callable[[], object]]:
        w = self.made()
        return {"new": w.files.new, "open": w.files.choose, "save": w.files.save, "save_as": w.files.save_as,
                "run": w.start}  # fmt: skip

    def come(self) -> None:
        w = self.made()
        self.bring(w)
        w.sync()
        w.form.vary.setFocus(Qt.FocusReason.OtherFocusReason)
