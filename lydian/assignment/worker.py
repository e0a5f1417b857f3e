"""The process that marks one hand-in after another: ``python -m lydian.assignment.worker FOLDER``.

It reads and writes the frames of :mod:`lydian.engine.wire`: for each ``mark`` it writes a ``partial`` for each check,
and a ``result``. It never executes a hand-in itself: for each it splits off a copy of itself (on Linux), which is
contained (:mod:`lydian.assignment.contain`) and ends with the hand-in. If that process hangs or dies, the check that it
was at counts as stopped, and another one makes the other checks. On other systems the process that has marked a hand-in
ends, and the program that started it starts the next.
"""

from __future__ import annotations

import base64
import contextlib
import faulthandler
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from lydian.assignment.assignment import Assignment, Check, read
from lydian.assignment.contain import enter, trusted
from lydian.assignment.marking import blank, fingerprint, mark
from lydian.engine.end.failure import ALARMS, stuck_at
from lydian.engine.serve import bounded, channels
from lydian.engine.simulator import ACTION_SECONDS
from lydian.engine.wire import Error, Frame, Mark, Partial, Progress, Refused, Result, decode, encode, frames
from lydian.model.childprocess import end_with, follow_parent
from lydian.model.errors import LydianError

__all__ = ["ENTRY", "FORKS", "main"]

#: The arguments that start this process; the folder of the assignment follows.
ENTRY = ("-m", "lydian.assignment.worker")
#: Whether a hand-in is executed in a copy of this process.
FORKS = sys.platform == "linux"
#: Seconds without any frame after which a contained process is ended, beyond the limit of a check.
SPARE = 30.0
_MOST_SAID = 4096


def main(source: BinaryIO, out: BinaryIO, folder: str) -> int:
    """Answer requests until the input ends."""

    def say(frame: Frame) -> None:
        out.write(encode(frame))
        out.flush()

    try:
        assignment = read(folder)
    except LydianError as error:
        say(Error(str(error), error.exit_code))
        return error.exit_code
    _warm_up()
    for wanted in frames(source):
        if not isinstance(wanted, Mark):
            say(Error("the frame must be mark"))
            continue
        place = Path(tempfile.mkdtemp(prefix="lydian-hand-in-"))
        try:
            checks = list(_made(assignment, wanted, place, say))
            runs = {each.stem: base64.b64encode(each.read_bytes()).decode() for each in sorted(place.glob("*.lydian"))}
            say(Result({"checks": checks, "fingerprint": fingerprint(checks), "runs": runs}))
        finally:
            shutil.rmtree(place, ignore_errors=True)
        if not FORKS:
            return 0
    return 0


def _made(assignment: Assignment, wanted: Mark, place: Path, say: Callable[[Frame], None]) -> Iterator[dict[str, Any]]:
    """Run the checks of a hand-in, and yield the result of each."""
    left = [each for each in assignment.checks if wanted.checks is None or each.id in wanted.checks]
    stops = 0
    while left:
        got, why = _contained(assignment, wanted, left, stops, place, say)
        yield from got
        left = left[len(got) :]
        if left:
            stopped = blank(left.pop(0), "stopped", why)
            stops += 1
            say(Partial({"check": stopped}))
            yield stopped


def _contained(
    assignment: Assignment,
    wanted: Mark,
    checks: list[Check],
    stops: int,
    place: Path,
    say: Callable[[Frame], None],
) -> tuple[list[dict[str, Any]], str]:
    """Run checks in a contained process; return their results, and why some are missing."""
    if not FORKS:
        return _here(assignment, wanted, checks, stops, place, say), "its process ended"
    ours, theirs = os.pipe()
    said = place / "said.txt"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a thread may wait for the end of our parent
        child = os.fork()
    if not child:
        os.close(ours)
        _alone(assignment, wanted, checks, stops, place, theirs, said)
    os.close(theirs)
    got: list[dict[str, Any]] = []
    try:
        why = _heard(ours, checks, got, say, assignment.limits.seconds + SPARE)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL) if why else None
        _, status = os.waitpid(child, 0)
    finally:
        os.close(ours)
    if len(got) == len(checks):
        return got, ""
    return got, why or _reason(os.waitstatus_to_exitcode(status), said, assignment)


def _heard(
    ours: int, checks: list[Check], got: list[dict[str, Any]], say: Callable[[Frame], None], seconds: float
) -> str:
    """Pass on the frames of a contained process until it ends; return why it must be ended, "" if it has ended."""
    rest, last = b"", time.monotonic()
    while True:
        ready, _, _ = select.select([ours], [], [], max(0.0, last + seconds - time.monotonic()))
        if not ready:
            return f"stopped: it did not finish within {seconds:g} s"
        data = os.read(ours, 65_536)
        if not data:
            return ""
        last = time.monotonic()
        *lines, rest = (rest + data).split(b"\n")
        if len(rest) > 32_000_000:
            return "stopped: its process answered with something other than results"
        for line in lines:
            try:
                frame = decode(line)
            except Refused:
                return "stopped: its process answered with something other than results"
            if isinstance(frame, Partial):
                result = frame.found.get("check")
                if not _fits(result, checks, len(got)):
                    return "stopped: its process answered with something other than results"
                got.append(dict(result or {}))
                say(frame)
            elif isinstance(frame, Progress):
                say(frame)


def _fits(result: Any, checks: list[Check], number: int) -> bool:
    """Return True if a result belongs to the check that is being made, and has no more points than there are."""
    if not isinstance(result, dict) or number >= len(checks):
        return False
    check = checks[number]
    if set(result) != set(blank(check, "", "")) or (result["id"], result["most"]) != (check.id, check.points):
        return False
    points = result["points"]
    return isinstance(points, int | float) and not isinstance(points, bool) and 0 <= points <= check.points


def _alone(
    assignment: Assignment,
    wanted: Mark,
    checks: list[Check],
    stops: int,
    place: Path,
    theirs: int,
    said: Path,
) -> None:
    """Be the contained process, and end with the hand-in."""
    code = 1
    try:
        parent = os.getppid()
        os.setpgid(0, 0)
        end_with(parent)
        nothing = os.open(os.devnull, os.O_RDWR)
        told = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        for number, target in ((nothing, 0), (nothing, 1), (told, 2)):
            os.dup2(number, target)
        os.closerange(3, theirs)  # the channels of the process from which this one was split off
        os.closerange(theirs + 1, 65_536)
        work = place / "work"
        work.mkdir(exist_ok=True)
        os.chdir(work)
        with os.fdopen(theirs, "wb") as out:

            def say(frame: Frame) -> None:
                with trusted():
                    out.write(encode(frame))
                    out.flush()

            enter(assignment.limits.memory * 1_000_000)
            _here(assignment, wanted, checks, stops, place, say)
            code = 0
    except BaseException as error:  # noqa: BLE001 - the process ends here, whatever happened
        with contextlib.suppress(BaseException):
            os.write(2, f"\n{type(error).__name__}: {error}\n".encode("utf-8", "replace")[:1000])
    finally:
        os._exit(code)


def _here(
    assignment: Assignment,
    wanted: Mark,
    checks: list[Check],
    stops: int,
    place: Path,
    say: Callable[[Frame], None],
) -> list[dict[str, Any]]:
    """Run checks in this process."""
    files = {str(name): str(text) for name, text in wanted.files.items()}
    with bounded(ACTION_SECONDS, None):
        found = mark(
            assignment, files, wanted.answers, checks=checks, runs=place, short=wanted.short, stops=stops,
            tell=lambda check, done, of: say(Progress({"check": check.id, "runs": done, "of": of})),
            partial=lambda result: say(Partial({"check": result})),
        )  # fmt: skip
    return found.checks


def _reason(code: int, said: Path, assignment: Assignment) -> str:
    """Return why a contained process ended before it had run all checks."""
    try:
        with said.open("rb") as stream:
            stream.seek(max(0, said.stat().st_size - _MOST_SAID))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        text = ""
    place = stuck_at(text)
    where = f" ({place})" if place else ""
    if code in ALARMS:
        return f"stopped: an action did not finish and could not be interrupted{where}"
    if "MemoryError" in text or code == -signal.SIGKILL:
        return f"stopped: it needs more than {assignment.limits.memory} MB of memory"
    if code < 0:
        return f"stopped: the interpreter crashed (signal {-code}){where}"
    return f"stopped: it ended its process{where}"


def _warm_up() -> None:
    """Import what hand-ins need, so that each copy of this process has it already."""
    import ctypes

    import networkx  # noqa: F401

    import lydian.trace.parquet.arrow  # noqa: F401
    from lydian.assignment.failing import evidence  # noqa: F401

    getattr(ctypes.pythonapi, "PyThreadState_SetAsyncExc")  # noqa: B009 - looked up now, not in the contained process
    faulthandler.enable(2, all_threads=False)


if __name__ == "__main__":
    follow_parent()
    heard, spoken = channels()
    ended = main(heard, spoken, sys.argv[1])
    sys.stderr.flush()
    os._exit(ended)
