"""Values of a sweep as the user types them, such as ``8, 16, 32`` or ``ring:{n}; gnm:{n},{2*n}``, and their inverse."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from lydian.language import tr
from lydian.model.errors import BadInput, shown

__all__ = ["number_of", "seeds_of", "split", "text_of", "texts_of", "value_of", "values_of", "words_of"]

_OPEN, _CLOSE = "([{", ")]}"


def split(text: str) -> list[str]:
    """Split a list into its elements: at lines or semicolons if there are any, else at commas.

    A comma separates only where a space follows it and no bracket is open, or where all elements are numbers; so
    ``gnm:8,16`` is one element, and ``uniform(0, 2), constant(1)`` are two.
    """
    for separators in (";\n", ", "):
        pieces = _cut(text, separators)
        if len(pieces) > 1:
            return pieces
    closer = [piece.strip() for piece in text.split(",")]
    if len(closer) > 1 and all(isinstance(value_of(piece), int | float) for piece in closer):
        return closer
    return [text.strip()] if text.strip() else []


def _cut(text: str, separators: str) -> list[str]:
    found, depth, quote, piece = [], 0, "", ""
    escaped = False
    for at, mark in enumerate(text):
        if quote:
            quote = "" if mark == quote and not escaped else quote
            escaped = quote == '"' and mark == "\\" and not escaped
        elif mark in "\"'":
            quote, escaped = mark, False
        elif mark in _OPEN:
            depth += 1
        elif mark in _CLOSE:
            depth = max(0, depth - 1)
        last = text[at + 1 : at + 2]
        ends = mark in separators if separators != ", " else mark == "," and (last == "" or last.isspace())
        if ends and not quote and not depth:
            found.append(piece)
            piece = ""
        else:
            piece += mark
    return [each.strip() for each in (*found, piece) if each.strip()]


def value_of(text: str) -> Any:
    """Return a typed value: a number, ``true``, a list or a table as in a TOML file; anything else is a text."""
    text = text.strip()
    try:
        value = tomllib.loads(f"v = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return value["v"] if len(value) == 1 and isinstance(value["v"], bool | int | float | str | list | dict) else text


def values_of(text: str) -> list[Any]:
    """Return all values of a typed list."""
    return [value_of(piece) for piece in split(text)]


def text_of(value: Any) -> str:
    """Return a value as a text from which :func:`value_of` restores it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        plain = value == value.strip() and value != "" and value_of(value) == value and split(value) == [value]
        return value if plain and "\n" not in value else _quoted(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_quoted(str(key))} = {_inner(item)}" for key, item in value.items())
        return "{" + inner + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_inner(item) for item in value) + "]"
    return str(value)


def _quoted(text: str) -> str:
    """Return a text in quotation marks as in TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _inner(value: Any) -> str:
    return _quoted(value) if isinstance(value, str) else text_of(value)


def texts_of(values: Sequence[Any]) -> str:
    """Return a list as a text from which :func:`values_of` restores it."""
    pieces = [text_of(value) for value in values]
    for between in (", ", "; "):
        text = between.join(pieces)
        if split(text) == pieces:
            return text
    return "; ".join(_inner(value) for value in values)


def number_of(text: str, what: str) -> float | int:
    """Return a typed number.

    Raises:
        BadInput: it is not a number; ``what`` is its name in the sentence.
    """
    value = value_of(text.replace(",", "") if text.count(",") and "." not in text else text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(
            tr("{what} must be a number such as 8, not {value}", what=what, value=shown(text))
            if text.strip()
            else tr("{what} is missing", what=what)
        )
    return value


def seeds_of(text: str) -> Any:
    """Return typed seeds as they appear in the file: ``20``, ``100 to 119`` or ``1, 5, 9``.

    Raises:
        BadInput: the text has none of these forms.
    """
    words = text.replace("–", " to ").replace("..", " to ").split("to")
    wrong = BadInput(
        tr(
            'write a number such as 20, a range such as "100 to 119" or a list such as "1, 5, 9", not {value}',
            value=shown(text),
        )
    )
    if not text.strip():
        raise BadInput(tr("the number of runs of each combination is missing; write a number such as 20"))
    try:
        if len(words) == 2:
            first, last = (int(word.replace(",", "")) for word in words)
            if last < first:
                raise BadInput(tr("the last seed is before the first: {first} to {last}", first=first, last=last))
            return {"first": first, "count": last - first + 1}
        numbers = [int(word) for word in split(text)]
    except ValueError:
        raise wrong from None
    return numbers[0] if len(numbers) == 1 else numbers


def words_of(seeds: Any) -> str:
    """Return seeds of a file as text: from a number, a table with ``first`` and ``count``, or a list."""
    if isinstance(seeds, Mapping):
        first, count = int(seeds.get("first", 0)), int(seeds.get("count", 1))
        return str(count) if first == 0 else f"{first} to {first + count - 1}"
    if isinstance(seeds, list | tuple):
        return ", ".join(str(seed) for seed in seeds) + ("," if len(seeds) == 1 else "")
    return str(seeds)
