"""Work in a thread beside the window lets the window in often."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lydian.desk.runs.reading import TURN

__all__ = ["gentle"]

_deep = 0
_usual = 0.005


@contextmanager
def gentle() -> Iterator[None]:
    """While this lasts, a thread that computes gives the interpreter away every half millisecond."""
    global _deep, _usual
    if not _deep:
        _usual = sys.getswitchinterval()
        sys.setswitchinterval(TURN)
    _deep += 1
    try:
        yield
    finally:
        _deep -= 1
        if not _deep:
            sys.setswitchinterval(_usual)
