"""Many random schedules of one experiment, and what they show about its properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from lydian.engine.explorer.priorities import odds
from lydian.engine.explorer.replay import counterexample
from lydian.engine.explorer.result import Counterexample, Exploration, Finding
from lydian.engine.explorer.search import failing_event, formula_name, notes_of, table_cells
from lydian.engine.explorer.walk import BLOCK, FORMULA, Block, Tally, Walk
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.experiment.idleruns import UNJUDGED, why_nothing
from lydian.model.protocol.properties import Property

__all__ = ["UNSEEN", "Odds", "Tallies", "WalkProgress", "Walked", "Walks", "in_turn"]

#: The schedules that are followed first, without changes of priorities, to learn how long they are.
_PILOTS = 20
#: Why a property is open that no schedule has violated.
UNSEEN = "no violation was found, but not all schedules were tried"
_MOST_OUTCOMES, _TELL = 50, 0.2

#: Follows the given numbers of schedules of blocks 0, 1, 2 ..., in any order, and yields their tallies as they are
#: ready. The function given last is asked whether to go on.
Tallies = Callable[[Resolved, Walk, Sequence[int], Callable[[], bool]], Iterator[Tally]]


@dataclass(frozen=True)
class WalkProgress:
    """The progress of random schedules.

    Attributes:
        schedules, wanted: the number of schedules followed so far, and of all.
        moves: the number of their moves.
        violating: the number of properties that some schedule violates.
    """

    schedules: int
    wanted: int
    moves: int
    violating: int


@dataclass(frozen=True)
class Odds:
    """The probability with which schedules drawn with priorities find a bug.

    Attributes:
        depth: the depth of the bug: the number of events that must happen in a certain order.
        chains, events: the largest number of chains of a schedule, and the number of events to which this applies.
        one: the least probability for one schedule.
        all: the least probability that some schedule finds it.
    """

    depth: int
    chains: int
    events: int
    one: float
    all: float


@dataclass(frozen=True)
class Walked(Exploration):
    """The summary of random schedules, in the form of a search that is not complete.

    Attributes:
        configurations: the number of configurations judged; some of them may be equal.
        schedules, wanted: the numbers of schedules followed, and of those that were wanted.
        cut: the number of schedules that did not come to an end within the largest number of steps.
        limit: this number of steps.
        violating: for each finding, the first schedule that violates it (from 1 on) and the number of these, or zeros.
        odds: the probability of finding a bug with priorities; ``None`` without priorities.
    """

    schedules: int = 0
    wanted: int = 0
    cut: int = 0
    limit: int = 0
    violating: tuple[tuple[int, int], ...] = ()
    odds: Odds | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``lydian explore --walk N --json`` prints."""
        told = super().to_dict()
        for each, (first, count) in zip(told["findings"], self.violating, strict=True):
            each |= {"first": first or None, "schedules": count}
        chances = None if self.odds is None else dict(vars(self.odds))
        numbers = {"schedules": self.schedules, "wanted": self.wanted, "cut": self.cut, "limit": self.limit}
        return told | {"walk": numbers | {"priorities": chances}}


def in_turn(resolved: Resolved, walk: Walk, blocks: Sequence[int], go_on: Callable[[], bool]) -> Iterator[Tally]:
    """Follow the schedules of each block here, one block after the other."""
    for number, count in enumerate(blocks):
        if not go_on():
            return
        yield Block(resolved, walk, number).tally(count, go_on)


class Walks:
    """Random schedules of one experiment.

    Args:
        experiment: an experiment, possibly resolved.
        count: the number of schedules.
        walk: the settings.
        seconds: the time limit; ``None`` for no limit.
        tallies: what follows the schedules.
        progress: a function that is called from time to time.

    Raises:
        BadInput: the experiment cannot be resolved, or its schedules cannot be followed.
    """

    def __init__(
        self,
        experiment: Experiment | Resolved,
        count: int,
        walk: Walk,
        *,
        seconds: float | None = None,
        tallies: Tallies = in_turn,
        progress: Callable[[WalkProgress], None] | None = None,
    ) -> None:
        self.resolved = experiment if isinstance(experiment, Resolved) else experiment.resolve()
        self.count, self.walk, self._seconds = count, walk, seconds
        self._tallies, self._progress = tallies, progress
        self._cancelled = False
        self._begun = self._told = monotonic()
        self._block = Block(self.resolved, walk, 0)

    def cancel(self) -> None:
        """End soon; the findings so far are reported."""
        self._cancelled = True

    def _go_on(self) -> bool:
        return not self._cancelled and (self._seconds is None or monotonic() - self._begun < self._seconds)

    def run(self) -> Walked:
        """Follow the schedules and return a summary."""
        self._begun = self._told = monotonic()
        if self.walk.priorities is not None:
            pilot = replace(self.walk, priorities=1)
            longest = Block(self.resolved, pilot, 0).tally(_PILOTS, self._go_on).longest
            self.walk = replace(self.walk, length=max(1, longest))
        whole = Tally()
        blocks = [min(BLOCK, self.count - at) for at in range(0, self.count, BLOCK)]
        for tally in self._tallies(self.resolved, self.walk, blocks, self._go_on):
            whole.add(tally)
            if self._progress is not None and monotonic() - self._told > _TELL:
                self._told = monotonic()
                violating = len(whole.found) + len(whole.failures)
                self._progress(WalkProgress(whole.schedules, self.count, whole.moves, violating))
        stopped = "walk" if whole.schedules >= self.count else "cancelled" if self._cancelled else "seconds"
        return self._summed_up(whole, stopped)

    # ------------------------------------------------------------------ results

    def _summed_up(self, whole: Tally, stopped: str) -> Walked:
        steps, resolved = self._block.steps, self.resolved
        protocol = resolved.protocol
        still = bool(whole.schedules) and not whole.failures and not _moving(whole, bool(protocol.commands))
        findings = [self._finding(number, each, whole, still) for number, each in enumerate(protocol.properties)]
        violating = [whole.found.get(number, (-1, 0)) for number in range(len(findings))]
        if steps.formula is not None and not still:
            findings.append(self._formula(whole))
            violating.append(whole.found.get(FORMULA, (-1, 0)))
        for cell, (at, count) in sorted(whole.failures.items(), key=lambda each: each[1]):
            name = f"{cell[0]} x {cell[1]}"
            findings.append(failing_event(steps, cell, self._shown(at, cell, "error", name)))
            violating.append((at, count))
        cells = table_cells(steps)
        notes = notes_of(steps, whole.chance)
        if self.walk.priorities is not None and (steps.crashes or steps.losses):
            notes.append("faults happen at steps drawn at random, and the guarantee is about bugs without them")
        if self._block.steps.many_firsts:
            notes.append("each schedule begins in a configuration drawn at random")
        return Walked(
            protocol=protocol.name,
            network=resolved.network.name,
            seed=resolved.experiment.seed,
            configurations=whole.moves + whole.schedules - sum(count for _, count in whole.failures.values()),
            edges=whole.moves,
            ends=whole.ends,
            depth=whole.longest,
            stopped=stopped,
            findings=tuple(findings),
            outcomes=tuple((dict(states), count) for states, count in _sorted(whole)),
            reachable=tuple(cell for cell in cells if cell in whole.cells),
            unreachable=tuple(cell for cell in cells if cell not in whole.cells),
            messages=(None, None) if still else (whole.least, whole.most),
            chain=None,
            rounds=None,
            notes=tuple(notes),
            seconds=monotonic() - self._begun,
            nothing=why_nothing(resolved, started="init" in whole.kinds) if still else None,
            schedules=whole.schedules,
            wanted=self.count,
            cut=whole.cut,
            limit=self.walk.depth,
            violating=tuple((at + 1, count) for at, count in violating),
            odds=self._odds(whole),
        )

    def _odds(self, whole: Tally) -> Odds | None:
        depth = self.walk.priorities
        if depth is None:
            return None
        one = odds(whole.chains, self.walk.length, depth)
        return Odds(depth, whole.chains, self.walk.length, one, 1.0 - (1.0 - one) ** whole.schedules)

    def _finding(self, number: int, prop: Property, whole: Tally, still: bool) -> Finding:
        name, kind = prop.name, prop.kind
        if number in whole.open or prop.within is not None:
            return Finding(name, kind, None, "it refers to time, which a random order of events does not have")
        if number in whole.broken:
            at, why = whole.broken[number]
            return Finding(name, kind, None, why, self._shown(at, prop, "error", why))
        if number in whole.found and not (still and kind != "always" and "crash" not in whole.kinds):
            return Finding(name, kind, False, "", self._shown(whole.found[number][0], prop, kind, name))
        if still:
            return Finding(name, kind, None, UNJUDGED)
        if kind != "always" and not whole.ends:
            return Finding(name, kind, None, f"no schedule came to an end within {self.walk.depth} steps")
        return Finding(name, kind, None, UNSEEN)

    def _formula(self, whole: Tally) -> Finding:
        formula = self._block.steps.formula
        assert formula is not None
        try:
            name = formula_name(formula, self._block.steps.numbers)
        except BadInput as error:
            return Finding(f"messages {formula.text}", "messages", None, error.what)
        if FORMULA not in whole.found:
            return Finding(name, "messages", None, UNSEEN if whole.ends else "no schedule came to an end")
        at = whole.found[FORMULA][0]
        schedule = Block(self.resolved, self.walk, at // BLOCK).shortened(at, None)
        words = f"{schedule.messages} messages"
        shown = counterexample(
            self.resolved, schedule.moves, "messages", f"A schedule with {words}", None, schedule.messages,
            schedule.start,
        )  # fmt: skip
        return Finding(name, "messages", False, f"{words} are possible", shown)

    def _shown(self, at: int, test: Property | tuple[str, str], kind: str, name: str) -> Counterexample:
        """Return a schedule, without the steps that are not needed, as an experiment."""
        found = Block(self.resolved, self.walk, at // BLOCK).shortened(at, test)
        return counterexample(self.resolved, found.moves, kind, name, None, found.messages, found.start)


def _moving(whole: Tally, commanded: bool) -> bool:
    """Return True if some process takes a step, as in a search."""
    if commanded and whole.kinds <= {"init", "crash", "loss"}:
        return whole.said
    return not whole.kinds <= {"crash", "loss"}


def _sorted(whole: Tally) -> list[tuple[tuple[tuple[str, int], ...], int]]:
    """Return the most frequent ends, in an order that does not depend on who followed which schedule."""
    return sorted(whole.outcomes.items(), key=lambda each: (-each[1], each[0]))[:_MOST_OUTCOMES]
