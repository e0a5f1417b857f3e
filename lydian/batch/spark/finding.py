"""Shapes of communication in a folder of traces, on Spark: each task reads its traces and returns the best places."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from pathlib import Path

from lydian.trace.finding import Found, find
from lydian.trace.timeline import Timeline

__all__ = ["Place", "best", "in_file", "on_spark"]

#: A place with the file of its trace; the last part is the reason why the file cannot be read.
Place = tuple[str, Found | None, str]
#: The tasks of a core.
TASKS = 4


def in_file(file: str, shape: str, most: int) -> list[Place]:
    """Return the best places of a shape in the trace in a file."""
    from lydian.model.errors import LydianError
    from lydian.trace.parquet.file import load

    try:
        timeline = Timeline(load(Path(file)))
    except (LydianError, OSError) as error:
        return [(file, None, str(error))]
    return [(file, found, "") for found in find(timeline, shape, most)]


def best(places: Sequence[Place], most: int) -> list[Place]:
    """Return the best of these places, the best first, and after them the files that cannot be read."""
    good = [each for each in places if each[1] is not None]
    found = heapq.nsmallest(most, good, key=lambda each: (-each[1].score, each[0], each[1].events) if each[1] else ())
    return found + [each for each in places if each[1] is None]


def on_spark(files: Sequence[str], shape: str, most: int, master: str) -> list[Place]:
    """Return the best places in all files.

    Raises:
        BadInput: the master is invalid, or Spark is missing.
        Lost: Spark does not start.
    """
    from lydian.batch.spark.session import Spark

    with Spark(master) as spark:
        parts = max(1, min(len(files), TASKS * spark.cores))
        named = [(file, str(Path(file).absolute())) for file in files]
        rows = spark.session.sparkContext.parallelize(named, parts)
        found = rows.flatMap(lambda pair: [(pair[0], *rest) for _, *rest in in_file(pair[1], shape, most)]).collect()
        return best(found, most)
