"""Workloads in which values are added to a set that all processes share: broadcast and g-set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar

from lydian.language import later
from lydian.model.history.linearizable import same
from lydian.nodes.history import History, Operation
from lydian.nodes.workloads.workload import Finding, Reply, Requests, Workload, always, at_end, plainly

__all__ = ["Broadcast", "GSet"]


class _Set(Workload):
    """A set that grows.

    Attributes:
        add: the type of the request that adds a value; value: its field with the value.
        values: the field of the reply to ``read`` with all values.
    """

    add: ClassVar[str]
    value: ClassVar[str]
    values: ClassVar[str]

    def request(self, client: str, draw: Random) -> Mapping[str, Any]:
        if draw.random() < 0.5:
            return {"type": "read"}
        return {"type": self.add, self.value: self.fresh(client)}

    def last(self) -> Requests:
        yield {"type": "read"}

    def check(self, history: History) -> list[Finding]:
        return [
            self.served(history),
            always("reads contain only values that were added", self._invented(history)),
            always("no read contains a value twice", self._doubled(history)),
            self._complete(history),
        ]

    def _read(self, each: Operation) -> list[Any]:
        return list(each.reply[self.values]) if each.reply is not None else []

    def _invented(self, history: History) -> Iterator[tuple[int, str]]:
        begun = {same(each.body[self.value]): each.start for each in history.of(self.add)}
        for each in history.of("read", outcome="ok"):
            wrong = [value for value in self._read(each) if begun.get(same(value), each.end + 1) > each.end]
            if wrong:
                yield each.told, f"{each.process} returned {plainly(wrong)} before any client added it"

    def _doubled(self, history: History) -> Iterator[tuple[int, str]]:
        for each in history.of("read", outcome="ok"):
            found = self._read(each)
            count = Counter(map(same, found))
            wrong = [value for value in found if count[same(value)] > 1]
            if wrong:
                yield each.told, f"{each.process} returned {plainly(wrong[:1])} {count[same(wrong[0])]} times in a read"

    def _complete(self, history: History) -> Finding:
        name = "at the end, each process has all values that were acknowledged"
        added = [each.body[self.value] for each in history.of(self.add, outcome="ok")]
        reads = list(history.of("read", outcome="ok", last=True))

        def missing() -> Iterator[str]:
            for each in reads:
                there = set(map(same, self._read(each)))
                absent = [value for value in added if same(value) not in there]
                if absent:
                    yield f"{each.process} does not have {plainly(absent)}"

        return at_end(name, missing(), "" if reads and added else "nothing was added or read at the end")

    def measure(self, history: History) -> dict[str, float]:
        """Return how long after its acknowledgement a value could be missing from some process's read."""
        reads = sorted(history.of("read", outcome="ok"), key=lambda each: each.start)
        contents = [(each, set(map(same, self._read(each)))) for each in reads]
        longest = []
        for each in history.of(self.add, outcome="ok"):
            value = same(each.body[self.value])
            late = [read.start - each.end for read, there in contents if read.start > each.end and value not in there]
            longest.append(max(late, default=0.0))
        return {"longest time to appear (ms)": round(max(longest), 3)} if longest else {}


class Broadcast(_Set):
    """Values that one process receives reach all of them; each process is told its neighbours."""

    name = "broadcast"
    title = later("values reach all processes")
    replies: ClassVar[Mapping[str, Reply]] = {
        "topology": Reply("topology_ok"), "broadcast": Reply("broadcast_ok"),
        "read": Reply("read_ok", {"messages": list}),
    }  # fmt: skip
    topology = True
    add, value, values = "broadcast", "message", "messages"


class GSet(_Set):
    """A set to which elements are added and from which none is removed."""

    name = "g-set"
    title = later("a set that grows")
    replies: ClassVar[Mapping[str, Reply]] = {"add": Reply("add_ok"), "read": Reply("read_ok", {"value": list})}
    add, value, values = "add", "element", "value"
