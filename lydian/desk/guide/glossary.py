"""The terms of the glossary, as the tooltips of the window quote them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from lydian.desk.guide.pages import Place, slug, text_of
from lydian.language import ENGLISH, language

__all__ = ["GLOSSARY", "ITEM", "Term", "explained", "place_of_term", "terms", "terms_in"]

GLOSSARY = "glossary"
#: The maximum length of a line of a tooltip in characters.
WIDE = 76
#: An entry of the page: the term, and everything that is said of it.
ITEM = re.compile(r"^\* \*\*(.+?)\*\*: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Term:
    """A term of the glossary, with its meaning as plain sentences, without its other names and its references."""

    name: str
    meaning: str


@cache
def terms() -> Mapping[str, Term]:
    """Return the terms of the glossary by name."""
    found = {}
    for name, text in ITEM.findall(text_of(GLOSSARY)):
        text = re.sub(r" \*\([^)]*\)\*$", "", text)
        text = re.sub(r" (Also called|In protocol files:) [^.]*\.", "", text)
        found[name] = Term(name, re.sub(r"[*`]", "", text))
    return found


def place_of_term(name: str) -> Place:
    """Return where the guide explains a term."""
    return Place(GLOSSARY, slug(name))


def explained(tip: str, *names: str) -> str:
    """Return a tooltip that ends with the meanings of terms, in the words of the glossary.

    A term that the glossary of this installation lacks is left out. The glossary is in English, so in other languages
    the tooltip stays as it is.
    """
    if language() != ENGLISH:
        return tip
    return "\n\n".join(filter(None, [tip, *(_sentence(terms()[name]) for name in names if name in terms())]))


@cache  # many tooltips quote the same few terms
def _sentence(term: Term) -> str:
    return textwrap.fill(f"{term.name[:1].upper()}{term.name[1:]}: {term.meaning}", WIDE)


def terms_in(text: str) -> list[str]:
    """Return the terms of the glossary that a label names, in their order, each once; a plural counts as its term."""
    known = {name.lower(): name for name in terms()}
    return list(dict.fromkeys(known[found.lower()] for found in _any_term().findall(text)))


@cache
def _any_term() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(terms(), key=len, reverse=True))
    return re.compile(rf"\b({names})(?:e?s)?\b" if names else r"(?!)", re.IGNORECASE)
