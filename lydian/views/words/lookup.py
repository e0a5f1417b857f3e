"""Search by a few letters for processes, events and variables of an execution."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.finding import Document, Index, fold
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import Words, brief

__all__ = ["Found", "events", "processes", "variables"]

#: Kinds of event whose words are in their detail, so that each must be read.
TOLD = (Kind.DELIVER, Kind.DECIDE, Kind.NOTE, Kind.ERROR)
#: The largest number of events that are read because their words are in their detail.
MOST_READ = 2_000
#: The largest number of processes whose variables are all searched; beyond it, only those of selected processes
#: and of the process of the last event.
MANY = 200
#: The weight of a word.
_NAME = 100.0
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
        score: how well it fits.
        terms: the words found, as :func:`lydian.model.finding.matches` takes them.
    """

    kind: str
    text: str
    remark: str
    process: int
    event: int
    score: float
    terms: tuple[str, ...] = ()


def _index(texts: Iterable[str]) -> Index:
    return Index(Document(((text, _NAME),)) for text in texts)


def processes(timeline: Timeline, query: str, k: int, animation: Words, most: int = 8) -> list[Found]:
    """Return the processes whose name fits, with their state after ``k`` events, the best first."""
    own = re.escape(tr("process"))
    wanted = re.sub(rf"^\s*(process|{own}|p)\b\s*=?", "", query, flags=re.IGNORECASE) if query.strip() else ""
    if not wanted.strip():
        best: list[tuple[int, float]] = [(i, _NAME) for i in range(timeline.n)]
        terms: tuple[str, ...] = ()
    else:
        answer = remember(timeline, "index of processes", lambda: _index(timeline.processes)).search(wanted)
        best, terms = list(answer.found), answer.terms
    states = timeline.states_at(k)
    found = []
    for i, fits in best[:most]:
        text = tr("Process {process}", process=timeline.processes[i])
        found.append(Found("process", text, _state(timeline, int(states[i]), animation), i, -1, fits, terms))
    return found


def _state(timeline: Timeline, code: int, animation: Words) -> str:
    return animation.word(timeline.states[code]) if 0 <= code < len(timeline.states) else ""


def events(timeline: Timeline, query: str, k: int, animation: Words, most: int = 8) -> list[Found]:
    """Return the events meant by ``#12`` or by words of their sentence, first those after the playhead, then the
    others.

    Events with the same sentence ("5 receives Ack from 6") form a group, from which the next event is returned.
    """
    number = _NUMBER.fullmatch(fold(query.strip()))
    if number is not None:
        seq = int(number[1] or number[2])
        return [_event(timeline, seq, animation, 10 * _NAME)] if seq < timeline.length else []
    groups, index = remember(timeline, ("groups of events", animation), lambda: _groups(timeline, animation))
    answer = index.search(query)
    found: list[tuple[float, int, int]] = []
    for group, fits in answer.found:
        rows = groups[group]
        after = int(np.searchsorted(rows, k))
        seq = int(rows[after % len(rows)])
        found.append((-round(fits, -1), seq if seq >= k else seq + timeline.length, seq))
    found.sort()
    return [_event(timeline, seq, animation, -fits, answer.terms) for fits, _order, seq in found[:most]]


def _event(timeline: Timeline, seq: int, animation: Words, fits: float, terms: tuple[str, ...] = ()) -> Found:
    remark = tr("#{number} at {time:.2f}", number=seq, time=float(timeline.time[seq]))
    process = int(timeline.process[seq])
    return Found("event", _told(timeline, seq, animation), remark, process, seq, fits, terms)


def _told(timeline: Timeline, seq: int, animation: Words) -> str:
    process = int(timeline.process[seq])
    what = brief(timeline, seq, animation)
    return f"{timeline.processes[process]} {what}" if process >= 0 else what


def _groups(timeline: Timeline, animation: Words) -> tuple[list[NDArray[np.int64]], Index]:
    """Return the events of each sentence of this execution in ascending order, and the index of the sentences."""
    groups = list(_grouped(timeline, animation))
    return [rows for _text, rows in groups], _index(text for text, _rows in groups)


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
    names = _variable_names(timeline, k)
    pairs = [(process, name) for process in order for name in names]
    texts = [tr("{variable} of {process}", variable=name, process=timeline.processes[i]) for i, name in pairs]
    answer = remember(timeline, ("index of variables", tuple(texts)), lambda: _index(texts)).search(query)
    out = []
    for number, fits in answer.found[:most]:
        process, name = pairs[number]
        known = timeline.variables(process, k)
        if name in known:
            value = value_text(typed(known[name][0], read(timeline.trace.source).types.get(name, "")))
            out.append(Found("variable", texts[number], f"= {value}", process, -1, fits, answer.terms))
    return out


def _variable_names(timeline: Timeline, k: int) -> list[str]:
    """Return the names of the variables of the first few processes."""
    names: dict[str, None] = {}
    for process in range(min(timeline.n, 3)):
        names.update(dict.fromkeys(timeline.variables(process, k)))
    return list(names)
