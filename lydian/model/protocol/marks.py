"""States, and the decorator of an action that names the states and the events it is for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from lydian.model.errors import did_you_mean, shown
from lydian.model.protocol.effects import ANY, INIT, Word
from lydian.model.protocol.message import Command, Indication, Message, Record, Request, Timer

__all__ = ["Rule", "State", "on", "states"]

Action = TypeVar("Action", bound=Callable[..., Any])
_EVENTS = (Message, Timer, Command, Request, Indication)


class State(str):
    """A named state of a process; it equals its name.

    ``reads`` is its predicate, which begins with a verb: "wants the resource", "is a candidate".
    """

    __slots__ = ("_reads",)
    _reads: str

    @property
    def reads(self) -> str:
        """The predicate of this state: as declared, or by default "is" and the name."""
        return getattr(self, "_reads", "") or f"is {self!s}"

    def __repr__(self) -> str:
        return f"<{self!s}>"


def states(*names: str, reads: Mapping[str, str] | None = None) -> tuple[State, ...]:
    """Declare states by name, the initial state first: ``SLEEPING, DONE = states("sleeping", "done")``.

    Args:
        reads: the predicates of states whose names do not fit after "is", such as ``{"wanted": "wants the resource",
            "leader": "is the leader"}``; each begins with its verb.
    """
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise TypeError(f"a state must be a name such as 'waiting', not {shown(name)}")
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two states are called '{twice}'; rename one of them")
    found = tuple(State(name) for name in names)
    if reads is not None and not isinstance(reads, Mapping):
        raise TypeError(f'reads must be a table such as {{"wanted": "wants the resource"}}, not {shown(reads)}')
    for name, predicate in (reads or {}).items():
        if name not in names:
            raise ValueError(f"reads names the unknown state {shown(name)}{did_you_mean(str(name), names)}")
        if not is_predicate(predicate):
            raise ValueError(
                f"reads must give '{name}' a predicate that begins with its verb, "
                f"such as 'is {name}' or 'waits for an answer', not {shown(predicate)}"
            )
        found[names.index(name)]._reads = predicate.strip()
    return found


def is_predicate(text: Any) -> bool:
    """Return True if a text can follow "it": "is the leader", "waits for votes", "can only listen"."""
    first = text.split()[0] if isinstance(text, str) and text.strip() else ""
    return first.isalpha() and first.islower() and (first.endswith("s") or first in ("can", "may", "must", "will"))


@dataclass(frozen=True)
class Rule:
    """The use of ``@on`` above an action."""

    states: tuple[str | Word, ...]
    events: tuple[Word | type[Record], ...]


def on(state: Any, event: Any) -> Callable[[Action], Action]:
    """Declare the action for an event in a state; both may be tuples, and :data:`ANY` stands for every state.

    Args:
        state: a state, a tuple of states, or ``ANY`` (an action for the state itself takes precedence).
        event: ``INIT``, or a class of :class:`Message`, :class:`Timer` or :class:`Command`, or a tuple of these;
            between layers also :class:`Request` and :class:`Indication`.

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
