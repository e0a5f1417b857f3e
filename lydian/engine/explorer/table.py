"""The moves of a search as a table of numbers, from which successors are computed without the protocol's code.

What an event does depends only on the situation of its process and on the message. All of this has numbers, so the
moves that are possible in a configuration, and the configurations to which they lead, can be looked up once the actions
have been executed. :meth:`Table.expand` does so for many configurations at a time. A table can be kept up to date in
another process, which is sent what is new (:meth:`Table.update`), and which needs no protocol file.

Contents of channels are words over messages, of which there may be many, so they are computed where they are needed.
Those that another process finds first are returned as words, and are numbered by the search.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lydian.engine.explorer.local import Contents
from lydian.engine.explorer.reduction import ALL, Choice

__all__ = ["Entry", "Expanded", "Knowledge", "Late", "News", "Rows", "Shape", "Table", "joined"]

#: Configurations, one in each row.
Rows = npt.NDArray[np.int32]
#: The configurations that are expanded before they are put into an array.
_CHUNK = 512


class Entry(NamedTuple):
    """An event of a process.

    Attributes:
        label: its label.
        after: the situation of the process after it; -1 if the action fails.
        sends: the channel and the number of each message sent, in order.
    """

    label: int
    after: int
    sends: tuple[tuple[int, int], ...] = ()


class Late(NamedTuple):
    """A message that leaves its channel.

    Attributes:
        label: the label of the move.
        left: the contents of the channel after it.
        after, sends: what its arrival does to the receiver, as in an :class:`Entry`; ``after`` is -2 if it is lost.
    """

    label: int
    left: int
    after: int
    sends: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Shape:
    """What does not change during a search.

    Attributes:
        n: the number of processes.
        channels: for each channel its sender, its receiver, and whether it is FIFO.
        crashes: the number of processes that may crash.
        losses: whether messages may be lost; then the last entry of a configuration says how many.
        patient: whether timers expire only when no other event is enabled.
    """

    n: int
    channels: tuple[tuple[int, int, bool], ...]
    crashes: int
    losses: bool
    patient: bool


@dataclass(frozen=True)
class Knowledge:
    """What a reduction has learned.

    Attributes:
        may: process -> situation -> the processes to which it may still send, as the bits of a number.
        classes: for each process: situation -> a number that is equal for situations between which ``always``
            properties see no difference; ``None`` if they see every change.
        watched: whether any property is still to be judged; otherwise no change is visible.
    """

    may: list[dict[int, int]]
    classes: list[list[int]] | None
    watched: bool

    def visible(self, i: int, before: int, after: int) -> bool:
        """Return True if a property may see a difference between two situations of process i."""
        return self.watched and (self.classes is None or self.classes[i][before] != self.classes[i][after])


@dataclass
class Expanded:
    """The moves of some configurations.

    Attributes:
        reached: the configurations to which the moves lead, in order; moves that fail are left out.
        labels, sent: for each of these moves its label and the number of messages that it sends.
        counts: the number of these moves of each configuration.
        quiet: the positions of the configurations in which no event is enabled.
        failing: the position and the label of each move that fails.
        chosen: for each configuration the process whose events alone were tried, or ``ALL``; empty without reduction.
        words: whether the contents are those of FIFO channels -> contents without a number, which stand in the
            configurations as the numbers from the last one known on.
    """

    reached: Rows
    labels: npt.NDArray[np.int32]
    sent: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    quiet: list[int]
    failing: list[tuple[int, int]]
    chosen: array[int]
    words: dict[bool, list[tuple[int, ...]]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, reached: Sequence[Sequence[int]], wide: int, labels: array[int], sent: array[int], counts: array[int],
        quiet: list[int], failing: list[tuple[int, int]], chosen: array[int],
    ) -> Expanded:  # fmt: skip
        """Return the moves of some configurations of this width."""
        rows = _array(reached, wide)
        return cls(rows, _numbers(labels), _numbers(sent), _numbers(counts), quiet, failing, chosen)


#: Something new in a table: the name of the part, the process or channel, the key in that part, and what it contains.
News = tuple[str, int, Any, Any]


class Table:
    """The moves of a search that are known.

    Args:
        shape: what does not change.
        contents: the numbered contents of channels, by whether these are FIFO.

    Attributes:
        news: what has been added, in order.
        own: for each process: situation -> its events other than deliveries.
        late: for each process: situation -> its timers, if these are patient.
        coming: for each channel: contents and situation of the receiver -> the messages that may arrive.
        lost: for each channel: contents -> the messages that may be lost.
        crash: for each process: situation -> the label of a crash and the situation after it; ``None`` if it has
            crashed.
        asleep: for each process: the situations in which it must wake up first.
        places: label -> the process at which the move occurs, and whether it is the expiry of a timer.
        choice: chooses the events to be tried; ``None`` without reduction.
    """

    def __init__(self, shape: Shape, contents: dict[bool, Contents] | None = None) -> None:
        self.shape = shape
        self.contents = contents or {fifo: Contents(fifo) for fifo in (False, True)}
        self.news: list[News] = []
        n, m = shape.n, len(shape.channels)
        self.own: list[dict[int, tuple[Entry, ...]]] = [{} for _ in range(n)]
        self.late: list[dict[int, tuple[Entry, ...]]] = [{} for _ in range(n)]
        self.coming: list[dict[tuple[int, int], tuple[Late, ...]]] = [{} for _ in range(m)]
        self.lost: list[dict[int, tuple[Late, ...]]] = [{} for _ in range(m)]
        self.crash: list[dict[int, Entry | None]] = [{} for _ in range(n)]
        self.asleep: list[dict[int, bool]] = [{} for _ in range(n)]
        self.places: dict[int, tuple[int, bool]] = {}
        self.may: list[dict[int, int]] = [{} for _ in range(n)]
        self.choice: Choice | None = None
        self._kinds = [self.contents[fifo] for _, _, fifo in shape.channels]
        self._added: list[tuple[Contents, int, int]] = []
        self._settled = {fifo: len(each.words) for fifo, each in self.contents.items()}

    # ------------------------------------------------------------------ growing

    def learn(self, part: str, place: int, key: Any, value: Any) -> None:
        """Add something new."""
        self._put(part, place, key, value)
        self.news.append((part, place, key, value))

    def _put(self, part: str, place: int, key: Any, value: Any) -> None:
        where: dict[Any, Any] = self.places if part == "places" else getattr(self, part)[place]
        where[key] = value

    def update(self, news: Iterable[News], words: dict[bool, list[tuple[int, ...]]], known: Knowledge | None) -> None:
        """Take over what is new in the table of another process.

        Args:
            news: what it has learned.
            words: the contents that it has numbered since the last call, in this order.
            known: what its reduction knows, if that is new.
        """
        for contents, old, message in self._added:
            if old < len(contents.added):
                contents.added[old].pop(message, None)
        self._added = []
        for fifo, contents in self.contents.items():
            contents.shorten(self._settled[fifo])
            for word in words[fifo]:
                contents.of(word)
            self._settled[fifo] = len(contents.words)
        for each in news:
            self._put(*each)
        if known is not None:
            self.may = known.may
            self.choice = Choice(self, known.visible)

    # ------------------------------------------------------------------ moves

    def expand(self, rows: Rows) -> Expanded:
        """Return the moves of configurations, all of whose actions are known."""
        choose = None if self.choice is None else self.choice.choose
        parts: list[Rows] = []
        labels, sent, counts, chosen = array("i"), array("i"), array("i"), array("i")
        quiet: list[int] = []
        failing: list[tuple[int, int]] = []
        reached: list[Sequence[int]] = []
        wide = rows.shape[1]
        for position, key in enumerate(rows.tolist()):
            steps = self.moves(key)
            if not steps:
                quiet.append(position)
            if self.shape.crashes or self.shape.losses:
                steps += self._harms(key)
            if choose is not None:
                i = choose(key, steps)
                chosen.append(i)
                if i != ALL:
                    steps = [step for step in steps if self.places[step[0]][0] == i]
            count = 0
            for label, new, sends in steps:
                if new is None:
                    failing.append((position, label))
                    continue
                count += 1
                reached.append(new)
                labels.append(label)
                sent.append(sends)
            counts.append(count)
            if len(reached) >= _CHUNK:
                parts.append(_array(reached, wide))
                reached = []
        parts.append(_array(reached, wide))
        found = {fifo: each.words[self._settled[fifo] :] for fifo, each in self.contents.items()}
        return Expanded(
            np.concatenate(parts), _numbers(labels), _numbers(sent), _numbers(counts), quiet, failing, chosen, found
        )

    def moves(self, key: Sequence[int]) -> list[tuple[int, Sequence[int] | None, int]]:
        """Return the moves of a configuration, except faults: label, configuration after it, and messages sent."""
        n, after = self.shape.n, self._after
        steps: list[tuple[int, Sequence[int] | None, int]] = []
        for i, own in enumerate(self.own):
            for label, situation, sends in own[key[i]]:
                steps.append((label, after(key, i, situation, sends), len(sends)))
        for number, coming in enumerate(self.coming):
            content = key[n + number]
            if content:
                i = self.shape.channels[number][1]
                for label, left, situation, sends in coming[content, key[i]]:
                    steps.append((label, after(key, i, situation, sends, n + number, left), len(sends)))
        if self.shape.patient and not steps:
            for i, late in enumerate(self.late):
                for label, situation, sends in late[key[i]]:
                    steps.append((label, after(key, i, situation, sends), len(sends)))
        return steps

    def _harms(self, key: Sequence[int]) -> list[tuple[int, Sequence[int] | None, int]]:
        """Return the faults that are still allowed in a configuration."""
        n, shape = self.shape.n, self.shape
        steps: list[tuple[int, Sequence[int] | None, int]] = []
        if shape.crashes:
            alive = [(i, now) for i, each in enumerate(self.crash) if (now := each[key[i]]) is not None]
            if n - len(alive) < shape.crashes:
                steps += [(now.label, self._after(key, i, now.after, ()), 0) for i, now in alive]
        if shape.losses and key[-1]:
            for number, lost in enumerate(self.lost):
                for label, left, _, _ in lost[key[n + number]] if key[n + number] else ():
                    new = list(key)
                    new[n + number], new[-1] = left, key[-1] - 1
                    steps.append((label, new, 0))
        return steps

    def _after(
        self, key: Sequence[int], i: int, situation: int, sends: tuple[tuple[int, int], ...], at: int = -1,
        left: int = 0,
    ) -> Sequence[int] | None:  # fmt: skip
        if situation == -1:
            return None
        new = list(key)
        if at >= 0:
            new[at] = left
        new[i] = situation
        n = self.shape.n
        for channel, m in sends:
            contents, old = self._kinds[channel], new[n + channel]
            more = contents.added[old].get(m)
            if more is None:
                more = contents.add(old, m)
                self._added.append((contents, old, m))
            new[n + channel] = more
        return new

    # ------------------------------------------------------------------ what the reduction asks

    @property
    def patient(self) -> bool:
        """Whether timers expire only when no other event is enabled."""
        return self.shape.patient

    @property
    def ways(self) -> Iterable[tuple[int, int, bool]]:
        """The sender and the receiver of each channel, and whether it is FIFO."""
        return self.shape.channels

    def place(self, label: int) -> int:
        """Return the process at which a move occurs."""
        return self.places[label][0]

    def timed(self, label: int) -> bool:
        """Return True if a move is the expiry of a timer."""
        return self.places[label][1]

    def sleeps(self, i: int, situation: int) -> bool:
        """Return True if process i must wake up before a message or timer may reach it."""
        return self.asleep[i][situation]

    def undecided(self, key: Sequence[int]) -> bool:
        """Return True if a crash or a loss is still allowed."""
        if self.shape.losses and key[-1]:
            return True
        crashes = self.shape.crashes
        if not crashes:
            return False
        return sum(each[at] is None for each, at in zip(self.crash, key, strict=False)) < min(crashes, self.shape.n)

    def numbered(self, found: Expanded, known: dict[bool, int]) -> Rows:
        """Return the configurations that another process has found, with the numbers of their contents here.

        Args:
            found: its results.
            known: the number of contents that it knew.
        """
        rows = found.reached
        for fifo, words in found.words.items():
            if words:
                of = self.contents[fifo].of
                here = np.concatenate([np.arange(known[fifo]), [of(word) for word in words]]).astype(np.int32)
                columns = [self.shape.n + at for at, each in enumerate(self.shape.channels) if each[2] == fifo]
                rows[:, columns] = here[rows[:, columns]]
        return rows

    def settle(self) -> None:
        """Count all contents as known, in the process that numbers them."""
        self._added = []
        self._settled = {fifo: len(each.words) for fifo, each in self.contents.items()}


def joined(parts: Sequence[Expanded]) -> Expanded:
    """Return the moves of all configurations of these parts, in order."""
    if len(parts) == 1:
        return parts[0]
    quiet: list[int] = []
    failing: list[tuple[int, int]] = []
    chosen, at = array("i"), 0
    for each in parts:
        quiet += [at + position for position in each.quiet]
        failing += [(at + position, label) for position, label in each.failing]
        chosen += each.chosen
        at += len(each.counts)
    return Expanded(
        np.concatenate([each.reached for each in parts]),
        np.concatenate([each.labels for each in parts]),
        np.concatenate([each.sent for each in parts]),
        np.concatenate([each.counts for each in parts]),
        quiet,
        failing,
        chosen,
    )


def _array(reached: Sequence[Sequence[int]], wide: int) -> Rows:
    return np.fromiter(chain.from_iterable(reached), np.int32, len(reached) * wide).reshape(-1, wide)


def _numbers(some: array[int]) -> npt.NDArray[np.int32]:
    return np.frombuffer(some, np.int32) if some else np.zeros(0, np.int32)
