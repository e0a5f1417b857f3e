"""Interventions that partition the network, or end its partitions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput, shown
from lydian.model.interventions.keys import GROUPS, UNTIL
from lydian.model.interventions.kind import Kind, Refuse, Tool, known

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["Heal", "Partition"]


class Partition(Kind):
    """Groups of processes are cut off from each other; processes in none of the groups form another group.

    The partition ends by itself at ``until``, or when it is healed.
    """

    name = "partition"
    needs = (GROUPS,)
    may = (UNTIL,)
    aim = "nothing"
    undone_by = "heal"
    breaks = ("reliable",)
    breaking = "the network is partitioned"
    sort = "down"
    order = ("partition", "{groups}", "partitions")
    branch = ("{groups} cut off", "{n} partitions")
    happened = ("{groups} cut off", "")
    coming = "The network is partitioned"
    tool = Tool(
        "partition", "Partition the network", ("nothing",), "Draw a line across the links to cut", ("link",),
        ("nothing",), 3, "fault-partition", bar=True, entry="&Partition", keys="P",
        help="Cut off the selected processes, or draw a line across the links to cut",
    )  # fmt: skip
    listed = (("Cut off groups", {}),)

    def check_keys(self, what: Intervention) -> None:
        seen: set[str] = set()
        for group in what.groups:
            if not group:
                raise BadInput("a group has no processes; write groups = [[0, 1], [2, 3, 4]]", place="groups")
            for name in group:
                if name in seen:
                    twice = f"process {shown(name)} is in two groups; each process must be in one group"
                    raise BadInput(twice, place="groups")
                seen.add(name)
        if what.until is not None and not (math.isfinite(what.until) and what.until > what.time):
            raise BadInput(f"must be a time later than {what.time:g}, not {shown(what.until)}", place="until")

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        for group in what.groups:
            for name in group:
                known(name, network.index, "process", f"of network {network.name}", "groups", refuse)

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return None if engine.separates(what.groups) else "these groups are already cut off from each other"

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.partition(what.groups, what.until)

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        return super().told(what, words) + (f" until {words['until']}" if what.get("until") is not None else "")

    def plan(self, what: Intervention) -> str:
        until = "" if what.until is None else f" until {what.until:g}"
        return f"{' | '.join(', '.join(group) for group in what.groups)} cut off at {what.time:g}{until}"

    def aimed_at(self, where: str) -> Mapping[str, Any]:
        groups = [[name.strip() for name in group.split(",") if name.strip()] for group in where.split("|")]
        return {"groups": groups}


class Heal(Kind):
    """All partitions end; links that were cut individually stay cut."""

    name = "heal"
    aim = "nothing"
    sort = "up"
    order = ("heal", "the partition", "partitions")
    branch = ("partition healed", "partition healed")
    happened = ("the partition is over", "")
    coming = "The partition ends"
    listed = (("End partitions", {}),)

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return None if engine.parted() else "the network is not partitioned"

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.heal()

    def plan(self, what: Intervention) -> str:
        return f"partitions end at {what.time:g}"

    def aimed_at(self, where: str) -> Mapping[str, Any]:
        return {}
