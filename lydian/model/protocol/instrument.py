"""Preparation of a protocol's text for running: checks at run time of code that could go wrong unnoticed.

The text is changed as a syntax tree, and line numbers are kept. The following are checked:

* iterating over a set, whose order may differ from run to run (``for q in self.waiting``, ``list(s)``, ``s.pop()``),
  unless the order cannot matter (``sum(... for q in s)``, a loop that only adds up);
* assigning to an attribute of something other than the action's own process;
* assigning to what a process is given (``self.me``);
* reading what belongs to the simulator (``self._links``).

In texts made from sets (``f"{self.waiting}"``, ``str(s)``), the items are in order. Expressions that cannot be sets
(``self.neighbours``, ``range(...)``, ``sorted(...)``) are not changed, so that ordinary actions run as fast as before.
"""

from __future__ import annotations

import ast
import sys
from typing import Any

from lydian.model.protocol.guards import refuse
from lydian.model.protocol.layers import Layer, layer_name
from lydian.model.protocol.process import Process
from lydian.model.protocol.program import steps_of

__all__ = ["WORDS", "instrument"]

_LAYERED = ("_asked", "_declared", "_layers", "_level", "_process")
_PRIVATE = frozenset((*_LAYERED, *(name for name in Process.__slots__ if name.startswith("_"))))
#: What every process is given, and only the simulator may set; properties of a class refuse assignments by themselves.
_GIVEN = frozenset({"me", "neighbours"})
#: Calls that accept a set in any order.
_ORDERLESS = frozenset({"sorted", "set", "frozenset", "sum", "len", "min", "max", "any", "all", "bool", "isinstance"})
#: Calls whose result has the order of their argument.
_ORDERED = frozenset({"list", "tuple", "iter", "enumerate", "zip", "map", "filter"})
#: Methods that use the order of their argument.
_TAKES_ORDER = frozenset({"join", "extend", "extendleft", "fromkeys"})
#: Calls that never return a set.
_NO_SET = _ORDERED | {"sorted", "range", "reversed", "dict", "str", "repr"}
#: Methods with which a loop only collects, in any order.
_COLLECTS = frozenset({"add", "discard", "remove", "update", "difference_update", "intersection_update"})
_JUDGES = ("always", "eventually", "at_end", "measure", "need")


def instrument(tree: ast.Module) -> ast.Module:
    """Return the tree with calls of :data:`WORDS` at the places to be checked."""
    for each in tree.body:
        if isinstance(each, ast.ClassDef):
            for part in each.body:
                _Looks(_first(part)).visit(part)
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _Looks("", orders=not _judges(each)).visit(each)
    return ast.fix_missing_locations(tree)


def _first(part: ast.stmt) -> str:
    if isinstance(part, ast.FunctionDef) and part.args.args:
        return part.args.args[0].arg
    return ""


def _judges(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = [each.func if isinstance(each, ast.Call) else each for each in function.decorator_list]
    return any(isinstance(each, ast.Name) and each.id in _JUDGES for each in names)


class _Looks(ast.NodeTransformer):
    """A transformer that changes one function.

    Args:
        me: the name of its own process in it, or "" if it has none.
        orders: whether the order in which it iterates over a set matters.
    """

    def __init__(self, me: str, orders: bool = True) -> None:
        self.me = me
        self.orders = orders

    # ------------------------------------------------------------------ order

    def _ordered(self, node: ast.expr) -> ast.expr:
        if not self.orders or isinstance(node, ast.Starred) or self._no_set(node):
            return node
        return _call("__lydian_ordered__", node, ast.Constant(ast.unparse(node)[:60]))

    def _no_set(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr in ("neighbours", "processes", "in_transit")
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                return node.func.id in _NO_SET
            return isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "values", "keys", "split")
        return isinstance(
            node, (ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.Constant)
        )

    def visit_For(self, node: ast.For) -> Any:
        matters = not all(_collects(each) for each in (*node.body, *node.orelse))
        self.generic_visit(node)
        if matters:
            node.iter = self._ordered(node.iter)
        return node

    def _comprehension(self, node: Any) -> Any:
        self.generic_visit(node)
        for each in node.generators:
            each.iter = self._ordered(each.iter)
        return node

    visit_ListComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    def visit_Starred(self, node: ast.Starred) -> Any:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = self._ordered(node.value)
        return node

    def visit_Set(self, node: ast.Set) -> Any:
        node.elts = [self._any_order(each) for each in node.elts]
        return node

    def _any_order(self, node: ast.expr) -> Any:
        """Visit an argument whose order does not matter, without adding checks of the order."""
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            before, self.orders = self.orders, False
            for each in node.generators:
                each.iter = self.visit(each.iter)
            self.orders = before
            for part in (node, *node.generators):
                for name in ("elt", "ifs"):
                    value = getattr(part, name, None)
                    if isinstance(value, list):
                        setattr(part, name, [self.visit(each) for each in value])
                    elif value is not None:
                        setattr(part, name, self.visit(value))
            return node
        if isinstance(node, ast.Starred):
            node.value = self.visit(node.value)
            return node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple"):
            node.args = [self._any_order(each) for each in node.args]
            return node
        return self.visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _ORDERLESS:
            keyed = name in ("min", "max") and any(each.arg == "key" for each in node.keywords)
            node.args = [self.visit(each) if keyed else self._any_order(each) for each in node.args]
            node.keywords = [self.visit(each) for each in node.keywords]
            if keyed and len(node.args) == 1:  # of equal items, the first is chosen
                node.args = [self._ordered(node.args[0])]
            return node
        self.generic_visit(node)
        if name in _ORDERED:
            first = 1 if name in ("map", "filter") else 0
            node.args = [self._ordered(each) if at >= first else each for at, each in enumerate(node.args)]
        elif name in ("str", "repr") and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            node.args = [_call("__lydian_told__", node.args[0])]
        elif isinstance(node.func, ast.Attribute):
            if node.func.attr in _TAKES_ORDER and len(node.args) >= 1:
                node.args[0] = self._ordered(node.args[0])
            elif node.func.attr == "pop" and not node.args and not node.keywords and self.orders:
                text = ast.Constant(ast.unparse(node.func.value)[:60])
                node.func.value = _call("__lydian_popped__", node.func.value, text)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        self.generic_visit(node)
        if not isinstance(node.value, ast.Constant):
            node.value = _call("__lydian_told__", node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        if any(isinstance(each, (ast.Tuple, ast.List)) for each in node.targets):
            node.value = self._ordered(node.value)
        return node

    # ------------------------------------------------------------------ ownership

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if node.attr in _PRIVATE:
            node.value = _call("__lydian_private__", node.value, ast.Constant(node.attr))
        elif not isinstance(node.ctx, ast.Load):
            if not (isinstance(node.value, ast.Name) and node.value.id == self.me):
                node.value = _call("__lydian_own__", node.value, ast.Constant(node.attr))
            elif node.attr in _GIVEN:
                node.value = _call("__lydian_given__", node.value, ast.Constant(f"{self.me}.{node.attr}"))
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node


def _collects(node: ast.stmt) -> bool:
    """Return True if a statement has the same effect in whatever order its loop runs."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, (ast.Add, ast.BitOr, ast.BitAnd, ast.BitXor)) and _counts(node.value)
    if isinstance(node, ast.If):
        return all(_collects(each) for each in (*node.body, *node.orelse))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        return node.value.func.attr in _COLLECTS
    return isinstance(node, (ast.Pass, ast.Continue))


def _counts(node: ast.expr) -> bool:
    """Return True if the sum is the same in any order, which is not so for lists."""
    return not isinstance(node, (ast.List, ast.Tuple, ast.ListComp, ast.JoinedStr)) and not (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    call = ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
    return ast.copy_location(call, arguments[0])


# ---------------------------------------------------------------------- functions that the changed text calls


def _settled(value: Any) -> bool:
    """Return True if a value has the same position in the order of a set in every run."""
    kind = type(value)
    return kind in (int, bool, float) or (kind is tuple and all(_settled(each) for each in value))


def _ordered(value: Any, text: str) -> Any:
    if isinstance(value, (set, frozenset)) and len(value) > 1 and not all(_settled(each) for each in value):
        raise refuse(
            f"it iterates over a set, whose order may differ from run to run; iterate over sorted({text}) instead"
        )
    return value


def _popped(value: Any, text: str) -> Any:
    if isinstance(value, set) and len(value) > 1 and not all(_settled(each) for each in value):
        raise refuse(f"which item pop() removes from a set may differ from run to run; take min({text}) and remove it")
    return value


class _Told:
    """A set that is written in order in a text."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __str__(self) -> str:
        inside = ", ".join(sorted(repr(each) for each in self.value))
        name = "" if type(self.value) is set else type(self.value).__name__
        return f"{name}({{{inside}}})" if name else f"{{{inside}}}"

    __repr__ = __str__

    def __format__(self, how: str) -> str:
        return format(str(self), how)


def _told(value: Any) -> Any:
    return _Told(value) if isinstance(value, (set, frozenset)) and len(value) > 1 else value


def _own(value: Any, name: str) -> Any:
    if isinstance(value, type) and issubclass(value, (Process, Layer)):
        raise refuse(f"it changes '{name}' of all processes at once; a process changes only its own: self.{name}")
    if not isinstance(value, (Process, Layer)):
        return value
    acting = _acting()
    if acting is value:
        return value
    if isinstance(value, Layer) and acting is not None:
        what = f"it changes '{name}' of the layer {layer_name(type(value))}"
        raise refuse(f"{what}; layers change only their own variables: ask it, or tell it")
    whose = f"process {value._name}"
    if acting is None:
        raise refuse(f"it changes '{name}' of {whose}; a property must only read a configuration")
    raise refuse(f"it changes '{name}' of {whose}; a process changes only its own variables: send it a message")


def _given(value: Any, text: str) -> Any:
    if isinstance(value, (Process, Layer)):
        raise refuse(f"{text} is given to a process; it cannot be changed")
    return value


def _acting() -> Process | Layer | None:
    """Return the process whose action is running, from the outermost function of the protocol's file."""
    frame: Any = sys._getframe(2)
    file, found = frame.f_code.co_filename, None
    while frame is not None and "__lydian_own__" in frame.f_builtins:
        if frame.f_code.co_filename == file:
            code = frame.f_code
            first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
            found = first if isinstance(first, (Process, Layer)) else None
        frame = frame.f_back
    return found


def _private(value: Any, name: str) -> Any:
    if isinstance(value, (Process, Layer, type)) and hasattr(value, name):
        raise refuse(
            f"'{name}' belongs to the simulator; a process knows only itself, its neighbours' names and messages"
        )
    return value


#: The names that :func:`instrument` writes into a text, for the builtins with which it is executed.
WORDS = {
    "__lydian_steps__": steps_of,
    "__lydian_ordered__": _ordered,
    "__lydian_popped__": _popped,
    "__lydian_told__": _told,
    "__lydian_own__": _own,
    "__lydian_given__": _given,
    "__lydian_private__": _private,
}
