"""Runs in a child process that stays warm, and is replaced when it dies, hangs or grows too large."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, BinaryIO

from lydian.batch.rows import failed_row, schema
from lydian.engine.end.failure import ALARMS
from lydian.model.childprocess import start
from lydian.model.errors import BadInput

__all__ = ["Runner"]

#: Seconds that a child may take to start and load.
START_SECONDS = 60.0
_MOST_SAID = 4096
_NO_ROW = (
    "its process did not answer with a row; a protocol must not write to descriptors or change Python's own modules"
)


class Runner:
    """Executes runs of a sweep, each of which ends with a row.

    Args:
        luggage: the sweep and what it names, as :meth:`~lydian.batch.packed.Luggage.to_json` gives it.
        seconds: most seconds of a run.

    Attributes:
        started: how many children there have been.
    """

    def __init__(self, luggage: str, seconds: float) -> None:
        self._luggage = luggage
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._said = b""
        self._killed = False
        self._columns: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.started = 0

    def run(self, index: int, *, trace: bool = False) -> dict[str, Any]:
        """The row of a run; with ``trace`` its trace file's bytes as well, as ``row["trace"]``.

        Raises:
            BadInput: no child can be started at all.
        """
        began = time.monotonic()
        path = self._place(index) if trace else None
        answer = self._asked(index, path)
        if (answer is None and self._ended_from_outside()) or (answer is not None and not self._is_row(answer, index)):
            # The system may have ended it for the sake of another run, or an earlier run may have left it in disorder.
            self.close()
            answer = self._asked(index, path)
        if answer is not None and not self._is_row(answer, index):
            row = failed_row(index, "crash", _NO_ROW, time.monotonic() - began)
            self.close()
        elif answer is None:
            why = ("crash", "the run was stopped") if self._killed else self._why_silent()
            row = failed_row(index, *why, time.monotonic() - began)
            self.close()
        else:
            row = answer["row"]
            if answer.get("worn"):
                self.close()
        if path is not None:
            row["trace"] = path.read_bytes() if path.exists() else None
            path.unlink(missing_ok=True)
            Path(f"{path}.part").unlink(missing_ok=True)
        return row

    def _is_row(self, answer: dict[str, Any], index: int) -> bool:
        """Whether an answer holds the row of a run, with values that its columns can hold."""
        import pyarrow as pa

        row = answer.get("row")
        if not isinstance(row, dict) or row.get("run") != index or row.get("seconds") is None:
            return False
        if self._columns is None:
            from lydian.batch.packed import Packed

            self._columns = schema(Packed.from_json(self._luggage).sweep.measure, False)
        try:
            pa.RecordBatch.from_pylist([row], schema=self._columns)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return False
        return True

    def _place(self, index: int) -> Path:
        """Where the trace of a run goes until it is read."""
        try:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="lydian-runs-")
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(f"cannot be written ({why})", file=tempfile.gettempdir()) from None
        return Path(self._folder.name) / f"{index}.parquet"

    def _asked(self, index: int, path: Path | None) -> dict[str, Any] | None:
        """What the child answers when it is asked for a run; ``None`` if it is gone or too late."""
        if self._killed:
            return None
        if self._child is None:
            try:
                self._start()
            except BadInput:
                if self._stopped():
                    return None
                raise
        self._send({"run": index, "trace": None if path is None else str(path)})
        return self._answer(self._seconds)

    def _ended_from_outside(self) -> bool:
        """Whether somebody else ended the child, so that its silence says nothing about the run."""
        if self._killed or self._child is None:
            return False
        try:
            code = self._child.wait(0.2)
        except subprocess.TimeoutExpired:
            return False
        return not self._stopped() and code in (-getattr(signal, "SIGKILL", 9), -signal.SIGTERM)

    def _stopped(self) -> bool:
        """Whether another thread has ended it."""
        return self._killed

    def _start(self) -> None:
        self._said = b""
        self._answers = queue.SimpleQueue()
        self._child = start("-m", "lydian.batch.child")  # the cores are shared out by Spark
        self.started += 1
        if self._stopped():  # in this very moment
            self._child.kill()
        self._threads = [
            threading.Thread(target=work, args=(pipe, self._answers), name=name, daemon=True)
            for name, work, pipe in (
                ("lydian-rows", _listen, self._child.stdout),
                ("lydian-prints", self._overhear, self._child.stderr),
            )
        ]
        for thread in self._threads:
            thread.start()
        if not self._load():
            lines = self._said.decode(errors="replace").strip().splitlines()
            self.close()
            raise BadInput(f"the simulator does not start here: {lines[-1] if lines else 'it says nothing'}")

    def _load(self) -> bool:
        """Have the child load the luggage; whether it did."""
        self._send({"load": self._luggage})
        answer = self._answer(START_SECONDS)
        return answer is not None and answer.get("loaded") is True

    def take(self, luggage: str, seconds: float) -> None:
        """Go on with another sweep; the child that is there loads it, and need not start anew."""
        self._luggage, self._seconds, self._columns = luggage, seconds, None
        if self._child is not None and not self._load():
            self.close()

    def _send(self, what: dict[str, Any]) -> None:
        assert self._child is not None
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps(what).encode() + b"\n")
            self._child.stdin.flush()
        except OSError:  # it is gone, which is noticed when its answer does not come
            pass

    def _answer(self, seconds: float) -> dict[str, Any] | None:
        """The next line that the child says; ``None`` if it is gone or too late."""
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            return None
        if not line:
            return None
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        return found if isinstance(found, dict) else {}

    def _why_silent(self) -> tuple[str, str]:
        """The failure and the sentence for a child that gave no answer."""
        assert self._child is not None
        try:
            code = self._child.wait(0.2)
        except subprocess.TimeoutExpired:
            return "time", f"the run took longer than {self._seconds:g} s; see limits.seconds"
        if code in ALARMS:
            return "time", "an action did not finish and could not be interrupted; is there an endless loop?"
        if code == -getattr(signal, "SIGKILL", 9):
            return "memory", "the run was ended by the system; perhaps there was not enough memory for it"
        if code < 0:
            return "crash", f"the process of the run was ended by signal {-code}"
        lines = self._said.decode(errors="replace").strip().splitlines()
        return "crash", f"the process of the run ended (exit code {code}{': ' + lines[-1] if lines else ''})"

    def _overhear(self, pipe: BinaryIO, _: object) -> None:
        """What is printed is read, so that nobody waits for it, and its end is kept."""
        while data := pipe.read1(65_536):  # type: ignore[attr-defined]
            self._said = (self._said + data)[-_MOST_SAID:]

    @property
    def killed(self) -> bool:
        """Whether it was ended for good."""
        return self._killed

    def kill(self) -> None:
        """End the child at once, from any thread, for good; the run that is under way gives a row that says so."""
        self._killed = True
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for thread in self._threads:
                thread.join(5.0)
            for pipe in (child.stdin, child.stdout, child.stderr):
                if pipe is not None:
                    try:
                        pipe.close()
                    except OSError:
                        pass
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _listen(pipe: BinaryIO, answers: queue.SimpleQueue[bytes | None]) -> None:
    for line in pipe:
        answers.put(line)
    answers.put(None)
