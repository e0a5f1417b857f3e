"""Logical clocks: Lamport's clock of a process, and the longest causal chain that ends there.

Source: L. Lamport, Time, clocks, and the ordering of events in a distributed system, Communications of the ACM 21(7),
1978, pages 558 to 565.
"""

from __future__ import annotations

__all__ = ["Clock"]


class Clock:
    """The logical time of one process.

    Attributes:
        lamport: time of its latest event, larger than the times of all events in the causal past of that one.
        chain: number of messages on the longest causal chain that ends at the process.
    """

    __slots__ = ("chain", "lamport")

    def __init__(self) -> None:
        self.lamport = self.chain = 0

    def tick(self) -> int:
        """The process has an event of its own; return its time."""
        self.lamport = lamport = self.lamport + 1
        return lamport

    def receive(self, lamport: int, chain: int, messages: int = 1) -> None:
        """The process has an event that another one has caused.

        Args:
            lamport, chain: of the cause.
            messages: number of messages between the two events; 0 for a look at a neighbour.
        """
        own = self.lamport
        self.lamport = (own if own > lamport else lamport) + 1
        chain += messages
        if chain > self.chain:
            self.chain = chain
