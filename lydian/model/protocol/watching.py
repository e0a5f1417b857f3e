"""Failure detection by broken connections: a process that watches another is informed some time after its crash."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lydian.model.errors import shown
from lydian.model.protocol.effects import WATCH
from lydian.model.protocol.message import Timer, hashed
from lydian.model.protocol.properties import need

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["Watcher", "detector"]


@need("detector", "a process that watches another is notified if that process crashes, and only then")
def detector(network: Network) -> str | None:
    return "the network is anonymous; give the processes their names" if network.anonymous else None


class Watcher:
    """The base of classes that can watch other processes."""

    __slots__ = ()
    _effects: list[tuple[Any, Any]]

    def watch(self, process: Any, then: Timer, after: float) -> None:
        """Let the timer ``then`` expire ``after`` units after the crash of ``process``, or from now if it has already
        crashed.

        This models a broken connection: the news is never wrong but takes some time. Watching again with an equal timer
        changes nothing; ``cancel_timer(then)`` ends it. Only with ``needs = detector``.
        """
        if not isinstance(then, Timer):
            raise TypeError(f"watch needs a timer such as Crashed(q), not {shown(then)}")
        if not then._flat:
            hashed(then)
        if not (isinstance(after, (int, float)) and 0 <= after < float("inf")):
            raise ValueError(f"the time until a crash is noticed must be at least 0, not {shown(after)}")
        self._effects.append((WATCH, (process, then, float(after))))
