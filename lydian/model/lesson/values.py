"""Expressions over the numbers of a run, with which lessons state expected answers and results.

========================= ==========================================================================
``messages`` ``events`` ``time`` ``chain`` ``bits`` ``dropped`` ``received``  as in the output of ``lydian run --json``
``n`` ``m``               the numbers of processes and links of the network
``expected``              the number of messages by the protocol's formula
``decided``               the number of processes that decided
``last`` ``first``        the process whose last (first) event is the latest (the earliest)
``last_decided``, ``first_decided``  the process that decided last (first)
``busiest``               the process that sent most messages; several, if they sent the same number
``sent("Ack")``, ``received_by("3")``, ``sent_by("3")``  the number of messages of a class, or at a process
``finished("3")``         the time of the last event at a process
``decision("3")``         the decision of a process
``holds("NAME")``         whether a property was satisfied
``waited("3")``           the time that a process did not spend in steps
========================= ==========================================================================

Expressions may also use parameters of the protocol, numbers, ``+ - * / == != < <= > >= and or not``, ``a if b else c``,
``min``, ``max``, ``abs``, ``log2`` and similar functions.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Mapping
from typing import Any

from lydian.model.errors import BadInput
from lydian.model.lang.formula import FUNCTIONS as FORMULA_FUNCTIONS
from lydian.model.lang.formula import Formula

__all__ = ["FUNCTIONS", "NAMES", "Expression"]

NAMES = (
    "messages", "events", "time", "chain", "bits", "dropped", "received", "n", "m", "expected", "decided", "last",
    "first", "last_decided", "first_decided", "busiest",
)  # fmt: skip
FUNCTIONS = ("sent", "sent_by", "received_by", "finished", "decision", "holds", "waited")
#: The name of :func:`_same` in an expression, which cannot occur in its text.
_SAME = "=="


class Expression(Formula):
    """An expression over the numbers of a run, which gives access to nothing else."""

    more = (ast.BoolOp, ast.boolop, ast.Not)
    functions = (*FORMULA_FUNCTIONS, *FUNCTIONS, _SAME)

    def check(self, names: object = None, *, verdict: bool = False) -> None:
        """Refuse a text that is not such an expression or, with ``verdict``, is neither true nor false.

        Raises:
            BadInput: the error says what is wrong.
        """
        for part in ast.walk(self._tree):
            if isinstance(part, ast.Call):
                name = part.func.id if isinstance(part.func, ast.Name) else ""
                if name in FUNCTIONS and (len(part.args) != 1 or part.keywords):
                    raise BadInput(f'{name} must have one text, as in {name}("3")')
        called = {part.func.id for part in ast.walk(self._tree) if isinstance(part, ast.Call)
                  and isinstance(part.func, ast.Name)}  # fmt: skip
        for part in ast.walk(self._tree):
            if isinstance(part, ast.Name) and part.id in FUNCTIONS and part.id not in called:
                raise BadInput(f'{part.id} must have one text, as in {part.id}("3")')
            if isinstance(part, ast.Attribute | ast.Subscript | ast.Lambda | ast.JoinedStr | ast.NamedExpr):
                raise BadInput(f"'{self.text}' may use {', '.join(NAMES)}, numbers and + - * / == <")
        if verdict and not isinstance(self._tree, ast.Compare | ast.BoolOp) and not self._says_holds():
            raise BadInput(f"'{self.text}' is neither true nor false; compare it, as in messages == 46")

    def _says_holds(self) -> bool:
        tree = self._tree.operand if isinstance(self._tree, ast.UnaryOp) else self._tree
        return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "holds"

    def of(self, facts: Mapping[str, Any]) -> Any:
        """Return the value for a run.

        Args:
            facts: the result of :func:`lydian.trace.facts.facts`.

        Raises:
            BadInput: it has no value in this run.
        """
        try:
            return self._value(self._tree, facts)
        except (ArithmeticError, ValueError, TypeError, OverflowError) as error:
            raise BadInput(f"'{self.text}' has no value here: {error}") from None

    def _value(self, part: ast.expr, names: Mapping[str, Any]) -> Any:
        return super()._value(_Sameness().visit(copy.deepcopy(part)), _Known(self.text, names))


class _Known(dict[str, Any]):
    """The numbers of a run, as variables; a number that the run does not have is an error."""

    def __init__(self, text: str, facts: Mapping[str, Any]) -> None:
        super().__init__(facts)
        self.text = text

    def __getitem__(self, name: str) -> Any:
        if name == _SAME:
            return _same
        found = super().__getitem__(name)
        if found is None:
            raise BadInput(f"'{self.text}' has no value here: the run has no {name.replace('_', ' ')}")
        return (lambda text: found(str(text))) if name in FUNCTIONS else found


class _Sameness(ast.NodeTransformer):
    """A transformer that replaces ``==`` and ``!=`` by calls of :func:`_same`."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) > 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return node
        same = ast.Call(ast.Name(_SAME, ast.Load()), [node.left, *node.comparators], [])
        return same if isinstance(node.ops[0], ast.Eq) else ast.UnaryOp(ast.Not(), same)


def _same(left: Any, right: Any) -> bool:
    """Return True if two values are equal: numbers up to rounding, a process if it is one of several."""
    if isinstance(left, tuple) or isinstance(right, tuple):
        several = [set(map(str, each)) if isinstance(each, tuple) else {str(each)} for each in (left, right)]
        return bool(several[0] & several[1])
    if isinstance(left, int | float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)
    return bool(left == right)
