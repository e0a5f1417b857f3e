"""Checks whether an experiment violates the assumptions of its protocol about the network, its timing, and faults.

A :class:`~lydian.model.protocol.properties.Need` states what it requires of the network; this module finds violations:
loss, cuts, crashes, a second process that is woken, more faults than are assumed. An experiment that violates an
assumption on purpose names it under ``breaks``. Interventions of the user during a run are always permitted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.interventions import KINDS, Intervention
from lydian.model.interventions.kind import words_of
from lydian.model.protocol import bounds, properties
from lydian.model.protocol.bounds import CRASHES, DOWN, LIARS, SYNCHRONY, TEXTS, Bound, What
from lydian.model.protocol.properties import Need, missing_between

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = [
    "ALL", "BY_FAULTS", "FIRM", "ON_PURPOSE", "Broken", "broken", "broken_by", "check_names", "faulty", "hint", "meant",
    "over", "strained",
]  # fmt: skip

Deeds = Sequence[Intervention]
#: The name that stands for all assumptions that may be violated.
ALL = "all"
#: The assumptions that the engine relies on; no experiment may violate them.
FIRM = ("overlay", "rounds", "detector")
#: The assumptions about faults; the others are about the network and its initiators.
BY_FAULTS = ("reliable", "no crashes", *(TEXTS[each].name for each in (CRASHES, DOWN, LIARS)))
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


def broken(
    needs: Iterable[Need], network: Network, faults: Deeds, workload: Deeds, churns: bool,
    parameters: Mapping[str, Any] | None = None,
) -> list[Broken]:  # fmt: skip
    """Return the assumptions of its protocol that an experiment violates, whether on purpose or not.

    Args:
        network: with the experiment's timing applied.
        faults, workload: those of the experiment.
        churns: whether its processes crash and recover at random times.
        parameters: the values of the protocol's parameters that it sets.
    """
    needs = tuple(needs)
    found = []
    for each in needs:
        of_network = each.missing(network)
        sentence = of_network or _by_fault(each, network, faults, workload, churns)
        if each.bound is not None and sentence is None:
            sentence = over(each.bound, network, faults, churns, parameters or {})
        if sentence is not None:
            offered = of_network is None or each.name in BY_FAULTS
            found.append(Broken(each.name, sentence, each.name not in FIRM, offered))
    between = missing_between(needs, network)
    return found + [Broken("fifo" if "overtake" in each else "reliable", each) for each in between]


def over(
    bound: Bound, network: Network, faults: Deeds, churns: bool, parameters: Mapping[str, Any]
) -> str | None:  # fmt: skip
    """Return a sentence that says how an experiment exceeds a number that its protocol assumes; ``None`` if it does
    not."""
    most = bound.value(network, parameters)
    if most is None:  # a parameter has a wrong value, which is reported elsewhere
        return None
    if bound.what == SYNCHRONY:
        return _slow(bound, network, most)
    if churns:
        return "its churn lets any number of processes crash; remove it"
    names = faulty(bound.what, faults)
    if len(names) <= most:
        return None
    one, several = TEXTS[bound.what].verb
    may = "may" if bound.what == CRASHES else "may be"
    who = f"process {names[0]} {one}" if len(names) == 1 else f"processes {_listed(names)} {several}"
    words, whole = bound.words, f"{most:g}"
    if not bound.met(network, parameters):
        return f"{who}, but none {may}, because {words['given']} is not true here; choose a larger network"
    allowed = whole if words["most"] == whole else f"{words['most']} = {whole}"
    return f"{who}, but at most {allowed} {may}; remove some of these faults"


def faulty(what: What, faults: Deeds) -> list[str]:
    """Return the processes that count as faulty in an experiment, each once, in the order of their faults.

    Args:
        what: ``CRASHES``, ``LIARS``, or ``DOWN`` for the largest group of processes that are simultaneously down.
    """
    kinds = ("crash", "byzantine") if what == LIARS else ("crash",)
    found: list[str] = []
    most: list[str] = []
    for fault in sorted(faults, key=lambda each: each.time):
        if fault.do in kinds and fault.process not in found:
            found.append(fault.process)
            most = max(most, found.copy(), key=len)
        elif what == DOWN and fault.do == "recover" and fault.process in found:
            found.remove(fault.process)
    return most


def _slow(bound: Bound, network: Network, most: float) -> str | None:
    laws = {str(link): network.delay_of(link) for link in network.links}
    if network.gst is not None:
        laws = dict.fromkeys(laws, network.gst.before)
    link = next((each for each, law in laws.items() if law.maximum >= most), None)
    if link is None:
        return None
    named = bound.words["most"]
    limit = named if named == f"{most:g}" else f"{named} = {most:g}"
    return f"a message on link {link} may take {laws[link]}, but must take less than {limit}; choose a shorter delay"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


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
    names = [ALL, *(each.name for each in needs), *_OURS, *bounds.NAMES]
    for name in breaks:
        if name not in names:
            hinted = did_you_mean(name, names) or f"; choose from {', '.join(dict.fromkeys(names))}"
            raise BadInput(f"unknown assumption {shown(name)}{hinted}", place="breaks")
