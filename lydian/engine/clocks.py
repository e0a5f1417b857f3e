"""Logical clocks: the Lamport clock of a process, and the longest causal chain that ends there.

Source: L. Lamport, Time, clocks, and the ordering of events in a distributed system, Communications of the ACM 21(7),
1978, pages 558 to 565.
"""

from __future__ import annotations

__all__ = ["Clock"]


class Clock:
    """The logical time of one process.

    Attributes:
        lamport: the time of its latest event, larger than the times of all events in that event's causal past.
        chain: the number of messages on the longest causal chain that ends at the process.
    """

    __slots__ = ("chain", "lamport")

    def __init__(self) -> None:
        self.lamport = self.chain = 0

    def tick(self) -> int:
        """Advance the clock for a local event; return the time of the event."""
        self.lamport = lamport = self.lamport + 1
        return lamport

    def receive(self, lamport: int, chain: int, messages: int = 1) -> None:
        """Advance the clock for an event that another event has caused.

        Args:
            lamport, chain: the clock of the cause.
            messages: the number of messages between the two events; 0 if a neighbour's register was read.
        """
        own = self.lamport
        self.lamport = (own if own > lamport else lamport) + 1
        chain += messages
        if chain > self.chain:
            self.chain = chain
