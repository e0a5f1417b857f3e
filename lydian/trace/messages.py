"""The messages of a trace: where each begins and ends, and what follows from that."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import Kind
from lydian.trace.store import Picked

__all__ = ["BLOCK", "MessageTable", "wanted_kinds"]

Rows = NDArray[np.int32]
Floats = NDArray[np.float64]

#: Rows or messages that are looked at together, so that looking takes little memory.
BLOCK = 1 << 18


class MessageTable:
    """What a :class:`~lydian.trace.timeline.Timeline` knows of messages, made of its columns.

    Attributes:
        m_messages: number of messages, 0..m_messages-1.
        sends: (m_messages,) the event that sent a message (``send`` or ``inject``), -1 if the trace has none.
        receives: (m_messages,) the event that ended it (``receive`` or ``drop``, the first of them), -1 if it is
            still in transit at the end.
        lost: (m_messages,) whether that event is a ``drop``.
        message_source, message_target, message_label: (m_messages,) codes.
        message_sent, message_arrived: (m_messages,) times; ``message_arrived`` is inf if it never arrived, and
            when the process was busy the time its step began; see :attr:`message_reached`.
        message_bits: (m_messages,) sizes, -1 where none is known.

    What is kept for each message is where it begins and ends; the other ``message_`` arrays are looked up in the
    columns when asked for (:class:`~lydian.trace.store.Picked`), at best for the messages of interest only.
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
        """The table of messages from the rows that send and end them."""
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
        """The first row of one of the kinds for each message, -1 where there is none."""
        found = np.full(m, -1, dtype=np.int32)
        wanted = wanted_kinds(kinds)
        for stop in range(self.length, 0, -BLOCK):  # from the end: of several the first stays
            start = max(0, stop - BLOCK)
            rows = np.flatnonzero(wanted[self.kind[start:stop]] & (self.message[start:stop] >= 0))[::-1] + start
            found[self.message[rows]] = rows
        return found

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """The pairs of processes (low, high) that a message went between, (pairs, 2), ascending."""
        found = np.empty(0, dtype=np.int64)
        for start in range(0, self.m_messages, BLOCK):
            source, target = self.message_source[start : start + BLOCK], self.message_target[start : start + BLOCK]
            low = np.minimum(source, target).astype(np.int64)
            keys = (low * self.n + np.maximum(source, target))[low >= 0]
            small = self.n * self.n <= 4 * BLOCK  # then counting is faster than sorting
            keys = np.flatnonzero(np.bincount(keys)) if small else np.unique(keys)
            found = np.union1d(found, keys)
        return np.column_stack((found // max(self.n, 1), found % max(self.n, 1)))


def _as_array(picked: Any) -> Any:
    """A looked-up column under the type of the array that it stands for."""
    return picked


def wanted_kinds(kinds: Collection[int] | None) -> NDArray[np.bool_]:
    """A table, indexed by code of kind, of which kinds are among the given ones; ``None`` means all."""
    table = np.full(256, kinds is None)
    if kinds is not None:
        table[list(kinds)] = True
    return table
