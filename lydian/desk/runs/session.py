"""The session of a window: the current experiment, the changes to it and their undoing, and its runs."""

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
from lydian.language import tr
from lydian.model.archive.handin import unpack
from lydian.model.archive.shelves import our_folder
from lydian.model.errors import LydianError
from lydian.model.experiment.branches import ROOT, Branches
from lydian.model.experiment.experiment import Experiment, read
from lydian.model.experiment.flight import FlightStop
from lydian.pieces.animation import allow
from lydian.trace.beginning import Beginning, without_outcome
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from lydian.views.playback.steps import start_of

__all__ = ["SILENT", "Session", "automatic_name"]

#: The notice about a run that does not respond.
SILENT = tr("The simulator has not responded for 3 s: an action of the protocol may never end. Stop it, or wait.")
#: The maximum number of runs of a session that stay in the list.
MOST_RUNS = 50


def automatic_name(experiment: Experiment) -> str:
    """Return the name of an experiment until the user saves it under another: its protocol and its network."""
    return re.sub(r"[^\w.-]+", "-", "-".join(names_of(experiment))).strip("-")


def _renamed(old: Experiment | None, before: Experiment, now: Experiment) -> Experiment | None:
    """Return the experiment of an earlier run with the name and the files of the experiment as it was saved."""
    names = ("name", "protocol", "network", "animation")
    if old is None:
        return None
    same = {name: getattr(now, name) for name in names if getattr(old, name) == getattr(before, name)}
    return old.with_(**same, path=now.path)


class Session:
    """The current experiment. A change takes effect at once: the experiment is run again in the background.

    Attributes:
        experiment: the experiment, or ``None`` if only a trace is open that does not contain one.
        path: its file, if it has one.
        trace_file: the trace that was last opened, if the experiment came with it.
        runs: its runs, the latest first.
        shown: the run on the screen.
        trust: the code that may run without asking; ``None`` for any code.
        rests: whether the experiment waits until its code is accepted.
        bounds: the ``seconds`` and the ``memory`` that a protocol's code may use, if not the defaults.
        live: the controller of live runs.
        withholding: whether only the part of a run already played may be seen, until it has been played to its end.
        experiment_changed: emitted when the experiment is replaced or a part of it has changed.
        run_started: emitted when a run begins, which may be over within milliseconds.
        progress: emitted with the number of events and the simulated time so far.
        run_ready: emitted with a :class:`Run` to show, and whether it should play at once.
        run_grown: emitted with the part that exists of a run in progress, whether it is the first part of this run,
            and whether it should play at once.
        leaving: emitted when another experiment is about to replace the current one, which is still there.
        opened: emitted when another experiment has been opened, before any run of it.
        held: emitted with the files of code that the user has not accepted and for which the experiment waits.
        runs_changed: emitted when the list of runs has changed.
        said: emitted with a sentence, and whether it reports a problem.
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
        self._beginning: Run | None = None  # of a trace of which the rest is being read
        self.growth = GrowingTrace(loop)
        self.growth.grown.connect(self._grown)
        self.growth.whole.connect(self._whole)
        self.reading = Reading(loop)
        self.reading.began.connect(self._begin_trace)
        self.reading.read.connect(self._read_trace)
        self.reading.failed.connect(lambda _why: self._keep_beginning())
        self.reading.cancelled.connect(self._keep_beginning)
        self.live = Live(self)
        self.trust: Trust | None = None
        self.rests = False
        self.bounds: dict[str, Any] = {}
        self._saved: Experiment | None = None  # the experiment as it is in its file
        self.withholding = False
        self._withheld: Run | None = None  # the complete run of which only the beginning is shown
        self._parts: Beginning | None = None  # of that run
        self._play_after = False
        self._outcome: WatchedRun | None = None  # the outcome of a run that is over while its trace is still being read
        self._part: Run | None = None  # the part shown of the run in progress

    # ------------------------------------------------------------------ the experiment

    @property
    def modified(self) -> bool:
        """Whether the experiment, including its branches, differs from its file or from what was opened."""
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
        """Open another experiment; changes to the previous one can no longer be undone.

        Args:
            experiment: the experiment.
            path: its file, if it has one.
            play: whether its first run plays at once.
            modified: whether it already differs from its file.
            withhold: whether only the part of its runs already played may be seen (:meth:`withhold`).
            branch: the run to show, if the experiment has it.
        """
        self._forget_withheld(withhold)
        self._beginning = None
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

    def begin_elsewhere(self, experiment: Experiment | None) -> None:
        """Replace the experiment by that of a run that is carried out elsewhere; nothing runs here.

        The events of that run arrive by :meth:`live_grown`.
        """
        self._forget_withheld()
        self.leaving.emit()
        self.settle()
        self.undo.clear()
        self.undo.set_clean()
        self.runs.clear()
        path = None if experiment is None else experiment.path
        self.experiment, self.path, self.trace_file, self.shown = experiment, path, None, None
        self._saved = experiment
        self.live.forget()
        self.runs_changed.emit()
        self.experiment_changed.emit()

    def saved(self, experiment: Experiment, path: Path) -> None:
        """Record that the current experiment was saved; ``experiment`` names its files as seen from its own file."""
        before = self.experiment
        self.experiment, self.path, self._saved = experiment, path, experiment
        if before is not None:  # earlier runs belong to the same experiment
            self.runs[:] = [replace(run, experiment=_renamed(run.experiment, before, experiment)) for run in self.runs]
            self.shown = next((run for run in self.runs if self.shown and run.trace is self.shown.trace), self.shown)
        self.undo.set_clean()
        self.experiment_changed.emit()

    def change(self, text: str, *, anew: bool = False, **parts: Any) -> None:
        """Edit parts of the experiment as one undoable step; values equal to the current ones are ignored.

        With another protocol or network, an example becomes an experiment of the user's own: it has a name of its
        own, no description, and no file until it is saved.

        Args:
            text: the description in the Edit menu: "delays", "network ring:8".
            anew: whether another protocol or network begins a new experiment even if the current one is saved in a
                file of the user's own.
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
        """Set parts of the experiment (and its file, if a new experiment begins or this is undone), and run it."""
        assert self.experiment is not None
        parts, path = state
        if anew:
            self.path = path
        self.experiment = self.experiment.with_(**parts)
        self.live.forget()
        self.experiment_changed.emit()
        self.run()

    def set_flight(self, text: str, flight: tuple[FlightStop, ...], key: str = "") -> None:
        """Edit the guided flight as one undoable step; the runs stay as they are.

        Args:
            text: the description in the Edit menu.
            flight: all its stops.
            key: consecutive edits with the same key are one step.
        """
        now = self.experiment
        if now is not None and flight != now.flight:
            self.undo.push(Step(text, self._fly, now.flight, flight, key))

    def _fly(self, flight: tuple[FlightStop, ...]) -> None:
        assert self.experiment is not None
        self.keep(self.experiment.with_(flight=flight))

    def keep(self, experiment: Experiment) -> None:
        """Replace the experiment by one with other branches or another flight; the runs stay as they are."""
        self.experiment = experiment
        self.experiment_changed.emit()

    def same(self, run: Run, branch: int) -> bool:
        """Return True if a run is a complete run of this branch of the current experiment."""
        if run.branch != branch or run.experiment is None or self.experiment is None or not run.result:
            return False
        one, other = (Branches.of(each).path(branch) for each in (run.experiment, self.experiment))
        return one.alone == other.alone

    @property
    def name(self) -> str:
        """The name of what is open, for the window's title."""
        if self.experiment is None:
            return tr("A recorded run")
        return tr(
            "{name}, seed {seed}", name=self.experiment.name or names_of(self.experiment)[0], seed=self.experiment.seed
        )

    # ------------------------------------------------------------------ withholding

    @property
    def whole(self) -> Run | None:
        """The run on the screen, including any part that may not be seen yet."""
        return self.shown if self._withheld is None else self._withheld

    @property
    def hiding(self) -> bool:
        """Whether a part of the run on the screen may not be seen."""
        return self._withheld is not None

    def withhold(self) -> None:
        """Show only the played part of the current run, which returns to its start, and of each later run.

        Until it is played, :attr:`shown`, :attr:`runs` and the play head's timeline contain only the events so far.
        :meth:`disclose` or another experiment ends this for all runs, and reaching the end of a run ends it for that
        run.
        """
        self.withholding = True
        run = self.whole
        if run is not None and run.result.get("stopped") and not self.live.on:
            self._withhold(run, play=False)

    def show_until(self, t: float) -> None:
        """Show only the part of the current run up to time ``t``, with no way to go on.

        Unlike :meth:`withhold`, this does not show the speed of messages in transit. :meth:`reveal` ends it, and so
        does any other run.
        """
        run = self.whole
        if run is None:
            return
        timeline = run.timeline or Timeline(run.trace)
        if self._parts is None or self._parts.whole is not timeline:
            self._parts = Beginning(timeline)
        self._hold(run, timeline, self._parts.alone(t), None, play=False)

    def disclose(self) -> None:
        """Show all runs completely again."""
        self.withholding = False
        self.reveal()

    def reveal(self) -> None:
        """Show the run on the screen completely, because it has been played to its end."""
        run, self._withheld, self._parts = self._withheld, None, None
        if run is not None:
            self._add(replace(run, continues=True), play=False)

    def uncovered(self, timeline: Timeline) -> None:
        """Extend the visible part of the run on the screen, as more of it has been played."""
        if self._withheld is not None and self.shown is not None:
            self.shown = replace(self.shown, trace=timeline.trace, timeline=timeline)

    def _withhold(self, run: Run, *, play: bool) -> None:
        """Show a run from its start, and nothing that depends on later events."""
        timeline = run.timeline or Timeline(run.trace)
        beginning = Beginning(timeline)
        self._hold(run, timeline, beginning.upto(start_of(timeline)), beginning, play=play)

    def _hold(self, run: Run, timeline: Timeline, first: Timeline, beginning: Beginning | None, *, play: bool) -> None:
        """Show the part ``first`` in place of a run, whose timeline is given."""
        self._withheld = replace(run, timeline=timeline)
        self.runs[:] = [each for each in self.runs if each.trace is not run.trace]
        self.shown = Run(run.experiment, first.trace, None, timeline=first, branch=run.branch, beginning=beginning)
        self.runs_changed.emit()
        self.run_grown.emit(self.shown, True, play)

    def _forget_withheld(self, withholding: bool = False) -> None:
        self.withholding, self._withheld, self._parts = withholding, None, None

    # ------------------------------------------------------------------ runs

    def run(self, *, play: bool = False) -> None:
        """Run the experiment in the background; later emit :attr:`run_ready`, or :attr:`said` with the problem."""
        if self.experiment is None:
            self.said.emit(tr("This run was recorded without its experiment, so it cannot be run again."), True)
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
        """Return True if the code that the experiment names may run; if not, emit :attr:`held` and run nothing."""
        if self.experiment is None:
            return True
        strange = [] if self.trust is None else self.trust.strange(self.experiment)
        self.rests = bool(strange)
        if strange:
            self.settle()
            self.shown = None
            self.run_ready.emit(None, False)  # there is no run to show
            self.held.emit(strange)
            return False
        allow(self.experiment)
        return True

    @property
    def folder(self) -> Path | None:
        """The folder in which the files named by the experiment are looked for."""
        path = self.path if self.experiment is None or self.experiment.path is None else self.experiment.path
        return None if path is None else path.parent

    def settle(self) -> None:
        """Drop the run in progress, if any, as another run is about to replace it."""
        self._beginning = None
        self.reading.cancel()
        self.worker.drop()
        self.growth.end()

    def play_when_ready(self) -> None:
        """Play the run in progress from its start as soon as it is ready."""
        self._play_after = True

    def stop(self) -> None:
        """Stop the run in progress and show its events so far."""
        self.worker.stop()

    def show(self, run: Run, *, play: bool = False) -> None:
        """Show an earlier run again, with its experiment."""
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
        """Show the trace in a file; a long one is read in the background, and :attr:`reading` reports the progress.

        Raises:
            LydianError: a short trace cannot be read.
            OSError: a short trace cannot be read.
        """
        if file.is_file() and file.stat().st_size > SMALL:
            self.reading.begin(file)
            return
        from lydian.trace.parquet.reader import load

        self.show_trace(load(file), file)

    def open_hand_in(self, file: Path) -> None:
        """Show the run in a hand-in; its experiment can be run again, but does not run until the user asks.

        Raises:
            BadInput: the hand-in cannot be read.
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
        """Show a trace from a file; its experiment, if it contains one, can be changed and run.

        Args:
            trace: the trace.
            file: its file.
            timeline: the timeline of the trace, if it has already been computed.
            handed: the experiment of the hand-in that contained the trace, and the branch that the trace records.
        """
        self._beginning = None
        self.reading.cancel()
        self._leave_for(trace, file)
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

    def _leave_for(self, trace: Trace, file: Path) -> None:
        """Replace the experiment and its runs by those of a trace from a file."""
        self._forget_withheld()
        self.leaving.emit()
        self.growth.end()
        self.undo.clear()
        self.undo.set_clean()
        self.runs.clear()
        self.experiment, self.path, self.trace_file = experiment_of(trace), None, file

    def _begin_trace(self, timeline: Timeline, file: Path) -> None:
        """Show the beginning of a long trace while the rest of it is read."""
        trace = timeline.trace
        self._leave_for(trace, file)
        self._saved = self.experiment
        self.live.forget()
        self.experiment_changed.emit()
        self.live.look_at(ROOT)
        self._beginning = self.shown = Run(self.experiment, trace, None, timeline=timeline)
        self.runs_changed.emit()
        self.run_grown.emit(self.shown, True, False)

    def _read_trace(self, timeline: Timeline, file: Path) -> None:
        """Show a trace that has been read; if its beginning was shown, from the current moment."""
        beginning, self._beginning = self._beginning, None
        if beginning is None:
            self.show_trace(timeline.trace, file, timeline)
            return
        if self.shown is not beginning:
            return  # another run is shown in the meantime, such as a live one that goes on from the beginning
        trace = timeline.trace
        self._add(Run(self.experiment, trace, file, dict(trace.summary), trace.damage, True, timeline), play=False)
        if trace.damage:
            self.said.emit(trace.damage, True)

    def _keep_beginning(self) -> None:
        """List the beginning of a trace that is on the screen, as the rest will not be read."""
        beginning, self._beginning = self._beginning, None
        if beginning is not None and self.shown is beginning:
            self._add(replace(beginning, continues=True), play=False)

    def save_trace(self, file: Path) -> None:
        """Write the run that is shown to a file.

        Raises:
            LydianError: the file cannot be written.
            OSError: the file cannot be written.
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
        """End all child processes and delete the temporary files; emit no further signal."""
        self.undo.close()
        self.live.close()
        self.worker.close()
        self.growth.close()
        self.reading.close()
        for one in (self, self.live):
            for signal in vars(one).values():
                if isinstance(signal, Signal):
                    signal.clear()

    @property
    def goes_on(self) -> bool:
        """Whether more of the run on the screen is still to come, from a run in progress or from a file."""
        return self.growth.going_on or self._beginning is not None

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
            return  # another run is shown in the meantime
        self._part = self.shown = Run(self.experiment, timeline.trace, None, timeline=timeline, branch=self.live.branch)
        self.run_grown.emit(self._part, first, first and self._play_after)

    # ------------------------------------------------------------------ live runs

    def live_grown(self, timeline: Timeline, checks: Sequence[Mapping[str, Any]], first: bool) -> None:
        """Show the new events of a live run; ``first`` says that it is not the run on the screen."""
        self._withheld = None
        result = {"checks": [] if self.withholding else list(checks)}
        if self.withholding:  # events are shown as soon as they happen, but their outcome is not
            timeline.trace = without_outcome(timeline.trace)
        self.shown = Run(self.experiment, timeline.trace, None, result, timeline=timeline, branch=self.live.branch)
        self.run_grown.emit(self.shown, first, False)

    def live_over(self, timeline: Timeline, result: Mapping[str, Any], first: bool) -> None:
        """Show and list a live run that has come to its end."""
        self._withheld = None
        problem = result.get("error")
        run = Run(self.experiment, timeline.trace, None, result, problem, not first, timeline, branch=self.live.branch)
        self.said.emit(str(problem or ""), bool(problem))
        self._add(run, play=False)

    def _add(self, run: Run, *, play: bool) -> None:
        """Show a run that is over, and list it."""
        self.runs[:] = [run, *(replace(old, timeline=None) for old in self.runs)]  # recomputed when shown again
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
        if long:  # reading the whole trace takes time, too
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
        """Show the outcome of a run that is over and whose trace has been read."""
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
