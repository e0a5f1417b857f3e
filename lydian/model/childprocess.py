"""Child processes that run Python: how they are started, and when they end.

Every child process is started with :func:`command` and :func:`environment`, and first calls :func:`follow_parent`:

* Python's *safe path* is on: the current folder is not on ``sys.path``, so a file ``queue.py`` or ``token.py`` that
  happens to be in it is not executed instead of Python's own module. ``PYTHONPATH`` is kept.
* The child ends when its parent ends, for whatever reason.

This module uses only the standard library.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

__all__ = ["Aside", "command", "end_with", "environment", "follow_parent", "start"]

#: The variable that names the parent of a child: its process ID, and "main" if its main thread started the child.
_PARENT = "LYDIAN_PARENT"
#: Seconds between two checks whether the parent still runs, on systems that do not report its end.
_TURN = 0.5


class Aside(threading.Thread):
    """A daemon thread of a child process that receives none of its signals.

    An alarm inspects the code of the thread that receives it, which must be the thread that does the work.
    """

    def __init__(self, work: Callable[[], object], name: str) -> None:
        super().__init__(target=work, name=name, daemon=True)

    def run(self) -> None:
        if hasattr(signal, "pthread_sigmask"):
            names = ("SIGALRM", "SIGPROF", "SIGUSR1", "SIGUSR2", "SIGINT", "SIGTERM")
            signal.pthread_sigmask(signal.SIG_BLOCK, {getattr(signal, name) for name in names})
        super().run()


def command(*entry: str) -> list[str]:
    """Return the command line that runs ``entry`` in Python, such as ``"-m", "lydian.engine.serve"``."""
    return [sys.executable, "-P", *entry]


#: While being loaded, numerical libraries start a thread for each core, which takes a quarter of the time in which a
#: child starts and is not needed.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def environment() -> dict[str, str]:
    """Return the environment of a child: it finds this package, behaves the same everywhere and follows its parent."""
    package = str(Path(__file__).resolve().parents[2])
    before = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]  # "" is the current folder
    path = os.pathsep.join(before if package in before else [package, *before])
    main = threading.current_thread() is threading.main_thread()
    return {
        **ONE_THREAD,
        **os.environ,
        "PYTHONPATH": path,
        "PYTHONSAFEPATH": "1",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONHASHSEED": "0",
        _PARENT: f"{os.getpid()}{' main' if main else ''}",
    }


def start(
    *entry: str, more: Mapping[str, str] | None = None, stderr: int | IO[Any] = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """Start a child process with pipes.

    Args:
        entry: as for :func:`command`.
        more: environment variables in addition to those of :func:`environment`.
        stderr: the destination of its standard error.
    """
    return subprocess.Popen(
        command(*entry), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
        env={**environment(), **(more or {})},
    )  # fmt: skip


def follow_parent() -> None:
    """End this child process when its parent ends; do nothing if another program started it."""
    words = os.environ.pop(_PARENT, "").split()
    if words and words[0].isdecimal():
        end_with(int(words[0]), main=words[1:] == ["main"])


def end_with(parent: int, *, main: bool = True) -> None:
    """End this process when its parent ends.

    Linux does so even during a call into C that cannot be interrupted. It reacts to the end of the thread that started
    this process, so this feature is used only if that was the main thread; otherwise a thread checks regularly.

    Args:
        parent: the process ID of the parent.
        main: whether the parent's main thread started this process.
    """
    if sys.platform == "win32":
        _daemon(_wait_for_handle, parent)
        return
    if main and _told_by_kernel():
        if os.getppid() != parent and not _exists(parent):  # the parent ended before it could be watched
            os._exit(1)
    else:
        _daemon(_look_after, parent)


def _told_by_kernel() -> bool:
    """Ask the system (Linux) to end this process with the thread that started it; return True if it will."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0) == 0)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):
        return False


def _exists(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _daemon(work: Any, parent: int) -> None:
    Aside(lambda: work(parent), "lydian-parent").start()


def _look_after(parent: int) -> None:
    mine = os.getppid()
    wait = threading.Event()
    while os.getppid() == mine and _exists(parent):
        wait.wait(_TURN)
    os._exit(1)


def _wait_for_handle(parent: int) -> None:
    import ctypes

    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
    handle = kernel.OpenProcess(0x0010_0000, False, parent)  # SYNCHRONIZE
    if handle and kernel.WaitForSingleObject(handle, 0xFFFF_FFFF) == 0:
        os._exit(1)
