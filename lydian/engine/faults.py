"""Interventions: what somebody does to an execution from outside, at a time or between two rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from heapq import heapify, heappush
from typing import TYPE_CHECKING, Any

from lydian.engine.kernel import INTERVENTION, NONE, Channel
from lydian.engine.setup import restart
from lydian.model.errors import BadInput
from lydian.model.intervention import Intervention
from lydian.model.message import Record, fitted
from lydian.model.process import Process
from lydian.trace.events import Kind
from lydian.trace.recorder import to_json

if TYPE_CHECKING:
    from lydian.engine.simulator import Simulator

__all__ = ["Answer", "Faults"]


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


class Faults:
    """Applies interventions to a simulator.

    Attributes:
        round: number of the round that comes next.
        applied: whether anything was done to this execution.
        accepted: interventions accepted between rounds, in order.
    """

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        simulator.execution.planned = self.planned
        self._offered: list[tuple[Intervention, int, Callable[[Answer], None]]] = []
        self.round = 0
        self.applied = False
        self.accepted: list[Intervention] = []

    # ------------------------------------------------------------------ between rounds

    def offer(self, intervention: Intervention, seen_round: int, answer: Callable[[Answer], None]) -> None:
        """Offer an interaction; ``answer`` is called at the beginning of the next round.

        Args:
            seen_round: number of rounds that its sender had seen when it made up its mind.
        """
        self._offered.append((intervention, seen_round, answer))

    def take_in(self) -> None:
        """Decide about everything that was offered: accept what is still possible, refuse the rest with a reason."""
        simulator = self._simulator
        now = self.round * simulator.round_length
        touched: dict[Any, str] = {}
        for intervention, seen, answer in self._offered:
            timed = replace(intervention, time=now)
            reason = self._objection(timed, seen, touched)
            if reason is None:
                self.accepted.append(timed)
                simulator.kernel.at(now, self.apply, timed, INTERVENTION)
                answer(Answer(True, "", self.round, timed))
            else:
                answer(Answer(False, reason, self.round, None))
        self._offered.clear()

    def _objection(self, what: Intervention, seen: int, touched: dict[Any, str]) -> str | None:
        """Why an interaction cannot be accepted now, or ``None``."""
        simulator = self._simulator
        if simulator.stopped is not None:
            return "the run has ended"
        if seen > self.round:
            return f"round {seen} is still to come; the run is at round {self.round}"
        try:
            what.check(simulator.network, simulator.protocol)
        except BadInput as error:
            return str(error)
        if what.message is not None and self._find(what) is None:
            return f"message {what.message} has arrived or was lost before round {self.round}"
        if what.process is not None and what.do in ("crash", "corrupt", "wake", "command", "recover"):
            crashed = self._process(what)._crashed
            if what.do == "recover" and not crashed:
                return f"process {what.process} has not crashed"
            if what.do != "recover" and crashed:
                return f"process {what.process} has crashed"
        if what.do in ("link_down", "link_up") and what.link is not None:
            down = all(channel.down for channel in self._channels(what))
            if down is (what.do == "link_down"):
                return f"link {'-'.join(what.link)} is {'down' if down else 'up'} already"
        subject = what.message if what.message is not None else (what.process, what.link, what.variable)
        if what.do != "inject" and subject in touched:
            return f"another interaction of this round came first: {touched[subject]}"
        touched[subject] = what.do
        return None

    # ------------------------------------------------------------------ in the execution

    def apply(self, what: Intervention) -> None:
        """Carry out an intervention now."""
        self.applied = self.applied or what.do not in ("wake", "command")
        getattr(self, f"_{what.do}")(what)
        judges = self._simulator.judges
        if judges.watching and self._simulator.kernel.counts()[0]:
            judges.after(self._simulator.kernel.counts()[0] - 1)

    def schedule_outages(self) -> None:
        """Turn the outages of the network's links into interventions."""
        for link in self._simulator.network.links:
            for start, end in link.outages:
                for time, do in ((start, "link_down"), (end, "link_up")):
                    if time < float("inf"):
                        record = Intervention(time=time, do=do, link=(link.a, link.b))
                        self._simulator.kernel.at(time, self.apply, record, INTERVENTION)

    def _process(self, what: Intervention) -> Process:
        simulator = self._simulator
        assert what.process is not None
        return simulator.processes[simulator.network.index[what.process]]

    def _channels(self, what: Intervention) -> list[Channel]:
        """Both channels of a link, where there are two."""
        assert what.link is not None
        a, b = what.link
        return self._between(a, b) + self._between(b, a)

    def _between(self, a: str, b: str) -> list[Channel]:
        simulator = self._simulator
        number = simulator.network.channels().numbers.get((simulator.network.index[a], simulator.network.index[b]))
        return [] if number is None else [simulator.channels[number]]

    def _row(
        self, kind: int, p: Process, detail: str | None = None, peer: int = NONE, mid: int = NONE, label: int = NONE,
        bits: int = NONE,
    ) -> int:  # fmt: skip
        kernel = self._simulator.kernel
        code = self._simulator.execution.state_codes.get(p.state, 255)
        p._lamport += 1
        return kernel.row(kind, p._i, peer, mid, label, code, p._lamport, p._chain, NONE, bits, detail)

    def _crash(self, what: Intervention) -> None:
        p = self._process(what)
        if p._crashed:
            return
        p._crashed = p._slow = True
        self._row(Kind.CRASH, p)
        for entry in self._simulator.execution.interrupt(p):
            self._simulator.execution.drop(entry, "crash")
        if not what.keep:
            self._simulator.execution.stop_timers(p)

    def _recover(self, what: Intervention) -> None:
        p = self._process(what)
        simulator = self._simulator
        if not p._crashed:
            return
        p._crashed = False
        p._slow = p._i in simulator.execution.doors
        detail = f'{{"kept":{to_json(what.keep)}}}'
        if not what.keep:
            simulator.execution.stop_timers(p)
            restart(p, simulator.protocol, simulator.parameters)
            changed = simulator.kernel.changed(p)
            detail = '{"kept":false' + (f",{changed}" if changed else "") + "}"
        self._row(Kind.RECOVER, p, detail)
        simulator.execution.ring_overdue(p)

    def _link_down(self, what: Intervention) -> None:
        channels = [channel for channel in self._channels(what) if not channel.down]
        if not channels:
            return
        for channel in channels:
            channel.down = True
            channel.look_closer()
        self._row(Kind.LINK_DOWN, channels[0].source, peer=channels[0].target._i)
        for entry in self._take(lambda entry: entry[4] in channels):
            self._simulator.execution.drop(entry, "link down")

    def _link_up(self, what: Intervention) -> None:
        channels = [channel for channel in self._channels(what) if channel.down]
        if not channels:
            return
        for channel in channels:
            channel.down = False
            channel.look_closer()
        self._row(Kind.LINK_UP, channels[0].source, peer=channels[0].target._i)

    def _corrupt(self, what: Intervention) -> None:
        p = self._process(what)
        simulator = self._simulator
        assert what.variable is not None
        if what.variable == "state":
            p.state = what.value
            changed = ""
        else:
            setattr(p, what.variable, self._of_type(what))
            changed = simulator.kernel.changed(p) or f'"changed":{{"{what.variable}":{to_json(what.value)}}}'
        self._row(Kind.CORRUPT, p, "{" + changed + "}" if changed else None)

    def _of_type(self, what: Intervention) -> Any:
        """The value as the variable's type wants it: lists from a file become sets or tuples."""
        variable = self._simulator.protocol.variables[str(what.variable)]
        return fitted(what.value, variable.type, variable.initial)

    def _wake(self, what: Intervention) -> None:
        self._simulator.execution.wake(self._process(what))

    def _command(self, what: Intervention) -> None:
        cls = self._simulator.protocol.event_class(str(what.label))
        if cls is not None:
            self._simulator.execution.command(self._process(what), cls._from_file(what.fields))

    def _inject(self, what: Intervention) -> None:
        simulator = self._simulator
        assert what.link is not None
        cls = simulator.protocol.event_class(str(what.label))
        for channel in self._between(*what.link):
            if cls is not None:
                mean = simulator.network.delay_of(simulator.network.links[self._link_number(channel)]).mean
                self._forge(channel, cls._from_file(what.fields), simulator.kernel.now + mean, "{}")

    def _link_number(self, channel: Channel) -> int:
        known = self._simulator.network.channels()
        return int(known.link[known.numbers[channel.source_i, channel.target._i]])

    def _forge(self, channel: Channel, m: Record, arrival: float, detail: str) -> None:
        """Put a message on its way that its sender never sent."""
        simulator = self._simulator
        kernel = simulator.kernel
        label, bits = simulator.execution.kinds[type(m)]
        if bits is None:
            bits, told = simulator.execution.describe(m)
            if told is not None:
                detail = told[:-1] + ("," + detail[1:] if detail != "{}" else "}")
        mid = kernel.new_message()
        source = channel.source
        seq = self._row(Kind.INJECT, source, None if detail == "{}" else detail, channel.target._i, mid, label, bits)
        lamport, chain = source._lamport, source._chain + 1
        entry: Any = (arrival, 1, kernel.next_eid(), None, channel, m, mid, lamport, chain, seq, label, bits)
        heappush(kernel._queue, entry)

    # ------------------------------------------------------------------ messages in transit

    def _drop(self, what: Intervention) -> None:
        self._aim(what, lambda entry: self._simulator.execution.drop(entry, "dropped"))

    def _delay(self, what: Intervention) -> None:
        later = what.delay or 0.0

        def postpone(entry: Any) -> None:
            channel = entry[4]
            arrival = max(entry[0], self._simulator.kernel.now) + later
            if channel.fifo:
                channel.last = max(channel.last, arrival)
            heappush(self._simulator.kernel._queue, (arrival, *entry[1:]))

        self._aim(what, postpone)

    def _duplicate(self, what: Intervention) -> None:
        def twice(entry: Any) -> None:
            heappush(self._simulator.kernel._queue, entry)
            self._forge(entry[4], entry[5], entry[0], f'{{"copy_of":{entry[6]}}}')

        self._aim(what, twice)

    def _aim(self, what: Intervention, hit: Callable[[Any], None]) -> None:
        """Hit the message that is meant: in transit, or, if there is none yet, the next one sent that matches."""
        entry = self._find(what)
        if entry is not None:
            self._take(lambda each: each is entry)
            hit(entry)
        elif what.message is None:
            plan = (what.label, hit)
            channels = self._simulator.channels if what.link is None else self._between(*what.link)
            done: list[bool] = []
            for channel in channels:
                channel.planned.append((plan, done))
                channel.look_closer()

    def planned(self, channel: Channel, entry: Any) -> None:
        """A message is sent along a channel for which a fault is planned."""
        for item in list(channel.planned):
            (label, hit), done = item
            if done:
                channel.planned.remove(item)
            elif label is None or type(entry[5]).__name__ == label:
                done.append(True)
                channel.planned.remove(item)
                self._simulator.kernel.at(self._simulator.kernel.now, self._strike, (entry, hit), INTERVENTION)
                break
        channel.look_closer()
        heappush(self._simulator.kernel._queue, entry)

    def _strike(self, plan: tuple[Any, Callable[[Any], None]]) -> None:
        """A planned fault hits the message that was just sent."""
        entry, hit = plan
        if self._take(lambda each: each is entry):
            hit(entry)

    def _find(self, what: Intervention) -> Any:
        """The entry of the message that is meant, the oldest if several are, or ``None``."""
        found: Any = None
        queue: list[Any] = self._simulator.kernel._queue
        for entry in queue:
            if len(entry) != 12:
                continue
            channel, m, mid = entry[4], entry[5], entry[6]
            if what.message is not None:
                if mid == what.message:
                    return entry
                continue
            if what.label is not None and type(m).__name__ != what.label:
                continue
            if what.link is not None and (channel.source._name, channel.target._name) != tuple(what.link):
                continue
            if found is None or mid < found[6]:
                found = entry
        return found

    def _take(self, which: Callable[[Any], bool]) -> list[Any]:
        """Take deliveries out of the queue, in the order of sending."""
        queue = self._simulator.kernel._queue
        taken = [entry for entry in queue if len(entry) == 12 and which(entry)]
        if taken:
            gone = {id(entry) for entry in taken}
            queue[:] = [entry for entry in queue if id(entry) not in gone]
            heapify(queue)
        return sorted(taken, key=lambda entry: entry[6])
