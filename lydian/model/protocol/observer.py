"""Observers: classes in a protocol file that are told every event of an execution in its order.

A property sees one configuration. What it has to say about the order of events, or about the time between two of them,
an observer remembers for it::

    class Queue(Observer):
        waiting: list = []
        overtaken: bool = False

        def observe(self, event):
            if event.kind == "command":
                self.waiting.append(event.process)
            elif event.kind == "deliver" and self.waiting.pop(0) != event.process:
                self.overtaken = True

    @always("no process overtakes another")
    def in_order(c):
        return not c.observer(Queue).overtaken

An observer sees all processes but is not one of them: nothing that it does changes the execution. Its variables are
plain data and depend on nothing but the events, so that a search can distinguish configurations by them, and a run that
is repeated up to a moment has the same values there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from lydian.model.errors import did_you_mean, shown
from lydian.model.protocol.message import plain_copy

__all__ = ["OBSERVED", "Observation", "Observer", "Timeless", "observers_of", "unknown_observer"]

#: The kinds of event that an observer is told.
OBSERVED = (
    "init", "receive", "timer", "command", "rule", "send", "deliver", "decide", "respond", "note",
    "drop", "crash", "recover", "corrupt", "inject", "link_down", "link_up",
)  # fmt: skip
_PLAIN = (bool, int, float, str, bytes, list, tuple, set, frozenset, dict, type(None))


class Timeless(BaseException):
    """The exception raised when an action, a property or an observer reads the time, which a search does not have."""


@dataclass(frozen=True)
class Observation:
    """An event as an observer is told of it.

    Attributes:
        kind: one of :data:`OBSERVED`.
        process: the name of the process at which it occurs, or ``None``; for ``drop``, the receiver.
        peer: the process at the other end of the message, or ``None``.
        label: the class of the message, timer or command, or the name of the rule, or ``None``.
        fields: the fields of the message, timer or command.
        value: what is delivered or decided, the result of an operation, or the text of a note; otherwise ``None``.
        state: the state of the process after the event, or ``None``.
        at: the time of the event; ``None`` in a search.
    """

    kind: str
    process: str | None
    peer: str | None = None
    label: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    value: Any = None
    state: str | None = None
    at: float | None = None

    @property
    def time(self) -> float:
        """The simulated time of the event."""
        if self.at is None:
            raise Timeless
        return self.at


class _ObserverType(type):
    """The metaclass that turns declared variables into slots, so that a misspelt one cannot be created by accident."""

    def __new__(mcls, name: str, bases: tuple[type, ...], body: dict[str, Any], *, root: bool = False) -> _ObserverType:
        namespace = dict(body)
        variables: dict[str, Any] = {}
        for base in reversed(bases):
            variables.update(getattr(base, "_variables", {}))
        inherited = set(variables)
        for word in () if root else [*namespace.get("__annotations__", {}), *body]:
            if not word.startswith("__") and not word.isupper() and not _of_class(body.get(word, 0)):
                variables[word] = _initial(name, word, body)
                namespace.pop(word, None)
        if (
            not root
            and not callable(body.get("observe"))
            and all(getattr(base, "observe", None) is Observer.observe for base in bases)
        ):
            what = "an observer needs a method that is told each event: def observe(self, event)"
            raise TypeError(f"{name}: {what}")
        namespace["__slots__"] = tuple(word for word in variables if word not in inherited)
        namespace["_variables"] = variables
        return super().__new__(mcls, name, bases, namespace)


def _deeds(body: Mapping[str, Any], bases: tuple[type, ...]) -> list[Any]:
    """Return what is called ``observe`` in a class body and its bases."""
    return [body.get("observe"), *(getattr(base, "observe", None) for base in bases)]


def _of_class(value: Any) -> bool:
    """Return True if a value in a class body is a method or a property and not the value of a variable."""
    return callable(value) or isinstance(value, (property, classmethod, staticmethod))


def _initial(name: str, word: str, body: Mapping[str, Any]) -> Any:
    """Return the initial value of a variable of an observer."""
    if word not in body:
        raise TypeError(f"{name}: the variable '{word}' of an observer needs its initial value: {word}: int = 0")
    if word in ("observe", "copy") or word.startswith("_"):
        raise TypeError(f"{name}: a variable cannot be called '{word}'; choose another name")
    if not isinstance(body[word], _PLAIN):
        kinds = "a number, a text, a list, a tuple, a set or a table"
        raise TypeError(f"{name}: the variable '{word}' of an observer must be {kinds}, not {shown(body[word])}")
    return body[word]


class Observer(metaclass=_ObserverType, root=True):
    """An observer of an execution: a subclass declares variables and a method ``observe(self, event)``."""

    __slots__ = ()
    _variables: ClassVar[Mapping[str, Any]] = {}

    def __init__(self) -> None:
        self._put({})

    def observe(self, event: Observation) -> None:
        """Take note of an event."""
        raise NotImplementedError

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._variables:
            hint = did_you_mean(name, self._variables) or f"; declare it in the class: {name}: int = 0"
            raise AttributeError(f"the observer {type(self).__name__} has no variable '{name}'{hint}")
        object.__setattr__(self, name, value)

    def _put(self, values: Mapping[str, Any]) -> None:
        """Set the variables to copies of these values, and the others to their initial values."""
        for name, initial in self._variables.items():
            setattr(self, name, plain_copy(values.get(name, initial)))

    def _values(self) -> dict[str, Any]:
        """Return copies of the variables."""
        found: dict[str, Any] = {}
        for name in self._variables:
            try:
                found[name] = plain_copy(getattr(self, name))
            except TypeError:
                kinds = "numbers, texts, tuples, lists, sets or dicts"
                given = shown(getattr(self, name))
                raise TypeError(f"the variable '{name}' must contain plain data ({kinds}), not {given}") from None
        return found

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(f'{k} = {v!r}' for k, v in self._values().items())}>"


def observers_of(judged: Iterable[Any]) -> tuple[type[Observer], ...]:
    """Return the observers that properties and measures may read, each once, in the order of their files."""
    return tuple(dict.fromkeys(each for one in judged for each in one.observers))


def unknown_observer(cls: Any, known: Iterable[type[Observer]]) -> str:
    """Return why there is no such observer in an execution."""
    names = [each.__name__ for each in known]
    if isinstance(cls, Observer):
        return f"c.observer needs the class of an observer: c.observer({type(cls).__name__})"
    if isinstance(cls, str) and cls in names:
        return f"c.observer needs the class itself: c.observer({cls}), without quotation marks"
    if not names:
        return "the file declares no observer: class Order(Observer), with def observe(self, event)"
    wrong = cls.__name__ if isinstance(cls, type) else str(cls)
    return f"{shown(wrong)} is not an observer{did_you_mean(wrong, names)}; choose from {', '.join(names)}"
