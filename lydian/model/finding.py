"""The one search of the program: documents with weighted texts, found by the beginnings of their words.

The guide, the archive, the commands and the events of a run are all searched by :class:`Index`. A word of the query
matches each word that begins with it, without case and accents; only if there is none, the words that contain it, and
then those from whose beginning one typing error separates it: a letter too many, too few, wrong or exchanged with the
next ("partiton" finds "partition").
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Answer", "Document", "Index", "fold", "matches", "words"]

_WORD = re.compile(r"[^\W_]+")
#: How much a match counts: the whole word, its beginning, its inside, and its beginning with a typing error.
_WHOLE, _BEGINS, _INSIDE, _MISTYPED = 1.5, 1.0, 0.5, 0.4
#: The fewest letters of a word that may be inside another one, and of one that may contain a typing error.
_LEAST_INSIDE, _LEAST_MISTYPED = 3, 4
#: Added if the name begins with the first word, if the words occur side by side, and if they are the whole name.
_FIRST, _PHRASE, _NAME = 10.0, 40.0, 1000.0
#: The number of occurrences from which more make no difference.
_OFTEN = 8


class _Folded(dict[int, str]):
    """Each character without its accents; one character remains one character."""

    def __missing__(self, code: int) -> str:
        self[code] = unicodedata.normalize("NFKD", chr(code))[0].lower()[0]
        return self[code]


_FOLDED = _Folded()


@lru_cache(maxsize=1000)  # the texts of the guide's sections
def fold(text: str) -> str:
    """Return a text in lower case and without accents, of the same length."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


def words(text: str) -> list[str]:
    """Return the words of a text as they are compared: in lower case, without accents."""
    return _WORD.findall(fold(text))


def matches(text: str, asked: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of the given (folded) words at the beginnings of words of a text, as (start, end)."""
    if not asked:
        return []
    longest_first = "|".join(map(re.escape, sorted(asked, key=len, reverse=True)))
    return [match.span() for match in re.finditer(rf"(?<![^\W_])(?:{longest_first})", fold(text))]


@dataclass(frozen=True)
class Document:
    """Something that can be found.

    Attributes:
        fields: texts, each with the weight of its words; the first is the name.
        context: a text whose words count a little, but only beside a word of the fields.
    """

    fields: tuple[tuple[str, float], ...]
    context: str = ""


@dataclass(frozen=True)
class Answer:
    """The documents found.

    Attributes:
        found: the numbers of the documents with their scores, the best first; equal ones in their order.
        terms: what was found for each word of the query: the word itself, or what it was a typing error for.
    """

    found: tuple[tuple[int, float], ...] = ()
    terms: tuple[str, ...] = ()


class Index:
    """The words of documents, sorted, with the weight of each in each document.

    Args:
        documents: what can be found; indexing takes time in proportion to their texts.
        inside: whether a word is also found inside others.
    """

    def __init__(self, documents: Iterable[Document], *, inside: bool = True) -> None:
        self._inside = inside
        self._names: list[list[str]] = []
        self._phrases: list[str] = []
        table: dict[str, dict[int, tuple[float, bool]]] = {}
        for number, document in enumerate(documents):
            texts = [(words(text), weight) for text, weight in document.fields]
            self._names.append(texts[0][0] if texts else [])
            self._phrases.append(" ".join(["", *(word for text, _weight in texts for word in text)]))
            own: dict[str, float] = {}
            for text, weight in texts:
                for word, often in Counter(text).items():
                    own[word] = max(own.get(word, 0.0), weight * (1.0 + min(often, _OFTEN) / _OFTEN))
            for word, weight in own.items():
                table.setdefault(word, {})[number] = weight, True
            for word in words(document.context):
                table.setdefault(word, {}).setdefault(number, (1.0, False))
        self._words = sorted(table)
        self._weights: list[Mapping[int, tuple[float, bool]]] = [table[word] for word in self._words]
        self._letters = "".join(sorted({letter for word in self._words for letter in word}))

    def search(self, query: str) -> Answer:
        """Return the documents that contain all words of a query, the best first; none for a query without words."""
        asked = words(query)
        each = [self._containing(word) for word in asked]
        if not asked or not all(table for table, _terms in each):
            return Answer()
        tables = [table for table, _terms in each]
        phrase, whole = " " + " ".join(asked), len(asked) > 1
        found = []
        for number in set(tables[0]).intersection(*tables[1:]):
            if not any(table[number][1] for table in tables):
                continue
            score = sum(table[number][0] for table in tables)
            if self._names[number][:1] and self._names[number][0].startswith(asked[0]):
                score += _FIRST
            if self._names[number] == asked:
                score += _NAME
            elif whole and phrase in self._phrases[number]:
                score += _PHRASE
            found.append((number, score))
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return Answer(tuple(found), tuple(term for _table, terms in each for term in terms))

    def nearest(self, query: str, most: int) -> tuple[int, ...]:
        """Return documents that contain some words of a query, those with the most and best ones first."""
        scores: dict[int, tuple[int, float]] = {}
        for word in words(query):
            for number, (weight, own) in self._containing(word)[0].items():
                if own:
                    often, total = scores.get(number, (0, 0.0))
                    scores[number] = often + 1, total + weight
        return tuple(sorted(scores, key=lambda number: (-scores[number][0], -scores[number][1], number))[:most])

    def _containing(self, word: str) -> tuple[dict[int, tuple[float, bool]], list[str]]:
        """Return the documents that contain a word, in the form of the weights, and the terms found."""
        found: dict[int, tuple[float, bool]] = {}
        self._add(found, self._beginning(word), word)
        if found:
            return found, [word]
        if self._inside and len(word) >= _LEAST_INSIDE:
            at = [number for number, each in enumerate(self._words) if word in each]
            self._add(found, at, word, _INSIDE)
            if found:
                return found, [self._words[number] for number in at]
        if len(word) < _LEAST_MISTYPED or word.isdigit():
            return found, []
        terms = []
        for meant in sorted(set(self._corrected(word))):
            if at := list(self._beginning(meant)):
                self._add(found, at, meant, _MISTYPED)
                terms.append(meant)
        return found, terms

    def _beginning(self, word: str) -> Iterator[int]:
        """Yield the places of the words that begin with a word."""
        for at in range(bisect_left(self._words, word), len(self._words)):
            if not self._words[at].startswith(word):
                break
            yield at

    def _add(
        self, found: dict[int, tuple[float, bool]], places: Iterable[int], word: str, worth: float | None = None
    ) -> None:
        for at in places:
            share = worth or (_WHOLE if self._words[at] == word else _BEGINS)
            for number, (weight, own) in self._weights[at].items():
                old, owned = found.get(number, (0.0, False))
                found[number] = max(old, weight * share), own or owned

    def _corrected(self, word: str) -> Iterator[str]:
        """Yield the texts from which one typing error leads to a word (Norvig, "How to Write a Spelling Corrector")."""
        for at in range(len(word) + 1):
            head, tail = word[:at], word[at:]
            if at and not self._begins(head):
                return  # No word of the index begins like this, so a correction further on finds none either.
            if len(tail) > 1:
                yield head + tail[1] + tail[0] + tail[2:]
            if tail and len(word) > _LEAST_MISTYPED and len(tail) > 1:
                yield head + tail[1:]
            for letter in self._letters:
                if tail:
                    yield head + letter + tail[1:]
                if len(tail) > 1:
                    yield head + letter + tail

    def _begins(self, head: str) -> bool:
        return next(self._beginning(head), None) is not None
