"""Checks of guarded actions: rules that cannot work, guards that act, and reads of registers that do not exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from lydian.model.errors import BadInput, did_you_mean
from lydian.model.protocol.process import ANY
from lydian.model.protocol.rules import Function, impure
from lydian.model.source.draft import Draft
from lydian.model.source.symbols import FunctionSymbol, ProcessSymbol, WhenMark
from lydian.model.source.text import Edit, Fix, Problem

__all__ = ["guarded_problems", "seen_name"]


def guarded_problems(draft: Draft) -> Iterator[Problem]:
    """Return the problems of the rules of a file, and of the reads of neighbours in it."""
    process = draft.process
    if process is None:
        return
    methods: dict[str, Function] = {name: each.node for name, each in process.methods().items()}
    for function in draft.rules:
        line = function.first_line
        if function.takes[0] > 1:
            yield _both(draft, function, f"the action '{function.name}' of a rule must take (self)")
        if draft.record(function.name) is not None:
            what = f"the rule '{function.name}' has the name of a message, timer or command; choose another name"
            yield _both(draft, function, what)
        for mark in function.whens:
            for state in mark.states or ():
                if state is not ANY and isinstance(state, str) and str(state) not in draft.states:
                    near = did_you_mean(state, draft.states)
                    what = f"@when names the unknown state '{state}'{near}; choose from {', '.join(draft.states)}"
                    yield draft.text.problem(mark.node, what)
                    yield draft.text.problem(None, what, line=line)
            yield from _guard(draft, mark, methods)
    yield from _domains(draft, process)
    yield from _looks(draft, process, methods)


def _both(draft: Draft, function: FunctionSymbol, sentence: str) -> Problem:
    return draft.text.problem(None, sentence, line=function.first_line)


def _guard(draft: Draft, mark: WhenMark, methods: Mapping[str, Function]) -> Iterator[Problem]:
    guard: Any = mark.guard.node if isinstance(mark.guard, FunctionSymbol) else mark.guard
    if isinstance(guard, (ast.FunctionDef, ast.Lambda)):
        latest = methods.get(getattr(guard, "name", ""), guard)
        for node, sentence in impure(latest, methods):
            yield draft.text.problem(node, sentence)


def _domains(draft: Draft, process: ProcessSymbol) -> Iterator[Problem]:
    """Check that bounds of variables use only n, m and the parameters."""
    for each in process.variables.values():
        if each.domain is not None:
            try:
                each.domain.check(("n", "m", *process.parameters))
            except BadInput as error:
                yield draft.text.problem(each.node, f"the variable '{each.name}': {error.what}")


def seen_name(node: ast.AST, me: str) -> bool:
    """Return True if an expression is ``self.see(...)``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "see"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == me
    )


def _looks(draft: Draft, process: ProcessSymbol, methods: Mapping[str, Function]) -> Iterator[Problem]:
    """Check ``self.see(q).count``: the variable must exist, and it must only be read."""
    known = ("state", *process.variables)
    for function in methods.values():
        arguments = [*function.args.posonlyargs, *function.args.args]
        me = arguments[0].arg if arguments else ""
        for part in ast.walk(function):
            if seen_name(part, me) and not draft.rules and "see" not in (*process.members, *process.variables):
                what = "see is for guarded actions (@when); here processes know only what they are told"
                yield draft.text.problem(part, f"{what}: send a message instead")
            if not (isinstance(part, ast.Attribute) and seen_name(part.value, me)):
                continue
            if not isinstance(part.ctx, ast.Load):
                what = f"this changes '{part.attr}' of a neighbour; a process may read its neighbours but change only"
                yield draft.text.problem(part, f"{what} itself")
            elif part.attr not in known and not process.open:
                near = did_you_mean(part.attr, known)
                fix = None
                if near:
                    right, end = near.split("'")[1], draft.text.end(part)
                    fix = Fix(f"Write {right}", (Edit(end - len(part.attr), end, right),))
                what = f"a neighbour has no variable '{part.attr}'{near}; the visible ones are {', '.join(known)}"
                yield draft.text.problem(part, what, fix=fix)
