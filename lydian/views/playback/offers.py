"""The offers of each tool for a target at a moment, or the reason why it does not apply."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lydian.model.interventions.keys import DELAY, SEED
from lydian.model.interventions.kind import KINDS, TOOLS, Kind, kind_of
from lydian.views.network.flights import reached_by
from lydian.views.playback.interfering import Offer, Situation, number_of, pair_of, pairs
from lydian.views.selection import Hit
from lydian.views.words.words import joined, number, plural

__all__ = ["cut_off", "moved", "offer", "partition"]

_NO_TEXT = "the protocol's file is unknown"


def offer(s: Situation, tool: str, hit: Hit | None, forward: bool | None = None) -> Offer:
    """Return the offer of a tool for a target; it has a reason if the tool does not apply there."""
    kind = "nothing" if hit is None else hit.kind
    if kind == "event" and hit is not None:
        process = int(s.timeline.process[number_of(hit)])
        return offer(s, tool, Hit("process", process) if process >= 0 else None, forward)
    known = TOOLS[tool]
    if kind not in known.targets:
        where = "the background" if hit is None else f"a {kind}"
        return Offer(tool, known.title, known.title, reason=f"not for {where}: {_lower(known.hint)}", hit=hit)
    return replace(_made(s, tool, hit, forward), hit=hit, forward=forward)


def _made(s: Situation, tool: str, hit: Hit | None, forward: bool | None) -> Offer:
    maker = _MAKERS.get(tool)
    if maker is not None:
        return maker(s, hit, forward)  # type: ignore[arg-type]
    assert hit is not None
    if kind_of(tool).aim == "message":
        return _on_message(s, tool, hit, forward)
    return _on_process(s, tool, hit) if hit.kind == "process" else _on_link(s, tool, hit)


# ---------------------------------------------------------------------- processes


def _on_process(s: Situation, tool: str, hit: Hit) -> Offer:
    """Return the offer of a tool's intervention in a process, or of the one that ends it."""
    kind, name, process = kind_of(tool), _name(s, hit), number_of(hit)
    if kind.lasts(s, process):
        kind = KINDS[kind.undone_by]
    short, words = kind.menu[0], kind.menu[1].format(process=name)
    if kind.living and s.crashed[process]:
        return Offer(tool, short, words, reason=f"process {name} has crashed")
    return _asking(s, Offer(tool, short, words), kind, {"process": name})


def _asking(s: Situation, made: Offer, kind: Kind, aim: Mapping[str, Any]) -> Offer:
    """Return an offer with interventions in its target, or with the form that asks for missing values."""
    if kind.form or any(key.name not in aim for key in kind.needs):
        return replace(made, form=kind.form or "keys")
    drawn = {"seed": s.done} if SEED in kind.keys and s.done else {}
    return replace(made, what=({"do": kind.name, **aim, **drawn},))


def _command(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    made = _on_process(s, "command", hit)
    if s.outline is None:
        return replace(made, form="", reason=_NO_TEXT)
    if not s.outline.commands:
        return replace(made, form="", reason=f"{s.outline.name} has no commands")
    return made


# ---------------------------------------------------------------------- links


def _cut(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    if hit.kind == "process":
        return cut_off(s, [number_of(hit)])
    a, b = pair_of(hit)
    ends, down = f"{s.names[a]}-{s.names[b]}", (min(a, b), max(a, b)) in s.down
    word, do = ("Restore", "link_up") if down else ("Cut", "link_down")
    return Offer("cut", word, f"{word} link {ends}", pairs([(a, b)], s.names, do))


def _on_link(s: Situation, tool: str, hit: Hit) -> Offer:
    """Return the offer of a tool's intervention in a link."""
    kind, (a, b) = kind_of(tool), pair_of(hit)
    ends = [s.names[a], s.names[b]]
    return _asking(s, Offer(tool, kind.menu[0], kind.menu[1].format(link="-".join(ends))), kind, {"link": ends})


def cut_off(s: Situation, some: Sequence[int]) -> Offer:
    """Cut all links between some processes and the others; if all are down, restore them."""
    inside = set(some)
    border = sorted({pair for p in some for pair in s.links_of(p) if (pair[0] in inside) != (pair[1] in inside)})
    up = [pair for pair in border if pair not in s.down]
    names = [s.names[p] for p in some]
    who = f"process{'es' if len(names) > 1 else ''} {joined(names)}" if len(names) <= 4 else f"{len(names)} processes"
    if not border:
        return Offer("cut", "Isolate it", f"Isolate {who}", reason=f"no link leads from {who} to another process")
    it = "it" if len(names) == 1 else "them"
    if not up:
        return Offer(
            "cut", f"Join {it} again", f"Join {who} again: restore {plural(len(border), 'link')}",
            pairs(border, s.names, "link_up"),
        )  # fmt: skip
    return Offer("cut", f"Cut {it} off", f"Cut {who} off: {plural(len(up), 'link')}", pairs(up, s.names, "link_down"))


def parted(s: Situation, some: Sequence[int]) -> Offer:
    """Isolate some processes from all others as one fault; if they are isolated, end that."""
    names = [s.names[p] for p in some]
    made = cut_off(s, some)
    if s.overlay and (made.reason or not made.what):
        who = f"process{'es' if len(names) > 1 else ''} {joined(names[:4])}{' …' if len(names) > 4 else ''}"
        made = Offer("cut", "Cut off", f"Cut {who} off")
    elif made.reason or made.what[0]["do"] == "link_up":
        return made
    if len(names) == len(s.names):
        return replace(made, tool="partition", what=(), reason="all processes are selected; select one side only")
    return replace(made, tool="partition", what=({"do": "partition", "groups": [names]},))


def partition(s: Situation, crossed: Sequence[tuple[int, int]]) -> Offer:
    """Cut the links that a line crosses."""
    up = sorted(pair for pair in crossed if pair not in s.down)
    if not up:
        return Offer("partition", "Partition", "Partition", reason="the line crosses no link that is up")
    names = [f"{s.names[a]}-{s.names[b]}" for a, b in up]
    listed = f": {', '.join(names)}" if len(names) <= 6 else ""
    return Offer("partition", "Partition", f"Cut {plural(len(up), 'link')}{listed}", pairs(up, s.names, "link_down"))


def _slow(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    if hit.kind == "link":
        a, b = pair_of(hit)
        return Offer("slow", "Slow down…", f"Slow down link {s.names[a]}-{s.names[b]}…", form="slow")
    return Offer("slow", "Slow down…", f"Slow down process {_name(s, hit)}…", form="slow")


def _inject(s: Situation, hit: Hit, forward: bool | None) -> Offer:
    if hit.kind == "link":
        a, b = s.ends(*pair_of(hit), forward)
        made = Offer("inject", "Send a message…", f"Send a message from {s.names[a]} to {s.names[b]}…", form="inject")
    else:
        name = _name(s, hit)
        made = Offer("inject", f"Send as {name}…", f"Send a message as process {name}…", form="inject")
        if not _receivers(s, number_of(hit)):
            return replace(made, form="", reason=f"no link leads from process {name}")
    if s.outline is None:
        return replace(made, form="", reason=_NO_TEXT)
    if not s.outline.messages:
        return replace(made, form="", reason=f"{s.outline.name} has no messages")
    return made


def _receivers(s: Situation, process: int) -> tuple[str, ...]:
    name = s.names[process]
    return s.network.neighbours(name) if name in s.network.index else ()


# ---------------------------------------------------------------------- messages


def _aimed(s: Situation, hit: Hit, forward: bool | None) -> tuple[int | None, tuple[int, int] | None, str]:
    """Return the targeted message, or the link whose next message is meant, or the reason why there is none."""
    if hit.kind == "message":
        message = number_of(hit)
        return message, None, s.gone(message)
    if hit.kind == "link":
        a, b = s.ends(*pair_of(hit), forward)
        message_or_none = s.along(a, b)
        return message_or_none, (a, b), ""
    found = s.next_to(number_of(hit))
    return found, None, "" if found is not None else f"no message is in transit to process {_name(s, hit)}"


def _on_message(s: Situation, tool: str, hit: Hit, forward: bool | None) -> Offer:
    """Return the offer of a tool's intervention in a message, or in the next one sent along a link."""
    kind = kind_of(tool)
    short, words, ahead = kind.menu
    message, ends, reason = _aimed(s, hit, forward)
    if reason:
        about = s.message(number_of(hit)) if hit.kind == "message" else "a message"
        return Offer(tool, short, words.format(message=about), reason=reason)
    aim: dict[str, Any]
    if message is not None:
        aim, words = {"message": message}, words.format(message=s.message(message))
        brief = f"{short} the one in transit" if hit.kind == "link" else short
    else:
        assert ends is not None
        a, b = s.names[ends[0]], s.names[ends[1]]
        aim, words, brief = {"link": [a, b]}, f"{ahead} from {a} to {b}", ahead
    if DELAY in kind.needs:
        pair = ends or (int(s.timeline.message_source[message]), int(s.timeline.message_target[message]))
        aim["delay"] = by = s.later(*pair)
        words, brief = f"{words} by {number(by)}", f"{brief} by {number(by)}"
    return _asking(s, Offer(tool, brief, words), kind, aim)


def moved(s: Situation, hit: Hit, before: float, after: float) -> Offer:
    """Return an offer to move a message from one share of its way to another, so that it arrives earlier or later."""
    message = number_of(hit)
    whole, arrives = _lasts(s, message)
    by = float(f"{(before - after) * whole:.2g}")
    name = s.message(message)
    soon = max(arrives + by, s.t) if math.isfinite(arrives) else math.inf
    when = f": arrives at {soon:,.2f} instead of {arrives:,.2f}" if math.isfinite(arrives) else ""
    if by == 0:
        return Offer("delay", "Delay", f"{name} unchanged: drag it back or forward, or off its link", hit=hit)
    words = f"Delay {name} by {number(by)}" if by > 0 else f"Hurry {name} by {number(-by)}"
    return Offer("delay", "Delay", words + when, ({"do": "delay", "message": message, "delay": by},), hit=hit)


def _lasts(s: Situation, message: int) -> tuple[float, float]:
    """Return how long a message is in transit, and when it arrives (inf if unknown)."""
    reached, unsure = reached_by(s.scene, np.array([message]))
    sent = float(s.timeline.message_sent[message])
    return max(float(reached[0]) - sent, 1e-9), math.inf if bool(unsure[0]) else float(reached[0])


def _deliver(s: Situation, hit: Hit, forward: bool | None) -> Offer:
    made = _on_message(s, "deliver", hit, forward)
    if made.reason or "message" not in made.what[0]:
        return made
    reason = _undeliverable(s, made.what[0]["message"])
    return replace(made, what=(), reason=reason) if reason else made


def _undeliverable(s: Situation, message: int) -> str:
    """Return why a message in transit cannot be delivered now, as far as the run shows; or ""."""
    source, target = int(s.timeline.message_source[message]), int(s.timeline.message_target[message])
    name = s.names[target]
    if s.crashed[target]:
        return f"process {name} has crashed"
    if s.busy(target):
        return f"process {name} is in the middle of a step"
    first = s.along(source, target)
    if s.fifo(source, target) and first != message and first is not None:
        return f"link {s.names[source]}-{name} keeps the order of sending; {s.message(first)} sent earlier goes first"
    return ""


def _corrupt(s: Situation, hit: Hit, forward: bool | None) -> Offer:
    if hit.kind == "process":
        made = Offer(
            "corrupt", "Corrupt a variable…", f"Corrupt a variable of process {_name(s, hit)}…", form="corrupt"
        )
        if s.outline is None:
            return replace(made, form="", reason=_NO_TEXT)
        crashed = f"process {_name(s, hit)} has crashed" if s.crashed[number_of(hit)] else ""
        return replace(made, form="", reason=crashed) if crashed else made
    message, ends, reason = _aimed(s, hit, forward)
    if message is not None:
        made = Offer("corrupt", "Change its data…", f"Change the data of {s.message(message)}…", form="edit")
        event = None if s.outline is None else s.outline.event(_label(s, message))
        if not reason and event is not None and not event.fields:
            reason = f"{event.name} has no data"
    else:
        assert ends is not None
        between = f"from {s.names[ends[0]]} to {s.names[ends[1]]}"
        made = Offer("corrupt", "Change the data of the next…", f"Change the next message {between}…", form="edit")
        if s.outline is not None and not any(each.fields for each in s.outline.messages):
            reason = f"the messages of {s.outline.name} have no data"
    if not reason and s.outline is None:
        reason = _NO_TEXT
    return replace(made, form="", reason=reason) if reason else made


def _label(s: Situation, message: int) -> str:
    code = int(s.timeline.message_label[message])
    return s.timeline.trace.labels[code] if code >= 0 else ""


def _line(s: Situation, _hit: Hit, _forward: bool | None) -> Offer:
    reason = "" if s.network.m else "the network has no links"
    return Offer("partition", "Partition by a line", "Draw a line across the links to cut", form="line", reason=reason)


#: The tools that need more than a kind.
_MAKERS: Mapping[str, Callable[[Situation, Hit, bool | None], Offer]] = {
    "cut": _cut, "partition": _line, "command": _command, "inject": _inject, "slow": _slow, "deliver": _deliver,
    "corrupt": _corrupt,
}  # fmt: skip


def _name(s: Situation, hit: Hit) -> str:
    return s.names[number_of(hit)]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
