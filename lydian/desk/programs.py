"""A run of programs in any language: a child process carries it out, and its events appear as they happen."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lydian.desk.conversation import Conversation
from lydian.desk.live.live import Acted, Gesture
from lydian.desk.loop import Loop
from lydian.desk.playhead import Playhead
from lydian.desk.runs.run import Run
from lydian.desk.runs.session import Session
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.liverows import LiveRows
from lydian.model.interventions.words import gesture_words

__all__ = ["ENTRY", "Programs"]

#: The program that runs programs.
ENTRY = ("-m", "lydian.nodes.serve")
#: The milliseconds between two updates of the views.
_SOON = 80


class Programs:
    """The run of programs of a window; there is one at a time.

    Attributes:
        plan: the plan of the run in progress or of the last one, as it was sent; empty before the first.
        progress: the phase and the numbers of messages and operations of the run in progress.
        result: what ``lydian run --json`` prints about the last run; empty while a run is in progress.
        changed: emitted when any of these has changed.
        acted: emitted with the outcome of an intervention (:class:`~lydian.desk.live.live.Acted`).
        ended: emitted at the end of a run with a sentence, which is empty if it came to its end.
    """

    def __init__(self, session: Session, playhead: Playhead, loop: Loop) -> None:
        self.changed, self.acted, self.ended = Signal(), Signal(), Signal()
        self.session, self.playhead = session, playhead
        self.plan: Mapping[str, Any] = {}
        self.progress: Mapping[str, Any] = {}
        self.result: Mapping[str, Any] = {}
        self._rows: LiveRows | None = None
        self._run: Run | None = None  # the part of the run that is on the screen
        self._gestures: list[Gesture] = []
        self._numbers = itertools.count(1)
        self.conversation = Conversation(loop, ENTRY, patience=8000, gentle=True, until_closed=True)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)
        self._soon = loop.timer(self._show)
        session.leaving.connect(self._leaving)

    @property
    def on(self) -> bool:
        """Whether a run is in progress."""
        return self._rows is not None and self.conversation.alive

    @property
    def shown(self) -> bool:
        """Whether the run in progress is on the screen, so that the user can interfere with it."""
        return self.on and self._run is not None and self.session.shown is self._run

    def start(self, plan: Mapping[str, Any]) -> None:
        """Start a run, which replaces the current experiment; the plan is as in the frame ``programs``."""
        self.conversation.drop()
        self._rows = self._run = None
        self.session.begin_elsewhere(None)
        self._rows, self._gestures = LiveRows({}), []
        self.plan, self.progress, self.result = dict(plan), {"phase": "starting"}, {}
        self.conversation.start(wire.Programs(dict(plan)))
        self.changed.emit()

    def stop(self) -> None:
        """End the run; its events so far are kept."""
        self.conversation.stop()

    def act(self, what: Mapping[str, Any] | Sequence[Mapping[str, Any]], text: str = "") -> None:
        """Interfere with the run now; :attr:`acted` is emitted with the outcome."""
        wanted = (what,) if isinstance(what, Mapping) else tuple(what)
        gesture = Gesture(wanted, text or gesture_words(wanted))
        self._gestures.append(gesture)
        for frame in gesture.frames(self._numbers, 0):
            self.conversation.tell(frame)

    def close(self) -> None:
        """End the child process and the timer; emit no further signal."""
        for signal in (self.changed, self.acted, self.ended):
            signal.clear()
        self._soon.stop()
        self.conversation.close()

    def _leaving(self) -> None:
        """End the run, as something else is about to replace it."""
        if self._run is not None and self.on:
            self.conversation.drop()
            self._over("")

    def _heard(self, frame: wire.Frame) -> None:
        rows = self._rows
        if rows is None:
            return
        if isinstance(frame, wire.Begun):
            rows.begun = frame
        elif isinstance(frame, wire.Round):
            rows.take(frame)
            if not self._soon.active:
                self._soon.start(_SOON)
        elif isinstance(frame, wire.Progress):
            self.progress = frame.done
            self.changed.emit()
        elif isinstance(frame, wire.Answered):
            self._answered(frame)
        elif isinstance(frame, wire.Result):
            self._finish(rows, frame)
        elif isinstance(frame, wire.Error) and frame.exit_code is not None:
            self._over(frame.text)

    def _answered(self, frame: wire.Answered) -> None:
        gesture = next((each for each in self._gestures if frame.id in each.open), None)
        if gesture is not None and gesture.heard(frame):
            self._gestures.remove(gesture)
            done = tuple(gesture.done)
            self.acted.emit(Acted(gesture.what, gesture.text, bool(done), gesture.reason, done))

    def _show(self) -> None:
        """Show the events that have arrived, unless the user looks at another run."""
        rows, session, head = self._rows, self.session, self.playhead
        if rows is None or rows.begun is None or not rows.processes or not rows.count:
            return
        if self._run is not None and session.shown is not self._run:
            return
        known = None if self._run is None else (self._run.trace.processes, self._run.trace.labels)
        anew = known != (rows.processes, rows.labels)  # the looks of messages are determined when a run is loaded
        front = anew or head.at_end or head.moving
        before = head.t
        session.live_grown(rows.timeline(), (), anew)
        self._run = session.shown
        head.unending = True
        if front:
            head.seek(head.end)
        elif anew:
            head.seek(min(before, head.end))

    def _finish(self, rows: LiveRows, frame: wire.Result) -> None:
        """Show and list the run, because it is over."""
        self._soon.stop()
        self._show()
        self.result = frame.result
        summary, network = frame.result.get("summary", {}), frame.result.get("network_file", {})
        shown = self._run is not None and self.session.shown is self._run
        if rows.begun is not None and rows.processes:
            rows.begun = replace(rows.begun, network=network)
            timeline = rows.timeline(rows.trace(summary, frame.experiment))
            if shown or self._run is None:
                self.playhead.unending = False
                self.session.live_over(timeline, frame.result, self._run is None)
        self._over(str(frame.result.get("error") or ""))

    def _gone(self, why: str) -> None:
        self._over(why)

    def _over(self, sentence: str) -> None:
        """Record that the run has ended."""
        if self._rows is None:
            return
        self._soon.stop()
        self._rows = self._run = None
        self.playhead.unending = False
        self._gestures = []
        self.progress = {}
        self.changed.emit()
        self.ended.emit(sentence)
