"""A child process for runs that is kept ready and is replaced when it dies, hangs or grows too large."""

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

#: Seconds that a child may take to start and load the sweep.
START_SECONDS = 60.0
_MOST_SAID = 4096
_NO_ROW = (
    "its process did not answer with a row; a protocol must not write to descriptors or change Python's own modules"
)


class Runner:
    """Executes runs of a sweep, each of which ends with a row.

    Args:
        luggage: the packed sweep, as :meth:`~lydian.batch.packed.Packed.to_json` returns it.
        seconds: the most seconds for a run.

    Attributes:
        started: the number of children started so far.
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
        """Return the row of a run; with ``trace``, the bytes of its trace file are included as ``row["trace"]``.

        Raises:
            BadInput: no child can be started at all.
        """
        began = time.monotonic()
        path = self._place(index) if trace else None
        answer = self._asked(index, path)
        if (answer is None and self._ended_from_outside()) or (answer is not None and not self._is_row(answer, index)):
            # The system may have ended the child to free memory for another run, or an earlier run may have corrupted
            # it.
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
        """Return whether an answer contains the row of a run, with values that fit its columns."""
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
        """Return the file in which the trace of a run is kept until it is read."""
        try:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="lydian-runs-")
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(f"cannot be written ({why})", file=tempfile.gettempdir()) from None
        return Path(self._folder.name) / f"{index}.parquet"

    def _asked(self, index: int, path: Path | None) -> dict[str, Any] | None:
        """Request a run from the child and return its answer; ``None`` if the child vanishes or takes too long."""
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
        """Return whether another program ended the child, so that its silence reveals nothing about the run."""
        if self._killed or self._child is None:
            return False
        try:
            code = self._child.wait(0.2)
        except subprocess.TimeoutExpired:
            return False
        return not self._stopped() and code in (-getattr(signal, "SIGKILL", 9), -signal.SIGTERM)

    def _stopped(self) -> bool:
        """Return whether another thread has ended the runner."""
        return self._killed

    def _start(self) -> None:
        self._said = b""
        self._answers = queue.SimpleQueue()
        self._child = start("-m", "lydian.batch.child")  # Spark distributes the cores
        self.started += 1
        if self._stopped():  # killed at this very moment
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
            raise BadInput(f"the simulator does not start here: {lines[-1] if lines else 'no message was given'}")

    def _load(self) -> bool:
        """Tell the child to load the sweep; return True if it did."""
        self._send({"load": self._luggage})
        answer = self._answer(START_SECONDS)
        return answer is not None and answer.get("loaded") is True

    def take(self, luggage: str, seconds: float) -> None:
        """Continue with another sweep; the running child loads it, so that no new one must be started."""
        self._luggage, self._seconds, self._columns = luggage, seconds, None
        if self._child is not None and not self._load():
            self.close()

    def _send(self, what: dict[str, Any]) -> None:
        assert self._child is not None
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps(what).encode() + b"\n")
            self._child.stdin.flush()
        except OSError:  # The child has ended, which is noticed when no answer arrives.
            pass

    def _answer(self, seconds: float) -> dict[str, Any] | None:
        """Return the child's next line; ``None`` if the child vanishes or takes too long."""
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
        """Return the failure and the message for a child that gave no answer."""
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
        """Read the child's output, so that it never blocks, and keep the end of it."""
        while data := pipe.read1(65_536):  # type: ignore[attr-defined]
            self._said = (self._said + data)[-_MOST_SAID:]

    @property
    def killed(self) -> bool:
        """Return whether the runner was ended for good."""
        return self._killed

    def kill(self) -> None:
        """End the child for good, at once and from any thread; the run in progress returns a row that reports this."""
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
