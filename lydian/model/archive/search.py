"""Search in the catalogue by words, ``family:waves`` and ``needs:fifo``, with the best results first."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from lydian.model.archive.catalogue import Catalogue, Entry
from lydian.model.archive.families import Family
from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = ["Wanted", "family_called", "need_called", "question", "search"]


@dataclass(frozen=True)
class Wanted:
    """A search for entries that contain all these words or parts of words, are in one of these families and have all
    these needs."""

    words: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.families or self.needs)


def question(text: str) -> Wanted:
    """Parse what the user has typed: words, and ``family:`` and ``needs:`` with a name or part of a name.

    ``needs:"one initiator"`` and ``needs:one-initiator`` mean the same.
    """
    parts = text.replace('"', " ").replace("'", " ").split()
    for ending in ("", '"', "'"):  # a quotation mark may still be unclosed
        with contextlib.suppress(ValueError):
            parts = shlex.split(text + ending)
            break
    words, families, needs = [], [], []
    for part in parts:
        key, colon, value = part.partition(":")
        if colon and key.lower() in ("family", "families"):
            families.append(value)
        elif colon and key.lower() in ("needs", "need"):
            needs.append(value)
        else:
            words.append(part.lower())
    return Wanted(tuple(words), tuple(filter(None, families)), tuple(filter(None, needs)))


def search(catalogue: Catalogue, wanted: Wanted) -> tuple[Entry, ...]:
    """Return the entries that match a search, the best first; without words, in the order of the catalogue."""
    families = [_plain(each) for each in wanted.families]
    keys = [family.key for family in catalogue.families if any(_is_family(family, each) for each in families)]
    numbers: Iterable[int] = range(len(catalogue.entries))
    if wanted.words:
        numbers = (number for number, _score in catalogue.index.search(" ".join(wanted.words)).found)
    return tuple(
        entry
        for entry in (catalogue.entries[number] for number in numbers)
        if (not families or entry.family in keys)
        and all(any(_has(need, each) for need in entry.needs) for each in wanted.needs)
    )


def family_called(catalogue: Catalogue, text: str) -> Family:
    """Return the family that a text names by its key, its title or the beginning of one of them.

    Raises:
        BadInput: there is no such family; the error lists the families.
    """
    wanted = _plain(text)
    exact = [each for each in catalogue.families if wanted in (_plain(each.key), _plain(each.title))]
    found = exact or [each for each in catalogue.families if wanted and _is_family(each, wanted)]
    if not found:
        keys = [each.key for each in catalogue.families]
        raise BadInput(f"unknown family {shown(text)}{did_you_mean(text, keys)}; choose from {', '.join(keys)}")
    return found[0]


def need_called(needs: Collection[str], text: str) -> str:
    """Return the assumption that a text names, completely or in part.

    Raises:
        BadInput: no protocol makes it; the error lists the assumptions.
    """
    exact = [each for each in needs if _plain(each) == _plain(text)]
    found = exact or [each for each in needs if _has(each, text)]
    if not found:
        raise BadInput(f"unknown assumption {shown(text)}{did_you_mean(text, needs)}; choose from {', '.join(needs)}")
    return found[0]


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())


def _has(need: str, part: str) -> bool:
    """Return True if all given words begin words of a need, so that ``ring`` also finds a one-way ring."""
    words = _plain(part).split()
    there = _plain(need).split()
    return bool(words) and all(any(each.startswith(word) for each in there) for word in words)


def _is_family(family: Family, wanted: str) -> bool:
    return bool(wanted) and (
        _plain(family.key).startswith(wanted) or any(w.startswith(wanted) for w in _plain(family.title).split())
        or _plain(family.title).startswith(wanted)
    )  # fmt: skip
