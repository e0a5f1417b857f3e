"""Words of the language that stand for themselves: events without a class, what an action asks of the engine."""

from __future__ import annotations

__all__ = [
    "ANY", "CANCEL_TIMER", "DECIDE", "DELIVER", "INIT", "NOTE", "PRINT", "SET_TIMER", "WANT_ROUND", "WATCH", "Word",
]  # fmt: skip


class Word:
    """A word of the language that stands for itself: ``INIT``, ``ANY``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


#: The event that wakes an initiator at the beginning.
INIT = Word("INIT")
#: Every state.
ANY = Word("ANY")

#: What an action asks of the engine beside sending, as the first of a pair in its list of effects.
SET_TIMER = Word("set_timer")
CANCEL_TIMER = Word("cancel_timer")
DELIVER = Word("deliver")
DECIDE = Word("decide")
NOTE = Word("note")
PRINT = Word("print")
WANT_ROUND = Word("want_round")
WATCH = Word("watch")
