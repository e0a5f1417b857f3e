"""The terms of the glossary, as the tooltips of the window quote them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from lydian.desk.guide.pages import Place, slug, text_of

__all__ = ["GLOSSARY", "ITEM", "Term", "explained", "place_of_term", "terms"]

GLOSSARY = "glossary"
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

    A term that the glossary of this installation lacks is left out.
    """
    known = [terms()[name] for name in names if name in terms()]
    sentences = [f"{term.name[:1].upper()}{term.name[1:]}: {term.meaning}" for term in known]
    return "\n\n".join(filter(None, [tip, *sentences]))
