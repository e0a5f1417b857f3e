"""The limits of the code of a hand-in: it computes, but reaches no file, no network, no other process or hand-in.

A hand-in is executed in a process of its own. There :func:`enter` sets the limits of the system and installs a hook
that refuses what a protocol never needs. Both stay for the rest of that process's life. The hook asks which thread
acts, and on whose behalf: while :func:`trusted` is active, LYDIAN itself writes the runs that it keeps.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lydian.model.protocol.guards import refuse

__all__ = ["enter", "trusted"]

#: The largest file that a process may write, in bytes; a saved run is far smaller.
MOST_WRITTEN = 64_000_000
#: Events of the interpreter that are refused -> what to say.
_REFUSED = {
    "socket.": "uses the network",
    "subprocess.Popen": "starts another program",
    "os.system": "starts another program",
    "os.exec": "starts another program",
    "os.posix_spawn": "starts another program",
    "os.spawn": "starts another program",
    "os.fork": "starts another process",
    "os.forkpty": "starts another process",
    "pty.spawn": "starts another process",
    "os.kill": "sends a signal to a process",
    "os.remove": "deletes a file",
    "os.rmdir": "deletes a folder",
    "shutil.": "changes files",
    "os.rename": "renames a file",
    "os.mkdir": "creates a folder",
    "os.link": "changes files",
    "os.symlink": "changes files",
    "os.truncate": "changes a file",
    "os.chmod": "changes a file",
    "os.chown": "changes a file",
    "os.utime": "changes a file",
    "os.chdir": "leaves its folder",
    "os.walk": "looks into a folder",
    "glob.": "looks into a folder",
    "os.putenv": "changes the environment",
    "ctypes.": "calls the operating system directly",
    "mmap.": "calls the operating system directly",
    "ftplib.": "uses the network",
    "urllib.": "uses the network",
    "http.": "uses the network",
    "smtplib.": "uses the network",
    "webbrowser.": "opens a browser",
    "sys.addaudithook": "watches the interpreter",
    "signal.pthread_kill": "sends a signal to a process",
    "syslog.": "writes to the system's log",
    "sqlite3.": "opens a database",
}
#: How many times :func:`trusted` is active.
_trusted = 0


@contextmanager
def trusted() -> Iterator[None]:
    """Permit everything in the block, in which only LYDIAN's own code is executed."""
    global _trusted
    _trusted += 1
    try:
        yield
    finally:
        _trusted -= 1


def enter(memory: int) -> None:
    """Limit this process for the rest of its life.

    Args:
        memory: how many bytes it may use beyond those that it uses now.
    """
    sys.dont_write_bytecode = True
    _limit(memory)
    readable = _readable()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if _trusted:
            return
        if event == "open":
            _opened(arguments, readable)
            return
        if event in ("os.listdir", "os.scandir"):  # which imports do as well
            place = _absolute(os.fsdecode(arguments[0])) if isinstance(arguments[0], str | bytes) else ""
            if not f"{place}{os.sep}".startswith(readable):
                raise refuse("the hand-in looks into a folder, which a protocol must not do")
            return
        why = _REFUSED.get(event) or _REFUSED.get(f"{event.partition('.')[0]}.")
        if why is not None:
            raise refuse(f"the hand-in {why}, which a protocol must not do")

    sys.addaudithook(hook)


def _opened(arguments: tuple[Any, ...], readable: tuple[str, ...]) -> None:
    """Refuse to open a file, except to read one of Python or LYDIAN."""
    path, mode, flags = arguments
    if isinstance(path, int):  # a channel that is already open
        return
    writes = (isinstance(mode, str) and any(mark in mode for mark in "wax+")) or bool(
        isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    )
    try:
        whole = _absolute(os.fsdecode(path))
    except (TypeError, ValueError):
        whole = ""
    if writes:
        raise refuse(f"the hand-in writes to a file ({Path(whole).name}), which a protocol must not do")
    if not whole.startswith(readable) or f"{os.sep}lecturer{os.sep}" in whole:
        raise refuse(f"the hand-in reads a file ({Path(whole).name}), which a protocol must not do")


def _absolute(path: str) -> str:
    """Return a path without ``..``; links in it are kept, because Python opens its own files through them."""
    return os.path.abspath(path)  # noqa: PTH100 - Path.resolve() follows links


def _readable() -> tuple[str, ...]:
    """Return the beginnings of the paths that may be read: Python, its libraries, LYDIAN, what describes the system."""
    package = str(Path(__file__).resolve().parents[1])
    places = {package, sys.prefix, sys.base_prefix, *sysconfig.get_paths().values(), *filter(None, sys.path)}
    from lydian.model.archive.shelves import our_folder

    places |= {str(our_folder() / name) for name in ("networks", "protocols", "animations")}
    told = {_absolute(each) for each in places} - {_absolute(os.sep), tempfile.gettempdir(), str(Path.home())}
    return (*sorted(each + os.sep for each in told), "/proc/self/", "/proc/cpuinfo", "/dev/null", "/dev/urandom",
            "/usr/share/zoneinfo/", "/etc/localtime")  # fmt: skip


def _limit(memory: int) -> None:
    """Set the limits of the system: memory, size of files, no core dumps."""
    if sys.platform == "win32":
        return
    import resource

    try:
        used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):  # macOS
        used = 0
    if used:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = used + memory
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN, MOST_WRITTEN))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
