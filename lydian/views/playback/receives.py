"""Places to which the receipt of a message can be moved, and the interventions that move it there.

A receipt moves past neighbouring events of its process: the message arrives earlier or later, everything before the
earlier of the two places stays as it was, and the rest of the execution runs again. A place is legal if it is after
the sending of the message, if no message of the same FIFO link is overtaken, and if the process can act there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.language import tr, trc, trn
from lydian.model.experiment.branch import leaving_time
from lydian.model.interventions import Intervention
from lydian.model.interventions.words import moment
from lydian.trace.events import ATTACHED, EFFECTS, Kind
from lydian.trace.timeline import STEPS, Timeline
from lydian.views.playback.interfering import Situation
from lydian.views.time.traffic import messages_of
from lydian.views.words.faultwords import message_name
from lydian.views.words.words import called, number

__all__ = ["Bar", "Place", "Receipt", "branch_name", "interventions", "receipt", "receipt_of"]

#: The events of a process that a receipt can pass.
_PASSED = (*STEPS, Kind.CRASH, Kind.RECOVER, Kind.CORRUPT)


@dataclass(frozen=True)
class Place:
    """A place between two successive events of a process.

    Attributes:
        time: when the message would arrive.
        start, stop: the times between which it would arrive in the same order; ``stop`` may be infinite.
        passed: the events of the process that it would pass, in the order of the execution.
    """

    time: float
    start: float
    stop: float
    passed: tuple[int, ...]


@dataclass(frozen=True)
class Bar:
    """A period in which the message cannot arrive, and the reason as a sentence."""

    start: float
    stop: float
    reason: str


@dataclass(frozen=True, eq=False)
class Receipt:
    """The receipt of a message, and where it can be moved.

    Attributes:
        event: the ``seq`` of the event.
        message: the number of the message.
        process: the process that receives it.
        now: when it arrives at present.
        places: the legal places, by time.
        bars: the periods in which it cannot arrive, by time; without those between its current neighbours.
    """

    situation: Situation
    event: int
    message: int
    process: int
    now: float
    places: tuple[Place, ...]
    bars: tuple[Bar, ...]

    @property
    def earlier(self) -> Place | None:
        """The nearest earlier place."""
        return next((each for each in reversed(self.places) if each.time < self.now), None)

    @property
    def later(self) -> Place | None:
        """The nearest later place."""
        return next((each for each in self.places if each.time > self.now), None)

    def why_not(self, direction: int) -> str:
        """Return why it cannot be moved earlier (-1) or later (1), as a sentence; "" if it can."""
        if (self.earlier if direction < 0 else self.later) is not None:
            return ""
        if direction < 0:
            bars = [each.reason for each in self.bars if each.stop <= self.now]
            first = tr("Process {process} has no earlier event that it could pass", process=self._name)
            return bars[-1] if bars else first
        bars = [each.reason for each in self.bars if each.start >= self.now]
        return bars[0] if bars else tr("Process {process} has no later event that it could pass", process=self._name)

    @property
    def _name(self) -> str:
        return self.situation.names[self.process]

    def order(self, place: Place) -> str:
        """Return the new order as a sentence: ``Process 2 receives Request from 1 before Request from 0.``"""
        earlier = place.time < self.now
        other = self._passed(place.passed[0] if earlier else place.passed[-1])
        name, mine = self._name, self._received(self.event)
        if earlier:
            return tr("Process {process} receives {message} before {other}.", process=name, message=mine, other=other)
        return tr("Process {process} receives {message} after {other}.", process=name, message=mine, other=other)

    def consequence(self, place: Place) -> str:
        """Return what runs again, as a sentence."""
        timeline = self.situation.timeline
        first = int(np.searchsorted(timeline.time, min(place.time, self.now)))
        count = int(np.count_nonzero(~np.isin(timeline.kind[first:], ATTACHED)))
        return trn("{count:,} event runs again; both runs are kept.", "{count:,} events run again; both runs are kept.",
                   count)  # fmt: skip

    def _received(self, seq: int) -> str:
        timeline = self.situation.timeline
        label = called(timeline, seq, self.situation.scene.animation)
        sender = timeline.processes[int(timeline.peer[seq])] if timeline.peer[seq] >= 0 else "?"
        return tr("{message} from {sender}", message=label, sender=sender)

    def _passed(self, seq: int) -> str:
        """Return an event that is passed, to follow ``before`` or ``after``."""
        timeline = self.situation.timeline
        kind, label = int(timeline.kind[seq]), called(timeline, seq, self.situation.scene.animation)
        if kind == Kind.RECEIVE:
            return self._received(seq)
        if kind == Kind.TIMER:
            return trc("before or after this", "the timer {timer}", timer=label)
        if kind == Kind.COMMAND:
            return trc("before or after this", "the command {command}", command=label)
        if kind == Kind.RULE:
            return trc("before or after this", "the rule {rule}", rule=label)
        return {
            Kind.INIT: trc("before or after this", "its start"),
            Kind.CRASH: trc("before or after this", "its crash"),
            Kind.RECOVER: trc("before or after this", "its recovery"),
        }.get(kind, trc("before or after this", "the change of its variables"))


def receipt_of(timeline: Timeline, event: int | None, messages: Iterable[int] = ()) -> int:
    """Return the receive event that a selection means, or -1: the selected event, the event whose action caused it at
    the same moment, or the arrival of the only selected message.
    """
    if event is None:
        some = list(messages)
        if len(some) != 1 or not 0 <= some[0] < timeline.m_messages:
            return -1
        event = int(timeline.receives[some[0]])
    if not 0 <= event < timeline.length:
        return -1
    if timeline.kind[event] in EFFECTS and timeline.cause[event] >= 0:
        before = int(timeline.cause[event])
        event = before if timeline.time[before] == timeline.time[event] else event
    return event if timeline.kind[event] == Kind.RECEIVE else -1


def receipt(s: Situation, seq: int, until: float = math.inf) -> Receipt | str:
    """Return a receipt with the places to which it can be moved, or the reason why it cannot be moved at all.

    Args:
        s: the situation in any moment of the execution.
        seq: the event.
        until: the time at which the execution is stopped.
    """
    timeline = s.timeline
    if not 0 <= seq < timeline.length or timeline.kind[seq] != Kind.RECEIVE or timeline.message[seq] < 0:
        return tr("Select the receipt of a message to move it")
    message, process, now = int(timeline.message[seq]), int(timeline.process[seq]), float(timeline.time[seq])
    if "ROUND" in timeline.labels:
        return tr("In rounds, all messages arrive together, so none can be moved")
    sent = float(timeline.message_sent[message])
    if timeline.sends[message] < 0:
        return tr("The trace does not contain the sending of this message")
    if not sent < float(timeline.message_reached[message]):
        return tr("This message takes no time, so it cannot be moved")
    low, high, bars = _order(s, message, sent, now, until)
    places: list[Place] = []
    for start, stop, passed, why in _gaps(s, process, seq, now):
        if why:
            bars += [Bar(max(start, low), min(stop, high), why)] if start < high and stop > low else []
            continue
        first, last = max(start, low), min(stop, high)
        time = _between(first, last, max(messages_of(timeline).usual, 1e-9))
        if time is not None and passed:
            places.append(Place(time, first, last, passed))
    return Receipt(s, seq, message, process, now, tuple(places), tuple(sorted(bars, key=lambda each: each.start)))


def _order(s: Situation, message: int, sent: float, now: float, until: float) -> tuple[float, float, list[Bar]]:
    """Return the times between which the sending and the order of the link allow the message to arrive, and the rest
    of time as bars.
    """
    timeline = s.timeline
    low, high, bars = sent, until, [Bar(-math.inf, sent, tr("It has not been sent yet"))]
    a, b = int(timeline.message_source[message]), int(timeline.message_target[message])
    if a >= 0 and s.fifo(a, b):
        link = f"{s.names[a]}-{s.names[b]}"
        same = (timeline.message_source == a) & (timeline.message_target == b) & ~np.asarray(timeline.lost)
        alike = np.flatnonzero(same)
        reached = np.asarray(timeline.message_reached[alike], dtype=np.float64)
        before, after = alike < message, alike > message
        if before.any():
            latest = float(reached[before].max())
            if latest > low:
                first = message_name(timeline, int(alike[before][np.argmax(reached[before])]), s.animation)
                bars.append(Bar(low, latest, _fifo(link, first)))
                low = latest
        if after.any():
            soonest = float(np.where(np.isfinite(reached), reached, timeline.end)[after].min())
            if soonest < high:
                then = message_name(timeline, int(alike[after][np.argmin(reached[after])]), s.animation)
                bars.append(Bar(max(soonest, now), high, _fifo(link, then)))
                high = soonest
    if math.isfinite(until):
        bars.append(Bar(until, math.inf, tr("The run is stopped at {time}", time=number(until))))
    return low, high, [each for each in bars if each.start < each.stop]


def _fifo(link: str, other: str) -> str:
    return tr("Link {link} is FIFO, so it cannot overtake {other}", link=link, other=other)


def _gaps(s: Situation, process: int, seq: int, now: float) -> list[tuple[float, float, tuple[int, ...], str]]:
    """Return the periods between successive events of a process: from, to, the events that a message would pass on the
    way there, and why it could not be received there.
    """
    timeline = s.timeline
    rows = timeline.events_of(process)
    kinds = timeline.kind[rows]
    own = np.isin(kinds, _PASSED) & ((kinds != Kind.CORRUPT) | (timeline.label[rows] < 0)) & (rows != seq)
    rows = rows[own]
    lasts = timeline.step_lengths[rows] if timeline.steps_take_time else np.zeros(len(rows))
    found: list[tuple[float, float, tuple[int, ...], str]] = []
    begin, down, name = 0.0, False, s.names[process]
    for row, lasting in [*zip(rows.tolist(), lasts.tolist(), strict=True), (-1, 0.0)]:
        time = math.inf if row < 0 else float(timeline.time[row])
        if begin < time and not begin <= now < time:
            moved = _passed(rows, timeline, seq, now, begin, time)
            why = tr("Process {process} has crashed", process=name) if down else ""
            found.append((begin, time, moved, why))
        if row < 0:
            break
        kind = int(timeline.kind[row])
        down = kind == Kind.CRASH or (down and kind != Kind.RECOVER)
        if lasting > 0:
            end = time + lasting
            if not time <= now < end:
                busy = tr("Process {process} is in the middle of a step", process=name)
                found.append((time, end, (), busy))
            time = end
        begin = max(begin, time)
    return found


def _passed(rows: Any, timeline: Timeline, seq: int, now: float, start: float, stop: float) -> tuple[int, ...]:
    times = timeline.time[rows]
    if stop <= now:
        return tuple(rows[(rows < seq) & (times >= stop)].tolist())
    return tuple(rows[(rows > seq) & (times <= start)].tolist())


def _between(start: float, stop: float, usual: float) -> float | None:
    """Return a time with few digits near the middle of a period, or soon after its start if it has no end; ``None`` if
    the period is empty.
    """
    if stop == math.inf:
        stop = start + 2 * usual
    if not start < stop:
        return None
    middle, width = start + (stop - start) / 2, stop - start
    for digits in range(13):
        time = round(middle, digits)
        if start + width / 4 <= time <= stop - width / 4:
            return time
    return middle if start < middle < stop else None


# ---------------------------------------------------------------------- the interventions


def interventions(moved: Receipt, place: Place, done: Sequence[Intervention]) -> tuple[Intervention, ...]:
    """Return all interventions of the execution in which a receipt is moved to another place.

    Interventions before the earlier of the two places stay as they were. Later ones are made again at the same times;
    a message that had not been sent by then is meant by its link and label, as its number may differ.

    Args:
        moved: the receipt.
        place: one of its places.
        done: the interventions in the execution as it is.
    """
    s, at = moved.situation, min(place.time, moved.now)
    timeline = s.timeline
    early = [each for each in done if each.time < at]
    late = [each for each in done if each.time >= at]
    chosen = any(_delivers(each, moved) for each in late)
    rest = [each for each in late if not _delivers(each, moved) and each.message != moved.message]
    kept = [_again(timeline, each, at) for each in rest]
    link = _ends(timeline, moved.message)
    label = timeline.trace.labels[int(timeline.message_label[moved.message])]
    aim: dict[str, Any] = {"message": moved.message, "link": link, "label": label}
    mine: list[Intervention] = []
    taken = {"take_over": True, "release": False}
    held = next((taken[each.do] for each in reversed(early) if each.do in taken and each.process == link[1]), False)
    if place.time > moved.now and not (chosen and held):
        mine.append(Intervention(moved.now, "delay", delay=place.time - moved.now, **aim))
    if place.time < moved.now or chosen or held:
        mine.append(Intervention(place.time, "deliver", **aim))
    return (*early, *sorted((*mine, *kept), key=lambda each: each.time))


def branch_name(moved: Receipt, place: Place) -> str:
    """Return the name of the branch in which a receipt is moved: ``Request 1-2 received at 2.5``."""
    timeline = moved.situation.timeline
    label = timeline.trace.labels[int(timeline.message_label[moved.message])]
    return f"{label} {'-'.join(_ends(timeline, moved.message))} received at {moment(place.time)}"


def _delivers(each: Intervention, moved: Receipt) -> bool:
    """Return True if an intervention caused the receipt."""
    timeline = moved.situation.timeline
    if each.do != "deliver" or each.time != float(timeline.message_reached[moved.message]):
        return False
    if each.message is not None:
        return bool(each.message == moved.message)
    return each.link in (None, _ends(timeline, moved.message))


def _again(timeline: Timeline, each: Intervention, at: float) -> Intervention:
    """Return an intervention to be made in an execution that is another one from a time on."""
    time = each.time
    if each.after is not None:  # it may have followed an event of the same time
        rows = np.flatnonzero(np.asarray(timeline.time) == time)
        if len(rows) and not _begins(timeline, int(rows[0]), each):
            later = int(rows[-1]) + 1
            time = leaving_time(time, float(timeline.time[later]) if later < timeline.length else time + 1.0)
    message, keys = each.message, dict(each.keys)
    if message is not None and message < timeline.m_messages and timeline.message_sent[message] >= at:
        del keys["message"]
        keys.setdefault("link", _ends(timeline, message))
    return Intervention(time, each.do, keys=keys)


def _ends(timeline: Timeline, message: int) -> tuple[str, str]:
    """Return the names of the sender and the receiver of a message."""
    source, target = int(timeline.message_source[message]), int(timeline.message_target[message])
    return timeline.processes[source], timeline.processes[target]


def _begins(timeline: Timeline, row: int, each: Intervention) -> bool:
    """Return True if the first event of a time is that of the intervention itself."""
    if each.message is not None:
        return bool(timeline.message[row] == each.message)
    kind = int(timeline.kind[row])
    if each.process is not None:
        mine = timeline.processes[int(timeline.process[row])] == each.process if timeline.process[row] >= 0 else False
        return bool(mine) and kind != Kind.RECEIVE
    return kind in (Kind.INTERVENE, Kind.LINK_DOWN, Kind.LINK_UP, Kind.INJECT)
