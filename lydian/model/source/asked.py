"""Checks of what a property asks for: of the configuration, and of the processes in it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping

from lydian.model.errors import nearest_word
from lydian.model.source.draft import Draft
from lydian.model.source.fixes import declaring, word_fix
from lydian.model.source.symbols import CONFIGURATION, OFFERED, PUBLIC, FunctionSymbol, bits_like
from lydian.model.source.text import Edit, Fix, Problem

__all__ = ["asked_of", "asked_problems", "process_names"]

#: Attribute of a configuration that is a collection -> what it contains.
_PARTS = {
    "processes": "processes", "correct": "processes", "honest": "processes", "decided": "said", "delivered": "said",
    "in_transit": "transits",
}  # fmt: skip
#: Functions of a configuration that return one process.
_ONE = ("process", "across")
#: Functions that return the items of their argument unchanged.
_THROUGH = ("sorted", "list", "tuple", "set", "reversed")
#: Kind of a collection -> kind of its items.
_INSIDE = {"processes": "process", "said": "process", "transits": "transit"}
#: The attributes of a message in transit, as in :class:`lydian.engine.state.configuration.Transit`, and their kinds.
_TRANSIT = {"message": "message", "sender": "process", "receiver": "process", "name": "", "id": "", "arrives": ""}


def process_names(function: FunctionSymbol) -> tuple[str, ...]:
    """Return the names that stand for processes throughout a property, in the order of its text."""
    return tuple(name for name, kind in _kinds(function, _first(function)).items() if kind == "process")


def asked_of(draft: Draft) -> dict[FunctionSymbol, dict[str, str]]:
    """Return the properties of a file and the functions that they call, each with the kinds of its arguments."""
    found = {function: _first(function) for _, function in draft.properties}
    for _ in range(len(draft.scope)):
        calls: dict[FunctionSymbol, list[dict[str, str]]] = {}
        for function, given in found.items():
            kinds = _kinds(function, given)
            for part in ast.walk(function.node):
                if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Name):
                    continue
                called = draft.scope.get(part.func.id)
                if isinstance(called, FunctionSymbol) and not called.properties and called is not function:
                    names = [each.arg for each in _arguments(called)]
                    certain = itertools.takewhile(lambda each: not isinstance(each, ast.Starred), part.args)
                    values = [_kind(each, kinds) for each in certain]
                    calls.setdefault(called, []).append(dict(zip(names, values, strict=False)))
        more = {
            called: {name: kind for name, kind in each[0].items() if all(kind == other.get(name) for other in each)}
            for called, each in calls.items()
        }
        if all(found.get(called) == each for called, each in more.items()):
            break
        found |= more
    return found


def asked_problems(draft: Draft, function: FunctionSymbol, given: Mapping[str, str]) -> Iterator[Problem]:
    """Find what a property asks for that a configuration, a process or a message in transit does not have.

    Args:
        given: the kinds of the arguments of the function, from :func:`asked_of`.
    """
    kinds = _kinds(function, given)
    asking = {"c": _of_configuration, "process": _of_process, "transit": _of_transit, "message": _of_message}
    for part in [inner for statement in function.node.body for inner in ast.walk(statement)]:
        if isinstance(part, ast.Attribute) and not part.attr.startswith("_"):
            kind = _kind(part.value, kinds)
            if kind in asking and (problem := asking[kind](draft, part)) is not None:
                yield problem


def _of_configuration(draft: Draft, part: ast.Attribute) -> Problem | None:
    if part.attr in CONFIGURATION:
        return None
    hint, fix = word_fix(draft.text, part, part.attr, CONFIGURATION)
    has = f"it has {', '.join(CONFIGURATION)}"
    return draft.text.problem(part, f"a configuration has no '{part.attr}'{hint}; {has}", fix=fix)


def _of_process(draft: Draft, part: ast.Attribute) -> Problem | None:
    process = draft.process
    if process is None or process.open or draft.layers or process.layer:
        return None
    own = [*process.variables, *process.parameters, *process.members]
    if part.attr in own or part.attr in PUBLIC:
        return None
    hint, fix = word_fix(draft.text, part, part.attr, [each for each in (*own, *OFFERED) if not each.startswith("_")])
    if not hint:
        hint, fix = f"; declare it in the class: {part.attr}: int = 0", declaring(draft, part.attr)
    return draft.text.problem(part, f"{process.name} has no variable '{part.attr}'{hint}", fix=fix)


def _of_transit(draft: Draft, part: ast.Attribute) -> Problem | None:
    if part.attr in _TRANSIT:
        return None
    what = f"a message in transit has no '{part.attr}' itself"
    inside = _fields(draft)
    near = part.attr if part.attr in inside else nearest_word(part.attr, _TRANSIT, inside)
    right = near if near in _TRANSIT else f"message.{near}"
    if not near:
        return draft.text.problem(part, f"{what}; it has {', '.join(_TRANSIT)}")
    end = draft.text.end(part)
    fix = Fix(f"Write {right}", (Edit(end - len(part.attr), end, right),))
    whole = f"{draft.text.of(part.value)}.{right}"
    return draft.text.problem(part, f"{what}; write {whole}", fix=fix)


def _of_message(draft: Draft, part: ast.Attribute) -> Problem | None:
    """Find what no message of the file has; the class of the message is not known here."""
    known = _fields(draft)
    if not known or part.attr in known:
        return None
    hint, fix = word_fix(draft.text, part, part.attr, known)
    return draft.text.problem(part, f"no message has a field '{part.attr}'{hint}", fix=fix)


def _fields(draft: Draft) -> tuple[str, ...]:
    """Return all attributes that a message may have; nothing if they cannot be determined."""
    sent = [each for each in draft.records if each.kind == "message"]
    if draft.layers or draft.star or not sent or any(each.open for each in sent):
        return ()
    return tuple(dict.fromkeys(name for each in sent for name in (*each.fields, *each.others, *bits_like())))


def _arguments(function: FunctionSymbol) -> list[ast.arg]:
    return [*function.node.args.posonlyargs, *function.node.args.args]


def _first(function: FunctionSymbol) -> dict[str, str]:
    """Return the kind of the argument of a property, the configuration."""
    return {each.arg: "c" for each in _arguments(function)[:1]}


def _kinds(function: FunctionSymbol, given: Mapping[str, str]) -> dict[str, str]:
    """Return the kinds of names throughout a function, in the order of its text, without names that have several kinds
    or an unknown one."""
    own = {id(each) for each in _arguments(function)}
    kinds: dict[str, str] = {}
    for _ in range(3):  # names whose kind depends on that of other names
        bound: dict[str, list[str]] = {name: [kind] for name, kind in given.items()}
        known: set[int] = set()
        for part in ast.walk(function.node):
            pairs: list[tuple[ast.expr, str]] = []
            if isinstance(part, (ast.For, ast.comprehension)):
                pairs = [(part.target, _INSIDE.get(_kind(part.iter, kinds or given), ""))]
            elif isinstance(part, ast.Assign):
                pairs = [(target, _kind(part.value, kinds or given)) for target in part.targets]
            for target, kind in pairs:
                if isinstance(target, ast.Name):
                    known.add(id(target))
                    bound.setdefault(target.id, []).append(kind)
        for part in ast.walk(function.node):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and id(part) not in known:
                bound.setdefault(part.id, []).append("")
            elif isinstance(part, ast.arg) and not (id(part) in own and part.arg in given):
                bound.setdefault(part.arg, []).append("")
        found = {name: each[0] for name, each in bound.items() if each[0] and len(set(each)) == 1}
        if found == kinds:
            break
        kinds = found
    return kinds


def _kind(node: ast.expr, kinds: Mapping[str, str]) -> str:
    """Return the kind of an expression: ``c``, ``process``, ``transit``, ``message``, a collection, or ""."""
    if isinstance(node, ast.Name):
        return kinds.get(node.id, "")
    if isinstance(node, ast.Attribute):
        owner = _kind(node.value, kinds)
        return _PARTS.get(node.attr, "") if owner == "c" else _TRANSIT.get(node.attr, "") if owner == "transit" else ""
    if isinstance(node, ast.Subscript):
        owner = _kind(node.value, kinds)
        if owner == "said":  # the value that the process decided or delivered
            return ""
        return owner if isinstance(node.slice, ast.Slice) else _INSIDE.get(owner, "")
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return {"process": "processes", "transit": "transits"}.get(_kind(node.elt, kinds), "")
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name) and node.func.id in _THROUGH and node.args:
        return {"said": "processes"}.get(found := _kind(node.args[0], kinds), found)
    called = node.func
    one = isinstance(called, ast.Attribute) and called.attr in _ONE and _kind(called.value, kinds) == "c"
    return "process" if one else ""
