"""Checks that need the whole file: a missing protocol, unknown states, two actions for one cell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.lang.formula import Formula
from lydian.model.protocol.process import ANY, State, Word
from lydian.model.protocol.properties import Need
from lydian.model.source.draft import Action, Draft
from lydian.model.source.symbols import ROUND_EVENT, UNKNOWN, RecordSymbol
from lydian.model.source.text import Edit, Fix, Problem

__all__ = ["declared_problems", "most_arguments"]


def declared_problems(draft: Draft) -> Iterator[Problem]:
    """Return the problems of all declarations together."""
    text = draft.text
    process = draft.process
    if process is None:
        if not draft.star and UNKNOWN not in draft.scope.values():
            line = max(1, len(text.lines))
            yield text.problem(None, "the file contains no protocol; write class Echo(Process): ...", line=line)
        return
    yield from _start(draft)
    yield from _unknown_states(draft)
    yield from _cells(draft)
    yield from _needs_and_formula(draft)
    if len(draft.states) > 250:
        yield text.problem(process.node, f"{len(draft.states)} states are too many; keep counters in variables")


def _start(draft: Draft) -> Iterator[Problem]:
    process = draft.process
    assert process is not None
    declared = {str(v): word for word, v in reversed(draft.scope.items()) if isinstance(v, State)}
    start = process.start
    if not declared or not isinstance(start, str) or start in declared:
        return
    if start == "active":
        named = {str(s) for action in draft.actions for rule in action.rules for s in rule.states or ()}
        named |= {str(s) for function in draft.rules for mark in function.whens for s in mark.states or ()}
        if named & set(declared):
            first = next(iter(declared[str(s)] for s in draft.states if str(s) in declared))
            line = process.node.body[0].lineno if not ast.get_docstring(process.node) else 0
            fix = None
            if line:
                at = draft.text.offset(line)
                indent = draft.text.indent(line)
                fix = Fix(f"Start as {first}", (Edit(at, at, f"{indent}state = {first}{draft.text.newline}"),))
            yield draft.text.problem(
                process.node, f"the initial state of {process.name} is missing; write state = {first}", fix=fix
            )
        return
    yield draft.text.problem(
        process.start_node or process.node,
        f"the initial state '{start}' is not declared{did_you_mean(start, declared)}",
    )


def _unknown_states(draft: Draft) -> Iterator[Problem]:
    known = draft.states
    for action in draft.actions:
        for rule in action.rules:
            for state in rule.states or ():
                if isinstance(state, str) and str(state) not in known:
                    sentence = (
                        f"@on names the unknown state '{state}'{did_you_mean(state, known)}; "
                        f"choose from {', '.join(known)}"
                    )
                    yield draft.text.problem(rule.node, sentence)
                    if rule.node.lineno != action.function.first_line:
                        yield draft.text.problem(None, sentence, line=action.function.first_line)


def most_arguments(event: Any) -> int:
    """Return the largest number of arguments after ``self`` of an action for this event."""
    if event is ROUND_EVENT:
        return 1
    return 0 if not isinstance(event, RecordSymbol) else 2 if event.kind == "message" else 1


_TAKES = ("(self)", "(self, event)", "(self, m, q): the message and its sender")


def _cells(draft: Draft) -> Iterator[Problem]:
    taken: dict[tuple[str, str], Action] = {}
    for action in draft.actions:
        first = draft.text.problem(None, "", line=action.function.first_line).line
        if _suspends(action.function.node):
            sentence = f"the action '{action.name}' contains yield, async or await; an action must not pause"
            yield draft.text.problem(None, sentence, line=first)
        told = False
        for rule in action.rules:
            for event in rule.events or ():
                least, most = action.function.takes
                allowed = most_arguments(event)
                name = event.name if isinstance(event, (RecordSymbol, Word)) else str(event)
                if not told and ((least > allowed + 1 and most is not None) or most == 0):
                    told = True
                    sentence = f"the action '{action.name}' for {name} takes {_TAKES[allowed]}"
                    yield draft.text.problem(None, sentence, line=first)
                    yield draft.text.problem(action.function.node, sentence)
                for state in rule.states or ():
                    key = ("ANY" if state is ANY else str(state), name)
                    other = taken.setdefault(key, action)
                    if other.name != action.name:
                        sentence = f"two actions for {name} in state {key[0]}: '{{}}' (line {{}}) and '{{}}'; keep one"
                        one = sentence.format(other.name, other.function.first_line, action.name)
                        two = sentence.format(action.name, first, other.name)
                        yield draft.text.problem(None, one, line=first)
                        yield draft.text.problem(None, two, line=other.function.first_line)


def _suspends(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if isinstance(node, ast.AsyncFunctionDef):
        return True
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        part = waiting.pop()
        if isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)):
            return True
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(part)
    return False


def _needs_and_formula(draft: Draft) -> Iterator[Problem]:
    process = draft.process
    assert process is not None
    needs = process.members.get("needs", ())
    for each in needs if isinstance(needs, (tuple, list)) else (needs,):
        if each is not UNKNOWN and not isinstance(each, Need):
            said = each.name if isinstance(each, RecordSymbol) else shown(each)
            yield draft.text.problem(
                process.places["needs"],
                f"needs = ... must list assumptions such as connected, one_initiator, fifo, not {said}",
            )
        elif isinstance(each, Need) and each.bound is not None:
            try:
                each.bound.check(process.parameters)
            except BadInput as error:
                yield draft.text.problem(process.places["needs"], error.what)
    formula = process.members.get("messages")
    if formula is None or formula is UNKNOWN:
        return
    place = process.places["messages"]
    if not isinstance(formula, str):
        yield draft.text.problem(place, f"messages = ... must be a formula such as '2*m', not {shown(formula)}")
        return
    try:
        Formula(formula).check(("n", "m", *process.parameters))
    except BadInput as error:
        yield draft.text.problem(place, error.what)
