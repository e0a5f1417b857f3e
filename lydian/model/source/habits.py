"""Warnings about code that makes an execution differ from run to run, or that gives a process too much information."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from lydian.model.source.draft import Draft
from lydian.model.source.symbols import FunctionSymbol, Imported, ProcessSymbol
from lydian.model.source.text import Edit, Fix, Problem

__all__ = ["habits"]

_CLOCKS = ("time.", "datetime.")
_CHANCE = ("random.", "secrets.", "uuid.", "numpy.random.", "os.urandom")
_CHANGES = frozenset(
    ("add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault")
) | {"sort", "update"}
_SETS = ("set", "frozenset", "Set", "FrozenSet")
_ORDERLESS = ("sorted", "set", "frozenset", "sum", "len", "min", "max", "any", "all", "dict")


def habits(draft: Draft, function: FunctionSymbol, me: str, local: set[str]) -> Iterator[Problem]:
    """Return the warnings for one function; ``me`` is its ``self``, or "" for a function outside the class."""
    text = draft.text

    def global_value(node: ast.AST) -> Any:
        if isinstance(node, ast.Name) and node.id not in local:
            return draft.scope.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = global_value(node.value)
            return Imported(f"{owner.name}.{node.attr}") if isinstance(owner, Imported) else None
        return None

    for part in [inner for statement in function.node.body for inner in ast.walk(statement)]:
        if isinstance(part, ast.Call):
            called = global_value(part.func)
            if isinstance(called, Imported):
                yield from _foreign(draft, part, called.name, me)
            if isinstance(part.func, ast.Name) and part.func.id == "id" and "id" not in {*local, *draft.scope}:
                yield text.problem(part, "id() differs from run to run; compare names or fields instead", "warning")
            if (
                isinstance(part.func, ast.Attribute)
                and part.func.attr in _CHANGES
                and me
                and isinstance(global_value(part.func.value), (list, dict, set))
            ):
                yield _shared(draft, part)
            name = part.func.attr if isinstance(part.func, ast.Attribute) else getattr(part.func, "id", "")
            if isinstance(part.func, ast.Attribute) and name == "pop" and _is_set(draft, part.func.value, me):
                what = "which item pop() removes from a set may differ from run to run; take min(...) and remove it"
                yield text.problem(part, what, "warning")
            elif name in ("list", "tuple", "iter", "enumerate") and part.args and _is_set(draft, part.args[0], me):
                yield _order(draft, part.args[0])
        elif isinstance(part, ast.Global) and me:
            what = f"{part.names[0]} is shared by all processes; a process has only its own variables"
            yield text.problem(part, f"{what}: declare it in the class", "warning")
        elif isinstance(part, (ast.Subscript, ast.Attribute)) and not isinstance(part.ctx, ast.Load) and me:
            owner = global_value(part.value)
            shared = (list, dict, set) if isinstance(part, ast.Subscript) else (ProcessSymbol,)
            if isinstance(owner, shared):
                yield _shared(draft, part)
        elif isinstance(part, (ast.For, ast.ListComp)) and me:
            iterated = part.iter if isinstance(part, ast.For) else part.generators[0].iter
            if _is_set(draft, iterated, me) and not _inside_orderless(function.node, part):
                yield _order(draft, iterated)
        elif isinstance(part, ast.Attribute) and me:
            yield from _reads_neighbour(draft, function, part, me)


def _foreign(draft: Draft, part: ast.Call, name: str, me: str) -> Iterator[Problem]:
    if name == "time.sleep":
        what = "a process must not wait by sleeping; set a timer: self.set_timer(Retry(), after=2.0)"
    elif name.startswith(_CLOCKS):
        what = "this is the real time, which differs from run to run; use self.clock"
    elif name.startswith(_CHANCE):
        what = "this random source does not follow the seed, so no run could be repeated; use self.random"
        if me and name.startswith("random.") and isinstance(part.func, ast.Attribute):
            fix = Fix(
                "Use self.random",
                (Edit(draft.text.start(part.func.value), draft.text.end(part.func.value), f"{me}.random"),),
            )
            yield draft.text.problem(part, what, "warning", fix)
            return
    else:
        return
    yield draft.text.problem(part, what, "warning")


def _shared(draft: Draft, part: ast.AST) -> Problem:
    what = "this is shared by all processes, as if they had one memory; a process must have only its own variables"
    return draft.text.problem(part, f"{what}: declare it in the class", "warning")


def _order(draft: Draft, node: ast.expr) -> Problem:
    fix = Fix(
        "Sort it first",
        (
            Edit(draft.text.start(node), draft.text.start(node), "sorted("),
            Edit(draft.text.end(node), draft.text.end(node), ")"),
        ),
    )
    what = "a set has no order, so this may differ from run to run; iterate over sorted(...)"
    return draft.text.problem(node, what, "warning", fix)


def _is_set(draft: Draft, node: ast.expr, me: str) -> bool:
    """Return True if the text shows that an expression is a set."""
    process = draft.process
    if not me:  # a property only evaluates
        return False
    if isinstance(node, (ast.Set, ast.SetComp)):
        return True
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == me and process:
        variable = process.variables.get(node.attr)
        return variable is not None and variable.type.partition("[")[0].strip("'\" ") in _SETS
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)):
        return _is_set(draft, node.left, me) or _is_set(draft, node.right, me)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")


def _inside_orderless(function: ast.AST, node: ast.AST) -> bool:
    """Return True if a comprehension is passed directly to something for which the order does not matter."""
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in _ORDERLESS
        and node in call.args
        for call in ast.walk(function)
    )


def _reads_neighbour(draft: Draft, function: FunctionSymbol, part: ast.Attribute, me: str) -> Iterator[Problem]:
    """Find ``r.state`` where r is an item of ``self.neighbours``."""
    process = draft.process
    if process is None or not isinstance(part.value, ast.Name):
        return
    if part.attr not in (*process.variables, *process.members, "state", "neighbours"):
        return
    name = part.value.id
    loops = [each for each in ast.walk(function.node) if isinstance(each, (ast.For, ast.comprehension))]
    for loop in loops:
        if isinstance(loop.target, ast.Name) and (loop.target.id, draft.text.of(loop.iter)) == (
            name,
            f"{me}.neighbours",
        ):
            advice = f"a process has no access to others: let {name} send what you need in a message"
            if draft.rules:
                advice = f"write {me}.see({name}).{part.attr}"
            yield draft.text.problem(part, f"{name} is the name of a neighbour, not the process; {advice}", "warning")
            return
