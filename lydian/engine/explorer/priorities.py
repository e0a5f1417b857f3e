"""Schedules by random priorities, which find a bug of a given depth with a guaranteed probability.

The depth of a bug is the least number of events that must happen in a certain order for it to show. The events of a
schedule are divided into chains while it is followed: an event joins a chain whose last event precedes it causally, or
begins a new one. Each chain has a random priority, and the enabled event of the chain with the highest priority happens
next, except that before d - 1 randomly chosen steps the chain that is about to act gets a priority below all others.

If no schedule has more than c chains and k events, each of them finds a bug of depth d with a probability of at least
1 / (c * k**(d - 1)): Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with probabilistic
guarantees of finding bugs" (ASPLOS 2010), for threads; Ozkan, Majumdar, Niksic, Tabaei Befrouei and Weissenbacher,
"Randomized testing of distributed systems with probabilistic guarantees" (OOPSLA 2018), for chains of messages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random

from lydian.engine.explorer.moves import Key
from lydian.engine.explorer.steps import Event, Possible, Steps

__all__ = ["Priorities", "odds"]


def odds(chains: int, events: int, depth: int) -> float:
    """Return the least probability with which one schedule finds a bug of this depth."""
    return 1.0 / (max(1, chains) * float(max(1, events)) ** (depth - 1))


class _Chain:
    """A chain of events, of which at most one is enabled at a time.

    Attributes:
        last: the last event of it that has happened; -1 if none has.
        waiting: the number of its events that have not happened.
        channel: the FIFO channel of its latest event; -1 if that is another event.
    """

    __slots__ = ("channel", "last", "priority", "waiting")

    def __init__(self, priority: float) -> None:
        self.last, self.waiting, self.channel, self.priority = -1, 0, -1, priority


class Priorities:
    """The priorities of one schedule.

    Args:
        steps: the moves.
        depth: the depth of the bugs to find.
        length: the number of events of a schedule; the priorities change before steps up to this one.
        draw: the source of randomness.
        key: the initial configuration.
    """

    def __init__(self, steps: Steps, depth: int, length: int, draw: Random, key: Key) -> None:
        self._steps, self._draw = steps, draw
        changes = [draw.randrange(max(1, length)) for _ in range(depth - 1)]
        self._changes = {at: [i - depth for i, each in enumerate(changes) if each == at] for at in changes}
        self.harmed = {draw.randrange(max(1, length)) for _ in range(steps.crashes + steps.losses)}
        self.chains: list[_Chain] = []
        self.time = 0
        self._past = [0] * len(steps.situations)  # the events that precede the next one of each process, as bits
        self._waiting: dict[Event, deque[tuple[_Chain, int]]] = {}
        self._tails: dict[int, _Chain] = {}
        self._rules: dict[int, _Chain] = {}
        self._own: list[set[Event]] = [set() for _ in steps.situations]
        for i in range(len(steps.situations)):
            self._pending(i, key)

    def next(self, possible: Sequence[Possible]) -> Possible:
        """Return the move that happens next."""
        lower = self._changes.pop(self.time, [])
        while True:
            chosen = max(possible, key=lambda each: self._chain(each.event).priority)
            if not lower:
                return chosen
            self._chain(chosen.event).priority = lower.pop()

    def happened(self, chosen: Possible, key: Key, sends: Sequence[tuple[int, int]]) -> None:
        """Note that a move has happened, which led to a configuration."""
        kind, place, about = what = chosen.event
        bit, before = 1 << self.time, 0
        steps = self._steps
        acting = [place]
        if kind == "rules":
            self._chain(what).last = self.time
            acting = [i for i, _ in about]
        elif kind in ("deliver", "loss"):
            chain, before = self._leave(("deliver", place, about))
            chain.last = self.time
            acting = [steps.channels[place].target._i] if kind == "deliver" else []
        elif kind != "crash":
            self._leave(what)[0].last = self.time
            self._own[place].discard(what)
        for i in acting:
            self._past[i] |= before | bit
        for i in range(len(self._past)) if steps.noticing and kind == "crash" else acting:
            self._pending(i, key)
        for channel, m in sends:
            self._sent(channel, m)
        self.time += 1

    # ------------------------------------------------------------------ chains

    def _chain(self, what: Event) -> _Chain:
        """Return the chain of an event that may happen."""
        if what[0] == "rules":
            if what[1] not in self._rules:
                self._rules[what[1]] = self._new()
            return self._rules[what[1]]
        return self._waiting[what][0][0]

    def _new(self) -> _Chain:
        self.chains.append(_Chain(self._draw.random()))
        return self.chains[-1]

    def _after(self, past: int) -> _Chain:
        """Return a chain for an event that these events precede."""
        for each in self.chains:
            if not each.waiting and each.last >= 0 and past >> each.last & 1:
                return each
        return self._new()

    def _join(self, what: Event, chain: _Chain, past: int, channel: int = -1) -> None:
        chain.waiting += 1
        chain.channel = channel
        self._waiting.setdefault(what, deque()).append((chain, past))

    def _leave(self, what: Event) -> tuple[_Chain, int]:
        waiting = self._waiting[what]
        chain, past = waiting.popleft()
        chain.waiting -= 1
        if not waiting:
            del self._waiting[what]
        return chain, past

    def _pending(self, i: int, key: Key) -> None:
        """Note which events of a process, other than deliveries, are pending now."""
        now: dict[Event, None] = {(kind, i, what): None for kind, what, _ in self._steps.situations[i].events(key[i])}
        if self._steps.noticing:
            now |= {("timer", i, timer): None for at, _, timer, _ in self._steps.notices(key) if at == i}
        for what in self._own[i] - now.keys():
            self._leave(what)
        for what in now:
            if what not in self._own[i]:
                self._join(what, self._after(self._past[i]), self._past[i])
        self._own[i] = set(now)

    def _sent(self, channel: int, m: int) -> None:
        past = self._past[self._steps.channels[channel].source_i]
        if not self._steps.contents[channel].fifo:
            self._join(("deliver", channel, m), self._after(past), past)
            return
        tail = self._tails.get(channel)
        if tail is None or not tail.waiting or tail.channel != channel:
            tail = self._tails[channel] = self._after(past)
        self._join(("deliver", channel, m), tail, past, channel)
