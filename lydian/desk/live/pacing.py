"""The pacing of a live simulator: its lead over the play head, and how often the views show new events."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from lydian.desk.loop import Loop
from lydian.desk.signal import Signal
from lydian.engine.wire import Pace

if TYPE_CHECKING:
    from lydian.desk.playhead import Playhead

__all__ = ["Pacing"]

#: The least and the greatest lead of the simulator over the play head, in seconds of playing.
LEAST_AHEAD, MOST_AHEAD = 0.05, 0.25
#: The interval between two updates of the views is at most this multiple of the time that an update takes.
SHARE = 2.0
#: The seconds between two updates of a run that does not wait for a request.
GLANCE = 0.1


class Pacing:
    """The play head of a live run, with the times for requests and updates.

    Attributes:
        due: emitted when it is time to show the events that have arrived.
    """

    def __init__(self, loop: Loop) -> None:
        self.due = Signal()
        self.playhead: Playhead | None = None
        self._cost = 0.0  # recent average of the seconds that showing new events took
        self._shown = 0.0  # when new events were last shown
        self._lag = self._since = 0.0  # recent seconds per answer; start of the current wait
        self._later = loop.timer(self.due.emit)

    @property
    def now(self) -> float:
        """The moment of the play head."""
        return 0.0 if self.playhead is None else self.playhead.t

    @property
    def playing(self) -> bool:
        """Whether the play head plays forwards."""
        return self.playhead is not None and self.playhead.playing and self.playhead.direction > 0

    @property
    def at_the_front(self) -> bool:
        """Whether no known event is after the play head."""
        head = self.playhead
        return head is None or head.timeline is None or head.timeline.count(head.t) >= head.timeline.length

    @property
    def ahead(self) -> float:
        """The simulated time by which the simulator may be ahead."""
        seconds = min(max(LEAST_AHEAD, 2 * SHARE * self._cost, 2 * self._lag), MOST_AHEAD)
        head = self.playhead
        return seconds * (head.speed if head is not None and head.pace == "time" else 1.0)

    def beside(self, time: float) -> bool:
        """Return True if the play head is at the time a simulator has reached, allowing for the simulator's lead."""
        return self.at_the_front or (self.playing and time - self.now <= 2 * self.ahead)

    def asked(self) -> None:
        """Record that the simulator was told to continue."""
        self._since = time.monotonic()

    def answered(self) -> None:
        """Record that the simulator waits again."""
        if self._since:
            self._lag = 0.7 * self._lag + 0.3 * (time.monotonic() - self._since)
            self._since = 0.0

    def wish(self, time: float, round_: int) -> Pace | None:
        """Return the request that lets the play head continue, for a simulator that waits at ``time``, or ``None``."""
        head = self.playhead
        if head is None or not self.playing:
            return None
        if head.pace == "events" and head.timeline is not None:
            close = head.timeline.length - head.position <= 1
            return Pace(round_ + max(1, round(head.rate * LEAST_AHEAD))) if close else None
        goal = head.t + self.ahead
        return Pace(until=goal) if goal > time + self.ahead / 3 else None

    def soon(self, *, whole: bool, at_once: bool) -> None:
        """Show the events that have arrived, at once or when there is time.

        Args:
            whole: whether the simulator waits and all its events have arrived.
            at_once: whether an awaited answer is among them.
        """
        busy = SHARE * self._cost
        wait = 0.0 if at_once else max(GLANCE, busy) if not whole else busy if self.playing else 0.0
        wait -= time.monotonic() - self._shown
        if wait <= 0.0:
            self.due.emit()
        elif not self._later.active:
            self._later.start(math.ceil(1000 * wait))

    def stop(self) -> None:
        """Cancel the next update."""
        self._later.stop()

    def took(self, began: float) -> None:
        """Record that an update, which began at a time of the monotonic clock, is complete."""
        self._later.stop()
        self._shown = time.monotonic()
        self._cost = 0.7 * self._cost + 0.3 * (self._shown - began)
