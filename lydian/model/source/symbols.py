"""The meanings of the names of a protocol file, known from its text alone."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import lydian
from lydian.model.protocol.message import Command, Indication, Message, Record, Request, Timer
from lydian.model.protocol.parameters import Domain, Parameter
from lydian.model.protocol.process import DESCRIPTIONS, Process, State, Word
from lydian.model.protocol.properties import Need

__all__ = [
    "BUILTINS",
    "CONFIGURATION",
    "KINDS",
    "OFFERED",
    "PUBLIC",
    "UNKNOWN",
    "FieldSymbol",
    "FunctionSymbol",
    "Imported",
    "ParameterSymbol",
    "PlainClass",
    "ProcessSymbol",
    "PropertyMark",
    "RecordSymbol",
    "RuleMark",
    "StatesCall",
    "VariableSymbol",
    "WhenMark",
    "bits_like",
    "can_call",
    "copyable",
]

BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__builtins__", "__package__", "__spec__"}
#: kind of event -> its word in the language
KINDS = {
    "message": Message, "timer": Timer, "command": Command, "request": Request, "indication": Indication,
}  # fmt: skip


class Unknown:
    """A value that cannot be determined from the text."""

    def __repr__(self) -> str:
        return "?"


UNKNOWN: Any = Unknown()


@dataclass(frozen=True)
class Imported:
    """A module, or a name from one: ``random``, ``time.sleep``."""

    name: str


@dataclass(eq=False)
class FieldSymbol:
    name: str
    type: str
    default: ast.expr | None
    node: ast.AnnAssign


@dataclass(eq=False)
class RecordSymbol:
    """A class of messages, timers or commands; ``open`` if it has a base that cannot be determined."""

    name: str
    kind: str
    node: ast.ClassDef
    fields: dict[str, FieldSymbol] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    open: bool = False

    @property
    def required(self) -> list[str]:
        return [each.name for each in self.fields.values() if each.default is None]

    @property
    def order(self) -> list[str]:
        """The fields in the order of the constructor: those without a default first."""
        return sorted(self.fields, key=lambda name: self.fields[name].default is not None)


@dataclass(eq=False)
class RuleMark:
    """One ``@on``: its states and events as values and as text; ``None`` where they cannot be determined."""

    states: tuple[Any, ...] | None
    events: tuple[Any, ...] | None
    node: ast.Call


@dataclass(eq=False)
class WhenMark:
    """One ``@when``: its guard (a function of the file or a lambda, otherwise unknown) and its states, as far as
    known."""

    guard: Any
    states: tuple[Any, ...] | None
    node: ast.Call


@dataclass(eq=False)
class PropertyMark:
    """One ``@always("...")``, ``@eventually`` or ``@at_end``."""

    kind: str
    sentence: str
    node: ast.Call


@dataclass(eq=False)
class FunctionSymbol:
    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    rules: list[RuleMark] = field(default_factory=list)
    whens: list[WhenMark] = field(default_factory=list)
    properties: list[PropertyMark] = field(default_factory=list)
    program: bool = False

    @property
    def first_line(self) -> int:
        """The line where it begins according to Python: that of its first decorator."""
        return min([self.node.lineno, *(each.lineno for each in self.node.decorator_list)])

    @property
    def takes(self) -> tuple[int, int | None]:
        """The smallest and the largest number of positional arguments, including ``self``; the largest is ``None`` with
        ``*args``."""
        arguments = self.node.args
        most = len(arguments.posonlyargs) + len(arguments.args)
        return most - len(arguments.defaults), None if arguments.vararg else most


@dataclass(eq=False)
class VariableSymbol:
    name: str
    type: str
    value: Any
    initial: str
    node: ast.stmt
    domain: Domain | None = None


@dataclass(eq=False)
class ParameterSymbol:
    name: str
    value: Parameter | None
    node: ast.stmt


@dataclass(eq=False)
class ProcessSymbol:
    """A class of processes with its declarations, including those of its bases."""

    name: str
    node: ast.ClassDef
    bases: tuple[ProcessSymbol, ...] = ()
    start: Any = "active"
    start_node: ast.stmt | None = None
    variables: dict[str, VariableSymbol] = field(default_factory=dict)
    parameters: dict[str, ParameterSymbol] = field(default_factory=dict)
    members: dict[str, Any] = field(default_factory=dict)
    places: dict[str, ast.stmt] = field(default_factory=dict)
    open: bool = False
    layer: bool = False

    def methods(self) -> dict[str, FunctionSymbol]:
        """Its functions, those of its bases first."""
        return {name: value for name, value in self.members.items() if isinstance(value, FunctionSymbol)}

    def family(self) -> set[ProcessSymbol]:
        """The class itself and its bases."""
        return {self}.union(*(base.family() for base in self.bases))


@dataclass(eq=False)
class PlainClass:
    """A class that is neither a message nor a process."""

    name: str
    node: ast.ClassDef


@dataclass(eq=False)
class StatesCall:
    """``A, B = states("a", "b")``: the statement, the call, and the names it binds."""

    statement: ast.stmt
    call: ast.Call
    target: ast.expr | None
    values: tuple[State, ...]


#: ``ROUND`` as an event of a file that is read without being executed.
ROUND_EVENT = Word("ROUND")

_NOT_PLAIN = (
    PlainClass,
    RecordSymbol,
    ProcessSymbol,
    FunctionSymbol,
    RuleMark,
    WhenMark,
    PropertyMark,
    Need,
    Word,
    Imported,
    type,
)


def copyable(value: Any) -> bool:
    """Return True if a value may be the initial value of a variable: plain data, or unknown."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(copyable(item) for item in value)
    if isinstance(value, dict):
        return all(copyable(item) for pair in value.items() for item in pair)
    return not isinstance(value, _NOT_PLAIN) and not (callable(value) and value is not UNKNOWN)


def can_call(value: Any) -> bool:
    """Return True if a value may be called, as far as is known."""
    marks = (RuleMark, WhenMark, PropertyMark)
    symbols = (Unknown, PlainClass, RecordSymbol, ProcessSymbol, FunctionSymbol, *marks, Imported)
    return isinstance(value, symbols) or callable(value)


def bits_like() -> Iterable[str]:
    """Return the attributes of every message in addition to its fields."""
    return [name for name in dir(Record) if not name.startswith("_")]


def language() -> dict[str, Any]:
    """Return the words that a protocol file can import."""
    return {name: getattr(lydian, name) for name in lydian.__all__}


#: attributes of a configuration, for properties
CONFIGURATION = {
    "processes": "all processes, with their states and variables",
    "in_transit": "the messages in transit: message, sender, receiver, id, arrives",
    "time": "the simulated time",
    "network": "the network with its links",
    "n": "the number of processes",
    "process": "process(name): the process of this name",
    "role": "role(name): the processes that play this role",
    "across": "across(p, r): the process that p calls r",
    "crashed": "crashed(p): whether a process has crashed",
    "correct": "the processes that have never crashed and never been Byzantine",
    "honest": "the processes that have never been Byzantine, those that have crashed included",
    "decided": "the last decision of each process that has decided: c.decided[p]",
    "delivered": "the values that each process has delivered, as a tuple: c.delivered[p]",
    "history": "the operations so far: process, name, value, result, invoked, completed; before(other)",
    "observer": "observer(Order): the observer of this class, with its variables",
    "shared": 'the values of the shared objects by name: c.shared["turn"]',
    "name": "name(p): the name of a process, in an anonymous network too",
    "enabled": "the enabled guarded actions: pairs of a process and a rule",
}
#: attributes of every process for users
PUBLIC = frozenset(name for name in dir(Process) if not name.startswith("_"))
#: attributes that are suggested for an unknown word
OFFERED = PUBLIC - DESCRIPTIONS
