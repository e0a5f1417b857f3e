"""The failure that must remain while a run is shortened, and the size of the run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydian.engine.end.result import Result
from lydian.model.experiment.experiment import Resolved
from lydian.trace.events import ATTACHED, Kind

__all__ = ["Failing", "Size", "failing_of", "size_of"]


@dataclass(frozen=True)
class Failing:
    """A failure that two runs may share.

    Attributes:
        kind: the kind of the violated property (``always``, ``eventually``, ``at_end``, ``messages``), or ``error`` for
            an action that fails.
        name: the name of the property, or where the action fails: its line, or what the protocol file lacks.
    """

    kind: str
    name: str

    @property
    def stops(self) -> bool:
        """Whether a run may end as soon as it fails, because nothing that happens later can undo the failure."""
        return self.kind in ("always", "error")

    def in_(self, result: Result) -> bool:
        """Return True if a run fails in this way."""
        if self.kind == "error":
            return result.error is not None and _failed(result) == self.name
        return result.error is None and any(
            (each.kind, each.name) == (self.kind, self.name) for each in result.violated
        )


@dataclass(frozen=True)
class Size:
    """The size of a run; a smaller one is easier to understand.

    Attributes:
        events: the number of events.
        messages, processes, links: the numbers of each.
        given: the number of faults, interventions and commands that are given from outside.
    """

    events: int
    messages: int
    processes: int
    links: int
    given: int


def failing_of(result: Result, name: str | None = None) -> Failing | None:
    """Return the failure of a run, or ``None`` if it does not fail.

    If the run fails in several ways, a failing action comes first, and then the violation that was found first.

    Args:
        name: the name of a violated property, which is then chosen.
    """
    if result.error is not None and name is None:
        return Failing("error", _failed(result))
    violated = [each for each in result.violated if name is None or each.name == name]
    violated.sort(key=lambda each: (each.kind != "always", each.at if each.at is not None else -1))
    return Failing(violated[0].kind, violated[0].name) if violated else None


def size_of(resolved: Resolved, result: Result) -> Size:
    """Return the size of a run."""
    experiment = resolved.experiment
    kinds = result.trace.rows["kind"]
    given = len(experiment.interventions) + len(experiment.faults) + len(experiment.workload) + len(resolved.drawn)
    events = int((~np.isin(kinds, ATTACHED)).sum())
    return Size(events, result.messages, resolved.network.n, resolved.network.m, given)


def _failed(result: Result) -> str:
    """Return the line of the protocol file that failed, or what is missing in it; neither names a process."""
    rows = np.nonzero(result.trace.rows["kind"] == Kind.ERROR)[0]
    detail = result.trace.detail(int(rows[-1])) if len(rows) else None
    if not detail:
        return result.error or ""
    return f"line {detail['line']}" if detail.get("line") else str(detail.get("text", ""))
