"""Finding and replacing in a text, by plain words or by regular expressions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from lydian.language import tr
from lydian.model.errors import BadInput

__all__ = ["MOST", "Search", "find_all", "next_of", "replaced", "replaced_all"]

#: The largest number of matches that are collected.
MOST = 20_000


@dataclass(frozen=True)
class Search:
    """The settings of a search.

    Attributes:
        case: whether case must match.
        whole: whether only whole words match.
        pattern: whether ``text`` is a regular expression of Python.
    """

    text: str
    case: bool = False
    whole: bool = False
    pattern: bool = False

    def compiled(self) -> re.Pattern[str]:
        """Return the compiled regular expression.

        Raises:
            BadInput: the pattern cannot be read.
        """
        words = self.text if self.pattern else re.escape(self.text)
        if self.whole:
            words = rf"(?<!\w)(?:{words})(?!\w)"
        try:
            return re.compile(words, re.MULTILINE | (0 if self.case else re.IGNORECASE))
        except (re.error, RecursionError, OverflowError) as error:
            what = tr(
                "this pattern cannot be read: {reason}; switch regular expressions off to find the plain text",
                reason=error,
            )
            raise BadInput(what) from None


def find_all(source: str, search: Search) -> list[tuple[int, int]]:
    """Return the start and end of the first :data:`MOST` matches, without empty ones.

    Raises:
        BadInput: the pattern cannot be read.
    """
    if not search.text:
        return []
    found: list[tuple[int, int]] = []
    for match in search.compiled().finditer(source):
        if match.end() > match.start():
            found.append(match.span())
            if len(found) == MOST:
                break
    return found


def next_of(found: Sequence[tuple[int, int]], at: int, step: int = 1) -> int | None:
    """Return the number of the match after an offset (1) or before it (-1), wrapping round at the ends."""
    if not found:
        return None
    starts = [start for start, _ in found]
    number = bisect_left(starts, at)
    return (number if step > 0 else number - 1) % len(found)


def replaced(source: str, search: Search, place: tuple[int, int], by: str) -> str:
    """Return the replacement of one match.

    Raises:
        BadInput: ``by`` refers to a group that the pattern does not have.
    """
    if not search.pattern:
        return by
    match = search.compiled().search(source, place[0])
    if match is None or match.span() != place:
        return by
    try:
        return match.expand(by)
    except (re.error, IndexError) as error:
        raise BadInput(
            tr("the replacement cannot be read: {reason}; \\1 is the first group in brackets", reason=error)
        ) from None


def replaced_all(source: str, search: Search, by: str) -> tuple[str, int]:
    """Return the text with every match replaced, and the number of matches.

    Raises:
        BadInput: the pattern or the replacement cannot be read.
    """
    parts: list[str] = []
    done = count = 0
    for place in find_all(source, search):
        parts += [source[done : place[0]], replaced(source, search, place, by)]
        done, count = place[1], count + 1
    return "".join([*parts, source[done:]]), count
