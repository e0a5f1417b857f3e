"""The names in a protocol's text: their roles, their declarations, and all their occurrences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lydian.model.protocol.process import State
from lydian.model.source.draft import Draft
from lydian.model.source.symbols import FunctionSymbol, PlainClass, ProcessSymbol, RecordSymbol
from lydian.pieces.animation import generic

__all__ = ["Renamed", "Role", "action_marks", "definition_of", "renamable", "roles_of", "state_texts", "word_at"]

_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Role:
    """The role of a name (``state``, ``message``, ``timer`` or ``command``), its name in runs, and its slot."""

    kind: str
    name: str
    slot: int


def roles_of(draft: Draft, looks: tuple[Mapping[str, int], Mapping[str, int]] | None = None) -> dict[str, Role]:
    """Return name in the file -> role, for states and events.

    Args:
        looks: state -> slot and message -> kind, if an animation defines them; by default in order of declaration.
    """
    kinds = [each.name for each in draft.records]
    plain = generic(draft.states, kinds)
    states = {**plain.states, **(looks[0] if looks else {})}
    messages = {**plain.messages, **(looks[1] if looks else {})}
    found = {
        word: Role("state", str(value), states.get(str(value), 0))
        for word, value in draft.scope.items()
        if isinstance(value, State)
    }
    found |= {each.name: Role(each.kind, each.name, messages.get(each.name, 0)) for each in draft.records}
    return found


def state_texts(draft: Draft, looks: tuple[Mapping[str, int], Mapping[str, int]] | None = None) -> dict[str, Role]:
    """Return state -> role, for states that are written as strings."""
    states = {**generic(draft.states, ()).states, **(looks[0] if looks else {})}
    return {name: Role("state", name, states.get(name, 0)) for name in draft.states}


def word_at(line: str, column: int) -> tuple[str, int, int] | None:
    """Return the name at a column or just before it, with its start and end."""
    return next(((m[0], m.start(), m.end()) for m in _WORD.finditer(line) if m.start() <= column <= m.end()), None)


def action_marks(draft: Draft) -> dict[int, tuple[str, ...]]:
    """Return the line (from 1) of each ``@on`` -> the states to which it applies; ``("ANY",)`` for all."""
    found: dict[int, tuple[str, ...]] = {}
    for action in draft.actions:
        for rule in action.rules:
            states = tuple(str(state) for state in rule.states or () if str(state) in draft.states)
            if rule.states and not states:
                states = ("ANY",)
            if states:
                found[rule.node.lineno] = states
    return found


# ---------------------------------------------------------------------- declarations


def definition_of(draft: Draft, line: int, column: int) -> tuple[int, int] | None:
    """Return the line (from 1) and column of the declaration of a name, or ``None`` if it is not in this file."""
    text = draft.text.line(line)
    found = word_at(text, column)
    if found is None:
        return None
    word, start, _ = found
    function = _function_at(draft, line)
    owner = re.search(r"(\w+)\.$", text[:start])
    if owner:
        return _member(draft, function, owner[1], word)
    quoted = start > 0 and text[start - 1] in "\"'"
    if quoted and word in draft.states:
        return _state(draft, word)
    if function is not None:
        local = _local(draft, function, word)
        if local is not None:
            return local
    made = re.search(r"(\w+)\([^()]*$", text[:start])
    record = draft.record(made[1]) if made else None
    if record is not None and word in record.fields and re.match(r"\s*=", text[found[2] :]):
        return _place(draft, record.fields[word].node)
    value = draft.scope.get(word)
    if isinstance(value, State):
        return _state(draft, str(value))
    if isinstance(value, (RecordSymbol, FunctionSymbol, ProcessSymbol, PlainClass)):
        return _named(draft, value.node)
    if draft.process is not None and function is None:
        return _member(draft, None, "self", word)
    return None


def _place(draft: Draft, node: ast.stmt | ast.expr | ast.arg) -> tuple[int, int]:
    return node.lineno, draft.parsed.readable.column(node.lineno, node.col_offset)


def _named(draft: Draft, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[int, int]:
    at = re.search(rf"\b(?:def|class)\s+({re.escape(node.name)})\b", draft.text.line(node.lineno))
    return node.lineno, at.start(1) if at else _place(draft, node)[1]


def _function_at(draft: Draft, line: int) -> FunctionSymbol | None:
    functions = [v for v in draft.scope.values() if isinstance(v, FunctionSymbol)]
    for process in draft.processes:
        functions += process.methods().values()
    inside = [f for f in functions if f.node.lineno <= line <= (f.node.end_lineno or 0)]
    return max(inside, key=lambda f: f.node.lineno, default=None)


def _member(draft: Draft, function: FunctionSymbol | None, owner: str, word: str) -> tuple[int, int] | None:
    arguments = [] if function is None else [a.arg for a in function.node.args.args]
    process = draft.process
    if function is not None and arguments[1:2] == [owner] and function.rules:
        records = [e for rule in function.rules for e in rule.events or () if isinstance(e, RecordSymbol)]
        fields = (each.fields[word] for each in records if word in each.fields)
        field = next(fields, None)
        return None if field is None else _place(draft, field.node)
    if process is None:
        return None
    if word == "state" and process.start_node is not None:
        return _place(draft, process.start_node)
    for table in (process.variables, process.parameters):
        if word in table:
            return _place(draft, table[word].node)
    method = process.methods().get(word)
    if method is not None:
        return _named(draft, method.node)
    place = process.places.get(word)
    return None if place is None else _place(draft, place)


def _local(draft: Draft, function: FunctionSymbol, word: str) -> tuple[int, int] | None:
    """Return the first place in a function where a name is given a value."""
    places: list[ast.expr | ast.arg] = [
        part
        for part in ast.walk(function.node)
        if (isinstance(part, ast.arg) and part.arg == word)
        or (isinstance(part, ast.Name) and part.id == word and isinstance(part.ctx, ast.Store))
    ]
    first = min(places, key=lambda each: (each.lineno, each.col_offset), default=None)
    return None if first is None else _place(draft, first)


def _state(draft: Draft, state: str) -> tuple[int, int] | None:
    for call in draft.states_calls:
        values = [str(value) for value in call.values]
        if state in values:
            number = values.index(state)
            target = call.target
            if isinstance(target, (ast.Tuple, ast.List)) and number < len(target.elts):
                return _place(draft, target.elts[number])
            return _place(draft, call.statement)
    process = draft.process
    if process is not None and process.start == state and process.start_node is not None:
        return _place(draft, process.start_node)
    return None


# ---------------------------------------------------------------------- renaming


@dataclass(frozen=True)
class Renamed:
    """The item that F2 renames: ``kind`` is state or function, ``name`` is its current name."""

    kind: str
    name: str


def renamable(draft: Draft, line: int, column: int) -> Renamed | None:
    """Return the state or function at a place, if there is one."""
    text = draft.text.line(line)
    found = word_at(text, column)
    if found is None:
        return None
    word, start, end = found
    behind_dot = text[:start].endswith(".")
    value = draft.scope.get(word)
    if isinstance(value, State) and not behind_dot:
        return Renamed("state", str(value))
    if text[max(0, start - 1) : start] in ("'", '"') and text[end : end + 1] == text[start - 1]:
        return Renamed("state", word) if word in draft.states else None
    methods = draft.process.methods() if draft.process is not None else {}
    defined = re.search(r"\bdef\s+$", text[:start])
    here = any(f.node.lineno == line for f in methods.values())
    if word in methods and (here if defined else re.search(r"\bself\.$", text[:start])):
        return Renamed("function", word)
    return None


def places_of(word: str, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, int, int]]:
    """Return the line, start and end of each occurrence of a whole word."""
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    for number, line in lines:
        for match in pattern.finditer(line):
            yield number, match.start(), match.end()
