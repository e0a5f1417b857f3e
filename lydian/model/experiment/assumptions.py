"""Whether an experiment breaks what its protocol assumes: of the network, its timing, and what goes wrong in it.

A :class:`~lydian.model.protocol.properties.Need` says what it asks of the network; this is what breaks it:
loss, cuts, crashes, a second process that is woken.  An experiment that does so on purpose names the assumption under
``breaks``.  Interventions of somebody who watches a run are interference, which is always allowed.
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
    "ALL", "BY_FAULTS", "ON_PURPOSE", "Broken", "broken", "broken_by", "check_names", "hint", "meant", "strained",
]  # fmt: skip

Deeds = Sequence[Intervention]
#: Breaks every assumption that can be broken.
ALL = "all"
#: What the engine itself relies on; no experiment can do without.
_FIRM = ("overlay", "rounds", "detector")
#: The assumptions about what goes wrong; the others are about the network and who starts.
BY_FAULTS = ("reliable", "no crashes")
#: Name of an assumption of our own -> the assumption.
_OURS = {each.name: each for each in vars(properties).values() if isinstance(each, Need)}


def broken_by(do: str) -> tuple[str, ...]:
    """The names of the assumptions that a kind of intervention breaks, whatever the protocol assumes."""
    return KINDS[do].breaks if do in KINDS else ()


class Broken(NamedTuple):
    """An assumption that an experiment breaks: its name, how in a sentence, and whether it may be done on purpose.

    ``offered`` says whether that is worth offering: loss and faults are often meant, a network that does not fit is
    most often a slip.
    """

    name: str
    sentence: str
    breakable: bool = True
    offered: bool = True


def broken(needs: Iterable[Need], network: Network, faults: Deeds, workload: Deeds, churns: bool) -> list[Broken]:
    """What an experiment breaks of the assumptions of its protocol, whether on purpose or not.

    Args:
        network: with the experiment's timing applied.
        faults, workload: its own.
        churns: whether its processes come and go at random times.
    """
    needs = tuple(needs)
    found = []
    for each in needs:
        of_network = each.missing(network)
        sentence = of_network or _by_fault(each, network, faults, workload, churns)
        if sentence is not None:
            offered = of_network is None or each.name in BY_FAULTS
            found.append(Broken(each.name, sentence, each.name not in _FIRM, offered))
    between = missing_between(needs, network)
    return found + [Broken("fifo" if "overtake" in each else "reliable", each) for each in between]


def _by_fault(need: Need, network: Network, faults: Deeds, workload: Deeds, churns: bool) -> str | None:
    dying = {fault.process for fault in faults if fault.do == "crash"}
    for fault in (*faults, *workload):
        if fault.do == "drop" and fault.link is not None and fault.link[0] in dying:
            continue  # it crashes in the middle of sending
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
    """What somebody who interferes should know: which assumption that breaks, as a clause; "" if none."""
    for each in needs:
        if _breaks(each.name, deed, initiators):
            return f"the protocol assumes that {each.sentence}"
    return ""


def meant(breaks: Sequence[str], before: Iterable[Broken], after: Iterable[Broken]) -> tuple[str, ...]:
    """The assumptions that an experiment breaks on purpose after somebody has added or taken away a fault by hand.

    What the new fault breaks is meant; what no fault breaks any longer need not be named.

    Args:
        breaks: those that it has broken on purpose so far.
        before, after: what it broke, and what it breaks now.
    """
    was, now = ([each.name for each in found if each.breakable] for found in (before, after))
    kept = [name for name in breaks if name == ALL or name in now]
    return tuple(dict.fromkeys([*kept, *(name for name in now if name not in was)]))


#: How the words begin that say how to break an assumption on purpose.
ON_PURPOSE = "to break it on purpose"


def hint(found: Sequence[Broken]) -> str:
    """How to break these assumptions on purpose; "" if one of them cannot be, or is not likely to be meant."""
    if not all(each.breakable and each.offered for each in found):
        return ""
    names = ", ".join(f'"{each.name}"' for each in {each.name: each for each in found}.values())
    return f"{ON_PURPOSE}, write breaks = [{names}] in the experiment, or use --break-assumptions"


def check_names(breaks: Sequence[str], needs: Iterable[Need]) -> None:
    """Refuse a name that is no assumption of this protocol or of LYDIAN.

    Raises:
        BadInput: with the name that was probably meant.
    """
    names = [ALL, *(each.name for each in needs), *_OURS]
    for name in breaks:
        if name not in names:
            hinted = did_you_mean(name, names) or f"; choose from {', '.join(dict.fromkeys(names))}"
            raise BadInput(f"unknown assumption {shown(name)}{hinted}", place="breaks")
