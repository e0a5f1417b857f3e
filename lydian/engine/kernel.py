"""Clock, queue and the one hot loop: an event is taken from SimPy's queue, an action runs, its effects are applied.

:class:`Kernel` is a SimPy ``Environment`` that overrides :meth:`step` only.  Deliveries lie in the environment's own
queue as flat tuples beside ordinary SimPy events::

    (time, 1, eid, None, channel, message, id, lamport, chain, seq of the send, label, bits)     a delivery
    (time, priority, eid, function, argument)                                                   anything else of ours
    (time, priority, eid, event)                                                                an event of SimPy

so SimPy processes, timeouts and ``run(until=...)`` work as always.  ``eid`` is unique, hence comparisons stop there.
The step is a closure, because a name of a closure is the fastest variable that Python has; the order of its lines
follows the rows: the event's own row, then what its action produced.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from struct import Struct
from typing import Any

import simpy
from simpy.core import EmptySchedule

from lydian.engine.snapshots import GROWING, Recorded, difference, kept_as, reader
from lydian.model.process import Process
from lydian.trace.events import NO_STATE, ROW_FORMAT, Kind
from lydian.trace.recorder import ROW_BYTES, Recorder

__all__ = ["END", "EVENT", "INTERVENTION", "NONE", "Channel", "Kernel", "StopRun"]


class Channel:
    """One direction of a link.

    Attributes:
        source, target: the processes at its ends; ``source_i`` the index of the sender.
        name: what the receiver calls the sender (its name, or the port number).
        draw: gives the next delay.
        special: whether sending needs a closer look (:meth:`Kernel.look`): FIFO, loss, down, a planned fault, noise.
        noise: says which messages come twice or are changed; ``None`` if none ever is.
    """

    __slots__ = (
        "down",
        "draw",
        "fifo",
        "last",
        "lose",
        "loss",
        "name",
        "noise",
        "planned",
        "source",
        "source_i",
        "special",
        "target",
    )  # fmt: skip

    def __init__(self, source: Process, target: Process, name: Any, draw: Callable[[], float]) -> None:
        self.source = source
        self.source_i = source._i
        self.target = target
        self.name = name
        self.draw = draw
        self.fifo = False
        self.last = 0.0
        self.loss = 0.0
        self.lose: Callable[[], float] | None = None
        self.down = False
        self.planned: list[Any] = []
        self.noise: Any = None
        self.special = False

    def look_closer(self) -> None:
        self.special = self.fifo or self.loss > 0 or self.down or bool(self.planned) or self.noise is not None


#: A row but for ``round``, which the recorder fills in.
_PACK = Struct(ROW_FORMAT).pack_into
NONE = -1
#: Priorities of what happens at the same time: interventions, events of the execution, the end.
INTERVENTION, EVENT, END = 0, 1, 9


class StopRun(Exception):
    """Raised by a step to end the run; ``reason`` as in the result's ``stopped``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Kernel(simpy.Environment):
    """SimPy's environment with deliveries of messages as its native events.

    Args:
        recorder: where the rows go.
        kinds: class of message or timer -> (label code, size in bits or ``None`` if the fields decide).
        state_codes: state -> code in the trace.
        variables: names of the variables whose changes are recorded; empty for none.
        host: what the kernel asks when something is out of the ordinary
            (:class:`lydian.engine.execution.Execution`).
        check: called after each event with its ``seq``; ``None`` to check nothing.
        limit: most events; the run ends with "limit" at the first one after them.
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
        self._build(recorder, kinds, state_codes, tuple(variables), host, check, limit)

    def at(self, time: float, function: Callable[[Any], None], argument: Any, priority: int = EVENT) -> None:
        """Call ``function(argument)`` at ``time``."""
        queue: list[Any] = self._queue
        heappush(queue, (time, priority, self.next_eid(), function, argument))

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
        queue: list[Any] = self._queue
        effects = self.effects
        next_eid = self.next_eid
        pack = _PACK
        note = recorder.note
        buffer = recorder.buffer
        offset, end = 0, min(len(buffer), limit * ROW_BYTES)
        seq, message_id = 0, 0
        attached = 0  # rows that are not events; the limit does not count them
        values_of = reader(variables)
        receive, send = Kind.RECEIVE, Kind.SEND

        def roll() -> None:
            """The buffer is full: take a new one, and end the run if that was the limit."""
            nonlocal buffer, offset, end
            if seq - attached >= limit:
                heappush(queue, (self._now, -1, next_eid(), host.stop, "limit"))
            buffer = recorder.roll(offset)
            offset = 0
            left = limit + attached - seq
            end = min(len(buffer), left * ROW_BYTES) if left > 0 else len(buffer)

        def changes(p: Process, values: tuple[Any, ...]) -> str:
            """The variables that changed, as keys of a JSON object, and a new snapshot.

            ``changed`` holds whole values, ``grown`` differences from the values before.
            """
            old = p._snapshot
            snapshot, texts, grown = [], [], []
            where = p._where = [seq]
            for name, before, now in zip(variables, old, values, strict=True):
                kind = type(now)
                same = now is before
                if not same and kind is type(before):  # tuples of different length need not be looked through
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

        def row(
            kind: int, p: int, peer: int, mid: int, label: int, state: int, lamport: int, chain: int, cause: int,
            bits: int, detail: str | None,
        ) -> int:  # fmt: skip
            """Write any row; give its seq."""
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

        def apply(p: Process, cause: int) -> None:
            """Apply what the action of event ``cause`` has asked for."""
            nonlocal offset, seq, message_id
            links = p._links
            now = self._now
            p_i = p._i
            state = codes[p.state]
            lamport = p._lamport
            chain = p._chain
            try:
                for to, m in effects:
                    channel = links.get(to)
                    if channel is None and to == p.me and to is not None:
                        channel = host.own(p)
                    if channel is None:
                        p._lamport = lamport
                        host.special_effect(p, to, m, cause)
                        lamport = p._lamport
                        continue
                    kind = kinds.get(m.__class__)
                    if kind is None:
                        kind = host.new_kind(p, m, cause)
                    label, bits = kind
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
                    entry = (
                        arrival, 1, next_eid(), None, channel, m, message_id, lamport, chain + 1, seq, label, bits,
                    )  # fmt: skip
                    seq += 1
                    message_id += 1
                    if channel.special:
                        host.look(channel, entry)
                    else:
                        heappush(queue, entry)
                    if offset == end:
                        roll()
            except BaseException as error:  # noqa: BLE001 - what it asks for may be impossible in any way
                p._lamport = lamport
                host.failed(p, cause, error)
            p._lamport = lamport
            effects.clear()

        def act(p: Process, action: Callable[..., Any], words: Any, *arguments: Any) -> str | None:
            """Run an action; give the changed variables as text, or None if nothing changed."""
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
            what = entry[3]
            if what is not None:
                self._now = entry[0]
                if len(entry) == 5:
                    what(entry[4])
                else:
                    _simpy_event(what)
                return
            now, _, _, _, channel, m, mid, lamport, chain, sent, label, bits = entry
            self._now = now
            p = channel.target
            if p._slow:
                host.arrived(p, entry)
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
                host.failed(p, (m, channel), error, entry)
                return
            own = p._lamport
            lamport = p._lamport = (own if own > lamport else lamport) + 1
            own = p._chain
            if chain > own:
                p._chain = chain
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
            """Apply what an action in a round has asked for, as ``apply`` does, where nothing stands between processes.

            Args:
                arrival: when everything arrives.
                named: the processes by their names.
                way: makes a channel from its parts.
                out: takes the deliveries, in order of sending.
            """
            nonlocal offset, seq, message_id
            now, p_i, name, state, chain = self._now, p._i, p._name, codes[p.state], p._chain
            lamport = p._lamport
            last: Any = None
            detail: str | None = None
            label: int = 0
            bits: int | None = 0
            try:
                for to, m in effects:
                    target = named.get(to)
                    if target is None or target is p:
                        p._lamport = lamport
                        host.special_effect(p, to, m, cause)
                        lamport = p._lamport
                        continue
                    if m is not last:  # the same one goes to several
                        kind = kinds.get(m.__class__)
                        if kind is None:
                            kind = host.new_kind(p, m, cause)
                        label, bits = kind
                        detail = None
                        if bits is None:
                            bits, detail = host.describe(m)
                        last = m
                    if detail is not None:
                        note((seq, detail))
                    lamport += 1
                    pack(
                        buffer, offset, now, p_i, target._i, message_id, lamport, chain, cause, bits, label, send,
                        state,
                    )  # fmt: skip
                    offset += ROW_BYTES
                    out.append((
                        arrival, 1, next_eid(), None, way((p, p_i, target, name, None)), m, message_id, lamport,
                        chain + 1, seq, label, bits,
                    ))  # fmt: skip
                    seq += 1
                    message_id += 1
                    if offset == end:
                        roll()
            except BaseException as error:  # noqa: BLE001 - as in apply
                p._lamport = lamport
                host.failed(p, cause, error)
            p._lamport = lamport
            effects.clear()

        def gather(p: Process, entries: Sequence[Any]) -> int:
            """A process receives all messages of a round, which no action answers one by one; give the last seq."""
            nonlocal offset, seq
            now, p_i, state = self._now, p._i, codes[p.state]
            own, longest = p._lamport, p._chain
            for _, _, _, _, channel, _, mid, lamport, chain, sent, label, bits in entries:
                own = (own if own > lamport else lamport) + 1
                if chain > longest:
                    longest = chain
                pack(buffer, offset, now, p_i, channel.source_i, mid, own, longest, sent, bits, label, receive, state)
                offset += ROW_BYTES
                seq += 1
                if offset == end:
                    roll()
            p._lamport, p._chain = own, longest
            return seq - 1

        def snapshot_of(p: Process) -> tuple[Any, ...]:
            """The values of the recorded variables, as copies to compare with later."""
            return tuple(kept_as(value)[0] for value in values_of(p))

        def changed(p: Process) -> str:
            """What changed in a process since its last event, as ``"changed":{...},"grown":{...}``, or ""."""
            return changes(p, values_of(p)) if variables else ""

        def row_of(wanted: int) -> Any:
            """A row written before."""
            return recorder.rows(offset, wanted)[0]

        def told_in(wanted: int) -> dict[str, Any]:
            """The fields of what a past event answered, as a file has them: those that differ from their defaults."""
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
            """The state in which a process was after its last recorded event, or its last one before ``end``."""
            rows = recorder.rows(offset)[:end]
            own = rows["state"][(rows["process"] == p._i) & (rows["state"] != NO_STATE)]
            return states[int(own[-1])] if len(own) else states[0]

        def counts() -> tuple[int, int, int]:
            return seq, message_id, offset

        def events() -> int:
            """How many events have happened: rows but for those that belong to another event."""
            return seq - attached

        def new_message() -> int:
            nonlocal message_id
            message_id += 1
            return message_id - 1

        self.step = step  # type: ignore[method-assign]
        self.apply = apply
        self.row = row
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
    """What ``Environment.step`` does with an event of SimPy."""
    callbacks, event.callbacks = event.callbacks, None
    for callback in callbacks:
        callback(event)
    if not event._ok and not hasattr(event, "_defused"):
        raise event._value
