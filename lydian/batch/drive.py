"""A batch on behalf of another program, such as the window: ``python -m lydian.batch.drive``.

Both channels carry the frames of :mod:`lydian.engine.wire`. The program sends one ``batch``. The answers are
``progress`` and ``partial`` and, at the end, a ``result`` or an ``error``. ``stop``, or the end of standard input,
stops the batch and keeps the finished runs: the other program may vanish at any moment, and neither Java nor a
simulator may be left running.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from lydian.engine.serve import requested
from lydian.engine.wire import (
    Batch,
    Bye,
    Error,
    Frame,
    Partial,
    Progress,
    Refused,
    Result,
    Stop,
    encode,
    frames,
)
from lydian.model.childprocess import follow_parent
from lydian.model.errors import BadInput, LydianError

__all__ = ["ENTRY", "main"]

#: The arguments that start this process.
ENTRY = ("-m", "lydian.batch.drive")
#: How many failed runs are reported.
MOST_TOLD = 200
#: Seconds after which a batch that was told to stop is ended by force.
PATIENCE = 10.0


class _Driver:
    """Serves one request."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._lock = threading.Lock()
        self._groups: dict[int, int] = {}
        self._failures = 0
        self._told: set[int] = set()
        self._folder: Path | None = None  # of the batch
        self._unwanted = threading.Event()
        self._stops: list[Any] = []  # functions to call when the batch is stopped

    # ------------------------------------------------------------------ answers

    def say(self, frame: Frame) -> None:
        """Send a frame; stop if it no longer has a reader."""
        try:
            with self._lock:
                self._answers.write(encode(frame))
                self._answers.flush()
        except OSError:
            self.stop()

    def stop(self) -> None:
        """Stop the batch: its result is no longer wanted."""
        if not self._unwanted.is_set():
            self._unwanted.set()
            last = threading.Timer(PATIENCE, os._exit, (1,))  # Java ends when its standard input does
            last.daemon = True
            last.start()
        for stop in self._stops:
            stop()

    def listen(self, requests: Iterator[Frame | Refused]) -> None:
        """Wait for a request to stop, or for the end of the input."""
        for frame in requests:
            if isinstance(frame, Stop | Bye):
                break
        self.stop()

    # ------------------------------------------------------------------ requests

    def serve(self, request: Batch) -> int:
        """Carry out the request and return the exit code."""
        try:
            return self._estimate(request) if request.do == "estimate" else self._run(request)
        except BadInput as error:
            return self._refuse(error.what, error.file, error.place)
        except LydianError as error:
            return self._refuse(str(error))
        except ImportError as error:
            return self._refuse(f"{error.name or error} is missing")
        except (OSError, MemoryError) as error:
            what = getattr(error, "strerror", None) or str(error) or "there is not enough memory"
            return self._refuse(str(what), getattr(error, "filename", None))
        except Exception as error:  # noqa: BLE001 - whatever it is, it has to reach who asked
            return self._refuse(f"{type(error).__name__}: {error}")

    def _refuse(self, what: str, file: object = None, place: str | None = None) -> int:
        self.say(Error(what, 1, None if file is None else str(file), place))
        return 1

    def _estimate(self, request: Batch) -> int:
        from lydian.batch.estimate import LONGEST, estimate, trial_runs
        from lydian.batch.packed import pack
        from lydian.batch.runner import Runner
        from lydian.batch.spark.session import cores_of
        from lydian.batch.sweep.file import from_dict as sweep_from

        sweep = sweep_from(request.sweep, request.file)
        luggage = pack(sweep)
        runner = Runner(luggage.to_json(), min(sweep.limits.seconds, LONGEST))
        self._stops.append(runner.kill)
        trials = len(trial_runs(sweep)) + 1
        tried = 0

        def unwanted() -> bool:
            nonlocal tried
            self.say(Progress({"tried": tried, "of": trials}))
            tried += 1
            return self._unwanted.is_set()

        with runner:
            plan = estimate(luggage, traces=bool(request.traces), runner=runner, stop=unwanted)
        if self._unwanted.is_set():
            return 130
        cores = cores_of(request.master)
        failed = [
            {"run": row["run"], "failure": row["failure"], "error": row["error"]}
            for row in plan.trials if row.get("failure")
        ]  # fmt: skip
        numbers = {key: getattr(plan, key) for key in ("runs", "groups", "seconds", "bytes", "quickest", "slowest")}
        wall = None if cores is None else plan.wall(cores)
        self.say(Result({**numbers, "wall": wall, "cores": cores, "tried": len(plan.trials), "failed": failed}))
        return 0

    def _run(self, request: Batch) -> int:
        from lydian.batch.estimate import Estimate
        from lydian.batch.spark.job import Job
        from lydian.batch.spark.session import check_master
        from lydian.batch.sweep.file import from_dict as sweep_from

        master, resume = request.master, request.resume
        check_master(master)
        folder = self._folder = Path(request.folder or "")
        if resume and request.sweep is None:  # the folder contains the sweep
            from lydian.batch.folder import read_folder

            kept = read_folder(folder)
            job = Job(
                kept.sweep, folder, master=master, traces=kept.traces, resume=True, tell=self._tell,
                luggage=kept.luggage,
            )  # fmt: skip
        else:
            sweep = sweep_from(request.sweep, request.file)
            told = request.plan
            names = ("runs", "groups", "seconds", "bytes", "quickest", "slowest")
            plan = Estimate(**{name: told[name] for name in names}, trials=()) if told else None
            traces = sweep.traces if request.traces is None else request.traces
            job = Job(sweep, folder, master=master, traces=traces, resume=resume, plan=plan, tell=self._tell)
        self._stops.append(job.cancel)
        if self._unwanted.is_set():
            job.cancel()
        try:
            ended = job.run()
            self._tell_failures(folder)
            self.ended(ended.state, folder, asdict(ended.progress) | {"groups": {}})
            return ended.exit_code
        finally:
            job.close()

    def ended(self, state: str, folder: Path, progress: Mapping[str, Any]) -> None:
        """Report how the batch ended."""
        self.say(Result({"state": state, "folder": str(folder.absolute()), "progress": dict(progress)}))

    # ------------------------------------------------------------------ progress

    def _tell(self, progress: Any) -> None:
        fresh = {group: done for group, done in progress.groups.items() if self._groups.get(group) != done}
        self._groups.update(fresh)
        parts = {key: getattr(progress, key) for key in progress.__dataclass_fields__}
        self.say(Progress(parts | {"groups": fresh}))
        if progress.failed > self._failures and progress.state == "running":
            self._failures = progress.failed
            if self._folder is not None:
                self._tell_failures(self._folder)

    def _tell_failures(self, path: Path) -> None:
        from lydian.batch.folder import is_batch, read_folder

        if not is_batch(path) or len(self._told) >= MOST_TOLD:
            return
        table = read_folder(path).table(["run", "group", "seed", "failure", "error"])
        failed = table.filter(table.column("failure").is_valid()).to_pylist()
        fresh = [row for row in failed if row["run"] not in self._told][: MOST_TOLD - len(self._told)]
        self._told.update(row["run"] for row in fresh)
        if fresh:
            self.say(Partial({"failures": fresh, "more": len(failed) - len(self._told)}))


def main() -> int:
    """Read one request, answer it, and end when it is done or when nothing reads the answers any longer."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of a protocol or of Spark must not mix with the answers
    heard = frames(sys.stdin.buffer)
    driver = _Driver(answers)
    request, code = requested(heard, driver.say, Batch)
    if request is None:
        return code or 130
    threading.Thread(target=driver.listen, args=(heard,), name="lydian-orders", daemon=True).start()
    return driver.serve(request)


if __name__ == "__main__":
    follow_parent()
    code = main()
    sys.stdout.flush()
    os._exit(code)  # a thread may still be waiting for standard input
