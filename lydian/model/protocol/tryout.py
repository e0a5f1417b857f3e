"""Three small and different networks on which to try a protocol, chosen by its needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from lydian.model.experiment.experiment import UNDISTURBED, Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.network import Network, Timing

__all__ = ["LIMIT", "Tryout", "starters", "tryouts"]

#: The number of events after which a tryout is stopped, for protocols that do not terminate.
LIMIT = 100_000


@dataclass(frozen=True)
class Tryout:
    """One of the three tryouts: its name, and the experiment."""

    title: str
    experiment: Experiment


def tryouts(experiment: Experiment, needs: Collection[str]) -> tuple[Tryout, ...]:
    """Return the protocol of an experiment on three networks that satisfy its needs, as far as their names show; or on
    the same two processes with three seeds.

    Args:
        experiment: the source of the protocol, the parameters and the seed; its faults and commands name processes that
            may not exist, and are omitted.
        needs: names of needs, as in :class:`lydian.model.protocol.properties.Need`: ``ring``, ``one initiator``.
    """
    seed = experiment.seed
    seeds = [seed, seed, seed]
    if "two processes" in needs:  # there is only one such network, but there are many schedules
        seeds = [seed, seed + 1, seed + 2]
        networks = [(f"Two processes, seed {each}", "complete:2") for each in seeds]
    elif "one-way ring" in needs:
        networks = [(f"A one-way ring of {n}", f"onewayring:{n}") for n in (5, 8, 13)]
    elif "ring" in needs:
        networks = [("A ring of 5", "ring:5"), ("A ring of 8", "ring:8"), ("A ring of 13", "ring:13")]
    elif "tree" in needs:
        networks = [
            ("A line of 6", "line:6"),
            ("A tree of 7", "tree:7"),
            ("A random tree", f"randomtree:12,seed={seed}"),
        ]
    elif "centre starts" in needs:
        networks = [("A star of 6", "star:6"), ("5, all linked", "complete:5"), ("8, all linked", "complete:8")]
    elif "complete" in needs or "overlay" in needs:
        networks = [("4, all linked", "complete:4"), ("5, all linked", "complete:5"), ("8, all linked", "complete:8")]
    else:
        networks = [
            ("A ring", "ring:6"),
            ("A tree", f"randomtree:9,seed={seed}"),
            ("A denser network", f"gnm:10,22,seed={seed}"),
        ]
    order = "fifo" if "fifo" in needs else None
    loss = 0.0 if "reliable" in needs else None
    stop = Stop(until=experiment.stop.until, events=min(experiment.stop.events, LIMIT))
    found = []
    for (title, spec), each in zip(networks, seeds, strict=True):
        network = from_spec(spec)
        timing = Timing(
            delay=experiment.timing.delay, order=order or experiment.timing.order, loss=loss,
            initiators=starters(network, needs),
        )  # fmt: skip
        shaped = _shaped(network, needs)
        where: str | Network = spec if shaped is network else shaped
        new = experiment.with_(network=where, timing=timing, seed=each, stop=stop, branches=(), **UNDISTURBED)
        found.append(Tryout(title, new))
    return tuple(found)


def starters(network: Network, needs: Collection[str]) -> tuple[str, ...] | None:
    """Return the initiators if the needs determine them; ``None``: those of the network."""
    degree = {p: len(network.neighbours(p)) for p in network.processes}
    if "everybody starts" in needs:
        return tuple(network.processes)
    if "leaves start" in needs:
        return tuple(p for p in network.processes if degree[p] <= 1)
    if "centre starts" in needs:
        return (max(network.processes, key=lambda p: degree[p]),)
    return None


def _shaped(network: Network, needs: Collection[str]) -> Network:
    """Return the same network without names, if necessary."""
    return network.replace(anonymous=True) if "anonymous" in needs else network
