"""The communication view: the messages that each process has sent or received, by kind, one column each.

Where the processes communicate by shared objects instead, a column shows the accesses of a process by operation. In a
recorded run, an outline above each column shows its future, so that the column grows into the outline. Tables are
computed once for each execution.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc
from lydian.model.errors import BadInput, did_you_mean
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.accesses import accesses
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.future import TO_COME
from lydian.views.network.liars import liars_at
from lydian.views.registry import Choice, View
from lydian.views.selection import NOTHING, Hit, Selection
from lydian.views.time.axis import step_above
from lydian.views.time.ordering import arranged
from lydian.views.words.expressions import links_of
from lydian.views.words.sums import expects, title_of
from lydian.views.words.theory import expected_total, theory

__all__ = ["SORTS", "VIEW", "WHATS", "CommunicationFrame", "frame"]

#: The quantities and orders of columns, with their words.
WHATS = {
    "sent": tr("Messages sent"),
    "received": tr("Messages received"),
    "bits": tr("Bits sent"),
    "accesses": tr("Accesses to shared objects"),
}
SORTS = {
    "id": tr("By name"),
    "value": tr("Most first"),
    "degree": tr("Most links first"),
    "cluster": tr("Neighbours beside each other"),
}

#: The number of messages between two key frames of the running totals of bits.
BLOCK = 16_384


@dataclass(frozen=True, eq=False)
class CommunicationFrame:
    """The columns at a moment.

    ``n`` columns from left to right, ``L`` kinds of message that occur in this execution, from bottom to top.
    """

    title: str
    about: str
    what: str
    #: process shown in each column, int32 (n,)
    columns: NDArray[np.int32]
    #: ids under the columns
    names: tuple[str, ...]
    #: names of the kinds of message, and the number of their look
    labels: tuple[str, ...]
    kinds: tuple[int, ...]
    #: so far, by column and kind, int64 (n, L)
    so_far: NDArray[np.int64]
    #: still to come, by column and kind, int64 (n, L); zero if the future is unknown
    to_come: NDArray[np.int64]
    #: largest message so far in bits by column, int64 (n,); 0 before the first
    largest: NDArray[np.int64]
    #: the one size of all messages of the execution, ``None`` if they differ
    constant_bits: int | None
    #: largest message of the whole execution, the scale of the circles
    scale_bits: int
    #: look of each process, int32 (n,), and whether it has crashed, bool (n,)
    slots: NDArray[np.int32]
    crashed: NDArray[np.bool_]
    #: number of links of each process, int64 (n,)
    degree: NDArray[np.int64]
    selected: NDArray[np.bool_]
    initiators: NDArray[np.bool_]
    mean: float
    median: float
    #: highest column of the whole execution: the scale does not change while it plays
    top: int
    #: the ten columns that are highest now, highest first
    highest: tuple[int, ...]
    #: what theory says beside what was sent, in words that get fewer; empty if it says nothing of this
    expects: tuple[str, ...] = ()
    show_degree: bool = False
    #: column under the pointer, -1 if none
    hover: int = -1
    #: columns of Byzantine processes
    liars: frozenset[int] = frozenset()

    @property
    def heights(self) -> NDArray[np.int64]:
        """The totals so far by column, all kinds together."""
        return np.asarray(self.so_far.sum(axis=1), dtype=np.int64)


def frame(
    timeline: Timeline,
    t: float,
    selection: Selection = NOTHING,
    *,
    animation: Animation | None = None,
    what: str = "sent",
    sort: str = "id",
    future: bool = True,
    degree: bool = False,
    hover: Hit | None = None,
) -> CommunicationFrame:
    """Return the columns at time ``t``.

    Args:
        t: the moment, in simulated time; every event up to and at ``t`` has happened.
        selection: the columns of selected processes are tinted.
        animation: colours and words; the protocol's own by default.
        what: ``"sent"``, ``"received"`` (messages), ``"bits"`` (sent), or ``"accesses"`` (to shared objects), which is
            also what an execution with shared objects and without messages shows for ``"sent"``.
        sort: ``"id"``, ``"value"`` (most first, by the whole execution), ``"degree"`` (most links first) or
            ``"cluster"`` (neighbours beside each other).
        future: outline what is still to come.
        degree: mark the number of links of each process.
        hover: what the pointer is over in any view.

    Raises:
        BadInput: another word for ``what`` or ``sort``.
    """
    for word, words, name in ((what, WHATS, "what"), (sort, SORTS, "sort")):
        if word not in words:
            raise BadInput(f"unknown {name} '{word}'{did_you_mean(word, words)}; choose from {', '.join(words)}")
    animation = animation_for(timeline.trace) if animation is None else animation
    tables = _tables(timeline)
    if what == "sent" and tables.silent:
        what = "accesses"
    k = int(timeline.count(t))
    whole = tables.totals[what]
    labels, kinds = tables.kinds(what, animation)
    known = future and timeline.trace.summary.get("stopped") is not None
    so_far = tables.so_far(what, k)
    to_come = whole - so_far if known else np.zeros_like(so_far)
    order = arranged(timeline, sort).processes if sort == "cluster" else tables.order(what, sort)
    heights = so_far.sum(axis=1)
    n = len(order)
    slot_of = np.array([animation.slot(state) for state in timeline.trace.states] or [0], dtype=np.int32)
    codes = np.asarray(timeline.states_at(k))
    slots = slot_of[np.clip(codes, 0, len(slot_of) - 1)]
    chosen = np.zeros(n, dtype=bool)
    chosen[[p for p in selection.processes if 0 <= p < n]] = True
    largest = tables.largest_at(k)
    total, all_, done = int(heights.sum()), int(whole.sum()), heights[order]
    return CommunicationFrame(
        title=title_of(what, total, all_ if known else None, tables.scale, tables.constant, tables.expected),
        about="" if what == "accesses" else tables.theory,
        what=what,
        columns=order,
        names=tuple(timeline.processes[p] for p in order) if sort != "id" else tuple(timeline.processes),
        labels=labels,
        kinds=kinds,
        so_far=so_far[order],
        to_come=to_come[order],
        largest=largest[order],
        constant_bits=tables.constant,
        scale_bits=tables.scale,
        slots=slots[order],
        crashed=np.asarray(timeline.crashed_at(k), dtype=bool)[order],
        liars=frozenset(np.flatnonzero(np.isin(order, list(liars_at(timeline, k)))).tolist()),
        degree=tables.degree[order],
        selected=chosen[order],
        initiators=tables.initiators[order],
        mean=total / n if n else 0.0,
        median=float(np.median(heights)) if n else 0.0,
        top=int(whole.sum(axis=1).max(initial=0)) if known else _room_for(int(heights.max(initial=0))),
        highest=tuple(int(c) for c in np.argsort(-done, kind="stable")[:10]),
        expects=expects(timeline, tables.expected, total) if what == "sent" else (),
        show_degree=degree and what != "bits",
        hover=_column(order, hover),
    )


def _column(order: NDArray[np.int32], hover: Hit | None) -> int:
    """Return the column of the process under the pointer, or -1."""
    if hover is None or hover.kind != "process":
        return -1
    found = np.flatnonzero(order == hover.id)
    return int(found[0]) if len(found) else -1


class _Tables:
    """Tables that do not depend on the time: totals, key frames of bits, degrees."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline = weakref.proxy(timeline)
        self.n = len(timeline.processes)
        begin = timeline.sends
        own = timeline.kind[begin] == Kind.SEND if timeline.length else np.zeros(0, dtype=bool)
        own &= begin >= 0
        if not own.all() or bool((begin[1:] < begin[:-1]).any()):
            begin = np.sort(begin[own])
        #: The events that send a message, in order; a message injected by a fault has no sender.
        self.sends = begin
        label = timeline.label[begin]
        used = np.flatnonzero(np.bincount(label[label >= 0], minlength=len(timeline.labels)))
        self.columns = used
        self.labels = tuple(timeline.labels[code] for code in self.columns)
        self.width = len(self.columns)
        self.place = np.full(len(timeline.labels) + 1, -1, dtype=np.int64)
        self.place[self.columns] = np.arange(self.width)
        bits = timeline.bits[begin]
        self.scale = max(int(bits.max(initial=0)), 0)
        self.constant = self.scale if len(bits) and max(int(bits.min()), 0) == self.scale else None
        self.keys_bits, self.keys_largest = self._key_frames()
        end = timeline.count(np.inf)
        last = len(self.keys_bits) - 1
        self.totals = {
            "sent": self._pick(timeline.sent_at(end)),
            "received": self._pick(timeline.received_at(end)),
            "bits": self.keys_bits[last] + self._bincount(last * BLOCK, len(self.sends)),
        }
        found = [(seq, str(access.get("do"))) for seq, access in accesses(timeline) if access.get("phase") != "ends"]
        self.operations = tuple(sorted({word for _, word in found}))
        self.accesses = np.array([seq for seq, _ in found], dtype=np.int64)
        self.operation = np.array([self.operations.index(word) for _, word in found], dtype=np.int64)
        self.totals["accesses"] = self._accesses(len(found))
        #: whether the processes access shared objects and send no messages
        self.silent = bool(found) and not len(self.sends)
        self.degree = _degrees(timeline)
        self.initiators = _initiators(timeline)
        self.expected = expected_total(timeline)
        self.theory = theory(timeline)

    def _pick(self, counts: NDArray[Any]) -> NDArray[np.int64]:
        return np.asarray(counts)[:, self.columns].astype(np.int64)

    def _sent(self, start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the sender, the bits, and the column (-1 for none) of each message."""
        rows = self.sends[start:stop]
        bits = np.maximum(self.timeline.bits[rows].astype(np.int64), 0)
        return self.timeline.process[rows].astype(np.int64), bits, self.place[self.timeline.label[rows]]

    def _bincount(self, start: int, stop: int) -> NDArray[np.int64]:
        source, bits, column = self._sent(start, stop)
        here = (source >= 0) & (column >= 0)
        size = self.n * self.width
        sums = np.bincount((source * self.width + column)[here], weights=bits[here], minlength=size)
        return sums[:size].astype(np.int64).reshape(self.n, self.width)

    def _key_frames(self) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]]:
        """Return bits and the largest message before message 0, BLOCK, 2 BLOCK ..."""
        bits = [np.zeros((self.n, self.width), dtype=np.int64)]
        largest = [np.zeros(self.n, dtype=np.int64)]
        for start in range(0, len(self.sends) - BLOCK, BLOCK):
            bits.append(bits[-1] + self._bincount(start, start + BLOCK))
            largest.append(self._largest(largest[-1], start, start + BLOCK))
        return bits, largest

    def _largest(self, before: NDArray[np.int64], start: int, stop: int) -> NDArray[np.int64]:
        now = before.copy()
        source, bits, _ = self._sent(start, stop)
        if (source < 0).any():
            bits, source = bits[source >= 0], source[source >= 0]
        np.maximum.at(now, source, bits)
        return now

    def _accesses(self, count: int) -> NDArray[np.int64]:
        """Return the number of accesses of each process among the first ones, by operation."""
        of = self.timeline.process[self.accesses[:count]].astype(np.int64) * len(self.operations)
        size = self.n * len(self.operations)
        return np.bincount(of + self.operation[:count], minlength=size).reshape(self.n, len(self.operations))

    def kinds(self, what: str, animation: Animation) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the words for what a column consists of, and the numbers of their looks."""
        if what == "accesses":
            return self.operations, tuple(range(len(self.operations)))
        return (
            tuple(animation.label(label) for label in self.labels),
            tuple(animation.kind(label) for label in self.labels),
        )

    def messages(self, k: int) -> int:
        """Return how many messages have been sent in the first ``k`` events."""
        return int(np.searchsorted(self.sends, np.int32(k)))

    def so_far(self, what: str, k: int) -> NDArray[np.int64]:
        if what == "sent":
            return self._pick(self.timeline.sent_at(k))
        if what == "received":
            return self._pick(self.timeline.received_at(k))
        if what == "accesses":
            return self._accesses(int(np.searchsorted(self.accesses, k)))
        sent = self.messages(k)
        block = min(sent // BLOCK, len(self.keys_bits) - 1)
        return self.keys_bits[block] + self._bincount(block * BLOCK, sent)

    def largest_at(self, k: int) -> NDArray[np.int64]:
        sent = self.messages(k)
        block = min(sent // BLOCK, len(self.keys_largest) - 1)
        return self._largest(self.keys_largest[block], block * BLOCK, sent)

    def order(self, what: str, sort: str) -> NDArray[np.int32]:
        """Return the processes from left to right; equal ones keep the network's order."""
        if sort == "value":
            return np.argsort(-self.totals[what].sum(axis=1), kind="stable").astype(np.int32)
        if sort == "degree":
            return np.argsort(-self.degree, kind="stable").astype(np.int32)
        return np.arange(self.n, dtype=np.int32)


_made: weakref.WeakKeyDictionary[Any, tuple[int, _Tables]] = weakref.WeakKeyDictionary()


def _tables(timeline: Timeline) -> _Tables:
    """Return the tables of this execution, computed on first use and again when it has grown."""
    length = len(timeline.trace)
    known = _made.get(timeline)
    if known is None or known[0] != length:
        known = _made[timeline] = (length, _Tables(timeline))
    return known[1]


#: The degrees counted last: the network, the processes, and the numbers.
_counted: list[tuple[Mapping[str, Any], tuple[str, ...], NDArray[np.int64]]] = []


def _degrees(timeline: Timeline) -> NDArray[np.int64]:
    """Return the number of links of each process, or without a network the number of processes with which it exchanged
    messages.
    """
    n = len(timeline.processes)
    links = links_of(timeline.trace.network)
    if links is None:
        return np.bincount(timeline.pairs.ravel(), minlength=n).astype(np.int64)
    for known, names, degree in _counted:  # The network of a live run does not change.
        if known is timeline.trace.network and names == timeline.processes:
            return degree
    index = {name: i for i, name in enumerate(timeline.processes)}
    degree = np.zeros(n, dtype=np.int64)
    for link in links:
        for end in ("source", "target"):
            i = index.get(str(link.get(end)))
            if i is not None:
                degree[i] += 1
    degree.flags.writeable = False
    _counted[:] = [*_counted[-1:], (timeline.trace.network, timeline.processes, degree)]
    return degree


def _initiators(timeline: Timeline) -> NDArray[np.bool_]:
    starts = np.asarray(timeline.process)[np.asarray(timeline.kind) == Kind.INIT]
    found = np.zeros(len(timeline.processes), dtype=bool)
    found[starts[starts >= 0]] = True
    return found


def _room_for(highest: int) -> int:
    """Return the top of the scale while more events follow; it grows in steps."""
    return math.ceil(step_above(highest)) if highest else 0


VIEW = View(
    name="communication",
    entry=tr("&Communication"),
    icon="communication",
    frame=frame,
    painter="lydian.app.painters.others.communication.CommunicationPainter",
    mouse="still",
    about=tr(
        "One column for each process: the messages that it has sent so far, or its accesses to shared objects, by kind;"
        " the line is the mean."
    ),
    empty=tr("Run to see how much each process sends"),
    shows=tr("how much each process sent"),
    another=tr("Another communication view, with its own measure and order"),
    keys="Ctrl+2",
    choices=(
        Choice("what", trc("what is counted", "Count"), WHATS),
        Choice("sort", trc("of rows and columns", "Order"), SORTS),
        Choice("degree", tr("Number of links"), {False: tr("Hide it"), True: tr("Mark it")}),
        TO_COME,
    ),
    usual=True,
    beside="basic",
    how="below",
    layouts=("study",),
)
