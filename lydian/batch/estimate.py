"""The cost of a sweep: number of runs, time and disk space, estimated from a few trial runs spread over its grid."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.batch.folder import Order
from lydian.batch.packed import Packed
from lydian.batch.rows import schema
from lydian.batch.runner import Runner
from lydian.batch.sweep.sweep import Sweep
from lydian.model.errors import BadInput

__all__ = ["Estimate", "estimate", "part_size", "trial_runs"]

#: Seconds spent on trials (at least three runs are tried), and the most seconds for a single one.
BUDGET, LONGEST = 3.0, 10.0
_CORNERS, _SPREAD = 8, 8
#: Seconds of work for one core in a part, and bytes of traces that are returned together.
PART_SECONDS, PART_BYTES = 6.0, 64_000_000
#: The least seconds of work in a task.
TASK_SECONDS = 0.75
_SAMPLED = 1000


@dataclass(frozen=True)
class Estimate:
    """The estimated cost of a sweep.

    Args:
        runs, groups: the number of each.
        seconds: time of one core for all runs.
        bytes: disk space for all runs.
        quickest, slowest: the shortest and the longest time of a trial run, in seconds.
        trials: the rows of the trial runs.
    """

    runs: int
    groups: int
    seconds: float
    bytes: int
    quickest: float
    slowest: float
    trials: tuple[dict[str, Any], ...]

    def wall(self, cores: int) -> float:
        """Return the seconds of real time on this number of cores, not counting the time to start Spark."""
        return max(self.seconds / max(cores, 1), self.slowest)


def estimate(
    luggage: Packed, *, traces: bool = False, runner: Runner | None = None, stop: Callable[[], bool] = lambda: False
) -> Estimate:
    """Try a few runs and estimate the cost of all runs from them.

    Args:
        luggage: the sweep and everything it names.
        traces: whether traces are kept.
        runner: executes the runs; by default a runner created here.
        stop: called between runs; returns whether to stop.

    Raises:
        BadInput: all trial runs are refused; the message is that of the first refusal.
    """
    sweep = luggage.sweep
    own = runner is None
    runner = runner or Runner(luggage.to_json(), min(sweep.limits.seconds, LONGEST))
    try:
        rows, sizes = _try(runner, trial_runs(sweep), traces, stop)
    finally:
        if own:
            runner.close()
    for row in rows:  # A trial that was cut short only because it is a trial does not count as a failure of the sweep.
        if row.get("failure") == "time" and LONGEST <= row["seconds"] < sweep.limits.seconds:
            row |= {"failure": None, "error": None}
    if rows and all(row.get("failure") == "input" for row in rows):
        raise BadInput(f"no run is possible: {rows[0]['error']}", file=sweep.path)
    each: float = _row_bytes(luggage, rows) + (float(np.mean(sizes)) if sizes else 0.0)
    times = [float(row["seconds"]) for row in rows] or [0.0]
    return Estimate(
        sweep.count, sweep.groups, _all_seconds(sweep, rows), int(each * sweep.count) + 20_000, min(times), max(times),
        tuple(rows),
    )  # fmt: skip


def part_size(plan: Estimate, cores: int, traces: bool) -> int:
    """Return the number of runs in a part: some seconds of work for every core, but at most half of all runs."""
    one = plan.seconds / max(plan.runs, 1)
    size = int(PART_SECONDS * cores / max(one, 1e-4))
    if traces:
        size = min(size, int(PART_BYTES / max(plan.bytes / plan.runs, 1)))
    least = min(plan.runs, 4 * cores)
    return max(1, least, min(size, -(-plan.runs // 2), 5000))


def slices(plan: Estimate | None, runs: int, cores: int, last: bool) -> int:
    """Return the number of tasks for a part with this number of runs.

    There are two tasks for each core, and more in the last part, so that no core waits long. A task costs some
    hundredths of a second in Spark and Python whatever it contains, so none is shorter than :data:`TASK_SECONDS`.
    """
    wanted = 2 * cores
    if last and plan is not None and plan.runs:
        wanted = max(wanted, min(8 * cores, int(plan.seconds / plan.runs * runs / TASK_SECONDS)))
    return max(1, min(runs, wanted))


def trial_runs(sweep: Sweep) -> list[int]:
    """Return the runs to try: the corners of the grid and some runs between them."""
    ends = [(0, len(side[0]) - 1) if len(side[0]) > 1 else (0,) for side in sweep._sides]
    sizes = [len(side[0]) for side in sweep._sides]
    corners = list(itertools.islice(itertools.product(*ends), 4096))
    chosen = [corners[round(i)] for i in np.linspace(0, len(corners) - 1, min(len(corners), _CORNERS))]
    seeds = len(sweep.seeds)
    found = [int(np.ravel_multi_index(corner, sizes)) * seeds if sizes else 0 for corner in chosen]
    order = Order(sweep.count)
    found += [order.run(position) for position in range(1, min(sweep.count, _SPREAD + 1))]
    return list(dict.fromkeys(found))


def _try(
    runner: Runner, indices: Sequence[int], traces: bool, stop: Callable[[], bool]
) -> tuple[list[dict[str, Any]], list[int]]:
    rows: list[dict[str, Any]] = []
    sizes: list[int] = []
    spent = 0.0
    # The first run of a process is slower, so it is executed twice and not counted the first time.
    for number, index in enumerate([indices[0], *indices]):
        if stop() or (spent > BUDGET and number > 3) or (spent > LONGEST and number > 1):
            break
        row = runner.run(index, trace=traces)
        data = row.pop("trace", None)
        spent += row["seconds"]
        if number:
            rows.append(row)
            sizes.append(len(data or b""))
    return rows, sizes


def _all_seconds(sweep: Sweep, rows: Sequence[dict[str, Any]]) -> float:
    """Estimate the seconds of all runs: the logarithm of the time is modelled as a sum over the axes, fitted to the
    trials.
    """
    if not rows:
        return 0.0
    times = np.log([max(float(row["seconds"]), 1e-4) for row in rows])
    places = np.array([_place(sweep, row["run"]) for row in rows])
    mean = times.mean()
    weights = np.linalg.solve(places.T @ places + 0.3 * np.eye(places.shape[1]), places.T @ (times - mean))
    order = Order(sweep.count)
    seen = np.array([_place(sweep, order.run(position)) for position in range(min(sweep.count, _SAMPLED))])
    guessed = np.exp(np.clip(mean + seen @ weights, times.min(), times.max()))
    return sweep.count * float(guessed.mean())


def _place(sweep: Sweep, run: int) -> list[float]:
    """Return the position of a run along each side of the grid, from -1/2 to 1/2."""
    rest = run // len(sweep.seeds)
    found = []
    for side in reversed(sweep._sides):
        rest, number = divmod(rest, len(side[0]))
        found.append(number / max(len(side[0]) - 1, 1) - 0.5)
    return found or [0.0]


def _row_bytes(luggage: Packed, rows: Sequence[dict[str, Any]]) -> float:
    """Return the number of bytes of a row in a file, measured on the rows of the trials."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = schema(luggage.sweep.measure, False)
    sizes: list[int] = []
    for copies in (1, 2):
        sink = pa.BufferOutputStream()
        table = pa.Table.from_pylist([{**row, "fingerprint": None} for row in rows] * copies, schema=columns)
        pq.write_table(table, sink, compression="zstd")
        sizes.append(int(sink.getvalue().size))
    return max(40.0, (sizes[1] - sizes[0]) / max(len(rows), 1)) + 64 + 8  # the fingerprint and the time
