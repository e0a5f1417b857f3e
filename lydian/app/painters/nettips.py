"""What a tool tip in the network says: a message, a process, a link."""

from __future__ import annotations

from html import escape

import numpy as np

from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.basic import BasicFrame
from lydian.views.frame import Hit
from lydian.views.scene import Scene
from lydian.views.words import plural, value_text

__all__ = ["tooltip"]

#: So many variables are listed.
VARIABLES = 8


def tooltip(hit: Hit | None, frame: BasicFrame) -> str:
    """What is under the pointer, as rich text; empty if nothing is known of it."""
    if hit is None:
        return ""
    if hit.kind == "process" and isinstance(hit.id, int) and 0 <= hit.id < len(frame.names):
        return _process(hit.id, frame)
    if hit.kind == "link" and isinstance(hit.id, tuple):
        return _link(hit.id, frame)
    if hit.kind == "message" and isinstance(hit.id, int) and frame.timeline is not None:
        return _message(hit.id, frame, frame.timeline)
    return ""


def _lines(first: str, *rest: str) -> str:
    return "<br>".join([first, *(line for line in rest if line)])


def _message(number: int, frame: BasicFrame, timeline: Timeline) -> str:
    if not 0 <= number < timeline.m_messages:
        return ""
    label, source, target = (
        int(column[number]) for column in (timeline.message_label, timeline.message_source, timeline.message_target)
    )
    if source < 0 or target < 0:
        return ""
    word = frame.animation.label(timeline.labels[label]) if label >= 0 else "message"
    at = np.flatnonzero(frame.flights.id == number)
    share = f", {frame.flights.fraction[at[0]]:.0%}".replace("%", " %") if len(at) else ""
    waits = "waits at the door" if len(at) and frame.flights.waiting[at[0]] else ""
    arrived, reached = float(timeline.message_arrived[number]), float(timeline.message_reached[number])
    if timeline.lost[number]:
        reason = (timeline.trace.detail(int(timeline.receives[number])) or {}).get("reason")
        arrives = f"lost at {arrived:.2f}" + (f" ({escape(str(reason))})" if reason else "")
    elif np.isfinite(arrived):
        arrives = f"{'arrived' if reached <= frame.t else 'arrives'} {reached:.2f}"
    else:
        arrives = "has not arrived when the run ends"
    fields = (timeline.trace.detail(int(timeline.sends[number])) or {}).get("fields") or {}
    data = ", ".join(f"{escape(name)} = {escape(value_text(value))}" for name, value in fields.items())
    names = timeline.processes
    return _lines(
        f"<b>{escape(word)}</b> {escape(names[source])} → {escape(names[target])}{share}",
        data,
        f"sent {float(timeline.message_sent[number]):.2f}",
        arrives,
        waits,
        _law(frame.scene, *_numbers(frame.scene, source, target)),
    )


def _numbers(scene: Scene, *processes: int) -> tuple[int, ...]:
    return processes if scene.renumber is None else tuple(int(scene.renumber[i]) for i in processes)


def _law(scene: Scene, a: int, b: int) -> str:
    """The delay of a link, and where it comes from."""
    link = scene.link_between(a, b)
    network = scene.network
    if link is not None and link.delay is not None:
        return f"own delay, mean {link.delay.mean:.3g}: {escape(str(link.delay))}"
    if link is not None and link.klass is not None and link.klass in network.classes:
        delay = network.classes[link.klass]
        return f"delay of class {escape(link.klass)}, mean {delay.mean:.3g}: {escape(str(delay))}"
    return f"delay as everywhere, mean {network.delay.mean:.3g}: {escape(str(network.delay))}"


def _process(number: int, frame: BasicFrame) -> str:
    name = f"<b>{escape(frame.names[number])}</b>"
    starts = "starts by itself" if frame.initiators[number] else ""
    timeline, scene = frame.timeline, frame.scene
    if timeline is None:
        return _lines(f"{name} at rest", starts)
    own = number if scene.renumber is None else int(np.argmax(scene.renumber == number))
    if scene.renumber is not None and scene.renumber[own] != number:
        return _lines(f"{name} takes no part in this run", starts)
    code = int(timeline.states_at(frame.k)[own])
    word = frame.animation.word(timeline.states[code]) if code < len(timeline.states) else "no state"
    crashed = ""
    if frame.crashed[number]:
        since = float(frame.crashed_since[number])
        crashed = f"crashed at {since:.2f}" if np.isfinite(since) else "crashed"
    lines = []
    for variable, (value, changed) in timeline.variables(own, frame.k).items():
        if changed >= 0:
            text = escape(value_text(value, is_set=isinstance(value, list)))
            lines.append(f"{escape(variable)} = {text} <i>since {float(timeline.time[changed]):.2f}</i>")
    if len(lines) > VARIABLES:
        lines[VARIABLES:] = [f"and {plural(len(lines) - VARIABLES, 'more variable')}"]
    busy = "handles an event" if np.isfinite(frame.busy[number]) else ""
    return _lines(f"{name} {escape(word)}", crashed, busy, starts, *lines)


def _link(ends: tuple[int, int], frame: BasicFrame) -> str:
    number = frame.scene.link_index.get((min(ends), max(ends)))
    if number is None:
        return ""
    link, network = frame.network.links[number], frame.network
    loss = network.loss if link.loss is None else link.loss
    down = "down now" if frame.links_down[number] else ""
    outages = ", ".join(f"{start:g} to {stop:g}" for start, stop in link.outages)
    counts = []
    if frame.timeline is not None:
        sent = _sent_between(frame.timeline, frame.k)
        for a, b in ((link.a, link.b), (link.b, link.a)) if not link.directed else ((link.a, link.b),):
            count = sent.get((a, b), 0)
            counts.append(f"{escape(a)} → {escape(b)}: {plural(count, 'message')}")
    a, b = frame.link_ends[number].tolist()
    return _lines(
        f"<b>link {escape(link.a)} {'→' if link.directed else '–'} {escape(link.b)}</b>",
        _law(frame.scene, a, b),
        *counts,
        f"loses {loss:.0%} of its messages".replace("%", " %") if loss else "",
        f"down from {outages}" if outages else "",
        down,
    )


def _sent_between(timeline: Timeline, k: int) -> dict[tuple[str, str], int]:
    """How many messages each process has sent to each other one after k events."""
    rows = np.flatnonzero((timeline.kind[:k] == Kind.SEND) & (timeline.peer[:k] >= 0))
    pairs = timeline.process[rows].astype(np.int64) * max(timeline.n, 1) + timeline.peer[rows]
    keys, counts = np.unique(pairs, return_counts=True)
    names = timeline.processes
    return {
        (names[key // timeline.n], names[key % timeline.n]): count
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True)
    }
