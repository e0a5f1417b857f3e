"""Access to the fields of an experiment by name, and texts with values in braces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.lang.formula import FUNCTIONS, Formula

__all__ = ["FORMULA_WORDS", "filled", "parts", "spoken", "with_field"]

#: Words in formulas that are not names.
FORMULA_WORDS = frozenset({*FUNCTIONS, "if", "else"})

_PART = re.compile(r'"([^"]*)"|([^.\[\]"]+)|\[(\d+)\]')
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def parts(path: str) -> tuple[str | int, ...]:
    """Split ``faults[0].process`` into ``("faults", 0, "process")``; a name with dots is put in quotation marks."""
    found: list[str | int] = []
    at = 0
    while at < len(path):
        match = _PART.match(path, at)
        if match is None:
            raise BadInput(f"a field must be written as in timing.delay or faults[0].process, not {shown(path)}")
        quoted, word, number = match.groups()
        found.append(int(number) if number is not None else quoted if quoted is not None else word.strip())
        at = match.end()
        if at < len(path) and path[at] == ".":
            at += 1
            if at == len(path):
                raise BadInput(f"the field {shown(path)} must not end with a dot")
    return tuple(found)


def with_field(data: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Return the same plain data with one field changed; only the containers on its path are copied."""
    if not path:
        return value
    head, rest = path[0], path[1:]
    if isinstance(head, int):
        if not isinstance(data, list) or head >= len(data):
            have = len(data) if isinstance(data, list) else 0
            raise BadInput(f"unknown entry [{head}]; the experiment has {have} there")
        return [with_field(item, rest, value) if i == head else item for i, item in enumerate(data)]
    if data is not None and not isinstance(data, Mapping):
        raise BadInput(f"{shown(data)} has no field {shown(head)}")
    return {**(data or {}), head: with_field((data or {}).get(head), rest, value)}


def spoken(value: Any) -> set[str]:
    """Return the names that occur in braces in a value, bare or in formulas."""
    if isinstance(value, str):
        inner = (match[1] for match in _BRACES.finditer(value) if match[1] is not None)
        return {word for text in inner for word in re.findall(r"[^\W\d]\w*", text)}
    if isinstance(value, Mapping):
        return set().union(*(spoken(item) for item in value.values()))
    if isinstance(value, list | tuple):
        return set().union(*(spoken(item) for item in value))
    return set()


def filled(value: Any, names: Mapping[str, Any]) -> Any:
    """Return a value with everything in braces replaced.

    ``"gnm:{n},{2*n},seed={seed}"`` becomes ``"gnm:8,16,seed=3"``. A text that consists of a single pair of braces
    becomes the value itself; ``{{`` and ``}}`` represent braces.

    Raises:
        BadInput: a name is unknown, or a formula has no value.
    """
    if isinstance(value, str):
        whole = re.fullmatch(r"\{([^{}]*)\}", value)
        if whole:
            return _inner(whole[1], names)
        if "{" not in value and "}" not in value:
            return value
        return _BRACES.sub(lambda match: {"{{": "{", "}}": "}"}.get(match[0]) or _text(_inner(match[1], names)), value)
    if isinstance(value, Mapping):
        return {key: filled(item, names) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [filled(item, names) for item in value]
    return value


def _inner(text: str, names: Mapping[str, Any]) -> Any:
    text = text.strip()
    if text in names:
        return names[text]
    if not text or text.isidentifier():
        known = ", ".join(names) or "none"
        raise BadInput(f"unknown name {shown(text)}{did_you_mean(text, names)}; choose from {known}")
    formula = Formula(text)
    formula.check([name for name, each in names.items() if isinstance(each, int | float)])
    result = formula.value(names)
    return int(result) if result.is_integer() else result


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
