"""Conditions on events: the meaning of the text of a filter (:mod:`lydian.views.words.filter`).

``str(condition)`` is a text that reads back as an equal condition.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import KINDS, NO_STATE
from lydian.trace.timeline import Timeline
from lydian.views.words.contents import contents
from lydian.views.words.sentence import sentence
from lydian.views.words.source import read
from lydian.views.words.values import value_text
from lydian.views.words.words import Words, brief

__all__ = [
    "NAMES",
    "NUMBERS",
    "RESERVED",
    "All",
    "Any_",
    "Field",
    "Filter",
    "Is",
    "Not",
    "Number",
    "Word",
    "codes_of",
    "names_of",
]

#: Keys whose values are names, with their columns; ``str`` writes the first spelling of each.
NAMES = {
    "p": "process", "process": "process", "peer": "peer", "kind": "kind",
    "message": "label", "label": "label", "state": "state",
}  # fmt: skip
#: Keys whose values are numbers, with their columns.
NUMBERS = {
    "t": "time", "time": "time", "lamport": "lamport", "seq": "seq", "chain": "chain", "round": "round",
    "bits": "bits", "cause": "cause", "id": "message",
}  # fmt: skip
RESERVED = ("and", "or", "not")
#: Times closer than this are written alike.
ALIKE = 0.00005 + 1e-9
_PLAIN = re.compile(r"[^\s()\"=<>!]+")

Bools = NDArray[np.bool_]
Rows = NDArray[np.int64] | slice


@dataclass(frozen=True)
class Filter:
    """A condition on events; ``str(filter)`` is its text."""

    def select(self, timeline: Timeline, animation: Words | None = None) -> Bools:
        """Return which events are meant, as a mask over the trace (length of the trace,).

        Args:
            animation: words for states, which may stand for their names, and sentences for plain words to look in.
        """
        return self.among(timeline, slice(0, timeline.length), animation)

    def among(self, timeline: Timeline, rows: Rows, animation: Words | None = None) -> Bools:
        """Return which of the events ``rows`` are meant, one entry for each."""
        raise NotImplementedError

    @property
    def reads(self) -> bool:
        """True if deciding needs the sentences of events, which takes some 20 s for a million events."""
        return False


@dataclass(frozen=True)
class Word(Filter):
    """A condition that is true of events whose sentence contains ``text``."""

    text: str

    def __str__(self) -> str:
        return quoted(self.text)

    @property
    def reads(self) -> bool:
        return True

    def among(self, timeline: Timeline, rows: Rows, animation: Words | None = None) -> Bools:
        words = _AsWritten() if animation is None else animation
        wanted = " ".join(self.text.split()).casefold()
        seqs = range(*rows.indices(timeline.length)) if isinstance(rows, slice) else rows.tolist()
        found = (wanted in f"{sentence(timeline, s, words)}\n{brief(timeline, s, words)}".casefold() for s in seqs)
        return np.fromiter(found, dtype=bool, count=len(seqs))


@dataclass(frozen=True)
class Is(Filter):
    """A condition ``key=value``, or ``key!=value`` if ``other``, for a key of :data:`NAMES`."""

    key: str
    value: str
    other: bool = False

    def __str__(self) -> str:
        return f"{self.key}{'!=' if self.other else '='}{quoted(self.value)}"

    def among(self, timeline: Timeline, rows: Rows, animation: Words | None = None) -> Bools:
        name = NAMES[self.key]
        table = names_of(timeline, name)
        codes = codes_of(table, self.value, animation if name == "state" else None)
        column: NDArray[Any] = getattr(timeline, name)[rows]
        if len(codes) == 1:
            found: Bools = column != codes[0] if self.other else column == codes[0]
            return found
        return np.isin(column, np.array(codes, dtype=column.dtype), invert=self.other)


@dataclass(frozen=True)
class Number(Filter):
    """A condition ``key operator value`` for a key of :data:`NUMBERS`; with ``last``, the range ``value..last``."""

    key: str
    operator: str
    value: float
    last: float | None = None

    def __str__(self) -> str:
        return f"{self.key}{self.operator}{_number(self.value)}{'' if self.last is None else '..' + _number(self.last)}"

    def among(self, timeline: Timeline, rows: Rows, animation: Words | None = None) -> Bools:
        name = NUMBERS[self.key]
        if name == "seq":
            column: NDArray[Any] = np.arange(timeline.length)[rows] if isinstance(rows, slice) else rows
        else:
            column = getattr(timeline, name)[rows]
        low, high = self.value, self.value if self.last is None else self.last
        found: Bools
        if self.operator in ("=", "!="):
            slack = ALIKE if name == "time" else 0.0
            found = column >= low - slack
            found &= column <= high + slack
            return ~found if self.operator == "!=" else found
        compare = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}[self.operator]
        found = compare(column, low)
        if name in ("bits", "cause", "message") and self.operator.startswith("<"):
            found &= column >= 0  # A missing value has no number.
        return found


@dataclass(frozen=True)
class Field(Filter):
    """A condition ``message.field operator value`` on a message, timer or command; with ``last``, a range of numbers.

    ``label`` is the class of message, or ``"message"`` for any. A message without the field is equal to nothing,
    differs from nothing and is on neither side of a number.
    """

    label: str
    field: str
    operator: str
    value: str
    last: str | None = None

    def __str__(self) -> str:
        value = self.value if self.last is None else f"{self.value}..{self.last}"
        return f"{self.label}.{self.field}{self.operator}{quoted(value)}"

    @property
    def reads(self) -> bool:
        return True

    def among(self, timeline: Timeline, rows: Rows, animation: Words | None = None) -> Bools:
        seqs = np.arange(timeline.length)[rows] if isinstance(rows, slice) else rows
        found = np.zeros(len(seqs), dtype=bool)
        codes = self._codes(timeline)
        here = np.flatnonzero(np.isin(timeline.label[seqs], codes))
        for at in here.tolist():
            said = contents(timeline, int(seqs[at]))
            known = read(timeline.trace.source).fields.get(timeline.labels[int(timeline.label[seqs[at]])], ())
            if self.field in said or self.field in known:
                found[at] = self._fits(said.get(self.field))
        return found

    def _codes(self, timeline: Timeline) -> list[int]:
        """Return the classes of message that can have the field."""
        fields = read(timeline.trace.source).fields
        return [
            code
            for code, name in enumerate(timeline.labels)
            if (self.label == "message" or name == self.label) and (name not in fields or self.field in fields[name])
        ]

    def _fits(self, said: Any) -> bool:
        if self.last is not None:
            number, low, high = _as_number(said), _as_number(self.value), _as_number(self.last)
            if number is None or low is None or high is None:
                return False
            return (low <= number <= high) == (self.operator == "=")
        if self.operator in ("=", "!="):
            return self._same(said) == (self.operator == "=")
        number, value = _as_number(said), _as_number(self.value)
        if number is None or value is None:
            return False
        compare = {"<": number < value, "<=": number <= value, ">": number > value, ">=": number >= value}
        return compare[self.operator]

    def _same(self, said: Any) -> bool:
        number, value = _as_number(said), _as_number(self.value)
        if number is not None and value is not None:
            return number == value
        wanted = "".join(self.value.split()).casefold()
        if isinstance(said, bool):
            return wanted in (("yes", "true") if said else ("no", "false"))
        return wanted == "".join(value_text(said, limit=10_000).split()).casefold()


def _as_number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class Not(Filter):
    """A condition that is true of events of which ``inner`` is false."""

    inner: Filter

    def __str__(self) -> str:
        return f"not {_bracketed(self.inner, (All, Any_))}"

    @property
    def reads(self) -> bool:
        return self.inner.reads

    def among(self, timeline: Timeline, rows: Rows, animation: Words | None = None) -> Bools:
        return ~self.inner.among(timeline, rows, animation)


@dataclass(frozen=True)
class All(Filter):
    """A condition that is true if all its parts are; it has at least two."""

    parts: tuple[Filter, ...]

    def __str__(self) -> str:
        return " and ".join(_bracketed(part, (All, Any_)) for part in self.parts)

    @property
    def reads(self) -> bool:
        return any(part.reads for part in self.parts)

    def among(self, timeline: Timeline, rows: Rows, animation: Words | None = None) -> Bools:
        return _narrowed(self.parts, timeline, rows, animation, until=False)


@dataclass(frozen=True)
class Any_(Filter):  # noqa: N801 - "any" without hiding typing's and Python's own
    """A condition that is true if any of its parts is; it has at least two."""

    parts: tuple[Filter, ...]

    def __str__(self) -> str:
        return " or ".join(_bracketed(part, (Any_,)) for part in self.parts)

    @property
    def reads(self) -> bool:
        return any(part.reads for part in self.parts)

    def among(self, timeline: Timeline, rows: Rows, animation: Words | None = None) -> Bools:
        return _narrowed(self.parts, timeline, rows, animation, until=True)


def _narrowed(
    parts: tuple[Filter, ...], timeline: Timeline, rows: Rows, animation: Words | None, *, until: bool
) -> Bools:
    """Yield the parts in order, those that need sentences last and only for events that are still undecided."""
    found: Bools | None = None
    for part in sorted(parts, key=lambda part: part.reads):
        if found is None:
            found = part.among(timeline, rows, animation).copy()
        elif part.reads:
            open_ = np.flatnonzero(found != until)
            seqs = np.arange(timeline.length)[rows][open_] if isinstance(rows, slice) else rows[open_]
            found[open_] = part.among(timeline, seqs, animation)
        elif until:
            found |= part.among(timeline, rows, animation)
        else:
            found &= part.among(timeline, rows, animation)
    assert found is not None, "a filter of several parts must have at least one"
    return found


def names_of(timeline: Timeline, column: str) -> tuple[str, ...]:
    """Return the names of the codes of a column of :data:`NAMES`."""
    tables = {"label": timeline.labels, "state": timeline.states, "kind": KINDS}
    return tables.get(column, timeline.processes)


def codes_of(names: tuple[str, ...], value: str, animation: Words | None = None) -> list[int]:
    """Return the codes that a value means: of a name, else of one in other case, else of states with that word."""
    if value in names:
        return [names.index(value)]
    small = value.casefold()
    found = [code for code, name in enumerate(names) if name.casefold() == small and code != NO_STATE]
    if not found and animation is not None:
        found = [code for code, name in enumerate(names) if animation.word(name).casefold() == small]
    return found


def quoted(text: str) -> str:
    """Return a word or a name as a filter writes it: in quotes if it could be mistaken for something else."""
    if _PLAIN.fullmatch(text) and text.lower() not in RESERVED and "\\" not in text:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _bracketed(part: Filter, kinds: tuple[type[Filter], ...]) -> str:
    return f"({part})" if isinstance(part, kinds) else str(part)


class _AsWritten:
    """An animation that calls states and messages by their own names."""

    def word(self, state: str) -> str:
        return state

    def label(self, label: str) -> str:
        return label
