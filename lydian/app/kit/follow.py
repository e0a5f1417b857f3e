"""How a widget hears the plain objects of the desk."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from lydian.desk.signal import Signal

__all__ = ["follow"]


def follow(owner: QObject, signal: Signal, act: Callable[..., object]) -> None:
    """Connect a function until its owner is destroyed: a plain signal does not know that by itself."""
    owner.destroyed.connect(signal.connect(act))
