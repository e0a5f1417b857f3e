"""The outline of a protocol file, from its text alone, for the table, the diagram and the editor."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lydian.model.history.consistency import causally_consistent, linearizable, sequentially_consistent
from lydian.model.protocol.process import ANY
from lydian.model.protocol.program import NEXT, TO_COME
from lydian.model.protocol.properties import Need
from lydian.model.protocol.rules import column
from lydian.model.source.draft import Draft, layer_rows, layer_variables, layer_views, read, role_views
from lydian.model.source.steps import labels, program_of, states_of
from lydian.model.source.symbols import FunctionSymbol, RecordSymbol
from lydian.model.source.text import Problem

__all__ = [
    "IMPOSSIBLE",
    "Cell",
    "EventOutline",
    "Field",
    "NeedOutline",
    "Outline",
    "ParameterOutline",
    "PropertyOutline",
    "RuleOutline",
    "StateOutline",
    "VariableOutline",
    "outline",
    "outline_of",
    "table_of",
]


@dataclass(frozen=True)
class Field:
    """A field of a message: its type and its default as written; ``None`` if it must be given."""

    name: str
    type: str
    default: str | None = None
    line: int = 0


@dataclass(frozen=True)
class StateOutline:
    """A state: ``name`` is its name ("waiting"), ``word`` its name in the file (WAITING), if it has one."""

    name: str
    word: str
    line: int


@dataclass(frozen=True)
class EventOutline:
    """A message, timer or command (``kind``) with its fields."""

    name: str
    kind: str
    fields: tuple[Field, ...]
    doc: str
    line: int


@dataclass(frozen=True)
class VariableOutline:
    name: str
    type: str
    initial: str
    line: int


@dataclass(frozen=True)
class ParameterOutline:
    """A parameter; ``default`` as written, ``help`` is its sentence."""

    name: str
    default: str
    help: str
    line: int


@dataclass(frozen=True)
class NeedOutline:
    """An assumption; ``need`` is the assumption itself if it has a number, which the text alone determines."""

    name: str
    sentence: str
    line: int
    need: Need | None = None


@dataclass(frozen=True)
class PropertyOutline:
    """A property: ``kind`` is always, eventually or at_end."""

    kind: str
    sentence: str
    function: str
    line: int


@dataclass(frozen=True)
class Cell:
    """The action for an event in a state.

    Attributes:
        kind: ``action``, ``ignore`` (the function does nothing) or ``impossible`` (there is no action: the run stops).
        function: its name, "" if impossible.
        line, end_line: from its ``def`` to its last line.
        for_any: whether it is declared for ``ANY``.
    """

    kind: str
    function: str = ""
    line: int = 0
    end_line: int = 0
    for_any: bool = False


@dataclass(frozen=True)
class RuleOutline:
    """A guarded action: ``name`` is that of the function, ``guard`` as written, and its column in the table."""

    name: str
    guard: str
    doc: str
    line: int

    @property
    def column(self) -> str:
        return column(self.name)


#: The cell without an action.
IMPOSSIBLE = Cell("impossible")


@dataclass(frozen=True)
class Outline:
    """The outline of a protocol file.

    Attributes:
        name: the class; "" if there is none yet.
        doc: the docstring of the file.
        line: the line of the class.
        start: the initial state, "" if it cannot be determined.
        events: the columns of the table; those of guarded actions are called ``when move``.
        cells: (state, event) -> :class:`Cell`; a missing pair is impossible, see :meth:`cell`.
        functions: methods that are not actions (helpers) and actions -> line of the ``def``.
        problem: why the file cannot be read completely; the outline contains the part that can.
        rules: the guarded actions.
        requests: the requests and indications of layers (``kind`` request or indication).
        layers: the rows of the layers below the process, which follow those of its states.
    """

    name: str
    doc: str
    line: int
    start: str
    states: tuple[StateOutline, ...]
    messages: tuple[EventOutline, ...]
    timers: tuple[EventOutline, ...]
    commands: tuple[EventOutline, ...]
    variables: tuple[VariableOutline, ...]
    parameters: tuple[ParameterOutline, ...]
    needs: tuple[NeedOutline, ...]
    properties: tuple[PropertyOutline, ...]
    formula: str | None
    events: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    functions: Mapping[str, int]
    problem: Problem | None = None
    rules: tuple[RuleOutline, ...] = ()
    requests: tuple[EventOutline, ...] = ()
    layers: tuple[StateOutline, ...] = ()

    def cell(self, state: str, event: str) -> Cell:
        """Return the cell of an event in a state, or in a layer if the event belongs to one."""
        rows = (state, *(row.name for row in self.layers))
        return next((self.cells[row, event] for row in rows if (row, event) in self.cells), IMPOSSIBLE)

    @property
    def state_names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.states)

    def event(self, name: str) -> EventOutline | None:
        """Return the message, timer or command of this name."""
        return next((e for e in (*self.messages, *self.timers, *self.commands, *self.requests) if e.name == name), None)

    def rule(self, event: str) -> RuleOutline | None:
        """Return the guarded action of this column."""
        return next((rule for rule in self.rules if rule.column == event), None)


def outline(source: str) -> Outline:
    """Return the outline of a file, or of the part of it that can be read; this function never raises an exception."""
    return outline_of(read(source))


def outline_of(draft: Draft) -> Outline:
    """Return the outline of a file that has been read already; with several roles, it contains those of all classes."""
    views = role_views(draft)
    return _outline(draft) if len(views) == 1 else _together(draft, [_outline(view) for view in views])


def _together(draft: Draft, parts: Sequence[Outline]) -> Outline:
    """Return the outline of a file with several roles from those of its roles."""
    parameters = {each.name: each for part in parts for each in part.parameters}
    needs = {each.name: each for part in parts for each in part.needs}
    variables = {each.name: each for part in reversed(parts) for each in part.variables}
    states = {each.name: each for part in parts for each in part.states}
    events = dict.fromkeys(event for part in parts for event in part.events)
    return replace(
        parts[0],
        states=tuple(states.values()),
        variables=tuple(variables.values()),
        parameters=tuple(parameters.values()),
        needs=tuple(needs.values()),
        properties=tuple(sorted((*_properties(draft), *_consistency(draft)), key=lambda each: each.line)),
        formula=next((part.formula for part in parts if part.formula is not None), None),
        events=tuple(sorted(events, key=lambda event: event != "INIT")),
        cells={place: cell for part in parts for place, cell in part.cells.items()},
        functions={name: line for part in reversed(parts) for name, line in part.functions.items()},
    )


def _outline(draft: Draft) -> Outline:
    """Return the outline of a file with one class of processes, or of one role."""
    process = draft.process
    text = draft.parsed.readable
    events = [_event(draft, each) for each in draft.records]
    words = draft.words
    lines = {str(v): call.statement.lineno for call in draft.states_calls for v in call.values}
    start = process.start if process is not None and isinstance(process.start, str) else ""
    place = process.places.get("needs") if process is not None else None
    needs = process.members.get("needs", ()) if process is not None else ()
    formula = process.members.get("messages") if process is not None else None
    parameters = process.parameters if process is not None else {}
    defaults = {name: each.value.default for name, each in parameters.items() if each.value is not None}
    error = next((each for each in draft.parsed.problems if each.kind == "error"), None)
    return Outline(
        name=process.name if process is not None else "",
        doc=ast.get_docstring(draft.parsed.tree) or "",
        line=process.node.lineno if process is not None else 0,
        start=str(start) if str(start) in draft.states else "",
        states=tuple(StateOutline(s, words.get(s, ""), lines.get(s, 0)) for s in draft.states),
        messages=tuple(e for e in events if e.kind == "message"),
        timers=tuple(e for e in events if e.kind == "timer"),
        commands=tuple(e for e in events if e.kind == "command"),
        variables=tuple(
            VariableOutline(v.name, v.type, v.initial, v.node.lineno)
            for v in (*(process.variables.values() if process else ()), *layer_variables(draft))
        )
        + tuple(_program_variables(draft)),
        parameters=tuple(
            ParameterOutline(
                p.name,
                "" if p.value is None else repr(p.value.default),
                "" if p.value is None else p.value.help,
                p.node.lineno,
            )
            for p in (process.parameters.values() if process else ())
        ),
        needs=tuple(
            NeedOutline(
                each.name,
                each.sentence,
                place.lineno if place is not None else 0,
                None if each.bound is None else each.with_defaults(defaults),
            )
            for each in (needs if isinstance(needs, (tuple, list)) else (needs,))
            if isinstance(each, Need)
        ),
        properties=tuple(sorted((*_properties(draft), *_consistency(draft)), key=lambda each: each.line)),
        formula=formula if isinstance(formula, str) else None,
        events=event_names(draft),
        cells=table_of(draft),
        functions={name: f.node.lineno for name, f in process.methods().items()} if process else {},
        problem=error if text is not draft.text or error else None,
        rules=(*(_rule(draft, each) for each in draft.rules), *_steps(draft)),
        requests=tuple(e for e in events if e.kind in ("request", "indication")),
        layers=tuple(
            StateOutline(row, "", view.process.node.lineno if view.process is not None else 0)
            for view in layer_views(draft)
            for row in layer_rows(view).values()
        ),
    )


def _event(draft: Draft, record: RecordSymbol) -> EventOutline:
    text = draft.parsed.readable
    fields = tuple(
        Field(f.name, f.type, None if f.default is None else text.of(f.default), f.node.lineno)
        for f in record.fields.values()
    )
    return EventOutline(record.name, record.kind, fields, ast.get_docstring(record.node) or "", record.node.lineno)


def _rule(draft: Draft, function: FunctionSymbol) -> RuleOutline:
    text = draft.parsed.readable
    guards = [text.of(mark.node.args[0]) for mark in function.whens if mark.node.args]
    doc = ast.get_docstring(function.node) or ""
    return RuleOutline(function.name, " or ".join(guards), doc, function.node.lineno)


def _properties(draft: Draft) -> Iterator[PropertyOutline]:
    for mark, each in draft.properties:
        yield PropertyOutline(mark.kind, mark.sentence, each.name, each.first_line)


#: The functions that make a property of a history, such as ``atomic = linearizable(register())``.
_JUDGES: Mapping[str, tuple[str, Any]] = {
    "linearizable": ("always", linearizable),
    "sequentially_consistent": ("at_end", sequentially_consistent),
    "causally_consistent": ("at_end", causally_consistent),
}


def _consistency(draft: Draft) -> Iterator[PropertyOutline]:
    """Yield the properties of a history that are assigned to names."""
    for part in draft.parsed.tree.body:
        if not isinstance(part, ast.Assign) or not isinstance(part.value, ast.Call):
            continue
        call, target = part.value, part.targets[0]
        if isinstance(call.func, ast.Name) and call.func.id in _JUDGES and isinstance(target, ast.Name):
            kind, judge = _JUDGES[call.func.id]
            given = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "name")]
            told = given[0].value if given and isinstance(given[0], ast.Constant) else judge.__defaults__[0]
            yield PropertyOutline(kind, str(told), target.id, part.lineno)


def _program_variables(draft: Draft) -> Iterator[VariableOutline]:
    """Yield the variables of the program: its next step and its local variables."""
    program = program_of(draft)
    if program is not None:
        line = program.definition.lineno
        yield VariableOutline(NEXT, "str", repr(program.definition.name), line)
        for name in program.names:
            several = name.endswith(TO_COME)
            yield VariableOutline(name, "tuple" if several else "Any", "()" if several else "None", line)


def _steps(draft: Draft) -> Iterator[RuleOutline]:
    """Yield the steps of the program as rules, each with its line as the guard."""
    program = program_of(draft)
    lines = draft.parsed.readable.source.splitlines()
    for label, line in labels(program).items() if program is not None else ():
        yield RuleOutline(label, lines[line - 1].strip(), f"A step of the program: {label}.", line)


def event_names(draft: Draft) -> tuple[str, ...]:
    """Return the columns of the table: INIT and ROUND if an action has them, the classes in the order of the file, then
    the rules; messages of rounds have a column only if an action has them."""
    actions = [action for each in (draft, *layer_views(draft)) for action in each.actions]
    named = {event.name for action in actions for rule in action.rules for event in rule.events or ()}
    program = program_of(draft)
    steps = labels(program) if program is not None else ()
    rules = (*(column(each.name) for each in draft.rules), *map(column, steps))
    records = (e.name for e in draft.records if "ROUND" not in named or e.kind != "message" or e.name in named)
    return (*(word for word in ("INIT", "ROUND") if word in named), *records, *rules)


def does_nothing(function: FunctionSymbol) -> bool:
    """Return True if a function has only a docstring, ``pass``, ``...`` and ``return``."""
    return all(
        isinstance(part, ast.Pass)
        or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        or (isinstance(part, ast.Return) and part.value is None)
        for part in function.node.body
    )


def table_of(draft: Draft) -> dict[tuple[str, str], Cell]:
    """Return (state, event) -> cell; an action for the state itself takes precedence over one for ``ANY``."""
    cells: dict[tuple[str, str], Cell] = {}
    for action in draft.actions:
        node = action.function.node
        kind = "ignore" if does_nothing(action.function) else "action"
        for rule in action.rules:
            for_any = rule.states is not None and ANY in rule.states
            cell = Cell(kind, action.name, node.lineno, node.end_lineno or node.lineno, for_any)
            for state in draft.states if for_any else rule.states or ():
                if isinstance(state, str) and str(state) in draft.states:
                    for event in rule.events or ():
                        key = (str(state), event.name)
                        if not (for_any and key in cells and not cells[key].for_any):
                            cells[key] = cell
    for function in draft.rules:
        node = function.node
        for mark in function.whens:
            for_any = mark.states is not None and ANY in mark.states
            kind = "ignore" if does_nothing(function) else "action"
            cell = Cell(kind, function.name, node.lineno, node.end_lineno or node.lineno, for_any)
            for state in draft.states if for_any else mark.states or ():
                if isinstance(state, str) and str(state) in draft.states:
                    cells.setdefault((str(state), column(function.name)), cell)
    program = program_of(draft)
    if program is not None:
        node = program.definition
        cell = Cell("action", node.name, node.lineno, node.end_lineno or node.lineno)
        for label, states in states_of(draft, program).items():
            cells.update({(state, column(label)): cell for state in states})
    whole = dict(sorted(cells.items(), key=lambda item: draft.states.index(item[0][0])))
    for view in layer_views(draft):
        rows = layer_rows(view)
        whole |= {(rows[state], event): cell for (state, event), cell in table_of(view).items()}
    return whole
