"""The values of expressions, as far as the text of a file determines them; nothing is run.

Names, plain values, the declarations of LYDIAN and comprehensions over them are evaluated; everything else is
:data:`UNKNOWN`, and nothing is reported about it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from lydian.model.errors import did_you_mean, shown
from lydian.model.protocol.message import Command, Message, Timer
from lydian.model.protocol.parameters import variable
from lydian.model.protocol.process import ANY, INIT, Process, on, parameter, states
from lydian.model.protocol.properties import Need, always, at_end, at_most, eventually, need, synchronous
from lydian.model.protocol.rounds import ROUND
from lydian.model.protocol.rules import when
from lydian.model.source.symbols import (
    BUILTINS,
    ROUND_EVENT,
    UNKNOWN,
    FunctionSymbol,
    Imported,
    ProcessSymbol,
    PropertyMark,
    RecordSymbol,
    RuleMark,
    WhenMark,
    can_call,
)

__all__ = ["Evaluator"]

Report = Callable[[ast.AST, str], None]
_PROPERTIES = {always: "always", eventually: "eventually", at_end: "at_end"}
_WORDS = (states, on, parameter, variable, when, need, at_most, synchronous, *_PROPERTIES)
_PLAIN_CALLS = (set, frozenset, tuple, list, dict)
_MOST = 300
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda a, b: bool(a == b),
    ast.NotEq: lambda a, b: bool(a != b),
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


class Evaluator:
    """An evaluator with scopes, the innermost first; what Python would refuse is passed to ``report``."""

    def __init__(self, scopes: list[Mapping[str, Any]], report: Report) -> None:
        self.scopes = scopes
        self.report = report

    def known(self) -> Iterator[str]:
        for scope in self.scopes:
            yield from scope

    def value(self, node: ast.expr | None) -> Any:
        """Return the value of an expression, or ``UNKNOWN``."""
        if node is None:
            return None
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is not None:
            return method(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        return UNKNOWN

    def _Constant(self, node: ast.Constant) -> Any:
        return node.value

    def _Name(self, node: ast.Name) -> Any:
        for scope in self.scopes:
            if node.id in scope:
                return scope[node.id]
        if node.id not in BUILTINS:
            hint = did_you_mean(node.id, [*self.known(), *BUILTINS])
            self.report(node, f"'{node.id}' is not known here{hint}; declare or import it first")
        return UNKNOWN if node.id.startswith("__") else getattr(builtins, node.id, UNKNOWN)

    def _Lambda(self, node: ast.Lambda) -> Any:
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            self.value(default)
        return UNKNOWN

    def _NamedExpr(self, node: ast.NamedExpr) -> Any:
        value = self.value(node.value)
        scope = self.scopes[0]
        if isinstance(scope, dict):
            scope[node.target.id] = value
        return value

    def _items(self, nodes: list[ast.expr]) -> Any:
        values: list[Any] = []
        certain = True
        for each in nodes:
            if isinstance(each, ast.Starred):
                inner = self.value(each.value)
                if isinstance(inner, (tuple, list)):
                    values += inner
                elif inner is UNKNOWN or isinstance(inner, (set, frozenset, str, dict)):
                    certain = False
                else:
                    certain = False
                    self.report(each, f"{shown(inner)} cannot be unpacked with *")
            else:
                values.append(self.value(each))
        return values if certain else UNKNOWN

    def _Tuple(self, node: ast.Tuple) -> Any:
        items = self._items(node.elts)
        return items if items is UNKNOWN else tuple(items)

    def _List(self, node: ast.List) -> Any:
        return self._items(node.elts)

    def _Set(self, node: ast.Set) -> Any:
        items = self._items(node.elts)
        try:
            return items if items is UNKNOWN else set(items)
        except TypeError:
            self.report(node, "a set cannot contain lists, sets or dicts; use tuples")
            return UNKNOWN

    def _Dict(self, node: ast.Dict) -> Any:
        keys = [UNKNOWN if key is None else self.value(key) for key in node.keys]
        values = [self.value(each) for each in node.values]
        try:
            return UNKNOWN if UNKNOWN in keys else dict(zip(keys, values, strict=True))
        except TypeError:
            self.report(node, "the keys of a dict must be numbers, texts or tuples")
            return UNKNOWN

    def _UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(value, (int, float)):
            return -value
        if isinstance(node.op, ast.Not) and isinstance(value, (bool, int, str, type(None))):
            return not value
        return UNKNOWN

    def _BinOp(self, node: ast.BinOp) -> Any:
        left: Any = self.value(node.left)
        right: Any = self.value(node.right)
        if isinstance(node.op, ast.Add):
            for kind in (tuple, list, str, (int, float)):
                if isinstance(left, kind) and isinstance(right, kind):
                    return operator.add(left, right)
            plain = (tuple, list, str, int, float, type(None))
            if isinstance(left, plain) and isinstance(right, plain):
                self.report(node, f"{shown(left)} and {shown(right)} cannot be added")
        return UNKNOWN

    def _Compare(self, node: ast.Compare) -> Any:
        left, *rest = [self.value(each) for each in (node.left, *node.comparators)]
        if len(rest) == 1 and type(node.ops[0]) in _COMPARE and UNKNOWN not in (left, rest[0]):
            try:
                return _COMPARE[type(node.ops[0])](left, rest[0])
            except TypeError:
                return UNKNOWN
        return UNKNOWN

    def _IfExp(self, node: ast.IfExp) -> Any:
        test = self.value(node.test)
        if test is True or test is False:
            return self.value(node.body if test else node.orelse)
        return UNKNOWN

    def _BoolOp(self, node: ast.BoolOp) -> Any:
        self.value(node.values[0])
        return UNKNOWN

    def _Attribute(self, node: ast.Attribute) -> Any:
        value = self.value(node.value)
        if isinstance(value, Imported):
            import lydian

            if value.name == "lydian":
                if node.attr in lydian.__all__:
                    return getattr(lydian, node.attr)
                hint = did_you_mean(node.attr, lydian.__all__)
                self.report(node, f"lydian has no '{node.attr}'{hint}")
                return UNKNOWN
            return Imported(f"{value.name}.{node.attr}")
        real = isinstance(
            value, (str, int, float, tuple, list, set, frozenset, dict, type(None))
        ) or inspect.isfunction(value)
        if real and not hasattr(value, node.attr):
            self.report(node, f"{shown(value)} has no '{node.attr}'{did_you_mean(node.attr, dir(value))}")
        return UNKNOWN

    def _comprehended(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Any:
        """Return the items of a comprehension over known values, or ``UNKNOWN``."""
        first = self.value(node.generators[0].iter)
        only = node.generators[0]
        if len(node.generators) > 1 or not isinstance(first, (tuple, list)) or not isinstance(only.target, ast.Name):
            return UNKNOWN
        found = []
        for item in islice(first, _MOST):
            inner = Evaluator([{only.target.id: item}, *self.scopes], lambda *_: None)
            tests = [inner.value(test) for test in only.ifs]
            if any(test is UNKNOWN for test in tests):
                return UNKNOWN
            if all(tests):
                found.append(inner.value(node.elt))
        return found

    def _ListComp(self, node: ast.ListComp) -> Any:
        return self._comprehended(node)

    def _GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return self._comprehended(node)

    def _SetComp(self, node: ast.SetComp) -> Any:
        return self._comprehended(node)

    def _DictComp(self, node: ast.DictComp) -> Any:
        self.value(node.generators[0].iter)
        return UNKNOWN

    def _Call(self, node: ast.Call) -> Any:
        called = self.value(node.func)
        arguments = [self.value(each.value if isinstance(each, ast.Starred) else each) for each in node.args]
        words = {each.arg: self.value(each.value) for each in node.keywords}
        if not can_call(called):
            self.report(node, f"{shown(called)} is not a function; it cannot be called")
            return UNKNOWN
        if any(isinstance(each, ast.Starred) for each in node.args) and called is states:
            items = self._items(node.args)
            arguments = [UNKNOWN] if items is UNKNOWN else items
        elif any(isinstance(each, ast.Starred) for each in node.args) or None in words:
            return UNKNOWN
        if called in (Process, Message, Timer, Command):
            self.report(
                node, f"{called.__name__} is a base class; write class Echo({called.__name__}) instead of calling it"
            )
            return called if called is Process else UNKNOWN
        if isinstance(called, ProcessSymbol):
            self.report(node, f"{called.name} is the protocol; only the experiment creates its processes")
            return UNKNOWN
        if isinstance(called, FunctionSymbol):
            least, most = called.takes
            given = len(node.args) + len(node.keywords)
            dressed = [each for each in called.node.decorator_list if not _keeps(each)]
            plain = not (dressed or called.node.args.kwonlyargs or called.node.args.kwarg)
            if plain and (given < least or (most is not None and given > most)):
                self.report(node, f"{called.name} takes {least} arguments, not {given}")
            return UNKNOWN
        if isinstance(called, RecordSymbol):
            for sentence in wrong_fields(called, node):
                self.report(node, sentence)
            return UNKNOWN
        if any(called is each for each in _WORDS):
            return self._word(called, arguments, words, node)
        if isinstance(called, type) and called in _PLAIN_CALLS and UNKNOWN not in arguments and not words:
            try:
                return called(*arguments)
            except (TypeError, ValueError) as error:
                self.report(node, f"{called.__name__}(...): {error}")
        return UNKNOWN

    def _word(self, called: Any, arguments: list[Any], words: dict[Any, Any], node: ast.Call) -> Any:
        """Evaluate a call of one of the language's declarations."""
        try:
            bound = inspect.signature(called).bind(*arguments, **words)
        except TypeError as error:
            example = {states: 'states("idle", "busy")', on: "@on(IDLE, News)", parameter: "parameter(5, minimum=1)",
                       variable: "variable(0, minimum=0, maximum=5)", when: "@when(privileged)",
                       at_most: 'at_most("f", CRASHES)', synchronous: 'synchronous("round")'}  # fmt: skip
            model = example.get(called, f'@{called.__name__}("every process has heard")')
            self.report(node, f"{called.__name__}(...) has {_plain(error)}; write, for example, {model}")
            return UNKNOWN
        bound.apply_defaults()
        if called is on:
            return self._on(bound.arguments["state"], bound.arguments["event"], node)
        if called is when:
            return self._when(bound.arguments["guard"], bound.arguments["state"], node)
        if called in _PROPERTIES:
            sentence = bound.arguments["name"]
            if sentence is not UNKNOWN and not isinstance(sentence, str):
                self.report(node, f'@{called.__name__} needs its sentence: @{called.__name__}("no process waits")')
                return UNKNOWN
            return PropertyMark(_PROPERTIES[called], sentence if isinstance(sentence, str) else "", node)
        words = {word: value for word, value in words.items() if called is not parameter or word != "reached"}
        if any(value is UNKNOWN for value in (*arguments, *words.values())):
            return UNKNOWN
        if called is need:  # the function with this name reports what is missing; it is not run
            return Need(str(bound.arguments["name"]), str(bound.arguments["sentence"]), lambda _network: None)
        try:
            return called(*arguments, **words)
        except (TypeError, ValueError) as error:
            self.report(node, str(error))
            return UNKNOWN

    def _when(self, guard: Any, state: Any, node: ast.Call) -> WhenMark:
        first = node.args[0] if node.args else node
        written = next((each.value for each in node.keywords if each.arg == "guard"), first)
        if isinstance(written, ast.Lambda):
            guard = written
            if len(guard.args.args) != 1:
                self.report(node, "the guard must take self and nothing else: @when(lambda self: self.count > 0)")
        elif isinstance(guard, FunctionSymbol):
            least, most = guard.takes
            if least != 1 or (most is not None and most < 1):
                self.report(node, f"the guard '{guard.name}' must take (self) and nothing else")
        elif guard is not UNKNOWN and not isinstance(guard, Imported):
            self.report(node, f"@when needs a guard, a method such as def privileged(self), not {_named(guard)}")
            guard = UNKNOWN
        several = None if state is UNKNOWN else _several(state)
        for each in several or ():
            if each is not UNKNOWN and each is not ANY and not isinstance(each, str):
                self.report(node, f"@when(guard, state=...) must name states, not {_named(each)}")
                several = None
                break
        return WhenMark(guard, None if several is None or UNKNOWN in several else several, node)

    def _on(self, state: Any, event: Any, node: ast.Call) -> RuleMark:
        given = [None if each is UNKNOWN else _several(each) for each in (state, event)]
        for each in given[0] or ():
            if each is not UNKNOWN and each is not ANY and not isinstance(each, str):
                self.report(node, f"@on needs a state first, not {_named(each)}: @on(WAITING, Ack)")
                given[0] = None
                break
        for each in given[1] or ():
            if each is not UNKNOWN and each not in (INIT, ROUND) and not isinstance(each, RecordSymbol):
                what = f"@on needs INIT or a Message, Timer or Command class as its event, not {_named(each)}"
                if each not in (Message, Timer, Command):
                    self.report(node, what)
                given[1] = None
                break
        clean = [None if each is None or UNKNOWN in each else each for each in given]
        events = None if clean[1] is None else tuple(ROUND_EVENT if each is ROUND else each for each in clean[1])
        return RuleMark(clean[0], events, node)


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list, set, frozenset)) else (value,)


def _named(value: Any) -> str:
    if isinstance(value, FunctionSymbol):
        return f"the function {value.name}"
    return str(value.name) if hasattr(value, "name") and hasattr(value, "node") else shown(value)


def _plain(error: TypeError) -> str:
    text = str(error)
    return {
        "too many positional arguments": "too many arguments",
    }.get(text, text.replace("missing a required argument:", "no").replace("got an unexpected keyword argument", "no"))


def wrong_fields(record: RecordSymbol, node: ast.Call) -> list[str]:
    """Return the errors in the fields of a call that creates a message, as sentences."""
    if record.open or any(isinstance(each, ast.Starred) for each in node.args):
        return []
    if any(each.arg is None for each in node.keywords):
        return []
    order = record.order
    has = f"its fields are {', '.join(order)}" if order else "it has no fields"
    found = []
    if len(node.args) > len(order):
        found.append(f"{record.name} takes {len(order)} values, not {len(node.args)}; {has}")
    given = set(order[: len(node.args)])
    for word in node.keywords:
        name = str(word.arg)
        if name not in record.fields:
            found.append(f"{record.name} has no field '{name}'{did_you_mean(name, order)}; {has}")
        elif name in given:
            found.append(f"{record.name} is given its field '{name}' twice")
        given.add(name)
    missing = [name for name in record.required if name not in given]
    if missing:
        example = ", ".join(f"{name}=..." for name in missing)
        found.append(f"{record.name} needs {_and(missing)}: write {record.name}({example})")
    return found


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _keeps(decorator: ast.expr) -> bool:
    """Return True if a decorator keeps the decorated function, as that of an action does."""
    named = decorator.func if isinstance(decorator, ast.Call) else None
    return isinstance(named, ast.Name) and named.id in ("on", "when")
