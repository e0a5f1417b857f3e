"""What a failing line of a protocol has to do with: the variables it uses, the lines that change them, plain words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

__all__ = ["changing_line", "plain_words", "used_variables"]

#: Methods that change what they are called on.
CHANGING = frozenset((
    "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "insert", "intersection_update",
    "pop", "popitem", "popleft", "remove", "reverse", "setdefault", "sort", "update",
))  # fmt: skip


@lru_cache(maxsize=8)
def _tree(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def used_variables(source: str, line: int) -> frozenset[str]:
    """The names ``x`` of ``self.x`` in the statement that stands in a line; calls of other methods are left out."""
    statement = _statement(source, line)
    if statement is None:
        return frozenset()
    called = {id(part.func) for part in ast.walk(statement) if isinstance(part, ast.Call)}
    return frozenset(
        part.attr
        for part in ast.walk(statement)
        if _is_own(part) and id(part) not in called and isinstance(part, ast.Attribute)
    )


def _is_own(part: ast.AST) -> bool:
    return isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self"


def _statement(source: str, line: int) -> ast.AST | None:
    """The innermost statement that stands in a line; of a block only its head."""
    tree = _tree(source)
    best: ast.AST | None = None
    for part in ast.walk(tree) if tree is not None else ():
        if isinstance(part, ast.stmt) and part.lineno <= line <= (part.end_lineno or part.lineno):
            best = part if best is None or part.lineno >= getattr(best, "lineno", 0) else best
    if isinstance(best, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return None
    for field in ("test", "iter", "subject"):
        head = getattr(best, field, None)
        if isinstance(head, ast.AST) and isinstance(best, ast.If | ast.While | ast.For | ast.Match):
            return head
    return best


def changing_line(source: str, function: str, line: int, name: str) -> int:
    """The first line of a function (at ``line``), or of the methods it calls, that changes ``self.name``; 0 if none."""
    tree = _tree(source)
    if tree is None:
        return 0
    functions: dict[str, ast.FunctionDef] = {}
    start: ast.FunctionDef | None = None
    for part in ast.walk(tree):
        if isinstance(part, ast.FunctionDef):
            functions.setdefault(part.name, part)
            if part.name == function and part.lineno == line:
                start = part
    return 0 if start is None else next(_changes(start, functions, name, {start.name}), 0)


def _changes(
    node: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef], name: str, seen: set[str]
) -> Iterator[int]:
    yield from sorted(set(_own_changes(node, name)))
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and _is_own(part.func) and isinstance(part.func, ast.Attribute):
            inner = functions.get(part.func.attr)
            if inner is not None and inner.name not in seen:
                seen.add(inner.name)
                yield from _changes(inner, functions, name, seen)


def _own_changes(node: ast.AST, name: str) -> Iterator[int]:
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            targets: list[ast.expr] = part.targets
        elif isinstance(part, ast.AugAssign | ast.AnnAssign | ast.For):
            targets = [part.target]
        elif isinstance(part, ast.Delete):
            targets = part.targets
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING:
            targets = [part.func.value]
        else:
            continue
        for target in targets:
            if any(_is_own(each) and getattr(each, "attr", "") == name for each in ast.walk(target)):
                yield part.lineno


def plain_words(message: str, source: str, line: int | None, values: Mapping[str, str]) -> str:
    """Python's message in the words of the protocol, without a full stop; as it is where there are no better ones.

    Args:
        message: ``KeyError: '3'``.
        line: where it was raised.
        values: the variables of the process as texts.
    """
    kind, colon, text = message.partition(": ")
    if not colon or not kind.isidentifier():
        return message.rstrip(".")
    statement = None if line is None else _statement(source, line)
    owner = _owner(statement)
    whose = f"{owner}" if owner else "what it looks in"
    what = text.strip("'\"")
    if kind == "KeyError":
        return f"{what} is not in {whose}" if owner else f"{what} is not in {whose} (KeyError)"
    if kind == "ValueError" and ("not in list" in text or "not in deque" in text or "not in tuple" in text):
        return f"what it takes out of {whose} is not in it"
    if kind == "IndexError":
        if "empty" in text or values.get(owner) == "empty":
            return f"it takes something out of {whose}, which is empty"
        return f"{whose} has no entry at that place"
    if kind == "ZeroDivisionError":
        return "it divides by 0"
    if found := re.search(r"'NoneType' object has no attribute '(\w+)'", text):
        return f"it asks for .{found[1]} of something that is None"
    if kind == "TypeError" and "NoneType" in text:
        return f"it works with a value that is None ({text})"
    if kind == "NameError" and (found := re.search(r"name '(\w+)' is not defined", text)):
        return f"there is nothing called {found[1]}; a variable of the process is self.{found[1]}"
    if kind == "AssertionError":
        return f"what it asserts does not hold: {text}" if text else "what it asserts does not hold"
    return message.rstrip(".")


def _owner(statement: ast.AST | None) -> str:
    """``pending`` of ``self.pending.remove(q)`` and of ``self.pending[q]``: what a statement looks something up in."""
    if statement is None:
        return ""
    for part in ast.walk(statement):
        value: ast.AST | None = None
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING:
            value = part.func.value
        elif isinstance(part, ast.Subscript):
            value = part.value
        if isinstance(value, ast.Attribute) and _is_own(value):
            return value.attr
        if isinstance(value, ast.Name):
            return value.id
    return ""
