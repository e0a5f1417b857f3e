"""Which way an action went, told by what came of it.

A docstring that covers an ``if`` explains no event.  Below its first sentence it may have a sentence for each way::

    def asked(self, m, q):
        '''It answers, or keeps its answer.

        sends Reply: It has no older request of its own, so it answers at once.
        otherwise: Its own request is older: it defers its answer.
        '''

The first line whose condition is true of the event is its explanation.  Conditions are

* ``sends Reply``, ``sends`` (any message), ``sends Vote(granted=no)``, ``sends nothing``; ``decides``, ``delivers``,
  ``notes``; ``sets Retry`` (a timer);
* ``becomes leader``, ``becomes`` (any other state), ``stays``; ``changes best`` (a variable), ``changes``;
* ``while waiting`` (the state before), ``says granted=no`` (a field of the message that it answers);
* ``nothing`` (nothing came of it), ``otherwise`` and ``always``.

Several names are joined by ``or``, several conditions by ``and``.  In the sentences ``{peer}`` and ``{variable}`` stand
for what they do in an animation's phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from lydian.trace.events import Kind
from lydian.views.words.contents import contents
from lydian.views.words.values import value_text

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["names_in", "outcome_of"]

_KINDS = {"sends": Kind.SEND, "decides": Kind.DECIDE, "delivers": Kind.DELIVER, "notes": Kind.NOTE}


def outcome_of(
    outcomes: Iterable[tuple[str, str]], timeline: Timeline, seq: int, before: str | None, effects: Iterable[int]
) -> str:
    """The sentence of the first outcome that is true of event ``seq``; empty if none is known to be.

    Args:
        outcomes: conditions with their sentences, as :func:`lydian.views.words.source.read` finds them.
        before: the state in which the event found its process.
        effects: the events that its action brought forth.
    """
    event = _Event(timeline, seq, before, list(effects))
    for condition, sentence in outcomes:
        true: bool | None = True
        for clause in condition.split(" and "):
            this = event.fits(*_parts(clause))
            true = None if this is None or true is None else true and this
            if this is False:
                true = False
                break
        if true is None:  # it depends on what the trace does not tell: the next ones could be false
            return ""
        if true:
            return sentence
    return ""


def names_in(condition: str) -> list[tuple[str, tuple[str, ...]]]:
    """The verbs of a condition with the names behind them: ``sends Reply or Ack`` is ("sends", ("Reply", "Ack"))."""
    return [_parts(clause) for clause in condition.split(" and ")]


def _parts(clause: str) -> tuple[str, tuple[str, ...]]:
    verb, _, rest = clause.strip().partition(" ")
    return verb, tuple(name.strip() for name in rest.replace(",", " or ").split(" or ") if name.strip())


class _Event:
    """An event and what came of it."""

    def __init__(self, timeline: Timeline, seq: int, before: str | None, effects: list[int]) -> None:
        self.timeline, self.seq, self.effects, self.before = timeline, seq, effects, before
        code = int(timeline.state[seq])
        states = timeline.trace.states
        self.after = states[code] if 0 <= code < len(states) else before
        changed = (timeline.trace.detail(seq) or {}).get("changed")
        self.changed = set(changed) if isinstance(changed, dict) else set()
        self.told = bool(timeline.variable_names)

    def fits(self, verb: str, names: tuple[str, ...]) -> bool | None:
        """Whether a condition is true; ``None`` if the trace does not tell."""
        if verb in _KINDS:
            return self._did(_KINDS[verb], names)
        test: dict[str, Callable[[], bool | None]] = {
            "always": lambda: True,
            "otherwise": lambda: True,
            "while": lambda: self.before in names,
            "becomes": lambda: self.after != self.before and (not names or self.after in names),
            "stays": lambda: self.after == self.before,
            "changes": lambda: self._changes(names),
            "sets": lambda: self._sets(names),
            "says": lambda: any(self._says(self.seq, name) for name in names),
            "nothing": self._nothing,
        }
        return test[verb]() if verb in test else None

    def _did(self, kind: int, names: tuple[str, ...]) -> bool:
        rows = [row for row in self.effects if int(self.timeline.kind[row]) == kind]
        if names == ("nothing",):
            return not rows
        return bool(rows) if not names else any(self._is(row, name) for row in rows for name in names)

    def _is(self, row: int, name: str) -> bool:
        """Whether a message is of a class, and says what stands in brackets behind its name."""
        label, _, said = name.partition("(")
        return self._label(row) == label and (not said or self._says(row, said.rstrip(")")))

    def _says(self, row: int, said: str) -> bool:
        field, _, value = said.partition("=")
        return value_text(contents(self.timeline, row).get(field.strip())) == value.strip()

    def _label(self, row: int) -> str:
        code = int(self.timeline.label[row])
        return self.timeline.labels[code] if code >= 0 else ""

    def _changes(self, names: tuple[str, ...]) -> bool | None:
        if not self.told:
            return None
        return bool(self.changed) if not names else not self.changed.isdisjoint(names)

    def _sets(self, names: tuple[str, ...]) -> bool | None:
        """``None`` for a trace from before timers were recorded."""
        if not (np.asarray(self.timeline.kind) == Kind.TIMER_SET).any():
            return None
        return self._did(Kind.TIMER_SET, names)

    def _nothing(self) -> bool | None:
        if self.effects or self.after != self.before:
            return False
        return self._changes(()) is False if self.told else None
