"""The result of a search of all schedules, or of random ones, with runs that play."""

from __future__ import annotations

import html
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lydian.lab.execution import Run, simulated

if TYPE_CHECKING:
    from lydian.engine.explorer.result import Exploration, Finding
    from lydian.lab.experiments import Asked
    from lydian.lab.source import Source

__all__ = ["Explored", "Verdict", "followed", "searched"]

#: What ended a search before all schedules were tried.
_ENDED = {
    "depth": "the given depth was reached",
    "states": "the given number of configurations was reached",
    "seconds": "the given time had passed",
    "memory": "the memory was exhausted",
    "cancelled": "it was stopped",
}


class Verdict:
    """What the search found about one property.

    Attributes:
        name: its sentence.
        kind: ``always``, ``eventually``, ``at_end``, ``messages`` (the formula) or ``error`` (an action fails).
        holds: whether it holds in every schedule; ``None`` if this is open.
        why: why it is open, or what fails; may be empty.
        steps: a shortest schedule that violates it, in words; empty if there is none.
    """

    def __init__(self, finding: Finding, source: Source | None) -> None:
        self._finding, self._source = finding, source
        self.name, self.kind, self.holds = finding.name, finding.kind, finding.holds
        self.why = finding.why if source is None else source.sentence(finding.why)
        shown = finding.counterexample
        self.steps: tuple[str, ...] = () if shown is None else shown.steps

    @property
    def word(self) -> str:
        """``proved``, ``refuted`` or ``open``."""
        return {True: "proved", False: "refuted", None: "open"}[self.holds]

    @cached_property
    def run(self) -> Run | None:
        """A shortest run that violates the property; ``None`` if there is none."""
        shown = self._finding.counterexample
        return None if shown is None else simulated(shown.experiment, self._source)

    def __repr__(self) -> str:
        return f"<{self.word}: {self.name}>"


class Explored:
    """What all schedules of an experiment have in common, as far as they were tried.

    Attributes:
        exploration: the result in full: configurations, moves, possible ends, cells that were reached.
    """

    def __init__(self, exploration: Exploration, source: Source | None = None) -> None:
        self.exploration = exploration
        self.verdicts = [Verdict(each, source) for each in exploration.findings]

    @property
    def complete(self) -> bool:
        """Whether every schedule was tried."""
        return self.exploration.complete

    @property
    def ok(self) -> bool:
        """Whether no property was refuted and no action fails, as far as the search came."""
        return self.exploration.exit_code == 0

    @property
    def proved(self) -> bool:
        """Whether every property holds in every schedule."""
        return self.complete and self.ok and all(each.holds for each in self.verdicts)

    @property
    def configurations(self) -> int:
        """The number of configurations that were found."""
        return self.exploration.configurations

    @property
    def refuted(self) -> list[Verdict]:
        """The properties that some schedule violates, and the actions that fail."""
        return [each for each in self.verdicts if each.holds is False]

    @property
    def run(self) -> Run | None:
        """A shortest run that violates a property; ``None`` if none was found."""
        return next((each.run for each in self.verdicts if each.steps or each.holds is False), None)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as ``lydian explore --json`` prints it."""
        return self.exploration.to_dict()

    def _how_far(self) -> str:
        from lydian.engine.explorer.walks import Walked

        found = self.exploration
        if isinstance(found, Walked) and found.nothing is None:
            count = f"{found.schedules:,} random schedule{'' if found.schedules == 1 else 's'}"
            return count if found.stopped == "walk" else f"{count} of {found.wanted:,}: {_ENDED[found.stopped]}"
        count = f"{found.configurations:,} configuration{'' if found.configurations == 1 else 's'}"
        if found.nothing is not None:
            return f"{found.nothing} ({count})"
        return f"{count}, all of them" if found.complete else f"{count}, not all: {_ENDED[found.stopped]}"

    def __repr__(self) -> str:
        lines = [f"{self.exploration.protocol} on {self.exploration.network}: {self._how_far()}"]
        lines += [f"  {each.word}: {each.name}{f' ({each.why})' if each.why else ''}" for each in self.verdicts]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{each.word}</td><td style='text-align:left'>{html.escape(each.name)}</td>"
            f"<td style='text-align:left'>{html.escape(each.why)}</td></tr>"
            for each in self.verdicts
        )
        title = html.escape(f"{self.exploration.protocol} on {self.exploration.network}: {self._how_far()}")
        found = self.run
        shown = "" if found is None else found.show("causality")._repr_html_()
        return f"<p>{title}</p><table>{rows}</table>{shown}"


def followed(given: Asked, count: int, *, seconds: float, depth: int | None, **settings: Any) -> Explored:
    """Follow random schedules of an experiment; Ctrl+C ends the call."""
    from lydian.engine.explorer.walk import DEPTH, Walk
    from lydian.engine.explorer.walks import Walks

    resolved = given.experiment().resolve()
    walk = Walk(seed=resolved.experiment.seed, depth=DEPTH if depth is None else depth, **settings)
    return Explored(Walks(resolved, count, walk, seconds=seconds).run(), given.source)


def searched(given: Asked, *, seconds: float, all_orders: bool = False, **bounds: Any) -> Explored:
    """Search the schedules of an experiment within the bounds; Ctrl+C ends the search and keeps what it found."""
    from lydian.engine.explorer.search import Explorer

    explorer = Explorer(given.experiment().resolve(), seconds=seconds, reduced=not all_orders, **bounds)
    return Explored(explorer.run(), given.source)
