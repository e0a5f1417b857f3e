"""A lock that the system releases when the program ends in whatever way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLockFile

__all__ = ["take"]


def take(file: Path) -> Callable[[], object] | None:
    """Take a lock with a file and return what releases it; ``None`` if a program that runs has it."""
    lock = QLockFile(str(file))
    lock.setStaleLockTime(0)  # it is stale when its process has ended, however long that takes
    return lock.unlock if lock.tryLock(0) else None
