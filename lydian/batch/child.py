"""The process that executes the runs of a batch, one after the other: ``python -m lydian.batch.child``.

It reads and writes lines of JSON::

    {"load": "the packed sweep"}                  ->  {"loaded": true}
    {"run": 17, "trace": "/tmp/x/17.parquet"}     ->  {"row": {...}}    trace may be null

The end of the input ends the process at once, even in the middle of a run. The output of a protocol goes to standard
error. A row with ``"worn": true`` beside it announces that the process now ends and must be replaced.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import queue
import re
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

from lydian.batch.packed import Packed, PackedArchive
from lydian.batch.rows import DISK, clean, failed_row, row_of
from lydian.engine.serve import bounded, channels
from lydian.engine.simulator import ACTION_SECONDS, Simulator
from lydian.engine.state.leftovers import pythons_own, remembered
from lydian.model.childprocess import Aside, follow_parent
from lydian.model.errors import LydianError
from lydian.trace.parquet.file import save

__all__ = ["Executor", "main"]

#: Bound now, because a protocol may replace ``json.dumps``.
_ENCODE = json.JSONEncoder().encode
#: How many times longer than in a window an action may take that cannot be interrupted: no user waits for it, and the
#: search for cyclic garbage among the objects of a large run takes seconds.
PATIENCE = 5.0


class Executor:
    """Execute the runs of a sweep in this process.

    Args:
        luggage: the sweep and everything it names.
    """

    def __init__(self, luggage: Packed) -> None:
        self.luggage = luggage
        self.sweep = luggage.sweep
        self.archive = PackedArchive(luggage)
        self.worn = False

    def run(self, index: int, trace: str | None = None) -> dict[str, Any]:
        """Return the row of a run; any failure is reported in the row.

        Args:
            index: the number of the run.
            trace: the file to which its trace is written.
        """
        began = time.perf_counter()
        try:
            resolved = self.sweep.experiment(index, self.archive).resolve(self.archive)
        except LydianError as error:
            return failed_row(index, "input", str(error), time.perf_counter() - began)
        before, python = remembered(resolved.protocol), pythons_own()
        try:
            simulator = Simulator(resolved, variables=None if trace is not None else False)
            simulator.run()
            row = row_of(index, simulator, self.sweep.measure)
            if row["error"] is not None and re.search("MemoryError|more memory", row["error"]):
                self.worn = True
                row |= {"failure": "memory", "error": f"{row['error']} ({self._too_large()})"}
            elif trace is not None:
                row |= _saved(simulator.trace, Path(trace))
        except MemoryError:
            self.worn = True
            row = failed_row(index, "memory", self._too_large(), 0.0)
        except Exception as error:  # noqa: BLE001 - one run must not end the others; the row says it
            row = failed_row(index, "lydian", f"LYDIAN itself failed ({type(error).__name__}: {error})", 0.0)
        if remembered(resolved.protocol) != before:
            self.archive.forget(resolved.protocol)  # the next run must begin as this one did
        if pythons_own() != python:  # later runs must not see the changes made by this one
            self.worn = True
        row["seconds"] = time.perf_counter() - began
        return clean(row)

    def _too_large(self) -> str:
        return f"the run needs more than {self.sweep.limits.memory} MB; see limits.memory"


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Serve requests until the input ends."""
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        for line in source:
            inbox.put(json.loads(line))
        os._exit(0)  # no reader is left for the result

    def say(what: dict[str, Any]) -> None:
        out.write(_ENCODE(what).encode() + b"\n")
        out.flush()

    Aside(listen, "lydian-input").start()
    executor: Executor | None = None
    with contextlib.ExitStack() as bounds:
        while True:
            asked = inbox.get()
            if "load" in asked:
                executor = Executor(Packed.from_json(asked["load"]))
                bounds.close()
                bounds.enter_context(bounded(PATIENCE * ACTION_SECONDS, _space(executor.sweep.limits.memory)))
                say({"loaded": True})
            elif executor is not None:
                row = executor.run(int(asked["run"]), asked.get("trace"))
                say({"row": row, "worn": executor.worn})
                if executor.worn:
                    return 0


def _saved(trace: Any, path: Path) -> dict[str, Any]:
    """Write a trace; return the failure for the row if that is impossible, otherwise nothing."""
    try:
        save(trace, path)
    except (LydianError, OSError) as error:
        path.unlink(missing_ok=True)
        return {"failure": DISK, "error": str(error)}
    return {}


def _warm_up() -> None:
    """Import what the first run needs, so that it is as fast as the others and the memory bound ignores the modules."""
    import networkx  # noqa: F401
    import pyarrow.parquet  # noqa: F401

    # A run creates tens of thousands of messages but hardly any cyclic garbage. At Python's default rate, the search
    # for it would take a tenth of the time.
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def _space(megabytes: int) -> int | None:
    """Return the bound on the address space: the memory already in use plus the given number of megabytes."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") + megabytes * 1_000_000


if __name__ == "__main__":
    follow_parent()
    heard, said = channels()
    _warm_up()
    code = main(heard, said)
    sys.stderr.flush()
    os._exit(code)
