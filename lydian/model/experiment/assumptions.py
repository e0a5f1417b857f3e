"""Checks whether an experiment violates the assumptions of its protocol about the network, its timing, and faults.

A :class:`~lydian.model.protocol.properties.Need` states what it requires of the network; this module finds violations:
loss, cuts, crashes, a second process that is woken. An experiment that violates an assumption on purpose names it under
``breaks``. Interventions of the user during a run are always permitted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.interventions import KINDS, Intervention
from lydian.model.interventions.kind import words_of
from lydian.model.protocol import properties
from lydian.model.protocol.properties import Need, missing_between

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = [
    "ALL", "BY_FAULTS", "FIRM", "ON_PURPOSE", "Broken", "broken", "broken_by", "check_names", "hint", "meant",
    "strained",
]  # fmt: skip

Deeds = Sequence[Intervention]
#: The name that stands for all assumptions that may be violated.
ALL = "all"
#: The assumptions that the engine relies on; no experiment may violate them.
FIRM = ("overlay", "rounds", "detector")
#: The assumptions about faults; the others are about the network and its initiators.
BY_FAULTS = ("reliable", "no crashes")
#: Name of an assumption of LYDIAN -> the assumption.
_OURS = {each.name: each for each in vars(properties).values() if isinstance(each, Need)}


def broken_by(do: str) -> tuple[str, ...]:
    """Return the names of the assumptions that a kind of intervention violates, whatever the protocol assumes."""
    return KINDS[do].breaks if do in KINDS else ()


class Broken(NamedTuple):
    """An assumption that an experiment violates: its name, a sentence that says how, and whether it may be on purpose.

    ``offered`` says whether doing so on purpose is worth offering: loss and faults are often intended, but a network
    that does not fit is usually a mistake.
    """

    name: str
    sentence: str
    breakable: bool = True
    offered: bool = True


def broken(needs: Iterable[Need], network: Network, faults: Deeds, workload: Deeds, churns: bool) -> list[Broken]:
    """Return the assumptions of its protocol that an experiment violates, whether on purpose or not.

    Args:
        network: with the experiment's timing applied.
        faults, workload: those of the experiment.
        churns: whether its processes crash and recover at random times.
    """
    needs = tuple(needs)
    found = []
    for each in needs:
        of_network = each.missing(network)
        sentence = of_network or _by_fault(each, network, faults, workload, churns)
        if sentence is not None:
            offered = of_network is None or each.name in BY_FAULTS
            found.append(Broken(each.name, sentence, each.name not in FIRM, offered))
    between = missing_between(needs, network)
    return found + [Broken("fifo" if "overtake" in each else "reliable", each) for each in between]


def _by_fault(need: Need, network: Network, faults: Deeds, workload: Deeds, churns: bool) -> str | None:
    dying = {fault.process for fault in faults if fault.do == "crash"}
    for fault in (*faults, *workload):
        if fault.do == "drop" and fault.link is not None and fault.link[0] in dying:
            continue  # the process crashes while it is sending
        if _breaks(need.name, fault, network.initiators):
            return f"{_told(fault)}{fault.kind.remedy}"
    if need.name == "no crashes" and churns:
        return "its churn lets processes crash; remove it"
    if need.name == "reliable":
        cut = next((link for link in network.links if link.outages), None)
        if cut is not None:
            return f"link {cut} has an outage at {cut.outages[0][0]:g}; remove it"
    return None


def _breaks(name: str, deed: Intervention, initiators: Collection[str]) -> bool:
    return name in deed.kind.breaks and deed.kind.strains(deed, initiators)


def _told(deed: Intervention) -> str:
    return f"{deed.kind.breaking.format_map(words_of(deed.to_dict()))} at {deed.time:g}"


def strained(needs: Iterable[Need], deed: Intervention, initiators: Collection[str]) -> str:
    """Return as a clause the assumption that an intervention violates, to warn the user; "" if there is none."""
    for each in needs:
        if _breaks(each.name, deed, initiators):
            return f"the protocol assumes that {each.sentence}"
    return ""


def meant(breaks: Sequence[str], before: Iterable[Broken], after: Iterable[Broken]) -> tuple[str, ...]:
    """Return the assumptions to be violated on purpose after the user has added or removed a fault.

    Violations by the new fault are intended; assumptions that no fault violates any longer need not be named.

    Args:
        breaks: those that the experiment has violated on purpose so far.
        before, after: the violations before and after the change.
    """
    was, now = ([each.name for each in found if each.breakable] for found in (before, after))
    kept = [name for name in breaks if name == ALL or name in now]
    return tuple(dict.fromkeys([*kept, *(name for name in now if name not in was)]))


#: The beginning of the text that says how to violate an assumption on purpose.
ON_PURPOSE = "to break it on purpose"


def hint(found: Sequence[Broken]) -> str:
    """Return how to violate these assumptions on purpose; "" if one cannot be violated, or is probably violated by
    mistake."""
    if not all(each.breakable and each.offered for each in found):
        return ""
    names = ", ".join(f'"{each.name}"' for each in {each.name: each for each in found}.values())
    return f"{ON_PURPOSE}, write breaks = [{names}] in the experiment, or use --break-assumptions"


def check_names(breaks: Sequence[str], needs: Iterable[Need]) -> None:
    """Refuse a name that is not an assumption of this protocol or of LYDIAN.

    Raises:
        BadInput: suggests the name that was probably meant.
    """
    names = [ALL, *(each.name for each in needs), *_OURS]
    for name in breaks:
        if name not in names:
            hinted = did_you_mean(name, names) or f"; choose from {', '.join(dict.fromkeys(names))}"
            raise BadInput(f"unknown assumption {shown(name)}{hinted}", place="breaks")
