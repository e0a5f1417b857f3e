"""What the workspace offers: a copy of a library's protocol, a cell to fill, a choice between two texts, a failure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from lydian.app.protocol.toprow import shorter
from lydian.authoring.cellcounts import never_ran
from lydian.authoring.failing import Failure
from lydian.model.authoring.cannot import choose_cell
from lydian.model.errors import LydianError
from lydian.model.protocolfolder import file_lines, read_source
from lydian.pieces.animation import animation_for
from lydian.views.time.axis import remember
from lydian.views.words.words import joined, plural

if TYPE_CHECKING:
    from lydian.app.protocol.workspace import ProtocolWorkspace

__all__ = ["Offering"]

#: So many cells that never ran are named.
NAMED = 3


class Offering(QObject):
    """The bars above the code, and what their buttons do."""

    def __init__(self, workspace: ProtocolWorkspace) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self.extra: list[QAction] = []
        files = workspace.files
        files.copied.connect(self._copied)
        files.conflict.connect(self._conflict)
        files.reloaded.connect(self._reloaded)
        workspace.top.menu_of = self._fill_menu

    # ------------------------------------------------------------------ files

    def greet(self) -> None:
        """Say whose text it is."""
        w = self.workspace
        if w.document.read_only:
            words = f"{w.document.name} belongs to the library. Change it, and you have a copy of your own."
            w.bar.say(words, ("Make my copy", w.files.make_copy))
        elif w.files.original is None and w.bar.text:
            w.bar.say("")

    def _copied(self, original: Path) -> None:
        w = self.workspace
        where = w.document.path.parent if w.document.path is not None else ""
        w.bar.say(
            f"This is your copy, {w.document.name} in {where}; the library keeps its own.",
            ("Compare", self.compare_original),
            ("Back to the library's", lambda: w.files.open(original)),
        )

    def compare_original(self) -> None:
        """Show what the user changed in a copy, or in a file since it was saved."""
        w = self.workspace
        document, original = w.document, w.files.original
        path = original if original is not None else document.path
        if path is None:
            w.said.emit("There is nothing to compare it with: it has no file yet.", False, "", None)
            return
        try:
            before = read_source(path)
        except LydianError as error:
            w.said.emit(str(error), True, "", None)
            return
        name = f"the library's {path.name}" if original is not None else f"{path.name} as it was saved"
        w.show_compare(before, document.source, name, "yours")

    def _conflict(self, theirs: str) -> None:
        w = self.workspace
        name = w.document.name

        def mine() -> None:
            w.bar.hide()
            w.drop_compare()
            if w.files.keep_mine(theirs):
                w.said.emit("Yours is saved; the other text is kept in the folder unsaved beside the settings.",
                            False, "", None)  # fmt: skip

        def take() -> None:
            w.bar.hide()
            w.drop_compare()
            w.files.take(theirs)

        w.bar.say(
            f"{name} was changed by another program too. Nothing is lost whatever you choose; undo brings yours back.",
            ("Keep mine", mine),
            ("Take theirs", take),
            ("Compare", lambda: w.show_compare(theirs, w.document.source, "theirs", "mine")),
            problem=True,
            closes=False,
        )

    def _reloaded(self) -> None:
        w = self.workspace
        w.bar.hide()
        w.said.emit(f"{w.document.name} was changed by another program and read again.", False, "", None)
        if self.run_when_saved:
            w.run()

    @property
    def run_when_saved(self) -> bool:
        """Whether a text that another editor saves is run at once."""
        return bool(self.workspace.settings.record("protocol").get("run_when_saved", False))

    def set_run_when_saved(self, on: bool) -> None:
        """Run a text at once when another editor saves it, or no longer."""
        settings = self.workspace.settings
        settings.set_record("protocol", {**settings.record("protocol"), "run_when_saved": on})

    def _fill_menu(self, menu: QMenu) -> None:
        for action in self.extra:
            menu.addAction(action)
        files = file_lines(self.workspace.document.source)
        if files:
            menu.addSection("Files of this protocol")
        for name, line in files.items():
            action = menu.addAction(name)
            action.triggered.connect(lambda _on=False, line=line: self.workspace.code.go_to_line(line))
        recent = [path for path in self.workspace.files.recent() if path != self.workspace.document.path]
        if recent:
            menu.addSection("Recent")
        for path in recent:
            action = menu.addAction(shorter(path))
            action.setToolTip(str(path))
            action.triggered.connect(lambda _on=False, path=path: self.workspace.files.open(path))

    # ------------------------------------------------------------------ runs

    def run_is_over(self, failed: bool) -> None:
        """Show what came of a run."""
        w, runs = self.workspace, self.workspace.runs
        if failed and runs.failure is not None:
            self.show_failure(runs.failure)
            return
        w.top.show_chip("failure", "")
        w.failed_bar.hide()
        w.further.offer_others()
        self.say_never_ran()

    def say_never_ran(self) -> None:
        """Name the cells that no process came to."""
        w = self.workspace
        counts, run = w.document.counts, w.runs.run
        missing = never_ran(w.document.outline, counts) if counts else ()
        if not missing or run is None:
            w.moment.show_none(
                "Every cell of the table ran."
                if counts
                else "When a run fails, the network at that moment stands here."
            )
            return
        named = joined([f"{event} in {state}" for state, event in missing[:NAMED]])
        more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        w.moment.show_none(
            f"{plural(len(missing), 'cell')} never ran: {named}{more}.\n\nTry another network: "
            "the button Three networks above, or another one in the list beside Run."
        )

    def show_failure(self, failure: Failure) -> None:
        """Show where and how a run failed: the line, the moment, the way there."""
        w, runs = self.workspace, self.workspace.runs
        timeline, run = runs.timeline, runs.run
        if timeline is None or run is None:
            return
        animation = remember(timeline, "animation", lambda: animation_for(timeline.trace))
        experiment = run.experiment
        where = ""
        if experiment is not None:
            network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
            where = f"seed {experiment.seed}, {network}"
        w.right.setCurrentWidget(w.moment)
        w.moment.show_failure(timeline, animation, failure, where, run.problem or "")
        w.top.show_chip("failure", f"Stopped at {failure.time:.2f} by an error", failure.sentence)
        if failure.open:
            self._offer_cell(failure)
            w.table.select(*failure.cell)
        else:
            w.failed_bar.hide()
        if failure.line:
            w.go_to(failure.line)

    def _offer_cell(self, failure: Failure) -> None:
        """A cell that nobody had foreseen can be filled in place."""
        state, event = failure.cell

        def fill(kind: str) -> None:
            self.fill_cell(state, event, kind)

        self.workspace.failed_bar.say(
            failure.sentence,
            ("Write what happens", lambda: fill("action")),
            ("Ignore it", lambda: fill("ignore")),
            problem=True,
        )

    def fill_cell(self, state: str, event: str, kind: str) -> None:
        """Choose what happens at an event in a state, in one step of the history."""
        w = self.workspace
        try:
            new = choose_cell(w.document.source, state, event, kind)
        except LydianError as error:
            w.said.emit(str(error), True, "", None)
            return
        w.document.replace(new, f"{event} in the state {state} is {'ignored' if kind == 'ignore' else 'answered'} now")
        line = w.document.outline.cell(state, event).line
        if line:
            w.go_to(line)
