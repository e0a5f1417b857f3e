"""A batch job: the runs of a sweep on Spark, part by part, written to a folder.

::

    job = Job(load("sweep.toml"), "results", tell=print)
    outcome = job.run()               # or job.start(), job.progress, job.cancel(), job.wait()

Runs are the rows of a DataFrame, which ``mapInArrow`` turns into rows of the result on the executors. Each part of
the sweep is a DataFrame of its own with a few partitions per core. Two parts are executed at once, so that no core
waits for the last run of a part. The rows are returned to this process, the only one that writes the folder. A cluster
therefore needs no common file system, and a file with the name of a part is always complete.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lydian.batch.estimate import LONGEST, Estimate, estimate, part_size, slices
from lydian.batch.folder import RESUME, Claim, Folder, Order, check_place, is_batch, read_folder, room_left
from lydian.batch.packed import Packed, pack
from lydian.batch.rows import ddl
from lydian.batch.runner import Runner
from lydian.batch.spark.executor import worker
from lydian.batch.spark.session import Lost, Spark, cores_of, needed, reason
from lydian.batch.sweep.sweep import Sweep
from lydian.model.errors import BadInput, LydianError

__all__ = ["Job", "JobEnd", "Progress"]

#: Seconds between two checks of the progress.
TICK = 0.1
#: Seconds that cancelled work may take to end by itself: on a Spark of our own, which is then ended, and on any other.
PATIENCE, PATIENCE_WITH_OTHERS = 0.3, 10.0
_AT_ONCE = 2


@dataclass(frozen=True)
class Progress:
    """The progress of a job.

    Args:
        state: ``trying``, ``starting``, ``running``, ``done``, ``cancelled`` or ``failed``.
        total: the number of runs.
        done: runs whose results are kept; ``before`` of them by an earlier job.
        failed: those of the kept runs that gave no result.
        violated: those of the kept runs that violate a property.
        under_way: the approximate number of runs that are finished but not kept yet.
        seconds: the time since the first part was begun.
        rate: runs per second; 0 while unknown.
        left: the seconds that are left; ``None`` while unknown.
        groups: number of a group -> its finished runs.
    """

    state: str
    total: int
    done: int = 0
    before: int = 0
    failed: int = 0
    violated: int = 0
    under_way: int = 0
    seconds: float = 0.0
    rate: float = 0.0
    left: float | None = None
    groups: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class JobEnd:
    """The outcome of a job.

    Args:
        state: ``done`` or ``cancelled``.
        folder: the folder with the results.
        progress: the progress at the end.
        seconds: the duration of the job, including the time to start Spark.
        starting: the seconds that Spark took to start.
    """

    state: str
    folder: Folder
    progress: Progress
    seconds: float
    starting: float

    @property
    def exit_code(self) -> int:
        """The exit code: 0, or 1 if a run failed or violates a property; 130 if the user stopped the job."""
        if self.state == "cancelled":
            return 130
        return 1 if self.progress.failed or self.progress.violated else 0


class Job:
    """The runs of a sweep, or those that are still missing.

    Args:
        sweep: the sweep to run.
        folder: the folder for the results, which is created.
        master: the master URL of Spark.
        traces: whether traces are kept; ``None`` for the sweep's own setting.
        resume: continue the batch in the folder, which must be of the same sweep.
        spark: a Spark to use, which stays open; otherwise the job starts its own and stops it in :meth:`close`.
        plan: an estimate made before.
        tell: called with a :class:`Progress` now and then, from the job's thread.
        part: the number of runs in a part; by default $LYDIAN_BATCH_PART, or some seconds of work.
        luggage: the packed sweep from before, if it must not be read again.

    Raises:
        BadInput: the folder, or something that the sweep names, cannot be used.
    """

    def __init__(
        self,
        sweep: Sweep,
        folder: Path | str,
        *,
        master: str = "local[*]",
        traces: bool | None = None,
        resume: bool = False,
        spark: Spark | None = None,
        plan: Estimate | None = None,
        tell: Callable[[Progress], None] | None = None,
        part: int | None = None,
        luggage: Packed | None = None,
    ) -> None:
        self.path = Path(folder)
        self.master = master
        self.traces = sweep.traces if traces is None else traces
        self.luggage = pack(sweep) if luggage is None else luggage
        self.plan = plan
        self.spark = spark
        self.progress = Progress("new", sweep.count)
        self.outcome: JobEnd | None = None
        self.error: BaseException | None = None
        self._own = spark is None
        self._tell = tell
        self._part = part
        self._cancelled = threading.Event()
        self._runner: Runner | None = None
        self._tag = f"lydian-{uuid.uuid4().hex[:12]}"
        self._thread: threading.Thread | None = None
        self._rows: dict[str, Any] = {"done": 0, "before": 0, "failed": 0, "violated": 0, "groups": {}}
        self._began = 0.0
        self._folder = self._checked(resume)

    def _checked(self, resume: bool) -> Folder | None:
        """Return the folder to continue, if there is one."""
        if not is_batch(self.path):
            check_place(self.path)
            return None  # created when the work begins
        if not resume and not any((self.path / "runs").glob("part-*.parquet")):
            return None  # left by a job that never produced a result
        if not resume:
            raise BadInput(f"already contains the results of a batch; {RESUME} it", file=self.path)
        found = read_folder(self.path)
        if found.luggage.digest != self.luggage.digest:
            what = "contains the results of another sweep, or its protocol or network has changed; choose a new folder"
            raise BadInput(what, file=self.path)
        if found.traces != self.traces:
            raise BadInput(
                f"was begun {'with' if found.traces else 'without'} traces; continue it in the same way", file=self.path
            )
        return found

    # ------------------------------------------------------------------ control

    def run(self) -> JobEnd:
        """Execute the whole job in this thread.

        Raises:
            BadInput: no run is possible, or the folder cannot be written.
            Lost: Spark does not start or has stopped; finished runs are kept.
        """
        try:
            self.outcome = self._work()
        except BaseException as error:
            self.error = error
            self._say("failed")
            raise
        return self.outcome

    def start(self) -> None:
        """Execute the whole job in a thread; :meth:`wait` waits for it."""

        def work() -> None:
            try:
                self.run()
            except BaseException:  # noqa: BLE001 - raised again by whoever waits
                pass

        self._thread = threading.Thread(target=work, name="lydian-batch", daemon=True)
        self._thread.start()

    def wait(self, timeout: float | None = None) -> JobEnd | None:
        """Return the outcome, or ``None`` if there is none after ``timeout`` seconds; raise what :meth:`run` raises."""
        assert self._thread is not None
        self._thread.join(timeout)
        if self._thread.is_alive():
            return None
        if self.error is not None:
            raise self.error
        return self.outcome

    def cancel(self) -> None:
        """Stop within two seconds; finished parts are kept."""
        self._cancelled.set()
        runner, spark = self._runner, self.spark
        if runner is not None:
            runner.kill()
        if spark is not None and spark.starting:
            spark.kill()

    def close(self) -> None:
        """Stop the Spark session that the job started."""
        if self._own and self.spark is not None:
            if self._cancelled.is_set():
                self.spark.kill()
            self.spark.stop()
            self.spark = None

    # ------------------------------------------------------------------ work

    def _work(self) -> JobEnd:
        began = time.monotonic()
        self._say("trying")
        if self.spark is None:
            needed(self.master)
        if self._folder is None and self.plan is None:
            self._runner = Runner(self.luggage.to_json(), min(self.luggage.sweep.limits.seconds, LONGEST))
            with self._runner:
                self.plan = estimate(self.luggage, traces=self.traces, runner=self._runner, stop=self._cancelled.is_set)
            self._runner = None
        folder = self._folder or self._made()
        claim = Claim(folder.path)
        try:
            folder.tidy()
            self._count_before(folder)
            starting = 0.0
            pending = [part for part in range(folder.parts) if part not in set(folder.done())]
            if pending and not self._cancelled.is_set():
                at = time.monotonic()
                self._start_spark(folder)
                starting = time.monotonic() - at
                self._began = time.monotonic()
                self._all_parts(folder, pending)
            state = "cancelled" if self._cancelled.is_set() else "done"
            self._say(state)
            return JobEnd(state, folder, self.progress, time.monotonic() - began, starting)
        finally:
            claim.release()
            if self._cancelled.is_set():
                self.close()

    def _made(self) -> Folder:
        assert self.plan is not None
        room = room_left(self.path)
        if room is not None and room < self.plan.bytes:
            what = f"needs about {self.plan.bytes / 1e6:,.1f} MB, but only {room / 1e6:,.1f} MB are free"
            raise BadInput(what, file=self.path)
        wanted = self._part or int(os.environ.get("LYDIAN_BATCH_PART") or 0)
        size = wanted or part_size(self.plan, cores_of(self.master) or 8, self.traces)
        self._folder = Folder.create(self.path, self.luggage, size, self.traces)
        return self._folder

    def _count_before(self, folder: Folder) -> None:
        if folder.done():
            self._counted(folder.table(["group", "failure", "violated"]))
            self._rows["before"] = self._rows["done"]

    def _start_spark(self, folder: Folder) -> None:
        if self.spark is None:
            self._say("starting")
            self.spark = Spark.later(self.master, log=folder.path / "spark.log")
            try:
                self.spark.start()
            except LydianError:
                self.spark = None
                if not self._cancelled.is_set():
                    raise

    def _all_parts(self, folder: Folder, pending: list[int]) -> None:
        """Keep two parts in progress until all are finished; write each one as it arrives."""
        if self._cancelled.is_set() or self.spark is None:
            return
        sweep = folder.sweep
        text = self.luggage.to_json()
        map_rows = worker(text, self.luggage.digest, sweep.limits.seconds, sweep.measure, folder.traces)
        columns = ddl(sweep.measure, folder.traces)
        waiting = list(reversed(pending))
        going: dict[Future[Any], int] = {}
        told = 0.0
        pool = ThreadPoolExecutor(_AT_ONCE, "lydian-parts")
        try:
            while (waiting or going) and not self._cancelled.is_set():
                while waiting and len(going) < _AT_ONCE:
                    part = waiting.pop()
                    going[pool.submit(self._part_on_spark, folder, part, map_rows, columns, not waiting)] = part
                finished, _ = wait(going, TICK, FIRST_COMPLETED)
                for future in finished:
                    self._take(folder, going.pop(future), future)
                if finished or time.monotonic() - told > 0.5:
                    self._say("running", self._under_way(folder))
                    told = time.monotonic()
        finally:
            if going:
                self._interrupt(list(going))
            pool.shutdown(wait=True, cancel_futures=True)

    def _part_on_spark(self, folder: Folder, part: int, map_rows: Any, columns: str, last: bool) -> Any:
        """Return the rows of one part; runs in a thread of its own."""
        assert self.spark is not None
        session = self.spark.session
        if self.spark.connect:
            session.addTag(self._tag)
        else:
            session.sparkContext.setJobGroup(self._tag, f"part {part}", interruptOnCancel=True)
        try:
            runs = folder.members(part)
            tasks = slices(self.plan, len(runs), self.spark.cores, last)
            first, step, count = folder.part * part, Order(folder.sweep.count).stride, folder.sweep.count
            frame = session.range(first, first + len(runs), 1, tasks).selectExpr(f"(id * {step}) % {count} AS run")
            return frame.mapInArrow(map_rows, columns).toArrow()
        finally:
            if self.spark.connect:
                session.removeTag(self._tag)

    def _take(self, folder: Folder, part: int, future: Future[Any]) -> None:
        try:
            rows = future.result()
        except Exception as error:
            if self._cancelled.is_set():
                return
            if isinstance(error, LydianError):
                raise
            assert self.spark is not None
            if not self.spark.alive:
                raise Lost(f"Spark has stopped; the finished runs are kept; {RESUME}") from None
            raise Lost(f"Spark could not execute the runs: {reason(str(error))}; {RESUME}") from None
        self._counted(folder.write(part, rows))

    def _counted(self, table: Any) -> None:
        rows, groups = self._rows, self._rows["groups"]
        rows["done"] += table.num_rows
        rows["failed"] += table.num_rows - table.column("failure").null_count
        rows["violated"] += sum(1 for each in table.column("violated").to_pylist() if each)
        for group in table.column("group").to_pylist():
            groups[group] = groups.get(group, 0) + 1

    def _under_way(self, folder: Folder) -> int:
        """Return the number of runs in finished tasks of unfinished parts."""
        if self.spark is None or self.spark.connect:
            return 0
        try:
            tracker = self.spark.session.sparkContext.statusTracker()
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            share = sum(stage.numCompletedTasks / stage.numTasks for stage in stages if stage and stage.numTasks)
        except Exception:  # noqa: BLE001 - Java is just going
            return 0
        return int(share * folder.part)

    def _interrupt(self, going: list[Future[Any]]) -> None:
        """End the work in progress on Spark; if Spark does not respond and Java is ours, end Java."""
        assert self.spark is not None
        try:
            if self.spark.connect:
                self.spark.session.interruptTag(self._tag)
            else:
                self.spark.session.sparkContext.cancelJobGroup(self._tag)
        except Exception:  # noqa: BLE001 - Java is gone already
            pass
        _, left = wait(going, PATIENCE if self._own else PATIENCE_WITH_OTHERS)
        if left and self._own:
            self.spark.kill()

    def _say(self, state: str, under_way: int = 0) -> None:
        rows = self._rows
        seconds = time.monotonic() - self._began if self._began else 0.0
        fresh = rows["done"] - rows["before"] + under_way
        total = self.luggage.sweep.count
        rate = fresh / seconds if seconds > 0.5 and fresh else 0.0
        left = max(0.0, (total - rows["done"] - under_way) / rate) if rate else None
        self.progress = Progress(
            state, total, rows["done"], rows["before"], rows["failed"], rows["violated"],
            min(under_way, total - rows["done"]), seconds, rate, left, dict(rows["groups"]),
        )  # fmt: skip
        if self._tell is not None:
            self._tell(self.progress)
