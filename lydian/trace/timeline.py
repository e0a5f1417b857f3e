"""A trace indexed for queries about any time t.

Two terms are used throughout this module. A *position* k, 0 <= k <= length of the trace, means that exactly the events
0..k-1 have happened; :meth:`Timeline.count` converts a time to a position. A process, label or state is given by its
*code*, an index into :attr:`Timeline.processes`, :attr:`Timeline.labels` or :attr:`Timeline.states`; -1 (255 for a
state) means that there is none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lydian.trace.details import Details, detail_texts
from lydian.trace.events import ATTACHED, KINDS, NO_STATE, Kind, Trace, counted
from lydian.trace.keyframes import Counts, InTransit, LastRows, Sorts, first_in, group, last_in
from lydian.trace.store import Picked

__all__ = ["Timeline"]

#: The number of rows or messages that are processed together, so that this takes little memory.
BLOCK = 1 << 18


class MessageTable:
    """The messages of a :class:`~lydian.trace.timeline.Timeline`, computed from its columns.

    Attributes:
        m_messages: the number of messages, which are numbered 0..m_messages-1.
        sends: (m_messages,) the event that sent a message (``send`` or ``inject``), -1 if the trace has none.
        receives: (m_messages,) the event that ended it (``receive`` or ``drop``, the first of them), -1 if it is
            still in transit at the end.
        lost: (m_messages,) whether that event is a ``drop``.
        message_source, message_target, message_label: (m_messages,) codes.
        message_sent, message_arrived: (m_messages,) times; ``message_arrived`` is inf if the message never arrived; if
            the process was busy, it is the time at which its step began; see :attr:`message_reached`.
        message_bits: (m_messages,) sizes, -1 where unknown.

    Only the events that begin and end each message are stored. The other ``message_`` arrays are looked up in the
    columns when needed (:class:`~lydian.trace.store.Picked`), preferably only for the messages of interest.
    """

    n: int
    length: int
    time: Floats
    kind: NDArray[np.uint8]
    process: NDArray[np.int32]
    peer: NDArray[np.int32]
    message: NDArray[np.int32]
    label: NDArray[np.int16]
    bits: NDArray[np.int32]

    def _make_messages(self) -> None:
        """Compute the table of messages from the rows that send and end them."""
        self.m_messages = m = int(self.message.max(initial=-1)) + 1
        self.sends: Rows = self._first(m, Kind.SEND, Kind.INJECT)
        self.receives: Rows = self._first(m, Kind.RECEIVE, Kind.DROP)
        self.lost: NDArray[np.bool_] = np.asarray(Picked(self.kind, self.receives, 0)) == Kind.DROP
        self.message_source: NDArray[np.int32] = _as_array(Picked(self.process, self.sends, -1))
        self.message_target: NDArray[np.int32] = _as_array(Picked(self.peer, self.sends, -1))
        self.message_label: NDArray[np.int32] = _as_array(Picked(self.label, self.sends, -1, np.int32))
        self.message_bits: NDArray[np.int32] = _as_array(Picked(self.bits, self.sends, -1))
        self.message_arrived: Floats = _as_array(Picked(self.time, self.receives, np.inf))
        self.message_sent: Floats = _as_array(Picked(self.time, self.sends, self.message_arrived))

    def _first(self, m: int, *kinds: int) -> Rows:
        """Return the first row of one of the kinds for each message, -1 where there is none."""
        found = np.full(m, -1, dtype=np.int32)
        wanted = wanted_kinds(kinds)
        for stop in range(self.length, 0, -BLOCK):  # from the end, so that the first of several rows remains
            start = max(0, stop - BLOCK)
            rows = np.flatnonzero(wanted[self.kind[start:stop]] & (self.message[start:stop] >= 0))[::-1] + start
            found[self.message[rows]] = rows
        return found

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Return the pairs of processes (low, high) between which messages were sent, (pairs, 2), ascending."""
        found = np.empty(0, dtype=np.int64)
        for start in range(0, self.m_messages, BLOCK):
            source, target = self.message_source[start : start + BLOCK], self.message_target[start : start + BLOCK]
            low = np.minimum(source, target).astype(np.int64)
            keys = (low * self.n + np.maximum(source, target))[low >= 0]
            small = self.n * self.n <= 4 * BLOCK  # for few pairs, counting is faster than sorting
            keys = np.flatnonzero(np.bincount(keys)) if small else np.unique(keys)
            found = np.union1d(found, keys)
        return np.column_stack((found // max(self.n, 1), found % max(self.n, 1)))


def _as_array(picked: Any) -> Any:
    """Return a looked-up column unchanged, typed as the array that it represents."""
    return picked


def wanted_kinds(kinds: Collection[int] | None) -> NDArray[np.bool_]:
    """Return a table, indexed by the code of a kind, of whether it is one of the given kinds; ``None`` means all."""
    table = np.full(256, kinds is None)
    if kinds is not None:
        table[list(kinds)] = True
    return table


Ints = NDArray[np.int64]
Rows = NDArray[np.int32]
Floats = NDArray[np.float64]

#: The kinds of event that begin a step of a process.
STEPS = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)


class Timeline(MessageTable):
    """An indexed trace.

    It is built by whole-array operations, in about 0.1 s for a million events. The indexes for queries are built when
    first needed; after that, every query takes well under a millisecond.

    Args:
        trace: the trace; a trace that has grown needs a new timeline.
        earlier: the timeline of the same trace when it was shorter, which becomes invalid.

    Attributes:
        trace: the trace.
        n: the number of processes.
        end: the time of the last event, 0 for an empty trace; the time reached so far if the run is not finished.
        processes, labels, states: the names that the codes index.
        time, kind, process, peer, message, label, state, lamport, chain, cause, bits, round: contiguous columns with
            one entry per event, shared with the trace if it is stored in columns; ``time`` never decreases (an event
            recorded out of order gets the latest time before it).
        handed_on: data that callers keep for the timeline of the same trace when it is longer, each under its own key.

    The attributes of its messages are those of :class:`~lydian.trace.timeline.MessageTable`.
    """

    def __init__(self, trace: Trace, earlier: Timeline | None = None) -> None:
        self.trace = trace
        self.handed_on: dict[Any, Any] = {} if earlier is None else earlier.handed_on
        self._grew = earlier is not None
        # The details that were already read need not be read again.
        self._read: Details | None = None if earlier is None else earlier.__dict__.get("_details", earlier._read)
        self.processes, self.labels, self.states = trace.processes, trace.labels, trace.states
        self.n = len(trace.processes)
        rows = trace.rows
        self.length = len(rows)
        self.time: Floats = np.ascontiguousarray(rows["time"])
        if bool((self.time[1:] < self.time[:-1]).any()):
            self.time = np.maximum.accumulate(self.time)
        self.end = float(self.time[-1]) if self.length else 0.0
        self.kind: NDArray[np.uint8] = np.ascontiguousarray(rows["kind"])
        self.process: NDArray[np.int32] = np.ascontiguousarray(rows["process"])
        self.peer: NDArray[np.int32] = np.ascontiguousarray(rows["peer"])
        self.message: NDArray[np.int32] = np.ascontiguousarray(rows["message"])
        self.label: NDArray[np.int16] = np.ascontiguousarray(rows["label"])
        self.state: NDArray[np.uint8] = np.ascontiguousarray(rows["state"])
        self.lamport: NDArray[np.int32] = np.ascontiguousarray(rows["lamport"])
        self.chain: NDArray[np.int32] = np.ascontiguousarray(rows["chain"])
        self.cause: NDArray[np.int32] = np.ascontiguousarray(rows["cause"])
        self.bits: NDArray[np.int32] = np.ascontiguousarray(rows["bits"])
        self.round: NDArray[np.int32] = np.ascontiguousarray(rows["round"])
        self._make_messages()

    @cached_property
    def events(self) -> int:
        """The number of events; rows that belong to an event (a timer set, a line printed) do not count."""
        return counted(self.kind)

    # -- positions ---------------------------------------------------------------------------------------------

    def count(self, t: float) -> int:
        """Return the position for time t: the number of events that have happened up to and including t."""
        return int(np.searchsorted(self.time, t, side="right"))

    def round_at(self, k: int) -> int:
        """Return the simulator's round at position k, 0 before the first event."""
        k = self._inside(k)
        return int(self.round[k - 1]) if k else 0

    def next_event(self, k: int, process: int | None = None, kinds: Collection[int] | None = None) -> int:
        """Return the first event (of a process or of some kinds, if given) at or after position k, -1 if none."""
        k = self._inside(k)
        rows = None if process is None else self.events_of(process)
        place = k if rows is None else int(np.searchsorted(rows, np.int32(k)))
        return first_in(rows, place, self.kind, wanted_kinds(kinds))

    def previous_event(self, k: int, process: int | None = None, kinds: Collection[int] | None = None) -> int:
        """Return the last event (of a process or of some kinds, if given) before position k, -1 if none."""
        k = self._inside(k)
        rows = None if process is None else self.events_of(process)
        place = k if rows is None else int(np.searchsorted(rows, np.int32(k)))
        return last_in(rows, place, self.kind, wanted_kinds(kinds))

    def _inside(self, k: int) -> int:
        return min(max(int(k), 0), self.length)

    # -- processes ---------------------------------------------------------------------------------------------

    @cached_property
    def start_state(self) -> int:
        """The code of the initial state: that of the first role, if the protocol has several roles."""
        start = self.trace.summary.get("start")
        if isinstance(start, str) and start in self.states:
            return self.states.index(start)
        return 0 if self.states else NO_STATE

    @cached_property
    def start_states(self) -> NDArray[np.int16]:
        """The code of the initial state of each process, (n,)."""
        found = np.full(self.n, self.start_state, dtype=np.int16)
        roles, starts = (self.trace.summary.get(key) for key in ("roles", "starts"))
        if isinstance(roles, Mapping) and isinstance(starts, Mapping):
            for place, name in enumerate(self.processes):
                state = starts.get(roles.get(name))
                if state in self.states:
                    found[place] = self.states.index(state)
        return found

    @cached_property
    def _last(self) -> LastRows:
        return LastRows(self.process, self.n)

    @cached_property
    def _last_state(self) -> LastRows:
        stated = not bool((self.state == NO_STATE).any())
        return self._last if stated else LastRows(self.process, self.n, self.state, NO_STATE)

    @cached_property
    def by_process(self) -> tuple[Rows, Ints]:
        """All events at processes, process by process, and the index at which those of each begin, (n + 1,)."""
        return group(self.process, self.n)

    def states_at(self, k: int) -> NDArray[np.int16]:
        """Return the state of every process, (n,)."""
        last = self._last_state.at(self._inside(k))
        if not self.length:
            return self.start_states.copy()
        return np.where(last >= 0, self.state[last], self.start_states).astype(np.int16)

    def last_events(self, k: int) -> NDArray[np.int32]:
        """Return the last event of every process before position k, -1 where there is none, (n,)."""
        return self._last.at(self._inside(k))

    def last_event(self, process: int, k: int) -> int:
        """Return the last event of a process before position k, or -1."""
        events = self.events_of(process)
        before = int(np.searchsorted(events, k))
        return int(events[before - 1]) if before else -1

    def last_of_kind(self, process: int, k: int, kinds: Collection[int]) -> int:
        """Return the last event of one of the kinds (codes) at a process before position k, or -1."""
        return self.previous_event(k, process, kinds)

    def events_of(self, process: int) -> Rows:
        """Return all events at a process, ascending, including drops of messages to it."""
        if not 0 <= process < self.n:
            return np.empty(0, dtype=np.int32)
        order, starts = self.by_process
        return order[starts[process] : starts[process + 1]]

    def crashed_at(self, k: int) -> NDArray[np.bool_]:
        """Return, for each process, whether it is crashed, (n,)."""
        rows = self._crashes[: int(np.searchsorted(self._crashes, k))]
        crashed = np.zeros(self.n, dtype=bool)
        crashed[self.process[rows]] = self.kind[rows] == Kind.CRASH
        return crashed

    @cached_property
    def _crashes(self) -> Ints:
        found = ((self.kind == Kind.CRASH) | (self.kind == Kind.RECOVER)) & (self.process >= 0)
        return np.flatnonzero(found)

    def down(self, process: int) -> tuple[Floats, Floats]:
        """Return the periods in which a process was crashed: starts and ends; the last may be the end of the trace."""
        rows = self._crashes[self.process[self._crashes] == process]
        return self._spans(rows, self.kind[rows] == Kind.CRASH)

    def _spans(self, rows: Ints, on: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return the spans in which a switch is on, from the rows that set it."""
        turned = np.flatnonzero(on != np.concatenate(([False], on[:-1])))
        times = self.time[rows[turned]]
        if len(times) % 2:
            times = np.append(times, self.end)
        return times[::2], times[1::2]

    def links_down_at(self, k: int) -> frozenset[tuple[int, int]]:
        """Return the links that are down in at least one direction, each as its ends (i, j), i < j."""
        return frozenset((min(i, j), max(i, j)) for i, j in self.ways_down_at(k))

    def ways_down_at(self, k: int) -> frozenset[tuple[int, int]]:
        """Return the directions in which links are down: (i, j) if no message passes from i to j."""
        rows, ways, on = self._outages
        done = int(np.searchsorted(rows, k))
        # The first entry of a direction in the reversed list is its latest change.
        way, first = np.unique(ways[:done][::-1], return_index=True)
        down = way[on[:done][::-1][first]]
        return frozenset((int(w) // self.n, int(w) % self.n) for w in down)

    @cached_property
    def one_way_events(self) -> Ints:
        """The events that cut or restore a link in one direction only, from their process to their peer."""
        detail_of = self.trace.detail_of
        return np.array([row for row in self._cuts.tolist() if '"one_way"' in (detail_of(row) or "")], dtype=np.int64)

    @cached_property
    def _cuts(self) -> Ints:
        found = ((self.kind == Kind.LINK_DOWN) | (self.kind == Kind.LINK_UP)) & (self.process >= 0) & (self.peer >= 0)
        return np.flatnonzero(found)

    @cached_property
    def _outages(self) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """The events that cut or restore a direction of a link, that direction, and whether it was cut."""
        rows = self._cuts
        alone = np.isin(rows, self.one_way_events)
        a, b = self.process[rows].astype(np.int64), self.peer[rows].astype(np.int64)
        ways = np.column_stack((a * self.n + b, b * self.n + a)).ravel()
        told = np.column_stack((np.ones(len(rows), dtype=bool), ~alone)).ravel()
        return np.repeat(rows, 2)[told], ways[told], np.repeat(self.kind[rows] == Kind.LINK_DOWN, 2)[told]

    def periods(self, process: int) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """Return the periods in which a process was in one state, from its first event on: starts, ends, states."""
        rows = self.events_of(process)
        rows = rows[self.state[rows] != NO_STATE]
        codes = self.state[rows]
        if not len(rows):
            return np.empty(0), np.empty(0), codes
        changed = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1])))
        start = self.time[rows[changed]]
        return start, np.append(start[1:], self.end), codes[changed]

    @property
    def steps_take_time(self) -> bool:
        """Whether any step took time; if none did, all :attr:`step_lengths` are 0."""
        return not self._at_once and self._details.works

    @property
    def step_lengths(self) -> Floats:
        """The duration of the step that each event began, (length of the trace,), 0 if it took no time."""
        return np.broadcast_to(np.float64(0.0), (self.length,)) if self._at_once else self._details.busy

    @cached_property
    def _at_once(self) -> bool:
        """Whether no step took time, if this is known without parsing the details.

        The answer is always false if the trace has grown or the details have already been parsed.
        """
        if self._grew or "_details" in self.__dict__:
            return False
        return next(detail_texts(self.trace, 0, ("busy",)), None) is None

    def busy(self, process: int) -> tuple[Floats, Floats]:
        """Return the times at which each step of a process began and ended; they are equal if it took no time."""
        rows = self.events_of(process)
        rows = rows[wanted_kinds(STEPS)[self.kind[rows]]]
        start = self.time[rows]
        return start, start + self.step_lengths[rows]

    # -- messages ----------------------------------------------------------------------------------------------

    @cached_property
    def _transit(self) -> InTransit:
        return InTransit(self.sends, self.receives)

    def in_flight(self, k: int, t: float | None = None) -> Ints:
        """Return the numbers of the messages in transit, including those that wait for a busy process.

        If ``t`` is given, messages that were sent later than t are left out.
        """
        ids = self._transit.at(self._inside(k))
        return ids if t is None else ids[self.message_sent[ids] <= t]

    @cached_property
    def message_reached(self) -> Floats:
        """The time at which each message reached its process, (m_messages,).

        It is earlier than ``message_arrived`` if the process was busy.
        """
        ended = self.receives >= 0
        if not self._details.waits and bool((self.receives[ended] >= self.sends[ended]).all()):
            return self.message_arrived
        waited = np.asarray(Picked(self._details.waited, self.receives, 0.0))
        reached: Floats = np.maximum(self.message_arrived - waited, self.message_sent)
        return reached

    def expect(self, messages: Ints, times: Floats) -> None:
        """Set the arrival times of messages in transit, which :attr:`message_reached` contains from then on."""
        reached: Floats = np.array(self.message_reached, dtype=np.float64)
        known = messages < self.m_messages
        messages, times = messages[known], times[known]
        coming = self.receives[messages] < 0
        reached[messages[coming]] = times[coming]
        self.__dict__["message_reached"] = reached

    def sent_at(self, k: int) -> NDArray[np.int32]:
        """Return the number of messages sent per process and label, (n, labels), without injected ones."""
        return self._count("_sent", k)

    def received_at(self, k: int) -> NDArray[np.int32]:
        """Return the number of messages received per process and label, (n, labels)."""
        return self._count("_received", k)

    def dropped_at(self, k: int) -> NDArray[np.int32]:
        """Return the number of messages dropped on their way to each process, per label, (n, labels)."""
        return self._count("_dropped", k)

    def _count(self, which: Literal["_sent", "_received", "_dropped"], k: int) -> NDArray[np.int32]:
        counts: Counts = getattr(self, which)
        return counts.at(self._inside(k)).reshape(self.n, len(self.labels))

    def _counts(self, kind: int) -> Counts:
        return Counts(self.process, self.label, self.kind, kind, self.n, len(self.labels))

    @cached_property
    def _sent(self) -> Counts:
        return self._counts(Kind.SEND)

    @cached_property
    def _received(self) -> Counts:
        return self._counts(Kind.RECEIVE)

    @cached_property
    def _dropped(self) -> Counts:
        return self._counts(Kind.DROP)

    # -- variables ---------------------------------------------------------------------------------------------

    @cached_property
    def _details(self) -> Details:
        read, self._read = self._read, None
        return Details(self.trace, read)

    @property
    def variable_names(self) -> tuple[str, ...]:
        """The names of the variables in the trace, declared ones first."""
        return self._details.names

    def variables(self, process: int, k: int) -> dict[str, tuple[Any, int]]:
        """Return the variables of a process: name -> (value, event that last set it, -1 if still the initial value)."""
        return self._details.of(process, self._inside(k))

    def values(self, process: str) -> dict[str, Any]:
        """Return the values of the variables of a process at the end, by name; none if there is no such process."""
        if process not in self.processes:
            return {}
        found = self.variables(self.processes.index(process), self.length)
        return {name: value for name, (value, _event) in found.items()}

    def variable_at(self, name: str, k: int) -> list[Any]:
        """Return the value of one variable at every process, in order of :attr:`processes`."""
        return self._details.across(name, self._inside(k))

    @property
    def details(self) -> Details:
        """The contents of the events' details, as arrays."""
        return self._details

    @cached_property
    def _sorts(self) -> Sorts:
        return Sorts(self.kind, self.label, len(self.labels))

    def sorts_between(self, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Count the events between consecutive rising positions by kind and label, (bounds - 1, kinds, labels + 1).

        The last label means no label.
        """
        return self._sorts.between(bounds).reshape(-1, len(KINDS), len(self.labels) + 1)

    # -- the whole trace -----------------------------------------------------------------------------------

    def density(
        self, bins: int, t0: float, t1: float, by: Literal["kind", "label", "process"] = "kind"
    ) -> NDArray[np.int64]:
        """Count the events per bin of time, (bins, width); rows that belong to an event do not count.

        The interval from t0 to t1, both included, is divided into equal bins. The columns are the kinds of event
        (:data:`KINDS`), the labels (without rows that have none) or the processes.
        """
        columns: dict[str, NDArray[Any]] = {"kind": self.kind, "label": self.label, "process": self.process}
        width = {"kind": len(KINDS), "label": len(self.labels), "process": self.n}[by]
        attached = wanted_kinds(ATTACHED)
        first, stop = int(np.searchsorted(self.time, t0)), self.count(t1)
        total = np.zeros(max(bins, 0) * width, dtype=np.int64)
        scale = bins / (t1 - t0) if t1 > t0 else 0.0
        for start in range(first, stop if len(total) else first, BLOCK):
            block = slice(start, min(start + BLOCK, stop))
            place = np.minimum(((self.time[block] - t0) * scale).astype(np.int64), bins - 1)
            codes = columns[by][block].astype(np.int64)
            keep = (codes >= 0) & ~attached[self.kind[block]]
            total += np.bincount(place[keep] * width + codes[keep], minlength=len(total))
        return total.reshape(max(bins, 0), width)
