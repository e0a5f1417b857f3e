"""Expressions over named values, as Python writes them: ``missing == 0 and state == "waiting"``.

Only comparing, counting and a few functions are read, so that an expression can neither change nor call anything, nor
take long.  A formula (:mod:`lydian.model.lang.formula`) and a condition over the variables of a process
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

#: Names that are no variables.
OWN = ("state", "me", "time")
#: Functions that an expression may call.
FUNCTIONS = {f.__name__: f for f in (abs, all, any, len, max, min, set, sorted, sum)}
#: What an expression finds beside its values.
SPACE: dict[str, Any] = {"__builtins__": {}, **FUNCTIONS, **GUARDS}
#: Longest expression that is read.
LONGEST = 1_000
_READ = (
    ast.Expression, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.Add, ast.Sub, ast.Mod, ast.Mult,
    ast.Div, ast.FloorDiv, ast.Compare, ast.cmpop, ast.Name, ast.Load, ast.Constant, ast.Tuple, ast.List, ast.Set,
    ast.Dict, ast.Subscript, ast.Slice, ast.IfExp,
)  # fmt: skip


@functools.lru_cache(maxsize=256)
def parse(text: str, more: tuple[str, ...] = (), *, lists: bool = False) -> tuple[CodeType, frozenset[str]]:
    """The expression, ready to be worked out, and the names in it.

    Args:
        more: functions that it may call beside :data:`FUNCTIONS`.
        lists: whether it may make lists out of lists, such as ``[i / entries for i in lost]``: one ``for`` each, none
            within another.  Such an expression finds its values among the globals only.

    Raises:
        BadInput: it is none, or does more than compare and count.
    """
    text = text.strip()
    if not text or len(text) > LONGEST:
        raise BadInput(f"an expression must have 1 to {LONGEST:,} characters, as in missing == 0")
    try:
        tree = _Dotted().visit(tree_of(text, mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = getattr(error, "offset", None)
        where = f" at character {place}" if place else ""
        raise BadInput(f"{shown(text)} cannot be read{where}; write for example missing == 0") from None
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
            raise BadInput(f"{shown(text)} may only compare and count, not use {type(node).__name__}")
        elif isinstance(node, ast.Name) and id(node) not in called:
            names.add(node.id)
    return compile(guarded(tree), "<expression>", "eval"), frozenset(names)


def _items(node: ast.AST, text: str) -> set[int]:
    """Where a list made of another one names its items: the ids of these parts of the tree."""
    assert isinstance(node, ast.ListComp)
    inner = [each for each in ast.walk(node) if isinstance(each, ast.ListComp)]
    if len(node.generators) != 1 or node.generators[0].is_async or len(inner) > 1:
        raise BadInput(f"{shown(text)} has one 'for' inside another; a list must be built from one other list")
    loop = node.generators[0]
    parts = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    given = {part.id for part in parts if isinstance(part, ast.Name)}
    if len(given) < len(parts):
        raise BadInput(f"{shown(text)}: 'for' must be followed by a name or by different names, with commas")
    own = [loop.target, node.elt, *loop.ifs]
    return {id(each) for part in own for each in ast.walk(part) if isinstance(each, ast.Name) and each.id in given}


class _Dotted(ast.NodeTransformer):
    """Makes a name of what a layer's variable is called: ``chord.succ``."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name):
            return ast.copy_location(ast.Name(f"{node.value.id}.{node.attr}", ast.Load()), node)
        return node


def binary(text: str) -> float:
    """The number 0.text of a text of binary digits: ``binary("01")`` is 0.25."""
    if not isinstance(text, str) or not text or text.strip("01"):
        raise ValueError("this is not a text of binary digits")
    return float(int(text, 2) / 2 ** len(text))


def ring(number: int, bits: int) -> float:
    """Where a number stands on a ring of ``2**bits``: from 0 to 1."""
    size = 1 << min(int(bits), 1_000)
    return float((number % size) / size)


def log(number: float, base: float = math.e) -> float:
    """The logarithm of a number, natural without a ``base``."""
    return math.log(number, base)


_MORE = {"binary": binary, "log": log, "range": count, "ring": ring}
_SPACE: dict[str, Any] = {**SPACE, **_MORE}


@dataclass(frozen=True)
class Expression:
    """An expression: its text, what is worked out, the names in it, and whether it makes a list out of another."""

    text: str
    code: CodeType
    names: frozenset[str]
    lists: bool = False

    def value(self, values: Mapping[str, Any]) -> Any:
        """What it is for these values; None if it cannot be worked out."""
        try:
            return eval(self.code, {**_SPACE, **values})  # noqa: S307 - only what parse() let through
        except Exception:  # noqa: BLE001 - a value may be of any type
            return None


def expression(text: str) -> Expression:
    """The expression that a text is, with four functions more than a condition has and with lists made of lists.

    It knows the parameters of the run, but not ``time``: its value changes only at events of its process.

    Raises:
        BadInput: it is none, or asks for the time.
    """
    code, names = parse(text, tuple(_MORE), lists=True)
    if "time" in names:
        raise BadInput(f"{shown(text)} uses the time; it may use variables, parameters, state and me")
    return Expression(text, code, names, any(isinstance(each, CodeType) for each in code.co_consts))
