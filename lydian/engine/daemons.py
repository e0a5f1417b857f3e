"""The daemons: which of the enabled rules are executed in a step.

A function takes the :class:`~lydian.engine.rules.Rules` of a run and what can be chosen: rising numbers
``process * rules.count + rule``.  It gives those that are executed, at most one a process.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lydian.model.streams import uniforms

if TYPE_CHECKING:
    from lydian.engine.rules import Rules

__all__ = ["CHOOSE", "chance"]

_BLOCK = 1024


def chance(key: int) -> Callable[[], float]:
    """Evenly spread numbers in (0, 1) from a stream."""
    keys = np.array([key], dtype=np.uint64)

    def draws() -> Iterator[float]:
        at = 0
        while True:
            yield from uniforms(keys, at, _BLOCK)[0].tolist()
            at += _BLOCK

    return draws().__next__


def _central(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """One enabled rule at a time, each as likely as the others."""
    return [pairs[int(rules.draw() * len(pairs))]]


def _round_robin(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """The next enabled process after the one that moved last."""
    count = rules.count
    at = bisect_left(pairs, (rules.last_mover + 1) * count)
    process = pairs[at if at < len(pairs) else 0] // count
    return [_next_rule(rules, process, _of(pairs, process, count))]


def _distributed(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """Each enabled process with the daemon's probability, in the order of the network; one of all if that gives none.

    Of several enabled rules of a process each is as likely as the others.
    """
    draw, p = rules.draw, rules.daemon.p
    groups = _groups(pairs, rules.count)
    chosen = [group[int(draw() * len(group))] if len(group) > 1 else group[0] for group in groups if draw() < p]
    return chosen or _central(rules, pairs)


def _synchronous(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """Every enabled process."""
    if rules.count == 1:
        return list(pairs)
    return [_next_rule(rules, group[0] // rules.count, group) for group in _groups(pairs, rules.count)]


def _adversarial(rules: Rules, pairs: Sequence[int]) -> list[int]:
    """The rule after which most processes are enabled, the first of several."""
    return [max(pairs, key=rules.outlook)]


def _of(pairs: Sequence[int], process: int, count: int) -> Sequence[int]:
    return pairs[bisect_left(pairs, process * count) : bisect_left(pairs, (process + 1) * count)]


def _groups(pairs: Sequence[int], count: int) -> list[Sequence[int]]:
    """The pairs process by process."""
    if count == 1:
        return [(pair,) for pair in pairs]
    found: dict[int, list[int]] = {}
    for pair in pairs:
        found.setdefault(pair // count, []).append(pair)
    return list(found.values())


def _next_rule(rules: Rules, process: int, own: Sequence[int]) -> int:
    """Of the enabled rules of a process the one that stands in the file after the one it executed last."""
    if len(own) == 1:
        return own[0]
    after = process * rules.count + rules.last_rule.get(process, -1)
    return next((pair for pair in own if pair > after), own[0])


#: Kind of daemon -> how it chooses; ``user`` never does.
CHOOSE: Mapping[str, Callable[[Rules, Sequence[int]], list[int]]] = {
    "central": _central, "round-robin": _round_robin, "distributed": _distributed, "synchronous": _synchronous,
    "adversarial": _adversarial,
}  # fmt: skip
