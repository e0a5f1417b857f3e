"""Interventions that partition the network, or end its partitions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.language import tr
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
    order = (tr("partition {groups}"), tr("partition {n} partitions"))
    branch = ("{groups} cut off", "{n} partitions")
    happened = (tr("the network is divided: {groups}"), "")
    coming = tr("The network is partitioned")
    tool = Tool(
        "partition", tr("Partition the network"), ("nothing",), tr("Draw a line across the links to cut"), ("link",),
        ("nothing",), 3, "fault-partition", bar=True, entry=tr("&Partition"), keys="P",
        help=tr("Cut off the selected processes, or draw a line across the links to cut"),
    )  # fmt: skip
    listed = ((tr("Cut off groups"), {}),)

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
        if what.get("until") is None:
            return super().told(what, words)
        return tr("{groups} cut off until {until}").format_map(words)

    def plan(self, what: Intervention) -> str:
        groups = " | ".join(", ".join(group) for group in what.groups)
        if what.until is None:
            return tr("{groups} cut off at {time:g}", groups=groups, time=what.time)
        return tr("{groups} cut off at {time:g} until {until:g}", groups=groups, time=what.time, until=what.until)

    def aimed_at(self, where: str) -> Mapping[str, Any]:
        groups = [[name.strip() for name in group.split(",") if name.strip()] for group in where.split("|")]
        return {"groups": groups}


class Heal(Kind):
    """All partitions end; links that were cut individually stay cut."""

    name = "heal"
    aim = "nothing"
    sort = "up"
    order = (tr("heal the partition"), tr("heal {n} partitions"))
    branch = ("partition healed", "partition healed")
    happened = (tr("the partition is over"), "")
    coming = tr("The partition ends")
    listed = ((tr("End partitions"), {}),)

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return None if engine.parted() else "the network is not partitioned"

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.heal()

    def plan(self, what: Intervention) -> str:
        return tr("partitions end at {time:g}", time=what.time)

    def aimed_at(self, where: str) -> Mapping[str, Any]:
        return {}
