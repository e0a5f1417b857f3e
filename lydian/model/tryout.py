"""Three small and different networks to try a protocol on, chosen by what it needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from lydian.model.experiment import UNDISTURBED, Experiment, Stop
from lydian.model.network import Timing

__all__ = ["LIMIT", "Tryout", "tryouts"]

#: Events after which a tryout is stopped: a protocol that never ends shall not be waited for.
LIMIT = 100_000


@dataclass(frozen=True)
class Tryout:
    """One of the three: what it is called, and the experiment."""

    title: str
    experiment: Experiment


def tryouts(experiment: Experiment, needs: Collection[str]) -> tuple[Tryout, ...]:
    """The protocol of an experiment on three networks that satisfy its needs, as far as their names tell.

    Args:
        experiment: protocol, parameters and seed are taken from it; faults and commands name processes that need not
            be there, and are left out.
        needs: names of the needs, as in the class: ``ring``, ``one_initiator``.
    """
    seed = experiment.seed
    if "ring" in needs:
        networks = [("A ring of 5", "ring:5"), ("A ring of 8", "ring:8"), ("A ring of 13", "ring:13")]
    elif "tree" in needs:
        networks = [
            ("A line of 6", "line:6"),
            ("A tree of 7", "tree:7"),
            ("A random tree", f"randomtree:12,seed={seed}"),
        ]
    elif "complete" in needs:
        networks = [("3, all linked", "complete:3"), ("5, all linked", "complete:5"), ("8, all linked", "complete:8")]
    else:
        networks = [
            ("A ring", "ring:6"),
            ("A tree", f"randomtree:9,seed={seed}"),
            ("A denser network", f"gnm:10,22,seed={seed}"),
        ]
    order = "fifo" if "fifo" in needs else None
    loss = 0.0 if "reliable" in needs else None
    timing = Timing(delay=experiment.timing.delay, order=order or experiment.timing.order, loss=loss)
    stop = Stop(until=experiment.stop.until, events=min(experiment.stop.events, LIMIT))
    return tuple(
        Tryout(
            title,
            experiment.with_(
                network=network, timing=timing, stop=stop, branches=(), **UNDISTURBED
            ),
        )
        for title, network in networks
    )
