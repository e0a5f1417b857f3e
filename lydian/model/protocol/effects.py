"""Special words of the language: events without a class, and the requests of actions to the engine."""

from __future__ import annotations

__all__ = [
    "ANY", "CANCEL_TIMER", "CHOOSE", "DECIDE", "DEFER", "DELIVER", "INIT", "NOTE", "PRINT", "RESPOND", "SET_TIMER",
    "WANT_ROUND", "WATCH", "Word",
]  # fmt: skip


class Word:
    """A special word of the language, such as ``INIT`` or ``ANY``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


#: The event that wakes an initiator at the beginning.
INIT = Word("INIT")
#: All states.
ANY = Word("ANY")

#: The requests of an action other than sending; each is the first of a pair in the action's list of effects.
CHOOSE = Word("choose")
DEFER = Word("defer")
SET_TIMER = Word("set_timer")
CANCEL_TIMER = Word("cancel_timer")
DELIVER = Word("deliver")
DECIDE = Word("decide")
NOTE = Word("note")
PRINT = Word("print")
RESPOND = Word("respond")
WANT_ROUND = Word("want_round")
WATCH = Word("watch")
