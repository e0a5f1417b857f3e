"""The summary of a run as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.idleruns import advice
from lydian.cli.words import coloured, mark, number, plural
from lydian.model.protocol.properties import KINDS

if TYPE_CHECKING:
    from lydian.engine.end.result import Result
    from lydian.model.experiment.experiment import Resolved
    from lydian.model.network import Network
    from lydian.trace.events import Trace

__all__ = ["described", "how_it_ended", "resting", "summary"]

_MOST_DECISIONS = 8


def summary(result: Result, resolved: Resolved, trace: Path | None) -> str:
    """Summarise a run in a few lines."""
    idle = [] if result.nothing is None else [
        result.nothing, *advice(resolved, result.stopped, result.events > 0), "",
    ]  # fmt: skip
    return described(result, resolved.protocol.title, resolved.network, trace, idle)


def described(result: Result, title: str, network: Network, trace: Path | None, idle: Sequence[str] = ()) -> str:
    """Summarise a run of anything in a few lines; ``idle`` are the lines about a run in which nothing happened."""
    size = f"{plural(network.n, 'process', 'processes')}, {plural(network.m, 'link')}"
    lines = [coloured(f"{title} on {result.network}", "1") + f"  ({size}; seed {result.seed})", "", *idle]
    lines.append(f"  messages  {result.messages:>9}{_by_kind(result.measures)}")
    lines.append(f"  events    {result.events:>9}")
    programs = "programs" in result.trace.summary
    ended = how_it_ended(result.stopped, programs=programs)
    lines.append(f"  time      {number(result.time):>9}  {'ms; ' if programs else ''}{ended}")
    lines += [f"  {'':<20}{said}" for said in resting(result.trace)]
    noun = "message" if result.chain == 1 else "messages"
    lines.append(f"  chain     {result.chain:>9}  {noun} on the longest causal chain")
    if result.checks:
        lines.append("")
        names = [_name(check, result) for check in result.checks]
        wide = max(len(name) for name in names)
        for check, name in zip(result.checks, names, strict=True):
            kind = KINDS.get(check.kind, check.kind)
            lines.append(f"  {mark(check.holds)} {name:<{wide}}  {kind}{_where(check, result)}".rstrip())
            if why := getattr(check, "why", ""):
                lines.append(f"      {why}")
        if result.judged_every > 1:
            lines.append(f"    (checked at most every {result.judged_every} events, because the run has many)")
    if result.decided:
        lines.append("")
        for name, value in list(result.decided.items())[:_MOST_DECISIONS]:
            lines.append(f"  process {name} decided: {value}")
        if len(result.decided) > _MOST_DECISIONS:
            lines.append(f"  ... and {len(result.decided) - _MOST_DECISIONS} more decided")
    if trace is not None:
        lines += ["", f"  trace: {trace}"]
    return "\n".join(lines)


def resting(trace: Trace) -> list[str]:
    """Name, in a sentence each, the processes that still wait at the end of a run, and the limits that were reached."""
    if not trace.summary.get("rest"):
        return []
    from lydian.trace.timeline import Timeline
    from lydian.views.words.waits import reached, waits

    timeline = Timeline(trace)
    return [said for said in (waits(timeline), reached(timeline)) if said]


def how_it_ended(stopped: str, *, programs: bool = False) -> str:
    """Describe why a run ended; ``programs`` says that its processes are programs."""
    if programs and stopped in ("until", "error"):
        return "all requests were made" if stopped == "until" else "a program failed"
    return {
        "quiescent": "then no event was left",
        "until": "the given time was reached",
        "limit": "the largest number of events was reached",
        "violation": "a property was violated",
        "error": "the protocol failed",
        "cancelled": "it was stopped by the user",
    }.get(stopped, stopped)


def _by_kind(measures: Mapping[str, Any]) -> str:
    parts = [f"{kind['sent']} {label}" for label, kind in measures["by_kind"].items()]
    lost = measures.get("dropped", 0)
    if lost:
        parts.append(f"{lost} lost")
    return f"  {', '.join(parts)}" if parts else ""


def _name(check: Any, result: Result) -> str:
    """Return the property's sentence; for the formula, which may be long, its value."""
    expected = result.trace.summary.get("expected_messages")
    if check.kind != "messages" or expected is None:
        return str(check.name)
    from lydian.views.words.theory import BOUNDS, bounded

    relation = next((sign for sign in BOUNDS if check.name.startswith(f"messages {sign} ")), "=")
    verb = "are" if check.holds else "were"
    return f"{bounded(relation, number(expected))} messages {verb} expected"


def _where(check: Any, result: Result) -> str:
    """Name the event that decided, where this is of interest."""
    if check.holds is not False or check.at is None or check.kind != "always":
        return ", open" if check.holds is None else ""
    event = result.trace.event(check.at)
    place = "" if event.process is None else f", process {event.process}"
    return f", violated at event {check.at} (time {number(event.time)}{place})"
