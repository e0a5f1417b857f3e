"""A replica of a component: it follows what the acting one publishes, and goes on from there when that one is silent.

Which replica acts is decided as in the role-based distributed hash table of the archive (``role-dht``): every name has
a place on a circle, and the replica whose name is nearest to the component's is responsible. The one that acts goes on
as long as it is heard. When it has been silent for :data:`SILENCE` seconds, each replica looks for the nearest name
among those that it still hears; the one that finds its own claims the next *epoch* at the meeting point, which decides
between two that both believe so. A replica that was only slow finds that its epoch is over, gives way and follows.

This module does no input or output: frames come in by :meth:`Replica.heard`, time by :meth:`Replica.tick`, and frames
go out by the function ``say``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from lydian.circle import apart, identifier
from lydian.classroom.components.frames import (
    Barrier,
    Claim,
    Envelope,
    Handover,
    Heartbeat,
    Leave,
    Pause,
    Publish,
    Refused,
    Steer,
    SystemNow,
)
from lydian.classroom.components.part import MOST_STEPS, Differs, Part
from lydian.classroom.components.system import System
from lydian.engine.wire import Error, Frame

__all__ = ["BEAT", "SILENCE", "Replica", "distance", "nearest"]

#: The seconds between two heartbeats, and after which a replica that is not heard counts as silent.
BEAT, SILENCE = 0.15, 0.6
#: The seconds after which a claim without an answer is repeated.
_AGAIN = 0.3
_BITS = 24


def distance(component: str, replica: str) -> float:
    """Return the distance between the places of two names on the circle, as a share of it: 0 to 0.5."""
    return float(apart(identifier(component, _BITS), identifier(replica, _BITS), 2**_BITS) / 2**_BITS)


def nearest(component: str, replicas: Iterable[str]) -> str:
    """Return the replica whose name is nearest to that of a component; "" if there is none.

    The order of the names decides between two at the same distance.
    """
    return min(replicas, key=lambda name: (distance(component, name), name), default="")


class Replica:
    """One replica of a component.

    Args:
        name: its name, such as that of its computer.
        say: sends a frame to the meeting point.
        steer: called before each batch while this replica acts; it returns interventions (without their times), so
            that a program can steer the component.

    Attributes:
        component: the component, once the meeting point has answered.
        part: its simulator, as far as the component has published.
        epoch: the current epoch of the component; ``acting``: the replica that acts in it.
        going: whether this replica acts.
        problem: a sentence if it can neither act nor follow; it has left then.
        beaten: when its last heartbeat was sent, in seconds; ``heard_at``: when the meeting point was heard.
    """

    def __init__(
        self,
        name: str,
        say: Callable[[Frame], None],
        steer: Callable[[Part], Iterable[Mapping[str, object]]] | None = None,
    ) -> None:
        self.name = name
        self.say = say
        self.component = self.acting = ""
        self.part: Part | None = None
        self.system: System | None = None
        self.epoch = 0
        self.going = self.over = False
        self.problem: str | None = None
        self.delay = 0.0
        self._steer = steer
        self._steps = 0
        self._last: dict[str, float] = {}
        self._ticked: float | None = None
        self.beaten = self.heard_at = self._claimed = -1e9
        self._clock = (0.0, 0.0)  # simulated time, seconds at which the meeting point's clock showed it
        self._round: Barrier | None = None
        self._paused = False
        self._again: Callable[[], None] = lambda: None
        self._asked = False

    # ------------------------------------------------------------------ frames

    def heard(self, frame: Frame, now: float) -> None:
        """Handle a frame of the meeting point; ``now`` is in seconds."""
        self.heard_at = now
        if isinstance(frame, SystemNow):
            self.system = System.from_dict(frame.system) if self.system is None else self.system
            self.component = frame.component
            self.part = Part(self.system, self.component)
            self._clock = (frame.clock, now)
            self._round = None
            self._paused = False
            self._asked = self.going = False
        elif isinstance(frame, Publish):
            self._follow(frame)
        elif isinstance(frame, Handover):
            self._handed(frame, now)
        elif isinstance(frame, Heartbeat):
            self._beat(frame, now)
        elif isinstance(frame, Pause):
            self._paused, self._clock = frame.on, (frame.clock, now)
        elif isinstance(frame, Leave):
            self._last.pop(frame.name, None)
        elif self.part is None:
            pass
        elif isinstance(frame, Envelope):
            try:
                self.part.take(frame, self.clock(now))
            except Refused as error:
                self.say(Error(str(error)))
        elif isinstance(frame, Steer):
            self.part.steer(frame.id, frame.author, frame.what)
        elif isinstance(frame, Barrier):
            self._round = frame

    def _follow(self, frame: Publish) -> None:
        """Repeat what the acting replica has published."""
        if self.part is None or self.going or frame.component != self.component or self.problem is not None:
            return
        if frame.index < self.part.batches:
            return
        if frame.index > self.part.batches:
            self._begin_again()
            return
        try:
            self.part.repeat(frame)
        except (Differs, Refused) as error:
            self.problem = str(error)
            self.say(Error(self.problem))
            self.say(Leave(self.component, self.name))

    def _handed(self, frame: Handover, now: float) -> None:
        if self.part is None or frame.component != self.component or frame.epoch < self.epoch:
            return
        was = self.going
        if (frame.epoch, frame.new) != (self.epoch, self.acting):
            self._last[frame.new] = now
            self._claimed = -1e9
        self.epoch, self.acting = frame.epoch, frame.new
        self.going = frame.new == self.name and self.problem is None and not self._asked
        if was and not self.going:  # what it did since then was not published, so it begins again from what was
            self._begin_again()

    def _begin_again(self) -> None:
        """Ask for all that was published, unless the answer is already on its way."""
        if not self._asked:
            self._asked = True
            assert self.system is not None
            self.part = Part(self.system, self.component)
            self._again()

    def _beat(self, frame: Heartbeat, now: float) -> None:
        if frame.name == self.name:
            self.delay = max(0.0, now - frame.stamp)
            self._clock = (frame.clock + self._pace * self.delay / 2, now)
        else:
            self._last[frame.name] = now

    def enter_again(self, enter: Callable[[], None]) -> None:
        """Set what asks the meeting point for everything published, after this replica has given way."""
        self._again = enter

    # ------------------------------------------------------------------ time

    @property
    def _pace(self) -> float:
        still = self.system is None or self.system.barrier or self._paused
        return 0.0 if self.system is None or still else self.system.pace

    def clock(self, now: float) -> float:
        """Return the simulated time that the meeting point's clock shows now, as far as this replica knows."""
        return self._clock[0] + self._pace * max(0.0, now - self._clock[1])

    def tick(self, now: float) -> bool:
        """Do what is due: a heartbeat, a claim, a batch. Return True if a batch was published."""
        if self.part is None or self.over or self.problem is not None:
            return False
        if self._ticked is not None and now - self._ticked > SILENCE / 2:  # while it was stopped, it heard nobody
            stopped = now - self._ticked
            self._last = {name: min(now, last + stopped) for name, last in self._last.items()}
        self._ticked = now
        if now - self.beaten >= BEAT:
            self.beaten = now
            self.say(Heartbeat(self.component, self.name, now, self.delay))
        if not self.going:
            self._watch(now)
            return False
        return self._act(now)

    def _watch(self, now: float) -> None:
        """Claim the next epoch if the acting replica is silent and this one is the nearest of the others."""
        if not self.acting:
            return
        silent = now - self._last.setdefault(self.acting, now)
        if silent < SILENCE or now - self._claimed < _AGAIN:
            return
        there = {name for name, last in self._last.items() if now - last < SILENCE and name != self.acting}
        if nearest(self.component, there | {self.name}) == self.name:
            self._claimed = now
            self.say(Claim(self.component, self.name, self.epoch + 1, silent))

    def _act(self, now: float) -> bool:
        part, system = self.part, self.system
        assert part is not None
        assert system is not None
        if system.barrier:
            due = self._round
            if due is None or due.round != part.batches:
                return False
            self._ask()
            batch = part.advance(due.until, before=due.round)
        else:
            self._ask()
            until = self.clock(now)
            if not part.due(until):
                return False
            batch = part.advance(max(until, part.time), MOST_STEPS)
        self.say(replace(batch, epoch=self.epoch))
        return True

    def _ask(self) -> None:
        """Let the program that steers the component choose."""
        if self._steer is not None and self.part is not None and self.part.simulator.stopped is None:
            for what in self._steer(self.part):
                self._steps -= 1
                self.part.steer(self._steps, f"program on {self.name}", what)
