"""One process in all the situations that a search meets: what it may do in each, and what comes of it.

A process knows only itself, so what an action does depends on the process's own variables and on the event alone. Each
pair of these is therefore executed once, by the very methods of the protocol file, and remembered; a search of
millions of configurations runs a few hundred actions. Everything is numbered: the situations of a process, the
messages, the contents of channels, and the moves.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lydian.engine.end.failure import event_words, line_of
from lydian.model.errors import BadInput
from lydian.model.limits import pressed
from lydian.model.protocol.message import Message, Record, Timer, plain_copy
from lydian.model.protocol.process import CANCEL_TIMER, DECIDE, DELIVER, INIT, NOTE, SET_TIMER, Process
from lydian.model.protocol.protocol import Protocol
from lydian.model.protocol.rules import GuardedRule, column
from lydian.model.source.syntax import tree_of
from lydian.model.streams import stream_key

__all__ = ["Contents", "Numbers", "Outcome", "Situations", "Timeless", "World", "frozen"]

_ATOMS = frozenset({str, int, type(None), bytes})


class Timeless(BaseException):
    """Raised where somebody asks for the time, which a search does not know."""


class World:
    """What a process finds where a simulator is otherwise: chance from its own stream, and no time.

    Attributes:
        chance: whether anybody has drawn.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.chance = False

    @property
    def now(self) -> float:
        raise Timeless

    def random_of(self, p: Process) -> random.Random:
        """The source of chance of a process, the same as in a simulator."""
        self.chance = True
        return random.Random(stream_key(self._seed, "random", p._name))


def frozen(value: Any) -> Any:
    """Plain data as something that can be hashed; equal if and only if the values are equal and of the same types.

    Raises:
        TypeError: it is no plain data.
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
    raise TypeError(f"{kind.__name__} is no plain data")


@lru_cache(maxsize=8)
def asks_what_was_said(source: str) -> bool:
    """Return True if something in a protocol's file reads ``c.decided`` or ``c.delivered``.

    What a process said is no part of its state; a search tells configurations apart by it only where that matters.
    """
    return any(
        isinstance(part, ast.Attribute)
        and part.attr in ("decided", "delivered")
        and not (isinstance(part.value, ast.Name) and part.value.id == "self")
        for part in ast.walk(tree_of(source))
    )


class Numbers:
    """Gives equal things one number: 0, 1, 2 ... in the order in which they come.

    Attributes:
        things: number -> thing.
    """

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._known: dict[Any, int] = {}

    def of(self, key: Any, thing: Any = None) -> int:
        """The number of what has this key; ``thing`` is kept for a new one (the key itself if it is ``None``)."""
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.things)
            self.things.append(key if thing is None else thing)
        return number

    def message(self, m: Message) -> int:
        """The number of a message."""
        return self.of(frozen(m), m)


class Contents:
    """What channels of one kind hold, numbered; 0 is empty.

    Attributes:
        words: number -> messages by number: in the order of sending if the channel keeps it, else sorted.
        added: number -> message -> number of the contents with that message sent as well.
    """

    def __init__(self, fifo: bool) -> None:
        self.fifo = fifo
        self.words: list[tuple[int, ...]] = []
        self.added: list[dict[int, int]] = []
        self._known: dict[tuple[int, ...], int] = {}
        self.of(())

    def of(self, word: tuple[int, ...]) -> int:
        """The number of contents."""
        number = self._known.get(word)
        if number is None:
            number = self._known[word] = len(self.words)
            self.words.append(word)
            self.added.append({})
        return number

    def add(self, number: int, message: int) -> int:
        """The contents after one more message was sent."""
        word = (*self.words[number], message)
        found = self.added[number][message] = self.of(word if self.fifo else tuple(sorted(word)))
        return found

    def without(self, number: int, anywhere: bool = False) -> list[tuple[int, int]]:
        """Each message that can leave first (or any, if ``anywhere``), and the contents after that."""
        word = self.words[number]
        places = range(1 if self.fifo and not anywhere else len(word))
        rest = {(word[at], self.of(word[:at] + word[at + 1 :])): None for at in places}
        return list(rest)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event does to a process.

    Attributes:
        situation: of the process after it.
        sends: channel and message of each message sent, in order.
        failed: whether the action failed, or there is none.
    """

    situation: int
    sends: tuple[tuple[int, int], ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """What is pending for a process beside messages.

    Attributes:
        wake: whether its ``INIT`` is still to come.
        planned: how many of the commands and wakes planned for it have come.
        timers: those that are set.
        chance: number of the state of its source of chance; -1 if it never drew.
        said: number of what it has decided and delivered, where properties ask for that; 0 for nothing.
    """

    wake: bool
    planned: int
    timers: frozenset[Timer]
    chance: int = -1
    said: int = 0


class Situations:
    """All situations of one process that were met.

    Args:
        p: the process; its variables are overwritten again and again.
        protocol: what it executes.
        channels: whom it calls what -> number of the channel.
        planned: the commands (or ``INIT``) that its user gives it, in order.
        wakes: whether it starts by itself.
        messages, chances: numbers of messages and of states of sources of chance, common to all processes.
        cells: state and event of each action that was executed; grows.

    Attributes:
        views: situation -> the process as properties see it.
        pending: situation -> what is pending for it.
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
        self._heeded = asks_what_was_said(protocol.source)
        self._said = Numbers()
        self._said.of((), ((), ()))
        self._known: dict[Any, int] = {}
        self.start = self._number(Pending(wakes, 0, frozenset()))

    def visible(self, p: Process) -> tuple[Any, ...]:
        """State, variables and parameters of a process as something to compare."""
        return (str(p.state), p._crashed, *(frozen(getattr(p, name)) for name in self._names))

    def _number(self, pending: Pending) -> int:
        """The situation in which the process is now."""
        p = self.p
        key = (pending, *self.visible(p))
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.views)
            view: Process = p.__class__.__new__(p.__class__)
            for name in Process.__slots__:
                if hasattr(p, name):
                    setattr(view, name, getattr(p, name))
            self.copy(p, view)
            view._random, view._effects = None, []
            self.views.append(view)
            self.pending.append(pending)
        return number

    def said(self, number: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What the process has decided last (empty, or one value) and delivered, if properties ask for that."""
        found: tuple[tuple[Any, ...], tuple[Any, ...]] = self._said.things[self.pending[number].said]
        return found

    def copy(self, source: Process, target: Process) -> None:
        """Give one process object what another one has in state, variables and parameters."""
        target.state = source.state
        target._crashed = source._crashed
        for name in self._names:
            setattr(target, name, plain_copy(getattr(source, name)))

    def touched(self) -> str | None:
        """The variable of a view that somebody changed while looking at it, if there is one."""
        seen = {number: key[1:] for key, number in self._known.items()}
        for number, view in enumerate(self.views):
            for name, was, now in zip(("state", "", *self._names), seen[number], self.visible(view), strict=True):
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
        """The first situation with other values in state and variables."""
        self.load(self.start)
        for name, value in values.items():
            setattr(self.p, name, plain_copy(value))
        return self._number(self.pending[self.start])

    def crash(self, number: int) -> int:
        """The situation after a crash: nothing is pending any more."""
        self.load(number)
        self.p._crashed = True
        was = self.pending[number]
        return self._number(Pending(False, len(self.planned), frozenset(), was.chance, was.said))

    def events(self, number: int) -> list[tuple[str, Any, Pending]]:
        """What may happen to it beside messages: kind, event, what is pending after it but for its own timers."""
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
        """Execute the action for an event, twice, to see whether it does the same.

        Args:
            event: ``INIT``, a timer, a command or a message (``sender`` says what the process calls who sent it).
            pending: what is pending while it runs; ``None`` for what was.
        """
        state, p = self.views[number].state, self.p
        action = p._cells.get(state, {}).get(INIT if event is INIT else type(event))
        arguments = () if event is INIT else (event, sender) if isinstance(event, Message) else (event,)
        name = INIT.name if event is INIT else type(event).__name__
        words = f"gets {name if isinstance(event, Message) else event_words(event)}"
        return self._twice(number, action, arguments, self.pending[number] if pending is None else pending, name, words)

    def acts(self, number: int, rule: GuardedRule) -> Outcome:
        """Execute a rule; the processes that it sees are loaded already."""
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
                f"process {self.p._name} does not always act in the same way when it is {self.views[number].state} and "
                f"{words}; everything that it knows must be in its variables",
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
        """Apply what the action asked for."""
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
