"""What a search of all schedules found, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lydian.model.properties import KINDS
from lydian.views.words.words import joined, plural

__all__ = ["advance", "facts", "headline", "remark"]

_ENDED = {
    "depth": "the depth given was reached",
    "states": "the number of configurations given was reached",
    "seconds": "the time given was over",
    "memory": "the memory given was used up",
    "cancelled": "it was stopped",
}
#: So many ways to end, and cells that were never taken, are named.
_MOST = 3


def advance(configurations: int, waiting: int, depth: int, seconds: float) -> str:
    """How far a search is: ``14,469 configurations, 2,100 waiting, depth 9, 12,000 a second``."""
    told = f"{plural(configurations, 'configuration')}, {waiting:,} waiting, depth {depth}"
    return f"{told}, {configurations / seconds:,.0f} a second" if seconds > 0.05 else told


def headline(result: Mapping[str, Any]) -> str:
    """What came of it, in one sentence."""
    findings: Sequence[Mapping[str, Any]] = result["findings"]
    broken = sum(each["holds"] is False for each in findings)
    still = sum(each["holds"] is None for each in findings)
    count = plural(int(result["configurations"]), "configuration")
    whole = f"All schedules were tried, {count}" if result["complete"] else (
        f"Not all schedules were tried, because {_ENDED.get(result['stopped'], result['stopped'])}; {count}"
    )  # fmt: skip
    if result.get("nothing"):
        return f"{result['nothing']} Nothing can be judged by that."
    if not findings:
        return f"{whole}. The protocol promises nothing that could be judged."
    if broken:
        return f"{whole}. {plural(broken, 'property does not hold', 'properties do not hold')}."
    if still:
        return f"{whole}. Nothing is violated in them; {plural(still, 'property is', 'properties are')} open."
    what = "Its property holds" if len(findings) == 1 else f"All {len(findings)} properties hold"
    return f"{whole}. {what} on this network."


def remark(finding: Mapping[str, Any]) -> str:
    """What is known of one property, below its sentence."""
    kind, shown = KINDS.get(finding["kind"], finding["kind"]), finding.get("counterexample")
    if finding["holds"]:
        return f"holds; {kind}"
    if finding["holds"] is None:
        return f"open; {kind}" + (f"; {finding['why']}" if finding.get("why") else "")
    after = f" after {plural(len(shown['steps']), 'step')}" if shown else ""
    return f"violated{after}; {kind}" + (f"; {finding['why']}" if finding.get("why") else "")


def facts(result: Mapping[str, Any]) -> str:
    """Moves, ends, messages, cells that were never taken, and what the search assumes; a line each."""
    lines = [f"{plural(int(result['edges']), 'move')}, up to {result['depth']} one after the other"]
    lines.append(_ends(result))
    if result["complete"]:
        least, most = result["messages"]
        if least is not None:
            upto = " or more, without bound" if most is None else "" if least == most else f" to {most:,}"
            lines.append(f"{least:,}{upto} {'message' if (least, most) == (1, 1) else 'messages'} in a run")
        if hardest := result.get("worst"):
            lines.append(_worst(hardest))
        if result["rounds"]:
            lines.append("A run can go on for ever")
        cells = [] if result.get("nothing") else [f"{event} in {state}" for state, event in result["unreachable"]]
        if cells:
            more = len(cells) - _MOST
            rest = [f"{more} more"] if more > 0 else []
            lines.append(f"Never taken here: {joined([*cells[:_MOST], *rest])}")
    lines += [str(note).rstrip(".") for note in result["notes"]]
    return "\n".join(f"{line[:1].upper()}{line[1:]}." for line in lines if line)


def _worst(found: Mapping[str, Any]) -> str:
    if found["moves"] is None:
        return f"A daemon can prevent for ever that {found['until']}"
    return f"In the worst case {plural(int(found['moves']), 'move')} until {found['until']}"


def _ends(result: Mapping[str, Any]) -> str:
    ways = [joined([f"{count} {state}" for state, count in each["states"].items()]) for each in result["outcomes"]]
    if not ways:
        return "no schedule comes to an end" if result["complete"] else ""
    more = len(ways) - _MOST
    rest = [plural(more, "other way")] if more > 0 else []
    return f"{plural(int(result['ends']), 'end')}: {'; '.join([*ways[:_MOST], *rest])}"
