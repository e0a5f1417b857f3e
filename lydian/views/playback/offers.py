"""What each tool does to a thing at a moment, or why it makes no sense there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lydian.views.frame import Hit
from lydian.views.network.flights import reached_by
from lydian.views.playback.interfering import TOOLS, Offer, Situation, number_of, pair_of, pairs
from lydian.views.words.words import joined, number, plural

__all__ = ["cut_off", "moved", "offer", "partition"]

_NO_TEXT = "the protocol's file is not known"


def offer(s: Situation, tool: str, hit: Hit | None, forward: bool | None = None) -> Offer:
    """What a tool does to a thing; an offer with a reason if that makes no sense there."""
    kind = "nothing" if hit is None else hit.kind
    if kind == "event" and hit is not None:
        process = int(s.timeline.process[number_of(hit)])
        return offer(s, tool, Hit("process", process) if process >= 0 else None, forward)
    known = TOOLS[tool]
    if kind not in known.targets:
        where = "the ground" if hit is None else f"a {kind}"
        return Offer(tool, known.title, known.title, reason=f"not for {where}: {_lower(known.hint)}", hit=hit)
    return replace(_MAKERS[tool](s, hit, forward), hit=hit, forward=forward)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- processes


def _crash(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    name = _name(s, hit)
    if s.crashed[number_of(hit)]:
        return Offer("crash", "Recover", f"Recover process {name}", ({"do": "recover", "process": name},))
    return Offer("crash", "Crash", f"Crash process {name}", ({"do": "crash", "process": name},))


def _alive(s: Situation, hit: Hit, made: Offer) -> Offer:
    down = bool(s.crashed[number_of(hit)])
    return replace(made, what=(), form="", reason=f"process {_name(s, hit)} has crashed") if down else made


def _scramble(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    name = _name(s, hit)
    what: dict[str, Any] = {"do": "scramble", "process": name}
    if s.done:
        what["seed"] = s.done
    return _alive(s, hit, Offer("scramble", "Scramble it", f"Scramble process {name}: any state, any values", (what,)))


def _byzantine(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    name = _name(s, hit)
    if number_of(hit) in s.liars:
        return Offer(
            "byzantine", "Make it honest again", f"Make process {name} honest again",
            ({"do": "honest", "process": name},),
        )  # fmt: skip
    made = Offer("byzantine", "Make it lie…", f"Make process {name} lie…", form="byzantine")
    return _alive(s, hit, made)


def _wake(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    name = _name(s, hit)
    return _alive(s, hit, Offer("wake", "Wake it", f"Wake process {name}", ({"do": "wake", "process": name},)))


def _take_over(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    name = _name(s, hit)
    if name in s.taken:
        return Offer(
            "take_over", "Let it go on by itself", f"Let process {name} go on by itself",
            ({"do": "release", "process": name},),
        )  # fmt: skip
    made = Offer(
        "take_over", "Take it over", f"Take over process {name}: you choose its steps",
        ({"do": "take_over", "process": name},),
    )  # fmt: skip
    return _alive(s, hit, made)


def _command(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    name, outline = _name(s, hit), s.outline
    made = Offer("command", "Command…", f"Give a command to process {name}…", form="command")
    if outline is None:
        return replace(made, form="", reason=_NO_TEXT)
    if not outline.commands:
        return replace(made, form="", reason=f"{outline.name} has no commands")
    return _alive(s, hit, made)


# ---------------------------------------------------------------------- links


def _cut(s: Situation, hit: Hit, _forward: bool | None) -> Offer:
    if hit.kind == "process":
        return cut_off(s, [number_of(hit)])
    a, b = pair_of(hit)
    ends, down = f"{s.names[a]}-{s.names[b]}", (min(a, b), max(a, b)) in s.down
    word, do = ("Restore", "link_up") if down else ("Cut", "link_down")
    return Offer("cut", word, f"{word} link {ends}", pairs([(a, b)], s.names, do))


def cut_off(s: Situation, some: Sequence[int]) -> Offer:
    """Cut all links between some processes and the others; if they are down all, restore them."""
    inside = set(some)
    border = sorted({pair for p in some for pair in s.links_of(p) if (pair[0] in inside) != (pair[1] in inside)})
    up = [pair for pair in border if pair not in s.down]
    names = [s.names[p] for p in some]
    who = f"process{'es' if len(names) > 1 else ''} {joined(names)}" if len(names) <= 4 else f"{len(names)} processes"
    if not border:
        return Offer("cut", "Cut it off", f"Cut {who} off", reason=f"no link leads from {who} to another process")
    it = "it" if len(names) == 1 else "them"
    if not up:
        return Offer(
            "cut", f"Join {it} again", f"Join {who} again: restore {plural(len(border), 'link')}",
            pairs(border, s.names, "link_up"),
        )  # fmt: skip
    return Offer(
        "cut", f"Cut {it} off", f"Cut {who} off: {plural(len(up), 'link')}", pairs(up, s.names, "link_down")
    )


def parted(s: Situation, some: Sequence[int]) -> Offer:
    """Cut some processes off from all others, as one fault; if they are cut off, end that."""
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
    return Offer(
        "partition", "Partition", f"Cut {plural(len(up), 'link')}{listed}", pairs(up, s.names, "link_down")
    )


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
    """The message that is meant, or the link whose next one is; or why there is none."""
    if hit.kind == "message":
        message = number_of(hit)
        return message, None, s.gone(message)
    if hit.kind == "link":
        a, b = s.ends(*pair_of(hit), forward)
        message_or_none = s.along(a, b)
        return message_or_none, (a, b), ""
    found = s.next_to(number_of(hit))
    return found, None, "" if found is not None else f"no message is on its way to process {_name(s, hit)}"


def _on_message(tool: str, short: str, verb: str, next_words: str) -> Callable[[Situation, Hit, bool | None], Offer]:
    """A tool that does something to a message, or to the next one sent along a link."""

    def make(s: Situation, hit: Hit, forward: bool | None) -> Offer:
        message, ends, reason = _aimed(s, hit, forward)
        if reason:
            about = s.message(number_of(hit)) if hit.kind == "message" else "a message"
            return Offer(tool, short, f"{verb} {about}", reason=reason)
        if message is not None:
            what: dict[str, Any] = {"do": tool, "message": message}
            words, brief = f"{verb} {s.message(message)}", short
            if hit.kind == "link":
                brief = f"{short} the one under way"
        else:
            assert ends is not None
            a, b = s.names[ends[0]], s.names[ends[1]]
            what = {"do": tool, "link": [a, b]}
            words = f"{next_words} from {a} to {b}"
            brief = next_words
        if tool == "delay":
            pair = ends or (int(s.timeline.message_source[message]), int(s.timeline.message_target[message]))
            what["delay"] = by = s.later(*pair)
            words, brief = f"{words} by {number(by)}", f"{brief} by {number(by)}"
        return Offer(tool, brief, words, (what,))

    return make


def moved(s: Situation, hit: Hit, before: float, after: float) -> Offer:
    """A message that was at a share of its way is at another one: it arrives as much later or earlier."""
    message = number_of(hit)
    whole, arrives = _lasts(s, message)
    by = float(f"{(before - after) * whole:.2g}")
    name = s.message(message)
    soon = max(arrives + by, s.t) if math.isfinite(arrives) else math.inf
    when = f": arrives at {soon:,.2f} instead of {arrives:,.2f}" if math.isfinite(arrives) else ""
    if by == 0:
        return Offer("delay", "Delay", f"{name} as it is: drag it back or on, or off its way", hit=hit)
    words = f"Delay {name} by {number(by)}" if by > 0 else f"Hurry {name} by {number(-by)}"
    return Offer("delay", "Delay", words + when, ({"do": "delay", "message": message, "delay": by},), hit=hit)


def _lasts(s: Situation, message: int) -> tuple[float, float]:
    """How long a message is under way, and when it arrives (inf if nobody knows)."""
    reached, unsure = reached_by(s.scene, np.array([message]))
    sent = float(s.timeline.message_sent[message])
    return max(float(reached[0]) - sent, 1e-9), math.inf if bool(unsure[0]) else float(reached[0])


def _deliver(s: Situation, hit: Hit, forward: bool | None) -> Offer:
    made = _on_message("deliver", "Deliver now", "Deliver now:", "Let the next message arrive at once")(s, hit, forward)
    if made.reason or "message" not in made.what[0]:
        return made
    reason = _undeliverable(s, made.what[0]["message"])
    return replace(made, what=(), reason=reason) if reason else made


def _undeliverable(s: Situation, message: int) -> str:
    """Why a message under way cannot arrive now, as far as the run so far tells; or ""."""
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
        return replace(made, form="", reason=_NO_TEXT) if s.outline is None else _alive(s, hit, made)
    message, ends, reason = _aimed(s, hit, forward)
    if message is not None:
        made = Offer("corrupt", "Change its data…", f"Change the data of {s.message(message)}…", form="edit")
        event = None if s.outline is None else s.outline.event(_label(s, message))
        if not reason and event is not None and not event.fields:
            reason = f"{event.name} carries no data"
    else:
        assert ends is not None
        between = f"from {s.names[ends[0]]} to {s.names[ends[1]]}"
        made = Offer("corrupt", "Change the data of the next…", f"Change the next message {between}…", form="edit")
        if s.outline is not None and not any(each.fields for each in s.outline.messages):
            reason = f"the messages of {s.outline.name} carry no data"
    if not reason and s.outline is None:
        reason = _NO_TEXT
    return replace(made, form="", reason=reason) if reason else made


def _label(s: Situation, message: int) -> str:
    code = int(s.timeline.message_label[message])
    return s.timeline.trace.labels[code] if code >= 0 else ""


def _line(s: Situation, _hit: Hit, _forward: bool | None) -> Offer:
    reason = "" if s.network.m else "the network has no links"
    return Offer("partition", "Partition by a line", "Draw a line across the links to cut", form="line", reason=reason)


_MAKERS: Mapping[str, Callable[[Situation, Hit, bool | None], Offer]] = {
    "crash": _crash, "cut": _cut, "partition": _line, "scramble": _scramble,
    "byzantine": _byzantine, "wake": _wake, "command": _command,
    "inject": _inject, "slow": _slow, "take_over": _take_over, "deliver": _deliver, "corrupt": _corrupt,
    "drop": _on_message("drop", "Drop", "Drop", "Lose the next message"),
    "delay": _on_message("delay", "Delay", "Delay", "Delay the next message"),
    "duplicate": _on_message("duplicate", "Duplicate", "Duplicate", "Duplicate the next message"),
}  # fmt: skip


def _name(s: Situation, hit: Hit) -> str:
    return s.names[number_of(hit)]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
