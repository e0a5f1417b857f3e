"""Values in readable notation: a set as a set and a pair as a pair, although a trace writes both as lists.

A trace writes sets, tuples and lists as lists. The protocol's text declares the original type beside the variable or
field that contains the value; :func:`typed` restores it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from lydian.model.source.syntax import tree_of

__all__ = ["SetOf", "typed", "value_text"]

_SETS = ("set", "frozenset", "abstractset", "mutableset")
_TABLES = ("dict", "mapping", "mutablemapping", "defaultdict")
_LISTS = ("list", "sequence", "mutablesequence", "iterable", "collection", "deque")


class SetOf(tuple[Any, ...]):
    """The members of a set in the order in which a trace writes them."""

    __slots__ = ()


def typed(value: Any, annotation: str) -> Any:
    """Return a value from a trace with its sets as :class:`SetOf` and its tuples as tuples, as an annotation declares
    them.

    Args:
        annotation: as in the protocol's text (``set[str]``, ``tuple[int, str] | None``); of what it does not tell
            everything stays as it is.
    """
    if not annotation or not isinstance(value, list | dict):
        return value
    return _typed(value, _parsed(annotation))


@lru_cache(maxsize=512)
def _parsed(annotation: str) -> ast.expr | None:
    try:
        return tree_of(annotation.strip("'\""), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _typed(value: Any, kind: ast.expr | None) -> Any:
    kinds = [each for each in _union(kind) if _fits(value, each)]
    kind = kinds[0] if kinds else None
    name, items = _name(kind), _items(kind)
    if isinstance(value, Mapping):
        inner = items[1] if len(items) == 2 else None
        return {key: _typed(item, inner) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    if name == "tuple":
        each = items[0] if len(items) == 2 and isinstance(items[1], ast.Constant) else None
        known = [*items, *[None] * len(value)]
        return tuple(_typed(item, each or known[at]) for at, item in enumerate(value))
    inner = items[0] if len(items) == 1 else None
    found = [_typed(item, inner) for item in value]
    return SetOf(found) if name in _SETS else found


def _union(kind: ast.expr | None) -> list[ast.expr]:
    if isinstance(kind, ast.BinOp):
        return [*_union(kind.left), *_union(kind.right)]
    if _name(kind) in ("optional", "union"):
        return _items(kind)
    return [] if kind is None else [kind]


def _fits(value: Any, kind: ast.expr) -> bool:
    name = _name(kind)
    if isinstance(value, list):
        return name == "tuple" or name in _SETS or name in _LISTS
    return name in _TABLES if isinstance(value, Mapping) else True


def _name(kind: ast.expr | None) -> str:
    kind = kind.value if isinstance(kind, ast.Subscript) else kind
    name = kind.attr if isinstance(kind, ast.Attribute) else kind.id if isinstance(kind, ast.Name) else ""
    return name.lower()


def _items(kind: ast.expr | None) -> list[ast.expr]:
    if not isinstance(kind, ast.Subscript):
        return []
    return list(kind.slice.elts) if isinstance(kind.slice, ast.Tuple) else [kind.slice]


def value_text(value: Any, *, limit: int = 48) -> str:
    """Return a value in readable notation: ``none``, ``{6, 8}``, ``(3, a)``, ``empty``; cut to ``limit`` characters."""
    text = _text(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return value if value.strip() else "''"
    if isinstance(value, Mapping):
        kind = value.get("kind")
        if isinstance(kind, str) and kind[:1].isupper() and kind.isidentifier():  # This is a message inside a message.
            inner = ", ".join(f"{key}={_text(item)}" for key, item in value.items() if key != "kind")
            return f"{kind}({inner})" if inner else kind
        inner = ", ".join(f"{_key(key)}: {_text(item)}" for key, item in value.items())
        return "{" + inner + "}" if inner else "empty"
    if isinstance(value, Sequence | set | frozenset):
        inner = ", ".join(_text(item) for item in value)
        if not inner:
            return "empty"
        if isinstance(value, SetOf | set | frozenset):
            return "{" + inner + "}"
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    return str(value)


def _key(key: Any) -> str:
    """Return a key of a table; JSON keeps a pair as its Python text."""
    if isinstance(key, str) and key.startswith("(") and key.endswith(")"):
        try:
            found = ast.literal_eval(key)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return key
        return _text(found)
    return _text(key)
