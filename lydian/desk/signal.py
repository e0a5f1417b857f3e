"""How a plain object tells its changes to any number of others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import MethodType
from typing import Any
from weakref import WeakMethod

__all__ = ["Signal"]


class Signal:
    """Something that happens; each connected function is called, in the order in which they were connected.

    A method is held weakly: it ends with its object.  Any other function stays until it is disconnected.  An exception
    in one of them is reported by ``sys.excepthook`` and does not keep the others from being called.
    """

    def __init__(self) -> None:
        self._connected: list[Callable[[], Callable[..., object] | None]] = []

    def connect(self, act: Callable[..., object]) -> Callable[[], None]:
        """Call ``act`` from now on with what is emitted; returns what disconnects it."""
        held = WeakMethod(act) if isinstance(act, MethodType) else lambda: act
        self._connected.append(held)

        def disconnect() -> None:
            if held in self._connected:
                self._connected.remove(held)

        return disconnect

    def disconnect(self, act: Callable[..., object]) -> None:
        """Do not call ``act`` any more, if it is connected."""
        self._connected = [held for held in self._connected if held() not in (None, act)]

    def clear(self) -> None:
        """Call nothing any more."""
        self._connected = []

    def emit(self, *what: Any) -> None:
        """Call everything that is connected."""
        for held in tuple(self._connected):
            act = held()
            if act is None:
                self._connected = [each for each in self._connected if each is not held]
            elif held in self._connected:  # one of the others may have disconnected it
                try:
                    act(*what)
                except Exception:  # noqa: BLE001 - whatever it is, the others are told as well
                    sys.excepthook(*sys.exc_info())
