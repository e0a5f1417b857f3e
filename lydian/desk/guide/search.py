"""A search over the whole guide: its pages, their sections, the archive's pages and the terms of the glossary."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from lydian.desk.guide.glossary import GLOSSARY, ITEM
from lydian.desk.guide.pages import COMMENT, PAGES, Place, guide, slug, text_of

__all__ = [
    "Found",
    "Section",
    "densest",
    "excerpt",
    "fold",
    "index",
    "matches",
    "plain",
    "search",
    "sections",
    "split",
    "whole_guide",
    "words",
]

#: The maximum number of results.
MOST = 60
#: The length of an excerpt in characters, and of its part before the first word found.
LONG, BEFORE = 180, 36
#: Weights of a word in the title of a page, in a heading and in the text; a whole word counts more than a prefix.
_TITLE, _HEADING, _TEXT, _WHOLE = 100.0, 60.0, 8.0, 1.5
_WORD = re.compile(r"[^\W_]+")
_FENCE = re.compile(r"^```[^\n]*\n|^```[ \t]*$", re.MULTILINE)
_HEADING_LINE = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A section of a page, or a term of the glossary.

    Attributes:
        place: where it is.
        page: the title of its page.
        heading: its heading; that of the page for the text above the first section.
        text: its text without mark-up, in one line.
    """

    place: Place
    page: str
    heading: str
    text: str


@dataclass(frozen=True)
class Found:
    """A section that contains all words, with one line of its text.

    Attributes:
        bold: the places of the words in ``line``, as (start, end).
    """

    section: Section
    line: str
    bold: tuple[tuple[int, int], ...]


class _Folded(dict[int, str]):
    """Each character without its accents; one character remains one character."""

    def __missing__(self, code: int) -> str:
        self[code] = unicodedata.normalize("NFKD", chr(code))[0].lower()[0]
        return self[code]


_FOLDED = _Folded()


@lru_cache(maxsize=1000)  # the texts of the sections
def fold(text: str) -> str:
    """Return a text in lower case and without accents, of the same length."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


def words(text: str) -> list[str]:
    """Return the words of a text as they are compared: in lower case, without accents."""
    return _WORD.findall(fold(text))


def plain(text: str) -> str:
    """Return Markdown as one line without its mark-up."""
    text = _FENCE.sub("", COMMENT.sub("", text))
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^\|[ :|-]+\|[ \t]*$", "", text, flags=re.MULTILINE)  # the line below the head of a table
    text = re.sub(r"^\| | \|$", "", text, flags=re.MULTILINE).replace(" | ", " · ").replace("\\|", "|")
    text = re.sub(r"^[ \t]*(?:[*-]|>) ", "", text, flags=re.MULTILINE)
    return " ".join(re.sub(r"\*+|`", "", text).split())


def split(page: str, text: str) -> Iterator[Section]:
    """Yield the sections of a page of the guide; each entry of the glossary is a section."""
    hidden = _CODE.sub(lambda match: re.sub(r"^#", "\0", match[0], flags=re.MULTILINE), text)  # "# ..." in code
    _none, *parts = _HEADING_LINE.split(hidden)
    title = plain(parts[1]).partition(":")[0] if parts else page
    for number, (_level, heading, body) in enumerate(zip(parts[::3], parts[1::3], parts[2::3], strict=True)):
        heading, body = plain(heading), body.replace("\0", "#")
        if page == GLOSSARY:
            for name, meaning in ITEM.findall(body):
                yield Section(Place(page, slug(name)), title, name[:1].upper() + name[1:], plain(meaning))
            body = ITEM.sub("", body)
        yield Section(Place(page, slug(heading) if number else ""), title, heading, plain(body))


@cache
def sections() -> tuple[Section, ...]:
    """Return all sections of the guide in reading order, the archive's pages last."""
    archived = sorted(f"archive/{file.stem}" for file in (guide() / "archive").glob("*.md"))
    return tuple(section for page in (*PAGES, *archived) for section in split(page, text_of(page)))


@dataclass(frozen=True)
class Index:
    """The words of sections, sorted, with the weight of each word in each section.

    Attributes:
        phrases: the words of each section in their order, between spaces.
        weights: for each word, section number -> (weight, whether the section's own heading or text contains it).
    """

    sections: Sequence[Section]
    phrases: Sequence[str]
    words: Sequence[str]
    weights: Sequence[Mapping[int, tuple[float, bool]]]

    def containing(self, word: str) -> dict[int, tuple[float, bool]]:
        """Return the sections that contain a word or begin one with it, in the form of ``weights``."""
        found: dict[int, tuple[float, bool]] = {}
        for at in range(bisect_left(self.words, word), len(self.words)):
            if not self.words[at].startswith(word):
                break
            more = _WHOLE if self.words[at] == word else 1.0
            for number, (weight, own) in self.weights[at].items():
                old, owned = found.get(number, (0.0, False))
                found[number] = max(old, weight * more), own or owned
        return found


def index(known: Sequence[Section]) -> Index:
    """Return the index of sections; it takes time in proportion to their text."""
    table: dict[str, dict[int, tuple[float, bool]]] = {}
    phrases = []
    for number, section in enumerate(known):
        heading, text = words(section.heading), words(section.text)
        phrases.append(f" {' '.join([*heading, *text])}")
        counts = {word: _TEXT + min(often, _TEXT) for word, often in Counter(text).items()}
        own = counts | dict.fromkeys(heading, _HEADING)
        for word in words(section.page):
            own[word] = _TITLE if not section.place.section else own.get(word, 0.0)
        for word, weight in own.items():
            table.setdefault(word, {})[number] = (weight or 1.0, weight > 0)
    ordered = sorted(table)
    return Index(known, phrases, ordered, [table[word] for word in ordered])


@cache
def whole_guide() -> Index:
    """Return the index of the whole guide, which is made at the first call."""
    return index(sections())


def search(query: str, among: Index | None = None) -> list[Found]:
    """Return the sections that contain all words of a query, best first, at most :data:`MOST`.

    A word of the query matches every word that begins with it. Words in the title of a page count most, then words in a
    heading, then words in the text; a heading that is exactly the query is first. The title of a page counts for its
    sections too, if another word is in the section itself. Without an index of its own, the whole guide is searched.
    """
    asked = words(query)
    if not asked:
        return []
    among = among or whole_guide()
    each = [among.containing(word) for word in asked]
    fits = []
    for number in set(each[0]).intersection(*each[1:]):
        if not any(table[number][1] for table in each):
            continue
        section = among.sections[number]
        score = sum(table[number][0] for table in each)
        if words(section.heading) == asked:
            score += 1000
        elif len(asked) > 1 and f" {' '.join(asked)}" in among.phrases[number]:
            score += 40
        fits.append((-score, number))
    best = [among.sections[number] for _score, number in sorted(fits)[:MOST]]
    return [_found(section, asked) for section in best]


def _found(section: Section, asked: Sequence[str]) -> Found:
    """Return the result for a section; one found by its heading is introduced by the beginning of its text."""
    named = all(any(word.startswith(one) for word in words(section.heading)) for one in asked)
    return Found(section, *excerpt(section.text, asked, from_start=named))


def matches(text: str, asked: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of the given (folded) words at the beginnings of words of a text, as (start, end)."""
    if not asked:
        return []
    longest_first = "|".join(map(re.escape, sorted(asked, key=len, reverse=True)))
    return [match.span() for match in re.finditer(rf"(?<![^\W_])(?:{longest_first})", fold(text))]


def densest(folded: str, spans: Sequence[tuple[int, int]]) -> int:
    """Return the first place of words in a text that is followed by the most different ones, or 0 without words."""

    def different(start: int) -> int:
        return len({folded[a:b] for a, b in spans if start <= a < start + LONG - BEFORE})

    return max((start for start, _end in spans), key=lambda start: (different(start), -start), default=0)


def excerpt(text: str, asked: Sequence[str], *, from_start: bool = False) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return a one-line excerpt of a text, and the places of the search words in the excerpt.

    It is taken around the place with the most search words, or from the start.
    """
    spans = matches(text, asked)
    first = densest(fold(text), spans)
    begin = 0 if from_start else _beginning(text, first)
    line = text[begin : begin + LONG]
    if begin + LONG < len(text):
        line = line.rpartition(" ")[0] + " …"
    before = "… " if begin else ""
    return before + line, tuple(
        (a - begin + len(before), b - begin + len(before)) for a, b in spans if begin <= a and b <= begin + len(line)
    )


def _beginning(text: str, first: int) -> int:
    """Return where an excerpt begins: at the sentence of the first word if it is near, or a few words before it."""
    if first <= BEFORE:
        return 0
    sentence = max(text.rfind(f"{mark} ", first - BEFORE, first) for mark in ".?!:")
    if sentence >= 0:
        return sentence + 2
    return text.find(" ", first - BEFORE, first) + 1 or first
