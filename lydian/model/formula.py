"""Formulas for expected numbers: ``4*m - 2*n + 2``, read without running anything else."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lydian.model.errors import BadInput, did_you_mean
from lydian.model.syntax import tree_of

__all__ = ["Formula"]

_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_COMPARE: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "log": math.log,
    "log2": math.log2,
    "sqrt": math.sqrt,
}
#: What a formula is made of.
_PARTS = (
    ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.expr_context,
    *_BINARY, *_COMPARE, ast.USub, ast.UAdd,
)  # fmt: skip
_BOUNDS = ("<=", ">=", "<", ">")


class Formula:
    """An expected number as a function of n (processes), m (links) and parameters.

    The text is an expression (``4*m - 2*n + 2``; ``2*m if forward_to == "all" else 2*m - n + 1``), or a bound when it
    begins with ``<=``, ``<``, ``>=`` or ``>`` (``<= n*log2(n)``).
    """

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.relation = next((sign for sign in _BOUNDS if self.text.startswith(sign)), "=")
        body = self.text if self.relation == "=" else self.text[len(self.relation) :]
        try:
            if len(body) > 1000:
                raise SyntaxError("it is too long")
            self._body = body.strip()
            self._tree: ast.expr = tree_of(self._body, mode="eval").body
        except (SyntaxError, ValueError, RecursionError) as error:
            raise BadInput(f"the formula '{text}' cannot be read; write for example '4*m - 2*n + 2'") from error

    def check(self, names: Iterable[str]) -> None:
        """Refuse a formula that uses anything but numbers, these names, arithmetic and the known functions.

        Raises:
            BadInput: with a sentence.
        """
        known = list(names)
        for part in ast.walk(self._tree):
            if isinstance(part, ast.Name) and part.id not in (*known, *_FUNCTIONS):
                hint = did_you_mean(part.id, known)
                raise BadInput(f"the formula '{self.text}' uses '{part.id}'{hint}; it may use {', '.join(known)}")
            if not isinstance(part, _PARTS):
                raise self._strange()

    def _strange(self) -> BadInput:
        return BadInput(
            f"the formula '{self.text}' may use numbers, n, m, parameters, + - * / and {', '.join(_FUNCTIONS)}"
        )

    def value(self, names: Mapping[str, Any]) -> float:
        """The number for these values of n, m and the parameters.

        Raises:
            BadInput: if a name is unknown or the arithmetic fails.
        """
        try:
            return float(self._value(self._tree, names))
        except (ArithmeticError, ValueError, TypeError, OverflowError) as error:
            raise BadInput(f"the formula '{self.text}' has no value here: {error}") from error

    def holds(self, measured: float, names: Mapping[str, Any]) -> bool:
        """Whether a measured number agrees with the formula (equality up to 1e-9)."""
        expected = self.value(names)
        if self.relation == "=":
            return math.isclose(measured, expected, rel_tol=1e-9, abs_tol=1e-9)
        compare = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}[self.relation]
        return bool(compare(measured, expected))

    def branch(self, names: Mapping[str, Any]) -> str:
        """The formula without its conditions: of ``a if k == 1 else b`` the part that holds for these values."""
        part = self._tree
        while isinstance(part, ast.IfExp):
            part = part.body if self._value(part.test, names) else part.orelse
        sign = "" if self.relation == "=" else f"{self.relation} "
        return sign + (ast.get_source_segment(self._body, part) or self._body)

    def __str__(self) -> str:
        return self.text

    def _value(self, part: ast.AST, names: Mapping[str, Any]) -> Any:
        if isinstance(part, ast.Constant) and isinstance(part.value, (int, float, str, bool)):
            return part.value
        if isinstance(part, ast.Name):
            if part.id not in names:
                raise BadInput(f"the formula '{self.text}' uses '{part.id}'{did_you_mean(part.id, names)}")
            return names[part.id]
        if isinstance(part, ast.BinOp) and type(part.op) in _BINARY:
            left, right = self._value(part.left, names), self._value(part.right, names)
            if isinstance(part.op, ast.Pow) and (abs(left) > 1e6 or abs(right) > 64):
                raise OverflowError("a power that large is not needed here")
            return _BINARY[type(part.op)](left, right)
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, (ast.USub, ast.UAdd)):
            value = self._value(part.operand, names)
            return -value if isinstance(part.op, ast.USub) else value
        if isinstance(part, ast.IfExp):
            return self._value(part.body if self._value(part.test, names) else part.orelse, names)
        if isinstance(part, ast.Compare) and len(part.ops) == 1 and type(part.ops[0]) in _COMPARE:
            return _COMPARE[type(part.ops[0])](self._value(part.left, names), self._value(part.comparators[0], names))
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and not part.keywords:
            if part.func.id not in _FUNCTIONS:
                raise BadInput(
                    f"the formula '{self.text}' calls '{part.func.id}'{did_you_mean(part.func.id, _FUNCTIONS)}"
                )
            return _FUNCTIONS[part.func.id](*(self._value(argument, names) for argument in part.args))
        raise self._strange()
