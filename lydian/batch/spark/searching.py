"""The search of all schedules on Spark: tasks compute the moves of the configurations that the search examines next.

The search itself, which executes the actions and numbers what it finds, remains where it was started, as with helpers
on the same machine (:mod:`lydian.engine.explorer.crew`). What is new in its table is broadcast before each step; each
Python process of Spark keeps a copy of the table.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lydian.batch.spark.session import Lost, Spark
from lydian.engine.explorer.crew import Update, divided
from lydian.engine.explorer.table import Expanded, Knowledge, Rows, Shape, Table
from lydian.model.errors import BadInput

__all__ = ["SparkCrew"]

#: The table of the search for which this Python process of Spark has computed moves, with the number of its updates.
_kept: tuple[str, Table, int] | None = None
_searches = itertools.count()


class SparkCrew:
    """The tasks of one search.

    Args:
        spark: a running Spark.
        shape: what does not change during the search.

    Raises:
        BadInput: Spark is behind Spark Connect, which runs no such tasks.
    """

    def __init__(self, spark: Spark, shape: Shape) -> None:
        if spark.connect:
            raise BadInput("a search needs a Spark of its own, such as local[2] or spark://host:7077, not sc://")
        self._spark, self._shape = spark, shape
        self._name = f"{os.getpid()} {time.time_ns()} {next(_searches)}"
        self._updates: list[Any] = []
        self._news, self._words = 0, {False: 1, True: 1}
        self._known: Knowledge | None = None

    def close(self) -> None:
        """Forget what was broadcast."""
        if self._spark.alive:
            for each in self._updates:
                each.unpersist()
        self._updates = []

    def expand(self, table: Table, known: Knowledge | None, rows: Rows) -> Iterator[Expanded]:
        """Yield the moves of some configurations in parts, in order; the rest is as in a crew."""
        numbered = {fifo: len(each.words) for fifo, each in table.contents.items()}
        table.settle()
        words = {fifo: each.words[self._words[fifo] :] for fifo, each in table.contents.items()}
        update: Update = (table.news[self._news :], words, known if known is not self._known else None)
        self._news, self._words, self._known = len(table.news), numbered, known
        try:
            context = self._spark.session.sparkContext
            self._updates.append(context.broadcast(update))
            name, shape, updates = self._name, self._shape, tuple(self._updates)
            parts = np.array_split(rows, min(len(rows), self._spark.cores))
            answers = (
                context.parallelize(parts, len(parts)).map(lambda part: task(name, shape, updates, part)).collect()
            )
        except Exception as error:
            if self._spark.alive:
                raise
            raise Lost("Spark has stopped; the search is lost") from error
        for found in answers:
            yield divided(table, found, numbered)


def task(name: str, shape: Shape, updates: Sequence[Any], rows: Rows) -> Expanded:
    """Compute moves in a Python process of Spark.

    Args:
        name: the name of the search.
        shape: what does not change during it.
        updates: all that was broadcast so far.
        rows: the configurations.
    """
    global _kept
    if _kept is None or _kept[0] != name:
        _kept = name, Table(shape), 0
    _, table, done = _kept
    for each in updates[done:]:
        table.update(*each.value)
    _kept = name, table, len(updates)
    return table.expand(rows)
