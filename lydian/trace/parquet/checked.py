"""The conversion of columns from a file of unknown origin into rows that satisfy all invariants of a trace.

Codes are within their tables, causes come before their effects, times never decrease, and messages are numbered in
order of sending and end after they were sent. Code that reads the rows later need not check this again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import did_you_mean, shown
from lydian.trace.columns import COLUMNS, NULLABLE
from lydian.trace.events import KINDS, NO_STATE, ROW, Kind
from lydian.trace.store import Columns

__all__ = ["Broken", "Checked"]

#: The largest number of names of each sort that the codes of a row can represent.
MOST = {"process": 2**31 - 1, "label": 2**15 - 1, "state": NO_STATE, "kind": 255}
#: The number of rows that are checked together, so that the check takes little memory.
BLOCK = 1 << 18


class Broken(Exception):
    """An error in a trace file; its text is a sentence that does not name the file."""


class Checked:
    """A converter of Arrow tables with the columns of a trace, given one after the other, to checked rows.

    Args:
        length: the largest number of rows to expect.
        processes, labels, states: the names that the codes index; names missing from them are appended.

    Raises:
        Broken: there are too many rows.
    """

    def __init__(self, length: int, processes: Sequence[str], labels: Sequence[str], states: Sequence[str]) -> None:
        if length > 2**31 - 1:
            raise Broken(f"has {length:,} events; at most {2**31 - 1:,} can be shown")
        try:
            self._columns = {name: np.empty(length, dtype=ROW[name]) for name in ROW.names or ()}
        except MemoryError:
            raise Broken(f"has {length:,} events; they do not fit into memory") from None
        self._tables = {
            name: {text: code for code, text in enumerate(names)}
            for name, names in (("process", processes), ("label", labels), ("state", states), ("kind", KINDS))
        }
        self._length = length
        self.count = 0

    def names(self, table: str) -> tuple[str, ...]:
        """Return the names of ``process``, ``label`` or ``state``, including those found in the rows."""
        return tuple(self._tables[table])

    def add(self, table: Any) -> None:
        """Add the next rows.

        Raises:
            Broken: they do not describe an execution.
        """
        start, stop = self.count, self.count + table.num_rows
        if stop > self._length:
            raise Broken("is damaged: it contains more events than it declares")
        for name in COLUMNS:
            if name not in NULLABLE and table.column(name).null_count:
                raise Broken(f"is not a trace: its column '{name}' has a missing value")
        if not np.array_equal(table.column("seq").to_numpy(), np.arange(start, stop)):
            raise Broken("is not a trace: its column 'seq' must be 0, 1, 2 ...")
        before = float(self._columns["time"][start - 1]) if start else 0.0
        for name, kind in COLUMNS.items():
            if name in ("seq", "detail"):
                continue
            column = table.column(name)
            if kind != "dictionary":
                self._columns[name][start:stop] = _numbers(column, name, start, before)
                continue
            what = "process" if name == "peer" else name
            codes = self._codes(column, what)
            if what == "kind" and len(self._tables["kind"]) > len(KINDS):
                unknown = list(self._tables["kind"])[-1]
                raise Broken(f"has an event of unknown kind {shown(unknown)}{did_you_mean(unknown, KINDS)}")
            self._columns[name][start:stop] = np.where(codes < 0, NO_STATE, codes) if name == "state" else codes
        self.count = stop

    def _codes(self, column: Any, what: str) -> NDArray[np.int32]:
        """Return a dictionary column as codes, -1 for null, and add names missing from the table."""
        from lydian.trace.parquet.arrow import pa

        place = self._tables[what]
        parts = [np.empty(0, dtype=np.int32)]
        for chunk in column.chunks:
            array = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
            names = array.dictionary.to_pylist()
            indices = array.indices.fill_null(len(names)).to_numpy(zero_copy_only=False)
            codes = np.full(len(names) + 1, -1, dtype=np.int32)
            for i in np.flatnonzero(np.bincount(indices, minlength=1)[: len(names)]).tolist():
                if names[i] is not None:
                    codes[i] = place.setdefault(names[i], len(place))
            parts.append(codes[indices])
        if len(place) > MOST[what]:
            raise Broken(f"is not a trace: it has {len(place):,} {what} names; there must be at most {MOST[what]:,}")
        return np.concatenate(parts)

    def rows(self) -> Columns:
        """Return all rows added; no rows can be added afterwards.

        Raises:
            Broken: they do not describe an execution.
        """
        columns, self._columns = self._columns, {}
        if self.count < self._length:  # release the memory reserved for rows that a damaged file lacks
            columns = {name: column[: self.count].copy() for name, column in columns.items()}
        rows = Columns(columns, ROW)
        _check_rows(rows)
        return rows


def _numbers(column: Any, name: str, start: int, before: float) -> NDArray[Any]:
    """Check the range of a column of numbers and return it, -1 for null; ``before`` is the time of the row before."""
    values: NDArray[Any] = (column.fill_null(-1) if column.null_count else column).to_numpy()
    if name == "time":
        bad = ~np.isfinite(values) | (values < 0)
        bad[1:] |= values[1:] < values[:-1]
        bad[:1] |= values[:1] < before
        words = "a time that is negative, infinite or earlier than the previous one"
    else:
        least = 0 if name not in NULLABLE else -1
        bad = (values < least) | (values > 2**31 - 1)
        words = f"a '{name}' of {values[np.argmax(bad)] if bad.any() else ''}"
    if bad.any():
        raise Broken(f"is not a trace: event {start + int(np.argmax(bad))} has {words}")
    return values


def _check_rows(rows: Columns) -> None:
    """Check that causes precede effects, and that messages are numbered in order of sending and end after it."""
    kind, message, cause = rows["kind"], rows["message"], rows["cause"]
    ends_of = {name: rows[name] for name in ("process", "peer", "label")}

    def begins(at: slice) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (kind[at] == Kind.SEND) | ((kind[at] == Kind.INJECT) & (message[at] >= 0))
        return found

    def ends(at: slice) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = ((kind[at] == Kind.RECEIVE) | (kind[at] == Kind.DROP)) & (message[at] >= 0)
        return found

    _all(rows, lambda at: cause[at] < np.arange(at.start, at.stop), "has a cause that does not precede it")
    for name, column in ends_of.items():
        _all(rows, lambda at, c=column: ~(begins(at) | ends(at)) | (c[at] >= 0), f"carries a message but has no {name}")  # type: ignore[misc]
    parts = [at.start + np.flatnonzero(begins(at)).astype(np.int32) for at in _blocks(rows)]
    sends = np.concatenate(parts) if parts else np.empty(0, dtype=np.int32)
    wrong = np.flatnonzero(message[sends] != np.arange(len(sends), dtype=np.int32))
    if len(wrong):
        raise Broken(f"is not a trace: event {int(sends[wrong[0]])} has a message number out of sequence")
    _all(rows, lambda at: (message[at] < len(sends)) & (message[at] >= -1), "has a message that was never sent")

    def ended_later(at: slice) -> NDArray[np.bool_]:
        good = np.ones(at.stop - at.start, dtype=bool)
        ending = np.flatnonzero(ends(at))
        good[ending] = sends[message[at][ending]] < ending + at.start
        return good

    _all(rows, ended_later, "ends a message that has not been sent yet")


def _blocks(rows: Columns) -> list[slice]:
    return [slice(start, min(start + BLOCK, len(rows))) for start in range(0, len(rows), BLOCK)]


def _all(rows: Columns, good: Callable[[slice], NDArray[np.bool_]], words: str) -> None:
    for at in _blocks(rows):
        found = good(at)
        if not found.all():
            raise Broken(f"is not a trace: event {at.start + int(np.argmin(found))} {words}")
