"""Trace files in Parquet format: one row per event, written in chunks during the run.

A reader needs the last bytes of a file, its *footer*, which lists the chunks and their positions. After (almost) every
chunk the writer appends a footer that lists all chunks so far. The earlier footers remain unread between the chunks. So
the file is a complete Parquet file at every such boundary, and a file that was cut anywhere still contains a footer for
the part before. Together, the earlier footers except the first take at most a tenth of the file, or 256 kB if that is
more; for this purpose they omit the metadata that do not change.

Apart from the columns, the metadata contain: ``lydian.experiment`` and ``lydian.network`` (JSON), ``lydian.source``
(the text of the protocol), ``lydian.versions``, ``lydian.summary``, ``lydian.processes``, ``lydian.labels``,
``lydian.states`` (JSON), ``lydian.complete`` (``yes`` once the writer was closed), and ``lydian.checksums`` (JSON: name
to CRC-32 of the text). In pyarrow they are ``pyarrow.parquet.read_metadata(path).metadata``. Of these, the footers
between the first and the last have only labels, states, complete and checksums; they also have ``lydian.head``: the
position in the file at which the closing magic word of the first footer begins.

A version of Spark whose vectorised reader does not support the encoding BYTE_STREAM_SPLIT of ``time`` reads the files
with ``spark.sql.parquet.enableVectorizedReader`` set to ``false``.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput
from lydian.trace.columns import HEAVY, batch, schema, writer_options
from lydian.trace.details import detail_texts
from lydian.trace.events import ROW, Trace
from lydian.trace.parquet.reader import load
from lydian.trace.parquet.thrift import BINARY, I64, LIST, STRUCT, Struct, decode, encode

__all__ = ["TraceWriter", "load", "save"]

FIRST_CHUNK = 64
CHUNK = 65_536
#: The maximum number of bytes that interim footers after the first may take, unless a tenth of the file is more.
SPARE = 256 * 1024
MAGIC = b"PAR1"
#: The number of bytes at each end of a file that show whether it is a trace.
TELLING = 1 << 20


class TraceWriter:
    """A writer of a trace during its run.

    The rows go to :attr:`live_path`, next to ``path``; :meth:`close` moves the file to ``path``. An existing file at
    ``path`` stays untouched until then. In a ``with`` statement the writer is closed at the end, or abandoned if the
    block fails.

    Args:
        path: the final path of the trace.
        processes: the names that the codes in ``process`` and ``peer`` index.
        experiment, network, source, versions: as in :class:`~lydian.trace.events.Trace`.
        summary: the entries known before the end, such as ``start`` and ``initial``.

    Attributes:
        path: the final path of the trace.
        live_path: its path during the run: ``path`` with ``.part`` appended.
        written: the number of events in the file.

    Raises:
        BadInput: the file cannot be written.
    """

    def __init__(
        self,
        path: Path | str,
        processes: Sequence[str],
        *,
        experiment: Mapping[str, Any] | None = None,
        network: Mapping[str, Any] | None = None,
        source: str = "",
        versions: Mapping[str, str] | None = None,
        summary: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = Path(path)
        self.live_path = self.path.with_name(self.path.name + ".part")
        self.written = 0
        self._processes = tuple(processes)
        self._labels: tuple[str, ...] = ()
        self._states: tuple[str, ...] = ()
        self._summary = dict(summary or {})
        self._fixed = {
            "experiment": _json(experiment or {}),
            "network": _json(network or {}),
            "source": source,
            "versions": _json(versions or {}),
            "processes": _json(self._processes),
        }
        self._waiting: list[NDArray[np.void]] = []
        self._details: dict[int, str] = {}
        self._received = 0
        self._chunk = FIRST_CHUNK
        self._groups: list[bytes] = []  # the encoded entries of the footer, one per chunk
        self._frame = _frame()
        self._size = self._footers = 0  # the sizes in bytes of the file and of its interim footers after the first
        self._head = 0  # where the first footer's closing magic word begins; 0 if there is none yet
        if self.path.is_dir():
            raise BadInput("is a folder; the path of a trace must be that of a file", file=path)
        if _something_else(self.path):
            raise BadInput("exists and is not a trace; choose another name, or remove it first", file=path)
        try:
            self._file = self.live_path.open("wb", buffering=0)
        except OSError as error:
            raise _unwritable(error, self.path) from error
        try:
            self._put(MAGIC)
        except BaseException:  # on a full disk, a file can be created but not written to
            self.abandon()
            raise

    def append(
        self,
        rows: NDArray[np.void],
        labels: Sequence[str],
        states: Sequence[str],
        details: Mapping[int, str] | Sequence[str | None] = (),
    ) -> None:
        """Add the next events.

        Args:
            rows: a structured array of dtype ROW; the ``seq`` of the first row is the number of rows appended so far.
            labels, states: the names that the codes index; later calls may append to these tables but not change them.
            details: the JSON texts, by ``seq`` or as a sequence with one entry per row.
        """
        if rows.dtype != ROW:
            raise TypeError(f"rows of dtype {rows.dtype} are not rows of a trace; the dtype must be ROW")
        self._labels, self._states = tuple(labels), tuple(states)
        pairs = details.items() if isinstance(details, Mapping) else enumerate(details, self._received)
        self._details.update((int(seq), text) for seq, text in pairs if text is not None)
        if len(rows):
            self._waiting.append(rows)
        self._received += len(rows)
        while self._received - self.written >= self._chunk:
            self._write(self._chunk)
            self._chunk = min(4 * self._chunk, CHUNK)

    def flush(self) -> None:
        """Write the rows of the unfinished chunk and a footer, so that a reader sees every event."""
        if self._received > self.written:
            self._write(self._received - self.written, footer=True)

    def close(self, summary: Mapping[str, Any] | None = None) -> None:
        """Write the remaining rows and move the file to ``path``.

        Args:
            summary: how the run ended; by default the summary given at the beginning.

        Raises:
            BadInput: the file cannot be written; an earlier file at ``path`` is unchanged.
        """
        if self._file.closed:
            return
        if summary is not None:
            self._summary = dict(summary)
        try:
            if self._received > self.written:
                self._write(self._received - self.written, footer=None if self._head else False)
            self._put(self._footer(complete=True))
            self._file.close()
            self.live_path.replace(self.path)
        except OSError as error:
            self.abandon()
            raise _unwritable(error, self.path) from error
        except BaseException:
            self.abandon()
            raise

    def abandon(self) -> None:
        """Remove the file written so far; do nothing after :meth:`close`."""
        if not self._file.closed or self.live_path.exists():
            self._file.close()
            self.live_path.unlink(missing_ok=True)

    def __enter__(self) -> TraceWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()

    # -- bytes -------------------------------------------------------------------------------------------------

    def _write(self, count: int, footer: bool | None = None) -> None:
        """Write the next ``count`` rows as one chunk, and a footer on request (``None``: if it is small enough)."""
        waiting = np.concatenate(self._waiting) if len(self._waiting) > 1 else self._waiting[0]
        rows, rest = waiting[:count], waiting[count:]
        self._waiting = [rest] if len(rest) else []
        details = [self._details.pop(seq, None) for seq in range(self.written, self.written + count)]
        table = batch(rows, self.written, self._processes, self._labels, self._states, details)
        data, group = _row_group(table, self._size)
        self._put(data)
        self._groups.append(group)
        self.written += count
        if footer is False:
            return
        text = self._footer(complete=False)
        if not self._head:
            self._put(text)
            self._head = self._size - len(MAGIC)
        elif footer or self._footers + len(text) <= max(SPARE, self._size // 10):
            self._put(text)
            self._footers += len(text)

    def _put(self, data: bytes) -> None:
        try:
            view = memoryview(data)
            while len(view):
                view = view[self._file.write(view) :]
        except OSError as error:
            raise _unwritable(error, self.path) from error
        self._size += len(data)

    def _footer(self, complete: bool) -> bytes:
        """Return the end of a Parquet file with the chunks so far: metadata, their length, the magic word."""
        texts = {"labels": _json(self._labels), "states": _json(self._states)}
        if complete or not self._head:
            heavy = {**self._fixed, "summary": _json(self._summary)}
            texts |= {name: heavy[name] for name in HEAVY}
        else:
            texts["head"] = str(self._head)
        encoded_texts = {name: text.encode(errors="replace") for name, text in texts.items()}
        sums = _json({name: zlib.crc32(text) for name, text in encoded_texts.items()})
        encoded_texts |= {"checksums": sums.encode(), "complete": b"yes" if complete else b"no"}
        pairs = [{1: [BINARY, f"lydian.{name}".encode()], 2: [BINARY, text]} for name, text in encoded_texts.items()]
        known = self._frame[5][1][1] if 5 in self._frame else []
        footer = {
            **self._frame,
            3: [I64, self.written],
            4: [LIST, (STRUCT, self._groups)],
            5: [LIST, (STRUCT, [*known, *pairs])],
        }
        encoded = encode(footer)
        return encoded + len(encoded).to_bytes(4, "little") + MAGIC


def save(trace: Trace, path: Path | str) -> None:
    """Write a trace to a file; replace an existing file only after everything is written.

    Raises:
        BadInput: the file cannot be written.
    """
    with TraceWriter(
        path,
        trace.processes,
        experiment=trace.experiment,
        network=trace.network,
        source=trace.source,
        versions=trace.versions,
        summary=trace.summary,
    ) as writer:
        details = detail_texts(trace)
        waiting = next(details, None)
        for start in range(0, max(len(trace), 1), CHUNK):  # an empty trace also has names
            rows, texts = trace.rows[start : start + CHUNK], {}
            while waiting is not None and waiting[0] < start + len(rows):
                texts[waiting[0]] = waiting[1]
                waiting = next(details, None)
            writer.append(rows, trace.labels, trace.states, texts)


def _something_else(path: Path) -> bool:
    """Return True if there is a file that a trace must not replace: one that is neither empty nor a trace."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            head = file.read(TELLING)
            file.seek(max(0, size - TELLING))
            return size > 0 and not (head.startswith(MAGIC) and b"lydian." in head + file.read())
    except OSError:
        return False


def _row_group(table: Any, offset: int) -> tuple[bytes, bytes]:
    """Return a table as the bytes of one chunk, to be written at ``offset``, and its encoded entry in the footer."""
    from lydian.trace.parquet.arrow import pa, pq

    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, store_schema=False, **writer_options()) as writer:
        writer.write_table(table, row_group_size=table.num_rows)
    whole = sink.getvalue().to_pybytes()
    end = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    (group,) = decode(whole[end:-8])[4][1][1]
    _shift(group, offset - len(MAGIC))
    return whole[len(MAGIC) : end], encode(group)


def _shift(group: Struct, by: int) -> None:
    """Add ``by`` to all offsets in the entry of a row group (for the numbers of fields, see parquet.thrift)."""
    group.pop(7, None)  # the optional number of the row group in its file
    _move(group, (5,), by)
    for chunk in group[1][1][1]:
        _move(chunk, (2, 4, 6), by)
        _move(chunk[3][1], (9, 10, 11, 14), by)


def _move(fields: Struct, numbers: Sequence[int], by: int) -> None:
    for number in numbers:
        if number in fields and fields[number][1] > 0:
            fields[number][1] += by


def _frame() -> Struct:
    """Return the footer of a trace without events: schema, version and author."""
    from lydian.trace.parquet.arrow import pa, pq

    sink = pa.BufferOutputStream()
    pq.ParquetWriter(sink, schema(), **writer_options()).close()
    whole = sink.getvalue().to_pybytes()
    return decode(whole[-8 - int.from_bytes(whole[-8:-4], "little") : -8])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _unwritable(error: OSError, path: Path) -> BadInput:
    reason = error.strerror or str(error)
    return BadInput(f"the trace cannot be written: {reason[:1].lower()}{reason[1:]}", file=path)
