"""Limits on the work of an expression: only numbers can be multiplied, and lists built from lists must not be too long.

Without ``for``, the work of an expression is bounded by the length of its text and of its values, because it can
neither repeat lists and texts nor format text. The number of iterations of a ``for`` is computed before it begins.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

__all__ = ["GUARDS", "RANGE", "WORK", "count", "guarded"]

#: The largest number of elements of a range.
RANGE = 4_096
#: The largest number of steps, approximately, for a list that is built from another one.
WORK = 4_000_000

_NUMBERS = (int, float)
_LISTS = (list, tuple, set, frozenset)


def count(first: int, stop: int | None = None) -> range:
    """Return the numbers 0, 1, 2 ... below ``first``, or from ``first`` on below ``stop``; in expressions ``range``."""
    found = range(int(first)) if stop is None else range(int(first), int(stop))
    if len(found) > RANGE:
        raise ValueError(f"a range must have at most {RANGE:,} numbers here")
    return found


def _times(a: Any, b: Any) -> Any:
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        return a * b
    raise TypeError("only numbers can be multiplied")


def _rest(a: Any, b: Any) -> Any:
    if isinstance(a, _NUMBERS):
        return a % b
    raise TypeError("only numbers can be divided")


def _power(a: Any, b: Any) -> Any:
    if abs(a) > 1e6 or abs(b) > 64:
        raise OverflowError("this power is too large")
    return a**b


def _few(items: Any, own: int, fixed: int, *beside: Any) -> Any:
    """Return the items of a list; raise ValueError if there are too many.

    Args:
        own: the number of times that each item is inspected.
        fixed: the least work for each item.
        beside: other values that are inspected for each item, each with the number of times.
    """
    each = fixed + sum(often * _size(value) for often, value in zip(beside[::2], beside[1::2], strict=True))
    if each * len(items) + own * (0 if isinstance(items, range) else _size(items)) > WORK:
        raise ValueError("this list is too long")
    return items


def _size(value: Any) -> int:
    """Return the number of values in a value, including nested ones."""
    if isinstance(value, _NUMBERS):
        return 0
    if isinstance(value, _LISTS):
        return len(value) + sum(map(_size, value))
    if isinstance(value, dict):
        return len(value) + sum(map(_size, value.values()))
    return len(value) if isinstance(value, str) else 0


#: The functions that replace operators in an expression, under names that are not used otherwise.
GUARDS = {"*": _times, "%": _rest, "**": _power, "for": _few}

_SIGNS: dict[type[ast.operator], str] = {ast.Mult: "*", ast.Mod: "%", ast.Pow: "**"}


def guarded(tree: ast.Expression) -> ast.Expression:
    """Return an equivalent expression that raises an error if it would take too long; the argument may be changed."""
    found: ast.Expression = ast.fix_missing_locations(_Guarded().visit(tree))
    return found


class _Guarded(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        sign = _SIGNS.get(type(node.op))
        return _call(sign, node.left, node.right) if sign else node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        loop = node.generators[0]
        items = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
        parts = [each for part in (node.elt, *loop.ifs) for each in ast.walk(part)]
        ranges = [each for each in parts if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "range"]
        called = {id(each.func) for each in parts if isinstance(each, ast.Call)}
        names = Counter(each.id for each in parts if isinstance(each, ast.Name) and id(each) not in called)
        self.generic_visit(node)
        own, fixed = sum(names[name] for name in items), len(parts) + RANGE * len(ranges)
        beside = [
            part for name in sorted(names.keys() - items)
            for part in (ast.Constant(names[name]), ast.Name(name, ast.Load()))
        ]  # fmt: skip
        loop.iter = _call("for", loop.iter, ast.Constant(own), ast.Constant(fixed), *beside)
        return node


def _call(name: str, *parts: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(parts), [])
