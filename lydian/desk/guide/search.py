"""A search over the whole guide: its pages, their sections, the archive's pages and the terms of the glossary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from lydian.desk.guide.glossary import GLOSSARY, ITEM
from lydian.desk.guide.pages import COMMENT, PAGES, Place, guide, slug, text_of
from lydian.model.finding import Document, Index, fold, matches, words

__all__ = [
    "Found", "Section", "densest", "excerpt", "index", "plain", "search", "sections", "split", "whole_guide",
]  # fmt: skip

#: The maximum number of results.
MOST = 60
#: The length of an excerpt in characters, and of its part before the first word found.
LONG, BEFORE = 180, 36
#: Weights of a word in the title of a page, in a heading and in the text.
_TITLE, _HEADING, _TEXT = 100.0, 60.0, 8.0
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


def index(known: Sequence[Section]) -> Index:
    """Return the index of sections; it takes time in proportion to their text."""
    return Index((_document(section) for section in known), inside=False)


def _document(section: Section) -> Document:
    """Return a section as it is found: words in the title of a page count most, and then those in a heading.

    The title of a page counts for its sections too, if another word is in the section itself.
    """
    fields = [(section.heading, _HEADING), (section.text, _TEXT)]
    if not section.place.section:
        fields.append((section.page, _TITLE))
    return Document(tuple(fields), "" if not section.place.section else section.page)


@cache
def whole_guide() -> Index:
    """Return the index of the whole guide, which is made at the first call."""
    return index(sections())


def search(query: str, known: Sequence[Section] | None = None, among: Index | None = None) -> list[Found]:
    """Return the sections that contain all words of a query, best first, at most :data:`MOST`.

    Args:
        known, among: the sections that are searched and their index; the whole guide if they are not given.
    """
    if known is None:
        known, among = sections(), whole_guide()
    answer = (among or index(known)).search(query)
    return [_found(known[number], answer.terms) for number, _score in answer.found[:MOST]]


def _found(section: Section, asked: Sequence[str]) -> Found:
    """Return the result for a section; one found by its heading is introduced by the beginning of its text."""
    named = all(any(word.startswith(one) for word in words(section.heading)) for one in asked)
    return Found(section, *excerpt(section.text, asked, from_start=named))


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
