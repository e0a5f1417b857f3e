"""The tooltips of the network: a message, a process, a link."""

from __future__ import annotations

from html import escape

import numpy as np

from lydian.language import tr, trc, trn
from lydian.pieces.messagelooks import word_of
from lydian.trace.timeline import Timeline
from lydian.views.network.basic import BasicFrame
from lydian.views.network.liars import liars_at, way_word
from lydian.views.network.played import taken_at
from lydian.views.network.scene import Scene
from lydian.views.selection import Hit
from lydian.views.words.contents import contents, falsehood
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import plural

__all__ = ["tooltip"]

#: The maximum number of variables listed.
VARIABLES = 8


def tooltip(hit: Hit | None, frame: BasicFrame) -> str:
    """Describe what is under the pointer, as rich text; return "" if nothing is known of it."""
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
    plain = frame.animation.label(timeline.labels[label]) if label >= 0 else tr("message")
    word = word_of(timeline, number, frame.animation) or plain
    at = np.flatnonzero(frame.flights.id == number)
    share = f", {frame.flights.fraction[at[0]]:.0%}".replace("%", " %") if len(at) else ""
    waits = tr("waits to be handled") if len(at) and frame.flights.waiting[at[0]] else ""
    arrived, reached = float(timeline.message_arrived[number]), float(timeline.message_reached[number])
    if timeline.lost[number]:
        reason = (timeline.trace.detail(int(timeline.receives[number])) or {}).get("reason")
        arrives = tr("lost at {time:.2f}", time=arrived) + (f" ({escape(str(reason))})" if reason else "")
    elif np.isfinite(arrived):
        arrives = (
            tr("arrived {time:.2f}", time=reached) if reached <= frame.t else tr("arrives {time:.2f}", time=reached)
        )
    else:
        arrives = tr("not delivered before the run ends")
    sent, ended = int(timeline.sends[number]), int(timeline.receives[number])
    fields = contents(timeline, sent if ended < 0 else ended)
    data = ", ".join(f"{escape(name)} = {escape(value_text(value))}" for name, value in fields.items())
    names = timeline.processes
    bits = int(timeline.message_bits[number])
    size = plural(bits, "bit") if bits >= 0 else ""
    return _lines(
        f"<b>{escape(word)}</b> {escape(names[source])} → {escape(names[target])}{share}",
        ", ".join(part for part in (data, size) if part),
        escape(falsehood(timeline, sent if ended < 0 else ended)),
        tr("sent {time:.2f}", time=float(timeline.message_sent[number])),
        arrives,
        waits,
        _law(frame.scene, *_numbers(frame.scene, source, target)),
    )


def _numbers(scene: Scene, *processes: int) -> tuple[int, ...]:
    return processes if scene.renumber is None else tuple(int(scene.renumber[i]) for i in processes)


def _law(scene: Scene, a: int, b: int) -> str:
    """Describe the delay of a link and its origin."""
    link = scene.link_between(a, b)
    network = scene.network
    if link is not None and link.delay is not None:
        return tr("own delay, mean {mean:.3g}: {delay}", mean=link.delay.mean, delay=escape(str(link.delay)))
    if link is not None and link.klass is not None and link.klass in network.classes:
        delay = network.classes[link.klass]
        return tr(
            "delay of class {link_class}, mean {mean:.3g}: {delay}",
            link_class=escape(link.klass),
            mean=delay.mean,
            delay=escape(str(delay)),
        )
    return tr("default delay, mean {mean:.3g}: {delay}", mean=network.delay.mean, delay=escape(str(network.delay)))


def _process(number: int, frame: BasicFrame) -> str:
    name = f"<b>{escape(frame.names[number])}</b>"
    starts = tr("initiator") if frame.initiators[number] else ""
    timeline, scene = frame.timeline, frame.scene
    roles = timeline.trace.summary.get("roles") if timeline is not None else None
    if isinstance(roles, dict) and frame.names[number] in roles:
        name += f" ({escape(str(roles[frame.names[number]]))})"
    if timeline is None:
        return _lines(tr("{process} at rest", process=name), starts)
    own = number if scene.renumber is None else int(np.argmax(scene.renumber == number))
    if scene.renumber is not None and scene.renumber[own] != number:
        return _lines(tr("{process} does not take part in this run", process=name), starts)
    code = int(timeline.states_at(frame.k)[own])
    word = frame.animation.word(timeline.states[code]) if code < len(timeline.states) else tr("no state")
    crashed = ""
    if frame.crashed[number]:
        since = float(frame.crashed_since[number])
        crashed = tr("crashed at {time:.2f}", time=since) if np.isfinite(since) else trc("a process", "crashed")
    lines, types = [], read(timeline.trace.source).types
    for variable, (value, changed) in timeline.variables(own, frame.k).items():
        if changed >= 0:
            text = escape(value_text(typed(value, types.get(variable, ""))))
            when = tr("since {time:.2f}", time=float(timeline.time[changed]))
            lines.append(f"{escape(variable)} = {text} <i>{when}</i>")
    if len(lines) > VARIABLES:
        rest = len(lines) - VARIABLES
        lines[VARIABLES:] = [trn("and {count:,} more variable", "and {count:,} more variables", rest)]
    busy = tr("handling an event") if np.isfinite(frame.busy[number]) else ""
    sent = (timeline.message_source == own) & (timeline.sends >= 0) & (timeline.sends < frame.k)
    got = (timeline.message_target == own) & (timeline.receives >= 0) & (timeline.receives < frame.k) & ~timeline.lost
    about = tr("{sent:,} sent, {received:,} received", sent=int(sent.sum()), received=int(got.sum()))
    door = frame.flights.waiting & (frame.flights.target == number)
    waiting = int(door.sum())
    waits = trn("{count:,} message waiting to be handled", "{count:,} messages waiting to be handled", waiting)
    played = tr("taken over: it acts only when you choose") if own in taken_at(timeline, frame.k) else ""
    lies = liars_at(timeline, frame.k).get(own)
    false = tr("Byzantine: {behaviour}", behaviour=way_word(lies)) if lies else ""
    stands = _standing(number, frame)
    return _lines(
        f"{name} {escape(word)}", crashed, false, played, busy, starts, stands, *lines, about, waits if waiting else ""
    )


def _standing(number: int, frame: BasicFrame) -> str:
    """Describe the number that determines the position of a process."""
    standing, declared = frame.standing, frame.animation.places
    if standing is None or declared is None or not np.isfinite(standing.at[number]):
        return ""
    return f"{escape(declared.word or tr('place'))} {standing.at[number]:.4g}"


def _link(ends: tuple[int, int], frame: BasicFrame) -> str:
    number = frame.scene.link_index.get((min(ends), max(ends)))
    if number is None:
        return ""
    link, network = frame.network.links[number], frame.network
    down, way = trc("a link", "down now") if frame.links_down[number] else "", int(frame.ways_down[number])
    if way:
        source, target = (link.a, link.b) if way > 0 else (link.b, link.a)
        down = tr("down now from {sender} to {receiver}", sender=escape(source), receiver=escape(target))
    outages = ", ".join(tr("{start:g} to {end:g}", start=start, end=stop) for start, stop in link.outages)
    counts = []
    if frame.timeline is not None:
        ways = ((link.a, link.b),) if link.directed else ((link.a, link.b), (link.b, link.a))
        for a, b in ways:
            sent, flying = _between(frame, a, b)
            counts.append(
                f"{escape(a)} → {escape(b)}: {plural(sent, 'message')}"
                + (tr(", {count} in transit", count=flying) if flying else "")
            )
    a, b = frame.link_ends[number].tolist()
    name = f"{escape(link.a)} {'→' if link.directed else '–'} {escape(link.b)}"
    faults = {
        "loss": tr("loses {share:.3g} % of its messages"),
        "duplication": tr("duplicates {share:.3g} % of its messages"),
        "corruption": tr("corrupts {share:.3g} % of its messages"),
    }
    return _lines(
        f"<b>{tr('link {link}', link=name)}</b>",
        _law(frame.scene, a, b),
        *counts,
        *(text.format(share=100 * share) for rate, text in faults.items() if (share := network.rate_of(link, rate))),
        tr("down from {times}", times=outages) if outages else "",
        down,
    )


def _between(frame: BasicFrame, a: str, b: str) -> tuple[int, int]:
    """Return the number of messages that a has sent to b so far, and the number in transit."""
    timeline = frame.timeline
    if timeline is None or a not in timeline.processes or b not in timeline.processes:
        return 0, 0
    here = (timeline.message_source == timeline.processes.index(a)) & (
        timeline.message_target == timeline.processes.index(b)
    )
    sent = here & (timeline.sends >= 0) & (timeline.sends < frame.k)
    return int(sent.sum()), int(sent[frame.flights.id].sum())
