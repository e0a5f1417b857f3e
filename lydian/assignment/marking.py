"""The marking of one hand-in: each check in turn, with a failing run as evidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial as bound
from pathlib import Path
from typing import Any

from lydian.assignment.assignment import Assignment, Check
from lydian.assignment.failing import evidence
from lydian.assignment.kinds.kind import Failed, Outcome
from lydian.assignment.setting import OutOfSeconds, Setting, Stopped
from lydian.engine.state.leftovers import pythons_own
from lydian.model.errors import LydianError
from lydian.model.protocol.protocol import Protocol

__all__ = ["Marked", "blank", "fingerprint", "mark"]

#: After this many checks that were stopped by a limit, the others are not made.
_MOST_STOPPED = 2


@dataclass
class Marked:
    """The marks of one hand-in.

    Attributes:
        checks: one entry for each check, as plain data.
        state: ``marked``, or ``not run`` if the protocol cannot be used at all; then ``reason`` says why.
    """

    checks: list[dict[str, Any]] = field(default_factory=list)
    state: str = "marked"
    reason: str = ""

    @property
    def points(self) -> float:
        """The points of all checks."""
        return float(round(sum(each["points"] for each in self.checks), 1))


def mark(
    assignment: Assignment,
    files: Mapping[str, str],
    answers: Mapping[str, Any] | None = None,
    *,
    checks: Iterable[Check] | None = None,
    runs: Path | None = None,
    short: bool = True,
    tell: Callable[[Check, int, int], object] = lambda check, done, of: None,
    partial: Callable[[dict[str, Any]], object] = lambda result: None,
    stopped: Callable[[], bool] = lambda: False,
    stops: int = 0,
) -> Marked:
    """Mark a hand-in in this process, which its code can end or freeze; so this is called in a child process.

    Args:
        files, answers: the files of the hand-in, and its answers by check.
        checks: the checks to be made; by default all.
        runs: the folder for the failing runs; ``None`` to keep none.
        short: whether failing runs are shortened.
        tell: called with a check, the number of its runs made so far, and the number of all its runs.
        partial: called with each result.
        stopped: returns True if the marking should end.
        stops: the number of checks that have already been stopped by a limit.
    """
    found = Marked()
    own = pythons_own()
    shown: dict[tuple[str, str], dict[str, Any]] = {}
    for check in assignment.checks if checks is None else checks:
        setting = assignment.setting(check, files, answers or {}, bound(tell, check), stopped)
        if stops >= _MOST_STOPPED and needs_runs(check):
            result = blank(check, "stopped", "not made, because earlier checks did not finish")
        else:
            try:
                result = _one(assignment, check, setting, runs, short, shown)
            except Stopped:
                break
        if pythons_own() != own:
            result = blank(check, "stopped", "the hand-in replaces functions of Python itself")
            stops = _MOST_STOPPED
        stops += result["state"] == "stopped"
        found.checks.append(result)
        partial(result)
    return found


def needs_runs(check: Check) -> bool:
    """Return True if a check executes the hand-in."""
    return check.kind.name not in ("question", "written")


def _one(
    assignment: Assignment,
    check: Check,
    setting: Setting,
    runs: Path | None,
    short: bool,
    shown: dict[tuple[str, str], dict[str, Any]],
) -> dict[str, Any]:
    """Run one check, and return its result."""
    try:
        outcome = check.kind.mark(setting)
    except OutOfSeconds:
        return blank(check, "stopped", f"stopped after {assignment.limits.seconds:g} s")
    except MemoryError:
        return blank(check, "stopped", f"it needs more than {assignment.limits.memory} MB of memory")
    except LydianError as error:
        return blank(check, "failed", str(error))
    result = told(check, outcome)
    if outcome.failed is not None:
        file = assignment.protocol
        alone = outcome.failed.sentence or outcome.failed.result is None  # the failing run of no other check says this
        key = outcome.failed.property, check.id if alone else ""
        if key in shown and outcome.failed.property:
            result["failure"] = shown[key]
        else:
            place = None if runs is None else runs / f"{check.id}.lydian"
            try:
                result["failure"] = evidence(
                    outcome.failed, file=file, properties=assignment.properties, run=place, short=short,
                    least=assignment.limits.processes, reference=_reference(check, setting, outcome.failed),
                    stopped=setting.stopped,
                )  # fmt: skip
                shown[key] = result["failure"]
            except (LydianError, ValueError, MemoryError) as error:
                result["failure"] = None
                result["words"] += f" (the failing run cannot be shown: {error})"
    if result["failure"] and result["failure"]["kind"] == "error":
        result["hint"] = ""  # it is about what is checked, not about an action that fails
    return result


def _reference(check: Check, setting: Setting, failed: Failed) -> Protocol | None:
    """Return the lecturer's solution with the properties that the failed run was judged by, if there is one."""
    if not setting.reference or check.kind.name == "mutants":
        return None
    return setting.judged(setting.reference, failed.resolved.protocol.properties)


def told(check: Check, outcome: Outcome) -> dict[str, Any]:
    """Return the result of a check as plain data, without a failing run."""
    if outcome.open or outcome.stopped:
        points, state = 0.0, "open" if outcome.open else "stopped"
    else:
        points = check.earned(outcome.good, outcome.of)
        state = "full" if outcome.good >= outcome.of else "partly" if points else "failed"
    return {
        **blank(check, state, outcome.words), "points": points, "good": outcome.good, "of": outcome.of,
        "missed": list(outcome.missed),
    }  # fmt: skip


def blank(check: Check, state: str, words: str) -> dict[str, Any]:
    """Return the result of a check without points."""
    return {
        "id": check.id, "title": check.title, "kind": check.kind.name, "hidden": check.hidden, "points": 0.0,
        "most": check.points, "state": state, "words": words, "good": 0, "of": 0, "hint": check.hint, "failure": None,
        "missed": [],
    }  # fmt: skip


def fingerprint(checks: Iterable[Mapping[str, Any]]) -> str:
    """Return a digest of the marks, the same on every machine."""
    told = [[each["id"], each["points"], each["state"], each["good"], each["of"]] for each in checks]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]
