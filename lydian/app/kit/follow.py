"""The connection of a widget to the plain objects of the desk."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from lydian.desk.signal import Signal

__all__ = ["follow"]


def follow(owner: QObject, signal: Signal, act: Callable[..., object]) -> None:
    """Connect a function until its owner is destroyed, which a plain signal cannot notice by itself."""
    owner.destroyed.connect(signal.connect(act))
