"""Formulas for expected numbers, such as ``4*m - 2*n + 2``, which are read without running any other code."""

from __future__ import annotations

import ast
import copy
import math
import operator
from collections.abc import Collection, Iterable, Mapping
from types import CodeType
from typing import Any

from lydian.model.errors import BadInput, did_you_mean
from lydian.model.lang.effort import GUARDS, guarded
from lydian.model.source.syntax import tree_of

__all__ = ["FUNCTIONS", "Formula"]

#: The functions that a formula may call.
FUNCTIONS: dict[str, Any] = {
    "min": min,
    "max": max,
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "log": math.log,
    "log2": math.log2,
    "sqrt": math.sqrt,
}
_SPACE: dict[str, Any] = {"__builtins__": {}, **FUNCTIONS, **GUARDS}
#: The syntax that a formula may use.
_PARTS = (
    ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.expr_context, ast.Add,
    ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
    ast.USub, ast.UAdd,
)  # fmt: skip
_BOUNDS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}


class Formula:
    """An expected number as a function of n (processes), m (links) and parameters.

    The text is an expression (``4*m - 2*n + 2``; ``2*m if forward_to == "all" else 2*m - n + 1``), or a bound if it
    begins with ``<=``, ``<``, ``>=`` or ``>`` (``<= n*log2(n)``).
    """

    #: The syntax and the functions that a dialect permits in addition to those of a formula.
    more: tuple[type[ast.AST], ...] = ()
    functions: Collection[str] = FUNCTIONS.keys()

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
            raise BadInput(f"the formula '{text}' cannot be read; write, for example, '4*m - 2*n + 2'") from error

    def check(self, names: Iterable[str]) -> None:
        """Refuse a formula that uses anything other than numbers, these names, arithmetic and the known functions.

        Raises:
            BadInput: the error says what is wrong.
        """
        known = list(names)
        for part in ast.walk(self._tree):
            if isinstance(part, ast.Name) and part.id not in (*known, *FUNCTIONS):
                hint = did_you_mean(part.id, known)
                raise BadInput(f"the formula '{self.text}' uses '{part.id}'{hint}; it may use {', '.join(known)}")
        self._refuse_strange(self._tree)

    def _refuse_strange(self, tree: ast.expr) -> None:
        for part in ast.walk(tree):
            named = not isinstance(part, ast.Call) or (isinstance(part.func, ast.Name) and not part.keywords)
            plain = not isinstance(part, ast.Constant) or isinstance(part.value, int | float | str)
            if not isinstance(part, (*_PARTS, *self.more)) or not named or not plain:
                raise BadInput(
                    f"the formula '{self.text}' may use numbers, n, m, parameters, + - * / and {', '.join(FUNCTIONS)}"
                )
            if isinstance(part, ast.Call) and (name := getattr(part.func, "id", "")) not in self.functions:
                raise BadInput(f"the formula '{self.text}' calls '{name}'{did_you_mean(name, FUNCTIONS)}")

    def value(self, names: Mapping[str, Any]) -> float:
        """Return the number for these values of n, m and the parameters.

        Raises:
            BadInput: a name is unknown, or the arithmetic fails.
        """
        try:
            return float(self._value(self._tree, names))
        except (ArithmeticError, ValueError, TypeError, OverflowError) as error:
            raise BadInput(f"the formula '{self.text}' has no value here: {error}") from error

    def holds(self, measured: float, names: Mapping[str, Any]) -> bool:
        """Return True if a measured number agrees with the formula (equality up to 1e-9)."""
        expected = self.value(names)
        if self.relation == "=":
            return math.isclose(measured, expected, rel_tol=1e-9, abs_tol=1e-9)
        return bool(_BOUNDS[self.relation](measured, expected))

    def branch(self, names: Mapping[str, Any]) -> str:
        """Return the formula without its conditions: the branch of ``a if k == 1 else b`` for these values."""
        part = self._tree
        while isinstance(part, ast.IfExp):
            part = part.body if self._value(part.test, names) else part.orelse
        sign = "" if self.relation == "=" else f"{self.relation} "
        return sign + (ast.get_source_segment(self._body, part) or self._body)

    def __str__(self) -> str:
        return self.text

    def _value(self, part: ast.expr, names: Mapping[str, Any]) -> Any:
        key = (type(self), ast.dump(part)) if part is not self._tree else (type(self), self._body)
        code = _codes.get(key)
        if code is None:
            self._refuse_strange(part)
            code = compile(guarded(ast.Expression(copy.deepcopy(part))), "<formula>", "eval")
            if len(_codes) >= _MOST_CODES:
                _codes.clear()
            _codes[key] = code
        try:
            return eval(code, _SPACE, names)  # noqa: S307 - made of the parts above and of nothing else
        except NameError as error:
            raise BadInput(f"the formula '{self.text}' uses '{error.name}'{did_you_mean(error.name, names)}") from None


#: A cache of compiled formulas, because each process needs the bounds of its variables.
_codes: dict[tuple[type, str], CodeType] = {}
_MOST_CODES = 1_000
