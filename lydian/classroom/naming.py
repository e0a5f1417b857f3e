"""The names of people, and the code with which they join."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection

from lydian.language import tr
from lydian.model.errors import shown

__all__ = ["MOST_LETTERS", "BadName", "code_for", "named"]

#: The most letters in a name.
MOST_LETTERS = 16


class BadName(ValueError):
    """An error raised for a name that cannot be used; the text says why and what could be used."""


def named(text: str, taken: Collection[str] = ()) -> str:
    """Return a name as it is shown: one line of letters, digits, marks and simple punctuation.

    Characters that are invisible, control the direction of text or break lines are removed.

    Raises:
        BadName: nothing is left, it is too long, or somebody is called so already.
    """
    letters = unicodedata.normalize("NFC", text[:200])
    kept = "".join(each if unicodedata.category(each)[0] in "LMNPS" else " " for each in letters if _visible(each))
    name = " ".join(kept.split())
    marks = 0
    for each in name:  # a tower of accents covers the lines above it
        marks = marks + 1 if unicodedata.category(each)[0] == "M" else 0
        if marks > 2:
            raise BadName(tr("a letter of a name can have at most two accents"))
    if not any(unicodedata.category(each)[0] in "LN" for each in name):
        raise BadName(tr("a name needs a letter or a digit"))
    if len(name) > MOST_LETTERS:
        raise BadName(tr("a name has at most {most} letters, not {count}", most=MOST_LETTERS, count=len(name)))
    key = name.casefold()
    others = {each.casefold() for each in taken}
    if key in others:
        free = next(f"{name[: MOST_LETTERS - 4]} {k}" for k in range(2, 10_000) if f"{key[:12]} {k}" not in others)
        raise BadName(tr("that name is taken: {name}?", name=free))
    return name


def _visible(letter: str) -> bool:
    return unicodedata.category(letter) not in ("Cf", "Cs", "Co", "Cn")


def code_for(word: str) -> str:
    """Return a new code: a word that says what it is about, and four digits."""
    letters = "".join(each for each in word.lower().split("-")[0] if each.isascii() and each.isalpha())[:8]
    return f"{letters or 'class'}-{secrets.randbelow(9000) + 1000}"


def proper_code(code: str) -> str:
    """Return a code that the host has chosen.

    Raises:
        BadName: it is too short to protect a class, or cannot be typed.
    """
    code = code.strip().lower()
    if not 4 <= len(code) <= 24 or not all(each.isascii() and (each.isalnum() or each == "-") for each in code):
        what = tr(
            "a code must have 4 to 24 lower-case letters, digits or hyphens; {code} cannot be used", code=shown(code)
        )
        raise BadName(what)
    return code
