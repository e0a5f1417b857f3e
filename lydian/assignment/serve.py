"""The marks of one hand-in in a separate process, for the window: ``python -m lydian.assignment.serve``.

Input and output consist of the frames of :mod:`lydian.engine.wire`: a ``mark`` is read, a ``partial`` is written for
each check, ``progress`` in between, and a ``result`` at the end. ``stop`` ends the work, and the results so far count.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from lydian.assignment.assignment import Assignment, read
from lydian.assignment.marking import fingerprint, mark
from lydian.engine.serve import answered, bounded, channels
from lydian.engine.simulator import ACTION_SECONDS
from lydian.engine.wire import Bye, Error, Frame, Mark, Partial, Progress, Result
from lydian.model.childprocess import follow_parent
from lydian.model.errors import LydianError

__all__ = ["ENTRY", "main", "marked"]

#: The arguments that start this process.
ENTRY = ("-m", "lydian.assignment.serve")


def marked(
    assignment: Assignment, wanted: Mark, say: Callable[[Frame], None], stopped: Callable[[], bool] = lambda: False
) -> dict[str, Any]:
    """Mark a hand-in as requested, report progress and the result of each check, and return them together."""
    checks = None if wanted.checks is None else [assignment.check(str(each)) for each in wanted.checks]
    found = mark(
        assignment, {str(name): str(text) for name, text in wanted.files.items()}, wanted.answers, checks=checks,
        runs=None if wanted.runs is None else Path(wanted.runs), short=wanted.short, stopped=stopped,
        tell=lambda check, done, of: say(Progress({"check": check.id, "runs": done, "of": of})),
        partial=lambda result: say(Partial({"check": result})),
    )  # fmt: skip
    return {"checks": found.checks, "points": found.points, "fingerprint": fingerprint(found.checks)}


def answer(wanted: Mark, say: Callable[[Frame], None], stoppable: Callable[[Callable[[], None]], None]) -> None:
    """Mark a hand-in, and report the results."""
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True

    stoppable(stop)
    try:
        with bounded(ACTION_SECONDS, None):
            say(Result(marked(read(wanted.assignment), wanted, say, lambda: stopped)))
    except LydianError as error:
        say(Error(str(error), error.exit_code))
    except MemoryError:
        say(Error("There is not enough memory for these checks.", 1))
    say(Bye())


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Answer one request and return the exit code."""
    return answered(source, out, Mark, answer)


if __name__ == "__main__":
    follow_parent()
    os._exit(main(*channels()))  # the listening thread may wait for ever
