"""The remedy for an experiment whose protocol cannot run on its network: one change to the experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lydian.desk.archivelist import ArchiveList
from lydian.model.editing.readiness import needs_of, readiness
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import RATES, Network

__all__ = ["Help", "help_for"]


@dataclass(frozen=True)
class Help:
    """A change to an experiment: the label of its button, and the parts that change."""

    text: str
    parts: Mapping[str, Any]


def help_for(experiment: Experiment, shelf: ArchiveList) -> Help | None:
    """Return the remedy for the first obstacle that has one; return ``None`` if no obstacle has one.

    The protocol's text is read, never run.
    """
    needs = needs_of(shelf.source(experiment.protocol, experiment.path))
    try:
        network = shelf.network(experiment.network, experiment.path).with_timing(experiment.timing)
        obstacles = readiness(network, needs).obstacles
    except LydianError:
        return None
    remedy = next((each.remedy for each in obstacles if each.remedy is not None), None)
    return None if remedy is None else Help(remedy.text, _parts(experiment, network, remedy.edit(network)))


def _parts(experiment: Experiment, before: Network, after: Network) -> dict[str, Any]:
    """Return an edit of the network as a change to the experiment: to its timing if possible, else to its network."""
    if after.replace(initiators=before.initiators) == before:
        starting: Any = "all" if set(after.initiators) == set(after.processes) else after.initiators
        return {"timing": replace(experiment.timing, initiators=starting)}
    nothing: dict[str, Any] = dict.fromkeys(RATES)
    inherited = replace(experiment.timing, links={}, classes={}, steps={}, order=None, **nothing)
    return {"network": after, "timing": inherited}
