"""Interventions, which change an execution from outside, at a given time or between two rounds."""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from lydian.engine.channel import Channel
from lydian.engine.faults.byzantine import Liars
from lydian.engine.kernel import NONE
from lydian.engine.queue import AT_ONCE, INTERVENTION, Alarm, Call, Delivery
from lydian.engine.run import Run
from lydian.engine.setup import restart, stream
from lydian.engine.state.beginning import anything
from lydian.model.delays import Distribution
from lydian.model.errors import BadInput
from lydian.model.interventions import Intervention
from lydian.model.protocol.message import Record, fitted, plain_copy
from lydian.model.protocol.process import INIT, Process
from lydian.model.protocol.table import event_name
from lydian.model.streams import stream_key
from lydian.trace.events import Kind
from lydian.trace.parquet.recorder import plain, to_json

__all__ = ["Answer", "Faults"]


@dataclass(frozen=True)
class Answer:
    """The outcome of an interaction that was offered between rounds.

    Attributes:
        accepted: whether it became an intervention of the experiment.
        reason: a sentence that says why not; "" if accepted.
        round: the round at whose beginning this was decided.
        intervention: the record with its time, if accepted.
    """

    accepted: bool
    reason: str
    round: int
    intervention: Intervention | None


#: The kinds of event that change the registers of a process or whether it can act.
_TOUCHING = (Kind.CORRUPT, Kind.CRASH, Kind.RECOVER)


class Faults:
    """The interventions in a run: an :class:`~lydian.model.interventions.kind.Engine` for their kinds.

    Attributes:
        round: the number of the next round.
        offered: the interactions that wait for the next round to begin.
        due: the recorded interventions whose step is known and has not been reached yet.
        liars: the Byzantine processes.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        run.execution.planned = self.planned
        self.offered: deque[tuple[Intervention, int, Callable[[Answer], None]]] = deque()
        self._sent: list[tuple[int, int]] = []  # round, number of messages sent before it
        self.round = 0
        self.due = deque(each for each in run.experiment.interventions if each.after is not None)
        self.liars = Liars(run, self.row)
        self._cut: set[Channel] = set()  # channels down because of a link_down
        self._partitions: list[tuple[tuple[int, ...], list[Channel]]] = []  # group of each process; channels put down

    # ------------------------------------------------------------------ between rounds

    def offer(self, intervention: Intervention, seen_round: int, answer: Callable[[Answer], None]) -> None:
        """Offer an interaction; ``answer`` is called at the beginning of the next round.

        Args:
            seen_round: the number of rounds that its sender had seen when making the decision.
        """
        self.offered.append((intervention, seen_round, answer))

    def take_in(self) -> None:
        """Decide on all offered interactions in order: carry out those still possible, refuse the others with a reason.

        If one of them ends the run, the remaining ones are refused at the next call.
        """
        run = self.run
        kernel = run.kernel
        numbered = run.round_events is not None
        now = float(kernel.now) if numbered else self.round * run.round_length
        touched: dict[Any, str] = {}
        if run.stopped is None:
            if numbered:
                self.apply_due(math.nextafter(now, math.inf))
            kernel._now = now
        while self.offered:
            intervention, seen, answer = self.offered.popleft()
            timed = replace(intervention, time=now, after=run.steps if numbered else None)
            sent = self._sent_by(seen) if 0 <= seen < self.round else kernel.counts()[1]
            reason = self.objection(timed, seen, sent, touched)
            if reason is None:
                run.accepted.append(timed)
                answer(Answer(True, "", self.round, timed))
                self.apply(timed)
            else:
                answer(Answer(False, reason, self.round, None))

    def apply_due(self, end: float) -> None:
        """Carry out the recorded interventions before a time whose step has been reached."""
        while self.due and self.next < end:
            each = self.due.popleft()
            self.run.kernel._now = max(float(self.run.kernel.now), each.time)
            self.apply(each)

    @property
    def next(self) -> float:
        """The time of the next recorded intervention, if its step has been reached; otherwise infinite."""
        due = self.due
        return due[0].time if due and (due[0].after or 0) <= self.run.steps else math.inf

    def begin_round(self) -> None:
        """Record the number of messages sent when a round begins."""
        sent = self.run.kernel.counts()[1]
        if not self._sent or self._sent[-1][1] != sent:
            self._sent.append((self.round, sent))

    def _sent_by(self, round_: int) -> int:
        """Return the number of messages that had been sent when a round began."""
        at = bisect_right(self._sent, round_, key=lambda pair: pair[0])
        return self._sent[at - 1][1] if at else 0

    def end_round(self) -> None:
        """Count the round that has ended."""
        self.round += 1

    def skip(self, last: int | None) -> None:
        """Advance to the next round that contains an event or a recorded intervention, at most to round ``last``."""
        queue = self.run.kernel.queue
        if queue and self.run.round_events is None:
            following = min(queue.next, self.next)
            length = self.run.round_length
            ahead = min(following / length, math.inf if last is None else last, 2.0**52)
            number = int(ahead)
            self.round = max(self.round, number if number * length <= following else number - 1)

    def objection(self, what: Intervention, seen: int, sent: int, touched: dict[Any, str]) -> str | None:
        """Return why an interaction cannot be accepted now, or ``None``.

        Args:
            seen: the number of rounds that its sender had seen.
            sent: the number of messages that had been sent then.
            touched: subject -> the interaction with it in the same round; extended here.
        """
        if self.run.stopped is not None:
            return "the run has ended"
        if seen < 0:
            return f"the number of a round must be at least 0, not {seen}"
        if seen > self.round:
            return f"round {seen} is still to come; the run is at round {self.round}"
        try:
            what.check(self.run.network, self.run.protocol)
        except BadInput as error:
            return str(error)
        subject = what.kind.subject(what)
        if not what.kind.often and subject in touched:
            return f"another interaction in this round came first: {touched[subject]}"
        reason = self._late(what, seen, sent)
        if reason is None and not what.kind.often:
            touched[subject] = what.do
        return reason

    def _late(self, what: Intervention, seen: int, sent: int) -> str | None:
        """Return what has changed since the sender saw it, or was wrong even then; ``None`` if nothing has."""
        if self.run.rounds is not None:
            reason: str | None = what.kind.against_rounds(what)
            if reason:
                return reason
        if what.message is not None:
            if what.message >= sent:
                return f"message {what.message} had not been sent in round {seen}"
            reason = self._message_gone(what)
            if reason is not None:
                return reason
        if what.process is not None and what.kind.living and self.crashed(what.process):
            return f"process {what.process} has crashed"
        return what.kind.objection(what, self)

    def _message_gone(self, what: Intervention) -> str | None:
        if self.find(what) is not None:
            return None
        if any(call.argument.delivery.id == what.message for call in self.run.kernel.queue.losses()):
            return f"message {what.message} is lost in transit"
        bare = Intervention(time=0.0, do="drop", message=what.message)
        if self.find(bare) is not None:
            return f"message {what.message} is not the expected {what.label or 'one'}"
        return f"message {what.message} has arrived or was lost before round {self.round}"

    # ------------------------------------------------------------------ in the execution

    def apply(self, what: Intervention) -> None:
        """Carry out an intervention now."""
        self.run.disturbed = self.run.disturbed or not what.kind.of_user
        self.run.prescribed = list(what.choices)
        what.kind.apply(what, self)
        self.run.prescribed = []
        if what.process is not None:
            self.run.execution.resume(self.process(what.process))
        judges = self.run.judges
        if judges.watching and self.run.kernel.counts()[0]:
            judges.after(self.run.kernel.counts()[0] - 1)

    def schedule_outages(self) -> None:
        """Turn the outages of the network's links into interventions."""
        for link in self.run.network.links:
            for start, end in link.outages:
                for time, do in ((start, "link_down"), (end, "link_up")):
                    if time < float("inf"):
                        record = Intervention(time=time, do=do, link=(link.a, link.b))
                        if self.run.concerns(record):
                            self.run.kernel.at(time, self.apply, record, INTERVENTION)

    def process(self, name: str) -> Process:
        return self.run.processes[self.run.network.index[name]]

    def channels(self, link: tuple[str, str], one_way: bool = False) -> list[Channel]:
        """Return the channels of a link in both directions, as far as they exist, or only in the given one."""
        a, b = link
        return self.between(a, b) + ([] if one_way else self.between(b, a))

    def between(self, a: str, b: str) -> list[Channel]:
        run = self.run
        if a == b:
            return [run.own(self.process(a))]
        number = run.network.channels().numbers.get((run.network.index[a], run.network.index[b]))
        return [] if number is None else [run.channels[number]]

    def row(
        self, kind: int, p: Process, detail: str | None = None, peer: int = NONE, mid: int = NONE, label: int = NONE,
        bits: int = NONE,
    ) -> int:  # fmt: skip
        seq = self.run.kernel.row(kind, p, NONE, detail, peer=peer, mid=mid, label=label, bits=bits, ticks=True)
        rules = self.run.rules
        if rules is not None and kind in _TOUCHING and mid == NONE and label == NONE:
            rules.changed(p, seq)
        return seq

    def record(self, what: Intervention) -> None:
        """Write the row of an intervention that is not an event of any process, at its process or its link."""
        if what.link is not None:
            first = self.channels(what.link)[0]
            self._record(what, first.source, first.target._i)
        else:
            self._record(what, self.process(what.process))

    def _record(
        self, what: Intervention, p: Process, peer: int = NONE, label: int = NONE, more: Mapping[str, Any] | None = None
    ) -> None:
        """Write the row of an intervention, whose detail is the complete record.

        ``more`` contains facts that are known only now, such as the message that was hit.
        """
        detail = to_json({**what.to_dict(), **(more or {})})
        self.run.kernel.row(Kind.INTERVENE, p, NONE, detail, peer=peer, label=label)

    # ------------------------------------------------------------------ conditions

    def crashed(self, process: str) -> bool:
        return self.process(process)._crashed

    def taken(self, process: str) -> bool:
        return self.process(process)._i in self.run.execution.taken

    def busy(self, process: str) -> bool:
        return self.run.execution.busy(self.process(process))

    def lying(self, process: str) -> str | None:
        return self.liars.how(self.process(process))

    def enabled(self, process: str, rule: str) -> bool:
        rules = self.run.rules
        return rules is not None and rules.is_enabled(self.process(process), rule) is not None

    def down(self, link: tuple[str, str], one_way: bool) -> bool:
        return all(channel.down for channel in self.channels(link, one_way))

    def separates(self, groups: tuple[tuple[str, ...], ...]) -> bool:
        """Return True if a partition would separate processes that are not separated already."""
        side = self._sides(groups)
        apart = any(side[c.source_i] != side[c.target._i] and not c.down for c in self.run.channels)
        return apart or (self.run.overlay is not None and len(set(side)) > 1)

    def parted(self) -> bool:
        """Return True if there is a partition at present."""
        return bool(self._partitions)

    def undeliverable(self, what: Intervention) -> str | None:
        """Return why a message cannot arrive now: its link is FIFO, its receiver busy, or there is no action for it."""
        entry = self.find(what)
        if entry is None:
            return None  # the next message that is sent is meant
        channel, m, mid = entry.channel, entry.message, entry.id
        p = channel.target
        if p._crashed:
            return f"process {p._name} has crashed"
        if self.run.execution.busy(p):
            return f"process {p._name} is in the middle of a step"
        if channel.fifo:
            older = [each.id for each in self.run.kernel.queue.coming() if each.channel is channel and each.id < mid]
            if older:
                ends = f"{channel.source._name}-{p._name}"
                return f"link {ends} is FIFO; message {min(older)} must be delivered first"
        return self._no_cell(p, type(m))

    def pending(self, process: str, label: str, fields: Mapping[str, Any]) -> bool:
        return self._waiting_for(self.process(process), label, fields) is not None

    def no_cell(self, process: str, label: str, fields: Mapping[str, Any]) -> str | None:
        """Return that a process played by the user has no action for the pending event; ``None`` if it has one."""
        p = self.process(process)
        found = self._waiting_for(p, label, fields)
        return None if found is None else self._no_cell(p, found[0])

    def _no_cell(self, p: Process, event: Any) -> str | None:
        """Return why a process that the user plays cannot respond to an event.

        If the user does not play the process, such an event is a failure of the protocol.
        """
        if p._i not in self.run.execution.taken or event in p._cells.get(p.state, {}):
            return None
        protocol = self.run.protocol
        word = protocol.state_words.get(str(p.state), f'"{p.state}"')
        return f"process {p._name} is {p.state}, and {protocol.title} has no @on({word}, {event_name(event)})"

    def _waiting_for(
        self, p: Process, label: str, fields: Mapping[str, Any]
    ) -> tuple[Any, Call | None, int | None] | None:
        """Find the earliest pending timer, command or wake of a process with this label and these fields.

        Return its class (or ``INIT``), its call in the queue (``None`` if it waits at a door), and its number at the
        process's door (``None`` if it is in the queue); return ``None`` if there is none.
        """
        for number, each in enumerate(self.run.execution.doors.get(p._i, ())):
            if each.delivery is None and _meant(label, fields, each.event):
                return (INIT if each.event is INIT else type(each.event)), None, number
        for call in sorted(self.run.kernel.queue.calls()):
            event = self.pending_event(p, call)
            if event is not None and _meant(label, fields, event):
                return (INIT if event is INIT else type(event)), call, None
        return None

    def pending_event(self, p: Process, call: Call) -> Any:
        """Return the timer, command or ``INIT`` that a call contains for a process, or ``None``."""
        function, argument = call.call, call.argument
        if isinstance(argument, Alarm):
            return argument.timer if argument.pending and argument.process is p else None
        if function == self.run.execution.wake:
            return INIT if argument is p else None
        if function == self.apply and argument.process == p._name:
            return argument.kind.event(argument, self.run.protocol)
        return None

    # ------------------------------------------------------------------ processes

    def crash(self, process: str) -> None:
        p = self.process(process)
        if p._crashed:
            return
        p._crashed = p._slow = p._faulty = True
        self.row(Kind.CRASH, p)
        for entry in self.run.execution.interrupt(p):
            self.run.execution.drop(entry, "crash")

    def recover(self, process: str, keep: bool) -> None:
        p = self.process(process)
        run = self.run
        if not p._crashed:
            return
        p._crashed = False
        p._slow = run.execution.closely or p._i in run.execution.doors
        detail = f'{{"kept":{to_json(keep)}}}'
        if not keep:
            restart(p, run.protocol, run.parameters)
            changed = run.kernel.changed(p)
            detail = '{"kept":false' + (f",{changed}" if changed else "") + "}"
        seq = self.row(Kind.RECOVER, p, detail)
        if not keep:
            run.execution.stop_timers(p, seq)
        run.execution.ring_overdue(p)

    def cut(self, link: tuple[str, str], one_way: bool) -> None:
        channels = self.channels(link, one_way)
        self._cut.update(channels)
        self._put_down([channel for channel in channels if not channel.down], one_way=one_way)

    def _put_down(
        self, channels: list[Channel], detail: dict[str, Any] | None = None, *, one_way: bool = False
    ) -> None:
        """Take channels of one link down, and lose the messages in transit on them."""
        if not channels:
            return
        for channel in channels:
            channel.down = True
            channel.look_closer()
        told = {**(detail or {}), **({"one_way": True} if one_way or self._alone(channels) else {})}
        self.row(Kind.LINK_DOWN, channels[0].source, to_json(told) if told else None, channels[0].target._i)
        self._hide(channels, True)
        for entry in self.run.kernel.queue.take(lambda entry: entry.channel in channels):
            self.run.execution.drop(entry, "link down")

    def restore(self, link: tuple[str, str], one_way: bool) -> None:
        channels = self.channels(link, one_way)
        self._cut.difference_update(channels)
        self._put_up([channel for channel in channels if channel.down], one_way=one_way)

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
        """Return True if a link carries messages in only one direction after these channels have changed."""
        known = self.run.network.channels().numbers
        back = known.get((channels[0].target._i, channels[0].source_i))
        return back is not None and self.run.channels[back].down != channels[0].down

    # ------------------------------------------------------------------ partitions

    def _sides(self, groups: tuple[tuple[str, ...], ...]) -> tuple[int, ...]:
        """Return the number of the group of each process; processes that are in no group form one more."""
        group = {name: number for number, names in enumerate(groups) for name in names}
        return tuple(group.get(name, len(groups)) for name in self.run.network.processes)

    def partition(self, groups: tuple[tuple[str, ...], ...], until: float | None) -> None:
        """Separate groups of processes, so that no message passes between them, along links or in an overlay."""
        run = self.run
        side = self._sides(groups)
        links: dict[int, list[Channel]] = {}
        for number, channel in zip(run.network.channels().link.tolist(), run.channels, strict=True):
            if side[channel.source_i] != side[channel.target._i] and not channel.down:
                links.setdefault(number, []).append(channel)
        put_down = [channel for channels in links.values() for channel in channels]
        mine = (side, put_down)
        self._partitions.append(mine)
        for channels in links.values():
            self._put_down(channels, {"partition": True})
        if run.overlay is not None:
            run.overlay.walls.append(side)
            apart = run.kernel.queue.take(lambda d: side[d.channel.source_i] != side[d.channel.target._i])
            for entry in apart:
                run.execution.drop(entry, "link down")
            rest = [name for name, number in zip(run.network.processes, side, strict=True)
                    if number == len(groups)]  # fmt: skip
            parts = [", ".join(group) for group in (*groups, rest) if group]
            self._remark(f"cut off from each other: {' | '.join(parts)}", side)
        if until is not None:
            run.kernel.at(until, self._over, mine, INTERVENTION)

    def _remark(self, text: str, side: tuple[int, ...]) -> None:
        """Record a note at the first process of the first group, as an overlay may have no link to show a partition."""
        p = self.run.processes[side.index(min(side))]
        self.row(Kind.NOTE, p, f'{{"text":{to_json(text)}}}')

    def heal(self) -> None:
        for mine in list(self._partitions):
            self._over(mine)

    def _over(self, mine: tuple[tuple[int, ...], list[Channel]]) -> None:
        """End a partition; links that are down individually or because of another partition stay down."""
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
        if self.run.overlay is not None:
            self.run.overlay.walls.remove(side)
            self._remark("the partition is over", side)

    @staticmethod
    def _across(channel: Channel, sides: list[tuple[int, ...]]) -> bool:
        return any(side[channel.source_i] != side[channel.target._i] for side in sides)

    def _hide(self, channels: list[Channel], down: bool) -> None:
        """Stop, or resume, the reading of registers across links that go down, or come up."""
        rules = self.run.rules
        for channel in channels if rules is not None else ():
            rules.link(channel.source_i, channel.target._i, down)  # type: ignore[union-attr]

    def set_state(self, process: str, state: str) -> None:
        p = self.process(process)
        p.state = state
        self.row(Kind.CORRUPT, p)

    def set_variable(self, process: str, name: str, value: Any) -> None:
        p = self.process(process)
        setattr(p, name, self._of_type(p, name, value))
        changed = self.run.kernel.changed(p) or f'"changed":{{"{name}":{to_json(value)}}}'
        self.row(Kind.CORRUPT, p, "{" + changed + "}")

    def add_to_variable(self, process: str, name: str, by: float) -> None:
        self.set_variable(process, name, self._changed(self.process(process), name, by))

    def _changed(self, p: Process, name: str, by: float) -> float:
        """Return the value of a variable increased by a number, but not less than its declared minimum."""
        domain, value = p._declared.variables[name].domain, (getattr(p, name) or 0) + by
        least = None if domain is None else domain.minimum
        return max(value, least) if isinstance(least, int | float) else value

    def _of_type(self, p: Process, name: str, value: Any) -> Any:
        """Return a value converted to the variable's type: lists from a file become sets or tuples."""
        variable = p._declared.variables[name]
        return plain_copy(fitted(value, variable.type, variable.initial))  # a copy: the experiment must not change

    def scramble(self, process: str, seed: int) -> None:
        """Put a process into a random state, with random values of its variables."""
        run, p = self.run, self.process(process)
        anything(random.Random(stream_key(run.seed, "scramble", process, str(seed))), p, run)
        changed = run.kernel.changed(p)
        self.row(Kind.CORRUPT, p, "{" + changed + "}" if changed else None)

    def wake(self, process: str) -> None:
        self.run.execution.wake(self.process(process))

    def command(self, process: str, label: str, fields: Mapping[str, Any]) -> None:
        cls = self.run.protocol.event_class(label)
        if cls is not None:
            self.run.execution.command(self.process(process), cls._from_file(fields))

    def take_over(self, process: str) -> None:
        """Let the user decide for a process, which from now on handles only the events that are chosen for it."""
        p = self.process(process)
        self._give_door(p)
        self.run.execution.taken.add(p._i)

    def release(self, process: str) -> None:
        """Let a process that was taken over act by itself again, starting with the events that wait for it."""
        p, execution = self.process(process), self.run.execution
        execution.taken.discard(p._i)
        execution.admit(p)
        if execution.freed is not None:
            execution.freed()

    def hurry(self, process: str, label: str, fields: Mapping[str, Any]) -> None:
        """Let a pending timer, command or wake happen now."""
        p, execution = self.process(process), self.run.execution
        found = self._waiting_for(p, label, fields)
        if found is None:
            return
        _, call, number = found
        if call is None:
            execution.let_in(p, number or 0)
            return
        self.run.kernel.queue.withdraw(call)
        with self._let_go(p):
            call.call(call.argument)

    def fire(self, process: str, rule: str) -> None:
        """Let a process execute a rule if it is enabled."""
        p, execution = self.process(process), self.run.execution
        rules = self.run.rules
        r = None if rules is None or execution.busy(p) else rules.is_enabled(p, rule)
        if rules is not None and r is not None:
            rules.fire(p._i, r)

    def make_lie(self, process: str, how: str) -> None:
        """Make a process Byzantine in the given way."""
        p = self.process(process)
        if self.liars.how(p) != how:
            self._give_door(p)
            self.liars.begin(p, how)

    def make_honest(self, process: str) -> None:
        self.liars.end(self.process(process))

    def _give_door(self, p: Process) -> None:
        """Give a process a door, and let the execution handle every delivery to it."""
        self.run.execution.doors.setdefault(p._i, deque())
        p._slow = True

    @contextmanager
    def _let_go(self, p: Process) -> Iterator[None]:
        """Treat a process as not taken over during the context."""
        taken = self.run.execution.taken
        held = p._i in taken
        taken.discard(p._i)
        try:
            yield
        finally:
            if held:
                taken.add(p._i)

    # ------------------------------------------------------------------ times

    def retime_link(self, link: tuple[str, str], law: Distribution) -> None:
        """Change the delay of later messages on a link."""
        for channel in self.channels(link):
            names = channel.source._name, channel.target._name
            channel.draw = stream(law, stream_key(self.run.seed, "delay", *names, "retime"))

    def retime_process(self, process: str, law: Distribution) -> None:
        """Change the duration of later steps of a process."""
        p, execution = self.process(process), self.run.execution
        if law.mean > 0:
            execution.step_times[p._i] = stream(law, stream_key(self.run.seed, "step", process, "retime"))
            self._give_door(p)
        else:
            execution.step_times.pop(p._i, None)

    # ------------------------------------------------------------------ forged messages

    def inject(self, link: tuple[str, str], label: str, fields: Mapping[str, Any]) -> None:
        cls = self.run.protocol.event_class(label)
        for channel in self.between(*link) or self._far(*link):
            if cls is not None:
                self.forge(channel, cls._from_file(fields), self.run.kernel.now + self._mean(channel), "{}")

    def _far(self, a: str, b: str) -> list[Channel]:
        """Return the way from one process of an overlay to another if there is no link."""
        run = self.run
        return [] if run.overlay is None else [self.process(a)._links[b]]

    def _mean(self, channel: Channel) -> float:
        """Return the mean delay of a message."""
        network = self.run.network
        if self.run.rounds is not None:
            return self.run.rounds.wait()
        known = network.channels()
        number = known.numbers.get((channel.source_i, channel.target._i))
        return (network.delay if number is None else network.delay_of(network.links[int(known.link[number])])).mean

    def forge(self, channel: Channel, m: Record, arrival: float, detail: str) -> None:
        """Add a message to the channel that its sender has not sent."""
        run = self.run
        kernel = run.kernel
        label, bits = run.execution.kinds[type(m)]
        if bits is None:
            bits, told = run.execution.describe(m)
            if told is not None:
                detail = told[:-1] + ("," + detail[1:] if detail != "{}" else "}")
        mid = kernel.new_message()
        source = channel.source
        seq = self.row(Kind.INJECT, source, None if detail == "{}" else detail, channel.target._i, mid, label, bits)
        kernel.queue.push(kernel.delivery(arrival, channel, m, mid, seq, label, bits))

    # ------------------------------------------------------------------ messages in transit

    def drop(self, aim: Intervention) -> None:
        self.aim(aim, lambda entry: self.run.execution.drop(entry, "dropped"))

    def delay(self, aim: Intervention, by: float) -> None:
        def postpone(entry: Delivery) -> None:
            channel, queue = entry.channel, self.run.kernel.queue
            now = self.run.kernel.now
            arrival = max(max(entry.time, now) + by, now)
            if channel.fifo:
                if by < 0:  # it does not overtake earlier messages
                    ahead = (each.time for each in queue.coming() if each.channel is channel and each.id < entry.id)
                    arrival = max(arrival, min(max(ahead, default=now), entry.time))
                channel.last = max(channel.last, arrival)
            queue.push(entry._replace(time=arrival))
            # No column of a trace records that a message is late; without this row the reason would not be known.
            code = self.run.execution.kinds[type(entry.message)][0]
            self._record(aim, channel.source, channel.target._i, code, {"message": entry.id, "later": by})

        self.aim(aim, postpone)

    def duplicate(self, aim: Intervention) -> None:
        def twice(entry: Delivery) -> None:
            arrival = max(entry.time, self.run.kernel.now)  # the message may have waited at a door
            self.run.kernel.queue.push(entry._replace(time=arrival))
            self.forge(entry.channel, entry.message, arrival, f'{{"copy_of":{entry.id}}}')

        self.aim(aim, twice)

    def deliver(self, aim: Intervention) -> None:
        """Let a message arrive now."""
        kernel = self.run.kernel

        def arrive(entry: Delivery) -> None:
            kernel.queue.push(entry._replace(time=kernel.now, priority=AT_ONCE))
            if any(each.id == entry.id for each in kernel.queue.away):
                return  # its receiver is simulated elsewhere
            with self._let_go(entry.channel.target):
                kernel.step()

        self.aim(aim, arrive)

    def edit(self, aim: Intervention, fields: Mapping[str, Any]) -> None:
        """Change the fields of a message in transit."""

        def change(entry: Delivery) -> None:
            m = entry.message
            cls: Any = type(m)
            self.rewrite(entry, cls(**{**dict(m._items()), **cls._fitted(fields)}))

        self.aim(aim, change)

    def rewrite(self, entry: Delivery, changed: Any) -> None:
        """Put a withdrawn message back with other fields, and record the change."""
        run = self.run
        channel, m, mid = entry.channel, entry.message, entry.id
        cls: Any = type(m)
        label, bits = run.execution.kinds[cls]
        if bits is None:
            bits = changed.bits
        told = to_json({name: getattr(changed, name) for name in cls._fields})
        was = to_json({name: old for name, old in m._items() if old != getattr(changed, name)})
        detail = f'{{"message":{mid},"fields":{told},"was":{was}}}'
        self.row(Kind.CORRUPT, channel.source, detail, peer=channel.target._i, label=label)
        arrival = max(entry.time, run.kernel.now)  # the message may have waited at a door
        run.kernel.queue.push(entry._replace(time=arrival, message=changed, label=label, bits=bits))

    def aim(self, what: Intervention, hit: Callable[[Delivery], None]) -> None:
        """Apply a fault to the matching message in transit or, if there is none, to the next one that is sent."""
        entry = self.find(what)
        if entry is not None:
            self.run.kernel.queue.withdraw(entry)
            hit(entry)
        elif what.message is None:
            plan = (what.label, hit)
            run = self.run
            channels = run.channels if what.link is None else self.between(*what.link)
            done: list[bool] = []
            for channel in channels:
                channel.planned.append((plan, done))
                channel.look_closer()
            if run.overlay is not None and not (what.link and channels):
                run.overlay.plan((plan, done), what.link)

    def planned(self, entry: Delivery) -> None:
        """Handle a message that is sent along a channel for which a fault is planned."""
        channel = entry.channel
        for item in list(channel.planned):
            (label, hit), done = item
            if done:
                channel.planned.remove(item)
            elif label is None or type(entry.message).__name__ == label:
                done.append(True)
                channel.planned.remove(item)
                self.run.kernel.at(self.run.kernel.now, self._strike, (entry, hit), INTERVENTION)
                break
        channel.look_closer()
        self.run.kernel.queue.push(entry)

    def _strike(self, plan: tuple[Delivery, Callable[[Delivery], None]]) -> None:
        """Apply a planned fault to the message that was just sent."""
        entry, hit = plan
        if self.run.kernel.queue.withdraw(entry):
            hit(entry)

    def find(self, what: Intervention) -> Delivery | None:
        """Return the oldest message in transit that matches an intervention, or ``None``."""

        def meant(each: Delivery) -> bool:
            ends = each.channel.source._name, each.channel.target._name
            return (
                what.message in (None, each.id)
                and what.label in (None, type(each.message).__name__)
                and (what.link is None or ends == tuple(what.link))
            )

        return min(filter(meant, self.run.kernel.queue.deliveries()), key=lambda each: each.id, default=None)


def _meant(label: str, fields: Mapping[str, Any], event: Any) -> bool:
    if event is INIT:
        return bool(label == INIT.name)
    told = dict(event._items())
    same = all(name in told and plain(told[name]) == plain(value) for name, value in fields.items())
    return same and label == type(event).__name__
