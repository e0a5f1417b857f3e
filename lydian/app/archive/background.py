"""Background work in threads that leaves the window responsive."""

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
    """Let a computing thread release the interpreter every half millisecond within a ``with`` block."""
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
