"""The check of an assignment by its own solution: the reference has full marks, and each mutant loses points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from lydian.assignment.assignment import Assignment
from lydian.assignment.collect import Submission
from lydian.assignment.grade import Marker
from lydian.assignment.kinds.answers import Question
from lydian.assignment.kinds.mutants import mistake

__all__ = ["Trial", "self_check"]


@dataclass(frozen=True)
class Trial:
    """The outcome of one trial.

    Attributes:
        name: what was marked: the reference, a mutant or the skeleton.
        good: whether it has the points that it must have.
        words: the points and, if something is wrong, what.
        checks: the results of the checks.
    """

    name: str
    good: bool
    words: str
    checks: tuple[dict[str, Any], ...]


def self_check(
    assignment: Assignment,
    *,
    mutants: bool = True,
    tell: Callable[[Trial], object] = lambda trial: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[Trial]:
    """Mark the reference, each mutant and the skeleton, each contained like a hand-in.

    Args:
        mutants: whether to try the mutants as well.
        tell: called with each trial as it ends.
        stopped: returns True to end early.
    """
    marker = Marker(assignment.folder, assignment.limits.seconds)
    found: list[Trial] = []
    answers = {
        check.id: check.kind.answer for check in assignment.checks
        if isinstance(check.kind, Question) and check.kind.answer is not None
    }  # fmt: skip
    ids = [check.id for check in assignment.checks]
    executed = [check.id for check in assignment.checks if check.kind.name not in ("question", "written", "mutants")]

    def tried(
        name: str, files: dict[str, str], checks: list[str], judge: Callable[[list[dict[str, Any]]], str]
    ) -> None:
        results = marker.mark(Submission("", "", "", files, answers), checks)["checks"]
        points = sum(each["points"] for each in results)
        most = sum(each["most"] for each in results if each["state"] != "open")
        wrong = judge(results)
        words = f"{points:g} of {most:g} points" + (f"; {wrong}" if wrong else "")
        found.append(Trial(name, not wrong, words, tuple(results)))
        tell(found[-1])

    try:
        reference = assignment.reference
        if reference:
            tried("the reference", reference, ids, _full)
        for path in sorted(assignment.files) if mutants else ():
            if stopped():
                return found
            if path.startswith("lecturer/mutants/") and path.endswith(".py"):
                name = f"{PurePosixPath(path).stem}: {mistake(assignment.files[path])}"
                tried(name, {**reference, assignment.protocol: assignment.files[path]}, executed, _caught)
        if assignment.skeleton and not stopped():
            tried("the skeleton", {**reference, **assignment.skeleton}, executed, _loads)
    finally:
        marker.close()
    return found


def _full(results: list[dict[str, Any]]) -> str:
    """Return what is wrong with the marks of the reference."""
    lost = [each for each in results if each["state"] not in ("full", "open")]
    return "; ".join(f"{each['title']}: {_why(each)}" for each in lost)


def _why(result: dict[str, Any]) -> str:
    failure = result["failure"]
    return f"{result['words']}: {failure['sentence']}" if failure else str(result["words"])


def _caught(results: list[dict[str, Any]]) -> str:
    """Return what is wrong with the marks of a mutant."""
    return "" if any(each["state"] != "full" for each in results) else "no check notices the mistake"


def _loads(results: list[dict[str, Any]]) -> str:
    """Return what is wrong with the marks of the skeleton: it cannot be read, or has all points."""
    if results and all(each["state"] == "full" for each in results):
        return "it has all points already"
    broken = next((each for each in results if each["state"] == "stopped"), None)
    return "" if broken is None else str(broken["words"])
