"""The grading of a class and the check of an assignment for the window: ``python -m lydian.assignment.lecturing``.

Input and output consist of the frames of :mod:`lydian.engine.wire`. A ``grade`` is read; a grading answers with
``progress`` and the number of hand-ins in its ``result``, a check of the assignment with a ``partial`` for each trial.
``stop`` ends the work; what has been marked is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from lydian.assignment.assignment import read
from lydian.assignment.grade import grade
from lydian.assignment.selfcheck import self_check
from lydian.engine.serve import answered, channels
from lydian.engine.wire import Bye, Error, Frame, Grade, Partial, Progress, Result
from lydian.model.childprocess import follow_parent
from lydian.model.errors import LydianError

__all__ = ["ENTRY", "main"]

#: The arguments that start this process.
ENTRY = ("-m", "lydian.assignment.lecturing")


def _answer(wanted: Grade, say: Callable[[Frame], None], stoppable: Callable[[Callable[[], None]], None]) -> None:
    """Grade the hand-ins or check the assignment, and report the result."""
    ended = False

    def stop() -> None:
        nonlocal ended
        ended = True

    stoppable(stop)
    try:
        if wanted.submissions is None or wanted.folder is None:
            found = _checked(wanted, say, lambda: ended)
        else:
            grades = grade(
                wanted.assignment, wanted.submissions, wanted.folder, stopped=lambda: ended,
                tell=lambda at: say(Progress({"hand_ins": at.done, "of": at.total})),
            )  # fmt: skip
            idle = sum(each["state"] != "marked" for each in grades.results)
            found = {"count": len(grades.results), "idle": idle, "mean": grades.mean, "complete": grades.complete,
                     "page": str(Path(wanted.folder) / "index.html")}  # fmt: skip
        say(Result(found))
    except LydianError as error:
        say(Error(str(error), error.exit_code))
    except OSError as error:
        say(Error(f"{wanted.folder}: cannot be written ({(error.strerror or str(error)).lower()})", 2))
    say(Bye())


def _checked(wanted: Grade, say: Callable[[Frame], None], stopped: Callable[[], bool]) -> dict[str, Any]:
    """Mark the reference, the mutants and the skeleton, and report each trial."""
    assignment = read(wanted.assignment)
    mutants = sum(name.startswith("lecturer/mutants/") and name.endswith(".py") for name in assignment.files)
    of = bool(assignment.reference) + mutants + bool(assignment.skeleton)
    say(Progress({"hand_ins": 0, "of": of}))
    trials = self_check(assignment, stopped=stopped, tell=lambda trial: say(Partial({"trial": asdict(trial)})))
    return {"count": len(trials), "of": of, "wrong": sum(not each.good for each in trials)}


def main(source: BinaryIO, out: BinaryIO) -> int:
    """Answer one request and return the exit code."""
    return answered(source, out, Grade, _answer)


if __name__ == "__main__":
    follow_parent()
    os._exit(main(*channels()))  # the listening thread may wait for ever
