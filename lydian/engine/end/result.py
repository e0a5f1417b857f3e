"""The result of a run."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from typing import Any

import lydian
from lydian.engine.checks import Judgement
from lydian.model.network import Network
from lydian.trace.events import Trace

__all__ = ["Result", "network_dict", "versions"]


@dataclass(frozen=True)
class Result:
    """The result of one run.

    Attributes:
        stopped: ``quiescent`` (no event left), ``until`` (the given time reached), ``limit`` (too many events),
            ``violation`` (of a property, if the experiment stops there), ``error`` (the protocol failed),
            ``cancelled``.
        time: the time of the last event; ``chain``: the number of messages on the longest causal chain.
        judged_every: the largest number of events between two judgements of the properties.
        error: the failure, as a sentence.
    """

    protocol: str
    network: str
    seed: int
    events: int
    messages: int
    time: float
    chain: int
    stopped: str
    fingerprint: str
    checks: tuple[Judgement, ...]
    measures: dict[str, Any]
    decided: dict[str, Any]
    judged_every: int
    error: str | None
    trace: Trace = field(repr=False)

    @property
    def violated(self) -> tuple[Judgement, ...]:
        return tuple(check for check in self.checks if check.holds is False)

    @property
    def rest(self) -> dict[str, Any]:
        """The state in which the run came to rest: the processes that still wait, and the bounds that were reached."""
        found: dict[str, Any] = self.trace.summary.get("rest") or {}
        return found

    @property
    def nothing(self) -> str | None:
        """A sentence that says why no process took a step; ``None`` if one did."""
        found = self.trace.summary.get("nothing")
        return None if found is None else str(found["why"])

    @property
    def exit_code(self) -> int:
        """The exit code: 0, or 1 if a property is violated or the protocol failed."""
        return 1 if self.violated or self.error is not None else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``lydian run --json`` prints."""
        return {
            "protocol": self.protocol,
            "network": self.network,
            "seed": self.seed,
            "events": self.events,
            "messages": self.messages,
            "time": self.time,
            "chain": self.chain,
            "stopped": self.stopped,
            "fingerprint": self.fingerprint,
            "checks": [check.to_dict() for check in self.checks],
            "measures": self.measures,
            "decided": self.decided,
            "judged_every": self.judged_every,
            "error": self.error,
            **({} if not self.rest else {"rest": self.rest}),
            **({} if self.nothing is None else {"nothing": self.nothing}),
        }


def network_dict(network: Network) -> dict[str, Any]:
    """Return the network as it is stored in a trace."""
    from lydian.model.network.netfile import to_dict

    return to_dict(network)


def versions() -> dict[str, str]:
    """Return the versions of the software that writes a trace."""
    import numpy
    import simpy

    return {
        "lydian": lydian.__version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "simpy": simpy.__version__,
    }
