"""Runs of the open protocol: saving, checking and running it, counting the cells that ran, explaining a failure."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from lydian.app.protocol.checking.severalruns import Attempt
from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.files import ProtocolFiles
from lydian.authoring.cellcounts import added, cell_counts, line_counts
from lydian.authoring.failing import Failure, failure_of
from lydian.desk.archivelist import ArchiveList
from lydian.desk.declared import kept as kept_parameters
from lydian.desk.runs.run import Run
from lydian.desk.runs.session import Session
from lydian.language import tr
from lydian.model.archive.kepttests import KeptTest, add_test, kept
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import NO_USERS, Experiment
from lydian.model.protocol.tryout import tryouts
from lydian.model.source.text import Problem
from lydian.trace.timeline import Timeline

__all__ = ["ProtocolRuns"]

#: The experiment whose network is used if there is no experiment.
USUAL = "two-wings"


class ProtocolRuns(QObject):
    """The runs of the text by F5, and the results of the latest.

    Attributes:
        run: the latest run of this text, ``None`` before the first.
        timeline: the timeline of that run.
        failure: the failure of that run, ``None`` if it did not fail.
    """

    #: Emitted when the run succeeded, or continues, and should be shown.
    watch_wanted = Signal()
    #: Emitted at the end of the run with whether it failed.
    over = Signal(bool)
    #: Emitted with a problem of the text that prevents a run.
    hindered = Signal(object)
    #: Emitted with a sentence for the user and whether it is a problem.
    said = Signal(str, bool)
    #: Emitted when an earlier message about a problem of the text is out of date.
    outdated = Signal(str)

    def __init__(
        self, document: ProtocolDocument, files: ProtocolFiles, session: Session, shelf: ArchiveList, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.document, self.files, self.session, self.shelf = document, files, session, shelf
        self.run: Run | None = None
        self.timeline: Timeline | None = None
        self.failure: Failure | None = None
        self.asked = False  # whether the current run was started here
        self._hindrance = ""  # the sentence by which the text was refused
        document.read.connect(self._read)
        session.run_ready.connect(self._ready)
        session.run_grown.connect(self._grown)

    # ------------------------------------------------------------------ running

    def path_of(self, experiment: Experiment | None) -> Path | None:
        """Return the file of an experiment's protocol, or ``None`` if it cannot be found."""
        if experiment is None or not experiment.protocol:
            return None
        place = experiment if experiment.path is not None else experiment.with_(path=self.session.path)
        try:
            return self.shelf.archive.find("protocols", place.protocol_ref).absolute()
        except LydianError:
            return None

    @property
    def is_run(self) -> bool:
        """Whether the current experiment runs the open protocol."""
        path = self.path_of(self.session.experiment)
        return path is not None and path == self.document.path

    def ready(self) -> bool:
        """Read and save the text; report the reason and return False if it cannot be run."""
        self.document.reread()
        bad = next((each for each in self.document.problems if each.kind == "error"), None)
        if bad is not None:
            if self.document.path is not None:
                self.files.save()
            self._hindrance = _hindrance(bad)
            self.said.emit(self._hindrance, True)
            self.hindered.emit(bad)
            return False
        return self.files.save()

    def _read(self) -> None:
        """Check, after the text was read again, whether a reported problem still exists."""
        bad = next((each for each in self.document.problems if each.kind == "error"), None)
        if self._hindrance and (bad is None or self._hindrance != _hindrance(bad)):
            gone, self._hindrance = self._hindrance, ""
            self.outdated.emit(gone)

    def start(self) -> bool:
        """Save, check and run the protocol; play the run if it succeeds."""
        if not self.ready():
            return False
        self.asked = True
        if self.is_run:
            self.session.run(play=True)
        elif self.session.experiment is None:
            self.session.start(self.experiment(), play=True)
        else:
            new = self.experiment()
            self.session.change(
                tr("protocol {name}", name=Path(new.protocol).stem), anew=True,
                protocol=new.protocol, parameters=new.parameters, animation=None, branches=(), interventions=(),
                **NO_USERS,
            )  # fmt: skip
            self.session.play_when_ready()
        return True

    def experiment(self) -> Experiment:
        """Return the current experiment with the open protocol."""
        now, here = self.session.experiment, self._name()
        if now is None:
            now = self.shelf.archive.experiment(USUAL).with_(name=Path(here).stem, about="", path=None)
        elif self.is_run:
            return now
        parameters = kept_parameters(now.parameters, self.document.source)
        return now.with_(
            protocol=here, parameters=parameters, animation=None, branches=(), interventions=(), **NO_USERS
        )

    def _name(self) -> str:
        """Return the open protocol as experiments refer to it: by name in the library, otherwise by path."""
        path = self.document.path
        assert path is not None
        if self.document.read_only and self.shelf.archive.find("protocols", path.stem).absolute() == path:
            return path.stem
        return str(path)

    def three(self) -> list[Attempt]:
        """Return the runs on three networks, or none after reporting why the text cannot be run."""
        if not self.ready():
            return []
        needs = [each.name for each in self.document.outline.needs]
        now = self.experiment()
        now = now.with_(path=now.path if now.path is not None else self.session.path)
        return [Attempt(each.title, each.experiment) for each in tryouts(now, needs)]

    # ------------------------------------------------------------------ results

    def _grown(self, run: Run, first: bool, _play: bool) -> None:
        if first and self.asked and self.is_run:
            self.watch_wanted.emit()

    def _ready(self, run: Run | None, _play: bool) -> None:
        asked, self.asked = self.asked, False
        if run is None or not self.is_run or not self._is_this_text(run):
            if asked and run is not None:
                self.watch_wanted.emit()
            return
        self.take(run, run.timeline or Timeline(run.trace))
        if asked and self.failure is None and run.problem is None:
            self.watch_wanted.emit()
        self.over.emit(self.failure is not None)

    def look(self, run: Run) -> None:
        """Use a run of this text that ended before the text was opened."""
        if run.experiment is not None and self.is_run and self._is_this_text(run):
            self.take(run, run.timeline or Timeline(run.trace))
            self.over.emit(self.failure is not None)

    @property
    def is_of_this_text(self) -> bool:
        """Whether the latest run is a run of the current text."""
        return self.run is not None and self._is_this_text(self.run)

    def forget(self) -> None:
        """Discard the results of runs of this text."""
        self.run = self.timeline = self.failure = None
        self.document.show_run(None)

    def _is_this_text(self, run: Run) -> bool:
        return _plain(run.trace.source) == self.document.source

    def take(self, run: Run, timeline: Timeline) -> None:
        """Show the results of a run of this text."""
        self.run, self.timeline = run, timeline
        self.failure = failure_of(timeline)
        counts = cell_counts(timeline)
        self.document.show_run(counts, line_counts(self.document.outline, counts), self.failure)

    def take_several(self, attempts: list[Attempt]) -> None:
        """Add up the cells of several short runs; keep the failure that is shown."""
        from lydian.trace.parquet.file import load

        found = []
        for each in attempts:
            if each.outcome is None or each.outcome.trace is None:
                continue
            try:
                trace = load(each.outcome.trace)
            except (LydianError, OSError):
                continue
            if _plain(trace.source) == self.document.source:
                found.append(cell_counts(Timeline(trace)))
        if found:
            counts = added(found)
            self.document.show_run(counts, line_counts(self.document.outline, counts), self.document.failure)

    # ------------------------------------------------------------------ kept runs

    def keep(self) -> KeptTest | None:
        """Keep the latest run as a test; report the reason and return ``None`` if that is not possible."""
        run, path = self.run, self.document.path
        if run is None or run.experiment is None or path is None:
            self.said.emit(tr("There is no run of this protocol to keep: press F5 first."), False)
            return None
        if self.document.read_only:
            self.said.emit(
                tr("Runs of the library's protocols cannot be kept; change the protocol to make your own copy."), False
            )
            return None
        seed = run.experiment.seed
        where = run.experiment if run.experiment.path is not None else run.experiment.with_(path=self.session.path)
        if self.failure is not None:
            failure = self.failure
            name = f"{failure.words or 'an event'} at process {failure.process}, seed {seed}"
            if not failure.process:
                name = f"line {failure.line}, seed {seed}"
            about = tr("It failed at time {time:.2f}. {reason}", time=failure.time, reason=failure.sentence)
            test = kept(where, path, name, about)
        else:
            messages, stopped = run.result.get("messages"), run.result.get("stopped")
            network = where.network if isinstance(where.network, str) else where.network.name
            good = stopped if stopped in ("quiescent", "until") else None
            count = messages if isinstance(messages, int) else None
            test = kept(where, path, f"{network}, seed {seed}", messages=count, stopped=good)
        try:
            written = add_test(path, test)
        except (LydianError, OSError) as error:
            self.said.emit(str(error), True)
            return None
        said = (
            tr("Kept: {run}. This run must not fail again; lydian check {file} runs it.")
            if self.failure is not None
            else tr("Kept: {run}. This run must not change; lydian check {file} runs it.")
        )
        self.said.emit(said.format(run=written.name, file=path.name), False)
        return written


def _hindrance(problem: Problem) -> str:
    return tr("Line {line}: {problem}", line=problem.line, problem=problem.sentence)


def _plain(source: str) -> str:
    return source.replace("\r\n", "\n").replace("\r", "\n")
