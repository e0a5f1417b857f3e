"""What keeps an expression from taking long: products are of numbers alone, and lists made of lists are not too much.

Without a ``for`` an expression has at most as much to do as its text and the values in it are long, if it neither
repeats lists and texts nor fills texts in.  What a ``for`` goes through is counted before it begins.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

__all__ = ["GUARDS", "RANGE", "WORK", "count", "guarded"]

#: So many numbers a range has at most.
RANGE = 4_096
#: A list made of another one looks at no more than about so many things.
WORK = 4_000_000

_NUMBERS = (int, float)
_LISTS = (list, tuple, set, frozenset)


def count(first: int, stop: int | None = None) -> range:
    """The numbers 0, 1, 2 ... below ``first``, or from ``first`` on below ``stop``; in expressions ``range``."""
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
    """What a list is made of, unless that would be too much.

    Args:
        own: how often an item is looked at.
        fixed: what there is to do for each item at least.
        beside: other values that are looked at for each item, each after how often.
    """
    each = fixed + sum(often * _size(value) for often, value in zip(beside[::2], beside[1::2], strict=True))
    if each * len(items) + own * (0 if isinstance(items, range) else _size(items)) > WORK:
        raise ValueError("this list is too long")
    return items


def _size(value: Any) -> int:
    """How many things there are in a value, and in these, and so on."""
    if isinstance(value, _NUMBERS):
        return 0
    if isinstance(value, _LISTS):
        return len(value) + sum(map(_size, value))
    if isinstance(value, dict):
        return len(value) + sum(map(_size, value.values()))
    return len(value) if isinstance(value, str) else 0


#: What takes the place of operators in an expression, under names that nothing else has.
GUARDS = {"*": _times, "%": _rest, "**": _power, "for": _few}

_SIGNS: dict[type[ast.operator], str] = {ast.Mult: "*", ast.Mod: "%", ast.Pow: "**"}


def guarded(tree: ast.Expression) -> ast.Expression:
    """An expression that does the same as another, which may be changed, but gives up what would take long."""
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
