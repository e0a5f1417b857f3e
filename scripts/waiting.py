"""Waiting for a window that works in the same process."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEventLoop, QTimer

__all__ = ["until", "wait"]


def wait(milliseconds: int) -> None:
    """Let the window work for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until(condition: Callable[[], object], seconds: int = 20) -> None:
    """Let the window work until a condition holds."""
    for _ in range(seconds * 20):
        if condition():
            return
        wait(50)
    raise SystemExit("a picture was not ready in time")
