"""Facts read from a protocol's text without running it.

A trace contains the text of its protocol and may come from a stranger, so the views only parse that text: for the
function that handles each event, the variables that are sets, the expected formula. Anything that cannot be read in
this way is left out; nothing here raises an error.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lydian.model.protocol.marks import is_predicate
from lydian.model.source.syntax import tree_of

__all__ = ["Action", "Source", "defaults_of", "formula_text", "read"]

#: A line of a docstring that describes one outcome of an action.
_VERBS = "always|otherwise|nothing|sends|becomes|stays|changes|decides|delivers|notes|sets|says|while"
_OUTCOME = re.compile(rf"^((?:{_VERBS})\b[\w ,()=.-]*):\s+(\S.*)$")
#: The line which says that the first sentence is true of all outcomes.
_WHICHEVER = "always:"
#: The length to which the first sentence of a docstring is cut.
LONGEST_DOC = 240


@dataclass(frozen=True)
class Action:
    """A function of the protocol: ``function`` begins at ``line``; ``states`` is ``None`` if it handles every state.

    ``doc`` is the first sentence of its docstring, on one line, or empty; ``branches`` whether its code goes different
    ways, so that one sentence need not be true of all; ``outcomes`` are the sentences of its docstring for each way,
    by what comes of it (:mod:`lydian.views.words.reasons`).
    """

    function: str
    line: int
    states: frozenset[str] | None
    event: str
    doc: str = ""
    branches: bool = False
    outcomes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Source:
    """The parts of a protocol's text that views need.

    ``sets`` names the variables that are sets (a trace writes them as sorted lists); ``types`` contains the declared
    types of variables, and ``fields`` those of the fields of each class of message, timer and command; ``formula`` is
    the expected number of messages as the class states it, or ``None``; ``parameters`` contains the defaults of the
    parameters, and ``predicates`` the declared words for states in a sentence ("wants the resource").
    """

    actions: tuple[Action, ...] = ()
    sets: frozenset[str] = frozenset()
    formula: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    predicates: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def predicate(self, state: str) -> str:
        """Return the predicate of a state, to follow "it": "is waiting", "wants the resource"."""
        return self.predicates.get(state) or f"is {state}"

    def action(self, state: str | None, event: str) -> Action | None:
        """Return the function that handles ``event`` in ``state``; one for this state takes precedence over one for
        every state.
        """
        every: Action | None = None
        for action in self.actions:
            if action.event != event:
                continue
            if action.states is None:
                every = every or action
            elif state in action.states:
                return action
        return every


@lru_cache(maxsize=32)
def read(text: str) -> Source:
    """Read a protocol's text; an empty :class:`Source` if it cannot be parsed."""
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Source()
    states = _state_names(tree)
    actions: list[Action] = []
    sets: set[str] = set()
    formula: str | None = None
    parameters: dict[str, Any] = {}
    types: dict[str, str] = {}
    fields: dict[str, dict[str, str]] = {}
    classes = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
    above = {name: _above(name, classes) for name in classes}
    acts = {name: list(_actions(node, states, _Ways(_leaf(name, above), tree))) for name, node in classes.items()}
    # The classes with actions, and their bases.
    acting = {each for name in classes if acts[name] for each in above[name]}
    for node in classes.values():
        own, declared = acts[node.name], _types(node)
        if acting.intersection(above[node.name]):
            actions += own
            formula = _formula(node) or formula
            sets |= _sets(node)
            types.update(declared)
            parameters.update(_parameters(node))
        bases = [fields[_name(base)] for base in node.bases if _name(base) in fields]
        if not own and (bases or any(_name(base) in _RECORDS for base in node.bases)):
            fields[node.name] = {name: kind for each in [*bases, declared] for name, kind in each.items()}
    predicates = _predicates(tree)
    return Source(tuple(actions), frozenset(sets), formula, parameters, predicates, types, fields)


def _above(name: str, classes: Mapping[str, ast.ClassDef]) -> list[str]:
    """Return a class of the file and its bases in the file, each once, the nearest first."""
    found, waiting = [], [name]
    while waiting:
        if (each := waiting.pop(0)) in classes and each not in found:
            found.append(each)
            waiting += [_name(base) for base in classes[each].bases]
    return found


def _leaf(name: str, above: Mapping[str, list[str]]) -> list[str]:
    """Return the classes whose functions an object of this class has: those of its only subclass if there is one."""
    made = [each for each, names in above.items() if name in names]
    last = [each for each in made if not any(each != other and each in above[other] for other in made)]
    return above[last[0] if len(last) == 1 else name]


@lru_cache(maxsize=32)
def defaults_of(text: str) -> Mapping[str, Mapping[str, Any]]:
    """Return, for each class, the fields that it declares or inherits, with their literal defaults, else None."""
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, dict[str, Any]] = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        fields: dict[str, Any] = {}
        for base in node.bases:
            fields.update(found.get(_name(base), {}))
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                try:
                    fields[item.target.id] = None if item.value is None else ast.literal_eval(item.value)
                except ValueError:
                    fields[item.target.id] = None
        found[node.name] = fields
    return found


def _state_names(tree: ast.Module) -> dict[str, frozenset[str]]:
    """Return the names that stand for states, with those states.

    ``SLEEPING, WAITING = states("sleeping", "waiting")`` gives one state each, ``AWAKE = (WAITING, DONE)`` several.
    """
    names: dict[str, frozenset[str]] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        if isinstance(node.value, ast.Call) and _name(node.value.func) == "states":
            words = [a.value for a in node.value.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            target = node.targets[0]
            targets = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
            names.update({_name(t): frozenset({w}) for t, w in zip(targets, words, strict=False) if _name(t)})
        elif isinstance(node.value, ast.Tuple | ast.List | ast.Set | ast.Name):
            several = _states(node.value, names)
            names.update({_name(t): several for t in node.targets if several and _name(t)})
    return names


def _predicates(tree: ast.Module) -> dict[str, str]:
    """Return the predicates of states, from ``states("wanted", reads={"wanted": "wants the resource"})``."""
    found: dict[str, str] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        for given in node.value.keywords if _name(node.value.func) == "states" else ():
            try:
                table = ast.literal_eval(given.value)
            except ValueError:
                continue
            if given.arg == "reads" and isinstance(table, dict):
                found.update({str(state): text.strip() for state, text in table.items() if is_predicate(text)})
    return found


def _states(node: ast.AST, names: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the states that an expression denotes, by their names or as text."""
    found: frozenset[str] = frozenset()
    for part in ast.walk(node):
        found |= names.get(_name(part), frozenset())
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            found |= {part.value}
    return found


def _actions(node: ast.ClassDef, states: Mapping[str, frozenset[str]], ways: _Ways) -> Iterator[Action]:
    for item in node.body:
        if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        written = ast.get_docstring(item) or ""
        doc, branches, outcomes = _first_sentence(written), ways.differ(item), _outcomes(written)
        for call in item.decorator_list:
            if not isinstance(call, ast.Call):
                continue
            word = _name(call.func)
            if word == "when":
                given = next((each.value for each in call.keywords if each.arg == "state"), None)
                every = given is None or any(_name(part) == "ANY" for part in ast.walk(given))
                only = None if every or given is None else _states(given, states)
                yield Action(item.name, item.lineno, only, item.name, doc, branches, outcomes)
            elif word == "on" and len(call.args) == 2:
                where, event = call.args
                every = any(_name(part) == "ANY" for part in ast.walk(where))
                for name in filter(None, (_name(part) for part in ast.walk(event))):
                    only = None if every else _states(where, states)
                    yield Action(item.name, item.lineno, only, name, doc, branches, outcomes)


#: Methods with an effect that other processes see, and methods that change a collection of the process.
_DEEDS = ("send", "deliver", "decide", "note", "set_timer", "cancel_timer")
_CHANGES = (
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
    "setdefault", "update",
)  # fmt: skip


class _Ways:
    """The functions of a class that branch, themselves or in functions of the file that they call.

    A statement counts if what the process does or keeps depends on it: an ``if`` in the action itself and, in
    a function that it calls, an ``if``, a ``while``, or a ``for`` over a collection that may be empty, with an
    effect inside. A loop that informs all neighbours is one way, however many they are.
    """

    def __init__(self, names: list[str], module: ast.Module) -> None:
        classes = {each.name: each for each in module.body if isinstance(each, ast.ClassDef)}
        self.functions = {each.name: each for each in module.body if isinstance(each, ast.FunctionDef)}
        #: The class's own methods, then those of its bases in the file.
        self.methods = [{f.name: f for f in classes[name].body if isinstance(f, ast.FunctionDef)} for name in names]
        self._acting: dict[tuple[str, int], bool] = {}

    def differ(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Return True if some statement decides which branch the action takes."""
        me = _first_name(function)
        return _decides(function.body) or any(self._splits(each, me, {function.name}) for each in function.body)

    def _splits(self, part: ast.AST, me: str, within: set[str]) -> bool:
        """Return True if a statement, or a function that it calls, acts or changes something only under a condition."""
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            return False
        if self._conditional(part, me):
            return True
        for called, its in self._called(part, me):
            if called.name not in within and self._acts(called, its):
                inside = {*within, called.name}
                if _leaves_early(called.body) or any(self._splits(each, its, inside) for each in called.body):
                    return True
        return any(self._splits(each, me, within) for each in ast.iter_child_nodes(part))

    def _conditional(self, part: ast.AST, me: str) -> bool:
        """Return True if a statement is a condition for something that the process does or stores."""
        inner: list[ast.AST] = []
        if isinstance(part, ast.If):
            inner = [*part.body, *part.orelse]
        elif isinstance(part, ast.Match):
            inner = [each for case in part.cases for each in case.body]
        elif isinstance(part, ast.While) or (isinstance(part, ast.For) and not _never_empty(part.iter, me)):
            inner = list(part.body)
        elif isinstance(part, ast.IfExp):
            inner = [part.body, part.orelse]
        elif isinstance(part, ast.BoolOp):
            inner = list(part.values[1:])
        elif isinstance(part, ast.Assign) and isinstance(part.value, ast.IfExp):
            return any(_root(each) == me for each in part.targets)
        return any(self._does(each, me) for each in inner)

    def _does(self, part: ast.AST, me: str) -> bool:
        """Return True if the process does or changes something in a part of its code."""
        for each in ast.walk(part):
            if isinstance(each, ast.Attribute | ast.Subscript) and not isinstance(each.ctx, ast.Load):
                if _root(each) == me:
                    return True
            elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
                own = isinstance(each.func.value, ast.Name) and each.func.value.id == me
                if own and each.func.attr in _DEEDS:
                    return True
                if not own and each.func.attr in _CHANGES and _root(each.func) == me:
                    return True
            if any(self._acts(called, its) for called, its in self._called(each, me)):
                return True
        return False

    def _acts(self, function: ast.FunctionDef, me: str) -> bool:
        key = (function.name, function.lineno)
        if key not in self._acting:
            self._acting[key] = False  # This ends a recursion.
            self._acting[key] = any(self._does(each, me) for each in function.body)
        return self._acting[key]

    def _called(self, part: ast.AST, me: str) -> Iterator[tuple[ast.FunctionDef, str]]:
        """Yield the function of the file that a call invokes, with the name that the process has in it."""
        if not isinstance(part, ast.Call):
            return
        if isinstance(part.func, ast.Name):
            known = self.functions.get(part.func.id)
            arguments = [] if known is None else known.args.args
            for given, argument in zip(part.args, arguments, strict=False):
                if known is not None and isinstance(given, ast.Name) and given.id == me:
                    yield known, argument.arg
        elif isinstance(part.func, ast.Attribute):
            of = part.func.value
            above = isinstance(of, ast.Call) and _name(of.func) == "super"
            if above or (isinstance(of, ast.Name) and of.id == me):
                for methods in self.methods[1:] if above else self.methods:
                    if part.func.attr in methods:
                        yield methods[part.func.attr], _first_name(methods[part.func.attr])
                        return


def _first_name(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return function.args.args[0].arg if function.args.args else ""


def _root(node: ast.AST) -> str:
    """Return the name with which an expression such as ``self.table[q].best`` begins."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return _name(node)


def _never_empty(iterated: ast.expr, me: str) -> bool:
    """Return True if a loop runs over all neighbours, over all processes, or over a literal."""
    while isinstance(iterated, ast.Call) and _name(iterated.func) in ("sorted", "list", "tuple", "enumerate"):
        if not iterated.args:
            return False
        iterated = iterated.args[0]
    if isinstance(iterated, ast.Attribute):
        return _root(iterated) == me and iterated.attr in ("neighbours", "everybody")
    return isinstance(iterated, ast.Tuple | ast.List | ast.Set) and bool(iterated.elts)


def _decides(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(each, ast.If | ast.Match) or (isinstance(each, ast.With | ast.Try) and _decides(each.body))
        for each in body
    )


def _leaves_early(body: list[ast.stmt]) -> bool:
    """Return True if a function may return before its last statement."""
    return any(
        isinstance(inner, ast.Return)
        for each in body
        if isinstance(each, ast.If | ast.Match)
        for inner in ast.walk(each)
    )


def _outcomes(doc: str) -> tuple[tuple[str, str], ...]:
    """Return lines of a docstring such as ``sends Reply: It answers at once.``, each as a condition and a sentence.

    ``always:`` with nothing after it stands for the first sentence.
    """
    found: list[list[str]] = []
    for line in doc.split("\n"):
        begun = _OUTCOME.match(line)
        if line.rstrip() == _WHICHEVER:
            found.append(["always", _first_sentence(doc)])
        elif begun is not None:
            found.append([begun[1], begun[2].strip()])
        elif found and line.startswith(" ") and line.strip() and found[-1][1]:
            found[-1][1] += f" {line.strip()}"
        elif found:
            found.append(["", ""])  # The following lines belong to no outcome.
    return tuple((condition, sentence) for condition, sentence in found if sentence)


def _first_sentence(doc: str) -> str:
    """Return the first sentence of a docstring's first paragraph, on one line and with its full stop."""
    text = " ".join(doc.split("\n\n")[0].split())
    found = re.match(r".*?[.!?](?=\s+[A-Z\"'(]|$)", text)
    said = found.group() if found else text
    said = said if len(said) <= LONGEST_DOC else said[: LONGEST_DOC - 1].rstrip() + "…"
    return said if not said or said.endswith((".", "!", "?", "…")) else said + "."


#: The base classes of messages, timers and commands.
_RECORDS = ("Message", "Timer", "Command", "Request", "Indication", "Record")


def _types(node: ast.ClassDef) -> dict[str, str]:
    """Return the type of each variable or field: its annotation, else the type of its default."""
    found: dict[str, str] = {}
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            found[item.target.id] = ast.unparse(item.annotation).strip("'\"")
        elif isinstance(item, ast.Assign):
            value = item.value
            kind = _name(value.func) if isinstance(value, ast.Call) else type(value).__name__.lower()
            if kind in ("set", "frozenset", "tuple", "list", "dict"):
                found.update({_name(target): kind for target in item.targets})
    return found


def _sets(node: ast.ClassDef) -> set[str]:
    """Return the variables that are sets, by their annotation or by their default."""
    found: set[str] = set()
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            kind = ast.unparse(item.annotation).strip("'\"").partition("[")[0].rpartition(".")[2]
            if kind.lower() in ("set", "frozenset", "abstractset", "mutableset"):
                found.add(item.target.id)
        elif isinstance(item, ast.Assign):
            value = item.value
            is_call = isinstance(value, ast.Call) and _name(value.func) in ("set", "frozenset")
            if is_call or isinstance(value, ast.Set):
                found |= {_name(target) for target in item.targets}
    return found - {""}


def _formula(node: ast.ClassDef) -> str | None:
    for item in node.body:
        if not isinstance(item, ast.Assign) or [_name(target) for target in item.targets] != ["messages"]:
            continue
        if isinstance(item.value, ast.Constant) and isinstance(item.value.value, str):
            return item.value.value
    return None


def _parameters(node: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    """Return the parameters with their literal defaults: ``retries = parameter(5, ...)`` gives ("retries", 5)."""
    for item in node.body:
        if not isinstance(item, ast.Assign | ast.AnnAssign) or not isinstance(item.value, ast.Call):
            continue
        if _name(item.value.func) == "parameter" and item.value.args and isinstance(item.value.args[0], ast.Constant):
            for target in item.targets if isinstance(item, ast.Assign) else [item.target]:
                yield _name(target), item.value.args[0].value


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def formula_text(formula: str) -> str:
    """Return a formula in mathematical notation: ``4*m - 2*n + 2`` becomes ``4m − 2n + 2``."""
    text = formula.replace("**2", "²").replace("**3", "³").replace("**", "^").replace("<=", "≤").replace(">=", "≥")
    out: list[str] = []
    for i, sign in enumerate(text):
        if sign == "*":
            before, after = text[:i].rstrip()[-1:], text[i + 1 :].lstrip()[:1]
            out.append("" if before.isdigit() and (after.isalpha() or after == "(") else "·")
        else:
            out.append("−" if sign == "-" else sign)
    return "".join(out)
