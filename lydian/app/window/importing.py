"""Importing logs of real systems: the panel that previews a log, and the import itself."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QFileDialog

from lydian.app.panels.trace.importlog import ImportPanel, Wanted
from lydian.app.work.background import Background, Report
from lydian.desk.runs.reading import TURN, prepare
from lydian.desk.runs.run import Run
from lydian.desk.runs.session import Session
from lydian.desk.undo import Step
from lydian.language import tr, trn
from lydian.model.reading import Problem
from lydian.trace.timeline import Timeline
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk
    from lydian.model.experiment.experiment import Experiment

__all__ = ["Importing", "give_room"]

LOGS = ";;".join((tr("Logs (*.log *.txt *.out)"), tr("All files (*)")))
#: The share of an import that reads the log; the rest builds the indexes of the views.
READ = 0.8
#: The width at which the fields of the form are readable.
ROOM = 560


@dataclass(frozen=True)
class _Found:
    """The result of an import: the runs and the notes on their events, or the lines that cannot be used."""

    runs: tuple[Run, ...] = ()
    notes: tuple[str, ...] = ()
    skipped: int = 0
    problems: tuple[Problem, ...] = ()


#: The contents of a session: the experiment, its file, the trace file, the runs, and the current run.
_Place = tuple["Experiment | None", Path | None, Path | None, tuple[Run, ...], Run | None]


def _place(session: Session) -> _Place:
    return session.experiment, session.path, session.trace_file, tuple(session.runs), session.shown


def _go_to(session: Session, place: _Place) -> None:
    """Switch to other contents, which a simulation under way must not replace later."""
    session.settle()
    session.experiment, session.path, session.trace_file, runs, shown = place
    session.runs[:] = runs
    session.experiment_changed.emit()
    if shown is not None:
        session.show(shown)
    elif session.experiment is not None:
        session.run()


class Importing(QObject):
    """The command that opens the panel, imports a log in a thread, and shows the result."""

    def __init__(self, desk: Desk, stage: Stage, example: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage, self._example = desk, stage, example
        self.background = Background(self)
        self._path = Path()
        self._turn = sys.getswitchinterval()
        stage.add_dock(
            "import", tr("Import a log"), "open", lambda: self.panel,
            about=tr("The log of a real system: its lines, how LYDIAN reads them, and the events found."),
        )  # fmt: skip
        self.background.progress.connect(self._progress)
        self.background.done.connect(self._done)
        self.background.failed.connect(self._failed)
        self.background.ended.connect(self._ended)
        desk.notices.cancelled.connect(self.cancel)

    @cached_property
    def panel(self) -> ImportPanel:
        """The panel for importing a log, created on first use."""
        panel = ImportPanel(self.stage.theme)
        panel.choosing.connect(self.choose)
        panel.wanted.connect(self.begin)
        panel.cancelled.connect(self.cancel)
        return panel

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"import_log": self.choose}

    @property
    def busy(self) -> bool:
        """Whether a log is being imported."""
        return self.background.busy

    def choose(self) -> None:
        """Ask for a log and show it in the panel."""
        settings = self.desk.settings
        name, _kind = QFileDialog.getOpenFileName(self.stage, tr("Import a log"), settings.folder, LOGS)
        if name:
            settings.folder = str(Path(name).parent)
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Show a log in the panel."""
        self.cancel()
        self.panel.open(path)
        self._appear()
        if self.desk.session.shown is None and self.desk.session.experiment is None:
            self._example()

    def _appear(self) -> None:
        """Show the panel once the window is visible."""
        if not self.stage.window().isVisible():
            QTimer.singleShot(50, self, self._appear)
            return
        self.stage.show_view("import", True)
        give_room(self.stage, "import")
        self.panel.go.setFocus()

    def begin(self, wish: Wanted) -> None:
        """Import a log with the chosen settings."""
        self._path = wish.path
        self.panel.set_working(True)
        self.desk.notices.work(
            tr("Importing {file}", file=wish.path.name), 0.0, tr("Stop the import and keep the current run")
        )
        sys.setswitchinterval(TURN)
        gc.disable()  # garbage collection over millions of new objects would freeze the window for a while
        self.background.start(lambda report: _imported(wish, report))

    def cancel(self) -> None:
        """Cancel the import if one is under way."""
        if self.busy:
            self.background.cancel()
            self.desk.notices.say(
                tr("The import of {file} was cancelled; nothing was changed.", file=self._path.name), False
            )

    def close(self) -> None:
        """End the thread."""
        self.background.close()
        self._calm()
        if self.stage.docks["import"].made:
            self.panel.close_work()

    def _calm(self) -> None:
        """Restore garbage collection as it was before the import."""
        sys.setswitchinterval(self._turn)
        gc.enable()

    def _progress(self, share: float) -> None:
        self.panel.set_working(True, share)
        words = tr("Importing {file}", file=self._path.name)
        self.desk.notices.work(words, share, tr("Stop the import and keep the current run"))

    def _ended(self) -> None:
        self._calm()
        self.panel.set_working(False)
        self.desk.notices.work("", 1.0)

    def _failed(self, sentence: str) -> None:
        self.desk.notices.say(sentence)

    def _done(self, found: _Found) -> None:
        desk, name = self.desk, self._path.name
        if found.problems:
            self.panel.refuse(tuple((problem.line, problem.why) for problem in found.problems))
            desk.notices.say(
                trn(
                    "{file}: {count:,} line cannot be read, so nothing was imported. The Import panel shows it.",
                    "{file}: {count:,} lines cannot be read, so nothing was imported. The Import panel lists them.",
                    len(found.problems),
                    file=name,
                )
            )
            return
        session = desk.session
        if session.modified:
            session.leaving.emit()
        after = None, None, None, found.runs, found.runs[0]
        session.undo.push(Step(tr("import of {file}", file=name), partial(_go_to, session), _place(session), after))
        self.stage.show_view("import", False)
        desk.settings.folder = str(self._path.parent)
        desk.notices.say("", True)
        desk.notices.say(self._told(found), False)

    def _told(self, found: _Found) -> str:
        first = found.runs[0]
        timeline = first.timeline or Timeline(first.trace)
        counts = (
            plural(timeline.n, "host"), plural(timeline.length, "event"), plural(timeline.m_messages, "message")
        )  # fmt: skip
        what = tr("Imported {file}: {counts}", file=self._path.name, counts=", ".join(counts))
        if len(found.runs) > 1:
            what = trn(
                "Imported {count:,} execution from {file} into the list of runs",
                "Imported {count:,} executions from {file} into the list of runs",
                len(found.runs),
                file=self._path.name,
            )
        left = trn(", {count:,} line left out", ", {count:,} lines left out", found.skipped) if found.skipped else ""
        notes = "".join(f" {note[:1].upper()}{note[1:]}." for note in found.notes[:1])
        return tr("{imported}. Ctrl+Z undoes it.", imported=what + left) + notes


def give_room(stage: Stage, name: str) -> None:
    """Widen the column of a dock so that a form in it can be read."""
    dock, wide = stage.docks[name], stage.theme.stretched(ROOM)
    if not dock.isFloating() and dock.width() < wide and not stage.maximised:
        stage.resizeDocks([dock], [min(wide, stage.width() // 2)], Qt.Orientation.Horizontal)


def _imported(wish: Wanted, report: Report) -> _Found:
    """Return the runs of a log; called in a thread."""
    from lydian.formats.logs.importer import import_log
    from lydian.model.reading import BadLines

    try:
        found = import_log(
            wish.path, form=wish.form, regex=wish.regex, delimiter=wish.delimiter, skip=wish.skip,
            watch=lambda share: report(READ * share),
        )  # fmt: skip
    except BadLines as bad:
        return _Found(problems=bad.problems)
    runs = []
    for number, each in enumerate(found):
        timeline = Timeline(each.trace)
        if not number:
            prepare(timeline, lambda share: report(READ + (1 - READ) * share))
        runs.append(Run(None, each.trace, None, dict(each.trace.summary), timeline=timeline))
    notes = tuple(dict.fromkeys(note for each in found for note in each.notes))
    return _Found(tuple(runs), notes, sum(len(each.problems) for each in found))
