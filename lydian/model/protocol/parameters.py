"""Declarations in a class body other than plain variables: parameters, and variables with a domain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = ["Domain", "Parameter", "parameter", "variable"]


@dataclass(frozen=True)
class Parameter:
    """A number, text or choice that the experiment may set; all processes have the same value.

    Args:
        default: the value if the experiment does not set one.
        minimum, maximum: bounds for numbers, both included.
        choices: the permitted values, if they are restricted.
        help: one sentence for the panel and the command line.
        reached: a function that says whether this parameter, which limits a run so that it ends, has stopped a process.
    """

    default: Any
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Any, ...] | None = None
    help: str = ""
    name: str = ""
    type: str = ""
    reached: Callable[[Any], bool] | None = None

    def checked(self, value: Any) -> Any:
        """Return ``value`` if it is permitted.

        Raises:
            ValueError: it is not permitted; the error says what is.
        """
        kind = type(self.default)
        if isinstance(self.default, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if self.default is not None and (
            not isinstance(value, kind) or (isinstance(value, bool) and not isinstance(self.default, bool))
        ):
            raise ValueError(f"{self.name} must be {_article(kind)} such as {self.default!r}, not {shown(value)}")
        if self.choices is not None and value not in self.choices:
            allowed = ", ".join(repr(choice) for choice in self.choices)
            hint = did_you_mean(value, self.choices)
            raise ValueError(f"{self.name} must be one of {allowed}, not {shown(value)}{hint}")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if value != value or value in (float("inf"), float("-inf")):
                raise ValueError(f"{self.name} must be a finite number, not {value}")
            if self.minimum is not None and value < self.minimum:
                raise ValueError(f"{self.name} must be at least {self.minimum}, not {value}")
            if self.maximum is not None and value > self.maximum:
                raise ValueError(f"{self.name} must be at most {self.maximum}, not {value}")
        return value


def _article(kind: type) -> str:
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}.get(
        kind, f"a {kind.__name__}"
    )


def parameter(
    default: Any,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Iterable[Any] | None = None,
    help: str = "",
    reached: Callable[[Any], bool] | None = None,
) -> Any:
    """Declare a parameter in a class body: ``retries = parameter(5, minimum=1, help="how often it asks again")``.

    For a parameter that exists only so that a run ends, ``reached=lambda p: p.asked >= p.retries`` says when it has
    stopped a process; the report of the run's end then names the parameter.
    """
    several = None if choices is None else tuple(choices)
    return Parameter(default, minimum, maximum, several, help, reached=reached)


@dataclass(frozen=True)
class Domain:
    """The domain of a variable: the values that a corruption, or a start in a random configuration, may give it.

    An action may assign other values.

    Args:
        initial: the initial value, or a function of the process that returns it.
        minimum, maximum: bounds, both included; a number, or a formula in n (processes), m (links) and the parameters.
        choices: the values, if they do not form a range.
    """

    initial: Any
    minimum: float | str | None = None
    maximum: float | str | None = None
    choices: tuple[Any, ...] | None = None

    def check(self, names: Iterable[str]) -> None:
        """Refuse bounds that cannot be computed.

        Args:
            names: the names that a formula may use.

        Raises:
            BadInput: the error says what is wrong.
        """
        from lydian.model.lang.formula import Formula

        known = list(names)
        for bound in (self.minimum, self.maximum):
            if isinstance(bound, str):
                formula = Formula(bound)
                if formula.relation != "=":
                    raise BadInput(f"a bound must be a number or a formula such as 'k - 1', not '{bound}'")
                formula.check(known)

    def bounds(self, values: Mapping[str, Any]) -> tuple[float, float]:
        """Return the smallest and the largest value; by default, from 0 to the number of processes.

        Args:
            values: the values of n, m and the parameters.
        """
        from lydian.model.lang.formula import Formula

        low, high = (
            Formula(bound).value(values) if isinstance(bound, str) else bound for bound in (self.minimum, self.maximum)
        )
        low = 0.0 if low is None else float(low)
        return low, max(low, float(values["n"]) if high is None else float(high))


def variable(
    initial: Any,
    *,
    minimum: float | str | None = None,
    maximum: float | str | None = None,
    choices: Iterable[Any] | None = None,
) -> Any:
    """Declare a variable whose values are bounded: ``count: int = variable(0, minimum=0, maximum="k - 1")``.

    A bound is a number, or a formula in n, m and the parameters; ``choices`` lists the values instead. The initial
    value may be replaced by a function of the process, which can use its name, its neighbours and its parameters:
    ``missing: int = variable(lambda p: len(p.neighbours))``. It is called before the run begins, and when the process
    recovers without its memory.
    """
    values = None if choices is None else tuple(choices)
    if callable(initial):
        return Domain(initial, minimum, maximum, values)
    if values is not None:
        if not values:
            raise ValueError("the choices of a variable must contain at least one value")
        if initial not in values:
            raise ValueError(
                f"the initial value {shown(initial)} is not one of the choices{did_you_mean(initial, values)}"
            )
        if minimum is not None or maximum is not None:
            raise ValueError("a variable must have bounds or choices, not both")
    else:
        if not isinstance(initial, (int, float)) or isinstance(initial, bool):
            raise ValueError(
                f"bounds must be given only for numbers, not for {shown(initial)}; list its values: choices=(...)"
            )
        for bound in (minimum, maximum):
            if bound is not None and (not isinstance(bound, (int, float, str)) or isinstance(bound, bool)):
                raise ValueError(f"a bound must be a number or a formula such as 'k - 1', not {shown(bound)}")
        if not isinstance(minimum, str) and minimum is not None and initial < minimum:
            raise ValueError(f"the initial value must be at least {minimum}, not {initial}")
        if not isinstance(maximum, str) and maximum is not None and initial > maximum:
            raise ValueError(f"the initial value must be at most {maximum}, not {initial}")
    return Domain(initial, minimum, maximum, values)
