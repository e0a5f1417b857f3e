"""The execution of the actions that the next moves of a search need, which fills its table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from lydian.engine.explorer.local import Outcome
from lydian.engine.explorer.moves import Moves
from lydian.engine.explorer.table import Entry, Late, Rows, Shape, Table

__all__ = ["Filling", "suits"]


def suits(moves: Moves) -> bool:
    """Return True if a table can hold the moves of an experiment.

    Guarded actions read the situations of several processes at once. Histories, and the lies of traitors, may have too
    many values.
    """
    others = moves.protocol.rules or moves.histories is not None or moves.traitors or moves.sudden
    return not (others or moves.protocol.shared)


class Filling(Moves):
    """The moves of an experiment, with a table of those that have been looked up.

    All actions that some configurations need are executed before the first of their moves is computed, in an order that
    depends on nothing else. So everything gets the same number however the moves are then computed.
    """

    def table(self) -> Table:
        """Return an empty table for the moves."""
        shape = Shape(len(self.situations), tuple(self.ways), self.crashes, bool(self.losses), self.patient)
        return Table(shape, self.kinds)

    def fill(self, table: Table, rows: Rows, enough: Callable[[], bool]) -> bool:
        """Execute all actions that the moves of these configurations need and that are not in the table.

        Args:
            enough: asked before each action whether to end; then False is returned.
        """
        n = len(self.situations)
        for i in range(n):
            for situation in _new(rows[:, i], table.own[i]):
                if enough():
                    return False
                self._fill_own(table, i, situation)
        for number, target in enumerate(self._targets):
            contents = rows[:, n + number].astype(np.int64)
            known = table.coming[number]
            for pair in np.unique(contents[contents > 0] << 32 | rows[contents > 0, target]).tolist():
                content, situation = pair >> 32, pair & 0xFFFF_FFFF
                if (content, situation) not in known:
                    if enough():
                        return False
                    self._fill_coming(table, number, content, situation)
        return not self.patient or self._fill_late(table, rows, enough)

    def _fill_own(self, table: Table, i: int, situation: int) -> None:
        """Fill in what may happen at a process in a situation, except deliveries."""
        events = self._own[i].get(situation)
        if events is None:
            events = self._own[i][situation] = self._events(i, situation, timers=not self.patient)
        self._note(table, (label for label, _ in events))
        table.learn("own", i, situation, tuple(_entry(label, outcome) for label, outcome in events))
        table.learn("asleep", i, situation, self.sleeps(i, situation))
        if self.crashes:
            dead = self.situations[i].views[situation]._crashed
            crash = None if dead else Entry(self._harm("crash", i, None), self.situations[i].crash(situation))
            self._note(table, () if crash is None else (crash.label,))
            table.learn("crash", i, situation, crash)

    def _fill_coming(self, table: Table, number: int, content: int, situation: int) -> None:
        """Fill in the messages that may arrive next on a channel, or be lost."""
        ready = self._coming[number].get((content, situation))
        if ready is None:
            ready = self._coming[number][content, situation] = self._arrivals(number, content, situation)
        self._note(table, (label for label, _, _ in ready))
        late = tuple(Late(label, left, *_entry(label, outcome)[1:]) for label, left, outcome in ready)
        table.learn("coming", number, (content, situation), late)
        if self.losses and content not in table.lost[number]:
            some = self.contents[number].without(content, anywhere=True)
            lost = tuple(Late(self._harm("loss", number, m), left, -2) for m, left in some)
            self._note(table, (each.label for each in lost))
            table.learn("lost", number, content, lost)

    def _fill_late(self, table: Table, rows: Rows, enough: Callable[[], bool]) -> bool:
        """Fill in the timers that expire because nothing else is enabled."""
        n = len(self.situations)
        empty = rows[(rows[:, n : n + len(self.channels)] == 0).all(1)]
        for key in empty.tolist():
            if any(own[at] for own, at in zip(table.own, key, strict=False)):
                continue
            for i in range(n):
                if key[i] not in table.late[i]:
                    if enough():
                        return False
                    events = self._events(i, key[i], others=False)
                    self._note(table, (label for label, _ in events))
                    table.learn("late", i, key[i], tuple(_entry(label, outcome) for label, outcome in events))
        return True

    def _note(self, table: Table, labels: Iterable[int]) -> None:
        for label in labels:
            if label not in table.places:
                table.learn("places", 0, label, (self.place(label), self.timed(label)))


def _new(column: Rows, known: Mapping[int, object]) -> list[int]:
    return [each for each in np.unique(column).tolist() if each not in known]


def _entry(label: int, outcome: Outcome) -> Entry:
    return Entry(label, -1 if outcome.failed else outcome.situation, outcome.sends)
