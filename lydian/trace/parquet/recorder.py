"""The recorder of a run in progress, which packs rows into chunks and can be read at any moment.

A row takes 44 bytes. Rows are packed with :func:`struct.pack_into` into a chunk; a full chunk becomes a structured
array and is never changed again. So memory grows only with the record itself, and the garbage collector has no objects
to examine. Details (JSON texts of a few events) are kept apart from the rows, joined into one block per chunk.
"""

from __future__ import annotations

import bisect
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import shown
from lydian.model.protocol.message import Record
from lydian.trace.events import ROW

__all__ = ["ROW_BYTES", "Recorder", "plain", "to_json"]

ROW_BYTES = ROW.itemsize
_FIRST_ROWS = 1024
_MOST_ROWS = 65_536
_LAST_ROUND = 2**31 - 1

_texts: dict[str, str] = {}


def plain(value: Any) -> Any:
    """Return a value as it is after being written to and read from JSON."""
    return json.loads(to_json(value))


def to_json(value: Any) -> str:
    """Return the value of a variable or field as JSON: sets as sorted lists, messages as objects with their ``kind``.

    Numbers that JSON does not support (NaN, infinity) and objects of other types become texts.
    """
    kind = type(value)
    if kind is str:
        text = _texts.get(value)
        if text is None:
            text = json.dumps(value)
            if len(_texts) < 100_000:
                _texts[value] = text
        return text
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if kind is int:
        return repr(value)
    if kind is float:
        return repr(value) if value - value == 0.0 else f'"{value!r}"'
    if kind is set or kind is frozenset:
        return "[" + ",".join(sorted(sorted(map(to_json, value)), key=len)) + "]"
    if kind is list or kind is tuple:
        return "[" + ",".join(map(to_json, value)) + "]"
    if kind is dict:
        return "{" + ",".join(f"{to_json(_key(key))}:{to_json(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Record):
        inside = "".join(f",{json.dumps(name)}:{to_json(item)}" for name, item in value._items())
        return f'{{"kind":{json.dumps(kind.__name__)}{inside}}}'
    if isinstance(value, str):
        return json.dumps(str(value))
    if isinstance(value, int):
        return repr(int(value))
    return json.dumps(shown(value))


def _key(key: Any) -> str:
    return key if type(key) is str else str(key) if isinstance(key, (str, int, float, bool)) else shown(key)


@dataclass(frozen=True)
class _Details:
    """The details of one chunk: text i belongs to event ``seqs[i]`` and is ``block[ends[i-1]:ends[i]]``."""

    seqs: NDArray[np.int64]
    ends: NDArray[np.int64]
    block: bytes

    def text(self, i: int) -> str:
        start = int(self.ends[i - 1]) if i else 0
        return self.block[start : int(self.ends[i])].decode()


class Recorder:
    """A recorder of packed rows from the kernel, chunk by chunk.

    The kernel packs rows into :attr:`buffer` and calls :meth:`roll` when it is full; :meth:`note` attaches a detail.

    Args:
        round_length: the simulated time of a round, from which the ``round`` column is computed.
    """

    def __init__(self, round_length: float = 1.0) -> None:
        self.round_length = round_length
        self.buffer = bytearray(_FIRST_ROWS * ROW_BYTES)
        self.first = 0  # the seq of the first row in the buffer
        self._chunks: list[NDArray[np.void]] = []
        self._details: list[_Details] = []
        self._waiting: list[tuple[int, str]] = []
        self.note: Callable[[tuple[int, str]], None] = self._waiting.append

    def roll(self, used: int) -> bytearray:
        """Seal the buffer, of which ``used`` bytes contain rows, and return an empty one.

        The new buffer is as large as the whole record so far, but at most 64 k rows.
        """
        rows = np.frombuffer(bytes(memoryview(self.buffer)[:used]), dtype=ROW).copy()
        self._seal(rows)
        self.first += len(rows)
        self._chunks.append(rows)
        size = min(_MOST_ROWS, max(_FIRST_ROWS, self.first)) * ROW_BYTES
        if size != len(self.buffer):
            self.buffer = bytearray(size)
        return self.buffer

    def _seal(self, rows: NDArray[np.void]) -> None:
        rows["round"] = self._rounds(rows["time"])
        texts = [text.encode() for _, text in self._waiting]
        self._details.append(
            _Details(
                np.array([seq for seq, _ in self._waiting], dtype=np.int64),
                np.cumsum([len(text) for text in texts], dtype=np.int64),
                b"".join(texts),
            )
        )
        self._waiting.clear()

    def _rounds(self, times: NDArray[np.float64]) -> NDArray[np.int32]:
        """Return the rounds of these times, at most 2^31 - 1."""
        with np.errstate(over="ignore"):  # an overflowing quotient is also a late round
            return np.minimum(np.floor(times / self.round_length), _LAST_ROUND).astype(np.int32)

    def rows(self, used: int, start: int = 0) -> NDArray[np.void]:
        """Return all rows from ``start`` on, including those in the buffer (``used`` bytes of it)."""
        skipped = max(0, start - self.first) * ROW_BYTES
        open_rows = np.frombuffer(bytearray(memoryview(self.buffer)[min(skipped, used) : used]), dtype=ROW)
        open_rows["round"] = self._rounds(open_rows["time"])
        if skipped or start == self.first:
            return open_rows
        parts, at = [], 0
        for chunk in [*self._chunks, open_rows]:
            if at + len(chunk) > start:
                parts.append(chunk[max(0, start - at) :])
            at += len(chunk)
        return np.concatenate(parts) if parts else open_rows[:0]

    def detail_of(self, seq: int) -> str | None:
        """Return the JSON text of an event's detail, or ``None``."""
        if seq >= self.first:
            at = bisect.bisect_left(self._waiting, (seq, ""))
            if at < len(self._waiting) and self._waiting[at][0] == seq:
                return self._waiting[at][1]
            return None
        chunk = bisect.bisect_right(self._starts(), seq) - 1
        details = self._details[chunk]
        at = int(np.searchsorted(details.seqs, seq))
        if at < len(details.seqs) and details.seqs[at] == seq:
            return details.text(at)
        return None

    def texts(self, start: int = 0) -> Iterator[tuple[int, str]]:
        """Yield the details of all events from ``start`` on, in order: ``seq`` and JSON text."""
        for details in self._details if start < self.first else ():
            first = int(np.searchsorted(details.seqs, start))
            at = int(details.ends[first - 1]) if first else 0
            for seq, end in zip(details.seqs[first:].tolist(), details.ends[first:].tolist(), strict=True):
                yield seq, details.block[at:end].decode()
                at = end
        yield from self._waiting[bisect.bisect_left(self._waiting, (start, "")) :]

    def _starts(self) -> Sequence[int]:
        starts, at = [], 0
        for chunk in self._chunks:
            starts.append(at)
            at += len(chunk)
        return starts

    @property
    def bytes(self) -> int:
        """The memory that the record takes, in bytes."""
        sealed = sum(chunk.nbytes for chunk in self._chunks)
        details = sum(len(d.block) + d.seqs.nbytes + d.ends.nbytes for d in self._details)
        return len(self.buffer) + sealed + details
