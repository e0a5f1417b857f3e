"""Guarded actions in a search: what daemons may choose, and all configurations in which a run may start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from lydian.engine.explorer.local import Outcome, Situations
from lydian.model.daemon import Start
from lydian.model.limits import pressed
from lydian.model.message import accepted_types, annotation_text
from lydian.model.process import Process, Variable

if TYPE_CHECKING:
    from lydian.engine.explorer.moves import Moves

__all__ = ["RuleMoves", "beginnings"]


class RuleMoves:
    """The rules that are enabled in a configuration, and the choices that the experiment's daemon has.

    Synchronous daemons let all enabled processes move at once and distributed ones any of them; the others move one
    at a time, and all of these are tried.

    Args:
        moves: of the experiment.
    """

    def __init__(self, moves: Moves) -> None:
        self._moves = moves
        self._rules = moves.protocol.rules
        self._kind = moves.resolved.experiment.daemon.kind
        self._known: list[dict[tuple[int, ...], list[tuple[str, Outcome]]]] = [{} for _ in moves.situations]
        self._sees: list[list[int]] = [[] for _ in moves.situations]
        for channel in moves.channels:
            self._sees[channel.target._i].append(channel.source_i)

    def choices(self, key: tuple[int, ...]) -> Iterator[list[tuple[int, str, Outcome]]]:
        """What the daemon may choose: processes, their rules and what these do."""
        enabled: list[list[tuple[int, str, Outcome]]] = []
        for i, known in enumerate(self._known):
            near = (key[i], *(key[j] for j in self._sees[i]))
            found = known.get(near)
            if found is None:
                found = known[near] = self._enabled(i, key)
            if found:
                enabled.append([(i, rule, outcome) for rule, outcome in found])
        if self._kind == "synchronous":
            sizes = [len(enabled)] if enabled else []
        else:
            sizes = list(range(1, 1 + (len(enabled) if self._kind == "distributed" else bool(enabled))))
        for size in sizes:
            for some in combinations(enabled, size):
                yield from map(list, product(*some))

    def _enabled(self, i: int, key: tuple[int, ...]) -> list[tuple[str, Outcome]]:
        """The rules of a process whose guards are true, in the order of the file."""
        situations = self._moves.situations
        if situations[i].views[key[i]]._crashed:
            return []
        for j in self._sees[i]:
            situations[j].load(key[j])
        found = []
        for rule in self._rules:
            self._moves.ticks += 1
            situations[i].load(key[i])
            try:
                if not rule.applies(situations[i].p):
                    continue
            except BaseException as error:
                if pressed(error):
                    raise
                found.append((rule.name, Outcome(key[i], failed=True)))
                continue
            found.append((rule.name, situations[i].acts(key[i], rule)))
        return found


def beginnings(moves: Moves) -> Iterator[tuple[int, ...]]:
    """The situations of all processes in the configurations in which the experiment may start."""
    start: Start = moves.resolved.experiment.start
    ways = [_ways(moves, each, start) for each in moves.situations]
    return product(*ways)


def _ways(moves: Moves, each: Situations, start: Start) -> Sequence[int]:
    given = {
        name: Start.value(moves.protocol, name, value)
        for name, value in start.processes.get(each.p._name, {}).items()
    }
    if not start.any:
        return [each.starting(given)]
    numbers = {"n": moves.network.n, "m": moves.network.m, **moves.resolved.parameters}
    names = ["state", *moves.protocol.variables]
    values = [list(moves.protocol.states)]
    values += [_values(each.p, variable, numbers) for variable in moves.protocol.variables.values()]
    for at, name in enumerate(names):
        if name in given:
            values[at] = [given[name]]
    return list(dict.fromkeys(each.starting(dict(zip(names, row, strict=True))) for row in product(*values)))


def _values(p: Process, variable: Variable, numbers: dict[str, Any]) -> list[Any]:
    """All values with which a variable may begin: those of its domain, or of its type where these are few."""
    domain = variable.domain
    if domain is not None and domain.choices is not None:
        return list(domain.choices)
    if domain is not None and isinstance(variable.initial, int):
        low, high = domain.bounds(numbers)
        return list(range(int(low), int(high) + 1))
    found: list[Any] = []
    for kind in accepted_types(annotation_text(variable.type)) or (type(variable.initial),):
        if kind is bool:
            found += [False, True]
        elif kind is int:
            found += range(int(numbers["n"]) + 1)
        elif kind is type(None):
            found.append(None)
        elif kind is str:
            found += [name for name in p.neighbours if isinstance(name, str)]
    return found if found and not isinstance(variable.initial, float) else [variable.initial]
