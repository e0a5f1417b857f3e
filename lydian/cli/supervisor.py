"""A command in a child process, so that even a protocol that damages its process ends with an error message.

An action that never returns is interrupted from within (:class:`lydian.model.limits.Watch`), unless it hangs in a
single call into C or catches every exception; and code may end its process in many ways. In these cases only another
process can help: this one runs the command in a child that gives signs of life while it executes a protocol, and ends
it when the signs stop. When the command is finished, the child sends its exit code as a *receipt*. A process that
ends without a receipt has not completed its task, whatever the system reports about it.

This happens only where ``fork`` exists; elsewhere the command runs in the process itself.
"""

from __future__ import annotations

import contextlib
import faulthandler
import itertools
import json
import os
import secrets
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lydian.model import limits
from lydian.model.childprocess import end_with
from lydian.model.errors import BadInput, LydianError

__all__ = ["PATIENCE", "apart", "outputs_kept", "receipt", "supervise"]

#: Seconds without a sign of life after which the child is ended.
PATIENCE = 5.0
#: Our own descriptors have numbers from here on, so that code that closes or writes to the first few misses them.
_HIGH = 512
#: The number of other characters kept, such as the last words of an interpreter that crashes.
_MOST_SAID = 65_536
#: What a child must send at its end, and where.
_token = ""
_pipe = -1


@dataclass
class _Child:
    """The state of a child as seen by its parent.

    Attributes:
        number: the number of its process; ``signs``: the end of the pipe on which it reports.
        token: the beginning of its receipt.
        files: the files whose code it executes, the innermost last; ``last``: the most recent of them.
        receipt: the receipt that it sent at its end.
        stuck: what it was executing when it fell silent.
        said: what it wrote to the pipe besides its signs; ``unread``: an incomplete line.
        code: how its process ended; a negative number is that of a signal.
    """

    number: int
    signs: int
    token: str
    files: list[str] = field(default_factory=list)
    last: str = ""
    receipt: str | None = None
    stuck: str | None = None
    said: str = ""
    unread: str = ""
    code: int = 0


def supervise(words: Sequence[str], recorded: Callable[[], str]) -> int | None:
    """Continue in a child and supervise it; return the exit code in the parent, ``None`` in the child or without one.

    Args:
        words: the command line; commands that open a window are not supervised, because a window executes no protocol.
        recorded: describes, as a clause, what a run recorded before it crashed its process.
    """
    if not hasattr(os, "fork") or not words or words[0].startswith("-") or "--debug" in words:
        return None
    if words[0] == "render" and sys.platform == "darwin":  # its window system does not survive a fork
        return None
    if words[0] == "open":
        from lydian.cli.commands.opening import has_display

        if has_display():
            return None
    child = _forked()
    if child is None:
        return None
    passed = ((signal.SIGINT, signal.SIGUSR1), (signal.SIGTERM, signal.SIGTERM))
    before = [signal.signal(received, lambda *_, sent=sent: _kill(child, sent)) for received, sent in passed]
    _look_after(child, _patience(words))
    for (received, _sent), handler in zip(passed, before, strict=True):
        signal.signal(received, handler)
    if child.receipt is not None and child.receipt.isdecimal():
        return int(child.receipt)
    if child.code == -signal.SIGTERM:
        return 128 + signal.SIGTERM
    print(f"lydian: {_why(child)}{_rescued(words, child, recorded)}", file=sys.stderr)
    return 1


def receipt(code: int) -> None:
    """In the child, report that the command has finished with this exit code."""
    if _token:
        with contextlib.suppress(OSError):
            os.write(_pipe, f"={_token}{code}\n".encode())


def apart(work: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Execute ``work`` in a child of its own and return its result, which must be plain data.

    Raises:
        LydianError: the error that ``work`` raised, or how it ended its process.
    """
    if not hasattr(os, "fork"):
        return work()
    child = _forked()
    if child is None:
        try:
            _hand_over({"found": work()})
        except BadInput as error:
            file = None if error.file is None else str(error.file)
            _hand_over({"what": error.what, "file": file, "place": error.place})
        except LydianError as error:
            _hand_over({"what": str(error)})
        finally:
            os._exit(0)
    _look_after(child, patience)
    if child.receipt is None:
        raise BadInput(_why(child))
    told = json.loads(child.receipt)
    if "what" in told:
        raise BadInput(told["what"], file=told.get("file"), place=told.get("place"))
    return told["found"]


def _hand_over(what: dict[str, Any]) -> None:
    os.write(_pipe, f"={_token}{json.dumps(what)}\n".encode())


@contextlib.contextmanager
def outputs_kept() -> Iterator[None]:
    """Restore standard output and error after the block, even if its code closes or replaces them."""
    if os.name == "nt":
        yield
        return
    kept = [(number, _high(number), _identity(number)) for number in (1, 2)]
    try:
        yield
    finally:
        for number, copy, identity in kept:
            if copy >= 0:
                if _identity(number) != identity and _identity(copy) == identity:
                    os.dup2(copy, number)
                with contextlib.suppress(OSError):
                    os.close(copy)


def _identity(number: int) -> tuple[int, int] | None:
    try:
        found = os.fstat(number)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _high(number: int) -> int:
    """Copy a descriptor to a high number; return -1 if there is none."""
    import fcntl

    for least in (_HIGH, 64, 3):
        try:
            return fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, least)
        except OSError:
            continue
    return -1


def _forked() -> _Child | None:
    """Continue in a child; return its record in the parent, and ``None`` in the child itself."""
    global _token, _pipe
    sys.stdout.flush()
    sys.stderr.flush()
    token = secrets.token_hex(8)
    signs, tell = os.pipe()
    parent, number = os.getpid(), os.fork()
    if number:
        os.close(tell)
        return _Child(number, signs, token)
    os.close(signs)
    end_with(parent)
    high = _high(tell)
    if high >= 0:
        os.close(tell)
    _token, _pipe = token, high if high >= 0 else tell
    # Ctrl+C reaches both processes; the parent passes it on, so that it arrives only once.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, signal.default_int_handler)
    limits.tell = lambda sign: _tell(_pipe, sign)
    faulthandler.enable(_pipe, all_threads=False)
    faulthandler.register(signal.SIGUSR2, _pipe, all_threads=False)
    return None


def _tell(pipe: int, sign: str) -> None:
    try:
        os.write(pipe, f"{sign}\n".encode())
    except OSError:  # this process is no longer supervised
        os._exit(1)


def _why(child: _Child) -> str:
    """Describe a child that ended without a receipt."""
    from lydian.engine.end.failure import stuck_at

    file = child.last or "the command"
    place = stuck_at(child.said)
    if child.stuck is not None:
        return (
            f"{place or child.stuck}: it did not finish and could not be interrupted; is there an endless "
            "loop, or a call that waits for ever?"
        )
    if child.code == -signal.SIGKILL:
        return "the run was ended by the system, perhaps for lack of memory"
    if child.code < 0:
        return f"{place or file}: the interpreter crashed here ({signal.Signals(-child.code).name})"
    return (
        f"{file}: it ended the program from within (exit code {child.code}) before the command had finished; "
        "a protocol must only declare, and an action that is finished must return"
    )


def _rescued(words: Sequence[str], child: _Child, recorded: Callable[[], str]) -> str:
    """Run a crashed run again, event by event, and return a clause about what it recorded, or ""."""
    traced = any(word.split("=")[0] == "--trace" for word in words)
    if words[0] != "run" or not (traced or child.stuck is None) or (child.stuck is None and child.code == -9):
        return ""
    try:
        return f"; {apart(recorded)}"
    except (LydianError, KeyboardInterrupt):
        return "; no trace is kept" if traced else ""


def _kill(child: _Child, sent: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(child.number, sent)


def _patience(words: Sequence[str]) -> float:
    """Return the seconds without a sign of life that are allowed: more if an action may take longer."""
    for before, word in itertools.pairwise(["", *words]):
        text = word.removeprefix("--seconds=") if word.startswith("--seconds=") else word
        if before == "--seconds" or text is not word:
            with contextlib.suppress(ValueError):
                return max(PATIENCE, min(2 * float(text) + 1, 1e6))
    return PATIENCE


def _look_after(child: _Child, patience: float) -> None:
    """Listen until the child has ended, or end it when it falls silent."""
    try:
        _watch(child, patience)
        if child.stuck is not None:
            _kill(child, signal.SIGUSR2)
            while select.select([child.signs], [], [], 0.5)[0] and _hear(child):
                pass
            _kill(child, signal.SIGKILL)
    except BaseException:
        _kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child.number, 0)
        child.code = os.waitstatus_to_exitcode(status)
        os.close(child.signs)


def _watch(child: _Child, patience: float) -> None:
    """Listen until the pipe ends, or until the child falls silent while it executes a protocol's code."""
    while True:
        # The second check is for a program that was suspended with Ctrl+Z and has just resumed.
        waits = (patience, 1.0) if child.files else (None,)
        if not any(select.select([child.signs], [], [], wait)[0] for wait in waits):
            child.stuck = child.files[-1]
            return
        if not _hear(child):
            return


def _hear(child: _Child) -> bool:
    """Process the next input; return False at its end.

    A sign is ``+`` and a file when a protocol's code begins, ``.`` now and then while all is well, and ``-`` when the
    code ends; ``=`` with the token begins the receipt.
    """
    data = os.read(child.signs, 65_536)
    *lines, rest = (child.unread + data.decode(errors="replace")).split("\n")
    child.unread = rest[-_MOST_SAID:]
    for line in lines:
        if line.startswith("+"):
            child.files.append(line[1:])
            child.last = line[1:]
        elif line == "-" and child.files:
            child.files.pop()
        elif line.startswith(f"={child.token}"):
            child.receipt = line[1 + len(child.token) :]
        elif line != ".":
            child.said = (child.said + line + "\n")[-_MOST_SAID:]
    return bool(data)
