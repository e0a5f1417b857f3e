"""The marking of hand-ins on Spark: each row is a hand-in, each answer the results of its checks.

The assignment travels with the job as text, and an executor writes it to a folder of its own; so a cluster needs no
common file system. Hand-ins are sent in parts, two of them at once, so that an interrupted grading has lost little.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from lydian.batch.spark.session import Lost, Spark, needed, reason

__all__ = ["mapped", "worker"]

#: The hand-ins of a part for each core.
PART = 16
#: What works in this Spark process: the digest of the payload, its folder, and the marker.
_warm: tuple[str, Path, Any] | None = None


def mapped(
    payload: str, tasks: Sequence[str], master: str, mark: Callable[[Path, float], Any]
) -> Generator[tuple[int, str], None, None]:
    """Yield the number of each task and its answer, as JSON, part by part.

    Args:
        payload: the assignment as JSON: its ``files`` and the ``seconds`` of a check.
        tasks: the hand-ins as JSON: ``files``, ``answers``, ``checks``.
        master: the master URL of Spark.
        mark: makes a marker from a folder and seconds; it is sent to the executors.

    Raises:
        Lost: Spark does not start or has stopped.
        BadInput: Spark is not installed, or the master is invalid.
    """
    needed(master)
    if not tasks:
        return
    with Spark(master) as spark:
        size = max(1, PART * spark.cores)
        parts = [range(at, min(at + size, len(tasks))) for at in range(0, len(tasks), size)]
        work = worker(payload, hashlib.sha256(payload.encode()).hexdigest(), mark)

        def done(part: range) -> list[tuple[int, str]]:
            rows = [(number, tasks[number]) for number in part]
            frame = spark.session.createDataFrame(rows, "number bigint, task string")
            table = frame.repartition(len(rows), "number").mapInArrow(work, "number bigint, answer string").toArrow()
            return list(zip(table.column("number").to_pylist(), table.column("answer").to_pylist(), strict=True))

        waiting = list(reversed(parts))
        with ThreadPoolExecutor(2) as pool:
            going: set[Future[list[tuple[int, str]]]] = set()
            try:
                while waiting or going:
                    while waiting and len(going) < 2:
                        going.add(pool.submit(done, waiting.pop()))
                    finished, going = wait(going, None, FIRST_COMPLETED)
                    for each in finished:
                        yield from _taken(each)
            except GeneratorExit:
                if not spark.connect:
                    spark.session.sparkContext.cancelAllJobs()
                raise


def _taken(future: Future[list[tuple[int, str]]]) -> list[tuple[int, str]]:
    try:
        return future.result()
    except Exception as error:  # noqa: BLE001 - whatever Spark raises
        what = f"Spark could not mark the hand-ins: {reason(str(error))}; start again; those already marked are kept"
        raise Lost(what) from None


def worker(payload: str, digest: str, mark: Callable[..., Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function that maps batches of tasks to batches of answers on an executor."""

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            found = [
                {"number": number, "answer": json.dumps(_marker(payload, digest, mark).task(json.loads(task)))}
                for number, task in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)
            ]
            yield pa.RecordBatch.from_pylist(found, schema=pa.schema([("number", pa.int64()), ("answer", pa.string())]))

    return rows


def _marker(payload: str, digest: str, mark: Callable[..., Any]) -> Any:
    """Return the marker of this Spark process, for the assignment in the payload."""
    global _warm
    if _warm is None or _warm[0] != digest:
        if _warm is None:
            atexit.register(_end)
        _end()
        told = json.loads(payload)
        folder = Path(tempfile.mkdtemp(prefix="lydian-assignment-"))
        for name, text in told["files"].items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        _warm = digest, folder, mark(folder, told["seconds"])
    return _warm[2]


def _end() -> None:
    global _warm
    if _warm is not None:
        _warm[2].close()
        shutil.rmtree(_warm[1], ignore_errors=True)
        _warm = None
