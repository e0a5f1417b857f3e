"""What an executor of Spark does: for every number of a run, a row, by a child process that it keeps warm."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from typing import Any

from lydian.batch.rows import DISK, schema
from lydian.batch.runner import Runner
from lydian.batch.sweep.measure import Measure
from lydian.model.errors import BadInput

__all__ = ["worker"]

#: Rows that go back together, and bytes of traces.
_MOST_ROWS, _MOST_BYTES = 256, 16_000_000
#: The runner of this process of Spark, and the digest of what it has loaded.
_warm: tuple[str, Runner] | None = None


def worker(
    luggage: str, digest: str, seconds: float, measures: tuple[Measure, ...], trace: bool
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The function that is mapped over batches of one column ``run``; gives batches of rows.

    Args:
        luggage: what travels, as JSON; ``digest`` by which it is recognised.
        seconds: most seconds of a run.
        measures: what is measured beside the usual.
        trace: whether the files of the traces come back as well.
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
                if row["failure"] == DISK:  # says nothing about the run, which shall be made again
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
