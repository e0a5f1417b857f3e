"""The client of a simulator, which it starts in a process of its own and with which it communicates, without Qt.

::

    with Client.start(experiment, linger=True) as client:
        client.until(Pending)
        answer = client.ask({"do": "crash", "process": "3"})
        client.pace(None)
        result = client.until(Result)
"""

from __future__ import annotations

import itertools
import queue
import subprocess
import threading
import time
from collections.abc import Mapping
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from lydian.engine.end.failure import gone
from lydian.engine.wire import (
    VERSION,
    Answered,
    Begun,
    Bye,
    Error,
    Frame,
    Hello,
    Interact,
    Pace,
    Refused,
    Request,
    Result,
    Round,
    Stop,
    encode,
    frames,
)
from lydian.model.childprocess import start
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.trace.events import ROW, Trace

__all__ = ["ENTRY", "READY", "Client", "Ended"]

#: The entry point of the simulator's process.
ENTRY = ("-m", "lydian.engine.serve")
#: The environment variable that is "1" for a simulator started before there is a request, so that it responds quickly.
READY = "LYDIAN_READY"
#: The number of characters that are kept of the simulator's output on standard error.
_MOST_SAID = 65_536
F = TypeVar("F", bound=Frame)


class Ended(LydianError):
    """An error raised when the simulator has ended; the text gives the reason as far as it is known."""

    exit_code = 1


class Client:
    """A conversation with a simulator.

    Attributes:
        round: the number of rounds that the simulator has reported as complete.
        waiting: whether the simulator waits for a request.
        time: the simulated time so far.
        processes, labels, states: the tables for the codes in the rows.
        details: the details of events in JSON, by number of the event.
        result, experiment: the result and the experiment of the run, once it has ended.
        begun: the frame that announced the run.
        problem: a sentence if the run could not be started, failed or broke off.
    """

    def __init__(self, source: BinaryIO, out: BinaryIO, child: subprocess.Popen[bytes] | None = None) -> None:
        self._out = out
        self._source = source
        self.child = child
        self.round = 0
        self.waiting = False
        self.time = 0.0
        self.processes: tuple[str, ...] = ()
        self.labels: tuple[str, ...] = ()
        self.states: tuple[str, ...] = ()
        self.details: dict[int, str] = {}
        self.result: dict[str, Any] | None = None
        self.experiment: dict[str, Any] | None = None
        self.problem: str | None = None
        self.begun: Begun | None = None
        self._asked: dict[str, Any] = {}
        self._rows: list[NDArray[np.void]] = []
        self._numbers = itertools.count(1)
        self._inbox: queue.SimpleQueue[Frame | Refused | None] = queue.SimpleQueue()
        self._said = ""
        self._stopped = self._over = False
        self._threads = [threading.Thread(target=self._listen, name="lydian-frames", daemon=True)]
        if child is not None and child.stderr is not None:
            self._threads.append(threading.Thread(target=self._overhear, name="lydian-prints", daemon=True))
        for thread in self._threads:
            thread.start()

    @classmethod
    def start(cls, experiment: Experiment | Mapping[str, Any], **wanted: Any) -> Client:
        """Start a simulator in a process of its own and request a run.

        Args:
            experiment: the experiment to run; files that it names are looked for in the folder of its path.
            wanted: the other fields of :class:`~lydian.engine.wire.Request`.
        """
        if isinstance(experiment, Experiment):
            if experiment.path is not None:
                wanted.setdefault("folder", str(experiment.path.absolute().parent))
            experiment = experiment.to_dict()
        request = Request(experiment=dict(experiment), **wanted)
        child = start(*ENTRY)
        assert child.stdin is not None
        assert child.stdout is not None
        client = cls(child.stdout, child.stdin, child)  # type: ignore[arg-type]
        client._asked = request.experiment
        client.send(Hello(VERSION, "client"))
        client.send(request)
        return client

    # ------------------------------------------------------------------ sending

    def send(self, frame: Frame | bytes) -> None:
        """Send a frame; if the simulator has ended, this is detected on receiving."""
        try:
            self._out.write(frame if isinstance(frame, bytes) else encode(frame))
            self._out.flush()
        except (OSError, ValueError):
            pass

    def interact(self, what: Mapping[str, Any], seen: int | None = None) -> int:
        """Request an intervention; return the number that identifies the answer.

        Args:
            what: an intervention without its time, such as ``{"do": "crash", "process": "3"}``.
            seen: the number of rounds that the user has seen; ``None`` for all rounds received.
        """
        number = next(self._numbers)
        self.send(Interact(number, self.round if seen is None else seen, dict(what)))
        return number

    def ask(self, what: Mapping[str, Any], seen: int | None = None, timeout: float | None = 10.0) -> Answered:
        """Request an intervention and wait for the answer."""
        number = self.interact(what, seen)
        while True:
            answer = self.until(Answered, timeout)
            if answer.id == number:
                return answer

    def pace(self, to: int | None, linger: bool | None = None) -> None:
        """Run until ``to`` rounds are complete, then wait; with ``None``, run without waiting."""
        self.send(Pace(to, linger))

    def stop(self) -> None:
        """End the run here; the simulator then sends its result."""
        self._stopped = True
        self.send(Stop())

    # ------------------------------------------------------------------ receiving

    def next(self, timeout: float | None = 10.0) -> Frame:
        """Return the next frame.

        Args:
            timeout: the seconds to wait; ``None`` for ever.

        Raises:
            Ended: the simulator has ended, or has sent nothing within ``timeout``.
        """
        if self._over:
            raise Ended(self.problem or "the run has ended")
        try:
            frame = self._inbox.get(timeout=timeout)
        except queue.Empty:
            raise Ended(f"the simulator has not answered for {timeout:g} s") from None
        if frame is None:
            self._over = True
            if self.problem is None and self.result is None:
                self.problem = self._why()
            raise Ended(self.problem or "the run has ended")
        if isinstance(frame, Refused):  # other output got between the frames
            return Error(f"the simulator sent something that is not a frame: {frame}")
        self._note(frame)
        return frame

    def until(self, kind: type[F], timeout: float | None = 10.0) -> F:
        """Return the next frame of a kind; process the frames before it."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            frame = self.next(None if end is None else max(0.0, end - time.monotonic()))
            if isinstance(frame, kind):
                return frame

    def finish(self, timeout: float | None = 60.0) -> dict[str, Any] | None:
        """Receive all frames; return the result, or ``None`` if there is none (:attr:`problem` gives the reason)."""
        try:
            self.until(Bye, timeout)
        except Ended as error:
            self.problem = self.problem or (None if self.result is not None else str(error))
        return self.result

    def _note(self, frame: Frame) -> None:
        if isinstance(frame, Round):
            self.round, self.waiting, self.time = frame.round, frame.waiting, frame.time
            if frame.count:
                self._rows.append(frame.events())
                self.details.update((int(seq), str(text)) for seq, text in frame.details)
            self.labels = tuple(frame.labels) if frame.labels is not None else self.labels
            self.states = tuple(frame.states) if frame.states is not None else self.states
            self.processes = tuple(frame.processes) if frame.processes is not None else self.processes
        elif isinstance(frame, Begun):
            self.begun = frame
        elif isinstance(frame, Result):
            self.result, self.experiment = frame.result, frame.experiment
            self.problem = frame.result.get("error")
        elif isinstance(frame, Error) and frame.exit_code is not None:
            self.problem = frame.text

    def trace(self) -> Trace:
        """Return the trace of the events so far."""
        rows = np.concatenate(self._rows) if self._rows else np.zeros(0, dtype=ROW)
        about = self.begun
        return Trace(
            rows, self.processes, self.labels, self.states, self.details.get,
            experiment=self.experiment or self._asked,
            network={} if about is None else about.network,
            source="" if about is None else about.source,
            versions={} if about is None else about.versions,
            summary={} if about is None else about.summary,
        )  # fmt: skip

    # ------------------------------------------------------------------ the process

    def _listen(self) -> None:
        for frame in frames(self._source):
            self._inbox.put(frame)
        self._inbox.put(None)

    def _overhear(self) -> None:
        """Read standard error, so that the simulator never blocks on it, and keep the end of the output."""
        assert self.child is not None
        assert self.child.stderr is not None
        while True:
            try:
                data = self.child.stderr.read1(65_536)  # type: ignore[attr-defined]
            except (OSError, ValueError):
                return
            if not data:
                return
            self._said = (self._said + data.decode("utf-8", "replace"))[-_MOST_SAID:]

    def _heard_all(self) -> str:
        """Return the output on standard error after the simulator has ended."""
        self._threads[-1].join(1.0)
        return self._said

    @property
    def printed(self) -> str:
        """The end of the output that the protocol or Python has printed."""
        return self._said

    def _why(self) -> str:
        """Return a sentence about a simulator that has ended without a result."""
        code = None
        if self.child is not None:
            try:
                code = self.child.wait(5)
            except subprocess.TimeoutExpired:
                return "The simulator closed its channel; your work is safe."
        return gone(self._heard_all(), code)

    def kill(self) -> None:
        """End the simulator at once."""
        if self.child is not None:
            self.child.kill()

    def close(self, patience: float = 2.0) -> None:
        """Announce the end of the conversation, and kill the simulator if it does not end by itself."""
        self.send(Bye())
        try:
            self._out.close()
        except OSError:
            pass
        if self.child is not None:
            try:
                self.child.wait(patience)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        for thread in self._threads:
            thread.join(5.0)
        self._source.close()
        if self.child is not None and self.child.stderr is not None:
            self.child.stderr.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close(0.05 if self._over or self.result is not None or exception[0] is not None else 2.0)
