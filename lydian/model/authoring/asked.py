"""What is wrong in what a property asks: of the configuration, and of the processes in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lydian.model.authoring.draft import Draft
from lydian.model.authoring.fixes import declaring, word_fix
from lydian.model.authoring.symbols import CONFIGURATION, PUBLIC, FunctionSymbol
from lydian.model.authoring.text import Problem

__all__ = ["asked_problems", "process_names"]

#: Of a configuration, what is a collection of processes, and what gives one process.
_SEVERAL = ("processes", "correct", "honest", "decided", "delivered")
_ONE = ("process", "across")
#: What leaves the things that it goes through as they are.
_THROUGH = ("sorted", "list", "tuple", "set", "reversed")


def process_names(function: FunctionSymbol) -> tuple[str, ...]:
    """Return the names that stand for processes throughout a property, in the order of its text."""
    c = _configuration(function)
    bound: dict[str, list[bool]] = {}
    known: set[int] = set()
    for part in ast.walk(function.node):
        pairs: list[tuple[ast.expr, bool]] = []
        if isinstance(part, (ast.For, ast.comprehension)):
            pairs = [(part.target, _several(part.iter, c))]
        elif isinstance(part, ast.Assign):
            pairs = [(target, _one(part.value, c)) for target in part.targets]
        for target, is_process in pairs:
            if isinstance(target, ast.Name):
                known.add(id(target))
                bound.setdefault(target.id, []).append(is_process)
    for part in ast.walk(function.node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and id(part) not in known:
            bound.setdefault(part.id, []).append(False)
        elif isinstance(part, ast.arg):
            bound.setdefault(part.arg, []).append(False)
    return tuple(name for name, found in bound.items() if all(found))


def asked_problems(draft: Draft, function: FunctionSymbol) -> Iterator[Problem]:
    """Find what a property asks for that a configuration, or a process, does not have."""
    text, process, c = draft.text, draft.process, _configuration(function)
    names = process_names(function)
    simple = process is not None and not (process.open or draft.layers or process.layer)
    for part in [inner for statement in function.node.body for inner in ast.walk(statement)]:
        if not isinstance(part, ast.Attribute) or part.attr.startswith("_"):
            continue
        owner = part.value
        if c and isinstance(owner, ast.Name) and owner.id == c:
            if part.attr not in CONFIGURATION:
                hint, fix = word_fix(text, part, part.attr, CONFIGURATION)
                has = f"it has {', '.join(CONFIGURATION)}"
                yield text.problem(part, f"a configuration has no '{part.attr}'{hint}; {has}", fix=fix)
        elif simple and process is not None and (_one(owner, c) or (isinstance(owner, ast.Name) and owner.id in names)):
            own = [*process.variables, *process.parameters, *process.members]
            if part.attr in own or part.attr in PUBLIC:
                continue
            hint, fix = word_fix(text, part, part.attr, [each for each in (*own, *PUBLIC) if not each.startswith("_")])
            if not hint:
                hint, fix = f"; declare it in the class: {part.attr}: int = 0", declaring(draft, part.attr)
            yield text.problem(part, f"{process.name} has no variable '{part.attr}'{hint}", fix=fix)


def _configuration(function: FunctionSymbol) -> str:
    """What a property calls the configuration; "" if that name gets another meaning in it."""
    arguments = [*function.node.args.posonlyargs, *function.node.args.args]
    if not arguments:
        return ""
    name = arguments[0].arg
    inner = [part for statement in function.node.body for part in ast.walk(statement)]
    for part in inner:
        stored = isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
        if stored or (isinstance(part, ast.arg) and part.arg == name):
            return ""
    return name


def _several(node: ast.expr, c: str) -> bool:
    """Whether an expression is a collection of processes."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _THROUGH and node.args:
        return _several(node.args[0], c)
    return _part_of(node, c) in _SEVERAL


def _one(node: ast.expr, c: str) -> bool:
    """Whether an expression is a process."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return _part_of(node.value, c) in ("processes", "correct", "honest")
    return isinstance(node, ast.Call) and _part_of(node.func, c) in _ONE


def _part_of(node: ast.expr, c: str) -> str:
    """``processes`` of ``c.processes``."""
    known = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and bool(c) and node.value.id == c
    return node.attr if known and isinstance(node, ast.Attribute) else ""
