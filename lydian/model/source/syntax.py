"""A parser of Python text that can be used in any thread.

Python before 3.11.8 and 3.12.2 counts the depth of the tree that it builds in one place for all threads. If garbage is
collected meanwhile, and an object that is deleted lets another thread, or the same one, build a tree, the count is
wrong and a correct text is refused: "AST constructor recursion depth mismatch" (CPython issue 106905). Here, one tree
is built at a time, and no garbage is collected until it is complete.
"""

from __future__ import annotations

import ast
import gc
import threading
from typing import Any, Literal, overload

__all__ = ["tree_of"]

_one = threading.RLock()


@overload
def tree_of(source: str, file: str = ..., *, mode: Literal["eval"]) -> ast.Expression: ...
@overload
def tree_of(source: str, file: str = ...) -> ast.Module: ...
def tree_of(source: str, file: str = "<unknown>", *, mode: str = "exec") -> Any:
    """Return the syntax tree of a text.

    Args:
        source: the text of a file, or of one expression.
        file: its name in errors.
        mode: ``"eval"`` for one expression.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: the text cannot be parsed, as for :func:`ast.parse`.
    """
    with _one:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return ast.parse(source, file, mode)
        finally:
            if collecting:
                gc.enable()
