"""A comparison of two executions: the processes that differ at a time, the places to look, and a summary.

One of the two is called *here* (the run that is shown), the other *there*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trn
from lydian.model.names import natural
from lydian.trace.events import KINDS, NO_STATE, Event, Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.phrases import lowered
from lydian.views.words.reasons import moment
from lydian.views.words.sentence import sentence
from lydian.views.words.words import Words, joined, number, plural

if TYPE_CHECKING:
    from lydian.trace.difference import Difference

__all__ = ["Apart", "Divergence", "Pair", "now_words", "outcome", "stop_beside", "stops_of", "summary"]

Bools = NDArray[np.bool_]

#: Interventions, which explain why two runs diverge at a moment.
_DONE = frozenset(
    KINDS[kind]
    for kind in (Kind.CRASH, Kind.RECOVER, Kind.LINK_DOWN, Kind.LINK_UP, Kind.CORRUPT, Kind.INJECT, Kind.DROP)
)
#: The number of processes that a sentence names.
_NAMED = 5


@dataclass(frozen=True)
class Apart:
    """The processes whose states differ at a moment.

    Args:
        here, there: per process of either run whether its state is another one, or it is crashed in one run only, or
            the other run has no such process.
        names: of all these processes.
    """

    here: Bools
    there: Bools
    names: tuple[str, ...]


class Pair:
    """Two executions whose processes are matched by their names."""

    def __init__(self, a: Timeline, b: Timeline) -> None:
        self.a, self.b = a, b

    @cached_property
    def _partners(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the processes of both runs: their numbers here and there."""
        of_b = {name: number for number, name in enumerate(self.b.processes)}
        both = [(number, of_b[name]) for number, name in enumerate(self.a.processes) if name in of_b]
        pairs = np.array(both, dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    @cached_property
    def _codes(self) -> NDArray[np.int64]:
        """Return the codes here of states there; states unknown here have codes of their own."""
        known = {name: code for code, name in enumerate(self.a.states)}
        table = np.arange(NO_STATE + 1, dtype=np.int64)
        table[: len(self.b.states)] = [known.get(name, NO_STATE + 1 + code) for code, name in enumerate(self.b.states)]
        return table

    def at(self, t: float) -> Apart:
        """Return which processes differ in state at time ``t``."""
        mine, theirs = self._partners
        here, there = np.ones(self.a.n, dtype=bool), np.ones(self.b.n, dtype=bool)
        k, j = self.a.count(t), self.b.count(t)
        down_a, down_b = self.a.crashed_at(k)[mine], self.b.crashed_at(j)[theirs]
        states_a, states_b = self.a.states_at(k)[mine], self._codes[self.b.states_at(j)[theirs]]
        # A crashed process does nothing, whatever its state was.
        other = (down_a != down_b) | ((states_a != states_b) & ~(down_a & down_b))
        here[mine] = there[theirs] = other
        names = {self.a.processes[i] for i in np.flatnonzero(here)}
        names |= {self.b.processes[i] for i in np.flatnonzero(there)}
        return Apart(here, there, tuple(sorted(names, key=natural)))


@dataclass(frozen=True)
class Divergence:
    """A moment at which the runs begin to diverge.

    Args:
        time: when; nothing of it happens before in either run.
        here, there: the ``seq`` of the event in either run, ``None`` where nothing more happens.
        processes: which processes begin to differ.
    """

    time: float
    here: int | None
    there: int | None
    processes: tuple[str, ...] = ()


def stops_of(difference: Difference | None) -> tuple[Divergence, ...]:
    """Return the first difference, then each moment at which further processes begin to diverge, by time."""
    if difference is None:
        return ()
    here, there = (None if event is None else difference.seq for event in (difference.a, difference.b))
    found: dict[float, Divergence] = {difference.time: Divergence(difference.time, here, there)}
    for each in difference.processes:
        at = found.get(each.time, Divergence(each.time, each.a, each.b))
        found[each.time] = Divergence(at.time, at.here, at.there, (*at.processes, each.process))
    return tuple(found[time] for time in sorted(found))


def stop_beside(stops: tuple[Divergence, ...], t: float, direction: int) -> Divergence | None:
    """Return the next stop after time ``t`` (1), or the one before it (-1)."""
    beside = [stop for stop in stops if (stop.time - t) * direction > 0]
    return None if not beside else beside[0] if direction > 0 else beside[-1]


# ---------------------------------------------------------------------------------------------- in words


def summary(difference: Difference | None, a: Timeline, b: Timeline, animation: Words, *, growing: bool = False) -> str:
    """Return how two runs diverge and how they end, in two or three short sentences.

    Args:
        difference: of the traces of the two timelines, ``a`` the one here.
        animation: gives the words for states and messages.
        growing: whether the run here continues, so that nothing is said about its end.
    """
    if difference is None:
        return tr("Both runs are the same: {events}.", events=plural(a.events, "event"))
    if difference.kind == "ended" and growing and difference.a is None:
        return tr("The same so far, up to {time}.", time=number(a.end))
    then = _then(difference, a, b, animation)
    if difference.seq:
        same = tr("The same until {time}; then {event}", time=number(difference.time), event=then)
    else:
        same = tr("They differ from the first event on: {event}", event=then)
    return f"{same} {outcome(difference.numbers, growing=growing)}"


def _then(difference: Difference, a: Timeline, b: Timeline, animation: Words) -> str:
    first, second, seq = difference.a, difference.b, difference.seq
    if first is None or second is None:
        event = lowered(sentence(b if first is None else a, seq, animation))
        if first is None:
            return tr("the run ends here, and there {event}", event=event)
        return tr("the run ends there, and here {event}", event=event)
    told = [lowered(sentence(timeline, seq, animation)) for timeline in (a, b)]
    if difference.kind == "time":
        return tr("at {time} here and at {other_time} there {event}",
                  time=moment(first.time), other_time=moment(second.time), event=told[0])  # fmt: skip
    if difference.kind in ("state", "fields") and told[0] == told[1]:
        if difference.kind == "state":
            return tr("to another state here than there: {event}", event=told[0])
        return tr("with other contents here than there: {event}", event=told[0])
    if difference.kind == "event":
        which = _why(first, second)
        if which is not None:
            return tr("here {event}", event=told[0]) if which == 0 else tr("there {event}", event=told[1])
    return tr("here {event} There {other_event}", event=told[0], other_event=told[1])


def _why(first: Event, second: Event) -> int | None:
    """Return which of two events made the difference: an intervention if there is one, else the earlier one."""
    done = [event.kind in _DONE for event in (first, second)]
    if done[0] != done[1]:
        earliest = min(first.time, second.time)
        which = done.index(True)
        if (first, second)[which].time == earliest:
            return which
    if first.time == second.time:
        return None
    return 0 if first.time < second.time else 1


def outcome(numbers: Mapping[str, tuple[float, float]], *, growing: bool = False) -> str:
    """Return the run there compared with the one here: ``There: 4 more messages, ended at 13.1 instead of 15.2.``"""
    (sent, theirs), (lost, missed), (end, other) = (numbers[name] for name in ("messages", "lost", "time"))
    if growing:
        return tr("There: {messages}, ended at {time}.", messages=plural(int(theirs), "message"), time=number(other))
    parts = []
    if sent != theirs:
        count = int(abs(theirs - sent))
        if theirs > sent:
            parts.append(trn("{count:,} more message", "{count:,} more messages", count))
        else:
            parts.append(trn("{count:,} fewer message", "{count:,} fewer messages", count))
    if lost != missed:
        count = int(abs(missed - lost))
        if missed > lost:
            parts.append(trn("{count:,} more lost", "{count:,} more lost", count))
        else:
            parts.append(trn("{count:,} fewer lost", "{count:,} fewer lost", count))
    if end != other:
        ours, mine = _apart(end, other)
        parts.append(tr("ended at {time} instead of {other_time}", time=mine, other_time=ours))
    if not parts:
        return tr("There: the same number of messages and the same end.")
    return tr("There: {differences}.", differences=", ".join(parts))


def now_words(apart: Apart, t: float, difference: Difference | None) -> str:
    """Return which processes differ in state at a time, in one sentence."""
    if difference is None or t < difference.time:
        return tr("At {time}, both runs are the same.", time=number(max(t, 0.0)))
    names = apart.names
    if not names:
        return tr("At {time}, every process is in the same state.", time=number(t))
    some = list(names)
    if len(names) > _NAMED:
        some = [*names[:_NAMED], trn("{count} more", "{count} more", len(names) - _NAMED)]
    return trn("At {time}, one process is in another state: {processes}.",
               "At {time}, {count:,} processes are in another state: {processes}.",
               len(names), time=number(t), processes=joined(some))  # fmt: skip


def _apart(one: float, other: float) -> tuple[str, str]:
    """Return two times with enough digits to show that they differ."""
    if number(one) != number(other):
        return number(one), number(other)
    digits = next((digits for digits in range(4, 17) if f"{one:.{digits}g}" != f"{other:.{digits}g}"), 17)
    return f"{one:.{digits}g}", f"{other:.{digits}g}"
