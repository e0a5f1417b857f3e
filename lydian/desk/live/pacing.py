"""How a live simulator and the play head keep step: how far it runs ahead, and how often views get what is new."""

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

#: Seconds of playing by which the simulator is at least and at most ahead of the play head.
LEAST_AHEAD, MOST_AHEAD = 0.05, 0.25
#: The views get new events at most so many times as long after each other as showing them takes.
SHARE = 2.0
#: Seconds between two looks at a run that does not wait for us.
GLANCE = 0.1


class Pacing:
    """The play head of a live run, and when it is time for what.

    Attributes:
        due: tells that it is time to show what came.
    """

    def __init__(self, loop: Loop) -> None:
        self.due = Signal()
        self.playhead: Playhead | None = None
        self._cost = 0.0  # seconds that showing new events took lately
        self._shown = 0.0  # when it was done last
        self._lag = self._since = 0.0  # seconds that the simulator took to answer lately; since when it has not
        self._later = loop.timer(self.due.emit)

    @property
    def now(self) -> float:
        """The moment of the play head."""
        return 0.0 if self.playhead is None else self.playhead.t

    @property
    def playing(self) -> bool:
        """Whether it plays forwards."""
        return self.playhead is not None and self.playhead.playing and self.playhead.direction > 0

    @property
    def at_the_front(self) -> bool:
        """Whether nothing that is known lies after the play head."""
        head = self.playhead
        return head is None or head.timeline is None or head.timeline.count(head.t) >= head.timeline.length

    @property
    def ahead(self) -> float:
        """By how much simulated time the simulator may be ahead."""
        seconds = min(max(LEAST_AHEAD, 2 * SHARE * self._cost, 2 * self._lag), MOST_AHEAD)
        head = self.playhead
        return seconds * (head.speed if head is not None and head.pace == "time" else 1.0)

    def beside(self, time: float) -> bool:
        """Whether the play head is where a simulator is that has reached a time, give or take what it runs ahead."""
        return self.at_the_front or (self.playing and time - self.now <= 2 * self.ahead)

    def asked(self) -> None:
        """The simulator was told to go on."""
        self._since = time.monotonic()

    def answered(self) -> None:
        """It waits again."""
        if self._since:
            self._lag = 0.7 * self._lag + 0.3 * (time.monotonic() - self._since)
            self._since = 0.0

    def wish(self, time: float, round_: int) -> Pace | None:
        """What to ask of a simulator that waits at a time, so that the play head can go on; ``None``: nothing yet."""
        head = self.playhead
        if head is None or not self.playing:
            return None
        if head.pace == "events" and head.timeline is not None:
            close = head.timeline.length - head.position <= 1
            return Pace(round_ + max(1, round(head.rate * LEAST_AHEAD))) if close else None
        goal = head.t + self.ahead
        return Pace(until=goal) if goal > time + self.ahead / 3 else None

    def soon(self, *, whole: bool, at_once: bool) -> None:
        """Something came: have it shown at once, or when there is time for it.

        Args:
            whole: the simulator waits, and all of it came.
            at_once: what somebody waits for is in it.
        """
        busy = SHARE * self._cost
        wait = 0.0 if at_once else max(GLANCE, busy) if not whole else busy if self.playing else 0.0
        wait -= time.monotonic() - self._shown
        if wait <= 0.0:
            self.due.emit()
        elif not self._later.active:
            self._later.start(math.ceil(1000 * wait))

    def stop(self) -> None:
        """Nothing is due any more."""
        self._later.stop()

    def took(self, began: float) -> None:
        """What came was shown; that was begun at a time of the monotonic clock."""
        self._later.stop()
        self._shown = time.monotonic()
        self._cost = 0.7 * self._cost + 0.3 * (self._shown - began)
