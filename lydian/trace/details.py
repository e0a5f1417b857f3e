"""What the ``detail`` texts of a trace say: lengths of steps, waiting at the door, values of variables.

The texts are read once, in blocks, and only those that can say something.  Values are shared: do not change them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import Trace

__all__ = ["Details", "as_object", "detail_texts"]

BLOCK = 4_096
#: Values longer than this, and those beyond so many different ones, stay in the trace until they are asked for.
LONG, DIFFERENT = 16, 50_000
_LATER = object()


def detail_texts(trace: Trace) -> Iterator[tuple[int, str]]:
    """Every event that has a ``detail``, in order: its ``seq`` and the JSON text.

    ``trace.detail_of`` is asked for every row, unless it can tell them all by itself: it is the ``get`` of a
    mapping from ``seq`` to text, or it, or the object whose method it is, has a method ``texts()`` that gives
    pairs of ``seq`` and text in order.  A text from a file of unknown origin need not be JSON: see
    :func:`as_object`.
    """
    length = len(trace)
    ask = trace.detail_of
    owner: Any = getattr(ask, "__self__", ask)
    pairs: Iterable[tuple[int, str | None]]
    if callable(getattr(owner, "texts", None)):
        pairs = owner.texts()
    elif isinstance(owner, Mapping):
        pairs = sorted(owner.items())
    else:
        pairs = ((seq, ask(seq)) for seq in range(length))
    for seq, text in pairs:
        if text is not None and 0 <= seq < length:
            yield int(seq), text


def as_object(text: str) -> dict[str, Any]:
    """What a detail's text says; a text that is no JSON object becomes one with that text in it."""
    value = _one(text)
    return value if isinstance(value, dict) else {"text": text}


class Details:
    """The details of a trace as arrays.

    Attributes:
        busy: float64 (rows,): how long the step of the event took, 0 if it took no time.
        waited: float64 (rows,): how long the message of a ``receive`` stood at the door of a busy process.
        names: every variable, those with an initial value first.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._rows = len(trace)
        self._fetched: dict[tuple[int, str], Any] = {}
        self._processes = len(trace.processes)
        self.busy = np.zeros(self._rows)
        self.waited = np.zeros(self._rows)
        initial = trace.summary.get("initial", {})
        self._initial: dict[str, Any] = dict(initial) if isinstance(initial, Mapping) else {}
        changes: dict[str, tuple[list[int], list[Any]]] = {name: ([], []) for name in self._initial}
        shared: dict[str, Any] = {}
        for block in _blocks(detail_texts(trace)):
            for seq, detail in zip((seq for seq, _ in block), _parse([text for _, text in block]), strict=True):
                if not isinstance(detail, dict):
                    continue
                if "busy" in detail:
                    self.busy[seq] = _length(detail["busy"])
                if "waited" in detail:
                    self.waited[seq] = _length(detail["waited"])
                changed = detail.get("changed")
                if isinstance(changed, dict):
                    for name, value in changed.items():
                        where, values = changes.setdefault(name, ([], []))
                        where.append(seq)
                        values.append(_kept(value, shared))
        self.names = tuple(changes)
        self._changes = {name: self._index(trace, *lists) for name, lists in changes.items()}

    def _index(self, trace: Trace, seqs: list[int], values: list[Any]) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
        """One sorted key per change, process x rows + seq, so that one search finds the last before a position."""
        at = np.array(seqs, dtype=np.int64)
        keys = trace.column("process")[at].astype(np.int64) * (self._rows + 1) + at
        boxed = np.empty(len(values), dtype=np.object_)
        for i, value in enumerate(values):  # not boxed[:] = values, which would unpack lists
            boxed[i] = value
        order = np.argsort(keys, kind="stable")
        return keys[order], boxed[order]

    def of(self, process: int, k: int) -> dict[str, tuple[Any, int]]:
        """Every variable of a process at position k: its value and the event that last set it, -1 if none did."""
        base = process * (self._rows + 1)
        found: dict[str, tuple[Any, int]] = {}
        for name, (keys, values) in self._changes.items():
            last = int(np.searchsorted(keys, base + k)) - 1
            if last >= 0 and keys[last] >= base:
                seq = int(keys[last]) - base
                found[name] = (self._value(name, values[last], seq), seq)
            else:
                found[name] = (self._initial.get(name), -1)
        return found

    def across(self, name: str, k: int) -> list[Any]:
        """The value of one variable at every process at position k; ``None`` where nothing is known of it."""
        start = self._initial.get(name)
        if name not in self._changes or not len(self._changes[name][0]):
            return [start] * self._processes
        keys, values = self._changes[name]
        base = np.arange(self._processes, dtype=np.int64) * (self._rows + 1)
        last = np.searchsorted(keys, base + k) - 1
        has = (last >= 0) & (keys[last] >= base)
        seqs = (keys[last] - base).tolist()
        return [
            self._value(name, values[i], seq) if there else start
            for i, seq, there in zip(last.tolist(), seqs, has.tolist(), strict=True)
        ]

    def _value(self, name: str, value: Any, seq: int) -> Any:
        """A value, fetched from the trace if it was left there; the last ones fetched are kept."""
        if value is not _LATER:
            return value
        if (seq, name) not in self._fetched:
            if len(self._fetched) >= DIFFERENT:
                self._fetched.clear()
            self._fetched[seq, name] = (self._trace.detail(seq) or {})["changed"][name]
        return self._fetched[seq, name]


def _kept(value: Any, shared: dict[str, Any]) -> Any:
    """A value to keep in memory, equal ones only once; or a sign that it stays in the trace."""
    if value is None or isinstance(value, int | float):
        return value
    if len(value) > LONG:
        return _LATER
    key = repr(value)
    if key not in shared:
        if len(shared) >= DIFFERENT or len(key) > 8 * LONG:
            return _LATER
        shared[key] = value
    return shared[key]


def _blocks(pairs: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    for seq, text in pairs:
        if '"changed"' in text or '"busy"' in text or '"waited"' in text:
            block.append((seq, text))
            if len(block) == BLOCK:
                yield block
                block = []
    yield block


def _parse(texts: list[str]) -> list[Any]:
    """The texts parsed, by one call for all of them; a text that is no JSON gives ``None``."""
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
    """A length of time, 0 if the value is none."""
    good = isinstance(value, int | float) and math.isfinite(value) and value > 0
    return float(value) if good else 0.0
