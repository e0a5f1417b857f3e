"""A lock that the system releases however the program ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLockFile

__all__ = ["take"]


def take(file: Path) -> Callable[[], object] | None:
    """Lock a file and return a function that releases it, or ``None`` if a running program holds the lock."""
    lock = QLockFile(str(file))
    lock.setStaleLockTime(0)  # the lock is stale when its process has ended, however old it is
    return lock.unlock if lock.tryLock(0) else None
