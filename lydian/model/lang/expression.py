"""Expressions over named values in Python's syntax: ``missing == 0 and state == "waiting"``.

Only comparisons, counting and a few functions are permitted, so that an expression can neither change nor call
anything, nor take long. Formulas (:mod:`lydian.model.lang.formula`) and conditions over the variables of a process
(:mod:`lydian.views.words.predicate`) are its dialects.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.model.lang.effort import GUARDS, count, guarded
from lydian.model.source.syntax import tree_of

__all__ = ["FUNCTIONS", "OWN", "SPACE", "Expression", "binary", "expression", "log", "parse", "ring"]

#: Names that are not variables.
OWN = ("state", "me", "time")
#: The functions that an expression may call.
FUNCTIONS = {f.__name__: f for f in (abs, all, any, len, max, min, set, sorted, sum)}
#: The globals of an expression, in addition to its values.
SPACE: dict[str, Any] = {"__builtins__": {}, **FUNCTIONS, **GUARDS}
#: The largest length of an expression.
LONGEST = 1_000
_READ = (
    ast.Expression, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.Add, ast.Sub, ast.Mod, ast.Mult,
    ast.Div, ast.FloorDiv, ast.Compare, ast.cmpop, ast.Name, ast.Load, ast.Constant, ast.Tuple, ast.List, ast.Set,
    ast.Dict, ast.Subscript, ast.Slice, ast.IfExp,
)  # fmt: skip


@functools.lru_cache(maxsize=256)
def parse(text: str, more: tuple[str, ...] = (), *, lists: bool = False) -> tuple[CodeType, frozenset[str]]:
    """Parse an expression; return it compiled, with the names in it.

    Args:
        more: functions that it may call in addition to :data:`FUNCTIONS`.
        lists: whether it may build lists from lists, such as ``[i / entries for i in lost]``: with one ``for`` each,
            and not nested. Such an expression finds its values only among the globals.

    Raises:
        BadInput: it is not an expression, or does more than compare and count.
    """
    text = text.strip()
    if not text or len(text) > LONGEST:
        raise BadInput(f"an expression must have 1 to {LONGEST:,} characters, as in missing == 0")
    try:
        tree = _Dotted().visit(tree_of(text, mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = getattr(error, "offset", None)
        where = f" at character {place}" if place else ""
        raise BadInput(f"{shown(text)} cannot be read{where}; write, for example, missing == 0") from None
    names = set()
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    made = {id(node) for node in ast.walk(tree) if lists and isinstance(node, ast.ListComp)}
    items = {each for node in ast.walk(tree) if id(node) in made for each in _items(node, text)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            known = (*FUNCTIONS, *more)
            if not isinstance(node.func, ast.Name) or node.func.id not in known or node.keywords:
                raise BadInput(f"{shown(text)} may call only {', '.join(known)}")
            if node.func.id == "sum" and len(node.args) != 1:
                raise BadInput(f"{shown(text)}: sum must have one list of numbers, as in sum(sizes)")
        elif id(node) in made or id(node) in items or (made and isinstance(node, ast.comprehension | ast.Store)):
            continue
        elif not isinstance(node, _READ):
            raise BadInput(f"{shown(text)} may only compare and count, as in missing == 0")
        elif isinstance(node, ast.Name) and id(node) not in called:
            names.add(node.id)
    return compile(guarded(tree), "<expression>", "eval"), frozenset(names)


def _items(node: ast.AST, text: str) -> set[int]:
    """Return the ids of the nodes of the syntax tree in which a list built from another one names its items."""
    assert isinstance(node, ast.ListComp)
    inner = [each for each in ast.walk(node) if isinstance(each, ast.ListComp)]
    if len(node.generators) != 1 or node.generators[0].is_async or len(inner) > 1:
        raise BadInput(f"{shown(text)} has one 'for' inside another; a list must be built from one other list")
    loop = node.generators[0]
    parts = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    given = {part.id for part in parts if isinstance(part, ast.Name)}
    if len(given) < len(parts):
        raise BadInput(f"{shown(text)}: 'for' must be followed by a name, or by different names separated by commas")
    own = [loop.target, node.elt, *loop.ifs]
    return {id(each) for part in own for each in ast.walk(part) if isinstance(each, ast.Name) and each.id in given}


class _Dotted(ast.NodeTransformer):
    """A transformer that replaces the qualified name of a layer's variable, such as ``chord.succ``, by one name."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name):
            return ast.copy_location(ast.Name(f"{node.value.id}.{node.attr}", ast.Load()), node)
        return node


def binary(text: str) -> float:
    """Return the number 0.text for a text of binary digits: ``binary("01")`` is 0.25."""
    if not isinstance(text, str) or not text or text.strip("01"):
        raise ValueError("this is not a text of binary digits")
    return float(int(text, 2) / 2 ** len(text))


def ring(number: int, bits: int) -> float:
    """Return the position of a number on a ring of ``2**bits`` places: from 0 to 1."""
    size = 1 << min(int(bits), 1_000)
    return float((number % size) / size)


def log(number: float, base: float = math.e) -> float:
    """Return the logarithm of a number; it is natural without a ``base``."""
    return math.log(number, base)


_MORE = {"binary": binary, "log": log, "range": count, "ring": ring}
_SPACE: dict[str, Any] = {**SPACE, **_MORE}


@dataclass(frozen=True)
class Expression:
    """An expression: its text, its code, the names in it, and whether it builds a list from another."""

    text: str
    code: CodeType
    names: frozenset[str]
    lists: bool = False

    def value(self, values: Mapping[str, Any]) -> Any:
        """Return its value for these values of its names; None if it cannot be evaluated."""
        try:
            return eval(self.code, {**_SPACE, **values})  # noqa: S307 - only what parse() let through
        except Exception:  # noqa: BLE001 - a value may be of any type
            return None


def expression(text: str, *, time: bool = False) -> Expression:
    """Parse an expression that may use lists built from lists and four more functions than a condition.

    It may use the parameters of the run, but not ``time``: its value changes only at events of its process.

    Args:
        time: whether ``time`` is a name like any other, such as that of a field of a message.

    Raises:
        BadInput: it is not an expression, or uses the time.
    """
    code, names = parse(text, tuple(_MORE), lists=True)
    if "time" in names and not time:
        raise BadInput(f"{shown(text)} uses the time; it may use variables, parameters, state and me")
    return Expression(text, code, names, any(isinstance(each, CodeType) for each in code.co_consts))
