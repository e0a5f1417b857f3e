"""The preparation of a search of all schedules: small networks that suit a protocol, and an experiment on one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lydian.language import tr
from lydian.model.experiment.experiment import UNDISTURBED, Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Network, Timing
from lydian.model.protocol.tryout import starters
from lydian.model.source.outline import EventOutline

__all__ = ["SMALL", "commanded", "offered", "on_network", "planned"]

#: The experiment's own network is offered first if it has at most this many processes.
SMALL = 5


def offered(needs: Collection[str]) -> tuple[str, ...]:
    """Return small networks that satisfy the needs of a protocol, judged by their kinds, the smallest first."""
    if "one-way ring" in needs:
        return ("anonymous-one-way-ring-6",) if "anonymous" in needs else ("one-way-ring-5",)
    if "anonymous" in needs:
        return ("anonymous-ring-6",)
    if "ring" in needs:
        return ("ring:3", "ring:4", "ring:5")
    if "tree" in needs:
        return ("line:2", "line:3", "star:4", "line:4", "tree:5")
    if "centre starts" in needs:
        return ("star:3", "complete:3", "star:4", "complete:4")
    if "complete" in needs or "overlay" in needs:
        return ("complete:2", "complete:3", "complete:4")
    return ("line:2", "line:3", "complete:3", "star:4", "ring:4", "complete:4")


def planned(experiment: Experiment) -> tuple[int, int]:
    """Return how many crashes and losses an experiment plans; the search tries that many at every moment."""
    deeds = [each.do for each in experiment.faults]
    return deeds.count("crash"), deeds.count("drop")


def on_network(experiment: Experiment, spec: str, network: Network, needs: Collection[str]) -> Experiment:
    """Return an experiment with the same protocol on another network.

    Commands and wakes of processes that exist there are kept; faults and random traffic are left out. A search
    ignores delays, but not the order of links.

    Args:
        spec: the specification of the network, for example ``line:3``.
        network: the network itself.
        needs: the names of the protocol's needs, as in :class:`lydian.model.protocol.properties.Need`.
    """
    there = frozenset(network.processes)
    workload = tuple(each for each in experiment.workload if each.process in there)
    order = "fifo" if "fifo" in needs else experiment.timing.order
    timing = Timing(order=order, initiators=starters(network, needs))
    parts = {**UNDISTURBED, "workload": workload}
    return experiment.with_(network=spec, timing=timing, stop=Stop(), branches=(), animation=None, **parts)


def commanded(experiment: Experiment, network: Network, commands: Sequence[EventOutline]) -> tuple[Experiment, str]:
    """Add one command for each process if the experiment has none; return the experiment and a sentence about it.

    Only a command whose fields all have defaults is added.
    """
    if experiment.workload or experiment.traffic or not commands:
        return experiment, ""
    free = next((each for each in commands if all(field.default is not None for field in each.fields)), None)
    if free is None:
        return experiment, tr("The experiment has no commands; add some to have them tried.")
    asked = tuple(Intervention(1.0, "command", process=p, label=free.name) for p in network.processes)
    return experiment.with_(workload=asked), tr(
        "Each process is given the command {command} once, at any moment.", command=free.name
    )
