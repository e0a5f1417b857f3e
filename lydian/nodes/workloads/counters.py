"""Workloads with a counter that all processes share: g-counter and pn-counter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from lydian.language import later
from lydian.nodes.history import History, Operation
from lydian.nodes.workloads.workload import Finding, Reply, Requests, Workload, always, at_end

__all__ = ["GCounter", "PNCounter"]

#: The largest number of sums that are computed one by one; of more, only the bounds are known.
_MOST_SUMS = 20_000


class _Counter(Workload):
    """A counter; ``least`` is the smallest number that is added."""

    replies: ClassVar[Mapping[str, Reply]] = {"add": Reply("add_ok"), "read": Reply("read_ok", {"value": int})}
    least: ClassVar[int] = 0

    def request(self, client: str, draw: Random) -> Mapping[str, Any]:
        if draw.random() < 0.5:
            return {"type": "read"}
        return {"type": "add", "delta": draw.randint(self.least, 5)}

    def last(self) -> Requests:
        yield {"type": "read"}

    def check(self, history: History) -> list[Finding]:
        found = [self.served(history)]
        if self.least >= 0:
            found.append(always("no read exceeds the sum of the additions so far", _excess(history)))
        return [*found, _final(history)]


class GCounter(_Counter):
    """A counter that only grows."""

    name = "g-counter"
    title = later("a counter that grows")


class PNCounter(_Counter):
    """A counter that grows and shrinks."""

    name = "pn-counter"
    title = later("a counter that grows and shrinks")
    least = -5


def _excess(history: History) -> Iterator[tuple[int, str]]:
    begun = [(each.start, int(each.body["delta"])) for each in history.of("add") if each.outcome != "fail"]
    for each in history.of("read", outcome="ok"):
        most, value = sum(delta for start, delta in begun if start <= each.end), _value(each)
        if value > most:
            yield each.told, f"{each.process} returned {value}, but at most {most} had been added"


def _final(history: History) -> Finding:
    """Check that each process's last read is the sum of all acknowledged additions, and perhaps of unknown ones."""
    name = "at the end, each process has the sum of all additions"
    known = sum(int(each.body["delta"]) for each in history.of("add", outcome="ok"))
    unknown = [int(each.body["delta"]) for each in history.of("add", outcome="unknown")]
    reads = list(history.of("read", outcome="ok", last=True))
    sums = _sums(unknown)
    low, high = known + sum(min(0, each) for each in unknown), known + sum(max(0, each) for each in unknown)
    wanted = f"{known}" if low == high else f"{known} ({low} to {high} with the additions whose outcome is unknown)"

    def wrong() -> Iterator[str]:
        for each in reads:
            value = _value(each)
            if not low <= value <= high or (sums is not None and value - known not in sums):
                yield f"{each.process} has {value} instead of {wanted}"

    return at_end(name, wrong(), "" if reads else "no process was read at the end")


def _sums(numbers: Sequence[int]) -> set[int] | None:
    """Return the sums of all subsets, or ``None`` if there are too many."""
    found = {0}
    for number in numbers:
        found |= {each + number for each in found}
        if len(found) > _MOST_SUMS:
            return None
    return found


def _value(each: Operation) -> int:
    return int(each.reply["value"]) if each.reply is not None else 0
