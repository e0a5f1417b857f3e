"""The operations that the clients of a run carry out: what was asked, when, and with which outcome."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["DEFINITE", "ERRORS", "History", "Operation"]

#: The codes of errors that mean that the operation did not and never will take place (doc/protocol.md of Maelstrom).
DEFINITE = frozenset({1, 10, 11, 12, 14, 20, 21, 22, 30})
#: Code of an error -> its name.
ERRORS = {
    0: "timeout", 1: "node not found", 10: "not supported", 11: "temporarily unavailable", 12: "malformed request",
    13: "crash", 14: "abort", 20: "key does not exist", 21: "key already exists", 22: "precondition failed",
    30: "transaction conflict",
}  # fmt: skip


@dataclass
class Operation:
    """One request of a client and its outcome.

    Attributes:
        client: the client that asks; process: the process that it asks.
        body: the request, without its number.
        start, end: the times of the request and of the reply, in milliseconds; ``end`` is infinite without a reply.
        reply: the body of the reply.
        outcome: ``ok``; ``fail`` if the operation did not take place; ``unknown`` if it may have taken place, or may
            do so later.
        asked, told: the events that sent the request and received the reply; -1 if there is none.
        last: whether it belongs to the end of the run, after the other operations.
    """

    client: str
    process: str
    body: Mapping[str, Any]
    start: float
    end: float = math.inf
    reply: Mapping[str, Any] | None = None
    outcome: str = "unknown"
    asked: int = -1
    told: int = -1
    last: bool = False

    @property
    def type(self) -> str:
        """The type of the request."""
        return str(self.body["type"])

    @property
    def ok(self) -> bool:
        return self.outcome == "ok"

    @property
    def latency(self) -> float:
        return self.end - self.start

    def answered(self, reply: Mapping[str, Any], end: float, told: int) -> None:
        """Take the reply; an error without a code that is known to be definite leaves the outcome open."""
        self.reply, self.told = reply, told
        if reply.get("type") != "error":
            self.outcome, self.end = "ok", end
        elif reply.get("code") in DEFINITE:
            self.outcome, self.end = "fail", end


class History(list[Operation]):
    """All operations of a run, in the order of their requests."""

    def of(self, *types: str, outcome: str | None = None, last: bool | None = None) -> Iterator[Operation]:
        """Yield the operations of some types, with a given outcome, at the end of the run or not."""
        for each in self:
            if each.type in types and outcome in (None, each.outcome) and last in (None, each.last):
                yield each
