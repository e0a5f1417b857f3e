"""What a lesson asks of a run, as an expression over its numbers, and whether an answer is right.

========================= ==========================================================================
``messages`` ``events`` ``time`` ``chain`` ``bits`` ``dropped`` ``received``  as ``lydian run --json`` tells them
``n`` ``m``               processes and links of the network
``expected``              messages that the protocol's formula gives
``decided``               how many processes decided
``last`` ``first``        the process whose last (first) event is the latest (the earliest)
``last_decided``, ``first_decided``  the process that decided last (first)
``busiest``               the process that sent most; several, if they sent as many
``sent("Ack")``, ``received_by("3")``, ``sent_by("3")``  messages of a kind, at a process
``finished("3")``         time of the last event at a process
``decision("3")``         what a process decided
``holds("NAME")``         whether a property held
``waited("3")``           time a process did not spend in steps
========================= ==========================================================================

Beside them parameters of the protocol, numbers, ``+ - * / == != < <= > >= and or not``, ``a if b else c``, ``min``,
``max``, ``abs``, ``log2`` and the like.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput
from lydian.model.lang.formula import FUNCTIONS as FORMULA_FUNCTIONS
from lydian.model.lang.formula import Formula

if TYPE_CHECKING:
    from lydian.model.lessonblocks import Question

__all__ = ["FUNCTIONS", "NAMES", "Expression", "Outcome", "grade"]

NAMES = (
    "messages", "events", "time", "chain", "bits", "dropped", "received", "n", "m", "expected", "decided", "last",
    "first", "last_decided", "first_decided", "busiest",
)  # fmt: skip
FUNCTIONS = ("sent", "sent_by", "received_by", "finished", "decision", "holds", "waited")
#: The name of :func:`_same` in an expression, which no text can have.
_SAME = "=="


class Expression(Formula):
    """An expression over a run's numbers; nothing else can be reached with it."""

    more = (ast.BoolOp, ast.boolop, ast.Not)
    functions = (*FORMULA_FUNCTIONS, *FUNCTIONS, _SAME)

    def check(self, names: object = None, *, verdict: bool = False) -> None:
        """Refuse what is no such expression; with ``verdict`` also one that is neither true nor false.

        Raises:
            BadInput: with a sentence.
        """
        for part in ast.walk(self._tree):
            if isinstance(part, ast.Call):
                name = part.func.id if isinstance(part.func, ast.Name) else ""
                if name in FUNCTIONS and (len(part.args) != 1 or part.keywords):
                    raise BadInput(f'{name} needs one text, as in {name}("3")')
        called = {part.func.id for part in ast.walk(self._tree) if isinstance(part, ast.Call)
                  and isinstance(part.func, ast.Name)}  # fmt: skip
        for part in ast.walk(self._tree):
            if isinstance(part, ast.Name) and part.id in FUNCTIONS and part.id not in called:
                raise BadInput(f'{part.id} needs one text, as in {part.id}("3")')
            if isinstance(part, ast.Attribute | ast.Subscript | ast.Lambda | ast.JoinedStr | ast.NamedExpr):
                raise BadInput(f"'{self.text}' may use {', '.join(NAMES)}, numbers and + - * / == <")
        if verdict and not isinstance(self._tree, ast.Compare | ast.BoolOp) and not self._says_holds():
            raise BadInput(f"'{self.text}' is neither true nor false; compare it, as in messages == 46")

    def _says_holds(self) -> bool:
        tree = self._tree.operand if isinstance(self._tree, ast.UnaryOp) else self._tree
        return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "holds"

    def of(self, facts: Mapping[str, Any]) -> Any:
        """The value for a run.

        Args:
            facts: as :func:`lydian.trace.facts.facts` gives them.

        Raises:
            BadInput: it has no value there.
        """
        try:
            return self._value(self._tree, facts)
        except (ArithmeticError, ValueError, TypeError, OverflowError) as error:
            raise BadInput(f"'{self.text}' has no value here: {error}") from None

    def _value(self, part: ast.expr, names: Mapping[str, Any]) -> Any:
        return super()._value(_Sameness().visit(copy.deepcopy(part)), _Known(self.text, names))


class _Known(dict[str, Any]):
    """What a run knows; a number that it does not have is asked for in vain."""

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
    """Compares with :func:`_same` where a text says ``==`` or ``!=``."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) > 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return node
        same = ast.Call(ast.Name(_SAME, ast.Load()), [node.left, *node.comparators], [])
        return same if isinstance(node.ops[0], ast.Eq) else ast.UnaryOp(ast.Not(), same)


def _same(left: Any, right: Any) -> bool:
    """Whether two values are equal: numbers up to rounding, a process among several."""
    if isinstance(left, tuple) or isinstance(right, tuple):
        several = [set(map(str, each)) if isinstance(each, tuple) else {str(each)} for each in (left, right)]
        return bool(several[0] & several[1])
    if isinstance(left, int | float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)
    return bool(left == right)


@dataclass(frozen=True)
class Outcome:
    """What became of a prediction.

    Attributes:
        good: whether it was right; ``None`` if nothing was right or wrong about it, or nothing was predicted.
        answer: what was predicted, in words; empty for nothing.
        came: what came out, in words; empty if nobody can say.
        right: names of the processes that would have been right.
    """

    good: bool | None
    answer: str
    came: str
    right: tuple[str, ...] = ()


def grade(question: Question, answer: object, facts: Mapping[str, Any]) -> Outcome:
    """Compare a prediction with a run.

    Args:
        answer: a number, the name of a process, one of the choices or a text; ``None`` or empty: none was given.

    Raises:
        BadInput: what is expected has no value in this run.
    """
    given = "" if answer is None else str(answer).strip()
    expect = question.expect
    if question.kind == "text":
        wanted = [expect] if isinstance(expect, str) else list(expect or ())
        good = None if not wanted or not given else any(_plain(given) == _plain(each) for each in wanted)
        return Outcome(good, given, wanted[0] if wanted else "")
    if question.kind == "number":
        value = expect if isinstance(expect, int | float) else Expression(str(expect)).of(facts)
        return _number(question, given, float(value))
    if question.kind == "process":
        right = _processes(expect, facts)
        return Outcome(given in right if given else None, given, " or ".join(right), right)
    came = _choice(question, facts)
    return Outcome(given == came if given else None, given, came)


def _number(question: Question, given: str, value: float) -> Outcome:
    allowed = abs(value) * question.tolerance if question.relative else question.tolerance
    try:
        good = abs(float(given.replace(",", ".")) - value) <= allowed + 1e-9 if given else None
    except ValueError:
        good = False
    return Outcome(good, given, f"{value:,.0f}" if value == round(value) else f"{value:.2f}")


def _processes(expect: Any, facts: Mapping[str, Any]) -> tuple[str, ...]:
    if isinstance(expect, list | tuple):
        return tuple(str(each) for each in expect)
    if str(expect) in facts["processes"]:
        return (str(expect),)
    value = Expression(str(expect)).of(facts)
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def _choice(question: Question, facts: Mapping[str, Any]) -> str:
    value = question.expect
    if isinstance(value, str) and value not in question.choices:
        value = Expression(value).of(facts)
    if isinstance(value, bool):
        return question.choices[0 if value else 1]
    if isinstance(value, tuple):
        value = next((each for each in value if str(each) in question.choices), value)
    text = f"{value:g}" if isinstance(value, float) else str(value)
    if text not in question.choices:
        raise BadInput(f"'{question.expect}' is {text} here, which is none of the choices")
    return text


def _plain(text: str) -> str:
    """A text without what does not matter."""
    return "".join(letter for letter in text.lower() if letter.isalnum())
