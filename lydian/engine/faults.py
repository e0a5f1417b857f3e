"""Interventions: what somebody does to an execution from outside, at a time or between two rounds."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from heapq import heapify, heappush
from itertools import chain
from typing import TYPE_CHECKING, Any

from lydian.engine.byzantine import Liars
from lydian.engine.choices import CHOICES
from lydian.engine.kernel import INTERVENTION, NONE, Channel
from lydian.engine.objections import objection
from lydian.engine.setup import restart
from lydian.model.interventions import Intervention
from lydian.model.message import Record, fitted, plain_copy
from lydian.model.process import Process
from lydian.trace.events import Kind
from lydian.trace.recorder import to_json

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["Answer", "Faults", "merged"]


def merged(known: Iterable[Intervention], done: Iterable[Intervention]) -> tuple[Intervention, ...]:
    """The interventions of an experiment and what was done to its execution, in the order in which they happened.

    What was done between two rounds came before whatever was planned for the same moment.
    """
    known, done = tuple(known), tuple(done)
    timed = sorted((each for each in (*done, *known) if each.after is None), key=lambda each: each.time)
    numbered = sorted((each for each in (*known, *done) if each.after is not None), key=lambda each: each.after or 0)
    return (*timed, *numbered)


@dataclass(frozen=True)
class Answer:
    """What became of an interaction that was offered between rounds.

    Attributes:
        accepted: whether it became an intervention of the experiment.
        reason: why not, in a sentence; "" if accepted.
        round: the round at whose beginning it was decided.
        intervention: the record with its time, if accepted.
    """

    accepted: bool
    reason: str
    round: int
    intervention: Intervention | None


#: What changes the registers of a process, or what it may do.
_TOUCHING = (Kind.CORRUPT, Kind.CRASH, Kind.RECOVER)


class Faults:
    """Applies interventions to a simulator.

    Attributes:
        round: number of the round that comes next.
        offered: what waits for the next round to begin.
        applied: whether anything was done to this execution.
        accepted: interventions accepted between rounds, in order.
        liars: the Byzantine processes.
    """

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        simulator.execution.planned = self.planned
        self.offered: deque[tuple[Intervention, int, Callable[[Answer], None]]] = deque()
        self._sent: list[tuple[int, int]] = []  # round, how many messages had been sent when it began
        self.round = 0
        self.applied = False
        self.accepted: list[Intervention] = []
        self.liars = Liars(simulator)
        self._cut: set[Channel] = set()  # channels that a link_down put down, whatever partitions do
        self._partitions: list[tuple[tuple[int, ...], list[Channel]]] = []  # group of each process; what it put down

    # ------------------------------------------------------------------ between rounds

    def offer(self, intervention: Intervention, seen_round: int, answer: Callable[[Answer], None]) -> None:
        """Offer an interaction; ``answer`` is called at the beginning of the next round.

        Args:
            seen_round: number of rounds that its sender had seen when it made up its mind.
        """
        self.offered.append((intervention, seen_round, answer))

    def take_in(self) -> None:
        """Decide about everything that was offered, in order: carry out what is still possible, refuse the rest with a
        reason.  If carrying out ends the run, what is left is refused the next time."""
        simulator = self.simulator
        kernel = simulator.kernel
        numbered = simulator.round_events is not None
        now = float(kernel.now) if numbered else self.round * simulator.round_length
        touched: dict[Any, str] = {}
        if simulator.stopped is None:
            if numbered:
                simulator.apply_due(math.nextafter(now, math.inf))
            kernel._now = now
        while self.offered:
            intervention, seen, answer = self.offered.popleft()
            timed = replace(intervention, time=now, after=simulator.steps if numbered else None)
            sent = self._sent_by(seen) if 0 <= seen < self.round else kernel.counts()[1]
            reason = objection(simulator, timed, seen, sent, touched)
            if reason is None:
                self.accepted.append(timed)
                answer(Answer(True, "", self.round, timed))
                self.apply(timed)
            else:
                answer(Answer(False, reason, self.round, None))

    def begin_round(self) -> None:
        """A round begins: from now on it is past for those who still look at its beginning."""
        sent = self.simulator.kernel.counts()[1]
        if not self._sent or self._sent[-1][1] != sent:
            self._sent.append((self.round, sent))

    def _sent_by(self, round_: int) -> int:
        """How many messages had been sent when a round began."""
        at = bisect_right(self._sent, round_, key=lambda pair: pair[0])
        return self._sent[at - 1][1] if at else 0

    def end_round(self) -> None:
        """A round is over."""
        self.round += 1

    def skip(self, last: int | None) -> None:
        """Go on to the round in which something happens, at most to round ``last``."""
        queue: list[Any] = self.simulator.kernel._queue
        if queue and self.simulator.round_events is None:
            length = self.simulator.round_length
            ahead = min(queue[0][0] / length, math.inf if last is None else last, 2.0**52)
            number = int(ahead)
            self.round = max(self.round, number if number * length <= queue[0][0] else number - 1)

    # ------------------------------------------------------------------ in the execution

    def apply(self, what: Intervention) -> None:
        """Carry out an intervention now."""
        self.applied = self.applied or what.do not in ("wake", "command")
        if what.do in CHOICES:
            CHOICES[what.do](self, what)
        else:
            getattr(self, f"_{what.do}")(what)
        judges = self.simulator.judges
        if judges.watching and self.simulator.kernel.counts()[0]:
            judges.after(self.simulator.kernel.counts()[0] - 1)

    def schedule_outages(self) -> None:
        """Turn the outages of the network's links into interventions."""
        for link in self.simulator.network.links:
            for start, end in link.outages:
                for time, do in ((start, "link_down"), (end, "link_up")):
                    if time < float("inf"):
                        record = Intervention(time=time, do=do, link=(link.a, link.b))
                        self.simulator.kernel.at(time, self.apply, record, INTERVENTION)

    def process(self, what: Intervention) -> Process:
        simulator = self.simulator
        assert what.process is not None
        return simulator.processes[simulator.network.index[what.process]]

    def channels(self, what: Intervention) -> list[Channel]:
        """Both channels of a link, where there are two; one if that alone is meant."""
        assert what.link is not None
        a, b = what.link
        return self.between(a, b) + ([] if what.one_way else self.between(b, a))

    def between(self, a: str, b: str) -> list[Channel]:
        simulator = self.simulator
        if a == b:
            return [simulator.own(simulator.processes[simulator.network.index[a]])]
        number = simulator.network.channels().numbers.get((simulator.network.index[a], simulator.network.index[b]))
        return [] if number is None else [simulator.channels[number]]

    def row(
        self, kind: int, p: Process, detail: str | None = None, peer: int = NONE, mid: int = NONE, label: int = NONE,
        bits: int = NONE,
    ) -> int:  # fmt: skip
        kernel = self.simulator.kernel
        code = self.simulator.execution.state_codes.get(p.state, 255)
        p._lamport += 1
        seq = kernel.row(kind, p._i, peer, mid, label, code, p._lamport, p._chain, NONE, bits, detail)
        rules = self.simulator.execution.rules
        if rules is not None and kind in _TOUCHING and mid == NONE and label == NONE:
            rules.changed(p, seq)
        return seq

    def record(
        self, what: Intervention, p: Process, peer: int = NONE, label: int = NONE, more: Mapping[str, Any] | None = None
    ) -> None:
        """Write the row of an intervention that is no event of any process: its detail is the whole record.

        ``more`` is what is known only now, such as the message that was hit.
        """
        kernel = self.simulator.kernel
        code = self.simulator.execution.state_codes.get(p.state, 255)
        detail = to_json({**what.to_dict(), **(more or {})})
        kernel.row(Kind.INTERVENE, p._i, peer, NONE, label, code, p._lamport, p._chain, NONE, NONE, detail)

    def _crash(self, what: Intervention) -> None:
        p = self.process(what)
        if p._crashed:
            return
        p._crashed = p._slow = p._faulty = True
        seq = self.row(Kind.CRASH, p)
        for entry in self.simulator.execution.interrupt(p):
            self.simulator.execution.drop(entry, "crash")
        if not what.keep:
            self.simulator.execution.stop_timers(p, seq)

    def _recover(self, what: Intervention) -> None:
        p = self.process(what)
        simulator = self.simulator
        if not p._crashed:
            return
        p._crashed = False
        p._slow = simulator.execution.closely or p._i in simulator.execution.doors
        detail = f'{{"kept":{to_json(what.keep)}}}'
        if not what.keep:
            restart(p, simulator.protocol, simulator.parameters)
            changed = simulator.kernel.changed(p)
            detail = '{"kept":false' + (f",{changed}" if changed else "") + "}"
        seq = self.row(Kind.RECOVER, p, detail)
        if not what.keep:
            simulator.execution.stop_timers(p, seq)
        simulator.execution.ring_overdue(p)

    def _link_down(self, what: Intervention) -> None:
        self._cut.update(self.channels(what))
        self._put_down([channel for channel in self.channels(what) if not channel.down], one_way=what.one_way)

    def _put_down(
        self, channels: list[Channel], detail: dict[str, Any] | None = None, *, one_way: bool = False
    ) -> None:
        """Channels, those of one link, carry nothing from now on, and what is on them is lost."""
        if not channels:
            return
        for channel in channels:
            channel.down = True
            channel.look_closer()
        told = {**(detail or {}), **({"one_way": True} if one_way or self._alone(channels) else {})}
        self.row(Kind.LINK_DOWN, channels[0].source, to_json(told) if told else None, channels[0].target._i)
        self._hide(channels, True)
        for entry in self._take(lambda entry: entry[4] in channels):
            self.simulator.execution.drop(entry, "link down")

    def _link_up(self, what: Intervention) -> None:
        self._cut.difference_update(self.channels(what))
        self._put_up([channel for channel in self.channels(what) if channel.down], one_way=what.one_way)

    def _put_up(self, channels: list[Channel], detail: dict[str, Any] | None = None, *, one_way: bool = False) -> None:
        if not channels:
            return
        for channel in channels:
            channel.down = False
            channel.look_closer()
        told = {**(detail or {}), **({"one_way": True} if one_way or self._alone(channels) else {})}
        self.row(Kind.LINK_UP, channels[0].source, to_json(told) if told else None, channels[0].target._i)
        self._hide(channels, False)

    def _alone(self, channels: list[Channel]) -> bool:
        """Whether a link carries messages in one direction, and none in the other, after these channels changed."""
        known = self.simulator.network.channels().numbers
        back = known.get((channels[0].target._i, channels[0].source_i))
        return back is not None and self.simulator.channels[back].down != channels[0].down

    # ------------------------------------------------------------------ partitions

    def sides(self, what: Intervention) -> tuple[int, ...]:
        """The number of the group of each process; those that are in none are one more group."""
        group = {name: number for number, names in enumerate(what.groups) for name in names}
        return tuple(group.get(name, len(what.groups)) for name in self.simulator.network.processes)

    def separates(self, what: Intervention) -> bool:
        """Whether a partition would cut anything that is not cut already."""
        side = self.sides(what)
        apart = any(side[c.source_i] != side[c.target._i] and not c.down for c in self.simulator.channels)
        return apart or (self.simulator.overlay is not None and len(set(side)) > 1)

    @property
    def parted(self) -> bool:
        """Whether a partition lasts."""
        return bool(self._partitions)

    def _partition(self, what: Intervention) -> None:
        """Nothing passes from one group to another, along links or, in an overlay, without them."""
        simulator = self.simulator
        side = self.sides(what)
        links: dict[int, list[Channel]] = {}
        for number, channel in zip(simulator.network.channels().link.tolist(), simulator.channels, strict=True):
            if side[channel.source_i] != side[channel.target._i] and not channel.down:
                links.setdefault(number, []).append(channel)
        put_down = [channel for channels in links.values() for channel in channels]
        mine = (side, put_down)
        self._partitions.append(mine)
        for channels in links.values():
            self._put_down(channels, {"partition": True})
        if simulator.overlay is not None:
            simulator.overlay.walls.append(side)
            for entry in self._take(lambda entry: side[entry[4].source_i] != side[entry[4].target._i]):
                simulator.execution.drop(entry, "link down")
            groups = [", ".join(group) for group in what.groups]
            rest = [name for name, number in zip(simulator.network.processes, side, strict=True)
                    if number == len(what.groups)]  # fmt: skip
            groups += [", ".join(rest)] if rest else []
            self._remark(f"cut off from each other: {' | '.join(groups)}", side)
        if what.until is not None:
            simulator.kernel.at(what.until, self._over, mine, INTERVENTION)

    def _remark(self, text: str, side: tuple[int, ...]) -> None:
        """In an overlay no link may be there to show a partition: a remark at the first process of the first group."""
        p = self.simulator.processes[side.index(min(side))]
        self.row(Kind.NOTE, p, f'{{"text":{to_json(text)}}}')

    def _heal(self, what: Intervention) -> None:
        for mine in list(self._partitions):
            self._over(mine)

    def _over(self, mine: tuple[tuple[int, ...], list[Channel]]) -> None:
        """A partition is over; links that were cut one by one, or that another partition cuts, stay so."""
        if mine not in self._partitions:
            return
        self._partitions.remove(mine)
        side, put_down = mine
        others = [other for other, _ in self._partitions]
        for _, theirs in self._partitions:
            theirs += [each for each in put_down if self._across(each, others) and each not in theirs]
        links: dict[frozenset[int], list[Channel]] = {}
        for each in put_down:
            if each.down and each not in self._cut and not self._across(each, others):
                links.setdefault(frozenset((each.source_i, each.target._i)), []).append(each)
        for channels in links.values():
            self._put_up(channels, {"partition": True})
        if self.simulator.overlay is not None:
            self.simulator.overlay.walls.remove(side)
            self._remark("the partition is over", side)

    @staticmethod
    def _across(channel: Channel, sides: list[tuple[int, ...]]) -> bool:
        return any(side[channel.source_i] != side[channel.target._i] for side in sides)

    def _hide(self, channels: list[Channel], down: bool) -> None:
        """Who is at the end of a link that is down no longer sees what happens at its other end."""
        rules = self.simulator.execution.rules
        for channel in channels if rules is not None else ():
            rules.link(channel.source_i, channel.target._i, down)  # type: ignore[union-attr]

    def _corrupt(self, what: Intervention) -> None:
        p = self.process(what)
        simulator = self.simulator
        assert what.variable is not None
        if what.variable == "state":
            p.state = what.value
            changed = ""
        else:
            value = what.value if what.by is None else self._changed(p, what.variable, what.by)
            setattr(p, what.variable, self._of_type(what.variable, value))
            changed = simulator.kernel.changed(p) or f'"changed":{{"{what.variable}":{to_json(value)}}}'
        self.row(Kind.CORRUPT, p, "{" + changed + "}" if changed else None)

    def _changed(self, p: Process, name: str, by: float) -> float:
        """The number that a variable has after it changed by another; not below the least that is declared for it."""
        domain, value = self.simulator.protocol.variables[name].domain, (getattr(p, name) or 0) + by
        least = None if domain is None else domain.minimum
        return max(value, least) if isinstance(least, int | float) else value

    def _of_type(self, name: str, value: Any) -> Any:
        """A value as the variable's type wants it: lists from a file become sets or tuples."""
        variable = self.simulator.protocol.variables[name]
        return plain_copy(fitted(value, variable.type, variable.initial))  # the experiment keeps its own

    def _wake(self, what: Intervention) -> None:
        self.simulator.execution.wake(self.process(what))

    def _command(self, what: Intervention) -> None:
        cls = self.simulator.protocol.event_class(str(what.label))
        if cls is not None:
            self.simulator.execution.command(self.process(what), cls._from_file(what.fields))

    def _inject(self, what: Intervention) -> None:
        simulator = self.simulator
        assert what.link is not None
        cls = simulator.protocol.event_class(str(what.label))
        for channel in self.between(*what.link) or self._far(*what.link):
            if cls is not None:
                self.forge(channel, cls._from_file(what.fields), simulator.kernel.now + self._mean(channel), "{}")

    def _far(self, a: str, b: str) -> list[Channel]:
        """The way from one process of an overlay to another, where there is no link."""
        simulator = self.simulator
        return [] if simulator.overlay is None else [simulator.processes[simulator.network.index[a]]._links[b]]

    def _mean(self, channel: Channel) -> float:
        """How long a message takes, on average."""
        network = self.simulator.network
        if self.simulator.rounds is not None:
            return self.simulator.rounds.wait()
        known = network.channels()
        number = known.numbers.get((channel.source_i, channel.target._i))
        return (network.delay if number is None else network.delay_of(network.links[int(known.link[number])])).mean

    def forge(self, channel: Channel, m: Record, arrival: float, detail: str) -> None:
        """Put a message on its way that its sender never sent."""
        simulator = self.simulator
        kernel = simulator.kernel
        label, bits = simulator.execution.kinds[type(m)]
        if bits is None:
            bits, told = simulator.execution.describe(m)
            if told is not None:
                detail = told[:-1] + ("," + detail[1:] if detail != "{}" else "}")
        mid = kernel.new_message()
        source = channel.source
        seq = self.row(Kind.INJECT, source, None if detail == "{}" else detail, channel.target._i, mid, label, bits)
        lamport, chain = source._lamport, source._chain + 1
        entry: Any = (arrival, 1, kernel.next_eid(), None, channel, m, mid, lamport, chain, seq, label, bits)
        heappush(kernel._queue, entry)

    # ------------------------------------------------------------------ messages in transit

    def _drop(self, what: Intervention) -> None:
        self.aim(what, lambda entry: self.simulator.execution.drop(entry, "dropped"))

    def _delay(self, what: Intervention) -> None:
        later = what.delay or 0.0

        def postpone(entry: Any) -> None:
            channel = entry[4]
            now = self.simulator.kernel.now
            arrival = max(max(entry[0], now) + later, now)
            if channel.fifo:
                if later < 0:  # it does not overtake those before it
                    queue: list[Any] = self.simulator.kernel._queue
                    ahead = (e[0] for e in queue if len(e) == 12 and e[4] is channel and e[6] < entry[6])
                    arrival = max(arrival, min(max(ahead, default=now), entry[0]))
                channel.last = max(channel.last, arrival)
            heappush(self.simulator.kernel._queue, (arrival, *entry[1:]))
            # No column of a trace says that a message is late; without this row nobody could tell from the record why.
            code = self.simulator.execution.kinds[type(entry[5])][0]
            self.record(what, channel.source, channel.target._i, code, {"message": entry[6], "later": later})

        self.aim(what, postpone)

    def _duplicate(self, what: Intervention) -> None:
        def twice(entry: Any) -> None:
            arrival = max(entry[0], self.simulator.kernel.now)  # it may have waited at a door
            heappush(self.simulator.kernel._queue, (arrival, *entry[1:]))
            self.forge(entry[4], entry[5], arrival, f'{{"copy_of":{entry[6]}}}')

        self.aim(what, twice)

    def aim(self, what: Intervention, hit: Callable[[Any], None]) -> None:
        """Hit the message that is meant: in transit, or, if there is none yet, the next one sent that matches."""
        entry = self.find(what)
        if entry is not None:
            self.take(entry)
            hit(entry)
        elif what.message is None:
            plan = (what.label, hit)
            simulator = self.simulator
            channels = simulator.channels if what.link is None else self.between(*what.link)
            done: list[bool] = []
            for channel in channels:
                channel.planned.append((plan, done))
                channel.look_closer()
            if simulator.overlay is not None and not (what.link and channels):
                simulator.overlay.plan((plan, done), what.link)

    def planned(self, channel: Channel, entry: Any) -> None:
        """A message is sent along a channel for which a fault is planned."""
        for item in list(channel.planned):
            (label, hit), done = item
            if done:
                channel.planned.remove(item)
            elif label is None or type(entry[5]).__name__ == label:
                done.append(True)
                channel.planned.remove(item)
                self.simulator.kernel.at(self.simulator.kernel.now, self._strike, (entry, hit), INTERVENTION)
                break
        channel.look_closer()
        heappush(self.simulator.kernel._queue, entry)

    def _strike(self, plan: tuple[Any, Callable[[Any], None]]) -> None:
        """A planned fault hits the message that was just sent."""
        entry, hit = plan
        if self.take(entry):
            hit(entry)

    def find(self, what: Intervention) -> Any:
        """The entry of the message that is meant, the oldest if several are, or ``None``."""
        found: Any = None
        queue: list[Any] = self.simulator.kernel._queue
        doors = (item[0] for door in self.simulator.execution.doors.values() for item in door)
        for entry in chain(queue, doors):
            if len(entry) != 12:
                continue
            channel, m, mid = entry[4], entry[5], entry[6]
            if what.message is not None and mid != what.message:
                continue
            if what.label is not None and type(m).__name__ != what.label:
                continue
            if what.link is not None and (channel.source._name, channel.target._name) != tuple(what.link):
                continue
            if found is None or mid < found[6]:
                found = entry
        return found

    def take(self, entry: Any) -> bool:
        """Take one delivery out of the queue, or from the door where it waits; gives whether it was there."""
        if self._take(lambda each: each is entry):
            return True
        door = self.simulator.execution.doors.get(entry[4].target._i, deque())
        for number, item in enumerate(door):
            if item[0] is entry:
                del door[number]
                return True
        return False

    def _take(self, which: Callable[[Any], bool]) -> list[Any]:
        """Take deliveries out of the queue, in the order of sending."""
        queue = self.simulator.kernel._queue
        taken = [entry for entry in queue if len(entry) == 12 and which(entry)]
        if taken:
            gone = {id(entry) for entry in taken}
            queue[:] = [entry for entry in queue if id(entry) not in gone]
            heapify(queue)
        return sorted(taken, key=lambda entry: entry[6])
