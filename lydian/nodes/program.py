"""One program as a process: its start, its lines, its end, and what is left of it afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

__all__ = ["LONGEST", "MARK", "MOST_PROCESSES", "Host", "Program", "leftovers", "limits"]

#: The longest line of output that is read, and the most input that waits for a program, in bytes.
LONGEST, MOST_WAITING = 16_000_000, 64_000_000
#: The largest number of processes that one program may start.
MOST_PROCESSES = 100
#: The lines of standard error that are kept for a sentence about the end of a program.
_LAST = 40
#: What a line looks like that names an error.
_ERROR = re.compile(r"\b\w*(Error|Exception|Rejection)\b|^panic:|panicked at|^error")
#: The variable in the environment of a program and of all processes that it starts.
MARK = "LYDIAN_PROGRAM"
#: Variables that LYDIAN sets for its own processes and that programs must not inherit.
_OURS = ("PYTHONSAFEPATH", "PYTHONHASHSEED", "LYDIAN_PARENT")


class Host(Protocol):
    """What a program reports to."""

    def heard(self, program: Program, line: bytes) -> None:
        """Take a line of its standard output."""

    def said(self, program: Program, line: str) -> None:
        """Take a line of its standard error."""

    def ended(self, program: Program) -> None:
        """Take the end of the program, after its last line."""

    def broke(self, program: Program, why: str) -> None:
        """Take a reason, as a sentence without its subject, why it cannot go on."""


class Program(asyncio.SubprocessProtocol):
    """One running program.

    Attributes:
        name: the process that it is.
        code: its exit code once it has ended; negative: the number of the signal that ended it.
        killed: whether it was ended from outside.
        last: its last lines on standard error.
    """

    def __init__(self, name: str, host: Host) -> None:
        self.name, self._host = name, host
        self.code: int | None = None
        self.killed = False
        self.last: deque[str] = deque(maxlen=_LAST)
        self._parts: dict[int, list[bytes]] = {1: [], 2: []}
        self._sizes = {1: 0, 2: 0}
        self._open = {1, 2}
        self._transport: Any = None
        self._input: Any = None
        self.gone = asyncio.get_running_loop().create_future()

    async def start(self, command: Sequence[str], mark: str, memory: int, processes: int) -> None:
        """Start it in a session of its own.

        Args:
            mark: the value of :data:`MARK` in its environment.
            memory: the bytes of data that it may use.
            processes: the processes and threads that its user may have, 0 for no limit.

        Raises:
            OSError: it cannot be started.
        """
        if sys.platform != "win32":
            launch = str(Path(__file__).with_name("launch.py"))
            begin = [sys.executable, "-I", "-S", launch, str(os.getpid()), str(memory), str(processes)]
            command = [*begin, *command]
        environment = {name: value for name, value in os.environ.items() if name not in _OURS}
        await asyncio.get_running_loop().subprocess_exec(
            lambda: self, *command, env={**environment, MARK: mark}, start_new_session=True
        )

    @property
    def started(self) -> bool:
        """Whether there is a process."""
        return self._transport is not None

    @property
    def pid(self) -> int:
        return int(self._transport.get_pid())

    def write(self, line: bytes) -> None:
        """Write a line to its standard input."""
        if self._input is None or self._input.is_closing():
            return
        self._input.write(line)
        if self._input.get_write_buffer_size() > MOST_WAITING:
            self._host.broke(self, f"does not read its input, of which {MOST_WAITING // 1_000_000} MB wait")

    def signal(self, number: int) -> None:
        """Send a signal to the program and all processes in its session that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._transport.send_signal(number)
            else:
                os.killpg(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.killed = True
        if self._transport is not None:
            self.signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)

    async def close(self, patience: float) -> None:
        """Close its input, give it ``patience`` seconds to end, then end it."""
        self.killed = True
        if self._transport is None:
            return
        if self._input is not None:
            self._input.close()
        if sys.platform != "win32":
            self.signal(signal.SIGCONT)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.gone), patience)
        self.kill()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.gone), 2.0)
        self._transport.close()

    # ------------------------------------------------------------------ called by asyncio

    def connection_made(self, transport: Any) -> None:
        self._transport, self._input = transport, transport.get_pipe_transport(0)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        parts = self._parts[fd]
        for line in lines:
            if parts:
                line = b"".join([*parts, line])
                parts.clear()
                self._sizes[fd] = 0
            self._line(fd, line)
        if rest:
            parts.append(rest)
            self._sizes[fd] += len(rest)
            if self._sizes[fd] > LONGEST:
                parts.clear()
                self._sizes[fd] = 0
                if fd == 1:
                    self._host.broke(self, f"printed a line of more than {LONGEST // 1_000_000} MB")

    def _line(self, fd: int, line: bytes) -> None:
        if fd == 1:
            if line.strip():
                self._host.heard(self, line)
        else:
            text = line.decode("utf-8", "replace").rstrip("\r")
            self.last.append(text)
            self._host.said(self, text)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd in self._open:
            self._open.discard(fd)
            if self._parts[fd]:
                line = b"".join(self._parts[fd])
                self._parts[fd].clear()
                self._line(fd, line)
            self._finish()

    def process_exited(self) -> None:
        self.code = self._transport.get_returncode()
        if sys.platform != "win32":
            self.signal(signal.SIGKILL)  # processes that it started, which may hold its output open
        self._finish()

    def _finish(self) -> None:
        if self.code is not None and not self._open and not self.gone.done():
            self.gone.set_result(None)
            self._transport.close()
            self._host.ended(self)

    # ------------------------------------------------------------------ sentences

    def ending(self) -> str:
        """Return how it ended, as a sentence without its subject."""
        code = self.code or 0
        if code < 0:
            try:
                how = f"was ended by the signal {signal.Signals(-code).name}"
            except ValueError:
                how = f"was ended by the signal {-code}"
        else:
            how = f"ended with the exit code {code}"
        return how + self.saying()

    def saying(self) -> str:
        """Return its last words on standard error, as a clause; "" if there were none.

        A line that names an error is preferred to the lines of a traceback or the like after it.
        """
        lines = [line for line in reversed(self.last) if line.strip()]
        if not lines:
            return ""
        if lines[0][:1].isspace() or lines[0].startswith("Node.js v"):
            named = next((line for line in lines if _ERROR.search(line)), None)
            if named is not None:
                return f'; on standard error it says "{named.strip()[:200]}"'
            lines = [line for line in lines if not line[:1].isspace() and not line.startswith("Node.js v")] or lines
        return f'; its last line on standard error is "{lines[0].strip()[:200]}"'


def limits(programs: int) -> int:
    """Return the number of processes and threads that the user may have while some programs run; 0: no limit."""
    used = sum(threads for _, threads in _mine())
    return used + programs * (MOST_PROCESSES + 28) + 1000 if used else 0


def _mine() -> Iterator[tuple[int, int]]:
    """Yield the number and the threads of each of the user's processes (Linux)."""
    me = os.getuid() if sys.platform != "win32" else 0
    for number in _numbers():
        try:
            place = Path(f"/proc/{number}")
            if place.stat().st_uid == me:
                yield number, len(os.listdir(place / "task"))  # noqa: PTH208 - only their number
        except OSError:
            continue


def _numbers() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208 - it is fast
    except OSError:
        return []


class Census:
    """A look at the number of processes that each program has started (Linux)."""

    def __init__(self) -> None:
        self._before = len(_numbers())

    def excess(self, programs: Iterable[Program]) -> Program | None:
        """Return a program that has started too many processes, if there is one."""
        numbers = _numbers()
        if len(numbers) - self._before < MOST_PROCESSES:
            return None
        count: dict[int, int] = {}
        for number in numbers:
            try:
                text = Path(f"/proc/{number}/stat").read_text(encoding="ascii", errors="replace")
            except OSError:
                continue
            session = int(text.rpartition(")")[2].split()[3])
            count[session] = count.get(session, 0) + 1
        return next((each for each in programs if each.started and count.get(each.pid, 0) > MOST_PROCESSES), None)


def leftovers(mark: str) -> list[int]:
    """Return the processes whose environment contains a mark: those that programs started and left behind (Linux)."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for number in _numbers():
        try:
            if number != os.getpid() and wanted in Path(f"/proc/{number}/environ").read_bytes().split(b"\0"):
                found.append(number)
        except OSError:
            continue
    return found
