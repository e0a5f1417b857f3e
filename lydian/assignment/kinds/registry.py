"""The kinds of check: the word in the file -> the kind."""

from __future__ import annotations

from collections.abc import Mapping

from lydian.assignment.kinds.answers import Question, Written
from lydian.assignment.kinds.kind import Kind
from lydian.assignment.kinds.mutants import Mutants
from lydian.assignment.kinds.runs import Expected, Holds, Runs
from lydian.assignment.kinds.scenario import Scenario
from lydian.assignment.kinds.schedules import Schedules

__all__ = ["KINDS"]

KINDS: Mapping[str, type[Kind]] = {
    kind.name: kind for kind in (Runs, Holds, Schedules, Expected, Scenario, Mutants, Question, Written)
}
