"""Values as users type them, read by the type that the protocol declares for a field or a variable."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.model.protocol.message import accepted_types, fitted, split_union
from lydian.views.words.phrases import alternatives

__all__ = ["read_value", "starting_value", "text_of_source", "wanted", "write_value"]

_COLLECTIONS = (list, tuple, set, frozenset)


def read_value(text: str, type_text: str) -> Any:
    """Return the plain value that a text means for a declared type.

    Texts need no quotation marks and collections no brackets: ``6, 8`` is a set for ``set[str]``.

    Raises:
        BadInput: the text is not a value of that type; the sentence says what would be.
    """
    text = text.strip()
    accepted = accepted_types(type_text)
    literal = _literal(text)
    if accepted is None:
        return text if literal is _NO else literal
    if type(None) in accepted and text in ("None", "none", "null", ""):
        return None
    if bool in accepted and text.lower() in ("true", "false", "yes", "no"):
        return text.lower() in ("true", "yes")
    if any(kind in _COLLECTIONS for kind in accepted):
        return _fits(_several(text, literal, _inner(type_text)), type_text, text)
    if str in accepted and not (literal is not _NO and not isinstance(literal, str) and _other(accepted, literal)):
        return literal if isinstance(literal, str) else text
    if literal is _NO:
        raise _unlike(_in_words(accepted), text)
    if isinstance(literal, bool) and bool not in accepted:
        raise _unlike(_in_words(accepted), text)
    return _fits(literal, type_text, text)


def write_value(value: Any, type_text: str = "") -> str:
    """Return a value as text that :func:`read_value` can read back."""
    if isinstance(value, _COLLECTIONS):
        kinds = accepted_types(type_text) or (type(value),)
        inside = ", ".join(write_value(item) if isinstance(item, str) else repr(item) for item in _sorted(value, kinds))
        if set in kinds or frozenset in kinds:
            return f"{{{inside}}}"
        return f"({inside})" if tuple in kinds else f"[{inside}]"
    return value if isinstance(value, str) else repr(value)


def text_of_source(source: str | None, type_text: str) -> str | None:
    """Return a default from a protocol's file as a user would type it; ``None`` if there is none or it is computed."""
    if source is None:
        return None
    if source.replace(" ", "") in ("set()", "frozenset()", "tuple()", "list()", "()", "[]", "{}"):
        return write_value([], type_text)
    value = _literal(source)
    return None if value is _NO else write_value(value, type_text)


def starting_value(type_text: str, names: Sequence[str] = ()) -> str:
    """Return a starting value where there is no default: zero, an empty value, or the name of some process."""
    kinds = accepted_types(type_text) or ()
    if type(None) in kinds:
        return "None"
    if bool in kinds:
        return "False"
    if int in kinds:
        return "0"
    if any(kind in _COLLECTIONS for kind in kinds):
        return write_value([], type_text)
    return names[0] if names and (str in kinds or not kinds) else ""


_NO: Any = object()


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return _NO


def _other(accepted: Sequence[type], literal: Any) -> bool:
    """Return True if a literal is of an accepted type other than text."""
    return any(kind not in (str, type(None)) and type(literal) is kind for kind in accepted)


def _inner(type_text: str) -> str:
    """Return the type of the items of a collection, "" if it is not declared."""
    for part in split_union(type_text):
        base, bracket, inside = part.partition("[")
        if bracket and base.strip() in ("set", "frozenset", "list", "tuple"):
            return inside.rstrip("]").split(",")[0].strip()
    return ""


def _several(text: str, literal: Any, inner: str) -> list[Any]:
    """Return the items of a collection."""
    if isinstance(literal, _COLLECTIONS) and inner != "str":
        return _sorted(literal, (type(literal),))
    if isinstance(literal, dict) and not literal:
        return []
    bare = text.strip()
    if bare[:1] + bare[-1:] in ("{}", "[]", "()"):
        bare = bare[1:-1]
    words = [word.strip().strip("'\"") for word in bare.split(",")]
    words = [word for word in words if word]
    if inner == "str":
        return words
    found = [_literal(word) for word in words]
    if inner in ("int", "float") and any(item is _NO or isinstance(item, str) for item in found):
        kind = tr("whole numbers separated by commas") if inner == "int" else tr("numbers separated by commas")
        raise _unlike(kind, text)
    return [word if item is _NO else item for word, item in zip(words, found, strict=True)]


def _fits(value: Any, type_text: str, text: str) -> Any:
    try:
        fitted(value, type_text)
    except TypeError:
        raise _unlike(wanted(type_text), text) from None
    return value


def _unlike(kind: str, text: str) -> BadInput:
    return BadInput(tr("must be {kind}, not {value}", kind=kind, value=shown(text)))


def wanted(type_text: str) -> str:
    """Return what may be typed for a declared type, in words: ``a whole number such as 3 or None``."""
    accepted = accepted_types(type_text)
    return tr("a value") if accepted is None else _in_words(accepted)


def _in_words(accepted: Sequence[type]) -> str:
    words = {
        int: tr("a whole number such as {example}", example=3), float: tr("a number such as {example}", example=2.5),
        bool: alternatives(("True", "False")), str: tr("a text"), type(None): "None",
        dict: tr("a table such as {example}", example={"a": 1}),
    }  # fmt: skip
    items = tr("items separated by commas such as {example}", example="6, 8")
    some = [words.get(kind, items) for kind in accepted]
    some = [word for word in dict.fromkeys(some) if not (word == words[int] and float in accepted)]
    return alternatives(some) if some else tr("a value")


def _sorted(value: Any, kinds: Sequence[type]) -> list[Any]:
    ordered = set not in kinds and frozenset not in kinds
    return list(value) if ordered else sorted(value, key=lambda item: (str(type(item)), item))
