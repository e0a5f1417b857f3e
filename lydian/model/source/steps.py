"""The steps of a program in the text of a protocol: its columns and cells in the table, and its problems."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Iterator

from lydian.model.errors import ProtocolError
from lydian.model.protocol.flow import Reading
from lydian.model.protocol.program import Flat, check_accesses, flattened
from lydian.model.source.draft import Draft
from lydian.model.source.symbols import FunctionSymbol
from lydian.model.source.text import Problem

__all__ = ["labels", "program_of", "program_problems", "states_of"]


def program_of(draft: Draft) -> Flat | None:
    """Return the program of a protocol; ``None`` if it has none, or one that cannot be translated."""
    try:
        return _translated(draft)
    except ProtocolError:
        return None


def _translated(draft: Draft) -> Flat | None:
    function = _function(draft)
    return None if function is None else flattened(copy.deepcopy(function.node), "")  # type: ignore[arg-type]


def _function(draft: Draft) -> FunctionSymbol | None:
    found = draft.program
    return found if found is not None and isinstance(found.node, ast.FunctionDef) else None


def labels(program: Flat) -> dict[str, int]:
    """Return the label of each step, with the line on which it is reached first."""
    found = {program.definition.name: program.definition.lineno}
    for _, label, line in program.points:
        found.setdefault(label, line)
    return found


def states_of(draft: Draft, program: Flat) -> dict[str, tuple[str, ...]]:
    """Return the states in which each step can happen, by its label."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reading = Reading(draft.parsed.readable.source, draft.scope, draft.states)
    others = [action.function.name for action in draft.actions] + [each.name for each in draft.rules]
    settled = all(reading.states_after(name, state) == (state,) for name in others for state in draft.states)
    start = draft.process.start if draft.process is not None else ""
    before = reading.program_states(program, [str(start)], settled)
    found: dict[str, tuple[str, ...]] = {}
    name = program.definition.name
    for point, label, _ in [(name, name, 0), *program.points]:
        reached = {*found.get(label, ()), *before.get(point, ())}
        found[label] = tuple(state for state in draft.states if state in reached)
    return found


def program_problems(draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong with the program of a protocol, and with accesses outside it."""
    try:
        for each in draft.process.family() if draft.process is not None else ():
            check_accesses(each.node, "")
        _translated(draft)
    except ProtocolError as error:
        line = int(str(error.place or "line 1").removeprefix("line "))
        yield Problem(line, 0, 1, error.what)
