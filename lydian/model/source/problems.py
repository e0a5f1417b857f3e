"""All problems of a protocol file while it is typed."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import replace

from lydian.model.protocol.flow import Reading
from lydian.model.protocol.folder import faults
from lydian.model.source.bodies import body_problems, method_problems
from lydian.model.source.declared import declared_problems
from lydian.model.source.draft import Draft, layer_views, read, role_views
from lydian.model.source.guarded import guarded_problems
from lydian.model.source.marked import marked_impossible
from lydian.model.source.outline import Cell, event_names, table_of
from lydian.model.source.steps import program_problems
from lydian.model.source.symbols import RecordSymbol
from lydian.model.source.text import Problem

__all__ = ["problems", "problems_of", "reachable"]


def problems(source: str) -> tuple[Problem, ...]:
    """Return the problems of a file in the order of its lines; a file without an ``error`` among them can be loaded.

    A file that Python cannot parse has only this problem: others would be guesses.
    """
    return problems_of(read(source))


def problems_of(draft: Draft) -> tuple[Problem, ...]:
    """Return the problems of a file that has been read already."""
    found = list(draft.parsed.problems)
    if draft.parsed.whole or draft.parsed.readable is draft.text:
        found += draft.found
        found += (Problem(line, 0, 1, sentence) for line, sentence in faults(draft.text.source))
        try:
            roles = role_views(draft)
            states = tuple(dict.fromkeys(state for view in roles for state in view.states))
            for view in roles:
                found += declared_problems(view)
                found += body_problems(view if view is draft else replace(view, states=states))
                found += guarded_problems(view)
                found += program_problems(view)
            for view in layer_views(draft):
                found += declared_problems(view)
                found += method_problems(view)
            if not draft.layers and len(roles) == 1 and not any(each.kind == "error" for each in found):
                found += _missing_cells(draft)
        except RecursionError:
            found.append(Problem(1, 0, 1, "Python cannot read this: it is nested too deeply"))
    unique: dict[tuple[int, str], Problem] = {}
    for each in found:
        unique.setdefault((each.line, each.sentence), each)
    return tuple(sorted(unique.values(), key=lambda each: (each.line, each.column, each.kind)))


def reading_of(draft: Draft) -> Reading:
    """Return the methods of the file prepared for the analysis; Python's warnings have been reported already."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        process = draft.process
        own = process is not None and (draft.layers or process.layer)
        classes = {each.name for each in process.family()} if process is not None and own else None
        return Reading(draft.parsed.readable.source, draft.scope, draft.states, classes)


def reachable(draft: Draft, reading: Reading, cells: dict[tuple[str, str], Cell]) -> set[str]:
    """Return the states that a process can reach from the initial state through the cells of its table."""
    start = draft.process.start if draft.process is not None else ""
    found = {str(start)} if isinstance(start, str) else set()
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for (before, _), cell in cells.items():
            if before == state:
                new = set(reading.states_after(cell.function, state)) - found
                found |= new
                waiting += new
    return found


def _missing_cells(draft: Draft) -> Iterator[Problem]:
    """Report messages that are sent although some state has no action for them."""
    process = draft.process
    if process is None or process.open or draft.star:
        return
    if any(rule.states is None or rule.events is None for action in draft.actions for rule in action.rules):
        return
    cells = table_of(draft)
    settled = set(cells) | marked_impossible(draft)
    reading = reading_of(draft)
    reached = reachable(draft, reading, cells)
    states = [state for state in draft.states if state in reached]
    words, columns = draft.words, event_names(draft)
    for record, place in _made(draft).items():
        missing = [state for state in states if (state, record.name) not in settled]
        if not missing or record.name not in columns:
            continue
        where = " or ".join(missing) if len(missing) < 4 else f"{', '.join(missing[:3])} or another state"
        verb = {"timer": "may expire while", "message": "may reach"}[record.kind]
        who = "a process is" if record.kind == "timer" else "a process that is"
        example = f"@on({words.get(missing[0], repr(missing[0]))}, {record.name})"
        yield draft.text.problem(
            place,
            f"{record.name} {verb} {who} {where}: {process.name} has no {example}; this stops the run if it happens",
            "warning",
        )


def _made(draft: Draft) -> dict[RecordSymbol, ast.AST]:
    """Return the messages and timers that actions create, each with the first place, without timers that are
    cancelled."""
    process = draft.process
    assert process is not None
    made: dict[RecordSymbol, ast.AST] = {}
    cancels = False
    for function in process.methods().values():
        for part in ast.walk(function.node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                value = draft.scope.get(part.func.id)
                if isinstance(value, RecordSymbol) and value.kind != "command":
                    made.setdefault(value, part)
            cancels = cancels or (isinstance(part, ast.Attribute) and part.attr == "cancel_timer")
    return {record: place for record, place in made.items() if record.kind == "message" or not cancels}
