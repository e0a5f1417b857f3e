"""The transition table and the state diagram, derived from a protocol's actions so that they always match."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from lydian.model.protocol.flow import Reading
from lydian.model.protocol.layers import Layer, row_of
from lydian.model.protocol.process import ANY, Process, Rule, Word
from lydian.model.protocol.program import flattened, programs
from lydian.model.protocol.rules import column, rules_of
from lydian.model.source.syntax import tree_of

__all__ = ["Cell", "Table", "action_arguments", "derive", "event_name"]


@dataclass(frozen=True)
class Cell:
    """The action for an event in a state.

    Attributes:
        action: the name of the function.
        line: its first line in the protocol file.
        summary: the first line of its docstring, or "".
        next_states: the states it may lead to, in the order in which they are declared; the state itself if it assigns
            none. They are derived from the code of the action and of the methods it calls
            (:mod:`lydian.model.protocol.flow`).
        for_any: whether the action is declared for ``ANY``.
    """

    action: str
    line: int
    summary: str
    next_states: tuple[str, ...]
    for_any: bool


@dataclass(frozen=True)
class Table:
    """A table of states x events -> cells; a missing pair is illegal or, for a guarded action, not enabled.

    The columns of guarded actions are called ``when move`` and follow those of events; ``rules`` lists them. The rows
    of the states of the process are followed by those of its ``layers``: ``chord``, or ``chord: joining`` for a layer
    with several states. ``roles`` contains the states of each role, if the protocol has several.
    """

    states: tuple[str, ...]
    events: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    rules: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[str, ...]:
        """The states, and the rows of layers."""
        return (*self.states, *self.layers)

    @property
    def parts(self) -> list[tuple[str, ...]]:
        """The rows of the process, then those of each layer; or the rows of each role."""
        if self.roles:
            return [*self.roles.values()]
        found: dict[str, list[str]] = {}
        for row in self.layers:
            found.setdefault(row.split(":")[0], []).append(row)
        return [self.states, *map(tuple, found.values())]

    def kind(self, event: str) -> str:
        """Return ``rule`` for the column of a guarded action, otherwise ``event``."""
        return "rule" if event in self.rules else "event"

    def get(self, state: str, event: str) -> Cell | None:
        """Return the cell of an event in a state, or in a layer if the event belongs to one."""
        rows = (state, *self.layers)
        return next((self.cells[row, event] for row in rows if (row, event) in self.cells), None)

    def edges(self) -> Iterator[tuple[str, str, str]]:
        """Return the state diagram: (from, to, event) for each change of state, and loops where a state is kept."""
        for state in self.states:
            for event in self.events:
                cell = self.cells.get((state, event))
                if cell is not None:
                    for then in cell.next_states:
                        yield state, then, event


def event_name(event: Any) -> str:
    """Return ``INIT`` or the class's name."""
    return event.name if isinstance(event, Word) else event.__name__


def action_arguments(action: Callable[..., Any]) -> int:
    """Return the number of arguments after ``self``: 0, 1 (the event) or 2 (a message and its sender)."""
    code: Any = action.__code__
    return 2 if code.co_flags & 0x04 else code.co_argcount - 1


def actions(cls: type[Any]) -> Iterator[tuple[str, Callable[..., Any], list[Rule]]]:
    """Return the actions of a protocol, those of base classes first, each with its rules, in the order of the file."""
    seen: dict[str, Callable[..., Any]] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if hasattr(value, "__lydian_rules__"):
                seen[name] = value
            elif name in seen:
                del seen[name]  # overridden by something that is not an action
    for name, action in seen.items():
        yield name, action, vars(action)["__lydian_rules__"]


def derive(
    cls: type[Process],
    states: tuple[str, ...],
    events: tuple[str, ...],
    source: str,
    scope: Mapping[str, Any],
    layers: Mapping[type[Layer], tuple[str, ...]] = MappingProxyType({}),
    *,
    alone: bool = True,
) -> Table:
    """Derive the table of a protocol.

    Args:
        cls: the protocol.
        states: its states, the initial state first.
        events: the names of its events in the order of their columns.
        source: the text of its file.
        scope: the names of its module, to interpret ``self.state = WAITING``.
        layers: the layers below the process, with the states of each.
        alone: whether the file contains no other class of processes.
    """
    own = {each.__name__ for each in cls.__mro__} if layers or not alone else None
    reading = Reading(source, scope, states, own)
    cells = _cells(cls, states, reading)
    below: list[str] = []
    for layer, inner in layers.items():
        inside = Reading(source, scope, inner, {each.__name__ for each in layer.__mro__})
        rows = {state: row_of(layer, state, inner) for state in inner}
        below += rows.values()
        for (state, event), cell in _cells(layer, inner, inside).items():
            cells[rows[state], event] = replace(cell, next_states=tuple(rows[then] for then in cell.next_states))
    columns = []
    steps = _steps(cls, source, reading)
    for guarded in rules_of(cls):
        if guarded.points:
            columns.append(column(guarded.name))
            cells.update({(state, columns[-1]): cell for state, cell in steps.get(guarded.name, {}).items()})
            continue
        columns.append(column(guarded.name))
        summary = (guarded.action.__doc__ or "").strip().split("\n", 1)[0]
        for_any = ANY in guarded.states
        for state in states if for_any else (str(each) for each in guarded.states):
            then = reading.states_after(guarded.name, state)
            cells[state, columns[-1]] = Cell(guarded.name, _line(guarded.action), summary, then, for_any)
    return Table(states, (*events, *columns), cells, tuple(columns), tuple(below))


def _steps(cls: type[Process], source: str, reading: Reading) -> dict[str, dict[str, Cell]]:
    """Return the cells of the steps of a program: the label of the steps, and the state."""
    names = {each.__name__ for each in cls.__mro__}
    found = [definition for owner, definition in programs(tree_of(source)) if owner.name in names]
    if not found:
        return {}
    flat = flattened(found[-1], "")
    others = [name for name, _, _ in actions(cls)] + [rule.name for rule in rules_of(cls) if not rule.points]
    settled = all(reading.states_after(name, state) == (state,) for name in others for state in reading.states)
    before = reading.program_states(flat, [str(cls._declared.start)], settled)
    cells: dict[str, dict[str, Cell]] = {}
    for point, label, line in [(found[-1].name, found[-1].name, found[-1].lineno), *flat.points]:
        for state in before.get(point, ()):
            then = reading.states_after_step(flat, point, state)
            own = cells.setdefault(label, {})
            known = own.get(state)
            if known is None:
                own[state] = Cell(found[-1].name, line, f"A step of the program: {label}.", then, False)
            else:
                both = tuple(each for each in reading.states if each in (*known.next_states, *then))
                own[state] = replace(known, next_states=both)
    return cells


def _cells(cls: type[Any], states: tuple[str, ...], reading: Reading) -> dict[tuple[str, str], Cell]:
    """Return the cells of a process, or of one of its layers, for events."""
    cells: dict[tuple[str, str], Cell] = {}
    for name, action, rules in actions(cls):
        summary = (action.__doc__ or "").strip().split("\n", 1)[0]
        for rule in rules:
            for_any = ANY in rule.states
            for state in states if for_any else tuple(str(s) for s in rule.states):
                then = reading.states_after(name, state)
                for event in rule.events:
                    key = (state, event_name(event))
                    if for_any and key in cells and not cells[key].for_any:
                        continue
                    cells[key] = Cell(name, _line(action), summary, then, for_any)
    return cells


def _line(action: Callable[..., Any]) -> int:
    """Return the line of the ``def``, below its decorators."""
    code: Any = action.__code__
    lines = [line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno]
    source, first = inspect.getsourcelines(action) if lines else ([], code.co_firstlineno)
    for number, text in enumerate(source):
        if text.lstrip().startswith(("def ", "async def ")):
            return first + number
    return int(code.co_firstlineno)
