"""Ways to begin, and ways to continue after a run: another seed, another network, a crash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from lydian.app.panels.experiment.experiment import ExperimentPanel, other_seed
from lydian.app.work.documents import DEFAULT
from lydian.desk.desk import Desk
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.interventions import Intervention
from lydian.trace.timeline import Timeline

if TYPE_CHECKING:
    from lydian.app.panels.start import StartRow

__all__ = ["Offers", "network_like", "victim"]

#: The experiment with a crash that the card of the first start shows.
BROKEN = "echo-crash"


class Offers:
    """The actions of the cards at the first start and of the buttons at the end of a run, one method each.

    Every change is one step of undo, and its run is played as soon as it is ready.
    """

    def __init__(self, desk: Desk, panel: ExperimentPanel, start: StartRow) -> None:
        self.desk, self.panel, self.start = desk, panel, start
        desk.playhead.changed.connect(self._changed)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {
            "begin_watch": lambda: self.example(DEFAULT),
            "begin_break": lambda: self.example(BROKEN),
            "begin_vary": lambda: self.try_on("ring"),
            "other_chances": self.other_chances,
            "try_ring": lambda: self.try_on("ring"),
            "try_tree": lambda: self.try_on("tree"),
            "try_denser": lambda: self.try_on("denser"),
            "break_something": self.break_something,
            "first_steps": self.first_steps,
        }

    # ------------------------------------------------------------------ the first start

    def show_row(self) -> None:
        """Show the row of cards below the views."""
        self.start.offer()
        if self.start.cards and self.start.window().isVisible():
            self.start.cards[0].setFocus()

    def _changed(self, what: str) -> None:
        """Fold the row away as soon as something is played, to give the network its room."""
        if what == "playing" and self.desk.playhead.playing:
            self.start.dismiss()

    def example(self, name: str, *, play: bool = True) -> bool:
        """Open an experiment from the archive and play it; return False and give a notice if there is none."""
        desk = self.desk
        now = desk.session.experiment
        try:
            wanted = desk.shelf.archive.experiment(name)
        except (LydianError, OSError) as error:
            desk.notices.say(str(error))
            return False
        if play and now == wanted and desk.session.shown is not None and not desk.session.worker.busy:
            desk.playhead.pause()
            desk.playhead.seek(desk.playhead.start)
            desk.playhead.play()
            return True
        desk.session.start(wanted, wanted.path, play=play)
        return True

    # ------------------------------------------------------------------ after a run

    def other_chances(self) -> None:
        """Run the same experiment with another seed, hence other delays."""
        experiment = self.desk.session.experiment
        if experiment is None:
            self._only_recorded()
        else:
            self._change(lambda: self.panel.set_seed(other_seed(experiment.seed)))

    def try_on(self, kind: str) -> None:
        """Run the protocol on a ``ring``, ``tree`` or ``denser`` network of the same number of processes."""
        desk = self.desk
        experiment = desk.session.experiment
        network = None if experiment is None else desk.shelf.known_network(experiment.network, experiment.path)
        if experiment is None or network is None:
            self._only_recorded()
            return
        wanted = network_like(kind, network.n, network.m, experiment.seed)
        if experiment.network == wanted:
            desk.playhead.pause()
            desk.playhead.seek(desk.playhead.start)
            desk.playhead.play()
        else:
            self._change(lambda: self.panel.set_network(wanted))

    def run_on(self, network: str) -> None:
        """Run the protocol on another network, given by its name or its specification."""
        if self.desk.session.experiment is None:
            self._only_recorded()
        else:
            self._change(lambda: self.panel.set_network(network))

    def first_steps(self) -> None:
        """Give each process a command, or start guarded actions in an arbitrary configuration."""
        desk, session = self.desk, self.desk.session
        experiment = session.experiment
        if experiment is None:
            self._only_recorded()
            return
        timeline = desk.playhead.timeline
        nothing = None if timeline is None else timeline.trace.summary.get("nothing")
        if not isinstance(nothing, dict):
            desk.notices.say(tr("Events happened in this run; it needs no first commands."), False)
        elif nothing.get("start"):
            self._change(lambda: session.change(tr("any start"), start=replace(experiment.start, any=True)))
        elif nothing.get("workload"):
            given = tuple(Intervention.from_dict(each) for each in nothing["workload"])
            self._change(lambda: session.change(tr("first commands"), workload=(*experiment.workload, *given)))
            desk.notices.say(
                tr("Each process gets the command {command}. Ctrl+Z undoes this.", command=given[0].label), False
            )
        else:
            desk.notices.say(tr("The protocol has no commands; choose an initiator instead."), False)

    def break_something(self) -> None:
        """Crash a process in the middle of the run: the selected one, else one with events still to come."""
        desk = self.desk
        session, timeline = desk.session, desk.playhead.timeline
        if session.experiment is None or timeline is None:
            self._only_recorded()
            return
        faults = session.experiment.faults
        gone = {fault.process for fault in faults if fault.do == "crash"}
        found = victim(timeline, sorted(desk.playhead.selection.processes), gone)
        if found is None:
            desk.notices.say(tr("A crash would stop no process in this run: none has events after its middle."), False)
            return
        process, t = found
        fault = Intervention(time=t, do="crash", process=process)
        wanted = tuple(sorted((*faults, fault), key=lambda each: each.time))
        self._change(lambda: self.panel.set_faults(tr("crash of {process}", process=process), faults=wanted))
        desk.notices.say(
            tr("Process {process} crashes at time {time:g}. Ctrl+Z undoes this.", process=process, time=t), False
        )

    def _change(self, change: Callable[[], object]) -> None:
        """Change the experiment, and play its run as soon as it is ready."""
        before = self.desk.session.experiment
        change()
        if self.desk.session.experiment is not before:
            self.desk.session.play_when_ready()

    def _only_recorded(self) -> None:
        words = tr("This run was recorded without its experiment: you can watch it but not change it.")
        self.desk.notices.say(words, False)


def network_like(kind: str, n: int, m: int, seed: int) -> str:
    """Return the specification of a ``ring``, a ``tree`` or a ``denser`` network of about the same size.

    Args:
        n: the current number of processes.
        m: the current number of links; a denser network has twice this number, or as many as are possible.
        seed: the seed of random networks.
    """
    n = max(n, 3)
    if kind == "ring":
        return f"ring:{n}"
    if kind == "tree":
        return f"randomtree:{n},seed={seed}"
    return f"gnm:{n},{min(max(2 * m, n), n * (n - 1) // 2)},seed={seed}"


def victim(timeline: Timeline, selected: list[int], gone: set[str | None]) -> tuple[str, float] | None:
    """Choose a process to crash, and the time: one that has acted by the middle of the run and has most still to do.

    Args:
        selected: processes that are preferred.
        gone: names of processes that crash already.

    Returns:
        Its name and a time with two decimals, or ``None`` if a crash would stop no process.
    """
    if not timeline.length:
        return None
    first = int(timeline.process[0])
    best: tuple[tuple[bool, bool, int, int], int, float] | None = None
    middle = float(timeline.time[timeline.length // 2])
    for process in range(timeline.n):
        events = timeline.events_of(process)
        if timeline.processes[process] in gone or len(events) < 2:
            continue
        times = np.asarray(timeline.time)[np.asarray(events)]
        t = round(max(middle, float(times[0]) + 0.01), 2)
        left = int((times > t).sum())
        if left:
            rank = (process in selected, process != first, left, -process)
            if best is None or rank > best[0]:
                best = (rank, process, t)
    return None if best is None else (str(timeline.processes[best[1]]), best[2])
