"""Random values of variables, and initial configurations other than that of the protocol file."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lydian.engine.kernel import NONE
from lydian.engine.run import Run
from lydian.model.experiment.daemon import Start
from lydian.model.protocol.message import accepted_types, annotation_text, plain_copy
from lydian.model.protocol.process import Process, Variable
from lydian.model.streams import stream_key
from lydian.trace.events import Kind

__all__ = ["anything", "begin"]

#: The average number of names in a random collection of a process that may know all others.
_SOME = 3.0


def anything(chance: random.Random, p: Process, run: Run) -> None:
    """Put a process into a random state, with random values of its variables."""
    part = run.protocol.played(p._role)
    p.state = chance.choice(part.states)
    numbers = run.numbers()
    others = [] if run.overlay is None else [q._name for q in run.processes if q is not p]
    for variable in part.variables.values():
        setattr(p, variable.name, _any_value(chance, variable, p, numbers, others))


def _any_value(
    chance: random.Random, variable: Variable, p: Process, numbers: Mapping[str, Any], others: Sequence[str]
) -> Any:
    """Return a random value of a variable's domain or type.

    Without a domain, the value depends on the type: a number from 0 to n, a truth value, the name of a neighbour, or a
    collection of names or numbers.

    Args:
        others: the names to choose from if the process has no named neighbours, as in an overlay.
    """
    if variable.domain is not None:
        domain = variable.domain
        if domain.choices is not None:
            return plain_copy(chance.choice(domain.choices))
        low, high = domain.bounds(numbers)
        if isinstance(variable.initial, float):
            return round(chance.uniform(low, high), 3)
        return chance.randint(int(low), int(high))
    n = int(numbers["n"])
    text = annotation_text(variable.type)
    kinds = accepted_types(text) or (type(variable.initial),)
    kind = chance.choice([each for each in kinds if each is not int or float not in kinds])
    if kind is bool:
        return chance.random() < 0.5
    if kind is int:
        return chance.randint(0, n)
    if kind is float:
        return round(chance.uniform(0, n), 3)
    if kind is type(None):
        return None
    names = [name for name in p.neighbours if isinstance(name, str)] or others
    if kind is str:
        return chance.choice(names) if names else variable.initial
    if kind in (list, tuple, set, frozenset):
        few = "int" in text or not names
        likely = 0.5 if names is not others else min(0.5, _SOME / max(len(others), 1))
        some = [chance.randint(0, n) if few else name for name in names or p.neighbours if chance.random() < likely]
        return kind(some)
    return plain_copy(variable.initial)


def begin(run: Run, row: Callable[[int, Process, str], int]) -> None:
    """Set the processes to the initial states and values that the experiment specifies.

    Differences from the protocol file are recorded as one ``corrupt`` row per process at time 0, with
    ``"start": true`` in its detail, as if a fault had occurred before the beginning.

    Args:
        row: writes the row of a fault and returns its number.
    """
    start = run.experiment.start
    protocol = run.protocol
    last = NONE
    for p in run.processes:
        given = start.processes.get(p._name)
        if (not start.any and given is None) or not run.plays(p._name):
            continue
        if start.any:
            anything(random.Random(stream_key(run.seed, "start", p._name, str(start.seed))), p, run)
        for name, value in (given or {}).items():
            setattr(
                p,
                name,
                plain_copy(
                    Start.value(protocol.played(p._role), name, value, place=f"start.processes.{p._name}.{name}")
                ),
            )
        changed = run.kernel.changed(p)
        detail = '{"start":true' + (f",{changed}" if changed else "") + "}"
        last = row(Kind.CORRUPT, p, detail)
    if last != NONE and run.judges.watching:
        run.judges.after(last)
