"""Limits on the time and memory of users' code, such as a file that never finishes loading or an endless action."""

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

#: The largest time limit for an action, in seconds; the alarms of some systems do not count further.
MOST_SECONDS = 1e6
#: The smallest memory limit, in bytes, with which a simulator can work.
LEAST_MEMORY = 64_000_000


#: A function that receives the signals of all watches: "+file" when one begins, "." while there is progress, "-" when
#: it ends.
tell: Callable[[str], None] | None = None


def _tell(sign: str) -> None:
    if tell is not None:
        tell(sign)


class OutOfTime(BaseException):
    """The error raised inside code that took too long; ``except Exception`` does not catch it."""


def pressed(error: BaseException) -> bool:
    """Return True if the interruption comes from the user (Ctrl+C) and not from a ``raise`` statement of a protocol."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    import opcode

    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    return where is None or opcode.opname[where.tb_frame.f_code.co_code[where.tb_lasti]] != "RAISE_VARARGS"


#: How many times its limit a thread may take if it does not get to compute.
_WAITING = 3


def _computed_by(thread: int) -> Callable[[], float]:
    """Return the seconds a thread has computed, or those of the whole process if the system reports only these."""
    if not hasattr(time, "pthread_getcpuclockid"):  # macOS, Windows
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


class Watch:
    """A watch that interrupts the thread that created it after computing for ``seconds`` without progress.

    On a busy machine a thread may not get to compute; such time counts only a third.

    ``progress()`` is called a few times a second from another thread; a new value means that there is progress.
    The interruption reaches only code that runs in Python: it reaches neither a single call into C that never returns
    nor code that catches every exception. A simulator in a child process is ended from outside when the signals
    stop that it sends through :data:`tell`.

    Args:
        seconds: the time limit.
        progress: a function whose value changes as long as the work proceeds.
        excess: a function that may return a sentence, for example about memory, to interrupt at once.
        file: the file whose code is watched, for the signals.
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
        last, quiet, before = self.progress(), 0.0, None  # before: the value of progress when the code was interrupted
        computed, spared = self._computed(), 0.0  # spared: seconds in which the interrupted code may finish
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
                reason = f"it did not finish within {self.seconds:g} s"
            if reason is not None:
                with self._lock:
                    if not self._done.is_set():
                        self.reason = reason
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(
                            ctypes.c_ulong(self._target), ctypes.py_object(OutOfTime)
                        )
                last, quiet, before = object(), 0.0, (now,)  # interrupt again if the code caught the exception
                spared = self.seconds


@contextmanager
def time_limit(seconds: float, file: str = "") -> Iterator[Watch]:
    """Raise :class:`OutOfTime` in the block if it takes longer than ``seconds``; ``file`` is as for :class:`Watch`."""
    with Watch(seconds, lambda: None, file=file) as watch:
        yield watch


def usual_memory() -> int:
    """Return the default memory limit of a simulator in bytes: half of the machine's memory, but at least 2 GB."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        whole = 0
    return max(whole // 2, 2_000_000_000)


@contextmanager
def memory_limit(most: int | None) -> Iterator[None]:
    """Limit the address space that the block may add to this process; beyond it, ``MemoryError`` is raised.

    ``None`` means no limit; on Windows there is never a limit. The address space in use before the block (numpy and
    pyarrow reserve more than a gigabyte) does not count if the system reports its size.
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
    allowed = min(each for each in (most, *before) if each != resource.RLIM_INFINITY)  # nested limits apply as well
    resource.setrlimit(resource.RLIMIT_AS, (allowed, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
