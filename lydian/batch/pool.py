"""Many runs of one experiment in a pool of processes on this machine, without Spark.

::

    for row in runs(experiment, range(1, 501)):
        print(row["seed"], row["messages"], row["violated"])

A row has the columns of a sweep's results (:data:`~lydian.batch.rows.COLUMNS`) and ``seed``. A run that hangs, crashes
or fails affects only its own row.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from lydian.batch.packed import pack
from lydian.batch.runner import Runner
from lydian.batch.sweep.sweep import Limits, Sweep
from lydian.model.experiment.experiment import Experiment

__all__ = ["cores", "runs", "swept"]


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def runs(
    experiment: Experiment,
    seeds: range | Sequence[int],
    *,
    limits: Limits | None = None,
    workers: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Run an experiment with each of these seeds, and yield the rows in the order in which the runs end.

    Closing the iterator ends the processes at once; runs in progress are lost.

    Args:
        experiment: the experiment to run; its own seed is ignored.
        seeds: the seeds of the runs, each from 0 to 2**63 - 1.
        limits: the limits of each run; by default an hour and the usual memory of a sweep.
        workers: the number of processes; by default one for each processor.

    Raises:
        BadInput: the experiment cannot be used, or no process can be started.
    """
    whole = experiment.with_(faults=(*experiment.faults, *experiment.interventions), interventions=(), branches=())
    kept = seeds if isinstance(seeds, range) else tuple(seeds)
    return swept(Sweep(experiment.name, whole, seeds=kept, limits=limits or Limits(seconds=3600.0)), workers=workers)


def swept(sweep: Sweep, *, workers: int | None = None) -> Iterator[dict[str, Any]]:
    """Execute the runs of a sweep, and yield the rows in the order in which the runs end; the rest is as in
    :func:`runs`.

    A row has the columns of a sweep's results: besides those above its group, and the settings that differ.
    """
    luggage = pack(sweep).to_json()
    return _rows(sweep, luggage, max(1, min(workers or cores(), sweep.count)))


def _rows(sweep: Sweep, luggage: str, count: int) -> Iterator[dict[str, Any]]:
    pool = [Runner(luggage, sweep.limits.seconds) for _ in range(count)]
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index in range(sweep.count):
        waiting.put(index)
    ended: queue.SimpleQueue[dict[str, Any] | BaseException] = queue.SimpleQueue()
    threads = [threading.Thread(target=_work, args=(each, waiting, ended), name="lydian-pool") for each in pool]
    for thread in threads:
        thread.start()
    try:
        for _ in range(sweep.count):
            row = ended.get()
            if isinstance(row, BaseException):
                raise row
            run = sweep.run(row["run"])
            yield row | {"group": run.group, "seed": run.seed, **run.shown}
    finally:
        for each in pool:
            each.kill()
        for thread in threads:
            thread.join()


def _work(
    runner: Runner, waiting: queue.SimpleQueue[int], ended: queue.SimpleQueue[dict[str, Any] | BaseException]
) -> None:
    """Execute runs until none is left or the runner is ended."""
    with runner:
        while not runner.killed:
            try:
                index = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                ended.put(runner.run(index))
            except BaseException as error:  # noqa: BLE001 - raised again where the rows are read
                ended.put(error)
                return
