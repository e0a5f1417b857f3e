"""The clock, the queue and the main loop: take an event from SimPy's queue, run its action, and apply the effects.

:class:`Kernel` is a SimPy ``Environment`` whose own queue (:mod:`lydian.engine.queue`) also contains the deliveries
of messages, so SimPy processes, timeouts and ``run(until=...)`` work as usual. Deliveries are written and read here as
plain tuples without names, and the rule of :class:`~lydian.engine.clocks.Clock` is written out: each of these makes an
event faster by a tenth. The step is a closure, because names in a closure are the fastest variables in Python. The
order of its lines follows the rows: first the event's own row, then the effects of its action.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from struct import Struct
from typing import Any

import simpy
from simpy.core import EmptySchedule
from simpy.events import NORMAL

from lydian.engine.channel import Channel
from lydian.engine.queue import AT_ONCE, EVENT, Delivery, Queue
from lydian.engine.state.snapshots import GROWING, Recorded, difference, kept_as, reader
from lydian.model.protocol.message import Record
from lydian.model.protocol.process import Process
from lydian.trace.events import NO_STATE, ROW_FORMAT, Kind
from lydian.trace.parquet.recorder import ROW_BYTES, Recorder

__all__ = ["NONE", "Kernel", "StopRun"]


#: A row without ``round``, which the recorder fills in.
_PACK = Struct(ROW_FORMAT).pack_into
NONE = -1


class StopRun(Exception):
    """An exception raised in a step to end the run; ``reason`` becomes ``stopped`` in the result."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Kernel(simpy.Environment):
    """SimPy's environment with deliveries of messages as its native events.

    Args:
        recorder: records the rows.
        kinds: class of message or timer -> (label code, size in bits or ``None`` if it depends on the fields).
        state_codes: state -> code in the trace.
        variables: the names of the variables whose changes are recorded; empty for none.
        host: handles everything that the main loop does not (:class:`lydian.engine.execution.Execution`).
        check: called after each event with its ``seq``; ``None`` for no call.
        limit: the largest number of events; the run ends with "limit" at the first event beyond it.

    Attributes:
        queue: all pending events.
    """

    def __init__(
        self,
        recorder: Recorder,
        kinds: Mapping[type, tuple[int, int | None]],
        state_codes: Mapping[str, int],
        variables: Sequence[str],
        host: Any,
        check: Callable[[int], None] | None,
        limit: int,
    ) -> None:
        super().__init__()
        self.effects: list[tuple[Any, Any]] = []
        self.next_eid = self._eid.__next__
        self.queue = self._queue = Queue()
        self._build(recorder, kinds, state_codes, tuple(variables), host, check, limit)

    def at(self, time: float, function: Callable[[Any], None], argument: Any, priority: int = EVENT) -> None:
        """Call ``function(argument)`` at ``time``."""
        heappush(self.queue, (time, priority, self.next_eid(), function, argument))

    def delivery(
        self, time: float, channel: Channel, m: Record, mid: int, sent: int, label: int, bits: int
    ) -> Delivery:
        """Return the delivery at ``time`` of a message that is sent now."""
        clock, number = channel.source._clock, self.next_eid()
        return Delivery(time, EVENT, number, None, channel, m, mid, clock.lamport, clock.chain, sent, label, bits)

    def schedule(self, event: Any, priority: int = NORMAL, delay: float = 0) -> None:
        """Schedule an event of SimPy after a delay."""
        self.at(self._now + delay, _simpy_event, event, priority)

    def _build(  # noqa: C901 - the event loop, one function for speed
        self,
        recorder: Recorder,
        kinds: Mapping[type, tuple[int, int | None]],
        codes: Mapping[str, int],
        variables: tuple[str, ...],
        host: Any,
        check: Callable[[int], None] | None,
        limit: int,
    ) -> None:
        queue = self.queue
        effects = self.effects
        next_eid = self.next_eid
        pack = _PACK
        note = recorder.note
        buffer = recorder.buffer
        offset, end = 0, min(len(buffer), limit * ROW_BYTES)
        seq, message_id = 0, 0
        attached = 0  # rows that are not events and do not count towards the limit
        values_of = reader(variables, mixed=len(host.protocol.classes) > 1)
        receive, send = Kind.RECEIVE, Kind.SEND

        def roll() -> None:
            """Replace the full buffer by a new one; end the run if the limit is reached."""
            nonlocal buffer, offset, end
            if seq - attached >= limit:
                self.at(self._now, host.stop, "limit", AT_ONCE)
            buffer = recorder.roll(offset)
            offset = 0
            left = limit + attached - seq
            end = min(len(buffer), left * ROW_BYTES) if left > 0 else len(buffer)

        def changes(p: Process, values: tuple[Any, ...]) -> str:
            """Return the changed variables as keys of a JSON object, and take a new snapshot.

            ``changed`` contains complete values, ``grown`` differences from the previous values.
            """
            old = p._snapshot
            snapshot, texts, grown = [], [], []
            where = p._where = [seq]
            for name, before, now in zip(variables, old, values, strict=True):
                kind = type(now)
                same = now is before
                if not same and kind is type(before):  # tuples of different lengths need no comparison
                    same = (kind is not tuple or len(now) == len(before)) and now == before
                if same:
                    snapshot.append(before)
                    continue
                recorded = p._recorded.get(name) if kind in GROWING else None
                found = None if recorded is None else difference(before, now, recorded)
                if found is not None:
                    kept, text = found
                    grown.append(f'"{name}":{text}')
                    recorded.where = where  # type: ignore[union-attr]
                    snapshot.append(kept)
                    continue
                kept, text = kept_as(now)
                if type(before) is not type(kept) or before != kept:
                    texts.append(f'"{name}":{text}')
                    if kind in GROWING:
                        p._recorded[name] = Recorded(where, kept is now)
                snapshot.append(kept)
            p._snapshot = tuple(snapshot)
            parts = [f'"{key}":{{{",".join(some)}}}' for key, some in (("changed", texts), ("grown", grown)) if some]
            return ",".join(parts)

        def write(
            kind: int, p: int, peer: int, mid: int, label: int, state: int, lamport: int, chain: int, cause: int,
            bits: int, detail: str | None,
        ) -> int:  # fmt: skip
            """Write a row of any kind; return its ``seq``."""
            nonlocal offset, seq, attached, end
            if detail is not None:
                note((seq, detail))
            pack(buffer, offset, self._now, p, peer, mid, lamport, chain, cause, bits, label, kind, state)
            offset += ROW_BYTES
            seq += 1
            if kind >= Kind.PRINT:
                attached += 1
                if end < len(buffer):
                    end += ROW_BYTES
            if offset == end:
                roll()
            return seq - 1

        def row(
            kind: int, p: Process, cause: int = NONE, detail: str | None = None, peer: int = NONE, mid: int = NONE,
            label: int = NONE, bits: int = NONE, *, ticks: bool = False,
        ) -> int:  # fmt: skip
            """Write a row with the state and the logical time of a process; return its ``seq``.

            With ``ticks``, for a local event, its clock advances first.
            """
            clock = p._clock
            if ticks:
                clock.tick()
            try:
                state = codes[p.state]
            except Exception:  # noqa: BLE001 - a failed action may have put anything in its place
                state = NO_STATE
            return write(kind, p._i, peer, mid, label, state, clock.lamport, clock.chain, cause, bits, detail)

        def apply(p: Process, cause: int) -> None:
            """Apply the effects of the action of event ``cause``."""
            nonlocal offset, seq, message_id
            links = p._links
            now = self._now
            p_i = p._i
            state = codes[p.state]
            clock = p._clock
            lamport, chain = clock.lamport, clock.chain
            last = detail = None
            label: int = NONE
            bits: int | None = NONE
            try:
                for to, m in effects:
                    channel = links.get(to)
                    if channel is None and to == p.me and to is not None:
                        channel = host.own(p)
                    if channel is None:
                        clock.lamport = lamport
                        host.special_effect(p, to, m, cause)
                        lamport = clock.lamport
                        continue
                    if m is not last:  # the same one goes to several
                        last, detail = m, None
                        label, bits = kinds.get(m.__class__) or host.new_kind(p, m, cause)
                        if bits is None:
                            bits, detail = host.describe(m)
                    if detail is not None:
                        note((seq, detail))
                    lamport += 1
                    pack(
                        buffer, offset, now, p_i, channel.target._i, message_id, lamport, chain, cause, bits, label,
                        send, state,
                    )  # fmt: skip
                    offset += ROW_BYTES
                    arrival = now + channel.draw()
                    if channel.fifo:
                        arrival = channel.in_order(arrival)
                    entry = arrival, EVENT, next_eid(), None, channel, m, message_id, lamport, chain, seq, label, bits
                    seq += 1
                    message_id += 1
                    if channel.special:
                        host.look(Delivery._make(entry))
                    else:
                        heappush(queue, entry)
                    if offset == end:
                        roll()
            except BaseException as error:  # noqa: BLE001 - what it asks for may be impossible in any way
                clock.lamport = lamport
                host.failed(p, cause, error)
            clock.lamport = lamport
            effects.clear()

        def act(p: Process, action: Callable[..., Any], words: Any, *arguments: Any) -> str | None:
            """Run an action; return the changed variables as text, or None if nothing changed."""
            try:
                action(p, *arguments)
                codes[p.state]
                return changed(p) or None
            except BaseException as error:
                host.failed(p, words, error)
                raise

        def step() -> None:
            """Execute the next event."""
            nonlocal offset, seq
            try:
                entry = heappop(queue)
            except IndexError:
                raise EmptySchedule from None
            call = entry[3]
            if call is not None:
                self._now = entry[0]
                call(entry[4])
                return
            now, _, _, _, channel, m, mid, lamport, chain, sent, label, bits = entry
            self._now = now
            p = channel.target
            if p._slow:
                host.arrived(p, Delivery._make(entry))
                return
            try:
                p._cells[p.state][m.__class__](p, m, channel.name)
                state = codes[p.state]
                if variables:
                    values = values_of(p)
                    if values != p._snapshot:
                        text = changes(p, values)
                        if text:
                            note((seq, f"{{{text}}}"))
            except BaseException as error:  # noqa: BLE001 - an action may raise anything
                host.failed(p, (m, channel), error, Delivery._make(entry))
                return
            clock = p._clock
            own = clock.lamport
            lamport = clock.lamport = (own if own > lamport else lamport) + 1
            own = clock.chain
            if chain >= own:
                chain = clock.chain = chain + 1
            else:
                chain = own
            pack(buffer, offset, now, p._i, channel.source_i, mid, lamport, chain, sent, bits, label, receive, state)
            offset += ROW_BYTES
            cause = seq
            seq += 1
            if offset == end:
                roll()
            if effects:
                apply(p, cause)
            if check is not None:
                check(cause)

        def spread(
            p: Process, cause: int, arrival: float, named: Mapping[Any, Process], way: Any, out: list[Any]
        ) -> None:
            """Apply the effects of an action in a round, like ``apply``, if any process can send to any other.

            Args:
                arrival: the time at which all messages arrive.
                named: the processes by name.
                way: makes a channel from its parts.
                out: receives the deliveries, in the order of sending.
            """
            nonlocal offset, seq, message_id
            now, p_i, name, state, clock = self._now, p._i, p._name, codes[p.state], p._clock
            lamport, chain = clock.lamport, clock.chain
            last = detail = None
            label: int = NONE
            bits: int | None = NONE
            try:
                for to, m in effects:
                    target = named.get(to)
                    if target is None or target is p:
                        clock.lamport = lamport
                        host.special_effect(p, to, m, cause)
                        lamport = clock.lamport
                        continue
                    if m is not last:  # the same one goes to several
                        last, detail = m, None
                        label, bits = kinds.get(m.__class__) or host.new_kind(p, m, cause)
                        if bits is None:
                            bits, detail = host.describe(m)
                    if detail is not None:
                        note((seq, detail))
                    lamport += 1
                    pack(
                        buffer, offset, now, p_i, target._i, message_id, lamport, chain, cause, bits, label, send,
                        state,
                    )  # fmt: skip
                    offset += ROW_BYTES
                    out.append((
                        arrival, EVENT, next_eid(), None, way((p, p_i, target, name, None)), m, message_id, lamport,
                        chain, seq, label, bits,
                    ))  # fmt: skip
                    seq += 1
                    message_id += 1
                    if offset == end:
                        roll()
            except BaseException as error:  # noqa: BLE001 - as in apply
                clock.lamport = lamport
                host.failed(p, cause, error)
            clock.lamport = lamport
            effects.clear()

        def gather(p: Process, entries: Sequence[Any]) -> tuple[int, list[tuple[Any, Any]]]:
            """Let a process receive all messages of a round, without an action for each.

            Return the last ``seq``, and the messages with the names of their senders.
            """
            nonlocal offset, seq
            now, p_i, state, clock = self._now, p._i, codes[p.state], p._clock
            own, longest = clock.lamport, clock.chain
            mail = []
            for _, _, _, _, channel, m, mid, lamport, chain, sent, label, bits in entries:
                own = (own if own > lamport else lamport) + 1
                if chain >= longest:
                    longest = chain + 1
                pack(buffer, offset, now, p_i, channel.source_i, mid, own, longest, sent, bits, label, receive, state)
                offset += ROW_BYTES
                seq += 1
                mail.append((m, channel.name))
                if offset == end:
                    roll()
            clock.lamport, clock.chain = own, longest
            return seq - 1, mail

        def snapshot_of(p: Process) -> tuple[Any, ...]:
            """Return copies of the values of the recorded variables for later comparison."""
            return tuple(kept_as(value)[0] for value in values_of(p))

        def changed(p: Process) -> str:
            """Return the changes in a process since its last event, as ``"changed":{...},"grown":{...}``, or ""."""
            return changes(p, values_of(p)) if variables else ""

        def row_of(wanted: int) -> Any:
            """Return a row that has been written."""
            return recorder.rows(offset, wanted)[0]

        def told_in(wanted: int) -> dict[str, Any]:
            """Return the fields of the message, timer or command of a past event that differ from their defaults."""
            rows = recorder.rows(offset)
            message = int(rows["message"][wanted])
            if message == NONE:
                return dict(json.loads(recorder.detail_of(wanted) or "{}").get("fields", {}))
            kinds = rows["kind"][:wanted]
            sent = ((kinds == Kind.SEND) | (kinds == Kind.INJECT)) & (rows["message"][:wanted] == message)
            for at in reversed((sent | (kinds == Kind.CORRUPT)).nonzero()[0].tolist()):
                detail = json.loads(recorder.detail_of(at) or "{}")
                if sent[at] or detail.get("message") == message:
                    return dict(detail.get("fields", {}))
            return {}

        def state_before(p: Process, states: Sequence[str], end: int | None = None) -> str:
            """Return the state of a process after its last recorded event, or after its last one before ``end``."""
            rows = recorder.rows(offset)[:end]
            own = rows["state"][(rows["process"] == p._i) & (rows["state"] != NO_STATE)]
            return states[int(own[-1])] if len(own) else str(p._declared.start)

        def counts() -> tuple[int, int, int]:
            return seq, message_id, offset

        def events() -> int:
            """Return the number of events: all rows except those that belong to another event."""
            return seq - attached

        def new_message() -> int:
            nonlocal message_id
            message_id += 1
            return message_id - 1

        def advance(end: float | None) -> None:
            """Execute all events before a time; ``None`` for all events."""
            if end is None:
                while queue:
                    step()
            else:
                while queue and queue[0][0] < end:
                    step()

        self.advance = advance
        self.step = step  # type: ignore[method-assign]
        self.apply = apply
        self.row = row
        self.write = write
        self.act = act
        self.counts = counts
        self.events = events
        self.gather = gather
        self.spread = spread
        self.row_of = row_of
        self.told_in = told_in
        self.state_before = state_before
        self.new_message = new_message
        self.snapshot_of = snapshot_of
        self.changed = changed


def _simpy_event(event: Any) -> None:
    """Process an event of SimPy as ``Environment.step`` does."""
    callbacks, event.callbacks = event.callbacks, None
    for callback in callbacks:
        callback(event)
    if not event._ok and not hasattr(event, "_defused"):
        raise event._value
