"""The base class of protocols: a subclass is a protocol, and each of its objects is one process.

::

    SLEEPING, INFORMED = states("sleeping", "informed")

    class Flooding(Process):
        state = SLEEPING
        heard_from: str | None = None

        @on(SLEEPING, News)
        def pass_on(self, m, q):
            self.heard_from = q
            self.state = INFORMED
            for r in self.neighbours:
                if r != q:
                    self.send(News(), to=r)

A class body declares the initial state, the variables (with their initial values), the parameters and the actions.
An action changes only its own process; messages are sent and timers are set after it has ended.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from lydian.model.errors import did_you_mean, shown
from lydian.model.memory.objects import Shared
from lydian.model.names import natural
from lydian.model.protocol.effects import (
    ANY,
    CANCEL_TIMER,
    CHOOSE,
    DECIDE,
    DEFER,
    DELIVER,
    INIT,
    NOTE,
    RESPOND,
    SET_TIMER,
    WANT_ROUND,
    Word,
)
from lydian.model.protocol.guards import NotAllowed, refuse
from lydian.model.protocol.marks import Rule, State, on, states
from lydian.model.protocol.message import Message, Timer, accepted_types, annotation_text, hashed, plain_copy
from lydian.model.protocol.parameters import Domain, Parameter, parameter
from lydian.model.protocol.program import NEXT, TO_COME, Steps
from lydian.model.protocol.watching import Watcher

__all__ = [
    "ANY", "CANCEL_TIMER", "CHOOSE", "DECIDE", "DEFER", "DELIVER", "INIT", "LOOKING", "NOTE", "RESPOND",
    "SET_TIMER", "WANT_ROUND", "Parameter", "Process", "Rule", "State", "Variable", "Word", "on", "parameter",
    "reserved", "states",
]  # fmt: skip


@dataclass(frozen=True)
class Variable:
    """A declared variable of a process.

    Args:
        name, type: its name and its type, as written.
        initial: the initial value; an empty one of its type if every process computes its own.
        domain: its domain, if that is declared.
        first: a function that returns the initial value for a process, if the values differ.
    """

    name: str
    type: str
    initial: Any
    domain: Domain | None = None
    first: Callable[[Any], Any] | None = None


@dataclass
class Declared:
    """The declarations of a class body and its bases."""

    start: State = field(default_factory=lambda: State("active"))
    variables: dict[str, Variable] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)


class _Body(dict[str, Any]):
    """The namespace of a class body; it refuses a second action of the same name, which Python would silently
    replace."""

    def __setitem__(self, name: str, value: Any) -> None:
        old = self.get(name)
        if hasattr(old, "__lydian_rules__") or hasattr(old, "__lydian_guards__"):
            first = self[name].__code__.co_firstlineno
            raise TypeError(f"two actions are called '{name}' (the first in line {first}); rename one of them")
        super().__setitem__(name, value)


class _Looking:
    """Whether a property is being evaluated; only then does a process reveal which processes are faulty."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = False


LOOKING = _Looking()
#: Words in a class body that describe the protocol and are not variables.
DESCRIPTIONS = frozenset({"layers", "needs", "messages", "title"})
#: Words that every process has, but that a variable of the same name replaces.
_GIVES_WAY = frozenset(
    {"enabled", "everybody", "faulty", "initiator", "left", "right", "role", "round", "see", "weight"}
)
_SEVERAL: frozenset[type] = frozenset({list, tuple, set, frozenset})
_PLAIN = (bool, int, float, str, bytes, list, tuple, set, frozenset, dict, type(None))


def reserved(word: str) -> bool:
    """Return True if a variable cannot have this name."""
    return word.startswith("_") or (hasattr(Process, word) and word not in _GIVES_WAY)


class _ProcessType(type):
    """The metaclass that turns declared variables into slots, so that a misspelt one cannot be created by accident."""

    #: Builds the layers of a process into its class: :func:`lydian.model.protocol.layers.stack`, set by ``Layer``.
    _stack: ClassVar[Callable[[str, dict[str, Any], Declared], tuple[str, ...]]]

    @classmethod
    def __prepare__(mcls, name: str, bases: tuple[type, ...], **options: Any) -> Mapping[str, object]:  # type: ignore[override]  # noqa: N804
        return _Body()

    def __new__(
        mcls,
        name: str,
        bases: tuple[type, ...],
        body: dict[str, Any],
        *,
        root: bool = False,
        processes: int | str | None = None,
    ) -> _ProcessType:
        namespace = dict(body)
        if root:
            return super().__new__(mcls, name, bases, namespace)
        if "__init__" in body:
            raise TypeError(f"{name}: a process has no __init__; declare its variables in the class body: n: int = 0")
        bare = next((word for word, value in body.items() if hasattr(value, "__lydian_bare__")), None)
        if bare is not None:
            raise TypeError(f"@when needs a guard, and '{bare}' has none above it: @when(privileged)")
        declared = Declared()
        for base in reversed(bases):
            if isinstance(base, _ProcessType):
                known: Declared = base._declared  # type: ignore[attr-defined]
                declared.start = known.start
                declared.variables.update(known.variables)
                declared.parameters.update(known.parameters)
        inherited = {*declared.variables, *declared.parameters, "state"}
        _collect(name, namespace, declared)
        own = [word for word in (*declared.variables, *declared.parameters) if word not in inherited]
        for word in own:
            if reserved(word):
                raise TypeError(f"{name}: a variable cannot be called '{word}'; choose another name")
        if namespace.get("layers"):
            own += mcls._stack(name, namespace, declared)
        namespace["__slots__"] = tuple(own)
        namespace["_declared"] = declared
        if processes is not None:
            namespace["_count"] = processes
        return super().__new__(mcls, name, bases, namespace)


def _collect(name: str, namespace: dict[str, Any], declared: Declared) -> None:
    """Remove the declarations from a class body and return them."""
    types = namespace.get("__annotations__", {})
    if "state" in namespace:
        start = namespace.pop("state")
        if not isinstance(start, str):
            raise TypeError(f"{name}: state = ... must name the initial state, not {shown(start)}")
        declared.start = start if isinstance(start, State) else State(start)
    for value in list(namespace.values()):
        if hasattr(value, "__lydian_steps__"):
            _collect_program(name, namespace, declared, value.__lydian_steps__)
    for word in [*types, *(word for word in list(namespace) if word not in types)]:
        text = annotation_text(types[word]) if word in types else ""
        if word == "state" or word in DESCRIPTIONS or word.startswith("__") or "ClassVar" in text:
            continue
        value = namespace.get(word)
        if isinstance(value, Shared):
            if reserved(word):
                raise TypeError(f"{name}: a shared object cannot be called '{word}'; choose another name")
        elif isinstance(value, Parameter):
            namespace.pop(word)
            parameter = replace(value, name=word, type=text or type(value.default).__name__)
            try:
                parameter.checked(parameter.default)
            except ValueError as error:
                raise ValueError(f"{name}: the default of a parameter must itself be allowed: {error}") from None
            declared.parameters[word] = parameter
        elif isinstance(value, Domain):
            namespace.pop(word)
            if callable(value.initial):
                declared.variables[word] = _worked_out(name, word, text, value)
                continue
            kind = text or type(value.initial).__name__
            declared.variables[word] = Variable(word, kind, plain_copy(value.initial), value)
        elif word in types or (isinstance(value, _PLAIN) and not word.isupper()):
            namespace.pop(word, None)
            declared.variables[word] = Variable(word, text or type(value).__name__, plain_copy(value))


def _collect_program(name: str, namespace: Mapping[str, Any], declared: Declared, steps: Steps) -> None:
    """Declare the variables of a program: its next step and its local variables."""
    for word in (NEXT, *steps.names):
        if word in namespace or word in namespace.get("__annotations__", {}) or word in declared.parameters:
            what = (
                "a program has a variable of this name itself" if word == NEXT else "its program has a local variable"
            )
            raise TypeError(f"{name}: '{word}' is declared, but {what}; rename one of them")
    declared.variables[NEXT] = Variable(NEXT, "str", steps.begin)
    for word in steps.names:
        left = word.endswith(TO_COME)
        declared.variables[word] = Variable(word, "tuple" if left else "Any", () if left else None)


def _worked_out(name: str, word: str, text: str, domain: Domain) -> Variable:
    """Return a variable whose initial value is computed by each process."""
    kinds = accepted_types(text)
    if not kinds:
        raise TypeError(f"{name}: {word} needs its type, such as {word}: int = variable(lambda p: ...)")
    empty = None if type(None) in kinds else kinds[0]()
    bounded = domain.choices is not None or domain.minimum is not None or domain.maximum is not None
    return Variable(word, text, empty, domain if bounded else None, domain.initial)


class Process(Watcher, metaclass=_ProcessType, root=True):
    """One process of a distributed algorithm.

    A process has access only to its own data: its name, its neighbours, its declared variables and parameters.
    Everything else reaches it as a message, a timer or a command.

    Attributes:
        me: its own name; ``None`` in an anonymous network.
        neighbours: the names of its neighbours in natural order ("2" before "10"); in an anonymous network its port
            numbers 0, 1, 2 ...
        state: its state.
        left, right: its neighbours in a ring, all in the same direction; messages of a one-way ring go to the right.
        initiator: whether the network makes it an initiator; no fault can change this role.
        enabled: the names of its guarded actions whose guards are true.
        everybody: the names of all processes in natural order, including its own; only with ``needs = overlay``.
        role: the role that it plays: ``server`` for the class ``Server``; "" if the protocol has only one class.
        round: the number of the current round, 0 before the first; only with ``needs = rounds``.
        faulty: whether it has crashed or was Byzantine at any time so far; only properties can see it.
    """

    __slots__ = (
        "_cells",
        "_clock",
        "_crashed",
        "_effects",
        "_engine",
        "_faulty",
        "_i",
        "_initiator",
        "_lied",
        "_links",
        "_name",
        "_random",
        "_rate",
        "_recorded",
        "_seen",
        "_sides",
        "_slow",
        "_snapshot",
        "_weights",
        "_where",
        "me",
        "neighbours",
        "state",
    )

    _declared: ClassVar[Declared] = Declared()
    _role: ClassVar[str] = ""  # the role of the class in a file with several
    _count: ClassVar[int | str | None] = None  # how many processes have this role, unless an experiment says more
    _rules: ClassVar[tuple[Any, ...]] = ()  # the result of :func:`lydian.model.protocol.rules.rules_of`
    needs: ClassVar[Any] = ()
    layers: ClassVar[Any] = ()
    messages: ClassVar[str | None] = None
    title: ClassVar[str | None] = None

    me: str | None
    neighbours: tuple[Any, ...]
    state: str

    def send(self, message: Message, to: Any) -> None:
        """Send ``message`` to the neighbour ``to`` (with ``needs = overlay``: to any process of that name), or to the
        process itself (``self.me``), or to several of them: a list or tuple in its order, a set in natural order. It
        leaves when the action has ended."""
        try:
            if not message._flat:
                message = message._copied()
        except AttributeError:
            raise TypeError(f"send needs a message such as Ack(), not {shown(message)}") from None
        except TypeError:
            if isinstance(message, type):
                raise TypeError(f"send needs a message: write {message.__name__}(...), not its class") from None
            raise
        kind = type(to)
        if kind in _SEVERAL:
            self._effects.extend((each, message) for each in _in_order(to))
        else:
            self._effects.append((to, message))

    def choose(self, options: Any) -> Any:
        """Return one of the options: drawn from the process's own random source in a run, each in turn in a search."""
        if not isinstance(options, Sequence) or isinstance(options, (str, bytes)):
            raise TypeError(_no_options(options))
        if not options:
            raise ValueError("choose needs at least one option, and the list is empty")
        number: int = self._engine.choose(self, options)
        self._effects.append((CHOOSE, (plain_copy(options[number]), options)))
        return options[number]

    def defer(self) -> None:
        """Put the message of this action aside until the state of the process changes.

        It is then handled before any other event, in the new state; several in their order of arrival. An action that
        defers its message does nothing else.
        """
        self._effects.append((DEFER, None))

    def set_timer(self, timer: Timer, after: float) -> None:
        """Set a timer that expires after ``after`` units of the local clock; an equal timer that is running is
        restarted."""
        if not isinstance(timer, Timer):
            raise TypeError(f"set_timer needs a timer such as Retry(), not {shown(timer)}")
        if not timer._flat:
            hashed(timer)
        if not (isinstance(after, (int, float)) and 0 <= after < float("inf")):
            raise ValueError(f"the time of a timer must be at least 0, not {shown(after)}")
        self._effects.append((SET_TIMER, (timer, float(after))))

    def cancel_timer(self, timer: Timer | type[Timer]) -> None:
        """Stop a timer, or every timer of a class; do nothing if none is running."""
        if not (isinstance(timer, Timer) or (isinstance(timer, type) and issubclass(timer, Timer))):
            raise TypeError(f"cancel_timer needs a timer or its class, not {shown(timer)}")
        self._effects.append((CANCEL_TIMER, timer))

    def deliver(self, value: Any) -> None:
        """Deliver ``value`` to the user of this process."""
        self._effects.append((DELIVER, plain_copy(value)))

    def respond(self, result: Any = None) -> None:
        """Complete the operation that the last command of the user began, with this result; see ``c.history``."""
        self._effects.append((RESPOND, plain_copy(result)))

    def decide(self, value: Any) -> None:
        """Announce the decision of this process."""
        self._effects.append((DECIDE, plain_copy(value)))

    def note(self, text: str) -> None:
        """Write a remark into the trace."""
        self._effects.append((NOTE, str(text)))

    def want_round(self) -> None:
        """Request the next round even if no message arrives for it; only with ``needs = rounds``."""
        if self._engine.rounds is None:
            raise _no_rounds("want_round")
        self._effects.append((WANT_ROUND, None))

    def _access(self, access: Any) -> Any:
        """Execute an access of the program to a shared object; return its result, or ``...`` if it has only begun."""
        return self._engine.memory.access(self, access)

    def see(self, neighbour: Any) -> Any:
        """Return a read-only view of the state and the variables of a neighbour, for guarded actions."""
        try:
            return self._seen[neighbour]
        except (KeyError, TypeError):
            raise _cannot_see(self, neighbour) from None

    def weight(self, neighbour: Any) -> float:
        """Return the weight of the link to a neighbour in the network; 1 if the network does not give one."""
        if neighbour not in self.neighbours:
            raise ValueError(f"only links to neighbours have a weight, and {shown(neighbour)} is not a neighbour")
        return self._weights.get(neighbour, 1)

    @property
    def left(self) -> Any:
        """The neighbour before it in a ring."""
        if self._sides is None:
            raise _no_ring("left")
        return self._sides[0]

    @property
    def right(self) -> Any:
        """The neighbour after it in a ring; in a one-way ring its messages go there."""
        if self._sides is None:
            raise _no_ring("right")
        return self._sides[1]

    @property
    def everybody(self) -> tuple[str, ...]:
        """The names of all processes in natural order, including its own; only with ``needs = overlay``."""
        names: tuple[str, ...] | None = getattr(self._links, "everybody", None)
        if names is None:
            raise refuse(
                "everybody is only for protocols that may send to any process whose name they know: needs = overlay"
            )
        return names

    @property
    def round(self) -> int:
        """The number of the current round, 0 before the first; only with ``needs = rounds``."""
        if self._engine.rounds is None:
            raise _no_rounds("round")
        number: int = self._engine.rounds.number
        return number

    @property
    def initiator(self) -> bool:
        """Whether the network makes it an initiator, for example a leader or a root."""
        return self._initiator

    @property
    def role(self) -> str:
        """The role that it plays, if the protocol has several: ``server`` for the class ``Server``; otherwise ""."""
        return self._role

    @property
    def enabled(self) -> tuple[str, ...]:
        """The names of its guarded actions whose guards are true, in the order of the file; for properties."""
        return () if self._crashed else tuple(rule.name for rule in self._rules if rule.applies(self))

    @property
    def faulty(self) -> bool:
        """Whether it has crashed or was Byzantine at any time so far; only for properties."""
        if not LOOKING.now:
            raise refuse("faulty is for properties; no process can know which processes are faulty")
        return self._faulty or self._crashed

    @property
    def clock(self) -> float:
        """The local clock of this process, in time units; it may run fast or slow, and so do its timers."""
        return float(self._engine.now) * self._rate

    @property
    def random(self) -> random.Random:
        """The source of random numbers of this process; its draws depend only on the seed and the name of the
        process."""
        if self._random is None:
            self._random = self._engine.random_of(self)
        source: random.Random = self._random
        return source

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name}: {self.state}>"

    _cells: Mapping[str, Mapping[Any, Callable[..., Any]]]
    _clock: Any
    _crashed: bool
    _effects: list[tuple[Any, Any]]
    _engine: Any
    _faulty: bool
    _i: int
    _initiator: bool
    _lied: bool
    _links: Mapping[Any, Any]
    _name: str
    _random: Any
    _rate: float
    _seen: Mapping[Any, Any]
    _sides: tuple[Any, Any] | None
    _slow: bool
    _snapshot: tuple[Any, ...]
    _recorded: dict[str, Any]
    _where: list[int]
    _weights: Mapping[Any, float]


def _in_order(receivers: Any) -> Sequence[Any]:
    """Return several receivers in the order in which a message is sent to them."""
    if isinstance(receivers, (set, frozenset)):
        return sorted(receivers, key=lambda each: natural(str(each)))
    return tuple(receivers)


def _no_options(options: Any) -> str:
    """Return why these are not options."""
    if isinstance(options, (set, frozenset, Mapping)):
        return f"the order of a {type(options).__name__} is not fixed: write self.choose(sorted(...))"
    return f"choose needs a list of options such as [0, 1], not {shown(options)}"


def _cannot_see(p: Process, neighbour: Any) -> NotAllowed:
    """Return the error that says why ``see(neighbour)`` is impossible."""
    if getattr(p, "_seen", None) is None:
        return refuse(
            "see is for guarded actions (@when); here processes know only what messages contain: send a message instead"
        )
    known = list(p._seen)
    if neighbour == p._name or (p.me is not None and neighbour == p.me):
        return refuse(f"see is for neighbours; its own variables are self.{next(iter(p._declared.variables), 'state')}")
    there = f"it can read {', '.join(map(str, known))}" if known else "it can read no other process"
    if isinstance(neighbour, (list, tuple, set)):
        return refuse("see must be given one neighbour, named as in neighbours")
    return refuse(f"it looks at {shown(neighbour)}, which is not a neighbour{did_you_mean(neighbour, known)}; {there}")


def _no_rounds(word: str) -> NotAllowed:
    """Return the error that says why there are no rounds."""
    return refuse(f"{word} is for protocols that work in rounds: write needs = rounds, and an action for ROUND")


def _no_ring(word: str) -> NotAllowed:
    """Return the error that says why there is no left or right."""
    return refuse(f"{word} is for rings, and the network is not one; write needs = ring, and choose one such as ring:8")
