"""A batch for another program, such as the window: one request on standard input, news as lines of JSON on standard
output.

::

    {"do": "estimate", "sweep": {...}, "file": "mine.toml", "master": "local[*]", "traces": false}
    {"do": "run", "sweep": {...}, "file": null, "folder": "results", "master": "local[2]", "traces": false,
     "resume": false, "plan": {...}}

``file`` is where relative paths of the sweep start.  The answers:

===============================  =======================================================================================
``{"say": "trial", ...}``        ``done`` of ``of`` trial runs
``{"say": "plan", ...}``         what the sweep will take; the end of an estimate
``{"say": "progress", ...}``     the fields of :class:`~lydian.batch.job.Progress`; of ``groups`` those that changed
``{"say": "failures", ...}``     ``rows``: runs that gave no result, each told once; ``more``: how many are not told
``{"say": "ended", ...}``        ``state`` is ``done`` or ``cancelled``; what is done is in ``folder``
``{"say": "problem", ...}``      ``what`` is wrong, in ``file`` at ``place``; ``kind`` is ``input``, ``lost`` or ``bug``
===============================  =======================================================================================

The line ``{"do": "stop"}``, or the end of standard input, stops the batch and keeps what is done: whoever asked may
vanish at any moment, and neither Java nor a simulator stays behind.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from lydian.model.childprocess import follow_parent
from lydian.model.errors import BadInput, LydianError

__all__ = ["ENTRY", "main"]

#: What the process runs.
ENTRY = ("-m", "lydian.batch.drive")
#: Failed runs that are told.
MOST_TOLD = 200
#: Seconds after which a batch that was to stop is ended by force.
PATIENCE = 10.0


class _Driver:
    """Does one request."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._lock = threading.Lock()
        self._groups: dict[int, int] = {}
        self._failures = 0
        self._told: set[int] = set()
        self._folder: Path | None = None  # of the batch
        self._unwanted = threading.Event()
        self._stops: list[Any] = []  # what is called once nobody wants it any more

    # ------------------------------------------------------------------ news

    def say(self, word: str, **parts: Any) -> None:
        """Tell something; nobody may be there to hear it."""
        line = json.dumps({"say": word, **parts}, default=str)
        try:
            with self._lock:
                self._answers.write(line.encode() + b"\n")
                self._answers.flush()
        except OSError:
            self.stop()

    def stop(self) -> None:
        """Nobody wants it any more."""
        if not self._unwanted.is_set():
            self._unwanted.set()
            last = threading.Timer(PATIENCE, os._exit, (1,))  # Java ends when its standard input does
            last.daemon = True
            last.start()
        for stop in self._stops:
            stop()

    def listen(self, requests: BinaryIO) -> None:
        """Wait for the word to stop, or for the end of the line."""
        for line in requests:
            if line.strip() == b'{"do": "stop"}':
                break
        self.stop()

    # ------------------------------------------------------------------ requests

    def serve(self, request: Mapping[str, Any]) -> int:
        """Do what is asked; the exit code."""
        try:
            return self._estimate(request) if request.get("do") == "estimate" else self._run(request)
        except BadInput as error:
            place = None if error.file is None else str(error.file)
            self.say("problem", what=error.what, file=place, place=error.place, kind="input")
        except LydianError as error:
            self.say("problem", what=str(error), file=None, place=None, kind="lost")
        except ImportError as error:
            self.say("problem", what=f"{error.name or error} is missing", file=None, place=None, kind="input")
        except (OSError, MemoryError) as error:
            what = getattr(error, "strerror", None) or str(error) or "there is not enough memory"
            self.say("problem", what=str(what), file=getattr(error, "filename", None), place=None, kind="input")
        except Exception as error:  # noqa: BLE001 - whatever it is, it has to reach who asked
            self.say("problem", what=f"{type(error).__name__}: {error}", file=None, place=None, kind="bug")
        return 1

    def _estimate(self, request: Mapping[str, Any]) -> int:
        from lydian.batch.estimate import LONGEST, estimate, trial_runs
        from lydian.batch.luggage import pack
        from lydian.batch.runner import Runner
        from lydian.batch.session import cores_of
        from lydian.batch.sweep import Sweep

        sweep = Sweep.from_dict(request["sweep"], request.get("file"))
        luggage = pack(sweep)
        runner = Runner(luggage.to_json(), min(sweep.limits.seconds, LONGEST))
        self._stops.append(runner.kill)
        trials = len(trial_runs(sweep)) + 1
        tried = 0

        def unwanted() -> bool:
            nonlocal tried
            self.say("trial", done=tried, of=trials)
            tried += 1
            return self._unwanted.is_set()

        with runner:
            plan = estimate(luggage, traces=bool(request.get("traces")), runner=runner, stop=unwanted)
        if self._unwanted.is_set():
            return 130
        cores = cores_of(str(request.get("master") or "local[*]"))
        failed = [
            {"run": row["run"], "failure": row["failure"], "error": row["error"]}
            for row in plan.trials if row.get("failure")
        ]  # fmt: skip
        numbers = {key: getattr(plan, key) for key in ("runs", "groups", "seconds", "bytes", "quickest", "slowest")}
        wall = None if cores is None else plan.wall(cores)
        self.say("plan", **numbers, wall=wall, cores=cores, tried=len(plan.trials), failed=failed)
        return 0

    def _run(self, request: Mapping[str, Any]) -> int:
        from lydian.batch.estimate import Plan
        from lydian.batch.job import Job
        from lydian.batch.session import check_master
        from lydian.batch.sweep import Sweep

        master = str(request.get("master") or "local[*]")
        check_master(master)
        resume = bool(request.get("resume"))
        folder = self._folder = Path(request["folder"])
        if resume and request.get("sweep") is None:  # what was asked stands in the folder
            from lydian.batch.folder import read_folder

            kept = read_folder(folder)
            job = Job(
                kept.sweep, folder, master=master, traces=kept.traces, resume=True, tell=self._tell,
                luggage=kept.luggage,
            )  # fmt: skip
        else:
            sweep = Sweep.from_dict(request["sweep"], request.get("file"))
            told = request.get("plan")
            names = ("runs", "groups", "seconds", "bytes", "quickest", "slowest")
            plan = Plan(**{name: told[name] for name in names}, trials=()) if told else None
            traces = bool(request.get("traces", sweep.traces))
            job = Job(sweep, folder, master=master, traces=traces, resume=resume, plan=plan, tell=self._tell)
        self._stops.append(job.cancel)
        if self._unwanted.is_set():
            job.cancel()
        try:
            ended = job.run()
            self._tell_failures(folder)
            self.say(
                "ended", state=ended.state, folder=str(folder.absolute()), seconds=ended.seconds,
                starting=ended.starting, progress=asdict(ended.progress) | {"groups": {}},
            )  # fmt: skip
            return ended.exit_code
        finally:
            job.close()

    # ------------------------------------------------------------------ progress

    def _tell(self, progress: Any) -> None:
        fresh = {group: done for group, done in progress.groups.items() if self._groups.get(group) != done}
        self._groups.update(fresh)
        parts = {key: getattr(progress, key) for key in progress.__dataclass_fields__}
        self.say("progress", **parts | {"groups": fresh})
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
            self.say("failures", rows=fresh, more=len(failed) - len(self._told))


def main() -> int:
    """The process: reads one request, answers it, and ends when it is done or nobody listens any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a protocol or Spark prints is none of the answers
    requests = sys.stdin.buffer
    first = requests.readline()
    if not first.strip():
        return 130
    driver = _Driver(answers)
    threading.Thread(target=driver.listen, args=(requests,), name="lydian-orders", daemon=True).start()
    try:
        request = json.loads(first)
    except ValueError:
        driver.say("problem", what="this is no request", file=None, place=None, kind="bug")
        return 2
    return driver.serve(request)


if __name__ == "__main__":
    follow_parent()
    code = main()
    sys.stdout.flush()
    os._exit(code)  # a thread may still wait for standard input
