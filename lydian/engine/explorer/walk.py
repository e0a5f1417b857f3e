"""Random schedules of an experiment that is too large to search, judged like those of a search.

Each schedule goes from an initial configuration to an end, or a given number of steps far. Schedules are followed in
blocks. A block begins with empty tables of situations and messages, so that the memory does not grow with the number of
schedules, and so that a schedule depends only on the experiment, the seed and its number, wherever it is followed.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from lydian.engine.explorer.moves import Key
from lydian.engine.explorer.priorities import Priorities
from lydian.engine.explorer.replay import Move
from lydian.engine.explorer.seen import Judge
from lydian.engine.explorer.steps import Possible, Steps, What
from lydian.engine.shorten.structure import without_each
from lydian.model.errors import BadInput
from lydian.model.experiment.daemon import Start
from lydian.model.experiment.experiment import Resolved
from lydian.model.protocol.properties import Property
from lydian.model.streams import stream_key

__all__ = ["BLOCK", "DEPTH", "FORMULA", "Block", "Schedule", "Tally", "Walk"]

#: The number of schedules of a block, and the largest number of steps of a schedule unless another is given.
BLOCK, DEPTH = 50, 1000
#: The number that stands for the formula of the number of messages among the numbers of the properties.
FORMULA = -1
#: The most moves that are made while a schedule is shortened.
_MOVES = 100_000
_MOST_OUTCOMES, _MOST_FAILURES = 200, 10


@dataclass(frozen=True)
class Walk:
    """The settings of random schedules.

    Attributes:
        seed: the seed from which all schedules are drawn.
        depth: the largest number of steps of a schedule.
        crashes, losses, late_starts, patient: as in :class:`~lydian.engine.explorer.search.Explorer`.
        priorities: the depth of the bugs for which priorities are drawn; ``None`` to draw each move uniformly.
        length: the number of steps of a schedule among which priorities change.
    """

    seed: int = 0
    depth: int = DEPTH
    crashes: int | None = None
    losses: int | None = None
    late_starts: bool = False
    patient: bool = False
    priorities: int | None = None
    length: int = 1

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Tally:
    """The results of some schedules, in plain data; two tallies are added in the order of the schedules.

    Attributes:
        schedules, ends, cut: the numbers of schedules, of those that came to an end, and of those that did not.
        moves, longest: the number of moves of all schedules, and of the longest one.
        least, most: the smallest and largest number of messages of a schedule that ended; ``None`` if there is none.
        chains: the largest number of chains of a schedule drawn with priorities.
        found: number of a property, or FORMULA -> the first schedule that violates it, and the number of these.
        broken: number of a property -> the first schedule in which it cannot be judged, and why.
        open: the numbers of the properties that refer to time.
        failures: a cell of the table, as text -> the first schedule in which its action fails, and their number.
        outcomes: the states of all processes at an end, as text -> the number of such ends.
        cells: the cells of the table that were executed.
        kinds: the kinds of moves that happened.
        said: whether some process has decided or delivered something.
        chance: whether some process has used its random source.
    """

    schedules: int = 0
    ends: int = 0
    cut: int = 0
    moves: int = 0
    longest: int = 0
    least: int | None = None
    most: int | None = None
    chains: int = 0
    found: dict[int, tuple[int, int]] = field(default_factory=dict)
    broken: dict[int, tuple[int, str]] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    failures: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    outcomes: Counter[tuple[tuple[str, int], ...]] = field(default_factory=Counter)
    cells: set[tuple[str, str]] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    said: bool = False
    chance: bool = False

    def add(self, other: Tally) -> None:
        """Add the results of other schedules."""
        for name in ("schedules", "ends", "cut", "moves"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest, self.chains = max(self.longest, other.longest), max(self.chains, other.chains)
        if other.least is not None and other.most is not None:
            self.counted(other.least)
            self.counted(other.most)
        _add(self.found, other.found)
        _add(self.failures, other.failures)
        for number, (at, why) in other.broken.items():
            if number not in self.broken or at < self.broken[number][0]:
                self.broken[number] = at, why
        self.open |= other.open
        self.outcomes.update(other.outcomes)
        self.cells |= other.cells
        self.kinds |= other.kinds
        self.said, self.chance = self.said or other.said, self.chance or other.chance

    def counted(self, messages: int) -> None:
        """Note the number of messages of a schedule that ended."""
        self.least = messages if self.least is None else min(self.least, messages)
        self.most = messages if self.most is None else max(self.most, messages)

    def to_dict(self) -> dict[str, Any]:
        """Return the tally for another process."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name in ("found", "broken", "failures", "outcomes"):
            told[name] = [[key, value] for key, value in told[name].items()]
        return told | {name: sorted(told[name]) for name in ("open", "cells", "kinds")}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Tally:
        """Return the tally that another process has sent."""
        tally = cls(**{**told, "open": set(told["open"]), "kinds": set(told["kinds"])})
        tally.found = {key: (value[0], value[1]) for key, value in told["found"]}
        tally.broken = {key: (value[0], value[1]) for key, value in told["broken"]}
        tally.failures = {(key[0], key[1]): (value[0], value[1]) for key, value in told["failures"]}
        tally.outcomes = Counter({tuple((s, n) for s, n in key): value for key, value in told["outcomes"]})
        tally.cells = {(state, event) for state, event in told["cells"]}
        return tally


def _add(known: dict[Any, tuple[int, int]], other: Mapping[Any, tuple[int, int]]) -> None:
    for key, (at, count) in other.items():
        before, counted = known.get(key, (at, 0))
        known[key] = min(before, at), counted + count


@dataclass(frozen=True)
class Schedule:
    """A schedule that violates something.

    Attributes:
        moves: its steps.
        messages: the number of messages that are sent in it.
        start: its initial configuration.
    """

    moves: tuple[Move, ...]
    messages: int
    start: Start


class Block:
    """Schedules that are followed one after the other with common tables.

    Args:
        resolved: the experiment.
        walk: the settings.
        number: the number of the block: its schedules are those from ``BLOCK * number`` on.
    """

    def __init__(self, resolved: Resolved, walk: Walk, number: int) -> None:
        self.walk, self.number = walk, number
        self.steps = Steps(
            resolved, crashes=walk.crashes, losses=walk.losses, late_starts=walk.late_starts, patient=walk.patient
        )
        protocol = resolved.protocol
        if walk.priorities is not None and protocol.rules and self.steps.daemon == "distributed":
            what = "priorities order single events, but a distributed daemon chooses several processes at a time"
            raise BadInput(what, file=resolved.experiment.file, place="daemon")
        self.judge = Judge(self.steps.seen, protocol)
        self.properties = protocol.properties
        self.always = [each for each in self.properties if each.kind == "always"]
        self.finally_ = [each for each in self.properties if each.kind != "always"]
        self._numbers = self.steps.numbers

    def tally(self, count: int = BLOCK, go_on: Callable[[], bool] = lambda: True) -> Tally:
        """Follow the first schedules of the block.

        Args:
            count: their number.
            go_on: asked before each schedule and every hundred steps; the schedule in progress is then left out.
        """
        tally = Tally()
        with self.steps.guarded(self.judge):
            for at in range(self.number * BLOCK, self.number * BLOCK + count):
                if not go_on():
                    break
                one = Tally(schedules=1)
                if not self._follow(at, one, go_on):
                    break
                tally.add(one)
            self.steps._resting = True
            self.steps._untouched()
        tally.cells = set(self.steps.cells)
        tally.said = any(each.said for own in self.steps.situations for each in own.pending)
        tally.chance = self.steps.chance
        return tally

    def _drawn(self, at: int) -> Random:
        return Random(stream_key(self.walk.seed, "walk", str(at)))

    def _follow(self, at: int, tally: Tally, go_on: Callable[[], bool]) -> bool:
        """Follow a schedule; return False if it was interrupted."""
        always = list(self.always)
        messages = 0
        for key, chosen, sends, enabled in self._way(self._drawn(at), tally):
            if chosen is not None:
                tally.moves += 1
                tally.kinds.add(chosen.what[0])
                messages += sends
                if tally.moves % 100 == 0 and not go_on():
                    return False
            if key is None:
                assert chosen is not None
                cell = self._cell
                if len(tally.failures) < _MOST_FAILURES:
                    tally.failures[cell] = at, 1
            elif always and (bad := self.judge.failing(always, key)):
                always = [each for each in always if each not in bad]
                self._bad(bad, at, tally)
            if key is not None and not enabled:
                tally.ends += 1
                tally.counted(messages)
                self._ended(key, messages, at, tally)
                if self.finally_:
                    self._bad(self.judge.failing(self.finally_, key), at, tally)
        tally.cut = 1 - tally.ends - bool(tally.failures)
        tally.longest = tally.moves
        return True

    def _bad(self, bad: list[Property], at: int, tally: Tally) -> None:
        for prop in bad:
            number = self.properties.index(prop)
            if prop in self.judge.open or prop.within is not None:
                tally.open.add(number)
            elif prop in self.judge.broken:
                tally.broken.setdefault(number, (at, self.judge.broken[prop]))
            else:
                tally.found[number] = at, 1

    def _ended(self, key: Key, messages: int, at: int, tally: Tally) -> None:
        formula = self.steps.formula
        with contextlib.suppress(BadInput):  # no value for this network
            if formula is not None and not formula.holds(messages, self._numbers):
                tally.found[FORMULA] = at, 1
        views = [each.views[at] for each, at in zip(self.steps.situations, key, strict=False)]
        states = Counter("crashed" if p._crashed else str(p.state) for p in views)
        tally.outcomes[tuple(sorted(states.items()))] += 1

    # ------------------------------------------------------------------ one schedule

    def _way(self, draw: Random, tally: Tally | None = None) -> Iterator[tuple[Key | None, Possible | None, int, bool]]:
        """Yield each configuration of a schedule, the move before it, its messages, and whether it is not an end.

        The configuration is ``None`` if the move fails, which ends the schedule.
        """
        steps, walk = self.steps, self.walk
        key = steps.first(draw)
        order = None if walk.priorities is None else Priorities(steps, walk.priorities, walk.length, draw, key)
        chosen: Possible | None = None
        sends = 0
        for taken in range(walk.depth + 1):
            possible, rules = steps.possible(key), steps.rules(key)
            going = bool(possible or rules)
            yield key, chosen, sends, going
            if not going or taken == walk.depth:
                break
            several = steps.outcomes(key, self._choice(key, possible, rules, draw, order))
            chosen = several[draw.randrange(len(several))] if len(several) > 1 else several[0]
            label, new, outcome = steps.take(key, chosen)
            if new is None:
                self._cell = steps.cell(label, key)
                yield None, chosen, 0, True
                break
            key, sends = new, len(outcome.sends)
            if order is not None:
                order.happened(chosen, key, outcome.sends)
        if order is not None and tally is not None:
            tally.chains = len(order.chains)

    def _choice(
        self, key: Key, possible: list[Possible], rules: list[list[Any]], draw: Random, order: Priorities | None
    ) -> Possible:
        steps = self.steps
        if order is not None:
            if order.time in order.harmed and (faults := steps.faults(key)):
                return faults[draw.randrange(len(faults))]
            return order.next([*possible, *steps.choices(rules)])
        possible += steps.faults(key)
        if steps.daemon != "distributed":
            possible += steps.choices(rules)
            return possible[draw.randrange(len(possible))]
        sets = 1
        for each in rules:
            sets *= 1 + len(each)
        at = draw.randrange(len(possible) + sets - 1)
        return possible[at] if at < len(possible) else steps.any_of(rules, draw)

    # ------------------------------------------------------------------ a schedule that plays

    def shortened(self, at: int, test: Property | tuple[str, str] | None) -> Schedule:
        """Return a schedule that violates a property, without the steps that are not needed for that.

        The earlier schedules of the block are followed as well, as they fill its tables.

        Args:
            at: the number of a schedule that violates it.
            test: the property, or the cell of the table whose action fails; ``None`` for the formula, for which the
                whole schedule is returned.
        """
        with self.steps.guarded(self.judge):
            for earlier in range(self.number * BLOCK, at):
                for _ in self._way(self._drawn(earlier)):
                    pass
            first, shortest = self._until(at, test)
            self._left = _MOVES

            def fails(kept: tuple[What, ...]) -> bool:
                nonlocal shortest
                assert test is not None
                taken = self._again(first, kept, test, len(shortest))
                if taken is not None and len(taken) < len(shortest):
                    shortest = taken
                return taken is not None

            before = -1
            while test is not None and before != len(shortest) and self._left > 0:
                before = len(shortest)
                without_each(tuple(reversed(shortest)), lambda kept: fails(kept[::-1]))
            moves, sent = [], 0
            key: Key | None = first
            for what in shortest:
                assert key is not None
                chosen = self.steps.again(key, what)
                assert chosen is not None
                label, new, outcome = self.steps.take(key, chosen)
                moves.append(self.steps.move(label, key))
                key = new
                sent += len(outcome.sends)
            start = self.steps.resolved.experiment.start
            start = self.steps.start_of(first) if self.steps.many_firsts else start
            return Schedule(tuple(moves), sent, start)

    def _until(self, at: int, test: Property | tuple[str, str] | None) -> tuple[Key, tuple[What, ...]]:
        """Return the initial configuration of a schedule, and its moves up to the violation."""
        first: Key | None = None
        taken: list[What] = []
        for key, chosen, _, going in self._way(self._drawn(at)):
            first = key if first is None else first
            if chosen is not None:
                taken.append(chosen.what)
            if test is not None and self._violates(key, going, test):
                break
        assert first is not None
        return first, tuple(taken)

    def _violates(self, key: Key | None, going: bool, test: Property | tuple[str, str]) -> bool:
        if isinstance(test, tuple):
            return key is None and self._cell == test
        return key is not None and (test.kind == "always" or not going) and bool(self.judge.failing([test], key))

    def _again(
        self, first: Key, kept: tuple[What, ...], test: Property | tuple[str, str], most: int
    ) -> tuple[What, ...] | None:
        """Follow these moves, as far as they are possible, until they violate the property; return those taken.

        A schedule that must come to an end is completed by the first moves that are possible, and must have fewer
        moves than ``most``.
        """
        steps, key = self.steps, first
        taken: list[What] = []
        waiting = iter(kept)
        at_once = isinstance(test, tuple) or test.kind == "always"
        while self._left > 0:
            self._left -= 1
            possible: list[Possible] = []
            if at_once:
                if self._violates(key, True, test):
                    return tuple(taken)
            elif len(taken) >= most:
                return None
            else:
                possible = steps.possible(key) or steps.choices(steps.rules(key))
                if not possible:
                    return tuple(taken) if len(taken) < most and self._violates(key, False, test) else None
            chosen = next((each for what in waiting if (each := steps.again(key, what)) is not None), None)
            if chosen is None:
                if at_once:
                    return None
                chosen = steps.outcomes(key, possible[0])[0]
            label, new, _ = steps.take(key, chosen)
            taken.append(chosen.what)
            if new is None:
                self._cell = steps.cell(label, key)
                return tuple(taken) if self._violates(None, True, test) else None
            key = new
        return None
