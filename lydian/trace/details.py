"""The contents of a trace's ``detail`` texts: durations of steps, waiting times of messages, values of variables.

The texts are read once, in blocks, and only those that can contain such entries. Values are shared: do not change them.
"""

from __future__ import annotations

import copy
import heapq
import json
import math
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.differences import Differences
from lydian.trace.events import Trace

__all__ = ["Added", "Details", "as_object", "changes_in", "detail_texts"]

BLOCK = 4_096
#: The keys of a detail that are read here.
KEYS = ("changed", "grown", "busy", "waited")
#: Values longer than ``LONG``, and values beyond the first ``DIFFERENT`` distinct ones, are not shared.
LONG, DIFFERENT = 16, 50_000
#: The length of the texts whose other values are kept as they were read; those of later texts stay in the trace until
#: needed.
MOST_TEXT = 1 << 24

Rows = NDArray[np.int32]


def detail_texts(trace: Trace, start: int = 0, keys: Collection[str] = ()) -> Iterator[tuple[int, str]]:
    """Yield ``seq`` and the JSON text of each event from ``start`` on that has a ``detail``, in order.

    ``trace.detail_of`` is called for every row unless it gives all texts at once: it is the ``get`` of a mapping from
    ``seq`` to text, or it (or the object whose method it is) has a method ``texts(start)`` that yields pairs of ``seq``
    and text in order, from the event ``start`` on; if it has a method ``texts_with(keys, start)``, that is called for
    texts with certain keys. A text from a file of unknown origin need not be JSON: see :func:`as_object`.

    Args:
        keys: names; texts that contain none of them in quotes are left out. If empty, none is left out.
    """
    length = len(trace)
    ask = trace.detail_of
    owner: Any = getattr(ask, "__self__", ask)
    pairs: Iterable[tuple[int, str | None]]
    if keys and callable(getattr(owner, "texts_with", None)):
        pairs = owner.texts_with(keys, start)
    elif callable(getattr(owner, "texts", None)):
        pairs = owner.texts(start)
    elif isinstance(owner, Mapping):
        pairs = sorted(owner.items())
    else:
        pairs = ((seq, ask(seq)) for seq in range(start, length))
    quoted = [f'"{key}"' for key in keys]
    for seq, text in pairs:
        if text is not None and start <= seq < length and (not quoted or any(key in text for key in quoted)):
            yield int(seq), text


def as_object(text: str) -> dict[str, Any]:
    """Parse the text of a detail; a text that is not a JSON object becomes an object that contains it."""
    value = _one(text)
    return value if isinstance(value, dict) else {"text": text}


def changes_in(trace: Trace, seq: int, text: str) -> Mapping[str, Any]:
    """Return the variables that an event changed, with their whole values; ``text`` is its detail as recorded."""
    if '"grown"' in text:
        found: Any = trace.detail(seq)
    elif '"changed"' in text:
        found = as_object(text)
    else:
        return {}
    changed = found.get("changed") if isinstance(found, dict) else None
    return changed if isinstance(changed, dict) else {}


def _as_before(trace: Trace, earlier: Trace) -> bool:
    """Return whether the first values of a trace are the same objects as those of a shorter one."""
    same = all(trace.summary.get(key) is earlier.summary.get(key) for key in ("initial", "first"))
    return same and trace.processes == earlier.processes


def first_values(trace: Trace) -> list[dict[str, Any]]:
    """Return the variables of each process before the first event, as far as the trace contains them."""
    common, own = trace.summary.get("initial"), trace.summary.get("first")
    common = dict(common) if isinstance(common, Mapping) else {}
    own = own if isinstance(own, Mapping) else {}
    found = (own.get(name) for name in trace.processes)
    if "roles" in trace.summary:  # each process has only the variables of its role
        common = {}
    return [{**common, **each} if isinstance(each, Mapping) else common for each in found]


class Added:
    """Variables that are not recorded but derived from recorded ones, and read like them; the trace may grow.

    Args:
        names: the names of the variables.
        first: their values at each process before the first event.
    """

    def __init__(self, names: Iterable[str], first: list[dict[str, Any]]) -> None:
        self.first, self.values = first, list[Any]()
        self.changes = {name: (array("i"), array("i")) for name in names}
        self._codes: dict[str, int] = {}

    def put(self, seq: int, changed: Mapping[str, Any]) -> None:
        """Add the changes of an event to variables of its process; call it in the order of the events."""
        for name, value in changed.items():
            key = json.dumps(value)
            if key not in self._codes:
                self._codes[key] = len(self.values)
                self.values.append(value)
            self.changes[name][0].append(seq)
            self.changes[name][1].append(self._codes[key])

    def walk(self, start: int) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the changes from event ``start`` on one by one, in order."""
        rows = (
            [(seq, {name: self.values[code]}) for seq, code in zip(where, codes, strict=True) if seq >= start]
            for name, (where, codes) in self.changes.items()
        )
        return heapq.merge(*rows, key=itemgetter(0))


class Details:
    """The details of a trace as arrays.

    Attributes:
        busy: float64 (rows,): how long the step of each event took, 0 if it took no time.
        waited: float64 (rows,): how long the message of each ``receive`` waited for a busy process.
        works, waits: whether any step took time, and whether any message waited. If not, ``busy`` or ``waited``
            takes no memory.
        names: all variables, those with an initial value first.
    """

    def __init__(self, trace: Trace, earlier: Details | None = None) -> None:
        """Read the details of a trace.

        Args:
            earlier: the details of the same trace when it was shorter, to be reused.
        """
        self._trace = trace
        self._added: Added | None = None
        self._fetched: dict[tuple[int, str], Any] = {}
        self._roles = "roles" in trace.summary
        self._processes = len(trace.processes)
        initial = trace.summary.get("initial", {})
        self._initial: dict[str, Any] = dict(initial) if isinstance(initial, Mapping) else {}
        known = earlier._first if earlier is not None and _as_before(trace, earlier._trace) else None
        self._first: list[dict[str, Any]] = first_values(trace) if known is None else known
        if earlier is None:
            self._raw = _Raw(self._initial)
            start = 0
        else:
            self._raw, start = earlier._raw, len(earlier._trace)
        lengths, changes, values = self._raw.lengths, self._raw.changes, self._raw.values
        for block in _blocks(detail_texts(trace, start, KEYS)):
            for (seq, text), detail in zip(block, _parse([text for _, text in block]), strict=True):
                if not isinstance(detail, dict):
                    continue
                for name, (where, long) in lengths.items():
                    if name in detail:
                        where.append(seq)
                        long.append(_length(detail[name]))
                left: dict[str, dict[str, Any]] = {}
                for key in ("changed", "grown"):
                    changed = detail.get(key)
                    for name, value in changed.items() if isinstance(changed, dict) else ():
                        if name not in changes:
                            changes[name] = array("i"), array("i")
                        code = values.code(value) if key == "changed" else -1
                        changes[name][0].append(seq)
                        changes[name][1].append(code)
                        if code < 0:
                            left.setdefault(key, {})[name] = value
                if left:
                    self._raw.leave(seq, left, len(text))
        self.busy, self.works = _dense(len(trace), *lengths["busy"])
        self.waited, self.waits = _dense(len(trace), *lengths["waited"])
        self.names = tuple(changes)
        self._values = values.all
        self._differences = Differences(self._left)
        self._changes = {name: self._index(trace, *lists) for name, lists in changes.items()}

    def _index(self, trace: Trace, where: array[int], codes: array[int]) -> tuple[Rows, Rows, NDArray[np.int64]]:
        """Return the changes of one variable, process by process: events, codes of values, and where each begins."""
        at, code = np.array(where, dtype=np.int32), np.array(codes, dtype=np.int32)
        process = np.asarray(trace.column("process"))[at]
        order = np.argsort(process, kind="stable")
        starts = np.searchsorted(process[order], np.arange(self._processes + 1, dtype=np.int32))
        return at[order], code[order], starts.astype(np.int64)

    def of(self, process: int, k: int) -> dict[str, tuple[Any, int]]:
        """Return all variables of a process at position k: value, and the event that last set it, -1 if none did."""
        found: dict[str, tuple[Any, int]] = {}
        for name, (at, codes, starts) in self._changes.items():
            first, stop = int(starts[process]), int(starts[process + 1])
            last = first + int(np.searchsorted(at[first:stop], np.int32(k))) - 1
            if last >= first:
                seq = int(at[last])
                found[name] = (self._value(name, int(codes[last]), seq), seq)
            elif not self._roles or name in self._first[process]:
                found[name] = (self._first[process].get(name), -1)
        return found

    def across(self, name: str, k: int) -> list[Any]:
        """Return the value of one variable at every process at position k; ``None`` where it is unknown."""
        return [value for value, _ in self.last(name, k)]

    def at(self, name: str, process: int, k: int) -> Any:
        """Return the value of one variable at one process at position k; ``None`` if it is unknown."""
        if name in self._changes:
            at, codes, starts = self._changes[name]
            first, stop = int(starts[process]), int(starts[process + 1])
            last = first + int(np.searchsorted(at[first:stop], np.int32(k))) - 1
            if last >= first:
                return self._value(name, int(codes[last]), int(at[last]))
        return self._first[process].get(name)

    def last(self, name: str, k: int) -> list[tuple[Any, int]]:
        """Return the values as :meth:`across` does, each with the event that last set it, -1 if none did."""
        starting = [each.get(name) for each in self._first]
        if name not in self._changes or not len(self._changes[name][0]):
            return [(start, -1) for start in starting]
        at, codes, starts = self._changes[name]
        low, high = starts[:-1].copy(), starts[1:].copy()
        while (low < high).any():  # one search for all processes: the first change at or after position k
            middle = (low + high) // 2
            open_ = low < high
            before = open_ & (at[np.minimum(middle, len(at) - 1)] < k)
            low = np.where(before, middle + 1, low)
            high = np.where(open_ & ~before, middle, high)
        last = low - 1
        has = last >= starts[:-1]
        return [
            (self._value(name, code, seq), seq) if there else (start, -1)
            for start, code, seq, there in zip(
                starting, codes[last].tolist(), at[last].tolist(), has.tolist(), strict=True
            )
        ]

    def history(self, name: str, start: int = 0) -> tuple[Rows, Rows]:
        """Return the changes of a variable from event ``start`` on, in order: the events, and the codes of the values.

        Equal codes mean equal values, except for -1, which is the code of any value left in the trace. :meth:`value`
        returns the value of a code.
        """
        changes = self._raw.changes if self._added is None or name in self._raw.changes else self._added.changes
        where, codes = changes.get(name, (array("i"), array("i")))
        first, stop = bisect_left(where, start), bisect_left(where, len(self._trace))
        return np.array(where[first:stop], dtype=np.int32), np.array(codes[first:stop], dtype=np.int32)

    def value(self, name: str, code: int, seq: int) -> Any:
        """Return the value of a code that :meth:`history` gives for the event ``seq``."""
        return self._value(name, code, seq)

    @property
    def kin(self) -> object:
        """An object shared by all details of one growing trace, and by those of no other trace."""
        return self._raw if self._added is None else self._added

    @property
    def first(self) -> list[dict[str, Any]]:
        """The variables of each process before the first event, as far as they are known."""
        return self._first

    def walk(self, start: int = 0, only: Collection[str] = ()) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yield the events from ``start`` on that change variables, in order, with the whole values.

        Args:
            only: names of variables; events that change none of them may be left out. If empty, none is left out.
        """
        trace = self._trace
        recorded: Iterator[tuple[int, Mapping[str, Any]]] = (
            (seq, changes_in(trace, seq, text))
            for seq, text in detail_texts(trace, start, only or ("changed", "grown"))
        )
        if self._added is None:
            yield from (row for row in recorded if row[1])
            return
        for seq, rows in groupby(heapq.merge(recorded, self._added.walk(start), key=itemgetter(0)), key=itemgetter(0)):
            changed = {name: value for _, each in rows for name, value in each.items()}
            if changed and seq < len(trace):
                yield seq, changed

    def with_added(self, trace: Trace, added: Added) -> Details:
        """Return a copy that also contains variables derived from the recorded ones."""
        found = copy.copy(self)
        found._added = added
        found._first = [{**first, **more} for first, more in zip(self._first, added.first, strict=True)]
        found.names = (*self.names, *added.changes)
        found._changes = dict(self._changes)
        for name, (where, codes) in added.changes.items():
            stop = bisect_left(where, len(trace))
            found._changes[name] = self._index(trace, where[:stop], codes[:stop])
        return found

    def step(self, name: str, code: int, seq: int) -> tuple[Any, bool]:
        """Return what an event recorded of a variable: the whole value, or the difference from the previous one.

        Args:
            name, code, seq: a change of the variable as :meth:`history` gives it.

        Returns:
            The value and False, or a difference as described in :mod:`lydian.trace.differences` and True.
        """
        if code < 0 and (self._added is None or name in self._raw.changes):
            grown = (self._left(seq) or {}).get("grown")
            if isinstance(grown, dict) and isinstance(grown.get(name), dict):
                return grown[name], True
        return self._value(name, code, seq), False

    def _left(self, seq: int) -> Mapping[str, Any] | None:
        """Return the values and differences of an event that are not shared: those that were kept, or its detail."""
        kept = self._raw.left.get(seq)
        return self._trace.recorded(seq) if kept is None else kept

    def _value(self, name: str, code: int, seq: int) -> Any:
        """Return a value; if it is not shared, take it from what was kept or from the trace, and keep it."""
        if self._added is not None and name not in self._raw.changes:
            return self._added.values[code]
        if code >= 0:
            return self._values[code]
        if (seq, name) not in self._fetched:
            if len(self._fetched) >= DIFFERENT:
                self._fetched.clear()
            self._fetched[seq, name] = self._differences.value(name, seq)
        return self._fetched[seq, name]


class _Raw:
    """The contents of the details, in order of the events; they grow with the trace."""

    def __init__(self, names: Iterable[str]) -> None:
        self.lengths = {"busy": (array("i"), array("d")), "waited": (array("i"), array("d"))}
        self.changes = {name: (array("i"), array("i")) for name in names}
        self.values = _Values()
        self.left: dict[int, dict[str, dict[str, Any]]] = {}
        self._text = 0

    def leave(self, seq: int, left: dict[str, dict[str, Any]], length: int) -> None:
        """Keep the values and differences of an event that are not shared, if there is room.

        Args:
            length: that of the text from which they were read.
        """
        if self._text < MOST_TEXT:
            self._text += length
            self.left[seq] = left


class _Values:
    """The values of variables, each stored only once; -1 is the code of a value that stays in the trace."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._codes: dict[tuple[type, Any], int] = {}

    def code(self, value: Any) -> int:
        kind = type(value)
        plain = value is None or isinstance(value, int | float)
        if not plain and len(value) > LONG:
            return -1
        key = (kind, repr(value) if kind is float or not (plain or kind is str) else value)
        known = self._codes.get(key)
        if known is not None:
            return known
        if len(self._codes) < DIFFERENT and len(str(key[1])) <= 8 * LONG:
            self._codes[key] = len(self.all)
        elif not plain:
            return -1
        self.all.append(value)
        return len(self.all) - 1


def _dense(length: int, where: array[int], values: array[float]) -> tuple[NDArray[np.float64], bool]:
    """Return durations, one for each row, and whether any of them differs from 0."""
    found = np.array(values, dtype=np.float64)
    if not found.any():
        return np.broadcast_to(np.float64(0.0), (length,)), False
    dense = np.zeros(length)
    dense[np.array(where, dtype=np.int64)] = found
    return dense, True


def _blocks(pairs: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    for seq, text in pairs:
        block.append((seq, text))
        if len(block) == BLOCK:
            yield block
            block = []
    yield block


def _parse(texts: list[str]) -> list[Any]:
    """Parse the texts, with a single call if possible; a text that is not JSON gives ``None``."""
    try:
        parsed = json.loads("[" + ",".join(texts) + "]")
        if len(parsed) == len(texts):
            return list(parsed)
    except (ValueError, RecursionError):
        pass
    return [_one(text) for text in texts]


def _one(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _length(value: Any) -> float:
    """Return a value as a duration, 0 if it is not one."""
    good = isinstance(value, int | float) and math.isfinite(value) and value > 0
    return float(value) if good else 0.0
