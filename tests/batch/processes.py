"""Programs that a test starts, and their descendant processes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from tests import nursery

MAIN = "import sys; from lydian.cli import main; sys.exit(main())"


def start(env: dict[str, str], folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start ``lydian batch`` with these arguments."""
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, "batch", *words], env=env, cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def family(child: int) -> set[int]:
    """Return a child and all its descendants."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, grown = {child}, True
    while grown:
        fresh = {pid for pid, parent in parents.items() if parent in found and pid not in found}
        found |= fresh
        grown = bool(fresh)
    return found


def those(child: int, word: str) -> list[int]:
    """Return the processes of a family whose command line contains a word, the oldest first."""
    found = []
    for pid in sorted(family(child)):
        try:
            if word in Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"):
                found.append(pid)
        except OSError:
            continue
    return found


def alive(pids: Iterable[int]) -> list[int]:
    """Return those that are still running."""
    found = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.append(pid)
    return found


def kill(pid: int) -> None:
    """End a process that the test itself started, as the system does when memory is exhausted."""
    nursery.shared.kill(pid)  # first the process behind it, which could otherwise still answer
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def until(condition: Callable[[], object], seconds: float, what: str) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)
