"""The reader of trace files, whether complete, cut short or damaged; none of them is trusted.

The trace that :func:`load` returns satisfies all invariants of a trace (:mod:`lydian.trace.parquet.checked`).
"""

from __future__ import annotations

import json
import mmap
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lydian.model.archive.handin import is_hand_in, unpack
from lydian.model.errors import BadInput, did_you_mean
from lydian.model.limits import usual_memory
from lydian.trace.columns import COLUMNS, DICTIONARIES, HEAVY
from lydian.trace.events import ROW, Trace
from lydian.trace.parquet.checked import Broken, Checked
from lydian.trace.parquet.texts import Texts

__all__ = ["load"]

MAGIC = b"PAR1"
#: The number of footers that are tried in a file that does not end with one.
TRIES = 2_000
#: A trace may take at most this many times the size of its file in memory, plus this many bytes in any case.
GROWTH, SPARE = 40, 256_000_000
#: Entries of a summary about the end of a run; a trace that lacks the last events does not contain them.
ENDING = ("stopped", "checks", "error", "decided")


def load(path: Path | str, progress: Callable[[float], object] | None = None, *, most: int | None = None) -> Trace:
    """Read the trace in a file, chunk by chunk.

    If the file was cut or damaged, or if its run is not finished, return everything before that point (rounded down to
    a chunk), with a sentence in ``damage``. The ``summary`` of such a trace does not say how the run ended. Damaged
    metadata are left out, and ``damage`` names them.

    Args:
        path: the file, or a hand-in that contains it.
        progress: called after every chunk with the share of the file read so far; an exception in it ends the reading.
        most: the number of events after which reading ends, rounded up to a chunk. The ``summary`` of a trace that
            continues after that does not say how its run ended.

    Raises:
        BadInput: the file does not exist, is not a regular file or not a trace, nothing in it can be read, or its
            contents are impossible.
    """
    path = Path(path)
    if path.is_dir():
        raise BadInput("is a folder, not a trace", file=path)
    if is_hand_in(path):
        path = unpack(path).run
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for a writer
            raise BadInput("is not a regular file; a trace cannot be read from a pipe, a socket or a device", file=path)
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size == 0:
                raise BadInput("is empty; a trace is a Parquet file written by LYDIAN", file=path)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _load(path, data, progress, most)
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror or error})", file=path) from error
    except Broken as error:
        raise BadInput(str(error), file=path) from error


def _load(path: Path, data: mmap.mmap, progress: Callable[[float], object] | None, most: int | None) -> Trace:
    if data[:4] != MAGIC:
        raise Broken("is not a trace: it is not a Parquet file")
    footer = _metadata(data, len(data) - 4)
    cut = footer is None
    if footer is None:
        footer = next((found for found in _earlier(data) if found is not None and _ours(found)), None)
        if footer is None:
            raise Broken("is cut short before its first chunk of events was complete, or is not a trace")
    _check_columns(footer)
    _check_size(footer, len(data))
    texts, missing = _texts(data, footer)
    groups, rows = _wanted(footer, most)
    trace, whole = _trace(path, footer, texts, missing, progress, rows)
    if whole and groups < footer.num_row_groups:
        trace.summary = {name: value for name, value in trace.summary.items() if name not in ENDING}
        return trace
    count = f"{len(trace):,} event{'' if len(trace) == 1 else 's'} could be read"
    if not whole:
        least = "at least " if cut else ""
        trace.damage = f"the file is damaged: {len(trace):,} of {least}{footer.num_rows:,} events could be read"
    elif cut:
        trace.damage = f"the file is cut short: its first {count}"
    elif texts.get("complete") == b"no":
        trace.damage = f"the file ends before its run did: its first {count}"
    if trace.damage is not None:
        trace.summary = {name: value for name, value in trace.summary.items() if name not in ENDING}
    if missing:
        *others, last = (name for name in (*HEAVY, "labels", "states") if name in missing)
        words = f"{', '.join(others)} and {last}" if others else last
        first = f"{trace.damage}, but not" if trace.damage else "the file is damaged:"
        trace.damage = f"{first} its {words}" + ("" if trace.damage else " could not be read")
    return trace


def _wanted(footer: Any, most: int | None) -> tuple[int, int]:
    """Return the number of row groups to read so that they contain ``most`` events, and the events in them."""
    rows = 0
    for group in range(footer.num_row_groups):
        if most is not None and rows >= most:
            return group, rows
        rows += footer.row_group(group).num_rows
    return footer.num_row_groups, footer.num_rows


# -- bytes -----------------------------------------------------------------------------------------------------


def _metadata(data: mmap.mmap, end: int) -> Any:
    """Return the footer whose closing magic word begins at ``end``, or ``None`` if there is no intact one."""
    from lydian.trace.parquet.arrow import pa, pq

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
    """Yield the footers that can be found, searching backwards from the end of the file."""
    tries, end = 0, len(data)
    while tries < TRIES and (end := data.rfind(MAGIC, 4, end)) > 0:
        start = end - 4 - int.from_bytes(data[end - 4 : end], "little")
        if 4 <= start < end - 4:
            tries += 1
            yield _metadata(data, end)
        end += 3  # the next footer found may end where this one begins


def _ours(footer: Any) -> bool:
    return footer.num_rows > 0 and not {b"lydian.processes", b"lydian.head"}.isdisjoint(footer.metadata or {})


def _check_columns(footer: Any) -> None:
    from lydian.trace.parquet.arrow import pa

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


def _check_size(footer: Any, size: int) -> None:
    """Reject a file with contradictory sizes, or one that would take too much memory, before any is allocated."""
    groups = [footer.row_group(number) for number in range(footer.num_row_groups)]
    if sum(group.num_rows for group in groups) != footer.num_rows or footer.num_rows < 0:
        raise Broken("is damaged: it has fewer events than it declares")
    claimed = footer.num_rows * ROW.itemsize
    for group in groups:
        claimed += sum(max(group.column(i).total_uncompressed_size, 0) for i in range(group.num_columns))
    most = min(usual_memory(), GROWTH * size + SPARE)
    if claimed > most:
        raise Broken(
            f"claims {footer.num_rows:,} events, which would take {claimed / 1e9:.1f} GB of memory from a file of "
            f"{size / 1e6:.1f} MB; a trace of this size must not take more than {most / 1e9:.1f} GB"
        )


def _short(kind: str) -> str:
    return "double" if kind == "float64" else kind


def _groups(path: Path, footer: Any) -> Iterator[Any]:
    """Yield the tables of all row groups from the first on, up to one that cannot be read."""
    from lydian.trace.parquet.arrow import pa, pq

    failures = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)
    try:
        file = pq.ParquetFile(
            path, metadata=footer, read_dictionary=list(DICTIONARIES), page_checksum_verification=True
        )
    except failures as error:
        raise Broken(f"cannot be read as a trace: {_first_line(error)}") from error
    with file:
        for group in range(footer.num_row_groups):
            try:
                table = file.read_row_group(group, columns=list(COLUMNS))
                table.validate(full=True)
            except failures:
                return
            yield table


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


# -- columns ---------------------------------------------------------------------------------------------------


def _trace(
    path: Path,
    footer: Any,
    texts: dict[str, bytes],
    missing: set[str],
    progress: Callable[[float], object] | None,
    rows: int,
) -> tuple[Trace, bool]:
    """Return the trace of the first ``rows`` events, and whether it contains all of them.

    The names of invalid metadata are added to ``missing``.
    """
    from lydian.trace.parquet.arrow import pa

    found = Checked(rows, *(_known(texts, name, missing) for name in ("processes", "labels", "states")))
    details, read = Texts(), 0
    for table in _groups(path, footer) if rows else ():
        found.add(table)
        details.add(table.column("detail"))
        read += 1
        if progress is not None:
            progress(read / footer.num_row_groups)
        if found.count >= rows:
            break
    if not read and footer.num_row_groups:
        raise Broken("is damaged: none of its events can be read")
    details.close()
    pa.default_memory_pool().release_unused()  # return the memory used for reading, which is no longer needed
    trace = Trace(
        rows=found.rows(),
        processes=found.names("process"),
        labels=found.names("label"),
        states=found.names("state"),
        detail_of=details,
        experiment=_json(texts, "experiment", dict, missing),
        network=_json(texts, "network", dict, missing),
        source=texts.get("source", b"").decode(errors="replace"),
        versions=_json(texts, "versions", dict, missing),
        summary=_json(texts, "summary", dict, missing),
    )
    return trace, found.count >= rows


def _known(texts: dict[str, bytes], name: str, missing: set[str]) -> list[str]:
    """Return a table of names from the metadata; if it is invalid, an empty one, to be filled from the columns."""
    names: list[Any] = _json(texts, name, list, missing)
    if not all(isinstance(item, str) for item in names) or len(set(names)) != len(names):
        missing.add(name)
        return []
    return names


# -- metadata --------------------------------------------------------------------------------------------------


def _texts(data: mmap.mmap, footer: Any) -> tuple[dict[str, bytes], set[str]]:
    """Return the intact metadata of a footer, name to text, and the names of the damaged ones.

    Large metadata that the footer leaves out are taken from the first footer of the file.
    """
    texts, missing = _sound(footer)
    if "head" in texts or "head" in missing:
        place = texts.pop("head", b"")
        head = _metadata(data, int(place)) if place.isdigit() and len(place) < 20 else None
        found, lost = ({}, set(HEAVY)) if head is None else _sound(head)
        texts = {name: found[name] for name in HEAVY if name in found} | texts
        missing |= lost & set(HEAVY)
    return texts, missing - {"head"}


def _sound(footer: Any) -> tuple[dict[str, bytes], set[str]]:
    """Return a footer's own metadata that agree with their checksums, and the names of the others."""
    texts = {key.decode(errors="replace"): value for key, value in (footer.metadata or {}).items()}
    texts = {key.removeprefix("lydian."): text for key, text in texts.items() if key.startswith("lydian.")}
    sums = _json(texts, "checksums", dict, set())  # other programs may have left out the checksums
    known = {name: sums[name] for name in (*HEAVY, "labels", "states", "head") if name in sums}
    missing = {name for name, value in known.items() if name not in texts or zlib.crc32(texts[name]) != value}
    return {name: text for name, text in texts.items() if name not in missing}, missing


def _json(texts: dict[str, bytes], name: str, kind: type[Any], missing: set[str]) -> Any:
    """Parse a text of the metadata; if it is not a ``kind``, return an empty one and add the name to ``missing``."""
    text = texts.get(name)
    if not text:
        return kind()
    try:
        value = json.loads(text.decode(errors="replace"))
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, kind):
        return value
    missing.add(name)
    return kind()
