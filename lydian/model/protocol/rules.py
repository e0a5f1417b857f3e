"""Guarded actions, which a process can execute while a condition is true, without receiving a message.

::

    class Ring(Process):
        count: int = 0

        def privileged(self):
            return self.count != self.see(self.left).count

        @when(privileged)
        def move(self):
            self.count = self.see(self.left).count

A guard reads the process's own variables and the registers of its neighbours (:mod:`lydian.model.protocol.registers`)
and changes nothing. A daemon chooses among the rules whose guards are true.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from lydian.model.errors import ProtocolError, did_you_mean, shown
from lydian.model.protocol.process import ANY, Process, Word
from lydian.model.protocol.program import NEXT, Steps
from lydian.model.source.syntax import tree_of

__all__ = ["GuardedRule", "When", "check_rules", "column", "impure", "rules_of", "when"]

Action = TypeVar("Action", bound=Callable[..., Any])
Guard = Callable[[Any], Any]


@dataclass(frozen=True)
class When:
    """The use of ``@when`` above an action."""

    guard: Guard
    states: tuple[str | Word, ...]


def when(guard: Guard, state: Any = ANY) -> Callable[[Action], Action]:
    """Declare an action that is enabled while a guard is true: ``@when(privileged)``.

    Args:
        guard: a method of the process above it, or a ``lambda self: ...``; it must only read.
        state: a state, or a tuple of states, in which the rule exists.

    A rule has the name of its function; with several ``@when``, one true guard is sufficient.
    """
    states = tuple(state) if isinstance(state, (tuple, list)) else (state,)
    if not callable(guard) or isinstance(guard, type) or not hasattr(guard, "__code__"):
        raise TypeError(f"@when needs a guard, a method such as def privileged(self), not {shown(guard)}")
    for each in states:
        if each is not ANY and not isinstance(each, str):
            raise TypeError(f"@when(guard, state=...) must name states, not {shown(each)}")
    code: Any = guard.__code__
    if code.co_argcount - len(getattr(guard, "__defaults__", None) or ()) != 1 or code.co_kwonlyargcount:
        raise TypeError(f"the guard '{guard.__name__}' must take (self) and nothing else")

    def remember(action: Action) -> Action:
        guards: list[When] = action.__dict__.setdefault("__lydian_guards__", [])
        guards.insert(0, When(guard, states))
        return action

    remember.__dict__["__lydian_bare__"] = guard.__name__  # remains in a class if @when was written without brackets
    return remember


@dataclass(frozen=True)
class GuardedRule:
    """A rule of a protocol.

    Attributes:
        name: the name of the function.
        action: called with the process.
        whens: its guards.
        applies: whether one of the guards is true of a process in its state.
        states: the states in which it exists; ``ANY`` among them stands for all.
        points: for a step of a program, the names of the places in the program where it comes next; empty for other
            rules.
    """

    name: str
    action: Callable[[Any], Any]
    whens: tuple[When, ...]
    applies: Callable[[Any], Any]
    points: tuple[str, ...] = ()

    @property
    def states(self) -> tuple[str | Word, ...]:
        return tuple(dict.fromkeys(state for each in self.whens for state in each.states))


def column(rule: str) -> str:
    """Return the title of a rule's column in the table."""
    return f"when {rule}"


def rules_of(cls: type[Any]) -> tuple[GuardedRule, ...]:
    """Return the rules of a protocol, those of base classes first, in the order of the file."""
    known: tuple[GuardedRule, ...] | None = cls.__dict__.get("_rules")
    if known is None:
        seen: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if hasattr(value, "__lydian_guards__"):
                    seen[name] = value
                elif name in seen:
                    del seen[name]  # overridden by something that is not a rule
        known = tuple(_rule(cls, name, action) for name, action in seen.items()) + tuple(_steps(cls))
        type.__setattr__(cls, "_rules", known)
    return known


def _steps(cls: type[Any]) -> Iterator[GuardedRule]:
    """Yield the steps of the program of a protocol as rules, in the order of the text: one rule for each label."""
    action = next((each for each in map(partial(getattr, cls), dir(cls)) if hasattr(each, "__lydian_steps__")), None)
    if action is None:
        return
    steps: Steps = action.__lydian_steps__
    places: dict[str, list[str]] = {steps.begin: [steps.begin]}
    for point, label, _ in steps.points:
        places.setdefault(label, []).append(point)
    for label, points in places.items():
        yield GuardedRule(label, action, (When(action, (ANY,)),), _arrived(points, steps), tuple(points))


def _arrived(points: Sequence[str], steps: Steps) -> Callable[[Any], Any]:
    """Return the guard of a step: its place is reached, and the condition holds if it waits for one."""
    waits = {point: steps.conditions[point] for point in points if point in steps.conditions}
    if not waits and len(points) == 1:
        return partial(_is_at, points[0])
    there = frozenset(points)
    if not waits:
        return lambda p: p.next_step in there
    return lambda p: p.next_step in there and (p.next_step not in waits or waits[p.next_step](p))


def _is_at(point: str, p: Any) -> bool:
    return bool(getattr(p, NEXT) == point)


def _rule(cls: type[Process], name: str, action: Any) -> GuardedRule:
    whens = tuple(When(_latest(cls, each.guard), each.states) for each in vars(action)["__lydian_guards__"])
    return GuardedRule(name, action, whens, _applies(whens))


def _latest(cls: type[Process], guard: Guard) -> Guard:
    """Return the guard that the class uses: a method of a base class may be overridden."""
    name = guard.__name__
    if any(vars(base).get(name) is guard for base in cls.__mro__):
        found = getattr(cls, name)
        return found if hasattr(found, "__code__") else guard
    return guard


def _applies(whens: tuple[When, ...]) -> Callable[[Any], Any]:
    one = [_in_state(each) for each in whens]
    return one[0] if len(one) == 1 else lambda p: any(guard(p) for guard in one)


def _in_state(each: When) -> Callable[[Any], Any]:
    guard = each.guard
    if ANY in each.states:
        return guard
    states = frozenset(str(state) for state in each.states)
    return lambda p: p.state in states and guard(p)


# ---------------------------------------------------------------------- checks of guards

_SPEAKS = {
    "send": "sends", "set_timer": "sets a timer", "cancel_timer": "stops a timer", "deliver": "delivers",
    "decide": "decides", "note": "notes", "respond": "responds",
}  # fmt: skip
_WAVERS = {
    "random": "uses random choices; a guard must depend only on the variables and states that it sees",
    "choose": "chooses; a guard must depend only on the variables and states that it sees",
    "defer": "defers a message; do that in the action",
    "clock": "reads the clock, which advances without any action; set a timer that changes a variable",
    "faulty": "asks which processes are faulty, which only a property may do; a guard must read variables and states",
    "enabled": "asks which rules are enabled; a guard must read variables and states",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def impure(guard: Function, methods: Mapping[str, Function]) -> Iterator[tuple[ast.AST, str]]:
    """Yield the place of everything that a guard does other than read, also in the methods that it calls, and a
    sentence for each.

    Args:
        guard: its definition.
        methods: the methods of the class, by name.
    """
    called, waiting = {id(guard)}, [guard]
    while waiting:
        function = waiting.pop()
        arguments = [*function.args.posonlyargs, *function.args.args]
        me = arguments[0].arg if arguments else ""
        body = [function.body] if isinstance(function, ast.Lambda) else function.body
        for part in (inner for each in body for inner in ast.walk(each)):
            if isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)):
                yield part, "a guard must return True or False, without yield or await"
            if not (isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == me):
                continue
            if not isinstance(part.ctx, ast.Load):
                yield part, f"a guard must only read, but this changes {me}.{part.attr}; change it in the action"
            elif part.attr in _SPEAKS:
                yield part, f"a guard must only read, but this {_SPEAKS[part.attr]}; do it in the action"
            elif part.attr in _WAVERS and part.attr not in methods:
                yield part, f"this {_WAVERS[part.attr]}"
            else:
                helper = methods.get(part.attr)
                if helper is not None and id(helper) not in called:
                    called.add(id(helper))
                    waiting.append(helper)


def check_rules(cls: type[Process], source: str, states: tuple[str, ...], labels: tuple[str, ...], file: str) -> None:
    """Refuse rules that cannot work.

    Args:
        source: the text of the file.
        states: the existing states.
        labels: the names of messages, timers and commands.

    Raises:
        ProtocolError: an unknown state, an action with arguments, or a guard that does more than read.
    """
    if not rules_of(cls):
        return
    tree = tree_of(source)
    methods: dict[str, Function] = {}
    for part in tree.body:
        if isinstance(part, ast.ClassDef):
            methods.update({each.name: each for each in part.body if isinstance(each, ast.FunctionDef)})
    for rule in rules_of(cls):
        code: Any = rule.action.__code__
        place = f"line {code.co_firstlineno}"
        if rule.name in labels:
            what = f"the rule '{rule.name}' has the name of a message, timer or command; choose another name"
            raise ProtocolError(what, file=file, place=place)
        if rule.points:
            continue
        if code.co_argcount - len(getattr(rule.action, "__defaults__", None) or ()) > 1:
            raise ProtocolError(f"the action '{rule.name}' of a rule must take (self)", file=file, place=place)
        if code.co_flags & 0x2A0:  # it is a generator or a coroutine
            what = f"the action '{rule.name}' contains yield, async or await; an action must not pause"
            raise ProtocolError(what, file=file, place=place)
        if rule.name in labels:
            what = f"the rule '{rule.name}' has the name of a message, timer or command; choose another name"
            raise ProtocolError(what, file=file, place=place)
        for state in rule.states:
            if state is not ANY and str(state) not in states:
                what = f"@when names the unknown state '{state}'{did_you_mean(state, states)}; choose from "
                raise ProtocolError(what + ", ".join(states), file=file, place=place)
        for each in rule.whens:
            for node, sentence in _faults(each.guard, tree, methods):
                raise ProtocolError(sentence, file=file, place=f"line {getattr(node, 'lineno', 0)}")


def _faults(guard: Guard, tree: ast.Module, methods: Mapping[str, Function]) -> Iterator[tuple[ast.AST, str]]:
    code: Any = guard.__code__
    named = methods.get(guard.__name__)
    if named is not None:
        yield from impure(named, methods)
        return
    for part in ast.walk(tree):
        same = isinstance(part, ast.Lambda) and part.lineno == code.co_firstlineno
        if same or (isinstance(part, ast.FunctionDef) and part.name == guard.__name__):
            yield from impure(part, methods)  # type: ignore[arg-type]
