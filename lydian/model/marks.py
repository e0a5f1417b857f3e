"""States, and the mark above an action that says in which of them it answers which event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from lydian.model.effects import ANY, INIT, Word
from lydian.model.errors import shown
from lydian.model.message import Command, Indication, Message, Record, Request, Timer

__all__ = ["Rule", "State", "on", "states"]

Action = TypeVar("Action", bound=Callable[..., Any])
_EVENTS = (Message, Timer, Command, Request, Indication)


class State(str):
    """A named state of a process; equal to its name."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{self!s}>"


def states(*names: str) -> tuple[State, ...]:
    """Declare states by name, the start state first: ``SLEEPING, DONE = states("sleeping", "done")``."""
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise TypeError(f"a state is a name such as 'waiting', not {shown(name)}")
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two states are called '{twice}'; give each its own name")
    return tuple(State(name) for name in names)


@dataclass(frozen=True)
class Rule:
    """One ``@on`` above an action."""

    states: tuple[str | Word, ...]
    events: tuple[Word | type[Record], ...]


def on(state: Any, event: Any) -> Callable[[Action], Action]:
    """The action for an event in a state; several may be given as a tuple, every state as :data:`ANY`.

    Args:
        state: a state, a tuple of states, or ``ANY`` (an action for the state itself goes first).
        event: ``INIT``, or a class of :class:`Message`, :class:`Timer` or :class:`Command`, or a tuple of these;
            between layers :class:`Request` and :class:`Indication` as well.

    The action takes ``(self)``, ``(self, m)`` or, for messages, ``(self, m, q)``: the message and its sender.
    """
    rule = Rule(_several(state), _several(event))
    for each in rule.states:
        if each is not ANY and not isinstance(each, str):
            raise TypeError(f"@on needs a state first, not {shown(each)}: @on(WAITING, Ack)")
    for what in rule.events:
        if what is not INIT and not (isinstance(what, type) and issubclass(what, _EVENTS)):
            raise TypeError(f"@on needs INIT or a Message, Timer or Command class as its event, not {shown(what)}")

    def remember(action: Action) -> Action:
        rules: list[Rule] = action.__dict__.setdefault("__lydian_rules__", [])
        rules.insert(0, rule)
        return action

    return remember


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list, set, frozenset)) else (value,)
