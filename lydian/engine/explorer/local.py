"""The situations of one process that a search reaches, the events possible in each, and their outcomes.

The effect of an action depends only on the process's own variables and on the event. So each combination of these is
executed only once, by the methods of the protocol file, and its outcome is stored; a search of millions of
configurations executes a few hundred actions. Everything is numbered: the situations of a process, the messages, the
contents of channels, and the moves.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

from lydian.engine.end.failure import event_words, line_of
from lydian.model.errors import BadInput
from lydian.model.limits import pressed
from lydian.model.protocol.message import Message, Record, Timer, plain_copy
from lydian.model.protocol.process import CANCEL_TIMER, DECIDE, DELIVER, INIT, NOTE, SET_TIMER, Process
from lydian.model.protocol.properties import Property
from lydian.model.protocol.protocol import Protocol
from lydian.model.protocol.rules import GuardedRule, column
from lydian.model.source.syntax import tree_of
from lydian.model.streams import stream_key

__all__ = ["Contents", "Numbers", "Outcome", "Situations", "Timeless", "World", "frozen"]

_ATOMS = frozenset({str, int, type(None), bytes})


class Timeless(BaseException):
    """The exception raised when an action or a property reads the time, which a search does not have."""


class World:
    """The replacement for the simulator in a search, with a random source for each process but no time.

    Attributes:
        chance: whether any process has used its random source.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.chance = False

    @property
    def now(self) -> float:
        raise Timeless

    def random_of(self, p: Process) -> random.Random:
        """Return the random source of a process, the same as in a simulator."""
        self.chance = True
        return random.Random(stream_key(self._seed, "random", p._name))


def frozen(value: Any) -> Any:
    """Return plain data in hashable form; two results are equal if and only if the values and their types are equal.

    Raises:
        TypeError: the value is not plain data.
    """
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is bool or kind is float:
        return (kind, value if value == value else "nan")
    if kind is tuple or kind is list:
        return (kind, *map(frozen, value))
    if kind is set or kind is frozenset:
        return (kind, frozenset(map(frozen, value)))
    if kind is dict:
        return (kind, *((frozen(key), frozen(item)) for key, item in value.items()))
    if isinstance(value, Record):
        return (kind, *map(frozen, kind._values(value)))
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (int, float)):
        return (kind, value)
    raise TypeError(f"{kind.__name__} is not plain data")


@lru_cache(maxsize=8)
def asks_what_was_said(source: str) -> bool:
    """Return True if something in a protocol's file reads ``c.decided`` or ``c.delivered``.

    Decisions and deliveries are not part of a process's state, so a search distinguishes configurations by them only if
    the protocol reads them.
    """
    return any(
        isinstance(part, ast.Attribute)
        and part.attr in ("decided", "delivered")
        and not (isinstance(part.value, ast.Name) and part.value.id == "self")
        for part in ast.walk(tree_of(source))
    )


def judges_what_was_said(judged: Property) -> bool:
    """Return True if a property, which may come from another file than the protocol, reads ``c.decided`` or
    ``c.delivered``.
    """
    codes = [judged.holds.__code__]
    for code in codes:
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    return any(name in ("decided", "delivered") for code in codes for name in code.co_names)


class Numbers:
    """A numbering of things, 0, 1, 2 ... in order of first appearance, in which equal things have the same number.

    Attributes:
        things: number -> thing.
    """

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._known: dict[Any, int] = {}

    def of(self, key: Any, thing: Any = None) -> int:
        """Return the number of a key; store ``thing`` for a new key (or the key itself if ``thing`` is ``None``)."""
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.things)
            self.things.append(key if thing is None else thing)
        return number

    def message(self, m: Message) -> int:
        """Return the number of a message."""
        return self.of(frozen(m), m)


class Contents:
    """The numbered contents of channels of one kind; 0 is the empty channel.

    Attributes:
        words: number -> the numbers of the messages, in the order of sending if the channel is FIFO, otherwise sorted.
        added: number -> message -> number of the contents after that message is sent as well.
    """

    def __init__(self, fifo: bool) -> None:
        self.fifo = fifo
        self.words: list[tuple[int, ...]] = []
        self.added: list[dict[int, int]] = []
        self._known: dict[tuple[int, ...], int] = {}
        self.of(())

    def of(self, word: tuple[int, ...]) -> int:
        """Return the number of the contents ``word``."""
        number = self._known.get(word)
        if number is None:
            number = self._known[word] = len(self.words)
            self.words.append(word)
            self.added.append({})
        return number

    def add(self, number: int, message: int) -> int:
        """Return the contents after one more message is sent."""
        word = (*self.words[number], message)
        found = self.added[number][message] = self.of(word if self.fifo else tuple(sorted(word)))
        return found

    def without(self, number: int, anywhere: bool = False) -> list[tuple[int, int]]:
        """Return each message that can leave next (or any message, if ``anywhere``), with the remaining contents."""
        word = self.words[number]
        places = range(1 if self.fifo and not anywhere else len(word))
        rest = {(word[at], self.of(word[:at] + word[at + 1 :])): None for at in places}
        return list(rest)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an event at a process.

    Attributes:
        situation: the situation of the process after the event.
        sends: the channel and the number of each message sent, in order.
        failed: whether the action failed or is missing.
    """

    situation: int
    sends: tuple[tuple[int, int], ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """The pending events of a process other than deliveries, its random source, and its decisions and deliveries.

    Attributes:
        wake: whether its ``INIT`` is still to come.
        planned: the number of planned commands and wakes that have happened.
        timers: the timers that are set.
        chance: the number of the state of its random source; -1 if it was never used.
        said: the number of its decisions and deliveries, if properties read these; 0 if there are none.
    """

    wake: bool
    planned: int
    timers: frozenset[Timer]
    chance: int = -1
    said: int = 0


class Situations:
    """All situations of one process found so far.

    Args:
        p: the process, whose variables are overwritten for each action.
        protocol: the protocol that it executes.
        channels: the process's name for a receiver -> the number of the channel.
        planned: the planned commands (or ``INIT``) of its user, in order.
        wakes: whether the process is an initiator.
        messages, chances: the numbers of messages and of states of random sources, shared by all processes.
        cells: the state and the event of each action executed; extended here.

    Attributes:
        views: situation -> the process as properties read it.
        pending: situation -> the events that are pending for the process.
        facts: the names of its state, crash, variables and parameters.
    """

    def __init__(
        self,
        p: Process,
        protocol: Protocol,
        channels: Mapping[Any, int],
        planned: Sequence[Any],
        wakes: bool,
        messages: Numbers,
        chances: Numbers,
        cells: set[tuple[str, str]],
    ) -> None:
        self.p = p
        self.planned = tuple(planned)
        self.views: list[Process] = []
        self.pending: list[Pending] = []
        self._protocol = protocol
        self._channels = channels
        self._messages = messages
        self._chances = chances
        self._cells = cells
        self._names = (*protocol.variables, *protocol.parameters)
        self.facts = {name: at for at, name in enumerate(("state", "_crashed", *self._names), 1)}
        self._heeded = asks_what_was_said(protocol.source) or any(map(judges_what_was_said, protocol.properties))
        self._said = Numbers()
        self._said.of((), ((), ()))
        self._known: dict[Any, int] = {}
        self._keys: list[Any] = []
        self.start = self._number(Pending(wakes, 0, frozenset()))

    def visible(self, p: Process) -> tuple[Any, ...]:
        """Return the state, variables and parameters of a process in a form that can be compared."""
        return (str(p.state), p._crashed, *(frozen(getattr(p, name)) for name in self._names))

    def _number(self, pending: Pending) -> int:
        """Return the number of the process's present situation."""
        p = self.p
        key = (pending, *self.visible(p))
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.views)
            self._keys.append(key)
            view: Process = p.__class__.__new__(p.__class__)
            for name in Process.__slots__:
                if hasattr(p, name):
                    setattr(view, name, getattr(p, name))
            self.copy(p, view)
            view._random, view._effects = None, []
            self.views.append(view)
            self.pending.append(pending)
        return number

    def fact(self, number: int, name: str) -> Any:
        """Return one of the facts of a situation in a form that can be compared."""
        return self._keys[number][self.facts[name]]

    def said(self, number: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the process's last decision (empty, or one value) and its deliveries, if properties read these."""
        found: tuple[tuple[Any, ...], tuple[Any, ...]] = self._said.things[self.pending[number].said]
        return found

    def copy(self, source: Process, target: Process) -> None:
        """Copy the state, variables and parameters of one process object to another."""
        target.state = source.state
        target._crashed = source._crashed
        for name in self._names:
            setattr(target, name, plain_copy(getattr(source, name)))

    def touched(self) -> str | None:
        """Return the name of a variable that a property has changed in a view, or ``None``."""
        for number, view in enumerate(self.views):
            for name, was, now in zip(self.facts, self._keys[number][1:], self.visible(view), strict=True):
                if was != now:
                    return name
        return None

    def load(self, number: int) -> None:
        """Put the process into a situation."""
        p, chance = self.p, self.pending[number].chance
        self.copy(self.views[number], p)
        p._random = None
        if chance >= 0:
            p._random = random.Random()
            p._random.setstate(self._chances.things[chance])

    def starting(self, values: Mapping[str, Any]) -> int:
        """Return the initial situation with the given values of state and variables."""
        self.load(self.start)
        for name, value in values.items():
            setattr(self.p, name, plain_copy(value))
        return self._number(self.pending[self.start])

    def crash(self, number: int) -> int:
        """Return the situation after a crash, in which no event is pending."""
        self.load(number)
        self.p._crashed = True
        was = self.pending[number]
        return self._number(Pending(False, len(self.planned), frozenset(), was.chance, was.said))

    def events(self, number: int) -> list[tuple[str, Any, Pending]]:
        """Return the possible events other than deliveries: kind, event, and what remains pending when it occurs."""
        now = self.pending[number]
        found: list[tuple[str, Any, Pending]] = []
        if now.wake:
            found.append(("init", INIT, Pending(False, now.planned, now.timers, said=now.said)))
        if now.planned < len(self.planned):
            event = self.planned[now.planned]
            kind = "init" if event is INIT else "command"
            found.append((kind, event, Pending(now.wake, now.planned + 1, now.timers, said=now.said)))
        timers = sorted(now.timers, key=repr)
        found += [
            ("timer", timer, Pending(now.wake, now.planned, now.timers - {timer}, said=now.said)) for timer in timers
        ]
        return found

    def happens(self, number: int, event: Any, pending: Pending | None = None, sender: Any = None) -> Outcome:
        """Execute the action for an event twice, to check that it always has the same outcome.

        Args:
            event: ``INIT``, a timer, a command or a message.
            pending: what is pending during the action; ``None`` if that is unchanged.
            sender: the process's name for the sender of the message.
        """
        state, p = self.views[number].state, self.p
        action = p._cells.get(state, {}).get(INIT if event is INIT else type(event))
        arguments = () if event is INIT else (event, sender) if isinstance(event, Message) else (event,)
        name = INIT.name if event is INIT else type(event).__name__
        words = f"gets {name if isinstance(event, Message) else event_words(event)}"
        return self._twice(number, action, arguments, self.pending[number] if pending is None else pending, name, words)

    def acts(self, number: int, rule: GuardedRule) -> Outcome:
        """Execute a rule; the situations of the processes that it reads must have been loaded."""
        return self._twice(number, rule.action, (), self.pending[number], column(rule.name), f"executes {rule.name}")

    def _twice(
        self, number: int, action: Any, arguments: tuple[Any, ...], pending: Pending, event: str, words: str
    ) -> Outcome:
        if action is None:
            return Outcome(number, failed=True)
        self._cells.add((str(self.views[number].state), event))
        first = self._once(number, action, arguments, pending)
        if not first.failed and first != self._once(number, action, arguments, pending):
            raise BadInput(
                f"process {self.p._name} does not always act in the same way when its state is "
                f"{self.views[number].state} and it {words}; everything on which its actions depend must be in its "
                "variables",
                file=self._protocol.file,
            )
        return first

    def _once(self, number: int, action: Any, arguments: tuple[Any, ...], pending: Pending) -> Outcome:
        p = self.p
        self.load(number)
        p._effects.clear()
        try:
            action(p, *(each._copied() if isinstance(each, Message) and not each._flat else each for each in arguments))
            if p.state not in p._cells:
                return Outcome(number, failed=True)
            return self._done(pending)
        except Timeless as error:
            line = line_of(error, self._protocol.file)
            raise BadInput(
                "it reads self.clock, but a search of all orders of events has no time; count events instead",
                file=self._protocol.file,
                place=None if line is None else f"line {line}",
            ) from None
        except BaseException as error:
            if pressed(error):
                raise
            return Outcome(number, failed=True)

    def _done(self, pending: Pending) -> Outcome:
        """Apply the effects that the action has requested."""
        p = self.p
        sends: list[tuple[int, int]] = []
        timers = set(pending.timers)
        decided, delivered = self._said.things[pending.said]
        for to, what in p._effects:
            channel = self._channels.get(to)
            if channel is not None:
                if not isinstance(what, Message):
                    raise TypeError("send needs a message")
                sends.append((channel, self._messages.message(what)))
            elif to is SET_TIMER:
                timers.add(what[0])
            elif to is CANCEL_TIMER:
                timers = {timer for timer in timers if timer != what and type(timer) is not what}
            elif to is DECIDE:
                decided = (what,)
            elif to is DELIVER:
                delivered = (*delivered, what)
            elif to is not NOTE:
                raise ValueError("no neighbour")
        drawn = -1 if p._random is None else self._chances.of(p._random.getstate())
        said = 0
        if self._heeded and (decided or delivered):
            said = self._said.of(frozen((decided, delivered)), (decided, delivered))
        number = self._number(Pending(pending.wake, pending.planned, frozenset(timers), drawn, said))
        return Outcome(number, tuple(sends))
