"""The record of one execution: its columns, its rows in memory, its fingerprint.

A trace has one row for each event. During a run the rows are packed in chunks (:mod:`lydian.trace.parquet.recorder`);
for reading they are stored as columns, as defined here. In memory a null is -1 (255 in the column ``state``), and names
of processes, labels and states are codes, which index the tables of names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.differences import Differences
from lydian.trace.store import Columns

__all__ = ["ATTACHED", "EFFECTS", "FAULTS", "KINDS", "NO_STATE", "OFF_LINE", "ROW", "Event", "Kind", "Trace", "counted"]

KINDS = (
    "init", "send", "receive", "drop", "timer", "command", "rule", "deliver", "decide", "note",
    "crash", "recover", "link_down", "link_up", "corrupt", "inject", "error",
    "print", "timer_set", "timer_cancel", "intervene",
)  # fmt: skip


class Kind:
    """Codes of the kinds of event, in the order of :data:`KINDS`."""

    INIT, SEND, RECEIVE, DROP, TIMER, COMMAND, RULE, DELIVER, DECIDE, NOTE = range(10)
    CRASH, RECOVER, LINK_DOWN, LINK_UP, CORRUPT, INJECT, ERROR = range(10, 17)
    PRINT, TIMER_SET, TIMER_CANCEL, INTERVENE = range(17, 21)


#: Rows that belong to the event that caused them: they do not advance clocks and are not counted as events.
ATTACHED = (Kind.PRINT, Kind.TIMER_SET, Kind.TIMER_CANCEL, Kind.INTERVENE)
#: Rows that are not on a process line. They may follow an event, but no event follows them.
OFF_LINE = (Kind.DROP, Kind.LINK_DOWN, Kind.LINK_UP, *ATTACHED)
#: Rows that the action of an event produced.
EFFECTS = (Kind.SEND, Kind.DELIVER, Kind.DECIDE, Kind.NOTE, Kind.PRINT, Kind.TIMER_SET, Kind.TIMER_CANCEL)
#: Interventions from outside, and the failure of the execution.
FAULTS = (Kind.CRASH, Kind.RECOVER, Kind.LINK_DOWN, Kind.LINK_UP, Kind.CORRUPT, Kind.INJECT, Kind.ERROR)


NO_STATE = 255

#: One packed row. ``seq`` is the index of the row and is not stored; ``-1`` is null.
ROW = np.dtype(
    [
        ("time", "<f8"),
        ("process", "<i4"),
        ("peer", "<i4"),
        ("message", "<i4"),
        ("lamport", "<i4"),
        ("chain", "<i4"),
        ("cause", "<i4"),
        ("bits", "<i4"),
        ("round", "<i4"),
        ("label", "<i2"),
        ("kind", "u1"),
        ("state", "u1"),
    ]
)
#: The format of a row for :func:`struct.pack_into`, without ``round``, which is filled in when a chunk is complete.
ROW_FORMAT = "<d7i4xhBB"


@dataclass(frozen=True)
class Event:
    """One row of a trace with names instead of codes, and ``None`` for null."""

    seq: int
    round: int
    time: float
    kind: str
    process: str | None
    peer: str | None
    message: int | None
    label: str | None
    state: str | None
    lamport: int
    chain: int
    cause: int | None
    bits: int | None
    detail: dict[str, Any] | None


def counted(kinds: NDArray[np.uint8]) -> int:
    """Return the number of events among some rows: all rows but those that belong to an event (:data:`ATTACHED`)."""
    return len(kinds) - int(np.count_nonzero(kinds >= Kind.PRINT))


def _nothing(seq: int) -> str | None:
    return None


@dataclass
class Trace:
    """One execution, for reading.

    Args:
        rows: a structured array of dtype :data:`ROW`, in which ``rows[i]`` is the event with ``seq`` i; or the same in
            columns.
        processes: names; the codes in ``process`` and ``peer`` index this.
        labels: names of message, timer, command and rule classes; the codes in ``label`` index this.
        states: names of states; the codes in ``state`` index this.
        detail_of: a function that returns the JSON text of an event's ``detail``, or ``None``.
        experiment: the experiment as a plain dict (the contents of its TOML file), possibly empty.
        network: the network in node-link form, possibly empty.
        source: the text of the protocol file, possibly empty.
        versions: name -> version of the programs that made the trace.
        summary: how the run ended: ``stopped``, ``checks``, ``error``, ``decided`` and so on, possibly empty.
        damage: one sentence if only part of the file could be read, otherwise ``None``.
    """

    rows: NDArray[np.void] | Columns
    processes: tuple[str, ...]
    labels: tuple[str, ...]
    states: tuple[str, ...]
    detail_of: Callable[[int], str | None] = _nothing
    experiment: Mapping[str, Any] = field(default_factory=dict)
    network: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    summary: Mapping[str, Any] = field(default_factory=dict)
    damage: str | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> NDArray[Any]:
        """Return a column as an array of codes, with -1 for null (255 for ``state``); ``seq`` is computed."""
        if name == "seq":
            return np.arange(len(self.rows), dtype=np.int64)
        column: NDArray[Any] = self.rows[name]
        return column

    def detail(self, seq: int) -> dict[str, Any] | None:
        """Return the ``detail`` of an event as a dict, with whole values of changed variables, or ``None``."""
        detail = self.recorded(seq)
        return detail if detail is None or "grown" not in detail else self._differences.resolved(seq, detail)

    def recorded(self, seq: int) -> dict[str, Any] | None:
        """Return the ``detail`` of an event as recorded, with long values as differences."""
        read: Callable[[int], dict[str, Any] | None] | None = getattr(self.detail_of, "detail", None)
        if read is not None:
            return read(seq)
        text = self.detail_of(seq)
        return None if text is None else json.loads(text)

    @cached_property
    def _differences(self) -> Differences:
        return Differences(self.recorded)

    def event(self, seq: int) -> Event:
        """Return a row with names instead of codes."""
        (time, process, peer, message, lamport, chain, cause, bits, round_, label, kind, state) = self.rows[seq].item()
        return Event(
            seq=seq,
            round=round_,
            time=time,
            kind=KINDS[kind],
            process=_name(self.processes, process),
            peer=_name(self.processes, peer),
            message=_some(message),
            label=_name(self.labels, label),
            state=None if state == NO_STATE else self.states[state],
            lamport=lamport,
            chain=chain,
            cause=_some(cause),
            bits=_some(bits),
            detail=self.detail(seq),
        )

    def events(self, start: int = 0, stop: int | None = None) -> Iterator[Event]:
        """Yield the events from ``start`` up to, but not including, ``stop``."""
        for seq in range(start, len(self) if stop is None else min(stop, len(self))):
            yield self.event(seq)

    def fingerprint(self) -> str:
        """Return the SHA-256 hash (hexadecimal) of the execution.

        It covers every column but ``round`` and ``detail``, so it depends neither on how the simulator was driven nor
        on whether changed variables were recorded. Codes are renumbered in order of first appearance, and the names
        are included in that order, so the order of the tables of names does not matter.
        """
        digest = hashlib.sha256()
        for name in ("time", "message", "lamport", "chain", "cause", "bits", "kind"):
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(self.rows[name]).tobytes())
        for name, table, null in (
            ("process", self.processes, -1),
            ("peer", self.processes, -1),
            ("label", self.labels, -1),
            ("state", self.states, NO_STATE),
        ):
            codes, names = _canonical(self.rows[name], table, null)
            digest.update(name.encode())
            digest.update(json.dumps(names).encode())
            digest.update(codes.astype("<i4").tobytes())
        return digest.hexdigest()


def _canonical(codes: NDArray[Any], table: Sequence[str], null: int) -> tuple[NDArray[np.int32], list[str]]:
    """Return the codes renumbered by first appearance, and the names in that order."""
    values, first = np.unique(codes, return_index=True)
    values = values[np.argsort(first, kind="stable")]
    values = values[values != null]
    width = max(int(codes.max(initial=0)), null, 0) + 2
    rank = np.full(width, -1, dtype=np.int32)
    rank[values] = np.arange(len(values), dtype=np.int32)
    return rank[codes], [table[int(v)] for v in values]


def _name(table: Sequence[str], code: int) -> str | None:
    return None if code < 0 else table[code]


def _some(value: int) -> int | None:
    return None if value < 0 else value
