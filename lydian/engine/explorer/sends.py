"""What the processes of a search may still send, which grows as the search learns."""

from __future__ import annotations

__all__ = ["Sends"]


class Sends:
    """The processes to which each process may still send messages, as far as its situations are known.

    Attributes:
        may: process -> situation -> the processes to which it may send from there on, as the bits of a number.
        version: a number that grows whenever one of these sets grows.
    """

    def __init__(self, n: int) -> None:
        self.may: list[dict[int, int]] = [{} for _ in range(n)]
        self.version = 0
        self._before: list[dict[int, set[int]]] = [{} for _ in range(n)]

    def learn(self, i: int, situation: int, after: int, to: int) -> None:
        """Record an event at process i: the situations before and after it, and the receivers of its messages."""
        if situation != after:
            self._before[i].setdefault(after, set()).add(situation)
        may = self.may[i]
        to |= may.get(after, 0)
        if not to & ~may.get(situation, 0):
            return
        self.version += 1
        may[situation] = may.get(situation, 0) | to
        todo = [situation]
        while todo:
            here = todo.pop()
            for earlier in self._before[i].get(here, ()):
                if may[here] & ~may.get(earlier, 0):
                    may[earlier] = may.get(earlier, 0) | may[here]
                    todo.append(earlier)
