"""Signals, by which a plain object announces its changes to any number of others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import MethodType
from typing import Any
from weakref import WeakMethod

__all__ = ["Announcer", "Signal"]


class Signal:
    """A signal; when it is emitted, the connected functions are called in the order in which they were connected.

    A method is held weakly and is dropped with its object. Any other function stays until it is disconnected. An
    exception in one of them is reported by ``sys.excepthook`` and does not prevent calls to the others.
    """

    def __init__(self) -> None:
        self._connected: list[Callable[[], Callable[..., object] | None]] = []

    def connect(self, act: Callable[..., object]) -> Callable[[], None]:
        """Call ``act`` with the arguments of each later emission; return a function that disconnects it."""
        held = WeakMethod(act) if isinstance(act, MethodType) else lambda: act
        self._connected.append(held)

        def disconnect() -> None:
            if held in self._connected:
                self._connected.remove(held)

        return disconnect

    def disconnect(self, act: Callable[..., object]) -> None:
        """Disconnect ``act`` if it is connected."""
        self._connected = [held for held in self._connected if held() not in (None, act)]

    def clear(self) -> None:
        """Disconnect all functions."""
        self._connected = []

    def emit(self, *what: Any) -> None:
        """Call all connected functions with these arguments."""
        for held in tuple(self._connected):
            act = held()
            if act is None:
                self._connected = [each for each in self._connected if each is not held]
            elif held in self._connected:  # an earlier call may have disconnected it
                try:
                    act(*what)
                except Exception:  # noqa: BLE001 - the remaining functions are called whatever happens
                    sys.excepthook(*sys.exc_info())


class Announcer:
    """An object that announces each of its changes without saying which."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []

    def listen(self, callback: Callable[[], None]) -> None:
        """Call a function at each change."""
        self._listeners.append(callback)

    def _tell(self) -> None:
        for callback in self._listeners:
            callback()
