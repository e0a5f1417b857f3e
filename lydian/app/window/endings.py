"""The end of a run in the window: why it failed beside the views, or what one should have seen below them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from lydian.app.panels.ending.ending import EndingPanel, SeenRow
from lydian.app.work.loop import Loop
from lydian.authoring.ending import Ending, ending_of
from lydian.desk.runs.undisturbed import Undisturbed
from lydian.desk.runs.whatnext import Suggestion, seen, suggestions
from lydian.language import tr
from lydian.model.archive.shelves import called
from lydian.model.archive.trials import Trial, trials_of
from lydian.pieces.animation import generic
from lydian.views.selection import Selection

if TYPE_CHECKING:
    from lydian.app.panels.experiment.experiment import ExperimentPanel
    from lydian.app.panels.timeline.scrubber import Scrubber
    from lydian.app.stage.stage import Stage
    from lydian.app.window.offers import Offers
    from lydian.desk.desk import Desk
    from lydian.pieces.animation import Animation
    from lydian.trace.timeline import Timeline

__all__ = ["Endings"]

#: The number of moments that are played again.
STEPS = 5


class Endings(QObject):
    """The controller of the panel and the row about the end of the run on the screen.

    Args:
        panel, row: what it shows.
        scrubber: the time line, which shows how far the run would have gone without its faults.
        experiment: the panel through which experiments are changed.
        quiet: returns True while a lesson explains the run instead.
        open_line: opens the protocol of the run at a line.
    """

    def __init__(
        self, desk: Desk, stage: Stage, panel: EndingPanel, row: SeenRow, scrubber: Scrubber,
        experiment: ExperimentPanel, offers: Offers, quiet: Callable[[], bool],
        open_line: Callable[[int], object], parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.desk, self.stage, self.panel, self.row = desk, stage, panel, row
        self._experiment, self._offers, self._quiet = experiment, offers, quiet
        self.undisturbed = Undisturbed(Loop(self))
        self.undisturbed.changed.connect(self._looked)
        self._scrubber = scrubber
        desk.screen.loading.connect(self._loading)
        desk.screen.ended.connect(self._ended)
        panel.moment_wanted.connect(self._show_moment)
        panel.replay_wanted.connect(self._replay)
        panel.shorten_wanted.connect(lambda: desk.commands.do("run_shorten"))
        panel.line_wanted.connect(open_line)
        panel.closed.connect(self._to_the_network)
        row.closed.connect(self._to_the_network)
        for part in (panel, row):
            part.chosen.connect(self._take)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"ending": self.show, "without_faults": self.without_faults}

    def close(self) -> None:
        """End the run without faults if it is in progress."""
        self.undisturbed.close()

    def _looked(self) -> None:
        self._scrubber.set_outlook(self.undisturbed.end)

    def _loading(self, _before: object, _timeline: object) -> None:
        self.undisturbed.forget()
        self.panel.hide()
        self.row.hide()

    def _ended(self, on: bool) -> None:
        if on and self.desk.workspaces.current == "run" and not self._quiet():
            self._show(asked=False)

    def show(self) -> None:
        """Show how the run ended, wherever the play head is."""
        if self._show(asked=True):
            target = self.panel.way if self.panel.isVisible() else self.row.cross
            target.setFocus()
        else:
            self.desk.notices.say(tr("The run has not ended yet."), False)

    def _show(self, *, asked: bool) -> bool:
        """Show how the run ended; return False if it has not ended."""
        head, shown = self.desk.playhead, self.desk.session.shown
        timeline = head.timeline
        if timeline is None or shown is None:
            return False
        checks = self.stage.checks.checks
        animation = head.animation or generic()
        ending = ending_of(timeline, checks, animation)
        if ending is None:
            return False
        experiment = shown.experiment
        trials: tuple[Trial, ...] = ()
        if experiment is not None:
            trials = trials_of(called(experiment.protocol, "protocols"), self.desk.shelf.archive)
        told, after = seen(experiment, trials), suggestions(ending, experiment, trials)
        if ending.good:
            self.panel.hide()
            self.row.show_next(told or ending.sentence, after)
            return True
        self.row.hide()
        where = "" if experiment is None else f"{called(experiment.protocol, 'protocols')}.py"
        self.panel.show_ending(ending, _links(timeline, ending, animation), told, where, after, head.end)
        self._mark(timeline, ending, asked)
        if experiment is not None and not self.undisturbed.asked:
            session = self.desk.session
            folder = session.folder if experiment.path is None else experiment.path.parent
            trace = session.worker.folder / "without-faults.parquet"
            self.undisturbed.look(experiment, timeline.length, trace, folder, session.bounds)
        if shown.problem and self.desk.notices.text == shown.problem:
            self.desk.notices.show("")  # the panel says the same, and more
        return True

    def _mark(self, timeline: Timeline, ending: Ending, asked: bool) -> None:
        """Mark the processes at fault, at the decisive moment."""
        head = self.desk.playhead
        if 0 <= ending.event < timeline.length - 1:
            head.seek(float(timeline.time[ending.event]))
        if ending.guilty and (asked or not head.selection.processes):
            event = ending.event if ending.kind in ("violated", "failed") else None
            head.select(Selection(processes=frozenset(ending.guilty), event=event))

    def _show_moment(self, seq: int) -> None:
        timeline = self.desk.playhead.timeline
        if timeline is None or not 0 <= seq < timeline.length:
            return
        self.desk.jump(float(timeline.time[seq]))
        process = int(timeline.process[seq])
        self.desk.playhead.select(Selection(frozenset({process} if process >= 0 else ()), event=seq))

    def _replay(self) -> None:
        """Play the last moments before the decisive event."""
        head, ending = self.desk.playhead, self.panel.ending
        timeline = head.timeline
        if timeline is None or ending is None:
            return
        times = sorted({moment.time for moment in ending.moments})
        start = times[max(len(times) - STEPS - 1, 0)] if times else 0.0
        self.desk.jump(start)
        head.play()

    def _take(self, what: Suggestion) -> None:
        if what.experiment:
            self._offers.example(what.experiment)
        else:
            self.desk.commands.do(what.command)

    def without_faults(self) -> None:
        """Run the experiment without its faults, with the same seed."""
        if self.desk.session.experiment is None:
            return
        self._experiment.set_faults(tr("no faults"), faults=(), churn=(), interventions=())
        self.desk.session.play_when_ready()

    def _to_the_network(self) -> None:
        self.stage.canvases["basic"].setFocus()


def _links(timeline: Timeline, ending: Ending, animation: Animation) -> list[tuple[str, int, bool]]:
    """Return the chain of an end as the names, the slots of the states, and whether the processes have crashed."""
    states = timeline.states_at(timeline.length)
    crashed = timeline.crashed_at(timeline.length)
    return [
        (
            timeline.processes[p],
            animation.slot(timeline.states[int(states[p])]) if 0 <= int(states[p]) < len(timeline.states) else 0,
            bool(crashed[p]),
        )
        for p in ending.chain
    ]  # fmt: skip
