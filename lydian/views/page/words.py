"""Texts of the page that plays a run: facts for repeating it, properties, marks on the time line."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import numpy as np

from lydian.language import tr, translated
from lydian.model.protocol.properties import KINDS
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.liars import falsely
from lydian.views.words.words import brief, number, plural

__all__ = ["checks", "facts", "marked", "marks", "protocol_of", "subtitle"]

_ENDINGS = {
    "quiescent": tr("nothing was left to do"),
    "until": tr("the time limit was reached"),
    "limit": tr("the limit of events was reached"),
    "violation": tr("a property was violated"),
    "error": tr("the protocol failed"),
    "cancelled": tr("the user stopped it"),
}
_FAULTS = {
    Kind.CRASH: tr("{process} crashed"),
    Kind.RECOVER: tr("{process} recovered"),
    Kind.CORRUPT: tr("{process} corrupted"),
    Kind.INJECT: tr("message from {process} injected"),
    Kind.ERROR: tr("{process} failed"),
}
_MOST_MARKS = 200


def protocol_of(timeline: Timeline) -> str:
    """Return the title of the protocol, or "" if the trace does not contain it."""
    return str(timeline.trace.summary.get("protocol_title") or timeline.trace.experiment.get("protocol") or "")


def marked(rich: str) -> str:
    """Return a sentence with a tab where bold type begins and ends, instead of tags and entities."""
    return html.unescape(rich.replace("\t", " ").replace("<b>", "\t").replace("</b>", "\t"))


def facts(timeline: Timeline) -> list[tuple[str, str]]:
    """Return what is needed to repeat the run and to compare it: pairs of a word and a text."""
    trace = timeline.trace
    graph = trace.network.get("graph")
    network = (graph.get("name") if isinstance(graph, Mapping) else None) or trace.experiment.get("network")
    given = trace.summary.get("parameters") or trace.experiment.get("parameters")
    parameters = given if isinstance(given, Mapping) else {}
    sent = np.bincount(timeline.label[(timeline.kind == Kind.SEND) & (timeline.label >= 0)], minlength=1)
    kinds = ", ".join(f"{count:,} {timeline.labels[code]}" for code, count in enumerate(sent.tolist()) if count)
    total = int(np.count_nonzero(timeline.kind == Kind.SEND))
    lost = int(np.count_nonzero(timeline.kind == Kind.DROP))
    but = tr(", {count:,} lost", count=lost) if lost else ""
    rows = [
        (tr("Experiment"), trace.experiment.get("name")),
        (tr("Protocol"), protocol_of(timeline)),
        (tr("Parameters"), ", ".join(f"{name} = {value}" for name, value in parameters.items())),
        (tr("Network"), network if isinstance(network, str) else None),
        (tr("Seed"), trace.experiment.get("seed")),
        (tr("Messages"), f"{total:,}" + (f" ({kinds}{but})" if kinds else "")),
        (tr("Events"), f"{timeline.events:,}"),
        (tr("Time"), number(timeline.end)),
        (tr("Longest chain"), plural(int(timeline.chain.max(initial=0)), "message")),
        (tr("Ended"), _ENDINGS.get(str(trace.summary.get("stopped") or ""), trace.summary.get("stopped"))),
        (tr("Error"), trace.summary.get("error")),
        (tr("Fingerprint"), trace.fingerprint()),
        (tr("Made by"), ", ".join(f"{name} {version}" for name, version in trace.versions.items())),
    ]
    return [(name, str(value)) for name, value in rows if value not in (None, "")]


def subtitle(timeline: Timeline) -> str:
    """Return the line under the title: the experiment and the seed, as far as they are known."""
    name, seed = (timeline.trace.experiment.get(key) for key in ("name", "seed"))
    parts = [str(name)] if name not in (None, "") else []
    parts += [tr("seed {seed}", seed=seed)] if seed not in (None, "") else []
    return " · ".join(parts)


def checks(timeline: Timeline) -> list[dict[str, Any]]:
    """Return the protocol's properties: their texts, whether they hold (null: open), and when that was decided."""
    found = []
    for check in timeline.trace.summary.get("checks") or ():
        if isinstance(check, Mapping):
            at = check.get("at")
            known = isinstance(at, int) and 0 <= at < timeline.length
            kind = str(check.get("kind"))
            found.append(
                {
                    "name": str(check.get("name")),
                    "kind": translated(KINDS.get(kind, kind), "property"),
                    "holds": check.get("holds"),
                    "time": float(timeline.time[at]) if known and check.get("holds") is False else None,
                }
            )
    return found


def marks(timeline: Timeline) -> list[dict[str, Any]]:
    """Return the marks on the time line: faults, the error that ended the run, violations."""
    found = []
    kinds = timeline.kind
    links = () if timeline.trace.experiment.get("mobility") else (Kind.LINK_DOWN, Kind.LINK_UP)
    wanted = np.isin(kinds, (*_FAULTS, *links))  # With mobility, links come and go all the time.
    for seq in np.flatnonzero(wanted)[:_MOST_MARKS].tolist():
        kind, a, b = int(kinds[seq]), int(timeline.process[seq]), int(timeline.peer[seq])
        who = timeline.processes[a] if a >= 0 else ""
        if kind in (Kind.LINK_DOWN, Kind.LINK_UP) and b >= 0:
            way = "→" if (timeline.trace.detail(seq) or {}).get("one_way") else "-"
            link = f"{who}{way}{timeline.processes[b]}"
            text = tr("{link} down", link=link) if kind == Kind.LINK_DOWN else tr("{link} up", link=link)
        elif kind == Kind.CORRUPT and int(timeline.label[seq]) >= 0 and b >= 0:
            text = tr(
                "{message} {sender} → {receiver} changed",
                message=timeline.labels[timeline.label[seq]],
                sender=who,
                receiver=timeline.processes[b],
            )
        elif kind == Kind.CORRUPT and falsely(timeline, seq):
            text = f"{who} {brief(timeline, seq)}"
        else:
            text = _FAULTS.get(kind, _FAULTS[Kind.ERROR]).format(process=who).strip()
        found.append({"time": float(timeline.time[seq]), "fault": kind != Kind.ERROR, "text": text})
    broken = [check for check in checks(timeline) if check["holds"] is False and check["time"] is not None]
    found += [{"time": check["time"], "fault": False, "text": check["name"]} for check in broken]
    return sorted(found, key=lambda mark: float(mark["time"]))
