"""A run in a child process, so that a protocol that cannot be interrupted can be ended.

An action that never returns is interrupted from within (:class:`lydian.model.limits.Watch`), unless it hangs in a
single call into C or catches every exception.  Then only another process can help: this one runs the command in a child
that gives signs of life while it executes somebody's protocol, and ends it when the signs stop.

Only where ``fork`` exists; elsewhere the command runs in the process itself.
"""

from __future__ import annotations

import contextlib
import faulthandler
import itertools
import os
import select
import signal
import sys
from collections.abc import Sequence

from lydian.model import limits

__all__ = ["PATIENCE", "supervise"]

#: Seconds without a sign of life after which the child is ended.
PATIENCE = 5.0
_COMMANDS = ("run", "explore", "archive", "render")


def supervise(words: Sequence[str]) -> int | None:
    """Go on in a child and look after it; the exit code in the parent, ``None`` in the child or where nothing is done.

    Args:
        words: the command line; only commands that execute a protocol are supervised.
    """
    if not hasattr(os, "fork") or not words or words[0] not in _COMMANDS or "--debug" in words:
        return None
    if words[0] == "render" and sys.platform == "darwin":  # its window system does not survive a fork
        return None
    sys.stdout.flush()
    sys.stderr.flush()
    signs, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(signs)
        # Ctrl+C reaches both; the parent passes it on, so that it comes once.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGUSR1, signal.default_int_handler)
        limits.tell = lambda sign: _tell(tell, sign)
        faulthandler.register(signal.SIGUSR2, tell, all_threads=False)
        return None
    os.close(tell)
    for received, sent in ((signal.SIGINT, signal.SIGUSR1), (signal.SIGTERM, signal.SIGTERM)):
        signal.signal(received, lambda *_, sent=sent: os.kill(child, sent))
    stuck = _watch(signs, _patience(words))
    if stuck is not None:
        stuck = _place(signs, child) or stuck
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if stuck is not None:
        print(
            f"lydian: {stuck}: it did not come to an end and could not be interrupted; is there an endless loop, or a "
            "call that waits for ever? No trace is kept",
            file=sys.stderr,
        )
        return 1
    if code == -signal.SIGKILL:
        print("lydian: the run was ended by the system; perhaps there was not enough memory for it", file=sys.stderr)
    return code if code >= 0 else 128 - code


def _tell(pipe: int, sign: str) -> None:
    try:
        os.write(pipe, f"{sign}\n".encode())
    except OSError:  # nobody looks after this process any more
        os._exit(1)


def _patience(words: Sequence[str]) -> float:
    """Seconds without a sign of life: more if an action may take longer."""
    for before, word in itertools.pairwise(["", *words]):
        text = word.removeprefix("--seconds=") if word.startswith("--seconds=") else word
        if before == "--seconds" or text is not word:
            with contextlib.suppress(ValueError):
                return max(PATIENCE, min(2 * float(text) + 1, 1e6))
    return PATIENCE


def _place(signs: int, child: int) -> str | None:
    """Where in the protocol a child is that cannot be interrupted: ``mine.py, line 12``."""
    from lydian.engine.failure import stuck_at

    said = b""
    os.kill(child, signal.SIGUSR2)
    while select.select([signs], [], [], 0.5)[0]:
        data = os.read(signs, 65_536)
        said += data
        if not data:
            break
    return stuck_at(said.decode(errors="replace"))


def _watch(signs: int, patience: float) -> str | None:
    """Read signs until the child ends or falls silent; gives what it was executing then, or ``None``.

    A sign is ``+`` and a file when somebody's code begins, ``.`` now and then while all is well, ``-`` when it ends.
    """
    files: list[str] = []
    rest = ""
    while True:
        # The second look is for a program that was stopped by Ctrl+Z and goes on now.
        if files and not any(select.select([signs], [], [], wait)[0] for wait in (patience, 1.0)):
            return files[-1]
        data = os.read(signs, 65_536)
        if not data:
            return None
        *lines, rest = (rest + data.decode(errors="replace")).split("\n")
        for line in lines:
            if line.startswith("+"):
                files.append(line[1:])
            elif line == "-" and files:
                files.pop()
