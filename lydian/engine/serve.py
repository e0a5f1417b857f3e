"""The simulator as a process of its own, with an input and an output channel: ``python -m lydian.engine.serve``.

Both channels carry the frames of :mod:`lydian.engine.wire`.  The end of the input is not the end of a run that needs
nobody.  Its trace file grows while it goes on, so that whoever reads it need not wait.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import queue
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, TypeVar

import lydian
from lydian.engine.client import READY
from lydian.engine.feedback import Feedback
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

__all__ = ["bounded", "channels", "main", "requested"]

F = TypeVar("F", bound=Frame)

#: Frames that wait to be heard; whoever sends more has to wait.
MOST_WAITING = 10_000

#: Seconds that a process which is kept ready waits for its request before it loads what most requests need.
IDLE = 0.3


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Answer a request; gives the exit code of ``lydian run``.  An empty input ends at once.

    What comes before the request and is no frame is answered, and is otherwise as if it had not been said.
    """
    inbox: queue.Queue[Frame | Refused | None] = queue.Queue(MOST_WAITING)

    def listen() -> None:
        for each in frames(source):
            inbox.put(each)
        inbox.put(None)

    def say(frame: Frame) -> None:
        out.write(encode(frame))
        out.flush()

    first = _first(source)
    if first.strip():
        try:
            inbox.put(decode(first))
        except Refused as error:
            inbox.put(error)
    if first:
        Aside(listen, "lydian-input").start()
    else:
        inbox.put(None)
    try:
        request, code = requested(iter(inbox.get, None), say, Request)
        if request is None:
            return code
        if request.trace is not None:
            _load_writer()
        with bounded(request.seconds, request.memory):
            return Feedback(request, inbox, say).run()
    except BrokenPipeError:
        return 1  # nobody is left to tell


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


def requested(
    heard: Iterable[Frame | Refused | None], say: Callable[[Frame], None], wanted: type[F]
) -> tuple[F | None, int]:
    """What is asked for, or ``None`` and an exit code; whatever is said before is answered."""
    code = 0
    for frame in heard:
        if isinstance(frame, wanted):
            return frame, 0
        if isinstance(frame, Bye | Stop):
            break
        if isinstance(frame, Hello):
            if frame.version == VERSION:
                say(Hello(VERSION, f"lydian {lydian.__version__}"))
            else:
                say(Error(f"this simulator speaks version {VERSION} of the format, not {frame.version}", 2))
        elif isinstance(frame, Refused):
            say(Error(str(frame)))
            code = 2
        elif frame is not None:
            say(Error(f"a {wanted.kind} comes first; {frame.kind} is not expected here"))
    return None, code


def _load_writer() -> None:
    """Load what writes a trace before memory is bounded: it is not the protocol's."""
    import lydian.trace.parquet.arrow  # noqa: F401


#: So many times longer may be waited than computed without a sign of life.
_WAITING = 6.0


@contextlib.contextmanager
def bounded(seconds: float, memory: int | None) -> Iterator[None]:
    """Bounds on this process while a protocol runs in it: memory, and time without a sign of life.

    Code that catches the interruption of an endless action, or never comes back from a call into C, is ended by an
    alarm of the operating system, after a time of computing, or a longer one of waiting: on a machine that is busy with
    other things a process may not be heard of for a while.  The last words on standard error say where it was
    (:func:`lydian.engine.end.failure.stuck_at`).  Where there is no alarm (Windows), whoever listens has to end it.
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
