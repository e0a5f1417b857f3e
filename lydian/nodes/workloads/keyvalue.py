"""The workload of a linearizable key-value store."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar

from lydian.language import later
from lydian.model.errors import shown
from lydian.model.history.linearizable import ABSENT, Access, check_keys, same
from lydian.nodes.history import History, Operation
from lydian.nodes.workloads.workload import Finding, Reply, Workload

__all__ = ["LinKV", "accesses"]

#: The number of values, few of them so that comparisons often succeed, and the operations on one key before the next
#: key is used, so that each search stays short.
_VALUES, _PER_KEY, _KEYS = 5, 100, 3
#: The time limit of the check in seconds.
SECONDS = 60.0


class LinKV(Workload):
    """A store of values by key, with ``read``, ``write`` and ``cas`` (compare and set)."""

    name = "lin-kv"
    title = later("a linearizable key-value store")
    replies: ClassVar[Mapping[str, Reply]] = {
        "read": Reply("read_ok", {"value": object}), "write": Reply("write_ok"), "cas": Reply("cas_ok"),
    }  # fmt: skip
    optional = frozenset({"cas", "read"})  # both may find nothing: there is no such key, or it has another value

    def request(self, client: str, draw: Random) -> Mapping[str, Any]:
        self._made[client] += 1
        age = sum(self._made.values()) // (_PER_KEY * _KEYS)
        key = age * _KEYS + draw.randrange(_KEYS)
        do = draw.choice(("read", "write", "cas"))
        if do == "read":
            return {"type": "read", "key": key}
        if do == "write":
            return {"type": "write", "key": key, "value": draw.randrange(_VALUES)}
        return {"type": "cas", "key": key, "from": draw.randrange(_VALUES), "to": draw.randrange(_VALUES)}

    def check(self, history: History) -> list[Finding]:
        name = "the operations on each key are linearizable"
        found = check_keys(accesses(history), SECONDS)
        if found.holds is None:
            why = f"the search for an order of the operations on key {found.key} was stopped after {SECONDS:g} s"
            return [self.served(history), Finding(name, "always", None, why=why)]
        stuck = found.stuck
        if stuck is None:
            return [self.served(history), Finding(name, "always", True)]
        each = next(op for op in history if op.told == stuck.at)
        why = f"no order of the operations on key {found.key} explains why {_told(each)}"
        return [self.served(history), Finding(name, "always", False, stuck.at, why=why)]


def _told(each: Operation) -> str:
    body, who = each.body, each.process
    if each.type == "read":
        value = "there is no such key" if each.outcome == "fail" else shown((each.reply or {}).get("value"))
        return f"{who} answered {value} to a read"
    if each.type == "write":
        return f"{who} wrote {shown(body['value'])}"
    return f"{who} replaced {shown(body['from'])} by {shown(body['to'])}"


def accesses(history: History) -> dict[str, list[Access]]:
    """Return the operations on each key, without those that did not take place.

    A read of a key that does not exist (error 20) is a read of an absent value.
    """
    found: dict[str, list[Access]] = {}
    for each in history.of("read", "write", "cas"):
        for access in _access(each):
            found.setdefault(same(each.body["key"]), []).append(access)
    return found


def _access(each: Operation) -> Iterator[Access]:
    end = each.end if each.ok else math.inf
    body, reply = each.body, each.reply or {}
    if each.type == "read":
        if each.ok:
            value = ABSENT if reply["value"] is None else same(reply["value"])
            yield Access("read", each.start, end, value, at=each.told)
        elif reply.get("code") == 20:
            yield Access("read", each.start, each.end, ABSENT, at=each.told)
    elif each.outcome != "fail":
        if each.type == "write":
            yield Access("write", each.start, end, same(body["value"]), at=each.told)
        else:
            yield Access("cas", each.start, end, same(body["to"]), same(body["from"]), at=each.told)
