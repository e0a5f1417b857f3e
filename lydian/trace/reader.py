"""Reading trace files, whole, cut or damaged; and trusting none of them.

What :func:`load` gives keeps every promise a trace makes (:mod:`lydian.trace.checked`).
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lydian.model.errors import BadInput, did_you_mean
from lydian.trace.checked import Broken, checked_rows
from lydian.trace.columns import COLUMNS, DICTIONARIES
from lydian.trace.details import as_object
from lydian.trace.events import Trace

__all__ = ["load"]

MAGIC = b"PAR1"
#: How many footers are tried in a file that does not end with one.
TRIES = 2_000


def load(path: Path | str) -> Trace:
    """The trace in a file.

    Of a file that was cut or damaged, everything before the damage (rounded down to a chunk) is given, with a
    sentence in ``damage``; likewise of a file whose run is still going on.

    Raises:
        BadInput: there is no such file, it is no trace, nothing in it can be read, or what it says is impossible.
    """
    path = Path(path)
    if path.is_dir():
        raise BadInput("is a folder, not a trace", file=path)
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size == 0:
                raise BadInput("is empty; a trace is a Parquet file written by LYDIAN", file=path)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _load(path, data)
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror or error}", file=path) from error
    except Broken as error:
        raise BadInput(str(error), file=path) from error


def _load(path: Path, data: mmap.mmap) -> Trace:
    if data[:4] != MAGIC:
        raise Broken("is not a trace: it is no Parquet file")
    footer = _metadata(data, len(data) - 4)
    cut = footer is None
    if footer is None:
        footer = next((found for found in _earlier(data) if found is not None and _ours(found)), None)
        if footer is None:
            raise Broken("is cut short before its first chunk of events was complete, or is not a trace")
    _check_columns(footer)
    table, whole = _read(path, footer)
    texts = {key.decode(errors="replace"): value for key, value in (footer.metadata or {}).items()}
    trace = _trace(table, texts)
    count = f"{len(trace):,} event{'' if len(trace) == 1 else 's'} could be read"
    if not whole:
        least = "at least " if cut else ""
        trace.damage = f"the file is damaged: {len(trace):,} of {least}{footer.num_rows:,} events could be read"
    elif cut:
        trace.damage = f"the file is cut short: its first {count}"
    elif texts.get("lydian.complete") == b"no":
        trace.damage = f"the file ends before its run did: its first {count}"
    return trace


# -- bytes -----------------------------------------------------------------------------------------------------


def _metadata(data: mmap.mmap, end: int) -> Any:
    """The footer whose closing magic word begins at ``end``, or ``None`` if there is no sound one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if end < 8 or data[end : end + 4] != MAGIC:
        return None
    start = end - 4 - int.from_bytes(data[end - 4 : end], "little")
    if not 4 <= start < end - 4:
        return None
    try:
        footer = pq.read_metadata(pa.BufferReader(MAGIC + data[start : end + 4]))
        for group in range(footer.num_row_groups):
            entry = footer.row_group(group)
            for column in range(entry.num_columns):
                if entry.column(column).data_page_offset >= start:
                    return None
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        return None
    return footer


def _earlier(data: mmap.mmap) -> Iterator[Any]:
    """The footers that can be found from the end of the file backwards."""
    tries, end = 0, len(data)
    while tries < TRIES and (end := data.rfind(MAGIC, 4, end)) > 0:
        start = end - 4 - int.from_bytes(data[end - 4 : end], "little")
        if 4 <= start < end - 4:
            tries += 1
            yield _metadata(data, end)
        end += 3  # the next one may end where this one begins


def _ours(footer: Any) -> bool:
    return footer.num_rows > 0 and b"lydian.processes" in (footer.metadata or {})


def _check_columns(footer: Any) -> None:
    import pyarrow as pa

    try:
        names = {field.name: field.type for field in footer.schema.to_arrow_schema()}
    except (pa.ArrowException, OSError, ValueError) as error:
        raise Broken("is not a trace: its columns have types that cannot be read") from error
    for name, kind in COLUMNS.items():
        if name not in names:
            raise Broken(f"is not a trace: it has no column '{name}'{did_you_mean(name, names)}")
        found = names[name]
        inner = found.value_type if pa.types.is_dictionary(found) else found
        good = pa.types.is_string(inner) if kind in ("dictionary", "string") else str(found) in (kind, _short(kind))
        if not good:
            raise Broken(f"is not a trace: its column '{name}' is {found} instead of {kind}")


def _short(kind: str) -> str:
    return "double" if kind == "float64" else kind


def _read(path: Path, footer: Any) -> tuple[Any, bool]:
    """The table of all row groups that can be read from the first on, and whether that is all of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    failures = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)
    names = list(COLUMNS)
    try:
        with pq.ParquetFile(
            path, metadata=footer, read_dictionary=list(DICTIONARIES), page_checksum_verification=True
        ) as file:
            try:
                table = file.read(columns=names)
                table.validate(full=True)
                return table, True
            except failures:
                pass
            parts: list[Any] = []
            for group in range(footer.num_row_groups):
                try:
                    part = file.read_row_group(group, columns=names)
                    part.validate(full=True)
                except failures:
                    break
                parts.append(part)
    except failures as error:
        raise Broken(f"cannot be read as a trace: {_first_line(error)}") from error
    if not parts:
        raise Broken("is damaged: not one of its events can be read")
    return pa.concat_tables(parts), len(parts) == footer.num_row_groups


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


# -- columns ---------------------------------------------------------------------------------------------------


def _trace(table: Any, texts: dict[str, bytes]) -> Trace:
    processes, labels, states = (_known(texts, name) for name in ("processes", "labels", "states"))
    rows = checked_rows(table, processes, labels, states)
    return Trace(
        rows=rows,
        processes=tuple(processes),
        labels=tuple(labels),
        states=tuple(states),
        detail_of=_Details(table.column("detail")),
        experiment=_json(texts, "experiment", dict),
        network=_json(texts, "network", dict),
        source=_text(texts, "source"),
        versions=_json(texts, "versions", dict),
        summary=_json(texts, "summary", dict),
    )


def _known(texts: dict[str, bytes], name: str) -> list[str]:
    """A table of names from the metadata; empty if there is none, then the columns give the names."""
    names: list[Any] = _json(texts, name, list)
    if not all(isinstance(item, str) for item in names) or len(set(names)) != len(names):
        raise Broken(f"has a list of {name} that is none: it needs different texts")
    return names


class _Details:
    """Gives the details of a file's events; a text that is no JSON object becomes one with that text in it."""

    def __init__(self, column: Any) -> None:
        self._chunks = list(column.chunks)
        self._starts = np.cumsum([0] + [len(chunk) for chunk in self._chunks])

    def __call__(self, seq: int) -> str | None:
        if not 0 <= seq < self._starts[-1]:
            return None
        chunk = int(np.searchsorted(self._starts, seq, side="right")) - 1
        text: str | None = self._chunks[chunk][seq - int(self._starts[chunk])].as_py()
        return None if text is None else json.dumps(as_object(text))

    def texts(self) -> Iterator[tuple[int, str]]:
        """Every event with a detail and its text as it stands in the file, in order."""
        for start, chunk in zip(self._starts.tolist(), self._chunks, strict=False):
            if chunk.null_count < len(chunk):
                where = np.flatnonzero(chunk.is_valid().to_numpy(zero_copy_only=False)) + start
                yield from zip(where.tolist(), chunk.drop_null().to_pylist(), strict=True)


# -- metadata --------------------------------------------------------------------------------------------------


def _text(texts: dict[str, bytes], name: str) -> str:
    return texts.get(f"lydian.{name}", b"").decode(errors="replace")


def _json(texts: dict[str, bytes], name: str, kind: type[Any]) -> Any:
    text = _text(texts, name)
    if not text:
        return kind()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise Broken(f"has metadata 'lydian.{name}' that are no JSON {'object' if kind is dict else 'list'}")
    return value
