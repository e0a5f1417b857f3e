"""A protocol file that is read without being run: its names, classes, states, events and actions.

The statements are followed as Python would execute them (an ``if`` that cannot be decided is followed both ways), with
values as far as :mod:`lydian.model.source.evaluate` can determine them. Everything that loading would refuse becomes a
problem.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import lydian
from lydian.model.errors import did_you_mean, shown
from lydian.model.protocol.layers import words_in
from lydian.model.protocol.process import State, states
from lydian.model.protocol.properties import Need
from lydian.model.source.classes import ClassMaker
from lydian.model.source.evaluate import Evaluator
from lydian.model.source.parsing import Parsed, parse
from lydian.model.source.symbols import (
    UNKNOWN,
    FunctionSymbol,
    Imported,
    ProcessSymbol,
    PropertyMark,
    RecordSymbol,
    RuleMark,
    StatesCall,
    VariableSymbol,
    WhenMark,
    can_call,
)
from lydian.model.source.text import Problem, Text

__all__ = [
    "Action", "Draft", "foreign_states", "layer_rows", "layer_variables", "layer_views", "layers_in", "name_of",
    "read", "role_views", "view_at",
]  # fmt: skip

_UNROLL = 64


@dataclass(eq=False)
class Action:
    """A function of the protocol with its rules, and its class."""

    name: str
    function: FunctionSymbol
    rules: list[RuleMark]


@dataclass(eq=False)
class Draft:
    """Everything that can be read from the text of a protocol file."""

    parsed: Parsed
    scope: dict[str, Any] = field(default_factory=dict)
    found: list[Problem] = field(default_factory=list)
    process: ProcessSymbol | None = None
    processes: list[ProcessSymbol] = field(default_factory=list)
    states: tuple[str, ...] = ()
    states_calls: list[StatesCall] = field(default_factory=list)
    records: list[RecordSymbol] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    rules: list[FunctionSymbol] = field(default_factory=list)  # guarded actions
    program: FunctionSymbol | None = None
    properties: list[tuple[PropertyMark, FunctionSymbol]] = field(default_factory=list)
    layers: tuple[ProcessSymbol, ...] = ()
    star: bool = False  # after a star import of an unknown module, any name may exist

    @property
    def text(self) -> Text:
        return self.parsed.text

    @property
    def words(self) -> dict[str, str]:
        """State -> its name in the file."""
        return {str(value): word for word, value in reversed(self.scope.items()) if isinstance(value, State)}

    def record(self, name: str) -> RecordSymbol | None:
        return next((each for each in self.records if each.name == name), None)


def read(source: str) -> Draft:
    """Read a file; this function never raises an exception."""
    draft = Draft(parse(source))
    try:
        _Runner(draft).body(draft.parsed.tree.body)
        _describe(draft)
    except RecursionError:
        draft.found.append(Problem(1, 0, 1, "Python cannot read this: it is nested too deeply"))
    return draft


@lru_cache(maxsize=256)
def _module_exists(name: str) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names and "." not in name:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


class _Runner:
    """An interpreter of the statements in one scope."""

    def __init__(self, draft: Draft, names: dict[str, Any] | None = None, *, certain: bool = True) -> None:
        self.draft = draft
        self.inner = names is not None
        self.names: dict[str, Any] = draft.scope if names is None else names
        self.places: dict[str, ast.stmt] = {}
        self.types: dict[str, str] = {}
        self.certain = certain
        scopes = [self.names] if names is None else [self.names, draft.scope]
        self.evaluator = Evaluator(list(scopes), self.report)

    def report(self, node: ast.AST, sentence: str) -> None:
        kind = "error" if self.certain else "warning"
        if not self.draft.star:
            self.draft.found.append(self.draft.text.problem(node, sentence, kind))

    def bind(self, name: str, value: Any, place: ast.stmt, where: ast.AST | None = None) -> None:
        old = self.names.get(name)
        if self.inner and isinstance(old, FunctionSymbol) and (old.rules or old.whens):
            self.report(
                where or place,
                f"two actions are called '{name}' (the first in line {old.first_line}); rename one of them",
            )
        if not self.certain and name in self.names and value is not UNKNOWN and old != value:
            value = UNKNOWN
        self.names[name] = value
        self.places[name] = place

    def body(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            method = getattr(self, f"_{type(statement).__name__}", None)
            if method is not None:
                method(statement)
            else:
                self._other(statement)

    def _other(self, statement: ast.stmt) -> None:
        """Follow an unusual statement both ways; nothing in it is certain."""
        for name in _stored(statement):
            self.bind(name, UNKNOWN, statement)
        blocks = [value for _, value in ast.iter_fields(statement) if isinstance(value, list)]
        self._maybe([part for block in blocks for part in block if isinstance(part, ast.stmt)])

    def _maybe(self, statements: Sequence[ast.stmt]) -> None:
        before, self.certain = self.certain, False
        self.body(statements)
        self.certain = before

    def _Pass(self, statement: ast.Pass) -> None:
        pass

    _Global = _Nonlocal = _Break = _Continue = _Pass

    def _Expr(self, statement: ast.Expr) -> None:
        self.evaluator.value(statement.value)
        called = statement.value.func if isinstance(statement.value, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("exit", "quit") and called.id not in self.names:
            self.report(statement, "the file ends the program; a protocol file must only declare")

    def _Raise(self, statement: ast.Raise) -> None:
        self.report(statement, "the file raises an error when it is loaded; a protocol file must only declare")

    def _Assign(self, statement: ast.Assign) -> None:
        value = self.evaluator.value(statement.value)
        for target in statement.targets:
            self._to(target, value, statement)
        called = statement.value
        if isinstance(called, ast.Call) and self._is_states(called):
            named = value if isinstance(value, tuple) else ()
            self.draft.states_calls.append(StatesCall(statement, called, statement.targets[0], named))

    def _is_states(self, called: ast.Call) -> bool:
        name = called.func.id if isinstance(called.func, ast.Name) else ""
        return self.draft.scope.get(name) is states

    def _to(self, target: ast.expr, value: Any, statement: ast.stmt) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, value, statement, target)
            return
        if isinstance(target, (ast.Tuple, ast.List)):
            stars = [n for n, each in enumerate(target.elts) if isinstance(each, ast.Starred)]
            if isinstance(value, (tuple, list)) and not stars and len(value) != len(target.elts):
                self.report(target, f"{len(target.elts)} names are given {len(value)} values; give one for each")
                value = UNKNOWN
            elif not isinstance(value, (tuple, list, str, set, frozenset, dict)) and not (
                value is UNKNOWN or isinstance(value, (Imported, RecordSymbol, FunctionSymbol))
            ):
                self.report(target, f"{shown(value)} cannot be unpacked into several names")
            known = isinstance(value, (tuple, list)) and not stars
            for n, each in enumerate(target.elts):
                self._to(each, value[n] if known else UNKNOWN, statement)
            return
        if isinstance(target, ast.Starred):
            self._to(target.value, UNKNOWN, statement)
            return
        for child in ast.iter_child_nodes(target):
            if isinstance(child, ast.expr):
                self.evaluator.value(child)

    def _AnnAssign(self, statement: ast.AnnAssign) -> None:
        if isinstance(statement.target, ast.Name):
            name = statement.target.id
            self.types.setdefault(name, self.draft.text.of(statement.annotation))
            self.places.setdefault(name, statement)
            if statement.value is not None:
                self.bind(name, self.evaluator.value(statement.value), statement)
        elif statement.value is not None:
            self.evaluator.value(statement.value)

    def _AugAssign(self, statement: ast.AugAssign) -> None:
        right = self.evaluator.value(statement.value)
        if isinstance(statement.target, ast.Name):
            old = self.evaluator.value(ast.copy_location(ast.Name(statement.target.id, ast.Load()), statement.target))
            both = isinstance(old, (tuple, list)) and type(old) is type(right) and isinstance(statement.op, ast.Add)
            self.bind(statement.target.id, old + right if both else UNKNOWN, statement)

    def _Delete(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if isinstance(target, ast.Name):
                self.evaluator.value(ast.copy_location(ast.Name(target.id, ast.Load()), target))
                self.names.pop(target.id, None)

    def _Import(self, statement: ast.Import) -> None:
        for alias in statement.names:
            if not _module_exists(alias.name):
                hint = did_you_mean(alias.name, ["lydian", *sys.stdlib_module_names])
                self.report(statement, f"unknown module '{alias.name}'{hint}")
            whole = alias.name if alias.asname else alias.name.partition(".")[0]
            self.bind(alias.asname or whole, Imported(whole), statement)

    def _ImportFrom(self, statement: ast.ImportFrom) -> None:
        module = statement.module or ""
        if statement.level:
            return  # imports between the files of a folder refer to this text
        if module == "lydian":
            self._from_lydian(statement)
            return
        if not _module_exists(module):
            hint = did_you_mean(module, ["lydian", *sys.stdlib_module_names])
            self.report(statement, f"unknown module '{module}'{hint}")
        loaded = sys.modules.get(module)
        for alias in statement.names:
            if alias.name == "*":
                self.draft.star = True
                continue
            if loaded is not None and not hasattr(loaded, alias.name) and not _module_exists(f"{module}.{alias.name}"):
                self.report(statement, f"{module} has no '{alias.name}'{did_you_mean(alias.name, dir(loaded))}")
            self.bind(alias.asname or alias.name, Imported(f"{module}.{alias.name}"), statement)

    def _from_lydian(self, statement: ast.ImportFrom) -> None:
        for alias in statement.names:
            if alias.name == "*":
                for name in lydian.__all__:
                    self.bind(name, getattr(lydian, name), statement)
                continue
            if not hasattr(lydian, alias.name) and not _module_exists(f"lydian.{alias.name}"):
                hint = did_you_mean(alias.name, lydian.__all__)
                self.report(statement, f"lydian has no '{alias.name}'{hint}")
            self.bind(alias.asname or alias.name, getattr(lydian, alias.name, UNKNOWN), statement)

    def _If(self, statement: ast.If) -> None:
        test = self.evaluator.value(statement.test)
        if test is True or test is False:
            self.body(statement.body if test else statement.orelse)
        else:
            self._maybe([*statement.body, *statement.orelse])

    def _While(self, statement: ast.While) -> None:
        if self.evaluator.value(statement.test) is True and not any(
            isinstance(each, (ast.Break, ast.Raise)) for each in ast.walk(statement)
        ):
            self.report(statement, "this loop never ends, so the file cannot be loaded")
        self._maybe([*statement.body, *statement.orelse])

    def _For(self, statement: ast.For) -> None:
        values = self.evaluator.value(statement.iter)
        if isinstance(values, (tuple, list)) and len(values) <= _UNROLL:
            jumps = any(isinstance(each, (ast.Break, ast.Continue)) for each in ast.walk(statement))
            before, self.certain = self.certain, self.certain and not jumps
            for value in values:
                self._to(statement.target, value, statement)
                self.body(statement.body)
            self.body(statement.orelse)
            self.certain = before
            return
        self._to(statement.target, UNKNOWN, statement)
        self._maybe([*statement.body, *statement.orelse])

    def _With(self, statement: ast.With) -> None:
        for item in statement.items:
            self.evaluator.value(item.context_expr)
            if item.optional_vars is not None:
                self._to(item.optional_vars, UNKNOWN, statement)
        self._maybe(statement.body)

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        marks = [(each, self.evaluator.value(each)) for each in node.decorator_list]
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            self.evaluator.value(default)
        function = FunctionSymbol(node.name, node)
        value: Any = function
        for each, mark in reversed(marks):
            if isinstance(mark, RuleMark):
                function.rules.insert(0, mark)
            elif isinstance(mark, WhenMark):
                function.whens.insert(0, mark)
            elif isinstance(mark, PropertyMark):
                function.properties = [mark]
            elif isinstance(mark, Need):
                value = mark
            elif mark is lydian.program:
                function.program = True
            elif mark in (lydian.always, lydian.eventually, lydian.at_end):
                word = each.id if isinstance(each, ast.Name) else "always"
                self.report(each, f'@{word} needs its sentence: @{word}("no process waits")')
            elif mark is lydian.on:
                self.report(each, "@on needs a state and an event: @on(WAITING, Ack)")
            elif mark is lydian.when:
                self.report(each, "@when needs a guard: @when(privileged)")
            elif not can_call(mark):
                self.report(each, f"{shown(mark)} is not a function; it cannot follow @")
            else:
                self._foreign_mark(each)
                value = function if function.rules or function.whens or function.properties else UNKNOWN
        self.bind(node.name, value, node)

    def _foreign_mark(self, mark: ast.expr) -> None:
        """Report a built-in decorator that does not suit a function of a protocol."""
        name = mark.func if isinstance(mark, ast.Call) else mark
        value = self.evaluator.value(name) if isinstance(name, ast.Name) else UNKNOWN
        if getattr(value, "__module__", "") == "builtins" and value not in (property, staticmethod, classmethod):
            self.report(
                mark, f"@{self.draft.text.of(name)} does not suit a function of a protocol; write @on(IDLE, News)"
            )

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef) -> None:
        marks = [(each, self.evaluator.value(each)) for each in node.decorator_list]
        bases = [self.evaluator.value(each) for each in node.bases]
        for word in node.keywords:
            self.evaluator.value(word.value)
        inner = _Runner(self.draft, {}, certain=self.certain)
        inner.body(node.body)
        maker = ClassMaker(self.draft.text, self.report, self.draft.scope)
        value = maker.make(node, bases, inner.names, inner.types, inner.places)
        for each, mark in marks:
            if isinstance(mark, (RuleMark, WhenMark, PropertyMark)) or not can_call(mark):
                self.report(each, "this must be above a function, not a class")
            value = value if isinstance(value, (ProcessSymbol, RecordSymbol)) else UNKNOWN
        self.bind(node.name, value, node)


def _stored(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of an unusual kind binds itself."""
    if isinstance(statement, ast.Try):
        return []
    return [part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def _describe(draft: Draft) -> None:
    """Find the protocol among the classes, and its states, events, actions and properties, as loading does."""
    values = dict.fromkeys(v for v in draft.scope.values() if isinstance(v, (ProcessSymbol, RecordSymbol)))
    draft.processes = [v for v in values if isinstance(v, ProcessSymbol) and not v.layer]
    leaves = _leaves(draft)
    draft.process = leaves[0] if leaves else None
    draft.layers = layers_in(draft.process)
    foreign = foreign_states(draft)
    draft.records = [v for v in values if isinstance(v, RecordSymbol)]
    if draft.process is not None:
        for name, function in draft.process.methods().items():
            if function.rules:
                draft.actions.append(Action(name, function, function.rules))
            if function.whens:
                draft.rules.append(function)
            if function.program:
                draft.program = function
    declared = [str(v) for word, v in draft.scope.items() if isinstance(v, State) and word not in foreign]
    if not declared:
        for action in draft.actions:
            for rule in action.rules:
                declared += [str(s) for s in rule.states or () if isinstance(s, str)]
        for function in draft.rules:
            declared += [str(s) for mark in function.whens for s in mark.states or () if isinstance(s, str)]
    start = draft.process.start if draft.process is not None else None
    first = [str(start)] if isinstance(start, str) and (not declared or start in declared) else []
    draft.states = tuple(dict.fromkeys([*first, *declared]))
    members = list(draft.process.members.values()) if draft.process is not None else []
    draft.properties = [
        (mark, each)
        for each in [*draft.scope.values(), *members]
        if isinstance(each, FunctionSymbol)
        for mark in each.properties
    ]
    draft.properties.sort(key=lambda pair: pair[1].first_line)


#: Attributes of layers, and of processes with layers, in addition to those of every process.
_WORDS = ("ask", "tell")


def name_of(layer: ProcessSymbol) -> str:
    """Return the name of a layer in its process."""
    return layer.name.lower()


def layers_in(process: ProcessSymbol | None) -> tuple[ProcessSymbol, ...]:
    """Return the layers below a process, as far as they can be read, and add their names and parameters to it."""
    given = process.members.get("layers", ()) if process is not None else ()
    several = given if isinstance(given, (tuple, list)) else (given,)
    found = tuple(each for each in several if isinstance(each, ProcessSymbol) and each.layer)
    for each in found:
        assert process is not None
        process.members.setdefault(name_of(each), UNKNOWN)
        for name, parameter in each.parameters.items():
            process.parameters.setdefault(name, parameter)
    for each in (*found, *([process] if process is not None and found else [])):
        for word in _WORDS:
            each.members.setdefault(word, UNKNOWN)
    return found


def _used(draft: Draft, symbol: ProcessSymbol) -> set[str]:
    return words_in(draft.parsed.tree, {each.name for each in symbol.family()})


def foreign_states(draft: Draft) -> set[str]:
    """Return the names of states that layers use and the process does not."""
    if draft.process is None or not draft.layers:
        return set()
    return set().union(*(_used(draft, each) for each in draft.layers)) - _used(draft, draft.process)


def _leaves(draft: Draft) -> list[ProcessSymbol]:
    """Return the classes of processes that are not a base of another."""
    found = draft.processes
    return [each for each in found if not any(other is not each and each in other.family() for other in found)]


def role_views(draft: Draft) -> list[Draft]:
    """Return the file once for each role, with the class of that role as its process; the file itself if it has one."""
    leaves = _leaves(draft)
    return [_view(draft, each) for each in leaves] if len(leaves) > 1 else [draft]


def layer_views(draft: Draft) -> Iterator[Draft]:
    """Return the file once for each layer, with that layer as its process."""
    return (_view(draft, each) for each in draft.layers)


def _view(draft: Draft, each: ProcessSymbol) -> Draft:
    """Return the file with one of its classes as its process."""
    used = _used(draft, each)
    own = [str(value) for word, value in draft.scope.items() if isinstance(value, State) and word in used]
    start = [str(each.start)] if isinstance(each.start, str) and (not own or each.start in own) else []
    functions = each.methods()
    return replace(
        draft,
        process=each,
        processes=[each],
        layers=(),
        states=tuple(dict.fromkeys([*start, *own])),
        actions=[Action(name, f, f.rules) for name, f in functions.items() if f.rules],
        rules=[f for f in functions.values() if f.whens],
        program=None,
        properties=[],
        found=[],
    )


def layer_rows(view: Draft) -> dict[str, str]:
    """Return the row in the table for each state of a layer."""
    assert view.process is not None
    name = name_of(view.process)
    return {state: name if len(view.states) == 1 else f"{name}: {state}" for state in view.states}


def layer_variables(draft: Draft) -> Iterator[VariableSymbol]:
    """Return the variables of all layers under their dotted names."""
    for each in draft.layers:
        for variable in each.variables.values():
            yield replace(variable, name=f"{name_of(each)}.{variable.name}")
        if each.start_node is not None and each.start != "active":
            yield VariableSymbol(f"{name_of(each)}.state", "str", each.start, str(each.start), each.start_node)


def view_at(draft: Draft, line: int) -> Draft:
    """Return the file as it is read at a line: within the class of a layer, with that layer as its process."""
    roles = role_views(draft)
    views: list[Draft] = [*layer_views(draft), *(roles if len(roles) > 1 else ())]
    for view in views:
        assert view.process is not None
        classes = [each.node for each in view.process.family()]
        if any(node.lineno <= line <= (node.end_lineno or node.lineno) for node in classes):
            return view
    return draft
