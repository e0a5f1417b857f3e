"""The simulator as a process of its own, with an input and an output channel: ``python -m lydian.engine.serve``.

A session with somebody who interferes begins with a ``hello`` frame, see :mod:`lydian.engine.wire`.  A run that is
only watched has a simpler form, which the rest of this page describes.

Both channels carry lines of JSON.  The first line in asks for a run::

    {"experiment": {...}, "folder": "/where/its/files/are" or null, "trace": "run.parquet"}

and may hold ``seconds`` (how long an action may take) and ``memory`` (bytes that the simulator may take).

While the run goes on, further lines may come in::

    {"interact": {"do": "crash", "process": "3"}, "round": 4, "id": 17}
    {"stop": true}

Out come, in between and at last::

    {"started": true}      the request is understood, and the protocol begins to load
    {"progress": {"round": 4, "events": 120, "time": 4.0, "live": "run.parquet.part"}}
    {"answer": {"id": 17, "accepted": true, "reason": "", "round": 5, "intervention": {...}}}
    {"result": {...}}      what ``lydian run --json`` prints
    {"error": "...", "exit_code": 2}

The end of the input is not the end of the run.  The trace file grows while the run goes on (``live`` names it until it
is complete), so that whoever reads it need not wait.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import json
import os
import queue
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TextIO

import lydian
from lydian.engine.client import READY
from lydian.engine.failure import out_of_memory
from lydian.engine.faults import Answer
from lydian.engine.feedback import SPARE, Feedback
from lydian.engine.simulator import ACTION_SECONDS, Simulator
from lydian.engine.wire import (
    MOST_BYTES,
    VERSION,
    Bye,
    Error,
    Frame,
    Hello,
    Refused,
    Request,
    Stop,
    decode,
    encode,
    frames,
)
from lydian.model import limits
from lydian.model.childprocess import Aside, follow_parent
from lydian.model.errors import BadInput, LydianError, shown
from lydian.model.experimentfile import from_dict
from lydian.model.intervention import Intervention
from lydian.trace.file import TraceWriter

__all__ = ["Server", "bounded", "converse", "main"]

#: Frames that wait to be heard; whoever sends more has to wait.
MOST_WAITING = 10_000

#: Seconds that a process which is kept ready waits for its request before it loads what most requests need.
IDLE = 0.3
#: Seconds between two reports of progress.
TICK = 0.1


class Server:
    """Runs one experiment and talks about it.

    Args:
        request: the first line, read.
        inbox: further lines, read, as they come; ``None`` marks nothing.
        out: where lines go.
    """

    def __init__(self, request: dict[str, Any], inbox: queue.SimpleQueue[Any], out: TextIO) -> None:
        self._request = request
        self._inbox = inbox
        self._out = out
        self._stop = False
        self._handed = 0  # events that the file has got

    def run(self) -> int:
        """Run to the end; gives the exit code of ``lydian run``."""
        try:
            return self._run()
        except LydianError as error:
            self._say({"error": str(error), "exit_code": error.exit_code})
            return error.exit_code

    def _run(self) -> int:
        self._say({"started": True})
        folder = self._request.get("folder")
        experiment = from_dict(self._request.get("experiment"))
        if folder is not None:  # names of files are relative to it, as in an experiment file that lies there
            experiment = experiment.beside(folder)
        seconds, memory = self._bound("seconds", 0.05), self._bound("memory", limits.LEAST_MEMORY)
        with bounded(ACTION_SECONDS, None):  # to load a protocol is to execute it
            simulator = Simulator(experiment, action_seconds=seconds)
        trace = simulator.trace
        path = self._request.get("trace")
        if not isinstance(path, str):
            raise BadInput('the request names no trace file; write "trace": "run.parquet"')
        writer = TraceWriter(
            path,
            trace.processes,
            experiment=trace.experiment,
            network=trace.network,
            source=trace.source,
            versions=trace.versions,
            summary=trace.summary,
        )
        _load_writer()
        spare = [bytearray(SPARE)]
        try:
            with bounded(ACTION_SECONDS if seconds is None else seconds, None if memory is None else int(memory)):
                try:
                    self._go_on(simulator, writer)
                except MemoryError as error:
                    spare.clear()
                    out_of_memory(simulator, error)
            self._write(simulator, writer)
            result = simulator.result()
            writer.close(result.trace.summary)
        except BaseException:
            writer.abandon()
            raise
        self._say({"result": result.to_dict()})
        return result.exit_code

    def _bound(self, name: str, least: float) -> float | None:
        """What the request says about ``seconds`` or ``memory``; ``None`` if nothing."""
        value = self._request.get(name)
        most = limits.MOST_SECONDS if name == "seconds" else 2.0**60
        if value is not None and not (type(value) in (int, float) and least <= value <= most):
            raise BadInput(f"{name} of a request must be a number from {least:g} to {most:g}, not {shown(value)}")
        return value

    def _go_on(self, simulator: Simulator, writer: TraceWriter) -> None:
        """Round after round, with the interactions that come in between."""
        began = told = flushed = time.monotonic()
        with simulator.guard():
            going = True
            while going and not self._stop:
                self._read(simulator)
                going = simulator.round()
                now = time.monotonic()
                if now - told > TICK:
                    self._write(simulator, writer)
                    if now - flushed > (now - began) / 10:  # rarely in a long run: each flush takes a footer
                        simulator.excused = True
                        writer.flush()
                        simulator.excused = False
                        flushed = now
                    events, _, _ = simulator.kernel.counts()
                    at = {"round": simulator.faults.round, "events": events, "time": float(simulator.kernel.now)}
                    self._say({"progress": {**at, "live": str(writer.live_path)}})
                    told = now
        if self._stop:
            simulator.cancel()

    def _write(self, simulator: Simulator, writer: TraceWriter) -> None:
        """Hand the events since the last time to the file."""
        simulator.excused = True  # what the file takes is not the protocol's time
        start = self._handed
        _, _, offset = simulator.kernel.counts()
        rows = simulator.recorder.rows(offset, start)
        execution = simulator.execution
        writer.append(rows, execution.labels, simulator.protocol.states, dict(simulator.recorder.texts(start)))
        self._handed += len(rows)
        simulator.excused = False

    def _read(self, simulator: Simulator) -> None:
        while not self._inbox.empty():
            said = self._inbox.get()
            if isinstance(said, dict) and said.get("stop"):
                self._stop = True
            elif isinstance(said, dict) and "interact" in said:
                self._interact(simulator, said)
            else:
                self._say({"answer": {"id": None, "accepted": False, "reason": f"not understood: {said!r:.80}"}})

    def _interact(self, simulator: Simulator, said: dict[str, Any]) -> None:
        number = said.get("id")

        def tell(answer: Answer) -> None:
            record = None if answer.intervention is None else answer.intervention.to_dict()
            told = {"accepted": answer.accepted, "reason": answer.reason, "round": answer.round}
            self._say({"answer": {"id": number, **told, "intervention": record}})

        try:
            what = Intervention.from_dict({"time": 0.0, **said["interact"]}, None, "interact")
            simulator.interact(what, int(said.get("round", simulator.faults.round)), tell)
        except (BadInput, TypeError, ValueError) as error:
            tell(Answer(False, str(error), simulator.faults.round, None))

    def _say(self, what: dict[str, Any]) -> None:
        self._out.write(json.dumps(what) + "\n")
        self._out.flush()


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Read a request, run it, answer; gives the exit code.  An empty input ends at once.

    A line before it that is no object is answered, and is otherwise as if it had not been sent.
    """
    line, request, why = _first(source), None, ""
    while line and not isinstance(request := _read_json(line), dict):
        if line.strip():
            why = f"a request is an object in JSON, not {request:.80}" if isinstance(request, str) else "no request"
            out.write(encode(Error(why)))
            out.flush()
        line = source.readline(MOST_BYTES)
    if not isinstance(request, dict):
        if why:
            out.write(json.dumps({"error": why, "exit_code": 2}).encode() + b"\n")
        return 2 if why else 0
    if "kind" in request:
        return converse(line, source, out)
    told = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    try:
        return _report(request, source, told)
    finally:
        told.detach()


def _first(source: BinaryIO) -> bytes:
    """The first line.  A process that is kept ready uses the time until it comes: most requests want a trace."""
    if os.environ.get(READY) != "1":
        return source.readline(MOST_BYTES)
    box: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    Aside(lambda: box.put(source.readline(MOST_BYTES)), "lydian-first").start()
    try:
        return box.get(timeout=IDLE)
    except queue.Empty:
        _load_writer()
        return box.get()


def _report(request: dict[str, Any], source: BinaryIO, out: TextIO) -> int:
    """A run that is not interfered with by frames: the lines at the head of this file."""
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        for each in source:
            inbox.put(_read_json(each))

    Aside(listen, "lydian-input").start()
    return Server(request, inbox, out).run()


def converse(first: bytes, source: BinaryIO, out: BinaryIO) -> int:
    """A session in frames (:mod:`lydian.engine.wire`); gives the exit code.

    Args:
        first: the first line, read already.
    """
    inbox: queue.Queue[Frame | Refused | None] = queue.Queue(MOST_WAITING)

    def listen() -> None:
        for each in frames(source):
            inbox.put(each)
        inbox.put(None)

    def say(frame: Frame) -> None:
        out.write(encode(frame))
        out.flush()

    try:
        inbox.put(decode(first))
    except Refused as error:
        inbox.put(error)
    Aside(listen, "lydian-input").start()
    try:
        request = _requested(inbox, say)
        if request is None:
            return 0
        if request.trace is not None:
            _load_writer()
        with bounded(request.seconds, request.memory):
            return Feedback(request, inbox, say).run()
    except BrokenPipeError:
        return 1  # nobody is left to tell


def _requested(inbox: queue.Queue[Frame | Refused | None], say: Callable[[Frame], None]) -> Request | None:
    """Everything up to the request, answered."""
    while True:
        frame = inbox.get()
        if isinstance(frame, Request):
            return frame
        if frame is None or isinstance(frame, Bye | Stop):
            return None
        if isinstance(frame, Hello):
            if frame.version == VERSION:
                say(Hello(VERSION, f"lydian {lydian.__version__}"))
            else:
                say(Error(f"this simulator speaks version {VERSION} of the format, not {frame.version}", 2))
        elif isinstance(frame, Refused):
            say(Error(str(frame)))
        else:
            say(Error(f"a request comes first; {frame.kind} is not expected here"))


def _load_writer() -> None:
    """Load what writes a trace before memory is bounded: it is not the protocol's."""
    import lydian.trace.arrow  # noqa: F401


#: So many times longer may be waited than computed without a sign of life.
_WAITING = 6.0


@contextlib.contextmanager
def bounded(seconds: float, memory: int | None) -> Iterator[None]:
    """Bounds on this process while a protocol runs in it: memory, and time without a sign of life.

    Code that catches the interruption of an endless action, or never comes back from a call into C, is ended by an
    alarm of the operating system, after a time of computing, or a longer one of waiting: on a machine that is busy with
    other things a process may not be heard of for a while.  The last words on standard error say where it was
    (:func:`lydian.engine.failure.stuck_at`).  Where there is no alarm (Windows), whoever listens has to end it.
    """
    patience = 2 * seconds + 1.0

    def sign(text: str) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0 if text == "-" else patience)
        signal.setitimer(signal.ITIMER_REAL, 0.0 if text == "-" else _WAITING * patience)

    earlier = limits.tell
    if hasattr(signal, "setitimer"):
        limits.tell = sign
        for alarm in (signal.SIGALRM, signal.SIGPROF):
            faulthandler.register(alarm, 2, all_threads=False, chain=True)
    try:
        with limits.memory_limit(memory):
            yield
    finally:
        limits.tell = earlier
        if hasattr(signal, "setitimer"):
            sign("-")
            for alarm in (signal.SIGALRM, signal.SIGPROF):
                faulthandler.unregister(alarm)


def _read_json(line: bytes) -> Any:
    text = line.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()


def channels() -> tuple[BinaryIO, BinaryIO]:
    """Input and output of this process, out of the reach of a protocol: what it prints goes to standard error, by
    whatever way, and what it reads is empty."""
    source, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the process lives
    sys.stdout = sys.stderr
    return source, out


if __name__ == "__main__":
    follow_parent()
    heard, said = channels()
    faulthandler.enable(2, all_threads=False)
    try:
        code = main(heard, said)
    except BrokenPipeError:  # nobody is left to tell
        code = 1
    with contextlib.suppress(BrokenPipeError, ValueError):
        said.flush()
    sys.stderr.flush()
    os._exit(code)  # the thread that listens may be in the middle of a line
