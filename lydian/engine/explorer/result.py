"""The results of a search of all schedules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lydian.engine.explorer.worst import Worst
from lydian.model.experiment.experiment import Experiment

__all__ = ["Counterexample", "Exploration", "Finding", "Progress", "doubt", "reach"]


@dataclass(frozen=True)
class Progress:
    """The progress of a search.

    Attributes:
        configurations: the number of configurations found so far.
        waiting: the number of these whose moves are still to be tried.
        edges: the number of moves tried.
        depth: the number of moves from the initial configuration to the one being examined.
    """

    configurations: int
    waiting: int
    edges: int
    depth: int


@dataclass(frozen=True)
class Counterexample:
    """A schedule that demonstrates a finding, as an experiment.

    Attributes:
        steps: the steps in words, in order.
        loop: the step at which a cycle begins that can be repeated for ever; ``None`` if the schedule ends.
        experiment: an experiment that takes exactly these steps, which it contains as interventions.
        replayed: whether the simulator has run it with the same finding.
    """

    steps: tuple[str, ...]
    loop: int | None
    experiment: Experiment = field(repr=False)
    replayed: bool

    def to_dict(self) -> dict[str, Any]:
        return {"steps": list(self.steps), "loop": self.loop, "replayed": self.replayed}


@dataclass(frozen=True)
class Finding:
    """The result for one property over all schedules.

    Attributes:
        kind: ``always``, ``eventually``, ``at_end``, ``messages`` (the formula) or ``error`` (an action fails).
        holds: whether the property holds; ``None`` if this is open or cannot be judged.
        why: a sentence about why it is open or what fails; may be "".
        counterexample: a shortest schedule that violates the property, or one after which it cannot be judged.
    """

    name: str
    kind: str
    holds: bool | None
    why: str = ""
    counterexample: Counterexample | None = None

    def to_dict(self) -> dict[str, Any]:
        found = None if self.counterexample is None else self.counterexample.to_dict()
        return {"name": self.name, "kind": self.kind, "holds": self.holds, "why": self.why, "counterexample": found}


def reach(edges: int, depth: int) -> str:
    """Return the length of the longest schedule searched, for the line that counts the moves.

    A depth of 0 although there are moves means that any configuration may be the first.
    """
    return "any configuration may be the first" if edges and not depth else f"up to {depth} in succession"


def doubt(finding: Mapping[str, Any]) -> str:
    """Return a warning for a schedule whose finding the simulator does not confirm; "" if there is none.

    Args:
        finding: a finding as returned by :meth:`Finding.to_dict`.
    """
    shown = finding.get("counterexample")
    if not shown or shown["replayed"] or finding["holds"] is None:  # an open finding has nothing to confirm
        return ""
    return "The simulator takes a different path here: some action depends on the order of a set."


@dataclass(frozen=True)
class Exploration:
    """The summary of a search.

    Attributes:
        configurations, edges: the numbers of configurations and moves found.
        ends: the number of configurations in which no event is enabled.
        depth: the number of moves to the farthest configuration examined.
        stopped: ``complete``, or the bound that ended it: ``depth``, ``states``, ``seconds``, ``memory``,
            ``failure`` (of a hasty search) or ``cancelled``.
        findings: the findings about the properties in the order of the file, the formula, and each action that fails.
        outcomes: the possible ends: the number of processes in each state, and the number of such configurations.
        reachable, unreachable: the cells of the table (state, event) that were executed and that were not.
        messages: the smallest and largest number of messages of a run that ends, ``None`` if unknown or unbounded.
        chain: the number of messages on the longest causal chain of all runs, ``None`` if unknown.
        rounds: whether a run can continue for ever.
        notes: the omissions and assumptions of the search, one sentence each.
        worst: the most moves that a daemon can force guarded actions to make; ``None`` if not applicable or unknown.
        partial: the number of configurations of which only the events of one process were tried, since their order
            relative to other events makes no difference.
        nothing: a sentence about why no process takes a step in any schedule; ``None`` if some process does.
        seconds: the duration of the search.
    """

    protocol: str
    network: str
    seed: int
    configurations: int
    edges: int
    ends: int
    depth: int
    stopped: str
    findings: tuple[Finding, ...]
    outcomes: tuple[tuple[dict[str, int], int], ...]
    reachable: tuple[tuple[str, str], ...]
    unreachable: tuple[tuple[str, str], ...]
    messages: tuple[int | None, int | None]
    chain: int | None
    rounds: bool | None
    notes: tuple[str, ...]
    seconds: float
    partial: int = 0
    nothing: str | None = None
    worst: Worst | None = None

    @property
    def complete(self) -> bool:
        """Whether all schedules were searched."""
        return self.stopped == "complete"

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings about properties that do not hold."""
        return tuple(each for each in self.findings if each.holds is False)

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings with a schedule: the property is violated, or cannot be judged after it."""
        return tuple(each for each in self.findings if each.counterexample is not None)

    @property
    def exit_code(self) -> int:
        """The exit code: 0, or 1 if a property is violated or cannot be judged, or if the protocol fails."""
        return 1 if self.failed or self.shown else 0

    def finding(self, name: str) -> Finding:
        """Return the finding about the property with this sentence."""
        return next(each for each in self.findings if each.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``lydian explore --json`` prints."""
        return {
            "protocol": self.protocol,
            "network": self.network,
            "seed": self.seed,
            "configurations": self.configurations,
            "edges": self.edges,
            "ends": self.ends,
            "depth": self.depth,
            "complete": self.complete,
            "stopped": self.stopped,
            "findings": [each.to_dict() for each in self.findings],
            "outcomes": [{"states": states, "configurations": count} for states, count in self.outcomes],
            "reachable": [list(cell) for cell in self.reachable],
            "unreachable": [list(cell) for cell in self.unreachable],
            "messages": list(self.messages),
            "partial": self.partial,
            "chain": self.chain,
            "rounds": self.rounds,
            "notes": list(self.notes),
            "seconds": round(self.seconds, 3),
            **({} if self.worst is None else {"worst": self.worst.to_dict()}),
            **({} if self.nothing is None else {"nothing": self.nothing}),
        }
