"""The simulator as a process of its own, with an input and an output channel: ``python -m lydian.engine.serve``.

Both channels carry the frames of :mod:`lydian.engine.wire`. At the end of the input, a run that does not wait for its
client continues. Its trace file grows during the run, so that it can be read before the end.
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

__all__ = ["answered", "bounded", "channels", "main", "requested"]

F = TypeVar("F", bound=Frame)

#: The maximum number of frames that wait to be read; the sender of more is blocked.
MOST_WAITING = 10_000

#: The seconds that a spare process waits for its request before it loads the modules that most requests need.
IDLE = 0.3


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Answer a request, and return the exit code of ``lydian run``; an empty input ends at once.

    A line before the request that is not a frame is answered with an error and otherwise ignored.
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
        return 1  # the client has gone


def _first(source: BinaryIO) -> bytes:
    """Return the first line; a spare process loads the trace writer, which most requests need, while it waits."""
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
    """Return the request, or ``None``, and an exit code; answer the frames before the request."""
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
                say(Error(f"unsupported version {frame.version} of the format; must be {VERSION}", 2))
        elif isinstance(frame, Refused):
            say(Error(str(frame)))
            code = 2
        elif frame is not None:
            say(Error(f"the first frame must be {wanted.kind}; {frame.kind} is not expected here"))
    return None, code


def answered(
    source: BinaryIO,
    out: BinaryIO,
    wanted: type[F],
    answer: Callable[[F, Callable[[Frame], None], Callable[[Callable[[], None]], None]], None],
) -> int:
    """Answer one request that can be stopped, and return the exit code; the process ends with its input.

    Args:
        wanted: the kind of request.
        answer: called with the request, a function that sends a frame, and a function that takes what ends the work.
    """

    def say(frame: Frame) -> None:
        out.write(encode(frame))
        out.flush()

    heard = frames(source)
    request, code = requested(heard, say, wanted)
    if request is None:
        return code

    def stoppable(cancel: Callable[[], None]) -> None:
        def listen() -> None:
            for frame in heard:
                if isinstance(frame, Stop):
                    cancel()
            os._exit(1)

        Aside(listen, "lydian-listen").start()

    answer(request, say, stoppable)
    return 0


def _load_writer() -> None:
    """Load the trace writer before memory is limited, so that it is not charged to the protocol."""
    import lydian.trace.parquet.arrow  # noqa: F401


#: The ratio of the greatest real time to the greatest computing time without progress.
_WAITING = 6.0


@contextlib.contextmanager
def bounded(seconds: float, memory: int | None) -> Iterator[None]:
    """Limit this process while a protocol runs in it: its memory, and the time without progress.

    Code that catches the interruption of an endless action, or never returns from a call into C, is ended by an alarm
    of the operating system. It is triggered after some time of computing, or after a longer real time, because on a
    busy machine a process may get no computing time for a while. The last lines on standard error show where the code
    was (:func:`lydian.engine.end.failure.stuck_at`). On a system without such alarms (Windows), the client has to kill
    the process.
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
    """Return the input and the output of this process, and make them inaccessible to the protocol.

    All that the protocol prints then goes to standard error, and its standard input is empty.
    """
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
    except BrokenPipeError:  # the client has gone
        code = 1
    with contextlib.suppress(BrokenPipeError, ValueError):
        said.flush()
    sys.stderr.flush()
    os._exit(code)  # the reading thread may be in the middle of a line
