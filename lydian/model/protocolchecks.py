"""What is wrong with a protocol's class, seen when it is loaded."""

from __future__ import annotations

import inspect
from typing import Any

from lydian.model.errors import BadInput, ProtocolError
from lydian.model.layers import layers_of
from lydian.model.message import Command, Message, Record, Timer
from lydian.model.process import ANY, Process
from lydian.model.properties import rounds
from lydian.model.rounds import ROUND
from lydian.model.rules import rules_of
from lydian.model.table import action_arguments, actions, event_name

__all__ = ["check_cells", "check_layers", "check_rounds", "check_variables"]

_OWNED = (Message, Timer, Command)
_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def check_cells(cls: type[Any], states: tuple[str, ...], file: str) -> None:
    """Two actions for one cell, and actions with a wrong number of arguments, are refused."""
    taken: dict[tuple[str, str], tuple[str, int]] = {}
    for name, action, rules in actions(cls):
        code: Any = action.__code__
        place = f"line {code.co_firstlineno}"
        for rule in rules:
            for event in rule.events:
                most = 0 if not isinstance(event, type) else 2 if issubclass(event, Message) else 1
                if code.co_flags & _SUSPENDS:
                    raise ProtocolError(
                        f"the action '{name}' holds yield, async or await; an action runs in one go to its end",
                        file=file,
                        place=place,
                    )
                if not code.co_flags & 0x04 and action_arguments(action) > most + len(action.__defaults__ or ()):
                    takes = ("(self)", "(self, event)", "(self, m, q): the message and its sender")[most]
                    raise ProtocolError(
                        f"the action '{name}' for {event_name(event)} takes {takes}", file=file, place=place
                    )
                for state in rule.states:
                    key = ("ANY" if state is ANY else str(state), event_name(event))
                    if key in taken and taken[key][0] != name:
                        other, line = taken[key]
                        raise ProtocolError(
                            f"two actions for {key[1]} in state {key[0]}: '{other}' (line {line}) and '{name}'; "
                            "keep one",
                            file=file,
                            place=place,
                        )
                    taken[key] = (name, code.co_firstlineno)


def check_layers(cls: type[Process], file: str) -> None:
    """An event belongs to one layer, and layers have no guarded actions."""
    owners: dict[type[Record], str] = {}
    levels = (cls, *layers_of(cls))
    for level in levels if len(levels) > 1 else ():
        if rules_of(level):
            raise ProtocolError("it has layers and guarded actions (@when); one of them is enough", file=file)
        for name, action, marks in actions(level):
            for event in {event for mark in marks for event in mark.events if isinstance(event, type)}:
                if owners.setdefault(event, level.__name__) != level.__name__ and issubclass(event, _OWNED):
                    what = f"{owners[event]} and {level.__name__} both have an action for {event.__name__} ('{name}')"
                    raise ProtocolError(
                        f"{what}; an event belongs to one layer, which may tell the others",
                        file=file,
                        place=f"line {action.__code__.co_firstlineno}",
                    )


def check_rounds(cls: type[Process], events: tuple[type[Record], ...], file: str) -> None:
    """Who needs rounds has an action for them, and the other way round; and messages are answered in rounds alone."""
    needs = cls.needs if isinstance(cls.needs, (tuple, list)) else (cls.needs,)
    if (rounds in needs) is not (ROUND in events):
        what = "an action for ROUND wants needs = rounds" if ROUND in events else (
            "needs = rounds wants an action for them: @on(ANY, ROUND) above def compute(self, received)"
        )
        raise ProtocolError(what, file=file)
    if ROUND in events and rules_of(cls):
        raise ProtocolError("it has rounds and guarded actions (@when); one of them is enough", file=file)
    for name, action, marks in actions(cls) if ROUND in events else ():
        kinds = [event for mark in marks for event in mark.events if isinstance(event, type)]
        wrong = next((each for each in kinds if issubclass(each, Message)), None)
        if wrong is not None:
            what = f"the action '{name}' answers {wrong.__name__}; in rounds messages come to the action for ROUND"
            raise ProtocolError(what, file=file, place=f"line {action.__code__.co_firstlineno}")


def check_variables(cls: type[Process], file: str) -> None:
    """The bounds of variables speak of n, m and the parameters."""
    for each in cls._declared.variables.values():
        if each.domain is not None:
            try:
                each.domain.check(("n", "m", *cls._declared.parameters))
            except BadInput as error:
                raise ProtocolError(f"the variable '{each.name}': {error.what}", file=file) from None
