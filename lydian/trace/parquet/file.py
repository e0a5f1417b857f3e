"""Trace files: Parquet, one row an event, written in chunks while the run goes on.

A reader needs a file's last bytes, its *footer*, which lists the chunks and where they lie.  The writer appends a
footer that lists all chunks so far after (almost) every chunk and leaves the earlier ones standing, unread, between
the chunks.  So the file is a whole Parquet file at every such boundary, and one that was cut anywhere still holds
a footer for what came before.  Those earlier footers, but for the first, together take at most a tenth of the
file, or 256 kB if that is more; to be that small they leave out the metadata that do not change.

The metadata hold, beside the columns: ``lydian.experiment`` and ``lydian.network`` (JSON), ``lydian.source`` (the
protocol's text), ``lydian.versions``, ``lydian.summary``, ``lydian.processes``, ``lydian.labels``,
``lydian.states`` (JSON), ``lydian.complete`` (``yes`` once the writer was closed), and ``lydian.checksums`` (JSON:
name to CRC-32 of the text).  In pyarrow they are ``pyarrow.parquet.read_metadata(path).metadata``.  The footers
between the first and the last have, of these, only labels, states, complete and checksums, and ``lydian.head``: where
in the file the closing magic word of the first footer begins.

A Spark whose vectorised reader does not know the encoding BYTE_STREAM_SPLIT of ``time`` reads the files with
``spark.sql.parquet.enableVectorizedReader`` set to ``false``.
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
#: Interim footers after the first may take this many bytes, or a tenth of the file if that is more.
SPARE = 256 * 1024
MAGIC = b"PAR1"
#: Bytes at either end of a file that tell whether it is a trace.
TELLING = 1 << 20


class TraceWriter:
    """Writes a trace while its run goes on.

    The rows go to :attr:`live_path`, beside ``path``; :meth:`close` puts the file in its place.  A file that was at
    ``path`` before stays untouched until then.  Used in a ``with`` statement it is closed at the end, and abandoned
    if the block fails.

    Args:
        path: where the trace shall be.
        processes: names behind the codes in ``process`` and ``peer``.
        experiment, network, source, versions: as in :class:`~lydian.trace.events.Trace`.
        summary: what is known before the end, such as ``start`` and ``initial``.

    Attributes:
        path: where the trace shall be.
        live_path: where it is until then: ``path`` with ``.part`` behind its name.
        written: how many events lie in the file.

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
        self._groups: list[bytes] = []  # the encoded entries of the footer, one a chunk
        self._frame = _frame()
        self._size = self._footers = 0  # bytes of the file, and of its interim footers after the first
        self._head = 0  # where the first footer's closing magic word begins; 0 if there is none yet
        if self.path.is_dir():
            raise BadInput("is a folder; a trace needs the name of a file", file=path)
        if _something_else(self.path):
            raise BadInput("exists and is not a trace; choose another name, or remove it first", file=path)
        try:
            self._file = self.live_path.open("wb", buffering=0)
        except OSError as error:
            raise _unwritable(error, self.path) from error
        try:
            self._put(MAGIC)
        except BaseException:  # a full disk lets a file be made and nothing be written to it
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
            rows: structured array of dtype ROW; the first one's ``seq`` is the number of rows appended so far.
            labels, states: the names behind the codes; later calls may give longer tables, never other ones.
            details: the JSON texts: by ``seq``, or a sequence with one entry per row.
        """
        if rows.dtype != ROW:
            raise TypeError(f"rows of dtype {rows.dtype} are not rows of a trace")
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
        """Write what still waits for its chunk to fill, with a footer: a reader now sees every event."""
        if self._received > self.written:
            self._write(self._received - self.written, footer=True)

    def close(self, summary: Mapping[str, Any] | None = None) -> None:
        """Write the rest and put the file in its place.

        Args:
            summary: how the run ended; the one given at the beginning if left out.

        Raises:
            BadInput: the file cannot be written; what was at ``path`` is still there.
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
        """Give up: remove what was written so far.  Does nothing after :meth:`close`."""
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
        """Write the next ``count`` rows as one chunk, and a footer if wanted (``None``: if it is not too dear)."""
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
        """The end of a Parquet file that has the chunks so far: metadata, their length, the magic word."""
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
    """Write a trace to a file, replacing what was there only when all is written.

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
        for start in range(0, max(len(trace), 1), CHUNK):  # an empty trace has names, too
            rows, texts = trace.rows[start : start + CHUNK], {}
            while waiting is not None and waiting[0] < start + len(rows):
                texts[waiting[0]] = waiting[1]
                waiting = next(details, None)
            writer.append(rows, trace.labels, trace.states, texts)


def _something_else(path: Path) -> bool:
    """Whether there is a file that no trace must take the place of: it holds something, and that is no trace."""
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
    """A table as the bytes of one chunk that will lie at ``offset``, and as its encoded entry in the footer."""
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
    """Move a row group: correct every offset in its entry (numbers of fields as in parquet.thrift)."""
    group.pop(7, None)  # its number in the file, optional
    _move(group, (5,), by)
    for chunk in group[1][1][1]:
        _move(chunk, (2, 4, 6), by)
        _move(chunk[3][1], (9, 10, 11, 14), by)


def _move(fields: Struct, numbers: Sequence[int], by: int) -> None:
    for number in numbers:
        if number in fields and fields[number][1] > 0:
            fields[number][1] += by


def _frame() -> Struct:
    """The footer of a trace without events: schema, version and author."""
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
