"""The folder of a batch: the sweep, and the finished parts of the result.

::

    sweep.json                      the request: sweep, protocols, networks, versions; written first
    runs/part-000012.parquet        the runs of one part, one row each
    traces/group=3/run=17/trace.parquet
    spark.log                       the output of Java

A part receives its final name only when it is complete, after the traces of its runs have been written. A file with
such a name is therefore always complete. ``sweep.json`` alone determines which runs belong to a part; they are spread
over the whole grid, so that all parts cost about the same.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from lydian.batch.packed import Packed
from lydian.batch.rows import part_schema
from lydian.batch.sweep.sweep import Sweep
from lydian.model.errors import BadInput
from lydian.model.reading import read_text, write_text

__all__ = ["RESUME", "Folder", "Order", "is_batch", "read_folder"]

#: What the errors advise on the command line; the window names its own button instead.
RESUME = "add --resume to continue"

_FORMAT = 1
_PART = re.compile(r"part-(\d{6,})\.parquet")
_LOCK = ".lock"
#: Files that a job leaves behind if it ends before its first result.
_OURS = frozenset({"sweep.json", "runs", "spark.log", _LOCK})


@dataclass(frozen=True)
class Order:
    """The runs of a sweep in mixed order, so that any stretch contains every kind: run = first + stride * position.

    Args:
        count: the number of runs.
    """

    count: int

    @property
    def stride(self) -> int:
        """The stride: close to the golden section of the number of runs and coprime to it."""
        stride = max(1, round(self.count * 0.6180339887498949))
        while math.gcd(stride, self.count) != 1:
            stride += 1
        return stride

    def run(self, position: int) -> int:
        """Return the run at this position."""
        return position * self.stride % self.count

    def runs(self, start: int, stop: int) -> list[int]:
        """Return the runs at these positions."""
        stride = self.stride
        return [position * stride % self.count for position in range(start, min(stop, self.count))]


@dataclass(frozen=True)
class Folder:
    """A folder with the results of a sweep, complete or not.

    Args:
        path: the path of the folder.
        luggage: the sweep and everything it names.
        part: the number of runs in a part.
        traces: whether traces are kept.
    """

    path: Path
    luggage: Packed
    part: int
    traces: bool

    @property
    def sweep(self) -> Sweep:
        """The sweep, with its base experiment included."""
        return self.luggage.sweep

    @property
    def runs(self) -> Path:
        """The folder with the results, which ``spark.read.parquet`` accepts unchanged."""
        return self.path / "runs"

    @property
    def parts(self) -> int:
        """The number of parts in the whole result."""
        return -(-self.sweep.count // self.part)

    def members(self, part: int) -> list[int]:
        """Return the runs of a part."""
        return Order(self.sweep.count).runs(part * self.part, (part + 1) * self.part)

    def done(self) -> list[int]:
        """Return the numbers of the finished parts."""
        if not self.runs.is_dir():
            return []
        found = (_PART.fullmatch(entry.name) for entry in self.runs.iterdir())
        return sorted(int(match[1]) for match in found if match)

    def file(self, part: int) -> Path:
        """Return the file of a part."""
        return self.runs / f"part-{part:06d}.parquet"

    def trace_file(self, run: int) -> Path:
        """Return the file of a run's trace."""
        return self.path / "traces" / f"group={run // self.sweep.repetitions}" / f"run={run}" / "trace.parquet"

    def write(self, part: int, rows: Any) -> Any:
        """Write a part, all of it or nothing.

        Args:
            rows: the Arrow table that the executors returned, in any order.

        Returns:
            The table as it was written.

        Raises:
            BadInput: the part cannot be written; earlier parts are kept.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        names = part_schema(self.sweep)
        rows = rows.sort_by("run")
        found = rows.column("run").to_pylist()
        if found != sorted(self.members(part)):
            raise BadInput(f"part {part} returned runs other than those expected", file=self.path)
        sweep = [self.sweep.run(run) for run in found]
        own: dict[str, list[Any]] = {"group": [run.group for run in sweep], "seed": [run.seed for run in sweep]}
        own |= {axis.name: [run.shown[axis.name] for run in sweep] for axis in self.sweep.vary}
        arrays = [
            pa.array(own[field.name], field.type) if field.name in own else rows.column(field.name).cast(field.type)
            for field in names
        ]
        table = pa.table(arrays, schema=names)
        target = self.file(part)
        new = target.with_name(f".{target.name}.part")
        try:
            if self.traces:
                for run, data in zip(found, rows.column("trace").to_pylist(), strict=True):
                    if data is not None:
                        self._write_trace(run, data)
            with pq.ParquetWriter(new, names, compression="zstd", compression_level=1) as writer:
                writer.write_table(table)
            os.replace(new, target)
        except OSError as error:
            new.unlink(missing_ok=True)
            what = f"cannot be written ({why(error)}); the finished runs are kept; {RESUME}"
            raise BadInput(what, file=target) from None
        return table

    def _write_trace(self, run: int, data: bytes) -> None:
        target = self.trace_file(run)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(".trace.part")
        try:
            new.write_bytes(data)
            os.replace(new, target)
        except OSError:
            new.unlink(missing_ok=True)
            raise

    def table(self, columns: Sequence[str] | None = None) -> Any:
        """Return all finished results, in the order of the runs, as an Arrow table."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        files = [self.file(part) for part in self.done()]
        if not files:
            empty = part_schema(self.sweep).empty_table()
            return empty if columns is None else empty.select(columns)
        wanted = None if columns is None else list(dict.fromkeys([*columns, "run"]))
        table = pa.concat_tables([pq.read_table(file, columns=wanted) for file in files]).sort_by("run")
        return table if columns is None else table.select(columns)

    def tidy(self) -> None:
        """Remove the half-written files of a killed job."""
        for left in [*self.runs.glob(".*.part"), *self.path.glob("traces/*/*/.trace.part"), *self.path.glob(".*.part")]:
            left.unlink(missing_ok=True)

    @classmethod
    def create(cls, path: Path | str, luggage: Packed, part: int, traces: bool) -> Folder:
        """Create the folder of a new batch.

        Raises:
            BadInput: the folder contains something else, or it cannot be written.
        """
        folder = cls(Path(path), luggage, part, traces)
        if folder.done():
            raise BadInput(f"already contains the results of a batch; {RESUME} it", file=path)
        _empty(folder.path)
        text = {
            "format": _FORMAT,
            "digest": luggage.digest,
            "runs": luggage.sweep.count,
            "part": part,
            "traces": traces,
            "luggage": json.loads(luggage.to_json()),
        }
        try:
            folder.runs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"cannot be created ({why(error)}); choose another folder", file=path) from None
        write_text(folder.path / "sweep.json", json.dumps(text, indent=1))
        return folder


def is_batch(path: Path) -> bool:
    """Return whether a folder contains a batch."""
    return (path / "sweep.json").is_file()


def read_folder(path: Path | str) -> Folder:
    """Read the batch in a folder.

    Raises:
        BadInput: there is no batch, or its version cannot be read.
    """
    path = Path(path)
    if not path.is_dir():
        raise BadInput("this folder does not exist; name the folder of a batch", file=path)
    if not is_batch(path):
        raise BadInput("this folder does not contain a batch: it has no sweep.json", file=path)
    file = path / "sweep.json"
    try:
        data: Mapping[str, Any] = json.loads(read_text(file, "what was asked of a batch", 200_000_000))
        if data["format"] != _FORMAT:
            raise BadInput(f"was written by another version of LYDIAN (format {data['format']})", file=file)
        luggage = Packed.from_json(json.dumps(data["luggage"]))
        return Folder(path, luggage, int(data["part"]), bool(data["traces"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"cannot be read ({type(error).__name__}: {error})", file=file) from None


class Claim:
    """A lock that keeps other jobs out of a folder.

    Raises:
        BadInput: another job is using the folder.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file: BinaryIO = (path / _LOCK).open("wb")
        except OSError as error:
            raise BadInput(f"cannot be written ({why(error)})", file=path) from None
        try:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows
            pass
        except OSError:
            self._file.close()
            raise BadInput("another job is using this folder; wait for it or choose another one", file=path) from None

    def release(self) -> None:
        """Release the lock."""
        self._file.close()


def why(error: OSError) -> str:
    """Return what the system reports as wrong, without its numbers and names."""
    said = os.strerror(error.errno) if error.errno is not None else " ".join(str(error).split())
    return said[:1].lower() + said[1:]


def room_left(path: Path) -> int | None:
    """Return the free bytes where a folder is or will be; ``None`` if unknown."""
    while not path.exists() and path != path.parent:
        path = path.parent
    try:
        usage = shutil.disk_usage(path)
    except OSError:
        return None
    return usage.free if usage.total else None


def check_place(path: Path) -> None:
    """Check that a folder can be created here, long before the first result needs it.

    Raises:
        BadInput: there is something else at this place, or it cannot be written.
    """
    _empty(path)
    over = path
    try:
        while not over.exists() and over != over.parent:
            over = over.parent
        reason = "not a directory" if not over.is_dir() else ""
    except OSError as error:
        reason = why(error)
    if not reason and not os.access(over, os.W_OK | os.X_OK):
        reason = "permission denied"
    if reason:
        raise BadInput(f"cannot be created ({reason}); choose another folder", file=path)


def _empty(path: Path) -> None:
    if path.is_file():
        raise BadInput("this is a file; a batch must have a folder of its own", file=path)
    try:
        others = [entry for entry in path.iterdir() if entry.name not in _OURS] if path.is_dir() else []
        if others:
            raise BadInput("this folder contains other files; a batch must have a folder of its own", file=path)
    except OSError as error:
        raise BadInput(f"cannot be read ({why(error)})", file=path) from None
