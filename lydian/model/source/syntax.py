"""Python text as a tree, in any thread.

Python before 3.11.8 and 3.12.2 counts in one place for all trees how deep it is in the one that it builds.  Where it
collects garbage meanwhile, and something that is thrown away lets another thread, or itself, build a tree, the count is
wrong and a right text is refused: "AST constructor recursion depth mismatch" (CPython issue 106905).  Here one tree is
built at a time, and no garbage is collected until it is done.
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
    """The syntax tree of a text.

    Args:
        source: the text of a file, or of one expression.
        file: what errors call it.
        mode: ``"eval"`` for one expression.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it has none, as :func:`ast.parse` says.
    """
    with _one:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return ast.parse(source, file, mode)
        finally:
            if collecting:
                gc.enable()
