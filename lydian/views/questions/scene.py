"""A run as the kinds of question see it: its events, their words, and what may be shown before an event."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc, trn
from lydian.pieces.animation import animation_for
from lydian.trace.cones import Cones
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.playback.steps import start_of
from lydian.views.time.axis import remember
from lydian.views.time.cones import cones_of
from lydian.views.time.strands import way_between
from lydian.views.words.contents import cited, contents
from lydian.views.words.phrases import joined
from lydian.views.words.reasons import moment
from lydian.views.words.values import value_text
from lydian.views.words.words import Words, called

__all__ = ["Scene", "fingerprint"]

#: Kinds of event that a question may name.
ACTS = (Kind.INIT, Kind.SEND, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE, Kind.DELIVER, Kind.DECIDE)
#: A longer description of a message is replaced by its name.
LONGEST = 48
#: The largest number of messages of a way that are listed one by one.
MOST_HOPS = 5
#: The number of events of a label that are compared to find out whether its fields differ.
LOOKED_AT = 60


def fingerprint(timeline: Timeline) -> str:
    """Return the fingerprint of a run, which is computed once."""
    return remember(timeline, "fingerprint", timeline.trace.fingerprint)


class Scene:
    """A run, and the words for it.

    Attributes:
        timeline: the whole run.
        words: names its states and messages.
    """

    def __init__(self, timeline: Timeline, words: Words | None = None) -> None:
        self.timeline = timeline
        self.words: Words = animation_for(timeline.trace) if words is None else words

    # ------------------------------------------------------------------ events

    @cached_property
    def acts(self) -> NDArray[np.int64]:
        """The events that a question may name, ascending."""
        t = self.timeline
        return np.flatnonzero(np.isin(t.kind, ACTS) & (t.process >= 0))

    @cached_property
    def receives(self) -> NDArray[np.int64]:
        """The receipts of messages that a process had sent, ascending."""
        t = self.timeline
        rows = np.flatnonzero((t.kind == Kind.RECEIVE) & (t.process >= 0) & (t.message >= 0))
        return rows[t.sends[t.message[rows]] >= 0]

    @cached_property
    def before(self) -> NDArray[np.int64]:
        """The previous event at the same process, for each event; -1 if there is none."""
        from lydian.trace.causality import previous_on_line

        return remember(self.timeline, "previous", lambda: previous_on_line(self.timeline))

    def cones(self, seq: int) -> Cones:
        return cones_of(self.timeline, seq)

    def related(self, a: int, b: int) -> str:
        """Return ``"before"`` if a happened before b, ``"after"`` if b happened before a, else ``"concurrent"``."""
        cones, other = self.cones(a), np.array([b], dtype=np.int64)
        if cones.future(self.timeline, other)[0]:
            return "before"
        return "after" if cones.past(self.timeline, other)[0] else "concurrent"

    def until(self, seq: int) -> int:
        """Return the position just before the moment at which an event happens."""
        return int(np.searchsorted(self.timeline.time, self.timeline.time[seq], side="left"))

    def time_at(self, k: int) -> float:
        """Return the latest time at which only the first k events have happened, with k from :meth:`until`."""
        return float(self.timeline.time[k - 1]) if k else start_of(self.timeline)

    def foreseen(self, seq: int) -> bool:
        """Return whether the causes of an event all lie before its moment, so that it may be announced."""
        k, cause = self.until(seq), int(self.timeline.cause[seq])
        return k > 0 and int(self.before[seq]) < k and cause < k

    # ------------------------------------------------------------------ words

    def name(self, process: int) -> str:
        return self.timeline.processes[process]

    def who(self, process: int) -> str:
        return tr("process {process}", process=self.name(process))

    def state(self, code: int) -> str:
        return self.words.word(self.timeline.states[code])

    def message(self, seq: int, *, fields: bool = True) -> str:
        """Return the message, timer or command of an event, with its fields if they differ within the run."""
        word = called(self.timeline, seq, self.words)
        fields = fields and int(self.timeline.label[seq]) in self._telling
        whole = cited(word, contents(self.timeline, seq)) if fields else ""
        return whole if 0 < len(whole) <= LONGEST and "…" not in whole else cited(word, {}) or tr("message")

    @property
    def _telling(self) -> frozenset[int]:
        """The labels whose fields do not always have the same values."""

        def found() -> frozenset[int]:
            t, telling = self.timeline, set()
            for label in range(len(t.labels)):
                rows = np.flatnonzero((t.label == label) & (t.process >= 0) & np.isin(t.kind, ACTS))[:LOOKED_AT]
                if len({str(contents(t, int(seq))) for seq in rows}) > 1:
                    telling.add(label)
            return frozenset(telling)

        return remember(self.timeline, "labels with telling fields", found)

    def hop(self, seq: int, *, fields: bool = True) -> str:
        """Return the message of an event with its way: ``Ack from 2 to 0``."""
        t = self.timeline
        a, b = int(t.process[seq]), int(t.peer[seq])
        sender, receiver = (b, a) if int(t.kind[seq]) == Kind.RECEIVE else (a, b)
        return tr(
            "{message} from {sender} to {receiver}",
            message=self.message(seq, fields=fields), sender=self.name(sender), receiver=self.name(receiver),
        )  # fmt: skip

    def act(self, seq: int) -> str:
        """Return an event as a clause: ``process 5 receives Ack from 6``."""
        t = self.timeline
        kind, peer = int(t.kind[seq]), int(t.peer[seq])
        told = {"process": self.who(int(t.process[seq]))}
        other = self.name(peer) if peer >= 0 else tr("an unknown process")
        if kind == Kind.INIT:
            return tr("{process} starts", **told)
        if kind == Kind.SEND:
            return tr("{process} sends {message} to {receiver}", message=self.message(seq), receiver=other, **told)
        if kind == Kind.RECEIVE:
            return tr("{process} receives {message} from {sender}", message=self.message(seq), sender=other, **told)
        if kind == Kind.TIMER:
            return tr("the timer {timer} of {process} expires", timer=self.message(seq), **told)
        if kind == Kind.COMMAND:
            return tr("{process} receives the command {command}", command=self.message(seq), **told)
        if kind == Kind.RULE:
            return tr("{process} executes {rule}", rule=self.message(seq, fields=False), **told)
        value = (t.trace.detail(seq) or {}).get("value")
        said = "" if value is None else value_text(value, limit=LONGEST)
        if kind == Kind.DELIVER:
            return tr("{process} delivers {value}", value=said or tr("something"), **told)
        return tr("{process} decides {value}", value=said, **told) if said else tr("{process} decides", **told)

    def event(self, seq: int) -> str:
        """Return an event with its time: ``process 5 receives Ack from 6 at time 5.6``."""
        return tr("{event} at time {time}", event=self.act(seq), time=self.at(seq))

    def choice(self, seq: int) -> str:
        """Return an event with its time as a possible answer."""
        return capital(self.event(seq))

    def at(self, seq: int) -> str:
        return moment(float(self.timeline.time[seq]))

    # ------------------------------------------------------------------ ways

    def way(self, first: int, last: int) -> NDArray[np.int64]:
        """Return the events by which ``last`` came to know of ``first``, which happened before it."""
        found = way_between(self.timeline, first, last)
        assert found is not None
        return found

    def told_way(self, way: NDArray[np.int64] | Sequence[int]) -> str:
        """Return a causal chain in words: its messages one after the other."""
        t, hops, steps = self.timeline, list[str](), False
        for a, b in pairwise(way):
            if t.process[a] == t.process[b]:
                continue
            if int(t.kind[b]) == Kind.RECEIVE and t.message[b] >= 0:
                hops.append(self.hop(int(b), fields=False))
            else:
                sender, receiver = self.name(int(t.process[a])), self.name(int(t.process[b]))
                steps = True
                hops.append(tr("the step of {sender} that enables {receiver}", sender=sender, receiver=receiver))
        if not hops:
            return tr("both events are at {process}", process=self.who(int(t.process[way[-1]])))
        if len(hops) > MOST_HOPS:
            left = len(hops) - MOST_HOPS + 1
            more = (
                trn("{count:,} more step", "{count:,} more steps", left)
                if steps
                else trn("{count:,} more message", "{count:,} more messages", left)
            )
            hops = [*hops[: MOST_HOPS - 2], more, hops[-1]]
        return trc("between the messages of a causal chain", ", then ").join(hops)

    def listed(self, processes: Sequence[int]) -> str:
        return joined([self.name(process) for process in processes])


def capital(text: str) -> str:
    """Return a clause as the beginning of a sentence."""
    return text[:1].upper() + text[1:]
