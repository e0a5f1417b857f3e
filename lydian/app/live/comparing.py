"""Two runs side by side: the one on the screen, and another one that follows its play head, camera and selection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from lydian.app.live.apartmarks import ApartMarks
from lydian.app.live.compared import ComparedRun
from lydian.app.live.fetching import Fetching
from lydian.app.live.following import Following
from lydian.app.live.halves import Halves
from lydian.app.panels.runs import recorded_name
from lydian.app.work.background import Background
from lydian.app.work.session import Run
from lydian.pieces.animation import animation_for
from lydian.trace.difference import Difference, difference
from lydian.trace.timeline import Timeline
from lydian.views.frame import Hit
from lydian.views.others.apart import Apart, Pair, Stop, now_words, stop_beside, stops_of, summary
from lydian.views.others.differing import headline, verdict
from lydian.views.playback.playhead import Playhead
from lydian.views.time.axis import remember

if TYPE_CHECKING:
    from lydian.app.canvas.canvas import Canvas
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["Comparing", "Other"]


@dataclass(frozen=True)
class Other:
    """A run to compare with: what it is called, its place in the tree or -1, how it is put on the screen if it can."""

    name: str
    branch: int = -1
    show: Callable[[], object] | None = None


class Comparing(QObject):
    """Holds the comparison: begins it, keeps both runs in step, goes from difference to difference.

    Attributes:
        head: the other run's play head.
        other: what is compared with, ``None`` if nothing is.
        difference: of the two traces, once it is known; ``None`` too if they are the same.
        stops: the moments to go to.
    """

    #: A comparison began, ended, or is known now.
    changed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.head = Playhead()
        self.other: Other | None = None
        self.difference: Difference | None = None
        self.stops: tuple[Stop, ...] = ()
        self.following = Following(window.playhead, self.head, window.camera, self)
        self.panel = ComparedRun(self.head, self.following.camera, window.theme)
        self.dock = window.stage.add_dock(
            "compared", "Compared run", "compare", self.panel,
            "Another run beside the one that is shown: the same moment, the same stretch of time.",
            beside="causality", how="left",
        )  # fmt: skip
        self.halves = Halves(window, "compared")
        self.fetching = Fetching(self)
        self._differing = Background(self)
        self._again = False  # the run on the screen grew while it was compared
        self._known = False
        self._pair: Pair | None = None
        self._apart: tuple[object, Apart] | None = None
        self._marks: list[ApartMarks] = []
        self._swap: tuple[Other, Timeline] | None = None
        self._connect()

    def _connect(self) -> None:
        panel, window = self.panel, self.window
        panel.first_wanted.connect(self.go_first)
        panel.next_wanted.connect(lambda: self.go_beside(1))
        panel.previous_wanted.connect(lambda: self.go_beside(-1))
        panel.swap_wanted.connect(self.swap)
        panel.end_wanted.connect(self.end)
        panel.cancel_wanted.connect(self.end)
        self.fetching.found.connect(self._found)
        self.fetching.failed.connect(self._failed)
        self.fetching.progress.connect(panel.work)
        self._differing.done.connect(self._differs)
        self._differing.failed.connect(self._failed)
        window.player.changed.connect(self._moved)
        window.session.leaving.connect(self.end)
        self.dock.closed.connect(self.end)
        self.halves.left.connect(self.end)
        self.following.moved.connect(panel.refresh)
        for canvas in panel.canvases.values():
            canvas.scrubbed.connect(self._scrub)
            canvas.opened.connect(lambda _process: window.stage.show_view("step", True))

    @property
    def on(self) -> bool:
        """Whether something is compared."""
        return self.other is not None

    @property
    def ready(self) -> bool:
        """Whether it is known how the runs differ."""
        return self._known

    # ------------------------------------------------------------------ beginning and ending

    def compare_timeline(self, other: Other, timeline: Timeline) -> None:
        """Compare with a run whose trace is at hand."""
        self._begin(other)
        self._found(timeline)

    def compare_run(self, run: Run, other: Other) -> None:
        """Compare with a run of this session."""
        if run.timeline is not None:
            self.compare_timeline(other, run.timeline)
        else:
            self.compare_timeline(other, Timeline(run.trace))

    def compare_file(self, file: Path) -> None:
        """Compare with the run in a trace file."""
        self._begin(Other(file.name))
        self.fetching.open(file)

    def compare_branch(self, branch: int) -> None:
        """Compare with another run of the tree; one that has no trace yet is run beside the window."""
        session = self.window.session
        live = session.live
        tree = live.tree
        other = Other(tree.name(branch), branch, lambda: live.go(branch, self.window.playhead.t))
        known = next((run for run in session.runs if session.same(run, branch)), None)
        if known is not None:
            self.compare_run(known, other)
            return
        self._begin(other)
        self.fetching.run(tree.path(branch), session.folder, other.name)

    def _begin(self, other: Other) -> None:
        self._stop()
        self.other = other
        self.panel.show_run(other.name)
        self.panel.say(f"{self._here()} beside {other.name}", ready=False)
        self.panel.say_now("")
        self.panel.swap.setEnabled(False)
        self.panel.work("", 1.0)
        self.panel.show_views(False)
        self.halves.begin()
        self.changed.emit()

    def _here(self) -> str:
        shown, session = self.window.session.shown, self.window.session
        if shown is None:
            return "This run"
        if session.experiment is None:
            return recorded_name(shown)
        return session.live.tree.name(shown.branch) if shown.branch in session.live.tree else "This run"

    def _found(self, timeline: Timeline) -> None:
        """The other trace is there."""
        animation = remember(timeline, "animation", lambda: animation_for(timeline.trace))
        self.following.load(timeline, animation)
        for canvas in self.panel.canvases.values():
            canvas.retry()
        self.panel.show_views(True)
        self.following.begin(
            [(self.window.stage.canvases[name], canvas) for name, canvas in self.panel.canvases.items()]
        )
        self._mark()
        self.panel.swap.setEnabled(self.other is not None and self.other.show is not None)
        self._differ()

    def _failed(self, why: str) -> None:
        self.panel.say(why, problem=True, ready=False)
        self.panel.say_now("")
        self.panel.work("", 1.0)

    def end(self) -> None:
        """No comparison any more; the dock goes."""
        if self.other is None:
            return
        self._stop()
        self.other = None
        self.following.unload()
        self.panel.show_empty()
        self.halves.end()
        self.changed.emit()

    def _stop(self) -> None:
        """Nothing that is under way goes on."""
        self.fetching.cancel()
        self._differing.cancel()
        self.following.end()
        self._swap, self._again, self._known = None, False, False
        self.difference, self.stops, self._pair, self._apart = None, (), None, None
        for mark in self._marks:
            mark.canvas.removeEventFilter(mark)
            mark.hide()
            mark.deleteLater()
        self._marks.clear()

    def close(self) -> None:
        """Leave no child and no thread, and the docks where they were."""
        self.end()
        self.fetching.close()
        self._differing.close()
        self.following.close()

    # ------------------------------------------------------------------ how they differ

    def _differ(self) -> None:
        """Find the first difference, aside; again when that is over if the run on the screen grows meanwhile."""
        here, there = self.window.playhead.timeline, self.head.timeline
        if here is None or there is None:
            return
        self._pair, self._apart = Pair(here, there), None
        if self._differing.busy:
            self._again = True
            return
        self._again = False
        a, b = here.trace, there.trace
        if not self._known:
            self.panel.work("Comparing", -1.0)
        self._differing.start(lambda _report: (here, there, difference(a, b)))

    def _differs(self, found: tuple[Timeline, Timeline, Difference | None]) -> None:
        here, there, self.difference = found
        if self.other is None or there is not self.head.timeline:
            return
        self._known = True
        self.stops = stops_of(self.difference)
        self.panel.work("", 1.0)
        self._say(here, there)
        self._now()
        self.changed.emit()
        if self._again:
            self._differ()

    def _say(self, here: Timeline, there: Timeline) -> None:
        assert self.other is not None
        words = remember(here, "animation", lambda: animation_for(here.trace))
        live = self.window.session.live
        text = summary(self.difference, here, there, words, growing=live.on and live.alive)
        names = (self._here(), self.other.name)
        more = f"Here: {names[0]}\nThere: {names[1]}\n{verdict(self.difference, here, names)}"
        if self.difference is not None:
            more += "\n" + headline(self.difference, here, there, words, names)
        self.panel.say(text, more, ready=self.difference is not None)

    def apart(self) -> Apart | None:
        """Which processes are in another state at this moment."""
        pair, t = self._pair, self.window.playhead.t
        if pair is None or self.other is None or pair.a is not self.window.playhead.timeline:
            return None
        key = (id(pair), t, self.head.t)
        if self._apart is None or self._apart[0] != key:
            # where the other run goes on beyond the end of this one, its own moment is meant
            self._apart = (key, pair.at(max(t, self.head.t)))
        return self._apart[1]

    def _which(self, canvas: Canvas) -> NDArray[np.bool_] | None:
        apart = self.apart()
        return None if apart is None else apart.there if canvas.playhead is self.head else apart.here

    def _mark(self) -> None:
        """Marks over all network views of both runs."""
        canvases = [each for each in self.window.stage.pictures() if each.spec.name == "basic"]
        for canvas in [*canvases, self.panel.canvases["basic"]]:
            self._marks.append(ApartMarks(canvas, lambda canvas=canvas: self._which(canvas)))  # type: ignore[misc]

    def _now(self) -> None:
        apart = self.apart()
        t = max(self.window.playhead.t, self.head.t)
        if apart is None or not self._known:
            self.panel.say_now("")
            return
        earlier, later = (stop_beside(self.stops, t, way) is not None for way in (-1, 1))
        self.panel.say_now(now_words(apart, t, self.difference), earlier=earlier, later=later)
        for mark in self._marks:
            mark.update()

    def _moved(self, what: str) -> None:
        """The run on the screen moved, grew, or is another one."""
        if self.other is None:
            return
        if what == "timeline":
            if self._swap is not None and self.window.playhead.timeline is not self._swap[1]:
                swap, self._swap = self._swap, None
                self.compare_timeline(*swap)
            elif self.head.timeline is not None:
                self.following.reload()
                self._differ()
        elif what == "time":
            self.following.along()
            self._now()

    def _scrub(self, t: float) -> None:
        """Time is moved in the other run's views: in both, as far as they go."""
        main = self.window.playhead
        main.pause()
        main.seek(t)
        if t > main.end:
            self.head.seek(t)
            self._now()

    # ------------------------------------------------------------------ from difference to difference

    def go_first(self) -> None:
        """To where the runs part, in all views of both."""
        if self.stops:
            self.go(self.stops[0])

    def go_beside(self, direction: int) -> None:
        """To the next moment at which further processes go otherwise, or the one before."""
        stop = stop_beside(self.stops, max(self.window.playhead.t, self.head.t), direction)
        if stop is not None:
            self.go(stop)

    def go(self, stop: Stop) -> None:
        """To a difference: the moment, and the event and the process in either run."""
        main = self.window.playhead
        main.pause()
        main.seek(stop.time)
        with self.following.apart():
            for head, seq in ((main, stop.here), (self.head, stop.there)):
                timeline = head.timeline
                if timeline is None:
                    continue
                if head is self.head:
                    head.seek(stop.time)
                names = {name: number for number, name in enumerate(timeline.processes)}
                if seq is not None and seq < timeline.length:
                    head.pick(Hit("event", seq))
                elif stop.processes and stop.processes[0] in names:
                    head.pick(Hit("process", names[stop.processes[0]]))
        self._now()

    def swap(self) -> None:
        """Show the other run, and compare it with the one that is shown now."""
        timeline, session = self.window.playhead.timeline, self.window.session
        if self.other is None or self.other.show is None or timeline is None or session.shown is None:
            return
        shown = session.shown
        back: Callable[[], object] | None = None
        if session.experiment is not None and shown.branch in session.live.tree and self.other.branch >= 0:
            branch = shown.branch
            back = lambda: session.live.go(branch, self.window.playhead.t)  # noqa: E731
        elif shown in session.runs:
            back = lambda: session.show(shown)  # noqa: E731
        self._swap = Other(self._here(), shown.branch, back), timeline
        self.other.show()
