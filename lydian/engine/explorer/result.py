"""What a search of all schedules ends with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lydian.engine.explorer.worst import Worst
from lydian.model.experiment.experiment import Experiment

__all__ = ["Counterexample", "Exploration", "Finding", "Progress", "doubt", "reach"]


@dataclass(frozen=True)
class Progress:
    """How far a search has come.

    Attributes:
        configurations: found so far; ``waiting``: those of them whose moves are still to be tried.
        edges: moves tried.
        depth: moves from the first configuration to the one that is looked at.
    """

    configurations: int
    waiting: int
    edges: int
    depth: int


@dataclass(frozen=True)
class Counterexample:
    """A schedule that shows something, as an experiment.

    Attributes:
        steps: what happens one after the other, in words.
        loop: the step from which on it could go round for ever; ``None`` if it comes to an end.
        experiment: run again, it takes exactly these steps; they stand in it as interventions.
        replayed: whether the simulator has run it and found the same.
    """

    steps: tuple[str, ...]
    loop: int | None
    experiment: Experiment = field(repr=False)
    replayed: bool

    def to_dict(self) -> dict[str, Any]:
        return {"steps": list(self.steps), "loop": self.loop, "replayed": self.replayed}


@dataclass(frozen=True)
class Finding:
    """What is known about one property in all schedules.

    Attributes:
        kind: ``always``, ``eventually``, ``at_end``, ``messages`` (the formula) or ``error`` (an action fails).
        holds: ``None`` if it is open, or if it cannot be judged.
        why: why it is open or what fails, in a sentence; may be "".
        counterexample: a shortest one, if it does not hold; after which it cannot be judged, if that is why it is open.
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
    """How far the moves of a search lead, for the line that counts them: as many in a row as to the farthest
    configuration; where any configuration may be the first, none is far."""
    return "any configuration may be the first" if edges and not depth else f"up to {depth} one after the other"


def doubt(finding: Mapping[str, Any]) -> str:
    """What is to be said below a schedule that the simulator does not find to show what it should, as a sentence; ""
    where nothing is.

    Args:
        finding: as of :meth:`Finding.to_dict`.
    """
    shown = finding.get("counterexample")
    if not shown or shown["replayed"] or finding["holds"] is None:  # what cannot be judged shows nothing
        return ""
    return "The simulator takes another way here: something depends on the order of a set."


@dataclass(frozen=True)
class Exploration:
    """A search, summed up.

    Attributes:
        configurations, edges: how many are known; ``ends``: those in which nothing is left to do.
        depth: moves on the way to the farthest configuration that was looked at.
        stopped: ``complete``, or what ended it: ``depth``, ``states``, ``seconds``, ``memory``, ``cancelled``.
        findings: the properties in the order of the file, the formula, and each action that fails.
        outcomes: how it can end: how many processes are in which state, and in how many configurations.
        reachable, unreachable: cells of the table (state, event) that were and were not taken.
        messages: smallest and largest number of messages of a run that comes to an end, ``None`` where not known or
            without bound.
        chain: messages on the longest causal chain of all runs, ``None`` if not known.
        rounds: whether a run can go on for ever.
        notes: what the search leaves out or assumes, a sentence each.
        worst: the most moves that a daemon can force guarded actions to make; ``None`` where that means nothing, or is
            not known.
        nothing: why no process takes a step in any schedule, in a sentence; ``None`` if one does.
        seconds: how long it took.
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
    nothing: str | None = None
    worst: Worst | None = None

    @property
    def complete(self) -> bool:
        """Whether all schedules were tried."""
        return self.stopped == "complete"

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings that do not hold."""
        return tuple(each for each in self.findings if each.holds is False)

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that a schedule shows: what does not hold, and what cannot be judged after it."""
        return tuple(each for each in self.findings if each.counterexample is not None)

    @property
    def exit_code(self) -> int:
        """0, or 1 if a property is violated or cannot be judged, or the protocol fails in some schedule."""
        return 1 if self.failed or self.shown else 0

    def finding(self, name: str) -> Finding:
        """The finding about the property with this sentence."""
        return next(each for each in self.findings if each.name == name)

    def to_dict(self) -> dict[str, Any]:
        """The object that ``lydian explore --json`` prints."""
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
            "chain": self.chain,
            "rounds": self.rounds,
            "notes": list(self.notes),
            "seconds": round(self.seconds, 3),
            **({} if self.worst is None else {"worst": self.worst.to_dict()}),
            **({} if self.nothing is None else {"nothing": self.nothing}),
        }
