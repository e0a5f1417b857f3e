"""Goals for any protocol, made from its properties and the assumptions that may be violated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.language import tr
from lydian.model.archive.shelves import Shelves, shelves
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.model.goal.goal import Goal, from_table
from lydian.model.network import Network, Timing
from lydian.model.protocol.properties import Need
from lydian.model.protocol.protocol import Protocol

__all__ = ["SMALL", "generated", "small_experiment"]

#: The largest number of processes for which the schedules of most protocols can be searched.
SMALL = 4
#: The networks that are tried, the most common first.
_NETWORKS = ("complete:3", "ring:3", "onewayring:3", "line:3", "star:3")
#: The initiators that are tried.
_STARTERS: tuple[Any, ...] = ("all", ("0",), ("0", "2"))


@dataclass(frozen=True)
class _Way:
    """A way to break a protocol: the assumption that is off, and what the player may do about it.

    Attributes:
        key: the end of the name of the goal.
        need: the assumption that is off, if the protocol makes it.
        sentence: what the player may do.
        always: whether it is offered to protocols that do not make the assumption.
    """

    key: str
    need: str
    sentence: str
    budget: tuple[tuple[str, int], ...] = ()
    order: str = ""
    always: bool = False


def _ways() -> tuple[_Way, ...]:
    return (
        _Way("order", "fifo", tr("Messages may overtake one another on a link."), order="unordered"),
        _Way("loss", "reliable", tr("You may lose one message."), (("losses", 1),)),
        _Way("crash", "no crashes", tr("One process may crash."), (("crashes", 1),), always=True),
        _Way("schedule", "", tr("You choose only the order of events."), always=True),
    )


def generated(ref: str, archive: Shelves | None = None, base: Experiment | None = None) -> list[Goal]:
    """Return the goals for a protocol: its properties in the order of its file, and for each the ways to break it.

    Args:
        ref: the name or the path of the protocol.
        base: an experiment with this protocol, whose network, workload and parameters are used if it is small.

    Raises:
        BadInput: there is no such protocol, or no small network fits it.
    """
    place = archive or shelves()
    protocol = place.protocol(ref)
    if base is None or not _is_small(base, place):
        base = small_experiment(protocol, ref, place)
    needs = {each.name for each in protocol.needs}
    found = []
    for number, prop in enumerate(protocol.properties):
        if prop.within is not None:
            continue
        for way in _ways():
            if way.need in needs or way.always:
                name = f"{protocol.name}-{number + 1}-{way.key}"
                found.append(_goal(name, prop.name, way, way.need in needs, "fifo" in needs, base))
    return found


def _goal(name: str, sentence: str, way: _Way, off: bool, fifo: bool, base: Experiment) -> Goal:
    record = base.to_dict()
    for key in ("name", "about", "faults", "branches", "interventions", "stop", "animation", "churn", "traffic",
                "mobility", "breaks"):  # fmt: skip
        record.pop(key, None)
    order = way.order or ("fifo" if fifo else "")
    if order:
        record["timing"] = {**record.get("timing", {}), "order": order}
    table = {
        "title": tr("Violate \u201c{property}\u201d", property=sentence),
        "sentence": way.sentence,
        "level": 2,
        "off": [way.need] if off else [],
        "experiment": record,
        "wanted": {"violates": sentence},
        "budget": dict(way.budget),
    }
    return from_table(table, name, None if base.path is None else Path(base.path))


def _is_small(experiment: Experiment, place: Shelves) -> bool:
    network = experiment.network
    if not isinstance(network, Network):
        network = place.network(experiment._located(network, "networks"))
    return network.n <= SMALL


def small_experiment(protocol: Protocol, ref: str, archive: Shelves | None = None) -> Experiment:
    """Return an experiment with a protocol on a small network that fits its assumptions.

    Raises:
        BadInput: none of the small networks fits.
    """
    place = archive or shelves()
    for network, starters in _candidates(protocol.needs, place):
        commands = [each for each in protocol.commands if not each._fields][:1]
        workload: list[dict[str, Any]] = []
        if starters == () and not commands:
            continue
        for number, command in enumerate(2 * commands):
            there = {"time": float(number), "do": "command", "process": str(number), "label": command.__name__}
            workload.append(there)
        record = {
            "protocol": ref, "network": network, "workload": workload if starters == () else [],
            "timing": {"initiators": starters if isinstance(starters, str) else list(starters)},
        }  # fmt: skip
        goal = from_table({"title": "-", "experiment": record, "wanted": {"where": "True"}}, protocol.name)
        return goal.experiment
    what = f"no small network fits {protocol.title}; write a goal with a network of your own"
    raise BadInput(what, file=protocol.file, place="needs")


def _candidates(needs: tuple[Need, ...], place: Shelves) -> Iterator[tuple[str, Any]]:
    """Yield each small network with initiators that satisfy all assumptions but those about faults and order."""
    structural = [each for each in needs if each.name not in ("fifo", "reliable", "no crashes")]
    wakes = any("start" in each.name or "initiator" in each.name for each in needs)
    starters = _STARTERS if wakes else ((), *_STARTERS)
    for spec in _NETWORKS:
        network = place.network(spec)
        for initiators in starters:
            timed = network.with_timing(Timing(initiators=initiators))
            if all(each.missing(timed) is None for each in structural):
                yield spec, initiators
