"""Partial-order reduction: the search of some orders of events that stand for all of them.

An event at one process and an event at another commute: each changes only its own process and appends messages to
channels, and neither disables the other. So in many configurations it suffices to try the events of a single process
``i`` next. Let T be its enabled events in a configuration s. The reduced search tries only T if the following hold:

* **C1, persistence** [1, chapter 4]: as long as no event of T occurs, no other process sends ``i`` a message that
  enables an event outside T. (A message that a FIFO link queues behind another one enables none, nor does a message to
  a process that must wake up first.)
* **C2, invisibility** [2]: no event of T changes what the ``always`` properties read.
* **C3, the cycle proviso** [2]: each cycle of the reduced graph contains a configuration of which all events are tried.
* No event of T fails, since nothing follows a failure.

**Which messages may a process still send?** This cannot be derived from Python code. It is learned during the search
and validated at its end, as dynamic partial-order reduction does along single runs [3]. For each process j, the local
graph contains the situations of j and its events found so far, and ``may[j][a]`` is the set of processes to which j may
send on a path from situation a. C1 is checked with these sets: start from the processes other than ``i`` with an
enabled event, add each process to which one of them may send, and so on; none of them may send an enabling message to
``i``. What the properties read is recorded by :class:`lydian.engine.explorer.observed.Observed`. When no configuration
is left, every choice is checked again with all that has been learned. A choice that is no longer valid is replaced, and
the search continues, until all choices are valid.

**Why this is sound.** Suppose that all choices passed the final check, but C1 is violated in some configuration s of
the reduced graph with choice i: a sequence t1 ... tn of events of other processes ends with a message to i that enables
an event outside T. Among all such violations, choose one with the smallest n. The reduced graph contains, from s on,
the events t1 ... tn at the same local situations, and further events of other processes: in s take an event of T, which
commutes with the whole sequence. Now let s' be any configuration reached in this way, with choice i' and the rest of
the sequence still to be taken. If the rest contains an event of i', let tk be the first one. It is enabled in s',
since otherwise t1 ... t(k-1) would be a violation shorter than n; the reduced search tries it, and since the earlier
events of the rest are not at i', tk can be taken first and the rest becomes shorter. If the rest contains no event of
i', any event of i' commutes with all of it. By C3 and because the graph is finite, a configuration whose events are
all tried is reached eventually, where the rest becomes shorter too. So the local graphs contain all events of t1 ...
tn; then the check of C1 in s finds that i may receive such a message, a contradiction. The same argument shows that
every finite sequence of events of the full graph occurs in the reduced graph, with other events in between. So the same
actions are executed, and the same actions fail.

**What is preserved.** With C1, every run that ends has a reordering of commuting events in the reduced graph [1,
theorem 4.3], and so have the ends, what holds at them, the smallest and largest number of messages, and the longest
causal chain. With C1, C2 and C3, every run is stuttering equivalent to one in the reduced graph with respect to what
the ``always`` properties read [2], so each of them holds in both graphs or in neither. A property is a function of what
it reads: two configurations that agree on everything read by any evaluation have the same evaluation. Fair cycles are
not preserved: if the reduced graph has a cycle and an ``eventually`` property is not violated yet, all events are
tried.

Crashes and losses share a budget, so they do not commute; as long as one is allowed, all events are tried. A patient
timer expires only when nothing else is enabled, so it is independent of no event. In these configurations, and in those
of guarded actions, which read their neighbours, there is no reduction. A message that is changed or withheld by a liar
is an event of its receiver.

[1] P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, Springer, 1996.
[2] E. M. Clarke, O. Grumberg, M. Minea, D. Peled, State space reduction using partial order techniques, International
    Journal on Software Tools for Technology Transfer 2(3), 1999.
[3] C. Flanagan, P. Godefroid, Dynamic partial-order reduction for model checking software, POPL 2005.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from lydian.engine.explorer.moves import Key, Moves, Step

__all__ = ["ALL", "Choice", "Known", "Reduction"]

#: The choice of a configuration of which all events are tried.
ALL = -1
#: The number of steps of the random runs that are simulated first to learn what processes send. They end earlier when
#: so many runs in succession teach nothing.
_STEPS, _IDLE = 3000, 8
#: A move: its label, the configuration after it (``None`` if its action fails), and more.
_Step = tuple[int, Sequence[int] | None, Any]


class Known(Protocol):
    """What a choice must know about the moves of a search.

    Attributes:
        patient: whether timers expire only when no other event is enabled.
        may: process -> situation -> the processes to which it may still send, as the bits of a number.
        ways: for each channel its sender, its receiver, and whether it is FIFO.
    """

    @property
    def patient(self) -> bool: ...
    @property
    def may(self) -> Sequence[Mapping[int, int]]: ...
    @property
    def ways(self) -> Iterable[tuple[int, int, bool]]: ...

    def undecided(self, key: Sequence[int]) -> bool:
        """Return True if a crash or a loss is still allowed."""

    def place(self, label: int) -> int:
        """Return the process at which a move occurs."""

    def timed(self, label: int) -> bool:
        """Return True if a move is the expiry of a timer."""

    def sleeps(self, i: int, situation: int) -> bool:
        """Return True if process i must wake up before a message or timer may reach it."""


class Choice:
    """The choice of the events to be tried in a configuration.

    Args:
        known: the moves.
        visible: returns whether a process's change from one situation to another is visible to ``always`` properties.
    """

    def __init__(self, known: Known, visible: Callable[[int, int, int], bool]) -> None:
        self._known, self._visible = known, visible
        into: dict[int, list[tuple[int, int, bool]]] = {}
        ways = list(known.ways)
        n = self._n = len(known.may)
        for number, (source, target, fifo) in enumerate(ways):
            if source != target:
                into.setdefault(target, []).append((n + number, source, fifo))
        self._into = [into.get(i, []) for i in range(n)]  # for each receiver: the channels to it

    def choose(self, key: Sequence[int], steps: Sequence[_Step]) -> int:
        """Return a process such that only its events need be tried next, or :data:`ALL`."""
        known = self._known
        if not steps or known.undecided(key):
            return ALL
        if known.patient and known.timed(steps[0][0]):
            return ALL
        own: dict[int, list[_Step]] = {}
        for step in steps:
            own.setdefault(known.place(step[0]), []).append(step)
        if len(own) < 2:
            return ALL
        may = [each.get(at, 0) for each, at in zip(known.may, key, strict=False)]
        active = 0
        for i in own:
            active |= 1 << i
        for i in sorted(own, key=lambda i: (len(own[i]), i)):
            if self._persistent(key, i, active & ~(1 << i), may) and self._unseen(key, i, own[i]):
                return i
        return ALL

    def valid(self, key: Sequence[int], i: int, steps: Sequence[_Step]) -> bool:
        """Return True if a choice made earlier is still valid with all that has been learned since."""
        may = [each.get(at, 0) for each, at in zip(self._known.may, key, strict=False)]
        active, own = 0, []
        for step in steps:
            place = self._known.place(step[0])
            if place == i:
                own.append(step)
            else:
                active |= 1 << place
        return self._persistent(key, i, active, may) and self._unseen(key, i, own)

    def _persistent(self, key: Sequence[int], i: int, active: int, may: Sequence[int]) -> bool:
        """Return True if no process can make an event outside the enabled ones happen at process i (C1)."""
        if self._known.sleeps(i, key[i]):
            return True
        own, enabling = 1 << i, 0
        for at, j, fifo in self._into[i]:
            if may[j] & own and not (fifo and key[at]):
                enabling |= 1 << j
        if not enabling:
            return True
        reached = todo = active
        while todo:
            if reached & enabling:
                return False
            j = todo.bit_length() - 1
            todo &= ~(1 << j)
            new = may[j] & ~reached & ~own
            reached |= new
            todo |= new
        return True

    def _unseen(self, key: Sequence[int], i: int, steps: Sequence[_Step]) -> bool:
        """Return True if none of the events fails or is visible (C2)."""
        here = key[i]
        return all(new is not None and not self._visible(i, here, new[i]) for _, new, _ in steps)


class Reduction(Choice):
    """The choices of a search.

    Args:
        moves: the moves of the experiment.
        visible: as for a :class:`Choice`.

    Attributes:
        chosen: configuration -> the process whose events are tried, or :data:`ALL`.
    """

    def __init__(self, moves: Moves, visible: Callable[[int, int, int], bool]) -> None:
        super().__init__(moves, visible)
        self._moves = moves
        self._sends = moves.sends
        self.chosen: list[int] = []

    def explore(self, seed: int) -> None:
        """Simulate some random runs in order to learn what processes send."""
        source, idle, version = random.Random(seed), 0, 0
        firsts = list(self._moves.firsts())
        key = source.choice(firsts)
        for _ in range(_STEPS):
            self._moves.ticks += 1
            steps = [new for _, new, _ in self._moves.moves(key) if new is not None]
            if steps:
                key = source.choice(steps)
                continue
            key = source.choice(firsts)
            idle = idle + 1 if version == self._sends.version else 0
            version = self._sends.version
            if idle == _IDLE:
                break

    def first(self, key: Key, steps: list[Step]) -> tuple[list[Step], int]:
        """Return the events to be tried in a configuration, and the choice."""
        i = self.choose(key, steps)
        return (steps if i == ALL else [step for step in steps if self._moves.place(step[0]) == i]), i
