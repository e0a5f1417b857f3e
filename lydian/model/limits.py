"""Bounds on code that somebody else wrote: a file that never ends loading, an action that never returns."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lydian.model.childprocess import Aside

__all__ = [
    "LEAST_MEMORY", "MOST_SECONDS", "OutOfTime", "Watch", "memory_limit", "pressed", "time_limit", "usual_memory",
]  # fmt: skip

#: Seconds that an action may be given at most; the alarms of a system count no further.
MOST_SECONDS = 1e6
#: Bytes below which no simulator can work.
LEAST_MEMORY = 64_000_000


#: Takes the signs of life of all watches: "+file" when one begins, "." while all is well, "-" when it ends.
tell: Callable[[str], None] | None = None


def _tell(sign: str) -> None:
    if tell is not None:
        tell(sign)


class OutOfTime(BaseException):
    """Raised inside code that took too long; not an ``Exception``, so that a bare ``except Exception`` passes it on."""


def pressed(error: BaseException) -> bool:
    """Whether the user interrupted the program (Ctrl+C); a ``raise`` statement of a protocol did not."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    import opcode

    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    return where is None or opcode.opname[where.tb_frame.f_code.co_code[where.tb_lasti]] != "RAISE_VARARGS"


#: So many times as long as computing may a thread be without computing.
_WAITING = 3


def _computed_by(thread: int) -> Callable[[], float]:
    """The seconds that a thread has computed; those of the whole process where a thread's are not told."""
    if not hasattr(time, "pthread_getcpuclockid"):  # macOS, Windows
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


class Watch:
    """Interrupts the thread that made it when no progress is seen for ``seconds`` of its computing.

    On a machine that is busy with other things a thread may not get to compute: time in which it does not counts
    a third.

    ``progress()`` is asked a few times a second from a thread of its own; while it returns a new value all is well.
    The interruption reaches code that runs in Python; a single call into C that never returns cannot be reached this
    way, nor can code that catches whatever is raised.  A simulator in a process of its own is ended from outside:
    :data:`tell` gives the signs of life that stop then.

    Args:
        seconds: patience.
        progress: anything that changes while work goes on.
        excess: may return a sentence to interrupt at once, for example about memory.
        file: whose code is watched, for the signs of life.
    """

    def __init__(
        self,
        seconds: float,
        progress: Callable[[], object],
        excess: Callable[[], str | None] | None = None,
        file: str = "",
    ) -> None:
        self.seconds = seconds
        self.progress = progress
        self.excess = excess
        self.file = file
        self.reason: str | None = None
        self._target = threading.get_ident()
        self._computed = _computed_by(self._target)
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._thread = Aside(self._look, "lydian-watch")

    def __enter__(self) -> Watch:
        _tell(f"+{self.file}")
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            self._done.set()
        self._thread.join()
        _tell("-")

    def _look(self) -> None:
        tick = min(0.1, self.seconds / 4)
        last, quiet, before = self.progress(), 0.0, None  # before: what progress was when the code was interrupted
        computed, spared = self._computed(), 0.0  # spared: seconds in which what was interrupted may come to its end
        while not self._done.wait(tick):
            now = self.progress()
            if before is None or before != (now,):
                before = None
                _tell(".")
            earlier, computed = computed, self._computed()
            quiet = 0.0 if now != last else quiet + max(min(computed - earlier, tick), tick / _WAITING)
            last = now
            spared -= tick
            reason = self.excess() if self.excess is not None and spared <= 0 else None
            if reason is None and quiet >= self.seconds:
                reason = f"it ran for {self.seconds:g} s without coming to an end"
            if reason is not None:
                with self._lock:
                    if not self._done.is_set():
                        self.reason = reason
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(
                            ctypes.c_ulong(self._target), ctypes.py_object(OutOfTime)
                        )
                last, quiet, before = object(), 0.0, (now,)  # ask again if the code caught it
                spared = self.seconds


@contextmanager
def time_limit(seconds: float, file: str = "") -> Iterator[Watch]:
    """Raise :class:`OutOfTime` inside the block if it takes longer than ``seconds``; ``file`` as for :class:`Watch`."""
    with Watch(seconds, lambda: None, file=file) as watch:
        yield watch


def usual_memory() -> int:
    """Bytes that a simulator may take if nobody says otherwise: half of the machine's memory, and 2 GB in any case."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        whole = 0
    return max(whole // 2, 2_000_000_000)


@contextmanager
def memory_limit(most: int | None) -> Iterator[None]:
    """Inside the block this process takes at most so many bytes of addresses beyond those that it has; more raises
    ``MemoryError``.

    ``None`` is no bound; on Windows there never is one.  What was loaded before (numpy and pyarrow have reserved more
    than a gigabyte of addresses) does not count where the system tells how much it is.
    """
    if sys.platform == "win32" or most is None:
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    most = min(most, 2**60)
    try:
        most += int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):  # macOS
        pass
    allowed = min(each for each in (most, *before) if each != resource.RLIM_INFINITY)  # inside another one as well
    resource.setrlimit(resource.RLIMIT_AS, (allowed, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
