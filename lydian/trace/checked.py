"""Columns of a file of unknown origin turned into rows that keep every promise of a trace.

Codes lie within their tables, causes come before their effects, times do not go back, and messages are numbered
in order of sending and end after they were sent: whoever reads the rows later need not look again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import did_you_mean, shown
from lydian.trace.columns import COLUMNS, NULLABLE
from lydian.trace.events import KINDS, NO_STATE, ROW, Kind

__all__ = ["Broken", "checked_rows"]

#: How many names of each sort the codes of a row can tell apart.
MOST = {"process": 2**31 - 1, "label": 2**15 - 1, "state": NO_STATE, "kind": 255}


class Broken(Exception):
    """A sentence about a file, without its name."""


def checked_rows(table: Any, processes: list[str], labels: list[str], states: list[str]) -> NDArray[np.void]:
    """An Arrow table with the columns of a trace as rows.

    The lists are the names that the codes shall index; names they lack are added to them.

    Raises:
        Broken: the columns describe no execution.
    """
    length = table.num_rows
    if length > 2**31 - 1:
        raise Broken(f"has {length:,} events; at most {2**31 - 1:,} can be shown")
    for name in COLUMNS:
        if name not in NULLABLE and table.column(name).null_count:
            raise Broken(f"is not a trace: its column '{name}' has an empty place")
    if not np.array_equal(table.column("seq").to_numpy(), np.arange(length)):
        raise Broken("is not a trace: its column 'seq' does not count 0, 1, 2 ...")
    rows = np.empty(length, dtype=ROW)
    for name, kind in COLUMNS.items():
        if kind != "dictionary" and name not in ("seq", "detail"):
            rows[name] = _numbers(table.column(name), name)
    rows["process"] = _codes(table.column("process"), processes, "process")
    rows["peer"] = _codes(table.column("peer"), processes, "process")
    kinds = list(KINDS)
    rows["label"] = _codes(table.column("label"), labels, "label")
    state = _codes(table.column("state"), states, "state")
    rows["state"] = np.where(state < 0, NO_STATE, state)
    kind_codes = _codes(table.column("kind"), kinds, "kind")
    if len(kinds) > len(KINDS):
        raise Broken(f"has an event of unknown kind {shown(kinds[-1])}{did_you_mean(kinds[-1], KINDS)}")
    rows["kind"] = kind_codes
    _check_rows(rows)
    return rows


def _numbers(column: Any, name: str) -> NDArray[Any]:
    """A column of numbers with -1 for null, all in the range a row can hold."""
    values: NDArray[Any] = (column.fill_null(-1) if column.null_count else column).to_numpy()
    if name == "time":
        bad = ~np.isfinite(values) | (values < 0)
        bad[1:] |= values[1:] < values[:-1]
        words = "a time that is negative, infinite or earlier than the one before"
    else:
        least = 0 if not column.null_count and name not in NULLABLE else -1
        bad = (values < least) | (values > 2**31 - 1)
        words = f"a '{name}' of {values[np.argmax(bad)] if bad.any() else ''}"
    if bad.any():
        raise Broken(f"is not a trace: event {int(np.argmax(bad))} has {words}")
    return values


def _codes(column: Any, table: list[str], what: str) -> NDArray[np.int32]:
    """A dictionary column as codes, -1 for null; names that the table lacks are added to it."""
    import pyarrow as pa

    place = {name: code for code, name in enumerate(table)}
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
    table.extend(list(place)[len(table) :])
    if len(table) > MOST[what]:
        raise Broken(f"is not a trace: it has {len(table):,} names of {what}, at most {MOST[what]:,} fit")
    return np.concatenate(parts)


def _check_rows(rows: NDArray[np.void]) -> None:
    """Causes before effects; messages numbered in order of sending, ended after they were sent."""
    seq = np.arange(len(rows))
    kind, message = rows["kind"], rows["message"]
    _all(rows["cause"] < seq, "has a cause that comes after it")
    begins = (kind == Kind.SEND) | ((kind == Kind.INJECT) & (message >= 0))
    ends = ((kind == Kind.RECEIVE) | (kind == Kind.DROP)) & (message >= 0)
    travels = begins | ends
    for name in ("process", "peer", "label"):
        _all(~travels | (rows[name] >= 0), f"carries a message but has no {name}")
    sends = np.flatnonzero(begins)
    good = np.ones(len(rows), dtype=bool)
    good[sends] = message[sends] == np.arange(len(sends))
    _all(good, "has another number of message than the next one")
    _all((message < len(sends)) & (message >= -1), "has a message that nobody sent")
    good[:] = True
    if len(sends):
        rows_ending = np.flatnonzero(ends)
        good[rows_ending] = sends[message[rows_ending]] < rows_ending
    _all(good, "ends a message that was not sent before")


def _all(good: NDArray[np.bool_], words: str) -> None:
    if not good.all():
        raise Broken(f"is not a trace: event {int(np.argmin(good))} {words}")
