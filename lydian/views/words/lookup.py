"""Search by a few letters for processes, events and variables of an execution, and for anything with a name.

A query is split into words. Each must occur in the text: at the beginning of a word, inside one, or letter by letter in
order ("svpic" finds "Save picture"). The better and the earlier the match, the higher the score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import Words, brief

__all__ = ["Found", "events", "processes", "score", "variables"]

#: Kinds of event whose words are in their detail, so that each must be read.
TOLD = (Kind.DELIVER, Kind.DECIDE, Kind.NOTE, Kind.ERROR)
#: The largest number of events that are read because their words are in their detail.
MOST_READ = 2_000
#: The largest number of processes whose variables are all searched; beyond it, only those of selected processes
#: and of the process of the last event.
MANY = 200
_NUMBER = re.compile(r"#\s*(\d+)|event\s+#?(\d+)")


@dataclass(frozen=True)
class Found:
    """A search result.

    Attributes:
        kind: ``process``, ``event`` or ``variable``.
        text: what it is called.
        remark: what else is worth knowing: a state, a time, a value.
        process: the process it is or belongs to, -1 for none.
        event: ``seq`` of the event, -1 for none.
        score: how well it fits, from 0 to 1.
    """

    kind: str
    text: str
    remark: str
    process: int
    event: int
    score: float


def score(query: str, text: str) -> float:
    """Return how well a query fits a text, from 0 (not at all) to 1 (equal); an empty query fits anything a little."""
    words, where = query.casefold().split(), text.casefold()
    if not words:
        return 0.1
    if " ".join(words) == where:
        return 1.0
    found = [_one(word, where) for word in words]
    if not all(found):
        return 0.0
    return 0.95 * sum(found) / len(found) * (0.9 + 0.1 * min(1.0, len("".join(words)) / max(len(where), 1)))


def _one(word: str, text: str) -> float:
    """Return how well one word fits: as a whole word, at the beginning of one, inside one, or with its letters in
    order.
    """
    at = text.find(word)
    while at >= 0:
        if at == 0 or not text[at - 1].isalnum():
            end = at + len(word)
            whole = end == len(text) or not text[end].isalnum()
            return (1.0 if whole else 0.9) - (0.05 if at else 0.0)
        at = text.find(word, at + 1)
    if word in text:
        return 0.6
    if len(word) < 3 or not word.isalpha():
        return 0.0  # Two letters or a number, scattered over a text, are no match.
    first = place = text.find(word[0])
    starts = 0
    for letter in word:
        place = text.find(letter, place)
        if place < 0:
            return 0.0
        starts += place == 0 or not text[place - 1].isalnum()
        place += 1
    spread = place - first
    return 0.5 * max(len(word) / spread, starts / len(word)) if spread <= 4 * len(word) else 0.0


def processes(timeline: Timeline, query: str, k: int, animation: Words, most: int = 8) -> list[Found]:
    """Return the processes whose name fits, with their state after ``k`` events, the best first."""
    own = re.escape(tr("process"))
    wanted = re.sub(rf"^\s*(process|{own}|p)\b\s*=?", "", query, flags=re.IGNORECASE) if query.strip() else ""
    named = [(score(wanted, name), i) for i, name in enumerate(timeline.processes)]
    best = sorted(((s, i) for s, i in named if s > 0), key=lambda pair: (-pair[0], pair[1]))[:most]
    states = timeline.states_at(k)
    found = []
    for fits, i in best:
        text = tr("Process {process}", process=timeline.processes[i])
        found.append(Found("process", text, _state(timeline, int(states[i]), animation), i, -1, fits))
    return found


def _state(timeline: Timeline, code: int, animation: Words) -> str:
    return animation.word(timeline.states[code]) if 0 <= code < len(timeline.states) else ""


def events(timeline: Timeline, query: str, k: int, animation: Words, most: int = 8) -> list[Found]:
    """Return the events meant by ``#12`` or by words of their sentence, first those after the playhead, then the
    others.

    Events with the same sentence ("5 receives Ack from 6") form a group, from which the next event is returned.
    """
    number = _NUMBER.fullmatch(query.strip().casefold())
    if number is not None:
        seq = int(number[1] or number[2])
        return [_event(timeline, seq, animation, 1.0)] if seq < timeline.length else []
    if not query.strip():
        return []
    found: list[tuple[float, int, int]] = []
    for text, rows in _groups(timeline, animation):
        fits = score(query, text)
        if fits > 0:
            after = int(np.searchsorted(rows, k))
            seq = int(rows[after % len(rows)])
            found.append((-round(fits, 1), seq if seq >= k else seq + timeline.length, seq))
    found.sort()
    return [_event(timeline, seq, animation, -fits) for fits, _order, seq in found[:most]]


def _event(timeline: Timeline, seq: int, animation: Words, fits: float) -> Found:
    remark = tr("#{number} at {time:.2f}", number=seq, time=float(timeline.time[seq]))
    return Found("event", _told(timeline, seq, animation), remark, int(timeline.process[seq]), seq, fits)


def _told(timeline: Timeline, seq: int, animation: Words) -> str:
    process = int(timeline.process[seq])
    what = brief(timeline, seq, animation)
    return f"{timeline.processes[process]} {what}" if process >= 0 else what


def _groups(timeline: Timeline, animation: Words) -> list[tuple[str, NDArray[np.int64]]]:
    """Return the different sentences of events of this execution, each with its events in ascending order."""
    return remember(timeline, ("groups of events", animation), lambda: list(_grouped(timeline, animation)))


def _grouped(timeline: Timeline, animation: Words) -> Iterator[tuple[str, NDArray[np.int64]]]:
    alone = np.isin(timeline.kind, TOLD)
    rows = np.flatnonzero(~alone)
    if len(rows):
        key = timeline.kind[rows].astype(np.int64)
        for column, size in (
            (timeline.process, len(timeline.processes)),
            (timeline.peer, len(timeline.processes)),
            (timeline.label, len(timeline.labels)),
        ):
            key = key * (size + 2) + column[rows].astype(np.int64) + 1
        order = np.argsort(key, kind="stable")
        starts = np.flatnonzero(np.diff(key[order], prepend=-1))
        for group in np.split(rows[order], starts[1:]):
            yield _told(timeline, int(group[0]), animation).partition(" → ")[0], group
    for seq in np.flatnonzero(alone)[:MOST_READ].tolist():
        yield _told(timeline, seq, animation), np.array([seq])


def variables(
    timeline: Timeline, query: str, k: int, chosen: frozenset[int] = frozenset(), most: int = 6
) -> list[Found]:
    """Return the variables that fit ``pending`` or ``pending of 5``, with their values after ``k`` events.

    Those of selected processes come first, then those of the process of the last event.
    """
    if not query.strip():
        return []
    last = int(timeline.process[k - 1]) if k > 0 else -1
    some = range(timeline.n) if timeline.n <= MANY else ([last] if last >= 0 else [])
    order = list(dict.fromkeys([*sorted(chosen), *([last] if last >= 0 else []), *some]))
    found: list[tuple[float, int, Found]] = []
    names = _variable_names(timeline, k)
    for place, process in enumerate(order):
        for name in names:
            text = tr("{variable} of {process}", variable=name, process=timeline.processes[process])
            fits = max(score(query, text), score(query, name) * 0.97)
            if fits > 0:
                found.append((-fits, place, Found("variable", text, name, process, -1, fits)))
    found.sort(key=lambda each: each[:2])
    out = []
    for _fits, _place, each in found[:most]:
        known = timeline.variables(each.process, k)
        if each.remark in known:
            value = value_text(typed(known[each.remark][0], read(timeline.trace.source).types.get(each.remark, "")))
            out.append(Found("variable", each.text, f"= {value}", each.process, -1, each.score))
    return out


def _variable_names(timeline: Timeline, k: int) -> list[str]:
    """Return the names of the variables of the first few processes."""
    names: dict[str, None] = {}
    for process in range(min(timeline.n, 3)):
        names.update(dict.fromkeys(timeline.variables(process, k)))
    return list(names)
