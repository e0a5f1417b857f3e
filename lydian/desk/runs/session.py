"""What the window works on: the experiment, the ways to change it and take it back, and its runs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from lydian.desk.live.live import Live
from lydian.desk.loop import Loop
from lydian.desk.runs.growingtrace import GrowingTrace
from lydian.desk.runs.reading import SMALL, Reading
from lydian.desk.runs.records import experiment_of, names_of
from lydian.desk.runs.run import Run
from lydian.desk.runs.worker import WatchedRun, Worker
from lydian.desk.signal import Signal
from lydian.desk.trust import Trust
from lydian.desk.undo import Step, Undo
from lydian.model.archive.handin import unpack
from lydian.model.archive.shelves import our_folder
from lydian.model.errors import LydianError
from lydian.model.experiment.branches import ROOT, Branches
from lydian.model.experiment.experiment import Experiment, read
from lydian.pieces.animation import allow
from lydian.trace.beginning import Beginning, without_outcome
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.playback.steps import start_of

__all__ = ["SILENT", "Session", "automatic_name"]

#: What is said of a run that gives no sign of life.
SILENT = "The simulator has not answered for 3 s: a step of the protocol may never end. Stop it, or wait."
#: At most so many runs of one session stay in the list.
MOST_RUNS = 50


def automatic_name(experiment: Experiment) -> str:
    """What an experiment is called until its user saves it under a name: by its protocol and its network."""
    return re.sub(r"[^\w.-]+", "-", "-".join(names_of(experiment))).strip("-")


def _renamed(old: Experiment | None, before: Experiment, now: Experiment) -> Experiment | None:
    """The experiment of a run after the experiment was saved: it is called as that, and names the same files."""
    names = ("name", "protocol", "network", "animation")
    if old is None:
        return None
    same = {name: getattr(now, name) for name in names if getattr(old, name) == getattr(before, name)}
    return old.with_(**same, path=now.path)


class Session:
    """The experiment at hand.  A change takes effect at once: it is run again beside the window.

    Attributes:
        experiment: the experiment, or ``None`` if only a trace is open that does not hold one.
        path: its file, if it has one.
        trace_file: the trace that was opened last, if the experiment came with it.
        runs: the runs of it, the latest first.
        shown: the one on the screen.
        trust: whose code may run without asking; ``None``: everybody's.
        rests: whether the experiment waits until its code is accepted.
        bounds: ``seconds`` and ``memory`` that the code of a protocol may take, if not the usual.
        live: who interferes with runs.
        withholding: whether of a run only what was played may be seen, until it was played to its end.
        experiment_changed: tells that the experiment is another one now, or a part of it changed.
        run_started: tells that a run began; it may be over within milliseconds.
        progress: tells events and simulated time so far.
        run_ready: tells a :class:`Run` to show, and whether it should play at once.
        run_grown: tells what there is so far of a run that goes on, whether it is the first part that is handed out,
            and whether it should play at once.
        leaving: tells that another experiment takes the place of the one at hand, which is still there.
        opened: tells that another experiment has taken the place; nothing of it has run.
        held: tells the files of code that nobody has accepted, for which the experiment rests.
        runs_changed: tells that the list of runs changed.
        said: tells a sentence, and whether it is a problem.
    """

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.experiment_changed, self.opened, self.leaving, self.held = Signal(), Signal(), Signal(), Signal()
        self.run_started, self.run_ready, self.run_grown, self.runs_changed = Signal(), Signal(), Signal(), Signal()
        self.progress, self.said = Signal(), Signal()
        self.experiment: Experiment | None = None
        self.path: Path | None = None
        self.trace_file: Path | None = None
        self.runs: list[Run] = []
        self.shown: Run | None = None
        self.undo = Undo()
        self.worker = Worker(loop)
        self.worker.finished.connect(self._finished)
        self.worker.progress.connect(self._progress)
        self.worker.silent.connect(self._silent)
        self.growth = GrowingTrace(loop)
        self.growth.grown.connect(self._grown)
        self.growth.whole.connect(self._whole)
        self.reading = Reading(loop)
        self.reading.read.connect(lambda timeline, file: self.show_trace(timeline.trace, file, timeline))
        self.live = Live(self)
        self.trust: Trust | None = None
        self.rests = False
        self.bounds: dict[str, Any] = {}
        self._saved: Experiment | None = None  # as the file has it
        self.withholding = False
        self._withheld: Run | None = None  # the whole of a run of which the beginning is shown
        self._play_after = False
        self._outcome: WatchedRun | None = None  # of a run that is over while its trace is still being read
        self._part: Run | None = None  # what was handed out of the run under way

    # ------------------------------------------------------------------ the experiment

    @property
    def modified(self) -> bool:
        """Whether the experiment differs from its file, or from what was opened; its branches count."""
        return self.experiment is not None and self.experiment != self._saved

    def start(
        self,
        experiment: Experiment,
        path: Path | None = None,
        *,
        play: bool = False,
        modified: bool = False,
        withhold: bool = False,
        branch: int = ROOT,
    ) -> None:
        """Work on another experiment: nothing of the old one can be undone any more.

        Args:
            experiment: the experiment.
            path: its file, if it has one.
            play: whether its first run plays at once.
            modified: whether it differs from its file already.
            withhold: whether of its runs only what was played may be seen (:meth:`withhold`).
            branch: which of its runs is looked at, if it has that one.
        """
        self._forget_withheld(withhold)
        self.reading.cancel()
        self.leaving.emit()
        self.experiment, self.path, self.trace_file, self.shown = experiment, path, None, None
        self.undo.clear()
        self.undo.set_clean()
        self._saved = None if modified else experiment
        if modified:
            self.undo.set_clean(False)
        self.runs.clear()
        self.live.forget()
        self.live.look_at(branch)
        self.runs_changed.emit()
        self.experiment_changed.emit()
        self.opened.emit()
        self.run(play=play)

    def saved(self, experiment: Experiment, path: Path) -> None:
        """The experiment at hand is in a file now, with what it names as it is named from there."""
        before = self.experiment
        self.experiment, self.path, self._saved = experiment, path, experiment
        if before is not None:  # earlier runs are those of the same experiment
            self.runs[:] = [replace(run, experiment=_renamed(run.experiment, before, experiment)) for run in self.runs]
            self.shown = next((run for run in self.runs if self.shown and run.trace is self.shown.trace), self.shown)
        self.undo.set_clean()
        self.experiment_changed.emit()

    def change(self, text: str, *, anew: bool = False, **parts: Any) -> None:
        """Edit parts of the experiment, as one step of undo; equal values are no change.

        An example with another protocol or network is no longer that example: it becomes an experiment of the
        user's own, with a name of its own, without the example's description, and without a file until it is saved.

        Args:
            text: what the Edit menu says: "delays", "network ring:8".
            anew: whether another protocol or network begins a new experiment even where the one at hand is saved
                in a file of the user's own.
            **parts: fields of the experiment and their new values.
        """
        now = self.experiment
        if now is None:
            return
        parts = {name: value for name, value in parts.items() if getattr(now, name) != value}
        anew = ("protocol" in parts or "network" in parts) and (anew or not self._own)
        if anew:
            place = self.path if now.path is None else now.path
            parts |= {"name": automatic_name(now.with_(**parts)), "about": "", "path": place}
        if parts:
            old = {name: getattr(now, name) for name in parts}
            self.undo.push(Step(text, partial(self._apply, anew), (old, self.path), (parts, None)))

    @property
    def _own(self) -> bool:
        """Whether the experiment is saved in a file of the user's own."""
        return self.path is not None and our_folder().resolve() not in self.path.resolve().parents

    def _apply(self, anew: bool, state: tuple[Mapping[str, Any], Path | None]) -> None:
        """Set parts of the experiment, and its file if it begins or ends as another one, and run it."""
        assert self.experiment is not None
        parts, path = state
        if anew:
            self.path = path
        self.experiment = self.experiment.with_(**parts)
        self.live.forget()
        self.experiment_changed.emit()
        self.run()

    def keep(self, experiment: Experiment) -> None:
        """The experiment has other branches now; its runs stay what they are."""
        self.experiment = experiment
        self.experiment_changed.emit()

    def same(self, run: Run, branch: int) -> bool:
        """Whether a run is that of a branch of the experiment at hand, and whole."""
        if run.branch != branch or run.experiment is None or self.experiment is None or not run.result:
            return False
        return Branches.of(run.experiment).path(branch) == Branches.of(self.experiment).path(branch)

    @property
    def name(self) -> str:
        """What the window's title says."""
        if self.experiment is None:
            return "A recorded run"
        return f"{self.experiment.name or names_of(self.experiment)[0]}, seed {self.experiment.seed}"

    # ------------------------------------------------------------------ what may be seen

    @property
    def whole(self) -> Run | None:
        """The run on the screen, also what may not yet be seen of it; ``None`` while it is not over."""
        return self.shown if self._withheld is None else self._withheld

    def withhold(self) -> None:
        """Show nothing of a run before it was played: of the one on the screen, which goes back to its start, and of
        those that come.

        Whoever looks at :attr:`shown`, :attr:`runs` or the play head's timeline finds what has happened by then.
        :meth:`disclose` ends it; so does another experiment, and for one run its end.
        """
        self.withholding = True
        run = self.whole
        if run is not None and run.result.get("stopped") and not self.live.on:
            self._withhold(run, play=False)

    def disclose(self) -> None:
        """Show the whole of each run again."""
        self.withholding = False
        self.reveal()

    def reveal(self) -> None:
        """Show the whole of the run on the screen: it was played to its end."""
        run, self._withheld = self._withheld, None
        if run is not None:
            self._add(replace(run, continues=True), play=False)

    def uncovered(self, timeline: Timeline) -> None:
        """More of the run on the screen was played."""
        if self._withheld is not None and self.shown is not None:
            self.shown = replace(self.shown, trace=timeline.trace, timeline=timeline)

    def _withhold(self, run: Run, *, play: bool) -> None:
        """Show a run from its start, and nothing that follows from what comes later."""
        timeline = run.timeline or Timeline(run.trace)
        beginning = Beginning(timeline)
        self._withheld = replace(run, timeline=timeline)
        self.runs[:] = [each for each in self.runs if each.trace is not run.trace]
        first = beginning.upto(start_of(timeline))
        self.shown = Run(run.experiment, first.trace, None, timeline=first, branch=run.branch, beginning=beginning)
        self.runs_changed.emit()
        self.run_grown.emit(self.shown, True, play)

    def _forget_withheld(self, withholding: bool = False) -> None:
        self.withholding, self._withheld = withholding, None

    # ------------------------------------------------------------------ runs

    def run(self, *, play: bool = False) -> None:
        """Run the experiment in the background; :attr:`run_ready` follows, or a sentence why not."""
        if self.experiment is None:
            self.said.emit("A trace was opened without its experiment, so it cannot be run again.", True)
            return
        self._play_after = play
        self._withheld = None
        self.live.leave()
        if not self.may_run():
            return
        try:
            request = self.live.recorded().to_dict()
        except LydianError as error:
            self.said.emit(str(error), True)
            return
        self.growth.begin()
        self._part = None
        self.run_started.emit()
        self.worker.run(request, self.folder, self.bounds)

    def may_run(self) -> bool:
        """Whether the code that the experiment names may run; if not, :attr:`held` says so and nothing runs."""
        if self.experiment is None:
            return True
        strange = [] if self.trust is None else self.trust.strange(self.experiment)
        self.rests = bool(strange)
        if strange:
            self.settle()
            self.shown = None
            self.run_ready.emit(None, False)  # what was under way is over
            self.held.emit(strange)
            return False
        allow(self.experiment)
        return True

    @property
    def folder(self) -> Path | None:
        """Where the files are that the experiment names."""
        path = self.path if self.experiment is None or self.experiment.path is None else self.experiment.path
        return None if path is None else path.parent

    def settle(self) -> None:
        """Another run takes the place of the one under way, if there is one."""
        self.reading.cancel()
        self.worker.drop()
        self.growth.end()

    def play_when_ready(self) -> None:
        """Have the run under way play from its start as soon as it is there."""
        self._play_after = True

    def stop(self) -> None:
        """Stop the run under way; what happened so far is shown."""
        self.worker.stop()

    def show(self, run: Run, *, play: bool = False) -> None:
        """Show a run again, with the experiment it came from."""
        self._withheld = None
        self.live.leave()
        run = replace(run, continues=False)
        if self.withholding and run.result.get("stopped"):
            self.live.look_at(run.branch)
            self._withhold(run, play=play)
            return
        self.runs[:] = [run if each.trace is run.trace else each for each in self.runs]
        self.shown = run
        if run.experiment is not None and not (self.experiment is not None and self.same(run, run.branch)):
            self.experiment = run.experiment
            self.experiment_changed.emit()
        self.live.look_at(run.branch)
        self.runs_changed.emit()
        self.run_ready.emit(run, play)

    def open_trace(self, file: Path) -> None:
        """Show the trace in a file; a long one is read aside, and :attr:`reading` tells how far that is.

        Raises:
            LydianError: a short one cannot be read.
            OSError: a short one cannot be read.
        """
        if file.is_file() and file.stat().st_size > SMALL:
            self.reading.begin(file)
            return
        from lydian.trace.parquet.reader import load

        self.show_trace(load(file), file)

    def open_hand_in(self, file: Path) -> None:
        """Show the run in a hand-in; its experiment can be run again, and nothing of it runs before.

        Raises:
            BadInput: it cannot be read.
        """
        from lydian.trace.parquet.reader import load

        found = unpack(file)
        experiment = read(found.experiment)
        branch = found.branch if any(each.id == found.branch for each in experiment.branches) else ROOT
        self.show_trace(load(found.run), found.run, handed=(experiment, branch))
        self.trace_file = file

    def show_trace(
        self, trace: Trace, file: Path, timeline: Timeline | None = None, handed: tuple[Experiment, int] | None = None
    ) -> None:
        """Show a trace from a file; its experiment, if it holds one, can be changed and run.

        Args:
            trace: the trace.
            file: its file.
            timeline: made of it, if somebody did that already.
            handed: the experiment of the hand-in that it came with, and which of its runs it is.
        """
        self._forget_withheld()
        self.reading.cancel()
        self.leaving.emit()
        self.growth.end()
        self.undo.clear()
        self.undo.set_clean()
        self.runs.clear()
        self.experiment, self.path, self.trace_file = experiment_of(trace), None, file
        branch = ROOT
        if handed is not None:
            (self.experiment, branch), self.path = handed, handed[0].path
        self._saved = self.experiment
        run = Run(self.experiment, trace, file, dict(trace.summary), trace.damage, timeline=timeline, branch=branch)
        self.runs.append(run)
        self.live.forget()
        self.experiment_changed.emit()
        self.show(run)
        if trace.damage:
            self.said.emit(trace.damage, True)

    def save_trace(self, file: Path) -> None:
        """Write the run that is shown to a file.

        Raises:
            LydianError: it cannot be written.
            OSError: it cannot be written.
        """
        from lydian.trace.parquet.file import save

        if self.shown is None:
            return
        if self.shown.file is not None and self.shown.file.suffix == file.suffix and self.shown.problem is None:
            part = file.with_name(file.name + ".part")
            try:
                shutil.copyfile(self.shown.file, part)
                part.replace(file)
            finally:
                part.unlink(missing_ok=True)
        else:
            save(self.shown.trace, file)

    def close(self) -> None:
        """Leave no child and no temporary file; nothing is told any more."""
        self.undo.close()
        self.live.close()
        self.worker.close()
        self.growth.close()
        self.reading.close()
        for one in (self, self.live):
            for signal in vars(one).values():
                if isinstance(signal, Signal):
                    signal.clear()

    def _progress(self, _number: int, events: int, time: float, live: Path | None) -> None:
        if self.withholding:
            return
        self.progress.emit(events, time)
        self.growth.look(live)

    def _silent(self, silent: bool) -> None:
        self.said.emit(SILENT if silent else "", silent)

    def _grown(self, timeline: Timeline) -> None:
        first = self._part is None
        if not first and self.shown is not self._part:
            return  # another run is looked at meanwhile
        self._part = self.shown = Run(self.experiment, timeline.trace, None, timeline=timeline, branch=self.live.branch)
        self.run_grown.emit(self._part, first, first and self._play_after)

    # ------------------------------------------------------------------ live runs

    def live_grown(self, timeline: Timeline, checks: Sequence[Mapping[str, Any]], first: bool) -> None:
        """There is more of a live run; ``first``: it is another one than the one on the screen."""
        self._withheld = None
        result = {"checks": [] if self.withholding else list(checks)}
        if self.withholding:  # what happens is there as soon as it happens; how it is judged is not
            timeline.trace = without_outcome(timeline.trace)
        self.shown = Run(self.experiment, timeline.trace, None, result, timeline=timeline, branch=self.live.branch)
        self.run_grown.emit(self.shown, first, False)

    def live_over(self, timeline: Timeline, result: Mapping[str, Any], first: bool) -> None:
        """A live run has come to its end."""
        self._withheld = None
        problem = result.get("error")
        run = Run(self.experiment, timeline.trace, None, result, problem, not first, timeline, branch=self.live.branch)
        self.said.emit(str(problem or ""), bool(problem))
        self._add(run, play=False)

    def _add(self, run: Run, *, play: bool) -> None:
        """Show a run that is over, and list it."""
        self.runs[:] = [run, *(replace(old, timeline=None) for old in self.runs)]  # made anew if it is shown again
        del self.runs[MOST_RUNS:]
        self.shown = run
        self.runs_changed.emit()
        self.run_ready.emit(run, play)

    def _finished(self, outcome: WatchedRun) -> None:
        long = self.growth.shown
        self.growth.end()
        if outcome.trace is None:
            self._loaded(outcome, None, "")
            return
        if long:  # reading it takes a while, too
            self._outcome = outcome
            self.growth.finish(outcome.trace)
            return
        from lydian.trace.parquet.file import load

        try:
            self._loaded(outcome, Timeline(load(outcome.trace)), "")
        except (LydianError, OSError) as error:
            self._loaded(outcome, None, str(error))

    def _whole(self, timeline: Timeline | None, why: str) -> None:
        if self._outcome is not None:
            self._loaded(self._outcome, timeline, why)

    def _loaded(self, outcome: WatchedRun, timeline: Timeline | None, why: str) -> None:
        """A run is over, and its trace read."""
        self._outcome = None
        if outcome.problem is not None:
            self.said.emit(outcome.problem, True)
        elif why or timeline is not None:
            self.said.emit(why, bool(why))
        if timeline is None:
            self.run_ready.emit(None, False)
            return
        trace = timeline.trace
        seen = self._part is not None and self.shown is self._part
        result = outcome.result or dict(trace.summary)
        run = Run(self.experiment, trace, outcome.trace, result, outcome.problem, seen, timeline, self.live.branch)
        if self.withholding and result.get("stopped"):
            self._withhold(run, play=self._play_after)
        else:
            self._add(run, play=self._play_after)
