"""The parameters that a protocol declares, read from its text, and their descriptions.

The text is only parsed, never run: the call ``parameter(...)`` in the class body says which values are allowed.
Anything that cannot be read that way (such as a computed default) is left to the simulator, which checks every value
again.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lydian.language import tr
from lydian.model.protocol.process import Parameter
from lydian.model.source.syntax import tree_of

__all__ = ["card_text", "declared", "kept", "limits_text", "value_text"]


# ---------------------------------------------------------------------- reading


@lru_cache(maxsize=32)
def _declared(source: str) -> tuple[Parameter, ...]:
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    constants: dict[str, ast.expr] = {}
    found: dict[str, Parameter] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            constants[node.targets[0].id] = node.value
        elif isinstance(node, ast.ClassDef):
            found.update((one.name, one) for one in _of_class(node, constants))
    return tuple(found.values())


def declared(source: str) -> dict[str, Parameter]:
    """Return the parameters that a protocol's text declares, by name; return none if it cannot be parsed.

    If a default is not written out as a constant, the parameter's default is ``None`` and any value is accepted.
    """
    return {one.name: one for one in _declared(source)}


def _of_class(node: ast.ClassDef, constants: Mapping[str, ast.expr]) -> list[Parameter]:
    found = []
    for item in node.body:
        if not isinstance(item, ast.Assign | ast.AnnAssign):
            continue
        value = item.value
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name | ast.Attribute):
            continue
        word = value.func.id if isinstance(value.func, ast.Name) else value.func.attr
        if word != "parameter":
            continue
        known = {key.arg: _value(key.value, constants) for key in value.keywords if key.arg}
        default = _value(value.args[0], constants) if value.args else known.get("default")
        bounds = [known.get(name) for name in ("minimum", "maximum")]
        low, high = (b if isinstance(b, int | float) and not isinstance(b, bool) else None for b in bounds)
        choices = known.get("choices")
        several = tuple(choices) if isinstance(choices, list | tuple | set | range) else None
        made = Parameter(default, low, high, several, str(known.get("help") or ""))
        targets = item.targets if isinstance(item, ast.Assign) else [item.target]
        found += [replace(made, name=target.id) for target in targets if isinstance(target, ast.Name)]
    return found


class _WrittenOut(ast.NodeTransformer):
    """A transformer that replaces names by the constants that the file assigns to them, level by level."""

    def __init__(self, constants: Mapping[str, ast.expr], depth: int = 0) -> None:
        self.constants, self.depth = constants, depth

    def visit_Name(self, node: ast.Name) -> ast.AST:
        known = self.constants.get(node.id)
        if known is None or self.depth > 8:
            return node
        copy = tree_of(ast.unparse(known), mode="eval").body
        written: ast.AST = _WrittenOut(self.constants, self.depth + 1).visit(copy)
        return written


def _value(node: ast.expr, constants: Mapping[str, ast.expr]) -> Any:
    """Return the value of an expression that consists of constants; return ``None`` for any other expression."""
    try:
        copy = tree_of(ast.unparse(node), mode="eval").body
        return ast.literal_eval(_WrittenOut(constants).visit(copy))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


# ---------------------------------------------------------------------- descriptions


def value_text(value: Any) -> str:
    """Return a value as a field shows it."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return value if isinstance(value, str) else repr(value)


def kept(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return those values of an experiment that another protocol also accepts under the same name."""
    known, left = declared(source), {}
    for name, value in values.items():
        if name in known:
            try:
                left[name] = known[name].checked(value)
            except (ValueError, TypeError):
                continue
    return left


def card_text(values: Mapping[str, Any], known: Mapping[str, Parameter]) -> tuple[str, str]:
    """Return the value and the remark of the parameter card: first what differs from the defaults, then the rest."""
    other = [
        f"{name} = {value_text(value)}"
        for name, value in values.items()
        if name not in known or value != known[name].default
    ]
    rest = [name for name in known if name not in values or values[name] == known[name].default]
    if not other:
        words = [f"{name} = {value_text(known[name].default)}" for name in rest if known[name].default is not None]
        return tr("Protocol defaults"), ", ".join(words or rest)
    return ", ".join(other), tr("default: {values}", values=", ".join(rest)) if rest else tr("click to change")


def limits_text(one: Parameter) -> str:
    """Describe the allowed values and the default in a few words."""
    words = [] if one.help == "" else [one.help[:1].upper() + one.help[1:].rstrip(".") + "."]
    if one.choices is None and one.minimum is not None and one.maximum is not None:
        words.append(tr("From {minimum:g} to {maximum:g}.", minimum=one.minimum, maximum=one.maximum))
    elif one.choices is None and one.minimum is not None:
        words.append(tr("At least {minimum:g}.", minimum=one.minimum))
    elif one.choices is None and one.maximum is not None:
        words.append(tr("At most {maximum:g}.", maximum=one.maximum))
    if one.default is not None and not isinstance(one.default, bool):
        words.append(tr("Default: {default}.", default=value_text(one.default)))
    return " ".join(words)
