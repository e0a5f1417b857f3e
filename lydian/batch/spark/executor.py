"""The work of a Spark executor: it maps the number of each run to a row, using a child process that is kept ready."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from typing import Any

from lydian.batch.rows import DISK, schema
from lydian.batch.runner import Runner
from lydian.batch.sweep.measure import Measure
from lydian.model.errors import BadInput

__all__ = ["worker"]

#: The number of rows that are returned together, and bytes of traces.
_MOST_ROWS, _MOST_BYTES = 256, 16_000_000
#: The runner of this Spark process, and the digest of the sweep that it has loaded.
_warm: tuple[str, Runner] | None = None


def worker(
    luggage: str, digest: str, seconds: float, measures: tuple[Measure, ...], trace: bool
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function that maps batches with one column ``run`` to batches of rows.

    Args:
        luggage: the packed sweep as JSON, with the ``digest`` that identifies it.
        seconds: the most seconds for a run.
        measures: the measures beside the usual ones.
        trace: whether trace files are returned as well.
    """

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        runner = _runner(luggage, digest, seconds)
        columns = schema(measures, trace)
        found: list[dict[str, Any]] = []
        size = 0
        for batch in batches:
            for index in batch.column(0).to_pylist():
                row = runner.run(index, trace=trace)
                if row["failure"] == DISK:  # this reveals nothing about the run, which must be repeated
                    raise BadInput(str(row["error"]))
                found.append(row)
                size += len(row.get("trace") or b"")
                if len(found) >= _MOST_ROWS or size >= _MOST_BYTES:
                    yield pa.RecordBatch.from_pylist(found, schema=columns)
                    found, size = [], 0
        if found:
            yield pa.RecordBatch.from_pylist(found, schema=columns)

    return rows


def _runner(luggage: str, digest: str, seconds: float) -> Runner:
    global _warm
    if _warm is None:
        atexit.register(_end)
        _warm = digest, Runner(luggage, seconds)
    elif _warm[0] != digest:
        _warm[1].take(luggage, seconds)
        _warm = digest, _warm[1]
    return _warm[1]


def _end() -> None:
    if _warm is not None:
        _warm[1].close()
