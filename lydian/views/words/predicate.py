"""Expressions over the variables of a process, as Python writes them: ``missing == 0 and state == "waiting"``.

The names are the process's variables, ``state``, ``me`` and ``time``.  Only comparing, counting and a few functions
are read, so that an expression can neither change nor call anything.  One that cannot be worked out at some moment,
such as ``None < 3``, is false there.
"""

from __future__ import annotations

import ast
import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.syntax import tree_of
from lydian.trace.details import changes_in, detail_texts
from lydian.trace.events import NO_STATE
from lydian.views.time.axis import remember
from lydian.views.words.effort import GUARDS, guarded
from lydian.views.words.source import read

if TYPE_CHECKING:
    from types import CodeType

    from lydian.trace.timeline import Timeline

__all__ = ["FUNCTIONS", "OWN", "SPACE", "becomes_true", "names_in", "parse"]

#: Names that are no variables.
OWN = ("state", "me", "time")
#: Functions that an expression may call.
FUNCTIONS = {f.__name__: f for f in (abs, all, any, len, max, min, set, sorted, sum)}
#: What an expression finds beside its values.
SPACE: dict[str, Any] = {"__builtins__": {}, **FUNCTIONS, **GUARDS}
#: Longest expression that is read.
LONGEST = 1_000
_READ = (
    ast.Expression, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.Add, ast.Sub, ast.Mod, ast.Mult,
    ast.Div, ast.FloorDiv, ast.Compare, ast.cmpop, ast.Name, ast.Load, ast.Constant, ast.Tuple, ast.List, ast.Set,
    ast.Dict, ast.Subscript, ast.Slice, ast.IfExp,
)  # fmt: skip


@functools.lru_cache(maxsize=256)
def parse(text: str, more: tuple[str, ...] = (), *, lists: bool = False) -> tuple[CodeType, frozenset[str]]:
    """The expression, ready to be worked out, and the names in it.

    Args:
        more: functions that it may call beside :data:`FUNCTIONS`.
        lists: whether it may make lists out of lists, such as ``[i / entries for i in lost]``: one ``for`` each, none
            within another.  Such an expression finds its values among the globals only.

    Raises:
        BadInput: it is none, or does more than compare and count.
    """
    text = text.strip()
    if not text or len(text) > LONGEST:
        raise BadInput(f"an expression has 1 to {LONGEST:,} characters, such as missing == 0")
    try:
        tree = _Dotted().visit(tree_of(text, mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = getattr(error, "offset", None)
        where = f" at character {place}" if place else ""
        raise BadInput(f"{shown(text)} cannot be read{where}; write for example missing == 0") from None
    names = set()
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    made = {id(node) for node in ast.walk(tree) if lists and isinstance(node, ast.ListComp)}
    items = {each for node in ast.walk(tree) if id(node) in made for each in _items(node, text)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            known = (*FUNCTIONS, *more)
            if not isinstance(node.func, ast.Name) or node.func.id not in known or node.keywords:
                raise BadInput(f"{shown(text)} may call only {', '.join(known)}")
            if node.func.id == "sum" and len(node.args) != 1:
                raise BadInput(f"{shown(text)}: sum adds up one list of numbers, such as sum(sizes)")
        elif id(node) in made or id(node) in items or (made and isinstance(node, ast.comprehension | ast.Store)):
            continue
        elif not isinstance(node, _READ):
            raise BadInput(f"{shown(text)} does more than compare and count ({type(node).__name__})")
        elif isinstance(node, ast.Name) and id(node) not in called:
            names.add(node.id)
    return compile(guarded(tree), "<expression>", "eval"), frozenset(names)


def _items(node: ast.AST, text: str) -> set[int]:
    """Where a list made of another one names its items: the ids of these parts of the tree."""
    assert isinstance(node, ast.ListComp)
    inner = [each for each in ast.walk(node) if isinstance(each, ast.ListComp)]
    if len(node.generators) != 1 or node.generators[0].is_async or len(inner) > 1:
        raise BadInput(f"{shown(text)} has one 'for' within another; a list is made of one other list")
    loop = node.generators[0]
    parts = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    given = {part.id for part in parts if isinstance(part, ast.Name)}
    if len(given) < len(parts):
        raise BadInput(f"{shown(text)}: what follows 'for' is a name, or different names with commas between them")
    own = [loop.target, node.elt, *loop.ifs]
    return {id(each) for part in own for each in ast.walk(part) if isinstance(each, ast.Name) and each.id in given}


class _Dotted(ast.NodeTransformer):
    """Makes a name of what a layer's variable is called: ``chord.succ``."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name):
            return ast.copy_location(ast.Name(f"{node.value.id}.{node.attr}", ast.Load()), node)
        return node


def names_in(text: str, timeline: Timeline | None = None) -> frozenset[str]:
    """The names in an expression, which must be known in a run if one is given.

    Raises:
        BadInput: the text is no expression, or the run has no variable of such a name.
    """
    names = parse(text)[1]
    if timeline is not None:
        known = (*timeline.variable_names, *OWN)
        for name in sorted(names):
            if name not in known:
                hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
                raise BadInput(f"no process has a variable {shown(name)}{hint}")
    return names


def becomes_true(timeline: Timeline, text: str) -> NDArray[np.int64]:
    """The events after which an expression holds at their process, and before which it did not, ascending.

    What holds from the start on becomes true at no event.  Worked out once for a run, one look at each event.

    Raises:
        BadInput: the text is no expression, or names a variable that does not exist.
    """
    names_in(text, timeline)
    return remember(timeline, ("becomes true", text), lambda: _becomes_true(timeline, text), of_kind=16)


def _becomes_true(timeline: Timeline, text: str) -> NDArray[np.int64]:
    code, names = parse(text)
    sets = read(timeline.trace.source).sets & names
    start = int(timeline.start_state) if np.ndim(timeline.start_state) == 0 else -1
    values: list[dict[str, Any]] = []
    for index, process in enumerate(timeline.processes):
        known = {name: value for name, (value, _) in timeline.variables(index, 0).items() if name in names}
        state = start if start >= 0 else int(np.asarray(timeline.start_state)[index])
        own = {"me": process, "time": 0.0, "state": timeline.states[state] if state < len(timeline.states) else ""}
        values.append({name: _value(value, name in sets) for name, value in known.items()} | own)
    true = [_holds(code, each) for each in values]
    found = []
    changes = detail_texts(timeline.trace)
    upcoming = next(changes, None)
    timed = "time" in names
    for seq, (process_, state_, when) in enumerate(
        zip(timeline.process.tolist(), timeline.state.tolist(), timeline.time.tolist(), strict=True)
    ):
        changed: Any = None
        if upcoming is not None and upcoming[0] == seq:
            changed = changes_in(timeline.trace, seq, upcoming[1]) or None
            upcoming = next(changes, None)
        if process_ < 0:
            continue
        here, again = values[process_], timed
        here["time"] = when
        if state_ != NO_STATE and here["state"] != timeline.states[state_]:
            here["state"], again = timeline.states[state_], True
        if isinstance(changed, dict):
            for name in changed.keys() & names:
                here[name], again = _value(changed[name], name in sets), True
        if again:
            now = _holds(code, here)
            if now and not true[process_]:
                found.append(seq)
            true[process_] = now
    return np.array(found, dtype=np.int64)


def _value(value: Any, is_set: bool) -> Any:
    """A value of a trace as the protocol has it: a set is written as a list."""
    try:
        return frozenset(value) if is_set and isinstance(value, list) else value
    except TypeError:
        return value


def _holds(code: CodeType, values: dict[str, Any]) -> bool:
    try:
        return bool(eval(code, SPACE, values))  # noqa: S307 - only what parse() let through
    except Exception:  # noqa: BLE001 - a value may be of any type; then nothing holds
        return False
