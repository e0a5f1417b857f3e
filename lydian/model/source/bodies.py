"""Checks of the functions of a protocol: names, variables, messages, sending, and causes of differences between
runs."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

from lydian.model.errors import did_you_mean, nearest_word, shown
from lydian.model.protocol.message import accepted_types
from lydian.model.protocol.process import Process
from lydian.model.source.asked import asked_of, asked_problems, process_names
from lydian.model.source.draft import Draft
from lydian.model.source.evaluate import wrong_fields
from lydian.model.source.fixes import declaring, of_each, word_fix
from lydian.model.source.habits import habits
from lydian.model.source.symbols import (
    BUILTINS,
    OFFERED,
    PUBLIC,
    FunctionSymbol,
    Imported,
    ProcessSymbol,
    RecordSymbol,
    bits_like,
)
from lydian.model.source.text import Edit, Fix, Problem

__all__ = ["body_problems", "local_names", "method_problems"]

_EFFECTS = ("send", "set_timer", "cancel_timer", "deliver", "decide", "note", "choose", "defer", "respond")
_HOW = {
    "send": "self.send(Ack(), to=q)",
    "set_timer": "self.set_timer(Retry(), after=2.0)",
    "cancel_timer": "self.cancel_timer(Retry)",
    "deliver": "self.deliver(value)",
    "decide": "self.decide(value)",
    "note": 'self.note("...")',
    "choose": "self.choose([0, 1])",
    "defer": "self.defer()",
    "respond": "self.respond(result)",
}
_STATE_TYPES = (str,)
#: Name that a process does not have -> the name that was probably meant.
_MEANT = {"time": "clock", "now": "clock", "name": "me", "id": "me"}
#: Attributes that only a property can use.
_OUTSIDE = ("network", "processes", "in_transit")


def body_problems(draft: Draft) -> Iterator[Problem]:
    """Return the problems in the bodies of all functions of the file."""
    process = draft.process
    methods = process.methods() if process is not None else {}
    tops = [v for v in draft.scope.values() if isinstance(v, FunctionSymbol)]
    for function in dict.fromkeys([*methods.values(), *tops]):
        is_method = methods.get(function.name) is function
        yield from _Body(draft, function, is_method).problems()
    for function, given in asked_of(draft).items():
        yield from asked_problems(draft, function, given)
    for mark, function in draft.properties:
        least, most = function.takes
        if function not in methods.values() and (least > 1 or most == 0):
            what = f"the property '{function.name}' must take the configuration: def {function.name}(c)"
            yield draft.text.problem(function.node, what)
        if not any(isinstance(part, (ast.Return, ast.Yield)) for part in ast.walk(function.node)):
            what = f"the property '{mark.sentence}' does not return True or False; end it with return"
            yield draft.text.problem(function.node, what, "warning")


def method_problems(draft: Draft) -> Iterator[Problem]:
    """Return the problems in the methods of the process alone."""
    for function in draft.process.methods().values() if draft.process is not None else ():
        yield from _Body(draft, function, True).problems()


def local_names(node: ast.AST) -> set[str]:
    """Return every name that is bound somewhere in a function or in its inner functions."""
    names: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            names.add(part.id)
        elif isinstance(part, ast.arg):
            names.add(part.arg)
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and part is not node:
            names.add(part.name)
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in part.names}
        elif isinstance(part, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and part.name:
            names.add(part.name)
        elif isinstance(part, ast.MatchMapping) and part.rest:
            names.add(part.rest)
    return names


class _Body:
    """One function that is being checked."""

    def __init__(self, draft: Draft, function: FunctionSymbol, is_method: bool) -> None:
        self.draft = draft
        self.text = draft.text
        self.function = function
        self.is_method = is_method
        self.locals = local_names(function.node)
        arguments = [*function.node.args.posonlyargs, *function.node.args.args]
        self.me = arguments[0].arg if is_method and arguments else ""
        self.message, self.sender = "", ""
        self.process_name = next(iter(process_names(function)), "") if function.properties else ""
        self.events: list[RecordSymbol] = []
        if function.rules and is_method:
            self.events = [e for rule in function.rules for e in rule.events or () if isinstance(e, RecordSymbol)]
            stored = {p.id for p in ast.walk(function.node) if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}
            if len(arguments) > 1 and arguments[1].arg not in stored and self.events:
                self.message = arguments[1].arg
            if len(arguments) > 2 and arguments[2].arg not in stored:
                self.sender = arguments[2].arg

    def problems(self) -> Iterator[Problem]:
        if self.is_method and self.me and (nobody := self._without_self()) is not None:
            yield nobody
            return
        for part in [inner for statement in self.function.node.body for inner in ast.walk(statement)]:
            if isinstance(part, ast.Name):
                yield from self.name(part)
            elif isinstance(part, ast.Attribute):
                yield from self.attribute(part)
            elif isinstance(part, ast.Call):
                yield from self.call(part)
            elif isinstance(part, (ast.Assign, ast.AnnAssign)):
                yield from self.assignment(part)
            elif isinstance(part, ast.Compare):
                yield from self.comparison(part)
        yield from habits(self.draft, self.function, self.me, self.locals)

    def _without_self(self) -> Problem | None:
        """Report a function that uses ``self`` without having it as a parameter; all other problems would follow from
        this one."""
        node, known = self.function.node, "self" in self.locals or "self" in self.draft.scope or self.draft.star
        if known or (node.decorator_list and not (self.function.rules or self.function.whens)):
            return None
        if not any(isinstance(part, ast.Name) and part.id == "self" for part in ast.walk(node)):
            return None
        names = ", ".join(["self", *(each.arg for each in (*node.args.posonlyargs, *node.args.args))])
        first = (node.args.posonlyargs or node.args.args)[0]
        at = self.text.start(first)
        fix = Fix("Put self first", (Edit(at, at, "self, "),))
        what = f"the first parameter of '{node.name}' must be self: def {node.name}({names})"
        return self.text.problem(first, what, fix=fix)

    def name(self, node: ast.Name) -> Iterator[Problem]:
        if not isinstance(node.ctx, ast.Load) or node.id in self.locals or self.draft.star:
            return
        if node.id in self.draft.scope or node.id in BUILTINS:
            return
        own = {name: f"{self.me}.{name}" for name in self._own_names()} if self.me else {}
        right = own.get(node.id, "")
        if not right and self.message and any(node.id in each.fields for each in self.events):
            right = f"{self.message}.{node.id}"
        hint = f"; write {right}" if right else ""
        if not right and not self.me and self.process_name and node.id in self._variables():
            right = f"{self.process_name}.{node.id}"
            hint = f"; it is a variable of each process: write {right}"
        if not right:
            at_hand = {**own, **{name: name for name in self.locals}}
            near = nearest_word(node.id, at_hand, self.draft.scope, BUILTINS)
            right = at_hand.get(near, near)
            hint = f" (did you mean '{right}'?)" if right else ""
        start = self.text.start(node)
        fix = Fix(f"Write {right}", (Edit(start, self.text.end(node), right),)) if right else None
        yield self.text.problem(node, f"'{node.id}' is not known here{hint}", fix=fix)

    def _variables(self) -> tuple[str, ...]:
        process = self.draft.process
        return () if process is None else (*process.variables, *process.parameters)

    def _own_names(self) -> list[str]:
        """Return the names of a process: its variables, parameters and functions, and the attributes of every
        process."""
        process = self.draft.process
        assert process is not None
        far = {"faulty"} if self.draft.rules else {"see", "enabled", "faulty"}
        known = [*process.variables, *process.parameters, *process.members, *sorted(OFFERED - far)]
        return [name for name in dict.fromkeys(known) if not name.startswith("_")]

    def _known(self) -> list[str]:
        process = self.draft.process
        assert process is not None
        return [*process.variables, *process.parameters, *process.members, *PUBLIC]

    def attribute(self, node: ast.Attribute) -> Iterator[Problem]:
        if not isinstance(node.value, ast.Name):
            return
        owner = node.value.id
        if self.me and owner == self.me:
            yield from self.own(node)
        elif self._is_the_class(owner) and node.attr in self._variables():
            me = self.me or self.process_name or "p"
            start = self.text.start(node)
            fix = Fix(f"Write {me}.{node.attr}", (Edit(start, self.text.end(node), f"{me}.{node.attr}"),))
            yield self.text.problem(node, of_each(owner, node.attr, me), fix=fix)
        elif owner == self.message and self.message:
            yield from self.field(node)
        elif owner == self.sender and self.sender and not hasattr(str, node.attr) and not hasattr(int, node.attr):
            yield self.text.problem(
                node,
                f"{owner} is the name of a neighbour, not the process; a process has no access to others: "
                f"let {owner} send what you need in a message",
            )

    def _is_the_class(self, name: str) -> bool:
        process = self.draft.process
        value = None if name in self.locals else self.draft.scope.get(name)
        return process is not None and isinstance(value, ProcessSymbol) and value in process.family()

    def own(self, node: ast.Attribute) -> Iterator[Problem]:
        process = self.draft.process
        assert process is not None
        name = node.attr
        if name.startswith("__"):
            return
        if name.startswith("_") and hasattr(Process, name):
            yield self.text.problem(node, f"{self.me}.{name} belongs to the simulator; leave it alone", "warning")
            return
        if name == "faulty" and name not in {*process.variables, *process.parameters, *process.members}:
            yield self.text.problem(node, "faulty is for properties; no process can know which processes are faulty")
            return
        if name in self._known():
            if not isinstance(node.ctx, ast.Load) and name in PUBLIC - {"state"} - set(process.variables):
                yield self.text.problem(node, f"{self.me}.{name} is given to a process; it cannot be changed")
            return
        if process.open:
            return
        far = {"faulty"} if self.draft.rules else {"see", "enabled", "faulty"}
        given = OFFERED - far if isinstance(node.ctx, ast.Load) else {"state"}  # the other attributes cannot be changed
        own = [*process.variables, *process.parameters, *process.members]
        hint, fix = word_fix(self.text, node, name, [n for n in (*own, *given) if not n.startswith("_")])
        if isinstance(node.ctx, ast.Load) and not did_you_mean(name, own):
            if name in _OUTSIDE:
                what = "a process knows only itself, the names of its neighbours and what messages contain"
                yield self.text.problem(node, f"{self.me}.{name} is for properties, as c.{name}; {what}")
                return
            if (right := _MEANT.get(name)) is not None:
                end = self.text.end(node)
                fix = Fix(f"Write {right}", (Edit(end - len(name), end, right),))
                hint = f"; it is {self.me}.{right}"
            elif self.message and any(name in each.fields for each in self.events):
                right = f"{self.message}.{name}"
                fix = Fix(f"Write {right}", (Edit(self.text.start(node), self.text.end(node), right),))
                hint = f"; write {right}"
        example = f"{name}: int = 0"
        if isinstance(node.ctx, ast.Load) and not hint:
            hint = f"; declare it in the class: {example}"
        elif not hint:
            hint = f"; declare it in the class: {example}"
            fix = declaring(self.draft, name)
        yield self.text.problem(node, f"{process.name} has no variable '{name}'{hint}", fix=fix)

    def field(self, node: ast.Attribute) -> Iterator[Problem]:
        if not isinstance(node.ctx, ast.Load):
            yield self.text.problem(node, "a received message cannot be changed; create a new one with another field")
            return
        for event in dict.fromkeys(self.events):
            known = [*event.fields, *event.others, *bits_like()]
            if not event.open and node.attr not in known and not node.attr.startswith("_"):
                hint, fix = word_fix(self.text, node, node.attr, list(event.fields))
                has = f"its fields are {', '.join(event.fields)}" if event.fields else "it has no fields"
                yield self.text.problem(node, f"{event.name} has no field '{node.attr}'{hint}; {has}", fix=fix)
                return

    def _value(self, node: ast.AST | None) -> Any:
        """Return the value of a plain name or constant as a one-tuple, or None if it cannot be determined."""
        if isinstance(node, ast.Constant):
            return (node.value,)
        if isinstance(node, ast.Name) and node.id not in self.locals and node.id in self.draft.scope:
            return (self.draft.scope[node.id],)
        return None

    def call(self, node: ast.Call) -> Iterator[Problem]:
        value = self._value(node.func)
        if value is not None and isinstance(value[0], RecordSymbol):
            record = value[0]
            for sentence in wrong_fields(record, node):
                yield self.text.problem(node, sentence)
            yield from self._types(record, node)
            return
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and self.me:
            if node.func.value.id != self.me:
                return
            process = self.draft.process
            assert process is not None
            own = process.members.get(node.func.attr)
            if isinstance(own, FunctionSymbol):
                yield from self._own_call(own, node)
            elif node.func.attr in _EFFECTS:
                yield from self._effect(node.func.attr, node)

    def _types(self, record: RecordSymbol, node: ast.Call) -> Iterator[Problem]:
        order = record.order
        pairs = [*zip(order, node.args, strict=False), *((str(w.arg), w.value) for w in node.keywords)]
        for name, value in pairs:
            field = record.fields.get(name)
            if field is None or not isinstance(value, ast.Constant):
                continue
            accepted = accepted_types(field.type.strip("'\""))
            if accepted is not None and not isinstance(value.value, accepted):
                what = f"{record.name}.{name} is declared as {field.type}, not {shown(value.value)}"
                yield self.text.problem(value, what)

    def _own_call(self, own: FunctionSymbol, node: ast.Call) -> Iterator[Problem]:
        arguments = own.node.args
        if any(isinstance(a, ast.Starred) for a in node.args) or any(w.arg is None for w in node.keywords):
            return
        if own.node.decorator_list and not (own.rules or own.whens):
            return
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        only = [a.arg for a in arguments.kwonlyargs]
        least, most = own.takes
        given = len(node.args) + 1
        words = [str(w.arg) for w in node.keywords]
        strange = [w for w in words if w not in (*names, *only)]
        missing = [n for n in names[given:least] if n not in words]
        takes = f"{own.name}({', '.join(names)})"
        if (most is not None and given > most) or missing:
            count = "one value" if given == 2 else f"{given - 1} values"
            said = f"no {' and no '.join(missing)}" if missing else count
            yield self.text.problem(node, f"{self.me}.{own.name} is called with {said}; it is declared {takes}")
        elif strange and arguments.kwarg is None:
            yield self.text.problem(node, f"{own.name} takes no '{strange[0]}'; it is declared {takes}")

    def _effect(self, name: str, node: ast.Call) -> Iterator[Problem]:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(w.arg is None for w in node.keywords):
            return
        words = [str(w.arg) for w in node.keywords]
        try:
            inspect.signature(getattr(Process, name)).bind(None, *node.args, **dict.fromkeys(words))
        except TypeError:
            what = f"write {_HOW[name]}"
            if name == "send" and node.args and len(node.args) < 2 and "to" not in words:
                fix = None
                if self.sender and not words:
                    at = self.text.end(node) - 1
                    fix = Fix(f"Send it to {self.sender}", (Edit(at, at, f", to={self.sender}"),))
                yield self.text.problem(node, f"send has no receiver; {what}", fix=fix)
            elif name == "set_timer" and node.args and "after" not in words and len(node.args) < 2:
                yield self.text.problem(node, f"set_timer has no time; {what}")
            else:
                yield self.text.problem(node, f"{name} is called with wrong arguments; {what}")
            return
        kinds = {"send": "message", "set_timer": "timer", "cancel_timer": "timer"}
        kind = kinds.get(name)
        if kind is None:
            return
        first = node.args[0] if node.args else node.keywords[0].value
        value = self._value(first)
        maker = self._value(first.func) if isinstance(first, ast.Call) else None
        if value is not None and isinstance(value[0], RecordSymbol) and name != "cancel_timer":
            at = self.text.end(first)
            fix = None if value[0].required else Fix("Add the brackets", (Edit(at, at, "()"),))
            yield self.text.problem(first, f"{name} needs a {kind}: write {value[0].name}(...), not its class", fix=fix)
        elif value is not None and not isinstance(value[0], (RecordSymbol, Imported)):
            yield self.text.problem(first, f"{name} needs a {kind}, not {_said(value[0])}; {_HOW[name]}")
        for made in (value, maker):
            if made is not None and isinstance(made[0], RecordSymbol) and made[0].kind != kind:
                yield self.text.problem(first, f"{name} needs a {kind}; {made[0].name} is a {made[0].kind}")

    def assignment(self, node: ast.Assign | ast.AnnAssign) -> Iterator[Problem]:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if self._is_state(target):
                choices = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
                for choice in choices:
                    value = self._value(choice)
                    if value is not None and choice is not None and _wrong_state(value[0], self.draft):
                        yield self._no_state(choice, value[0], "error")

    def comparison(self, node: ast.Compare) -> Iterator[Problem]:
        if not (isinstance(node.left, ast.Attribute) and node.left.attr == "state" and len(node.ops) == 1):
            return
        other = node.comparators[0]
        parts = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
        for part in parts:
            value = self._value(part)
            if value is not None and _wrong_state(value[0], self.draft):
                yield self._no_state(part, value[0], "warning")

    def _is_state(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "state"
            and isinstance(node.value, ast.Name)
            and node.value.id == self.me
            and bool(self.me)
        )

    def _no_state(self, node: ast.expr, value: Any, kind: str) -> Problem:
        states = self.draft.states
        said = _said(value)
        hint = did_you_mean(value, states) if isinstance(value, str) else ""
        return self.text.problem(node, f"{said} is not a state{hint}; choose from {', '.join(states)}", kind)


def _wrong_state(value: Any, draft: Draft) -> bool:
    if isinstance(value, str):
        return str(value) not in draft.states
    return isinstance(value, (RecordSymbol, FunctionSymbol, int, float, type(None)))


def _said(value: Any) -> str:
    return value.name if isinstance(value, (RecordSymbol, FunctionSymbol)) else shown(value)
