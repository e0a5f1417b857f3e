"""Parts of sentences put together: lists, clauses and quotations, as the language of the window writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from lydian.language import tr, trc

__all__ = ["alternatives", "chained", "clauses", "joined", "listed", "lowered", "quotation", "stopped", "tally"]


def joined(parts: Sequence[str]) -> str:
    """Return a list in words: ``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return parts[0] if parts else ""
    return tr("{first} and {last}", first=_commas(parts[:-1]), last=parts[-1])


def listed(deeds: Sequence[str]) -> str:
    """Return verbs with their objects as a list; a comma ends the last but one if there is a list inside."""
    conjunction = tr("{first} and {last}", first="", last="")
    if any(conjunction in deed for deed in deeds[:-1]):
        return tr("{first}, and {last}", first=_commas(deeds[:-1]), last=deeds[-1])
    return joined(deeds)


def chained(parts: Iterable[str]) -> str:
    """Return parts that may contain commas: ``a``, ``a and b``, ``a and b and c``."""
    return reduce(lambda first, last: tr("{first} and {last}", first=first, last=last), parts)


def alternatives(parts: Iterable[str]) -> str:
    """Return a choice in words: ``a``, ``a or b``, ``a or b or c``."""
    return reduce(lambda first, last: tr("{first} or {last}", first=first, last=last), parts)


def clauses(*parts: str) -> str:
    """Return clauses of one sentence, separated by semicolons; empty ones are left out."""
    return trc("between clauses", "; ").join(part for part in parts if part)


def lowered(text: str) -> str:
    """Return a sentence or a title as a part of a sentence: with a small first letter, unless the language of the
    window writes nouns with capitals; its translations then put such a part behind a colon.
    """
    small = trc("the first letter of a sentence within a sentence: small or capital", "small") == "small"
    return text[:1].lower() + text[1:] if small else text


def quotation(text: str) -> str:
    """Return a text in quotation marks."""
    return tr("“{text}”", text=text)


def stopped(text: str) -> str:
    """Return a sentence with its full stop, unless it ends in one, also inside a quotation."""
    closing = quotation("\0").partition("\0")[2]
    return text if text.removesuffix(closing).endswith(".") or text.endswith((".", "!", "?", "…")) else text + "."


def tally(value: float) -> int:
    """Return the number on which the form of a noun depends; that of a fraction is the form of several."""
    return int(value) if float(value).is_integer() else 2


def _commas(parts: Sequence[str]) -> str:
    return trc("between the parts of a list", ", ").join(parts)
