"""The sentences before the first event of an execution and after the last."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lydian.language import tr, trn
from lydian.model.archive.shelves import called
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.phrases import clauses, joined, quotation
from lydian.views.words.waits import reached, waits
from lydian.views.words.words import number, plural

__all__ = ["closing", "first_steps", "nothing_happened", "opening"]

#: What makes a decided text a sentence, as in "all distances are right"; "leader of term 1" has no verb.
_VERB = re.compile(r" (?:is|are|was|were|has|have|knows?)\b")


def opening(timeline: Timeline, experiment: Any = None) -> str:
    """Return the sentence before the first event: what the experiment is about, else its protocol and network.

    Args:
        experiment: an object or a dict with ``about``, ``protocol`` and ``network``; ``None`` means the trace's own.
    """
    trace = timeline.trace
    source = trace.experiment if experiment is None else experiment
    about = str(_field(source, "about") or "").strip()
    if about:
        return _first_sentence(about)
    protocol = str(_field(source, "protocol") or "")
    title = str(trace.summary.get("protocol_title") or called(protocol, "protocols") or tr("The protocol"))
    network = _field(source, "network")
    given = network if isinstance(network, str) else getattr(network, "name", None) or _field(network, "name")
    where = called(given, "networks") if isinstance(given, str) else given
    links = trace.network.get("links", trace.network.get("edges"))
    size = plural(len(trace.processes), "process")
    size = tr("{processes} and {links}", processes=size, links=plural(len(links), "link")) if links else size
    if not where:
        return tr("{protocol} on {size}.", protocol=title, size=size)
    return tr("{protocol} on {network}: {size}.", protocol=title, network=where, size=size)


def closing(timeline: Timeline) -> str:
    """Return the sentence after the last event: how the run ended, what holds, and its messages and time."""
    trace = timeline.trace
    summary = trace.summary
    messages = int(np.count_nonzero(timeline.kind == Kind.SEND))
    price = tr("{messages}, time {time}", messages=plural(messages, "message"), time=number(timeline.end))
    stopped = summary.get("stopped")
    rest = summary.get("rest")
    resting = rest if isinstance(rest, Mapping) and "checks" in rest else None  # Nothing can happen in this live run.
    if stopped is None and resting is None:
        return (
            tr("The log ends: {totals}.", totals=price)
            if "imported" in summary
            else tr("So far: {totals}.", totals=price)
        )
    if stopped == "error" or summary.get("error"):
        reason = str(summary.get("error") or tr("an action failed")).rstrip(".")
        return tr("The run failed: {reason}; {totals}.", reason=reason, totals=price)
    if stopped is None and resting is not None:
        stopped, summary = "quiescent", {**summary, **resting}
    checks = [check for check in summary.get("checks", ()) if isinstance(check, Mapping)]
    broken = [str(check.get("name")) for check in checks if check.get("holds") is False]
    nothing = nothing_happened(summary)
    if nothing and not broken:
        return nothing
    if stopped == "quiescent":
        lead = _decided(summary) or _achieved(checks)
    elif stopped == "until":
        lead = tr("All requests were made") if "programs" in summary else tr("Time is up")
    elif stopped == "limit":
        events = timeline.events
        lead = trn("The limit is reached after {count:,} event", "The limit is reached after {count:,} events", events)
    else:
        lead = tr("Stopped at the first violation") if broken else tr("Stopped")
    bound = reached(timeline)
    if broken and stopped == "quiescent":
        lead, bound = _unfinished(broken, clauses(waits(timeline), bound)), ""
    elif broken:
        lead = trn(
            "{lead}: {properties} does not hold", "{lead}: {properties} do not hold", len(broken),
            lead=lead, properties=_quoted(broken),
        )  # fmt: skip
    elif resting is not None and bound:
        lead, bound = tr("Nothing more can happen: {reason}", reason=bound), ""
    flying = len(timeline.in_flight(len(trace), timeline.end))
    if flying:
        price = trn(
            "{totals}, {count:,} message still on its way", "{totals}, {count:,} messages still on their way", flying,
            totals=price,
        )  # fmt: skip
    return f"{clauses(lead, price, bound)}."


def _unfinished(broken: Sequence[str], why: str) -> str:
    """Report that properties do not hold although nothing more can happen, with the reason if it is known."""
    if why:
        return trn(
            "Nothing more can happen: {reason}; {properties} does not hold",
            "Nothing more can happen: {reason}; {properties} do not hold",
            len(broken), reason=why, properties=_quoted(broken),
        )  # fmt: skip
    return trn(
        "Nothing is left to do, but {properties} does not hold", "Nothing is left to do, but {properties} do not hold",
        len(broken), properties=_quoted(broken),
    )  # fmt: skip


def _quoted(properties: Sequence[str]) -> str:
    """Return the names of properties in a list; of more than three only the first two."""
    names = [quotation(name) for name in properties]
    if len(names) > 3:
        names = [*names[:2], trn("{count} more property", "{count} more properties", len(names) - 2)]
    return joined(names)


def nothing_happened(summary: Mapping[str, Any]) -> str:
    """Return a sentence that explains why no process took a step in a run; "" if one did."""
    nothing = summary.get("nothing")
    return str(nothing.get("why") or "") if isinstance(nothing, Mapping) else ""


def first_steps(summary: Mapping[str, Any]) -> bool:
    """Return True if a remedy is known for a run in which nothing happened: a workload or processes that start."""
    nothing = summary.get("nothing")
    return isinstance(nothing, Mapping) and bool(nothing.get("workload") or nothing.get("start"))


def _decided(summary: Mapping[str, Any]) -> str:
    """Return what was decided, if it is a sentence on which all processes that decided agree; else ""."""
    decided = summary.get("decided")
    said = set(map(str, decided.values())) if isinstance(decided, Mapping) else set()
    text = said.pop().strip().rstrip(".") if len(said) == 1 else ""
    return text[:1].upper() + text[1:] if _VERB.search(text) else ""


def _achieved(checks: Sequence[Mapping[str, Any]]) -> str:
    """Return the properties that hold at the end, as the beginning of a sentence."""
    reached = [
        str(c.get("name")) for c in checks if c.get("holds") is True and c.get("kind") in ("at_end", "eventually")
    ]
    if not reached:
        return tr("Nothing is left to do")
    reached = [name for name in reached if not any(name.endswith(f", {other}") for other in reached)]
    if len(reached) > 2:
        return trn("The goal is reached", "All {count} goals are reached", len(reached))
    said = reached[0].rstrip(".")
    if len(reached) > 1:  # a comma, for a name may itself contain "and"
        said = tr("{first}, and {last}", first=said, last=reached[1].rstrip("."))
    return said[:1].upper() + said[1:]


def _field(source: Any, name: str) -> Any:
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


def _first_sentence(text: str) -> str:
    text = " ".join(text.split())
    end = next((i + 1 for i, sign in enumerate(text) if sign in ".!?" and text[i + 1 : i + 2] in ("", " ")), len(text))
    said = text[:end]
    return said if said.endswith((".", "!", "?")) else said + "."
