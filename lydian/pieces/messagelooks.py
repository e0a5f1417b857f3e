"""The look of a message by its contents, for animations that declare it (:class:`Dress`).

The contents of a message are in the detail of the event that sent it: the fields without default values, and the class
of a message in a field as ``kind``. Each is read once (:class:`Read`), and the results grow with the run; a run whose
animation declares no such look is never read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput, shown
from lydian.model.lang.expression import expression
from lydian.pieces.animation import Animation
from lydian.pieces.checks import expression_is_right
from lydian.pieces.piece import Piece, register
from lydian.trace.details import detail_texts
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import kinds_of
from lydian.views.words.expressions import grown, parameters_of
from lydian.views.words.source import defaults_of
from lydian.views.words.values import value_text

__all__ = [
    "BABBLED", "DIFFERENT", "Dress", "Read", "Worn", "fields_in", "kind_at", "kinds_at", "kinds_of_messages",
    "letters_of", "looks_in", "word_of", "worn_of",
]  # fmt: skip

#: The number of messages that are read together.
BLOCK = 1 << 14
#: The largest number of different contents whose looks are kept.
DIFFERENT = 50_000
#: The mark of a message that the protocol of a Byzantine process did not ask for.
BABBLED = '"babbled"'
#: The name in an expression for the class of the message inside this one.
INNER = "inner"

#: A letter that is the value of a field.
LETTER = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\}")


@dataclass(frozen=True)
class Dress:
    """The look of messages of one class by their contents: a colour and a head, a word and a letter.

    Of several that fit a message, the first applies; a message that none fits looks like its class. A message that is
    changed in transit keeps the look that it had when it was sent.

    Args:
        message: the class.
        when: an expression over the fields of the message, the parameters of the run and ``inner``, the class of the
            message that it carries in a field (an empty text if none); empty: all messages of the class.
        kind: colour and head, 0..5; by default those of the class.
        word: how the legend, lists and sentences call it; by default as the class.
        letter: the text in its head: one or two characters, or ``"{field}"``, the value of a field if it is no
            longer; by default the letter of the class.
    """

    message: str
    when: str = ""
    kind: int | None = None
    word: str = ""
    letter: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.message, str) or not self.message:
            raise BadInput(f"a dress must name a class of messages, not {shown(self.message)}")
        if self.when:
            expression_is_right("when", self.when)
        kind: Any = self.kind
        if kind is not None and (isinstance(kind, bool) or not isinstance(kind, int) or not 0 <= kind < 6):
            raise BadInput(f"the kind of a dress must be a number from 0 to 5, not {shown(kind)}")
        fits = isinstance(self.letter, str) and (len(self.letter) <= 2 or LETTER.fullmatch(self.letter))
        if not fits:
            raise BadInput(
                f'the letter of a dress must be one or two characters or "{{field}}", not {shown(self.letter)}'
            )


class Read:
    """A number for each message of some classes, from what was recorded when it was sent.

    Attributes:
        length: the number of events that have been read.
        code: the number of each message, -1 for none.
    """

    def __init__(self) -> None:
        self.length = 0
        self.code: NDArray[np.int32] = np.zeros(0, dtype=np.int32)

    def classes(self, timeline: Timeline) -> set[str]:
        """Return the classes whose messages have numbers."""
        raise NotImplementedError

    def plain(self, timeline: Timeline, name: str, rows: NDArray[np.int64]) -> int | NDArray[np.int32]:
        """Return the number of messages of a class without notable contents, given by the events that sent them."""
        raise NotImplementedError

    def told(self, timeline: Timeline, names: list[str], texts: list[str], rows: NDArray[np.int64]) -> list[int]:
        """Return the numbers of messages with these details, given by the events that sent them."""
        raise NotImplementedError

    def grow(self, timeline: Timeline) -> None:
        """Read the messages since the last call."""
        start, self.length = self.length, timeline.length
        if self.length == start:
            return
        more = timeline.m_messages - len(self.code)
        self.code = np.concatenate((self.code, np.full(max(more, 0), -1, dtype=np.int32)))
        names = self.classes(timeline)
        dressed = np.array([*(name in names for name in timeline.labels), False])
        kind, label, message = (column[start:] for column in (timeline.kind, timeline.label, timeline.message))
        here = ((kind == int(Kind.SEND)) | (kind == int(Kind.INJECT))) & (message >= 0) & dressed[label]
        for name in sorted(names.intersection(timeline.labels)):  # They look as if they had no notable contents.
            rows = np.flatnonzero(here & (label == timeline.labels.index(name)))
            rows = rows[timeline.sends[message[rows]] == rows + start]
            if len(rows):
                self.code[message[rows]] = self.plain(timeline, name, rows + start)
        notable = (pair for pair in detail_texts(timeline.trace, start) if '"fields"' in pair[1] or BABBLED in pair[1])
        for block in _blocks(notable):
            seqs = np.fromiter((seq for seq, _ in block), dtype=np.int64, count=len(block))
            places = np.flatnonzero(here[seqs - start])
            places = places[timeline.sends[message[seqs[places] - start]] == seqs[places]]
            rows = seqs[places] - start
            of = [timeline.labels[code] for code in label[rows].tolist()]
            texts = [block[place][1] for place in places.tolist()]
            self.code[message[rows]] = self.told(timeline, of, texts, rows + start)
        self.finish(timeline, names, start, here)

    def finish(self, timeline: Timeline, names: set[str], start: int, here: NDArray[np.bool_]) -> None:
        """Note what has been read: the events from ``start`` on that sent messages are those that are ``here``."""


class Worn(Read):
    """The look of each message of a run: its number is the place in ``looks``, -1 for one that looks like its class.

    Attributes:
        looks: the dresses that occur, as their place in the animation, with the letter where it comes from a field.
        seen: class -> the places that its messages have, -1 among them if some look like it.
    """

    def __init__(self, timeline: Timeline, dresses: tuple[Dress, ...]) -> None:
        super().__init__()
        self.dresses = dresses
        self.looks: list[tuple[int, str]] = []
        self.seen: dict[str, set[int]] = {dress.message: set() for dress in dresses}
        self._fixed = parameters_of(timeline)
        self._defaults = defaults_of(timeline.trace.source)
        self._tests = [expression(dress.when) if dress.when else None for dress in dresses]
        self._fields = [LETTER.fullmatch(dress.letter) for dress in dresses]
        self._known: dict[tuple[str, str], int] = {}
        self._places: dict[tuple[int, str], int] = {}

    def classes(self, timeline: Timeline) -> set[str]:
        return {dress.message for dress in self.dresses}

    def plain(self, timeline: Timeline, name: str, rows: NDArray[np.int64]) -> int:
        return self._worn(name, "")

    def told(self, timeline: Timeline, names: list[str], texts: list[str], rows: NDArray[np.int64]) -> list[int]:
        return [self._worn(name, text) for name, text in zip(names, texts, strict=True)]

    def finish(self, timeline: Timeline, names: set[str], start: int, here: NDArray[np.bool_]) -> None:
        label, message = timeline.label[start:], timeline.message[start:]
        for name in names.intersection(timeline.labels):
            rows = message[here & (label == timeline.labels.index(name))]
            self.seen[name].update(np.unique(self.code[rows]).tolist())

    def _worn(self, name: str, text: str) -> int:
        code = self._known.get((name, text))
        if code is None:
            if len(self._known) >= DIFFERENT:
                self._known.clear()
            code = self._known[name, text] = self._found(name, text)
        return code

    def _found(self, name: str, text: str) -> int:
        """Return the index of the look of a message of this class with this detail."""
        values = {INNER: "", **self._fixed, **self._defaults.get(name, {}), **fields_in(text)}
        if not values[INNER]:
            values[INNER] = next((_kind(value) for value in values.values() if _kind(value)), "")
        for number, (dress, test) in enumerate(zip(self.dresses, self._tests, strict=True)):
            if dress.message != name or not (test is None or test.value(values)):
                continue
            hole = self._fields[number]
            letter = "" if hole is None else value_text(values.get(hole.group(1), ""))
            look = (number, letter if len(letter) <= 2 else "")
            if look not in self._places:
                self._places[look] = len(self.looks)
                self.looks.append(look)
            return self._places[look]
        return -1

    def kind(self, place: int, animation: Animation) -> int:
        """Return the colour and head of an entry of ``looks``."""
        dress = self.dresses[self.looks[place][0]]
        return animation.kind(dress.message) if dress.kind is None else dress.kind

    def word(self, place: int, animation: Animation) -> str:
        """Return the word of an entry."""
        dress = self.dresses[self.looks[place][0]]
        return dress.word or animation.label(dress.message)

    def letter(self, place: int, animation: Animation) -> str:
        """Return the letter in its head."""
        number, letter = self.looks[place]
        dress = self.dresses[number]
        if self._fields[number] is not None:
            return letter
        return dress.letter or animation.letters.get(dress.message, "")


def worn_of(timeline: Timeline, animation: Animation) -> Worn | None:
    """Return the looks of the messages of a run, or None if all look like their classes."""
    dresses: tuple[Dress, ...] = getattr(animation, "dresses", ())
    if not any(dress.message in timeline.labels for dress in dresses):
        return None
    worn = grown(timeline, ("dresses", dresses), lambda: Worn(timeline, dresses))
    worn.grow(timeline)
    return worn


def kinds_of_messages(timeline: Timeline, animation: Animation, ids: NDArray[Any]) -> NDArray[np.int16]:
    """Return the kind (colour and head) of messages, given by their numbers."""
    kinds: NDArray[np.int16] = kinds_of(timeline, animation)[timeline.message_label[ids]]
    worn = worn_of(timeline, animation)
    if worn is not None and worn.looks:
        table = np.array([worn.kind(place, animation) for place in range(len(worn.looks))], dtype=np.int16)
        code = worn.code[ids]
        kinds = np.where(code >= 0, table[code], kinds)
    return kinds


def kind_at(timeline: Timeline, seq: int, animation: Animation) -> int:
    """Return the kind of the message of an event."""
    return int(kinds_at(timeline, np.array([seq]), animation)[0])


def kinds_at(timeline: Timeline, seqs: NDArray[Any], animation: Animation) -> NDArray[np.int16]:
    """Return the kinds of the messages of events."""
    kinds: NDArray[np.int16] = kinds_of(timeline, animation)[timeline.label[seqs]]
    if animation.dresses:
        messages = timeline.message[seqs]
        some = messages >= 0
        kinds = kinds.copy()
        kinds[some] = kinds_of_messages(timeline, animation, messages[some])
    return kinds


def letters_of(timeline: Timeline, animation: Animation, ids: NDArray[Any]) -> list[str]:
    """Return the letter in the head of each message, or nothing if none has one."""
    worn = worn_of(timeline, animation)
    if not animation.letters and worn is None:
        return []
    table = [*(animation.letters.get(label, "") for label in timeline.labels), ""]
    letters = [table[code] for code in timeline.message_label[ids].tolist()]
    if worn is None:
        return letters
    own = [worn.letter(place, animation) for place in range(len(worn.looks))]
    return [own[c] if c >= 0 else letter for c, letter in zip(worn.code[ids].tolist(), letters, strict=True)]


def word_of(timeline: Timeline, message: int, animation: Animation) -> str:
    """Return the word for a message, or "" if it is that of its class."""
    worn = worn_of(timeline, animation)
    if worn is None or not 0 <= message < len(worn.code) or worn.code[message] < 0:
        return ""
    return worn.word(int(worn.code[message]), animation)


def looks_in(timeline: Timeline, animation: Animation, code: int) -> list[tuple[int, str, list[int]]]:
    """Return the looks of messages of a class in a run, each kind and word once: kind, word, indices in ``looks`` (-1:
    plain).

    Args:
        code: of the class; some of its messages occur in the run.
    """
    name = timeline.labels[code]
    plain = (animation.kind(name), animation.label(name))
    worn = worn_of(timeline, animation)
    if worn is None or not any(dress.message == name for dress in worn.dresses):
        return [(*plain, [-1])]
    found: dict[tuple[int, str], list[int]] = {}
    if -1 in worn.seen[name]:
        found[plain] = [-1]
    for place in sorted(worn.seen[name] - {-1}, key=worn.looks.__getitem__):
        found.setdefault((worn.kind(place, animation), worn.word(place, animation)), []).append(place)
    return [(*look, places) for look, places in found.items()]


def _blocks(pairs: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    while block := list(islice(pairs, BLOCK)):
        yield block


def fields_in(text: str, part: str = "fields") -> Mapping[str, Any]:
    """Return the fields in a detail, or another table in it."""
    try:
        found = json.loads(text).get(part) if text else None
    except (ValueError, RecursionError, AttributeError):
        return {}
    return found if isinstance(found, dict) else {}


def _kind(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""


register(Piece("dress", Dress, "dresses", None))
