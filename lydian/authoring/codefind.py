"""Finding and replacing in a text: plain words by default, patterns on request."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from lydian.model.errors import BadInput

__all__ = ["MOST", "Search", "find_all", "next_of", "replaced", "replaced_all"]

#: More places than this are not collected.
MOST = 20_000


@dataclass(frozen=True)
class Search:
    """What is looked for.

    Attributes:
        case: capitals matter.
        whole: whole words only.
        pattern: ``text`` is a regular expression of Python.
    """

    text: str
    case: bool = False
    whole: bool = False
    pattern: bool = False

    def compiled(self) -> re.Pattern[str]:
        """The expression.

        Raises:
            BadInput: it is none.
        """
        words = self.text if self.pattern else re.escape(self.text)
        if self.whole:
            words = rf"(?<!\w)(?:{words})(?!\w)"
        try:
            return re.compile(words, re.MULTILINE | (0 if self.case else re.IGNORECASE))
        except (re.error, RecursionError, OverflowError) as error:
            what = f"this pattern cannot be read: {error}; switch patterns off to find the plain text"
            raise BadInput(what) from None


def find_all(source: str, search: Search) -> list[tuple[int, int]]:
    """The places where it stands, start and end, none of them empty; the first :data:`MOST`.

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
    """The number of the place after an offset (1) or before it (-1), from the other end when there is none."""
    if not found:
        return None
    starts = [start for start, _ in found]
    number = bisect_left(starts, at)
    return (number if step > 0 else number - 1) % len(found)


def replaced(source: str, search: Search, place: tuple[int, int], by: str) -> str:
    """What one place becomes.

    Raises:
        BadInput: with patterns, ``by`` names a group that is not there.
    """
    if not search.pattern:
        return by
    match = search.compiled().search(source, place[0])
    if match is None or match.span() != place:
        return by
    try:
        return match.expand(by)
    except (re.error, IndexError) as error:
        raise BadInput(f"the replacement cannot be read: {error}; \\1 is the first group in brackets") from None


def replaced_all(source: str, search: Search, by: str) -> tuple[str, int]:
    """The text with every place replaced, and how many there were.

    Raises:
        BadInput: the pattern or the replacement cannot be read.
    """
    parts: list[str] = []
    done = count = 0
    for place in find_all(source, search):
        parts += [source[done : place[0]], replaced(source, search, place, by)]
        done, count = place[1], count + 1
    return "".join([*parts, source[done:]]), count
