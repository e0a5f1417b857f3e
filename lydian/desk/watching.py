"""A running system that the window watches: a child process sends its events, and all views follow."""

from __future__ import annotations

from typing import Any

from lydian.desk.conversation import Conversation
from lydian.desk.loop import Loop
from lydian.desk.playhead import Playhead
from lydian.desk.runs.run import Run
from lydian.desk.runs.session import Session
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.liverows import LiveRows

__all__ = ["ENTRY", "Watching"]

#: The program that watches.
ENTRY = ("-m", "lydian.watching.serve")
#: The milliseconds for which new events may wait, so that many are shown together.
SOON = 40


class Watching:
    """The controller of a watched system.

    While the play head is at the end it follows; elsewhere the picture stays, and the time line grows.

    Attributes:
        problems: the lines that cannot be used, as pairs of a number and a reason.
        violated: emitted with a check when its property is violated for the first time.
        listening: emitted with the address at which events are received.
        changed: emitted when watching has begun or ended.
        ended: emitted with a sentence when it has ended; the sentence is empty if the source has ended by itself.
    """

    def __init__(self, loop: Loop, session: Session, playhead: Playhead) -> None:
        self.violated, self.changed, self.ended, self.listening = Signal(), Signal(), Signal(), Signal()
        self.session, self.playhead = session, playhead
        self.problems: list[tuple[int, str]] = []
        self.conversation = Conversation(loop, ENTRY, patience=5_000)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)
        self._rows: LiveRows | None = None
        self._run: Run | None = None
        self._checks: list[dict[str, Any]] = []
        self._broken: set[str] = set()
        self._anew, self._said = True, ""
        self._soon = loop.timer(self._show)

    @property
    def on(self) -> bool:
        """Whether a system is being watched."""
        return self.conversation.alive

    def start(self, request: wire.Watch) -> None:
        """Watch a source, in place of the run on the screen."""
        self.session.begin_elsewhere(None)
        self._rows, self._run, self._checks = LiveRows({}), None, []
        self.problems, self._broken, self._anew, self._said = [], set(), True, ""
        self.conversation.start(request)
        self.changed.emit()

    def stop(self) -> None:
        """Stop watching; what was seen becomes a run in the list."""
        self.conversation.stop()

    def close(self) -> None:
        """End the child process and the timer; emit no further signal."""
        self._soon.stop()
        self.conversation.close()

    def _heard(self, frame: wire.Frame) -> None:
        rows = self._rows
        if rows is None:
            return
        if isinstance(frame, wire.Begun):
            rows.begun = frame
            rows.experiment = {"name": frame.summary.get("protocol_title", "")}
        elif isinstance(frame, wire.Round):
            if frame.first < rows.count:
                rows.cut(frame.first)
                self._anew = self._anew or frame.first == 0
            rows.take(frame)
            self._checks = list(frame.checks or self._checks)
            for check in self._checks:
                if check["holds"] is False and check["name"] not in self._broken:
                    self._broken.add(check["name"])
                    self.violated.emit(check)
        elif isinstance(frame, wire.Partial):
            self.problems += [(int(line), str(why)) for line, why in frame.found.get("problems", [])]
        elif isinstance(frame, wire.Progress):
            self.listening.emit(str(frame.done.get("where", "")))
        elif isinstance(frame, wire.Error):
            self._said = frame.text
        if not self._soon.active:
            self._soon.start(SOON)

    def _show(self) -> None:
        """Show the events that have arrived, unless the user looks at another run."""
        rows, session, head = self._rows, self.session, self.playhead
        if rows is None or rows.begun is None or not rows.count:
            return
        if self._run is not None and session.shown is not self._run:
            return
        front = self._run is None or head.at_end or head.moving
        before = head.t
        session.live_grown(rows.timeline(), self._checks, self._anew)
        self._anew, self._run = False, session.shown
        head.unending = self.on
        head.seek(head.end if front else before)

    def _gone(self, why: str) -> None:
        """List what was seen as a run."""
        self._soon.stop()
        self._show()
        rows, session = self._rows, self.session
        self.playhead.unending = False
        if rows is not None and rows.count and session.shown is self._run:
            told = {"stopped": "quiescent", "checks": self._checks}
            session.live_over(rows.timeline(rows.trace(told)), told, False)
        self._rows = self._run = None
        self.changed.emit()
        self.ended.emit(why or self._said)
