"""The values of a message's fields in JSON, so that they are exactly the same after being read back.

A trace writes values to be read by people: a set, a tuple and a list look alike. Between two components a field must
arrive as it was sent, so everything that JSON does not distinguish is an object with one key, which names its type.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from lydian.engine.wire import Refused
from lydian.model.errors import shown
from lydian.model.protocol.message import Record

__all__ = ["MOST_DEPTH", "read", "written"]

#: The deepest nesting of a value that is read.
MOST_DEPTH = 40
_COLLECTIONS: Mapping[str, Callable[[Any], Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}


def written(value: Any) -> Any:
    """Return plain data in JSON from which :func:`read` makes an equal value of the same type."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, list):
        return [written(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[written(key), written(item)] for key, item in value.items()]}
    if isinstance(value, Record):
        return {"record": [type(value).__name__, {name: written(item) for name, item in value._items()}]}
    for name, kind in (("tuple", tuple), ("set", set), ("frozenset", frozenset)):
        if isinstance(value, kind):
            items = [written(item) for item in value]
            return {name: items if kind is tuple else sorted(items, key=repr)}
    raise TypeError(f"{shown(value)} cannot be sent to another component")


def read(value: Any, classes: Mapping[str, Any], depth: int = 0) -> Any:
    """Return the value that :func:`written` has turned into plain data.

    Args:
        classes: the messages of the protocol by name, as a message may contain others.

    Raises:
        Refused: it is not such data.
    """
    if depth > MOST_DEPTH:
        raise Refused("a field of a message is nested too deeply")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [read(item, classes, depth + 1) for item in value]
    if isinstance(value, dict) and len(value) == 1:
        ((kind, inner),) = value.items()
        try:
            if kind in _COLLECTIONS and isinstance(inner, list):
                return _COLLECTIONS[kind](read(item, classes, depth + 1) for item in inner)
            if kind == "dict":
                return {read(key, classes, depth + 1): read(item, classes, depth + 1) for key, item in inner}
            if kind == "bytes":
                return bytes.fromhex(inner)
            if kind == "float" and inner in ("inf", "-inf", "nan"):
                return float(inner)
            if kind == "record":
                name, fields = inner
                return made(classes.get(name), name, fields, classes, depth + 1)
        except (TypeError, ValueError, AttributeError):
            pass
    raise Refused(f"{shown(value)} is not the value of a field")


def made(cls: Any, name: Any, fields: Any, classes: Mapping[str, Any], depth: int = 0) -> Any:
    """Return the message of a class with these fields.

    Raises:
        Refused: the protocol has no such message, or a field does not fit.
    """
    if cls is None:
        raise Refused(f"the protocol has no message {shown(name)}")
    if not isinstance(fields, dict) or not set(fields) <= set(cls._fields):
        known = ", ".join(cls._fields) or "none"
        raise Refused(f"the fields of {name} must be among {known}, not {shown(fields)}")
    values = {key: read(item, classes, depth) for key, item in fields.items()}
    try:
        return cls(**values)
    except (TypeError, ValueError) as error:
        raise Refused(str(error)) from None
