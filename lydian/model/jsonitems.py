"""A reader for large JSON texts that works item by item, so that it can report its progress and be cancelled.

The standard library reads a text in one go and blocks all other threads meanwhile: for a second with a million links.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

__all__ = ["Watch", "watched_object"]

#: A function that is called regularly with the progress, 0 to 1; an exception that it raises ends the work.
Watch = Callable[[float], None]
_EVERY = 500  # items between two calls of the watch
_BLANK = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*([,\]])[ \t\n\r]*")


def watched_object(text: str, watch: Watch) -> dict[str, Any] | None:
    """Return the object in a text, reading its lists item by item and calling ``watch``.

    Return ``None`` if the text is not an object or not valid JSON; the standard library then gives a better error.
    """
    scan = json.JSONDecoder().raw_decode
    data: dict[str, Any] = {}
    at = _after(text, 0)
    if text[at : at + 1] != "{":
        return None
    at = _after(text, at + 1)
    try:
        while True:
            key, at = scan(text, at)
            at = _after(text, at)
            if not isinstance(key, str) or text[at : at + 1] != ":":
                return None
            at = _after(text, at + 1)
            if text[at : at + 1] == "[":
                data[key], at = _items(text, _after(text, at + 1), scan, watch)
            else:
                data[key], at = scan(text, at)
            at = _after(text, at)
            mark, at = text[at : at + 1], _after(text, at + 1)
            if mark == "}":
                return data if at == len(text) else None
            if mark != ",":
                return None
    except json.JSONDecodeError:
        return None


def _items(text: str, at: int, scan: Callable[[str, int], tuple[Any, int]], watch: Watch) -> tuple[list[Any], int]:
    found: list[Any] = []
    if text[at : at + 1] == "]":
        return found, at + 1
    while True:
        item, at = scan(text, at)
        found.append(item)
        mark = _COMMA.match(text, at)
        if mark is None:
            raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
        if len(found) % _EVERY == 0:
            watch(at / len(text))
        at = mark.end()
        if mark[1] == "]":
            return found, at


def _after(text: str, at: int) -> int:
    """Return the position of the next character that is not white space."""
    found = _BLANK.match(text, at)
    return found.end() if found else at
