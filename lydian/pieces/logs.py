"""Logs side by side: the list of each process as a column of entries, with a line below what is committed in each.

The frame has the entries in columns and says of each what is known of it in the whole system: whether its process has
committed it, how many processes have it, and whether another entry is committed in its place.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.network.shape import joined
from lydian.pieces.checks import share_is_right
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Bools, Scene
from lydian.views.time.axis import remember
from lydian.views.words.expressions import grown
from lydian.views.words.values import value_text

__all__ = ["COMMITTED", "LOST", "OPEN", "Entry", "Logs", "LogsFrame", "logs_at", "logs_over_time"]

#: The largest number of rows of a frame.
MOST = 64
#: What is known of an entry: committed at its process, not yet, or not to be, as another one is committed in its place
#: or in the place of an earlier one.
COMMITTED, OPEN, LOST = range(3)


@dataclass(frozen=True)
class Logs:
    """The lists of all processes side by side, a column each; entries at the same place are in the same row.

    Processes that a partition separates are on different sides of a dashed line. Entries are tinted by one of their
    parts, such as the term of a leader.

    Args:
        entries: a variable with the list.
        commit: a variable with the number of entries that are committed; without one all are.
        item: of entries that are lists, the part with this number is written; by default the whole.
        tint: of entries that are lists, the part with this number gives the tint; by default none has one.
        now: a variable of the process that is compared with the tints, such as its term.
        title: the text above it.
        word: what the tint is, such as "term".
        share: how much of the view's width it has.
    """

    entries: str
    commit: str = ""
    item: int | None = None
    tint: int | None = None
    now: str = ""
    title: str = ""
    word: str = ""
    share: float = 0.44

    def __post_init__(self) -> None:
        if not isinstance(self.entries, str) or not self.entries:
            raise BadInput(f"entries must be the name of a variable, not {shown(self.entries)}")
        for name, part in (("item", self.item), ("tint", self.tint)):
            if part is not None and (isinstance(part, bool) or not isinstance(part, int)):
                raise BadInput(f"{name} must be the number of a part of an entry, not {shown(part)}")
        share_is_right("share", self.share, 0.1, 0.8)


@dataclass(frozen=True)
class Entry:
    """An entry of a log.

    Args:
        text: what is written.
        tint: a whole number that gives the tint; None for none.
        standing: :data:`COMMITTED`, :data:`OPEN` or :data:`LOST`.
        holders: the number of processes that have the same entry in this place.
    """

    text: str
    tint: int | None
    standing: int
    holders: int


@dataclass(frozen=True, eq=False)
class LogsFrame:
    """Logs at a moment.

    Args:
        declared: what is shown.
        processes: the number in the network of each column.
        names: of the columns.
        slots: of the states of the columns.
        crashed: which columns belong to crashed processes.
        sides: the part of the network to which each column belongs while links are down.
        columns: the entries of each column, from row ``first`` on.
        commits: how many entries are committed in each column.
        now: what is compared with the tints in each column, None for nothing.
        first: the number of rows that are left out at the top.
        rows: how many rows there ever are in the run so far known.
        problem: why there is nothing to be seen, as a sentence.
    """

    declared: Logs
    processes: tuple[int, ...]
    names: tuple[str, ...]
    slots: tuple[int, ...]
    crashed: tuple[bool, ...]
    sides: tuple[int, ...]
    columns: tuple[tuple[Entry, ...], ...]
    commits: tuple[int, ...]
    now: tuple[int | None, ...]
    first: int = 0
    rows: int = 1
    problem: str = ""

    def words(self, column: int, row: int) -> str:
        """Return the text of an entry without mark-up: the process, its place, and what is known of it."""
        entry = self.columns[column][row - self.first]
        parts = [tr("entry {number} of {process}: {entry}", number=row + 1, process=self.names[column],
                    entry=entry.text)]  # fmt: skip
        if entry.tint is not None:
            parts.append(f"{self.declared.word} {entry.tint}".strip())
        return ", ".join([*parts, self.known(entry)])

    def known(self, entry: Entry) -> str:
        """Return what is known of an entry, in a few words."""
        if entry.standing == COMMITTED:
            return tr("committed")
        if entry.standing == LOST:
            return tr("will be lost") if self.declared.commit else tr("differs")
        return tr("on {count:,} of {total:,}", count=entry.holders, total=len(self.names))


def logs_at(now: Moment, declared: Logs) -> LogsFrame:
    """Return the logs at a moment, computed once until another moment is requested."""
    scene, k = now.scene, now.k
    last: list[tuple[int, LogsFrame]] = remember(scene.run, ("logs", declared, id(scene)), lambda: ([], scene))[0]
    if not last or last[0][0] != k:
        last[:] = [(k, _logs(scene, declared, k, now.crashed, now.cut))]
    return last[0][1]


def _logs(scene: Scene, declared: Logs, k: int, crashed: Bools, cut: Bools) -> LogsFrame:
    run = scene.run
    for name in (declared.entries, declared.commit, declared.now):
        if name and name not in run.variable_names:
            hint = did_you_mean(name, run.variable_names)
            what = tr("No process has a variable {variable}{hint}.", variable=shown(name), hint=hint)
            problem = what if run.variable_names else ""  # The variables of a run that has not begun are unknown.
            return LogsFrame(declared, (), (), (), (), (), (), (), (), problem=problem)
    order = _order(scene)
    places = [p for p in order if _place(scene, p) >= 0]
    lists = [value if isinstance(value, list | tuple) else [] for value in _of(run, declared.entries, k, places)]
    commits = [len(log) for log in lists]
    if declared.commit:
        told = _of(run, declared.commit, k, places)
        commits = [min(_count(value), count) for value, count in zip(told, commits, strict=True)]
    first = max(max((len(log) for log in lists), default=0) - MOST, 0)
    ends = grown(run, ("longest log", declared.entries), lambda: _Longest(run, declared.entries))
    sides = _sides(scene, cut)
    numbers = [_place(scene, p) for p in places]
    states = scene.slots[run.states_at(k)]
    return LogsFrame(
        declared, tuple(numbers), tuple(scene.names[i] for i in numbers), tuple(int(states[p]) for p in places),
        tuple(bool(crashed[i]) for i in numbers), tuple(sides[i] for i in numbers),
        _columns(declared, lists, commits, first), tuple(commits),
        tuple(_whole(value) for value in _of(run, declared.now, k, places)), first, max(ends.grow(run), 1),
    )  # fmt: skip


def _columns(
    declared: Logs, lists: Sequence[Sequence[Any]], commits: Sequence[int], first: int
) -> tuple[tuple[Entry, ...], ...]:
    """Return the entries of each log from row ``first`` on, with what is known of them."""
    columns: list[list[Entry]] = [[] for _ in lists]
    lost: set[int] = set()
    for row in range(first, max((len(log) for log in lists), default=0)):
        held = {i: _key(log[row]) for i, log in enumerate(lists) if row < len(log)}
        holders = Counter(held.values())
        final = {key for i, key in held.items() if row < commits[i]}
        for i, key in held.items():
            if any(other != key for other in final):
                lost.add(i)
            standing = LOST if i in lost else COMMITTED if row < commits[i] else OPEN
            text, tint = _text(declared, lists[i][row]), _part(lists[i][row], declared.tint)
            columns[i].append(Entry(text, None if declared.tint is None else _whole(tint), standing, holders[key]))
    return tuple(map(tuple, columns))


def _text(declared: Logs, entry: Any) -> str:
    told = _part(entry, declared.item)
    return told if isinstance(told, str) else value_text(told)


def _part(entry: Any, number: int | None) -> Any:
    if number is None or not isinstance(entry, list | tuple) or not -len(entry) <= number < len(entry):
        return entry
    return entry[number]


def _key(entry: Any) -> str:
    return json.dumps(entry, sort_keys=True, default=str)


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value == value else None


def _count(value: Any) -> int:
    """Return how many entries a variable says are committed: a number, or the size of a list."""
    return len(value) if isinstance(value, list | tuple) else max(_whole(value) or 0, 0)


def _of(run: Timeline, name: str, k: int, places: Sequence[int]) -> list[Any]:
    values = run.variable_at(name, k) if name else [None] * run.n
    return [values[p] for p in places]


def _place(scene: Scene, p: int) -> int:
    return p if scene.renumber is None else int(scene.renumber[p])


def _order(scene: Scene) -> tuple[int, ...]:
    """Return the processes of the trace in the order of the columns, which is the same for the whole run.

    The sides of the first partition of the run are together.
    """
    return remember(scene.run, ("order of logs", id(scene)), lambda: (_ordered(scene), scene))[0]


def _ordered(scene: Scene) -> tuple[int, ...]:
    run = scene.run
    known = {_place(scene, p): p for p in range(run.n)}
    links = [(known[a], known[b], bool(one_way))
             for (a, b), one_way in zip(scene.ends.tolist(), scene.directed.tolist(), strict=True)
             if a in known and b in known]  # fmt: skip
    rows = np.flatnonzero(np.isin(run.kind, (Kind.LINK_DOWN, Kind.LINK_UP)))
    ends = rows[np.append(run.time[rows][1:] != run.time[rows][:-1], True)] if len(rows) else rows
    for row in ends.tolist():
        ways = run.ways_down_at(row + 1)
        parts = joined(run.n, [(a, b) for a, b, one_way in links
                               if (a, b) not in ways or not (one_way or (b, a) in ways)])[0]  # fmt: skip
        if len(parts) > 1:
            return tuple(p for part in parts for p in part)
    return tuple(range(run.n))


def _sides(scene: Scene, cut: Bools) -> list[int]:
    """Return the number of the part of the network to which each of its processes belongs, links that are cut aside."""
    sides = [0] * scene.network.n
    if cut.any():
        for number, part in enumerate(joined(scene.network.n, map(tuple, scene.ends[~cut].tolist()))[0]):
            for p in part:
                sides[p] = number
    return sides


class _Longest:
    """The length of the longest list of a run that may continue."""

    def __init__(self, run: Timeline, name: str) -> None:
        self.length, self._name = 0, name
        self._most = max(map(_length, run.variable_at(name, 0)), default=0)

    def grow(self, run: Timeline) -> int:
        """Read the events since the last call, and return the length."""
        if self.length < run.length:
            at, codes = run.details.history(self._name, self.length)
            _, first = np.unique(codes, return_index=True)
            for i in {*first.tolist(), *np.flatnonzero(codes < 0).tolist()}:
                self._most = max(self._most, _length(run.details.value(self._name, int(codes[i]), int(at[i]))))
            self.length = run.length
        return self._most


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | tuple) else 0


def logs_over_time(scene: Scene, declared: Logs) -> list[tuple[int, int, list[Any]]]:
    """Return the whole run at once, for players that only replay: event (-1), process, and its log from there on.

    A log is a list of its entries (text, tint, and a key that is the same for equal entries), the number of those that
    are committed, and what is compared with the tints. Empty if a variable is missing.
    """
    run = scene.run
    names = [name for name in (declared.entries, declared.commit, declared.now) if name]
    if any(name not in run.variable_names for name in names):
        return []
    values = {name: list(run.variable_at(name, 0)) for name in names}
    changes: list[tuple[int, str, int]] = []
    for name in names:
        at, codes = run.details.history(name)
        changes += zip(at.tolist(), [name] * len(at), codes.tolist(), strict=True)
    changes.sort()
    found = [(-1, _place(scene, p), _told(declared, values, p)) for p in _order(scene)]
    for i, (seq, name, code) in enumerate(changes):
        p = int(run.process[seq])
        values[name][p] = run.details.value(name, code, seq)
        if i + 1 == len(changes) or changes[i + 1][0] != seq:
            found.append((seq, _place(scene, p), _told(declared, values, p)))
    return [each for each in found if each[1] >= 0]


def _told(declared: Logs, values: dict[str, list[Any]], p: int) -> list[Any]:
    log = values[declared.entries][p]
    log = log if isinstance(log, list | tuple) else []
    commit = min(_count(values[declared.commit][p]), len(log)) if declared.commit else len(log)
    entries = [
        [_text(declared, entry), None if declared.tint is None else _whole(_part(entry, declared.tint)), _key(entry)]
        for entry in log
    ]
    return [entries, commit, _whole(values[declared.now][p]) if declared.now else None]


def page(tell: Teller, declared: Logs) -> dict[str, Any] | None:
    """Return the logs, change by change."""
    found = logs_over_time(tell.scene, declared)
    if not found:
        return None
    rows: Iterable[tuple[int, int, int]] = (
        (seq, int(tell.codes[process]), tell.text(json.dumps(log))) for seq, process, log in found
    )
    table = np.array(list(rows), dtype=np.int64).reshape(-1, 3)
    columns = [process for seq, process, _ in found if seq < 0]
    return {
        "title": declared.title, "word": declared.word, "share": declared.share,
        "commit": bool(declared.commit), "order": tell.column(tell.codes[columns]),
        "rows": max((len(log[0]) for _, _, log in found), default=1),
        **{name: tell.column(table[:, i]) for i, name in enumerate(("at", "process", "text"))},
    }  # fmt: skip


register(Piece("logs", Logs, at=logs_at, panel="tall", page=page, order=65,
               painter="lydian.app.painters.pieces.logs.LogsPainter", script="player.logs.js"))  # fmt: skip
