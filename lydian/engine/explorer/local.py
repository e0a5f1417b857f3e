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
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import CodeType
from typing import Any

from lydian.engine.end.failure import event_words, line_of
from lydian.engine.explorer.numbers import Numbers, frozen
from lydian.engine.explorer.watched import Watched
from lydian.engine.setup import defers
from lydian.model.errors import BadInput, shown
from lydian.model.history.operations import History
from lydian.model.limits import pressed
from lydian.model.memory.memory import Lasting, Memory
from lydian.model.protocol.effects import WATCH
from lydian.model.protocol.message import Command, Message, Timer, plain_copy
from lydian.model.protocol.observer import Observation, Timeless
from lydian.model.protocol.process import (
    CANCEL_TIMER,
    CHOOSE,
    DECIDE,
    DEFER,
    DELIVER,
    INIT,
    NOTE,
    RESPOND,
    SET_TIMER,
    Process,
)
from lydian.model.protocol.properties import Property
from lydian.model.protocol.protocol import Protocol
from lydian.model.protocol.rules import GuardedRule, column
from lydian.model.source.syntax import tree_of
from lydian.model.streams import stream_key
from lydian.trace.parquet.recorder import plain

__all__ = [
    "HISTORY",
    "Contents",
    "Histories",
    "Outcome",
    "Situations",
    "World",
    "reads",
]

#: The most combinations of choices that one action may have.
_MOST_CHOICES = 1000


class World:
    """The replacement for the simulator in a search, with a random source for each process but no time.

    Attributes:
        chance: whether any process has used its random source.
        chosen: the choices of the action in progress: the position of each option, and the option in words.
        sizes: the number of options of each of these choices.
        watched: the observers, if the protocol has any.
        ends: the names of the sender and the receiver of each channel.
    """

    def __init__(self, seed: int, memory: Memory) -> None:
        self._seed = seed
        self.watched: Watched | None = None
        self.ends: list[tuple[str, str]] = []
        self.memory = memory
        self._contents = Numbers()
        self.chance = False
        self._script: tuple[int, ...] = ()
        self.chosen: list[tuple[int, str]] = []
        self.sizes: list[int] = []

    def kept(self) -> int:
        """Return the number of the present contents of the shared objects."""
        contents = tuple(self.memory.contents)
        return self._contents.of(tuple(map(_frozen_content, contents)), contents)

    def put(self, number: int) -> None:
        """Give the shared objects the contents of this number."""
        self.memory.contents[:] = self._contents.things[number]
        self.memory.done = None

    def begin(self, script: tuple[int, ...]) -> None:
        """Prescribe the first choices of the next action; each further choice takes the first option."""
        self._script, self.chosen, self.sizes = script, [], []

    def choose(self, p: Process, options: Sequence[Any]) -> int:
        """Return the position of the option that a process chooses."""
        at = len(self.chosen)
        number = self._script[at] if at < len(self._script) else 0
        self.chosen.append((number, shown(options[number])))
        self.sizes.append(len(options))
        return number

    @property
    def now(self) -> float:
        raise Timeless

    def random_of(self, p: Process) -> random.Random:
        """Return the random source of a process, the same as in a simulator."""
        self.chance = True
        return random.Random(stream_key(self._seed, "random", p._name))


def _frozen_content(content: Any) -> Any:
    """Return the content of a shared object in hashable form."""
    if isinstance(content, Lasting):
        return frozen((content.value, content.writing, content.reading))
    return frozen(content)


#: Effects that observers are told, with the kinds of their events.
_TOLD = {DELIVER: "deliver", DECIDE: "decide", RESPOND: "respond", NOTE: "note"}
_SAID = ("decided", "delivered")
HISTORY = ("history",)


def reads(protocol: Protocol, words: tuple[str, ...]) -> bool:
    """Return True if a property of a protocol, or anything in its file, reads one of these words of ``c``.

    Decisions, deliveries and the history are not part of a process's state, so a search distinguishes configurations
    by them only if the protocol reads them.
    """
    return _asks(protocol.source, words) or any(_judges(each, words) for each in protocol.properties)


@lru_cache(maxsize=16)
def _asks(source: str, words: tuple[str, ...]) -> bool:
    """Return True if something in a protocol's file reads one of these words of ``c``."""
    return any(
        isinstance(part, ast.Attribute)
        and part.attr in words
        and not (isinstance(part.value, ast.Name) and part.value.id == "self")
        for part in ast.walk(tree_of(source))
    )


def _judges(judged: Property, words: tuple[str, ...]) -> bool:
    """Return True if a property, which may come from another file than the protocol, reads one of these words."""
    codes = [judged.holds.__code__]
    for code in codes:
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    return any(name in words for code in codes for name in code.co_names)


@dataclass(frozen=True, slots=True)
class Step:
    """The invocation of an operation, or the response to one.

    Attributes:
        process: the index of the process.
        key: the command or the result in a form that can be compared.
        command: the command; ``None`` for a response.
        result: the result.
    """

    process: int
    key: Any
    command: Any = field(default=None, compare=False)
    result: Any = field(default=None, compare=False)


#: A history: blocks of steps, in turn invocations (first) and responses. The order within a block does not matter:
#: operations overlap unless the response of one is in an earlier block than the invocation of the other.
Blocks = tuple[tuple[Step, ...], ...]


class Histories:
    """The numbered histories of a search; 0 is the empty one.

    Args:
        names: the names of the processes.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._blocks = Numbers()
        self._blocks.of((), ())
        self._after: dict[tuple[int, tuple[Step, ...]], int] = {}
        self._shown: dict[int, History] = {}

    def after(self, number: int, steps: tuple[Step, ...]) -> int:
        """Return the number of the history after these steps."""
        found = self._after.get((number, steps))
        if found is None:
            blocks: list[tuple[Step, ...]] = list(self._blocks.things[number])
            for step in steps:
                responds = step.command is None
                if len(blocks) % 2 == responds:  # the last block is of the other kind
                    blocks.append(())
                own = [*blocks[-1], step]
                own.sort(key=lambda each: each.process)
                blocks[-1] = tuple(own)
            told = tuple(tuple((s.process, s.key, s.command is None) for s in block) for block in blocks)
            found = self._after[number, steps] = self._blocks.of(told, tuple(blocks)) if told else 0
        return found

    def history(self, number: int) -> History:
        """Return a history; the number of its block is the time of an invocation or a response."""
        found = self._shown.get(number)
        if found is None:
            found = self._shown[number] = History()
            for at, block in enumerate(self._blocks.things[number]):
                for step in block:
                    name = self._names[step.process]
                    if step.command is None:
                        found.respond(name, step.result, at, at)
                    else:
                        found.invoke(name, type(step.command).__name__, dict(step.command._items()), at, at)
        return found


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

    def shorten(self, size: int) -> None:
        """Forget all contents but the first ``size``; none of those may lead to a later one by a message."""
        for word in self.words[size:]:
            del self._known[word]
        del self.words[size:], self.added[size:]

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
        choices: the position and the text of each option that the action has chosen, in order.
        operations: the invocation or the responses of operations, if properties read the history.
        memory: the number of the contents of the shared objects after the event; -1 if it did not access any.
        told: the numbers of the events that observers are told.
    """

    situation: int
    sends: tuple[tuple[int, int], ...] = ()
    failed: bool = False
    choices: tuple[tuple[int, str], ...] = ()
    operations: tuple[Step, ...] = ()
    memory: int = -1
    told: tuple[int, ...] = ()


#: A deferred message: its channel, its number, and the state of the process when it was deferred.
Deferred = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Pending:
    """The pending events of a process other than deliveries, its random source, and its decisions and deliveries.

    Attributes:
        wake: whether its ``INIT`` is still to come.
        planned: the number of planned commands and wakes that have happened.
        timers: the timers that are set.
        chance: the number of the state of its random source; -1 if it was never used.
        said: the number of its decisions and deliveries, if properties read these; 0 if there are none.
        deferred: the messages that it has deferred, in the order of their arrival.
        asked: whether a command still has no response, if the protocol responds to commands.
    """

    wake: bool
    planned: int
    timers: frozenset[Timer]
    chance: int = -1
    said: int = 0
    deferred: tuple[Deferred, ...] = ()
    asked: bool = False


@dataclass(slots=True)
class _Now:
    """What an event has changed at a process so far, besides its variables."""

    timers: set[Timer]
    decided: tuple[Any, ...]
    delivered: tuple[Any, ...]
    deferred: list[Deferred]
    asked: bool
    operations: list[Step]
    sends: list[tuple[int, int]] = field(default_factory=list)
    told: list[int] = field(default_factory=list)


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
        senders: channel -> the receiver's name for the sender.

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
        senders: Sequence[Any],
    ) -> None:
        self.p = p
        self._world: World = p._engine
        self._senders = senders
        self._defers = defers(protocol)
        self.planned = tuple(planned)
        self.views: list[Process] = []
        self.pending: list[Pending] = []
        self._protocol = protocol
        self._channels = channels
        self._messages = messages
        self._chances = chances
        self._cells = cells
        self._names = (*p._declared.variables, *p._declared.parameters)
        self._heeded = reads(protocol, _SAID)
        self._responds = ".respond(" in protocol.source
        self._recalled = reads(protocol, HISTORY)
        self.facts = {name: at for at, name in enumerate(("state", "_crashed", *self._names), 1)}
        self._contents = -1  # of the shared objects, during an action
        self._rule = ""  # the name of the rule in progress
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
            found.append(("init", INIT, replace(now, wake=False)))
        if now.planned < len(self.planned):
            event = self.planned[now.planned]
            kind = "init" if event is INIT else "command"
            found.append((kind, event, replace(now, planned=now.planned + 1)))
        timers = sorted(now.timers, key=repr)
        found += [("timer", timer, replace(now, timers=now.timers - {timer})) for timer in timers]
        return found

    def happens(
        self, number: int, event: Any, pending: Pending | None = None, channel: int = -1
    ) -> tuple[Outcome, ...]:
        """Execute the action for an event with each combination of its choices, each twice, to check that it always
        has the same outcome.

        Args:
            event: ``INIT``, a timer, a command or a message.
            pending: what is pending during the action; ``None`` if that is unchanged.
            channel: the channel of the message.
        """
        state, p = self.views[number].state, self.p
        action = p._cells.get(state, {}).get(INIT if event is INIT else type(event))
        arguments = () if event is INIT else (event,) if channel < 0 else (event, self._senders[channel])
        name = INIT.name if event is INIT else type(event).__name__
        words = f"gets {name if isinstance(event, Message) else event_words(event)}"
        return self._all(number, action, arguments, pending or self.pending[number], name, words, channel)

    def acts(self, number: int, rule: GuardedRule, memory: int = -1) -> tuple[Outcome, ...]:
        """Execute a rule; the situations of the processes that it reads must have been loaded.

        Args:
            memory: the number of the contents of the shared objects; -1 if there are none.
        """
        words = f"executes {rule.name}"
        self._contents, self._rule = memory, rule.name
        try:
            return self._all(number, rule.action, (), self.pending[number], column(rule.name), words, -1)
        finally:
            self._contents, self._rule = -1, ""

    def _all(
        self, number: int, action: Any, arguments: tuple[Any, ...], pending: Pending, event: str, words: str,
        channel: int,
    ) -> tuple[Outcome, ...]:  # fmt: skip
        if action is None:
            return (Outcome(number, failed=True),)
        self._cells.add((str(self.views[number].state), event))
        found: list[Outcome] = []
        scripts: list[tuple[int, ...]] = [()]
        while scripts:
            script = scripts.pop()
            first = self._once(number, action, arguments, pending, channel, script)
            sizes = self._world.sizes
            if not first.failed and first != self._once(number, action, arguments, pending, channel, script):
                raise BadInput(
                    f"process {self.p._name} does not always act in the same way when its state is "
                    f"{self.views[number].state} and it {words}; everything on which its actions depend must be in its "
                    "variables",
                    file=self._protocol.file,
                )
            found.append(first)
            taken = tuple(at for at, _ in first.choices)
            for at in range(len(script), len(taken)):
                scripts += [(*taken[:at], other) for other in range(1, sizes[at])]
            if len(found) + len(scripts) > _MOST_CHOICES:
                raise BadInput(
                    f"when process {self.p._name} {words}, its choices have more than {_MOST_CHOICES} combinations; "
                    "the explorer tries all of them, so choose from fewer options",
                    file=self._protocol.file,
                )
        return tuple(sorted(found, key=lambda outcome: outcome.choices)) if len(found) > 1 else tuple(found)

    def _once(
        self, number: int, action: Any, arguments: tuple[Any, ...], pending: Pending, channel: int,
        script: tuple[int, ...],
    ) -> Outcome:  # fmt: skip
        p = self.p
        self.load(number)
        p._effects.clear()
        self._world.begin(script)
        if self._contents >= 0:
            self._world.put(self._contents)
        try:
            situation, now = self._done(action, arguments, pending, channel)
            memory = self._world.kept() if self._contents >= 0 else -1
            return Outcome(
                situation, tuple(now.sends), False, tuple(self._world.chosen), tuple(now.operations), memory,
                tuple(now.told),
            )  # fmt: skip
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
            return Outcome(number, failed=True, choices=tuple(self._world.chosen))

    def _done(self, action: Any, arguments: tuple[Any, ...], pending: Pending, channel: int) -> tuple[int, _Now]:
        """Execute an action, and those on deferred messages if the state has changed; apply what they request.

        Return the situation after them, and what else they have changed.
        """
        p = self.p
        decided, delivered = self._said.things[pending.said]
        now = _Now(set(pending.timers), decided, delivered, list(pending.deferred), pending.asked, [])
        if self._responds and arguments and isinstance(arguments[0], Command):
            now.asked = True
        if self._recalled and arguments and isinstance(arguments[0], Command):
            now.operations.append(Step(self.p._i, frozen(arguments[0]), arguments[0]))
        self._act(action, arguments, channel, now, len(now.deferred))
        while True:
            ready = next((at for at, each in enumerate(now.deferred) if each[2] != p.state), None)
            if ready is None:
                break
            channel, m, _ = now.deferred.pop(ready)
            message = self._messages.things[m]
            action = p._cells[p.state].get(type(message))
            self._cells.add((str(p.state), type(message).__name__))
            self._act(action, (message, self._senders[channel]), channel, now, ready)
        drawn = -1 if p._random is None else self._chances.of(p._random.getstate())
        said = 0
        if self._heeded and (now.decided or now.delivered):
            what = now.decided, now.delivered
            said = self._said.of(frozen(what), what)
        timers, deferred = frozenset(now.timers), tuple(now.deferred)
        left = Pending(pending.wake, pending.planned, timers, drawn, said, deferred, now.asked)
        return self._number(left), now

    def _act(self, action: Any, arguments: tuple[Any, ...], channel: int, now: _Now, place: int) -> None:
        """Execute one action and apply what it requests; if it defers its message, that is kept in this place."""
        p = self.p
        p._effects.clear()
        before = self.visible(p) if self._defers else ()
        action(p, *(each._copied() if isinstance(each, Message) and not each._flat else each for each in arguments))
        if p.state not in p._cells:
            raise ValueError("not a state")
        if any(to is DEFER for to, _ in p._effects):
            others = any(to is not DEFER and to is not NOTE for to, _ in p._effects)
            if channel < 0 or others or before != self.visible(p):
                raise ValueError("it does something else")
            now.deferred.insert(place, (channel, self._messages.message(arguments[0]), str(p.state)))
            return
        if self._world.watched is not None:
            self._tell(self._world.watched, arguments, channel, now)
        for to, what in p._effects:
            there = self._channels.get(to)
            if there is not None:
                if not isinstance(what, Message):
                    raise TypeError("send needs a message")
                now.sends.append((there, self._messages.message(what)))
            elif to is SET_TIMER:
                now.timers.add(what[0])
            elif to is CANCEL_TIMER:
                now.timers = {timer for timer in now.timers if timer != what and type(timer) is not what}
            elif to is DECIDE:
                now.decided = (what,)
            elif to is RESPOND:
                self._respond(now, what)
            elif to is DELIVER:
                now.delivered = (*now.delivered, what)
            elif to is not NOTE and to is not CHOOSE and to is not WATCH:  # no process crashes (Explorer)
                raise ValueError("no neighbour")

    def _tell(self, watched: Watched, arguments: tuple[Any, ...], channel: int, now: _Now) -> None:
        """Note the event of an action and its effects for the observers."""
        me, state = self.p._name, str(self.p.state)

        def tell(kind: str, record: Any = None, peer: str | None = None, value: Any = None, label: Any = None) -> None:
            fields = {} if record is None else dict(record._items())
            name = label if record is None else type(record).__name__
            now.told.append(watched.event(Observation(kind, me, peer, name, fields, value, state)))

        if self._rule:
            tell("rule", label=self._rule)
        elif not arguments:
            tell("init")
        elif channel >= 0:
            tell("receive", arguments[0], self._world.ends[channel][0])
        else:
            tell("timer" if isinstance(arguments[0], Timer) else "command", arguments[0])
        for to, what in self.p._effects:
            there = self._channels.get(to)
            if there is not None:
                tell("send", what, self._world.ends[there][1])
            elif to in _TOLD:
                tell(_TOLD[to], value=plain(what))

    def _respond(self, now: _Now, result: Any) -> None:
        """Complete the operation of the process."""
        if not now.asked:
            raise ValueError("no command")
        now.asked = False
        if self._recalled:
            now.operations.append(Step(self.p._i, frozen(result), None, result))
