"""The offers of each tool for a target at a moment, or the reason why it does not apply."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lydian.language import tr, trc, trn
from lydian.model.interventions.keys import DELAY, SEED
from lydian.model.interventions.kind import KINDS, TOOLS, Kind, kind_of
from lydian.views.network.flights import reached_by
from lydian.views.playback.interfering import Offer, Situation, number_of, pair_of, pairs
from lydian.views.selection import Hit
from lydian.views.words.phrases import lowered
from lydian.views.words.words import joined, number, plural

__all__ = ["cut_off", "moved", "offer", "partition"]

_NO_TEXT = tr("the protocol's file is unknown")


def offer(s: Situation, tool: str, hit: Hit | None, forward: bool | None = None) -> Offer:
    """Return the offer of a tool for a target; it has a reason if the tool does not apply there."""
    kind = "nothing" if hit is None else hit.kind
    if kind == "event" and hit is not None:
        process = int(s.timeline.process[number_of(hit)])
        return offer(s, tool, Hit("process", process) if process >= 0 else None, forward)
    known = TOOLS[tool]
    if kind not in known.targets:
        reason = {
            "nothing": tr("not for the background: {hint}"), "process": tr("not for a process: {hint}"),
            "link": tr("not for a link: {hint}"), "message": tr("not for a message: {hint}"),
        }[kind].format(hint=lowered(known.hint))  # fmt: skip
        return Offer(tool, known.title, known.title, reason=reason, hit=hit)
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
        return Offer(tool, short, words, reason=tr("process {process} has crashed", process=name))
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
        return replace(made, form="", reason=tr("{protocol} has no commands", protocol=s.outline.name))
    return made


# ---------------------------------------------------------------------- links


def _cut(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    if hit.kind == "process":
        return cut_off(s, [number_of(hit)])
    a, b = pair_of(hit)
    ends, down = f"{s.names[a]}-{s.names[b]}", (min(a, b), max(a, b)) in s.down
    if down:
        short, words, do = trc("a link", "Restore"), tr("Restore link {link}", link=ends), "link_up"
    else:
        short, words, do = trc("a link", "Cut"), tr("Cut link {link}", link=ends), "link_down"
    return Offer("cut", short, words, pairs([(a, b)], s.names, do))


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
    who, one = _processes(names), len(names) == 1
    if not border:
        reason = tr("no link leads from {processes} to another process", processes=who)
        return Offer("cut", tr("Isolate it"), tr("Isolate {processes}", processes=who), reason=reason)
    if not up:
        short = tr("Join it again") if one else tr("Join them again")
        words = trn("Join {processes} again: restore {count:,} link", "Join {processes} again: restore {count:,} links",
                    len(border), processes=who)  # fmt: skip
        return Offer("cut", short, words, pairs(border, s.names, "link_up"))
    short = tr("Cut it off") if one else tr("Cut them off")
    words = tr("Cut {processes} off: {links}", processes=who, links=plural(len(up), "link"))
    return Offer("cut", short, words, pairs(up, s.names, "link_down"))


def _processes(names: Sequence[str]) -> str:
    """Return the processes with their word: ``process 3``, ``processes 3 and 4``, ``5 processes``."""
    if len(names) > 4:
        return trn("{count} process", "{count} processes", len(names))
    if len(names) == 1:
        return tr("process {process}", process=names[0])
    return tr("processes {processes}", processes=joined(names))


def parted(s: Situation, some: Sequence[int]) -> Offer:
    """Isolate some processes from all others as one fault; if they are isolated, end that."""
    names = [s.names[p] for p in some]
    made = cut_off(s, some)
    if s.overlay and (made.reason or not made.what):
        who = _processes(names[:4]) + (" …" if len(names) > 4 else "")
        made = Offer("cut", tr("Cut off"), tr("Cut {processes} off", processes=who))
    elif made.reason or made.what[0]["do"] == "link_up":
        return made
    if len(names) == len(s.names):
        return replace(made, tool="partition", what=(), reason=tr("all processes are selected; select one side only"))
    return replace(made, tool="partition", what=({"do": "partition", "groups": [names]},))


def partition(s: Situation, crossed: Sequence[tuple[int, int]]) -> Offer:
    """Cut the links that a line crosses."""
    up = sorted(pair for pair in crossed if pair not in s.down)
    if not up:
        reason = tr("the line crosses no link that is up")
        return Offer("partition", trc("menu", "Partition"), trc("menu", "Partition"), reason=reason)
    names = [f"{s.names[a]}-{s.names[b]}" for a, b in up]
    listed = f": {', '.join(names)}" if len(names) <= 6 else ""
    words = trn("Cut {count:,} link", "Cut {count:,} links", len(up)) + listed
    return Offer("partition", trc("menu", "Partition"), words, pairs(up, s.names, "link_down"))


def _slow(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    if hit.kind == "link":
        a, b = pair_of(hit)
        words = tr("Slow down link {link}…", link=f"{s.names[a]}-{s.names[b]}")
    else:
        words = tr("Slow down process {process}…", process=_name(s, hit))
    return Offer("slow", tr("Slow down…"), words, form="slow")


def _inject(s: Situation, hit: Hit, forward: bool | None) -> Offer:
    if hit.kind == "link":
        a, b = s.ends(*pair_of(hit), forward)
        words = tr("Send a message from {sender} to {receiver}…", sender=s.names[a], receiver=s.names[b])
        made = Offer("inject", tr("Send a message…"), words, form="inject")
    else:
        name = _name(s, hit)
        short, words = tr("Send as {process}…", process=name), tr("Send a message as process {process}…", process=name)
        made = Offer("inject", short, words, form="inject")
        if not _receivers(s, number_of(hit)):
            return replace(made, form="", reason=tr("no link leads from process {process}", process=name))
    if s.outline is None:
        return replace(made, form="", reason=_NO_TEXT)
    if not s.outline.messages:
        return replace(made, form="", reason=tr("{protocol} has no messages", protocol=s.outline.name))
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
    if found is not None:
        return found, None, ""
    return None, None, tr("no message is in transit to process {process}", process=_name(s, hit))


def _on_message(s: Situation, tool: str, hit: Hit, forward: bool | None) -> Offer:
    """Return the offer of a tool's intervention in a message, or in the next one sent along a link."""
    kind = kind_of(tool)
    short, words, ahead = kind.menu
    message, ends, reason = _aimed(s, hit, forward)
    if reason:
        about = s.message(number_of(hit)) if hit.kind == "message" else tr("a message")
        return Offer(tool, short, words.format(message=about), reason=reason)
    aim: dict[str, Any]
    if message is not None:
        aim, words = {"message": message}, words.format(message=s.message(message))
        brief = tr("{action} the one in transit", action=short) if hit.kind == "link" else short
    else:
        assert ends is not None
        a, b = s.names[ends[0]], s.names[ends[1]]
        words = tr("{action} from {sender} to {receiver}", action=ahead, sender=a, receiver=b)
        aim, brief = {"link": [a, b]}, ahead
    if DELAY in kind.needs:
        pair = ends or (int(s.timeline.message_source[message]), int(s.timeline.message_target[message]))
        aim["delay"] = by = s.later(*pair)
        words, brief = (tr("{action} by {time}", action=text, time=number(by)) for text in (words, brief))
    return _asking(s, Offer(tool, brief, words), kind, aim)


def moved(s: Situation, hit: Hit, before: float, after: float) -> Offer:
    """Return an offer to move a message from one share of its way to another, so that it arrives earlier or later."""
    message = number_of(hit)
    whole, arrives = _lasts(s, message)
    by = float(f"{(before - after) * whole:.2g}")
    name = s.message(message)
    soon = max(arrives + by, s.t) if math.isfinite(arrives) else math.inf
    when = ""
    if math.isfinite(arrives):
        when = tr(": arrives at {time:,.2f} instead of {before:,.2f}", time=soon, before=arrives)
    if by == 0:
        words = tr("{message} unchanged: drag it back or forward, or off its link", message=name)
        return Offer("delay", trc("menu", "Delay"), words, hit=hit)
    if by > 0:
        words = tr("Delay {message} by {time}", message=name, time=number(by))
    else:
        words = tr("Hurry {message} by {time}", message=name, time=number(-by))
    return Offer(
        "delay", trc("menu", "Delay"), words + when, ({"do": "delay", "message": message, "delay": by},), hit=hit
    )


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
        return tr("process {process} has crashed", process=name)
    if s.busy(target):
        return tr("process {process} is in the middle of a step", process=name)
    first = s.along(source, target)
    if s.fifo(source, target) and first != message and first is not None:
        return tr("link {link} keeps the order of sending; {message} sent earlier goes first",
                  link=f"{s.names[source]}-{name}", message=s.message(first))  # fmt: skip
    return ""


def _corrupt(s: Situation, hit: Hit, forward: bool | None) -> Offer:
    if hit.kind == "process":
        words = tr("Corrupt a variable of process {process}…", process=_name(s, hit))
        made = Offer("corrupt", tr("Corrupt a variable…"), words, form="corrupt")
        if s.outline is None:
            return replace(made, form="", reason=_NO_TEXT)
        crashed = tr("process {process} has crashed", process=_name(s, hit)) if s.crashed[number_of(hit)] else ""
        return replace(made, form="", reason=crashed) if crashed else made
    message, ends, reason = _aimed(s, hit, forward)
    if message is not None:
        words = tr("Change the data of {message}…", message=s.message(message))
        made = Offer("corrupt", tr("Change its data…"), words, form="edit")
        event = None if s.outline is None else s.outline.event(_label(s, message))
        if not reason and event is not None and not event.fields:
            reason = tr("{message} has no data", message=event.name)
    else:
        assert ends is not None
        sender, receiver = (s.names[end] for end in ends)
        words = tr("Change the next message from {sender} to {receiver}…", sender=sender, receiver=receiver)
        made = Offer("corrupt", tr("Change the data of the next…"), words, form="edit")
        if s.outline is not None and not any(each.fields for each in s.outline.messages):
            reason = tr("the messages of {protocol} have no data", protocol=s.outline.name)
    if not reason and s.outline is None:
        reason = _NO_TEXT
    return replace(made, form="", reason=reason) if reason else made


def _label(s: Situation, message: int) -> str:
    code = int(s.timeline.message_label[message])
    return s.timeline.trace.labels[code] if code >= 0 else ""


def _line(s: Situation, _hit: Hit, _forward: bool | None) -> Offer:
    reason = "" if s.network.m else tr("the network has no links")
    words = tr("Draw a line across the links to cut")
    return Offer("partition", tr("Partition the network"), words, form="line", reason=reason)


#: The tools that need more than a kind.
_MAKERS: Mapping[str, Callable[[Situation, Hit, bool | None], Offer]] = {
    "cut": _cut, "partition": _line, "command": _command, "inject": _inject, "slow": _slow, "deliver": _deliver,
    "corrupt": _corrupt,
}  # fmt: skip


def _name(s: Situation, hit: Hit) -> str:
    return s.names[number_of(hit)]
