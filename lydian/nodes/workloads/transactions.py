"""The workload of transactions that read lists and append to them, and the search for cycles of dependencies.

Each value is appended to a list once, so the longest list that was read shows the order of the appends, and each
shorter list shows what the transaction that read it had seen. If the transactions that depend on each other form a
cycle, no serial order explains the results.

A. Adya, "Weak consistency: a generalized theory and optimistic implementations for distributed transactions", PhD
thesis, MIT, 1999; K. Kingsbury and P. Alvaro, "Elle: inferring isolation anomalies from experimental observations",
PVLDB 14(3), 2020.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from lydian.language import later
from lydian.model.errors import shown
from lydian.model.history.linearizable import same
from lydian.nodes.history import History, Operation
from lydian.nodes.workloads.workload import Finding, Reply, Workload, always

__all__ = ["TxnListAppend"]

_KEYS, _PER_KEY, _LONGEST = 4, 40, 4


class TxnListAppend(Workload):
    """Transactions over lists: ``["r", key, null]`` reads a list, ``["append", key, value]`` appends to it."""

    name = "txn-list-append"
    title = later("strictly serializable transactions")
    replies: ClassVar[Mapping[str, Reply]] = {"txn": Reply("txn_ok", {"txn": list})}

    def request(self, client: str, draw: Random) -> Mapping[str, Any]:
        steps: list[list[Any]] = []
        for _ in range(draw.randint(1, _LONGEST)):
            value = self.fresh(client)
            key = value // (_KEYS * _PER_KEY) * _KEYS + draw.randrange(_KEYS)
            steps.append(["r", key, None] if draw.random() < 0.5 else ["append", key, value])
        return {"type": "txn", "txn": steps}

    def check(self, history: History) -> list[Finding]:
        malformed = [(each.told, why) for each in history.of("txn", outcome="ok") if (why := _malformed(each))]
        found = [self.served(history), always("each reply completes its transaction", malformed)]
        if malformed:
            return found
        seen = _Seen(history)
        found += [
            always("reads contain only values that were appended, each once", seen.invented()),
            always("each transaction sees its own appends", seen.forgotten()),
            always("all reads of a list agree on its order", seen.disagreements()),
        ]
        if any(each.holds is False for each in found):
            return found
        return [
            *found,
            always("the transactions are serializable", seen.cycles(real_time=False)),
            always("they are serializable in the order of real time", seen.cycles(real_time=True)),
        ]


def _malformed(each: Operation) -> str:
    asked, given = each.body["txn"], (each.reply or {})["txn"]
    if len(given) != len(asked):
        return f"{each.process} returned {len(given)} of {len(asked)} steps"
    for want, have in zip(asked, given, strict=True):
        good = isinstance(have, list) and len(have) == 3 and have[:2] == want[:2]
        if not good or (want[0] == "append" and have[2] != want[2]):
            return f"{each.process} returned {shown(have)} for {shown(want)}"
        if want[0] == "r" and not (have[2] is None or isinstance(have[2], list)):
            return f"{each.process} read {shown(have[2])}, which must be a list or null"
    return ""


@dataclass(eq=False)
class _Txn:
    """A transaction that took place; the lists that it read, without its own appends."""

    number: int
    operation: Operation
    reads: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{shown(self.operation.body['txn'], 40)} at {self.operation.process}"


class _Seen:
    """What the transactions saw."""

    def __init__(self, history: History) -> None:
        self.writers: dict[tuple[str, str], Operation] = {}  # key, value -> the transaction that appends it
        operations = list(history.of("txn"))
        for each in operations:
            for do, key, value in each.body["txn"]:
                if do == "append":
                    self.writers[same(key), same(value)] = each
        self.operations = operations
        self.txns: list[_Txn] = []
        self._own: list[tuple[int, str]] = []
        for each in operations:
            if each.outcome != "fail":
                self.txns.append(self._txn(each))
        self.of = {id(txn.operation): txn for txn in self.txns}
        self.longest: dict[str, tuple[str, ...]] = {}
        for txn in self.txns:
            for key, values in txn.reads:
                if len(values) > len(self.longest.get(key, ())):
                    self.longest[key] = values

    def _txn(self, each: Operation) -> _Txn:
        txn = _Txn(len(self.txns), each)
        own: dict[str, tuple[str, ...]] = defaultdict(tuple)
        for do, key, value in (each.reply or {}).get("txn", ()) if each.ok else ():
            name = same(key)
            if do == "append":
                own[name] += (same(value),)
                continue
            values, mine = tuple(map(same, value or ())), own[name]
            if mine and values[len(values) - len(mine) :] != mine:
                self._own.append((each.told, f"{txn.name} appended to list {name} and then read {shown(value)}"))
            txn.reads.append((name, values[: len(values) - len(mine)] if mine else values))
        return txn

    def forgotten(self) -> list[tuple[int, str]]:
        return self._own

    def invented(self) -> Iterator[tuple[int, str]]:
        for txn in self.txns:
            for key, values in txn.reads:
                for value in values:
                    writer = self.writers.get((key, value))
                    if writer is None or writer.start > txn.operation.end:
                        yield txn.operation.told, f"{txn.name} read {value} in list {key} before it was appended"
                    elif writer.outcome == "fail":
                        yield txn.operation.told, f"{txn.name} read {value} in list {key}, whose append had failed"
                if len(set(values)) < len(values):
                    yield txn.operation.told, f"{txn.name} read a value of list {key} twice"

    def disagreements(self) -> Iterator[tuple[int, str]]:
        for txn in self.txns:
            for key, values in txn.reads:
                if self.longest.get(key, ())[: len(values)] != values:
                    text = f"{txn.name} read list {key} as {', '.join(values)}"
                    yield txn.operation.told, f"{text}, another transaction as {', '.join(self.longest[key])}"

    def cycles(self, *, real_time: bool) -> Iterator[tuple[int, str]]:
        """Yield a cycle of each set of transactions that depend on each other."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_edges_from(self._dependencies())
        if real_time:
            graph.add_edges_from(self._later())
        for group in nx.strongly_connected_components(graph):
            if len(group) > 1:
                part = graph.subgraph(group)
                cycle = [edge[0] for edge in nx.find_cycle(part)]
                some = [self.txns[number] for number in cycle if number >= 0]
                names = ", then ".join(txn.name for txn in some)
                at = max(txn.operation.told for txn in some)
                yield at, f"each of these must precede the next, in a cycle: {names}"

    def _dependencies(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of transactions of which the first must precede the second."""
        after: dict[str, list[_Txn]] = defaultdict(list)  # acknowledged appends that no read shows: they come last
        for (key, value), each in self.writers.items():
            if each.ok and value not in self.longest.get(key, ()):
                after[key].append(self.of[id(each)])
        order: dict[str, list[_Txn]] = {}
        for key, values in self.longest.items():
            order[key] = writers = [self.of[id(self.writers[key, value])] for value in values]
            for first, second in pairwise(writers):
                if first is not second:
                    yield first.number, second.number
            for late in after[key]:
                if writers[-1] is not late:
                    yield writers[-1].number, late.number
        for txn in self.txns:
            for key, values in txn.reads:
                writers = order.get(key, [])
                if values and writers[len(values) - 1] is not txn:
                    yield writers[len(values) - 1].number, txn.number
                nexts: Sequence[_Txn] = writers[len(values) : len(values) + 1] or after[key]
                yield from ((txn.number, late.number) for late in nexts if late is not txn)

    def _later(self) -> Iterator[tuple[int, int]]:
        """Yield pairs that put each transaction before those that began after its end.

        The pairs lead over numbers below 0, one for each end, so that there are few of them.
        """
        ends = sorted((txn for txn in self.txns if txn.operation.ok), key=lambda txn: txn.operation.end)
        starts = sorted(self.txns, key=lambda txn: txn.operation.start)
        passed = 0
        for txn in starts:
            while passed < len(ends) and ends[passed].operation.end < txn.operation.start:
                passed += 1
                yield ends[passed - 1].number, -passed
                if passed > 1:
                    yield -(passed - 1), -passed
            if passed:
                yield -passed, txn.number
