"""Two runs side by side: the one on the screen, and another one that follows its play head, camera and selection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, QEvent, QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.canvas import Canvas
from lydian.app.live.runs.compared import ComparedRun
from lydian.app.live.runs.following import Following
from lydian.app.panels import arrangement
from lydian.app.panels.runs import recorded_name
from lydian.app.work.background import Background, Report
from lydian.app.work.loop import Loop
from lydian.desk.playhead import Playhead
from lydian.desk.runs.reading import prepare
from lydian.desk.runs.run import Run
from lydian.desk.runs.worker import WatchedRun, Worker
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.pieces.animation import animation_for
from lydian.trace.difference import Difference, difference
from lydian.trace.timeline import Timeline
from lydian.views.others.apart import Apart, Divergence, Pair, now_words, stop_beside, stops_of, summary
from lydian.views.others.differing import headline, verdict
from lydian.views.selection import Hit
from lydian.views.time.axis import remember
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["Comparing", "Other"]

#: If a run has more events than this, its views are also prepared in the background.
LONG = 20_000


class _Lone(Worker):
    """A worker that keeps no spare process ready, because it is rarely needed."""

    def prepare(self) -> None:
        """Do nothing: no process is kept ready."""


class Fetching(QObject):
    """A loader for one trace at a time, without blocking; a new request replaces the one in progress."""

    #: Emitted with the :class:`~lydian.trace.timeline.Timeline`.
    found = Signal(object)
    #: Emitted with a sentence on why there is no trace.
    failed = Signal(str)
    #: Emitted with the work in progress and the share done, -1 if unknown; the words are empty when it is over.
    progress = Signal(str, float)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker: _Lone | None = None  # created on first use
        self._name = ""
        self.reading = Background(self)
        self.reading.done.connect(self._done)
        self.reading.failed.connect(self._failed)
        self.reading.progress.connect(lambda share: self.progress.emit(tr("Reading {run}", run=self._name), share))

    @property
    def busy(self) -> bool:
        """Whether a trace is being fetched."""
        return self.reading.busy or (self._worker is not None and self._worker.busy)

    def run(self, experiment: Experiment, folder: Path | None, name: str) -> None:
        """Run an experiment in the background; ``name`` is the user's name for the run."""
        self.cancel()
        self._name = name
        try:
            request = experiment.to_dict()
        except LydianError as error:
            self.failed.emit(str(error))
            return
        if self._worker is None:
            self._worker = _Lone(Loop(self))
            self._worker.finished.connect(self._ran)
            self._worker.progress.connect(self._runs)
        self.progress.emit(tr("Running {run}", run=name), -1.0)
        self._worker.run(request, folder)

    def open(self, file: Path) -> None:
        """Read a trace from a file."""
        self.cancel()
        self._name = file.name
        self._read(file)

    def cancel(self) -> None:
        """Drop the request in progress; no result of it is reported."""
        if not self.busy:
            return
        self.reading.cancel()
        if self._worker is not None:
            self._worker.drop()
        self.progress.emit("", 1.0)

    def close(self) -> None:
        """End the worker and the thread, and remove their files."""
        self.blockSignals(True)
        self.reading.close()
        if self._worker is not None:
            self._worker.close()

    def _runs(self, _number: int, events: int, time: float, _live: Path | None) -> None:
        self.progress.emit(
            tr("Running {run}: {events}, time {time:.1f}", run=self._name, events=plural(events, "event"), time=time),
            -1.0,
        )

    def _ran(self, outcome: WatchedRun) -> None:
        if outcome.trace is None:
            self._failed(outcome.problem or tr("The run left no trace."))
        else:
            self._read(outcome.trace)

    def _read(self, file: Path) -> None:
        def work(report: Report) -> Timeline:
            from lydian.trace.parquet.reader import load

            timeline = Timeline(load(file, lambda share: report(share / 2)))
            if timeline.length > LONG:
                prepare(timeline, lambda share: report(0.5 + share / 2))
            return timeline

        self.reading.start(work)

    def _done(self, timeline: Timeline) -> None:
        self.progress.emit("", 1.0)
        self.found.emit(timeline)

    def _failed(self, why: str) -> None:
        self.progress.emit("", 1.0)
        self.failed.emit(why)


#: The stage's name for this arrangement of docks.
PLACES = "halves"


class Halves(QObject):
    """The arrangement of docks for a comparison, and the way back to the previous one.

    If the user chooses another layout meanwhile, that layout stays and the comparison ends.
    """

    #: Emitted when the other run has been closed or no longer has a place.
    left = Signal()

    def __init__(self, stage: Stage, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self.stage, self.name = stage, name
        self._before: QByteArray | None = None
        self._places = ""
        stage.docks[name].visibilityChanged.connect(lambda _on: self._look_later())

    @property
    def on(self) -> bool:
        return self._before is not None

    def begin(self) -> None:
        """Put the network above causality on the left and the other run on the right; hide the other docks."""
        stage = self.stage
        stage.put_back()
        if self._before is not None:
            stage.show_view(self.name, True)
            return
        self._before = stage.usual = stage.state()
        self._places, stage.places = stage.places, PLACES  # A layout that is chosen meanwhile arranges all docks anew.
        docks = stage.docks
        basic, causality, other = docks["basic"], docks["causality"], docks[self.name]
        for dock in docks.values():
            if not dock.isFloating():
                dock.hide()
        for dock in (basic, causality, other):
            dock.setFloating(False)
            stage.removeDockWidget(dock)  # Beside a tab it would only become another tab.
        stage.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, basic)
        stage.splitDockWidget(basic, other, Qt.Orientation.Horizontal)
        stage.splitDockWidget(basic, causality, Qt.Orientation.Vertical)
        high = stage.height() >= arrangement.HIGH
        basic.show()
        other.show()
        causality.setVisible(high)
        arrangement.settle(stage)
        half = stage.width() // 2
        stage.resizeDocks([basic, other], [half, half], Qt.Orientation.Horizontal)
        if high:
            room = stage.height()
            stage.resizeDocks([basic, causality], [round(room * 0.58), round(room * 0.42)], Qt.Orientation.Vertical)
        stage.show_view(self.name, True)
        stage.canvases["basic"].setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self) -> None:
        """Restore the previous arrangement."""
        before, self._before = self._before, None
        stage = self.stage
        if before is None:
            return
        stage.put_back()
        stage.usual = None
        if stage.places == PLACES:
            stage.places = self._places
            stage.put(before)
        stage.docks[self.name].hide()

    def _look_later(self) -> None:
        """Check later whether the dock is still hidden: it may reappear at once, as when one view is maximised."""
        if self._before is not None:
            QTimer.singleShot(0, self, self._look)

    def _look(self) -> None:
        stage = self.stage
        if self._before is not None and stage.docks[self.name].isHidden() and not stage.maximised:
            self.left.emit()


#: The radius of a badge, and the distance of the dashed ring from its process.
BADGE, AWAY = 7.0, 7.0


class ApartMarks(QWidget):
    """A layer over a canvas, transparent to the mouse, that draws a dashed ring and a badge on some processes.

    Args:
        canvas: the network view.
        which: returns which processes of its run to mark now, ``None`` as long as that is unknown.
    """

    def __init__(self, canvas: Canvas, which: Callable[[], NDArray[np.bool_] | None]) -> None:
        super().__init__(canvas)
        self.canvas, self._which = canvas, which
        self.setObjectName("apartMarks")
        self.setAccessibleName(tr("Processes whose state differs in the other run"))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setGeometry(canvas.rect())
        canvas.installEventFilter(self)
        self.lower()  # below the big play button, above the picture
        self.show()

    def every(self) -> NDArray[np.bool_] | None:
        """Return a choice of all processes of the run on the canvas, ``None`` if there is no run."""
        timeline = self.canvas.playhead.timeline
        return None if timeline is None else np.ones(timeline.n, dtype=bool)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.canvas and event.type() == QEvent.Type.Resize:
            self.setGeometry(self.canvas.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        marked, canvas = self._which(), self.canvas
        timeline, frame = canvas.playhead.timeline, canvas.frame
        if marked is None or timeline is None or frame is None or canvas.painter is None or canvas.trouble is not None:
            return
        if len(marked) != timeline.n or not marked.any() or getattr(frame, "timeline", None) is not timeline:
            return
        painter = QPainter(self)
        try:
            self._paint(painter, np.flatnonzero(marked))
        finally:
            painter.end()

    def placed(self, processes: NDArray[np.int64]) -> tuple[Any, NDArray[np.float64]]:
        """Return the map of the network on the canvas, and the visible ones of these processes as points."""
        canvas = self.canvas
        where = canvas.painter.map(QRectF(canvas.rect()), canvas.frame, canvas.camera)
        of_run, shown = canvas.frame.timeline.processes, canvas.frame.names
        numbers = processes
        if of_run != shown:
            numbers = np.array([shown.index(of_run[i]) for i in processes if of_run[i] in shown], dtype=np.int64)
        return where, where.points[numbers[where.visible[numbers]]] if len(numbers) else np.empty((0, 2))

    def _paint(self, p: QPainter, processes: NDArray[np.int64]) -> None:
        theme = self.canvas.theme
        where, points = self.placed(processes)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, ground = theme.color("compare.base"), theme.color("compare.onBase")
        radius = where.d / 2 + (AWAY if where.d >= 17 else 3)
        ring = QPen(ink, theme.line("selectionRing") if where.d >= 17 else 1.5)
        ring.setDashPattern([2.5, 1.8])
        badge = theme.grown(BADGE) if where.level in ("full", "medium") else 0
        for x, y in points.tolist():
            p.setPen(ring)
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawEllipse(QPointF(x, y), radius, radius)
            if badge:
                cx, cy = x - radius * 0.75, y - radius * 0.75
                p.setPen(QPen(theme.color("surface.canvas"), 1.5))
                p.setBrush(ink)
                p.drawEllipse(QPointF(cx, cy), badge, badge)
                part = badge * 0.52  # A crossed-out equals sign.
                p.setPen(QPen(ground, 1.4))
                for dy in (-0.22, 0.22):
                    p.drawLine(QPointF(cx - part, cy + dy * badge), QPointF(cx + part, cy + dy * badge))
                p.drawLine(QPointF(cx - part * 0.55, cy + part), QPointF(cx + part * 0.55, cy - part))


@dataclass(frozen=True)
class Other:
    """A run to compare with: its name, its place in the tree or -1, and a function that shows it, if there is one."""

    name: str
    branch: int = -1
    show: Callable[[], object] | None = None


class Comparing(QObject):
    """The comparison: it starts and ends it, keeps both runs in step, and moves from difference to difference.

    Attributes:
        head: the other run's play head.
        other: the run to compare with, ``None`` if there is none.
        difference: the difference of the two traces, once it is known; ``None`` also if they are equal.
        stops: the moments at which further processes begin to differ.
    """

    #: Emitted when a comparison begins, ends, or has its result.
    changed = Signal()

    def __init__(self, desk: Desk, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self.desk, self.stage = desk, stage
        self.head = Playhead()
        self.other: Other | None = None
        self.difference: Difference | None = None
        self.stops: tuple[Divergence, ...] = ()
        self.following = Following(desk.playhead, self.head, stage.camera, self)
        self.dock = stage.add_dock(
            "compared", tr("Compared run"), "compare", lambda: self.panel,
            tr("Another run beside the current one, at the same moment and with the same time range."),
            beside="causality", how="left",
        )  # fmt: skip
        self.halves = Halves(stage, "compared", self)
        self.fetching = Fetching(self)
        self._differing = Background(self)
        self._again = False  # the run on the screen grew during the comparison
        self._known = False
        self._pair: Pair | None = None
        self._apart: tuple[object, Apart] | None = None
        self._marks: list[ApartMarks] = []
        self._swap: tuple[Other, Timeline] | None = None
        self._connect()

    def _connect(self) -> None:
        self.fetching.found.connect(self._found)
        self.fetching.failed.connect(self._failed)
        self.fetching.progress.connect(lambda words, share: self.panel.work(words, share))
        self._differing.done.connect(self._differs)
        self._differing.failed.connect(self._failed)
        self.stage.player.changed.connect(self._moved)
        self.desk.session.leaving.connect(self.end)
        self.dock.closed.connect(self.end)
        self.halves.left.connect(self.end)

    @cached_property
    def panel(self) -> ComparedRun:
        """The panel with the other run and the differences."""
        stage = self.stage
        panel = ComparedRun(self.head, self.following.camera, stage.theme)
        panel.first_wanted.connect(self.go_first)
        panel.next_wanted.connect(lambda: self.go_beside(1))
        panel.previous_wanted.connect(lambda: self.go_beside(-1))
        panel.swap_wanted.connect(self.swap)
        panel.end_wanted.connect(self.end)
        panel.cancel_wanted.connect(self.end)
        self.following.moved.connect(panel.refresh)
        for canvas in panel.canvases.values():
            canvas.scrubbed.connect(self._scrub)
            canvas.opened.connect(lambda _process: stage.show_view("step", True))
        return panel

    @property
    def on(self) -> bool:
        """Whether a comparison is open."""
        return self.other is not None

    @property
    def ready(self) -> bool:
        """Whether the differences between the runs are known."""
        return self._known

    # ------------------------------------------------------------------ beginning and ending

    def compare_timeline(self, other: Other, timeline: Timeline) -> None:
        """Compare with a run whose trace is loaded."""
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
        """Compare with another run of the tree; a run without a trace is simulated in the background first."""
        session = self.desk.session
        live = session.live
        tree = live.tree
        other = Other(tree.name(branch), branch, lambda: live.go(branch, self.desk.playhead.t))
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
        self.panel.say(tr("{here} beside {other}", here=self._here(), other=other.name), ready=False)
        self.panel.say_now("")
        self.panel.swap.setEnabled(False)
        self.panel.work("", 1.0)
        self.panel.show_views(False)
        self.halves.begin()
        self.changed.emit()

    def _here(self) -> str:
        shown, session = self.desk.session.shown, self.desk.session
        if shown is None:
            return tr("This run")
        if session.experiment is None:
            return recorded_name(shown)
        return session.live.tree.name(shown.branch) if shown.branch in session.live.tree else tr("This run")

    def _found(self, timeline: Timeline) -> None:
        """Show the other run, whose trace has been loaded."""
        animation = remember(timeline, "animation", lambda: animation_for(timeline.trace))
        self.following.load(timeline, animation)
        for canvas in self.panel.canvases.values():
            canvas.retry()
        self.panel.show_views(True)
        self.following.begin([(self.stage.canvases[name], canvas) for name, canvas in self.panel.canvases.items()])
        self._mark()
        self.panel.swap.setEnabled(self.other is not None and self.other.show is not None)
        self._differ()

    def _failed(self, why: str) -> None:
        self.panel.say(why, problem=True, ready=False)
        self.panel.say_now("")
        self.panel.work("", 1.0)

    def end(self) -> None:
        """End the comparison and hide the dock."""
        if self.other is None:
            return
        self._stop()
        self.other = None
        self.following.unload()
        self.panel.show_empty()
        self.halves.end()
        self.changed.emit()

    def _stop(self) -> None:
        """Stop all work in progress and remove the marks."""
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
        """End the comparison and its workers, and restore the docks."""
        self.end()
        self.fetching.close()
        self._differing.close()
        self.following.close()

    # ------------------------------------------------------------------ differences

    def _differ(self) -> None:
        """Find the first difference in the background, and again if the run on the screen has grown meanwhile."""
        here, there = self.desk.playhead.timeline, self.head.timeline
        if here is None or there is None:
            return
        self._pair, self._apart = Pair(here, there), None
        if self._differing.busy:
            self._again = True
            return
        self._again = False
        a, b = here.trace, there.trace
        if not self._known:
            self.panel.work(tr("Comparing"), -1.0)
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
        live = self.desk.session.live
        text = summary(self.difference, here, there, words, growing=live.on and live.alive)
        names = (self._here(), self.other.name)
        runs = tr("Here: {here}\nThere: {there}", here=names[0], there=names[1])
        more = f"{runs}\n{verdict(self.difference, here, names)}"
        if self.difference is not None:
            more += "\n" + headline(self.difference, here, there, words, names)
        self.panel.say(text, more, ready=self.difference is not None)

    def apart(self) -> Apart | None:
        """Return which processes are in different states at this moment."""
        pair, t = self._pair, self.desk.playhead.t
        if pair is None or self.other is None or pair.a is not self.desk.playhead.timeline:
            return None
        key = (id(pair), t, self.head.t)
        if self._apart is None or self._apart[0] != key:
            # Where the other run continues after the end of this one, the moment of the other run counts.
            self._apart = (key, pair.at(max(t, self.head.t)))
        return self._apart[1]

    def _which(self, canvas: Canvas) -> NDArray[np.bool_] | None:
        apart = self.apart()
        return None if apart is None else apart.there if canvas.playhead is self.head else apart.here

    def _mark(self) -> None:
        """Add marks to all network views of both runs."""
        canvases = [each for each in self.stage.pictures() if each.spec.name == "basic"]
        for canvas in [*canvases, self.panel.canvases["basic"]]:
            self._marks.append(ApartMarks(canvas, lambda canvas=canvas: self._which(canvas)))  # type: ignore[misc]

    def _now(self) -> None:
        apart = self.apart()
        t = max(self.desk.playhead.t, self.head.t)
        if apart is None or not self._known:
            self.panel.say_now("")
            return
        earlier, later = (stop_beside(self.stops, t, way) is not None for way in (-1, 1))
        self.panel.say_now(now_words(apart, t, self.difference), earlier=earlier, later=later)
        for mark in self._marks:
            mark.update()

    def _moved(self, what: str) -> None:
        """React when the run on the screen has moved, grown or been replaced."""
        if self.other is None:
            return
        if what == "timeline":
            if self._swap is not None and self.desk.playhead.timeline is not self._swap[1]:
                swap, self._swap = self._swap, None
                self.compare_timeline(*swap)
            elif self.head.timeline is not None:
                self.following.reload()
                self._differ()
        elif what == "time":
            self.following.along()
            self._now()

    def _scrub(self, t: float) -> None:
        """Move time in both runs after a drag in the other run's views, as far as each run extends."""
        main = self.desk.playhead
        main.pause()
        main.seek(t)
        if t > main.end:
            self.head.seek(t)
            self._now()

    # ------------------------------------------------------------------ from difference to difference

    def go_first(self) -> None:
        """Go to the first difference, in all views of both runs."""
        if self.stops:
            self.go(self.stops[0])

    def go_beside(self, direction: int) -> None:
        """Go to the next or the previous moment at which further processes begin to differ."""
        stop = stop_beside(self.stops, max(self.desk.playhead.t, self.head.t), direction)
        if stop is not None:
            self.go(stop)

    def go(self, stop: Divergence) -> None:
        """Go to a difference: its moment, and its event and process in both runs."""
        main = self.desk.playhead
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
        timeline, session = self.desk.playhead.timeline, self.desk.session
        if self.other is None or self.other.show is None or timeline is None or session.shown is None:
            return
        shown = session.shown
        back: Callable[[], object] | None = None
        if session.experiment is not None and shown.branch in session.live.tree and self.other.branch >= 0:
            branch = shown.branch
            back = lambda: session.live.go(branch, self.desk.playhead.t)  # noqa: E731
        elif shown in session.runs:
            back = lambda: session.show(shown)  # noqa: E731
        self._swap = Other(self._here(), shown.branch, back), timeline
        self.other.show()
